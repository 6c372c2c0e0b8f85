"""Where strokes are led on to a marker: pixel by pixel, on chains of pixels of a given width."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from detectors.maze.plan.floorplan import Floorplan
from detectors.maze.plan.walls import FloorplanConfig, read_floorplan
from detectors.maze.strokes.config import PathConfig
from detectors.maze.strokes.gaps import bridges, lead_onto_marker, lead_under_markers
from detectors.maze.strokes.segments import StrokeGraph
from tests.maze.stages.plans import CELL, RED, WALL, corner, drawn_maze, middle

WAYS = {(1, 2), (2, 3), (3, 6), (5, 6), (4, 5)}
CONFIG = PathConfig()
X, Y = middle(1, 3)
BORDER = corner(2, 3)[0]


def marked(*boxes: tuple[slice, slice]) -> Floorplan:
    """The maze with a red marker of some boxes in cell 1."""
    picture, labels = drawn_maze(2, 3, WAYS, {})
    for box in boxes:
        picture[box] = RED
    return read_floorplan(picture, (labels,), CELL, WALL, 1, FloorplanConfig())


# An arm that reaches a pixel into cell 2, filling its box; and one with another across it, which does not.
ARM = marked(np.s_[Y - 2 : Y + 3, X - 12 : BORDER + 1])
CROSS = marked(np.s_[Y - 2 : Y + 3, X - 12 : BORDER + 1], np.s_[Y - 12 : Y + 12, X - 2 : X + 2])
LAST = BORDER
"""The arm's last column."""


def chain(*points: tuple[float, float], width: float = 1.0) -> StrokeGraph:
    """Pixels (x, y), each joined to the next, of one half-width."""
    pixels = np.array([(round(y), round(x)) for x, y in points], np.intp)
    edges = np.stack([np.arange(len(pixels) - 1), np.arange(1, len(pixels))], axis=1).astype(np.intp)
    return StrokeGraph(pixels, edges, np.full(len(pixels), width, np.float32))


def along(first: int, last: int, row: int = Y, width: float = 1.0) -> StrokeGraph:
    return chain(*((x, row) for x in range(first, last)), width=width)


def led(graph: StrokeGraph, plan: Floorplan = ARM, half_width: float = 10.0, dashed=False, config=CONFIG) -> bool:
    """Whether a pixel in the marker's own cell was added."""
    grown = lead_onto_marker(graph, half_width, plan.markers[0], dashed, plan, config)
    if grown is graph:
        return False
    assert len(grown.pixels) == len(graph.pixels) + 1
    row, column = grown.pixels[-1]
    assert plan.labels[row, column] == 1
    assert plan.markers[0].mask[row - plan.markers[0].top, column - plan.markers[0].left]
    # Joined to the end that is nearest.
    assert grown.edges[-1].tolist() == [0, len(graph.pixels)]
    return True


def test_a_stroke_at_an_arm_goes_on_to_the_marker():
    """0.12 of 32 pixels is 3.84: from n pixels off the arm's last, less half a width of 1, 3 are near and 4 are not."""
    assert led(along(LAST + 4, LAST + 24))
    assert not led(along(LAST + 5, LAST + 24))
    # One that has arrived is left alone, and so is none.
    assert not led(along(X + 8, LAST + 24))
    empty = StrokeGraph(np.zeros((0, 2), np.intp), np.zeros((0, 2), np.intp), np.zeros(0, np.float32))
    assert lead_onto_marker(empty, 1.0, ARM.markers[0], False, ARM, CONFIG) is empty


def test_a_stroke_behind_a_wall_does_not():
    below = corner(4, 3)[1]
    assert not led(
        chain(*((X, y) for y in range(below + 2, below + 20))), marked(np.s_[Y - 2 : below + 2, X - 2 : X + 3])
    )


