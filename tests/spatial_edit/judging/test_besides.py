"""What was done besides what was asked, and what that leaves of the reward."""

from __future__ import annotations

import math

import pytest

from grader.metrics.space.edits import score_move, score_remove, score_resize, score_rotate, score_view
from grader.tasks.spatial_edit.judging.besides import Beside, done_besides, share_kept, size_factor
from grader.tasks.spatial_edit.model import EditOperation
from grader.tasks.spatial_edit.settings import BesidesSettings
from tests.spatial_edit.judging.scenes import scene, seen, solid

SETTINGS = BesidesSettings()
PLATE = seen("plate", 0.8)
BEFORE = (seen(), PLATE)
LARGER = (0.4, 0.6, 0.8)


def moved(*found, before=BEFORE):
    to = solid(-0.5)
    return done_besides(
        score_move("mug", solid(), to, before, found), scene(EditOperation.MOVE, to, before), found, SETTINGS
    )


def turned(*found, before=BEFORE):
    to = solid(yaw=0.5)
    return done_besides(
        score_rotate("mug", solid(), to, found), scene(EditOperation.ROTATE, to, before), found, SETTINGS
    )


def resized(*found, before=BEFORE):
    to = solid(size=LARGER)
    return done_besides(
        score_resize("mug", solid(), to, found), scene(EditOperation.RESIZE, to, before), found, SETTINGS
    )


def removed(*found, before=BEFORE):
    return done_besides(
        score_remove(solid(), before, found), scene(EditOperation.REMOVE, None, before), found, SETTINGS
    )


def test_a_clean_edit_did_nothing_besides():
    assert moved(seen(x=-0.5), PLATE) == ()
    assert turned(seen(yaw=0.5), PLATE) == ()
    assert resized(seen(size=LARGER), PLATE) == ()
    assert removed(PLATE) == ()


def test_views_and_scenes_without_a_source_are_not_looked_at():
    assert done_besides(score_view(1.0, 0.0), scene(EditOperation.VIEW), (), SETTINGS) == ()


def test_what_should_stay_stays_within_10_cm():
    small = (0.01, 0.01, 0.01)
    before = (seen(), seen("plate", 0.8, size=small))
    assert moved(seen(x=-0.5), seen("plate", 0.899, size=small), before=before) == ()
    assert moved(seen(x=-0.5), seen("plate", 0.901, size=small), before=before) == (
        Beside("OTHERS_REMOVED", ("plate",)),
        Beside("OBJECTS_ADDED", ("plate",)),
    )


def test_others_that_are_gone_or_new_are_named():
    assert moved(seen(x=-0.5)) == (Beside("OTHERS_REMOVED", ("plate",)),)
    assert moved(seen(x=-0.5), PLATE, seen("cup", 1.5)) == (Beside("OBJECTS_ADDED", ("cup",)),)
    assert turned(seen(yaw=0.5)) == (Beside("OTHERS_REMOVED", ("plate",)),)
    assert removed() == (Beside("OTHERS_REMOVED", ("plate",)),)


def test_objects_of_the_label_are_counted():
    twice = moved(seen(x=-0.5), seen(), PLATE)
    assert [one.code for one in twice] == ["COUNT_DIFFERS", "OBJECTS_ADDED"]
    assert twice[0] == Beside("COUNT_DIFFERS", ("mug",), "There are 2, and should be 1.")
    # Labels are compared without case and article.
    assert moved(seen("The Mug", x=-0.5), PLATE) == ()
    # Of two mugs one was to go, and both went.
    both = (seen(), seen(x=1.5), PLATE)
    assert Beside("COUNT_DIFFERS", ("mug",), "There are 0, and should be 1.") in removed(PLATE, before=both)
    assert removed(seen(x=1.5), PLATE, before=both) == ()
    # Where the object was not found, another reason says so.
    assert moved(PLATE) == ()


def test_an_object_that_was_to_go_may_not_stand_elsewhere():
    assert removed(seen(x=0.5), PLATE)[0] == Beside("TARGET_ELSEWHERE", ("mug",))
    # What still stands there is no addition.
    assert removed(seen(), PLATE) == (Beside("TARGET_ELSEWHERE", ("mug",)),)
    assert [one.code for one in removed(seen(x=0.5), PLATE)] == ["TARGET_ELSEWHERE", "OBJECTS_ADDED"]


