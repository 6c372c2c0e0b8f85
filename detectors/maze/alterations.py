"""What a candidate changed of the maze itself: walls erased, passages closed, markers erased, moved or added."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.colors import oklab, project
from detectors.common.residual.mixing import channel_maxima
from detectors.maze.floor.closed import closed_pieces
from detectors.maze.ink import Ink
from detectors.maze.plan.cell_maps import OUTSIDE
from detectors.maze.plan.floorplan import Border, Floorplan
from detectors.maze.wall_colors import WallColorConfig, recolored_walls


@dataclass(frozen=True)
class WallChangeConfig:
    """What counts as a change of a wall or passage.

    Attributes
    ----------
    standing : a pixel this far on the way from floor to wall, or further, looks like wall
    hair_line_px : walls thinner than this, in working pixels, are hair-lines themselves; of others a hair-line is not
        enough to stand
    known_px : of a border with fewer pixels in sight nothing is said
    erased_share : a wall is erased if more than this share of it is gone...
    painted_share : a wall is painted over if more than this share of it is gone or in the path's colour; a stroke
        across it covers less
    alike : difference of the largest channel (0 to 255) up to which walls and what lies around them look alike
    wide : walls wider than this share of a cell are looked at all over...
    edge : ...but for this share of their width at their edges...
    stained : ...and are gone where so large a square, as a share of their width, has another colour
    closed_share : a passage is closed if more than this share of it is dark...
    closed_span : ...over more than this share of its length
    barred_share : a border is barred if more than this share of it is in the path's colour...
    bar_width : ...and the ink does not reach this share of the cell length to one side...
    passing_share : ...over at least this share of it, as a wide stroke through the passage does, or a filled cell
    """

    standing: float = 0.45
    hair_line_px: float = 2.5
    known_px: int = 3
    erased_share: float = 0.22
    painted_share: float = 0.85
    alike: float = 48.0
    wide: float = 0.25
    edge: float = 0.25
    stained: float = 0.2
    closed_share: float = 0.5
    closed_span: float = 0.7
    barred_share: float = 0.85
    bar_width: float = 0.2
    passing_share: float = 0.4


@dataclass(frozen=True)
class MarkerChangeConfig:
    """What counts as a change of a marker.

    Attributes
    ----------
    distance : OKLab distance up to which a colour is still the marker's
    away_px : side of the square around a marker's pixels, in working pixels, in which no other mark is looked for
    added_area : range of areas, relative to the smallest and largest marker, of a mark that looks like one
    added_fill : least share of its box that such a mark covers
    added_length : longest side of it, relative to that of the largest marker
    added_aspect : least ratio of its shorter side to the longer
    """

    distance: float = 0.16
    away_px: int = 7
    added_area: tuple[float, float] = (0.4, 2.5)
    added_fill: float = 0.3
    added_length: float = 1.6
    added_aspect: float = 0.5


@dataclass(frozen=True)
class AlterationConfig:
    """What counts as a change of the maze.

    Attributes
    ----------
    least_px : so many pixels of the working frame in a cell are nothing in any case
    covered_cell : a cell whose floor is darker over more than this share was painted over
    hidden_cell : a cell of whose floor the candidate lacks more than this share is cut off
    line_px : nearer to a line in black or grey than so many working pixels lies its edge
    walls : what counts as a change of a wall or passage
    colors : what counts as a wall in another colour
    markers : what counts as a change of a marker
    """

    least_px: float = 3.0
    covered_cell: float = 0.3
    hidden_cell: float = 0.5
    line_px: int = 3
    walls: WallChangeConfig = field(default_factory=WallChangeConfig)
    colors: WallColorConfig = field(default_factory=WallColorConfig)
    markers: MarkerChangeConfig = field(default_factory=MarkerChangeConfig)


@dataclass(frozen=True)
class Alterations:
    """Changes of the maze.

    Attributes
    ----------
    erased_walls, painted_walls, closed_passages : pairs of cells (0 is outside) whose common border is gone, in the
        path's colour or another one than walls have, or dark
    wall_count, passage_count : how many there are in the puzzle, for proportion
    hidden_cells : cells of which the candidate shows less than half
    covered_cells : cells whose floor was painted over without colour
    added_markers : (x, y) in puzzle pixels and cell of marks that look like a marker where none was
    """

    erased_walls: tuple[tuple[int, int], ...]
    painted_walls: tuple[tuple[int, int], ...]
    closed_passages: tuple[tuple[int, int], ...]
    wall_count: int
    passage_count: int
    covered_cells: tuple[int, ...]
    hidden_cells: tuple[int, ...]
    added_markers: tuple[tuple[tuple[float, float], int], ...]


def find_alterations(
    picture: NDArray[np.uint8],
    covered: NDArray[np.bool_] | None,
    ink: Ink,
    plan: Floorplan,
    config: AlterationConfig,
    line: NDArray[np.bool_] | None = None,
) -> Alterations:
    """Compares an aligned candidate with the puzzle's own walls and markers.

    Parameters
    ----------
    picture : ndarray of shape (h, w, 3), uint8 RGB
        The candidate in the plan's working frame.
    covered : ndarray of shape (h, w), bool, or None
        Where the candidate has pixels; None for everywhere. What it does not cover was not changed.
    ink : Ink
        Its classified pixels.
    plan : Floorplan
        Of the puzzle.
    config : AlterationConfig
    line : ndarray of shape (h, w), bool, optional
        A line in black or grey, which closes nothing on a floor: it parts a corridor all along.
    """
    if line is not None and plan.pieces is not None and line.any():
        around = np.ones((2 * config.line_px + 1, 2 * config.line_px + 1), np.uint8)
        apart = cv2.dilate(line.view(np.uint8), around) == 0
        ink = replace(ink, barrier=ink.barrier & apart, grey=ink.grey & apart)
    at, owner = plan.border_pixels
    outer = plan.outer_borders
    known_at = plan.border_walls if covered is None else plan.border_walls & covered.ravel()[at]
    count = len(plan.borders)
    known_count = np.bincount(owner[known_at], minlength=count)
    erased_at = known_at & ink.erased.ravel()[at]
    missing = np.flatnonzero(erased_at)
    erased_at[missing] = ~_stands_beside(missing, outer[owner[missing]], picture, ink, plan, config.walls)
    erased_count = np.bincount(owner[erased_at], minlength=count)
    painted_count = np.bincount(owner[erased_at | (known_at & ink.asked.ravel()[at])], minlength=count)
    dark_count = np.bincount(owner[ink.barrier.ravel()[at]], minlength=count)
    # A cell may have several outer walls, and an arc be longer than a cell; a hole of a cell's length is a hole. Inner
    # borders are two pixels wide, one on either side.
    span = np.minimum(known_count, np.where(outer, 1.0, 2.0) * plan.cell_px)
    known = known_count >= config.walls.known_px
    # Where floor and walls look alike there are no walls.
    gone = known & ((erased_count > config.walls.erased_share * span) | (not ink.has_walls))
    painted = known & ~gone & (painted_count > config.walls.painted_share * span)
    blocked = plan.open_borders & (dark_count > config.walls.closed_share * plan.border_lengths)
    # Along the border of two pieces of a floor a line may lie.
    barred = plan.open_borders & ~blocked & (_barred(ink, plan, config.walls) if plan.pieces is None else False)
    # What is drawn on the walls of a floor is told by its colour, as what is left.
    if plan.pieces is None:
        gone |= _stained(picture, covered, ink, plan, config.walls)
        if plan.texture is None:
            painted |= recolored_walls(picture, covered, ink, plan, config.colors) & ~gone
    erased = [plan.borders[position] for position in np.flatnonzero(gone & ~plan.open_borders)]
    closed = [
        plan.borders[position]
        for position in np.flatnonzero(blocked | barred)
        if barred[position] or _is_blocked(plan.borders[position], ink.barrier, config.walls)
    ]
    areas = plan.cell_areas.astype(np.float64)
    painted_borders = [plan.borders[position] for position in np.flatnonzero(painted)]
    return Alterations(
        erased_walls=tuple((border.first, border.second) for border in erased),
        painted_walls=tuple((border.first, border.second) for border in painted_borders),
        closed_passages=tuple(
            sorted({*((border.first, border.second) for border in closed), *closed_pieces(ink.barrier, plan)})
        ),
        wall_count=int(np.count_nonzero(~plan.open_borders)),
        passage_count=int(np.count_nonzero(plan.open_borders)),
        covered_cells=_cells_with(ink.grey & plan.floor, config.covered_cell * areas, plan, config),
        hidden_cells=()
        if covered is None
        else _cells_with(plan.floor & ~covered, config.hidden_cell * areas, plan, config),
        added_markers=_added_markers(picture, ink, plan, config.markers),
    )


def _stained(
    picture: NDArray[np.uint8],
    covered: NDArray[np.bool_] | None,
    ink: Ink,
    plan: Floorplan,
    config: WallChangeConfig,
) -> NDArray[np.bool_]:
    """(len(borders),) bool, walls within which, or within whose posts, something else than wall is seen.

    Borders run through the middle of walls; of wide ones that is not all that a person sees.
    """
    found = np.zeros(len(plan.borders), np.bool_)
    if plan.wall_px <= config.wide * plan.cell_px:
        return found
    edge, side = (max(1, round(share * plan.wall_px)) for share in (config.edge, config.stained))
    around = np.asarray(plan.walls | plan.outside, np.uint8)
    core = cv2.erode(around, np.ones((2 * edge + 1, 2 * edge + 1), np.uint8), borderValue=1) > 0
    core &= plan.walls if covered is None else plan.walls & covered
    apart = channel_maxima(np.abs(picture.astype(np.float32) - ink.wall_rgb.astype(np.float32))) > config.alike
    stains = cv2.morphologyEx((core & apart).astype(np.uint8), cv2.MORPH_OPEN, np.ones((side, side), np.uint8)) > 0
    at, owner = plan.border_pixels
    closed = ~plan.open_borders[owner]
    if not closed.any():
        return found  # no wall lies between cells, nor around them within the picture
    places = np.stack(np.divmod(at[closed], plan.labels.shape[1]), axis=1)
    for place in np.argwhere(stains)[:: max(1, side)]:
        nearest = int(np.abs(places - place).sum(axis=1).argmin())
        found[owner[closed][nearest]] = True
    return found


def _stands_beside(
    which: NDArray[np.intp],
    outer: NDArray[np.bool_],
    picture: NDArray[np.uint8],
    ink: Ink,
    plan: Floorplan,
    config: WallChangeConfig,
) -> NDArray[np.bool_]:
    """Whether a wall that is missing at a border's pixel stands a pixel beside it, where a local displacement moved it.

    Two of three pixels in a row across the border have to look like wall; less is a hair-line, unless the puzzle's own
    walls are.
    """
    at, _ = plan.border_pixels
    height, width = plan.labels.shape
    row, column = np.divmod(at[which], width)
    normal = plan.border_normals[which]
    count = np.zeros(which.size, np.intp)
    # The rim's wall is met from within; and where what lies around has its colour, it stands wherever that begins.
    alike = np.abs(plan.exterior_rgb - plan.wall_rgb).max() < config.alike
    for step in (-1, 0, 1, 2, 3) if alike else (-1, 0, 1):
        by = (step + outer)[:, None] * normal
        rows = np.clip(np.rint(row + by[:, 0]), 0, height - 1).astype(np.intp)
        columns = np.clip(np.rint(column + by[:, 1]), 0, width - 1).astype(np.intp)
        stands = project(picture[rows, columns], ink.floor_rgb, ink.wall_rgb) > config.standing
        count += stands & outer if step > 1 else stands
    return count >= (2 if plan.wall_px >= config.hair_line_px else 1)


def _barred(ink: Ink, plan: Floorplan, config: WallChangeConfig) -> NDArray[np.bool_]:
    """Which borders have a bar in the path's colour lying along them: inked all along, but not far to either side."""
    at, owner = plan.border_pixels
    count = len(plan.borders)
    inked = np.bincount(owner[ink.asked.ravel()[at]], minlength=count) >= config.barred_share * plan.border_lengths
    found = np.zeros(count, np.bool_)
    if not (inked & plan.open_borders).any():
        return found
    height, width = plan.labels.shape
    which = np.flatnonzero((inked & plan.open_borders)[owner])
    row, column = np.divmod(at[which], width)
    beyond = np.zeros(which.size, np.bool_)
    for step in (-config.bar_width * plan.cell_px, config.bar_width * plan.cell_px):
        by = step * plan.border_normals[which]
        rows = np.clip(np.rint(row + by[:, 0]), 0, height - 1).astype(np.intp)
        columns = np.clip(np.rint(column + by[:, 1]), 0, width - 1).astype(np.intp)
        beyond |= ink.asked[rows, columns]
    passing = np.bincount(owner[which[beyond]], minlength=count)
    return np.asarray(inked & (passing < config.passing_share * plan.border_lengths), np.bool_)


