"""How large the discs at the hinges are in the picture that was given, and of what colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from detectors.hinge_folding.exact.config import ExactConfig
from detectors.hinge_folding.fits import joint_of
from detectors.hinge_folding.view import ChainView, Floats, Pixels, farthest, frequent_color
from puzzles.hinge_folding.chain import FULL_TURN, HingeShape, outline_of


@dataclass(frozen=True, eq=False)
class GivenDisc:
    """The discs at hinges as they were given.

    Attributes
    ----------
    radius : of the largest, in units; 0 where there is none
    contrast : (3,), their colour less the ground's; None where there is none
    """

    radius: float = 0.0
    contrast: Floats | None = None


def given_disc(
    view: ChainView,
    picture: Pixels,
    shapes: Sequence[HingeShape],
    poses: Floats,
    colors: Sequence[Floats],
    config: ExactConfig,
) -> GivenDisc:
    """Looks at the discs of a picture that was given, (H, W, 3) uint8 RGB, and of which this is the view.

    ``poses`` and ``colors`` are those of the pieces in the view.
    """
    turns = np.arange(32) * FULL_TURN / 32  # not a threshold: enough to tell most of a ring
    radii = np.arange(config.ring_step, config.ring_most, config.ring_step)
    ring = np.stack([np.cos(turns), np.sin(turns)], axis=-1)
    height, width = view.paint.shape
    largest = 0.0
    for number in range(len(shapes) - 1):
        joint = joint_of(poses[number], outline_of(shapes[number]).right, view.unit_px)
        at = joint + radii[:, None, None] * view.unit_px * ring
        columns = np.clip(np.floor(at[..., 0]).astype(np.intp), 0, width - 1)
        rows = np.clip(np.floor(at[..., 1]).astype(np.intp), 0, height - 1)
        shown = view.pixels[rows, columns]
        off = np.min([farthest(shown, color) for color in (view.ground, colors[number], colors[number + 1])], axis=0)
        other = (off > config.ring_off).mean(axis=1) > config.ring
        if other.any():
            largest = max(largest, float(radii[other].max()))
    return GivenDisc(largest, _contrast(view, picture, shapes, poses, colors, largest, config) if largest else None)


def _contrast(
    view: ChainView,
    picture: Pixels,
    shapes: Sequence[HingeShape],
    poses: Floats,
    colors: Sequence[Floats],
    radius: float,
    config: ExactConfig,
) -> Floats | None:
    """The commonest colour within discs that is no piece's and not the ground's, less the ground's: at full size."""
    unit = view.unit_px / np.array(view.scale)
    height, width = picture.shape[:2]
    row, column = np.mgrid[:height, :width]
    strange = []
    for number in range(len(shapes) - 1):
        x, y = joint_of(poses[number], outline_of(shapes[number]).right, view.unit_px) / view.scale
        there = np.hypot((column + 0.5 - x) / unit[0], (row + 0.5 - y) / unit[1]) <= radius
        shown = picture[there].astype(np.float32)
        off = np.min([farthest(shown, color) for color in (view.ground, colors[number], colors[number + 1])], axis=0)
        strange.append(shown[off > config.ring_off])
    every = np.concatenate(strange)
    if not len(every):
        return None
    return np.asarray(frequent_color(every, config.disc_bins) - view.ground, np.float64)
