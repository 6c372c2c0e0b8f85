"""Ways through a maze: whether there is only one, and which one a drawing comes nearest to. Graphs only, no pixels."""

from __future__ import annotations

import heapq
import itertools
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

Passage = tuple[int, int]


def _beyond(passages: Iterable[Passage]) -> dict[int, list[int]]:
    """The cells behind the passages of each cell, ascending, so that no order of a set can matter."""
    found: dict[int, list[int]] = defaultdict(list)
    for first, second in sorted(passages):
        found[first].append(second)
        found[second].append(first)
    return found


def way_round(passages: Collection[Passage], path: Sequence[int]) -> int | None:
    """A cell off a path by which another way leads from its start to its goal, or None where it is the only way.

    Parameters
    ----------
    passages : collection of (int, int)
        Pairs of cells without a wall between them.
    path : sequence of int
        Cells from start to goal, each once, joined by passages.

    Notes
    -----
    There is another way if, and only if, a cell of the path can be left by a passage that is not the path's and a later
    cell be reached without setting foot on the path in between. Two cells of the path that are joined directly, though
    they do not follow each other, are such a way too; then the later one is given.
    """
    beyond = _beyond(passages)
    place = {cell: at for at, cell in enumerate(path)}
    seen: set[int] = set()
    for at, cell in enumerate(path):
        for first in beyond[cell]:
            if first in place:
                if place[first] > at + 1:
                    return first
                continue
            if first in seen:
                continue
            # The region off the path that opens here: which cells of the path does it touch?
            seen.add(first)
            heap = [first]
            while heap:
                for other in beyond[heap.pop()]:
                    if other in place:
                        if place[other] != at:
                            return first
                    elif other not in seen:
                        seen.add(other)
                        heap.append(other)
    return None


def undrawn(path: Sequence[int], drawn: Collection[Passage]) -> int:
    """How many steps of a path were not drawn; ``drawn`` has pairs of cells, the lower one first."""
    return sum((min(pair), max(pair)) not in drawn for pair in itertools.pairwise(path))


def chords(path: Sequence[int], drawn: Iterable[Passage], *, least: int = 2) -> tuple[Passage, ...]:
    """Drawn steps between two cells of a path, so many steps from each other at least: a second way, or a loop."""
    place = {cell: at for at, cell in enumerate(path)}
    return tuple(
        sorted(
            pair
            for pair in drawn
            if all(cell in place for cell in pair) and abs(place[pair[0]] - place[pair[1]]) >= least
        )
    )


def nearest_way(passages: Collection[Passage], start: int, goal: int, drawn: Collection[Passage]) -> tuple[int, ...]:
    """The way from start to goal with the fewest steps that were not drawn; of these one with the fewest steps.

    Parameters
    ----------
    passages : collection of (int, int)
        Pairs of cells without a wall between them.
    start, goal : int
    drawn : collection of (int, int)
        Passages that a drawing leads through, the lower cell first.

    Raises
    ------
    ValueError
        If no way leads from start to goal.
    """
    beyond = _beyond(passages)
    best: dict[int, tuple[int, int]] = {start: (0, 0)}
    before: dict[int, int] = {}
    heap = [(0, 0, start)]
    while heap:
        missed, steps, cell = heapq.heappop(heap)
        if (missed, steps) > best[cell]:
            continue
        if cell == goal:
            way = [goal]
            while way[-1] != start:
                way.append(before[way[-1]])
            return tuple(reversed(way))
        for other in beyond[cell]:
            reached = (missed + ((min(cell, other), max(cell, other)) not in drawn), steps + 1)
            if other not in best or reached < best[other]:
                best[other], before[other] = reached, cell
                heapq.heappush(heap, (*reached, other))
    raise ValueError(f"no way leads from cell {start} to cell {goal}")


def drawn_way(passages: Collection[Passage], start: int, goal: int, drawn: Collection[Passage]) -> tuple[int, ...]:
    """The way over a floor that a drawing comes nearest to: as `nearest_way`, by the pieces that it leads through.

    Where three pieces meet, a line may lead from the first to the third and only graze the second, which is no part of
    the way then; or lead through all three, which then follow each other.

    Parameters
    ----------
    passages : collection of (int, int)
        Pairs of pieces that touch on the floor.
    start, goal : int
    drawn : collection of (int, int)
        Steps from piece to piece, the lower one first.
    """
    way = nearest_way({*passages, *drawn}, start, goal, drawn)
    beside = _beyond(drawn)
    found = [way[0]]
    for one, other in itertools.pairwise(way):
        between = [cell for cell in beside[one] if cell in beside[other] and cell not in way and cell not in found]
        found += [*between[:1], other]
    return tuple(found)


def dips(path: Sequence[int], cells: Iterable[int], steps: Collection[Passage]) -> frozenset[int]:
    """Pieces of a floor off a way that a line only dips into: it comes from the way and is back on it at once.

    Parameters
    ----------
    path : sequence of int
        Pieces from start to goal.
    cells : iterable of int
        That a line leads through.
    steps : collection of (int, int)
        Its steps from piece to piece.
    """
    place = {cell: at for at, cell in enumerate(path)}
    beside = _beyond(steps)
    found: set[int] = set()
    for cell in cells:
        near = [place.get(other) for other in beside[cell]]
        known = [at for at in near if at is not None]
        # Not a way around something: it is back within two pieces.
        if cell not in place and known and len(known) == len(near) and max(known) - min(known) <= 2:
            found.add(cell)
    return frozenset(found)
