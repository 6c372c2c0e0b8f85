"""Looks for the map under which a candidate agrees best with its puzzle."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from grader.alignment.flow import BlockFlow, affine_step, block_flow, block_grid, projective_step, smooth_field
from grader.alignment.framing import Matrix, compose, scaling, stretch
from grader.alignment.many_maps import best_of, correlations, sum_of_squares
from grader.alignment.template import AlignmentConfig, AnswerConfig, SearchConfig, Template, grey_and_spread
from grader.alignment.warping import Field, draw
from grader.media.pyramid import Pyramid, resize


@dataclass(frozen=True)
class _View:
    """A candidate in its template's frame: grey, and which pixels can be compared."""

    grey: NDArray[np.float32]
    usable: NDArray[np.bool_]


class Probe:
    """Compares a candidate with a template under different maps."""

    def __init__(
        self,
        candidate: Pyramid,
        template: Template,
        config: AlignmentConfig,
        grid: tuple[int, int] | None = None,
    ) -> None:
        height, width = candidate.picture.shape[:2]
        self.candidate = candidate
        self.template = template
        self.config = config
        self.search = config.search
        # What is left after halving still has more pixels than the template; sampling it linearly skips none.
        factor = 1
        while min(width / template.size[0], height / template.size[1]) * template.factor / factor >= 2.0:
            factor *= 2
        self.small = candidate.reduced(factor)
        self.to_candidate = scaling(factor, factor)
        self._latest: tuple[Matrix, _View] | None = None
        self._latest_flow: BlockFlow | None = None
        self.possible = int(np.count_nonzero(template.compared))
        self.to_template = scaling(1.0 / template.factor, 1.0 / template.factor)
        self.grid = grid or block_grid(template.grey.shape[0], template.grey.shape[1], config.flow)

    def agreement(self, matrix: Matrix, field: Field | None = None) -> float:
        """Correlation of greys over what can be compared, less what the candidate leaves uncovered; -1 to 1."""
        return self._correlation(self._view(matrix, field))

    def rough_agreement(self, matrix: Matrix) -> float:
        """The same at half the resolution, where it costs a quarter."""
        return (self._coarser or self).agreement(matrix)

    def examine(self, matrix: Matrix) -> tuple[float, float]:
        """Agreement, and by how many puzzle pixels the drawing seems displaced in the quarter where it is most."""
        # Quarter by quarter, since a turn or a zoom moves nothing on the whole.
        return self.agreement(matrix), self._drift(matrix, 2)

    def _drift(self, matrix: Matrix, blocks: int) -> float:
        """By how many puzzle pixels the drawing seems displaced in that of blocks x blocks where it is most."""
        step_x, step_y = self._flow(matrix).gathered(blocks, blocks).steps(self.config.flow)
        return float(np.hypot(step_x, step_y).max()) * self.template.factor

    def settled(self, agreement: float, drift: float) -> bool:
        """Whether a map agrees well and nothing seems displaced under it."""
        return agreement >= self.config.good and drift <= self.config.still * max(self.template.size)

    def lies_still(self, matrix: Matrix, agreement: float) -> bool:
        """Whether nothing seems displaced anywhere."""
        return self.settled(agreement, self._drift(matrix, self.search.local_blocks))

    def refine(self, matrix: Matrix) -> tuple[Matrix, float]:
        """Looks for a displacement, then a zoom or turn, then a small affine change, that agrees better.

        Agreement itself decides, since unlike a sum of squares it leaves the drawn answer out. The search stops as soon
        as nothing is seen to be off any more, or where there is no hope.
        """
        best, best_score = matrix, self.agreement(matrix)
        for propose in (self._shift, self._step, self._step, self._turned(matrix), self._turned(None), self._shift):
            proposed = propose(best)
            score = self.agreement(proposed)
            if score > best_score + self.search.better:
                best, best_score = proposed, score
            if best_score < self.config.hopeful or self.settled(*self.examine(best)):
                break
        if best_score < self.config.hopeful:
            return best, best_score
        polished = (self._finer or self)._polish(self._polish(best))
        score = self.agreement(polished)
        return (polished, score) if score >= best_score - self.search.polish_loss else (best, best_score)

    def bend(self, matrix: Matrix, agreement: float) -> tuple[Field | None, float]:
        """Looks for a smooth local displacement beyond a map, in puzzle pixels; None where there is none.

        Returns it, and the agreement with it.
        """
        if self.lies_still(matrix, agreement):
            return None, agreement
        fine = self._finer or self
        field = fine._bent(matrix, self._bent(matrix, np.zeros((*self.grid, 2))))
        longest = max(self.template.size)
        length = float(np.hypot(field[..., 0], field[..., 1]).max())
        if not self.config.still * longest < length <= self.config.max_bend * longest:
            return None, agreement
        before, after = fine.agreement(matrix), fine.agreement(matrix, field)
        least = max(self.search.bend_gain, self.search.bend_share * (1.0 - before))
        return (field, after) if after > before + least else (None, agreement)

    def keystone(self, matrix: Matrix) -> tuple[Matrix, Field, float] | None:
        """Looks for a perspective, as of a photographed page, and for what is bent beyond it.

        Returns a map, what displaces beyond it, in puzzle pixels, and the agreement with both; None where the page
        would have to be seen less aslant than is told from a bend, or far more than is looked for.
        """
        fine, longest = self._finer or self, max(self.template.size)
        field = np.zeros((*self.grid, 2))
        for probe in (self, fine):
            for _ in range(self.search.keystone_steps):
                moved = projective_step(probe._flow(matrix, field), self.config.flow) * probe.template.factor
                field = field - moved
                if np.hypot(moved[..., 0], moved[..., 1]).max() < self.search.rest * probe.template.factor:
                    break
        matrix, aslant = _straightened(matrix, field, self.template.size)
        field = fine._bent(matrix, aslant)
        bent = float(np.hypot(*np.moveaxis(field - aslant, -1, 0)).max())
        most = float(np.hypot(aslant[..., 0], aslant[..., 1]).max())
        # A slight perspective is a bend like others, and may be a wall that is gone.
        slight, steep = self.config.least_keystone * longest, self.config.max_keystone * longest
        if not slight <= most <= steep or bent > self.config.max_bend * longest:
            return None
        return matrix, field, fine.agreement(matrix, field)

    def _bent(self, matrix: Matrix, field: Field) -> Field:
        """A field that is improved until nothing moves any more."""
        factor = self.template.factor
        for _ in range(self.search.bend_steps):
            moved = smooth_field(self._flow(matrix, field), self.config.flow) * factor
            # What is drawn at p belongs at p + moved, so p is to be looked for at p - moved.
            field = field - moved
            if np.hypot(moved[..., 0], moved[..., 1]).max() < self.search.rest * factor:
                break
        return field

    def _view(self, matrix: Matrix, field: Field | None = None) -> _View:
        if field is not None:
            return self._draw(matrix, field)
        # A map is looked at several times in a row: how well it agrees, what is off, and where.
        if self._latest is None or self._latest[0] is not matrix:
            self._latest = (matrix, self._draw(matrix, None))
            self._latest_flow = None
        return self._latest[1]

    def _draw(self, matrix: Matrix, field: Field | None) -> _View:
        height, width = self.template.grey.shape
        full = self._to_template(matrix)
        everywhere = np.ones((height, width), np.bool_)
        if field is not None:
            view, inside = draw(self.small, full, (width, height), field / self.template.factor)
        elif self.small.shape[:2] == (height, width) and np.abs(full - np.eye(2, 3)).max() < 1e-9:
            view, inside = self.small, everywhere
        elif not (full[0, 1] or full[1, 0]) and self._fills(full):
            view, inside = resize(self.small, (width, height)), everywhere
        else:
            view, inside = draw(self.small, full, (width, height))
        marks = self.config.marks
        plain_grey, spread = grey_and_spread(view)
        grey = plain_grey.astype(np.float32)
        own = self.template.spread
        answered = (spread >= marks.colorful) & self.template.colorless
        if own is not None:
            answered = cv2.subtract(spread, own) >= marks.colorful
        usable = inside & self.template.compared & ~answered
        if marks.are_dark:
            usable &= ~_thick((self.template.grey - grey) >= marks.darker, marks)
        return _View(grey, usable)

    def _to_template(self, matrix: Matrix) -> Matrix:
        """From pixels of the reduced candidate to those of the template."""
        return compose(self.to_template, compose(matrix, self.to_candidate))

    def _fills(self, full: Matrix) -> bool:
        """Whether a map of the reduced candidate to the template is the plain stretch of one onto the other."""
        (height, width), (source_height, source_width) = self.template.grey.shape, self.small.shape[:2]
        # not a threshold: what rounds
        return bool(np.abs(full - stretch((source_width, source_height), (width, height))).max() < 1e-6)

    def _correlation(self, view: _View) -> float:
        rows = (view.grey.reshape(1, -1), self.template.grey.ravel(), view.usable.reshape(1, -1))
        return float(correlations(*rows, self.possible, self.search)[0])

    def _flow(self, matrix: Matrix, field: Field | None = None) -> BlockFlow:
        view = self._view(matrix, field)
        if field is None and self._latest_flow is not None:
            return self._latest_flow
        grey = _leveled(view.grey, self.template.grey, view.usable, self.search)
        flow = block_flow(grey, self.template.grey, self.template.gradients, view.usable, self.grid, self.config.flow)
        if field is None:
            self._latest_flow = flow
        return flow

    def _step(self, matrix: Matrix) -> Matrix:
        """A map followed by the small affine change that takes off what is seen to be displaced."""
        change = affine_step(self._flow(matrix), self.config.flow)
        # From pixels of the template, at -1 to 1 across it, to those of the puzzle.
        height, width = self.template.grey.shape
        middle = np.array([(width - 1) / 2.0, (height - 1) / 2.0])
        linear = np.eye(2) + change[:, :2] / np.array([width / 2.0, height / 2.0])
        moved = np.column_stack([linear, middle - linear @ middle + change[:, 2]])
        factor = self.template.factor
        return compose(compose(scaling(factor, factor), moved), compose(self.to_template, matrix))

    def _polish(self, matrix: Matrix) -> Matrix:
        """Steps until nothing moves any more."""
        corners = np.array([[0, 0, 1], [1, 0, 1], [0, 1, 1], [1, 1, 1]], np.float64)
        corners[:, 0] *= self.small.shape[1] * self.to_candidate[0, 0]
        corners[:, 1] *= self.small.shape[0] * self.to_candidate[1, 1]
        for _ in range(self.search.polish_steps):
            stepped = self._step(matrix)
            moved = float(np.linalg.norm(corners @ (stepped - matrix).T, axis=1).max())
            matrix = stepped
            if moved < self.search.rest * self.template.factor:
                break
        return matrix

    def _shift(self, matrix: Matrix) -> Matrix:
        grey = self._view(matrix).grey
        reach = max(1, round(self.config.max_shift * max(grey.shape)))
        middle = self.template.grey[reach:-reach, reach:-reach]
        if min(middle.shape) < self.search.least_px:
            return matrix
        # Unlike phase correlation this is not led astray by the drawn answer, nor by a pattern that repeats.
        scores = cv2.matchTemplate(grey, np.ascontiguousarray(middle), cv2.TM_CCOEFF_NORMED)
        _, _, _, (x, y) = cv2.minMaxLoc(scores)
        moved = matrix.copy()
        moved[:, 2] -= ((x - reach) * self.template.factor, (y - reach) * self.template.factor)
        return moved

    def _turned(self, start: Matrix | None) -> Callable[[Matrix], Matrix]:
        """A proposal that looks for a zoom and turn from a given map, or from the best one, and takes two steps there.

        From the first map too, since a displacement that explains half of a zoom is a bad place to start from.
        """

        def propose(best: Matrix) -> Matrix:
            if start is not None and start is best:
                return best
            return self._step(self._step(self._zoom_or_turn(best if start is None else start)))

        return propose

    def _zoom_or_turn(self, matrix: Matrix) -> Matrix:
        zooms = np.linspace(-self.config.max_zoom, self.config.max_zoom, self.search.zooms)
        turns = np.linspace(-self.config.max_rotation_rad, self.config.max_rotation_rad, self.search.turns)
        tried = [self._changed(matrix, (zoom, turn, zoom, -turn, 0.0, 0.0)) for zoom in zooms for turn in turns]
        rough = self._coarser or self
        return tried[best_of(rough.small, [rough._to_template(one) for one in tried], rough.template)]

    @cached_property
    def _coarser(self) -> Probe | None:
        """The same candidate at half the resolution, where trying a map costs a quarter."""
        coarser = self.template.coarser(self.config)
        return None if coarser is None else Probe(self.candidate, coarser, self.config)

    @cached_property
    def _finer(self) -> Probe | None:
        """The same candidate at twice the resolution, where thin lines are not lost."""
        finer = self.template.finer(self.config)
        return None if finer is None else Probe(self.candidate, finer, self.config, self.grid)

    def _changed(self, matrix: Matrix, change: tuple[float, ...]) -> Matrix:
        """A map followed by a small affine change about the puzzle's middle; shifts are shares of its longest side."""
        across_x, across_y, down_y, down_x, shift_x, shift_y = change
        width, height = self.template.size
        middle = np.array([width / 2.0, height / 2.0])
        linear = np.array([[1.0 + across_x, down_x], [across_y, 1.0 + down_y]])
        offset = middle - linear @ middle + np.array([shift_x, shift_y]) * max(width, height)
        return compose(np.column_stack([linear, offset]), matrix)


