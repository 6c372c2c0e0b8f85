"""What of a filled silhouette pieces in their places do not explain: on a square of 200 pixels that two pieces fill."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from detectors.form_board.config import FormBoardConfig
from detectors.form_board.explained import InPlace, find_unexplained, put_in_place
from detectors.form_board.scene import make_scene
from detectors.form_board.zoom import Zoom
from grader.media.pyramid import Pyramid
from tests.form_board.stages.test_stages import box

CONFIG = FormBoardConfig()
A, B, PAPER, INK = (200, 60, 60), (60, 90, 200), (250, 250, 250), (30, 30, 30)


@cache
def scene():
    """The silhouette lies at (50, 50); A, 120 wide, is given at (300, 50), and B, 80 wide, at (400, 50)."""
    picture = np.full((300, 560, 3), PAPER, np.uint8)
    cv2.rectangle(picture, (50, 50), (249, 249), INK, 2)
    picture[50:250, 300:420], picture[50:250, 440:520] = A, B
    outlines = {"A": box(300, 50, 120, 200), "B": box(440, 50, 80, 200)}
    return make_scene(picture, [tuple(one) for one in box(50, 50, 200, 200)], outlines, CONFIG)


OFFSETS = {"A": (-250.0, 0.0), "B": (-270.0, 0.0)}


def filled(a=A, b=B):
    """Both pieces in their places."""
    picture = np.full((300, 560, 3), PAPER, np.uint8)
    picture[50:250, 50:170], picture[50:250, 170:250] = a, b
    return picture


def seen(picture):
    zoom = Zoom(Pyramid(picture), scene(), CONFIG.segments, CONFIG.light)
    board = put_in_place(scene(), OFFSETS, CONFIG.explain)
    found = find_unexplained(zoom, scene(), board, True, CONFIG.explain)
    return sorted({label for label, _ in found.apart}), [label for label, _ in found.things], found.faint, found.swapped


def painted(rows, columns, color, on=None):
    picture = filled() if on is None else on
    picture[rows, columns] = color
    return picture


def test_pieces_in_their_places_explain_all():
    assert seen(filled()) == ([], [], (), ())
    lined = filled()
    for left, right in ((50, 170), (170, 250)):
        cv2.rectangle(lined, (left, 50), (right, 249), INK, 3)
    assert seen(lined) == ([], [], (), ())


@pytest.mark.parametrize(("size", "told"), [(6, []), (16, ["A"])])
def test_a_thing_on_a_piece_is_wider_than_writing(size, told):
    assert seen(painted(np.s_[140 : 140 + size], np.s_[100 : 100 + size], INK))[1] == told


@pytest.mark.parametrize(("wide", "told"), [(3, []), (16, ["A"])])
def test_paper_along_a_rim_is_a_gap(wide, told):
    assert seen(painted(np.s_[50:250], np.s_[50 : 50 + wide], PAPER))[0] == told


@pytest.mark.parametrize(
    ("rows", "columns", "color", "told"),
    [
        (np.s_[120:150], np.s_[30:50], A, ["A"]),
        (np.s_[120:150], np.s_[2:22], A, []),  # beyond 0.08 of the side, and what a rim may be off
        (np.s_[120:150], np.s_[250:270], A, []),  # beside another piece
        (np.s_[120:150], np.s_[250:270], B, ["B"]),
    ],
)
def test_what_sticks_out_of_the_silhouette(rows, columns, color, told):
    assert seen(painted(rows, columns, color))[0] == told


def test_what_sticks_out_is_told_where_it_does():
    """From beyond what a piece may spill, 0.009 of 200 pixels and 0.7 more, 2.5, up to where it ends."""
    picture = painted(np.s_[120:150], np.s_[36:50], A)
    zoom = Zoom(Pyramid(picture), scene(), CONFIG.segments, CONFIG.light)
    found = find_unexplained(zoom, scene(), put_in_place(scene(), OFFSETS, CONFIG.explain), True, CONFIG.explain)
    ((label, box),) = [one for one in found.apart if one[1][2] - one[1][0] < 100]
    assert label == "A"
    assert box == pytest.approx((36, 120, 47.5, 150), abs=2.5)


def test_a_piece_that_reaches_into_another_does_not_lie_in_its_place():
    """The border of both lies 30 pixels aside: what A covers of B is missing there."""
    assert "B" in seen(painted(np.s_[50:250], np.s_[170:200], A))[0]


def test_a_piece_that_is_hardly_coloured_is_faint():
    """With less than 0.42 of the contrast that the paler piece has."""
    pale = tuple(int(0.7 * paper + 0.3 * part) for paper, part in zip(PAPER, A, strict=True))
    assert seen(filled(a=pale))[2] == ("A",)
    half = tuple(int(0.4 * paper + 0.6 * part) for paper, part in zip(PAPER, A, strict=True))
    assert seen(filled(a=half))[2] == ()


@pytest.mark.parametrize(("rim", "number"), [(1.0, 5), (2.0, 3), (2.5, 3), (10.0, 3)])
def test_of_slim_pieces_what_lies_in_their_middle_counts(rim, number):
    """Depths of 1 to 5 and back in a row: beyond the rim, or beyond half of 5 where that is less."""
    depth = np.array([[1, 2, 3, 5, 3, 2, 1]], np.float32)
    one = InPlace((slice(2, 3), slice(4, 11)), depth, np.zeros((4, 2)), 20)
    found = one.within(rim)
    assert len(found) == number
    assert found.tolist() == [44 + at for at in range(7) if depth[0, at] > min(rim, 2.5)]
    assert one.deep.tolist() == [46, 47, 48]
