"""How pieces lie beside one another: pictures that were taken aslant made straight, and pieces out of their line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.jigsaw.config import AssemblyConfig, Box, Frame, Pixels
from detectors.jigsaw.placing import Placed

_CORNERS = 4  # not a threshold: of a rectangle


@dataclass(frozen=True, eq=False)
class Straight:
    """What a candidate shows, made straight, and how it lies in the candidate."""

    picture: Pixels
    matrix: NDArray[np.float64]

    def back(self, box: Box) -> Box:
        """The box in the candidate around one in the straight picture."""
        left, top, right, bottom = box
        edges = np.array([[(left, top), (right, top), (right, bottom), (left, bottom)]], np.float64)
        moved = cv2.perspectiveTransform(edges, np.linalg.inv(self.matrix))[0]
        (left, top), (right, bottom) = moved.min(axis=0), moved.max(axis=0)
        return float(left), float(top), float(right), float(bottom)


def straightened(picture: Pixels, found: Sequence[Placed], config: AssemblyConfig) -> Straight | None:
    """A candidate made straight where most of its pieces lie aslant in one way; None where they do not.

    Parameters
    ----------
    picture : (H, W, 3) uint8 RGB
    found : sequence of Placed
    config : AssemblyConfig
    """
    aslant = [max(abs(float(one.place[0, 1])), abs(float(one.place[1, 0]))) >= config.least_aslant for one in found]
    if 2 * sum(aslant) <= len(found):
        return None
    sides = np.array([_sides(one) for one in found])
    width, height = (float(np.median(np.linalg.norm(sides[:, side], axis=1))) for side in range(2))
    unit = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float64)
    wanted = np.concatenate([(unit + np.array([one.quarter % 2, one.quarter // 2])) * (width, height) for one in found])
    matrix, _ = cv2.findHomography(np.concatenate([one.corners for one in found]), wanted, 0)
    if matrix is None:
        return None
    shown = cv2.perspectiveTransform(np.concatenate([one.corners for one in found])[None], matrix)[0]
    if float(np.abs(shown - wanted).max()) > config.most_uneven * min(width, height):
        return None
    size = (max(_CORNERS, round(2 * width)), max(_CORNERS, round(2 * height)))
    made = cv2.warpPerspective(picture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return Straight(np.asarray(made, np.uint8), np.asarray(matrix, np.float64))


def tight_frame(found: Sequence[Placed], frame: Frame, config: AssemblyConfig) -> Frame | None:
    """The frame that the pieces fill, where it is another one than they were looked for in; None where it is not.

    Parameters
    ----------
    found : sequence of Placed
        Of all quarters, in their order.
    frame : tuple of int
    config : AssemblyConfig
    """
    if any(one.best.likeness < config.expecting.alike for one in found):
        return None
    first = np.array([one.corners.min(axis=0) for one in found])
    last = np.array([one.corners.max(axis=0) for one in found])
    edges = (first[[0, 2], 0].mean(), first[[0, 1], 1].mean(), last[[1, 3], 0].mean(), last[[2, 3], 1].mean())
    left, top, right, bottom = (round(float(edge)) for edge in edges)
    width, height = frame[2] - frame[0], frame[3] - frame[1]
    off = (
        max(abs(left - frame[0]), abs(right - frame[2])) / width,
        max(abs(top - frame[1]), abs(bottom - frame[3])) / height,
    )
    return (left, top, right, bottom) if max(off) > config.least_tighter and right > left and bottom > top else None


def displaced(found: Sequence[Placed], config: AssemblyConfig) -> list[float]:
    """By how much of a side each piece is off the place, the size, or the slant that the others have.

    Pieces of a column begin and end at one x, those of a row at one y, and all are of one size; how far apart they lie
    is free. Of two that are not in line the one counts that is farther from the middle of its quarter.

    Parameters
    ----------
    found : sequence of Placed
        Of all quarters, in their order. What is hardly like its piece says nothing of where others belong, but they
        say where it does.
    config : AssemblyConfig
    """
    told = [one.best.likeness >= config.expecting.alike for one in found]
    if not any(told):
        return [0.0] * len(found)
    sides = np.array([_sides(one) for one in found])
    usual = np.array([np.median(np.linalg.norm(sides[told, side], axis=1)) for side in range(2)])
    off = [
        float(one) for one in (np.abs(sides - np.median(sides[told], axis=0)) / usual[None, :, None]).max(axis=(1, 2))
    ]
    middles = np.array([one.corners.mean(axis=0) for one in found])
    wanted = np.array([((one.space[0] + one.space[2]) / 2, (one.space[1] + one.space[3]) / 2) for one in found])
    from_middle = (middles - wanted) / usual
    from_middle -= np.median(from_middle[told], axis=0)
    for axis, pairs in ((0, ((0, 2), (1, 3))), (1, ((0, 1), (2, 3)))):
        for one, other in pairs:
            if not (told[one] or told[other]):
                continue
            apart = abs(float(from_middle[one, axis] - from_middle[other, axis]))
            farther = abs(from_middle[one, axis]) >= abs(from_middle[other, axis])
            worse = one if (farther if told[one] == told[other] else told[other]) else other
            off[worse] = max(off[worse], apart)
    return off


def _sides(one: Placed) -> NDArray[np.float64]:
    """The upper side and the left one of a piece in the candidate, as vectors: (2, 2)."""
    across = (one.corners[1] - one.corners[0] + one.corners[2] - one.corners[3]) / 2
    down = (one.corners[3] - one.corners[0] + one.corners[2] - one.corners[1]) / 2
    return np.array([across, down])
