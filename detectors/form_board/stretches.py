"""Where the rims of pieces should lie, in short stretches; it depends on the puzzle alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from detectors.form_board.config import PieceRimConfig
from detectors.form_board.shapes import Outline

Values = NDArray[np.float64]
Lab = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Stretches:
    """Where rims are looked for: of n stretches, as `Rims` has them.

    Attributes
    ----------
    middle, out : (n, 2)
    piece, edge : (n,)
    outer : (n,) bool
    steps : how far out each line across a rim is looked at, in pixels
    across, down : (lines, steps) float32, at which pixels that is, whose centres are whole numbers
    labels : of the pieces
    side : the silhouette's longer side, in pixels
    """

    middle: Values
    out: Values
    piece: NDArray[np.intp]
    edge: NDArray[np.intp]
    outer: NDArray[np.bool_]
    steps: Values
    across: Lab
    down: Lab
    labels: tuple[str, ...]
    side: float


def stretches_of(
    places: Mapping[str, Outline], outside: NDArray[np.float32], side: float, config: PieceRimConfig
) -> Stretches:
    """Where the rims of pieces should lie; it depends on the puzzle alone.

    Parameters
    ----------
    places : mapping of label to outline
        Where each piece should lie, in pixels of pictures.
    outside : (h, w) float32
        How far outside of the silhouette a pixel is, or within it, whichever is more.
    side : float
        The silhouette's longer side, in pixels.
    config : PieceRimConfig
    """
    labels = tuple(places)
    reach = config.reach * side
    steps = np.arange(-reach, reach + config.step_px, config.step_px)
    found = [_stretches(places[label], side, config) for label in labels]
    piece = np.repeat(np.arange(len(labels)), [len(one[0]) for one in found])
    at, out, edge = (np.concatenate([one[part] for one in found]) for part in range(3))  # not a threshold: all of them
    lines = at.reshape(-1, 2) - 0.5  # not a threshold: centres of pixels lie at whole numbers there
    x, y = (
        (lines[:, axis, None] + steps * np.repeat(out[:, axis], config.samples)[:, None]).astype(np.float32)
        for axis in (0, 1)
    )
    middle = at.mean(axis=1)
    columns, rows = (np.clip(middle[:, axis].astype(int), 0, outside.shape[1 - axis] - 1) for axis in (0, 1))
    return Stretches(
        middle,
        out,
        piece.astype(np.intp),
        # Corners of all pieces have numbers of their own.
        (edge + piece * (1 + max(len(place) for place in places.values()))).astype(np.intp),
        outside[rows, columns] <= config.outer * side + 1,
        steps,
        x,
        y,
        labels,
        side,
    )


def _stretches(outline: Outline, side: float, config: PieceRimConfig) -> tuple[Values, Values, NDArray[np.intp]]:
    """Points along stretches of an outline, (n, samples, 2), which way is out, (n, 2), and of which edge each is.

    Corners are left out.
    """
    x, y = outline.T
    turn = np.sign((x * np.roll(y, -1) - y * np.roll(x, -1)).sum())
    corner, stretch = config.corner * side, config.stretch * side
    at: list[Values] = [np.zeros((0, config.samples, 2))]
    out: list[Values] = [np.zeros((0, 2))]
    edges: list[NDArray[np.intp]] = [np.zeros(0, np.intp)]
    for number, (start, end) in enumerate(zip(outline, np.roll(outline, -1, axis=0), strict=True)):
        length = float(np.hypot(*(end - start)))
        room = length - 2 * corner  # not a threshold: both ends
        if room < config.least * side:
            continue
        along = (end - start) / length
        parts = max(1, round(room / stretch))
        count = parts * config.samples
        places = corner + (np.arange(count) + 0.5) * (room / count)  # not a threshold: the middle of each part
        at.append((start + places[:, None] * along).reshape(parts, config.samples, 2))
        out.append(np.broadcast_to(turn * np.array([along[1], -along[0]]), (parts, 2)))
        edges.append(np.full(parts, number))
    return np.concatenate(at), np.concatenate(out), np.concatenate(edges)
