"""Judges a path that grows: its chosen frame as a picture, and how it came. No pixels here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from detectors.maze.clips.config import GrowthConfig
from detectors.maze.clips.findings import MotionFindings
from detectors.maze.clips.growth import Growth
from grader.model.places import Cell
from grader.model.verdict import Reason
from grader.tasks.common.judgement import Judgement
from grader.tasks.common.progress import count
from grader.tasks.maze.clips.clip import PathPoint, at_time
from grader.tasks.maze.model import PathObservation
from grader.tasks.maze.puzzle import MazePuzzle

Times = Callable[[int], float]
"""The time in seconds of a frame by its index."""


@dataclass(frozen=True)
class PathHistory:
    """How a path came, as reasons, with what is known of its way.

    Attributes
    ----------
    reasons : beside those of the picture
    share : of the drawn path that came before the first fault, 0 to 1
    trajectory : of its tip
    goal_reached : the first frame in which the path is whole from start to goal, or None
    starts_at_start, ends_in_goal : whether the finished path does
    """

    reasons: tuple[Reason, ...]
    share: float
    trajectory: tuple[PathPoint, ...]
    goal_reached: int | None
    starts_at_start: bool
    ends_in_goal: bool


def judge_growth(
    puzzle: MazePuzzle,
    still: Judgement,
    growth: Growth,
    found: MotionFindings,
    chosen_area: float,
    when: Times,
    cell_at: Callable[[float, float], Cell],
    config: GrowthConfig,
) -> PathHistory:
    """Judges how the path of a chosen frame came to be there.

    Parameters
    ----------
    puzzle : MazePuzzle
    still : Judgement
        Of the chosen frame as a picture.
    growth : Growth
        Of its path.
    found : MotionFindings
    chosen_area : float
        Of the ink in the chosen frame, in puzzle pixels.
    when : callable
        The time of a frame.
    cell_at : callable
        The cell at (x, y) in puzzle pixels.
    config : GrowthConfig
    """
    reasons: list[Reason] = []
    pieces = growth.at_once if not growth.appeared else (*growth.at_once, *growth.jumps)
    if pieces:
        share = sum(piece.length for piece in pieces) / growth.length
        places = tuple(
            at_time(piece.index, when(piece.index), cell_at(*piece.at))
            for piece in sorted(pieces, key=lambda piece: (piece.index, piece.first))
        )
        text = f"{share:.0%} of the path was not drawn but appears at once."
        reasons.append(Reason("PATH_APPEARS_AT_ONCE", text, places))
    if growth.jumps and not growth.appeared:
        places = tuple(at_time(piece.index, when(piece.index), cell_at(*piece.at)) for piece in growth.jumps)
        text = f"The path goes on in {count(len(growth.jumps), 'place')} that it had not come to."
        reasons.append(Reason("PATH_JUMPS", text, places))
    cell_px = puzzle.plan.cell_width_px * puzzle.plan.factor
    gone = found.most_area - chosen_area
    if still.reasons and gone > max(config.erased * found.most_area, config.erased_least * cell_px**2):
        at = at_time(found.most_index, when(found.most_index))
        text = f"{gone / found.most_area:.0%} of what was drawn is taken away again."
        reasons.append(Reason("PATH_ERASED", text, (at,)))
    visited = still.observation.visited_cells if isinstance(still.observation, PathObservation) else ()
    ids = {cell.id for cell in visited}
    ends = puzzle.path[-1] in ids
    trajectory = tuple(PathPoint(index, when(index), x, y, cell_at(x, y)) for index, x, y in growth.tip)
    reached = trajectory[-1].frame if trajectory and ends and not still.reasons else None
    return PathHistory(
        reasons=tuple(reasons),
        share=0.0 if growth.appeared or growth.length == 0.0 else growth.before_fault / growth.length,
        trajectory=trajectory,
        goal_reached=reached,
        starts_at_start=puzzle.path[0] in ids,
        ends_in_goal=ends,
    )
