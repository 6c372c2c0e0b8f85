"""Coverage, violation and PASS, by the definitions of the AMAZE paper, and the departures of its code."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.metrics.amaze_code import amaze_code_scores, fit_as_public, summed_mse
from grader.metrics.cells import coverage, pass_score, violation, violation_background

SEEDED = settings(derandomize=True, deadline=None, max_examples=80)
CELLS = st.lists(st.integers(1, 12), max_size=15)
GOALS = st.sets(st.integers(1, 12), min_size=1)


def test_by_hand() -> None:
    goal = [1, 2, 3, 4]
    # 2 of 4 found; 1 of 3 found is wrong; of 10 cells 6 are background, and 1 of them was found.
    assert coverage([1, 2, 9], goal) == 0.5
    assert violation([1, 2, 9], goal) == pytest.approx(1 / 3)
    assert violation_background([1, 2, 9], goal, 10) == pytest.approx(1 / 6)
    assert pass_score(0.5, 1 / 3) == pytest.approx(1 / 6)
    assert pass_score(0.25, 0.75) == 0.0


def test_nothing_found() -> None:
    assert (coverage([], [1]), violation([], [1]), violation_background([], [1], 4)) == (0.0, 0.0, 0.0)
    assert violation_background([], [1], 1) == 0.0
    with pytest.raises(ValueError, match="at least one"):
        coverage([1], [])


def test_twice_in_a_cell_is_wrong_once() -> None:
    assert violation([5, 5], [5, 6]) == 0.5
    assert coverage([5, 5], [5, 6]) == 0.5


@SEEDED
@given(CELLS, GOALS)
def test_shares_are_shares(found, goal) -> None:
    assert 0.0 <= coverage(found, goal) <= 1.0
    assert 0.0 <= violation(found, goal) <= 1.0
    assert 0.0 <= violation_background(found, goal, 12) <= 1.0
    assert (coverage(sorted(goal), goal), violation(sorted(goal), goal)) == (1.0, 0.0)


@SEEDED
@given(CELLS, GOALS, st.integers(13, 20))
def test_a_wrong_cell_more_never_raises_the_score(found, goal, wrong: int) -> None:
    before = pass_score(coverage(found, goal), violation(found, goal))
    after = pass_score(coverage([*found, wrong], goal), violation([*found, wrong], goal))
    assert after <= before


# --- the public code ---

BLUE = (0, 0, 255)  # OpenCV's hue 120, in the middle of the public range


def squares() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A cell map of 2 x 3 cells of 10 pixels, ids 1 to 6; a white picture; the mask of cells 1 and 2."""
    ids = np.arange(1, 7, dtype=np.int32).reshape(2, 3).repeat(10, axis=0).repeat(10, axis=1)
    return ids, np.full((20, 30, 3), 255, np.uint8), np.isin(ids, (1, 2))


def test_public_coverage_and_violation_by_hand() -> None:
    ids, white, mask = squares()
    drawn = white.copy()
    drawn[4:7, 3:25] = BLUE  # through cells 1, 2 and 3
    found = amaze_code_scores(drawn, white, mask, ids, (1, 2))
    # Both goal cells; 1 of the 4 others, which the public code divides by; 1 - 1/4.
    assert (found.coverage, found.violation, found.passed) == (1.0, 0.25, 0.75)
    # 3 x 17 blue pixels in the mask of 200, each wrong by 1 in two channels; 3 x 5 of 400 outside.
    assert found.mse_in == pytest.approx(2 * 51 / 200)
    assert found.mse_out == pytest.approx(2 * 15 / 400)
    assert found.average == pytest.approx(max(0.0, 1 - 0.25 - 2 * 51 / 200 - 2 * 15 / 400))


def test_public_blobs_need_three_pixels() -> None:
    ids, white, mask = squares()
    thin = white.copy()
    thin[4:6, 3:15] = BLUE
    assert amaze_code_scores(thin, white, mask, ids, (1, 2)).coverage == 0.0
    dots = white.copy()
    dots[4:7, 3:6] = dots[4:7, 13:16] = BLUE
    # The fault that dots exploit.
    assert amaze_code_scores(dots, white, mask, ids, (1, 2)).passed == 1.0


def test_public_blue_leaves_out_greenish_and_light_blues() -> None:
    ids, white, mask = squares()
    for color, expected in (((0, 107, 183), 1.0), ((0, 180, 255), 0.0), ((215, 230, 255), 0.0), ((0, 0, 40), 0.0)):
        drawn = white.copy()
        drawn[4:7, 3:17] = color
        assert amaze_code_scores(drawn, white, mask, ids, (1, 2)).coverage == expected


def test_public_errors_where_a_mask_is_full() -> None:
    ids, white, _ = squares()
    found = amaze_code_scores(white, white, np.ones((20, 30), bool), ids, (1, 2))
    assert (found.mse_in, found.mse_out, found.average) == (0.0, None, None)
    assert summed_mse(white, white, np.zeros((20, 30), bool)) == (None, 0.0)
    black = np.zeros_like(white)
    assert summed_mse(black, white, np.ones((20, 30), bool)) == (3.0, None)


def test_the_public_code_stretches() -> None:
    dice = np.random.default_rng(2).integers(0, 256, (12, 8, 3), dtype=np.uint8)
    assert fit_as_public(dice, (12, 8)) is dice
    assert fit_as_public(dice, (30, 20, 3)).shape == (30, 20, 3)
