"""Any picture beside another one: measured, not judged."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grader.media.pictures import MediaLimits
from grader.metrics.pixels import split_mse
from grader.model.jobs import CandidateKind
from grader.model.verdict import Outcome
from grader.tasks.common.declarations import MetricInfo, similarity_infos
from grader.tasks.common.fitting import fit
from grader.tasks.common.inputs import Inputs
from grader.tasks.common.judgement import Judgement, optional_metric
from grader.tasks.compare.model import CompareInput
from grader.tasks.compare.overlay import draw_comparison
from grader.tasks.compare.settings import CompareSettings
from grader.tools.similarity import Comparison


@dataclass(frozen=True, eq=False)
class ComparePuzzle:
    """A prepared comparison: a picture, (H, W, 3) uint8 RGB, and what is inside, (H, W) bool, or None for all."""

    reference: NDArray[np.uint8]
    inside: NDArray[np.bool_] | None

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the reference in pixels."""
        return self.reference.shape[1], self.reference.shape[0]


METRICS: tuple[MetricInfo, ...] = (
    MetricInfo("mse_in", "Mean squared error inside the mask, channels averaged, on [0, 1].", "1", False, 0.0, 1.0),
    MetricInfo("mse_out", "The same outside of it.", "1", False, 0.0, 1.0),
    *similarity_infos(),
)


def prepare_comparison(
    task: CompareInput, _settings: CompareSettings, limits: MediaLimits, _kind: CandidateKind
) -> ComparePuzzle:
    """Checks and decodes the reference and its mask."""
    inputs = Inputs(limits)
    reference = inputs.picture("compare.reference", task.reference)
    inside = inputs.mask("compare.mask", task.mask)
    if reference is not None:
        inputs.same_size("compare.mask", inside, reference)
    return ComparePuzzle(inputs.checked(reference), inside)


def measure_picture(puzzle: ComparePuzzle, candidate: NDArray[np.uint8], settings: CompareSettings) -> Judgement:
    """Measures one candidate, (H, W, 3) uint8 RGB."""
    fitted, notes = fit(candidate, puzzle.size, settings.fitting)
    inside = np.ones(fitted.shape[:2], np.bool_) if puzzle.inside is None else puzzle.inside
    error_in, error_out = split_mse(fitted, puzzle.reference, inside, None)
    no_outside = "the request has no mask" if puzzle.inside is None else "the mask is white all over"
    return Judgement(
        outcome=Outcome.MEASURED,
        score=None,
        reward=None,
        metrics=(
            optional_metric("mse_in", error_in, "the mask is black"),
            optional_metric("mse_out", error_out, no_outside),
        ),
        reasons=(),
        observation=None,
        notes=notes,
        overlay=lambda: draw_comparison(fitted, puzzle.reference, puzzle.inside, (error_in, error_out), notes),
        comparison=lambda: Comparison(fitted, puzzle.reference, puzzle.inside, None),
    )
