"""Compares what was seen on a maze with the right path. No pixels here."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass

from detectors.maze.alterations import Alterations
from detectors.maze.paths import PathFindings
from detectors.maze.remainder.finding import MazeRemainder
from detectors.maze.remainder.roles import Role
from detectors.maze.strokes.network import StrokePiece
from grader.metrics.cells import coverage, pass_score, violation
from grader.model.places import PixelBox, Place
from grader.model.verdict import Alignment, Reason
from grader.tasks.common.progress import FAILED_REWARD, count
from grader.tasks.maze.puzzle import MazePuzzle
from grader.tasks.maze.reasons import PICTURE_REASONS
from grader.tasks.maze.settings import PathRules
from grader.tasks.maze.ways import chords

_CHEATS = frozenset(
    {
        "NOT_THE_PUZZLE",
        "FLOODED",
        "TEXTURE",
        "PUZZLE_REPLACED",
        "WALLS_ERASED",
        "WALLS_ADDED",
        "CELLS_COVERED",
        "CUT_OFF",
        "WALLS_PAINTED",
        "MARKER_ERASED",
        "MARKER_MOVED",
        "MARKER_ADDED",
        "EXTERIOR_PAINTED",
        "CELLS_FILLED",
        "NOTHING_DRAWN",
        "DOTS",
        "SHORTCUT",
        "OTHER_DRAWINGS",
    }
)
"""Reasons that leave no reward: the puzzle was altered, or the drawing is no answer of the asked kind."""


@dataclass(frozen=True)
class MazeJudgement:
    """What the comparison says: reasons, the progress along the right path (0 to 1) and the reward (0 to 1)."""

    reasons: tuple[Reason, ...]
    progress: float
    connected: bool
    reward: float


def judge_maze(
    puzzle: MazePuzzle,
    alignment: Alignment,
    found: PathFindings,
    altered: Alterations,
    left: MazeRemainder,
    beside: bool,
    rules: PathRules,
) -> MazeJudgement:
    """Judges the findings of detectors against the right path.

    Parameters
    ----------
    puzzle : MazePuzzle
    alignment : Alignment
        Of the candidate.
    found : PathFindings
    altered : Alterations
    left : MazeRemainder
        What neither the maze nor the path explains.
    beside : bool
        Whether other drawings lie beside the puzzle.
    rules : PathRules
    """
    reasons = [
        *([OTHER_DRAWINGS] if beside else []),
        *_kind_reasons(puzzle, alignment, found, left, rules),
        *_alteration_reasons(puzzle, found, altered, left, rules),
        *_drawing_reasons(puzzle, found, left),
    ]
    codes = {reason.code for reason in reasons}
    connected = _connecting_piece(puzzle, found) is not None
    progress = _progress(puzzle, found)
    if found.pieces and not codes & {"FLOODED", "DOTS"}:
        reasons += _path_reasons(puzzle, found, connected, rules)
    rank = {info.code: position for position, info in enumerate(PICTURE_REASONS)}
    ordered = tuple(sorted(reasons, key=lambda reason: rank[reason.code]))
    if not ordered:
        reward = 1.0
    elif any(reason.code in _CHEATS for reason in ordered):
        reward = 0.0
    else:
        # Wrong strokes behind the last right step cost too, or drawing every corridor would pay.
        visited = sorted(found.visited)
        share, wrong = coverage(visited, puzzle.path), violation(visited, puzzle.path)
        reward = FAILED_REWARD * min(progress, pass_score(share, wrong)) * _unspoiled(puzzle, found, left, rules)
    return MazeJudgement(ordered, progress, connected, reward)


def _unspoiled(puzzle: MazePuzzle, found: PathFindings, left: MazeRemainder, rules: PathRules) -> float:
    """The share that a drawing keeps of its reward beside words, marks and second ways, in whatever colour."""
    goal = set(puzzle.path)
    spoiled = _foreign(found, left) | _wrong_cells(goal, found.pieces)[1] | (found.spilled - found.visited - goal)
    return rules.spoiled / len(spoiled) if spoiled else 1.0


OTHER_DRAWINGS = Reason("OTHER_DRAWINGS", "Beside the puzzle the picture shows other drawings.")


def _places(puzzle: MazePuzzle, cells: Iterable[int]) -> tuple[Place, ...]:
    return tuple(Place(puzzle.cell(cell), puzzle.box_of_piece(cell)) for cell in sorted(cells))


def _at(puzzle: MazePuzzle, code: str, message: str, cells: Iterable[int]) -> Reason:
    return Reason(code, message, _places(puzzle, cells))


def _border_places(puzzle: MazePuzzle, borders: Iterable[tuple[int, int]]) -> tuple[Place, ...]:
    """One place a border: the cell inside, with the box of the border's pixels."""
    boxes = {(border.first, border.second): border.pixels for border in puzzle.plan.borders}
    factor = puzzle.plan.factor
    places: list[Place] = []
    for first, second in borders:
        pixels = boxes[first, second]
        top, left = (float(value) * factor for value in pixels.min(axis=0))
        bottom, right = (float(value + 1) * factor for value in pixels.max(axis=0))
        places.append(Place(puzzle.cell(second), PixelBox(left, top, right - left, bottom - top)))
    return tuple(places)


