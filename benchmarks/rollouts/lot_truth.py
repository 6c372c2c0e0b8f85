"""What a script's motion shows, measured on its poses: overlaps, jumps, motion off the axes, several at once."""

from __future__ import annotations

import math

from benchmarks.rollouts.lot_scripts import LotScript, outline
from puzzles.rush_hour.contact import overlap_depth
from puzzles.rush_hour.lot import Obstacle, Vehicle
from puzzles.rush_hour.motion import Slide

_STILL = 1e-9


def deepest_overlap(script: LotScript, fps: float = 48.0) -> float:
    """How deep two vehicles, or a vehicle and an obstacle, overlap at most in a script's motion; not above 0 if never.

    It is looked at in so many frames a second; only those in which something moves cost time.
    """
    lot, line = script.lot, script.timeline
    fixed = [(obstacle.outline(), obstacle.pose, _reach(obstacle)) for obstacle in lot.obstacles]
    deepest, seen = -math.inf, None
    for frame in range(math.ceil(line.duration_s * fps) + 1):
        poses = line.poses(frame / fps)
        if poses == seen:
            continue
        seen = poses
        bodies = [
            (outline(vehicle, pose), pose, _reach(vehicle)) for vehicle, pose in zip(lot.vehicles, poses, strict=True)
        ]
        for place, (mine, at, reach) in enumerate(bodies):
            for other, there, its_reach in (*bodies[place + 1 :], *fixed):
                if math.dist((at.x, at.y), (there.x, there.y)) < reach + its_reach:
                    deepest = max(deepest, overlap_depth(mine, other))
    return deepest


def _reach(body: Vehicle | Obstacle) -> float:
    """How far a body's corners are from its middle."""
    return math.hypot(body.length, body.width) / 2


def jumps(script: LotScript) -> list[Slide]:
    """The slides that take no time and go somewhere."""
    return [slide for slide in script.timeline.slides if slide.start_s == slide.end_s and _length(slide) > _STILL]


def farthest_off_axis(script: LotScript) -> float:
    """How far a vehicle gets from the line of its axis at most, in units of the lot."""
    far = 0.0
    for slide in script.timeline.slides:
        vehicle = script.lot.vehicles[slide.vehicle]
        for pose in (slide.start, slide.end):
            dx, dy = pose.x - vehicle.pose.x, pose.y - vehicle.pose.y
            far = max(far, abs(dy * vehicle.axis[0] - dx * vehicle.axis[1]))
    return far


def largest_turn(script: LotScript) -> float:
    """How far a vehicle turns from its first angle at most, in radians."""
    turns = [
        abs(pose.theta - script.lot.vehicles[slide.vehicle].pose.theta)
        for slide in script.timeline.slides
        for pose in (slide.start, slide.end)
    ]
    return max(turns, default=0.0)


def time_together(script: LotScript) -> float:
    """For how long two vehicles move at once, in seconds; each pair counts."""
    slides = [slide for slide in script.timeline.slides if _length(slide) > _STILL]
    return sum(
        max(0.0, min(one.end_s, other.end_s) - max(one.start_s, other.start_s))
        for place, one in enumerate(slides)
        for other in slides[place + 1 :]
        if one.vehicle != other.vehicle
    )


def red_at_exit(script: LotScript, fps: float = 48.0) -> float | None:
    """The first time at which the red car's box reaches an exit's side, or ``None``; the lot's own exits count."""
    lot, line = script.lot, script.timeline
    red = lot.vehicles.index(lot.red)
    for frame in range(math.ceil(line.duration_s * fps) + 1):
        pose = line.poses(frame / fps)[red]
        corners = outline(lot.red, pose)
        for opening in lot.exits:
            side = opening.side.value
            across = [y for _, y in corners] if side in ("bottom", "top") else [x for x, _ in corners]
            middle = pose.x if side in ("bottom", "top") else pose.y
            size = lot.height if side in ("bottom", "top") else lot.width
            gap = min(across) if side in ("left", "bottom") else size - max(across)
            if gap <= 1e-3 and opening.start <= middle <= opening.end:
                return frame / fps
    return None


def _length(slide: Slide) -> float:
    return math.dist((slide.start.x, slide.start.y), (slide.end.x, slide.end.y)) + abs(
        slide.end.theta - slide.start.theta
    )
