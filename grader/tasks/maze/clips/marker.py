"""Judges a marker that travels: where it begins, which way it takes, where it rests. No pixels here."""

from __future__ import annotations

import math
from dataclasses import dataclass

from detectors.maze.clips.config import StepConfig
from detectors.maze.clips.kind import KindFindings
from detectors.maze.clips.steps import CellWalk, StepFault, Visit, cell_at
from grader.model.jobs import VideoPolicy
from grader.model.verdict import Reason
from grader.tasks.common.progress import count
from grader.tasks.maze.clips.clip import PathPoint, at_time
from grader.tasks.maze.puzzle import MazePuzzle

_CODES = {
    StepFault.JUMP: ("JUMP", "The marker is suddenly elsewhere"),
    StepFault.WALL: ("MARKER_CROSSED_WALL", "The marker passes through a wall"),
    StepFault.OUTSIDE: ("MARKER_LEFT_MAZE", "The marker leaves the maze"),
}


@dataclass(frozen=True)
class MarkerHistory:
    """What is said of a marker's way.

    Attributes
    ----------
    reasons : why it fails; none where it is right
    progress : share of the right path travelled in order before the first fault, 0 to 1
    trajectory : one point a frame
    visited : ids of cells in order
    goal_reached : the first frame in which it is in the goal, before any fault, or None
    starts_at_start, ends_in_goal : whether it does
    """

    reasons: tuple[Reason, ...]
    progress: float
    trajectory: tuple[PathPoint, ...]
    visited: tuple[int, ...]
    goal_reached: int | None
    starts_at_start: bool
    ends_in_goal: bool


def judge_marker(
    puzzle: MazePuzzle, seen: KindFindings, walk: CellWalk, policy: VideoPolicy, config: StepConfig
) -> MarkerHistory:
    """Judges the way of a marker by simulation: from the start, through passages, into the goal.

    Under `VideoPolicy.FINAL_FRAME` it has to rest in the goal; under `VideoPolicy.BEST_FRAME` what comes after it was
    there counts no more.

    Parameters
    ----------
    puzzle : MazePuzzle
    seen : KindFindings
        With at least one spot.
    walk : CellWalk
        Of its spots.
    policy : VideoPolicy
    config : StepConfig
    """
    spots = seen.travel.spots
    goal = puzzle.path[-1]
    trajectory = tuple(
        PathPoint(spot.index, spot.time_s, spot.blob.x, spot.blob.y, puzzle.cell(cell))
        for spot, cell in zip(spots, walk.cells, strict=True)
    )
    at_start = _begins(puzzle, walk.visits[0], config)
    first_fault = next((at for at, one in enumerate(walk.visits) if one.fault is not None), len(walk.visits))
    arrivals = [at for at, one in enumerate(walk.visits[:first_fault]) if one.cell == goal]
    reached = walk.visits[arrivals[0]].spot.index if arrivals and at_start else None
    ends = walk.cells[-1] == goal
    visits = walk.visits
    if policy is VideoPolicy.BEST_FRAME and arrivals:
        visits, ends = walk.visits[: arrivals[0] + 1], True
    reasons: list[Reason] = []
    if seen.travel.others:
        places = tuple(
            at_time(one.index, one.time_s, puzzle.cell(cell_at(puzzle.plan, one.blob.x, one.blob.y)))
            for one in seen.travel.others
        )
        text = f"There {'is' if len(places) == 1 else 'are'} {count(len(places), 'other marker')} beside the one."
        reasons.append(Reason("MARKERS_MANY", text, places))
    for fault, (code, text) in _CODES.items():
        wrong = [one for one in visits if one.fault is fault]
        if wrong:
            places = tuple(at_time(one.spot.index, one.spot.time_s, puzzle.cell(one.cell)) for one in wrong)
            reasons.append(Reason(code, f"{text} in {count(len(wrong), 'step')}.", places))
    if not at_start:
        at = at_time(spots[0].index, spots[0].time_s, puzzle.cell(walk.cells[0]))
        reasons.append(Reason("MARKER_NOT_AT_START", "The marker does not begin at the start.", (at,)))
    if not ends:
        last = at_time(spots[-1].index, spots[-1].time_s, puzzle.cell(walk.cells[-1]))
        if any(one.cell == goal for one in walk.visits):
            text = "The marker comes to the goal and leaves it again."
            reasons.append(Reason("GOAL_LEFT", text, (last,)))
        else:
            reasons.append(Reason("GOAL_NOT_REACHED", "The marker never comes to the goal.", (last,)))
    return MarkerHistory(
        reasons=tuple(reasons),
        progress=_progress(puzzle.path, walk.visits[:first_fault]) if at_start else 0.0,
        trajectory=trajectory,
        visited=tuple(one.cell for one in walk.visits),
        goal_reached=reached,
        starts_at_start=at_start,
        ends_in_goal=ends,
    )


def _begins(puzzle: MazePuzzle, first: Visit, config: StepConfig) -> bool:
    """Whether a marker begins in the start's cell, or behind a passage of it so near that it had just left it.

    A marker of the start's own colour is not seen while it lies on it.
    """
    start = puzzle.path[0]
    if first.cell == start:
        return True
    plan = puzzle.plan
    if not plan.joined(first.cell, start):
        return False
    cell_px = plan.cell_width_px * plan.factor
    centers = [marker.center for marker in plan.markers if marker.cell == start]
    return any(
        math.hypot(first.spot.blob.x - x * plan.factor, first.spot.blob.y - y * plan.factor) <= config.longest * cell_px
        for x, y in centers
    )


def _progress(path: tuple[int, ...], visits: tuple[Visit, ...]) -> float:
    """The share of the path's steps that were made in order; detours through passages do no harm."""
    done = 0
    for visit in visits:
        if done + 1 < len(path) and visit.cell == path[done + 1]:
            done += 1
    return done / (len(path) - 1)
