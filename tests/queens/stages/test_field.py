"""What is left of a board's cells when their colours, the light, and what lines mix into them are taken off."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from detectors.common.residual.windows import Averaged
from detectors.queens.remainder.colors import painted_cells
from detectors.queens.remainder.field import BoardResidual, _reach, board_residual
from detectors.queens.remainder.queens import disc_distance
from tests.queens.stages.close_board import CLOSE, CONFIG, PICTURE, SIDE
from tests.queens.test_board import N

NO_QUEEN = np.full((SIDE, SIDE), 9.0, np.float32)
INNER = (slice(66, 114), slice(66, 114))
"""The inside of a cell, away from its lines."""


def residual(picture: np.ndarray, covered: np.ndarray | None = None, discs: np.ndarray = NO_QUEEN) -> BoardResidual:
    return board_residual(picture, covered, discs, CLOSE, CONFIG)


def contrast(found: BoardResidual) -> np.ndarray:
    return np.sqrt((found.values**2).sum(axis=2))


def test_nothing_is_left_of_the_puzzle_itself() -> None:
    found = residual(PICTURE)
    assert contrast(found).max() < 0.01
    assert found.noise < 0.003
    assert found.colors == pytest.approx(CLOSE.colors, abs=0.003)
    assert found.base[INNER][0, 0] == pytest.approx(CLOSE.colors[0], abs=0.003)


@pytest.mark.parametrize("slope", [(0.75, 1.0), (1.0, 0.8)])
def test_light_that_changes_slowly_is_taken_off(slope: tuple[float, float]) -> None:
    lit = (PICTURE * np.linspace(*slope, SIDE)[None, :, None]).astype(np.uint8)
    found = residual(lit)
    assert np.quantile(contrast(found)[found.usable], 0.99) < 0.02
    # The cells are as bright as the light there is.
    assert abs(found.base[90, 20, 0] - found.base[90, 220, 0]) > 0.03


def test_blur_and_a_step_aside_mix_lines_into_cells() -> None:
    """What a line mixes in is taken off with what is within reach of it, so that hardly anything is left."""
    for picture in (cv2.GaussianBlur(PICTURE, (0, 0), 1.5), np.roll(PICTURE, 1, axis=1)):
        found = residual(picture)
        assert np.quantile(contrast(found)[found.usable], 0.995) < 0.08


def with_red(rows: slice, columns: slice) -> np.ndarray:
    picture = PICTURE.copy()
    picture[rows, columns] = (255, 0, 0)
    return picture


def test_a_mark_is_left_where_it_is() -> None:
    left = contrast(residual(with_red(slice(80, 100), slice(80, 100))))
    assert left[82:98, 82:98].min() > 0.1
    # Around it nothing is.
    left[78:102, 78:102] = 0.0
    assert left[INNER].max() < 0.02


def test_a_mark_on_a_line_counts_half() -> None:
    """Its hue is no mixture of the line and the cells, and it lies where lines mix in."""
    on_line = contrast(residual(with_red(slice(85, 95), slice(55, 65))))[90, 60]
    in_cell = contrast(residual(with_red(slice(80, 100), slice(80, 100))))[90, 90]
    assert 0.03 < on_line < 0.6 * in_cell


def test_queens_the_edge_and_what_is_not_covered_are_not_looked_at() -> None:
    """The frame takes 0.05 of 60 pixels; what is not covered reaches two pixels farther."""
    assert not residual(PICTURE).usable[[0, 1, 2, -1, -2, -3]].any()
    assert not residual(PICTURE).usable[:, [0, 1, 2, -1, -2, -3]].any()
    discs = disc_distance(((90.0, 90.0, 15.0),), (SIDE, SIDE), CONFIG.companions.reach)
    found = residual(PICTURE, discs=discs)
    assert not found.usable[82:99, 82:99].any()
    assert found.usable[90, 110]
    covered = np.ones((SIDE, SIDE), bool)
    covered[:, 150:] = False
    found = residual(PICTURE, covered)
    assert not found.usable[:, 148:].any()
    assert found.usable[90, 146]
    assert (found.values[~found.usable] == 0).all()


def test_crossings_tell_nothing() -> None:
    usable = residual(PICTURE).usable
    assert not usable[118:122, 118:122].any()
    assert usable[90, 120]


def test_distances_to_queens_are_in_their_radii() -> None:
    """Beyond the reach of two radii all is far."""
    found = disc_distance(((50.0, 60.0, 10.0), (90.0, 60.0, 20.0)), (SIDE, SIDE), 2.0)
    assert found[60, 50] == 0.0
    assert found[60, 60] == pytest.approx(1.0)
    assert found[80, 50] == pytest.approx(2.0)
    # 25 and 15 pixels away: 2.5 radii of the one, and 0.75 of the other.
    assert found[60, 75] == pytest.approx(0.75)
    assert found[200, 200] == 4.0


def test_where_queens_leave_no_cell_free_the_light_is_that_of_what_they_leave() -> None:
    """All is as near to a queen as what goes with one, and the middles of cells are queens."""
    discs = np.full((SIDE, SIDE), 1.2, np.float32)
    picture = PICTURE.copy()
    middles = cv2.erode(CLOSE.inner.astype(np.uint8), np.ones((9, 9), np.uint8)) > 0
    discs[middles], picture[middles] = 0.5, 0
    found = residual(picture, discs=discs)
    assert found.colors == pytest.approx(CLOSE.colors, abs=0.005)
    assert contrast(found)[found.usable].max() < 0.02


@pytest.mark.parametrize("way", ["down", "across", "aslant"])
def test_light_that_bends_is_taken_off(way: str) -> None:
    """From the middle to the edges it falls by a fifth, with the square of the way, or with the product of both."""
    along = np.linspace(-1.0, 1.0, SIDE)
    down, across = np.meshgrid(along, along, indexing="ij")
    bend = {"down": down**2, "across": across**2, "aslant": down * across}[way]
    found = residual((PICTURE * (0.8 - 0.2 * bend)[..., None]).round().astype(np.uint8))
    assert np.quantile(contrast(found)[found.usable], 0.99) < 0.02


def test_cells_are_painted_by_what_is_seen_of_them_alone() -> None:
    """A cell is painted where its middle has another colour; what a queen hides, and what lines take, says nothing."""
    painted = residual(with_red(slice(64, 116), slice(64, 116)))
    assert painted_cells(painted, CLOSE, CONFIG.regions) == (1 * N + 1,)
    hidden = residual(PICTURE)
    values, usable = hidden.values.copy(), hidden.usable.copy()
    # Of the cell's 60 x 60 pixels 26 columns stay; the others have another colour, and are not looked at.
    values[60:120, 86:120], usable[60:120, 86:120] = 1.0, False
    values[~CLOSE.inner] = 1.0
    assert painted_cells(replace(hidden, values=values, usable=usable), CLOSE, CONFIG.regions) == ()
    assert painted_cells(replace(hidden, values=values), CLOSE, CONFIG.regions) == (1 * N + 1,)


@pytest.mark.parametrize(("cell", "reach"), [(40.0, 2.0), (66.0, 2.0), (70.0, 2.1)])
def test_lines_mix_into_cells_as_far_as_two_pixels_or_a_share_of_a_cell(cell: float, reach: float) -> None:
    """Of 0.03, where nothing else is told."""
    plan = SimpleNamespace(cell_px=cell, rings=())
    values, aside = np.zeros((4, 4, 3), np.float32), np.ones((4, 4), bool)
    assert _reach(values, aside, plan, CONFIG.mixing) == pytest.approx(reach)  # type: ignore[arg-type]


@pytest.mark.parametrize(("rings", "reach"), [(2, 3.5), (5, 6.5), (1, 2.5)])
def test_blurred_lines_mix_into_cells_farther(rings: int, reach: float) -> None:
    """Up to the last ring in which something is left, a pixel, and half of one for the ring."""
    values = np.zeros((8, 400, 3), np.float32)
    values[: rings + 1] = 0.5
    at = tuple(np.arange(400) + 400 * ring for ring in range(8))
    plan = SimpleNamespace(cell_px=40.0, rings=at)
    assert _reach(values, np.ones((8, 400), bool), plan, CONFIG.mixing) == reach  # type: ignore[arg-type]


@pytest.mark.parametrize(("drawn", "share"), [(0.9, 0.9), (1.0, 1.0), (1.2, 1.0)])
def test_what_most_cells_show_is_noise_up_to_what_the_worst_compression_leaves(drawn: float, share: float) -> None:
    """On floor without any of its own."""
    config = CONFIG.windows
    nothing = np.zeros((20, 20), np.float32)
    averaged = Averaged(config.spot, nothing, np.ones((10, 10), bool), lambda: nothing, config)
    most = np.full(16, drawn * config.spot.drawn)
    assert averaged.noise(most) == pytest.approx(3.5 * share * config.spot.drawn)
