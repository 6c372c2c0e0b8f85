"""What happens to pictures that are right all the same."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
Nuisance = Callable[[Pixels, np.random.Generator], Pixels]


def nothing(picture: Pixels, _dice: np.random.Generator) -> Pixels:
    """As it is."""
    return picture


def resized(picture: Pixels, dice: np.random.Generator) -> Pixels:
    """Half to 1.6 times as large, and 3 % stretched."""
    scale = dice.uniform(0.5, 1.6)
    size = (round(picture.shape[1] * scale * dice.uniform(0.97, 1.03)), round(picture.shape[0] * scale))
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(picture, size, interpolation=way), np.uint8)


def jpeg(picture: Pixels, dice: np.random.Generator) -> Pixels:
    """JPEG of quality 35 to 90."""
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(dice.integers(35, 90))])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def noise(picture: Pixels, dice: np.random.Generator) -> Pixels:
    """Noise of 2 to 8 levels."""
    return np.clip(picture + dice.normal(0, dice.uniform(2, 8), picture.shape), 0, 255).astype(np.uint8)


def blur(picture: Pixels, dice: np.random.Generator) -> Pixels:
    """A Gaussian of 0.5 to 1.6 pixels."""
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), dice.uniform(0.5, 1.6)), np.uint8)


def drift(picture: Pixels, dice: np.random.Generator) -> Pixels:
    """A gamma, and of each channel a gain of 12 % and an offset of 14 levels."""
    curved = (picture / 255.0) ** dice.uniform(0.85, 1.18) * 255
    return np.clip(curved * dice.uniform(0.88, 1.12, 3) + dice.uniform(-14, 14, 3), 0, 255).astype(np.uint8)


def paler(picture: Pixels, dice: np.random.Generator) -> Pixels:
    """Colours at 60 to 130 % of their strength."""
    grey = picture.mean(axis=2, keepdims=True)
    return np.asarray(np.clip(grey + dice.uniform(0.6, 1.3) * (picture - grey), 0, 255), np.uint8)


def bars(picture: Pixels, dice: np.random.Generator) -> Pixels:
    """Bars of one colour above and below, or at the sides."""
    wide, grey = int(dice.integers(8, 60)), int(dice.choice([0, 128, 255]))
    pad = (wide, wide, 0, 0) if dice.integers(2) else (0, 0, wide, wide)
    return np.asarray(cv2.copyMakeBorder(picture, *pad, cv2.BORDER_CONSTANT, value=(grey, grey, grey)), np.uint8)


def shift(picture: Pixels, dice: np.random.Generator) -> Pixels:
    """By up to 6 pixels."""
    matrix = np.array([[1, 0, dice.uniform(-6, 6)], [0, 1, dice.uniform(-6, 6)]])
    size = (picture.shape[1], picture.shape[0])
    return np.asarray(cv2.warpAffine(picture, matrix, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def seams(picture: Pixels, dice: np.random.Generator) -> Pixels:
    """The quarters 2 to 13 pixels apart."""
    gap, grey = int(dice.integers(2, 14)), int(dice.choice([0, 128, 255]))
    height, width = picture.shape[0] // 2, picture.shape[1] // 2
    made = np.full((2 * height + gap, 2 * width + gap, 3), grey, np.uint8)
    for row in range(2):
        for column in range(2):
            piece = picture[row * height : (row + 1) * height, column * width : (column + 1) * width]
            top, left = row * (height + gap), column * (width + gap)
            made[top : top + height, left : left + width] = piece
    return made


def several(picture: Pixels, dice: np.random.Generator) -> Pixels:
    """Drift, another size, JPEG."""
    return jpeg(resized(drift(picture, dice), dice), dice)


NUISANCES: dict[str, Nuisance] = {
    one.__name__: one for one in (nothing, resized, jpeg, noise, blur, drift, paler, bars, shift, seams, several)
}
