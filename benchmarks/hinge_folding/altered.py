"""What is wrong with a drawn chain in small: pieces bitten or striped, small ones too many, angles a little off."""

from __future__ import annotations

import math

import cv2
import numpy as np

from benchmarks.hinge_folding.subjects import ChainSubject, moved
from puzzles.common.raster import Picture
from puzzles.hinge_folding.chain import ANGLE_STEP, Floats, compare, folded
from puzzles.hinge_folding.generator import every_piece_shows
from puzzles.hinge_folding.render import beside, rgb


def _seen_edge(one: ChainSubject, at: int) -> tuple[Floats, Floats] | None:
    """A corner of a piece and the middle of a side that are seen, far from all other pieces, in units."""
    pieces = one.placed
    own = pieces[at]
    others = np.concatenate([_around(piece) for number, piece in enumerate(pieces) if number != at])

    def away(point: Floats) -> float:
        inside = any(
            cv2.pointPolygonTest(piece.astype(np.float32), (float(point[0]), float(point[1])), False) >= 0
            for number, piece in enumerate(pieces)
            if number != at
        )
        return 0.0 if inside else float(np.hypot(*(others - point).T).min())

    middles = (own + np.roll(own, -1, axis=0)) / 2
    corner, middle = (max(points, key=away) for points in (own, middles))
    return (corner, middle) if min(away(corner), away(middle)) > 0.3 else None


def _around(piece: Floats) -> Floats:
    shares = np.linspace(0, 1, 9)[:, None, None]
    return np.asarray((piece + shares * (np.roll(piece, -1, axis=0) - piece)).reshape(-1, 2))


def few_degrees(one: ChainSubject, dice: np.random.Generator) -> Picture:
    """One hinge, or two, a few degrees off."""
    many = min(one.level, 1 + int(dice.integers(2)))
    chosen = set(dice.permutation(one.level)[:many].tolist())
    low, high = (7, 12) if many == 1 else (8, 12)
    signs = dice.choice([-1, 1], one.level)
    off = math.radians(float(dice.uniform(low, high)))
    return one.drawn(tuple(angle + off * signs[at] * (at in chosen) for at, angle in enumerate(one.puzzle.angles)))


def rounded_piece(one: ChainSubject, dice: np.random.Generator) -> Picture:
    """A piece drawn as a disc, a pentagon, a hexagon or an octagon."""
    pieces, at = one.placed, int(dice.integers(one.level + 1))
    corners = int(dice.choice([5, 6, 8, 40]))
    turns = (np.arange(corners) + dice.random()) * 2 * np.pi / corners
    pieces[at] = pieces[at].mean(axis=0) + 0.42 * np.stack([np.cos(turns), np.sin(turns)], axis=1)
    return one.laid(pieces)


def bitten(one: ChainSubject, dice: np.random.Generator) -> Picture | None:
    """A bite out of a corner, or out of a side, of a piece."""
    at = int(dice.integers(one.level + 1))
    found = _seen_edge(one, at)
    if found is None:
        return None
    picture = one.drawn(one.puzzle.angles)
    x, y = one.frame.at(found[int(dice.integers(2))][None])[0]
    radius = float(dice.uniform(0.13, 0.28)) * one.frame.unit_px
    ground = tuple(int(value) for value in one.style.ground)
    cv2.circle(picture, (round(float(x)), round(float(y))), round(radius), ground, -1, cv2.LINE_AA)
    return picture


def cut_corner(one: ChainSubject, dice: np.random.Generator) -> Picture | None:
    """A corner cut off."""
    pieces, at = one.placed, int(dice.integers(one.level + 1))
    found = _seen_edge(one, at)
    if found is None:
        return None
    number = int(np.hypot(*(pieces[at] - found[0]).T).argmin())
    before, own, after = (pieces[at][(number + step) % len(pieces[at])] for step in (-1, 0, 1))
    share = float(dice.uniform(0.22, 0.45))
    new = [own + share * (before - own), own + share * (after - own)]
    pieces[at] = np.array([*pieces[at][:number], *new, *pieces[at][number + 1 :]])
    return one.laid(pieces)


