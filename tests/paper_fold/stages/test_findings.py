"""What a first and a second look at a sheet add up to, in the puzzle's pixels; and what lines mix into the paper."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from detectors.paper_fold.closer import looking
from detectors.paper_fold.closer.config import CloserConfig
from detectors.paper_fold.closer.looking import look_closer
from detectors.paper_fold.config import SheetConfig
from detectors.paper_fold.finding import LeftOnSheet, SheetFindings, find_sheet
from detectors.paper_fold.holes import Blot, BlotKind, Disc
from detectors.paper_fold.residual import find_residual
from detectors.paper_fold.sheet import read_sheet
from grader.media.pyramid import reduce_picture
from tests.paper_fold.stages.test_stages import INK, PAPER, bare, drawn

CONFIG = CloserConfig()


def looked(monkeypatch, *, misshapen=(), left=True):
    """A second look at a sheet whose frame is half as large as its picture; what it was given, and what it says."""
    asked = {}
    sheet = SimpleNamespace(
        factor=2, size=(200, 160), radius=5.0, inside=np.ones((80, 100), bool),
        edge_distance=np.full((80, 100), 20.0, np.float32), along_creases=np.zeros((80, 100), bool),
    )  # fmt: skip
    sheet.edge_distance[:, :10] = 3.0
    sheet.along_creases[40] = True

    def creases(view, scale, strips, radius, discs, config):
        asked.update(scale=scale, radius=radius)
        return (Blot(BlotKind.MARK, (7.0, 8.0, 9.0, 10.0), 11.0),)

    def rough(texture, paper, radius, block_px, config):
        asked.update(paper=paper, rough_radius=radius, block=block_px)
        return (Blot(BlotKind.MARK, (1.0, 2.0, 3.0, 4.0), 5.0),)

    monkeypatch.setattr(looking, "measure_holes", lambda *_: {})
    monkeypatch.setattr(looking, "find_misshapen", lambda *_: list(misshapen))
    monkeypatch.setattr(looking, "find_on_creases", creases)
    monkeypatch.setattr(looking, "find_ghosts", lambda *_: (Blot(BlotKind.MARK, (1.0, 1.0, 2.0, 2.0), 3.0),))
    monkeypatch.setattr(looking, "find_rough", rough)
    discs = (Disc((60.0, 80.0), 10.0, 0.5, True, False), Disc((140.0, 80.0), 10.0, 0.5, True, False))
    values = LeftOnSheet(np.zeros((4, 4, 3), np.float32), np.ones((4, 4), bool), (20, 10)) if left else None
    found = SheetFindings(discs, (), 0.0, False, 1.0, left=values)
    texture = (np.zeros((80, 100), np.uint8),) * 2
    view = np.zeros((80, 100, 3), np.uint8)
    return asked, look_closer(view, texture, 4.0, found, sheet, None, CONFIG)


def test_what_a_second_look_finds_is_in_the_puzzles_pixels(monkeypatch):
    """Twice as large as in the frame, and four times in area; ghosts lie where what was left begins."""
    asked, found = looked(monkeypatch)
    assert (asked["scale"], asked["radius"], asked["rough_radius"], asked["block"]) == (0.5, 5.0, 5.0, 4.0)
    assert [(one.box, one.area) for one in found.blots] == [
        ((7.0, 8.0, 9.0, 10.0), 11.0),
        ((42.0, 22.0, 4.0, 4.0), 12.0),
        ((2.0, 4.0, 6.0, 8.0), 20.0),
    ]
    assert len(found.discs) == 2
    assert len(looked(monkeypatch, left=False)[1].blots) == 2


def test_a_hole_that_is_none_is_a_mark(monkeypatch):
    _, found = looked(monkeypatch, misshapen=(1,))
    assert [one.center for one in found.discs] == [(60.0, 80.0)]
    mark = found.blots[0]
    assert (mark.kind, mark.box, mark.area) == (BlotKind.MARK, (130.0, 70.0, 20.0, 20.0), pytest.approx(100 * np.pi))


def test_texture_is_told_of_paper_alone(monkeypatch):
    """Off edges by what compression leaves, 4 pixels, off creases, and 1.3 radii and as much off holes: 10.5."""
    paper = looked(monkeypatch)[0]["paper"]
    assert not paper[:, :10].any()
    assert not paper[40].any()
    assert np.flatnonzero(~paper[41]).tolist() == [*range(10), *range(20, 41), *range(60, 81)]
    assert np.flatnonzero(~paper[:, 30]).tolist() == list(range(29, 52))


def test_marks_that_lie_apart_are_told_each():
    """By tiles of three radii, those that adjoin together."""
    view = drawn()
    view[60:64, 60:64] = INK
    view[150:154, 150:154] = INK
    found = find_sheet(view, None, bare())
    assert len(found.blots) >= 2
    boxes = [one.box for one in found.blots]
    for place in (62, 152):
        assert any(x <= place <= x + wide and y <= place <= y + high for x, y, wide, high in boxes)
    assert found.left is not None
    assert found.left.corner[0] % 2 == 0
    assert find_sheet(drawn(), None, bare()).left is None


def test_findings_are_in_the_puzzles_pixels():
    """A disc of 24 pixels, where holes have 20, in a frame of a third of it."""
    picture = np.repeat(np.repeat(drawn(), 3, axis=0), 3, axis=1)
    rows, columns = np.mgrid[:720, :720]
    outline = [(120.0, 120.0), (600.0, 120.0), (600.0, 600.0), (120.0, 600.0)]
    sheet = read_sheet(picture, outline, 20.0, [], SheetConfig())
    picture[np.hypot(rows - 300, columns - 360) <= 24] = INK
    (disc,) = find_sheet(reduce_picture(picture, sheet.factor), None, sheet).discs
    assert sheet.factor == 3
    assert disc.center == pytest.approx((360.5, 300.5), abs=0.6)
    assert disc.radius == pytest.approx(24.0, abs=1.2)


@pytest.mark.parametrize("by", [-1, 1])
def test_a_line_that_lies_a_pixel_aside_is_no_mark(by):
    """It mixes with the paper, and with what lies beyond it."""
    found = find_residual(np.roll(drawn(2), by, axis=1), None, bare(drawn(2)))
    assert found.contrast[60:180, 60:180].max() < 0.01
    assert found.contrast[100:140, 38:46].max() < 0.1
    assert np.abs(np.array(PAPER) - np.array(INK)).max() > 150
