"""How alike a candidate and a reference are, inside of a mask and outside: what a request may ask for beside a verdict.

Nothing here decides on an outcome. LPIPS needs torch and weights, which are loaded when they are first asked for.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grader.errors import MeasureUnavailableError
from grader.jobs import Similarity
from grader.metrics.lpips import LpipsError, LpipsScorer, PictureTooSmallError
from grader.metrics.lpips_nets import LpipsNet
from grader.metrics.lpips_weights import WeightPlaces, WeightsError
from grader.metrics.ssim import masked_ssim
from grader.verdict import Metric

NETS = {
    Similarity.LPIPS_ALEX: LpipsNet.ALEX,
    Similarity.LPIPS_VGG: LpipsNet.VGG,
    Similarity.LPIPS_SQUEEZE: LpipsNet.SQUEEZE,
}


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
    """Takes measures of similarity, and keeps the networks that it has loaded.

    Parameters
    ----------
    places : WeightPlaces or None
        Where weights are; None for what the environment says.
    """

    def __init__(self, places: WeightPlaces | None = None) -> None:
        self._places = places
        self._networks: dict[LpipsNet, LpipsScorer] = {}

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
        """
        if similarity is Similarity.SSIM:
            value = masked_ssim(candidate, reference, kept)
            return Measured(value, "" if value is not None else "no window of 7 x 7 pixels lies wholly in what counts")
        try:
            value = self._network(NETS[similarity]).score(candidate, reference, kept)
        except PictureTooSmallError as error:
            return Measured(None, str(error))
        return Measured(value, "" if value is not None else "no pixel counts")

    def _network(self, net: LpipsNet) -> LpipsScorer:
        if net not in self._networks:
            try:
                self._networks[net] = LpipsScorer(net, self._places)
            except (LpipsError, WeightsError) as error:
                raise MeasureUnavailableError(f"LPIPS can't be measured by this grader: {error}") from error
        return self._networks[net]


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
