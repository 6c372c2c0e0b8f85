"""From a picture of a Queens board to the queens on it, and what was changed of the board. The answer is not seen."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.colors import oklab
from detectors.queens.board import (
    Board,
    changed_regions,
    corner_brightness,
    region_brightness_of,
)
from detectors.queens.config import DiscConfig, QueensConfig


@dataclass(frozen=True)
class QueenMark:
    """A drawn queen: cell, centre (x, y) and radius in puzzle pixels, and confidence from 0 to 1."""

    row: int
    column: int
    center: tuple[float, float]
    radius: float
    confidence: float


@dataclass(frozen=True)
class OtherMark:
    """A dark mark that is no queen: its box (left, top, width, height) in puzzle pixels, and why not.

    Codes: ON_BORDER, NOT_ROUND, RING, COLORED, SIGN.
    """

    box: tuple[float, float, float, float]
    code: str


@dataclass(frozen=True)
class BoardFindings:
    """What was drawn on a board, and what changed of it.

    Attributes
    ----------
    queens : queens, by row and column
    others : dark marks that are no queens
    covered : whether most of the board is dark
    recolored_cells : (row, column) of cells that no longer have the colour of their region
    merged_regions : pairs of regions that can no longer be told apart
    """

    queens: tuple[QueenMark, ...]
    others: tuple[OtherMark, ...]
    covered: bool
    recolored_cells: tuple[tuple[int, int], ...]
    merged_regions: tuple[tuple[int, int], ...]


def find_queens(
    picture: NDArray[np.uint8], covered: NDArray[np.bool_] | None, board: Board, config: QueensConfig
) -> BoardFindings:
    """Finds queens on an aligned candidate.

    Parameters
    ----------
    picture : ndarray of shape (h, w, 3), uint8 RGB
        The candidate in the board's working frame.
    covered : ndarray of shape (h, w), bool, or None
        Where the candidate has pixels; None for everywhere.
    board : Board
        The puzzle.
    config : QueensConfig
    """
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), np.uint8)
    # Regions as the candidate shows them, so that a board drawn darker as a whole does not turn into marks.
    # The board may be darker as a whole, but not in one region alone: that would hide queens elsewhere.
    gain = float(np.median(region_brightness_of(grey, board) / np.maximum(board.region_brightness, 1.0)))
    threshold = config.darker * min(1.0, max(gain, config.dimmest)) * float(board.region_brightness.min())
    dark = grey < threshold
    if covered is not None:
        dark &= covered
    width = math.ceil(config.line * min(board.cell)) | 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (max(3, width), max(3, width)))
    solid = np.asarray(cv2.morphologyEx(dark.astype(np.uint8), cv2.MORPH_OPEN, kernel), np.uint8)
    queens, others = _judge_marks(solid, picture, threshold, board, config)
    signs = _signs(queens, board, config)
    queens = [mark for mark in queens if mark not in signs]
    others += [OtherMark(_box_around(mark), "SIGN") for mark in signs]
    recolored, merged = changed_regions(picture, board)
    # Where a cell is as dark as a queen, a queen on it does not show.
    blackened = [(int(row), int(column)) for row, column in np.argwhere(corner_brightness(grey, board) < threshold)]
    recolored = tuple(sorted({*recolored, *blackened}))
    return BoardFindings(
        queens=tuple(sorted(queens, key=lambda mark: (mark.row, mark.column, mark.center))),
        others=tuple(sorted(others, key=lambda mark: (mark.box[1], mark.box[0]))),
        covered=bool(dark.mean() > config.covered_board),
        recolored_cells=recolored,
        merged_regions=merged,
    )


def _signs(queens: list[QueenMark], board: Board, config: QueensConfig) -> list[QueenMark]:
    """Dark discs in the corners of the picture that are much smaller than queens are: the sign of who made it."""
    if len(queens) <= config.fewest:
        return []
    usual = float(np.median([mark.radius for mark in queens]))
    width, height = (side * board.n * board.factor for side in board.cell)
    found = []
    for mark in queens:
        x, y = mark.center
        aside = max(min(x, width - x) / width, min(y, height - y) / height)
        if mark.radius < config.sign * usual and aside < config.corner:
            found.append(mark)
    return found


def _box_around(mark: QueenMark) -> tuple[float, float, float, float]:
    (x, y), radius = mark.center, mark.radius
    return x - radius, y - radius, 2 * radius, 2 * radius


def _judge_marks(
    solid: NDArray[np.uint8], picture: NDArray[np.uint8], threshold: float, board: Board, config: QueensConfig
) -> tuple[list[QueenMark], list[OtherMark]]:
    discs = config.discs
    count, pieces, stats, centers, hung = _marks(solid, board, discs)
    queens: list[QueenMark] = []
    others: list[tuple[OtherMark, float]] = []
    blackest: list[float] = []
    cell_width, cell_height = board.cell
    crossing = max(discs.crossing * cell_width, 2.0 * board.line_width + discs.crossing_px)
    usual = _usual_at_crossings(stats, centers, board)
    if usual <= crossing:
        crossing = max(crossing, discs.usual_crossing * usual)
    for index in range(1, count):
        left, top, width, height, area = (int(value) for value in stats[index])
        if area < config.min_area * cell_width * cell_height:
            continue
        box = _scaled_box((left, top, width, height), board.factor)
        x, y = (float(value) + 0.5 for value in centers[index])
        row, column = min(board.n - 1, int(y / cell_height)), min(board.n - 1, int(x / cell_width))
        window = (slice(top, top + height), slice(left, left + width))
        mark = dark = pieces[window] == index
        filled, hull = _filled(mark, convex=False), _filled(mark, convex=True)
        ring = 1.0 - area / float(np.count_nonzero(filled)) > discs.hollow
        fill, aspect = _roundness(mark, discs)
        glossy = (ring or fill < discs.min_fill_large) and _is_gloss(picture[window], mark, hull, discs)
        if glossy:
            ring, mark = False, hull
            area, (x, y) = int(np.count_nonzero(hull)), _middle(hull, left, top)
            fill, aspect = _roundness(mark, discs)
        radius = math.sqrt(area / math.pi)
        # Where lines cross, what is left of them is as thick as a small disc, but not as a larger one.
        # A highlight at the outline takes a piece off what is dark.
        least = discs.min_fill if glossy or area < discs.large_px else discs.min_fill_large
        disc = fill >= least and aspect <= discs.max_aspect
        thick = crossing < min(width, height) < cell_width and (disc or index >= hung)
        if np.count_nonzero(board.wide_grid[window][mark]) > discs.on_lines * area and not thick:
            continue
        contrast = 1.0 - float(np.median(_brightness(picture[window][dark]))) / max(threshold, 1.0)
        if _share_inside(mark, left, top, (int(x), int(y)), board) < discs.inside:
            others.append((OtherMark(box, "ON_BORDER"), contrast))
        elif not disc:
            empty = not mark[height // 2, width // 2]
            others.append((OtherMark(box, "RING" if empty else "NOT_ROUND"), contrast))
        elif ring:
            others.append((OtherMark(box, "RING"), contrast))
        elif _is_colorful(picture[window], dark, discs):
            others.append((OtherMark(box, "COLORED"), contrast))
        else:
            blackest.append(contrast)
            confidence = min(1.0, 0.5 + contrast) * min(1.0, fill / discs.full)
            center = (x * board.factor, y * board.factor)
            queens.append(QueenMark(row, column, center, radius * board.factor, max(0.0, min(1.0, confidence))))
    # Where a queen's shadow falls on a line, or blurred lines cross, it is dark, and far from as black as queens are.
    pale = discs.pale * float(np.median(blackest)) if blackest else 0.0
    return queens, [mark for mark, contrast in others if contrast >= pale]


def _marks(
    solid: NDArray[np.uint8], board: Board, config: DiscConfig
) -> tuple[int, NDArray[np.int32], NDArray[np.int32], NDArray[np.float64], int]:
    """Connected components, as OpenCV gives them, of dark marks; those that run into grid lines without the lines.

    What lies on both sides of a line stays one mark. The last number is the first label of a mark that ran into lines.
    """
    # not a threshold: a pixel's neighbours
    found = cv2.connectedComponentsWithStats(solid, connectivity=4)
    sides = found[2][1:, cv2.CC_STAT_WIDTH : cv2.CC_STAT_HEIGHT + 1]
    hung = 1 + np.flatnonzero((sides > config.hung * np.array(board.cell)).any(axis=1))
    if not hung.size:
        return (*found, found[0])  # type: ignore[return-value]
    lined = np.isin(found[1], hung)
    off = cv2.morphologyEx((lined & ~board.grid).view(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    reach = 2 * math.ceil(0.5 * board.line_width) + 3
    joined = cv2.dilate(off, np.ones((reach, reach), np.uint8))
    joined[~lined] = 0
    _, owner = cv2.connectedComponents(joined, connectivity=4)  # not a threshold: a pixel's neighbours
    free = len(np.unique(found[1][~lined]))
    return (*_components(np.where(lined, np.where(off > 0, len(found[2]) + owner, 0), found[1])), free)


def _usual_at_crossings(stats: NDArray[np.int32], centers: NDArray[np.float64], board: Board) -> float:
    """How thick marks are on crossings of lines, in pixels, where most have one: a blurred board's do; else 0."""
    size = np.array(board.cell)
    at = centers[1:] + 0.5  # the middle of a pixel
    lines = np.rint(at / size)
    on = ((lines > 0) & (lines < board.n)).all(axis=1)
    on &= (np.abs(at - lines * size) <= board.line_width + 1.0).all(axis=1)  # not a threshold: a pixel to each side
    # not a threshold: more than half of all crossings
    if 2 * np.count_nonzero(on) <= (board.n - 1) ** 2:
        return 0.0
    return float(np.median(stats[1:][on, cv2.CC_STAT_WIDTH : cv2.CC_STAT_HEIGHT + 1].min(axis=1)))


