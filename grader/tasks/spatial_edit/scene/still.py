"""Where an edited picture shows what the one before showed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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

    def unchanged(self, boxes: Sequence[OrientedBox]) -> bool:
        """Tells whether the place of some boxes, all together, shows what it showed."""
        height, width = self.changed.shape
        return is_unchanged(self.changed, boxes_mask(boxes, self.camera, width, height), self.config)
