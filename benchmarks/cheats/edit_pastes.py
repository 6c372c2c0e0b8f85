"""Spatial edits: the right background, and in the right place something that is no solid box."""

from __future__ import annotations

import math
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.cheats.bank import Candidate, Cheat, variants
from benchmarks.cheats.drawing import blended
from benchmarks.cheats.edit_scenes import EditSubject, Mask
from benchmarks.cheats.edit_wrong_scenes import BESIDES, NOT_IT, NOTHING
from puzzles.common.raster import Picture
from puzzles.tabletop.edits import Operation
from puzzles.tabletop.solids import CORNER_SIGNS, FACE_CORNERS, corners

_EDGES = [(i, j) for i in range(8) for j in range(i + 1, 8) if np.abs(CORNER_SIGNS[i] - CORNER_SIGNS[j]).sum() == 2]


def _paint(subject: EditSubject) -> Picture:
    """The object's mean colour everywhere."""
    return np.full_like(subject.after, np.rint(subject.before[subject.old_mask].mean(axis=0)).astype(np.uint8))


def _on_empty(subject: EditSubject, shown: Picture, mask: Mask) -> Candidate:
    drawn = subject.empty.copy()
    drawn[mask] = shown[mask]
    return drawn


def _sticker(subject: EditSubject, shadow: bool) -> Candidate | None:
    """The right outline in one colour."""
    if not subject.stays:
        return None
    drawn = (subject.after if shadow else subject.empty).copy()
    drawn[subject.new_mask] = _paint(subject)[subject.new_mask]
    return drawn


def _lines(subject: EditSubject, width: int, inner: bool) -> Candidate | None:
    """The edges of the right box, drawn on the table."""
    if not subject.stays:
        return None
    drawn = subject.empty.copy()
    pixels = subject.edit.after.camera.project(corners(subject.new.box))
    color = tuple(int(value) for value in _paint(subject)[0, 0])
    if inner:
        ends = _EDGES
    else:
        hull = cv2.convexHull(pixels.astype(np.float32), returnPoints=False)[:, 0].tolist()
        ends = list(zip(hull, [*hull[1:], hull[0]], strict=True))
    for start, end in ends:
        points = [tuple(round(float(value) * 16) for value in pixels[at] - 0.5) for at in (start, end)]
        cv2.line(drawn, points[0], points[1], color, width, cv2.LINE_AA, 4)
    return drawn


def _new_ghost(subject: EditSubject, share: float) -> Candidate | None:
    """The object in its new place, so that the table is seen through it."""
    if not subject.stays:
        return None
    drawn = subject.after.copy()
    drawn[subject.new_mask] = blended(subject.empty, subject.after, share)[subject.new_mask]
    return drawn


def _cross_fade(subject: EditSubject) -> Candidate:
    return blended(subject.before, subject.after, 0.5)


