"""Shades that belong to shapes: they have no edge of their own, or fade away from what casts them."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Field = NDArray[np.float32]
Flags = NDArray[np.bool_]
_SLOPE = 1 / 32  # not a threshold: it makes Scharr's sum a slope


@dataclass(frozen=True)
class ShadeEdgeConfig:
    """When what is darker or lighter is a shade.

    Attributes
    ----------
    pad_px : it is looked at with so many pixels around it
    step_px, hard : it has an edge where it changes by this share of its strongest over so many pixels...
    smooth : ...and none if that is so at fewer pixels than this share of those around it
    along : an edge belongs to what casts the shade if this share of its slope leads away from that...
    follows : ...and it is a shade if this share of its slopes do
    """

    pad_px: int = 5
    step_px: float = 2.2
    hard: float = 0.4
    smooth: float = 0.3
    along: float = 0.7
    follows: float = 0.65


def window_around(
    part: Flags, corner: tuple[int, int], told: Flags, config: ShadeEdgeConfig
) -> tuple[tuple[slice, slice], Flags, Flags]:
    """Where a part is looked at, which pixels there are its own, and which of these and around it can be told.

    Parameters
    ----------
    part : (h, w) bool
        With its first pixel at a corner (x, y).
    corner : (int, int)
    told : (H, W) bool
        Of the whole picture.
    config : ShadeEdgeConfig
    """
    (left, top), pad = corner, config.pad_px
    rows = slice(max(0, top - pad), min(told.shape[0], top + part.shape[0] + pad))
    columns = slice(max(0, left - pad), min(told.shape[1], left + part.shape[1] + pad))
    mask = np.zeros((rows.stop - rows.start, columns.stop - columns.start), np.uint8)
    y, x = top - rows.start, left - columns.start
    mask[y : y + part.shape[0], x : x + part.shape[1]] = part
    own = (cv2.dilate(mask, np.ones((2 * pad - 1,) * 2, np.uint8)) > 0) & told[rows, columns]
    return (rows, columns), np.asarray((mask > 0) & own, np.bool_), np.asarray(own, np.bool_)


def has_no_own_edge(
    level: Field, here: Flags, own: Flags, away: Field | None, step_px: float, config: ShadeEdgeConfig
) -> bool:
    """Whether what is darker or lighter is a shade.

    Parameters
    ----------
    level : (h, w) float32
        By how much, less than 0 where it is darker.
    here, own : (h, w) bool
        Its pixels, and those that can be told, with some around it.
    away : (h, w) float32, or None
        How far from what may cast it; infinite where that is too far; None if nothing may.
    step_px : float
        Edges are told over so many pixels.
    config : ShadeEdgeConfig
    """
    across, down = (np.asarray(cv2.Scharr(level, cv2.CV_32F, dx, 1 - dx, scale=_SLOPE)) for dx in (1, 0))
    steep = np.hypot(across, down)
    inner = cv2.erode(own.view(np.uint8), np.ones((3, 3), np.uint8)) > 0
    edges = inner & (steep * step_px > config.hard * float(np.abs(level[here]).max()))
    around = cv2.dilate(here.view(np.uint8), np.ones((3, 3), np.uint8)) > 0
    if np.count_nonzero(edges) <= config.smooth * np.count_nonzero(around & ~here):
        return True
    if away is None:
        return False
    outward = [np.asarray(cv2.Scharr(away, cv2.CV_32F, dx, 1 - dx, scale=_SLOPE)) for dx in (1, 0)]
    # Farther out a dark one grows lighter.
    sign = 1.0 if float(level[here].sum()) < 0 else -1.0
    fading = sign * (across * outward[0] + down * outward[1])
    along = edges & (fading >= config.along * steep)
    return float(steep[along].sum()) >= config.follows * float(steep[edges].sum())
