"""What can be wrong with an edited picture: something is painted somewhere, or scene or picture are others.

A role is a function of a stage and of dice. It returns the changed picture, without a nuisance, or None where it has no
place.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

import cv2
import numpy as np

from benchmarks.composed_edits.shades import crossed, hanging, shaded
from benchmarks.composed_edits.stages import EditStage, Mask
from puzzles.common.raster import Picture
from puzzles.tabletop.edits import Operation, possible, scaled, turned
from puzzles.tabletop.faults import Fault, wrong_results
from puzzles.tabletop.render import render_scene
from puzzles.tabletop.scene import Cuboid, Scene

Dice = np.random.Generator
Change = Callable[[Cuboid, Dice], Cuboid | None]
"""Makes another box of one, or takes it away."""
Role = Callable[[EditStage, Dice], Picture | None]
_LEAST_PX = 40
"""A place of fewer pixels is none."""
_STRENGTHS = (0.15, 0.25, 0.4, 0.6, 0.8, 1.0)
"""How opaque paint is."""


@dataclass(frozen=True, eq=False)
class Place:
    """Where something is painted: a mask, and what is seen there if the thing is gone."""

    mask: Mask
    behind: Picture


def _object(stage: EditStage, dice: Dice) -> Place | None:
    del dice
    return Place(stage.new_mask, _scene_without(stage, stage.target)) if stage.stays else None


def _other(stage: EditStage, dice: Dice) -> Place | None:
    if not stage.others:
        return None
    at = int(dice.choice(stage.others))
    return Place(stage.owners_after == at, _scene_without(stage, at))


def _place(stage: EditStage, dice: Dice) -> Place | None:
    del dice
    return Place(stage.vacated, stage.before)


def _ground(stage: EditStage, dice: Dice) -> Place | None:
    height, width = stage.ground.shape
    rows, columns = np.nonzero(stage.ground)
    if not len(rows):
        return None
    pick = int(dice.integers(len(rows)))
    size = float(dice.uniform(0.03, 0.12)) * width
    shape = np.zeros((height, width), np.uint8)
    middle = (int(columns[pick]), int(rows[pick]))
    axes = (max(2, round(size)), max(2, round(size * float(dice.uniform(0.3, 1.0)))))
    if dice.random() < 0.5:
        cv2.ellipse(shape, middle, axes, float(dice.uniform(0, 180)), 0, 360, 1, -1)
    else:
        corners = cv2.boxPoints((middle, (2.0 * axes[0], 2.0 * axes[1]), float(dice.uniform(0, 90))))
        cv2.fillConvexPoly(shape, np.rint(corners).astype(np.int32), 1)
    return Place((shape > 0) & stage.ground, stage.after)


def _scene_without(stage: EditStage, at: int) -> Picture:
    return render_scene(stage.edit.after.without(at))


def _color(dice: Dice) -> tuple[int, int, int]:
    red, green, blue = (int(value) for value in dice.integers(0, 256, 3))
    return red, green, blue


def _span(mask: Mask) -> tuple[int, int, int, int]:
    rows, columns = np.nonzero(mask)
    return int(columns.min()), int(rows.min()), int(columns.max()) + 1, int(rows.max()) + 1


def _filled(stage: EditStage, place: Place, dice: Dice) -> Picture:
    """One colour."""
    del place
    return np.full_like(stage.after, _color(dice))


def _grey(stage: EditStage, place: Place, dice: Dice) -> Picture:
    """A grey."""
    del place
    return np.full_like(stage.after, int(dice.integers(0, 256)))


def _striped(stage: EditStage, place: Place, dice: Dice) -> Picture:
    """Stripes of a colour."""
    left, top, right, bottom = _span(place.mask)
    rows, columns = np.indices(place.mask.shape)
    period = max(4.0, float(dice.uniform(0.15, 0.5)) * min(right - left, bottom - top))
    angle = float(dice.uniform(0, math.pi))
    on = (rows * math.sin(angle) + columns * math.cos(angle)) % period < period / 2
    drawn = stage.after.copy()
    drawn[on] = _color(dice)
    return drawn


def _spotted(stage: EditStage, place: Place, dice: Dice) -> Picture:
    """Spots of a colour."""
    left, top, right, bottom = _span(place.mask)
    drawn = stage.after.copy()
    color = _color(dice)
    radius = max(2, round(float(dice.uniform(0.06, 0.2)) * min(right - left, bottom - top)))
    for _ in range(int(dice.integers(1, 6))):
        at = (int(dice.integers(left, right)), int(dice.integers(top, bottom)))
        cv2.circle(drawn, at, radius, color, -1, cv2.LINE_AA)
    return drawn


def _written(stage: EditStage, place: Place, dice: Dice) -> Picture:
    """A word."""
    left, top, right, bottom = _span(place.mask)
    drawn = stage.after.copy()
    word = str(dice.choice(("WRONG", "NO", "A1", "SOLD", "X", "OK")))
    scale = max(0.25, (right - left) / (22.0 * len(word)))
    at = (left + 1, round((top + bottom) / 2 + 8 * scale))
    thick = 1 if scale < 0.6 else 2
    cv2.putText(drawn, word, at, cv2.FONT_HERSHEY_SIMPLEX, scale, _color(dice), thick, cv2.LINE_AA)
    return drawn


def _lined(stage: EditStage, place: Place, dice: Dice) -> Picture:
    """A line across."""
    left, top, right, bottom = _span(place.mask)
    drawn = stage.after.copy()
    ends = [(int(dice.integers(left, right)), y) for y in (top, bottom)]
    cv2.line(drawn, ends[0], ends[1], _color(dice), int(dice.integers(1, 4)), cv2.LINE_AA)
    return drawn


def _gone(stage: EditStage, place: Place, dice: Dice) -> Picture:
    """What lies behind shines through."""
    del stage, dice
    return place.behind


def _pierced(stage: EditStage, place: Place, dice: Dice) -> Picture:
    """A hole through which one sees what lies behind, or a corner cut off."""
    left, top, right, bottom = _span(place.mask)
    drawn = stage.after.copy()
    hole = np.zeros(place.mask.shape, np.uint8)
    at = (int(dice.integers(left, right)), int(dice.integers(top, bottom)))
    cv2.circle(hole, at, max(3, round(float(dice.uniform(0.2, 0.45)) * min(right - left, bottom - top))), 1, -1)
    drawn[hole > 0] = place.behind[hole > 0]
    return drawn


def _blurred(stage: EditStage, place: Place, dice: Dice) -> Picture:
    """Blurred."""
    del place
    return np.asarray(cv2.GaussianBlur(stage.after, (0, 0), float(dice.uniform(3.0, 8.0))), np.uint8)


def _lit(stage: EditStage, place: Place, dice: Dice) -> Picture:
    """Darker or lighter."""
    del place
    gain = float(dice.choice((0.3, 0.45, 0.6, 1.5, 1.9)))
    return np.asarray(np.clip(np.rint(stage.after * gain), 0, 255), np.uint8)


def _mean(stage: EditStage, place: Place, dice: Dice) -> Picture:
    """One colour, that of the thing."""
    del dice
    return np.full_like(stage.after, np.rint(stage.after[place.mask].mean(axis=0)).astype(np.uint8))


def _ball(stage: EditStage, place: Place, dice: Dice) -> Picture:
    """A ball of the thing's colour in its place."""
    del dice
    left, top, right, bottom = _span(place.mask)
    rows, columns = np.indices(place.mask.shape)
    x, y = (columns - (left + right) / 2) / ((right - left) / 2), (rows - (top + bottom) / 2) / ((bottom - top) / 2)
    inside = x * x + y * y < 1
    light = 0.45 + 0.75 * np.clip(-0.4 * x - 0.6 * y + 0.7 * np.sqrt(np.clip(1 - x * x - y * y, 0, 1)), 0, 1)
    drawn = place.behind.copy()
    paint = stage.after[place.mask].mean(axis=0)
    drawn[inside] = np.clip(light[inside, None] * paint, 0, 255).astype(np.uint8)
    return drawn


