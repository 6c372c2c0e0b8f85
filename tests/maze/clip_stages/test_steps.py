"""A marker's way through the cells, step by step, on a maze of 2 x 3 cells of 32 pixels."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from detectors.maze.clips.blobs import Spot, travel
from detectors.maze.clips.config import BlobConfig, StepConfig
from detectors.maze.clips.findings import Blob, Sight
from detectors.maze.clips.steps import StepFault, cell_at, walk_cells
from tests.maze.stages.plans import CELL, MARGIN, corner, middle, plan_of

WAYS = {(1, 2), (2, 3), (3, 6), (5, 6), (4, 5)}
PLAN = plan_of(2, 3, WAYS)
CONFIG = StepConfig()


def blob(x: float, y: float, radius: float = 4.0) -> Blob:
    return Blob(x, y, radius, (200.0, 0.0, 0.0), 50.0)


def spots(*points) -> list[Spot]:
    return [Spot(index, index / 25, blob(*point)) for index, point in enumerate(points)]


def cells_of(*points, config=CONFIG, plan=PLAN):
    walk = walk_cells(spots(*points), plan, config)
    return [one.cell for one in walk.visits], [one.fault for one in walk.visits], list(walk.cells)


def at(cell: int) -> tuple[int, int]:
    return middle(cell, 3)


def between(one, other, share: float) -> tuple[float, float]:
    return one[0] + share * (other[0] - one[0]), one[1] + share * (other[1] - one[1])


def test_no_spots_no_way():
    walk = walk_cells([], PLAN, CONFIG)
    assert (walk.visits, walk.cells) == ((), ())


def test_a_way_through_passages_is_right():
    visits, faults, cells = cells_of(at(1), between(at(1), at(2), 0.4), at(2), at(3), at(6))
    assert visits == [1, 2, 3, 6]
    assert faults == [None] * 4
    assert cells == [1, 1, 2, 3, 6]


def test_a_visit_knows_when():
    walk = walk_cells(spots(at(1), at(1), at(2)), PLAN, CONFIG)
    assert [(one.cell, one.spot.index, one.spot.time_s) for one in walk.visits] == [(1, 0, 0.0), (2, 2, 2 / 25)]


def test_a_marker_is_in_a_cell_once_it_is_a_tenth_of_it_inside():
    """0.1 of 32 pixels is 3.2; pixel n of a cell is n + 0.5 from its border: 2.5 is not, 3.5 is."""
    left, _ = corner(2, 3)
    y = at(2)[1]
    assert cells_of(at(1), (left + 2, y))[0] == [1]
    assert cells_of(at(1), (left + 3, y))[0] == [1, 2]


def test_a_step_through_a_wall_is_a_fault():
    assert cells_of(at(1), at(4))[1] == [None, StepFault.WALL]
    # A way on after it is judged from there.
    visits, faults, _ = cells_of(at(1), at(4), at(5))
    assert (visits, faults) == ([1, 4, 5], [None, StepFault.WALL, None])


def test_a_step_out_of_the_maze_is_a_fault():
    visits, faults, _ = cells_of(at(2), (at(2)[0], MARGIN - 8))
    assert (visits, faults) == ([2, 0], [None, StepFault.OUTSIDE])


@pytest.mark.parametrize(("share", "fault"), [(1.5, None), (1.55, StepFault.JUMP)])
def test_a_step_is_at_most_a_cell_and_a_half(share, fault):
    """Along cells 1, 2 and 3, which passages join: 48 pixels are right, 49.6 are not."""
    x, y = at(1)
    end = (x - 8 + share * CELL, y)
    visits, faults, _ = cells_of((x - 8, y), end)
    assert visits == [1, 2] if end[0] < corner(3, 3)[0] else [1, 2, 3]
    assert faults[-1] is fault


def test_of_a_fast_marker_steps_may_be_longer():
    """Of eight steps, this one counted, seven of 0.6 cells make three times that usual, 1.8: one of 1.75 is right."""
    x, y = corner(1, 3)[0] + 4, at(1)[1]
    for steps, fault in ((7, None), (6, StepFault.JUMP)):
        back_and_forth = [(x + 0.6 * CELL * (number % 2), y) for number in range(steps + 1)]
        start = back_and_forth[-1][0]
        assert cells_of(*back_and_forth, (start + 1.75 * CELL, y))[1][-1] is fault
    # Never more than 2.5 cells.
    quick = [(x + 1.4 * CELL * (number % 2), y) for number in range(9)]
    assert cells_of(*quick, (x + 2.45 * CELL, y))[1][-1] is None
    assert cells_of(*quick, (x + 2.6 * CELL, y))[1][-1] is StepFault.JUMP


def test_what_trembles_does_not_move():
    """Steps of 0.02 cells, 0.64 pixels, do not count as usual ones."""
    x, y = at(1)
    still = [(x + 0.6 * (number % 2), y) for number in range(20)]
    assert cells_of(*still, (x + 1.45 * CELL, y))[1][-1] is None
    moving = [(x + 0.7 * (number % 2), y) for number in range(20)]
    assert cells_of(*moving, (x + 1.45 * CELL, y))[1][-1] is None
    low = replace(CONFIG, longest=0.01)
    assert cells_of(*still, between(at(1), at(2), 0.9), config=low)[1][-1] is StepFault.JUMP


def test_a_step_may_pass_a_wall_s_end():
    """The wall between 2 and 5 ends at 3 and 6: from 3 by way of 6 to 5, around its end, is hardly longer."""
    right, bottom = corner(3, 3)[0], corner(6, 3)[1]
    visits, faults, _ = cells_of((right + 5, bottom - 5), (right - 5, bottom + 5))
    assert (visits, faults) == ([3, 6, 5], [None, None, None])
    # 10 pixels across and down are 14.1, less than half a cell; 12 are 17, more.
    assert cells_of((right + 6, bottom - 6), (right - 6, bottom + 6))[1] == [None, StepFault.WALL]
    # A way around that is much longer is none: 1.1 times the way and 0.15 cells, 4.8 pixels.
    short = replace(CONFIG, detour=1.0, detour_more=0.0)
    assert cells_of((right + 5, bottom - 5), (right - 5, bottom + 5), config=short)[1] == [None, StepFault.WALL]
    assert cells_of((right - 16, bottom - 5), (right - 16, bottom + 5))[1] == [None, StepFault.WALL]
    # In a reduced picture no wall gets a hole.
    coarse = replace(CONFIG, window_px=8)
    assert cells_of((right - 16, bottom - 5), (right - 16, bottom + 5), config=coarse)[1] == [None, StepFault.WALL]


def test_the_cells_between_are_visited_too():
    """From 1 to 3 in one fast step: 2 lies between."""
    x, y = corner(1, 3)[0] + 4, at(1)[1]
    quick = [(x + 1.0 * CELL * (number % 2), y) for number in range(9)]
    visits, faults, _ = cells_of(*quick, (x + 2.1 * CELL, y))
    assert visits[-3:] == [1, 2, 3]
    assert faults[-3:] == [None, None, None]
    # No more than so many are looked for.
    none = cells_of(*quick, (x + 2.1 * CELL, y), config=replace(CONFIG, passed=0))
    assert none[0][-2:] == [1, 3]


def test_a_place_has_a_cell_also_beyond_the_picture():
    assert cell_at(PLAN, *at(6)) == 6
    assert cell_at(PLAN, 1.0, 1.0) == 0
    assert cell_at(PLAN, -5.0, 1000.0) == 0
    assert (cell_at(PLAN, *at(3)), cell_at(PLAN, *at(4))) == (3, 4)


# --- from blobs to the way of one marker ---

BLOBS = BlobConfig()
BLUE = (10.0, 100.0, 180.0)
FLOOR = np.array([255.0, 255.0, 255.0])


def sights(*frames, scenes=()) -> list[Sight]:
    """A sight for each frame's blobs, at 25 frames a second."""
    return [Sight(index, index / 25, 0.0, tuple(blobs), None, index in scenes) for index, blobs in enumerate(frames)]


