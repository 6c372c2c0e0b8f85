"""Colours by name: families of hues in OKLab."""

from __future__ import annotations

import numpy as np
import pytest

from detectors.common.colors import (
    LIGHTNESS,
    ColorName,
    HueRange,
    HuesConfig,
    hex_of,
    hue_degrees,
    hue_difference,
    median_rgb,
    oklab,
    project,
)

HUES = HuesConfig()


def hue(rgb: tuple[int, int, int]) -> float:
    return float(hue_degrees(oklab(np.array([rgb], np.uint8))[:, 1:])[0])


def name_of(rgb: tuple[int, int, int]) -> str:
    (name,) = [name.value for name, hues in HUES.ranges.items() if hues.contains(np.array([hue(rgb)]))[0]]
    return name


def test_known_values_of_oklab() -> None:
    """White, the primaries and the published path's blue, as B. Ottosson's reference implementation gives them."""
    colors = np.array([[255, 255, 255], [0, 0, 0], [255, 0, 0], [0, 255, 0], [0, 0, 255]], np.uint8)
    expected = [
        [1.0, 0.0, 0.0],
        [0.0, 0.0, 0.0],
        [0.627955, 0.224863, 0.125846],
        [0.866440, -0.233888, 0.179498],
        [0.452014, -0.032457, -0.311528],
    ]
    assert oklab(colors) == pytest.approx(np.array(expected), abs=2e-5)
    assert oklab(np.zeros((0, 3), np.uint8)).shape == (0, 3)
    assert oklab(np.zeros((2, 5, 3), np.uint8)).shape == (2, 5, 3)


def test_families_close_the_circle() -> None:
    ranges = list(HUES.ranges.values())
    for one, following in zip(ranges, [*ranges[1:], ranges[0]], strict=True):
        assert one.last == following.first
    # Every whole degree but the seams, which two families share, has one name.
    seams = {one.first for one in ranges}
    for degree in range(360):
        holds = sum(bool(one.contains(np.array([float(degree)]))[0]) for one in ranges)
        assert holds == (2 if degree in seams else 1)


@pytest.mark.parametrize(
    ("rgb", "name"),
    [
        ((255, 0, 0), "red"),
        ((255, 20, 0), "red"),
        ((255, 0, 20), "red"),
        ((120, 0, 0), "red"),
        ((255, 140, 0), "orange"),
        ((255, 255, 0), "yellow"),
        ((0, 255, 0), "green"),
        ((0, 100, 30), "green"),
        ((0, 255, 255), "cyan"),
        ((0, 107, 183), "blue"),
        ((0, 0, 255), "blue"),
        ((0, 180, 255), "blue"),
        ((0, 30, 90), "blue"),
        ((150, 190, 255), "blue"),
        ((128, 0, 255), "purple"),
        ((255, 0, 255), "magenta"),
        ((200, 0, 120), "magenta"),
    ],
)
def test_colors_have_the_names_that_people_give_them(rgb: tuple[int, int, int], name: str) -> None:
    assert name_of(rgb) == name


@pytest.mark.parametrize("share", [0.2, 0.35, 0.6])
def test_a_lighter_blue_is_blue(share: float) -> None:
    """Faint strokes on white: what OKLab is for."""
    mixed = tuple(round(255 + share * (value - 255)) for value in (0, 107, 183))
    assert name_of(mixed) == "blue"


def test_a_range_past_zero() -> None:
    wrapped = HueRange(340.0, 20.0)
    assert wrapped.contains(np.array([340.0, 359.0, 0.0, 20.0, 21.0, 180.0])).tolist() == [True] * 4 + [False] * 2


def test_a_range_can_be_widened() -> None:
    # 340 - 6 = 334 up to 20 + 6 = 26, past zero.
    assert HueRange(340.0, 20.0).widened(6.0) == HueRange(334.0, 26.0)
    assert HueRange(3.0, 40.0).widened(6.0) == HueRange(357.0, 46.0)


def test_hex() -> None:
    assert hex_of(np.array([0.4, 107.0, 300.0])) == "#006BFF"
    assert ColorName("blue") is ColorName.BLUE


@pytest.mark.parametrize("count", [1, 2, 7, 1500])
def test_a_median_colour_is_that_of_numpy(count: int) -> None:
    colors = np.random.default_rng(count).integers(0, 256, (count, 3), np.uint8)
    assert np.array_equal(median_rgb(colors), np.median(colors, axis=0))


def test_black_and_white_have_their_lightness_and_no_hue() -> None:
    for name, level in ((ColorName.BLACK, 0), (ColorName.WHITE, 255)):
        (lab,) = oklab(np.full((1, 3), level, np.uint8))
        assert lab == pytest.approx([LIGHTNESS[name], 0.0, 0.0], abs=1e-4)
    assert set(ColorName) - set(LIGHTNESS) == set(HUES.ranges)


def test_hues_differ_the_shorter_way_around() -> None:
    one, other = np.array([350.0, 10.0, 0.0, 90.0, 30.0]), np.array([10.0, 350.0, 180.0, 280.0, 30.0])
    assert hue_difference(one, other).tolist() == [20.0, 20.0, 180.0, 170.0, 0.0]


def test_a_colour_lies_on_the_way_from_one_to_another() -> None:
    """From (0, 50, 100) to (200, 50, 100); only the part along the way counts, and it goes on past both ends."""
    origin, target = np.array([0.0, 50.0, 100.0]), np.array([200.0, 50.0, 100.0])
    picture = np.array([[[0, 50, 100], [200, 50, 100], [50, 255, 0], [250, 50, 100]]], np.uint8)
    assert project(picture, origin, target).tolist() == [[0.0, 1.0, 0.25, 1.25]]
    # Along all channels, of length 10: 3 x 5 / (3 x 100) a channel, so the middle is half-way.
    origin, target = np.array([10.0, 20.0, 30.0]), np.array([20.0, 30.0, 40.0])
    assert project(np.array([[15, 25, 35]], np.uint8), origin, target) == pytest.approx([0.5], abs=1e-6)
    # Two colours that are one have no way between them: nothing is far along it.
    assert project(np.array([[90, 20, 30]], np.uint8), origin, origin).tolist() == [0.0]
