"""The pieces of a puzzle, made ready to be looked for, and where candidates may hold them; the answer is not seen."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float32]
Flags = NDArray[np.bool_]
_SMALLEST = 8  # not a threshold: less is no picture


@dataclass(frozen=True)
class AssemblyConfig:
    """How pieces are looked for.

    Attributes
    ----------
    side_px : pieces are compared with their longer side at so many pixels
    coarse_px : and first at so many
    kept : so many of the best ways to lay a piece are looked at closely, for each place
    reach : a piece may lie so far from its place, as a share of its side
    rim : pieces are looked for without so much of their side at each edge, and a seam is at most so wide
    least_seam : so much of a side is not compared at each edge, for what resizing makes of cuts
    seam_share : what differs along more than this share of a side, from its edge on, is a seam
    least_scale, most_scale, scales : sizes that a piece may have, as shares of a quarter, and how many are tried
    near_scale, near_scales : sizes that are tried around the best one, by so much less and more, and how many
    bar_spread : rows and columns at an edge are a bar if their channels' standard deviation is at most this, 0 to 255
    least_bar : a bar is at least so wide, as a share of the side
    most_bar : and at most so wide
    least_frame_px : what lies between bars has at least such sides, in pixels of the candidate
    least_gained : it is taken in place of the whole where the correlations of all quarters add up to so much more
    structure_px : a found place is improved by what a Gaussian of this deviation takes away
    refine_coarse_px, refine_fine_px : and what is left under Gaussians of these, one after the other
    refine_steps, refine_step : how often a found place is improved at most, and the least improvement
    most_refined : by how much it may be moved or stretched by that, as a share
    tint_step, tint_rounds : a change of colours of all pieces is found in every so manieth pixel, averaged over as
        many, in so many rounds
    tint_doubt, tint_ridge : a pixel that is so many levels off counts half; what keeps colours as they are, in levels
        squared a pixel
    most_tint : a larger change of a colour's share, or of ``most_offset`` levels, is not one of a whole picture
    rough_px : finest structure is what a Gaussian of this deviation takes away
    smooth_px : pictures are smoothed by a Gaussian of this deviation before they are compared, for noise and JPEG
    enlarged_power : and by so high a power of how much a candidate had to be enlarged more
    least_gain, most_gain, most_offset : what a drift of colours may be, a factor and levels of 255
    outlier : a level that differs so many times as much as half of them does not count for a drift
    clipped : levels of 255 so near the end of the range are clipped
    curve_bins, curve_least, most_curve : beyond that line a curve of so many bins, each with at least so large a share
        of a piece, may explain so many levels
    tolerance : a difference of so many levels of 255 is none, and so many times more as a candidate had to be enlarged
    edge_tolerance : and so much of the change within ``edge_px`` beside, for edges that lie a little aside
    edge_px : in pixels of the comparison
    detail_px : fine structure is what a Gaussian of this deviation takes away
    blob_smooth_px : differences are averaged by a Gaussian of this deviation, so that what is coherent stands out
    blob_level : an average of so many levels beyond the tolerance is an alteration
    """

    side_px: int = 128
    coarse_px: int = 32
    kept: int = 3
    reach: float = 0.12
    rim: float = 0.06
    least_seam: float = 0.016
    seam_share: float = 0.5
    least_scale: float = 0.92
    most_scale: float = 1.04
    scales: int = 4
    near_scale: float = 0.03
    near_scales: int = 7
    bar_spread: float = 6.0
    least_bar: float = 0.02
    most_bar: float = 0.3
    least_frame_px: int = 16
    least_gained: float = 1e-6
    structure_px: float = 8.0
    refine_coarse_px: float = 2.5
    refine_fine_px: float = 1.0
    refine_steps: int = 40
    refine_step: float = 1e-4
    most_refined: float = 0.06
    tint_step: int = 4
    tint_rounds: int = 6
    tint_doubt: float = 12.0
    tint_ridge: float = 4.0
    most_tint: float = 0.4
    rough_px: float = 1.0
    smooth_px: float = 1.2
    enlarged_power: float = 1.5
    least_gain: float = 0.7
    most_gain: float = 1.4
    most_offset: float = 40.0
    outlier: float = 2.5
    clipped: float = 4.0
    curve_bins: int = 12
    curve_least: float = 0.01
    most_curve: float = 14.0
    tolerance: float = 9.0
    edge_tolerance: float = 0.45
    edge_px: int = 3
    detail_px: float = 4.0
    blob_smooth_px: float = 2.5
    blob_level: float = 3.0


@dataclass(frozen=True)
class PieceTurn:
    """A way to lay a piece: mirrored left and right or not, then rotated counter-clockwise by so many quarters."""

    quarters: int
    mirrored: bool

    def of(self, piece: Pixels) -> Pixels:
        """The piece, laid so."""
        return np.ascontiguousarray(np.rot90(piece[:, ::-1] if self.mirrored else piece, self.quarters))


UPRIGHT = PieceTurn(0, False)


@dataclass(frozen=True, eq=False)
class LaidPiece:
    """A piece in one way to lay it.

    Attributes
    ----------
    piece : its number, from 1
    turn : the way
    coarse, fine : (h, w, 3) uint8 RGB, at the two sizes of the comparison
    """

    piece: int
    turn: PieceTurn
    coarse: Pixels
    fine: Pixels


def lay_pieces(pieces: list[Pixels], config: AssemblyConfig) -> tuple[LaidPiece, ...]:
    """All pieces in all ways that keep the shape of a quarter.

    Parameters
    ----------
    pieces : list of (H, W, 3) uint8 RGB
        Of one size.
    config : AssemblyConfig
    """
    height, width = pieces[0].shape[:2]
    quarters = range(4) if height == width else (0, 2)  # not a threshold: quarter turns
    made = []
    for number, piece in enumerate(pieces, 1):
        for mirrored in (False, True):
            for turned in quarters:
                turn = PieceTurn(turned, mirrored)
                laid = turn.of(piece)
                made.append(LaidPiece(number, turn, _sized(laid, config.coarse_px), _sized(laid, config.side_px)))
    return tuple(made)


def _sized(picture: Pixels, longest: int) -> Pixels:
    scale = longest / max(picture.shape[:2])
    size = (max(_SMALLEST, round(picture.shape[1] * scale)), max(_SMALLEST, round(picture.shape[0] * scale)))
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(picture, size, interpolation=way), np.uint8)


def frames_of(picture: Pixels, config: AssemblyConfig) -> list[tuple[int, int, int, int]]:
    """Where the put-together picture may lie: all of a candidate, and what is left between bars of one colour.

    Returns
    -------
    list of (left, top, right, bottom)
    """
    height, width = picture.shape[:2]
    whole = (0, 0, width, height)
    rows = _bars(picture, config)
    columns = _bars(np.ascontiguousarray(picture.transpose(1, 0, 2)), config)
    found = [whole]
    for top, bottom in {(0, height), rows}:
        for left, right in {(0, width), columns}:
            if (left, top, right, bottom) not in found and min(right - left, bottom - top) >= config.least_frame_px:
                found.append((left, top, right, bottom))
    return found


def _bars(picture: Pixels, config: AssemblyConfig) -> tuple[int, int]:
    """Where rows begin and end that are not of one colour."""
    height = len(picture)
    flat = picture.reshape(height, -1, 3).astype(np.float32).std(axis=1).max(axis=1) <= config.bar_spread
    most = int(config.most_bar * height)
    start = int(np.argmin(flat)) if not flat.all() else 0
    end = int(np.argmin(flat[::-1])) if not flat.all() else 0
    start = start if config.least_bar * height <= start <= most else 0
    end = end if config.least_bar * height <= end <= most else 0
    return start, height - end
