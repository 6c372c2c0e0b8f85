"""Mazes within larger pictures: the labels of axes, a title or bars of another colour stand beside them."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from puzzles.common.raster import Color, Picture


@dataclass(frozen=True)
class Margins:
    """What lies around a maze.

    Attributes
    ----------
    left, top, right, bottom : widths, as shares of the maze's picture's longer side
    paper : their colour
    ink : of labels along the left and the lower side; None for none
    """

    left: float
    top: float
    right: float
    bottom: float
    paper: Color
    ink: Color | None = None

    def around(self, size: tuple[int, int]) -> tuple[int, int, int, int]:
        """Left, top, right, bottom in pixels around a picture of (width, height)."""
        left, top, right, bottom = (
            round(share * max(size)) for share in (self.left, self.top, self.right, self.bottom)
        )
        return left, top, right, bottom


def framed(picture: Picture, margins: Margins, cells: tuple[int, int]) -> Picture:
    """A maze's picture within its larger one; ``cells`` across and down are numbered, where there are labels."""
    height, width = picture.shape[:2]
    left, top, right, bottom = margins.around((width, height))
    whole = np.full((top + height + bottom, left + width + right, 3), margins.paper, np.uint8)
    if margins.ink is not None:
        scale = max(width, height) / 1200
        for place in range(cells[0]):
            x = left + round((place + 0.5) * width / cells[0])
            _label(whole, str(place), (x, top + height + round(0.45 * bottom)), scale, margins.ink)
        for place in range(cells[1]):
            y = top + round((place + 0.5) * height / cells[1])
            _label(whole, str(cells[1] - 1 - place), (round(0.8 * left), y), scale, margins.ink)
    whole[top : top + height, left : left + width] = picture
    return whole


def _label(picture: Picture, text: str, middle: tuple[int, int], scale: float, ink: Color) -> None:
    (wide, tall), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, 1)
    at = (middle[0] - wide // 2, middle[1] + tall // 2)
    cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, ink, 1, cv2.LINE_AA)
