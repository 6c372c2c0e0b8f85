"""A function a task: what is known of a puzzle, to the typed input that is graded against.

Nothing is guessed: what a puzzle needs and is not given is refused by its name when a candidate is graded.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from grader.face.errors import WrongValueError
from grader.face.pictures import PictureLike, encoded, encoded_ids, encoded_mask, member
from grader.model.jobs import BoxInput, DetectionInput, RotationForm, SceneCandidate
from grader.tasks.compare.model import CompareInput
from grader.tasks.maze.model import MazeBox, MazeGeometry, MazeInput, PathColor
from grader.tasks.queens.model import QueensInput
from grader.tasks.rush_hour.model import ExitInput, RectangleInput, RushHourInput, VehicleInput
from grader.tasks.sliding.model import SlidingInput
from grader.tasks.spatial_edit.model import (
    ColoredBoxesInput,
    ColoredBoxInput,
    EditOperation,
    IntrinsicsInput,
    SpatialEditInput,
)
from puzzles.rush_hour.lot import Lot

Triple = tuple[float, float, float]
"""Three lengths in metres: x, y, z of a place, or w, h, l of a box."""


def maze(
    image: PictureLike,
    cell_map: PictureLike | None = None,
    *,
    geometry: MazeGeometry | str,
    path_cell_ids: Sequence[int],
    cell_size_px: float = 0.0,
    wall_width_px: float,
    width_cells: int = 0,
    height_cells: int = 0,
    rings: int = 0,
    solution_image: PictureLike | None = None,
    mask: PictureLike | None = None,
    path_color: PathColor | str = PathColor.BLUE,
    any_solution: bool = False,
    box: tuple[int, int, int, int] | None = None,
    goal_may_change: bool = False,
) -> MazeInput:
    """Describes a maze with its right path.

    Parameters
    ----------
    image : picture
        The maze without a path.
    cell_map : picture or ndarray, optional
        Whose cell each pixel is: id = R + 256 G + 65536 B, or an array (H, W) of ids; 0 is outside. It has the
        picture's size or the box's. Without it the cells are where geometry, counts and lengths put them.
    geometry : MazeGeometry or str
        ``"square"``, ``"hexagon"``, ``"triangle"`` or ``"circle"``.
    path_cell_ids : sequence of int
        The right path from start to goal.
    cell_size_px, wall_width_px : float
        Lengths in pixels of ``image``. Without a cell size squares take up all of the box, or picture. Walls may be
        as wide as corridors: then the cell size is that of both together.
    width_cells, height_cells : int
        How many cells; not for circles.
    rings : int
        For circles.
    solution_image, mask : picture, optional
        The right drawing, and which pixels are the path's cells (not black, or an array of bool); for metrics.
    path_color : PathColor or str
        What the model was asked to draw with, such as ``"blue"``.
    any_solution : bool, optional
        Whether any way from start to goal is right; without it a maze that has another way is refused.
    box : tuple of int, optional
        (left, top, width, height) of the maze in ``image``, outer walls included; what lies beside it is margin.
    goal_may_change : bool, optional
        Whether in a clip the goal may vanish, or become another picture, once a marker has come to it.
    """
    return MazeInput(
        image=encoded(image),
        cell_map=None if cell_map is None else encoded_ids(cell_map),
        geometry=member(MazeGeometry, geometry, "geometry"),
        width_cells=width_cells,
        height_cells=height_cells,
        rings=rings,
        cell_size_px=cell_size_px,
        wall_width_px=wall_width_px,
        path_cell_ids=tuple(path_cell_ids),
        solution_image=None if solution_image is None else encoded(solution_image),
        mask=None if mask is None else encoded_mask(mask),
        path_color=member(PathColor, path_color, "path_color"),
        any_solution=any_solution,
        box=None if box is None else maze_box(box),
        goal_may_change=goal_may_change,
    )


def maze_box(box: Sequence[int]) -> MazeBox:
    """A box of four whole numbers; WrongValueError for anything else."""
    sides = list(box) if not isinstance(box, str) else []
    if len(sides) != 4 or not all(isinstance(side, int | np.integer) for side in sides):
        raise WrongValueError(f"a box is four whole numbers of pixels: left, top, width and height; not {box!r}")
    return MazeBox(*(int(side) for side in sides))


def queens(
    image: PictureLike,
    *,
    regions: Sequence[Sequence[int]],
    queens: Iterable[tuple[int, int]],
    solution_image: PictureLike | None = None,
    any_solution: bool = False,
) -> QueensInput:
    """Describes a Queens board with its right placement.

    Parameters
    ----------
    image : picture
        The board without queens.
    regions : sequence of sequence of int
        The region of each cell, row by row.
    queens : iterable of (row, column)
        Where queens belong, counted from 0.
    solution_image : picture, optional
        The right drawing; for metrics of pixels.
    any_solution : bool, optional
        Whether any placement that keeps the rules is right; without it a board that has another one is refused.

    Raises
    ------
    WrongValueError
        If ``regions`` is not as wide as high.
    """
    size = len(regions)
    if any(len(row) != size for row in regions):
        raise WrongValueError(
            f"regions has {size} rows, so each has {size} numbers, not {[len(row) for row in regions]}"
        )
    return QueensInput(
        image=encoded(image),
        size_cells=size,
        regions=tuple(region for row in regions for region in row),
        queens=tuple((row, column) for row, column in queens),
        solution_image=None if solution_image is None else encoded(solution_image),
        any_solution=any_solution,
    )


def rush_hour(lot: Lot) -> RushHourInput:
    """Describes a parking lot; its rules are its truth.

    Parameters
    ----------
    lot : Lot
        From ``puzzles.rush_hour.lot``; `load_puzzle` reads those that are in files.
    """
    return RushHourInput(
        width=lot.width,
        height=lot.height,
        exits=tuple(ExitInput(one.side, one.start, one.end) for one in lot.exits),
        vehicles=tuple(
            VehicleInput(
                label=one.label,
                body=RectangleInput(one.length, one.width, one.pose.x, one.pose.y, one.pose.theta),
                forward_reversed=one.axis[0] * math.cos(one.pose.theta) + one.axis[1] * math.sin(one.pose.theta) < 0,
                fixed=not one.movable,
                color_hex=one.color,
            )
            for one in lot.vehicles
        ),
        obstacles=tuple(
            RectangleInput(one.length, one.width, one.pose.x, one.pose.y, one.pose.theta) for one in lot.obstacles
        ),
    )


def sliding(tiles: Sequence[int], target_tiles: Sequence[int], *, image: PictureLike | None = None) -> SlidingInput:
    """Describes a sliding puzzle with the state to be reached.

    Parameters
    ----------
    tiles, target_tiles : sequence of int
        The tile in each cell, row by row, before and as asked for; -1 is the blank.
    image : picture, optional
        The board before any move; for clips and series of pictures.
    """
    return SlidingInput(
        size_cells=math.isqrt(len(tiles)),
        tiles=tuple(tiles),
        image=None if image is None else encoded(image),
        target_tiles=tuple(target_tiles),
    )


def box(
    center_m: Triple,
    size_m: Triple,
    *,
    yaw_rad: float | None = None,
    matrix: Sequence[float] | None = None,
    quaternion: tuple[float, float, float, float] | None = None,
) -> BoxInput:
    """Describes a box in space, in the camera's frame.

    Parameters
    ----------
    center_m, size_m : (x, y, z) and (w, h, l)
    yaw_rad, matrix, quaternion : float, 9 floats row by row, or (w, x, y, z)
        Its rotation, in one of these forms; none is a yaw of 0.

    Raises
    ------
    WrongValueError
        If the rotation is given twice.
    """
    forms: list[tuple[RotationForm, tuple[float, ...]]] = []
    if yaw_rad is not None:
        forms.append((RotationForm.YAW, (yaw_rad,)))
    if matrix is not None:
        forms.append((RotationForm.MATRIX, tuple(matrix)))
    if quaternion is not None:
        forms.append((RotationForm.QUATERNION, tuple(quaternion)))
    if len(forms) > 1:
        raise WrongValueError("give the rotation of a box in one form: yaw_rad, matrix or quaternion")
    form, rotation = forms[0] if forms else (RotationForm.YAW, (0.0,))
    return BoxInput(center_m, size_m, form, rotation)


def spatial_edit(
    image: PictureLike | None,
    *,
    prompt: str = "",
    operation: EditOperation | str | None = None,
    target: str = "",
    source_box: BoxInput | None = None,
    destination_box: BoxInput | None = None,
    detections: Iterable[tuple[str, BoxInput]] = (),
    intrinsics: tuple[float, float, float, float] | None = None,
    colored_boxes: Iterable[tuple[str, str, Triple | None]] = (),
    table: tuple[Triple, float] | None = None,
    result_image: PictureLike | None = None,
) -> SpatialEditInput:
    """Describes an edit of a scene with what should result.

    Parameters
    ----------
    image : picture or None
        The scene before.
    prompt : str
        What the model was asked for.
    operation : EditOperation or str, optional
        ``"move"``, ``"rotate"``, ``"resize"``, ``"remove"`` or ``"view"``; read off the prompt where it is not given.
    target : str
        The label of what is edited.
    source_box, destination_box : BoxInput, optional
        Where it is, and where it should be; see `box`.
    detections : iterable of (label, box)
        All that was found in the scene before.
    intrinsics : (fx, fy, cx, cy), optional
        The camera, in pixels.
    colored_boxes : iterable of (label, "#rrggbb", size in metres or None)
        What coloured boxes look like; then they are found in both pictures.
    table : (normal, offset in metres), optional
        The plane that coloured boxes stand on.
    result_image : picture, optional
        The right result.
    """
    kinds = tuple(ColoredBoxInput(label, color_hex, size_m) for label, color_hex, size_m in colored_boxes)
    return SpatialEditInput(
        image=None if image is None else encoded(image),
        prompt=prompt,
        operation=None if operation is None else member(EditOperation, operation, "operation"),
        target=target,
        source_box=source_box,
        intrinsics=None if intrinsics is None else IntrinsicsInput(*intrinsics, skew_px=0.0),
        detections=_found(detections),
        colored_boxes=ColoredBoxesInput(kinds, table) if kinds or table is not None else None,
        destination_box=destination_box,
        result_image=None if result_image is None else encoded(result_image),
    )


def scene(
    image: PictureLike | None,
    detections: Iterable[tuple[str, BoxInput]] = (),
    *,
    appearance_rating: float | None = None,
) -> SceneCandidate:
    """Describes an edited scene, a candidate for `spatial_edit`.

    Parameters
    ----------
    image : picture or None
        What the model made.
    detections : iterable of (label, box)
        What a detector found in it.
    appearance_rating : float, optional
        How good it looks, 0 to 10.
    """
    return SceneCandidate(None if image is None else encoded(image), _found(detections), appearance_rating)


def compare(reference: PictureLike, *, mask: PictureLike | None = None) -> CompareInput:
    """Describes a picture to compare candidates with.

    Parameters
    ----------
    reference : picture
    mask : picture, optional
        What counts as inside: not black, or an array (H, W) of bool.
    """
    return CompareInput(encoded(reference), None if mask is None else encoded_mask(mask))


def _found(detections: Iterable[tuple[str, BoxInput]]) -> tuple[DetectionInput, ...]:
    return tuple(DetectionInput(label, place) for label, place in detections)
