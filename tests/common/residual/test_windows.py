"""Windows over which a residual is averaged: their sizes, how much of them has to be in sight, what is taken off."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from detectors.common.residual.windows import Averaged, WindowConfig, WindowsConfig, averages

CONFIG = WindowsConfig()
ALONE = replace(CONFIG, surround=100.0, uneven=10.0)
"""A surround as large as the picture, in which a spot weighs nothing, however strong."""
WHOLE = replace(CONFIG, uneven=10.0)
"""In which a surround is taken off as it is."""

SIZE, AT = 201, 100
LINES = ("row", "column", "falling", "rising")


def contrasts(values: np.ndarray, usable: np.ndarray, cell_px: float, config=ALONE) -> dict[str, np.ndarray]:
    given = list(averages(np.asarray(values, np.float32), usable, cell_px, config))
    expected = [config.dot, config.spot, config.blot, config.patch, *[config.line] * 4]
    assert [one.window for one in given] == expected
    names = ("dot", "spot", "blot", "patch", *LINES)
    return dict(zip(names, (one.contrast for one in given), strict=True))


def spotted(at: tuple[int, int] = (AT, AT), strength: float = 1.0) -> np.ndarray:
    values = np.zeros((SIZE, SIZE, 3), np.float32)
    values[at] = [strength, 0.0, 0.0]
    return values


def sides(cell_px: float) -> dict[str, int]:
    """Side of the square, or length of the line, over which one pixel spreads."""
    everywhere = np.ones((SIZE, SIZE), bool)
    found = contrasts(spotted(), everywhere, cell_px)
    shares = {name: np.count_nonzero(contrast > 0.5 * contrast.max()) for name, contrast in found.items()}
    return {name: count if name in LINES else round(count**0.5) for name, count in shares.items()}


def test_in_small_cells_windows_have_a_least_side():
    """3, 7, 9 and 17; a line of 7, whose diagonal steps are longer: 7 / sqrt(2) = 4.9."""
    expected = {"dot": 3, "spot": 7, "blot": 9, "patch": 17, "row": 7, "column": 7, "rising": 5, "falling": 5}
    assert sides(10.0) == expected


def test_in_large_cells_they_are_shares_of_a_cell():
    """Of 100: 0.15, 0.3, 0.6, 0.25, made odd; 25 / sqrt(2) = 17.7. A dot stays a dot."""
    expected = {"dot": 3, "spot": 15, "blot": 31, "patch": 61, "row": 25, "column": 25, "rising": 19, "falling": 19}
    assert sides(100.0) == expected


def test_the_average_of_a_window_is_told_at_its_middle():
    found = contrasts(spotted((60, 90)), np.ones((SIZE, SIZE), bool), 10.0)
    around = 1.0 / SIZE**2
    assert found["dot"][60, 90] == pytest.approx((1.0 - 9 * around) / 9, rel=1e-4)
    assert found["row"][60, 93] == pytest.approx((1.0 - 7 * around) / 7, rel=1e-4)
    assert found["row"][60, 94] == pytest.approx(around, rel=1e-2)
    assert found["column"][57, 90] == pytest.approx((1.0 - 7 * around) / 7, rel=1e-4)
    assert found["falling"][62, 92] == found["rising"][62, 88] == pytest.approx((1.0 - 5 * around) / 5, rel=1e-4)
    assert found["falling"][62, 88] == pytest.approx(around, rel=1e-2)


def test_contrasts_are_of_the_average_not_the_average_of_contrasts():
    """What goes up and down about the ground, as grain does, averages out; on any axis."""
    values = np.zeros((SIZE, SIZE, 3), np.float32)
    values[:, ::2, 1], values[:, 1::2, 1] = 0.1, -0.1
    found = contrasts(values, np.ones((SIZE, SIZE), bool), 10.0)
    # Of three columns one is left over, of seventeen one too.
    assert found["dot"][AT, AT] == pytest.approx(0.1 / 3, rel=0.02)
    assert found["patch"][AT, AT] == pytest.approx(0.1 / 17, rel=0.1)


@pytest.mark.parametrize(
    ("name", "pixels", "least"),
    [("dot", 9, 5), ("spot", 49, 25), ("blot", 81, 33), ("patch", 289, 102), ("row", 7, 5), ("falling", 5, 4)],
)
def test_enough_of_a_window_has_to_be_in_sight(name, pixels, least):
    """Halves of 9 and 49, 0.4 of 81 = 32.4, 0.35 of 289 = 101.2, 0.7 of 7 = 4.9 and of 5 = 3.5."""
    side = pixels if name in ("row", "falling") else round(pixels**0.5)
    inside = [(AT - side // 2 + n // side, AT - side // 2 + n % side) for n in range(pixels)]
    if name in ("row", "falling"):
        inside = [(AT if name == "row" else AT - side // 2 + n, AT - side // 2 + n) for n in range(pixels)]
    for count, seen in ((least, True), (least - 1, False)):
        usable = np.ones((SIZE, SIZE), bool)
        usable[AT - 15 : AT + 16, AT - 15 : AT + 16] = False
        usable[tuple(np.array(inside[:count]).T)] = True
        values = spotted(inside[0])
        contrast = contrasts(values, usable, 10.0)[name][AT, AT]
        # Of what is in sight the average is taken.
        assert contrast == pytest.approx(1.0 / count if seen else 0.0, rel=0.01), count


def test_what_is_in_sight_in_part_may_count_as_the_smaller_window_that_it_is():
    """144 of 289 pixels: the mean, 1 / 144, times the root of the share."""
    usable = np.ones((SIZE, SIZE), bool)
    usable[AT - 15 : AT + 16, AT - 15 : AT + 16] = False
    usable[AT - 8 : AT + 4, AT - 8 : AT + 4] = True
    by_area = replace(ALONE, by_area=True)
    contrast = contrasts(spotted((AT, AT)), usable, 10.0, by_area)["patch"][AT, AT]
    assert contrast == pytest.approx((144 / 289) ** 0.5 / 144, rel=0.01)
    everywhere = np.ones((SIZE, SIZE), bool)
    for name, found in contrasts(spotted(), everywhere, 10.0, by_area).items():
        if name not in LINES:
            # At the picture's edge no window is whole.
            inner = (slice(20, -20), slice(20, -20))
            np.testing.assert_allclose(found[inner], contrasts(spotted(), everywhere, 10.0)[name][inner], rtol=1e-5)


def test_what_is_all_around_is_taken_off():
    """Over 1.4 cells of 20 pixels, 29 each way: 15 pixels off a step of 0.1 the surround is the floor's own."""
    values = np.zeros((SIZE, SIZE, 3), np.float32)
    values[:, AT:, 0] = 0.1
    found = contrasts(values, np.ones((SIZE, SIZE), bool), 20.0, WHOLE)["column"]
    # 14 of 29 columns around column AT - 1 are on the other side, and 1 around AT - 14.
    assert found[AT, AT - 1] == pytest.approx(0.1 * 14 / 29, rel=1e-3)
    assert found[AT, AT - 14] == pytest.approx(0.1 * 1 / 29, rel=1e-3)
    assert found[AT, AT - 15] == pytest.approx(0.0, abs=1e-6)


