"""Verdicts on pictures of a board: queens drawn on it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from detectors.common.light import even_light
from detectors.queens.queens import BoardFindings, find_queens
from detectors.queens.remainder.finding import BoardRemainder, BoardRole, find_board_remainder
from grader.alignment.align import align, warp
from grader.media.pyramid import Pyramid
from grader.metrics.amaze_code import MetricSet, fit_as_public, summed_mse
from grader.metrics.cells import pass_score
from grader.model.places import PixelBox
from grader.model.verdict import Alignment, Metric, Note, Outcome
from grader.tasks.common.beside import other_drawings
from grader.tasks.common.declarations import MetricInfo, similarity_infos
from grader.tasks.common.judgement import (
    Judgement,
    aligned_comparison,
    aligned_errors,
    optional_metric,
    stretch_notes,
)
from grader.tasks.queens.judge import BoardJudgement, judge_board
from grader.tasks.queens.model import Queen, QueensObservation, RejectedMark
from grader.tasks.queens.overlay import draw_board_overlay
from grader.tasks.queens.puzzle import QueensPuzzle
from grader.tasks.queens.settings import QueensSettings

METRICS: tuple[MetricInfo, ...] = (
    MetricInfo("coverage", "Share of the solution's cells that hold a queen (AMAZE, 2.2).", "1", True, 0.0, 1.0),
    MetricInfo("violation", "Share of the drawn queens that are wrong (AMAZE, 2.2).", "1", False, 0.0, 1.0),
    MetricInfo("pass", "max(0, coverage - violation) (AMAZE, 2.2); the score.", "1", True, 0.0, 1.0),
    MetricInfo("violation_complement", "1 - coverage, which AMAZE's Table 1 shows as violation.", "1", False, 0.0, 1.0),
    MetricInfo(
        "mse_in",
        "Mean squared error to the solution over its cells, channels averaged, on [0, 1]; summed under amaze_code.",
        "1",
        False,
        0.0,
        3.0,
    ),
    MetricInfo("mse_out", "The same over the rest of the picture.", "1", False, 0.0, 3.0),
    MetricInfo("legal", "1 if there are n queens and no rule is broken, else 0.", "1", True, 0.0, 1.0),
    MetricInfo(
        "conflicts", "Rows, columns and regions with two queens or more, and touching pairs.", "count", False, 0.0, 1e6
    ),
    MetricInfo("queens", "Queens drawn.", "count", True, 0.0, 1e6),
    *similarity_infos(),
)


def judge_board_picture(puzzle: QueensPuzzle, candidate: NDArray[np.uint8], settings: QueensSettings) -> Judgement:
    """Judges one candidate, (H, W, 3) uint8 RGB."""
    board = puzzle.board
    pyramid = Pyramid(candidate)
    alignment = align(pyramid, puzzle.template, settings.alignment)
    height, width = board.picture.shape[:2]
    view, covered = warp(pyramid, alignment, (width, height), board.factor)
    view = even_light(view, board.picture, board.sample, settings.light)
    found = find_queens(view, covered, board, settings.queens)
    left = _remainder(puzzle, pyramid, alignment, found, settings)
    beside = other_drawings(pyramid, alignment, puzzle.template, settings.beside)
    given, puzzle = puzzle, puzzle.taking([(queen.row, queen.column) for queen in found.queens])
    judged = judge_board(puzzle, alignment, found, left, beside, settings)
    return Judgement(
        outcome=Outcome.FAIL if judged.reasons else Outcome.PASS,
        score=pass_score(judged.coverage, judged.violation),
        reward=judged.reward,
        metrics=_metrics(puzzle, pyramid, alignment, found, judged, settings, other_placement=puzzle is not given),
        reasons=judged.reasons,
        observation=_observation(puzzle, found, left),
        alignment=alignment,
        notes=stretch_notes(alignment, settings.alignment.framing) + _notes(left),
        overlay=lambda: draw_board_overlay(puzzle, candidate, alignment, found, left, judged),
        comparison=lambda: aligned_comparison(pyramid, alignment, puzzle.solution, puzzle.goal_mask),
    )


def _remainder(
    puzzle: QueensPuzzle, candidate: Pyramid, alignment: Alignment, found: BoardFindings, settings: QueensSettings
) -> BoardRemainder:
    """What is left over; nothing where there is no board to hold it against."""
    small = min(puzzle.board.cell) * puzzle.board.factor < settings.remainder.least_cell_px
    if alignment.method == "FAILED" or found.covered or small:
        return BoardRemainder()
    close = puzzle.close.board
    height, width = close.picture.shape[:2]
    view, covered = warp(candidate, alignment, (width, height), close.factor)
    return find_board_remainder(
        view,
        covered,
        found.queens,
        puzzle.close,
        settings.remainder,
        candidate_px=close.factor / alignment.mean_scale,
    )


def _notes(left: BoardRemainder) -> tuple[Note, ...]:
    notes: list[Note] = []
    if any(thing.role is BoardRole.DECORATION for thing in left.things):
        notes.append(Note("DECORATION", "There is a small sign in a corner."))
    return tuple(notes)


def _metrics(
    puzzle: QueensPuzzle,
    candidate: Pyramid,
    alignment: Alignment,
    found: BoardFindings,
    judged: BoardJudgement,
    settings: QueensSettings,
    *,
    other_placement: bool,
) -> tuple[Metric, ...]:
    inside, outside = _errors(puzzle, candidate, alignment, settings)
    why = "the request has no queens.truth.solution_image" if puzzle.solution is None else "no pixel is covered"
    if other_placement:
        why = "another right placement was drawn than the one of the solution's picture"
    return (
        Metric("coverage", judged.coverage),
        Metric("violation", judged.violation),
        Metric("pass", pass_score(judged.coverage, judged.violation)),
        Metric("violation_complement", 1.0 - judged.coverage),
        optional_metric("mse_in", inside, why),
        optional_metric("mse_out", outside, why),
        Metric("legal", float(judged.legal)),
        Metric("conflicts", float(judged.conflicts)),
        Metric("queens", float(len(found.queens))),
    )


def _errors(
    puzzle: QueensPuzzle, candidate: Pyramid, alignment: Alignment, settings: QueensSettings
) -> tuple[float | None, float | None]:
    if puzzle.solution is None:
        return None, None
    if settings.metrics is MetricSet.AMAZE_CODE:
        # The public code has no metric for boards but this one, when it is given a mask of the goal cells.
        return summed_mse(fit_as_public(candidate.picture, puzzle.solution.shape), puzzle.solution, puzzle.goal_mask)
    return aligned_errors(candidate, alignment, puzzle.solution, puzzle.goal_mask)


def _observation(puzzle: QueensPuzzle, found: BoardFindings, left: BoardRemainder) -> QueensObservation:
    queens = tuple(Queen(mark.row, mark.column, mark.center, mark.radius, mark.confidence) for mark in found.queens)
    marks = [RejectedMark(PixelBox(*mark.box), mark.code) for mark in found.others]
    width, height = (side / puzzle.n for side in puzzle.size)
    taken = {(int((box.top + 0.5 * box.height) / height), int((box.left + 0.5 * box.width) / width)) for box in
             (mark.box for mark in marks)}  # fmt: skip
    for thing in left.things:
        for row, column in thing.cells:
            if (row, column) not in taken and thing.role is not BoardRole.DECORATION:
                marks.append(RejectedMark(PixelBox(column * width, row * height, width, height), thing.role.name))
    return QueensObservation(queens, tuple(marks))
