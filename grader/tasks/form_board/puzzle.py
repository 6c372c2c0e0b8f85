"""Form boards, checked, with every set of pieces that is right."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import shapely
from numpy.typing import NDArray

from detectors.form_board.config import ExplainConfig
from detectors.form_board.explained import BoardInPlace, put_in_place
from detectors.form_board.scene import BoardScene, make_scene
from grader.alignment.template import Template, make_template
from grader.media.types import MediaLimits
from grader.model.jobs import CandidateKind
from grader.model.places import PixelBox
from grader.tasks.common.inputs import Inputs
from grader.tasks.common.labels import check_labels
from grader.tasks.form_board.model import FormBoardInput
from grader.tasks.form_board.settings import FormBoardSettings
from puzzles.form_board.rules import MOST_PIECES, Corners, FormBoard, FormPiece, Tiling, tilings

_LABELS = "form_board.puzzle.labels"
_SILHOUETTE = "form_board.puzzle.silhouette"
_PIECES = "form_board.puzzle.pieces"
_TRUTH = "form_board.truth.labels"
_FEWEST_CORNERS = 3  # not a threshold: of a polygon
_FARTHEST_PX = 100_000  # not a threshold: farther than any picture reaches


@dataclass(frozen=True, eq=False)
class DrawnBoard:
    """What drawn answers are looked at with: the board as it is looked for, and what they are aligned with."""

    scene: BoardScene
    template: Template
    _in_place: dict[tuple[tuple[str, tuple[float, float]], ...], BoardInPlace] = field(default_factory=dict)

    def in_place(self, tiling: Tiling, config: ExplainConfig) -> BoardInPlace:
        """Pieces where a tiling has them; kept, since most answers come nearest to the same one."""
        key = tuple(sorted(tiling.offsets.items()))
        found = self._in_place.get(key)
        if found is None:
            found = self._in_place[key] = put_in_place(self.scene, tiling.offsets, config)
        return found


@dataclass(frozen=True, eq=False)
class PreparedBoard:
    """A form board that was checked.

    Attributes
    ----------
    labels : of the pieces that are offered
    solution : those that fill the silhouette, as the request says
    board : outlines; None where only labels are known
    tilings : every way found to fill the silhouette, the given set first; empty where only labels are known
    shown : for drawn answers
    """

    labels: str
    solution: frozenset[str]
    board: FormBoard | None = None
    tilings: tuple[Tiling, ...] = ()
    shown: DrawnBoard | None = None

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of its picture in pixels; it may have none."""
        return (1, 1) if self.shown is None else self.shown.scene.size

    @property
    def drawn(self) -> DrawnBoard:
        """What drawn answers are looked at with; ValueError where the puzzle was prepared for words."""
        if self.shown is None:
            raise ValueError("the board was prepared for words")
        return self.shown

    @property
    def side(self) -> float:
        """The silhouette's longer side, in pixels of the picture."""
        return 0.0 if self.board is None else self.board.size

    @property
    def box(self) -> PixelBox | None:
        """Where the silhouette is."""
        if self.board is None:
            return None
        left, top, right, bottom = self.board.polygon.bounds
        return PixelBox(left, top, right - left, bottom - top)

    @property
    def right(self) -> tuple[frozenset[str], ...]:
        """Every set that is right, the given one first."""
        return tuple(dict.fromkeys(tiling.labels for tiling in self.tilings)) or (self.solution,)

    def nearest(self, chosen: frozenset[str]) -> frozenset[str]:
        """The right set that differs least from a chosen one."""
        return min(self.right, key=lambda one: len(one ^ chosen))


