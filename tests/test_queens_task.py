"""Queens boards: right queens pass however they look, and each fault is named, placed and paid for."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import cv2
import numpy as np
import pytest
from puzzle_samples import (
    BLACK,
    ENGINE,
    WHITE,
    BoardSample,
    board_sample,
    board_task,
    codes,
    jpeg,
    letterboxed,
    line,
    metrics,
    places,
    png,
    resized,
    shifted,
    where,
)

from grader.jobs import GradeJob
from grader.tasks.queens import METRICS
from grader.tasks.queens_judge import REASONS
from grader.verdict import Outcome, Verdict
from puzzles.queens import Cell, QueensBoard, is_solution, solutions
from puzzles.render_queens import QueensStyle, region_color, render_queens

# What leaves no reward: the board was altered, or the drawing is no placement.
CHEATS = {"NOT_THE_PUZZLE", "BOARD_COVERED", "QUEENS_EVERYWHERE", "REGIONS_ALTERED", "GRID_ERASED", "NO_QUEENS"}
CHEATS |= {"OTHER_DRAWINGS"}

N = 5
SIZE = 48


def sample_5() -> BoardSample:
    return board_sample(N)


def queens() -> tuple[Cell, ...]:
    return sample_5().board.queens


def ids(cells: list[Cell] | tuple[Cell, ...]) -> set[int]:
    return {row * N + column for row, column in cells}


def free_cell(wanted: Callable[[Cell], bool]) -> Cell:
    """The first cell without a queen that is as wanted."""
    cells = [(row, column) for row in range(N) for column in range(N)]
    return next(cell for cell in cells if cell not in queens() and wanted(cell))


def touches(one: Cell, other: Cell) -> bool:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1])) == 1


def region(cell: Cell) -> int:
    return sample_5().board.regions[cell[0]][cell[1]]


# --- what can be wrong with a picture ---


def with_queens(cells: list[Cell] | tuple[Cell, ...], **options: object) -> np.ndarray:
    return sample_5().draw(cells, **options)


def unchanged() -> np.ndarray:
    return sample_5().pictures.input


def all_black() -> np.ndarray:
    return np.zeros_like(sample_5().pictures.input)


def panels() -> np.ndarray:
    """The right answer between two boards without one."""
    pictures = sample_5().pictures
    return np.hstack([pictures.input, pictures.solution, pictures.input])


def blank() -> np.ndarray:
    return np.full_like(sample_5().pictures.input, 255)


def everywhere() -> np.ndarray:
    return with_queens([(row, column) for row in range(N) for column in range(N)])


def recolored() -> np.ndarray:
    """One cell without a queen takes the colour of a region that it does not touch."""
    row, column = free_cell(lambda cell: True)
    other = next(one for one in range(N) if one != region((row, column)))
    inside = np.zeros(sample_5().pictures.input.shape[:2], bool)
    inside[row * SIZE + 2 : (row + 1) * SIZE, column * SIZE + 2 : (column + 1) * SIZE] = True
    return where(sample_5().pictures.solution, inside, region_color(other, N))


def merged() -> np.ndarray:
    """Two regions get one colour."""
    picture = sample_5().pictures.solution
    return where(picture, (picture == region_color(1, N)).all(axis=2), region_color(0, N))


def gridless() -> np.ndarray:
    """The board without any grid line, queens as they were."""
    board = sample_5()
    bare = np.array([region_color(one, N) for one in range(N)], np.uint8)[np.array(board.board.regions)]
    return board.draw(on=bare.repeat(SIZE, axis=0).repeat(SIZE, axis=1))


def ring_beside() -> np.ndarray:
    row, column = free_cell(lambda cell: True)
    picture = sample_5().pictures.solution.copy()
    cv2.circle(picture, (column * SIZE + SIZE // 2, row * SIZE + SIZE // 2), 12, (15, 15, 15), 2, cv2.LINE_AA)
    return picture


def rings() -> np.ndarray:
    picture = sample_5().pictures.input.copy()
    for row, column in queens():
        cv2.circle(picture, (column * SIZE + SIZE // 2, row * SIZE + SIZE // 2), 12, (15, 15, 15), 2, cv2.LINE_AA)
    return picture


def letters() -> np.ndarray:
    picture = sample_5().pictures.input.copy()
    for row, column in queens():
        at = (column * SIZE + 12, row * SIZE + 36)
        cv2.putText(picture, "Q", at, cv2.FONT_HERSHEY_SIMPLEX, 1.0, (15, 15, 15), 3, cv2.LINE_AA)
    return picture


def squares() -> np.ndarray:
    picture = sample_5().pictures.input.copy()
    for row, column in queens():
        picture[row * SIZE + 14 : row * SIZE + 38, column * SIZE + 6 : column * SIZE + 44] = 15
    return picture


def on_border() -> np.ndarray:
    """One queen is moved by half a cell, onto the border with its neighbour, away from the board's edge."""
    row, column = next(cell for cell in queens() if cell[1] > 0)
    others = [cell for cell in queens() if cell != (row, column)]
    return sample_5().draw([*others, (row, column - 0.5)])


