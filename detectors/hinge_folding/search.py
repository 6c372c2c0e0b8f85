"""Looks for a chain whose size and place are not known: all angles of all hinges at all places at once.

The picture is made small, so that a unit has few pixels. For each shape and angle a map says of every place how well
the piece would fit there; then, from the last piece to the first, the best continuation is added at the place of the
hinge, so that the map of the first piece holds the score of the best chain that begins there (a pictorial structure
[1]_).

References
----------
.. [1] Felzenszwalb and Huttenlocher, Pictorial structures for object recognition, IJCV 2005.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.hinge_folding.colors import GivenLook
from detectors.hinge_folding.config import ChainConfig, ChainSearchConfig
from detectors.hinge_folding.maps import PieceMaps
from detectors.hinge_folding.plan import corners_of
from detectors.hinge_folding.view import Field, Floats, Pixels, make_view
from grader.media.pyramid import Pyramid
from puzzles.hinge_folding.chain import FULL_TURN, HingeShape, outline_of


@dataclass(frozen=True)
class ChainSighting:
    """Where a chain may be.

    Attributes
    ----------
    unit : pixels of a unit across and down
    poses : of each piece the centre in pixels and the angle in radians
    score : of a piece in the mean
    """

    unit: tuple[float, float]
    poses: tuple[tuple[float, float, float], ...]
    score: float


_FIXED = 4  # not a threshold: bits of a fraction of a pixel, for OpenCV
_BEYOND = -1.0  # not a threshold: less than any score
Sizes = tuple[tuple[float, float], tuple[float, float]]
"""Pixels of a unit across and down, and where the first piece's centre is, in pixels."""


def sizes_to_try(picture: Pixels, given: GivenLook, config: ChainSearchConfig) -> Iterator[Sizes]:
    """The sizes and places that a picture's own size may mean: the given picture, or the chain's part of it."""
    tried: list[Sizes] = []
    for left, top, box_width, box_height in _boxes(picture, given, config):
        for whole_width, whole_height in _frames(given):
            across, down = box_width / whole_width, box_height / whole_height
            if max(across / down, down / across) > config.most_stretch:
                continue
            unit = (given.unit_px * across, given.unit_px * down)
            place = (left + given.x_px * across, top + given.y_px * down)
            near = config.same_size * min(unit)
            if not any(
                max(
                    abs(one[0][0] - unit[0]),
                    abs(one[0][1] - unit[1]),
                    abs(one[1][0] - place[0]),
                    abs(one[1][1] - place[1]),
                )
                < near
                for one in tried
            ):
                tried.append((unit, place))
                yield unit, place


def _boxes(picture: Pixels, given: GivenLook, config: ChainSearchConfig) -> Iterator[tuple[float, float, float, float]]:
    """Left, top, width and height of what may be the given picture, or the chain's part of it, the likeliest first."""
    height, width = picture.shape[:2]
    frames = _frames(given)
    yield 0.0, 0.0, float(width), float(height)
    for whole_width, whole_height in frames:
        # As a picture that was fitted into another one, with bars on two sides, or with a title or a caption. Not with
        # one bar beside it: there the silhouette would be taken for the chain.
        scale = min(width / whole_width, height / whole_height)
        across, down = scale * whole_width, scale * whole_height
        for share in (0.5, 1.0, 0.0):
            yield (width - across) / 2, share * (height - down), across, down
    left, top, right, bottom = (float(side) for side in _trimmed(picture, config))
    yield left, top, right - left, bottom - top
    for whole_width, whole_height in frames:
        # Bars may be around that, too.
        scale = min((right - left) / whole_width, (bottom - top) / whole_height)
        across, down = scale * whole_width, scale * whole_height
        for share in (0.0, 1.0, 0.5):
            yield left + (right - left - across) / 2, top + share * (bottom - top - down), across, down


