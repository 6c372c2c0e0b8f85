"""A picture after every action: the moves between pictures, the first that does not follow, and the words beside."""

from __future__ import annotations

import math

import pytest

from grader.model.verdict import Outcome
from grader.tasks.plans.settings import PLAN_RULES
from grader.tasks.plans.steps import ShownPlan, judge_steps
from grader.tasks.rush_hour.settings import StepTolerance
from grader.tasks.rush_hour.steps import LotPicture, read_lot_steps
from grader.tasks.sliding.steps import read_tile_steps
from puzzles.rush_hour.lot import Exit, Lot, Obstacle, Pose, Side, Vehicle
from puzzles.rush_hour.rules import Direction, Move, simulate
from puzzles.sliding.tiles import SlidingPuzzle

EAST, NORTH = (1.0, 0.0), (0.0, 1.0)
# The red car stands at the left and the exit is on the right. A stands across its way and reaches from y = 4 to 6; the
# lower edge is 4 units away, and above it an obstacle begins at y = 7.
LOT = Lot(
    10.0,
    10.0,
    (Exit(Side.RIGHT, 4.4, 5.6),),
    (
        Vehicle("red_car", "R", 2.0, 1.0, Pose(1.0, 5.0), EAST, color="#E85D75"),
        Vehicle("a", "A", 2.0, 1.0, Pose(6.0, 5.0, math.pi / 2), NORTH, color="#0090C1"),
        Vehicle("b", "B", 2.0, 1.0, Pose(2.0, 1.0), EAST, color="#2EC4B6"),
    ),
    (Obstacle("o", 1.0, 1.0, Pose(6.0, 7.5)),),
)
SOLUTION = (Move("A", Direction.BACKWARD), Move("R", Direction.FORWARD))


def picture(*changes: tuple[str, float], at: int = 0, **more: object) -> LotPicture:
    """The lot after so many moves of the solution, with vehicles displaced forward."""
    poses = simulate(LOT, SOLUTION[:at]).poses[-1]
    moved = dict(changes)
    return LotPicture(
        tuple(
            (
                pose.x + vehicle.axis[0] * moved.get(vehicle.label, 0.0),
                pose.y + vehicle.axis[1] * moved.get(vehicle.label, 0.0),
                pose.theta,
            )
            for vehicle, pose in zip(LOT.vehicles, poses, strict=True)
        ),
        **more,  # type: ignore[arg-type]
    )


def codes(plan: ShownPlan) -> list[str]:
    return [step.fault.code if step.fault else "" for step in plan.steps]


def test_right_pictures_show_the_plan() -> None:
    plan = read_lot_steps(LOT, [picture(at=1), picture(at=2)])
    assert [step.seen.moves for step in plan.steps] == [("A backward",), ("R forward",)]
    assert [step.seen.legal for step in plan.steps] == [True, True]
    assert (codes(plan), plan.reached, plan.left) == (["", ""], True, 0)


def test_what_is_drawn_a_little_off_is_still_the_move() -> None:
    """0.15 units are within the 0.2 that stand for exact; the state that follows is the exact one."""
    plan = read_lot_steps(LOT, [picture(("A", 0.15), ("B", -0.1), at=1), picture(("R", -0.15), at=2)])
    assert (codes(plan), plan.reached) == (["", ""], True)


@pytest.mark.parametrize(("short", "fault"), [(0.15, ""), (0.3, "STEP_ILLEGAL")])
def test_a_move_goes_to_contact(short: float, fault: str) -> None:
    """A goes back by 4 units; 0.3 short of that is no complete move."""
    plan = read_lot_steps(LOT, [picture(("A", short), at=1)])
    assert codes(plan) == [fault]


def test_a_move_further_than_the_contact_is_through_something() -> None:
    """Forward, A may go 1 unit up to the obstacle at y = 7; it is shown 2.5 units away."""
    plan = read_lot_steps(LOT, [picture(("A", 2.5))])
    (step,) = plan.steps
    assert step.fault is not None
    assert (step.fault.code, step.fault.message) == ("STEP_ILLEGAL", "A forward goes 1.50 units further than it can.")


def test_the_red_car_may_be_drawn_on_its_way_out() -> None:
    plan = read_lot_steps(LOT, [picture(at=1), picture(("R", 1.0), at=2)])
    assert (codes(plan), plan.reached) == (["", ""], True)


def test_two_moves_in_one_picture_are_a_missing_step() -> None:
    plan = read_lot_steps(LOT, [picture(at=2)])
    assert codes(plan) == ["STEP_MISSING"]
    # Nothing was done legally: both moves are left.
    assert (plan.reached, plan.left) == (True, 2)
    judged = judge_steps(plan, ("A backward", "R forward"), words_solve=True, needed=2, rules=PLAN_RULES, matter=len)
    assert (judged.outcome, judged.reward) == (Outcome.FAIL, 0.0)
    found = {metric.name: metric.value for metric in judged.metrics}
    assert (found["missing_steps"], found["images_minus_actions"], found["images_minus_expected"]) == (1.0, -1.0, -1.0)