def half_off_the_board() -> np.ndarray:
    """One queen is moved half over the picture's edge."""
    first = queens()[0]
    return sample_5().draw([(-0.5, first[1]), *queens()[1:]])


def two_in_a_cell() -> np.ndarray:
    (row, column), *others = queens()
    small = {"radius_px": 7}
    picture = sample_5().draw(others)
    return sample_5().draw([(row - 0.22, column - 0.22), (row + 0.22, column + 0.22)], on=picture, **small)


def row_conflict() -> np.ndarray:
    return with_queens([*queens(), free_cell(lambda cell: True)])


def moved(wanted: Callable[[Cell], bool]) -> list[Cell]:
    cell = free_cell(wanted)
    return [cell if queen[0] == cell[0] else queen for queen in queens()]


def column_conflict() -> np.ndarray:
    """In each row one queen, two of them in one column."""
    return with_queens(moved(lambda cell: any(cell[1] == queen[1] for queen in queens() if queen[0] != cell[0])))


def region_conflict() -> np.ndarray:
    """In each row one queen, two of them in one region."""
    return with_queens(
        moved(lambda cell: any(region(cell) == region(queen) for queen in queens() if queen[0] != cell[0]))
    )


def touching() -> np.ndarray:
    return with_queens(moved(lambda cell: any(touches(cell, queen) for queen in queens() if queen[0] != cell[0])))


def extra() -> np.ndarray:
    return with_queens([*queens(), free_cell(lambda cell: True)])


def missing() -> np.ndarray:
    return with_queens(queens()[:-1])


def wrong_cells() -> np.ndarray:
    return with_queens([(row, N - 1 - column) for row, column in queens()])


FAULTS: dict[str, tuple[Callable[[], np.ndarray], str]] = {
    "unchanged": (unchanged, "NO_QUEENS"),
    "all black": (all_black, "BOARD_COVERED"),
    "blank": (blank, "NOT_THE_PUZZLE"),
    "panels": (panels, "OTHER_DRAWINGS"),
    "everywhere": (everywhere, "QUEENS_EVERYWHERE"),
    "recolored": (recolored, "REGIONS_ALTERED"),
    "merged": (merged, "REGIONS_ALTERED"),
    "gridless": (gridless, "GRID_ERASED"),
    "rings": (rings, "NO_QUEENS"),
    "ring beside": (ring_beside, "MARK_NOT_A_QUEEN"),
    "letters": (letters, "MARK_NOT_A_QUEEN"),
    "bars": (squares, "MARK_NOT_A_QUEEN"),
    "on border": (on_border, "QUEEN_ON_BORDER"),
    "half off": (half_off_the_board, "MARK_NOT_A_QUEEN"),
    "two in a cell": (two_in_a_cell, "TWO_QUEENS_IN_CELL"),
    "row": (row_conflict, "ROW_CONFLICT"),
    "column": (column_conflict, "COLUMN_CONFLICT"),
    "region": (region_conflict, "REGION_CONFLICT"),
    "touching": (touching, "QUEENS_TOUCH"),
    "extra": (extra, "EXTRA_QUEENS"),
    "missing": (missing, "MISSING_QUEENS"),
    "wrong cells": (wrong_cells, "WRONG_CELLS"),
}
EVERY_FAULT = pytest.mark.parametrize("name", FAULTS)


@cache
def faulty(name: str) -> Verdict:
    return sample_5().grade(FAULTS[name][0]())


def passes(verdict: Verdict, board: QueensBoard) -> None:
    assert codes(verdict) == []
    assert (verdict.outcome, verdict.score, verdict.reward) == (Outcome.PASS, 1.0, 1.0)
    assert tuple((queen.row, queen.column) for queen in verdict.observation.queens) == board.queens


# --- right placements ---


