"""Clips of chains that are folded, right ones and wrong ones, as files of known truth."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

import cv2
import numpy as np

import grader
from benchmarks.accuracy.seeds import dice_of
from benchmarks.hinge_folding.faults import whole
from benchmarks.hinge_folding.subjects import ChainSubject, chain_subject
from grader import Verdict, VideoCandidate
from grader.media.encoding import encode_mp4
from puzzles.common.easing import Easing
from puzzles.common.raster import Picture
from puzzles.hinge_folding.motion import HINGE_PACE, clip_frames, plan_swings

RIGHT = "right"
FPS = 24.0
_REST = 10
"""Frames for which nothing moves."""

Clip = list[Picture]
ClipFault = Callable[[ChainSubject, Clip, np.random.Generator], Clip | None]
"""What makes a clip wrong: the chain, the right clip, dice."""


def folding(one: ChainSubject, dice: np.random.Generator, fps: float = FPS) -> Clip:
    """A chain that is folded, at some pace, its hinges in some order, by way of either side."""
    turns = [(place, math.radians(angle)) for place, (_, angle) in enumerate(one.puzzle.turns)]
    if dice.random() < 0.3:
        turns = [turns[int(at)] for at in dice.permutation(len(turns))]
    easing = list(Easing)[int(dice.integers(3))]
    pace = replace(HINGE_PACE, speed=float(dice.uniform(2, 4)), pause_s=float(dice.choice([0.0, 0.25])), easing=easing)
    timeline = plan_swings(one.level, turns, pace)
    return list(clip_frames(one.puzzle.shapes, timeline, one.colors, one.style, one.size, fps))


def jump(_one: ChainSubject, clip: Clip, dice: np.random.Generator) -> Clip:
    """The answer in one frame."""
    return [clip[0]] * int(dice.integers(8, 20)) + [clip[-1]] * int(dice.integers(8, 20))


def last_jumps(one: ChainSubject, clip: Clip, _dice: np.random.Generator) -> Clip:
    """The first hinges are turned, and the last one jumps."""
    turns = [(place, math.radians(angle)) for place, (_, angle) in enumerate(one.puzzle.turns)]
    timeline = plan_swings(one.level, turns[:-1])
    shown = clip_frames(one.puzzle.shapes, timeline, one.colors, one.style, one.size, FPS)
    return [*shown, *[clip[-1]] * _REST]


def fade(_one: ChainSubject, clip: Clip, dice: np.random.Generator) -> Clip:
    """The answer by a fade."""
    return [clip[0]] * _REST + _mixed(clip[0], clip[-1], int(dice.integers(5, 30))) + [clip[-1]] * _REST


def last_fades(one: ChainSubject, clip: Clip, dice: np.random.Generator) -> Clip:
    """The first hinges are turned, and the last one by a fade."""
    shown = last_jumps(one, clip, dice)
    return [*shown[:-_REST], *_mixed(shown[-_REST - 1], clip[-1], int(dice.integers(5, 30))), *shown[-_REST:]]


def answer_alone(_one: ChainSubject, clip: Clip, _dice: np.random.Generator) -> Clip:
    """The folded chain from the first frame on."""
    return [clip[-1]] * 24


def start_alone(_one: ChainSubject, clip: Clip, _dice: np.random.Generator) -> Clip:
    """Nothing happens."""
    return [clip[0]] * 24


def ends_early(_one: ChainSubject, clip: Clip, dice: np.random.Generator) -> Clip:
    """Before the last hinge has been turned."""
    return clip[: int(len(clip) * dice.uniform(0.2, 0.6))]


def undone(_one: ChainSubject, clip: Clip, _dice: np.random.Generator) -> Clip:
    """All is turned back at the end."""
    return clip + clip[::-1]


def starts_late(_one: ChainSubject, clip: Clip, _dice: np.random.Generator) -> Clip | None:
    """From a chain that is half folded."""
    return clip[len(clip) // 2 :]


def added(one: ChainSubject, clip: Clip, dice: np.random.Generator) -> Clip | None:
    """Something is drawn in on the way, and stays."""
    return _late(one, clip, dice, len(clip))


def added_for_a_time(one: ChainSubject, clip: Clip, dice: np.random.Generator) -> Clip | None:
    """Something is drawn in on the way, and taken off."""
    return _late(one, clip, dice, len(clip) - _REST // 2)


def another_chain(one: ChainSubject, clip: Clip, dice: np.random.Generator) -> Clip:
    """The first half of another puzzle's clip, and then this one's."""
    other = chain_subject(one.level, one.seed + 7)
    return folding(replace(other, side=one.side), dice) + clip[-_REST:]


def _late(one: ChainSubject, clip: Clip, dice: np.random.Generator, until: int) -> Clip | None:
    """A disc that is painted onto the ground near the first piece, from the first rest on."""
    unit = one.frame.unit_px
    for _ in range(20):
        angle, radius = dice.uniform(0, 2 * math.pi), 0.22 * unit
        away = dice.uniform(0.8, 1.8) * unit
        x, y = one.frame.x_px + away * math.cos(angle), one.frame.y_px + away * math.sin(angle)
        ground = np.abs(clip[0].astype(int) - one.style.ground).max(axis=2) < 40
        ground &= np.abs(clip[-1].astype(int) - one.style.ground).max(axis=2) < 40
        disc = cv2.circle(np.zeros(ground.shape, np.uint8), (int(x), int(y)), int(1.3 * radius), 1, -1) > 0
        if ground[disc].all():
            color = tuple(float(255 - channel) for channel in one.style.ground)
            return [
                np.asarray(cv2.circle(frame.copy(), (int(x), int(y)), int(radius), color, -1), np.uint8)
                if _REST // 2 <= number < until else frame
                for number, frame in enumerate(clip)
            ]  # fmt: skip
    return None


def _mixed(one: Picture, other: Picture, count: int) -> Clip:
    shares = (step / count for step in range(1, count))
    return [np.asarray(cv2.addWeighted(one, 1 - share, other, share, 0), np.uint8) for share in shares]


CLIP_FAULTS: dict[str, ClipFault] = {
    one.__name__: one
    for one in (
        jump, last_jumps, fade, last_fades, answer_alone, start_alone, ends_early, undone, starts_late, added,
        added_for_a_time, another_chain,
    )
}  # fmt: skip


def clip_of(number: int, seed: int, kinds: Sequence[str] = tuple(CLIP_FAULTS)) -> tuple[ChainSubject, str, bytes]:
    """A clip by its number, half of them right: the chain, what is wrong, and the file."""
    dice = dice_of(f"hinge_clips/{seed}/{number}")
    fault = RIGHT if number % 2 == 0 else kinds[number // 2 % len(kinds)]
    for attempt in range(20):
        one = replace(chain_subject(1 + number // 2 % 5, seed * 100_000 + number + 50_000_000 * attempt), side=384)
        clip: Clip | None = folding(one, dice)
        if fault != RIGHT and clip is not None:
            clip = CLIP_FAULTS[fault](one, clip, dice)
        if clip is None:
            continue
        if dice.random() < 0.3:
            clip = [whole(one, frame) for frame in clip]
        sigma = float(dice.choice([0, 0, 3]))
        if sigma:
            clip = [np.clip(frame + dice.normal(0, sigma, frame.shape), 0, 255).astype(np.uint8) for frame in clip]
        return one, fault, encode_mp4(clip, FPS, crf=int(dice.choice([18, 23, 30])))
    raise RuntimeError(f"no chain has a place for {fault}")


def verdict_on_clip(number: int, seed: int) -> tuple[str, Verdict]:
    """What is wrong with a clip, and what is said of it."""
    one, fault, data = clip_of(number, seed)
    return fault, grader.grade(one.task, VideoCandidate(data))


def grade_clips(first: int, count: int, seed: int) -> int:
    """Prints how many clips of each kind end as they should, and returns how many wrong ones pass."""
    ended: Counter[tuple[str, str]] = Counter()
    passed, failed = 0, 0
    for number in range(first, first + count):
        fault, verdict = verdict_on_clip(number, seed)
        code = verdict.reasons[0].code if verdict.reasons else "PASS"
        ended[fault, code] += 1
        if (code == "PASS") != (fault == RIGHT):
            passed, failed = passed + (code == "PASS"), failed + (code != "PASS")
            said = "; ".join(f"{one.code} {one.message}" for one in verdict.reasons)
            print(f"clip {number}: {fault}: {said}", flush=True)
    for (fault, code), many in sorted(ended.items()):
        print(f"{fault:17} {code} {many}")
    share = 1 - (passed + failed) / count
    print(f"{count} clips: {100 * share:.2f} % right, {passed} false passes, {failed} false fails")
    return passed
