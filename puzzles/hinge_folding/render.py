"""Pictures of chains: the question, the silhouette, both side by side, and any state of the hinges.

All pictures of a chain have the same frame, whatever its hinges do: the first piece is in the middle, and all that the
chain can reach lies within. So the frame tells nothing of the answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely

from puzzles.common.lettering import draw_text
from puzzles.common.raster import Color, Picture, cover_line, cover_polygon, new_coverage, paint
from puzzles.common.texture import lay_texture
from puzzles.hinge_folding.chain import Floats, HingeShape, folded, outline_of, reach_of, silhouette
from puzzles.hinge_folding.style import HingeStyle

_CORNER = 0.1  # by how much corners may reach beyond the joints


@dataclass(frozen=True)
class ChainFrame:
    """Where a chain is in a picture: pixels of a unit, and the centre of the first piece in pixels, y down."""

    unit_px: float
    x_px: float
    y_px: float

    def at(self, points: Floats) -> Floats:
        """Points of the chain, (N, 2) with y up, in pixels."""
        return np.asarray(points) * (self.unit_px, -self.unit_px) + (self.x_px, self.y_px)


def frame_of(shapes: Sequence[HingeShape], size: tuple[int, int], margin: float) -> ChainFrame:
    """The frame of a chain's pictures.

    Parameters
    ----------
    shapes : sequence of HingeShape
    size : (int, int)
        Width and height of the picture in pixels.
    margin : float
        In units.
    """
    width, height = size
    return ChainFrame(min(width, height) / 2 / (reach_of(shapes) + _CORNER + margin), width / 2, height / 2)


def joints_of(shapes: Sequence[HingeShape], angles: Sequence[float]) -> Floats:
    """Where the hinges are, (N, 2) with y up: the right joint of each piece but the last."""
    places, turn = [], 0.0
    joint = np.array([outline_of(shapes[0]).left, 0.0])
    for number, shape in enumerate(shapes[:-1]):
        turn += angles[number - 1] if number else 0.0
        piece = outline_of(shape)
        joint = joint + (piece.right - piece.left) * np.array([np.cos(turn), np.sin(turn)])
        places.append(joint)
    return np.array(places).reshape(-1, 2)


def render_chain(
    shapes: Sequence[HingeShape],
    angles: Sequence[float],
    colors: Sequence[str],
    style: HingeStyle,
    size: tuple[int, int],
) -> Picture:
    """Returns a picture of a chain, (H, W, 3) uint8 RGB; the same arguments give the same bytes.

    Parameters
    ----------
    shapes : sequence of HingeShape
    angles : sequence of float
        Of each hinge, in radians.
    colors : sequence of str
        Of each piece, such as ``#E85D75``.
    style : HingeStyle
    size : (int, int)
        Width and height in pixels.
    """
    frame = frame_of(shapes, size, style.margin)
    picture = _ground(style, size, frame)
    draw_pieces(picture, [frame.at(one) for one in folded(shapes, angles)], colors, style, frame.unit_px)
    draw_hinges(picture, frame.at(joints_of(shapes, angles)), style, frame.unit_px)
    return picture


def draw_pieces(
    picture: Picture, pieces: Sequence[Floats], colors: Sequence[str], style: HingeStyle, unit_px: float
) -> None:
    """Draws pieces by their corners in pixels, counter-clockwise as seen, in place."""
    placed = list(zip(pieces, colors, strict=True))
    width = style.outline_width * unit_px
    for corners, color in placed if style.last_on_top else placed[::-1]:
        part, corners = _part(picture, corners, width)
        coverage = new_coverage(*part.shape[:2])
        cover_polygon(coverage, corners[::-1])
        paint(part, coverage, rgb(color))
        if width > 0:
            line = new_coverage(*part.shape[:2])
            cover_line(line, np.vstack([corners, corners[:1]]), width)
            paint(part, line, style.outline)


def _part(picture: Picture, points: Floats, width: float) -> tuple[Picture, Floats]:
    """The part of a picture that a shape of some points can touch, as a view, and the points in it."""
    low = np.maximum(np.floor(points.min(axis=0) - width - 2), 0).astype(int)
    high = np.ceil(points.max(axis=0) + width + 2).astype(int)
    return picture[low[1] : max(low[1], high[1]), low[0] : max(low[0], high[0])], points - low


def draw_hinges(picture: Picture, joints: Floats, style: HingeStyle, unit_px: float) -> None:
    """Draws discs with the letters of the hinges at places in pixels, in place."""
    for number, joint in enumerate(joints):
        if style.disc_radius > 0:
            width = 2 * style.disc_radius * unit_px
            part, points = _part(picture, joint[None], width)
            disc = new_coverage(*part.shape[:2])
            cover_line(disc, points, width)
            paint(part, disc, style.disc)
        if style.letter_height > 0:
            place = (float(joint[0]), float(joint[1]))
            draw_text(picture, chr(ord("A") + number), place, style.letter_height * unit_px, style.letter, style.font)


def render_target(
    shapes: Sequence[HingeShape], angles: Sequence[float], style: HingeStyle, size: tuple[int, int]
) -> Picture:
    """Returns a picture of a silhouette in the frame of its chain; parameters as of `render_chain`."""
    frame = frame_of(shapes, size, style.margin)
    picture = _ground(style, size, frame)
    coverage = new_coverage(size[1], size[0])
    for corners in folded(shapes, angles):
        cover_polygon(coverage, frame.at(corners)[::-1], add=True)
    paint(picture, coverage, style.target)
    if style.target_line_width > 0:
        line = new_coverage(size[1], size[0])
        # Pieces that touch to rounding get no line between them.
        merged = shapely.set_precision(silhouette(tuple(shapes), tuple(angles)), 1e-6)
        for ring in shapely.get_parts(shapely.boundary(merged)):
            cover_line(line, frame.at(shapely.get_coordinates(ring)), style.target_line_width * frame.unit_px)
        paint(picture, line, style.target_line)
    return picture


def beside(left: Picture, right: Picture) -> Picture:
    """Two pictures of one size side by side: the question as it is asked, the chain left and the silhouette right."""
    return np.ascontiguousarray(np.hstack([left, right]))


def rgb(color: str) -> Color:
    """A colour such as ``#E85D75`` as numbers."""
    red, green, blue = bytes.fromhex(color.removeprefix("#"))
    return red, green, blue


def _ground(style: HingeStyle, size: tuple[int, int], frame: ChainFrame) -> Picture:
    picture = np.empty((size[1], size[0], 3), np.uint8)
    picture[:] = style.ground
    if style.texture is not None:
        lay_texture(picture, style.texture, frame.unit_px)
    return picture
