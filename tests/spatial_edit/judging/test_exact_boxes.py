"""Small changes that nobody asked for, where boxes are exact."""

from __future__ import annotations

import math

import pytest

from grader.tasks.spatial_edit.judging.besides import Beside
from grader.tasks.spatial_edit.judging.exact_boxes import altered_besides
from grader.tasks.spatial_edit.model import EditOperation
from grader.tasks.spatial_edit.settings import JudgingSettings
from tests.spatial_edit.judging.scenes import scene, seen, solid

SETTINGS = JudgingSettings()
TO = solid(-0.5)
BEFORE = (seen(), seen("plate", 0.8))


def altered(*found, operation=EditOperation.MOVE, to=TO, before=BEFORE, unsure=(), match=0):
    return altered_besides(scene(operation, to, before, before), found, match, unsure, SETTINGS)


def test_what_stays_is_not_altered():
    assert altered(seen(x=-0.5), seen("plate", 0.8)) == ()
    assert altered(seen(x=-0.5)) == ()


@pytest.mark.parametrize(("degrees", "told"), [(19.9, False), (20.1, True), (-20.1, True)])
def test_what_turns_by_20_degrees_turned(degrees, told):
    yaw = math.radians(degrees)
    wanted = (Beside("TURNED_BESIDES", ("mug",)),) if told else ()
    assert altered(seen(x=-0.5, yaw=yaw)) == wanted
    wanted = (Beside("TURNED_BESIDES", ("plate",)),) if told else ()
    assert altered(seen(x=-0.5), seen("plate", 0.8, yaw=yaw)) == wanted


def test_a_turn_that_was_asked_for_is_none():
    to = solid(yaw=1.0)
    assert altered(seen(yaw=0.2), operation=EditOperation.ROTATE, to=to) == ()
    assert altered(seen(yaw=0.5), operation=EditOperation.RESIZE, to=solid(size=(0.4, 0.6, 0.8))) == (
        Beside("TURNED_BESIDES", ("mug",)),
    )
    # The object was not found, or goes.
    assert altered(seen("plate", 0.8), match=None) == ()
    assert altered(seen("plate", 0.8, yaw=0.5), match=None, to=None, operation=EditOperation.REMOVE) == (
        Beside("TURNED_BESIDES", ("plate",)),
    )


@pytest.mark.parametrize(("off", "told"), [(0.039, False), (0.041, True)])
def test_what_is_off_by_4_cm_was_moved(off, told):
    wanted = (Beside("OTHERS_REMOVED", ("plate",)),) if told else ()
    assert altered(seen(x=-0.5), seen("plate", 0.8 + off)) == wanted


def test_what_stands_farther_off_is_another_object():
    """Within 10 cm, or with an IoU above 0.1, it is the one before that was moved; beyond, besides tell of it.

    A box of 0.2 m that is moved by d has an IoU of (0.2 - d) / (0.2 + d): 0.11 at 0.16, and 0.08 at 0.17.
    """
    assert altered(seen(x=-0.5), seen("plate", 0.96)) == (Beside("OTHERS_REMOVED", ("plate",)),)
    assert altered(seen(x=-0.5), seen("plate", 0.97)) == ()


@pytest.mark.parametrize(("height", "told"), [(0.385, False), (0.395, True), (0.235, False), (0.225, True)])
def test_an_extent_that_should_stay_stays_within_a_factor(height, told):
    """The width becomes twice as large, and the height of 0.3 stays within a factor of 1.3."""
    wanted = (Beside("TARGET_ALTERED", ("mug",)),) if told else ()
    found = seen(size=(0.4, height, 0.4))
    assert altered(found, operation=EditOperation.RESIZE, to=solid(size=(0.4, 0.3, 0.4))) == wanted
    # Half of what was asked for is another matter.
    assert altered(seen(size=(0.3, 0.3, 0.4)), operation=EditOperation.RESIZE, to=solid(size=(0.4, 0.3, 0.4))) == ()
    assert altered(seen(x=-0.5), seen("cup", 0.8, yaw=1.0)) == ()
    # The nearest of the label counts.
    before = (seen(), seen("plate", 0.87), seen("plate", 0.8))
    assert altered(seen(x=-0.5), seen("plate", 0.81), before=before) == ()
    assert altered(seen(x=-0.5), seen("The Plate", 0.835), before=before) == ()


@pytest.mark.parametrize(("factor", "told"), [(1.19, False), (1.21, True), (1 / 1.21, True)])
def test_extents_that_differ_by_a_fifth_changed(factor, told):
    wanted = (Beside("RESIZED_BESIDES", ("plate",)),) if told else ()
    assert altered(seen(x=-0.5), seen("plate", 0.8, size=(0.2, 0.3 * factor, 0.4))) == wanted


def test_of_several_changes_of_one_object_the_gravest_is_told():
    """Moved before resized before turned; of several objects each has its own."""
    size = (0.3, 0.4, 0.5)
    assert altered(seen(x=-0.5), seen("plate", 0.85, yaw=0.5, size=size)) == (Beside("OTHERS_REMOVED", ("plate",)),)
    assert altered(seen(x=-0.5), seen("plate", 0.8, yaw=0.5, size=size)) == (Beside("RESIZED_BESIDES", ("plate",)),)
    before = (*BEFORE, seen("cup", 1.6))
    assert altered(seen(x=-0.5, yaw=0.5), seen("plate", 0.8, yaw=0.5), seen("cup", 1.65), before=before) == (
        Beside("TURNED_BESIDES", ("mug", "plate")),
        Beside("OTHERS_REMOVED", ("cup",)),
    )


def test_what_the_detector_is_not_sure_of_is_left_out():
    assert altered(seen(x=-0.5, yaw=0.5), seen("plate", 0.8, yaw=0.5), unsure=("The Plate",)) == (
        Beside("TURNED_BESIDES", ("mug",)),
    )
    assert altered(seen(x=-0.5, yaw=0.5), unsure=("Mug",)) == ()


@pytest.mark.parametrize(("width", "told"), [(0.361, False), (0.359, True)])
def test_axes_may_be_named_otherwise_where_extents_are_alike(width, told):
    """Width and length differ by less or more than a tenth of 0.4: after a quarter turn it looks the same, or not."""
    size = (width, 0.3, 0.4)
    found = altered(
        seen(x=-0.5),
        seen("plate", 0.8, yaw=math.pi / 2, size=size),
        before=(seen(), seen("plate", 0.8, size=size)),
    )
    assert found == ((Beside("TURNED_BESIDES", ("plate",)),) if told else ())


def test_half_a_turn_looks_the_same():
    assert altered(seen(x=-0.5), seen("plate", 0.8, yaw=math.pi)) == ()
    assert altered(seen(x=-0.5), seen("plate", 0.8, yaw=math.pi / 2)) == (Beside("TURNED_BESIDES", ("plate",)),)


@pytest.mark.parametrize("operation", [EditOperation.ROTATE, EditOperation.RESIZE])
@pytest.mark.parametrize(("off", "told"), [(0.049, False), (0.051, True)])
def test_an_object_that_was_to_turn_or_to_grow_stands_where_it_should(operation, off, told):
    """What hangs above its place looks like one that stands farther off."""
    wanted = (Beside("TARGET_ALTERED", ("mug",)),) if told else ()
    assert altered(seen(z=2.0 + off), operation=operation, to=solid()) == wanted
    # Of a move its score tells, and of what the detector is not sure of nothing does.
    assert altered(seen(z=2.0 + off), to=solid()) == ()
    assert altered(seen(z=2.0 + off), operation=operation, to=solid(), unsure=("mug",)) == ()
