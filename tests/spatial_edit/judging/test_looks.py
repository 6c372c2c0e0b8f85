"""What an edited picture shows besides its boxes, put together from traces, marks and solids."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from detectors.spatial_edit.boxes.geometry import box_of
from detectors.spatial_edit.scene.colors import grown
from grader.metrics.space.boxes3d import OrientedBox
from grader.metrics.space.edit_types import Detection
from grader.metrics.space.projection import boxes_mask, read_camera
from grader.tasks.spatial_edit.judging.looks import look_at_edit
from grader.tasks.spatial_edit.model import EditOperation
from grader.tasks.spatial_edit.scene.finding import ColoredScene
from grader.tasks.spatial_edit.scene.scene import EditScene
from grader.tasks.spatial_edit.settings import LooksSettings
from tests.spatial_edit.boxes.test_detector import picture
from tests.spatial_edit.boxes.views import row_of

SETTINGS = LooksSettings()
CAMERA = read_camera([[160.0, 0.0, 80.0], [0.0, 160.0, 60.0], [0.0, 0.0, 1.0]])
LARGE = (0.24, 0.18, 0.2)
STOOD, STANDS, STAYS = row_of(-0.2, 0.75, size=LARGE), row_of(0.22, 0.8, size=LARGE), row_of(0.0, 1.35, size=LARGE)


def box(row) -> OrientedBox:
    made = box_of(row)
    return OrientedBox(made.center, made.size, made.rotation)


def detections(*rows, label: str = "mug") -> tuple[Detection, ...]:
    return tuple(Detection(label, box(row)) for row in rows)


OTHERS = detections(STAYS, label="plate")
BEFORE = picture(STOOD, STAYS)


def scene(**changes) -> EditScene:
    made = EditScene(
        EditOperation.MOVE,
        "mug",
        box(STOOD),
        box(STANDS),
        (),
        CAMERA,
        BEFORE,
        None,
        None,
        colored=ColoredScene((), None),
        before=(*detections(STOOD), *OTHERS),
    )
    return replace(made, **changes)


def looked(after, found, **changes):
    return look_at_edit(scene(**changes), after, found, SETTINGS)


def test_a_clean_move_shows_nothing_besides():
    seen = looked(picture(STANDS, STAYS), (*detections(STANDS), *OTHERS))
    assert seen.codes == frozenset()
    assert seen.traces.strange == 0.0
    assert seen.marks.marks == ()
    assert seen.marks.tone == pytest.approx(1.0)
    assert len(seen.solids) == 1
    assert seen.solids[0].strange < 0.05


def test_without_both_pictures_boxes_and_a_camera_nothing_is_looked_at():
    found = (*detections(STANDS), *OTHERS)
    after = picture(STANDS, STAYS)
    for changes in ({"colored": None}, {"camera": None}, {"picture": None}, {"source": None}):
        assert looked(after, found, **changes) is None
    assert looked(None, found) is None


def test_what_is_left_in_the_place_is_a_trace():
    after = picture(STANDS, STAYS)
    whole = picture(STOOD, STANDS, STAYS)
    left = after.copy()
    changed = (whole != after).any(axis=2)
    left[changed] = (20, 60, 200)
    assert looked(left, (*detections(STANDS), *OTHERS)).codes == {"NOT_CLEARED"}
    # An object that is found there is another reason's.
    assert "NOT_CLEARED" not in looked(whole, (*detections(STANDS, STOOD), *OTHERS)).codes


def test_a_drawing_on_the_table_is_a_mark_and_a_repainted_table_another_look():
    found = (*detections(STANDS), *OTHERS)
    drawn_on = picture(STANDS, STAYS)
    drawn_on[100:110, 10:20] = (30, 160, 60)
    assert looked(drawn_on, found).codes == {"MARKS_ADDED"}
    drawn_on[:40] = (30, 160, 60)
    assert "LOOK_CHANGED" in looked(drawn_on, found).codes
    assert "MARKS_ADDED" not in looked(drawn_on, found).codes
    dark = (picture(STANDS, STAYS) * 0.6).astype(np.uint8)
    assert "LOOK_CHANGED" in looked(dark, found).codes


def test_marks_close_to_boxes_are_not_looked_at():
    """4 pixels around what is found may be smeared."""
    after = picture(STANDS, STAYS)
    rows, columns = np.nonzero((picture(STAYS) != picture()).any(axis=2))
    left, top = int(columns.min()), int(rows.min())
    near, far = after.copy(), after.copy()
    near[top : top + 12, left - 3 : left] = (30, 160, 60)
    far[top : top + 12, left - 10 : left - 6] = (30, 160, 60)
    found = (*detections(STANDS), *OTHERS)
    assert looked(near, found).codes == frozenset()
    assert looked(far, found).codes == {"MARKS_ADDED"}


def test_around_the_object_more_is_left_out():
    """12 % of the root of its pixels, for it does not quite fit where it was pasted; colours are smoothed."""
    place = boxes_mask([box(STANDS)], CAMERA, 160, 120)
    reach = round(0.12 * np.sqrt(place.sum()))
    assert reach > 4
    found = (*detections(STANDS), *OTHERS)
    for outer, codes in ((reach - 2, frozenset()), (reach + 3, {"MARKS_ADDED"})):
        pasted = picture(STANDS, STAYS)
        pasted[grown(place, outer) & ~grown(place, 2)] = (30, 160, 60)
        assert looked(pasted, found).codes == codes


def test_an_object_with_a_hole_is_not_solid():
    after = picture(STANDS, STAYS)
    rows, columns = np.nonzero((picture(STANDS) != picture()).any(axis=2))
    after[int(np.median(rows)) :, int(columns.min()) : int(columns.max())] = picture()[0, 0]
    seen = looked(after, (*detections(STANDS), *OTHERS))
    assert "TARGET_NOT_SOLID" in seen.codes
    # Only what has the object's label is looked at.
    other = looked(after, (*detections(STANDS, label="cup"), *OTHERS))
    assert other.solids == ()
    assert "TARGET_NOT_SOLID" not in other.codes
    assert len(looked(after, (*detections(STANDS, label="The Mug"), *OTHERS)).solids) == 1


def test_edges_of_what_stays_have_to_stay():
    after = picture(STANDS, STAYS)
    seen = looked(after, (*detections(STANDS), *OTHERS))
    assert seen.marks.edges == 1.0
    # Where another object is found elsewhere, none stays.
    moved = looked(after, (*detections(STANDS), *detections(row_of(0.3, 1.35, size=LARGE), label="plate")))
    assert moved.marks.edges is None
    assert looked(after, detections(STANDS)).marks.edges is None
