"""Plans for a lot in words: read, then simulated by the rules."""

from __future__ import annotations

from grader.answers.grammar.vehicles import VehicleMove
from grader.answers.result import Parsed, Reading
from grader.answers.tasks import read_rush_hour
from grader.model.verdict import Metric
from grader.tasks.common.judgement import Judgement
from grader.tasks.common.progress import count
from grader.tasks.plans.answers import PlanFault, PlanJudgement, sentence
from grader.tasks.plans.words import judge_words, judged_in_both
from grader.tasks.rush_hour.progress import least_moves_in_lot, moves_that_matter
from grader.tasks.rush_hour.puzzle import LotPuzzle
from grader.tasks.rush_hour.settings import RushHourSettings
from puzzles.common.color_names import color_name
from puzzles.rush_hour.lot import Lot, Pose
from puzzles.rush_hour.rules import Direction, FaultKind, Move, Trajectory
from puzzles.rush_hour.rules import simulate as drive

_AGAINST_THE_RULES = {
    FaultKind.UNKNOWN_LABEL: PlanFault.UNKNOWN_VEHICLE,
    FaultKind.IMMOVABLE: PlanFault.IMMOVABLE_VEHICLE,
}


def judge_lot_words(puzzle: LotPuzzle, text: str, settings: RushHourSettings) -> Judgement:
    """Judges all that a model wrote, in both readings."""
    return judge_words(
        judge_rush_hour(puzzle.lot, text),
        lambda poses: least_moves_in_lot(puzzle.lot, settings.plan.most_states, poses),
        puzzle.least_moves,
        settings.plan,
        lambda moves: moves_that_matter(puzzle.lot, moves),
        _without_unknown,
    )


def judge_rush_hour(lot: Lot, text: str) -> dict[Reading, PlanJudgement[tuple[Pose, ...]]]:
    """Reads and simulates a plan for a lot, in both readings.

    Parameters
    ----------
    lot : Lot
        The puzzle.
    text : str
        All that the model wrote.
    """
    return judged_in_both(read_rush_hour(text, only_colors(lot)), lambda read: _driven(lot, read))


def only_colors(lot: Lot) -> dict[str, str]:
    """The label of each colour that one vehicle of a lot alone has, by its name: then the colour names the vehicle."""
    named: dict[str, list[str]] = {}
    for vehicle in lot.vehicles:
        red, green, blue = bytes.fromhex(vehicle.color.removeprefix("#"))
        named.setdefault(color_name((red, green, blue)), []).append(vehicle.label)
    return {name: labels[0] for name, labels in named.items() if len(labels) == 1}


def _driven(lot: Lot, read: Parsed[tuple[VehicleMove, ...]]) -> PlanJudgement[tuple[Pose, ...]]:
    reading = Reading.LENIENT
    moves = tuple(Move(move.label, Direction(move.direction.value)) for move in read.value)
    written = tuple(map(str, moves))
    run = drive(lot, moves)
    end = run.poses[-1]
    if run.failure is not None:
        known = {vehicle.label for vehicle in lot.vehicles if vehicle.movable}
        rest = drive(lot, [move for move in moves if move.label in known])
        fault, message = _AGAINST_THE_RULES[run.failure.kind], sentence(run.failure.message)
        return PlanJudgement(reading, written, fault, message, run.failure.place, rest.solved, end)
    if not run.solved:
        return PlanJudgement(reading, written, PlanFault.GOAL_NOT_REACHED, _where_red_stopped(run), end=end)
    return PlanJudgement(
        reading, written, None, f"The red car is at the exit after {count(len(moves), 'move')}.", end=end
    )


def _where_red_stopped(run: Trajectory) -> str:
    red = [step for step in run.steps if step.move.label == "R"]
    if not red:
        return f"The red car is never moved in {count(len(run.steps), 'move')}."
    body = f" {red[-1].stop.name}" if red[-1].stop.name else ""
    return f"The red car is not at the exit; the last thing that stopped it was {red[-1].stop.kind.value}{body}."


def _without_unknown(judged: PlanJudgement[tuple[Pose, ...]]) -> tuple[Metric, ...]:
    if judged.end is None:
        return (Metric("solved_without_unknown", None, "there is no plan"),)
    solved = judged.solved if judged.solved_without_unknown is None else judged.solved_without_unknown
    return (Metric("solved_without_unknown", float(solved)),)
