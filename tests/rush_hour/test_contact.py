"""Contact of sliding polygons, against rays from corners and against small steps."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from puzzles.rush_hour.contact import (
    Point,
    Polygon,
    overlap_depth,
    rectangle,
    slide_to_edge,
    slide_to_polygon,
)

TOUCH = 1e-9  # bodies closer than that touch
SQUARE = rectangle(0, 0, 0, 2, 2)


def corner_rays(moving: Polygon, direction: Point, other: Polygon) -> float:
    """How far until a corner of either polygon meets a side of the other one: the textbook way."""
    nearest = math.inf
    for corners, sides, sign in ((moving, other, 1.0), (other, moving, -1.0)):
        for x, y in corners:
            for (a_x, a_y), (b_x, b_y) in zip(sides, (*sides[1:], sides[0]), strict=True):
                e_x, e_y = b_x - a_x, b_y - a_y
                cross = sign * (direction[0] * e_y - direction[1] * e_x)
                if abs(cross) < 1e-12:
                    continue  # along the side; its ends are corners too
                way = ((a_x - x) * e_y - (a_y - y) * e_x) / cross
                along = ((a_x - x) * direction[1] - (a_y - y) * direction[0]) * sign / cross
                if 0 <= along <= 1 and way >= 0:
                    nearest = min(nearest, way)
    return nearest


def depth_by_axes(first: Polygon, second: Polygon) -> float:
    """The least overlap of the shadows on the normals of all sides; negative if some shadows are apart."""
    a, b = np.array(first), np.array(second)
    sides = np.concatenate([np.roll(shape, -1, axis=0) - shape for shape in (a, b)])
    normals = np.stack([sides[:, 1], -sides[:, 0]], axis=1) / np.hypot(sides[:, 0], sides[:, 1])[:, None]
    on_a, on_b = normals @ a.T, normals @ b.T
    return float(np.minimum(on_a.max(1) - on_b.min(1), on_b.max(1) - on_a.min(1)).min())


def moved(shape: Polygon, direction: Point, way: float) -> Polygon:
    return tuple((x + way * direction[0], y + way * direction[1]) for x, y in shape)


def random_pair(dice: random.Random, angles: tuple[float, ...] | None) -> tuple[Polygon, Point, Polygon]:
    """Two rectangles apart, and the first one's direction along its length; both at some of a few angles, or any."""
    while True:
        thetas = [math.radians(dice.choice(angles) if angles else dice.uniform(-180, 180)) for _ in range(2)]
        shapes = [
            rectangle(dice.uniform(1, 9), dice.uniform(1, 9), theta, dice.uniform(0.5, 3), dice.uniform(0.3, 1.5))
            for theta in thetas
        ]
        sign = dice.choice((-1, 1))
        if depth_by_axes(*shapes) < 0:
            return shapes[0], (sign * math.cos(thetas[0]), sign * math.sin(thetas[0])), shapes[1]


@pytest.mark.parametrize("angles", [None, (0.0, 15.0, -15.0, 30.0, -30.0, 90.0)])
def test_contact_agrees_with_rays_from_corners(angles: tuple[float, ...] | None) -> None:
    dice = random.Random(1)
    met = 0
    for _ in range(800):
        moving, direction, other = random_pair(dice, angles)
        way = slide_to_polygon(moving, direction, other)
        assert way == pytest.approx(corner_rays(moving, direction, other), abs=1e-9)
        met += math.isfinite(way)
    assert 60 < met < 680  # some meet and some do not


def test_contact_agrees_with_small_steps() -> None:
    dice = random.Random(2)
    for _ in range(60):
        moving, direction, other = random_pair(dice, None)
        way = slide_to_polygon(moving, direction, other)
        for step in np.arange(0.0, min(way, 12.0), 0.1):
            assert depth_by_axes(moved(moving, direction, float(step)), other) <= TOUCH
        if math.isfinite(way):
            assert depth_by_axes(moved(moving, direction, way), other) == pytest.approx(0, abs=1e-9)
            assert depth_by_axes(moved(moving, direction, way + 1e-4), other) > 0


def test_overlap_depth_agrees_with_shadows() -> None:
    dice = random.Random(3)
    for _ in range(500):
        shapes = [
            rectangle(dice.uniform(0, 3), dice.uniform(0, 3), dice.uniform(-4, 4), dice.uniform(0.5, 3), 1.0)
            for _ in range(2)
        ]
        assert overlap_depth(*shapes) == pytest.approx(depth_by_axes(*shapes), abs=1e-12)


