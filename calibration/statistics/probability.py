"""From a number to the probability that people say yes: fitted on some items, judged on others.

References
----------
.. [1] B. Zadrozny and C. Elkan, "Transforming classifier scores into accurate multiclass probability estimates", KDD
   2002: isotonic regression.
.. [2] J. Platt, "Probabilistic outputs for support vector machines", 1999.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

import numpy as np
from scipy.optimize import isotonic_regression, minimize
from scipy.special import expit

from calibration.statistics.ranking import Bools
from calibration.statistics.undefined import Floats, Undefined

_LEAST = 1e-6
"""No probability is taken for nearer to 0 or 1 than this where its logarithm is asked for."""


class FitKind(enum.Enum):
    """How a number becomes a probability."""

    ISOTONIC = "isotonic"
    PLATT = "platt"


@dataclass(frozen=True)
class ProbabilityMap:
    """A rising function from a number to a probability.

    Attributes
    ----------
    kind : how it was fitted
    numbers, probabilities : isotonic: corners, between which it is straight, and level beyond the outermost
    slope, offset : Platt: 1 / (1 + exp(-(slope * number + offset)))
    """

    kind: FitKind
    numbers: tuple[float, ...] = ()
    probabilities: tuple[float, ...] = ()
    slope: float = 0.0
    offset: float = 0.0

    def __call__(self, scores: Floats) -> Floats:
        """The probability of each number."""
        if self.kind is FitKind.ISOTONIC:
            return np.asarray(np.interp(scores, self.numbers, self.probabilities), np.float64)
        return np.asarray(expit(self.slope * scores + self.offset), np.float64)


def fit(scores: Floats, yes: Bools, kind: FitKind) -> ProbabilityMap | Undefined:
    """Fits a map; says why where that would be one from nothing."""
    if len(scores) < 2:
        return Undefined("fewer than two items to fit to")
    if bool(yes.all()) or not bool(yes.any()):
        return Undefined(f"people said {'yes' if yes[0] else 'no'} of all items to fit to")
    if bool((scores == scores[0]).all()):
        return Undefined("all items to fit to have one and the same number")
    return _isotonic(scores, yes) if kind is FitKind.ISOTONIC else _platt(scores, yes)


def _isotonic(scores: Floats, yes: Bools) -> ProbabilityMap:
    numbers, where, counts = np.unique(scores, return_inverse=True, return_counts=True)
    means = np.bincount(where, weights=yes.astype(np.float64)) / counts
    fitted = isotonic_regression(means, weights=counts.astype(np.float64)).x
    # Inner points of a level say nothing.
    kept = np.ones(len(fitted), np.bool_)
    kept[1:-1] = (fitted[1:-1] != fitted[:-2]) | (fitted[1:-1] != fitted[2:])
    clipped = np.clip(fitted[kept], 0.0, 1.0)
    return ProbabilityMap(FitKind.ISOTONIC, tuple(numbers[kept].tolist()), tuple(clipped.tolist()))


def _platt(scores: Floats, yes: Bools) -> ProbabilityMap:
    good = int(yes.sum())
    bad = len(yes) - good
    # Not 1 and 0: where one number parts all items, the slope would have no end.
    aims = np.where(yes, (good + 1.0) / (good + 2.0), 1.0 / (bad + 2.0))
    middle, spread = float(scores.mean()), float(scores.std())
    standard = (scores - middle) / spread

    def loss(two: Floats) -> tuple[float, Floats]:
        said = two[0] * standard + two[1]
        wrong = expit(said) - aims
        return float((np.logaddexp(0.0, said) - aims * said).sum()), np.array([wrong @ standard, wrong.sum()])

    start = np.array([0.0, np.log((good + 1.0) / (bad + 1.0))])
    slope, offset = minimize(loss, start, jac=True, method="BFGS", options={"gtol": 1e-8}).x
    return ProbabilityMap(FitKind.PLATT, slope=float(slope / spread), offset=float(offset - slope * middle / spread))


def brier(probabilities: Floats, yes: Bools) -> float | Undefined:
    """The mean squared difference of a probability and what people said; 0 is best."""
    return float(((probabilities - yes) ** 2).mean()) if len(yes) else Undefined("no items to judge by")


def log_loss(probabilities: Floats, yes: Bools) -> float | Undefined:
    """The mean surprise, in nats; probabilities are kept a millionth from 0 and 1."""
    if not len(yes):
        return Undefined("no items to judge by")
    kept = np.clip(probabilities, _LEAST, 1.0 - _LEAST)
    return float(-np.log(np.where(yes, kept, 1.0 - kept)).mean())


@dataclass(frozen=True)
class CurveBin:
    """Items whose probability is in one part of 0 to 1: how many, their mean, how many are yes, and their places."""

    low: float
    high: float
    mean: float
    yes: int
    places: tuple[int, ...]

    @property
    def n(self) -> int:
        """How many items there are."""
        return len(self.places)


def curve(probabilities: Floats, yes: Bools, bins: int = 10) -> tuple[CurveBin, ...]:
    """A calibration curve: equal parts of 0 to 1, those without items left out; 1 itself is in the last."""
    where = np.minimum((probabilities * bins).astype(np.int64), bins - 1)
    made = []
    for one in range(bins):
        places = np.flatnonzero(where == one)
        if len(places):
            mean, good = float(probabilities[places].mean()), int(yes[places].sum())
            made.append(CurveBin(one / bins, (one + 1) / bins, mean, good, tuple(places.tolist())))
    return tuple(made)


def expected_error(bins: tuple[CurveBin, ...]) -> float | Undefined:
    """The mean distance, over items, of a bin's mean probability from its share of yes."""
    n = sum(one.n for one in bins)
    return sum(abs(one.n * one.mean - one.yes) for one in bins) / n if n else Undefined("no items to judge by")
