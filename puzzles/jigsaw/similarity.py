"""How alike pieces are: by colours and gradients, or by what a caller gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from puzzles.jigsaw.rules import Pixels, brightness

Distances = Callable[[Pixels, Sequence[Pixels]], Sequence[float]]
"""How far each of some pieces is from one; all are of one size. Smaller is more alike."""

_COLOUR_SQUARES: Final = 4
_SIDE: Final = 32
_GRADIENT_SQUARES: Final = 4
_DIRECTIONS: Final = 8


@dataclass(frozen=True)
class PieceSimilarity:
    """What finds hard distractors.

    Attributes
    ----------
    name : what it is called in records
    rerank : measures the nearest by colours and gradients again; None where these decide
    nearest : so many of them are measured again
    """

    name: str = "color_gradient"
    rerank: Distances | None = None
    nearest: int = 24


COLOR_GRADIENT: Final = PieceSimilarity()


def describe_piece(piece: Pixels) -> NDArray[np.float32]:
    """Colours of 4 x 4 squares, 0 to 0.5, and of each square the strength of 8 directions of gradients.

    Strengths are shares of all, as square roots, so that neither one strong edge nor a smooth piece outweighs colours.
    """
    small = np.asarray(cv2.resize(piece, (_SIDE, _SIDE), interpolation=cv2.INTER_AREA), np.uint8)
    squares = (_COLOUR_SQUARES, _COLOUR_SQUARES)
    colours = np.asarray(cv2.resize(small, squares, interpolation=cv2.INTER_AREA), np.float32) / 255
    grey = brightness(small).astype(np.float32)
    across, down = cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)
    strength = np.hypot(across, down)
    angle = np.mod(np.arctan2(down, across), np.pi)
    direction = np.minimum((angle / np.pi * _DIRECTIONS).astype(np.int64), _DIRECTIONS - 1)
    step = _SIDE // _GRADIENT_SQUARES
    square = np.arange(_SIDE) // step
    bins = (square[:, None] * _GRADIENT_SQUARES + square[None, :]) * _DIRECTIONS + direction
    count = _GRADIENT_SQUARES**2 * _DIRECTIONS
    gradients = np.bincount(bins.ravel(), weights=strength.ravel(), minlength=count)
    total = float(gradients.sum()) or 1.0
    return np.concatenate([colours.ravel() / 2, np.sqrt(gradients / total)]).astype(np.float32)


def nearest(one: NDArray[np.float32], others: NDArray[np.float32]) -> list[int]:
    """Rows of ``others``, the nearest first; equal ones in their order."""
    return [int(row) for row in np.argsort(np.square(others - one).sum(axis=1), kind="stable")]
