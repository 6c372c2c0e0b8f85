"""Single pixels all over a picture are taken off, and nothing else is."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from detectors.common.specks import SpecksConfig, without_specks

CONFIG = SpecksConfig()


def drawn() -> np.ndarray:
    """Black arcs and a thin blue line on white, with soft edges."""
    picture = np.full((240, 260, 3), 255, np.uint8)
    for radius in (40, 70, 100):
        cv2.ellipse(picture, (130, 120), (radius, radius), 0, 20, 320, (0, 0, 0), 3, cv2.LINE_AA)
    cv2.line(picture, (20, 20), (240, 200), (30, 60, 230), 1, cv2.LINE_AA)
    return picture


def test_a_picture_without_specks_is_itself() -> None:
    picture = drawn()
    assert without_specks(picture, CONFIG) is picture


@pytest.mark.parametrize("share", [0.0015, 0.003])
def test_specks_all_over_are_taken_off_and_what_is_drawn_stays(share: float) -> None:
    picture, specked = drawn(), drawn()
    dice = np.random.default_rng(3).random(picture.shape[:2])
    specked[dice < 0.5 * share], specked[dice > 1.0 - 0.5 * share] = 0, 255
    off = np.abs(without_specks(specked, CONFIG).astype(int) - picture).max(axis=2) > 100
    before = np.abs(specked.astype(int) - picture).max(axis=2) > 100
    # What lies on lines or within two pixels of them is not told from them: about a fifth of the picture.
    assert np.count_nonzero(off) < 0.25 * np.count_nonzero(before)


def test_a_few_specks_in_one_place_are_marks() -> None:
    picture = drawn()
    for x in range(30, 60, 5):
        picture[220, x] = 0
    assert without_specks(picture, CONFIG) is picture


def test_walls_of_less_than_a_pixel_are_no_specks() -> None:
    """Rings and spokes of 4 in 1610 at 358 are of 0.9 of a pixel, in turn darker and paler, all over a picture."""
    large, middle = np.full((1610, 1610, 3), 255, np.uint8), 805
    for radius in range(60, middle - 10, 60):
        cv2.circle(large, (middle, middle), radius, (0, 0, 0), 4, cv2.LINE_AA)
    for turn in np.arange(0.0, 6.2, 0.2):
        way = np.array([np.cos(turn), np.sin(turn)])
        ends = (tuple((middle + reach * way).astype(int).tolist()) for reach in (100, 785))
        cv2.line(large, *ends, (0, 0, 0), 4, cv2.LINE_AA)
    picture = np.asarray(cv2.resize(large, (358, 358), interpolation=cv2.INTER_AREA), np.uint8)
    assert without_specks(picture, CONFIG) is picture


def test_dots_are_no_specks_and_keep_their_middles() -> None:
    """3 x 3 pixels, 20 apart: nothing lies two pixels around the middle one, but eight like it lie beside it."""
    picture = np.full((240, 260, 3), 255, np.uint8)
    for row in range(10, 230, 20):
        for column in range(10, 250, 20):
            picture[row : row + 3, column : column + 3] = 0
    assert without_specks(picture, CONFIG) is picture


def test_specks_two_pixels_from_each_other_hide_each_other_not() -> None:
    """Pairs at (0, 2), (2, 1) and (2, 2), of which each lies in the other's ring, all over a plain picture."""
    picture = np.full((240, 260, 3), 255, np.uint8)
    specked = picture.copy()
    steps = ((0, 2), (2, 1), (2, 2))
    for row in range(10, 230, 20):
        for column in range(10, 250, 20):
            down, right = steps[(row + column) // 20 % 3]
            specked[row, column] = specked[row + down, column + right] = 0
            specked[row, column + 10] = 0
    assert np.array_equal(without_specks(specked, CONFIG), picture)


def test_specks_beside_edges_are_told_by_their_colours() -> None:
    """Grey bars of 6 on paler floor: 60 is less beyond the ring around it, which has both, than these are apart."""
    picture = np.full((240, 260, 3), 200, np.uint8)
    for column in range(20, 250, 30):
        picture[:, column : column + 6] = 60
    specked = picture.copy()
    for row in range(6, 236, 12):
        specked[row, 21:250:30], specked[row + 4, 24:250:30] = 255, 0  # in bars, one pixel from their edges
        specked[row, 35:250:30], specked[row + 4, 10:250:30] = 0, 255  # on the floor, where they are plain
    assert np.array_equal(without_specks(specked, CONFIG), picture)


def test_thin_lines_that_are_black_here_and_there_are_no_specks() -> None:
    """A slant line of a pixel, soft at its edges, is as black as specks where it meets the grid of pixels."""
    picture = np.full((240, 260, 3), 255, np.uint8)
    for top in range(10, 200, 24):
        cv2.line(picture, (5, top), (254, top + 17), (0, 0, 0), 1, cv2.LINE_AA)
    specked = picture.copy()
    apart = cv2.erode(picture.min(axis=2), np.ones((9, 9), np.uint8)) == 255
    dice = np.random.default_rng(5).random(picture.shape[:2])
    specked[apart & (dice < 0.004)] = 0
    assert np.array_equal(without_specks(specked, CONFIG), picture)
