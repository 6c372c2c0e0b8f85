"""What is asked and seen of a form board: plain data."""

from __future__ import annotations

from dataclasses import dataclass, field

from grader.model.jobs import TaskInput
from grader.model.observations import Observation
from grader.model.places import PixelBox
from puzzles.form_board.rules import Corners


@dataclass(frozen=True)
class FormBoardInput(TaskInput):
    """A form board.

    Attributes
    ----------
    labels, solution : the labels of the pieces that are offered, and of those that fill the silhouette
    image : the picture that the model was given; needed for drawn answers, else None
    silhouette : its corners, in pixels of the picture; empty where only labels are known
    pieces : the corners of each piece where it is given, in the order of the labels; empty likewise
    """

    labels: tuple[str, ...]
    solution: tuple[str, ...]
    image: bytes | None = field(default=None, metadata={"path": "form_board.puzzle.image"})
    silhouette: Corners = ()
    pieces: tuple[Corners, ...] = ()


@dataclass(frozen=True)
class FormShape:
    """A shape of one colour in a silhouette.

    Attributes
    ----------
    piece : the piece that it is; empty if it is none of them
    change : what became of the piece that is most like it: as_given, mirrored, turned, scaled, altered, joined, unknown
    like : the piece that is most like it, where it is none as given
    moved_px : by how much it is moved from where it was given, in pixels of the puzzle's picture
    deviation : how far its outline is from the piece's at most, as a share of the silhouette's longer side
    box : where it is, in pixels of the puzzle's picture
    """

    piece: str
    change: str
    like: str
    moved_px: tuple[float, float]
    deviation: float
    box: PixelBox


@dataclass(frozen=True)
class FormBoardObservation(Observation):
    """What lies in and beside a silhouette, from the top down; what else is drawn; and how well the outline is met."""

    shapes: tuple[FormShape, ...]
    silhouette_iou: float
    beside: tuple[PixelBox, ...]
