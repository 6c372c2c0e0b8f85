"""What is darker or lighter is a shade if it has no edge of its own, or fades away from what casts it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from detectors.common.shades import ShadeEdgeConfig, has_no_own_edge, window_around

CONFIG = ShadeEdgeConfig()
ROWS, COLUMNS = np.indices((60, 60), np.float32)
AWAY = ROWS
"""What casts shades lies above."""


def _told(level, away):
    here = np.abs(level) > 2
    own = cv2.dilate(here.astype(np.uint8), np.ones((9, 9), np.uint8)) > 0
    return has_no_own_edge(level.astype(np.float32), here, own, away, CONFIG.step_px, CONFIG)


@pytest.mark.parametrize("sign", [1, -1])
def test_what_is_soft_is_a_shade(sign):
    """A Gaussian of 8 pixels changes by 0.6 / 8 of its height a pixel: 0.17 over 2.2 pixels, and 0.4 is an edge."""
    spot = sign * 40 * np.exp(-((ROWS - 30) ** 2 + (COLUMNS - 30) ** 2) / (2 * 8**2))
    assert _told(spot, None)


@pytest.mark.parametrize("sign", [1, -1])
def test_what_fades_away_from_what_casts_it_is_a_shade(sign):
    band = sign * 40.0 * (ROWS < 20)
    assert _told(band, AWAY)
    assert not _told(band, None)


@pytest.mark.parametrize("part", [ROWS > 40, np.abs(ROWS - 30) < 4, np.hypot(ROWS - 30, COLUMNS - 30) < 8])
def test_what_has_an_edge_of_its_own_is_none(part):
    """What begins farther out, a strip with two edges, and a disc."""
    assert not _told(-40.0 * part, AWAY)


def test_what_cant_be_told_is_left_out():
    told = np.ones((60, 60), bool)
    told[:, :10] = False
    window, here, own = window_around(np.ones((4, 6), bool), (8, 20), told, CONFIG)
    assert window == (slice(15, 29), slice(3, 19))
    assert here.sum() == 4 * 4  # two of six columns can't be told
    assert own[:, :7].sum() == 0
