"""Draws a comparison: candidate, reference, the mask's rim, and where they differ. Never on the scoring path."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from grader.drawing.pair import Panel, draw_pair
from grader.drawing.strip import Strip, with_strip
from grader.model.verdict import Note


def draw_comparison(
    candidate: NDArray[np.uint8],
    reference: NDArray[np.uint8],
    inside: NDArray[np.bool_] | None,
    errors: tuple[float | None, float | None],
    notes: Sequence[Note],
) -> NDArray[np.uint8]:
    """Draws what was measured.

    Parameters
    ----------
    candidate, reference : (H, W, 3) uint8 RGB
        The candidate at the reference's size.
    inside : (H, W) bool or None
        The mask; None where all is inside.
    errors : pair of float or None
        Mean squared errors inside and outside, on [0, 1].
    notes : sequence of Note
        How the candidate was brought to that size.

    Returns
    -------
    ndarray of shape (h, w, 3), uint8 RGB
    """
    canvas, entries = draw_pair(Panel("candidate", candidate), Panel("reference", reference), inside)
    names = ("MSE inside", "MSE outside")
    facts = tuple((name, "n/a" if one is None else f"{one:.3g}") for name, one in zip(names, errors, strict=True))
    height, width = reference.shape[:2]
    size = f"{width} x {height} pixels"
    strip = Strip(
        facts=facts,
        praise="Measured, not judged: nothing says what the candidate should be like."
        + (" There is no mask, so all of it is inside." if inside is None else ""),
        reasons=(),
        entries=entries,
        footer="; ".join([size, *(f"the candidate: {note.message}" for note in notes)]),
        judged=False,
    )
    return with_strip(canvas, strip)
