"""Lots of a given level: the least number of moves that a solution takes.

An exit is drawn, the red car is put opposite, blockers on its line, then other cars, mostly on the blockers' lines, and
an obstacle. A lot is kept if the search breadth first finds a solution of just the right length, and if nothing in it
hangs on a near contact: with all cars a little larger none touch at first, and the solution holds with all a little
larger, and with all a little smaller.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from puzzles.common.search import StateLimitError
from puzzles.rush_hour.contact import Polygon, overlap_depth, rectangle
from puzzles.rush_hour.lot import RED_LABEL, Exit, Lot, Obstacle, Pose, Side, Vehicle
from puzzles.rush_hour.rules import Move, simulate
from puzzles.rush_hour.solver import solve

Chosen = TypeVar("Chosen")

MAX_LEVEL = 7
# Two pixels a side where a unit of the lot is 120 pixels.
MARGIN = 2 / 120

_SIZE = 10.0
_OPENING = 1.0
_RED_SIZE = (1.8, 0.9)
_BLOCKER_SIZE = (2.0, 0.9)
_RED_COLOR = "#E85D75"
_COLORS = ("#0090C1", "#2EC4B6", "#FFD670", "#C42E88", "#5A4FCF", "#C46A2E")
_ANGLES = (0.0, 15.0, -15.0, 30.0, -30.0)
_PLACINGS = 40  # tries to find room for one body
_TRIES = 20_000  # lots that are drawn before a level is given up


@dataclass(frozen=True)
class RushHourPuzzle:
    """A generated lot with a shortest solution.

    Attributes
    ----------
    lot
        The lot, 10 x 10.
    solution
        One of the shortest solutions.
    level
        Its length.
    seed
        What it was made with.
    """

    lot: Lot
    solution: tuple[Move, ...]
    level: int
    seed: int


def generate_lot(level: int, seed: int = 0) -> RushHourPuzzle:
    """Return a lot whose shortest solutions take ``level`` moves. The same arguments give the same lot.

    Parameters
    ----------
    level
        From 1 to 7. The public levels are 1 to 5; a lot of level 7 may take a minute to find.
    seed
        Any whole number that is not negative.

    Raises
    ------
    ValueError
        If an argument is out of range.
    RuntimeError
        If no lot was found; take another seed.
    """
    if not 1 <= level <= MAX_LEVEL:
        raise ValueError(f"the level must be from 1 to {MAX_LEVEL}, not {level}")
    if seed < 0:
        raise ValueError(f"the seed must not be negative, not {seed}")
    dice = random.Random(seed)
    for _ in range(_TRIES):
        lot = _Draft(level, dice).lot()
        try:
            found = solve(lot, max_moves=level)
        except StateLimitError:
            continue
        if found is not None and found.length == level and _is_clear(lot, found.solutions[0]):
            return RushHourPuzzle(lot, found.solutions[0], level, seed)
    raise RuntimeError(f"no lot of level {level} was found in {_TRIES} tries from seed {seed}; take another seed")


def _is_clear(lot: Lot, solution: tuple[Move, ...]) -> bool:
    """Whether a solution hangs on no near miss and no graze."""
    return all(simulate(lot, solution, margin).solved for margin in (MARGIN, -MARGIN))


@dataclass(frozen=True)
class _Body:
    """A car or an obstacle that has its place: name, sides, pose."""

    id: str
    length: float
    width: float
    pose: Pose

    def outline(self, margin: float = 0.0) -> Polygon:
        return rectangle(self.pose.x, self.pose.y, self.pose.theta, self.length + 2 * margin, self.width + 2 * margin)


class _Draft:
    """A lot in the making."""

    def __init__(self, level: int, dice: random.Random) -> None:
        self._dice = dice
        side = self._pick(tuple(Side))
        self._upright = side in (Side.BOTTOM, Side.TOP)
        self._line = self._between(2.0, _SIZE - 2.0)  # of the red car: its x if it is upright, else its y
        self._exit = Exit(side, self._line - _OPENING / 2, self._line + _OPENING / 2)
        rear = 0.1 + _RED_SIZE[0] / 2
        # From the red car to the exit, along the line.
        self._begin, self._end = (rear, _SIZE) if side in (Side.RIGHT, Side.TOP) else (_SIZE - rear, 0.0)
        self._red = _Body("red_car", *_RED_SIZE, self._on_line(self._begin, math.pi / 2 if self._upright else 0.0))
        self._cars: list[_Body] = []
        self._obstacles: list[_Body] = []
        self._place_blockers(min(level - 1, 2))
        if level == 2:
            if dice.random() < 0.5:
                self._place_others(2, 1)
        elif level > 2:
            # The colours tell cars apart in pictures, so there are never more cars than colours.
            self._place_others(self._pick((2, 3, 4)) if level < 6 else len(_COLORS) - 2, 1)

    def lot(self) -> Lot:
        """Return the lot; labels and colours are dealt at random."""
        count = len(self._cars)
        letters, colors = self._shuffled([chr(ord("A") + place) for place in range(count)]), self._shuffled(_COLORS)
        vehicles = [self._vehicle(self._red, RED_LABEL, _RED_COLOR)]
        vehicles += map(self._vehicle, self._cars, letters, colors)
        obstacles = tuple(Obstacle(body.id, body.length, body.width, body.pose) for body in self._obstacles)
        return Lot(_SIZE, _SIZE, (self._exit,), tuple(vehicles), obstacles)

    def _place_blockers(self, count: int) -> None:
        # A car on the line's own direction never leaves it.
        angles = _ANGLES if self._upright else _ANGLES[1:]
        for number in range(count):
            for _ in range(_PLACINGS):
                share = (number + self._between(0.35, 0.85)) / count
                along = self._begin + (self._end - self._begin) * share
                pose = self._on_line(along, math.radians(self._pick(angles)))
                if self._fits(_Body(f"blocker_{number}", *_BLOCKER_SIZE, pose), self._cars):
                    break

    def _place_others(self, cars: int, obstacles: int) -> None:
        blockers = tuple(self._cars)
        for number in range(obstacles):
            for _ in range(_PLACINGS):
                length, width = self._between(0.8, 2.2), self._between(0.8, 1.2)
                if self._fits(_Body(f"obstacle_{number}", length, width, self._somewhere(0.0)), self._obstacles):
                    break
        for number in range(cars):
            for _ in range(_PLACINGS):
                length, width = self._between(1.6, 2.4), self._between(0.8, 1.1)
                theta = math.radians(self._pick(_ANGLES))
                pose = self._near(self._pick(blockers), theta) if self._dice.random() < 0.7 else self._somewhere(theta)
                if self._fits(_Body(f"car_{number}", length, width, pose), self._cars):
                    break

    def _fits(self, body: _Body, among: list[_Body]) -> bool:
        """Put a body where it stands, if that is in the lot and apart from all others; False if not."""
        outline = body.outline(MARGIN)
        if any(not (0 <= x <= _SIZE and 0 <= y <= _SIZE) for x, y in outline):
            return False
        others = (self._red, *self._cars, *self._obstacles)
        if any(overlap_depth(outline, other.outline(MARGIN)) > 0 for other in others):
            return False
        among.append(body)
        return True

    def _vehicle(self, body: _Body, label: str, color: str) -> Vehicle:
        axis = (math.cos(body.pose.theta), math.sin(body.pose.theta))
        return Vehicle(body.id, label, body.length, body.width, body.pose, axis, True, color)

    def _on_line(self, along: float, theta: float) -> Pose:
        return Pose(self._line, along, theta) if self._upright else Pose(along, self._line, theta)

    def _near(self, blocker: _Body, theta: float) -> Pose:
        """Return a pose on a blocker's line, on either side of it."""
        way = self._between(1.5, 4.5) * self._pick((-1, 1))
        aside = self._between(-0.4, 0.4)
        cos, sin = math.cos(blocker.pose.theta), math.sin(blocker.pose.theta)
        return Pose(blocker.pose.x + way * cos - aside * sin, blocker.pose.y + way * sin + aside * cos, theta)

    def _somewhere(self, theta: float) -> Pose:
        return Pose(self._between(0.5, _SIZE - 0.5), self._between(0.5, _SIZE - 0.5), theta)

    def _between(self, low: float, high: float) -> float:
        # Only random() is promised to give the same numbers in every Python version.
        return low + self._dice.random() * (high - low)

    def _pick(self, choices: tuple[Chosen, ...]) -> Chosen:
        return choices[int(self._dice.random() * len(choices))]

    def _shuffled(self, names: Sequence[str]) -> list[str]:
        return [name for _, name in sorted((self._dice.random(), name) for name in names)]
