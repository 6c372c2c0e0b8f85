"""From a clip of a maze to what moved in it. The clip is streamed: one frame at a time, and none is kept.

Frames come aligned, in the frame of a `MotionScene`. The answer is not looked at.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.maze.clips.blobs import BlobFinder
from detectors.maze.clips.config import ClipConfig, SpellConfig
from detectors.maze.clips.findings import Change, MotionFindings, Sight
from detectors.maze.clips.reading import FrameInk, FrameReader, MazeFrameReading
from detectors.maze.clips.scene import MotionScene
from grader.media.changes import Box, grown
from grader.media.frames import Frame


@dataclass
class _Spell:
    """Frames, one after the other, in which something was changed."""

    first: int
    first_s: float
    last: int
    last_s: float
    frames: int = 1

    @property
    def shown_s(self) -> float:
        """For how long it is shown: the last frame too, for as long as the others."""
        # not a threshold: digits of a rounded time
        return round((self.last_s - self.first_s) * self.frames / max(1, self.frames - 1), 6)


@dataclass
class _Spells:
    """Gathers spells of changes, each by a key."""

    config: SpellConfig
    open: dict[int, _Spell] = field(default_factory=dict)
    closed: list[tuple[int, _Spell]] = field(default_factory=list)

    def note(self, frame: Frame, keys: Iterable[int]) -> None:
        now = set(keys)
        for key in sorted(now):
            spell = self.open.get(key)
            if spell is None:
                self.open[key] = _Spell(frame.index, frame.time_s, frame.index, frame.time_s)
            else:
                spell.last, spell.last_s, spell.frames = frame.index, frame.time_s, spell.frames + 1
        for key in sorted(set(self.open) - now):
            spell = self.open.pop(key)
            if spell.frames > 1 or len(self.closed) < self.config.flickers:
                self.closed.append((key, spell))

    def lasting(self) -> list[tuple[int, _Spell]]:
        """Those that last, by key and time."""
        every = self.closed + sorted(self.open.items())
        lasting = [
            (key, spell)
            for key, spell in every
            if spell.frames >= self.config.lasting_frames and spell.shown_s >= self.config.lasting_s
        ]
        return sorted(lasting, key=lambda one: (one[1].first, one[0]))


class MotionReader:
    """Reads frames one by one.

    Parameters
    ----------
    scene : MotionScene
        Of the puzzle.
    config : ClipConfig
    """

    def __init__(self, scene: MotionScene, config: ClipConfig) -> None:
        width, height = scene.size
        self._scene, self._config = scene, config.spells
        self._reader = FrameReader(scene, config.frame)
        self._blobs = BlobFinder(scene.factor, config.blobs)
        self._ever = np.zeros((height, width), np.uint8)
        self._final = np.zeros((height, width), np.uint8)
        self._arrival = np.full((height, width), -1, np.int32)
        self._most_area, self._most_index, self._most_ink = -1.0, -1, self._final
        self._most_arrival = self._arrival.copy()
        self._here = np.zeros((height, width), np.uint8)
        self._absent = np.full((height, width), 255, np.uint8)
        self._one = np.ones((height, width), np.uint8)
        self._kept: NDArray[np.uint8] | None = None
        self._still = 0
        self._sights: list[Sight] = []
        self._walls, self._markers, self._scenes = (_Spells(config.spells) for _ in range(3))
        self._first: NDArray[np.uint8] | None = None
        self._background: NDArray[np.uint8] | None = None
        self._fidelity: list[float] = []
        self._measured: MazeFrameReading | None = None
        self._same: float | None = None

    def add(self, frame: Frame, changed: tuple[Box, ...] | None = None) -> Sight:
        """Reads the next frame, whose pixels are aligned and of the scene's size.

        Parameters
        ----------
        frame : Frame
        changed : tuple of Box, optional
            Parts that hold all in which it differs from the frame before, where that is known.
        """
        view = frame.pixels
        reading = self._reader.read(view, changed)
        self._measure(reading)
        walls_lost = reading.borders_gone.size > self._config.scene_walls * max(1, len(self._scene.borders))
        other = walls_lost or reading.ink.share > self._config.scene_ink
        self._scenes.note(frame, [0] if other else [])
        self._walls.note(frame, [] if other else reading.borders_gone.tolist())
        self._markers.note(frame, [] if other else reading.markers_gone)
        blobs, area = self._blobs.find(view, reading.ink)
        fresh = None
        if not other:
            fresh = self._keep(frame.index, reading.ink.mask)
            if area > self._most_area:
                self._most_area, self._most_index, self._most_ink = area, frame.index, reading.ink.mask
                np.copyto(self._most_arrival, self._arrival)
        self._final = reading.ink.mask
        sight = Sight(frame.index, frame.time_s, area, () if other else blobs, fresh, other)
        self._sights.append(sight)
        return sight

    def findings(self) -> MotionFindings:
        """What was seen in all frames so far."""
        borders = self._scene.borders
        walls = self._walls.lasting()
        markers = self._markers.lasting()
        final = self._final > 0
        return MotionFindings(
            factor=self._scene.factor,
            sights=tuple(self._sights),
            ever=self._ever > 0,
            final=final,
            arrival=np.where(final, self._arrival, -1),
            most_area=max(0.0, self._most_area),
            most_index=self._most_index,
            most_arrival=np.where(self._most_ink > 0, self._most_arrival, -1),
            walls_gone=tuple(_change(spell, (borders[key],), ()) for key, spell in walls),
            markers_gone=tuple(_change(spell, (), (key,)) for key, spell in markers),
            scenes=tuple(_change(spell, (), ()) for _, spell in self._scenes.lasting()),
            fidelity=sum(self._fidelity) / len(self._fidelity) if self._fidelity else None,
        )

    def _keep(self, index: int, ink: NDArray[np.uint8]) -> tuple[float, float] | None:
        """Notes where ink came, and forgets where it was taken away; the middle of what came, in puzzle pixels."""
        # Where ink stands still for long nothing comes and nothing counts as taken away any more.
        self._still = self._still + 1 if ink is self._kept else 0
        self._kept = ink
        if self._still > self._config.absent_frames:
            return None
        self._ever |= ink
        # 255 beyond ink, 0 on it.
        beyond = np.subtract(ink, self._one)
        cv2.add(self._absent, self._one, dst=self._absent)
        cv2.bitwise_and(self._absent, beyond, dst=self._absent)
        fresh = np.asarray(cv2.bitwise_and(ink, cv2.subtract(self._one, self._here)), np.uint8)
        left, top, width, height = cv2.boundingRect(fresh)
        box = (slice(top, top + height), slice(left, left + width))
        came = fresh[box]
        self._arrival[box][came > 0] = index
        self._here |= fresh
        long_absent = cv2.inRange(self._absent, self._config.absent_frames, self._config.absent_frames)
        taken = np.asarray(cv2.bitwise_and(long_absent, self._here), np.uint8)
        if cv2.countNonZero(taken):
            self._arrival[taken > 0] = -1
            self._here ^= taken
        at = cv2.findNonZero(came) if width else None
        if at is None or len(at) < self._config.fresh * self._scene.speck_px:
            return None
        x, y = _middle(np.asarray(at, np.int32).reshape(-1, 2))
        return (x + left + 0.5) * self._scene.factor, (y + top + 0.5) * self._scene.factor

    def _measure(self, reading: MazeFrameReading) -> None:
        """The share of the background that stays as in the first frame; ink and markers do not count."""
        if self._first is None or self._background is None:
            free = _beside(reading.ink, np.ones_like(reading.ink.mask), self._config)
            for mask, box in self._scene.markers:
                free[box] &= 1 - mask.view(np.uint8)
            self._first, self._background = reading.grey.copy(), free
            return
        if reading is not self._measured:
            self._measured = reading
            free = _beside(reading.ink, self._background, self._config)
            count = cv2.countNonZero(free)
            off = cv2.absdiff(reading.grey, self._first)
            same = cv2.bitwise_and(cv2.threshold(off, self._config.alike, 1, cv2.THRESH_BINARY_INV)[1], free)
            self._same = cv2.countNonZero(same) / count if count else None
        if self._same is not None:
            self._fidelity.append(self._same)


def _middle(points: NDArray[np.int32]) -> tuple[float, float]:
    """The median of x and of y of (n, 2) points."""
    ordered = np.sort(points, axis=0)
    x, y = ((ordered[(len(points) - 1) // 2] + ordered[len(points) // 2]) / 2.0).tolist()
    return x, y


def _beside(ink: FrameInk, free: NDArray[np.uint8], config: SpellConfig) -> NDArray[np.uint8]:
    """What is free of a mask of 1 and 0, off the square around each pixel of ink."""
    free = free.copy()
    rows, columns = ink.labels.shape
    if rows:
        left, top = ink.origin
        box = grown((slice(top, top + rows), slice(left, left + columns)), config.beside_px // 2, free.shape)
        around = np.ones((config.beside_px, config.beside_px), np.uint8)
        free[box] &= 1 - np.asarray(cv2.dilate(ink.mask[box], around), np.uint8)
    return free


def read_motion(frames: Iterable[Frame], scene: MotionScene, config: ClipConfig) -> MotionFindings:
    """Reads a clip whose frames are aligned and of the scene's size.

    Parameters
    ----------
    frames : iterable of Frame
        In order; each is looked at once.
    scene : MotionScene
    config : ClipConfig
    """
    reader = MotionReader(scene, config)
    for frame in frames:
        reader.add(frame)
    return reader.findings()


def _change(spell: _Spell, borders: tuple[tuple[int, int], ...], markers: tuple[int, ...]) -> Change:
    return Change(spell.first, spell.last, spell.first_s, spell.last_s, borders, markers)
