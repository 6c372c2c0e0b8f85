"""Finds the border of a parking lot in a picture, and follows it when the camera moves.

In a picture that nothing is known of, the border's inner edges are sought: four long, straight steps of lightness that
make a rectangle, from which the floor differs to one side. Of several rectangles the one counts in which the vehicles'
colours stand where they should.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.rush_hour.config import InsideConfig, LotConfig
from detectors.rush_hour.config.border import RectangleConfig
from detectors.rush_hour.findings import Floats
from puzzles.rush_hour.lot import Exit, Lot, Obstacle, Side, Vehicle

Picture = NDArray[np.uint8]
DARK_COLOR = "#1B263B"
"""The stated colour of obstacles and border."""
EXIT_COLOR = "#81C784"
"""The stated colour of exits."""


@dataclass(frozen=True)
class LotBorder:
    """Where the border's middle runs in a picture, in pixels, and which share of it is seen, 0 to 1."""

    left: float
    top: float
    right: float
    bottom: float
    seen: float


def lab_of(rgb: Picture) -> NDArray[np.float32]:
    """Converts sRGB (..., 3) to CIELAB: lightness 0 to 100, a and b within about 128 of 0."""
    flat = (rgb.reshape(1, -1, 3).astype(np.float32)) / np.float32(255)
    return np.asarray(cv2.cvtColor(flat, cv2.COLOR_RGB2LAB), np.float32).reshape(rgb.shape)


def hex_lab(color: str) -> Floats:
    """Returns CIELAB (3,) of ``#RRGGBB``."""
    # not a threshold: two hexadecimal digits a channel
    rgb = np.array([[int(color[i : i + 2], 16) for i in (1, 3, 5)]], np.uint8)
    return np.asarray(lab_of(rgb)[0], np.float64)


def inside_points(length: float, width: float, inside: InsideConfig) -> Floats:
    """Returns points (P, 2) inside a rectangle around the origin, along its length and width, without a round hole."""
    length, width = inside.share * length, inside.share * width
    along, across = (_middles(max(inside.least, round(side * inside.per_unit))) for side in (length, width))
    points = np.stack(np.meshgrid(along * length, across * width), axis=-1).reshape(-1, 2)
    free = np.hypot(points[:, 0], points[:, 1]) >= inside.hole
    return points[free] if free.mean() > inside.least_free else points


def _middles(count: int) -> Floats:
    """Returns the middles (N,) of equal parts of the way from -0.5 to 0.5."""
    return np.asarray((np.arange(count) + 0.5) / count - 0.5)


def placed(points: Floats, x: float, y: float, theta: float) -> Floats:
    """Turns points (P, 2) by an angle and move them to a place."""
    cos, sin = math.cos(theta), math.sin(theta)
    moved = np.empty(points.shape)
    moved[:, 0] = x + cos * points[:, 0] - sin * points[:, 1]
    moved[:, 1] = y + sin * points[:, 0] + cos * points[:, 1]
    return moved


def find_border(pixels: Picture, lot: Lot, config: LotConfig, at_start: bool = True) -> LotBorder | None:
    """Finds the lot's border in a picture (H, W, 3); None if there is no such rectangle.

    Where the vehicles need not be at their first places, as ``at_start`` tells, their colours there choose between
    rectangles but refuse none, and the obstacles count as well.
    """
    scale = min(1.0, config.border.side_px / min(pixels.shape[:2]))
    if scale < 1:
        size = (round(pixels.shape[1] * scale), round(pixels.shape[0] * scale))
        small = find_border(
            np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8), lot, config, at_start
        )
        return None if small is None else _scaled(small, pixels.shape[1] / size[0], pixels.shape[0] / size[1])
    found = _best(_lightness(pixels), pixels, lot, config, at_start)
    if found is not None:
        return found
    # A lot that fills the picture may have its border outside, wholly or in part.
    frame = config.border.frame_px
    black = cv2.copyMakeBorder(pixels, frame, frame, frame, frame, cv2.BORDER_CONSTANT, value=(0, 0, 0))
    framed = np.asarray(black, np.uint8)
    found = _best(_lightness(framed), framed, lot, config, at_start)
    if found is None:
        return None
    sides = (found.left - frame, found.top - frame, found.right - frame, found.bottom - frame)
    return LotBorder(*sides, found.seen)


