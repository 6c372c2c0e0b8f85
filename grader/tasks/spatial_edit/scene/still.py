"""Where an edited picture shows what the one before showed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.spatial_edit.predicted.changes import ChangesConfig, is_unchanged
from grader.metrics.space.boxes3d import OrientedBox
from grader.metrics.space.projection import Camera, boxes_mask


@dataclass(frozen=True, eq=False)
class ChangedPixels:
    """Where an edited picture differs from the one before, (H, W) bool, with their camera."""

    changed: NDArray[np.bool_]
    camera: Camera
    config: ChangesConfig

    def unchanged(self, boxes: Sequence[OrientedBox], behind: Sequence[OrientedBox] = ()) -> bool:
        """Tells whether the place of some boxes, together, shows what it showed, as far as others do not hide it."""
        height, width = self.changed.shape
        place = boxes_mask(boxes, self.camera, width, height)
        if not behind:
            return is_unchanged(self.changed, place, self.config)
        hidden = boxes_mask(behind, self.camera, width, height).astype(np.uint8)
        around = 2 * math.ceil(3.0 * self.config.smooth_px) + 1  # not a threshold: as far as a Gaussian reaches
        seen = place & (cv2.dilate(hidden, np.ones((around, around), np.uint8)) == 0)
        enough = np.count_nonzero(seen) >= self.config.least_seen * np.count_nonzero(place)
        return bool(enough) and is_unchanged(self.changed, seen, self.config)
