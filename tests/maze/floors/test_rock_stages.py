"""What is drawn on rock: of 200 pixels, with a corridor of 40 in its middle; a corridor and a wall are 40 wide."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from detectors.maze.remainder.on_walls import WithinConfig, find_on_walls

CONFIG, UNIT = WithinConfig(), 40.0
ROCK, FLOOR = (90, 80, 70), (240, 240, 240)
CORRIDOR = slice(80, 120)


def plan():
    picture = np.full((200, 200, 3), ROCK, np.uint8)
    picture[CORRIDOR] = FLOOR
    labels = np.zeros((200, 200), np.int32)
    labels[CORRIDOR, :100], labels[CORRIDOR, 100:] = 1, 2
    rows = np.arange(200)
    depth = np.where(rows < 80, 80 - rows, rows - 119).clip(0)
    return SimpleNamespace(
        solid_depth=np.tile(depth[:, None], (1, 200)).astype(np.float32),
        unit_px=UNIT, factor=1.0, pieces=(), marker_rims=np.zeros((200, 200), bool), picture=picture, labels=labels,
    )  # fmt: skip


def cells(rows, columns, color=(200, 30, 30), line=None, covered=None, free=None):
    """The pieces of the floor nearest to what is drawn there."""
    one = plan()
    picture = one.picture.copy()
    picture[rows, columns] = color
    ink = SimpleNamespace(wall_rgb=np.array(ROCK, float), floor_rgb=np.array(FLOOR, float))
    nothing = np.zeros((200, 200), bool)
    line = nothing if line is None else line
    return find_on_walls(picture, covered, ink, line, lambda: nothing if free is None else free, one, CONFIG).cells


def test_rock_as_it_was_shows_nothing():
    assert cells(slice(0, 0), slice(0, 0)) == ()


@pytest.mark.parametrize(
    ("rows", "columns", "found"),
    [
        (slice(30, 40), slice(20, 40), (1,)),
        (slice(150, 160), slice(150, 170), (2,)),
        # Within three pixels of the picture's edge there may be what lies around it; and of the floor, a wall's edge.
        (slice(0, 3), slice(20, 60), ()),
        (slice(0, 6), slice(20, 60), (1,)),
        (slice(197, 200), slice(20, 60), ()),
        (slice(20, 60), slice(0, 3), ()),
        (slice(78, 80), slice(20, 60), ()),
        (slice(60, 70), slice(20, 60), (1,)),
        # With the pixels around it 12; 0.012 of a square of 40 pixels are 19.
        (slice(30, 31), slice(20, 22), ()),
    ],
)
def test_a_mark_on_rock_is_told_where_it_lies(rows, columns, found):
    assert cells(rows, columns) == found


def test_what_is_the_lines_own_or_not_looked_at_is_no_mark():
    mark = (slice(30, 40), slice(20, 40))
    own = np.zeros((200, 200), bool)
    own[28:42, 18:42] = True
    assert cells(*mark, line=own) == ()
    assert cells(*mark, free=own) == ()
    assert cells(*mark, covered=~own) == ()
    # A tenth of a unit beside the line its glow ends.
    beside = np.zeros((200, 200), bool)
    beside[30:40, 43:50] = True
    assert cells(*mark, line=beside) == (1,)
