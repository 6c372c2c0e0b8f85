"""A textured maze, and the flat one that stands for it: what a candidate shows beside its textures, on flat colours.

Whatever reads mazes then reads the flat picture: where a candidate is as the puzzle was, it has the flat maze's
colours; where it was painted over, it has its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.light import LightConfig, light_gain
from detectors.common.residual.mixing import channel_maxima
from detectors.maze.textures.config import DifferenceConfig
from detectors.maze.textures.marks import TextureMarks
from detectors.maze.textures.settling import settled
from grader.media.pyramid import reduce_picture

Floats = NDArray[np.float32]
_Range = tuple[Floats, Floats]

# Grey and two differences of colour: edges of rocks and grass spread in grey alone, so that colours stand out.
# not a threshold: weights of channels
_TO_OPPONENT = np.array([[0.299, 0.587, 0.114], [0.5, -0.5, 0.0], [-0.25, -0.25, 0.5]], np.float32)
_FROM_OPPONENT = np.asarray(np.linalg.inv(_TO_OPPONENT.astype(np.float64)), np.float32)
_AROUND = np.ones((3, 3), np.uint8)
_LEAST = 1e-3  # not a threshold: against a division by 0


@dataclass(frozen=True, eq=False)
class MazeTexture:
    """The pictures of a textured maze.

    Attributes
    ----------
    picture : (h, w, 3) uint8, as it is
    flat : (h, w, 3) uint8, the flat maze
    cell_px : length of a cell in pixels of both
    marker_colors : (cell, colour) of each marker as it is, 0 to 255
    config : how candidates are compared
    light : how uneven light is evened out
    marks : what marks start and goal; None where that is not told
    """

    picture: NDArray[np.uint8]
    flat: NDArray[np.uint8]
    cell_px: float
    marker_colors: tuple[tuple[int, tuple[float, float, float]], ...]
    config: DifferenceConfig
    light: LightConfig
    marks: TextureMarks | None = None

    def halved(self, by: int) -> MazeTexture:
        """The same, reduced by a power of two."""
        if by == 1:
            return self
        small, flat = reduce_picture(self.picture, by), reduce_picture(self.flat, by)
        marks = None if self.marks is None else self.marks.halved((small.shape[1], small.shape[0]))
        return MazeTexture(small, flat, self.cell_px / by, self.marker_colors, self.config, self.light, marks)

    def flattened(self, view: NDArray[np.uint8], covered: NDArray[np.bool_] | None = None) -> NDArray[np.uint8]:
        """What a candidate shows on the flat maze.

        Parameters
        ----------
        view : ndarray of shape (h, w, 3), uint8 RGB
            The aligned candidate.
        covered : ndarray of shape (h, w), bool, or None
            Where it has pixels; None for everywhere.
        """
        seen = np.ones(view.shape[:2], np.bool_) if covered is None else covered
        if np.count_nonzero(seen) < self.cell_px:
            return view
        view, seen = settled(view, seen, self.picture, self.config.settling)
        blur, colored = self._fitted(self._evened(view, seen), seen, range(len(self.config.blurs)))
        return self._shown(colored, seen, self._range(blur), blur)

    def misfit(self, view: NDArray[np.uint8], covered: NDArray[np.bool_] | None = None) -> float:
        """By how many levels an aligned candidate differs from the maze, at the pixels that differ least."""
        seen = np.ones(view.shape[:2], np.bool_) if covered is None else covered
        if np.count_nonzero(seen) < self.cell_px:
            return float("inf")
        view, seen = settled(view, seen, self.picture, self.config.settling)
        return self._fit(view, seen, range(len(self.config.blurs)))[0]

    def flattener(self) -> Callable[[NDArray[np.uint8]], NDArray[np.uint8]]:
        """The same for the frames of one clip, in order, aligned: all are as blurred as the first one."""
        blurs = range(len(self.config.blurs))
        own: _Range | None = None

        def flattened(frame: NDArray[np.uint8]) -> NDArray[np.uint8]:
            nonlocal blurs, own
            seen = np.ones(frame.shape[:2], np.bool_)
            blur, colored = self._fitted(frame, seen, blurs)
            if own is None:
                blurs, own = range(blur, blur + 1), self._range(blur)
            return self._shown(colored, seen, own, blur)

        return flattened

    def _shown(self, colored: Floats, seen: NDArray[np.bool_], own_range: _Range, blur: int) -> NDArray[np.uint8]:
        """What a candidate in the maze's colours shows on the flat one."""
        config = self.config
        low, high = own_range
        own = _opponent(colored)
        excess = own - np.clip(own, low - config.slack, high + config.slack)
        excess = self._denoised(own, low, high, excess, seen)
        known = None if self.marks is None else self.marks.of_their_hue(colored, self.picture, config)
        if known is not None:
            excess[known] = 0.0
        rest = _rgb(excess)
        strength = channel_maxima(np.abs(rest))
        share = np.clip((strength - config.painted) / (config.opaque - config.painted), 0.0, 1.0)
        painted = self._closed(np.asarray(share, np.float32), colored)[..., None]
        flat = self._blurred(self.flat, blur)
        shown = flat + (1.0 - painted) * rest + painted * (colored - flat)
        if self.marks is not None and known is not None:
            self.marks.show(shown, colored, self._blurred(self.picture, blur), flat, known, config)
        shown[~seen] = flat[~seen]
        return np.asarray(np.clip(np.rint(shown), 0, 255), np.uint8)

    def _closed(self, painted: Floats, colored: Floats) -> Floats:
        """What was painted over, with gaps in it that have the colour of what is painted around."""
        config = self.config
        side = 2 * config.closed_px + 1
        closed = np.asarray(cv2.morphologyEx(painted, cv2.MORPH_CLOSE, np.ones((side, side), np.uint8)), np.float32)
        gaps = closed > painted
        if not gaps.any():
            return painted
        amount = cv2.boxFilter(painted, -1, (side, side))
        around = cv2.boxFilter(colored * painted[..., None], -1, (side, side)) / np.maximum(amount, _LEAST)[..., None]
        alike = channel_maxima(np.abs(colored - around)) <= config.closed_alike
        return np.asarray(np.where(gaps & alike, closed, painted), np.float32)

    def _denoised(self, own: Floats, low: Floats, high: Floats, excess: Floats, seen: NDArray[np.bool_]) -> Floats:
        """The excess beyond what even quiet cells have: noise, and what compression leaves."""
        config = self.config
        side = max(1, round(self.cell_px))
        height, width = seen.shape
        rows, columns = height // side, width // side
        if not rows or not columns:
            return excess
        strength = np.where(seen, channel_maxima(np.abs(excess)), 0.0)[: rows * side, : columns * side]
        blocks = strength.reshape(rows, side, columns, side).swapaxes(1, 2).reshape(rows * columns, -1)
        usual = float(np.quantile(np.quantile(blocks, config.usual, axis=1), config.quiet))
        if usual <= 0.0:
            return excess
        slack = config.slack + min(config.noisy * usual, config.most_noise)
        return np.asarray(own - np.clip(own, low - slack, high + slack), np.float32)

    def _evened(self, view: NDArray[np.uint8], seen: NDArray[np.bool_]) -> NDArray[np.uint8]:
        """A candidate in even light; what changes all of it is taken off first, for walls get brighter otherwise."""
        _, toned = self._fitted(view, seen, range(1))
        view = np.asarray(np.clip(np.rint(toned), 0, 255), np.uint8)  # not a threshold: the range of a channel
        side = max(1, round(self.config.even * self.cell_px))
        now, before = (np.asarray(cv2.blur(one, (side, side)), np.uint8) for one in (view, self.picture))
        gain = light_gain(now, before, np.flatnonzero(seen), self.light)
        return view if gain is None else np.asarray(np.clip(np.rint(view * gain[..., None]), 0, 255), np.uint8)

    def _fitted(self, view: NDArray[np.uint8], seen: NDArray[np.bool_], blurs: range) -> tuple[int, Floats]:
        """The blur, by its position, under which the maze is like a candidate, and the candidate in its colours."""
        _, blur, (gains, shifts) = self._fit(view, seen, blurs)
        return blur, np.asarray(view.astype(np.float32) * gains + shifts, np.float32)

    def _fit(self, view: NDArray[np.uint8], seen: NDArray[np.bool_], blurs: range) -> tuple[float, int, Floats]:
        """What is left, the blur, and the factors and shifts of channels under which least is."""
        config = self.config
        at = np.flatnonzero(seen)
        at = at[:: max(1, at.size // 5_000)]  # not a threshold: enough to fit two numbers
        best: tuple[float, int, Floats] | None = None
        pixels = view.reshape(-1, 3)[at].astype(np.float64)
        for index in blurs:
            expected = self._blurred(self.picture, index).reshape(-1, 3)[at].astype(np.float64)
            gains, shifts, left = _colors(pixels, expected, config)
            if best is None or left < best[0]:
                best = (left, index, np.stack([gains, shifts]).astype(np.float32))
        if best is None:
            raise RuntimeError("no blur is tried")
        return best

    def _blurred(self, picture: NDArray[np.uint8], blur: int) -> Floats:
        """A picture of the maze under a blur. Kept by nobody, for it is large, and puzzles are many."""
        own, sigma = picture.astype(np.float32), self.config.blurs[blur]
        return own if sigma == 0.0 else np.asarray(cv2.GaussianBlur(own, (0, 0), sigma), np.float32)

    def _range(self, blur: int) -> _Range:
        """What the maze has at and beside each pixel at least and at most, under a blur and under lesser ones."""
        values = [_opponent(self._blurred(self.picture, one)) for one in range(blur + 1)]
        low = np.min([cv2.erode(one, _AROUND) for one in values], axis=0)
        high = np.max([cv2.dilate(one, _AROUND) for one in values], axis=0)
        wider = np.float32(self.config.rough) * (high - low)
        return np.asarray(low - wider, np.float32), np.asarray(high + wider, np.float32)


def _colors(
    pixels: NDArray[np.float64], expected: NDArray[np.float64], config: DifferenceConfig
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Factors and shifts of the channels that bring pixels (n, 3) to what is expected, and what is left.

    They are told from what seems dark and light, and from no change at all, for much may be painted over.
    """
    starts = (_resistant(pixels, expected, config), (np.ones(3), np.zeros(3)))
    return min((_from(start, pixels, expected, config) for start in starts), key=lambda fit: fit[2])


def _from(
    start: tuple[NDArray[np.float64], NDArray[np.float64]],
    pixels: NDArray[np.float64],
    expected: NDArray[np.float64],
    config: DifferenceConfig,
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """The same, from factors and shifts to begin with."""
    gains, shifts = (one.copy() for one in start)
    kept, left = _kept(pixels, expected, gains, shifts, config)
    for _ in range(config.rounds):
        for channel in range(3):
            x, y = pixels[kept, channel], expected[kept, channel]
            mean_x, mean_y = float(x.mean()), float(y.mean())
            spread = float(((x - mean_x) ** 2).sum())
            # Where floor or walls alone are left only noise varies, which tells no factor; a level is noise, too.
            told = spread > max(1.0, config.told * float(left[channel])) ** 2 * len(x)
            gain = float(((x - mean_x) * (y - mean_y)).sum()) / spread if told else float(gains[channel])
            gains[channel], shifts[channel] = _bounded(gain, mean_x, mean_y, config)
        kept, left = _kept(pixels, expected, gains, shifts, config)
    off = np.abs(pixels[kept] * gains + shifts - expected[kept]).max(axis=1)
    return gains, shifts, float(off.mean())


def _kept(
    pixels: NDArray[np.float64],
    expected: NDArray[np.float64],
    gains: NDArray[np.float64],
    shifts: NDArray[np.float64],
    config: DifferenceConfig,
) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Which pixels differ least from what is expected, and by how much in each channel."""
    apart = np.abs(pixels * gains + shifts - expected)
    off = apart.max(axis=1)
    kept = np.asarray(off <= np.quantile(off, config.trimmed), np.bool_)
    return kept, apart[kept].mean(axis=0)


def _resistant(
    pixels: NDArray[np.float64], expected: NDArray[np.float64], config: DifferenceConfig
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Factors and shifts by the middles of what is dark and of what is light, as in Tukey's resistant line."""
    grey = expected.mean(axis=1)
    dark = grey < 0.5 * (grey.min() + grey.max())
    gains, shifts = np.ones(3), np.zeros(3)
    if not config.few <= float(dark.mean()) <= 1.0 - config.few:
        return gains, shifts + np.median(expected - pixels, axis=0)
    for channel in range(3):
        (low, below), (high, above) = (
            (float(np.median(pixels[part, channel])), float(np.median(expected[part, channel])))
            for part in (dark, ~dark)
        )
        # not a threshold: a channel that doesn't vary has no factor
        gain = (above - below) / (high - low) if abs(high - low) > 1.0 else 1.0
        gains[channel], shifts[channel] = _bounded(gain, 0.5 * (low + high), 0.5 * (below + above), config)
    return gains, shifts


def _bounded(gain: float, place: float, wanted: float, config: DifferenceConfig) -> tuple[float, float]:
    """A factor and the shift that brings a level to where it is wanted; none where they are larger than is undone."""
    if not 1.0 / config.most_gain <= gain <= config.most_gain:
        gain = 1.0
    shift = wanted - gain * place
    # not a threshold: the middle of a channel
    return (1.0, 0.0) if abs(shift + (gain - 1.0) * 128.0) > config.most_shift else (gain, shift)


def _opponent(rgb: Floats) -> Floats:
    return np.asarray(cv2.transform(rgb, _TO_OPPONENT), np.float32)


def _rgb(opponent: Floats) -> Floats:
    return np.asarray(cv2.transform(opponent, _FROM_OPPONENT), np.float32)
