"""A detector's own error: what it says of both pictures counts by the difference of both."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from grader.media.pictures import MediaLimits
from grader.metrics.space.boxes3d import OrientedBox
from grader.metrics.space.edit_types import Detection
from grader.model.errors import InvalidRequestError
from grader.model.verdict import Outcome
from grader.tasks.common.inputs import Inputs
from grader.tasks.spatial_edit.model import EditOperation
from grader.tasks.spatial_edit.scene.own_error import (
    AskedEdit,
    check_seen,
    named_alike,
    reach_of,
    seen_before,
    without_error,
)
from grader.tasks.spatial_edit.settings import FindingSettings
from tests.samples.edits import AFTER, MUG, PLATE, codes, edit, found, graded
from tests.spatial_edit.judging.scenes import seen, solid

SETTINGS = FindingSettings()


def yaw_of(detection) -> float:
    matrix = detection.box.matrix
    return math.atan2(matrix[0, 2], matrix[0, 0])


def freed(found, before, operation=EditOperation.MOVE, destination=None):
    return without_error(found, before, AskedEdit(operation, "mug", solid(), destination), SETTINGS)


def test_the_error_before_is_taken_off_after():
    """Found 2 cm and 0.02 rad off, and 1.25 times as wide: all is put nearer; mugs are turned and narrowed too."""
    before = seen(x=0.02, yaw=0.02, size=(0.25, 0.3, 0.4))
    found = (seen(x=-0.5, yaw=0.32), seen("plate", 0.8, yaw=0.3), seen("The Mug", 1.0))
    mug, plate, twin = freed(found, before)
    assert mug.box.center == pytest.approx((-0.52, 0.0, 2.0))
    assert yaw_of(mug) == pytest.approx(0.3)
    assert mug.box.size == pytest.approx((0.16, 0.3, 0.4))
    assert plate.box.center == pytest.approx((0.78, 0.0, 2.0))
    assert (yaw_of(plate), plate.box.size) == (pytest.approx(0.3), (0.2, 0.3, 0.4))
    assert twin.box.center == pytest.approx((0.98, 0.0, 2.0))


def test_half_a_turn_before_is_no_error():
    (changed,) = freed((seen(x=-0.5, yaw=0.3),), seen(yaw=math.pi))
    assert yaw_of(changed) == pytest.approx(0.3)


def renamed(one: Detection) -> Detection:
    """The same box with its width called its length: a quarter turn of its axes."""
    width, height, length = one.box.size
    turned = one.box.matrix @ Rotation.from_euler("y", math.pi / 2).as_matrix()
    return Detection(one.label, OrientedBox(one.box.center, (length, height, width), turned.tolist()))


@pytest.mark.parametrize("operation", [EditOperation.MOVE, EditOperation.ROTATE, EditOperation.RESIZE])
def test_axes_may_have_other_names(operation):
    found = seen(yaw=0.4, size=(0.2, 0.3, 0.8))
    (told,) = freed((renamed(found),), renamed(seen()), operation, solid(yaw=0.4, size=(0.2, 0.3, 0.8)))
    assert told.box.size == pytest.approx((0.2, 0.3, 0.8))
    assert yaw_of(told) == pytest.approx(0.4)


@pytest.mark.parametrize(("degrees", "asked", "told"), [
    (30.0, 45.0, 30.0),
    (-135.0, 45.0, 45.0),  # named anew: half a turn is none
    (180.0, 45.0, 0.0),
    (104.0, 45.0, 104.0),
    (106.0, 45.0, -74.0),
    (-90.0, 90.0, -90.0),  # the wrong way
    (180.0, 180.0, 180.0),
])  # fmt: skip
def test_half_a_turn_is_one_of_names_where_less_was_asked_for(degrees, asked, told):
    found = (seen(yaw=math.radians(degrees)),)
    (changed,) = freed(found, seen(), EditOperation.ROTATE, solid(yaw=math.radians(asked)))
    assert math.remainder(yaw_of(changed) - math.radians(told), 2 * math.pi) == pytest.approx(0.0, abs=1e-9)


def test_axes_that_are_named_anew_are_known_by_their_extents():
    (changed,) = freed((renamed(seen(yaw=0.5)),), seen(), EditOperation.ROTATE, solid(yaw=0.5))
    assert changed.box.size == pytest.approx((0.2, 0.3, 0.4))
    assert yaw_of(changed) == pytest.approx(0.5)


@pytest.mark.parametrize("own_frame", [False, True])
def test_a_turned_detector_is_turned_in_the_camera_s_frame_or_in_the_object_s(own_frame):
    """The box is tilted, so that turns about the camera's y and about its own do not commute."""
    tilt, error = Rotation.from_euler("x", 0.6).as_matrix(), Rotation.from_euler("y", 0.25).as_matrix()

    def box(turn: float) -> OrientedBox:
        return OrientedBox((0.0, 0.0, 2.0), (0.2, 0.3, 0.4), (tilt @ _about_y(turn)).tolist())

    def off(one: OrientedBox) -> Detection:
        matrix = one.matrix @ error if own_frame else error @ one.matrix
        return Detection("mug", OrientedBox(one.center, one.size, matrix.tolist()))

    asked = AskedEdit(EditOperation.ROTATE, "mug", box(0.0), box(0.5))
    (told,) = without_error((off(box(0.5)),), off(box(0.0)), asked, SETTINGS)
    assert told.box.matrix == pytest.approx(box(0.5).matrix)


