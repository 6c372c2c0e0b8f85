"""What the table shows where boxes hide it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from detectors.spatial_edit.predicted.colors import colors_of, smoothed
from detectors.spatial_edit.predicted.filling import filled_table, table_area, whole_table
from detectors.spatial_edit.predicted.rays import seen_surfaces
from detectors.spatial_edit.predicted.shadows import Shaded
from tests.spatial_edit.predicted.tables import (
    AWAY,
    BEFORE,
    CONFIG,
    OLD,
    PLANE,
    RIGHT,
    STAYS,
    VIEW,
    looked_at,
    place_of,
)

BOXES = [OLD, STAYS]
SURFACES = seen_surfaces(VIEW, BOXES, PLANE)
LIT = ~Shaded.union(looked_at().shaded_table, (VIEW.height, VIEW.width)).some


def test_the_table_goes_on_in_full_light():
    colors = colors_of(smoothed(BEFORE, 1.0))
    filled = filled_table(colors, SURFACES, LIT, BOXES, PLANE, CONFIG)
    hole = place_of(0, BOXES)
    lit = float(np.median(colors.brightness[LIT & (SURFACES.box < 0)]))
    assert filled.low[hole] == pytest.approx(lit, rel=0.02)
    assert filled.high[hole] == pytest.approx(lit, rel=0.02)
    assert (filled.tint_high[hole] - filled.tint_low[hole]).max() < 0.01


def test_the_floor_goes_on_beside_the_table():
    """A grey floor as light as the table ends in the middle of a box: above it is floor, below table."""
    picture = np.full_like(BEFORE, 0)
    picture[...] = (160, 118, 76)
    picture[:40] = 128
    hole = np.zeros(picture.shape[:2], np.bool_)
    hole[25:60, 60:80] = True
    surfaces = replace(SURFACES, box=np.where(hole, 0, -1).astype(np.int16))
    colors = colors_of(smoothed(picture, 1.0))
    filled = filled_table(colors, surfaces, ~hole, BOXES, PLANE, CONFIG)
    floor, table = colors.tint[5, 5], colors.tint[110, 5]
    assert filled.tint_low[30, 70] == pytest.approx(floor, abs=0.004)
    assert filled.tint_high[30, 70] == pytest.approx(floor, abs=0.004)
    assert filled.tint_low[50, 70] == pytest.approx(table, abs=0.004)
    assert filled.tint_high[50, 70] == pytest.approx(table, abs=0.004)


def test_a_table_is_convex():
    colors = colors_of(smoothed(BEFORE, 1.0))
    known = np.ones(BEFORE.shape[:2], np.bool_)
    known[50:70, 70:90] = False
    area = table_area(colors, known, known, CONFIG)
    assert area[60, 80]
    assert area.all()


def test_boxes_and_shadows_may_cut_a_table_into_parts():
    """A part of a third of the largest one's area is a table's; a speck of less than 0.05 of it is none."""
    picture = np.full_like(BEFORE, 128)
    picture[40:] = (160, 118, 76)
    picture[10:16, 10:16] = (160, 118, 76)
    colors = colors_of(smoothed(picture, 1.0))
    height, width = picture.shape[:2]
    known = np.ones((height, width), np.bool_)
    known[:, width // 4 : width // 4 + 10] = False
    area = table_area(colors, known, known, CONFIG)
    assert area[45:, 5].all()
    assert area[45:, width // 4 + 5].all()
    assert not area[:30].any()


def test_a_table_is_more_than_the_shadows_that_boxes_stand_in():
    """Of what is near to boxes three quarters lie in shadow; of the table an eighth."""
    picture = np.full_like(BEFORE, 60)
    picture[30:] = (160, 118, 76)
    near = np.zeros(picture.shape[:2], np.bool_)
    near[60:80, 40:100] = True
    picture[60:80, 40:85] = (100, 74, 47)
    area = table_area(colors_of(smoothed(picture, 1.0)), np.ones_like(near), near, CONFIG)
    assert area[34:].all()
    assert not area[:26].any()


def test_a_table_has_corners_where_boxes_hide_them():
    """A table of 0.5 x 0.3 m, turned by 0.4, whose corners that lie farthest to the left and the right are not seen."""
    x, y = ((SURFACES.ground - SURFACES.ground[60, 80]) @ axis for axis in (RIGHT, AWAY))
    across, along = np.cos(0.4) * x + np.sin(0.4) * y, np.cos(0.4) * y - np.sin(0.4) * x
    table = (np.abs(across) < 0.25) & (np.abs(along) < 0.15)
    columns = np.flatnonzero(table.any(axis=0))
    seen = table.copy()
    seen[:, : columns[0] + 12] = False
    seen[:, columns[-1] - 11 :] = False
    whole = whole_table(seen, SURFACES, PLANE)
    # All but some pixels along its edges.
    assert np.count_nonzero(whole ^ table) < 0.05 * np.count_nonzero(table)
    assert np.count_nonzero(seen ^ table) > 0.05 * np.count_nonzero(table)
    assert not whole_table(np.zeros_like(seen), SURFACES, PLANE).any()
