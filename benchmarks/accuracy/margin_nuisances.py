"""What pictures have around a drawing: titles, captions, axes, pages, frames, logos, and a larger canvas."""

from __future__ import annotations

import itertools
from dataclasses import replace
from functools import partial
from typing import TypeVar

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from benchmarks.accuracy.frame_nuisances import LEAST_FREE_PX, padded, resized
from benchmarks.accuracy.scenes import Scene
from puzzles.common.raster import Color, Picture

_Choice = TypeVar("_Choice")
_WORDS = (
    "Solution", "Solved maze", "The path from start to goal", "Figure 3", "Answer", "step 1 of 1", "N = 8",
    "How to get out", "Queens", "(a) model output", "Generated with care", "All rules are kept",
)  # fmt: skip
_INKS: tuple[Color, ...] = ((0, 0, 0), (40, 40, 48), (120, 120, 120), (0, 90, 180), (190, 30, 40), (20, 110, 60))
_ON_DARK: tuple[Color, ...] = ((255, 255, 255), (200, 200, 200), (250, 210, 90), (140, 190, 255))
_PAPERS: tuple[Color, ...] = ((255, 255, 255), (255, 255, 255), (240, 240, 240), (250, 246, 232), (16, 16, 20))
_CANVASES: tuple[Color, ...] = ((255, 255, 255), (0, 0, 0), (128, 128, 128), (245, 245, 240))
_SHAPES = (1.5, 1.0, 16 / 9, 2 / 3)
_LEAST_LETTER_PX = 9
_DARK = 384
_LARGEST_CANVAS_PX = 1536


def _pick(dice: np.random.Generator, choices: tuple[_Choice, ...]) -> _Choice:
    return choices[int(dice.integers(len(choices)))]


def _ink(dice: np.random.Generator, paper: Color) -> Color:
    return _pick(dice, _INKS if sum(paper) > _DARK else _ON_DARK)


def _letter(scene: Scene, share: float) -> int:
    """Height of letters in pixels."""
    return max(_LEAST_LETTER_PX, round(share * min(scene.size)))


