"""Verdicts on pictures of the unfolded sheet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.light import light_gain
from detectors.common.surroundings import drawn_beside
from detectors.paper_fold.closer.config import PaperTextureConfig
from detectors.paper_fold.closer.creases import strips_of
from detectors.paper_fold.closer.faint import texture_of
from detectors.paper_fold.closer.looking import look_closer
from detectors.paper_fold.finding import SheetFindings, find_sheet
from detectors.paper_fold.lines import with_lines
from detectors.paper_fold.locating import SheetFrameGuess, find_frames
from detectors.paper_fold.sheet import BareSheet
from grader.alignment.align import align, frame_outline, warp
from grader.alignment.framing import Matrix, compose, scaling, stretch
from grader.media.pyramid import Pyramid
from grader.model.places import PixelBox
from grader.model.verdict import Alignment, Metric, Note, Outcome
from grader.tasks.common.judgement import Judgement, stretch_notes
from grader.tasks.paper_fold.judge import CHEATS, SHEET_CHANGES, SheetJudgement, judge_sheet
from grader.tasks.paper_fold.model import SheetHole, SheetMark, SheetObservation
from grader.tasks.paper_fold.overlay import draw_sheet_overlay
from grader.tasks.paper_fold.puzzle import FoldedPuzzle, SheetState
from grader.tasks.paper_fold.settings import PaperFoldSettings


@dataclass(frozen=True)
class SheetLook:
    """What a picture shows of a state of the sheet: how it lies, what was found (None: not the sheet), what that is."""

    alignment: Alignment
    found: SheetFindings | None
    judged: SheetJudgement


def judge_sheet_picture(puzzle: FoldedPuzzle, candidate: NDArray[np.uint8], settings: PaperFoldSettings) -> Judgement:
    """Judges one candidate, (H, W, 3) uint8 RGB."""
    state = puzzle.states[0]
    look = look_at(state, Pyramid(candidate), settings)
    return Judgement(
        outcome=Outcome.FAIL if look.judged.reasons else Outcome.PASS,
        score=look.judged.score,
        reward=look.judged.reward,
        metrics=sheet_metrics(look.judged),
        reasons=look.judged.reasons,
        observation=observation(look.found),
        alignment=look.alignment,
        notes=(*stretch_notes(look.alignment, settings.alignment.framing), *_notes(look.found, settings)),
        overlay=lambda: draw_sheet_overlay(state, candidate, look.alignment, look.found, look.judged),
    )


def look_at(state: SheetState, candidate: Pyramid, settings: PaperFoldSettings) -> SheetLook:
    """Looks at a picture as one of a state of the sheet."""
    frames = find_frames(candidate, state.sheet)
    most = settings.rules.most_stretch * _stretch_of(candidate, state)
    guesses = [one.matrix for one in frames[: settings.sheet.locating.tried]]
    # A bar beside the picture is no sheet, however well it agrees with a large plain one.
    guesses = [one for one in guesses if _stretched(abs(float(one[0, 0])), abs(float(one[1, 1]))) <= most]
    config = settings.alignment
    in_place = [guess for guess in guesses if _is_in_place(guess, candidate, state, settings)]
    if in_place:
        # A sheet that is seen to lie in its place need not be like the puzzle's, and is not looked for elsewhere.
        enough = settings.rules.placed
        config, guesses = replace(config, good=enough, sure=enough, accept=enough), in_place
    alignment = align(candidate, state.template, config, guesses)
    if guesses and alignment.method not in ("NONE", "RESIZED"):
        # Light that falls off to one side looks like a displacement.
        even = _evenly_lit(state, candidate, guesses[0], settings)
        alignment = alignment if even is None else align(even, state.template, config, guesses)
    if alignment.method == "FAILED" or _stretched(*alignment.scale) > most:
        return SheetLook(alignment, None, judge_sheet(None, state.holes, state.radius, settings.rules))
    height, width = state.sheet.picture.shape[:2]
    view, covered = warp(candidate, alignment, (width, height), state.sheet.factor)
    found = find_sheet(view, covered, state.sheet)
    beside = _sheets_beside(alignment, state, frames, settings) or drawn_beside(
        candidate, frame_outline(alignment, state.size), settings.surroundings
    )
    judged = judge_sheet(found, state.holes, state.radius, settings.rules, beside=beside)
    # What earns nothing needs no second look.
    if any(one.code in CHEATS for one in judged.reasons):
        return SheetLook(alignment, found, judged)
    closer = _look_closer(state, candidate, alignment, view, found, settings)
    if (closer.discs, closer.blots) != (found.discs, found.blots):
        judged = judge_sheet(closer, state.holes, state.radius, settings.rules, beside=beside)
    return SheetLook(alignment, closer, judged)


def _evenly_lit(state: SheetState, candidate: Pyramid, guess: Matrix, settings: PaperFoldSettings) -> Pyramid | None:
    """A picture whose light was evened out, as it is where its sheet is seen to lie; None where it is even."""
    sheet = state.sheet
    height, width = sheet.picture.shape[:2]
    shrunk = compose(scaling(1.0 / sheet.factor, 1.0 / sheet.factor), guess)
    view = cv2.warpAffine(
        candidate.picture, shrunk, (width, height), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE
    )
    gain = light_gain(np.asarray(view, np.uint8), sheet.picture, sheet.sample, settings.sheet.paper.light)
    if gain is None:
        return None
    size = (candidate.picture.shape[1], candidate.picture.shape[0])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    over = cv2.warpAffine(gain, shrunk, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    lit = np.clip(np.rint(candidate.picture * over[..., None]), 0, 255)  # not a threshold: the range of a channel
    return Pyramid(lit.astype(np.uint8))


def _look_closer(
    state: SheetState,
    candidate: Pyramid,
    alignment: Alignment,
    view: NDArray[np.uint8],
    found: SheetFindings,
    settings: PaperFoldSettings,
) -> SheetFindings:
    """What is found on a sheet that seems right once it is looked at again, more closely."""
    sheet, config = with_lines(state.sheet, found.lines), settings.closer
    if sheet.factor > 1:
        factor = sheet.factor // 2
        view, _ = warp(candidate, alignment, (-(-sheet.size[0] // factor), -(-sheet.size[1] // factor)), factor)
    texture = _texture(candidate, alignment, sheet, config.texture)
    block = config.texture.block_px * max(alignment.scale) / sheet.factor
    wide = view.shape[1]
    strips = state.strips(wide, config.crease)
    if found.lines:
        strips = strips_of(sheet, wide / sheet.size[0], config.crease, len(found.lines))
    is_largest = view.shape[1] >= sheet.size[0]
    return look_closer(view, texture, block, found, sheet, strips, config,
                       None if is_largest else lambda: warp(candidate, alignment, sheet.size, 1)[0])  # fmt: skip


def _texture(
    candidate: Pyramid, alignment: Alignment, sheet: BareSheet, config: PaperTextureConfig
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The texture of a candidate, as `texture_of` has it, in the sheet's working frame, where the sheet is."""
    height, width = sheet.picture.shape[:2]
    if alignment.method != "NONE":
        # Apart, since OpenCV is slow with two channels.
        strength, specks = (
            warp(Pyramid(one), alignment, (width, height), sheet.factor)[0]
            for one in texture_of(candidate.picture, config)
        )
        return strength, specks
    # Of what lies in its place only the part that holds the sheet, with a working pixel around, has to be looked at.
    left, top, right, bottom = sheet.box
    left, top, right, bottom = max(0, left - 1), max(0, top - 1), min(width, right + 1), min(height, bottom + 1)
    down, across = (slice(sheet.factor * one, sheet.factor * other) for one, other in ((top, bottom), (left, right)))
    found = np.zeros((2, height, width), np.uint8)
    for whole, part in zip(found, texture_of(candidate.picture[down, across], config), strict=True):
        whole[top:bottom, left:right] = Pyramid(part).reduced(sheet.factor)
    return found[0], found[1]


