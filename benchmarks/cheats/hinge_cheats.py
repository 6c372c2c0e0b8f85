"""Cheats at hinge folding: pictures that have the right silhouette, or hide what is wrong with them."""

from __future__ import annotations

import numpy as np

from benchmarks.cheats.bank import FLAWED, Cheat
from benchmarks.hinge_folding.faults import FAULTS, Fault
from benchmarks.hinge_folding.subjects import ChainSubject
from puzzles.common.raster import Picture
from puzzles.hinge_folding.style import HINGE_STYLES

_SIDE_PX = 320
_SPOILT = ("PIECE_MISSING", "SOMETHING_DRAWN", "CHAIN_CUT", "PIECE_ALTERED", "NO_CHAIN", "SILHOUETTE_ONLY")
_TWO = (*_SPOILT, "SECOND_CHAIN", "PIECE_SEE_THROUGH", "PIECE_FAINT")
_WRONG = ("WRONG_SILHOUETTE",)


def hinge_subject(seed: int) -> ChainSubject:
    """A chain of three hinges by its seed."""
    return ChainSubject(3, seed, HINGE_STYLES["published"], _SIDE_PX)


def _cheat(kind: str, hope: str, reasons: tuple[str, ...], ceiling: float = 0.0) -> Cheat:
    fault: Fault = FAULTS[kind]

    def build(subject: ChainSubject) -> Picture | None:
        return fault(subject, np.random.default_rng([subject.seed, 2]))

    return Cheat(kind, "one", hope, build, reasons, ceiling)


HINGE_CHEATS: tuple[Cheat, ...] = (
    _cheat("wrong_angle", "One hinge of several is a small fault.", _WRONG, FLAWED),
    _cheat("half_done", "Most hinges are right.", _WRONG, FLAWED),
    _cheat("not_turned", "What was given can't be wrong.", _WRONG, FLAWED),
    _cheat("mirrored_chain", "A mirrored chain looks much the same.", _WRONG, FLAWED),
    _cheat("turned_chain", "The right shape, turned as a whole.", (*_TWO, "CHAIN_TURNED", "WRONG_SILHOUETTE"), FLAWED),
    _cheat("between", "An angle between two may count as either.", (*_SPOILT, "HINGE_BETWEEN"), FLAWED),
    _cheat("cut", "A chain that is cut reaches farther.", _SPOILT),
    _cheat("scaled", "A piece is made larger or smaller until it fits.", _SPOILT),
    _cheat("left_out", "What is left out is in nobody's way.", _SPOILT),
    _cheat("added", "One more piece fills the gap.", _TWO),
    _cheat("other_shape", "Another shape fills the place.", (*_SPOILT, "HINGE_BETWEEN"), FLAWED),
    _cheat("permuted", "Shapes that change places.", (*_SPOILT, "HINGE_BETWEEN", "WRONG_SILHOUETTE"), FLAWED),
    _cheat("blot", "The silhouette filled with one blot has the right outline.", _SPOILT),
    _cheat("colored_blot", "The same in a piece's colour, with the letters.", _SPOILT),
    _cheat("target_over", "The silhouette that was given is the answer.", _SPOILT),
    _cheat("target_on_chain", "The silhouette lies over the chain.", _TWO),
    _cheat("target_beside", "The silhouette is pasted beside the chain.", _TWO),
    _cheat("two_chains", "One of two chains is right.", _TWO),
    _cheat("ghost", "A piece half transparent at two angles is at one of them.", (*_TWO, "WRONG_SILHOUETTE")),
    _cheat("faint_piece", "A piece that hardly shows is in nobody's way.", _TWO),
    _cheat("outlined_second", "Outlines of another answer are but a sketch.", _TWO),
    _cheat("hidden_by_blob", "What is covered can't be seen to be wrong.", _TWO),
    _cheat("scribbled", "A spot of colour does no harm.", _TWO),
)
"""All ways to cheat at it."""
