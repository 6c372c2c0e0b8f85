"""Settings of how an edited picture is looked at beside its boxes. Tints are OKLab's a and b over lightness."""

from __future__ import annotations

from dataclasses import dataclass, field

from detectors.spatial_edit.viewpoint.config import FeaturesConfig


@dataclass(frozen=True)
class SurfaceConfig:
    """How colours of surfaces are taken from a picture.

    Attributes
    ----------
    smooth_px : the noise of single pixels is smoothed away with this standard deviation
    dark : lightness below which tints no longer mean anything
    """

    smooth_px: float = 1.0
    dark: float = 0.05


@dataclass(frozen=True)
class AlikeConfig:
    """When a pixel shows a surface that is seen elsewhere.

    Attributes
    ----------
    reach : so near to each other two tints are those of one surface
    least_light, most_light : lightness, as a share of that elsewhere, that light and shadow account for
    samples : it is compared with about so many pixels, and at most twice as many
    """

    reach: float = 0.05
    least_light: float = 0.55
    most_light: float = 1.12
    samples: int = 512


@dataclass(frozen=True)
class ContourConfig:
    """When the outline of an object is still seen where it stood. Lengths are for the picture as it is given.

    Attributes
    ----------
    spacing_px : distance of the places along the outline at which it is looked for
    corner_px : so near to its corners it is not
    sides_px : so far from it the colours on its two sides are taken; nearer, they are smeared into each other
    line_px : and so far from it that of a line along it
    clear_px : what is usual is taken at least so far from the place
    least_step : a step in OKLab across the outline, or a line along it, that can be seen
    grain : it is this many times what is usual beside the outline
    least : with this share of the outline to be seen, the place is not cleared
    least_points : with fewer free places along the outline nothing is said of it
    least_free : nor if less than this share of it is free, where an edge of a shadow may happen to lie
    """

    spacing_px: float = 2.0
    corner_px: float = 3.0
    sides_px: tuple[float, ...] = (3.0, 4.0, 5.0)
    line_px: tuple[float, ...] = (-1.0, 0.0, 1.0)
    clear_px: int = 2
    least_step: float = 0.025
    grain: float = 3.0
    least: float = 0.65
    least_points: int = 12
    least_free: float = 0.4


@dataclass(frozen=True)
class TracesConfig:
    """What counts as a trace. Lengths in pixels are for the picture as it is given.

    Attributes
    ----------
    margin_px : so far inside of the outline and outside of other objects colours are looked at
    least_area_px : a place of fewer pixels is not looked at
    ring_share : width of the ring of surroundings, as a share of the square root of the object's pixels
    least_ring_px : and at least this
    alike : when the place shows a surface of the ring
    least_strange : with this share of colours that the surroundings do not have, the place is not cleared
    contour : when the object's outline is still seen
    """

    margin_px: int = 3
    least_area_px: int = 60
    ring_share: float = 0.5
    least_ring_px: int = 8
    alike: AlikeConfig = field(default_factory=AlikeConfig)
    least_strange: float = 0.1
    contour: ContourConfig = field(default_factory=ContourConfig)


@dataclass(frozen=True)
class SolidConfig:
    """What counts as solid. Lengths are for the picture as it is given.

    Attributes
    ----------
    margin_px : so far inside of the outlines colours are looked at
    least_area_px : an object of fewer pixels is not looked at
    alike : when the object shows its paint, turned to or from the light
    most_strange : with more of it in other colours, it has holes, or one can see through it
    least_face_px : a face of fewer pixels is not looked at
    most_of_it : where faces may not be where they should, lightness between these shares of the object's is compared
    least_relief : faces that differ by as much in lightness are told apart
    flat : with less than this share of the difference before, and of `least_relief`, it is a flat patch
    """

    margin_px: int = 3
    least_area_px: int = 60
    alike: AlikeConfig = field(default_factory=lambda: AlikeConfig(reach=0.08, least_light=0.4, most_light=2.2))
    most_strange: float = 0.2
    least_face_px: int = 40
    most_of_it: tuple[float, float] = (0.1, 0.9)
    least_relief: float = 0.05
    flat: float = 0.25


@dataclass(frozen=True)
class ToneConfig:
    """What is no other light.

    Attributes
    ----------
    least, most : lightness of all that was kept, as a share of that before
    tint : a shift of all tints by no more
    """

    least: float = 0.87
    most: float = 1.15
    tint: float = 0.05


@dataclass(frozen=True)
class KeptEdgesConfig:
    """When the edges of objects that stay are still there.

    Attributes
    ----------
    strong : edges at least as strong as this share of all are compared
    fewest : with fewer of them nothing is said
    strength : an edge is still there that has this share of its strength, across the same way
    least : at least this share of them has to be
    """

    strong: float = 0.9
    fewest: int = 40
    strength: float = 0.4
    least: float = 0.5


@dataclass(frozen=True)
class MarksConfig:
    """What counts as changed. Lengths are shares of the picture's diagonal.

    Attributes
    ----------
    tone : what is no other light
    tint_reach : beyond a shift of all, a tint that is so near to the one before, or to one close by, is the same
    least_light : a shadow leaves at least this share of the lightness
    most_light : nothing is lighter than the lightest close by, by this factor
    near_share : what is close by
    shift_share : the picture may be displaced by so much
    most_strange : with more of it in other colours, it is another picture
    line_px : a mark is at least so thick, in pixels
    blob_share : area of a mark, as a share of the picture's
    blob_px : and at least so many pixels
    edges : when the edges of objects that stay are still there
    features : how features are found, which tell whether the picture was shifted
    least_staying : with a lesser share of the features that both pictures have in their place, it was
    """

    tone: ToneConfig = field(default_factory=ToneConfig)
    tint_reach: float = 0.06
    least_light: float = 0.5
    most_light: float = 1.1
    near_share: float = 0.08
    shift_share: float = 0.004
    most_strange: float = 0.25
    line_px: int = 2
    blob_share: float = 0.0004
    blob_px: int = 24
    edges: KeptEdgesConfig = field(default_factory=KeptEdgesConfig)
    features: FeaturesConfig = field(default_factory=lambda: FeaturesConfig(side_px=640, most=600))
    least_staying: float = 0.25
