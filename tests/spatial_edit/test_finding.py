"""What boxes found in pictures are taken for: how they are read, found and named."""

from __future__ import annotations

import numpy as np
import pytest

from detectors.spatial_edit.boxes.config import PaintConfig
from grader.media.pictures import MediaLimits
from grader.model.errors import InvalidRequestError
from grader.tasks.common.inputs import Inputs
from grader.tasks.spatial_edit.model import ColoredBoxesInput, ColoredBoxInput, EditOperation
from grader.tasks.spatial_edit.scene.finding import (
    ColoredScene,
    find_in,
    free_label,
    read_colored,
)
from grader.tasks.spatial_edit.settings import SpatialEditSettings
from tests.spatial_edit.judging.scenes import solid

LEVEL = (0.0, -1.0, 0.0)


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
        made = [BoxFinding(label, box, sure, SizeSource.GIVEN, (0, 0, 1, 1), (), 1.0, fit, 1.0)
                for label, sure, fit in (("red box", 0.5, 0.8), ("blue box", 0.499, 0.656))]  # fmt: skip
        return BoxFindings(tuple(made))

    monkeypatch.setattr("grader.tasks.spatial_edit.scene.finding.find_boxes", find_boxes)
    from tests.spatial_edit.judging.scenes import CAMERA

    settings = SpatialEditSettings()
    scene = read(RED, BLUE)
    finds = find_in(np.zeros((240, 320, 3), np.uint8), CAMERA, scene, settings)
    assert [one.label for one in finds.detections] == ["red box", "blue box"]
    assert finds.detections[0].box.center == (0.0, 0.0, 1.0)
    assert (finds.unsure, finds.detector) == (("blue box",), "colored_boxes")
    # 0.656 is less than 0.88 of what the other one has, 0.704, less 4 of 90 pixels, 0.6596.
    assert finds.loose == (1,)
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
