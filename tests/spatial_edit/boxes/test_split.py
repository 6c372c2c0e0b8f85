"""Two boxes of one paint that look like one."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from detectors.spatial_edit.boxes.config import OutlineConfig, SplitConfig
from detectors.spatial_edit.boxes.geometry import project
from detectors.spatial_edit.boxes.outline import filled, outline_of
from detectors.spatial_edit.boxes.split import shares, split_rows
from tests.spatial_edit.boxes.views import VIEW, row_of

CONFIG, OUTLINES = SplitConfig(), OutlineConfig()
# Coarser than by default, which is as well for what is told here, and takes a quarter of the time.
QUICK = replace(CONFIG, step_m=0.03, yaws=6)
NOTHING = np.zeros((120, 160), np.bool_)
ONE, OTHER = row_of(-0.06, 0.75, 0.3), row_of(0.08, 0.83, 1.2)


def union(*rows):
    mask = NOTHING.copy()
    for row in rows:
        mask |= filled(row, VIEW)
    return outline_of(mask, NOTHING, OUTLINES)


def test_two_boxes_are_found_where_they_stand():
    pair = split_rows(union(ONE, OTHER), row_of(), VIEW, QUICK)
    assert pair is not None
    left, right = sorted(pair, key=lambda row: row[0])
    for found, truth in ((left, ONE), (right, OTHER)):
        assert found[:2] == pytest.approx(truth[:2], abs=0.02)
        assert found[3:] == pytest.approx(row_of()[3:])
    whole = union(ONE, OTHER).mask
    both = filled(left, VIEW) | filled(right, VIEW)
    assert (both & whole).sum() / (both | whole).sum() > 0.93


@pytest.mark.parametrize("away", [1.0, 1.1])
def test_small_boxes_are_told_apart_too(away):
    """Of a box of some 10 x 20 pixels a rim of half a coarse pixel, 1.5 pixels, would be a third."""
    size = (0.05, 0.12, 0.05)
    one, other = row_of(size=size), row_of(0.0, away, size=size)
    pair = split_rows(union(one, other), row_of(size=size), VIEW, CONFIG)
    assert pair is not None
    both, whole = filled(pair[0], VIEW) | filled(pair[1], VIEW), union(one, other).mask
    assert (both & whole).sum() / (both | whole).sum() > 0.9


def test_one_box_is_not_split():
    assert split_rows(union(ONE), row_of(), VIEW, QUICK) is None


def test_a_second_box_has_to_cover_a_twentieth_more():
    """With as much as the whole to gain nothing is split."""
    assert split_rows(union(ONE, OTHER), row_of(), VIEW, replace(QUICK, cover_gain=1.0)) is None
    assert split_rows(union(ONE, OTHER), row_of(), VIEW, replace(QUICK, cover_gain=0.3)) is not None


def test_boxes_have_to_lie_on_the_paint():
    """Of half the paint too little is covered by any box of that size; where it may be hidden, it is."""
    mask = union(ONE, OTHER).mask.copy()
    mask[::2] = False
    assert split_rows(outline_of(mask, NOTHING, OUTLINES), row_of(), VIEW, QUICK) is None
    hidden = union(ONE, OTHER).mask & ~mask
    assert split_rows(outline_of(mask, hidden, OUTLINES), row_of(), VIEW, QUICK) is not None
    assert split_rows(union(ONE, OTHER), row_of(), VIEW, replace(QUICK, inside=1.01)) is None


def test_both_stand_apart():
    """Their middles are farther from each other than the shorter side, 0.12 m, but for what settling takes."""
    pair = split_rows(union(ONE, OTHER), row_of(), VIEW, QUICK)
    assert math.dist(pair[0][:2], pair[1][:2]) > 0.1
    near = row_of(-0.06, 0.75, 0.3), row_of(-0.02, 0.78, 1.2)
    found = split_rows(union(*near), row_of(), VIEW, replace(QUICK, halvings=0))
    assert found is None or math.dist(found[0][:2], found[1][:2]) >= 0.12 - 1e-9


def test_places_are_settled_by_halved_steps():
    """Without, they are those of the grid: yaws are multiples of 30 degrees, and four halvings leave 1.9 degrees."""
    rough = split_rows(union(ONE, OTHER), row_of(), VIEW, replace(QUICK, halvings=0))
    for row in rough:
        assert row[2] / (math.pi / 6) == pytest.approx(round(row[2] / (math.pi / 6)))
    fine = split_rows(union(ONE, OTHER), row_of(), VIEW, QUICK)

    def covered(pair):
        whole = union(ONE, OTHER).mask
        both = filled(pair[0], VIEW) | filled(pair[1], VIEW)
        return int((both & whole).sum()) - int((both & ~whole).sum())

    assert covered(fine) > covered(rough)
    for row in fine:
        assert row[2] / (math.pi / 6 / 16) == pytest.approx(round(row[2] / (math.pi / 6 / 16)), abs=1e-6)


def test_few_places_are_paired():
    assert split_rows(union(ONE, OTHER), row_of(), VIEW, replace(QUICK, most=1)) is None
    assert split_rows(union(ONE, OTHER), row_of(), VIEW, replace(QUICK, step_m=9.0, yaws=1)) is None


def test_an_outline_is_divided_at_the_nearer_box():
    whole = union(ONE, OTHER)
    first, second = shares((ONE, OTHER), whole, VIEW, OUTLINES)
    assert not (first.mask & second.mask).any()
    assert ((first.mask | second.mask) == whole.mask).all()
    # The first stands nearer, so that what both cover is its.
    assert (filled(ONE, VIEW) & ~first.mask & whole.mask).sum() < 30
    assert (first.hidden == second.mask).all()
    assert (second.hidden == first.mask).all()
    back, front = shares((OTHER, ONE), whole, VIEW, OUTLINES)
    assert (front.mask == first.mask).all()
    assert (back.mask == second.mask).all()


def test_what_neither_covers_goes_to_the_nearer_middle():
    whole = union(ONE, OTHER)
    left = project(np.array([[-0.5, 0.0, 0.9]]), VIEW)[0]
    assert left[0] < 20
    mask = whole.mask.copy()
    mask[60:64, 10:14] = True
    mask[60:64, 145:149] = True
    first, second = shares((ONE, OTHER), outline_of(mask, NOTHING, OUTLINES), VIEW, OUTLINES)
    assert first.mask[60:64, 10:14].all()
    assert second.mask[60:64, 145:149].all()


def test_a_box_without_a_share_has_the_whole():
    whole = union(ONE)
    far = row_of(3.0, 3.0)
    first, second = shares((ONE, far), whole, VIEW, OUTLINES)
    assert (first.mask == whole.mask).all()
    assert (second.mask == whole.mask).all()
