"""Which outlines of form boards are refused, each bound from both sides, and what a prepared board says."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest
from shapely import Polygon

from detectors.form_board.board import ShapeSeen
from detectors.form_board.fitting import ShapeChange
from grader.media.types import MediaLimits
from grader.model.errors import InvalidRequestError
from grader.model.places import PixelBox
from grader.tasks.common.inputs import Inputs
from grader.tasks.form_board.judge import _box_off
from grader.tasks.form_board.model import FormBoardInput
from grader.tasks.form_board.pictures import _shape
from grader.tasks.form_board.puzzle import PreparedBoard, _check_corners, _check_in_picture, _check_outlines
from grader.tasks.form_board.settings import FormBoardSettings
from tests.form_board.test_judging import PUZZLE, box

SETTINGS = FormBoardSettings()


def faults(check, *what):
    """Fields and reasons of what a check notes."""
    inputs = Inputs(MediaLimits())
    try:
        check(inputs, *what)
        inputs.check()
    except InvalidRequestError as error:
        return [(one.field, one.reason) for one in error.violations]
    return []


@pytest.mark.parametrize(
    ("corners", "reason"),
    [
        (box(0, 0, 24, 24), None),
        (box(0, 0, 23.9, 90), "OUT_OF_RANGE"),
        (box(0, 0, 90, 23.9), "OUT_OF_RANGE"),
        (box(0, 0, 90, 90)[:3], None),
        (box(0, 0, 90, 90)[:2], "OUT_OF_RANGE"),
        ((), "MISSING"),
        (box(-100_000, 0, 90, 90), None),
        (box(-100_001, 0, 90, 90), "OUT_OF_RANGE"),
        (((0, 0), (90, 0), (90, float("inf"))), "OUT_OF_RANGE"),
        (((0, 0), (90, 90), (90, 0), (0, 90)), "OUT_OF_RANGE"),
    ],
)
def test_outlines_of_a_silhouette(corners, reason):
    assert faults(_check_corners, "silhouette", corners, SETTINGS) == ([("silhouette", reason)] if reason else [])


def test_a_piece_may_be_tiny():
    """Half a pixel; one that lies on a line has no area."""
    assert faults(_check_corners, "piece", box(0, 0, 1, 0.5), None) == []
    assert faults(_check_corners, "piece", box(0, 0, 9, 0), None) == [("piece", "OUT_OF_RANGE")]


@pytest.mark.parametrize(
    ("left", "top", "wide", "high", "inside"),
    [
        (-1.0, -1.0, 102.0, 82.0, True),
        (-1.1, 0.0, 50.0, 50.0, False),
        (0.0, -1.1, 50.0, 50.0, False),
        (0.0, 0.0, 101.1, 50.0, False),
        (0.0, 0.0, 50.0, 81.1, False),
    ],
)
def test_a_silhouette_lies_in_its_picture(left, top, wide, high, inside):
    """Up to a pixel beyond it."""
    found = faults(_check_in_picture, box(left, top, wide, high), np.zeros((80, 100, 3), np.uint8))
    assert found == ([] if inside else [("form_board.puzzle.silhouette", "OUT_OF_RANGE")])


def test_there_is_an_outline_for_each_label():
    for number, reasons in ((2, []), (1, ["MISMATCH"]), (17, ["MISMATCH", "OUT_OF_RANGE"])):
        pieces = tuple(box(0, 0, 9, 9) for _ in range(number))
        task = FormBoardInput(("A", "B"), ("A",), silhouette=box(0, 0, 50, 50), pieces=pieces)
        assert [reason for _, reason in faults(_check_outlines, task, SETTINGS)] == reasons


def test_a_board_that_is_known_by_labels_has_no_place():
    words = PreparedBoard("ABC", frozenset("AB"))
    assert (words.size, words.side, words.box, words.right) == ((1, 1), 0.0, None, (frozenset("AB"),))
    assert (PUZZLE.side, PUZZLE.box) == (200.0, PixelBox(0.0, 0.0, 200.0, 200.0))
    assert PUZZLE.right == (frozenset("AB"),)
    assert PUZZLE.nearest(frozenset("C")) == frozenset("AB")


def test_how_far_a_box_is_from_that_of_its_piece():
    """By its side that is farthest off; of a board that is known by labels alone nothing is told."""
    shape = SimpleNamespace(label="A", box=(11.0, 22.0, 43.0, 49.0))
    tiling = SimpleNamespace(offsets={"A": (10.0, 20.0)})
    assert _box_off(SimpleNamespace(board=None), shape, tiling) == math.inf
    pieces = (SimpleNamespace(label="B"), SimpleNamespace(label="A", polygon=Polygon([(0, 0), (30, 0), (30, 30)])))
    assert _box_off(SimpleNamespace(board=SimpleNamespace(pieces=pieces)), shape, tiling) == 3.0


@pytest.mark.parametrize(
    ("change", "piece", "like"),
    [(ShapeChange.AS_GIVEN, "A", ""), (ShapeChange.TURNED, "", "A"), (ShapeChange.ALTERED, "", "A")],
)
def test_a_shape_is_a_piece_or_like_one(change, piece, like):
    seen = ShapeSeen("A", change, (1.0, 2.0), 0.01, 1.0, 0.2, (1.0, 2.0, 4.0, 8.0))
    found = _shape(seen)
    assert (found.piece, found.like, found.change) == (piece, like, change.value)
    assert (found.moved_px, found.deviation, found.box) == ((1.0, 2.0), 0.01, PixelBox(1.0, 2.0, 3.0, 6.0))