@pytest.mark.parametrize("n", [4, 5, 7, 10])
def test_the_solution_passes(n: int) -> None:
    board = board_sample(n)
    verdict = board.grade(board.pictures.solution)
    passes(verdict, board.board)
    assert metrics(verdict) == {
        "coverage": 1.0,
        "violation": 0.0,
        "pass": 1.0,
        "violation_complement": 0.0,
        "mse_in": 0.0,
        "mse_out": 0.0,
        "legal": 1.0,
        "conflicts": 0.0,
        "queens": float(n),
    }
    for queen in verdict.observation.queens:
        centre = ((queen.column + 0.5) * SIZE, (queen.row + 0.5) * SIZE)
        assert np.hypot(*np.subtract(queen.center, centre)) < 1.5
        # The black disc inside its pale rim has a radius of 12 - 2 pixels.
        assert queen.radius_px == pytest.approx(10, abs=1.5)
        assert queen.confidence > 0.5


@pytest.mark.parametrize("color", [BLACK, (15, 15, 15), (60, 60, 60), (110, 110, 110), (60, 20, 20), (20, 20, 90)])
@pytest.mark.parametrize("rim", [WHITE, None])
def test_dark_and_grey_discs_are_queens(color: tuple[int, int, int], rim: tuple[int, int, int] | None) -> None:
    board = board_sample(N)
    passes(board.grade(board.draw(color=color, rim=rim or color)), board.board)


HARMLESS: dict[str, Callable[[np.ndarray], np.ndarray | bytes]] = {
    "jpeg_60": lambda picture: jpeg(picture, 60),
    "jpeg_30": lambda picture: jpeg(picture, 30),
    "smaller": lambda picture: resized(picture, 180, 180),
    "larger": lambda picture: resized(picture, 512, 512),
    "stretched": lambda picture: resized(picture, 400, 320),
    "letterbox_black": lambda picture: letterboxed(picture, 480, 300, BLACK),
    "letterbox_white": lambda picture: letterboxed(picture, 300, 480, WHITE),
    "shift": lambda picture: shifted(picture, 4, 3),
    "shift_white": lambda picture: shifted(picture, -3, 4, WHITE),
    "blurred": lambda picture: cv2.GaussianBlur(picture, (0, 0), 1.0),
    "noisy": lambda picture: noisy(picture),
    "darker": lambda picture: (picture * 0.85).astype(np.uint8),
}


def noisy(picture: np.ndarray) -> np.ndarray:
    dice = np.random.default_rng(3)
    return (picture + dice.normal(0, 8, picture.shape)).round().clip(0, 255).astype(np.uint8)


@pytest.mark.parametrize("change", HARMLESS)
@pytest.mark.parametrize("n", [5, 8])
def test_harmless_changes_pass(change: str, n: int) -> None:
    board = board_sample(n)
    passes(board.grade(HARMLESS[change](board.pictures.solution)), board.board)


def test_another_legal_placement_passes() -> None:
    """Where the truth is not the only solution, a board that keeps every rule is right to a person."""
    regions = ((0, 0, 0, 0), (1, 1, 2, 2), (1, 1, 2, 2), (3, 3, 3, 3))
    first, second = solutions(regions)
    assert is_solution(first, regions)
    assert is_solution(second, regions)
    board = QueensBoard(4, regions, first)
    style = QueensStyle(cell_size_px=SIZE, queen_radius_px=12)
    pictures = render_queens(board, style)
    sample = BoardSample(board, pictures, style)
    verdict = sample.grade(sample.draw(second))
    assert (verdict.outcome, verdict.reasons, verdict.reward) == (Outcome.PASS, (), 1.0)
    # The score stays the paper's: on 4 x 4 there are two placements, and they share no cell.
    assert (metrics(verdict)["coverage"], verdict.score, metrics(verdict)["legal"]) == (0.0, 0.0, 1.0)