def _text(text: str, height: int, ink: Color, paper: Color, *, bold: bool, plain: bool) -> Picture:
    """A line of words, just as large as they are, with a little paper around."""
    if plain:
        scale = height / 21
        thick = max(1, round(height / (7 if bold else 14)))
        (wide, tall), base = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, thick)
        line = np.full((tall + base + 4, wide + 4, 3), paper, np.uint8)
        cv2.putText(line, text, (2, tall + 2), cv2.FONT_HERSHEY_SIMPLEX, scale, ink, thick, cv2.LINE_AA)
        return line
    font = ImageFont.load_default(1.35 * height)
    stroke = max(1, height // 14) if bold else 0
    left, top, right, bottom = (round(edge) for edge in font.getbbox(text, stroke_width=stroke))
    image = Image.new("RGB", (right - left + 4, bottom - top + 4), paper)
    ImageDraw.Draw(image).text((2 - left, 2 - top), text, fill=ink, font=font, stroke_width=stroke, stroke_fill=ink)
    return np.asarray(image, np.uint8)


def _laid(picture: Picture, piece: Picture, x: float, y: float) -> None:
    """Lays a piece with its middle at a place; what does not fit is made smaller, what sticks out moved in."""
    height, width = picture.shape[:2]
    fit = min(1.0, width / piece.shape[1], height / piece.shape[0])
    if fit < 1:
        size = (max(1, int(piece.shape[1] * fit)), max(1, int(piece.shape[0] * fit)))
        piece = np.asarray(cv2.resize(piece, size, interpolation=cv2.INTER_AREA), np.uint8)
    left = min(max(0, round(x - piece.shape[1] / 2)), width - piece.shape[1])
    top = min(max(0, round(y - piece.shape[0] / 2)), height - piece.shape[0])
    picture[top : top + piece.shape[0], left : left + piece.shape[1]] = piece


def _strip(letter: int, paper: Color, dice: np.random.Generator, length: int) -> Picture:
    """Lines of words on paper, (height, length)."""
    bold, plain, ink = dice.random() < 0.4, dice.random() < 0.5, _ink(dice, paper)
    lines = int(dice.integers(1, 4))
    strip = np.full((round(letter * (1.7 * lines + 0.9)), length, 3), paper, np.uint8)
    at = _pick(dice, (0.5, 0.5, 0.02))
    for line in range(lines):
        piece = _text(
            _pick(dice, _WORDS), letter if line == 0 else round(0.8 * letter), ink, paper, bold=bold, plain=plain
        )
        row = strip[round(letter * (0.4 + 1.7 * line)) : round(letter * (0.4 + 1.7 * (line + 1)))]
        _laid(row, piece, at * length + (0.5 - at) * piece.shape[1], row.shape[0] / 2)
    return strip


def _beside(scene: Scene, strips: dict[str, Picture]) -> Scene:
    """The scene with strips above and below, and then at its sides."""
    rows = [scene.picture]
    if "top" in strips:
        rows.insert(0, strips["top"])
    if "bottom" in strips:
        rows.append(strips["bottom"])
    picture = np.vstack(rows)
    columns = [picture]
    if "left" in strips:
        columns.insert(0, np.rot90(strips["left"]))
    if "right" in strips:
        columns.append(np.rot90(strips["right"], 3))
    return replace(scene, picture=np.ascontiguousarray(np.hstack(columns)), floor_share=None, exterior=None)


def title(scene: Scene, level: float, dice: np.random.Generator) -> Scene:
    """One to three lines of words above or below, or both."""
    letter, paper = _letter(scene, level), _pick(dice, (scene.outside, (255, 255, 255), *_PAPERS))
    sides = _pick(dice, (("top",), ("bottom",), ("top", "bottom")))
    return _beside(scene, {side: _strip(letter, paper, dice, scene.size[0]) for side in sides})


def around(scene: Scene, level: float, dice: np.random.Generator) -> Scene:
    """Words on one to four sides, those at the left and right turned by a quarter."""
    letter, paper = _letter(scene, level), _pick(dice, (scene.outside, *_PAPERS))
    count = int(dice.integers(1, 5))
    sides = ["left", "right", "top", "bottom"]
    dice.shuffle(sides)
    strips = {side: _strip(letter, paper, dice, scene.size[0]) for side in sides[:count] if side in ("top", "bottom")}
    height = scene.size[1] + sum(strip.shape[0] for strip in strips.values())
    strips |= {side: _strip(letter, paper, dice, height) for side in sides[:count] if side in ("left", "right")}
    return _beside(scene, strips)


def axes(scene: Scene, level: float, dice: np.random.Generator) -> Scene:
    """Ticks, their numbers, and names of axes at the left and below, as of a plot."""
    width, height = scene.size
    margin, far = round(level * max(width, height)), round(0.3 * level * max(width, height))
    letter = max(_LEAST_LETTER_PX - 2, round(0.16 * margin))
    grown = padded(scene, (margin, far, far, margin), (255, 255, 255))
    picture, ink = grown.picture, _pick(dice, ((0, 0, 0), (60, 60, 60)))
    count, tick = int(dice.integers(3, 11)), max(2, margin // 14)
    for step in range(count):
        number = _text(str(step), letter, ink, (255, 255, 255), bold=False, plain=False)
        x, y = margin + (step + 0.5) / count * width, far + (step + 0.5) / count * height
        picture[far + height : far + height + tick, round(x) : round(x) + 2] = ink
        picture[round(y) : round(y) + 2, margin - tick : margin] = ink
        _laid(picture, number, x, far + height + 0.3 * margin)
        _laid(picture, number, 0.7 * margin, y)
    if dice.random() < 0.7:
        _laid(
            picture,
            _text("column", letter, ink, (255, 255, 255), bold=False, plain=False),
            margin + width / 2,
            far + height + 0.75 * margin,
        )
        name = np.rot90(_text("row", letter, ink, (255, 255, 255), bold=False, plain=False))
        _laid(picture, np.ascontiguousarray(name), 0.25 * margin, far + height / 2)
    return grown


def page(scene: Scene, level: float, dice: np.random.Generator) -> Scene:
    """A page with a heading, a line or two below the drawing, and a number at its foot."""
    width, height = scene.size
    side = round(level * min(width, height))
    top, bottom = round(side * dice.uniform(1.0, 1.8)), round(side * dice.uniform(1.2, 2.2))
    paper = _pick(dice, ((255, 255, 255), (252, 250, 244)))
    grown = padded(scene, (side, top, round(side * dice.uniform(0.8, 1.2)), bottom), paper)
    picture, letter = grown.picture, max(_LEAST_LETTER_PX - 2, round(0.2 * side))
    full_height, full_width = picture.shape[:2]
    ink, plain = _ink(dice, paper), dice.random() < 0.3
    write = partial(_text, ink=ink, paper=paper, bold=False, plain=plain)
    _laid(picture, write("Chapter 7: Puzzles", letter), full_width / 2, 0.3 * top)
    if dice.random() < 0.5:
        picture[round(0.55 * top) : round(0.55 * top) + 2, side : full_width - side] = ink
    for line in range(int(dice.integers(1, 3))):
        _laid(picture, write(_pick(dice, _WORDS), letter), full_width / 2, top + height + (0.25 + 0.2 * line) * bottom)
    _laid(
        picture,
        write(str(int(dice.integers(2, 300))), letter),
        full_width * _pick(dice, (0.5, 0.9)),
        full_height - 0.25 * bottom,
    )
    return grown


def border(scene: Scene, level: float, dice: np.random.Generator) -> Scene:
    """A frame: black, coloured, double, or with round corners; close to the drawing, or at some distance."""
    thick = max(2, round(level * min(scene.size)))
    gap = round(_pick(dice, (0.0, 0.5, 2.0)) * thick)
    ink, paper = _pick(dice, ((0, 0, 0), *_INKS, (200, 160, 60))), _pick(dice, (scene.outside, (255, 255, 255)))
    kind = _pick(dice, ("plain", "double", "round"))
    grown = padded(scene, (gap,) * 4, paper)
    if kind == "plain":
        return padded(grown, (thick,) * 4, ink)
    if kind == "double":
        thin = max(1, thick // 3)
        return padded(padded(padded(grown, (thin,) * 4, ink), (thin,) * 4, (255, 255, 255)), (thick,) * 4, ink)
    radius = 2 * thick
    grown = padded(grown, (2 * thick,) * 4, paper)
    height, width = grown.picture.shape[:2]
    middle = thick // 2
    left, top, right, bottom = middle, middle, width - 1 - middle, height - 1 - middle
    for begin, end in itertools.pairwise(
        ((left + radius, top), (right - radius, top), (right, top + radius), (right, bottom - radius),
         (right - radius, bottom), (left + radius, bottom), (left, bottom - radius), (left, top + radius),
         (left + radius, top))
    ):  # fmt: skip
        cv2.line(grown.picture, begin, end, ink, thick, cv2.LINE_AA)
    return grown


def logo(scene: Scene, level: float, dice: np.random.Generator) -> Scene:
    """A sign in a margin: a star, a badge with words, or rings; with a name beside it or not."""
    side = max(12, round(level * min(scene.size)))
    margin = round(1.4 * side)
    place = _pick(dice, ("top", "bottom", "left", "right"))
    paper = _pick(dice, (scene.outside, *_PAPERS))
    margins = {
        "left": (margin, 0, 0, 0),
        "top": (0, margin, 0, 0),
        "right": (0, 0, margin, 0),
        "bottom": (0, 0, 0, margin),
    }
    grown = padded(scene, margins[place], paper)
    picture, ink = grown.picture, _ink(dice, paper)
    height, width = picture.shape[:2]
    near = dice.random() < 0.5
    along_x, along_y = (0.8 * side if near else length - 0.8 * side for length in (width, height))
    x, y = {
        "left": (margin / 2, along_y), "right": (width - margin / 2, along_y),
        "top": (along_x, margin / 2), "bottom": (along_x, height - margin / 2),
    }[place]  # fmt: skip
    kind = _pick(dice, ("star", "badge", "rings"))
    if kind == "star":
        turns = np.arange(8) * np.pi / 4
        reach = np.where(np.arange(8) % 2 == 0, side / 2, side / 6)
        corners = np.stack([x + reach * np.cos(turns), y + reach * np.sin(turns)], axis=1)
        cv2.fillPoly(picture, [np.rint(corners).astype(np.int32)], ink, cv2.LINE_AA)
    elif kind == "badge":
        cv2.circle(picture, (round(x), round(y)), side // 2, ink, -1, cv2.LINE_AA)
        _laid(picture, _text("AI", max(5, side // 4), paper, ink, bold=True, plain=False), x, y)
    else:
        for radius in (side // 2, side // 4):
            cv2.circle(picture, (round(x), round(y)), radius, ink, max(1, side // 10), cv2.LINE_AA)
    if place in ("top", "bottom") and dice.random() < 0.6:
        name = _text("labs", max(6, side // 3), ink, paper, bold=True, plain=False)
        _laid(picture, name, x + (1 if x < width / 2 else -1) * (side / 2 + 0.6 * name.shape[1]), y)
    return grown


def canvas(scene: Scene, level: float, dice: np.random.Generator) -> Scene:
    """A larger canvas of another shape, of which the drawing takes a share of one side, at any place."""
    width, height = scene.size
    shape = _pick(dice, _SHAPES)
    full_width = round(max(width, height * shape) / level)
    full_height = round(full_width / shape)
    long = max(full_width, full_height)
    left = round((full_width - width) * _pick(dice, (0.5, dice.random())))
    top = round((full_height - height) * _pick(dice, (0.5, dice.random())))
    margins = (left, top, full_width - width - left, full_height - height - top)
    grown = padded(scene, margins, _pick(dice, _CANVASES))
    scale = max(_LARGEST_CANVAS_PX / long, LEAST_FREE_PX / grown.free_px)
    return grown if scale >= 1 else resized(grown, round(full_width * scale), round(full_height * scale))
