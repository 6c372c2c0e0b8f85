"""Whether a candidate shows its puzzle a second time, beside the place where it was found: panels, other answers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grader.alignment.align import find_by_structure
from grader.alignment.search import Probe
from grader.alignment.template import Template
from grader.media.pyramid import Pyramid


@dataclass(frozen=True)
class AgainConfig:
    """When a puzzle is shown a second time beside the place where it was found.

    Attributes
    ----------
    least : strips beside the place that are narrower than this share of its shorter side have no room for another
    looked_at_px : a candidate is halved until its longest side is at most this
    rim_px : so many pixels of each strip, next to the place, are not looked at
    varied : least standard deviation of a channel, 0 to 255, of a strip that shows anything
    alike : agreement (-1 to 1) above which something is the puzzle again...
    small, small_alike : ...and what is smaller than this share of the place, either way, has to agree by more, for
        words agree as well with a maze that is as small
    """

    least: float = 0.2
    looked_at_px: int = 720
    rim_px: int = 3
    varied: float = 8.0
    alike: float = 0.5
    small: float = 0.4
    small_alike: float = 0.68


def shown_again(candidate: Pyramid, outline: NDArray[np.float64], template: Template, config: AgainConfig) -> bool:
    """Whether the puzzle stands in a candidate once more, at any size, with whatever answer on it.

    Parameters
    ----------
    candidate : Pyramid
        Of a picture of shape (H, W, 3), uint8 RGB.
    outline : ndarray of shape (4, 2)
        The corners (x, y) of the place where the template's picture was found; pixel (0, 0) covers 0 to 1.
    template : Template
        Of the puzzle, without margins of its own.
    config : AgainConfig
    """
    height, width = candidate.picture.shape[:2]
    factor = 1
    while max(width, height) / factor > config.looked_at_px:
        factor *= 2
    least = config.least * float(np.linalg.norm(outline[1:3] - outline[:2], axis=1).min()) / factor
    small = candidate.reduced(factor)
    left, top = np.floor(outline.min(axis=0) / factor).astype(np.int64) - config.rim_px
    right, bottom = np.ceil(outline.max(axis=0) / factor).astype(np.int64) + config.rim_px
    for strip in (small[:, : max(0, left)], small[: max(0, top)], small[:, right:], small[bottom:]):
        if min(strip.shape[:2]) < least or strip.std(axis=(0, 1), dtype=np.float64).max() < config.varied:
            continue
        alone = Pyramid(np.ascontiguousarray(strip))
        probe = Probe(alone, template, template.config)
        place = find_by_structure(alone, probe, config.alike)
        if place is None:
            continue
        sides = template.size[0] / abs(place[0, 0]), template.size[1] / abs(place[1, 1])
        small = min(sides[0] / (right - left), sides[1] / (bottom - top)) < config.small
        if not small or probe.agreement(place) > config.small_alike:
            return True
    return False