def test_the_marker_s_own_pixels_are_near():
    """At most 3.84 and a wall of 4 and half a width of 1: 8.84 from the end. Half a wall's rim does not count."""
    far = marked(np.s_[Y - 2 : Y + 3, X - 12 : BORDER + 4])
    # Ends at 4 of the arm's last, at BORDER + 3; own pixels end at BORDER - 3: 10 away.
    assert not led(along(BORDER + 7, BORDER + 24), far)
    assert led(along(BORDER + 7, BORDER + 24, width=2.5), far)


def test_under_an_arm_of_a_cross_only_a_thin_stroke_is_hidden():
    """0.75 of half the arm's width."""
    assert CROSS.markers[0].solid < CONFIG.approach.disc < ARM.markers[0].solid
    arm = CROSS.markers[0].half_arm
    graph = along(LAST + 4, LAST + 24)
    assert led(graph, CROSS, 0.75 * arm)
    assert not led(graph, CROSS, 0.75 * arm + 0.01)
    # Or one that ends cut off: at most 0.65 of its usual width.
    for share, cut in ((0.65, True), (0.66, False)):
        graph = along(LAST + 4, LAST + 24, width=2.0)
        graph.half_widths[0] = 2.0 * share
        assert led(graph, CROSS) is cut


def test_a_wide_stroke_that_runs_right_into_an_arm_has_arrived():
    """From n pixels off the arm, less half a width, it is 0.05 of 32 pixels at most, and points at the marker."""
    assert led(along(LAST + 2, LAST + 24, width=0.5), CROSS)
    assert not led(along(LAST + 2, LAST + 24, width=0.3), CROSS)
    # One that goes past the arm points elsewhere.
    assert not led(chain(*((LAST + 1, Y + 2 + n) for n in range(9))), CROSS)


def test_the_last_gap_of_a_dashed_line_may_lie_before_it():
    """0.3 of 32 pixels is 9.6, less half a width of 1."""
    wide = replace(CONFIG, dashes=replace(CONFIG.dashes, bridge=0.1))
    assert led(along(LAST + 7, LAST + 24), dashed=True)
    assert not led(along(LAST + 11, LAST + 24), dashed=True)
    assert not led(along(LAST + 7, LAST + 24), dashed=True, config=wide)
    assert not led(along(LAST + 7, LAST + 24))


@pytest.mark.parametrize(("degrees", "points"), [(40, True), (50, False)])
def test_the_last_dash_points_at_the_marker(degrees, points):
    """Within a cosine of 0.7, 45.6 degrees."""
    slope = math.radians(degrees)
    graph = chain(*((LAST + 6 + n * math.cos(slope), Y + n * math.sin(slope)) for n in range(9)))
    assert led(graph, dashed=True) is points


def test_a_dash_is_told_by_its_tip():
    """Four pixels of it: what comes after a bend does not count. Of a wider one three half-widths."""
    bent = [(LAST + 6 + n, Y) for n in range(5)] + [(LAST + 10, Y + n) for n in range(1, 25)]
    assert led(chain(*bent), dashed=True)
    long = replace(CONFIG, approach=replace(CONFIG.approach, tip_px=20.0))
    assert not led(chain(*bent), dashed=True, config=long)
    wide = replace(CONFIG, approach=replace(CONFIG.approach, tip_widths=20.0))
    assert not led(chain(*bent), dashed=True, config=wide)


# --- under a marker ---


def seen(end: int, spot: int | None, strength: float = 1.0, dashed=False, config=CONFIG, row: int = Y) -> bool:
    """Whether a stroke that ends at a column goes on to a spot of ink at the marker's rim."""
    plan = DISC
    graph = along(end, end + 24)
    strokes = np.zeros(plan.labels.shape, bool)
    strokes[Y, end : end + 24] = True
    ink = np.zeros_like(strokes)
    if spot is not None:
        ink[row, spot] = True
    values = strokes.astype(np.float32) + np.float32(strength) * (ink & ~strokes)
    return lead_under_markers(graph, strokes, ink, values, dashed, plan, config) is not graph