@pytest.mark.parametrize("turns", [1, 2, 3])
@pytest.mark.parametrize("name", ["solution", *FAULTS])
def test_turning_board_and_picture_changes_no_verdict(name: str, turns: int) -> None:
    """Boards are turned by quarters: rows become columns, and back."""
    board = sample_5()
    picture = board.pictures.solution if name == "solution" else FAULTS[name][0]()
    upright = board.grade(picture)
    turned_regions = np.rot90(np.array(board.board.regions), turns)
    marks = np.zeros((N, N), bool)
    marks[tuple(np.array(board.board.queens).T)] = True
    turned = QueensBoard(
        N,
        tuple(tuple(int(one) for one in row) for row in turned_regions),
        tuple((int(row), int(column)) for row, column in np.argwhere(np.rot90(marks, turns))),
    )
    task = board_task(turned, *(np.rot90(one, turns).copy() for one in (board.pictures.input, board.pictures.solution)))
    data = png(np.rot90(picture, turns).copy())
    again = ENGINE.grade(GradeJob("turned", task, data))
    assert again.outcome is upright.outcome
    assert (again.score, again.reward) == (upright.score, upright.reward)
    swapped = {"ROW_CONFLICT": "COLUMN_CONFLICT", "COLUMN_CONFLICT": "ROW_CONFLICT"} if turns % 2 else {}
    assert set(codes(again)) == {swapped.get(code, code) for code in codes(upright)}


# --- faults ---


@EVERY_FAULT
def test_each_fault_is_named(name: str) -> None:
    verdict, code = faulty(name), FAULTS[name][1]
    assert verdict.outcome is Outcome.FAIL
    assert code in codes(verdict)
    order = [info.code for info in REASONS]
    assert codes(verdict) == sorted(codes(verdict), key=order.index)


@EVERY_FAULT
def test_what_a_fault_earns(name: str) -> None:
    verdict = faulty(name)
    found = metrics(verdict)
    assert verdict.score == found["pass"] == max(0.0, found["coverage"] - found["violation"])
    if CHEATS & set(codes(verdict)):
        assert verdict.reward == 0.0
    else:
        assert verdict.reward == pytest.approx(0.9 * verdict.score, abs=1e-12)


@EVERY_FAULT
def test_metrics_are_declared_and_within_their_bounds(name: str) -> None:
    found = metrics(faulty(name))
    assert list(found) == [info.name for info in METRICS]
    for info in METRICS:
        assert info.lower_bound <= found[info.name] <= info.upper_bound


def test_every_reason_has_its_case() -> None:
    assert {code for _, code in FAULTS.values()} == {info.code for info in REASONS}


def test_conflicts_are_placed() -> None:
    cell = free_cell(lambda cell: True)
    verdict = faulty("extra")
    same_row = next(queen for queen in queens() if queen[0] == cell[0])
    assert places(verdict, "ROW_CONFLICT") == ids([cell, same_row])
    assert places(verdict, "COLUMN_CONFLICT") == ids([cell, *(queen for queen in queens() if queen[1] == cell[1])])
    assert places(verdict, "WRONG_CELLS") == ids([cell])
    # All n are found, and one of n + 1 is wrong.
    assert verdict.score == pytest.approx(1 - 1 / (N + 1))
    assert metrics(verdict)["queens"] == N + 1


def test_missing_queens_are_placed() -> None:
    verdict = faulty("missing")
    assert codes(verdict) == ["MISSING_QUEENS"]
    assert places(verdict, "MISSING_QUEENS") == ids(queens()[-1:])
    assert verdict.score == pytest.approx((N - 1) / N)
    assert metrics(verdict)["violation_complement"] == pytest.approx(1 / N)


def test_altered_boards_are_placed() -> None:
    assert codes(faulty("recolored")) == ["REGIONS_ALTERED"]
    assert places(faulty("recolored"), "REGIONS_ALTERED") == ids([free_cell(lambda cell: True)])
    assert codes(faulty("gridless")) == ["GRID_ERASED"]
    assert codes(faulty("merged")) == ["REGIONS_ALTERED"]


def test_two_queens_in_a_cell() -> None:
    verdict = faulty("two in a cell")
    assert places(verdict, "TWO_QUEENS_IN_CELL") == ids(queens()[:1])
    # The second one in a cell is wrong: n + 1 queens, 1 wrong.
    assert metrics(verdict)["violation"] == pytest.approx(1 / (N + 1))
    assert metrics(verdict)["coverage"] == 1.0


def boxes(verdict: Verdict, code: str) -> list[tuple[float, float]]:
    (reason,) = [one for one in verdict.reasons if one.code == code]
    return [(place.box.left + place.box.width / 2, place.box.top + place.box.height / 2) for place in reason.places]


