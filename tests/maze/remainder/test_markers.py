"""A marker is itself at other sizes, blurred, in other lights; another shape in its place is none.

Discs are 13 pixels wide with an area of 113, crosses 17 wide.
"""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from detectors.maze.remainder.config import MarkerShapeConfig
from detectors.maze.remainder.markers import is_marker_gone, rim_over
from detectors.maze.shapes.crossed import is_crossed_out
from tests.maze.remainder.scenes import BLUE, PLAN, SHAPE, at, through
from tests.maze.stages.plans import FLOOR, RED

DISC, CROSS = 0, 1
NOTHING = np.zeros(SHAPE, bool)
CONFIG = MarkerShapeConfig()
X, Y = at(1)
BOTH = pytest.mark.parametrize("index", [DISC, CROSS], ids=["disc", "cross"])


def gone(picture, index: int = DISC, strokes=NOTHING, floor=FLOOR) -> bool:
    return is_marker_gone(picture, PLAN.markers[index], np.array(floor, float), strokes, PLAN, MarkerShapeConfig())


def bare(index: int) -> np.ndarray:
    picture = PLAN.picture.copy()
    marker = PLAN.markers[index]
    picture[marker.box][marker.mask] = FLOOR
    return picture


def scaled(index: int, size: float) -> np.ndarray:
    """The marker drawn larger or smaller about its middle, with soft edges."""
    marker = PLAN.markers[index]
    side = round(marker.mask.shape[0] * size)
    how = cv2.INTER_LINEAR if size > 1.0 else cv2.INTER_AREA
    shape = cv2.resize(marker.mask.astype(np.float32), (side, side), interpolation=how)[..., None]
    x, y = at(marker.cell)
    picture = bare(index)
    picture[y - side // 2 : y - side // 2 + side, x - side // 2 : x - side // 2 + side] = np.rint(
        np.array(FLOOR) * (1.0 - shape) + np.array(RED) * shape
    )
    return picture


def blurred(picture: np.ndarray, by: float) -> np.ndarray:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), by), np.uint8)


@BOTH
def test_the_puzzle_s_own_is_there_and_an_empty_place_is_not(index):
    assert not gone(PLAN.picture, index)
    assert gone(bare(index), index)


@BOTH
def test_it_may_be_smaller_or_larger(index):
    """By six steps of 1.06, which are 1.42, and a little more for its soft edge."""
    for size, is_gone in (
        (0.6, True),
        (0.7, False),
        (0.8, False),
        (1.2, False),
        (1.4, False),
        (1.5, True),
        (1.7, True),
    ):
        assert gone(scaled(index, size), index) is is_gone, size


@BOTH
def test_it_may_be_blurred(index):
    assert not gone(blurred(PLAN.picture, 4.0), index)
    assert not gone(blurred(scaled(index, 1.3), 2.0), index)


def test_it_may_be_displaced_by_four_pixels():
    for by, is_gone in ((4, False), (5, True)):
        for x, y in ((by, 0), (-by, 0), (0, by), (0, -by)):
            picture = bare(DISC)
            cv2.circle(picture, (X + x, Y + y), 6, RED, -1)
            assert gone(picture) is is_gone, (x, y)


@pytest.mark.parametrize(
    ("color", "is_gone"),
    [((160, 0, 0), False), ((255, 130, 120), False), ((255, 120, 0), False), ((0, 160, 0), True), (BLUE, True)],
)
@BOTH
def test_it_may_be_darker_or_paler_but_not_another_colour(index, color, is_gone):
    picture = PLAN.picture.copy()
    picture[PLAN.marker_mask] = color
    assert gone(picture, index) is is_gone


def test_on_a_floor_in_another_colour():
    picture = PLAN.picture.copy()
    picture[PLAN.open_floor] = (240, 225, 190)
    assert not gone(picture, DISC, floor=(240, 225, 190))
    assert not gone(picture, CROSS, floor=(240, 225, 190))


def shaped(shape: str) -> np.ndarray:
    picture = bare(DISC)
    if shape == "ring":
        cv2.circle(picture, (X, Y), 6, RED, 2)
    elif shape == "letter":
        cv2.putText(picture, "A", (X - 6, Y + 6), cv2.FONT_HERSHEY_SIMPLEX, 0.5, RED, 2)
    elif shape == "square":
        picture[Y - 6 : Y + 7, X - 6 : X + 7] = RED
    elif shape == "triangle":
        cv2.fillPoly(picture, [np.array([(X, Y - 8), (X - 8, Y + 6), (X + 8, Y + 6)])], RED)
    elif shape == "ellipse":
        cv2.ellipse(picture, (X, Y), (8, 5), 0, 0, 360, RED, -1)
    elif shape == "half":
        cv2.ellipse(picture, (X, Y), (6, 6), 0, 0, 180, RED, -1)
    return picture


@pytest.mark.parametrize("shape", ["ring", "letter", "square", "triangle", "ellipse", "half"])
def test_another_shape_is_not_the_disc(shape):
    assert gone(shaped(shape))


