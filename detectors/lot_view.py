"""A parking lot in the frames of a clip: cut out, made small, and followed when the camera moves.

The border is compared piece by piece with its look in the first frame, so what it looks like does not matter. From the
ways of the pieces follow shift, zoom (of x and y apart) and a small turn, by least squares; pieces that do not agree,
since a vehicle or an exit came to them, are left out.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from detectors.lot_config import LotConfig
from detectors.lot_findings import Flags, Floats, PixelBox
from detectors.lot_place import Border, Picture
from puzzles.rush_hour.lot import Lot

_PIECE = 1.0  # length of a piece of the border, in units of the lot
_DEPTH = 0.3  # how far to either side of the line a piece's look is compared
_AGREE = 0.06  # pieces farther off than this from the common motion are left out, in units of the lot
_LEAST = 6  # fewest pieces that tell a motion
_ROUNDS = 4
_ZOOM_STIFF, _TURN_STIFF = 0.5, 0.5  # how many pieces' worth holds zoom and turn at the last frame's


@dataclass(frozen=True, eq=False)
class LotView:
    """Where the lot is in the small picture of one frame.

    Attributes
    ----------
    matrix, shift : (2, 2), (2,) a point (X, Y) of the lot is at matrix @ (X, Y) + shift in the small picture
    cut : the part of the frame that the small picture shows
    scale : (2,) pixels of the small picture per pixel of the frame, of columns and rows
    """

    matrix: Floats
    shift: Floats
    cut: PixelBox
    scale: Floats

    def to_small(self, points: Floats) -> Floats:
        """Return where points (..., 2) of the lot are in the small picture."""
        x, y = points[..., 0], points[..., 1]
        m, s = self.matrix, self.shift
        places = np.empty(points.shape)
        places[..., 0] = m[0, 0] * x + m[0, 1] * y + s[0]
        places[..., 1] = m[1, 0] * x + m[1, 1] * y + s[1]
        return places

    def to_lot(self, pixels: Floats) -> Floats:
        """Return which points of the lot are at pixels (..., 2), column and row, of the small picture."""
        m = self.matrix
        column, row = pixels[..., 0] - self.shift[0], pixels[..., 1] - self.shift[1]
        size = m[0, 0] * m[1, 1] - m[0, 1] * m[1, 0]
        return np.stack([(m[1, 1] * column - m[0, 1] * row) / size, (m[0, 0] * row - m[1, 0] * column) / size], axis=-1)

    @property
    def unit(self) -> float:
        """How long a unit of the lot is in the small picture, in pixels."""
        return float(np.sqrt(abs(self.matrix[0, 0] * self.matrix[1, 1] - self.matrix[0, 1] * self.matrix[1, 0])))

    def camera(self) -> Floats:
        """Return the same for the frame, as `LotFindings.camera` has it, (6,)."""
        rows = []
        for axis, start in ((0, self.cut.left), (1, self.cut.top)):
            scale = self.scale[axis]
            rows += [
                self.matrix[axis, 0] / scale,
                self.matrix[axis, 1] / scale,
                (self.shift[axis] + 0.5) / scale - 0.5 + start,
            ]
        return np.array(rows)

    def frame_box(self, box: tuple[int, int, int, int]) -> PixelBox:
        """Return where a box (left, top, width, height) of the small picture is in the frame."""
        left, top, width, height = box
        return PixelBox(
            round(left / self.scale[0]) + self.cut.left,
            round(top / self.scale[1]) + self.cut.top,
            round((left + width) / self.scale[0]) + self.cut.left,
            round((top + height) / self.scale[1]) + self.cut.top,
        )

    def small(self, pixels: Picture) -> Picture:
        """Cut the small picture out of a frame."""
        part = pixels[self.cut.top : self.cut.bottom, self.cut.left : self.cut.right]
        size = (
            round((self.cut.right - self.cut.left) * self.scale[0]),
            round((self.cut.bottom - self.cut.top) * self.scale[1]),
        )
        if size == (part.shape[1], part.shape[0]):
            return np.ascontiguousarray(part)
        return np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.uint8)


def first_view(border: Border, lot: Lot, shape: tuple[int, ...], config: LotConfig) -> LotView:
    """Return the view of a lot whose border was found in a frame of a shape (H, W, ...)."""
    unit_x, unit_y = (border.right - border.left) / lot.width, (border.bottom - border.top) / lot.height
    # Whole steps, since means over whole blocks of pixels are several times faster.
    step = max(1, round(min(unit_x, unit_y) / config.px_per_unit))
    left = max(0, round(border.left - config.margin * unit_x))
    top = max(0, round(border.top - config.margin * unit_y))
    wide = min(shape[1], round(border.right + config.margin * unit_x)) - left
    high = min(shape[0], round(border.bottom + config.margin * unit_y)) - top
    cut = PixelBox(left, top, left + wide // step * step, top + high // step * step)
    scale = np.full(2, 1.0 / step)
    matrix = np.array([[unit_x * scale[0], 0.0], [0.0, -unit_y * scale[1]]])
    shift = np.array(
        [(border.left - cut.left + 0.5) * scale[0] - 0.5, (border.bottom - cut.top + 0.5) * scale[1] - 0.5]
    )
    return LotView(matrix, shift, cut, scale)


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

    def __init__(self, light: Picture, view: LotView, lot: Lot, config: LotConfig) -> None:
        self._first, self._config = view, config
        self._pieces = [piece for side in range(4) for piece in _pieces(side, lot)]
        self._depth = max(3, round(_DEPTH * view.unit))
        self._search = max(3, round(config.line_search * view.unit))
        self._motion = np.zeros(6)  # small-picture displacement: dx = m0 + m1 u + m2 v, dy = m3 + m4 u + m5 v
        centers = view.to_small(np.array([(p[0], p[1]) for p in self._pieces]))
        self._u, self._v = centers[:, 0], centers[:, 1]
        self._upright = np.array([piece[2] for piece in self._pieces])
        self._half = _PIECE * view.unit / 2 - 2
        sides = [np.array([i for i, piece in enumerate(self._pieces) if piece[3] == side], int) for side in range(4)]
        self._sides = [(places, bool(self._upright[places[0]])) for places in sides if len(places)]
        looks = self._profiles(light, np.zeros(len(self._pieces)), 0)
        spread = looks.std(axis=1)
        # A piece without a line, or out of the frame, tells nothing.
        self._use = spread > 2.0
        self._looks = looks

    def follow(self, light: Picture) -> tuple[LotView, float]:
        """Return where the lot is in the small picture of the next frame, and which share of its border is seen."""
        expected = self._expected()
        start = np.zeros(len(expected))
        for places, _ in self._sides:
            start[places] = round(float(expected[places].mean()))
        profiles = self._profiles(light, start, self._search)
        ways, match = _best_ways(profiles, self._looks, self._search)
        found = self._use & (match >= self._config.line_match)
        share = float(found.sum() / max(1, self._use.sum()))
        self._fit(start + ways, found)
        return self._view(), share

    def _expected(self) -> Floats:
        m = self._motion
        across = m[0] + m[1] * self._u + m[2] * self._v
        down = m[3] + m[4] * self._u + m[5] * self._v
        return np.asarray(np.where(self._upright, across, down))

    def _profiles(self, light: Picture, ways: Floats, search: int) -> Floats:
        """Return each piece's mean lightness at every distance across the line, (P, 2 (depth + search) + 1)."""
        reach = self._depth + search
        rows = np.zeros((len(self._pieces), 2 * reach + 1))
        for places, upright in self._sides:
            picture = light.T if upright else light
            across, along = (self._u, self._v) if upright else (self._v, self._u)
            middle = round(float(across[places].mean())) + int(ways[places[0]])
            # Beyond the frame's edge goes on what is at the edge.
            lines = np.clip(np.arange(middle - reach, middle + reach + 1), 0, len(picture) - 1)
            sums = np.diff(cv2.integral(picture[lines]), axis=0)
            begin = np.clip(np.rint(along[places] - self._half).astype(int), 0, sums.shape[1] - 2)
            end = np.clip(np.rint(along[places] + self._half).astype(int), begin + 1, sums.shape[1] - 1)
            rows[places] = ((sums[:, end] - sums[:, begin]) / (end - begin)).T
        return rows

    def _fit(self, ways: Floats, found: Flags) -> None:
        unit = self._first.unit
        keep, motion = found.copy(), self._motion
        for _ in range(_ROUNDS):
            if keep.sum() < _LEAST or len(set(self._upright[keep].tolist())) < 2:
                return
            solved = self._solve(ways, keep)
            if solved is None:
                return
            motion = solved
            across = motion[0] + motion[1] * self._u + motion[2] * self._v
            down = motion[3] + motion[4] * self._u + motion[5] * self._v
            off = np.abs(np.where(self._upright, across, down) - ways)
            limit = max(_AGREE * unit, 2.5 * float(np.median(off[found])))
            better = found & (off <= limit)
            if (better == keep).all():
                break
            keep = better
        self._motion = motion

    def _solve(self, ways: Floats, keep: Flags) -> Floats | None:
        """Return the motion of shift, two zooms and a turn that fits the kept ways best; None if there is none."""
        u, v = self._u - self._u.mean(), self._v - self._v.mean()
        size = float(np.abs(np.concatenate([u, v])).max())
        zero, one = np.zeros_like(u), np.ones_like(u)
        # Unknowns: shift of columns and rows, zoom of columns and rows, turn.
        rows = np.where(
            self._upright[:, None],
            np.stack([one, zero, u / size, zero, -v / size], axis=1),
            np.stack([zero, one, zero, v / size, u / size], axis=1),
        )[keep]
        goal = ways[keep]
        last = self._motion
        stiff = np.diag([0.0, 0.0, _ZOOM_STIFF, _ZOOM_STIFF, _TURN_STIFF])
        before = np.array([0.0, 0.0, last[1] * size, last[5] * size, last[4] * size])
        normal = np.einsum("ki,kj->ij", rows, rows) + stiff
        right = np.einsum("ki,k->i", rows, goal) + stiff.diagonal() * before
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

    def _view(self) -> LotView:
        m, first = self._motion, self._first
        matrix = np.array([[1 + m[1], m[2]], [m[4], 1 + m[5]]])
        turned = np.array(
            [[matrix[i, 0] * first.matrix[0, j] + matrix[i, 1] * first.matrix[1, j] for j in (0, 1)] for i in (0, 1)]
        )
        shift = np.array([matrix[i, 0] * first.shift[0] + matrix[i, 1] * first.shift[1] + m[3 * i] for i in (0, 1)])
        return LotView(turned, shift, first.cut, first.scale)


