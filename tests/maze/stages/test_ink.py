"""Which pixels are ink, and in which colour: patches on the floor, the walls and the markers of a small maze."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from detectors.common.colors import ColorName, oklab
from detectors.maze.ink import ColorConfig, GreyConfig, InkConfig, NoiseConfig, find_ink
from tests.maze.stages.plans import CELL, DARK, FLOOR, WALL, corner, middle, plan_of

WAYS = {(1, 2), (2, 3), (3, 6), (5, 6), (4, 5)}
PLAN = plan_of(2, 3, WAYS, {1: "disc", 4: "cross"})
CONFIG = InkConfig()
X, Y = middle(5, 3)
PATCH = (slice(Y - 4, Y + 4), slice(X - 4, X + 4))
WALL_AT = (slice(corner(5, 3)[1] - 2, corner(5, 3)[1] + 2), slice(X - 8, X + 8))
BLUE = (0, 107, 183)


def painted(color, where=PATCH, plan=PLAN):
    picture = plan.picture.copy()
    picture[where] = color
    return picture


def find(picture, asked=ColorName.BLUE, config=CONFIG, plan=PLAN, covered=None):
    return find_ink(picture, covered, plan, asked, config)


def lab(color) -> np.ndarray:
    return oklab(np.array([color], np.uint8))[0]


def chroma(color, base=FLOOR) -> float:
    return float(np.hypot(*(lab(color) - lab(base))[1:]))


def around(colors: Sequence, value, threshold: float):
    """The last of a ramp of colours below a threshold, and the first that is not."""
    at = next(index for index, color in enumerate(colors) if value(color) >= threshold)
    assert at > 0
    return colors[at - 1], colors[at]


BLUES = [(255 - 2 * step, 255 - step, 255) for step in range(100)]
GREYS = [(255 - step,) * 3 for step in range(256)]


# --- colours ---


def test_nothing_is_found_on_the_puzzle_itself():
    ink = find(PLAN.picture)
    for mask in (ink.asked, ink.other, ink.grey, ink.dark, ink.barrier, ink.erased):
        assert mask.dtype == np.bool_
        assert mask.shape == PLAN.labels.shape
        assert not mask.any()
    assert ink.has_walls
    assert ink.strength.dtype == np.float32
    assert not ink.strength.any()
    assert (ink.floor_rgb.tolist(), ink.wall_rgb.tolist()) == (list(FLOOR), list(DARK))


def test_a_blue_patch_is_ink_in_blue_and_only_it():
    ink = find(painted(BLUE))
    assert np.array_equal(np.argwhere(ink.asked), np.argwhere(painted(1)[..., 0] == 1))
    assert not (ink.other | ink.grey | ink.dark | ink.erased | ink.barrier).any()
    assert ink.strength[Y, X] == pytest.approx(chroma(BLUE), abs=1e-4)


def test_another_colour_is_other_ink():
    ink = find(painted(BLUE), ColorName.RED)
    assert ink.other[PATCH].all()
    assert not ink.asked.any()
    assert ink.strength[Y, X] == pytest.approx(chroma(BLUE), abs=1e-4)


def test_ink_has_a_least_chroma():
    pale, plain = around(BLUES, chroma, CONFIG.color.min_chroma)
    # All of them differ by more than 14 levels.
    assert 255 - pale[0] > CONFIG.prefilter
    assert not find(painted(pale)).asked.any()
    assert find(painted(plain)).asked[PATCH].all()


def test_a_difference_of_fourteen_levels_is_left_alone():
    """Whatever its chroma: in a channel that differs by 15 it is looked at."""
    sensitive = replace(CONFIG, color=replace(CONFIG.color, min_chroma=0.001))
    assert not find(painted((241, 248, 255)), config=sensitive).asked.any()
    assert find(painted((240, 248, 255)), config=sensitive).asked[PATCH].all()


def test_a_dark_brown_is_dark_and_no_colour():
    """Its chroma is less than 0.1 of the change of lightness."""
    reds = [(20 + step, 20, 20) for step in range(60)]
    less, more = around(reds, lambda color: chroma(color) / abs(lab(color)[0] - 1.0), CONFIG.color.min_saturation)
    assert not find(painted(less), ColorName.RED).asked.any()
    assert find(painted(less), ColorName.RED).dark[PATCH].all()
    assert find(painted(more), ColorName.RED).asked[PATCH].all()


def test_on_walls_ink_needs_more_chroma():
    blues = [(20, 20, 20 + step) for step in range(200)]
    less, more = around(blues, lambda color: chroma(color, DARK), CONFIG.color.min_chroma_on_wall)
    # On a wall the floor is the base: the chroma against white is as large as that against black.
    loose = replace(CONFIG, color=replace(CONFIG.color, min_saturation=0.0))
    assert not find(painted(less, WALL_AT), config=loose).asked.any()
    assert find(painted(more, WALL_AT), config=loose).asked[WALL_AT].all()


def test_a_hue_slack_widens_what_was_asked_for():
    """Blue begins at 208 degrees; with 6 degrees more at 202. The hues run from cyan to blue."""
    ramp = [(0, 255 - step, 255) for step in range(150)]

    def hue(color) -> float:
        return float(np.degrees(np.arctan2(*lab(color)[:0:-1]))) % 360.0

    below, above = around(ramp, hue, 202.0)
    assert not find(painted(below)).asked.any()
    assert find(painted(below)).other[PATCH].all()
    assert find(painted(above)).asked[PATCH].all()
    strict = replace(CONFIG, color=replace(CONFIG.color, hue_slack_deg=0.0))
    assert not find(painted(above), config=strict).asked.any()


def test_a_vivid_colour_has_its_own_hue_a_pale_one_that_of_the_change():
    """On a yellow floor a pale green is a shift towards blue; as vivid as 0.09 it is green itself."""
    picture = PLAN.picture.copy()
    yellow = (255, 250, 190)
    picture[PLAN.open_floor] = yellow
    plan = replace(PLAN, picture=picture, floor_rgb=np.array(yellow, float))
    grey = (215, 235, 225)
    tinted = replace(CONFIG, color=replace(CONFIG.color, tinted=1.0))
    assert np.hypot(*lab(grey)[1:]) < CONFIG.color.vivid_chroma
    pale = find(painted(grey, plan=plan), plan=plan, config=tinted)
    assert pale.asked[PATCH].all()
    trusting = replace(tinted, color=replace(tinted.color, vivid_chroma=0.01))
    assert not find(painted(grey, plan=plan), plan=plan, config=trusting).asked.any()


def test_what_is_mixed_of_tinted_floor_and_wall_is_no_ink():
    """A floor of orange and blue walls: half way between them, and a bit beyond by sharpening, no one has drawn."""
    floor, wall = np.array((250, 200, 140)), np.array((20, 30, 110))
    picture = PLAN.picture.copy()
    picture[PLAN.open_floor] = floor
    picture[PLAN.walls] = wall
    plan = replace(PLAN, picture=picture, floor_rgb=floor.astype(float), wall_rgb=wall.astype(float))
    half = tuple(((floor + wall) / 2).round().astype(int).tolist())
    assert chroma(tuple(floor.tolist()), (255, 255, 255)) >= CONFIG.color.tinted
    assert not find(painted(half, plan=plan), plan=plan).asked.any()
    plain = replace(CONFIG, color=replace(CONFIG.color, tinted=1.0))
    found = find(painted(half, plan=plan), plan=plan, config=plain)
    assert (found.asked | found.other)[PATCH].all()
    narrow = replace(CONFIG, color=replace(CONFIG.color, mixed=0.001))
    found = find(painted(half, plan=plan), plan=plan, config=narrow)
    assert (found.asked | found.other)[PATCH].all()


# --- noise ---


def noisy(sigma: float) -> np.ndarray:
    dice = np.random.default_rng(4)
    grained = PLAN.picture.astype(float) - np.abs(dice.normal(0.0, sigma, PLAN.picture.shape))
    return np.clip(np.rint(grained), 0, 255).astype(np.uint8)


def test_noise_raises_the_least_chroma():
    """Noise of 30 levels in each channel would be ink here and there on the floor; hardly anything of it is."""
    grained = noisy(30.0)
    deaf = replace(CONFIG, noise=NoiseConfig(factor=0.0))
    heard, found = (
        np.count_nonzero((ink.asked | ink.other) & PLAN.floor) for ink in (find(grained, config=deaf), find(grained))
    )
    assert heard > 200
    assert found < 10


def test_a_strong_stroke_is_seen_in_any_noise():
    grained = noisy(25.0)
    grained[PATCH] = BLUE
    assert find(grained).asked[Y, X]
    blind = replace(CONFIG, noise=NoiseConfig(most=1.0, factor=20.0))
    assert not find(grained, config=blind).asked.any()


def test_a_noisy_picture_is_averaged_first():
    """A single pixel of a colour is blurred away: of 3 x 3 it has a quarter of its weight."""
    grained = noisy(6.0)
    grained[Y, X] = (200, 220, 255)
    calm = PLAN.picture.copy()
    calm[Y, X] = (200, 220, 255)
    assert find(calm).asked[Y, X]
    assert not find(grained).asked[Y, X]
    sharp = replace(CONFIG, noise=NoiseConfig(noisy=1.0))
    assert find(grained, config=sharp).asked[Y, X]


# --- black, white and grey ---


def test_floor_that_turned_grey_and_dark():
    """Of 255 levels 0.2 are 51, which may round, and 0.3 are 76.5."""
    for level, grey, dark in (
        (255 - 50, False, False),
        (255 - 52, True, False),
        (255 - 76, True, False),
        (178, True, True),
    ):
        ink = find(painted((level,) * 3))
        assert ink.grey[PATCH].all() == ink.grey.any() == grey, level
        assert ink.dark[PATCH].all() == ink.dark.any() == dark, level
        assert np.array_equal(ink.barrier, ink.grey | ink.dark)
        assert not (ink.asked | ink.other | ink.erased).any()


def test_dark_and_slightly_tinged_is_dark_but_coloured_is_not():
    """Up to 2.5 x 0.018 = 0.045 of chroma; here it has a saturation above 0.1."""
    reds = [(60 + step, 60, 60) for step in range(100)]
    loose = replace(CONFIG, color=replace(CONFIG.color, min_saturation=0.0))
    less, more = around(reds, chroma, 0.045)
    assert find(painted(less), config=loose).dark[PATCH].all()
    assert not find(painted(more), config=loose).dark.any()


def test_a_wall_is_gone_where_less_than_half_of_it_is_left():
    """0.45 of the way from white to black is a level of 255 x 0.55 = 140.25."""
    for level, gone in ((140, False), (141, True)):
        ink = find(painted((level,) * 3, WALL_AT))
        assert ink.erased[WALL_AT].all() == ink.erased.any() == gone
        assert not (ink.grey | ink.dark).any()


def test_black_is_ink_where_it_was_asked_for():
    """Least change of lightness: 0.12 of OKLab's."""
    pale, plain = around(GREYS, lambda color: 1.0 - float(lab(color)[0]), CONFIG.grey.min_lightness)
    assert not find(painted(pale), ColorName.BLACK).asked.any()
    found = find(painted(plain), ColorName.BLACK)
    assert found.asked[PATCH].all()
    # Black across a passage closes it whether or not it was asked for.
    assert found.barrier[PATCH].all()
    # A fifth of the change of lightness.
    assert found.strength[Y, X] == pytest.approx(0.2 * (1.0 - float(lab(plain)[0])), abs=1e-4)
    assert not find(painted(BLUE), ColorName.BLACK).asked.any()
    assert not find(painted(plain), ColorName.WHITE).asked.any()


