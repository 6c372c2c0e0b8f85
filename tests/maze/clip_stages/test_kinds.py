"""What kind of motion a clip shows: nothing, a marker, a marker that draws, a path."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from detectors.maze.clips.blobs import Travel
from detectors.maze.clips.config import KindConfig
from detectors.maze.clips.kind import MotionKind
from tests.maze.clip_stages.scenes import (
    BLUE,
    CONFIG,
    PLAN,
    X,
    kind,
    moving,
    painted,
    spot,
    strip,
)
from tests.maze.stages.plans import CELL, RED, middle


def test_nothing_moves():
    assert kind(PLAN.picture, PLAN.picture).kind is MotionKind.NOTHING
    assert kind(PLAN.picture, PLAN.picture).travel == Travel((), ())


def test_a_dot_that_moves_is_a_marker():
    seen = kind(PLAN.picture, *moving(10))
    assert (seen.kind, seen.has_trail) == (MotionKind.MOVING_MARKER, False)
    assert [one.index for one in seen.travel.spots] == list(range(1, 11))


def test_a_marker_moves_by_some_way():
    """0.8 of 32 pixels is 25.6."""
    frames = moving(33)
    assert kind(*frames[:26]).kind is MotionKind.GROWING_PATH
    assert kind(*frames[:27]).kind is MotionKind.MOVING_MARKER


def test_a_marker_with_a_trail_is_thicker_than_it():
    """1.35 times: a dot of 6 pixels' depth on a line of 3 rows, 2 deep; not one hardly wider than its line."""
    seen = kind(PLAN.picture, *moving(16, 5, 3))
    assert (seen.kind, seen.has_trail) == (MotionKind.MOVING_MARKER, True)
    assert kind(PLAN.picture, *moving(16, 2, 5)).kind is MotionKind.GROWING_PATH
    assert kind(PLAN.picture, *moving(16, 5, 3), config=replace(CONFIG, kind=KindConfig(thicker=4.0))).kind is (
        MotionKind.GROWING_PATH
    )


def beaded(pieces: int) -> np.ndarray:
    """A line that grows upwards by 12 pixels a piece: 5 of them 3 wide, 7 of them 5 wide, 3 deep in the middle."""
    foot = PLAN.picture.shape[0] - 6
    boxes = [
        np.s_[foot - 12 * at - low : foot - 12 * at - high : -1, X - half : X + half + 1]
        for at in range(pieces)
        for low, high, half in ((0, 5, 1), (5, 12, 2))
    ]
    return painted(BLUE, *boxes)


def test_a_line_that_is_as_wide_elsewhere_has_no_marker_at_its_tip():
    """3 of 12 pixels of its middle line are 3 deep, more than a tenth, and 1.35 times 2 is 2.7: the top is no dot."""
    frames = [PLAN.picture, *[beaded(pieces) for pieces in range(1, 6)]]
    assert kind(*frames).kind is MotionKind.GROWING_PATH
    anyway = replace(CONFIG, kind=KindConfig(widest=0.0))
    assert kind(*frames, config=anyway).kind is MotionKind.MOVING_MARKER


def test_a_marker_apart_from_a_line_that_grows_may_be_as_narrow_as_it():
    """The line grows to the right in cells 5 and 6, a dot as wide as it goes up through the wall between 4 and 1."""
    (left, y), (x, from_y), (_, to_y) = middle(5, 3), middle(4, 3), middle(1, 3)
    frames = []
    for share in np.linspace(0.0, 1.0, 20):
        line = painted(BLUE, np.s_[y - 3 : y + 4, left : left + 4 + round(float(share) * CELL)])
        frames.append(spot(x, round(from_y + float(share) * (to_y - from_y)), 4, on=line))
    seen = kind(PLAN.picture, *frames)
    assert seen.kind is MotionKind.GROWING_PATH
    (piece,) = seen.beside
    assert all(one.blob.x == pytest.approx(x, abs=1) for one in piece)
    # A line alone has no marker beside it, nor has one whose wider marker is asked for.
    assert kind(PLAN.picture, *[strip(columns) for columns in range(2, 26, 2)]).beside == ()
    wide = replace(CONFIG, kind=KindConfig(narrow=2.0, thicker=2.0))
    assert kind(PLAN.picture, *frames, config=wide).beside == ()


def test_a_line_alone_is_a_path():
    frames = [strip(columns) for columns in range(2, 26, 2)]
    assert kind(PLAN.picture, *frames).kind is MotionKind.GROWING_PATH


def test_a_marker_that_comes_from_one_of_its_colour_lay_on_it():
    """The cross at cell 4 is red; a red dot first seen 12 pixels from its middle, less than half a cell, lay there."""
    x, y = middle(4, 3)
    frames = [PLAN.picture, PLAN.picture, *[spot(x + 12 + 2 * number, y, 5, RED) for number in range(20)]]
    seen = kind(*frames)
    assert seen.kind is MotionKind.MOVING_MARKER
    first = seen.travel.spots[0]
    assert (first.index, first.blob.x, first.blob.y) == (1, pytest.approx(x, abs=1), pytest.approx(y, abs=1))
    blue = [PLAN.picture, PLAN.picture, *[spot(x + 12 + 2 * number, y, 5, BLUE) for number in range(20)]]
    assert kind(*blue).travel.spots[0].index == 2
    near = replace(CONFIG, kind=KindConfig(hides=0.1, hides_steps=1.0))
    assert kind(*frames, config=near).travel.spots[0].index == 2
    back = kind(*frames[2:][::-1], PLAN.picture, PLAN.picture)
    assert (back.travel.spots[-1].index, back.travel.spots[-1].blob.x) == (20, pytest.approx(x, abs=1))
