"""What is left of a maze by where it lies, and how plain it has to be, window by window.

Each window is tried on islands of floor in sight in which no larger window has enough and no smaller one sees first.
"""

from __future__ import annotations

import bisect
from dataclasses import replace

import numpy as np
import pytest

from detectors.common.residual.energy import EnergyConfig
from detectors.common.residual.mixing import seen_color
from detectors.common.residual.windows import WindowsConfig
from detectors.maze.remainder.config import RemainderConfig
from detectors.maze.remainder.roles import Remainder, Role, remainders
from tests.maze.remainder.scenes import PLAN, SHAPE, at, box, ink_of, residual_of

WINDOWS = replace(WindowsConfig(), surround=100.0, uneven=100.0)
"""A surround as large as the picture, so that the same is taken off everywhere."""

AVERAGES = RemainderConfig(energy=EnergyConfig(visible=1e9))
"""Without what is plain by its energy alone."""

CELLS = range(1, 13)
ISLANDS = {"dot": (3, 3), "spot": (5, 5), "blot": (7, 7), "patch": (19, 19), "line": (7, 1)}
"""Of windows of 9, 49, 121, 361 and 9 pixels at least 5, 25, 49, 127 and 7 have to be in sight."""

TINT = (0.0, 0.6, 0.8)
"""A hue that no wall has."""


def found(
    marks: dict[int, float],
    island: str = "spot",
    usual: float = 0.0,
    block: float = 0.0,
    tint=TINT,
    lined: tuple[int, ...] = (),
) -> tuple[Remainder, ...]:
    """What is left where each cell shows an island, and some have a mark of a contrast all over it.

    The others have the usual contrast, and a block of 9 x 9 of another one. The line is in some cells.
    """
    values, usable = np.zeros((*SHAPE, 3), np.float32), PLAN.outside.copy()
    for cell in CELLS:
        spot = box(*at(cell), *ISLANDS[island])
        usable[spot] = True
        values[spot] = marks.get(cell, usual) * np.array(tint, np.float32)
        if block and cell not in marks:
            values[box(*at(cell), 9, 9)] = block * np.array(tint, np.float32)
    # At the picture's edge, where no window of a cell comes, is what makes the average of it all nothing.
    edge = np.ones(SHAPE, bool)
    edge[6:-6, 6:-6] = False
    values[edge] = -values.sum(axis=(0, 1)) / np.count_nonzero(edge)
    strokes = np.isin(PLAN.labels, lined)
    return remainders(residual_of(values, usable), PLAN, ink_of(), strokes, replace(AVERAGES, windows=WINDOWS), 1.0)


def told(things: tuple[Remainder, ...]) -> list[tuple[Role, tuple[int, ...]]]:
    return [(thing.role, thing.cells) for thing in things]


def test_nothing_is_left_of_an_even_floor():
    assert found({}) == ()
    assert found({}, usual=0.019) == ()


def test_beside_the_line_noise_is_told_by_itself():
    """Where the line's cells show spots of 0.009, three times as much, 0.027, is plain to see, instead of 0.0195."""
    noisy = {2: 0.009, 3: 0.009, 4: 0.009}
    marks = noisy | {6: 0.026, 7: 0.026}
    assert told(found(marks)) == [(Role.WAY, (6, 7))]
    assert found(marks, lined=(2, 3, 4, 6, 7)) == ()
    # What is left there says nothing of other cells.
    assert told(found(marks, lined=(2, 3, 4))) == [(Role.WAY, (6, 7))]
    # However noisy it is there, one and a half times as much as elsewhere is enough.
    strong = {2: 0.018, 3: 0.018, 4: 0.018, 6: 0.03, 7: 0.03}
    assert told(found(strong, lined=(2, 3, 4, 6, 7))) == [(Role.WAY, (6, 7))]


