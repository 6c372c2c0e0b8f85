"""How deep each pixel of the ink lies within it, kept from frame to frame: what did not change is not found anew."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from grader.media.changes import grown

_LONGER = 1.1  # not a threshold: what is found is the same with any larger one
"""The transform's steps make a way up to a fiftieth shorter than it is; that much farther is looked, and more."""


class DepthMap:
    """The distance of each pixel of a mask to the nearest beyond it, by OpenCV's transform with steps of 5 x 5.

    What lies beyond the picture is no ink.
    """

    def __init__(self) -> None:
        self._mask = np.zeros((0, 0), np.uint8)
        self._depth = np.zeros((0, 0), np.float32)

    def update(self, mask: NDArray[np.uint8]) -> NDArray[np.float32]:
        """The depths of a mask (h, w) of 1 and 0: (h, w) float32 in pixels, a view that the next update changes."""
        # A margin, or the picture's edge would count as ink.
        padded = np.asarray(cv2.copyMakeBorder(mask, 1, 1, 1, 1, cv2.BORDER_CONSTANT), np.uint8)
        before, self._mask = self._mask, padded
        if before.shape != padded.shape:
            self._depth = _depth(padded)
            return self._depth[1:-1, 1:-1]
        left, top, width, height = cv2.boundingRect(cv2.absdiff(before, padded))
        if not width:
            return self._depth[1:-1, 1:-1]
        # A pixel's depth changes only if what changed is no farther from it than it is, or was, deep.
        deepest = float(self._depth.max())
        reach = math.ceil(_LONGER * deepest) + 2
        box = (slice(top, top + height), slice(left, left + width))
        part, around = grown(box, reach, padded.shape), grown(box, 2 * reach, padded.shape)
        rows, columns = (
            slice(one.start - other.start, one.stop - other.start) for one, other in zip(part, around, strict=True)
        )
        found = _depth(padded[around])[rows, columns]
        if float(found.max()) > deepest:
            self._depth = _depth(padded)
        else:
            self._depth[part] = found
        return self._depth[1:-1, 1:-1]


def _depth(mask: NDArray[np.uint8]) -> NDArray[np.float32]:
    # not a threshold: the side of OpenCV's larger mask
    return np.asarray(cv2.distanceTransform(mask, cv2.DIST_L2, 5), np.float32)
