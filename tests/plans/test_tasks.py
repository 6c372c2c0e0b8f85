"""Rush hour and sliding puzzles answered in words, from the request to the verdict's message."""

import hashlib
import json
import math

import pytest

from grader.contract.requests import job_from_proto
from grader.contract.verdicts import verdict_to_proto
from grader.engine.engine import Engine
from grader.importers.mentisoculi.messages import lot_message
from grader.model.errors import InvalidRequestError
from grader.model.jobs import CandidateKind
from grader.model.verdict import Outcome
from grader.serving.work import inline_only
from grader.tasks.registry import list_tasks
from grader.v1 import rush_hour_pb2, service_pb2, verdict_pb2
from puzzles.rush_hour.generator import generate_lot
from puzzles.rush_hour.lot import Lot

ENGINE = Engine()
UP = math.pi / 2


def lot(*blockers):
    """A lot of 10 x 10 whose red car leaves on the right, once the blockers at these x are out of its way.

    Blockers stand upright across its line, labelled A, C, D and so on; forward is up. B is parked in a corner.
    """
    task = rush_hour_pb2.RushHourTask()
    puzzle = task.puzzle
    puzzle.width = puzzle.height = 10.0
    puzzle.exits.add(side=rush_hour_pb2.LOT_SIDE_RIGHT, start=4.5, end=5.5)
    puzzle.vehicles.add(label="R", length=1.8, width=0.9, pose={"x": 1.0, "y": 5.0})
    puzzle.vehicles.add(label="B", length=2.0, width=0.9, pose={"x": 2.0, "y": 1.0}, fixed=True)
    for label, x in zip("ACDE", blockers, strict=False):
        puzzle.vehicles.add(label=label, length=2.0, width=0.9, pose={"x": x, "y": 5.0, "theta_rad": UP})
    puzzle.obstacles.add(length=1.0, width=1.0, pose={"x": 9.0, "y": 9.0})
    return task


def driving(text, *blockers):
    return service_pb2.GradeRequest(request_id="lot", text=text, rush_hour=lot(*(blockers or (5.0,))))


# 3 1      1 2
# _ 2  ->  3 _  by up, right, down; its states are a ring of 12, so the other way takes 9 moves.
def sliding(text, tiles=(3, 1, -1, 2), target=(1, 2, 3, -1), size=2):
    request = service_pb2.GradeRequest(request_id="tiles", text=text)
    request.sliding.puzzle.size_cells = size
    request.sliding.puzzle.tiles.extend(tiles)
    request.sliding.truth.tiles.extend(target)
    return request


def graded(request):
    return ENGINE.grade(job_from_proto(request, lambda media, _: media.data or None))


def metrics_of(verdict):
    return {metric.name: metric.value for metric in verdict.metrics}


# --- right and wrong plans ---


@pytest.mark.parametrize(
    ("request_", "reward"),
    [
        (driving("A forward, R forward"), 1.0),
        (driving('{"answer": "A backward, R forward"}'), 1.0),
        (driving("AF RF"), 1.0),
        (driving("A+, C-, R+", 5.0, 7.0), 1.0),
        # Longer than it need be, with a move of length zero: 2 of 4 matter, and (2/4)^3 is earned.
        (driving("R backward, A forward, A forward, R forward"), 0.125),
        (sliding("up, right, down"), 1.0),
        (sliding('{"answer": ["up", "right", "down"]}'), 1.0),
        # Round the ring the other way: each of the 9 moves matters, where 3 do.
        (sliding("right, up, left, down, right, up, left, down, right"), 1 / 3),
    ],
    ids=lambda value: getattr(value, "text", None),
)
def test_plans_that_solve_it_pass(request_, reward):
    verdict = graded(request_)
    assert (verdict.outcome, verdict.score, verdict.reasons) == (Outcome.PASS, 1.0, ())
    assert verdict.reward == pytest.approx(reward)
    assert metrics_of(verdict)["parse_lenient"] == 1.0
    assert metrics_of(verdict)["plan_progress"] == 1.0


PLAN = "A forward, R forward"


