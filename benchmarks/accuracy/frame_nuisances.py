"""Where and how large the drawing is in its picture: sizes, bars, shifts, turns, zooms and warps."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.accuracy.scenes import Scene
from puzzles.common.raster import Color

LEAST_FREE_PX = 18.0
_MOST_SIDE_PX = 2048
_MOST_LOST = 0.15
"""Of the free width, that a zoom may push out of the picture at each side."""
_MOST_SHIFT = 0.12
_WARP_RAMP = 0.5
"""Free widths from the frame over which a warp grows to its full size."""
_BLACK, _WHITE, _GREY = (0, 0, 0), (255, 255, 255), (128, 128, 128)


def resized(scene: Scene, width: int, height: int) -> Scene:
    """The scene at another size."""
    before = scene.size
    smaller = width <= before[0] and height <= before[1]
    picture = cv2.resize(scene.picture, (width, height), interpolation=cv2.INTER_AREA if smaller else cv2.INTER_CUBIC)
    scale = min(width / before[0], height / before[1])
    return replace(
        scene,
        picture=picture.astype(np.uint8),
        free_px=scene.free_px * scale,
        edge_px=scene.edge_px * scale,
        floor_share=None,
        exterior=None,
    )


def resize(scene: Scene, level: float, dice: np.random.Generator) -> Scene:  # noqa: ARG001
    """Scales the picture, but not below what is read with ease, and not above common sizes."""
    width, height = scene.size
    scale = level
    if level < 1:
        scale = min(1.0, max(level, LEAST_FREE_PX / scene.free_px))
    else:
        scale = max(1.0, min(level, _MOST_SIDE_PX / max(width, height)))
    return resized(scene, round(width * scale), round(height * scale))


def stretch(scene: Scene, level: float, dice: np.random.Generator) -> Scene:
    """Makes one side longer by a share."""
    width, height = scene.size
    if dice.random() < 0.5:
        return resized(scene, round(width * (1 + level)), height)
    return resized(scene, width, round(height * (1 + level)))


def crop(scene: Scene, level: float, dice: np.random.Generator) -> Scene:  # noqa: ARG001
    """Cuts a share of the outer wall's width from each side, so that the wall still shows."""
    cut = int(level * scene.edge_px)
    width, height = scene.size
    picture = np.ascontiguousarray(scene.picture[cut : height - cut, cut : width - cut])
    return replace(scene, picture=picture, floor_share=None, exterior=None)


def padded(scene: Scene, margins: tuple[int, int, int, int], color: Color) -> Scene:
    """Adds margins (left, top, right, bottom) in one colour."""
    left, top, right, bottom = margins
    picture = cv2.copyMakeBorder(scene.picture, top, bottom, left, right, cv2.BORDER_CONSTANT, value=color)
    return replace(scene, picture=picture.astype(np.uint8), floor_share=None, exterior=None)


def _bars(scene: Scene, level: float, dice: np.random.Generator, color: Color) -> Scene:
    width, height = scene.size
    if dice.random() < 0.5:
        extra = round(width * (level - 1) / 2)
        return padded(scene, (extra, 0, extra, 0), color)
    extra = round(height * (level - 1) / 2)
    return padded(scene, (0, extra, 0, extra), color)


bars_black, bars_white, bars_grey = (partial(_bars, color=color) for color in (_BLACK, _WHITE, _GREY))


def _moved(scene: Scene, matrix: NDArray[np.float64], fill: Color | None) -> Scene:
    """Moves the drawing in its frame; ``None`` repeats the picture's edge in what comes in."""
    mode = cv2.BORDER_REPLICATE if fill is None else cv2.BORDER_CONSTANT
    picture = cv2.warpAffine(
        scene.picture, matrix, scene.size, flags=cv2.INTER_CUBIC, borderMode=mode, borderValue=fill or _BLACK
    )
    return replace(scene, picture=picture.astype(np.uint8), floor_share=None, exterior=None)


def _shift(scene: Scene, level: float, dice: np.random.Generator, fill: Color | None) -> Scene:
    reach = min(level, _MOST_SHIFT * scene.free_px)
    angle = dice.uniform(0, 2 * np.pi)
    matrix = np.array([[1.0, 0.0, reach * np.cos(angle)], [0.0, 1.0, reach * np.sin(angle)]])
    return _moved(scene, matrix, fill)


shift_black, shift_white, shift_edge = (partial(_shift, fill=fill) for fill in (_BLACK, _WHITE, None))


def _any_fill(dice: np.random.Generator) -> Color | None:
    return (_BLACK, _WHITE, None)[int(dice.integers(3))]


def rotate(scene: Scene, level: float, dice: np.random.Generator) -> Scene:
    """Turns the picture about its middle; it is made smaller by as much as keeps its edges' middles in the frame."""
    width, height = scene.size
    degrees = level * (1 if dice.random() < 0.5 else -1)
    spread = np.sin(np.radians(level)) * max(width, height) / 2
    allowed = _MOST_LOST * scene.free_px
    scale = 1.0 - max(0.0, spread - allowed) / (min(width, height) / 2)
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, float(scale))
    return _moved(scene, np.asarray(matrix, np.float64), _any_fill(dice))


def zoom(scene: Scene, level: float, dice: np.random.Generator) -> Scene:
    """Scales the drawing about the frame's middle; what it grows out of the frame is less than a share of a cell."""
    width, height = scene.size
    scale = min(level, 1.0 + 2 * _MOST_LOST * scene.free_px / max(width, height))
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), 0.0, scale)
    return _moved(scene, np.asarray(matrix, np.float64), _any_fill(dice))


def warp(scene: Scene, level: float, dice: np.random.Generator) -> Scene:
    """Displaces the drawing smoothly, one way here and another there; not at the frame, so that nothing leaves it."""
    width, height = scene.size
    coarse = dice.normal(size=(5, 5, 2)).astype(np.float32)
    smooth = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    field = smooth * (level * scene.free_px / float(np.hypot(smooth[..., 0], smooth[..., 1]).max()))
    columns, rows = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    inwards = np.minimum(np.minimum(columns, width - 1 - columns), np.minimum(rows, height - 1 - rows))
    field = field * np.minimum(1, inwards / (_WARP_RAMP * scene.free_px))[..., None]
    picture = cv2.remap(
        scene.picture, columns + field[..., 0], rows + field[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return replace(scene, picture=picture.astype(np.uint8), floor_share=None, exterior=None)
