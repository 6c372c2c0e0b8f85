"""Whether the outline of a box that is gone is still seen: a step of colour along it, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from detectors.spatial_edit.predicted.colors import colors_of, contrasts, smoothed
from detectors.spatial_edit.predicted.config import TraceConfig
from detectors.spatial_edit.predicted.leftover import left_over
from detectors.spatial_edit.predicted.traces import outline_of, trace_of
from tests.spatial_edit.predicted.tables import AFTER, CONFIG, NEW, OLD, STANDING, STAYS, looked_at, place_of

SHAPE = (120, 160)
CONFIG_OF_TRACES = TraceConfig()
SQUARE = np.zeros(SHAPE, np.bool_)
SQUARE[40:80, 50:90] = True
FACE = np.where(SQUARE, 1, -1).astype(np.int16)
ALL = np.ones(SHAPE, np.bool_)
UNEVEN = 10.0 * cv2.GaussianBlur(np.random.default_rng(1).normal(0, 1, SHAPE), (0, 0), 6.0)
"""A table whose light goes up and down by some levels over ten pixels and more."""


def table(change: np.ndarray) -> np.ndarray:
    """Contrasts of a grey table of 128 that is changed by levels, (H, W)."""
    grey = np.clip(np.rint(128.0 + UNEVEN + change), 0, 255).astype(np.uint8)
    return contrasts(colors_of(smoothed(np.repeat(grey[..., None], 3, axis=2), 1.0)))


def trace(change: np.ndarray, inside: np.ndarray = ALL, outside: np.ndarray = ALL) -> float:
    return trace_of(table(change), SQUARE, FACE, SQUARE & inside, ~SQUARE & outside, CONFIG_OF_TRACES)


def test_pixels_are_paired_across_the_outline():
    """Of a square each pair lies 3 + 5, 4 + 6 or 5 + 7 pixels apart, inside and outside, beside its sides."""
    pairs = outline_of(SQUARE, FACE, CONFIG_OF_TRACES)
    assert SQUARE[tuple(pairs.inner.T)].all()
    assert not SQUARE[tuple(pairs.outer.T)].any()
    beside = ((pairs.inner > (50, 60)) & (pairs.inner < (70, 80))).any(axis=1)
    apart = np.abs(pairs.inner - pairs.outer).max(axis=1)[beside]
    assert set(apart.tolist()) == {8, 10, 12}
    assert set(pairs.part.tolist()) == {1}


def test_an_uneven_table_has_no_trace():
    assert trace(np.zeros(SHAPE)) < 1.0


@pytest.mark.parametrize("levels", [-6.0, 6.0])
def test_what_is_a_little_darker_or_lighter_all_over_is_one(levels):
    assert trace(np.where(SQUARE, levels, 0.0)) > 1.0


def test_a_step_that_the_table_shows_elsewhere_as_well_is_its_grain():
    """The same square once more, 30 pixels farther down and 60 to the right, as dark or half as dark."""
    other = np.roll(SQUARE, (30, 60), axis=(0, 1))
    assert trace(np.where(SQUARE | other, 8.0, 0.0)) < 1.0
    assert trace(np.where(SQUARE, 8.0, np.where(other, 4.0, 0.0))) > 1.0


def test_light_that_changes_slowly_is_none():
    """A slope of 12 levels over the picture's width, which is 1 across the outline."""
    assert trace(np.broadcast_to(np.linspace(0, 12, SHAPE[1]), SHAPE)) < 1.0


def test_one_side_may_be_enough_and_too_little_is_not():
    """24 pairs are told: of a side of 40 pixels with 3 pairs each a fifth is."""
    marked = np.where(SQUARE, 20.0, 0.0)
    side = np.zeros(SHAPE, np.bool_)
    side[45:75] = True
    assert trace(marked, side, side) > 1.0
    assert trace(marked, side & (np.indices(SHAPE)[0] == 60), side) == 0.0


def test_a_faint_trace_of_a_box_is_told_where_the_table_may_be_so():
    """Four hundredths lighter than the table; in any one place that could be so, and its outline tells it."""
    scene, gone = looked_at(), place_of(0, [OLD, STAYS]) & place_of(-1, [NEW, STAYS])
    marked = AFTER.copy()
    marked[gone] = np.clip(np.rint(marked[gone] * 1.04), 0, 255)
    assert left_over(scene, AFTER, STANDING, CONFIG).place < 1.0
    assert left_over(scene, marked, STANDING, CONFIG).place > 1.0
    blind = replace(CONFIG, trace=replace(CONFIG.trace, least=1e6))
    assert left_over(scene, marked, STANDING, blind).place < 1.0
