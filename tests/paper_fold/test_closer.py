"""What a second look at a sheet tells: shapes that are nearly discs, texture, ghosts, letters on creases."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

import grader
from detectors.paper_fold.closer.config import GhostConfig, HoleShapeConfig, PaperTextureConfig
from detectors.paper_fold.closer.faint import find_ghosts, find_rough, texture_of
from detectors.paper_fold.closer.shapes import find_misshapen, measure_holes
from detectors.paper_fold.config import PlausibleConfig, SheetConfig
from detectors.paper_fold.holes import Disc
from detectors.paper_fold.plausible import edges_seen, punched
from detectors.paper_fold.sheet import read_sheet
from grader.model.errors import InvalidRequestError
from puzzles.paper_fold.render import render_sheet
from puzzles.paper_fold.rules import creases
from tests.paper_fold.drawn import codes, drawn, flat_task, sheet, verdict

RIGHT = sheet().puzzle.holes[0]
PLAUSIBLE = PlausibleConfig()
SQUARE = [(20.0, 20.0), (100.0, 20.0), (100.0, 100.0), (20.0, 100.0)]


def _on_holes(change):
    """The right drawing, with each of its holes changed."""
    one = sheet()
    picture = drawn()
    for x, y in one.frame.of(RIGHT).tolist():
        change(picture, x, y, one.radius_px)
    return picture


def _hexagon(picture, x, y, radius):
    cv2.circle(picture, (round(x), round(y)), round(1.2 * radius), sheet().style.front, -1)
    turns = np.arange(6) * (np.pi / 3) + 0.2
    points = np.stack([x + 1.15 * radius * np.cos(turns), y + 1.15 * radius * np.sin(turns)], axis=1)
    cv2.fillPoly(picture, [np.rint(16 * points).astype(np.int32)], (30, 30, 36), cv2.LINE_AA, 4)


def _crossed(picture, x, y, radius):
    for sign in (-1, 1):
        ends = [(x - 0.6 * radius, y - sign * 0.6 * radius), (x + 0.6 * radius, y + sign * 0.6 * radius)]
        start, end = np.rint(16 * np.array(ends)).astype(int).tolist()
        cv2.line(picture, start, end, (200, 0, 0), 2, cv2.LINE_AA, 4)


@pytest.mark.parametrize("change", [_hexagon, _crossed])
def test_what_is_nearly_a_disc_is_none(change):
    found = verdict(_on_holes(change))
    assert "MARK_NOT_A_HOLE" in [one.code for one in found.reasons]
    assert found.reward <= 0.45


def test_holes_that_nearly_touch_do_not_hide_each_others_rims():
    """Beside a hole another one is hidden up to 1.3 radii and two pixels from its middle: within this one's rim."""
    one = sheet()
    picture = np.full((200, 200, 3), one.style.front, np.uint8)
    middles = ((80.4, 100.2), (122.9, 77.6), (122.1, 122.9))
    for x, y in middles:
        cv2.circle(picture, (round(16 * x), round(16 * y)), round(16 * 20.5), (30, 30, 36), -1, cv2.LINE_AA, 4)
    discs = [
        Disc((x + 0.5, y + 0.5), 20.5, 0.6, True, False) for x, y in ((80.4, 100.2), (122.9, 77.6), (122.1, 122.9))
    ]
    blank = np.full((200, 200, 3), one.style.front, np.uint8)
    bare = read_sheet(blank, [(5, 5), (195, 5), (195, 195), (5, 195)], 16.0, [], SheetConfig())
    shapes = measure_holes(picture, bare, discs, 0.0, HoleShapeConfig())
    assert find_misshapen(shapes, HoleShapeConfig()) == []
    assert len(shapes) == 3


