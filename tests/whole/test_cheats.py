"""The bank of cheats holds: none passes, each fails for its reason, none earns more than the truth in it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from benchmarks.cheats.bank import Cheat
from benchmarks.cheats.boards import board_subject
from benchmarks.cheats.catalogue import BANK, KNOWN_HOLES, table
from benchmarks.cheats.edit_harmless import EDIT_HARMLESS
from benchmarks.cheats.edit_scenes import EDITED, GateBySsim, edit_subject
from benchmarks.cheats.fold_cheats import fold_subject
from benchmarks.cheats.form_board_cheats import form_board_subject
from benchmarks.cheats.grid_cheats import grid_subject
from benchmarks.cheats.harmless import HARMLESS
from benchmarks.cheats.hinge_cheats import hinge_subject
from benchmarks.cheats.jigsaw_cheats import jigsaw_subject
from benchmarks.cheats.mazes import maze_subject
from benchmarks.cheats.subjects import Subject
from grader.engine.engine import Engine
from grader.model.jobs import CandidateKind
from grader.model.verdict import Outcome, Verdict
from grader.tasks.registry import list_tasks
from puzzles.maze.geometry import Geometry
from puzzles.tabletop.edits import Operation
from tests.form_board.test_drawn import SPOILT
from tests.hinge_folding.test_drawn import CAUGHT
from tests.jigsaw.test_drawn import EXPECTED
from tests.paper_fold.test_drawn import CHEATS as DRAWN_CHEATS

ENGINE = Engine(measures=GateBySsim())
# Each cheat is tried on one small puzzle, the next cheat on the next one; `python -m benchmarks.cheats` tries all.
PUZZLES = {
    "maze": tuple((maze_subject, geometry, 3) for geometry in Geometry),
    "queens": ((board_subject, 5), (board_subject, 6)),
    "spatial_edit": tuple((edit_subject, operation, 2) for operation in EDITED),
    "jigsaw": ((jigsaw_subject, 11), (jigsaw_subject, 12)),
    "grid_maze": ((grid_subject, 1), (grid_subject, 2)),
    "form_board": ((form_board_subject, 1), (form_board_subject, 2)),
    "hinge_folding": ((hinge_subject, 1), (hinge_subject, 2)),
    "paper_fold": ((fold_subject, 1), (fold_subject, 2)),
}
LEAST_KINDS = {"maze": 25, "queens": 25, "spatial_edit": 25, "jigsaw": 15, "form_board": 15}
LEAST_KINDS |= {"grid_maze": 15, "hinge_folding": 20, "paper_fold": 15}
CASES = [(task, cheat, place) for task, cheats in BANK.items() for place, cheat in enumerate(cheats)]
# What both tasks have, such as blanks, crops and hidden frames, takes turns.
SHARED = sorted({cheat.name for cheat in BANK["maze"]} & {cheat.name for cheat in BANK["queens"]})
TURNS = {name: ("maze", "queens")[turn % 2] for turn, name in enumerate(SHARED)}
MANY_OF_KIND = 4
"""Of a kind of that many variants, such as floods in ten colours, the first or the last one is tried; of others one."""
ELSEWHERE = {"jigsaw": EXPECTED, "hinge_folding": CAUGHT, "form_board": SPOILT, "paper_fold": DRAWN_CHEATS}
"""What is wrong with a drawing in the same way is tried by the tests of these tasks, and not here once more."""


def turn_of(task: str, name: str) -> bool:
    """Whether a task has its turn at a cheat that mazes and boards share, or does not share it."""
    return task not in TURNS.values() or TURNS.get(name, task) == task


def tried() -> Iterator[tuple[str, Cheat, int]]:
    """Yields some variant of every kind of cheat that is no known hole."""
    kinds: dict[tuple[str, str], list[tuple[str, Cheat, int]]] = {}
    for task, cheat, place in CASES:
        if (task, cheat.name) in KNOWN_HOLES or cheat.kind in ELSEWHERE.get(task, ()):
            continue
        if turn_of(task, cheat.name):
            kinds.setdefault((task, cheat.kind), []).append((task, cheat, place))
    for turn, ((task, _), variants) in enumerate(kinds.items()):
        many = len(variants) >= MANY_OF_KIND and task != "spatial_edit"
        yield variants[-1 if many and turn % 2 else 0]


HOLDING = list(tried())
HOLES = [case for case in CASES if (case[0], case[1].name) in KNOWN_HOLES]


def name(case: object) -> str:
    return f"{case[0]}-{case[1].name}" if isinstance(case, tuple) else str(case)


@cache
def subjects(task: str) -> tuple[Subject, ...]:
    return tuple(make(*arguments) for make, *arguments in PUZZLES[task])


def graded(task: str, cheat: Cheat, place: int) -> Verdict:
    """The verdict on the cheat's own puzzle, or on the next one that has a place for it."""
    candidates = subjects(task)
    for step in range(len(candidates)):
        subject = candidates[(place + step) % len(candidates)]
        candidate = cheat.build(subject)
        if candidate is not None:
            return ENGINE.grade(subject.job(candidate))
    raise AssertionError(f"no puzzle has a place for {cheat.name}")


