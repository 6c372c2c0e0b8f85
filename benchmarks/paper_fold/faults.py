"""Wrong drawings of an unfolded sheet: wrong patterns, and cheats; a picture, or None where there is no place."""

from __future__ import annotations

import math
from collections.abc import Callable

import cv2
import numpy as np

from benchmarks.paper_fold.drawing import DrawnSheet, HoleLook
from puzzles.common.raster import Picture
from puzzles.paper_fold.generator import LABELS
from puzzles.paper_fold.patterns import LEAST_CLEARANCE, LEAST_SPACING, Mistake, difference, is_drawable, wrong_patterns
from puzzles.paper_fold.render import render_question
from puzzles.paper_fold.rules import Point

Dice = np.random.Generator
Fault = Callable[[DrawnSheet, HoleLook, Dice], Picture | None]


def _right(sheet: DrawnSheet) -> list[Point]:
    return list(sheet.puzzle.holes[0])


def _free(sheet: DrawnSheet, dice: Dice, far: float = LEAST_SPACING, taken: list[Point] | None = None) -> Point | None:
    """A place on the sheet that is clear of all holes."""
    others = _right(sheet) if taken is None else taken
    for _ in range(300):
        x, y = dice.uniform(LEAST_CLEARANCE, 1 - LEAST_CLEARANCE, 2).tolist()
        if all(math.dist((x, y), one) >= far for one in others):
            return x, y
    return None


def missing(sheet: DrawnSheet, look: HoleLook, dice: Dice) -> Picture | None:
    """One hole less."""
    holes = _right(sheet)
    del holes[int(dice.integers(len(holes)))]
    return sheet.holes(holes, look, dice)


def extra(sheet: DrawnSheet, look: HoleLook, dice: Dice) -> Picture | None:
    """One hole more."""
    place = _free(sheet, dice)
    return None if place is None else sheet.holes([*_right(sheet), place], look, dice)


def misplaced(sheet: DrawnSheet, look: HoleLook, dice: Dice) -> Picture | None:
    """One hole elsewhere, by 2.2 radii or more."""
    holes = _right(sheet)
    at = int(dice.integers(len(holes)))
    place = _free(sheet, dice, 0.09)
    return None if place is None else sheet.holes([*holes[:at], place, *holes[at + 1 :]], look, dice)


def wrong_option(sheet: DrawnSheet, look: HoleLook, dice: Dice) -> Picture | None:
    """One of the wrong patterns."""
    others = [one for label, one in zip(LABELS, sheet.puzzle.options, strict=True) if label != sheet.puzzle.label]
    return sheet.holes(others[int(dice.integers(len(others)))], look, dice)


def fold_forgotten(sheet: DrawnSheet, look: HoleLook, dice: Dice) -> Picture | None:
    """A fold is not undone."""
    return _mistake(sheet, look, dice, Mistake.FOLD_FORGOTTEN)


def mirror_wrong(sheet: DrawnSheet, look: HoleLook, dice: Dice) -> Picture | None:
    """Holes are mirrored at another line."""
    return _mistake(sheet, look, dice, Mistake.MIRROR_WRONG)


def _mistake(sheet: DrawnSheet, look: HoleLook, dice: Dice, mistake: Mistake) -> Picture | None:
    puzzle = sheet.puzzle
    found = [
        one.holes
        for one in wrong_patterns(puzzle.sheets, puzzle.folds, puzzle.punches)
        if one.mistake is mistake and is_drawable(one.holes) and difference(one.holes, puzzle.holes[0]) >= LEAST_SPACING
    ]
    return sheet.holes(found[int(dice.integers(len(found)))], look, dice) if found else None


def blank(sheet: DrawnSheet, _look: HoleLook, _dice: Dice) -> Picture | None:
    """The sheet without a hole."""
    return sheet.flat.copy()


def faint_rings(sheet: DrawnSheet, _look: HoleLook, dice: Dice) -> Picture | None:
    """Holes as rings that are hardly seen."""
    tone = tuple(int(part) - 4 for part in sheet.style.front)
    return sheet.holes(_right(sheet), HoleLook(rim=(tone[0], tone[1], tone[2]), rim_width=0.15, hollow=True), dice)


def half_drawn(sheet: DrawnSheet, look: HoleLook, dice: Dice) -> Picture | None:
    """The lower half of every hole is left out."""
    drawn = sheet.holes(_right(sheet), look, dice)
    radius = sheet.radius_px
    for x, y in sheet.frame.of(_right(sheet)).tolist():
        rows, columns = (
            slice(round(y), round(y + 1.5 * radius)),
            slice(round(x - 1.5 * radius), round(x + 1.5 * radius)),
        )
        drawn[rows, columns] = sheet.flat[rows, columns]
    return drawn


