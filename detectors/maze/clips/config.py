"""What counts as motion on a maze."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class SceneConfig:
    """How the maze is looked at in clips. Lengths are shares of a cell's width unless said otherwise.

    Attributes
    ----------
    max_pixels : frames with more pixels than this are halved...
    min_cell_px : ...where a cell stays at least this long, in pixels
    speck : ink of less than this area, in cell lengths squared, apart from other ink is noise
    spread_px : side of the square around a pixel in which the maze's own spread of channels counts
    smear : around markers, as near as `smear_reach`, by how much more (0 to 255) ink differs
    smear_reach : see `smear`
    marker_rim : how far around its pixels a marker is looked at
    marker_level : a reduced pixel is a marker's if more than this, of 255, of it is
    contrast : difference of the greys of floor and walls (0 to 255) below which no wall is looked at
    standing : a wall's pixel this far on the way from floor to wall is looked at...
    least_border : ...where its border has at least so many of them
    """

    max_pixels: int = 200_000
    min_cell_px: float = 14.0
    speck: float = 0.008
    spread_px: int = 5
    smear: float = 40.0
    smear_reach: float = 0.25
    marker_rim: float = 0.1
    marker_level: int = 96
    contrast: float = 1.0
    standing: float = 0.7
    least_border: int = 3


@dataclass(frozen=True)
class FrameConfig:
    """What counts as ink in a frame, and as gone from it. Differences are those of a channel, 0 to 255.

    Attributes
    ----------
    ink : least difference of a pixel to what the puzzle has there or beside there
    spread : least excess of the spread of its channels over the puzzle's there or beside there
    noise_factor : both are at least so many standard deviations of the first frame's floor
    max_noise : what noise raises them to, at most
    steady : a drift of the floor's colour up to this is left alone...
    wall_steady : ...and of the walls' up to this: thin ones grow paler by mere resampling
    max_drift : by how much the floor's colour may drift and still be taken for floor
    smeared : where they drift, a hue that differs by less (Cr and Cb) is smeared from beside
    standing : a wall's pixel this far on the way from floor to wall is still wall
    gone : a wall of which more than this share became floor is gone
    marker_gone : a puzzle's marker of which more than this share became floor is gone
    marker_alike : difference up to which a colour is a marker's
    disc : a marker that fills more than this share of its box is a disc, others are crosses
    """

    ink: float = 36.0
    spread: float = 40.0
    noise_factor: float = 6.0
    max_noise: float = 90.0
    steady: float = 4.0
    wall_steady: float = 32.0
    max_drift: float = 40.0
    smeared: float = 24.0
    standing: float = 0.4
    gone: float = 0.5
    marker_gone: float = 0.6
    marker_alike: float = 70.0
    disc: float = 0.6


@dataclass(frozen=True)
class SpellConfig:
    """What of a clip's frames is kept.

    Attributes
    ----------
    scene_ink : a frame of which more than this share differs shows another scene...
    scene_walls : ...and so does one in which more than this share of the walls is gone
    lasting_s : changes of walls, markers and scene count if they last so many seconds...
    lasting_frames : ...and so many frames
    flickers : single flickers beyond so many are not remembered, or they would fill the memory
    absent_frames : ink that is missing for so many frames was taken away
    fresh : least area of ink that came in a frame and tells where it grows, in specks
    alike : largest difference of grey levels of a pixel that stayed as it was (VR-Bench's MF)...
    beside_px : ...off the square of this side around ink
    """

    scene_ink: float = 0.4
    scene_walls: float = 0.3
    lasting_s: float = 0.1
    lasting_frames: int = 2
    flickers: int = 4096
    absent_frames: int = 3
    fresh: float = 0.1
    alike: int = 5
    beside_px: int = 5


@dataclass(frozen=True)
class BlobConfig:
    """What counts as a spot of ink. Lengths are shares of a cell's width unless said otherwise.

    Attributes
    ----------
    most : at most so many blobs are remembered of a frame, widest first...
    rival : ...of which those narrower than this share of the widest are no rivals of it
    core : a blob's centre is the middle of what lies this share of its radius or more from its edge...
    core_reach : ...no farther than so many radii from its deepest place
    reach : a blob is taken for the one before if it lies no farther away
    patience_frames : a blob may be hidden for so many frames
    pure : this share of a marker's colours is nearer to the floor's than its own is
    other_s : a second blob counts if it is there for so many seconds beside the first...
    mixed_levels : ...in frames that are not mixed of two, which show the marker twice: the colours of both, taken
        together, are off its own by so many levels...
    mixed_least : ...of which each has this share
    """

    most: int = 6
    rival: float = 0.55
    core: float = 0.7
    core_reach: float = 1.5
    reach: float = 2.5
    patience_frames: int = 8
    other_s: float = 0.25
    pure: float = 0.8
    mixed_levels: float = 60.0
    mixed_least: float = 0.2


@dataclass(frozen=True)
class KindConfig:
    """What tells a travelling marker from a growing path. Lengths are shares of a cell's width unless said otherwise.

    Attributes
    ----------
    rim : a blob is left out of a line to so many times its radius
    line : what is drawn beside the widest spot is a line if its centrelines are at least so long
    thicker : a blob at least so many times as wide as the line is a marker that draws it...
    widest : ...if it is wider than the line is at this quantile of it, too
    compact, narrow : what is apart from the line, and no larger than so many times a disc as wide, is a marker also
        if it has but this share of the line's width
    leading : a marker draws a line if it is where the line grows in at least this share of the frames...
    near : ...to this distance from its edge
    moved : least way of a moving marker
    hides : a blob that is last seen so near to a marker of its colour lies on it...
    hides_steps : ...beside so many times its last step
    """

    rim: float = 1.35
    line: float = 0.6
    thicker: float = 1.35
    widest: float = 0.9
    compact: float = 1.8
    narrow: float = 0.8
    leading: float = 0.6
    near: float = 0.1
    moved: float = 0.8
    hides: float = 0.5
    hides_steps: float = 1.5


@dataclass(frozen=True)
class StepConfig:
    """What counts as a step from cell to cell. Lengths are shares of a cell's width unless said otherwise.

    Attributes
    ----------
    deep : a marker is in a cell once its centre is so far from that cell's border
    longest : the longest plausible step between two frames...
    usual : ...or so many times the usual one, where it makes at least `usual_steps`...
    usual_steps : ...steps that move...
    moving : ...by more than this...
    most : ...but no more than this
    brisk : a step longer than this, and than half of what `usual` allows, passes no wall's end
    detour : a step passes a wall's end if its way around is at most so many times as long...
    detour_more : ...and this
    passed : a step passes at most so many cells: of triangles, six meet in a point
    window_px : a way around is looked for in a picture reduced to about so many pixels a side
    """

    deep: float = 0.1
    longest: float = 1.5
    usual: float = 3.0
    usual_steps: int = 8
    moving: float = 0.02
    most: float = 2.5
    brisk: float = 0.5
    detour: float = 1.1
    detour_more: float = 0.15
    passed: int = 4
    window_px: int = 96


@dataclass(frozen=True)
class GrowthConfig:
    """What counts as drawn. Lengths are shares of a cell's width unless said otherwise.

    Attributes
    ----------
    sample : distance of the places along a path at which its appearance is looked up...
    around : ...and the reach of what is looked up there
    jump : ink that appears farther than this from the ink that was there jumped...
    jumped : ...if it grows to at least this length before it is joined
    at_once : the longest piece of path that may appear in one frame...
    at_once_share : ...or this share of the whole path
    shown : a path of which more than this share came by jumps and at once was not drawn but appeared
    erased : ink was taken away if at least this share of the most that there was is gone at the end...
    erased_least : ...and at least this area, in cells squared
    """

    sample: float = 0.1
    around: float = 0.06
    jump: float = 0.8
    jumped: float = 0.25
    at_once: float = 1.6
    at_once_share: float = 0.2
    shown: float = 0.5
    erased: float = 0.2
    erased_least: float = 0.1


@dataclass(frozen=True)
class ClipConfig:
    """What counts as motion on a maze.

    Attributes
    ----------
    scene : how the maze is looked at
    frame : what counts as ink in a frame, and as gone
    spells : what of the frames is kept
    blobs : what counts as a spot
    kind : what tells a marker from a path
    steps : what counts as a step
    growth : what counts as drawn
    """

    scene: SceneConfig = field(default_factory=SceneConfig)
    frame: FrameConfig = field(default_factory=FrameConfig)
    spells: SpellConfig = field(default_factory=SpellConfig)
    blobs: BlobConfig = field(default_factory=BlobConfig)
    kind: KindConfig = field(default_factory=KindConfig)
    steps: StepConfig = field(default_factory=StepConfig)
    growth: GrowthConfig = field(default_factory=GrowthConfig)
