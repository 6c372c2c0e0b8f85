"""Folding and unfolding: exact mirrors, what sticks out, creases; puzzles whose level and options are what they say."""

from __future__ import annotations

import pytest
import shapely

from puzzles.paper_fold.generator import LABELS, MAX_LEVEL, generate_paper_fold, is_exact, solve
from puzzles.paper_fold.patterns import LEAST_CLEARANCE, LEAST_DIFFERENCE, difference, is_drawable, wrong_patterns
from puzzles.paper_fold.rules import FLAT, Fold, FoldType, creases, fold_all, fold_sheet, unfold

HALF = Fold(FoldType.HORIZONTAL, 0.5, True)  # the upper half comes down
RIGHT = Fold(FoldType.VERTICAL, 0.5, True)
DIAGONAL = Fold(FoldType.DIAG_POS, 0.0, True)  # what lies above y = x is laid over
OTHER = Fold(FoldType.DIAG_NEG, 1.0, False)  # what lies below y = 1 - x


@pytest.mark.parametrize(
    ("fold", "mirrored"),
    [(HALF, (0.25, 0.625)), (RIGHT, (0.75, 0.375)), (DIAGONAL, (0.375, 0.25)), (OTHER, (0.625, 0.75))],
)
def test_points_are_mirrored_exactly(fold, mirrored):
    assert fold.mirror((0.25, 0.375)) == mirrored
    assert fold.mirror(mirrored) == (0.25, 0.375)
    assert fold.side((0.25, 0.375)) == -fold.side(mirrored)


def test_a_hole_through_two_layers_is_two_holes():
    sheets = fold_all([HALF])
    assert unfold(sheets, [HALF], [(0.25, 0.25)]) == (((0.25, 0.25), (0.25, 0.75)), ((0.25, 0.25),))


def test_a_hole_beside_the_flap_is_one():
    corner = Fold(FoldType.HORIZONTAL, 0.75, True)
    assert unfold(fold_all([corner]), [corner], [(0.25, 0.25)])[0] == ((0.25, 0.25),)


def test_two_folds_give_four_holes():
    folds = [HALF, Fold(FoldType.VERTICAL, 0.5, False)]  # the left half comes over
    flat = unfold(fold_all(folds), folds, [(0.75, 0.125)])[0]
    assert sorted(flat) == [(0.25, 0.125), (0.25, 0.875), (0.75, 0.125), (0.75, 0.875)]


@pytest.mark.parametrize("fold", [HALF, RIGHT, DIAGONAL, OTHER])
def test_a_fold_in_half_covers_half(fold):
    sheet = fold_sheet(FLAT, fold)
    assert shapely.area(sheet.silhouette) == 0.5
    assert [layer.turned for layer in sheet.layers] == [False, True]


def test_every_layer_knows_where_it_was():
    folds = [DIAGONAL, Fold(FoldType.VERTICAL, 0.25, False)]
    for layer in fold_all(folds)[-1].layers:
        flat = shapely.Polygon([layer.unfolded(point) for point in layer.outline])
        assert shapely.area(shapely.difference(flat, FLAT.silhouette)) == 0.0


@pytest.mark.parametrize("offset", [0.25, 1.5, -0.5])
def test_what_sticks_out_or_is_not_there_can_not_be_folded(offset):
    with pytest.raises(ValueError, match="lies"):
        fold_sheet(FLAT, Fold(FoldType.HORIZONTAL, offset, True))


def test_creases_are_mirrored_with_the_flap():
    folds = [HALF, Fold(FoldType.VERTICAL, 0.5, False)]
    lines = creases(fold_all(folds), folds, 0)
    # y = 1/2 from the first fold, and x = 1/2 from the second, in both halves.
    assert {frozenset(ends) for ends in lines} == {
        frozenset({(0.0, 0.5), (1.0, 0.5)}),
        frozenset({(0.5, 0.0), (0.5, 0.5)}),
        frozenset({(0.5, 0.5), (0.5, 1.0)}),
    }


def test_clearances_are_negative_off_the_sheet():
    assert fold_all([HALF])[1].clearances([(0.5, 0.25), (0.5, 0.75)]) == [0.25, -0.25]


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_puzzles_keep_what_they_promise(level):
    puzzle = generate_paper_fold(level, 11)
    assert puzzle == generate_paper_fold(level, 11)
    assert puzzle.level == level
    assert is_exact(puzzle.sheets, puzzle.folds, puzzle.punches)
    assert LABELS[solve(puzzle)] == puzzle.label
    assert difference(puzzle.options[solve(puzzle)], puzzle.holes[0]) == 0.0
    assert all(map(is_drawable, puzzle.options))
    assert min(puzzle.sheets[-1].clearances(puzzle.punches)) >= LEAST_CLEARANCE
    pairs = [(one, other) for at, one in enumerate(puzzle.options) for other in puzzle.options[:at]]
    assert min(difference(*pair) for pair in pairs) >= LEAST_DIFFERENCE
    assert [one is None for one in puzzle.wrong].count(True) == 1


def test_wrong_options_come_from_the_mistakes_that_they_name():
    puzzle = generate_paper_fold(3, 4)
    known = {(one.mistake, one.fold, frozenset(one.holes))
             for one in wrong_patterns(puzzle.sheets, puzzle.folds, puzzle.punches)}  # fmt: skip
    named = [
        (one[0], one[1], frozenset(option))
        for one, option in zip(puzzle.wrong, puzzle.options, strict=True)
        if one is not None and one[0].value != "hole_displaced"
    ]
    assert named
    assert set(named) <= known


@pytest.mark.parametrize("level", [0, MAX_LEVEL + 1])
def test_other_levels_are_refused(level):
    with pytest.raises(ValueError, match="level"):
        generate_paper_fold(level, 0)
