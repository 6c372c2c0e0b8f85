"""What overlays are drawn with: a softened picture, tints, lines, marks and labels.

Colours are those of Okabe and Ito, which colour-blind readers tell apart; what matters also differs by pattern or
shape, so that it reads in grey. Everything draws in place on (H, W, 3) uint8 RGB arrays.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from grader.media.pyramid import resize

Canvas = NDArray[np.uint8]
Color = tuple[int, int, int]
Points = NDArray[np.float64]
"""(N, 2) float64, (x, y) in canvas pixels, the middle of the first pixel at 0.5."""

GREEN: Color = (0, 158, 115)
AMBER: Color = (230, 159, 0)
VERMILION: Color = (213, 94, 0)
BLUE: Color = (0, 114, 178)
PURPLE: Color = (204, 121, 167)
INK: Color = (25, 25, 30)
PAPER: Color = (255, 255, 255)
GREY: Color = (120, 120, 125)

MOST_PIXELS = 12_000_000
"""What a still overlay or a contact sheet has at most, with its strip, whatever the shape of the candidate."""
_LEAST_SIDE, _MOST_SIDE = 900, 1400
_MOST_LINE, _MOST_LETTERS = 255.0, 128
"""Widths of lines and heights of letters, in drawn pixels: on frames they grow with what was found there."""
_SUBPIXEL_BITS = 4


def drawn_scale(size: tuple[int, int]) -> float:
    """Drawn pixels per picture pixel: the longer side becomes 900 to 1400 pixels, by a whole factor if possible."""
    longest = max(size)
    if longest > _MOST_SIDE:
        return _MOST_SIDE / longest
    factor = math.ceil(_LEAST_SIDE / longest)
    # A whole factor can overshoot only between 700 and 900 pixels.
    return float(factor) if factor * longest <= _MOST_SIDE else _LEAST_SIDE / longest


@dataclass(frozen=True, eq=False)
class Sheet:
    """A picture to draw on, and how it came from picture pixels.

    Attributes
    ----------
    canvas : (H, W, 3) uint8 RGB, drawn on in place
    scale : drawn pixels per picture pixel
    unit : width in drawn pixels of a fine line, fit for the size of the cells
    """

    canvas: Canvas
    scale: float
    unit: float

    def at(self, points: Points | tuple[float, float]) -> Points:
        """Points (x, y) in picture pixels, on the canvas; always (N, 2)."""
        return np.asarray(points, np.float64).reshape(-1, 2) * self.scale

    def spread(self, labels: NDArray[np.generic], factor: int = 1) -> NDArray[np.generic]:
        """Labels or masks (h, w) of one pixel per ``factor`` picture pixels, at the canvas's size."""
        rows, columns = (
            np.minimum(((np.arange(count) + 0.5) / (self.scale * factor)).astype(np.intp), known - 1)
            for count, known in zip(self.canvas.shape[:2], labels.shape, strict=True)
        )
        return np.asarray(labels[rows[:, None], columns[None, :]])


def smooth_cover(mask: NDArray[np.bool_], scale: float) -> NDArray[np.float32]:
    """A mask as a cover, (H, W) float32, without the steps of ``scale`` drawn pixels that its edges have."""
    cover = mask.astype(np.float32)
    if scale <= 1.0:
        return cover
    blurred = np.asarray(cv2.GaussianBlur(cover, (0, 0), 1.6 * scale), np.float32)
    # A blurred edge rises by 0.25 / scale a pixel; make it about a pixel and a half wide again.
    return np.asarray(np.clip((blurred - 0.5) * (2.7 * scale) + 0.5, 0.0, 1.0), np.float32)


