"""The pieces of a puzzle, made ready to be looked for; the answer is not seen."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from detectors.jigsaw.config import AssemblyConfig, Pixels

_SMALLEST = 8  # not a threshold: less is no picture


@dataclass(frozen=True)
class PieceTurn:
    """A way to lay a piece: mirrored left and right or not, then rotated counter-clockwise by so many quarters."""

    quarters: int
    mirrored: bool

    def of(self, piece: Pixels) -> Pixels:
        """The piece, laid so."""
        return np.ascontiguousarray(np.rot90(piece[:, ::-1] if self.mirrored else piece, self.quarters))


UPRIGHT = PieceTurn(0, False)


@dataclass(frozen=True, eq=False)
class LaidPiece:
    """A piece in one way to lay it.

    Attributes
    ----------
    piece : its number, from 1
    turn : the way
    coarse, fine : (h, w, 3) uint8 RGB, at the two sizes of the comparison
    """

    piece: int
    turn: PieceTurn
    coarse: Pixels
    fine: Pixels


def lay_pieces(pieces: list[Pixels], config: AssemblyConfig) -> tuple[LaidPiece, ...]:
    """All pieces in all ways that keep the shape of a quarter.

    Parameters
    ----------
    pieces : list of (H, W, 3) uint8 RGB
        Of one size.
    config : AssemblyConfig
    """
    height, width = pieces[0].shape[:2]
    quarters = range(4) if height == width else (0, 2)  # not a threshold: quarter turns
    made = []
    for number, piece in enumerate(pieces, 1):
        for mirrored in (False, True):
            for turned in quarters:
                turn = PieceTurn(turned, mirrored)
                laid = turn.of(piece)
                sizes = (resized_to(laid, longest) for longest in (config.coarse_px, config.side_px))
                made.append(LaidPiece(number, turn, *sizes))
    return tuple(made)


def resized_to(picture: Pixels, longest: int) -> Pixels:
    """A picture whose longer side has so many pixels."""
    scale = longest / max(picture.shape[:2])
    size = (max(_SMALLEST, round(picture.shape[1] * scale)), max(_SMALLEST, round(picture.shape[0] * scale)))
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(picture, size, interpolation=way), np.uint8)