def _lightness(pixels: Picture) -> NDArray[np.float32]:
    return np.asarray(cv2.blur(cv2.cvtColor(pixels, cv2.COLOR_RGB2LAB)[..., 0].astype(np.float32), (3, 3)))


def _best(light: NDArray[np.float32], pixels: Picture, lot: Lot, config: LotConfig, at_start: bool) -> LotBorder | None:
    """Returns the rectangle in which the vehicles' colours stand best; None if they do in none."""
    # The outer edges of a dark line on a light floor are the inner edges of a light line on a dark one, so that is
    # looked for only where the first is not there.
    for sign in (1.0, -1.0):
        found = [
            (_color_fit(pixels, border, lot, config, at_start), border)
            for border in _rectangles(light * np.float32(sign), lot, config.border.rectangles)
        ]
        best = max(found, key=lambda pair: pair[0] + config.border.seen_weight * pair[1].seen, default=None)
        if best is not None and (best[0] >= config.vehicles.min_visible or (not at_start and best[0] > 0)):
            return best[1]
    return None


def _scaled(border: LotBorder, x: float, y: float) -> LotBorder:
    """Returns a border in a picture that is larger; pixel centres lie at whole numbers in both."""
    return LotBorder(
        (border.left + 0.5) * x - 0.5, (border.top + 0.5) * y - 0.5,
        (border.right + 0.5) * x - 0.5, (border.bottom + 0.5) * y - 0.5, border.seen,
    )  # fmt: skip


def _rectangles(light: NDArray[np.float32], lot: Lot, config: RectangleConfig) -> list[LotBorder]:
    """Returns rectangles whose inside is lighter than their outline, the best ones first."""
    height, width = light.shape
    k = config.step_px
    pad = cv2.copyMakeBorder(light, k, k, k, k, cv2.BORDER_REPLICATE)
    down = pad[2 * k :, k:-k] - pad[: -2 * k, k:-k]
    over = pad[k:-k, 2 * k :] - pad[k:-k, : -2 * k]
    raw = {"top": down, "bottom": -down, "left": over.T, "right": -over.T}
    raw = {side: np.ascontiguousarray(np.maximum(step, 0)) for side, step in raw.items()}
    steps = {side: np.minimum(step / np.float32(config.full_step), np.float32(1)) for side, step in raw.items()}
    peaks = {side: _peaks(step.mean(axis=1), config) for side, step in steps.items()}
    # An edge that runs a little askew or trembles stays within a pixel of its row.
    sums = {
        side: np.pad(np.cumsum(cv2.dilate(step, np.ones((3, 1), np.uint8)), axis=1, dtype=np.float64), ((0, 0), (1, 0)))
        for side, step in steps.items()
    }
    least = config.min_lot_share * min(height, width)
    found = []
    for top, bottom, left, right in itertools.product(peaks["top"], peaks["bottom"], peaks["left"], peaks["right"]):
        wide, high = right - left, bottom - top
        if wide < least or high < least:
            continue
        aspect = (wide / lot.width) / (high / lot.height)
        if not 1 / config.max_aspect <= aspect <= config.max_aspect:
            continue
        shares = [
            (sums[side][row, end] - sums[side][row, begin]) / (end - begin)
            for side, row, begin, end in (
                ("top", top, left, right), ("bottom", bottom, left, right),
                ("left", left, top, bottom), ("right", right, top, bottom),
            )
        ]  # fmt: skip
        if min(shares) >= config.min_side_share:
            found.append((float(np.mean(shares)), (left, top, right, bottom)))
    found.sort(key=lambda pair: (-pair[0], pair[1]))
    return [_refined(raw, box, share, config) for share, box in found[: config.tried]]


def _peaks(profile: NDArray[np.float32], config: RectangleConfig) -> list[int]:
    """Returns the rows of the highest peaks that are apart."""
    rows: list[int] = []
    for row in np.argsort(-profile, kind="stable"):
        if all(abs(int(row) - other) > config.peak_gap_px for other in rows):
            rows.append(int(row))
        if len(rows) == config.peaks:
            break
    return rows