@pytest.mark.parametrize("case", HOLDING, ids=name)
def test_a_cheat_fails_for_its_reason(case: tuple[str, Cheat, int]) -> None:
    assert case[1].objections(graded(*case)) == ()


def test_known_holes_are_still_holes() -> None:
    """Where this fails, a hole was closed: take it off the list."""
    closed = []
    for task, cheat, _ in HOLES:
        drawn = ((subject, cheat.build(subject)) for subject in subjects(task))
        verdicts = (ENGINE.grade(subject.job(candidate)) for subject, candidate in drawn if candidate is not None)
        if not any(cheat.objections(verdict) for verdict in verdicts):
            closed.append(cheat.name)
    assert closed == []


@pytest.mark.parametrize(("turn", "look"), list(enumerate(HARMLESS)), ids=list(HARMLESS))
@pytest.mark.parametrize("task", ["maze", "queens"])
def test_right_answers_pass(task: str, turn: int, look: str) -> None:
    """On two puzzles, of which mazes take turns."""
    every = subjects(task)
    for subject in (every[turn % len(every)], every[(turn + 1) % len(every)]):
        verdict = ENGINE.grade(subject.job(HARMLESS[look](subject)))
        assert (verdict.outcome, verdict.reward) == (Outcome.PASS, 1.0)


@pytest.mark.parametrize("turn", range(len(EDIT_HARMLESS)))
def test_right_edits_pass(turn: int) -> None:
    """A move or a removal: what an encoder, a decoder or another light leave of a right picture is right."""
    subject = edit_subject((Operation.MOVE, Operation.REMOVE)[turn % 2], 2)
    verdict = ENGINE.grade(subject.job(list(EDIT_HARMLESS.values())[turn](subject)))
    assert (verdict.outcome, [reason.code for reason in verdict.reasons]) == (Outcome.PASS, [])


# Comparisons are not judged.
DRAWN_TASKS = [task for task in list_tasks() if CandidateKind.IMAGE in task.kinds and task.name != "compare"]


@pytest.mark.parametrize("task", DRAWN_TASKS, ids=lambda task: task.name)
def test_the_bank_is_large_and_well_formed(task) -> None:
    cheats = BANK[task.name]
    assert len({cheat.kind for cheat in cheats}) >= LEAST_KINDS[task.name]
    assert len({cheat.name for cheat in cheats}) == len(cheats)
    codes = {reason.code for reason in task.reasons}
    for cheat in cheats:
        assert set(cheat.reasons) <= codes
        assert cheat.hope.endswith(".")
        assert 0.0 <= cheat.ceiling < 1.0


def test_known_holes_are_in_the_bank() -> None:
    assert set(KNOWN_HOLES) <= {(task, cheat.name) for task, cheat, _ in CASES}


@pytest.mark.parametrize("task", BANK)
def test_the_page_lists_the_bank(task: str) -> None:
    """Where this fails: ``python -m benchmarks.cheats --docs`` prints the tables."""
    page = (Path(__file__).resolve().parent.parent.parent / "docs" / "cheats.md").read_text(encoding="utf-8")
    assert table(task) in page