def _share_inside(mark: NDArray[np.bool_], left: int, top: int, center: tuple[int, ...], board: Board) -> float:
    """The share of a mark, whose box begins at (left, top), that lies in the cell of its centre (x, y)."""
    width, height = board.cell
    rows, columns = np.nonzero(mark)
    same = ((rows + top + 0.5) / height).astype(np.intp) == int(center[1] / height)
    same &= ((columns + left + 0.5) / width).astype(np.intp) == int(center[0] / width)
    return float(np.mean(same))


def _components(
    labels: NDArray[np.integer],
) -> tuple[int, NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]:
    """Labels of marks, numbered from 1, with boxes, areas and centres as OpenCV gives them."""
    values, flat = np.unique(np.append(0, labels.ravel()), return_inverse=True)
    pieces = flat[1:].reshape(labels.shape).astype(np.int32)
    stats = np.zeros((len(values), cv2.CC_STAT_MAX), np.int32)
    centers = np.zeros((len(values), 2), np.float64)
    for index in range(1, len(values)):
        rows, columns = np.nonzero(pieces == index)
        stats[index] = (columns.min(), rows.min(), np.ptp(columns) + 1, np.ptp(rows) + 1, rows.size)
        centers[index] = (columns.mean(), rows.mean())
    return len(values), pieces, stats, centers


