"""A picture brought to the size of another one, and what is said of it."""

from __future__ import annotations

import numpy as np
import pytest

from grader.tasks.common.fitting import FittingSettings, fit

SETTINGS = FittingSettings()


def ramp(width: int, height: int) -> np.ndarray:
    """Lighter to the right."""
    row = np.linspace(0, 240, width).astype(np.uint8)
    return np.repeat(np.repeat(row[None, :, None], height, axis=0), 3, axis=2)


def test_a_picture_of_the_same_size_is_left_alone():
    picture = ramp(40, 30)
    fitted, notes = fit(picture, (40, 30), SETTINGS)
    assert fitted is picture
    assert notes == ()


@pytest.mark.parametrize("size", [(40, 30), (160, 120)])
def test_a_picture_of_the_same_shape_is_resized_and_said(size):
    fitted, notes = fit(ramp(80, 60), size, SETTINGS)
    assert (fitted.shape, fitted.dtype) == ((size[1], size[0], 3), np.uint8)
    assert [note.code for note in notes] == ["RESIZED"]
    assert f"it has 80x60 pixels and was resized to {size[0]}x{size[1]}" in notes[0].message
    assert int(np.abs(fitted.astype(int) - ramp(*size)).max()) < 6


def test_a_smaller_picture_is_averaged_and_a_larger_one_interpolated():
    """Columns of 0 and 200 come out as 100; enlarged, a step overshoots as cubic interpolation does."""
    striped = np.zeros((20, 40, 3), np.uint8)
    striped[:, ::2] = 200
    fitted, _ = fit(striped, (20, 10), SETTINGS)
    assert (fitted == 100).all()
    step = np.full((10, 10, 3), 50, np.uint8)
    step[:, 5:] = 200
    larger, _ = fit(step, (40, 40), SETTINGS)
    assert (larger.min(), larger.max()) < (50, 256)
    assert larger.max() > 200
    # As many pixels as before are interpolated too.
    turned, _ = fit(step, (20, 5), SETTINGS)
    assert turned.min() < 50


@pytest.mark.parametrize(("width", "stretched"), [(101, False), (102, False), (103, True), (98, True), (99, False)])
def test_another_shape_is_said_from_a_fiftieth_on(width, stretched):
    """ln(1.02) = 0.0198, ln(1.03) = 0.0296, ln(0.98) = -0.0202."""
    _, notes = fit(ramp(width, 100), (100, 100), SETTINGS)
    assert [note.code for note in notes] == ["RESIZED", "STRETCHED"][: 1 + stretched]


def test_by_how_much_it_was_stretched_is_told():
    """80 x 60 to 40 x 60: half as wide, as high as before."""
    _, notes = fit(ramp(80, 60), (40, 60), SETTINGS)
    assert "stretched across by 0.5 against down" in notes[1].message
    _, notes = fit(ramp(80, 60), (80, 30), SETTINGS)
    assert "stretched across by 2 against down" in notes[1].message
