"""How a floor without cells is parted: no piece lies on both sides of a wall, ends are pieces, all is even."""

from __future__ import annotations

import numpy as np
import pytest

from detectors.maze.floor.config import FloorConfig
from detectors.maze.floor.marks import find_mark
from detectors.maze.floor.pieces import FloorEnd, hanging_together, middle_line, part_floor
from detectors.maze.floor.walls import cut_floor, shortest_ray
from detectors.maze.floor.widths import FloorWidths, measure_widths
from grader.metrics.rollouts import path_length
from tests.maze.floors.scenes import GOAL, START, floor, picture

CONFIG = FloorConfig()
NONE = np.zeros(floor().shape, np.bool_)
UNIT, WALL = 60.0, 20.0


def corridor(length: int = 300, width: int = 20) -> np.ndarray:
    mask = np.zeros((width + 40, length + 40), np.bool_)
    mask[20 : 20 + width, 20 : 20 + length] = True
    return mask


def parted(mask: np.ndarray, start: tuple[int, int], goal: tuple[int, int], unit: float, wall: float):
    none = np.zeros(mask.shape, np.bool_)
    made = part_floor(mask, none, (FloorEnd(start, none), FloorEnd(goal, none)), unit, wall, CONFIG)
    assert made is not None
    return made


def test_widths_are_those_of_corridors_and_of_walls_between_them() -> None:
    mask = np.zeros((120, 200), np.bool_)
    for top in (10, 46, 82):
        mask[top : top + 28, 10:190] = True
    widths = measure_widths(mask, CONFIG)
    assert widths is not None
    assert (widths.corridor, widths.wall) == (pytest.approx(28, abs=1.5), pytest.approx(8, abs=1.5))
    assert widths.unit == widths.corridor + widths.wall
    assert measure_widths(np.zeros((20, 20), np.bool_), CONFIG) is None


def test_walls_without_floor_on_both_sides_count_as_wide_as_a_corridor() -> None:
    assert measure_widths(corridor(), CONFIG) == FloorWidths(pytest.approx(20, abs=1), pytest.approx(20, abs=1))


def test_a_straight_corridor_is_parted_evenly_into_a_chain() -> None:
    made = parted(corridor(), (30, 34), (30, 305), 24.0, 4.0)
    count = int(made.labels.max())
    assert count == pytest.approx(300 / 24, abs=2)
    assert len(made.passages) == count - 1
    on = corridor()
    areas = np.bincount(made.labels[on])[1:]
    assert areas.min() > 0.5 * np.median(areas)


def test_pieces_reach_half_a_wall_beyond_the_floor_and_no_farther() -> None:
    made = parted(corridor(), (30, 34), (30, 305), 24.0, 4.0)
    rows = np.flatnonzero(made.labels[:, 150])
    assert (rows[0], rows[-1]) == (pytest.approx(18, abs=1), pytest.approx(41, abs=1))


def test_what_lies_beyond_a_wall_takes_half_of_it() -> None:
    mask, none = corridor(), np.zeros((60, 340), np.bool_)
    page = none.copy()
    page[:17] = True
    ends = (FloorEnd((30, 34), none), FloorEnd((30, 305), none))
    made = part_floor(mask, page, ends, 24.0, 12.0, CONFIG)
    assert made is not None
    assert not made.labels[:18, 150].any()
    assert made.labels[20, 150]


def test_the_floor_is_cut_to_both_sides_where_a_wall_ends() -> None:
    cuts = cut_floor(floor(), UNIT, CONFIG)
    # The wall between the two corridors ends at x = 160.
    above, below = (np.nonzero(cuts[rows])[1] for rows in (slice(0, 60), slice(100, 140)))
    assert above.size
    assert below.size
    assert min(above.min(), below.min()) > 110


def test_no_piece_lies_on_both_sides_of_a_wall_nor_touches_one_that_does() -> None:
    made = parted(floor(), START[::-1], GOAL[::-1], UNIT, WALL)
    # The wall's end is told to half its width, which is 20 pixels.
    above = set(np.unique(made.labels[20:60, 10:130]).tolist())
    below = set(np.unique(made.labels[100:140, 10:130]).tolist())
    assert not above & below
    assert not any(set(pair) & above and set(pair) & below for pair in made.passages)


def test_start_and_goal_are_pieces_of_their_own() -> None:
    made = parted(floor(), START[::-1], GOAL[::-1], UNIT, WALL)
    for spot, piece in ((START[::-1], made.start), (GOAL[::-1], made.goal)):
        assert made.labels[spot] == piece
        rows, columns = np.nonzero((made.labels == piece) & floor())
        assert (columns.max() - spot[1]) == pytest.approx(0.5 * UNIT, abs=3)
        assert np.ptp(rows) == 39


def test_what_marks_an_end_belongs_to_its_piece() -> None:
    mark = NONE.copy()
    mark[30:50, 20:100] = True
    ends = (FloorEnd(START[::-1], mark), FloorEnd(GOAL[::-1], NONE))
    made = part_floor(floor(), NONE, ends, UNIT, WALL, CONFIG)
    assert made is not None
    assert set(made.labels[mark].tolist()) == {made.start}


def test_too_many_pieces_are_none() -> None:
    ends = (FloorEnd((30, 34), NONE), FloorEnd((30, 305), NONE))
    few = FloorConfig(most_pieces=4)
    none = np.zeros(corridor().shape, np.bool_)
    ends = (FloorEnd((30, 34), none), FloorEnd((30, 305), none))
    assert part_floor(corridor(), none, ends, 24.0, 4.0, few) is None


def test_the_way_keeps_to_the_middle_and_is_as_long_as_that() -> None:
    line = middle_line(floor(), START[::-1], GOAL[::-1], UNIT, CONFIG)
    assert line[0] == pytest.approx(np.array(START) + 0.5)
    assert line[-1] == pytest.approx(np.array(GOAL) + 0.5)
    # There, around and back by the middles: 150 + 80 + 150, less what corners are cut.
    assert 330 < path_length(line) < 385
    rows, columns = line[:, 1].astype(int), line[:, 0].astype(int)
    assert floor()[rows, columns].all()


def test_only_what_can_be_reached_hangs_together() -> None:
    mask = floor().copy()
    mask[:, 100:110] = False
    joined = hanging_together(mask, START[::-1])
    assert joined[40, 50]
    assert not joined[40, 150]
    assert not joined[120, 50]


def test_the_shortest_ray_ends_at_the_nearest_wall() -> None:
    found = shortest_ray(floor(), (30, 90), 0.0, 180.0, 100.0, CONFIG)
    assert found is not None
    assert np.hypot(*(found[1] - found[0])) == pytest.approx(11, abs=1)
    assert shortest_ray(floor(), (80, 60), np.pi, 10.0, 100.0, CONFIG) is None


def test_a_marker_is_told_by_colours_that_the_floor_has_nowhere_else() -> None:
    ends = [START[::-1], GOAL[::-1]]
    mark = find_mark(picture(), floor(), ends[0], ends, UNIT, CONFIG)
    assert np.count_nonzero(mark) == pytest.approx(np.pi * 9**2, rel=0.1)
    plain = picture().copy()
    plain[20:60, 10:60] = 255
    assert not find_mark(plain, floor(), ends[0], ends, UNIT, CONFIG).any()
