"""Measures of shown paths: numbers with their arithmetic, bounds, and arguments that make no sense."""

from __future__ import annotations

import math

import numpy as np
import pytest

from grader.metrics.rollouts import (
    background_fidelity,
    exact_match,
    path_length,
    precision,
    resample,
    step_deviation,
)


def points(*pairs: tuple[float, float]) -> np.ndarray:
    return np.array(pairs, np.float64)


CORNER = points((0, 0), (60, 0), (60, 40))  # 60 + 40 = 100 long


def test_length_is_the_sum_of_legs():
    assert path_length(points((0, 0), (3, 4), (3, 10))) == 11.0  # 5 + 6
    assert path_length(points((7, 7))) == 0.0


def test_resampling_keeps_equal_distances_and_both_ends():
    # 100 long, in 4 parts: at 0, 25, 50 on the first leg; at 75, which is 15 up the second; at 100.
    assert resample(CORNER, 4).tolist() == [[0, 0], [25, 0], [50, 0], [60, 15], [60, 40]]
    assert resample(points((2, 3)), 2).tolist() == [[2, 3]] * 3


def test_the_reference_itself_is_followed_to_its_end():
    assert precision(CORNER, CORNER, 5.0) == 1.0


def test_a_path_that_stops_is_precise_up_to_there():
    # It ends 30 along a path of 100; samples lie 0.1 apart, so it is exact to that.
    assert precision(points((0, 0), (30, 0)), CORNER, 5.0) == pytest.approx(0.3, abs=0.001)


def test_a_path_is_precise_up_to_its_first_deviation():
    # From (40, 0) it turns down, and is 5 away from the path at (40, 5). What comes back later counts no more.
    strays = points((0, 0), (40, 0), (40, 30), (60, 30), (60, 40))
    # Until then its nearest place on the path stays at 40.
    assert precision(strays, CORNER, 5.0) == pytest.approx(0.4, abs=0.002)


def test_a_wrong_beginning_is_worth_nothing():
    assert precision(points((0, 20), (60, 20)), CORNER, 5.0) == 0.0


def test_a_path_within_the_tolerance_is_precise():
    assert precision(CORNER + np.array([0.0, 4.0]), CORNER, 5.0) == pytest.approx(1.0, abs=0.001)
    assert precision(CORNER + np.array([0.0, 6.0]), CORNER, 5.0) == 0.0


def test_a_short_cut_across_a_turn_is_a_deviation():
    """The way back of a hairpin 8 away is nearer than the tolerance only where it is next in order."""
    hairpin = points((0, 0), (100, 0), (100, 8), (0, 8))  # 208 long
    across = points((0, 0), (50, 0), (50, 8), (0, 8))
    # It leaves the path at 50, and is never farther than 8 from it: within 10, but not from where it has come to.
    assert precision(across, hairpin, 10.0) == pytest.approx(50 / 208, abs=0.06)
    assert precision(hairpin, hairpin, 10.0) == 1.0


def test_it_does_not_stretch_x_against_y():
    """A turn by 90 degrees of path and reference changes nothing; with x over width and y over height it would."""
    turn = np.array([[0.0, 1.0], [-1.0, 0.0]])
    strays = points((0, 0), (30, 0), (30, 20))
    assert precision(strays, CORNER, 5.0) == precision(strays @ turn, CORNER @ turn, 5.0)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (CORNER, 0.0),
        (points((0, 0), (60, 0), (60, 65)), 0.25),  # 125 / 100 - 1
        (points((0, 0), (60, 40)), math.hypot(60, 40) / 100 - 1),  # shorter across the corner
    ],
)
def test_step_deviation_is_the_length_beyond_the_reference(path, expected):
    assert step_deviation(path, CORNER) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("success", "share", "deviation", "expected"),
    [
        (True, 0.98, 0.1, True),
        (True, 0.98, -0.1, True),
        (True, 0.979, 0.0, False),
        (True, 1.0, 0.101, False),
        (True, 1.0, None, False),
        (False, 1.0, 0.0, False),  # nothing lifts a task that failed
    ],
)
def test_an_exact_match_needs_all_three(success, share, deviation, expected):
    assert exact_match(success, share, deviation) is expected


def test_fidelity_counts_what_stays_within_five_levels():
    first = np.array([[100, 100, 100, 100]], np.uint8)
    frame = np.array([[105, 95, 106, 200]], np.uint8)
    # The last is masked; of the other three, two are within 5.
    assert background_fidelity(first, frame, np.array([[True, True, True, False]])) == 2 / 3
    assert background_fidelity(first, first, np.ones((1, 4), bool)) == 1.0
    assert background_fidelity(first, frame, np.zeros((1, 4), bool)) is None


def test_fidelity_does_not_wrap_around():
    assert background_fidelity(np.zeros((1, 1), np.uint8), np.full((1, 1), 255, np.uint8), np.ones((1, 1), bool)) == 0.0


def test_arguments_that_make_no_sense_are_refused():
    still = points((1, 1), (1, 1))
    for wrong in (np.zeros((0, 2)), np.zeros((3, 3)), points((0, math.nan))):
        with pytest.raises(ValueError, match="polyline"):
            path_length(wrong)
    with pytest.raises(ValueError, match="no length"):
        precision(CORNER, still, 5.0)
    with pytest.raises(ValueError, match="no length"):
        step_deviation(CORNER, still)
    with pytest.raises(ValueError, match="epsilon"):
        precision(CORNER, CORNER, 0.0)
    with pytest.raises(ValueError, match="part"):
        resample(CORNER, 0)
    with pytest.raises(ValueError, match="shapes"):
        background_fidelity(np.zeros((2, 2), np.uint8), np.zeros((2, 3), np.uint8), np.ones((2, 2), bool))