def half_size(sheet: DrawnSheet, look: HoleLook, dice: Dice) -> Picture | None:
    """Holes of half the size."""
    return sheet.holes(_right(sheet), _sized(look, 0.5), dice)


def twice_size(sheet: DrawnSheet, look: HoleLook, dice: Dice) -> Picture | None:
    """Holes of twice the size; where these would run together, one of them."""
    holes = _right(sheet)
    drawn = sheet.holes(holes[1:], look, dice)
    return sheet.holes(holes[:1], _sized(look, 1.9), dice, on=drawn)


def _sized(look: HoleLook, times: float) -> HoleLook:
    return HoleLook(look.fill, look.rim, look.rim_width, times, look.opacity, hollow=look.hollow)


def options_copied(sheet: DrawnSheet, _look: HoleLook, _dice: Dice) -> Picture | None:
    """The five options of the question."""
    question = render_question(sheet.puzzle, sheet.style, sheet.side)
    return np.ascontiguousarray(question[-round(1.25 * sheet.side / len(LABELS)) :])


def question_returned(sheet: DrawnSheet, _look: HoleLook, _dice: Dice) -> Picture | None:
    """The question's picture."""
    return render_question(sheet.puzzle, sheet.style, sheet.side)


def two_options(sheet: DrawnSheet, look: HoleLook, dice: Dice) -> Picture | None:
    """The right sheet and a wrong one side by side."""
    other = wrong_option(sheet, look, dice)
    return None if other is None else np.hstack([sheet.holes(_right(sheet), look, dice), other])


def two_overlaid(sheet: DrawnSheet, look: HoleLook, dice: Dice) -> Picture | None:
    """The holes of two options on one sheet."""
    holes = _right(sheet)
    for label, option in zip(LABELS, sheet.puzzle.options, strict=True):
        if label != sheet.puzzle.label:
            more = [one for one in option if all(math.dist(one, other) >= 0.9 * LEAST_SPACING for other in holes)]
            if more:
                return sheet.holes([*holes, *more], look, dice)
    return None


def sprinkled(sheet: DrawnSheet, look: HoleLook, dice: Dice) -> Picture | None:
    """Many holes everywhere."""
    holes = _right(sheet)
    for _ in range(3 * len(holes) + 8):
        place = _free(sheet, dice, 0.085, holes)
        if place is not None:
            holes.append(place)
    return sheet.holes(holes, look, dice)


def holes_outside(sheet: DrawnSheet, look: HoleLook, dice: Dice) -> Picture | None:
    """A hole beside the sheet."""
    beyond = (1 / sheet.style.sheet_share - 1) / 4
    if beyond < 1.3 * sheet.radius_px / sheet.frame.scale:
        return None
    fill = look.fill if look.fill is not None else sheet.style.rim
    return sheet.holes([(1 + beyond, dice.uniform(0.2, 0.8))], HoleLook(fill=fill), dice,
                       on=sheet.holes(_right(sheet), look, dice))  # fmt: skip


def close_in_color(sheet: DrawnSheet, look: HoleLook, dice: Dice) -> Picture | None:
    """Holes that do not belong there, in a colour near the sheet's."""
    drawn = sheet.holes(_right(sheet), look, dice)
    tone = [int(part) - 9 for part in sheet.style.front]
    place = _free(sheet, dice)
    if place is None:
        return None
    color = (tone[0], tone[1], tone[2])
    return sheet.holes([place], HoleLook(fill=color, rim=color), dice, on=drawn)


def joined(sheet: DrawnSheet, look: HoleLook, dice: Dice) -> Picture | None:
    """A line goes out from a hole, askew to all creases."""
    drawn = sheet.holes(_right(sheet), look, dice)
    x, y = _right(sheet)[0]
    angle = math.atan2(0.5 - y, 0.5 - x) + 0.3
    far = (x + 0.16 * math.cos(angle), y + 0.16 * math.sin(angle))
    start, end = np.rint(sheet.frame.of([(x, y), far])).astype(int).tolist()
    cv2.line(drawn, start, end, sheet.style.rim, max(2, round(0.3 * sheet.radius_px)), cv2.LINE_AA)
    return drawn


