"""Ways through a maze: whether there is only one, and which one a drawing comes nearest to."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

import pytest

from grader.tasks.maze.ways import chords, nearest_way, undrawn, way_round

# 1 - 2 - 3
# |       |     4 is a dead end unless 4 - 3 is open
# 4 - 5 - 6
RING = {(1, 2), (2, 3), (1, 4), (4, 5), (5, 6), (3, 6)}


def all_ways(passages: Iterable[tuple[int, int]], start: int, goal: int) -> Iterator[tuple[int, ...]]:
    """Every simple way, by trying all."""
    pairs = set(passages) | {(b, a) for a, b in passages}

    def go(way: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if way[-1] == goal:
            yield way
            return
        for first, second in sorted(pairs):
            if first == way[-1] and second not in way:
                yield from go((*way, second))

    return go((start,))


def test_a_tree_has_one_way() -> None:
    assert way_round(RING - {(5, 6)}, (1, 2, 3, 6)) is None


def test_a_ring_has_two_ways() -> None:
    assert way_round(RING, (1, 2, 3, 6)) == 4
    assert way_round(RING, (1, 4, 5, 6)) == 2


def test_a_shortcut_within_the_path_is_another_way() -> None:
    assert way_round({(1, 2), (2, 3), (1, 3)}, (1, 2, 3)) == 3


def test_a_loop_beside_the_path_is_none() -> None:
    assert way_round({(1, 2), (2, 3), (2, 4), (4, 5), (5, 6), (4, 6)}, (1, 2, 3)) is None


@pytest.mark.parametrize("seed", range(40))
def test_agrees_with_trying_all_ways(seed: int) -> None:
    """On 3 x 3 cells with a passage left out here and there."""
    dice = random.Random(seed)
    grid = [(c, c + 1) for c in range(1, 10) if c % 3] + [(c, c + 3) for c in range(1, 7)]
    passages = {pair for pair in grid if dice.random() < 0.75}
    ways = list(all_ways(passages, 1, 9))
    if not ways:
        with pytest.raises(ValueError, match="no way leads"):
            nearest_way(passages, 1, 9, ())
        return
    path = dice.choice(ways)
    assert (way_round(passages, path) is None) == (len(ways) == 1)
    drawn = {pair for pair in passages if dice.random() < 0.5}
    fewest = min((undrawn(way, drawn), len(way)) for way in ways)
    nearest = nearest_way(passages, 1, 9, drawn)
    assert nearest in ways
    assert (undrawn(nearest, drawn), len(nearest)) == fewest


def test_the_nearest_way_is_the_drawn_one() -> None:
    assert nearest_way(RING, 1, 6, {(1, 4), (4, 5), (5, 6)}) == (1, 4, 5, 6)
    assert nearest_way(RING, 1, 6, {(1, 2)}) == (1, 2, 3, 6)
    assert nearest_way(RING, 1, 6, {(1, 4)}) == (1, 4, 5, 6)
    # Cells that adjoin by an open passage are no drawn step: the long way is the one that was drawn.
    shortcut = {*RING, (2, 5)}
    assert nearest_way(shortcut, 1, 6, {(1, 4), (4, 5), (2, 5), (2, 3), (3, 6)}) == (1, 4, 5, 2, 3, 6)


def test_chords_join_a_path_a_second_time() -> None:
    assert chords((1, 2, 3, 6, 5, 4), {(1, 2), (2, 3), (3, 6), (5, 6), (4, 5)}) == ()
    assert chords((1, 2, 3, 6, 5, 4), {(1, 2), (2, 5), (1, 4)}) == ((1, 4), (2, 5))
    # A step off the path is no chord.
    assert chords((1, 2, 3), {(2, 5), (5, 6)}) == ()
