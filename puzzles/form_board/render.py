"""Draws form boards: the question, every step, and pieces on their way."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence

import cv2
import numpy as np

from puzzles.common.easing import Easing, Pace, frame_times
from puzzles.common.lettering import draw_text
from puzzles.common.raster import Color, Coverage, Picture, cover_line, new_coverage, paint
from puzzles.common.texture import lay_texture
from puzzles.form_board.layout import LaidOut
from puzzles.form_board.rules import Corners, Offset
from puzzles.form_board.style import FormStyle

_OVERSAMPLING = 4
_FIXED_BITS = 4
_PACE = Pace(speed=14.0, least_s=0.4, before_s=0.4, pause_s=0.2, after_s=0.6, easing=Easing.SMOOTH)


class FormCanvas:
    """Draws one board again and again; what stays is drawn once.

    Parameters
    ----------
    laid : LaidOut
    style : FormStyle
    """

    def __init__(self, laid: LaidOut, style: FormStyle) -> None:
        self._laid, self._style = laid, style
        self._pieces = {piece.label: piece.corners for piece in laid.board.pieces}
        self._colors = piece_colors(style, list(self._pieces))
        width, height = laid.size
        base: Picture = np.empty((height, width, 3), np.uint8)
        base[:] = style.ground
        if style.texture is not None:
            lay_texture(base, style.texture, laid.unit_px)
        _outline(base, laid.board.silhouette, style.outline, style.outline_width * laid.unit_px)
        for label, place in laid.labels.items():
            draw_text(base, label, place, laid.label_px, style.letter, style.font)
        self._base = base

    def draw(self, moved: Mapping[str, Offset], absent: Iterable[str] = ()) -> Picture:
        """The board with some pieces elsewhere, the last one on top, and without others.

        Parameters
        ----------
        moved : mapping of str to (float, float)
            By how much pieces are moved from where they are given, in pixels.
        absent : iterable of str
            Pieces that are not drawn.
        """
        picture = self._base.copy()
        gone = set(absent)
        for label in (*(one for one in self._pieces if one not in moved), *moved):
            if label not in gone:
                dx, dy = moved.get(label, (0.0, 0.0))
                self.lay(picture, [(x + dx, y + dy) for x, y in self._pieces[label]], self._colors[label])
        return picture

    def lay_piece(self, picture: Picture, label: str, share: float) -> None:
        """Draws a piece after a share of its way into the silhouette, in place."""
        dx, dy = self._laid.solution.offsets[label]
        corners = [(x + share * dx, y + share * dy) for x, y in self._pieces[label]]
        self.lay(picture, corners, self._colors[label])

    def lay(self, picture: Picture, corners: Sequence[tuple[float, float]], color: Color) -> None:
        """Draws a polygon as pieces are drawn, in place."""
        style, unit = self._style, self._laid.unit_px
        width = 0.0 if style.edge is None else style.edge_width * unit
        window = _window(picture, corners, width)
        if window is None:
            return
        part, left, top = window
        here = tuple((x - left, y - top) for x, y in corners)
        paint(part, cover_shape(part.shape[:2], here), color)
        if style.edge is not None:
            _outline(part, here, style.edge, width)


def piece_colors(style: FormStyle, labels: Sequence[str]) -> dict[str, Color]:
    """The colour of each piece: the style's, in an order that its seed draws, again from the first if they run out."""
    dice = random.Random(f"colors of form board {style.seed}")
    drawn = sorted(((dice.random(), color) for color in style.colors), key=lambda pair: pair[0])
    return {label: drawn[at % len(drawn)][1] for at, label in enumerate(labels)}


def render_question(laid: LaidOut, style: FormStyle) -> Picture:
    """The picture that a model is given, (H, W, 3) uint8 RGB."""
    return FormCanvas(laid, style).draw({})


def render_steps(laid: LaidOut, order: Sequence[str], style: FormStyle) -> Iterator[Picture]:
    """Yields the picture after each step: pieces are moved into the silhouette in an order."""
    canvas = FormCanvas(laid, style)
    for count in range(1, len(order) + 1):
        yield canvas.draw({label: laid.solution.offsets[label] for label in order[:count]})


def render_clip(
    laid: LaidOut, order: Sequence[str], style: FormStyle, fps: float, pace: Pace = _PACE
) -> Iterator[Picture]:
    """Yields the frames of a clip in which pieces glide into the silhouette, one after another.

    The pace's lengths are units of which a silhouette has 10.
    """
    canvas = FormCanvas(laid, style)
    still: dict[tuple[tuple[str, ...], ...], Picture] = {}
    spans: list[tuple[str, float, float]] = []
    now = pace.before_s
    for label in order:
        taken = pace.time_of(math.hypot(*laid.solution.offsets[label]) / laid.unit_px)
        spans.append((label, now, now + taken))
        now += taken + pace.pause_s
    for time in frame_times(now - pace.pause_s + pace.after_s, fps):
        done = tuple(label for label, _, end in spans if time >= end)
        under_way = [(label, (time - start) / (end - start)) for label, start, end in spans if start <= time < end]
        gone = (done, tuple(label for label, _ in under_way))
        if gone not in still:
            # What rests is drawn once.
            still = {gone: canvas.draw({label: laid.solution.offsets[label] for label in done}, gone[1])}
        frame = still[gone].copy()
        for label, share in under_way:
            canvas.lay_piece(frame, label, pace.easing.at(share))
        yield frame


def cover_shape(size: tuple[int, int], corners: Sequence[tuple[float, float]]) -> Coverage:
    """How much of each pixel a polygon covers, (H, W) float32; it may be concave."""
    fine = np.zeros((size[0] * _OVERSAMPLING, size[1] * _OVERSAMPLING), np.uint8)
    # OpenCV counts from the middle of a pixel.
    scaled = (np.array(corners, np.float64) * _OVERSAMPLING - 0.5) * (1 << _FIXED_BITS)
    cv2.fillPoly(fine, [np.rint(scaled).astype(np.int32).reshape(-1, 1, 2)], 255, cv2.LINE_8, _FIXED_BITS)
    small = cv2.resize(fine, (size[1], size[0]), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32) / np.float32(255)


def _window(picture: Picture, corners: Sequence[tuple[float, float]], width: float) -> tuple[Picture, int, int] | None:
    """The part of a picture that a polygon with an outline of some width can touch, and where it begins."""
    margin = width / 2 + 1
    xs, ys = zip(*corners, strict=True)
    left, top = max(0, math.floor(min(xs) - margin)), max(0, math.floor(min(ys) - margin))
    right, bottom = (
        min(picture.shape[1], math.ceil(max(xs) + margin)),
        min(picture.shape[0], math.ceil(max(ys) + margin)),
    )
    return (picture[top:bottom, left:right], left, top) if left < right and top < bottom else None


def _outline(picture: Picture, corners: Corners, color: Color, width: float) -> None:
    if width <= 0:
        return
    coverage = new_coverage(*picture.shape[:2])
    cover_line(coverage, np.array([*corners, corners[0]], np.float64), max(1.0, width))
    paint(picture, coverage, color)
