"""What is asked and seen of a folded sheet: plain data."""

from __future__ import annotations

from dataclasses import dataclass, field

from grader.model.jobs import TaskInput
from grader.model.observations import Observation
from grader.model.places import PixelBox
from puzzles.paper_fold.rules import Fold, Point


@dataclass(frozen=True)
class SheetFrame:
    """Where the flat sheet lies in the pictures of sheets: left edge, top edge and side, in pixels."""

    left_px: float
    top_px: float
    side_px: float


@dataclass(frozen=True)
class PaperFoldInput(TaskInput):
    """A folded sheet.

    Attributes
    ----------
    labels : of the patterns that are offered, for words
    solution : the label of the right one
    folds : in the order in which they are made, for pictures; None for one whose line is missing
    punches : where the folded sheet is punched
    hole_radius : in sides of the sheet
    sheets : pictures of the sheet without holes: flat, after the first fold, and so on
    frame : where the flat sheet lies in them; None where it is missing
    """

    labels: tuple[str, ...]
    solution: str
    folds: tuple[Fold | None, ...] = ()
    punches: tuple[Point, ...] = ()
    hole_radius: float = 0.0
    sheets: tuple[bytes | None, ...] = field(default=(), metadata={"path": "paper_fold.puzzle.sheets"})
    frame: SheetFrame | None = None


@dataclass(frozen=True)
class SheetHole:
    """A hole as seen: middle (x, y) and radius in pixels of the puzzle's picture, contrast, size, and place."""

    center: tuple[float, float]
    radius_px: float
    contrast: float
    fits: bool
    outside: bool


@dataclass(frozen=True)
class SheetMark:
    """What was drawn and is no hole: where, and what it is taken for."""

    box: PixelBox
    code: str


@dataclass(frozen=True)
class SheetObservation(Observation):
    """What a picture of a sheet shows.

    Attributes
    ----------
    holes, marks : from above
    creases : share of the creases along which something thin is drawn, 0 to 1
    whole : area of the sheet that is as it was, over that and all that was changed, 0 to 1
    """

    holes: tuple[SheetHole, ...]
    marks: tuple[SheetMark, ...]
    creases: float
    whole: float