def test_of_several_of_the_label_that_at_the_source_is_the_object():
    """The other mug stays, whichever comes first."""
    for before in ((seen(x=1.5), seen()), (seen(), seen(x=1.5))):
        assert moved(seen(x=-0.5), seen(x=1.5), before=before) == ()


@pytest.mark.parametrize(("off", "told"), [(0.099, False), (0.101, True)])
def test_a_turn_and_a_change_of_size_leave_the_object_in_its_place(off, told):
    for found in (turned(seen(x=off, yaw=0.5), PLATE), resized(seen(x=off, size=LARGER), PLATE)):
        assert [one.code for one in found] == (["TARGET_ALTERED"] if told else [])
    if told:
        assert found[0].detail == "It is 0.1 m off its place."


@pytest.mark.parametrize(("factor", "told"), [(1.299, False), (1.301, True), (1 / 1.299, False), (1 / 1.301, True)])
def test_a_move_and_a_turn_leave_the_size(factor, told):
    size = (0.2, 0.3, 0.4 * factor)
    for found in (moved(seen(x=-0.5, size=size), PLATE), turned(seen(yaw=0.5, size=size), PLATE)):
        assert [one.code for one in found] == (["TARGET_ALTERED"] if told else [])
    if told:
        assert found[0] == Beside("TARGET_ALTERED", ("mug",), "An extent is off by a factor of 1.3.")


def test_where_it_is_not_said_what_was_there_only_the_object_is_looked_at():
    assert turned(seen(yaw=0.5), PLATE, before=()) == ()
    assert [one.code for one in turned(seen(x=0.2, yaw=0.5), PLATE, before=())] == ["TARGET_ALTERED"]


def test_extents_are_compared_in_order_of_their_lengths():
    assert size_factor(solid(size=(0.2, 0.3, 0.4)), solid(size=(0.4, 0.2, 0.3))) == pytest.approx(1.0)
    assert size_factor(solid(size=(0.2, 0.3, 0.4)), solid(size=(0.2, 0.3, 0.5))) == pytest.approx(1.25)
    assert size_factor(solid(size=(0.2, 0.3, 0.5)), solid(size=(0.2, 0.3, 0.4))) == pytest.approx(1.25)


def test_a_place_and_a_size_that_are_a_little_off_cost_up_to_half_each():
    """5 cm of 10 are half the way, which costs a quarter; a factor of sqrt(1.3) likewise."""

    def kept(measures, operation, to, *found):
        return share_kept(measures, scene(operation, to), found, SETTINGS)

    to = solid(yaw=0.5)
    found = seen(x=0.05, yaw=0.5)
    assert kept(score_rotate("mug", solid(), to, (found,)), EditOperation.ROTATE, to, found) == pytest.approx(0.75)
    scaled = tuple(extent * math.sqrt(1.3) for extent in (0.2, 0.3, 0.4))
    found = seen(yaw=0.5, size=scaled)
    assert kept(score_rotate("mug", solid(), to, (found,)), EditOperation.ROTATE, to, found) == pytest.approx(0.75)
    found = seen(x=0.4, yaw=0.5, size=LARGER)
    assert kept(score_rotate("mug", solid(), to, (found,)), EditOperation.ROTATE, to, found) == pytest.approx(0.25)
    # A move may end elsewhere, and a change of size changes the size.
    to = solid(-0.5)
    found = seen(x=-0.4, size=scaled)
    assert kept(score_move("mug", solid(), to, (), (found,)), EditOperation.MOVE, to, found) == pytest.approx(0.75)
    to = solid(size=LARGER)
    found = seen(x=0.05)
    assert kept(score_resize("mug", solid(), to, (found,)), EditOperation.RESIZE, to, found) == pytest.approx(0.75)
    assert share_kept(score_remove(solid(), (), ()), scene(EditOperation.REMOVE), (), SETTINGS) == 1.0
    missed = score_move("mug", solid(), solid(-0.5), (), ())
    assert share_kept(missed, scene(EditOperation.MOVE, solid(-0.5)), (), SETTINGS) == 1.0