def test_faces_and_corners_by_hand() -> None:
    assert slide_to_polygon(SQUARE, (1, 0), rectangle(5, 0, 0, 2, 2)) == 3  # 5 - 1 - 1
    # A square on its corner reaches sqrt(2) from its centre: 5 - 1 - 1.4142.
    assert slide_to_polygon(SQUARE, (1, 0), rectangle(5, 0, math.pi / 4, 2, 2)) == pytest.approx(4 - math.sqrt(2))
    # A triangle's side x + y = 4 meets the corner (1, 1) after (1, 1) + way (1, 1) / sqrt(2), 2 + way sqrt(2) = 4.
    half = math.sqrt(0.5)
    assert slide_to_polygon(SQUARE, (half, half), ((4, 0), (4, 4), (0, 4))) == pytest.approx(math.sqrt(2))
    assert slide_to_polygon(SQUARE, (-1, 0), rectangle(5, 0, 0, 2, 2)) == math.inf
    assert slide_to_polygon(SQUARE, (1, 0), rectangle(5, 3, 0, 2, 2)) == math.inf


def test_what_touches_blocks_only_the_way_in() -> None:
    beside = rectangle(2, 0.5, 0, 2, 2)  # its left side is at x = 1, where the square ends
    assert slide_to_polygon(SQUARE, (1, 0), beside) == 0
    assert slide_to_polygon(SQUARE, (-1, 0), beside) == math.inf
    assert slide_to_polygon(SQUARE, (0, 1), beside) == math.inf  # along one another
    assert slide_to_polygon(SQUARE, (0, -1), beside) == math.inf
    # Rounding in either direction changes nothing of that.
    for shift in (-1e-10, 1e-10):
        near = rectangle(2 + shift, 0.5, 0, 2, 2)
        assert slide_to_polygon(SQUARE, (1, 0), near) == pytest.approx(0, abs=2e-10)
        assert slide_to_polygon(SQUARE, (-1, 0), near) == math.inf
        assert slide_to_polygon(SQUARE, (0, 1), near) == math.inf


def test_contact_after_contact_never_wears_off() -> None:
    # A car at 15 degrees slides to and fro between two others a hundred times.
    theta = math.radians(15)
    axis = (math.cos(theta), math.sin(theta))
    shape, walls = rectangle(5, 5, theta, 2, 1), (rectangle(1, 5, 0, 1, 6), rectangle(9, 5, math.radians(-30), 1, 6))
    widths = []
    for _ in range(100):
        for sign in (1, -1):
            direction = (sign * axis[0], sign * axis[1])
            way = min(slide_to_polygon(shape, direction, wall) for wall in walls)
            shape = moved(shape, direction, way)
            widths.append(way)
            assert max(depth_by_axes(shape, wall) for wall in walls) < TOUCH
    assert max(widths[1:]) - min(widths[1:]) < 1e-12


def test_bodies_that_overlap_may_part() -> None:
    deep = rectangle(1.9, 0, 0, 2, 2)  # 0.1 deep along x
    assert slide_to_polygon(SQUARE, (1, 0), deep) == 0
    assert slide_to_polygon(SQUARE, (-1, 0), deep) == math.inf
    assert slide_to_polygon(SQUARE, (0, 1), deep) == math.inf


def test_edges_of_the_lot() -> None:
    shape = rectangle(4, 6, 0, 2, 1)
    assert slide_to_edge(shape, (-1, 0), 10, 12) == (3, 0)  # 4 - 1
    assert slide_to_edge(shape, (1, 0), 10, 12) == (5, 1)  # 10 - 4 - 1
    assert slide_to_edge(shape, (0, -1), 10, 12) == (5.5, 2)  # 6 - 0.5
    assert slide_to_edge(shape, (0, 1), 10, 12) == (5.5, 3)  # 12 - 6 - 0.5
    # At 30 degrees upwards: 5 / cos 30 = 5.77 to the right, 5.5 / sin 30 = 11 to the top.
    turned = (math.cos(math.pi / 6), math.sin(math.pi / 6))
    way, side = slide_to_edge(shape, turned, 10, 12)
    assert way == pytest.approx(5 / turned[0])
    assert side == 1
    assert slide_to_edge(rectangle(1, 6, 0, 2, 1), (-1, 0), 10, 12) == (0, 0)
    # Along the wall that it touches: the wall is no obstacle.
    assert slide_to_edge(rectangle(4, 0.5, 0, 2, 1), (1, 6e-17), 10, 12) == (5, 1)


def test_directions_have_length_one() -> None:
    with pytest.raises(ValueError, match="length 1, not 2"):
        slide_to_polygon(SQUARE, (2, 0), SQUARE)
    with pytest.raises(ValueError, match="length 1"):
        slide_to_edge(SQUARE, (1, 1), 10, 10)
