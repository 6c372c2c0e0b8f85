"""Simulates intervals: how often those of 95 % hold what they are of, and how often bounds are broken.

``python -m benchmarks.people.intervals [--runs 400] [--puzzles 150] [--resamples 300] [--seed 0]`` makes up verdicts
and labels whose true statistics are known from two million candidates, and asks for each interval of a calibration many
times: bootstrap intervals over puzzles with two candidates each, those of estimates of a pass rate, by labels alone
and by labels and verdicts, and the bound on false passes of a fitted threshold. The share of runs that an interval has
to hold is 93 to 97 %; what falls out of that by more than chance is marked.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.random import Generator

from calibration.people import pairs_kappa, share_equal
from calibration.statistics.powered import LabelledPart, powered_rates
from calibration.statistics.ranking import Bools, auroc, average_precision, spearman
from calibration.statistics.raters import Distance, best_agreement, gwet_ac1, krippendorff_alpha, percent_agreement
from calibration.statistics.thresholds import bounded
from calibration.statistics.undefined import Floats, Undefined, estimate_rows
from grader.report.data.estimates import Estimate, Resampling

_MANY = 1_000_000
_LEAST, _MOST = 0.93, 0.97
_RATERS = 3


@dataclass(frozen=True)
class Drawn:
    """Made-up candidates, two a puzzle: whether each is right, its score and verdict, and labels by three people."""

    right: Floats
    score: Floats
    passed: Floats
    labels: Floats

    @property
    def counts(self) -> Floats:
        """How many people say each class."""
        yes = self.labels.sum(axis=1)
        return np.stack([_RATERS - yes, yes], axis=1)


def draw(dice: Generator, puzzles: int) -> Drawn:
    """Draws puzzles: attempts at an easy one are more often right, and people err in one label of fifteen."""
    ease = np.repeat(dice.beta(3.0, 2.0, puzzles), 2)
    right = dice.random(2 * puzzles) < ease
    score = np.clip(dice.normal(0.35 + 0.35 * right, 0.22), 0.0, 1.0)
    labels = right[:, None] ^ (dice.random((2 * puzzles, _RATERS)) < 1 / 15)
    return Drawn(right.astype(float), score, (score >= 0.5).astype(float), labels.astype(float))


def _by(of: Callable[[Floats, Bools], float | Undefined], rows: Floats) -> float | Undefined:
    return of(rows[:, 0], rows[:, 1] > 0)


def _both(rows: Floats) -> float | Undefined:
    return spearman(rows[:, 0], rows[:, 1])


STATISTICS: dict[str, tuple[Callable[[Drawn], Floats], Callable[[Floats], float | Undefined]]] = {
    "as people say": (lambda one: np.stack([one.passed, one.labels[:, 0]], axis=1), share_equal),
    "kappa": (lambda one: np.stack([one.passed, one.labels[:, 0]], axis=1), partial(pairs_kappa, size=2)),
    "AUROC": (lambda one: np.stack([one.score, one.labels[:, 0]], axis=1), partial(_by, auroc)),
    "average precision": (lambda one: np.stack([one.score, one.labels[:, 0]], axis=1), partial(_by, average_precision)),
    "Spearman": (lambda one: np.stack([one.score, one.labels[:, 0]], axis=1), _both),
    "equal pairs": (lambda one: one.counts, percent_agreement),
    "alpha": (
        lambda one: one.counts,
        partial(krippendorff_alpha, values=np.arange(2.0), distance=Distance.NOMINAL),
    ),
    "AC1": (lambda one: one.counts, gwet_ac1),
    "best a grader can reach": (lambda one: one.counts, best_agreement),
}


@dataclass
class Held:
    """How often an interval held the truth, of how many, and how wide they were together."""

    held: int = 0
    of: int = 0
    width: float = 0.0

    def take(self, estimate: Estimate, truth: float) -> None:
        """Counts an interval."""
        if estimate.interval is not None:
            self.held += estimate.interval.low <= truth <= estimate.interval.high
            self.of += 1
            self.width += estimate.interval.high - estimate.interval.low

    def text(self, name: str) -> tuple[str, bool]:
        """A line, and whether the share is where it has to be but for chance."""
        share = self.held / self.of
        slack = 2.0 * math.sqrt(0.05 * 0.95 / self.of)
        fine = _LEAST - slack <= share <= _MOST + slack
        wide = f"{self.width / self.of:.3f} wide"
        return f"{name}: {100 * share:.1f} % of {self.of} hold it, {wide}{'' if fine else '  <- OUT'}", fine


def bootstrap(wish: argparse.Namespace) -> list[tuple[str, bool]]:
    """The statistics of a calibration."""
    dice = np.random.default_rng(wish.seed)
    many = draw(dice, _MANY)
    truth = {name: of(rows(many)) for name, (rows, of) in STATISTICS.items()}
    found = {name: Held() for name in STATISTICS}
    clusters = np.repeat(np.arange(wish.puzzles), 2)
    for run in range(wish.runs):
        one = draw(dice, wish.puzzles)
        for name, (rows, of) in STATISTICS.items():
            known = truth[name]
            if not isinstance(known, Undefined):
                found[name].take(estimate_rows(of, rows(one), clusters, Resampling(wish.resamples, run)), known)
    return [held.text(f"{name} ({truth[name]:.3f})") for name, held in found.items()]


def rates(wish: argparse.Namespace, errors: float, labelled: int) -> list[tuple[str, bool]]:
    """Pass rates from a few labels, by a grader that errs at a share of candidates."""
    dice = np.random.default_rng(wish.seed + 1)
    truth = 3.0 / 5.0
    classical, powered = Held(), Held()
    for _ in range(4 * wish.runs):
        one = draw(dice, 500)
        verdicts = (one.right > 0) ^ (dice.random(len(one.right)) < errors)
        chosen = np.zeros(len(one.right), np.bool_)
        chosen[dice.choice(len(chosen), labelled, replace=False)] = True
        puzzles, shown = np.repeat(np.arange(500), 2), verdicts.astype(np.float64)
        part = LabelledPart(one.right[chosen], shown[chosen], puzzles[chosen], shown[~chosen], puzzles[~chosen])
        found = powered_rates(part)
        classical.take(found.classical, truth)
        powered.take(found.powered, truth)
    lines = [
        one.text(f"{labelled} labels, verdicts wrong in {100 * errors:g} %, {name}")
        for name, one in (("labels alone", classical), ("prediction-powered", powered))
    ]
    return [*lines, (f"  {powered.width / classical.width:.2f} times as wide", powered.width < classical.width)]


def bounds(wish: argparse.Namespace) -> list[tuple[str, bool]]:
    """The bound on false passes of a threshold that many were tried for."""
    dice = np.random.default_rng(wish.seed + 2)
    broken = 0
    runs = 10 * wish.runs
    for _ in range(runs):
        # Scores of wrong ones are even from 0 to 1, so a threshold t lets 1 - t of them pass.
        found = bounded(dice.random(200), np.zeros(200, np.bool_), 0.05, 0.95)
        broken += not isinstance(found, Undefined) and 1.0 - found > 0.05
    share = broken / runs
    return [(f"bound of 5 % to 95 %: broken in {100 * share:.1f} % of {runs} fits", share <= 0.05 + 0.01)]


def main(arguments: list[str] | None = None) -> int:
    """Simulates all, and prints it; 1 where something is out."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=400)
    parser.add_argument("--puzzles", type=int, default=150)
    parser.add_argument("--resamples", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    wish = parser.parse_args(arguments)
    lines = bootstrap(wish)
    for errors, labelled in ((0.02, 100), (0.1, 100), (0.3, 100), (0.5, 100), (0.05, 30)):
        lines += rates(wish, errors, labelled)
    lines += bounds(wish)
    for text, _ in lines:
        print(text)
    return 0 if all(fine for _, fine in lines) else 1


if __name__ == "__main__":
    sys.exit(main())
