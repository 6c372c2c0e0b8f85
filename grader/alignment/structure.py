"""Where in a candidate the puzzle lies, told by its own structure, whatever stands around it.

Edges along and across an axis, summed over the other one, are two rows of numbers that a puzzle has for itself: its
rhythm and its outline. They are looked for at every length and place at which they may stand, first along one axis in
the whole candidate, then along the other within what was found, where little but the puzzle is left. Words, rules and
frames beside it lie outside of what is compared.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.fft import irfft, next_fast_len, rfft

Floats = NDArray[np.float32]

Frame = tuple[float, float, float, float]
"""Left, top, right and bottom."""


@dataclass(frozen=True)
class StructureConfig:
    """How a puzzle is looked for by its structure.

    Attributes
    ----------
    side_px : candidate and puzzle are brought to this longest side
    strong : slope in grey levels a pixel from which an edge counts in full
    tolerance_px : standard deviation by which places of edges may differ...
    slow_px : ...and the one of what rises and falls so slowly that it tells a place roughly at most
    rim_px : edges so near to the puzzle's rim may be those of what lies beside it, and are not compared
    least : least share of the candidate's width and of its height that the puzzle takes...
    most : ...and the largest, where a part of the puzzle is cut off
    step : factor between two lengths that are tried
    most_stretch : largest factor between the scales of width and height
    places : places that are kept on an axis, by slow and by quick changes each
    tried : frames whose agreement is looked at roughly, for each axis that is searched first...
    compared : ...and those of them for which it is looked at closely
    alike : agreement, -1 to 1, from which a frame is believed although it does not agree as well as others do
    apart : share of its length by which a place has to differ from a better one to be another
    """

    side_px: int = 512
    strong: float = 12.0
    tolerance_px: float = 1.0
    slow_px: float = 6.0
    rim_px: int = 3
    least: float = 0.25
    most: float = 1.05
    step: float = 1.012
    most_stretch: float = 1.6
    places: int = 3
    tried: int = 8
    compared: int = 2
    alike: float = 0.83
    apart: float = 0.03


@dataclass(frozen=True)
class _Place:
    """A stretch of an axis that may be the puzzle's, in pixels, and its agreement from -1 to 1."""

    begin: float
    end: float
    score: float


@dataclass(frozen=True)
class Edges:
    """Edges of a picture, 0 to 1, across x and across y, each (h, w) float32."""

    across_x: Floats
    across_y: Floats

    @property
    def total(self) -> float:
        """All of them."""
        return float(self.across_x.sum(dtype=np.float64) + self.across_y.sum(dtype=np.float64))

    def profile(self, axis: int, span: tuple[float, float] | None = None) -> Floats:
        """(2, n) by place on axis 0 (x) or 1 (y): both summed over the other axis, or over a span of it."""
        pair = [self.across_x, self.across_y] if axis == 0 else [self.across_y, self.across_x]
        if span is not None:
            first, last = max(0, round(span[0])), max(1, round(span[1]))
            pair = [one[first:last] if axis == 0 else one[:, first:last] for one in pair]
        return np.stack([one.mean(axis=axis, dtype=np.float64).astype(np.float32) for one in pair])


