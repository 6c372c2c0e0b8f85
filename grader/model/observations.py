"""What detectors and readers found, before it is compared with the truth: plain, immutable data."""

from __future__ import annotations

from dataclasses import dataclass

from grader.answers.result import Reading
from grader.model.places import Cell, PixelBox, TimeSpan


@dataclass(frozen=True)
class WallCrossing:
    """A stroke through a wall: the cells on both sides and the point (x, y) in puzzle pixels."""

    from_cell: Cell
    to_cell: Cell
    at: tuple[float, float]


@dataclass(frozen=True)
class PathObservation:
    """A drawn path as seen. Points are (x, y) in puzzle pixels."""

    polyline: tuple[tuple[float, float], ...]
    visited_cells: tuple[Cell, ...]
    wall_crossings: tuple[WallCrossing, ...]
    color_hex: str
    color_as_asked: bool
    stroke_width_px: float
    pieces: int
    confidence: float


@dataclass(frozen=True)
class Queen:
    """A drawn queen: its cell, its centre (x, y) and radius in puzzle pixels, and how sure the detector is (0 to 1)."""

    row: int
    column: int
    center: tuple[float, float]
    radius_px: float
    confidence: float


@dataclass(frozen=True)
class RejectedMark:
    """A dark mark that is no queen; ``code`` is RING, NOT_ROUND, COLORED or ON_BORDER."""

    box: PixelBox
    code: str


@dataclass(frozen=True)
class QueensObservation:
    """Drawn queens as seen."""

    queens: tuple[Queen, ...]
    rejected_marks: tuple[RejectedMark, ...]


@dataclass(frozen=True)
class PlanReading:
    """A plan in words in one reading.

    Attributes
    ----------
    reading : which
    answered : whether there is a plan in the text
    moves : as they were understood, such as ``A forward`` or ``up`` (of the blank)
    solved : whether they solve the puzzle
    message : what simulating them came to
    """

    reading: Reading
    answered: bool
    moves: tuple[str, ...]
    solved: bool
    message: str


@dataclass(frozen=True)
class PlanObservation:
    """A plan in words, in every reading."""

    readings: tuple[PlanReading, ...]


@dataclass(frozen=True)
class ShownMove:
    """A move that a clip shows.

    Attributes
    ----------
    move : such as ``A forward``, or ``up`` (of the blank)
    span : when
    distance : units of the lot, or cells
    complete : whether it went as far as the rules say
    """

    move: str
    span: TimeSpan
    distance: float
    complete: bool


@dataclass(frozen=True)
class TrackPoint:
    """One point of a track: seconds; centre in units of the lot (y up), or column and row; angle in radians."""

    time_s: float
    x: float
    y: float
    theta_rad: float = 0.0


@dataclass(frozen=True)
class Track:
    """Where a vehicle (its label) or a tile (its number) is over time; straight between the points."""

    object: str
    points: tuple[TrackPoint, ...]


@dataclass(frozen=True)
class SceneEvent:
    """Something in a clip beside moves: a stable UPPER_SNAKE code, when, of what (empty: the scene), and where."""

    code: str
    span: TimeSpan
    object: str = ""
    box: PixelBox | None = None


@dataclass(frozen=True)
class LotObservation:
    """What was seen of a lot in a clip."""

    moves: tuple[ShownMove, ...]
    tracks: tuple[Track, ...]
    events: tuple[SceneEvent, ...]


@dataclass(frozen=True)
class TilesObservation:
    """What was seen of a sliding puzzle in a clip; ``final_tiles`` has -1 for the blank and 0 for what is no tile."""

    moves: tuple[ShownMove, ...]
    tracks: tuple[Track, ...]
    events: tuple[SceneEvent, ...]
    final_tiles: tuple[int, ...]


@dataclass(frozen=True)
class VehicleSeen:
    """A vehicle in a picture: its label, its centre in units of the lot, the angle of its length in radians."""

    label: str
    x: float
    y: float
    theta_rad: float


@dataclass(frozen=True)
class StepSeen:
    """One picture of a series.

    Attributes
    ----------
    moves : what leads here from the picture before; empty if it shows the same state
    legal : whether exactly one legal, complete move leads here
    faults : what is wrong with it, as codes
    tiles : as seen, row by row; empty for lots
    vehicles : as seen; empty for sliding puzzles
    """

    moves: tuple[str, ...]
    legal: bool
    faults: tuple[str, ...]
    tiles: tuple[int, ...] = ()
    vehicles: tuple[VehicleSeen, ...] = ()


@dataclass(frozen=True)
class StepsObservation:
    """What was seen in a series of pictures, and the moves that the model's own words name."""

    steps: tuple[StepSeen, ...]
    moves_in_words: tuple[str, ...]


@dataclass(frozen=True)
class MazeRolloutObservation:
    """A way through a maze in a clip.

    Attributes
    ----------
    kind : GROWING_PATH, MOVING_MARKER or NOTHING
    policy : FINAL_FRAME or BEST_FRAME
    trajectory : (time_s, x, y) of the path's tip or the marker's middle, in puzzle pixels
    visited_cells : in the order in which they are reached
    wall_crossings : passages through walls
    events : jumps, erasures, changes of the maze
    path : the path in the frame that the verdict rests on; None where a marker travels
    """

    kind: str
    policy: str
    trajectory: tuple[tuple[float, float, float], ...]
    visited_cells: tuple[Cell, ...]
    wall_crossings: tuple[WallCrossing, ...]
    events: tuple[SceneEvent, ...]
    path: PathObservation | None


@dataclass(frozen=True)
class SceneObject:
    """An object of an edited scene.

    Attributes
    ----------
    label : as it was sent
    outline : corners (x, y) in picture pixels, clockwise; empty where there is no camera, or nothing in front of it
    target : whether it was taken for the object that is edited
    """

    label: str
    outline: tuple[tuple[float, float], ...]
    target: bool


@dataclass(frozen=True)
class EditObservation:
    """Objects of an edited scene, in the request's order."""

    objects: tuple[SceneObject, ...]


Observation = (
    PathObservation
    | QueensObservation
    | PlanObservation
    | LotObservation
    | TilesObservation
    | StepsObservation
    | MazeRolloutObservation
    | EditObservation
)
