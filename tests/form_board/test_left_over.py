"""What is drawn on the page beside a right board: what is harmless there, and what is not."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest
import shapely

import grader
from benchmarks.form_board.boards import board
from detectors.form_board.page.leftover import LeftOver, _rim_aside
from grader.tasks.form_board.judge import is_strange
from grader.tasks.form_board.settings import PlacingRules
from puzzles.common.lettering import draw_text
from puzzles.form_board.render import piece_colors
from puzzles.form_board.style import FormStyle

RED, GREY, BLACK, GREEN = (220, 30, 30), (140, 140, 140), (0, 0, 0), (30, 160, 60)


@cache
def puzzle(seed=6):
    """A board with six corners, whose silhouette is 193 x 222 pixels at (24, 129); a rectangle with seed 3."""
    return replace(board(3, seed, 640), style=FormStyle(seed=seed))


def solved(seed=6):
    return puzzle(seed).draw(puzzle(seed).solved())


def graded(picture, seed=6):
    return grader.grade(puzzle(seed).task, np.ascontiguousarray(picture))


def codes(verdict):
    return [reason.code for reason in verdict.reasons]


def own_color():
    return puzzle().solved().colors[puzzle().puzzle.order[0]]


def beside(picture, color, wide, high, off):
    """A block at the upper end of the silhouette, at its left, so many pixels off."""
    x, y = min(puzzle().laid.board.silhouette, key=lambda corner: (corner[1], corner[0]))
    left, bottom = round(x) + 20, round(y) - off
    picture[bottom - high : bottom, left : left + wide] = color


def small_copy(picture, lay):
    """Something made of the silhouette or its pieces, at 0.35 of its size, in the lower right corner."""
    left, top, _, _ = puzzle().laid.board.polygon.bounds
    lay(lambda points: [(0.35 * (x - left) + 420, 0.35 * (y - top) + 370) for x, y in points])


def outlined(picture):
    def lay(laid):
        corners = np.rint(np.array(laid(puzzle().laid.board.silhouette))).astype(np.int32)
        cv2.polylines(picture, [corners], True, BLACK, 2, cv2.LINE_AA)

    small_copy(picture, lay)


def assembled(picture):
    def lay(laid):
        drawing = puzzle().solved()
        for label, corners in drawing.areas.items():
            cv2.fillPoly(picture, [np.rint(np.array(laid(corners))).astype(np.int32)], drawing.colors[label])

    small_copy(picture, lay)


STRANGE = {
    "a bump of a piece's colour": lambda picture: beside(picture, own_color(), 12, 12, 0),
    "a grey one": lambda picture: beside(picture, GREY, 14, 14, 1),
    "a black one": lambda picture: beside(picture, BLACK, 14, 14, 1),
    "a patch apart": lambda picture: beside(picture, own_color(), 14, 14, 8),
    "a red one": lambda picture: beside(picture, RED, 14, 14, 12),
    "a line that sticks out": lambda picture: beside(picture, BLACK, 2, 30, 0),
    "a piece's colour far off": lambda picture: cv2.circle(picture, (330, 440), 12, own_color(), cv2.FILLED),
    "a disc far off": lambda picture: cv2.circle(picture, (330, 440), 12, RED, cv2.FILLED),
    "a second outline": outlined,
    "a second board": assembled,
}


@pytest.mark.parametrize("change", STRANGE.values(), ids=STRANGE)
def test_what_is_drawn_beside_the_silhouette_is_told(change):
    picture = solved()
    change(picture)
    assert codes(graded(picture)) in (["DRAWN_BESIDE"], ["OUTLINE_APART"])


def test_it_is_told_by_place_size_and_contrast():
    """A bump of 12 x 12 pixels, without what may be a rim, on a silhouette of some 32,000."""
    picture = solved()
    STRANGE["a bump of a piece's colour"](picture)
    (reason,) = graded(picture).reasons
    assert reason.message.startswith(
        f"Something in the colour of piece {puzzle().puzzle.order[0]} is drawn at the silh"
    )
    assert "% of its area, with a contrast of 0." in reason.message
    (place,) = reason.places
    assert (place.box.width, place.box.height) == (pytest.approx(12, abs=4), pytest.approx(12, abs=6))


def ticked(picture):
    corners = np.array([(600, 30), (608, 40), (624, 14)], np.int32)
    cv2.polylines(picture, [corners], False, GREEN, 4, cv2.LINE_AA)


HARMLESS = {
    "words": lambda picture: draw_text(picture, "Solved!", (70, 450), 22, (60, 60, 60)),
    "a tick in a corner": ticked,
}


@pytest.mark.parametrize("change", HARMLESS.values(), ids=HARMLESS)
def test_words_and_signs_are_harmless(change):
    picture = solved()
    change(picture)
    assert codes(graded(picture)) == []


def test_pieces_that_are_not_needed_may_lie_about():
    one = puzzle()
    label = min(one.others, key=lambda label: shapely.Polygon(one.corners(label)).area)
    drawing = one.solved()
    drawing.gone.add(label)
    picture = one.draw(drawing)
    left, top, _, _ = shapely.Polygon(one.corners(label)).bounds
    corners = [(x - left + 300, y - top + 20) for x, y in one.corners(label)]
    one.canvas.lay(picture, corners, piece_colors(one.style, [piece.label for piece in one.laid.board.pieces])[label])
    assert codes(graded(picture)) == []


def test_a_word_across_pieces_is_drawn_onto_them():
    """Its letters cover more than a tenth of a piece, and are no noise of it."""
    picture = solved()
    left, _, _, bottom = puzzle().laid.board.polygon.bounds
    cv2.putText(picture, "WRONG", (round(left) + 8, round(bottom) - 70), cv2.FONT_HERSHEY_SIMPLEX, 1.4, BLACK, 5)
    assert codes(graded(picture))[0] == "PIECE_INVENTED"


@pytest.mark.parametrize("change", [((1.0, 0.12), (0.0, 1.0)), ((1.0, 0.0), (0.0, 1.15))], ids=["sheared", "taller"])
def test_the_assembly_alone_may_not_be_changed(change):
    """While the labels lie where they are given: of a picture that is changed as a whole, they would lie elsewhere."""
    one = puzzle()
    middle = np.array(one.laid.board.silhouette).mean(axis=0)

    def changed(points):
        return [tuple(at) for at in ((np.array(points) - middle) @ np.array(change).T + middle).tolist()]

    picture, drawing = one.canvas.draw({}, set(one.solved().areas)), one.solved()
    outline = np.rint(np.array(one.laid.board.silhouette)).astype(np.int32)
    cv2.polylines(picture, [outline], True, one.style.ground, 9)
    for label, corners in drawing.areas.items():
        one.canvas.lay(picture, changed(corners), drawing.colors[label])
    corners = np.rint(np.array(changed(one.laid.board.silhouette))).astype(np.int32)
    cv2.polylines(picture, [corners], True, one.style.outline, 3, cv2.LINE_AA)
    found = graded(picture)
    assert codes(found)
    assert found.alignment.method == "NONE"


def test_an_assembled_rectangle_alone_is_no_picture_within_its_margin():
    """The picture with its margin has the silhouette's shape, too."""
    left, top, right, bottom = (round(value) for value in puzzle(3).laid.board.polygon.bounds)
    picture = solved(3)[top - 18 : bottom + 18, left - 18 : right + 18]
    assert codes(graded(picture, 3)) == []