def test_black_has_little_chroma():
    blues = [(20, 20, 20 + step) for step in range(120)]
    less, more = around(blues, chroma, CONFIG.grey.max_chroma)
    assert find(painted(less), ColorName.BLACK).asked[PATCH].all()
    assert not find(painted(more), ColorName.BLACK).asked.any()


def test_black_beside_a_wall_may_be_its_edge():
    """0.4 of a wall of 4 pixels are 1.6, so 2: what is no more than two wide at a wall is its edge."""
    left = corner(5, 3)[0] + 4
    below = corner(5, 3)[1] + WALL // 2
    for rows, seen in ((2, False), (3, False), (4, True)):
        strip = (slice(below, below + rows), slice(left, left + 20))
        found = find(painted(DARK, strip), ColorName.BLACK)
        assert found.asked.any() == seen, rows
        # What is seen reaches up to the wall.
        assert found.asked[strip].all() == seen


# --- markers ---


def test_a_marker_in_its_own_hue_is_still_the_marker():
    """Up to 0.04 in OKLab; red is asked for, and the disc is of pure red."""
    disc = PLAN.markers[0]
    reds = [(255 - step, 0, 0) for step in range(100)]
    less, more = around(reds, lambda color: float(np.linalg.norm(lab(color) - lab((255, 0, 0)))), 0.0401)
    for color, drawn in ((less, False), (more, True)):
        picture = PLAN.picture.copy()
        picture[PLAN.marker_mask & (PLAN.labels == disc.cell)] = color
        assert find(picture, ColorName.RED).asked.any() == drawn


