"""A small sheet to draw holes on, and verdicts on what was drawn."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

import grader
from benchmarks.paper_fold.drawing import DrawnSheet, HoleLook
from puzzles.paper_fold.generator import generate_paper_fold
from puzzles.paper_fold.style import FoldStyle

SIDE = 256


@cache
def sheet(level: int = 2, seed: int = 5) -> DrawnSheet:
    """A sheet of few pixels."""
    return DrawnSheet(generate_paper_fold(level, seed), FoldStyle(), SIDE)


@cache
def flat_task(level: int = 2, seed: int = 5):
    """The request for drawings of the unfolded sheet."""
    task = sheet(level, seed).task
    return replace(task, sheets=task.sheets[:1])


def drawn(holes=None, look=None, on=None):
    """Holes on the flat sheet; those that belong there by default."""
    one = sheet()
    places = one.puzzle.holes[0] if holes is None else holes
    return one.holes(tuple(places), look or HoleLook(), np.random.default_rng(1), on=on)


def codes(picture, **options):
    """The codes of the reasons that a verdict gives."""
    return [one.code for one in verdict(picture, **options).reasons]


def verdict(picture, **options):
    """The verdict on a picture of the unfolded sheet."""
    return grader.grade(flat_task(), picture, **options)
