"""Brings the frames of a clip into their puzzle's frame, and follows a camera that moves a little.

The first frame is aligned as a picture is. The same map then holds for the frames after it, as long as they agree with
the puzzle at the edges of its drawing as well as the first one did; where they do not, a small affine motion is added,
and where that does not do, they are aligned anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.pictures import Pyramid
from grader.alignment import align, warp
from grader.alignment_template import AlignmentConfig, Template
from grader.framing import compose, of_areas, of_centers, scaling
from grader.media_frames import Frame
from grader.verdict import Alignment

_EDGES = 6000
"""Agreement is measured at about so many places."""


@dataclass(frozen=True)
class FollowConfig:
    """When a frame is aligned anew.

    Attributes
    ----------
    slight : loss of agreement (-1 to 1) against the first frame from which a small motion is looked for...
    rounds : ...so many times
    outlier : places that differ by more standard deviations of the reference than this tell no motion
    loss : loss of agreement from which a frame is aligned anew
    gain : how much better a new alignment has to agree to be taken
    rest_frames : after a try in vain, so many frames pass until the next
    """

    slight: float = 0.004
    rounds: int = 3
    outlier: float = 1.5
    loss: float = 0.015
    gain: float = 0.01
    rest_frames: int = 12


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
        edges = cv2.morphologyEx(grey, cv2.MORPH_GRADIENT, np.ones((5, 5), np.uint8)) > 64
        at = np.flatnonzero(edges)
        self._at = at[:: max(1, at.size // _EDGES)]
        self._expected = _standard(grey.ravel()[self._at])
        self._slopes = self._gradients(grey)
        self._first: float | None = None
        self._current: Alignment | None = None
        self._rest = 0

    @property
    def current(self) -> Alignment | None:
        """How the last frame was aligned; None before the first."""
        return self._current

    def draw(self, frame: Frame) -> Frame:
        """The frame in the puzzle's frame, (h, w, 3); the first also where alignment failed, by a plain resize."""
        pyramid = Pyramid(frame.pixels)
        size = (frame.pixels.shape[1], frame.pixels.shape[0])
        if self._current is None or self._current.candidate_size != size:
            self._current = align(pyramid, self._template, self._alignment)
            view = self._view(pyramid, self._current)
            self._first = self._agreement(view)
            return Frame(frame.index, frame.time_s, view)
        view = self._view(pyramid, self._current)
        agreement = self._agreement(view)
        self._rest = max(0, self._rest - 1)
        if self._first is None or agreement >= self._first - self._follow.slight:
            return Frame(frame.index, frame.time_s, view)
        for _ in range(self._follow.rounds):
            nudged = self._nudged(view, self._current)
            if nudged is None:
                break
            moved = self._view(pyramid, nudged)
            better = self._agreement(moved)
            if better <= agreement:
                break
            self._current, view, agreement = nudged, moved, better
        if agreement < self._first - self._follow.loss and not self._rest:
            other = align(pyramid, self._template, self._alignment)
            moved = self._view(pyramid, other) if other.method != "FAILED" else view
            if other.method != "FAILED" and self._agreement(moved) > agreement + self._follow.gain:
                self._current, view = other, moved
            else:
                self._rest = self._follow.rest_frames
        return Frame(frame.index, frame.time_s, view)

    def frames(self, frames: Iterable[Frame]) -> Iterator[Frame]:
        """All frames, drawn one by one."""
        return (self.draw(frame) for frame in frames)

    def _view(self, pyramid: Pyramid, alignment: Alignment) -> NDArray[np.uint8]:
        """A frame as `warp` draws it, to a fraction of a pixel, but without looking up what it covers: in less time."""
        if alignment.bend is not None:
            return warp(pyramid, alignment, self._size, self._factor)[0]
        matrix = of_centers(np.array(alignment.matrix, np.float64).reshape(2, 3))
        full = compose(scaling(1.0 / self._factor, 1.0 / self._factor), matrix)
        halvings = 1
        while max(abs(full[0, 0]), abs(full[1, 1])) * 2 * halvings <= 1.0:
            halvings *= 2
        source = pyramid.reduced(halvings)
        if alignment.method in ("NONE", "RESIZED", "FAILED"):
            return np.asarray(cv2.resize(source, self._size, interpolation=cv2.INTER_LINEAR), np.uint8)
        full = compose(full, scaling(halvings, halvings))
        drawn = cv2.warpAffine(source, full, self._size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(drawn, np.uint8)

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

    def _gradients(self, grey: cv2.typing.MatLike) -> NDArray[np.float64]:
        """How the standardised grey at the edges changes with each of the six numbers of an affine motion, (N, 6)."""
        values = grey.ravel()[self._at].astype(np.float64)
        deviation = float(values.std()) if values.size else 0.0
        along = [cv2.Sobel(grey, cv2.CV_64F, x, y, scale=0.125).ravel()[self._at] for x, y in ((1, 0), (0, 1))]
        rows, columns = np.divmod(self._at, self._size[0])
        where = np.stack([columns / max(self._size), rows / max(self._size), np.ones(len(rows))], axis=1)
        return np.concatenate([slope[:, None] * where for slope in along], axis=1) / max(deviation, 1e-6)

    def _agreement(self, view: NDArray[np.uint8]) -> float:
        """The correlation of grey values at the edges of the puzzle's drawing, -1 to 1."""
        if not self._at.size:
            return 0.0
        grey = cv2.cvtColor(view, cv2.COLOR_RGB2GRAY).ravel()[self._at]
        return float((_standard(grey) * self._expected).mean())


def _standard(values: cv2.typing.MatLike) -> NDArray[np.float64]:
    """Shifted to mean 0 and scaled to variance 1; zeros where all are alike."""
    shifted = values.astype(np.float64)
    shifted -= shifted.mean() if shifted.size else 0.0
    deviation = float(np.sqrt((shifted**2).mean())) if shifted.size else 0.0
    return shifted / deviation if deviation > 0.0 else shifted
