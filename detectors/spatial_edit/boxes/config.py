"""Settings of the detector of boxes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class BoxesConfig:
    """What counts as a box. Lengths in pixels are for the picture as it is given.

    Attributes
    ----------
    least_chroma : least chroma, as a share of lightness in OKLab, that the paint of a kind must have
    least_difference : least difference of two paints, in chroma over lightness
    ground_step, ground_share : tints that are so near to each other and fill this share of a picture are no paint
    hue_reach : a pixel may be so far from a paint's chroma, as a share of that chroma
    most_parts : so many parts of a paint are looked at, the solid and the largest first
    most_parts_in_all : and no more of all paints, which share them
    least_trace : least share of a paint's chroma of what is looked at as a box that one can see through
    solid_share : a part is solid if at least this share of its pixels is
    solid_trace, faint_confidence : with less than that share, a box is told of only with that confidence
    least_area : least pixels of a box
    directions : directions in which the outline is measured for the first fit
    first_yaws : yaws in half a turn that the first fit is started from
    starts_kept : first fits that are measured by their edges
    windows_px : how far from where an edge should be it is looked for, one after the other
    last_windows_px : the same once the best fit is chosen and it is known what hides it
    step_px : step of the profiles across edges
    spacing_px : distance of the places along an edge that are measured
    corner_px : so near to the ends of an edge nothing is measured
    side_px : the colour beside an edge is measured over so many pixels
    least_contrast : least difference in linear RGB, 0 to 1, of the two sides of an edge
    good_px : an edge that is so near to its place supports the box
    outlier_px : residuals beyond this weigh less
    given_share : an outline of the given size must be supported by this share, or else the size is measured
    given_overlap : and by this share of common pixels
    freed_gain : and measuring the size must raise the product of both by this much
    least_relief : if no two faces differ in brightness by this share, it is a flat patch
    flat_trust : confidence is multiplied by this for a flat patch
    most_scaled : extents that differ from the given ones by more than this factor are those of another thing
    found_overlap : least share of common pixels for a box to be reported
    split_quality : if one box fits worse than this, two of the given size are tried
    split_area : and if its pixels are at most so many times those of a box of the given size
    split_gain : and they must fit better by this much
    split_step_m, split_yaws : steps of the places, and yaws in half a turn, at which two boxes are tried
    equal_sides : sides of a footprint that differ by at most this share count as equal
    """

    least_chroma: float = 0.12
    least_difference: float = 0.06
    ground_step: float = 0.03
    ground_share: float = 0.08
    hue_reach: float = 0.55
    most_parts: int = 12
    most_parts_in_all: int = 40
    least_trace: float = 0.12
    solid_share: float = 0.7
    solid_trace: float = 0.6
    faint_confidence: float = 0.6
    least_area: int = 80
    directions: int = 72
    first_yaws: int = 12
    starts_kept: int = 4
    windows_px: tuple[float, ...] = (10.0, 7.0, 5.0, 4.0)
    last_windows_px: tuple[float, ...] = (5.0, 4.0, 4.0, 3.0, 3.0)
    step_px: float = 0.5
    spacing_px: float = 2.0
    corner_px: float = 3.0
    side_px: float = 2.0
    least_contrast: float = 0.015
    good_px: float = 1.2
    outlier_px: float = 0.7
    given_share: float = 0.85
    given_overlap: float = 0.93
    freed_gain: float = 0.04
    least_relief: float = 0.02
    flat_trust: float = 0.3
    most_scaled: float = 4.0
    found_overlap: float = 0.6
    split_area: float = 2.5
    split_quality: float = 0.85
    split_gain: float = 0.05
    split_step_m: float = 0.015
    split_yaws: int = 12
    equal_sides: float = 0.03
