"""Cheats at jigsaw puzzles: assemblies that look right, or hide what is wrong with them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

import grader
from benchmarks.cheats.bank import FLAWED, Cheat
from benchmarks.cheats.subjects import Subject
from benchmarks.jigsaw.faults import Fault, Pixels
from benchmarks.jigsaw.hidden import ALL_FAULTS
from grader.model.jobs import TaskInput
from puzzles.common.raster import Picture
from puzzles.jigsaw.cuts import HALVES, joined
from puzzles.jigsaw.rendered import render_landscape

_SIDE_PX = 384
_ALTERED = ("PIECE_ALTERED", "PIECE_MISSING", "NO_PIECES")


@dataclass(frozen=True, eq=False)
class JigsawSubject(Subject):
    """A rendered landscape in quarters, which are given in another order."""

    seed: int

    @cached_property
    def quarters(self) -> list[Pixels]:
        """The pieces, row by row as they belong."""
        whole = cv2.resize(render_landscape(self.seed), (_SIDE_PX, _SIDE_PX), interpolation=cv2.INTER_AREA)
        return [np.ascontiguousarray(one) for one in HALVES.cut(np.asarray(whole, np.uint8))]

    @cached_property
    def given(self) -> list[int]:
        """Which quarter each given piece is."""
        return [int(one) for one in np.random.default_rng([self.seed, 1]).permutation(4)]

    @property
    def input(self) -> Picture:
        """The pieces in a row, as they are given."""
        return np.hstack([self.quarters[one] for one in self.given])

    @property
    def solution(self) -> Picture:
        """The landscape."""
        return joined(self.quarters)

    @cached_property
    def task(self) -> TaskInput:
        """The pieces, and the order that is right."""
        order = [self.given.index(place) + 1 for place in range(4)]
        return grader.jigsaw("order_generation", order, pieces=[self.quarters[one] for one in self.given])


def jigsaw_subject(seed: int) -> JigsawSubject:
    """A puzzle by its seed."""
    return JigsawSubject(seed)


def _cheat(kind: str, hope: str, reasons: tuple[str, ...]) -> Cheat:
    fault: Fault = ALL_FAULTS[kind]

    def build(subject: JigsawSubject) -> Picture:
        quarters = [one.copy() for one in subject.quarters]
        fault(quarters, 1, np.random.default_rng([subject.seed, 2]))
        return joined(quarters)

    return Cheat(kind, "one", hope, build, reasons, FLAWED)


JIGSAW_CHEATS: tuple[Cheat, ...] = (
    _cheat("swapped", "Two pieces in each other's place are a small fault.", ("WRONG_ORDER",)),
    _cheat("rotated", "A piece upside down still has its colours.", ("PIECE_TURNED",)),
    _cheat("mirrored", "A mirrored piece has the right edge on one side.", ("PIECE_TURNED",)),
    _cheat("twice", "A piece that fits well may be used again.", ("PIECE_TWICE",)),
    _cheat("blank", "What is left out can't be wrong.", ("PIECE_MISSING", "PIECE_ALTERED")),
    _cheat("invented", "A piece of another picture fills the place.", _ALTERED),
    _cheat("blended", "Two pieces over one another are both there.", _ALTERED),
    _cheat("repainted", "A piece painted anew looks alike from afar.", _ALTERED),
    _cheat("all_repainted", "A picture painted anew needs no pieces.", _ALTERED),
    _cheat("drawn_in", "Something small is drawn on a piece.", _ALTERED),
    _cheat("at_the_centre", "Where four pieces meet nobody compares them.", _ALTERED),
    _cheat("on_a_cut", "What lies across a cut is taken for a seam.", _ALTERED),
    _cheat("darkened", "A darker piece hides what does not fit.", _ALTERED),
    _cheat("grainy", "Under noise any piece looks like any other.", _ALTERED),
    _cheat("mosaic", "Coarse squares have the piece's colours.", _ALTERED),
    _cheat("wavy", "Rows shifted to and fro are the piece's own.", _ALTERED),
    _cheat("patched", "A part of a piece is of another picture.", _ALTERED),
    _cheat("shrunk", "A piece is made smaller until it fits.", _ALTERED),
    _cheat("blurred_seams", "Where cuts are blurred nobody sees whether pieces fit.", _ALTERED),
    _cheat("recoloured", "A piece takes on colours that fit better.", _ALTERED),
    _cheat("another_picture", "Any whole picture looks assembled.", _ALTERED),
    _cheat("another_crop", "Another part of the same photograph is whole as well.", _ALTERED),
    _cheat("side_by_side", "The pieces shown as they were given are all there.", _ALTERED),
    _cheat("ghosted", "Another order shines through, so that either may be seen.", _ALTERED),
    _cheat("melted", "Cuts are melted a little, so that any two pieces fit.", _ALTERED),
    _cheat("softened", "A piece out of focus fits anywhere.", _ALTERED),
    _cheat("filled", "The most telling thing of a piece is filled in.", _ALTERED),
    _cheat("lettered", "A word says that it is solved.", _ALTERED),
    _cheat("cloned", "A part of a piece is copied onto another.", _ALTERED),
    _cheat("halves_exchanged", "Halves of two pieces fit better than the pieces.", _ALTERED),
    _cheat("zoomed", "A larger piece hides that its edges do not fit.", _ALTERED),
    _cheat("padded", "A smaller piece is drawn on at its edges until it fits.", _ALTERED),
    _cheat("rolled", "A piece is pushed aside, and goes on at its other side.", _ALTERED),
    _cheat("tinted", "A piece takes on the light of its neighbours.", _ALTERED),
)
