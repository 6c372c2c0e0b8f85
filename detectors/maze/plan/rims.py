"""How near to what is drawn in a maze something else is taken for a part of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RimConfig:
    """How near to what is drawn something else is taken for a part of it, and how colours are told.

    Attributes
    ----------
    marker_px : side of the square, in working pixels, by which JPEG smears a marker's colour
    wall_px : least reach, in working pixels, of what may be a wall that is drawn wider or displaced; a wall's width
        where that is more
    corridor : most of that reach, as a share of a corridor's width, where walls are wide
    pattern : contrast to the floor from which what the puzzle itself shows there is its pattern
    pattern_px : nearer to walls and markers, in working pixels, their edges are no pattern
    blur_px : standard deviation, in working pixels, of the blur by which the outwards direction is told
    bent_px : a border whose pixels lie farther from a straight line than this is bent...
    along_px : ...and what leads across it is told by the pixels so near, all in working pixels
    samples : colours are told by about so many pixels
    """

    marker_px: int = 9
    wall_px: int = 3
    corridor: float = 0.5
    pattern: float = 0.012
    pattern_px: float = 2.5
    blur_px: float = 2.0
    bent_px: float = 2.0
    along_px: float = 6.0
    samples: int = 1500


@dataclass(frozen=True)
class PieceRules:
    """How strokes are told on cells that are pieces of a floor, where nothing shows at which place they meet.

    Attributes
    ----------
    grazed_px : a stroke that comes through passages into a piece by no more than this only grazes it
    spur_px : a branch that reaches out of the way by more than this leads aside
    sunk_px : a stroke that is deeper in a wall than this runs within it, and so does...
    within_px : ...one that is deeper than this and than half its width
    cut_px : what is cut off by something that closes a corridor is at least a square of this side
    shut_px : of fewer pixels nothing closes a corridor
    thin_px : what is no wider than twice this closes nothing
    """

    grazed_px: float
    spur_px: float
    sunk_px: float
    within_px: float
    cut_px: float
    shut_px: float
    thin_px: int
