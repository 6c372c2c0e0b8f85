"""Boxes in a picture: outlines by arithmetic and by hull, pixels by their centres, and cameras that don't fit."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from grader.metrics.space.boxes3d import OrientedBox
from grader.metrics.space.geometry_errors import GeometryError, GeometryFault
from grader.metrics.space.projection import (
    Camera,
    box_outline,
    boxes_mask,
    check_camera,
    polygon_mask,
    read_camera,
)
from grader.metrics.space.rotations import from_quaternion

CAMERA = read_camera([[400, 0, 320], [0, 400, 240], [0, 0, 1]])
SIZE = (640, 480)


def test_a_box_in_front() -> None:
    """Its near face is at z = 2 - 0.2 = 1.8 m and hides the far one: 320 +- 400 x 0.2 / 1.8 = 320 +- 44.44."""
    outline = box_outline(OrientedBox((0, 0, 2), (0.4, 0.4, 0.4)), CAMERA)
    half = 400 * 0.2 / 1.8
    corners = {(320 + a * half, 240 + b * half) for a in (-1, 1) for b in (-1, 1)}
    assert {tuple(np.round(corner, 9)) for corner in outline} == {tuple(np.round(corner, 9)) for corner in corners}
    # Centres from 275.56 to 364.44 are those of columns 276 to 363, 88 of them; rows 196 to 283 likewise.
    mask = boxes_mask([OrientedBox((0, 0, 2), (0.4, 0.4, 0.4))], CAMERA, *SIZE)
    assert mask.sum() == 88 * 88
    assert mask[196:284, 276:364].all()


def test_pixels_are_scaled_and_sheared_as_the_camera_says() -> None:
    """x = (fx X + s Y) / Z + cx, y = fy Y / Z + cy, for the near corner (0.1, 0.1, 0.9)."""
    camera = Camera(fx=100, fy=200, cx=30, cy=40, skew=10)
    outline = box_outline(OrientedBox((0, 0, 1), (0.2, 0.2, 0.2)), camera)
    expected = [(100 * 0.1 + 10 * 0.1) / 0.9 + 30, 200 * 0.1 / 0.9 + 40]
    assert np.abs(outline - expected).max(axis=1).min() < 1e-12


@pytest.mark.parametrize("z", [-5.0, -0.2, 0.0])
def test_what_is_behind_is_not_seen(z: float) -> None:
    box = OrientedBox((0, 0, z - 0.2), (0.4, 0.4, 0.4))
    assert box_outline(box, CAMERA).shape == (0, 2)
    assert not boxes_mask([box], CAMERA, *SIZE).any()


def test_what_reaches_behind_the_camera_is_cut() -> None:
    """From z = -1 to 1, x from 0.1 to 0.3 m: at the near plane, 0.01 m, x is 320 + 400 x 0.1 / 0.01 = 4320 or more.

    At the far end the left side is at 320 + 400 x 0.1 / 1 = 360, and y is 240 +- 400 x 0.05 / 1 = 220 and 260. Naive
    division by z would put the corners behind the camera on the other side, left of the middle.
    """
    box = OrientedBox((0.2, 0, 0), (0.2, 0.1, 2))
    outline = box_outline(box, CAMERA)
    assert outline[:, 0].min() == pytest.approx(360, abs=1e-9)
    assert outline[:, 0].max() == pytest.approx(320 + 400 * 0.3 / 0.01, abs=1e-6)
    assert np.abs(outline - [360, 220]).max(axis=1).min() < 1e-9
    mask = boxes_mask([box], CAMERA, *SIZE)
    assert not mask[:, :360].any()
    assert mask[240, 360:].all()


def test_a_box_around_the_camera_fills_the_picture() -> None:
    assert boxes_mask([OrientedBox((0, 0, 0), (2, 2, 2))], CAMERA, *SIZE).all()


def test_a_box_beside_the_picture_has_an_outline_and_no_pixels() -> None:
    box = OrientedBox((6, 0, 2), (0.4, 0.4, 0.4))
    assert box_outline(box, CAMERA)[:, 0].min() > 640
    assert not boxes_mask([box], CAMERA, *SIZE).any()


def test_several_boxes_are_united() -> None:
    left, right = (OrientedBox((x, 0, 2), (0.4, 0.4, 0.4)) for x in (-0.1, 0.1))
    masks = [boxes_mask([box], CAMERA, *SIZE) for box in (left, right)]
    assert (boxes_mask([left, right], CAMERA, *SIZE) == (masks[0] | masks[1])).all()
    assert (masks[0] & masks[1]).any()
    assert not boxes_mask([], CAMERA, *SIZE).any()


def test_a_pixel_counts_if_its_centre_is_within_or_on_the_border() -> None:
    """A rectangle from centre (2.5, 1.5) to centre (5.5, 3.5) holds columns 2 to 5, rows 1 to 3; a bit less, fewer."""
    wide = np.array([(2.5, 1.5), (5.5, 1.5), (5.5, 3.5), (2.5, 3.5)])
    for polygon in (wide, wide[::-1], np.roll(wide, 1, axis=0)):
        mask = polygon_mask(polygon, 8, 6)
        assert mask.sum() == 4 * 3
        assert mask[1:4, 2:6].all()
    narrow = wide + 1e-9 * np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)])
    mask = polygon_mask(narrow, 8, 6)
    assert mask.sum() == 2
    assert mask[2, 3:5].all()
    assert not polygon_mask(wide[:2], 8, 6).any()


def test_against_a_hull_by_others_and_every_pixel_by_itself() -> None:
    dice = np.random.default_rng(8)
    rows, columns = np.mgrid[0:48, 0:64] + 0.5
    centres = np.stack([columns.ravel(), rows.ravel()], axis=1)
    camera, seen = Camera(40, 42, 31, 25), 0
    for turn in from_quaternion(dice.normal(size=(60, 4)), scalar_first=True):
        center = dice.uniform((-1, -1, 1.2), (1, 1, 4))
        box = OrientedBox(center.tolist(), dice.uniform(0.05, 0.6, 3).tolist(), turn.tolist())
        corners = box.corners()
        points = np.stack([40 * corners[:, 0], 42 * corners[:, 1]], axis=1) / corners[:, 2:] + (31, 25)
        hull, outline = ConvexHull(points), box_outline(box, camera)
        assert len(outline) == len(hull.vertices)
        assert np.abs(outline[:, None] - points[hull.vertices]).max(axis=2).min(axis=1).max() < 1e-9
        inside = (hull.equations[:, :2] @ centres.T + hull.equations[:, 2:] <= 0).all(axis=0).reshape(48, 64)
        assert (boxes_mask([box], camera, 64, 48) == inside).all()
        seen += inside.any()
    assert seen > 30


@pytest.mark.parametrize(
    ("matrix", "reason"),
    [
        ([[400, 0, 320], [0, 400, 240]], GeometryFault.WRONG_SHAPE),
        ([[[400, 0, 320], [0, 400, 240], [0, 0, 1]]] * 2, GeometryFault.WRONG_SHAPE),
        ([[math.nan, 0, 320], [0, 400, 240], [0, 0, 1]], GeometryFault.NOT_FINITE),
        ([[0, 0, 320], [0, 400, 240], [0, 0, 1]], GeometryFault.NOT_A_CAMERA),
        ([[400, 0, 320], [0, -400, 240], [0, 0, 1]], GeometryFault.NOT_A_CAMERA),
        ([[400, 0, 0], [0, 400, 0], [320, 240, 1]], GeometryFault.NOT_A_CAMERA),
        ([[400, 0, 320], [0, 400, 240], [0, 0, 2]], GeometryFault.NOT_A_CAMERA),
    ],
)
def test_matrices_that_are_no_camera(matrix: object, reason: GeometryFault) -> None:
    with pytest.raises(GeometryError) as caught:
        read_camera(matrix, "task.camera")  # type: ignore[arg-type]
    assert (caught.value.field, caught.value.reason) == ("task.camera", reason)


def test_a_camera_of_a_picture_of_another_size() -> None:
    """K of the frame of 896 x 672 has its principal point at 448, which is 0.7 of 640 pixels and a quarter of 1792."""
    camera = read_camera([[700, 0, 448], [0, 700, 336], [0, 0, 1]])
    check_camera(camera, 896, 672)
    check_camera(camera, 900, 700)
    for width, height in ((640, 480), (1792, 1344), (448, 336)):
        with pytest.raises(GeometryError, match="in pixels of this picture") as caught:
            check_camera(camera, width, height)
        assert caught.value.reason is GeometryFault.OTHER_PICTURE_SIZE
    check_camera(camera, 640, 480, slack=0.25)
