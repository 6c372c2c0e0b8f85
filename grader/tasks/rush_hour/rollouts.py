"""Verdicts on clips and series of pictures of a lot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from detectors.rush_hour.findings import FrameBox, LotFindings, LotStill, VehicleTrack
from detectors.rush_hour.lots import find_lot
from detectors.rush_hour.stills import read_lot_series
from grader.answers.result import Reading
from grader.drawing.clip import chosen_moments
from grader.drawing.strip import Strip
from grader.media.frames import Frame
from grader.model import places
from grader.model.jobs import VideoPolicy
from grader.model.observations import SceneEvent
from grader.model.places import Place, TimeSpan
from grader.model.verdict import Metric, Outcome, Reason
from grader.tasks.common.judgement import ClipDrawing, Judgement, optional_metric
from grader.tasks.plans.model import ShownMove, Track
from grader.tasks.plans.progress import too_long
from grader.tasks.plans.rewards import plan_reward
from grader.tasks.plans.settings import TrackRules
from grader.tasks.plans.steps import judge_steps
from grader.tasks.plans.tracks import make_track
from grader.tasks.plans.words import TOO_LARGE
from grader.tasks.rush_hour.clips.overlay import draw_lot
from grader.tasks.rush_hour.clips.video import LotClipJudgement, LotVideoReason, judge_lot_clip
from grader.tasks.rush_hour.model import LotObservation
from grader.tasks.rush_hour.progress import moves_that_matter
from grader.tasks.rush_hour.puzzle import LotPuzzle
from grader.tasks.rush_hour.settings import RushHourSettings
from grader.tasks.rush_hour.steps import LotPicture, read_lot_steps
from grader.tasks.rush_hour.words import judge_rush_hour


def judge_lot_frames(
    puzzle: LotPuzzle, frames: Iterable[Frame], settings: RushHourSettings, _policy: VideoPolicy
) -> Judgement:
    """Judges a clip. The exit reached once counts, whatever the policy on frames."""
    found = find_lot(frames, puzzle.lot, settings.lot)
    judged = judge_lot_clip(puzzle.lot, found, settings)
    needed = puzzle.least_moves
    # What comes after the red car was at the exit does not count.
    counted = [one for one in judged.moves if judged.at_exit is None or one.first <= judged.at_exit]
    spam = too_long(len(counted), needed, settings.plan)
    reasons = _reasons(judged.reasons) if spam is None else (*_reasons(judged.reasons), spam)
    progress = judged.progress if spam is None else 0.0
    return Judgement(
        outcome=Outcome.PASS if judged.solved and spam is None else Outcome.FAIL,
        score=float(judged.solved),
        reward=plan_reward(
            [str(one.move) for one in counted],
            passed=judged.solved and spam is None,
            progress=progress,
            needed=needed,
            matter=lambda moves: moves_that_matter(puzzle.lot, moves),
            rules=settings.plan,
        ),
        metrics=(
            Metric("solved", float(judged.solved)),
            Metric("strict_legal", float(judged.strict_legal)),
            Metric("solved_strict", float(judged.solved_strict)),
            Metric("solved_first_moves", float(judged.solved_first_moves)),
            Metric("moves", float(len(judged.moves))),
            optional_metric("least_moves", None if needed is None else float(needed), TOO_LARGE),
            optional_metric("plan_progress", None if needed is None else progress, TOO_LARGE),
        ),
        reasons=reasons,
        observation=_observation(found, judged, settings.tracks),
        drawing=_drawing(puzzle, found, judged, reasons),
    )


def judge_lot_pictures(
    puzzle: LotPuzzle, images: Sequence[NDArray[np.uint8] | None], text: str, settings: RushHourSettings
) -> Judgement:
    """Judges a picture after every move."""
    lot = puzzle.lot
    stills = read_lot_series(images, lot, settings.lot)
    pictures = [None if still is None else _picture(still, settings.steps.whole) for still in stills]
    words = judge_rush_hour(lot, text)[Reading.LENIENT]
    named = words.moves if words.end is not None else None
    shown = read_lot_steps(lot, pictures, settings.steps, settings.plan)
    return judge_steps(
        shown, named, words.solved, puzzle.least_moves, settings.plan, lambda moves: moves_that_matter(lot, moves)
    )


def _picture(still: LotStill, whole: float) -> LotPicture | None:
    """What was read of a picture; None where no lot is seen in it."""
    if still.box is None:
        return None
    altered, about = "", ""
    if still.drawn:
        about = still.drawn[0].label
        altered = f"something is drawn over vehicle {about}." if about else "something is drawn on the lot."
    if not still.walls_kept:
        altered, about = "an obstacle or the border is not as in the puzzle.", ""
    small = [one.label for one in still.vehicles if one.seen and one.visible < whole]
    if small:
        altered, about = f"vehicle {small[0]} is not whole.", small[0]
    if not still.exits_kept:
        altered, about = "the exit is not as in the puzzle.", ""
    poses = tuple((one.x, one.y, one.theta) if one.seen else None for one in still.vehicles)
    return LotPicture(poses, len(still.foreign), altered, about)


def _reasons(found: tuple[LotVideoReason, ...]) -> tuple[Reason, ...]:
    """One reason a code, with all its places, in the order in which the codes come first."""
    codes = dict.fromkeys(one.fault for one in found)
    reasons = []
    for code in codes:
        of_code = [one for one in found if one.fault is code]
        message = of_code[0].message
        sentence = f"{message[0].upper()}{message[1:]}".rstrip(".") + "."
        reasons.append(Reason(code.value, sentence, tuple(map(_place, of_code))))
    return tuple(reasons)


def _place(one: LotVideoReason) -> Place:
    return Place(
        box=None if one.box is None else _box(one.box),
        span=TimeSpan(one.first, one.last, one.first_s, one.last_s),
        object=one.label,
    )


def _box(box: FrameBox) -> places.PixelBox:
    return places.PixelBox(box.left, box.top, box.right - box.left, box.bottom - box.top)


def _observation(found: LotFindings, judged: LotClipJudgement, rules: TrackRules) -> LotObservation:
    return LotObservation(
        moves=tuple(
            ShownMove(
                str(one.move), TimeSpan(one.first, one.last, one.first_s, one.last_s), one.distance, not one.stops_short
            )
            for one in judged.moves
        ),
        tracks=tuple(_track(found, track, rules) for track in found.tracks),
        events=tuple(
            SceneEvent(
                event.kind.value,
                TimeSpan(event.first, event.last, event.first_s, event.last_s),
                event.label,
                None if event.box is None else _box(event.box),
            )
            for event in found.events
        ),
    )


def _track(found: LotFindings, track: VehicleTrack, rules: TrackRules) -> Track:
    places_seen = np.stack([track.x, track.y, track.theta], axis=1)
    return make_track(track.label, found.times_s, places_seen, rules.tolerance)


def _drawing(
    puzzle: LotPuzzle, found: LotFindings, judged: LotClipJudgement, reasons: tuple[Reason, ...]
) -> ClipDrawing:
    faults = [(one.first, one.fault.value) for one in judged.reasons]
    moves = [(one.last, str(one.move)) for one in judged.moves]
    exit_at = [] if judged.at_exit is None else [(judged.at_exit, "red at the exit")]
    written = ", ".join(str(one.move) for one in judged.moves) or "none"
    strip = Strip(
        facts=(
            ("moves", written),
            ("strictly legal", "yes" if judged.strict_legal else "no"),
            ("by first moves", "solved" if judged.solved_first_moves else "not solved"),
        ),
        praise="The moves that are shown free the red car, and it is seen at the exit.",
        reasons=reasons,
        entries=(),
        footer=f"{100 * found.fit.vehicles:.0f} % of the vehicles stand in the first frame as in the puzzle; "
        f"places tremble by {found.noise:.3f} units.",
    )
    return ClipDrawing(
        moments=chosen_moments([*faults, *exit_at, *moves], max(1, len(found.times_s))),
        draw=lambda frame: draw_lot(frame, puzzle.lot, found),
        strip=strip,
    )
