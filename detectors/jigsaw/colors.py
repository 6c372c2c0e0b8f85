"""How the colours of all pieces of an assembly were changed together, and what one piece shows beside that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.jigsaw.pieces import AssemblyConfig, Floats, Pixels


@dataclass(frozen=True, eq=False)
class Tint:
    """A change of colours: (4, 3), of red, green, blue and one to what is shown. Saturation and a cast are such."""

    matrix: NDArray[np.float64]

    def of(self, piece: Pixels) -> Floats:
        """A piece in changed colours."""
        flat = piece.reshape(-1, 3).astype(np.float64)
        made = sum(flat[:, place, None] * self.matrix[place] for place in range(3)) + self.matrix[3]
        return np.asarray(np.clip(made, 0, np.iinfo(np.uint8).max), np.float32).reshape(piece.shape)


NO_TINT = Tint(np.vstack([np.eye(3), np.zeros((1, 3))]))


def common_tint(pairs: Sequence[tuple[Pixels, Pixels]], config: AssemblyConfig) -> Tint:
    """The change of colours that explains most pixels of all quarters.

    Parameters
    ----------
    pairs : sequence of (shown, piece)
        Of each quarter, both (H, W, 3) uint8 RGB of one size.
    config : AssemblyConfig

    Returns
    -------
    Tint
        None, where the change that is found is larger than a whole picture's may be.
    """
    step = config.tint_step
    shown, pieces = (
        np.concatenate([cv2.blur(pair[which], (step, step))[::step, ::step].reshape(-1, 3) for pair in pairs])
        for which in (0, 1)
    )
    known = np.column_stack([pieces.astype(np.float64), np.ones(len(pieces))])
    wanted = shown.astype(np.float64)
    matrix = NO_TINT.matrix
    for _ in range(config.tint_rounds):
        off = np.abs(wanted - _product(known, matrix)).max(axis=1)
        weight = 1.0 / (1.0 + (off / config.tint_doubt) ** 2)
        weighted = known * weight[:, None]
        # Not to be changed without evidence.
        ridge = np.diag([config.tint_ridge * len(known)] * 3 + [0.0])
        left = (weighted[:, :, None] * known[:, None, :]).sum(axis=0) + ridge
        right = (weighted[:, :, None] * wanted[:, None, :]).sum(axis=0) + _product(ridge, NO_TINT.matrix)
        matrix = np.linalg.solve(left, right)
    change = np.abs(matrix - NO_TINT.matrix)
    small = change[:3].max() <= config.most_tint and change[3].max() <= config.most_offset
    return Tint(matrix) if small else NO_TINT


def _product(rows: NDArray[np.float64], matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray((rows[:, :, None] * matrix[None]).sum(axis=1), np.float64)


def beside_tint(shown: Pixels, tinted: Floats, config: AssemblyConfig) -> tuple[float, float]:
    """By how much a piece is lighter or darker than all together say, and how far its finest structure is off."""
    height, width = tinted.shape[:2]
    across, down = round(config.rim * width), round(config.rim * height)
    inner = np.s_[down : height - down, across : width - across]
    off = shown[inner].astype(np.float32) - tinted[inner]
    shift = float(np.abs(np.median(off.reshape(-1, 3), axis=0)).max())
    fine = off - cv2.GaussianBlur(off, (0, 0), config.rough_px)
    return shift, float(np.sqrt((fine**2).mean()))
