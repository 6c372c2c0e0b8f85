"""Puzzles that are answered with labels or turns, from plain values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from grader.face.errors import WrongValueError
from grader.face.pictures import PictureLike, encoded, member
from grader.tasks.form_board.model import FormBoardInput
from grader.tasks.hinge_folding.model import ChainPlaceInput, HingeFoldingInput, HingeTurnInput
from grader.tasks.paper_fold.model import PaperFoldInput, SheetFrame
from puzzles.hinge_folding.chain import HingeShape
from puzzles.paper_fold.rules import Fold, FoldType


def form_board(
    labels: Iterable[str],
    solution: Iterable[str],
    *,
    image: PictureLike | None = None,
    silhouette: Sequence[tuple[float, float]] = (),
    pieces: Mapping[str, Sequence[tuple[float, float]]] | None = None,
) -> FormBoardInput:
    """Describes a form board.

    Parameters
    ----------
    labels : str or iterable of str
        Of the pieces that are offered, such as ``"ABCDE"``.
    solution : str or iterable of str
        Of those that fill the silhouette.
    image : picture, optional
        What the model was given; drawn answers need it, and the outlines.
    silhouette : sequence of (x, y), optional
        Its corners in order, in pixels of the picture. With outlines, any set of pieces that fills it is right.
    pieces : mapping of str to sequence of (x, y), optional
        The corners of each piece where it is given, by its label.

    Raises
    ------
    WrongValueError
        If an outline is of no label that is offered, or one has none.
    """
    offered, outlines = tuple(labels), dict(pieces or {})
    if outlines and set(outlines) != set(offered):
        strange = sorted(set(outlines) ^ set(offered))[0]
        raise WrongValueError(f"pieces have to be those of labels; {strange!r} is in one of the two alone")
    return FormBoardInput(
        offered,
        tuple(solution),
        None if image is None else encoded(image),
        tuple((float(x), float(y)) for x, y in silhouette),
        tuple(tuple((float(x), float(y)) for x, y in outlines[label]) for label in offered if outlines),
    )


def paper_fold(
    labels: Iterable[str] = "",
    solution: str = "",
    *,
    folds: Iterable[tuple[FoldType | str, float, bool]] = (),
    punches: Iterable[tuple[float, float]] = (),
    hole_radius: float = 0.0,
    sheets: Iterable[PictureLike] = (),
    frame: tuple[float, float, float] | None = None,
) -> PaperFoldInput:
    """Describes a folded and punched sheet; words need labels and a solution, drawings all the rest.

    Parameters
    ----------
    labels : str or iterable of str
        Of the patterns that are offered, such as ``"ABCDE"``.
    solution : str
        Of the one that the sheet shows once it is unfolded.
    folds : iterable of (type, offset, above)
        In the order in which they are made: ``"horizontal"`` (y = offset), ``"vertical"`` (x = offset), ``"diag_pos"``
        (y = x + offset) or ``"diag_neg"`` (y = -x + offset), and whether what lies above the line (of a vertical one,
        right of it) is laid over. The sheet is the unit square, y goes up.
    punches : iterable of (x, y)
        Where the folded sheet is punched.
    hole_radius : float
        In sides of the sheet.
    sheets : iterable of pictures
        The sheet without holes: flat; for series also after the first fold, and so on.
    frame : (left, top, side), optional
        Where the flat sheet lies in them, in pixels.
    """
    return PaperFoldInput(
        tuple(labels),
        solution,
        tuple(Fold(member(FoldType, kind, "fold"), float(offset), bool(above)) for kind, offset, above in folds),
        tuple((float(x), float(y)) for x, y in punches),
        float(hole_radius),
        tuple(encoded(one) for one in sheets),
        None if frame is None else SheetFrame(*map(float, frame)),
    )


def hinge_folding(
    shapes: Sequence[HingeShape | str],
    turns: Mapping[str, int],
    *,
    image: PictureLike | None = None,
    place: tuple[float, float, float] | None = None,
) -> HingeFoldingInput:
    """Describes a chain of pieces, and turns of its hinges that give the silhouette which is asked for.

    Parameters
    ----------
    shapes : sequence of str
        From the left to the right: ``"square"``, ``"diamond"``, ``"triangle"`` or ``"rectangle"``.
    turns : mapping
        By how many degrees each hinge is turned, counter-clockwise, by its letter: ``{"A": 90, "B": 270}``.
    image : picture, optional
        The picture that the model was given; needed for what is drawn.
    place : (float, float, float), optional
        Where the chain is in it: pixels of a unit, and the centre of the first piece, from the left and from the top.

    Raises
    ------
    WrongValueError
        If a shape is none of these.
    """
    return HingeFoldingInput(
        shapes=tuple(member(HingeShape, shape, "shapes") for shape in shapes),
        turns=tuple(HingeTurnInput(hinge, degrees) for hinge, degrees in turns.items()),
        image=None if image is None else encoded(image),
        place=None if place is None else ChainPlaceInput(*place),
    )