def test_a_legal_prefix_earns_its_share() -> None:
    """One of two moves is left: progress 1 - 1/2, reward 0.9 x 0.5."""
    plan = read_lot_steps(LOT, [picture(at=1)])
    judged = judge_steps(plan, None, words_solve=False, needed=2, rules=PLAN_RULES, matter=len)
    assert [reason.code for reason in judged.reasons] == ["GOAL_NOT_SHOWN"]
    assert judged.reward == pytest.approx(0.45 * (2 / 4) ** 3)
    assert {metric.name: metric.value for metric in judged.metrics}["agreement"] is None


@pytest.mark.parametrize(
    "altered",
    [
        picture(at=1, spurious=1),
        picture(at=1, altered="the exit is on another side."),
        LotPicture((*picture(at=1).poses[:2], None)),
    ],
    ids=["spurious", "exit", "vanished"],
)
def test_what_is_altered_earns_nothing(altered: LotPicture) -> None:
    plan = read_lot_steps(LOT, [altered, picture(at=2)])
    judged = judge_steps(plan, None, words_solve=False, needed=2, rules=PLAN_RULES, matter=len)
    assert (judged.outcome, judged.reward, judged.reasons[0].code) == (Outcome.FAIL, 0.0, "STEP_ALTERED")
    assert judged.reasons[0].places[0].step == 1


@pytest.mark.parametrize(
    ("pose", "words"), [((6.6, 5.0, math.pi / 2), "off its axis"), ((6.0, 5.0, 1.2), "turned by 21 degrees")]
)
def test_a_vehicle_stays_on_its_axis(pose: tuple[float, float, float], words: str) -> None:
    """90 degrees less 1.2 rad are 21."""
    poses = picture().poses
    (step,) = read_lot_steps(LOT, [LotPicture((poses[0], pose, poses[2]))]).steps
    assert step.fault is not None
    assert step.fault.code == "STEP_ILLEGAL"
    assert words in step.fault.message


def test_a_picture_that_repeats_the_last_is_an_extra_step() -> None:
    plan = read_lot_steps(LOT, [picture(), picture(at=1), picture(at=1), picture(at=2)])
    judged = judge_steps(plan, ("A backward", "R forward"), words_solve=True, needed=2, rules=PLAN_RULES, matter=len)
    found = {metric.name: metric.value for metric in judged.metrics}
    assert judged.outcome is Outcome.PASS
    assert (found["extra_steps"], found["images_minus_expected"], found["agreement"]) == (2.0, 2.0, 1.0)
    assert found["first_wrong_step"] is None


def test_no_picture_is_no_plan() -> None:
    judged = judge_steps(read_lot_steps(LOT, []), None, words_solve=True, needed=2, rules=PLAN_RULES, matter=len)
    assert ([reason.code for reason in judged.reasons], judged.reward) == (["NO_IMAGES"], 0.0)


def test_a_picture_that_does_not_decode_is_a_wrong_step() -> None:
    plan = read_lot_steps(LOT, [picture(at=1), None])
    judged = judge_steps(plan, None, words_solve=False, needed=2, rules=PLAN_RULES, matter=len)
    assert [reason.code for reason in judged.reasons] == ["STEP_UNREADABLE"]
    assert judged.reward == pytest.approx(0.45 * (2 / 4) ** 3)


def test_after_a_wrong_step_later_ones_are_still_compared() -> None:
    """B's move is legal and of no use; the next picture then changes three vehicles."""
    first = picture(("B", 7.0))
    plan = read_lot_steps(LOT, [first, picture(at=2)], StepTolerance())
    assert codes(plan) == ["", "STEP_MISSING"]
    assert set(plan.steps[1].seen.moves) == {"A backward", "B backward", "R forward"}


# --- tiles ---

#  1 2       1 2
#  _ 3   to  3 _
TILES = SlidingPuzzle((1, 2, -1, 3), (1, 2, 3, -1))


def test_tiles_move_one_at_a_time() -> None:
    plan = read_tile_steps(TILES, [(1, 2, 3, -1)])
    assert (plan.steps[0].seen.moves, plan.reached, plan.left) == (("right",), True, 0)


def test_two_moves_of_tiles_at_once_are_named() -> None:
    # Up and then right: the blank goes from the lower left to the upper left and to the upper right.
    plan = read_tile_steps(TILES, [(2, -1, 1, 3)])
    assert (codes(plan), plan.steps[0].seen.moves) == (["STEP_MISSING"], ("up", "right"))


@pytest.mark.parametrize(
    ("shown", "code"),
    [
        ((1, 1, -1, 3), "STEP_ALTERED"),
        ((1, 2, 0, 3), "STEP_ALTERED"),
        ((1, 2, -1, -1), "STEP_ALTERED"),
        ((2, 1, -1, 3), "STEP_ILLEGAL"),
    ],
    ids=["twice", "no blank", "two blanks", "swap"],
)
def test_what_is_no_move_of_tiles_has_its_reason(shown: tuple[int, ...], code: str) -> None:
    plan = read_tile_steps(TILES, [shown])
    assert codes(plan) == [code]
    assert plan.left == 1
