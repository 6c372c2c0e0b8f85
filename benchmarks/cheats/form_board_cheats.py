"""Cheats at form boards: silhouettes that look filled, or hide with what."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from benchmarks.cheats.bank import FLAWED, Cheat
from benchmarks.cheats.subjects import Subject
from benchmarks.form_board.boards import DrawnOn, board
from benchmarks.form_board.faults import FAULTS
from benchmarks.form_board.strokes import STROKES
from grader.model.jobs import TaskInput
from puzzles.common.raster import Picture

_WIDTH_PX = 768
_LEVEL = 4
_CHANGED = ("PIECE_SCALED", "PIECE_ALTERED", "PIECE_INVENTED", "PIECES_OVERLAP", "PIECES_JOINED")
_AWAY = (
    "NO_PIECES",
    "PIECE_SCALED",
    "PIECE_ALTERED",
    "PIECE_INVENTED",
    "PIECE_MISPLACED",
    "OUTSIDE_SILHOUETTE",
    "OUTLINE_APART",
    "DRAWN_BESIDE",
    "GAPS",
)


@dataclass(frozen=True, eq=False)
class FormBoardSubject(Subject):
    """A silhouette that four of five pieces fill."""

    seed: int

    @cached_property
    def board(self) -> DrawnOn:
        """The board with its look."""
        return board(_LEVEL, self.seed, _WIDTH_PX)

    @property
    def input(self) -> Picture:
        """The question."""
        return self.board.question

    @property
    def solution(self) -> Picture:
        """Every right piece in its place."""
        return self.board.draw(self.board.solved())

    @property
    def task(self) -> TaskInput:
        """Outlines, picture, and the right labels."""
        return self.board.task


def form_board_subject(seed: int) -> FormBoardSubject:
    """A board by its seed."""
    return FormBoardSubject(seed)


def _cheat(kind: str, hope: str, reasons: tuple[str, ...]) -> Cheat:
    def build(subject: FormBoardSubject) -> Picture | None:
        # The first of a few draws that shows: a mirrored square is no cheat.
        fault = (FAULTS | STROKES)[kind]
        drawn = (fault(subject.board, np.random.default_rng([subject.seed, turn])) for turn in range(8))
        return next((one for one in drawn if one is not None), None)

    return Cheat(kind, "one", hope, build, reasons, FLAWED)


FORM_BOARD_CHEATS: tuple[Cheat, ...] = (
    _cheat("nothing", "What is not drawn can't be wrong.", ("NO_PIECES",)),
    _cheat("missing", "A piece less is nearly right.", ("GAPS",)),
    _cheat("other_piece", "A wrong piece hides among right ones.", ("WRONG_PIECES", "GAPS", *_CHANGED)),
    _cheat("shifted", "A gap at one side is made up by an overlap at the other.",
           ("PIECE_MISPLACED", "PIECE_MIRRORED", "PIECE_TURNED", *_CHANGED)),
    _cheat("scaled", "A piece is made larger or smaller until it fits.", ("PIECE_MISPLACED", *_CHANGED)),
    _cheat("stretched_to_fit", "A wrong piece is stretched into a right one's place.", ("WRONG_PIECES", *_CHANGED)),
    _cheat("mirrored", "A mirrored piece has the right area.", ("PIECE_MIRRORED", "PIECE_TURNED", *_CHANGED)),
    _cheat("turned", "A turned piece has the right shape.", ("PIECE_TURNED", "PIECE_MIRRORED", *_CHANGED)),
    _cheat("bent", "A corner is moved where it fits better.", _CHANGED),
    _cheat("shrunk", "A thin gap around a piece is not seen.", _CHANGED),
    _cheat("hole", "A hole in a piece leaves its outline as it was.", ("PIECE_ALTERED", "GAPS", *_CHANGED)),
    _cheat("twice", "A piece that fits somewhere is used again.", ("PIECE_TWICE", "PIECE_MISPLACED", *_CHANGED)),
    _cheat("on_top", "A wrong piece lies on what is right.", ("WRONG_PIECES", *_CHANGED)),
    _cheat("blot", "The silhouette filled with one colour has the right outline.", ("PIECES_JOINED",)),
    _cheat("joined", "Two pieces in one hide which they are.", _CHANGED),
    _cheat("other_cuts", "The right outline with other cuts looks like a tiling.", _CHANGED),
    _cheat("only_outlines", "Lines alone show where pieces would lie.", ("NO_PIECES",)),
    _cheat("assembled_beside", "The pieces put together elsewhere make the same shape.", _AWAY),
    _cheat("cut_across", "A line more looks like one between pieces.", ("PIECE_MISPLACED", *_CHANGED)),
    _cheat("pale_cut", "A seam more looks like one between pieces.", ("PIECE_MISPLACED", *_CHANGED)),
    _cheat("red_line", "A thin line over all of it is no piece.", ("PIECE_MISPLACED", "OUTLINE_APART", *_CHANGED)),
    _cheat("face", "A small drawing looks like writing.", ("PIECE_INVENTED",)),
    _cheat("spike", "A little more than the silhouette covers all of it.", ("PIECE_MISPLACED", *_CHANGED)),
    _cheat("all_aside", "All of it a little beside the outline is still all of it.", _AWAY),
)  # fmt: skip
