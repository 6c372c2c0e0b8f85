"""Boxes as rows of numbers: corners, pixels, faces, and the rays that meet them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from detectors.spatial_edit.boxes.findings import BoxKind, BoxView, FoundBox, TablePlane, same_looking
from detectors.spatial_edit.boxes.geometry import (
    EDGE_FACES,
    EDGES,
    FACES,
    SIGNS,
    box_of,
    corners_of,
    entry_depth,
    hull_mask,
    onto_table,
    project,
    seen_faces,
    size_numbers,
    table_axes,
    table_numbers,
)

VIEW = BoxView(200.0, 100.0, 60.0, 40.0, 120, 80)
# The camera looks level, 1 m above the table: right, down and away are x, y and z.
LEVEL = np.array([0.1, 2.0, 0.0, *size_numbers((0.2, 0.4, 0.6)), 0.0, 0.0, 1.0])


def test_corners_stand_around_the_middle():
    """x 0.1 -+ 0.1, y from 1 - 0.4 to 1, z 2 -+ 0.3."""
    wanted = [[x, y, z] for x in (0.0, 0.2) for y in (0.6, 1.0) for z in (1.7, 2.3)]
    assert corners_of(LEVEL[None])[0] == pytest.approx(np.array(wanted))
    box = box_of(LEVEL)
    assert box.center == pytest.approx((0.1, 0.8, 2.0))
    assert box.size == pytest.approx((0.2, 0.4, 0.6))
    assert np.array(box.rotation) == pytest.approx(np.eye(3))


def test_a_box_turns_about_down():
    """A quarter turn takes its x to -z, and its z to x: half a length of 0.3 lies along x now."""
    row = LEVEL.copy()
    row[2] = math.pi / 2
    found = corners_of(row[None])[0]
    assert found[:, 0].min() == pytest.approx(-0.2)
    assert found[7] == pytest.approx([0.4, 1.0, 1.9])
    assert np.array(box_of(row).rotation) == pytest.approx(np.array([[0, 0, 1], [0, 1, 0], [-1, 0, 0]]), abs=1e-12)


@pytest.mark.parametrize(("pitch", "roll"), [(0.6, 0.0), (0.6, 0.2), (-0.3, -0.5), (1.2, 0.1)])
def test_the_table_has_axes(pitch, roll):
    row = LEVEL.copy()
    row[6:8] = pitch, roll
    right, down, away = (axis[0] for axis in table_axes(row[None]))
    axes = np.stack([right, down, away], axis=1)
    turn = np.array([[math.cos(roll), -math.sin(roll), 0], [math.sin(roll), math.cos(roll), 0], [0, 0, 1]])
    tilt = np.array([[1, 0, 0], [0, math.cos(pitch), -math.sin(pitch)], [0, math.sin(pitch), math.cos(pitch)]])
    assert axes == pytest.approx(turn @ tilt)
    plane = TablePlane(tuple((-down).tolist()), -0.7)
    assert table_numbers(plane) == pytest.approx((pitch, roll, 0.7))
    # All corners lie on the table, or as high above it as the box is.
    heights = corners_of(row[None])[0] @ down
    assert np.sort(heights) == pytest.approx([0.6] * 4 + [1.0] * 4)
    box = box_of(row)
    made = (SIGNS * (np.array(box.size) / 2)) @ np.array(box.rotation).T + np.array(box.center)
    assert made == pytest.approx(corners_of(row[None])[0])


def test_pixels_of_what_is_behind_the_camera_lie_before_it():
    """60 + 200 * 0.1 / 2 and 40 + 100 * 0.2 / 2; behind, depth is taken as 1 cm."""
    found = project(np.array([[0.1, 0.2, 2.0], [0.1, 0.2, -1.0], [0.1, 0.2, 0.01]]), VIEW)
    assert found == pytest.approx(np.array([[70.0, 50.0], [2060.0, 2040.0], [2060.0, 2040.0]]))


def test_rays_meet_the_table():
    points = np.array([[0.3, 1.0, 2.5], [-0.2, 1.0, 4.0]])
    assert onto_table(project(points, VIEW), LEVEL, VIEW, 0.0) == pytest.approx(points[:, [0, 2]])
    raised = points - (0.0, 0.25, 0.0)
    assert onto_table(project(raised, VIEW), LEVEL, VIEW, 0.25) == pytest.approx(points[:, [0, 2]])
    # Rays that rise, or fall by less than a thousandth, meet it 1000 m away.
    assert onto_table(np.array([[60.0, 10.0], [60.0, 40.0]]), LEVEL, VIEW, 0.0) == pytest.approx(
        np.array([[0.0, 1000.0], [0.0, 1000.0]])
    )


def test_faces_and_edges_belong_together():
    """12 edges between corners that differ in one sign, each of two faces; the faces are those at -x, +x, -y, ..."""
    assert len(EDGES) == 12
    for (i, j), faces in zip(EDGES, EDGE_FACES, strict=True):
        assert i < j
        assert np.count_nonzero(SIGNS[i] != SIGNS[j]) == 1
        assert len(faces) == 2
    for number, face in enumerate(FACES):
        axis, sign = number // 2, (-1, 1)[number % 2]
        assert [SIGNS[corner][axis] for corner in face] == [sign] * 4
        # Each corner of a face follows one that is its neighbour.
        assert all(
            np.count_nonzero(SIGNS[one] != SIGNS[other]) == 1
            for one, other in zip(face, (*face[1:], face[0]), strict=True)
        )


@pytest.mark.parametrize(("right", "drop", "seen"), [
    (1.0, 1.0, (0, 2, 4)),  # to the right and below: its left, top and front
    (-1.0, 1.0, (1, 2, 4)),
    (0.0, 1.0, (2, 4)),
    (0.0, 0.2, (4,)),  # the camera is between top and foot
    (0.0, -1.0, (3, 4)),
])  # fmt: skip
def test_faces_that_are_turned_to_the_camera_are_seen(right, drop, seen):
    row = LEVEL.copy()
    row[0], row[8] = right, drop
    assert tuple(at for at, one in enumerate(seen_faces(corners_of(row[None])[0])) if one) == seen


def test_rays_enter_a_box_at_a_depth():
    """The front is 1.7 m away, and reaches from 0 to 0.2 and from 0.6 to 1.0; the top is met at y = 0.6."""
    aim = np.array([[0.1, 0.8, 1.7], [0.19, 0.99, 1.7], [0.21, 0.8, 1.7], [0.1, 1.01, 1.7], [0.1, 0.6, 2.0],
                    [0.1, 0.6, 2.31]])  # fmt: skip
    depths = entry_depth(LEVEL, project(aim, VIEW), VIEW)
    assert depths == pytest.approx([1.7, 1.7, np.inf, np.inf, 2.0, np.inf])
    # Nothing is entered by a camera that is inside, or by rays away from the box.
    inside = LEVEL.copy()
    inside[[1, 8]] = 0.0, 0.2
    assert np.isinf(entry_depth(inside, np.array([[60.0, 40.0]]), VIEW)).all()
    behind = LEVEL.copy()
    behind[1] = -2.0
    assert np.isinf(entry_depth(behind, np.array([[60.0, 0.0]]), VIEW)).all()


def test_a_hull_is_drawn_with_the_pixels_that_it_touches():
    """From 2.75 to 6.25: the middles of pixels 2 to 6 lie within half a pixel; corners are in any order."""
    mask = hull_mask(np.array([[6.25, 2.75], [2.75, 6.25], [2.75, 2.75], [6.25, 6.25], [4.0, 4.0]]), (9, 12))
    assert mask.shape == (9, 12)
    rows, columns = np.nonzero(mask)
    assert (rows.min(), rows.max(), columns.min(), columns.max()) == (2, 6, 2, 6)
    assert mask.sum() == 25
    inner = hull_mask(np.array([[6.1, 3.0], [3.0, 6.1], [3.0, 3.0], [6.1, 6.1]]), (9, 12))
    rows, columns = np.nonzero(inner)
    assert (rows.max(), columns.max()) == (6, 6)


def test_a_solid_keeps_its_extents_under_other_names():
    box = FoundBox((0.0, 0.0, 1.0), (1.0, 2.0, 1.04), ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))
    # 0.04 of 1.04 is 3.85 %.
    assert len(same_looking(box, 0.0384)) == 4
    assert len(same_looking(box, 0.0385)) == 8
    quarter = same_looking(box, 0.0385)[4]
    assert quarter.size == (1.04, 2.0, 1.0)
    assert np.linalg.det(np.array(quarter.rotation)) == pytest.approx(1.0)


def test_what_is_no_camera_table_or_kind_is_refused():
    with pytest.raises(ValueError, match="no intrinsics"):
        BoxView(100.0, 100.0, math.nan, 1.0, 10, 10)
    for numbers in ((0.0, 1.0, 1.0, 1.0, 1, 1), (1.0, -1.0, 1.0, 1.0, 1, 1), (1.0, 1.0, 1.0, 1.0, 0, 1)):
        with pytest.raises(ValueError, match="no intrinsics"):
            BoxView(*numbers)
    made = BoxView.of(((200.0, 0.0, 60.0), (0.0, 100.0, 40.0), (0.0, 0.0, 1.0)), 120, 80)
    assert made == VIEW
    for rows in (
        ((200.0, 0.0, 60.0), (0.1, 100.0, 40.0), (0.0, 0.0, 1.0)),
        ((200.0, 0.0, 60.0), (0.0, 100.0, 40.0), (0.0, 0.0, 2.0)),
    ):
        with pytest.raises(ValueError, match="skew or another last row"):
            BoxView.of(rows, 120, 80)
    for normal, offset in (((0.0, -1.0, 0.0), math.inf), ((0.0, -1.00001, 0.0), -1.0)):
        with pytest.raises(ValueError, match="unit length"):
            TablePlane(normal, offset)
    assert TablePlane((0.0, -1.0000001, 0.0), -1.0).offset == -1.0
    with pytest.raises(ValueError, match="above the table"):
        TablePlane((0.0, -1.0, 0.0), 0.0)
    for size in ((0.0, 1.0, 1.0), (1.0, math.inf, 1.0)):
        with pytest.raises(ValueError, match="positive"):
            BoxKind("box", (255, 0, 0), size)


def test_the_table_lies_under_a_box():
    """A box whose local y is down, 0.4 high, with its middle at y = 0.8: the table is 1 m below the camera."""
    plane = TablePlane.under(box_of(LEVEL))
    assert plane.normal == pytest.approx((0.0, -1.0, 0.0))
    assert plane.offset == pytest.approx(-1.0)
