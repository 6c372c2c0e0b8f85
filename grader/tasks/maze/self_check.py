"""A maze's own picture, looked at as an answer: a maze on which anything is seen beside itself was misread."""

from __future__ import annotations

from detectors.maze.alterations import find_alterations
from detectors.maze.ink import find_ink
from detectors.maze.paths import find_path
from detectors.maze.plan.walls import is_drawn_on, is_textured, unclear_passages
from detectors.maze.remainder.finding import find_remainder
from grader.media.pictures import MediaLimits
from grader.model.errors import FieldViolation, InvalidRequestError
from grader.model.jobs import CandidateKind
from grader.model.verdict import Alignment, Reason
from grader.tasks.common.inputs import Inputs
from grader.tasks.common.progress import count
from grader.tasks.maze.judge import judge_maze
from grader.tasks.maze.model import MazeGeometry, MazeInput
from grader.tasks.maze.puzzle import MazePuzzle, prepare_maze
from grader.tasks.maze.settings import MazeSettings

_LOOKS = ("maze.puzzle.image", "maze.truth.path_cell_ids", "maze.puzzle.grid.walls", "maze.puzzle.floor.mask")
"""The fields whose faults may come from a picture that is misread."""


def prepare_readable_maze(
    task: MazeInput, settings: MazeSettings, limits: MediaLimits, kind: CandidateKind
) -> MazePuzzle:
    """Checks and decodes a maze, and looks at its own picture as at an answer.

    Raises
    ------
    InvalidRequestError
        Naming each field that is missing, undecodable or contradicts another, and what is seen on an empty maze.
    """
    try:
        puzzle = prepare_maze(task, settings, limits, kind)
    except InvalidRequestError as error:
        return _with_textures(task, settings, limits, kind, error)
    wrong = seen_on_itself(puzzle, settings)
    if not wrong:
        return _better(puzzle, task, settings, limits, kind)
    inputs = Inputs(limits)
    seen = " ".join(reason.message for reason in wrong)
    text = (
        f"the maze in it can't be read: looked at as an answer, with nothing drawn, it shows this: {seen} Box,"
        " geometry, cell_size_px, wall_width_px and a floor's mask have to be those of the picture"
    )
    inputs.fault("maze.puzzle.image", "MISMATCH", text)
    try:
        inputs.check()
    except InvalidRequestError as error:
        return _with_textures(task, settings, limits, kind, error)
    raise RuntimeError("a fault was noted")


def _better(
    flat: MazePuzzle, task: MazeInput, settings: MazeSettings, limits: MediaLimits, kind: CandidateKind
) -> MazePuzzle:
    """A maze that can be read as a flat one, read as one with textures where it has some and that can be done, too."""
    if not _may_have_textures(task) or not is_textured(flat.plan, settings.floorplan):
        return flat
    try:
        puzzle = prepare_maze(task, settings, limits, kind, textured=True)
    except InvalidRequestError:
        return flat
    return flat if seen_on_itself(puzzle, settings) else puzzle


def _may_have_textures(task: MazeInput) -> bool:
    """Whether mazes of this form can be read with textures."""
    return task.geometry is MazeGeometry.SQUARE or task.grid is not None or task.floor is not None


def _with_textures(
    task: MazeInput, settings: MazeSettings, limits: MediaLimits, kind: CandidateKind, as_flat: InvalidRequestError
) -> MazePuzzle:
    """A maze that can't be read as a flat one, read as one with textures.

    Raises
    ------
    InvalidRequestError
        The one of the flat maze, with what keeps it from being read with textures.
    """
    if not _may_have_textures(task) or any(one.field not in _LOOKS for one in as_flat.violations):
        raise as_flat
    try:
        puzzle = prepare_maze(task, settings, limits, kind, textured=True)
    except InvalidRequestError as error:
        said = {one.description for one in as_flat.violations}
        more = " ".join(one.description for one in error.violations if one.description not in said)
        first, *rest = as_flat.violations
        if not more:
            raise as_flat from None
        told = FieldViolation(
            first.field, first.reason, f"{first.description}; and taken for one with textures: {more}"
        )
        raise InvalidRequestError(told, *rest) from None
    wrong = seen_on_itself(puzzle, settings)
    if wrong:
        raise as_flat
    return puzzle


def seen_on_itself(puzzle: MazePuzzle, settings: MazeSettings) -> tuple[Reason, ...]:
    """What a maze's own picture shows beside the maze; nothing where it is read rightly."""
    plan = puzzle.plan
    view = plan.picture if plan.texture is None else plan.flattened(plan.texture.picture, None)
    ink = find_ink(view, None, plan, puzzle.asked, settings.ink)
    found = find_path(view, ink, plan, settings.path)
    altered = find_alterations(view, None, ink, plan, settings.alterations)
    left = find_remainder(view, None, ink, found, plan, settings.remainder, candidate_px=plan.factor)
    as_it_is = Alignment(puzzle.size, (1.0, 1.0), (0.0, 0.0), 0.0, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0), "NONE", 1.0, 1.0)
    judged = judge_maze(puzzle, as_it_is, found, altered, left, False, settings.judging)
    reasons = [reason for reason in judged.reasons if reason.code != "NOTHING_DRAWN"]
    if puzzle.is_floor and left.things:
        reasons.append(Reason("FOREIGN_STROKES", "There are marks on the floor."))
    if plan.texture is not None:
        return tuple(reasons)  # what is wall and what is drawn already was told by its zones
    unclear = unclear_passages(plan, settings.floorplan)
    if unclear:
        text = f"In {count(len(unclear), 'place')} it can't be told whether there is a wall."
        reasons.append(Reason("WALLS_ADDED", text))
    if is_drawn_on(plan, settings.floorplan):
        reasons.append(Reason("MARKER_ADDED", "A coloured mark as long as a cell, as if an answer were drawn already."))
    return tuple(reasons)
