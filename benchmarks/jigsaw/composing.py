"""Candidates of known truth: a picture in quarters, one fault or none, and what happens to pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import cv2
import numpy as np

import grader
from benchmarks.composed.visibility import visibility
from benchmarks.jigsaw.clips import RIGHT
from benchmarks.jigsaw.faults import Pixels, Quarters
from benchmarks.jigsaw.hidden import ALL_FAULTS
from benchmarks.jigsaw.nuisances import GRAINY, NUISANCES
from puzzles.jigsaw.cuts import HALVES, joined
from puzzles.jigsaw.rendered import render_landscape

SIZES = ((384, 384), (512, 384), (384, 512))


@dataclass(frozen=True)
class Kinds:
    """What is composed.

    Attributes
    ----------
    faults, nuisances : names that are drawn from
    photographs : files to cut; landscapes are drawn where there are none
    """

    faults: Sequence[str] = tuple(ALL_FAULTS)
    nuisances: Sequence[str] = tuple(NUISANCES)
    photographs: Sequence[Path] = ()


EVERY = Kinds()


@dataclass(frozen=True, eq=False)
class Candidate:
    """A composed answer.

    Attributes
    ----------
    fault : what is wrong with it, or ``RIGHT``
    nuisance : what happened to it
    quarters : the right pieces, row by row
    given : the number of the quarter that each given piece is
    picture : what is graded
    visible : how visible the fault is to a person, 1 at threshold; 0 where there is none
    """

    fault: str
    nuisance: str
    quarters: Quarters
    given: tuple[int, ...]
    picture: Pixels
    visible: float

    @property
    def order(self) -> list[int]:
        """Of each place the number of the given piece that belongs there, from 1."""
        return [self.given.index(place) + 1 for place in range(4)]

    def verdict(self) -> grader.Verdict:
        """What is said of it."""
        pieces = [_png(self.quarters[one]) for one in self.given]
        return grader.grade(grader.jigsaw("order_generation", self.order, pieces=pieces), _png(self.picture))


def compose(number: int, seed: int, kinds: Kinds = EVERY) -> Candidate:
    """The candidate of a number: every other one is right. Pieces are given in a drawn order."""
    dice = np.random.default_rng([seed, number])
    size = SIZES[int(dice.integers(len(SIZES)))]
    quarters = [np.ascontiguousarray(one) for one in HALVES.cut(_subject(number, seed, size, kinds.photographs))]
    shown = [one.copy() for one in quarters]
    fault = RIGHT if number % 2 == 0 else kinds.faults[number // 2 % len(kinds.faults)]
    if fault != RIGHT:
        ALL_FAULTS[fault](shown, int(dice.integers(4)), dice)
    nuisance = kinds.nuisances[int(dice.integers(len(kinds.nuisances)))]

    def happened(picture: Pixels) -> Pixels:
        return NUISANCES[nuisance](picture, np.random.default_rng([seed, number, 2]))

    right, wrong = joined(quarters), joined(shown)
    picture = happened(wrong)
    visible = 0.0
    if fault != RIGHT:
        grain = nuisance in GRAINY
        visible = visibility(right, wrong, picture) if grain else visibility(happened(right), picture)
    given = tuple(int(one) for one in np.random.default_rng([seed, number, 1]).permutation(4))
    return Candidate(fault, nuisance, quarters, given, picture, visible)


def _subject(number: int, seed: int, size: tuple[int, int], photographs: Sequence[Path]) -> Pixels:
    """A landscape, or a part of a photograph, of a size."""
    if photographs:
        whole = _read(photographs[number // 2 % len(photographs)])
        dice = np.random.default_rng([seed, number, 3])
        scale = min(whole.shape[1] / size[0], whole.shape[0] / size[1]) * dice.uniform(0.7, 1.0)
        width, height = int(size[0] * scale), int(size[1] * scale)
        left, top = int(dice.integers(whole.shape[1] - width + 1)), int(dice.integers(whole.shape[0] - height + 1))
        whole = whole[top : top + height, left : left + width]
    else:
        whole = _landscape(seed * 100_000 + number // 2)
    return np.asarray(cv2.resize(whole, size, interpolation=cv2.INTER_AREA), np.uint8)


@lru_cache(maxsize=2)
def _landscape(seed: int) -> Pixels:
    """That of a right candidate serves the wrong one after it, too."""
    return render_landscape(seed)


@cache
def _read(path: Path) -> Pixels:
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR_RGB)
    if picture is None:
        raise ValueError(f"{path} is no picture")
    return np.asarray(picture, np.uint8)


def _png(picture: Pixels) -> bytes:
    """A file that is made fast."""
    _, data = cv2.imencode(".png", picture[..., ::-1], [cv2.IMWRITE_PNG_COMPRESSION, 1])
    return data.tobytes()
