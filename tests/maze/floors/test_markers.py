"""Markers of mazes without cells: theirs is the colour of the puzzle, up to what changes the whole picture."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

import grader
from detectors.maze.shapes.recolored import RecoloredConfig, recolored
from grader.alignment.align import align
from grader.media.pyramid import Pyramid
from grader.media.types import DEFAULT_LIMITS
from grader.model.jobs import CandidateKind
from grader.model.verdict import Outcome
from grader.tasks.maze.puzzle import MazePuzzle, prepare_maze
from grader.tasks.maze.self_check import prepare_readable_maze
from grader.tasks.maze.settings import MazeSettings
from tests.maze.floors.scenes import GOAL, START, WAY, floor, picture, puzzle, stroke
from tests.maze.floors.test_answers import engine, verdict

RED, GREEN, PURPLE, CYAN = (220, 30, 30), (20, 150, 60), (150, 50, 190), (20, 180, 200)
SAND, HEDGE = (214.0, 202.0, 178.0), (40.0, 84.0, 38.0)


@cache
def grainy() -> np.ndarray:
    """Sand of a standard deviation of 7 levels, hedges of 16, and both markers: it is read by its textures."""
    dice = np.random.default_rng(4)
    grain = cv2.GaussianBlur(dice.normal(0.0, 1.0, floor().shape), (0, 0), 1.5)
    drawn = np.where(floor()[..., None], SAND, HEDGE) + (np.where(floor(), 7.0, 16.0) * grain / grain.std())[..., None]
    drawn = np.clip(drawn, 0, 255).astype(np.uint8)
    cv2.circle(drawn, START, 9, RED, -1, cv2.LINE_AA)
    cross(drawn, GREEN)
    drawn.flags.writeable = False
    return drawn


def cross(drawn: np.ndarray, color: tuple[int, int, int]) -> np.ndarray:
    x, y = GOAL
    for down in (-8, 8):
        cv2.line(drawn, (x - 8, y - down), (x + 8, y + down), color, 5, cv2.LINE_AA)
    return drawn


def shown(drawn: np.ndarray):
    data = cv2.imencode(".png", drawn[..., ::-1])[1].tobytes()
    return engine().grade(grader.GradeJob("one", puzzle(grainy()), grader.ImageCandidate(data)))


@cache
def answered() -> np.ndarray:
    return stroke(*WAY, on=grainy(), width=6)


def saturated(drawn: np.ndarray, share: float) -> np.ndarray:
    hsv = cv2.cvtColor(drawn, cv2.COLOR_RGB2HSV).astype(np.float64)
    hsv[..., 1] *= share
    return cv2.cvtColor(np.rint(hsv).astype(np.uint8), cv2.COLOR_HSV2RGB)


@pytest.mark.parametrize("color", [PURPLE, CYAN, (240, 150, 30), (0, 0, 0)], ids=["purple", "cyan", "orange", "black"])
@pytest.mark.parametrize("over", [False, True], ids=["beneath", "over"])
def test_a_start_in_another_colour_is_another_marker(color: tuple[int, int, int], over: bool) -> None:
    disc = cv2.circle((answered() if over else grainy()).copy(), START, 9, color, -1, cv2.LINE_AA)
    assert "MARKER_ERASED" in shown(disc if over else stroke(*WAY, on=disc, width=6)).codes
    flat = cv2.circle((stroke(*WAY) if over else picture()).copy(), START, 9, color, -1, cv2.LINE_AA)
    assert "MARKER_ERASED" in verdict(flat if over else stroke(*WAY, on=flat)).codes


@pytest.mark.parametrize("color", [PURPLE, CYAN, (240, 150, 30), RED], ids=["purple", "cyan", "orange", "red"])
def test_a_cross_in_another_colour_is_another_marker(color: tuple[int, int, int]) -> None:
    assert "MARKER_ERASED" in shown(stroke(*WAY, on=cross(grainy().copy(), color), width=6)).codes


def test_floor_in_the_place_of_a_cross_leaves_no_marker_but_for_its_edge() -> None:
    """A disc of 9 leaves the ends of arms, 8 * 1.41 + 2.5 = 13.8 from the middle."""
    bare = cv2.circle(grainy().copy(), GOAL, 11, (214, 202, 178), -1, cv2.LINE_AA)
    assert "MARKER_ERASED" in shown(stroke(*WAY, on=bare, width=6)).codes


@pytest.mark.parametrize(
    "changed",
    [
        lambda drawn: drawn,
        lambda drawn: saturated(drawn, 0.5),
        lambda drawn: np.clip(drawn.astype(int) - 35, 0, 255).astype(np.uint8),
        lambda drawn: np.rint(drawn * (1.0, 0.97, 0.9)).astype(np.uint8),
        lambda drawn: np.rint(drawn * np.linspace(1.0, 0.75, drawn.shape[1])[None, :, None]).astype(np.uint8),
        lambda drawn: np.clip(drawn + np.random.default_rng(9).normal(0, 8, drawn.shape), 0, 255).astype(np.uint8),
    ],
    ids=["nothing", "paler colours", "darker", "warmer", "light", "noise"],
)
def test_what_changes_all_of_a_picture_leaves_markers_what_they_are(changed) -> None:
    assert shown(changed(answered())).outcome is Outcome.PASS


def test_a_candidates_colours_are_told_by_light_and_dark_and_not_by_its_noise() -> None:
    """Of other grain, and four fifths of the contrast, floor and walls are shown in the flat maze's colours."""
    dice = np.random.default_rng(11)
    drawn = np.where(floor()[..., None], SAND, HEDGE) + dice.normal(0.0, 4.0, (*floor().shape, 1))
    drawn = np.clip(np.rint(30.0 + 0.8 * drawn), 0, 255).astype(np.uint8)
    plan = prepared().plan
    assert plan.texture is not None
    small = cv2.resize(drawn, plan.labels.shape[::-1], interpolation=cv2.INTER_AREA)
    seen = plan.flattened(small, None)
    for part, rgb in ((plan.floor, plan.floor_rgb), (plan.wall_cores, plan.wall_rgb)):
        # Half a level of rounding, and a hundredth of the contrast of 174.
        assert np.abs(np.median(seen[part & (plan.marker_distance > 4)], axis=0) - rgb).max() <= 2.0


