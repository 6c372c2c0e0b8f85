"""Whether the boxes of a picture are all seen in another one of the same view, by their paint."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from detectors.spatial_edit.boxes.config import BoxesConfig
from detectors.spatial_edit.boxes.findings import BoxKind
from detectors.spatial_edit.boxes.masks import paint_map, paint_parts

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class ViewsConfig:
    """When a box is seen in both pictures.

    Attributes
    ----------
    least_shared : two parts of one paint that overlap by this intersection over union are of one box
    """

    least_shared: float = 0.4


def compare_paints(
    wanted: NDArray[np.uint8],
    shown: NDArray[np.uint8],
    kinds: tuple[BoxKind, ...],
    boxes: BoxesConfig,
    config: ViewsConfig,
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Compares two pictures, (H, W, 3) uint8 RGB of one size, box by box.

    Returns
    -------
    tuple of str
        Labels of boxes of the wanted picture that the other one does not show in their place.
    tuple of str
        And of those that it shows besides.
    """
    then, now = (paint_map(one, kinds, boxes.paint) for one in (wanted, shown))
    missing: list[str] = []
    added: list[str] = []
    for index, kind in enumerate(kinds):
        asked, found = ([part.mask for part in paint_parts(one, index, boxes.parts)] for one in (then, now))
        missing += [kind.label for part in asked if not _has(part, found, config)]
        added += [kind.label for part in found if not _has(part, asked, config)]
    return tuple(missing), tuple(added)


def _has(part: Flags, others: list[Flags], config: ViewsConfig) -> bool:
    return any(_shared(part, other) >= config.least_shared for other in others)


def _shared(one: Flags, other: Flags) -> float:
    """Returns the intersection over union of two masks that are not empty."""
    return float(np.count_nonzero(one & other)) / float(np.count_nonzero(one | other))
