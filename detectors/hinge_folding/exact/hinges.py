"""Whether what lies at hinges is a disc with a letter, of one kind at all of them."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.hinge_folding.exact.config import HingeDiscConfig
from detectors.hinge_folding.view import Field, Floats

Disc = tuple[float, float, float]


def foreign_at_hinges(
    pixels: Field,
    residual: Field,
    clear: NDArray[np.bool_],
    discs: Sequence[Disc],
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
    ground : (3,)
        Its colour.
    ink : (3,) or None
        That of outlines; None where there are none.
    config : HingeDiscConfig
    """
    masks = []
    for x, y, radius in discs:
        mask = np.zeros(pixels.shape[:2], np.uint8)
        cv2.circle(mask, (round(x), round(y)), round(radius), 1, -1)
        masks.append(mask > 0)
    strange = clear & (np.abs(residual).max(axis=2) > config.off)
    own = [np.median(pixels[mask & strange], axis=0) for mask in masks
           if (mask & strange).sum() > config.filled * mask.sum()]  # fmt: skip
    disc = np.median(own, axis=0) if 2 * len(own) > len(masks) else None
    found = []
    for mask, place in zip(masks, discs, strict=True):
        at = mask & strange
        if not at.any():
            continue
        shown, left = pixels[at], residual[at]
        surface = shown - left
        off = np.full(len(shown), np.inf)
        pairs: list[tuple[Field, Field]] = []
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
        other = np.zeros(pixels.shape[:2], np.uint8)
        other[at] = off > config.off
        count, _, stats, _ = cv2.connectedComponentsWithStats(other, connectivity=8)  # not a threshold: with diagonals
        if count > 1 and float(stats[1:, cv2.CC_STAT_AREA].max()) > config.least * float(mask.sum()):
            found.append(place)
    return tuple(found)
