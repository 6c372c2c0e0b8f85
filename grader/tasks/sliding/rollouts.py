"""Verdicts on clips and series of pictures of a sliding puzzle."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from detectors.sliding.findings import TileFindings
from detectors.sliding.still import read_board_still
from detectors.sliding.tiles import find_tiles
from grader.answers.result import Reading
from grader.drawing.clip import chosen_moments
from grader.drawing.strip import Strip
from grader.media.frames import Frame
from grader.model.jobs import VideoPolicy
from grader.model.observations import SceneEvent
from grader.model.places import PixelBox, TimeSpan
from grader.model.verdict import Metric, Note, Outcome, Reason
from grader.tasks.common.judgement import ClipDrawing, Judgement, optional_metric
from grader.tasks.plans.model import ShownMove, Track
from grader.tasks.plans.progress import too_long
from grader.tasks.plans.rewards import plan_reward
from grader.tasks.plans.settings import TrackRules
from grader.tasks.plans.steps import judge_steps
from grader.tasks.plans.tracks import make_track
from grader.tasks.plans.words import TOO_LARGE
from grader.tasks.sliding.clips.overlay import draw_tiles
from grader.tasks.sliding.clips.video import TileClipJudgement, judge_tile_clip
from grader.tasks.sliding.model import TilesObservation
from grader.tasks.sliding.progress import moves_that_matter, until_target
from grader.tasks.sliding.puzzle import TilePuzzle
from grader.tasks.sliding.settings import SlidingSettings
from grader.tasks.sliding.steps import UNKNOWN, read_tile_steps
from grader.tasks.sliding.words import judge_sliding
from puzzles.sliding.tiles import State


def judge_tile_frames(
    puzzle: TilePuzzle, frames: Iterable[Frame], settings: SlidingSettings, policy: VideoPolicy
) -> Judgement:
    """Judges a clip; ``puzzle.picture`` has to be there."""
    if puzzle.picture is None:
        raise ValueError("a clip is judged by the puzzle's picture")
    found = find_tiles(frames, puzzle.picture, puzzle.puzzle.size, puzzle.puzzle.start, settings.tiles)
    judged = judge_tile_clip(puzzle.puzzle, found, policy, settings)
    solved = judged.solved
    needed = puzzle.least_moves
    named = [one.move.value for one in judged.moves]
    spam = too_long(len(judged.moves), needed, settings.plan)
    reasons = judged.reasons if spam is None else (*judged.reasons, spam)
    progress = judged.progress if spam is None else 0.0
    return Judgement(
        outcome=Outcome.PASS if solved and spam is None else Outcome.FAIL,
        score=float(solved),
        reward=plan_reward(
            until_target(puzzle.puzzle, named) if policy is VideoPolicy.BEST_FRAME else named,
            passed=solved and spam is None,
            progress=progress,
            needed=needed,
            matter=lambda moves: moves_that_matter(puzzle.puzzle, moves),
            rules=settings.plan,
        ),
        metrics=(
            Metric("solved", float(solved)),
            Metric("strict_legal", float(judged.strict_legal)),
            Metric("solved_strict", float(solved and judged.strict_legal)),
            Metric("ever_solved", float(judged.ever_reached)),
            Metric("moves", float(len(judged.moves))),
            optional_metric("least_moves", None if needed is None else float(needed), TOO_LARGE),
            optional_metric("plan_progress", None if needed is None else progress, TOO_LARGE),
        ),
        reasons=reasons,
        observation=_observation(found, judged, settings.tracks),
        drawing=_drawing(found, judged, reasons),
        notes=_alike(found.alike),
    )


def _alike(tiles: tuple[int, ...]) -> tuple[Note, ...]:
    """A note where tiles look the same: what is said of them rests on what is seen of their ways alone."""
    if not tiles:
        return ()
    text = f"Tiles {', '.join(map(str, tiles))} can't be told apart by their looks; every move has to be shown."
    return (Note("TILES_ALIKE", text),)


def judge_tile_pictures(
    puzzle: TilePuzzle, images: Sequence[NDArray[np.uint8] | None], text: str, settings: SlidingSettings
) -> Judgement:
    """Judges a picture after every move; ``puzzle.picture`` has to be there."""
    if puzzle.picture is None:
        raise ValueError("pictures are judged by the puzzle's picture")
    start = puzzle.puzzle.start
    states: list[State | None] = []
    drawn: list[int | None] = []
    before: State = start
    for image in images:
        read = None
        if image is not None:
            read = read_board_still(image, puzzle.picture, puzzle.puzzle.size, start, before, settings.tiles)
        if read is None or 2 * len(read.unknown) > len(start):
            states.append(None)  # something else than the board is shown
            drawn.append(None)
            continue
        before = read.state or before
        states.append(tuple(UNKNOWN if tile is None else tile for tile in read.tiles))
        drawn.append(read.tiles[read.drawn[0].cell] if read.drawn else None)
    words = judge_sliding(puzzle.puzzle, text)[Reading.LENIENT]
    named = words.moves if words.end is not None else None
    shown = read_tile_steps(puzzle.puzzle, states, settings.plan, drawn)
    return judge_steps(
        shown,
        named,
        words.solved,
        puzzle.least_moves,
        settings.plan,
        lambda moves: moves_that_matter(puzzle.puzzle, moves),
    )


def _observation(found: TileFindings, judged: TileClipJudgement, rules: TrackRules) -> TilesObservation:
    last = found.frames[-1] if found.frames else None
    return TilesObservation(
        moves=tuple(
            ShownMove(
                one.move.value,
                TimeSpan(one.first_frame, one.last_frame, one.first_time_s, one.last_time_s),
                1.0,
                one.shown,
            )
            for one in judged.moves
        ),
        tracks=tuple(_track(found, tile, rules) for tile in sorted(found.start)) if found.frames else (),
        events=tuple(
            SceneEvent(
                event.kind.name,
                TimeSpan(event.first_frame, event.last_frame, event.first_time_s, event.last_time_s),
                ", ".join(map(str, event.tiles)),
                PixelBox(event.box.left, event.box.top, event.box.width, event.box.height),
            )
            for event in found.events
        ),
        final_tiles=() if last is None else last.state,
    )


def _track(found: TileFindings, tile: int, rules: TrackRules) -> Track:
    points = found.trajectory(tile)
    times = np.array([point.time_s for point in points])
    places = np.array([(point.column, point.row, 0.0) for point in points])
    return make_track(str(tile), times, places, rules.tolerance)


def _drawing(found: TileFindings, judged: TileClipJudgement, reasons: tuple[Reason, ...]) -> ClipDrawing:
    events = [(event.first_frame, event.kind.name) for event in found.events]
    moves = [(one.last_frame, one.move.value) for one in judged.moves]
    spans = [place.span for reason in judged.reasons for place in reason.places if place.span is not None]
    faults = [(span.first_frame, "") for span in spans]
    written = " ".join(one.move.value for one in judged.moves) or "none"
    strip = Strip(
        facts=(("moves", written), ("strictly legal", "yes" if judged.strict_legal else "no")),
        praise="The moves lead to the target, and the clip ends there.",
        reasons=reasons,
        entries=(),
        footer=f"The board matches the puzzle's picture by {found.match:.2f}; {len(found.frames)} frames.",
    )
    count = max(1, len(found.frames))
    return ClipDrawing(
        moments=chosen_moments([*events, *moves, *faults], count),
        draw=lambda frame: draw_tiles(frame, found, judged.moves),
        strip=strip,
    )