@pytest.mark.parametrize(
    ("island", "alone", "paired"),
    [
        ("dot", 0.275, 0.055),
        ("spot", 0.0195, 0.0195),
        ("blot", 0.015, 0.015),
        ("patch", 0.0077, 0.0077),
        ("line", 0.0792, 0.048),
    ],
)
def test_a_wide_faint_mark_is_seen_like_a_small_strong_one(island, alone, paired):
    """Alone in cell 6, or in cells 6 and 7, which adjoin."""
    for factor, seen in ((0.98, False), (1.02, True)):
        assert told(found({6: alone * factor}, island)) == [(Role.MARK, (6,))] * seen
        both = dict.fromkeys((6, 7), paired * factor)
        assert told(found(both, island)) == [(Role.WAY, (6, 7))] * seen


def test_a_line_alone_has_to_be_plainer_where_there_is_noise():
    """Without any 0.55 * 0.144 = 0.0792 is enough; noise of 3 * 0.0048 = 0.0144 is 0.3 of what is plain, 0.048."""
    for usual, least in ((0.0, 0.0792), (0.0048, 0.144)):
        for factor, seen in ((0.98, False), (1.02, True)):
            assert bool(found({6: least * factor}, "line", usual=usual)) is seen


def test_a_speck_is_no_wide_faint_mark():
    """The same on the average of a spot, once in all of it and once in 5 of its 49 pixels."""
    values, usable = np.zeros((*SHAPE, 3), np.float32), ~PLAN.outside
    wide, speck = values.copy(), values.copy()
    wide[box(*at(6), 7, 7)] = 0.025 * np.array(TINT, np.float32)
    x, y = at(6)
    speck[y, x - 1 : x + 2] = speck[y - 1 : y + 2, x] = 0.025 * 49 / 5 * np.array(TINT, np.float32)
    for picture, seen in ((wide, True), (speck, False)):
        things = remainders(residual_of(picture, usable), PLAN, ink_of(), PLAN.outside, AVERAGES, 1.0)
        assert bool(things) is seen


def test_what_stands_alone_has_to_be_stronger_than_noise():
    """Where every cell shows some; in one alone it has to be some 1.6 times as much as where it leads on."""
    steps = [0.001 * step for step in range(20, 300)]

    def least(cells):
        return steps[
            bisect.bisect_left(steps, True, key=lambda one: bool(found(dict.fromkeys(cells, one), usual=0.015)))
        ]

    paired, alone = least((6, 7)), least((6,))
    assert 1.4 * paired < alone < 1.8 * paired


def test_what_is_in_most_cells_is_noise_up_to_what_compression_leaves():
    """A mark has to be several times as plain as what most cells have; more than that is drawn in them."""
    assert found({6: 0.05}, usual=0.018) == ()
    assert told(found({6: 0.3}, usual=0.018)) == [(Role.MARK, (6,))]
    (thing,) = found({6: 0.001}, usual=0.06)
    assert len(thing.cells) == 11


def test_a_cell_that_catches_the_rim_of_a_plainer_one_is_left_out():
    """Cell 7 shows 1.2 times what is just seen; less than 0.35 of cell 6."""
    rim = 1.2 * 0.0195
    edge = 1.2 / 0.35 * 0.0195
    assert told(found({6: 0.88 * edge, 7: rim})) == [(Role.WAY, (6, 7))]
    assert told(found({6: 1.12 * edge, 7: rim})) == [(Role.WAY, (6,))]
    # Also at a corner: cells 6 and 11.
    assert told(found({6: 0.4, 11: 0.06})) == [(Role.MARK, (6,))]
    # Farther off it is a thing of its own.
    assert told(found({5: 0.4, 7: 0.06})) == [(Role.MARK, (5,)), (Role.MARK, (7,))]


def test_a_wall_has_the_walls_colour():
    """Black on white is a step of 1: from 0.3 of the way, and less than 0.1 to its side."""
    for share, role in ((0.31, Role.WALL), (0.29, Role.MARK)):
        assert told(found({6: share}, tint=(-1.0, 0.0, 0.0))) == [(role, (6,))]
    for aside, role in ((0.095, Role.WALL), (0.105, Role.MARK)):
        assert told(found({6: 1.0}, tint=(-0.6, 0.0, aside))) == [(role, (6,))]
    # What is lighter than the floor is none.
    assert told(found({6: 0.6}, tint=(1.0, 0.0, 0.0))) == [(Role.MARK, (6,))]
    # A bar over two cells is one wall.
    assert told(found({6: 0.9, 7: 0.9}, tint=(-1.0, 0.0, 0.0))) == [(Role.WALL, (6, 7))]