def _is_colorful(picture: NDArray[np.uint8], mark: NDArray[np.bool_], config: DiscConfig) -> bool:
    """Whether a mark as a whole, or a part of its inside that is plain to see, has a colour."""
    core = cv2.erode(mark.astype(np.uint8), np.ones((3, 3), np.uint8), borderValue=0) > 0
    # At its rim the colour of the cell mixes in.
    colors = picture[core if np.count_nonzero(core) >= config.core_px else mark]
    lab = oklab(np.vstack([np.median(colors, axis=0).round().astype(np.uint8)[None], colors]))
    colored = (lab[:, 0] > config.very_dark) & (np.hypot(lab[:, 1], lab[:, 2]) > config.colorful)
    return bool(colored[0] or colored[1:].mean() > config.colored_part)


def _filled(mark: NDArray[np.bool_], *, convex: bool) -> NDArray[np.bool_]:
    """A mark with all that lies within its outline, or within its convex hull."""
    outlines, _ = cv2.findContours(mark.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if convex:
        outlines = [cv2.convexHull(np.concatenate(outlines))]
    return np.asarray(cv2.drawContours(np.zeros(mark.shape, np.uint8), outlines, -1, 1, cv2.FILLED) > 0, np.bool_)


def _middle(mark: NDArray[np.bool_], left: int, top: int) -> tuple[float, float]:
    """The middle (x, y) of a mark whose box begins at (left, top)."""
    rows, columns = np.nonzero(mark)
    return float(columns.mean()) + left + 0.5, float(rows.mean()) + top + 0.5


def _is_gloss(
    picture: NDArray[np.uint8], mark: NDArray[np.bool_], filled: NDArray[np.bool_], config: DiscConfig
) -> bool:
    """Whether what is light within a mark's outline is a highlight: small, off its middle, and of no colour.

    Compression smears some of the ground's colour into it; a bite has all of it.
    """
    inside = filled & ~mark
    if not inside.any():
        return False
    area = float(np.count_nonzero(filled))
    own, all_ = _middle(inside, 0, 0), _middle(filled, 0, 0)
    off = math.hypot(own[0] - all_[0], own[1] - all_[1])
    colors = [np.median(picture[inside], axis=0)]
    if not filled.all():
        colors.append(np.median(picture[~filled], axis=0))
    own_chroma, *around = np.hypot(*oklab(np.array(colors).round().astype(np.uint8))[:, 1:].T).tolist()
    return bool(
        np.count_nonzero(inside) < config.most_gloss * area
        and off > config.gloss * math.sqrt(area / math.pi)
        and own_chroma < max(config.gloss_chroma, config.gloss_smeared * max(around, default=0.0))
    )


def _brightness(colors: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.asarray(cv2.cvtColor(colors[None], cv2.COLOR_RGB2GRAY)[0], np.uint8)


def _roundness(mark: NDArray[np.bool_], config: DiscConfig) -> tuple[float, float]:
    """How much of its enclosing circle or ellipse a mark fills, and its aspect.

    The ellipse has the shape of the one with the mark's second moments, whose semi-axes are twice the standard
    deviations. A disc or an ellipse fills all of it, a square 0.64, a ring of half its radius 0.75. Of a small mark
    circle and box are the fairer measures, since a pixel more makes it oval.
    """
    points = np.argwhere(mark).astype(np.float64)
    offset = points - points.mean(axis=0)
    # not a threshold: a pixel is a square with a variance of its own
    yy, xx = ((offset**2).mean(axis=0) + 1.0 / 12.0).tolist()
    xy = float((offset[:, 0] * offset[:, 1]).mean())
    middle, half = 0.5 * (xx + yy), math.hypot(0.5 * (xx - yy), xy)
    determinant = xx * yy - xy**2
    squared = (xx * offset[:, 0] ** 2 - 2.0 * xy * offset[:, 0] * offset[:, 1] + yy * offset[:, 1] ** 2) / determinant
    # not a threshold: the root of the root of the moments' determinant is a length
    ellipse = math.sqrt(float(squared.max())) * determinant**0.25
    _, circle = cv2.minEnclosingCircle(points[:, ::-1].astype(np.float32))
    # Half a pixel all around is lost to the raster, which matters for small discs.
    fill = len(points) / (math.pi * (min(ellipse, float(circle)) + 0.5) ** 2)
    aspect = math.sqrt((middle + half) / (middle - half))
    return fill, min(aspect, max(mark.shape) / min(mark.shape)) if len(points) < config.few_px else aspect


def _scaled_box(box: tuple[int, int, int, int], factor: int) -> tuple[float, float, float, float]:
    left, top, width, height = (float(value * factor) for value in box)
    return left, top, width, height