def make_sheet(view: NDArray[np.uint8], covered: NDArray[np.bool_] | None, cell_px: float) -> Sheet:
    """A softened copy of an aligned candidate, at a good size.

    Parameters
    ----------
    view : ndarray of shape (H, W, 3), uint8 RGB
    covered : ndarray of shape (H, W), bool, or None
        Where the candidate has pixels; the rest is left grey.
    cell_px : float
        Length of a cell in picture pixels.
    """
    height, width = view.shape[:2]
    scale = drawn_scale((width, height))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    if scale > 1.0:
        drawn = np.asarray(cv2.resize(view, size, interpolation=cv2.INTER_CUBIC), np.uint8)
    else:
        drawn = resize(view, size)
    sheet = Sheet(soften(drawn), scale, float(np.clip(cell_px * scale / 24.0, 2.0, 7.0)))
    if covered is not None:
        sheet.canvas[~sheet.spread(covered).astype(np.bool_)] = 232
    return sheet


def soften(picture: NDArray[np.uint8]) -> Canvas:
    """A paler, less colourful copy, so that annotations stand out."""
    grey = cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB)
    paler = 0.8
    return np.asarray(cv2.addWeighted(picture, 0.82 * paler, grey, 0.18 * paler, 255.0 * (1.0 - paler)), np.uint8)


def tint(canvas: Canvas, cover: NDArray[np.float32], color: Color, strength: float, *, over_ink: bool = False) -> None:
    """Lays a colour over a canvas.

    Parameters
    ----------
    canvas : ndarray of shape (H, W, 3), uint8
    cover : ndarray of shape (H, W), float32
        How much of each pixel takes part, 0 to 1.
    color : tuple of int
    strength : float
        0 leaves the canvas as it is; from 1 on the colour hides it.
    over_ink : bool
        Otherwise the tint is thinner over what is dark or colourful, so that a drawing keeps its own colour.
    """
    box = _box_of(cover)
    below = canvas[box].astype(np.float32)
    thinned = (
        1.0 if over_ink else 0.3 + (0.7 / 255.0) * np.minimum(np.minimum(below[..., 0], below[..., 1]), below[..., 2])
    )
    alpha = np.minimum(cover[box] * strength * thinned, 1.0)[..., None].astype(np.float32)
    canvas[box] = (below + (np.array(color, np.float32) - below) * alpha).round().astype(np.uint8)


def hatched(cover: NDArray[np.float32], period: float, width: float) -> NDArray[np.float32]:
    """A cover, (H, W) float32, cut into diagonal lines of a width, one every ``period`` pixels."""
    rows, columns = _positions(cover)
    across = ((rows + columns) * np.float32(math.sqrt(0.5))) % period
    return _cut(cover, np.clip(width / 2.0 + 0.5 - np.abs(across - period / 2.0), 0.0, 1.0))


