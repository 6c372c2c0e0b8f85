"""A maze's own picture, looked at as an answer: a maze on which anything is seen beside itself was misread."""

from __future__ import annotations

from detectors.maze.alterations import find_alterations
from detectors.maze.ink import find_ink
from detectors.maze.paths import find_path
from detectors.maze.plan.walls import is_drawn_on, unclear_passages
from detectors.maze.remainder.finding import find_remainder
from grader.media.pictures import MediaLimits
from grader.model.jobs import CandidateKind
from grader.model.verdict import Alignment, Reason
from grader.tasks.common.inputs import Inputs
from grader.tasks.common.progress import count
from grader.tasks.maze.judge import judge_maze
from grader.tasks.maze.model import MazeInput
from grader.tasks.maze.puzzle import MazePuzzle, prepare_maze
from grader.tasks.maze.settings import MazeSettings


def prepare_readable_maze(
    task: MazeInput, settings: MazeSettings, limits: MediaLimits, kind: CandidateKind
) -> MazePuzzle:
    """Checks and decodes a maze, and looks at its own picture as at an answer.

    Raises
    ------
    InvalidRequestError
        Naming each field that is missing, undecodable or contradicts another, and what is seen on an empty maze.
    """
    puzzle = prepare_maze(task, settings, limits, kind)
    wrong = seen_on_itself(puzzle, settings)
    if wrong:
        inputs = Inputs(limits)
        seen = " ".join(reason.message for reason in wrong)
        text = (
            f"the maze in it can't be read: looked at as an answer, with nothing drawn, it shows this: {seen} Walls"
            " have to be of one colour and the floor of another, without textures; box, geometry, cell_size_px and"
            " wall_width_px have to be those of the picture"
        )
        inputs.fault("maze.puzzle.image", "MISMATCH", text)
        inputs.check()
    return puzzle


def seen_on_itself(puzzle: MazePuzzle, settings: MazeSettings) -> tuple[Reason, ...]:
    """What a maze's own picture shows beside the maze; nothing where it is read rightly."""
    plan = puzzle.plan
    view = plan.picture
    ink = find_ink(view, None, plan, puzzle.asked, settings.ink)
    found = find_path(view, ink, plan, settings.path)
    altered = find_alterations(view, None, ink, plan, settings.alterations)
    left = find_remainder(view, None, ink, found, plan, settings.remainder)
    as_it_is = Alignment(puzzle.size, (1.0, 1.0), (0.0, 0.0), 0.0, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0), "NONE", 1.0, 1.0)
    judged = judge_maze(puzzle, as_it_is, found, altered, left, False, settings.judging)
    unclear = unclear_passages(plan, settings.floorplan)
    reasons = [reason for reason in judged.reasons if reason.code != "NOTHING_DRAWN"]
    if unclear:
        text = f"In {count(len(unclear), 'place')} it can't be told whether there is a wall."
        reasons.append(Reason("WALLS_ADDED", text))
    if is_drawn_on(plan, settings.floorplan):
        reasons.append(Reason("MARKER_ADDED", "A coloured mark as long as a cell, as if an answer were drawn already."))
    return tuple(reasons)
