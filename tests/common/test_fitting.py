"""A picture is brought to the size of another; a note says so, and whether its shape was another one."""

from __future__ import annotations

import numpy as np
import pytest

from grader.tasks.common.fitting import FittingSettings, fit
from grader.tasks.common.progress import count

PICTURE = np.random.default_rng(1).integers(0, 256, (40, 60, 3), dtype=np.uint8)


def test_a_picture_of_the_size_is_returned_itself():
    fitted, notes = fit(PICTURE, (60, 40), FittingSettings())
    assert fitted is PICTURE
    assert notes == ()


def test_another_size_is_resized_and_noted():
    fitted, notes = fit(PICTURE, (30, 20), FittingSettings())
    # Halved by areas: the mean of four pixels.
    assert fitted[0, 0] == pytest.approx(PICTURE[:2, :2].reshape(4, 3).mean(axis=0), abs=0.51)
    assert fitted.shape == (20, 30, 3)
    assert [note.code for note in notes] == ["RESIZED"]
    assert "60x40" in notes[0].message
    assert "30x20" in notes[0].message
    larger, _ = fit(PICTURE, (120, 80), FittingSettings())
    assert larger.shape == (80, 120, 3)
    assert larger.dtype == np.uint8


@pytest.mark.parametrize(
    ("size", "stretched"), [((102, 100), False), ((205, 200), True), ((100, 102), False), ((200, 205), True)]
)
def test_another_shape_is_noted(size, stretched):
    """From a square: log(102 / 100) is 0.0198, log(205 / 200) 0.0247, and 0.02 is the bound, to both sides."""
    square = PICTURE[:40, :40]
    _, notes = fit(square, size, FittingSettings())
    assert [note.code for note in notes] == ["RESIZED", *["STRETCHED"] * stretched]
    _, notes = fit(square, size, FittingSettings(same_shape=1.0))
    assert [note.code for note in notes] == ["RESIZED"]


def test_a_stretch_is_told_by_its_factor():
    """Twice as wide, as high as before."""
    _, notes = fit(PICTURE, (120, 40), FittingSettings())
    assert "by 2 against down" in notes[1].message


def test_numbers_with_nouns():
    assert (count(1, "cell"), count(0, "cell"), count(3, "cell")) == ("1 cell", "0 cells", "3 cells")
