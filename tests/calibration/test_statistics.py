"""Statistics beside those of other libraries (`tests.calibration.outside`), and by hand where these say nothing."""

import json
from pathlib import Path

import numpy as np
import pytest

from calibration.statistics.bounds import exact_interval, upper_bound
from calibration.statistics.powered import LabelledPart, powered_rates
from calibration.statistics.probability import FitKind, ProbabilityMap, brier, curve, expected_error, fit, log_loss
from calibration.statistics.ranking import auroc, average_precision, spearman
from calibration.statistics.raters import (
    Distance,
    best_agreement,
    gwet_ac1,
    krippendorff_alpha,
    percent_agreement,
    weighted_kappa,
)
from calibration.statistics.thresholds import Tally, bounded, least_cost, tally
from calibration.statistics.undefined import Undefined, estimate_of
from grader.metrics.runs.agreement import cohens_kappa
from grader.metrics.runs.paired import mcnemar_exact
from grader.report.data.estimates import Resampling

OUTSIDE = json.loads((Path(__file__).parent / "outside.json").read_text())
NONE = np.zeros(0)


def counts_of(said, classes):
    return np.array([[(item == one).sum() for one in range(classes)] for item in np.array(said).T], float)


def matches(found, expected, tolerance=1e-9):
    if expected is None:
        return found is None or isinstance(found, Undefined)
    return found == pytest.approx(expected, abs=tolerance)


@pytest.mark.parametrize("case", OUTSIDE["raters"], ids=lambda case: f"{len(case['said'][0])} items")
def test_agreement_is_that_of_others(case):
    counts = counts_of(case["said"], case["classes"])
    values = np.arange(case["classes"], dtype=float)
    for distance in Distance:
        assert matches(krippendorff_alpha(counts, values, distance), case[distance.value]), distance
    assert matches(gwet_ac1(counts), case["ac1"])
    table = np.zeros((case["classes"], case["classes"]))
    for one, other in zip(*case["said"][:2], strict=True):
        if min(one, other) >= 0:
            table[one, other] += 1
    assert matches(cohens_kappa(table), case["kappa"])
    assert matches(weighted_kappa(table, 1), case["linear"])
    assert matches(weighted_kappa(table, 2), case["quadratic"])


@pytest.mark.parametrize("case", OUTSIDE["numbers"], ids=lambda case: f"{len(case['right'])} items")
def test_order_and_probability_are_those_of_others(case):
    scores, right = np.array(case["scores"]), np.array(case["right"])
    assert auroc(scores, right) == pytest.approx(case["auroc"], abs=1e-12)
    assert average_precision(scores, right) == pytest.approx(case["average_precision"], abs=1e-12)
    grid = np.linspace(-0.2, 1.2, 29)
    assert fit(scores, right, FitKind.ISOTONIC)(grid) == pytest.approx(np.array(case["isotonic"]), abs=1e-7)
    assert fit(scores, right, FitKind.PLATT)(grid) == pytest.approx(np.array(case["platt"]), abs=2e-4)
    assert brier(scores, right) == pytest.approx(case["brier"], abs=1e-12)
    assert log_loss(scores, right) == pytest.approx(case["log_loss"], abs=1e-9)


def test_bounds_and_mcnemar_are_those_of_others():
    for count, n, one_sided, low, high in OUTSIDE["bounds"]:
        assert upper_bound(count, n) == pytest.approx(one_sided, abs=1e-12)
        both = exact_interval(count, n)
        assert (both.low, both.high) == pytest.approx((low, high), abs=1e-12)
    for one, two, p in OUTSIDE["mcnemar"]:
        assert mcnemar_exact(one, two) == pytest.approx(p, abs=1e-12)
    with pytest.raises(ValueError, match="n >= 1"):
        upper_bound(0, 0)


def part_of(case):
    said, verdicts, others = (np.array(case[name], float) for name in ("said", "verdicts", "others"))
    return LabelledPart(said, verdicts, np.arange(len(said)), others, len(said) + np.arange(len(others)))


@pytest.mark.parametrize("case", OUTSIDE["powered"], ids=lambda case: f"{len(case['said'])} labels")
def test_a_powered_estimate_is_near_that_of_others(case):
    """Theirs has a weight of 1 and normal bounds; ours the best weight and Student's t, so ours is about as wide."""
    found = powered_rates(part_of(case))
    part = part_of(case)
    weight = found.weight
    by_hand = part.said.mean() + weight * (part.other_verdicts.mean() - part.verdicts.mean())
    assert found.powered.value == pytest.approx(by_hand, abs=1e-12)
    assert abs(found.powered.value - case["value"]) < 0.25 * (case["high"] - case["low"])
    width = found.powered.interval.high - found.powered.interval.low
    assert width < 1.05 * (case["high"] - case["low"])
    assert width < found.classical.interval.high - found.classical.interval.low


