"""One hole that is not drawn as the others are."""

from __future__ import annotations

from dataclasses import replace

from benchmarks.paper_fold.drawing import DrawnSheet, HoleLook
from benchmarks.paper_fold.faults import Dice, Fault
from puzzles.common.raster import Picture


def one_red(sheet: DrawnSheet, look: HoleLook, dice: Dice) -> Picture | None:
    """One hole in red."""
    return _one(sheet, look, replace(look, fill=(205, 30, 40), rim=(205, 30, 40)), dice)


def one_ring(sheet: DrawnSheet, look: HoleLook, dice: Dice) -> Picture | None:
    """Of one hole the ring alone."""
    return _one(sheet, look, replace(look, hollow=True), dice)


def one_faded(sheet: DrawnSheet, look: HoleLook, dice: Dice) -> Picture | None:
    """One hole of a third of the opacity."""
    return _one(sheet, look, replace(look, opacity=look.opacity / 3), dice)


def _one(sheet: DrawnSheet, look: HoleLook, other: HoleLook, dice: Dice) -> Picture:
    holes = list(sheet.puzzle.holes[0])
    odd = holes.pop(int(dice.integers(len(holes))))
    return sheet.holes([odd], other, dice, on=sheet.holes(holes, look, dice))


UNLIKE: dict[str, Fault] = {one.__name__: one for one in (one_red, one_ring, one_faded)}