@cache
def prepared() -> MazePuzzle:
    return prepare_readable_maze(puzzle(grainy()), MazeSettings(), DEFAULT_LIMITS, CandidateKind.IMAGE)


@pytest.mark.parametrize(
    ("color", "gone"),
    [
        (RED, False),
        ((160, 20, 20), False),
        ((235, 130, 130), False),
        (PURPLE, True),
        (GREEN, True),
        ((30, 60, 230), True),
    ],
    ids=["own", "darker", "paler", "purple", "green", "blue"],
)
def test_another_hue_is_another_colour_and_a_paler_or_darker_one_is_not(
    color: tuple[int, int, int], gone: bool
) -> None:
    made = prepare_maze(puzzle(), MazeSettings(), DEFAULT_LIMITS, CandidateKind.IMAGE)
    plan = made.plan
    start = next(index for index, marker in enumerate(plan.markers) if marker.cell == made.path[0])
    view = plan.picture.copy()
    view[plan.markers[start].box][plan.markers[start].mask] = color
    none = np.zeros(plan.labels.shape, np.bool_)
    line = np.array([240.0, 150.0, 20.0])
    found = recolored(view, None, plan.floor_rgb, line, none, plan, RecoloredConfig())
    assert found == ([start] if gone else [])
    # What can't be seen is nothing else.
    assert recolored(view, none, plan.floor_rgb, line, none, plan, RecoloredConfig()) == []


@pytest.mark.parametrize("degrees", [-1.2, 0.6, 1.0])
def test_rings_that_are_turned_are_turned_back(degrees: float) -> None:
    """Only two spokes tell that; the rings lie as they lay."""
    side, middle = 400, 200
    drawn = np.full((side, side, 3), 255, np.uint8)
    for radius in (180, 130, 80):
        cv2.circle(drawn, (middle, middle), radius, (0, 0, 0), 10, cv2.LINE_AA)
    cv2.line(drawn, (middle, middle - 180), (middle, middle - 130), (0, 0, 0), 10, cv2.LINE_AA)
    cv2.line(drawn, (middle + 80, middle), (middle + 130, middle), (0, 0, 0), 10, cv2.LINE_AA)
    mask = (drawn[..., 0] > 127) & (np.hypot(*np.mgrid[-middle : side - middle, -middle : side - middle]) < 180)
    cv2.line(drawn, (middle - 137, middle), (middle - 123, middle), (255, 255, 255), 20)
    mask[190:211, 60:85] = True
    task = grader.maze_from_mask(drawn, mask, start=(230, 45), goal=(200, 300))
    made = prepare_maze(task, MazeSettings(), DEFAULT_LIMITS, CandidateKind.IMAGE)
    turn = cv2.getRotationMatrix2D((middle - 0.5, middle - 0.5), degrees, 1.0)
    turned = cv2.warpAffine(drawn, turn, (side, side), flags=cv2.INTER_CUBIC, borderValue=(255, 255, 255))
    found = align(Pyramid(turned), made.template, MazeSettings().alignment, straight_first=True)
    # The candidate was turned counter-clockwise by so much in a picture whose y points down; to the tenth of a degree.
    assert np.degrees(found.rotation_rad) == pytest.approx(degrees, abs=0.1)
    assert found.bend is None
