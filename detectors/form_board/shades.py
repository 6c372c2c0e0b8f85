"""Shades: of a piece that is lit from one side, or glossy; of a shadow beside a silhouette; of a page that curls.

A shade only darkens or lightens. It has no edge of its own, or fades away from the silhouette, along its outline.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.quantiles import quantile
from detectors.common.residual.ground import fit_ground
from detectors.common.residual.mixing import channel_sums
from detectors.form_board.config import ShadeConfig
from detectors.form_board.shapes import Mask

Lab = NDArray[np.float32]
_SLOPE = 1 / 32  # not a threshold: it makes Scharr's sum a slope
_LEVELS = np.float32(255)  # not a threshold: the range of a channel


def lit_surface(lab: Lab, at: NDArray[np.intp], config: ShadeConfig) -> Lab | None:
    """The colour of a piece that is unevenly lit, (h, w, 3) like ``lab``; None where it is even, or otherwise uneven.

    Parameters
    ----------
    lab : (h, w, 3) float32
        In the colours of `seen`.
    at : ndarray of int
        Flat positions of pixels of the piece, away from its rim.
    config : ShadeConfig
    """
    if not at.size:
        return None
    ground = fit_ground(lab, at, config.surface)
    own = ground.surface.reshape(-1, 3).take(at, axis=0)
    if not config.uneven <= float(np.ptp(own[:, 0])) <= config.most:
        return None
    off = np.asarray(own - ground.color, np.float32)
    # Towards black or white its hue gets weaker, and is no other one.
    white = np.array([1, 0, 0], np.float32)  # not a threshold: in the colours of `seen`
    axis = np.asarray(np.where(off[:, :1] > 0, white - ground.color, -ground.color), np.float32)
    share = channel_sums(off * axis) / np.maximum(channel_sums(axis * axis), config.tinted)
    across = np.asarray(off - share[:, None] * axis, np.float32)
    beside, size = (np.sqrt(channel_sums(one * one)) for one in (across, off))
    return ground.surface if bool((beside <= config.tinted + config.tint * size).all()) else None


def levels_of(picture: NDArray[np.uint8], at: NDArray[np.intp], config: ShadeConfig) -> Lab:
    """The same of an RGB picture, 0 to 255, where it is known to be unevenly lit."""
    return np.asarray(
        fit_ground(picture.astype(np.float32) / _LEVELS, at, config.surface).surface * _LEVELS, np.float32
    )


def is_shade(lab: Lab, paper: Lab, part: Mask, told: Mask, away: Lab | None, config: ShadeConfig) -> bool:
    """Whether a part of the paper is but shaded.

    Parameters
    ----------
    lab : (h, w, 3) float32
        In the colours of `seen`.
    paper : (h, w, 3) or (3,) float32
        The paper's colours.
    part : (h, w) bool
    told : (h, w) bool
        Where nothing else is drawn.
    away : (h, w) float32, or None
        How far from the silhouette, of which the part may be the shadow; None for no such thing.
    config : ShadeConfig
    """
    left, top, wide, high = cv2.boundingRect(part.view(np.uint8))
    pad = config.pad_px
    window = (slice(max(0, top - pad), top + high + pad), slice(max(0, left - pad), left + wide + pad))
    values = lab[window] - (paper if paper.ndim == 1 else paper[window])
    mask = part[window].view(np.uint8)
    own = (cv2.dilate(mask, np.ones((2 * pad - 1,) * 2, np.uint8)) > 0) & told[window]
    here = (mask > 0) & own
    if not here.any():
        return False
    light = np.asarray(cv2.blur(values[..., 0], (3, 3)), np.float32)  # not a threshold: neighbours
    strength = float(np.abs(light[here]).max())
    hue = np.hypot(values[..., 1], values[..., 2])
    if strength > config.strongest or quantile(hue[here], config.usual) > config.tinted + config.tint * strength:
        return False
    across, down = (np.asarray(cv2.Scharr(light, cv2.CV_32F, dx, 1 - dx, scale=_SLOPE)) for dx in (1, 0))
    steep = np.hypot(across, down)
    inner = cv2.erode(own.view(np.uint8), np.ones((3, 3), np.uint8)) > 0
    edges = inner & (steep * config.step_px > config.hard * strength)
    if np.count_nonzero(edges) <= config.smooth * np.count_nonzero(here):
        return True
    if away is None:
        return False
    far = away[window]
    outward = [np.asarray(cv2.Scharr(far, cv2.CV_32F, dx, 1 - dx, scale=_SLOPE)) for dx in (1, 0)]
    # Darker ones grow lighter farther out.
    fading = (across * outward[0] + down * outward[1]) * (1.0 if float(light[here].sum()) < 0 else -1.0)
    along = edges & (fading >= config.along * steep)
    return float(steep[along].sum()) >= config.follows * float(steep[edges].sum())