def ways(*frames, scenes=(), least=0.0, config=BLOBS):
    found = travel(sights(*frames, scenes=scenes), least, float(CELL), FLOOR, config)
    return [(one.index, one.blob.x) for one in found.spots], [(one.index, one.blob.x) for one in found.others]


def test_no_blobs_no_way_of_one():
    assert ways([], []) == ([], [])


def test_blobs_are_joined_from_frame_to_frame():
    assert ways([blob(10, 5)], [blob(14, 5)], [blob(18, 5)]) == ([(0, 10), (1, 14), (2, 18)], [])


def test_the_longest_way_is_the_marker_s():
    frames = [[blob(10, 5), blob(100 + 5 * number, 60)] for number in range(10)]
    assert ways(*frames)[0] == [(number, 100 + 5 * number) for number in range(10)]


def test_another_blob_counts_if_it_lasts():
    """0.25 s are 6.25 frames: seen from 0 to 6 is 0.24 s, from 0 to 7 is 0.28."""
    for last, others in ((6, []), (7, [(0, 10)])):
        frames = [[blob(100 + 5 * number, 60), *([blob(10, 5)] if number <= last else [])] for number in range(20)]
        assert ways(*frames)[1] == others


def mixed_ways(share: float, other: tuple[float, float, float] | None = None):
    """A blue marker on white that goes 30 px every other frame; between, frames are mixed of the one before and after.

    ``share`` is that of the one before. Of the two blobs the later one may have another colour.
    """

    def color(part):
        return tuple(255.0 - part * (255.0 - one) for one in BLUE)

    frames = []
    for number in range(20):
        x = 100.0 + 30.0 * number
        mixed = [Blob(x, 60.0, 4.0, color(share), 50.0), Blob(x + 30, 60.0, 4.0, other or color(1.0 - share), 50.0)]
        frames += [[Blob(x, 60.0, 4.0, BLUE, 50.0)], mixed]
    return ways(*frames)