def _pieces(side: int, lot: Lot) -> list[tuple[float, float, bool, int]]:
    """Return the middles of a side's pieces, whether it is upright, and the side: 0 left, 1 right, 2 bottom, 3 top."""
    upright = side < 2
    length = lot.height if upright else lot.width
    count = max(1, round(length / _PIECE))
    openings = [e for e in lot.exits if e.side.value == ("left", "right", "bottom", "top")[side]]
    pieces = []
    for i in range(count):
        along = (i + 0.5) * length / count
        half = 0.5 * length / count + 0.2
        if any(e.start < along + half and e.end > along - half for e in openings):
            continue
        x = (0.0 if side == 0 else lot.width) if upright else along
        y = along if upright else (0.0 if side == 2 else lot.height)
        pieces.append((x, y, upright, side))
    return pieces


def _best_ways(profiles: Floats, looks: Floats, search: int) -> tuple[Floats, Floats]:
    """Return how far each profile (P, L + 2 search) is displaced against its look (P, L), and how well they match."""
    windows = np.lib.stride_tricks.sliding_window_view(profiles, looks.shape[1], axis=1)
    centered = windows - windows.mean(axis=2, keepdims=True)
    look = (looks - looks.mean(axis=1, keepdims=True))[:, None, :]
    energy = np.sqrt((centered**2).sum(axis=2) * (look**2).sum(axis=2))
    match = (centered * look).sum(axis=2) / np.maximum(energy, 1e-6)
    best = match.argmax(axis=1)
    rows = np.arange(len(best))
    before, here, after = (match[rows, np.clip(best + d, 0, match.shape[1] - 1)] for d in (-1, 0, 1))
    bend = before - 2 * here + after
    part = np.where(bend < -1e-9, 0.5 * (before - after) / np.minimum(bend, -1e-9), 0.0)
    inside = (best > 0) & (best < match.shape[1] - 1)
    return best - search + np.where(inside, np.clip(part, -0.5, 0.5), 0.0), here
