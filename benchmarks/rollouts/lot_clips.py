"""From a script of rush hour to the frames of its clip."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from benchmarks.rollouts.looks import Disturbance, Look, disturbed_frame, ramp, shifted_color, wave
from benchmarks.rollouts.lot_scripts import Change, ExitChange, LotScript, Stranger
from puzzles.common.easing import frame_times
from puzzles.common.raster import Color, Picture
from puzzles.rush_hour.canvas import LotCanvas, Sprite
from puzzles.rush_hour.lot import Exit, Pose
from puzzles.rush_hour.render import sprites_of


def lot_frames(script: LotScript, look: Look, seed: int) -> Iterator[Picture]:
    """Yield a clip's frames, (H, W, 3) uint8 RGB; the same arguments give the same bytes."""
    scene = LotScene(script, look)
    for time in frame_times(script.timeline.duration_s, look.fps):
        yield disturbed_frame(scene.picture(time, seed), time, look.disturbance, seed, look.lot.margin)


class LotScene:
    """Draws a script; the canvas of the last exits is kept, since exits seldom change.

    Parameters
    ----------
    script
        What happens.
    look
        How it looks; what disturbs vehicles counts, what disturbs the whole picture does not.
    """

    def __init__(self, script: LotScript, look: Look) -> None:
        self._script = script
        self._look = look
        self._exits: tuple[Exit, ...] = script.lot.exits
        self._canvas = LotCanvas(script.lot, look.lot, look.size)
        then = script.then
        self._then = None if then is None else LotScene(then.script, look)

    def picture(self, time: float, seed: int) -> Picture:
        """Return the picture at a time in seconds."""
        then = self._script.then
        if then is None or self._then is None or time < then.start_s:
            return self._own(time, seed)
        if time >= then.end_s:
            return self._then.picture(time, seed)
        share = (time - then.start_s) / (then.end_s - then.start_s)
        if then.through_black:
            light = abs(1 - 2 * share)
            shown = self._own(time, seed) if share < 0.5 else self._then.picture(time, seed)
            dimmed: Picture = np.rint(shown * light).astype(np.uint8)
            return dimmed
        blend = self._own(time, seed) * (1 - share) + self._then.picture(time, seed) * share
        mixed: Picture = np.rint(blend).astype(np.uint8)
        return mixed

    def _own(self, time: float, seed: int) -> Picture:
        script, look = self._script, self._look
        exits = _exits(script.lot.exits, script.exits, time)
        if exits != self._exits:
            self._exits, self._canvas = exits, LotCanvas(script.lot, look.lot, look.size, exits)
        sprites = list(sprites_of(script.lot, script.timeline.poses(time), look.lot))
        for change in script.changes:
            if time >= change.start_s:
                sprites[change.vehicle] = _changed(sprites[change.vehicle], change, time)
        share_done = time / max(script.timeline.duration_s, 1e-9)
        drawn = list(_disturbed(sprites, time, share_done, look.disturbance, seed))
        if look.movers_on_top:
            began = {slide.vehicle: slide.start_s for slide in script.timeline.slides if 0 < slide.start_s <= time}
            order = sorted(range(len(drawn)), key=lambda number: began.get(number, 0.0))
            drawn = [drawn[number] for number in order]
        drawn += [_stranger(one, time, look) for one in script.strangers if one.start_s <= time < one.until_s]
        return self._canvas.draw(drawn)


def _exits(first: tuple[Exit, ...], changes: Sequence[ExitChange], time: float) -> tuple[Exit, ...]:
    exits = first
    for change in changes:
        if time >= change.end_s:
            exits = change.exits
        elif time >= change.start_s:
            share = (time - change.start_s) / (change.end_s - change.start_s)
            exits = tuple(
                Exit(a.side, a.start + (b.start - a.start) * share, a.end + (b.end - a.end) * share)
                for a, b in zip(exits, change.exits, strict=True)
            )
    return exits


def _changed(sprite: Sprite, change: Change, time: float) -> Sprite:
    share = 1.0 if time >= change.end_s else (time - change.start_s) / (change.end_s - change.start_s)
    scale = 1 + (change.scale - 1) * share
    return replace(
        sprite,
        opacity=1 + (change.opacity - 1) * share,
        length=sprite.length * scale,
        width=sprite.width * scale * (1 + (change.wide - 1) * share),
        color=sprite.color if change.color is None else _between(sprite.color, change.color, share),
        label=sprite.label if change.label is None or share < 0.5 else change.label,
    )


def _stranger(stranger: Stranger, time: float, look: Look) -> Sprite:
    vehicle, slide = stranger.vehicle, stranger.slide
    share = 1.0 if time >= stranger.end_s else (time - stranger.start_s) / (stranger.end_s - stranger.start_s)
    pose = vehicle.pose if slide is None else slide.at(time)
    forward = vehicle.axis[0] * math.cos(pose.theta) + vehicle.axis[1] * math.sin(pose.theta) > 0
    color = look.lot.color_of(vehicle.color)
    heading = 0.0 if forward else math.pi
    return Sprite(pose, vehicle.length, vehicle.width, color, vehicle.label, heading, opacity=share)


def _disturbed(sprites: Sequence[Sprite], time: float, done: float, what: Disturbance, seed: int) -> tuple[Sprite, ...]:
    share = ramp(time)
    if share == 0:
        return tuple(sprites)
    result = []
    for number, sprite in enumerate(sprites):
        # Each vehicle swings in its own time.
        phase = ((seed + 31 * number) % 101) / 101
        turn = math.radians(what.wobble_deg) * share * wave(time, 1.9, phase)
        pose = Pose(sprite.pose.x, sprite.pose.y, sprite.pose.theta + turn)
        hue, light = what.hue_deg * share * wave(time, 4.1, phase), what.brightness * share * wave(time, 3.3, phase)
        result.append(
            replace(
                sprite,
                pose=pose,
                length=sprite.length * (1 + what.wobble * share * wave(time, 1.3, phase)),
                width=sprite.width * (1 + what.wobble * share * wave(time, 1.7, phase)),
                color=shifted_color(sprite.color, hue, light) if what.hue_deg or what.brightness else sprite.color,
                label_opacity=sprite.label_opacity * (1 - what.melt * min(1.0, 1.2 * done) * share),
            )
        )
    return tuple(result)


def _between(color: Color, other: Color, share: float) -> Color:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(color, other, strict=True))
    return red, green, blue