def _pierced(subject: EditSubject, holes: str) -> Candidate | None:
    """The right box with holes, through which the table is seen."""
    if not subject.stays:
        return None
    rows, columns = np.indices(subject.new_mask.shape)
    if holes == "checkers":
        open_ = (rows // 3 + columns // 3) % 2 == 1
    elif holes == "stripes":
        open_ = columns % 6 < 3
    else:
        inner = cv2.distanceTransform(subject.new_mask.astype(np.uint8), cv2.DIST_L2, 5)
        open_ = inner > inner.max() * 0.3
    drawn = subject.after.copy()
    drawn[open_ & subject.new_mask] = subject.empty[open_ & subject.new_mask]
    return drawn


def _half(subject: EditSubject, side: str) -> Candidate | None:
    """Half of the right box."""
    if not subject.stays:
        return None
    rows, columns = np.nonzero(subject.new_mask)
    cut = np.zeros_like(subject.new_mask)
    if side == "lower":
        cut[: int(np.percentile(rows, 55))] = True
    else:
        cut[:, : int(np.percentile(columns, 55))] = True
    drawn = subject.after.copy()
    drawn[cut & subject.new_mask] = subject.empty[cut & subject.new_mask]
    return drawn


def _disc(subject: EditSubject) -> Candidate | None:
    """A disc of the object's colour in the middle of the right place."""
    if not subject.stays:
        return None
    rows, columns = np.nonzero(subject.new_mask)
    radius = math.sqrt(len(rows) / math.pi)
    drawn = subject.empty.copy()
    color = tuple(int(value) for value in _paint(subject)[0, 0])
    cv2.circle(drawn, (round(columns.mean()), round(rows.mean())), round(radius), color, -1, cv2.LINE_AA)
    return drawn


def _specks(subject: EditSubject) -> Candidate | None:
    """Noise in the object's colour over the right place."""
    if not subject.stays:
        return None
    on = np.random.default_rng(3).random(subject.new_mask.shape) < 0.45
    return _on_empty(subject, _paint(subject), on & subject.new_mask)


def _speck(subject: EditSubject) -> Candidate | None:
    """A speck of paint in the right place."""
    if not subject.stays:
        return None
    rows, columns = np.nonzero(subject.new_mask)
    drawn = subject.empty.copy()
    cv2.circle(drawn, (round(columns.mean()), round(rows.mean())), 2, _paint(subject)[0, 0].tolist(), -1)
    return drawn


def _carried(subject: EditSubject, matrix: NDArray[np.floating | np.integer]) -> Candidate:
    """The object's pixels, carried elsewhere in the picture as they are, on the empty table."""
    size = (subject.before.shape[1], subject.before.shape[0])
    shown = np.asarray(cv2.warpAffine(subject.before, matrix, size, flags=cv2.INTER_LINEAR), np.uint8)
    mask = cv2.warpAffine(subject.old_mask.astype(np.uint8), matrix, size, flags=cv2.INTER_NEAREST) > 0
    return _on_empty(subject, shown, mask)


def _turned_pixels(subject: EditSubject) -> Candidate | None:
    """The object's pixels turned in the picture, not on the table."""
    if subject.operation is not Operation.ROTATE:
        return None
    rows, columns = np.nonzero(subject.old_mask)
    middle = (float(columns.mean()), float(rows.mean()))
    return _carried(subject, cv2.getRotationMatrix2D(middle, math.degrees(subject.edit.angle), 1.0))


def _mirrored_pixels(subject: EditSubject) -> Candidate | None:
    """The object's pixels upside down."""
    if subject.operation is not Operation.ROTATE:
        return None
    rows, _ = np.nonzero(subject.old_mask)
    return _carried(subject, np.array([[1.0, 0.0, 0.0], [0.0, -1.0, float(rows.min() + rows.max())]]))


def _zoomed_pixels(subject: EditSubject) -> Candidate | None:
    """The object's pixels scaled about the middle of the picture, so that it is elsewhere, too."""
    if subject.operation is not Operation.RESIZE:
        return None
    factor = float(np.prod(np.divide(subject.new.size, subject.old.size)) ** (1 / 3))
    return _carried(subject, cv2.getRotationMatrix2D((0.0, 0.0), 0.0, factor))


def _lifted(subject: EditSubject, share: float) -> Candidate | None:
    """The right box, which hangs in the air over its shadow."""
    if not subject.moves:
        return None
    rows, _ = np.nonzero(subject.new_mask)
    up = int(np.ptp(rows) * share)
    drawn = subject.after.copy()
    drawn[subject.new_mask] = subject.empty[subject.new_mask]
    raised = np.zeros_like(subject.new_mask)
    raised[:-up] = subject.new_mask[up:]
    drawn[raised] = subject.after[np.roll(subject.new_mask, 0)][: int(raised.sum())]
    return drawn


def _no_faces(subject: EditSubject) -> Candidate | None:
    """The right box with one face alone."""
    if not subject.stays:
        return None
    pixels = subject.edit.after.camera.project(corners(subject.new.box))
    face = np.rint(pixels[list(FACE_CORNERS[2])] - 0.5).astype(np.int32)
    mask = np.zeros(subject.new_mask.shape, np.uint8)
    cv2.fillConvexPoly(mask, face, 1)
    return _on_empty(subject, subject.after, mask > 0)


_NO_SOLID = (*NOT_IT, *BESIDES, "TARGET_NOT_SOLID", "LOOK_CHANGED", "NOT_CLEARED", "MARKS_ADDED")

PASTES: tuple[Cheat, ...] = (
    *variants(
        "sticker",
        "An outline in the right colour is an object.",
        _NO_SOLID,
        {"with_shadow": partial(_sticker, shadow=True), "without": partial(_sticker, shadow=False)},
        0.5,
    ),
    *variants(
        "lines_alone",
        "Lines where the box should be are a box.",
        _NO_SOLID,
        {
            "wire_frame": partial(_lines, width=1, inner=True),
            "thick_frame": partial(_lines, width=4, inner=True),
            "outline": partial(_lines, width=2, inner=False),
        },
        0.5,
    ),
    *variants(
        "new_ghost",
        "What one can see through is there.",
        _NO_SOLID,
        {"third": partial(_new_ghost, share=0.35), "half": partial(_new_ghost, share=0.5)},
        0.5,
    ),
    *variants(
        "cross_fade",
        "Half of both pictures is half right twice.",
        _NO_SOLID,
        {"half": _cross_fade},
        0.5,
    ),
    *variants(
        "pierced",
        "A box may have holes.",
        _NO_SOLID,
        {
            "checkers": partial(_pierced, holes="checkers"),
            "stripes": partial(_pierced, holes="stripes"),
            "hollow": partial(_pierced, holes="hollow"),
        },
        0.5,
    ),
    *variants(
        "half_a_box",
        "The rest is hidden by the table.",
        _NO_SOLID,
        {"lower": partial(_half, side="lower"), "right": partial(_half, side="right"), "top_face": _no_faces},
        0.5,
    ),
    *variants(
        "no_box",
        "Any paint in the right place will do.",
        _NO_SOLID,
        {"disc": _disc, "specks": _specks, "speck": _speck},
        0.5,
    ),
    *variants(
        "turned_in_the_picture",
        "Pixels are turned more easily than a box.",
        (*_NO_SOLID, *NOTHING),
        {"turned": _turned_pixels, "upside_down": _mirrored_pixels},
        0.5,
    ),
    *variants(
        "zoomed_pixels", "Pixels are zoomed more easily than a box.", _NO_SOLID, {"about_corner": _zoomed_pixels}, 0.5
    ),
    *variants(
        "in_the_air",
        "A box over the right place is in it.",
        _NO_SOLID,
        {"half": partial(_lifted, share=0.5), "whole": partial(_lifted, share=1.0)},
        0.5,
    ),
)
"""Cheats in what is drawn where the object should be."""
