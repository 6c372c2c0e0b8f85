"""Chains of a given level: how many hinges have to be turned to give the silhouette.

Shapes and angles are drawn. A chain is kept if its program is the only one that gives its silhouette, so that no
shorter one does; if every piece shows in whatever order they are drawn; and if no two equal pieces lie on each other.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import shapely

from puzzles.hinge_folding.chain import ANGLE_STEP, GRID, HingeShape, folded, silhouette
from puzzles.hinge_folding.solver import STEPS, least_turns, solve

_Chosen = TypeVar("_Chosen")

MAX_LEVEL = 8
STEP_DEG = 360 // STEPS
MOST_COVERED = 0.6
"""The share of a piece that the others together may cover, in the last picture and in that after every step."""
MOST_ALIKE = 0.5
"""The share of either that two equal pieces may both cover."""
_EQUAL = 0.3  # the share of chains whose pieces are all of one shape
_TRIES = 5_000  # chains that are drawn before a seed is given up


@dataclass(frozen=True)
class HingePuzzle:
    """A generated chain.

    Attributes
    ----------
    shapes : from the left to the right
    steps : of each hinge by how many steps of 45 degrees it turns, 1 to 7: the only program of the silhouette
    level : the number of hinges
    seed : what it was made with
    """

    shapes: tuple[HingeShape, ...]
    steps: tuple[int, ...]
    level: int
    seed: int

    @property
    def turns(self) -> tuple[tuple[str, int], ...]:
        """The program: each hinge with its angle in degrees, counter-clockwise."""
        return tuple((chr(ord("A") + place), step * STEP_DEG) for place, step in enumerate(self.steps))

    @property
    def angles(self) -> tuple[float, ...]:
        """The angle of each hinge in the end, in radians."""
        return angles_of_steps(self.steps)

    def states(self) -> Iterator[tuple[float, ...]]:
        """The angles of all hinges at first and after every turn, from A on."""
        for done in range(self.level + 1):
            yield angles_of_steps((*self.steps[:done], *(0 for _ in self.steps[done:])))


def angles_of_steps(steps: Sequence[int]) -> tuple[float, ...]:
    """Steps of 45 degrees in radians."""
    return tuple(step * ANGLE_STEP for step in steps)


def generate_hinges(level: int, seed: int) -> HingePuzzle:
    """Draws a chain; the same arguments give the same one.

    Parameters
    ----------
    level : int
        The number of hinges, each of which has to be turned, 1 to 8.
    seed : int
        Not negative.

    Raises
    ------
    ValueError
        If the level is out of range.
    RuntimeError
        If no chain was found from this seed.
    """
    if not 1 <= level <= MAX_LEVEL:
        raise ValueError(f"level must be from 1 to {MAX_LEVEL}, not {level}")
    dice = random.Random(seed * (MAX_LEVEL + 1) + level)
    for _ in range(_TRIES):
        shapes = _shapes(dice, level + 1)
        steps = _steps(dice, shapes)
        puzzle = HingePuzzle(shapes, steps, level, seed)
        if all(every_piece_shows(shapes, angles) for angles in puzzle.states()) and _only_program(puzzle):
            return puzzle
    raise RuntimeError(f"no chain of level {level} was found from seed {seed}")


def every_piece_shows(shapes: Sequence[HingeShape], angles: Sequence[float]) -> bool:
    """Whether every piece shows in whatever order they are drawn, and no two equal ones lie almost on each other."""
    pieces = [shapely.Polygon(corners) for corners in folded(shapes, angles)]
    for place, piece in enumerate(pieces):
        covered = [piece.intersection(other, grid_size=GRID) for at, other in enumerate(pieces) if at != place]
        for at, part in zip((at for at in range(len(pieces)) if at != place), covered, strict=True):
            if shapes[at] is shapes[place] and part.area > MOST_ALIKE * piece.area:
                return False
        most = MOST_COVERED * piece.area
        # The union is asked only where it can say something: parts may overlap.
        if sum(part.area for part in covered) > most and shapely.union_all(covered, grid_size=GRID).area > most:
            return False
    return True


def _only_program(puzzle: HingePuzzle) -> bool:
    programs = list(solve(puzzle.shapes, silhouette(puzzle.shapes, puzzle.angles)))
    return programs == [puzzle.steps] and least_turns(programs) == puzzle.level


def _shapes(dice: random.Random, count: int) -> tuple[HingeShape, ...]:
    kinds = tuple(HingeShape)
    if dice.random() < _EQUAL:
        return (_pick(dice, kinds),) * count
    return tuple(_pick(dice, kinds) for _ in range(count))


def _steps(dice: random.Random, shapes: Sequence[HingeShape]) -> tuple[int, ...]:
    """A turn of each hinge, but none by 180 degrees between equal pieces."""
    half = STEPS // 2
    return tuple(
        _pick(dice, tuple(step for step in range(1, STEPS) if step != half or left is not right))
        for left, right in itertools.pairwise(shapes)
    )


def _pick(dice: random.Random, choices: Sequence[_Chosen]) -> _Chosen:
    # Only random() is promised to give the same numbers in every Python version.
    return choices[int(dice.random() * len(choices))]
