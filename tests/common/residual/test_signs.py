"""Signs in corners of a picture of 200 x 200, whose corners are 40 wide and 30 high."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from detectors.common.residual.signs import SignConfig, corners_of, signs

SIDE = 200
CORNERS = corners_of((SIDE, SIDE), 0.2, 0.15)
SPARKLE = np.array([(0, -9), (2, -2), (9, 0), (2, 2), (0, 9), (-2, 2), (-9, 0), (-2, -2)], np.int32)


def empty() -> np.ndarray:
    return np.zeros((SIDE, SIDE), np.float32)


def with_sparkle(at: tuple[int, int], strength: float = 0.2, on: np.ndarray | None = None) -> np.ndarray:
    drawn = empty() if on is None else on
    cv2.fillPoly(drawn, [SPARKLE + np.array(at, np.int32)], strength)
    return drawn


def found(contrast: np.ndarray, noise: float = 0.0) -> np.ndarray:
    """Of something that is lighter than the ground by so much."""
    return signs(cv2.merge([contrast, empty(), empty()]), CORNERS, noise, SignConfig())


def test_corners_of_a_picture():
    assert CORNERS.sum() == 4 * 40 * 30
    assert CORNERS[29, 39]
    assert not CORNERS[30, 0]
    assert not CORNERS[0, 40]
    assert CORNERS[199, 160]


def test_a_sparkle_is_a_sign_and_lies_where_it_is_found():
    contrast = with_sparkle((180, 15))
    where = found(contrast)
    assert where[contrast > 0].all()
    assert not where[:, :160].any()


def test_letters_are_one_sign():
    """Nine pixels high, two wide, gaps of two: 0.012 of 200 joins gaps of up to two."""
    contrast = empty()
    for left in (170, 174, 178, 182):
        contrast[10:19, left : left + 2] = 0.3
        contrast[17:19, left : left + 3] = 0.3
    assert found(contrast)[contrast > 0].all()


@pytest.mark.parametrize(
    "drawn",
    [
        lambda contrast: cv2.circle(contrast, (180, 15), 9, 0.2, -1),
        lambda contrast: cv2.circle(contrast, (180, 15), 3, 0.2, -1),
        lambda contrast: cv2.rectangle(contrast, (165, 5), (190, 9), 0.2, -1),
        lambda contrast: cv2.rectangle(contrast, (165, 5), (190, 28), 0.2, -1),
    ],
    ids=["disc", "dot", "bar", "painted cell"],
)
def test_what_fills_its_convex_hull_is_no_sign(drawn):
    assert not found(drawn(empty())).any()


def test_what_lies_elsewhere_or_goes_on_there_is_no_sign():
    assert not found(with_sparkle((100, 15))).any()
    # Reaching 9 pixels from (163, 15), a fourth of it lies beyond the corner, which begins at 160.
    assert not found(with_sparkle((161, 15))).any()


def test_what_is_larger_than_a_sign_is_none():
    """A fifth of 200 is 40, a tenth 20: a cross of thin arms, 38 wide and 28 high."""
    contrast = empty()
    cv2.line(contrast, (161, 1), (199, 28), 0.2, 1)
    cv2.line(contrast, (161, 28), (199, 1), 0.2, 1)
    assert not found(contrast).any()


def test_there_are_two_signs_at_most():
    contrast = with_sparkle((180, 15), on=with_sparkle((20, 15)))
    assert found(contrast)[contrast > 0].all()
    assert not found(with_sparkle((20, 185), on=contrast)).any()


def test_noise_is_no_sign():
    """Of a contrast of 0.2 nothing is told where twice the noise is more."""
    assert found(with_sparkle((180, 15)), noise=0.02).any()
    assert not found(with_sparkle((180, 15)), noise=0.11).any()


def test_what_has_a_peak_is_a_small_soft_sparkle_where_that_is_asked_for():
    """A cone has a third of its hull's volume, a disc all of it; both fill their hull."""
    rows, columns = np.mgrid[0:SIDE, 0:SIDE]
    away = np.hypot(rows - 15, columns - 180)
    cone, disc = (np.asarray(one, np.float32) for one in (np.clip(0.2 - 0.04 * away, 0.0, 0.2), 0.2 * (away <= 5)))
    for drawn, told in ((cone, True), (disc, False)):
        values = cv2.merge([drawn, empty(), empty()])
        assert not signs(values, CORNERS, 0.0, SignConfig()).any()
        assert signs(values, CORNERS, 0.0, SignConfig(soft=0.62)).any() == told
