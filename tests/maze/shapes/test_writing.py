"""Words are told from bars by what comes and goes along them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from detectors.maze.shapes.writing import WritingConfig, is_written

CONFIG = WritingConfig()
SHAPE = (40, 80)


def word(text: str) -> NDArray[np.float32]:
    drawn = np.zeros(SHAPE, np.uint8)
    cv2.putText(drawn, text, (5, 28), cv2.FONT_HERSHEY_SIMPLEX, 0.6, 200, 1, cv2.LINE_AA)
    return np.asarray(drawn / 255, np.float32)


def bar(upright: bool) -> NDArray[np.float32]:
    drawn = np.zeros(SHAPE, np.float32)
    drawn[slice(5, 35) if upright else slice(18, 24), slice(30, 36) if upright else slice(20, 60)] = 0.8
    return drawn


def told(drawn: NDArray[np.float32], config: WritingConfig = CONFIG) -> bool:
    return is_written(drawn, np.ones(SHAPE, np.bool_), config)


@pytest.mark.parametrize("text", ["START", "GOAL", "END"])
def test_words_are_writing(text: str) -> None:
    assert told(word(text))
    # From top to bottom too.
    assert is_written(word(text).T.copy(), np.ones(SHAPE[::-1], np.bool_), CONFIG)


@pytest.mark.parametrize("upright", [True, False])
def test_bars_are_none(upright: bool) -> None:
    assert not told(bar(upright))
    # Nor with the grain of a photograph.
    noise = np.random.default_rng(3).normal(0.0, 0.05, SHAPE).astype(np.float32)
    assert not told(np.where(bar(upright) > 0, bar(upright) + noise, np.float32(0.0)))


def test_so_many_strokes_are_asked_for() -> None:
    """Three uprights with gaps are three strokes, four are four."""
    for count, written in ((3, False), (4, True)):
        drawn = np.zeros(SHAPE, np.float32)
        for number in range(count):
            drawn[15:25, 10 + 8 * number : 12 + 8 * number] = 0.8
        assert told(drawn) is written
    # 0.7 between strokes of 0.8 are 0.875 of them, which is no gap, and 0.5 are 0.625.
    for between, written in ((0.7, False), (0.5, True)):
        drawn = np.zeros(SHAPE, np.float32)
        drawn[15:25, 10:36] = between
        for number in range(4):
            drawn[15:25, 10 + 8 * number : 12 + 8 * number] = 0.8
        assert told(drawn) is written


def test_nothing_is_no_writing() -> None:
    assert not is_written(word("GOAL"), np.zeros(SHAPE, np.bool_), CONFIG)
    assert not told(np.zeros(SHAPE, np.float32))