def dotted(cover: NDArray[np.float32], period: float, radius: float) -> NDArray[np.float32]:
    """A cover, (H, W) float32, cut into dots, one every ``period`` pixels, every other row displaced."""
    rows, columns = _positions(cover)
    shift = (rows // period) % 2 * (period / 2.0)
    down, along = rows % period - period / 2.0, (columns + shift) % period - period / 2.0
    return _cut(cover, np.clip(radius + 0.5 - np.hypot(down, along), 0.0, 1.0))


def _box_of(cover: NDArray[np.float32]) -> tuple[slice, slice]:
    """Rows and columns outside of which a cover is 0."""
    left, top, width, height = cv2.boundingRect((cover > 0).astype(np.uint8))
    return slice(top, top + height), slice(left, left + width)


def _positions(cover: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Rows (h, 1) and columns (1, w) of the part of a cover that is not 0."""
    rows, columns = (np.arange(part.start, part.stop, dtype=np.float32) for part in _box_of(cover))
    return rows[:, None], columns[None, :]


def _cut(cover: NDArray[np.float32], pattern: NDArray[np.float32]) -> NDArray[np.float32]:
    result = np.zeros_like(cover)
    box = _box_of(cover)
    result[box] = cover[box] * pattern
    return result


def paint_right(canvas: Canvas, cover: NDArray[np.float32], _unit: float, *, over_ink: bool = False) -> None:
    """Right cells: plain green."""
    tint(canvas, cover, GREEN, 0.4, over_ink=over_ink)


def paint_missed(canvas: Canvas, cover: NDArray[np.float32], unit: float, *, over_ink: bool = False) -> None:
    """Missed cells: pale amber with diagonal lines."""
    tint(canvas, cover, AMBER, 0.3, over_ink=over_ink)
    tint(canvas, hatched(cover, 5.0 * unit, 1.1 * unit), AMBER, 1.3, over_ink=over_ink)


def paint_wrong(canvas: Canvas, cover: NDArray[np.float32], unit: float, *, over_ink: bool = False) -> None:
    """Wrong cells: vermilion with dots."""
    tint(canvas, cover, VERMILION, 0.38, over_ink=over_ink)
    tint(canvas, dotted(cover, 4.5 * unit, 0.8 * unit), VERMILION, 1.3, over_ink=over_ink)


def line(
    canvas: Canvas, points: Points, color: Color, width: float, *, closed: bool = False, casing: float = 0.0
) -> None:
    """A smooth line through points, with a white casing of some pixels on either side."""
    fixed = [_fixed(points).reshape(-1, 1, 2)]
    if casing > 0.0:
        _lines(canvas, fixed, closed, PAPER, width + 2.0 * casing)
    _lines(canvas, fixed, closed, color, width)


def dashed_line(
    canvas: Canvas, points: Points, color: Color, width: float, *, closed: bool = False, casing: float = 0.0
) -> None:
    """As `line`, in dashes on a whole casing."""
    if closed:
        points = np.concatenate([points, points[:1]])
    if casing > 0.0:
        _lines(canvas, [_fixed(points).reshape(-1, 1, 2)], False, PAPER, width + 2.0 * casing)
    dashes = [_fixed(dash).reshape(-1, 1, 2) for dash in _dashes(points, max(7.0, 2.6 * width))]
    _lines(canvas, dashes, False, color, width)


def _lines(canvas: Canvas, fixed: list[NDArray[np.int32]], closed: bool, color: Color, width: float) -> None:
    cv2.polylines(canvas, fixed, closed, color, max(1, round(min(width, _MOST_LINE))), cv2.LINE_AA, _SUBPIXEL_BITS)


def _fixed(points: Points) -> NDArray[np.int32]:
    """OpenCV's fixed point numbers, in which the middle of a pixel is a whole number."""
    return np.asarray(np.rint((points - 0.5) * (1 << _SUBPIXEL_BITS)), np.int32)


def _dashes(points: Points, length: float) -> list[Points]:
    """Every other one of the parts, of about a length, that a line is cut into; the first and the last are in."""
    steps = np.hypot(*np.diff(points, axis=0).T)
    travelled = np.concatenate([[0.0], np.cumsum(steps)])
    whole = float(travelled[-1])
    count = 2 * max(1, round(whole / (2.0 * length))) + 1
    dashes: list[Points] = []
    for index in range(0, count, 2):
        begin, end = whole * index / count, whole * (index + 1) / count
        within = travelled[(travelled > begin) & (travelled < end)]
        stops = np.concatenate([[begin], within, [end]])
        dashes.append(np.stack([np.interp(stops, travelled, points[:, axis]) for axis in (0, 1)], axis=1))
    return dashes


def outline(
    canvas: Canvas, mask: NDArray[np.bool_], color: Color, width: float, *, inset: float, dashes: bool = False
) -> None:
    """A line along the inside of a mask's rim."""
    # A frame of nothing, so that the canvas's own edge counts as a rim.
    framed = np.pad(mask.astype(np.uint8), 1)
    depth = cv2.distanceTransform(framed, cv2.DIST_L2, 5)
    inner = (depth > inset).astype(np.uint8)
    contours, _ = cv2.findContours(inner, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    draw = dashed_line if dashes else line
    for contour in contours:
        if len(contour) > 8:
            # The frame moved all by one pixel; the mean of nine neighbours takes the steps of pixels away.
            around = np.pad(contour.reshape(-1, 2) - 0.5, ((4, 4), (0, 0)), mode="wrap")
            smooth = np.stack([np.convolve(around[:, axis], np.full(9, 1.0 / 9.0), "valid") for axis in (0, 1)], axis=1)
            draw(canvas, smooth, color, width, closed=True, casing=1.0)


def circle_points(center: Points, radius: float) -> Points:
    """A circle around (x, y) as a closed line."""
    angles = np.linspace(0.0, 2.0 * math.pi, 72, endpoint=False)
    return np.asarray(center.reshape(1, 2) + radius * np.stack([np.cos(angles), np.sin(angles)], axis=1), np.float64)


def ring(canvas: Canvas, center: Points, radius: float, color: Color, width: float, *, dashes: bool = False) -> None:
    """A circle with a white casing."""
    draw = dashed_line if dashes else line
    draw(canvas, circle_points(center, radius), color, width, closed=True, casing=max(1.0, 0.4 * width))


def cross(canvas: Canvas, center: Points, radius: float, color: Color, width: float) -> None:
    """An X with a white casing; ``radius`` from its middle to its ends."""
    reach = radius / math.sqrt(2.0)
    arms = [center.reshape(1, 2) + np.array([[-reach, -side * reach], [reach, side * reach]]) for side in (1.0, -1.0)]
    for color_of_pass, width_of_pass in ((PAPER, width + 2.0 * max(1.0, 0.4 * width)), (color, width)):
        for arm in arms:
            line(canvas, arm, color_of_pass, width_of_pass)


def disc(canvas: Canvas, center: Points, radius: float, color: Color) -> None:
    """A solid disc with a white rim."""
    fill(canvas, circle_points(center, radius + max(1.5, 0.3 * radius)), PAPER)
    fill(canvas, circle_points(center, radius), color)


def fill(canvas: Canvas, corners: Points, color: Color) -> None:
    """A solid polygon."""
    cv2.fillPoly(canvas, [_fixed(corners).reshape(-1, 1, 2)], color, cv2.LINE_AA, _SUBPIXEL_BITS)


def arrow_head(canvas: Canvas, tip: Points, direction: Points, size: float, color: Color) -> None:
    """A solid triangle with a white casing, pointing along a direction of any length."""
    ahead = direction.reshape(2) / max(float(np.hypot(*direction.reshape(2))), 1e-9)
    aside = np.array([-ahead[1], ahead[0]])
    back = tip.reshape(2) - size * ahead
    corners = np.stack([tip.reshape(2), back + 0.62 * size * aside, back - 0.62 * size * aside])
    line(canvas, corners, PAPER, max(3.0, 0.3 * size), closed=True)
    fill(canvas, corners, color)


def tag(canvas: Canvas, center: Points, text: str, color: Color, size: int) -> None:
    """White text on a coloured label, centred at (x, y) but kept whole on the canvas."""
    size = min(size, _MOST_LETTERS)
    font = font_of(size)
    pad = max(3, size // 4)
    width, height = math.ceil(font.getlength(text)) + 2 * pad, size + 2 * pad
    left, top = (
        round(float(value) - side / 2.0) for value, side in zip(center.reshape(2), (width, height), strict=True)
    )
    left = max(0, min(left, canvas.shape[1] - width))
    top = max(0, min(top, canvas.shape[0] - height))
    label = Image.new("RGB", (width, height), color)
    ImageDraw.Draw(label).text((width / 2.0, height / 2.0), text, PAPER, font, anchor="mm")
    window = canvas[top : top + height, left : left + width]
    window[:] = np.asarray(label)[: window.shape[0], : window.shape[1]]


@cache
def font_of(size: int) -> ImageFont.FreeTypeFont:
    """Pillow's own font; it has little beyond ASCII."""
    font = ImageFont.load_default(size=size)
    if isinstance(font, ImageFont.FreeTypeFont):
        return font
    raise RuntimeError("this Pillow was built without FreeType; overlays need it for text")
