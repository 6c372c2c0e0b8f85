"""From a clip or a picture of a parking lot to what it shows: vehicles, scene, events. The solution is not looked at.

Frames are read once, in order, and not kept. All is measured in a small picture of the lot.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, replace

import cv2
import numpy as np

from detectors.rush_hour.colors import ColorClasses, Labels, LotPalette, color_gap, read_palette
from detectors.rush_hour.config import LOT_CONFIG, LotConfig
from detectors.rush_hour.events import EventFinder, LotReading, steady, trembling
from detectors.rush_hour.findings import Floats, FrameBox, LotFindings, LotFit
from detectors.rush_hour.place import LotBorder, Picture, find_border, hex_lab
from detectors.rush_hour.remainder.finding import LotLook, LotRemainderFinder
from detectors.rush_hour.scene import SceneReader
from detectors.rush_hour.tracks import VehicleFollower
from detectors.rush_hour.vehicles import VehicleShape, measure
from detectors.rush_hour.view import BorderFollower, CameraView, first_view
from grader.media.frames import Frame
from puzzles.rush_hour.lot import Lot, Pose


def find_lot(frames: Iterable[Frame], lot: Lot, config: LotConfig = LOT_CONFIG) -> LotFindings:
    """Reads a clip.

    Parameters
    ----------
    frames
        The frames in order. A frame of another size than the first is brought to that size.
    lot
        The puzzle: its layout, with vehicles, obstacles and exits at their first places.
    config
        The settings.

    Raises
    ------
    ValueError
        If there is no frame.
    """
    reader: _ClipReader | None = None
    times: list[float] = []
    fit = LotFit(False, 0.0, 0.0, (), None)
    for frame in frames:
        if not times:
            reader, fit = _begin(frame, lot, config)
        elif reader is not None:
            reader.read(frame.pixels, frame.time_s)
        times.append(frame.time_s)
    if not times:
        raise ValueError("the clip has no frame")
    times_s = np.array(times, np.float64)
    if reader is None:
        # not a threshold: six numbers tell where a camera is
        return LotFindings(times_s, fit, (), np.zeros((len(times), 6)), (), 0.0)
    return reader.findings(times_s, fit)


def _begin(frame: Frame, lot: Lot, config: LotConfig) -> tuple[_ClipReader | None, LotFit]:
    pixels = frame.pixels
    border = find_border(pixels, lot, config)
    if border is None:
        return None, LotFit(False, 0.0, 0.0, tuple(v.label for v in lot.vehicles), None)
    view = first_view(border, lot, pixels.shape, config.view)
    picture = view.small(pixels)
    palette = read_palette(picture, view, lot, config)
    classes = ColorClasses(palette, config)
    labels = classes.classes(picture)
    fit = _fit(labels, view, border, lot, classes, palette, config)
    if not fit.is_the_puzzle:
        return None, fit
    scene = SceneReader(labels, view, lot, palette, config)
    vehicles = VehicleFollower(lot, palette, classes, config)
    return _ClipReader(pixels.shape, picture, frame.time_s, view, vehicles, scene, palette, lot, config), fit


def _fit(
    labels: Labels, view: CameraView, border: LotBorder, lot: Lot, classes: ColorClasses, palette: LotPalette,
    config: LotConfig,
) -> LotFit:  # fmt: skip
    """Tells how many vehicles stand where they should, in the stated colours."""
    misplaced, first = [], config.first
    for place, vehicle in enumerate(lot.vehicles):
        expected = vehicle.pose
        stated = color_gap(palette.vehicles[place], hex_lab(vehicle.color), config) <= config.colors.stated
        shape, own = VehicleShape(vehicle, config.vehicles.shape), classes.alike[place]
        found = measure(labels, view, shape, expected, own, first.place_tolerance, config.vehicles)
        right = found is not None and (
            math.hypot(found.place.x - expected.x, found.place.y - expected.y) <= first.place_tolerance
            and abs(math.remainder(found.place.theta - expected.theta, math.pi)) <= first.turn_tolerance
        )
        if not (stated and right):
            misplaced.append(vehicle.label)
    share = 1 - len(misplaced) / len(lot.vehicles)
    is_the_puzzle = share >= first.min_fit and lot.red.label not in misplaced
    box = FrameBox(
        max(0, round(border.left)), max(0, round(border.top)), max(0, round(border.right)), max(0, round(border.bottom))
    )
    return LotFit(is_the_puzzle, border.seen, share, tuple(misplaced), box)


@dataclass(frozen=True, eq=False)
class _Waiting:
    """A frame whose scene is not looked at yet: its time, picture, pixels' classes, view, border, and vehicles."""

    time_s: float
    picture: Picture
    labels: Labels
    view: CameraView
    border: float
    places: list[Pose]
    seen: list[bool]


