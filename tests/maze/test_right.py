"""Mazes: the right path passes however it looks."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle, pairwise

import cv2
import numpy as np
import pytest

from puzzles.maze.geometry import Geometry
from puzzles.maze.maze import generate_maze, solve
from puzzles.maze.render import render_maze
from tests.maze.maze_faults import EVERY, SOME, WITH_EXTERIOR, solved
from tests.samples.puzzles import (
    BLACK,
    BLUE,
    WHITE,
    MazeSample,
    codes,
    jpeg,
    letterboxed,
    line,
    maze_sample,
    metrics,
    passes,
    resized,
    shifted,
    where,
)


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


@pytest.mark.parametrize(("geometry", "scale"), list(zip(Geometry, (2, 5, 3, 5), strict=True)))
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


@pytest.mark.parametrize(
    ("geometry", "shade"),
    [(geometry, shade) for turn, shade in enumerate(SHADES) for geometry in list(Geometry)[turn % 2 :: 2]],
)
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
    "dash and dot": lambda sample: dash_and_dot(sample),
    "half opaque": lambda sample: over_markers(sample, 0.5),
    "two thirds opaque": lambda sample: over_markers(sample, 0.65),
}


def over_markers(sample: MazeSample, opacity: float) -> np.ndarray:
    """A line from middle to middle that lets the markers show through."""
    points = sample.layout.to_pixels(sample.maze.grid.route(sample.path))
    given = sample.pictures.input
    return cv2.addWeighted(line(given, points, 7.0, BLUE), opacity, given, 1.0 - opacity, 0.0)


def dash_and_dot(sample: MazeSample) -> np.ndarray:
    """Dashes with a dot between two of them; gaps of some tenth of a cell."""
    points = sample.layout.to_pixels(sample.maze.grid.route(sample.path))
    lengths = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    picture, width, gap = sample.pictures.input, 4.0, 0.12 * sample.style.cell_size_px
    begun, dash = 0.0, True
    while begun < lengths[-1]:
        ended = min(begun + (0.4 * sample.style.cell_size_px if dash else 0.5), lengths[-1])
        along = np.array([begun, *lengths[(lengths > begun) & (lengths < ended)], ended])
        piece = np.stack([np.interp(along, lengths, points[:, axis]) for axis in (0, 1)], axis=1)
        picture = line(picture, piece, width, BLUE)
        # Round caps reach half a width beyond.
        begun, dash = ended + gap + width, not dash
    return picture


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


# Geometries take turns: what has no straight borders comes next to what has.
@pytest.mark.parametrize(
    ("geometry", "change"),
    [
        pytest.param(geometry, change, id=f"{geometry.value}-{change}")
        for change, geometry in zip(HARMLESS, cycle(Geometry), strict=False)
    ],
)
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


def test_a_stretch_is_noted_and_judged() -> None:
    """Wider by 7 %, or higher; 2 % is not told."""
    sample = maze_sample(Geometry.SQUARE)
    height, width = sample.pictures.solution.shape[:2]
    for across, down, said in (
        (1.07, 1.0, ["The puzzle is stretched by 7 % in width."]),
        (2.0, 2.14, ["The puzzle is stretched by 7 % in height."]),
        (1.02, 1.0, []),
    ):
        size = (round(across * width), round(down * height))
        verdict = sample.grade(cv2.resize(sample.pictures.solution, size, interpolation=cv2.INTER_CUBIC))
        passes(verdict, sample)
        assert [note.message for note in verdict.notes] == said
        assert all(note.code == "STRETCHED" for note in verdict.notes)


@SOME
def test_words_at_the_sides_are_harmless(geometry: Geometry) -> None:
    """A bold title of two lines above, and a caption below that is stretched with the maze."""
    sample = maze_sample(geometry)
    solution = sample.pictures.solution
    page = cv2.copyMakeBorder(solution, 80, 40, 0, 0, cv2.BORDER_CONSTANT, value=WHITE)
    for text, y in (("Solution", 34), ("The way", 72), ("Figure 2", page.shape[0] - 12)):
        cv2.putText(page, text, (12, y), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (0, 0, 0), 3, cv2.LINE_AA)
    passes(sample.grade(page), sample)
    taller = cv2.resize(page, None, fx=1.0, fy=1.2, interpolation=cv2.INTER_CUBIC)
    verdict = sample.grade(taller)
    passes(verdict, sample)
    assert [note.code for note in verdict.notes] == ["STRETCHED"]


def test_harmless_things_are_noted() -> None:
    """A shadow of the line, a sign in a corner, and writing beside the start: no fault, each told."""
    sample = maze_sample(Geometry.SQUARE)
    puzzle, solution = sample.pictures.input, sample.pictures.solution
    path = (puzzle != solution).any(axis=2)
    shadow = np.roll(path, (4, 4), axis=(0, 1)) & ~path & (puzzle == WHITE).all(axis=2)
    shaded = solution.copy()
    shaded[shadow] = 190
    signed = solution.copy()
    # A cross of 9 x 9 pixels, arms of 3: it fills 45 of 81 - 4 * 3 * 3 / 2 = 63 pixels of its convex hull.
    signed[16:19, -23:-14] = signed[13:22, -20:-17] = 90
    start = sample.centre(sample.path[0])
    side = sample.style.cell_size_px
    written = line(solution, [(start[0] - 0.3 * side, start[1] - 0.3 * side)], 0.12 * side, (90, 90, 90))
    for picture, code in ((shaded, "COMPANIONS"), (signed, "DECORATION"), (written, "WRITING_AT_MARKER")):
        verdict = sample.grade(picture)
        assert (verdict.codes, [note.code for note in verdict.notes]) == ((), [code])
