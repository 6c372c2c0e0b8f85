"""How the blocks of a clip change: moves, jumps and fades, between stillnesses that are told from its own noise."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from detectors.common.changes import BlockConfig, ChangeKind, see_clip
from grader.media.frames import Frame

CONFIG = BlockConfig()
FPS = 20.0
GREY = np.full((64, 64, 3), 120, np.uint8)
"""Four blocks of 32 pixels, each of which is looked at as it is."""


def boxed(left, top=4, side=20, level=220):
    """Grey with a box."""
    picture = GREY.copy()
    picture[top : top + side, left : left + side] = level
    return picture


def shown(*pictures, config=CONFIG):
    return see_clip([Frame(at, at / FPS, one) for at, one in enumerate(pictures)], config)


def told(clip):
    return [(one.block, one.kind, one.first_frame, one.last_frame) for one in clip.changes]


def mixed(one, other, share):
    return np.rint((1 - share) * one.astype(float) + share * other).astype(np.uint8)


def test_a_still_clip_does_not_change():
    clip = shown(*[GREY] * 5)
    assert (clip.changes, [one.index for one in clip.rests], clip.count) == ((), [0], 5)
    assert (clip.first.index, clip.last.index) == (0, 4)
    with pytest.raises(ValueError, match="at least one frame"):
        shown()


def test_what_is_there_from_one_frame_to_the_next_jumped():
    clip = shown(*[GREY] * 4, *[boxed(4)] * 4)
    assert told(clip) == [(0, ChangeKind.JUMPED, 3, 4)]
    assert (clip.changes[0].first_time_s, clip.changes[0].last_time_s) == (3 / FPS, 4 / FPS)
    # Of each stillness the first frame is kept.
    assert [one.index for one in clip.rests] == [0, 4]


def test_what_is_seen_on_its_way_moved():
    """A box of 20 pixels goes from column 4 to 40: from column 16 on it is in the right block, from 34 on it alone."""
    way = [boxed(left) for left in (10, 16, 22, 28, 34)]
    clip = shown(*[boxed(4)] * 4, *way, *[boxed(40)] * 4)
    assert told(clip) == [(0, ChangeKind.MOVED, 3, 8), (1, ChangeKind.MOVED, 4, 9)]


def test_blocks_are_counted_along_rows():
    for block, (left, top) in enumerate(((4, 4), (40, 4), (4, 40), (40, 40))):
        assert [one[0] for one in told(shown(*[GREY] * 4, *[boxed(left, top)] * 4))] == [block]


def test_mixtures_make_a_fade_however_long():
    end = boxed(4)
    quick = [mixed(GREY, end, share) for share in (0.3, 0.7)]
    slow = [mixed(GREY, end, at / 100) for at in range(1, 100)]
    assert [one[1] for one in told(shown(*[GREY] * 4, *quick, *[end] * 4))] == [ChangeKind.FADED]
    # From frame to frame too little changes to be seen, but the ends of that stillness differ.
    assert [one[1] for one in told(shown(*[GREY] * 4, *slow, *[end] * 4))] == [ChangeKind.FADED]


def test_light_alone_that_changes_slowly_is_no_fade():
    scene = boxed(4)
    dimmed = [np.rint(scene * (1 - 0.003 * at)).astype(np.uint8) for at in range(100)]
    assert told(shown(*dimmed)) == []


def test_what_takes_no_longer_than_a_jump_is_one():
    """One frame between two stillnesses at 20 a second: they are 0.1 s apart, at 40 a second 0.05 s."""
    frames = [*[GREY] * 8, boxed(1, side=28, level=20), *[boxed(4)] * 8]

    def kind(rate):
        return see_clip([Frame(at, at / rate, one) for at, one in enumerate(frames)], CONFIG).changes[0].kind

    assert (kind(20.0), kind(40.0)) == (ChangeKind.MOVED, ChangeKind.JUMPED)


def test_a_stillness_lasts_a_tenth_of_a_second_but_at_the_ends():
    """A box that rests at 0.1 s or not: with a rest between, two moves are told, else one."""
    way, back = [boxed(left, side=12) for left in (6, 9)], [boxed(left, side=12) for left in (15, 18)]

    def count(rest):
        frames = [*[boxed(3, side=12)] * 4, *way, *[boxed(12, side=12)] * rest, *back, *[boxed(20, side=12)] * 4]
        return len(shown(*frames).changes)

    assert (count(2), count(3)) == (1, 2)  # 0.05 s and 0.1 s
    # A single frame at an end is a stillness too: before it, or after it, nothing else was.
    assert told(shown(GREY, *[boxed(4)] * 4)) == [(0, ChangeKind.JUMPED, 0, 1)]
    assert told(shown(*[GREY] * 4, boxed(4))) == [(0, ChangeKind.JUMPED, 3, 4)]


def test_a_change_is_six_levels_in_the_mean_or_a_part_that_differs():
    # Of 32 x 32 pixels, all lighter by 5 or by 7 levels.
    assert told(shown(*[GREY] * 4, *[GREY + np.uint8(5)] * 4)) == []
    assert len(told(shown(*[GREY] * 4, *[GREY + np.uint8(7)] * 4))) == 4
    # A box of 8 pixels, 64 of 1024, by 80 levels: 5 in the mean, but 80 where it is; by 20 neither.
    assert len(told(shown(*[GREY] * 4, *[boxed(8, 8, 8, 200)] * 4))) == 1
    assert told(shown(*[GREY] * 4, *[boxed(8, 8, 8, 140)] * 4)) == []


def test_noise_is_no_change_and_hides_none():
    dice = np.random.default_rng(1)

    def noisy(picture, by):
        return np.clip(picture + dice.normal(0, by, picture.shape), 0, 255).round().astype(np.uint8)

    # Two frames of noise of 2 levels differ by 2 x 2 / sqrt(pi) = 2.3 in the mean, more than 1.5.
    quiet = [noisy(GREY, 2) for _ in range(8)]
    assert told(shown(*quiet)) == []
    jumped = [*quiet, *[noisy(boxed(4), 2) for _ in range(8)]]
    assert told(shown(*jumped)) == [(0, ChangeKind.JUMPED, 7, 8)]
    # Where that noise counts as change, only the first and the last frame are still, and all between is one of both.
    strict = replace(CONFIG, most_still=1.5)
    assert told(shown(*jumped, config=strict)) == [(0, ChangeKind.FADED, 0, 15)]


def test_rests_between_changes_are_kept_up_to_a_number():
    frames = [GREY] * 3
    for left in (2, 8, 2, 8):
        frames += [boxed(left)] * 3
    clip = shown(*frames)
    assert [one.index for one in clip.rests] == [0, 3, 6, 9, 12]
    assert [one.index for one in shown(*frames, config=replace(CONFIG, most_kept=2)).rests] == [9, 12]


def test_thin_things_that_move_count_where_parts_are_looked_at():
    """A bar of 2 x 8 pixels moves by 3: 16 x 2 pixels of 1024 by 100 levels are 3.1 in the mean, less than 3.5."""
    bars = []
    for at in range(4, 22, 3):
        picture = GREY.copy()
        picture[8:16, at : at + 2] = 220
        bars.append(picture)
    frames = [*[bars[0]] * 4, *bars, *[bars[-1]] * 4]
    by_parts = replace(CONFIG, by_parts=True)
    assert [one[1] for one in told(shown(*frames, config=by_parts))] == [ChangeKind.MOVED]
