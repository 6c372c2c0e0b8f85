"""Brings a candidate into its puzzle's frame, says how, and how well.

Models return pictures of another size, stretched, letterboxed or displaced by some pixels. A plain resize is tried
first; only when the drawing then lies measurably off are other explanations tried and the best one refined: an affine
map, and beyond it a smooth field of small local displacements.

Inside, coordinates are those of OpenCV, with the centres of pixels at whole numbers; an `Alignment` speaks of areas, in
which pixel (0, 0) covers (0, 0) to (1, 1), so that a plain resize is a pure scaling.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from grader.alignment.framing import Matrix, compose, letterboxes, of_areas, of_centers, onto, scaling, stretch
from grader.alignment.search import Probe
from grader.alignment.structure import StructureSearch, edges_of
from grader.alignment.template import AlignmentConfig, Template, grey_and_color
from grader.alignment.warping import Field, draw
from grader.media.pyramid import Pyramid, fitted, resize
from grader.model.verdict import Alignment, Bend

Span = tuple[float, float, float, float]
"""Left, top, right and bottom in pixels, of areas."""


def align(
    candidate: Pyramid,
    template: Template,
    config: AlignmentConfig,
    guesses: Sequence[Matrix] = (),
    *,
    straight_first: bool = False,
) -> Alignment:
    """Finds how a candidate maps onto its puzzle.

    Parameters
    ----------
    candidate : Pyramid
        Of a picture of shape (H, W, 3), uint8 RGB.
    template : Template
        Of the puzzle.
    config : AlignmentConfig
    guesses : sequence of ndarray of shape (2, 3)
        Maps from the candidate's pixels to the puzzle's that somebody else found; taken where they agree better.
    straight_first : bool
        Whether what seems bent is first tried to be displaced as a whole: a turn moves rings along themselves, so that
        no quarter of theirs seems to be off.

    Returns
    -------
    Alignment
        ``method`` is FAILED where no explanation agrees with the puzzle; its matrix is then the plain resize.
    """
    height, width = candidate.picture.shape[:2]
    plain = stretch((width, height), template.size)
    probe = Probe(candidate, template, config)
    matrix, method, agreement = _place(candidate, plain, probe)
    for guess in guesses:
        if _largest_offset(guess, matrix, (width, height)) > config.structure.apart * max(template.size):
            refined, score = probe.refine(guess)
            if score > max(config.accept, agreement + config.search.bend_gain):
                matrix, method, agreement = refined, "LETTERBOXED", score
    field, quality = (None, agreement) if method == "FAILED" else probe.bend(matrix, agreement)
    if field is not None and straight_first:
        refined, score = probe.refine(matrix)
        if score > agreement + config.search.better:
            matrix, method = refined, "LETTERBOXED" if method == "LETTERBOXED" else "WARPED"
            agreement = score
            field, quality = probe.bend(matrix, agreement)
    # What one affine map and a small bend explain in part only may be a page that was photographed aslant.
    doubtful = method != "FAILED" and quality < config.search.keystone_below
    if doubtful and not probe.lies_still(matrix, agreement):
        aslant = probe.keystone(matrix)
        if aslant is not None and aslant[2] > quality + config.search.bend_gain:
            matrix, field, quality = aslant
    if field is not None and method != "LETTERBOXED":
        method = "WARPED"
    return _describe(matrix, field, plain, (width, height), template, method, quality)


def align_by(candidate: Pyramid, template: Template, box: Span, target: Span, config: AlignmentConfig) -> Alignment:
    """Aligns by a thing that was found in a candidate by other means, and refines that where the puzzle agrees.

    Parameters
    ----------
    candidate : Pyramid
    template : Template
    box, target : (left, top, right, bottom)
        Where the thing is in the candidate, and where it is in the puzzle, in pixels.
    config : AlignmentConfig
    """
    height, width = candidate.picture.shape[:2]
    matrix = onto(box, target)
    refined, quality = Probe(candidate, template, config).refine(matrix)
    plain = stretch((width, height), template.size)
    if quality < config.accept:
        refined = matrix
    return _describe(refined, None, plain, (width, height), template, "LETTERBOXED", quality)


def _place(candidate: Pyramid, plain: Matrix, probe: Probe) -> tuple[Matrix, str, float]:
    """The affine map that explains a candidate best, by which method it was found, and its agreement."""
    template, config = probe.template, probe.config
    size = (candidate.picture.shape[1], candidate.picture.shape[0])
    unmoved = "NONE" if size == template.size else "RESIZED"
    agreement, drift = probe.examine(plain)
    settled = probe.settled(agreement, drift)
    if settled and agreement >= config.sure:
        return plain, unmoved, agreement

    guesses = letterboxes(candidate.picture, template.size, template.content, config.framing)
    box = max(guesses, key=probe.agreement, default=plain)
    # Lines that lie far off their place seem displaced nowhere; few of them, and large areas agree all the same.
    if settled and probe.agreement(box) <= agreement + config.boxed:
        return plain, unmoved, agreement
    if probe.settled(*probe.examine(box)):
        box, score = probe.refine(box)
        if score >= config.accept:
            # Bars on two sides and a cut on the others are a displacement.
            bent = np.abs(box[:, :2] - plain[:, :2]).max() * max(size)
            method = "SHIFTED" if bent <= config.still * max(template.size) else "LETTERBOXED"
            return box, method, score
    known = max(agreement, probe.agreement(box))
    displaced = None
    # Where much agrees already, something is displaced rather than beside it: that is tried first.
    if known >= config.mostly:
        displaced = _displaced(plain, box if guesses else None, probe, unmoved)
        if probe.settled(*probe.examine(displaced[0])):
            return displaced
    part = _part(candidate, probe, (plain, box), known)
    if part is not None and probe.settled(*probe.examine(part[0])):
        return part[0], "LETTERBOXED", part[1]
    displaced = displaced or _displaced(plain, box if guesses else None, probe, unmoved)
    if part is not None and part[1] >= max(config.structure.alike, displaced[2] + config.boxed):
        return part[0], "LETTERBOXED", part[1]
    return displaced


def _displaced(plain: Matrix, box: Matrix | None, probe: Probe, unmoved: str) -> tuple[Matrix, str, float]:
    """The same where the puzzle fills the picture or is framed by bars, but lies off its place."""
    template, config = probe.template, probe.config
    size = (probe.candidate.picture.shape[1], probe.candidate.picture.shape[0])
    refined, refined_score = probe.refine(plain)
    best, best_method = plain, "RESIZED"
    if box is not None and not probe.settled(*probe.examine(refined)):
        box_refined, box_score = probe.refine(box)
        # A letterbox has to explain the picture better than a displacement does.
        if box_score > refined_score + config.boxed:
            refined, refined_score, best, best_method = box_refined, box_score, box, "LETTERBOXED"
    if refined_score < config.accept:
        return plain, "FAILED", probe.agreement(plain)
    still = config.still * max(template.size)
    if _largest_offset(best, refined, size) <= still:
        return best, unmoved if best_method == "RESIZED" else best_method, refined_score
    if best_method != "LETTERBOXED":
        linear = np.abs(refined[:, :2] - best[:, :2]).max() * max(size)
        best_method = "WARPED" if linear > 2.0 * still else "SHIFTED"
    return refined, best_method, refined_score


def _part(candidate: Pyramid, probe: Probe, known: tuple[Matrix, ...], agreement: float) -> tuple[Matrix, float] | None:
    """Where in the candidate the puzzle lies by its structure, refined, and its agreement; None where nowhere better.

    Nor where it is found about where a known map has it, for then it is displaced, and not a part.
    """
    template, config = probe.template, probe.config
    height, width = candidate.picture.shape[:2]
    best = find_by_structure(candidate, probe, agreement + config.boxed)
    far = config.structure.apart * max(template.size)
    if best is None or min(_largest_offset(best, one, (width, height)) for one in known) <= far:
        return None
    return probe.refine(best)


def find_by_structure(candidate: Pyramid, probe: Probe, above: float) -> Matrix | None:
    """Where in a candidate the puzzle lies by its structure, where it agrees best; None where nowhere above a score."""
    template, config = probe.template, probe.config
    height, width = candidate.picture.shape[:2]
    factor = 1
    while max(width, height) / factor >= 2 * config.structure.side_px:
        factor *= 2
    seen = fitted(candidate.reduced(factor), config.structure.side_px)
    edges = edges_of(*grey_and_color(seen, config), template.rhythm.colored, config.structure)
    search = StructureSearch(template.rhythm, edges, config.structure)
    to_seen = stretch((width, height), (seen.shape[1], seen.shape[0]))
    best, score = None, above
    # Neither order finds all: along the axis that is searched first, what stands beside the puzzle is in the way.
    for first in (1, 0):
        maps = [compose(onto(frame, (0, 0, *template.size)), to_seen) for frame in search.frames(first)]
        likeliest = sorted(maps[: config.structure.tried], key=probe.rough_agreement, reverse=True)
        for one in likeliest[: config.structure.compared]:
            found = probe.agreement(one)
            if found > score:
                best, score = one, found
        if score >= config.good:
            break
    return best


def frame_outline(alignment: Alignment, size: tuple[int, int], corner: tuple[int, int] = (0, 0)) -> NDArray[np.float64]:
    """Where the corners of a puzzle, or of a box in it, lie in the candidate: (4, 2), pixel (0, 0) covers 0 to 1.

    Parameters
    ----------
    alignment : Alignment
    size : tuple of int
        (width, height) of the puzzle, or of the box...
    corner : tuple of int
        ...and where its (left, top) corner lies in the puzzle's picture.
    """
    (left, top), (right, bottom) = corner, (corner[0] + size[0], corner[1] + size[1])
    corners = np.array([[left, top, 1], [right, top, 1], [right, bottom, 1], [left, bottom, 1]], np.float64)
    back = cv2.invertAffineTransform(np.array(alignment.matrix, np.float64).reshape(2, 3))
    return np.asarray((corners[:, None, :] * back[None, :, :]).sum(axis=2), np.float64)


def warp(
    candidate: Pyramid, alignment: Alignment, size: tuple[int, int], factor: int
) -> tuple[NDArray[np.uint8], NDArray[np.bool_] | None]:
    """Draws an aligned candidate in the puzzle's frame, at full size or reduced.

    Parameters
    ----------
    candidate : Pyramid
        Of a picture of shape (H, W, 3), uint8 RGB.
    alignment : Alignment
        As `align` found it.
    size : tuple of int
        (width, height) to draw: the puzzle's size over ``factor``, rounded up.
    factor : int
        Puzzle pixels per drawn pixel, as pictures are reduced by: 1, 2, 3, 4, 6, ...

    Returns
    -------
    picture : ndarray of shape (h, w, 3), uint8 RGB
    covered : ndarray of shape (h, w), bool, or None
        Pixels that the candidate covers; None where it covers all.
    """
    if alignment.method == "NONE":
        return candidate.reduced(factor), None
    plain = alignment.method in ("RESIZED", "FAILED")
    if plain and factor == 1:
        return resize(candidate.picture, size), None
    matrix = of_centers(np.array(alignment.matrix, np.float64).reshape(2, 3))
    full = compose(scaling(1.0 / factor, 1.0 / factor), matrix)
    # Halve before warping, so that bilinear sampling does not skip pixels.
    halvings = 1
    while min(math.hypot(full[0, 0], full[1, 0]), math.hypot(full[0, 1], full[1, 1])) * 2 * halvings <= 1.0:
        halvings *= 2
    source = candidate.reduced(halvings)
    full = compose(full, scaling(halvings, halvings))
    bend = alignment.bend
    field = None if bend is None else np.array(bend.offsets_px, np.float64).reshape(bend.rows, bend.columns, 2) / factor
    picture, covered = draw(source, full, size, field)
    return picture, None if plain else covered


def margin_beside(alignment: Alignment, size: tuple[int, int]) -> float:
    """The widest strip beside a puzzle of (width, height) that the candidate shows, in puzzle pixels."""
    (left, top), (right, bottom) = (edge(frame_outline(alignment, size), axis=0) for edge in (np.min, np.max))
    width, height = alignment.candidate_size
    across, down = alignment.scale
    return float(max(left * across, (width - right) * across, top * down, (height - bottom) * down, 0.0))


def warp_with_margin(
    candidate: Pyramid, alignment: Alignment, size: tuple[int, int], factor: int, margin: int
) -> tuple[NDArray[np.uint8], NDArray[np.bool_] | None]:
    """As `warp`, with so many drawn pixels more on each side, and without undoing local displacements."""
    a, b, x, c, d, y = alignment.matrix
    by = float(margin * factor)
    beside = replace(alignment, matrix=(a, b, x + by, c, d, y + by), method="WARPED", bend=None)
    return warp(candidate, beside, (size[0] + 2 * margin, size[1] + 2 * margin), factor)


def _largest_offset(one: Matrix, other: Matrix, size: tuple[int, int]) -> float:
    corners = np.array([[0, 0, 1], [size[0], 0, 1], [0, size[1], 1], [size[0], size[1], 1]], np.float64)
    return float(np.linalg.norm(corners @ (one - other).T, axis=1).max())


def _describe(
    matrix: Matrix,
    field: Field | None,
    plain: Matrix,
    size: tuple[int, int],
    template: Template,
    method: str,
    quality: float,
) -> Alignment:
    middle = np.array([(size[0] - 1) / 2.0, (size[1] - 1) / 2.0, 1.0])
    shift = plain @ middle - matrix @ middle
    corners = np.array(
        [[-0.5, -0.5, 1], [size[0] - 0.5, -0.5, 1], [size[0] - 0.5, size[1] - 0.5, 1], [-0.5, size[1] - 0.5, 1]]
    )
    outline = (corners @ matrix.T + 0.5).astype(np.float32)
    width, height = template.size
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    area, _ = cv2.intersectConvexConvex(outline, frame)
    return Alignment(
        candidate_size=size,
        scale=(math.hypot(matrix[0, 0], matrix[1, 0]), math.hypot(matrix[0, 1], matrix[1, 1])),
        shift_px=(float(shift[0]), float(shift[1])),
        rotation_rad=math.atan2(matrix[1, 0] - matrix[0, 1], matrix[0, 0] + matrix[1, 1]) + 0.0,
        matrix=tuple(float(value) for value in of_areas(matrix).ravel()),  # type: ignore[arg-type]
        method=method,
        quality=max(-1.0, min(1.0, quality)),
        covered=min(1.0, max(0.0, area / (width * height))),
        bend=None
        if field is None
        else Bend(field.shape[0], field.shape[1], tuple(round(float(value), 3) for value in field.ravel())),
    )
