"""Verdicts on clips in which pieces are moved into a silhouette.

The last frame has to show the silhouette filled. Each piece in it has to be seen on its way there, so that cuts, fades
and pieces that jump are told; and the scene has to stay what it is.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.mixing import channel_maxima
from detectors.form_board.board import FormBoardFindings, ShapeSeen, find_board
from detectors.form_board.fitting import ShapeChange
from grader.alignment.align import warp
from grader.drawing.clip import chosen_moments
from grader.drawing.strip import Strip
from grader.media.frames import Frame
from grader.media.pyramid import Pyramid, fitted
from grader.model.jobs import VideoPolicy
from grader.model.places import Place, TimeSpan
from grader.model.verdict import Alignment, Metric, Outcome, Reason
from grader.tasks.common.judgement import ClipDrawing, Judgement
from grader.tasks.common.progress import FAILED_REWARD
from grader.tasks.form_board.judge import BoardFit, judge_closely, judge_drawn_board
from grader.tasks.form_board.overlay import draw_board_frame
from grader.tasks.form_board.pictures import look_closely, observed, read_board
from grader.tasks.form_board.puzzle import PreparedBoard
from grader.tasks.form_board.settings import BoardClipRules, FormBoardSettings
from grader.tasks.form_board.words import rule_note


@dataclass(frozen=True)
class FrameSeen:
    """A frame that was looked at: when, what was seen, what is said of it, and how far it is from the first one."""

    index: int
    time_s: float
    seen: FormBoardFindings
    judged: BoardFit
    changed: float

    @property
    def place(self) -> Place:
        """When it is."""
        return Place(span=TimeSpan(self.index, self.index, self.time_s, self.time_s))


def judge_form_board_clip(
    puzzle: PreparedBoard, frames: Iterable[Frame], settings: FormBoardSettings, policy: VideoPolicy
) -> Judgement:
    """Judges a clip."""
    alignment, looked_at = _look(puzzle, frames, settings)
    rules = settings.clip
    first = looked_at[0]
    ended = [one for one in looked_at if not one.judged.reasons]
    last = ended[0] if policy is VideoPolicy.BEST_FRAME and ended else looked_at[-1]
    upto = [one for one in looked_at if one.index <= last.index]
    hidden = _hidden(puzzle, upto, last, rules)
    replaced = _replaced(upto, rules)
    reasons: list[Reason] = []
    if alignment.method == "FAILED" or first.judged.shapes:
        reasons.append(Reason("NOT_THE_PUZZLE", "The first frame does not show the puzzle.", (first.place,)))
    if replaced:
        text = "Most of the picture shows something else for a time."
        reasons.append(Reason("SCENE_REPLACED", text, tuple(one.place for one in replaced[:1])))
    if hidden and not reasons:
        text = f"Piece {hidden[0]} comes into the silhouette without being seen on its way."
        places = tuple(replace(_arrival(label, upto).place, object=label) for label in hidden)
        reasons.append(Reason("MOVE_HIDDEN", text, places))
    if last.judged.reasons:
        if not any(one.judged.shapes for one in looked_at):
            reasons.append(Reason("NOTHING_MOVES", "No piece comes into the silhouette.", (last.place,)))
        elif ended:
            reasons.append(Reason("SOLVED_THEN_UNDONE", "The silhouette is filled, and then no more.", (last.place,)))
        else:
            reasons.append(
                Reason("TARGET_NOT_REACHED", "The last frame does not show the silhouette filled.", (last.place,))
            )
            reasons += last.judged.reasons
    solved = not reasons
    moves = _moves(looked_at)
    legal = _is_strict(puzzle, looked_at, hidden, replaced, rules)
    progress = 1.0 if solved else 0.0 if hidden or replaced else last.judged.placed
    return Judgement(
        outcome=Outcome.PASS if solved else Outcome.FAIL,
        score=float(solved),
        reward=1.0 if solved else min(FAILED_REWARD * progress, last.judged.reward if last.judged.reasons else 0.0),
        metrics=(
            Metric("solved", float(solved)),
            Metric("strict_legal", float(legal)),
            Metric("solved_strict", float(solved and legal)),
            Metric("ever_solved", float(bool(ended) and not hidden and not replaced)),
            Metric("moves", float(len(moves))),
            Metric("least_moves", float(min(len(one) for one in puzzle.right))),
            Metric("plan_progress", progress),
        ),
        reasons=tuple(reasons),
        observation=observed(last.seen),
        notes=(rule_note(puzzle),),
        drawing=_drawing(puzzle, alignment, looked_at, moves, tuple(reasons), last),
    )


def _look(
    puzzle: PreparedBoard, frames: Iterable[Frame], settings: FormBoardSettings
) -> tuple[Alignment, list[FrameSeen]]:
    """How the first frame is laid onto the puzzle's picture, and what frames show, the last one among them."""
    rules = settings.clip
    alignment: Alignment | None = None
    start: NDArray[np.uint8] | None = None
    looked_at: list[FrameSeen] = []
    following, final = -math.inf, None
    for frame in frames:
        final = frame
        if frame.time_s < following:
            continue
        following = frame.time_s + 1 / rules.looks_a_second
        if alignment is None or start is None:
            alignment, _ = read_board(puzzle.drawn, Pyramid(frame.pixels), settings)
            start = fitted(frame.pixels, rules.compared_px)
        looked_at.append(_seen(puzzle, frame, alignment, start, settings))
    if alignment is None or start is None or final is None:
        raise ValueError("a clip has at least one frame")
    # What the last frame shows decides, so that it is looked at as a picture is.
    looked_at = [one for one in looked_at if one.index < final.index]
    looked_at.append(_seen(puzzle, final, alignment, start, settings, closely=True))
    return alignment, looked_at