def striped(one: ChainSubject, dice: np.random.Generator) -> Picture:
    """Stripes of another piece's colour over a piece."""
    at = int(dice.integers(one.level + 1))
    other = (at + 1 + int(dice.integers(one.level))) % (one.level + 1)
    picture = one.drawn(one.puzzle.angles)
    row, column = np.indices(picture.shape[:2])
    period = max(6, round(float(dice.uniform(0.07, 0.2)) * one.frame.unit_px))
    own = np.abs(picture.astype(int) - rgb(one.colors[at])).max(axis=2) < 12
    picture[own & ((row + column) % period < period / 2)] = rgb(one.colors[other])
    return picture


def lined(one: ChainSubject, dice: np.random.Generator) -> Picture:
    """Thin grey lines over the whole picture."""
    picture = one.drawn(one.puzzle.angles)
    width = max(2, round(0.015 * one.frame.unit_px))
    step = round(float(dice.uniform(0.2, 0.4)) * one.frame.unit_px)
    upright = dice.random() < 0.5
    for at in range(step // 2, one.side, step):
        if upright:
            picture[:, at : at + width] = (128, 128, 128)
        else:
            picture[at : at + width] = (128, 128, 128)
    return picture


def small_piece(one: ChainSubject, dice: np.random.Generator) -> Picture:
    """One small piece more, that touches a corner of the chain, or lies on a hinge."""
    pieces = one.placed
    at = int(dice.integers(one.level + 1))
    size = float(dice.uniform(0.28, 0.45))
    small = moved(pieces[at], pieces[at].mean(axis=0), float(dice.uniform(0, 2)), scale=size)
    place = pieces[at][int(dice.integers(len(pieces[at])))]
    picture = one.drawn(one.puzzle.angles)
    points = np.rint(one.frame.at(small - small.mean(axis=0) + place) * 16).astype(np.int32)
    cv2.fillPoly(picture, [points], (200, 30, 160) if dice.random() < 0.7 else (90, 130, 20), cv2.LINE_AA, 4)
    return picture


def gaps(one: ChainSubject, dice: np.random.Generator) -> Picture:
    """A small gap at every hinge."""
    far, pieces = float(dice.uniform(0.1, 0.14)), one.placed
    centres = [piece.mean(axis=0) for piece in pieces]
    by = np.zeros(2)
    for at in range(1, len(pieces)):
        step = centres[at] - centres[at - 1]
        by = by + far * step / max(1e-9, float(np.hypot(*step)))
        pieces[at] = pieces[at] + by
    return one.laid(pieces)


def _other_folding(one: ChainSubject, dice: np.random.Generator) -> tuple[float, ...] | None:
    for _ in range(20):
        at, step = int(dice.integers(one.level)), 1 + int(dice.integers(7))
        angles = tuple(angle + ANGLE_STEP * step * (number == at) for number, angle in enumerate(one.puzzle.angles))
        shows = every_piece_shows(one.puzzle.shapes, angles)
        if shows and not compare(one.puzzle.shapes, angles, one.puzzle.angles).same:
            return angles
    return None


def wrong_beside(one: ChainSubject, dice: np.random.Generator) -> Picture | None:
    """The right chain, and a wrong one where the silhouette may stand."""
    angles = _other_folding(one, dice)
    return None if angles is None else beside(one.drawn(one.puzzle.angles), one.drawn(angles))


def small_right(one: ChainSubject, dice: np.random.Generator) -> Picture | None:
    """A wrong chain, and a small right one in a corner."""
    angles = _other_folding(one, dice)
    if angles is None:
        return None
    picture = one.drawn(angles)
    side = round(float(dice.uniform(0.22, 0.3)) * one.side)
    small = cv2.resize(one.drawn(one.puzzle.angles), (side, side), interpolation=cv2.INTER_AREA)
    corner = dice.integers(2, size=2)
    top, left = (4 if low else one.side - side - 4 for low in corner)
    picture[top : top + side, left : left + side] = small
    return picture


def close_crop(one: ChainSubject, picture: Picture, dice: np.random.Generator) -> Picture:
    """A picture of the folded chain cut out closely around it."""
    every = np.concatenate([one.frame.at(corners) for corners in folded(one.puzzle.shapes, one.puzzle.angles)])
    margin = float(dice.choice([0.15, 0.3, 0.7])) * one.frame.unit_px
    left, top = (max(0, int(value)) for value in every.min(axis=0) - margin)
    right, bottom = (int(value) for value in every.max(axis=0) + margin)
    return np.ascontiguousarray(picture[top:bottom, left:right])
