"""Puzzles that are answered with labels or turns, from plain values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from grader.face.pictures import member
from grader.tasks.form_board.model import FormBoardInput
from grader.tasks.hinge_folding.model import HingeFoldingInput, HingeTurnInput
from grader.tasks.paper_fold.model import PaperFoldInput
from puzzles.hinge_folding.chain import HingeShape


def form_board(labels: Iterable[str], solution: Iterable[str]) -> FormBoardInput:
    """Describes a form board.

    Parameters
    ----------
    labels : str or iterable of str
        Of the pieces that are offered, such as ``"ABCDE"``.
    solution : str or iterable of str
        Of those that fill the silhouette.
    """
    return FormBoardInput(tuple(labels), tuple(solution))


def paper_fold(labels: Iterable[str], solution: str) -> PaperFoldInput:
    """Describes a folded and punched sheet.

    Parameters
    ----------
    labels : str or iterable of str
        Of the patterns that are offered, such as ``"ABCDE"``.
    solution : str
        Of the one that the sheet shows once it is unfolded.
    """
    return PaperFoldInput(tuple(labels), solution)


def hinge_folding(shapes: Sequence[HingeShape | str], turns: Mapping[str, int]) -> HingeFoldingInput:
    """Describes a chain of pieces, and turns of its hinges that give the silhouette which is asked for.

    Parameters
    ----------
    shapes : sequence of str
        From the left to the right: ``"square"``, ``"diamond"``, ``"triangle"`` or ``"rectangle"``.
    turns : mapping
        By how many degrees each hinge is turned, counter-clockwise, by its letter: ``{"A": 90, "B": 270}``.

    Raises
    ------
    WrongValueError
        If a shape is none of these.
    """
    return HingeFoldingInput(
        tuple(member(HingeShape, shape, "shapes") for shape in shapes),
        tuple(HingeTurnInput(hinge, degrees) for hinge, degrees in turns.items()),
    )
