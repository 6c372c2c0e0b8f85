"""Verdicts on pictures of folded chains, and on clips in which they are folded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from detectors.common.changes import BlockChange, ChangeKind, ClipSeen, see_clip
from grader.drawing.clip import chosen_moments
from grader.drawing.strip import Strip
from grader.media.frames import Frame
from grader.model.jobs import VideoPolicy
from grader.model.places import Place, TimeSpan
from grader.model.verdict import Metric, Outcome, Reason
from grader.tasks.common.judgement import ClipDrawing, Judgement, optional_metric
from grader.tasks.hinge_folding.judge import ChainJudgement, apart, judge_chain
from grader.tasks.hinge_folding.overlay import draw_chain, draw_frame
from grader.tasks.hinge_folding.puzzle import HingeChain
from grader.tasks.hinge_folding.reading import ChainReading, read_chain, read_from_the_other_end
from grader.tasks.hinge_folding.settings import HingeFoldingSettings
from puzzles.hinge_folding.chain import compare

_SUDDEN = {
    ChangeKind.JUMPED: ("CHAIN_JUMPED", "The picture changes from one frame to the next; no hinge is seen to turn"),
    ChangeKind.FADED: ("CROSS_FADE", "The picture fades into another one; no hinge is seen to turn"),
}
_BROUGHT = ("NO_CHAIN", "SECOND_CHAIN", "SOMETHING_DRAWN")
"""What no state of a chain looks like, on its way to the silhouette too."""


@dataclass(frozen=True, eq=False)
class FrameRead:
    """A frame that was read: the frame, what was seen, what is said of it."""

    frame: Frame
    read: ChainReading
    judged: ChainJudgement

    @property
    def place(self) -> Place:
        """When it is."""
        return Place(span=TimeSpan(self.frame.index, self.frame.index, self.frame.time_s, self.frame.time_s))


def judge_hinge_picture(puzzle: HingeChain, candidate: NDArray[np.uint8], settings: HingeFoldingSettings) -> Judgement:
    """Judges one candidate, (H, W, 3) uint8 RGB."""
    read, judged = _read(puzzle, candidate, settings)
    return Judgement(
        outcome=Outcome.FAIL if judged.reasons else Outcome.PASS,
        score=0.0 if judged.reasons else 1.0,
        reward=judged.reward,
        metrics=_metrics(judged),
        reasons=judged.reasons,
        observation=read.seen,
        notes=judged.notes,
        overlay=lambda: draw_chain(candidate, puzzle, read, judged),
    )


def judge_hinge_clip(
    puzzle: HingeChain, frames: Iterable[Frame], settings: HingeFoldingSettings, policy: VideoPolicy
) -> Judgement:
    """Judges a clip: by its first frame, by how it changes, and by the chain in its last frame, or its best."""
    clip = see_clip(frames, settings.changes)
    settings = replace(settings, chain=replace(settings.chain, left=settings.moving))
    first, shown = _at(puzzle, clip.first, settings), _at(puzzle, clip.last, settings)
    rests = _rests(puzzle, clip, first, settings)
    solved = next((one for one in rests if not one.judged.reasons), None)
    if policy is VideoPolicy.BEST_FRAME and shown.judged.reasons and solved is not None:
        shown = solved
    faults = tuple(_faults(puzzle, clip, first, shown, [one for one in rests if _before(one, shown)], settings))
    reasons = list(faults)
    if shown.judged.reasons and solved is not None:
        text = "The silhouette is shown at some time, and not at the end."
        reasons.append(Reason("SOLVED_THEN_UNDONE", text, (solved.place,)))
    reasons += shown.judged.reasons
    return Judgement(
        outcome=Outcome.FAIL if reasons else Outcome.PASS,
        score=0.0 if reasons else 1.0,
        reward=0.0 if faults else shown.judged.reward,
        metrics=(*_metrics(shown.judged), Metric("ever_solved", float(solved is not None or not shown.judged.reasons))),
        reasons=tuple(reasons),
        observation=shown.read.seen,
        notes=shown.judged.notes,
        drawing=_drawing(clip, shown, reasons),
    )


def _faults(
    puzzle: HingeChain,
    clip: ClipSeen,
    first: FrameRead,
    shown: FrameRead,
    rests: list[FrameRead],
    settings: HingeFoldingSettings,
) -> Iterator[Reason]:
    """What is wrong with the way to the frame that counts, gravest first."""
    given = compare(puzzle.shapes, [0.0] * len(puzzle.hinges), puzzle.target).same
    answered = not first.judged.reasons and not given
    if not answered and not _is_given(first, settings):
        yield Reason("NOT_THE_PUZZLE", "The first frame does not show the chain as it was given.", (first.place,))
    for kind, (code, says) in _SUDDEN.items():
        sudden = [one for one in clip.changes if one.kind is kind and one.last_frame <= shown.frame.index]
        if sudden:
            places = tuple(Place(span=span) for span in dict.fromkeys(map(_span, sudden)))
            yield Reason(code, f"{says}, at {sudden[0].last_time_s:.2f} s.", places)
    brought = _brought(rests[-1]) if rests else None
    if brought is not None:
        text = f"At {rests[-1].frame.time_s:.2f} s: {brought.message[0].lower()}{brought.message[1:]}"
        yield Reason("SHOWN_ON_THE_WAY", text, (rests[-1].place,))
    if answered:
        yield Reason("NOTHING_MOVES", "The first frame shows the folded chain already.", (first.place,))
    elif not clip.changes and not given:
        yield Reason("NOTHING_MOVES", "Nothing changes from the first frame to the last.")


def _rests(puzzle: HingeChain, clip: ClipSeen, first: FrameRead, settings: HingeFoldingSettings) -> list[FrameRead]:
    """The rests after the first frame, up to one that shows what is no state of the chain; none of another puzzle's."""
    rests: list[FrameRead] = []
    if not first.judged.reasons or _is_given(first, settings):
        for frame in clip.rests:
            if frame.index > clip.first.index:
                rests.append(_at(puzzle, frame, settings))
                if _brought(rests[-1]) is not None:
                    break
    return rests


