"""All cheats on Queens boards."""

from __future__ import annotations

from benchmarks.cheats.bank import Cheat
from benchmarks.cheats.board_changes import CHANGES
from benchmarks.cheats.board_covers import COVERS
from benchmarks.cheats.board_marks import MARKS
from benchmarks.cheats.board_placements import PLACEMENTS
from benchmarks.cheats.files import file_cheats
from benchmarks.cheats.frames import frame_cheats

_NOTHING = ("NO_QUEENS",)
_ALTERED = ("NOT_THE_PUZZLE", "REGIONS_ALTERED", "GRID_ERASED", "BOARD_COVERED", "MARK_NOT_A_QUEEN")
_MISSING = ("QUEEN_ON_BORDER", "NO_QUEENS", "QUEENS_EVERYWHERE")

QUEENS_CHEATS: tuple[Cheat, ...] = (
    *PLACEMENTS,
    *MARKS,
    *COVERS,
    *CHANGES,
    *frame_cheats(_NOTHING, _ALTERED, _MISSING),
    *file_cheats(_NOTHING, _ALTERED),
)
"""Every cheat on a board, by theme."""
