"""The shape of what a task says of a candidate, and how an aligned picture is compared with the solution."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grader.alignment.align import warp
from grader.alignment.framing import FramingConfig
from grader.drawing.strip import Strip
from grader.media.frames import Frame
from grader.media.pyramid import Pyramid
from grader.metrics.pixels import split_mse
from grader.model.observations import Observation
from grader.model.verdict import Alignment, Metric, Note, Outcome, Reason
from grader.tools.similarity import Comparison


@dataclass(frozen=True)
class ClipDrawing:
    """How the verdict on a clip is shown.

    Attributes
    ----------
    moments : (frame, caption) of the frames that a contact sheet shows, in order
    draw : the frame with what was seen in it, (H, W, 3) uint8 RGB of the frame's size
    strip : outcome, numbers and reasons
    """

    moments: tuple[tuple[int, str], ...]
    draw: Callable[[Frame], NDArray[np.uint8]]
    strip: Strip


@dataclass(frozen=True)
class Judgement:
    """What a task says of a decoded candidate; the engine makes a verdict of it.

    Attributes
    ----------
    outcome, score, reward, metrics, reasons, notes : as in a verdict
    observation : what was found; None where there was nothing to look into
    alignment : how a picture was laid onto the puzzle's; None for other candidates
    overlay : draws the verdict as an (H, W, 3) uint8 RGB picture; called only when an overlay was asked for; None where
        there is nothing to draw, as for words, and for clips
    marked : the overlay of words: the words as HTML, with what was read of them marked
    drawing : for clips
    comparison : what measures of similarity compare, asked for only where a request wants them; gives None where the
        request holds nothing to compare with
    box_detector : what found boxes in pictures, as it names itself; empty where nothing did
    """

    outcome: Outcome
    score: float | None
    reward: float | None
    metrics: tuple[Metric, ...]
    reasons: tuple[Reason, ...]
    observation: Observation | None
    alignment: Alignment | None = None
    notes: tuple[Note, ...] = ()
    overlay: Callable[[], NDArray[np.uint8]] | None = None
    marked: Callable[[], str] | None = None
    drawing: ClipDrawing | None = None
    comparison: Callable[[], Comparison | None] | None = None
    box_detector: str = ""


def optional_metric(name: str, value: float | None, why_not: str) -> Metric:
    """A metric that has its value, or the reason why it has none."""
    return Metric(name, value) if value is not None else Metric(name, None, why_not)


def stretch_notes(alignment: Alignment, config: FramingConfig) -> tuple[Note, ...]:
    """A note where the puzzle was found to be stretched: it is judged all the same."""
    across, down = alignment.scale
    ratio = down / across
    if alignment.method == "FAILED" or max(ratio, 1.0 / ratio) - 1.0 <= config.stretched:
        return ()
    share, way = (ratio, "width") if ratio > 1.0 else (1.0 / ratio, "height")
    return (Note("STRETCHED", f"The puzzle is stretched by {round(100 * (share - 1.0))} % in {way}."),)


def aligned_comparison(
    candidate: Pyramid,
    alignment: Alignment,
    solution: NDArray[np.uint8] | None,
    mask: NDArray[np.bool_] | None,
) -> Comparison | None:
    """The aligned candidate beside the solution at the puzzle's size, or None where there is no solution or mask."""
    if solution is None or mask is None:
        return None
    view, covered = warp(candidate, alignment, (solution.shape[1], solution.shape[0]), 1)
    return Comparison(view, solution, mask, covered)


def aligned_errors(
    candidate: Pyramid,
    alignment: Alignment,
    solution: NDArray[np.uint8] | None,
    mask: NDArray[np.bool_] | None,
) -> tuple[float | None, float | None]:
    """Masked MSE in and outside of a mask, after alignment, at the puzzle's size; pixels not covered don't count."""
    compared = aligned_comparison(candidate, alignment, solution, mask)
    if compared is None or mask is None:
        return None, None
    return split_mse(compared.candidate, compared.reference, mask, compared.covered)
