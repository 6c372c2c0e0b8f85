"""Draws mazes in the look of the AMAZE records, and any path on them, right or wrong.

Colours, widths and the order of drawing follow the published pictures; the markers' sizes and offsets were measured
on them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from puzzles.common.arrays import FloatArray
from puzzles.common.color_names import color_name
from puzzles.common.raster import Color, Coverage, Picture, cover_line, cover_polygon, new_coverage, paint
from puzzles.common.texture import Texture, lay_texture
from puzzles.maze.geometry import Geometry
from puzzles.maze.layout import NATIVE_CELL_SIZE_PX, NATIVE_WALL_WIDTH_PX, CellMapKind, Layout, rasterise_cell_map
from puzzles.maze.maze import Maze, solve


@dataclass(frozen=True)
class MazeStyle:
    """How a maze looks. Lengths of markers are shares of the cell size; the defaults are the published look.

    Attributes
    ----------
    cell_size_px, wall_width_px, path_width_px
        Positive.
    outside, floor, wall, path, marker, halo
        RGB colours from 0 to 255; the halo is a thin rim around the markers.
    disc_radius, disc_drop
        The start's disc, and how far it sits below its cell's centre.
    cross_arm, cross_width, cross_rise
        The goal's X: from its middle to the end of an arm, an arm's width, and how far it sits above its cell's centre.
    halo_width
        The rim's width outside the marker.
    cell_map
        Which cell map and mask to make.
    texture
        Laid on the floor; none where left out.
    """

    cell_size_px: float = NATIVE_CELL_SIZE_PX
    wall_width_px: float = NATIVE_WALL_WIDTH_PX
    path_width_px: float = NATIVE_WALL_WIDTH_PX
    outside: Color = (0, 0, 0)
    floor: Color = (255, 255, 255)
    wall: Color = (0, 0, 0)
    path: Color = (0, 107, 183)
    marker: Color = (255, 0, 0)
    halo: Color = (255, 255, 255)
    disc_radius: float = 0.205
    disc_drop: float = 0.018
    cross_arm: float = 0.344
    cross_width: float = 0.103
    cross_rise: float = 0.013
    halo_width: float = 0.01
    cell_map: CellMapKind = CellMapKind.PUBLISHED
    texture: Texture | None = None

    def __post_init__(self) -> None:
        for name in ("cell_size_px", "wall_width_px", "path_width_px", "disc_radius", "cross_arm", "cross_width"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value > 0):
                raise ValueError(f"{name} must be positive, not {value}")

    @property
    def path_color_name(self) -> str:
        """What people call the path's colour."""
        return color_name(self.path)

    @property
    def marker_color_name(self) -> str:
        """What people call the colour of disc and X."""
        return color_name(self.marker)

    def resized(self, cell_size_px: float) -> MazeStyle:
        """Return this look at another cell size; walls and path keep their share of it."""
        factor = cell_size_px / self.cell_size_px
        return replace(
            self,
            cell_size_px=cell_size_px,
            wall_width_px=self.wall_width_px * factor,
            path_width_px=self.path_width_px * factor,
        )

    def layout(self, maze: Maze) -> Layout:
        """Return where the maze lies in its picture."""
        return Layout(maze.grid, self.cell_size_px, self.wall_width_px)


@dataclass(frozen=True)
class MazePictures:
    """The pictures of a maze, all of one size.

    Attributes
    ----------
    input, no_markers, solution
        Shape (H, W, 3), uint8, RGB: what a model is given, the same without disc and X, and with the path.
    mask
        Shape (H, W), bool: the pixels of the path's cells on the cell map.
    cell_map
        Shape (H, W), int32: ids, 0 outside.
    """

    input: Picture
    no_markers: Picture
    solution: Picture
    mask: NDArray[np.bool_]
    cell_map: NDArray[np.int32]


