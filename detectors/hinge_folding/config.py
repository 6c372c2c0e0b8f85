"""How chains are looked for in pictures: every threshold, with its unit. A unit is the length of a rectangle."""

from __future__ import annotations

from dataclasses import dataclass, field

from detectors.common.framing import InnerFrameConfig
from detectors.hinge_folding.exact.config import ExactConfig, LeftConfig, PieceShadeConfig


@dataclass(frozen=True)
class ChainViewConfig:
    """How a picture is brought to its working size, and what is ground.

    Attributes
    ----------
    unit_px : most pixels of a unit at the working size; pictures are halved until they have as many or fewer
    most_px : most pixels of a picture at the working size; a larger one gets smaller units
    large_px, large_unit_px : one with more than so many pixels gets units of at most so many
    smooth_px : Gaussian that takes off noise, in working pixels
    edge_half : brightness change per pixel, 0 to 255, that counts half as an edge
    ground_samples : so many pixels across and down are looked at for the ground
    ground_bins : steps of each channel in which the most frequent colour is looked for
    ground_near : colours so near to the ground's, 0 to 255, are ground when it is fitted
    ground_rounds : how often the ground is fitted again to what is near
    ground_flat : a ground brighter than this, 0 to 255, is taken for evenly lit, and the picture is brought to that
    light_least : least light that a shade is divided by, as a share...
    light_even : ...where any differs by more than this share from the ground's
    noise_scale : standard deviation over the median of distances from it
    """

    unit_px: float = 44.0
    most_px: int = 1_200_000
    large_px: int = 200_000
    large_unit_px: float = 40.0
    smooth_px: float = 0.8
    edge_half: float = 7.0
    ground_samples: int = 56
    ground_bins: int = 24
    ground_near: float = 26.0
    ground_rounds: int = 4
    ground_flat: float = 60.0
    light_least: float = 0.3
    light_even: float = 0.002
    noise_scale: float = 1.4826


@dataclass(frozen=True)
class PlacingConfig:
    """How pieces are laid onto a picture.

    Attributes
    ----------
    samples_unit : points along an edge, a unit
    inner_grid : points across a piece at which it is looked for paint
    turns : angles at which a piece is tried at its hinge, evenly around
    beam : chains that are followed at once
    fitted : of all that go on from them, so many are fitted closely
    kept : chains that are looked at closely in the end
    rigid_scales : before, chains with closed hinges are laid at these sizes
    rigid_beam : so many are followed at once
    rigid_kept : so many of each set of angles are looked at closely
    rigid_least : mean score of a piece below which no other chains are laid at a place
    first_reach, first_step : the first piece is looked for so far from its place, and in such steps, in units
    near : a piece that was laid is moved by so much either way, in units
    near_deg : and turned by so many degrees either way
    least_edge : a piece whose score is lower is looked for apart from its hinge; 0 to 2
    apart_reach, apart_step : there it is looked for so far away, in such steps, in units
    apart_tried : so many of these places are looked at closely
    apart_gain : and taken if its score is so much higher
    near_rounds : of which so large a share is taken in every round
    hidden_rim : what other pieces cover begins so far within their edges, in units
    most_hidden, hidden_weight : a piece that others cover to more than this share loses so much a share more
    inner_weight : weight of paint beside that of edges
    paint_half : distance from the ground that counts half as paint, 0 to 255
    snap_deg : hinges are turned by multiples of this
    snap_edge : a chain with such angles and closed hinges is taken if its pieces score at most so much less than freely
    snap_half : change a pixel that counts half as an edge then; more than usual, for a sharper fit
    snap_rounds : how often it is moved, turned and resized as a whole, each time by half as much
    snap_scale : by which share it is resized at first
    snap_off_deg : a picture, and all angles in it, may be turned by so many degrees
    wide : where size and place are hardly known, all of that is so many times as much
    sized_least : its size is told only if at least this share is free
    least_scale, most_scale : sizes that a whole chain may have, over the expected one
    held_samples : points of a piece's edge, a unit, at which the picture has to change
    held_window : the strongest change is looked for so far to either side, in units
    held_reach : and has to be so near to the edge, in units
    held_share : or what is as near has at least this share of its strength
    held_strong : places with at least this share of the strongest change count for a piece's size
    held_rim : edges that are nearer than this to another piece are not looked at, in units
    held_least : a piece that others cover so that less than this share of its edge is free is not held to it
    """

    samples_unit: float = 9.0
    inner_grid: int = 4
    turns: int = 16
    beam: int = 5
    fitted: int = 7
    kept: int = 3
    rigid_scales: tuple[float, ...] = (1.0, 0.96, 1.045)
    rigid_beam: int = 24
    rigid_kept: int = 2
    rigid_least: float = 0.8
    first_reach: float = 0.16
    first_step: float = 0.04
    near: float = 0.06
    near_deg: float = 7.0
    least_edge: float = 1.1
    apart_reach: float = 0.9
    apart_step: float = 0.09
    apart_tried: int = 600
    apart_gain: float = 0.25
    near_rounds: tuple[float, ...] = (1.0, 0.5, 0.25)
    hidden_rim: float = 0.03
    most_hidden: float = 0.6
    hidden_weight: float = 4.0
    inner_weight: float = 0.9
    paint_half: float = 14.0
    snap_deg: float = 45.0
    snap_edge: float = 0.16
    snap_half: float = 30.0
    snap_rounds: int = 5
    snap_scale: float = 0.04
    snap_off_deg: float = 2.5
    wide: float = 2.5
    held_samples: float = 18.0
    held_window: float = 0.16
    held_reach: float = 0.05
    held_share: float = 0.6
    held_strong: float = 0.85
    held_rim: float = 0.08
    held_least: float = 0.2
    sized_least: float = 0.4
    least_scale: float = 0.7
    most_scale: float = 1.4


