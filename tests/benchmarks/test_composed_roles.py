"""Composed pictures: each role draws something where it says, and harmless things stay where they belong."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from benchmarks.accuracy.drawing import StrokeLook
from benchmarks.accuracy.instances import build
from benchmarks.accuracy.seeds import dice_of
from benchmarks.composed.cases import WRONG, drawn
from benchmarks.composed.harmless import HARMLESS, answer_form
from benchmarks.composed.inks import TEXTURES, Ink, covered, laid
from benchmarks.composed.shapes import Change, Shape
from benchmarks.composed.stages import MazeScene, Stage, at_size, repainted, scene_of

GREEN = Ink("hue", "solid", (60, 200, 60), 1.0, 4.0)
PUZZLES = (
    "maze-square-05-dfs-published",
    "maze-hexagon-05-dfs-published",
    "maze-triangle-08-dfs-published",
    "maze-circle-05-dfs-published",
    "queens-board-06-a-pale",
)
"""Puzzles that have a place for every role."""


@cache
def scene(name):
    puzzle = build(name)
    found = scene_of(Stage(puzzle, at_size(puzzle, 420)), dice_of(f"test/{name}"))
    # As wide as a stroke needs to be to have two colours.
    return replace(found, look=StrokeLook(width=3.2)) if isinstance(found, MazeScene) else found


@cache
def answer(name):
    own = scene(name)
    return own.answered(own.ground)


def task_of(name):
    return "maze" if name.startswith("maze") else "queens"


def added(name, role, ink, seed=0):
    """What a role changes: (change, picture without, picture with)."""
    own = scene(name)
    dice = dice_of(f"test/{role.name}/{seed}")
    change = role.draw(own, ink, dice)
    if change is None:
        return None
    ground = own.ground if change.ground is None else change.ground
    without = drawn(own, own.ground, Change(frame=change.frame), ink, 0, answer(name))
    return change, without, drawn(own, ground, change, ink, 0, answer(name))


def role_of(task, name):
    return next(role for role in (*WRONG[task], *HARMLESS[task]) if role.name == name)


def differs(before, after):
    return (before != after).any(axis=2)


# Mazes take turns at the roles, two at each.
CASES = [
    (name, role)
    for place, name in enumerate(PUZZLES)
    for turn, role in enumerate(WRONG[task_of(name)])
    if task_of(name) == "queens" or place % 2 == turn % 2
]


@pytest.mark.parametrize(("name", "role"), CASES, ids=[f"{name}/{role.name}" for name, role in CASES])
def test_a_role_draws_something(name, role):
    ink = replace(GREEN, color=scene(name).floor, kind="floor") if role.inks == ("floor",) else GREEN
    for seed in range(6):  # where a puzzle has no place, or a mark is hidden under the path, the next one is tried
        found = added(name, role, ink, seed)
        if found is not None and differs(found[1], found[2]).sum() >= 4:
            return
    raise AssertionError("nothing was drawn")


@pytest.mark.parametrize("name", PUZZLES[:4])
@pytest.mark.parametrize("role", ["way-whole", "way-apart"])
def test_a_second_way_lies_in_cells_off_the_path(name, role):
    own = scene(name)
    _, before, after = added(name, role_of("maze", role), GREEN)
    cells = set(own.canvas.cells[differs(before, after)].tolist())
    assert len(cells - set(own.canvas.path) - {0}) >= 2


@pytest.mark.parametrize("name", PUZZLES[:4])
@pytest.mark.parametrize("role", ["wall-on-path", "wall-elsewhere", "wall-many", "wall-stubs"])
def test_bars_lie_on_borders_of_cells(name, role):
    own = scene(name)
    _, before, after = added(name, role_of("maze", role), GREEN)
    cells = own.canvas.cells.astype(np.float32)
    border = cv2.morphologyEx(cells, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 0
    away = cv2.distanceTransform((~border).astype(np.uint8), cv2.DIST_L2, 5)
    assert away[differs(before, after)].max() <= GREEN.width_px + own.canvas.style.wall_width_px


@pytest.mark.parametrize("name", PUZZLES[:4])
@pytest.mark.parametrize("role", ["hole-whole-wall", "hole-along-a-line", "hole-faded"])
def test_holes_make_walls_paler_and_nothing_else(name, role):
    own = scene(name)
    ink = replace(GREEN, color=own.floor)
    found = [added(name, role_of("maze", role), ink, seed) for seed in range(5)]
    for _, before, after in (one for one in found if one is not None):
        assert (after.astype(int) >= before).all()
        assert before[differs(before, after)].min() < 128


@pytest.mark.parametrize("name", PUZZLES[:4])
@pytest.mark.parametrize("role", ["marker-exchanged", "marker-recolored", "marker-part-erased"])
def test_markers_change_in_their_own_cells(name, role):
    own = scene(name)
    ink = replace(GREEN, color=own.floor) if role.endswith("erased") else GREEN
    _, before, after = added(name, role_of("maze", role), ink)
    rows, columns = np.nonzero(differs(before, after))
    ends = [own.canvas.layout.centre(cell) for cell in (own.canvas.maze.start, own.canvas.maze.goal)]
    near = [np.hypot(columns - x, rows - y).max() for x, y in ends]
    assert min(near) <= own.canvas.style.cell_size_px


def test_a_way_outside_lies_in_the_margin():
    own = scene(PUZZLES[0])
    change, before, after = added(PUZZLES[0], role_of("maze", "way-outside"), GREEN)
    margin = change.frame.margins[0]
    assert before.shape[0] == own.ground.shape[0] + 2 * margin
    changed = differs(before, after)
    changed[margin:-margin, margin:-margin] = False
    assert changed.sum() > own.ground.shape[0]


@pytest.mark.parametrize("name", [PUZZLES[0], PUZZLES[4]])
@pytest.mark.parametrize("role", ["mark-dots", "mark-letters", "mark-blots", "mark-crosses", "mark-crumbs"])
def test_marks_leave_the_middles_of_markers_and_queens_alone(name, role):
    own = scene(name)
    if isinstance(own, MazeScene):
        taken = [own.canvas.layout.centre(cell) for cell in (own.canvas.maze.start, own.canvas.maze.goal)]
    else:
        taken = [own.middle(*queen) for queen in own.canvas.board.queens]
    _, before, after = added(name, role_of(task_of(name), role), GREEN)
    changed = differs(before, after)
    assert changed.any()
    assert not any(changed[int(y), int(x)] for x, y in taken)


def test_a_faded_region_is_a_region_and_its_lines_stay():
    name = PUZZLES[4]
    own = scene(name)
    ink = replace(GREEN, opacity=0.5)
    _, before, after = added(name, role_of("queens", "board-region-faded"), ink)
    size = own.canvas.style.cell_size_px
    rows, columns = np.nonzero(differs(before, after))
    regions = {own.canvas.board.regions[row][column] for row, column in zip(rows // size, columns // size, strict=True)}
    assert len(regions) == 1
    assert (rows % size).min() >= own.canvas.style.line_width_px


def test_a_ring_around_a_queen_leaves_ground_between():
    """Nearer to it, a ring would be a rim, which is harmless."""
    name, role = PUZZLES[4], role_of("queens", "figure-rings")
    own = scene(name)
    queens = np.array([own.middle(*queen) for queen in own.canvas.board.queens])
    for seed in range(12):
        _, before, after = added(name, role, GREEN, seed)
        rows, columns = np.nonzero(differs(before, after))
        away = np.hypot(columns[:, None] - queens[:, 0], rows[:, None] - queens[:, 1]).min()
        assert away >= own.radius_px + 1


@pytest.mark.parametrize("name", PUZZLES)
def test_companions_lie_along_the_answer(name):
    own = scene(name)
    form, _ = answer_form(own)
    far = cv2.distanceTransform((form == 0).astype(np.uint8), cv2.DIST_L2, 5)
    for role in HARMLESS[task_of(name)]:
        if role.family == "companion":
            _, before, after = added(name, role, GREEN)
            changed = differs(before, after)
            assert changed.any(), role.name
            assert far[changed].max() <= 0.35 * own.room, role.name


@pytest.mark.parametrize("name", PUZZLES)
def test_frames_leave_the_puzzle_as_it_is(name):
    own = scene(name)
    answered = own.answered(own.ground)
    for role in HARMLESS[task_of(name)]:
        if role.family == "frame":
            for seed in range(4):
                change = role.draw(own, GREEN, dice_of(f"frame/{seed}"))
                left, top, _, _ = change.frame.margins
                framed = change.frame.around(answered)
                inside = framed[top : top + answered.shape[0], left : left + answered.shape[1]]
                assert (inside == answered).all(), role.name
                assert framed.size > answered.size, role.name


def test_nothing_added_is_nothing():
    for name in PUZZLES:
        _, before, after = added(name, role_of(task_of(name), "nothing"), GREEN)
        assert (before == after).all()


def test_a_repainted_floor_is_repainted_everywhere_and_walls_are_not():
    own = scene(PUZZLES[0])
    new = repainted(own, (200, 210, 220))
    floor = (own.ground == own.floor).all(axis=2) & (own.canvas.floor_share == 1)
    assert (new.ground[floor] == (200, 210, 220)).all()
    wall = (own.ground == own.canvas.style.wall).all(axis=2)
    assert (new.ground[wall] == own.ground[wall]).all()


@pytest.mark.parametrize("texture", TEXTURES)
def test_a_texture_covers_a_part_of_the_solid_line(texture):
    line = Shape((np.array([[20.0, 50.0], [180.0, 50.0]]),))
    dice = dice_of("texture")
    solid = covered(line, replace(GREEN, width_px=12.0), (100, 200), dice)
    found = covered(line, replace(GREEN, width_px=12.0, texture=texture), (100, 200), dice)
    assert found.max() > 0.5
    assert 0.1 * solid.sum() < found.sum() <= 1.01 * solid.sum()
    reach = cv2.dilate(solid, np.ones((25, 25), np.uint8)) > 0
    assert not found[~reach].any()


def test_a_thin_stroke_gets_no_core_of_another_colour():
    """The whole path would seem to have a third colour, and nobody could tell."""
    thin = replace(scene(PUZZLES[0]), look=StrokeLook(width=0.3))
    assert thin.stroke_px < 8
    assert role_of("maze", "path-core").draw(thin, GREEN, dice_of("thin")) is None


def test_opacity_is_the_share_of_the_ink():
    white = np.full((60, 60, 3), 255, np.uint8)
    spot = Shape((np.array([[30.0, 30.0]]),), width=20.0)
    ink = Ink("darker", "solid", (0, 0, 0), 0.2, 20.0)
    assert laid(white, spot, ink, dice_of("spot"))[30, 30].tolist() == [204, 204, 204]  # 255 * (1 - 0.2)
    assert laid(white, replace(spot, plain=True), ink, dice_of("spot"))[30, 30].tolist() == [0, 0, 0]
