"""From an aligned candidate and the line that was read to what is left of it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.compression import without_compression
from detectors.common.residual.mixing import channel_maxima, distance_to, seen, seen_color
from detectors.common.residual.signs import corners_of
from detectors.maze.ink import Ink
from detectors.maze.paths import PathFindings
from detectors.maze.plan.cell_maps import OUTSIDE
from detectors.maze.plan.floorplan import Floorplan, Marker
from detectors.maze.remainder.config import MarkerShapeConfig, RemainderConfig, RoleConfig, StrokePieceConfig
from detectors.maze.remainder.field import MazeResidual, differences, maze_residual
from detectors.maze.remainder.holes import HoleConfig, around_rgb, holes
from detectors.maze.remainder.markers import drawn_over, hue_kept, is_marker_gone, rim_over, seen_through
from detectors.maze.remainder.on_walls import find_on_walls
from detectors.maze.remainder.roles import Remainder, Role, remainders
from detectors.maze.remainder.two_colors import is_varied, second_color
from detectors.maze.shapes.corners import corner_signs
from detectors.maze.shapes.crossed import is_crossed_out
from detectors.maze.shapes.faded import is_partly_faded
from detectors.maze.shapes.labels import marker_labels
from detectors.maze.shapes.outlines import hull_of
from detectors.maze.shapes.recolored import recolored

_SOFT = 1  # not a threshold: a line's edge is mixed with what is beneath, to a pixel beside it


@dataclass(frozen=True)
class MazeRemainder:
    """What a candidate shows beside its maze and the line that was read.

    Attributes
    ----------
    things : what lies on the floor, plainest first
    holed_walls : pairs of cells (0 is outside) whose wall has a hole
    gone_markers : positions in the plan's markers of those in whose place there is nothing, or another shape
    two_colored : the cells in which the line has another hue than elsewhere
    companions : whether the strokes have a rim, a shadow or a glow
    decorated : whether something lies in a corner of the picture away from the line and the markers
    """

    things: tuple[Remainder, ...]
    holed_walls: tuple[tuple[int, int], ...]
    gone_markers: tuple[int, ...]
    two_colored: tuple[int, ...]
    companions: bool
    decorated: bool


def find_remainder(
    picture: NDArray[np.uint8],
    covered: NDArray[np.bool_] | None,
    ink: Ink,
    found: PathFindings,
    plan: Floorplan,
    config: RemainderConfig,
    *,
    candidate_px: float,
) -> MazeRemainder:
    """Looks at all that neither the maze nor the line explains.

    Parameters
    ----------
    picture : ndarray of shape (h, w, 3), uint8 RGB
        The candidate in the plan's working frame.
    covered : ndarray of shape (h, w), bool, or None
        Where the candidate has pixels; None for everywhere.
    ink : Ink
        Its classified pixels.
    found : PathFindings
        The line that was read.
    plan : Floorplan
        Of the puzzle.
    config : RemainderConfig
    candidate_px : float
        How many pixels of the candidate's own come on one of the frame's, along a side.
    """
    strokes, rgb = line_of(found, ink, plan, config.strokes), found.rgb
    darker = _darker(picture, strokes, found.rgb, config.strokes)
    strokes &= ~darker
    if plan.pieces is not None and found.grey_line is not None:
        strokes, rgb = found.grey_line, np.asarray(np.median(picture[found.grey_line], axis=0), np.float64)
    things: tuple[Remainder, ...] = ()
    companions = False
    rim_px = 0
    decorated = False
    labels = np.zeros(strokes.shape, np.bool_)
    off = differences(picture, covered, ink, strokes, darker, plan)
    if off.max(initial=0) > config.flat:
        residual = maze_residual(picture, covered, plan, ink, strokes, rgb, config)
        labels = marker_labels(picture, residual.ground, residual.reach_px, strokes, plan, config.labels)
        around = around_rgb(picture, covered, plan)
        residual, decorated = _without_signs(residual, strokes, ink.wall_rgb, around, plan, config)
        residual, known = residual.without(labels), strokes | labels
        things = remainders(residual, plan, ink, known, config, candidate_px)
        if things and (left := _uncompressed(picture, residual, strokes, ink, plan, candidate_px, config)):
            things = remainders(left, plan, ink, known, config, candidate_px)
        if labels.any():
            things = (*things, Remainder(Role.AT_MARKER, _cells(labels, plan), 0.0, 1.0))
        rim_px = residual.companion_px
        companions = rim_px > 0
    holes_at = _holed(picture, covered, ink, strokes, plan, candidate_px, config)
    if plan.pieces is not None or plan.wall_px >= config.thick_px:
        own = strokes
        on_walls = find_on_walls(
            picture,
            covered,
            ink,
            found.strokes | own,
            lambda: _free_corners(own, plan, config.roles, config.roles.apart),
            plan,
            config.within,
        )
        holes_at = sorted({*holes_at, *on_walls.holes})
        if on_walls.cells and (plan.pieces is not None or on_walls.contrast > config.on_thick):
            things = (*things, Remainder(Role.MARK, on_walls.cells, on_walls.contrast, 1.0))
    if found.outgrown is not None:
        things = (*things, Remainder(Role.MARK, _cells(found.outgrown, plan), found.chroma, 1.0))
    holed = tuple((plan.borders[index].first, plan.borders[index].second) for index in holes_at)
    half_width = found.half_width_px / plan.factor
    over, through = strokes | ink.asked, None
    if plan.pieces is not None:
        over, through = _over_markers(picture, ink, found, strokes, rgb, plan, config.markers)
    over |= labels
    gone = [
        index
        for index, marker in enumerate(plan.markers)
        if _in_sight(marker, covered)
        and is_marker_gone(picture, marker, ink.floor_rgb, over, plan, config.markers, through, 2.0 * half_width)
    ]
    if gone and through is None:
        # A line that is not opaque hides nothing of a marker that is seen through it.
        own, through = _over_markers(picture, ink, found, strokes, rgb, plan, config.markers)
        gone = [
            index
            for index in gone
            if not through[plan.markers[index].box].any()
            or is_marker_gone(
                picture, plan.markers[index], ink.floor_rgb, own, plan, config.markers, through, 2.0 * half_width
            )
        ]
    if gone and strokes.any():
        # A line's rim goes on over markers with it, as wide as it is seen there: elsewhere it may be like the floor.
        most = max(rim_px, math.ceil(half_width))
        widths = {
            index: max(_SOFT, rim_over(picture, plan.markers[index], ink.floor_rgb, over, most, config.markers))
            for index in gone
        }
        gone = [
            index
            for index in gone
            if is_marker_gone(
                picture,
                plan.markers[index],
                ink.floor_rgb,
                cv2.dilate(over.view(np.uint8), _disc(widths[index])) > 0,
                plan,
                config.markers,
                through,
                2.0 * half_width,
            )
        ]
    hidden = over if through is None else over | through
    gone += [
        index
        for index, marker in enumerate(plan.markers)
        if _in_sight(marker, covered) and is_crossed_out(picture, marker, hidden, 2.0 * half_width, config.markers)
    ]
    gone += [
        index
        for index, marker in enumerate(plan.markers)
        if _in_sight(marker, covered) and is_partly_faded(picture, marker, ink.floor_rgb, hidden, config.faded)
    ]
    gone += recolored(picture, covered, ink.floor_rgb, rgb, hidden, plan, config.recolored)
    gone = sorted({*gone, *_drained(picture, covered, ink, hidden, plan, config.markers)})
    other = np.zeros(strokes.shape, np.bool_)
    if np.count_nonzero(ink.other) > config.two_colors.share * np.count_nonzero(strokes) or is_varied(
        picture, strokes, ink.floor_rgb, config.two_colors
    ):
        other = second_color(picture, strokes, half_width, ink.floor_rgb, plan, config.two_colors)
    return MazeRemainder(things, holed, tuple(gone), _cells(other, plan), companions, decorated)


def _uncompressed(
    picture: NDArray[np.uint8],
    residual: MazeResidual,
    strokes: NDArray[np.bool_],
    ink: Ink,
    plan: Floorplan,
    candidate_px: float,
    config: RemainderConfig,
) -> MazeResidual | None:
    """A residual less what compression leaves of the maze and the line, as the candidate shows them; None without."""
    explained = picture.copy()
    # not a threshold: the range of a channel
    explained[residual.usable] = np.clip(np.rint(ink.floor_rgb), 0, 255).astype(np.uint8)
    edges = ~plan.open_floor | strokes
    left = without_compression(residual.values, residual.usable, explained, edges, candidate_px, config.compression)
    return None if left is None else replace(residual, values=left)


def _over_markers(
    picture: NDArray[np.uint8],
    ink: Ink,
    found: PathFindings,
    line: NDArray[np.bool_],
    rgb: NDArray[np.float64] | None,
    plan: Floorplan,
    config: MarkerShapeConfig,
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Two (h, w) bool: what the line of a floor hides, on markers too, and where markers are seen through it."""
    over, through = line | ink.asked, np.zeros(line.shape, np.bool_)
    if rgb is None or not line.any():
        return over, through
    for marker in plan.markers:
        through[marker.box] |= seen_through(picture, marker, ink.floor_rgb, rgb, line, plan, config)
        # Of a marker in the line's own colour nothing is hidden.
        like = float(np.abs(marker.rgb - rgb).max()) <= config.through
        if (found.colorless or not found.as_asked) and not like:
            over[marker.box] |= drawn_over(picture, marker, rgb, line, config)
    return over, through & ~over


