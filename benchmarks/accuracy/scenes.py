"""A picture while nuisances are applied to it."""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from puzzles.common.raster import Color, Picture


class FileKind(enum.Enum):
    """The format of the candidate's file, as OpenCV names it."""

    PNG = ".png"
    JPEG = ".jpg"
    WEBP = ".webp"


def encoded(picture: Picture, file: FileKind = FileKind.PNG, quality: int = 0) -> bytes:
    """A picture's file; the quality counts for JPEG and WebP."""
    options = {
        # Without filters: a third of the time of the default.
        FileKind.PNG: [cv2.IMWRITE_PNG_COMPRESSION, 1, cv2.IMWRITE_PNG_FILTER, cv2.IMWRITE_PNG_FILTER_NONE],
        FileKind.JPEG: [cv2.IMWRITE_JPEG_QUALITY, quality],
        FileKind.WEBP: [cv2.IMWRITE_WEBP_QUALITY, quality],
    }[file]
    done, data = cv2.imencode(file.value, cv2.cvtColor(picture, cv2.COLOR_RGB2BGR), options)
    if not done:
        raise RuntimeError(f"OpenCV can't write {file.value}")
    return data.tobytes()


@dataclass(frozen=True, eq=False)
class Scene:
    """A picture with what nuisances need to know of it.

    Attributes
    ----------
    picture : (H, W, 3) uint8 RGB
    free_px : least diameter of the largest circle in a cell, pixels
    edge_px : width of an outer wall or grid line, pixels
    outside, floor : the puzzle's colours there
    answer : the answer's colour
    floor_share : (H, W) 0 to 1, how much of a pixel is floor; ``None`` once the picture was displaced, and for boards
    exterior : (H, W), what lies outside the puzzle; ``None`` likewise
    file, quality : how it will be encoded
    """

    picture: Picture
    free_px: float
    edge_px: float
    outside: Color
    floor: Color
    answer: Color
    floor_share: NDArray[np.float32] | None = None
    exterior: NDArray[np.bool_] | None = None
    file: FileKind = FileKind.PNG
    quality: int = 0

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.picture.shape[1], self.picture.shape[0]

    def encoded(self) -> bytes:
        """The candidate's file."""
        return encoded(self.picture, self.file, self.quality)


PictureChange = Callable[[Scene, float, np.random.Generator], Scene]
"""Changes a scene by a level with the case's own random numbers."""
