"""Where the boxes of a picture come from, when a request holds pictures alone and does not say what boxes look like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from grader.metrics.space.edit_types import Detection
from grader.metrics.space.projection import Camera
from grader.tools.similarity import Measures


@dataclass(frozen=True)
class FoundBoxes:
    """What a detector found in a picture.

    Attributes
    ----------
    detections : the boxes
    detector : name and version of what found them, as it gives them
    """

    detections: tuple[Detection, ...]
    detector: str


class BoxSource(Protocol):
    """A detector of boxes in space."""

    def until(self, end_at: float) -> BoxSource:
        """The same detector for a request that ends at a time on ``time.monotonic()``: it is given up well before."""

    def find(self, picture: NDArray[np.uint8], camera: Camera, labels: Sequence[str]) -> FoundBoxes:
        """Finds boxes in a picture, (H, W, 3) uint8 RGB.

        Parameters
        ----------
        picture : ndarray of shape (H, W, 3), uint8 RGB
        camera : Camera
            In pixels of the picture.
        labels : sequence of str
            What the request names; other things may be reported too.

        Raises
        ------
        BoxDetectorError
            If the detector does not answer, or answers with what are no boxes.
        """


@dataclass(frozen=True)
class Tools:
    """What a task may use beside its puzzle and the candidate.

    Attributes
    ----------
    measures : takes measures of likeness
    boxes : finds boxes in pictures; None where the operator named no detector
    """

    measures: Measures
    boxes: BoxSource | None = None
