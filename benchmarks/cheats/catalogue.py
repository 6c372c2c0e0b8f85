"""The whole bank: all cheats, those that the grader does not catch yet, and the page that lists them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmarks.cheats.bank import Cheat
from benchmarks.cheats.edit_cheats import EDIT_CHEATS
from benchmarks.cheats.fold_cheats import FOLD_CHEATS
from benchmarks.cheats.form_board_cheats import FORM_BOARD_CHEATS
from benchmarks.cheats.grid_cheats import GRID_CHEATS
from benchmarks.cheats.hinge_cheats import HINGE_CHEATS
from benchmarks.cheats.jigsaw_cheats import JIGSAW_CHEATS
from benchmarks.cheats.maze_cheats import MAZE_CHEATS
from benchmarks.cheats.queens_cheats import QUEENS_CHEATS

BANK: dict[str, Sequence[Cheat]] = {
    "maze": MAZE_CHEATS,
    "queens": QUEENS_CHEATS,
    "spatial_edit": EDIT_CHEATS,
    "jigsaw": JIGSAW_CHEATS,
    "grid_maze": GRID_CHEATS,
    "hinge_folding": HINGE_CHEATS,
    "paper_fold": FOLD_CHEATS,
    "form_board": FORM_BOARD_CHEATS,
}
"""All cheats by task."""


KNOWN_HOLES: dict[tuple[str, str], str] = {
    ("spatial_edit", "cross_fade/half"): "half of an object that turned little looks like one that turned less",
}
"""Cheats, by task and name, that a verdict does not hold against yet, and why. Empty this."""


def rows(task: str) -> Iterator[tuple[str, str, str, str]]:
    """Yield kind, its variants, the hope and the reasons of each kind of a task, in order."""
    kinds: dict[str, list[Cheat]] = {}
    for cheat in BANK[task]:
        kinds.setdefault(cheat.kind, []).append(cheat)
    for kind, members in kinds.items():
        reasons = ", ".join(f"`{code}`" for code in members[0].reasons)
        yield f"`{kind}`", ", ".join(member.variant for member in members), members[0].hope, reasons


def table(task: str) -> str:
    """Return the table of a task's kinds in Markdown, as docs/cheats.md has it."""
    lines = ["| kind | variants | what it hopes for | first reason, one of |", "|---|---|---|---|"]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows(task))]) + "\n"