def test_a_stroke_over_a_marker_is_ink_in_the_asked_colour_only():
    disc = PLAN.markers[0]
    picture = PLAN.picture.copy()
    picture[PLAN.marker_mask] = BLUE
    assert find(picture).asked[disc.box][disc.mask].all()
    other = find(picture, ColorName.GREEN)
    assert not (other.asked | other.other).any()


# --- what was repainted ---


def test_a_repainted_floor_is_no_ink():
    picture = PLAN.picture.copy()
    picture[PLAN.open_floor] = (225, 240, 225)
    found = find(picture)
    assert found.floor_rgb.tolist() == [225, 240, 225]
    assert not (found.asked | found.other | found.grey).any()


@pytest.mark.parametrize("floor", [(236, 226, 200), (210, 190, 160), (220, 235, 220)])
@pytest.mark.parametrize("halo", [False, True])
def test_the_soft_edges_of_walls_on_a_repainted_floor_are_no_ink(floor, halo):
    """Half-way from black to beige is bluer than beige, as far darker as the edge was; or there the old floor shows."""
    inner = PLAN.open_floor & (PLAN.wall_distance <= 1.0)
    plan = replace(PLAN, picture=PLAN.picture.copy())
    plan.picture[inner] = 128
    picture = plan.picture.copy()
    picture[PLAN.open_floor & ~inner] = floor
    picture[inner] = 200 if halo else np.array(floor) // 2
    plan.picture[inner] = 200 if halo else 128
    found = find(picture, plan=plan)
    assert found.floor_rgb.tolist() == list(floor)
    assert not (found.asked | found.other).any()
    # What is drawn there in a colour is ink.
    picture[inner] = BLUE
    assert find(picture, plan=plan).asked[inner].all()


