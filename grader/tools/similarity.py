"""How alike a candidate and a reference are, inside of a mask and outside: what a request may ask for beside a verdict.

Nothing here decides on an outcome. LPIPS needs torch and weights. They are loaded when they are first asked for: here,
or, in a server, in the one process that measures for all workers.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from grader.lpips.availability import NETS, LpipsSource
from grader.lpips.pairs import PicturePair
from grader.lpips.places import WeightPlaces
from grader.lpips.scores import LocalScores, ScoresPairs
from grader.metrics.ssim import masked_ssim
from grader.model.errors import MeasureUnavailableError
from grader.model.jobs import Similarity
from grader.model.verdict import Metric


@dataclass(frozen=True, eq=False)
class Comparison:
    """What is compared.

    Attributes
    ----------
    candidate, reference : (H, W, 3) uint8 RGB, the candidate in the reference's frame
    inside : (H, W) bool, what counts as inside; None for all
    covered : (H, W) bool, which pixels count at all, those that the candidate covers; None for all
    """

    candidate: NDArray[np.uint8]
    reference: NDArray[np.uint8]
    inside: NDArray[np.bool_] | None
    covered: NDArray[np.bool_] | None


@dataclass(frozen=True)
class Measured:
    """A value, or None and why there is none."""

    value: float | None
    why_not: str = ""


class Measures:
    """Takes measures of similarity, and notes what LPIPS was measured with.

    Jobs of several threads each take theirs through `for_one_job`, which share what measures.

    Parameters
    ----------
    places : WeightPlaces or None
        Where weights are, if this process measures; None for what the environment says.
    scores : ScoresPairs or None
        What measures LPIPS; None for this process.
    """

    def __init__(self, places: WeightPlaces | None = None, scores: ScoresPairs | None = None) -> None:
        self._scores = LocalScores(places) if scores is None else scores
        self.used: dict[str, LpipsSource] = {}
        """What LPIPS was measured with, by the measure's name."""

    def for_one_job(self) -> Self:
        """The same measures, with nothing noted yet."""
        fresh = copy.copy(self)
        fresh.used = {}
        return fresh

    def take(
        self,
        similarity: Similarity,
        candidate: NDArray[np.uint8],
        reference: NDArray[np.uint8],
        kept: NDArray[np.bool_] | None,
    ) -> Measured:
        """Measures a pair, (H, W, 3) uint8 RGB, over the pixels of a mask, or all.

        Raises
        ------
        MeasureUnavailableError
            If LPIPS can't be measured on this machine.
        LpipsFailedError
            If the process that measures LPIPS failed.
        """
        if similarity is Similarity.SSIM:
            value = masked_ssim(candidate, reference, kept)
            return Measured(value, "" if value is not None else "no window of 7 x 7 pixels lies wholly in what counts")
        try:
            answer = self._scores.score(NETS[similarity], PicturePair(candidate, reference, kept))
        except MeasureUnavailableError as error:
            raise MeasureUnavailableError(f"LPIPS can't be measured by this grader: {error}") from error
        if answer.source is not None:
            self.used[similarity.value] = answer.source
        return Measured(answer.value, answer.text)


def similarity_metrics(
    comparison: Comparison | None, wanted: tuple[Similarity, ...], measures: Measures, why_none: str
) -> tuple[Metric, ...]:
    """Each wanted measure inside and outside, as metrics.

    Parameters
    ----------
    comparison : Comparison or None
        None where there is nothing to compare with; ``why_none`` says why.
    wanted : tuple of Similarity
    measures : Measures
    why_none : str
    """
    found: list[Metric] = []
    for similarity in wanted:
        for side in ("in", "out"):
            name = f"{similarity.value}_{side}"
            if comparison is None:
                found.append(Metric(name, None, why_none))
                continue
            kept = _kept(comparison, inside=side == "in")
            if kept is None:
                found.append(Metric(name, None, "the request has no mask, so nothing is outside"))
                continue
            every = None if kept.all() else kept
            measured = measures.take(similarity, comparison.candidate, comparison.reference, every)
            found.append(Metric(name, measured.value, measured.why_not))
    return tuple(found)


def _kept(comparison: Comparison, *, inside: bool) -> NDArray[np.bool_] | None:
    """The pixels of a side that count; None where there is no such side."""
    if comparison.inside is None and not inside:
        return None
    shape = comparison.reference.shape[:2]
    kept = np.ones(shape, np.bool_) if comparison.inside is None else comparison.inside == inside
    return kept if comparison.covered is None else kept & comparison.covered
