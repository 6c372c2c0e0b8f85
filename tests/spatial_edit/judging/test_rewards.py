"""What an edit earns: outcome, score, reward and the order of reasons, from boxes and likeness alone."""

from __future__ import annotations

import math

import pytest

from detectors.spatial_edit.viewpoint.turning import Viewpoint, ViewpointFinding
from grader.metrics.space.edit_tables import Background
from grader.metrics.space.sightings import Sighting
from grader.model.verdict import Outcome
from grader.tasks.spatial_edit.judging.besides import Beside
from grader.tasks.spatial_edit.judging.judge import EditEvidence, judge_edit
from grader.tasks.spatial_edit.judging.looks import EditLooks
from grader.tasks.spatial_edit.model import EditOperation
from grader.tasks.spatial_edit.settings import LocalityGate, SpatialEditSettings
from tests.spatial_edit.judging.scenes import scene, seen, solid
from tests.spatial_edit.judging.test_sightings import rectangle

SETTINGS = SpatialEditSettings()
ALIKE = Background(1.0, 0.0)
PLATE = seen("plate", 1.6)
BEFORE = (seen(), PLATE)
TO = solid(-0.8)


def move(*found, background=ALIKE, settings=SETTINGS, **evidence):
    made = scene(EditOperation.MOVE, TO, BEFORE, BEFORE)
    return judge_edit(made, EditEvidence(found, background, **evidence), settings)


def turn(*found, viewpoint=None, settings=SETTINGS, **evidence):
    made = scene(EditOperation.ROTATE, solid(yaw=0.8), BEFORE, BEFORE)
    return judge_edit(made, EditEvidence(found, ALIKE, viewpoint=viewpoint, **evidence), settings)


def view(likeness, before=None):
    return judge_edit(scene(EditOperation.VIEW), EditEvidence((), likeness, likeness_before=before), SETTINGS)


def codes(judged):
    return [reason.code for reason in judged.reasons]


def looks(*found: str) -> EditLooks:
    of_picture = ("MARKS_ADDED", "LOOK_CHANGED")
    besides = tuple(Beside(code, () if code in of_picture else ("mug",)) for code in found)
    return EditLooks(1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, besides)


def test_a_right_edit_earns_all():
    judged = move(seen(x=-0.8), PLATE)
    assert (judged.outcome, judged.score, judged.reward, judged.reasons) == (Outcome.PASS, 1.0, 1.0, ())
    assert judged.target == 0


@pytest.mark.parametrize(("x", "nearer"), [(-0.21, True), (-0.19, False)])
def test_three_quarters_may_be_left_of_a_move(x, nearer):
    """0.59 and 0.61 m of 0.8 are left: 0.7375 and 0.7625."""
    judged = move(seen(x=x), PLATE)
    assert ("NOT_NEARER" in codes(judged)) == (not nearer)
    assert judged.reward == 0.0 or nearer


@pytest.mark.parametrize(("yaw", "left"), [(0.21, 0.7375), (0.19, 0.7625)])
def test_three_quarters_may_be_left_of_a_turn(yaw, left):
    assert ("NOT_NEARER" in codes(turn(seen(yaw=yaw), PLATE))) == (left > 0.75)


def test_what_is_left_of_a_turn_is_not_earned():
    judged = turn(seen(yaw=0.6), PLATE)
    assert (judged.outcome, judged.reward) == (Outcome.PASS, pytest.approx(0.75, abs=1e-9))
    assert turn(seen(yaw=0.24), PLATE).reward == pytest.approx(0.3, abs=1e-9)
    # Twice as far as asked leaves as much as no turn at all; three times earns no less than nothing.
    assert turn(seen(yaw=2.4), PLATE).reward == 0.0
    # A little off its place, half of that is lost again.
    assert turn(seen(x=0.05, yaw=0.6), PLATE).reward == pytest.approx(0.75 * 0.75, abs=1e-9)


