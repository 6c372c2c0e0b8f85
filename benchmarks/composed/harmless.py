"""What may be beside or around a right answer and changes nothing about it: companions, signs, frames, papers."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from benchmarks.accuracy.lines import lengths_along, part
from benchmarks.composed.inks import Ink
from benchmarks.composed.roles.base import Role, pick
from benchmarks.composed.shapes import Change, Frame, Level, Shape, Writing, blurred, lined, moved, written
from benchmarks.composed.stages import BoardScene, MazeScene, Scene, repainted
from puzzles.common.raster import Color, Coverage, Picture
from puzzles.queens.render import render_queens

_BLACK, _WHITE, _GREY = (0, 0, 0), (255, 255, 255), (110, 110, 110)
_CAPTIONS = ("Solution", "Solved puzzle", "The answer", "Figure 1: solution", "Result", "Answer to puzzle 12")


def nothing(scene: Scene, ink: Ink, dice: np.random.Generator) -> Change | None:  # noqa: ARG001
    """Nothing is added."""
    return Change()


def answer_form(scene: Scene) -> tuple[Coverage, float]:
    """Coverage of the stroke or of all queens, and its width."""
    size = (scene.ground.shape[0], scene.ground.shape[1])
    if isinstance(scene, MazeScene):
        return lined(size, scene.lines, max(1.5, scene.stroke_px)), max(1.5, scene.stroke_px)
    points = tuple(scene.middle(*queen)[None, :] for queen in scene.canvas.board.queens)
    return lined(size, points, 2 * scene.radius_px), 2 * scene.radius_px


def _reach(scene: Scene, width: float) -> float:
    """How far a companion may lie away, pixels: a part of a stroke's width, or of a queen's."""
    return 0.5 * min(width, 0.2 * scene.room) if isinstance(scene, MazeScene) else 0.15 * width


def _beneath(scene: Scene, area: Coverage, color: Color, opacity: float) -> Change:
    """A shape beneath the answer, and beneath markers."""
    share = np.asarray(area * np.float32(opacity), np.float32)
    clear = scene.canvas.marked if isinstance(scene, MazeScene) else None
    return Change((Shape(area=share, color=color, plain=True, clear=clear, level=Level.UNDER),))


def shadow(scene: Scene, ink: Ink, dice: np.random.Generator) -> Change | None:  # noqa: ARG001
    """A dark soft copy beneath, a little aside."""
    area, width = answer_form(scene)
    angle, away = dice.uniform(0, 2 * np.pi), dice.uniform(0.4, 1.0) * _reach(scene, width)
    soft = blurred(moved(area, away * np.cos(angle), away * np.sin(angle)), dice.uniform(0.3, 0.8) * away)
    return _beneath(scene, soft, _BLACK, dice.uniform(0.15, 0.5))


def rim(scene: Scene, ink: Ink, dice: np.random.Generator) -> Change | None:  # noqa: ARG001
    """A dark, a light or a white edge all along."""
    _, width = answer_form(scene)
    most = _reach(scene, width) if isinstance(scene, MazeScene) else 0.06 * width
    wide = width + 2 * max(1.0, dice.uniform(0.3, 1.0) * most)
    answer = np.array(scene.colors[1], np.float64)
    light = 0.5 * answer + 127
    dark = 0.5 * answer
    color = pick((_WHITE, _tuple(light), _tuple(dark), (30, 30, 30)), dice)
    return _beneath(scene, _wider(scene, wide), color, 1.0)


def _wider(scene: Scene, width: float) -> Coverage:
    size = (scene.ground.shape[0], scene.ground.shape[1])
    if isinstance(scene, MazeScene):
        return lined(size, scene.lines, width)
    return lined(size, tuple(scene.middle(*queen)[None, :] for queen in scene.canvas.board.queens), width)


def glow(scene: Scene, ink: Ink, dice: np.random.Generator) -> Change | None:  # noqa: ARG001
    """A soft halo in the answer's colour, or in a lighter one."""
    _, width = answer_form(scene)
    soft = blurred(_wider(scene, width + _reach(scene, width)), dice.uniform(0.4, 1.0) * _reach(scene, width))
    color = scene.colors[1] if isinstance(scene, MazeScene) and dice.random() < 0.7 else (255, 250, 225)
    return _beneath(scene, soft, color, dice.uniform(0.2, 0.6))


def gradient(scene: MazeScene, ink: Ink, dice: np.random.Generator) -> Change | None:  # noqa: ARG001
    """The path gets lighter or darker from one end to the other; its hue stays."""
    line = scene.lines[0]
    total, end = float(lengths_along(line)[-1]), pick((_WHITE, _BLACK), dice)
    most, shapes = dice.uniform(0.15, 0.4), []
    size = (scene.ground.shape[0], scene.ground.shape[1])
    places = np.linspace(0, total, 25)
    for step, (begin, stop) in enumerate(pairwise(places)):
        area = lined(size, (part(line, float(begin), float(stop)),), max(1.5, scene.stroke_px))
        color = _mixed(scene.canvas.style.path, end, most * step / 24)
        shapes.append(Shape(area=area, color=color, plain=True, clear=scene.canvas.marked))
    return Change(tuple(shapes))


