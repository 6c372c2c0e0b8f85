"""Whether what lies at hinges is a disc with a letter, of one kind at all of them."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.hinge_folding.exact.config import HingeDiscConfig
from detectors.hinge_folding.view import Field, Floats, farthest

Disc = tuple[float, float, float]


def foreign_at_hinges(
    pixels: Field,
    residual: Field,
    clear: NDArray[np.bool_],
    discs: Sequence[Disc],
    contrast: Floats | None,
    ground: Floats,
    ink: Floats | None,
    config: HingeDiscConfig,
) -> tuple[Disc, ...]:
    """Hinges, (x, y, radius) in pixels, at which something is drawn that is neither a piece, a line, nor a disc.

    Parameters
    ----------
    pixels, residual : (h, w, 3)
        The picture, and what is left of it without its pieces.
    clear : (h, w)
        What is not at an edge.
    discs : sequence of (x, y, radius)
    contrast : (3,) or None
        The colour of discs less the ground's, as they were given; None where none were.
    ground : (3,)
        Its colour.
    ink : (3,) or None
        That of outlines; None where there are none.
    config : HingeDiscConfig
    """
    height, width = pixels.shape[:2]
    row, column = np.ogrid[:height, :width]
    parts, masks = [], []
    for x, y, radius in discs:
        # All that can be within the disc.
        part = (
            slice(max(0, int(y - radius)), max(0, int(y + radius) + 2)),
            slice(max(0, int(x - radius)), max(0, int(x + radius) + 2)),
        )
        parts.append(part)
        masks.append(np.hypot(column[:, part[1]] + 0.5 - x, row[part[0]] + 0.5 - y) <= radius)
    strange = [
        mask & clear[part] & (farthest(residual[part], np.zeros(3)) > config.off)
        for part, mask in zip(parts, masks, strict=True)
    ]
    shown_there = [pixels[part][at] for part, at in zip(parts, strange, strict=True)]
    if contrast is not None:
        shown_there = [one[_as_given(one - ground, contrast, config)] for one in shown_there]
    disc = _disc(shown_there, [int(mask.sum()) for mask in masks], config)
    found = _unlike(pixels, parts, strange, [mask & clear[part] for part, mask in zip(parts, masks, strict=True)],
                    discs, disc, config)  # fmt: skip
    for part, mask, at, place in zip(parts, masks, strange, discs, strict=True):
        if place in found or not at.any():
            continue
        shown, left = pixels[part][at], residual[part][at]
        surface = shown - left
        off = np.full(len(shown), np.inf)
        pairs: list[tuple[NDArray[np.floating], NDArray[np.floating]]] = []
        for color in (disc, ink):
            if color is not None:
                line = np.broadcast_to(color, shown.shape)
                pairs += [(surface, line), (np.broadcast_to(ground, shown.shape), line)]
        if disc is not None:
            pairs.append((np.broadcast_to(np.full(3, 255.0), shown.shape), np.broadcast_to(disc, shown.shape)))
            pairs.append((np.zeros_like(shown), np.broadcast_to(disc, shown.shape)))
        for start, end in pairs:
            axis = end - start
            length = np.maximum((axis * axis).sum(axis=1), 1)
            share = np.clip(((shown - start) * axis).sum(axis=1) / length, 0, config.most)
            off = np.minimum(off, np.abs(shown - start - share[:, None] * axis).max(axis=1))
        other = np.zeros(at.shape, np.uint8)
        other[at] = off > config.off
        count, _, stats, _ = cv2.connectedComponentsWithStats(other, connectivity=8)  # not a threshold: with diagonals
        least = max(config.least_px, config.least * float((mask & clear[part]).sum()))
        if count > 1 and float(stats[1:, cv2.CC_STAT_AREA].max()) > least:
            found.append(place)
    return tuple(found)


def _unlike(
    pixels: Field, parts: Sequence[tuple[slice, slice]], strange: Sequence[NDArray[np.bool_]],
    looked_at: Sequence[NDArray[np.bool_]], discs: Sequence[Disc], disc: Floats | None, config: HingeDiscConfig,
) -> list[Disc]:  # fmt: skip
    """Hinges at which much is drawn, and much less of it in the colour of discs than is usual of those."""
    if disc is None:
        return []
    shares = {}
    for place, part, at, mask in zip(discs, parts, strange, looked_at, strict=True):
        if np.count_nonzero(at) > config.much * np.count_nonzero(mask):
            shares[place] = float((np.abs(pixels[part][at] - disc).max(axis=1) <= config.off).mean())
    usual = float(np.median(list(shares.values()))) if shares else 0.0
    return [place for place, share in shares.items() if share < config.alike * usual]


def _as_given(contrasts: Floats, given: Floats, config: HingeDiscConfig) -> NDArray[np.bool_]:
    """Which colours less the ground's, (n, 3), are as a given one, in whatever light."""
    strength = np.clip(contrasts @ given / max(1.0, float(given @ given)), config.weakest, config.most)
    return np.asarray(np.abs(contrasts - strength[:, None] * given).max(axis=1, initial=0.0) <= config.off, np.bool_)


def _disc(strange: Sequence[Field], areas: Sequence[int], config: HingeDiscConfig) -> Floats | None:
    """The colour of discs, if at least half of the hinges have it, by pixels that are no piece's."""
    every = np.concatenate(strange)
    if not len(every):
        return None
    color = np.median(every, axis=0)
    there = [
        float((np.abs(pixels - color).max(axis=1) <= config.off).sum()) > config.filled * area
        for pixels, area in zip(strange, areas, strict=True)
    ]
    return np.asarray(color, np.float64) if 2 * sum(there) >= len(there) else None
