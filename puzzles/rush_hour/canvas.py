"""A lot as pixels: what stands still is drawn once, what moves is laid on it for every picture."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from puzzles.common.arrays import FloatArray
from puzzles.common.lettering import draw_text
from puzzles.common.raster import Color, Picture, cover_line, cover_polygon, new_coverage, paint
from puzzles.common.texture import lay_texture
from puzzles.rush_hour.contact import rectangle
from puzzles.rush_hour.lot import Exit, Lot, Pose, Side
from puzzles.rush_hour.style import LotStyle

_WHITE: Color = (255, 255, 255)


@dataclass(frozen=True)
class LotView:
    """Where a lot lies in a picture.

    Attributes
    ----------
    left, bottom
        The pixel place of the lot's lower left corner; y goes down in pictures.
    unit_px
        Pixels a unit of the lot.
    """

    left: float
    bottom: float
    unit_px: float

    def point(self, x: float, y: float) -> tuple[float, float]:
        """Return the pixel (x, y) of a place in the lot; pixel (column i, row j) has its middle at (i + .5, j + .5)."""
        return self.left + x * self.unit_px, self.bottom - y * self.unit_px


def lot_view(lot: Lot, style: LotStyle, size: tuple[int, int]) -> LotView:
    """Return where a lot lies in a picture of a size, (width, height) in pixels: in the middle, as large as its share.

    ValueError if a side is not positive.
    """
    width, height = size
    if width < 1 or height < 1:
        raise ValueError(f"a picture's sides must be positive, not {width} x {height}")
    unit = style.lot_share * min(width / lot.width, height / lot.height)
    return LotView((width - lot.width * unit) / 2, (height + lot.height * unit) / 2, unit)


@dataclass(frozen=True)
class Sprite:
    """A vehicle as it is drawn, which need not be as it is.

    Attributes
    ----------
    pose
        Of its middle; ``theta`` is the direction of its length in radians.
    length, width
        In units of the lot.
    color
        RGB.
    label
        On the disc; empty for no disc.
    heading
        Direction of the arrow against that of the length: 0, or pi where FORWARD goes the other way.
    opacity, label_opacity
        From 0 to 1: of the whole, and of disc, arrow and letter on it.
    """

    pose: Pose
    length: float
    width: float
    color: Color
    label: str
    heading: float = 0.0
    opacity: float = 1.0
    label_opacity: float = 1.0


class LotCanvas:
    """Draws pictures of one lot in one style and size.

    Parameters
    ----------
    lot
        The lot; of its vehicles only the rails are drawn here.
    style
        The look.
    size
        (width, height) in pixels.
    exits
        Where the exits are drawn; ``None`` for the lot's own.

    Raises
    ------
    ValueError
        If a side of the picture is not positive.
    """

    def __init__(self, lot: Lot, style: LotStyle, size: tuple[int, int], exits: Sequence[Exit] | None = None) -> None:
        self._lot = lot
        self._style = style
        self.view = lot_view(lot, style, size)
        picture = np.full((size[1], size[0], 3), style.margin, np.uint8)
        self._polygon(picture, _corners(0, 0, lot.width, lot.height), style.floor)
        if style.texture is not None:
            lay_texture(picture, style.texture, self.view.unit_px)
        if style.rails:
            self._draw_rails(picture)
        self._draw_border(picture)
        for opening in lot.exits if exits is None else exits:
            self._polygon(picture, _bar(opening, lot, style), style.exit)
        for body in lot.obstacles:
            self._polygon(picture, body.outline(), style.obstacle)
        # The picture before any sprite, then after each one of the last call: most of them stand still in a clip.
        self._layers: list[tuple[Sprite | None, Picture]] = [(None, picture)]

    def draw(self, sprites: Sequence[Sprite]) -> Picture:
        """Return a new picture (H, W, 3) uint8 RGB with sprites on the lot, the last one on top."""
        kept = 1
        while kept < len(self._layers) and kept <= len(sprites) and self._layers[kept][0] == sprites[kept - 1]:
            kept += 1
        del self._layers[kept:]
        for sprite in sprites[kept - 1 :]:
            picture = self._layers[-1][1].copy()
            self._draw_sprite(picture, sprite)
            self._layers.append((sprite, picture))
        return self._layers[-1][1].copy()

    def _draw_sprite(self, picture: Picture, sprite: Sprite) -> None:
        if sprite.opacity >= 1:
            self._draw_opaque(picture, sprite)
        elif sprite.opacity > 0:
            layer = picture.copy()
            self._draw_opaque(layer, sprite)
            mixed = picture * (1 - sprite.opacity) + layer * sprite.opacity
            picture[:] = np.rint(mixed).astype(np.uint8)

    def _draw_opaque(self, picture: Picture, sprite: Sprite) -> None:
        pose, style = sprite.pose, self._style
        edge = style.outline_width
        if edge:
            outer = rectangle(pose.x, pose.y, pose.theta, sprite.length, sprite.width)
            self._polygon(picture, outer, _mixed(sprite.color, (0, 0, 0), style.outline_darkness))
        inner = rectangle(pose.x, pose.y, pose.theta, sprite.length - 2 * edge, sprite.width - 2 * edge)
        self._polygon(picture, inner, sprite.color)
        if sprite.label and sprite.label_opacity > 0:
            self._draw_label(picture, sprite)

    def _draw_label(self, picture: Picture, sprite: Sprite) -> None:
        style, pose = self._style, sprite.pose
        radius = min(style.disc_radius, 0.45 * sprite.width)
        dark = _mixed(sprite.color, (0, 0, 0), style.disc_darkness)
        ahead = pose.theta + sprite.heading
        cos, sin = math.cos(ahead), math.sin(ahead)
        # Coordinates along the arrow and across it, in radii, from the disc's middle.
        arrow = [(along * radius, across * radius) for along, across in ((0.6, -0.7), (1.6, 0.0), (0.6, 0.7))]
        tip = [(pose.x + a * cos - b * sin, pose.y + a * sin + b * cos) for a, b in arrow]
        self._polygon(picture, tip, dark, sprite.label_opacity)
        centre = self.view.point(pose.x, pose.y)
        self._line(picture, [centre], 2 * radius * self.view.unit_px, dark, sprite.label_opacity)
        height = style.letter_share * 2 * radius * self.view.unit_px
        draw_text(picture, sprite.label, centre, height, _WHITE, style.font, sprite.label_opacity)

    def _draw_border(self, picture: Picture) -> None:
        lot, style = self._lot, self._style
        out = style.border_width * (1.0 if style.border_outside else 0.5)
        inside = style.border_width - out
        wide, high = lot.width, lot.height
        for bar in (
            (-out, -out, wide + out, inside),
            (-out, high - inside, wide + out, high + out),
            (-out, -out, inside, high + out),
            (wide - inside, -out, wide + out, high + out),
        ):
            self._polygon(picture, _corners(*bar), style.border)

    def _draw_rails(self, picture: Picture) -> None:
        lot, style = self._lot, self._style
        for vehicle in lot.vehicles:
            if not vehicle.movable:
                continue
            ends = _chord(lot, vehicle.pose)
            length = math.dist(*ends)
            color = _mixed(style.color_of(vehicle.color), style.floor, 1 - style.rail_strength)
            step = style.dash + style.dash_gap
            for number in range(math.ceil(length / step)):
                begin, end = number * step, min(length, number * step + style.dash)
                dash = [self.view.point(*_between(*ends, at / length)) for at in (begin, end)]
                self._line(picture, dash, max(1.0, style.rail_width * self.view.unit_px), color)

    def _polygon(
        self, picture: Picture, corners: Sequence[tuple[float, float]], color: Color, opacity: float = 1.0
    ) -> None:
        """Paint a convex polygon whose corners, in the lot, go counter-clockwise."""
        # Reversed, because coverage asks for clockwise ones.
        points = np.array([self.view.point(*corner) for corner in reversed(corners)])
        window = _window(picture, points, 1.0)
        if window is not None:
            part, origin = window
            coverage = new_coverage(*part.shape[:2])
            cover_polygon(coverage, points - origin)
            paint(part, coverage, color, opacity)

    def _line(
        self,
        picture: Picture,
        points: Sequence[tuple[float, float]],
        width_px: float,
        color: Color,
        opacity: float = 1.0,
    ) -> None:
        places = np.array(points)
        window = _window(picture, places, width_px / 2 + 1)
        if window is not None:
            part, origin = window
            coverage = new_coverage(*part.shape[:2])
            cover_line(coverage, places - origin, width_px)
            paint(part, coverage, color, opacity)


def _window(picture: Picture, points: FloatArray, margin: float) -> tuple[Picture, FloatArray] | None:
    """Return the part of a picture that a shape near the points can touch, as a view, and its first pixel's corner."""
    height, width = picture.shape[:2]
    left, top = (max(0, math.floor(v - margin)) for v in points.min(axis=0))
    right, bottom = points.max(axis=0) + margin
    part = picture[top : min(height, math.ceil(bottom)), left : min(width, math.ceil(right))]
    return (part, np.array([left, top], np.float64)) if part.size else None


