"""How jigsaw puzzles are looked at: every threshold, with its unit."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float32]
Flags = NDArray[np.bool_]
Frame = tuple[int, int, int, int]
"""Left, top, right and bottom, in pixels of a candidate."""
Box = tuple[float, float, float, float]
"""The same, between pixels."""


@dataclass(frozen=True)
class PageConfig:
    """How a picture is looked for on a page.

    Attributes
    ----------
    bar_spread : rows and columns at an edge are a bar if their channels' standard deviation is at most this, 0 to 255
    least_bar : a bar is at least so wide, as a share of the side
    most_bar : and at most so wide
    least_frame_px : what lies between bars has at least such sides, in pixels of the candidate
    page_px : pieces are looked for on a page whose longer side has so many pixels
    least_piece, most_piece, sizes : their longer side may be such shares of that; how many are tried
    found : a piece is found where it correlates so much
    most_apart : pieces lie at most so many of their sides apart, from edge to edge
    least_part : the picture takes so much of the page at least
    beside, smallest_beside, sizes_beside : no piece may correlate so much with what lies beside it, at its own size or
        down to so much of it, and how many sizes are tried
    """

    bar_spread: float = 6.0
    least_bar: float = 0.02
    most_bar: float = 0.3
    least_frame_px: int = 16
    page_px: int = 144
    least_piece: float = 0.25
    most_piece: float = 0.52
    sizes: int = 12
    found: float = 0.6
    most_apart: float = 0.25
    least_part: float = 0.35
    beside: float = 0.8
    smallest_beside: float = 0.35
    sizes_beside: int = 5


@dataclass(frozen=True)
class ExpectingConfig:
    """How it is told what happened to the whole picture.

    Attributes
    ----------
    alike : quarters that are so much like a piece tell it
    step : of each so manieth row and column
    rounds : each with less weight on what deviates
    least_doubt, doubt : what deviates by so many levels, or so many times as much as half of them, counts half
    light_rounds : colours and light are told in turn, so often
    light_px : a fall of light is told under a Gaussian of this deviation
    light_ridge : what keeps light even, in levels squared a pixel
    most_light : largest share of its change
    blurs_px : a picture is as soft as a mixture of Gaussians of these deviations makes it
    ground_px : beside what one of this deviation leaves
    focus_ridge : what keeps it as sharp as it was, in levels squared a pixel
    """

    alike: float = 0.8
    step: int = 3
    rounds: int = 4
    least_doubt: float = 2.0
    doubt: float = 2.0
    light_rounds: int = 2
    light_px: float = 2.0
    light_ridge: float = 30.0
    most_light: float = 0.2
    blurs_px: tuple[float, ...] = (0.7, 1.4, 2.8)
    ground_px: float = 5.6
    focus_ridge: float = 1.0


@dataclass(frozen=True)
class LeftoverConfig:
    """What of a quarter its piece does not explain. Lengths are pixels of the comparison, contrasts levels of 255.

    Attributes
    ----------
    beside_px : nothing is compared so near to what lies beside the frame
    least_seam : so much of a side is not compared at each edge, for what resizing makes of cuts
    most_seam : and up to so much more where there is a line of one colour, from the edge on
    seam_share, seam_level, seam_spread : a line differs along more than this share by so many levels, and its own
        standard deviation is at most so much
    clipped, near_clipped : levels so near the end of the range are clipped, and no difference where they were expected
        so near it
    scales_px : what is left is summed by Gaussians of these deviations
    visible : and told from these levels on, where nothing else explains it, for each of them
    edge_share, edge_px : so much of the change within so many pixels is explained by edges that lie a little aside
    texture_share : and so much of that of the finest scale, in the mean: patterns clip and mix
    noise_times : and so many times the noise of the picture, at that scale
    structure_px : structure is told in the bands between Gaussians of these deviations
    window : side of a window in which structure is compared, as a share of a piece
    least_window : so much of it has to be shown
    strips : widths of strips along cuts, as shares of a piece
    least_loss : structure is gone where it is weaker by this share
    sure : and by so many times what noise may do
    window_level, strip_level : and where what is gone had so many levels in the mean: in a window; in a strip
    piece_loss, piece_level : of a whole piece, whose structure may be weaker or stronger by as much
    grain_times, least_grain : a piece has grain of its own where half of it differs by more than so many times what
        the picture has, and so many levels, in one of these bands
    least_power : what has less than this is no structure
    ghost_px : other pieces are looked for in what a Gaussian of this deviation takes away, at the small size
    most_ghost : a larger share of another piece is a ghost
    """

    beside_px: int = 1
    least_seam: float = 0.016
    most_seam: float = 0.05
    seam_share: float = 0.5
    seam_level: float = 12.0
    seam_spread: float = 16.0
    clipped: float = 4.0
    near_clipped: float = 16.0
    scales_px: tuple[float, ...] = (1.0, 2.0, 4.0, 8.0)
    visible: tuple[float, ...] = (11.0, 7.0, 4.5, 3.5)
    edge_share: float = 0.16
    edge_px: int = 3
    texture_share: float = 0.5
    noise_times: float = 2.0
    structure_px: tuple[float, ...] = (1.0, 2.0, 4.0)
    window: float = 0.25
    least_window: float = 0.5
    strips: tuple[float, ...] = (0.05, 0.11, 0.19)
    least_loss: float = 0.3
    sure: float = 8.0
    window_level: float = 1.5
    strip_level: float = 1.0
    piece_loss: float = 0.18
    piece_level: float = 0.5
    grain_times: float = 1.8
    least_grain: float = 0.35
    least_power: float = 1e-3
    ghost_px: float = 3.0
    most_ghost: float = 0.045


@dataclass(frozen=True)
class AssemblyConfig:
    """How pieces are looked for.

    Attributes
    ----------
    framing : how a picture is looked for on a page
    expecting : how it is told what happened to the whole picture
    leftover : what of a quarter its piece does not explain
    sure, sure_each : pages are searched where quarters are less like pieces, in the mean, or one of them
    most_px : larger candidates are made smaller first, so that their longer side has so many pixels
    side_px : pieces are compared with their longer side at so many pixels
    coarse_px : and first at so many
    kept_coarse : so many of the best ways to lay a piece are looked for at all scales, for each place
    kept, near, search_px : and so many of them again with their longer side at so many pixels, where they come so near
        the best one
    reach : a piece may lie so far from its place, as a share of its side
    rim : pieces are looked for, and colours told, without so much of their side at each edge
    least_scale, most_scale, scales : sizes that a piece may have, as shares of a quarter, and how many are tried
    near_scale, near_scales : sizes that are tried around the best one, by so much less and more, and how many
    least_gained : it is taken in place of the whole where the correlations of all quarters add up to so much more
    structure_px : a found place is improved by what a Gaussian of this deviation takes away
    refine_rim : without so much of its side at each edge
    refine_coarse_px, refine_fine_px : and what is left under Gaussians of these, one after the other
    refine_steps, refine_step : how often a found place is improved at most, and the least improvement
    most_refined : by how much it may be moved, stretched or turned by that, as a share
    least_worse, least_other : a piece whose fine structure fits worse by this than that of the best one, or that is
        larger, smaller or more slanted by such a share, is tried as that one lies
    most_alike : and is laid so where it then fits worse by at most this
    tighter_rounds, least_tighter, most_worse : so often pieces are looked for again in the frame that they fill, where
        its edges lie elsewhere by more than this share; they are taken where their fine structures together do not
        fit worse by more than that
    least_aslant : a candidate is made straight where most pieces are turned or slanted by such a share
    most_uneven : and where all of them then lie in their quarters to such a share of a side
    tint_step, tint_rounds : a change of colours of all pieces is found in every so manieth pixel, averaged over as
        many, in so many rounds
    tint_doubt, tint_ridge : a pixel that is so many levels off counts half; what keeps colours as they are, in levels
        squared a pixel
    most_tint, most_offset : a larger change of a colour's share, or of levels of 255, is not one of a whole picture
    rough_px : finest structure is what a Gaussian of this deviation takes away
    smooth_px : pictures are smoothed by a Gaussian of this deviation before they are compared, for noise and JPEG
    enlarged_power : and by so high a power of how much a candidate had to be enlarged more...
    smooth_most : ...but by no more than this share of a piece's longer side
    curve_bins, curve_least, most_curve : beyond that a curve of so many bins, each with at least so large a share
        of a piece, may explain so many levels
    detail_px : fine structure is what a Gaussian of this deviation takes away
    """

    framing: PageConfig = field(default_factory=PageConfig)
    expecting: ExpectingConfig = field(default_factory=ExpectingConfig)
    leftover: LeftoverConfig = field(default_factory=LeftoverConfig)
    sure: float = 0.94
    sure_each: float = 0.85
    most_px: int = 1024
    side_px: int = 128
    coarse_px: int = 32
    kept_coarse: int = 6
    kept: int = 3
    near: float = 0.15
    search_px: int = 64
    reach: float = 0.12
    rim: float = 0.06
    least_scale: float = 0.92
    most_scale: float = 1.04
    scales: int = 4
    near_scale: float = 0.03
    near_scales: int = 7
    least_gained: float = 1e-6
    structure_px: float = 6.0
    refine_rim: float = 0.09
    refine_coarse_px: float = 2.5
    refine_fine_px: float = 1.0
    refine_steps: int = 40
    refine_step: float = 1e-4
    most_refined: float = 0.085
    least_worse: float = 0.004
    least_other: float = 0.01
    most_alike: float = 0.01
    tighter_rounds: int = 3
    least_tighter: float = 0.008
    most_worse: float = 0.03
    least_aslant: float = 0.012
    most_uneven: float = 0.06
    tint_step: int = 4
    tint_rounds: int = 6
    tint_doubt: float = 12.0
    tint_ridge: float = 4.0
    most_tint: float = 0.4
    most_offset: float = 40.0
    rough_px: float = 1.0
    smooth_px: float = 1.2
    enlarged_power: float = 1.5
    smooth_most: float = 0.25
    curve_bins: int = 12
    curve_least: float = 0.01
    most_curve: float = 14.0
    detail_px: float = 4.0
