"""One picture of a board: where the board lies in it, which cells tell its colours, and how sure the reading is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from detectors.sliding.config import TILE_CONFIG
from detectors.sliding.still import TileStill, read_board_still
from tests.sliding.small_boards import CELL, STATE, board, model, moved

PICTURE = board()
MODEL = model()


def read(pixels: np.ndarray, previous: tuple[int, ...] | None = None) -> TileStill:
    return read_board_still(pixels, PICTURE, 3, STATE, previous)


def shown(*cells: int) -> np.ndarray:
    """The board after the blank has gone to cells, one after another."""
    return np.rint(MODEL.drawn(moved(MODEL.start, *cells))).astype(np.uint8)


def with_cells(color: tuple[int, int, int], *cells: int, picture: np.ndarray = PICTURE) -> np.ndarray:
    """A board some of whose cells are of one colour."""
    made = picture.copy()
    for cell in cells:
        row, column = divmod(cell, 3)
        made[row * CELL : (row + 1) * CELL, column * CELL : (column + 1) * CELL] = color
    return made


def test_the_puzzle_itself_is_read_for_sure():
    found = read(PICTURE)
    assert (found.tiles, found.state, found.copies, found.unknown) == (STATE, STATE, (), ())
    assert found.confidence > 0.98
    assert (found.box.left, found.box.top, found.box.width, found.box.height) == pytest.approx((0, 0, 72, 72), abs=0.3)


def test_how_sure_it_is_sinks_with_the_cell_that_fits_worst_and_with_cells_that_fit_none():
    """One cell of nine that is no tile counts as worst, 1 - 0.5, and of the cells 8 / 9 are left: 0.44; two: 0.39."""
    for cells, left in (((8,), 8 / 9), ((0, 8), 7 / 9)):
        found = read(with_cells((255, 0, 128), *cells))
        assert found.unknown == cells
        assert found.confidence == pytest.approx(0.5 * left)
        assert found.state is None
        assert [found.tiles[cell] for cell in cells] == [None] * len(cells)


def test_a_tile_a_little_off_is_less_sure_by_half_of_its_share():
    """Tile 8 is a flat grey: its radius is 11 and its texture's part. 10 levels more are that share of it."""
    whole = read(PICTURE)
    brighter = PICTURE.astype(int)
    brighter[2 * CELL :, 2 * CELL :] += 10
    found = read(brighter.astype(np.uint8))
    assert found.state == STATE
    assert 0.5 < found.confidence < whole.confidence - 0.1


def test_a_copy_is_named_where_it_was_not_expected():
    found = read(np.rint(MODEL.drawn((0, 1, 2, 3, 4, 5, 6, 7, 0))).astype(np.uint8))
    assert (found.copies, found.unknown, found.state) == ((8,), (), None)
    assert found.tiles == (1, 2, 3, 4, -1, 5, 6, 7, 1)


@pytest.mark.parametrize(("differs", "found"), [(10, True), (11, False)])
def test_a_rim_is_flat_within_ten_levels(differs, found):
    """The board is 72 of 400 pixels, too small for the search, which begins at three tenths: only the rim tells."""
    pixels = np.full((400, 400, 3), 120, np.uint8)
    pixels[150:222, 90:162] = PICTURE
    pixels[20:24, 380:384, 1] += differs
    seen = read(pixels)
    assert (seen.state == STATE) is found
    if found:
        assert (seen.box.left, seen.box.top, seen.box.width) == pytest.approx((90, 150, 72), abs=0.5)


def test_a_rim_on_one_side_is_cut_off_too():
    for left, top in ((60, 0), (0, 60)):
        pixels = np.full((72 + 4 * top, 72 + 4 * left, 3), 120, np.uint8)
        pixels[top : top + 72, left : left + 72] = PICTURE
        assert read(pixels).state == STATE


def test_cells_that_are_no_tile_do_not_tell_the_colours():
    """Lighter by a third: one cell of another colour, counted among the others, would turn tiles 4 and 7 about."""
    lighter = np.clip(PICTURE * 0.88 + 31.0, 0, 255).astype(np.uint8)
    pixels = with_cells((230, 237, 68), 0, picture=lighter)
    assert read(pixels).tiles == (None, *STATE[1:])
    loose = replace(TILE_CONFIG, still=replace(TILE_CONFIG.still, trusted=1e9))
    assert read_board_still(pixels, PICTURE, 3, STATE, config=loose).tiles != (None, *STATE[1:])


def test_a_board_one_move_from_the_one_before_is_read_by_continuity():
    """Tiles of one look: only from the picture before can their places be told."""
    alike = [(200, 60, 60)] * 4 + [(20, 20, 20)] + [(200, 60, 60)] * 4
    twins, picture = model(alike), board(alike)
    first, second = moved(twins.start, 5), moved(twins.start, 5, 8)
    pixels = np.rint(twins.drawn(second)).astype(np.uint8)
    found = read_board_still(pixels, picture, 3, STATE, twins.tiles(first))
    assert found.state == twins.tiles(second)
    stays = read_board_still(pixels, picture, 3, STATE, twins.tiles(second))
    assert stays.state == twins.tiles(second)


@pytest.mark.parametrize("cells", [(5,), (5, 8), (1, 0, 3, 6)])
def test_moves_are_read_from_the_start_too(cells):
    assert read(shown(*cells)).state == MODEL.tiles(moved(MODEL.start, *cells))
