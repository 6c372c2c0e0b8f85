"""Queens boards: right queens pass however they look."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import cv2
import numpy as np
import pytest

from grader.model.errors import InvalidRequestError
from grader.model.jobs import GradeJob, ImageCandidate
from grader.model.verdict import Outcome, Verdict
from puzzles.queens.board import QueensBoard, is_solution, solutions
from puzzles.queens.render import QueensStyle, render_queens
from tests.queens.board_faults import FAULTS, SIZE, N, passes, sample_5
from tests.samples.puzzles import (
    BLACK,
    ENGINE,
    WHITE,
    BoardSample,
    board_sample,
    board_task,
    codes,
    jpeg,
    letterboxed,
    metrics,
    png,
    resized,
    shifted,
)


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
    "titled": lambda picture: titled(picture),
    "titled_and_stretched": lambda picture: resized(titled(picture), 400, 420),
}


def titled(picture: np.ndarray) -> np.ndarray:
    """Two bold lines above, a number at the left, and a thick frame around it all."""
    page = cv2.copyMakeBorder(picture, 90, 20, 50, 20, cv2.BORDER_CONSTANT, value=WHITE)
    for text, x, y in (("Solved board", 20, 40), ("all rules", 20, 76), ("7", 8, 200)):
        cv2.putText(page, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 1.0, BLACK, 3, cv2.LINE_AA)
    return cv2.copyMakeBorder(page, 8, 8, 8, 8, cv2.BORDER_CONSTANT, value=(30, 60, 120))


def noisy(picture: np.ndarray) -> np.ndarray:
    dice = np.random.default_rng(3)
    return (picture + dice.normal(0, 8, picture.shape)).round().clip(0, 255).astype(np.uint8)


@pytest.mark.parametrize(("change", "n"), [(change, (5, 8)[turn % 2]) for turn, change in enumerate(HARMLESS)])
def test_harmless_changes_pass(change: str, n: int) -> None:
    board = board_sample(n)
    passes(board.grade(HARMLESS[change](board.pictures.solution)), board.board)


def two_placements() -> tuple[BoardSample, tuple[tuple[int, int], ...]]:
    """A board of which the sample has one placement, and the other one. On 4 x 4 they share no cell."""
    regions = ((0, 0, 0, 0), (1, 1, 2, 2), (1, 1, 2, 2), (3, 3, 3, 3))
    first, second = solutions(regions)
    assert is_solution(first, regions)
    assert is_solution(second, regions)
    board = QueensBoard(4, regions, first)
    style = QueensStyle(cell_size_px=SIZE, queen_radius_px=12)
    return BoardSample(board, render_queens(board, style), style), second


def test_a_board_with_another_placement_is_refused_by_name() -> None:
    sample, second = two_placements()
    with pytest.raises(InvalidRequestError, match=r"queens\.truth\.queens: .*set queens\.truth\.any_solution"):
        sample.grade(sample.draw(second))


def test_any_placement_that_keeps_the_rules_is_right_where_that_is_said() -> None:
    sample, second = two_placements()
    for placement in (sample.board.queens, second):
        verdict = sample.grade(sample.draw(placement), any_solution=True)
        assert (verdict.outcome, verdict.reasons, verdict.reward) == (Outcome.PASS, (), 1.0)
        found = metrics(verdict)
        assert (found["coverage"], found["violation"], verdict.score, found["legal"]) == (1.0, 0.0, 1.0, 1.0)
        # The picture of the solution shows the first one only.
        assert (found["mse_in"] is None) == (placement == second)
        (why,) = {metric.unavailable_reason for metric in verdict.metrics if metric.name == "mse_in"}
        assert ("another right placement was drawn" in why) == (placement == second)


def test_half_of_another_placement_earns_what_half_of_the_stated_one_does() -> None:
    sample, second = two_placements()
    verdict = sample.grade(sample.draw(second[:2]), any_solution=True)
    # 2 of 4 right cells, none wrong: 0.9 x (1/2 - 0)
    assert (verdict.outcome, metrics(verdict)["coverage"], verdict.reward) == (Outcome.FAIL, 0.5, 0.45)


def test_the_nearest_of_very_many_placements_counts() -> None:
    """With a region a row, every placement of kings that don't touch and share no column is right: 90 on 6 x 6."""
    regions = tuple((row,) * 6 for row in range(6))
    assert len(solutions(regions, 1000)) == 90
    every = solutions(regions, 1000)
    board = QueensBoard(6, regions, every[0])
    style = QueensStyle(cell_size_px=SIZE, queen_radius_px=12)
    sample = BoardSample(board, render_queens(board, style), style)
    for placement in (every[-1], every[77]):
        verdict = sample.grade(sample.draw(placement[1:]), any_solution=True)
        # 5 of 6 right cells, none wrong: 0.9 x 5/6
        assert (verdict.outcome, codes(verdict), verdict.reward) == (
            Outcome.FAIL,
            ["MISSING_QUEENS"],
            pytest.approx(0.75),
        )


@cache
def upright_verdict(name: str) -> Verdict:
    board = sample_5()
    return board.grade(board.pictures.solution if name == "solution" else FAULTS[name][0]())


# A quarter exchanges rows and columns, a half turns their order; three quarters are both. Some faults, in turns.
@pytest.mark.parametrize(
    ("name", "turns"),
    [("solution", 1), ("solution", 2), *((name, 1 + at % 2) for at, name in enumerate(list(FAULTS)[::5]))],
)
def test_turning_board_and_picture_changes_no_verdict(name: str, turns: int) -> None:
    """Boards are turned by quarters: rows become columns, and back."""
    board = sample_5()
    picture = board.pictures.solution if name == "solution" else FAULTS[name][0]()
    upright = upright_verdict(name)
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
    again = ENGINE.grade(GradeJob("turned", task, ImageCandidate(data)))
    assert again.outcome is upright.outcome
    assert (again.score, again.reward) == (upright.score, upright.reward)
    swapped = {"ROW_CONFLICT": "COLUMN_CONFLICT", "COLUMN_CONFLICT": "ROW_CONFLICT"} if turns % 2 else {}
    assert set(codes(again)) == {swapped.get(code, code) for code in codes(upright)}


def test_a_stretch_is_noted_and_judged() -> None:
    board = board_sample(5)
    verdict = board.grade(resized(board.pictures.solution, 400, 320))
    passes(verdict, board.board)
    assert [(note.code, note.message) for note in verdict.notes] == [
        ("STRETCHED", "The puzzle is stretched by 25 % in width.")
    ]
    assert board.grade(board.pictures.solution).notes == ()


def test_a_board_that_goes_on_around_a_small_solved_one_is_another_drawing() -> None:
    """The solution at half its size in a corner of the unsolved board, and four solutions side by side."""
    board = board_sample(5)
    height, width = board.pictures.input.shape[:2]
    inset = board.pictures.input.copy()
    inset[: height // 2, : width // 2] = resized(board.pictures.solution, width // 2, height // 2)
    for picture in (inset, np.tile(board.pictures.solution, (2, 2, 1))):
        verdict = board.grade(picture)
        assert verdict.outcome is Outcome.FAIL
        assert verdict.reward == 0.0
