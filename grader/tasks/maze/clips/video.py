"""Clips of a maze: a path that grows, or a marker that travels.

The clip is read once, frame by frame. What moves is told from every frame at reduced size; as a picture, with all
checks, only the frame that counts is judged.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from detectors.maze.clips.config import ClipConfig
from detectors.maze.clips.findings import Change, MotionFindings
from detectors.maze.clips.growth import read_growth
from detectors.maze.clips.kind import KindFindings, MotionKind, tell_kind
from detectors.maze.clips.motion import MotionReader
from detectors.maze.clips.scene import MotionScene
from detectors.maze.clips.steps import StepFault, cell_at, walk_cells
from grader.alignment.clips import Follower
from grader.media.frames import Frame
from grader.metrics.cells import coverage
from grader.metrics.rollouts import FloatArray
from grader.model.jobs import VideoPolicy
from grader.model.places import Cell, Place
from grader.model.verdict import Alignment, Metric, Outcome, Reason
from grader.tasks.common.judgement import Judgement
from grader.tasks.common.progress import count
from grader.tasks.maze.clips.clip import ClipEvent, MazeClipJudgement, PathPoint, at_time
from grader.tasks.maze.clips.lengths import length_metrics
from grader.tasks.maze.clips.marker import judge_marker
from grader.tasks.maze.clips.path import judge_growth
from grader.tasks.maze.clips.still import ALTERED, altered_around
from grader.tasks.maze.model import PathObservation
from grader.tasks.maze.pictures import judge_maze_picture, judge_with_way
from grader.tasks.maze.puzzle import MazePuzzle
from grader.tasks.maze.reasons import CLIP_REASONS, PICTURE_REASONS
from grader.tasks.maze.settings import MazeSettings


@dataclass(frozen=True, eq=False)
class _Seen:
    """A clip that was read: what moved, the frames that may count, and how these were aligned."""

    found: MotionFindings
    first: Frame
    last: Frame
    best: Frame
    alignment: Alignment
    last_alignment: Alignment


@dataclass(frozen=True)
class _Shown:
    """What was shown, whichever its kind.

    Attributes
    ----------
    reasons : why it fails
    progress : 0 to 1
    trajectory : of tip or marker
    line : (N, 2) float64 from start to goal in puzzle pixels, or None
    visited : ids of cells
    goal_reached : index of a frame, or None
    starts_at_start, ends_in_goal : whether it does
    """

    reasons: tuple[Reason, ...]
    progress: float
    trajectory: tuple[PathPoint, ...]
    line: FloatArray | None
    visited: tuple[int, ...]
    goal_reached: int | None
    starts_at_start: bool
    ends_in_goal: bool


def judge_maze_clip(
    puzzle: MazePuzzle,
    frames: Iterable[Frame],
    settings: MazeSettings,
    policy: VideoPolicy = VideoPolicy.FINAL_FRAME,
) -> MazeClipJudgement:
    """Judges a clip of a maze.

    Parameters
    ----------
    puzzle : MazePuzzle
    frames : iterable of Frame
        In order; each is looked at once, and at most three are kept.
    settings : MazeSettings
        How pictures and motion are read.
    policy : VideoPolicy
        Which state counts.

    Raises
    ------
    ValueError
        If there is no frame.
    """
    config = settings.motion
    seen = _read(puzzle, frames, settings)
    kind = tell_kind(seen.found, puzzle.plan, config)
    marker = kind.kind is MotionKind.MOVING_MARKER
    best = policy is VideoPolicy.BEST_FRAME and not marker
    chosen = seen.best if best else seen.last
    still, drawn = judge_with_way(puzzle, chosen.pixels, settings)
    if marker:
        shown = _marker(puzzle, seen, kind, policy, settings, config)
    else:
        shown = _path(puzzle, seen, still, chosen, best, config)
        shown = replace(shown, reasons=(*shown.reasons, *_beside(puzzle, kind, config)))
    puzzle = drawn if not marker else puzzle.taking(_steps(shown.visited))
    changes, altered = _changes(puzzle, seen, kind, shown.goal_reached if marker else None, settings)
    reasons = _ordered((*_not_the_puzzle(puzzle, seen, settings), *changes, *shown.reasons))
    codes = {reason.code for reason in reasons}
    success = not reasons
    progress = 0.0 if altered or codes & (ALTERED | {"NOTHING_DRAWN", "DOTS"}) else shown.progress
    return MazeClipJudgement(
        policy=policy,
        kind=kind.kind,
        outcome=Outcome.PASS if success else Outcome.FAIL,
        reasons=reasons,
        progress=1.0 if success else progress,
        trajectory=shown.trajectory,
        has_trail=kind.has_trail,
        starts_at_start=shown.starts_at_start,
        goal_reached=shown.goal_reached,
        ends_in_goal=shown.ends_in_goal,
        chosen_frame=chosen.index,
        still=still,
        alignment=seen.alignment,
        metrics=_metrics(puzzle, shown, success, 1.0 if success else progress, seen.found.fidelity),
        events=_events(seen.found),
    )


def _read(puzzle: MazePuzzle, frames: Iterable[Frame], settings: MazeSettings) -> _Seen:
    # A puzzle is prepared by one profile's settings and may be judged by another's.
    scene = (
        puzzle.scene if puzzle.looked_at == settings.motion.scene else MotionScene(puzzle.plan, settings.motion.scene)
    )
    follower = Follower(puzzle.template, scene.reference, scene.factor, settings.alignment, settings.follow)
    reader = MotionReader(scene, settings.motion)
    flattened = None if scene.texture is None else scene.texture.flattener()
    first = best = last = None
    alignment = None
    most = -1.0
    for frame in frames:
        drawn = follower.draw(frame)
        changed = follower.changed
        if flattened is not None:
            # How a frame's colours are told may change all of it.
            drawn, changed = replace(drawn, pixels=flattened(drawn.pixels)), None
        sight = reader.add(drawn, changed)
        if first is None:
            first, alignment = frame, follower.current
        if best is None or (sight.ink_area > most and not sight.other_scene):
            best, most = frame, sight.ink_area
        last = frame
    if first is None or last is None or best is None or alignment is None or follower.current is None:
        raise ValueError("a clip has at least one frame")
    return _Seen(reader.findings(), first, last, best, alignment, follower.current)


def _path(puzzle: MazePuzzle, seen: _Seen, still: Judgement, chosen: Frame, best: bool, config: ClipConfig) -> _Shown:
    """A path: the chosen frame as a picture, and how it came to be there."""
    found, plan = seen.found, puzzle.plan
    observation = still.observation
    line = observation.polyline if isinstance(observation, PathObservation) else ()
    visited = observation.visited_cells if isinstance(observation, PathObservation) else ()
    cell_px = plan.cell_width_px * plan.factor
    anchors = [(marker.center[0] * plan.factor, marker.center[1] * plan.factor) for marker in plan.markers]
    line = _from_start(puzzle, line)
    growth = read_growth(
        line, found.most_arrival if best else found.arrival, found.factor, anchors, cell_px, config.growth
    )
    history = judge_growth(
        puzzle,
        still,
        growth,
        found,
        next(sight.ink_area for sight in found.sights if sight.index == chosen.index),
        lambda index: _time(found, index),
        lambda x, y: _cell(puzzle, x, y),
        config.growth,
    )
    drawn = next(metric.value for metric in still.metrics if metric.name == "progress") or 0.0
    return _Shown(
        reasons=(*(_of_still(reason, chosen) for reason in still.reasons), *history.reasons),
        progress=min(drawn, history.share),
        trajectory=history.trajectory,
        line=np.array(line, np.float64) if line else None,
        visited=tuple(cell.id for cell in visited),
        goal_reached=history.goal_reached,
        starts_at_start=history.starts_at_start,
        ends_in_goal=history.ends_in_goal,
    )


def _beside(puzzle: MazePuzzle, kind: KindFindings, config: ClipConfig) -> Iterator[Reason]:
    """A marker that runs through walls is a fault, whatever grows meanwhile."""
    walks = [walk_cells(spots, puzzle.plan, config.steps) for spots in kind.beside]
    wrong = [visit for walk in walks for visit in walk.visits if visit.fault is StepFault.WALL]
    if wrong:
        places = tuple(at_time(one.spot.index, one.spot.time_s, puzzle.cell(one.cell)) for one in wrong)
        text = f"A marker passes through a wall in {count(len(wrong), 'step')} while a path grows."
        yield Reason("MARKER_CROSSED_WALL", text, places)


def _from_start(puzzle: MazePuzzle, line: tuple[tuple[float, float], ...]) -> tuple[tuple[float, float], ...]:
    """A path turned so that it begins at the start, where one of its ends lies there."""
    if line and cell_at(puzzle.plan, *line[-1]) == puzzle.path[0] != cell_at(puzzle.plan, *line[0]):
        return line[::-1]
    return line


def _marker(
    puzzle: MazePuzzle,
    seen: _Seen,
    kind: KindFindings,
    policy: VideoPolicy,
    settings: MazeSettings,
    config: ClipConfig,
) -> _Shown:
    """A marker: its way, and the maze around it in the last frame."""
    spots = kind.travel.spots
    walk = walk_cells(spots, puzzle.plan, config.steps)
    puzzle = puzzle.taking(_steps(walk.cells))
    history = judge_marker(puzzle, kind, walk, policy, config.steps)
    here = tuple(blob for blob in seen.found.sights[-1].blobs)
    hidden = here if not kind.has_trail else tuple(one.blob for one in spots[-1:])
    around = altered_around(
        puzzle,
        seen.last.pixels,
        seen.last_alignment,
        hidden,
        _travelling(puzzle, kind, settings),
        frozenset(walk.cells) if kind.has_trail else None,
        puzzle.path[-1] if puzzle.goal_may_change and history.goal_reached is not None else None,
        settings,
    )
    return _Shown(
        reasons=(*(_of_still(reason, seen.last) for reason in around), *history.reasons),
        progress=history.progress,
        trajectory=history.trajectory,
        line=_smoothed(history.trajectory, config.steps.deep * puzzle.plan.cell_width_px * puzzle.plan.factor),
        visited=history.visited,
        goal_reached=history.goal_reached,
        starts_at_start=history.starts_at_start,
        ends_in_goal=history.ends_in_goal,
    )


def _steps(cells: Sequence[int]) -> frozenset[tuple[int, int]]:
    """The steps between cells that a marker was in, the lower one first."""
    return frozenset((min(pair), max(pair)) for pair in itertools.pairwise(cells) if pair[0] != pair[1])


def _travelling(puzzle: MazePuzzle, kind: KindFindings, settings: MazeSettings) -> tuple[int, ...]:
    """The puzzle's own marker at the start, by its position, if it is the one that travels."""
    if not kind.travel.spots:
        return ()
    rgb = np.median([spot.blob.rgb for spot in kind.travel.spots], axis=0)
    texture = puzzle.plan.texture
    own = {} if texture is None else {cell: np.array(color) for cell, color in texture.marker_colors}
    return tuple(
        index
        for index, marker in enumerate(puzzle.plan.markers)
        if marker.cell == puzzle.path[0]
        and float(np.abs(own.get(marker.cell, marker.rgb) - rgb).max()) <= settings.travelling.alike
    )