def _about_y(angle: float) -> np.ndarray:
    return Rotation.from_euler("y", angle).as_matrix()


def biased(x: float = 0.0, yaw: float = 0.0, scale: float = 1.0, size=(0.3, 0.3, 0.3)) -> dict:
    """A box as a detector says it that is 20 cm, 15 degrees and a quarter off."""
    width, height, length = (1.25 * scale * extent for extent in size)
    return {
        "center_m": {"x": x + 0.2, "y": 0.0, "z": 2.0},
        "size_m": {"x": width, "y": height, "z": length},
        "rotation": {"yaw_rad": yaw + math.radians(15.0)},
    }


def place(x: float = 0.0, yaw: float = 0.0, scale: float = 1.0) -> dict:
    return {
        "center_m": {"x": x, "y": 0.0, "z": 2.0},
        "size_m": {"x": 0.3 * scale, "y": 0.3 * scale, "z": 0.3 * scale},
        "rotation": {"yaw_rad": yaw},
    }


ASKED = [("MOVE", {"x": -0.4}), ("ROTATE", {"yaw": 0.5}), ("RESIZE", {"scale": 1.5}), ("REMOVE", None)]


@pytest.mark.parametrize(("operation", "change"), ASKED)
def test_a_detector_that_is_off_judges_what_was_done(operation, change):
    plate = {"label": "plate", "box": biased(0.6)}
    before = [{"label": "mug", "box": biased()}, plate]
    after = [plate] if change is None else [{"label": "mug", "box": biased(**change)}, plate]
    wanted = None if change is None else place(**change)
    right = graded(edit(operation, after, wanted, original=before))
    assert (right.outcome, codes(right)) == (Outcome.PASS, [])
    assert right.reward >= 0.95
    nothing = graded(edit(operation, before, wanted, original=before))
    assert (nothing.outcome, nothing.reward) == (Outcome.FAIL, 0.0)


@pytest.mark.parametrize(("operation", "change"), ASKED)
def test_pixels_that_did_not_change_did_not_move(operation, change):
    """The boxes say that all is right, and the picture is the one before."""

    objects = [PLATE] if change is None else [("mug", place(**change)), PLATE]
    wanted = None if change is None else place(**change)
    verdict = graded(edit(operation, found(*objects), wanted, before=AFTER, after=AFTER, original=found(MUG, PLATE)))
    assert (verdict.outcome, verdict.reward) == (Outcome.FAIL, 0.0)
    said = {"MOVE": "BARELY_MOVED", "ROTATE": "NOT_TURNED", "RESIZE": "NOT_RESIZED", "REMOVE": "STILL_THERE"}
    assert codes(verdict) == [said[operation]]