def render_maze(maze: Maze, style: MazeStyle | None = None) -> MazePictures:
    """Draw a maze and its solution.

    Parameters
    ----------
    maze
        One that can be solved.
    style
        The published look where left out.

    Returns
    -------
    MazePictures
        The same arguments give the same bytes.

    Raises
    ------
    ValueError
        If no way leads from the start to the goal.
    """
    style = style or MazeStyle()
    path = solve(maze)
    no_markers = _empty_maze(maze, style)
    with_markers = no_markers.copy()
    _paint_markers(with_markers, maze, style)
    cell_map = rasterise_cell_map(style.layout(maze), style.cell_map)
    return MazePictures(
        input=with_markers,
        no_markers=no_markers,
        solution=draw_path(with_markers, maze, path, style=style),
        mask=np.isin(cell_map, path),
        cell_map=cell_map,
    )


def draw_path(
    picture: Picture,
    maze: Maze,
    cells: Sequence[int],
    *,
    color: Color | None = None,
    width_px: float | None = None,
    opacity: float = 1.0,
    markers_over: bool = True,
    walls_over: bool | None = None,
    style: MazeStyle | None = None,
) -> Picture:
    """Draw a path through cells on a copy of a picture, the way the published solutions are drawn.

    Parameters
    ----------
    picture
        Shape (H, W, 3), uint8, RGB, at the style's size.
    maze
        The maze in the picture.
    cells
        Ids in order, right or wrong. Cells that are not adjacent are joined by a straight line, walls or not.
    color, width_px
        The style's path colour and width where left out.
    opacity
        From 0 to 1.
    markers_over
        Draw the disc and the X over the path.
    walls_over
        Draw the walls over the path; where left out only in triangle mazes, as published.
    style
        The published look where left out.

    Returns
    -------
    ndarray
        A new picture. No pixel that the path does not touch differs from the old one.

    Raises
    ------
    ValueError
        If the list is empty, an id is of no cell, a number is out of range, or the picture has another size.
    """
    points = (style or MazeStyle()).layout(maze).to_pixels(maze.grid.route(cells))
    return draw_polyline(
        picture,
        maze,
        points,
        color=color,
        width_px=width_px,
        opacity=opacity,
        markers_over=markers_over,
        walls_over=walls_over,
        style=style,
    )


def draw_polyline(
    picture: Picture,
    maze: Maze,
    points: FloatArray,
    *,
    color: Color | None = None,
    width_px: float | None = None,
    opacity: float = 1.0,
    markers_over: bool = True,
    walls_over: bool | None = None,
    style: MazeStyle | None = None,
) -> Picture:
    """Draw any line on a copy of a picture; as `draw_path`, with points (k, 2), float64, (x, y) in pixels, k >= 1."""
    style = style or MazeStyle()
    size = style.layout(maze).picture_size
    if picture.shape != (size[1], size[0], 3) or picture.dtype != np.uint8:
        raise ValueError(f"the picture must be uint8 RGB of {size[0]} x {size[1]} pixels")
    if points.ndim != 2 or points.shape[1] != 2 or len(points) == 0 or not np.isfinite(points).all():
        raise ValueError("a line needs at least one point (x, y), all finite")
    if not 0 <= opacity <= 1:
        raise ValueError(f"the opacity must be from 0 to 1, not {opacity}")
    width = style.path_width_px if width_px is None else width_px
    line = new_coverage(*picture.shape[:2])
    cover_line(line, points, width)
    drawn = picture.copy()
    # All that is done here is done where the line is.
    left, top = np.maximum(np.floor(points.min(axis=0) - width / 2 - 1), 0).astype(int)
    right, bottom = np.maximum(np.ceil(points.max(axis=0) + width / 2 + 1), 0).astype(int)
    near = (slice(top, bottom), slice(left, right))
    paint(drawn[near], line[near], style.path if color is None else color, opacity)
    if walls_over if walls_over is not None else maze.geometry is Geometry.TRIANGLE:
        paint(drawn[near], _wall_coverage(maze, style)[near], style.wall)
    if markers_over:
        _paint_markers(drawn, maze, style)
    # Walls and markers laid on twice would darken their own edges, so everything away from the line stays as it was.
    result = picture.copy()
    np.copyto(result[near], drawn[near], where=(line[near] > 0)[..., None])
    return result