class _ClipReader:
    """Reads the frames of one clip after its first one has been found right."""

    def __init__(
        self, shape: tuple[int, ...], picture: Picture, time_s: float, view: CameraView, vehicles: VehicleFollower,
        scene: SceneReader, palette: LotPalette, lot: Lot, config: LotConfig,
    ) -> None:  # fmt: skip
        self._lot, self._config, self._palette = lot, config, palette
        self._shape, self._view = shape, view
        self._border = BorderFollower(_light(picture), view, lot, config.follow)
        self._vehicles, self._scene = vehicles, scene
        self._readings: list[LotReading] = []
        self._waiting: deque[_Waiting | None] = deque()
        self._before = [(v.pose,) for v in lot.vehicles]
        self._camera: list[Floats] = []
        shapes = [VehicleShape(vehicle, config.vehicles.shape) for vehicle in lot.vehicles]
        self._finder = LotRemainderFinder(lot, config.remainder, shapes, clip=True)
        self._look: LotLook | None = None
        self._looked_s = -math.inf
        # The frame that was read last, where it was not looked at.
        self._unlooked: tuple[_Waiting, list[tuple[Pose, ...]]] | None = None
        self._read(picture, time_s, view, 1.0)

    def read(self, pixels: Picture, time_s: float) -> None:
        if pixels.shape != self._shape:
            size = (self._shape[1], self._shape[0])
            pixels = np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)
        picture = self._view.small(pixels)
        # It is compared with the picture that was read last, not with the one seen last, so slow changes add up.
        same = cv2.norm(picture, self._picture, cv2.NORM_INF) <= self._config.first.same_levels
        if self._vehicles.settled and same:
            self._vehicles.rest()
            self._waiting.append(None)
            self._camera.append(self._camera[-1])
            return
        view, seen = self._border.follow(_light(picture))
        self._read(picture, time_s, view, seen)

    def _read(self, picture: Picture, time_s: float, view: CameraView, seen: float) -> None:
        self._picture = picture
        labels = self._vehicles.follow(picture, view)
        self._waiting.append(_Waiting(time_s, picture, labels, view, seen, self._vehicles.places, self._vehicles.seen))
        self._camera.append(view.camera())
        self._look_at_scenes(all(self._vehicles.seen))

    def _look_at_scenes(self, every: bool) -> None:
        """Looks at the scene of the frames that wait until it is known where vehicles went from there.

        Between two sightings a vehicle's way is swept: what is seen there is a streak or a mixture of both.
        """
        least = 1 if every else 2 * self._config.events.lasting.blink_frames
        while len(self._waiting) > least:
            one = self._waiting.popleft()
            if one is None:
                self._rests()
                continue
            later = [after for after in self._waiting if after is not None]
            ways = []
            for place, at in enumerate(one.places):
                following = next((after.places[place] for after in later if after.seen[place]), None)
                ends = [at] if following is None else [at, following]
                ways.append((*self._before[place][-1:], *ends))
            scene = self._scene.read(one.labels, one.view, ways)
            self._unlooked = (one, ways)
            rules, empty = self._config.remainder, self._look is None or not self._look.things
            if one.time_s - self._looked_s >= (rules.every_s if empty else rules.again_s):
                self._look_again()
            self._readings.append(LotReading(scene, one.border, self._look))
            self._before = [(at,) for at in one.places]

    def _rests(self) -> None:
        """Takes a frame that looks like the one before, which is then looked at in any case."""
        if self._unlooked is not None:
            self._look_again()
            self._readings[-1] = replace(self._readings[-1], drawn=self._look)
        self._readings.append(self._readings[-1])

    def _look_again(self) -> None:
        """Looks for what is drawn over the frame that was read last, unless it shows nothing new."""
        if self._unlooked is None:
            return
        one, ways = self._unlooked
        self._unlooked, self._looked_s = None, one.time_s
        if one.border < self._config.events.change.border_kept or not all(one.seen):
            self._look = None
        elif self._look is None or self._look.things or self._finder.is_new(one.picture, one.view, ways):
            look = self._finder.find(one.picture, one.view, ways)
            self._look = look if look.units.mean() <= self._config.remainder.whole else None

    def findings(self, times_s: Floats, fit: LotFit) -> LotFindings:
        camera = np.array(self._camera)
        self._waiting.append(None)
        self._look_at_scenes(True)
        tracks = tuple(steady(track, self._config) for track in self._vehicles.tracks())
        # Discs, arrows and outlines displace what is measured of a vehicle, always by the same.
        tracks = tuple(
            replace(t, x=t.x - t.x[0] + v.pose.x, y=t.y - t.y[0] + v.pose.y, theta=t.theta - t.theta[0] + v.pose.theta)
            if v.label not in fit.misplaced
            else t
            for t, v in zip(tracks, self._lot.vehicles, strict=True)
        )
        finder = EventFinder(self._lot, self._palette, self._config, times_s, tracks, self._readings, camera)
        return LotFindings(times_s, fit, tracks, camera, finder.events(), trembling(tracks))


def _light(picture: Picture) -> Picture:
    """Returns the green channel, which is nearest to lightness and costs nothing."""
    return np.ascontiguousarray(picture[..., 1])
