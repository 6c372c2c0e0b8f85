"""Candidates of a few pixels, or of hardly any width, end in an ordinary verdict, drawn or not."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

import grader
from benchmarks.hinge_folding.subjects import ChainSubject
from grader.drawing.canvas import MOST_PIXELS
from grader.model.verdict import Outcome, Overlay, Verdict
from puzzles.hinge_folding.style import HingeStyle
from puzzles.maze.geometry import Geometry
from tests.samples.puzzles import board_sample, maze_sample


def halves(height: int, width: int) -> np.ndarray:
    """Black, then white, along the longer side."""
    picture = np.zeros((height, width, 3), np.uint8)
    if height >= width:
        picture[height // 2 :] = 255
    else:
        picture[:, width // 2 :] = 255
    return picture


def clip(*pictures: np.ndarray) -> bytes:
    """An animated PNG, which may be of any shape."""
    stream = io.BytesIO()
    first, *rest = map(Image.fromarray, pictures)
    first.save(stream, "PNG", save_all=True, append_images=rest, duration=100)
    return stream.getvalue()


def is_failed(verdict: Verdict) -> bool:
    assert isinstance(verdict.overlay, Overlay)
    assert verdict.overlay.width_px * verdict.overlay.height_px <= MOST_PIXELS
    return verdict.outcome is Outcome.FAIL and verdict.reward == 0.0


@pytest.mark.parametrize("shape", [(2, 1), (3, 3), (500, 2), (1, 5000)])
def test_boards(shape: tuple[int, int]) -> None:
    task = board_sample().task
    verdict = grader.grade(task, halves(*shape), overlay=True)
    assert is_failed(verdict)
    assert verdict.codes[0] == "NOT_THE_PUZZLE"


@pytest.mark.parametrize("shape", [(2, 1), (5000, 1)])
def test_chains(shape: tuple[int, int]) -> None:
    assert is_failed(grader.grade(ChainSubject(3, 4, HingeStyle(), 320).task, halves(*shape), overlay=True))


def test_a_clip_of_frames_one_pixel_wide_is_drawn_on_a_sheet_of_ordinary_size() -> None:
    """Drawn as wide as a place on the sheet, 588 pixels, such a frame would be 294,000 pixels high."""
    thin = halves(500, 1)
    task = maze_sample(Geometry.SQUARE).task
    made = clip(thin, 255 - thin, thin)
    drawn = grader.grade(task, made, overlay=True, annotated_video=True)
    assert is_failed(drawn)
    assert drawn.annotated_video is not None
    assert (drawn.annotated_video.width_px, drawn.annotated_video.height_px) == (2, 500)
    plain = grader.grade(task, made)
    assert (plain.outcome, plain.score, plain.reasons) == (drawn.outcome, drawn.score, drawn.reasons)