def test_what_is_left_of_a_change_of_size_is_measured_by_logarithms():
    """Wanted twice each extent, got 2^0.6 times each: 0.4 is left."""
    to = solid(size=(0.4, 0.6, 0.8))
    made = scene(EditOperation.RESIZE, to, BEFORE, BEFORE)
    found = (seen(size=tuple(2**0.6 * one for one in (0.2, 0.3, 0.4))), PLATE)
    judged = judge_edit(made, EditEvidence(found, ALIKE), SETTINGS)
    assert judged.outcome is Outcome.PASS
    assert judged.reward == pytest.approx(0.6, abs=1e-9)
    less = (seen(size=tuple(2**0.24 * one for one in (0.2, 0.3, 0.4))), PLATE)
    assert "NOT_NEARER" in codes(judge_edit(made, EditEvidence(less, ALIKE), SETTINGS))
    # Width alone is wrong: ln(2) sqrt(1 / 3) of ln(2) is left, 0.577.
    one = (seen(size=(0.2, 0.6, 0.8)), PLATE)
    reward = judge_edit(made, EditEvidence(one, ALIKE), SETTINGS).reward
    assert reward == pytest.approx(1 - math.sqrt(1 / 3), abs=1e-9)


def test_an_edit_that_fails_earns_at_most_nine_tenths():
    """A mark, and a doubt, leave half; another person's look leaves nothing; a missed reason leaves 0.9."""
    right = (seen(x=-0.8), PLATE)
    assert move(*right, looks=looks("MARKS_ADDED")).reward == 0.5
    assert move(*right, looks=looks("TARGET_NOT_SOLID")).reward == 0.5
    assert move(*right, looks=looks("LOOK_CHANGED")).reward == 0.0
    assert move(*right, looks=looks("NOT_CLEARED")).reward == 0.0
    assert move(*right, looks=looks("NOT_CLEARED", "MARKS_ADDED")).reward == 0.0
    turned = ViewpointFinding(Viewpoint.TURNED, 0.5, 50, 50)
    assert codes(turn(seen(yaw=0.8), PLATE, viewpoint=turned)) == ["VIEWPOINT_CHANGED"]


def test_reasons_come_gravest_first_and_name_the_object_unless_they_are_of_the_picture():
    judged = move(seen(x=-0.8), PLATE, looks=looks("MARKS_ADDED", "TARGET_NOT_SOLID", "LOOK_CHANGED", "NOT_CLEARED"))
    assert codes(judged) == ["LOOK_CHANGED", "NOT_CLEARED", "TARGET_NOT_SOLID", "MARKS_ADDED"]
    assert [len(reason.places) for reason in judged.reasons] == [0, 1, 1, 0]
    assert judged.reasons[1].places[0].object == "mug"
    added = move(seen(x=-0.8), PLATE, seen("cup", 2.0), seen("cup", 2.4))
    assert codes(added) == ["OBJECTS_ADDED"]
    assert [place.object for place in added.reasons[0].places] == ["cup"]
    twice = move(seen(x=-0.8), seen(), PLATE)
    assert twice.reasons[0].message.endswith("There are 2, and should be 1.")


def test_a_wrong_direction_earns_nothing_unless_it_hardly_moved():
    assert codes(move(seen(x=-0.7, z=2.5), PLATE)) == ["WRONG_DIRECTION"]  # atan(0.5 / 0.7) = 35.5 degrees
    assert codes(move(seen(x=-0.7, z=2.3), PLATE)) == []  # 23.2 degrees
    assert move(seen(x=-0.7, z=2.5), PLATE).reward == 0.0
    still = codes(move(seen(x=0.01), PLATE))
    assert "BARELY_MOVED" in still
    assert "WRONG_DIRECTION" not in still
    assert codes(move(PLATE))[0] == "TARGET_MISSING"
    assert "WRONG_DIRECTION" not in codes(move(PLATE))