def _smoothed(trajectory: tuple[PathPoint, ...], least: float) -> FloatArray | None:
    """The places of a marker, those left out that differ from the last by less than it trembles."""
    kept: list[tuple[float, float]] = []
    for point in trajectory:
        if not kept or np.hypot(point.x - kept[-1][0], point.y - kept[-1][1]) >= least:
            kept.append((point.x, point.y))
    return np.array(kept, np.float64) if kept else None


def _not_the_puzzle(puzzle: MazePuzzle, seen: _Seen, settings: MazeSettings) -> Iterator[Reason]:
    """A clip begins with its puzzle."""
    if seen.alignment.method != "FAILED":
        return
    still = judge_maze_picture(puzzle, seen.first.pixels, settings)
    reasons = [reason for reason in still.reasons if reason.code in ALTERED]
    if all(reason.code != "NOT_THE_PUZZLE" for reason in reasons):
        reasons.append(Reason("NOT_THE_PUZZLE", "The first frame does not show the puzzle."))
    yield from (_of_still(reason, seen.first) for reason in reasons)


def _changes(
    puzzle: MazePuzzle, seen: _Seen, kind: KindFindings, arrived: int | None, settings: MazeSettings
) -> tuple[tuple[Reason, ...], bool]:
    """What was changed of the puzzle for some frames, and whether anything was; ``arrived`` is when a marker had."""
    found = seen.found

    def may(change: Change, *cells: int) -> bool:
        return puzzle.goal_may_change and arrived is not None and change.first >= arrived and puzzle.path[-1] in cells

    reasons: list[Reason] = []
    if found.scenes:
        text = f"The clip shows something else than the puzzle {count(len(found.scenes), 'time')}."
        reasons.append(Reason("SCENE_CHANGED", text, tuple(_at(change, None) for change in found.scenes)))
    holed = [(change, pair) for change in found.walls_gone for pair in change.borders if not may(change, *pair)]
    if holed:
        borders = {pair for _, pair in holed}
        places = tuple(_at(change, puzzle.cell(pair[1])) for change, pair in holed)
        reasons.append(Reason("WALLS_CHANGED", f"{count(len(borders), 'wall')} of the puzzle gone for a time.", places))
    own = _travelling(puzzle, kind, settings) if kind.kind is MotionKind.MOVING_MARKER else ()
    gone = [
        (change, index)
        for change in found.markers_gone
        for index in change.markers
        if index not in own and not may(change, puzzle.plan.markers[index].cell)
    ]
    if gone:
        places = tuple(_at(change, puzzle.cell(puzzle.plan.markers[index].cell)) for change, index in gone)
        text = f"{count(len({index for _, index in gone}), 'marker')} of the puzzle gone for a time."
        reasons.append(Reason("MARKERS_CHANGED", text, places))
    return tuple(reasons), bool(reasons)


