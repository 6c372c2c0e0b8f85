"""How far tiles have slid towards the blank, told to a part of a pixel."""

from __future__ import annotations

import numpy as np
import pytest

from detectors.sliding.model import split
from detectors.sliding.slides import Line, fit_slide, lines
from tests.sliding.small_boards import model, moved, sliding

MODEL = model()
START = MODEL.start  # the blank is in the middle, cell 4


def cells(line: tuple[int, ...], offset: int, arrangement: tuple[int, ...] = START) -> np.ndarray:
    return split(sliding(MODEL, arrangement, line, offset), 3)


class TestLines:
    def test_single_tiles_and_longer_lines(self) -> None:
        assert [one.cells for one in lines(START, MODEL, longest=False)] == [(4, 1), (4, 7), (4, 3), (4, 5)]
        assert list(lines(START, MODEL, longest=True)) == []
        corner = moved(START, 3, 0)
        assert [one.cells for one in lines(corner, MODEL, longest=False)] == [(0, 3), (0, 1)]
        assert [one.cells for one in lines(corner, MODEL, longest=True)] == [(0, 3, 6), (0, 1, 2)]
        opposite = moved(START, 5, 8)
        assert [one.cells for one in lines(opposite, MODEL, longest=True)] == [(8, 5, 2), (8, 7, 6)]

    def test_what_is_after_a_slide(self) -> None:
        assert Line((4, 1)).after(START) == moved(START, 1)
        corner = moved(START, 3, 0)
        assert Line((0, 1, 2)).after(corner) == moved(corner, 1, 2)


class TestFit:
    @pytest.mark.parametrize("line", [(4, 1), (4, 7), (4, 3), (4, 5)])
    @pytest.mark.parametrize("offset", [0, 1, 7, 12, 23, 24])
    def test_the_offset_in_every_direction(self, line: tuple[int, ...], offset: int) -> None:
        found = fit_slide(cells(line, offset), START, Line(line), MODEL)
        assert found.offset == pytest.approx(offset / 24, abs=0.007)
        assert found.line == Line(line)
        assert found.shown.shape == (2, 24, 24, 3)
        assert found.counts.shape == (2, 24, 24)

    @pytest.mark.parametrize("line", [(4, 1), (4, 7), (4, 3), (4, 5)])
    def test_what_is_shown_is_what_is_seen(self, line: tuple[int, ...]) -> None:
        seen = cells(line, 8)
        found = fit_slide(seen, START, Line(line), MODEL)
        assert np.abs(found.shown - seen[list(line)])[found.counts].max() < 2.0

    def test_a_part_of_a_pixel(self) -> None:
        mixed = (0.5 * cells((4, 3), 8) + 0.5 * cells((4, 3), 9)).astype(np.float32)
        found = fit_slide(mixed, START, Line((4, 3)), MODEL)
        assert found.offset == pytest.approx(8.5 / 24, abs=0.006)
        assert np.abs(found.shown - mixed[[4, 3]])[found.counts].max() < 6.0

    def test_a_line_of_two_tiles(self) -> None:
        corner = moved(START, 3, 0)
        for line in ((0, 1, 2), (0, 3, 6)):
            found = fit_slide(cells(line, 10, corner), corner, Line(line), MODEL)
            assert found.offset == pytest.approx(10 / 24, abs=0.003)
            assert found.shown.shape == (3, 24, 24, 3)
            assert np.abs(found.shown - cells(line, 10, corner)[list(line)])[found.counts].max() < 2.0

    def test_pixels_at_the_edges_of_moving_tiles_do_not_count(self) -> None:
        # At 8 of 24 px the tile's edges are at 16 and 40 of the strip of 48: 2 px to either side are left out.
        found = fit_slide(cells((4, 5), 8), START, Line((4, 5)), MODEL)
        strip = np.concatenate(found.counts, axis=1)
        assert np.flatnonzero(~strip.all(axis=0)).tolist() == [14, 15, 16, 17, 38, 39, 40, 41]
        assert not strip[:, 16].any()

    def test_the_gain_is_small_where_the_slide_explains_what_is_seen(self) -> None:
        assert fit_slide(cells((4, 5), 8), START, Line((4, 5)), MODEL).gain < 0.01
        # Another tile slides: this line explains it hardly better than rest does.
        assert fit_slide(cells((4, 5), 8), START, Line((4, 3)), MODEL).gain > 0.5

    def test_at_rest_nothing_is_gained(self) -> None:
        still = split(MODEL.drawn(START), 3)
        found = fit_slide(still, START, Line((4, 5)), MODEL)
        assert found.offset == pytest.approx(0.0, abs=1e-3)
        assert 0.0 <= found.gain <= 1.0
