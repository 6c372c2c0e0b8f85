"""Failures that people met with tools like this one: the public cases that a grader of pictures can meet.

A7 is in test_metrics_pixels.py; A15 is counted here and, from a run's file, in test_aggregates.py.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from itertools import cycle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.media.pictures import decode_image, decode_labels, decode_mask, resize_labels, resize_mask
from grader.metrics.pixels import masked_mse
from grader.metrics.runs.aggregates import summarize
from grader.model.jobs import GradeJob, ImageCandidate
from grader.model.verdict import Outcome, Verdict
from grader.tasks.maze.model import PathColor
from puzzles.amaze.files import encode_ids
from puzzles.maze.geometry import Geometry
from puzzles.maze.maze import Maze, generate_maze, solve
from puzzles.maze.render import MazeStyle, render_maze
from tests.samples.puzzles import (
    BLACK,
    BLUE,
    ENGINE,
    WHITE,
    MazeSample,
    board_sample,
    codes,
    jpeg,
    line,
    maze_sample,
    png,
)

SEEDED = settings(derandomize=True, deadline=None, max_examples=60)


# --- A2: the look of the board ---

LOOKS: dict[str, MazeStyle] = {
    "plain": MazeStyle(51.2, 5.12, 5.12),
    "thick_walls": MazeStyle(51.2, 9.0, 5.12),
    "thin_walls": MazeStyle(51.2, 2.5, 5.12),
    "sepia": MazeStyle(51.2, 5.12, 5.12, floor=(245, 235, 215), wall=(90, 60, 30), halo=(245, 235, 215)),
    "dark": MazeStyle(
        *(51.2, 5.12, 5.12),
        **{"outside": (225, 225, 225), "floor": (40, 40, 40), "wall": (225, 225, 225), "path": (60, 150, 255)},
        halo=(40, 40, 40),
    ),
    "white_outside": MazeStyle(51.2, 5.12, 5.12, outside=WHITE),
    "grey_walls": MazeStyle(51.2, 5.12, 5.12, wall=(120, 120, 120), outside=(120, 120, 120)),
}


# Geometries take turns.
@pytest.mark.parametrize(
    ("geometry", "look"),
    [
        pytest.param(geometry, look, id=f"{geometry.value}-{look}")
        for look, geometry in zip(LOOKS, cycle(Geometry), strict=False)
    ],
)
def test_a2_the_look_of_the_maze_never_changes_the_verdict(geometry: Geometry, look: str) -> None:
    sample = maze_sample(geometry, style=LOOKS[look])
    right = sample.grade(sample.pictures.solution)
    assert (right.outcome, right.score, codes(right)) == (Outcome.PASS, 1.0, [])
    assert codes(sample.grade(sample.pictures.input)) == ["NOTHING_DRAWN"]
    wrong = sample.grade(sample.step(*sample.branch, on=sample.pictures.solution))
    assert codes(wrong) == ["SIDE_BRANCH"]


# --- A4: EXIF ---


def sideways(picture: np.ndarray) -> bytes:
    """The picture stored a quarter turn to the left, with Orientation=6: turn it right to see it upright."""
    # A TIFF header, one directory with one entry: tag 0x0112, type SHORT, one value, 6.
    exif = b"Exif\0\0" + b"MM\0*\0\0\0\x08" + b"\0\x01" + b"\x01\x12\0\x03\0\0\0\x01\0\x06\0\0" + b"\0\0\0\0"
    return jpeg(np.ascontiguousarray(np.rot90(picture, 1)), 95, subsampling=0, exif=exif)


@pytest.mark.parametrize("geometry", [Geometry.SQUARE, Geometry.HEXAGON], ids=lambda geometry: geometry.value)
def test_a4_a_picture_stored_sideways_is_graded_upright(geometry: Geometry) -> None:
    sample = maze_sample(geometry)
    stored = sideways(sample.pictures.solution)
    upright = decode_image(stored).pixels
    assert upright.shape == sample.pictures.solution.shape
    assert np.abs(upright.astype(int) - sample.pictures.solution).mean() < 4.0
    for picture in (sample.pictures.solution, sample.step(*sample.branch, on=sample.pictures.solution)):
        plain, turned = sample.grade(picture), sample.grade(sideways(picture))
        assert (turned.outcome, turned.score, codes(turned)) == (plain.outcome, plain.score, codes(plain))
        assert turned.observation.visited_cells == plain.observation.visited_cells
        assert turned.alignment.method == "NONE"


def test_a4_so_is_a_board() -> None:
    board = board_sample()
    turned = board.grade(sideways(board.pictures.solution))
    assert (turned.outcome, turned.score) == (Outcome.PASS, 1.0)


# --- A5: hues on both sides of zero ---

REDS = [(255, 0, 20), (255, 20, 0)]
DISTRACTORS = [(90, 90, 90), (170, 170, 170), (30, 30, 30), (40, 20, 20)]


def red_sample(color: tuple[int, int, int], geometry: Geometry) -> MazeSample:
    """Markers and path in one red."""
    return maze_sample(geometry, style=MazeStyle(51.2, 5.12, 5.12, path=color, marker=color))


@pytest.mark.parametrize("geometry", [Geometry.SQUARE, Geometry.TRIANGLE], ids=lambda geometry: geometry.value)
def test_a5_reds_on_both_sides_of_zero_are_found_equally(geometry: Geometry) -> None:
    seen = []
    for color in REDS:
        sample = red_sample(color, geometry)
        verdict = sample.grade(sample.pictures.solution, path_color=PathColor.RED)
        assert codes(verdict) == []
        assert [cell.id for cell in verdict.observation.visited_cells] == list(sample.path)
        found = verdict.observation
        seen.append((verdict.outcome, verdict.score, verdict.metrics, found.visited_cells, found.color_as_asked))
    assert seen[0] == seen[1]


# A geometry a distractor.
@pytest.mark.parametrize(
    ("geometry", "distractor"),
    list(zip(Geometry, DISTRACTORS, strict=True)),
)
def test_a5_distractors_are_never_taken_for_the_path(geometry: Geometry, distractor: tuple[int, int, int]) -> None:
    """The right path in a dark or grey stroke is no red path, and such a stroke adds no cell to one."""
    sample = red_sample(REDS[DISTRACTORS.index(distractor) % 2], geometry)
    alone = sample.grade(sample.draw(color=distractor), path_color=PathColor.RED)
    assert alone.outcome is Outcome.FAIL
    assert not alone.observation.color_as_asked
    beside = sample.step(*sample.apart, on=sample.pictures.solution, color=distractor)
    seen = sample.grade(beside, path_color=PathColor.RED).observation.visited_cells
    assert [cell.id for cell in seen] == list(sample.path)


# --- A7: masked MSE ---


@SEEDED
@given(st.integers(0, 40), st.integers(0, 40), st.integers(1, 9), st.integers(0, 255))
def test_a7_padding_never_dilutes_an_error(rows: int, columns: int, height: int, fill: int) -> None:
    """100 x 100, a mask of 10 %, an error of 0.5 inside: 0.25 whatever is put around it."""
    mask = np.zeros((100, 100), bool)
    mask[40:50] = True
    reference = np.full((100, 100, 3), 0.1 * height)
    candidate = np.where(mask[..., None], np.where(reference < 0.5, reference + 0.5, reference - 0.5), reference)
    widths = ((rows, columns), (columns, rows))
    padded = [np.pad(one, (*widths, (0, 0)), constant_values=fill / 255.0) for one in (candidate, reference)]
    assert masked_mse(*padded, np.pad(mask, widths)) == pytest.approx(0.25, abs=1e-12)


# --- A10: label resizing ---

LABELS = np.array([0, 2, 6, 7, 10], np.int32)


@SEEDED
@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 2**32 - 1))
def test_a10_resized_labels_are_among_the_old_ones(width: int, height: int, seed: int) -> None:
    labels = np.random.default_rng(seed).choice(LABELS, (13, 17))
    found = resize_labels(labels, (width, height))
    assert found.shape == (height, width)
    assert set(np.unique(found)) <= set(np.unique(labels))
    assert resize_mask(labels > 5, (width, height)).dtype == np.bool_


def test_a10_a_binary_mask_stays_binary() -> None:
    mask = np.random.default_rng(0).random((20, 30)) > 0.5
    decoded = decode_mask(png(mask))
    assert decoded.dtype == np.bool_
    assert (decoded == mask).all()
    ids = np.random.default_rng(0).choice([0, 2, 600, 70007], (20, 30)).astype(np.int32)
    assert (decode_labels(png(encode_ids(ids))) == ids).all()


@pytest.mark.parametrize(
    ("geometry", "share"),
    [
        (Geometry.SQUARE, 0.5),
        (Geometry.HEXAGON, 2.0),
        (Geometry.TRIANGLE, 0.83),
        (Geometry.CIRCLE, 0.83),
    ],
)
def test_a10_a_cell_map_of_another_size_than_its_picture(geometry: Geometry, share: float) -> None:
    sample = maze_sample(geometry)
    height, width = sample.pictures.cell_map.shape
    other = resize_labels(sample.pictures.cell_map, (round(width * share), round(height * share)))
    data = png(encode_ids(other))
    for picture in (sample.pictures.solution, sample.step(*sample.branch, on=sample.pictures.solution)):
        plain, mapped = sample.grade(picture), sample.grade(picture, cell_map=data)
        assert (mapped.outcome, mapped.score, codes(mapped)) == (plain.outcome, plain.score, codes(plain))
        assert mapped.observation.visited_cells == plain.observation.visited_cells


# --- A15: denominators ---


def test_a15_rates_are_over_all_candidates(tmp_path: Path) -> None:
    """172 items, 108 pass, 24 of the rest do not decode: 108 / 172; faults of the grader are counted apart."""
    sample = maze_sample(Geometry.SQUARE)
    ends = {
        name: ENGINE.grade(GradeJob(name, sample.task, ImageCandidate(data))).outcome.value
        for name, data in (
            ("right", png(sample.pictures.solution)),
            ("wrong", png(sample.pictures.input)),
            ("bad", b""),
        )
    }
    assert ends == {"right": "PASS", "wrong": "FAIL", "bad": "UNGRADABLE"}

    def row(name: str) -> str:
        return json.dumps({"requestId": name, "status": {}, "verdict": {"outcome": f"OUTCOME_{ends[name]}"}})

    fault = json.dumps({"requestId": "f", "status": {"code": 13, "reason": "INTERNAL"}})
    rows = [row("right")] * 108 + [row("bad")] * 24 + [row("wrong")] * 40 + [fault] * 3
    path = tmp_path / "results.jsonl"
    path.write_text("\n".join(rows) + "\n")
    summary = summarize(path)
    assert round(summary.pass_rate, 4) == 0.6279
    assert (summary.candidates, summary.graded, summary.failed, summary.ungradable) == (172, 148, 40, 24)
    assert (summary.total, summary.grader_failures) == (175, 3)


# --- A16: corner squeeze ---


def corner_maze() -> Maze:
    """A square maze with a corner as `squeezed` tells."""
    for seed in range(500):
        maze = generate_maze(Geometry.SQUARE, 4, seed=seed)
        path = solve(maze)
        for row in range(3):
            for column in range(3):
                if squeezed(maze, path, row, column):
                    return maze
    raise AssertionError("no maze has such a corner")


def squeezed(maze: Maze, path: tuple[int, ...], row: int, column: int) -> bool:
    """Whether two walls touch in a corner, around the cell above it on the left, and the path has both cells there."""
    one, right, below, other = (maze.grid.id_of(row + down, column + across) for down in (0, 1) for across in (0, 1))
    closed = not maze.linked(one, right) and not maze.linked(one, below)
    return closed and one in path and other in path


@pytest.mark.parametrize("width_px", [2.0, 5.12, 9.0])
def test_a16_no_stroke_squeezes_between_walls_that_touch(width_px: float) -> None:
    maze = corner_maze()
    path = solve(maze)
    corner = next((row, column) for row in range(3) for column in range(3) if squeezed(maze, path, row, column))
    style = MazeStyle(51.2, 5.12, 5.12)
    none = (path[0], path[1])
    sample = MazeSample(maze, style, render_maze(maze, style), path, none, none, none, none)
    ends = sorted((maze.grid.id_of(*corner), maze.grid.id_of(corner[0] + 1, corner[1] + 1)), key=path.index)
    way = [*path[: path.index(ends[0]) + 1], *path[path.index(ends[1]) :]]
    verdict = sample.grade(sample.draw(way, width_px=width_px))
    assert verdict.outcome is Outcome.FAIL
    assert {"WALL_CROSSED", "SHORTCUT"} & set(codes(verdict))
    assert verdict.reward < 0.9
    # The crossing is at the corner: two cells of 51.2 pixels, and half a wall at the rim.
    at = np.array([(corner[1] + 1) * 51.2 + 2.56, (corner[0] + 1) * 51.2 + 2.56])
    distance = [np.hypot(*(np.array(crossing.at) - at)) for crossing in verdict.observation.wall_crossings]
    assert min(distance) < 0.2 * 51.2


# --- A20: texture gaming ---


def gridded(color: tuple[int, int, int], pitch: int, width: int) -> Callable[[np.ndarray], np.ndarray]:
    def overlay(picture: np.ndarray) -> np.ndarray:
        changed = picture.copy()
        for offset in range(width):
            changed[offset::pitch] = color
            changed[:, offset::pitch] = color
        return changed

    return overlay


def speckled(color: tuple[int, int, int], share: float) -> Callable[[np.ndarray], np.ndarray]:
    def overlay(picture: np.ndarray) -> np.ndarray:
        changed = picture.copy()
        changed[np.random.default_rng(20).random(picture.shape[:2]) < share] = color
        return changed

    return overlay


def full_noise(picture: np.ndarray) -> np.ndarray:
    dice = np.random.default_rng(21).integers(0, 256, picture.shape)
    return (picture * 0.4 + dice * 0.6).astype(np.uint8)


COLORS = {"blue": BLUE, "pale_blue": (170, 200, 240), "black": BLACK, "grey": (128, 128, 128)}
TEXTURES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    **{f"grid_{pitch}_{name}": gridded(color, pitch, 1) for name, color in COLORS.items() for pitch in (4, 8)},
    **{f"thick_grid_{name}": gridded(color, 26, 4) for name, color in COLORS.items()},
    **{f"noise_{share}_{name}": speckled(color, share) for name, color in COLORS.items() for share in (0.1, 0.4)},
    "full_noise": full_noise,
}
# Mazes and boards take turns, and so does what is wrong below the texture. Colours of a kind of texture count once.
WRONG_KINDS = ("blank", "partial", "gap")
TEXTURED = [
    *((Geometry.SQUARE, name, WRONG_KINDS[turn % 3]) for turn, name in enumerate(TEXTURES) if turn % 4 == 3),
    (Geometry.HEXAGON, "grid_8_blue", "blank"),
]


def partial(sample: MazeSample) -> np.ndarray:
    return sample.draw(sample.path[: len(sample.path) // 2])


def gap(sample: MazeSample) -> np.ndarray:
    inside = sample.cells == sample.path[len(sample.path) // 2]
    return np.where(inside[..., None], sample.pictures.input, sample.pictures.solution)


WRONG: dict[str, Callable[[MazeSample], np.ndarray]] = {
    "blank": lambda sample: sample.pictures.input,
    "partial": partial,
    "gap": gap,
}


@cache
def untextured(geometry: Geometry, name: str) -> Verdict:
    sample = maze_sample(geometry)
    return sample.grade(WRONG[name](sample))


@cache
def untextured_board(cells: tuple[tuple[int, int], ...]) -> Verdict:
    board = board_sample()
    return board.grade(board.draw(cells))


@pytest.mark.parametrize(("geometry", "texture", "name"), TEXTURED, ids=lambda one: getattr(one, "value", one))
def test_a20_no_texture_raises_a_score(geometry: Geometry, texture: str, name: str) -> None:
    sample = maze_sample(geometry)
    before, after = untextured(geometry, name), sample.grade(TEXTURES[texture](WRONG[name](sample)))
    assert after.outcome is Outcome.FAIL
    assert after.score <= before.score
    assert after.reward <= before.reward


@pytest.mark.parametrize(
    ("texture", "drawn"),
    [(name, ("nothing", "moved")[turn % 8 // 4]) for turn, name in enumerate(TEXTURES) if turn % 4 == 1 or turn == 20],
)
def test_a20_nor_that_of_a_board(texture: str, drawn: str) -> None:
    board = board_sample()
    cells = () if drawn == "nothing" else tuple(((row + 1) % 5, column) for row, column in board.board.queens)
    before, after = untextured_board(cells), board.grade(TEXTURES[texture](board.draw(cells)))
    assert after.outcome is Outcome.FAIL
    assert after.score <= before.score
    assert after.reward <= before.reward


def test_a20_a_stroke_drawn_on_a_texture_is_not_believed() -> None:
    """Texture over the right path: it may pass where it is harmless, and never earns more than the path alone."""
    sample = maze_sample(Geometry.SQUARE)
    verdict = sample.grade(gridded(BLUE, 8, 1)(sample.pictures.solution))
    assert verdict.outcome is Outcome.FAIL
    assert verdict.reward == 0.0
    assert "TEXTURE" in codes(verdict)


# --- A13, in this process: a truly failing picture has a score, a picture that can't be graded has none ---


def test_a13_only_a_failing_picture_scores_zero() -> None:
    sample = maze_sample(Geometry.SQUARE)
    wrong = sample.grade(line(sample.pictures.input, [(5.0, 5.0), (200.0, 200.0)], 5.0, (0, 160, 60)))
    assert (wrong.outcome, wrong.reward) == (Outcome.FAIL, 0.0)
    broken = ENGINE.grade(GradeJob("b", sample.task, ImageCandidate(b"\x89PNG\r\n\x1a\n")))
    assert (broken.outcome, broken.score) == (Outcome.UNGRADABLE, None)
