"""What counts as motion on a maze, and what is seen of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class MotionConfig:
    """What counts as ink, as a marker, as a step. Lengths are shares of a cell's width unless said otherwise.

    Attributes
    ----------
    max_pixels : frames with more pixels than this are halved...
    min_cell_px : ...where a cell stays at least this long, in pixels
    ink : least difference (0 to 255) of a pixel to what the puzzle has there or beside there
    spread : least excess of the spread of its channels (0 to 255) over the puzzle's there or beside there
    noise_factor : both are at least so many standard deviations of the first frame's floor
    max_noise : what noise raises them to, at most
    smear : around markers, as near as `smear_reach`, by how much more (0 to 255) ink differs
    steady : a drift of colours up to this (0 to 255) is left alone
    max_drift : by how much (0 to 255) the floor's colour may drift and still be taken for floor
    speck : ink of less than this area, in cell lengths squared, apart from other ink is noise
    standing : a wall's pixel this far on the way from floor to wall is still wall
    gone : a wall of which more than this share became floor is gone
    marker_gone : a puzzle's marker of which more than this share became floor is gone
    marker_alike : difference (0 to 255) up to which a colour is a marker's
    disc : a marker that fills more than this share of its box is a disc, others are crosses
    hides : a blob that is last seen so near to a marker of its colour, beside its last step and a half, lies on it
    scene_ink : a frame of which more than this share differs shows another scene
    scene_walls : and so does one in which more than this share of the walls is gone
    lasting_s : changes of walls, markers and scene count if they last so many seconds...
    lasting_frames : ...and so many frames
    absent_frames : ink that is missing for so many frames was taken away
    blobs : at most so many blobs are remembered of a frame, largest first
    rival : blobs narrower than this share of a frame's widest are no rivals of it
    thicker : a blob at least so many times as wide as the line is a marker that draws it
    line : what is drawn beside the widest spot is a line if its centrelines are at least so long
    leading : a marker draws a line if it is where the line grows in at least this share of the frames
    moved : least way of a moving marker
    reach : a blob is taken for the one before if it lies no farther away
    patience_frames : a blob may be hidden for so many frames
    other_s : a second blob counts if it is there for so many seconds beside the first
    deep : a marker is in a cell once its centre is so far from that cell's border
    step : the longest plausible step between two frames...
    usual : ...or so many times the usual one, where it makes at least `usual_steps`...
    usual_steps : ...steps that move...
    most_step : ...but no more than this
    brisk : a step longer than this, and than half of what `usual` allows, passes no wall's end
    detour : a step passes a wall's end if its way around is at most so many times as long...
    detour_more : ...and this
    jump : ink that appears farther than this from the ink that was there jumped...
    jumped : ...if it grows to at least this length before it is joined
    at_once : the longest piece of path that may appear in one frame...
    at_once_share : ...or this share of the whole path
    shown : a path of which more than this share came by jumps and at once was not drawn but appeared
    erased : ink was taken away if at least this share of the most that there was is gone at the end...
    erased_least : ...and at least this area, in cells squared
    sample : distance of the places along a path at which its appearance is looked up
    """

    max_pixels: int = 200_000
    min_cell_px: float = 14.0
    ink: float = 36.0
    spread: float = 40.0
    noise_factor: float = 6.0
    max_noise: float = 90.0
    smear: float = 40.0
    smear_reach: float = 0.25
    steady: float = 4.0
    max_drift: float = 40.0
    speck: float = 0.008
    standing: float = 0.4
    gone: float = 0.5
    marker_gone: float = 0.6
    marker_alike: float = 70.0
    disc: float = 0.6
    hides: float = 0.5
    scene_ink: float = 0.4
    scene_walls: float = 0.3
    lasting_s: float = 0.1
    lasting_frames: int = 2
    absent_frames: int = 3
    blobs: int = 6
    rival: float = 0.55
    thicker: float = 1.35
    line: float = 0.6
    leading: float = 0.6
    moved: float = 0.8
    reach: float = 2.5
    patience_frames: int = 8
    other_s: float = 0.25
    deep: float = 0.1
    step: float = 1.5
    usual: float = 3.0
    usual_steps: int = 8
    most_step: float = 2.5
    brisk: float = 0.5
    detour: float = 1.1
    detour_more: float = 0.15
    jump: float = 0.8
    jumped: float = 0.25
    at_once: float = 1.6
    at_once_share: float = 0.2
    shown: float = 0.5
    erased: float = 0.2
    erased_least: float = 0.1
    sample: float = 0.1


@dataclass(frozen=True)
class Blob:
    """A spot of ink: its centre (x, y) and radius in puzzle pixels, its mean colour, and its area in them."""

    x: float
    y: float
    radius: float
    rgb: tuple[float, float, float]
    area: float


@dataclass(frozen=True)
class Sight:
    """What one frame shows.

    Attributes
    ----------
    index, time_s : of the frame
    ink_area : of all ink, in puzzle pixels
    blobs : widest first
    fresh : the middle (x, y) of the ink that came in this frame, in puzzle pixels, or None
    other_scene : whether it shows another scene
    """

    index: int
    time_s: float
    ink_area: float
    blobs: tuple[Blob, ...]
    fresh: tuple[float, float] | None
    other_scene: bool


@dataclass(frozen=True)
class Change:
    """Something of the puzzle was changed from one frame to another, both included.

    Attributes
    ----------
    first, last : indices of frames
    first_s, last_s : their times
    borders : pairs of cells whose wall was gone
    markers : positions in the plan's markers of those that were gone
    """

    first: int
    last: int
    first_s: float
    last_s: float
    borders: tuple[tuple[int, int], ...]
    markers: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class MotionFindings:
    """What moved in a clip of a maze.

    Attributes
    ----------
    factor : puzzle pixels per pixel of the masks
    sights : one a frame
    ever : (h, w) bool, where ink was seen at any time
    final : (h, w) bool, where ink is in the last frame
    arrival : (h, w) int32, the index of the frame in which the ink of the last frame came; -1 where there is none
    most_area : of ink in one frame, in puzzle pixels, other scenes left out
    most_index : of the first frame that has it; -1 where there is no frame without another scene
    most_arrival : as ``arrival``, at that frame
    walls_gone, markers_gone, scenes : changes that lasted
    fidelity : share of the background that stayed as in the first frame, mean over frames, or None for one frame
    """

    factor: int
    sights: tuple[Sight, ...]
    ever: NDArray[np.bool_]
    final: NDArray[np.bool_]
    arrival: NDArray[np.int32]
    most_area: float
    most_index: int
    most_arrival: NDArray[np.int32]
    walls_gone: tuple[Change, ...]
    markers_gone: tuple[Change, ...]
    scenes: tuple[Change, ...]
    fidelity: float | None
