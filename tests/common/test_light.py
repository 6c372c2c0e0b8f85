"""Uneven light is taken off a picture; what is drawn on it stays."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from detectors.common.light import LightConfig, even_light, noise_level

HEIGHT, WIDTH = 120, 160
SAMPLE = np.arange(0, HEIGHT * WIDTH, 7)
CONFIG = LightConfig()


def tiles() -> np.ndarray:
    """Tiles of 20 pixels in four colours."""
    rows, columns = np.mgrid[:HEIGHT, :WIDTH] // 20
    colors = np.array([[240, 200, 190], [190, 240, 200], [200, 190, 240], [235, 235, 180]], np.uint8)
    return colors[(rows + 2 * columns) % 4]


def lit(picture: np.ndarray, light: np.ndarray) -> np.ndarray:
    return np.clip(np.rint(picture * light[..., None]), 0, 255).astype(np.uint8)


def vignette(depth: float) -> np.ndarray:
    y, x = np.mgrid[-1 : 1 : HEIGHT * 1j, -1 : 1 : WIDTH * 1j]
    return 1.0 - depth * (x**2 + y**2) / 2.0


def slope(depth: float) -> np.ndarray:
    return np.broadcast_to(np.linspace(1.0, 1.0 - depth, WIDTH), (HEIGHT, WIDTH))


@pytest.mark.parametrize("light", [vignette(0.3), slope(0.3), slope(0.1)], ids=["vignette", "slope", "slight"])
def test_light_is_evened_out(light: np.ndarray) -> None:
    """All parts of the picture end up with one and the same share of the puzzle's brightness."""
    even = even_light(lit(tiles(), light), tiles(), SAMPLE, CONFIG)
    ratio = even.astype(float).mean(axis=2) / tiles().astype(float).mean(axis=2)
    before = light.max() / light.min()
    assert ratio.max() / ratio.min() < 1.0 + 0.25 * (before - 1.0)


def test_an_even_picture_is_returned_itself() -> None:
    for picture in (tiles(), lit(tiles(), np.full((HEIGHT, WIDTH), 0.8))):
        assert even_light(picture, tiles(), SAMPLE, CONFIG) is picture


def test_marks_and_single_tiles_are_no_light() -> None:
    """A dark tile, and a stroke across, stay exactly as dark as they are."""
    picture = tiles()
    picture[40:60, 40:60] //= 3
    picture[:, 100:106] = (0, 107, 183)
    assert even_light(picture, tiles(), SAMPLE, CONFIG) is picture


def test_a_dark_tile_under_uneven_light_stays_dark() -> None:
    picture = tiles()
    picture[40:60, 40:60] //= 3
    even = even_light(lit(picture, slope(0.3)), tiles(), SAMPLE, CONFIG).astype(float).mean(axis=2)
    ratio = even / tiles().astype(float).mean(axis=2)
    # A third of the brightness of the rest of the picture.
    assert ratio[45:55, 45:55].mean() / np.median(ratio) == pytest.approx(1 / 3, abs=0.03)


def test_darkness_is_no_light() -> None:
    """Light that leaves a tenth of the brightness at one side hides what is there; it is not brightened."""
    picture = lit(tiles(), slope(0.9))
    assert even_light(picture, tiles(), SAMPLE, replace(CONFIG, most=0.5)) is picture


def test_nothing_to_measure_by_is_nothing_to_even_out() -> None:
    black = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    assert even_light(tiles(), black, SAMPLE, CONFIG).shape == black.shape
    assert even_light(black, tiles(), SAMPLE, CONFIG) is black
    assert even_light(tiles(), tiles(), SAMPLE[:0], CONFIG) is not None


def test_noise_is_measured_past_outliers() -> None:
    dice = np.random.default_rng(1)
    shift = dice.normal(0.0, 0.02, (4000, 2))
    # A tenth of the pixels belongs to a stroke.
    shift[:400] += 0.3
    assert noise_level(shift) == pytest.approx(0.02, rel=0.15)
    assert noise_level(np.zeros((0, 2))) == 0.0


def even(light: np.ndarray, config: LightConfig = CONFIG, expected: np.ndarray | None = None) -> np.ndarray:
    return even_light(lit(tiles(), light), tiles() if expected is None else expected, SAMPLE, config)


def changed(light: np.ndarray, config: LightConfig = CONFIG) -> bool:
    picture = lit(tiles(), light)
    return even_light(picture, tiles(), SAMPLE, config) is not picture


