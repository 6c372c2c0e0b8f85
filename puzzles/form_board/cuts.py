"""Cuts polygons in two by random lines, straight or with a corner, and says which pieces can be told apart."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import shapely

from puzzles.form_board.rules import Corners, Point, area_without, moved

_STRAIGHT: Final = 1e-9
"""Areas, and turns at a corner, are none up to so many square units."""


@dataclass(frozen=True)
class FitRules:
    """What makes a piece fit to be offered, in units of which a silhouette has 10.

    Attributes
    ----------
    least_half_width : a disc of this radius lies within it
    least_half_waist : a disc of this radius can be moved about within it
    least_edge : its shortest edge
    least_angle_deg : its least angle at a corner
    most_corners : so many corners at most
    bent_share : share of cuts that have a corner
    tries : cuts that are tried before another start is made
    """

    least_half_width: float = 0.62
    least_half_waist: float = 0.35
    least_edge: float = 0.9
    least_angle_deg: float = 24.0
    most_corners: int = 10
    bent_share: float = 0.35
    tries: int = 60


def is_fit(corners: Corners, rules: FitRules) -> bool:
    """Whether a piece is simple, wide enough, and has no corner or edge that is hard to see."""
    if len(corners) > rules.most_corners or not _is_plain(corners, rules):
        return False
    polygon = shapely.Polygon(corners)
    if not polygon.is_valid:
        return False
    # Where the disc can't pass, what is left falls apart.
    return (
        not polygon.buffer(-rules.least_half_width).is_empty
        and polygon.buffer(-rules.least_half_waist).geom_type == "Polygon"
    )


def _is_plain(corners: Corners, rules: FitRules) -> bool:
    """Whether no edge is too short and no corner too sharp; told first, since most cuts fail here."""
    most = math.cos(math.radians(rules.least_angle_deg))
    before, here = corners[-2], corners[-1]
    for after in corners:
        in_x, in_y = before[0] - here[0], before[1] - here[1]
        out_x, out_y = after[0] - here[0], after[1] - here[1]
        one, other = math.hypot(in_x, in_y), math.hypot(out_x, out_y)
        if one < rules.least_edge or in_x * out_x + in_y * out_y > most * one * other:
            return False
        before, here = here, after
    return True


def cut_in_two(corners: Corners, dice: random.Random, rules: FitRules) -> tuple[Corners, Corners] | None:
    """Cuts a polygon by one random line from edge to edge; None if the line leaves it, or a part is not fit."""
    count = len(corners)
    first = int(dice.random() * count)
    second = (first + 1 + int(dice.random() * (count - 1))) % count
    share, other = 0.15 + 0.7 * dice.random(), 0.15 + 0.7 * dice.random()
    start, end = _on_edge(corners, first, share), _on_edge(corners, second, other)
    bent, along, aside = dice.random() < rules.bent_share, 0.3 + 0.4 * dice.random(), 0.5 * dice.random() - 0.25
    line: tuple[Point, ...] = (start, end)
    if bent:
        across, down = end[0] - start[0], end[1] - start[1]
        middle = (start[0] + along * across - aside * down, start[1] + along * down + aside * across)
        line = (start, middle, end)
    one = _merged((*line, *_walk(corners, second, first)))
    two = _merged((*reversed(line), *_walk(corners, first, second)))
    if not (is_fit(one, rules) and is_fit(two, rules)):
        return None
    # A line that leaves the polygon makes more than there was.
    return (one, two) if abs(area_of(one) + area_of(two) - area_of(corners)) <= _STRAIGHT else None


def cut_up(corners: Corners, count: int, dice: random.Random, rules: FitRules) -> tuple[Corners, ...] | None:
    """Cuts a polygon into so many pieces, the larger ones first; None if that does not come out."""
    pieces: list[Corners] = [corners]
    for _ in range(rules.tries * count):
        if len(pieces) == count:
            break
        largest = max(range(len(pieces)), key=lambda at: area_of(pieces[at]))
        made = cut_in_two(pieces[largest], dice, rules)
        if made is not None and min(map(area_of, made)) >= 0.5 * area_of(corners) / (count + 1):
            pieces[largest : largest + 1] = list(made)
    return tuple(pieces) if len(pieces) == count else None


def difference(one: Corners, other: Corners) -> float:
    """How far two pieces differ, laid so that they differ least: the area of what only one has over the smaller one.

    They are laid with their middles, and with the corners of their boxes, on one another.
    """
    first, second = shapely.Polygon(one), shapely.Polygon(other)
    pairs = [(first.centroid.coords[0], second.centroid.coords[0])]
    left, top, right, bottom = first.bounds
    own_left, own_top, own_right, own_bottom = second.bounds
    for xs in ((left, own_left), (right, own_right)):
        pairs += [((xs[0], ys[0]), (xs[1], ys[1])) for ys in ((top, own_top), (bottom, own_bottom))]
    least = math.inf
    for here, there in pairs:
        laid = moved(second, (here[0] - there[0], here[1] - there[1]))
        least = min(least, area_without(first, laid) + area_without(laid, first))
    return float(least / min(first.area, second.area))


def area_of(corners: Corners) -> float:
    """The area within corners."""
    doubled = sum(x * to_y - y * to_x for (x, y), (to_x, to_y) in zip(corners, (*corners[1:], corners[0]), strict=True))
    return abs(doubled) / 2


def _on_edge(corners: Corners, edge: int, share: float) -> Point:
    (x, y), (to_x, to_y) = corners[edge], corners[(edge + 1) % len(corners)]
    return x + share * (to_x - x), y + share * (to_y - y)


def _walk(corners: Corners, start: int, end: int) -> tuple[Point, ...]:
    """The corners after one edge up to the beginning of another."""
    count = len(corners)
    steps = (end - start) % count
    return tuple(corners[(start + 1 + step) % count] for step in range(steps))


def _merged(points: Sequence[Point]) -> Corners:
    """Without corners at which nothing turns."""
    kept = []
    for at, point in enumerate(points):
        before, after = points[at - 1], points[(at + 1) % len(points)]
        across, down = point[0] - before[0], point[1] - before[1]
        if abs(across * (after[1] - point[1]) - down * (after[0] - point[0])) > _STRAIGHT:
            kept.append(point)
    return tuple(kept)
