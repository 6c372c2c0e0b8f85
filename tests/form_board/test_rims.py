"""How pieces lie, told along their rims: moved, turned, scaled, bent, beside lines, seams and warps that do no harm."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from detectors.form_board.config import PieceRimConfig
from detectors.form_board.rims import find_askew, find_poses, find_rims
from detectors.form_board.shapes import filled
from detectors.form_board.stretches import stretches_of

CONFIG = PieceRimConfig()
SIDE = 200.0
PLACES = {
    "A": np.array([(30, 30), (130, 30), (110, 130), (30, 130)], float),
    "B": np.array([(130, 30), (230, 30), (230, 130), (110, 130)], float),
    "C": np.array([(30, 130), (110, 130), (90, 230), (30, 230)], float),
    "D": np.array([(110, 130), (230, 130), (230, 230), (90, 230)], float),
}
COLORS = {"A": (200, 60, 60), "B": (60, 160, 60), "C": (60, 60, 200), "D": (220, 170, 40)}


def _drawn(line=0, **changes):
    """The four pieces, each changed about its middle, with lines around them."""
    picture = np.full((260, 260, 3), 250, np.uint8)
    for label, outline in PLACES.items():
        middle = outline.mean(axis=0)
        corners = changes.get(label, lambda one: one)(outline - middle) + middle
        points = np.rint(16 * (corners - 0.5)).astype(np.int32)
        cv2.fillPoly(picture, [points], COLORS[label], cv2.LINE_AA, 4)
        if line:
            cv2.polylines(picture, [points], True, (30, 30, 30), line, cv2.LINE_AA, 4)
    return picture


def _rims(picture):
    inside = np.any([filled(one, (260, 260)) for one in PLACES.values()], axis=0)
    away = sum(cv2.distanceTransform(one.astype(np.uint8), cv2.DIST_L2, 5) for one in (inside, ~inside))
    shown = cv2.GaussianBlur(picture, (0, 0), 0.7)
    colors = {label: np.array(color, np.float32) for label, color in COLORS.items()}
    return find_rims(shown, stretches_of(PLACES, away.astype(np.float32), SIDE, CONFIG), colors, CONFIG)


def _askew(picture, exact=True):
    return find_askew(_rims(picture), SIDE, exact, CONFIG)


def _moved(across, down):
    return lambda one: one + np.array([across, down])


def _turned(degrees):
    angle = np.radians(degrees)
    return lambda one: one @ np.array([(np.cos(angle), np.sin(angle)), (-np.sin(angle), np.cos(angle))])


def _bent(one):
    return np.where(one == one[2], 0.93 * one, one)


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (lambda one: one, 0),
        (lambda one: one, 4),
        (_moved(1.0, -0.8), 0),
        (lambda one: one * 0.99, 2),
        (_turned(0.7), 2),
    ],
)
def test_what_nobody_sees_is_not_askew(change, line):
    assert _askew(_drawn(line, D=change)) == ()


@pytest.mark.parametrize(
    "change", [_moved(3.5, 2.5), lambda one: one * 0.93, lambda one: one * 1.06, _turned(4), _bent]
)
@pytest.mark.parametrize("line", [0, 2])
def test_what_is_seen_is_askew(change, line):
    assert "D" in _askew(_drawn(line, D=change))


def test_a_pose_is_told_in_shares_of_the_silhouettes_side():
    poses = {one.label: one for one in find_poses(_rims(_drawn(2, D=_moved(4.0, 0.0))), SIDE, True, CONFIG)}
    assert poses["D"].moved == pytest.approx(0.02, abs=0.006)
    assert poses["C"].moved < 0.004
    assert poses["D"].turned < 0.004


def test_seams_between_all_pieces_and_a_warp_of_the_picture_are_no_fault_of_one():
    seams = dict.fromkeys(PLACES, lambda one: one * 0.975)
    assert _askew(_drawn(0, **seams)) == ()
    rows, columns = np.mgrid[:260, :260].astype(np.float32)
    bent = 3 * np.sin(columns / 90) * np.cos(rows / 110)
    warped = cv2.remap(_drawn(2), columns + bent, rows - bent, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    assert _askew(warped, exact=False) == ()


def test_a_dark_piece_ends_with_its_dark_line():
    COLORS["A"] = (40, 40, 60)
    try:
        assert _askew(_drawn(4)) == ()
    finally:
        COLORS["A"] = (200, 60, 60)


@pytest.mark.parametrize("dark", ["A", "D"])
def test_a_piece_in_nearly_the_colour_of_the_line_around_the_silhouette_alone_ends_with_it(dark):
    """Pieces lie over the line's inner half: what is seen of it, 2.5 pixels, is no part of the dark piece."""
    picture = np.full((260, 260, 3), 250, np.uint8)
    outline = np.array([(30, 30), (230, 30), (230, 230), (30, 230)])
    cv2.polylines(picture, [outline], True, (60, 60, 60), 5)
    colors = COLORS | {dark: (120, 92, 88)}  # 75 levels from the line, which itself is 329 from the paper
    for label, corners in PLACES.items():
        cv2.fillPoly(picture, [np.rint(16 * (corners - 0.5)).astype(np.int32)], colors[label], cv2.LINE_AA, 4)
    before = COLORS[dark]
    COLORS[dark] = colors[dark]
    try:
        assert _askew(picture) == ()
    finally:
        COLORS[dark] = before


def test_mixtures_of_lines_and_seams_in_a_pieces_colour_are_not_its_end():
    """From the dark line to the light seam the picture passes through greys, such as the one that piece A has."""
    before, COLORS["A"] = COLORS["A"], (140, 140, 140)
    try:
        assert _askew(_drawn(2, **dict.fromkeys(PLACES, lambda one: one * 0.98))) == ()
    finally:
        COLORS["A"] = before


@pytest.mark.parametrize("size", [0.7, 0.8])
@pytest.mark.parametrize("line", [0, 4])
def test_a_piece_that_ends_far_from_its_rim_is_askew(size, line):
    """Its colour is hardly seen within 10 pixels of its rim, or not at all: so no rim of it is told."""
    assert "D" in _askew(_drawn(line, D=lambda one: one * size))


def test_all_pieces_may_end_far_from_their_rims():
    small = dict.fromkeys(PLACES, lambda one: one * 0.7)
    assert set(_askew(_drawn(0, **small))) == set(PLACES)
