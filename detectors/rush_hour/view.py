"""A parking lot in the frames of a clip: cut out, made small, and followed when the camera moves.

The border is compared piece by piece with its look in the first frame, so what it looks like does not matter. From the
ways of the pieces follow shift, zoom (of x and y apart) and a small turn, by least squares; pieces that do not agree,
since a vehicle or an exit came to them, are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.rush_hour.config import BorderFollowConfig, ViewConfig
from detectors.rush_hour.findings import Flags, Floats, FrameBox
from detectors.rush_hour.place import LotBorder, Picture
from puzzles.rush_hour.lot import Lot, Side

_SIDES = (Side.LEFT, Side.RIGHT, Side.BOTTOM, Side.TOP)


@dataclass(frozen=True, eq=False)
class CameraView:
    """Where the lot is in the small picture of one frame.

    Attributes
    ----------
    matrix, shift : (2, 2), (2,) a point (X, Y) of the lot is at matrix @ (X, Y) + shift in the small picture
    cut : the part of the frame that the small picture shows
    scale : (2,) pixels of the small picture per pixel of the frame, of columns and rows
    """

    matrix: Floats
    shift: Floats
    cut: FrameBox
    scale: Floats

    @cached_property
    def matrix_values(self) -> tuple[float, float, float, float]:
        """The matrix as plain numbers, row by row."""
        return (
            float(self.matrix[0, 0]), float(self.matrix[0, 1]), float(self.matrix[1, 0]), float(self.matrix[1, 1]),
        )  # fmt: skip

    @cached_property
    def shift_values(self) -> tuple[float, float]:
        """The shift as plain numbers."""
        return float(self.shift[0]), float(self.shift[1])

    def to_small(self, points: Floats) -> Floats:
        """Returns where points (..., 2) of the lot are in the small picture."""
        x, y = points[..., 0], points[..., 1]
        m, s = self.matrix, self.shift
        places = np.empty(points.shape)
        places[..., 0] = m[0, 0] * x + m[0, 1] * y + s[0]
        places[..., 1] = m[1, 0] * x + m[1, 1] * y + s[1]
        return places

    def to_lot(self, pixels: Floats) -> Floats:
        """Returns which points of the lot are at pixels (..., 2), column and row, of the small picture."""
        m = self.matrix
        column, row = pixels[..., 0] - self.shift[0], pixels[..., 1] - self.shift[1]
        size = m[0, 0] * m[1, 1] - m[0, 1] * m[1, 0]
        points = np.empty(pixels.shape)
        points[..., 0] = (m[1, 1] * column - m[0, 1] * row) / size
        points[..., 1] = (m[0, 0] * row - m[1, 0] * column) / size
        return points

    @cached_property
    def unit(self) -> float:
        """How long a unit of the lot is in the small picture, in pixels."""
        return float(np.sqrt(abs(self.matrix[0, 0] * self.matrix[1, 1] - self.matrix[0, 1] * self.matrix[1, 0])))

    def camera(self) -> Floats:
        """Returns the same for the frame, as `LotFindings.camera` has it, (6,)."""
        rows = []
        for axis, start in ((0, self.cut.left), (1, self.cut.top)):
            scale = self.scale[axis]
            rows += [
                self.matrix[axis, 0] / scale,
                self.matrix[axis, 1] / scale,
                (self.shift[axis] + 0.5) / scale - 0.5 + start,
            ]
        return np.array(rows)

    def frame_box(self, box: tuple[int, int, int, int]) -> FrameBox:
        """Returns where a box (left, top, width, height) of the small picture is in the frame."""
        left, top, width, height = box
        return FrameBox(
            round(left / self.scale[0]) + self.cut.left,
            round(top / self.scale[1]) + self.cut.top,
            round((left + width) / self.scale[0]) + self.cut.left,
            round((top + height) / self.scale[1]) + self.cut.top,
        )

    def small(self, pixels: Picture) -> Picture:
        """Cuts the small picture out of a frame."""
        part = pixels[self.cut.top : self.cut.bottom, self.cut.left : self.cut.right]
        size = (
            round((self.cut.right - self.cut.left) * self.scale[0]),
            round((self.cut.bottom - self.cut.top) * self.scale[1]),
        )
        if size == (part.shape[1], part.shape[0]):
            return np.ascontiguousarray(part)
        return np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.uint8)


def first_view(border: LotBorder, lot: Lot, shape: tuple[int, ...], config: ViewConfig) -> CameraView:
    """Returns the view of a lot whose border was found in a frame of a shape (H, W, ...)."""
    unit_x, unit_y = (border.right - border.left) / lot.width, (border.bottom - border.top) / lot.height
    # Whole steps, since means over whole blocks of pixels are several times faster.
    step = max(1, round(min(unit_x, unit_y) / config.px_per_unit))
    left = max(0, round(border.left - config.margin * unit_x))
    top = max(0, round(border.top - config.margin * unit_y))
    wide = min(shape[1], round(border.right + config.margin * unit_x)) - left
    high = min(shape[0], round(border.bottom + config.margin * unit_y)) - top
    cut = FrameBox(left, top, left + wide // step * step, top + high // step * step)
    scale = np.full(2, 1.0 / step)
    matrix = np.array([[unit_x * scale[0], 0.0], [0.0, -unit_y * scale[1]]])
    shift = np.array(
        [(border.left - cut.left + 0.5) * scale[0] - 0.5, (border.bottom - cut.top + 0.5) * scale[1] - 0.5]
    )
    return CameraView(matrix, shift, cut, scale)


@dataclass(frozen=True, eq=False)
class _SideOfBorder:
    """The pieces of one side: their places among all, and where each begins and ends along the side, in pixels."""

    places: NDArray[np.intp]
    upright: bool
    middle: int
    begin: NDArray[np.intp]
    end: NDArray[np.intp]

    def strip(self, light: Picture, way: int, reach: int) -> Picture:
        """Returns the part of a picture around the side, as far as the picture goes."""
        size = light.shape[1] if self.upright else light.shape[0]
        first = min(max(0, self.middle + way - reach), size - 1)
        last = max(first + 1, self.middle + way + reach + 1)
        return light[:, first:last] if self.upright else light[first:last]


class BorderFollower:
    """Follows the border from the first frame on.

    Parameters
    ----------
    light : (h, w)
        The small picture of the first frame, its lightness.
    view
        Where the lot is in it.
    lot
        The lot; pieces at its exits are not used, since an exit may move.
    config
        The settings.
    """

    def __init__(self, light: Picture, view: CameraView, lot: Lot, config: BorderFollowConfig) -> None:
        self._first, self._config = view, config
        pieces = [piece for side in range(len(_SIDES)) for piece in _pieces(side, lot, config)]
        self._depth = max(config.least_px, round(config.depth * view.unit))
        self._search = max(config.least_px, round(config.search * view.unit))
        # Displacement in the small picture: dx = m0 + m1 u + m2 v, dy = m3 + m4 u + m5 v.
        self._motion = np.zeros(6)  # not a threshold: what an affine motion has
        centers = view.to_small(np.array([(p[0], p[1]) for p in pieces]))
        self._u, self._v = centers[:, 0], centers[:, 1]
        self._upright = np.array([piece[2] for piece in pieces])
        half = config.piece * view.unit / 2 - config.inset_px
        self._sides = list(self._sides_of([piece[3] for piece in pieces], light, half))
        looks = self._profiles(light, [0] * len(self._sides), 0)
        # A piece without a line, or out of the frame, tells nothing.
        self._use = looks.std(axis=1) > config.least_spread
        self._looks = looks - looks.mean(axis=1, keepdims=True)
        self._equations, self._size = self._motion_equations()
        self._shown, self._kept_view, self._share = self._motion, view, 1.0
        self._strips: list[Picture] = []
        self._strip_ways: list[int] = []

    def follow(self, light: Picture) -> tuple[CameraView, float]:
        """Returns where the lot is in the small picture of the next frame, and which share of its border is seen.

        Where it is where it was, the view is the same object.
        """
        expected = self._displaced(self._motion)
        ways = [round(float(expected[side.places].mean())) for side in self._sides]
        if not self._is_read(light, ways):
            reach = self._depth + self._search
            self._strips = [side.strip(light, way, reach).copy() for side, way in zip(self._sides, ways, strict=True)]
            self._strip_ways = ways
            self._read(light, ways)
        return self._kept_view, self._share

    def _is_read(self, light: Picture, ways: list[int]) -> bool:
        """Tells whether this border has been read: it is compared with the one that was, so slow changes add up."""
        if not self._strips or ways != self._strip_ways:
            return False
        reach = self._depth + self._search
        return all(
            cv2.norm(side.strip(light, way, reach), strip, cv2.NORM_INF) <= self._config.same_levels
            for side, way, strip in zip(self._sides, ways, self._strips, strict=True)
        )

    def _read(self, light: Picture, ways: list[int]) -> None:
        start = np.zeros(len(self._u))
        for side, way in zip(self._sides, ways, strict=True):
            start[side.places] = way
        further, match = _best_ways(self._profiles(light, ways, self._search), self._looks, self._search)
        found = self._use & (match >= self._config.least_match)
        self._share = float(found.sum() / max(1, self._use.sum()))
        self._fit(start + further, found)
        away = np.abs(self._displaced(self._motion - self._shown, both=True))
        if float(away.max()) > self._config.still_px:
            self._shown, self._kept_view = self._motion, self._view()

    def _displaced(self, m: Floats, both: bool = False) -> Floats:
        """Returns how far a motion moves each piece across its line, (P,), or across and along it, (2, P)."""
        across = m[0] + m[1] * self._u + m[2] * self._v
        down = m[3] + m[4] * self._u + m[5] * self._v
        return np.stack([across, down]) if both else np.where(self._upright, across, down)

    def _sides_of(self, sides: list[int], light: Picture, half: float) -> Iterator[_SideOfBorder]:
        for number in range(len(_SIDES)):
            places = np.array([place for place, side in enumerate(sides) if side == number], np.intp)
            if not len(places):
                continue
            upright = bool(self._upright[places[0]])
            across, along = (self._u, self._v) if upright else (self._v, self._u)
            length = light.shape[0] if upright else light.shape[1]
            begin = np.clip(np.rint(along[places] - half).astype(np.intp), 0, length - 1)
            end = np.clip(np.rint(along[places] + half).astype(np.intp), begin + 1, length)
            yield _SideOfBorder(places, upright, round(float(across[places].mean())), begin, end)

    def _profiles(self, light: Picture, ways: list[int], search: int) -> Floats:
        """Returns each piece's mean lightness at every distance across the line, (P, 2 (depth + search) + 1)."""
        reach = self._depth + search
        rows = np.zeros((len(self._u), 2 * reach + 1))
        for side, way in zip(self._sides, ways, strict=True):
            strip = side.strip(light, way, reach)
            across = strip.shape[1] if side.upright else strip.shape[0]
            if across != 2 * reach + 1:
                # Beyond the frame's edge goes on what is at the edge.
                picture = light.T if side.upright else light
                first = side.middle + way - reach
                lines = np.clip(np.arange(first, first + 2 * reach + 1), 0, len(picture) - 1)
                strip = np.ascontiguousarray(picture[lines].T if side.upright else picture[lines])
            sums = cv2.integral(strip)
            sums = sums if side.upright else sums.T
            means = np.diff((sums[side.end] - sums[side.begin]), axis=1) / (side.end - side.begin)[:, None]
            rows[side.places] = means
        return rows

    def _fit(self, ways: Floats, found: Flags) -> None:
        unit = self._first.unit
        keep, motion = found, self._motion
        for _ in range(self._config.rounds):
            upright = int(np.count_nonzero(keep & self._upright))
            kept = int(np.count_nonzero(keep))
            if kept < self._config.least_pieces or upright in (0, kept):
                return
            solved = self._solve(ways, keep)
            if solved is None:
                return
            motion = solved
            off = np.abs(self._displaced(motion) - ways)
            limit = max(self._config.agree * unit, self._config.agree_factor * float(np.median(off[found])))
            better = found & (off <= limit)
            if (better == keep).all():
                break
            keep = better
        self._motion = motion

    def _motion_equations(self) -> tuple[Floats, float]:
        """Returns how each piece's way follows from shift, zooms and turn, (P, 5), and the unit of the last three."""
        u, v = self._u - self._u.mean(), self._v - self._v.mean()
        size = float(np.abs(np.concatenate([u, v])).max())
        zero, one = np.zeros_like(u), np.ones_like(u)
        # Unknowns: shift of columns and rows, zoom of columns and rows, turn.
        rows = np.where(
            self._upright[:, None],
            np.stack([one, zero, u / size, zero, -v / size], axis=1),
            np.stack([zero, one, zero, v / size, u / size], axis=1),
        )
        return rows, size

    def _solve(self, ways: Floats, keep: Flags) -> Floats | None:
        """Returns the motion of shift, two zooms and a turn that fits the kept ways best; None if there is none."""
        rows, size, last = self._equations[keep], self._size, self._motion
        stiff = np.array([0.0, 0.0, *[self._config.stiffness] * 3])
        before = np.array([0.0, 0.0, last[1] * size, last[5] * size, last[4] * size])
        normal = np.einsum("ki,kj->ij", rows, rows) + np.diag(stiff)
        right = np.einsum("ki,k->i", rows, ways[keep]) + stiff * before
        solved, answer = cv2.solve(normal, right[:, None], flags=cv2.DECOMP_SVD)
        if not solved:
            return None
        shift_u, shift_v, zoom_u, zoom_v, turn = (float(value) for value in answer[:, 0])
        zoom_u, zoom_v, turn = zoom_u / size, zoom_v / size, turn / size
        mean_u, mean_v = float(self._u.mean()), float(self._v.mean())
        return np.array(
            [
                shift_u - zoom_u * mean_u + turn * mean_v, zoom_u, -turn,
                shift_v - zoom_v * mean_v - turn * mean_u, turn, zoom_v,
            ]
        )  # fmt: skip

    def _view(self) -> CameraView:
        m, first = self._motion, self._first
        matrix = np.array([[1 + m[1], m[2]], [m[4], 1 + m[5]]])
        turned = np.array(
            [[matrix[i, 0] * first.matrix[0, j] + matrix[i, 1] * first.matrix[1, j] for j in (0, 1)] for i in (0, 1)]
        )
        shift = np.array([matrix[i, 0] * first.shift[0] + matrix[i, 1] * first.shift[1] + m[3 * i] for i in (0, 1)])
        return CameraView(turned, shift, first.cut, first.scale)


