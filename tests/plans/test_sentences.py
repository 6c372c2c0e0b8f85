"""What a verdict on a plan in words says: one sentence for each end, with its numbers, one or many."""

from __future__ import annotations

import pytest

from grader.answers.result import Reading
from grader.model.places import Place
from grader.model.verdict import Outcome
from grader.tasks.common.judgement import Judgement
from grader.tasks.plans.answers import PlanFault
from grader.tasks.plans.settings import PLAN_RULES
from grader.tasks.plans.steps import PictureFault, ShownPlan, ShownStep, StepSeen, judge_steps
from grader.tasks.rush_hour.puzzle import LotPuzzle
from grader.tasks.rush_hour.settings import RUSH_HOUR_SETTINGS
from grader.tasks.rush_hour.words import judge_lot_words, judge_rush_hour
from grader.tasks.sliding.puzzle import TilePuzzle
from grader.tasks.sliding.settings import SLIDING_SETTINGS
from grader.tasks.sliding.words import judge_sliding, judge_tile_words
from puzzles.sliding.tiles import SlidingPuzzle
from tests.plans.test_steps import LOT

# 3 1      1 2
# _ 2  ->  3 _  by up, right, down.
TILES = SlidingPuzzle((3, 1, -1, 2), (1, 2, 3, -1))


@pytest.mark.parametrize(
    ("text", "fault", "message"),
    [
        ("up", PlanFault.GOAL_NOT_REACHED, "After 1 move the tiles are not in their places."),
        ("up, right", PlanFault.GOAL_NOT_REACHED, "After 2 moves the tiles are not in their places."),
        ("up, right, down", None, "The tiles are in their places after 3 moves."),
        ("left", PlanFault.OFF_THE_GRID, "Move 1 takes the blank left from row 2, column 1, off the grid."),
        ("up, up", PlanFault.OFF_THE_GRID, "Move 2 takes the blank up from row 1, column 1, off the grid."),
        ("", PlanFault.ANSWER_MISSING, "There is no answer in the text."),
        ('{"answer": ""}', PlanFault.ANSWER_EMPTY, "The answer is empty."),
    ],
)
def test_tiles_in_words(text, fault, message):
    judged = judge_sliding(TILES, text)[Reading.LENIENT]
    assert (judged.fault, judged.message) == (fault, message)


def test_one_move_of_tiles_may_be_enough():
    judged = judge_sliding(SlidingPuzzle((1, 2, -1, 3), (1, 2, 3, -1)), "right")[Reading.LENIENT]
    assert judged.message == "The tiles are in their places after 1 move."


@pytest.mark.parametrize(
    ("text", "fault", "message"),
    [
        ("A backward, R forward", None, "The red car is at the exit after 2 moves."),
        ("A backward", PlanFault.GOAL_NOT_REACHED, "The red car is never moved in 1 move."),
        ("A backward, A forward", PlanFault.GOAL_NOT_REACHED, "The red car is never moved in 2 moves."),
        (
            "R forward",
            PlanFault.GOAL_NOT_REACHED,
            "The red car is not at the exit; the last thing that stopped it was vehicle A.",
        ),
        (
            "R forward, R backward",
            PlanFault.GOAL_NOT_REACHED,
            "The red car is not at the exit; the last thing that stopped it was edge left.",
        ),
        (
            "A backward, Z forward",
            PlanFault.UNKNOWN_VEHICLE,
            "Move 2 names vehicle 'Z', which is not in the lot; there are A, B, R.",
        ),
    ],
)
def test_a_lot_in_words(text, fault, message):
    judged = judge_rush_hour(LOT, text)[Reading.LENIENT]
    assert (judged.fault, judged.message) == (fault, message)


def words(judgement: Judgement) -> dict[str, float | None]:
    return {one.name: one.value for one in judgement.metrics}


def test_a_verdict_on_words_has_both_readings():
    """The lenient one decides: prose is none in the strict one. One of two moves is left: 0.9 x (1 - 1/2)."""
    judged = judge_lot_words(LotPuzzle(LOT, 2), "The answer is A backward.", RUSH_HOUR_SETTINGS)
    assert (judged.outcome, judged.score, judged.reward) == (Outcome.FAIL, 0.0, pytest.approx(0.45 * (2 / 4) ** 3))
    assert words(judged) == {
        "parse_strict": 0.0, "parse_lenient": 0.0, "solved_without_unknown": 0.0, "moves": 1.0, "least_moves": 2.0,
        "plan_progress": 0.5,
    }  # fmt: skip
    strict, lenient = judged.observation.readings
    assert (strict.reading, strict.answered, strict.moves, strict.solved) == (Reading.STRICT, False, (), False)
    assert (lenient.reading, lenient.answered, lenient.moves) == (Reading.LENIENT, True, ("A backward",))
    assert lenient.message == judged.reasons[0].message
    assert judged.reasons[0].places == ()


def test_a_move_that_cant_be_made_is_counted_from_one():
    judged = judge_tile_words(TilePuzzle(TILES, 3, None), "up, up", SLIDING_SETTINGS)
    assert judged.reasons[0].places == (Place(move=2),)
    # After one of three moves, of two: 0.9 x (1 - 2/3) x (3/5)^3 x (1/2)^3.
    assert judged.reward == pytest.approx(0.0081)


def test_what_is_needed_may_not_be_known():
    judged = judge_tile_words(TilePuzzle(TILES, None, None), "up", SLIDING_SETTINGS)
    why = {one.name: one.unavailable_reason for one in judged.metrics if one.value is None}
    text = "the puzzle has too many states to search them all"
    assert why == {"least_moves": text, "plan_progress": text}
    assert judged.reward == 0.0
    solved = judge_tile_words(TilePuzzle(TILES, None, None), "up, right, down", SLIDING_SETTINGS)
    assert (solved.outcome, solved.reward) == (Outcome.PASS, 1.0)


