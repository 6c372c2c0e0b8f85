"""The shade that a whole chain casts on the ground: its silhouette, moved, softened, and only darker or lighter.

What a picture has of it is found by trying offsets and softnesses, and then taken off the ground, so that neither the
outlines of pieces nor what is left beside them are read from a shade.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.mixing import channel_sums
from detectors.hinge_folding.exact.close import SUBPIXEL, CloseView, Owners
from detectors.hinge_folding.exact.config import CastConfig
from detectors.hinge_folding.view import Field, Floats

Disc = tuple[float, float, float]
_SHARP_PX = 0.3  # not a threshold: softened by less nothing changes
_Place = tuple[float, float, float]
"""To the right, down, and how soft, in units."""
_TINY = 1e-9  # not a threshold: nothing is divided by nothing


@dataclass(frozen=True, eq=False)
class CastShade:
    """A silhouette's shade on the ground.

    Attributes
    ----------
    right, down : by how much it is moved, in units
    soft : standard deviation of what softens it, in units
    strength : its share of the way to black, or to white
    ground : (3,), the colour of the ground where it does not reach
    lighter : whether it leads to white
    explained : the share that it explains of how the ground differs from an even light
    """

    right: float
    down: float
    soft: float
    strength: float
    ground: Floats
    lighter: bool = False
    explained: float = 0.0

    def over(self, shape: Field, unit: float) -> Field:
        """What share of it reaches each pixel, for a silhouette, (h, w), with so many pixels of a unit."""
        return _cast(shape, (self.right, self.down, self.soft), unit)


def find_cast(
    close: CloseView, owner: Owners, ground: Floats, line: float, discs: Sequence[Disc], config: CastConfig
) -> CastShade | None:
    """The shade that pieces cast on the ground; None where most of what is darker or lighter is none.

    Parameters
    ----------
    close : CloseView
    owner : (h, w)
        Which piece is seen where; the largest number is the ground's.
    ground : (3,)
        Its usual colour.
    line : float
        Width of outlines, in units.
    discs : sequence of (x, y, radius)
        Hinges, in pixels, where other things may be.
    config : CastConfig
    """
    on_ground = owner == owner.max()
    away = cv2.distanceTransform(on_ground.astype(np.uint8), cv2.DIST_L2, 3)
    told = (away > config.edge_px + (line / 2 + config.edge) * close.unit) & ~_at_discs(discs, owner.shape)
    factor = min(1.0, config.unit_px / close.unit)
    size = (max(2, round(owner.shape[1] * factor)), max(2, round(owner.shape[0] * factor)))
    shape = (~on_ground).astype(np.float32)
    for lighter in (False, True):
        share, beside = _shares(close.pixels, ground, lighter)
        seen = (told & (beside < config.foreign)).astype(np.float32)
        small = [np.asarray(cv2.resize(one, size, interpolation=cv2.INTER_AREA), np.float32)
                 for one in (share * seen, seen, shape)]  # fmt: skip
        # Of a place that is seen in part it is not known how much of the shade is seen.
        rough = _ground_of(small[0], small[1] > config.seen, small[2], close.unit * size[0] / owner.shape[1], config)
        found = None if rough is None else _coarsely(rough, config)
        if found is None:
            continue
        fine = _ground_of(share, seen > 0, shape, close.unit, config)
        if fine is None:
            continue
        at, strength, base, explained = _finely(fine, found, config)
        if explained < config.explained or strength > config.strongest or at[2] < config.softest:
            continue
        return CastShade(*at, strength, ground + base * (_goal(lighter) - ground), lighter, explained)
    return None


def without_cast(
    close: CloseView,
    owner: Owners,
    colors: Floats,
    shade: CastShade,
    zone_px: float,
    discs: Sequence[Disc],
    *,
    lined: bool,
) -> Field:
    """The pixels of a view, (h, w, 3), with the shade taken off its ground.

    Parameters
    ----------
    close : CloseView
    owner : (h, w)
        Which piece is seen where.
    colors : (N + 1, 3)
        Of the pieces, and last of the ground.
    shade : CastShade
    zone_px : float
        So near to an edge a pixel may be a mixture of a piece and of the ground.
    discs : sequence of (x, y, radius)
        Hinges, in pixels, where it is left as it is.
    lined : bool
        Whether pieces have outlines, which then are all that lies there.
    """
    on_ground = owner == len(colors) - 1
    ground = shade.ground.astype(np.float32)
    by = np.float32(shade.strength) * shade.over((~on_ground).astype(np.float32), close.unit)
    lack = by[..., None] * (ground - np.float32(_goal(shade.lighter)))
    away, nearest = cv2.distanceTransformWithLabels(
        on_ground.astype(np.uint8), cv2.DIST_L2, 3, labelType=cv2.DIST_LABEL_PIXEL
    )
    inwards = cv2.distanceTransform((~on_ground).astype(np.uint8), cv2.DIST_L2, 3)
    zone = np.where(on_ground, away, inwards) <= zone_px
    bare = (on_ground & ~zone).astype(np.float32)
    if not lined and not on_ground.all():
        owner_of = np.zeros(int(nearest.max()) + 1, np.int16)
        owner_of[nearest[~on_ground]] = owner[~on_ground]
        at = np.flatnonzero(zone)
        own = colors.astype(np.float32)[owner_of[nearest.ravel()[at]]]
        shaded = np.asarray(ground - lack.reshape(-1, 3)[at], np.float32)
        axis = shaded - own
        length = np.maximum(channel_sums(axis * axis), np.float32(1))
        share = channel_sums((close.pixels.reshape(-1, 3)[at] - own) * axis) / length
        bare.ravel()[at] = np.clip(share, 0, 1)
    bare[_at_discs(discs, owner.shape)] = 0
    return np.asarray(close.pixels + bare[..., None] * lack, np.float32)


def _at_discs(discs: Sequence[Disc], shape: tuple[int, ...]) -> NDArray[np.bool_]:
    mask = np.zeros(shape, np.uint8)
    for x, y, radius in discs:
        # not a threshold: the middle of the first pixel lies at a half
        centre = (round((x - 0.5) * 2**SUBPIXEL), round((y - 0.5) * 2**SUBPIXEL))
        cv2.circle(mask, centre, round((radius + 0.5) * 2**SUBPIXEL), 1, cv2.FILLED, cv2.LINE_8, SUBPIXEL)
    return mask > 0


def _goal(lighter: bool) -> float:
    return 255.0 if lighter else 0.0  # not a threshold: white, or black


def _shares(pixels: Field, ground: Floats, lighter: bool) -> tuple[Field, Field]:
    """How far pixels are from the ground's colour to black or to white, as a share, and how far beside that."""
    color = ground.astype(np.float32)
    axis = np.float32(_goal(lighter)) - color
    off = pixels - color
    share = np.asarray(channel_sums(off * axis) / np.float32(max(1.0, float((axis * axis).sum()))), np.float32)
    return share, np.asarray(np.abs(off - share[..., None] * axis).max(axis=2), np.float32)