def _pieces(side: int, lot: Lot, config: BorderFollowConfig) -> list[tuple[float, float, bool, int]]:
    """Returns the middles of a side's pieces, whether it is upright, and the side: 0 left, 1 right, 2 bottom, 3 top."""
    upright = side < 2
    length = lot.height if upright else lot.width
    count = max(1, round(length / config.piece))
    openings = [opening for opening in lot.exits if opening.side is _SIDES[side]]
    pieces = []
    for i in range(count):
        along = (i + 0.5) * length / count
        half = 0.5 * length / count + config.beside_exit
        if any(opening.start < along + half and opening.end > along - half for opening in openings):
            continue
        x = (0.0 if side == 0 else lot.width) if upright else along
        y = along if upright else (0.0 if side == 2 else lot.height)
        pieces.append((x, y, upright, side))
    return pieces


def _best_ways(profiles: Floats, looks: Floats, search: int) -> tuple[Floats, Floats]:
    """Returns how far each profile is displaced against its look, and how well they match.

    Parameters
    ----------
    profiles : (P, L + 2 search)
        Lightness across the line.
    looks : (P, L)
        The same in the first frame, less its mean.
    search
        How far a profile may be displaced, in pixels.
    """
    length = looks.shape[1]
    profiles = profiles - profiles.mean(axis=1, keepdims=True)
    windows = np.lib.stride_tricks.sliding_window_view(profiles, length, axis=1)
    # Less its own mean or not, a window has the same product with a look that has no mean.
    product = np.einsum("pwl,pl->pw", windows, looks)
    sums = np.einsum("pwl->pw", windows)
    squares = np.einsum("pwl,pwl->pw", windows, windows) - sums * sums / length
    energy = np.sqrt(np.maximum(squares, 0.0) * np.einsum("pl,pl->p", looks, looks)[:, None])
    match = product / np.maximum(energy, 1e-6)  # not a threshold: a guard against a division by 0
    best = match.argmax(axis=1)
    rows, last = np.arange(len(best)), match.shape[1] - 1
    here = match[rows, best]
    before, after = match[rows, np.maximum(best - 1, 0)], match[rows, np.minimum(best + 1, last)]
    bend = before - 2 * here + after
    part = np.where(bend < -1e-9, 0.5 * (before - after) / np.minimum(bend, -1e-9), 0.0)
    inside = (best > 0) & (best < last)
    return best - search + np.where(inside, np.minimum(np.maximum(part, -0.5), 0.5), 0.0), here