def highlight(scene: Scene, ink: Ink, dice: np.random.Generator) -> Change | None:  # noqa: ARG001
    """A lighter streak in the middle of the stroke, or gloss on queens; the hue stays."""
    if isinstance(scene, MazeScene):
        width = max(1.0, dice.uniform(0.2, 0.4) * scene.stroke_px)
        color = _mixed(scene.canvas.style.path, _WHITE, dice.uniform(0.2, 0.5))
        return Change((Shape(scene.lines, width=width, color=color, plain=True, clear=scene.canvas.marked),))
    size = (scene.ground.shape[0], scene.ground.shape[1])
    radius = scene.radius_px
    places = tuple(
        scene.middle(*queen)[None, :] + radius * np.array([[-0.3, -0.35]]) for queen in scene.canvas.board.queens
    )
    spot = lined(size, places, 2 * radius * dice.uniform(0.2, 0.4))
    return Change((Shape(area=np.asarray(blurred(spot, 0.1 * radius) * np.float32(dice.uniform(0.3, 0.9)), np.float32),
                         color=_WHITE, plain=True),))  # fmt: skip


def sign(scene: Scene, ink: Ink, dice: np.random.Generator) -> Change | None:  # noqa: ARG001
    """A small sparkle or the letters AI in a corner."""
    height, width = scene.ground.shape[:2]
    tall = dice.uniform(0.02, 0.035) * max(height, width)
    away = tall * dice.uniform(1.0, 1.6)
    at = np.array([pick((away, width - away), dice), pick((away, height - away), dice)])
    color = pick((_WHITE, _GREY, (190, 190, 190)), dice)
    if dice.random() < 0.6:
        area = _sparkle((height, width), at, tall)
    else:
        area = written((height, width), "AI", at, 0.8 * tall)
    return Change((Shape(area=np.asarray(area * np.float32(dice.uniform(0.4, 0.9)), np.float32), color=color,
                         plain=True),))  # fmt: skip


def _sparkle(size: tuple[int, int], at: np.ndarray[tuple[int, ...], np.dtype[np.float64]], reach: float) -> Coverage:
    """A star of four points with hollow sides."""
    x = np.abs(np.arange(size[1])[None, :] + 0.5 - at[0]) / reach
    y = np.abs(np.arange(size[0])[:, None] + 0.5 - at[1]) / reach
    inside = 1.0 - (np.sqrt(x) + np.sqrt(y))
    return np.asarray(np.clip(inside * reach * 0.5 + 0.5, 0, 1) * (inside > -0.2), np.float32)


def caption(scene: Scene, ink: Ink, dice: np.random.Generator) -> Change | None:  # noqa: ARG001
    """A strip with words above, below, or on both sides."""
    height, width = scene.ground.shape[:2]
    strip = round(dice.uniform(0.05, 0.12) * height)
    above, below = pick(((1, 0), (0, 1), (1, 1)), dice)
    page, ink_color = pick(((_WHITE, _BLACK), (_BLACK, _WHITE), ((235, 235, 240), (40, 40, 60))), dice)
    tall = 0.4 * strip
    writings = []
    for there, y in ((above, strip / 2), (below, height + strip * (above + 0.5))):
        text = pick(_CAPTIONS, dice)
        if there:
            writings.append(Writing(text, (width / 2, y), min(tall, 1.3 * width / len(text)), ink_color))
    return Change(frame=Frame((0, above * strip, 0, below * strip), page, tuple(writings)))


def side_strip(scene: Scene, ink: Ink, dice: np.random.Generator) -> Change | None:  # noqa: ARG001
    """A strip at the left or right with a few words."""
    height, width = scene.ground.shape[:2]
    strip = round(dice.uniform(0.1, 0.25) * width)
    left, right = pick(((1, 0), (0, 1)), dice)
    page, ink_color = pick(((_WHITE, _BLACK), ((240, 240, 240), _BLACK)), dice)
    x = strip / 2 if left else width + strip / 2
    tall = min(0.03 * height, 0.18 * strip)
    words = tuple(
        Writing(text, (x, height * (0.3 + 0.1 * place)), tall, ink_color)
        for place, text in enumerate(("Answer", "start", "goal"))
    )
    return Change(frame=Frame((left * strip, 0, right * strip, 0), page, words))


