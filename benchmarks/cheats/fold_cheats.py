"""Cheats at paper folds: unfolded sheets that look right, or hide what is wrong with them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from benchmarks.cheats.bank import Cheat
from benchmarks.cheats.subjects import Subject
from benchmarks.paper_fold.drawing import DrawnSheet, HoleLook
from benchmarks.paper_fold.faults import FAULTS, Fault
from benchmarks.paper_fold.unlike import UNLIKE
from grader.model.jobs import TaskInput
from puzzles.common.raster import Picture
from puzzles.paper_fold.generator import generate_paper_fold
from puzzles.paper_fold.style import FoldStyle

_SIDE_PX, _LEVEL = 384, 3
_BESIDE = ("OTHER_DRAWINGS", "NOT_THE_PUZZLE", "SHEET_ALTERED")
_MARKED = ("MARK_NOT_A_HOLE", "SHEET_ALTERED")
_HALF = 0.45
"""The most that an answer earns that has right holes and something beside them that is none."""


@dataclass(frozen=True, eq=False)
class FoldSubject(Subject):
    """A sheet that is folded three times."""

    seed: int

    @cached_property
    def drawn(self) -> DrawnSheet:
        """The sheet in a look."""
        return DrawnSheet(generate_paper_fold(_LEVEL, self.seed), FoldStyle(), _SIDE_PX)

    @property
    def input(self) -> Picture:
        """The flat sheet without holes."""
        return self.drawn.flat

    @property
    def solution(self) -> Picture:
        """The sheet with its holes."""
        return self.drawn.holes(self.drawn.puzzle.holes[0], HoleLook(), np.random.default_rng(self.seed))

    @cached_property
    def task(self) -> TaskInput:
        """Folds, punches, and the flat sheet."""
        return replace(self.drawn.task, sheets=self.drawn.task.sheets[:1])


def fold_subject(seed: int) -> FoldSubject:
    """A puzzle by its seed."""
    return FoldSubject(seed)


def _cheat(kind: str, hope: str, reasons: tuple[str, ...], ceiling: float = 0.0) -> Cheat:
    fault: Fault = (FAULTS | UNLIKE)[kind]

    def build(subject: FoldSubject) -> Picture | None:
        return fault(subject.drawn, HoleLook(), np.random.default_rng([subject.seed, 2]))

    return Cheat(kind, "one", hope, build, reasons, ceiling)


FOLD_CHEATS: tuple[Cheat, ...] = (
    _cheat("blank", "What is not drawn can't be wrong.", ("NO_HOLES",)),
    _cheat("faint_rings", "Rings that are hardly seen may count, or not, as it suits.", ("NO_HOLES",)),
    _cheat("half_drawn", "Half of a hole is at the right place.", ("NO_HOLES", "MARK_NOT_A_HOLE")),
    _cheat("half_size", "Small holes are easily within the right ones.", ("HOLE_SIZE",)),
    _cheat("twice_size", "A large hole covers its place wherever that is.", ("HOLE_SIZE", "MARK_NOT_A_HOLE"), _HALF),
    _cheat("smeared", "A long hole covers several places.", ("MARK_NOT_A_HOLE", "SHEET_ALTERED", "HOLE_SIZE"), _HALF),
    _cheat("options_copied", "The right option is among the five.", _BESIDE),
    _cheat("question_returned", "The question shows the right option.", _BESIDE),
    _cheat("two_options", "One of two sheets is right.", _BESIDE),
    _cheat("two_overlaid", "The holes of two options hold all right ones.", ("HOLES_EXTRA",), 0.9),
    _cheat("sprinkled", "Holes everywhere are at the right places too.", ("HOLES_EVERYWHERE", "SHEET_ALTERED")),
    _cheat("holes_outside", "What lies beside the sheet is not looked at.", ("HOLE_OUTSIDE",), _HALF),
    _cheat("close_in_color", "A hole in nearly the sheet's colour may be there or not.", ("MARK_NOT_A_HOLE",), _HALF),
    _cheat("joined", "A line between holes is none.", _MARKED, _HALF),
    _cheat("corner_folded", "A fold that is left hides what would be there.", ("SHEET_ALTERED",)),
    _cheat("torn", "Where the sheet is torn no hole can be missed.", ("SHEET_ALTERED",)),
    _cheat("repainted", "Another sheet has other holes.", ("SHEET_ALTERED", "NOT_THE_PUZZLE")),
    _cheat("letters", "A letter says which pattern is meant.", ("MARK_NOT_A_HOLE", "HOLE_SIZE"), _HALF),
    _cheat("one_red", "A hole in another colour may be one or not.", ("MARK_NOT_A_HOLE",), _HALF),
    _cheat("one_ring", "A ring alone may be a hole or not.", ("MARK_NOT_A_HOLE",), _HALF),
    _cheat("one_faded", "A faded hole may be one or not.", ("MARK_NOT_A_HOLE",), _HALF),
    _cheat("scribbled", "Under a hatching holes are hard to tell.", (*_MARKED, "NO_HOLES"), _HALF),
)  # fmt: skip
