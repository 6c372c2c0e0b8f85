"""What is drawn onto pieces: thin strokes are seen however they run, writing is not."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

import grader
from benchmarks.form_board.boards import board
from benchmarks.form_board.right import RIGHT
from benchmarks.form_board.strokes import STROKES
from detectors.form_board.config import StrokeConfig
from detectors.form_board.shapes import depth_of
from detectors.form_board.strokes import PieceInside, find_strokes

CONFIG = StrokeConfig()
SIDE = 200.0
"""Of the silhouette: two pieces of 100 x 200 pixels each, side by side."""


def _picture():
    picture = np.full((200, 200, 3), (90, 170, 80), np.uint8)
    picture[:, 100:] = (220, 150, 60)
    return picture


@cache
def _pieces():
    found = []
    for label, left in (("A", 0), ("B", 100)):
        mask = np.ones((200, 100), np.bool_)
        found.append(PieceInside(label, (slice(0, 200), slice(left, left + 100)), depth_of(mask), 4.0))
    return tuple(found)


def _found(picture, config=CONFIG):
    return [label for label, _ in find_strokes(picture, _pieces(), SIDE, config)]


def _written(picture, label, x, y, scale=0.6):
    cv2.putText(picture, label, (x, y), cv2.FONT_HERSHEY_SIMPLEX, scale, (20, 20, 20), 2, cv2.LINE_AA)


def test_nothing_is_seen_on_bare_pieces_in_uneven_light_or_under_noise():
    picture = _picture()
    assert _found(picture) == []
    light = np.linspace(1.0, 0.75, 200)[None, :, None]
    assert _found(np.asarray(np.rint(picture * light), np.uint8)) == []
    noise = np.random.default_rng(3).normal(0, 8, picture.shape)
    assert _found(np.asarray(np.clip(picture + noise, 0, 255), np.uint8)) == []


@pytest.mark.parametrize("angle", [0, 25, 45, 70, 90])
def test_a_thin_line_is_seen_in_any_direction(angle):
    picture = _picture()
    by = 35 * np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])
    middle = np.array([50, 100])
    start, end = np.rint([middle - by, middle + by]).astype(int).tolist()
    cv2.line(picture, start, end, (40, 40, 40), 1, cv2.LINE_AA)
    assert _found(picture) == ["A"]


def test_a_pale_line_is_seen_by_its_length():
    """Two pixels wide, with 0.072 of contrast once smoothed: of 30 pixels 0.072 x sqrt(60) = 0.56, of 20 0.46."""
    for length, expected in ((30, ["A"]), (20, [])):
        picture = _picture()
        picture[50 : 50 + length, 50:52] = (120, 200, 110)
        assert _found(picture) == expected


def test_a_letter_on_each_piece_is_writing_and_a_word_is_not():
    picture = _picture()
    _written(picture, "A", 40, 110)
    _written(picture, "B", 140, 110)
    assert _found(picture) == []
    _written(picture, "NO", 30, 60)
    assert set(_found(picture)) == {"A"}


def test_a_face_has_more_parts_than_a_letter():
    picture = _picture()
    for x in (43, 57):
        cv2.circle(picture, (x, 100), 3, (20, 20, 20), -1)
    cv2.line(picture, (43, 111), (57, 111), (20, 20, 20), 2)
    assert set(_found(picture)) == {"A"}


def test_a_short_stroke_from_rim_to_rim_is_no_letter():
    """A piece of which 100 x 24 pixels are away from rims: a stroke across it is as short as a letter is high."""
    mask = np.ones((32, 100), np.bool_)
    piece = PieceInside("A", (slice(80, 112), slice(0, 100)), depth_of(mask), 4.0)
    picture = _picture()
    picture[80:112, 48:51] = (40, 40, 40)
    assert [label for label, _ in find_strokes(picture, [piece], SIDE, CONFIG)] == ["A"]


def test_what_runs_along_a_rim_is_the_rim():
    picture = _picture()
    picture[20:180, 4:6] = (40, 40, 40)  # 5 to 6 pixels deep, where rims may be up to 4 and `shallow` of 200, 3.2, more
    assert _found(picture) == []


def test_many_specks_are_no_strokes():
    picture = _picture()
    for x, y in np.random.default_rng(5).integers(12, 188, (60, 2)).tolist():
        picture[y, x : x + 2] = 255
    assert _found(picture) == []


@pytest.mark.parametrize("kind", sorted(STROKES))
def test_boards_that_are_drawn_on_fail(kind):
    on = board(3, 7, 768)
    picture = STROKES[kind](on, np.random.default_rng(4))
    verdict = grader.grade(on.task, picture)
    expected = {"PIECE_MISPLACED"} if kind == "spike" else {"PIECE_INVENTED", "OUTLINE_APART", "PIECE_MISPLACED"}
    assert {reason.code for reason in verdict.reasons} & expected
    assert verdict.reward <= 0.9


@pytest.mark.parametrize("seed", [3, 7, 9])
@pytest.mark.parametrize("way", ["lettered", "a_little_off"])
def test_right_boards_pass(way, seed):
    on = board(3, seed, 768)
    assert grader.grade(on.task, RIGHT[way](on, np.random.default_rng(1))).codes == ()


def test_a_small_gap_in_a_corner_is_seen():
    """A triangle of paper whose sides are 0.7 units, a 14th of the silhouette's, within its line."""
    on = board(3, 7, 768)
    picture = on.draw(on.solved())
    corners = np.array(on.laid.board.silhouette)
    sides = [one - corners[0] for one in (corners[-1], corners[1])]
    ends = [corners[0] + 0.7 * on.unit * one / np.hypot(*one) for one in sides]
    cv2.fillPoly(picture, [np.rint([corners[0], *ends]).astype(np.int32)], on.style.ground, cv2.LINE_AA)
    cv2.polylines(picture, [np.rint(corners).astype(np.int32)], True, on.style.outline, 2)
    assert "PIECE_MISPLACED" in grader.grade(on.task, picture).codes
