"""Bars across borders and ways between cells: laid where they would count, and compared with what lies beside them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from detectors.maze.plan.corridors import near_pairs, trace_corridors
from detectors.maze.remainder.config import MatchedConfig
from detectors.maze.remainder.matched import BorderMatches, matched
from tests.maze.remainder.scenes import PLAN, SHAPE, WAYS, at, residual_of
from tests.maze.stages.plans import CELL, corner

CONFIG = MatchedConfig()
EVERYWHERE = np.ones(SHAPE, bool)
PAIRS = [tuple(int(PLAN.cell_ids[cell]) for cell in pair) for pair in PLAN.corridors.pairs]
LEFT, TOP = corner(7, 4)
"""Between cells 6 and 7 a passage leads along x = LEFT; between 3 and 7 is a wall along y = TOP."""


def blank() -> np.ndarray:
    return np.zeros((*SHAPE, 3), np.float32)


def seen(
    values: np.ndarray, usable=EVERYWHERE, noise: float = 0.0, config=CONFIG, plan=PLAN, lined: tuple[int, ...] = ()
) -> BorderMatches:
    return matched(residual_of(values, usable, noise), plan, plan.unit_px, np.isin(plan.cell_ids, lined), 1.5, config)


def of(found: BorderMatches, *pair: int) -> tuple[float, float]:
    """How plain and how contrasty it is at a border."""
    place = PAIRS.index(pair)
    return float(found.plainness[place]), float(found.contrast[place])


# --- where it looks ---


def test_borders_between_cells_and_none_with_the_outside():
    """3 rows of 3 borders, and 2 rows of 4."""
    assert len(PAIRS) == len(set(PAIRS)) == 17
    assert {pair for pair in PAIRS if pair in WAYS} == WAYS


def test_lines_lie_along_open_borders_and_across_all():
    corridors = PLAN.corridors
    assert {PAIRS[owner] for owner in corridors.along.owner} == WAYS
    # Two of those to a border, one on either side.
    assert {PAIRS[owner // 2] for owner in corridors.across.owner} == set(PAIRS)
    assert set(corridors.across.owner) == set(range(2 * len(PAIRS)))
    here = corridors.along.points[corridors.along.owner == PAIRS.index((6, 7))]
    # Two pixels wide, as long as the cell less its walls and what is mixed with them.
    assert set(here[:, 1]) == {LEFT - 1.0, LEFT}
    assert (here[:, 0] > TOP).all()
    assert (here[:, 0] < TOP + CELL).all()
    normals = corridors.along.normals[corridors.along.owner == PAIRS.index((6, 7))]
    assert np.abs(normals) == pytest.approx(np.broadcast_to([0.0, 1.0], normals.shape), abs=1e-9)


def test_a_way_leads_from_middle_to_middle():
    """Half a cell either way, a point every two pixels."""
    corridors = PLAN.corridors
    mine = corridors.across.owner // 2 == PAIRS.index((6, 7))
    points = corridors.across.points[mine]
    assert len(points) == 2 * CELL // 4
    assert points[:, 1].min() == pytest.approx(at(6)[0] - 0.5, abs=0.1)
    assert points[:, 1].max() == pytest.approx(at(7)[0] - 0.5, abs=0.1)
    assert np.ptp(points[:, 0]) < 0.6
    normals = corridors.across.normals[mine]
    assert np.abs(normals[:, 0]) == pytest.approx(np.ones(len(normals)), abs=0.05)


def test_a_maze_of_one_cell_has_no_borders():
    corridors = trace_corridors([], np.array([0, 1], np.int32), np.zeros((2, 2)))
    assert (corridors.pairs.shape, len(corridors.along.points), len(corridors.across.points)) == ((0, 2), 0, 0)


def test_cells_that_touch_at_a_corner_are_near():
    labels = np.array([[1, 1, 2, 2], [1, 1, 2, 2], [3, 3, 4, 4], [3, 3, 4, 4]], np.int32)
    assert near_pairs(labels, 1).tolist() == [[1, 2], [1, 3], [1, 4], [2, 3], [2, 4], [3, 4]]
    row = np.array([[1, 1, 0, 2, 2]], np.int32)
    assert near_pairs(row, 1).tolist() == [[0, 1], [0, 2]]
    near = {tuple(int(PLAN.cell_ids[one]) for one in pair) for pair in PLAN.near_cells}
    assert {pair for pair in near if 6 in pair} == {(n, 6) for n in (1, 2, 3, 5)} | {(6, n) for n in (7, 9, 10, 11)}


# --- what it sees ---


def test_an_empty_floor():
    found = seen(blank())
    assert (found.plainness.max(), found.contrast.max()) == (0.0, 0.0)


@pytest.mark.parametrize(("contrast", "plain"), [(0.0133, False), (0.0137, True)])
def test_a_faint_bar_across_a_passage(contrast, plain):
    """Six pixels wide, so that squares of three around the border's two are on it: 0.0135 is just seen."""
    values = blank()
    values[TOP : TOP + CELL, LEFT - 3 : LEFT + 3] = [0.0, contrast, 0.0]
    plainness, told = of(seen(values), 6, 7)
    assert (plainness >= 1.0) is plain
    assert (plainness, told) == (pytest.approx(contrast / 0.0135, rel=1e-4), pytest.approx(contrast, rel=1e-4))
    assert seen(values).color[PAIRS.index((6, 7))] == pytest.approx([0.0, contrast, 0.0], abs=1e-5)


