"""The paint of a box whose place is known, so that boxes like it can be looked for in another picture."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.colors import median_rgb
from detectors.spatial_edit.boxes.findings import BoxView, FoundBox
from detectors.spatial_edit.boxes.geometry import NEAR_M, SIGNS, project

_CORE = 0.7  # so much of the outline's width is looked at: edges are smeared, and the box may be drawn a little off


def paint_of(picture: NDArray[np.uint8], view: BoxView, box: FoundBox) -> tuple[int, int, int]:
    """Return the median RGB, 0 to 255, of what is seen in the middle of a box's outline.

    Parameters
    ----------
    picture
        (height, width, 3) uint8 RGB, of the size that ``view`` is for.
    view
        The camera.
    box
        A box in the camera's frame that nothing hides, such as the source box of an edit in the first picture.

    Raises
    ------
    ValueError
        If the picture has another size, or the box is not before the camera and in the picture.
    """
    if picture.shape != (view.height, view.width, 3) or picture.dtype != np.uint8:
        raise ValueError(f"the picture must be {view.width} x {view.height} uint8 RGB, not {picture.shape}")
    points = (SIGNS * (np.array(box.size) / 2)) @ np.array(box.rotation).T + np.array(box.center)
    if points[:, 2].min() <= NEAR_M:
        raise ValueError("the box is not before the camera")
    hull = cv2.convexHull(project(points, view).astype(np.float32))[:, 0].astype(np.float64)
    core = hull.mean(axis=0) + _CORE * (hull - hull.mean(axis=0))
    mask = np.zeros(picture.shape[:2], np.uint8)
    limit = 4.0 * max(view.width, view.height)
    cv2.fillConvexPoly(mask, np.rint(np.clip(core - 0.5, -limit, limit)).astype(np.int32), 1)
    if not mask.any():
        raise ValueError("the box is not in the picture")
    red, green, blue = (round(float(channel)) for channel in median_rgb(picture[mask > 0]))
    return red, green, blue
