"""Verdicts on pictures of a maze: a path drawn on square, hexagonal, triangular or circular cells."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from detectors.common.colors import hex_of
from detectors.common.light import even_light
from detectors.common.specks import without_specks
from detectors.maze.alterations import find_alterations
from detectors.maze.ink import Ink, find_ink
from detectors.maze.paths import PathFindings, find_path
from detectors.maze.relief.faces import without_faces
from detectors.maze.remainder.around import leads_around
from detectors.maze.remainder.finding import MazeRemainder, find_remainder
from detectors.maze.remainder.roles import Remainder, Role
from detectors.maze.strokes.network import StrokePiece
from grader.alignment.align import align, margin_beside, warp, warp_with_margin
from grader.alignment.whole import find_whole
from grader.media.pyramid import Pyramid
from grader.metrics.amaze_code import MetricSet, amaze_code_scores
from grader.metrics.cells import coverage, pass_score, violation, violation_background
from grader.model.jobs import CandidateKind
from grader.model.verdict import Alignment, Metric, Note, Outcome
from grader.tasks.common.declarations import MetricInfo, similarity_infos
from grader.tasks.common.judgement import (
    Judgement,
    aligned_comparison,
    aligned_errors,
    optional_metric,
    stretch_notes,
)
from grader.tasks.maze.clips.lengths import from_start, length_metrics
from grader.tasks.maze.judge import judge_maze
from grader.tasks.maze.model import PathObservation, WallCrossing
from grader.tasks.maze.overlay import draw_maze_overlay
from grader.tasks.maze.puzzle import MazePuzzle
from grader.tasks.maze.settings import MazeSettings, PathRules
from grader.tasks.maze.ways import dips

_BOTH = (CandidateKind.IMAGE, CandidateKind.VIDEO)

PICTURE_METRICS: tuple[MetricInfo, ...] = (
    MetricInfo(
        "coverage", "Share of the right path's cells that are visited (AMAZE, 2.2).", "1", True, 0.0, 1.0, _BOTH
    ),
    MetricInfo(
        "violation", "Share of the visited cells that are not on the right path (AMAZE, 2.2).", "1", False, 0.0, 1.0
    ),
    MetricInfo("pass", "max(0, coverage - violation) (AMAZE, 2.2); the score.", "1", True, 0.0, 1.0),
    MetricInfo(
        "violation_background",
        "Wrong cells as a share of all cells that are not on the right path, as AMAZE's public code divides.",
        "1",
        False,
        0.0,
        1.0,
    ),
    MetricInfo(
        "mse_in",
        "Mean squared error to the solution over goal cells, channels averaged, on [0, 1]; summed under amaze_code.",
        "1",
        False,
        0.0,
        3.0,
    ),
    MetricInfo("mse_out", "The same over the rest of the picture.", "1", False, 0.0, 3.0),
    MetricInfo(
        "avg",
        "max(0, coverage - violation - mse_in - mse_out), as AMAZE's public code averages; under amaze_code only.",
        "1",
        True,
        0.0,
        1.0,
    ),
    MetricInfo(
        "progress",
        "Share of the right path drawn in order from the start before the first fault.",
        "1",
        True,
        0.0,
        1.0,
        _BOTH,
    ),
    MetricInfo(
        "connected", "1 if one stroke leads from start to goal along the right path, else 0.", "1", True, 0.0, 1.0
    ),
    MetricInfo("wall_crossings", "Borders with a wall that strokes pass through.", "count", False, 0.0, 1e6),
    *similarity_infos(),
)


def judge_maze_picture(puzzle: MazePuzzle, candidate: NDArray[np.uint8], settings: MazeSettings) -> Judgement:
    """Judges one candidate, (H, W, 3) uint8 RGB."""
    return judge_with_way(puzzle, candidate, settings)[0]


def judge_with_way(
    puzzle: MazePuzzle, candidate: NDArray[np.uint8], settings: MazeSettings
) -> tuple[Judgement, MazePuzzle]:
    """Judges one candidate, (H, W, 3) uint8 RGB, and says by which way: that of the puzzle which is given back."""
    plan = puzzle.plan
    # In narrow corridors and small cells a speck may be as wide as a mark.
    pyramid = Pyramid(without_specks(candidate, settings.specks))
    alignment = _unbent(pyramid, _aligned(pyramid, puzzle, settings), puzzle)
    height, width = plan.labels.shape
    view, covered = warp(pyramid, alignment, (width, height), plan.factor)
    view = plan.flattened(view, covered)
    view = even_light(view, plan.picture, plan.floor_sample, settings.light)
    view = without_faces(view, covered, plan, settings.relief)
    ink = find_ink(view, covered, plan, puzzle.asked, settings.ink)
    found = find_path(view, ink, plan, settings.path)
    altered = find_alterations(view, covered, ink, plan, settings.alterations, found.grey_line)
    left = find_remainder(
        view, covered, ink, found, plan, settings.remainder, candidate_px=plan.factor / alignment.mean_scale
    )
    if _is_led_around(pyramid, alignment, puzzle, settings):
        ends = tuple(marker.cell for marker in plan.markers)
        around = Remainder(Role.WAY, ends, settings.remainder.around.visible, 1.0)
        left = replace(left, things=(*left.things, around))
    beside = puzzle.is_shown_with_more(pyramid, alignment, settings.beside)
    given, puzzle = puzzle, puzzle.taking({step for piece in found.pieces for step in piece.steps})
    if puzzle.is_floor:
        found = _without_dips(puzzle, found)
    judged = judge_maze(puzzle, alignment, found, altered, left, beside, settings.judging)
    metrics = _metrics(
        puzzle, pyramid, alignment, found, judged.progress, judged.connected, settings, other_way=puzzle is not given
    )
    if puzzle.is_floor:
        line = from_start(puzzle, found.polyline)
        metrics = (*metrics, *length_metrics(puzzle, line, not judged.reasons, "nothing was drawn"))
    observation = _observation(puzzle, alignment, found, settings.judging)
    score = next(metric.value for metric in metrics if metric.name == "pass")
    judgement = Judgement(
        outcome=Outcome.FAIL if judged.reasons else Outcome.PASS,
        score=score,
        reward=judged.reward,
        metrics=metrics,
        reasons=judged.reasons,
        observation=observation,
        alignment=alignment,
        notes=stretch_notes(alignment, settings.alignment.framing) + _notes(puzzle, ink, found, left, settings.judging),
        overlay=lambda: draw_maze_overlay(puzzle, candidate, alignment, found, altered, left, judged, score=score),
        comparison=lambda: aligned_comparison(pyramid, alignment, puzzle.solution, puzzle.mask),
    )
    return judgement, puzzle


def _aligned(candidate: Pyramid, puzzle: MazePuzzle, settings: MazeSettings) -> Alignment:
    """The alignment of a candidate; curved corridors, which have no rhythm, are looked for as a whole as well."""
    found = align(candidate, puzzle.template, settings.alignment, straight_first=puzzle.is_floor)
    if not puzzle.is_floor or found.quality >= settings.whole.doubtful:
        return found
    guesses = find_whole(candidate, puzzle.picture, settings.whole)
    return align(candidate, puzzle.template, settings.alignment, guesses, straight_first=True)


def _without_dips(puzzle: MazePuzzle, found: PathFindings) -> PathFindings:
    """The findings without pieces of a floor that a line only dips into; what leads aside is told by its length."""
    pieces = []
    for piece in found.pieces:
        off = dips(puzzle.path, piece.cells, piece.steps)
        kept = frozenset(step for step in piece.steps if not off & set(step))
        pieces.append(StrokePiece(piece.cells - off, kept))
    return replace(found, pieces=tuple(pieces))


def _unbent(candidate: Pyramid, alignment: Alignment, puzzle: MazePuzzle) -> Alignment:
    """The same without a bend that fits a textured maze no better: on textures strokes may look like one."""
    plan = puzzle.plan
    if plan.texture is None or alignment.bend is None:
        return alignment
    height, width = plan.labels.shape
    straight = replace(alignment, bend=None)
    bent_off, off = (
        plan.texture.misfit(*warp(candidate, one, (width, height), plan.factor)) for one in (alignment, straight)
    )
    return alignment if bent_off < off else straight


def _is_led_around(candidate: Pyramid, alignment: Alignment, puzzle: MazePuzzle, settings: MazeSettings) -> bool:
    """Whether something leads from marker to marker through what the candidate shows beside the puzzle."""
    config, plan = settings.remainder.around, puzzle.plan
    side, beside = max(puzzle.size), margin_beside(alignment, puzzle.size)
    # On textures nothing around can be told by its colour; who leaves the maze there crosses its outer wall.
    if alignment.method == "FAILED" or beside < config.least * side or plan.texture is not None:
        return False
    margin = round(min(beside, config.most * side) / plan.factor)
    height, width = plan.labels.shape
    view, covered = warp_with_margin(candidate, alignment, (width, height), plan.factor, margin)
    return leads_around(view, covered, margin, plan, config)


def _metrics(
    puzzle: MazePuzzle,
    candidate: Pyramid,
    alignment: Alignment,
    found: PathFindings,
    progress: float,
    connected: bool,
    settings: MazeSettings,
    *,
    other_way: bool,
) -> tuple[Metric, ...]:
    visited = sorted(found.visited)
    goal = puzzle.path
    background = violation_background(visited, goal, len(puzzle.grid.cell_ids))
    structure = (
        Metric("progress", progress),
        Metric("connected", float(connected)),
        Metric("wall_crossings", float(len(found.crossings))),
    )
    missing = [name for name, value in (("solution_image", puzzle.solution), ("mask", puzzle.mask)) if value is None]
    why = "" if not missing else "the request has no " + " and no ".join(f"maze.truth.{name}" for name in missing)
    if other_way:
        why = "another right way was drawn than the one of the solution's picture"
    if settings.metrics is MetricSet.AMAZE_CODE:
        if puzzle.solution is None or puzzle.mask is None:
            names = ("coverage", "violation", "pass", "violation_background", "mse_in", "mse_out", "avg")
            return (*(Metric(name, None, why) for name in names), *structure)
        public = amaze_code_scores(candidate.picture, puzzle.solution, puzzle.mask, puzzle.cell_map, goal)
        return (
            Metric("coverage", public.coverage),
            Metric("violation", public.violation),
            Metric("pass", public.passed),
            Metric("violation_background", public.violation),
            optional_metric("mse_in", public.mse_in, "the mask is black"),
            optional_metric("mse_out", public.mse_out, "the mask is white all over"),
            optional_metric("avg", public.average, "mse_in or mse_out is not available"),
            *structure,
        )
    covered_share, wrong_share = coverage(visited, goal), violation(visited, goal)
    inside, outside = aligned_errors(candidate, alignment, puzzle.solution, puzzle.mask)
    return (
        Metric("coverage", covered_share),
        Metric("violation", wrong_share),
        Metric("pass", pass_score(covered_share, wrong_share)),
        Metric("violation_background", background),
        optional_metric("mse_in", inside, why or "the candidate covers no pixel of the mask"),
        optional_metric("mse_out", outside, why or "the candidate covers no pixel outside the mask"),
        Metric("avg", None, "it belongs to the profile amaze_code"),
        *structure,
    )


def _observation(puzzle: MazePuzzle, alignment: Alignment, found: PathFindings, rules: PathRules) -> PathObservation:
    rest = sorted(found.visited - set(found.order))
    return PathObservation(
        polyline=found.polyline,
        visited_cells=tuple(puzzle.cell(cell) for cell in (*found.order, *rest)),
        wall_crossings=tuple(
            WallCrossing(puzzle.cell(one.first), puzzle.cell(one.second), one.at) for one in found.crossings
        ),
        color_hex="" if found.rgb is None else hex_of(found.rgb),
        color_as_asked=found.as_asked and found.rgb is not None,
        stroke_width_px=2.0 * found.half_width_px,
        pieces=len(found.pieces),
        confidence=max(0.0, alignment.quality) * min(1.0, found.chroma / rules.plain_chroma),
    )


def _notes(
    puzzle: MazePuzzle, ink: Ink, found: PathFindings, left: MazeRemainder, rules: PathRules
) -> tuple[Note, ...]:
    notes: list[Note] = []
    if np.abs(ink.floor_rgb - puzzle.plan.floor_rgb).max() > rules.repainted:
        notes.append(Note("FLOOR_REPAINTED", f"The floor is {hex_of(ink.floor_rgb)}, not as in the puzzle."))
    if found.specked and found.pieces:
        notes.append(Note("SPECKS_IGNORED", f"Specks of ink in {len(found.specked)} cells were taken for noise."))
    if left.companions:
        notes.append(Note("COMPANIONS", "The strokes have a rim, a shadow or a glow."))
    if left.decorated:
        notes.append(Note("DECORATION", "There is something in a corner of the picture, apart from the path."))
    if any(thing.role is Role.AT_MARKER for thing in left.things):
        notes.append(Note("WRITING_AT_MARKER", "There is something beside a marker, in its cell."))
    return tuple(notes)