def _at(change: Change, cell: Cell | None) -> Place:
    return at_time(change.first, change.first_s, cell)


def _of_still(reason: Reason, frame: Frame) -> Reason:
    places = tuple(at_time(frame.index, frame.time_s, place.cell, place.box) for place in reason.places)
    return Reason(reason.code, reason.message, places or (at_time(frame.index, frame.time_s),))


def _ordered(reasons: tuple[Reason, ...]) -> tuple[Reason, ...]:
    """Each code once, gravest first: other puzzles, changes, how the way came, what the picture shows."""
    known = [info.code for info in PICTURE_REASONS if info.code in ALTERED]
    known += [info.code for info in (*CLIP_REASONS, *PICTURE_REASONS)]
    first: dict[str, Reason] = {}
    for reason in reasons:
        first.setdefault(reason.code, reason)
    return tuple(sorted(first.values(), key=lambda reason: known.index(reason.code)))


def _events(found: MotionFindings) -> tuple[ClipEvent, ...]:
    named = (
        ("SCENE_CHANGED", "Another scene is shown.", found.scenes),
        ("WALL_GONE", "A wall is gone.", found.walls_gone),
        ("MARKER_GONE", "A marker is gone.", found.markers_gone),
    )
    events = [
        ClipEvent(code, text, change.first, change.last, change.first_s, change.last_s)
        for code, text, changes in named
        for change in changes
    ]
    return tuple(sorted(events, key=lambda event: (event.first_frame, event.code, event.last_frame)))


def _metrics(
    puzzle: MazePuzzle, shown: _Shown, success: bool, progress: float, fidelity: float | None
) -> tuple[Metric, ...]:
    """The measures of VR-Bench, with coverage and progress; no measure of quality lifts a task that failed."""
    return (
        *length_metrics(puzzle, shown.line, success, "nothing was drawn and nothing moved"),
        Metric("background_fidelity", fidelity)
        if fidelity is not None
        else Metric("background_fidelity", None, "the clip has one frame, or no background is free"),
        Metric("coverage", coverage(sorted(set(shown.visited) - {0}), puzzle.path)),
        Metric("progress", progress),
    )


def _cell(puzzle: MazePuzzle, x: float, y: float) -> Cell:
    return puzzle.cell(cell_at(puzzle.plan, x, y))


def _time(found: MotionFindings, index: int) -> float:
    return next(sight.time_s for sight in found.sights if sight.index == index)