def _seen(
    puzzle: PreparedBoard,
    frame: Frame,
    alignment: Alignment,
    start: NDArray[np.uint8],
    settings: FormBoardSettings,
    *,
    closely: bool = False,
) -> FrameSeen:
    scene = puzzle.drawn.scene
    size = (-(-scene.size[0] // scene.factor), -(-scene.size[1] // scene.factor))
    view, _ = warp(Pyramid(frame.pixels), alignment, size, scene.factor)
    seen = find_board(Pyramid(view), scene, settings.board, closely=closely)
    now = fitted(frame.pixels, settings.clip.compared_px)
    changed = 1.0
    if now.shape == start.shape:
        changed = float((channel_maxima(np.abs(now.astype(np.int16) - start)) > settings.clip.levels).mean())
    judged = judge_drawn_board(puzzle, seen, False, settings.placing)
    if closely:
        judged = judge_closely(judged, partial(look_closely, puzzle.drawn, seen, alignment, settings), settings.placing)
    return FrameSeen(frame.index, frame.time_s, seen, judged, changed)


def _pieces(one: FrameSeen) -> list[ShapeSeen]:
    """Pieces as they were given, in the silhouette and about."""
    return [shape for shape in (*one.seen.shapes, *one.seen.loose) if shape.change is ShapeChange.AS_GIVEN]


def _hidden(
    puzzle: PreparedBoard, looked_at: Sequence[FrameSeen], last: FrameSeen, rules: BoardClipRules
) -> tuple[str, ...]:
    """Pieces in the last frame that were never seen between where they were given and where they lie."""
    found = []
    outlines = {} if puzzle.board is None else {one.label: one.polygon for one in puzzle.board.pieces}
    least = rules.on_the_way * puzzle.side
    for shape in last.judged.shapes:
        if shape.change is not ShapeChange.AS_GIVEN:
            continue
        home = outlines[shape.label].envelope.centroid.coords[0]
        goal = (home[0] + shape.moved[0], home[1] + shape.moved[1])
        apart = min(least, math.hypot(*shape.moved) / 3)  # not a threshold: the middle third of a short way
        here = outlines[shape.label].bounds
        ends = [here, tuple(value + shape.moved[at % 2] for at, value in enumerate(here))]
        slack = rules.still * puzzle.side
        # What lies within where a piece starts or ends is laid bare or hidden there, as by a wipe.
        middles = (
            _middle(other)
            for one in looked_at
            for other in _like(one, shape, rules)
            if not any(_within(other.box, end, slack) for end in ends)
        )
        if not any(min(math.dist(middle, home), math.dist(middle, goal)) >= apart for middle in middles):
            found.append(shape.label)
    return tuple(sorted(found))


def _like(one: FrameSeen, piece: ShapeSeen, rules: BoardClipRules) -> list[ShapeSeen]:
    """What in a frame is a piece, or may be it, half hidden or with something else."""
    return [
        shape
        for shape in (*one.seen.shapes, *one.seen.loose)
        if shape.label == piece.label
        or (
            shape.change is not ShapeChange.AS_GIVEN
            and 1 / rules.like_size <= shape.size / piece.size <= rules.like_size
        )
    ]


def _within(box: Sequence[float], other: Sequence[float], slack: float) -> bool:
    low = all(one >= limit - slack for one, limit in zip(box[:2], other[:2], strict=True))
    return low and all(one <= limit + slack for one, limit in zip(box[2:], other[2:], strict=True))


def _middle(shape: ShapeSeen) -> tuple[float, float]:
    left, top, right, bottom = shape.box
    return (left + right) / 2, (top + bottom) / 2


def _arrival(label: str, looked_at: Sequence[FrameSeen]) -> FrameSeen:
    """When a piece is first in the silhouette."""
    return next((one for one in looked_at if any(shape.label == label for shape in one.judged.shapes)), looked_at[-1])


def _replaced(looked_at: Sequence[FrameSeen], rules: BoardClipRules) -> list[FrameSeen]:
    """Frames that show something else than the first one nearly everywhere, where that is more than a flash."""
    return [one for before, one in pairwise(looked_at) if min(before.changed, one.changed) > rules.replaced]


def _moves(looked_at: Sequence[FrameSeen]) -> list[tuple[FrameSeen, str]]:
    """Pieces that come to rest in the silhouette, in order, each with when; a minus where one is taken back."""
    resting: set[str] = set()
    moves: list[tuple[FrameSeen, str]] = []
    for before, one in pairwise(looked_at):
        was = {shape.label: shape.moved for shape in before.judged.shapes if shape.change is ShapeChange.AS_GIVEN}
        now = {shape.label: shape.moved for shape in one.judged.shapes if shape.change is ShapeChange.AS_GIVEN}
        rests = {label for label in now if label in was and math.dist(was[label], now[label]) < 1.0}
        moves += [(one, label) for label in sorted(rests - resting)]
        gone = {shape.label for shape in one.seen.loose} & resting
        moves += [(one, f"-{label}") for label in sorted(gone)]
        resting = (resting | rests) - gone
    return moves


def _is_strict(
    puzzle: PreparedBoard,
    looked_at: Sequence[FrameSeen],
    hidden: Sequence[str],
    replaced: Sequence[FrameSeen],
    rules: BoardClipRules,
) -> bool:
    """Whether one piece moves at a time, each is seen on its way, none is changed, and none but needed ones come."""
    if hidden or replaced:
        return False
    needed = looked_at[-1].judged.tiling.labels
    for before, one in pairwise(looked_at):
        was = {shape.label: shape.moved for shape in _pieces(before)}
        moving = [
            shape.label
            for shape in _pieces(one)
            if shape.label in was and math.dist(was[shape.label], shape.moved) > rules.still * puzzle.side
        ]
        if len(set(moving)) > 1 or any(label not in needed for label in moving):
            return False
    return True


def _drawing(
    puzzle: PreparedBoard,
    alignment: Alignment,
    looked_at: Sequence[FrameSeen],
    moves: Sequence[tuple[FrameSeen, str]],
    reasons: tuple[Reason, ...],
    last: FrameSeen,
) -> ClipDrawing:
    by_index = {one.index: one for one in looked_at}
    spans = [(place.span.first_frame, "") for reason in reasons for place in reason.places if place.span is not None]
    named = [(one.index, label) for one, label in moves]
    facts = (
        ("moves", " ".join(label for _, label in moves) or "none"),
        ("pieces in place", f"{sum(last.judged.right)} of {len(last.judged.tiling.labels)}"),
    )
    footer = f"Alignment: {alignment.method.lower()}, agreement {alignment.quality:.2f}; {len(looked_at)} frames."
    praise = "Every piece is moved into its place, and nothing is left free."
    return ClipDrawing(
        moments=chosen_moments([*named, *spans], looked_at[-1].index + 1),
        draw=partial(_drawn, puzzle, alignment, by_index),
        strip=Strip(facts, praise, reasons, (), footer),
    )


def _drawn(
    puzzle: PreparedBoard, alignment: Alignment, looked_at: dict[int, FrameSeen], frame: Frame
) -> NDArray[np.uint8]:
    """A frame with what was seen in it, or in the last one before that was looked at."""
    index = max((one for one in looked_at if one <= frame.index), default=min(looked_at))
    one = looked_at[index]
    return draw_board_frame(puzzle, frame.pixels, alignment, one.judged)