@pytest.mark.parametrize(
    ("request_", "code", "move", "progress", "share"),
    [
        # The lot takes 2 moves; after A forward 1 is left: 1 - 1/2, and the one move brought it nearer.
        (driving("A forward"), "GOAL_NOT_REACHED", None, 1 / 2, 1),
        (driving("R forward"), "GOAL_NOT_REACHED", None, 0, 0),  # against A, which still has to move: 1 - 2/2
        # It was there, and left again: 1 - 1/2, by one move of three.
        (driving(f"{PLAN}, R backward"), "GOAL_NOT_REACHED", None, 1 / 2, 1 / 3),
        (driving(f"Z forward, {PLAN}"), "UNKNOWN_VEHICLE", 1, 0, 0),  # nothing is made before the fault: 1 - 2/2
        (driving("A forward, Z forward, R forward"), "UNKNOWN_VEHICLE", 2, 1 / 2, 1 / 3),
        (driving("A forward, B forward, R forward"), "IMMOVABLE_VEHICLE", 2, 1 / 2, 1 / 3),
        (driving(f"{PLAN}, Z forward"), "UNKNOWN_VEHICLE", 3, 1, 2 / 3),  # none is left: 1 - 0/2
        # With three blockers it takes 4; after two of them 2 are left: 1 - 2/4. After one: 1 - 3/4.
        (driving("A forward, C backward", 4.0, 6.0, 8.0), "GOAL_NOT_REACHED", None, 1 / 2, 1),
        (driving("D forward, R forward", 4.0, 6.0, 8.0), "GOAL_NOT_REACHED", None, 1 / 4, 1 / 2),
        # The tiles take 3 moves; after 1 and 2 of them: 1 - 2/3 and 1 - 1/3.
        (sliding("up"), "GOAL_NOT_REACHED", None, 1 / 3, 1),
        (sliding("up, right"), "GOAL_NOT_REACHED", None, 2 / 3, 1),
        (sliding("up, left, right, down"), "OFF_THE_GRID", 2, 1 / 3, 1 / 4),
        (sliding("left"), "OFF_THE_GRID", 1, 0, 0),
        (sliding("right"), "GOAL_NOT_REACHED", None, 0, 0),  # the wrong way round: 4 are left
        (sliding("up, right, down, up"), "GOAL_NOT_REACHED", None, 2 / 3, 2 / 4),  # solved and undone: 1 is left
    ],
    ids=lambda value: getattr(value, "text", None),
)
def test_plans_that_fail_say_where_and_earn_what_they_did(request_, code, move, progress, share):
    verdict = graded(request_)
    (reason,) = verdict.reasons
    assert (verdict.outcome, verdict.score, reason.code) == (Outcome.FAIL, 0.0, code)
    assert [place.move for place in reason.places] == ([] if move is None else [move])
    needed = metrics_of(verdict)["least_moves"]
    most = 0.9 * (needed / (needed + 2)) ** 3  # less than any plan earns that wastes two moves
    assert verdict.reward == pytest.approx(most * progress * share**3, abs=1e-12)
    assert metrics_of(verdict)["plan_progress"] == pytest.approx(progress, abs=1e-12)
    if move is not None:
        assert f"ove {move}" in reason.message


@pytest.mark.parametrize("make", [driving, sliding])
@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "ANSWER_MISSING"),
        (" \n\t", "ANSWER_MISSING"),
        ("I looked at the picture for a long time.", "ANSWER_MISSING"),
        ('{"answer": ""}', "ANSWER_EMPTY"),
        ('{"answer": "unknown"}', "ANSWER_REFUSED"),
        ('{"answer": "bananas, please"}', "ANSWER_UNREADABLE"),
    ],
)
def test_no_answer_is_wrong_and_earns_nothing(make, text, code):
    verdict = graded(make(text))
    (reason,) = verdict.reasons
    assert (verdict.outcome, verdict.score, verdict.reward) == (Outcome.FAIL, 0.0, 0.0)
    assert (reason.code, reason.places) == (code, ())
    found = {metric.name: metric for metric in verdict.metrics}
    assert (found["parse_strict"].value, found["parse_lenient"].value, found["plan_progress"].value) == (0.0, 0.0, 0.0)
    assert (found["moves"].value, found["moves"].unavailable_reason) == (None, "there is no plan")
    assert found["least_moves"].value is not None
    assert [reading.answered for reading in verdict.observation.readings] == [False, False]


