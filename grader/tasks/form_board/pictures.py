"""Verdicts on pictures in which pieces were moved into a silhouette."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.framing import inner_frame
from detectors.common.light import light_gain
from detectors.common.surroundings import drawn_beside
from detectors.form_board.board import FormBoardFindings, ShapeSeen, find_board, shows_more
from detectors.form_board.explained import Unexplained, find_unexplained
from detectors.form_board.fitting import ShapeChange
from detectors.form_board.outlines import find_silhouettes
from detectors.form_board.page.leftover import find_left_over, labels_in_place
from grader.alignment.align import align, align_by, frame_outline, warp
from grader.answers.result import Reading
from grader.media.pyramid import Pyramid
from grader.model.verdict import Alignment, Metric, Note, Outcome
from grader.tasks.common.judgement import Judgement, optional_metric, stretch_notes
from grader.tasks.form_board.judge import BoardFit, box_of, judge_closely, judge_drawn_board
from grader.tasks.form_board.model import FormBoardObservation, FormShape
from grader.tasks.form_board.overlay import draw_form_board
from grader.tasks.form_board.puzzle import DrawnBoard, PreparedBoard
from grader.tasks.form_board.settings import FormBoardSettings
from grader.tasks.form_board.steps import moves_that_matter, read_form_steps
from grader.tasks.form_board.words import judge_form_board, rule_note
from grader.tasks.plans.steps import judge_steps
from puzzles.form_board.rules import Tiling

_NONE = "no piece was recognised"
_IN_PLACE = ("NONE", "RESIZED")
"""How pictures are laid onto the puzzle's that lie just as it does."""


def judge_form_board_picture(
    puzzle: PreparedBoard, candidate: NDArray[np.uint8], settings: FormBoardSettings
) -> Judgement:
    """Judges one candidate, (H, W, 3) uint8 RGB."""
    drawn = puzzle.drawn
    pyramid = Pyramid(candidate)
    alignment, seen = read_board(drawn, pyramid, settings)
    beside = alignment.method != "FAILED" and drawn_beside(
        pyramid, frame_outline(alignment, drawn.scene.size), settings.surroundings
    )
    judged = judge_drawn_board(puzzle, seen, beside, settings.placing)
    judged = judge_closely(judged, partial(look_closely, drawn, seen, alignment, settings), settings.placing)
    used = judged.recognised
    right = len(used & judged.tiling.labels)
    return Judgement(
        outcome=Outcome.FAIL if judged.reasons else Outcome.PASS,
        score=0.0 if judged.reasons else 1.0,
        reward=judged.reward,
        metrics=(
            optional_metric("piece_precision", right / len(used) if used else None, _NONE),
            Metric("piece_recall", right / len(judged.tiling.labels)),
            Metric("silhouette_iou", seen.silhouette_iou),
            Metric("pieces_placed", judged.placed),
            Metric("pieces_intact", judged.intact),
            Metric("gaps", min(1.0, judged.gaps)),
        ),
        reasons=judged.reasons,
        observation=observed(seen),
        alignment=alignment,
        notes=(rule_note(puzzle), *stretch_notes(alignment, settings.alignment.framing), *_notes(seen, judged)),
        overlay=lambda: draw_form_board(puzzle, candidate, alignment, seen, judged),
    )


def judge_form_board_steps(
    puzzle: PreparedBoard, images: Sequence[NDArray[np.uint8] | None], text: str, settings: FormBoardSettings
) -> Judgement:
    """Judges a picture after every move."""
    pyramids = [None if one is None else Pyramid(one) for one in images]
    read = [None if one is None else read_board(puzzle.drawn, one, settings) for one in pyramids]
    seen = [None if one is None else one[1] for one in read]
    shown = read_form_steps(puzzle, seen, settings.placing)
    if shown.reached and read[-1] is not None:
        alignment, last = read[-1]
        closely = judge_closely(
            judge_drawn_board(puzzle, last, False, settings.placing),
            partial(look_closely, puzzle.drawn, last, alignment, settings),
            settings.placing,
        )
        shown = replace(shown, reached=not closely.reasons)
    words = judge_form_board(puzzle, text)[Reading.LENIENT]
    judged = judge_steps(
        shown,
        words.moves if words.end is not None else None,
        words.solved,
        min(len(one) for one in puzzle.right),
        settings.plan,
        lambda moves: moves_that_matter(puzzle, moves),
    )
    return replace(judged, notes=(rule_note(puzzle),))


