"""Maps between frames, guesses at bars, and how a picture is drawn in another frame."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from grader.alignment.framing import (
    FramingConfig,
    compose,
    content_box,
    letterboxes,
    of_areas,
    of_centers,
    scaling,
    stretch,
)
from grader.alignment.warping import draw

CONFIG = FramingConfig()
MOVE = np.array([[1.0, 0.0, 5.0], [0.0, 1.0, -3.0]])


def at(matrix: np.ndarray, x: float, y: float) -> tuple[float, float]:
    return tuple((matrix @ (x, y, 1.0)).tolist())


def content(height: int = 60, width: int = 80, seed: int = 1) -> np.ndarray:
    """Noise far from black and white."""
    return np.random.default_rng(seed).integers(60, 200, (height, width, 3), dtype=np.uint8)


# --- maps ---


def test_maps_are_applied_one_after_the_other():
    assert at(compose(scaling(2.0, 3.0), MOVE), 1.0, 1.0) == (2 * 6 + 0.5, 3 * -2 + 1.0)
    assert at(compose(MOVE, scaling(2.0, 3.0)), 1.0, 1.0) == (2 * 1 + 0.5 + 5, 3 * 1 + 1.0 - 3)


def test_scaling_keeps_the_corner_of_pixel_zero():
    """Its centre, half a pixel inside, lies a whole pixel inside after doubling: at 0.5 of whole numbers."""
    assert at(scaling(2.0, 4.0), 0.0, 0.0) == (0.5, 1.5)
    assert at(scaling(2.0, 4.0), -0.5, -0.5) == (-0.5, -0.5)
    assert np.array_equal(stretch((10, 20), (20, 80)), scaling(2.0, 4.0))


def test_areas_and_centres():
    for matrix in (scaling(2.0, 3.0), np.array([[1.0, 0.2, 3.0], [-0.1, 0.9, 4.0]])):
        x, y = at(matrix, 7.0, 9.0)
        assert at(of_areas(matrix), 7.5, 9.5) == pytest.approx((x + 0.5, y + 0.5))
        assert of_centers(of_areas(matrix)) == pytest.approx(matrix)


# --- bars ---


def padded(top: int, bottom: int, left: int, right: int, color: int = 0, picture=None) -> np.ndarray:
    picture = content() if picture is None else picture
    return np.pad(picture, ((top, bottom), (left, right), (0, 0)), constant_values=color)


def test_content_lies_inside_bars():
    assert content_box(padded(5, 7, 0, 0), CONFIG) == (0, 5, 80, 65)
    assert content_box(padded(0, 0, 4, 9, 255), CONFIG) == (4, 0, 84, 60)
    assert content_box(padded(1, 2, 3, 4), CONFIG) == (3, 1, 83, 61)
    assert content_box(content(), CONFIG) is None
    assert content_box(np.zeros((20, 20, 3), np.uint8), CONFIG) is None


def test_bars_may_have_two_colours():
    two = padded(6, 0, 0, 0, 0, padded(0, 8, 0, 0, 255))
    assert content_box(two, CONFIG) == (0, 6, 80, 66)


def test_a_bar_may_be_noisy():
    """By 24 levels."""
    for level, box in ((24, (0, 5, 80, 65)), (25, (0, 2, 80, 65))):
        picture = padded(5, 5, 0, 0)
        picture[2, 40, 1] = level
        assert content_box(picture, CONFIG) == box


def test_content_is_a_quarter_at_least():
    """Of 80 columns 20: 19 are too few; of rows likewise."""
    for width, found in ((20, True), (19, False)):
        picture = padded(0, 0, 40, 40 - width, picture=content(60, width))
        assert (content_box(picture, CONFIG) is not None) is found
        assert (content_box(np.ascontiguousarray(picture.transpose(1, 0, 2)), CONFIG) is not None) is found
    assert content_box(padded(0, 0, 40, 21, picture=content(60, 19)), replace(CONFIG, least_content=0.2)) is not None


def test_letterboxes_keep_the_shape():
    """A puzzle of 80 x 60 in a square of 80: bars of 10 above and below, or cut to 106.67 wide."""
    picture = content(80, 80)
    inner, under_a_title, over_a_caption, cut = letterboxes(picture, (80, 60), None, CONFIG)
    assert at(inner, 0.0, 10.0) == pytest.approx((0.0, 0.0))
    assert at(inner, 79.0, 69.0) == pytest.approx((79.0, 59.0))
    # A strip of 20 on one side.
    assert {at(one, 0.0, 20.0)[1] for one in (under_a_title, over_a_caption)} == {0.0, 20.0}
    # 60 puzzle rows fill 80: a scale of 0.75 about the middle.
    assert cut[0, 0] == pytest.approx(0.75)
    assert at(cut, 39.5, 39.5) == pytest.approx((39.5, 29.5))


def test_a_picture_of_nearly_the_shape_was_not_fitted():
    """81 to 80 is 1.0125, more than 1.01; 202 to 200 is not."""
    assert len(letterboxes(content(80, 81), (80, 80), None, CONFIG)) == 4
    assert len(letterboxes(content(80, 80), (80, 80), None, CONFIG)) == 0
    assert len(letterboxes(content(200, 202), (200, 200), None, CONFIG)) == 0


def test_content_is_laid_onto_the_puzzle_or_onto_its_content():
    picture = padded(10, 10, 10, 10)
    (onto,) = letterboxes(padded(10, 10, 0, 0, picture=content(60, 80)), (80, 80), None, CONFIG)
    assert at(onto, 0.0, 10.0) == pytest.approx((0.0, 80 / 60 * 0.5 - 0.5))
    whole, inner = letterboxes(picture, (100, 80), (5, 5, 95, 75), CONFIG)
    assert at(of_areas(whole), 10.0, 10.0) == pytest.approx((0.0, 0.0))
    assert at(of_areas(whole), 90.0, 70.0) == pytest.approx((100.0, 80.0))
    assert at(of_areas(inner), 10.0, 10.0) == pytest.approx((5.0, 5.0))
    assert at(of_areas(inner), 90.0, 70.0) == pytest.approx((95.0, 75.0))


# --- drawing ---


def test_a_shift_draws_the_rest_and_says_what_it_covers():
    source = content(20, 30)
    picture, covered = draw(source, np.array([[1.0, 0.0, 4.0], [0.0, 1.0, 3.0]]), (30, 20))
    assert np.array_equal(picture[3:, 4:], source[:-3, :-4])
    assert covered[3:, 4:].all()
    assert covered.sum() == 17 * 26
    # Beyond the source its outermost pixels go on.
    assert np.array_equal(picture[:, 0], picture[:, 4])


def test_a_bend_of_nothing_is_the_plain_map_and_one_of_a_pixel_a_shift():
    source = content(24, 32)
    plain, covered = draw(source, np.eye(2, 3), (32, 24))
    bent, inside = draw(source, np.eye(2, 3), (32, 24), np.zeros((2, 2, 2)))
    assert np.array_equal(plain, bent)
    assert covered.all()
    assert inside.all()
    field = np.zeros((2, 3, 2))
    field[..., 0] = 1.0
    shifted, inside = draw(source, np.eye(2, 3), (32, 24), field)
    # What is looked for a pixel to the right.
    assert np.array_equal(shifted[:, :-1], source[:, 1:])
    assert inside[:, :-1].all()
    assert not inside[:, -1].any()
    field = np.zeros((2, 3, 2))
    field[..., 1] = 1.0
    shifted, inside = draw(source, np.eye(2, 3), (32, 24), field)
    assert np.array_equal(shifted[:-1], source[1:])
    assert not inside[-1].any()


@pytest.mark.parametrize("shape", [(2, 1), (1, 2), (2, 2), (3, 3), (500, 2), (2, 500), (500, 500)])
def test_two_halves_of_two_colours_leave_no_content_of_any_size(shape: tuple[int, int]):
    """Each half is a bar, seen from its own corner, so nothing lies between them, and no map leads from there."""
    picture = np.zeros((*shape, 3), np.uint8)
    if shape[0] >= shape[1]:
        picture[shape[0] // 2 :] = 255
    else:
        picture[:, shape[1] // 2 :] = 255
    assert content_box(picture, CONFIG) is None
    assert all(np.isfinite(one).all() for one in letterboxes(picture, (318, 318), (0, 0, 318, 318), CONFIG))
