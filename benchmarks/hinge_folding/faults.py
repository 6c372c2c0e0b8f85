"""What makes a drawn chain wrong: of each kind a function from a chain to a picture, or None where it has no place."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from benchmarks.hinge_folding import altered
from benchmarks.hinge_folding.subjects import ChainSubject, moved
from puzzles.common.raster import Picture
from puzzles.hinge_folding.chain import ANGLE_STEP, HingeShape, compare, folded
from puzzles.hinge_folding.generator import every_piece_shows
from puzzles.hinge_folding.render import beside, joints_of, rgb

Fault = Callable[[ChainSubject, np.random.Generator], Picture | None]
"""Draws a wrong answer: the chain, dice."""


def _pick(dice: np.random.Generator, count: int) -> int:
    return int(dice.integers(count))


def wrong_angle(one: ChainSubject, dice: np.random.Generator) -> Picture | None:
    """One hinge turned by another angle."""
    at, step = _pick(dice, one.level), 1 + _pick(dice, 7)
    angles = tuple(angle + ANGLE_STEP * step * (number == at) for number, angle in enumerate(one.puzzle.angles))
    return one.drawn(angles) if every_piece_shows(one.puzzle.shapes, angles) else None


def not_turned(one: ChainSubject, _dice: np.random.Generator) -> Picture:
    """The chain as it was given."""
    return one.initial


def half_done(one: ChainSubject, dice: np.random.Generator) -> Picture | None:
    """The last hinges left as they are."""
    return None if one.level < 2 else one.drawn(list(one.puzzle.states())[1 + _pick(dice, one.level - 1)])


def mirrored_chain(one: ChainSubject, _dice: np.random.Generator) -> Picture | None:
    """All hinges turned the other way."""
    angles = tuple(-angle for angle in one.puzzle.angles)
    return None if compare(one.puzzle.shapes, angles, one.puzzle.angles).same else one.drawn(angles)


def turned_chain(one: ChainSubject, dice: np.random.Generator) -> Picture | None:
    """The right shape, turned as a whole."""
    angle = math.pi / 2 * (1 + _pick(dice, 3))
    pieces = [moved(corners, np.zeros(2), angle) for corners in one.placed]
    return one.laid(pieces)


def between(one: ChainSubject, dice: np.random.Generator) -> Picture:
    """A hinge by 20 to 25 degrees off."""
    at = _pick(dice, one.level)
    off = math.radians(float(dice.uniform(20, 25))) * (1 if dice.integers(2) else -1)
    return one.drawn(tuple(angle + off * (number == at) for number, angle in enumerate(one.puzzle.angles)))


def cut(one: ChainSubject, dice: np.random.Generator) -> Picture:
    """The chain cut at a hinge: all to the right of it moved away."""
    at, angle = _pick(dice, one.level), float(dice.uniform(0, 2 * math.pi))
    far = float(dice.uniform(0.22, 0.6))
    by = (far * math.cos(angle), far * math.sin(angle))
    pieces = one.placed
    return one.laid(
        [moved(corners, np.zeros(2), by=by) if number > at else corners for number, corners in enumerate(pieces)]
    )


def scaled(one: ChainSubject, dice: np.random.Generator) -> Picture:
    """A piece larger or smaller."""
    pieces, at = one.placed, _pick(dice, one.level + 1)
    scale = float(dice.uniform(1.22, 1.5) if dice.integers(2) else dice.uniform(0.6, 0.78))
    pieces[at] = moved(pieces[at], pieces[at].mean(axis=0), scale=scale)
    return one.laid(pieces)


def reversed_piece(one: ChainSubject, dice: np.random.Generator) -> Picture | None:
    """A triangle that points the other way."""
    found = [at for at, shape in enumerate(one.puzzle.shapes) if shape is HingeShape.TRIANGLE]
    if not found:
        return None
    pieces, at = one.placed, found[_pick(dice, len(found))]
    low, high = pieces[at].min(axis=0), pieces[at].max(axis=0)
    pieces[at] = moved(pieces[at], (low + high) / 2, math.pi)
    return one.laid(pieces)


def left_out(one: ChainSubject, dice: np.random.Generator) -> Picture:
    """A piece that is not drawn."""
    pieces, at = one.placed, _pick(dice, one.level + 1)
    del pieces[at]
    return one.laid(pieces, tuple(color for number, color in enumerate(one.colors) if number != at))


def added(one: ChainSubject, dice: np.random.Generator) -> Picture:
    """One more piece, beside the chain."""
    pieces = one.placed
    size = pieces[_pick(dice, len(pieces))]
    every = np.concatenate(pieces)
    edge = every.max(axis=0) if dice.integers(2) else every.min(axis=0)
    away = np.sign(edge) * 0.35
    return one.laid([*pieces, size - size.mean(axis=0) + edge + away], (*one.colors, "#888844"))


def other_shape(one: ChainSubject, dice: np.random.Generator) -> Picture:
    """A piece of another shape."""
    at = _pick(dice, one.level + 1)
    kinds = [shape for shape in HingeShape if shape is not one.puzzle.shapes[at]]
    shapes = list(one.puzzle.shapes)
    shapes[at] = kinds[_pick(dice, len(kinds))]
    # The others stay where they belong.
    pieces = one.placed
    turn = sum(one.puzzle.angles[:at])
    own = folded((shapes[at],), ())[0]
    pieces[at] = moved(own, np.zeros(2), turn) + pieces[at].mean(axis=0)
    return one.laid(pieces)


def permuted(one: ChainSubject, dice: np.random.Generator) -> Picture | None:
    """Two neighbours of different shapes exchanged, and joined all the same."""
    shapes = list(one.puzzle.shapes)
    found = [at for at in range(one.level) if shapes[at] is not shapes[at + 1]]
    if not found:
        return None
    at = found[_pick(dice, len(found))]
    shapes[at], shapes[at + 1] = shapes[at + 1], shapes[at]
    first = folded(one.puzzle.shapes, one.puzzle.angles)[0]
    pieces = folded(shapes, one.puzzle.angles)
    del first
    return one.laid(list(pieces))


def blot(one: ChainSubject, _dice: np.random.Generator) -> Picture:
    """The silhouette filled with one colour."""
    style = replace(one.style, outline_width=0.0)
    return one.laid(one.placed, ("#888888",) * (one.level + 1), style)


def colored_blot(one: ChainSubject, dice: np.random.Generator) -> Picture:
    """The silhouette filled with the colour of one piece, with the letters of the hinges."""
    style = replace(one.style, outline_width=0.0)
    color = one.colors[_pick(dice, one.level + 1)]
    return one.discs(one.laid(one.placed, (color,) * (one.level + 1), style), one.puzzle.angles)


def target_over(one: ChainSubject, _dice: np.random.Generator) -> Picture:
    """The silhouette's picture in the place of the chain."""
    return one.target


