"""Verdicts on clips in which a sheet is unfolded.

The last frame is judged as a picture is. The first has to show the folded sheet, and what comes between them has to be
seen to move: what is there from one frame to the next, or fades in, was not unfolded.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from detectors.common.changes import BlockChange, ChangeKind, ClipSeen, see_clip
from grader.drawing.clip import chosen_moments
from grader.drawing.strip import Strip
from grader.media.frames import Frame
from grader.media.pyramid import Pyramid
from grader.model.jobs import VideoPolicy
from grader.model.places import Place, TimeSpan
from grader.model.verdict import Metric, Outcome, Reason
from grader.tasks.common.judgement import ClipDrawing, Judgement
from grader.tasks.common.progress import FAILED_REWARD, count
from grader.tasks.paper_fold.overlay import SheetMoment, draw_sheet_frame
from grader.tasks.paper_fold.pictures import SheetLook, is_changed, look_at, observation, sheet_metrics
from grader.tasks.paper_fold.puzzle import FoldedPuzzle
from grader.tasks.paper_fold.settings import PaperFoldSettings

_CODES = {
    ChangeKind.JUMPED: ("SHEET_JUMPED", "changes from one frame to the next; nothing is seen to move there"),
    ChangeKind.FADED: ("CROSS_FADE", "fades into another picture; nothing is seen to move there"),
}
_PARTS = ("top left", "top right", "bottom left", "bottom right")


def judge_sheet_clip(
    puzzle: FoldedPuzzle, frames: Iterable[Frame], settings: PaperFoldSettings, policy: VideoPolicy
) -> Judgement:
    """Judges a clip by how it changes, and by what its last frame shows, or its best."""
    clip = see_clip(frames, settings.changes)
    shown, look = clip.last, _flat(puzzle, clip.last, settings)
    before = _solved_before(puzzle, clip, settings) if look.judged.reasons else None
    if policy is VideoPolicy.BEST_FRAME and before is not None:
        shown, look = before
    sudden = [one for one in clip.changes if one.kind in _CODES and one.last_frame <= shown.index]
    comes = [*_start_reasons(puzzle, clip, look, settings), *_sudden_reasons(sudden)]
    left = None
    ends: list[Reason] = []
    if look.judged.reasons:
        if before is not None:
            ends.append(Reason("SOLVED_THEN_UNDONE", "The unfolded sheet is shown at some time, and not at the end."))
        left = _folds_left(puzzle, shown, settings)
        ends += look.judged.reasons if left is None else [_unfinished(left, shown)]
    reasons = (*comes, *ends)
    earned = 1.0
    if reasons:
        earned = look.judged.reward if left is None else FAILED_REWARD * (puzzle.folds - left) / puzzle.folds
        earned = 0.0 if comes else min(FAILED_REWARD, earned)
    return Judgement(
        outcome=Outcome.FAIL if reasons else Outcome.PASS,
        score=float(not reasons),
        reward=earned,
        metrics=(
            *sheet_metrics(look.judged),
            Metric("ever_solved", float(before is not None or not look.judged.reasons)),
        ),
        reasons=reasons,
        observation=observation(look.found),
        drawing=_drawing(puzzle, clip, shown, look, sudden, reasons),
    )


def _flat(puzzle: FoldedPuzzle, frame: Frame, settings: PaperFoldSettings) -> SheetLook:
    """A frame as one of the unfolded sheet."""
    return look_at(puzzle.states[0], Pyramid(frame.pixels), settings)


def _solved_before(puzzle: FoldedPuzzle, clip: ClipSeen, settings: PaperFoldSettings) -> tuple[Frame, SheetLook] | None:
    """The first rest at which the sheet is unfolded, and what was seen there; None where there is none."""
    looked = ((frame, _flat(puzzle, frame, settings)) for frame in clip.rests)
    return next((one for one in looked if not one[1].judged.reasons), None)


def _folds_left(puzzle: FoldedPuzzle, frame: Frame, settings: PaperFoldSettings) -> int | None:
    """How many folds are left in a frame that shows the sheet with all its holes in another state."""
    pyramid = Pyramid(frame.pixels)
    looked = ((state.number, look_at(state, pyramid, settings)) for state in puzzle.states[1:])
    return next((number for number, look in looked if not look.judged.reasons), None)


def _unfinished(left: int, frame: Frame) -> Reason:
    place = Place(span=TimeSpan(frame.index, frame.index, frame.time_s, frame.time_s))
    return Reason(
        "GOAL_NOT_SHOWN", f"The last frame does not show the unfolded sheet: {count(left, 'fold')} left.", (place,)
    )


def _start_reasons(puzzle: FoldedPuzzle, clip: ClipSeen, look: SheetLook, settings: PaperFoldSettings) -> list[Reason]:
    """What is wrong with the first frame, and with a clip in which nothing happens."""
    place = Place(span=TimeSpan(0, 0, 0.0, 0.0))
    if not look.judged.reasons and not _flat(puzzle, clip.first, settings).judged.reasons:
        text = "The first frame shows the unfolded sheet already; nothing is unfolded."
        return [Reason("NOTHING_MOVES", text, (place,))]
    if is_changed(look_at(puzzle.states[-1], Pyramid(clip.first.pixels), settings)):
        return [Reason("NOT_THE_PUZZLE", "The first frame does not show the folded sheet.", (place,))]
    if not clip.changes:
        return [Reason("NOTHING_MOVES", "Nothing changes from the first frame to the last.")]
    return []


def _sudden_reasons(sudden: list[BlockChange]) -> list[Reason]:
    found = []
    for kind, (code, says) in _CODES.items():
        changes = [one for one in sudden if one.kind is kind]
        if changes:
            text = f"The picture's {_PARTS[changes[0].block]} {says}, at {changes[0].last_time_s:.2f} s."
            found.append(Reason(code, text, tuple(Place(span=_span(one)) for one in changes)))
    return found


def _span(change: BlockChange) -> TimeSpan:
    return TimeSpan(change.first_frame, change.last_frame, change.first_time_s, change.last_time_s)


def _drawing(
    puzzle: FoldedPuzzle,
    clip: ClipSeen,
    shown: Frame,
    look: SheetLook,
    sudden: list[BlockChange],
    reasons: tuple[Reason, ...],
) -> ClipDrawing:
    moments = [(one.last_frame, _CODES[one.kind][0] if one.kind in _CODES else "") for one in clip.changes]
    marked = [SheetMoment(one.first_frame, one.last_frame, one.block, _CODES[one.kind][0]) for one in sudden]
    holes = len(puzzle.states[0].holes)
    strip = Strip(
        facts=(("holes in place", f"{len(look.judged.right)} of {holes}"),),
        praise=f"The sheet is unfolded, and all {holes} holes lie where they belong.",
        reasons=reasons,
        entries=(),
        footer=f"{clip.count} frames; judged at {shown.time_s:.2f} s.",
    )
    return ClipDrawing(
        moments=chosen_moments(moments, clip.count),
        draw=partial(_drawn, puzzle, look, shown.index, marked),
        strip=strip,
    )


def _drawn(
    puzzle: FoldedPuzzle, look: SheetLook, judged_at: int, marked: list[SheetMoment], frame: Frame
) -> NDArray[np.uint8]:
    judged = look.judged if frame.index == judged_at and look.found is not None else None
    now = [one for one in marked if one.first_frame <= frame.index <= one.last_frame]
    return draw_sheet_frame(frame.pixels, puzzle.states[0], look.alignment, judged, now)