def _straightened(matrix: Matrix, field: Field, size: tuple[int, int]) -> tuple[Matrix, Field]:
    """The same map and field, with all that is affine in the field taken over into the map."""
    rows, columns = field.shape[:2]
    across = (np.arange(columns) + 0.5) * size[0] / columns - 0.5
    down = (np.arange(rows) + 0.5) * size[1] / rows - 0.5
    places = np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 2)
    sought = places + field.reshape(-1, 2)
    basis = np.column_stack([places, np.ones(len(places))])
    change = np.linalg.lstsq(basis, sought, rcond=None)[0].T
    back = cv2.invertAffineTransform(change)
    left = sought @ back[:, :2].T + back[:, 2] - places
    return compose(back, matrix), left.reshape(field.shape)


def _thick(mask: NDArray[np.bool_], config: AnswerConfig) -> NDArray[np.bool_]:
    """What of a mask is thicker than a grid line: marks, not lines that are out of place."""
    kernel = np.ones((config.line_px, config.line_px), np.uint8)
    opened = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, kernel)
    around = np.ones((config.rim_px, config.rim_px), np.uint8)
    return np.asarray(cv2.dilate(opened, around) > 0, np.bool_)


def _leveled(
    grey: NDArray[np.float32], target: NDArray[np.float32], usable: NDArray[np.bool_], config: SearchConfig
) -> NDArray[np.float32]:
    """A picture with the brightness and contrast of its target, as far as they can be compared."""
    count = int(np.count_nonzero(usable))
    if count < config.least_pixels:
        return grey
    weight = usable.astype(np.float32)
    (mean, spread), (target_mean, target_spread) = (_mean_and_spread(one * weight, count) for one in (grey, target))
    gain = np.float32(min(config.most_gain, max(config.least_gain, target_spread / max(spread, 1.0))))
    return np.asarray((grey - np.float32(mean)) * gain + np.float32(target_mean), np.float32)


def _mean_and_spread(kept: NDArray[np.float32], count: int) -> tuple[float, float]:
    """Mean and standard deviation of so many whole numbers, amid noughts: exact sums, in any order."""
    total, squares = cv2.sumElems(kept)[0], sum_of_squares(kept)
    return total / count, math.sqrt(count * squares - total * total) / count
