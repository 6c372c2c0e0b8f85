"""What of a form board is known before an answer is looked at: outlines, and where there is paper."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.ground import fit_ground
from detectors.common.residual.mixing import contrasts, lengths, seen
from detectors.form_board.config import FormBoardConfig, SegmentConfig, ShapesBesideConfig
from detectors.form_board.page.frame import GlanceFrame, PageFrame, frame_glance, frame_page
from detectors.form_board.shapes import (
    CORNERS,
    Mask,
    Outline,
    PieceShape,
    Points,
    area_of,
    color_of,
    depth_of,
    filled,
    ring_of,
    wider,
)
from grader.media.pyramid import Pyramid

_SOME = 3000  # not a threshold: so many will do for a median
Box = tuple[float, float, float, float]
"""Left, top, right, bottom in pixels of the puzzle's picture."""


@dataclass(frozen=True, eq=False)
class ZoomFrame:
    """The part of a view that holds the silhouette with some room, at the size at which it is looked at.

    Attributes
    ----------
    box : left, top, right and bottom, in pixels of the view; these are all pixels of the zoom from here on
    factor : pixels of the puzzle's picture for one of the view
    size : width and height
    side : the silhouette's longer side
    area : of the silhouette
    given : (h, w) bool, what is drawn in the puzzle's picture elsewhere than in the silhouette, with some room
    silhouette : (h, w) bool
    outside, within : (h, w) float32, how far from the silhouette's outline
    paper : flat positions of pixels that show paper in the puzzle's picture
    pieces : by label, where they are given
    """

    box: tuple[int, int, int, int]
    factor: int
    size: tuple[int, int]
    side: float
    area: float
    given: Mask
    silhouette: Mask
    outside: NDArray[np.float32]
    within: NDArray[np.float32]
    paper: NDArray[np.intp]
    pieces: Mapping[str, PieceShape]

    @cached_property
    def free(self) -> NDArray[np.intp]:
        """Flat positions of pixels outside of the silhouette where nothing is given: some, spread over all of them."""
        at = np.flatnonzero((self.outside > 1) & ~self.given)  # not a threshold: beside the line
        return at[:: max(1, at.size // _SOME)]

    @property
    def scales(self) -> Points:
        """Pixels for one of the view, across and down."""
        left, top, right, bottom = self.box
        return np.array([self.size[0] / (right - left), self.size[1] / (bottom - top)])

    @property
    def pixel(self) -> tuple[float, float]:
        """Width and height of a pixel, in the puzzle's."""
        across, down = (self.factor / float(scale) for scale in self.scales)
        return across, down

    def here(self, outline: Outline) -> Outline:
        """An outline in the puzzle's pixels, in pixels of the zoom."""
        return _here(outline, self.factor, self.box, self.scales)

    def there(self, box: tuple[float, ...]) -> Box:
        """A box in pixels of the zoom, in the puzzle's."""
        x0, y0, x1, y1 = (float(value) for value in box)
        across, down = self.pixel
        left, top = (part * self.factor for part in self.box[:2])
        return x0 * across + left, y0 * down + top, x1 * across + left, y1 * down + top


@dataclass(frozen=True, eq=False)
class BoardScene:
    """A board as it is looked for. Outlines are in pixels of the puzzle's picture.

    Attributes
    ----------
    size : width and height of the puzzle's picture
    silhouette : its outline
    pieces : outlines by label, where the pieces are given
    side : the silhouette's longer side
    line : how far its own line reaches into it
    factor : pixels of the puzzle's picture for one that is looked at, a power of two
    given : what is drawn in the puzzle's picture elsewhere than in the silhouette, with some room, at the full size
    printed : the same without pieces and room
    labels : pictures of what hangs together of that, with some paper around, and where they are, (x, y): grey, both in
        pixels that are looked at
    room : how far what is given may be displaced, on the page
    zoom : the silhouette with some room, as it is looked at
    elsewhere : neither that nor the silhouette with its surroundings, at the size at which that is looked for
    free : flat positions of its pixels
    drawn_there : (h, w) bool, what is drawn there all the same, as in the puzzle's own picture
    shrunk : the puzzle's picture at the size at which what lies elsewhere is looked for, (h, w, 3) uint8 RGB
    small : the same in the colours of `seen`
    beside : pieces by label at that size, where they are given
    paper : the paper's colour
    colors : of each piece where it is given
    """

    size: tuple[int, int]
    silhouette: Outline
    pieces: Mapping[str, Outline]
    side: float
    line: int
    factor: int
    given: Mask
    printed: Mask
    labels: tuple[tuple[NDArray[np.float32], tuple[int, int]], ...]
    room: float
    zoom: ZoomFrame
    elsewhere: Mask
    free: NDArray[np.intp]
    drawn_there: Mask
    shrunk: NDArray[np.uint8]
    small: NDArray[np.float32]
    paper: NDArray[np.float32]
    beside: Mapping[str, PieceShape]
    colors: Mapping[str, NDArray[np.float32]]

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of the silhouette."""
        (left, top), (right, bottom) = (self.silhouette.min(axis=0), self.silhouette.max(axis=0))
        return float(left), float(top), float(right), float(bottom)

    @property
    def drawn_box(self) -> tuple[float, float, float, float]:
        """The same with its line, of which half lies outside."""
        left, top, right, bottom = self.box
        return left - self.line, top - self.line, right + self.line, bottom + self.line

    @cached_property
    def page(self) -> PageFrame:
        """All of the picture at the size at which the silhouette is looked at; it depends on the puzzle alone."""
        ratio = min(1.0, self.zoom.side / self.side)
        width, height = (max(1, round(ratio * one)) for one in self.size)
        return frame_page(self.silhouette, self.pieces, self.printed, self.room, (width, height))

    @cached_property
    def glance(self) -> GlanceFrame:
        """All of the picture at half the size of a view; it depends on the puzzle alone."""
        return frame_glance(self.silhouette, self.pieces, self.printed, self.room, self.line, 2 * self.factor)

    @property
    def around(self) -> Mask:
        """What candidates are not aligned by: where pieces are given, and the silhouette within its own line."""
        # Where paper was, pieces are: a dark one looks like a line that is wider, and so displaced.
        return np.asarray(self.given | (depth_of(filled(self.silhouette, self.size)) > self.line), np.bool_)


def make_scene(
    picture: NDArray[np.uint8],
    silhouette: Sequence[tuple[float, float]],
    pieces: Mapping[str, Sequence[tuple[float, float]]],
    config: FormBoardConfig,
) -> BoardScene:
    """Prepares a board.

    Parameters
    ----------
    picture : (H, W, 3) uint8 RGB
        As the model was given it.
    silhouette : sequence of (x, y)
    pieces : mapping of label to sequence of (x, y)
    config : FormBoardConfig
    """
    height, width = picture.shape[:2]
    outline = np.array(silhouette, np.float64)
    outlines = {label: np.array(corners, np.float64) for label, corners in pieces.items()}
    side = float(np.ptp(outline, axis=0).max())
    factor = 1
    while side / (2 * factor) >= config.segments.side_px:
        factor *= 2
    within = filled(outline, (width, height))
    zone = wider(within, config.segments.zone * side)
    lab = seen(picture)
    paper = np.median(lab.reshape(-1, 3)[:: max(1, lab[..., 0].size // config.beside.paper.samples)], axis=0)
    paper = paper.astype(np.float32)
    drawn = contrasts(lab, paper) > config.beside.contrast
    given = wider(drawn & ~zone, config.beside.room * side)
    printed = _printed(drawn & ~zone, outlines.values(), config.segments.line * side)
    depth = depth_of(within)
    line = 1
    # not a threshold: half of what is so deep
    while line < config.segments.line * side and 2 * np.count_nonzero(drawn[ring := ring_of(depth, line)]) > ring.sum():
        line += 1
    ratio = min(1.0, config.beside.side_px / max(width, height))
    size = (max(1, round(width * ratio)), max(1, round(height * ratio)))
    reduced = shrunk(Pyramid(picture), size)
    small = seen(reduced)
    elsewhere = cv2.resize((given | zone).astype(np.uint8), size, interpolation=cv2.INTER_NEAREST) == 0
    free = np.flatnonzero(elsewhere)
    beside = {label: PieceShape(corners * (size[0] / width)) for label, corners in outlines.items()}
    return BoardScene(
        size=(width, height),
        silhouette=outline,
        pieces=outlines,
        side=side,
        line=line,
        factor=factor,
        given=given,
        printed=printed,
        labels=_labels(picture, printed, factor, config.left.frame * side),
        room=config.left.room * side,
        zoom=_zoom(outline, outlines, given, factor, config.segments),
        elsewhere=elsewhere,
        free=free,
        drawn_there=drawn_elsewhere(small, elsewhere, free, config.beside),
        shrunk=reduced,
        small=small,
        paper=paper,
        beside=beside,
        colors={label: given_color(reduced, one.corners) for label, one in beside.items()},
    )


def _printed(drawn: Mask, pieces: Iterable[Outline], line: float) -> Mask:
    """What of a drawing is no piece, nor a piece's line."""
    own = np.zeros(drawn.shape, np.bool_)
    for corners in pieces:
        own |= filled(corners, (drawn.shape[1], drawn.shape[0]))
    return np.asarray(drawn & ~wider(own, line), np.bool_)


def _labels(
    picture: NDArray[np.uint8], printed: Mask, factor: int, room: float
) -> tuple[tuple[NDArray[np.float32], tuple[int, int]], ...]:
    """What of a picture is printed, each thing that hangs together, as a `BoardScene` has it."""
    grey = cv2.cvtColor(Pyramid(picture).reduced(factor), cv2.COLOR_RGB2GRAY).astype(np.float32)
    near = wider(printed, room).view(np.uint8)
    count, _, stats, _ = cv2.connectedComponentsWithStats(near, connectivity=CORNERS)
    found = []
    for left, top, wide, high, _ in stats[1:count].tolist():
        x, y, right, bottom = (round(value / factor) for value in (left, top, left + wide, top + high))
        found.append((np.ascontiguousarray(grey[y:bottom, x:right]), (x, y)))
    return tuple(found)


def drawn_elsewhere(
    lab: NDArray[np.float32], elsewhere: Mask, free: NDArray[np.intp], config: ShapesBesideConfig
) -> Mask:
    """What is drawn, (h, w), elsewhere than where something is given; parameters are those of a scene."""
    ground = fit_ground(lab, free, config.paper)
    return np.asarray(elsewhere & (lengths(lab - ground.surface) > max(config.contrast, config.noise * ground.noise)))


def _zoom(
    silhouette: Outline, pieces: Mapping[str, Outline], given: Mask, factor: int, config: SegmentConfig
) -> ZoomFrame:
    width, height = -(-given.shape[1] // factor), -(-given.shape[0] // factor)
    side = float(np.ptp(silhouette, axis=0).max())
    low = (silhouette.min(axis=0) - config.zone * side) / factor
    high = (silhouette.max(axis=0) + config.zone * side) / factor
    left, top = (max(0, int(np.floor(value))) for value in low)
    right, bottom = (min(most, int(np.ceil(value))) for value, most in zip(high, (width, height), strict=True))
    box = (left, top, right, bottom)
    ratio = min(1.0, config.side_px * factor / side)
    size = (max(1, round((right - left) * ratio)), max(1, round((bottom - top) * ratio)))
    scales = np.array([size[0] / (right - left), size[1] / (bottom - top)])
    view = cv2.resize(given.astype(np.uint8), (width, height), interpolation=cv2.INTER_NEAREST)
    here = cv2.resize(view[top:bottom, left:right], size, interpolation=cv2.INTER_NEAREST) > 0
    outline = _here(silhouette, factor, box, scales)
    within = filled(outline, size)
    paper = ~wider(within, config.line * side / factor * ratio) & ~here
    return ZoomFrame(
        box=box,
        factor=factor,
        size=size,
        side=side / factor * ratio,
        area=area_of(outline),
        given=np.asarray(here, np.bool_),
        silhouette=within,
        outside=depth_of(~within),
        within=depth_of(within),
        paper=np.flatnonzero(paper),
        pieces={label: PieceShape(_here(one, factor, box, scales)) for label, one in pieces.items()},
    )


def _here(outline: Outline, factor: int, box: tuple[int, int, int, int], scales: Points) -> Outline:
    return np.asarray((outline / factor - np.array(box[:2])) * scales, np.float64)


def shrunk(picture: Pyramid, size: tuple[int, int]) -> NDArray[np.uint8]:
    """A picture at a smaller (width, height): halved as often as can be, which is quick, and reduced by the rest."""
    height, width = picture.picture.shape[:2]
    factor = 1
    while min(width / size[0], height / size[1]) >= 2 * factor:
        factor *= 2
    return np.asarray(cv2.resize(picture.reduced(factor), size, interpolation=cv2.INTER_AREA), np.uint8)


def given_color(picture: NDArray[np.uint8], outline: Outline) -> NDArray[np.float32]:
    """The colour that an RGB picture has within an outline, in its pixels; black where that lies outside of it."""
    left, top = (max(0, int(value)) for value in np.floor(outline.min(axis=0)))
    right, bottom = (int(value) for value in np.ceil(outline.max(axis=0)))
    part = picture[top:bottom, left:right]
    if not part.size:
        return np.zeros(3, np.float32)
    return color_of(seen(part), depth_of(filled(outline - (left, top), (part.shape[1], part.shape[0]))))
