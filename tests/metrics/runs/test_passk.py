"""Pass@k: the estimator against an enumeration; attempts that are missing, repeated, or without a number."""

import itertools
import math
from fractions import Fraction

import pytest

from grader.metrics.runs.passk import AttemptEnd, Attempts, Shortfall, first_k, pass_at_k_unbiased, unbiased

P, N, U = AttemptEnd.PASSED, AttemptEnd.NOT_PASSED, AttemptEnd.UNKNOWN


@pytest.mark.parametrize("n", range(1, 9))
def test_the_estimator_is_the_share_of_subsets_that_hold_a_pass(n):
    for c in range(n + 1):
        ends = [True] * c + [False] * (n - c)
        for k in range(1, n + 1):
            subsets = list(itertools.combinations(ends, k))
            share = sum(any(subset) for subset in subsets) / len(subsets)
            assert pass_at_k_unbiased(n, c, k) == pytest.approx(share, abs=1e-14)


@pytest.mark.parametrize(("n", "c", "k"), [(10_000, 1, 100), (10_000, 3, 7), (100_000, 50_000, 40), (10**7, 1, 1)])
def test_the_estimator_keeps_its_digits_for_large_n(n, c, k):
    exact = 1 - Fraction(math.comb(n - c, k), math.comb(n, k)) if n < 10**6 else Fraction(k, n)
    assert pass_at_k_unbiased(n, c, k) == pytest.approx(float(exact), rel=1e-12)


@pytest.mark.parametrize(("n", "c", "k"), [(4, 1, 5), (5, 6, 1), (5, -1, 1), (5, 1, 0)])
def test_the_estimator_refuses_what_it_is_not_defined_for(n, c, k):
    with pytest.raises(ValueError, match="pass@k needs"):
        pass_at_k_unbiased(n, c, k)


def test_a_gap_in_the_numbers_is_an_answer_that_did_not_pass():
    found = Attempts.gather([(1, N), (2, P), (4, P)])
    assert (found.slots, found.missing, found.given) == ((N, P, N, P), 1, 3)
    assert first_k(found, 4) == (False, True, False, True)
    assert first_k(found, 1) == (False,)
    assert unbiased(found, 1) == 0.5  # 2 of 4, the gap included


def test_a_missing_first_attempt_did_not_pass():
    assert first_k(Attempts.gather([(2, P)]), 1) == (False,)


def test_of_equal_numbers_the_first_counts():
    found = Attempts.gather([(1, N), (1, P), (1, P)])
    assert (found.slots, found.repeated) == ((N,), 2)


def test_fewer_than_k_attempts_say_nothing():
    found = Attempts.gather([(1, P), (2, P)])
    assert first_k(found, 5) is Shortfall.TOO_FEW
    assert unbiased(found, 5) is Shortfall.TOO_FEW


def test_attempts_without_numbers_count_where_their_order_does_not_matter():
    three = Attempts.gather([(0, P), (0, N), (0, N)])
    assert first_k(three, 3) == (True, False, False)
    assert first_k(three, 1) is Shortfall.NO_NUMBERS
    assert first_k(three, 5) is Shortfall.TOO_FEW
    assert unbiased(three, 2) == pytest.approx(2 / 3)  # 1 - C(2,2)/C(3,2)
    assert first_k(Attempts.gather([(0, P)]), 1) == (True,)


def test_numbered_attempts_go_before_those_without_a_number():
    mixed = Attempts.gather([(0, P), (1, N)])
    assert first_k(mixed, 1) == (False,)
    assert first_k(mixed, 2) is Shortfall.TOO_FEW
    assert unbiased(mixed, 1) == 0.5


def test_an_attempt_without_a_verdict_is_not_guessed():
    found = Attempts.gather([(1, U), (2, P), (3, N)])
    assert first_k(found, 1) is Shortfall.NO_VERDICT
    assert first_k(found, 3) is Shortfall.NO_VERDICT
    assert unbiased(found, 2) == 1.0  # of the two with a verdict one passed
    assert unbiased(found, 3) is Shortfall.NO_VERDICT


def test_negative_numbers_are_refused():
    with pytest.raises(ValueError, match="the number -1"):
        Attempts.gather([(-1, P)])


@pytest.mark.parametrize("measure", [first_k, unbiased])
def test_k_is_positive(measure):
    with pytest.raises(ValueError, match="positive k"):
        measure(Attempts.gather([(1, P)]), 0)
