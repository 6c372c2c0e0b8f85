"""Brings a candidate into its puzzle's frame, says how, and how well.

Models return pictures of another size, stretched, letterboxed or displaced by some pixels. A plain resize is tried
first; only when the drawing then lies measurably off are other explanations tried and the best one refined.

Inside, coordinates are those of OpenCV, with the centres of pixels at whole numbers; an `Alignment` speaks of areas, in
which pixel (0, 0) covers (0, 0) to (1, 1), so that a plain resize is a pure scaling.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from detectors.pictures import reduce_picture, resize
from grader.framing import Box, Matrix, compose, content_box, letterboxes, of_areas, of_centers, scaling, stretch
from grader.verdict import Alignment


@dataclass(frozen=True)
class AlignmentConfig:
    """How a candidate is aligned.

    Attributes
    ----------
    template_px : pictures are halved until their longest side is at most this, and then compared
    still : displacement, as a share of the longest side, below which a candidate is left where it is
    good : agreement (-1 to 1) above which the plain resize needs no other explanation if it is also still
    accept : agreement below which alignment has failed
    hopeful : agreement below which zooms, turns and bends are not tried: another picture costs no more than a right one
    max_shift : largest displacement against the explanation that it refines, as a share of the longest side
    max_zoom : largest change of scale that is looked for
    max_rotation_rad : largest turn that is looked for
    marks_are_dark : whether answers are dark marks, as queens are; then what is much darker than the puzzle is not
        compared
    colorful : difference of the largest and smallest channel from which a pixel counts as coloured, and is not compared
        where the puzzle has no colour: it belongs to the answer
    """

    template_px: int = 320
    still: float = 0.0012
    good: float = 0.9
    accept: float = 0.35
    hopeful: float = 0.3
    max_shift: float = 0.06
    max_zoom: float = 0.04
    max_rotation_rad: float = 0.03
    colorful: int = 48
    marks_are_dark: bool = False


@dataclass(frozen=True)
class Template:
    """What of a puzzle's picture a candidate is compared with; computed once a puzzle.

    Attributes
    ----------
    size : (width, height) of the puzzle's picture
    factor : puzzle pixels per template pixel, a power of two
    grey : (h, w) float32, 0 to 255
    colorless : (h, w) bool, pixels without colour in the puzzle
    compared : (h, w) bool, pixels that belong to the puzzle, and not to what lies around it
    content : the box inside the puzzle's own uniform rim, in puzzle pixels, or None where it has none
    gradients : two of (h, w) float32, of grey, along x and along y
    """

    size: tuple[int, int]
    factor: int
    grey: NDArray[np.float32]
    colorless: NDArray[np.bool_]
    compared: NDArray[np.bool_]
    content: Box | None
    gradients: tuple[NDArray[np.float32], NDArray[np.float32]]


def make_template(
    picture: NDArray[np.uint8], config: AlignmentConfig, around: NDArray[np.bool_] | None = None
) -> Template:
    """Reduces a puzzle's picture to what candidates are compared with.

    Parameters
    ----------
    picture : ndarray of shape (H, W, 3), uint8 RGB
    config : AlignmentConfig
    around : ndarray, bool, optional
        What lies around the puzzle, at any reduction: a model may repaint it, which moves nothing.
    """
    height, width = picture.shape[:2]
    factor = 1
    while max(width, height) / factor > config.template_px:
        factor *= 2
    small = reduce_picture(picture, factor)
    grey, colored = _grey_and_color(small, config)
    along_x = np.asarray(cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=0.125), np.float32)
    along_y = np.asarray(cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=0.125), np.float32)
    compared = np.ones(grey.shape, np.bool_)
    if around is not None:
        size = (grey.shape[1], grey.shape[0])
        compared = cv2.resize(around.astype(np.uint8) * 255, size, interpolation=cv2.INTER_AREA) < 128
    return Template((width, height), factor, grey, ~colored, compared, content_box(picture), (along_x, along_y))


def align(candidate: NDArray[np.uint8], template: Template, config: AlignmentConfig) -> Alignment:
    """Finds how a candidate maps onto its puzzle.

    Parameters
    ----------
    candidate : ndarray of shape (H, W, 3), uint8 RGB
    template : Template
        Of the puzzle.
    config : AlignmentConfig

    Returns
    -------
    Alignment
        ``method`` is FAILED where no explanation agrees with the puzzle; its matrix is then the plain resize.
    """
    height, width = candidate.shape[:2]
    plain = stretch((width, height), template.size)
    probe = _Probe(candidate, template, config)
    agreement, drift = probe.examine(plain)
    if probe.settled(agreement, drift):
        method = "NONE" if (width, height) == template.size else "RESIZED"
        return _describe(plain, plain, (width, height), template, method, agreement)

    guesses = letterboxes(candidate, template.size, template.content)
    box = max(guesses, key=probe.agreement, default=plain)
    if probe.settled(*probe.examine(box)):
        box, score = probe.refine(box)
        if score >= config.accept:
            # Bars on two sides and a cut on the others are a displacement.
            bent = np.abs(box[:, :2] - plain[:, :2]).max() * max(width, height)
            method = "SHIFTED" if bent <= config.still * max(template.size) else "LETTERBOXED"
            return _describe(box, plain, (width, height), template, method, score)
    refined, refined_score = probe.refine(plain)
    best, best_method = plain, "RESIZED"
    if guesses and not probe.settled(*probe.examine(refined)):
        box_refined, box_score = probe.refine(box)
        # A letterbox has to explain the picture better than a displacement does.
        if box_score > refined_score + 0.01:
            refined, refined_score, best, best_method = box_refined, box_score, box, "LETTERBOXED"
    if refined_score < config.accept:
        return _describe(plain, plain, (width, height), template, "FAILED", agreement)
    offset = _largest_offset(best, refined, (width, height))
    still = config.still * max(template.size)
    if offset > still:
        linear = np.abs(refined[:, :2] - best[:, :2]).max() * max(width, height)
        if best_method != "LETTERBOXED":
            best_method = "WARPED" if linear > 2.0 * still else "SHIFTED"
    else:
        refined = best
        if best_method == "RESIZED" and (width, height) == template.size:
            best_method = "NONE"
    return _describe(refined, plain, (width, height), template, best_method, refined_score)


def warp(
    candidate: NDArray[np.uint8], alignment: Alignment, size: tuple[int, int], factor: int
) -> tuple[NDArray[np.uint8], NDArray[np.bool_] | None]:
    """Draws an aligned candidate in the puzzle's frame, at full size or reduced by a power of two.

    Parameters
    ----------
    candidate : ndarray of shape (H, W, 3), uint8 RGB
    alignment : Alignment
        As `align` found it.
    size : tuple of int
        (width, height) to draw: the puzzle's size over ``factor``, rounded up.
    factor : int
        Puzzle pixels per drawn pixel: 1, 2, 4, ...

    Returns
    -------
    picture : ndarray of shape (h, w, 3), uint8 RGB
    covered : ndarray of shape (h, w), bool, or None
        Pixels that the candidate covers; None where it covers all.
    """
    if alignment.method == "NONE":
        return reduce_picture(candidate, factor), None
    plain = alignment.method in ("RESIZED", "FAILED")
    if plain and factor == 1:
        return resize(candidate, size), None
    matrix = of_centers(np.array(alignment.matrix, np.float64).reshape(2, 3))
    full = compose(scaling(1.0 / factor, 1.0 / factor), matrix)
    # Halve before warping, so that bilinear sampling does not skip pixels.
    halvings = 1
    while min(math.hypot(full[0, 0], full[1, 0]), math.hypot(full[0, 1], full[1, 1])) * 2 * halvings <= 1.0:
        halvings *= 2
    source = reduce_picture(candidate, halvings)
    full = compose(full, scaling(halvings, halvings))
    picture = cv2.warpAffine(source, full, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    if plain:
        return np.asarray(picture, np.uint8), None
    ones = np.full(source.shape[:2], 255, np.uint8)
    covered = cv2.warpAffine(ones, full, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=0)
    return np.asarray(picture, np.uint8), covered >= 250


class _Probe:
    """Compares a candidate with a template under different maps."""

    def __init__(self, candidate: NDArray[np.uint8], template: Template, config: AlignmentConfig) -> None:
        height, width = candidate.shape[:2]
        self.template = template
        self.config = config
        # What is left after halving still has more pixels than the template; sampling it linearly skips none.
        factor = 1
        while min(width / template.size[0], height / template.size[1]) * template.factor / factor >= 2.0:
            factor *= 2
        self.small = reduce_picture(candidate, factor)
        self.to_candidate = scaling(factor, factor)
        self.possible = int(np.count_nonzero(template.compared))
        self.to_template = scaling(1.0 / template.factor, 1.0 / template.factor)

    def _view(self, matrix: Matrix) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """The candidate in the template's frame: grey, and which pixels can be compared."""
        height, width = self.template.grey.shape
        full = compose(self.to_template, compose(matrix, self.to_candidate))
        if self.small.shape[:2] == (height, width) and np.abs(full - np.eye(2, 3)).max() < 1e-9:
            view, inside = self.small, np.ones((height, width), np.bool_)
        elif not (full[0, 1] or full[1, 0]) and self._fills(full):
            view, inside = resize(self.small, (width, height)), np.ones((height, width), np.bool_)
        else:
            view = np.asarray(
                cv2.warpAffine(self.small, full, (width, height), borderMode=cv2.BORDER_REPLICATE), np.uint8
            )
            ones = np.full(self.small.shape[:2], 255, np.uint8)
            inside = cv2.warpAffine(ones, full, (width, height)) >= 128
        grey, colored = _grey_and_color(view, self.config)
        usable = inside & self.template.compared & ~(colored & self.template.colorless)
        if self.config.marks_are_dark:
            usable &= grey > self.template.grey - 96.0
        return grey, usable

    def _fills(self, full: Matrix) -> bool:
        """Whether a map of the reduced candidate to the template is the plain stretch of one onto the other."""
        (height, width), (source_height, source_width) = self.template.grey.shape, self.small.shape[:2]
        return bool(np.abs(full - stretch((source_width, source_height), (width, height))).max() < 1e-6)

    def agreement(self, matrix: Matrix) -> float:
        """Correlation of greys over what can be compared, less what the candidate leaves uncovered; -1 to 1."""
        grey, usable = self._view(matrix)
        return _correlation(grey, self.template.grey, usable, self.possible)

    def examine(self, matrix: Matrix) -> tuple[float, float]:
        """Agreement, and by how many puzzle pixels the drawing seems displaced in the quarter where it is most."""
        agreement, step_x, step_y = self._steps(matrix)
        return agreement, float(np.hypot(step_x, step_y).max()) * self.template.factor

    def _steps(self, matrix: Matrix) -> tuple[float, NDArray[np.float64], NDArray[np.float64]]:
        """Agreement, and one Gauss-Newton step of the displacement in each quarter, in template pixels."""
        grey, usable = self._view(matrix)
        target = self.template.grey
        agreement = _correlation(grey, target, usable, self.possible)
        error = grey - target
        # What differs by much is drawing, not displacement; it is left out of the estimate.
        weight = (usable & (np.abs(error) < 96.0)).astype(np.float32)
        along_x, along_y = self.template.gradients
        weighted_x, weighted_y = along_x * weight, along_y * weight
        # Quarter by quarter, since a turn or a zoom moves nothing on the whole. One level of grey keeps it solvable.
        xx, xy = _quarters(weighted_x * along_x) + 1.0, _quarters(weighted_x * along_y)
        yy = _quarters(weighted_y * along_y) + 1.0
        x_error, y_error = _quarters(weighted_x * error), _quarters(weighted_y * error)
        determinant = xx * yy - xy * xy
        return (
            agreement,
            (yy * x_error - xy * y_error) / determinant,
            (xx * y_error - xy * x_error) / determinant,
        )

    def _nudge(self, matrix: Matrix) -> Matrix:
        """Moves a map by the mean step: below a template pixel, which a search does not resolve."""
        _, step_x, step_y = self._steps(matrix)
        moved = matrix.copy()
        # A brighter picture to the right of an edge that brightens means that the drawing lies too far left.
        moved[:, 2] += np.array([step_x.mean(), step_y.mean()]) * self.template.factor
        return moved

    def refine(self, matrix: Matrix) -> tuple[Matrix, float]:
        """Looks for a displacement, then a zoom or turn, then a small affine change, that agrees better.

        Agreement itself is maximised, since unlike a sum of squares it leaves the drawn answer out. It stops as soon as
        nothing is seen to be off any more, or where there is no hope.
        """
        best, best_score = matrix, self.agreement(matrix)
        nudge = self._nudge
        steps = (self._shift, nudge, nudge, self._zoom_or_turn, self._shift, nudge, self._bend, nudge)
        for propose in steps:
            proposed = propose(best)
            score = self.agreement(proposed)
            if score > best_score + 1e-4:
                best, best_score = proposed, score
            if best_score < self.config.hopeful or self.settled(*self.examine(best)):
                break
        for _ in range(3):
            nudged = nudge(best)
            score = self.agreement(nudged)
            if score <= best_score:
                break
            best, best_score = nudged, score
        return best, best_score

    def settled(self, agreement: float, drift: float) -> bool:
        """Whether a map agrees well and nothing seems displaced under it."""
        return agreement >= self.config.good and drift <= self.config.still * max(self.template.size)

    def _shift(self, matrix: Matrix) -> Matrix:
        grey, _ = self._view(matrix)
        reach = max(1, round(self.config.max_shift * max(grey.shape)))
        middle = self.template.grey[reach:-reach, reach:-reach]
        if min(middle.shape) < 8:
            return matrix
        # Unlike phase correlation this is not led astray by the drawn answer, nor by a pattern that repeats.
        scores = cv2.matchTemplate(grey, np.ascontiguousarray(middle), cv2.TM_CCOEFF_NORMED)
        _, _, _, (x, y) = cv2.minMaxLoc(scores)
        moved = matrix.copy()
        moved[:, 2] -= ((x - reach) * self.template.factor, (y - reach) * self.template.factor)
        return moved

    def _zoom_or_turn(self, matrix: Matrix) -> Matrix:
        zooms = np.linspace(-self.config.max_zoom, self.config.max_zoom, 9)
        turns = np.linspace(-self.config.max_rotation_rad, self.config.max_rotation_rad, 7)
        tried = [self._changed(matrix, (zoom, turn, zoom, -turn, 0.0, 0.0)) for zoom in zooms for turn in turns]
        return max(tried, key=self.agreement)

    def _bend(self, matrix: Matrix) -> Matrix:
        step, shift = 0.004, 1.0 / max(self.template.grey.shape)
        sizes = np.array([step, step, step, step, shift, shift])
        simplex = np.vstack([np.zeros(6), np.diag(sizes)])
        found = minimize(
            lambda change: -self.agreement(self._changed(matrix, tuple(change))),
            np.zeros(6),
            method="Nelder-Mead",
            options={"initial_simplex": simplex, "maxfev": 160, "xatol": 1e-5, "fatol": 1e-6},
        )
        return self._changed(matrix, tuple(found.x))

    def _changed(self, matrix: Matrix, change: tuple[float, ...]) -> Matrix:
        """A map followed by a small affine change about the puzzle's middle; shifts are shares of its longest side."""
        across_x, across_y, down_y, down_x, shift_x, shift_y = change
        width, height = self.template.size
        middle = np.array([width / 2.0, height / 2.0])
        linear = np.array([[1.0 + across_x, down_x], [across_y, 1.0 + down_y]])
        offset = middle - linear @ middle + np.array([shift_x, shift_y]) * max(width, height)
        return compose(np.column_stack([linear, offset]), matrix)