def test_a_text_without_a_plan_has_no_moves():
    judged = judge_lot_words(LotPuzzle(LOT, 2), "Hm.", RUSH_HOUR_SETTINGS)
    why = {one.name: one.unavailable_reason for one in judged.metrics if one.value is None}
    assert why == {"solved_without_unknown": "there is no plan", "moves": "there is no plan"}
    assert (judged.reward, words(judged)["plan_progress"]) == (0.0, 0.0)


# --- series of pictures ---


def shown(*faults: str, reached: bool = True, left: int | None = 0) -> ShownPlan:
    """Pictures with these faults; an empty one for a right picture of one move, "same" for one that repeats."""
    steps = []
    for place, code in enumerate(faults):
        if code == "same":
            steps.append(ShownStep(StepSeen((), False, ()), None))
        elif code:
            steps.append(ShownStep(StepSeen((), False, (code,)), PictureFault(code, f"fault {place + 1}.", f"{place}")))
        else:
            steps.append(ShownStep(StepSeen((f"move {place + 1}",), True, ()), None))
    return ShownPlan(tuple(steps), reached, left)


def judged_steps(plan: ShownPlan, named: tuple[str, ...] | None = None, needed: int | None = 4) -> Judgement:
    return judge_steps(plan, named, False, needed, PLAN_RULES, len)


def test_faults_of_pictures_come_gravest_first_with_all_their_places():
    codes = ["STEP_MISSING", "STEP_ILLEGAL", "STEP_UNREADABLE", "STEP_ILLEGAL", "STEP_ALTERED"]
    judged = judged_steps(shown(*codes, reached=False, left=4))
    assert [(one.code, one.message) for one in judged.reasons] == [
        ("STEP_ALTERED", "Picture 5: fault 5."), ("STEP_UNREADABLE", "Picture 3: fault 3."),
        ("STEP_ILLEGAL", "Picture 2: fault 2."), ("STEP_MISSING", "Picture 1: fault 1."),
    ]  # fmt: skip
    assert judged.reasons[2].places == (Place(step=2, object="1"), Place(step=4, object="3"))
    assert (words(judged)["first_wrong_step"], judged.reward) == (1.0, 0.0)


def test_the_goal_is_missed_only_where_every_picture_follows():
    judged = judged_steps(shown("", "", reached=False, left=1))
    assert [(one.code, one.message, one.places) for one in judged.reasons] == [
        ("GOAL_NOT_SHOWN", "The last picture does not show the goal.", (Place(step=2),))
    ]
    # One of four moves is left: 0.9 x 3/4 x (4/6)^3.
    assert judged.reward == pytest.approx(0.2)


@pytest.mark.parametrize(
    ("named", "agreement", "less"),
    [
        (("move 1", "move 2", "move 3"), 1.0, 0.0),
        (("move 1", "move 2"), 2 / 3, 1.0),
        (("move 1", "move 3", "move 3"), 1 / 3, 0.0),
        (("other", "move 2", "move 3"), 0.0, 0.0),
        (("move 1", "move 2", "move 3", "move 4"), 3 / 4, -1.0),
        ((), 0.0, 3.0),
    ],
)
def test_moves_shown_and_named_agree_from_the_start_on(named, agreement, less):
    found = words(judged_steps(shown("", "", ""), named))
    assert found["agreement"] == pytest.approx(agreement)
    assert found["images_minus_actions"] == less
    assert found["images_minus_expected"] == -1.0  # 3 pictures where 4 moves are needed


def test_no_moves_shown_and_none_named_agree():
    assert words(judged_steps(shown("same"), ()))["agreement"] == 1.0


def test_what_pictures_do_not_say_is_not_available():
    judged = judged_steps(shown(""), None, None)
    why = {one.name: one.unavailable_reason for one in judged.metrics if one.value is None}
    large = "the puzzle has too many states to search them all"
    assert why == {
        "agreement": "the words name no moves", "images_minus_actions": "the words name no moves",
        "images_minus_expected": large, "first_wrong_step": "no step is wrong", "least_moves": large,
        "plan_progress": large,
    }  # fmt: skip


def test_a_series_may_be_too_long():
    """4 moves are needed, so 5 x 4 + 10 = 30 count as a plan. The score says that it is solved."""
    long = judged_steps(shown(*[""] * 31))
    assert [one.code for one in long.reasons] == ["PLAN_TOO_LONG"]
    assert (long.outcome, long.score, long.reward, words(long)["plan_progress"]) == (Outcome.FAIL, 1.0, 0.0, 0.0)
    within = judged_steps(shown(*[""] * 30))
    assert (within.outcome, within.reward) == (Outcome.PASS, pytest.approx(4 / 30))
    repeated = judged_steps(shown(*[""] * 30, "same", "same"))
    assert (repeated.outcome, words(repeated)["extra_steps"], words(repeated)["images"]) == (Outcome.PASS, 2.0, 32.0)


def test_several_moves_in_a_picture_are_missing_steps():
    """Three at once are two that have no picture."""
    fault = PictureFault("STEP_MISSING", "3 moves at once.")
    step = ShownStep(StepSeen(("a", "b", "c"), False, ("STEP_MISSING",)), fault)
    found = words(judged_steps(ShownPlan((step,), True, 4)))
    assert (found["missing_steps"], found["moves"], found["extra_steps"]) == (2.0, 3.0, 0.0)
