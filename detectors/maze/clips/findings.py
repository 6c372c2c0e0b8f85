"""What is seen of motion on a maze."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


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
