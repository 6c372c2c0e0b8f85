"""What is drawn over pictures and clips of a sliding puzzle: seen over tiles and the blank, unlike what is harmless."""

from __future__ import annotations

import io

import cv2
import numpy as np
import pytest
from PIL import Image

from detectors.sliding.findings import TileEventKind
from detectors.sliding.still import read_board_still
from detectors.sliding.tiles import find_tiles
from grader.media.frames import Frame
from grader.model.verdict import Outcome
from grader.tasks.sliding.puzzle import TilePuzzle
from grader.tasks.sliding.rollouts import judge_tile_pictures
from grader.tasks.sliding.settings import SLIDING_SETTINGS
from puzzles.common.lettering import draw_text
from puzzles.common.raster import Color, Picture
from puzzles.sliding.pictures import make_picture
from puzzles.sliding.render import SlidingStyle, render_board
from puzzles.sliding.tiles import SlidingPuzzle

START, AFTER = (1, 2, 3, 4, 5, 6, 7, -1, 8), (1, 2, 3, 4, 5, 6, 7, 8, -1)
SOURCE = make_picture(600, 7)
PUZZLE = render_board(SOURCE, START, AFTER, SlidingStyle(), (390, 390))
SHOWN = render_board(SOURCE, AFTER, AFTER, SlidingStyle(board_share=0.9), (420, 420))
# A board of 126 px a tile, 21 px from the edge.
TILE, BLANK = (84, 84), (336, 336)


def drawn(picture: Picture) -> tuple[int, ...]:
    found = read_board_still(picture, PUZZLE, 3, START)
    assert found.state == AFTER
    return tuple(one.cell for one in found.drawn)


def crossed(at: tuple[int, int], color: Color, width: int = 2) -> Picture:
    picture = SHOWN.copy()
    for sign in (-1, 1):
        cv2.line(picture, (at[0] - 16, at[1] - sign * 16), (at[0] + 16, at[1] + sign * 16), color, width, cv2.LINE_AA)
    return picture


class TestPictures:
    @pytest.mark.parametrize("color", [(10, 10, 10), (250, 250, 250), (220, 30, 40), (40, 70, 200)])
    def test_a_cross_over_a_tile_is_seen(self, color: Color) -> None:
        assert drawn(crossed(TILE, color))[:1] == (0,)

    def test_a_word_in_the_blank_is_seen(self) -> None:
        picture = SHOWN.copy()
        draw_text(picture, "NO", BLANK, 20, (90, 90, 90))
        assert drawn(picture) == (8,)

    def test_a_series_that_is_drawn_on_fails_by_the_tile(self) -> None:
        puzzle = TilePuzzle(SlidingPuzzle(START, AFTER), 1, PUZZLE)
        found = judge_tile_pictures(puzzle, [crossed(TILE, (220, 30, 40))], "", SLIDING_SETTINGS)
        assert (found.outcome, found.reward) == (Outcome.FAIL, 0.0)
        assert [(one.code, one.places[0].object) for one in found.reasons] == [("STEP_ALTERED", "1")]
        assert judge_tile_pictures(puzzle, [SHOWN], "", SLIDING_SETTINGS).outcome is Outcome.PASS

    @pytest.mark.parametrize("kind", ["plain", "compressed", "noise", "colours", "hue", "soft", "smaller", "blank"])
    def test_what_is_harmless_is_not(self, kind: str) -> None:
        picture = SHOWN.astype(np.float64)
        if kind == "compressed":
            stream = io.BytesIO()
            Image.fromarray(SHOWN).save(stream, "JPEG", quality=50)
            picture = np.asarray(Image.open(stream).convert("RGB"))
        elif kind == "noise":
            picture += np.random.default_rng(1).normal(0, 6, picture.shape)
        elif kind == "colours":
            picture *= np.array([1.06, 0.97, 0.9])
        elif kind == "hue":
            hsv = cv2.cvtColor(SHOWN, cv2.COLOR_RGB2HSV)
            hsv[..., 0] = (hsv[..., 0].astype(int) + 4) % 180
            picture = cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)
        elif kind == "soft":
            picture = cv2.GaussianBlur(SHOWN, (0, 0), 1.2)
        elif kind == "smaller":
            picture = cv2.resize(SHOWN, (280, 280), interpolation=cv2.INTER_AREA)
        elif kind == "blank":
            picture[273:399, 273:399] = (30, 30, 34)
        assert drawn(np.clip(picture, 0, 255).astype(np.uint8)) == ()


@pytest.mark.parametrize(("marked", "kinds"), [(False, []), (True, [TileEventKind.DRAWN_OVER])])
def test_what_is_drawn_over_a_clip_is_an_event(marked: bool, kinds: list[TileEventKind]) -> None:
    first = render_board(SOURCE, START, AFTER, SlidingStyle(board_share=0.9), (420, 420))
    later = first.copy()
    if marked:
        cv2.line(later, (64, 84), (104, 84), (220, 30, 40), 2, cv2.LINE_AA)
    frames = [Frame(k, k / 24, later if k >= 4 else first) for k in range(14)]
    assert [one.kind for one in find_tiles(frames, PUZZLE, 3, START).events] == kinds
