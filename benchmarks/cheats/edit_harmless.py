"""Right edits that look unusual: what files, models and light do to a right picture, which leaves it right."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import cv2
import numpy as np
from PIL import Image

from benchmarks.cheats.bank import Candidate
from benchmarks.cheats.drawing import encoded
from benchmarks.cheats.edit_scenes import EditSubject


def _as_is(subject: EditSubject) -> Candidate:
    return subject.after


def _jpeg(subject: EditSubject) -> Candidate:
    return encoded(Image.fromarray(subject.after), "JPEG", quality=75)


def _decoded(subject: EditSubject) -> Candidate:
    """A little blurred and noisy, as after an encoder and a decoder of latents."""
    soft = cv2.GaussianBlur(subject.after, (0, 0), 0.9)
    noise = np.random.default_rng(0).normal(0, 2.5, soft.shape)
    return np.asarray(np.clip(soft + noise, 0, 255).astype(np.uint8))


def _toned(subject: EditSubject, gains: tuple[float, float, float]) -> Candidate:
    return np.asarray(np.clip(subject.after * np.array(gains), 0, 255).astype(np.uint8))


def _down_and_up(subject: EditSubject) -> Candidate:
    height, width = subject.after.shape[:2]
    size = (width * 3 // 5, height * 3 // 5)
    small = cv2.resize(subject.after, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC), np.uint8)


def _inpainted(subject: EditSubject) -> Candidate:
    """The old place is filled in smoothly from what is around it, once the old shadow is gone."""
    drawn = subject.after.copy()
    filled = cv2.inpaint(subject.after, subject.old_mask.astype(np.uint8), 4, cv2.INPAINT_TELEA)
    drawn[subject.vacated] = filled[subject.vacated]
    return drawn


def _shadow_left(subject: EditSubject) -> Candidate:
    """The object's shadow is where it was."""
    drawn = subject.before.copy()
    drawn[subject.old_mask] = subject.empty[subject.old_mask]
    drawn[subject.new_mask] = subject.after[subject.new_mask]
    return drawn


EDIT_HARMLESS: Mapping[str, Callable[[EditSubject], Candidate]] = {
    "as_it_is": _as_is,
    "jpeg": _jpeg,
    "decoded": _decoded,
    "darker": partial(_toned, gains=(0.98, 0.98, 0.98)),
    "brighter": partial(_toned, gains=(1.02, 1.02, 1.02)),
    "warmer": partial(_toned, gains=(1.02, 1.0, 0.98)),
    "down_and_up": _down_and_up,
    "inpainted": _inpainted,
    "shadow_left": _shadow_left,
}
"""What was done to a right edit that leaves it right; the last two are for edits that clear a place."""