def test_the_gate_has_to_hold():
    found = (seen(x=-0.8), PLATE)
    assert codes(move(*found, background=Background(0.0, 1.0))) == ["BACKGROUND_CHANGED"]
    assert codes(move(*found, background=Background(None, None, empty=True))) == ["NO_BACKGROUND"]
    either = SpatialEditSettings(gate=LocalityGate.SSIM_OR_LPIPS)
    assert codes(move(*found, background=Background(0.0, 0.0))) == ["BACKGROUND_CHANGED"]
    assert codes(move(*found, background=Background(0.0, 0.0), settings=either)) == []
    measured = move(*found, background=None)
    assert (measured.outcome, measured.score, measured.reward, measured.reasons) == (Outcome.MEASURED, None, None, ())


def test_exact_boxes_are_looked_at_where_they_are():
    turned_plate = seen("plate", 1.6, yaw=0.5)
    assert codes(move(seen(x=-0.8), turned_plate)) == []
    assert codes(move(seen(x=-0.8), turned_plate, unsure=())) == ["TURNED_BESIDES"]
    assert move(seen(x=-0.8), turned_plate, unsure=()).reward == 0.5
    assert codes(move(seen(x=-0.8), turned_plate, unsure=("plate",))) == []


def test_what_was_seen_in_the_picture_alone_counts():
    judged = move(seen(x=-0.8), PLATE, only_seen=(Sighting("mug", rectangle()),))
    assert codes(judged) == ["PLACE_NOT_CONFIRMED"]
    assert judged.reward == 0.5
    assert judged.seen.overlap == 0.0


def test_a_camera_that_turned_gives_no_credit_and_one_that_is_not_known_takes_none():
    right = (seen(yaw=0.8), PLATE)
    assert turn(*right).score == 1.0
    turned = turn(*right, viewpoint=ViewpointFinding(Viewpoint.TURNED, 0.5, 50, 50))
    assert (turned.outcome, turned.score, turned.reward) == (Outcome.FAIL, 0.0, 0.0)
    for state in (Viewpoint.UNKNOWN, Viewpoint.KEPT):
        assert turn(*right, viewpoint=ViewpointFinding(state, None, 0, 0)).outcome is Outcome.PASS


def test_a_view_is_measured_against_the_one_before():
    """SA = 0.5 SSIM + 0.5 (1 - LPIPS): 0.9 and, before, 0.6; a quarter of what was left is left."""
    right = view(Background(0.9, 0.1), Background(0.6, 0.4))
    assert (right.outcome, right.score, right.reward) == (Outcome.PASS, 0.9, 0.9)
    assert codes(view(Background(0.71, 0.29), Background(0.6, 0.4))) == []  # 0.725 is left
    assert codes(view(Background(0.69, 0.31), Background(0.6, 0.4))) == ["NOT_NEARER"]  # 0.775
    assert view(Background(0.69, 0.31), Background(0.6, 0.4)).reward == 0.0
    assert codes(view(Background(0.4, 0.6))) == ["VIEW_DIFFERS"]
    # Nothing had to change: then anything else is no nearer.
    assert codes(view(Background(1.0, 0.0), Background(1.0, 0.0))) == []
    assert codes(view(Background(0.9, 0.1), Background(1.0, 0.0))) == ["NOT_NEARER"]
    assert codes(view(Background(0.9, 0.1), Background(None, 0.0))) == []


def test_an_object_that_fits_badly_is_not_solid():
    """Half of the reward of a perfect move is left; of another box it says nothing."""
    assert codes(move(seen(x=-0.8), PLATE)) == []
    assert codes(move(seen(x=-0.8), PLATE, loose=(0,))) == []
    looks = EditLooks(1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, ())
    loose = move(seen(x=-0.8), PLATE, looks=looks, loose=(0,))
    assert codes(loose) == ["TARGET_NOT_SOLID"]
    assert loose.reward == pytest.approx(0.5)
    assert codes(move(seen(x=-0.8), PLATE, looks=looks, loose=(1,))) == []
