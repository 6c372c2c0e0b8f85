"""What a detector's cache of GSI-Bench says: nothing found, and nothing said, before an edit and after it."""

from grader.engine.engine import Engine
from grader.importers.gsi.importer import LeftOut, Why
from grader.model.verdict import Outcome
from tests.samples.edits import PlainMeasures
from tests.samples.gsi import MOVED, RECORDS, SOURCE, cache, detection, edits, entry, imported, job_of, picture, value


def test_what_a_cache_does_not_say_is_not_nothing_found(tmp_path):
    moves = [RECORDS["move"]] * 5
    edits(tmp_path / "fine_dataset", [*moves, RECORDS["rotate"], RECORDS["view"], RECORDS["view"]])
    picture(tmp_path / "fine_dataset/room_gtedit_6.png")
    for number in (0, 1, 2, 3, 5, 6, 7):
        picture(tmp_path / f"eval/toy/generated_images_fine/room_edit_{number}.png")
    cache(
        tmp_path,
        {
            "room_0": entry([detection(SOURCE)], []),  # nothing was found
            # no room_1
            "room_2": entry(None, []),  # a move needs what was found before
            "room_3": entry([], [detection(MOVED)]),
            "room_5": entry(None, []),  # a turn does not
        },
    )
    made, requests = imported(tmp_path)
    # The model made nothing of edit 4.
    assert list(requests) == [f"toy/fine/room_edit_{number}" for number in (0, 4, 5, 6)]
    assert (made.without_outputs, made.missing_answers) == (0, ("toy/fine/room_edit_4",))
    assert made.left_out == (
        LeftOut(Why.NO_DETECTIONS, ("toy/fine/room_edit_1", "toy/fine/room_edit_2")),
        LeftOut(Why.NOT_FOUND_BEFORE, ("toy/fine/room_edit_3",)),
        LeftOut(Why.NO_RESULT, ("toy/fine/room_edit_7",)),
    )


def test_a_null_says_as_little_as_what_is_not_there(tmp_path):
    edits(tmp_path / "fine_dataset", [RECORDS["remove"]] * 6, pictures=False)
    for number in range(6):
        picture(tmp_path / f"eval/toy/generated_images_fine/room_edit_{number}.png")
    before = {"detections": [detection(SOURCE)]}
    cache(
        tmp_path,
        {
            "room_0": None,
            "room_1": {"origin_result": before, "new_result": None},
            "room_2": {"origin_result": before, "new_result": {"detections": None}},
            "room_3": {"origin_result": before, "new_result": {}},
            "room_4": {"origin_result": None, "new_result": {"detections": []}},
            "room_5": {"origin_result": before, "new_result": {"detections": []}},  # nothing was found
        },
    )
    made, requests = imported(tmp_path)
    assert list(requests) == ["toy/fine/room_edit_5"]
    assert made.left_out == (LeftOut(Why.NO_DETECTIONS, tuple(f"toy/fine/room_edit_{number}" for number in range(5))),)


def test_an_object_that_was_not_found_before_the_edit_can_t_be_followed(tmp_path):
    """A table was found and no chair. Where nothing was, turns and changes of size are judged by the chair alone."""
    asked = ("move", "rotate", "resize", "remove")
    edits(tmp_path / "fine_dataset", [RECORDS[name] for name in asked * 2], pictures=False)
    after = [detection(SOURCE)]
    entries = {f"room_{number}": entry([detection(SOURCE, "table")], after) for number in range(4)}
    cache(tmp_path, entries | {f"room_{number + 4}": entry([], after) for number in range(4)})
    made, requests = imported(tmp_path)
    assert list(requests) == ["toy/fine/room_edit_5", "toy/fine/room_edit_6"]
    names = tuple(f"toy/fine/room_edit_{number}" for number in (0, 1, 2, 3, 4, 7))
    assert made.left_out == (LeftOut(Why.NOT_FOUND_BEFORE, names),)
    for request in requests.values():
        assert Engine().grade(job_of(request, tmp_path)).outcome is Outcome.MEASURED


def test_nothing_found_after_an_edit_is_graded_as_an_object_that_is_not_there(tmp_path):
    """Pictures are alike, so the gate holds: IC and SA are 0, but for the removal, which is done: SA = 1 - 0."""
    asked = ("move", "rotate", "resize", "remove")
    edits(tmp_path / "fine_dataset", [RECORDS[name] for name in asked])
    for number in range(4):
        picture(tmp_path / f"eval/toy/generated_images_fine/room_edit_{number}.png")
    cache(tmp_path, {f"room_{number}": entry([detection(SOURCE)], []) for number in range(4)})
    made, requests = imported(tmp_path)
    assert made.left_out == ()
    engine = Engine(measures=PlainMeasures())
    verdicts = [engine.grade(job_of(requests[f"toy/fine/room_edit_{number}"], tmp_path)) for number in range(4)]
    for verdict in verdicts[:3]:
        assert (verdict.outcome, verdict.score, verdict.reward) == (Outcome.FAIL, 0.0, 0.0)
        assert (value(verdict, "gate"), value(verdict, "ic")) == (1.0, 0.0)
        assert "TARGET_MISSING" in {reason.code for reason in verdict.reasons}
    assert (verdicts[3].outcome, verdicts[3].score, value(verdicts[3], "ic")) == (Outcome.PASS, 1.0, 1.0)