def _hued(stage: EditStage, place: Place, dice: Dice) -> Picture:
    """Another hue."""
    del place
    hsv = cv2.cvtColor(stage.after, cv2.COLOR_RGB2HSV)
    hsv[..., 0] = (hsv[..., 0].astype(int) + int(dice.integers(20, 160))) % 180
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB), np.uint8)


def _colorless(stage: EditStage, place: Place, dice: Dice) -> Picture:
    """What stood there, in the hue of the table."""
    del dice
    grey = cv2.cvtColor(place.behind, cv2.COLOR_RGB2GRAY).astype(np.float64)
    table = stage.emptied[place.mask].mean(axis=0)
    share = grey / max(1.0, float(grey[place.mask].mean()))
    return np.asarray(np.clip(table * (0.35 + 0.65 * share)[..., None], 0, 255), np.uint8)


def _outlined(stage: EditStage, place: Place, dice: Dice) -> Picture:
    """Its outline, as a line."""
    drawn = stage.after.copy()
    found, _ = cv2.findContours(place.mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    cv2.drawContours(drawn, found, -1, _color(dice), int(dice.integers(1, 4)), cv2.LINE_AA)
    return drawn


def _noisy(stage: EditStage, place: Place, dice: Dice) -> Picture:
    """Coarse noise."""
    del place
    height, width = stage.after.shape[:2]
    coarse = dice.normal(0, 50, (height // 3 + 1, width // 3 + 1, 3)).repeat(3, axis=0).repeat(3, axis=1)
    return np.asarray(np.clip(stage.after + coarse[:height, :width], 0, 255), np.uint8)


_Paint = Callable[[EditStage, Place, Dice], Picture]
_Where = Callable[[EditStage, Dice], Place | None]
_ON_BOXES: Mapping[str, _Paint] = {
    "striped": _striped,
    "spotted": _spotted,
    "written": _written,
    "lined": _lined,
    "seen_through": _gone,
    "pierced": _pierced,
    "blurred": _blurred,
    "lit": _lit,
    "flat": _mean,
    "ball": _ball,
    "hued": _hued,
    "noisy": _noisy,
}
_ON_PLACE: Mapping[str, _Paint] = {
    "filled": _filled,
    "grey": _grey,
    "ghost": _gone,
    "colorless": _colorless,
    "outlined": _outlined,
    "striped": _striped,
    "written": _written,
    "spotted": _spotted,
    "noisy": _noisy,
}
_ON_GROUND: Mapping[str, _Paint] = {
    "filled": _filled,
    "grey": _grey,
    "striped": _striped,
    "written": _written,
    "lined": _lined,
    "outlined": _outlined,
    "noisy": _noisy,
    "lit": _lit,
}


def _painted(stage: EditStage, dice: Dice, where: _Where, paint: _Paint) -> Picture | None:
    place = where(stage, dice)
    if place is None or np.count_nonzero(place.mask) < _LEAST_PX:
        return None
    drawn = paint(stage, place, dice)
    mask = place.mask
    if paint is _ball:
        mask = cv2.dilate(mask.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    share = float(dice.choice(_STRENGTHS))
    mixed = np.rint(stage.after + share * (drawn.astype(np.float64) - stage.after)).astype(np.uint8)
    changed = stage.after.copy()
    changed[mask] = mixed[mask]
    return changed


def _result(stage: EditStage, dice: Dice, fault: Fault) -> Picture | None:
    del dice
    found = [one.scene for one in wrong_results(stage.edit) if one.fault is fault]
    return render_scene(found[0]) if found else None


def _with_other(stage: EditStage, dice: Dice, change: Change) -> Picture | None:
    """All is right, but for another box, which is changed, or gone."""
    if not stage.others:
        return None
    at = int(dice.choice(stage.others))
    scene = stage.edit.after
    changed = change(scene.cuboids[at], dice)
    made = scene.without(at) if changed is None else scene.with_cuboid(at, changed)
    return render_scene(made) if possible(made) else None


def _with_target(stage: EditStage, dice: Dice, change: Change) -> Picture | None:
    """All is right, but for the object, which is changed besides; not in what was asked for, which is done in part."""
    asked: dict[Change, Operation] = {_turned: Operation.ROTATE, _sized: Operation.RESIZE}
    if not stage.stays or stage.edit.operation is asked[change]:
        return None
    scene = stage.edit.after
    changed = change(scene.cuboids[stage.target], dice)
    if changed is None:
        return None
    made = scene.with_cuboid(stage.target, changed)
    return render_scene(made) if possible(made) else None


def _moved(cuboid: Cuboid, dice: Dice) -> Cuboid:
    angle, far = float(dice.uniform(0, 2 * math.pi)), float(dice.uniform(0.06, 0.25))
    x, z = cuboid.place
    return replace(cuboid, place=(x + far * math.cos(angle), z + far * math.sin(angle)))


def _turned(cuboid: Cuboid, dice: Dice) -> Cuboid:
    return turned(cuboid, math.radians(float(dice.choice((-1, 1))) * float(dice.uniform(30, 60))))


def _sized(cuboid: Cuboid, dice: Dice) -> Cuboid:
    factor = float(dice.uniform(1.4, 1.9)) ** float(dice.choice((-1, 1)))
    return scaled(cuboid, (factor, factor, factor))


def _removed(cuboid: Cuboid, dice: Dice) -> None:
    del cuboid, dice


def _added(stage: EditStage, dice: Dice) -> Picture | None:
    """All is right, and there is one box more, of any paint."""
    scene: Scene = stage.edit.after
    size = tuple(float(value) for value in dice.uniform(0.05, 0.13, 3))
    color = _color(dice) if dice.random() < 0.5 else (int(dice.integers(40, 230)),) * 3
    for _ in range(20):
        place = (float(dice.uniform(-0.4, 0.4)), float(dice.uniform(-0.3, 0.4)))
        more = Cuboid("more", color, (size[0], size[1], size[2]), place, float(dice.uniform(0, 3)), 7)
        made = replace(scene, cuboids=(*scene.cuboids, more))
        if possible(made):
            return render_scene(made)
    return None


def _table(stage: EditStage, dice: Dice) -> Picture:
    """The table has another colour."""
    scene = stage.edit.after
    return render_scene(replace(scene, table=replace(scene.table, color=_color(dice))))


def _warped(stage: EditStage, dice: Dice, kind: str) -> Picture:
    """The whole picture is zoomed, rolled, shifted or rippled."""
    height, width = stage.after.shape[:2]
    if kind == "ripple":
        rows, columns = np.indices((height, width)).astype(np.float32)
        far, period = float(dice.uniform(2.0, 6.0)), float(dice.uniform(20, 80))
        across = columns + np.float32(far) * np.sin(rows * np.float32(2 * math.pi / period))
        return np.asarray(cv2.remap(stage.after, across, rows, cv2.INTER_LINEAR, None, cv2.BORDER_REFLECT), np.uint8)
    sign = float(dice.choice((-1, 1)))
    zoom = 1 + float(dice.uniform(0.02, 0.06)) if kind == "zoom" else 1.0
    roll = sign * float(dice.uniform(1.5, 4.0)) if kind == "roll" else 0.0
    matrix = np.asarray(cv2.getRotationMatrix2D((width / 2, height / 2), roll, zoom), np.float64)
    if kind == "shift":
        matrix[:, 2] += sign * dice.uniform(5, 16, 2)
    return np.asarray(
        cv2.warpAffine(stage.after, matrix, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT),
        np.uint8,
    )


def _toned(stage: EditStage, dice: Dice) -> Picture:
    """The whole picture has another light or tint."""
    gains = dice.choice((0.55, 0.7, 1.0, 1.3, 1.5), 3) if dice.random() < 0.5 else float(dice.choice((0.55, 0.7, 1.4)))
    return np.asarray(np.clip(stage.after * np.asarray(gains), 0, 255), np.uint8)


def _soft(stage: EditStage, dice: Dice) -> Picture:
    """The whole picture is blurred."""
    return np.asarray(cv2.GaussianBlur(stage.after, (0, 0), float(dice.uniform(2.5, 6.0))), np.uint8)


ROLES: Mapping[str, Mapping[str, Role]] = {
    "object": {name: partial(_painted, where=_object, paint=paint) for name, paint in _ON_BOXES.items()},
    "other": {name: partial(_painted, where=_other, paint=paint) for name, paint in _ON_BOXES.items()},
    "place": {name: partial(_painted, where=_place, paint=paint) for name, paint in _ON_PLACE.items()},
    "ground": {name: partial(_painted, where=_ground, paint=paint) for name, paint in _ON_GROUND.items()}
    | {"box": _added, "crossed": crossed, "shaded": shaded},
    "besides": {
        "other_gone": partial(_with_other, change=_removed),
        "other_moved": partial(_with_other, change=_moved),
        "other_turned": partial(_with_other, change=_turned),
        "other_sized": partial(_with_other, change=_sized),
        "turned": partial(_with_target, change=_turned),
        "sized": partial(_with_target, change=_sized),
        "hanging": hanging,
    },
    "result": {
        fault.name.lower(): partial(_result, fault=fault)
        for fault in Fault
        # Half is done: that passes, with half the reward.
        if fault is not Fault.HALF
    },
    "picture": {
        "table": _table,
        "toned": _toned,
        "blurred": _soft,
        **{kind: partial(_warped, kind=kind) for kind in ("zoom", "roll", "shift", "ripple")},
    },
}
"""What can be wrong, by where it is."""