def edges_of(grey: Floats, colored: NDArray[np.bool_], counted: float, config: StructureConfig) -> Edges:
    """Edges of a grey picture; those of what has a colour count by a share, 0 to 1."""
    near = cv2.dilate(colored.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    found = []
    for along_x, along_y in ((1, 0), (0, 1)):
        slope = cv2.Sobel(grey, cv2.CV_32F, along_x, along_y, scale=0.125)  # not a threshold: a slope a pixel
        share = np.minimum(np.abs(slope), np.float32(config.strong)) / np.float32(config.strong)
        found.append(np.asarray(np.where(near, share * np.float32(counted), share), np.float32))
    return Edges(found[0], found[1])


@dataclass(frozen=True)
class Rhythm:
    """What a puzzle is looked for by.

    Attributes
    ----------
    profiles : that of its x axis and that of its y axis, as of `Edges`
    colored : share of its edges that lie where it has a colour: what is coloured counts by so much, for in a puzzle
        without colour it is the answer
    """

    profiles: tuple[Floats, Floats]
    colored: float


def rhythm_of(grey: Floats, colored: NDArray[np.bool_], config: StructureConfig) -> Rhythm:
    """The rhythm of a puzzle's picture."""
    every, plain = (edges_of(grey, colored, counted, config).total for counted in (1.0, 0.0))
    share = 1.0 - plain / every if every > 0.0 else 0.0
    found = edges_of(grey, colored, share, config)
    return Rhythm((found.profile(0), found.profile(1)), share)


class _Axis:
    """One axis of the puzzle, at every length that may stand on a candidate's axis."""

    def __init__(self, profile: Floats, length: int, config: StructureConfig) -> None:
        self.config, self.full = config, profile.shape[1]
        self.room = math.ceil((config.most - 1.0) * length) + config.rim_px
        self.padded = length + 2 * self.room
        self.size = next_fast_len(self.padded, real=True)
        low, high = max(2.0 * config.rim_px + 2.0, config.least * length), config.most * length
        count = max(0, int(math.log(high / low) / math.log(config.step)) + 1)
        self.lengths = np.rint(low * config.step ** np.arange(count)).astype(np.int64)
        self.inner = self.lengths - 2 * config.rim_px
        if not self.lengths.size:
            return
        parts = [self._inner(one) for one in _split(self._sampled(profile), config)]
        self.energies = [np.square(one).sum(axis=(1, 2), dtype=np.float64) for one in parts]
        self.transforms = [np.conj(rfft(one, n=self.size, axis=-1)) for one in parts]

    def _sampled(self, profile: Floats) -> Floats:
        """The profile at each length, (lengths, 2, longest), averaged over pixels; its last value goes on."""
        sums = np.concatenate([np.zeros((2, 1)), np.cumsum(profile, axis=1, dtype=np.float64)], axis=1)
        at = np.arange(int(self.lengths[-1]))[None]
        begin = np.minimum(at, self.lengths[:, None] - 1) * (self.full / self.lengths[:, None])
        end = begin + self.full / self.lengths[:, None]
        places = np.arange(self.full + 1)
        sampled = np.stack([np.interp(end, places, one) - np.interp(begin, places, one) for one in sums], axis=1)
        return np.asarray(sampled * (self.lengths / self.full)[:, None, None], np.float32)

    def _inner(self, sampled: Floats) -> Floats:
        """Mean-free, and without the rim, whose edges are those of what lies beside the puzzle as much as its own."""
        cut = sampled[..., self.config.rim_px :]
        inside = (np.arange(cut.shape[-1])[None] < self.inner[:, None])[:, None]
        means = (cut * inside).sum(axis=-1, dtype=np.float64) / self.inner[:, None]
        return np.asarray((cut - means[..., None].astype(np.float32)) * inside, np.float32)

    def places(self, profile: Floats, expected: float | None) -> list[_Place]:
        """The best places on a candidate's axis: of any length, or of one expected up to a stretch."""
        config = self.config
        tried = np.ones(self.lengths.size, np.bool_)
        if expected is not None:
            tried = np.abs(np.log(self.lengths / expected)) <= math.log(config.most_stretch)
        if not tried.any():
            return []
        found: list[_Place] = []
        whole = np.pad(profile, ((0, 0), (self.room, self.room)))
        for part, one in enumerate(_split(whole, config)):
            scores = self._scores(one, self.transforms[part][tried], self.energies[part][tried], self.inner[tried])
            at = scores.argmax(axis=1)
            best = scores[np.arange(at.size), at]
            ends = zip(at.tolist(), self.lengths[tried].tolist(), best.tolist(), strict=True)
            begins = [(float(begin - config.rim_px - self.room), length, score) for begin, length, score in ends]
            found += _best([_Place(begin, begin + length, score) for begin, length, score in begins], config)
        return _best(found, config, 2 * config.places)

    def _scores(
        self, profile: Floats, transforms: NDArray[np.complex64], energies: Floats, inner: NDArray[np.int64]
    ) -> Floats:
        """Correlation coefficients, (lengths, offsets); -1 where the puzzle would reach out of what is looked at."""
        size = self.padded
        product = (rfft(profile, n=self.size, axis=-1)[None] * transforms).sum(axis=1)
        crossed = irfft(product, n=self.size, axis=-1)[:, :size]
        centred = profile - profile.mean(axis=1, keepdims=True)
        zero = np.zeros((2, 1), np.float64)
        total = np.concatenate([zero, np.cumsum(centred, axis=1, dtype=np.float64)], axis=1).astype(np.float32)
        powers = np.cumsum(np.square(centred).sum(axis=0), dtype=np.float64)
        square = np.concatenate([zero[0], powers]).astype(np.float32)
        last = np.minimum(np.arange(size)[None] + inner[:, None], size)
        energy = square[last] - square[None, :-1]
        for one in total:
            energy -= np.square(one[last] - one[None, :-1]) / inner[:, None].astype(np.float32)
        # not a threshold: what a flat profile has, up to rounding
        scores = crossed / np.sqrt(np.maximum(energy, 1e-6) * np.maximum(energies, 1e-6)[:, None].astype(np.float32))
        scores[np.arange(size)[None] + inner[:, None] > size] = -1.0
        return np.asarray(scores, np.float32)


class StructureSearch:
    """Looks for a puzzle's rhythm in a candidate's edges."""

    def __init__(self, puzzle: Rhythm, candidate: Edges, config: StructureConfig) -> None:
        self.candidate = candidate
        shape = candidate.across_x.shape
        self._axes = [_Axis(puzzle.profiles[axis], shape[1 - axis], config) for axis in (0, 1)]

    def frames(self, first: int) -> list[Frame]:
        """Where the puzzle's whole picture may lie, in the pixels of the candidate's edges, the likeliest first.

        Parameters
        ----------
        first : int
            The axis that is searched in the whole candidate: 0 for x, 1 for y. Neither finds all by itself.
        """
        second = 1 - first
        if not all(axis.lengths.size for axis in self._axes):
            return []
        found: list[tuple[float, Frame]] = []
        for place in self._axes[first].places(self.candidate.profile(first), None):
            expected = (place.end - place.begin) / self._axes[first].full * self._axes[second].full
            inside = self.candidate.profile(second, (place.begin, place.end))
            for other in self._axes[second].places(inside, expected):
                across, down = (other, place) if first == 1 else (place, other)
                found.append((place.score + other.score, (across.begin, down.begin, across.end, down.end)))
        found.sort(key=lambda one: -one[0])
        return [frame for _, frame in found]


def _best(places: list[_Place], config: StructureConfig, count: int | None = None) -> list[_Place]:
    """The best places that are apart from each other."""
    kept: list[_Place] = []
    for place in sorted(places, key=lambda one: -one.score):
        apart = config.apart * (place.end - place.begin)
        if all(max(abs(place.begin - one.begin), abs(place.end - one.end)) > apart for one in kept):
            kept.append(place)
        if len(kept) == (count or config.places):
            break
    return kept


def _split(profile: Floats, config: StructureConfig) -> tuple[Floats, Floats]:
    """A profile without what is finer than can be placed, and the quick part of it alone."""
    fine = _blurred(profile, config.tolerance_px)
    return fine, fine - _blurred(profile, config.slow_px)


def _blurred(profile: Floats, sigma: float) -> Floats:
    kernel = cv2.getGaussianKernel(2 * math.ceil(2 * sigma) + 1, sigma, cv2.CV_32F).T
    flat = profile.reshape(-1, profile.shape[-1])
    blurred = cv2.filter2D(flat, -1, kernel, borderType=cv2.BORDER_REPLICATE)
    return np.asarray(blurred, np.float32).reshape(profile.shape)
