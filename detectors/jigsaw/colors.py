"""How the colours of all pieces of an assembly were changed together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.jigsaw.config import AssemblyConfig, Floats, Pixels


@dataclass(frozen=True, eq=False)
class Tint:
    """A change of colours: (4, 3), of red, green, blue and one to what is shown. Saturation and a cast are such."""

    matrix: NDArray[np.float64]

    def of(self, piece: Pixels) -> Floats:
        """A piece in changed colours."""
        shares = np.ascontiguousarray(self.matrix.T, np.float32)
        made = cv2.transform(piece.astype(np.float32), shares)
        return np.asarray(np.clip(made, 0, np.iinfo(np.uint8).max), np.float32)


NO_TINT = Tint(np.vstack([np.eye(3), np.zeros((1, 3))]))


def common_tint(pairs: Sequence[tuple[Pixels | Floats, Pixels]], config: AssemblyConfig) -> Tint:
    """The change of colours that explains most pixels of all quarters.

    Parameters
    ----------
    pairs : sequence of (shown, piece)
        Of each quarter, both (H, W, 3) RGB of one size.
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
    known = [*(np.ascontiguousarray(pieces[:, place], np.float64) for place in range(3)), np.ones(len(pieces))]
    wanted = [np.ascontiguousarray(shown[:, place], np.float64) for place in range(3)]
    matrix = NO_TINT.matrix
    # Not to be changed without evidence.
    ridge = np.diag([config.tint_ridge * len(pieces)] * 3 + [0.0])
    for _ in range(config.tint_rounds):
        off = np.zeros(len(pieces))
        for channel, level in enumerate(wanted):
            made = sum(column * share for column, share in zip(known, matrix[:, channel], strict=True))
            np.maximum(off, np.abs(level - made), out=off)
        weight = 1.0 / (1.0 + (off / config.tint_doubt) ** 2)
        weighted = [column * weight for column in known]
        left = np.array([[float((one * other).sum()) for other in known] for one in weighted]) + ridge
        right = np.array([[float((one * level).sum()) for level in wanted] for one in weighted])
        # Where nothing is changed, each colour is itself.
        right += ridge[:, :3]
        matrix = np.linalg.solve(left, right)
    change = np.abs(matrix - NO_TINT.matrix)
    small = change[:3].max() <= config.most_tint and change[3].max() <= config.most_offset
    return Tint(matrix) if small else NO_TINT
