"""Light and shade on pieces and beside boards are no faults; other colours and things with edges are."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from shapely import affinity

import grader
from benchmarks.accuracy.scenes import encoded
from benchmarks.form_board.boards import board, points_of
from benchmarks.form_board.right import casting, lit
from detectors.common.residual.mixing import seen
from detectors.form_board.board import shows_more
from detectors.form_board.config import BoardShadeConfig, FormBoardConfig
from detectors.form_board.explained import _from_shades
from detectors.form_board.scene import make_scene
from detectors.form_board.zoom import lit_surface
from grader.media.pyramid import Pyramid

BOARD = board(2, 40)


def codes(picture):
    """Why a picture is wrong."""
    found = grader.grade(BOARD.task, grader.ImageCandidate(encoded(np.ascontiguousarray(picture))))
    return [one.code for one in found.reasons]


@pytest.mark.parametrize("way", [casting, lit])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_companions_are_no_faults(way, seed):
    assert codes(way(BOARD, np.random.default_rng(seed))) == []


def test_a_page_may_be_shaded_in_a_corner():
    """By up to a third, smoothly, over the last fifth of the diagonal."""
    picture = BOARD.draw(BOARD.solved())
    height, width = picture.shape[:2]
    y, x = np.mgrid[:height, :width]
    corner = np.clip(((x / width + y / height) / 2 - 0.8) / 0.2, 0, 1) ** 2
    assert codes((picture * (1 - 0.33 * corner)[..., None]).astype(np.uint8)) == []


def test_a_grey_block_beside_the_board_is_drawn():
    """As dark as a shadow, and a fifth of the board's side wide, with edges of its own."""
    picture = BOARD.draw(BOARD.solved())
    right = round(max(x for x, _ in BOARD.laid.board.silhouette))
    top = round(min(y for _, y in BOARD.laid.board.silhouette))
    side = round(2 * BOARD.unit)
    cv2.rectangle(picture, (right - side, top - side // 2), (right, top + 2), (190, 190, 190), -1)
    assert codes(picture)


@pytest.mark.parametrize("color", [(255, 214, 102), (190, 40, 60), (20, 130, 190)])
def test_a_piece_that_is_mostly_in_the_shade_is_lighter_elsewhere(color):
    """Light that falls off by a quarter is light, whatever a piece's hue; what fades into another colour is none."""
    lit_by = np.linspace(1.0, 0.75, 100)[None, :, None]
    config, at = BoardShadeConfig(), np.arange(60 * 100)
    even = np.broadcast_to(np.array(color, float), (60, 100, 3))
    assert lit_surface(seen((even * lit_by).astype(np.uint8)), at, config) is not None
    assert lit_surface(seen(even.astype(np.uint8)), at, config) is None
    other = even * lit_by + np.array([0, 0, 90.0]) * (1 - lit_by) * 4
    assert lit_surface(seen(np.clip(other, 0, 255).astype(np.uint8)), at, config) is None


def test_shaded_paper_is_no_part_of_a_piece_that_has_some_hue():
    """Half as light it is at no distance of paper in a shade; a brown as light as that is."""
    paper, brown = seen(np.array([[[240, 238, 230], [176, 152, 132]]], np.uint8))[0]
    assert _from_shades(paper[None] / 2, paper)[0] == pytest.approx(0.0, abs=1e-6)
    assert _from_shades(brown[None], paper)[0] > 0.04


def test_where_the_rest_of_a_puzzle_lies_elsewhere_the_silhouette_alone_tells_nothing():
    """Of a board of one piece, which is drawn a fifth too large: laid by it all others would be too small."""
    one = board(1, 3)
    drawing = one.solved()
    (label,) = drawing.areas
    drawing.areas[label] = points_of(affinity.scale(one.placed(label), 1.2, 1.2))
    found = grader.grade(one.task, grader.ImageCandidate(encoded(np.ascontiguousarray(one.draw(drawing)))))
    assert found.outcome.name == "FAIL"
    config = FormBoardConfig()
    outlines = {piece.label: piece.corners for piece in one.laid.board.pieces}
    scene = make_scene(one.question, one.laid.board.silhouette, outlines, config)
    whole = Pyramid(one.question).reduced(scene.factor)
    assert shows_more(Pyramid(whole), None, scene, config)
    bare = np.zeros_like(whole) + np.array(one.style.ground, np.uint8)
    assert not shows_more(Pyramid(bare), None, scene, config)
