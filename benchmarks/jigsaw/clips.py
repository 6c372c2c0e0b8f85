"""Clips of pieces that are put together, right ones and wrong ones: frames of known truth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import cv2
import numpy as np

from benchmarks.jigsaw.faults import Pixels, Quarters
from detectors.jigsaw.pieces import lay_pieces
from grader.media.frames import Frame
from grader.model.jobs import VideoPolicy
from grader.tasks.common.judgement import Judgement
from grader.tasks.jigsaw.puzzle import JigsawPuzzle
from grader.tasks.jigsaw.rollouts import judge_jigsaw_frames
from grader.tasks.jigsaw.settings import JigsawSettings
from puzzles.jigsaw.cuts import HALVES
from puzzles.jigsaw.kinds import QuestionKind
from puzzles.jigsaw.rendered import render_landscape

FPS = 16.0
SIZE = (256, 192)
RIGHT = "right"
_REST, _WAY = 6, 10
"""Frames for which nothing moves, and of one move."""


def _paint(quarters: Quarters, laid: Sequence[int], ground: int) -> Pixels:
    height, width = quarters[0].shape[:2]
    made = np.full((2 * height, 2 * width, 3), ground, np.uint8)
    for place, piece in enumerate(laid):
        if piece >= 0:
            row, column = divmod(place, 2)
            made[row * height : (row + 1) * height, column * width : (column + 1) * width] = quarters[piece]
    return made


def _exchange(quarters: Quarters, laid: list[int], one: int, other: int, ground: int) -> list[Pixels]:
    """Two pieces on their ways into each other's place, one over the other."""
    height, width = quarters[0].shape[:2]
    still = [-1 if place in (one, other) else piece for place, piece in enumerate(laid)]
    frames = []
    for step in range(1, _WAY):
        share = step / _WAY
        made = _paint(quarters, still, ground)
        for start, end in ((one, other), (other, one)):
            if laid[start] < 0:
                continue
            top = round(height * ((1 - share) * (start // 2) + share * (end // 2)))
            left = round(width * ((1 - share) * (start % 2) + share * (end % 2)))
            made[top : top + height, left : left + width] = quarters[laid[start]]
        frames.append(made)
    laid[one], laid[other] = laid[other], laid[one]
    return frames


def _enter(quarters: Quarters, laid: list[int], place: int, piece: int, ground: int) -> list[Pixels]:
    """A piece that comes in from the side into an empty place."""
    height, width = quarters[0].shape[:2]
    row, column = divmod(place, 2)
    frames = []
    for step in range(1, _WAY):
        share = step / _WAY
        made = _paint(quarters, laid, ground)
        left = round((column * width) * share + (2 * width if column else -width) * (1 - share))
        first, last = max(0, left), min(2 * width, left + width)
        if last > first:
            made[row * height : (row + 1) * height, first:last] = quarters[piece][:, first - left : last - left]
        frames.append(made)
    laid[place] = piece
    return frames


def sorted_by_exchanges(quarters: Quarters, start: Sequence[int], ground: int) -> list[Pixels]:
    """Pieces exchanged, two by two, until all lie in their places."""
    laid = list(start)
    frames = [_paint(quarters, laid, ground)] * _REST
    for place in range(4):
        if laid[place] != place:
            frames += _exchange(quarters, laid, laid.index(place), place, ground)
            frames += [_paint(quarters, laid, ground)] * _REST
    return frames


def brought_in(quarters: Quarters, start: Sequence[int], ground: int) -> list[Pixels]:
    """Pieces that come in from the sides, one after the other."""
    laid = [-1] * 4
    frames = [_paint(quarters, laid, ground)] * _REST
    for place in start:
        frames += _enter(quarters, laid, place, place, ground)
        frames += [_paint(quarters, laid, ground)] * _REST
    return frames


def _jump(frames: list[Pixels], _quarters: Quarters, dice: np.random.Generator) -> list[Pixels]:
    """The answer in one frame."""
    return [frames[0]] * int(dice.integers(8, 20)) + [frames[-1]] * int(dice.integers(8, 20))


def _fade(frames: list[Pixels], _quarters: Quarters, dice: np.random.Generator) -> list[Pixels]:
    """The answer by a fade."""
    count = int(dice.integers(5, 30))
    mixed = [
        np.asarray(cv2.addWeighted(frames[0], 1 - step / count, frames[-1], step / count, 0), np.uint8)
        for step in range(1, count)
    ]
    return [frames[0]] * _REST + mixed + [frames[-1]] * _REST


def _still(frames: list[Pixels], _quarters: Quarters, _dice: np.random.Generator) -> list[Pixels]:
    """The finished picture alone."""
    return [frames[-1]] * 24


def _unmoved(frames: list[Pixels], _quarters: Quarters, _dice: np.random.Generator) -> list[Pixels]:
    """Nothing happens."""
    return [frames[0]] * 24


def _stopped(frames: list[Pixels], _quarters: Quarters, _dice: np.random.Generator) -> list[Pixels]:
    """The last move is not made."""
    return [*frames[: -(_WAY + _REST)], *[frames[-(_WAY + _REST)]] * _REST]


def _undone(frames: list[Pixels], _quarters: Quarters, _dice: np.random.Generator) -> list[Pixels]:
    """All is taken back at the end."""
    return frames + frames[::-1]


def _painted(frames: list[Pixels], quarters: Quarters, dice: np.random.Generator) -> list[Pixels]:
    """Something is painted on a piece on the way."""
    height, width = quarters[0].shape[:2]
    place = (int(width * dice.uniform(0.3, 1.7)), int(height * dice.uniform(0.3, 1.7)))
    colour = tuple(map(float, dice.choice([20, 235], 3)))
    kept = len(frames) // 2
    late = [np.asarray(cv2.circle(one.copy(), place, height // 7, colour, -1), np.uint8) for one in frames[kept:]]
    return frames[:kept] + late


def _one_jumps(frames: list[Pixels], _quarters: Quarters, _dice: np.random.Generator) -> list[Pixels]:
    """The last move in one frame."""
    return frames[: -(_WAY + _REST) + 1] + frames[-_REST:]


def _one_fades(frames: list[Pixels], quarters: Quarters, dice: np.random.Generator) -> list[Pixels]:
    """The last move as a fade."""
    return frames[: -(_WAY + _REST)] + _fade([frames[-(_WAY + _REST)], frames[-1]], quarters, dice)


ClipFault = Callable[[list[Pixels], Quarters, np.random.Generator], list[Pixels]]
CLIP_FAULTS: dict[str, ClipFault] = {
    one.__name__.lstrip("_"): one
    for one in (_jump, _fade, _still, _unmoved, _stopped, _undone, _painted, _one_jumps, _one_fades)
}
RIGHT_CLIPS = {one.__name__: one for one in (sorted_by_exchanges, brought_in)}


def as_frames(pictures: Sequence[Pixels], dice: np.random.Generator, noise: float) -> list[Frame]:
    """Pictures as the frames of a clip, with noise of its own on each."""
    made = []
    for index, picture in enumerate(pictures):
        noisy = np.clip(picture + dice.normal(0, noise, picture.shape), 0, 255).astype(np.uint8) if noise else picture
        made.append(Frame(index, index / FPS, noisy))
    return made


def grade_clips(count: int, seed: int) -> int:
    """Prints how many clips of each kind end as they should, and returns how many wrong ones pass."""
    ended: Counter[tuple[str, str]] = Counter()
    passed, failed = 0, 0
    for number in range(count):
        fault, verdict = verdict_on_clip(number, seed)
        code = verdict.reasons[0].code if verdict.reasons else "PASS"
        ended[fault, code] += 1
        if (code == "PASS") != (fault == RIGHT):
            passed, failed = passed + (code == "PASS"), failed + (code != "PASS")
            print(f"clip {number}: {fault}: {code}", flush=True)
    for (fault, code), many in sorted(ended.items()):
        print(f"{fault:12} {code} {many}")
    share = 1 - (passed + failed) / count
    print(f"{count} clips: {100 * share:.2f} % right, {passed} false passes, {failed} false fails")
    return passed


def verdict_on_clip(number: int, seed: int) -> tuple[str, Judgement]:
    """What is wrong with a clip, a third of them right, and what is said of it. Pieces are given in a drawn order."""
    dice = np.random.default_rng([seed, number])
    quarters = [np.ascontiguousarray(one) for one in HALVES.cut(render_landscape(seed * 100_000 + number, SIZE))]
    given = [0, 1, 2, 3]
    while given == sorted(given):
        given = [int(one) for one in dice.permutation(4)]
    order = tuple(given.index(place) + 1 for place in range(4))
    settings = JigsawSettings()
    laid = lay_pieces([quarters[one] for one in given], settings.assembly)
    puzzle = JigsawPuzzle(QuestionKind.ORDER_GENERATION, {}, order, laid, (SIZE[0] // 2, SIZE[1] // 2))
    kind = list(RIGHT_CLIPS)[number % len(RIGHT_CLIPS)]
    pictures = RIGHT_CLIPS[kind](quarters, given, int(dice.choice([0, 128, 255])))
    fault = RIGHT if number % 3 == 0 else list(CLIP_FAULTS)[int(dice.integers(len(CLIP_FAULTS)))]
    if fault != RIGHT:
        pictures = CLIP_FAULTS[fault](pictures, quarters, dice)
    frames = as_frames(pictures, dice, float(dice.choice([0, 3, 6])))
    return fault, judge_jigsaw_frames(puzzle, frames, settings, VideoPolicy.FINAL_FRAME)