def test_a_letter_on_a_crease_is_a_mark_and_a_crease_is_none():
    one = sheet()
    start, end = creases(one.puzzle.sheets, one.puzzle.folds, 0)[0]
    ends = np.rint(one.frame.of([start, end])).astype(int)
    folded = drawn()
    cv2.line(folded, tuple(ends[0].tolist()), tuple(ends[1].tolist()), (150, 160, 180), 1, cv2.LINE_AA)
    assert codes(folded) == []
    x, y = (ends[0] + 0.5 * (ends[1] - ends[0])).astype(int).tolist()
    cv2.putText(folded, "C", (x - 4, y + 4), cv2.FONT_HERSHEY_SIMPLEX, 0.35, one.style.rim, 1, cv2.LINE_AA)
    assert codes(folded) != []


def test_texture_of_the_papers_own_colour_is_seen():
    rows, columns = np.mgrid[:120, :120]
    picture = np.full((120, 120, 3), 200, np.uint8)
    paper = np.ones((120, 120), bool)
    assert find_rough(texture_of(picture, PaperTextureConfig()), paper, 8.0, 4.0, PaperTextureConfig()) == ()
    disc = (rows - 60) ** 2 + (columns - 60) ** 2 < 64
    picture[disc] = np.where((rows + columns) % 2 == 0, 220, 180)[disc][:, None]
    (found,) = find_rough(texture_of(picture, PaperTextureConfig()), paper, 8.0, 4.0, PaperTextureConfig())
    assert found.box[0] < 60 < found.box[0] + found.box[2]
    noisy = np.clip(200 + np.random.default_rng(0).normal(0, 8, picture.shape), 0, 255).astype(np.uint8)
    assert find_rough(texture_of(noisy, PaperTextureConfig()), paper, 8.0, 4.0, PaperTextureConfig()) == ()


def test_a_ring_that_no_pixel_shows_is_seen_as_a_whole():
    rows, columns = np.mgrid[:100, :100]
    values = np.random.default_rng(0).normal(0, 0.004, (100, 100, 3)).astype(np.float32)
    usable = np.ones((100, 100), bool)
    assert find_ghosts(values, usable, 8.0, GhostConfig()) == ()
    ring = np.abs(np.hypot(rows - 50, columns - 40) - 8.4) < 1
    values[ring] += np.float32(0.03)
    assert [round(one.box[0] + one.box[2] / 2) for one in find_ghosts(values, usable, 8.0, GhostConfig())] == [40]


# --- the puzzle's own pictures ---


def test_an_edge_that_is_not_there_is_told():
    picture = np.full((120, 120, 3), 250, np.uint8)
    picture[20:100, 20:100] = (206, 222, 240)
    assert edges_seen(picture, SQUARE, PLAUSIBLE) == [True] * 4
    half = [(20.0, 20.0), (60.0, 20.0), (60.0, 100.0), (20.0, 100.0)]
    assert edges_seen(picture, half, PLAUSIBLE) == [True, False, True, True]
    assert edges_seen(picture[20:, :], [(x, y - 20) for x, y in SQUARE], PLAUSIBLE)[0] is None


def test_a_hole_that_is_there_already_is_told():
    picture = np.full((120, 120, 3), 250, np.uint8)
    picture[20:100, 20:100] = (206, 222, 240)
    holes = [(40.0, 40.0), (70.0, 60.0)]
    assert punched(picture, SQUARE, holes, 6.0, PLAUSIBLE) == []
    cv2.circle(picture, (70, 60), 6, (250, 250, 250), -1)
    assert punched(picture, SQUARE, holes, 6.0, PLAUSIBLE) == [1]


def test_sheets_that_are_punched_or_in_another_order_are_refused():
    one = sheet()
    task = flat_task()
    pictures = (drawn(), render_sheet(one.puzzle.sheets[1], (), one.style, one.side))
    for picture in pictures:
        data = cv2.imencode(".png", cv2.cvtColor(picture, cv2.COLOR_RGB2BGR))[1].tobytes()
        with pytest.raises(InvalidRequestError) as caught:
            grader.grade(replace(task, sheets=(data,)), drawn())
        assert [fault.field for fault in caught.value.violations] == ["paper_fold.puzzle.sheets[0]"]