def _is_blocked(border: Border, dark: NDArray[np.bool_], config: WallChangeConfig) -> bool:
    """Whether what is dark on a border lies along it; a dark stroke through a passage covers little of it."""
    rows, columns = border.pixels[:, 0], border.pixels[:, 1]
    at = dark[rows, columns]
    inked, whole = border.pixels[at], border.pixels
    span = float(np.ptp(inked[:, 0]) + np.ptp(inked[:, 1]))
    return span > config.closed_span * float(np.ptp(whole[:, 0]) + np.ptp(whole[:, 1]))


def _cells_with(
    mask: NDArray[np.bool_], most: float | NDArray[np.float64], plan: Floorplan, config: AlterationConfig
) -> tuple[int, ...]:
    """Cells of which more than so many pixels are in a mask."""
    at = np.flatnonzero(mask)
    if not at.size:
        return ()
    counts = np.bincount(plan.compact_labels.ravel()[at], minlength=len(plan.cell_ids))
    return tuple(int(cell) for cell in plan.cell_ids[counts > np.maximum(most, config.least_px)] if cell != OUTSIDE)


def _added_markers(
    picture: NDArray[np.uint8], ink: Ink, plan: Floorplan, config: MarkerChangeConfig
) -> tuple[tuple[tuple[float, float], int], ...]:
    if not plan.markers:
        return ()
    around = np.ones((config.away_px, config.away_px), np.uint8)
    away = cv2.dilate(plan.marker_mask.astype(np.uint8), around) == 0
    drawn = (ink.other & away).astype(np.uint8)
    if not drawn.any():
        return ()
    areas = [np.count_nonzero(marker.mask) for marker in plan.markers]
    longest = max(max(marker.mask.shape) for marker in plan.markers)
    least, most = config.added_area[0] * min(areas), config.added_area[1] * max(areas)
    marker_labs = oklab(np.stack([marker.rgb for marker in plan.markers]).round().astype(np.uint8))
    # not a threshold: a pixel's neighbours
    count, pieces, stats, centers = cv2.connectedComponentsWithStats(drawn, connectivity=8)
    found: list[tuple[tuple[float, float], int]] = []
    for index in range(1, count):
        left, top, width, height, area = (int(value) for value in stats[index])
        compact = area >= config.added_fill * width * height and max(width, height) <= config.added_length * longest
        if not (least <= area <= most and compact and min(width, height) >= config.added_aspect * max(width, height)):
            continue
        rows, columns = slice(top, top + height), slice(left, left + width)
        color = np.median(picture[rows, columns][pieces[rows, columns] == index], axis=0)
        distance = np.linalg.norm(marker_labs - oklab(color.round().astype(np.uint8)), axis=1)
        if distance.min() < config.distance:
            x, y = (float(value) for value in centers[index])
            cell = int(plan.labels[round(y), round(x)])
            found.append((((x + 0.5) * plan.factor, (y + 0.5) * plan.factor), cell))
    return tuple(found)
