"""Finds the boxes of a scene of coloured boxes in its pictures, for edits whose request holds pictures alone."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from detectors.spatial_edit.boxes.config import PaintConfig
from detectors.spatial_edit.boxes.detector import find_boxes
from detectors.spatial_edit.boxes.findings import BoxKind, BoxView, FoundBox, TablePlane
from detectors.spatial_edit.boxes.masks import alike_paints, has_hue
from detectors.spatial_edit.predicted.config import PredictedConfig
from detectors.spatial_edit.predicted.prediction import SceneBefore, scene_before
from grader.media.pyramid import resize
from grader.metrics.space.boxes3d import OrientedBox
from grader.metrics.space.edit_types import Detection, normal_label
from grader.metrics.space.projection import Camera
from grader.tasks.common.inputs import Inputs
from grader.tasks.spatial_edit.model import ColoredBoxesInput, EditOperation
from grader.tasks.spatial_edit.settings import FindingSettings, SpatialEditSettings

_PATH = "spatial_edit.puzzle.colored_boxes"
_HEX = re.compile(r"#[0-9a-fA-F]{6}")
_MOST_KINDS = 16  # not a threshold: what requests may hold
"""So many hues can be told apart."""
_LEAST_M, _MOST_M = 0.001, 100.0  # not a threshold: what requests may hold
"""Boxes and tables are of this order; a picture tells nothing of others."""
OWN_DETECTOR = "colored_boxes"
"""What a verdict calls this grader's own detector; its version is the grader's."""


@dataclass(frozen=True)
class ColoredScene:
    """What boxes of a scene look like: their kinds, and the table that they stand on, or None."""

    kinds: tuple[BoxKind, ...]
    plane: TablePlane | None


@dataclass(frozen=True)
class Finds:
    """What was found; empty where nobody looked.

    Attributes
    ----------
    detections : what was found
    unsure : the labels of what the detector is not sure of
    detector : its name
    loose : indices of detections whose edges are not where those of such a box are
    """

    detections: tuple[Detection, ...]
    unsure: tuple[str, ...]
    detector: str = ""
    loose: tuple[int, ...] = ()


def read_colored(given: ColoredBoxesInput, config: PaintConfig, inputs: Inputs) -> ColoredScene | None:
    """Reads what boxes look like, or None where something is wrong, which is noted."""
    kinds: list[BoxKind] = []
    if len(given.kinds) > _MOST_KINDS:
        inputs.fault(f"{_PATH}.kinds", "OUT_OF_RANGE", f"there are {len(given.kinds)}; at most {_MOST_KINDS} are taken")
        return None
    for place, one in enumerate(given.kinds):
        path = f"{_PATH}.kinds[{place}]"
        if not normal_label(one.label):
            inputs.fault(f"{path}.label", "MISSING", "give the label of the box")
        elif not _HEX.fullmatch(one.color_hex):
            inputs.fault(f"{path}.color_hex", "OUT_OF_RANGE", f"it is {one.color_hex!r}; give a paint as #RRGGBB")
        elif not has_hue(_rgb(one.color_hex), config):
            text = f"{one.color_hex} has no hue by which the box could be found; boxes of grey can't be"
            inputs.fault(f"{path}.color_hex", "OUT_OF_RANGE", text)
        elif one.size_m is not None and not all(_LEAST_M <= extent <= _MOST_M for extent in one.size_m):
            text = f"extents are {_LEAST_M:g} to {_MOST_M:g} m; leave size_m out if they are not known"
            inputs.fault(f"{path}.size_m", "OUT_OF_RANGE", text)
        else:
            kinds.append(BoxKind(one.label, _rgb(one.color_hex), one.size_m))
    if not given.kinds:
        inputs.fault(f"{_PATH}.kinds", "MISSING", "give each kind of box, with label and paint")
    if len({normal_label(kind.label) for kind in kinds}) < len(kinds):
        inputs.fault(f"{_PATH}.kinds", "MISMATCH", "two kinds have one label")
    pair = alike_paints([kind.color for kind in kinds], config) if kinds else None
    if pair is not None:
        names = " and ".join(repr(kinds[at].label[:60]) for at in pair)
        text = f"the paints of {names} are too much alike to be told apart; their hues or chromas have to differ more"
        inputs.fault(f"{_PATH}.kinds", "MISMATCH", text)
    plane = None
    if given.table is not None:
        normal, offset = given.table
        try:
            plane = TablePlane(normal, offset)
            if not _LEAST_M <= -offset <= _MOST_M:
                inputs.fault(f"{_PATH}.table", "OUT_OF_RANGE", f"offset_m is -{_MOST_M:g} to -{_LEAST_M:g}")
        except ValueError as error:
            inputs.fault(f"{_PATH}.table", "OUT_OF_RANGE", str(error))
    elif any(kind.size is None for kind in kinds):
        inputs.fault(f"{_PATH}.table", "MISSING", "give the table: a kind has no size, which only the table tells")
    return ColoredScene(tuple(kinds), plane)


def _rgb(color_hex: str) -> tuple[int, int, int]:
    red, green, blue = bytes.fromhex(color_hex[1:])
    return red, green, blue


def find_in(
    picture: NDArray[np.uint8],
    camera: Camera,
    scene: ColoredScene,
    settings: SpatialEditSettings,
    *,
    free: str = "",
    source: OrientedBox | None = None,
    before: Sequence[Detection] = (),
) -> Finds:
    """Finds the boxes in a picture, (H, W, 3) uint8 RGB.

    Parameters
    ----------
    picture : ndarray of shape (H, W, 3), uint8 RGB
    camera : Camera
        In pixels of the picture.
    scene : ColoredScene
    settings : SpatialEditSettings
    free : str
        A label whose size the picture shall tell, since the edit was to change it.
    source : OrientedBox or None
        The box of that label before; axes are named as in it.
    before : sequence of Detection
        What was found before.
    """
    picture, view = view_of(picture, camera, settings.finding.most_px)
    rotation = None if source is None else source.rotation
    alike = [one.box for one in before if normal_label(one.label) == normal_label(free)]
    # The nearest is the object itself.
    alike.sort(key=lambda box: 0.0 if source is None else math.dist(box.center, source.center))
    twins = tuple(FoundBox(one.center, one.size, one.rotation) for one in alike[1:])
    kinds = tuple(
        BoxKind(kind.label, kind.color, None, rotation, twins)
        if normal_label(kind.label) == normal_label(free)
        else kind
        for kind in scene.kinds
    )
    found = find_boxes(picture, view, kinds, scene.plane, settings.boxes).boxes
    detections = tuple(
        Detection(one.label, OrientedBox(one.box.center, one.box.size, one.box.rotation)) for one in found
    )
    unsure = tuple(one.label for one in found if one.confidence < settings.finding.sure)
    extents = [view.focal_x * max(one.box.size) / math.hypot(*one.box.center) for one in found]
    return Finds(detections, unsure, OWN_DETECTOR, _loose([one.fit for one in found], extents, settings.finding))


def _loose(fits: Sequence[float], extents: Sequence[float], config: FindingSettings) -> tuple[int, ...]:
    """Returns which boxes fit worse than others of the picture do: a coarse one has worse fits of all.

    Of a box of few pixels, along its longest side, a part of a pixel is much of its edges.
    """
    others = [[fit for other, fit in enumerate(fits) if other != at] for at in range(len(fits))]
    usual = (float(np.median(rest)) if rest else 1.0 for rest in others)
    return tuple(
        at
        for at, (fit, most, extent) in enumerate(zip(fits, usual, extents, strict=True))
        if fit < config.least_fit * most - config.fit_px / extent
    )


def view_of(picture: NDArray[np.uint8], camera: Camera, most_px: int) -> tuple[NDArray[np.uint8], BoxView]:
    """Reduces a picture and its camera to a longest side of ``most_px`` where it is larger."""
    height, width = picture.shape[:2]
    scale = most_px / max(height, width)
    if scale >= 1.0:
        return picture, BoxView(camera.fx, camera.fy, camera.cx, camera.cy, width, height)
    size = max(1, round(width * scale)), max(1, round(height * scale))
    across, down = size[0] / width, size[1] / height
    view = BoxView(across * camera.fx, down * camera.fy, across * camera.cx, down * camera.cy, *size)
    return resize(picture, size), view


def look_before(
    picture: NDArray[np.uint8],
    camera: Camera,
    scene: ColoredScene,
    source: OrientedBox,
    before: tuple[Detection, ...],
    config: PredictedConfig,
) -> SceneBefore:
    """Looks at the picture before an edit, with what was found in it; without a table, at what the object stands on."""
    small, view = view_of(picture, camera, config.most_px)
    boxes = [FoundBox(one.center, one.size, one.rotation) for one in (source, *(one.box for one in before))]
    plane = TablePlane.under(boxes[0]) if scene.plane is None else scene.plane
    return scene_before(small, view, plane, boxes[1:], config)


def free_label(operation: EditOperation, target: str) -> str:
    """Returns the label whose size the picture shall tell: that of what was to be resized, else none."""
    return target if operation is EditOperation.RESIZE else ""
