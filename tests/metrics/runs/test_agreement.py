"""Agreement and Cohen's kappa: numbers with their arithmetic, bounds, what says nothing, and intervals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from grader.metrics.runs.agreement import agreement, cohens_kappa, kappa_interval
from grader.metrics.runs.bootstrap import ratio_intervals, resampled_sums

TABLE = np.array([[10.0, 2.0, 0.0], [3.0, 5.0, 2.0], [0.0, 1.0, 7.0]])


def test_numbers():
    """22 of 30 are equal. By chance (12 x 13 + 10 x 8 + 8 x 9) / 900 = 308 / 900 would be.

    Kappa: (22/30 - 308/900) / (1 - 308/900) = (660 - 308) / (900 - 308) = 352 / 592.
    """
    assert agreement(TABLE) == 22 / 30
    assert cohens_kappa(TABLE) == pytest.approx(352 / 592, abs=1e-12)
    assert cohens_kappa(np.eye(3)) == 1.0
    # Rows and columns regardless of each other: 4 of 16 in each cell.
    assert cohens_kappa(np.full((2, 2), 4.0)) == 0.0
    # Never the same: p_e = 1/2, so (0 - 1/2) / (1/2).
    assert cohens_kappa(np.array([[0.0, 3.0], [3.0, 0.0]])) == -1.0


def test_what_says_nothing():
    assert (agreement(np.zeros((3, 3))), cohens_kappa(np.zeros((3, 3)))) == (None, None)
    only = np.zeros((3, 3))
    only[2, 2] = 7.0  # all in one class by both ways: what chance gives too
    assert (agreement(only), cohens_kappa(only)) == (1.0, None)
    assert kappa_interval(TABLE[None], resamples=10, seed=0) is None  # one cluster
    assert kappa_interval(np.stack([TABLE, np.zeros((3, 3))]), resamples=10, seed=0) is None
    assert kappa_interval(np.stack([TABLE, TABLE]), resamples=10, seed=0) is None  # no resample differs


@given(hnp.arrays(np.float64, (3, 3), elements=st.integers(0, 50).map(float)))
def test_bounds_and_symmetry(counts):
    kappa = cohens_kappa(counts)
    if kappa is None:
        assert np.count_nonzero(counts) <= 1
        return
    assert -1.0 <= kappa <= 1.0
    assert kappa <= agreement(counts) + 1e-12
    assert cohens_kappa(counts.T) == pytest.approx(kappa, abs=1e-12)
    assert cohens_kappa(counts[::-1, ::-1]) == pytest.approx(kappa, abs=1e-12)


def test_the_interval_is_that_of_each_resample_by_itself():
    dice = np.random.default_rng(5)
    counts = dice.multinomial(4, TABLE.ravel() / TABLE.sum(), size=25).astype(np.float64).reshape(25, 3, 3)
    found = kappa_interval(counts, resamples=400, seed=3)
    drawn = resampled_sums(counts.reshape(25, 9), resamples=400, seed=3)
    low, high = np.quantile([cohens_kappa(one.reshape(3, 3)) for one in drawn], (0.025, 0.975))
    assert (found.low, found.high) == (pytest.approx(low, abs=1e-12), pytest.approx(high, abs=1e-12))
    assert found.low < cohens_kappa(counts.sum(axis=0)) < found.high
    assert kappa_interval(counts, resamples=400, seed=3) == found


def test_resamples_are_those_of_ratios():
    """The same seed draws the same clusters for a ratio and for what is more than one."""
    sums = np.random.default_rng(1).integers(0, 5, (12, 2)).astype(np.float64)
    sums[:, 1] += 1
    (interval,) = ratio_intervals(sums[:, :1], sums[:, 1:], resamples=200, seed=9)
    drawn = resampled_sums(sums, resamples=200, seed=9)
    assert (interval.low, interval.high) == tuple(np.quantile(drawn[:, 0] / drawn[:, 1], (0.025, 0.975)))


@pytest.mark.parametrize(
    "counts", [np.zeros((2, 3)), np.zeros(3), np.zeros((0, 0)), np.full((2, 2), -1.0), np.full((2, 2), np.nan)]
)
def test_what_is_no_table_is_refused(counts):
    for take in (agreement, cohens_kappa):
        with pytest.raises(ValueError, match=r"pairs are counted in a square|counts are finite"):
            take(counts)


def test_interval_options_are_checked():
    for options in ({"resamples": 0}, {"resamples": 5, "level": 1.0}):
        with pytest.raises(ValueError, match="at least 1, and within"):
            kappa_interval(np.stack([TABLE, TABLE]), seed=0, **options)
    with pytest.raises(ValueError, match="are \\(C, K, K\\)"):
        kappa_interval(TABLE, resamples=5, seed=0)