def test_the_lenient_reading_decides_and_both_are_reported():
    verdict = graded(driving("First I move A out of the way. The answer is A forward, R forward."))
    found = metrics_of(verdict)
    assert (verdict.outcome, found["parse_lenient"], found["parse_strict"]) == (Outcome.PASS, 1.0, 0.0)


def test_unknown_vehicles_can_be_looked_past_beside_the_outcome():
    verdict = graded(driving("A forward, Z forward, R forward"))
    assert (verdict.outcome, metrics_of(verdict)["solved_without_unknown"]) == (Outcome.FAIL, 1.0)
    assert metrics_of(graded(driving("Z forward, R forward")))["solved_without_unknown"] == 0.0
    assert metrics_of(graded(driving(PLAN)))["solved_without_unknown"] == 1.0


def test_a_reversed_vehicle_goes_the_other_way():
    request = driving("R forward")
    del request.rush_hour.puzzle.vehicles[2]
    assert graded(request).outcome is Outcome.PASS
    request.rush_hour.puzzle.vehicles[0].forward_reversed = True
    assert graded(request).outcome is Outcome.FAIL
    request.text = "R backward"
    assert graded(request).outcome is Outcome.PASS


# --- what a verdict carries ---


@pytest.mark.parametrize("request_", [driving(PLAN), sliding("up, left")], ids=["rush_hour", "sliding"])
def test_a_verdict_has_all_metrics_of_words_and_no_other(request_):
    task = next(one for one in list_tasks() if one.name == request_.WhichOneof("task"))
    declared = [metric.name for metric in task.metrics if CandidateKind.TEXT in metric.kinds]
    assert [metric.name for metric in graded(request_).metrics] == declared
    bounds = {metric.name: (metric.lower_bound, metric.upper_bound) for metric in task.metrics}
    for name, value in metrics_of(graded(request_)).items():
        assert value is not None
        assert bounds[name][0] <= value <= bounds[name][1]


def test_a_verdict_says_what_it_was_made_of():
    made = graded(driving(PLAN)).provenance
    assert made.input_sha256 == {"text": hashlib.sha256(PLAN.encode()).hexdigest()}
    assert (made.profile, "av" in made.library_versions) == ("default", False)  # no clip was decoded
    assert graded(driving("ünïcode ✓")).provenance.input_sha256 == {
        "text": hashlib.sha256("ünïcode ✓".encode()).hexdigest()
    }


@pytest.mark.parametrize("request_", [driving("A forward, Z forward"), sliding("up, left"), sliding("")], ids=str)
def test_a_verdict_comes_whole_through_the_contract(request_):
    verdict = graded(request_)
    sent = verdict_to_proto(verdict).SerializeToString(deterministic=True)
    got = verdict_pb2.Verdict.FromString(sent)
    assert (got.outcome, got.HasField("score"), got.score) == (verdict_pb2.OUTCOME_FAIL, True, 0.0)
    assert got.reward == verdict.reward
    assert [(one.name, one.value if one.HasField("value") else None) for one in got.metrics] == list(
        metrics_of(verdict).items()
    )
    assert [(one.code, one.message) for one in got.reasons] == [(one.code, one.message) for one in verdict.reasons]
    assert [[place.move for place in one.places] for one in got.reasons] == [
        [place.move for place in one.places] for one in verdict.reasons
    ]
    strict, lenient = got.observation.plan.readings
    assert (list(lenient.moves), lenient.answered) == (
        list(verdict.observation.readings[1].moves), verdict.observation.readings[1].answered
    )  # fmt: skip
    assert strict.reading != lenient.reading
    assert not got.HasField("alignment")
    assert verdict_to_proto(graded(request_)).SerializeToString(deterministic=True) == sent


# --- wrong requests ---


def refused(request):
    with pytest.raises(InvalidRequestError) as caught:
        graded(request)
    return [(wrong.field, wrong.reason) for wrong in caught.value.violations]


LOT = "rush_hour.puzzle"


