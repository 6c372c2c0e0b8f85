"""From a maze's picture and cell map to its floor plan: walls, floor, markers, passages. The answer is not looked at.

Everything is held in a *working frame*: the picture reduced by a power of two, so that a cell is about 28 to 56 pixels
across. That is fine enough to see a stroke of one picture pixel, and keeps the work small for large pictures.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.colors import oklab, project
from detectors.maze.plan.cell_maps import OUTSIDE, CellMapConfig, beyond_walls, depth_in_cell, fit_cell_map
from detectors.maze.plan.floorplan import Border, Floorplan, Marker
from detectors.maze.plan.rims import RimConfig
from grader.media.pyramid import reduce_picture


@dataclass(frozen=True)
class FloorplanConfig:
    """How a maze's picture is read.

    Attributes
    ----------
    min_cell_px : the working frame is the smallest, by powers of two, in which a cell's length is at least this...
    min_side_px : ...and the picture's longer side at least this: in mazes of few cells things are as small as elsewhere
    most_unit_px : of longer cells, in working pixels, what is drawn is looked at by halves or quarters of their length
    deep_walls, deep : floor is told farther from the borders of cells than this many walls' widths, and than this share
        of the cell length
    darkest : quantile of contrast to the floor, within half a wall of the borders, from which pixels tell the wall's
        colour
    marker_distance : OKLab distance from both floor and wall colour beyond which a pixel in a cell belongs to a marker
    marker_step : difference of a channel (0 to 255) to both up to which it does not in any case
    min_marker_area : smallest marker, as a share of the cell length squared
    thin_px : walls narrower than this, in working pixels, may have holes in a reduced picture...
    thin : ...and stand where a pixel is this far on the way from floor to wall
    open_share : a border of two cells is a passage if less than this share of it is wall
    least_border, least_border_px : cells that share less than this share of the median border, or fewer pixels, meet in
        a corner
    unclear : difference of the largest channel (0 to 255) to the floor from which a passage does not look like floor
    colored : OKLab distance from both floor and wall colour beyond which a mark that is no marker is coloured
    grained : difference of the largest channel (0 to 255) to the floor's or the walls' colour from which a pixel has
        another...
    grainy : ...and the share of such pixels, of the floor or of the walls, from which a maze has textures
    two_rows_px : half a wall's width, in working pixels, from which it has a second row of whole pixels
    maps : how cell maps are fitted
    rims : how near to a thing something is a part of it
    """

    min_cell_px: float = 28.0
    min_side_px: float = 384.0
    most_unit_px: float = 56.0
    deep_walls: float = 1.5
    deep: float = 0.1
    darkest: float = 0.9
    marker_distance: float = 0.15
    marker_step: int = 24
    min_marker_area: float = 0.01
    thin_px: float = 3.0
    thin: float = 0.3
    open_share: float = 0.5
    least_border: float = 0.15
    least_border_px: float = 3.0
    unclear: float = 40.0
    colored: float = 0.1
    grained: float = 16.0
    grainy: float = 0.03
    two_rows_px: float = 1.6
    maps: CellMapConfig = field(default_factory=CellMapConfig)
    rims: RimConfig = field(default_factory=RimConfig)


def reduction_factor(cell_size_px: float, longer_side_px: float, config: FloorplanConfig) -> int:
    """The largest power of two that leaves a cell and the picture's longer side at least as long as they have to be."""
    most = min(cell_size_px / config.min_cell_px, longer_side_px / config.min_side_px)
    return int(2 ** max(0, math.floor(math.log2(most))))


def _unit_of(cell_px: float, most_px: float) -> float:
    return float(cell_px / 2 ** max(0, math.ceil(math.log2(cell_px / most_px))))


