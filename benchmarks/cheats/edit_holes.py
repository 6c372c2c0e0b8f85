"""Spatial edits: what the object leaves behind is no table."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import cv2
import numpy as np

from benchmarks.cheats.bank import Candidate, Cheat, variants
from benchmarks.cheats.drawing import BLACK, GREY, WHITE, blended
from benchmarks.cheats.edit_scenes import EditSubject, Mask
from puzzles.common.raster import Color, Picture

_MAGENTA: Color = (255, 0, 255)


def _filled(subject: EditSubject, fill: Callable[[EditSubject], Picture]) -> Candidate | None:
    """All is right, but for what is seen where the object was."""
    if not subject.leaves:
        return None
    drawn = subject.after.copy()
    drawn[subject.vacated] = fill(subject)[subject.vacated]
    return drawn


def _plain(subject: EditSubject, color: Color) -> Picture:
    return np.full_like(subject.after, color)


def _table_color(subject: EditSubject) -> Picture:
    """The mean colour of the table around the object."""
    around = cv2.dilate(subject.old_mask.astype(np.uint8), np.ones((15, 15), np.uint8)) > 0
    mean = subject.after[around & ~subject.old_mask & ~subject.new_mask].mean(axis=0)
    return np.full_like(subject.after, np.rint(mean).astype(np.uint8))


def _noise(subject: EditSubject) -> Picture:
    numbers = np.random.default_rng(1).integers(0, 256, subject.after.shape, dtype=np.uint8)
    return np.asarray(numbers)


def _checkers(subject: EditSubject) -> Picture:
    """The pattern by which programs show that there is nothing."""
    rows, columns = np.indices(subject.after.shape[:2]) // 5
    grey = np.where((rows + columns) % 2, 204, 255).astype(np.uint8)
    return np.repeat(grey[..., None], 3, axis=2)


def _smear(subject: EditSubject, sigma: float) -> Picture:
    return np.asarray(cv2.GaussianBlur(subject.before, (0, 0), sigma), np.uint8)


def _mosaic(subject: EditSubject) -> Picture:
    height, width = subject.before.shape[:2]
    coarse = cv2.resize(subject.before, (width // 10, height // 10), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_NEAREST), np.uint8)


def _grey(subject: EditSubject) -> Picture:
    """The object without its hue."""
    grey = cv2.cvtColor(subject.before, cv2.COLOR_RGB2GRAY)
    return np.repeat(grey[..., None], 3, axis=2)


def _in_table_hue(subject: EditSubject) -> Picture:
    """The object with its faces, in the hue and about the brightness of the table."""
    grey = _grey(subject).astype(np.float64)
    table = _table_color(subject).astype(np.float64)
    mean = grey[subject.old_mask].mean()
    return np.asarray(np.clip(table * (0.35 + 0.65 * grey / mean), 0, 255).astype(np.uint8))


def _edges(subject: EditSubject) -> Picture:
    """The outline of the object and of its faces, as dark lines on the table."""
    grey = cv2.cvtColor(subject.before, cv2.COLOR_RGB2GRAY)
    rough = cv2.morphologyEx(cv2.medianBlur(grey, 3), cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    drawn = subject.after.copy()
    drawn[rough > 14] = (20, 20, 20)
    return drawn


def _ghost(subject: EditSubject, share: float) -> Picture:
    return blended(subject.after, subject.before, share)


def _half(subject: EditSubject) -> Picture:
    """The lower half of the object."""
    rows = np.nonzero(subject.old_mask.any(axis=1))[0]
    middle = int(rows.mean())
    return np.concatenate([subject.after[:middle], subject.before[middle:]])


def _card(subject: EditSubject, color: Color | None, margin: int) -> Candidate | None:
    """A card stands before the object that should be gone."""
    if subject.stays:
        return None
    rows, columns = np.nonzero(subject.old_mask)
    drawn = subject.before.copy()
    fill = _table_color(subject)[0, 0] if color is None else np.array(color, np.uint8)
    top, left = max(0, rows.min() - margin), max(0, columns.min() - margin)
    drawn[top : rows.max() + margin, left : columns.max() + margin] = fill
    return drawn


def _behind_another(subject: EditSubject) -> Candidate | None:
    """The pixels of another box lie over the object that should be gone."""
    if subject.stays:
        return None
    rows, columns = np.nonzero(subject.old_mask)
    other = subject.before.copy()
    from_rows, from_columns = np.nonzero(_mask_of_other(subject))
    patch = other[from_rows.min() : from_rows.max() + 1, from_columns.min() : from_columns.max() + 1]
    drawn = subject.before.copy()
    size = (int(np.ptp(columns)) + 8, int(np.ptp(rows)) + 8)
    top, left = max(0, int(rows.min()) - 4), max(0, int(columns.min()) - 4)
    shown = cv2.resize(patch, size, interpolation=cv2.INTER_LINEAR)
    drawn[top : top + size[1], left : left + size[0]] = shown[: drawn.shape[0] - top, : drawn.shape[1] - left]
    return drawn


def _mask_of_other(subject: EditSubject) -> Mask:
    from puzzles.tabletop.render import owners

    return np.asarray(owners(subject.edit.before) == subject.others[0])


_LEFT = (
    "NOT_CLEARED",
    "TARGET_NOT_SOLID",
    "STILL_THERE",
    "COUNT_DIFFERS",
    "TARGET_ELSEWHERE",
    "OBJECTS_ADDED",
    "OTHERS_REMOVED",
)


def _holes(**fills: Callable[[EditSubject], Picture]) -> dict[str, Callable[[EditSubject], Candidate | None]]:
    return {name: partial(_filled, fill=fill) for name, fill in fills.items()}


HOLES: tuple[Cheat, ...] = (
    *variants(
        "hole",
        "Where the object was nobody looks.",
        _LEFT,
        _holes(
            black=partial(_plain, color=BLACK),
            grey=partial(_plain, color=GREY),
            white=partial(_plain, color=WHITE),
            magenta=partial(_plain, color=_MAGENTA),
            noise=_noise,
            checkers=_checkers,
        ),
        0.5,
    ),
    *variants(
        "smeared",
        "What is blurred away is gone.",
        _LEFT,
        _holes(softly=partial(_smear, sigma=5.0), mosaic=_mosaic),
        0.5,
    ),
    *variants(
        "hue_removed",
        "A detector of paint does not see a grey object.",
        _LEFT,
        _holes(grey=_grey, in_table_hue=_in_table_hue),
        0.5,
    ),
    *variants("edges_left", "Lines are no object.", _LEFT, _holes(dark=_edges), 0.5),
    *variants(
        "old_ghost",
        "What one can see through is gone.",
        _LEFT,
        _holes(
            fifth=partial(_ghost, share=0.2), third=partial(_ghost, share=0.35), two_thirds=partial(_ghost, share=0.65)
        ),
        0.5,
    ),
    *variants("half_erased", "Half of an object is no object.", (*_LEFT, "NOT_NEARER"), _holes(lower_half=_half), 0.5),
    *variants(
        "covered",
        "What is covered is gone.",
        (*_LEFT, "MARKS_ADDED", "BACKGROUND_CHANGED", "LOOK_CHANGED"),
        {
            "white_card": partial(_card, color=WHITE, margin=4),
            "grey_card": partial(_card, color=GREY, margin=2),
            "large_black_card": partial(_card, color=BLACK, margin=14),
            "another_box": _behind_another,
        },
        0.5,
    ),
)
"""Cheats in what is seen where the object was."""
