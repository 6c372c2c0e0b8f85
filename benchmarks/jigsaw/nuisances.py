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


def gutters(picture: Pixels, dice: np.random.Generator) -> Pixels:
    """The quarters 2 to 14 pixels apart, and as far from the edge, on any colour."""
    gap, ground = int(dice.integers(2, 15)), dice.integers(0, 256, 3)
    height, width = picture.shape[0] // 2, picture.shape[1] // 2
    made = np.empty((2 * height + 3 * gap, 2 * width + 3 * gap, 3), np.uint8)
    made[:] = ground
    for row in range(2):
        for column in range(2):
            piece = picture[row * height : (row + 1) * height, column * width : (column + 1) * width]
            top, left = gap + row * (height + gap), gap + column * (width + gap)
            made[top : top + height, left : left + width] = piece
    return made


def feathered(picture: Pixels, dice: np.random.Generator) -> Pixels:
    """Cuts that are soft over a pixel or two."""
    height, width = picture.shape[0] // 2, picture.shape[1] // 2
    made, wide = picture.copy(), int(dice.integers(1, 3))
    soft = cv2.GaussianBlur(picture, (0, 0), 1.5)
    made[height - wide : height + wide] = soft[height - wide : height + wide]
    made[:, width - wide : width + wide] = soft[:, width - wide : width + wide]
    return made


def sharper(picture: Pixels, dice: np.random.Generator) -> Pixels:
    """With all edges drawn sharper."""
    shown = picture.astype(np.float32)
    fine = shown - cv2.GaussianBlur(shown, (0, 0), dice.uniform(0.8, 1.6))
    return np.clip(shown + dice.uniform(0.3, 1.0) * fine, 0, 255).astype(np.uint8)


def sidelight(picture: Pixels, dice: np.random.Generator) -> Pixels:
    """Light that falls off by up to 16 % from one side to the other."""
    height, width = picture.shape[:2]
    turn, strong = dice.uniform(0, 2 * np.pi), dice.uniform(0.03, 0.08)
    rows, columns = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    light = 1 + strong * (np.cos(turn) * columns + np.sin(turn) * rows)
    return np.asarray(np.clip(picture * light[..., None], 0, 255), np.uint8)


def captioned(picture: Pixels, dice: np.random.Generator) -> Pixels:
    """A line of text above or below."""
    height, width = picture.shape[:2]
    strip = np.full((int(height * dice.uniform(0.07, 0.15)), width, 3), 255, np.uint8)
    tall = len(strip) / 55
    cv2.putText(strip, "Reassembled picture", (width // 12, int(0.68 * len(strip))), cv2.FONT_HERSHEY_SIMPLEX, tall,
                (30, 30, 30), max(1, round(2 * tall)), cv2.LINE_AA)  # fmt: skip
    return np.vstack([strip, picture] if dice.integers(2) else [picture, strip])


def on_a_page(picture: Pixels, dice: np.random.Generator) -> Pixels:
    """On a page with margins of their own at each side, under a bar with a title and buttons."""
    ground = int(dice.choice([255, 245, 230, 40, 18]))
    left, right, top, bottom = (int(dice.integers(12, 90)) for _ in range(4))
    made = cv2.copyMakeBorder(picture, top, bottom, left, right, cv2.BORDER_CONSTANT, value=(ground,) * 3)
    bar = np.full((34, made.shape[1], 3), (60, 64, 72), np.uint8)
    for place, colour in enumerate([(235, 95, 86), (250, 190, 46), (40, 200, 64)]):
        cv2.circle(bar, (20 + 22 * place, 17), 7, colour, -1, cv2.LINE_AA)
    cv2.putText(bar, "result.png", (100, 23), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (220, 220, 220), 1, cv2.LINE_AA)
    return np.vstack([bar, np.asarray(made, np.uint8)])


def tilted(picture: Pixels, dice: np.random.Generator) -> Pixels:
    """As on a photograph of it: turned by up to 4 degrees, with a slight perspective, on a table."""
    height, width = picture.shape[:2]
    pad = 0.1 * max(height, width)
    size = (round(width + 2 * pad), round(height + 2 * pad))
    turn = np.deg2rad(dice.uniform(-4, 4))
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64) * (width / 2, height / 2)
    rotated = corners @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    moved = rotated + np.array(size) / 2 + dice.uniform(-0.015, 0.015, (4, 2)) * (width, height)
    start = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    matrix = cv2.getPerspectiveTransform(start, moved.astype(np.float32))
    table = tuple(map(int, dice.integers(20, 236, 3)))
    made = cv2.warpPerspective(picture, matrix, size, flags=cv2.INTER_LINEAR, borderValue=table)
    return noise(sidelight(np.asarray(made, np.uint8), dice), dice)


def outlined(picture: Pixels, dice: np.random.Generator) -> Pixels:
    """A line of one to six pixels around each quarter."""
    made = picture.copy()
    height, width = picture.shape[0] // 2, picture.shape[1] // 2
    wide, grey = int(dice.integers(1, 4)), int(dice.choice([0, 255]))
    for top in (0, height):
        for left in (0, width):
            cv2.rectangle(made, (left, top), (left + width - 1, top + height - 1), (grey, grey, grey), wide)
    return made


def cropped(picture: Pixels, dice: np.random.Generator) -> Pixels:
    """Without up to 2 % at each side, and stretched by a quarter or not."""
    down, across = (int(span * dice.uniform(0, 0.02)) for span in picture.shape[:2])
    kept = picture[down : picture.shape[0] - down, across : picture.shape[1] - across]
    size = (kept.shape[1], round(kept.shape[0] * dice.choice([0.8, 1.0, 1.25])))
    return np.asarray(cv2.resize(kept, size, interpolation=cv2.INTER_AREA), np.uint8)


def several(picture: Pixels, dice: np.random.Generator) -> Pixels:
    """Drift, another size, JPEG."""
    return jpeg(resized(drift(picture, dice), dice), dice)


NUISANCES: dict[str, Nuisance] = {
    one.__name__: one
    for one in (
        *(nothing, resized, jpeg, noise, blur, drift, paler, bars, shift, seams, several),
        *(gutters, outlined, cropped, feathered, sharper, sidelight, captioned, on_a_page, tilted),
    )
}
GRAINY = frozenset({"jpeg", "noise"})
"""Those that leave everything in its place and colour, and add grain that hides things."""