def frame(scene: Scene, ink: Ink, dice: np.random.Generator) -> Change | None:  # noqa: ARG001
    """A line around the picture, beside it or some way off."""
    long = max(scene.ground.shape[:2])
    line = max(1, round(dice.uniform(0.003, 0.02) * long))
    gap = round(dice.uniform(0, 0.03) * long) if dice.random() < 0.5 else 0
    page = _WHITE if dice.random() < 0.7 else (200, 200, 200)
    return Change(frame=Frame((line + gap,) * 4, page, line=line, line_color=pick((_BLACK, (60, 60, 60)), dice)))


def page(scene: Scene, ink: Ink, dice: np.random.Generator) -> Change | None:  # noqa: ARG001
    """A page's margin all around, even or not."""
    long = max(scene.ground.shape[:2])
    even = round(dice.uniform(0.02, 0.12) * long)
    margins = (even,) * 4
    if dice.random() < 0.4:
        left, top, right, bottom = (round(one * long) for one in dice.uniform(0.01, 0.12, 4))
        margins = (left, top, right, bottom)
    return Change(frame=Frame(margins, pick((_WHITE, (245, 244, 240), (30, 30, 32), (128, 128, 128)), dice)))


def named_ends(scene: MazeScene, ink: Ink, dice: np.random.Generator) -> Change | None:  # noqa: ARG001
    """START and GOAL, small, in their cells beside the markers."""
    maze, layout = scene.canvas.maze, scene.canvas.layout
    tall = dice.uniform(0.09, 0.13) * scene.room
    size = (scene.ground.shape[0], scene.ground.shape[1])
    area = np.zeros(size, np.float32)
    for cell, text in ((maze.start, "START"), (maze.goal, pick(("GOAL", "END"), dice))):
        x, y = layout.centre(cell)
        at = np.array([x, y + pick((-0.36, 0.36), dice) * scene.room])
        np.maximum(area, written(size, text, at, tall), out=area)
    dark = sum(scene.floor) < 384
    color = pick((scene.canvas.style.marker, (230, 230, 230) if dark else (40, 40, 40)), dice)
    return Change((Shape(area=area, color=color, plain=True),))


def repaint(scene: MazeScene, ink: Ink, dice: np.random.Generator) -> Change | None:  # noqa: ARG001
    """Floor and walls have other colours, everywhere the same."""
    floor = np.array(scene.floor, np.float64)
    away = dice.uniform(0.05, 0.2) * (1 if floor.mean() < 128 else -1)
    new = repainted(scene, _tuple(np.clip(floor * (1 + away) + dice.uniform(-8, 8, 3), 0, 255)))
    ground = new.ground
    if dice.random() < 0.5:
        ground = _walls_in(new, dice)
    return Change(ground=ground)


def _walls_in(scene: MazeScene, dice: np.random.Generator) -> Picture:
    canvas = scene.canvas
    share = (1.0 - canvas.floor_share) * ~canvas.marked * ~canvas.exterior
    wall = np.array(canvas.style.wall, np.float64)
    toward = np.array(scene.floor) * 0.3 + wall * 0.7
    change = (toward - wall) * dice.uniform(0.3, 1.0) + dice.uniform(-10, 10, 3)
    return np.clip(np.rint(scene.ground + share[..., None] * change), 0, 255).astype(np.uint8)


def recolored(scene: BoardScene, ink: Ink, dice: np.random.Generator) -> Change | None:  # noqa: ARG001
    """All regions are paler or stronger, lighter or darker, each as the others; their hues stay."""
    style = scene.canvas.style
    saturation, value = style.saturation * dice.uniform(0.75, 1.25), min(1.0, style.value * dice.uniform(0.9, 1.1))
    return Change(ground=render_queens(scene.canvas.board, replace(style, saturation=saturation, value=value)).input)


def _mixed(color: Color, end: Color, share: float) -> Color:
    return _tuple((1 - share) * np.array(color, np.float64) + share * np.array(end, np.float64))


def _tuple(values: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Color:
    red, green, blue = (round(float(value)) for value in values)
    return red, green, blue


_BOTH = tuple(
    Role(name, family, draw)
    for family, name, draw in (
        ("nothing", "nothing", nothing),
        ("companion", "shadow", shadow),
        ("companion", "rim", rim),
        ("companion", "glow", glow),
        ("companion", "highlight", highlight),
        ("sign", "sign", sign),
        ("frame", "caption", caption),
        ("frame", "side-strip", side_strip),
        ("frame", "frame", frame),
        ("frame", "page", page),
    )
)
HARMLESS: dict[str, tuple[Role, ...]] = {
    "maze": (
        *_BOTH,
        Role("gradient", "companion", gradient),
        Role("named-ends", "sign", named_ends),
        Role("repaint", "paint", repaint),
    ),
    "queens": (
        *(replace(one, name="gloss") if one.name == "highlight" else one for one in _BOTH),
        Role("repaint", "paint", recolored),
    ),
}
"""Harmless kinds by task."""