def prepare_form_board(
    task: FormBoardInput, settings: FormBoardSettings, limits: MediaLimits, kind: CandidateKind
) -> PreparedBoard:
    """Checks a form board; raises InvalidRequestError naming every wrong field."""
    inputs = Inputs(limits)
    check_labels(inputs, _LABELS, task.labels)
    _check_truth(inputs, task)
    labels, solution = "".join(task.labels), frozenset(task.solution)
    drawn = kind is not CandidateKind.TEXT
    if not task.silhouette and not task.pieces and not drawn:
        inputs.check()
        return PreparedBoard(labels, solution)
    _check_outlines(inputs, task, settings)
    picture = inputs.picture("form_board.puzzle.image", task.image) if drawn else None
    inputs.check()
    if picture is not None:
        _check_in_picture(inputs, task.silhouette, picture)
    board = FormBoard(
        task.silhouette, tuple(FormPiece(label, corners) for label, corners in zip(labels, task.pieces, strict=True))
    )
    found = tilings(board, settings.cover.slack, settings.cover.near, settings.cover.ways)
    given = [tiling for tiling in found if tiling.labels == solution]
    if not given:
        inputs.fault(_TRUTH, "MISMATCH", "by their outlines these pieces do not fill the silhouette")
        inputs.check()
    ways = (*given, *(one for one in found if one.labels != solution))
    if picture is None:
        return PreparedBoard(labels, solution, board, ways)
    outlines = {piece.label: piece.corners for piece in board.pieces}
    scene = make_scene(picture, board.silhouette, outlines, settings.board)
    template = make_template(picture, settings.alignment, scene.around)
    return PreparedBoard(labels, solution, board, ways, DrawnBoard(scene, template))


def _check_truth(inputs: Inputs, task: FormBoardInput) -> None:
    strange = [label for label in task.solution if label not in task.labels]
    if not task.solution:
        inputs.fault(_TRUTH, "MISSING", "give the labels of the pieces that fill the silhouette")
    elif strange:
        inputs.fault(_TRUTH, "MISMATCH", f"{strange[0][:20]!r} is none of {_LABELS}")
    elif len(set(task.solution)) != len(task.solution):
        inputs.fault(_TRUTH, "OUT_OF_RANGE", "a label is there twice; give each once")


def _check_outlines(inputs: Inputs, task: FormBoardInput, settings: FormBoardSettings) -> None:
    if len(task.pieces) != len(task.labels):
        text = f"there are {len(task.pieces)} outlines and {len(task.labels)} labels; give one for each, or none"
        inputs.fault(_PIECES, "MISMATCH", text)
    if len(task.pieces) > MOST_PIECES:
        inputs.fault(_PIECES, "OUT_OF_RANGE", f"there are {len(task.pieces)}; give at most {MOST_PIECES}")
    _check_corners(inputs, _SILHOUETTE, task.silhouette, settings)
    for place, corners in enumerate(task.pieces):
        _check_corners(inputs, f"{_PIECES}[{place}].corners", corners, None)


def _check_in_picture(inputs: Inputs, silhouette: Corners, picture: NDArray[np.uint8]) -> None:
    """Of a silhouette that is cut off nothing could be told."""
    height, width = picture.shape[:2]
    xs, ys = zip(*silhouette, strict=True)
    # not a threshold: an outline may run along the middle of the picture's last pixels, or around them
    if min(xs) < -1.0 or min(ys) < -1.0 or max(xs) > width + 1.0 or max(ys) > height + 1.0:
        text = (
            f"it spans x from {min(xs):.0f} to {max(xs):.0f} and y from {min(ys):.0f} to {max(ys):.0f} px; it"
            f" does not lie in its picture, which has {width} x {height} px"
        )
        inputs.fault(_SILHOUETTE, "OUT_OF_RANGE", text)
        inputs.check()


def _check_corners(inputs: Inputs, field: str, corners: Corners, settings: FormBoardSettings | None) -> None:
    if len(corners) < _FEWEST_CORNERS:
        reason = "OUT_OF_RANGE" if corners else "MISSING"
        inputs.fault(field, reason, f"there are {len(corners)} corners; give at least {_FEWEST_CORNERS}")
        return
    if not all(math.isfinite(value) for corner in corners for value in corner):
        inputs.fault(field, "OUT_OF_RANGE", "a coordinate is not finite")
        return
    if any(abs(value) > _FARTHEST_PX for corner in corners for value in corner):
        inputs.fault(field, "OUT_OF_RANGE", f"a coordinate is beyond {_FARTHEST_PX} px")
        return
    polygon = shapely.Polygon(corners)
    if not polygon.is_valid or polygon.area <= 0:
        inputs.fault(field, "OUT_OF_RANGE", "the outline crosses or touches itself, or holds no area")
    elif settings is not None:
        left, top, right, bottom = polygon.bounds
        if min(right - left, bottom - top) < settings.cover.least_px:
            inputs.fault(field, "OUT_OF_RANGE", f"it is less than {settings.cover.least_px:g} px high or wide")