def test_another_shape_is_not_the_cross():
    square = PLAN.picture.copy()
    square[PLAN.markers[CROSS].box] = RED
    assert gone(square, CROSS)
    one_arm = bare(CROSS)
    x, y = at(12)
    cv2.line(one_arm, (x - 6, y - 6), (x + 6, y + 6), RED, 4)
    assert gone(one_arm, CROSS)
    disc = bare(CROSS)
    cv2.circle(disc, (x, y), 7, RED, -1)
    assert gone(disc, CROSS)


@BOTH
def test_a_part_of_it_is_gone_or_there_is_more(index):
    """Over windows of a fifth of its size with the floor around, 5 pixels, more than 0.4: 10 of 25.

    Two rows cut off it, a hole or a knob of 3 x 3 are less; one of 4 x 4 is more.
    """
    marker = PLAN.markers[index]
    x, y = at(marker.cell)
    for side, is_gone in ((2, False), (3, False), (4, True)):
        hole, knob = PLAN.picture.copy(), PLAN.picture.copy()
        hole[y - side // 2 : y - side // 2 + side, x - side // 2 : x - side // 2 + side] = FLOOR
        assert gone(hole, index) is is_gone, side
        knob[marker.top - side : marker.top, x - side // 2 : x - side // 2 + side] = RED
        assert gone(knob, index) is is_gone, side
    for rows, is_gone in ((2, False), (3, True)):
        cut = PLAN.picture.copy()
        cut[marker.top : marker.top + rows, marker.left : marker.left + marker.mask.shape[1]] = FLOOR
        assert gone(cut, index) is is_gone


def test_what_a_stroke_hides_tells_nothing():
    stroke = through(1, 2, width=6)
    picture = PLAN.picture.copy()
    picture[stroke] = BLUE
    assert not gone(picture, DISC, stroke)
    # What is left of it beside the stroke has to be there all the same.
    empty = bare(DISC)
    empty[stroke] = BLUE
    assert gone(empty, DISC, stroke)


def test_a_quarter_of_it_has_to_be_in_sight():
    """Of 113 pixels 28.25: 29 are enough, 28 are not."""
    pixels = np.argwhere(PLAN.markers[DISC].mask) + np.array([PLAN.markers[DISC].top, PLAN.markers[DISC].left])
    for shown, is_gone in ((29, False), (28, True)):
        stroke = NOTHING.copy()
        stroke[tuple(pixels[shown:].T)] = True
        picture = PLAN.picture.copy()
        picture[stroke] = BLUE
        assert gone(picture, DISC, stroke) is is_gone


@BOTH
def test_a_word_at_it_is_no_part_of_it(index):
    """In a low row of letters in its colour; as high as half of it, or as short as high, it is something else."""
    marker = PLAN.markers[index]
    x, y = at(marker.cell)
    for height, width, is_gone in ((3, 11, False), (8, 9, True)):
        picture = PLAN.picture.copy()
        top = marker.top + marker.mask.shape[0] + 1
        picture[top : top + height, x - width // 2 : x - width // 2 + width] = RED
        assert gone(picture, index) is is_gone, (height, width)
    # Where the marker itself is not whole, nothing beside it is overlooked.
    picture = bare(index)
    picture[y - 2 : y + 1, x - 6 : x + 6] = RED
    assert gone(picture, index)


@BOTH
def test_it_may_be_outlined_as_a_whole(index):
    """With a black line around its edge; around another shape, or a half of it, that helps nothing."""
    mask = PLAN.marker_mask.view(np.uint8)
    line = (cv2.dilate(mask, np.ones((3, 3), np.uint8)) > mask) & PLAN.open_floor
    outlined = PLAN.picture.copy()
    outlined[line] = 0
    assert not gone(outlined, index)
    empty = bare(index)
    empty[line] = 0
    assert gone(empty, index)
    half = outlined.copy()
    x, y = at(PLAN.markers[index].cell)
    half[y + 2 : y + 10, x - 10 : x + 10] = FLOOR
    assert gone(half, index)


def test_a_line_s_rim_over_a_marker_is_as_wide_as_it_is_seen_there():
    """A disc whose inside, half of it, has a radius of 4: at one and two pixels beside the line there is floor."""
    x, y = at(1)
    line = NOTHING.copy()
    line[y - 1 : y + 1, x : x + 16] = True
    cased = bare(DISC)
    cv2.circle(cased, (x, y), 8, RED, -1)
    assert rim_over(cased, PLAN.markers[DISC], np.array(FLOOR, float), line, 4, CONFIG) == 0
    cased[y - 3 : y + 3, x - 2 : x + 16] = FLOOR
    assert rim_over(cased, PLAN.markers[DISC], np.array(FLOOR, float), line, 4, CONFIG) == 2


def test_strokes_across_a_disc_cross_it_out_and_one_from_the_line_s_side_does_not():
    x, y = at(1)
    marker = PLAN.markers[DISC]
    crossed = PLAN.picture.copy()
    assert not is_crossed_out(crossed, marker, NOTHING, 0.0, CONFIG)
    cv2.line(crossed, (x - 12, y - 12), (x + 12, y + 12), (0, 0, 0), 1)
    assert is_crossed_out(crossed, marker, NOTHING, 0.0, CONFIG)
    one = PLAN.picture.copy()
    cv2.line(one, (x, y), (x + 12, y), (0, 0, 0), 1)
    assert not is_crossed_out(one, marker, NOTHING, 0.0, CONFIG)