def sizes_within(box: tuple[int, int, int, int], given: GivenLook, config: ChainSearchConfig) -> Iterator[Sizes]:
    """The sizes and places that a box (left, top, right, bottom) of a picture may mean, where that is all of it."""
    left, top, right, bottom = box
    for whole_width, whole_height in _frames(given):
        across, down = (right - left) / whole_width, (bottom - top) / whole_height
        if max(across / down, down / across) <= config.most_stretch:
            yield (given.unit_px * across, given.unit_px * down), (left + given.x_px * across, top + given.y_px * down)


def same_shape(picture: Pixels, given: GivenLook, config: ChainSearchConfig) -> bool:
    """Whether a picture's sides have the ratio of the given one's, or of the chain's part of it."""
    height, width = picture.shape[:2]
    ratios = [width / wide / (height / high) for wide, high in _frames(given)]
    return any(max(ratio, 1 / ratio) <= config.same_shape for ratio in ratios)


def same_size(picture: Pixels, given: GivenLook) -> bool:
    """Whether a picture is as large as the given one, or as the chain's part of it."""
    height, width = picture.shape[:2]
    # not a threshold: whole pixels
    return any(abs(wide - width) < 1 and abs(high - height) < 1 for wide, high in _frames(given))


def _frames(given: GivenLook) -> tuple[tuple[float, float], ...]:
    height, width = given.picture.shape[:2]
    part = (2 * given.x_px, 2 * given.y_px)
    whole = (float(width), float(height))
    return (whole,) if abs(part[0] - whole[0]) < 2 and abs(part[1] - whole[1]) < 2 else (whole, part)


def search_native(
    picture: Pixels, shapes: Sequence[HingeShape], given: GivenLook, config: ChainConfig
) -> list[ChainSighting]:
    """Looks for the chain in a picture that was cut out of one as large as the given one, or put into another one.

    The best sighting comes first.
    """
    return _at_size(picture, shapes, (given.unit_px, given.unit_px), config.search.native, config)


def search_colored(
    picture: Pixels, shapes: Sequence[HingeShape], given: GivenLook, config: ChainConfig
) -> list[ChainSighting]:
    """The same by the colours that pieces were given, where these tell them apart.

    Of equal pieces that lie close together there are many chains whose edges and paint are all seen.
    """
    if float(np.abs(given.contrasts - given.contrasts.mean(axis=0)).max()) < config.scan.given_pair / 2:
        return []
    return _at_size(picture, shapes, (given.unit_px, given.unit_px), config.search.each, config, given.contrasts)


def search_chain(
    picture: Pixels, shapes: Sequence[HingeShape], given: GivenLook, config: ChainConfig
) -> list[ChainSighting]:
    """Looks for the chain at many sizes.

    Returns
    -------
    list of ChainSighting
        The best ones, the best first; of each size only the best place.
    """
    search = config.search
    found: list[ChainSighting] = []
    for unit in _units(picture, given, search):
        found += _at_size(picture, shapes, unit, config.search.each, config)
    found.sort(key=lambda one: -one.score)
    kept: list[ChainSighting] = []
    for one in found:
        if len(kept) < search.fits and not any(_same(one, other, search) for other in kept):
            kept.append(one)
    return kept


def _same(one: ChainSighting, other: ChainSighting, search: ChainSearchConfig) -> bool:
    """Whether two are one chain at sizes near to each other."""
    unit = max(one.unit[1], other.unit[1])
    apart = max(abs(a - b) for a, b in zip(one.poses[0][:2], other.poses[0][:2], strict=True))
    ratio = max(one.unit[1] / other.unit[1], other.unit[1] / one.unit[1])
    return apart < search.same_place * unit and ratio < search.near_sizes


