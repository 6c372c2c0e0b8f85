"""What adds up whatever its shape: contrast times the root of the area, in units of what an eye just sees."""

from __future__ import annotations

import numpy as np
import pytest

from detectors.common.residual.energy import EnergyConfig, energies

CONFIG = EnergyConfig()
SHARP = EnergyConfig(blur_px=0.0)
ALL = np.ones(1, bool)


def visibility(values: np.ndarray, pixel: float = 1.0, config: EnergyConfig = SHARP) -> float:
    return float(energies(np.asarray(values, np.float32), pixel, config).sum(dtype=np.float64)) ** 0.25


def square(side: int, contrast: float, size: int = 160) -> np.ndarray:
    values = np.zeros((size, size, 3), np.float32)
    first = (size - side) // 2
    values[first : first + side, first : first + side, 0] = contrast
    return values


def test_contrast_counts_for_itself_and_area_by_its_root():
    """A square within a window: 16 x 16 windows hold all of it, each (side * 0.02 / 0.18) squared, squared again."""
    for side in (2, 4):
        # Of windows of 16 pixels in a row, 16 - side + 1 hold the square as a whole, and side - 1 on each end a part.
        shares = [min(at, side) / side for at in range(1, side)] * 2 + [1.0] * (16 - side + 1)
        pooled = (sum(share**2 for share in shares) ** 2 / 16**2) ** 0.25
        assert visibility(square(side, 0.02)) == pytest.approx(side * 0.02 / 0.18 * pooled, rel=1e-3)
    assert visibility(square(4, 0.04)) == pytest.approx(2.0 * visibility(square(4, 0.02)), rel=1e-3)


def test_what_is_farther_apart_adds_up_by_its_fourth_root():
    """Sixteen squares, each alone in its windows, are twice as plain as one."""
    one = square(8, 0.05, 40)
    assert visibility(np.tile(one, (4, 4, 1))) == pytest.approx(2.0 * visibility(one), rel=1e-4)


def test_neither_sign_nor_hue_matters():
    """Stripes that are lighter and darker in turn have no average, and as much energy as a plain square."""
    plain = square(32, 0.05)
    stripes = plain * np.where(np.arange(160) // 4 % 2, 1.0, -1.0)[None, :, None]
    assert visibility(stripes) == pytest.approx(visibility(plain), rel=1e-4)
    assert visibility(plain[..., ::-1]) == pytest.approx(visibility(plain), rel=1e-4)


def test_a_strong_speck_is_no_large_mark():
    """From a contrast of 0.1 it does not count for more; 9 x 9 pixels of that are plain, and 6 x 6 are not."""
    assert visibility(square(6, 1.0)) == pytest.approx(visibility(square(6, 0.1)), rel=1e-4)
    assert visibility(square(6, 1.0)) < CONFIG.visible < visibility(square(9, 1.0))


def test_it_is_the_same_in_any_frame():
    """Pixels that each stand for 2 x 2, or 4 x 4, of the candidate's."""
    full = visibility(square(64, 0.04, 320))
    for pixel in (2, 4):
        assert visibility(square(64 // pixel, 0.04, 320 // pixel), pixel) == pytest.approx(full, rel=0.1)


def test_what_alternates_from_pixel_to_pixel_is_blurred_by_the_eye():
    values = square(32, 0.05)
    values[:, ::2] *= -1.0
    assert visibility(values, config=CONFIG) < 0.1 * visibility(values)


def test_noise_hides_what_has_little_more_energy():
    """Ten places of 100 pixels in sight, one of 200. A density of 1 has a visibility of 100 ** 0.25 = 3.16."""
    power, area = np.full(11, 100.0), np.full(11, 100.0)
    area[10] = 200.0
    told = np.arange(11) < 10
    plain = CONFIG.plainness(power, area, told)
    assert plain[:10] == pytest.approx(np.full(10, 1.0 / CONFIG.times))
    # Twice as many pixels may have twice the power.
    assert plain[10] == pytest.approx(0.5**0.25 / CONFIG.times)
    power[10] = 2.0 * (1.01 * CONFIG.times) ** 4 * 100.0
    assert CONFIG.plainness(power, area, told)[10] == pytest.approx(1.01)
    # Marks in most places do not tell what noise is.
    power[2:10] = 1e6
    assert CONFIG.plainness(power, area, told)[10] == pytest.approx(1.01)


def test_without_noise_the_threshold_of_sight_decides():
    for power, plain in (((1.01 * CONFIG.visible) ** 4, 1.01), (0.0, 0.0), (-1e-9, 0.0)):
        assert CONFIG.plainness(np.array([power]), np.array([50.0]), ~ALL) == pytest.approx(plain)
        assert CONFIG.plainness(np.array([power]), np.array([0.0]), ALL) == pytest.approx(plain)