def read_board(
    drawn: DrawnBoard, candidate: Pyramid, settings: FormBoardSettings
) -> tuple[Alignment, FormBoardFindings]:
    """How a picture is laid onto the puzzle's, and what is seen in it."""
    alignment = align(candidate, drawn.template, settings.alignment)
    scene = drawn.scene
    if alignment.method not in _IN_PLACE:
        # Light that falls off to one side looks like a displacement.
        even = _evenly_lit(drawn, candidate, settings)
        alignment = alignment if even is None else align(even, drawn.template, settings.alignment)
    if alignment.method not in (*_IN_PLACE, "FAILED") and _lies_still(drawn, candidate, alignment, settings):
        alignment = _plain(alignment, scene.size)
    if alignment.method == "FAILED":
        alignment = _framed(drawn, candidate, settings) or alignment
    if alignment.method == "FAILED":
        # Nothing but the silhouette may be shown, or the rest of the puzzle in another way.
        boxes = find_silhouettes(candidate.picture, scene, settings.outline)
        tried = [align_by(candidate, drawn.template, box, scene.drawn_box, settings.alignment) for box in boxes]
        good = [one for one in tried if one.quality >= settings.alignment.accept]
        # One where nothing else of the puzzle is shown; what is shown would have to lie where it was given.
        alone = [one for one in tried[:1] if not good and not _shows_more(drawn, candidate, one, settings)]
        alignment = max(good or alone, key=lambda one: one.quality, default=alignment)
    view, covered = _view(drawn, candidate, alignment)
    return alignment, find_board(view, scene, settings.board, covered=covered)


def _plain(alignment: Alignment, size: tuple[int, int]) -> Alignment:
    """The plain resize of a candidate to a (width, height)."""
    across, down = (one / of for one, of in zip(size, alignment.candidate_size, strict=True))
    method = "NONE" if alignment.candidate_size == size else "RESIZED"
    return replace(
        alignment, scale=(across, down), shift_px=(0.0, 0.0), rotation_rad=0.0, covered=1.0, bend=None, method=method,
        matrix=(across, 0.0, 0.0, 0.0, down, 0.0),
    )  # fmt: skip