def _units(picture: Pixels, given: GivenLook, config: ChainSearchConfig) -> Iterator[tuple[float, float]]:
    """Sizes of a unit, across and down, that a picture may have."""
    height, width = picture.shape[:2]
    left, top, right, bottom = _trimmed(picture, config)
    ratios = [1.0]
    guesses = []
    for whole_width, whole_height in _frames(given):
        for wide, high in ((width, height), (right - left, bottom - top)):
            across, down = wide / whole_width, high / whole_height
            guesses += [given.unit_px * across, given.unit_px * down]
            if max(across / down, down / across) <= config.most_stretch:
                ratios.append(across / down)
    # What was cut close around a chain is as large as it was given.
    most = max(config.most_scale * max(guesses), config.scale_step * given.unit_px)
    low, high_ = config.least_scale * min(guesses), min(most, height, width)
    count = int(np.ceil(np.log(max(1.0, high_ / low)) / np.log(config.scale_step)))
    scales = [low * config.scale_step**step for step in range(count + 1)]
    kept: list[float] = []
    for ratio in ratios:
        if all(max(ratio / one, one / ratio) > config.same_ratio for one in kept):
            kept.append(ratio)
    for ratio in kept:
        yield from ((unit * ratio**0.5, unit / ratio**0.5) for unit in scales)


def _trimmed(picture: Pixels, config: ChainSearchConfig) -> tuple[int, int, int, int]:
    """The box of what is not a margin of the colour of the picture's corner."""
    low, high = (np.clip(picture[0, 0] + sign * config.trim_levels, 0, 255) for sign in (-1, 1))
    off = cv2.inRange(picture, low.astype(np.uint8), high.astype(np.uint8)) == 0
    rows, columns = np.flatnonzero(off.any(axis=1)), np.flatnonzero(off.any(axis=0))
    if not len(rows):
        return 0, 0, picture.shape[1], picture.shape[0]
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


