"""What a page shows beside the silhouette and what is given on it: each thing with its place, size, contrast and look.

What it is good for, as a caption, or is a fault, is not decided here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.ground import fit_ground
from detectors.common.residual.mixing import channel_medians, lengths, seen
from detectors.form_board.board import is_shade
from detectors.form_board.config import FormBoardConfig
from detectors.form_board.fitting import Area, ShapeChange, recognise
from detectors.form_board.page.config import LeftOverConfig
from detectors.form_board.page.frame import PageFrame
from detectors.form_board.page.glance import is_bare
from detectors.form_board.scene import BoardScene, Box
from detectors.form_board.shapes import CORNERS, Mask, PieceShape, depth_of
from detectors.form_board.zoom import Zoom

Lab = NDArray[np.float32]
_HALF = 0.5  # not a threshold: half of it


@dataclass(frozen=True)
class LeftOver:
    """A thing that is drawn on the page. Lengths are shares of the silhouette's longer side, areas of its area.

    Attributes
    ----------
    box : where it is, in pixels of the puzzle's picture
    size : its area
    contrast : of most of it, against the paper
    away : how far off the silhouette and its line it begins...
    beyond : ...and how far off it reaches
    thick : half its width where it is widest
    filled : share of its convex hull that it fills
    extent : the shorter side of its box
    hull : area of its convex hull
    like : the piece whose colour it has; empty for none
    piece : the piece that it is, as it was given; empty if it is none
    strip : whether it is a bar or a frame along the picture's edge
    word : whether it is a letter of a word
    """

    box: Box
    size: float
    contrast: float
    away: float
    beyond: float
    thick: float
    filled: float
    extent: float
    hull: float
    like: str
    piece: str
    strip: bool
    word: bool


def find_left_over(
    zoom: Zoom, scene: BoardScene, colors: Mapping[str, Sequence[Lab]], config: FormBoardConfig
) -> tuple[LeftOver, ...]:
    """Finds what is drawn on the page and neither given nor in the silhouette, the nearest to that first.

    Parameters
    ----------
    zoom : Zoom
        What of the candidate holds the silhouette.
    scene : BoardScene
    colors : mapping of label to sequence of (3,) float32
        That pieces have, in the colours of `seen`.
    config : FormBoardConfig
    """
    tuning = config.left
    if _is_bare(zoom, scene, tuning):
        return ()
    page = scene.page
    side = scene.side / page.scale
    picture = zoom.page(page.size)
    lab = seen(np.asarray(cv2.GaussianBlur(picture, (0, 0), config.segments.smooth_px), np.uint8))
    covered = zoom.covered(page.size)
    drawn, told, reach = _drawn(lab, page, covered, side, config)
    if not (drawn & told).any():
        return ()
    # Things go on where labels are, and are one thing.
    closed = cv2.morphologyEx(drawn.view(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    count, parts, stats, _ = cv2.connectedComponentsWithStats(closed, connectivity=CORNERS)
    paper = channel_medians(lab.reshape(-1, 3).take(page.free, axis=0))
    area = page.area
    pieces = {label: PieceShape(corners / page.scale) for label, corners in scene.pieces.items()}
    found = []
    seen_at = np.bincount(parts[told & drawn], minlength=count)
    for number, (left, top, wide, high, pixels) in enumerate(stats[1:count].tolist(), 1):
        if seen_at[number] < tuning.least * area:
            continue
        window = slice(top, top + high), slice(left, left + wide)
        part = parts[window] == number
        whole = parts == number
        if is_shade(lab, paper, whole, told, page.outside, config.shades):
            continue
        off = lengths(lab[window] - paper)
        points = np.argwhere(part)
        corners = np.concatenate([points + np.array(by) for by in ((0, 0), (0, 1), (1, 0), (1, 1))])
        hull = cv2.contourArea(cv2.convexHull(corners.astype(np.float32)))
        depth = depth_of(np.asarray(part, np.bool_))
        color = channel_medians(lab[window][depth > _HALF * float(depth.max())])
        here = page.outside[window][part]
        found.append(
            LeftOver(
                box=_there((left, top, left + wide, top + high), page),
                size=pixels / area,
                contrast=float(np.median(off[part])),
                away=max(0.0, float(here.min()) - reach) / side,
                beyond=max(0.0, float(here.max()) - reach) / side,
                thick=float(depth.max()) / side,
                filled=min(1.0, pixels / max(1.0, hull)),
                extent=min(wide, high) / side,
                hull=hull / area,
                like=_like(color, colors, tuning),
                piece=_piece(part, pixels / area, pieces, side, config),
                strip=_is_strip(part, (left, top), page.size, tuning),
                word=False,
            )
        )
    return tuple(sorted(_with_words(found, scene.side, tuning), key=lambda one: (one.away, one.box)))


def labels_in_place(view: NDArray[np.uint8], scene: BoardScene, config: LeftOverConfig) -> tuple[bool, ...]:
    """Which of the puzzle's labels a picture shows where they are given.

    Parameters
    ----------
    view : (h, w, 3) uint8 RGB
        The candidate in the puzzle's frame, reduced by the scene's factor.
    scene : BoardScene
    config : LeftOverConfig
    """
    grey = cv2.cvtColor(view, cv2.COLOR_RGB2GRAY).astype(np.float32)
    pad = max(1, round(config.frame * scene.side / scene.factor))
    found = []
    for label, (left, top) in scene.labels:
        height, width = label.shape
        shown = grey[top : top + height, left : left + width]
        if shown.shape != label.shape or min(label.shape) <= 2 * pad:
            continue
        off = [one - float(one.mean()) for one in (label, shown)]
        length = math.prod(float(np.sqrt((one * one).sum())) for one in off)
        alike = float((off[0] * off[1]).sum()) / length if length > 0 else 0.0
        found.append(alike >= config.alike)
    return tuple(found)


def _is_bare(zoom: Zoom, scene: BoardScene, config: LeftOverConfig) -> bool:
    """Whether a glance says that nothing is drawn on the page."""
    picture = zoom.halved
    if picture is None:
        return False
    height, width = picture.shape[:2]
    reach = (scene.line + config.slack * scene.side) / (2 * scene.factor) + config.slack_px
    return is_bare(picture, zoom.covered((width, height)), scene.glance, reach, config)


def _drawn(lab: Lab, page: PageFrame, covered: Mask, side: float, config: FormBoardConfig) -> tuple[Mask, Mask, float]:
    """What is drawn beside the silhouette and pieces, where no label is, and how far out that begins."""
    tuning = config.left
    # What was moved away is not there any more: within its rim there is paper.
    free = page.free[covered.ravel()[page.free]]
    if not free.size:
        return np.zeros(covered.shape, np.bool_), covered, 0.0
    ground = fit_ground(lab, free, config.beside.paper)
    marked = lengths(lab - ground.surface) > max(tuning.contrast, tuning.noise * ground.noise)
    # The outermost pixels of a picture may be mixtures with what lies beyond it: bars, a page.
    told = depth_of(covered) > tuning.rim_px
    for room, deep, rim in page.pieces.values():
        inner, outer = _share(marked, deep), _share(marked, rim)
        if inner >= _HALF:
            outer = max(outer, _rim_aside(marked & room, rim))
        # Of a piece that was taken away a trace of its line may be left; what else lies there has another rim.
        if outer >= (tuning.trace if inner < _HALF else tuning.rim):
            told &= ~room | deep if inner < _HALF else ~room
    reach = 0.0
    while reach < tuning.line * side:
        ring = (page.outside > reach) & (page.outside <= reach + 1) & told & ~page.printed
        if np.count_nonzero(ring & marked) < _HALF * np.count_nonzero(ring):
            break
        reach += 1.0
    reach += tuning.slack * side + tuning.slack_px
    told &= page.outside > reach
    return np.asarray(marked & told, np.bool_), np.asarray(told & ~page.printed, np.bool_), reach


def _share(marked: Mask, where: Mask) -> float:
    return int(np.count_nonzero(marked & where)) / max(1, int(np.count_nonzero(where)))


def _rim_aside(marked: Mask, rim: Mask) -> float:
    """How much of a piece's rim is drawn if it lies a little aside, as what is marked there does."""
    shown, own = np.argwhere(marked), np.argwhere(rim)
    if not len(shown) or not len(own):
        return 0.0
    # not a threshold: from middle to middle of their boxes
    aside = np.rint(0.5 * (shown.min(axis=0) + shown.max(axis=0) - own.min(axis=0) - own.max(axis=0))).astype(np.intp)
    there = np.clip(own + aside, 0, np.array(marked.shape) - 1)
    return float(marked[tuple(there.T)].mean())