def test_what_is_strong_is_no_uneven_floor():
    """The same step of 0.1 counts for 0.03 only, so that what is drawn stands out as it is."""
    values = np.zeros((SIZE, SIZE, 3), np.float32)
    values[:, AT:, 0] = 0.1
    found = contrasts(values, np.ones((SIZE, SIZE), bool), 20.0, CONFIG)["column"]
    assert found[AT, AT - 1] == pytest.approx(0.03 * 14 / 29, rel=1e-3)
    assert found[AT, AT + 60] == pytest.approx(0.1 - 0.03, rel=1e-3)


def test_what_is_not_usable_is_not_around():
    """A half of the surround out of sight: the average is that of what is in sight."""
    values = np.full((SIZE, SIZE, 3), 0.1, np.float32)
    usable = np.ones((SIZE, SIZE), bool)
    usable[:, AT + 2 :] = False
    values[~usable] = 0.0
    found = contrasts(values, usable, 20.0, WHOLE)
    assert max(float(contrast[20:-20, 20:-20].max()) for contrast in found.values()) < 1e-6


def test_what_is_just_seen_falls_with_the_size():
    windows: list[WindowConfig] = [CONFIG.dot, CONFIG.spot, CONFIG.blot, CONFIG.patch]
    assert [one.visible for one in windows] == sorted((one.visible for one in windows), reverse=True)


WINDOW = WindowConfig(0.0, 3, 0.5, visible=0.05, times=3.0, tail=5.0, drawn=0.04, alone=2.0)


def averaged(middle: float, quarter: float = 0.0) -> Averaged:
    """One in which half of the places in sight have a contrast, and a quarter another one before the surround."""
    contrast, plain = np.full((40, 40), middle, np.float32), np.full((40, 40), quarter, np.float32)
    return Averaged(WINDOW, contrast, np.ones((20, 20), bool), lambda: plain, replace(CONFIG, even=4.0, quiet=6.0))


@pytest.mark.parametrize(
    ("usual", "middle", "least"),
    [
        (0.0, 0.0, 0.05),
        (0.01, 0.0025, 0.05),
        # Grain: all of it is what four times the middle place has.
        (0.02, 0.005, 3.0 * 0.02),
        # Compression: beyond four times 0.002 it counts five times.
        (0.02, 0.002, 3.0 * 0.008 + 5.0 * 0.012),
        (0.03, 0.0, 5.0 * 0.03),
    ],
)
def test_noise_raises_what_is_just_seen_by_how_it_is_spread(usual, middle, least):
    assert averaged(middle).just_seen(np.full(9, usual)) == pytest.approx(least)


def test_the_middle_one_of_all_cells_tells():
    assert averaged(0.0).just_seen(np.array([0.0, 0.0, 0.03, 0.04, 0.04])) == pytest.approx(5.0 * 0.03)
    assert averaged(0.0).just_seen(np.zeros(0)) == 0.05


@pytest.mark.parametrize(
    ("usual", "quarter", "least"),
    [(0.039, 0.0, 5.0 * 0.039), (0.041, 0.0, 0.05), (0.3, 0.003, 5.0 * 0.018), (0.3, 0.1, 5.0 * 0.3)],
)
def test_what_is_drawn_in_most_cells_is_no_noise(usual, quarter, least):
    """From 0.04 on: noise is then six times what a quarter of all places stays below."""
    assert averaged(0.0, quarter).just_seen(np.full(9, usual)) == pytest.approx(least)