def _empty_maze(maze: Maze, style: MazeStyle) -> Picture:
    """Draw floor and walls."""
    layout = style.layout(maze)
    width, height = layout.picture_size
    picture = np.empty((height, width, 3), dtype=np.uint8)
    picture[:] = style.outside
    floor = new_coverage(height, width)
    if maze.geometry is Geometry.CIRCLE:
        middle = layout.to_pixels(np.array([maze.grid.extent], dtype=np.float64) / 2)
        cover_line(floor, middle, maze.grid.extent[0] * style.cell_size_px)
    else:
        for cell in maze.grid.cell_ids:
            cover_polygon(floor, layout.to_pixels(maze.grid.outline(cell)), add=True)
    # The published floor has hard edges: a pixel that it touches is floor.
    inside = np.ceil(floor)
    paint(picture, inside, style.floor)
    if style.texture is not None:
        textured = picture.copy()
        lay_texture(textured, style.texture, style.cell_size_px)
        np.copyto(picture, textured, where=(inside > 0)[..., None])
    paint(picture, _wall_coverage(maze, style), style.wall)
    return picture


@lru_cache(maxsize=4)
def _wall_coverage(maze: Maze, style: MazeStyle) -> Coverage:
    """Return how much of each pixel walls cover; read-only, since lines drawn beneath the same walls share it."""
    layout = style.layout(maze)
    width, height = layout.picture_size
    coverage = new_coverage(height, width)
    borders = [maze.grid.border(first, second) for first, second in maze.walls()]
    for cell in maze.grid.cell_ids:
        outer = maze.grid.outer_borders(cell)
        borders.extend(border for place, border in enumerate(outer) if (cell, place) not in maze.openings)
    for border in borders:
        cover_line(coverage, layout.to_pixels(border.points()), style.wall_width_px)
    coverage.setflags(write=False)
    return coverage


def _paint_markers(picture: Picture, maze: Maze, style: MazeStyle) -> None:
    """Paint the disc and the X, each with its rim, in place."""
    cell = style.cell_size_px
    layout = style.layout(maze)
    disc_x, disc_y = layout.centre(maze.start)
    cross_x, cross_y = layout.centre(maze.goal)
    disc_reach = (style.disc_radius + style.halo_width) * cell
    cross_reach = (style.cross_arm + style.cross_width + 2 * style.halo_width) * cell
    disc, disc_middle = _cutout(picture, disc_x, disc_y + style.disc_drop * cell, disc_reach)
    cross, cross_middle = _cutout(picture, cross_x, cross_y - style.cross_rise * cell, cross_reach)
    for margin, color in ((style.halo_width, style.halo), (0.0, style.marker)):
        coverage = new_coverage(*disc.shape[:2])
        cover_line(coverage, disc_middle, 2 * (style.disc_radius + margin) * cell)
        paint(disc, coverage, color)
        coverage = new_coverage(*cross.shape[:2])
        for corners in _cross(style.cross_arm + margin, style.cross_width / 2 + margin):
            cover_polygon(coverage, corners * cell + cross_middle)
        paint(cross, coverage, color)


def _cutout(picture: Picture, x: float, y: float, reach: float) -> tuple[Picture, FloatArray]:
    """Return a view of the picture around a point, and the point in it, shape (1, 2)."""
    left, top = (max(0, math.floor(value - reach - 1)) for value in (x, y))
    right, bottom = (math.ceil(value + reach + 1) for value in (x, y))
    return picture[top:bottom, left:right], np.array([[x - left, y - top]])


def _cross(arm: float, half: float) -> tuple[FloatArray, FloatArray]:
    """Return the two strokes of an X around the origin as clockwise rectangles, shape (4, 2)."""
    flat = np.array([[-arm, -half], [arm, -half], [arm, half], [-arm, half]])
    turn = math.sqrt(0.5) * np.array([[1.0, 1.0], [-1.0, 1.0]])
    return flat @ turn, flat @ turn.T
