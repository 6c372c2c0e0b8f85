"""What pixels show, and what hides the lamp from them."""

from __future__ import annotations

import numpy as np
import pytest

from detectors.spatial_edit.boxes.findings import BoxView, FoundBox, TablePlane
from detectors.spatial_edit.predicted.rays import NOTHING, Shade, near_boxes, normal_of, rays_of, seen_surfaces

IDENTITY = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
VIEW = BoxView(10.0, 10.0, 10.0, 5.0, 20, 10)
FLOOR = TablePlane((0.0, -1.0, 0.0), -1.0)
CUBE = FoundBox((0.0, 0.0, 3.0), (1.0, 1.0, 2.0), IDENTITY)


def test_rays_go_through_the_middles_of_pixels():
    rays = rays_of(VIEW)
    assert rays.shape == (10, 20, 3)
    # Half a pixel from the corner, 10 and 5 px from the middle.
    assert rays[0, 0] == pytest.approx((-0.95, -0.45, 1.0))


def test_a_pixel_shows_the_nearest_box_by_the_face_it_enters():
    behind = FoundBox((0.0, 0.0, 6.0), (4.0, 4.0, 1.0), IDENTITY)
    surfaces = seen_surfaces(VIEW, [behind, CUBE], FLOOR)
    # The cube's front is at z = 2 and 1 m wide: 5 px, from 7.5 to 12.5, with the middles of 7 and 12 at its edges.
    assert np.flatnonzero(surfaces.box[5] == 1).tolist() == [7, 8, 9, 10, 11, 12]
    assert surfaces.box[5, 6] == 0
    assert surfaces.face[5, 9] == 4  # the near side of z
    assert surfaces.points[5, 9] == pytest.approx((-0.1, 0.1, 2.0))
    # The table, 1 m below the camera, is met by the lowest row's rays, which fall by 0.45, after 2.22 m.
    alone = seen_surfaces(VIEW, [], FLOOR)
    assert (alone.box == NOTHING).all()
    assert alone.ground[9, 10] == pytest.approx((0.05 / 0.45, 1.0, 1.0 / 0.45))
    assert alone.ground[0, 10, 2] > 1e5


def test_what_leaves_the_picture_is_seen_as_far_as_it_reaches():
    # From x = -2.5 to -1.5 and y = -1.5 to -0.5: its back, 4 m away, ends 3.75 px to the left of the middle, 10, and
    # 1.25 px above it, 5, so that the middles of column 5 and of row 3 are on it.
    left = FoundBox((-2.0, -1.0, 3.0), (1.0, 1.0, 2.0), IDENTITY)
    seen = seen_surfaces(VIEW, [left], FLOOR).box != NOTHING
    assert np.flatnonzero(seen[1]).tolist() == [0, 1, 2, 3, 4, 5]
    assert seen[3].any()
    assert not seen[4:].any()
    beyond = [FoundBox((x, y, 3.0), (1.0, 1.0, 2.0), IDENTITY) for x, y in ((-9, 0), (9, 0), (0, -9), (0, 9))]
    assert (seen_surfaces(VIEW, beyond, FLOOR).box == NOTHING).all()


def test_a_box_around_the_camera_is_seen_nowhere_and_one_beside_it_where_it_lies_ahead():
    around = FoundBox((0.0, 0.0, 0.0), (1.0, 1.0, 1.0), IDENTITY)
    assert (seen_surfaces(VIEW, [around], FLOOR).box == NOTHING).all()
    # From behind the camera to 10 m ahead, 0.4 to 0.6 m to the right: rays to the right of 0.04 enter it.
    wall = FoundBox((0.5, 0.0, 4.0), (0.2, 100.0, 12.0), IDENTITY)
    assert np.flatnonzero(seen_surfaces(VIEW, [wall], FLOOR).box[5] == 0).tolist() == list(range(10, 20))


def test_normals_point_out():
    assert normal_of(CUBE, 4) == pytest.approx((0.0, 0.0, -1.0))
    assert normal_of(CUBE, 1) == pytest.approx((1.0, 0.0, 0.0))


def test_a_box_hides_the_lamp_from_what_lies_behind_it_and_not_from_itself():
    points = np.array([[0.0, 0.5, 5.0], [0.0, 0.5, 1.5], [2.0, 0.5, 5.0], [0.0, -0.5, 3.0]], np.float32)
    # The lamp is low, toward -z: 0.1 up for 1 along. From z = 5 the ray enters the cube's back at z = 4.
    toward = np.array([0.0, -0.1, -1.0]) / np.hypot(0.1, 1.0)
    assert Shade.of(points, [CUBE]).hidden(toward).tolist() == [True, False, False, False]
    assert Shade.of(points.reshape(2, 2, 3), [CUBE]).hidden(toward).shape == (2, 2)
    assert not Shade.of(points, []).hidden(toward).any()


def test_what_is_near_is_told_by_the_longest_extent():
    points = np.array([[0.0, 0.0, 4.9], [0.0, 0.0, 5.1]], np.float32)
    assert near_boxes(points, [CUBE], 1.0).tolist() == [True, False]