def _refined(
    raw: dict[str, NDArray[np.float32]], box: tuple[int, int, int, int], share: float, config: RectangleConfig
) -> LotBorder:
    """Returns the middle of the line whose inner edges are at a box, to a part of a pixel.

    Where no outer edge is seen, as before a margin as dark as the line, its inner edge counts.
    """
    left, top, right, bottom = box
    reach = max(config.least_line_px, round(config.line_share * min(right - left, bottom - top)))
    lines = []
    for side, other, row, span, outwards in (
        ("left", "right", left, (top, bottom), -1), ("top", "bottom", top, (left, right), -1),
        ("right", "left", right, (top, bottom), 1), ("bottom", "top", bottom, (left, right), 1),
    ):  # fmt: skip
        inner, strength = _edge(raw[side], row - config.edge_px, row + config.edge_px, span)
        ends = sorted((row, row + outwards * reach))
        outer, other_strength = _edge(raw[other], ends[0], ends[1], span)
        lines.append((inner + outer) / 2 if other_strength > config.outer_share * strength else inner)
    return LotBorder(lines[0], lines[1], lines[2], lines[3], share)


def _edge(raw: NDArray[np.float32], first: int, last: int, span: tuple[int, int]) -> tuple[float, float]:
    """Returns where, from one row to another, a step is strongest, to a part of a row, and how strong it is."""
    first, last = max(0, first), min(len(raw) - 1, last)
    profile = raw[first : last + 1, span[0] : span[1]].mean(axis=1).astype(np.float64)
    peak = int(profile.argmax())
    near = profile[max(0, peak - 2) : peak + 3]
    rows = first + max(0, peak - 2) + np.arange(len(near))
    total = float(near.sum())
    return (float((near * rows).sum() / total) if total > 0 else float(first + peak)), float(profile[peak])


def _color_fit(pixels: Picture, border: LotBorder, lot: Lot, config: LotConfig, at_start: bool) -> float:
    """Returns which share of the vehicles' insides shows their colours, 0 to 1; if need be, the obstacles' too."""
    height, width = pixels.shape[:2]
    shares = []
    bodies: list[tuple[Vehicle | Obstacle, str]] = [(vehicle, vehicle.color) for vehicle in lot.vehicles]
    if not at_start:
        bodies += [(obstacle, DARK_COLOR) for obstacle in lot.obstacles]
    for body, color in bodies:
        inside = inside_points(body.length, body.width, config.border.inside)
        points = placed(inside, body.pose.x, body.pose.y, body.pose.theta)
        columns = border.left + points[:, 0] / lot.width * (border.right - border.left)
        rows = border.bottom - points[:, 1] / lot.height * (border.bottom - border.top)
        colors = lab_of(pixels[np.clip(np.rint(rows), 0, height - 1).astype(int),
                               np.clip(np.rint(columns), 0, width - 1).astype(int)])  # fmt: skip
        away = (colors - hex_lab(color)) * np.array([config.colors.lightness_weight, 1.0, 1.0])
        shares.append(float((np.sqrt((away**2).sum(axis=1)) < config.colors.stated).mean()))
    if not at_start:
        # The exits stay where they are, whatever moves; a small lot has nothing else that does.
        shares += [_exit_fit(pixels, border, lot, opening, config) for opening in lot.exits] * config.border.exit_weight
    return float(np.mean(shares))


def _exit_fit(pixels: Picture, border: LotBorder, lot: Lot, opening: Exit, config: LotConfig) -> float:
    """Returns along which share of an opening its colour is seen near the border, 0 to 1."""
    height, width = pixels.shape[:2]
    near = config.border.exit_near
    along, across = np.meshgrid(
        np.linspace(opening.start, opening.end, config.border.exit_along),
        np.linspace(-near, near, config.border.exit_across),
        indexing="ij",
    )
    far = {Side.LEFT: 0.0, Side.BOTTOM: 0.0, Side.RIGHT: lot.width, Side.TOP: lot.height}[opening.side]
    upright = opening.side in (Side.LEFT, Side.RIGHT)
    x, y = (far + across, along) if upright else (along, far + across)
    columns = border.left + x / lot.width * (border.right - border.left)
    rows = border.bottom - y / lot.height * (border.bottom - border.top)
    inside = (columns >= 0) & (columns < width) & (rows >= 0) & (rows < height)
    colors = lab_of(
        pixels[np.clip(np.rint(rows), 0, height - 1).astype(int), np.clip(np.rint(columns), 0, width - 1).astype(int)]
    )
    away = (colors - hex_lab(EXIT_COLOR)) * np.array([config.colors.lightness_weight, 1.0, 1.0])
    like = (np.sqrt((away**2).sum(axis=-1)) < config.colors.stated) & inside
    return float(like.any(axis=1).mean())