def test_marks_that_are_no_queens_are_placed() -> None:
    row, column = free_cell(lambda cell: True)
    (middle,) = boxes(faulty("ring beside"), "MARK_NOT_A_QUEEN")
    assert np.hypot(*np.subtract(middle, ((column + 0.5) * SIZE, (row + 0.5) * SIZE))) < 3
    assert [mark.code for mark in faulty("ring beside").observation.rejected_marks] == ["RING"]
    row, column = next(cell for cell in queens() if cell[1] > 0)
    (middle,) = boxes(faulty("on border"), "QUEEN_ON_BORDER")
    assert np.hypot(*np.subtract(middle, (column * SIZE, (row + 0.5) * SIZE))) < 3
    # Moved by half a cell: that queen is missing, and no other cell has gained one.
    assert places(faulty("on border"), "MISSING_QUEENS") == ids([(row, column)])
    assert faulty("on border").score == pytest.approx((N - 1) / N)


@pytest.mark.parametrize("name", ["rings", "letters", "bars"])
def test_no_solid_disc_no_queen(name: str) -> None:
    verdict = faulty(name)
    assert verdict.observation.queens == ()
    assert {"NO_QUEENS", "MARK_NOT_A_QUEEN"} <= set(codes(verdict))
    # A letter may fall into several marks; each lies in the cell where it was drawn.
    marks = [mark.box for mark in verdict.observation.rejected_marks]
    cells = {(int((box.top + box.height / 2) / SIZE), int((box.left + box.width / 2) / SIZE)) for box in marks}
    assert cells == set(queens())
    assert (verdict.score, verdict.reward) == (0.0, 0.0)


@pytest.mark.parametrize("base", ["solution", "missing"])
def test_a_violation_more_is_never_worth_more(base: str) -> None:
    board = sample_5()
    picture = {"solution": board.pictures.solution, "missing": missing()}[base]
    best = board.grade(picture)
    for row in range(N):
        for column in range(N):
            if (row, column) in queens():
                continue
            verdict = board.grade(board.draw([(row, column)], on=picture))
            assert verdict.outcome is Outcome.FAIL
            assert verdict.score <= best.score
            assert verdict.reward <= best.reward


def test_errors_are_those_of_the_drawing() -> None:
    board = sample_5()
    found = metrics(board.grade(board.pictures.input))
    difference = ((board.pictures.input / 255.0 - board.pictures.solution / 255.0) ** 2).mean(axis=2)
    goal = np.isin(board.pictures.cell_map, list(ids(queens())))
    assert found["mse_in"] == pytest.approx(difference[goal].mean(), rel=1e-9)
    assert found["mse_out"] == 0.0


def test_what_can_t_be_measured_says_why() -> None:
    board = sample_5()
    verdict = board.grade(board.pictures.solution, solution_image=None)
    assert verdict.outcome is Outcome.PASS
    for name in ("mse_in", "mse_out"):
        (metric,) = [metric for metric in verdict.metrics if metric.name == name]
        assert (metric.value, metric.unavailable_reason) == (None, "the request has no queens.truth.solution_image")


def test_another_board_is_no_answer() -> None:
    verdict = sample_5().grade(board_sample(N, seed=3).pictures.solution)
    assert verdict.outcome is Outcome.FAIL
    assert {"REGIONS_ALTERED", "NOT_THE_PUZZLE"} & set(codes(verdict))
    assert verdict.reward == 0.0


def test_a_line_across_the_board_is_no_queen() -> None:
    board = sample_5()
    picture = line(board.pictures.input, [(10, 10), (230, 180)], 10, BLACK)
    verdict = board.grade(picture)
    assert verdict.observation.queens == ()
    assert verdict.reward == 0.0


def test_discs_on_crossings_of_lines_are_seen() -> None:
    """Discs a quarter of a cell wide on every crossing: no queens, and no grid lines either.

    Drawn with a radius of 8 their fill is 2 (8 - 2 + 0.5) = 13 px wide, 0.27 of a cell of 48.
    """
    sample = board_sample(5)
    inner = range(1, sample.board.n)
    crossings = [(row - 0.5, column - 0.5) for row in inner for column in inner]
    verdict = sample.grade(sample.draw(crossings, sample.pictures.solution, radius_px=8))
    assert codes(verdict) == ["QUEEN_ON_BORDER"]
    assert len(verdict.reasons[0].places) == len(crossings)


def test_a_region_as_dark_as_a_queen_is_altered() -> None:
    sample = board_sample(5)
    row, column = sample.board.queens[0]
    inside = np.kron(np.array(sample.board.regions) == sample.board.regions[row][column], np.ones((48, 48))) > 0
    dark = where(sample.pictures.input, inside, (40, 40, 40))
    verdict = sample.grade(sample.draw(sample.board.queens[1:], dark))
    assert codes(verdict)[0] == "REGIONS_ALTERED"
    assert verdict.reward == 0.0
