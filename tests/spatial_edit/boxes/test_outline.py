"""A first fit of a box to the outline of its pixels."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from detectors.spatial_edit.boxes.config import OutlineConfig
from detectors.spatial_edit.boxes.findings import BoxKind, TablePlane
from detectors.spatial_edit.boxes.geometry import onto_table
from detectors.spatial_edit.boxes.outline import (
    _settle,
    filled,
    first_fits,
    free_numbers,
    other_heights,
    outline_of,
    overlap,
    residuals,
)
from tests.spatial_edit.boxes.views import PLANE, SIZE, VIEW, row_of

CONFIG = OutlineConfig()
NOTHING = np.zeros((120, 160), np.bool_)
KIND = BoxKind("box", (200, 30, 30), SIZE)


def rectangle(top: int, bottom: int, left: int, right: int) -> np.ndarray:
    mask = NOTHING.copy()
    mask[top:bottom, left:right] = True
    return mask


def test_an_outline_reaches_so_far_in_each_direction():
    """Columns 20 to 49 and rows 30 to 79 reach from 20 to 50 and from 30 to 80."""
    found = outline_of(rectangle(30, 80, 20, 50), NOTHING, CONFIG)
    assert found.directions.shape == (72, 2)
    at = [0, 18, 36, 54]  # right, down, left, up: every 90 degrees of 72 directions
    assert found.directions[at] == pytest.approx(np.array([[1, 0], [0, 1], [-1, 0], [0, -1]]), abs=1e-12)
    assert found.reach[at] == pytest.approx([50, 80, -20, -30])
    # At 45 degrees, of the middle of the last pixel, and half a pixel more.
    assert found.reach[9] == pytest.approx((49.5 + 79.5) * math.sqrt(0.5) + 0.5)
    assert not found.open.any()
    assert (found.mask == rectangle(30, 80, 20, 50)).all()


def test_where_the_picture_ends_more_may_be_hidden():
    """3 pixels beside the last middle: 156.5 + 3 = 159.5 is still in the picture of 160, 157.5 + 3 is not."""
    for right, is_open in ((157, False), (158, True)):
        assert bool(outline_of(rectangle(30, 80, 20, right), NOTHING, CONFIG).open[0]) == is_open
    for bottom, is_open in ((117, False), (118, True)):
        assert bool(outline_of(rectangle(30, bottom, 20, 50), NOTHING, CONFIG).open[18]) == is_open
    for first, is_open in ((3, False), (2, True)):
        assert bool(outline_of(rectangle(30, 80, first, 50), NOTHING, CONFIG).open[36]) == is_open
        assert bool(outline_of(rectangle(first, 80, 20, 50), NOTHING, CONFIG).open[54]) == is_open


def test_beside_another_paint_more_may_be_hidden():
    """The last middle is 49.5, and 3 pixels on is column 52."""
    for column, is_open in ((52, True), (53, False), (51, False)):
        found = outline_of(rectangle(30, 80, 20, 50), rectangle(0, 120, column, column + 1), CONFIG)
        assert bool(found.open[0]) == is_open
        assert not found.open[36]
    # Other parts of the same paint count as well.
    two = rectangle(30, 80, 20, 50) | rectangle(30, 80, 90, 100)
    assert outline_of(two, NOTHING, CONFIG).reach[0] == 100


def test_residuals_tell_what_reaches_too_far():
    row = row_of()
    outline = outline_of(filled(row, VIEW), NOTHING, CONFIG)
    exact = residuals(row[None], outline, VIEW)[0]
    assert exact.shape == (72,)
    # OpenCV fills every pixel that the outline touches: up to a pixel too far.
    assert -1.1 < exact.min() <= exact.max() < 0.2
    moved = row_of(right=0.05)
    off = residuals(moved[None], outline, VIEW)[0]
    assert off[0] > 5
    assert off[36] < -5
    # Where more may be hidden, it may reach further, but not less far.
    hidden = replace(outline, open=np.ones(72, np.bool_))
    open_off = residuals(np.stack([moved, row]), hidden, VIEW)
    assert open_off[0, 0] == 0.0
    assert open_off[0, 36] == off[36]
    assert open_off[1].tolist() == np.minimum(exact, 0).tolist()


def test_what_is_not_known_is_free():
    unsized = BoxKind("box", (200, 30, 30))
    assert free_numbers(KIND, PLANE) == (0, 1, 2)
    assert free_numbers(unsized, PLANE) == (0, 1, 2, 3, 4, 5)
    assert free_numbers(KIND, None) == (0, 1, 2, 6, 7, 8)


@pytest.mark.parametrize(("right", "away", "yaw"), [(0.0, 0.75, 0.4), (0.2, 0.8, 1.3), (-0.15, 0.6, 2.5)])
def test_a_box_of_known_size_is_fitted(right, away, yaw):
    truth = row_of(right, away, yaw)
    rows = first_fits(outline_of(filled(truth, VIEW), NOTHING, CONFIG), KIND, PLANE, VIEW, CONFIG)
    assert 1 <= len(rows) <= 4
    best = rows[0]
    assert best[:2] == pytest.approx(truth[:2], abs=0.006)
    assert math.remainder(best[2] - yaw, math.pi) == pytest.approx(0, abs=0.06)
    assert best[3:] == pytest.approx(truth[3:])


def test_fits_differ_in_place_or_yaw_and_the_best_is_first():
    outline = outline_of(filled(row_of(), VIEW), NOTHING, CONFIG)
    rows = first_fits(outline, KIND, PLANE, VIEW, CONFIG)
    costs = [np.square(np.clip(residuals(row[None], outline, VIEW), -20, 20)).mean() for row in rows]
    assert costs == sorted(costs)
    for at, one in enumerate(rows):
        for other in rows[:at]:
            turn = abs(math.remainder(one[2] - other[2], math.pi))
            assert np.abs(one[:2] - other[:2]).max() > 0.02 or turn > 0.1
    assert len(first_fits(outline, KIND, PLANE, VIEW, replace(CONFIG, kept=1))) == 1
    # With a reach of nothing, all twelve starts but for those that end in the same place to the bit are kept.
    many = first_fits(outline, KIND, PLANE, VIEW, replace(CONFIG, same_m=0.0, same_rad=0.0, kept=99))
    assert len(many) == 12
    assert len(first_fits(outline, KIND, PLANE, VIEW, replace(CONFIG, same_m=9.0, same_rad=9.0))) == 1


def test_without_steps_fits_are_the_starts():
    """Twelve yaws in half a turn, in the middle of the outline, at half the height of the box."""
    outline = outline_of(filled(row_of(), VIEW), NOTHING, CONFIG)
    still = replace(CONFIG, rounds=0, kept=99, same_m=0.0, same_rad=0.0)
    rows = np.array(first_fits(outline, KIND, PLANE, VIEW, still))
    assert np.sort(rows[:, 2]) == pytest.approx(np.arange(12) * math.pi / 12)
    assert np.ptp(rows[:, 0]) == np.ptp(rows[:, 1]) == 0
    assert rows[0, :2] == pytest.approx((0.0, 0.75), abs=0.02)
    assert rows[0, 6:] == pytest.approx(row_of()[6:])
    # Of unknown size there are half as many, whose size is told by the outline's.
    unsized = np.array(first_fits(outline, BoxKind("box", (200, 30, 30)), PLANE, VIEW, still))
    assert np.sort(unsized[:, 2]) == pytest.approx(np.arange(6) * math.pi / 12)
    rows_, columns = np.nonzero(outline.mask)
    width, height, length = np.exp(unsized[0, 3:6])
    assert width == length
    wide, tall = np.ptp(columns) + 1, np.ptp(rows_) + 1
    assert width / height == pytest.approx(0.7 * wide / (0.6 * tall))
    # As far away as a box of 1 m whose foot is where the middle of the pixels meets the table: pitched by 0.6, its
    # middle is (drop - 0.5) sin + away cos deep.
    middle = np.array([[columns.mean() + 0.5, rows_.mean() + 0.5]])
    ((_, away),) = onto_table(middle, row_of(), VIEW, 0.0)
    depth = (0.6 - 0.5) * math.sin(0.6) + away * math.cos(0.6)
    assert width == pytest.approx(0.7 * wide * depth / 160)
    near = replace(still, nearest_m=2.0)
    wider = first_fits(outline, BoxKind("box", (200, 30, 30)), PLANE, VIEW, near)[0]
    assert math.exp(wider[3]) == pytest.approx(0.7 * wide * 2.0 / 160)
    one = replace(still, yaws=1)
    assert len(first_fits(outline, BoxKind("box", (200, 30, 30)), PLANE, VIEW, one)) == 1


def test_a_start_is_at_least_5_cm_away():
    """A table 3 cm below the camera: the place lies behind a box of 1 m there, so its depth says nothing."""
    outline = outline_of(filled(row_of(), VIEW), NOTHING, CONFIG)
    near = TablePlane(PLANE.normal, -0.03)
    still = replace(CONFIG, rounds=0)
    row = first_fits(outline, BoxKind("box", (200, 30, 30)), near, VIEW, still)[0]
    _, columns = np.nonzero(outline.mask)
    assert math.exp(row[3]) == pytest.approx(0.7 * (np.ptp(columns) + 1) * 0.05 / 160)


def stepped(row: np.ndarray, outline, rounds: int) -> np.ndarray:
    """Levenberg's and Marquardt's steps by the book: damped by 0.01, a third of it after success, else four times."""
    damping, cost = 0.01, np.square(residuals(row[None], outline, VIEW)).sum()
    for _ in range(rounds):
        errors = residuals(row[None], outline, VIEW)[0]
        slopes = np.zeros((len(errors), 3))
        for number in range(3):
            moved = row.copy()
            moved[number] += 1e-5
            slopes[:, number] = (residuals(moved[None], outline, VIEW)[0] - errors) / 1e-5
        normal = slopes.T @ slopes
        step = np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-9), slopes.T @ errors)
        tried = row.copy()
        tried[:3] -= np.clip(step, -0.5, 0.5)
        new = np.square(residuals(tried[None], outline, VIEW)).sum()
        row, cost, damping = (tried, new, damping / 3) if new < cost else (row, cost, damping * 4)
    return row


@pytest.mark.parametrize("rounds", [1, 2, 4])
def test_steps_are_damped(rounds):
    outline = outline_of(filled(row_of(), VIEW), NOTHING, CONFIG)
    one = replace(CONFIG, rounds=0, yaws=1, kept=1)
    (start,) = first_fits(outline, KIND, PLANE, VIEW, one)
    (found,) = first_fits(outline, KIND, PLANE, VIEW, replace(one, rounds=rounds, still=0.0))
    assert found == pytest.approx(stepped(start, outline, rounds), abs=1e-9)
    assert found.tolist() != start.tolist()


def test_a_step_is_cut_to_the_most():
    outline = outline_of(filled(row_of(0.1), VIEW), NOTHING, CONFIG)
    still = replace(CONFIG, rounds=0, kept=99, same_m=0.0, same_rad=0.0)
    before = np.array(sorted(first_fits(outline, KIND, PLANE, VIEW, still), key=lambda row: row[2]))
    small = replace(still, rounds=1, most_step=0.001)
    after = np.array(sorted(first_fits(outline, KIND, PLANE, VIEW, small), key=lambda row: row[2]))
    assert np.abs(after - before).max() == pytest.approx(0.001)


def test_no_step_is_longer_than_half_a_metre():
    """From 0.8 m aside."""
    outline = outline_of(filled(row_of(0.1), VIEW), NOTHING, CONFIG)
    start = row_of(0.1)[None].copy()
    start[:, 0] += 0.8
    found = _settle(start.copy(), (0, 1, 2), outline, VIEW, replace(CONFIG, rounds=1))
    assert np.abs(found - start).max() == pytest.approx(0.5)


def test_a_fit_ends_when_it_is_still():
    outline = outline_of(filled(row_of(), VIEW), NOTHING, CONFIG)
    rough = first_fits(outline, KIND, PLANE, VIEW, replace(CONFIG, still=10.0))[0]
    once = first_fits(outline, KIND, PLANE, VIEW, replace(CONFIG, rounds=1))[0]
    assert rough.tolist() == once.tolist()
    assert first_fits(outline, KIND, PLANE, VIEW, CONFIG)[0].tolist() != once.tolist()


def test_a_box_of_unknown_size_is_measured():
    truth = row_of(0.1, 0.7, 0.5)
    unsized = BoxKind("box", (200, 30, 30))
    best = first_fits(outline_of(filled(truth, VIEW), NOTHING, CONFIG), unsized, PLANE, VIEW, CONFIG)[0]
    assert np.sort(best[3:6]) == pytest.approx(np.sort(truth[3:6]), abs=0.08)
    assert best[:2] == pytest.approx(truth[:2], abs=0.01)


def test_without_a_table_the_camera_is_told_by_the_size():
    truth = row_of()
    best = first_fits(outline_of(filled(truth, VIEW), NOTHING, CONFIG), KIND, None, VIEW, CONFIG)[0]
    assert overlap(best, outline_of(filled(truth, VIEW), NOTHING, CONFIG), VIEW) > 0.93
    still = replace(CONFIG, rounds=0, kept=99, same_m=0.0, same_rad=0.0)
    starts = np.array(first_fits(outline_of(filled(truth, VIEW), NOTHING, CONFIG), KIND, None, VIEW, still))
    assert len(starts) == 36
    assert sorted(set(starts[:, 6].tolist())) == [0.4, 0.7, 1.0]
    # The greatest extent, 0.224 m, looks as large as the outline: as far away as that, times the sine, is the table.
    rows, columns = np.nonzero(filled(truth, VIEW))
    seen = max(np.ptp(columns) + 1, np.ptp(rows) + 1) / 160
    for pitch, drop in {(row[6], row[8]) for row in starts.tolist()}:
        assert drop == pytest.approx(math.hypot(*SIZE) / seen * math.sin(pitch))


def test_what_hides_a_box_hides_a_part_of_its_outline():
    """The right half is hidden: the box goes on behind it, and is found nearly where it is."""
    truth = row_of()
    whole = filled(truth, VIEW)
    cover = rectangle(0, 120, 88, 160)
    part = outline_of(whole & ~cover, cover, CONFIG)
    best = first_fits(part, KIND, PLANE, VIEW, CONFIG)[0]
    assert best[:2] == pytest.approx(truth[:2], abs=0.04)
    assert overlap(truth, part, VIEW) > 0.97
    # Were it not hidden, it would be another box.
    assert overlap(truth, outline_of(whole & ~cover, NOTHING, CONFIG), VIEW) < 0.85


def test_overlap_is_of_common_pixels():
    row = row_of()
    mask = filled(row, VIEW)
    assert overlap(row, outline_of(mask, NOTHING, CONFIG), VIEW) == 1.0
    # Pixels that the box misses count, and those that it has too many but for a rim of one.
    more = mask | rectangle(0, 10, 0, 10)
    assert overlap(row, outline_of(more, NOTHING, CONFIG), VIEW) == pytest.approx(mask.sum() / (mask.sum() + 100))
    rows, _ = np.nonzero(mask)
    top = mask & rectangle(0, int(np.median(rows)), 0, 160)
    inner = mask.sum() - top.sum()
    found = overlap(row, outline_of(top, NOTHING, CONFIG), VIEW)
    assert top.sum() / mask.sum() < found < top.sum() / (top.sum() + 0.8 * inner)
    far = row_of(away=30.0)
    assert overlap(far, outline_of(mask, NOTHING, CONFIG), VIEW) == 0.0


def test_what_is_far_too_large_covers_nothing():
    """Corners beyond 100,000 pixels can not be drawn: those of a box whose corner is beside the camera."""
    near = row_of(0.0, 0.1, 0.0, (2000.0, 0.1, 0.3))
    assert not filled(near, VIEW).any()
    assert filled(row_of(0.0, 0.75, 0.0, (20.0, 0.1, 0.3)), VIEW).any()


def test_boxes_of_other_heights_have_nearly_the_same_outline():
    """Height is row[4], as a logarithm; the rest is fitted again."""
    row = row_of(yaw=0.2)
    outline = outline_of(filled(row, VIEW), NOTHING, CONFIG)
    free = free_numbers(replace(KIND, size=None), PLANE)
    rows = other_heights(row, free, (0.7, 1.3), outline, VIEW, CONFIG)
    assert [one[4] for one in rows] == pytest.approx([row[4] + math.log(0.7), row[4] + math.log(1.3)])
    assert all(overlap(one, outline, VIEW) > 0.9 for one in rows)
    # With the old width and length the outline would be another.
    for one, factor in zip(rows, (0.7, 1.3), strict=True):
        scaled = row.copy()
        scaled[4] += math.log(factor)
        assert overlap(one, outline, VIEW) > overlap(scaled, outline, VIEW) + 0.03
