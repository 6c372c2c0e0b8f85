"""What makes a drawn board wrong: of each kind a function that draws it; None where the board has no place for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import shapely
from shapely import affinity

from benchmarks.form_board.boards import DrawnOn, points_of
from puzzles.common.raster import Picture
from puzzles.form_board.cuts import FitRules, cut_up, difference
from puzzles.form_board.rules import moved

Dice = np.random.Generator
Fault = Callable[[DrawnOn, Dice], Picture | None]
_SEEN = 0.12
"""Least area of what is changed, as a share of the piece's, for a change that a person sees."""


def nothing(board: DrawnOn, _dice: Dice) -> Picture | None:
    """The question as it was given."""
    return board.question


def missing(board: DrawnOn, dice: Dice) -> Picture | None:
    """A piece left where it was."""
    drawing = board.solved()
    if len(drawing.areas) < 2:
        return None
    label = _one(board, dice)
    del drawing.areas[label]
    drawing.gone.discard(label)
    return board.draw(drawing)


def other_piece(board: DrawnOn, dice: Dice) -> Picture | None:
    """A piece that is not needed, in the middle of a right one's place."""
    if not board.others:
        return None
    label, other = _one(board, dice), board.others[int(dice.integers(len(board.others)))]
    drawing = board.solved()
    polygon = _over(shapely.Polygon(board.corners(other)), board.placed(label))
    drawing.areas[label] = points_of(polygon)
    drawing.gone = (drawing.gone - {label}) | {other}
    return board.draw(drawing)


def shifted(board: DrawnOn, dice: Dice) -> Picture | None:
    """A piece 0.6 to 1.6 units aside."""
    angle, far = dice.uniform(0, 2 * np.pi), dice.uniform(0.6, 1.6) * board.unit
    return _changed(board, dice, lambda one: moved(one, (far * np.cos(angle), far * np.sin(angle))))


def scaled(board: DrawnOn, dice: Dice) -> Picture | None:
    """A piece larger or smaller by a sixth to a third."""
    factor = dice.uniform(1.17, 1.33) if dice.integers(2) else dice.uniform(0.72, 0.85)
    return _changed(board, dice, lambda one: affinity.scale(one, factor, factor))


def stretched_to_fit(board: DrawnOn, dice: Dice) -> Picture | None:
    """A piece that is not needed, stretched into the box of one that is."""
    if not board.others:
        return None
    other = shapely.Polygon(board.corners(board.others[int(dice.integers(len(board.others)))]))

    def fitted(one: shapely.Polygon) -> shapely.Polygon:
        wide, high = _sides(one)
        own_wide, own_high = _sides(other)
        return _over(affinity.scale(other, wide / own_wide, high / own_high), one)

    return _changed(board, dice, fitted)


def mirrored(board: DrawnOn, dice: Dice) -> Picture | None:
    """A piece mirrored where it lies."""
    across = bool(dice.integers(2))
    return _changed(board, dice, lambda one: affinity.scale(one, -1 if across else 1, 1 if across else -1))


def turned(board: DrawnOn, dice: Dice) -> Picture | None:
    """A piece turned where it lies."""
    angle = float(dice.choice([30, 45, 90, 180, 270]))
    return _changed(board, dice, lambda one: affinity.rotate(one, angle))


def bent(board: DrawnOn, dice: Dice) -> Picture | None:
    """A corner of a piece elsewhere."""
    share = dice.uniform(0.45, 0.65)

    def pulled(one: shapely.Polygon) -> shapely.Polygon:
        points, middle = points_of(one), one.centroid.coords[0]
        at = int(dice.integers(len(points)))
        points[at] = tuple(float(c + share * (x - c)) for x, c in zip(points[at], middle, strict=True))  # type: ignore[assignment]
        return shapely.Polygon(points)

    return _changed(board, dice, pulled)


def shrunk(board: DrawnOn, dice: Dice) -> Picture | None:
    """A piece that is 0.3 to 0.5 units narrower all around, so that it leaves a gap."""
    by = dice.uniform(0.3, 0.5) * board.unit
    return _changed(board, dice, lambda one: one.buffer(-by, join_style="mitre"))


def hole(board: DrawnOn, dice: Dice) -> Picture | None:
    """A hole in a piece."""
    label = _one(board, dice)
    inner = board.placed(label).buffer(-0.25 * board.unit)
    middle = inner.representative_point()
    radius = min(0.8 * board.unit, float(inner.exterior.distance(middle)) if inner.geom_type == "Polygon" else 0.0)
    if radius < 0.5 * board.unit:
        return None
    picture = board.draw(board.solved())
    x, y = middle.coords[0]
    cv2.circle(picture, (round(x), round(y)), round(radius), board.style.ground, -1, cv2.LINE_AA)
    return picture


def twice(board: DrawnOn, dice: Dice) -> Picture | None:
    """A right piece again in another one's place."""
    if len(board.puzzle.labels) < 2:
        return None
    first, second = (str(one) for one in dice.permutation(list(board.puzzle.labels))[:2])
    drawing = board.solved()
    drawing.areas[second] = points_of(_over(board.placed(first), board.placed(second)))
    drawing.colors[second] = drawing.colors[first]
    drawing.gone.discard(second)
    return board.draw(drawing)


