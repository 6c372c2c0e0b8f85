"""Compares what was seen on a Queens board with the rules and the right placement. No pixels here."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from detectors.queens.queens import BoardFindings, OtherMark
from detectors.queens.remainder.finding import BoardRemainder, BoardRole
from grader.metrics.cells import coverage, pass_score, violation
from grader.model.places import PixelBox, Place
from grader.model.verdict import Alignment, Reason
from grader.tasks.common.progress import FAILED_REWARD, count
from grader.tasks.queens.puzzle import QueensPuzzle
from grader.tasks.queens.reasons import REASONS
from grader.tasks.queens.settings import BoardRules, QueensSettings
from puzzles.queens.board import Conflict, ConflictKind, legality

_CHEATS = frozenset(
    {"NOT_THE_PUZZLE", "BOARD_COVERED", "QUEENS_EVERYWHERE", "REGIONS_ALTERED", "GRID_ERASED", "NO_QUEENS"}
    | {"OTHER_DRAWINGS"}
)
"""Reasons that leave no reward: the board was altered, or the drawing is no placement."""

_MARKED = frozenset({"MARK_NOT_A_QUEEN", "QUEEN_ON_BORDER"})
"""Reasons of things that are drawn beside queens."""

_CONFLICTS = {
    ConflictKind.ROW: ("ROW_CONFLICT", "in one row"),
    ConflictKind.COLUMN: ("COLUMN_CONFLICT", "in one column"),
    ConflictKind.REGION: ("REGION_CONFLICT", "in one region"),
    ConflictKind.TOUCHING: ("QUEENS_TOUCH", "touch each other"),
}


_MARKS = {
    BoardRole.MARK: "a mark in a cell",
    BoardRole.WRITING: "writing over cells",
    BoardRole.ON_LINES: "a mark on grid lines",
    BoardRole.ON_QUEEN: "a mark over a queen",
    BoardRole.NOT_ONE_DISC: "a queen that is not one whole disc",
}
"""What is said of what is left over; decoration is harmless."""


@dataclass(frozen=True)
class BoardJudgement:
    """What the comparison says.

    Attributes
    ----------
    reasons : why it fails, gravest first
    coverage, violation : as in the paper, 0 to 1
    legal : whether there are n queens and no rule is broken
    wrong, missed : (row, column) of queens that are not the solution's, and of its cells without one
    reward : 0 to 1
    """

    reasons: tuple[Reason, ...]
    coverage: float
    violation: float
    legal: bool
    conflicts: int
    wrong: tuple[tuple[int, int], ...]
    missed: tuple[tuple[int, int], ...]
    reward: float


def judge_board(
    puzzle: QueensPuzzle,
    alignment: Alignment,
    found: BoardFindings,
    left: BoardRemainder,
    beside: bool,
    settings: QueensSettings,
) -> BoardJudgement:
    """Judges the findings of a detector against the rules and the right placement.

    Parameters
    ----------
    puzzle : QueensPuzzle
    alignment : Alignment
        Of the candidate.
    found : BoardFindings
    left : BoardRemainder
        What neither the board nor its queens explain.
    beside : bool
        Whether other drawings lie beside the board.
    settings : QueensSettings
    """
    cells = [(queen.row, queen.column) for queen in found.queens]
    distinct = sorted(set(cells))
    conflicts = legality(distinct, puzzle.regions)
    legal = len(cells) == puzzle.n and len(distinct) == puzzle.n and not conflicts
    share, wrong_share = coverage(distinct, puzzle.queens), violation(cells, puzzle.queens)
    wrong = tuple(cell for cell in distinct if cell not in puzzle.queens)
    missed = tuple(cell for cell in puzzle.queens if cell not in distinct)
    reasons = [*_board_reasons(puzzle, alignment, found, left, settings), *_queen_reasons(puzzle, cells, conflicts)]
    if beside:
        reasons.append(Reason("OTHER_DRAWINGS", "Beside the board the picture shows other drawings."))
    if not legal and wrong and cells:
        reasons.append(Reason("WRONG_CELLS", f"{count(len(wrong), 'queen')} in wrong cells.", _places(puzzle, wrong)))
    rank = {info.code: position for position, info in enumerate(REASONS)}
    ordered = tuple(sorted(reasons, key=lambda reason: rank[reason.code]))
    if not ordered:
        reward = 1.0
    elif any(reason.code in _CHEATS for reason in ordered):
        reward = 0.0
    else:
        more = max(0, len(cells) - puzzle.n)
        reward = FAILED_REWARD * pass_score(share, wrong_share) * _unspoiled(ordered, more, settings.rules)
    return BoardJudgement(ordered, share, wrong_share, legal, len(conflicts), wrong, missed, reward)


def _unspoiled(reasons: tuple[Reason, ...], more: int, rules: BoardRules) -> float:
    """The share of its reward that a drawing keeps with marks that are no queens, or with more queens than belong."""
    spoiling = more + sum(max(1, len(reason.places)) for reason in reasons if reason.code in _MARKED)
    return rules.spoiled / spoiling if spoiling else 1.0


def _places(puzzle: QueensPuzzle, cells: tuple[tuple[int, int], ...]) -> tuple[Place, ...]:
    return tuple(Place(cell=puzzle.cell(row, column)) for row, column in cells)


def _board_reasons(
    puzzle: QueensPuzzle,
    alignment: Alignment,
    found: BoardFindings,
    left: BoardRemainder,
    settings: QueensSettings,
) -> list[Reason]:
    reasons: list[Reason] = []
    if found.covered:
        return [Reason("BOARD_COVERED", "Most of the board is dark; no queen can be told apart.")]
    if alignment.method == "FAILED":
        reasons.append(Reason("NOT_THE_PUZZLE", "The picture does not show the board, at any size or place tried."))
    recolored = tuple(sorted({*found.recolored_cells, *left.painted_cells}))
    if recolored or found.merged_regions or left.faded_regions:
        alike = f" {count(len(found.merged_regions), 'pair')} of regions alike."
        faded = f" {count(len(left.faded_regions), 'region')} faded into another one." if left.faded_regions else ""
        text = f"{count(len(recolored), 'cell')} not in the colour of the region;{alike}{faded}"
        reasons.append(Reason("REGIONS_ALTERED", text, _places(puzzle, recolored)))
    if left.lines_gone > settings.rules.lines_gone:
        cells = tuple(sorted({divmod(cell, puzzle.n) for pair in left.broken_lines for cell in pair}))
        text = f"Grid lines are gone or have faded, as long as {left.lines_gone:.1f} cells."
        reasons.append(Reason("GRID_ERASED", text, _places(puzzle, cells)))
    if len(found.queens) > settings.rules.everywhere * puzzle.n:
        reasons.append(Reason("QUEENS_EVERYWHERE", f"There are {len(found.queens)} queens where {puzzle.n} belong."))
    on_border = [mark for mark in found.others if mark.code == "ON_BORDER"]
    other = _unexplained(puzzle, found, left)
    for code, marks, noun, message in (
        ("QUEEN_ON_BORDER", on_border, "disc", "across the border of cells"),
        ("MARK_NOT_A_QUEEN", other, "mark", "not a solid dark disc"),
    ):
        if marks:
            places = tuple(Place(box=PixelBox(*mark.box)) for mark in marks)
            reasons.append(Reason(code, f"{count(len(marks), noun)} {message}.", places))
    reasons += _remainder_reasons(puzzle, found, left)
    return reasons


def _unexplained(puzzle: QueensPuzzle, found: BoardFindings, left: BoardRemainder) -> list[OtherMark]:
    """Dark marks within cells of which something is left over; others are a queen's shadow, or decoration."""
    others = [mark for mark in found.others if mark.code != "ON_BORDER"]
    if not left.told:
        return others
    cells = {cell for thing in left.things if thing.role in _MARKS for cell in thing.cells} | {*left.painted_cells}
    width, height = (side / puzzle.n for side in puzzle.size)
    kept = []
    for mark in others:
        x, y, wide, high = mark.box
        rows = range(int(y / height), int((y + high - 1) / height) + 1)
        columns = range(int(x / width), int((x + wide - 1) / width) + 1)
        if any((row, column) in cells for row in rows for column in columns):
            kept.append(mark)
    return kept


