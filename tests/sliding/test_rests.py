"""Small boards: fades that never end, the flat rim of a still, and when what is drawn over tiles counts."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from detectors.sliding.board import TileBox
from detectors.sliding.config import TILE_CONFIG
from detectors.sliding.findings import TileEventKind
from detectors.sliding.remainder.clip import DrawnFollower
from detectors.sliding.remainder.finding import DrawnOnTile, TileRemainderFinder, _bent, _beyond, _inner, _terms, _toned
from detectors.sliding.still import _boxes
from detectors.sliding.tiles import find_tiles
from grader.media.frames import Frame
from tests.sliding.small_boards import STATE, board, model

E = TileEventKind
PICTURE, MODEL = board(), model()
START = MODEL.start
RULES = TILE_CONFIG.remainder


def clip(boards: list[np.ndarray]) -> list[tuple[TileEventKind, int, int, tuple[int, ...]]]:
    """What happens in a clip of boards: kind, first and last frame, cells."""
    frames = []
    for at, shown in enumerate(boards):
        pixels = np.full((96, 100, 3), 118, np.uint8)
        pixels[12:84, 12:84] = np.clip(np.rint(shown), 0, 255)
        frames.append(Frame(at, at / 24, pixels))
    events = find_tiles(frames, PICTURE, 3, STATE).events
    return [(one.kind, one.first_frame, one.last_frame, one.cells) for one in events]


def test_a_fade_to_something_else_up_to_the_end_is_one() -> None:
    """Three cells become another colour by mixtures, and at the end they show no tile."""
    rest, other = MODEL.drawn(START), MODEL.drawn(START).copy()
    other[:24] = (255, 0, 128)
    mixed = [(1 - share) * rest + share * other for share in (0.3, 0.4, 0.5, 0.6, 0.7)]
    found = clip([rest] * 4 + mixed + [other])
    assert (E.CROSS_FADE, 3, 9, (0, 1, 2)) in found
    # One cell alone is a flaw, and no fade.
    other[:, 24:] = rest[:, 24:]
    mixed = [(1 - share) * rest + share * other for share in (0.3, 0.4, 0.5, 0.6, 0.7)]
    assert [one[0] for one in clip([rest] * 4 + mixed + [other])] == [E.FOREIGN_TILE]


@pytest.mark.parametrize(("levels", "trimmed"), [(10, False), (11, True)])
def test_a_flat_rim_is_no_part_of_a_board(levels: int, trimmed: bool) -> None:
    """In which no pixel is farther than 10 levels from the first one, in any channel."""
    pixels = np.full((60, 80, 3), 100, np.uint8)
    pixels[10:50, 20:70, 1] += np.uint8(levels)
    pixels[1, :, :] = 104
    boxes = _boxes(pixels, PICTURE, TILE_CONFIG)
    assert boxes[0] == TileBox(0, 0, 80, 60)
    assert (TileBox(20, 10, 50, 40) in boxes) == trimmed
    turned = pixels.copy()
    turned[0, 0], turned[1, 0] = (100, 100, 100), (255, 255, 255)
    assert TileBox(20, 10, 50, 40) not in _boxes(turned, PICTURE, TILE_CONFIG)


# --- what is drawn over tiles in clips ---


def follower(plainness: float = 2.0, cells: tuple[int, ...] = (3,)) -> tuple[DrawnFollower, list[int]]:
    """A follower that sees things on cells, and how often it looked."""
    looked: list[int] = []

    def find(pixels: np.ndarray, *_: object) -> tuple[DrawnOnTile, ...]:
        looked.append(int(pixels[0, 0, 0]))
        return tuple(DrawnOnTile(cell, plainness) for cell in cells) if pixels[0, 0, 1] else ()

    return DrawnFollower(SimpleNamespace(find=find), TILE_CONFIG), looked  # type: ignore[arg-type]


def frame(at: int, level: int = 0, marked: bool = True, rate: float = 20.0) -> Frame:
    pixels = np.zeros((4, 4, 3), np.uint8)
    pixels[..., 0], pixels[..., 1] = level, 200 * marked
    return Frame(at, at / rate, pixels)


BOX = TileBox(0, 0, 4, 4)


def test_a_frame_that_shows_the_same_is_not_looked_at_again() -> None:
    """Up to 6 levels from the last one that was; and of others one in 0.1 seconds."""
    one, looked = follower()
    for at, level in enumerate((0, 6, 7, 14, 14)):
        one.take(frame(at, level), BOX, START)
    assert looked == [0, 7, 14]  # at 0, at 0.1, and not at 0.15 but at 0.2 s
    one.take(frame(5, 30), BOX, (1, 0, *START[2:]))
    assert looked == [0, 7, 14, 30]  # another arrangement is looked at at once
    one.take(frame(6, 30), BOX, None)
    one.take(frame(7, 30), BOX, (1, 0, *START[2:]))
    assert looked == [0, 7, 14, 30, 30]


@pytest.mark.parametrize(("plainness", "drawn"), [(1.79, False), (1.81, True)])
def test_in_clips_what_is_drawn_is_plain(plainness: float, drawn: bool) -> None:
    one, _ = follower(plainness)
    for at in range(6):
        one.take(frame(at, 40 * at), BOX, START)
    assert one.runs() == (((3, 0, 5),) if drawn else ())


@pytest.mark.parametrize(("frames", "drawn"), [(3, False), (4, True)])
def test_what_is_drawn_lasts(frames: int, drawn: bool) -> None:
    """0.2 seconds: at 20 frames a second four."""
    one, _ = follower()
    for at in range(20):
        one.take(frame(at, (40 * at) % 240, marked=8 <= at < 8 + frames, rate=20.0), BOX, START)
    assert bool(one.runs()) == drawn


def test_of_few_frames_two_are_enough() -> None:
    one, _ = follower()
    for at in range(5):
        one.take(frame(at, 40 * at, marked=at in (1, 2), rate=5.0), BOX, START)
    assert one.runs() == ((3, 1, 2),)
    lone, _ = follower()
    for at in range(5):
        lone.take(frame(at, 40 * at, marked=at == 1, rate=5.0), BOX, START)
    assert lone.runs() == ()
    assert follower()[0].runs() == ()


def test_a_tile_on_its_way_is_not_told_from_one_that_is_drawn_over() -> None:
    """0.15 seconds before and after: at 20 frames a second three."""
    one, _ = follower()
    for at in range(16):
        one.take(frame(at, (40 * at) % 240, rate=20.0), BOX, START, (3,) if at == 8 else ())
    assert one.runs() == ((3, 0, 15),)
    busy, _ = follower()
    for at in range(16):
        busy.take(frame(at, (40 * at) % 240, rate=20.0), BOX, START, (3,) if at in (3, 8, 12) else ())
    assert busy.runs() == ()


# --- what of a board is explained ---


def test_colours_beyond_what_is_close_by_are_left() -> None:
    """A pixel of 24 pixels' 0.025 is one; beyond by more than 0.15 of what changes there."""
    goal = np.zeros((48, 48, 3), np.float32)
    goal[:, 12:24, 0] = 1.0
    shown = goal.copy()
    shown[5, 11, 0] = 1.0  # beside the edge any mixture
    shown[9, 12, 0] = 1.1  # and 0.1 more
    shown[13, 12, 0] = 1.25
    shown[17, 10, 0] = 0.5
    shown[21, 30, 0] = -0.2
    left = _beyond(shown, goal, 24, 2, RULES)[..., 0]
    assert (left[5, 11], left[9, 12]) == (0.0, 0.0)
    assert left[13, 12] == pytest.approx(0.1)
    assert left[17, 10] == pytest.approx(0.5)
    assert left[21, 30] == pytest.approx(-0.2)
    # Neighbours in another cell say nothing.
    assert _beyond(np.roll(goal, 1, axis=1), goal, 24, 2, RULES)[5, 24, 0] == pytest.approx(1.0)
    inner = _inner(2, 24, 2)
    assert inner[:24, :24].sum() == 20 * 20
    assert inner[24:, 24:].sum() == 20 * 20