def test_a_way_is_seen_along_its_course_and_through_walls():
    """Four pixels wide from the middle of cell 3 to that of cell 7, be there a wall or not."""
    values = blank()
    x, y = at(3)
    values[y - 2 : y + CELL + 2, x - 3 : x + 3] = [0.0, 0.0, 0.02]
    assert (3, 7) not in WAYS
    assert of(seen(values), 3, 7)[0] == pytest.approx(0.02 / 0.0135, rel=0.05)
    assert of(seen(values), 2, 6)[0] < 0.2


def test_a_way_shows_on_both_sides_of_its_border():
    """A mark in the middle of cell 7 lies at the ends of all ways from there, and is none of them."""
    x, y = at(7)
    values = blank()
    values[y - 4 : y + 4, x - 4 : x + 4] = [0.0, 0.0, 0.5]
    assert seen(values).plainness.max() < 0.1
    # As weak as its weaker side.
    values = blank()
    values[y - 3 : y + 3, LEFT - CELL // 2 : LEFT] = [0.0, 0.0, 0.02]
    values[y - 3 : y + 3, LEFT : x + 1] = [0.0, 0.0, 0.05]
    assert of(seen(values), 6, 7)[1] == pytest.approx(0.02, rel=0.1)


def test_what_is_all_around_is_no_bar():
    """A tint over both cells: the bar less half of what lies to either side."""
    values = blank()
    values[:] = [0.05, 0.0, 0.0]
    assert seen(values).contrast.max() == pytest.approx(0.0, abs=1e-6)
    half = blank()
    half[:, : LEFT + 2] = [0.05, 0.0, 0.0]
    assert of(seen(half), 6, 7)[1] == pytest.approx(0.025, abs=1e-4)


def test_what_lies_to_the_side_is_taken_off():
    """A quarter of a cell away, 8 pixels; alone it is no bar."""
    values = blank()
    values[TOP : TOP + CELL, LEFT - 3 : LEFT + 3] = [0.0, 0.05, 0.0]
    alone = of(seen(values), 6, 7)[1]
    beside = values.copy()
    # The squares around LEFT + 7 and LEFT + 8.
    beside[TOP : TOP + CELL, LEFT + 6 : LEFT + 10] = [0.0, 0.05, 0.0]
    assert of(seen(beside), 6, 7)[1] == pytest.approx(0.5 * alone, rel=1e-3)
    assert of(seen(beside - values), 6, 7)[1] == pytest.approx(0.0, abs=1e-6)
    # Two pixels farther out half of them are on it, and a quarter of the bar is taken off.
    farther = values.copy()
    farther[TOP : TOP + CELL, LEFT + 8 : LEFT + 12] = [0.0, 0.05, 0.0]
    assert of(seen(farther), 6, 7)[1] == pytest.approx(0.75 * alone, rel=0.01)


def test_it_is_averaged_over_a_tenth_of_a_unit():
    """Of 64 pixels over squares of 7: a row of pixels 3 from the border's outer one is a seventh of half."""
    plan = replace(PLAN, unit_px=64.0)
    for by, share in ((2, 1.0), (3, 0.5), (4, 0.0)):
        values = blank()
        values[TOP : TOP + CELL, LEFT + by] = [0.0, 0.7, 0.0]
        assert of(seen(values, plan=plan), 6, 7)[1] == pytest.approx(0.1 * share, abs=1e-4)


def test_where_the_floor_is_noisy_a_bar_has_to_stand_out():
    """Seven times what the middle one of all borders has, as far as the floor is noisy."""
    values = blank()
    for first, second in WAYS:
        (x, y), (right, below) = at(first), at(second)
        middle_x, middle_y = (x + right) // 2, (y + below) // 2
        contrast = 0.05 if (first, second) == (6, 7) else 0.004
        if x != right:
            values[y - CELL // 2 : y + CELL // 2, middle_x - 3 : middle_x + 3] = [0.0, contrast, 0.0]
        else:
            values[middle_y - 3 : middle_y + 3, x - CELL // 2 : x + CELL // 2] = [0.0, contrast, 0.0]
    assert of(seen(values, noise=0.01), 6, 7)[0] == pytest.approx(0.05 / (7 * 0.004), rel=0.02)
    assert of(seen(values, noise=0.003), 6, 7)[0] == pytest.approx(0.05 / (7 * 0.003), rel=0.02)
    assert of(seen(values, noise=0.0), 6, 7)[0] == pytest.approx(0.05 / 0.0135, rel=0.02)


def test_half_of_a_bar_has_to_be_in_sight():
    values = blank()
    values[TOP : TOP + CELL, LEFT - 3 : LEFT + 3] = [0.0, 0.05, 0.0]
    whole = of(seen(values), 6, 7)[1]
    for hidden, told in ((14, whole), (18, 0.0)):
        usable = EVERYWHERE.copy()
        usable[TOP : TOP + hidden] = False
        usable[TOP + CELL - 2 :] = True
        # Averages are those of what is in sight.
        assert of(seen(values, usable), 6, 7)[1] == pytest.approx(told, rel=0.02, abs=1e-6)


# --- bars in most passages ---


def barred(contrast: float, passages=WAYS, noise: float = 0.0) -> np.ndarray:
    """A bar across each of some passages, of a contrast that may differ from one to the next."""
    values = blank()
    dice = np.random.default_rng(3)
    for border in PLAN.borders:
        if (border.first, border.second) in passages:
            rows, columns = border.pixels.T
            values[rows, columns] = contrast + noise * dice.uniform(-1.0, 1.0), 0.0, 0.0
    return values


def test_bars_alike_in_most_passages_are_seen_fainter_than_one():
    """Smoothed over 3 pixels, two of which are the bar's, two thirds are left: of 0.0078 or more a 0.005 or more."""
    for contrast, plain in ((0.006, False), (0.009, True)):
        found = seen(barred(contrast))
        assert all((of(found, *pair)[0] >= 1.0) is plain for pair in WAYS), contrast
        assert not any(of(found, *pair)[0] >= 1.0 for pair in set(PAIRS) - WAYS)
    assert of(seen(barred(0.009, passages=((6, 7),))), 6, 7)[0] < 1.0


def test_bars_that_differ_like_noise_are_noise():
    assert all(of(seen(barred(0.009, noise=0.002)), *pair)[0] >= 1.0 for pair in WAYS)
    assert not any(of(seen(barred(0.009, noise=0.016)), *pair)[0] >= 1.0 for pair in WAYS)


def test_of_few_passages_none_is_usual():
    found = seen(barred(0.009), config=replace(CONFIG, fewest=len(WAYS) + 1))
    assert not any(of(found, *pair)[0] >= 1.0 for pair in WAYS)


def test_where_the_line_leads_noise_is_told_by_itself():
    """Two thirds of a bar are left; where most passages have 0.0035, it takes seven times that, else 0.0203."""
    cells = tuple(int(cell) for cell in PLAN.cell_ids)
    for contrast, lined, plain in ((0.022, (), True), (0.022, cells, False), (0.027, cells, True)):
        values = barred(0.0035)
        values[barred(1.0, passages=((6, 7),))[..., 0] > 0] = contrast, 0.0, 0.0
        assert (of(seen(values, lined=lined), 6, 7)[0] >= 1.0) is plain, contrast
