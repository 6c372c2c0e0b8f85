"""What a series of pictures of a lot shows: the moves between them, and the first that the rules do not allow."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from grader.tasks.plans.model import StepSeen, VehicleSeen
from grader.tasks.plans.settings import PLAN_RULES, PlanRules
from grader.tasks.plans.steps import PictureFault, ShownPlan, ShownStep
from grader.tasks.rush_hour.progress import least_moves_in_lot
from grader.tasks.rush_hour.settings import RUSH_HOUR_SETTINGS, StepTolerance
from puzzles.rush_hour.contact import Floats
from puzzles.rush_hour.lot import Lot
from puzzles.rush_hour.rules import Direction, Move, move_numbers
from puzzles.rush_hour.slides import SlideTable


@dataclass(frozen=True)
class LotPicture:
    """A picture of a lot, as it was read.

    Attributes
    ----------
    poses : (x, y, theta) of each vehicle in the lot's order, in units of the lot and radians; None where it is not seen
    spurious : how many things stand in the lot that do not belong there
    altered : what else of the lot is not as in the puzzle, in words; empty for nothing
    about : the vehicle that this is about; empty for none
    """

    poses: tuple[tuple[float, float, float] | None, ...]
    spurious: int = 0
    altered: str = ""
    about: str = ""


class _Reader:
    """Goes through the pictures, with the state that the last one shows."""

    def __init__(self, lot: Lot, tolerance: StepTolerance, rules: PlanRules) -> None:
        self.lot, self.tolerance, self._rules = lot, tolerance, rules
        self._exact = SlideTable(lot)
        smallest = min(min(vehicle.length, vehicle.width) for vehicle in lot.vehicles)
        self._loose = SlideTable(lot, -min(tolerance.shrunk, smallest * tolerance.shrunk_share))
        self._numbers = move_numbers(lot)
        self.state: Floats = self._exact.start
        self._is_exact = True

    def step(self, picture: LotPicture | None) -> ShownStep:
        """Takes the next picture."""
        if picture is None:
            return ShownStep(
                StepSeen((), False, ("STEP_UNREADABLE",)), PictureFault("STEP_UNREADABLE", "it can't be read.")
            )
        seen = self._vehicles(picture)
        gone, altered = self._displaced(picture)
        moves, fault = self._moved(gone)
        fault = altered or fault
        faults = () if fault is None else (fault.code,)
        return ShownStep(StepSeen(moves, fault is None and len(moves) == 1, faults, vehicles=seen), fault)

    def _vehicles(self, picture: LotPicture) -> tuple[VehicleSeen, ...]:
        return tuple(
            VehicleSeen(vehicle.label, *pose)
            for vehicle, pose in zip(self.lot.vehicles, picture.poses, strict=True)
            if pose is not None
        )

    def _displaced(self, picture: LotPicture) -> tuple[Floats, PictureFault | None]:
        """How far each vehicle has gone forward, and what is not as in the puzzle."""
        gone, fault = self.state.copy(), None
        if picture.altered:
            fault = PictureFault("STEP_ALTERED", picture.altered, picture.about)
        if picture.spurious:
            fault = PictureFault("STEP_ALTERED", "something stands in the lot that does not belong there.")
        for place, (vehicle, pose) in enumerate(zip(self.lot.vehicles, picture.poses, strict=True)):
            if pose is None:
                fault = PictureFault("STEP_ALTERED", f"vehicle {vehicle.label} is not there.", vehicle.label)
                continue
            x, y = pose[0] - vehicle.pose.x, pose[1] - vehicle.pose.y
            gone[place] = x * vehicle.axis[0] + y * vehicle.axis[1]
            aside = abs(y * vehicle.axis[0] - x * vehicle.axis[1])
            # A rectangle looks the same after half a turn.
            turned = abs(math.remainder(pose[2] - vehicle.pose.theta, math.pi))
            if aside > self.tolerance.aside:
                text = f"vehicle {vehicle.label} stands {aside:.2f} units off its axis."
                fault = fault or PictureFault("STEP_ILLEGAL", text, vehicle.label)
            elif turned > self.tolerance.turned_rad:
                text = f"vehicle {vehicle.label} is turned by {math.degrees(turned):.0f} degrees."
                fault = fault or PictureFault("STEP_ILLEGAL", text, vehicle.label)
        return gone, fault

    def _moved(self, gone: Floats) -> tuple[tuple[str, ...], PictureFault | None]:
        moved = np.flatnonzero(np.abs(gone - self.state) > self.tolerance.still)
        moves = [
            Move(
                self.lot.vehicles[place].label,
                Direction.FORWARD if gone[place] > self.state[place] else Direction.BACKWARD,
            )
            for place in moved
        ]
        names = tuple(map(str, moves))
        fault: PictureFault | None = None
        if not moves:
            return (), None
        if len(moves) > 1:
            fault = PictureFault("STEP_MISSING", f"{len(moves)} moves at once: {', '.join(names)}.", moves[0].label)
        elif moves[0] not in self._numbers:
            fault = PictureFault("STEP_ILLEGAL", f"vehicle {moves[0].label} can't move.", moves[0].label)
        else:
            place, number = int(moved[0]), self._numbers[moves[0]]
            expected = self._after(number)
            short = abs(float(expected[place] - self.state[place])) - abs(float(gone[place] - self.state[place]))
            if short > self.tolerance.contact:
                text = f"{names[0]} ends {short:.2f} units before it touches anything."
                fault = PictureFault("STEP_ILLEGAL", text, moves[0].label)
            elif -short > self.tolerance.contact and not self._leaves(moves[0], expected):
                text = f"{names[0]} goes {-short:.2f} units further than it can."
                fault = PictureFault("STEP_ILLEGAL", text, moves[0].label)
            else:
                self.state = expected
                return names, None
        self.state, self._is_exact = gone, False
        return names, fault

    def _leaves(self, move: Move, expected: Floats) -> bool:
        """Whether it is the red car that drives on through the exit, as a drawing may show it."""
        return move.label == self.lot.red.label and bool(self._exact.solved(expected[None, :])[0])

    def _after(self, number: int) -> Floats:
        table = self._exact if self._is_exact else self._loose
        states, moves = self.state[None, :], np.array([number])
        return np.asarray(table.after(states, moves, table.slide(states, moves)[0])[0])

    def at_exit(self) -> bool:
        """Whether the red car is at an exit, or as near to it as pictures are exact."""
        states = self.state[None, :]
        if self._exact.solved(states)[0]:
            return True
        for number in self._exact.red_moves:
            distance, _ = self._loose.slide(states, np.array([number]))
            following = self._exact.after(states, np.array([number]), distance)
            near = abs(float(distance[0])) <= self.tolerance.near_exit
            if near and self._loose.solved(following)[0]:
                return True
        return False

    def left(self, state: Floats) -> int | None:
        """The least number of moves from a state that was reached by legal moves."""
        return least_moves_in_lot(self.lot, self._rules.most_states, self._exact.poses(state))


def read_lot_steps(
    lot: Lot,
    pictures: Sequence[LotPicture | None],
    tolerance: StepTolerance = RUSH_HOUR_SETTINGS.steps,
    rules: PlanRules = PLAN_RULES,
) -> ShownPlan:
    """Reads the moves between pictures.

    Parameters
    ----------
    lot : Lot
    pictures : sequence of LotPicture or None
        None for one that does not decode, or does not show the lot.
    tolerance : StepTolerance
    rules : PlanRules
    """
    reader = _Reader(lot, tolerance, rules)
    steps: list[ShownStep] = []
    legal = reader.state
    faulty = False
    for picture in pictures:
        steps.append(reader.step(picture))
        faulty = faulty or steps[-1].fault is not None
        if not faulty:
            legal = reader.state
    reached = bool(steps) and pictures[-1] is not None and reader.at_exit()
    return ShownPlan(tuple(steps), reached, reader.left(legal))
