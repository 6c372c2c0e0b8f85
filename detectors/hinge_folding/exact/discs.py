"""How large the discs at the hinges are in the picture that was given."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from detectors.hinge_folding.exact.config import ExactConfig
from detectors.hinge_folding.fits import joint_of
from detectors.hinge_folding.view import ChainView, Floats, farthest
from puzzles.hinge_folding.chain import FULL_TURN, HingeShape, outline_of


def disc_radius(
    view: ChainView, shapes: Sequence[HingeShape], poses: Floats, colors: Sequence[Floats], config: ExactConfig
) -> float:
    """The radius of the largest disc at a hinge, in units; 0 where there is none.

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
    return largest