def _drained(
    picture: NDArray[np.uint8],
    covered: NDArray[np.bool_] | None,
    ink: Ink,
    hidden: NDArray[np.bool_],
    plan: Floorplan,
    config: MarkerShapeConfig,
) -> list[int]:
    """Markers that have lost their colour while another one has kept its own, by position."""
    kept = {
        index: hue_kept(picture, marker, ink.floor_rgb, hidden, plan, config)
        for index, marker in enumerate(plan.markers)
        if _in_sight(marker, covered)
    }
    told = {index: share for index, share in kept.items() if share is not None}
    most = max(told.values(), default=0.0)
    if most < config.kept:
        return []
    return [index for index, share in told.items() if share < config.drained * most]


def _holed(
    picture: NDArray[np.uint8],
    covered: NDArray[np.bool_] | None,
    ink: Ink,
    strokes: NDArray[np.bool_],
    plan: Floorplan,
    candidate_px: float,
    config: RemainderConfig,
) -> list[int]:
    """Walls with holes, by position. In a corner of the picture a small one is decoration that lies on a wall."""
    long = holes(picture, covered, plan, ink, config.holes, candidate_px)
    found = np.flatnonzero(long).tolist()
    if not found:
        return []
    corners = _free_corners(strokes, plan, config.roles, config.roles.apart)
    small = max(config.holes.least_px, config.holes.length * plan.cell_px)
    around = around_rgb(picture, covered, plan)
    kept = []
    for index in found:
        pixels = plan.borders[index].pixels
        decorated = corners[tuple(pixels.T)].any()
        if not decorated or (
            long[index] >= small and not _reaches_out(picture, pixels, around, ink.floor_rgb, plan, config.holes)
        ):
            kept.append(index)
    return kept


