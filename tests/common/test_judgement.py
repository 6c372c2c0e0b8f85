"""An aligned candidate beside the solution, and metrics that have no value."""

from __future__ import annotations

import numpy as np
import pytest

from grader.media.pyramid import Pyramid
from grader.model.verdict import Alignment, Metric
from grader.tasks.common.judgement import aligned_comparison, aligned_errors, optional_metric

SOLUTION = np.random.default_rng(5).integers(0, 200, (12, 16, 3), np.uint8)
MASK = np.zeros((12, 16), np.bool_)
MASK[:, :4] = True


def alignment(method: str = "NONE", across: float = 0.0) -> Alignment:
    """As it is, or displaced by so many pixels."""
    matrix = (1.0, 0.0, across, 0.0, 1.0, 0.0)
    return Alignment((16, 12), (1.0, 1.0), (across, 0.0), 0.0, matrix, method, 1.0, 1.0)


def test_a_metric_has_a_value_or_a_reason():
    assert optional_metric("a", 0.0, "not there") == Metric("a", 0.0)
    assert optional_metric("a", None, "not there") == Metric("a", None, "not there")


def test_the_candidate_is_compared_at_the_puzzle_s_size():
    compared = aligned_comparison(Pyramid(SOLUTION), alignment(), SOLUTION, MASK)
    assert compared is not None
    assert np.array_equal(compared.candidate, SOLUTION)
    assert compared.reference is SOLUTION
    assert compared.inside is MASK
    assert compared.covered is None


def test_what_a_displaced_candidate_does_not_cover_does_not_count():
    """Drawn 3 pixels to the left, all of it brighter by 51 levels: (51 / 255)^2 = 0.04 wherever it is seen."""
    candidate = np.roll(SOLUTION, -3, axis=1) + np.uint8(51)
    placed = alignment("SHIFTED", 3.0)
    compared = aligned_comparison(Pyramid(candidate), placed, SOLUTION, MASK)
    assert compared is not None
    assert compared.covered is not None
    assert not compared.covered[:, :3].any()
    assert compared.covered[:, 3:].all()
    assert aligned_errors(Pyramid(candidate), placed, SOLUTION, MASK) == pytest.approx((0.04, 0.04))


def test_errors_are_taken_inside_and_outside():
    candidate = SOLUTION + np.where(MASK[..., None], np.uint8(51), np.uint8(0))
    assert aligned_errors(Pyramid(candidate), alignment(), SOLUTION, MASK) == (pytest.approx(0.04), 0.0)


@pytest.mark.parametrize(("solution", "mask"), [(None, MASK), (SOLUTION, None), (None, None)])
def test_without_a_solution_or_a_mask_there_is_nothing_to_compare(solution, mask):
    assert aligned_comparison(Pyramid(SOLUTION), alignment(), solution, mask) is None
    assert aligned_errors(Pyramid(SOLUTION), alignment(), solution, mask) == (None, None)
