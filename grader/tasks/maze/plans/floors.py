"""From a mask of the floor to a floor plan: for mazes without cells."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.colors import ColorName, project
from detectors.maze.floor.config import FloorConfig
from detectors.maze.floor.doors import Doors, with_doors
from detectors.maze.floor.looks import has_drawing, look_alike
from detectors.maze.floor.pieces import FloorEnd, FloorPieces, hanging_together, middle_line, part_floor
from detectors.maze.floor.widths import distance_into
from detectors.maze.plan.floorplan import Floorplan
from detectors.maze.plan.rims import PieceRules
from detectors.maze.plan.walls import read_floorplan, reduction_factor
from detectors.maze.textures.flat import draw_flat_floor
from detectors.maze.textures.marks import TextureMarks
from detectors.maze.textures.texture import MazeTexture
from grader.media.pyramid import reduce_picture
from grader.tasks.common.inputs import Inputs
from grader.tasks.maze.model import MazeInput
from grader.tasks.maze.plans.declared import FLOOR_MASK, DeclaredFloor, check_way, declared_floor
from grader.tasks.maze.settings import MazeSettings
from grader.tasks.maze.ways import nearest_way

Mask = NDArray[np.bool_]
_SAID = 3  # not a threshold: more of what is wrong is said by nobody


@dataclass(frozen=True)
class FloorCells:
    """The pieces of a floor as cells: their ids, and in which row and column of squares of a unit they lie."""

    places: dict[int, tuple[int, int]]

    @property
    def cell_ids(self) -> tuple[int, ...]:
        """All ids, ascending."""
        return tuple(sorted(self.places))

    def row_column(self, cell_id: int) -> tuple[int, int]:
        """Row and column of a piece's middle, counted in units of a corridor and a wall."""
        return self.places[cell_id]


@dataclass(frozen=True, eq=False)
class FloorReading:
    """A maze without cells, as it was read.

    Attributes
    ----------
    plan : its floor plan
    cells : its pieces
    path : those of the shortest way
    way : (N, 2), the way that lengths are held against, (x, y) in pixels of the picture
    """

    plan: Floorplan
    cells: FloorCells
    path: tuple[int, ...]
    way: NDArray[np.float64]


def read_floor(
    picture: NDArray[np.uint8], task: MazeInput, settings: MazeSettings, inputs: Inputs, *, textured: bool
) -> FloorReading | None:
    """The floor plan of a maze whose floor is declared; None where faults were noted.

    Parameters
    ----------
    picture : ndarray of shape (H, W, 3), uint8 RGB
    task : MazeInput
        With a floor.
    settings : MazeSettings
    inputs : Inputs
        Where faults are noted.
    textured : bool
        Whether it is read as one with textures.
    """
    declared = declared_floor(picture, task, settings, inputs)
    if declared is None:
        return None
    widths, config = declared.widths, settings.floor
    factor = reduction_factor(widths.unit, math.inf, settings.floorplan)
    unit, wall = widths.unit / factor, widths.wall / factor
    small = reduce_picture(picture, factor)
    floor = _reduced(declared.floor, factor, 0.5 if wall >= config.kept_wall_px else 1.0)
    start, goal = (_reduced_end(end, floor, factor) for end in declared.ends)
    joined = hanging_together(floor, start.spot)
    if not joined[goal.spot]:
        inputs.fault(FLOOR_MASK, "MISMATCH", "no way leads over the floor from start to goal")
        return None
    line = middle_line(joined, start.spot, goal.spot, unit - wall, config)
    if len(line) < 2 or np.hypot(*np.diff(line, axis=0).T).sum() < config.nearest * unit:
        text = f"start and goal lie less than {config.nearest:g} widths of a corridor apart, over the floor"
        inputs.fault(FLOOR_MASK, "MISMATCH", text)
        return None
    colors = _colors(small, joined, start.mark | goal.mark, wall, config)
    beyond = _beyond(small, floor, colors, start.mark | goal.mark) if not textured else np.zeros_like(floor)
    pieces = part_floor(joined, beyond | (floor & ~joined), (start, goal), unit, wall, config)
    if pieces is None:
        inputs.fault(FLOOR_MASK, "OUT_OF_RANGE", f"the floor is longer than {config.most_pieces} widths of a corridor")
        return None
    size = (picture.shape[1], picture.shape[0])
    if textured and not _looks_right(
        small, pieces, joined, start.mark | goal.mark, (unit, wall), factor, settings, inputs
    ):
        return None
    if textured:
        plan = _textured(picture, small, declared, pieces, joined, start.mark | goal.mark, task, settings, factor)
    else:
        plan = read_floorplan(
            picture, (pieces.labels,), widths.unit, widths.wall, factor, settings.floorplan, colors=colors
        )
    doors = with_doors(plan, pieces.passages, joined, config)
    rules = PieceRules(
        grazed_px=config.grazed * unit,
        spur_px=config.spur_out * unit,
        sunk_px=max(config.within_px, config.sunk * unit),
        within_px=config.within_px,
        cut_px=config.cut_off * unit,
        shut_px=config.shut * (unit - wall),
        thin_px=config.thin_px,
    )
    plan = replace(doors.plan, pieces=rules)
    if not _agrees(doors, joined, start.mark | goal.mark, settings, inputs):
        return None
    ends = ((pieces.start, start.mark), (pieces.goal, goal.mark))
    if not _marked_well(plan, ends, unit, config, inputs):
        return None
    try:
        path = nearest_way(plan.passages, pieces.start, pieces.goal, _along(pieces, line))
    except ValueError:
        inputs.fault(FLOOR_MASK, "MISMATCH", "the way from start to goal is far narrower in places than corridors are")
        return None
    way = np.array(task.floor.way, np.float64) if task.floor is not None and task.floor.way else line * factor
    check_way(way, declared, size, inputs)
    return FloorReading(plan, _cells(plan), path, way)


