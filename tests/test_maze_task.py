"""Mazes: the right path passes however it looks, and each fault is named, placed and paid for."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import pairwise

import cv2
import numpy as np
import pytest
from puzzle_samples import (
    BLACK,
    BLUE,
    GREEN,
    RED,
    WHITE,
    MazeSample,
    codes,
    jpeg,
    letterboxed,
    line,
    maze_sample,
    metrics,
    passes,
    places,
    resized,
    shifted,
    where,
)

from grader.tasks.maze import METRICS
from grader.tasks.maze_judge import REASONS
from grader.verdict import Outcome, Verdict
from puzzles.geometry import Geometry
from puzzles.maze import generate_maze, solve
from puzzles.render import render_maze

EVERY = pytest.mark.parametrize("geometry", Geometry, ids=lambda geometry: geometry.value)
WITH_EXTERIOR = pytest.mark.parametrize(
    "geometry", [Geometry.HEXAGON, Geometry.TRIANGLE, Geometry.CIRCLE], ids=lambda geometry: geometry.value
)

# What leaves no reward, by DESIGN.md: the puzzle was altered, or the drawing is no answer of the asked kind.
CHEATS = {
    *("NOT_THE_PUZZLE", "FLOODED", "TEXTURE", "PUZZLE_REPLACED", "WALLS_ERASED", "WALLS_ADDED", "MARKER_ERASED"),
    *("MARKER_MOVED", "MARKER_ADDED", "EXTERIOR_PAINTED", "CELLS_FILLED", "NOTHING_DRAWN", "DOTS", "SHORTCUT"),
    *("CELLS_COVERED", "CUT_OFF", "WALLS_PAINTED", "OTHER_DRAWINGS"),
}


# --- what can be wrong with a picture ---


def blank(sample: MazeSample) -> np.ndarray:
    return np.full_like(sample.pictures.input, 255)


def panels(sample: MazeSample) -> np.ndarray:
    """The right answer between two pictures without one."""
    return np.hstack([sample.pictures.input, sample.pictures.solution, sample.pictures.input])


def unchanged(sample: MazeSample) -> np.ndarray:
    return sample.pictures.input


def half(sample: MazeSample) -> np.ndarray:
    return sample.draw(sample.path[: len(sample.path) // 2])


def without_start(sample: MazeSample) -> np.ndarray:
    return sample.draw(sample.path[2:])


def gap_cell(sample: MazeSample) -> int:
    return sample.path[len(sample.path) // 2]


def one_cell_less(sample: MazeSample) -> np.ndarray:
    picture = sample.pictures.solution.copy()
    inside = sample.cells == gap_cell(sample)
    picture[inside] = sample.pictures.input[inside]
    return picture


def gap_in_a_cell(sample: MazeSample) -> np.ndarray:
    """A gap of half a cell's length in the middle of the way through a cell."""
    before, cell, after = (sample.path[len(sample.path) // 2 + step] for step in (-1, 0, 1))
    middle = sample.centre(cell)
    if sample.maze.geometry is Geometry.TRIANGLE:
        middle = (sample.middle(before, cell) + sample.middle(cell, after)) / 2
    rows, columns = np.indices(sample.cells.shape)
    # Hexagons are wider than their cell length, and the way may turn by 120 degrees in one.
    share = {Geometry.TRIANGLE: 0.36, Geometry.HEXAGON: 1.0}.get(sample.maze.geometry, 0.5)
    length = share * sample.style.cell_size_px
    near = np.hypot(columns + 0.5 - middle[0], rows + 0.5 - middle[1]) < length / 2
    return np.where(near[..., None], sample.pictures.input, sample.pictures.solution)


def side_branch(sample: MazeSample) -> np.ndarray:
    return sample.step(*sample.branch, on=sample.pictures.solution)


def walls_in_path_color(sample: MazeSample) -> np.ndarray:
    return line(sample.pictures.solution, sample.border(*sample.wall), sample.style.wall_width_px + 1, BLUE)


def cell_greyed(sample: MazeSample) -> np.ndarray:
    """Half-tone grey over a wrong cell, lighter than any wall and darker than the floor."""
    return where(sample.pictures.solution, (sample.cells == sample.apart[0]) & sample.floor, (190, 190, 190))


def cut_off(sample: MazeSample) -> np.ndarray:
    """The middle three fifths: the width fixes the scale, so that the outer rows are not in the picture."""
    height = sample.pictures.solution.shape[0]
    return np.ascontiguousarray(sample.pictures.solution[height // 5 : height - height // 5])


def spilled(sample: MazeSample) -> np.ndarray:
    """A blot of radius 0.34 cells, its middle 0.05 on the path's side of a wall.

    Of a circle cut at distance d from its middle r^2 acos(d/r) - d sqrt(r^2 - d^2) = 0.148 of a cell lies beyond.
    """
    middle = sample.middle(*sample.wall)
    inward = np.array(sample.centre(sample.wall[0])) - middle
    size = sample.style.cell_size_px
    x, y = (middle + inward / np.linalg.norm(inward) * 0.05 * size).round().astype(int).tolist()
    return cv2.circle(sample.pictures.solution.copy(), (x, y), round(0.34 * size), BLUE, -1)


def stray_stroke(sample: MazeSample) -> np.ndarray:
    return sample.step(*sample.apart, on=sample.pictures.solution)


def through_a_wall(sample: MazeSample) -> np.ndarray:
    return sample.step(*sample.wall, on=sample.pictures.solution)


def between_path_cells(sample: MazeSample) -> np.ndarray:
    return sample.step(*sample.shortcut, on=sample.pictures.solution)


def way_out(sample: MazeSample) -> tuple[int, np.ndarray]:
    """A cell of the path and a line from its centre through its outer wall to where there is nothing."""
    grid, layout = sample.maze.grid, sample.layout
    for cell in sample.path[1:-1]:
        for border in grid.outer_borders(cell):
            centre, middle = np.array(sample.centre(cell)), layout.to_pixels(np.array(border.midpoint))
            end = middle + (middle - centre) / np.hypot(*(middle - centre)) * 0.28 * sample.style.cell_size_px
            column, row = (int(value) for value in end)
            height, width = sample.cells.shape
            if 4 <= column < width - 4 and 4 <= row < height - 4 and sample.cells[row, column] == 0:
                return cell, np.array([centre, middle, end])
    raise AssertionError("this maze's path does not come near its rim")


def out_of_the_maze(sample: MazeSample) -> np.ndarray:
    return sample.stroke(way_out(sample)[1], walls_over=False)


def wall_erased(sample: MazeSample) -> np.ndarray:
    ends = sample.border(*sample.wall)
    shorter = ends + 0.12 * (ends.mean(axis=0) - ends)
    return line(sample.pictures.solution, shorter, sample.style.wall_width_px + 2, WHITE)


def outer_wall_erased(sample: MazeSample) -> np.ndarray:
    cell = rim_cell(sample)
    ends = sample.layout.to_pixels(sample.maze.grid.outer_borders(cell)[0].points())
    return line(sample.pictures.solution, ends, sample.style.wall_width_px + 2, WHITE)


def rim_cell(sample: MazeSample) -> int:
    open_ones = {cell for cell, _ in sample.maze.openings}
    grid = sample.maze.grid
    return next(cell for cell in grid.cell_ids if grid.outer_borders(cell) and cell not in open_ones)


def passage_closed(sample: MazeSample) -> np.ndarray:
    return line(sample.pictures.solution, sample.border(*sample.apart), sample.style.wall_width_px, BLACK)


def wall_in_a_cell(sample: MazeSample) -> np.ndarray:
    x, y = sample.centre(sample.apart[0])
    reach = 0.25 * sample.style.cell_size_px
    if sample.maze.geometry is Geometry.TRIANGLE:
        reach *= 0.9
    return line(sample.pictures.solution, [(x - reach, y), (x + reach, y)], sample.style.wall_width_px, BLACK)


def markers_erased(sample: MazeSample) -> np.ndarray:
    return sample.draw(on=sample.pictures.no_markers, markers_over=False)


def goal_erased(sample: MazeSample) -> np.ndarray:
    """The X is painted white; the path under it too, as far as the X went."""
    changed = (sample.pictures.input != sample.pictures.no_markers).any(axis=2)
    x, y = sample.centre(sample.maze.goal)
    rows, columns = np.indices(changed.shape)
    near = np.hypot(columns - x, rows - y) < 0.6 * sample.style.cell_size_px
    without = np.where((changed & near)[..., None], sample.pictures.no_markers, sample.pictures.input)
    drawn = sample.draw(markers_over=False)
    return np.where((changed & near)[..., None], without, np.where(changed[..., None], sample.pictures.input, drawn))


def disc_at(sample: MazeSample, picture: np.ndarray, cell: int) -> np.ndarray:
    return line(picture, [sample.centre(cell)], 2 * sample.style.disc_radius * sample.style.cell_size_px, RED)


def start_moved(sample: MazeSample) -> np.ndarray:
    changed = (sample.pictures.input != sample.pictures.no_markers).any(axis=2)
    x, y = sample.centre(sample.maze.start)
    rows, columns = np.indices(changed.shape)
    near = np.hypot(columns - x, rows - y) < 0.4 * sample.style.cell_size_px
    without = np.where((changed & near)[..., None], sample.pictures.no_markers, sample.pictures.solution)
    return disc_at(sample, without, sample.apart[0])


def marker_added(sample: MazeSample) -> np.ndarray:
    return disc_at(sample, sample.pictures.solution, sample.apart[0])


def exterior_painted(sample: MazeSample) -> np.ndarray:
    outside = (sample.cells == 0).astype(np.uint8)
    far = cv2.erode(outside, np.ones((5, 5), np.uint8), borderValue=1) > 0
    return where(sample.pictures.solution, far, BLUE)


def goal_cells_filled(sample: MazeSample) -> np.ndarray:
    return where(sample.pictures.input, sample.floor & np.isin(sample.cells, sample.path), BLUE)


def corridors_flooded(sample: MazeSample) -> np.ndarray:
    return where(sample.pictures.input, sample.floor, BLUE)


def all_blue(sample: MazeSample) -> np.ndarray:
    return np.full_like(sample.pictures.input, BLUE)


def grid_of_lines(sample: MazeSample) -> np.ndarray:
    picture = sample.pictures.input.copy()
    picture[::8] = BLUE
    picture[:, ::8] = BLUE
    return picture


def dots(sample: MazeSample, share: float) -> np.ndarray:
    picture = sample.pictures.input
    for cell in sample.path:
        picture = line(picture, [sample.centre(cell)], share * sample.style.cell_size_px, BLUE)
    markers = (sample.pictures.input != sample.pictures.no_markers).any(axis=2)
    return np.where(markers[..., None], sample.pictures.input, picture)


def other_maze(sample: MazeSample) -> MazeSample:
    return maze_sample(sample.maze.geometry, skip=1)


def other_maze_solved(sample: MazeSample) -> np.ndarray:
    return other_maze(sample).pictures.solution


def right_path_on_another_maze(sample: MazeSample) -> np.ndarray:
    return sample.draw(on=other_maze(sample).pictures.input, walls_over=False)


def noise(sample: MazeSample) -> np.ndarray:
    return np.random.default_rng(5).integers(0, 256, sample.pictures.input.shape, dtype=np.uint8)


def green_path(sample: MazeSample) -> np.ndarray:
    return sample.draw(color=GREEN)


def green_scribble(sample: MazeSample) -> np.ndarray:
    return sample.step(*sample.apart, on=sample.pictures.solution, color=GREEN)


FAULTS: tuple[tuple[str, Callable[[MazeSample], np.ndarray], str], ...] = (
    ("blank", blank, "NOT_THE_PUZZLE"),
    ("panels", panels, "OTHER_DRAWINGS"),
    ("corridors flooded", corridors_flooded, "FLOODED"),
    ("all blue", all_blue, "FLOODED"),
    ("grid of lines", grid_of_lines, "TEXTURE"),
    ("wall erased", wall_erased, "WALLS_ERASED"),
    ("outer wall erased", outer_wall_erased, "WALLS_ERASED"),
    ("passage closed", passage_closed, "WALLS_ADDED"),
    ("wall in a cell", wall_in_a_cell, "WALLS_ADDED"),
    ("markers erased", markers_erased, "MARKER_ERASED"),
    ("goal erased", goal_erased, "MARKER_ERASED"),
    ("start moved", start_moved, "MARKER_MOVED"),
    ("marker added", marker_added, "MARKER_ADDED"),
    ("wall in the path's colour", walls_in_path_color, "WALLS_PAINTED"),
    ("cell greyed", cell_greyed, "CELLS_COVERED"),
    ("cut off", cut_off, "CUT_OFF"),
    ("goal cells filled", goal_cells_filled, "CELLS_FILLED"),
    ("unchanged", unchanged, "NOTHING_DRAWN"),
    ("small dots", lambda sample: dots(sample, 0.04), "DOTS"),
    ("large dots", lambda sample: dots(sample, 0.2), "DOTS"),
    ("green path", green_path, "WRONG_COLOR"),
    ("green scribble", green_scribble, "FOREIGN_STROKES"),
    ("through a wall", through_a_wall, "WALL_CROSSED"),
    ("between path cells", between_path_cells, "SHORTCUT"),
    ("half", half, "GOAL_NOT_REACHED"),
    ("without start", without_start, "START_NOT_REACHED"),
    ("one cell less", one_cell_less, "CELLS_MISSED"),
    ("side branch", side_branch, "SIDE_BRANCH"),
    ("stray stroke", stray_stroke, "STRAY_STROKES"),
)
# Where the maze leaves room around it, and where a cell is long enough to hold a gap.
MORE_FAULTS: tuple[tuple[str, Callable[[MazeSample], np.ndarray], str, tuple[Geometry, ...]], ...] = (
    ("exterior", exterior_painted, "EXTERIOR_PAINTED", (Geometry.HEXAGON, Geometry.TRIANGLE, Geometry.CIRCLE)),
    ("out of the maze", out_of_the_maze, "OUTSIDE_MAZE", (Geometry.HEXAGON, Geometry.TRIANGLE, Geometry.CIRCLE)),
    ("spilled", spilled, "INK_SPILLED", (Geometry.SQUARE,)),
    ("gap in a cell", gap_in_a_cell, "PATH_BROKEN", (Geometry.SQUARE, Geometry.HEXAGON, Geometry.CIRCLE)),
)
CASES = [
    *((geometry, name, spoil, code) for name, spoil, code in FAULTS for geometry in Geometry),
    *((geometry, name, spoil, code) for name, spoil, code, geometries in MORE_FAULTS for geometry in geometries),
]
EVERY_FAULT = pytest.mark.parametrize(
    ("geometry", "spoil", "code"),
    [(geometry, spoil, code) for geometry, _, spoil, code in CASES],
    ids=[f"{geometry.value}-{name.replace(' ', '_')}" for geometry, name, _, _ in CASES],
)


@cache
def faulty(geometry: Geometry, spoil: Callable[[MazeSample], np.ndarray]) -> Verdict:
    sample = maze_sample(geometry)
    return sample.grade(spoil(sample))


@cache
def solved(geometry: Geometry) -> Verdict:
    sample = maze_sample(geometry)
    return sample.grade(sample.pictures.solution)


# --- the right path ---


@EVERY
def test_the_right_path_passes(geometry: Geometry) -> None:
    sample, verdict = maze_sample(geometry), solved(geometry)
    passes(verdict, sample)
    assert metrics(verdict) == {
        "coverage": 1.0,
        "violation": 0.0,
        "pass": 1.0,
        "violation_background": 0.0,
        "mse_in": 0.0,
        "mse_out": 0.0,
        "progress": 1.0,
        "connected": 1.0,
        "wall_crossings": 0.0,
        "avg": None,
    }
    seen = verdict.observation
    assert (seen.color_as_asked, seen.pieces, seen.wall_crossings) == (True, 1, ())
    # (0, 107, 183), with a few pixels of the stroke's blended edge.
    color = [int(seen.color_hex[at : at + 2], 16) for at in (1, 3, 5)]
    assert np.abs(np.array(color) - BLUE).max() <= 6
    # Drawn 5.12 px wide.
    assert seen.stroke_width_px == pytest.approx(5.12, abs=0.7)
    assert seen.confidence > 0.8


@EVERY
def test_the_polyline_leads_from_marker_to_marker(geometry: Geometry) -> None:
    sample, line_seen = maze_sample(geometry), np.array(solved(geometry).observation.polyline)
    for end, cell in ((line_seen[0], sample.maze.start), (line_seen[-1], sample.maze.goal)):
        # The stroke vanishes beneath a marker, whose arms reach 0.344 of a cell from its middle.
        assert np.hypot(*(end - sample.centre(cell))) < 0.45 * sample.style.cell_size_px
    # Every point lies on the drawn stroke, give or take a pixel of the simplification and one of the raster.
    blue = (sample.draw(markers_over=False) == BLUE).all(axis=2)
    distance = cv2.distanceTransform((~blue).astype(np.uint8), cv2.DIST_L2, 5)
    rows, columns = line_seen[:, 1].astype(int), line_seen[:, 0].astype(int)
    assert distance[rows, columns].max() <= 2.5


@EVERY
@pytest.mark.parametrize("scale", [2, 3, 5])
def test_other_scales_pass(geometry: Geometry, scale: int) -> None:
    base = maze_sample(geometry)
    maze = generate_maze(geometry, scale, seed=scale)
    nothing = (1, 1)
    sample = MazeSample(
        maze, base.style, render_maze(maze, base.style), solve(maze), nothing, nothing, nothing, nothing
    )
    passes(sample.grade(sample.pictures.solution), sample)
    assert codes(sample.grade(sample.pictures.input)) == ["NOTHING_DRAWN"]


SHADES = {
    "pure": (0, 0, 255),
    "light": (110, 180, 255),
    "sky": (0, 180, 255),
    "dark": (0, 40, 110),
    "greenish": (0, 140, 190),
    "violet_blue": (40, 60, 220),
}


@EVERY
@pytest.mark.parametrize("shade", SHADES)
def test_every_blue_is_blue(geometry: Geometry, shade: str) -> None:
    sample = maze_sample(geometry)
    passes(sample.grade(sample.draw(color=SHADES[shade])), sample)


@EVERY
@pytest.mark.parametrize("opacity", [0.2, 0.35, 0.6])
def test_a_faint_stroke_counts(geometry: Geometry, opacity: float) -> None:
    sample = maze_sample(geometry)
    passes(sample.grade(sample.draw(opacity=opacity)), sample)


@EVERY
@pytest.mark.parametrize("share", [0.03, 0.05, 0.2, 0.3])
def test_thin_and_wide_strokes_count(geometry: Geometry, share: float) -> None:
    """Widths as shares of a cell; in a triangle's corridors a wide stroke would touch the walls."""
    sample = maze_sample(geometry)
    width = share * sample.style.cell_size_px
    if geometry is Geometry.TRIANGLE:
        width = min(width, 0.2 * sample.style.cell_size_px)
    picture = sample.draw(width_px=width, walls_over=False)
    passes(sample.grade(picture), sample)


def beige(sample: MazeSample) -> np.ndarray:
    """The floor in beige, edges blended as before."""
    picture = sample.pictures.solution.astype(np.uint16)
    return (picture * np.array([245, 235, 215]) // 255).astype(np.uint8)


def exterior_in(color: tuple[int, int, int]) -> Callable[[MazeSample], np.ndarray]:
    def paint(sample: MazeSample) -> np.ndarray:
        far = cv2.erode((sample.cells == 0).astype(np.uint8), np.ones((7, 7), np.uint8), borderValue=1) > 0
        return where(sample.pictures.solution, far, color)

    return paint


def noisy(sample: MazeSample) -> np.ndarray:
    dice = np.random.default_rng(3)
    picture = sample.pictures.solution + dice.normal(0, 8, sample.pictures.solution.shape)
    return picture.round().clip(0, 255).astype(np.uint8)


def turned(sample: MazeSample) -> np.ndarray:
    height, width = sample.pictures.solution.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), 1.2, 0.98)
    return cv2.warpAffine(sample.pictures.solution, matrix, (width, height), flags=cv2.INTER_LINEAR)


def scaled(share: float) -> Callable[[MazeSample], np.ndarray]:
    def change(sample: MazeSample) -> np.ndarray:
        height, width = sample.pictures.solution.shape[:2]
        return resized(sample.pictures.solution, round(width * share), round(height * share))

    return change


HARMLESS: dict[str, Callable[[MazeSample], np.ndarray | bytes]] = {
    "jpeg_60": lambda sample: jpeg(sample.pictures.solution, 60),
    "jpeg_30": lambda sample: jpeg(sample.pictures.solution, 30),
    "smaller": scaled(0.75),
    "larger": scaled(1.6),
    "native_512": lambda sample: resized(sample.pictures.solution, 512, 512),
    "native_1024": lambda sample: resized(sample.pictures.solution, 1024, 1024),
    "letterbox_black": lambda sample: letterboxed(sample.pictures.solution, 700, 480, BLACK),
    "letterbox_white": lambda sample: letterboxed(sample.pictures.solution, 480, 700, WHITE),
    "letterbox_grey": lambda sample: letterboxed(sample.pictures.solution, 700, 480, (128, 128, 128)),
    "shift": lambda sample: shifted(sample.pictures.solution, 5, 3),
    "shift_white": lambda sample: shifted(sample.pictures.solution, -4, 2, WHITE),
    "beige_floor": beige,
    "noisy": noisy,
    "turned": turned,
    "blurred": lambda sample: cv2.GaussianBlur(sample.pictures.solution, (0, 0), 1.0),
    "speck": lambda sample: line(sample.pictures.solution, [sample.centre(sample.apart[0])], 2.0, BLUE),
    "dashed": lambda sample: dashed(sample),
}


def dashed(sample: MazeSample) -> np.ndarray:
    """A dashed line: gaps of a tenth of a cell are no gaps to the eye."""
    points = sample.layout.to_pixels(sample.maze.grid.route(sample.path))
    picture = sample.pictures.input
    for one, other in pairwise(points):
        length = float(np.hypot(*(other - one)))
        count = max(1, round(length / (0.3 * sample.style.cell_size_px)))
        ends = np.linspace(one, other, count + 1)
        for first, last in pairwise(ends):
            cut = (last - first) / np.hypot(*(last - first)) * 0.05 * sample.style.cell_size_px
            # Round caps take a stroke's width off the gap.
            gap = cut if np.hypot(*(last - first)) > 4 * np.hypot(*cut) else 0 * cut
            picture = sample.stroke([first + gap, last - gap], picture, width_px=3.0, walls_over=False)
    return picture


@EVERY
@pytest.mark.parametrize("change", HARMLESS)
def test_harmless_changes_pass(geometry: Geometry, change: str) -> None:
    sample = maze_sample(geometry)
    passes(sample.grade(HARMLESS[change](sample)), sample)


@WITH_EXTERIOR
@pytest.mark.parametrize("color", [WHITE, (60, 60, 60), (200, 190, 160), (30, 90, 40)])
def test_an_exterior_of_another_color_is_harmless(geometry: Geometry, color: tuple[int, int, int]) -> None:
    sample = maze_sample(geometry)
    passes(sample.grade(exterior_in(color)(sample)), sample)


def test_a_repainted_floor_is_noted() -> None:
    verdict = maze_sample(Geometry.SQUARE).grade(beige(maze_sample(Geometry.SQUARE)))
    assert [note.code for note in verdict.notes] == ["FLOOR_REPAINTED"]
    sample = maze_sample(Geometry.SQUARE)
    assert [note.code for note in sample.grade(HARMLESS["speck"](sample)).notes] == ["SPECKS_IGNORED"]


# --- faults ---


@EVERY_FAULT
def test_each_fault_is_named(geometry: Geometry, spoil: Callable[[MazeSample], np.ndarray], code: str) -> None:
    verdict = faulty(geometry, spoil)
    assert verdict.outcome is Outcome.FAIL
    assert code in codes(verdict)
    order = [info.code for info in REASONS]
    assert codes(verdict) == sorted(codes(verdict), key=order.index)
    assert len(set(codes(verdict))) == len(codes(verdict))


@EVERY_FAULT
def test_what_a_fault_earns(geometry: Geometry, spoil: Callable[[MazeSample], np.ndarray], code: str) -> None:
    verdict = faulty(geometry, spoil)
    assert verdict.score == metrics(verdict)["pass"]
    if CHEATS & set(codes(verdict)):
        assert verdict.reward == 0.0
    else:
        earned = min(metrics(verdict)["progress"], metrics(verdict)["pass"])
        assert verdict.reward == pytest.approx(0.9 * earned, abs=1e-12)
    assert verdict.reward <= 0.9


@EVERY_FAULT
def test_metrics_are_declared_and_within_their_bounds(
    geometry: Geometry, spoil: Callable[[MazeSample], np.ndarray], code: str
) -> None:
    found = metrics(faulty(geometry, spoil))
    assert list(found) == [info.name for info in METRICS]
    for info in METRICS:
        if found[info.name] is not None:
            assert info.lower_bound <= found[info.name] <= info.upper_bound


def test_every_reason_has_its_case() -> None:
    """Each code is expected by a case above; PUZZLE_REPLACED has a test of its own below."""
    assert {code for _, _, _, code in CASES} | {"PUZZLE_REPLACED"} == {info.code for info in REASONS}


@EVERY
@pytest.mark.parametrize("spoil", [other_maze_solved, right_path_on_another_maze])
def test_another_maze_is_no_answer(geometry: Geometry, spoil: Callable[[MazeSample], np.ndarray]) -> None:
    verdict = faulty(geometry, spoil)
    assert verdict.outcome is Outcome.FAIL
    assert {"PUZZLE_REPLACED", "NOT_THE_PUZZLE", "WALLS_ERASED"} & set(codes(verdict))
    assert verdict.reward == 0.0


def test_another_maze_is_called_so() -> None:
    assert "PUZZLE_REPLACED" in codes(faulty(Geometry.SQUARE, right_path_on_another_maze))


@EVERY
def test_a_prefix_earns_its_share(geometry: Geometry) -> None:
    sample = maze_sample(geometry)
    n = len(sample.path)
    for k in (n // 3, n // 2, n - 1):
        verdict = sample.grade(sample.draw(sample.path[:k]))
        assert places(verdict, "GOAL_NOT_REACHED") == {sample.path[-1]}
        assert [cell.id for cell in verdict.observation.visited_cells] == list(sample.path[:k])
        # k of n cells are visited; k - 1 of n - 1 steps are done.
        assert verdict.score == pytest.approx(k / n)
        assert verdict.reward == pytest.approx(0.9 * (k - 1) / (n - 1))
    assert codes(verdict) == ["GOAL_NOT_REACHED"]


@EVERY
def test_a_suffix_does_not_begin_at_the_start(geometry: Geometry) -> None:
    sample, verdict = maze_sample(geometry), faulty(geometry, without_start)
    assert places(verdict, "START_NOT_REACHED") == {sample.path[0]}
    assert verdict.reward == 0.0  # no step from the start


@EVERY
def test_a_missed_cell_is_named(geometry: Geometry) -> None:
    sample, verdict = maze_sample(geometry), faulty(geometry, one_cell_less)
    at, n = len(sample.path) // 2, len(sample.path)
    assert places(verdict, "CELLS_MISSED") == {gap_cell(sample)}
    assert verdict.score == pytest.approx((n - 1) / n)
    # The step into the missed cell is not done: at - 1 of n - 1.
    assert verdict.reward == pytest.approx(0.9 * (at - 1) / (n - 1))


@EVERY
def test_a_gap_is_found_and_placed(geometry: Geometry) -> None:
    sample, verdict = maze_sample(geometry), faulty(geometry, gap_in_a_cell)
    assert verdict.outcome is Outcome.FAIL
    assert metrics(verdict)["connected"] == 0.0
    (code,) = codes(verdict)
    assert code in ("PATH_BROKEN", "CELLS_MISSED")
    assert gap_cell(sample) in places(verdict, code)


@EVERY
def test_a_branch_is_found_and_placed(geometry: Geometry) -> None:
    sample, verdict = maze_sample(geometry), faulty(geometry, side_branch)
    n, (leaves, wrong) = len(sample.path), sample.branch
    assert codes(verdict) == ["SIDE_BRANCH"]
    assert places(verdict, "SIDE_BRANCH") == {wrong}
    # n of n cells, and 1 of n + 1 visited ones is wrong; of the others in the maze, 1 of all but n.
    assert verdict.score == pytest.approx(1 - 1 / (n + 1))
    background = len(sample.maze.grid.cell_ids) - n
    assert metrics(verdict)["violation_background"] == pytest.approx(1 / background)
    # Right up to the cell where the branch leaves.
    assert verdict.reward == pytest.approx(0.9 * sample.path.index(leaves) / (n - 1))


@EVERY
def test_strokes_apart_are_found_and_placed(geometry: Geometry) -> None:
    sample, verdict = maze_sample(geometry), faulty(geometry, stray_stroke)
    n = len(sample.path)
    assert codes(verdict) == ["STRAY_STROKES"]
    assert places(verdict, "STRAY_STROKES") == set(sample.apart)
    assert verdict.score == pytest.approx(1 - 2 / (n + 2))
    assert verdict.observation.pieces == 2
    assert metrics(verdict)["connected"] == 1.0


@EVERY
@pytest.mark.parametrize("kind", ["wall", "shortcut"])
def test_a_wall_is_not_crossed_unseen(geometry: Geometry, kind: str) -> None:
    sample = maze_sample(geometry)
    spoil, code = {"wall": (through_a_wall, "WALL_CROSSED"), "shortcut": (between_path_cells, "SHORTCUT")}[kind]
    verdict, pair = faulty(geometry, spoil), getattr(sample, kind)
    middle = sample.middle(*pair)
    (crossing,) = verdict.observation.wall_crossings
    assert {crossing.from_cell.id, crossing.to_cell.id} == set(pair)
    # The stroke goes through the middle of the border.
    assert np.hypot(*(np.array(crossing.at) - middle)) < 0.12 * sample.style.cell_size_px
    (reason,) = [reason for reason in verdict.reasons if reason.code == code]
    (place,) = reason.places
    assert place.box.left <= middle[0] <= place.box.left + place.box.width
    assert place.box.top <= middle[1] <= place.box.top + place.box.height
    assert metrics(verdict)["wall_crossings"] == 1.0


@EVERY
def test_a_shortcut_instead_of_the_way_earns_nothing(geometry: Geometry) -> None:
    sample = maze_sample(geometry)
    one, other = sorted(sample.shortcut, key=sample.path.index)
    before, after = sample.path[: sample.path.index(one) + 1], sample.path[sample.path.index(other) :]
    picture = sample.draw(after, on=sample.draw(before))
    verdict = sample.grade(sample.step(one, other, on=picture))
    assert "SHORTCUT" in codes(verdict)
    assert verdict.outcome is Outcome.FAIL
    assert verdict.reward == 0.0


@WITH_EXTERIOR
def test_leaving_the_maze_is_placed(geometry: Geometry) -> None:
    sample, verdict = maze_sample(geometry), faulty(geometry, out_of_the_maze)
    cell, way = way_out(sample)
    assert places(verdict, "OUTSIDE_MAZE") == {cell}
    (crossing,) = verdict.observation.wall_crossings
    assert {crossing.from_cell.id, crossing.to_cell.id} == {0, cell}
    assert np.hypot(*(np.array(crossing.at) - way[1])) < 0.15 * sample.style.cell_size_px


@EVERY
def test_altered_walls_are_placed(geometry: Geometry) -> None:
    sample = maze_sample(geometry)
    for spoil, code, pair in (
        (wall_erased, "WALLS_ERASED", sample.wall),
        (passage_closed, "WALLS_ADDED", sample.apart),
    ):
        verdict = faulty(geometry, spoil)
        assert codes(verdict) == [code]
        (place,) = verdict.reasons[0].places
        assert place.cell.id in pair
        x, y = sample.middle(*pair)
        assert place.box.left <= x <= place.box.left + place.box.width
        assert place.box.top <= y <= place.box.top + place.box.height
    assert places(faulty(geometry, wall_in_a_cell), "WALLS_ADDED") == {sample.apart[0]}


@EVERY
def test_an_erased_outer_wall_is_placed(geometry: Geometry) -> None:
    assert places(faulty(geometry, outer_wall_erased), "WALLS_ERASED") == {rim_cell(maze_sample(geometry))}


@EVERY
def test_altered_markers_are_placed(geometry: Geometry) -> None:
    sample = maze_sample(geometry)
    assert places(faulty(geometry, markers_erased), "MARKER_ERASED") == {sample.maze.start, sample.maze.goal}
    assert places(faulty(geometry, goal_erased), "MARKER_ERASED") == {sample.maze.goal}
    assert places(faulty(geometry, start_moved), "MARKER_MOVED") == {sample.apart[0]}
    assert places(faulty(geometry, marker_added), "MARKER_ADDED") == {sample.apart[0]}


@EVERY
def test_filled_cells_are_placed(geometry: Geometry) -> None:
    sample, verdict = maze_sample(geometry), faulty(geometry, goal_cells_filled)
    assert codes(verdict)[0] == "CELLS_FILLED"
    # The cells beneath the markers are covered by them in part.
    named = places(verdict, "CELLS_FILLED")
    assert set(sample.path[1:-1]) <= named <= set(sample.path)


@EVERY
def test_a_wrong_color_is_still_read(geometry: Geometry) -> None:
    sample = maze_sample(geometry)
    for color in (GREEN, (200, 0, 0), (255, 140, 0), (200, 0, 200)):
        verdict = sample.grade(sample.draw(color=color))
        assert codes(verdict) == ["WRONG_COLOR"]
        assert [cell.id for cell in verdict.observation.visited_cells] == list(sample.path)
        assert (verdict.score, verdict.reward) == (1.0, 0.9)


@EVERY
def test_no_line_no_reward(geometry: Geometry) -> None:
    sample = maze_sample(geometry)
    for picture in (blank(sample), np.zeros_like(sample.pictures.input), noise(sample)):
        verdict = sample.grade(picture)
        assert verdict.outcome is Outcome.FAIL
        assert (verdict.score, verdict.reward) == (0.0, 0.0)
        assert {"NOT_THE_PUZZLE", "TEXTURE"} & set(codes(verdict))


@EVERY
@pytest.mark.parametrize("base", ["whole", "prefix"])
def test_a_violation_more_is_never_worth_more(geometry: Geometry, base: str) -> None:
    sample = maze_sample(geometry)
    reach = {"whole": len(sample.path), "prefix": max(map(sample.path.index, (sample.branch[0], sample.wall[0]))) + 1}
    picture = sample.draw(sample.path[: reach[base]])
    best = sample.grade(picture)
    for worse in (
        sample.step(*sample.branch, on=picture),
        sample.step(*sample.wall, on=picture),
        sample.step(*sample.apart, on=picture),
        sample.step(*sample.branch, on=sample.step(*sample.apart, on=picture)),
        disc_at(sample, picture, sample.apart[0]),
        line(picture, sample.border(*sample.wall), sample.style.wall_width_px + 2, WHITE),
    ):
        verdict = sample.grade(worse)
        assert verdict.outcome is Outcome.FAIL
        assert verdict.score <= best.score
        assert verdict.reward <= best.reward


# --- metrics ---


def test_errors_are_those_of_the_drawing() -> None:
    """Nothing is drawn: over the mask, the error is that of the missing stroke and nothing else."""
    sample = maze_sample(Geometry.SQUARE)
    found = metrics(sample.grade(sample.pictures.input))
    difference = (sample.pictures.input / 255.0 - sample.pictures.solution / 255.0) ** 2
    assert found["mse_in"] == pytest.approx(difference[sample.pictures.mask].mean(), rel=1e-9)
    assert found["mse_out"] == pytest.approx(difference[~sample.pictures.mask].mean(), abs=1e-12)


@pytest.mark.parametrize(
    ("missing", "why"),
    [
        ({"mask": None}, "the request has no maze.truth.mask"),
        ({"solution_image": None}, "the request has no maze.truth.solution_image"),
        (
            {"mask": None, "solution_image": None},
            "the request has no maze.truth.solution_image and no maze.truth.mask",
        ),
    ],
)
def test_what_can_t_be_measured_says_why(missing: dict[str, None], why: str) -> None:
    sample = maze_sample(Geometry.SQUARE)
    verdict = sample.grade(sample.pictures.solution, **missing)
    assert (verdict.outcome, verdict.score) == (Outcome.PASS, 1.0)
    for name in ("mse_in", "mse_out"):
        (metric,) = [metric for metric in verdict.metrics if metric.name == name]
        assert (metric.value, metric.unavailable_reason) == (None, why)


@EVERY
@pytest.mark.parametrize("shade", [128, 185])
def test_the_rest_covered_is_no_repainted_floor(geometry: Geometry, shade: int) -> None:
    """Where most of the floor is grey and the right way is white, the grey is paint and not the floor."""
    sample = maze_sample(geometry, 8, 1)
    rest = sample.floor & ~np.isin(sample.cells, sample.path)
    assert rest.sum() > sample.floor.sum() / 2
    verdict = sample.grade(where(sample.pictures.solution, rest, (shade, shade, shade)))
    assert "CELLS_COVERED" in codes(verdict)
    assert verdict.reward == 0.0
