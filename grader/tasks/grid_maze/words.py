"""Answers to grid mazes in words: read, and judged by walking the path."""

from __future__ import annotations

from dataclasses import dataclass

from grader.answers.result import Parsed, Reading, Span, Unread
from grader.answers.structures.grid_mazes import MazeAnswer
from grader.answers.tasks import read_grid_maze
from grader.model.places import Cell, Place
from grader.model.verdict import Metric, Outcome, Reason
from grader.tasks.common.judgement import Judgement, optional_metric
from grader.tasks.common.progress import count
from grader.tasks.grid_maze.puzzle import GridPuzzle
from grader.tasks.grid_maze.settings import GridMazeSettings
from grader.tasks.plans.answers import NO_ANSWER
from grader.tasks.plans.model import PlanObservation, PlanReading
from grader.tasks.plans.progress import progress_made
from grader.tasks.plans.rewards import plan_reward
from puzzles.grid_maze.maze import GridMaze, Spot, parse_steps
from puzzles.grid_maze.paths import MazeWalk, WalkEnd, walk

CUT_OFF = "ANSWER_CUT_OFF"
_UNREACHABLE = "the goal can't be reached"
_NONE = "there is no answer"


@dataclass(frozen=True)
class MazeMarks:
    """What an answer that was read has right.

    Attributes
    ----------
    answer : what it says
    walked : what its path comes to
    reachability, length, path, grid_size : whether each is right
    listed : whether the path is among the published ones; None where there are none
    spans : where each step stands in the text
    reasons : why it is wrong; empty if it is right
    """

    answer: MazeAnswer
    walked: MazeWalk
    reachability: bool
    length: bool
    path: bool
    grid_size: bool
    listed: bool | None
    spans: tuple[Span, ...]
    reasons: tuple[Reason, ...]

    @property
    def solved(self) -> bool:
        """Whether reachability, length and path are all right."""
        return self.reachability and self.length and self.path


def judge_maze_words(puzzle: GridPuzzle, text: str, settings: GridMazeSettings) -> Judgement:
    """Judges all that a model wrote, in both readings; the lenient one, which is a person's, decides."""
    readings = read_grid_maze(text)
    lenient = readings.lenient
    marks = mark_answer(puzzle, lenient) if isinstance(lenient, Parsed) else None
    reasons = (_unread(lenient),) if isinstance(lenient, Unread) else () if marks is None else marks.reasons
    solved = marks is not None and marks.solved
    strict = solved and isinstance(readings.strict, Parsed)
    progress = 0.0 if marks is None else _progress(puzzle, marks)
    return Judgement(
        outcome=Outcome.PASS if solved else Outcome.FAIL,
        score=float(solved),
        reward=_reward(puzzle, marks, progress, settings),
        metrics=(
            Metric("parse_strict", float(strict)),
            Metric("parse_lenient", float(solved)),
            *_parts(puzzle, marks),
            *_numbers(puzzle, marks, progress),
        ),
        reasons=reasons,
        observation=PlanObservation(
            tuple(_seen(which, readings.of(which), marks, puzzle) for which in (Reading.STRICT, Reading.LENIENT))
        ),
    )


def mark_answer(puzzle: GridPuzzle, read: Parsed[tuple[MazeAnswer, ...]]) -> MazeMarks:
    """Walks the path of an answer, and says what it has right."""
    answer = read.value[0]
    walked = walk(puzzle.maze, parse_steps(answer.path))
    reachable = puzzle.length is not None
    reachability = answer.reachable is reachable
    length = answer.length == puzzle.length
    path = not answer.path and not answer.reachable
    if reachable:
        path = walked.end is WalkEnd.AT_GOAL and len(answer.path) == puzzle.length
    listed = None if puzzle.listed is None else reachability and length and path
    if listed and reachable and puzzle.listed is not None:
        listed = answer.path in puzzle.listed
    size = answer.grid_size == (puzzle.maze.rows, puzzle.maze.cols)
    reasons = tuple(_reasons(puzzle, answer, walked))
    return MazeMarks(answer, walked, reachability, length, path, size, listed, read.spans, reasons)


def _reasons(puzzle: GridPuzzle, answer: MazeAnswer, walked: MazeWalk) -> list[Reason]:
    """All that is wrong with an answer, gravest first; nothing where it is right."""
    found: list[Reason] = []
    length = puzzle.length
    if answer.reachable and length is None:
        found.append(
            Reason("CLAIMS_REACHABLE", "The answer says that the goal can be reached, and no path leads there.")
        )
    if not answer.reachable and length is not None:
        found.append(Reason("CLAIMS_UNREACHABLE", f"The goal can be reached in {count(length, 'step')}."))
    if not answer.reachable and answer.contradicts_itself:
        said = f"a path of {count(len(answer.path), 'step')}" if answer.path else f"a length of {answer.length}"
        found.append(Reason("ANSWER_CONTRADICTS_ITSELF", f"Of a goal that can't be reached it gives {said}."))
    if not answer.reachable:
        return found
    found += _of_path(puzzle.maze, answer, walked)
    if length is not None and walked.end is WalkEnd.AT_GOAL and len(answer.path) != length:
        longer = f"The path has {count(len(answer.path), 'step')}, and {length} do."
        found.append(Reason("NOT_SHORTEST", longer))
    if length is not None and answer.length != length:
        found.append(Reason("WRONG_LENGTH", f"A shortest path has {count(length, 'step')}, not {answer.length}."))
    return found


