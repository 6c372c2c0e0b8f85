"""Inks: what a wrong thing is drawn with, from a hair line to half a cell, from faint to full, in any colour."""

from __future__ import annotations

import colorsys
from dataclasses import dataclass

import cv2
import numpy as np

from benchmarks.accuracy.lines import dashes, lengths_along, resampled
from benchmarks.composed.shapes import Shape, blended, blurred, lined
from benchmarks.composed.stages import Scene
from puzzles.common.raster import Color, Coverage, Picture, cover_line, new_coverage

KINDS = ("lighter", "darker", "hue", "asked", "puzzle", "floor", "other")
"""Lighter or darker than the floor, any hue, the answer's colour, that of walls or grid lines, the floor's own, and a
hue far from the answer's."""
TEXTURES = ("solid", "dashed", "dotted", "sprayed", "hatched", "hollow", "soft")
_TEXTURE_CHANCES = (0.46, 0.09, 0.09, 0.09, 0.09, 0.09, 0.09)
LEAST_OPACITY = 0.04
_REFERENCE_PX = 2048
"""A hair line is one pixel of a candidate of this size."""
_LEAST_LIGHTER = 12
"""Levels by which an ink that is to be lighter has to be lighter, in one channel at least."""


@dataclass(frozen=True)
class Ink:
    """What something is drawn with.

    Attributes
    ----------
    kind, texture : of `KINDS` and `TEXTURES`
    color : RGB
    opacity : 0 to 1
    width_px : of lines
    """

    kind: str
    texture: str
    color: Color
    opacity: float
    width_px: float

    def __str__(self) -> str:
        return (
            f"{self.kind} {self.texture} #{bytes(self.color).hex()} {100 * self.opacity:.0f} % {self.width_px:.1f} px"
        )


def draw_ink(
    scene: Scene,
    kinds: tuple[str, ...],
    dice: np.random.Generator,
    textures: tuple[str, ...] = TEXTURES,
    least_opacity: float = LEAST_OPACITY,
) -> Ink:
    """An ink by chance, of one of some kinds, in one of some textures, of some opacity at least."""
    kind = kinds[int(dice.integers(len(kinds)))]
    chances = np.array([_TEXTURE_CHANCES[TEXTURES.index(name)] for name in textures])
    texture = str(dice.choice(textures, p=chances / chances.sum()))
    opacity = 1.0 if dice.random() < 0.2 else float(np.exp(dice.uniform(np.log(least_opacity), 0.0)))
    hair = max(0.5, max(scene.ground.shape[:2]) / _REFERENCE_PX)
    width = float(np.exp(dice.uniform(np.log(hair), np.log(max(2 * hair, 0.5 * scene.room)))))
    return Ink(kind, texture, _color(scene, kind, dice), opacity, width)


def _color(scene: Scene, kind: str, dice: np.random.Generator) -> Color:
    floor, answer, lines, _ = scene.colors
    if kind == "asked":
        return answer
    if kind == "puzzle":
        return lines
    if kind == "floor":
        return floor
    if kind == "other":
        return _other_hue(answer, dice)
    if kind == "hue":
        value = 1.0 if dice.random() < 0.5 else dice.uniform(0.3, 1.0)
        red, green, blue = colorsys.hsv_to_rgb(dice.random(), dice.uniform(0.25, 1.0), value)
        return round(red * 255), round(green * 255), round(blue * 255)
    ground = np.array(floor, np.float64)
    end = np.full(3, 255.0 if kind == "lighter" else 0.0)
    return _rounded(ground + dice.uniform(0.15, 1.0) * (end - ground))


def _other_hue(color: Color, dice: np.random.Generator) -> Color:
    """A colour whose hue is far from another's."""
    hue = colorsys.rgb_to_hsv(*(value / 255 for value in color))[0] + dice.uniform(0.22, 0.78)
    red, green, blue = colorsys.hsv_to_rgb(hue % 1.0, dice.uniform(0.6, 1.0), dice.uniform(0.5, 1.0))
    return round(red * 255), round(green * 255), round(blue * 255)