@pytest.mark.parametrize("share", [0.5, 0.33, 0.67])
def test_frames_that_are_mixed_of_two_show_one_marker_twice(share):
    """From x = 100 to 100 + 20 * 30, and no place of the way is missing."""
    spots, others = mixed_ways(share)
    assert others == []
    assert {x for _, x in spots} >= {100.0 + 30.0 * number for number in range(20)}


def test_most_frames_may_be_mixed():
    """16 frames a second as 24: of three frames two are mixed, 2/3 + 1/3 and 1/3 + 2/3; a cut of the way in one."""
    frames = []
    for number in range(12):
        x = 100.0 + 30.0 * number
        frames.append([Blob(x, 60.0, 4.0, BLUE, 50.0)])
        for share in (2 / 3, 1 / 3):
            color, other = (tuple(255.0 - part * (255.0 - one) for one in BLUE) for part in (share, 1.0 - share))
            # The paler one is mostly too faint to be ink.
            blobs = [Blob(x, 60.0, 4.0, color, 50.0), Blob(x + 30, 60.0, 4.0, other, 50.0)]
            faint = 0 if share < 0.5 else 1
            frames.append(blobs if number % 5 == 0 else [one for at, one in enumerate(blobs) if at != faint])
    assert ways(*frames)[1] == []


def test_a_second_marker_as_strong_as_the_first_is_another_one():
    """In every other frame there are two of them; the whole of the colours of both is off by nothing."""
    assert mixed_ways(1.0, BLUE)[1] != []
    # One in another colour alone is off, and the marker is not.
    assert mixed_ways(1.0, (0.0, 160.0, 0.0))[1] != []


def test_a_blob_is_the_one_before_up_to_some_cells_away():
    """2.5 cells are 80 pixels. Farther away it is the same marker, displaced: there is no other."""
    lone = replace(BLOBS, reach=0.0)
    frames = [[blob(10, 5)], [blob(20, 5)], [blob(101, 5)], [blob(111, 5)]]
    assert ways(*frames)[0] == [(0, 10), (1, 20), (2, 101), (3, 111)]
    # Where the way is broken a single frame alone is noise.
    assert ways([blob(10, 5)], [blob(20, 5)], [blob(101, 5)])[0] == [(0, 10), (1, 20)]
    assert ways([blob(10, 5)], [blob(20, 5)], [blob(100, 5)])[0] == [(0, 10), (1, 20), (2, 100)]
    assert len(ways(*frames, config=lone)[0]) == 1


def test_a_blob_may_be_hidden_for_some_frames():
    """Eight: seen at index 1 and then at 10 it is the same; seen at 11, and once only, it is noise."""
    for gap, joined in ((9, True), (10, False)):
        frames = [[blob(10, 5)], [blob(20, 5)], *([[]] * (gap - 1)), [blob(30, 5)]]
        assert (len(ways(*frames)[0]) == 3) is joined


def test_narrow_blobs_and_other_scenes_are_left_out():
    frames = [[blob(10, 5)], [blob(20, 5, 1.0)], [blob(30, 5)]]
    assert ways(*frames, least=1.0)[0] == [(0, 10), (1, 20), (2, 30)]
    assert ways(*frames, least=1.1)[0] == [(0, 10), (2, 30)]
    assert ways(*frames, scenes={1})[0] == [(0, 10), (2, 30)]


def test_each_blob_is_joined_once_the_nearest_first():
    frames = [[blob(10, 5), blob(20, 5)], [blob(19, 5), blob(11, 5)], [blob(12, 5), blob(18, 5)]]
    assert [x for _, x in ways(*frames, [blob(13, 5)], [blob(40, 5)])[0]][:3] in ([10, 11, 12], [20, 19, 18])


def test_what_comes_before_and_after_is_the_same_marker():
    early = [[blob(10 + number, 5)] for number in range(3)]
    long = [[blob(200 + 10 * number, 90)] for number in range(5)]
    late = [[blob(20 + number, 300)] for number in range(3)]
    found = ways(*early, *long, *late)
    assert [index for index, _ in found[0]] == list(range(11))
    assert found[1] == []
