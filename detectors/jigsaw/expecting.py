"""What a picture of the pieces as they were given would show: all of them in one light, in one change of colours.

What happens to the whole picture changes all pieces alike. So its colours, a fall of light across it, a curve of
brightness and how soft or sharp it is are told of all quarters together, by what explains most of their pixels; what
one piece shows beside that is its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from detectors.jigsaw.colors import common_tint
from detectors.jigsaw.comparing import grey_of, smoothed
from detectors.jigsaw.config import AssemblyConfig, ExpectingConfig, Floats
from detectors.jigsaw.placing import Placed

_LEVELS = 256  # not a threshold: of a byte
_WAYS = 3  # not a threshold: in which light may fall off
Doubles = NDArray[np.float64]


def expected(found: Sequence[Placed], config: AssemblyConfig) -> list[Floats]:
    """What each quarter would show, in the frame of its piece.

    Parameters
    ----------
    found : sequence of Placed
        Of all quarters.
    config : AssemblyConfig

    Returns
    -------
    list of (h, w, 3) float32
    """
    # What is like no piece tells nothing of what happened to pieces.
    told = [one for one in found if one.best.likeness >= config.expecting.alike] or list(found)
    shown = [one.aligned.astype(np.float32) for one in told]
    light = np.zeros(_WAYS)
    for _ in range(config.expecting.light_rounds):
        # Colours are told under even light, and light in the colours that were told.
        even = [picture / _gain(one, light)[..., None] for picture, one in zip(shown, told, strict=True)]
        tint = common_tint(list(zip(even, (one.piece for one in told), strict=True)), config)
        light = _light(told, [tint.of(one.piece) for one in told], config)
    pieces = [_clipped(tint.of(one.piece) * _gain(one, light)[..., None]) for one in found]
    curves = _curves(told, _of(told, found, pieces), config)
    pieces = [_curved(piece, curves) for piece in pieces]
    shares = _focus(told, _of(told, found, pieces), config)
    return [_focused(piece, shares, config.expecting) for piece in pieces]


def _of(told: Sequence[Placed], found: Sequence[Placed], pieces: Sequence[Floats]) -> list[Floats]:
    """Of all pieces those that tell."""
    return [piece for one, piece in zip(found, pieces, strict=True) if any(one is other for other in told)]


def _clipped(picture: Floats) -> Floats:
    return np.asarray(np.clip(picture, 0, _LEVELS - 1), np.float32)


def _inner(one: Placed, config: AssemblyConfig) -> tuple[slice, slice]:
    """Every so manieth pixel within the rim."""
    height, width = one.piece.shape[:2]
    down, across = round(config.rim * height), round(config.rim * width)
    step = config.expecting.step
    return slice(down, height - down, step), slice(across, width - across, step)


def _light(told: Sequence[Placed], pieces: Sequence[Floats], config: AssemblyConfig) -> Doubles:
    """How light falls off across the whole picture, and towards its corners."""
    own = config.expecting
    known, wanted = [], []
    for one, piece in zip(told, pieces, strict=True):
        part = _inner(one, config)
        grey = smoothed(grey_of(piece), own.light_px)
        known.append([(grey * field)[part].ravel() for field in _ways(one)])
        wanted.append((smoothed(grey_of(one.aligned), own.light_px) - grey)[part].ravel())
    light = _fitted(_columns(known), _joined(wanted), np.zeros(_WAYS), own.light_ridge, own)
    return np.asarray(np.clip(light, -own.most_light, own.most_light), np.float64)


def _gain(one: Placed, light: Doubles) -> Floats:
    """What that does to each pixel of a quarter."""
    fields = zip(light, _ways(one), strict=True)
    return np.asarray(1 + sum(np.float32(share) * field for share, field in fields), np.float32)


def _ways(one: Placed) -> list[Floats]:
    """How light may fall off: across, down, and from the middle of the whole picture, each 0 in the mean."""
    height, width = one.piece.shape[:2]
    row, column = divmod(one.quarter, 2)
    down = np.linspace(row - 1, row, height, dtype=np.float32)[:, None] + np.zeros((1, width), np.float32)
    across = np.linspace(column - 1, column, width, dtype=np.float32)[None] + np.zeros((height, 1), np.float32)
    far = across**2 + down**2
    return [across, down, far - np.float32(2 / 3)]  # not a threshold: the mean of both squares


@dataclass(frozen=True)
class _Curve:
    """Levels, and by how much what is shown is lighter there."""

    levels: tuple[float, ...]
    lighter: tuple[float, ...]


def _curves(told: Sequence[Placed], pieces: Sequence[Floats], config: AssemblyConfig) -> list[_Curve]:
    """One curve of brightness for each channel: medians of bins, joined by lines, within bounds."""
    parts = [_inner(one, config) for one in told]
    soft = [smoothed(piece, config.smooth_px)[part] for piece, part in zip(pieces, parts, strict=True)]
    shown = [smoothed(one.aligned, config.smooth_px)[part] for one, part in zip(told, parts, strict=True)]
    edges = np.linspace(0, _LEVELS, config.curve_bins + 1)
    curves = []
    for channel in range(3):
        levels = _joined([one[..., channel].ravel() for one in soft])
        off = _joined([one[..., channel].ravel() for one in shown]) - levels
        bins = np.minimum((levels / _LEVELS * config.curve_bins).astype(np.int64), config.curve_bins - 1)
        centres, values = [], []
        for number in range(config.curve_bins):
            inside = off[bins == number]
            if len(inside) >= config.curve_least * off.size:
                centres.append(float(edges[number] + edges[number + 1]) / 2)
                values.append(min(config.most_curve, max(-config.most_curve, float(np.median(inside)))))
        curves.append(_Curve(tuple(centres), tuple(values)))
    return curves


def _curved(piece: Floats, curves: Sequence[_Curve]) -> Floats:
    made = piece.copy()
    for channel, curve in enumerate(curves):
        if curve.levels:
            made[..., channel] += np.interp(made[..., channel], curve.levels, curve.lighter).astype(np.float32)
    return made


def _focus(told: Sequence[Placed], pieces: Sequence[Floats], config: AssemblyConfig) -> Doubles:
    """How soft or sharp the picture is: the shares of several blurs that explain it best."""
    own = config.expecting
    known, wanted = [], []
    for one, piece in zip(told, pieces, strict=True):
        part = _inner(one, config)
        grey, shown = grey_of(piece), grey_of(one.aligned)
        ground = smoothed(grey, own.ground_px)
        known.append([(blurred - ground)[part].ravel() for blurred in _blurs(grey, own)])
        wanted.append((shown - smoothed(shown, own.ground_px))[part].ravel())
    usual = np.eye(1 + len(own.blurs_px))[0]
    return _fitted(_columns(known), _joined(wanted), usual, own.focus_ridge, own)


def _focused(piece: Floats, shares: Doubles, config: ExpectingConfig) -> Floats:
    """A piece as soft or as sharp as that."""
    ground = smoothed(piece, config.ground_px)
    blurs = zip(shares, _blurs(piece, config), strict=True)
    return _clipped(ground + sum(np.float32(share) * (blurred - ground) for share, blurred in blurs))


def _blurs(picture: Floats, config: ExpectingConfig) -> list[Floats]:
    return [picture, *(smoothed(picture, deviation) for deviation in config.blurs_px)]


def _columns(known: Sequence[Sequence[Floats]]) -> list[Doubles]:
    return [_joined(column) for column in zip(*known, strict=True)]


def _joined(parts: Sequence[Floats]) -> Doubles:
    return np.concatenate(parts).astype(np.float64)


def _fitted(columns: list[Doubles], wanted: Doubles, usual: Doubles, ridge: float, config: ExpectingConfig) -> Doubles:
    """The shares of columns that explain most of what is wanted; without evidence they are the usual ones.

    Sums are NumPy's own, which do not depend on how many threads a machine has.
    """
    count = len(columns)
    shares = usual
    weight = np.ones_like(wanted)
    kept = ridge * len(wanted)
    for _ in range(config.rounds):
        left, right = np.zeros((count, count)), np.zeros(count)
        for row in range(count):
            weighted = weight * columns[row]
            right[row] = float((weighted * wanted).sum()) + kept * usual[row]
            for column in range(row, count):
                left[row, column] = left[column, row] = float((weighted * columns[column]).sum())
            left[row, row] += kept
        shares = np.asarray(np.linalg.solve(left, right), np.float64)
        off = np.abs(wanted - sum(share * column for share, column in zip(shares, columns, strict=True)))
        doubt = max(config.least_doubt, config.doubt * float(np.median(off)))
        weight = 1.0 / (1.0 + (off / doubt) ** 2)
    return shares