def test_intervals_of_powered_estimates_cover():
    """Of 1000 made-up runs with a pass rate of 0.6, those whose interval holds it; and by verdicts all say 0.62."""
    rng = np.random.default_rng(7)
    held, widths = np.zeros(2), np.zeros(2)
    for _ in range(1000):
        truth = rng.random(600) < 0.6
        verdicts = truth ^ (rng.random(600) < np.where(truth, 0.05, 0.12))
        part = LabelledPart(
            truth[:100].astype(float), verdicts[:100].astype(float), np.arange(100),
            verdicts[100:].astype(float), np.arange(100, 600),
        )  # fmt: skip
        found = powered_rates(part)
        for at, one in enumerate((found.classical, found.powered)):
            held[at] += one.interval.low <= 0.6 <= one.interval.high
            widths[at] += one.interval.high - one.interval.low
    assert (held >= 930).all()
    assert (held <= 970).all()
    assert widths[1] < 0.75 * widths[0]


def test_intervals_cover_where_attempts_at_a_puzzle_are_alike():
    """Puzzles are solved in 3 of 5 attempts, some nearly always and some hardly; a fifth of attempts has labels."""
    rng = np.random.default_rng(13)
    held = np.zeros(2)
    for _ in range(600):
        ease = rng.beta(1.5, 1, 200)
        truth = (rng.random((200, 4)) < ease[:, None]).ravel()
        verdicts = truth ^ (rng.random(800) < 0.1)
        puzzles, chosen = np.repeat(np.arange(200), 4), rng.random(800) < 0.2
        said, shown = truth.astype(float), verdicts.astype(float)
        found = powered_rates(
            LabelledPart(said[chosen], shown[chosen], puzzles[chosen], shown[~chosen], puzzles[~chosen])
        )
        for at, one in enumerate((found.classical, found.powered)):
            held[at] += one.interval.low <= 0.6 <= one.interval.high
    assert (held >= 0.93 * 600).all()
    assert (held <= 0.975 * 600).all()


def test_a_powered_estimate_says_what_it_can():
    none = powered_rates(LabelledPart(NONE, NONE, np.zeros(0, int), np.ones(3), np.arange(3)))
    assert (none.classical.why, none.powered.why) == ("no item has a label", "no item has a label")
    every = powered_rates(LabelledPart(np.array([1.0, 0.0]), np.ones(2), np.arange(2), NONE, np.zeros(0, int)))
    assert (every.classical.value, every.powered.why) == (0.5, "all items have labels, so verdicts add nothing")
    # Labels and verdicts are equal, so verdicts without labels count as labels do: 6 of 10 are the others.
    agreed = powered_rates(
        LabelledPart(np.array([1.0, 0.0, 1.0, 0.0]), np.array([1.0, 0.0, 1.0, 0.0]), np.arange(4),
                     np.array([1.0, 0.0, 1.0, 0.0, 1.0, 0.0]), np.arange(4, 10)))  # fmt: skip
    assert (agreed.powered.value, agreed.weight) == (0.5, pytest.approx(6 / 10))
    same = powered_rates(LabelledPart(np.ones(3), np.ones(3), np.arange(3), np.ones(2), np.arange(3, 5)))
    assert (same.powered.value, same.powered.interval, same.weight) == (1.0, None, 0.0)
    one = powered_rates(LabelledPart(np.ones(1), np.ones(1), np.zeros(1, int), np.ones(2), np.arange(1, 3)))
    assert (one.classical.value, one.classical.interval) == (1.0, None)


def test_undefined_agreement_says_why():
    alone = np.array([[1.0, 0.0], [0.0, 1.0]])
    for found in (
        percent_agreement(alone),
        gwet_ac1(alone),
        best_agreement(alone),
        krippendorff_alpha(alone, np.arange(2.0), Distance.NOMINAL),
        weighted_kappa(np.zeros((2, 2)), 1),
    ):
        assert found == Undefined("no item has labels by two people")
    one_class = np.array([[0.0, 2.0], [0.0, 3.0]])
    assert percent_agreement(one_class) == 1.0
    assert gwet_ac1(one_class) == 1.0
    assert "one and the same class" in krippendorff_alpha(one_class, np.arange(2.0), Distance.INTERVAL).why
    assert "one and the same class" in weighted_kappa(np.array([[0.0, 0.0], [0.0, 4.0]]), 2).why
    assert best_agreement(np.array([[1.0, 2.0], [2.0, 0.0], [1.0, 0.0]])) == 4 / 5


