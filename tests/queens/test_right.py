"""Queens boards: right queens pass however they look."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from grader.model.jobs import GradeJob, ImageCandidate
from grader.model.verdict import Outcome
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
    again = ENGINE.grade(GradeJob("turned", task, ImageCandidate(data)))
    assert again.outcome is upright.outcome
    assert (again.score, again.reward) == (upright.score, upright.reward)
    swapped = {"ROW_CONFLICT": "COLUMN_CONFLICT", "COLUMN_CONFLICT": "ROW_CONFLICT"} if turns % 2 else {}
    assert set(codes(again)) == {swapped.get(code, code) for code in codes(upright)}
