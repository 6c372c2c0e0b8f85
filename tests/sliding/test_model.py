"""What tiles look like, how unlike they are, and the change of colour that a whole board shares."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from detectors.sliding.config import TILE_CONFIG
from detectors.sliding.model import NO_CHANGE, color_change, joined, make_model, recolored, split
from tests.sliding.small_boards import BLANK, CELL, COLORS, STATE, board, model

MODEL = model()
FLAT = [(value, value, value) for value in (250, 220, 190, 160, 0, 130, 100, 70, 40)]


def flat(levels: list[int]) -> np.ndarray:
    """A board of flat grey cells."""
    cells = np.repeat(np.array(levels, np.uint8), CELL * CELL).reshape(3, 3, CELL, CELL).swapaxes(1, 2)
    return np.repeat(cells.reshape(3 * CELL, 3 * CELL)[..., None], 3, axis=2)


class TestMake:
    def test_pieces_stand_for_the_cells_of_the_picture(self) -> None:
        assert (MODEL.size, MODEL.labels, MODEL.blank) == (3, STATE, BLANK)
        assert MODEL.patches.shape == (9, 24, 24, 3)
        assert (MODEL.cell_px, MODEL.side) == (24, 72)
        assert MODEL.start == tuple(range(9))
        assert MODEL.tiles((4, 0, 1, 2, 3, 5, 6, 7, 8)) == (-1, 1, 2, 3, 4, 5, 6, 7, 8)
        for piece, color in enumerate(COLORS):
            assert MODEL.patches[piece, 18, 18] == pytest.approx(np.array(color), abs=1.0)

    @pytest.mark.parametrize(("size", "cell"), [(2, 24), (4, 24), (5, 20)])
    def test_a_board_has_at_most_100_pixels_a_side(self, size: int, cell: int) -> None:
        state = (*range(1, size * size), -1)
        picture = np.random.default_rng(1).integers(0, 256, (120, 120, 3), np.uint8)
        assert make_model(picture, size, state, TILE_CONFIG).cell_px == cell

    @pytest.mark.parametrize(
        ("size", "state"),
        [(1, (-1,)), (6, (*range(1, 36), -1)), (3, STATE[:8]), (3, (*STATE[:8], 7)), (3, (1, 2, 3, 4, 9, 5, 6, 7, 8)),
         (3, (1, 2, 3, 4, -1, 5, 6, 7, -1))],
    )  # fmt: skip
    def test_what_is_no_arrangement_is_an_error(self, size: int, state: tuple[int, ...]) -> None:
        with pytest.raises(ValueError, match="board"):
            make_model(board(), size, state, TILE_CONFIG)

    def test_distances_are_root_mean_squares(self) -> None:
        grey = make_model(flat([250, 220, 190, 160, 0, 130, 100, 70, 40]), 3, STATE, TILE_CONFIG)
        assert grey.apart[0, 1] == pytest.approx(30.0, abs=0.1)
        assert grey.apart[0, 4] == pytest.approx(250.0, abs=0.1)
        assert np.allclose(grey.apart, grey.apart.T)
        assert grey.apart.diagonal() == pytest.approx(0.0, abs=1e-3)

    def test_a_radius_is_half_the_way_to_the_most_similar_one(self) -> None:
        # Flat tiles have no texture, so the least radius, 11, bounds all but the blank: half of 40 to its neighbour.
        grey = make_model(flat([250, 220, 190, 160, 0, 130, 100, 70, 40]), 3, STATE, TILE_CONFIG)
        assert np.delete(grey.radius, BLANK) == pytest.approx(11.0, abs=0.1)
        assert grey.radius[BLANK] == pytest.approx(20.0, abs=0.1)

    def test_a_blanks_radius_is_at_most_40(self) -> None:
        grey = make_model(flat([250, 220, 190, 180, 0, 230, 200, 170, 150]), 3, STATE, TILE_CONFIG)
        assert grey.radius[BLANK] == 40.0

    def test_rich_tiles_may_differ_by_their_texture(self) -> None:
        # Stripes of 100 +- 20: a standard deviation of about 20, so a radius of 11 + 20 but for half the way to others.
        picture = flat([100, 200, 30, 240, 0, 160, 60, 130, 220]).astype(int)
        picture[:CELL, :CELL] += 20 * np.where(np.arange(CELL) // 4 % 2, 1, -1)[None, :, None]
        rich = make_model(picture.astype(np.uint8), 3, STATE, TILE_CONFIG)
        spread = rich.patches[0, 3:-3, 3:-3].std(axis=(0, 1)).mean()
        half = np.delete(rich.apart[0], 0).min() / 2
        assert rich.radius[0] == pytest.approx(min(11.0 + spread, half, 40.0), abs=0.01)
        assert rich.radius[0] > 15

    def test_tiles_that_look_alike_do_not_make_the_radius_of_others_small(self) -> None:
        picture = flat([100, 105, 30, 240, 0, 160, 60, 200, 220]).astype(int)
        for cell in (0, 1):
            picture[:CELL, cell * CELL : (cell + 1) * CELL] += (
                20 * np.where(np.arange(CELL) // 4 % 2, 1, -1)[None, :, None]
            )
        twins = make_model(picture.astype(np.uint8), 3, STATE, TILE_CONFIG)
        assert twins.apart[0, 1] < 11
        assert twins.radius[0] > 15


class TestBoards:
    def test_cells_and_boards(self) -> None:
        values = np.arange(6 * 6 * 3, dtype=np.float32).reshape(6, 6, 3)
        cells = split(values, 3)
        assert cells.shape == (9, 2, 2, 3)
        assert cells[5].tolist() == values[2:4, 4:6].tolist()
        assert np.array_equal(joined(cells, 3), values)

    def test_drawn_and_off(self) -> None:
        arrangement = (1, 0, 2, 3, 4, 5, 6, 7, 8)
        cells = split(MODEL.drawn(arrangement), 3)
        assert np.array_equal(cells[0], MODEL.patches[1])
        assert MODEL.off(cells, arrangement).tolist() == [0.0] * 9
        off = MODEL.off(cells, MODEL.start)
        assert off[:2] == pytest.approx([MODEL.apart[0, 1]] * 2, rel=1e-4)
        assert off[2:].tolist() == [0.0] * 7

    def test_the_rim_of_cells_does_not_count(self) -> None:
        cells = split(MODEL.drawn(MODEL.start), 3)
        cells[:, :3] = cells[:, -3:] = 0
        cells[:, :, :3] = cells[:, :, -3:] = 0
        assert MODEL.off(cells, MODEL.start).tolist() == [0.0] * 9
        assert MODEL.distances(cells).diagonal() == pytest.approx(0.0, abs=1e-3)
        cells[:, 3] = 0
        assert MODEL.off(cells, MODEL.start).min() > 0

    def test_distances_of_cells_and_pieces(self) -> None:
        cells = split(MODEL.drawn(MODEL.start), 3)[::-1].copy()
        distances = MODEL.distances(cells)
        assert distances == pytest.approx(MODEL.apart[::-1], abs=1e-3)


class TestColors:
    def seen(self, gain: float = 1.0, offset: float = 0.0) -> np.ndarray:
        return np.asarray(MODEL.drawn(MODEL.start) * gain + offset, np.float32)

    def test_a_shared_change_is_found_and_undone(self) -> None:
        goal, seen = MODEL.drawn(MODEL.start), self.seen(0.8, 12.0)
        change = color_change(seen, goal, np.ones((72, 72)), TILE_CONFIG.colors)
        assert change is not None
        # Without the pull to "none" gains were 1 / 0.8, and nothing were left.
        assert np.abs(recolored(seen, change) - goal).mean() < 0.3 * np.abs(seen - goal).mean()
        assert (np.abs(change[:, :3].diagonal() - 1.2) < 0.05).all()

    def test_no_change_is_none(self) -> None:
        goal = MODEL.drawn(MODEL.start)
        change = color_change(goal, goal, np.ones((72, 72)), TILE_CONFIG.colors)
        assert change == pytest.approx(NO_CHANGE, abs=1e-9)
        assert np.array_equal(recolored(goal, NO_CHANGE), goal)

    def test_the_pull_to_none(self) -> None:
        # A grey board, all of one level: an offset of 20 is drawn by 0.02 * 40 = 0.8, gains by 40 a channel.
        goal = np.full((72, 72, 3), 100, np.float32)
        change = color_change(goal - 20, goal, np.ones((72, 72)), TILE_CONFIG.colors)
        assert change is not None
        # Three gains g and an offset o that fit 80 * 3 g + o = 20 with least 40 * 3 g^2 + 0.8 o^2: g = 80 l / 40 and
        # o = l / 0.8 with l = 20 / (1 + 3 * 80^2 / 40 + 1 / 0.8), where 1 is the error's own weight.
        share = 20 / (1 + 3 * 80**2 / 40 + 1 / 0.8)
        assert change[0, 3] == pytest.approx(share / 0.8, rel=1e-6)
        assert change[0, 1] == pytest.approx(share * 80 / 40, rel=1e-6)

    @pytest.mark.parametrize(("offset", "none"), [(55.0, False), (66.0, True)])
    def test_a_change_of_60_levels_is_no_change_of_light(self, offset: float, none: bool) -> None:
        goal = np.full((72, 72, 3), 100, np.float32)
        change = color_change(goal + offset, goal, np.ones((72, 72)), TILE_CONFIG.colors)
        assert (change is None) is none

    @pytest.mark.parametrize(("rows", "none"), [(16, False), (13, True)])
    def test_a_fifth_of_the_pixels_must_count(self, rows: int, none: bool) -> None:
        # One pixel in 3 x 3 counts, from the second on: 24 rows, of which a fifth are 4.8; 16 rows hold 5, 13 hold 4.
        weight = np.zeros((72, 72))
        weight[:rows] = 1.0
        goal = MODEL.drawn(MODEL.start)
        assert (color_change(goal, goal, weight, TILE_CONFIG.colors) is None) is none

    def test_what_has_no_weight_does_not_count(self) -> None:
        goal, seen = MODEL.drawn(MODEL.start), self.seen()
        seen[:24] = 0
        weight = np.ones((72, 72))
        weight[:24] = 0
        change = color_change(seen, goal, weight, TILE_CONFIG.colors)
        assert change == pytest.approx(NO_CHANGE, abs=1e-9)


def test_settings_are_handed_on() -> None:
    config = replace(TILE_CONFIG, likeness=replace(TILE_CONFIG.likeness, least_radius=14.0))
    assert model(config=config).config is config
    assert model(config=config).radius.min() >= 14.0
