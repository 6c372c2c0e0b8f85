"""What goes along a stroke all its way is a companion of it: a rim, a shadow, a glow, without a hue of its own."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from detectors.common.residual.mixing import lengths, seen, seen_color
from detectors.maze.remainder.config import RemainderConfig
from detectors.maze.remainder.field import MazeResidual, maze_residual
from tests.maze.remainder.scenes import BLUE, PLAN, SHAPE, at, contrast_of, grey, ink_of, through
from tests.maze.remainder.test_field import LINE, TO_LINE

FLOOR = PLAN.open_floor & ~LINE
CLEAR = FLOOR & (PLAN.wall_distance > 3.0) & (PLAN.marker_distance > 12.0)
"""Where neither walls nor markers mix in."""


CONFIG = RemainderConfig()
PLAIN = replace(
    CONFIG,
    mixing=replace(CONFIG.mixing, smear=0.0),
    edges=replace(CONFIG.edges, wall_quantile=0.0, stroke_quantile=0.0),
)
"""Without what JPEG smears and what edges are trusted for, which would take off some of it too."""


def left_of(picture: np.ndarray, level: int = 255, config: RemainderConfig = CONFIG) -> MazeResidual:
    drawn = picture.copy()
    drawn[LINE] = BLUE
    floor = (level, level, level)
    return maze_residual(drawn, None, PLAN, ink_of(floor=floor), LINE, np.array(BLUE, float), config)


def ringed(first: float, last: float, color, picture=None) -> np.ndarray:
    """The floor at some distances from the line in a colour."""
    picture = (PLAN.picture if picture is None else picture).copy()
    distance = TO_LINE
    picture[FLOOR & (distance > first) & (distance <= last)] = color
    return np.asarray(picture, np.uint8)


def most(found: MazeResidual, where: np.ndarray = CLEAR) -> float:
    return float(lengths(found.values)[where].max())


@cache
def pale_colors() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Pale colours, their hues in degrees from the line's, and the lengths of their hues."""
    steps = np.arange(160, 256, 3, dtype=np.uint8)
    colors = np.stack(np.meshgrid(steps, steps, steps), axis=-1).reshape(-1, 3)
    hues = seen(colors)[:, 1:] - seen_color(np.full(3, 255.0))[1:]
    line = seen_color(np.array(BLUE, float))[1:]
    angles = np.degrees(np.arctan2(hues[:, 1], hues[:, 0]) - np.arctan2(line[1], line[0]))
    return colors, (angles + 180.0) % 360.0 - 180.0, np.hypot(hues[:, 0], hues[:, 1])


def pale(angle: float, length: float) -> tuple[int, int, int]:
    colors, angles, found = pale_colors()
    best = int(np.argmin(np.abs((angles - angle + 180.0) % 360.0 - 180.0) / 45.0 + np.abs(found - length) / 0.03))
    return tuple(int(value) for value in colors[best])


def test_a_line_alone_has_none():
    found = left_of(PLAN.picture)
    assert (found.companion_px, most(found)) == (0, 0.0)


@pytest.mark.parametrize("contrast", [0.03, 0.1, 0.3])
def test_a_shadow_along_the_whole_line_leaves_next_to_nothing(contrast):
    """Moved by two pixels right and down; at its own edge a little stays, less than a tenth of it."""
    picture = PLAN.picture.copy()
    shadow = through(1, 2, 3, 4, 8, 7, 6, 5, by=(2, 2)) & FLOOR
    picture[shadow] = grey(contrast)
    found = left_of(picture)
    assert found.companion_px >= 2
    assert lengths(found.values)[shadow].mean() < 0.1 * contrast


def test_a_mark_beside_it_is_none():
    x, y = at(3)
    picture = PLAN.picture.copy()
    picture[y + 4 : y + 8, x - 6 : x + 6] = grey(0.2)
    found = left_of(picture)
    assert found.companion_px == 0
    # So near to the line a fifth of its colour may be smeared over it; the rest stays.
    assert lengths(found.values)[y + 6, x] > 0.1
    assert lengths(left_of(picture, config=PLAIN).values)[y + 6, x] == pytest.approx(0.2, rel=0.05)


@pytest.mark.parametrize(("level", "reach"), [(252, 0), (251, 4)])
def test_the_least_contrast_of_a_companion(level, reach):
    """0.01: three levels below white are 0.0089, four 0.0119."""
    assert left_of(ringed(1.0, 4.4, (level, level, level))).companion_px == reach


