"""Draws a picture beside the one that it is compared with, and where they differ. Never on the scoring path."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from grader.drawing import canvas as brush
from grader.drawing.canvas import AMBER, GREY, INK, PAPER, PURPLE, VERMILION, Canvas, Sheet, font_of
from grader.drawing.strip import LegendEntry
from grader.media.pyramid import resize

_PANEL_PX = 640
"""The longer side of a picture is reduced to this, or enlarged by the greatest whole factor that stays below."""
_LEAST_PANEL_PX = 340
"""Room for a caption."""
_GAP_PX = 16
CAPTION_PX = 20
"""Size of a caption's letters; it takes twice as much room."""
_LINE_PX = 2.5
_SCALE = ((0.0, PAPER), (0.4, AMBER), (0.7, VERMILION), (1.0, INK))
"""Colours of the change map by the root of the difference over 255, so that small ones show; darker is more."""


@dataclass(frozen=True, eq=False)
class Panel:
    """A picture, (H, W, 3) uint8 RGB, with what is written above it."""

    caption: str
    picture: NDArray[np.uint8]


def levels_apart(first: NDArray[np.uint8], second: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """By how many levels, 0 to 255, each pixel of two (H, W, 3) uint8 pictures differs in its most different channel.

    Returns
    -------
    (H, W) uint8
    """
    return np.asarray(cv2.absdiff(first, second).max(axis=2), np.uint8)


def draw_pair(
    candidate: Panel, reference: Panel, inside: NDArray[np.bool_] | None = None, before: Panel | None = None
) -> tuple[Canvas, tuple[LegendEntry, ...]]:
    """Two pictures of one size and a map of where they differ, in a row; with a third picture, two in each of two rows.

    Parameters
    ----------
    candidate, reference : Panel
    inside : (H, W) bool, optional
        A region whose rim is drawn on each of them.
    before : Panel, optional
        What the candidate was made from, of the same size.

    Returns
    -------
    (h, w, 3) uint8 RGB, and tuple of LegendEntry
    """
    apart = levels_apart(candidate.picture, reference.picture)
    sheets = [(one.caption, _enlarged(one.picture)) for one in (candidate, reference, before) if one is not None]
    sheets.append((f"where {candidate.caption} and {reference.caption} differ", _change_map(apart)))
    entries = [LegendEntry("difference in the most different channel: 0 to 255 levels, left to right", _scale_key)]
    if inside is not None and inside.any():
        for _, sheet in sheets:
            rim = sheet.spread(inside).astype(np.bool_)
            brush.outline(sheet.canvas, rim, PURPLE, _LINE_PX, inset=0.0)
        entries.append(LegendEntry("rim of the mask", partial(_rim_key, PURPLE)))
    columns = 2 if before is not None else len(sheets)
    return _table(sheets, columns), tuple(entries)


def _scale_of(shape: tuple[int, ...]) -> float:
    longest = max(shape[:2])
    return _PANEL_PX / longest if longest > _PANEL_PX else float(_PANEL_PX // longest)


def _drawn_size(shape: tuple[int, ...], scale: float) -> tuple[int, int]:
    """Width and height of what is drawn."""
    return max(1, round(shape[1] * scale)), max(1, round(shape[0] * scale))


def _enlarged(picture: NDArray[np.uint8]) -> Sheet:
    scale = _scale_of(picture.shape)
    size = _drawn_size(picture.shape, scale)
    if scale < 1.0:
        drawn = resize(picture, size)
    else:
        drawn = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_NEAREST), np.uint8)
    # The sheet is drawn on, and a picture of this size already may come back as it is.
    return Sheet(drawn.copy(), scale, _LINE_PX)


def _change_map(apart: NDArray[np.uint8]) -> Sheet:
    scale = _scale_of(apart.shape)
    width, height = _drawn_size(apart.shape, scale)
    sheet = Sheet(np.zeros((height, width, 3), np.uint8), scale, _LINE_PX)
    if scale < 1.0:
        # The greatest difference of the pixels that are drawn as one, or a thin line would pale away.
        side = math.ceil(1.0 / scale)
        apart = np.asarray(cv2.dilate(apart, np.ones((side, side), np.uint8)), np.uint8)
    sheet.canvas[:] = _colors()[sheet.spread(apart).astype(np.intp)]
    return sheet


def _colors() -> NDArray[np.uint8]:
    """(256, 3) uint8 RGB: the colour of each difference."""
    roots = np.sqrt(np.arange(256) / 255.0)
    stops = [stop for stop, _ in _SCALE]
    channels = [np.interp(roots, stops, [color[channel] for _, color in _SCALE]) for channel in range(3)]
    return np.asarray(np.stack(channels, axis=1).round(), np.uint8)


def _table(sheets: Sequence[tuple[str, Sheet]], columns: int) -> Canvas:
    """Pictures of one size with captions, in rows."""
    height, width = sheets[0][1].canvas.shape[:2]
    cell_width, head = max(width, _LEAST_PANEL_PX), 2 * CAPTION_PX
    rows = math.ceil(len(sheets) / columns)
    across, down = cell_width + _GAP_PX, height + head + _GAP_PX
    table = np.full((rows * down, columns * across + _GAP_PX, 3), 255, np.uint8)
    for place, (title, sheet) in enumerate(sheets):
        row, column = divmod(place, columns)
        left, top = _GAP_PX + column * across, row * down
        window = table[top + head : top + head + height, left : left + width]
        window[:] = sheet.canvas
        # A thin frame, without which a white picture would run into the paper.
        cv2.rectangle(window, (0, 0), (width - 1, height - 1), (190, 190, 190), 1)
        caption(table[top : top + head, left : left + cell_width], title)
    return table


def caption(place: Canvas, text: str) -> None:
    """Writes a line of text into a window of a picture, on paper."""
    label = Image.new("RGB", (place.shape[1], place.shape[0]), PAPER)
    middle = (0, place.shape[0] / 2.0)
    ImageDraw.Draw(label).text(middle, text, GREY, font_of(CAPTION_PX), anchor="lm")
    place[:] = np.asarray(label)


def _scale_key(canvas: Canvas) -> None:
    canvas[:] = _colors()[np.linspace(0, 255, canvas.shape[1]).round().astype(np.intp)][None]


def _rim_key(color: brush.Color, canvas: Canvas) -> None:
    middle = canvas.shape[0] / 2.0
    brush.line(canvas, np.array([[8.0, middle], [canvas.shape[1] - 8.0, middle]]), color, _LINE_PX, casing=1.0)
