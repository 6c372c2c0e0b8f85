"""Draws a picture in another frame: by an affine map, and bent by a field of local displacements."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from grader.alignment.framing import Matrix
from grader.media.warping import warp_affine

Field = NDArray[np.float64]
"""(rows, columns, 2): where, beyond an affine map, a point is to be looked for: (x, y) in pixels of the frame.

Each value stands for the middle of one of rows x columns equal tiles of the frame; between them it is interpolated by
cubics.
"""


def draw(
    source: NDArray[np.uint8], matrix: Matrix, size: tuple[int, int], field: Field | None = None
) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """Draws a picture in a frame of (width, height).

    Parameters
    ----------
    source : ndarray of shape (H, W, 3), uint8 RGB
    matrix : ndarray of shape (2, 3)
        Maps pixels of the source to those of the frame, the centres of pixels at whole numbers.
    size : tuple of int
        (width, height) of the frame.
    field : ndarray of shape (rows, columns, 2), optional
        Local displacements, in pixels of the frame.

    Returns
    -------
    picture : ndarray of shape (height, width, 3), uint8 RGB
        Continued by the source's outermost pixels where it does not reach.
    covered : ndarray of shape (height, width), bool
        Pixels that the source covers.
    """
    if field is None:
        picture = warp_affine(source, matrix, size)
        if _covers(source, matrix, size):
            return picture, np.ones(picture.shape[:2], np.bool_)
        ones = np.full(source.shape[:2], 255, np.uint8)
        covered = cv2.warpAffine(ones, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
        # not a threshold: what interpolation rounds, a fiftieth of a pixel, of 255
        return picture, covered >= 250
    back = cv2.invertAffineTransform(matrix)
    bent = cv2.resize(field, size, interpolation=cv2.INTER_CUBIC)
    x = bent[..., 0] + np.arange(size[0])
    y = bent[..., 1] + np.arange(size[1])[:, None]
    at_x = (back[0, 0] * x + back[0, 1] * y + back[0, 2]).astype(np.float32)
    at_y = (back[1, 0] * x + back[1, 1] * y + back[1, 2]).astype(np.float32)
    drawn = cv2.remap(source, at_x, at_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(drawn, np.uint8), is_covered(at_x, at_y, (source.shape[1], source.shape[0]))


def _covers(source: NDArray[np.uint8], matrix: Matrix, size: tuple[int, int]) -> bool:
    """Whether a source surely reaches beyond all of a frame of (width, height): its corners tell."""
    back = cv2.invertAffineTransform(matrix)
    corners = np.array([[0, 0, 1], [size[0] - 1, 0, 1], [0, size[1] - 1, 1], [size[0] - 1, size[1] - 1, 1]])
    x, y = (corners * back[:, None]).sum(axis=2)
    width, height = source.shape[1], source.shape[0]
    # not a threshold: twice the pixel's thirty-second to which OpenCV rounds
    least, most = 0.0625, 1.0625
    return bool(x.min() >= least and y.min() >= least and x.max() <= width - most and y.max() <= height - most)


def is_covered(x: NDArray[np.float32], y: NDArray[np.float32], size: tuple[int, int]) -> NDArray[np.bool_]:
    """Which points lie within a picture of (width, height), the centres of its pixels at whole numbers."""
    width, height = size
    # not a threshold: what interpolation rounds, a fiftieth of a pixel
    return (x >= -0.02) & (x <= width - 0.98) & (y >= -0.02) & (y <= height - 0.98)
