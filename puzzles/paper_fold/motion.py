"""Clips of a sheet that is unfolded: each flap turns over about its crease, the last fold first."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import shapely

from puzzles.common.raster import Picture
from puzzles.paper_fold.generator import PaperFoldPuzzle
from puzzles.paper_fold.patterns import RADIUS
from puzzles.paper_fold.render import UnitSquare, lay_outline, render_sheet
from puzzles.paper_fold.rules import Fold, FoldedSheet, Outline, Point
from puzzles.paper_fold.style import FoldStyle

REST_S, TURN_S = 0.5, 0.8
"""How long the sheet rests after each fold that is undone, and how long a flap takes to turn over."""
_CORNERS = 28


def clip_frames(puzzle: PaperFoldPuzzle, style: FoldStyle, side: int, fps: float) -> Iterator[Picture]:
    """Make the frames: the punched sheet at rest, then each fold undone, with a rest after it.

    Parameters
    ----------
    puzzle
        The puzzle.
    style
        Colours and widths.
    side
        Of the frames in pixels.
    fps
        Frames a second.
    """
    rest, turn = max(1, round(REST_S * fps)), max(2, round(TURN_S * fps))
    for _ in range(rest):
        yield render_sheet(puzzle.sheets[-1], puzzle.holes[-1], style, side)
    for number in range(len(puzzle.folds) - 1, -1, -1):
        for step in range(1, turn):
            share = 0.5 - 0.5 * math.cos(math.pi * step / turn)
            yield render_turning(puzzle, number, share, style, side)
        still = render_sheet(puzzle.sheets[number], puzzle.holes[number], style, side)
        for _ in range(rest):
            yield still


def render_turning(puzzle: PaperFoldPuzzle, number: int, share: float, style: FoldStyle, side: int) -> Picture:
    """Draw the sheet while a fold is undone.

    Parameters
    ----------
    puzzle
        The puzzle.
    number
        The folds that are left once this one is undone.
    share
        How far it is undone, from 0 to 1.
    style, side
        As of `clip_frames`.
    """
    fold, folded = puzzle.folds[number], puzzle.sheets[number + 1]
    stays = tuple(layer for layer, flap in zip(folded.layers, folded.flaps, strict=True) if not flap)
    holes = tuple(one for one in puzzle.holes[number + 1])
    picture = render_sheet(FoldedSheet(stays, (False,) * len(stays)), holes, style, side)
    frame = UnitSquare(side, style.sheet_share)
    turn = math.cos(math.pi * share)
    flap = [layer for layer, over in zip(folded.layers, folded.flaps, strict=True) if over]
    # Seen from behind, the lowest layer of the flap is the uppermost one.
    for layer in flap if turn > 0 else reversed(flap):
        outline = tuple(_turned(fold, point, turn) for point in layer.outline)
        turned = layer.turned if turn > 0 else not layer.turned
        lay_outline(picture, outline, style.back if turned else style.front, style, frame)
    for hole in holes:
        if shapely.contains_xy(folded.flap, *hole):
            ring = tuple(_turned(fold, point, turn) for point in _circle(hole))
            lay_outline(picture, ring, style.hole, style, frame, hole=True)
    return picture


def _turned(fold: Fold, point: Point, turn: float) -> Point:
    """A point of the flap, between where it lies (1) and where it lay before the fold (-1)."""
    x, y = fold.mirror(point)
    middle = ((point[0] + x) / 2, (point[1] + y) / 2)
    return middle[0] + turn * (point[0] - middle[0]), middle[1] + turn * (point[1] - middle[1])


def _circle(center: Point) -> Outline:
    angles = np.linspace(0, 2 * math.pi, _CORNERS, endpoint=False)
    return tuple((center[0] + RADIUS * math.cos(at), center[1] + RADIUS * math.sin(at)) for at in angles.tolist())