def _reaches_out(
    picture: NDArray[np.uint8],
    border: NDArray[np.intp],
    around: NDArray[np.float64] | None,
    floor: NDArray[np.float64],
    plan: Floorplan,
    config: HoleConfig,
) -> bool:
    """Whether what lies on an outer wall goes on over what lies around the maze, as a sign does; floor is none."""
    if around is None:
        return False
    reach = math.ceil(config.over * plan.cell_px)
    (top, left), (bottom, right) = border.min(axis=0) - reach, border.max(axis=0) + reach + 1
    box = (slice(max(0, int(top)), int(bottom)), slice(max(0, int(left)), int(right)))
    # not a threshold: nearer is the wall's own edge
    outside = distance_to(~plan.outside)[box] > 2.5
    changed = np.minimum(*(channel_maxima(np.abs(picture[box] - rgb)) for rgb in (around, floor))) > config.alike
    changed &= outside
    return int(np.count_nonzero(changed)) >= config.over * plan.cell_px


def _darker(
    picture: NDArray[np.uint8],
    line: NDArray[np.bool_],
    rgb: NDArray[np.float64] | None,
    config: StrokePieceConfig,
) -> NDArray[np.bool_]:
    """(h, w) bool, pixels within a line that are darker than it: no mixture of its colour and the floor's.

    What is darker all along its rim is its outline, around a light middle.
    """
    found = np.zeros(line.shape, np.bool_)
    at = np.flatnonzero(line)
    if rgb is not None and at.size:
        lightness = seen(picture.reshape(-1, 3)[at])[:, 0]
        found.ravel()[at] = lightness < seen_color(rgb)[0] - config.darker
    if found.any():
        around = np.ones((3, 3), np.uint8)  # not a threshold: a pixel's neighbours
        rim = line & (cv2.erode(line.view(np.uint8), around) == 0)
        if (cv2.dilate(found.view(np.uint8), around)[rim] > 0).mean() >= config.outlined:
            return np.zeros_like(found)
    return found