def _corners(left: float, low: float, right: float, high: float) -> list[tuple[float, float]]:
    return [(left, low), (right, low), (right, high), (left, high)]


def _bar(opening: Exit, lot: Lot, style: LotStyle) -> list[tuple[float, float]]:
    """Return the corners of an exit's bar, which lies across the border."""
    start, end = opening.start - style.exit_overhang, opening.end + style.exit_overhang
    half = style.exit_width / 2
    if opening.side in (Side.LEFT, Side.RIGHT):
        x = 0.0 if opening.side is Side.LEFT else lot.width
        return _corners(x - half, start, x + half, end)
    y = 0.0 if opening.side is Side.BOTTOM else lot.height
    return _corners(start, y - half, end, y + half)


def _chord(lot: Lot, pose: Pose) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return where the line through a pose, along its angle, enters and leaves the lot."""
    cos, sin = math.cos(pose.theta), math.sin(pose.theta)
    enters, leaves = -math.inf, math.inf
    for at, speed, end in ((pose.x, cos, lot.width), (pose.y, sin, lot.height)):
        # Along a side to rounding: that pair of sides bounds nothing.
        if abs(speed) > 1e-9:
            enters = max(enters, min(-at / speed, (end - at) / speed))
            leaves = min(leaves, max(-at / speed, (end - at) / speed))
    return (pose.x + enters * cos, pose.y + enters * sin), (pose.x + leaves * cos, pose.y + leaves * sin)


def _between(start: tuple[float, float], end: tuple[float, float], share: float) -> tuple[float, float]:
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def _mixed(color: Color, other: Color, share: float) -> Color:
    """Return a colour with a share of another one."""
    red, green, blue = (round(a * (1 - share) + b * share) for a, b in zip(color, other, strict=True))
    return red, green, blue