_BLOCKED = {
    WalkEnd.WALL: ("ENTERS_WALL", "into a wall"),
    WalkEnd.TRAP: ("ENTERS_TRAP", "into a trap"),
    WalkEnd.LEFT_GRID: ("LEAVES_GRID", "out of the grid"),
}


def _of_path(maze: GridMaze, answer: MazeAnswer, walked: MazeWalk) -> list[Reason]:
    step, end = walked.failed_step, walked.end
    if step is not None and end in _BLOCKED:
        code, where = _BLOCKED[end]
        cell = None if walked.failed_spot is None or end is WalkEnd.LEFT_GRID else _cell(maze, walked.failed_spot)
        text = f"Step {step + 1}, {answer.path[step]}, leads from {_named(walked.spots[-1])} {where}."
        return [Reason(code, text, (Place(cell=cell, move=step + 1),))]
    if end is not WalkEnd.ELSEWHERE:
        return []
    last = walked.spots[-1]
    where = f"The path ends at {_named(last)}, and the goal is at {_named(maze.goal)}."
    return [Reason("GOAL_NOT_REACHED", where, (Place(cell=_cell(maze, last)),))]


def _named(spot: Spot) -> str:
    return f"row {spot[0]}, column {spot[1]}"


def _cell(maze: GridMaze, spot: Spot) -> Cell:
    row, col = spot
    return Cell(row * maze.cols + col, row, col)


def _unread(read: Unread) -> Reason:
    return Reason(CUT_OFF if read.cut else NO_ANSWER[read.why].value, read.message)


def _progress(puzzle: GridPuzzle, marks: MazeMarks) -> float:
    """How much nearer the legal steps of an answer come to the goal, 0 to 1; of no path where none is right."""
    if puzzle.length is None or not marks.reachability:
        return 0.0
    return progress_made(puzzle.length, puzzle.paths.left.get(marks.walked.spots[-1]))


def _reward(puzzle: GridPuzzle, marks: MazeMarks | None, progress: float, settings: GridMazeSettings) -> float:
    if marks is None or not marks.reachability:
        return 0.0
    if puzzle.length is None:
        return 0.0 if not marks.solved else 1.0 if marks.grid_size else settings.unseen_reward
    steps = tuple(marks.answer.path)
    # A path that passes is as short as can be, so all its steps matter.
    return plan_reward(
        steps, passed=marks.solved, progress=progress, needed=puzzle.length, matter=len, rules=settings.plan
    )


def _parts(puzzle: GridPuzzle, marks: MazeMarks | None) -> tuple[Metric, ...]:
    listed = None if puzzle.listed is None else marks is not None and bool(marks.listed)
    return (
        optional_metric(
            "upstream_list_match", None if listed is None else float(listed), "the puzzle has no published list"
        ),
        Metric("grid_size", float(marks is not None and marks.grid_size)),
        Metric("reachability", float(marks is not None and marks.reachability)),
        Metric("length", float(marks is not None and marks.length)),
        Metric("path", float(marks is not None and marks.path)),
    )


def _numbers(puzzle: GridPuzzle, marks: MazeMarks | None, progress: float) -> tuple[Metric, ...]:
    answer = None if marks is None else marks.answer
    said = None if answer is None else answer.length
    reached = puzzle.length is not None
    return (
        optional_metric("said_reachable", None if answer is None else float(answer.reachable), _NONE),
        optional_metric("said_length", None if said is None else float(said), "no length is said"),
        optional_metric("moves", None if answer is None else float(len(answer.path)), _NONE),
        optional_metric("least_moves", None if puzzle.length is None else float(puzzle.length), _UNREACHABLE),
        optional_metric("plan_progress", progress if reached else None, _UNREACHABLE),
    )


def _seen(
    which: Reading, read: Parsed[tuple[MazeAnswer, ...]] | Unread, marks: MazeMarks | None, puzzle: GridPuzzle
) -> PlanReading:
    """What one reading saw; strictly read is only what is leniently read too, and says the same."""
    if isinstance(read, Unread) or marks is None:
        message = read.message if isinstance(read, Unread) else ""
        span = read.span if isinstance(read, Unread) else None
        return PlanReading(which, False, (), False, message, (), span)
    steps = tuple(marks.answer.path)
    spans = marks.spans if steps else ()
    message = " ".join(one.message for one in marks.reasons) or _right(puzzle)
    return PlanReading(which, True, steps, marks.solved, message, spans)


def _right(puzzle: GridPuzzle) -> str:
    if puzzle.length is None:
        return "The goal can't be reached, as the answer says."
    return f"The goal is reached by a shortest path of {count(puzzle.length, 'step')}."
