"""From ink to the path it shows: specks, fillings, gaps, dashes and textures, at their thresholds."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np
import pytest

from detectors.maze import paths
from detectors.maze.ink import Ink
from detectors.maze.paths import PathFindings, find_path
from detectors.maze.strokes.config import DashConfig, PathConfig, SpeckConfig, TextureConfig
from detectors.maze.strokes.gaps import bridges, is_dashed
from detectors.maze.strokes.network import Crossing, StrokeNetwork, StrokePiece, distance_to, rim_crossings
from detectors.maze.strokes.segments import median_along, trace_strokes
from tests.maze.stages.plans import CELL, MARGIN, corner, middle, plan_of

WAYS = {(1, 2), (2, 3), (3, 6), (5, 6), (4, 5)}
PLAN = plan_of(2, 3, WAYS, {1: "disc", 4: "cross"})
BARE = plan_of(2, 3, WAYS)
CONFIG = PathConfig()
SHAPE = PLAN.labels.shape
BLUE = (0, 107, 183)
X, Y = middle(5, 3)


def ink_of(asked=None, other=None, grey=None, dark=None, strength=0.145) -> Ink:
    """Ink as its detector would say; strengths are those of an opaque blue."""
    none = np.zeros(SHAPE, bool)
    asked, other, grey, dark = (none if one is None else one for one in (asked, other, grey, dark))
    values = np.where(asked | other, np.float32(strength), np.float32(0.0)).astype(np.float32)
    return Ink(asked, other, grey, dark, dark, none, True, values, np.full(3, 255.0), np.zeros(3))


def line(*points, width=4, mask=None) -> np.ndarray:
    drawn = np.zeros(SHAPE, np.uint8) if mask is None else mask.astype(np.uint8)
    for one, other in pairwise(points):
        cv2.line(drawn, one, other, 1, width)
    return drawn > 0


def box(left, top, width, height) -> np.ndarray:
    mask = np.zeros(SHAPE, bool)
    mask[top : top + height, left : left + width] = True
    return mask


def through(*cells, width=4) -> np.ndarray:
    return line(*(middle(cell, 3) for cell in cells), width=width)


def found(ink: Ink, plan=BARE, config=CONFIG) -> PathFindings:
    picture = plan.picture.copy()
    picture[ink.asked] = BLUE
    return find_path(picture, ink, plan, config)


# --- paths ---


def test_nothing_drawn():
    seen = found(ink_of())
    assert not seen.strokes.any()
    assert seen == PathFindings(
        as_asked=True,
        rgb=None,
        chroma=0.0,
        pieces=(),
        crossings=(),
        polyline=(),
        order=(),
        filled=frozenset(),
        spilled=frozenset(),
        specked=frozenset(),
        exterior_painted=False,
        texture=False,
        colorless=frozenset(),
        half_width_px=0.0,
        strokes=seen.strokes,
        aside=seen.aside,
        dashed=False,
    )
    assert seen.visited == frozenset()


def test_a_path_through_passages_is_one_piece():
    seen = found(ink_of(through(1, 2, 3, 6, 5, 4)), PLAN)
    assert seen.pieces == (StrokePiece(frozenset(range(1, 7)), frozenset(WAYS)),)
    assert seen.crossings == ()
    # From the first marker, the disc in cell 1, to the cross in cell 4.
    assert seen.order == (1, 2, 3, 6, 5, 4)
    assert seen.visited == frozenset(range(1, 7))
    assert seen.as_asked
    assert seen.rgb.tolist() == list(BLUE)
    assert seen.chroma == pytest.approx(0.145)
    # Drawn 4 to 5 pixels wide.
    assert seen.half_width_px == pytest.approx(2.3, abs=0.3)
    assert np.hypot(*(np.array(seen.polyline[0]) - middle(1, 3))) < 4
    assert np.hypot(*(np.array(seen.polyline[-1]) - middle(4, 3))) < 9


def test_a_stroke_through_a_wall_is_a_crossing_and_parts_the_pieces():
    seen = found(ink_of(through(1, 4)))
    assert [(one.first, one.second) for one in seen.crossings] == [(1, 4)]
    x, y = seen.crossings[0].at
    assert (x, y) == (pytest.approx(middle(1, 3)[0], abs=1.5), pytest.approx(corner(4, 3)[1], abs=1.5))
    assert [one.cells for one in seen.pieces] == [frozenset({1}), frozenset({4})]
    assert all(not one.steps for one in seen.pieces)


def test_pieces_with_more_cells_come_first():
    seen = found(ink_of(through(4, 5) | through(1, 2, 3, 6)))
    assert [one.cells for one in seen.pieces] == [frozenset({1, 2, 3, 6}), frozenset({4, 5})]


def test_a_stroke_has_to_enter_a_cell_by_more_than_half_a_wall():
    """The centreline ends about two pixels before its ink: 2 pixels into cell 2 are too little, 10 are not."""
    left, _ = corner(2, 3)
    x, y = middle(1, 3)
    for reach, cells in ((2, {1}), (10, {1, 2})):
        seen = found(ink_of(box(x - 6, y - 2, left + reach - x + 6, 5)))
        assert [set(one.cells) for one in seen.pieces] == [cells]


def test_an_outer_wall_is_crossed_by_three_pixels_all_the_way_through():
    left, top = corner(2, 3)
    for width, crossed in ((2, 0), (3, 1)):
        strokes = box(left + 14, top - 8, width, 20)
        assert len(rim_crossings(strokes, BARE, CONFIG.exterior)) == crossed
    ((first, second),) = [
        (one.first, one.second) for one in rim_crossings(box(left + 14, top - 8, 4, 20), BARE, CONFIG.exterior)
    ]
    assert (first, second) == (0, 2)
    # It ends within the wall: no way out. The wall's row counts, and 5 steps beyond it.
    assert rim_crossings(box(left + 14, top - 3, 4, 20), BARE, CONFIG.exterior) == ()
    (crossing,) = rim_crossings(box(left + 14, top - 8, 4, 20), BARE, CONFIG.exterior)
    assert crossing.at == (pytest.approx(left + 16, abs=1), top + 1.5)


def test_the_colour_of_the_path_is_the_asked_one_if_a_quarter_has_it():
    """Strokes of 60 x 4 in another colour, and of 15 x 4 in the asked one: a quarter is enough."""
    other = box(X - 30, Y - 2, 60, 4)
    left, top = corner(2, 3)
    for length, as_asked in ((14, False), (15, True)):
        seen = found(ink_of(box(left + 6, top + 10, length, 4), other))
        assert seen.as_asked is as_asked
    assert found(ink_of(None, other)).as_asked is False


# --- specks, fillings ---


def test_ink_apart_of_less_than_a_share_of_a_cell_is_a_speck():
    """0.0025 of 1024 pixels is 2.56. The path is far away."""
    path = through(1, 2)
    for side, pieces in (((2, 1), 1), ((3, 1), 2)):
        seen = found(ink_of(path | box(X, Y, *side)))
        assert len(seen.pieces) == pieces
        assert seen.specked == (frozenset() if pieces == 2 else frozenset({5}))
    # Less than 0.0006 of it, 0.61 of a pixel, is not even counted: here half a pixel, by its strength.
    ink = ink_of(path | box(X, Y, 1, 1))
    ink.strength[Y, X] = 0.5 * ink.strength.max()
    assert found(ink).specked == frozenset()
    ink.strength[Y, X] = 0.7 * ink.strength.max()
    assert found(ink).specked == frozenset({5})


def test_less_ink_than_a_speck_is_no_stroke_at_all():
    seen = found(ink_of(box(X, Y, 2, 1)))
    assert (seen.pieces, seen.specked) == ((), frozenset({5}))


def test_three_specks_in_a_cell_are_a_dotted_line():
    for count, spilled in ((2, frozenset()), (3, frozenset({5}))):
        mask = through(1, 2)
        for number in range(count):
            mask |= box(X - 8 + 7 * number, Y, 1, 1)
        seen = found(ink_of(mask))
        assert seen.spilled & {5} == spilled
    loose = replace(CONFIG, specks=SpeckConfig(dots_in_cell=2))
    assert 5 in found(ink_of(through(1, 2) | box(X, Y, 1, 1) | box(X + 6, Y, 1, 1)), config=loose).spilled


def test_specks_beside_a_marker_are_its_smear():
    disc = PLAN.markers[0]
    mask = through(3, 6) | box(disc.left + disc.mask.shape[1] + 1, disc.top + 6, 3, 2)
    assert len(found(ink_of(mask), PLAN).pieces) == 1
    assert len(found(ink_of(mask), BARE).pieces) == 2


def test_pinholes_are_closed_but_not_across_walls():
    """0.03 of 32 pixels is 0.96, so 1: a gap of a pixel or two in a stroke is closed."""
    mask = through(1, 2, width=5)
    left, _ = corner(2, 3)
    mask[:, left + 8] = False
    assert len(found(ink_of(mask)).pieces) == 1
    wide = through(1, 2, width=5)
    wide[:, left + 4 : left + 14] = False
    assert len(found(ink_of(wide)).pieces) == 2
    # Ink on both sides of a wall, but not on it, has not crossed it.
    beside = box(X - 2, corner(5, 3)[1] - 22, 4, 20) | box(X - 2, corner(5, 3)[1] + 2, 4, 20)
    assert len(found(ink_of(beside), config=replace(CONFIG, gaps=replace(CONFIG.gaps, under_wall=0.0))).crossings) == 0


def inked(share: float) -> np.ndarray:
    """The first pixels of cell 5's floor, more than a share of them by one."""
    at = np.argwhere(BARE.floor & (BARE.labels == 5))
    mask = np.zeros(SHAPE, bool)
    mask[tuple(at[: int(share * BARE.cell_areas[5]) + 1].T)] = True
    return mask


