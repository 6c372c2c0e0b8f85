"""Where the board of a sliding puzzle lies in a frame, and the board cut out and reduced."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.sliding.config import BoardSearchConfig, RegistrationConfig, TileBoardConfig
from grader.media.warping import warp_affine


@dataclass(frozen=True)
class TileBox:
    """A box in a frame, in pixels: left edge, top edge, width, height."""

    left: float
    top: float
    width: float
    height: float

    def part(self, size: int, cells: tuple[int, ...]) -> TileBox:
        """Returns the box around some cells, row * size + column, of the board in this box; all of it if none."""
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


def rectify(pixels: NDArray[np.uint8], box: TileBox, side: int, config: TileBoardConfig) -> NDArray[np.float32]:
    """Cuts out a board and reduce it.

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
    large = warp_affine(pixels, way, (many, many), inverse=True)
    small = cv2.resize(large, (side, side), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small.astype(np.float32), (3, 3), config.blur_px), np.float32)


Step = tuple[float, float, float, float]
"""Shift along x and y in sides of the board, growth along x and y as shares of a side."""

_NO_STEP: Step = (0.0, 0.0, 0.0, 0.0)


def board_step(model: NDArray[np.float32], seen: NDArray[np.float32], config: RegistrationConfig) -> Step:
    """Returns one step of registration: how a board lies off what it should look like.

    Weighted least squares on the brightness gradient (Lucas and Kanade, 1981) for a shift and a growth along each axis.
    Pixels that differ much count little, so that a wrong tile pulls little.

    Parameters
    ----------
    model, seen : (S, S, 3) float32 in the same colours
    """
    off, along_x, along_y, across, down = _slopes(model, seen)
    terms = np.stack([along_x, along_y, along_x * across, along_y * down])
    dx, dy, gx, gy = (float(value) for value in _least_squares(terms, off, config))
    return dx, dy, gx, gy


def camera_step(
    model: NDArray[np.float32], seen: NDArray[np.float32], size: int | None, config: RegistrationConfig,
    rim: int = 0, busy: tuple[int, ...] = (),
) -> Step:  # fmt: skip
    """Returns one step of registration for a camera that shifts and zooms: the board's shape stays.

    Parameters
    ----------
    model, seen : (S, S, 3) float32 in the same colours
    size : rows and columns of the board. If it is given, no step is taken that fits a cell worse, so that tiles that
        move on the board are not taken for a camera that moves
    rim : pixels along the sides of cells in which a worse fit does not matter
    busy : cells that may fit worse: tiles are moving there
    """
    off, along_x, along_y, across, down = _slopes(model, seen)
    terms = np.stack([along_x, along_y, along_x * across + along_y * down])
    found = _least_squares(terms, off, config)
    if size is not None:
        left = off - (found[0] * terms[0] + found[1] * terms[1] + found[2] * terms[2])
        before, after = (_inside_cells(np.square(one), size, rim) for one in (off, left))
        worse = (after > config.worse * before + config.worse_by).reshape(-1)
        worse[list(busy)] = False
        if worse.any():
            return _NO_STEP
    dx, dy, growth = (float(value) for value in found)
    return dx, dy, growth, growth


def _slopes(model: NDArray[np.float32], seen: NDArray[np.float32]) -> tuple[NDArray[np.float32], ...]:
    """Returns by how much a board is off, its slopes along x and y (per side), and places from -0.5 to 0.5."""
    side = model.shape[0]
    first, second = (np.asarray((one[..., 0] + one[..., 1] + one[..., 2]) / 3, np.float32) for one in (model, seen))
    mean = np.asarray((first + second) * (0.5 * side), np.float32)
    along_y, along_x = np.zeros_like(mean), np.zeros_like(mean)
    along_y[1:-1] = 0.5 * (mean[2:] - mean[:-2])
    along_x[:, 1:-1] = 0.5 * (mean[:, 2:] - mean[:, :-2])
    place = ((np.arange(side) + 0.5) / side - 0.5).astype(np.float32)
    return np.asarray(first - second, np.float32), along_x, along_y, place[None, :], place[:, None]


def _least_squares(
    terms: NDArray[np.float32], off: NDArray[np.float32], config: RegistrationConfig
) -> NDArray[np.float64]:
    weight = 1 / (1 + np.square(off / np.float32(config.robust)))
    weight[[0, -1], :] = 0
    weight[:, [0, -1]] = 0
    weighed = terms * weight
    count = len(terms)
    normal = np.array([[float((one * other).sum()) for other in terms] for one in weighed])
    right = np.array([float((one * off).sum()) for one in weighed])
    # not a threshold: a guard, so that a board without any edge has a step, which is none
    normal += np.eye(count) * (config.stiffness * float(np.trace(normal)) / count + 1e-6)
    return np.asarray(np.linalg.solve(normal, right), np.float64)


def _inside_cells(values: NDArray[np.float32], size: int, rim: int) -> NDArray[np.float32]:
    """Returns the mean of each cell without its rim, where neighbours that changed shine through."""
    cell = values.shape[0] // size
    parts = values.reshape(size, cell, size, cell)[:, rim : cell - rim, :, rim : cell - rim]
    return np.asarray(parts.mean(axis=(1, 3)), np.float32)


def stepped(box: TileBox, step: Step, config: RegistrationConfig) -> TileBox:
    """Returns a box moved and scaled, about its centre, by a step of registration."""
    dx, dy, gx, gy = (max(-config.most_step, min(config.most_step, value)) for value in step)
    width, height = box.width * (1 + gx), box.height * (1 + gy)
    return TileBox(
        box.left + dx * box.width - (width - box.width) / 2,
        box.top + dy * box.height - (height - box.height) / 2,
        width,
        height,
    )


def likely_boxes(
    pixels: NDArray[np.uint8], picture: NDArray[np.uint8], config: BoardSearchConfig
) -> tuple[TileBox, ...]:
    """Searches a frame for a picture in many sizes; the most likely places first.

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
    size = (max(config.least_px, round(wide * shrink)), max(config.least_px, round(high * shrink)))
    frame = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    pad = math.ceil(config.padding * max(size))
    frame = cv2.copyMakeBorder(frame, pad, pad, pad, pad, cv2.BORDER_REPLICATE)
    fitting = min(size[0] / picture.shape[1], size[1] / picture.shape[0])
    found: list[tuple[float, TileBox]] = []
    scale = config.least_side
    while scale <= config.most_side:
        board = (round(picture.shape[1] * fitting * scale), round(picture.shape[0] * fitting * scale))
        if min(board) >= config.least_px and board[0] <= frame.shape[1] and board[1] <= frame.shape[0]:
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
    """Returns the normalised correlation of two boards of one shape, -1 to 1; 0 if one of them is flat."""
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
