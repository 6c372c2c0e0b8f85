"""Clips and pictures of sliding puzzles, drawn by ``tile_clips``: what is seen in them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from detectors.sliding.findings import TileEventKind, TileFindings
from detectors.sliding.still import read_board_still
from detectors.sliding.tiles import find_tiles
from grader.media.frames import Frame
from grader.tasks.sliding.clips.moves import read_moves
from grader.tasks.sliding.clips.video import TileClipJudgement, judge_tile_clip
from puzzles.sliding.shape import BLANK
from puzzles.sliding.tiles import SlidingPuzzle
from tests.sliding.tile_clips import (
    Art,
    Camera,
    Look,
    Piece,
    at_rest,
    compressed,
    faded,
    flown,
    graded,
    moved,
    shapes,
    sky,
    slides,
)

E = TileEventKind

# One picture, six moves to go: up left down right down right.
STATE = (2, 4, 3, 1, BLANK, 6, 7, 5, 8)
GOAL = (1, 2, 3, 4, 5, 6, 7, 8, BLANK)
WORDS = "up left down right down right"
ART = Art(shapes(4), 3)
BEGIN, END = ART.at_rest(STATE), ART.at_rest(GOAL)


def seen(boards: list[np.ndarray], art: Art = ART, camera: Camera | None = None, change: Any = None) -> TileFindings:
    frames = (camera or Camera(320, 180)).shot(boards, change)
    return find_tiles(frames, art.at_rest(STATE), 3, STATE)


def kinds(found: TileFindings) -> list[TileEventKind]:
    return [one.kind for one in found.events]


def swapped(state: tuple[int, ...], one: int, other: int) -> tuple[int, ...]:
    return tuple({one: other, other: one}.get(tile, tile) for tile in state)


def codes(judgement: TileClipJudgement) -> list[str]:
    return [reason.code for reason in judgement.reasons]


class TestDetector:
    @pytest.mark.parametrize(
        ("art", "camera", "change"),
        [
            (Art(shapes(4), 3, Look(gap=0.06, corner=0.12, blank=(128, 128, 128))), Camera(480, 270, 0), None),
            (
                Art(shapes(4), 3, Look(border=0.03, numbers=True, blank=(255, 255, 255))),
                Camera(240, 320, 240, 0.9, stretch=1.05),
                graded(12, -0.25, 0.1),
            ),
            (Art(sky(2), 3), Camera(320, 180, 240), None),
            (ART, Camera(400, 225, 0, 0.8, drift=0.08, zoom=0.1), None),
            (ART, Camera(400, 225), compressed(1)),
        ],
        ids=["gaps", "numbers and colours", "sky", "camera", "noise"],
    )
    def test_follows_slides(self, art: Art, camera: Camera, change: Any) -> None:
        words = "up left down right" if camera.drift else "up left down"
        found = seen(slides(art, STATE, words, each=4, rest=1), art, camera, change)
        judged = judge_tile_clip(SlidingPuzzle(STATE, moved(STATE, words)), found)
        assert found.events == ()
        assert " ".join(one.move.value for one in judged.moves) == words
        assert (judged.solved, judged.strict_legal) == (True, True)

    def test_finds_the_board(self) -> None:
        box = seen([BEGIN], camera=Camera(640, 360, 0, 0.75, stretch=1.03)).board
        assert box is not None
        # Height 0.75 x 360 = 270, width 1.03 x 270 = 278.1, in the middle: left (640 - 278.1) / 2, top (360 - 270) / 2.
        assert (box.left, box.top) == pytest.approx((180.95, 45), abs=1)
        assert (box.width, box.height) == pytest.approx((278.1, 270), abs=1.5)

    def test_follows_a_tile_between_cells(self) -> None:
        found = seen(slides(ART, STATE, "up", each=10, rest=1))
        # The blank goes up, so tile 4 comes down from row 0: by (1 - cos(pi k / 10)) / 2 of a cell in frame k.
        for point in found.trajectory(4)[2:9]:
            assert point.row == pytest.approx(0.5 - 0.5 * np.cos(np.pi * point.index / 10), abs=0.04)
            assert point.column == 1

    def test_nothing_in_a_still_clip(self) -> None:
        found = seen([BEGIN] * 10, change=compressed(2))
        assert found.events == ()
        assert {one.state for one in found.frames} == {STATE}

    def test_another_picture_is_not_the_puzzle(self) -> None:
        frames = Camera(320, 180).shot([Art(shapes(77), 3).at_rest(STATE)])
        assert find_tiles(frames, BEGIN, 3, STATE).board is None

    def test_no_frame_is_not_the_puzzle(self) -> None:
        assert find_tiles(iter(()), BEGIN, 3, STATE).board is None

    def test_the_target_beside_the_board_is_not_the_board(self) -> None:
        def beside(pixels: np.ndarray, gone: float) -> np.ndarray:
            pixels[5:75, 5:75] = cv2.resize(END, (70, 70))
            return pixels

        found = seen([BEGIN] * 3, camera=Camera(400, 180), change=beside)
        assert found.frames[-1].state == STATE

    def test_finds_a_board_that_is_wider_than_high(self) -> None:
        """240 x 160 px, half as large again in a frame of 400 x 300 px."""
        wide = cv2.resize(BEGIN, (240, 160), interpolation=cv2.INTER_AREA)
        pixels = np.full((300, 400, 3), 240, np.uint8)
        pixels[60:260, 50:350] = cv2.resize(wide, (300, 200))
        found = find_tiles([Frame(index, index / 24, pixels) for index in range(2)], wide, 3, STATE)
        assert found.board is not None
        box = (found.board.left, found.board.top, found.board.width, found.board.height)
        assert box == pytest.approx((50, 60, 300, 200), abs=1.5)

    @pytest.mark.parametrize("frames", [1, 6])
    def test_cut_to_the_target(self, frames: int) -> None:
        found = seen([BEGIN] * 6 + [END] * frames)
        (cut,) = found.events
        assert (cut.kind, cut.first_frame, cut.last_frame) == (E.HARD_CUT, 5, 6)
        assert found.frames[-1].state == GOAL

    @pytest.mark.parametrize("frames", [6, 16, 48])
    def test_fade_to_the_target(self, frames: int) -> None:
        found = seen([BEGIN, *faded(BEGIN, END, frames), END, END])
        assert kinds(found) == [E.CROSS_FADE]

    def test_fade_to_a_legal_state(self) -> None:
        after = ART.at_rest(moved(STATE, "up"))
        assert kinds(seen([BEGIN, *faded(BEGIN, after, 14), after, after])) == [E.CROSS_FADE]

    @pytest.mark.parametrize("boards", [flown(ART, STATE, swapped(STATE, 2, 6)), []], ids=["flown", "at once"])
    def test_swap(self, boards: list[np.ndarray]) -> None:
        found = seen([BEGIN] * 3 + boards + [ART.at_rest(swapped(STATE, 2, 6))] * 3)
        (swap,) = found.events
        assert (swap.kind, swap.tiles, swap.cells) == (E.TILE_SWAP, (2, 6), (0, 5))

    def test_an_event_may_begin_with_the_first_frame(self) -> None:
        found = seen([BEGIN] + [ART.at_rest(swapped(STATE, 2, 6))] * 4)
        (swap,) = found.events
        assert (swap.kind, swap.first_frame, swap.first_time_s) == (E.TILE_SWAP, 0, 0.0)

    def test_swap_of_tiles_that_look_alike(self) -> None:
        art = Art(sky(2), 3)
        after = swapped(STATE, 1, 3)
        found = seen(
            [art.at_rest(STATE)] * 3 + flown(art, STATE, after) + [art.at_rest(after)] * 6, art, Camera(480, 270)
        )
        # While they are on their way both are seen to be no tiles at their places.
        assert E.TILE_SWAP in kinds(found)
        assert found.frames[-1].state == after

    @pytest.mark.parametrize("boards", [flown(ART, STATE, swapped(STATE, 8, BLANK)), []], ids=["flown", "at once"])
    def test_teleport(self, boards: list[np.ndarray]) -> None:
        found = seen([BEGIN] * 3 + boards + [ART.at_rest(swapped(STATE, 8, BLANK))] * 3)
        (jump,) = found.events
        assert (jump.kind, jump.tiles) == (E.TILE_TELEPORT, (8,))

    def test_all_at_once(self) -> None:
        assert kinds(seen([BEGIN] * 3 + flown(ART, STATE, GOAL) + [END] * 3)) == [E.ALL_AT_ONCE]

    @pytest.mark.parametrize("tile", [6, 9], ids=["a copy", "the missing piece"])
    def test_blank_filled(self, tile: int) -> None:
        filled = ART.board([*at_rest(STATE, 3), Piece(tile, 1, 1)])
        found = seen([BEGIN] * 3 + faded(BEGIN, filled, 6) + [filled] * 8)
        (fill,) = found.events
        assert (fill.kind, fill.cells) == (E.BLANK_FILLED, (4,))

    @pytest.mark.parametrize(("into", "kind"), [(6, E.DUPLICATE_TILE), (9, E.FOREIGN_TILE)])
    def test_a_tile_turns_into_another(self, into: int, kind: TileEventKind) -> None:
        def turned(share: float) -> np.ndarray:
            pieces = [replace(one, turns_into=into, share=share) if one.tile == 2 else one for one in at_rest(STATE, 3)]
            return ART.board(pieces)

        found = seen([BEGIN] * 3 + [turned(step / 8) for step in range(1, 8)] + [turned(1)] * 8)
        (change,) = found.events
        assert (change.kind, change.cells) == (kind, (0,))

    def test_two_tiles_that_turn_into_each_other_fade(self) -> None:
        after = ART.at_rest(swapped(STATE, 2, 6))
        assert kinds(seen([BEGIN] * 2 + faded(BEGIN, after, 12) + [after] * 3)) == [E.CROSS_FADE]

    def test_a_slide_whose_tile_turns_into_another_is_no_move(self) -> None:
        still = [one for one in at_rest(STATE, 3) if one.tile != 4]
        boards = [ART.board([*still, Piece(4, step / 10, 1, 8, step / 10)]) for step in range(11)]
        found = seen([BEGIN] * 2 + boards + [boards[-1]] * 8)
        assert set(kinds(found)) & {E.FOREIGN_TILE, E.DUPLICATE_TILE, E.BLANK_FILLED}
        assert not judge_tile_clip(SlidingPuzzle(STATE, GOAL), found).strict_legal

    def test_tiles_together(self) -> None:
        state = moved(STATE, "up left")  # the blank is at the left end of the first row
        assert state[:3] == (BLANK, 2, 3)
        still = [one for one in at_rest(state, 3) if one.tile not in (2, 3)]
        boards = [
            ART.board([*still, Piece(2, 0, 1 - step / 8), Piece(3, 0, 2 - step / 8)])
            for step in (0, 0, *range(9), 8, 8)
        ]
        found = find_tiles(Camera(320, 180).shot(boards), ART.at_rest(state), 3, state)
        assert kinds(found) == [E.TILES_TOGETHER]
        # They leave their places after the second of three frames at rest.
        assert found.events[0].first_frame == 2
        at_once = find_tiles(Camera(320, 180).shot([boards[0], *boards[5:]]), ART.at_rest(state), 3, state)
        assert [(one.kind, one.first_frame) for one in at_once.events] == [(E.TILES_TOGETHER, 0)]
        assert [one.move.value for one in read_moves(found).moves] == ["right", "right"]

    def test_a_black_end_shows_no_target(self) -> None:
        found = seen([*slides(ART, STATE, WORDS, each=4, rest=2), *[np.zeros_like(END)] * 3])
        judged = judge_tile_clip(SlidingPuzzle(STATE, GOAL), found)
        assert (judged.solved, judged.ever_reached) == (False, True)
        assert "SCENE_REPLACED" in codes(judged)

    def test_a_single_broken_frame_is_forgiven(self) -> None:
        boards = slides(ART, STATE, WORDS, each=4, rest=2)
        found = seen([*boards[:1], np.zeros_like(END), *boards[1:]])
        assert found.events == ()
        assert judge_tile_clip(SlidingPuzzle(STATE, GOAL), found).solved

    def test_same_frames_same_findings(self) -> None:
        boards = slides(ART, STATE, "up left", each=5, rest=1)
        assert seen(boards, change=compressed(3)) == seen(boards, change=compressed(3))

    def test_wrong_states_are_errors(self) -> None:
        with pytest.raises(ValueError, match="2 to 5 rows"):
            find_tiles(iter(()), BEGIN, 3, STATE[:8])
        with pytest.raises(ValueError, match="one blank"):
            find_tiles(iter(()), BEGIN, 3, (1, *STATE[1:]))


class TestStill:
    @pytest.mark.parametrize("side", [150, 264, 600])
    def test_reads_a_picture_of_any_size(self, side: int) -> None:
        state = moved(STATE, "up left down")
        shown = read_board_still(cv2.resize(ART.at_rest(state), (side, side)), BEGIN, 3, STATE)
        assert (shown.state, shown.copies, shown.unknown) == (state, (), ())

    def test_reads_a_darker_picture_with_margins(self) -> None:
        (one,) = Camera(400, 300, 240, 0.8).shot([END], graded(0, 0, 0))
        shown = read_board_still((one.pixels * 0.85).astype(np.uint8), BEGIN, 3, STATE)
        assert shown.state == GOAL

    def test_the_blank_may_be_in_another_shade(self) -> None:
        state = moved(STATE, "up left down")
        other = Art(shapes(4), 3, Look(blank=(90, 90, 90)))
        shown = read_board_still(other.at_rest(state), BEGIN, 3, STATE)
        assert (shown.state, shown.copies, shown.unknown) == (state, (), ())

    def test_names_copies_and_what_is_no_tile(self) -> None:
        pieces = [Piece({2: 6, 3: 9}.get(one.tile, one.tile), one.row, one.column) for one in at_rest(STATE, 3)]
        shown = read_board_still(ART.board(pieces), BEGIN, 3, STATE)
        assert shown.state is None
        # Tile 6 lies in cell 0 as well as where it belongs, and cell 2 shows the piece that the puzzle lacks.
        assert (shown.copies, shown.unknown) == ((0,), (2,))

    def test_tiles_that_look_alike_stay_where_they_were(self) -> None:
        art = Art(np.full((240, 240, 3), 150, np.uint8), 3)
        previous = moved(STATE, "up left")
        shown = read_board_still(art.at_rest(moved(previous, "down")), art.at_rest(STATE), 3, STATE, previous)
        assert shown.state == moved(previous, "down")

    def test_a_previous_state_of_other_tiles_is_an_error(self) -> None:
        with pytest.raises(ValueError, match="other tiles"):
            read_board_still(BEGIN, BEGIN, 3, STATE, (*STATE[:8], 9))
