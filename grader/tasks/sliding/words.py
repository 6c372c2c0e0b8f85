"""Plans for a sliding puzzle in words: read, then simulated by the rules."""

from __future__ import annotations

from grader.answers.grammar.blank import BlankStep
from grader.answers.result import Parsed, Reading
from grader.answers.tasks import read_sliding
from grader.tasks.common.judgement import Judgement
from grader.tasks.common.progress import count
from grader.tasks.plans.answers import PlanFault, PlanJudgement, sentence
from grader.tasks.plans.words import judge_words, judged_in_both
from grader.tasks.sliding.progress import least_moves_of_tiles, moves_that_matter
from grader.tasks.sliding.puzzle import TilePuzzle
from grader.tasks.sliding.settings import SlidingSettings
from puzzles.sliding.tiles import BlankMove, SlidingPuzzle, State
from puzzles.sliding.tiles import simulate as slide


def judge_tile_words(puzzle: TilePuzzle, text: str, settings: SlidingSettings) -> Judgement:
    """Judges all that a model wrote, in both readings."""
    return judge_words(
        judge_sliding(puzzle.puzzle, text),
        lambda state: least_moves_of_tiles(state, puzzle.puzzle.target, settings.plan.most_states),
        puzzle.least_moves,
        settings.plan,
        lambda moves: moves_that_matter(puzzle.puzzle, moves),
    )


def judge_sliding(puzzle: SlidingPuzzle, text: str) -> dict[Reading, PlanJudgement[State]]:
    """Reads and simulates a plan for a sliding puzzle; as `judge_rush_hour`."""
    return judged_in_both(read_sliding(text), lambda read: _slid(puzzle, read))


def _slid(puzzle: SlidingPuzzle, read: Parsed[tuple[BlankStep, ...]]) -> PlanJudgement[State]:
    reading = Reading.LENIENT
    moves = tuple(BlankMove(step.value) for step in read.value)
    written = tuple(move.value for move in moves)
    run = slide(puzzle.start, moves)
    end = run.states[-1]
    if run.failure is not None:
        message = sentence(run.failure.message)
        return PlanJudgement(reading, written, PlanFault.OFF_THE_GRID, message, run.failure.place, end=end)
    if not run.reaches(puzzle.target):
        message = f"After {count(len(moves), 'move')} the tiles are not in their places."
        return PlanJudgement(reading, written, PlanFault.GOAL_NOT_REACHED, message, end=end)
    return PlanJudgement(
        reading, written, None, f"The tiles are in their places after {count(len(moves), 'move')}.", end=end
    )