def reduce_labels(labels: NDArray[np.int32], factor: int) -> NDArray[np.int32]:
    """Takes every ``factor``-th label, (H, W) to (ceil(H / factor), ceil(W / factor)): the working frame's."""
    small = labels[factor // 2 :: factor, factor // 2 :: factor]
    shape = (-(-labels.shape[0] // factor), -(-labels.shape[1] // factor))
    return np.pad(small, [(0, shape[0] - small.shape[0]), (0, shape[1] - small.shape[1])], mode="edge")


def read_floorplan(
    picture: NDArray[np.uint8],
    cell_maps: tuple[NDArray[np.int32], ...],
    cell_size_px: float,
    wall_width_px: float,
    factor: int,
    config: FloorplanConfig,
    *,
    colors: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None,
) -> Floorplan:
    """Reads a maze's picture.

    Parameters
    ----------
    picture : ndarray of shape (H, W, 3), uint8 RGB
    cell_maps : tuple of ndarray of shape (h, w), int32
        Cell ids in the working frame, 0 outside every cell; the one that fits the picture best is
        taken.
    cell_size_px, wall_width_px : float
        Length of a cell and width of a wall in picture pixels.
    factor : int
        Picture pixels per working pixel; see `reduction_factor`.
    config : FloorplanConfig
    colors : tuple of two ndarrays of shape (3,), optional
        Those of floor and walls of a picture that was drawn by its first map: then no map is fitted.

    Raises
    ------
    ValueError
        If the sizes do not fit or a map has no cell.
    """
    height, width = picture.shape[:2]
    small = reduce_picture(picture, factor)
    for cell_map in cell_maps:
        if cell_map.shape != small.shape[:2]:
            raise ValueError(f"the picture is {small.shape[:2]} in the working frame and a cell map {cell_map.shape}")
        if not cell_map.any():
            raise ValueError("a cell map has no cell")
    wall_px = wall_width_px / factor
    labels = cell_maps[0]
    if colors is None:
        labels = fit_cell_map(small, cell_maps, cell_size_px / factor, wall_px, config.maps).labels
    depth = depth_in_cell(labels)

    # Deep in the cells is floor (and markers, which are the lesser part); what is darkest on the borders is wall.
    inside = labels != OUTSIDE
    cell_px = cell_size_px / factor
    within = min(max(config.deep_walls * wall_px, config.deep * cell_px), beyond_walls(cell_px, wall_px))
    deep = inside & (depth > within)
    floor_rgb = np.median(small[deep if deep.any() else inside], axis=0).astype(np.float64)
    rim = small[inside & (depth <= max(1.0, 0.5 * wall_px))].astype(np.float64)
    contrast = np.abs(rim - floor_rgb).sum(axis=1)
    wall_rgb = np.median(rim[contrast >= np.quantile(contrast, config.darkest)], axis=0).astype(np.float64)
    if colors is not None:
        floor_rgb, wall_rgb = colors

    toward_wall = project(small, floor_rgb, wall_rgb)
    marked = inside & _off_axis(small, floor_rgb, wall_rgb, config)
    walls = (toward_wall > 0.5) & inside & ~marked
    markers = _find_markers(marked, small, labels, config.min_marker_area * (cell_size_px / factor) ** 2)
    return Floorplan(
        size=(width, height),
        factor=factor,
        picture=small,
        labels=labels,
        walls=walls,
        markers=markers,
        depth=depth,
        borders=_find_borders(labels, _solid(walls, toward_wall, inside & ~marked, wall_px, config), wall_px, config),
        floor_rgb=floor_rgb,
        wall_rgb=wall_rgb,
        cell_px=cell_size_px / factor,
        wall_px=wall_px,
        unit_px=_unit_of(cell_px, config.most_unit_px),
        rims=config.rims,
    )


def unclear_passages(plan: Floorplan, config: FloorplanConfig) -> tuple[tuple[int, int], ...]:
    """Pairs of cells between which no wall was read, though most of their border does not look like floor either.

    So it is where walls are textures, of whose colours none is that of all.
    """
    at, owner = plan.border_pixels
    apart = np.abs(plan.picture.reshape(-1, 3)[at].astype(np.float64) - plan.floor_rgb).max(axis=1)
    share = np.bincount(owner, weights=apart > config.unclear, minlength=len(plan.borders)) / plan.border_lengths
    unclear = np.flatnonzero(plan.open_borders & (share > config.open_share))
    return tuple((plan.borders[index].first, plan.borders[index].second) for index in unclear)


def is_textured(plan: Floorplan, config: FloorplanConfig) -> bool:
    """Whether floor or walls have more colours than one."""
    for sample, color in ((plan.floor_sample, plan.floor_rgb), (plan.wall_sample, plan.wall_rgb)):
        off = np.abs(plan.picture.reshape(-1, 3)[sample].astype(np.float64) - color).max(axis=1)
        if len(off) and float((off > config.grained).mean()) > config.grainy:
            return True
    return False


def is_drawn_on(plan: Floorplan, config: FloorplanConfig) -> bool:
    """Whether the puzzle has a coloured mark as long as a cell beside its markers, as of an answer drawn already."""
    hued = replace(config, marker_distance=config.colored)
    colored = ~plan.outside & ~plan.marker_rims & _off_axis(plan.picture, plan.floor_rgb, plan.wall_rgb, hued)
    # not a threshold: a pixel's neighbours
    _, _, stats, _ = cv2.connectedComponentsWithStats(colored.astype(np.uint8), connectivity=8)
    sides = stats[1:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]]
    return bool(len(sides)) and float(sides.max()) > plan.cell_px


def _solid(
    walls: NDArray[np.bool_],
    toward_wall: NDArray[np.float32],
    paintable: NDArray[np.bool_],
    wall_px: float,
    config: FloorplanConfig,
) -> NDArray[np.bool_]:
    """Walls without the holes that a reduced picture has in thin ones, which would look like passages."""
    if wall_px >= config.thin_px:
        return walls
    thin = (toward_wall > config.thin) & paintable
    return np.asarray(cv2.dilate(thin.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0, np.bool_)


def _off_axis(
    picture: NDArray[np.uint8], floor_rgb: NDArray[np.float64], wall_rgb: NDArray[np.float64], config: FloorplanConfig
) -> NDArray[np.bool_]:
    """Pixels whose colour lies off the line between floor and wall: markers. Anti-aliased wall edges lie on it."""
    ends = np.stack([floor_rgb, wall_rgb]).round().astype(np.uint8)
    # Converting colours is slow; what is plainly floor or wall need not be.
    unlike = np.ones(picture.shape[:2], np.bool_)
    for end in ends:
        red, green, blue = cv2.split(cv2.absdiff(picture, np.broadcast_to(end, picture.shape)))
        unlike &= cv2.max(cv2.max(red, green), blue) > config.marker_step
    at = np.flatnonzero(unlike)
    floor_lab, wall_lab = oklab(ends)
    axis = wall_lab - floor_lab
    off = oklab(picture.reshape(-1, 3)[at]) - floor_lab
    along = np.clip((off * axis).sum(axis=1) / max(float((axis**2).sum()), 1e-9), 0.0, 1.0)
    far = np.linalg.norm(off - along[:, None] * axis, axis=1) > config.marker_distance
    mask = np.zeros(picture.shape[:2], np.bool_)
    mask.ravel()[at[far]] = True
    return mask


def _find_markers(
    marked: NDArray[np.bool_], picture: NDArray[np.uint8], labels: NDArray[np.int32], min_area: float
) -> tuple[Marker, ...]:
    # not a threshold: a pixel's neighbours
    count, components, stats, centers = cv2.connectedComponentsWithStats(marked.astype(np.uint8), connectivity=8)
    found: list[Marker] = []
    for index in range(1, count):
        left, top, width, height, area = (int(value) for value in stats[index])
        if area < min_area:
            continue
        x, y = (float(value) for value in centers[index])
        rows, columns = slice(top, top + height), slice(left, left + width)
        mask = components[rows, columns] == index
        colors = picture[rows, columns][mask]
        found.append(
            Marker(
                mask=mask,
                left=left,
                top=top,
                center=(x, y),
                cell=int(labels[round(y), round(x)]),
                rgb=np.median(colors, axis=0).astype(np.float64),
                solid=area / (width * height),
            )
        )
    return tuple(sorted(found, key=lambda marker: (-marker.solid, marker.top, marker.left)))


def _find_borders(
    labels: NDArray[np.int32], walls: NDArray[np.bool_], wall_px: float, config: FloorplanConfig
) -> tuple[Border, ...]:
    firsts: list[NDArray[np.int32]] = []
    seconds: list[NDArray[np.int32]] = []
    rows: list[NDArray[np.intp]] = []
    columns: list[NDArray[np.intp]] = []
    for one, other, (row_step, column_step) in (
        (labels[:-1], labels[1:], (1, 0)),
        (labels[:, :-1], labels[:, 1:], (0, 1)),
    ):
        row, column = np.nonzero(one != other)
        a, b = one[row, column], other[row, column]
        for row_shift, column_shift in ((0, 0), (row_step, column_step)):
            firsts.append(np.minimum(a, b))
            seconds.append(np.maximum(a, b))
            rows.append(row + row_shift)
            columns.append(column + column_shift)
    inner = [(one != OUTSIDE) for one in firsts]
    rim_row, rim_column = _rim(labels, wall_px, config)
    first = np.concatenate([*(one[keep] for one, keep in zip(firsts, inner, strict=True)), np.zeros_like(rim_row)])
    second = np.concatenate(
        [*(one[keep] for one, keep in zip(seconds, inner, strict=True)), labels[rim_row, rim_column]]
    )
    row = np.concatenate([*(one[keep] for one, keep in zip(rows, inner, strict=True)), rim_row])
    column = np.concatenate([*(one[keep] for one, keep in zip(columns, inner, strict=True)), rim_column])
    order = np.lexsort((column, row, second, first))
    first, second, row, column = first[order], second[order], row[order], column[order]
    starts = np.flatnonzero(np.r_[True, (np.diff(first) != 0) | (np.diff(second) != 0)])
    ends = np.r_[starts[1:], first.size]
    lengths = ends - starts
    # Cells that meet in a corner share a pixel or two of a jagged map; that is no border.
    least = max(config.least_border_px, config.least_border * float(np.median(lengths)))
    borders: list[Border] = []
    for begin, end in zip(starts.tolist(), ends.tolist(), strict=True):
        if end - begin < least:
            continue
        pixels = np.unique(np.stack([row[begin:end], column[begin:end]], axis=1), axis=0)
        # Walls that end at a border's corners reach into it by half their width; the middle decides.
        middle = _middle(pixels, wall_px)
        blocked = float(walls[middle[:, 0], middle[:, 1]].mean())
        low, high = int(first[begin]), int(second[begin])
        borders.append(Border(low, high, middle, low != OUTSIDE and blocked < config.open_share))
    return tuple(borders)


def _rim(
    labels: NDArray[np.int32], wall_px: float, config: FloorplanConfig
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Pixels in cells along the outside: the second row of them, in the wall's inner half, where that is wide enough.

    The first row is mixed with whatever lies outside, which may be repainted.
    """
    inside = (labels != OUTSIDE).astype(np.uint8)
    # Beyond the picture nothing is known; its edge is not the outside.
    distance = cv2.distanceTransform(inside, cv2.DIST_L2, 5)  # not a threshold: the side of OpenCV's larger mask
    # not a threshold: between the first and the second row of pixels, and before the first
    nearest = 1.5 if 0.5 * wall_px >= config.two_rows_px else 0.5
    rows, columns = np.nonzero((distance > nearest) & (distance <= nearest + 1.0))
    return rows, columns


def _middle(pixels: NDArray[np.intp], wall_px: float) -> NDArray[np.intp]:
    """Leaves off what lies within a wall's width of the two ends of a border; keeps the middle third at least."""
    center = pixels.mean(axis=0)
    offset = pixels - center
    distance = np.hypot(offset[:, 0], offset[:, 1])
    reach = float(distance.max())
    kept = pixels[distance <= max(reach - wall_px, reach / 3.0, 1.0)]
    # The pixels of an arc may all lie far from its centre.
    return np.asarray(kept if len(kept) else pixels, np.intp)