def test_light_spans_a_range():
    """The logarithm of 1 to 1 - depth: 0.041 for 0.04, less than 0.05; 0.062 for 0.06; for 0.55 0.80, for 0.65 1.05."""
    for depth, seen in ((0.04, False), (0.06, True), (0.55, True), (0.65, False)):
        assert changed(slope(depth)) is seen, depth
    assert changed(slope(0.04), replace(CONFIG, least=0.03))
    assert changed(slope(0.65), replace(CONFIG, most=1.2))


def test_light_goes_both_ways_and_down():
    for light in (
        slope(0.3)[:, ::-1],
        np.ascontiguousarray(np.broadcast_to(np.linspace(1, 0.7, HEIGHT)[:, None], (HEIGHT, WIDTH))),
    ):
        found = even(light).astype(float).mean(axis=2) / tiles().astype(float).mean(axis=2)
        assert found.max() / found.min() < 1.05


def test_what_changes_without_order_is_no_light():
    """Half of the change of each pixel may be left at most."""
    grained = np.random.default_rng(5).uniform(0.7, 1.0, (HEIGHT, WIDTH))
    assert not changed(grained)
    assert changed(0.5 * slope(0.4) + 0.5 * grained, replace(CONFIG, explained=2.0))
    assert not changed(slope(0.3), replace(CONFIG, explained=0.0))


def test_dark_pixels_do_not_measure():
    """At most 40 levels in the puzzle, or 10 on the candidate; with fewer than 50 bright ones nothing is said."""
    for level, seen in ((40, False), (41, True)):
        grey = np.full((HEIGHT, WIDTH, 3), level, np.uint8)
        picture = np.broadcast_to(np.linspace(80, 60, WIDTH)[:, None], (HEIGHT, WIDTH, 3)).round().astype(np.uint8)
        assert (even_light(picture, grey, SAMPLE, replace(CONFIG, least=0.1)) is not picture) is seen
    # Of the candidate's pixels none is brighter than 240.
    assert changed(slope(0.3), replace(CONFIG, dark_now=100.0))
    assert not changed(slope(0.3), replace(CONFIG, dark_now=240.0))
    few = SAMPLE[:: SAMPLE.size // 49][:49]
    picture = lit(tiles(), slope(0.3))
    assert even_light(picture, tiles(), few, CONFIG) is picture
    assert even_light(picture, tiles(), SAMPLE[:: SAMPLE.size // 60], CONFIG) is not picture


def test_an_eighth_at_either_end_may_be_drawn():
    """A band over a tenth of the picture is not looked at as light, wherever it lies, and one over a sixth is."""
    for rows, looked in ((HEIGHT // 10, False), (HEIGHT // 6, True)):
        picture = lit(tiles(), slope(0.04))
        picture[:rows] = tiles()[:rows] // 2
        # What is looked at as light has this fit taken off, if all of it may be left.
        found = even_light(picture, tiles(), SAMPLE, replace(CONFIG, least=0.2, most=9.0, explained=9.0))
        assert (found is not picture) is looked


def test_some_pixels_are_enough_to_measure_by():
    """The light is measured at about 800 of them, or fewer."""
    dense = even_light(lit(tiles(), slope(0.3)), tiles(), np.arange(HEIGHT * WIDTH), CONFIG)
    sparse = even_light(lit(tiles(), slope(0.3)), tiles(), np.arange(HEIGHT * WIDTH), replace(CONFIG, samples=100))
    assert np.abs(dense.astype(int) - sparse).max() <= 4


@pytest.mark.parametrize(("grain", "light"), [(0.08, True), (0.1, False)])
def test_a_slope_that_explains_half_of_the_changes_is_light(grain: float, light: bool) -> None:
    """The logarithm of a slope of 0.3 is 0 to -0.36; in the median it is 0.09 off its middle.

    Of even grain up to g half is beyond g / 2: with 0.08 some 0.04 and with 0.1 some 0.05 are left of 0.09.
    """
    grained = slope(0.3) * (1.0 + grain * np.random.default_rng(5).uniform(-1.0, 1.0, (HEIGHT, WIDTH)))
    assert changed(grained) is light


@pytest.mark.parametrize(("levels", "seen"), [((11, 14), True), ((7, 10), False)])
def test_a_candidate_of_ten_levels_is_too_dark(levels: tuple[int, int], seen: bool) -> None:
    grey = np.full((HEIGHT, WIDTH, 3), 200, np.uint8)
    dim = np.broadcast_to(np.linspace(*levels, WIDTH)[:, None], (HEIGHT, WIDTH, 3)).round().astype(np.uint8)
    # Whole levels are rough steps, which are more than half of such changes.
    assert (even_light(dim, grey, SAMPLE, replace(CONFIG, explained=2.0)) is not dim) is seen
