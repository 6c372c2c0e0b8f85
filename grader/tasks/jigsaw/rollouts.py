"""Verdicts on clips and series of pictures in which pieces are put together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from detectors.common.changes import BlockChange, ChangeKind, ClipSeen, see_clip
from detectors.jigsaw.assembly import find_assembly
from grader.answers.result import Reading
from grader.drawing.clip import chosen_moments
from grader.drawing.strip import Strip
from grader.media.frames import Frame
from grader.model.jobs import VideoPolicy
from grader.model.observations import SceneEvent
from grader.model.places import Place, TimeSpan
from grader.model.verdict import Metric, Outcome, Reason
from grader.tasks.common.judgement import ClipDrawing, Judgement, optional_metric
from grader.tasks.common.progress import FAILED_REWARD
from grader.tasks.jigsaw.judge import AssemblyJudgement, judge_assembly
from grader.tasks.jigsaw.model import AssemblyObservation
from grader.tasks.jigsaw.overlay import draw_frame
from grader.tasks.jigsaw.pictures import observed
from grader.tasks.jigsaw.puzzle import JigsawPuzzle
from grader.tasks.jigsaw.settings import DrawnRules, JigsawSettings
from grader.tasks.jigsaw.words import judge_jigsaw
from puzzles.jigsaw.kinds import POSITIONS

_CODES = {
    ChangeKind.JUMPED: ("PIECE_JUMPED", "changes from one frame to the next; nothing is seen to move there"),
    ChangeKind.FADED: ("CROSS_FADE", "fades into another picture; nothing is seen to move there"),
}


def judge_jigsaw_frames(
    puzzle: JigsawPuzzle, frames: Iterable[Frame], settings: JigsawSettings, policy: VideoPolicy
) -> Judgement:
    """Judges a clip by how its quarters change, and by what its last frame shows, or its best."""
    clip = see_clip(frames, settings.changes)
    seen, judged = _looked_at(puzzle, clip.last, settings)
    shown = clip.last
    solved_before = _solved_before(puzzle, clip, settings) if judged.reasons else None
    if policy is VideoPolicy.BEST_FRAME and judged.reasons and solved_before is not None:
        shown, seen, judged = solved_before
    undone = solved_before is not None
    reasons = _reasons(puzzle, clip, shown, judged, settings, undone=undone)
    events = tuple(_event(one) for one in clip.changes if one.kind in _CODES and one.last_frame <= shown.index)
    seen = replace(seen, events=events)
    solved = not reasons
    right = sum(judged.right) / len(judged.right)
    moved = any(one.kind is ChangeKind.MOVED for one in clip.changes)
    spoilt = not moved or bool(events) or not judged.unspoilt
    return Judgement(
        outcome=Outcome.PASS if solved else Outcome.FAIL,
        score=float(solved),
        reward=1.0 if solved else 0.0 if spoilt else FAILED_REWARD * right,
        metrics=(
            Metric("places_right", right),
            Metric("pieces_found", judged.found / len(judged.right)),
            Metric("pieces_intact", sum(judged.intact) / len(judged.intact)),
            Metric("ever_solved", float(undone or not judged.reasons)),
        ),
        reasons=reasons,
        observation=seen,
        drawing=_drawing(clip, shown, seen, judged, reasons),
    )


def judge_jigsaw_pictures(
    puzzle: JigsawPuzzle, images: Sequence[NDArray[np.uint8] | None], text: str, settings: JigsawSettings
) -> Judgement:
    """Judges a picture after every step: none may show an altered piece, and the last one is judged as a still."""
    looked = [None if one is None else _look(puzzle, one, settings) for one in images]
    last = looked[-1] if looked else None
    faults = _faults(looked, settings.drawn)
    reasons = [*faults]
    if not looked:
        reasons = [Reason("NO_IMAGES", "The model drew no picture.")]
    elif last is not None:
        reasons += [replace(one, places=_at(one.places, len(looked))) for one in last[1].reasons]
    words = judge_jigsaw(puzzle, text)[Reading.LENIENT]
    named = words.end if isinstance(words.end, tuple) else puzzle.options.get(str(words.end))
    laid = None if last is None else tuple(one.piece for one in last[0].quarters)
    agree = None if named is None or laid is None else sum(map(int.__eq__, named, laid)) / len(named)
    right = 0.0 if last is None else sum(last[1].right) / len(last[1].right)
    solved = not reasons
    altered = any(one.code in ("STEP_ALTERED", "PIECE_ALTERED") for one in reasons)
    wrong = min((place.step for one in faults for place in one.places if place.step), default=None)
    return Judgement(
        outcome=Outcome.PASS if solved else Outcome.FAIL,
        score=float(solved),
        reward=1.0 if solved else 0.0 if altered else FAILED_REWARD * right,
        metrics=(
            Metric("places_right", right),
            Metric("solved_by_images", float(solved)),
            Metric("solved_by_words", float(words.fault is None)),
            optional_metric("agreement", agree, "the words name no order, or the last picture is none"),
            Metric("images", float(len(looked))),
            optional_metric("first_wrong_step", None if wrong is None else float(wrong), "no step is wrong"),
        ),
        reasons=tuple(reasons),
        observation=AssemblyObservation(()) if last is None else last[0],
    )


def _look(
    puzzle: JigsawPuzzle, picture: NDArray[np.uint8], settings: JigsawSettings
) -> tuple[AssemblyObservation, AssemblyJudgement]:
    seen = observed(find_assembly(picture, puzzle.laid, settings.assembly), settings)
    return seen, judge_assembly(seen.quarters, puzzle.order, settings.drawn)


def _solved_before(
    puzzle: JigsawPuzzle, clip: ClipSeen, settings: JigsawSettings
) -> tuple[Frame, AssemblyObservation, AssemblyJudgement] | None:
    """The first rest at which all pieces lie in order, and what was seen there; None where there is none."""
    looked = ((frame, *_looked_at(puzzle, frame, settings)) for frame in clip.rests)
    return next((one for one in looked if not one[2].reasons), None)


def _looked_at(
    puzzle: JigsawPuzzle, frame: Frame, settings: JigsawSettings
) -> tuple[AssemblyObservation, AssemblyJudgement]:
    return _look(puzzle, frame.pixels, settings)


def _faults(looked: Sequence[tuple[AssemblyObservation, AssemblyJudgement] | None], rules: DrawnRules) -> list[Reason]:
    """What is wrong with the pictures before the last one, and which of all are none."""
    unread = [step for step, one in enumerate(looked, 1) if one is None]
    altered = [
        step
        for step, one in enumerate(looked[:-1], 1)
        if one is not None
        and any(
            (quarter.piece and not intact) or (not quarter.piece and quarter.likeness >= rules.least_resembling)
            for quarter, intact in zip(one[0].quarters, one[1].intact, strict=True)
        )
    ]
    found = []
    if altered:
        text = f"Picture {altered[0]} shows a piece that was painted anew, or painted over."
        found.append(Reason("STEP_ALTERED", text, tuple(Place(step=step) for step in altered)))
    if unread:
        text = f"Picture {unread[0]} does not decode."
        found.append(Reason("STEP_UNREADABLE", text, tuple(Place(step=step) for step in unread)))
    return found


def _at(places: tuple[Place, ...], step: int) -> tuple[Place, ...]:
    return tuple(replace(one, step=step) for one in places)


def _reasons(
    puzzle: JigsawPuzzle,
    clip: ClipSeen,
    shown: Frame,
    judged: AssemblyJudgement,
    settings: JigsawSettings,
    *,
    undone: bool,
) -> tuple[Reason, ...]:
    """All that is wrong, gravest first."""
    found = []
    for kind, (code, says) in _CODES.items():
        changes = [one for one in clip.changes if one.kind is kind and one.last_frame <= shown.index]
        if changes:
            first = changes[0]
            text = f"The quarter at the {POSITIONS[first.block]} {says}, at {first.last_time_s:.2f} s."
            found.append(Reason(code, text, tuple(Place(span=_span(one)) for one in changes)))
    given = puzzle.order == tuple(sorted(puzzle.order))
    if not judged.reasons and not given and not _looked_at(puzzle, clip.first, settings)[1].reasons:
        text = "The first frame shows the finished picture already; nothing is put together."
        found.append(Reason("NOTHING_MOVES", text, (Place(span=TimeSpan(0, 0, 0.0, 0.0)),)))
    elif not clip.changes and judged.reasons:
        found.append(Reason("NOTHING_MOVES", "No quarter of the picture changes from the first frame to the last."))
    if judged.reasons and undone:
        found.append(Reason("SOLVED_THEN_UNDONE", "The pieces lie in order at some time, and not at the end."))
    return (*found, *judged.reasons)


def _span(change: BlockChange) -> TimeSpan:
    return TimeSpan(change.first_frame, change.last_frame, change.first_time_s, change.last_time_s)


def _event(change: BlockChange) -> SceneEvent:
    return SceneEvent(_CODES[change.kind][0], _span(change), POSITIONS[change.block])


def _drawing(
    clip: ClipSeen,
    shown: Frame,
    seen: AssemblyObservation,
    judged: AssemblyJudgement,
    reasons: tuple[Reason, ...],
) -> ClipDrawing:
    moments = [(event.span.last_frame, event.code) for event in seen.events]
    moments += [(one.last_frame, "") for one in clip.changes]
    strip = Strip(
        facts=(("pieces in place", f"{sum(judged.right)} of {len(judged.right)}"),),
        praise="Every piece comes to its place, as it was given.",
        reasons=reasons,
        entries=(),
        footer=f"{clip.count} frames; judged at {shown.time_s:.2f} s.",
    )
    return ClipDrawing(
        moments=chosen_moments(moments, clip.count),
        draw=lambda frame: draw_frame(frame, seen, judged, final=frame.index == shown.index),
        strip=strip,
    )