def test_on_a_noisy_floor_a_companion_is_plainer():
    """1.5 times the noise, here of rows that are four levels off their mean."""
    picture = PLAN.picture.copy()
    for parity, level in ((0, 247), (1, 255)):
        picture[PLAN.open_floor & (np.arange(SHAPE[0])[:, None] % 2 == parity)] = level
    noise = left_of(picture, 251).ground.noise
    for level, reach in ((246, 0), (243, 4)):
        contrast = contrast_of((level,) * 3, (251,) * 3)
        assert (contrast > 1.5 * noise) is (reach > 0)
        assert left_of(ringed(1.0, 4.4, (level,) * 3, picture), 251).companion_px == reach


@pytest.mark.parametrize(("share", "reach"), [(0.25, 0), (0.36, 4)])
def test_it_goes_along_a_share_of_the_line(share, reach):
    """0.3 of the pixels at a distance."""
    shown = np.random.default_rng(8).random(SHAPE) < share
    picture = PLAN.picture.copy()
    picture[FLOOR & (TO_LINE <= 4.4) & shown] = grey(0.2)
    assert left_of(picture).companion_px == reach


def test_it_reaches_a_quarter_of_a_cell():
    """8 of 32 pixels, and two more for its edge; a wider glow stays beyond that."""
    found = left_of(ringed(1.0, 12.0, grey(0.1)), config=PLAIN)
    assert found.companion_px == 8
    left = lengths(found.values)
    assert np.quantile(left[CLEAR & (TO_LINE > 2.6) & (TO_LINE < 9.5)], 0.98) < 0.02
    assert np.median(left[CLEAR & (TO_LINE > 10.5) & (TO_LINE < 11.5)]) > 0.06


@pytest.mark.parametrize(("share", "left"), [(0.25, 0.2 - 1.4 * 0.05), (0.36, 0.0)])
def test_its_colour_is_that_of_its_strongest_part(share, left):
    """0.3 of its pixels; 1.4 of that is taken off where it is stronger still."""
    strong = np.random.default_rng(8).random(SHAPE) < share
    picture = ringed(1.0, 4.4, grey(0.05))
    picture[FLOOR & (TO_LINE <= 4.4) & (TO_LINE > 1.0) & strong] = grey(0.2)
    # A second companion would take the rest.
    found = left_of(picture, config=replace(PLAIN, companions=replace(PLAIN.companions, kinds=1)))
    away = CLEAR & (TO_LINE > 2.6) & (TO_LINE < 4.4) & strong
    assert np.median(lengths(found.values)[away]) == pytest.approx(left, abs=0.012)


def test_two_of_them_and_no_third():
    """On a grey floor dark, light and bluish grain all along the line; a third of the pixels each."""
    kind = np.random.default_rng(4).integers(0, 3, SHAPE)
    picture = PLAN.picture.copy()
    picture[PLAN.open_floor] = 200
    near = FLOOR & (TO_LINE <= 4.4)
    away = CLEAR & (TO_LINE > 2.6) & (TO_LINE <= 4.4)
    for place, color in ((0, (60, 60, 60)), (1, (255, 255, 255))):
        picture[near & (kind == place)] = color
    assert most(left_of(picture, 200, PLAIN), away) < 0.01
    picture[near & (kind == 2)] = (150, 203, 240)
    assert np.median(lengths(left_of(picture, 200, PLAIN).values)[away & (kind == 2)]) > 0.1


@pytest.mark.parametrize(("turn", "reach"), [(40.0, 4), (50.0, 0), (-40.0, 4), (-50.0, 0), (180.0, 0)])
def test_it_has_the_hue_of_the_line(turn, reach):
    """Within 45 degrees."""
    color = pale(turn, 0.13)
    assert left_of(ringed(1.0, 4.4, color)).companion_px == reach, color


@pytest.mark.parametrize(("length", "reach"), [(0.074, 4), (0.088, 0)])
def test_or_hardly_any(length, reach):
    """A and b, doubled, are shorter than 0.08."""
    color = pale(120.0, length)
    hue = seen_color(np.array(color, float))[1:] - seen_color(np.full(3, 255.0))[1:]
    assert (float(np.hypot(*hue)) < 0.08) is (reach > 0)
    assert left_of(ringed(1.0, 4.4, color)).companion_px == reach
