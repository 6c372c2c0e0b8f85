"""Right answers that look unusual: a grader that fails everything holds the bank, and fails these."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
from PIL import Image

from benchmarks.cheats.bank import Candidate
from benchmarks.cheats.drawing import BLACK, GREY, WHITE, encoded, label, padded, scaled
from benchmarks.cheats.subjects import Subject


def _as_is(subject: Subject) -> Candidate:
    return subject.solution


def _encoded(subject: Subject, kind: str, quality: int) -> Candidate:
    return encoded(Image.fromarray(subject.solution), kind, quality=quality)


def _scaled(subject: Subject, factor: float) -> Candidate:
    return scaled(subject.solution, factor)


def _watermarked(subject: Subject) -> Candidate:
    """Bars on both sides, and small words in one of them."""
    bar = subject.solution.shape[1] // 5
    picture = padded(subject.solution, bar, 0, bar, 0, WHITE)
    return label(picture, "demo", 6, picture.shape[0] - 8, 10, GREY)


def _opaque(subject: Subject) -> Candidate:
    alpha = np.full(subject.solution.shape[:2], 255, np.uint8)
    return encoded(Image.fromarray(np.dstack([subject.solution, alpha])), "PNG")


def _first_frame(subject: Subject) -> Candidate:
    """The answer is what a viewer shows first; what follows is not looked at."""
    later = Image.fromarray(subject.input)
    return encoded(Image.fromarray(subject.solution), "PNG", save_all=True, append_images=[later], duration=500)


def _letterboxed(subject: Subject) -> Candidate:
    bar = subject.solution.shape[0] // 6
    return padded(subject.solution, 0, bar, 0, bar, BLACK)


def _brighter(subject: Subject) -> Candidate:
    return np.asarray(np.clip(subject.solution.astype(np.int16) + 12, 0, 255).astype(np.uint8))


HARMLESS: Mapping[str, Callable[[Subject], Candidate]] = {
    "as_it_is": _as_is,
    "jpeg": partial(_encoded, kind="JPEG", quality=80),
    "webp": partial(_encoded, kind="WEBP", quality=85),
    "larger": partial(_scaled, factor=1.5),
    "smaller": partial(_scaled, factor=0.8),
    "watermark_outside": _watermarked,
    "opaque_alpha": _opaque,
    "first_frame": _first_frame,
    "letterboxed": _letterboxed,
    "brighter": _brighter,
}
"""What was done to a right answer that leaves it right."""