def corner_folded(sheet: DrawnSheet, look: HoleLook, dice: Dice) -> Picture | None:
    """A corner is folded over."""
    drawn = sheet.holes(_right(sheet), look, dice)
    a, b, c = sheet.frame.of([(0.0, 1.0), (0.22, 1.0), (0.0, 0.78)])
    d = sheet.frame.of([(0.22, 0.78)])[0]
    pad = sheet.style.edge_width * sheet.frame.scale + 1
    outer = np.array([a - pad, b - np.array([0, pad]), c - np.array([pad, 0])])
    cv2.fillPoly(drawn, [np.rint(outer).astype(np.int32)], sheet.style.ground)
    cv2.fillPoly(drawn, [np.rint(np.array([b, c, d])).astype(np.int32)], sheet.style.back, cv2.LINE_AA)
    cv2.polylines(drawn, [np.rint(np.array([b, c, d])).astype(np.int32)], True, sheet.style.rim, 1, cv2.LINE_AA)
    return drawn


def torn(sheet: DrawnSheet, look: HoleLook, dice: Dice) -> Picture | None:
    """A piece is torn off the right side."""
    drawn = sheet.holes(_right(sheet), look, dice)
    edge = [(1.02, y) for y in (0.2, 0.55)] + [(0.9 + 0.04 * dice.uniform(), y) for y in (0.5, 0.42, 0.33, 0.25)]
    cv2.fillPoly(drawn, [np.rint(sheet.frame.of(edge)).astype(np.int32)], sheet.style.ground, cv2.LINE_AA)
    return drawn


def repainted(sheet: DrawnSheet, look: HoleLook, dice: Dice) -> Picture | None:
    """The sheet in another colour altogether."""
    drawn = sheet.holes(_right(sheet), look, dice).astype(np.int16)
    paper = np.abs(drawn - np.array(sheet.style.front)).max(axis=2) < 12
    if np.abs(np.array(sheet.style.front) - np.array(sheet.style.ground)).max() < 12:
        return None
    drawn[paper] = (225, 60, 60) if sheet.style.front[0] < 150 or dice.random() < 0.5 else (40, 40, 60)
    return drawn.astype(np.uint8)


def letters(sheet: DrawnSheet, look: HoleLook, dice: Dice) -> Picture | None:
    """A word on the sheet, beside the holes."""
    place = _free(sheet, dice, 0.12)
    if place is None:
        return None
    drawn = sheet.holes(_right(sheet), look, dice)
    x, y = np.rint(sheet.frame.of([place])[0]).astype(int).tolist()
    size = max(0.4, 0.045 * sheet.frame.scale / 20)
    thick = max(1, round(size))
    cv2.putText(drawn, sheet.puzzle.label, (x, y), cv2.FONT_HERSHEY_SIMPLEX, size, sheet.style.rim, thick, cv2.LINE_AA)
    return drawn


def smeared(sheet: DrawnSheet, look: HoleLook, dice: Dice) -> Picture | None:
    """One hole drawn out to a long one that covers a place nearby too."""
    holes = _right(sheet)
    drawn = sheet.holes(holes, look, dice)
    start = sheet.frame.of([holes[0]])[0]
    inward = sheet.frame.of([(0.5, 0.5)])[0] - start
    end = start + inward / max(1.0, float(np.hypot(*inward))) * 2.6 * sheet.radius_px
    fill = look.fill if look.fill is not None else sheet.style.hole
    for color, width in ((sheet.style.rim, 2.1), (fill, 1.9)):
        points = np.rint(np.array([start, end])).astype(int).tolist()
        cv2.line(drawn, points[0], points[1], color, round(width * sheet.radius_px), cv2.LINE_AA)
    return drawn


def scribbled(sheet: DrawnSheet, look: HoleLook, dice: Dice) -> Picture | None:
    """The sheet is hatched all over."""
    drawn = sheet.holes(_right(sheet), look, dice)
    lines = sheet.frame.of([(x, y) for x in np.linspace(0.06, 0.94, 24) for y in (0.04, 0.96)])
    for start, end in zip(lines[::2], lines[1::2], strict=True):
        points = np.rint(np.array([start, end])).astype(int).tolist()
        cv2.line(drawn, points[0], points[1], sheet.style.rim, max(1, round(0.15 * sheet.radius_px)), cv2.LINE_AA)
    return drawn


FAULTS: dict[str, Fault] = {
    one.__name__: one
    for one in (
        *(missing, extra, misplaced, wrong_option, fold_forgotten, mirror_wrong, blank, faint_rings, half_drawn),
        *(half_size, twice_size, options_copied, question_returned, two_options, two_overlaid, sprinkled),
        *(holes_outside, close_in_color, joined, corner_folded, torn, repainted, letters, smeared, scribbled),
    )
}
"""By name."""
MISTAKES = ("missing", "extra", "misplaced", "wrong_option", "fold_forgotten", "mirror_wrong")
"""Wrong patterns, as an honest model draws them."""
