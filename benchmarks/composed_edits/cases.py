"""Composes an edited picture from its seed alone: a right edit, with one thing wrong, or with a harmless nuisance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np

from benchmarks.accuracy.seeds import dice_of
from benchmarks.composed.visibility import visibility
from benchmarks.composed_edits.stages import PER_STAGE, EditStage, stage_of
from benchmarks.composed_edits.wrongs import ROLES, Dice, Role
from puzzles.common.raster import Picture
from puzzles.tabletop.render import render_scene

_WRONG_CHANCE = 0.65
_CLEAN_CHANCE = 0.4
"""So many wrong pictures have no nuisance."""
_TRIES = 30
_UNSEEN = 1.0
"""Visibility below which nothing is seen."""


@dataclass(frozen=True, eq=False)
class ComposedEdit:
    """An edited picture with what is true of it.

    Attributes
    ----------
    seed
        From which it was composed.
    stage
        The edit.
    data
        The candidate's file.
    picture, plain
        Its pixels, and the right edit's with the same nuisance.
    wrong
        Whether it has to fail.
    family, role
        Where something is wrong, and what; empty for right ones.
    nuisance
        What is harmless; "none" for nothing.
    visibility
        Of what is wrong; 0 of right ones.
    """

    seed: int
    stage: EditStage
    data: bytes
    picture: Picture
    plain: Picture
    wrong: bool
    family: str
    role: str
    nuisance: str
    visibility: float


def _noise(picture: Picture, dice: Dice) -> bytes:
    """Noise of 6 levels."""
    return _png(np.clip(np.rint(picture + dice.normal(0, 6.0, picture.shape)), 0, 255).astype(np.uint8))


def _jpeg(picture: Picture, dice: Dice) -> bytes:
    """Encoded as JPEG."""
    quality = int(dice.choice((60, 75, 90)))
    return cv2.imencode(".jpg", picture[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()


def _webp(picture: Picture, dice: Dice) -> bytes:
    """Encoded as WebP."""
    quality = int(dice.choice((60, 80)))
    return cv2.imencode(".webp", picture[..., ::-1], [cv2.IMWRITE_WEBP_QUALITY, quality])[1].tobytes()


def _resized(picture: Picture, dice: Dice) -> bytes:
    """Of another size, by which it is sent."""
    factor = float(dice.choice((0.75, 1.25, 1.6, 2.0)))
    size = (round(picture.shape[1] * factor), round(picture.shape[0] * factor))
    how = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
    return _png(np.asarray(cv2.resize(picture, size, interpolation=how), np.uint8))


def _down_and_up(picture: Picture, dice: Dice) -> bytes:
    """Made smaller, and as large as before again."""
    factor = float(dice.uniform(0.6, 0.85))
    height, width = picture.shape[:2]
    small = cv2.resize(picture, (round(width * factor), round(height * factor)), interpolation=cv2.INTER_AREA)
    return _png(np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC), np.uint8))


def _blurred(picture: Picture, dice: Dice) -> bytes:
    """A little blurred."""
    return _png(np.asarray(cv2.GaussianBlur(picture, (0, 0), float(dice.uniform(0.5, 0.9))), np.uint8))


def _toned(picture: Picture, dice: Dice) -> bytes:
    """A little darker, lighter or warmer."""
    return _png(np.clip(np.rint(picture * dice.uniform(0.96, 1.04, 3)), 0, 255).astype(np.uint8))


def _png(picture: Picture) -> bytes:
    return cv2.imencode(".png", picture[..., ::-1])[1].tobytes()


def _plain(picture: Picture, dice: Dice) -> bytes:
    del dice
    return _png(picture)


NUISANCES: Mapping[str, Callable[[Picture, Dice], bytes]] = {
    "none": _plain,
    "noise": _noise,
    "jpeg": _jpeg,
    "webp": _webp,
    "resized": _resized,
    "down_and_up": _down_and_up,
    "blur": _blurred,
    "tone": _toned,
}
_RIGHT_LOOKS = ("as_it_is", "softer_shadows", "other_noise", "inpainted", "shadow_left")


def _right(stage: EditStage, look: str, dice: Dice) -> Picture:
    """The right edit, as another renderer or model might draw it."""
    if look == "softer_shadows":
        light = stage.edit.after.light
        soft = replace(light, softness=light.softness + float(dice.uniform(0.05, 0.2)))
        return render_scene(replace(stage.edit.after, light=soft))
    if look == "other_noise":
        return render_scene(replace(stage.edit.after, noise_seed=int(dice.integers(1 << 30))))
    drawn = stage.after.copy()
    if look == "inpainted":
        old = cv2.dilate((stage.owners_before == stage.target).astype(np.uint8), np.ones((3, 3), np.uint8))
        filled = cv2.inpaint(stage.before, old, 4, cv2.INPAINT_TELEA)
        drawn[stage.vacated] = filled[stage.vacated]
        if visibility(stage.after, drawn) >= _UNSEEN:
            return stage.after  # a smear that one sees is none that is harmless
    elif look == "shadow_left":
        empty = render_scene(stage.edit.before.without(stage.target))
        drawn = stage.before.copy()
        for mask, source in ((stage.owners_before == stage.target, empty), (stage.new_mask, stage.after)):
            grown = cv2.dilate(mask.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
            drawn[grown] = source[grown]
    return drawn


def compose(seed: int) -> ComposedEdit:
    """The edited picture of a seed; the same seed gives the same bytes."""
    stage = stage_of(seed // PER_STAGE)
    dice = dice_of(f"composed-edits/{seed}")
    if dice.random() >= _WRONG_CHANCE:
        look = str(dice.choice(_RIGHT_LOOKS))
        nuisance = str(dice.choice(list(NUISANCES)))
        plain = _right(stage, look, dice)
        data = NUISANCES[nuisance](plain, dice)
        return ComposedEdit(seed, stage, data, plain, plain, False, look, "", nuisance, 0.0)
    for _ in range(_TRIES):
        family = str(dice.choice(list(ROLES)))
        name = str(dice.choice(list(ROLES[family])))
        role: Role = ROLES[family][name]
        changed = role(stage, dice)
        if changed is not None and not np.array_equal(changed, stage.after):
            break
    else:
        raise RuntimeError(f"nothing can be wrong with {stage.name}")
    nuisance = "none" if dice.random() < _CLEAN_CHANCE else str(dice.choice(list(NUISANCES)))
    data = NUISANCES[nuisance](changed, dice)
    shown = _decoded(data, changed)
    seen = visibility(stage.after, changed, shown if nuisance in ("noise", "jpeg", "webp") else None)
    return ComposedEdit(seed, stage, data, shown, stage.after, True, family, name, nuisance, seen)


def _decoded(data: bytes, like: Picture) -> Picture:
    read = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    if read is None:
        raise RuntimeError("what was encoded here can't be decoded")
    picture = read[..., ::-1]
    height, width = like.shape[:2]
    if picture.shape[:2] != (height, width):
        picture = cv2.resize(np.ascontiguousarray(picture), (width, height), interpolation=cv2.INTER_AREA)
    return np.ascontiguousarray(picture, np.uint8)
