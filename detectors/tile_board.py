"""Where the board of a sliding puzzle lies in a frame, and the board cut out and reduced."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.tile_config import TileConfig


@dataclass(frozen=True)
class TileBox:
    """A box in a frame, in pixels: left edge, top edge, width, height."""

    left: float
    top: float
    width: float
    height: float

    def part(self, size: int, cells: tuple[int, ...]) -> TileBox:
        """Return the smallest box around some cells, row * size + column, of the board in this box; all of it if none."""
        if not cells:
            return self
        rows, columns = [cell // size for cell in cells], [cell % size for cell in cells]
        wide, high = self.width / size, self.height / size
        return TileBox(
            self.left + min(columns) * wide,
            self.top + min(rows) * high,
            (max(columns) - min(columns) + 1) * wide,
            (max(rows) - min(rows) + 1) * high,
        )


def rectify(pixels: NDArray[np.uint8], box: TileBox, side: int, config: TileConfig) -> NDArray[np.float32]:
    """Cut out a board and reduce it.

    Parameters
    ----------
    pixels : (H, W, 3) uint8 RGB
    box : where the board lies; it may leave the frame, whose edge is then continued
    side : side of the result in pixels

    Returns
    -------
    (side, side, 3) float32, 0 to 255, slightly smoothed
    """
    many = side * config.oversampling
    wide, high = box.width / many, box.height / many
    # The centre of pixel (0, 0) lies at (0, 0) for OpenCV, and at (0.5, 0.5) for a box.
    way = np.array([[wide, 0, box.left + 0.5 * wide - 0.5], [0, high, box.top + 0.5 * high - 0.5]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    large = cv2.warpAffine(pixels, way, (many, many), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    small = cv2.resize(large, (side, side), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small.astype(np.float32), (3, 3), 0.7), np.float32)


def board_step(model: NDArray[np.float32], seen: NDArray[np.float32]) -> tuple[float, float, float, float]:
    """Return one step of registration: how a board lies off what it should look like.

    Weighted least squares on the brightness gradient (Lucas and Kanade, 1981) for a shift and a scale along each axis.
    Pixels that differ much count little, so that a wrong tile pulls little.

    Parameters
    ----------
    model, seen : (S, S, 3) float32 in the same colours

    Returns
    -------
    shift along x, shift along y (both in sides of the board), growth along x, growth along y (shares of a side)
    """
    side = model.shape[0]
    mean = np.asarray(0.5 * (model.mean(axis=2) + seen.mean(axis=2)), np.float64)
    along_y, along_x = np.gradient(mean)
    off = np.asarray((model - seen).mean(axis=2), np.float64)
    place = (np.arange(side) + 0.5) / side - 0.5
    terms = np.stack([along_x, along_y, along_x * place[None, :], along_y * place[:, None]]) / side
    weight = 1 / (1 + np.square(off / 20))
    weight[[0, -1], :] = 0
    weight[:, [0, -1]] = 0
    normal = np.einsum("iyx,jyx,yx->ij", terms, terms, weight) * side**2
    right = np.einsum("iyx,yx,yx->i", terms, off, weight) * side
    normal += np.eye(4) * (1e-3 * np.trace(normal) + 1e-6)
    dx, dy, gx, gy = (float(value) / side for value in np.linalg.solve(normal, right))
    return dx, dy, gx, gy


def stepped(box: TileBox, step: tuple[float, float, float, float]) -> TileBox:
    """Return a box moved and scaled, about its centre, by a step of registration."""
    dx, dy, gx, gy = (max(-0.05, min(0.05, value)) for value in step)
    width, height = box.width * (1 + gx), box.height * (1 + gy)
    return TileBox(
        box.left + dx * box.width - (width - box.width) / 2,
        box.top + dy * box.height - (height - box.height) / 2,
        width,
        height,
    )


def likely_boxes(pixels: NDArray[np.uint8], picture: NDArray[np.uint8], config: TileConfig) -> tuple[TileBox, ...]:
    """Search a frame for a picture in many sizes; the most likely places first.

    Parameters
    ----------
    pixels : (H, W, 3) uint8 RGB, the frame
    picture : (h, w, 3) uint8 RGB, what the board looks like

    Returns
    -------
    at most ``config.candidates`` boxes in pixels of the frame, by normalised correlation
    """
    high, wide = pixels.shape[:2]
    shrink = min(1.0, config.match_px / max(high, wide))
    size = (max(8, round(wide * shrink)), max(8, round(high * shrink)))
    frame = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    pad = math.ceil(config.padding * max(size))
    frame = cv2.copyMakeBorder(frame, pad, pad, pad, pad, cv2.BORDER_REPLICATE)
    fitting = min(size[0] / picture.shape[1], size[1] / picture.shape[0])
    found: list[tuple[float, TileBox]] = []
    scale = config.least_side
    while scale <= config.most_side:
        board = (round(picture.shape[1] * fitting * scale), round(picture.shape[0] * fitting * scale))
        if min(board) >= 8 and board[0] <= frame.shape[1] and board[1] <= frame.shape[0]:
            small = cv2.resize(picture, board, interpolation=cv2.INTER_AREA)
            fit = cv2.matchTemplate(frame, small, cv2.TM_CCOEFF_NORMED)
            fit = np.where(np.isfinite(fit), fit, -1)
            row, column = divmod(int(np.argmax(fit)), fit.shape[1])
            box = TileBox(
                (column - pad) * wide / size[0],
                (row - pad) * high / size[1],
                board[0] * wide / size[0],
                board[1] * high / size[1],
            )
            found.append((float(fit[row, column]), box))
        scale *= config.match_step
    found.sort(key=lambda one: -one[0])
    return tuple(box for _, box in found[: config.candidates])


def correlation(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    """Return the normalised correlation of two boards of one shape, -1 to 1; 0 if one of them is flat."""
    a = np.asarray(one, np.float64) - np.asarray(one, np.float64).mean(axis=(0, 1))
    b = np.asarray(other, np.float64) - np.asarray(other, np.float64).mean(axis=(0, 1))
    scale = math.sqrt(float(np.square(a).sum()) * float(np.square(b).sum()))
    return float((a * b).sum()) / scale if scale > 0 else 0.0


def moved_much(box: TileBox, first: TileBox, limit: float) -> bool:
    """Whether a board has left the place or size it had by more than a moving camera explains."""
    return (
        abs(box.width / first.width - 1) > limit
        or abs(box.height / first.height - 1) > limit
        or abs(box.left + box.width / 2 - first.left - first.width / 2) > limit * first.width
        or abs(box.top + box.height / 2 - first.top - first.height / 2) > limit * first.height
    )
