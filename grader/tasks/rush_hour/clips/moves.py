"""From the tracks of vehicles to the list of moves that a clip shows, with what each one ran against."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from detectors.rush_hour.findings import Floats, LotFindings, VehicleTrack
from grader.metrics.trajectories import TrackMotion, find_motions
from grader.tasks.rush_hour.settings import RUSH_HOUR_SETTINGS, MoveConfig
from puzzles.rush_hour.contact import Polygon, rectangle, slide_to_edge, slide_to_polygon
from puzzles.rush_hour.lot import Lot, Side, Vehicle
from puzzles.rush_hour.rules import Direction, Move


@dataclass(frozen=True)
class LotMove:
    """A move as it is seen.

    Attributes
    ----------
    label, direction : the vehicle's, and along its axis or against it
    first, last : the last frame before the motion, and the one that ends it
    first_s, last_s : their times, in seconds
    distance : how far it goes, in units of the lot, at least 0
    gap : how far it could go on at its end, in units of the lot, at least 0
    pieces : of how many motions with rests between them it is made
    stops_short : whether one of its pieces ends away from all that it could touch
    beyond : how much farther it goes than it could by the rules, in units of the lot, at least 0
    """

    label: str
    direction: Direction
    first: int
    last: int
    first_s: float
    last_s: float
    distance: float
    gap: float
    pieces: int
    stops_short: bool
    beyond: float

    @property
    def move(self) -> Move:
        """The move by the rules."""
        return Move(self.label, self.direction)


def shown_moves(lot: Lot, found: LotFindings, config: MoveConfig = RUSH_HOUR_SETTINGS.moves) -> tuple[LotMove, ...]:
    """Returns the moves of a clip in the order in which they begin; at one time, in the lot's order.

    A vehicle that rests and goes on the same way makes one move, unless it rested at a contact and another vehicle
    moved meanwhile, which may have freed its way.
    """
    places = [along_axis(vehicle, track) for vehicle, track in zip(lot.vehicles, found.tracks, strict=True)]
    span = float(found.times_s[-1] - found.times_s[0])
    rate = (len(found.times_s) - 1) / span if span > 0 else 0.0
    pause = max(config.pause_frames, math.ceil(config.pause_s * rate))
    threshold = max(config.least, config.noise_factor * found.noise)
    pieces: list[tuple[int, LotMove]] = []
    for number, (vehicle, track) in enumerate(zip(lot.vehicles, found.tracks, strict=True)):
        motions = find_motions(places[number], track.seen, threshold, config.settled, pause)
        for motion in _without_trembling(list(motions), config):
            pieces.append((number, _piece(lot, vehicle, number, places, motion, found, config)))
    pieces.sort(key=lambda pair: (pair[1].first, pair[0]))
    return tuple(_merged([piece for _, piece in pieces], config))


def _without_trembling(motions: list[TrackMotion], config: MoveConfig) -> Iterator[TrackMotion]:
    """Yields motions, but not those from which a vehicle comes right back: its place was read a little wrongly."""
    place = 0
    while place < len(motions):
        one, following = motions[place], motions[place + 1 : place + 2]
        back = abs(one.distance) <= config.contact and any(
            abs(one.distance + other.distance) <= 2 * config.settled for other in following
        )
        if not back:
            yield one
        place += 2 if back else 1


def along_axis(vehicle: Vehicle, track: VehicleTrack) -> Floats:
    """Returns how far forward of its first place a vehicle is, (N,), in units of the lot."""
    return np.asarray((track.x - vehicle.pose.x) * vehicle.axis[0] + (track.y - vehicle.pose.y) * vehicle.axis[1])


def _piece(
    lot: Lot, vehicle: Vehicle, number: int, places: list[Floats], motion: TrackMotion, found: LotFindings,
    config: MoveConfig,
) -> LotMove:  # fmt: skip
    direction = Direction.FORWARD if motion.distance > 0 else Direction.BACKWARD
    gap = min(
        _gap(lot, number, [float(place[motion.last]) for place in places], direction, grown)
        for grown in (0.0, config.grown)
    )
    # Smaller ones, since a measured vehicle may graze by a hair what the true one passes.
    free = _gap(lot, number, [float(place[motion.first]) for place in places], direction, -config.shrunk)
    times = found.times_s
    return LotMove(
        vehicle.label, direction, motion.first, motion.last, float(times[motion.first]), float(times[motion.last]),
        abs(motion.distance), gap, 1, gap > config.contact, max(0.0, abs(motion.distance) - free),
    )  # fmt: skip


def _gap(lot: Lot, number: int, gone: list[float], direction: Direction, grown: float) -> float:
    """Returns how far a vehicle could go on, all standing on their axes and ``grown`` larger on each side."""
    vehicle = lot.vehicles[number]
    sign = 1.0 if direction is Direction.FORWARD else -1.0
    way = (sign * vehicle.axis[0], sign * vehicle.axis[1])
    own = _outline(vehicle, gone[number], grown)
    to_edge, _ = slide_to_edge(own, way, lot.width, lot.height)
    others = [
        *(_outline(other, gone[i], grown) for i, other in enumerate(lot.vehicles) if i != number),
        *(obstacle.outline() for obstacle in lot.obstacles),
    ]
    return min([to_edge, *(slide_to_polygon(own, way, other) for other in others)])


def _outline(vehicle: Vehicle, gone: float, grown: float) -> Polygon:
    x, y = vehicle.pose.x + gone * vehicle.axis[0], vehicle.pose.y + gone * vehicle.axis[1]
    return rectangle(x, y, vehicle.pose.theta, vehicle.length + 2 * grown, vehicle.width + 2 * grown)


def _merged(pieces: list[LotMove], config: MoveConfig) -> Iterator[LotMove]:
    """Yields moves by their beginnings, with pieces joined that are one move."""
    moves: list[LotMove] = []
    for piece in pieces:
        place = next((i for i in reversed(range(len(moves))) if moves[i].label == piece.label), None)
        before = moves[place] if place is not None else None
        if place is None or before is None or before.direction is not piece.direction:
            moves.append(piece)
            continue
        freed = before.gap <= config.contact and any(
            other.label != piece.label and other.last > before.last and other.first < piece.last for other in pieces
        )
        if freed:
            moves.append(piece)
            continue
        moves[place] = replace(
            before, last=piece.last, last_s=piece.last_s, distance=before.distance + piece.distance, gap=piece.gap,
            pieces=before.pieces + 1, stops_short=before.stops_short or piece.stops_short,
            beyond=max(before.beyond, piece.beyond),
        )  # fmt: skip
    yield from moves


def first_at_exit(lot: Lot, track: VehicleTrack, config: MoveConfig = RUSH_HOUR_SETTINGS.moves) -> int | None:
    """Returns the first frame in which the red car is seen at an exit, or on its way out through it."""
    red = lot.red
    cos, sin = np.abs(np.cos(track.theta)), np.abs(np.sin(track.theta))
    half_x, half_y = cos * red.length / 2 + sin * red.width / 2, sin * red.length / 2 + cos * red.width / 2
    at = np.zeros(len(track.x), bool)
    for opening in lot.exits:
        gap, along = {
            Side.LEFT: (track.x - half_x, track.y),
            Side.RIGHT: (lot.width - track.x - half_x, track.y),
            Side.BOTTOM: (track.y - half_y, track.x),
            Side.TOP: (lot.height - track.y - half_y, track.x),
        }[opening.side]
        beside = np.maximum(opening.start - along, along - opening.end)
        at |= (gap <= config.at_exit) & (beside <= config.beside_exit)
    frames = np.flatnonzero(at & track.seen)
    return int(frames[0]) if len(frames) else None
