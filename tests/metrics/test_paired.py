"""Paired comparisons, beside scipy's binomial test and numbers worked out here."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from grader.metrics.runs.paired import difference_intervals, holm, mcnemar_exact

COUNTS = st.integers(0, 300)


@given(COUNTS, COUNTS)
def test_mcnemar_is_the_binomial_test_of_the_pairs_that_differ(first, second):
    expected = binomtest(first, first + second, 0.5).pvalue if first + second else 1.0
    assert mcnemar_exact(first, second) == pytest.approx(expected, rel=1e-9, abs=1e-12)
    assert mcnemar_exact(first, second) == mcnemar_exact(second, first)


def test_mcnemar_of_small_counts():
    assert mcnemar_exact(0, 5) == 2 / 2**5
    assert mcnemar_exact(3, 3) == 1.0
    with pytest.raises(ValueError, match="-1"):
        mcnemar_exact(-1, 3)


def test_an_interval_is_about_the_puzzles_that_both_have():
    differences = np.array([[1.0], [0.0], [1.0], [0.0], [-9.0]])
    there = np.array([[True], [True], [True], [True], [False]])
    (interval,) = difference_intervals(differences, there, resamples=2000, seed=1)
    assert (interval.low, interval.high) == (0.0, 1.0)


def test_what_is_hard_for_both_does_not_widen_it():
    """Two models that agree but for one puzzle in ten: the rates vary, the difference hardly does."""
    second = np.tile([0.0, 1.0], 50)
    first = np.maximum(second, np.tile([1.0] + [0.0] * 9, 10))
    there = np.ones((100, 1), bool)
    (apart,) = difference_intervals((first - second)[:, None], there, resamples=2000, seed=0)
    (alone,) = difference_intervals(first[:, None], there, resamples=2000, seed=0)
    assert apart.high - apart.low < 0.7 * (alone.high - alone.low)
    assert apart.low > 0


def test_no_interval_where_all_puzzles_differ_alike():
    assert difference_intervals(np.ones((5, 1)), np.ones((5, 1), bool), resamples=100, seed=0) == [None]


def test_holm():
    """.01 x 4 = .04; .013 x 3 = .039 is below that, .014 x 2 = .028 too; .19 x 1."""
    assert holm([0.014, 0.01, 0.19, 0.013]) == pytest.approx([0.04, 0.04, 0.19, 0.04], abs=1e-12)


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_keeps_the_order_and_never_lowers(chances):
    adjusted = holm(chances)
    assert all(low <= high <= 1.0 for low, high in zip(chances, adjusted, strict=True))
    order = sorted(range(len(chances)), key=lambda at: chances[at])
    assert [adjusted[at] for at in order] == sorted(adjusted)