def _brought(one: FrameRead) -> Reason | None:
    return next((reason for reason in one.judged.reasons if reason.code in _BROUGHT), None)


def _is_given(first: FrameRead, settings: HingeFoldingSettings) -> bool:
    """Whether enough pieces of a chain are there, and no hinge of it is turned; roughly."""
    found = [piece.found for piece in first.read.seen.pieces]
    turned = [apart(hinge.angle_deg, 0.0) for hinge in first.read.seen.hinges]
    return sum(found) >= settings.first_found * len(found) and all(
        one is None or one <= settings.first_turned_deg for one in turned
    )


def _read(
    puzzle: HingeChain, picture: NDArray[np.uint8], settings: HingeFoldingSettings
) -> tuple[ChainReading, ChainJudgement]:
    read = read_chain(puzzle, picture, settings)
    judged = judge_chain(puzzle.shapes, puzzle.target, read.seen, read.faults, settings.drawn)
    if [one.code for one in judged.reasons] != ["WRONG_SILHOUETTE"]:
        return read, judged
    # Of pieces that are all alike, in other colours than they were given, nobody knows which one is the first.
    other = read_from_the_other_end(puzzle, read, settings)
    if other is None:
        return read, judged
    again = judge_chain(puzzle.shapes, puzzle.target, other.seen, other.faults, settings.drawn)
    return (read, judged) if again.reasons else (other, again)


def _at(puzzle: HingeChain, frame: Frame, settings: HingeFoldingSettings) -> FrameRead:
    return FrameRead(frame, *_read(puzzle, frame.pixels, settings))


def _before(one: FrameRead, shown: FrameRead) -> bool:
    return one.frame.index < shown.frame.index


def _metrics(judged: ChainJudgement) -> tuple[Metric, ...]:
    return (
        Metric("silhouette_iou", judged.iou),
        optional_metric("angle_error", judged.angle_error_deg, "no two pieces beside each other were found"),
        Metric("joints_joined", judged.joined),
        Metric("pieces_found", judged.found),
    )


def _span(change: BlockChange) -> TimeSpan:
    return TimeSpan(change.first_frame, change.last_frame, change.first_time_s, change.last_time_s)


def _drawing(clip: ClipSeen, shown: FrameRead, reasons: list[Reason]) -> ClipDrawing:
    moments = [(one.last_frame, _SUDDEN[one.kind][0] if one.kind in _SUDDEN else "") for one in clip.changes]
    right = sum(shown.judged.hinges_right)
    strip = Strip(
        facts=(("hinges right", f"{right} of {len(shown.judged.hinges_right)}"),),
        praise="The chain is seen to fold, and has the right silhouette.",
        reasons=tuple(reasons),
        entries=(),
        footer=f"{clip.count} frames; judged at {shown.frame.time_s:.2f} s.",
    )
    return ClipDrawing(
        moments=chosen_moments([*moments, (shown.frame.index, "")], clip.count),
        draw=partial(draw_frame, shown=shown.frame.index, read=shown.read, judged=shown.judged),
        strip=strip,
    )
