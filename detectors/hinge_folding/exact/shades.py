"""Companions of pieces: shadows on the ground or on other pieces, bevels, gloss. They only darken or lighten.

A companion has no edge of its own, as gloss has none, or follows the edges of pieces: it fades away from them. On a
piece a sharp edge that is parallel to none of its sides is something drawn, however soft the light is that it lies in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.mixing import channel_sums
from detectors.common.shades import has_no_own_edge, window_around
from detectors.hinge_folding.exact.close import Owners
from detectors.hinge_folding.exact.config import PieceShadeConfig, SharpEdgeConfig
from detectors.hinge_folding.view import Field, Floats, changes, farthest

Flags = NDArray[np.bool_]
_WHITE = np.float32(255)  # not a threshold: the lightest that there is
_NOTHING = np.zeros(3, np.float32)


@dataclass(frozen=True, eq=False)
class ShadeView:
    """What shades are told by.

    Attributes
    ----------
    residual : (h, w, 3), what a picture has more than pieces and ground
    surfaces : (h, w, 3), these
    away : (h, w), how far from the nearest edge of a piece, in pixels
    told : (h, w) bool, where neither a piece's edge nor a disc is
    unit : pixels of a unit
    config : when something is a shade
    upon : what pieces are drawn on by; None if that is not asked
    """

    residual: Field
    surfaces: Field
    away: Field
    told: Flags
    unit: float
    config: PieceShadeConfig
    upon: SharpEdges | None = None

    def is_shade(self, part: Flags, corner: tuple[int, int], *, on_piece: bool = False) -> bool:
        """Whether what differs in a part, (h, w) bool with its first pixel at a corner (x, y), is a companion."""
        config = self.config
        edges = config.upon if on_piece else config.edges
        window, here, own = window_around(part, corner, self.told, edges)
        if on_piece and self.upon is not None and self.upon.lie_in(window, here, self.unit):
            return False
        values = np.asarray(cv2.blur(self.residual[window], (3, 3)), np.float32)  # not a threshold: neighbours
        surfaces = self.surfaces[window]
        if not here.any():
            return False
        darker = float(values[here].sum()) < 0
        axis = -surfaces if darker else _WHITE - surfaces
        length = np.maximum(channel_sums(axis * axis), np.float32(1))
        share = np.asarray(channel_sums(values * axis) / length, np.float32)
        beside = farthest(np.asarray(values - share[..., None] * axis, np.float32), _NOTHING)
        strength = farthest(np.asarray(values, np.float32), _NOTHING)
        foreign = beside > np.maximum(config.tinted, config.tint * strength)
        most = config.darkest if darker else config.lightest
        if np.count_nonzero(foreign & here) > config.foreign * np.count_nonzero(here) or share[here].max() > most:
            return False
        level = np.asarray((-share if darker else share) * np.sqrt(length), np.float32)
        far = self.away[window]
        told = own & (far <= config.reach * self.unit)
        beyond = here & ~told
        step = max(edges.step_px, config.step * self.unit)
        if has_no_own_edge(level, here, own, None, step, edges):
            return True
        return not beyond.any() and has_no_own_edge(level, here, told, far, step, edges)


@dataclass(frozen=True, eq=False)
class SharpEdges:
    """Sharp edges on pieces in other directions than their sides.

    A light changes as much beside its steepest places as at them, and an edge does not.

    Attributes
    ----------
    pixels : (h, w, 3)
    owner : (h, w), which piece is seen where
    told : (h, w) bool, where neither an edge of a piece nor a disc is
    outlines : the corners of each piece, in pixels
    config : what is sharp
    """

    pixels: Field
    owner: Owners
    told: Flags
    outlines: Sequence[Floats]
    config: SharpEdgeConfig

    def lie_in(self, window: tuple[slice, slice], part: Flags, unit: float) -> bool:
        """Whether a part of a window has them; ``unit`` is that of pieces, in pixels."""
        beside = cv2.dilate(part.view(np.uint8), np.ones((3, 3), np.uint8)) > 0
        return bool(np.count_nonzero(self.mask[window] & beside) > self.config.length * unit)

    @cached_property
    def mask(self) -> Flags:
        """Where they are, (h, w)."""
        config, change = self.config, changes(self.pixels)
        steep = np.hypot(change[..., 0], change[..., 1])
        found = np.zeros(self.owner.shape, bool)
        inner = cv2.erode(self.told.view(np.uint8), np.ones((3, 3), np.uint8)) > 0
        for number, corners in enumerate(self.outlines):
            at = np.flatnonzero(inner & (self.owner == number))
            if not at.size:
                continue
            sizes = steep.ravel()[at]
            at = at[sizes > max(config.steep, config.noisy * float(np.median(sizes)))]
            toward = change.reshape(-1, 2)[at] / steep.ravel()[at, None]
            sides = np.roll(corners, -1, axis=0) - corners
            normals = np.stack([sides[:, 1], -sides[:, 0]], axis=1) / np.hypot(sides[:, :1], sides[:, 1:])
            apart = np.abs(toward @ normals.T).max(axis=1) < np.cos(np.radians(config.apart_deg))
            at, toward = at[apart], toward[apart]
            if not at.size:
                continue
            rows, columns = np.divmod(at, self.owner.shape[1])
            beside = np.zeros(at.size, np.float32)
            for far in (-config.beside_px, config.beside_px):
                x, y = (
                    (place + far * by).astype(np.float32)[:, None]
                    for place, by in zip((columns, rows), toward.T, strict=True)
                )
                shown = cv2.remap(change, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
                beside = np.maximum(beside, (np.asarray(shown).reshape(-1, 2) * toward).sum(axis=1))
            found.ravel()[at[beside < config.narrow * steep.ravel()[at]]] = True
        # What is alone is noise.
        count = cv2.boxFilter(found.astype(np.float32), -1, (3, 3), normalize=False, borderType=cv2.BORDER_CONSTANT)
        return np.asarray(found & (count >= config.together), np.bool_)
