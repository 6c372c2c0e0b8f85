"""Chains of pieces: where they end, and when two silhouettes are one."""

from __future__ import annotations

import math
import random

import cv2
import numpy as np
import pytest

from puzzles.hinge_folding.chain import HingeShape, compare, folded, outline_of, silhouette

SQUARE, DIAMOND, TRIANGLE, RECTANGLE = HingeShape
QUARTER = math.pi / 2


def by_turning(shapes, turns):
    """Makes the turns one after another, each about the place where its hinge is then: the rule as it is told."""
    pieces, joints, right = [], [], -0.0
    for number, shape in enumerate(shapes):
        piece = outline_of(shape)
        place = 0.0 if number == 0 else right - piece.left
        pieces.append(np.add(piece.corners, [place, 0.0]))
        right = place + piece.right
        joints.append(np.array([right, 0.0]))
    for hinge, angle in turns:
        cos, sin = math.cos(angle), math.sin(angle)
        turn, about = np.array([[cos, -sin], [sin, cos]]), joints[hinge].copy()
        for number in range(hinge + 1, len(shapes)):
            pieces[number] = (pieces[number] - about) @ turn.T + about
            joints[number] = turn @ (joints[number] - about) + about
    return pieces


@pytest.mark.parametrize("seed", range(20))
def test_the_sum_of_each_hinge_says_where_pieces_end_whatever_the_order(seed):
    dice = random.Random(seed)
    shapes = [dice.choice(list(HingeShape)) for _ in range(dice.randint(2, 6))]
    turns = [(dice.randrange(len(shapes) - 1), dice.randrange(8) * math.pi / 4) for _ in range(8)]
    sums = [sum(angle for hinge, angle in turns if hinge == at) for at in range(len(shapes) - 1)]
    for found, wanted in zip(folded(shapes, sums), by_turning(shapes, turns), strict=True):
        np.testing.assert_allclose(found, wanted, atol=1e-9)


@pytest.mark.parametrize(
    ("shape", "area"),
    [
        (SQUARE, 0.5),  # diagonals of 1: 1 x 1 / 2
        (DIAMOND, 0.5),
        (TRIANGLE, 3 * math.sqrt(3) / 4 * 0.25),  # 3 sqrt(3) / 4 r^2
        (RECTANGLE, 0.5),
    ],
)
def test_pieces_have_the_areas_of_their_shapes(shape, area):
    assert silhouette((shape,), ()).area == pytest.approx(area)


def test_two_rectangles_at_a_right_angle_share_a_sixteenth():
    # The first ends at x = 1/2, the second stands on its end from x = 1/4 to 3/4: 1/4 x 1/4 is shared.
    made = silhouette((RECTANGLE, RECTANGLE), (QUARTER,))
    assert made.area == pytest.approx(0.5 + 0.5 - 0.25 * 0.25)
    assert compare((RECTANGLE, RECTANGLE), (QUARTER,), (-QUARTER,)).same is False


def test_a_full_turn_and_the_same_turn_with_another_sign_give_one_silhouette():
    shapes = (SQUARE, TRIANGLE, DIAMOND)
    assert compare(shapes, (3 * QUARTER, 0.0), (-QUARTER, 2 * math.pi)).same
    found = compare(shapes, (QUARTER, 0.0), (0.0, 0.0))
    assert (found.same, 0.0 < found.iou < 1.0) == (False, True)


@pytest.mark.parametrize("seed", range(6))
def test_overlap_is_that_of_silhouettes_filled_pixel_by_pixel(seed):
    dice = random.Random(seed)
    shapes = tuple(dice.choice(list(HingeShape)) for _ in range(4))
    first, second = ([dice.randrange(8) * math.pi / 4 for _ in range(3)] for _ in range(2))

    def drawn(angles):
        # 200 pixels a unit, with 4 more bits a coordinate.
        canvas = np.zeros((1800, 1800), np.uint8)
        for corners in folded(shapes, angles):
            cv2.fillConvexPoly(canvas, np.rint((corners * 200 + 900) * 16).astype(np.int32), 1, shift=4)
        return canvas.astype(bool)

    one, other = drawn(first), drawn(second)
    assert compare(shapes, first, second).iou == pytest.approx((one & other).sum() / (one | other).sum(), abs=0.02)


@pytest.mark.parametrize(("shapes", "angles"), [((), ()), ((SQUARE,), (0.0,)), ((SQUARE, SQUARE), ())])
def test_as_many_angles_as_hinges(shapes, angles):
    with pytest.raises(ValueError, match="hinges"):
        folded(shapes, angles)