def _lies_still(drawn: DrawnBoard, candidate: Pyramid, alignment: Alignment, settings: FormBoardSettings) -> bool:
    """Whether the puzzle's labels lie where a plain resize has them, and not where the silhouette would have them.

    Then the silhouette was changed, and not the whole picture.
    """
    scene = drawn.scene
    size = (-(-scene.size[0] // scene.factor), -(-scene.size[1] // scene.factor))
    laid, still = (
        labels_in_place(warp(candidate, one, size, scene.factor)[0], scene, settings.board.left)
        for one in (alignment, _plain(alignment, scene.size))
    )
    return sum(still) >= settings.placing.labels * len(still) > 0 and 2 * sum(laid) <= sum(still)


def _framed(drawn: DrawnBoard, candidate: Pyramid, settings: FormBoardSettings) -> Alignment | None:
    """How a picture within another one is laid onto the puzzle's; None where there is none that agrees with it."""
    frame = inner_frame(candidate.picture, settings.frame)
    if frame is None:
        return None
    left, top, right, bottom = frame
    width, height = drawn.scene.size
    box = (float(left), float(top), float(right), float(bottom))
    found = align_by(candidate, drawn.template, box, (0.0, 0.0, float(width), float(height)), settings.alignment)
    return found if found.quality >= settings.alignment.accept else None


def _shows_more(drawn: DrawnBoard, candidate: Pyramid, alignment: Alignment, settings: FormBoardSettings) -> bool:
    """Whether a picture that is laid onto the puzzle's shows more than what is in the silhouette."""
    scene = drawn.scene
    size = (-(-scene.size[0] // scene.factor), -(-scene.size[1] // scene.factor))
    view, covered = warp(candidate, alignment, size, scene.factor)
    return shows_more(Pyramid(view), covered, scene, settings.board)


def _evenly_lit(drawn: DrawnBoard, candidate: Pyramid, settings: FormBoardSettings) -> Pyramid | None:
    """A picture whose light was evened out, if it shows just what the puzzle's does; None where it is even."""
    height, width = drawn.scene.shrunk.shape[:2]
    view = np.asarray(cv2.resize(candidate.picture, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    gain = light_gain(view, drawn.scene.shrunk, drawn.scene.free, settings.board.light)
    if gain is None:
        return None
    over = cv2.resize(gain, (candidate.picture.shape[1], candidate.picture.shape[0]), interpolation=cv2.INTER_LINEAR)
    lit = np.clip(np.rint(candidate.picture * over[..., None]), 0, 255)  # not a threshold: the range of a channel
    return Pyramid(lit.astype(np.uint8))


def look_closely(
    drawn: DrawnBoard, seen: FormBoardFindings, alignment: Alignment, settings: FormBoardSettings, tiling: Tiling
) -> Unexplained:
    """What in a picture that was looked at closely is not explained by the pieces of a tiling in their places."""
    if seen.zoom is None:
        raise ValueError("the picture was not looked at closely")
    exact, explain = alignment.method in _IN_PLACE, settings.board.explain
    board = drawn.in_place(tiling, explain)
    found = find_unexplained(seen.zoom, drawn.scene, board, exact, explain)
    colors = {label: [color] for label, color in drawn.scene.colors.items()}
    for label, piece in board.pieces.items():
        colors.setdefault(label, []).append(piece.color(seen.zoom.lab))
    return replace(found, left=find_left_over(seen.zoom, drawn.scene, colors, settings.board))


def _view(drawn: DrawnBoard, candidate: Pyramid, alignment: Alignment) -> tuple[Pyramid, NDArray[np.bool_] | None]:
    """The candidate in the puzzle's frame, reduced, and what of that it covers; None for all of it."""
    scene = drawn.scene
    if alignment.method == "NONE" and scene.factor == 1:
        return candidate, None
    size = (-(-scene.size[0] // scene.factor), -(-scene.size[1] // scene.factor))
    view, covered = warp(candidate, alignment, size, scene.factor)
    return Pyramid(view), covered


def _notes(seen: FormBoardFindings, judged: BoardFit) -> tuple[Note, ...]:
    notes = []
    if seen.enclosed:
        notes.append(Note("WRITING", "There is something small within a piece, such as a letter."))
    if seen.beside and all(reason.code != "DRAWN_BESIDE" for reason in judged.reasons):
        notes.append(Note("DECORATION", "Something small is drawn beside the silhouette."))
    return tuple(notes)


def observed(seen: FormBoardFindings) -> FormBoardObservation:
    """What was seen, as verdicts hold it."""
    return FormBoardObservation(
        tuple(_shape(one) for one in seen.shapes),
        seen.silhouette_iou,
        tuple(box_of(one.box) for one in seen.beside),
    )


def _shape(seen: ShapeSeen) -> FormShape:
    whole = seen.change is ShapeChange.AS_GIVEN
    return FormShape(
        piece=seen.label if whole else "",
        change=seen.change.value,
        like="" if whole else seen.label,
        moved_px=seen.moved,
        deviation=seen.deviation,
        box=box_of(seen.box),
    )
