"""From what each frame shows of a lot to the events of the clip: what lasts counts, what flickers does not."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from detectors.rush_hour.colors import LotPalette, color_gap
from detectors.rush_hour.config import LotConfig
from detectors.rush_hour.findings import Flags, Floats, FrameBox, LotEvent, LotEventKind, VehicleTrack, camera_box
from detectors.rush_hour.remainder.finding import LotLook
from detectors.rush_hour.scene import SceneReading
from grader.media.frames import frames_lasting
from puzzles.rush_hour.lot import Lot

_BOX_REACH = 1.2  # not a threshold: how far around an obstacle its box is drawn, in units of the lot


@dataclass(frozen=True)
class LotReading:
    """What one frame shows besides vehicles: the scene, the share of the border that is seen, and what is drawn.

    The latter is what was seen when it was looked for last; None where it can't be told.
    """

    scene: SceneReading
    border: float
    drawn: LotLook | None = None


@dataclass(frozen=True)
class _Jump:
    place: int
    first: int  # last frame at the old place
    last: int  # first frame at the new one
    slow: bool  # whether the vehicle was missing in between


def steady(track: VehicleTrack, config: LotConfig) -> VehicleTrack:
    """Takes back sightings of a frame or two at another place from which the vehicle comes back."""
    jump, blink = config.events.jump, config.events.lasting.blink_frames
    x, y, theta, seen = track.x.copy(), track.y.copy(), track.theta.copy(), track.seen.copy()
    frame = 1
    while frame < len(x):
        if math.hypot(x[frame] - x[frame - 1], y[frame] - y[frame - 1]) < jump.least:
            frame += 1
            continue
        back = next(
            (
                later for later in range(frame + 1, min(frame + 1 + blink, len(x)))
                if math.hypot(x[later] - x[frame - 1], y[later] - y[frame - 1]) < jump.back * jump.least
            ),
            None,
        )  # fmt: skip
        if back is not None:
            for series in (x, y, theta):
                series[frame:back] = series[frame - 1]
            seen[frame:back] = False
            frame = back
        frame += 1
    return replace(track, x=x, y=y, theta=theta, seen=seen)


def trembling(tracks: tuple[VehicleTrack, ...]) -> float:
    """Returns how far the vehicle that trembles most goes across its axis from a frame to the next, in the median."""
    median = 0.0
    for track in tracks:
        # Across its first direction, where no slide moves it.
        ways = np.abs(np.diff(track.y) * math.cos(track.theta[0]) - np.diff(track.x) * math.sin(track.theta[0]))
        ways = ways[track.seen[1:] & track.seen[:-1]]
        median = max(median, float(np.median(ways))) if len(ways) else median
    return median


class EventFinder:
    """Finds the events of one clip.

    Parameters
    ----------
    lot, palette, config
        The lot, its colours in the first frame, the settings.
    times_s : (N,)
        When each frame is shown.
    tracks
        The vehicles' tracks, of N frames.
    readings
        N readings.
    camera : (N, 6)
        As `LotFindings.camera`.
    """

    def __init__(
        self, lot: Lot, palette: LotPalette, config: LotConfig, times_s: Floats, tracks: tuple[VehicleTrack, ...],
        readings: list[LotReading], camera: Floats,
    ) -> None:  # fmt: skip
        self._lot, self._palette, self._config, self._rules = lot, palette, config, config.events
        self._times, self._tracks, self._readings, self._camera = times_s, tracks, readings, camera
        span = float(times_s[-1] - times_s[0])
        self._rate = (len(times_s) - 1) / span if span > 0 else 0.0
        lasting = config.events.lasting
        self._patience = max(lasting.patience_frames, frames_lasting(lasting.patience_s, self._rate))
        self._together = max(lasting.blink_frames, frames_lasting(lasting.together_s, self._rate))
        self._blink = lasting.blink_frames

    def events(self) -> tuple[LotEvent, ...]:
        """Returns the events by first frame."""
        scene = [*self._exits(), *self._walls(), *self._foreign(), *self._drawn()]
        breaks = list(self._discontinuities(scene))
        others = [*scene, *self._turns(), *self._recolored()]
        fades = [event for event in breaks if event.kind is LotEventKind.CROSS_FADE]
        # What is seen while two pictures show through one another is part of the fade.
        found = breaks + [
            event for event in others
            if not any(f.first - self._blink <= event.first and event.last <= f.last + self._blink for f in fades)
        ]  # fmt: skip
        order = list(LotEventKind)
        return tuple(sorted(found, key=lambda event: (event.first, order.index(event.kind), event.label)))

    def _event(self, kind: LotEventKind, first: int, last: int, place: int | None = None) -> LotEvent:
        box = self._box(place, first) if place is not None else None
        label = self._lot.vehicles[place].label if place is not None else ""
        return LotEvent(kind, first, last, float(self._times[first]), float(self._times[last]), box, label)

    def _box(self, place: int, frame: int) -> FrameBox:
        track = self._tracks[place]
        return camera_box(self._camera[frame], float(track.x[frame]), float(track.y[frame]))

    def _lasting(self, flags: Flags, least: int | None = None) -> Iterator[tuple[int, int]]:
        """Yields the first and last frame of each run that lasts; holes of a frame or two are closed."""
        frames = np.flatnonzero(flags)
        parts = np.split(frames, np.flatnonzero(np.diff(frames) > self._blink + 1) + 1)
        for part in parts:
            if len(part) >= (least or self._patience):
                yield int(part[0]), int(part[-1])

    def _exits(self) -> Iterator[LotEvent]:
        scenes = [reading.scene for reading in self._readings]
        extra = np.array([scene.extra for scene in scenes]) >= self._rules.change.exit_run
        kept = np.array([min(scene.exits) for scene in scenes]) >= self._rules.change.exit_kept
        gone = list(self._lasting(~kept))
        for first, last in self._lasting(extra):
            if any(begin <= last + self._together and end >= first - self._together for begin, end in gone):
                continue  # an exit that goes and comes elsewhere has moved
            event = self._event(LotEventKind.EXTRA_EXIT, first, last)
            yield replace(event, box=scenes[first].extra_box)
        for first, last in gone:
            event = self._event(LotEventKind.EXIT_MOVED, first, last)
            shown = next((scene.extra_box for scene in scenes[first : last + 1] if scene.extra_box is not None), None)
            yield replace(event, box=shown)

    def _walls(self) -> Iterator[LotEvent]:
        for place, obstacle in enumerate(self._lot.obstacles):
            shares = np.array([reading.scene.obstacles[place] for reading in self._readings])
            for first, last in self._lasting(shares < self._rules.change.obstacle_kept):
                event = self._event(LotEventKind.WALLS_CHANGED, first, last)
                yield replace(event, box=camera_box(self._camera[first], obstacle.pose.x, obstacle.pose.y, _BOX_REACH))
        border = np.array([reading.border for reading in self._readings])
        for first, last in self._lasting(border < self._rules.change.border_kept):
            yield self._event(LotEventKind.WALLS_CHANGED, first, last)

    def _foreign(self) -> Iterator[LotEvent]:
        scenes = [reading.scene for reading in self._readings]
        areas, change = np.array([scene.foreign for scene in scenes]), self._rules.change
        for first, last in self._lasting(areas >= change.foreign_area):
            part = [scene for scene in scenes[first : last + 1] if scene.foreign >= change.foreign_area]
            like = 2 * sum(scene.like_vehicle for scene in part) > len(part)
            largest = max(part, key=lambda scene: scene.foreign)
            kind = LotEventKind.NEW_VEHICLE if like or largest.foreign < change.picture else LotEventKind.OVERLAY
            yield replace(self._event(kind, first, last), box=largest.foreign_box)
        strewn = np.array([scene.strewn for scene in scenes])
        for first, last in self._lasting(strewn - strewn[0] >= change.strewn):
            yield self._event(LotEventKind.OVERLAY, first, last)

    def _drawn(self) -> Iterator[LotEvent]:
        """Yields what is drawn over each vehicle, and over the rest of the lot, from where to where it lasts."""
        looks = [reading.drawn for reading in self._readings]
        least = max(self._patience, frames_lasting(self._config.remainder.lasting_s, self._rate))
        units = max((len(look.units) for look in looks if look), default=0)
        for label in sorted({one.label for look in looks if look for one in look.things}):
            things = [
                next((one for one in look.things if one.label == label), None) if look else None for look in looks
            ]
            places = np.array([[one is not None] for one in things])
            if not label:
                places = np.stack([look.units if look else np.zeros(units, bool) for look in looks])
            shown = places.T[places.any(axis=0)]
            runs = [run for flags in shown for run in self._lasting(flags, least)]
            if runs:
                first, last = min(run[0] for run in runs), max(run[1] for run in runs)
                box = next((one.box for one in things[first:] if one is not None), None)
                yield replace(self._event(LotEventKind.DRAWN, first, last), box=box, label=label)

    def _mixture(self, frame: int) -> tuple[int, int] | None:
        """Returns from which frame to which bodies show through that are not of this picture, and that go again.

        Only such a run counts as goes on or begins at the given frame; None if there is none.
        """
        scenes = [reading.scene for reading in self._readings]
        strewn = np.array([scene.strewn for scene in scenes])
        ghosts = np.array([scene.foreign for scene in scenes]) >= self._rules.change.foreign_area
        ghosts |= strewn - strewn[0] >= self._rules.change.strewn
        for first, last in self._lasting(ghosts):
            if first - self._blink <= frame <= last + self._blink and last < len(scenes) - 1 - self._blink:
                return first, last
        return None

    def _jumps(self, place: int) -> Iterator[_Jump]:
        track, jump = self._tracks[place], self._rules.jump
        # As it leaves the lot, less and less of a vehicle is in the picture.
        frames = np.flatnonzero(track.seen & (self._out(place) < self._config.tracks.left))
        frames, clock = self._without_repeats(track, frames)
        ways = np.hypot(np.diff(track.x[frames]), np.diff(track.y[frames]))
        spans = np.diff(clock)
        steps = ways / spans
        for i in np.flatnonzero(ways >= jump.least):
            around = [steps[k] for k in range(i - jump.window, i + jump.window + 1)
                      if k != i and 0 <= k < len(steps) and ways[k] < jump.longest_step]  # fmt: skip
            if spans[i] == 1 and ways[i] < jump.ratio * max(around, default=0.0):
                continue
            hidden = track.covered[frames[i] + 1 : frames[i + 1]] > self._config.vehicles.covered
            if spans[i] > 1 and hidden.mean() > 0.5 and steps[i] <= jump.under:
                continue
            # Unseen for a moment, it may have gone on as before.
            if spans[i] > 1 and ways[i] <= jump.unseen * spans[i] * max(around, default=0.0):
                continue
            yield _Jump(place, int(frames[i]), int(frames[i + 1]), bool(spans[i] > self._blink))

    def _without_repeats(
        self, track: VehicleTrack, frames: NDArray[np.intp]
    ) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Leaves out frames in which a vehicle on its way stands for a moment: doubled frames carry no speed.

        Returns the other frames, and their numbers without those that were left out.
        """
        rest = np.hypot(np.diff(track.x[frames]), np.diff(track.y[frames])) < self._config.vehicles.fit.fine
        repeats = np.zeros(len(frames), bool)
        still = np.flatnonzero(rest)
        for part in np.split(still, np.flatnonzero(np.diff(still) > 1) + 1):
            if len(part) and part[0] > 0 and part[-1] + 1 < len(rest) and len(part) <= self._blink:
                repeats[part + 1] = True
        return frames[~repeats], (frames - np.cumsum(repeats))[~repeats]

    def _out(self, place: int) -> Floats:
        """Returns how far a vehicle stands out of the lot, (N,), in units of the lot; negative inside."""
        track, vehicle = self._tracks[place], self._lot.vehicles[place]
        cos, sin = np.abs(np.cos(track.theta)), np.abs(np.sin(track.theta))
        wide = cos * vehicle.length / 2 + sin * vehicle.width / 2
        high = sin * vehicle.length / 2 + cos * vehicle.width / 2
        beside = np.maximum(wide - track.x, track.x + wide - self._lot.width)
        return np.asarray(np.maximum(beside, np.maximum(high - track.y, track.y + high - self._lot.height)))

    def _losses(self, place: int) -> Iterator[tuple[int, int]]:
        """Yields the runs of frames in which a vehicle is missing though nothing hides it and it has not left."""
        track = self._tracks[place]
        least = max(self._patience, frames_lasting(self._rules.lasting.gone_s, self._rate))
        bare = track.covered <= self._config.vehicles.covered
        yield from self._lasting(~track.seen & bare & (self._out(place) < self._config.tracks.left), least)

    def _discontinuities(self, scene: list[LotEvent]) -> Iterator[LotEvent]:
        """Yields jumps and losses: several at once, with the red car's, are a change of the whole scene."""
        places = range(len(self._tracks))
        jumps = [jump for place in places for jump in self._jumps(place)]
        losses = [(place, first, last) for place in places for first, last in self._losses(place)]
        red = self._lot.vehicles.index(self._lot.red)
        while jumps or losses:
            start = min([jump.first for jump in jumps] + [first for _, first, _ in losses])
            fade = self._mixture(start)
            until = max(start + 2 * self._together, -1 if fade is None else fade[1] + self._blink)
            now = [jump for jump in jumps if jump.first <= until]
            lost = [loss for loss in losses if loss[1] <= until]
            jumps, losses = [j for j in jumps if j not in now], [x for x in losses if x not in lost]
            jumped = {jump.place for jump in now}
            touched = jumped | {place for place, _, _ in lost}
            last = max([jump.last for jump in now] + [first for _, first, _ in lost])
            stays = min(len(self._times) - 1, last + self._together)
            altered = any(
                event.kind in (LotEventKind.EXIT_MOVED, LotEventKind.EXTRA_EXIT, LotEventKind.WALLS_CHANGED)
                and event.first <= until and event.last >= stays
                for event in scene
            )  # fmt: skip
            if fade is not None and jumped and not altered:
                yield self._event(LotEventKind.CROSS_FADE, min(start, fade[0]), max(last, fade[1]))
                continue
            whole = len(touched) == len(places) and len(touched) > 1
            if len(touched) > 1 and (altered or whole or (len(jumped) > 1 and red in touched)):
                kind = LotEventKind.HARD_CUT
                if altered or not jumped:
                    kind = LotEventKind.SCENE_REPLACED
                elif any(jump.slow for jump in now) or last - start > self._patience:
                    kind = LotEventKind.CROSS_FADE
                yield self._event(kind, start, last)
                continue
            for place in sorted(touched):
                mine = [jump for jump in now if jump.place == place]
                yield from (self._event(LotEventKind.TELEPORT, j.first, j.last, place) for j in mine)
                yield from (
                    self._event(LotEventKind.VEHICLE_VANISHED, first, last, place)
                    for other, first, last in lost
                    if other == place and not mine
                )

    def _turns(self) -> Iterator[LotEvent]:
        conduct = self._rules.conduct
        for place, (track, vehicle) in enumerate(zip(self._tracks, self._lot.vehicles, strict=True)):
            away = track.theta - vehicle.pose.theta
            turned = np.abs(away - np.pi * np.rint(away / np.pi)) > conduct.turned
            for first, last in self._lasting(track.seen & turned & (track.covered < conduct.bare)):
                yield self._event(LotEventKind.ROTATION, first, last, place)
            x, y = track.x - vehicle.pose.x, track.y - vehicle.pose.y
            across = np.abs(x * vehicle.axis[1] - y * vehicle.axis[0])
            for first, last in self._lasting(track.seen & (across > conduct.off_axis)):
                yield self._event(LotEventKind.SIDEWAYS, first, last, place)

    def _recolored(self) -> Iterator[LotEvent]:
        firsts, config, conduct = self._palette.vehicles, self._config, self._rules.conduct
        apart = color_gap(firsts[:, None, :], firsts[None, :, :], config) > config.colors.alike
        # (V, N, V): how far each vehicle's colour is, frame by frame, from each one's first colour.
        gaps = np.stack([color_gap(track.color[:, None, :], firsts[None, :, :], config) for track in self._tracks])
        for place, track in enumerate(self._tracks):
            own = gaps[place, :, place]
            swapped = np.zeros(len(own), bool)
            for other in np.flatnonzero(apart[place]):
                mine = gaps[place, :, other]
                # Drifting colours may come near another vehicle's; an exchange is all the way, or both ways.
                swap = conduct.swap_ratio
                both = (mine < swap * own) & (gaps[other, :, place] < swap * gaps[other, :, other])
                swapped |= (mine < conduct.taken_ratio * own) | both
            for first, last in self._lasting(track.seen & (own > conduct.recolored) & swapped):
                yield self._event(LotEventKind.IDENTITY_SWAP, first, last, place)
