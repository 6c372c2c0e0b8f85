"""All cheats at spatial edits."""

from __future__ import annotations

from benchmarks.cheats.bank import Cheat
from benchmarks.cheats.edit_holes import HOLES
from benchmarks.cheats.edit_looks import LOOKS
from benchmarks.cheats.edit_pastes import PASTES
from benchmarks.cheats.edit_wrong_scenes import WRONG_SCENES

EDIT_CHEATS: tuple[Cheat, ...] = (*WRONG_SCENES, *HOLES, *PASTES, *LOOKS)
"""Every cheat at an edit, by theme."""
