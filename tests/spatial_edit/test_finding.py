"""What boxes found in pictures are taken for: their error, their names, and where a detector does not see."""

from __future__ import annotations

import math

import numpy as np
import pytest

from detectors.spatial_edit.boxes.config import PaintConfig
from grader.media.pictures import MediaLimits
from grader.model.errors import InvalidRequestError
from grader.tasks.common.inputs import Inputs
from grader.tasks.spatial_edit.model import ColoredBoxesInput, ColoredBoxInput, EditOperation
from grader.tasks.spatial_edit.scene.finding import (
    ColoredScene,
    check_seen,
    corrected,
    find_in,
    free_label,
    named_alike,
    read_colored,
)
from grader.tasks.spatial_edit.settings import FindingSettings, SpatialEditSettings
from tests.spatial_edit.judging.scenes import seen, solid

SETTINGS = FindingSettings()
LEVEL = (0.0, -1.0, 0.0)


def yaw_of(detection) -> float:
    matrix = detection.box.matrix
    return math.atan2(matrix[0, 2], matrix[0, 0])


def test_the_error_before_is_taken_off_after():
    """Found 1 cm and 0.02 rad off before, so both are taken off every box of the label, and of no other."""
    before = (seen(x=0.01, yaw=0.02),)
    found = (seen(x=-0.5, yaw=0.32), seen("plate", 0.8, yaw=0.3), seen("The Mug", 1.0))
    mug, plate, twin = corrected(found, before, "mug", solid(), SETTINGS)
    assert mug.box.center == pytest.approx((-0.51, 0.0, 2.0))
    assert yaw_of(mug) == pytest.approx(0.3)
    assert mug.box.size == (0.2, 0.3, 0.4)
    assert plate is found[1]
    assert twin.box.center == pytest.approx((0.99, 0.0, 2.0))


@pytest.mark.parametrize(
    ("x", "degrees", "taken"), [(0.049, 0.0, True), (0.051, 0.0, False), (0.0, 4.9, True), (0.0, 5.1, False)]
)
def test_a_large_error_is_another_box(x, degrees, taken):
    before, found = (seen(x=x, yaw=math.radians(degrees)),), seen(x=-0.5, yaw=0.3)
    (changed,) = corrected((found,), before, "mug", solid(), SETTINGS)
    assert changed.box.center[0] == pytest.approx(-0.5 - taken * x)
    assert yaw_of(changed) == pytest.approx(0.3 - taken * math.radians(degrees))


def test_half_a_turn_is_no_error():
    (changed,) = corrected((seen(x=-0.5, yaw=0.3),), (seen(yaw=math.pi),), "mug", solid(), SETTINGS)
    assert yaw_of(changed) == pytest.approx(0.3)


def test_the_error_is_that_of_the_nearest_of_the_label():
    before = (seen(x=0.04), seen(x=0.01), seen("plate", 0.0))
    (found,) = corrected((seen(x=-0.5),), before, "mug", solid(), SETTINGS)
    assert found.box.center[0] == pytest.approx(-0.51)
    kept = (seen(x=-0.5),)
    assert corrected(kept, (seen("plate", 0.01),), "mug", solid(), SETTINGS) == kept
    assert corrected(kept, (), "mug", solid(), SETTINGS) == kept


@pytest.mark.parametrize(("x", "refused"), [(0.649, False), (0.651, True)])
def test_a_detector_sees_what_it_puts_within_reach(x, refused):
    """0.25 m and the longest extent, 0.4 m."""
    inputs = Inputs(MediaLimits())
    check_seen((seen("The Mug", x), seen("plate", 0.0)), "mug", solid(), SETTINGS, inputs)
    if not refused:
        inputs.check()
        return
    with pytest.raises(InvalidRequestError) as raised:
        inputs.check()
    (fault,) = raised.value.violations
    assert (fault.field, fault.reason) == ("spatial_edit.puzzle.source_box", "NOT_SEEN")
    assert "it finds: The Mug, plate" in fault.description


def test_where_nothing_is_found_that_is_said():
    inputs = Inputs(MediaLimits())
    check_seen((), "mug", solid(), SETTINGS, inputs)
    with pytest.raises(InvalidRequestError, match="it finds: nothing"):
        inputs.check()


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


def test_only_a_change_of_size_leaves_the_size_open():
    assert free_label(EditOperation.RESIZE, "mug") == "mug"
    assert {free_label(one, "mug") for one in EditOperation if one is not EditOperation.RESIZE} == {""}


def read(*kinds, table=(LEVEL, -1.0)):
    inputs = Inputs(MediaLimits())
    scene = read_colored(ColoredBoxesInput(tuple(kinds), table), PaintConfig(), inputs)
    try:
        inputs.check()
    except InvalidRequestError as error:
        return [(one.field.removeprefix("spatial_edit.puzzle.colored_boxes."), one.reason) for one in error.violations]
    return scene


SIZE = (0.1, 0.2, 0.3)
RED, BLUE = ColoredBoxInput("red box", "#c41e26", SIZE), ColoredBoxInput("blue box", "#244cBE", None)


