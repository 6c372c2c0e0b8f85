"""What is asked and seen of a Queens board: plain data."""

from __future__ import annotations

from dataclasses import dataclass, field

from grader.model.jobs import TaskInput
from grader.model.observations import Observation
from grader.model.places import PixelBox


@dataclass(frozen=True)
class QueensInput(TaskInput):
    """A Queens board with its truth. ``regions`` has n * n numbers, row by row; ``queens`` are (row, column)."""

    image: bytes | None = field(metadata={"path": "queens.puzzle.image"})
    size_cells: int
    regions: tuple[int, ...]
    queens: tuple[tuple[int, int], ...]
    solution_image: bytes | None = field(metadata={"path": "queens.truth.solution_image"})
    any_solution: bool = False


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
    """A mark that is no queen.

    ``code`` is RING, NOT_ROUND, COLORED, ON_BORDER or SIGN of dark marks; of what else is left over, with the box of
    the cell in which it shows, MARK, WRITING, ON_LINES, ON_QUEEN or NOT_ONE_DISC.
    """

    box: PixelBox
    code: str


@dataclass(frozen=True)
class QueensObservation(Observation):
    """Drawn queens as seen."""

    queens: tuple[Queen, ...]
    rejected_marks: tuple[RejectedMark, ...]
