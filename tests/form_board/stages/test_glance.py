"""When a glance says that nothing is drawn on a page: a page of 400 x 300 with a silhouette, two pieces and a label."""

from __future__ import annotations

from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from detectors.common.residual.mixing import seen
from detectors.form_board.page import leftover
from detectors.form_board.page.config import LeftOverConfig
from detectors.form_board.page.frame import frame_glance
from detectors.form_board.page.glance import _levels, is_bare

CONFIG = LeftOverConfig()
PAPER, PIECE = (240, 240, 240), (40, 90, 200)
LABEL = slice(20, 40), slice(20, 60)


def box(left, top, wide, high):
    return np.array([(left, top), (left + wide, top), (left + wide, top + high), (left, top + high)], float)


PIECES = {"A": box(280, 40, 80, 60), "B": box(280, 180, 80, 60)}


def frame():
    printed = np.zeros((300, 400), bool)
    printed[LABEL] = True
    return frame_glance(box(60, 90, 120, 120), PIECES, printed, 10.0, 2.0, 2)


def page(*shown):
    """The page with some of the pieces where they are given."""
    picture = np.full((300, 400, 3), PAPER, np.uint8)
    picture[LABEL] = (0, 0, 0)
    picture[90:210, 60:180] = PIECE
    for label in shown:
        left, top = PIECES[label].min(axis=0).astype(int)
        picture[top : top + 60, left : left + 80] = PIECE
    return picture


def bare(picture, covered=None):
    small = cv2.resize(picture, (200, 150), interpolation=cv2.INTER_AREA)
    return is_bare(small, np.ones((150, 200), bool) if covered is None else covered, frame(), 4.0, CONFIG)


@pytest.mark.parametrize("shown", [(), ("A",), ("A", "B")])
def test_pieces_are_gone_or_whole(shown):
    assert bare(page(*shown))


@pytest.mark.parametrize("change", [(slice(40, 100), slice(280, 320)), (slice(60, 80), slice(300, 330))])
def test_a_part_of_one_is_looked_at(change):
    picture = page("A", "B")
    picture[change] = PAPER
    assert not bare(picture)


def test_a_pale_one_is_looked_at():
    """Paper of 240 has a lightness of 0.95, one of 228 one of 0.91: not enough to count, too much to be nothing."""
    picture = page("B")
    picture[40:100, 280:360] = 228
    assert not bare(picture)


# A line of a pixel that differs by 60 levels, half of which are left at half the size.
@pytest.mark.parametrize(("wide", "levels", "seen"), [(1, 60, True), (2, 20, True), (1, 6, False), (20, 3, False)])
def test_lines_are_looked_at_by_their_contrast(wide, levels, seen):
    picture = page("A")
    picture[260 : 260 + wide, 100:200] = 240 - levels
    assert bare(picture) is not seen


def test_what_is_not_told():
    """Beside the silhouette's line, where labels are, and where the candidate shows nothing."""
    picture = page()
    picture[90:210, 56:184] = 0
    picture[44:50, 20:60] = 0
    picture[:, 380:] = 0
    covered = np.ones((150, 200), bool)
    assert not bare(picture, covered)
    covered[:, 189:] = False
    assert bare(picture, covered)


@pytest.mark.parametrize("paper", [(0, 0, 0), (240, 240, 230), (30, 40, 90)])
def test_levels_keep_below_a_contrast_whatever_their_hue(paper):
    levels = _levels(np.array(paper, float), 0.06)
    by = np.random.default_rng(0).integers(-levels, levels + 1, (4000, 3))
    near = np.clip(np.array(paper) + by, 0, 255).astype(np.uint8)
    assert np.linalg.norm(seen(near) - seen(np.array(paper, np.uint8)), axis=1).max() <= 0.06


def test_all_levels_may_be_below_it():
    assert _levels(np.array([240.0, 240.0, 240.0]), 9.0) == 255


def test_a_glance_leaves_out_a_silhouettes_line_and_what_blur_makes_of_it(monkeypatch):
    """Half of a line of 4 pixels and of 0.012 of a side of 200, at a reduction of 2, and one and a half pixels more."""
    reaches = []
    monkeypatch.setattr(leftover, "is_bare", lambda *given: reaches.append(given[3]) or True)
    zoom = SimpleNamespace(halved=np.zeros((30, 40, 3), np.uint8), covered=lambda size: size)
    scene = SimpleNamespace(line=4.0, side=200.0, factor=2, glance=None)
    assert leftover._is_bare(zoom, scene, CONFIG)
    assert reaches == [pytest.approx((4.0 + 0.012 * 200) / 4 + 1.5)]
