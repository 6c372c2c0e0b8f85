"""Overlays of pairs: two pictures side by side, the mask's rim, and a map of where they differ."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from google.protobuf import json_format

from grader.contract.requests import job_from_proto
from grader.drawing.canvas import BLUE, GREEN, INK, PAPER, PURPLE, VERMILION
from grader.drawing.pair import Panel, draw_pair, levels_apart
from grader.drawing.strip import Strip, with_strip
from grader.engine.engine import Engine
from grader.model.verdict import Outcome
from grader.serving.work import inline_only
from grader.v1 import service_pb2
from tests.samples.edits import BEFORE, HEIGHT, WIDTH, PlainMeasures, edit, graded, png, scenery

GAP, HEAD, SIDE = 16, 40, 640
GREY = np.full((32, 32, 3), 128, np.uint8)


def panel(drawn, place, columns, size=(SIDE, SIDE)):
    """The picture of a panel, by its place in rows of so many."""
    row, column = divmod(place, columns)
    left, top = GAP + column * (size[0] + GAP), HEAD + row * (size[1] + HEAD + GAP)
    return drawn[top : top + size[1], left : left + size[0]]


def near(canvas, color):
    """Which pixels have a colour, but for the smoothing of lines."""
    return np.abs(canvas.astype(int) - color).max(axis=-1) < 12


def decoded(overlay):
    return cv2.imdecode(np.frombuffer(overlay.png, np.uint8), cv2.IMREAD_COLOR)[..., ::-1]


def test_levels_apart_are_those_of_the_channel_that_differs_most():
    first, second = np.zeros((2, 1, 2, 3), np.uint8)
    first[0, 0], second[0, 0] = (10, 200, 7), (12, 190, 7)
    second[0, 1] = (0, 0, 255)
    assert levels_apart(first, second).tolist() == [[10, 255]]
    assert levels_apart(second, first).tolist() == [[10, 255]]


def test_each_pixel_of_a_small_picture_is_a_square():
    """32 pixels are drawn 20 times as large; those of (5, 7) differ by all 255 levels."""
    candidate, reference = GREY.copy(), GREY.copy()
    candidate[7, 5], reference[7, 5] = 255, 0
    drawn, entries = draw_pair(Panel("a", candidate), Panel("b", reference))
    left, right, apart = (panel(drawn, place, 3) for place in range(3))
    inner = slice(1, -1)  # but for the frame
    assert np.array_equal(left[inner, inner], np.repeat(np.repeat(candidate, 20, 0), 20, 1)[inner, inner])
    assert np.array_equal(right[inner, inner], np.repeat(np.repeat(reference, 20, 0), 20, 1)[inner, inner])
    expected = np.full((SIDE, SIDE), False)
    expected[140:160, 100:120] = True
    assert (apart[expected] == INK).all()
    # A square of 20 x 20; and the frame, a pixel wide.
    assert (apart == PAPER).all(axis=2).sum() == SIDE**2 - 20 * 20 - (4 * SIDE - 4)
    assert len(entries) == 1


def test_a_larger_difference_is_darker():
    candidate = GREY.copy()
    candidate[0] += np.arange(0, 128, 4, dtype=np.uint8)[:, None]
    apart = panel(draw_pair(Panel("a", candidate), Panel("b", GREY))[0], 2, 3)
    shades = apart[10, 10::20].astype(float).mean(axis=1)
    assert (np.diff(shades) < 0).all()
    assert tuple(apart[10, 10]) == PAPER


def test_a_thin_line_of_a_large_picture_stays_in_the_map():
    """2560 pixels are drawn as 640, so one of them is a quarter of a pixel."""
    reference = np.full((64, 2560, 3), 90, np.uint8)
    candidate = reference.copy()
    candidate[:, 1001] = 255  # 165 levels
    apart = panel(draw_pair(Panel("a", candidate), Panel("b", reference))[0], 2, 3, (640, 16))
    assert not near(apart[8, 249:252], PAPER).all()
    assert near(apart[8, 2:248], PAPER).all()


def test_the_rim_of_the_mask_is_on_each_picture():
    """Pixels 8 to 23 are inside: in the drawing 160 to 479."""
    inside = np.zeros((32, 32), np.bool_)
    inside[8:24, 8:24] = True
    drawn, entries = draw_pair(Panel("a", GREY), Panel("b", GREY), inside)
    for place in range(3):
        marked = near(panel(drawn, place, 3), PURPLE)
        rows, columns = np.nonzero(marked)
        assert all(abs(one - other) <= 3 for one, other in zip((rows.min(), rows.max()), (160, 479), strict=True))
        assert all(abs(one - other) <= 3 for one, other in zip((columns.min(), columns.max()), (160, 479), strict=True))
        assert not marked[200:440, 200:440].any()
    assert [entry.label for entry in entries][1:] == ["rim of the mask"]
    assert len(draw_pair(Panel("a", GREY), Panel("b", GREY), np.zeros((32, 32), np.bool_))[1]) == 1


@pytest.mark.parametrize("shape", [(1, 1), (1, 3000), (3000, 1), (640, 640), (641, 100)])
def test_any_shape_is_drawn(shape):
    picture = np.full((*shape, 3), 60, np.uint8)
    drawn, entries = draw_pair(Panel("a", picture), Panel("b", picture), np.ones(shape, np.bool_), Panel("c", picture))
    for entry in entries:
        entry.draw(np.full((40, 64, 3), 255, np.uint8))
    assert max(drawn.shape) <= 2 * (SIDE + HEAD + 2 * GAP)


def test_pictures_are_left_as_they_are():
    picture = np.full((SIDE, 40, 3), 60, np.uint8)  # drawn at its own size
    draw_pair(Panel("a", picture), Panel("b", picture), np.ones((SIDE, 40), np.bool_))
    assert (picture == 60).all()


def test_what_is_measured_is_neither_a_pass_nor_a_fail():
    strip = Strip(facts=(), praise="measured", reasons=(), entries=(), footer="", judged=False)
    drawn = with_strip(np.full((60, 600, 3), 255, np.uint8), strip)
    assert near(drawn, BLUE).sum() > 500
    assert not near(drawn, GREEN).any()
    assert not near(drawn, VERMILION).any()
    assert near(with_strip(np.full((60, 600, 3), 255, np.uint8), replace(strip, judged=True)), GREEN).sum() > 500


def test_a_comparison_has_an_overlay_that_changes_nothing_else():
    made = json_format.ParseDict({"request_id": "pair", "options": {"overlay": True}}, service_pb2.GradeRequest())
    mask = np.zeros((HEIGHT, WIDTH), np.uint8)
    mask[60:180, 80:240] = 255
    candidate = BEFORE.copy()
    candidate[100:140, 120:200] = scenery(1)[100:140, 120:200]
    made.compare.reference.data, made.compare.mask.data = png(BEFORE), png(mask)
    made.image.data = png(np.repeat(np.repeat(candidate, 2, 0), 2, 1))
    job = job_from_proto(made, inline_only)
    engine = Engine(measures=PlainMeasures())
    verdict = engine.grade(job)
    drawn = decoded(verdict.overlay)
    assert verdict.outcome is Outcome.MEASURED
    assert engine.grade(job).overlay.png == verdict.overlay.png
    assert engine.grade(replace(job, overlay=False)) == replace(verdict, overlay=None)
    apart = panel(drawn, 2, 3, (640, 480))
    # Outside of the mask nothing differs; in the patch (twice as large) most does.
    assert near(apart[2:100, 2:-2], PAPER).all()
    assert near(apart[210:270, 250:390], PAPER).mean() < 0.1


def test_a_view_is_shown_beside_the_wanted_picture_and_the_one_before():
    after, before = scenery(2), scenery(1)
    request = edit("VIEW", [], after=after, before=before[::2, ::2], original=[])
    request.spatial_edit.truth.image.data = png(BEFORE)
    request.options.overlay = True
    verdict = graded(request)
    assert verdict.outcome is Outcome.FAIL
    drawn = decoded(verdict.overlay)
    inner = slice(1, -1)
    for place, shown in ((0, after), (1, BEFORE)):
        found = panel(drawn, place, 2, (640, 480))
        assert np.array_equal(found[inner, inner], np.repeat(np.repeat(shown, 2, 0), 2, 1)[inner, inner])
    earlier, apart = (panel(drawn, place, 2, (640, 480)) for place in (2, 3))
    # The one before was half as large; its blown up pixels are about those that it had.
    reduced = earlier[::4, ::4].astype(int)
    assert np.abs(reduced[2:-2, 2:-2] - before[::2, ::2][2:-2, 2:-2]).mean() < 20
    assert near(apart, PAPER).mean() < 0.1
