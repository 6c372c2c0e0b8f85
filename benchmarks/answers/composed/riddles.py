"""The puzzles that composed answers are about, with right plans and wrong ones that are nearly right."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from benchmarks.answers.composed.dice import Dice
from benchmarks.rollouts.puzzle_sets import lot_names, lot_record
from puzzles.rush_hour import rules, solver
from puzzles.rush_hour.lot import RED_LABEL, Lot
from puzzles.sliding import tiles
from puzzles.sliding.tiles import BlankMove, SlidingPuzzle, generate_sliding

SLIDING = tuple(
    (size, moves, seed) for size, most in ((2, 6), (3, 8)) for moves in range(1, most + 1) for seed in (1, 2)
)
"""Rows, least number of moves and seed of the sliding puzzles."""
_SOLUTIONS = 4
_TRIES = 60
_OPPOSITE = {"forward": "backward", "backward": "forward", "up": "down", "down": "up", "left": "right", "right": "left"}
WRONG_KINDS = ("flipped", "dropped", "undone", "swapped", "random")
LOT_KINDS = ("unknown", "nonsense")
"""Further ones, of lots alone."""


@dataclass(frozen=True)
class Step:
    """A move: a vehicle's label, or nothing for the blank; and its way, such as ``forward`` or ``up``."""

    thing: str
    way: str

    def __str__(self) -> str:
        return f"{self.thing} {self.way}".strip()


Plan = tuple[Step, ...]


@dataclass(frozen=True, eq=False)
class Riddle:
    """A puzzle: either a lot or tiles; and some of its shortest plans."""

    name: str
    level: int
    puzzle: Lot | SlidingPuzzle
    shortest: tuple[Plan, ...]

    @property
    def is_lot(self) -> bool:
        """Whether it is a rush hour."""
        return isinstance(self.puzzle, Lot)

    @property
    def steps(self) -> Plan:
        """All moves that there are."""
        if isinstance(self.puzzle, Lot):
            return tuple(Step(move.label, move.direction.value) for move in rules.move_numbers(self.puzzle))
        return tuple(Step("", move.value) for move in BlankMove)

    def solves(self, plan: Plan) -> bool:
        """Whether a plan is right by the rules."""
        if isinstance(self.puzzle, Lot):
            known = {str(move): move for move in rules.move_numbers(self.puzzle)}
            if any(str(step) not in known for step in plan):
                return False
            return rules.simulate(self.puzzle, [known[str(step)] for step in plan]).solved
        moves = [BlankMove(step.way) for step in plan]
        return tiles.simulate(self.puzzle.start, moves).reaches(self.puzzle.target)


@cache
def riddles() -> tuple[Riddle, ...]:
    """All puzzles: lots first."""
    found = []
    for name in lot_names():
        lot = lot_record(name).lot
        solved = solver.solve(lot, limit=_SOLUTIONS)
        if solved is None:
            raise ValueError(f"{name} has no solution")
        plans = tuple(tuple(Step(move.label, move.direction.value) for move in plan) for plan in solved.solutions)
        found.append(Riddle(name, solved.length, lot, plans))
    for size, moves, seed in SLIDING:
        puzzle = generate_sliding(size, moves, seed)
        plan = tuple(Step("", move.value) for move in tiles.solve(puzzle.start, puzzle.target))
        found.append(Riddle(f"tiles-{size}-{moves}-{seed}", moves, puzzle, (plan,)))
    return tuple(found)


def right_plan(riddle: Riddle, dice: Dice) -> Plan:
    """A plan that solves: mostly a shortest one, else one with moves to and fro before it."""
    plan = dice.pick(riddle.shortest)
    if dice.likely(0.85):
        return plan
    for _ in range(_TRIES):
        extra = dice.pick(riddle.steps)
        place = dice.below(len(plan))
        back = Step(extra.thing, _OPPOSITE[extra.way])
        longer = (*plan[:place], extra, back, *plan[place:])
        if riddle.solves(longer):
            return longer
    return plan


def wrong_plan(riddle: Riddle, right: Plan, dice: Dice) -> tuple[str, Plan]:
    """A plan that does not solve, and in what it differs from a right one."""
    kinds = (*WRONG_KINDS, *LOT_KINDS) if riddle.is_lot else WRONG_KINDS
    for _ in range(_TRIES):
        kind = dice.pick(kinds)
        plan = _changed(riddle, right, kind, dice)
        if plan and plan != right and not riddle.solves(plan):
            return kind, plan
    raise ValueError(f"{riddle.name}: no wrong plan was found")


def sound_wrong_plan(riddle: Riddle, right: Plan, dice: Dice) -> Plan:
    """One that is made of moves that there are."""
    for _ in range(_TRIES):
        kind, plan = wrong_plan(riddle, right, dice)
        if kind not in LOT_KINDS:
            return plan
    raise ValueError(f"{riddle.name}: no wrong plan was found")


def _changed(riddle: Riddle, right: Plan, kind: str, dice: Dice) -> Plan:
    place = dice.below(len(right))
    step = right[place]
    turned = Step(step.thing, _OPPOSITE[step.way])
    if kind == "flipped":
        return (*right[:place], turned, *right[place + 1 :])
    if kind == "dropped":
        return right[:place] + right[place + 1 :]
    if kind == "undone":
        last = right[-1]
        return (*right, Step(last.thing, _OPPOSITE[last.way]))
    if kind == "swapped":
        return (*right[:place], *reversed(right[place : place + 2]), *right[place + 2 :])
    if kind == "random":
        return tuple(dice.pick(riddle.steps) for _ in range(len(right) + dice.below(3)))
    at = dice.below(len(right) + 1)
    if kind == "unknown":
        return (*right[:at], Step(dice.pick("WXYZ"), step.way), *right[at:])
    label = dice.pick([one.thing for one in riddle.steps if one.thing != RED_LABEL] or [RED_LABEL])
    return (*right[:at], Step(label, dice.pick(("sideways", "diagonally", "around the corner"))), *right[at:])