def on_top(board: DrawnOn, dice: Dice) -> Picture | None:
    """A piece that is not needed, laid on what is right."""
    if not board.others:
        return None
    other = board.others[int(dice.integers(len(board.others)))]
    drawing = board.solved()
    polygon = shapely.Polygon(board.corners(other))
    silhouette = board.laid.board.polygon
    if polygon.area > 0.8 * silhouette.area:
        return None
    drawing.areas[other] = points_of(_over(polygon, silhouette))
    drawing.colors[other] = (90, 60, 40)
    drawing.gone.add(other)
    return board.draw(drawing)


def blot(board: DrawnOn, _dice: Dice) -> Picture | None:
    """The silhouette filled with one colour."""
    if len(board.puzzle.labels) < 2:
        return None
    drawing = board.solved()
    label = board.puzzle.order[0]
    drawing.areas = {label: list(board.laid.board.silhouette)}
    return board.draw(drawing)


def joined(board: DrawnOn, dice: Dice) -> Picture | None:
    """Two right pieces in one, without the cut between them."""
    labels = [str(one) for one in dice.permutation(list(board.puzzle.labels))]
    pairs = [(one, other) for one in labels for other in labels if one < other]
    for one, other in pairs:
        both = board.placed(one).buffer(0.02).union(board.placed(other).buffer(0.02))
        if both.geom_type == "Polygon":
            drawing = board.solved()
            drawing.areas[one] = points_of(both)
            del drawing.areas[other]
            return board.draw(drawing)
    return None


def other_cuts(board: DrawnOn, dice: Dice) -> Picture | None:
    """The right outline, cut in another way into as many pieces."""
    import random

    count = len(board.puzzle.labels)
    if count < 2:
        return None
    parts = cut_up(board.puzzle.board.silhouette, count, random.Random(int(dice.integers(1 << 30))), FitRules())
    if parts is None:
        return None
    given = [piece.corners for piece in board.puzzle.board.pieces]
    if min(min(difference(part, one) for one in given) for part in parts) > 0.1:
        return _parts(board, parts)
    if max(min(difference(part, one) for one in given) for part in parts) > _SEEN:
        return _parts(board, parts)
    return None


def only_outlines(board: DrawnOn, _dice: Dice) -> Picture | None:
    """Pieces in their places as outlines, without colour."""
    drawing = board.solved()
    drawing.colors = dict.fromkeys(drawing.areas, board.style.ground)
    style = replace(board.style, edge=board.style.outline)
    return replace(board, style=style).draw(drawing)


def assembled_beside(board: DrawnOn, _dice: Dice) -> Picture | None:
    """The pieces put together at another place, and the silhouette left empty."""
    drawing = board.solved()
    width, height = board.laid.size
    right, bottom = board.laid.board.polygon.bounds[2:]
    dx, dy = width - right - 4, height - bottom - 4
    drawing.areas = {label: [(x + dx, y + dy) for x, y in corners] for label, corners in drawing.areas.items()}
    drawing.gone = {piece.label for piece in board.laid.board.pieces}
    return board.draw(drawing)


def all_aside(board: DrawnOn, dice: Dice) -> Picture | None:
    """All pieces put together rightly, 0.8 to 1.5 units beside the silhouette."""
    angle, far = dice.uniform(0, 2 * np.pi), dice.uniform(0.8, 1.5) * board.unit
    dx, dy = far * np.cos(angle), far * np.sin(angle)
    drawing = board.solved()
    drawing.areas = {label: [(x + dx, y + dy) for x, y in corners] for label, corners in drawing.areas.items()}
    return board.draw(drawing)


def _parts(board: DrawnOn, parts: tuple[tuple[tuple[float, float], ...], ...]) -> Picture:
    drawing = board.solved()
    left, top = board.laid.board.polygon.bounds[:2]
    own_left, own_top = board.puzzle.board.polygon.bounds[:2]
    for label, part in zip(list(drawing.areas), parts, strict=True):
        drawing.areas[label] = [((x - own_left) * board.unit + left, (y - own_top) * board.unit + top) for x, y in part]
    return board.draw(drawing)


def _one(board: DrawnOn, dice: Dice) -> str:
    return board.puzzle.order[int(dice.integers(len(board.puzzle.order)))]


def _sides(polygon: shapely.Polygon) -> tuple[float, float]:
    left, top, right, bottom = polygon.bounds
    return right - left, bottom - top


def _over(polygon: shapely.Polygon, place: shapely.Polygon) -> shapely.Polygon:
    """A polygon with the middle of its box on that of another."""
    one, other = shapely.box(*polygon.bounds).centroid, shapely.box(*place.bounds).centroid
    return moved(polygon, (other.x - one.x, other.y - one.y))


def _changed(board: DrawnOn, dice: Dice, change: Callable[[shapely.Polygon], shapely.Polygon]) -> Picture | None:
    """One piece changed where it lies; None if hardly anything can be seen of that."""
    drawing = board.solved()
    label = _one(board, dice)
    before = board.placed(label)
    after = change(before)
    if after.geom_type != "Polygon" or not after.is_valid or after.is_empty:
        return None
    if before.symmetric_difference(after).area < _SEEN * before.area:
        return None
    # Drawn last, so that nothing hides what was changed.
    del drawing.areas[label]
    drawing.areas[label] = points_of(after)
    return board.draw(drawing)


FAULTS: dict[str, Fault] = {
    one.__name__: one
    for one in (
        *(nothing, missing, other_piece, shifted, scaled, stretched_to_fit, mirrored, turned, bent, shrunk, hole),
        *(twice, on_top, blot, joined, other_cuts, only_outlines, assembled_beside, all_aside),
    )
}