def _cells(where: NDArray[np.bool_], plan: Floorplan) -> tuple[int, ...]:
    """In which cells something lies."""
    return tuple(int(cell) for cell in np.unique(plan.labels[where]) if cell != OUTSIDE)


def _disc(reach: int) -> NDArray[np.uint8]:
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1)), np.uint8)


def _in_sight(marker: Marker, covered: NDArray[np.bool_] | None) -> bool:
    """Whether all of a marker lies in what the candidate shows; of the shape of another nothing is said."""
    return covered is None or bool(covered[marker.box][marker.mask].all())


def line_of(found: PathFindings, ink: Ink, plan: Floorplan, config: StrokePieceConfig) -> NDArray[np.bool_]:
    """(h, w) bool, the strokes that are a line, or dashes of one: crumbs have to be explained by themselves."""
    strokes = found.strokes.view(np.uint8)
    # not a threshold: a pixel's neighbours
    count, pieces, stats, _ = cv2.connectedComponentsWithStats(strokes, connectivity=8)
    if count <= 1:
        return found.strokes & ~ink.dark
    areas = stats[:, cv2.CC_STAT_AREA].astype(np.float64)
    half_width = found.half_width_px / plan.factor
    depth = cv2.distanceTransform(strokes, cv2.DIST_L2, 3)  # not a threshold: the side of OpenCV's smaller mask
    widest = np.zeros(count)
    at = np.flatnonzero(strokes)
    np.maximum.at(widest, np.asarray(pieces.ravel()[at], np.intp), depth.ravel()[at])
    keep = areas >= min(config.length * plan.cell_px * half_width, config.area * plan.cell_px**2)
    # not a threshold: a dot as wide as the line has three half-widths squared
    keep |= (widest >= config.width * half_width) & (areas >= 3.0 * half_width**2)
    if found.dashed:
        keep |= areas >= config.dash * float(np.median(areas[1:]))
        # not a threshold: the area of a disc of that radius
        keep |= areas >= math.pi * (config.dot * half_width) ** 2
    keep[0] = False
    line = np.asarray(keep[pieces], np.bool_)
    if not found.dashed:
        # Of a whole line what lies apart from it, and leads nowhere, is no part.
        line &= ~found.aside
    drawn = ink.asked if found.as_asked else ink.other
    for marker in plan.markers:
        # Between the arms of a cross lie pieces of a wide line that comes there.
        between = hull_of(marker.mask) & drawn[marker.box]
        if (between & line[marker.box]).any():
            line[marker.box] |= between
    # Ends that are too thin or too pale to be strokes belong to what they continue; what is black does not.
    loose = drawn & ~line
    if loose.any():
        line |= loose & (distance_to(line) <= max(config.beside_px, config.beside * plan.unit_px))
    return np.asarray(line & ~ink.dark, np.bool_)


def _without_signs(
    residual: MazeResidual,
    strokes: NDArray[np.bool_],
    wall_rgb: NDArray[np.float64],
    around: NDArray[np.float64] | None,
    plan: Floorplan,
    config: RemainderConfig,
) -> tuple[MazeResidual, bool]:
    """What is left without signs in the corners of the picture, and whether there are any."""
    # Who puts a sign there does not look whether the line runs past.
    corners, noise = _free_corners(strokes, plan, config.roles, config.roles.clear), residual.ground.noise
    found = corner_signs(
        residual.picture, residual.values, corners, residual.reach_px, noise, wall_rgb, around, plan, config.signs
    )
    if not found.any():
        return residual, False
    return residual.without(found), True


def _free_corners(strokes: NDArray[np.bool_], plan: Floorplan, config: RoleConfig, clear: float) -> NDArray[np.bool_]:
    """(h, w) bool, the corners of the picture, away from markers, and by a share of a cell from the line."""
    corners = corners_of(strokes.shape, config.corner_width, config.corner_height)
    corners &= plan.marker_distance > config.apart * plan.cell_px
    return corners & (distance_to(strokes) > clear * plan.cell_px)