def test_writing_in_a_marker_s_cell():
    assert told(found({1: 0.3})) == [(Role.AT_MARKER, (1,))]
    assert told(found({12: 0.3})) == [(Role.AT_MARKER, (12,))]
    # What leads out of it is more than that, unless it only reaches out of it a little.
    (out,) = found({1: 0.3, 2: 0.3})
    assert out.role is not Role.AT_MARKER
    assert out.cells == (1, 2)
    values = np.zeros((*SHAPE, 3), np.float32)
    x, y = at(1)
    for reach, cells in ((16 + 3, (1,)), (16 + 14, (1, 2))):
        values[y - 4 : y + 4, x - 4 : x + reach] = 0.3 * np.array(TINT, np.float32)
        left = residual_of(values, ~PLAN.outside)
        (word,) = remainders(left, PLAN, ink_of(), PLAN.outside, AVERAGES, 1.0)
        assert word.cells == cells
        assert (word.role is Role.AT_MARKER) is (cells == (1,))


def test_things_apart_are_told_apart_the_plainest_first():
    """Of spots 0.0195 is just seen, and 1.6 times that where they are strong and alone."""
    things = found({2: 0.1, 3: 0.1, 9: 0.4, 12: 0.2})
    assert told(things) == [(Role.MARK, (9,)), (Role.AT_MARKER, (12,)), (Role.WAY, (2, 3))]
    assert [thing.plainness for thing in things] == pytest.approx([0.4 / 0.0312, 0.2 / 0.0312, 0.1 / 0.0195], rel=1e-2)
    assert [thing.contrast for thing in things] == pytest.approx([0.4, 0.2, 0.1], rel=1e-2)


def test_a_bar_across_a_passage_of_a_marker_s_cell_is_no_word():
    """It lies within what a word may reach out of its cell; but it shows all along the passage."""
    border = next(one for one in PLAN.borders if one.open and 1 in (one.first, one.second))
    (top, left), (bottom, right) = border.pixels.min(axis=0), border.pixels.max(axis=0) + 1
    for share, told_ in ((1.0, False), (0.6, True)):
        values = np.zeros((*SHAPE, 3), np.float32)
        rows, columns = slice(top, top + round(share * (bottom - top))), slice(left, right)
        values[rows, columns] = 0.5 * np.array(TINT, np.float32)
        things = remainders(
            residual_of(values, ~PLAN.outside),
            PLAN,
            ink_of(),
            PLAN.outside,
            AVERAGES,
            1.0,
        )
        assert [thing.role for thing in things].count(Role.AT_MARKER) == (len(things) if told_ else 0), share


def test_dots_all_along_a_passage_of_a_marker_s_cell_are_a_wall_and_no_word():
    """Seven of them, 2 of 4 pixels each: as many strokes as a word has; without the outer ones it is one."""
    border = next(one for one in PLAN.borders if one.open and 1 in (one.first, one.second))
    (top, left), (bottom, right) = border.pixels.min(axis=0), border.pixels.max(axis=0) + 1
    for at_most, is_word in ((0, False), (8, True)):
        values = np.zeros((*SHAPE, 3), np.float32)
        for row in range(top + at_most, bottom - at_most, 4):
            values[row : row + 2, left - 2 : right] = 0.5 * np.array(TINT, np.float32)
        things = remainders(residual_of(values, ~PLAN.outside), PLAN, ink_of(), PLAN.outside, AVERAGES, 1.0)
        assert all(thing.role is Role.AT_MARKER for thing in things) is is_word


