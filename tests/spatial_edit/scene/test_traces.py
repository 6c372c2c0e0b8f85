"""What an object left behind where it stood: strange colours, an edge, or a line along its outline."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from detectors.spatial_edit.scene.config import ContourConfig, TracesConfig
from detectors.spatial_edit.scene.traces import PlaceTraces, find_traces
from tests.spatial_edit.scene.surfaces import LIGHT, flags, plain

CONFIG = TracesConfig()
PLACE = flags(slice(30, 70), slice(30, 70))
OUTLINE = np.array([[30.0, 30.0], [70.0, 30.0], [70.0, 70.0], [30.0, 70.0]])
FREE = np.zeros((100, 100), np.bool_)


def traces(now, then=None, taken=FREE, config=CONFIG, place=PLACE, outline=OUTLINE):
    return find_traces(then or plain(), now, place, outline, taken, config)


def test_an_empty_place_has_no_traces():
    found = traces(plain())
    assert found == PlaceTraces(0.0, 0.0)
    assert not found.left(CONFIG)


def test_strange_colours_are_counted_inside_of_the_margin():
    """40 - 2 x 3 = 34 pixels a side are looked at: 1156. A tenth is 115.6: three rows of 34 and 14 more are enough."""
    now = plain()
    now.tint[33:36, 33:67] = 1.0
    now.tint[36, 33:46] = 1.0
    assert traces(now).strange == pytest.approx(115 / 1156)
    assert not traces(now).left(CONFIG)
    now.tint[36, 46] = 1.0
    assert traces(now).strange == pytest.approx(116 / 1156)
    assert traces(now).left(CONFIG)
    # What lies on the margin is not looked at.
    rim = plain()
    rim.tint[30:33] = 1.0
    assert traces(rim).strange == 0.0


@pytest.mark.parametrize(("light", "strange"), [(0.56, 0.0), (0.54, 1.0), (1.11, 0.0), (1.13, 1.0)])
def test_shadow_and_light_on_the_same_surface_are_no_traces(light, strange):
    now = plain()
    now.lightness[PLACE] = LIGHT * light
    assert traces(now).strange == strange


@pytest.mark.parametrize(("tint", "strange"), [(0.049, 0.0), (0.051, 1.0)])
def test_another_hue_is_a_trace(tint, strange):
    now = plain()
    now.tint[PLACE, 1] = tint
    assert traces(now).strange == strange


@pytest.mark.parametrize(("away", "strange"), [(4, 1.0), (5, 0.0), (20, 0.0), (21, 1.0)])
def test_surroundings_are_a_ring_in_the_picture_before(away, strange):
    """40 x 40 pixels: the ring is half of 40, so 5 to 20 pixels from the place. A stripe there has another paint."""
    then, now = plain(), plain()
    then.tint[45:55, 69 + away] = 1.0
    now.tint[PLACE] = 1.0
    every = replace(CONFIG, alike=replace(CONFIG.alike, samples=100_000))
    assert traces(now, then, config=every).strange == strange
    # The picture after does not count.
    assert traces(now, plain(), config=every).strange == 1.0


def test_the_ring_is_at_least_8_pixels_wide():
    """Around 14 x 14 pixels half a side would be 7."""
    place = flags(slice(43, 57), slice(43, 57))
    outline = np.array([[43.0, 43.0], [57.0, 43.0], [57.0, 57.0], [43.0, 57.0]])
    now = plain()
    now.tint[place] = 1.0
    for away, strange in ((8, 0.0), (9, 1.0)):
        then = plain()
        then.tint[50, 56 + away] = 1.0
        every = replace(CONFIG, alike=replace(CONFIG.alike, samples=100_000))
        assert traces(now, then, config=every, place=place, outline=outline).strange == strange


def test_a_small_place_is_not_looked_at():
    """14 x 14 pixels leave 8 x 8 = 64 inside, 13 x 14 leave 56, below 60."""
    outline = np.array([[43.0, 43.0], [57.0, 43.0], [57.0, 57.0], [43.0, 57.0]])
    assert traces(plain(), place=flags(slice(43, 57), slice(43, 57)), outline=outline) is not None
    assert traces(plain(), place=flags(slice(43, 56), slice(43, 57)), outline=outline) is None


def test_what_other_objects_cover_is_not_looked_at():
    """An object covers the lower half and, grown by 4, four rows more: rows 33 to 45 are left, 13 x 34 pixels."""
    taken = flags(slice(50, 100), slice(0, 100))
    now = plain()
    now.tint[45, 33:67] = 1.0
    now.tint[46:50, 33:67] = 1.0
    assert traces(now, taken=taken).strange == pytest.approx(1 / 13)
    assert traces(now, taken=flags(slice(0, 100), slice(0, 100))) is None
    # Nothing of the surroundings is free.
    around = ~flags(slice(20, 80), slice(20, 80))
    assert traces(plain(), taken=around | ~flags(slice(26, 74), slice(26, 74))) is None


def stepped(by: float):
    """The place is lighter than around by so much."""
    now = plain()
    now.lightness[PLACE] += by
    return now


@pytest.mark.parametrize(("step", "outline"), [(0.024, 0.0), (0.026, 1.0)])
def test_an_edge_all_around_is_a_trace(step, outline):
    found = traces(stepped(step))
    assert (found.strange, found.outline) == (0.0, outline)
    assert found.left(CONFIG) == bool(outline)


@pytest.mark.parametrize(("line", "outline"), [(0.024, 0.0), (0.026, 1.0)])
def test_a_line_along_the_outline_is_a_trace(line, outline):
    """It is drawn within 1 pixel of the outline, where it is looked for; the sides are taken 3 pixels and more away."""
    now = plain()
    now.lightness[flags(slice(28, 72), slice(28, 72)) & ~flags(slice(32, 68), slice(32, 68))] += line
    assert traces(now).outline == outline


def test_a_line_beside_a_step_counts_by_what_it_differs_from_both_sides():
    """The place is lighter by 0.02, and the rim by 0.04 or 0.06: it differs from the nearer side by 0.02 or 0.04.

    Half of the step is no line: 0.01 or 0.03 are left, and 0.025 count.
    """
    rim = flags(slice(28, 72), slice(28, 72)) & ~flags(slice(32, 68), slice(32, 68))
    for line, outline in ((0.04, 0.0), (0.06, 1.0)):
        now = stepped(0.02)
        now.lightness[rim] = LIGHT + line
        assert traces(now).outline == outline


def test_a_gradient_is_no_line():
    """The middle of a step lies between both sides: a ramp across the outline has a step, and no line."""
    now = plain()
    column = np.arange(100, dtype=np.float32)[None]
    now.lightness[:] = 0.6 + 0.004 * np.abs(column - 50)
    # Over 8 pixels it rises by 0.032; so it does wherever else it is looked, so three times that would be a trace.
    assert traces(now).outline == 0.0


def test_a_step_has_to_be_three_times_what_is_usual_beside():
    """All of the table is lighter by 0.004 with each pixel to the right, or down: by 0.032 over the 8 pixels between
    both sides of an outline. A place that is lighter by d has a step of 0.032 + d to the left and above, 0.032 - d to
    the right and below; it has to be 0.096, so d has to be 0.064.
    """
    ramp = 0.004 * (np.arange(100)[None] + np.arange(100)[:, None])
    for step, seen in ((0.062, 0.0), (0.066, 0.5)):
        now = plain()
        now.lightness[:] = 0.2 + ramp + step * PLACE
        assert traces(now).outline == pytest.approx(seen)


def test_a_line_has_to_be_three_times_what_is_usual_beside():
    """Lines of the same lightness lie 20 pixels, the width of the ring, to all sides."""
    now = plain()
    for shift in (-20, 0, 20):
        rim = np.roll(flags(slice(28, 72), slice(28, 72)) & ~flags(slice(32, 68), slice(32, 68)), shift, axis=1)
        now.lightness[rim | np.roll(rim, shift, axis=0)] = 0.7
    assert traces(now).outline < 0.65


def test_where_nothing_is_seen_beside_nothing_is_usual():
    """Other objects are all around, from 10 pixels on; the same outline 20 pixels aside is nowhere free."""
    taken = ~flags(slice(20, 80), slice(20, 80))
    assert traces(stepped(0.03), taken=taken).outline == 1.0
    assert traces(stepped(0.02), taken=taken).outline == 0.0


def test_part_of_an_outline_is_told_as_a_share():
    """Two of four sides have an edge: of 40 - 6 = 34 pixels each, at distances of 2, there are 18 places on each."""
    now = plain()
    now.lightness[30:, 30:] += 0.05
    found = traces(now)
    assert found.outline == pytest.approx(0.5)
    assert not found.left(CONFIG)
    assert PlaceTraces(0.0, 0.65).left(CONFIG)
    assert not PlaceTraces(0.0, 0.649).left(CONFIG)
    assert PlaceTraces(0.1, None).left(CONFIG)
    assert not PlaceTraces(0.099, None).left(CONFIG)


def test_where_little_of_the_outline_is_free_nothing_is_said_of_it():
    """72 places, of which 0.4 are 28.8: with three sides covered 18 are free, with two 36."""
    left, right = flags(slice(0, 100), slice(0, 28)), flags(slice(0, 100), slice(72, 100))
    low = flags(slice(72, 100), slice(0, 100))
    assert traces(stepped(0.1), taken=left | right).outline == 1.0
    assert traces(stepped(0.1), taken=left | right | low).outline is None


def test_a_short_outline_has_few_places():
    """18 pixels a side: 12 pixels between the corners, 7 places on each of four sides; with 29 needed none is said."""
    place = flags(slice(41, 59), slice(41, 59))
    outline = np.array([[41.0, 41.0], [59.0, 41.0], [59.0, 59.0], [41.0, 59.0]])
    for least, said in ((28, 0.0), (29, None)):
        config = replace(CONFIG, contour=ContourConfig(least_points=least))
        assert traces(plain(), place=place, outline=outline, config=config).outline == said
    # With the usual 12: of a long thin outline one long side alone has places, one each 2 pixels but for 3 at each end.
    below = flags(slice(54, 100), slice(0, 100))
    for length, said in ((28.1, 0.0), (27.9, None)):
        wide = np.array([[30.0, 46.0], [30.0 + length, 46.0], [30.0 + length, 50.0], [30.0, 50.0]])
        config = replace(CONFIG, contour=ContourConfig(least_free=0.0, sides_px=(1.0,)))
        assert traces(plain(), outline=wide, config=config, taken=below).outline == said


def test_the_outline_may_go_either_way_around_and_beyond_the_picture():
    assert traces(stepped(0.03), outline=OUTLINE[::-1].copy()).outline == 1.0
    place = flags(slice(30, 70), slice(60, 100))
    beyond = np.array([[60.0, 30.0], [120.0, 30.0], [120.0, 70.0], [60.0, 70.0]])
    now = plain()
    now.lightness[place] += 0.05
    # Above and below 27 places each, of which those up to the picture's edge are free, and 18 to the left.
    assert traces(now, place=place, outline=beyond).outline == 1.0