def test_a_floor_in_the_colour_of_the_answer_is_flooded():
    picture = PLAN.picture.copy()
    picture[PLAN.open_floor] = BLUE
    found = find(picture)
    assert found.floor_rgb.tolist() == list(FLOOR)
    assert found.asked[PATCH].all()
    # As it is no answer in red, it is a floor in another colour.
    assert not find(picture, ColorName.RED).asked.any()


def test_a_floor_in_a_shade_of_the_answer_s_colour_was_repainted_where_a_line_stands_out():
    """0.1 of a cell of 32 x 32 are 102 pixels, at three times the way of all others from white."""
    for rows, repainted in ((13, True), (12, False)):
        picture = PLAN.picture.copy()
        picture[PLAN.open_floor] = (215, 232, 245)
        picture[Y - 4 : Y - 4 + rows, X - 4 : X + 4] = BLUE
        found = find(picture)
        assert (found.floor_rgb.tolist() == [215, 232, 245]) is repainted
        assert found.asked[Y, X]


def test_what_lies_around_shows_in_an_opening_of_a_cell_after_a_change_of_the_whole():
    """A strip of another colour in the floor of the puzzle is as much darker as that, and is no ink."""
    plan = replace(PLAN, picture=PLAN.picture.copy())
    plan.picture[Y : Y + 4, X - 8 : X + 8] = (225, 225, 240)
    picture = plan.picture.copy()
    picture[PLAN.open_floor] -= 40
    found = find(picture, plan=plan)
    assert not (found.asked | found.other | found.grey).any()


