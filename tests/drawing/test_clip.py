"""The contact sheet of a clip, and how large anything is drawn."""

from __future__ import annotations

from itertools import cycle

import numpy as np
import pytest

from grader.drawing.canvas import MOST_PIXELS, VERMILION, Canvas, line, make_sheet, tag
from grader.drawing.clip import MOST_MOMENTS, contact_sheet
from grader.drawing.pair import Panel, draw_pair
from grader.drawing.strip import Strip, with_strip
from grader.model.verdict import Reason

REASONS = tuple(Reason(f"CODE_{place}", "word " * 60) for place in range(9))
STRIP = Strip((("score", "0.000"),) * 6, "praise", REASONS, (), "footer " * 40)
SHAPES = [(1, 1), (500, 1), (1, 500), (16384, 1), (1, 16384), (16384, 253), (253, 16384), (2036, 2036), (1920, 1080)]
"""(height, width); the largest have as many pixels as a clip's frame may have."""


def picture(shape: tuple[int, int]) -> Canvas:
    return np.full((*shape, 3), 200, np.uint8)


def size(drawn: Canvas) -> int:
    return drawn.shape[0] * drawn.shape[1]


# Shapes and how many frames there are take turns; the largest of both meet.
@pytest.mark.parametrize(("shape", "count"), list(zip(SHAPES, cycle([1, 4, MOST_MOMENTS, 2, 9]), strict=False)))
def test_a_contact_sheet_is_bounded_for_any_shape_of_frames(shape: tuple[int, int], count: int) -> None:
    sheet = contact_sheet([("0.00 s  start", picture(shape))] * count, STRIP)
    assert size(sheet) <= MOST_PIXELS
    assert sheet.shape[1] >= 1200


@pytest.mark.parametrize("shape", SHAPES)
def test_a_still_overlay_is_bounded_for_any_shape_of_picture(shape: tuple[int, int]) -> None:
    sheet = make_sheet(picture(shape), None, 20.0)
    assert 0 not in sheet.canvas.shape
    assert size(with_strip(sheet.canvas, STRIP)) <= MOST_PIXELS
    same = Panel("edited", picture(shape))
    pair, _ = draw_pair(same, same, before=same)
    assert size(with_strip(pair, STRIP)) <= MOST_PIXELS


@pytest.mark.parametrize(("shape", "shown"), [((600, 300), (1176, 588)), ((500, 1), (1323, 3)), ((1, 500), (1, 588))])
def test_frames_keep_their_shape_on_a_contact_sheet(shape: tuple[int, int], shown: tuple[int, int]) -> None:
    """In two columns a place is (1200 - 3 * 8) // 2 = 588 wide, and at most 2.25 * 588 = 1323 high."""
    sheet = contact_sheet([("", np.zeros((*shape, 3), np.uint8))], STRIP)
    # The pen of captions and the frame's rim are no darker than 25; the frame begins below 27 pixels of caption.
    rows, columns = np.nonzero((sheet[35:, :600] == 0).all(axis=2))
    assert (rows.max() - rows.min() + 1, columns.max() - columns.min() + 1) == shown


def test_lines_and_letters_are_bounded_on_frames_in_which_a_thing_is_huge() -> None:
    canvas = np.full((300, 300, 3), 255, np.uint8)
    line(canvas, np.array([[10.0, 10.0], [20.0, 10.0]]), VERMILION, 1e9)
    assert (canvas[10, 10] == VERMILION).all()
    assert (canvas[200, 200] == 255).all()
    tag(canvas, np.array([[150.0, 200.0]]), "A", VERMILION, 100_000)
    assert (canvas[280, 280] == 255).all()
