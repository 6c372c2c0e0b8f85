"""Pixels of a piece in its place: rims, colours, parts, writing."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from detectors.common.residual.mixing import seen
from detectors.form_board.config import ExplainConfig
from detectors.form_board.explained import _in_place, _is_thick, _parts, _reach, _spread, _swapped
from detectors.form_board.shapes import depth_of, filled

EXPLAIN = ExplainConfig()


def box(left, top, wide, high):
    return np.array([(left, top), (left + wide, top), (left + wide, top + high), (left, top + high)], float)


# --- pixels of a piece in its place ---


def in_place(left=20, top=20, wide=40, high=40):
    return _in_place((100, 90), box(left, top, wide, high))


def test_a_piece_in_its_place():
    found = in_place()
    assert found.window == (slice(19, 61), slice(19, 61))
    assert found.size == 41 * 41
    # Of 21 pixels that it is deep, from 11 on: flat positions in a picture that is 100 wide.
    deep = [(20 + y) * 100 + 20 + x for y in range(41) for x in range(41) if min(x, y, 40 - x, 40 - y) + 1 > 10.5]
    assert found.deep.tolist() == deep
    assert found.widened(3.2, (90, 100)) == (slice(14, 66), slice(14, 66))
    assert in_place(-10, 60, 40, 60).window == (slice(59, 90), slice(0, 31))
    picture = np.zeros((90, 100, 3), np.float32)
    picture[25:56, 25:56] = 7.0
    assert found.color(picture).tolist() == [7.0] * 3


@pytest.mark.parametrize(("line", "most", "reach"), [(0, 9.0, 0.0), (3, 9.0, 3.0), (6, 4.0, 4.0), (6, 4.4, 5.0)])
def test_how_far_a_line_reaches_into_a_piece(line, most, reach):
    depth = depth_of(filled(box(10, 10, 40, 40), (60, 60)))
    assert _reach(depth, depth > line + 0.5, most) == reach


def test_half_of_a_ring_is_enough():
    depth = np.repeat(np.arange(1.0, 6.0), 10).reshape(5, 10).astype(np.float32)
    own = np.ones((5, 10), bool)
    own[0, 4:] = own[1, 5:] = False
    assert _reach(depth, own, 9.0) == 1.0


@pytest.mark.parametrize(("noise", "spread_by"), [(0.0, 0.08), (0.03, 0.08), (0.04, 0.1), (0.1, 0.12)])
def test_how_far_colours_of_a_piece_differ(noise, spread_by):
    """By 0.08, or 2.5 times what nine tenths stay below, and by no more than 0.12."""
    assert _spread(np.full((90, 100), noise, np.float32), in_place(), EXPLAIN) == pytest.approx(spread_by)


def test_parts_are_told_by_their_size():
    mask = np.zeros((20, 30), bool)
    mask[2:5, 3:7] = mask[10, 10:13] = True
    ((whole, at),) = _parts(mask, 4.0, (slice(40, 60), slice(50, 80)), (90, 100))
    assert at == (53.0, 42.0, 57.0, 45.0)
    assert whole.sum() == 12
    assert whole[42, 53]
    assert len(_parts(mask, 3.0, (slice(40, 60), slice(50, 80)), (90, 100))) == 2
    assert _parts(mask, 16.0, (slice(40, 60), slice(50, 80)), (90, 100)) == []


def is_thick(wide, soft=0.7, side=200.0):
    near = np.zeros((60, 60, 3), np.float32)
    near[:, 10 : 10 + wide, 0] = 0.5
    mask = np.ones((60, 60), bool)
    zoom = SimpleNamespace(closer=lambda *_: (near, mask, side), frame=SimpleNamespace(side=200.0))
    return _is_thick(zoom, (0.0, 0.0, 60.0, 60.0), mask, np.zeros(3, np.float32), soft, EXPLAIN)


@pytest.mark.parametrize(
    ("wide", "soft", "thick"),
    [
        (8, 0.7, False),  # half of it 0.011 x 200 and 1.9: 4.1, which five of nine reach
        (9, 0.7, True),
        (8, 1.1, False),
        (9, 1.1, True),  # sharp up to 1.3 pixels, and closed from 0.006 x 200 on
        (12, 1.25, False),  # 0.024 x 200 and 1.9 are 6.7
        (13, 1.25, True),
        (15, 2.3, False),  # 1.5 pixels more for each of blur: 8.2
        (17, 2.3, True),
    ],
)
def test_what_is_wider_than_writing(wide, soft, thick):
    assert is_thick(wide, soft) == thick


def grey(light):
    """The level of the grey that is as light as that in the colours of contrasts: to 0.002, from 0.3 on."""
    levels = seen(np.arange(256, dtype=np.uint8)[None, :, None].repeat(3, axis=2))[0, :, 0]
    return int(np.abs(levels - light).argmin())


def swapped(shown_there, color, other_gone=True):
    """Piece A in its place in a colour; in the picture it is still seen where it was given, or not, and B is not."""
    shrunk = np.zeros((40, 40, 3), np.uint8)
    shrunk[2:12, 2:12] = grey(shown_there)
    shrunk[22:32, 2:12] = grey(0.0 if other_gone else 0.6)
    scene = SimpleNamespace(
        size=(40, 40), pieces={"A": box(2, 2, 10, 10), "B": box(2, 22, 10, 10)},
        colors={"A": np.array([0.3, 0, 0]), "B": np.array([0.6, 0, 0])},
    )  # fmt: skip
    return _swapped(SimpleNamespace(shrunk=shrunk), scene, {"A": np.array([color, 0.0, 0.0])}, EXPLAIN)


def test_a_piece_in_the_colour_of_another_that_is_gone():
    """Its own is seen up to a contrast of 0.06; and the other's is its, which is 1.7 times as far from its own."""
    assert swapped(0.3, 0.6) == (("A", "B"),)
    assert swapped(0.355, 0.545) == (("A", "B"),)
    assert swapped(0.365, 0.6) == ()
    assert swapped(0.3, 0.535) == ()
    assert swapped(0.3, 0.6, other_gone=False) == ()
    assert swapped(0.3, 0.3) == ()
