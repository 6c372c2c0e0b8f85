"""Light and shade that lie on pieces themselves: gloss, bevels, inner shadows. Taken off, pieces have one colour again.

It is believed where it only darkens or lightens, has no edge but those of pieces, and lies on most of them.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.mixing import channel_sums
from detectors.hinge_folding.exact.close import CloseView, Owners
from detectors.hinge_folding.exact.config import PieceLightConfig, PieceShadeConfig
from detectors.hinge_folding.exact.shades import ShadeView, SharpEdges
from detectors.hinge_folding.view import Field, Floats, farthest

Disc = tuple[float, float, float]
Flags = NDArray[np.bool_]
_NOTHING = np.zeros(3, np.float32)


def light_on_pieces(
    close: CloseView,
    owner: Owners,
    colors: Floats,
    outlines: Sequence[Floats],
    line: float,
    discs: Sequence[Disc],
    config: PieceLightConfig,
    companions: PieceShadeConfig,
) -> Field | None:
    """By how much pieces are lighter or darker than their colours, (h, w, 3); None where most of them are neither.

    Parameters
    ----------
    close : CloseView
    owner : (h, w)
        Which piece is seen where; the largest number is the ground's.
    colors : (N + 1, 3)
        Of the pieces, and last of the ground.
    outlines : sequence of (K, 2)
        The corners of each piece, in pixels.
    line : float
        Width of the outlines of pieces, in units.
    discs : sequence of (x, y, radius)
        Hinges, in pixels, where other things lie.
    config : PieceLightConfig
    companions : PieceShadeConfig
        What is a companion of a piece.
    """
    edge = np.zeros(owner.shape, np.uint8)
    edge[:, 1:] |= owner[:, 1:] != owner[:, :-1]
    edge[1:] |= owner[1:] != owner[:-1]
    away = np.asarray(cv2.distanceTransform(1 - edge, cv2.DIST_L2, 3), np.float32)
    row, column = np.ogrid[: owner.shape[0], : owner.shape[1]]
    told = away > config.edge_px + line / 2 * close.unit
    for x, y, radius in discs:
        told &= np.hypot(column + 0.5 - x, row + 0.5 - y) > radius  # not a threshold: the middle of a pixel
    surfaces = np.asarray(colors, np.float32)[owner]
    upon = SharpEdges(close.pixels, owner, told, outlines, companions.sharp)
    shades = ShadeView(close.pixels - surfaces, surfaces, away, told, close.unit, companions, upon)
    light = np.zeros_like(close.pixels)
    pieces, lit = 0, 0
    for number in range(len(outlines)):
        mine = owner == number
        if np.count_nonzero(mine & told) < config.least * close.unit**2:
            continue
        pieces += 1
        left, top, width, height = cv2.boundingRect(mine.view(np.uint8))
        box = (slice(top, top + height), slice(left, left + width))
        own = _light_on(shades, mine, box, config)
        if own is not None:
            lit += 1
            light[box][mine[box]] = own[mine[box]]
    return light if lit and lit >= config.most * pieces else None


def without_light(pixels: Field, owner: Owners, colors: Floats, light: Field) -> Field:
    """Pixels without the light on pieces; what is drawn on these in a colour of its own stays as it is."""
    lit = light.any(axis=2)
    at = np.flatnonzero(lit)
    own, off = pixels.reshape(-1, 3).take(at, axis=0), light.reshape(-1, 3).take(at, axis=0)
    surface = np.asarray(colors, np.float32)[owner.ravel()[at]]
    nearer = farthest(own - off, surface) < farthest(own, surface)
    evened = pixels.copy()
    evened.reshape(-1, 3)[at] = np.where(nearer[:, None], own - off, own)
    return evened


def _light_on(shades: ShadeView, mine: Flags, box: tuple[slice, slice], config: PieceLightConfig) -> Field | None:
    """The light on one piece, in its box; None where there is none that is believed."""
    known, residual = mine[box] & shades.told[box], shades.residual[box]
    smooth = np.asarray(cv2.blur(residual, (3, 3)), np.float32)  # not a threshold: neighbours
    strength, darker = farthest(smooth, _NOTHING), channel_sums(smooth) < 0
    believed = np.zeros(known.shape, bool)
    for side in (darker, ~darker):
        seen = (known & side & (strength > config.visible)).view(np.uint8)
        count, labels, stats, _ = cv2.connectedComponentsWithStats(seen)
        for label in range(1, count):
            left, top, width, height, area = (int(value) for value in stats[label])
            window = (slice(top, top + height), slice(left, left + width))
            part = labels[window] == label
            corner = (box[1].start + left, box[0].start + top)
            if area >= config.part * shades.unit**2 and shades.is_shade(part, corner, on_piece=True):
                believed[window] |= part
    if not believed.any():
        return None
    # What is hardly darker or lighter belongs to it as well, or it would have an edge.
    plain = known & (believed | (strength <= config.visible))
    _, nearest = cv2.distanceTransformWithLabels(
        1 - plain.view(np.uint8), cv2.DIST_L2, 3, labelType=cv2.DIST_LABEL_PIXEL
    )
    value_of = np.zeros((int(nearest.max()) + 1, 3), np.float32)
    value_of[nearest[plain]] = residual[plain]
    soft = max(config.soft_px, config.soft * shades.unit)
    return np.asarray(cv2.GaussianBlur(value_of[nearest], (0, 0), soft), np.float32)