# --- what is decided by role ---

RULES = PlacingRules()
SIGN = LeftOver((0.0, 0.0, 9.0, 9.0), 0.004, 0.4, 0.5, 0.6, 0.02, 0.6, 0.05, 0.01, "", "", False, False)


@pytest.mark.parametrize(
    ("change", "strange"),
    [
        ({}, False),
        ({"like": "A"}, True),
        ({"like": "A", "piece": "A"}, False),
        ({"away": 0.03, "piece": "A"}, True),
        ({"like": "A", "thick": 0.011}, False),  # a thin stroke
        ({"filled": 0.92}, True),
        ({"filled": 0.92, "size": 0.0039}, False),  # a dot
        ({"extent": 0.2}, True),
        ({"extent": 0.2, "hull": 1.0}, False),  # it goes around the silhouette
        ({"away": 0.12}, True),
        ({"away": 0.12, "word": True}, False),
        ({"away": 0.03, "word": True}, True),
        ({"away": 0.0, "beyond": 0.014}, False),  # the rim's own blur
        ({"away": 0.0, "beyond": 0.015}, True),
        ({"away": 0.0, "strip": True}, False),
    ],
)
def test_a_thing_is_harmless_by_its_role(change, strange):
    assert is_strange(replace(SIGN, **change), RULES) == strange


def test_the_rim_of_a_given_piece_is_looked_for_where_what_is_drawn_there_lies():
    """A triangle whose rim is one pixel wide, moved by three and two: all of its rim is drawn; of a disc not."""
    own, disc = np.zeros((2, 90, 90), np.uint8)
    cv2.fillPoly(own, [np.array([(20, 20), (70, 30), (30, 70)])], 1)
    cv2.circle(disc, (45, 45), 18, 1, cv2.FILLED)
    rim = (own > 0) & (cv2.erode(own, np.ones((3, 3), np.uint8)) == 0)
    moved = np.roll(own, (3, 2), axis=(0, 1)) > 0
    assert (moved & rim).sum() < 0.7 * rim.sum()
    assert _rim_aside(moved, rim) == 1.0
    assert _rim_aside(disc > 0, rim) < 0.7
    assert _rim_aside(np.zeros_like(rim), rim) == 0.0


@pytest.mark.parametrize(("wide", "expected"), [(2, []), (24, ["DRAWN_BESIDE"])])
def test_the_outermost_pixels_may_be_mixed_with_what_lies_beyond(wide, expected):
    """As where a bar of black beside the picture was cut off between pixels."""
    picture = solved()
    picture[150:300, :wide] = GREY
    assert codes(graded(picture)) == expected
