"""What is wrong with a request for a board is refused by its field."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from grader.model.errors import InvalidRequestError
from grader.tasks.queens import puzzle
from grader.tasks.queens.spec import SPEC
from tests.samples.puzzles import board_sample, metrics, png


def wrong(**changes: object) -> list[tuple[str, str]]:
    sample = board_sample(5)
    with pytest.raises(InvalidRequestError) as raised:
        sample.grade(sample.pictures.solution, **changes)
    return [(one.field.removeprefix("queens."), one.reason) for one in raised.value.violations]


@pytest.mark.parametrize("size", [3, 27])
def test_a_board_has_4_to_26_cells_in_a_row(size: int) -> None:
    assert ("puzzle.size_cells", "OUT_OF_RANGE") in wrong(size_cells=size)


def test_a_solution_s_picture_has_the_size_of_the_board_s() -> None:
    assert wrong(solution_image=png(np.zeros((10, 10, 3), np.uint8))) == [("truth.solution_image", "SIZE_MISMATCH")]


def test_what_is_missing_is_named_all_at_once() -> None:
    assert wrong(image=None, regions=(), queens=()) == [
        ("puzzle.image", "MISSING"),
        ("puzzle.regions", "MISSING"),
        ("truth.queens", "MISSING"),
    ]


def test_regions_are_n_times_n_numbers_from_0_to_n_less_1() -> None:
    regions = board_sample(5).task.regions
    assert wrong(regions=regions[:-1]) == [("puzzle.regions", "MISMATCH")]
    assert wrong(regions=(*regions[:-1], 5)) == [("puzzle.regions", "OUT_OF_RANGE")]
    # A region that has no cell is none.
    assert wrong(regions=tuple(min(region, 3) for region in regions)) == [("puzzle.regions", "OUT_OF_RANGE")]


@pytest.mark.parametrize("cell", [(-1, 0), (0, -1), (5, 0), (0, 5)])
def test_queens_stand_on_the_board(cell: tuple[int, int]) -> None:
    assert wrong(queens=(*board_sample(5).task.queens[1:], cell)) == [("truth.queens", "OUT_OF_RANGE")]


def test_queens_are_a_solution() -> None:
    queens = board_sample(5).task.queens
    assert wrong(queens=queens[1:]) == [("truth.queens", "MISMATCH")]
    assert wrong(queens=(*queens[1:], queens[1])) == [("truth.queens", "MISMATCH")]


def test_shares_are_declared_from_0_to_1() -> None:
    shares = {"coverage", "violation", "pass", "violation_complement", "legal"}
    bounds = {info.name: (info.lower_bound, info.upper_bound) for info in SPEC.metrics if info.name in shares}
    assert bounds == dict.fromkeys(shares, (0.0, 1.0))


def test_an_empty_board_has_the_metrics_of_nothing() -> None:
    sample = board_sample(5)
    found = metrics(sample.grade(sample.pictures.input))
    assert (found["coverage"], found["violation"], found["pass"], found["queens"]) == (0.0, 0.0, 0.0, 0.0)


def test_up_to_two_wrong_queens_are_left_out_in_looking_for_the_nearest_placement(monkeypatch) -> None:
    kept = []
    monkeypatch.setattr(puzzle, "completed", lambda _regions, cells, **_: kept.append(len(cells)))
    queens = [(at, at) for at in range(4)]
    assert puzzle.QueensPuzzle._completed(SimpleNamespace(regions=()), queens) == []
    assert kept == [4] + [3] * 4 + [2] * 6