def test_a_cell_is_filled_from_a_share_of_its_floor():
    assert found(ink_of(inked(0.72))).filled == frozenset({5})
    last = np.argwhere(inked(0.72))[-1]
    almost = inked(0.72)
    almost[tuple(last)] = False
    assert found(ink_of(almost)).filled == frozenset()
    assert 5 in found(ink_of(almost)).spilled


def test_a_line_that_is_wide_everywhere_fills_no_narrow_cell():
    """A line of 24 of 28 pixels of floor has most of cell 2, and less of cell 3, and is as deep in both."""
    config = replace(CONFIG, filled=0.8, mostly=1.0, wider=0.0)
    wide = through(1, 2, 3, width=24)
    assert found(ink_of(wide), config=replace(config, deeper=0.0)).filled == frozenset({1, 2})
    assert found(ink_of(wide), config=config).filled == frozenset()


@pytest.mark.parametrize(("strength", "away", "told"), [(0.3, 4, False), (0.4, 4, True), (0.3, 24, True)])
def test_what_is_pale_beside_a_line_is_no_stroke(strength, away, told):
    """Less than 0.35 of its strength, up to 16 pixels from it."""
    blot, drawn = box(X - 4, Y + 2, 8, 3), box(X - 40, Y + 2 - away - 4, 56, 4)
    ink = ink_of(drawn | blot)
    ink.strength[blot] *= strength
    assert found(ink).strokes[blot].any() == told