def _remainder_reasons(puzzle: QueensPuzzle, found: BoardFindings, left: BoardRemainder) -> list[Reason]:
    """Of what is left over, one reason for all of it, unless the marks that were read already say so."""
    if _unexplained(puzzle, found, left):
        return []
    # What is painted reaches a little into cells beside it.
    painted = {*found.recolored_cells, *left.painted_cells}
    altered = {(row + by, column + aside) for row, column in painted for by in (-1, 0, 1) for aside in (-1, 0, 1)}
    shown = [thing for thing in left.things if thing.role in _MARKS and not altered.issuperset(thing.cells)]
    if not shown:
        return []
    said = dict.fromkeys(_MARKS[thing.role] for thing in shown)
    cells = tuple(sorted({cell for thing in shown for cell in thing.cells}))
    text = f"There is {', '.join(said)}."
    return [Reason("MARK_NOT_A_QUEEN", text, _places(puzzle, cells))]


def _queen_reasons(puzzle: QueensPuzzle, cells: list[tuple[int, int]], conflicts: tuple[Conflict, ...]) -> list[Reason]:
    if not cells:
        return [Reason("NO_QUEENS", "No queen is drawn.")]
    reasons: list[Reason] = []
    twice = tuple(sorted(cell for cell, times in Counter(cells).items() if times > 1))
    if twice:
        reasons.append(
            Reason("TWO_QUEENS_IN_CELL", f"Two queens or more in {count(len(twice), 'cell')}.", _places(puzzle, twice))
        )
    for kind, (code, phrase) in _CONFLICTS.items():
        of_kind = [conflict for conflict in conflicts if conflict.kind is kind]
        if of_kind:
            together = tuple(sorted({cell for conflict in of_kind for cell in conflict.cells}))
            reasons.append(Reason(code, f"{len(together)} queens {phrase}.", _places(puzzle, together)))
    if len(cells) > puzzle.n:
        reasons.append(Reason("EXTRA_QUEENS", f"There are {len(cells)} queens where {puzzle.n} belong."))
    if len(cells) < puzzle.n:
        missed = tuple(cell for cell in puzzle.queens if cell not in cells)
        reasons.append(
            Reason("MISSING_QUEENS", f"There are {len(cells)} queens where {puzzle.n} belong.", _places(puzzle, missed))
        )
    return reasons
