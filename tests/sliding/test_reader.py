"""Small clips of a board of 72 pixels, frame by frame: how long things must last, and how far tiles must come."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from detectors.sliding.findings import TileEventKind, TileFindings
from detectors.sliding.tiles import find_tiles
from grader.media.frames import Frame
from tests.sliding.small_boards import CELL, STATE, board, model, moved, sliding

E = TileEventKind
PICTURE = board()
MODEL = model()
START = MODEL.start
FOREIGN = np.array([255, 0, 128])


def drawn(arrangement: tuple[int, ...] = START, *, foreign: int | None = None) -> np.ndarray:
    shown = np.rint(MODEL.drawn(arrangement))
    if foreign is not None:
        row, column = divmod(foreign, 3)
        shown[row * CELL : (row + 1) * CELL, column * CELL : (column + 1) * CELL] = FOREIGN
    return shown


def framed(shown: np.ndarray, left: int = 12, top: int = 12) -> np.ndarray:
    """A frame of 100 x 96 with the board in it."""
    pixels = np.full((96, 100, 3), 118, np.uint8)
    part = np.clip(np.rint(shown), 0, 255).astype(np.uint8)
    pixels[top : top + 72, left : left + 72] = part
    return pixels


def found(boards: Sequence[np.ndarray], rate: float = 24.0) -> TileFindings:
    frames = (Frame(k, k / rate, framed(one) if one.shape == (72, 72, 3) else one) for k, one in enumerate(boards))
    return find_tiles(frames, PICTURE, 3, STATE)


def kinds(boards: Sequence[np.ndarray], rate: float = 24.0) -> list[tuple[TileEventKind, int, int, tuple[int, ...]]]:
    return [(one.kind, one.first_frame, one.last_frame, one.cells) for one in found(boards, rate).events]


REST = [drawn()] * 4


def test_a_board_at_rest() -> None:
    seen = found(REST)
    assert seen.board is not None
    assert (seen.board.left, seen.board.top, seen.board.width) == pytest.approx((12.0, 12.0, 72.0), abs=0.3)
    assert seen.match > 0.99
    assert seen.events == ()
    assert [one.state for one in seen.frames] == [STATE] * 4
    assert all(one.explained and one.confidence > 0.9 for one in seen.frames)
    assert [(point.row, point.column) for point in seen.trajectory(1)] == [(0.0, 0.0)] * 4
    with pytest.raises(ValueError, match="no tile 9"):
        seen.trajectory(9)


class TestSlides:
    def test_a_slide_is_followed_until_it_has_arrived(self) -> None:
        offsets = [0, 6, 12, 18, 21, 23, 24]
        seen = found([*REST, *(sliding(MODEL, START, (4, 5), offset) for offset in offsets)])
        after = MODEL.tiles(moved(START, 5))
        # 0.92 of 24 px are 22.1.
        assert [one.state == after for one in seen.frames[4:]] == [False] * 5 + [True] * 2
        assert seen.events == ()
        assert [round(one.moving[0].column, 1) if one.moving else None for one in seen.frames[5:9]] == [
            1.8,
            1.5,
            1.3,
            1.1,
        ]
        assert seen.frames[6].moving[0].tile == 5
        assert seen.frames[6].moving[0].row == 1.0
        assert seen.trajectory(5)[6].column == seen.frames[6].moving[0].column

    def test_tiles_of_a_line_go_together(self) -> None:
        corner = moved(START, 3, 0)
        boards = [*REST, sliding(MODEL, START, (4, 3), 12), drawn(moved(START, 3))]
        boards += [sliding(MODEL, moved(START, 3), (3, 0), 12), *[drawn(corner)] * 2]
        boards += [*(sliding(MODEL, corner, (0, 1, 2), step) for step in (8, 16)), *[drawn(moved(corner, 1, 2))] * 2]
        shown = kinds(boards)
        assert shown == [(E.TILES_TOGETHER, 8, 11, (0, 1, 2))]


class TestBlank:
    def shaded(self, arrangement: tuple[int, ...], level: float) -> np.ndarray:
        """The board with its blank lighter by some levels."""
        shown = drawn(arrangement)
        row, column = divmod(arrangement.index(MODEL.blank), 3)
        shown[row * CELL : (row + 1) * CELL, column * CELL : (column + 1) * CELL] += level
        return shown

    def test_it_may_change_its_shade(self) -> None:
        after = moved(START, 5)
        boards = [*REST, *(self.shaded(START, level) for level in range(0, 80, 8)), *[self.shaded(after, 80)] * 3]
        seen = found(boards)
        assert seen.events == ()
        assert all(one.explained for one in seen.frames)
        assert seen.frames[-1].state == MODEL.tiles(after)


class TestLasting:
    @pytest.mark.parametrize(("frames", "count"), [(2, 0), (3, 1)])
    def test_what_is_no_tile_lasts_a_tenth_of_a_second(self, frames: int, count: int) -> None:
        shown = kinds([*REST, *[drawn(foreign=8)] * frames, *REST])
        assert shown == [(E.FOREIGN_TILE, 3, 3 + frames, (8,))][:count]

    @pytest.mark.parametrize(("frames", "count"), [(1, 0), (2, 1)])
    def test_at_few_frames_a_second_it_lasts_two(self, frames: int, count: int) -> None:
        assert len(kinds([*REST, *[drawn(foreign=8)] * frames, *REST], rate=5.0)) == count

    def test_up_to_the_end_it_counts(self) -> None:
        assert kinds([*REST, *[drawn(foreign=8)] * 6]) == [(E.FOREIGN_TILE, 3, 9, (8,))]
        (one,) = found([*REST, *[drawn(foreign=8)] * 6]).events
        assert one.tiles == (8,)
        assert (one.box.left, one.box.top, one.box.width) == pytest.approx((60.0, 60.0, 24.0), abs=0.4)
        assert (one.first_time_s, one.last_time_s) == (3 / 24, 9 / 24)

    def test_a_filled_blank_and_a_copy(self) -> None:
        assert kinds([*REST, *[drawn(foreign=4)] * 8]) == [(E.BLANK_FILLED, 3, 11, (4,))]
        assert kinds([*REST, *[drawn((0, 1, 2, 3, 4, 5, 6, 7, 0))] * 8]) == [(E.DUPLICATE_TILE, 3, 11, (8,))]

    def test_another_scene(self) -> None:
        other = np.full((72, 72, 3), 200.0)
        other[::2] = 30
        assert [one[0] for one in kinds([*REST, *[other] * 8])] == [E.SCENE_REPLACED]

    @pytest.mark.parametrize(("frames", "count"), [(1, 0), (2, 1)])
    def test_another_arrangement_is_seen_twice(self, frames: int, count: int) -> None:
        swapped = (1, 0, *START[2:])
        shown = kinds([*REST, *[drawn(swapped)] * frames, *REST])
        assert [one[0] for one in shown] == [E.TILE_SWAP, E.TILE_SWAP][: 2 * count]
        if count:
            assert shown[0] == (E.TILE_SWAP, 3, 4, (0, 1))

    def test_at_the_end_once_is_enough(self) -> None:
        swapped = (1, 0, *START[2:])
        seen = found([*REST, drawn(swapped)])
        assert [(one.kind, one.cells) for one in seen.events] == [(E.TILE_SWAP, (0, 1))]
        assert seen.frames[-1].state == MODEL.tiles(swapped)

    def test_a_cut(self) -> None:
        shown = kinds([*REST, *[drawn((2, 0, 1, *START[3:]))] * 3])
        assert shown == [(E.HARD_CUT, 3, 4, (0, 1, 2))]

    def test_a_fade(self) -> None:
        after = (2, 0, 1, *START[3:])
        mixed = [(1 - share) * drawn() + share * drawn(after) for share in (0.2, 0.4, 0.6, 0.8)]
        shown = kinds([*REST, *mixed, *[drawn(after)] * 3])
        assert [(one[0], one[3]) for one in shown] == [(E.CROSS_FADE, (0, 1, 2))]

    def test_moves_behind_something_else(self) -> None:
        hidden = np.full((72, 72, 3), 90.0)
        hidden[:, ::2] = 160
        shown = kinds([*REST, *[hidden] * 3, *[drawn(moved(START, 5, 8))] * 3])
        assert (E.ALL_AT_ONCE, 3, 7, (4, 5, 8)) in shown


class TestCamera:
    def test_a_camera_that_moves_slowly_is_followed(self) -> None:
        seen = found([framed(drawn(), 12 + step // 2, 12) for step in range(12)])
        assert all(one.explained for one in seen.frames)
        assert seen.events == ()

    @pytest.mark.parametrize(("way", "count"), [(14, 0), (16, 1)])
    def test_a_board_that_leaves_its_place_by_a_fifth_has_changed(self, way: int, count: int) -> None:
        # A fifth of 72 px are 14.4.
        left = [5 + min(step, way) for step in range(way + 4)]
        pixels = [np.full((96, 110, 3), 118, np.uint8) for _ in left]
        for one, at in zip(pixels, left, strict=True):
            one[12:84, at : at + 72] = drawn().astype(np.uint8)
        seen = find_tiles((Frame(k, k / 24, one) for k, one in enumerate(pixels)), PICTURE, 3, STATE)
        assert [one.kind for one in seen.events] == [E.BOARD_CHANGED][:count]

    @pytest.mark.parametrize(("share", "anew"), [(0.5, False), (0.85, True)])
    def test_a_board_that_hardly_changes_is_not_read_anew(self, share: float, anew: bool) -> None:
        # One level more in a share of the rows: the mean change of a cell is that share, against 0.7.
        rows = (np.arange(72) * share % 1.0) < share
        other = drawn() + (rows * 1.0)[:, None, None]
        seen = found([*REST, *REST, *REST, other])
        assert (seen.frames[12].confidence != seen.frames[11].confidence) is anew

    def test_light_that_changes_is_none(self) -> None:
        seen = found([*REST, *(drawn() * (1 - 0.04 * step) for step in range(8))])
        assert all(one.explained for one in seen.frames)
        assert seen.events == ()

    def test_another_picture_is_not_the_puzzle(self) -> None:
        noise = np.random.default_rng(2).integers(0, 256, (96, 100, 3), np.uint8)
        seen = found([noise])
        assert (seen.board, seen.frames, seen.events) == (None, (), ())
        assert seen.match < 0.5