def _kind_reasons(
    puzzle: MazePuzzle, alignment: Alignment, found: PathFindings, left: MazeRemainder, rules: PathRules
) -> Iterable[Reason]:
    """Whether this is a drawn line on this puzzle at all."""
    cell_count = len(puzzle.grid.cell_ids)
    flooded = len(found.filled) > rules.flooded * cell_count
    if flooded:
        yield Reason("FLOODED", f"{len(found.filled)} of {count(cell_count, 'cell')} filled with the path's colour.")
    elif found.texture or (
        not (puzzle.is_floor and found.colorless) and len(found.specked - set(puzzle.path)) > rules.specked * cell_count
    ):
        yield Reason("TEXTURE", "The path's colour covers the maze as a pattern, across walls and passages alike.")
    elif alignment.method == "FAILED" and len(left.gone_markers) == len(puzzle.plan.markers):
        # Where the markers stand in their places it is the puzzle, with its walls erased.
        yield Reason("NOT_THE_PUZZLE", "The picture does not show the puzzle, at any size or place that was tried.")
    if found.filled and not flooded:
        yield _at(
            puzzle,
            "CELLS_FILLED",
            f"{count(len(found.filled), 'cell')} filled where a line was asked for.",
            found.filled,
        )
    dotted = found.specked | found.visited if _is_dotted(found, rules) else frozenset()
    if dotted:
        yield _at(puzzle, "DOTS", f"There are dots in {count(len(dotted), 'cell')}, but no line.", dotted)
    elif found.colorless:
        yield _at(
            puzzle, "WRONG_COLOR", f"The line has no colour; {puzzle.asked.value} was asked for.", found.colorless
        )
    elif not found.pieces and not found.texture and not flooded:
        yield Reason("NOTHING_DRAWN", "No path is drawn.")


def _is_dotted(found: PathFindings, rules: PathRules) -> bool:
    """Whether there is ink, but none that leads from one cell to another."""
    if found.texture or found.filled or found.crossings:
        return False
    if not found.pieces:
        return bool(found.specked)
    steps = sum(len(piece.steps) for piece in found.pieces)
    # A mark in each cell, two of which happen to meet, is no line either.
    return len(found.pieces) > 1 and steps <= (rules.dotted * len(found.visited) if len(found.pieces) > 2 else 0)


