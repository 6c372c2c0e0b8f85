"""Whether the colours of pieces tell them apart, as those that were given do."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.hinge_folding.config import ChainScanConfig, ChainViewConfig
from detectors.hinge_folding.exact.discs import GivenDisc
from detectors.hinge_folding.plan import ChainPlan, edge_zone
from detectors.hinge_folding.view import ChainView, Floats


@dataclass(frozen=True, eq=False)
class GivenLook:
    """What was given, beside the pieces' shapes.

    Attributes
    ----------
    contrasts : of each piece its colour less the ground's, (N, 3)
    picture : (H, W, 3) uint8, with its unit and the first piece's centre in pixels
    unit_px, x_px, y_px : likewise
    reach : how far from the first piece's centre the chain can reach, in units
    disc : the discs at its hinges
    """

    contrasts: Floats
    picture: NDArray[np.uint8]
    unit_px: float
    x_px: float
    y_px: float
    reach: float
    disc: GivenDisc = field(default_factory=GivenDisc)


def one_color(colors: Sequence[Floats], given: GivenLook, config: ChainScanConfig) -> bool:
    """Whether all pieces are of one colour, where those given were not."""
    if len(colors) < 2 or _spread(given.contrasts) < config.given_pair:
        return False
    return _spread(np.array(colors)) < config.least_pair


def _spread(colors: Floats) -> float:
    """The largest difference of two colours."""
    return float(np.abs(colors[:, None] - colors[None]).max())


def merged_pairs(
    view: ChainView,
    plan: ChainPlan,
    corners: Sequence[Floats],
    colors: Sequence[Floats],
    given: GivenLook,
    config: ChainScanConfig,
    seen: ChainViewConfig,
    unit: float,
) -> tuple[tuple[int, int], ...]:
    """Pairs that touch, were given in different colours, and have one colour now, with no line between them."""
    pairs = []
    placed, size = [one - plan.origin for one in corners], plan.covers.shape
    near = np.ones((2 * max(1, round(config.zone * unit)) + 1,) * 2, np.uint8)
    for one, other in itertools.combinations(range(len(colors)), 2):
        if float(np.abs(colors[one] - colors[other]).max()) >= config.least_pair:
            continue
        if float(np.abs(given.contrasts[one] - given.contrasts[other]).max()) < config.given_pair:
            continue
        line = (edge_zone([placed[one]], size, 1) > 0) & plan.masks[other]
        line |= (edge_zone([placed[other]], size, 1) > 0) & plan.masks[one]
        if np.count_nonzero(line) < 2 * config.zone * unit:
            continue
        strength = np.hypot(view.change[plan.box][..., 0], view.change[plan.box][..., 1])
        edge = cv2.dilate(strength / (strength + seen.edge_half), near)
        if float(edge[line].mean()) < config.line:
            pairs.append((one, other))
    return tuple(pairs)


def faint_pieces(contrasts: Sequence[Floats], given: GivenLook, config: ChainScanConfig) -> tuple[int, ...]:
    """Pieces of their own hue that are fainter than the others, by their colours less the ground's."""
    shown, wanted = np.array(contrasts), given.contrasts
    sizes, goals = np.linalg.norm(shown, axis=1), np.linalg.norm(wanted, axis=1)
    own = (shown * wanted).sum(axis=1) >= config.faint_hue * sizes * goals
    if 2 * own.sum() <= len(own):
        return ()  # in other colours nothing is fainter than it should be
    # A picture may be less colourful, or less bright, as a whole; the other pieces tell.
    light, goal_light = (np.repeat(values.mean(axis=1, keepdims=True), 3, axis=1) for values in (shown, wanted))
    strengths, parts = [], []
    for one, goal in ((light, goal_light), (shown - light, wanted - goal_light)):
        length = np.linalg.norm(goal, axis=1)
        strength = np.linalg.norm(one, axis=1) / np.maximum(1e-9, length)
        strengths.append(np.where(own & (length > config.faint_part * goals), strength, 0.0))
        parts.append(goal)
    faint = []
    for at in np.flatnonzero(own):
        others = np.arange(len(own)) != at
        lights, hues = (float(strength[others].max()) for strength in strengths)
        usual = np.linalg.norm((lights or hues) * parts[0][at] + (hues or lights) * parts[1][at])
        if sizes[at] < config.faint * usual:
            faint.append(int(at))
    return tuple(faint)
