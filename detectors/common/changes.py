"""How the blocks of a clip change: something comes in, or in one jump, or one picture fades into another.

Nothing is assumed about what a clip shows. Each block of a grid, made small, is either still or changing. Between two
stillnesses that differ something has to have moved in: where nothing lies between them it is a jump, and where all that
lies between is a mixture of both it is a fade.
"""

from __future__ import annotations

import enum
import itertools
from collections.abc import Iterable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from grader.media.frames import Frame

Floats = NDArray[np.float32]
Pixels = NDArray[np.uint8]


@dataclass(frozen=True)
class BlockConfig:
    """When a block of a clip changes.

    Attributes
    ----------
    rows, columns : of blocks, in a picture
    side_px : a block is looked at with so many pixels a side
    by_parts : whether a block is still if each of its parts is, or in the mean; of flat pictures in which thin things
        move the mean tells little
    still, most_still : a mean difference of so many levels of 255 from one frame to the next is none; of noisy clips
        one up to the other
    noise_share, noise_factor : noise is what this share of all differences does not exceed, times so much
    least_change : two stillnesses differ if their mean difference is so many levels, or ``least_part``
    least_part : the largest difference of a part of ``part_px`` pixels a side, in levels
    part_px : in pixels of the small block
    least_still_s : what does not change for so long is a stillness, in seconds; one of two frames at least
    least_moved_s : what moves in takes longer than this, in seconds; what is faster is a jump
    most_unmixed : frames between two stillnesses are mixtures of them if at most so much is left of each, as a share of
        how the two differ, both squared
    most_kept : of so many stillnesses of the whole picture, the last ones, the frames are kept
    """

    rows: int = 2
    columns: int = 2
    side_px: int = 32
    by_parts: bool = False
    still: float = 1.5
    most_still: float = 3.5
    noise_share: float = 0.2
    noise_factor: float = 1.4
    least_change: float = 6.0
    least_part: float = 24.0
    part_px: int = 8
    least_still_s: float = 0.1
    least_moved_s: float = 0.09
    most_unmixed: float = 0.04
    most_kept: int = 8


class ChangeKind(enum.Enum):
    """How a block changes."""

    MOVED = enum.auto()
    """Something comes in, or goes."""
    JUMPED = enum.auto()
    """From one frame to the next."""
    FADED = enum.auto()
    """One picture fades into another."""


@dataclass(frozen=True)
class BlockChange:
    """A change of a block between two stillnesses.

    Attributes
    ----------
    block : 0 top left, then along each row; of four 1 top right, 2 bottom left, 3 bottom right
    kind : how
    first_frame, last_frame : the last frame of the one stillness and the first of the other
    first_time_s, last_time_s : their times in seconds
    """

    block: int
    kind: ChangeKind
    first_frame: int
    last_frame: int
    first_time_s: float
    last_time_s: float


@dataclass(frozen=True, eq=False)
class ClipSeen:
    """What of a clip is looked at closely.

    Attributes
    ----------
    changes : of all blocks, in the order of their ends
    first, last : the first and the last frame
    rests : frames at which all blocks are still and something has changed since the one before, without the last
    count : number of frames
    """

    changes: tuple[BlockChange, ...]
    first: Frame
    last: Frame
    rests: tuple[Frame, ...]
    count: int


def see_clip(frames: Iterable[Frame], config: BlockConfig) -> ClipSeen:
    """Goes through a clip once.

    Parameters
    ----------
    frames : iterable of Frame
        At least one.
    config : BlockConfig

    Raises
    ------
    ValueError
        If there is no frame.
    """
    smalls: list[Floats] = []
    steps: list[Floats] = []
    times: list[float] = []
    first: Frame | None = None
    last: Frame | None = None
    rests: list[Frame] = []
    fresh = True
    for frame in frames:
        kept = replace(frame, pixels=frame.pixels)
        small = _small(frame.pixels, config)
        if smalls:
            steps.append(_step(small, smalls[-1], config))
            still = float(steps[-1].max()) <= config.most_still
            if still and fresh and last is not None:
                rests = [*rests, last][-config.most_kept :]
            fresh = not still
        first = first or kept
        last = kept
        smalls.append(small)
        times.append(frame.time_s)
    if first is None or last is None:
        raise ValueError("a clip has at least one frame")
    stack = np.stack(smalls)
    taken = np.array(steps, np.float32).reshape(-1, stack.shape[1])
    config = replace(config, still=_stillness(taken, config))
    changes = [
        change
        for block in range(stack.shape[1])
        for change in _changes(block, stack[:, block], taken[:, block], times, config)
    ]
    return ClipSeen(
        tuple(sorted(changes, key=lambda one: (one.last_frame, one.block))), first, last, tuple(rests), len(times)
    )


