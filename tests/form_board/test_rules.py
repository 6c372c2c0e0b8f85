"""Boards: which sets of pieces fill a silhouette, and that just one does where that is promised."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
import shapely

from puzzles.form_board.cuts import FitRules, area_of, cut_in_two, difference, is_fit
from puzzles.form_board.generator import OfferRules, generate_form_board, pieces_of_level
from puzzles.form_board.layout import lay_out
from puzzles.form_board.render import FormCanvas, cover_shape, render_clip, render_steps
from puzzles.form_board.rules import FormBoard, FormPiece, area_without, moved, sets_of_area, shared_area, tilings
from puzzles.form_board.style import FormStyle


def box(left, top, wide, high):
    return ((left, top), (left + wide, top), (left + wide, top + high), (left, top + high))


def board(*pieces):
    named = (FormPiece(label, corners) for label, corners in zip("ABCDEFGH", pieces, strict=False))
    return FormBoard(box(0, 0, 4, 4), tuple(named))


def labels(found):
    return sorted("".join(sorted(one.labels)) for one in found)


def test_every_set_that_fills_the_silhouette_is_found_wherever_its_pieces_are_given():
    whole, half, other = box(9, 9, 4, 4), box(20, 3, 2, 4), box(-8, 0, 2, 4)
    lying, bar = box(0, 0, 4, 2), box(0, 0, 4, 1)
    found = tilings(board(whole, half, other, lying, bar))
    assert labels(found) == ["A", "BC"]  # 4 x 2 and 4 x 1 leave a row free; 4 x 2 and 2 x 4 lie across each other
    (pair,) = [one for one in found if len(one.labels) == 2]
    assert {label: (round(x), round(y)) for label, (x, y) in pair.offsets.items()} in (
        {"B": (-20, -3), "C": (10, 0)},
        {"B": (-18, -3), "C": (8, 0)},
    )


def test_the_right_area_is_not_enough():
    triangle = ((0, 0), (4, 0), (0, 4))
    same, mirrored = ((4, 4), (0, 4), (4, 0)), ((0, 0), (4, 0), (4, 4))
    assert labels(tilings(board(triangle, same))) == ["AB"]
    assert labels(tilings(board(triangle, mirrored))) == []
    assert [len(one) for one in sets_of_area(board(triangle, mirrored).pieces, 16.0, 1e-9)] == [2]


def test_slanted_cuts_and_rounded_corners_are_no_hindrance():
    left, right = ((0, 0), (1.3, 0), (2.9, 4), (0, 4)), ((1.3, 0), (4, 0), (4, 4), (2.9, 4))
    assert labels(tilings(board(left, right))) == ["AB"]
    rough = board(*(tuple((round(x + 0.0007, 3), round(y - 0.0003, 3)) for x, y in one) for one in (left, right)))
    assert labels(tilings(rough, 0.002, 1e-3)) == ["AB"]


def test_too_many_pieces_are_refused():
    with pytest.raises(ValueError, match="17 pieces"):
        tilings(FormBoard(box(0, 0, 4, 4), tuple(FormPiece(str(at), box(0, 0, 1, 1)) for at in range(17))))


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5, 6])
def test_a_board_has_as_many_right_pieces_as_its_level_and_one_right_set(level):
    for seed in range(2):
        puzzle = generate_form_board(level, seed)
        pieces = {piece.label: piece.polygon for piece in puzzle.board.pieces}
        assert (len(puzzle.labels), len(pieces)) == (level, pieces_of_level(level))
        assert [one.labels for one in tilings(puzzle.board)] == [frozenset(puzzle.labels)]
        # The same, by another way: pieces where they are said to lie.
        laid = [moved(pieces[label], puzzle.solution.offsets[label]) for label in puzzle.labels]
        assert shapely.union_all(laid).symmetric_difference(puzzle.board.polygon).area < 1e-6
        assert sum(one.area for one in laid) == pytest.approx(puzzle.board.polygon.area)


def test_pieces_that_touch_along_a_slanted_cut_share_nothing():
    """GEOS calls the one inside the other where areas are not laid on a grid."""
    puzzle = generate_form_board(2, 19)
    one, other = (
        moved(piece.polygon, puzzle.solution.offsets[piece.label])
        for piece in puzzle.board.pieces
        if piece.label in puzzle.labels
    )
    assert shared_area(one, other) < 1e-6
    assert area_without(one, other) == pytest.approx(one.area)


def test_any_two_pieces_differ_by_more_than_is_hard_to_see():
    rules = OfferRules()
    pieces = [piece.corners for piece in generate_form_board(3, 11).board.pieces]
    assert all(is_fit(one, rules.cuts) for one in pieces)
    assert min(difference(one, other) for one, other in itertools.combinations(pieces, 2)) >= rules.least_difference


def test_a_board_is_its_seed():
    assert generate_form_board(2, 5) == generate_form_board(2, 5)
    assert generate_form_board(2, 5).board != generate_form_board(2, 6).board
    with pytest.raises(ValueError, match="level"):
        generate_form_board(9, 0)


def test_a_line_that_leaves_the_polygon_cuts_nothing():
    """Across the notch of a U, some lines leave it; what is cut is always all of it."""
    u_shape = ((0, 0), (3, 0), (3, 6), (7, 6), (7, 0), (10, 0), (10, 10), (0, 10))
    dice, made = random.Random(1), 0
    for _ in range(200):
        parts = cut_in_two(u_shape, dice, FitRules())
        if parts is not None:
            made += 1
            assert sum(map(area_of, parts)) == pytest.approx(area_of(u_shape))
            assert all(shapely.Polygon(u_shape).buffer(1e-9).covers(shapely.Polygon(one)) for one in parts)
    assert made > 5


def test_a_piece_with_a_narrow_waist_is_not_fit():
    waist = ((0, 0), (6, 0), (3.2, 3), (6, 6), (0, 6), (2.8, 3))
    assert is_fit(box(0, 0, 3, 3), FitRules())
    assert not is_fit(waist, FitRules())


def test_what_is_laid_out_lies_in_the_picture_and_apart():
    for level in (1, 5):
        laid = lay_out(generate_form_board(level, 3), 640)
        areas = [laid.board.polygon, *(piece.polygon for piece in laid.board.pieces)]
        frame = shapely.box(0, 0, *laid.size)
        assert all(frame.contains(one) for one in areas)
        assert min(one.distance(other) for one, other in itertools.combinations(areas, 2)) > 4
        offsets = laid.solution.offsets
        filled = shapely.union_all(
            [moved(one.polygon, offsets[one.label]) for one in laid.board.pieces if one.label in offsets]
        )
        assert filled.symmetric_difference(laid.board.polygon).area < 0.01


def test_a_concave_shape_is_covered_by_its_area():
    corners = [(20.0, 20.0), (125.5, 20.0), (125.5, 60.0), (62.25, 60.0), (62.25, 110.0), (20.0, 110.0)]
    assert float(cover_shape((160, 160), corners).sum()) == pytest.approx(area_of(tuple(corners)), rel=0.01)


def test_steps_and_clips_end_with_the_silhouette_filled():
    puzzle = generate_form_board(2, 1)
    laid, style = lay_out(puzzle, 320), FormStyle(seed=3)
    steps = list(render_steps(laid, puzzle.order, style))
    frames = list(render_clip(laid, puzzle.order, style, 8.0))
    canvas = FormCanvas(laid, style)
    assert len(steps) == 2
    assert np.array_equal(frames[0], canvas.draw({}))
    assert np.array_equal(frames[-1], steps[-1])
    assert np.array_equal(steps[-1], canvas.draw({label: laid.solution.offsets[label] for label in puzzle.order}))
    assert len({frame.tobytes() for frame in frames}) > 6


def test_a_set_may_fill_a_silhouette_in_several_ways():
    """Bars of 1, 1.5 and 1.5 x 4 lie side by side in six ways, of which as many are told as are asked for."""
    bars = [(0, 0, 1, 4), (0, 0, 1.5, 4), (0, 0, 1.5, 4)]
    whole = FormBoard(
        box(0, 0, 4, 4), tuple(FormPiece(label, box(*one)) for label, one in zip("ABC", bars, strict=True))
    )
    assert len(tilings(whole)) == 1
    for ways, found in ((4, 4), (9, 6)):
        laid = [tuple(sorted(one.offsets.items())) for one in tilings(whole, ways=ways)]
        assert len(laid) == len(set(laid)) == found
