"""Brings the frames of a clip into their puzzle's frame, and follows a camera that moves a little.

The first frame is aligned as a picture is. The same map then holds for the frames after it, as long as they agree with
the puzzle at the edges of its drawing as well as the first one did; where they do not, a small affine motion is added,
and where that does not do, they are aligned anew.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from grader.alignment.align import align, warp
from grader.alignment.following import FollowConfig
from grader.alignment.framing import Matrix, compose, of_areas, of_centers, scaling, stretch
from grader.alignment.template import SOBEL_SCALE, AlignmentConfig, Template
from grader.media.changes import Box, area, changed_boxes, everywhere, grown
from grader.media.frames import Frame
from grader.media.pyramid import Pyramid, reduce_picture
from grader.media.warping import warp_affine
from grader.model.verdict import Alignment


@dataclass(frozen=True, eq=False)
class _Drawn:
    """A frame as it was drawn, what from, and where it differs at most from the one drawn before it.

    Attributes
    ----------
    source : the part of the frame that is seen, reduced
    changed : parts of the view
    """

    alignment: Alignment
    source: NDArray[np.uint8]
    view: NDArray[np.uint8]
    changed: tuple[Box, ...]


@dataclass(frozen=True, eq=False)
class _Route:
    """How frames of one alignment are drawn.

    Attributes
    ----------
    crop : the part of a frame that is seen
    halvings : by which power of two it is reduced first
    matrix : (2, 3) float64, from the reduced part to what is drawn
    plain : whether that is a plain resize
    """

    alignment: Alignment
    crop: Box
    halvings: int
    matrix: Matrix
    plain: bool


class Follower:
    """Aligns frame after frame.

    Parameters
    ----------
    template : Template
        Of the puzzle.
    reference : ndarray of shape (h, w, 3), uint8 RGB
        The puzzle's picture at the size that frames are drawn at.
    factor : int
        Puzzle pixels per pixel of it, a power of two.
    alignment, follow : configs
    """

    def __init__(
        self,
        template: Template,
        reference: NDArray[np.uint8],
        factor: int,
        alignment: AlignmentConfig,
        follow: FollowConfig,
    ) -> None:
        self._template, self._factor = template, factor
        self._alignment, self._follow = alignment, follow
        self._size = (reference.shape[1], reference.shape[0])
        grey = cv2.cvtColor(reference, cv2.COLOR_RGB2GRAY)
        around = np.ones((follow.edge_px, follow.edge_px), np.uint8)
        edges = cv2.morphologyEx(grey, cv2.MORPH_GRADIENT, around) > follow.edge
        at = np.flatnonzero(edges)
        self._at = at[:: max(1, at.size // follow.places)]
        self._expected = _standard(grey.ravel()[self._at])
        self._reference = grey
        self._first = self._settled = 0.0
        self._current: Alignment | None = None
        self._rest, self._pause = 0, follow.rest_frames
        self._route: _Route | None = None
        self._drawn: _Drawn | None = None
        self._last: NDArray[np.uint8] | None = None
        self._changed: tuple[Box, ...] | None = None

    @property
    def current(self) -> Alignment | None:
        """How the last frame was aligned; None before the first."""
        return self._current

    @property
    def changed(self) -> tuple[Box, ...] | None:
        """Parts of the last frame as drawn that hold all in which it differs from the one before; None if unknown."""
        return self._changed

    def draw(self, frame: Frame) -> Frame:
        """The frame in the puzzle's frame, (h, w, 3); the first also where alignment failed, by a plain resize."""
        before = self._drawn
        view = self._draw(frame.pixels)
        now = self._drawn
        if before is None or now is None or now.view is not view or now.alignment is not before.alignment:
            self._changed = None
        else:
            self._changed = now.changed
        return Frame(frame.index, frame.time_s, view)

    def _draw(self, pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
        size = (pixels.shape[1], pixels.shape[0])
        if self._current is None or self._current.candidate_size != size:
            self._current = align(Pyramid(pixels), self._template, self._alignment)
            view = self._view(pixels, self._current)
            self._first = self._settled = self._agreement(view)
            return view
        view = self._view(pixels, self._current)
        self._rest = max(0, self._rest - 1)
        if view is self._last:
            # What is drawn is, to the bit, what was drawn before, and was looked at then.
            return view
        self._last = view
        agreement = self._agreement(view)
        if agreement >= self._first - self._follow.slight:
            self._settled = self._first
            return view
        if agreement < self._settled - self._follow.slight:
            view, agreement = self._nearby(pixels, view, agreement)
            self._settled = agreement
        elif agreement > self._settled:
            self._settled = agreement
        if agreement < self._first - self._follow.loss and not self._rest:
            view = self._anew(pixels, view, agreement)
        self._last = view
        return view

    def _nearby(
        self, pixels: NDArray[np.uint8], view: NDArray[np.uint8], agreement: float
    ) -> tuple[NDArray[np.uint8], float]:
        """Looks for a small motion. A drop that no motion explains, as by what is drawn, is then taken as it is."""
        kept = self._current, self._route, self._drawn
        for _ in range(self._follow.rounds):
            nudged = None if self._current is None else self._nudged(view, self._current)
            if nudged is None:
                break
            moved = self._view(pixels, nudged)
            better = self._agreement(moved)
            if better <= agreement:
                break
            self._current, view, agreement = nudged, moved, better
            kept = nudged, self._route, self._drawn
        # What was drawn in vain is no help to draw the next frame.
        self._current, self._route, self._drawn = kept
        return view, agreement

    def _anew(self, pixels: NDArray[np.uint8], view: NDArray[np.uint8], agreement: float) -> NDArray[np.uint8]:
        """Aligns a frame as if it were the first; each try in vain makes the rest until the next one longer."""
        kept = self._route, self._drawn
        other = align(Pyramid(pixels), self._template, self._alignment)
        if other.method != "FAILED":
            moved = self._view(pixels, other)
            better = self._agreement(moved)
            if better > agreement + self._follow.gain:
                self._current, self._settled = other, better
                self._pause = self._follow.rest_frames
                return moved
        self._route, self._drawn = kept
        self._rest = self._pause
        self._pause = min(2 * self._pause, self._follow.most_rest_frames)
        return view

    def frames(self, frames: Iterable[Frame]) -> Iterator[Frame]:
        """All frames, drawn one by one."""
        return (self.draw(frame) for frame in frames)

    def _view(self, pixels: NDArray[np.uint8], alignment: Alignment) -> NDArray[np.uint8]:
        """A frame as `warp` draws it, to a fraction of a pixel, but without looking up what it covers: in less time.

        Of a frame that is aligned as the one before only what changed is drawn anew. The array of the one before is
        given again where nothing did.
        """
        if alignment.bend is not None:
            return warp(Pyramid(pixels), alignment, self._size, self._factor)[0]
        if self._route is None or self._route.alignment is not alignment:
            self._route = self._routed(alignment, pixels.shape)
        route, before = self._route, self._drawn
        source = reduce_picture(pixels[route.crop], route.halvings)
        if before is None or before.alignment is not alignment:
            view = self._whole(source, route)
            changed = everywhere(view.shape)
        else:
            boxes = changed_boxes(before.source, source)
            if area(boxes) == source.shape[0] * source.shape[1]:
                view = self._whole(source, route)
                changed = everywhere(view.shape)
            else:
                view = before.view.copy() if boxes else before.view
                changed = tuple(self._patch(view, source, box, route) for box in boxes)
        self._drawn = _Drawn(alignment, source, view, changed)
        return view

    def _routed(self, alignment: Alignment, shape: tuple[int, ...]) -> _Route:
        matrix = of_centers(np.array(alignment.matrix, np.float64).reshape(2, 3))
        full = compose(scaling(1.0 / self._factor, 1.0 / self._factor), matrix)
        halvings = 1
        while max(abs(full[0, 0]), abs(full[1, 1])) * 2 * halvings <= 1.0:
            halvings *= 2
        plain = alignment.method in ("NONE", "RESIZED", "FAILED")
        crop = everywhere(shape)[0]
        if not plain:
            width, height = self._size
            seen = _mapped(cv2.invertAffineTransform(full), everywhere((height, width))[0])
            crop = _cut(seen, 2 * halvings, halvings, shape)
            full = compose(full, np.array([[1.0, 0.0, crop[1].start], [0.0, 1.0, crop[0].start]]))
        full = compose(full, scaling(halvings, halvings))
        if plain:
            rows, columns = (-(-side // halvings) for side in shape[:2])
            full = stretch((columns, rows), self._size)
        return _Route(alignment, crop, halvings, full, plain)

    def _whole(self, source: NDArray[np.uint8], route: _Route) -> NDArray[np.uint8]:
        if route.plain:
            return np.asarray(cv2.resize(source, self._size, interpolation=cv2.INTER_LINEAR), np.uint8)
        return warp_affine(source, route.matrix, self._size)

    def _patch(self, view: NDArray[np.uint8], source: NDArray[np.uint8], box: Box, route: _Route) -> Box:
        """Draws what a part of the source has to do with, and says what that is."""
        # Two pixels more, for what is between the pixels at a part's rim depends on its neighbours.
        rows, columns = _cut(_mapped(route.matrix, grown(box, 2, source.shape)), 1, 1, view.shape)
        moved = route.matrix.copy()
        moved[:, 2] -= (columns.start, rows.start)
        size = (columns.stop - columns.start, rows.stop - rows.start)
        view[rows, columns] = warp_affine(source, moved, size)
        return rows, columns

    def _nudged(self, view: NDArray[np.uint8], alignment: Alignment) -> Alignment | None:
        """The alignment with the small affine motion that explains best how a view differs from the reference.

        One step of Gauss and Newton: with g the gradient of the reference R at its edges, and V the view in the same
        grey, p minimises the sum of w (V - R - g (A x + t))^2, where p holds A and t, and w leaves out what differs by
        far, which is drawn on. None where an alignment bends, or the edges do not tell.
        """
        if alignment.bend is not None or not self._at.size:
            return None
        grey = _standard(cv2.cvtColor(view, cv2.COLOR_RGB2GRAY).ravel()[self._at])
        off = grey - self._expected
        weights = (np.abs(off) <= self._follow.outlier).astype(np.float64)
        weighted = self._slopes * weights[:, None]
        # Summed by einsum: a BLAS may add in another order with another number of threads.
        square = np.einsum("ni,nj->ij", weighted, self._slopes)
        found, solution = cv2.solve(square, np.einsum("ni,n->i", weighted, off)[:, None], flags=cv2.DECOMP_CHOLESKY)
        if not found:
            return None
        step = np.asarray(solution, np.float64).reshape(2, 3)
        scale = 1.0 / max(self._size)
        move = np.array(
            [
                [1.0 + step[0, 0] * scale, step[0, 1] * scale, step[0, 2]],
                [step[1, 0] * scale, 1.0 + step[1, 1] * scale, step[1, 2]],
            ]
        )
        matrix = of_centers(np.array(alignment.matrix, np.float64).reshape(2, 3))
        small = compose(scaling(1.0 / self._factor, 1.0 / self._factor), matrix)
        moved = of_areas(compose(scaling(self._factor, self._factor), compose(move, small)))
        values = tuple(float(value) for value in moved.ravel())
        return replace(alignment, matrix=values, method="SHIFTED")  # type: ignore[arg-type]

    @cached_property
    def _slopes(self) -> NDArray[np.float64]:
        """How the standardised grey at the edges changes with each of the six numbers of an affine motion, (N, 6)."""
        grey = self._reference
        values = grey.ravel()[self._at].astype(np.float64)
        deviation = float(values.std()) if values.size else 0.0
        along = [cv2.Sobel(grey, cv2.CV_64F, x, y, scale=SOBEL_SCALE).ravel()[self._at] for x, y in ((1, 0), (0, 1))]
        rows, columns = np.divmod(self._at, self._size[0])
        where = np.stack([columns / max(self._size), rows / max(self._size), np.ones(len(rows))], axis=1)
        # not a threshold: against a division by 0
        return np.concatenate([slope[:, None] * where for slope in along], axis=1) / max(deviation, 1e-6)

    def _agreement(self, view: NDArray[np.uint8]) -> float:
        """The correlation of grey values at the edges of the puzzle's drawing, -1 to 1."""
        if not self._at.size:
            return 0.0
        # At these places only: less than a tenth of the picture.
        grey = cv2.cvtColor(view.reshape(-1, 3).take(self._at, axis=0)[None], cv2.COLOR_RGB2GRAY)
        return float(np.einsum("i,i->", _standard(grey.ravel()), self._expected)) / self._at.size


def _mapped(matrix: cv2.typing.MatLike, box: Box) -> tuple[float, float, float, float]:
    """The box (left, top, right, bottom) around the image of a box's pixels, centres at whole numbers."""
    rows, columns = box
    ranges = []
    for by_x, by_y, offset in np.asarray(matrix, np.float64).tolist():
        along = sorted((by_x * columns.start, by_x * (columns.stop - 1)))
        down = sorted((by_y * rows.start, by_y * (rows.stop - 1)))
        ranges.append((along[0] + down[0] + offset, along[1] + down[1] + offset))
    (left, right), (top, bottom) = ranges
    return left, top, right, bottom


def _cut(seen: tuple[float, float, float, float], margin: int, step: int, shape: tuple[int, ...]) -> Box:
    """A part of a picture of a shape (h, w, ...), with a margin in pixels, that begins at a multiple of a step."""
    left, top, right, bottom = seen
    rows = _span(top, bottom, margin, step, shape[0])
    return rows, _span(left, right, margin, step, shape[1])


def _span(low: float, high: float, margin: int, step: int, length: int) -> slice:
    # What lies beyond a rim is the rim's own pixels over and over; so at least one step is left of a picture.
    start = min(max(0, math.floor(low) - margin), length - 1) // step * step
    stop = max(start + 1, math.ceil(high) + margin + 1)
    return slice(start, min(length, -(-stop // step) * step))


def _standard(values: cv2.typing.MatLike) -> NDArray[np.float64]:
    """Shifted to mean 0 and scaled to variance 1; zeros where all are alike."""
    shifted = values.astype(np.float64)
    if not shifted.size:
        return shifted
    shifted -= shifted.mean()
    # Not by BLAS, which may add in another order with another number of threads.
    deviation = math.sqrt(float(np.einsum("i,i->", shifted, shifted)) / shifted.size)
    if deviation > 0.0:
        shifted /= deviation
    return shifted