def test_a_cell_is_spilled_into_from_a_share_of_its_floor():
    assert found(ink_of(inked(0.05))).spilled == frozenset({5})
    almost = inked(0.05)
    almost[tuple(np.argwhere(almost)[-1])] = False
    assert found(ink_of(almost)).spilled == frozenset()


def test_an_exterior_is_painted_from_a_quarter():
    at = np.argwhere(BARE.exterior)
    for count, painted in ((len(at) // 4, False), (len(at) // 4 + 1, True)):
        mask = np.zeros(SHAPE, bool)
        mask[tuple(at[:count].T)] = True
        assert found(ink_of(mask)).exterior_painted is painted


def test_paint_outside_is_no_stroke():
    """It reaches over the rim, up to 1.5 walls: 6 pixels inside."""
    mask = BARE.outside | (BARE.depth < 5.0) & ~BARE.outside & (np.arange(SHAPE[0]) < MARGIN + 6)[:, None]
    seen = found(ink_of(mask | through(5, 6)))
    assert seen.exterior_painted
    assert [set(one.cells) for one in seen.pieces] == [{5, 6}]
    assert seen.crossings == ()


# --- textures ---


def test_a_pattern_over_most_cells_and_walls_is_no_path():
    """All six cells are more than 0.7 of them; of two inner walls it has to cross more than three."""
    mesh = np.zeros(SHAPE, bool)
    mesh[MARGIN + 8 : -MARGIN - 8 : 16] = True
    mesh[:, MARGIN + 8 : -MARGIN - 8 : 16] = True
    mesh &= ~BARE.outside
    mesh = cv2.dilate(mesh.astype(np.uint8), np.ones((2, 2), np.uint8)) > 0
    assert not found(ink_of(mesh)).texture
    walled = plan_of(2, 3, {(1, 2)})
    seen = found(ink_of(mesh), walled)
    assert seen.texture
    assert (seen.pieces, seen.crossings, seen.polyline, seen.order) == ((), (), (), ())
    few = replace(CONFIG, texture=TextureConfig(least_crossings=6.0))
    assert not found(ink_of(mesh), walled, few).texture
    assert not found(ink_of(mesh), walled, replace(CONFIG, texture=TextureConfig(cells=1.0))).texture
    assert not found(ink_of(mesh), walled, replace(CONFIG, texture=TextureConfig(crossings=1.0))).texture


def test_many_specks_are_a_pattern():
    """More than 2 for each of 7 ids, one of which is the outside: 15."""
    spots = [(corner(cell, 3)[0] + 8 + 7 * at, corner(cell, 3)[1] + 10) for cell in range(1, 7) for at in range(3)]
    for count, texture in ((14, False), (15, True)):
        mask = np.zeros(SHAPE, bool)
        for x, y in spots[:count]:
            mask[y, x] = True
        mask |= box(X - 2, Y + 2, 6, 4)
        assert found(ink_of(mask)).texture is texture


# --- no colour ---


def test_a_black_line_between_cells_is_a_path_without_colour():
    seen = found(ink_of(grey=through(1, 2, 3)))
    assert seen.colorless == frozenset({1, 2, 3})
    assert found(ink_of(grey=box(X - 4, Y - 2, 8, 4))).colorless == frozenset()
    assert found(ink_of(through(5, 6), grey=through(1, 2, 3))).colorless == frozenset()


# --- gaps ---


def gap_line(gap: int) -> np.ndarray:
    """A line of 5 rows through cells 4 and 5 with a gap in the middle of cell 5."""
    return box(middle(4, 3)[0] - 8, Y - 2, X - gap // 2 - middle(4, 3)[0] + 8, 5) | box(
        X - gap // 2 + gap, Y - 2, 14, 5
    )


@pytest.mark.parametrize(("gap", "pieces"), [(3, 1), (4, 2)])
def test_a_gap_is_bridged_up_to_a_share_of_a_cell(gap, pieces):
    """0.12 of 32 pixels is 3.84."""
    assert len(found(ink_of(gap_line(gap)), config=replace(CONFIG, specks=SpeckConfig(pinhole=0.0))).pieces) == pieces


def test_no_gap_is_bridged_through_a_wall():
    top = corner(5, 3)[1]
    for under, crossed in ((1.6, True), (0.5, False)):
        config = replace(CONFIG, gaps=replace(CONFIG.gaps, under_wall=under))
        mask = box(X - 2, top - 20, 5, 18) | box(X - 2, top + 2, 5, 18)
        # Four pixels of wall lie between: what goes on beneath it has crossed it.
        assert (len(found(ink_of(mask), config=config).crossings) == 1) is crossed


def test_dust_has_no_gaps():
    mask = gap_line(3)
    graph = trace_strokes(mask)
    assert graph.ends.size == 4
    for most, count in ((4, 2), (3, 0)):
        config = replace(CONFIG, gaps=replace(CONFIG.gaps, most_ends=most))
        assert len(bridges(graph, mask, False, BARE, config)) == count


# --- dashes ---


def dashes(count: int, length: int = 7, gap: int = 6, height: int = 3) -> np.ndarray:
    mask = np.zeros(SHAPE, bool)
    for number in range(count):
        left = MARGIN + 6 + number * (length + gap)
        mask[MARGIN + 14 : MARGIN + 14 + height, left : left + length] = True
    return mask


def dashed(mask: np.ndarray, config=CONFIG, strength=None) -> bool:
    values = mask.astype(np.float32) if strength is None else strength
    return is_dashed(trace_strokes(mask), mask, values, BARE, config)


def test_a_line_in_five_pieces_is_dashed_or_in_three_alike():
    assert dashed(dashes(5))
    assert dashed(dashes(3))
    assert not dashed(dashes(2))
    # Three of which one is more than twice as long as another.
    uneven = dashes(2) | box(MARGIN + 40, MARGIN + 14, 30, 3)
    assert not dashed(uneven)
    assert dashed(uneven, replace(CONFIG, dashes=DashConfig(alike=10.0)))


def test_dots_are_no_dashes():
    """A dot's centreline is a pixel or two long; 3 are needed."""
    assert not dashed(dashes(6, length=3, gap=6))


def test_long_strokes_are_no_dashes():
    """1.5 cells are 48 pixels."""
    short = replace(CONFIG, dashes=DashConfig(length=0.1))
    assert not dashed(dashes(5), short)


def test_dashes_that_hang_together_by_pale_pixels():
    """Weaker than 0.6 of the middle of the stroke."""
    mask = box(MARGIN + 6, MARGIN + 14, 80, 3)
    for pale, expected in ((0.5, True), (0.7, False)):
        strength = mask.astype(np.float32)
        for number in range(6):
            strength[:, MARGIN + 16 + 12 * number : MARGIN + 19 + 12 * number] *= pale
        assert dashed(mask, strength=strength) is expected


def test_gaps_of_a_dashed_line_are_wider():
    """0.3 of 32 pixels is 9.6: a gap of 8 is bridged, one of 12 is not."""
    for gap, pieces in ((8, 1), (12, 5)):
        seen = found(ink_of(dashes(5, length=8, gap=gap)))
        assert len(seen.pieces) == pieces


# --- graphs ---


def test_distance_to_a_marker_is_that_to_its_nearest_pixel():
    disc = PLAN.markers[0]
    row = disc.top + disc.mask.shape[0] // 2
    right = disc.left + disc.mask.shape[1] - 1
    pixels = np.array([[row, right], [row, right + 3], [row, disc.left - 5], [disc.top - 2, disc.left + 6]], np.intp)
    assert distance_to(disc, pixels).tolist() == [0.0, 3.0, 5.0, 2.0]


def test_the_median_along_centrelines():
    mask = box(X - 10, Y - 2, 21, 5)
    graph = trace_strokes(mask)
    values = np.zeros(SHAPE, np.float32)
    values[:, X:] = 2.0
    values[:, : X - 2] = 1.0
    assert median_along(values, graph) in (1.0, 2.0)
    assert median_along(values, trace_strokes(np.zeros(SHAPE, bool))) == 0.0


def test_a_route_begins_at_a_marker():
    graph = trace_strokes(through(1, 2, 3))
    network = StrokeNetwork(graph, PLAN, CONFIG.approach.reach)
    route = graph.pixels[network.longest_route()]
    assert np.hypot(*(route[0] - middle(1, 3)[::-1])) < 4
    assert route[-1][1] > corner(3, 3)[0]
    assert network.cells_along(network.longest_route()) == (1, 2, 3)
    backwards = StrokeNetwork(trace_strokes(through(6, 5, 4)), PLAN, CONFIG.approach.reach)
    assert backwards.cells_along(backwards.longest_route()) == (4, 5, 6)


def test_a_stroke_that_ends_in_a_marker_s_cell_has_to_come_close():
    """0.15 of 32 pixels is 4.8 from the disc, whose right edge is 6 pixels from the middle of cell 1."""
    disc = PLAN.markers[0]
    edge = disc.left + disc.mask.shape[1]
    for gap, reached in ((4, True), (8, False)):
        mask = box(edge + gap, middle(1, 3)[1] - 2, middle(2, 3)[0] - edge - gap, 5)
        seen = found(ink_of(mask), PLAN)
        assert (1 in seen.visited) is reached


def test_crossings_are_kept_by_cells():
    assert Crossing(1, 4, (2.0, 3.0)) == Crossing(first=1, second=4, at=(2.0, 3.0))
    both = found(ink_of(through(2, 5) | through(1, 4)))
    assert [(one.first, one.second) for one in both.crossings] == [(1, 4), (2, 5)]
    assert CELL == 32


def test_what_lies_apart_from_the_line_in_its_own_cells_is_aside():
    """A blot beside the line, and a stub on a wall that enters no cell; a stroke in another cell is a stray one."""
    way = through(1, 2, 3, 6)
    left, top = corner(2, 3)
    blot = box(left + 10, top + 4, 7, 6)
    stub = box(corner(4, 3)[0] + 10, corner(4, 3)[1] - 2, 9, 4)
    stray = through(4, 5)
    assert not found(ink_of(way)).aside.any()
    for mark, aside in ((blot, True), (stub, True), (stray, False)):
        seen = found(ink_of(way | mark), PLAN)
        assert bool(seen.aside[mark].any()) is aside
        assert not seen.aside[way & ~mark].any()


def test_a_second_rail_along_most_of_the_line_is_a_part_of_it():
    """Two lines of 2 pixels, 8 apart, from cell 1 to 3: nearly all along is a rail, as is 0.7 of it; less is aside."""
    row = middle(1, 3)[1]
    left, right = middle(1, 3)[0], middle(3, 3)[0]
    line = box(left, row - 5, right - left, 2)
    for share, aside in ((0.9, False), (0.4, True)):
        rail = box(left + 2, row + 3, round(share * (right - left)), 2)
        assert bool(found(ink_of(line | rail), PLAN).aside[rail].any()) is aside


@pytest.mark.parametrize("drawn", [dashes(5), through(1, 2, 3)], ids=["dashes", "line"])
def test_of_a_dashed_line_there_is_no_tube_that_things_could_outgrow(monkeypatch, drawn):
    """A gap may have been bridged beside one."""
    given = []

    def seen_along(strokes, along, *_):
        given.append(len(along))
        return np.zeros(strokes.shape, bool)

    monkeypatch.setattr(paths, "outgrowths", seen_along)
    seen = found(ink_of(drawn))
    assert (given[0] == 0) is seen.dashed is dashed(drawn)
