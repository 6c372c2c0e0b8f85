"""Verdicts on pictures of folded chains."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from grader.model.verdict import Metric, Outcome
from grader.tasks.common.judgement import Judgement, optional_metric
from grader.tasks.hinge_folding.judge import judge_chain
from grader.tasks.hinge_folding.overlay import draw_chain
from grader.tasks.hinge_folding.puzzle import HingeChain
from grader.tasks.hinge_folding.reading import read_chain
from grader.tasks.hinge_folding.settings import HingeFoldingSettings


def judge_hinge_picture(puzzle: HingeChain, candidate: NDArray[np.uint8], settings: HingeFoldingSettings) -> Judgement:
    """Judges one candidate, (H, W, 3) uint8 RGB."""
    read = read_chain(puzzle, candidate, settings)
    judged = judge_chain(puzzle.shapes, puzzle.target, read.seen, read.faults, settings.drawn)
    return Judgement(
        outcome=Outcome.FAIL if judged.reasons else Outcome.PASS,
        score=0.0 if judged.reasons else 1.0,
        reward=judged.reward,
        metrics=(
            Metric("silhouette_iou", judged.iou),
            optional_metric("angle_error", judged.angle_error_deg, "no two pieces beside each other were found"),
            Metric("joints_joined", judged.joined),
            Metric("pieces_found", judged.found),
        ),
        reasons=judged.reasons,
        observation=read.seen,
        notes=judged.notes,
        overlay=lambda: draw_chain(candidate, puzzle, read, judged),
    )