def _rounded(values: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Color:
    red, green, blue = (round(float(value)) for value in values)
    return red, green, blue


def too_light(floor: Color) -> bool:
    """Whether a floor leaves no room for what is lighter."""
    return 255 - min(floor) < 4 * _LEAST_LIGHTER


def covered(shape: Shape, ink: Ink, size: tuple[int, int], dice: np.random.Generator) -> Coverage:
    """How much of each pixel of a picture of (height, width) a shape covers in an ink's texture."""
    width = ink.width_px if shape.width is None else shape.width
    texture = "solid" if shape.plain else ink.texture
    whole = new_coverage(*size) if shape.area is None else shape.area.copy()
    if not shape.lines:
        return _textured_area(whole, texture, ink.width_px, dice)
    if texture in ("dashed", "dotted"):
        return np.maximum(whole, _broken(shape, width, texture, size))
    if texture == "hollow":
        rim = max(1.0, 0.2 * width)
        inner = lined(size, shape.lines, width - 2 * rim) if width > 3 * rim else None
        outer = lined(size, shape.lines, width)
        return np.maximum(whole, outer if inner is None else np.clip(outer - inner, 0, 1))
    whole = np.maximum(whole, lined(size, shape.lines, width))
    return whole if texture == "solid" else _textured_area(whole, texture, width, dice)


def _broken(shape: Shape, width: float, texture: str, size: tuple[int, int]) -> Coverage:
    """Lines as dashes or as dots; what is shorter than a dash is drawn whole."""
    found = new_coverage(*size)
    for line in shape.lines:
        if len(line) < 2 or lengths_along(line)[-1] < 3 * width:
            cover_line(found, line, width)
        elif texture == "dashed":
            for piece in dashes(line, 3.0 * width, 3.0 * width):
                cover_line(found, piece, width)
        else:
            for point in resampled(line, 2.2 * width):
                cover_line(found, point[None, :], width)
    return found


def _textured_area(whole: Coverage, texture: str, width: float, dice: np.random.Generator) -> Coverage:
    """Coverage in a texture whose grain is about as coarse as a line is wide."""
    if texture == "solid" or not whole.any():
        return whole
    if texture == "soft":
        return blurred(whole, max(0.8, 0.35 * width))
    height, wide = whole.shape
    if texture == "hollow":
        rim = max(1, round(0.2 * width))
        core = cv2.erode(whole, np.ones((2 * rim + 1, 2 * rim + 1), np.uint8))
        return np.asarray(np.clip(whole - core, 0, 1), np.float32)
    if texture == "sprayed":
        grain = max(1, round(0.15 * width))
        spots = dice.random((height // grain + 1, wide // grain + 1)) < dice.uniform(0.15, 0.5)
        return whole * spots.repeat(grain, axis=0).repeat(grain, axis=1)[:height, :wide].astype(np.float32)
    period = max(4.0, (0.5 if texture == "hatched" else 1.0) * width)
    angle = dice.uniform(0, np.pi)
    x, y = np.arange(wide, dtype=np.float32)[None, :], np.arange(height, dtype=np.float32)[:, None]
    wave = np.cos((x * np.cos(angle) + y * np.sin(angle)) * (2 * np.pi / period))
    if texture == "dotted":
        wave = np.minimum(wave, np.cos((y * np.cos(angle) - x * np.sin(angle)) * (2 * np.pi / period)))
    return np.asarray(whole * np.clip(0.5 + 1.5 * wave, 0, 1), np.float32)


def laid(picture: Picture, shape: Shape, ink: Ink, dice: np.random.Generator) -> Picture:
    """A shape in an ink on a copy of a picture."""
    share = covered(shape, ink, (picture.shape[0], picture.shape[1]), dice)
    if shape.clear is not None:
        share = share * ~shape.clear
    above = shape.toward if shape.toward is not None else ink.color if shape.color is None else shape.color
    return blended(picture, share, above, 1.0 if shape.plain else ink.opacity)