def lot_but(change):
    request = driving(PLAN)
    change(request.rush_hour.puzzle)
    return request


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda p: p.vehicles[2].ClearField("pose"), (f"{LOT}.vehicles[2].pose", "MISSING")),
        (lambda p: p.obstacles[0].ClearField("pose"), (f"{LOT}.obstacles[0].pose", "MISSING")),
        (lambda p: p.exits[0].ClearField("side"), (f"{LOT}.exits[0].side", "MISSING")),
        (lambda p: setattr(p.exits[0], "end", 4.0), (f"{LOT}.exits[0]", "OUT_OF_RANGE")),
        (lambda p: setattr(p.exits[0], "end", 11.0), (LOT, "OUT_OF_RANGE")),
        (lambda p: p.ClearField("exits"), (f"{LOT}.exits", "MISSING")),
        (lambda p: setattr(p.vehicles[2], "label", "AA"), (f"{LOT}.vehicles[2].label", "OUT_OF_RANGE")),
        (lambda p: setattr(p.vehicles[2], "label", ""), (f"{LOT}.vehicles[2].label", "OUT_OF_RANGE")),
        (lambda p: setattr(p.vehicles[2], "label", "a"), (f"{LOT}.vehicles[2].label", "OUT_OF_RANGE")),
        (lambda p: setattr(p.vehicles[2], "label", "R"), (f"{LOT}.vehicles[2].label", "MISMATCH")),
        (lambda p: setattr(p.vehicles[2], "label", "B"), (f"{LOT}.vehicles[2].label", "MISMATCH")),
        (lambda p: setattr(p.vehicles[0], "label", "Q"), (f"{LOT}.vehicles", "MISSING")),
        (lambda p: setattr(p.vehicles[2], "length", 0.0), (f"{LOT}.vehicles[2]", "OUT_OF_RANGE")),
        (lambda p: setattr(p.vehicles[2].pose, "x", math.nan), (f"{LOT}.vehicles[2]", "OUT_OF_RANGE")),
        (lambda p: setattr(p.vehicles[2].pose, "theta_rad", math.inf), (f"{LOT}.vehicles[2]", "OUT_OF_RANGE")),
        (lambda p: setattr(p.vehicles[2], "color_hex", "blue"), (f"{LOT}.vehicles[2]", "OUT_OF_RANGE")),
        (lambda p: setattr(p.vehicles[2].pose, "x", 1.5), (LOT, "OUT_OF_RANGE")),  # onto the red car
        (lambda p: setattr(p.vehicles[2].pose, "y", 9.5), (LOT, "OUT_OF_RANGE")),  # out of the lot
        (lambda p: setattr(p.obstacles[0], "width", -1.0), (f"{LOT}.obstacles[0]", "OUT_OF_RANGE")),
        (lambda p: p.ClearField("width"), (LOT, "OUT_OF_RANGE")),
    ],
)  # fmt: skip
def test_wrong_fields_of_a_lot_are_named(change, expected):
    assert refused(lot_but(change)) == [expected]


def test_vehicles_that_overlap_are_named():
    request = lot_but(lambda puzzle: setattr(puzzle.vehicles[2].pose, "x", 1.5))
    with pytest.raises(InvalidRequestError, match="'R' and 'A' overlap by"):
        graded(request)


def test_all_wrong_fields_are_named_at_once():
    def change(puzzle):
        puzzle.vehicles[1].label, puzzle.vehicles[2].label = "AA", "b"
        puzzle.exits[0].ClearField("side")

    fields = [f"{LOT}.exits[0].side", f"{LOT}.vehicles[1].label", f"{LOT}.vehicles[2].label"]
    assert [field for field, _ in refused(lot_but(change))] == fields


