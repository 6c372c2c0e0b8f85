"""Draws the pictures of docs/tasks: for each task the overlay of a right candidate beside that of a wrong one.

``python -m tools.task_pictures [FOLDER]``. Run it when overlays change, look at the pictures, and commit them.
"""

from __future__ import annotations

import io
import itertools
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

import grader
from grader.make.form_board import plan_form_board, write_form_board
from grader.make.grid_mazes import GridMazeInstance, write_grid_maze
from grader.make.hinge_folding import plan_hinges, write_hinges
from grader.make.paper_folds import plan_paper_fold, write_paper_fold
from grader.make.plans import PlanLook
from grader.media.encoding import encode_mp4
from grader.model.jobs import BoxInput
from puzzles.amaze.files import write_maze
from puzzles.common.raster import Picture
from puzzles.grid_maze.generator import MazeParameters, generate_grid_maze
from puzzles.grid_maze.paths import shortest_paths, walk
from puzzles.grid_maze.recipes import GridMazeRecipe
from puzzles.grid_maze.render import layout_of
from puzzles.jigsaw.kinds import QuestionKind
from puzzles.jigsaw.photographs import Photograph, PhotographSource
from puzzles.jigsaw.questions import CutRules, ask_all
from puzzles.jigsaw.rendered import render_landscape
from puzzles.maze.curved import CurvedLook, CurvedRecipe, CurvedShape, draw_curved, make_curved
from puzzles.maze.geometry import Geometry
from puzzles.maze.maze import Maze, generate_maze, solve
from puzzles.maze.render import MazeStyle, draw_path
from puzzles.mentis.form_boards import FormBoardRecipe
from puzzles.mentis.hinges import HingeRecipe
from puzzles.mentis.paper_folds import PaperFoldRecipe
from puzzles.paper_fold.generator import solve as solve_fold
from puzzles.paper_fold.render import render_sheet
from puzzles.queens.board import generate_queens
from puzzles.queens.render import draw_queen, render_queens
from puzzles.rush_hour import motion as lot_motion
from puzzles.rush_hour.generator import generate_lot
from puzzles.sliding import motion as tile_motion
from puzzles.sliding.pictures import make_picture
from puzzles.sliding.render import render_board
from puzzles.sliding.tiles import generate_sliding
from puzzles.sliding.tiles import solve as solve_tiles
from puzzles.tabletop.edits import Operation
from puzzles.tabletop.faults import Fault, wrong_results
from puzzles.tabletop.recipes import TabletopRecipe
from puzzles.tabletop.render import render_scene
from puzzles.tabletop.scene import Scene, camera_box
from puzzles.tabletop.solids import Box

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "images"
MOST_BYTES = 120_000
_WIDTH, _GAP = 520, 16
_PAPER = (255, 255, 255)
_COLORS = (160, 96, 64, 48)
_SIDE, _FPS = 240, 12.0
_INK = (20, 60, 240)
_LOOK = PlanLook(picture_px=720, video_px=None)
Overlays = tuple[grader.Verdict, grader.Verdict]


def maze() -> Overlays:
    """The right path, and a way through a wall."""
    style = MazeStyle(cell_size_px=64, wall_width_px=6.4, path_width_px=6.4)
    made = next(one for one in (generate_maze(Geometry.HEXAGON, 4, seed=seed) for seed in range(99)) if _shortcut(one))
    with tempfile.TemporaryDirectory() as folder:
        empty = write_maze(Path(folder), made, style).input
        puzzle = grader.load_puzzle(folder)
    right = draw_path(empty, made, solve(made), style=style)
    wrong = draw_path(empty, made, _shortcut(made), style=style, walls_over=False)
    return _graded(puzzle, right), _graded(puzzle, wrong)