def _alteration_reasons(
    puzzle: MazePuzzle, found: PathFindings, altered: Alterations, left: MazeRemainder, rules: PathRules
) -> Iterable[Reason]:
    erased, closed = sorted({*altered.erased_walls, *left.holed_walls}), altered.closed_passages
    many_erased = len(erased) > rules.replaced * max(1, altered.wall_count)
    many_closed = len(closed) > rules.replaced * max(1, altered.passage_count)
    if many_erased and many_closed:
        yield Reason(
            "PUZZLE_REPLACED",
            f"{len(erased)} of {altered.wall_count} walls are gone and {len(closed)} of {altered.passage_count}"
            " passages are closed: this is another maze.",
        )
    else:
        if erased:
            yield Reason(
                "WALLS_ERASED",
                f"{len(erased)} of {count(altered.wall_count, 'wall')} gone, whole or in part.",
                _border_places(puzzle, erased),
            )
        # A path drawn in black is in the wrong colour; it is no wall.
        added_cells = _cells_of(left, Role.WALL) - found.colorless
        if closed or added_cells:
            places = _border_places(puzzle, closed) or _places(puzzle, added_cells)
            yield Reason(
                "WALLS_ADDED", f"There are walls in {count(len(places), 'place')} where the puzzle has none.", places
            )
    if altered.painted_walls:
        message = f"{count(len(altered.painted_walls), 'wall')} painted over, or in another colour than the rest."
        yield Reason("WALLS_PAINTED", message, _border_places(puzzle, altered.painted_walls))
    if altered.covered_cells:
        message = f"{count(len(altered.covered_cells), 'cell')} painted over without colour."
        yield _at(puzzle, "CELLS_COVERED", message, altered.covered_cells)
    if altered.hidden_cells:
        message = f"{count(len(altered.hidden_cells), 'cell')} not in the picture."
        yield _at(puzzle, "CUT_OFF", message, altered.hidden_cells)
    gone = [puzzle.plan.markers[index] for index in left.gone_markers]
    added = altered.added_markers
    added_places = _places(puzzle, {cell for _, cell in added})
    if gone and added:
        yield Reason("MARKER_MOVED", "A marker is gone from its place; one like it stands elsewhere.", added_places)
    elif gone:
        yield _at(puzzle, "MARKER_ERASED", f"{count(len(gone), 'marker')} gone.", {one.cell for one in gone})
    elif added:
        yield Reason("MARKER_ADDED", "There is a marker that the puzzle does not have.", added_places)


def _cells_of(left: MazeRemainder, *roles: Role) -> set[int]:
    return {cell for thing in left.things if thing.role in roles for cell in thing.cells}


def _foreign(found: PathFindings, left: MazeRemainder) -> set[int]:
    """Cells with something that is neither the maze's nor the path's, or with a second colour of the path."""
    return (_cells_of(left, Role.WAY, Role.MARK) | set(left.two_colored)) - found.colorless


def _drawing_reasons(puzzle: MazePuzzle, found: PathFindings, left: MazeRemainder) -> Iterable[Reason]:
    if found.exterior_painted:
        yield Reason("EXTERIOR_PAINTED", "What lies outside the maze was painted in the path's colour.")
    if not found.as_asked and found.pieces:
        yield Reason("WRONG_COLOR", f"The path is not {puzzle.asked.value}, the colour that was asked for.")
    foreign = _foreign(found, left)
    if foreign and found.pieces:
        yield _at(
            puzzle, "FOREIGN_STROKES", f"There are other strokes or marks in {count(len(foreign), 'cell')}.", foreign
        )


def _path_reasons(puzzle: MazePuzzle, found: PathFindings, connected: bool, rules: PathRules) -> list[Reason]:
    goal = set(puzzle.path)
    start, end = puzzle.path[0], puzzle.path[-1]
    reasons: list[Reason] = []
    inner = [crossing for crossing in found.crossings if crossing.first != 0]
    shortcuts = [one for one in inner if one.first != one.second and {one.first, one.second} <= goal]
    for code, crossings, message in (
        ("SHORTCUT", shortcuts, "A stroke joins two cells of the right path through a wall"),
        ("WALL_CROSSED", [one for one in inner if one not in shortcuts], "The path passes through a wall"),
        ("OUTSIDE_MAZE", [one for one in found.crossings if one.first == 0], "The path leaves the maze"),
    ):
        if crossings:
            side = rules.crossing_px
            places = tuple(
                Place(puzzle.cell(one.second), PixelBox(one.at[0] - side / 2, one.at[1] - side / 2, side, side))
                for one in crossings
            )
            reasons.append(Reason(code, f"{message} in {count(len(crossings), 'place')}.", places))
    visited = found.visited
    if start not in visited:
        reasons.append(_at(puzzle, "START_NOT_REACHED", "The path does not begin at the start.", {start}))
    if end not in visited:
        reasons.append(_at(puzzle, "GOAL_NOT_REACHED", "The path does not arrive at the goal.", {end}))
    missed = goal - visited
    between = missed - {start, end}
    if between:
        reasons.append(
            _at(puzzle, "CELLS_MISSED", f"{count(len(between), 'cell')} of the right path not visited.", between)
        )
    if not connected and not missed:
        gap = _first_gap(puzzle, found)
        reasons.append(_at(puzzle, "PATH_BROKEN", "There is a gap in the path.", gap))
    spilled = found.spilled - visited - goal
    if spilled:
        message = f"The path's colour covers part of {count(len(spilled), 'cell')} beside the path."
        reasons.append(_at(puzzle, "INK_SPILLED", message, spilled))
    branches, strays = _wrong_cells(goal, found.pieces)
    branches |= {end for _, end in found.spurs}
    second = _second_ways(puzzle, found)
    if branches or second:
        text = f"Branches lead into {count(len(branches), 'wrong cell')}." if branches else ""
        joined = f"Cells of the path are joined a second time in {count(len(second), 'place')}." if second else ""
        beside = {cell for pair in second for cell in pair}
        reasons.append(_at(puzzle, "SIDE_BRANCH", f"{text} {joined}".strip(), branches | beside))
    strays |= (found.filled - goal) - branches
    if strays:
        reasons.append(
            _at(puzzle, "STRAY_STROKES", f"There are strokes in {count(len(strays), 'wrong cell')}.", strays)
        )
    return reasons


