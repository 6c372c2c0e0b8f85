"""Pictures of known truth: a chain, drawn rightly in some look or wrongly, under one or two nuisances."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from benchmarks.accuracy.nuisances import NUISANCES, STRENGTHS, Stage
from benchmarks.accuracy.scenes import Scene
from benchmarks.accuracy.seeds import dice_of
from benchmarks.hinge_folding.altered import close_crop
from benchmarks.hinge_folding.faults import FAULTS, whole
from benchmarks.hinge_folding.subjects import ChainSubject, chain_subject
from puzzles.common.raster import Picture
from puzzles.hinge_folding.generator import every_piece_shows
from puzzles.hinge_folding.style import PALETTE

RIGHT = "right"
_BENEATH = ("shadow", "halo")
_UPON = ("gradient", "gloss", "bevel", "inner_shadow")
_PICTURES = tuple(
    one for one in NUISANCES.values()
    if one.picture is not None and set(one.tasks) == {"maze", "queens"}
)  # fmt: skip
"""Nuisances of a whole picture, as those of mazes."""


@dataclass(frozen=True, eq=False)
class ChainCase:
    """A candidate: the chain, what is wrong with it, what happened to the picture, and its file."""

    subject: ChainSubject
    fault: str
    nuisances: tuple[str, ...]
    data: bytes


def compose(number: int, seed: int) -> ChainCase:
    """A case by its number: half of them right."""
    dice = dice_of(f"hinge_folding/{seed}/{number}")
    level = 1 + number // 2 % 5
    fault, names = RIGHT, list(FAULTS)
    attempt = 0
    while True:
        subject = chain_subject(level, seed * 100_000 + number + 50_000_000 * attempt)
        if number % 2 == 0:
            picture: Picture | None = _right(subject, dice)
        else:
            fault = names[(number // 2 + attempt) % len(names)]
            picture = FAULTS[fault](subject, dice)
        if picture is not None:
            break
        attempt += 1
    alone = dice.random() < 0.4 or picture.shape[1] > subject.side
    shown = picture if alone else whole(subject, picture)
    cropped = fault == RIGHT and alone and dice.random() < 0.3
    if cropped:
        shown = close_crop(subject, picture, dice)
    unit = subject.frame.unit_px
    scene = Scene(
        shown, 0.5 * unit, 0.2 * subject.style.margin * unit, subject.style.ground, subject.style.ground, (0, 0, 0)
    )
    chosen = dice.choice(len(_PICTURES), size=int(dice.integers(0, 3)), replace=False)
    used = sorted((_PICTURES[int(at)] for at in chosen), key=lambda one: one.stage)
    said = []
    for nuisance in used:
        if cropped and nuisance.stage in (Stage.MARGIN, Stage.FRAME):
            continue  # what is beside a chain that was cut out closely is too near to it
        strength = STRENGTHS[int(dice.integers(3))]
        if nuisance.picture is not None:
            scene = nuisance.picture(scene, nuisance.levels[strength - 1], dice)
            said.append(f"{nuisance.name}-{strength}")
    return ChainCase(subject, fault, tuple(said), scene.encoded())


def _right(one: ChainSubject, dice: np.random.Generator) -> Picture:
    """The right answer, as it was given or in other colours, without letters, in another order, or lit."""
    style, colors = one.style, one.colors
    kind = int(dice.integers(7))
    if kind == 1:
        style = replace(style, disc_radius=0.0, letter_height=0.0)
    if kind == 2:
        style = replace(style, last_on_top=not style.last_on_top)
    if kind == 3:
        order = dice.permutation(len(PALETTE))[: len(colors)]
        colors = tuple(PALETTE[int(at)] for at in order)
    if kind == 4:
        style = replace(style, outline_width=0.03 if style.outline_width == 0 else 0.0)
    if not every_piece_shows(one.puzzle.shapes, one.puzzle.angles):
        raise RuntimeError("a chain that was made shows all pieces")
    if kind == 5:
        return one.with_companions(dice, beneath=_BENEATH[int(dice.integers(len(_BENEATH)))])
    if kind == 6:
        return one.with_companions(dice, upon=_UPON[int(dice.integers(len(_UPON)))])
    return one.drawn(one.puzzle.angles, colors, style)
