"""Verdicts on clips of a maze."""

from __future__ import annotations

from collections.abc import Iterable

from grader.drawing.clip import chosen_moments
from grader.drawing.strip import Strip
from grader.media.frames import Frame
from grader.model.jobs import CandidateKind, VideoPolicy
from grader.model.observations import SceneEvent
from grader.model.places import Cell, TimeSpan
from grader.model.verdict import Metric, Outcome, Reason
from grader.tasks.common.declarations import MetricInfo
from grader.tasks.common.judgement import ClipDrawing, Judgement
from grader.tasks.common.progress import FAILED_REWARD
from grader.tasks.maze.clips.clip import MazeClipJudgement
from grader.tasks.maze.clips.overlay import draw_maze_frame
from grader.tasks.maze.clips.video import judge_maze_clip
from grader.tasks.maze.model import MazeRolloutObservation, PathObservation
from grader.tasks.maze.puzzle import MazePuzzle
from grader.tasks.maze.settings import MazeSettings

_KINDS = (CandidateKind.VIDEO,)
_BOTH = (CandidateKind.IMAGE, CandidateKind.VIDEO)  # pictures of mazes without cells, too

CLIP_METRICS: tuple[MetricInfo, ...] = (
    MetricInfo(
        "success", "1 if the way shown leads from start to goal and nothing is wrong; the score (VR-Bench SR).",
        "1", True, 0.0, 1.0, _BOTH,
    ),
    MetricInfo(
        "precision", "Share of the reference path, by length, matched before the first deviation (VR-Bench PR).",
        "1", True, 0.0, 1.0, _BOTH,
    ),
    MetricInfo(
        "step_deviation", "Length of the way over that of the reference path, less 1; on success only (VR-Bench SD).",
        "1", False, -1.0, 1e6, _BOTH,
    ),
    MetricInfo(
        "exact_match", "1 on success with precision at least 0.98 and step deviation within 0.1 (VR-Bench EM).",
        "1", True, 0.0, 1.0, _BOTH,
    ),
    MetricInfo(
        "background_fidelity", "Share of grey pixels off the way that stay within 5 of the first frame (VR-Bench MF).",
        "1", True, 0.0, 1.0, _KINDS,
    ),
    MetricInfo("legal", "1 if the way shown passes no wall and does not jump.", "1", True, 0.0, 1.0, _KINDS),
)  # fmt: skip

_ILLEGAL = frozenset({"WALL_CROSSED", "SHORTCUT", "OUTSIDE_MAZE", "PATH_JUMPS", "JUMP", "MARKER_CROSSED_WALL",
                      "MARKER_LEFT_MAZE", "PATH_BROKEN", "WALLS_CHANGED", "PATH_APPEARS_AT_ONCE"})  # fmt: skip


def judge_maze_frames(
    puzzle: MazePuzzle, frames: Iterable[Frame], settings: MazeSettings, policy: VideoPolicy
) -> Judgement:
    """Judges a clip."""
    judged = judge_maze_clip(puzzle, frames, settings, policy)
    passed = judged.outcome is Outcome.PASS
    reasons = judged.reasons
    observation = _observation(judged)
    # A path in pieces was left off and taken up again elsewhere, though what lies between may be legal on both sides.
    in_pieces = observation.path is not None and observation.path.pieces > 1
    legal = not in_pieces and not any(reason.code in _ILLEGAL for reason in reasons)
    return Judgement(
        outcome=judged.outcome,
        score=float(passed),
        reward=1.0 if passed else FAILED_REWARD * judged.progress,
        metrics=(*judged.metrics, Metric("legal", float(legal))),
        reasons=reasons,
        observation=observation,
        alignment=judged.alignment,
        drawing=_drawing(judged, reasons),
    )


def _observation(judged: MazeClipJudgement) -> MazeRolloutObservation:
    still = judged.still.observation
    path = still if isinstance(still, PathObservation) else None
    marker = judged.kind.name == "MOVING_MARKER"
    cells: list[Cell] = []
    for point in judged.trajectory:
        if point.cell.id and (not cells or cells[-1] != point.cell):
            cells.append(point.cell)
    return MazeRolloutObservation(
        kind=judged.kind.name,
        policy=judged.policy.name,
        trajectory=tuple((point.time_s, point.x, point.y) for point in judged.trajectory),
        visited_cells=tuple(cells),
        wall_crossings=() if marker or path is None else path.wall_crossings,
        events=tuple(
            SceneEvent(one.code, TimeSpan(one.first_frame, one.last_frame, one.first_s, one.last_s))
            for one in judged.events
        ),
        path=None if marker else path,
    )


def _drawing(judged: MazeClipJudgement, reasons: tuple[Reason, ...]) -> ClipDrawing:
    spans = [(reason.code, place.span) for reason in reasons for place in reason.places if place.span is not None]
    faults = [(span.first_frame, code) for code, span in spans]
    goal = [] if judged.goal_reached is None else [(judged.goal_reached, "goal reached")]
    values = {metric.name: metric.value for metric in judged.metrics}
    facts = [
        (name.replace("_", " "), f"{value:.2f}")
        for name, value in ((name, values.get(name)) for name in ("progress", "precision", "coverage"))
        if value is not None
    ]
    strip = Strip(
        facts=(("shown", judged.kind.name.replace("_", " ").lower()), *facts),
        praise="The way that is shown leads from the start to the goal.",
        reasons=reasons,
        entries=(),
        footer=f"Judged by the {judged.policy.name.replace('_', ' ').lower()}, {judged.chosen_frame}.",
    )
    last = max([judged.chosen_frame, *(point.frame for point in judged.trajectory)])
    return ClipDrawing(
        moments=chosen_moments([*faults, *goal], last + 1),
        draw=lambda frame: draw_maze_frame(frame, judged),
        strip=strip,
    )
