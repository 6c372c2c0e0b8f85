"""How far a marker's edge lies off the puzzle's, at a radius of 12 pixels."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from detectors.maze.shapes.outlines import MarkerOutlineConfig, is_uneven

SIDE, RADIUS, FINE = 41, 12.0, 16
CONFIG = MarkerOutlineConfig()


def drawn(points: np.ndarray) -> np.ndarray:
    """A shape around the middle, with soft edges."""
    mask = np.zeros((SIDE * FINE, SIDE * FINE), np.uint8)
    cv2.fillPoly(mask, [np.rint((points + SIDE / 2.0) * FINE).astype(np.int32)], 1)
    return cv2.resize(mask.astype(np.float32), (SIDE, SIDE), interpolation=cv2.INTER_AREA)


def polygon(corners: int, radius: float) -> np.ndarray:
    turn = np.arange(corners) * (2.0 * np.pi / corners)
    return radius * np.stack([np.sin(turn), -np.cos(turn)], axis=1)


def cross(half_arm: float, reach: float, turn: float = np.pi / 4.0) -> np.ndarray:
    a, b = half_arm, reach
    plus = np.array([(a, b), (a, a), (b, a), (b, -a), (a, -a), (a, -b), (-a, -b), (-a, -a), (-b, -a), (-b, a), (-a, a)])
    plus = np.vstack([plus, [(-a, b)]])
    return plus @ np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])


DISC, CROSS = drawn(polygon(180, RADIUS)), drawn(cross(3.0, 14.0))
ALL = np.ones((SIDE, SIDE), np.float32)


@pytest.mark.parametrize("model", [DISC, CROSS], ids=["disc", "cross"])
def test_the_puzzle_s_own_outline_is_even(model):
    assert not is_uneven(model, ALL, model, 0, CONFIG)


@pytest.mark.parametrize("corners", [4, 5, 6])
def test_polygons_are_no_discs(corners):
    """A hexagon's edge lies between 0.87 and 1 of its corners' distance; 0.0075 of 12 pixels and 0.085 are 0.18."""
    assert is_uneven(drawn(polygon(corners, 1.1 * RADIUS)), ALL, DISC, 0, CONFIG)


def test_a_size_a_place_and_a_slant_are_no_other_outline():
    larger = drawn(polygon(180, RADIUS + 1.0))
    aside = drawn(polygon(180, RADIUS) + np.array([1.0, -0.5]))
    oval = drawn(polygon(180, RADIUS) * (1.05, 0.97))
    for picture in (larger, aside, oval):
        assert not is_uneven(picture, ALL, DISC, 0, CONFIG)


def test_paler_and_blurred_ones_are_even():
    assert not is_uneven(0.7 * DISC, ALL, DISC, 0, CONFIG)
    blurred = cv2.GaussianBlur(DISC, (0, 0), 1.5)
    assert not is_uneven(blurred, ALL, DISC, 0, CONFIG)
    assert is_uneven(cv2.GaussianBlur(drawn(polygon(5, 1.1 * RADIUS)), (0, 0), 1.5), ALL, DISC, 0, CONFIG)


def test_arms_may_be_a_little_thicker_but_not_of_another_shape():
    """0.05 of a cross's 12 pixels and 0.75 are 1.4."""
    assert not is_uneven(drawn(cross(4.0, 15.0)), ALL, CROSS, 0, CONFIG)
    assert is_uneven(drawn(cross(5.5, 16.5)), ALL, CROSS, 0, CONFIG)
    assert is_uneven(drawn(cross(3.0, 14.0, np.pi / 4.0 + 0.4)), ALL, CROSS, 0, CONFIG)


def test_what_is_hidden_tells_nothing():
    hexagon = drawn(polygon(6, 1.1 * RADIUS))
    weight = ALL.copy()
    weight[:, :16] = 0.0
    assert is_uneven(hexagon, weight, DISC, 0, CONFIG)
    weight[:, :27] = 0.0
    assert not is_uneven(hexagon, weight, DISC, 0, CONFIG)