def target_on_chain(one: ChainSubject, _dice: np.random.Generator) -> Picture:
    """The silhouette drawn over the chain as it was given."""
    picture = one.initial.copy()
    there = np.abs(one.target.astype(int) - one.ground()).max(axis=2) > 30
    picture[there] = one.target[there]
    return picture


def target_beside(one: ChainSubject, _dice: np.random.Generator) -> Picture:
    """The silhouette pasted below the chain, as it was given, in its own picture."""
    picture = one.initial.copy()
    there = np.argwhere(np.abs(one.target.astype(int) - one.ground()).max(axis=2) > 30)
    (top, left), (bottom, right) = there.min(axis=0), there.max(axis=0) + 1
    part = one.target[top:bottom, left:right]
    height, width = min(part.shape[0], one.side // 2 - 12), min(part.shape[1], one.side - 8)
    picture[one.side - height - 4 : one.side - 4, 4 : 4 + width] = part[:height, :width]
    return picture


def two_chains(one: ChainSubject, _dice: np.random.Generator) -> Picture:
    """The chain as it was given, and the folded one over it."""
    picture = one.initial.copy()
    folded_ = one.drawn(one.puzzle.angles)
    there = np.abs(folded_.astype(int) - one.ground()).max(axis=2) > 30
    picture[there] = folded_[there]
    return picture


def ghost(one: ChainSubject, dice: np.random.Generator) -> Picture | None:
    """The last piece at two angles, half transparent."""
    step = 1 + _pick(dice, 7)
    other = (*one.puzzle.angles[:-1], one.puzzle.angles[-1] + step * ANGLE_STEP)
    if not every_piece_shows(one.puzzle.shapes, other):
        return None
    pictures = [one.drawn(angles) for angles in (one.puzzle.angles, other)]
    return np.asarray(cv2.addWeighted(pictures[0], 0.5, pictures[1], 0.5, 0), np.uint8)


def faint_piece(one: ChainSubject, dice: np.random.Generator) -> Picture:
    """A piece drawn with less than half of its strength."""
    pieces, at = one.placed, _pick(dice, one.level + 1)
    colors = list(one.colors)
    share = float(dice.uniform(0.2, 0.45))
    mixed = np.array(one.style.ground) * (1 - share) + np.array(rgb(colors[at])) * share
    colors[at] = "#" + "".join(f"{round(float(value)):02x}" for value in mixed)
    return one.laid(pieces, tuple(colors), replace(one.style, outline_width=0.0))


def outlined_second(one: ChainSubject, dice: np.random.Generator) -> Picture | None:
    """Another folding drawn as outlines, over the right one."""
    step = 1 + _pick(dice, 7)
    angles = (one.puzzle.angles[0] + step * ANGLE_STEP, *one.puzzle.angles[1:])
    picture = one.drawn(one.puzzle.angles)
    ink = (236, 236, 236) if sum(one.style.ground) < 384 else (40, 40, 40)
    for corners in folded(one.puzzle.shapes, angles)[1:]:
        points = np.rint(one.frame.at(corners) * 16).astype(np.int32)
        cv2.polylines(picture, [points], True, ink, max(2, round(0.04 * one.frame.unit_px)), cv2.LINE_AA, 4)
    return picture


def hidden_by_blob(one: ChainSubject, dice: np.random.Generator) -> Picture | None:
    """A wrong hinge with a blot painted over it."""
    at, step = _pick(dice, one.level), 1 + _pick(dice, 7)
    angles = tuple(angle + ANGLE_STEP * step * (number == at) for number, angle in enumerate(one.puzzle.angles))
    picture = one.drawn(angles)
    x, y = one.frame.at(joints_of(one.puzzle.shapes, angles))[at]
    cv2.circle(
        picture, (round(float(x)), round(float(y))), round(0.6 * one.frame.unit_px), (150, 90, 40), -1, cv2.LINE_AA
    )
    return picture


def scribbled(one: ChainSubject, dice: np.random.Generator) -> Picture:
    """A disc of some colour beside the right chain, or on it."""
    picture = one.drawn(one.puzzle.angles)
    reach = one.side / 2 / one.frame.unit_px - 0.5
    place = dice.uniform(-reach, reach, 2)
    color = tuple(int(value) for value in dice.integers(0, 200, 3))
    if max(abs(value - ground) for value, ground in zip(color, one.style.ground, strict=True)) < 60:
        color = (200, 60, 40)
    x, y = one.frame.at(place[None])[0]
    cv2.circle(picture, (round(float(x)), round(float(y))), round(0.22 * one.frame.unit_px), color, -1, cv2.LINE_AA)
    covered = one.drawn(one.puzzle.angles).astype(int)
    return picture if np.abs(picture - covered).max() > 60 else target_over(one, dice)


def empty(one: ChainSubject, _dice: np.random.Generator) -> Picture:
    """Nothing but the ground."""
    return one.ground()


FAULTS: dict[str, Fault] = {
    one.__name__: one
    for one in (
        *(wrong_angle, not_turned, half_done, mirrored_chain, turned_chain, between, cut, scaled, reversed_piece),
        *(left_out, added, other_shape, permuted, blot, colored_blot, target_over, target_on_chain, target_beside),
        *(two_chains, ghost, faint_piece, outlined_second, hidden_by_blob, scribbled, empty),
        *(altered.few_degrees, altered.rounded_piece, altered.bitten, altered.cut_corner, altered.striped),
        *(altered.lined, altered.small_piece, altered.gaps, altered.wrong_beside, altered.small_right),
    )
}


def whole(one: ChainSubject, picture: Picture) -> Picture:
    """A picture of the chain with the silhouette beside it, as the question has it."""
    return beside(picture, one.target)