START, GOAL = "sliding.puzzle.tiles", "sliding.truth.tiles"


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        (sliding("up", tiles=(3, 1, -1)), [(START, "OUT_OF_RANGE")]),
        (sliding("up", tiles=()), [(START, "MISSING")]),
        (sliding("up", tiles=(), target=()), [(START, "MISSING"), (GOAL, "MISSING")]),
        (sliding("up", tiles=(3, 3, -1, 2)), [(START, "OUT_OF_RANGE")]),
        (sliding("up", tiles=(3, 1, 4, 2)), [(START, "OUT_OF_RANGE")]),
        (sliding("up", tiles=(3, 0, -1, 2)), [(START, "OUT_OF_RANGE")]),
        (sliding("up", target=(1, 2, 3, 3)), [(GOAL, "OUT_OF_RANGE")]),
        (sliding("up", target=(1, 2, 4, -1)), [(GOAL, "MISMATCH")]),  # other tiles
        (sliding("up", target=(2, 1, 3, -1)), [(GOAL, "MISMATCH")]),  # two tiles changed places: no moves lead there
        (sliding("up", size=3), [(START, "OUT_OF_RANGE"), (GOAL, "OUT_OF_RANGE")]),
        (sliding("up", size=1), [("sliding.puzzle.size_cells", "OUT_OF_RANGE")]),
        (sliding("up", size=6), [("sliding.puzzle.size_cells", "OUT_OF_RANGE")]),
    ],
    ids=str,
)
def test_wrong_fields_of_tiles_are_named(request_, expected):
    assert refused(request_) == expected


def test_a_puzzle_that_no_moves_solve_is_said_to_be_one():
    with pytest.raises(InvalidRequestError, match="an odd number of swaps away"):
        graded(sliding("up", target=(2, 1, 3, -1)))


def test_a_target_of_other_tiles_is_said_to_be_one():
    with pytest.raises(InvalidRequestError, match="it has other tiles than"):
        graded(sliding("up", target=(1, 2, 4, -1)))


def test_a_picture_that_words_do_not_need_is_still_checked():
    request = sliding("up, right, down")
    request.sliding.puzzle.image.data = b"no picture"
    ((field, _),) = refused(request)
    assert field == "sliding.puzzle.image"


@pytest.mark.parametrize("make", [driving, sliding])
def test_a_candidate_of_another_kind_is_refused(make):
    request = make("")
    request.image.data = b"\x89PNG"
    assert request.WhichOneof("candidate") == "image"
    assert refused(request) == [("candidate", "NOT_TAKEN")]
    with pytest.raises(InvalidRequestError, match=r"takes no image; send one of: .*text"):
        graded(request)


@pytest.mark.parametrize("make", [driving, sliding])
def test_a_request_without_candidate_is_refused(make):
    request = make("")
    request.ClearField("text")
    assert refused(request) == [("candidate", "MISSING")]


def test_the_same_puzzle_with_other_words_is_not_taken_from_memory():
    engine = Engine()
    found = [engine.grade(job_from_proto(driving(text), lambda *_: None)).outcome for text in (PLAN, "R forward", PLAN)]
    assert found == [Outcome.PASS, Outcome.FAIL, Outcome.PASS]


def test_json_answers_with_keys_beside_the_plan_are_read():
    text = json.dumps({"reasoning": "Z forward looks good", "answer": PLAN})
    assert graded(driving(text)).outcome is Outcome.PASS


def test_moves_at_random_are_no_plan() -> None:
    """The lot needs 2 moves, so 5 x 2 + 10 = 20 count as a plan; 9 pairs that change nothing and the 2 moves are 20."""
    made = generate_lot(2, seed=1)
    solution = ", ".join(map(str, made.solution))
    idle = f"{made.solution[0]}, " * 18
    within = ENGINE.grade(job_from_proto(_asked(made.lot, idle + solution), inline_only))
    # It is a plan, of which 2 of 20 moves matter, 10 times as long as need be.
    assert (within.outcome, within.reward) == (Outcome.PASS, pytest.approx(0.1 * 0.1**3))
    beyond = ENGINE.grade(job_from_proto(_asked(made.lot, f"{made.solution[0]}, " + idle + solution), inline_only))
    assert ([reason.code for reason in beyond.reasons], beyond.score, beyond.reward) == (["PLAN_TOO_LONG"], 1.0, 0.0)


def _asked(lot: Lot, plan: str) -> service_pb2.GradeRequest:
    request = service_pb2.GradeRequest(request_id="r", rush_hour=lot_message(lot))
    request.text = json.dumps({"answer": plan})
    return request
