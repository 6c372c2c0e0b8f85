"""What tasks declare of their metrics and reasons."""

from __future__ import annotations

from dataclasses import dataclass

from grader.model.failure import FailureMode
from grader.model.jobs import CandidateKind, Similarity


@dataclass(frozen=True)
class MetricInfo:
    """A metric that a task reports.

    Attributes
    ----------
    name : unique within the task
    description : its meaning, with the source
    unit : "1" for plain numbers
    higher_is_better : its direction
    lower_bound, upper_bound : its bounds
    kinds : the kinds of candidate that have it
    on_request : whether a verdict holds it only where the request asks for it
    """

    name: str
    description: str
    unit: str
    higher_is_better: bool
    lower_bound: float
    upper_bound: float
    kinds: tuple[CandidateKind, ...] = (CandidateKind.IMAGE,)
    on_request: bool = False


@dataclass(frozen=True)
class ReasonInfo:
    """A reason that a task can give.

    Attributes
    ----------
    code : UPPER_SNAKE, never renamed
    description : when it is given
    mode : how a candidate failed for which it is the gravest reason; a code has the same mode in every task
    """

    code: str
    description: str
    mode: FailureMode


_SIMILARITIES: tuple[tuple[Similarity, str, bool, float, float], ...] = (
    (Similarity.SSIM, "Structural similarity (uniform windows of 7 x 7 pixels)", True, -1.0, 1.0),
    (Similarity.LPIPS_ALEX, "Learned perceptual similarity (LPIPS 0.1 on AlexNet)", False, 0.0, 1e6),
    (Similarity.LPIPS_VGG, "Learned perceptual similarity (LPIPS 0.1 on VGG16)", False, 0.0, 1e6),
    (Similarity.LPIPS_SQUEEZE, "Learned perceptual similarity (LPIPS 0.1 on SqueezeNet)", False, 0.0, 1e6),
)


def similarity_infos() -> tuple[MetricInfo, ...]:
    """The metrics of a task whose pictures can be compared: each measure inside and outside, where it is asked for."""
    return tuple(
        MetricInfo(f"{one.value}_{side}", f"{text}, {where}.", "1", better, low, high, on_request=True)
        for one, text, better, low, high in _SIMILARITIES
        for side, where in (("in", "inside the mask"), ("out", "outside of it"))
    )
