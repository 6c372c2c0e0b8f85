"""Pictures reduced by 2, 3, 4, 6, ..."""

from __future__ import annotations

import numpy as np
import pytest

from grader.media.pyramid import Pyramid, factor_for, reduce_picture


@pytest.mark.parametrize("factor", [1, 2, 3, 4, 6, 12])
def test_sides_are_rounded_up(factor: int):
    picture = np.zeros((100, 103, 3), np.uint8)
    height, width = reduce_picture(picture, factor).shape[:2]
    assert (height, width) == (-(-100 // factor), -(-103 // factor))


def test_by_three_a_pixel_has_what_its_nine_have():
    picture = np.repeat(np.repeat(np.arange(0, 240, 20, dtype=np.uint8)[None], 3, axis=0), 3, axis=1)
    # Of halves k, k + 10, k + 20 it takes 3/4 of the outer and 1/4 of the middle one: 2.5 of 20 is the neighbour's.
    assert Pyramid(picture).reduced(3)[0].tolist() == pytest.approx(np.arange(0, 240, 20).tolist(), abs=3)


def test_by_three_places_stay():
    picture = np.zeros((90, 90), np.uint8)
    picture[30:60, 45:] = 240
    small = reduce_picture(picture, 3)
    rows, columns = np.nonzero(small > 120)
    # 30 to 60 over 3, and 45 to 90 over 3.
    assert (rows.min(), rows.max(), columns.min(), columns.max()) == (10, 19, 15, 29)


@pytest.mark.parametrize(("length", "factor"), [(5.0, 1), (12.0, 2), (17.9, 2), (18.0, 3), (24.0, 4), (36.0, 6)])
def test_the_largest_factor_that_leaves_enough(length: float, factor: int):
    # 12 / 2, 18 / 3, 24 / 4 and 36 / 6 are 6; 17.9 / 3 is less.
    assert factor_for(length, 6.0) == factor
