"""A board as it is looked for, and what is drawn elsewhere than in its silhouette, at each stage's bounds."""

from __future__ import annotations

import math
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from detectors.common.residual.ground import Ground, GroundConfig
from detectors.form_board import scene as scenes
from detectors.form_board.board import find_beside, find_board, find_moving
from detectors.form_board.config import FormBoardConfig
from detectors.form_board.outlines import PieceOutlineConfig, find_silhouettes
from detectors.form_board.scene import make_scene, shrunk
from detectors.form_board.zoom import _without_specks
from grader.media.pyramid import Pyramid
from tests.form_board.stages.test_stages import box

CONFIG = FormBoardConfig()


# --- the board as it is looked for ---


def board(side=200, line=2, size=(600, 400)):
    """A silhouette with a line, and a red piece beside it."""
    picture = np.full((size[1], size[0], 3), 250, np.uint8)
    picture[50 : 50 + side, 50 : 50 + side] = 30
    picture[50 + line : 50 + side - line, 50 + line : 50 + side - line] = 250
    picture[100:160, 480:560] = (200, 40, 40)
    return make_scene(picture, [tuple(one) for one in box(50, 50, side, side)], {"A": box(480, 100, 80, 60)}, CONFIG)


@pytest.mark.parametrize(("side", "factor"), [(200, 1), (399, 1), (400, 2)])
def test_a_board_is_halved_until_it_is_small(side, factor):
    scene = board(side, size=(900, 500))
    assert (scene.factor, scene.side) == (factor, side)
    # With a tenth of its side around it, and 200 pixels of that.
    left, top, right, _ = scene.zoom.box
    zone = side / 10
    assert (left, top) == (math.floor((50 - zone) / factor), math.floor((50 - zone) / factor))
    assert right == math.ceil((50 + side + zone) / factor)
    assert scene.zoom.side == pytest.approx(200.0)
    assert scene.zoom.size[0] == round((right - left) * 200 * factor / side)


def test_what_of_a_board_is_given_and_what_is_free():
    """What is given may be displaced by 0.05 of the side: 10 pixels."""
    scene = board(line=3)
    rows, columns = np.nonzero(scene.given)
    assert (rows.min(), rows.max(), columns.min(), columns.max()) == (90, 169, 470, 569)
    # Its line of 3 pixels reaches 4 from the last pixels that are within; no line has more than 0.022 of the side.
    assert (scene.line, board(line=6).line) == (4, 5)
    assert (scene.box, scene.drawn_box) == ((50.0, 50.0, 250.0, 250.0), (46.0, 46.0, 254.0, 254.0))
    assert scene.around[150, 55]
    assert not scene.around[150, 52]
    # With its longer side at 240 pixels.
    assert scene.small.shape == (160, 240, 3)
    assert not scene.elsewhere[40:70, 190:220].all()
    assert scene.elsewhere[150, 230]
    assert scene.beside["A"].size == pytest.approx(80 * 60 * 0.4**2)
    frame = scene.zoom
    assert frame.there((0.0, 0.0, 20.0, 40.0)) == pytest.approx((30, 30, 50, 70), abs=0.2)
    assert frame.here(box(50, 50, 200, 200))[0] == pytest.approx((20, 20), abs=0.2)
    assert frame.area == pytest.approx(200 * 200, rel=0.02)
    assert frame.paper.size < frame.size[0] * frame.size[1] - 200 * 200


def test_pictures_are_made_smaller_in_two_ways():
    picture = Pyramid(np.repeat(np.arange(0, 240, dtype=np.uint8)[None, :, None], 60, axis=0).repeat(3, axis=2))
    found = shrunk(picture, (80, 20))
    assert found.shape == (20, 80, 3)
    assert abs(int(found[0, 40, 0]) - 121) <= 1
    # By less than two it is reduced at once: nothing of it is averaged before.
    noise = np.random.default_rng(1).integers(0, 256, (60, 240, 3)).astype(np.uint8)
    assert (shrunk(Pyramid(noise), (160, 40)) == cv2.resize(noise, (160, 40), interpolation=cv2.INTER_AREA)).all()


def test_what_lies_in_a_silhouette_is_told_with_its_share_of_it():
    """A red block of 100 x 50 in a silhouette of 200 x 200: an eighth."""
    picture = np.full((400, 600, 3), 250, np.uint8)
    picture[50:250, 50:250] = 30
    picture[52:248, 52:248] = 250
    scene = board()
    picture[120:170, 100:200] = (200, 40, 40)
    (shape,) = find_board(Pyramid(picture), scene, CONFIG).shapes
    assert shape.size == pytest.approx(1 / 8, rel=0.05)
    assert shape.inside == pytest.approx(1.0, abs=0.02)


def seen_beside(draw, moving=False):
    scene = board()
    small = scene.small.copy()
    draw(small, scene)
    zoom = SimpleNamespace(small=small, is_as_given=False)
    return find_moving(zoom, scene, CONFIG) if moving else find_beside(zoom, scene, CONFIG)


