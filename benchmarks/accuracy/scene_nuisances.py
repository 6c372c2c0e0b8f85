"""What is done to the ground beneath an answer: other colours of floor and exterior, paper, a watermark."""

from __future__ import annotations

import colorsys
from dataclasses import replace

import cv2
import numpy as np

from benchmarks.accuracy.frame_nuisances import padded
from benchmarks.accuracy.scenes import Scene
from puzzles.common.raster import Color, Picture

_EXTERIORS: tuple[Color, ...] = ((255, 255, 255), (128, 128, 128), (205, 205, 215), (250, 236, 205), (225, 240, 225))
_PALE: tuple[Color, ...] = ((255, 243, 218), (228, 240, 228), (232, 232, 232), (226, 234, 246), (250, 228, 232))
_DIM: tuple[Color, ...] = ((58, 52, 46), (46, 56, 50), (60, 60, 60), (44, 50, 66))
_UNLIKE = 60 / 360
_GREYISH = 0.02


def exterior(scene: Scene, level: float, dice: np.random.Generator) -> Scene:
    """What lies outside the maze gets a share of another colour, in a hue far from the answer's."""
    if scene.exterior is None or not scene.exterior.any():
        return scene
    color = _unlike(_EXTERIORS, scene.answer, dice)
    picture = scene.picture.copy()
    mixed = (1 - level) * np.array(scene.outside) + level * np.array(color)
    picture[scene.exterior] = np.rint(mixed).astype(np.uint8)
    return replace(scene, picture=picture, outside=_color(mixed))


def floor(scene: Scene, level: float, dice: np.random.Generator) -> Scene:
    """The floor gets a share of another pale colour (dim where the floor is dark), in a hue far from the answer's."""
    if scene.floor_share is None:
        return scene
    color = _unlike(_PALE if sum(scene.floor) > 384 else _DIM, scene.answer, dice)
    change = level * (np.array(color, np.float32) - np.array(scene.floor, np.float32))
    picture = np.rint(np.clip(scene.picture + scene.floor_share[..., None] * change, 0, 255)).astype(np.uint8)
    return replace(scene, picture=picture, floor=_color(np.array(scene.floor) + change))


def paper(scene: Scene, level: float, dice: np.random.Generator) -> Scene:
    """A grain and soft stains, as of scanned paper."""
    width, height = scene.size
    stains = cv2.resize(dice.normal(size=(6, 6)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    grain = cv2.GaussianBlur(dice.standard_normal((height, width), dtype=np.float32), (0, 0), 1.2)
    shade = level * (0.6 * stains / max(1e-6, float(np.abs(stains).max())) + 0.4 * grain / float(grain.std()))
    picture = np.clip(scene.picture + shade[..., None], 0, 255).astype(np.uint8)
    return replace(scene, picture=picture)


def watermark(scene: Scene, level: float, dice: np.random.Generator) -> Scene:
    """Small text in the exterior, or in a bar below where the puzzle leaves no room for it."""
    width, height = scene.size
    size = max(0.35, min(width, height) / 1024 * 0.7)
    text = f"sample {int(dice.integers(100, 1000))}"
    (long, tall), base = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
    corners = (
        (4, 4),
        (width - long - 4, 4),
        (4, height - tall - base - 4),
        (width - long - 4, height - tall - base - 4),
    )
    for left, top in corners:
        box = (slice(top, top + tall + base), slice(left, left + long))
        if left > 0 and scene.exterior is not None and scene.exterior[box].all():
            return replace(scene, picture=_written(scene.picture, text, left, top + tall, size, level))
    bar = tall + base + 12
    wide = padded(scene, (0, 0, 0, bar), scene.outside)
    return replace(wide, picture=_written(wide.picture, text, 8, height + tall + 6, size, level))


def _written(picture: Picture, text: str, left: int, baseline: int, size: float, opacity: float) -> Picture:
    """Grey text on a copy of a picture."""
    covered = np.zeros(picture.shape[:2], np.uint8)
    cv2.putText(covered, text, (left, baseline), cv2.FONT_HERSHEY_SIMPLEX, size, 255, 1, cv2.LINE_AA)
    share = covered[..., None].astype(np.float32) / 255 * opacity
    ground = picture[min(baseline, picture.shape[0] - 1), left].mean()
    ink = 255.0 if ground < 128 else 40.0
    return np.rint(picture * (1 - share) + ink * share).astype(np.uint8)


def _unlike(colors: tuple[Color, ...], answer: Color, dice: np.random.Generator) -> Color:
    """One of the colours whose hue is far from the answer's, or that are nearly grey."""
    hue = colorsys.rgb_to_hsv(*(value / 255 for value in answer))[0]
    fitting = []
    for color in colors:
        its_hue, saturation, _ = colorsys.rgb_to_hsv(*(value / 255 for value in color))
        away = abs(its_hue - hue)
        if saturation < _GREYISH or min(away, 1 - away) > _UNLIKE:
            fitting.append(color)
    return fitting[int(dice.integers(len(fitting)))]


def _color(values: np.ndarray[tuple[int, ...], np.dtype[np.floating]]) -> Color:
    red, green, blue = (round(float(value)) for value in values)
    return red, green, blue
