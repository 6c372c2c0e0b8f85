"""A marker of which a part has faded is no whole one; one that is paler all over is."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from detectors.maze.plan.floorplan import Marker
from detectors.maze.shapes.faded import FadedConfig, is_partly_faded
from tests.maze.remainder.scenes import PLAN

CONFIG = FadedConfig()
FLOOR = np.full(3, 255.0)
DISC: Marker = PLAN.markers[0]
NOTHING = np.zeros(PLAN.labels.shape, np.bool_)


def with_part(share: float, opacity: float) -> np.ndarray:
    """The disc, of which the columns from the left up to a share of its width have less opacity."""
    picture = PLAN.picture.astype(float)
    rows, columns = DISC.box
    part = (rows, slice(columns.start, columns.start + round(share * (columns.stop - columns.start))))
    picture[part] = opacity * picture[part] + (1.0 - opacity) * 255.0
    return np.rint(picture).astype(np.uint8)


def is_faded(picture: np.ndarray, hidden: np.ndarray = NOTHING, config: FadedConfig = CONFIG) -> bool:
    return is_partly_faded(picture, DISC, FLOOR, hidden, replace(config, least_px=12))


def test_the_marker_itself_is_whole():
    assert not is_faded(PLAN.picture)


@pytest.mark.parametrize(("opacity", "faded"), [(0.9, False), (0.5, True), (0.0, True)])
def test_a_half_that_has_lost_more_than_a_third_has_faded(opacity, faded):
    assert is_faded(with_part(0.5, opacity)) is faded


@pytest.mark.parametrize("opacity", [0.3, 0.6])
def test_one_that_is_paler_all_over_is_whole(opacity):
    assert not is_faded(with_part(1.0, opacity))


def test_a_blurred_one_is_whole():
    assert not is_faded(np.asarray(cv2.GaussianBlur(PLAN.picture, (0, 0), 1.5), np.uint8))


def test_what_is_written_over_it_is_no_part_that_faded():
    """Black is no mixture of red and white."""
    picture = PLAN.picture.copy()
    rows, columns = DISC.box
    picture[rows.start + 2 : rows.start + 5, columns] = 0
    assert not is_faded(picture)


def test_what_the_line_hides_is_not_looked_at():
    hidden = NOTHING.copy()
    rows, columns = DISC.box
    hidden[rows, : (columns.start + columns.stop) // 2] = True
    assert not is_faded(with_part(0.5, 0.4), hidden, replace(CONFIG, beside_px=0.5))
