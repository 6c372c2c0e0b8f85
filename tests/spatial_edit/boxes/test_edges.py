"""The exact fit of a box to its edges, in pictures that are drawn by hand."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from detectors.spatial_edit.boxes.config import EdgesConfig, PlacesConfig
from detectors.spatial_edit.boxes.edges import Surroundings, places_of, refine, unevenness
from detectors.spatial_edit.boxes.geometry import EDGE_FACES, EDGES, corners_of, seen_faces
from tests.spatial_edit.boxes.views import VIEW, drawn, pixels_of, row_of

CONFIG, PLACES = EdgesConfig(), PlacesConfig()
PLACED = (0, 1, 2)
ALONE = Surroundings()


@cache
def picture(right: float = 0.0, away: float = 0.75, yaw: float = 0.7):
    linear, (share,) = drawn(row_of(right, away, yaw))
    return linear, share


def fitted(start, around=ALONE, config=CONFIG, windows=(6.0, 4.0, 3.0), shown=None, free=PLACED):
    linear, share = shown or picture()
    return refine(start, free, around, share, linear, VIEW, config, windows)


def lengths() -> dict[int, tuple[float, int]]:
    """Length in the picture and number of seen faces of each edge of the usual box."""
    row, pixels = row_of(), pixels_of(row_of())
    seen = seen_faces(corners_of(row[None])[0])
    return {
        at: (float(np.hypot(*(pixels[j] - pixels[i]))), sum(seen[face] for face in faces))
        for at, ((i, j), faces) in enumerate(zip(EDGES, EDGE_FACES, strict=True))
    }


def test_places_lie_along_the_edges_that_are_seen():
    """One each 2 pixels, from 3 pixels off one end to 3 off the other."""
    found = places_of(row_of(), ALONE, VIEW, PLACES)
    pixels = pixels_of(row_of())
    for edge, (length, sides) in lengths().items():
        own = found.edges == edge
        assert own.sum() == (int((length - 6) / 2) if sides else 0)
        if not sides:
            continue
        assert found.outer[own].all() == (sides == 1)
        along = pixels[EDGES[edge][1]] - pixels[EDGES[edge][0]]
        assert found.shares[own][[0, -1]] == pytest.approx([3 / length, 1 - 3 / length])
        assert found.points[own] == pytest.approx(pixels[EDGES[edge][0]] + found.shares[own][:, None] * along, abs=1e-9)
        assert found.normals[own] @ along == pytest.approx(np.zeros(own.sum()), abs=1e-9)
    assert np.hypot(*found.normals.T) == pytest.approx(np.ones(len(found.normals)))
    # Normals point out of the box.
    middle = pixels.mean(axis=0)
    outer = found.outer
    assert (((found.points[outer] - middle) * found.normals[outer]).sum(axis=1) > 0).all()
    assert found.hidden == 0.0


def test_short_edges_are_not_measured_and_long_ones_at_60_places():
    few = places_of(row_of(), ALONE, VIEW, replace(PLACES, corner_px=8.0))
    assert {edge for edge, (length, sides) in lengths().items() if sides and length >= 24} == set(few.edges.tolist())
    many = places_of(row_of(), ALONE, VIEW, replace(PLACES, spacing_px=0.1))
    assert np.bincount(many.edges).max() == 60
    none = places_of(row_of(), ALONE, VIEW, replace(PLACES, corner_px=100.0))
    assert (len(none.points), none.hidden) == (0, 1.0)
    two = places_of(row_of(), ALONE, VIEW, replace(PLACES, spacing_px=1000.0))
    assert set(np.bincount(two.edges)) <= {0, 2}


def test_what_lies_outside_of_the_picture_is_hidden():
    """2 pixels from its border nothing is measured."""
    found = places_of(row_of(right=0.42), ALONE, VIEW, PLACES)
    assert found.points[:, 0].max() <= 158.0
    assert found.points[:, 0].max() > 150
    assert 0.2 < found.hidden < 0.8
    assert places_of(row_of(right=3.0), ALONE, VIEW, PLACES).hidden == 1.0
    upper = places_of(row_of(away=2.4), ALONE, VIEW, PLACES)
    assert upper.points[:, 1].min(initial=2.0) >= 2.0
    lower = places_of(row_of(away=0.28), ALONE, VIEW, PLACES)
    assert lower.points[:, 1].max(initial=118.0) <= 118.0
    assert 0 < lower.hidden < 1


def test_another_box_in_front_hides_places():
    front = row_of(-0.05, 0.55, 0.1)
    found = places_of(row_of(), Surroundings((front,)), VIEW, PLACES)
    alone = places_of(row_of(), ALONE, VIEW, PLACES)
    assert 0.1 < found.hidden < 0.9
    assert len(found.points) < len(alone.points)
    # What stands behind hides nothing, nor what is far off in the picture.
    assert places_of(row_of(), Surroundings((row_of(0.0, 1.1),)), VIEW, PLACES).hidden == 0.0
    assert places_of(row_of(), Surroundings((row_of(0.5, 0.6),)), VIEW, PLACES).hidden == 0.0
    # Places on a box itself are no nearer by 4 mm; they were hidden if that were asked for no more.
    exact = replace(PLACES, beside_px=0.0)
    assert places_of(row_of(), Surroundings((row_of(),)), VIEW, exact).hidden == 0.0
    assert places_of(row_of(), Surroundings((row_of(),)), VIEW, replace(exact, behind_m=-0.01)).hidden > 0.2


def test_places_beside_a_box_in_front_are_hidden_too():
    front = row_of(-0.05, 0.55, 0.1)
    counts = [
        len(places_of(row_of(), Surroundings((front,)), VIEW, replace(PLACES, beside_px=beside)).points)
        for beside in (0.0, 1.5, 6.0)
    ]
    assert counts[0] >= counts[1] > counts[2]
    assert len(places_of(row_of(), Surroundings((front,)), VIEW, PLACES).points) == counts[1]


def test_an_edge_need_not_be_seen_where_a_box_in_front_hides_what_is_beside_it():
    """Its colours are told by what lies 2 to 4 pixels off, and between the edge and that box there is less."""
    front = row_of(-0.05, 0.55, 0.1)
    around = Surroundings((front,))
    places = places_of(row_of(), around, VIEW, PLACES)
    assert 0 < places.covered.sum() < len(places.points) / 2
    assert not places_of(row_of(), ALONE, VIEW, PLACES).covered.any()
    # Another paint lies there: nothing of an edge is found at these places.
    linear, shares = drawn(row_of(), front)
    here = fitted(row_of(), around, shown=(linear, shares[0]))
    strict = replace(CONFIG, places=replace(PLACES, told_px=0.0))
    counted = fitted(row_of(), around, config=strict, shown=(linear, shares[0]))
    assert here.support > counted.support


def test_beside_a_box_of_the_same_paint_an_edge_is_no_outer_one():
    behind = row_of(0.02, 0.9, 0.4)
    alone = places_of(row_of(), ALONE, VIEW, PLACES)
    found = places_of(row_of(), Surroundings((behind,), (behind,)), VIEW, PLACES)
    assert found.points.tolist() == alone.points.tolist()
    assert 0 < found.outer.sum() < alone.outer.sum()
    assert found.hidden == 0.0
    counts = [
        places_of(row_of(), Surroundings((behind,), (behind,)), VIEW, replace(PLACES, twin_px=aside)).outer.sum()
        for aside in (0.0, 3.0)
    ]
    assert counts[1] == found.outer.sum()


@pytest.mark.parametrize("off", [(0.01, -0.01, 0.05), (-0.012, 0.008, -0.06)])
def test_a_row_is_moved_to_the_edges(off):
    start = row_of()
    start[:3] += off
    found = fitted(start)
    assert found.row[:2] == pytest.approx(row_of()[:2], abs=0.0006)
    assert found.row[2] == pytest.approx(0.7, abs=0.006)
    assert found.row[3:].tolist() == start[3:].tolist()
    assert found.support > 0.97
    assert found.spread < 0.25
    assert found.hidden == 0.0
    # Faces of 0.8 and 0.4 differ by half of the brighter; the third has 0.6.
    assert found.relief == pytest.approx(0.5, abs=0.08)


def test_sizes_are_measured_too():
    start = row_of()
    start[3:6] += 0.05, -0.05, 0.05
    found = fitted(start, free=(0, 1, 2, 3, 4, 5), windows=(6.0, 5.0, 4.0, 3.0, 3.0))
    assert found.row[3:6] == pytest.approx(row_of()[3:6], abs=0.02)


def test_one_step_for_each_window_of_at_most_a_tenth():
    start = row_of()
    start[:3] += 0.01, -0.01, 0.05
    assert fitted(start, windows=()).row.tolist() == start.tolist()
    small = fitted(start, windows=(6.0,), config=replace(CONFIG, most_step=0.002)).row
    assert np.abs(small - start).max() == pytest.approx(0.002)
    two = fitted(start, windows=(6.0, 6.0), config=replace(CONFIG, most_step=0.002)).row
    assert np.abs(two - start).max() == pytest.approx(0.004)


def test_an_edge_counts_within_12_tenths_of_a_pixel():
    """Moved to the side by 1 mm, that is 0.2 pixels, most edges are; by 1 cm those along the way alone."""
    near, far = (fitted(row_of(right=off), windows=()) for off in (0.003, 0.012))
    assert near.support > 0.95
    assert far.support < 0.75
    assert near.spread > 0.1
    wide = fitted(row_of(right=0.012), windows=(), config=replace(CONFIG, good_px=3.0))
    assert wide.support > far.support


def test_where_nothing_is_drawn_nothing_supports_a_box():
    linear = np.full((120, 160, 3), 0.2, np.float32)
    found = fitted(row_of(), shown=(linear, np.zeros((120, 160), np.float32)))
    assert (found.support, found.spread) == (0.0, 1.2)
    assert found.row.tolist() == row_of().tolist()
    assert found.relief == 0.0
    gone = fitted(row_of(right=5.0))
    assert (gone.support, gone.hidden, gone.relief) == (0.0, 1.0, 1.0)


def test_an_edge_needs_contrast():
    """A box that is 0.02 lighter than the table in one channel has enough, with 0.01 it has not."""
    _, share = picture()
    for contrast, supported in ((0.02, True), (0.012, False)):
        linear = np.full((120, 160, 3), 0.2, np.float32)
        linear[..., 0] += contrast * share
        assert (fitted(row_of(), shown=(linear, share)).support > 0.9) == supported


def test_outer_edges_have_the_paint_inside_alone():
    linear, share = picture()
    everywhere = fitted(row_of(), shown=(linear, np.ones_like(share)))
    nowhere = fitted(row_of(), shown=(linear, np.zeros_like(share)))
    assert everywhere.support < 0.6
    assert nowhere.support == 0.0


def test_a_flat_patch_has_no_relief():
    _, share = picture()
    linear = (0.2 + share[..., None] * np.array([0.6, -0.1, -0.1])).astype(np.float32)
    found = fitted(row_of(), shown=(linear, share))
    assert found.relief < 0.01
    dark = fitted(row_of(), shown=(np.zeros((120, 160, 3), np.float32), share))
    assert dark.relief == 0.0


def test_few_places_move_nothing():
    """Three numbers need at least six places with an edge: of edges of 27 pixels there are too few here."""
    start = row_of(right=0.01)
    for corner, moves in ((3.0, True), (9.0, False)):
        sparse = replace(CONFIG, places=replace(PLACES, spacing_px=1000.0, corner_px=corner))
        assert (len(places_of(start, ALONE, VIEW, sparse.places).points) >= 6) == moves
        assert (fitted(start, config=sparse, windows=(6.0,)).row.tolist() != start.tolist()) == moves


def test_outliers_weigh_less():
    """A dark bar across one edge pulls less than without the weights of Huber."""
    linear, share = (one.copy() for one in picture())
    pixels = pixels_of(row_of())
    left = int(pixels[:, 0].min())
    linear[50:70, left + 3 : left + 6] = 0.2
    share[50:70, left + 3 : left + 6] = 0.0
    off = [
        abs(
            fitted(row_of(), shown=(linear, share), config=replace(CONFIG, outlier_px=limit, outlier_share=share_)).row[
                0
            ]
        )
        for limit, share_ in ((0.7, 1.5), (99.0, 1.5))
    ]
    assert off[0] <= off[1]
    assert math.isfinite(off[1])


def test_faces_of_another_height_are_uneven():
    """What is left over of the variance: a tenth at smeared edges of a box's own faces, all of a flat patch."""
    linear, share = picture()
    assert unevenness(row_of(), share > 0.5, linear, VIEW) < 0.12
    low, tall = row_of(), row_of()
    low[4] += math.log(0.6)
    tall[4] += math.log(1.5)
    assert min(unevenness(one, share > 0.5, linear, VIEW) for one in (low, tall)) > 0.2
    # Noise on a flat patch is in no face's favour, and of what is not even thin nothing is known.
    noise = np.random.default_rng(0).normal(0.5, 0.1, linear.shape).astype(np.float32)
    assert unevenness(row_of(), share > 0.5, noise, VIEW) == pytest.approx(1.0, abs=0.02)
    assert unevenness(row_of(), np.zeros_like(share > 0.5), linear, VIEW) == 1.0