DISC = marked(np.s_[Y - 6 : Y + 7, X - 6 : X + 7])
EDGE = X + 6
"""The disc's last column."""


def test_ink_at_a_marker_s_rim_is_the_rest_of_a_stroke():
    """At most 2 pixels from it; the way there bare for 3.84 at most."""
    assert seen(EDGE + 4, EDGE + 1)
    assert seen(EDGE + 5, EDGE + 2)
    assert not seen(EDGE + 6, EDGE + 3)
    assert not seen(EDGE + 4, None)
    # Between the stroke and the spot n - 1 pixels are bare.
    assert seen(EDGE + 5, EDGE + 1)
    assert not seen(EDGE + 6, EDGE + 1)
    # Of a dashed line one gap may lie there: 9.6.
    assert seen(EDGE + 9, EDGE + 1, dashed=True)
    assert not seen(EDGE + 13, EDGE + 1, dashed=True)


def test_a_smear_is_no_rest_of_a_stroke():
    """Paler than 0.3 of it."""
    assert seen(EDGE + 4, EDGE + 1, 0.31)
    assert not seen(EDGE + 4, EDGE + 1, 0.29)


def test_what_hides_is_no_longer_than_the_marker():
    """0.75 of 13 pixels is 9.75; thinning takes half a width off the stroke, here 1."""
    loose = replace(CONFIG, gaps=replace(CONFIG.gaps, bridge=1.0))
    assert seen(EDGE + 11, EDGE + 1, config=loose)
    assert not seen(EDGE + 12, EDGE + 1, config=loose)


def test_a_marker_that_cuts_a_stroke_into_pieces_hides_what_joins_them():
    """From the ink at the right rim to a chain on the left, less its half-width, 10 + n pixels: up to 1.7 x 13."""
    for apart, pieces in ((10, 1), (14, 2)):
        first, second = along(EDGE + 3, EDGE + 24, width=4.0), along(X - 6 - apart - 10, X - 6 - apart, width=4.0)
        graph = StrokeGraph(
            np.concatenate([first.pixels, second.pixels]),
            np.concatenate([first.edges, second.edges + len(first.pixels)]),
            np.concatenate([first.half_widths, second.half_widths]),
        )
        strokes = np.zeros(DISC.labels.shape, bool)
        strokes[Y, EDGE + 1 : EDGE + 24] = strokes[Y, : X - 9] = True
        loose = replace(CONFIG, approach=replace(CONFIG.approach, beneath=1.7))
        values = strokes.astype(np.float32)
        assert lead_under_markers(graph, strokes, strokes, values, False, DISC, loose).pieces[0] == pieces


def test_it_is_looked_for_around_the_marker():
    narrow = replace(CONFIG, approach=replace(CONFIG.approach, margin_px=0))
    assert not seen(EDGE + 4, EDGE + 1, config=narrow)


# --- bridges ---


def test_two_chains_are_bridged_where_they_are_nearest():
    """A gap of n pixels between ends whose halves of a width of 1 do not count: the mask says what is bare."""
    for gap, many in ((3, 2), (4, 0)):
        mask = np.zeros(ARM.labels.shape, bool)
        first, second = BORDER + 4, BORDER + 14 + gap
        mask[Y, first : first + 10] = True
        mask[Y, second : second + 10] = True
        one, other = along(first, first + 10), along(second, second + 10)
        graph = StrokeGraph(
            np.concatenate([one.pixels, other.pixels]),
            np.concatenate([one.edges, other.edges + len(one.pixels)]),
            np.concatenate([one.half_widths, other.half_widths]),
        )
        found = bridges(graph, mask, False, ARM, CONFIG)
        assert len(found) == many
        if many:
            assert sorted(map(sorted, found.tolist())) == [[9, 10], [9, 10]]
    assert bridges(along(BORDER + 4, BORDER + 14), mask, False, ARM, CONFIG).shape == (0, 2)