def _reduced(mask: Mask, factor: int, share: float) -> Mask:
    """(h, w) bool, which working pixels are of a mask by at least that share."""
    height, width = (-(-side // factor) * factor for side in mask.shape)
    padded = np.pad(mask, [(0, height - mask.shape[0]), (0, width - mask.shape[1])], mode="edge")
    parts = padded.reshape(height // factor, factor, width // factor, factor).mean(axis=(1, 3))
    return np.asarray(parts >= share, np.bool_)


def _reduced_end(end: FloorEnd, floor: Mask, factor: int) -> FloorEnd:
    mark = _reduced(end.mark, factor, 0.5)
    row, column = (place // factor for place in end.spot)
    if not floor[row, column]:
        on = np.argwhere(floor)
        best = int(np.hypot(on[:, 0] - row, on[:, 1] - column).argmin())
        row, column = int(on[best, 0]), int(on[best, 1])
    return FloorEnd((row, column), mark)


def _colors(
    picture: NDArray[np.uint8], floor: Mask, marks: Mask, wall: float, config: FloorConfig
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The colours of floor and walls."""
    inner = distance_into(floor & ~marks) > 1.0
    plain = inner if inner.any() else floor
    # not a threshold: the side of OpenCV's larger mask
    away = cv2.distanceTransform((~floor).view(np.uint8), cv2.DIST_L2, 5)
    # not a threshold: two rows of pixels, be a wall ever so thin
    near = (away > config.walls[0] * wall) & (away <= max(2.0, config.walls[1] * wall)) & ~marks
    floor_rgb = np.median(picture[plain], axis=0)
    walls = picture[near].astype(np.float64)
    if not len(walls):
        return np.asarray(floor_rgb, np.float64), np.asarray(floor_rgb, np.float64)
    # The edges of thin walls are mixed with floor.
    contrast = np.abs(walls - floor_rgb).sum(axis=1)
    darkest = walls[contrast >= np.quantile(contrast, 0.5)]
    return np.asarray(floor_rgb, np.float64), np.asarray(np.median(darkest, axis=0), np.float64)


def _beyond(
    picture: NDArray[np.uint8],
    floor: Mask,
    colors: tuple[NDArray[np.float64], NDArray[np.float64]],
    marks: Mask,
) -> Mask:
    """(h, w) bool, what is neither floor nor looks like a wall: the page around a maze, and rooms without a door."""
    light = (project(picture, *colors) < 0.5) & ~floor & ~marks
    around = np.ones((3, 3), np.uint8)
    opened = cv2.morphologyEx(light.astype(np.uint8), cv2.MORPH_OPEN, around) > 0
    # What lies right at the floor is its edge.
    near = cv2.dilate(floor.view(np.uint8), around) > 0
    return np.asarray(opened & ~near, np.bool_)


def _looks_right(
    picture: NDArray[np.uint8],
    pieces: FloorPieces,
    floor: Mask,
    marks: Mask,
    widths: tuple[float, float],
    factor: int,
    settings: MazeSettings,
    inputs: Inputs,
) -> bool:
    """Whether a textured picture looks like its mask, and has nothing drawn on it."""
    unit, wall = widths
    config = settings.floor
    wrong = list(look_alike(picture, pieces.labels, floor, marks, wall, config))
    if has_drawing(picture, floor, marks, unit, config):
        wrong.append(
            "a mark as long as a corridor is wide lies on the floor, as if an answer were drawn already, or a wall"
        )
    if wrong:
        scale = f" (in pixels of the picture divided by {factor})" if factor > 1 else ""
        text = f"the maze in it can't be read by the mask of its floor: {'; '.join(wrong[:_SAID])}{scale}"
        inputs.fault("maze.puzzle.image", "MISMATCH", text)
    return not wrong


def _textured(
    picture: NDArray[np.uint8],
    small: NDArray[np.uint8],
    declared: DeclaredFloor,
    pieces: FloorPieces,
    joined: Mask,
    marked: Mask,
    task: MazeInput,
    settings: MazeSettings,
    factor: int,
) -> Floorplan:
    widths = declared.widths
    height, width = declared.floor.shape
    floor = np.repeat(np.repeat(joined, factor, axis=0), factor, axis=1)[:height, :width]
    # not a threshold: the side of OpenCV's larger mask
    away = cv2.distanceTransform((~floor).astype(np.uint8), cv2.DIST_L2, 5)
    walls = (away > settings.floor.walls[0] * widths.wall) & (away <= settings.floor.walls[1] * widths.wall)
    marks = [end.mark for end in declared.ends]
    flat = draw_flat_floor(picture, floor, walls, marks, ColorName(task.path_color.value), settings.texture.flat)
    plan = read_floorplan(
        flat.picture, (pieces.labels,), widths.unit, widths.wall, factor, settings.floorplan, colors=flat.colors
    )
    ends = (pieces.start, pieces.goal)
    texture = MazeTexture(
        picture=small,
        flat=plan.picture,
        cell_px=plan.cell_px,
        marker_colors=tuple((ends[number], color) for number, color in flat.marker_colors),
        config=settings.texture.difference,
        light=settings.light,
        marks=TextureMarks(marked, flat.colors[0]),
    )
    return replace(plan, texture=texture)


def _agrees(doors: Doors, floor: Mask, marks: Mask, settings: MazeSettings, inputs: Inputs) -> bool:
    """Whether the picture has floor and walls where the mask has them."""
    plan = doors.plan
    if np.abs(plan.floor_rgb - plan.wall_rgb).sum() < settings.puzzle.least_contrast:
        inputs.fault("maze.puzzle.image", "MISMATCH", "its floor and its walls look alike, by the mask")
        return False
    for pairs, what in (
        (doors.walled, "a wall, and the mask has floor"),
        (doors.open, "no wall, and the mask has one"),
    ):
        if pairs:
            boxes = {(border.first, border.second): border.pixels for border in plan.borders}
            row, column = (boxes[pairs[0]].mean(axis=0) + 0.5) * plan.factor
            text = f"in the puzzle's picture there is {what}, at ({column:.0f}, {row:.0f})"
            inputs.fault(FLOOR_MASK, "MISMATCH", text)
            return False
    inner = distance_into(floor & ~marks) > 2.0  # not a threshold: not at the edge of what is none
    wrong = float(plan.walls[inner].mean()) if inner.any() else 1.0
    if wrong > settings.floor.unlike:
        text = f"{wrong:.0%} of what the mask has as floor looks like wall in the puzzle's picture"
        inputs.fault(FLOOR_MASK, "MISMATCH", text)
        return False
    return True


def _marked_well(
    plan: Floorplan, ends: tuple[tuple[int, Mask], ...], unit: float, config: FloorConfig, inputs: Inputs
) -> bool:
    """Whether what marks start and goal has a colour of its own, and nothing else has."""
    pieces = {piece for piece, _ in ends}
    for marker in plan.markers:
        if marker.cell not in pieces or max(marker.mask.shape) > config.longest_mark * unit:
            x, y = ((place + 0.5) * plan.factor for place in marker.center)
            text = f"it has a coloured mark at ({x:.0f}, {y:.0f}) that is no marker of start or goal"
            inputs.fault("maze.puzzle.image", "MISMATCH", text)
            return False
    for (piece, mark), name in zip(ends, ("start", "goal"), strict=True):
        if mark.any() and piece not in {marker.cell for marker in plan.markers}:
            text = f"the marker of its {name} can't be told from floor and walls by its colour"
            inputs.fault("maze.puzzle.image", "MISMATCH", text)
            return False
    return True


def _along(pieces: FloorPieces, line: NDArray[np.float64]) -> frozenset[tuple[int, int]]:
    """The steps of a line from piece to piece, the lower one first."""
    height, width = pieces.labels.shape
    rows = np.clip(line[:, 1].astype(np.intp), 0, height - 1)
    columns = np.clip(line[:, 0].astype(np.intp), 0, width - 1)
    cells = pieces.labels[rows, columns].tolist()
    return frozenset((min(pair), max(pair)) for pair in itertools.pairwise(cells) if pair[0] != pair[1])


def _cells(plan: Floorplan) -> FloorCells:
    middles = plan.cell_centers / plan.cell_px
    found: dict[int, tuple[int, int]] = {}
    for cell, (row, column) in zip(plan.cell_ids.tolist(), middles.tolist(), strict=True):
        if cell:
            found[cell] = (int(row), int(column))
    return FloorCells(found)
