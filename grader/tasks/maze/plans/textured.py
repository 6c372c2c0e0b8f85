"""The floor plan of a maze that is drawn with textures, tiles and sprites."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from detectors.common.colors import ColorName
from detectors.maze.plan.floorplan import Floorplan
from detectors.maze.plan.walls import read_floorplan, reduction_factor
from detectors.maze.textures.flat import draw_flat
from detectors.maze.textures.texture import MazeTexture
from detectors.maze.textures.zones import read_zones
from grader.media.pyramid import reduce_picture
from grader.tasks.maze.model import MazeBox, MazeInput
from grader.tasks.maze.plans.geometry import drawn_cells
from grader.tasks.maze.plans.zones import counts_of, is_tiled, tile_labels, with_posts, zones_of
from grader.tasks.maze.settings import MazeSettings
from puzzles.maze.layout import Layout


def read_textured(
    picture: NDArray[np.uint8], task: MazeInput, layout: Layout, box: MazeBox, settings: MazeSettings
) -> tuple[Floorplan | None, tuple[str, ...]]:
    """The floor plan of a maze of squares, or what keeps it from being read, in words.

    Parameters
    ----------
    picture : ndarray of shape (H, W, 3), uint8 RGB
    task : MazeInput
    layout : Layout
    box : MazeBox
    settings : MazeSettings
    """
    config, cell = settings.texture, layout.cell_size_px
    counts, tiled = counts_of(layout.grid), is_tiled(task.grid, task.wall_width_px)
    marked = (task.path_cell_ids[0], task.path_cell_ids[-1])
    zones = zones_of(layout, counts, box, task.grid, tiled=tiled)
    reading = read_zones(picture, zones, marked, config.zones)
    if reading.wrong:
        return None, reading.wrong
    drawn = reading.zones if tiled else with_posts(reading.zones, layout, counts, box)
    asked = ColorName(task.path_color.value)
    flat = draw_flat(picture, drawn, marked, asked, cell, config.flat, config.zones)
    if flat.wrong:
        return None, flat.wrong
    size = picture.shape[1], picture.shape[0]
    factor = reduction_factor(cell, max(size), settings.floorplan)
    if tiled and task.grid is not None:
        labels = tile_labels(size, factor, box, task.grid, cell, config.rim)
        wall = 2.0 * config.rim * cell  # not a threshold: to both sides
    else:
        labels, wall = drawn_cells(layout, size, box, factor), layout.wall_width_px
    plan = read_floorplan(flat.picture, (labels,), cell, wall, factor, settings.floorplan, colors=flat.colors)
    texture = MazeTexture(
        picture=reduce_picture(picture, factor),
        flat=plan.picture,
        cell_px=plan.cell_px,
        marker_colors=flat.marker_colors,
        config=config.difference,
        light=settings.light,
    )
    return replace(plan, texture=texture), ()