def maze_floor() -> Overlays:
    """The right way through a curved maze, and one with a stub through a wall."""
    recipe = CurvedRecipe(CurvedShape.BENT_RINGS, CurvedLook.LINES, 5, seed=5, cell_px=48.0, bend=0.3)
    made = make_curved(recipe)
    empty = draw_curved(made)
    start, goal = ((float(x), float(y)) for x, y in made.ends())
    puzzle = grader.maze_from_mask(empty, made.floor, start=start, goal=goal)
    right = _stroke(empty, made.route(made.path))
    grid, path = made.maze.grid, made.path
    aside = next((cell, one) for cell in path[2:] for one in grid.neighbours(cell)
                 if one not in path and not made.maze.linked(cell, one))  # fmt: skip
    border = made.border(*aside)
    through = np.stack([made.middle(aside[0]), border[len(border) // 2], made.middle(aside[1])])
    return _graded(puzzle, right), _graded(puzzle, _stroke(right, through))


def _stroke(picture: Picture, line: NDArray[np.float64]) -> Picture:
    points = np.rint(line * 16).astype(np.int32).reshape(-1, 1, 2)
    return np.asarray(cv2.polylines(picture.copy(), [points], False, (30, 60, 230), 7, cv2.LINE_AA, 4), np.uint8)


def _shortcut(made: Maze) -> tuple[int, ...]:
    """The right path with a step through a wall in it, by which some cells are left out; empty where there is none."""
    path = solve(made)
    for first, second in itertools.combinations(range(len(path)), 2):
        if 3 <= second - first <= 5 and first > 1 and path[second] in made.grid.neighbours(path[first]):
            return (*path[: first + 1], *path[second:])
    return ()


def queens() -> Overlays:
    """The right queens, and one that stands wrong."""
    board = generate_queens(6, seed=6)
    pictures = render_queens(board)
    puzzle = grader.queens(pictures.input, regions=board.regions, queens=board.queens)
    (row, column), *rest = board.queens
    wrong = pictures.input
    for one, other in [*rest, (row, (column + 2) % board.n)]:
        wrong = draw_queen(wrong, one, other)
    return _graded(puzzle, pictures.solution), _graded(puzzle, wrong)


def rush_hour() -> Overlays:
    """A clip in which the red car leaves, and one in which it does not."""
    made = generate_lot(2, seed=4)
    puzzle = grader.rush_hour(made.lot)

    def clip(count: int) -> bytes:
        plan = lot_motion.plan_motion(made.lot, made.solution[:count])
        return encode_mp4(lot_motion.clip_frames(made.lot, plan, None, (_SIDE, _SIDE), _FPS), _FPS)

    return _graded(puzzle, clip(len(made.solution))), _graded(puzzle, clip(len(made.solution) - 1))


def sliding() -> Overlays:
    """A clip that reaches the state that is asked for, and one that stops before."""
    picture, tiles = make_picture(_SIDE, seed=3), generate_sliding(3, 4, 5)
    moves = solve_tiles(tiles.start, tiles.target)
    board = render_board(picture, tiles.start, tiles.target)
    puzzle = grader.sliding(tiles.start, tiles.target, image=board)

    def clip(count: int) -> bytes:
        plan = tile_motion.plan_glides(tiles.start, moves[:count])
        return encode_mp4(tile_motion.clip_frames(picture, plan, tiles.target, None, (_SIDE, _SIDE), _FPS), _FPS)

    return _graded(puzzle, clip(len(moves))), _graded(puzzle, clip(len(moves) - 1))


def spatial_edit() -> Overlays:
    """An edit that was done, and one that was not; measured by the boxes, so that no network is needed."""
    edit = TabletopRecipe(Operation.MOVE, 1).edit().scaled(400)
    wrong = next(one.scene for one in wrong_results(edit) if one.fault is Fault.NO_OP)
    if edit.source is None or edit.wanted is None:
        raise RuntimeError("a move has a box before and one after")
    camera = edit.before.camera.intrinsics
    puzzle = grader.spatial_edit(
        None,
        prompt=edit.instruction,
        operation="move",
        target=edit.label,
        source_box=_box(edit.source),
        destination_box=_box(edit.wanted),
        detections=_boxes(edit.before),
        intrinsics=(camera[0][0], camera[1][1], camera[0][2], camera[1][2]),
    )
    right, other = (grader.scene(render_scene(one), _boxes(one)) for one in (edit.after, wrong))
    return grader.grade(puzzle, right, overlay=True), grader.grade(puzzle, other, overlay=True)


def _boxes(scene: Scene) -> list[tuple[str, BoxInput]]:
    return [(one.label, _box(camera_box(scene.camera, one))) for one in scene.cuboids]


def _box(box: Box) -> BoxInput:
    return grader.box(box.center, box.size, matrix=[entry for row in box.rotation for entry in row])


def compare() -> Overlays:
    """A picture that changed inside its mask only, and one that changed elsewhere too."""
    before = make_picture(_SIDE, seed=5)
    mask = np.zeros((_SIDE, _SIDE), np.bool_)
    mask[60:150, 80:180] = True
    inside, everywhere = before.copy(), np.clip(before.astype(np.int16) + 40, 0, 255).astype(np.uint8)
    inside[mask] = everywhere[mask]
    puzzle = grader.compare(before, mask=mask)
    return _graded(puzzle, inside), _graded(puzzle, everywhere)


def grid_maze() -> Overlays:
    """A shortest path, and a way straight through walls and traps."""
    recipe = GridMazeRecipe(MazeParameters(8, 8, 0.3, 5, seed=6, least_length=9), "meadow")
    maze = generate_grid_maze(recipe.parameters)
    with tempfile.TemporaryDirectory() as folder:
        write_grid_maze(Path(folder), GridMazeInstance(recipe))
        puzzle, empty = grader.load_puzzle(folder), _picture(Path(folder) / "maze.png")
    layout = layout_of(maze.rows, maze.cols)
    side, (left, top) = layout.tile_px, layout.origin_xy
    corner = (maze.start[0], maze.goal[1])
    ways = walk(maze, shortest_paths(maze).listed()[0]).spots, (maze.start, corner, maze.goal)
    right, wrong = (
        cv2.polylines(
            empty.copy(),
            [np.array([[left + (column + 0.5) * side, top + (row + 0.5) * side] for row, column in way], np.int32)],
            False,
            _INK,
            round(side / 6),
            cv2.LINE_AA,
        )
        for way in ways
    )
    return _graded(puzzle, np.asarray(right, np.uint8)), _graded(puzzle, np.asarray(wrong, np.uint8))


def form_board() -> Overlays:
    """The pieces that fill a silhouette, and one of them missing."""
    instance = plan_form_board(FormBoardRecipe(4, 3), _LOOK)
    return _last_and_one_before(partial(write_form_board, instance=instance))


def hinge_folding() -> Overlays:
    """A chain that is folded, and one with a hinge that has not turned yet."""
    instance = plan_hinges(HingeRecipe(4, 4), _LOOK)
    return _last_and_one_before(partial(write_hinges, instance=instance))


def paper_fold() -> Overlays:
    """The sheet that was unfolded, and one with the holes of another option."""
    instance = plan_paper_fold(PaperFoldRecipe(3, 5), _LOOK)
    made = instance.recipe.puzzle()
    wrong = made.options[(solve_fold(made) + 1) % len(made.options)]
    with tempfile.TemporaryDirectory() as folder:
        write_paper_fold(Path(folder), instance)
        puzzle, right = grader.load_puzzle(folder), _picture(max(Path(folder).glob("cot_*.png")))
    other = render_sheet(made.sheets[0], wrong, instance.style, instance.look.picture_px)
    return _graded(puzzle, right), _graded(puzzle, other)


def _last_and_one_before(write: Callable[[Path], None]) -> Overlays:
    """An instance's last picture, and that before the last step."""
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder))
        puzzle = grader.load_puzzle(folder)
        *_, before, last = sorted(Path(folder).glob("cot_*.png"))
        return _graded(puzzle, _picture(last)), _graded(puzzle, _picture(before))


def _picture(path: Path) -> Picture:
    with Image.open(path) as image:
        return np.asarray(image.convert("RGB"), np.uint8)


def _graded(puzzle: grader.TaskInput, candidate: Picture | bytes) -> grader.Verdict:
    return grader.grade(puzzle, candidate, overlay=True)


TASKS: dict[str, Callable[[], Overlays]] = {
    "maze": maze,
    "queens": queens,
    "rush_hour": rush_hour,
    "sliding": sliding,
    "grid_maze": grid_maze,
    "form_board": form_board,
    "hinge_folding": hinge_folding,
    "paper_fold": paper_fold,
    "spatial_edit": spatial_edit,
    "compare": compare,
}


def side_by_side(pngs: Sequence[bytes]) -> bytes:
    """Pictures beside each other, as a PNG of as many colours as `MOST_BYTES` allow."""
    pictures: list[NDArray[np.uint8]] = []
    for png in pngs:
        image = Image.open(io.BytesIO(png)).convert("RGB")
        height = round(image.height * _WIDTH / image.width)
        pictures.append(np.asarray(image.resize((_WIDTH, height), Image.Resampling.LANCZOS)))
    sheet = Image.new("RGB", (len(pngs) * (_WIDTH + _GAP) - _GAP, max(len(one) for one in pictures)), _PAPER)
    for place, picture in enumerate(pictures):
        sheet.paste(Image.fromarray(picture), (place * (_WIDTH + _GAP), 0))
    return limited(sheet)


def limited(sheet: Image.Image) -> bytes:
    """A picture as a PNG of as many colours as `MOST_BYTES` allow."""
    data = b""
    for colors in _COLORS:
        stream = io.BytesIO()
        sheet.quantize(colors, dither=Image.Dither.NONE).save(stream, "PNG", optimize=True)
        data = stream.getvalue()
        if len(data) <= MOST_BYTES:
            break
    return data


def picture_of(task: str) -> bytes:
    """The picture of a task's page.

    Raises
    ------
    RuntimeError
        If the candidates do not end as they were made to, or have no overlay.
    """
    right, wrong = {**TASKS, **FURTHER}[task]()
    fine = right.outcome is grader.Outcome.PASS and wrong.outcome is grader.Outcome.FAIL
    if not fine and {right.outcome, wrong.outcome} != {grader.Outcome.MEASURED}:
        raise RuntimeError(f"{task}: the candidates ended {right} and {wrong}")
    if right.overlay is None or wrong.overlay is None:
        raise RuntimeError(f"{task}: there is no overlay")
    return side_by_side([right.overlay.png, wrong.overlay.png])


def jigsaw_sheet() -> bytes:
    """Questions about pieces of a picture, one below another; there is no overlay but of words."""
    sources = [
        PhotographSource(Photograph("", f"{seed:064x}", (640, 480), "", ""), render_landscape(seed))
        for seed in range(7)
    ]
    kinds = ("missing_piece_hard", "localization_hard", "anomaly", "order_generation")
    asked = ask_all(sources, [QuestionKind(kind) for kind in kinds], 1, CutRules(_SIDE, seed=9), Counter())
    rows: list[Picture] = []
    for one in sorted(asked, key=lambda each: kinds.index(each.question.kind.value)):
        row = np.full((_SIDE, 2 * _WIDTH + _GAP, 3), _PAPER, np.uint8)
        left = 0
        for picture in one.question.pictures:
            height, width = picture.shape[:2]
            row[:height, left : left + width] = picture
            left += width + _GAP // 2
        tallest = max(len(picture) for picture in one.question.pictures)
        rows += [row[:tallest], np.full((_GAP, row.shape[1], 3), _PAPER, np.uint8)]
    sheet = np.vstack(rows[:-1])
    used = np.flatnonzero((sheet != _PAPER).any(axis=(0, 2))).max() + 1
    return limited(Image.fromarray(sheet[:, :used]))


FURTHER: dict[str, Callable[[], Overlays]] = {"maze_floor": maze_floor}
"""Of further sections of a task's page."""

SHEETS: dict[str, Callable[[], bytes]] = {"jigsaw": jigsaw_sheet}
"""Of tasks that are answered in words only."""


def main(folder: Path = FOLDER) -> int:
    """Writes the picture of each task; returns the exit code."""
    for task in (*TASKS, *FURTHER):
        data = picture_of(task)
        (folder / f"{task}.png").write_bytes(data)
        print(f"{task}: {len(data)} bytes")
    for task, sheet in SHEETS.items():
        data = sheet()
        (folder / f"{task}.png").write_bytes(data)
        print(f"{task}: {len(data)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER))