def test_undefined_order_says_why():
    right = np.array([True, True])
    assert auroc(np.array([0.1, 0.2]), right).why == "people called all of them right"
    assert auroc(np.array([0.1, 0.2]), ~right).why == "people called none of them right"
    assert isinstance(average_precision(np.array([0.1]), np.array([False])), Undefined)
    assert spearman(np.ones(1), np.ones(1)).why == "fewer than two items"
    assert "same throughout" in spearman(np.ones(3), np.arange(3.0)).why
    # Ranks 1.5 1.5 3 and 1 2 3: covariance 1.5 of spreads 1.5 and 2.
    assert spearman(np.array([1.0, 1.0, 2.0]), np.array([4.0, 5.0, 6.0])) == pytest.approx(1.5 / np.sqrt(3))
    assert "fewer than two" in fit(np.ones(1), np.ones(1, bool), FitKind.PLATT).why
    assert fit(np.arange(3.0), np.ones(3, bool), FitKind.PLATT).why == "people said yes of all items to fit to"
    assert "same number" in fit(np.ones(2), np.array([True, False]), FitKind.ISOTONIC).why
    for found in (brier(NONE, NONE > 0), log_loss(NONE, NONE > 0), expected_error(())):
        assert found.why == "no items to judge by"


def test_a_curve_counts_items_by_their_probability():
    """0.05 and 0.15 alone, 0.95 and 1 together: (|0.05 - 0| + |0.15 - 1| + |1.95 - 1|) / 4."""
    bins = curve(np.array([0.05, 0.15, 0.95, 1.0]), np.array([False, True, True, False]))
    assert [(one.low, one.n, one.yes) for one in bins] == [(0.0, 1, 0), (0.1, 1, 1), (0.9, 2, 1)]
    assert expected_error(bins) == pytest.approx((0.05 + 0.85 + 0.95) / 4)
    assert ProbabilityMap(FitKind.PLATT, slope=0.0, offset=0.0)(np.array([9.0])) == [0.5]


SCORES = np.array([0.9, 0.8, 0.8, 0.6, 0.3])
RIGHT = np.array([True, True, False, False, True])


def test_thresholds_of_least_cost():
    """At 0.9: two right ones fail. At 0.8: one passes falsely, one right one fails. At 0.3: two pass falsely."""
    assert tally(SCORES, RIGHT, 0.8) == Tally(passed=3, false_passes=1, wrong=2, false_fails=1, right=3)
    assert least_cost(SCORES, RIGHT, 1.0, 1.0) == 0.9
    assert least_cost(SCORES, RIGHT, 1.0, 9.0) == 0.3
    assert least_cost(SCORES, ~RIGHT, 9.0, 1.0) == float("inf")
    assert least_cost(NONE, NONE > 0, 1.0, 1.0).why == "no items to fit to"


def test_thresholds_under_a_bound_on_false_passes():
    """59 wrong items of which none passes show a share below 0.05: 0.95 ** 59 < 0.05; 58 do not."""
    scores = np.concatenate([np.full(59, 0.2), [0.2, 0.7, 0.9]])
    right = np.arange(62) >= 59
    assert bounded(scores, right, 0.05, 0.95) == 0.7
    assert bounded(scores[1:], right[1:], 0.05, 0.95).why.endswith("it takes at least 59 wrong items, here are 58")
    assert bounded(scores, right, 0.999, 0.95) == 0.7
    assert "called none" in bounded(np.ones(2), np.ones(2, bool), 0.05, 0.95).why
    wrong_on_top = bounded(np.array([0.9, *np.full(59, 0.1)]), np.zeros(60, bool), 0.05, 0.95)
    assert wrong_on_top.why == "no threshold keeps false passes below 0.05 with a chance of 0.95"


def test_a_fitted_bound_holds_as_often_as_it_says():
    """Wrong items score evenly from 0 to 1, so a threshold t lets 1 - t of them pass."""
    rng = np.random.default_rng(3)
    broken = 0
    for _ in range(400):
        found = bounded(rng.random(120), np.zeros(120, bool), 0.1, 0.9)
        broken += not isinstance(found, Undefined) and 1 - found > 0.1
    assert broken <= 400 * 0.1 + 2 * (400 * 0.1 * 0.9) ** 0.5


def test_an_interval_keeps_the_items_of_a_puzzle_together():
    """Two puzzles, all 1 and all 0: a resample has a mean of 0, a half or 1."""
    values = np.array([1.0] * 5 + [0.0] * 5)
    clusters = np.array([7] * 5 + [9] * 5)

    def mean(places):
        return float(values[places].mean())

    found = estimate_of(mean, clusters, Resampling(400, 1))
    assert (found.value, found.interval.low, found.interval.high) == (0.5, 0.0, 1.0)
    assert estimate_of(mean, np.full(10, 3), Resampling(400, 1)).interval is None
    assert estimate_of(mean, clusters, Resampling(0)).interval is None
    assert estimate_of(lambda _: 1.0, clusters, Resampling(50)).interval is None
    assert estimate_of(mean, clusters[:0], Resampling(50)).why == "no items"
    assert estimate_of(lambda _: Undefined("no"), clusters, Resampling(50)).why == "no"