def _step(one: Floats, other: Floats, config: BlockConfig) -> Floats:
    """How much each block of two frames differs."""
    off = np.abs(one - other).mean(axis=-1)
    if not config.by_parts:
        return np.asarray(off.mean(axis=(1, 2)))
    return np.array([cv2.blur(block, (config.part_px, config.part_px)).max() for block in off])


def _stillness(steps: Floats, config: BlockConfig) -> float:
    """Up to which difference of two frames, (frames - 1, blocks), nothing changes: above a clip's own noise."""
    noise = config.noise_factor * float(np.quantile(steps, config.noise_share)) if len(steps) else 0.0
    return min(config.most_still, max(config.still, noise))


def _small(picture: Pixels, config: BlockConfig) -> Floats:
    """The blocks, (rows * columns, side, side, 3)."""
    side, rows, columns = config.side_px, config.rows, config.columns
    whole = cv2.resize(picture, (columns * side, rows * side), interpolation=cv2.INTER_AREA).astype(np.float32)
    return whole.reshape(rows, side, columns, side, 3).swapaxes(1, 2).reshape(-1, side, side, 3)


def _changes(block: int, small: Floats, steps: Floats, times: list[float], config: BlockConfig) -> list[BlockChange]:
    """The changes of a block, (frames, side, side, 3), of which it is known how much each frame differs."""
    runs = _still_runs(steps, times, config)
    found = [
        BlockChange(block, ChangeKind.FADED, start, end, times[start], times[end])
        for start, end in runs
        # So slowly that no step is seen; and not in light alone.
        if any(_differ(one, _lit_as(two, one), config) for one, two in itertools.permutations(small[[start, end]]))
    ]
    for (_, end), (start, _) in itertools.pairwise(runs):
        if not _differ(small[end], small[start], config):
            continue
        between = small[end + 1 : start]
        if len(between) and all(_is_mixed(one, small[end], small[start], config) for one in between):
            kind = ChangeKind.FADED
        elif not len(between) or times[start] - times[end] <= config.least_moved_s:
            kind = ChangeKind.JUMPED
        else:
            kind = ChangeKind.MOVED
        found.append(BlockChange(block, kind, end, start, times[end], times[start]))
    return found


def _still_runs(steps: Floats, times: list[float], config: BlockConfig) -> list[tuple[int, int]]:
    """First and last frames of what does not change for long enough; the first and the last frame are always in one."""
    count = len(times)
    runs: list[tuple[int, int]] = []
    start = 0
    for frame in range(1, count + 1):
        if frame < count and steps[frame - 1] <= config.still:
            continue
        end = frame - 1
        long = end > start and times[end] - times[start] >= config.least_still_s
        if long or start == 0 or end == count - 1:
            runs.append((start, end))
        start = frame
    return runs


def _differ(one: Floats, other: Floats, config: BlockConfig) -> bool:
    off = np.abs(one - other).mean(axis=2)
    part = cv2.blur(off, (config.part_px, config.part_px))
    return float(off.mean()) >= config.least_change or float(part.max()) >= config.least_part


def _lit_as(picture: Floats, other: Floats) -> Floats:
    """A picture with the means and deviations of another's channels: light that changes is no fade."""
    mean, deviation = (np.asarray(of(picture, axis=(0, 1))) for of in (np.mean, np.std))
    lit = (picture - mean) * (other.std(axis=(0, 1)) / np.maximum(deviation, 1)) + other.mean(axis=(0, 1))
    return np.asarray(lit, np.float32)


def _is_mixed(seen: Floats, one: Floats, other: Floats, config: BlockConfig) -> bool:
    """Whether a picture is a mixture of two others, with weights that add up to one."""
    change = (other - one).ravel().astype(np.float64)
    gone = (seen - one).ravel().astype(np.float64)
    energy = float(change @ change)
    left = gone - min(1.0, max(0.0, float(change @ gone) / energy)) * change
    return float(left @ left) <= config.most_unmixed * energy
