"""What is drawn over pictures: words, arrows, discs, strokes, of any size, colour and strength."""

from __future__ import annotations

import colorsys
import math
from dataclasses import dataclass

import cv2
import numpy as np

from puzzles.common.lettering import Font, draw_text
from puzzles.common.raster import Color, Picture

SHAPES = ("word", "arrow", "disc", "ring", "cross", "tick", "scribble", "line", "box", "dots", "hatch", "car")
INKS = ("dark", "light", "red", "green", "blue", "own")
_WORDS = ("WRONG", "NO", "STOP", "FAKE", "VOID", "BAD", "X", "OK", "SOLVED", "?", "HERE", "GO")


@dataclass(frozen=True)
class Mark:
    """Something drawn.

    Attributes
    ----------
    shape, ink : which
    opacity : from 0 to 1
    size : of the whole, as a share of a unit of the lot or of a tile's side
    stroke : width of its strokes, the same
    seed : of what is random in it
    """

    shape: str
    ink: str
    opacity: float
    size: float
    stroke: float
    seed: int


def draw_mark(picture: Picture, mark: Mark, at: tuple[float, float], unit_px: float) -> Picture:
    """Returns a picture with a mark whose middle is at (x, y) in pixels, where a unit is so many pixels."""
    layer, color = picture.copy(), _color(picture, mark, at)
    _draw(layer, mark, at, unit_px, color)
    mixed = picture * np.float32(1 - mark.opacity) + layer * np.float32(mark.opacity)
    return np.rint(mixed).astype(np.uint8)


def _color(picture: Picture, mark: Mark, at: tuple[float, float]) -> Color:
    dice = np.random.default_rng(mark.seed)
    fixed = {"dark": (20, 20, 25), "light": (250, 250, 245), "red": (220, 30, 40), "green": (30, 150, 60)}
    fixed["blue"] = (40, 70, 200)
    if mark.ink in fixed:
        return fixed[mark.ink]
    height, width = picture.shape[:2]
    x, y = (min(max(0, round(v)), end - 1) for v, end in zip(at, (width, height), strict=True))
    near = picture[max(0, y - 4) : y + 5, max(0, x - 4) : x + 5].reshape(-1, 3)
    hue, light, saturation = colorsys.rgb_to_hls(*(np.median(near, axis=0) / 255))
    light = light * 0.65 if light > 0.5 or dice.random() < 0.4 else min(1.0, light * 1.4 + 0.1)
    red, green, blue = (round(255 * channel) for channel in colorsys.hls_to_rgb(hue, light, saturation))
    return red, green, blue


def _draw(layer: Picture, mark: Mark, at: tuple[float, float], unit: float, color: Color) -> None:
    dice = np.random.default_rng(mark.seed + 1)
    half, width = mark.size * unit / 2, max(1, round(mark.stroke * unit))
    turn = float(dice.random() * math.tau)

    def point(along: float, across: float) -> tuple[int, int]:
        x = at[0] + half * (along * math.cos(turn) - across * math.sin(turn))
        y = at[1] + half * (along * math.sin(turn) + across * math.cos(turn))
        return round(x), round(y)

    def stroke(*points: tuple[float, float]) -> None:
        path = np.array([point(*one) for one in points], np.int32)
        cv2.polylines(layer, [path], False, color, width, cv2.LINE_AA)

    if mark.shape == "word":
        word = _WORDS[int(dice.integers(len(_WORDS)))]
        font = tuple(Font)[int(dice.integers(len(Font)))]
        draw_text(layer, word, at, max(5.0, 2 * half / max(1.0, 0.75 * len(word))), color, font)
    elif mark.shape == "arrow":
        cv2.arrowedLine(layer, point(-1, 0), point(1, 0), color, width, cv2.LINE_AA, tipLength=0.3)
    elif mark.shape == "disc":
        cv2.circle(layer, point(0, 0), max(2, round(half / 2)), color, -1, cv2.LINE_AA)
    elif mark.shape == "ring":
        cv2.circle(layer, point(0, 0), max(3, round(half)), color, width, cv2.LINE_AA)
    elif mark.shape == "cross":
        stroke((-0.7, -0.7), (0.7, 0.7))
        stroke((-0.7, 0.7), (0.7, -0.7))
    elif mark.shape == "tick":
        stroke((-0.8, 0.0), (-0.3, 0.6), (0.8, -0.6))
    elif mark.shape == "scribble":
        stroke(*((step / 6 - 1, float(dice.uniform(-0.6, 0.6))) for step in range(13)))
    elif mark.shape == "line":
        stroke((-1, 0), (1, 0))
    elif mark.shape == "box":
        cv2.rectangle(layer, *_box(at, half), color, -1)
    elif mark.shape == "dots":
        for _ in range(8):
            cv2.circle(layer, point(*dice.uniform(-0.8, 0.8, 2)), width, color, -1, cv2.LINE_AA)
    elif mark.shape == "hatch":
        for across in np.linspace(-0.7, 0.7, 6):
            stroke((-0.7, float(across)), (0.7, float(across)))
    else:
        box = cv2.boxPoints((at, (2 * half, half), math.degrees(turn)))
        cv2.fillPoly(layer, [np.rint(box).astype(np.int32)], color, cv2.LINE_AA)


def _box(at: tuple[float, float], half: float) -> tuple[tuple[int, int], tuple[int, int]]:
    half = max(1.0, half / 2)
    return (round(at[0] - half), round(at[1] - half)), (round(at[0] + half), round(at[1] + half))