@pytest.mark.parametrize(
    ("size", "off", "number"),
    # 0.02 of a silhouette of 80 x 80 pixels there are 128; a contrast of 0.08.
    [((11, 11), 0.3, 0), ((12, 11), 0.3, 1), ((2, 70), 0.3, 0), ((20, 20), 0.078, 0), ((20, 20), 0.082, 1)],
)
def test_things_drawn_elsewhere(size, off, number):
    def draw(small, scene):
        small[130 : 130 + size[0], 120 : 120 + size[1], 0] -= off

    things, loose = seen_beside(draw)
    assert (len(things), loose) == (number, ())
    for one in things:
        assert one.size == pytest.approx(size[0] * size[1] / 6400)
        assert one.box == pytest.approx((300, 325, 300 + 2.5 * size[1], 325 + 2.5 * size[0]))
    on_the_way = seen_beside(draw, moving=True)
    assert len(on_the_way) == number


@pytest.mark.parametrize(
    ("noise", "off", "number"),
    [(0.05, 0.099, 0), (0.05, 0.101, 1), (0.03, 0.079, 0), (0.03, 0.081, 1)],
)
def test_things_drawn_elsewhere_stand_out_from_noise(monkeypatch, noise, off, number):
    """Twice as far as nine tenths of the paper, and by 0.08."""
    told = []

    def fit(lab, at, config):
        told.append(config)
        return Ground(np.zeros_like(lab), np.zeros(3, np.float32), noise)

    scene = board()  # the puzzle's own picture is looked at there, before
    monkeypatch.setattr(scenes, "fit_ground", fit)
    small = np.zeros_like(scene.small)
    small[130:150, 120:140, 0] = off
    things, _ = find_beside(SimpleNamespace(small=small, is_as_given=False), scene, CONFIG)
    assert len(things) == number
    assert told == [GroundConfig(samples=1000, rounds=3)]


def test_specks_are_taken_out_and_slopes_told_under_a_gaussian():
    """Of seven tenths of a pixel."""
    picture = np.full((20, 20, 3), 250, np.uint8)
    picture[5, 5] = 0
    assert (_without_specks(picture, CONFIG.segments) == 250).all()
    picture[:, 10:] = 0
    found = _without_specks(picture, CONFIG.segments)
    assert (found == cv2.GaussianBlur(cv2.medianBlur(picture, 3), (0, 0), 0.7)).all()
    # Half of a pixel lies within 0.71 deviations: 0.762 of what is there.
    assert 175 < found[10, 9, 0] < 205


# --- the silhouette elsewhere ---


def silhouettes(draw, size=(400, 300)):
    picture = np.full((size[1], size[0], 3), 250, np.uint8)
    draw(picture)
    scene = SimpleNamespace(silhouette=box(0, 0, 100, 100))
    return find_silhouettes(picture, scene, PieceOutlineConfig())


def rectangle(left, top, wide, high, grey=30):
    def draw(picture):
        picture[top : top + high, left : left + wide] = grey

    return draw


@pytest.mark.parametrize(
    ("wide", "high", "number"),
    [(100, 100, 1), (114, 100, 1), (117, 100, 0), (100, 114, 1), (100, 117, 0), (34, 34, 0), (37, 37, 1)],
)
def test_a_silhouette_is_found_by_its_shape(wide, high, number):
    """Stretched by up to 1.15, and of a hundredth of 400 x 300 pixels: 35 x 35, with a pixel less of a contour."""
    found = silhouettes(rectangle(50, 60, wide, high))
    assert len(found) == number
    assert all(one == pytest.approx((50, 60, 50 + wide, 60 + high), abs=1.1) for one in found)


@pytest.mark.parametrize(("grey", "number"), [(221, 0), (214, 1)])
def test_a_silhouette_stands_out_from_its_paper(grey, number):
    """By a contrast of 0.1, which 33 levels of a light grey are."""
    assert len(silhouettes(rectangle(50, 60, 100, 100, grey))) == number


@pytest.mark.parametrize(("notch", "number"), [(25, 1), (28, 0)])
def test_a_silhouette_has_most_of_its_area(notch, number):
    """0.93 of it: a corner of 26 x 26 of 100 x 100 pixels is 0.07."""

    def draw(picture):
        picture[60:160, 50:150] = 30
        picture[60 : 60 + notch, 50 : 50 + notch] = 250

    assert len(silhouettes(draw)) == number


def test_three_of_many_silhouettes_are_tried():
    def draw(picture):
        for at in range(5):
            picture[20:80, 75 * at + 10 : 75 * at + 70] = 30

    assert len(silhouettes(draw)) == 3
    # A picture of more than 640 pixels is halved.
    assert silhouettes(rectangle(100, 120, 201, 201), (800, 600))[0] == pytest.approx((100, 120, 302, 322), abs=2.1)


def test_what_is_printed_is_neither_a_piece_nor_its_line():
    """A piece of 20 x 20 pixels with a line of 2 around it, and a word beside it."""
    drawn = np.zeros((60, 80), bool)
    drawn[8:32, 8:32] = drawn[40:44, 10:40] = True
    printed = scenes._printed(drawn, [box(10, 10, 20, 20)], 2.0)
    assert not printed[8:32, 8:32].any()
    assert printed[40:44, 10:40].all()
    assert scenes._printed(drawn, [], 2.0).sum() == drawn.sum()
