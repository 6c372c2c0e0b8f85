"""Verdicts on pictures that were put together of the pieces of a puzzle."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from detectors.jigsaw.assembly import Assembly, QuarterSeen, find_assembly
from grader.model.places import PixelBox
from grader.model.verdict import Metric, Outcome
from grader.tasks.common.judgement import Judgement
from grader.tasks.jigsaw.judge import judge_assembly
from grader.tasks.jigsaw.model import AssemblyObservation, QuarterObservation
from grader.tasks.jigsaw.overlay import draw_assembly
from grader.tasks.jigsaw.puzzle import JigsawPuzzle
from grader.tasks.jigsaw.settings import JigsawSettings

_QUARTER_DEG = 90  # not a threshold: degrees of a quarter turn


def judge_jigsaw_picture(puzzle: JigsawPuzzle, candidate: NDArray[np.uint8], settings: JigsawSettings) -> Judgement:
    """Judges one candidate, (H, W, 3) uint8 RGB."""
    seen = observed(find_assembly(candidate, puzzle.laid, settings.assembly), settings)
    judged = judge_assembly(seen.quarters, puzzle.order, settings.drawn)
    return Judgement(
        outcome=Outcome.FAIL if judged.reasons else Outcome.PASS,
        score=0.0 if judged.reasons else 1.0,
        reward=judged.reward,
        metrics=(
            Metric("places_right", sum(judged.right) / len(judged.right)),
            Metric("pieces_found", judged.found / len(judged.right)),
            Metric("pieces_intact", sum(judged.intact) / len(judged.intact)),
        ),
        reasons=judged.reasons,
        observation=seen,
        overlay=lambda: draw_assembly(candidate, seen, judged),
    )


def observed(found: Assembly, settings: JigsawSettings) -> AssemblyObservation:
    """What was found, in the words of the contract."""
    return AssemblyObservation(tuple(_quarter(one, settings) for one in found.quarters))


def _quarter(seen: QuarterSeen, settings: JigsawSettings) -> QuarterObservation:
    """What is like no piece is none."""
    like = seen.likeness >= settings.drawn.least_likeness
    left, top, right, bottom = seen.box if like else seen.space
    return QuarterObservation(
        piece=seen.piece if like else 0,
        rotation_deg=_QUARTER_DEG * seen.turn.quarters if like else 0,
        mirrored=like and seen.turn.mirrored,
        likeness=seen.likeness,
        detail=seen.detail,
        shift=seen.shift,
        rough=seen.rough,
        displaced=seen.displaced,
        altered_share=seen.blob,
        box=PixelBox(left, top, right - left, bottom - top),
    )