@dataclass(frozen=True)
class ChainSearchConfig:
    """How a chain is looked for where its size and place are not known.

    Attributes
    ----------
    unit_px : pixels of a unit while searching
    most_px : most pixels of a picture while searching
    least_scale, most_scale, scale_step : sizes that are tried, from and to shares of the expected one, by such a factor
    native, each : so many places are kept of the size that was given, and of any other
    traced : so many of the best chains of a size are told apart by what they explain...
    explaining : ...which counts so much beside what a piece scores in the mean
    fits : so many sizes are looked at closely
    turns : angles of a hinge
    normal_step_deg : edges are told apart by direction in such steps
    same_shape : sides have the ratio of the given picture's if it differs by at most this factor
    same_ratio : two stretches that differ by less than this factor are one
    side_points : points of each side that are looked at
    turned : what a piece of a chain that is turned as a whole loses of its score
    like : a colour that differs by this from a piece's, less those of the grounds, 0 to 255, is hardly its
    folded_back : what is taken off where a piece lies back on the one before it
    most_stretch : a picture's sides may have another ratio than the puzzle's by up to this factor
    same_place : finds nearer than this, in units, are one
    near_sizes : and of one size if that differs by less than this factor
    same_size : sizes and places that the picture's own size may mean are one if they differ by less, in units
    quietest, noisy : contrasts that count half are this share of what they are elsewhere, or as much of it as the noise
        has of this, 0 to 255
    loose : pieces that are farther apart at their hinge than this, in units, are not joined
    trim_levels : rows and columns at the rim that differ by at most this, 0 to 255, are margin
    """

    unit_px: float = 7.0
    most_px: int = 90_000
    least_scale: float = 0.5
    most_scale: float = 1.75
    scale_step: float = 1.12
    native: int = 4
    each: int = 2
    traced: int = 8
    explaining: float = 2.0
    fits: int = 3
    turns: int = 8
    normal_step_deg: int = 15
    same_shape: float = 1.015
    same_ratio: float = 1.03
    side_points: int = 5
    turned: float = 0.08
    like: float = 50.0
    folded_back: float = 0.6
    most_stretch: float = 1.3
    same_place: float = 1.0
    near_sizes: float = 1.25
    same_size: float = 0.02
    quietest: float = 0.25
    noisy: float = 4.0
    loose: float = 0.05
    trim_levels: float = 24.0