def _there(box: tuple[int, int, int, int], page: PageFrame) -> Box:
    left, top, right, bottom = (page.scale * value for value in box)
    return left, top, right, bottom


def _like(color: Lab, colors: Mapping[str, Sequence[Lab]], config: LeftOverConfig) -> str:
    """The piece whose colour is nearest, if it is as near as that of one and the same."""
    away = {label: min(math.dist(color.tolist(), one.tolist()) for one in own) for label, own in colors.items() if own}
    nearest = min(away, key=lambda label: (away[label], label), default="")
    return nearest if nearest and away[nearest] <= config.same else ""


def _piece(part: Mask, size: float, pieces: Mapping[str, PieceShape], side: float, config: FormBoardConfig) -> str:
    """The piece that something is, as it was given; empty if it is none."""
    if size < config.beside.least:
        return ""
    what = recognise(Area(part, config.fit), pieces, side, config.fit, closely=False)
    return what.label if what.change is ShapeChange.AS_GIVEN else ""


def _is_strip(part: Mask, corner: tuple[int, int], size: tuple[int, int], config: LeftOverConfig) -> bool:
    """Whether something spreads along the picture's edge and nowhere else: a bar, a frame, a strip of another page."""
    rows, columns = np.nonzero(part)
    x, y, (width, height) = columns + corner[0], rows + corner[1], size
    deep = np.minimum(np.minimum(x, width - 1 - x), np.minimum(y, height - 1 - y))
    long = max(np.ptp(x) / width, np.ptp(y) / height)
    return bool(long >= config.long and deep.max() <= config.edge * min(size))


