"""The numbers that the public AMAZE code computes, faults included, for comparison with published tables.

Known faults that are kept: blue is a fixed range of OpenCV hues that leaves out light and greenish blues; a cell counts
as visited by a 3 x 3 blob of colour anywhere in it; violation is divided by all background cells. Not kept: its reading
of cell ids byte by byte, which is wrong from the 256th cell on.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

# OpenCV's 8-bit HSV: hue in steps of two degrees.
_LOWEST_BLUE = np.array([100, 50, 50], np.uint8)
_HIGHEST_BLUE = np.array([130, 255, 255], np.uint8)
_BLOB = np.ones((3, 3), np.uint8)


@dataclass(frozen=True)
class AmazeCodeScores:
    """Coverage and violation (0 to 1), squared errors summed over three channels (0 to 3), and their combinations."""

    coverage: float
    violation: float
    mse_in: float | None
    mse_out: float | None

    @property
    def passed(self) -> float:
        """max(0, coverage - violation)."""
        return max(0.0, self.coverage - self.violation)

    @property
    def average(self) -> float | None:
        """max(0, coverage - violation - mse_in - mse_out), the public code's "avg"."""
        if self.mse_in is None or self.mse_out is None:
            return None
        return max(0.0, self.coverage - self.violation - self.mse_in - self.mse_out)


def amaze_code_scores(
    candidate: NDArray[np.uint8],
    solution: NDArray[np.uint8],
    mask: NDArray[np.bool_],
    cell_map: NDArray[np.int32],
    path_cell_ids: tuple[int, ...],
) -> AmazeCodeScores:
    """Measures a candidate as the public code does.

    Parameters
    ----------
    candidate : ndarray of shape (h, w, 3), uint8 RGB
        As decoded: neither aligned nor resized.
    solution : ndarray of shape (H, W, 3), uint8 RGB
    mask : ndarray of shape (H, W), bool
        Goal cells.
    cell_map : ndarray of shape (H, W), int32
        Cell ids as published; 0 outside.
    path_cell_ids : tuple of int
        The goal cells.
    """
    resized = fit_as_public(candidate, cell_map.shape)
    blue = cv2.inRange(cv2.cvtColor(resized, cv2.COLOR_RGB2HSV), _LOWEST_BLUE, _HIGHEST_BLUE) > 0
    goal = set(path_cell_ids)
    inside = _visited(blue & mask, cell_map)
    outside = _visited(blue & ~mask, cell_map)
    background = set(np.unique(cell_map).tolist()) - goal - {0}
    mse_in, mse_out = summed_mse(resized, solution, mask)
    return AmazeCodeScores(
        coverage=len(inside & goal) / len(goal),
        violation=len(outside - goal) / len(background) if background else 0.0,
        mse_in=mse_in,
        mse_out=mse_out,
    )


def fit_as_public(candidate: NDArray[np.uint8], shape: tuple[int, ...]) -> NDArray[np.uint8]:
    """Stretches a candidate to (H, W) with OpenCV's bicubic interpolation, as the public code does."""
    if candidate.shape[:2] == tuple(shape[:2]):
        return candidate
    return np.asarray(cv2.resize(candidate, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC), np.uint8)


def summed_mse(
    candidate: NDArray[np.uint8], solution: NDArray[np.uint8], mask: NDArray[np.bool_]
) -> tuple[float | None, float | None]:
    """Squared error on [0, 1], summed over channels, averaged over a mask and over the rest; None over no pixel."""
    difference = (candidate.astype(np.float64) - solution.astype(np.float64)) / 255.0
    red, green, blue = (difference[..., channel] ** 2 for channel in range(3))
    squared = red + green + blue
    inside = float(squared[mask].mean()) if mask.any() else None
    outside = float(squared[~mask].mean()) if not mask.all() else None
    return inside, outside


def _visited(blue: NDArray[np.bool_], cell_map: NDArray[np.int32]) -> set[int]:
    opened = cv2.dilate(cv2.erode(blue.astype(np.uint8), _BLOB), _BLOB) > 0
    return set(np.unique(cell_map[opened]).tolist()) - {0}


class MetricSet(enum.Enum):
    """Whose definition the metrics follow: the paper's, or that of its public code, faults included."""

    SEED = "seed"
    AMAZE_CODE = "amaze_code"
