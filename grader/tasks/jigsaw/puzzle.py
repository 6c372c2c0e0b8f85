"""Questions about jigsaw puzzles, checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from detectors.jigsaw.pieces import LaidPiece, lay_pieces
from grader.answers.compounds.orders import is_order
from grader.media.types import MediaLimits
from grader.model.jobs import CandidateKind
from grader.tasks.common.inputs import Inputs
from grader.tasks.common.labels import listed
from grader.tasks.jigsaw.model import AnomalyTruth, JigsawInput
from grader.tasks.jigsaw.settings import JigsawSettings
from puzzles.jigsaw.kinds import LABELS, Order, QuestionKind

_OPTIONS: Final = "jigsaw.puzzle.options"
_PIECES: Final = "jigsaw.puzzle.pieces"
_QUARTERS: Final = "ABCD"
_ORDERS: Final = (QuestionKind.ORDER_RESTORATION, QuestionKind.ORDER_GENERATION)


@dataclass(frozen=True)
class JigsawPuzzle:
    """A question that was checked; the truth has the form that its kind asks for.

    Attributes
    ----------
    kind : what is asked
    options : by letter, the orders that are offered; empty for other kinds than order restorations
    truth : the answer
    laid : the pieces in all ways to lay them, for drawn orders; empty for words
    piece_size : width and height of a piece in pixels
    """

    kind: QuestionKind
    options: Mapping[str, Order]
    truth: str | Order | AnomalyTruth
    laid: tuple[LaidPiece, ...] = ()
    piece_size: tuple[int, int] = (1, 1)

    @property
    def size(self) -> tuple[int, int]:
        """That of the picture that the pieces make."""
        return 2 * self.piece_size[0], 2 * self.piece_size[1]

    @property
    def order(self) -> Order:
        """The right order, for kinds that have one."""
        return self.truth if isinstance(self.truth, tuple) else self.options[str(self.truth)]


def prepare_jigsaw(
    task: JigsawInput, settings: JigsawSettings, limits: MediaLimits, candidate: CandidateKind
) -> JigsawPuzzle:
    """Checks a question; raises InvalidRequestError naming every wrong field."""
    inputs = Inputs(limits)
    if task.kind is None:
        inputs.fault("jigsaw.puzzle.kind", "MISSING", "say what is asked")
    else:
        _check_options(inputs, task.kind, task.options)
        _check_truth(inputs, task.kind, task.truth)
    drawn = candidate is not CandidateKind.TEXT
    pieces = _pieces(inputs, task) if drawn else []
    inputs.check()
    kind, truth = inputs.checked(task.kind), task.truth
    if truth is None:
        raise RuntimeError("a missing answer was not noted as a fault")
    options = dict(zip(LABELS.get(kind, ""), task.options, strict=False))
    if not drawn:
        return JigsawPuzzle(kind, options, truth)
    size = (pieces[0].shape[1], pieces[0].shape[0])
    return JigsawPuzzle(kind, options, truth, lay_pieces(pieces, settings.assembly), size)


def _pieces(inputs: Inputs, task: JigsawInput) -> list[NDArray[np.uint8]]:
    """The pictures of the pieces, which drawn orders are put together of."""
    if task.kind not in _ORDERS:
        inputs.fault("jigsaw.puzzle.kind", "MISMATCH", "only orders are drawn; send words for this kind")
        return []
    if len(task.pieces) != len(_QUARTERS):
        reason = "OUT_OF_RANGE" if task.pieces else "MISSING"
        inputs.fault(_PIECES, reason, "give the pictures of the four pieces, in the order in which the model saw them")
        return []
    read = [inputs.picture(f"{_PIECES}[{place}]", data) for place, data in enumerate(task.pieces)]
    pictures = [one for one in read if one is not None]
    for place, picture in enumerate(read):
        if picture is not None:
            inputs.same_size(f"{_PIECES}[{place}]", picture, pictures[0])
    if len({one.tobytes() for one in pictures}) < len(pictures):
        inputs.fault(_PIECES, "MISMATCH", "two pieces are alike, so that no order of them can be told from another")
    return pictures


def _check_options(inputs: Inputs, kind: QuestionKind, options: Sequence[Order]) -> None:
    if kind is not QuestionKind.ORDER_RESTORATION:
        if options:
            inputs.fault(_OPTIONS, "MISMATCH", "only order restorations offer orders; leave it out")
        return
    wanted = len(LABELS[kind])
    if not options:
        inputs.fault(_OPTIONS, "MISSING", f"give the {wanted} orders that are offered")
    elif len(options) != wanted:
        inputs.fault(_OPTIONS, "OUT_OF_RANGE", f"there are {len(options)}; give {wanted}")
    elif len(set(options)) != len(options):
        inputs.fault(_OPTIONS, "OUT_OF_RANGE", "an order is there twice; give different ones")
    for place, order in enumerate(options):
        if not is_order(order):
            inputs.fault(f"{_OPTIONS}[{place}].pieces", "OUT_OF_RANGE", "give each number from 1 to 4 once")


def _check_truth(inputs: Inputs, kind: QuestionKind, truth: str | Order | AnomalyTruth | None) -> None:
    field = "jigsaw.truth." + {QuestionKind.ANOMALY: "anomaly", QuestionKind.ORDER_GENERATION: "order"}.get(
        kind, "label"
    )
    if truth is None:
        inputs.fault(field, "MISSING", "give the right answer")
    elif kind is QuestionKind.ANOMALY:
        if not isinstance(truth, AnomalyTruth):
            inputs.fault(field, "MISMATCH", "this kind is answered with three lines")
        elif truth.position not in ("", *_QUARTERS):
            inputs.fault(f"{field}.position", "OUT_OF_RANGE", f"{truth.position[:20]!r} is none of A, B, C and D")
        elif bool(truth.position) != (truth.change is not None):
            inputs.fault(field, "MISMATCH", "give position and change, or neither where all is as it was")
    elif kind is QuestionKind.ORDER_GENERATION:
        if not isinstance(truth, tuple):
            inputs.fault(field, "MISMATCH", "this kind is answered with an order")
        elif not is_order(truth):
            inputs.fault(f"{field}.pieces", "OUT_OF_RANGE", "give each number from 1 to 4 once")
    elif not isinstance(truth, str):
        inputs.fault(field, "MISMATCH", "this kind is answered with a letter")
    elif truth not in LABELS[kind] or len(truth) != 1:
        inputs.fault(field, "MISMATCH", f"{truth[:20]!r} is none of {listed(LABELS[kind])}")