def _at_size(
    picture: Pixels,
    shapes: Sequence[HingeShape],
    unit: tuple[float, float],
    count: int,
    config: ChainConfig,
    contrasts: Floats | None = None,
) -> list[ChainSighting]:
    """So many places: where chains score best, and where the one is that explains most with as good a score.

    Of pieces whose colours are known, less the ground's, (N, 3), these count, too.
    """
    search = config.search
    height, width = picture.shape[:2]
    scale = (search.unit_px / unit[0], search.unit_px / unit[1])
    if width * scale[0] * height * scale[1] > search.most_px or min(width * scale[0], height * scale[1]) < 2:
        return []
    size = (max(2, round(width * scale[0])), max(2, round(height * scale[1])))
    small = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    view = make_view(Pyramid(small), (search.unit_px, search.unit_px), None, config.view)
    maps = PieceMaps(view, search, config)
    fields: list[list[Field]] = []
    for number in range(len(shapes) - 1, -1, -1):
        shape = shapes[number]
        if contrasts is None:
            own = [maps.of(shape, turn) for turn in range(search.turns)]
        else:
            own = maps.colored(shape, contrasts[number])
        if fields:
            before, after = outline_of(shape), outline_of(shapes[number + 1])
            own = [one + _continued(fields[0], turn, before.right, -after.left, search) for turn, one in enumerate(own)]
        fields.insert(0, own)
    # A chain may be turned as a whole; but one that is upright comes first.
    field = np.stack([one - search.turned * len(shapes) * (turn > 0) for turn, one in enumerate(fields[0])])
    found: list[tuple[float, ChainSighting]] = []
    near = round(search.same_place * search.unit_px)
    painted = view.paint > config.scan.tolerance
    for _ in range(search.traced):
        turn, y, x = (int(at) for at in np.unravel_index(int(field.argmax()), field.shape))
        poses = _traced(fields, shapes, turn, x, y, search)
        placed = tuple(
            ((px + 0.5) / scale[0], (py + 0.5) / scale[1], at * FULL_TURN / search.turns) for px, py, at in poses
        )
        score = float(field[turn, y, x]) / len(shapes)
        explained = score + search.explaining * _explained(painted, shapes, poses, search)
        found.append((explained, ChainSighting(unit, placed, score)))
        # Each of the best chains that begin nearly there would begin with the same piece.
        field[:, max(0, y - near // 2) : y + near // 2 + 1, max(0, x - near // 2) : x + near // 2 + 1] = -1
    kept: list[ChainSighting] = []
    scored = [one for _, one in found]
    explaining = [one for _, one in sorted(found, key=lambda one: -one[0])]
    ranked = (*scored[:1], *explaining[:2], *scored[1:]) if count > search.each else scored
    least = search.same_place if count <= search.each else search.same_place / 2  # not a threshold: more are kept
    for one in ranked:
        apart = [math.dist(one.poses[0][:2], other.poses[0][:2]) / max(unit) for other in kept]
        if len(kept) < count and all(away > least for away in apart):
            kept.append(one)
    return kept


def _explained(
    painted: NDArray[np.bool_],
    shapes: Sequence[HingeShape],
    poses: Sequence[tuple[int, int, int]],
    search: ChainSearchConfig,
) -> float:
    """How much of the area of pieces lies on paint, where no two share any: pieces on one another explain little."""
    covered, whole = np.zeros(painted.shape, np.uint8), 0.0
    for shape, (x, y, turn) in zip(shapes, poses, strict=True):
        pose = np.array([x + 0.5, y + 0.5, turn * FULL_TURN / search.turns])  # not a threshold: the middle of a pixel
        corners = corners_of(shape, pose, search.unit_px)
        whole += float(cv2.contourArea(corners.astype(np.float32)))
        fixed = np.rint((corners - 0.5) * (1 << _FIXED)).astype(np.int32)
        cv2.fillConvexPoly(covered, fixed, 1, shift=_FIXED)
    return float(np.count_nonzero(painted & (covered > 0))) / whole


def _traced(
    fields: Sequence[Sequence[Field]],
    shapes: Sequence[HingeShape],
    turn: int,
    x: int,
    y: int,
    search: ChainSearchConfig,
) -> list[tuple[int, int, int]]:
    """The best chain from a first piece on: of each piece the place in pixels, and the angle in steps."""
    poses = [(x, y, turn)]
    for number in range(1, len(shapes)):
        before, after = outline_of(shapes[number - 1]), outline_of(shapes[number])
        options = []
        for at in range(search.turns):
            across, down = _offset(turn, at, before.right, -after.left, search)
            field = fields[number][at]
            inside = 0 <= y + down < field.shape[0] and 0 <= x + across < field.shape[1]
            value = float(field[y + down, x + across]) if inside else -1.0
            value -= search.folded_back * _is_back(turn, at, search)
            options.append((value, -at, x + across, y + down))
        _, negative, x, y = max(options)
        turn = -negative
        poses.append((x, y, turn))
    return poses


def _continued(fields: Sequence[Field], turn: int, reach: float, on: float, search: ChainSearchConfig) -> Field:
    """The best of all angles of the next piece, at the centre of the piece before; -1 where none is in the picture."""
    best = np.full_like(fields[0], _BEYOND)
    height, width = best.shape
    for at, field in enumerate(fields):
        x, y = _offset(turn, at, reach, on, search)
        if abs(x) >= width or abs(y) >= height:
            continue
        here = best[max(0, -y) : height - max(0, y), max(0, -x) : width - max(0, x)]
        there = field[max(0, y) : height - max(0, -y), max(0, x) : width - max(0, -x)]
        if _is_back(turn, at, search):
            there = there - np.float32(search.folded_back)
        np.maximum(here, there, out=here)
    return best


def _is_back(turn: int, next_turn: int, search: ChainSearchConfig) -> bool:
    """Whether a piece lies back on the one before it, so that it shows the same edges and paint."""
    return (next_turn - turn) % search.turns == search.turns // 2


def _offset(turn: int, next_turn: int, reach: float, on: float, search: ChainSearchConfig) -> tuple[int, int]:
    """From a piece's centre over the hinge to the centre of the next, in pixels to the right and down."""
    angles = (turn * FULL_TURN / search.turns, next_turn * FULL_TURN / search.turns)
    across = reach * np.cos(angles[0]) + on * np.cos(angles[1])
    down = -(reach * np.sin(angles[0]) + on * np.sin(angles[1]))
    return round(float(across) * search.unit_px), round(float(down) * search.unit_px)