def test_what_is_missed_where_nothing_changed_is_not_gone():

    missed = found(("mug", place(-0.4)))
    verdict = graded(edit("MOVE", missed, place(-0.4), original=found(MUG, PLATE)))
    assert (verdict.outcome, verdict.reward) == (Outcome.PASS, 1.0)


@pytest.mark.parametrize(("x", "refused"), [(0.449, False), (0.451, True), (5.0, True)])
def test_a_detector_sees_what_it_puts_within_reach(x, refused):
    """0.25 m, more than a tenth of 2 m, and half the longest extent, 0.4 m; a plate is no mug."""
    inputs = Inputs(MediaLimits())
    reach = reach_of(solid(), SETTINGS, own=False)
    check_seen((seen("The Mug", x), seen("plate", 0.0)), "mug", solid(), reach, inputs)
    if not refused:
        inputs.check()
        return
    with pytest.raises(InvalidRequestError) as raised:
        inputs.check()
    (fault,) = raised.value.violations
    assert (fault.field, fault.reason) == ("spatial_edit.puzzle.source_box", "NOT_SEEN")
    assert "it finds: The Mug, plate" in fault.description


def test_far_away_it_may_be_off_by_more_and_our_own_by_less():
    assert reach_of(solid(z=5.0), SETTINGS, own=False) == pytest.approx(0.7)
    assert reach_of(solid(z=5.0), SETTINGS, own=True) == pytest.approx(0.2)


def test_a_scene_whose_object_was_seen_elsewhere_is_refused():
    with pytest.raises(InvalidRequestError) as raised:
        graded(edit("MOVE", [], place(-0.4), original=[{"label": "mug", "box": place(5.0)}]))
    assert [(one.field, one.reason) for one in raised.value.violations] == [
        ("spatial_edit.puzzle.source_box", "NOT_SEEN")
    ]


def test_the_object_is_the_nearest_of_its_label():
    before = (seen(x=0.04), seen(x=0.01), seen("plate", 0.0))
    assert seen_before(before, "The mug", solid(), 0.25) == (before[1], "mug, plate")
    assert seen_before(before[2:], "mug", solid(), 0.25) == (None, "plate")
    assert seen_before((), "mug", solid(), 0.25) == (None, "nothing")


@pytest.mark.parametrize(("yaw", "wanted", "told"), [
    (0.5, 0.5, 0.5),
    (0.5 - math.pi, 0.5, 0.5),  # looks as wanted after half a turn
    (0.5, 0.4 - math.pi, 0.5 - math.pi),
    (math.radians(9.9), 3.0, math.radians(9.9)),  # looks as before
    (math.radians(10.1), 3.0, math.radians(10.1) - math.pi),
])  # fmt: skip
def test_axes_are_named_as_wanted_unless_nothing_turned(yaw, wanted, told):
    found = (seen(yaw=yaw), seen("plate", yaw=yaw))
    named, other = named_alike(found, "mug", solid(), solid(yaw=wanted), SETTINGS)
    assert math.remainder(yaw_of(named) - told, 2 * math.pi) == pytest.approx(0.0, abs=1e-9)
    assert other is found[1]


@pytest.mark.parametrize(("length", "quarter"), [(0.2001, True), (0.2003, False)])
def test_equal_extents_allow_a_quarter_turn(length, quarter):
    """0.1 % of 0.2 is 0.0002."""
    found = (seen(yaw=0.5, size=(0.2, 0.3, length)),)
    (named,) = named_alike(found, "mug", solid(), solid(yaw=0.5 + math.pi / 2), SETTINGS)
    told = 0.5 + math.pi / 2 if quarter else 0.5
    assert abs(math.remainder(yaw_of(named) - told, math.pi)) < 1e-9
