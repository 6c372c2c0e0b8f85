"""What is said of a clip of a maze: plain, immutable data."""

from __future__ import annotations

from dataclasses import dataclass

from detectors.maze.clips.kind import MotionKind
from grader.model.jobs import VideoPolicy
from grader.model.places import Cell, PixelBox, Place, TimeSpan
from grader.model.verdict import Alignment, Metric, Outcome, Reason
from grader.tasks.common.judgement import Judgement


def at_time(frame: int, time_s: float, cell: Cell | None = None, box: PixelBox | None = None) -> Place:
    """A place in one frame: its index and its time in seconds, with a cell, a box of puzzle pixels, or none."""
    return Place(cell, box, TimeSpan(frame, frame, time_s, time_s))


@dataclass(frozen=True)
class ClipEvent:
    """Something worth knowing that happened from one frame to another: a code, a sentence, frames and seconds."""

    code: str
    message: str
    first_frame: int
    last_frame: int
    first_s: float
    last_s: float


@dataclass(frozen=True)
class PathPoint:
    """Where the tip or the marker is: frame, time in seconds, (x, y) in puzzle pixels, and the cell."""

    frame: int
    time_s: float
    x: float
    y: float
    cell: Cell


@dataclass(frozen=True)
class MazeClipJudgement:
    """What a clip of a maze comes to.

    Attributes
    ----------
    policy : which state counted
    kind : what moved
    outcome : PASS or FAIL
    reasons : why it fails, gravest first
    progress : share of the right path shown in order before the first fault, 0 to 1; 0 where the puzzle was altered
    trajectory : of the marker, or of the path's tip
    has_trail : whether a marker leaves a trail
    starts_at_start : whether the path or marker begins in the start's cell
    goal_reached : the frame in which the goal is first reached, or None
    ends_in_goal : whether it rests there in the state that counts
    chosen_frame : the frame that was judged as a picture
    still : the judgement of that frame as a picture
    alignment : how the first frame was aligned
    metrics : values, or why there is none
    events : in order of frames
    """

    policy: VideoPolicy
    kind: MotionKind
    outcome: Outcome
    reasons: tuple[Reason, ...]
    progress: float
    trajectory: tuple[PathPoint, ...]
    has_trail: bool
    starts_at_start: bool
    goal_reached: int | None
    ends_in_goal: bool
    chosen_frame: int
    still: Judgement
    alignment: Alignment
    metrics: tuple[Metric, ...]
    events: tuple[ClipEvent, ...]


METRIC_NAMES = ("success", "precision", "step_deviation", "exact_match", "background_fidelity", "coverage", "progress")