def _wrong_cells(goal: set[int], pieces: tuple[StrokePiece, ...]) -> tuple[set[int], set[int]]:
    """Wrong cells that hang on strokes through the right path, and wrong cells apart from it."""
    branches: set[int] = set()
    strays: set[int] = set()
    for piece in pieces:
        wrong = set(piece.cells) - goal - {0}
        (branches if set(piece.cells) & goal else strays).update(wrong)
    return branches, strays - branches


def _second_ways(puzzle: MazePuzzle, found: PathFindings) -> tuple[tuple[int, int], ...]:
    """Drawn steps that join cells of the path a second time; a maze with one way leaves none."""
    if not puzzle.any_way:
        return ()
    # Of pieces of a floor three may meet in one place.
    least = 3 if puzzle.is_floor else 2
    return chords(puzzle.path, {step for piece in found.pieces for step in piece.steps}, least=least)


def _connecting_piece(puzzle: MazePuzzle, found: PathFindings) -> StrokePiece | None:
    """The strokes that lead from start to goal without a break or a crossing, in the order of the right path."""
    for piece in found.pieces:
        steps = all(_has_step(piece, one, other) for one, other in itertools.pairwise(puzzle.path))
        if steps and set(puzzle.path) <= piece.cells:
            return piece
    return None


def _has_step(piece: StrokePiece, one: int, other: int) -> bool:
    return (min(one, other), max(one, other)) in piece.steps


def _first_gap(puzzle: MazePuzzle, found: PathFindings) -> set[int]:
    """The cell, or the two cells, of the right path where no strokes lead on."""
    going = list(found.pieces)
    for one, other in itertools.pairwise(puzzle.path):
        leading = [piece for piece in found.pieces if _has_step(piece, one, other)]
        if not leading:
            return {one, other}
        going = [piece for piece in leading if piece in going]
        if not going:
            return {one}
    return set()


def _progress(puzzle: MazePuzzle, found: PathFindings) -> float:
    """The share of the right path, in order from the start, that is drawn before the first fault; 0 to 1."""
    goal = set(puzzle.path)
    faulty = {cell for crossing in found.crossings for cell in (crossing.first, crossing.second)}
    for piece in found.pieces:
        for first, second in piece.steps:
            # A step off the right path spoils the cell that it leaves.
            if (first in goal) != (second in goal):
                faulty.add(first if first in goal else second)
    faulty |= {cell for pair in _second_ways(puzzle, found) for cell in pair} | {root for root, _ in found.spurs}
    best = 0
    for piece in found.pieces:
        if puzzle.path[0] not in piece.cells:
            continue
        done = 0
        for one, other in itertools.pairwise(puzzle.path):
            if one in faulty or not _has_step(piece, one, other):
                break
            done += 1
        best = max(best, done)
    return best / (len(puzzle.path) - 1)
