"""One board read: by continuity first, by content second."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from detectors.sliding.config import TILE_CONFIG
from detectors.sliding.model import NO_CHANGE, TileModel, split
from detectors.sliding.reading import Content, assign, clearer, explain, read, read_content, weights
from tests.sliding.small_boards import BLANK, COLORS, model, moved, sliding

MODEL = model()
START = MODEL.start
FOREIGN = np.float32([90, 10, 90])


def drawn(arrangement: tuple[int, ...] = START) -> np.ndarray:
    return split(MODEL.drawn(arrangement), 3)


class TestExplain:
    def test_a_board_at_rest(self) -> None:
        found = explain(drawn(), START, MODEL)
        assert (found.arrangement, found.slide, found.offset, found.ratio) == (START, None, 0.0, 0.0)
        assert found.ratios == (0.0,) * 9
        assert found.explained
        assert found.bad == ()
        assert np.array_equal(found.drawn(MODEL), MODEL.drawn(START))

    @pytest.mark.parametrize(("offset", "slides"), [(1, False), (2, True), (12, True), (22, True)])
    def test_a_slide_from_it(self, offset: int, slides: bool) -> None:
        # 0.05 of 24 px are 1.2.
        found = explain(split(sliding(MODEL, START, (4, 5), offset), 3), START, MODEL)
        assert found.arrangement == START
        assert found.explained
        assert (found.line is not None) is slides
        if slides:
            assert found.line is not None
            assert found.line.cells == (4, 5)
            assert found.offset == pytest.approx(offset / 24, abs=0.01)
            assert np.abs(found.drawn(MODEL) - sliding(MODEL, START, (4, 5), offset)).mean() < 1.0

    def test_a_part_of_a_twentieth_is_on_its_way(self) -> None:
        # 1.5 of 24 px are 0.0625.
        half = 0.5 * (sliding(MODEL, START, (4, 5), 1) + sliding(MODEL, START, (4, 5), 2))
        found = explain(split(half.astype(np.float32), 3), START, MODEL)
        assert found.offset == pytest.approx(0.0625, abs=0.006)

    def test_a_cell_goes_to_the_tile_that_fits_it_best(self) -> None:
        # Two tiles that hardly differ: the second one shows the first one to the bit.
        patches = MODEL.patches.copy()
        patches[1] = patches[0]
        patches[1][8:12] += 12
        apart = MODEL.apart.copy()
        apart[0, 1] = apart[1, 0] = 4.0
        alike = replace(MODEL, patches=patches, apart=apart)
        cells = patches[list(START)]
        assert explain(cells, START, alike).explained
        cells[1] = patches[0]
        found = explain(cells, START, alike)
        assert alike.off(cells, START)[1] < alike.radius[1]
        assert found.bad == (1,)

    @pytest.mark.parametrize("line", [(4, 1), (4, 7), (4, 3), (4, 5)])
    def test_the_rim_of_cells_does_not_count_on_the_way(self, line: tuple[int, ...]) -> None:
        cells = split(sliding(MODEL, START, line, 10), 3)
        for edge in (0, 1, -1, -2):
            cells[:, edge] += 60
            cells[:, :, edge] += 60
        found = explain(cells, START, MODEL)
        assert found.explained
        assert found.ratio < 0.7

    def test_a_line_from_it(self) -> None:
        corner = moved(START, 3, 0)
        found = explain(split(sliding(MODEL, corner, (0, 1, 2), 9), 3), corner, MODEL)
        assert found.line is not None
        assert found.line.cells == (0, 1, 2)
        assert found.offset == pytest.approx(9 / 24, abs=0.01)

    def test_an_arrangement_a_move_away(self) -> None:
        found = explain(drawn(moved(START, 5)), START, MODEL)
        assert found.explained
        assert found.arrangement == moved(START, 5) or found.offset == pytest.approx(1.0, abs=0.01)

    def test_a_slide_from_there(self) -> None:
        after = moved(START, 5)
        found = explain(split(sliding(MODEL, after, (5, 8), 6), 3), START, MODEL)
        assert found.explained
        assert found.arrangement == after
        assert found.offset == pytest.approx(0.25, abs=0.01)

    def test_two_whole_moves_are_none(self) -> None:
        found = explain(drawn(moved(START, 5, 8)), START, MODEL)
        assert not found.explained
        assert found.arrangement == START
        assert found.bad == (4, 5, 8)

    def test_something_else_is_at_rest_with_the_cells_it_is_in(self) -> None:
        cells = drawn()
        cells[7] = FOREIGN
        found = explain(cells, START, MODEL)
        assert not found.explained
        assert found.bad == (7,)
        assert found.ratio == max(found.ratios) == found.ratios[7] > 1

    def test_a_slide_beside_something_else_is_none(self) -> None:
        cells = split(sliding(MODEL, START, (4, 5), 10), 3)
        cells[0] = FOREIGN
        found = explain(cells, START, MODEL)
        assert not found.explained
        assert 0 in found.bad

    @pytest.mark.parametrize(("part", "explained"), [(0.98, True), (1.02, False)])
    def test_each_cell_may_be_off_by_its_radius(self, part: float, explained: bool) -> None:
        cells = drawn()
        cells[8] = cells[8] + np.float32(part * MODEL.radius[8])
        found = explain(cells, START, MODEL)
        assert found.explained is explained
        assert found.ratios[8] == pytest.approx(part, rel=1e-3)


class TestContent:
    def test_each_cell_shows_its_piece(self) -> None:
        seen = read_content(drawn((1, 0, 2, 3, 4, 5, 6, 7, 8)), START, MODEL)
        assert seen.pieces == (1, 0, 2, 3, 4, 5, 6, 7, 8)
        assert seen.arrangement == (1, 0, 2, 3, 4, 5, 6, 7, 8)

    def test_what_is_no_piece_is_none(self) -> None:
        cells = drawn()
        cells[7] = FOREIGN
        seen = read_content(cells, START, MODEL)
        assert seen.pieces == (0, 1, 2, 3, 4, 5, 6, None, 8)
        assert seen.arrangement is None
        assert not seen.is_copy(7)

    def test_a_tile_that_is_seen_twice_is_a_copy(self) -> None:
        cells = drawn()
        cells[7] = cells[0]
        seen = read_content(cells, START, MODEL)
        assert seen.pieces[7] == 0
        assert seen.is_copy(7)
        assert seen.is_copy(0)
        assert not seen.is_copy(1)
        assert seen.arrangement is None

    @staticmethod
    def pair() -> TileModel:
        """Pieces 0 and 1 are alike: 10 levels of red apart, 5.8 in all channels, below the least radius of 11."""
        colors = list(COLORS)
        colors[0], colors[1] = (150, 150, 40), (160, 150, 40)
        return model(colors)

    @pytest.mark.parametrize(("share", "piece"), [(0.6, 0), (0.65, 1)])
    def test_the_expected_one_has_priority_unless_another_fits_much_better(self, share: float, piece: int) -> None:
        # A share s of the way from 0 to 1 the distance to 1 is (1 - s) / s of that to 0: below 0.6 from s = 0.625 on.
        one = self.pair()
        cells = split(one.drawn(START), 3)
        cells[0] = (1 - share) * one.patches[0] + share * one.patches[1]
        cells[1] = FOREIGN
        assert read_content(cells, START, one).pieces[0] == piece

    def test_lookalikes_are_given_out_once_each(self) -> None:
        one = self.pair()
        cells = split(one.drawn(START), 3)
        cells[1] = cells[0]
        seen = read_content(cells, START, one)
        assert sorted(piece for piece in seen.pieces if piece is not None) == list(range(9))
        assert seen.pieces[:2] == (0, 1)

    def test_lookalikes_that_are_there_already_are_not(self) -> None:
        one = self.pair()
        cells = split(one.drawn(START), 3)
        cells[7] = cells[0]
        assert read_content(cells, START, one).pieces[7] in (0, 1)
        assert read_content(cells, START, one).arrangement is None

    def test_the_expected_cell_keeps_it_then_the_nearest(self) -> None:
        one = self.pair()
        cells = split(one.drawn(START), 3)
        expected = (8, 1, 2, 3, 4, 5, 6, 7, 0)
        cells[8] = one.patches[0] + np.float32(1.0)  # where it is expected, and a little off
        cells[1] = FOREIGN
        seen = read_content(cells, expected, one)
        assert (seen.pieces[8], seen.pieces[0]) == (0, 1)

    def test_arrangements_have_each_piece_once(self) -> None:
        assert Content((0, 1, 2)).arrangement == (0, 1, 2)
        assert Content((0, 1, 1)).arrangement is None
        assert Content((0, None, 1)).arrangement is None


class TestClearer:
    def test_a_much_clearer_arrangement_is_taken(self) -> None:
        swapped = (1, 0, 2, 3, 4, 5, 6, 7, 8)
        assert clearer(drawn(swapped), START, MODEL) == swapped
        assert clearer(drawn(), START, MODEL) == START

    @pytest.mark.parametrize(("share", "taken"), [(0.61, False), (0.64, True)])
    def test_much_is_by_the_square_of_six_tenths(self, share: float, taken: bool) -> None:
        # Two lookalikes, both a share of the way to each other: 0.625 as above.
        one = TestContent.pair()
        cells = split(one.drawn(START), 3)
        cells[0] = (1 - share) * one.patches[0] + share * one.patches[1]
        cells[1] = (1 - share) * one.patches[1] + share * one.patches[0]
        assert clearer(cells, START, one) == ((1, 0, *START[2:]) if taken else START)

    def test_it_has_to_fit(self) -> None:
        # Two tiles exchanged and 60 levels brighter: nearer to each other's, but to none's within its radius.
        cells = drawn((1, 0, 2, 3, 4, 5, 6, 7, 8))
        cells[:2] += 60
        assert clearer(cells, START, MODEL) == START

    def test_costs_are_least_in_all(self) -> None:
        assert assign(np.array([[1.0, 2.0, 9.0], [1.0, 5.0, 9.0], [9.0, 9.0, 0.0]])) == (1, 0, 2)


class TestRead:
    def test_light_that_changed_is_found(self) -> None:
        board = MODEL.drawn(START) * np.float32(0.7)
        reading, colors = read(board, START, NO_CHANGE, MODEL)
        assert reading.explained
        assert colors[0, 0] > 1.2
        again, _ = read(MODEL.drawn(START) * np.float32(0.68), START, colors, MODEL)
        assert again.explained

    def test_a_board_that_is_explained_is_not_read_again(self) -> None:
        # A little darker: it is read in the colours of before, and the change is handed on.
        reading, colors = read(MODEL.drawn(START) * np.float32(0.95), START, NO_CHANGE, MODEL)
        assert reading.explained
        assert reading.ratio > 0.2
        assert colors[0, 0] > 1.02
        again, _ = read(MODEL.drawn(START) * np.float32(0.95), START, colors, MODEL)
        assert again.ratio < reading.ratio / 2

    def test_what_does_not_fit_does_not_count_for_the_light(self) -> None:
        board = MODEL.drawn(START)
        board[48:, 48:] = FOREIGN
        reading, colors = read(board, START, NO_CHANGE, MODEL)
        assert reading.bad == (8,)
        assert np.array_equal(colors, NO_CHANGE)
        counted = weights(reading, MODEL)
        assert counted.shape == (72, 72)
        assert counted[48:, 48:].max() == 0.0
        # Neither does the blank, whose shade may be any.
        assert counted.sum() == 72 * 72 - 2 * 24 * 24

    def test_where_most_does_not_fit_all_counts(self) -> None:
        # At 0.6 of its light most cells are off by more than their radius.
        board = MODEL.drawn(START) * np.float32(0.6)
        assert 2 * len(explain(split(board, 3), START, MODEL).bad) > 9
        assert read(board, START, NO_CHANGE, MODEL)[0].explained

    def test_an_impossible_light_is_none(self) -> None:
        config = replace(TILE_CONFIG, colors=replace(TILE_CONFIG.colors, shift=1.0))
        one = model(config=config)
        board = one.drawn(START) * np.float32(0.6)
        reading, colors = read(board, START, NO_CHANGE, one)
        assert not reading.explained
        assert np.array_equal(colors, NO_CHANGE)

    def test_the_blank_is_a_piece(self) -> None:
        assert explain(drawn(), START, MODEL).arrangement.index(BLANK) == 4
