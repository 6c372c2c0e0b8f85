"""What leads around a maze through a candidate's margin, and what only lies there."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np
import pytest

from benchmarks.composed import grading
from benchmarks.composed.cases import compose
from detectors.maze.remainder.around import AroundConfig, leads_around
from tests.maze.remainder.scenes import BLUE, PLAN, SHAPE, contrast_of, grey
from tests.maze.stages.plans import AROUND, CELL, MARGIN, RED

BESIDE = 48
"""The margin beyond the puzzle's own 16 pixels; all of it has their colour."""
CONFIG = AroundConfig(band=0.06)
"""0.06 of 160 pixels: what comes out of a cell does so over some ten of them, the nearest three not counted."""
START = (BESIDE + MARGIN, BESIDE + MARGIN + CELL // 2)
"""The middle of the left side of cell 1, where the start is."""
GOAL = (BESIDE + MARGIN + 4 * CELL, BESIDE + MARGIN + 2 * CELL + CELL // 2)
"""The middle of the right side of cell 12, where the goal is."""
LEFT, BELOW, RIGHT = 24, SHAPE[0] + BESIDE + 24, SHAPE[1] + BESIDE + 24
AROUND_IT = [START, (LEFT, START[1]), (LEFT, BELOW), (RIGHT, BELOW), (RIGHT, GOAL[1]), GOAL]


def page() -> np.ndarray:
    wide = ((BESIDE, BESIDE), (BESIDE, BESIDE), (0, 0))
    picture = np.pad(PLAN.picture, wide)
    outside = np.pad(np.zeros(SHAPE, bool), BESIDE, constant_values=True)
    picture[outside] = AROUND
    return picture


def drawn(*lines: list[tuple[int, int]], color=RED, width: int = 4) -> np.ndarray:
    picture = page()
    cv2.polylines(picture, [np.array(line, np.int32) for line in lines], False, color, width)
    # Of a line from a cell only what lies outside counts.
    inside = (slice(BESIDE + MARGIN, -BESIDE - MARGIN),) * 2
    picture[inside] = PLAN.picture[MARGIN:-MARGIN, MARGIN:-MARGIN]
    return picture


def is_seen(picture: np.ndarray, covered: np.ndarray | None = None, config: AroundConfig = CONFIG) -> bool:
    return leads_around(picture, covered, BESIDE, PLAN, config)


def test_nothing_leads_around_where_nothing_is_drawn():
    assert not is_seen(page())


@pytest.mark.parametrize("color", [RED, BLUE, (0, 0, 0), (255, 255, 255), (190, 190, 190)])
@pytest.mark.parametrize("width", [2, 6])
def test_a_way_around_is_seen_in_any_ink(color, width):
    assert is_seen(drawn(AROUND_IT, color=color, width=width))


@pytest.mark.parametrize("beyond", [2, 4])
def test_a_way_is_seen_beside_outer_walls_that_reach_out_of_their_cells(beyond):
    """By half of their width, or by all of it; three pixels and half of 4 are not looked at."""
    picture = drawn(AROUND_IT)
    first, last = BESIDE + MARGIN, BESIDE + MARGIN
    rows, columns = slice(first - beyond, picture.shape[0] - last + beyond), picture.shape[1] - last + beyond
    inner = picture.copy()
    picture[rows, first - beyond : columns] = 0
    inside = (slice(first, -last), slice(first, -last))
    picture[inside] = inner[inside]
    # The way comes through openings in them.
    red = (inner == RED).all(axis=2)
    picture[red] = RED
    assert is_seen(picture)


def test_it_has_to_be_seen():
    """On the grey around, whose contrast to white is 0.17."""
    faint = grey(contrast_of(AROUND) + 0.012)
    assert not is_seen(drawn(AROUND_IT, color=faint, width=6))
    assert is_seen(drawn(AROUND_IT, color=faint, width=6), config=replace(CONFIG, visible=0.008))
    # What is as strong as noise is noise.
    dice = np.random.default_rng(1)
    noisy = drawn(AROUND_IT, color=grey(contrast_of(AROUND) + 0.03), width=2).astype(int)
    noisy += np.rint(dice.normal(0, 12, (*noisy.shape[:2], 1))).astype(int)
    assert not is_seen(np.clip(noisy, 0, 255).astype(np.uint8))


def test_a_dashed_way_is_a_way():
    dots = page()
    for one, other in pairwise(AROUND_IT):
        for share in np.arange(0.0, 1.0, 5.0 / float(np.hypot(*np.subtract(other, one)))):
            x, y = np.rint(np.array(one) + share * np.subtract(other, one)).astype(int)
            dots[y - 1 : y + 2, x - 1 : x + 2] = RED
    assert is_seen(dots)


def test_what_comes_to_one_marker_or_ends_before_is_none():
    assert not is_seen(drawn(AROUND_IT[:4]))
    assert not is_seen(drawn(AROUND_IT[2:]))
    assert not is_seen(drawn(AROUND_IT[1:5]))
    # Signs before both, which nothing joins.
    assert not is_seen(drawn(AROUND_IT[:2], AROUND_IT[4:]))


@pytest.mark.parametrize("away", [6, 10, 20, 30])
def test_a_frame_is_none(away):
    picture = page()
    corners = (BESIDE + MARGIN - away,) * 2, (BESIDE - MARGIN + SHAPE[1] + away, BESIDE - MARGIN + SHAPE[0] + away)
    cv2.rectangle(picture, *corners, (0, 0, 0), 2)
    assert not is_seen(picture)
    # Nor is the edge of a page.
    picture = page()
    picture[: corners[0][1]] = picture[corners[1][1] :] = (255, 255, 255)
    picture[:, : corners[0][0]] = picture[:, corners[1][0] :] = (255, 255, 255)
    assert not is_seen(picture)


@pytest.mark.parametrize(("every", "seen"), [(8, False), (80, True)])
def test_what_all_of_a_maze_s_edge_has_comes_out_of_no_cell(every: int, seen: bool) -> None:
    """Spikes of 2 pixels to a frame, as the notches of a blurred ragged edge: 2 of 8 are more than a tenth of all."""
    picture, low = page(), BESIDE + MARGIN - 13
    right, bottom = BESIDE - MARGIN + SHAPE[1] + 13, BESIDE - MARGIN + SHAPE[0] + 13
    for x in range(START[0] + every // 2, GOAL[0], every):
        picture[low : low + 12, x : x + 2] = picture[bottom - 11 : bottom + 1, x : x + 2] = (0, 0, 0)
    for y in (START[1], GOAL[1], *range(BESIDE + MARGIN + 4, bottom - 14, every)):
        picture[y : y + 2, low : low + 12] = picture[y : y + 2, right - 11 : right + 1] = (0, 0, 0)
    cv2.rectangle(picture, (low, low), (right, bottom), (0, 0, 0), 2)
    assert is_seen(picture) is seen


def test_where_the_candidate_has_no_pixels_nothing_leads():
    covered = np.ones(page().shape[:2], bool)
    covered[BELOW - 10 :] = False
    assert not is_seen(drawn(AROUND_IT), covered)
    assert not is_seen(
        drawn(AROUND_IT), np.pad(np.ones(SHAPE, bool), BESIDE)[:, :] & (np.arange(covered.shape[1]) > 70)
    )


def test_a_maze_with_one_marker_has_no_way_around():
    assert not leads_around(drawn(AROUND_IT), None, BESIDE, replace(PLAN, markers=PLAN.markers[:1]), CONFIG)


def test_strips_all_around_are_frames_and_come_out_of_nothing():
    """A light strip next to the maze, and a dark one around that; with a way out of both ends on top there is one."""
    picture = page()
    for wide, color in ((20, (40, 40, 40)), (10, (235, 235, 235))):
        place = slice(BESIDE + MARGIN - wide, -(BESIDE + MARGIN - wide))
        framed = np.full_like(picture[place, place], color)
        inner = slice(wide, -wide)
        framed[inner, inner] = picture[place, place][inner, inner]
        picture[place, place] = framed
    assert not is_seen(picture)
    for line in pairwise(AROUND_IT):
        cv2.line(picture, line[0], line[1], RED, 4)
    picture[BESIDE + MARGIN : -BESIDE - MARGIN, BESIDE + MARGIN : -BESIDE - MARGIN] = PLAN.picture[
        MARGIN:-MARGIN, MARGIN:-MARGIN
    ]
    assert is_seen(picture)


def test_a_frame_that_runs_straight_around_a_ragged_maze_leads_nowhere():
    """Its distance from the cells differs all the way; that from their upright box does not."""
    case = compose(1_501_000_140)
    assert (case.role, case.wrong) == ("frame", False)
    assert grading.grade(case, grading.engine()).got == "PASS"
