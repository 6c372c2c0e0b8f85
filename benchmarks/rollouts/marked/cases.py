"""Composes series: what is drawn, where, in which pictures, how visible, and what happens to all pictures."""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from benchmarks.composed.visibility import visibility
from benchmarks.rollouts.marked.marks import INKS, SHAPES, Mark, draw_mark
from benchmarks.rollouts.marked.subjects import Spot, Subject, lot_subject, tile_subject
from grader.v1 import service_pb2
from puzzles.amaze.files import png_bytes
from puzzles.common.lettering import draw_text
from puzzles.common.raster import Picture

A_PUZZLE = 10
"""So many cases in a row share a puzzle."""

PLACES = ("thing", "floor", "still", "across")
SPANS = ("all", "one", "last", "from")
NUISANCES = ("none", "jpeg", "noise", "rescale", "drift", "blur", "caption", "mixed")


@dataclass(frozen=True)
class MarkedCase:
    """A composed series.

    Attributes
    ----------
    seed : its number
    task : lot or tiles
    mark : what is drawn; None where nothing is
    place : on a vehicle or tile, the floor or any place of the board, an obstacle or the blank, or across everything
    span : in which pictures
    nuisance : what happens to all
    """

    seed: int
    task: str
    mark: Mark | None
    place: str
    span: str
    nuisance: str


@dataclass(frozen=True, eq=False)
class MadeCase:
    """A composed series with its pictures, and how visible what is drawn is in the picture that shows it best."""

    case: MarkedCase
    request: service_pb2.GradeRequest
    pictures: tuple[Picture, ...]
    visible: float


def case_of(seed: int) -> MarkedCase:
    """The case of a number; two in three are wrong."""
    dice = np.random.default_rng([seed, 77])

    def one(values: tuple[str, ...]) -> str:
        return values[int(dice.integers(len(values)))]

    task = "lot" if seed // A_PUZZLE % 2 == 0 else "tiles"
    nuisance, place, span = one(NUISANCES), one(PLACES), one(SPANS)
    large = place == "across" or dice.random() < 0.3
    size = float(dice.uniform(1.5, 5.0) if large else dice.uniform(0.25, 1.4))
    if task == "tiles":
        size *= 0.6
    stroke = float(dice.choice((0.02, 0.04, 0.08, 0.14)))
    opacity = float(dice.choice((0.12, 0.25, 0.4, 0.7, 1.0)))
    mark = Mark(one(SHAPES), one(INKS), opacity, size, stroke, seed)
    return MarkedCase(seed, task, mark if seed % 3 else None, place, span, nuisance)


@lru_cache(maxsize=2)
def _subject(task: str, number: int) -> Subject:
    return lot_subject(number) if task == "lot" else tile_subject(number)


def make_case(seed: int) -> MadeCase:
    """Draws the case of a number."""
    case = case_of(seed)
    subject = _subject(case.task, seed // A_PUZZLE)
    dice = np.random.default_rng([seed, 78])
    count = len(subject.pictures)
    first = int(dice.integers(count))
    shown = {"all": range(count), "one": (first,), "last": (count - 1,), "from": range(first, count)}[case.span]
    drawn = list(subject.pictures)
    if case.mark is not None:
        which, aside, free = int(dice.integers(99)), dice.uniform(-0.25, 0.25, 2), dice.uniform(0.12, 0.88, 2)
        for place in shown:
            at = _spot(case, subject, place, which, aside, free)
            drawn[place] = draw_mark(drawn[place], case.mark, at, subject.unit_px)
            drawn[place] = _within(drawn[place], subject.pictures[place], subject.box)
    noisy = [_disturbed(picture, case, number, subject.box) for number, picture in enumerate(drawn)]
    visible = max(
        (
            visibility(clean, marked, final if final.shape == marked.shape else None)
            for clean, marked, final in zip(subject.pictures, drawn, noisy, strict=True)
        ),
        default=0.0,
    )
    request = service_pb2.GradeRequest()
    request.CopyFrom(subject.request)
    request.request_id = f"marked-{seed}"
    for picture in noisy:
        request.frames.images.add().data = png_bytes(picture)
    return MadeCase(case, request, tuple(noisy), visible)


def _spot(
    case: MarkedCase, subject: Subject, place: int, which: int, aside: NDArray[np.float64], free: NDArray[np.float64]
) -> Spot:
    left, top, right, bottom = subject.box
    anywhere = (left + free[0] * (right - left), top + free[1] * (bottom - top))
    spots = {"thing": subject.things, "still": subject.still}.get(case.place)
    if spots is None or not spots[place]:
        return float(anywhere[0]), float(anywhere[1])
    x, y = spots[place][which % len(spots[place])]
    return float(x + aside[0] * subject.unit_px), float(y + aside[1] * subject.unit_px)


def _within(picture: Picture, before: Picture, box: tuple[float, float, float, float]) -> Picture:
    """What is drawn, within the lot or board alone: what is outside of it is a caption."""
    left, top, right, bottom = (round(edge) for edge in box)
    kept = before.copy()
    kept[max(0, top) : bottom, max(0, left) : right] = picture[max(0, top) : bottom, max(0, left) : right]
    return kept


def _disturbed(picture: Picture, case: MarkedCase, number: int, box: tuple[float, float, float, float]) -> Picture:
    own, whole = np.random.default_rng([case.seed, 79, number]), np.random.default_rng([case.seed, 80])
    strength = float(whole.random())
    names = ("drift", "blur", "noise", "jpeg") if case.nuisance == "mixed" else (case.nuisance,)
    if case.nuisance == "mixed":
        strength /= 2
    for name in names:
        picture = _one(picture, name, strength, own, box)
    return picture


def _one(
    picture: Picture, name: str, strength: float, dice: np.random.Generator, box: tuple[float, float, float, float]
) -> Picture:
    if name == "jpeg":
        stream = io.BytesIO()
        Image.fromarray(picture).save(stream, "JPEG", quality=round(90 - 55 * strength))
        return np.asarray(Image.open(stream).convert("RGB"), np.uint8)
    if name == "noise":
        noise = dice.standard_normal(picture.shape, np.float32) * np.float32(2 + 7 * strength)
        noisy: Picture = np.rint(np.clip(picture + noise, 0, 255)).astype(np.uint8)
        return noisy
    if name == "rescale":
        scale = 0.65 + 0.9 * strength
        size = round(picture.shape[1] * scale), round(picture.shape[0] * scale)
        how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
        return np.asarray(cv2.resize(picture, size, interpolation=how), np.uint8)
    if name == "drift":
        gains = 1 + 0.1 * strength * dice.uniform(-1, 1, 3)
        return np.rint(np.clip(picture * gains, 0, 255)).astype(np.uint8)
    if name == "blur":
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.4 + 0.9 * strength * picture.shape[0] / 720))
    if name == "caption" and box[1] > 16:
        picture = picture.copy()
        draw_text(picture, "After this move", ((box[0] + box[2]) / 2, box[1] / 2), max(6, box[1] / 3), (120, 120, 120))
    return picture
