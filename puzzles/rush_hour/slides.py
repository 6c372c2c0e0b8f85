"""All slides of a lot, prepared: where each vehicle can go from any state, for many states at once.

A vehicle stays on its axis, so a state is one number a vehicle: how far it has gone forward from its first pose.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from puzzles.rush_hour.contact import CONTACT_EPSILON, Floats, first_touch, slabs, slide_to_edge
from puzzles.rush_hour.lot import Lot, Pose, Side

Ints = NDArray[np.int64]

# How far from the exit's side the red car's box may end, in units of the lot.
EXIT_TOLERANCE = 1e-3
# States that differ by less, in units of the lot, are one. Rounding stays far below.
STATE_QUANTUM = 1e-6
_SLABS = 4  # what two rectangles have at most
_SLIDES_AT_ONCE = 8192  # so that arrays stay in the caches, and small for lots with many vehicles
_STEPS_KEPT = 4096
_SIDES = (Side.LEFT, Side.RIGHT, Side.BOTTOM, Side.TOP)


class StopKind(enum.Enum):
    """What a slide ended at."""

    EDGE = "edge"
    VEHICLE = "vehicle"
    OBSTACLE = "obstacle"


@dataclass(frozen=True)
class Stop:
    """What a slide ended at: its kind, and the name of the side, the vehicle's label or the obstacle's id."""

    kind: StopKind
    name: str


class SlideTable:
    """The slides of a lot.

    Moves are numbered: 2 i is forward and 2 i + 1 backward for the i-th movable vehicle in the lot's order. Bodies are
    numbered: vehicles, then obstacles, then the sides left, right, bottom, top.

    Parameters
    ----------
    lot
        The lot.
    margin
        By how much each side of each vehicle is moved outwards, in units of the lot; inwards if it is negative.

    Attributes
    ----------
    movable
        Places in ``lot.vehicles`` of the movable ones.
    moves
        How many moves there are.
    red_moves
        The numbers of the red car's moves; none if it cannot move.

    Raises
    ------
    ValueError
        If the margin is not finite, or leaves nothing of a vehicle.
    """

    def __init__(self, lot: Lot, margin: float = 0.0) -> None:
        if not math.isfinite(margin):
            raise ValueError(f"the margin must be finite, not {margin}")
        for vehicle in lot.vehicles:
            if 2 * margin + min(vehicle.length, vehicle.width) <= 0:
                raise ValueError(f"a margin of {margin:g} leaves nothing of vehicle {vehicle.label}")
        self._lot = lot
        self._margin = margin
        self.movable = tuple(place for place, vehicle in enumerate(lot.vehicles) if vehicle.movable)
        self.moves = 2 * len(self.movable)
        red = lot.vehicles.index(lot.red)
        self.red_moves = tuple(2 * i + back for i, place in enumerate(self.movable) if place == red for back in (0, 1))
        self._red = red
        self._own = np.repeat(np.array(self.movable, np.int64), 2)
        self._sign = np.tile([1.0, -1.0], len(self.movable))
        self._steps: dict[tuple[bytes, int], tuple[Floats, float, Stop]] = {}
        self._prepare()

    @property
    def start(self) -> Floats:
        """The first state, (V,)."""
        return np.zeros(len(self._lot.vehicles))

    def slide(self, states: Floats, moves: Ints) -> tuple[Floats, Ints]:
        """Return how far each slide goes and what stops it.

        Parameters
        ----------
        states : (S, V)
            How far each vehicle has gone forward.
        moves : (S,)
            The number of the move to make in each state.

        Returns
        -------
        distances : (S,)
            Not negative.
        bodies : (S,)
            The numbers of the bodies that are touched first; a side before a body at the same distance.
        """
        others = np.zeros((len(states), len(self._lot.vehicles) + len(self._lot.obstacles)))
        others[:, : states.shape[1]] = states
        own = states[np.arange(len(states)), self._own[moves]]
        shift = self._along_other[moves] * others[:, :, None] - self._along_own[moves] * own[:, None, None]
        distances = first_touch(self._low[moves] + shift, self._high[moves] + shift, self._speed[moves])
        nearest = distances.argmin(axis=1)
        touched = distances[np.arange(len(states)), nearest]
        to_edge = np.maximum(self._to_edge[moves] - self._sign[moves] * own, 0.0)
        at_edge = to_edge <= touched + CONTACT_EPSILON
        return np.minimum(to_edge, touched), np.where(at_edge, self._edge[moves], nearest)

    def after(self, states: Floats, moves: Ints, distances: Floats) -> Floats:
        """Return the states (S, V) after one move each, whose distances `slide` gave."""
        following = states.copy()
        following[np.arange(len(states)), self._own[moves]] += self._sign[moves] * distances
        return following

    def step(self, state: Floats, move: int) -> tuple[Floats, float, Stop]:
        """Return the state (1, V) after one move in a state (1, V), how far the slide went, and what stopped it.

        Plans for one lot begin alike, so the last few thousand steps are kept.
        """
        key = (state.tobytes(), move)
        known = self._steps.get(key)
        if known is None:
            moves = np.array([move])
            distances, bodies = self.slide(state, moves)
            following = self.after(state, moves, distances)
            following.setflags(write=False)
            known = following, float(distances[0]), self.stop(int(bodies[0]))
            if len(self._steps) >= _STEPS_KEPT:
                self._steps.clear()
            self._steps[key] = known
        return known

    def chunks(self, states: Floats) -> Iterator[Floats]:
        """Yield states (S, V), in order, a few at once: as many as `successors` should be asked for."""
        size = max(1, _SLIDES_AT_ONCE // max(1, self.moves))
        for begin in range(0, len(states), size):
            yield states[begin : begin + size]

    def successors(self, states: Floats) -> Floats:
        """Return the states after each of the moves, (S, moves, V), for states (S, V)."""
        moves = np.tile(np.arange(self.moves), len(states))
        repeated = np.repeat(states, self.moves, axis=0)
        following = self.after(repeated, moves, self.slide(repeated, moves)[0])
        return following.reshape(len(states), self.moves, states.shape[1])

    def solved(self, states: Floats) -> NDArray[np.bool_]:
        """Return whether the red car is at an exit, (S,), for states (S, V).

        Its box reaches the exit's side, to within `EXIT_TOLERANCE`, and its centre is within the opening.
        """
        red = self._lot.red
        gone = states[:, self._red]
        x, y = red.pose.x + red.axis[0] * gone, red.pose.y + red.axis[1] * gone
        corners = red.outline(self._margin)
        half_x = max(corner[0] for corner in corners) - red.pose.x
        half_y = max(corner[1] for corner in corners) - red.pose.y
        reached = np.zeros(len(states), bool)
        for opening in self._lot.exits:
            gap, along = {
                Side.LEFT: (x - half_x, y),
                Side.RIGHT: (self._lot.width - x - half_x, y),
                Side.BOTTOM: (y - half_y, x),
                Side.TOP: (self._lot.height - y - half_y, x),
            }[opening.side]
            reached |= (np.abs(gap) <= EXIT_TOLERANCE) & (opening.start <= along) & (along <= opening.end)
        return reached

    def keys(self, states: Floats) -> list[bytes]:
        """Return one key a state, equal for states that differ by rounding only (but for the rarest of cases)."""
        return [row.tobytes() for row in np.rint(states / STATE_QUANTUM).astype(np.int32)]

    def poses(self, state: Floats) -> tuple[Pose, ...]:
        """Return the poses of the vehicles in a state, (V,)."""
        return tuple(
            Pose(v.pose.x + v.axis[0] * float(gone), v.pose.y + v.axis[1] * float(gone), v.pose.theta)
            for v, gone in zip(self._lot.vehicles, state, strict=True)
        )

    def stop(self, number: int) -> Stop:
        """Return what the body with a number is."""
        vehicles, obstacles = self._lot.vehicles, self._lot.obstacles
        if number < len(vehicles):
            return Stop(StopKind.VEHICLE, vehicles[number].label)
        if number < len(vehicles) + len(obstacles):
            return Stop(StopKind.OBSTACLE, obstacles[number - len(vehicles)].id)
        return Stop(StopKind.EDGE, _SIDES[number - len(vehicles) - len(obstacles)].value)

    def _prepare(self) -> None:
        vehicles, obstacles = self._lot.vehicles, self._lot.obstacles
        outlines = [*(v.outline(self._margin) for v in vehicles), *(obstacle.outline() for obstacle in obstacles)]
        axes = [*(v.axis for v in vehicles), *((0.0, 0.0) for _ in obstacles)]
        shape = (self.moves, len(outlines), _SLABS)
        # A slab with low above high is never entered: a vehicle does not meet itself.
        self._low, self._high = np.ones(shape), -np.ones(shape)
        self._speed, self._along_own, self._along_other = (np.zeros(shape) for _ in range(3))
        self._to_edge = np.zeros(self.moves)
        self._edge = np.zeros(self.moves, np.int64)
        for move, (own, sign) in enumerate(zip(self._own, self._sign, strict=True)):
            direction = (sign * axes[own][0], sign * axes[own][1])
            self._to_edge[move], side = slide_to_edge(outlines[own], direction, self._lot.width, self._lot.height)
            self._edge[move] = len(outlines) + side
            for other in (place for place in range(len(outlines)) if place != own):
                bounds = slabs(outlines[own], outlines[other])
                for place in range(_SLABS):
                    # Fewer slabs than four, of parallel rectangles, are filled up by the first one again.
                    n_x, n_y, low, high = bounds[place if place < len(bounds) else 0]
                    entry = (move, other, place)
                    self._low[entry], self._high[entry] = low, high
                    self._along_own[entry] = n_x * axes[own][0] + n_y * axes[own][1]
                    self._along_other[entry] = n_x * axes[other][0] + n_y * axes[other][1]
                    self._speed[entry] = sign * self._along_own[entry]
