"""Stages of reading a floor: its borders, its looks, what is closed, what leads aside."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from detectors.maze.floor.closed import closed_pieces
from detectors.maze.floor.config import FloorConfig
from detectors.maze.floor.doors import with_doors
from detectors.maze.floor.looks import has_drawing, look_alike
from detectors.maze.strokes.network import StrokeNetwork
from detectors.maze.strokes.segments import trace_strokes
from grader.media.types import DEFAULT_LIMITS
from grader.model.jobs import CandidateKind
from grader.tasks.maze.clips.lengths import from_start, length_metrics
from grader.tasks.maze.puzzle import MazePuzzle, prepare_maze
from grader.tasks.maze.settings import MazeSettings
from grader.tasks.maze.ways import dips
from tests.maze.floors.scenes import WAY, floor, picture, puzzle

CONFIG = FloorConfig()
NONE = np.zeros((60, 340), np.bool_)


@cache
def prepared() -> MazePuzzle:
    return prepare_maze(puzzle(), MazeSettings(), DEFAULT_LIMITS, CandidateKind.IMAGE)


def on_plan(*points: tuple[int, int], width: int = 3) -> np.ndarray:
    """A stroke in the working frame, (h, w) bool, through points of the picture."""
    plan = prepared().plan
    canvas = np.zeros(plan.labels.shape, np.uint8)
    line = np.rint(np.array(points) / plan.factor).astype(np.int32)
    return cv2.polylines(canvas, [line], False, 1, width) > 0


def network(strokes: np.ndarray) -> StrokeNetwork:
    return StrokeNetwork(trace_strokes(strokes), prepared().plan, 0.3)


def striped(seed: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A grainy corridor in a grainy wall, its labels, and its mask."""
    mask = NONE.copy()
    mask[20:40, 20:320] = True
    dice = np.random.default_rng(seed)
    grain = dice.normal(0.0, 6.0, (60, 340, 1))
    drawn = np.where(mask[..., None], 200.0, 80.0) + grain
    labels = np.zeros(mask.shape, np.int32)
    labels[14:46, 20:320] = 1 + (np.arange(300) // 25)[None]
    return np.clip(drawn, 0, 255).astype(np.uint8).repeat(3, axis=2), labels, mask


def test_floor_looks_like_floor_and_walls_do_not() -> None:
    drawn, labels, mask = striped()
    assert look_alike(drawn, labels, mask, NONE, 6.0, CONFIG) == ()


def test_a_piece_that_looks_like_no_other_is_named_by_its_place() -> None:
    drawn, labels, mask = striped()
    drawn = drawn.copy()
    drawn[20:40, 120:145] = (90, 160, 60)
    (said,) = look_alike(drawn, labels, mask, NONE, 6.0, CONFIG)
    assert said == "at (132, 30) it does not look like other floor"


def test_a_wall_that_looks_like_floor_is_named_by_its_place() -> None:
    drawn, labels, mask = striped()
    drawn = drawn.copy()
    drawn[10:50, 195:220] = drawn[25:35, 60:61].mean(axis=(0, 1)).astype(np.uint8)
    assert any("the wall looks like floor" in text for text in look_alike(drawn, labels, mask, NONE, 6.0, CONFIG))


@pytest.mark.parametrize(("color", "expected"), [(None, False), ((30, 60, 230), True), ((205, 203, 200), False)])
def test_a_drawing_is_told_from_grain(color: tuple[int, int, int] | None, expected: bool) -> None:
    drawn, _, mask = striped()
    if color is not None:
        drawn = cv2.line(drawn.copy(), (40, 30), (200, 30), color, 5)
    assert has_drawing(drawn, mask, NONE, 26.0, CONFIG) is expected


def test_passages_are_where_pieces_touch_on_the_floor_and_nowhere_else() -> None:
    plan = prepared().plan
    small = floor()[:: plan.factor, :: plan.factor]
    for border in plan.borders:
        rows, columns = border.pixels.T
        assert small[rows, columns].mean() > 0.5 if border.open else not small[rows, columns].any()
    again = with_doors(plan, plan.passages, small, CONFIG)
    assert (again.walled, again.open) == ((), ())
    walls = np.zeros_like(small)
    assert with_doors(plan, (), walls, CONFIG).open


def test_something_across_a_corridor_closes_it_and_something_in_it_does_not() -> None:
    plan = prepared().plan
    bar = np.zeros(plan.labels.shape, np.bool_)
    bar[int(180 / plan.factor) : int(220 / plan.factor), 40:50] = True
    assert closed_pieces(bar, plan)
    bar[int(196 / plan.factor) : int(204 / plan.factor)] = False
    assert closed_pieces(bar, plan) == ()
    assert closed_pieces(np.zeros_like(bar), plan) == ()


def test_what_leads_aside_is_a_spur_and_what_winds_about_is_none() -> None:
    least = prepared().plan.pieces.spur_px
    plain = network(on_plan(*WAY))
    assert plain.spurs(plain.longest_route(), least) == ()
    aside = network(on_plan(*WAY) | on_plan((180, 80), (245, 80)))
    (spur,) = aside.spurs(aside.longest_route(), least)
    plan = prepared().plan
    assert spur[1] == plan.labels[80 // plan.factor, 244 // plan.factor]
    assert aside.spurs(np.zeros(0, np.intp), least) == ()


def test_a_stroke_within_a_wall_is_seen_and_one_beside_it_is_not() -> None:
    least = prepared().plan.pieces.sunk_px
    assert network(on_plan(*WAY)).sunk(least) == ()
    (first, *_) = network(on_plan((40, 40), (90, 80), (120, 40))).sunk(least)
    assert first.first == first.second
    assert 60 < first.at[1] < 100


def test_a_dip_is_back_on_the_way_at_once() -> None:
    path = (1, 2, 3, 4, 5)
    assert dips(path, {2, 9}, {(2, 9), (3, 9)}) == {9}
    # Around something: it comes back farther on.
    assert dips(path, {9}, {(1, 9), (4, 9)}) == frozenset()
    assert dips(path, {8, 9}, {(2, 8), (8, 9), (3, 9)}) == frozenset()
    assert dips(path, {9}, set()) == frozenset()


def test_lengths_are_held_against_the_way_whichever_end_comes_first() -> None:
    line = tuple((float(x), float(y)) for x, y in prepared().reference)
    for points in (line, line[::-1]):
        turned = from_start(prepared(), points)
        assert turned is not None
        found = {metric.name: metric.value for metric in length_metrics(prepared(), turned, True, "")}
        assert found == {"success": 1.0, "precision": 1.0, "step_deviation": pytest.approx(0.0), "exact_match": 1.0}
    assert from_start(prepared(), line[:1]) is None
    missing = {metric.name: metric for metric in length_metrics(prepared(), None, False, "why")}
    assert (missing["precision"].value, missing["precision"].unavailable_reason) == (None, "why")


def test_what_is_learned_of_the_picture_is_its_own() -> None:
    plan = prepared().plan
    assert tuple(plan.floor_rgb) == (255.0, 255.0, 255.0)
    assert tuple(plan.wall_rgb) == (0.0, 0.0, 0.0)
    assert picture().shape[1::-1] == plan.size
