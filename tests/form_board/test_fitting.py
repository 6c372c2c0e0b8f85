"""What an area of one colour is: a piece as it was given, moved to fractions of a pixel, or changed."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from detectors.form_board import fitting
from detectors.form_board.config import FitConfig
from detectors.form_board.fitting import Area, ShapeChange, fit_outline, recognise
from detectors.form_board.shapes import PieceShape, filled

CONFIG = FitConfig()
SIDE = 200.0
CORNERS = np.array([(0, 0), (60, 0), (60, 40), (25, 40), (25, 80), (0, 80)], float)
"""An L of 60 x 80."""
OTHER = np.array([(0, 0), (80, 0), (40, 50)], float)
PIECES = {"L": PieceShape(CORNERS), "T": PieceShape(OTHER)}


def area(corners, extra=None):
    """What is filled by corners, in a picture of 200 x 200, with a box added."""
    mask = filled(np.asarray(corners, float), (200, 200))
    if extra is not None:
        left, top, right, bottom = extra
        mask[top:bottom, left:right] = True
    return Area(mask, CONFIG)


def known(corners, closely=True, pieces=PIECES, **extra):
    return recognise(area(corners, **extra), pieces, SIDE, CONFIG, closely=closely)


@pytest.mark.parametrize("off", [(50.0, 40.0), (50.4, 40.7), (97.5, 20.25)])
def test_a_piece_is_found_where_it_lies_to_half_a_pixel(off):
    found = known(CORNERS + off)
    assert (found.label, found.change) == ("L", ShapeChange.AS_GIVEN)
    assert found.fit.moved == pytest.approx(off, abs=0.5)
    assert found.fit.deviation < 1.0
    assert found.fit.misfit < 0.05


def test_what_sticks_out_at_one_side_does_not_pull_a_piece_aside():
    """A tail of 8 x 2 pixels makes the box 8 pixels longer on one side; the rest of the outline tells."""
    plain = fit_outline(area(CORNERS + 50), PIECES["L"], SIDE, CONFIG)
    tailed = fit_outline(area(CORNERS + 50, extra=(110, 58, 118, 60)), PIECES["L"], SIDE, CONFIG)
    assert plain.moved == pytest.approx((50.0, 50.0), abs=0.5)
    assert tailed.moved == pytest.approx((50.0, 50.0), abs=0.7)
    # The tail's end is 8 pixels away from the piece, most of the outline is not.
    assert tailed.farthest == pytest.approx(8.0, abs=1.0)
    assert tailed.deviation < 1.5


@pytest.mark.parametrize("short", [2, 5])
def test_of_a_slim_piece_with_seams_both_ends_tell_where_it_lies(short):
    """A strip of 12 x 140 that lacks as much at either end: what lies nearest of its outline may be one end alone."""
    strip = np.array([(0, 0), (12, 0), (12, 140), (0, 140)], float)
    seen = strip + (80, 30) + [(0, short), (0, short), (0, -short), (0, -short)]
    found = fit_outline(area(seen), PieceShape(strip), SIDE, CONFIG)
    assert found.moved == pytest.approx((80, 30), abs=0.6)


def test_another_piece_is_that():
    assert (known(OTHER + 60).label, known(OTHER + 60).change) == ("T", ShapeChange.AS_GIVEN)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda one: one @ np.array([[0.0, 1.0], [-1.0, 0.0]]), ShapeChange.TURNED),
        (lambda one: one * (-1, 1), ShapeChange.MIRRORED),
        (lambda one: one * 1.3, ShapeChange.SCALED),
        (lambda one: one * 0.7, ShapeChange.SCALED),
        (lambda one: one * (1.3, 1.0), ShapeChange.SCALED),
        (lambda one: np.array([(0, 0), (60, 0), (60, 40), (25, 40), (25, 62), (0, 80)], float), ShapeChange.ALTERED),
    ],
    ids=["turned", "mirrored", "larger", "smaller", "wider", "cut"],
)
def test_what_became_of_a_piece_is_told(change, told):
    corners = change(CORNERS)
    found = known(corners - corners.min(axis=0) + 40, pieces={"L": PIECES["L"]})
    assert (found.label, found.change) == ("L", told)


def test_sizes_that_differ_by_little_are_one():
    near = 1 + 0.8 * CONFIG.same_scale
    assert known(CORNERS * near + 40, pieces={"L": PIECES["L"]}).change is ShapeChange.AS_GIVEN


def test_a_closer_look_is_asked_for_where_a_piece_may_be_changed():
    """In clips most frames are looked at quickly: what is no piece as it was given is not told by kind."""
    corners = CORNERS * (-1, 1)
    quick = known(corners - corners.min(axis=0) + 40, closely=False)
    assert quick.change is not ShapeChange.AS_GIVEN
    assert known(CORNERS + 40, closely=False).change is ShapeChange.AS_GIVEN


def test_distances_and_misfit_of_an_area_are_those_of_its_pixels():
    mask = np.zeros((200, 200), bool)
    mask[50:70, 50:80] = True
    found = Area(mask, CONFIG)
    assert found.size == 600
    assert found.box == (50.0, 50.0, 80.0, 70.0)
    assert (found.middle == (65.0, 60.0)).all()
    assert found.centroid == pytest.approx((65.0, 60.0))
    # The middle of a pixel at the rim is on the outline; five pixels within it is five away, to OpenCV's precision.
    assert found.distances(np.array([(50.5, 60.5), (55.5, 60.5)])) == pytest.approx((0.0, 5.0), abs=0.1)
    box = np.array([(0, 0), (30, 0), (30, 20), (0, 20)], float)
    drawn = area(box + 50)
    assert drawn.misfit(PieceShape(box), np.array([50.0, 50.0])) == 0.0
    # Moved by 3 pixels 2 x 3 columns differ, of 21 rows with both rims, over 600.
    assert drawn.misfit(PieceShape(box), np.array([53.0, 50.0])) == pytest.approx(126 / 600)


def test_a_bound_of_the_fit_is_one_in_shares_of_the_side():
    """At 0.1 of a side no tail of 8 of 200 pixels is far; at 0.001 and a pixel all are."""
    tailed = area(CORNERS + 50, extra=(110, 58, 118, 60))
    wide = replace(CONFIG, farthest=0.1)
    narrow = replace(CONFIG, farthest=0.001)
    assert recognise(tailed, PIECES, SIDE, wide, closely=True).change is ShapeChange.AS_GIVEN
    assert recognise(tailed, PIECES, SIDE, narrow, closely=True).change is not ShapeChange.AS_GIVEN


def test_areas_are_filled_to_the_middles_of_pixels():
    mask = filled(np.array([(10, 10), (20.6, 10), (20.6, 14), (10, 14)], float), (40, 30))
    expected = np.zeros((30, 40), bool)
    # Pixel 20 has its middle at 20.5.
    expected[10:14, 10:21] = True
    assert (mask == expected).mean() > 0.98
    assert cv2.boundingRect(mask.astype(np.uint8))[:2] == (10, 10)


def test_what_does_not_fit_by_its_box_is_laid_by_its_middle(monkeypatch):
    """Of an area with a spur the box tells another place than most of it."""
    starts = []

    def moved(area, shape, start, config):
        starts.append(start)
        return fitting._measured(area, shape, start, config)

    monkeypatch.setattr(fitting, "_moved_onto", moved)
    fit_outline(area(np.add(CORNERS, (50, 60)), (20, 60, 50, 70)), PIECES["L"], SIDE, CONFIG)
    assert starts[0] == pytest.approx([35, 60], abs=1.5)
    # The spur of 300 pixels draws the middle of 3,700 a little to itself.
    assert starts[1] == pytest.approx([47, 58], abs=2)
