"""Bootstrap intervals: against all resamples, against SciPy, and with clusters kept together."""

import itertools

import numpy as np
import pytest
from scipy import stats

from grader.metrics.runs.bootstrap import Interval, ratio_intervals, wilson_interval


def test_worked_example_with_all_resamples():
    """Sums 0, 1, 2 over 1, 1, 2: all 27 draws of three clusters, and the quantiles of their ratios."""
    numerators, denominators = np.array([[0.0], [1.0], [2.0]]), np.array([[1.0], [1.0], [2.0]])
    ratios = [
        numerators[list(draw), 0].sum() / denominators[list(draw), 0].sum()
        for draw in itertools.product(range(3), repeat=3)
    ]
    # 8 of 27 draws never hold the first cluster, so their ratio is 1; 1 of 27 holds nothing else, ratio 0.
    assert (ratios.count(1.0), ratios.count(0.0)) == (8, 1)
    (found,) = ratio_intervals(numerators, denominators, resamples=60_000, seed=1, level=0.8)
    low, high = np.quantile(ratios, [0.1, 0.9])
    assert (found.low, found.high) == (pytest.approx(low, abs=0.01), pytest.approx(high, abs=0.01))


def test_agrees_with_scipy_where_every_cluster_is_one_value():
    values = np.random.default_rng(3).beta(2, 3, 60)
    (found,) = ratio_intervals(values[:, None], np.ones((60, 1)), resamples=20_000, seed=4)
    other = stats.bootstrap((values,), np.mean, n_resamples=20_000, method="percentile", rng=np.random.default_rng(5))
    assert found.low == pytest.approx(other.confidence_interval.low, abs=0.003)
    assert found.high == pytest.approx(other.confidence_interval.high, abs=0.003)


def test_clusters_stay_together():
    """20 puzzles whose 5 attempts end alike are 20 values, not 100: the interval is sqrt(5) = 2.2 times as wide."""
    passed = np.tile([0.0, 1.0], 10)
    (together,) = ratio_intervals(5 * passed[:, None], np.full((20, 1), 5.0), resamples=4000, seed=0)
    (apart,) = ratio_intervals(np.repeat(passed, 5)[:, None], np.ones((100, 1)), resamples=4000, seed=0)
    assert (together.high - together.low) / (apart.high - apart.low) == pytest.approx(5**0.5, rel=0.15)


def test_same_seed_same_interval_and_statistics_do_not_disturb_each_other():
    dice = np.random.default_rng(0)
    sums, counts = dice.random((30, 2)), np.ones((30, 2))
    both = ratio_intervals(sums, counts, resamples=500, seed=7)
    assert both == ratio_intervals(sums, counts, resamples=500, seed=7)
    assert both[:1] == ratio_intervals(sums[:, :1], counts[:, :1], resamples=500, seed=7)
    assert both != ratio_intervals(sums, counts, resamples=500, seed=8)


def test_memory_is_bounded_by_chunks(monkeypatch):
    sums, counts = np.random.default_rng(0).random((30, 1)), np.ones((30, 1))
    whole = ratio_intervals(sums, counts, resamples=500, seed=7)
    monkeypatch.setattr("grader.metrics.runs.bootstrap._CHUNK_DRAWS", 100)
    (low_high,) = ratio_intervals(sums, counts, resamples=500, seed=7)
    assert low_high.low == pytest.approx(whole[0].low, abs=1e-12)


def test_no_interval_where_nothing_varies():
    same = np.full((9, 1), 0.4)
    assert ratio_intervals(same, np.ones((9, 1)), resamples=10, seed=0) == [None]
    assert ratio_intervals(np.array([[0.2]]), np.ones((1, 1)), resamples=10, seed=0) == [None]
    assert ratio_intervals(np.zeros((0, 2)), np.zeros((0, 2)), resamples=10, seed=0) == [None, None]


def test_clusters_without_the_statistic_are_no_zeros():
    """Only two of fifty clusters have it: draws that miss both say nothing, and no NaN comes of them."""
    numerators, denominators = np.zeros((50, 1)), np.zeros((50, 1))
    numerators[0], denominators[:2] = 1.0, 1.0
    assert ratio_intervals(numerators, denominators, resamples=300, seed=0) == [Interval(0.0, 1.0)]


@pytest.mark.parametrize(
    ("sums", "counts", "more"),
    [
        (np.zeros((3, 1)), np.zeros((2, 1)), {}),
        (np.zeros(3), np.zeros(3), {}),
        (np.full((3, 1), np.nan), np.ones((3, 1)), {}),
        (np.ones((3, 1)), -np.ones((3, 1)), {}),
        (np.ones((3, 1)), np.ones((3, 1)), {"level": 1.0}),
        (np.ones((3, 1)), np.ones((3, 1)), {"resamples": 0}),
    ],
)
def test_refuses_what_has_no_meaning(sums, counts, more):
    with pytest.raises(ValueError, match=r"clusters|resamples"):
        ratio_intervals(sums, counts, **{"resamples": 10, "seed": 0, **more})


@pytest.mark.parametrize(("passed", "n"), [(0, 12), (12, 12), (3, 12), (1, 1)])
def test_wilson_agrees_with_scipy(passed, n):
    other = stats.binomtest(passed, n).proportion_ci(method="wilson")
    found = wilson_interval(passed, n)
    assert (found.low, found.high) == (pytest.approx(other.low, abs=1e-12), pytest.approx(other.high, abs=1e-12))


@pytest.mark.parametrize(("passed", "n"), [(0, 0), (3, 2), (-1, 2)])
def test_wilson_refuses_what_is_no_share(passed, n):
    with pytest.raises(ValueError, match="a share needs"):
        wilson_interval(passed, n)
