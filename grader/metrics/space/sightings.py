"""Boxes in the picture (2D) as a check on boxes in space: is the object there, and where its box in space says it is?

A detector of boxes in space misses objects and misplaces them more often than one of boxes in the picture. [1]_ uses
the latter as an auxiliary check without giving a rule; the rule here is this project's.

References
----------
.. [1] "Exploring Spatial Intelligence from a Generative Perspective" (GSI-Bench), supplement, section 2.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from grader.metrics.space.edit_types import check_label, normal_label
from grader.metrics.space.rectangles import PixelRectangle, rectangle_overlap


@dataclass(frozen=True)
class Sighting:
    """An object that was found in a picture, whether or not it has a box in space.

    Raises
    ------
    GeometryError
        EMPTY_LABEL, naming ``label``.
    """

    label: str
    place: PixelRectangle

    def __post_init__(self) -> None:
        check_label(self.label, "label")


def best_overlap(place: PixelRectangle, label: str, sightings: Iterable[Sighting]) -> float | None:
    """The greatest overlap of a rectangle with what was seen of a label; None where nothing of the label was seen."""
    wanted = normal_label(label)
    overlaps = [rectangle_overlap(place, one.place) for one in sightings if normal_label(one.label) == wanted]
    return max(overlaps, default=None)