def _grey_and_color(
    picture: NDArray[np.uint8], config: AlignmentConfig
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    red, green, blue = cv2.split(picture)
    spread = cv2.subtract(cv2.max(cv2.max(red, green), blue), cv2.min(cv2.min(red, green), blue))
    # A slight blur takes away the difference between a line that falls on one pixel and one that falls on two.
    grey = cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), (3, 3), 0)
    return np.asarray(grey, np.float32), spread >= config.colorful


def _quarters(values: NDArray[np.float32]) -> NDArray[np.float64]:
    """The means of the four quarters of a picture, (2, 2)."""
    middle_row, middle_column = values.shape[0] // 2, values.shape[1] // 2
    rows = np.add.reduceat(values, [0, middle_row], axis=0, dtype=np.float64)
    return np.asarray(np.add.reduceat(rows, [0, middle_column], axis=1) * (4.0 / values.size), np.float64)


def _inner(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    """Sum of products. Not BLAS, whose result may depend on its number of threads."""
    return float(np.multiply(one, other).sum(dtype=np.float64))


def _correlation(
    one: NDArray[np.float32], other: NDArray[np.float32], usable: NDArray[np.bool_], possible: int
) -> float:
    """Pearson's r over the usable of the possible pixels, less where they are few; 0 where either picture is flat."""
    count = int(np.count_nonzero(usable))
    if count < 16:
        return 0.0
    weight = usable.astype(np.float32)
    a, b = one * weight, other * weight
    mean_a, mean_b = float(a.sum(dtype=np.float64)) / count, float(b.sum(dtype=np.float64)) / count
    variance_a = _inner(a, a) / count - mean_a**2
    variance_b = _inner(b, b) / count - mean_b**2
    if min(variance_a, variance_b) < 1e-3:
        return 0.0
    r = (_inner(a, b) / count - mean_a * mean_b) / math.sqrt(variance_a * variance_b)
    # Leaving most of the puzzle uncovered must not look like a better explanation.
    return r * min(1.0, count / (0.75 * possible))


def _largest_offset(one: Matrix, other: Matrix, size: tuple[int, int]) -> float:
    corners = np.array([[0, 0, 1], [size[0], 0, 1], [0, size[1], 1], [size[0], size[1], 1]], np.float64)
    return float(np.linalg.norm(corners @ (one - other).T, axis=1).max())


def _describe(
    matrix: Matrix, plain: Matrix, size: tuple[int, int], template: Template, method: str, quality: float
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
    )