@dataclass(frozen=True)
class ChainScanConfig:
    """How what is seen is explained by pieces.

    Attributes
    ----------
    zone : so near to a piece's edge nothing is looked at, in units
    joint : nor so near to a hinge, where discs and letters are
    tolerance : colours that differ by less are the same, 0 to 255
    noise_weight : and so many standard deviations of noise more
    open_px : what is thinner than this many working pixels is no remainder
    least_mark : smaller remainders are noise, in square units
    most_thin : what is nowhere wider than this, in units, is a mark such as a letter
    least_beside : what touches the edge of a piece is a mark only if it is smaller than this, in square units
    least_held : a piece is there if the picture changes at this share of its free edge
    most_grown : a piece whose edge is by more than this farther out or in than those of others is scaled, in units
    least_drawn : or what is smaller than this, in square units
    most_extent : a mark reaches no farther than this, in units
    most_marks : all marks together, in square units; more are something drawn
    least_seen : a piece of which less than this shows, in square units, is not seen
    most_bare : largest share of what shows of a piece that may have another colour
    least_contrast : a piece differs from the ground by at least this, 0 to 255
    least_pair : pieces whose colours differ by less than this are of one colour
    given_pair : and only where those that were given differ by more than this
    line : edges between pieces of one colour have at least this strength, 0 to 1
    least_blend : an overlap that has neither piece's colour counts from this size on, in square units
    faint : a piece of its own hue that has less than this share of the others' strength is faint
    faint_hue : cosine from which on a hue is its own
    faint_part : light, or hue, of this share of a piece's contrast tells how strongly that is drawn
    given_near : what differs less than this from the given picture was there before, 0 to 255
    around : what is painted outside of the chain's reach is looked at from this size on, in square units
    around_piece : if two colours of pieces have such parts there, in square units, another chain is there
    around_thick : which are nowhere thinner than this, in units
    stretched, stretched_held : in a picture that is taken to be stretched by more than this factor, so large a share of
        each free edge has to lie on what is seen before it is taken at once
    recoloured : pieces that differ by more than this from those that were given have other colours, 0 to 255
    mostly : a chain beside which less than this is unexplained, in square units, is looked for nowhere else
    clean : a chain beside which less than this is unexplained, in square units, is taken at once
    companions : what is darker or lighter on a piece, and belongs to it
    """

    zone: float = 0.065
    joint: float = 0.17
    tolerance: float = 26.0
    noise_weight: float = 3.0
    open_px: int = 2
    least_mark: float = 0.006
    most_thin: float = 0.075
    least_beside: float = 0.012
    least_held: float = 0.6
    most_grown: float = 0.053
    least_drawn: float = 0.022
    most_extent: float = 0.45
    most_marks: float = 0.3
    least_seen: float = 0.02
    most_bare: float = 0.16
    least_contrast: float = 16.0
    least_pair: float = 13.0
    given_pair: float = 36.0
    line: float = 0.35
    least_blend: float = 0.02
    faint: float = 0.52
    faint_hue: float = 0.97
    faint_part: float = 0.4
    given_near: float = 40.0
    around: float = 0.3
    around_piece: float = 0.06
    around_thick: float = 0.14
    stretched: float = 1.02
    stretched_held: float = 0.9
    recoloured: float = 60.0
    mostly: float = 4.0
    clean: float = 0.03
    companions: PieceShadeConfig = field(default_factory=PieceShadeConfig)


@dataclass(frozen=True)
class ChainConfig:
    """How chains are looked for in pictures."""

    view: ChainViewConfig = field(default_factory=ChainViewConfig)
    placing: PlacingConfig = field(default_factory=PlacingConfig)
    search: ChainSearchConfig = field(default_factory=ChainSearchConfig)
    framing: InnerFrameConfig = field(default_factory=InnerFrameConfig)
    scan: ChainScanConfig = field(default_factory=ChainScanConfig)
    exact: ExactConfig = field(default_factory=ExactConfig)
    left: LeftConfig = field(default_factory=LeftConfig)