def is_changed(look: SheetLook) -> bool:
    """Whether a picture does not show the sheet as it is in a state."""
    return look.found is None or any(one.code in SHEET_CHANGES for one in look.judged.reasons)


def _is_in_place(guess: Matrix, candidate: Pyramid, state: SheetState, settings: PaperFoldSettings) -> bool:
    """Whether a sheet that is seen to lie so lies where a plain resize of the candidate has it."""
    height, width = candidate.picture.shape[:2]
    off = guess - stretch((width, height), state.size)
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)
    moved = np.abs(corners @ off[:, :2].T + off[:, 2]).max()
    return bool(moved <= settings.rules.in_place * max(state.size))


def _sheets_beside(
    alignment: Alignment, state: SheetState, frames: Sequence[SheetFrameGuess], settings: PaperFoldSettings
) -> bool:
    """Whether an area of the sheet's shape lies beside it."""
    back = cv2.invertAffineTransform(np.array(alignment.matrix, np.float64).reshape(2, 3))
    outline = (np.array(state.sheet.outline) * state.sheet.factor) @ back[:, :2].T + back[:, 2]
    (left, top), (right, bottom) = outline.min(axis=0), outline.max(axis=0)
    least = settings.sheet.locating.beside * (right - left) * (bottom - top)
    for one in frames:
        x, y, width, height = one.box
        middle = (x + 0.5 * width, y + 0.5 * height)
        within = left <= middle[0] <= right and top <= middle[1] <= bottom
        # What the sheet lies on is not beside it.
        within |= x <= left and y <= top and x + width >= right and y + height >= bottom
        slim = width * (bottom - top) / (height * (right - left))
        if not within and width * height >= least and max(slim, 1.0 / slim) <= settings.sheet.locating.alike:
            return True
    return False


def _stretched(across: float, down: float) -> float:
    """How many times as much one side is scaled as the other."""
    return max(across, down) / max(min(across, down), 1e-9)  # not a threshold: against a division by 0


def _stretch_of(candidate: Pyramid, state: SheetState) -> float:
    """By how much a plain resize stretches a candidate."""
    height, width = candidate.picture.shape[:2]
    ratio = state.size[0] * height / (width * state.size[1])
    return float(max(ratio, 1.0 / ratio))


def sheet_metrics(judged: SheetJudgement) -> tuple[Metric, ...]:
    """The metrics of a picture."""
    return (
        Metric("hole_precision", judged.precision),
        Metric("hole_recall", judged.recall),
        Metric("sheet_iou", judged.whole),
        Metric("holes", float(len(judged.right) + len(judged.wrong))),
    )


def observation(found: SheetFindings | None) -> SheetObservation | None:
    """What was found, for the verdict."""
    if found is None:
        return None
    return SheetObservation(
        tuple(SheetHole(one.center, one.radius, one.contrast, one.fits, one.outside) for one in found.discs),
        tuple(SheetMark(PixelBox(*one.box), one.kind.name) for one in found.blots),
        found.creases,
        found.whole,
    )


def _notes(found: SheetFindings | None, settings: PaperFoldSettings) -> tuple[Note, ...]:
    if found is None or (found.creases < settings.rules.creased and not found.lines):
        return ()
    where = "from rim to rim" if found.lines else "where the folds were"
    return (Note("CREASES", f"Creases are drawn {where}."),)
