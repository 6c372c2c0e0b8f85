"""Markers in another colour, and what a line that is not opaque can show of one."""

from __future__ import annotations

import numpy as np
import pytest

from detectors.maze.remainder.config import RemainderConfig
from detectors.maze.remainder.markers import seen_through
from detectors.maze.shapes.recolored import recolored
from tests.maze.remainder.scenes import NO_LINE, PLAN
from tests.maze.stages.plans import RED

CONFIG = RemainderConfig()
FLOOR = np.array([255.0, 255.0, 255.0])
BLUE = np.array([0.0, 107.0, 183.0])


def painted(color, share: float = 1.0) -> np.ndarray:
    """The second marker in a mixture of its own colour and another one."""
    picture = PLAN.picture.copy()
    marker = PLAN.markers[1]
    own = picture[marker.box].astype(np.float64)
    mixed = own + share * (np.array(color, np.float64) - own)
    picture[marker.box] = np.where(marker.mask[..., None], np.rint(mixed), own).astype(np.uint8)
    return picture


def told(picture: np.ndarray) -> list[int]:
    return recolored(picture, None, FLOOR, BLUE, NO_LINE.strokes, PLAN, CONFIG.recolored)


@pytest.mark.parametrize("color", [(0, 0, 0), (20, 160, 40), (30, 60, 220), (230, 160, 20), (150, 30, 200)])
def test_a_marker_in_another_colour_is_told(color):
    assert told(painted(color)) == [1]


@pytest.mark.parametrize("color", [RED, (255, 120, 120), (180, 10, 20), (230, 40, 30)])
def test_paler_darker_and_a_little_tinted_it_is_still_that_marker(color):
    assert told(painted(color)) == []


def test_of_what_the_line_hides_nothing_is_told():
    hidden = np.zeros(PLAN.labels.shape, np.bool_)
    hidden[PLAN.markers[1].box] = True
    assert recolored(painted((20, 160, 40)), None, FLOOR, BLUE, hidden, PLAN, CONFIG.recolored) == []


@pytest.mark.parametrize(("opacity", "shows"), [(0.5, True), (0.8, True), (1.0, False)])
def test_a_marker_shows_through_a_line_as_far_as_its_paint_is_not_opaque(opacity, shows):
    """Paint of (0, 0, 0) on white; over a marker m it shows (1 - a) m."""
    marker, line = PLAN.markers[1], (1.0 - opacity) * FLOOR
    picture = PLAN.picture.copy()
    over = np.rint((1.0 - opacity) * np.array(RED)).astype(np.uint8)
    picture[marker.box][marker.mask] = over
    strokes = np.zeros(PLAN.labels.shape, np.bool_)
    strokes[marker.box] = ~marker.mask
    found = seen_through(picture, marker, FLOOR, line, strokes, PLAN, CONFIG.markers)
    assert bool(found[marker.mask].mean() > 0.9) is shows


def test_what_no_paint_can_be_is_not_seen_through_it():
    """Orange on dark grey, which only opaque paint makes; what is white would be it with all of a blue marker added."""
    marker, floor, line = PLAN.markers[1], np.full(3, 30.0), np.array([255.0, 165.0, 30.0])
    picture = PLAN.picture.copy()
    picture[marker.box][marker.mask] = np.clip(line + 0.9 * (marker.rgb - floor), 0, 255).astype(np.uint8)
    strokes = np.zeros(PLAN.labels.shape, np.bool_)
    strokes[marker.box] = ~marker.mask
    assert not seen_through(picture, marker, floor, line, strokes, PLAN, CONFIG.markers).any()