def _with_words(found: Sequence[LeftOver], side: float, config: LeftOverConfig) -> list[LeftOver]:
    """The same, with what stands in a line with others of about its height told as letters."""

    def is_letter(one: LeftOver) -> bool:
        left, top, right, bottom = one.box
        # Bold ones run into each other.
        small = right - left <= side and bottom - top <= config.letter * side
        return small and one.thick <= config.stroke and not one.strip

    letters = [at for at, one in enumerate(found) if is_letter(one)]
    lines: list[list[int]] = []
    for at in sorted(letters, key=lambda at: found[at].box):
        line = next((line for line in lines if _follows(found[line[-1]].box, found[at].box, config)), None)
        if line is None:
            lines.append([at])
        else:
            line.append(at)
    named = {at for line in lines if len(line) >= config.letters and _is_written(found, line, config) for at in line}
    return [replace(one, word=at in named) for at, one in enumerate(found)]


def _is_written(found: Sequence[LeftOver], line: Sequence[int], config: LeftOverConfig) -> bool:
    """Whether things in a line are letters: most of them do not fill their hulls, as squares and discs do."""
    return 2 * sum(found[at].filled <= config.lettered for at in line) >= len(line)  # not a threshold: half of them


def _follows(one: Box, other: Box, config: LeftOverConfig) -> bool:
    """Whether a letter stands to the right of another in one line."""
    high = max(one[3] - one[1], other[3] - other[1])
    overlap = min(one[3], other[3]) - max(one[1], other[1])
    low = min(one[3] - one[1], other[3] - other[1])
    return overlap >= _HALF * low and other[0] - one[2] <= config.spaced * high