def test_kinds_are_read():
    scene = read(RED, BLUE)
    assert [(kind.label, kind.color, kind.size) for kind in scene.kinds] == [
        ("red box", (196, 30, 38), SIZE),
        ("blue box", (36, 76, 190), None),
    ]
    assert (scene.plane.normal, scene.plane.offset) == (LEVEL, -1.0)
    assert read(RED, table=None).plane is None


@pytest.mark.parametrize(("kinds", "fault"), [
    ([], [("kinds", "MISSING")]),
    ([ColoredBoxInput("...", "#c41e26", SIZE)], [("kinds[0].label", "MISSING")]),
    ([RED, ColoredBoxInput("box", "#c41e2", SIZE)], [("kinds[1].color_hex", "OUT_OF_RANGE")]),
    ([ColoredBoxInput("box", "#c41e26f", SIZE)], [("kinds[0].color_hex", "OUT_OF_RANGE")]),
    ([ColoredBoxInput("box", "#808080", SIZE)], [("kinds[0].color_hex", "OUT_OF_RANGE")]),
    ([ColoredBoxInput("box", "#c41e26", (0.1, 0.00099, 0.1))], [("kinds[0].size_m", "OUT_OF_RANGE")]),
    ([ColoredBoxInput("box", "#c41e26", (0.1, 100.1, 0.1))], [("kinds[0].size_m", "OUT_OF_RANGE")]),
    ([RED, ColoredBoxInput("The Red Box", "#244cBE", SIZE)], [("kinds", "MISMATCH")]),
    ([RED, ColoredBoxInput("dark", "#96191e", SIZE)], [("kinds", "MISMATCH")]),
    ([RED] * 17, [("kinds", "OUT_OF_RANGE")]),
])  # fmt: skip
def test_wrong_kinds_are_refused_by_their_field(kinds, fault):
    assert read(*kinds) == fault


def test_sizes_and_tables_may_be_as_large_as_is_said():
    assert isinstance(read(ColoredBoxInput("box", "#c41e26", (0.001, 100.0, 1.0)), table=(LEVEL, -0.001)), ColoredScene)
    assert isinstance(read(RED, table=(LEVEL, -100.0)), ColoredScene)
    for table in ((LEVEL, -0.00099), (LEVEL, -100.1), (LEVEL, 1.0), ((0.0, -2.0, 0.0), -1.0)):
        assert read(RED, table=table) == [("table", "OUT_OF_RANGE")]
    assert read(BLUE, table=None) == [("table", "MISSING")]
    assert read(*(ColoredBoxInput(f"box {at}", f"#{255 - at:02x}1010", SIZE) for at in range(16))) == [
        ("kinds", "MISMATCH")
    ]


def test_boxes_are_found_with_names_and_doubts(monkeypatch):
    """The detector's own work is told elsewhere: what it is given, and what is made of it."""
    asked = []

    def find_boxes(picture, view, kinds, plane, config):
        from detectors.spatial_edit.boxes.findings import BoxFinding, BoxFindings, FoundBox, SizeSource

        asked.append((picture.shape, view, kinds, plane, config))
        box = FoundBox((0.0, 0.0, 1.0), SIZE, ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))
        made = [BoxFinding(label, box, sure, SizeSource.GIVEN, (0, 0, 1, 1), (), 1.0, 1.0)
                for label, sure in (("red box", 0.5), ("blue box", 0.499))]  # fmt: skip
        return BoxFindings(tuple(made))

    monkeypatch.setattr("grader.tasks.spatial_edit.scene.finding.find_boxes", find_boxes)
    from tests.spatial_edit.judging.scenes import CAMERA

    settings = SpatialEditSettings()
    scene = read(RED, BLUE)
    finds = find_in(np.zeros((240, 320, 3), np.uint8), CAMERA, scene, settings)
    assert [one.label for one in finds.detections] == ["red box", "blue box"]
    assert finds.detections[0].box.center == (0.0, 0.0, 1.0)
    assert (finds.unsure, finds.detector) == (("blue box",), "colored_boxes")
    shape, view, kinds, plane, config = asked[-1]
    assert shape == (240, 320, 3)
    assert (view.focal_x, view.focal_y, view.center_x, view.center_y) == (300.0, 300.0, 160.0, 120.0)
    assert (kinds, plane, config) == (scene.kinds, scene.plane, settings.boxes)
    # A picture of twice 1280 pixels is halved with its camera; its size as given is kept below.
    find_in(np.zeros((960, 2560, 3), np.uint8), CAMERA, scene, settings)
    shape, view, *_ = asked[-1]
    assert shape == (480, 1280, 3)
    assert (view.focal_x, view.center_x, view.center_y, view.width, view.height) == (150.0, 80.0, 60.0, 1280, 480)
    find_in(np.zeros((1280, 20, 3), np.uint8), CAMERA, scene, settings)
    assert asked[-1][0] == (1280, 20, 3)
    # What was to be resized is measured, with its axes named as before.
    source = solid(yaw=0.5)
    find_in(np.zeros((240, 320, 3), np.uint8), CAMERA, scene, settings, free="The Red Box", source=source)
    red, blue = asked[-1][2]
    assert (red.size, red.rotation, red.color) == (None, source.rotation, (196, 30, 38))
    assert blue is scene.kinds[1]