def _cast(shape: Field, at: _Place, unit: float) -> Field:
    """A silhouette, (h, w), moved and softened."""
    by = np.array([[1, 0, at[0] * unit], [0, 1, at[1] * unit]])
    moved = np.asarray(cv2.warpAffine(shape, by, (shape.shape[1], shape.shape[0])), np.float32)
    return np.asarray(cv2.GaussianBlur(moved, (0, 0), max(_SHARP_PX, at[2] * unit)), np.float32)


@dataclass(frozen=True, eq=False)
class _Ground:
    """What is seen of the ground, to be held against what a silhouette casts.

    ``at`` are flat positions, ``shown`` how dark it is there, ``lights`` orthonormal columns that span light which
    changes slowly, ``left`` what these do not explain of it, and ``whole`` the sum of its squares.
    """

    shape: Field
    unit: float
    at: NDArray[np.intp]
    shown: NDArray[np.float32]
    lights: NDArray[np.float32]
    left: NDArray[np.float32]
    whole: float

    def cast(self, at: _Place) -> NDArray[np.float32]:
        """What is cast there."""
        return np.asarray(_cast(self.shape, at, self.unit).ravel().take(self.at), np.float32)

    def without_light(self, values: NDArray[np.float32]) -> NDArray[np.float32]:
        """What of it is no slow change."""
        return np.asarray(values - self.lights @ (self.lights.T @ values), np.float32)

    def gain(self, at: _Place) -> float:
        """How much of the sum of squares a shade explains."""
        cast = self.without_light(self.cast(at))
        along = float(self.left @ cast)
        return along * along / max(_TINY, float(cast @ cast)) if along > 0 else 0.0


def _ground_of(share: Field, seen: NDArray[np.bool_], shape: Field, unit: float, config: CastConfig) -> _Ground | None:
    """What is seen of the ground; None where it is evenly lit."""
    at = np.flatnonzero(seen)
    at = at[:: max(1, at.size // config.samples)]
    if at.size < config.fewest:
        return None
    y, x = np.divmod(at, shape.shape[1])
    x, y = x / shape.shape[1] - 0.5, y / shape.shape[0] - 0.5  # not a threshold: about the middle
    terms = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1)
    lights = np.asarray(np.linalg.qr(terms)[0], np.float32)
    shown = share.ravel().take(at)
    left = np.asarray(shown - lights @ (lights.T @ shown), np.float32)
    whole = float(left @ left)
    if whole < config.least**2 * at.size:
        return None
    return _Ground(shape, unit, at, shown, lights, left, whole)


def _coarsely(ground: _Ground, config: CastConfig) -> _Place | None:
    """The best offset and softness of those that are tried; None where it explains little."""
    steps = np.arange(-config.far, config.far + _TINY, config.step)
    places = [(float(x), float(y), soft) for soft in config.softs for x in steps for y in steps
              if x * x + y * y <= config.far**2]  # fmt: skip
    gains = [ground.gain(at) for at in places]
    best = int(np.argmax(gains))
    return places[best] if gains[best] >= config.explained / 2 * ground.whole else None


def _finely(ground: _Ground, at: _Place, config: CastConfig) -> tuple[_Place, float, float, float]:
    """Offset and softness, strength, what is the same everywhere, and the share that is explained."""
    by = config.tried
    for _ in range(config.steps):
        cast = ground.without_light(ground.cast(at))
        strength = max(_TINY, float(ground.left @ cast) / max(_TINY, float(cast @ cast)))
        moved = [(at[0] + by, at[1], at[2]), (at[0], at[1] + by, at[2]), (at[0], at[1], at[2] + by)]
        slopes = [ground.without_light(ground.cast(one)) - cast for one in moved]
        columns = np.stack([cast, *(np.float32(strength / by) * slope for slope in slopes)], axis=1).astype(np.float64)
        known = columns.T @ columns
        fitted = np.linalg.solve(known + _TINY * np.trace(known) * np.eye(len(known)), columns.T @ ground.left)
        step = np.clip(fitted[1:], -config.step, config.step)
        at = (float(at[0] + step[0]), float(at[1] + step[1]), max(config.softest / 2, float(at[2] + step[2])))
    full = ground.cast(at)
    cast = ground.without_light(full)
    strength = float(ground.left @ cast) / max(_TINY, float(cast @ cast))
    return at, strength, float((ground.shown - strength * full).mean()), ground.gain(at) / ground.whole
