"""Pieces that are offered beside the missing one: from other photographs, and from the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from puzzles.jigsaw.cuts import THIRDS
from puzzles.jigsaw.draw import SeededDraw
from puzzles.jigsaw.photographs import PhotographSource
from puzzles.jigsaw.rules import JigsawRules, Pixels, thumb
from puzzles.jigsaw.similarity import PieceSimilarity, describe_piece, nearest

_OTHERS: Final = 3
_TRIES: Final = 64
_SHORT_KEY: Final = 16

Option = tuple[Pixels, str]
"""A piece, and what it is a piece of."""


@dataclass(frozen=True, eq=False)
class Pool:
    """Pieces of all photographs: of each in its first view, nine.

    Attributes
    ----------
    views : the first view of each photograph
    keys : of each photograph
    described : of each piece, photograph by photograph
    """

    views: tuple[Pixels, ...]
    keys: tuple[str, ...]
    described: NDArray[np.float32]

    @staticmethod
    def of(sources: Sequence[PhotographSource], side_px: int, seed: int) -> Pool:
        """The pool of some photographs."""
        views = tuple(source.view(0, side_px, seed) for source in sources)
        described = [describe_piece(piece) for view in views for piece in THIRDS.cut(view)]
        return Pool(views, tuple(source.key for source in sources), np.array(described, np.float32))

    def piece(self, row: int, size: tuple[int, int]) -> Option:
        """A part of a view, of a height and width, with the middle of a piece; no scaling, so it is as sharp."""
        photograph, number = divmod(row, THIRDS.n**2)
        view = self.views[photograph]
        rows, columns = THIRDS.box((view.shape[0], view.shape[1]), number)
        top = min(max(0, (rows.start + rows.stop - size[0]) // 2), view.shape[0] - size[0])
        left = min(max(0, (columns.start + columns.stop - size[1]) // 2), view.shape[1] - size[1])
        return view[top : top + size[0], left : left + size[1]], f"{self.keys[photograph][:_SHORT_KEY]}/{number}"


def find_options(
    view: Pixels,
    piece: int,
    key: str,
    pool: Pool,
    draw: SeededDraw,
    rules: JigsawRules,
    similarity: PieceSimilarity | None,
) -> list[Option] | None:
    """Three other pieces for a missing one, no two of the four alike; None where there are not so many.

    Parameters
    ----------
    view, piece, key : array, int, str
        The picture, the number of the missing piece among nine, and the key of the photograph.
    pool : Pool
    draw : SeededDraw
    rules : JigsawRules
        What is alike.
    similarity : PieceSimilarity or None
        Takes the most similar ones; None takes any.
    """
    pieces = THIRDS.cut(view)
    size = (pieces[piece].shape[0], pieces[piece].shape[1])
    own: list[Option] = [(one, f"{key[:_SHORT_KEY]}/{at}") for at, one in enumerate(pieces) if at != piece]
    foreign = [row for row in range(len(pool.described)) if pool.keys[row // THIRDS.n**2] != key]
    if similarity is None:
        ranked = _any(pool, own, foreign, size, draw)
    else:
        ranked = _similar(pieces[piece], pool, own, foreign, similarity)
    taken: list[Option] = []
    small = [thumb(pieces[piece])]
    for option, origin in ranked:
        seen = thumb(option)
        if all(float(np.abs(seen - one).mean()) >= rules.least_difference for one in small):
            taken.append((option, origin))
            small.append(seen)
            if len(taken) == _OTHERS:
                return taken
    return None


def _any(pool: Pool, own: list[Option], foreign: list[int], size: tuple[int, int], draw: SeededDraw) -> list[Option]:
    """Pieces of other photographs in a drawn order; then those of the same, for where there are not enough others."""
    drawn = [pool.piece(draw.one(foreign), size) for _ in range(_TRIES)] if foreign else []
    return [*drawn, *draw.shuffled(own)]


def _similar(
    right: Pixels, pool: Pool, own: list[Option], foreign: list[int], similarity: PieceSimilarity
) -> list[Option]:
    """The most similar first."""
    size = (right.shape[0], right.shape[1])
    described = [describe_piece(one) for one, _ in own]
    rows = (
        np.concatenate([pool.described[foreign], np.array(described, np.float32)]) if foreign else np.array(described)
    )
    order = nearest(describe_piece(right), rows)[:_TRIES]
    found = [pool.piece(foreign[row], size) if row < len(foreign) else own[row - len(foreign)] for row in order]
    if similarity.rerank is None:
        return found
    first, rest = found[: similarity.nearest], found[similarity.nearest :]
    far = similarity.rerank(right, [one for one, _ in first])
    return [first[place] for place in sorted(range(len(first)), key=lambda place: (far[place], place))] + rest