def test_what_is_hatched_is_seen_by_its_energy():
    """Lines in turn lighter and darker by 0.04, 4 pixels wide: no window has an average of them over its size."""
    stripes = np.where(np.arange(SHAPE[1]) // 2 % 2, 0.04, -0.04)[None, :, None] * np.array(TINT, np.float32)
    values = np.zeros((*SHAPE, 3), np.float32)
    values[box(*at(6), 20, 20)] = np.broadcast_to(stripes, values.shape)[box(*at(6), 20, 20)]
    left = residual_of(values, ~PLAN.outside)
    assert remainders(left, PLAN, ink_of(), PLAN.outside, AVERAGES, 1.0) == ()
    # Of a candidate of four times the size these are 80 x 80 pixels.
    assert told(remainders(left, PLAN, ink_of(), PLAN.outside, RemainderConfig(), 4.0)) == [(Role.MARK, (6,))]


def test_a_faint_mark_beside_what_is_written_at_a_marker_is_seen():
    """Cell 2 shows less than 0.35 of what cell 1 does; away from cell 1 it has the energy of a mark all the same."""
    values = np.zeros((*SHAPE, 3), np.float32)
    values[box(*at(1), 14, 8)] = 0.9 * np.array(TINT, np.float32)
    values[box(*at(2), 16, 16)] = 0.06 * np.array(TINT, np.float32)
    left = residual_of(values, ~PLAN.outside)
    assert told(remainders(left, PLAN, ink_of(), PLAN.outside, AVERAGES, 1.0)) == [(Role.AT_MARKER, (1,))]
    things = remainders(left, PLAN, ink_of(), PLAN.outside, RemainderConfig(), 4.0)
    assert [thing.cells for thing in things if thing.role is not Role.AT_MARKER] == [(1, 2)]


def test_a_wall_that_goes_on_into_a_marker_s_cell_is_no_word():
    """Walls are 4 pixels wide, and the one above cell 1 ends at row 18; 0.12 of 32 pixels are 4, and 0.6 of 4 are 2."""
    for top, wide, far, role in ((18, 3, 8, Role.WALL), (18, 1, 8, Role.AT_MARKER), (21, 3, 8, Role.AT_MARKER)):
        stub = np.zeros(SHAPE, np.bool_)
        stub[top : top + far, 40 : 40 + wide] = True
        left = residual_of(np.where(stub, -0.9, 0.0)[..., None] * np.array((1.0, 0.0, 0.0), np.float32), ~PLAN.outside)
        ink = replace(ink_of(), dark=stub)
        things = remainders(left, PLAN, ink, PLAN.outside, RemainderConfig(), 4.0)
        assert told(things) == [(role, (1,))], (top, wide)


def test_a_bar_across_the_line_in_a_marker_s_cell_is_no_word():
    """A bar of 3 pixels over a line of 4; a word lies apart from it, and 3 pixels from the wall."""
    x, y = at(1)
    line = np.zeros(SHAPE, np.bool_)
    line[y - 2 : y + 2, x + 9 : x + 40] = True
    across, apart = np.zeros((2, *SHAPE), np.bool_)
    across[y - 8 : y + 8, x + 9 : x + 12] = True
    apart[y - 11 : y - 8, x - 8 : x + 5] = True
    for bar, at_marker in ((across, False), (apart, True)):
        values = np.where(bar & ~line, -0.9, 0.0)[..., None] * np.array((1.0, 0.0, 0.0), np.float32)
        ink = replace(ink_of(), dark=bar)
        (thing,) = remainders(residual_of(values, ~PLAN.outside), PLAN, ink, line, RemainderConfig(), 4.0)
        assert (thing.role is Role.AT_MARKER) is at_marker


def test_what_has_a_marker_s_own_hue_is_no_wall_unless_it_lies_along_a_passage():
    """A bar that goes on from the wall above cell 1, and one along all but 6 pixels of its passage to cell 2."""
    hue = seen_color(PLAN.markers[0].rgb) - seen_color(np.array((255.0, 255.0, 255.0)))
    (x, y), (other, _) = at(1), at(2)
    border, stub = (x + other) // 2, np.zeros(SHAPE, np.bool_)
    stub[18:26, 40:43] = True
    along = stub.copy()
    along[18 : y + 8, border - 2 : border + 1] = True
    for bar, roles in ((stub, {Role.AT_MARKER}), (along, {Role.WAY})):
        left = residual_of(bar[..., None] * hue.astype(np.float32), ~PLAN.outside)
        things = remainders(left, PLAN, replace(ink_of(), other=bar), PLAN.outside, RemainderConfig(), 4.0)
        assert {thing.role for thing in things} == roles
