"""Drawing pictures elsewhere, quickly."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray


def warp_affine(
    picture: NDArray[np.uint8], matrix: NDArray[np.floating], size: tuple[int, int], *, inverse: bool = False
) -> NDArray[np.uint8]:
    """Draws a picture under an affine map, interpolated linearly and continued by its outermost pixels.

    To the bit what ``cv2.warpAffine`` makes of three channels, which takes OpenCV twice as long as four.

    Parameters
    ----------
    picture : ndarray of shape (H, W, 3) or (H, W), uint8
    matrix : ndarray of shape (2, 3)
        From pixels of the picture to those that are drawn, the centres of pixels at whole numbers.
    size : tuple of int
        (width, height) to draw.
    inverse : bool
        Whether the matrix is the way back: from what is drawn to the picture.

    Returns
    -------
    ndarray of shape (height, width, ...), uint8
    """
    flags = cv2.INTER_LINEAR | (cv2.WARP_INVERSE_MAP if inverse else 0)
    # Of a small part of a large picture, to add the channel takes longer than to draw without it.
    adds = picture.ndim > 2 and 2 * size[0] * size[1] >= picture.shape[0] * picture.shape[1]
    source = cv2.cvtColor(picture, cv2.COLOR_RGB2RGBA) if adds else picture
    drawn = cv2.warpAffine(source, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.cvtColor(drawn, cv2.COLOR_RGBA2RGB) if adds else drawn, np.uint8)