def test_tiles_may_have_another_tone() -> None:
    """Each channel may be stronger by up to 1.3, and lighter by any level."""
    dice = np.random.default_rng(0)
    goal = dice.normal(120, 30, (48, 48, 3)).astype(np.float32)
    weight = np.ones((48, 48))
    for gain, left in ((1.2, 0.02), (1 / 1.2, 0.02)):
        shown = 90 + gain * (goal - 120)
        assert np.abs(_toned(shown.astype(np.float32), goal, weight, 2, RULES.most_gain) - goal).mean() < 30 * left
    weak = _toned((120 + 0.5 * (goal - 120)).astype(np.float32), goal, weight, 2, RULES.most_gain)
    assert weak[:24, :24].std() == pytest.approx(0.65 * goal[:24, :24].std(), rel=0.03)


def test_colours_may_be_bent_together() -> None:
    dice = np.random.default_rng(0)
    goal = dice.uniform(20, 230, (48, 48, 3)).astype(np.float32)
    level = goal / 127.5 - 1
    shown = goal + 20 * level**2 - 10
    bent = _bent(shown, goal, np.ones((48, 48)), RULES)
    assert np.abs(bent - goal).mean() < 0.3 * np.abs(shown - goal).mean()
    assert _terms(np.full((1, 1, 3), 255, np.float32)).ravel().tolist() == [1.0] * 10


def test_nothing_is_drawn_on_the_puzzle_and_a_spot_is() -> None:
    finder = TileRemainderFinder(PICTURE, 3, MODEL.blank, TILE_CONFIG)
    box = TileBox(0, 0, 72, 72)
    assert finder.find(PICTURE, box, START) == ()
    marked = PICTURE.copy()
    marked[60:66, 36:42] = 255
    first = finder.find(marked, box, START)[0]
    assert first.cell == 7
    assert first.plainness > 1.3
    assert finder.find(marked, box, START, (7,)) == ()