@pytest.mark.parametrize(("share", "drawn"), [(0.02, False), (0.08, True)])
def test_a_floor_that_is_what_it_was_in_places_was_painted_over(share, drawn):
    """In more than 0.05 of them."""
    at = np.argwhere(PLAN.floor)
    picture = PLAN.picture.copy()
    picture[PLAN.open_floor] = (200, 160, 160)
    kept = at[:: round(1 / share)]
    picture[kept[:, 0], kept[:, 1]] = FLOOR
    whole = replace(PLAN, rims=replace(PLAN.rims, samples=len(at)))
    found = find(picture, plan=whole)
    assert (found.floor_rgb.tolist() == list(FLOOR)) is drawn
    assert (found.other[PATCH].mean() > 0.5) == drawn


def test_walls_may_be_repainted_as_long_as_they_are_dark():
    """OKLab lightness 0.35: of greys that is a level of 55 or so."""
    darker, lighter = around([(step,) * 3 for step in range(256)], lambda color: float(lab(color)[0]), 0.35)
    for color in (darker, lighter):
        picture = PLAN.picture.copy()
        picture[PLAN.walls] = color
        found = find(picture)
        assert not (found.erased | found.asked | found.other).any()
        assert found.wall_rgb.tolist() == list(color)
    tinted, vivid = (0, 0, 110), (0, 0, 250)
    for color, ink in ((tinted, False), (vivid, True)):
        picture = PLAN.picture.copy()
        picture[PLAN.walls] = color
        assert (float(lab(color)[0]) > CONFIG.very_dark) is ink
        assert find(picture).asked.any() == ink


def test_without_contrast_there_are_no_walls():
    """A sum over channels of 120: 40 levels each."""
    for level, walls in ((255 - 39, False), (255 - 40, True)):
        picture = PLAN.picture.copy()
        picture[PLAN.walls] = level
        assert find(picture).has_walls is walls


def test_what_is_not_covered_says_nothing():
    picture = painted(BLUE)
    covered = np.ones(PLAN.labels.shape, bool)
    covered[PATCH] = False
    assert not find(picture, covered=covered).asked.any()
    none = find(picture, covered=np.zeros_like(covered))
    assert none.floor_rgb.tolist() == list(FLOOR)
    assert not none.asked.any()


def test_rows_are_rows_and_columns_columns():
    wide = (slice(Y - 1, Y + 1), slice(X - 10, X + 10))
    rows, columns = np.nonzero(find(painted(BLUE, wide)).asked)
    assert (np.ptp(rows) + 1, np.ptp(columns) + 1) == (2, 20)
    assert CELL > 20
    assert GreyConfig().least_edge_px == 2
    assert ColorConfig().min_chroma < GreyConfig().max_chroma
