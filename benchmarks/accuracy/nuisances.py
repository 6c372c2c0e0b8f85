"""The registry of nuisances: what happens to a picture that changes nothing about its truth, each at three strengths.

A nuisance acts on the stroke or on the queens while they are drawn, on the puzzle beneath them, or on the finished
picture. They are applied in the order of `Stage`. Strengths 1, 2 and 3 are mild, middle and strong; a person still
reads a strong one with ease.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

from benchmarks.accuracy import frame_nuisances as frame
from benchmarks.accuracy import margin_nuisances as margin
from benchmarks.accuracy import pixel_nuisances as pixels
from benchmarks.accuracy import scene_nuisances as scenes
from benchmarks.accuracy.drawing import MarkLook, StrokeLook
from benchmarks.accuracy.scenes import PictureChange

STRENGTHS = (1, 2, 3)


class Stage(enum.IntEnum):
    """When a nuisance acts."""

    GROUND = 0
    STROKE = 1
    SCENE = 2
    MARGIN = 3
    FRAME = 4
    TONE = 5
    DETAIL = 6
    FILE = 7


@dataclass(frozen=True)
class Nuisance:
    """One kind of nuisance.

    Attributes
    ----------
    name : as in case ids
    stage : when it acts
    tasks : maze, queens
    levels : its parameter at strengths 1, 2, 3; the meaning and unit are in `about`
    about : what the parameter is
    stroke, mark, picture : what it does; just one of the three, but a task may have its own
    """

    name: str
    stage: Stage
    levels: tuple[float, float, float]
    about: str
    tasks: tuple[str, ...] = ("maze", "queens")
    stroke: Callable[[StrokeLook, float], StrokeLook] | None = None
    mark: Callable[[MarkLook, float], MarkLook] | None = None
    picture: PictureChange | None = None


def _stroke(name: str, levels: tuple[float, float, float], about: str, field: str) -> Nuisance:
    return Nuisance(
        name, Stage.STROKE, levels, about, ("maze",), stroke=lambda look, level: replace(look, **{field: level})
    )


def _mark(name: str, levels: tuple[float, float, float], about: str, field: str) -> Nuisance:
    def change(look: MarkLook, level: float) -> MarkLook:
        return replace(look, **{field: level})

    return Nuisance(name, Stage.STROKE, levels, about, ("queens",), mark=change)


def _picture(
    name: str,
    stage: Stage,
    levels: tuple[float, float, float],
    about: str,
    change: PictureChange,
    tasks: tuple[str, ...] = ("maze", "queens"),
) -> Nuisance:
    return Nuisance(name, stage, levels, about, tasks, picture=change)


_CUT = "cut from each side, as a share of a wall (boards: of 0.15 cells)"
_SHORT = "as a share of the shorter side"
_FREE = "the free width, which is the diameter of the largest circle in a cell"

NUISANCES: dict[str, Nuisance] = {
    one.name: one
    for one in (
        _stroke("faint", (0.5, 0.35, 0.25), "opacity of the stroke", "opacity"),
        _stroke("fine", (0.6, 0.4, 0.25), "times the stroke's width, but at least 1.5 px", "width"),
        _stroke("bold", (1.3, 1.6, 2.0), "times the stroke's width", "width"),
        _stroke("dashed", (0.08, 0.14, 0.2), f"gaps as a share of {_FREE}", "gap"),
        _stroke("soft", (0.2, 0.35, 0.5), "blur of the stroke as a share of its width", "soft"),
        _stroke("double", (1.0, 1.3, 1.6), "distance of two parallel lines in stroke widths", "outline"),
        _stroke("glow", (0.25, 0.4, 0.55), "opacity of a halo", "glow"),
        _stroke("wobble", (0.25, 0.5, 0.8), "share of the stroke's room in its corridor", "wobble"),
        _mark("dot", (0.8, 0.65, 0.5), "times a queen's radius", "radius"),
        _mark("grey", (40, 65, 90), "grey level of queens", "grey"),
        _mark("astray", (0.05, 0.09, 0.13), "offset of queens as a share of the cell", "offset"),
        _mark("oval", (1.06, 1.12, 1.2), "width of queens over their height", "aspect"),
        _mark("blurred", (0.01, 0.02, 0.03), "blur of queens as a share of the cell", "soft"),
        _picture("exterior", Stage.GROUND, (0.15, 0.5, 1.0), "share of another colour", scenes.exterior, ("maze",)),
        _picture("floor", Stage.GROUND, (0.35, 0.65, 1.0), "share of another pale colour", scenes.floor, ("maze",)),
        _picture("paper", Stage.TONE, (3.0, 6.0, 10.0), "amplitude in levels of 255", scenes.paper),
        _picture("watermark", Stage.SCENE, (0.25, 0.4, 0.6), "opacity of small text outside", scenes.watermark),
        _picture("title", Stage.MARGIN, (0.025, 0.045, 0.07), f"height of letters, {_SHORT}", margin.title),
        _picture("around", Stage.MARGIN, (0.02, 0.035, 0.06), f"height of letters, {_SHORT}", margin.around),
        _picture("axes", Stage.MARGIN, (0.06, 0.12, 0.2), "margin as a share of the longer side", margin.axes),
        _picture("page", Stage.MARGIN, (0.06, 0.12, 0.2), f"margin at the sides, {_SHORT}", margin.page),
        _picture("border", Stage.MARGIN, (0.008, 0.02, 0.04), f"thickness of a frame, {_SHORT}", margin.border),
        _picture("logo", Stage.MARGIN, (0.05, 0.09, 0.14), f"size, {_SHORT}", margin.logo),
        _picture("canvas", Stage.FRAME, (0.95, 0.75, 0.55), "share of one side that is taken", margin.canvas),
        _picture("resize", Stage.FRAME, (0.75, 0.5, 0.35), "scale, but a free width of 18 px is kept", frame.resize),
        _picture("enlarge", Stage.FRAME, (1.2, 1.5, 1.8), "scale, up to sides of 2048 px", frame.resize),
        _picture("stretch", Stage.FRAME, (0.04, 0.08, 0.15), "one side is longer by this share", frame.stretch),
        _picture("crop", Stage.FRAME, (0.25, 0.5, 0.75), _CUT, frame.crop),
        _picture("letterbox-black", Stage.FRAME, (1.1, 1.3, 1.6), "aspect is changed by this factor", frame.bars_black),
        _picture("letterbox-white", Stage.FRAME, (1.1, 1.3, 1.6), "aspect is changed by this factor", frame.bars_white),
        _picture("letterbox-grey", Stage.FRAME, (1.1, 1.3, 1.6), "aspect is changed by this factor", frame.bars_grey),
        _picture("shift-black", Stage.FRAME, (3, 6, 10), "px, at most 0.12 of the free width", frame.shift_black),
        _picture("shift-white", Stage.FRAME, (3, 6, 10), "px, at most 0.12 of the free width", frame.shift_white),
        _picture("shift-edge", Stage.FRAME, (3, 6, 10), "px, at most 0.12 of the free width", frame.shift_edge),
        _picture("rotate", Stage.FRAME, (0.3, 0.7, 1.5), "degrees either way", frame.rotate),
        _picture("zoom-out", Stage.FRAME, (0.99, 0.97, 0.95), "scale about the middle", frame.zoom),
        _picture("zoom-in", Stage.FRAME, (1.01, 1.03, 1.06), "scale; up to 0.15 free widths are lost", frame.zoom),
        _picture("warp", Stage.FRAME, (0.03, 0.06, 0.1), "smooth displacement, share of the free width", frame.warp),
        _picture("hue", Stage.TONE, (3, 6, 10), "degrees of HSV hue either way", pixels.hue),
        _picture("saturation", Stage.TONE, (0.85, 0.7, 0.5), "times the saturation", pixels.saturation),
        _picture("brightness", Stage.TONE, (10, 20, 35), "levels of 255 up or down", pixels.brightness),
        _picture("contrast", Stage.TONE, (0.9, 0.8, 0.65), "times the distance from grey", pixels.contrast),
        _picture("gamma", Stage.TONE, (1.15, 1.35, 1.6), "exponent, or one over it", pixels.gamma),
        _picture("light", Stage.TONE, (0.1, 0.2, 0.35), "darker at one side by this share", pixels.light),
        _picture("vignette", Stage.TONE, (0.1, 0.2, 0.35), "darker in the corners by this share", pixels.vignette),
        _picture("noise", Stage.DETAIL, (5, 10, 18), "standard deviation in levels of 255", pixels.noise),
        _picture("pepper", Stage.DETAIL, (0.0005, 0.001, 0.003), "share of black and white pixels", pixels.pepper),
        _picture("blur", Stage.DETAIL, (0.8, 1.4, 2.0), "sigma in 1/64 of the free width", pixels.blur),
        _picture("downup", Stage.DETAIL, (0.7, 0.5, 0.35), "scale down and up again; 16 px are kept", pixels.downup),
        _picture("jpeg", Stage.FILE, (60, 40, 20), "quality", pixels.jpeg),
        _picture("webp", Stage.FILE, (60, 40, 20), "quality", pixels.webp),
    )
}  # fmt: skip
"""Nuisances by name."""


CLEAN = "clean"
"""The name of what happens to a picture to which nothing happens."""


@cache
def names_for(task: str) -> tuple[str, ...]:
    """What happens to pictures of a task, by name and strength such as ``blur-2``; `CLEAN` first."""
    names = [name for name, one in NUISANCES.items() if one.picture is not None and task in one.tasks]
    return (CLEAN, *(f"{name}-{strength}" for name in names for strength in STRENGTHS))
