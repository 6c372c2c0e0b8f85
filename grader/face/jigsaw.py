"""Questions about jigsaw puzzles, from plain values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from grader.face.pictures import PictureLike, encoded, member
from grader.tasks.jigsaw.model import AnomalyTruth, JigsawInput
from puzzles.jigsaw.kinds import PieceChange, QuestionKind


def jigsaw(
    kind: QuestionKind | str,
    solution: str | Sequence[int] | None = None,
    *,
    options: Iterable[Sequence[int]] = (),
    change: PieceChange | str | None = None,
    pieces: Iterable[PictureLike] = (),
) -> JigsawInput:
    """Describes a question about a photograph that was cut into pieces.

    Parameters
    ----------
    kind : str
        ``"missing_piece_easy"``, ``"missing_piece_hard"``, ``"localization_easy"``, ``"localization_hard"``,
        ``"connection"``, ``"anomaly"``, ``"order_restoration"`` or ``"order_generation"``.
    solution : str or sequence of int, optional
        The right letter; for order generation the order, such as ``[2, 3, 1, 4]``; for an anomaly the letter of the
        changed piece, and None where all is as it was.
    options : iterable of sequence of int
        The four orders that an order restoration offers, A first.
    change : str, optional
        Of an anomaly: ``"rotated"`` or ``"mirrored"``; None where all is as it was.
    pieces : iterable of pictures
        The four pieces as they were given, for orders that are drawn.

    Raises
    ------
    WrongValueError
        If there is no such kind or change.

    Examples
    --------
    >>> jigsaw("order_generation", [2, 3, 1, 4]).truth
    (2, 3, 1, 4)
    >>> jigsaw("anomaly", "C", change="rotated").truth
    AnomalyTruth(position='C', change=<PieceChange.ROTATED: 'rotated'>)
    """
    asked = member(QuestionKind, kind, "kind")
    offered = tuple(tuple(order) for order in options)
    given = tuple(encoded(piece) for piece in pieces)
    if asked is QuestionKind.ANOMALY and (solution is None or isinstance(solution, str)):
        done = None if change is None else member(PieceChange, change, "change")
        return JigsawInput(asked, offered, AnomalyTruth(solution or "", done), given)
    truth = solution if solution is None or isinstance(solution, str) else tuple(solution)
    return JigsawInput(asked, offered, truth, given)
