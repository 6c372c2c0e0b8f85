"""Scripts of rush hour in which only vehicles move: rightly, unusually, or wrongly.

Each writer returns ``None`` where the puzzle does not allow its fault, such as a second order where there is only one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import pairwise, permutations
from types import MappingProxyType

from benchmarks.rollouts.lot_scripts import (
    LotScript,
    Reel,
    Subject,
    along,
    first_moves,
    is_free,
    met_on_way,
    moved_lot,
    outline,
    part_way,
    solves,
    way,
)
from benchmarks.rollouts.lot_truth import deepest_overlap
from benchmarks.rollouts.records import LotFault
from puzzles.rush_hour.lot import PLACE_TOLERANCE, Pose
from puzzles.rush_hour.motion import plan_motion
from puzzles.rush_hour.rules import Direction, Move, simulate
from puzzles.rush_hour.solver import solve

Writer = Callable[[Subject], LotScript | None]

_SEEN = 0.6
"""Least way of a motion that is to be noticed, in units of the lot."""
_TRIES = 400
_STATIC_S = 2.5


def _opposite(move: Move) -> Move:
    other = Direction.BACKWARD if move.direction is Direction.FORWARD else Direction.FORWARD
    return Move(move.label, other)


def _legal(subject: Subject, moves: tuple[Move, ...]) -> LotScript:
    return LotScript(subject.lot, plan_motion(subject.lot, moves, subject.pace), moves)


def none(subject: Subject) -> LotScript:
    """The solution."""
    return _legal(subject, subject.solution)


def alt_order(subject: Subject) -> LotScript | None:
    """Another shortest solution."""
    found = solve(subject.lot, limit=12, max_moves=len(subject.solution))
    others = [moves for moves in found.solutions if moves != subject.solution] if found else []
    return _legal(subject, others[int(subject.dice.random() * len(others))]) if others else None


def _others(subject: Subject) -> list[Move]:
    """Moves of vehicles that have no part in the solution."""
    used = {move.label for move in subject.solution}
    labels = [vehicle.label for vehicle in subject.lot.vehicles if vehicle.label not in used]
    return [Move(label, direction) for label in labels for direction in Direction]


def extra_move(subject: Subject) -> LotScript | None:
    """A harmless legal move, then the solution."""
    for move in _others(subject):
        moves = (move, *subject.solution)
        run = simulate(subject.lot, moves)
        if run.steps[0].distance >= _SEEN and run.solved:
            return _legal(subject, moves)
    return None


def revisit(subject: Subject) -> LotScript | None:
    """A vehicle goes the wrong way first, to contact; then the solution."""
    for move in subject.solution[:-1]:
        moves = (_opposite(move), *subject.solution)
        run = simulate(subject.lot, moves)
        if run.steps[0].distance >= _SEEN and run.solved and not solves(subject.lot, first_moves(moves)):
            return _legal(subject, moves)
    return None


def overlap_start(subject: Subject) -> LotScript | None:
    """Each move starts a little before the one before has come to rest."""
    if len(subject.solution) < 2:
        return None
    reel = Reel(subject.lot, replace(subject.pace, pause_s=0.0))
    for place in range(len(subject.solution)):
        if place:
            reel.time -= 0.16
        reel.play(subject.run, place, place + 1)
    script = LotScript(subject.lot, reel.timeline(), subject.solution)
    return script if deepest_overlap(script) <= PLACE_TOLERANCE else None


def stop_then_go(subject: Subject) -> LotScript | None:
    """One vehicle rests at 55 % of its way, with nothing near, and then goes on."""
    steps = subject.run.steps
    long = [place for place, step in enumerate(steps) if step.distance >= 2.5]
    if not long:
        return None
    place = long[int(subject.dice.random() * len(long))]
    number = subject.number(steps[place].move.label)
    reel = Reel(subject.lot, subject.pace).play(subject.run, 0, place)
    end = subject.run.poses[place + 1][number]
    reel.go(number, part_way(reel.poses[number], end, 0.55)).wait(0.45).go(number, end)
    return LotScript(subject.lot, reel.play(subject.run, place + 1).timeline(), subject.solution)


def two_at_once(subject: Subject) -> LotScript | None:
    """Two vehicles whose order does not matter go at the same time."""
    for place, (one, other) in enumerate(pairwise(subject.solution[:-1])):
        swapped = (*subject.solution[:place], other, one, *subject.solution[place + 2 :])
        if one.label == other.label or not solves(subject.lot, swapped):
            continue
        if simulate(subject.lot, swapped).poses[place + 2] != subject.run.poses[place + 2]:
            continue
        reel = Reel(subject.lot, subject.pace).play(subject.run, 0, place)
        after = subject.run.poses[place + 2]
        reel.together([(number, after[number]) for number in map(subject.number, (one.label, other.label))])
        script = LotScript(subject.lot, reel.play(subject.run, place + 2).timeline(), subject.solution)
        if deepest_overlap(script) <= PLACE_TOLERANCE:
            return script
    return None


def after_goal_other(subject: Subject) -> LotScript | None:
    """The solution; then another vehicle makes a legal move."""
    for move in (*_others(subject), *map(_opposite, subject.solution[:-1])):
        moves = (*subject.solution, move)
        if simulate(subject.lot, moves).steps[-1].distance >= _SEEN:
            return _legal(subject, moves)
    return None


def after_goal_back(subject: Subject) -> LotScript:
    """The solution; then the red car rolls back a little."""
    reel = Reel(subject.lot, subject.pace).play(subject.run)
    reel.wait(0.4).go(subject.red, part_way(subject.goal, subject.run.poses[-2][subject.red], 0.35))
    return LotScript(subject.lot, reel.timeline(), (*subject.solution, _opposite(subject.solution[-1])))


def leaves_lot(subject: Subject) -> LotScript:
    """The solution; the red car goes on, out of the lot through the exit."""
    reel = Reel(subject.lot, replace(subject.pace, pause_s=0.1)).play(subject.run)
    sign = 1 if subject.solution[-1].direction is Direction.FORWARD else -1
    reel.go(subject.red, along(subject.lot.red, subject.goal, sign * 2.6))
    return LotScript(subject.lot, reel.timeline(), subject.solution)


def prefix(subject: Subject) -> LotScript | None:
    """All moves but the red car's."""
    return _legal(subject, subject.solution[:-1]) if len(subject.solution) > 1 else None


def first_only(subject: Subject) -> LotScript | None:
    """The first move of several."""
    return _legal(subject, subject.solution[:1]) if len(subject.solution) > 2 else None


def wrong_order_through(subject: Subject) -> LotScript | None:
    """The solution's moves in a wrong order, each to its place; a vehicle passes through another one."""
    labels = [move.label for move in subject.solution]
    if len(set(labels)) < len(labels) or len(labels) < 2:
        return None
    for order in permutations(subject.solution):
        if solves(subject.lot, order) or order[0].label == "R":
            continue
        reel, through = Reel(subject.lot, subject.pace), False
        for move in order:
            number = subject.number(move.label)
            end = subject.run.poses[-1][number]
            through |= bool(met_on_way(subject.lot, reel.poses, number, end, 0.25))
            reel.go(number, end)
        if through:
            return LotScript(subject.lot, reel.timeline(), order)
    return None


def _blockers(subject: Subject) -> list[int]:
    """The vehicles on the red car's way at first."""
    return met_on_way(subject.lot, subject.run.poses[0], subject.red, subject.goal)


def red_through(subject: Subject) -> LotScript | None:
    """The red car drives through its blockers."""
    if not _blockers(subject):
        return None
    reel = Reel(subject.lot, subject.pace).go(subject.red, subject.goal)
    return LotScript(subject.lot, reel.timeline(), subject.solution[-1:])


def teleport_along(subject: Subject) -> LotScript | None:
    """The first vehicle is at the end of its way from one frame to the next; the rest is right."""
    first = subject.run.steps[0]
    if len(subject.solution) < 2 or first.distance < 2:
        return None
    number = subject.number(first.move.label)
    reel = Reel(subject.lot, subject.pace).jump([(number, subject.run.poses[1][number])])
    return LotScript(subject.lot, reel.play(subject.run, 1).timeline(), subject.solution)


def teleport_off(subject: Subject) -> LotScript | None:
    """The blockers are at free places off their lines from one frame to the next; then the red car drives."""
    lot, poses = subject.lot, list(subject.run.poses[0])
    ways = way(lot.red, poses[subject.red], subject.goal)
    jumps = []
    for number in _blockers(subject):
        vehicle = lot.vehicles[number]
        for _ in range(_TRIES):
            pose = Pose(subject.dice.random() * lot.width, subject.dice.random() * lot.height, vehicle.pose.theta)
            aside = (pose.x - vehicle.pose.x) * -vehicle.axis[1] + (pose.y - vehicle.pose.y) * vehicle.axis[0]
            others = [outline(one, poses[place]) for place, one in enumerate(lot.vehicles) if place != number]
            if abs(aside) > 1 and is_free(lot, outline(vehicle, pose), [*ways, *others]):
                poses[number] = pose
                jumps.append((number, pose))
                break
        else:
            return None
    if not jumps:
        return None
    reel = Reel(lot, subject.pace).jump(jumps).wait(0.2).go(subject.red, subject.goal)
    return LotScript(lot, reel.timeline(), subject.solution[-1:])


def red_teleports(subject: Subject) -> LotScript | None:
    """The red car is at the exit from one frame to the next, past its blockers."""
    if not _blockers(subject):
        return None
    reel = Reel(subject.lot, subject.pace).wait(0.5).jump([(subject.red, subject.goal)])
    return LotScript(subject.lot, reel.timeline(_STATIC_S))


def wrong_direction(subject: Subject) -> LotScript | None:
    """One vehicle goes the wrong way; all is legal, and the red car stops at what stands in its way."""
    for place in range(len(subject.solution) - 1):
        moves = list(subject.solution)
        moves[place] = _opposite(moves[place])
        run = simulate(subject.lot, moves)
        if run.first_solved is None and run.steps[place].distance >= _SEEN and run.steps[-1].distance >= _SEEN:
            return _legal(subject, tuple(moves))
    return None


def _short(subject: Subject, left: Callable[[float], float]) -> LotScript | None:
    distance = subject.run.steps[-1].distance
    if distance < 3:
        return None
    reel = Reel(subject.lot, subject.pace).play(subject.run, 0, len(subject.run.steps) - 1)
    reel.go(subject.red, part_way(subject.goal, reel.poses[subject.red], left(distance) / distance))
    return LotScript(subject.lot, reel.timeline(), subject.solution)


def stops_short(subject: Subject) -> LotScript | None:
    """All moves are right, but the red car stops its width before the exit."""
    return _short(subject, lambda _: 0.9)


def stops_half_way(subject: Subject) -> LotScript | None:
    """All moves are right, but the red car stops half way."""
    return _short(subject, lambda distance: distance / 2)


def _partial(subject: Subject) -> tuple[Reel, list[Pose]] | None:
    """All but the last two moves, then half of the last one before the red car's, which leaves the way blocked."""
    if len(subject.solution) < 2 or subject.solution[-2].label == "R":
        return None
    last = len(subject.solution) - 2
    number = subject.number(subject.solution[last].label)
    reel = Reel(subject.lot, subject.pace).play(subject.run, 0, last)
    begin, end = reel.poses[number], subject.run.poses[last + 1][number]
    for share in (0.5, 0.35, 0.65):
        half = list(reel.poses)
        half[number] = part_way(begin, end, share)
        if math.dist((begin.x, begin.y), (half[number].x, half[number].y)) < _SEEN:
            continue
        if number in met_on_way(subject.lot, half, subject.red, subject.goal, 0.2):
            return reel.go(number, half[number]), half
    return None


def partial_stuck(subject: Subject) -> LotScript | None:
    """The last blocker stops half way and still blocks; the red car drives up to it."""
    found = _partial(subject)
    if found is None:
        return None
    reel, half = found
    run = simulate(moved_lot(subject.lot, half), subject.solution[-1:])
    if run.solved or run.steps[0].distance < _SEEN:
        return None
    return LotScript(subject.lot, reel.go(subject.red, run.poses[-1][subject.red]).timeline(), subject.solution)


def partial_through(subject: Subject) -> LotScript | None:
    """The last blocker stops half way and still blocks; the red car drives through it."""
    found = _partial(subject)
    if found is None:
        return None
    return LotScript(subject.lot, found[0].go(subject.red, subject.goal).timeline(), subject.solution)


def rotates(subject: Subject) -> LotScript | None:
    """A blocker turns on the spot instead of sliding; then the red car drives."""
    blockers = _blockers(subject)
    if not blockers:
        return None
    reel = Reel(subject.lot, subject.pace)
    for number in blockers:
        pose = reel.poses[number]
        reel.go(number, replace(pose, theta=pose.theta + math.radians(70)), seconds=1.0)
    reel.go(subject.red, subject.goal)
    return LotScript(subject.lot, reel.timeline(), subject.solution[-1:])


def rotates_sliding(subject: Subject) -> LotScript | None:
    """The first vehicle turns by 38 degrees on its way; the rest is right."""
    if len(subject.solution) < 2 or subject.run.steps[0].distance < 2:
        return None
    number = subject.number(subject.solution[0].label)
    end = subject.run.poses[1][number]
    reel = Reel(subject.lot, subject.pace).go(number, replace(end, theta=end.theta + math.radians(38)))
    reel.play(subject.run, 1)
    return LotScript(subject.lot, reel.timeline(), subject.solution)


def sideways(subject: Subject) -> LotScript | None:
    """A blocker slides at right angles to its axis; then the red car drives."""
    lot, poses = subject.lot, subject.run.poses[0]
    for number in _blockers(subject):
        vehicle = lot.vehicles[number]
        others = [outline(one, poses[place]) for place, one in enumerate(lot.vehicles) if place != number]
        for distance in (2.4, -2.4, 2.0, -2.0, 1.6, -1.6):
            x, y = vehicle.pose.x - vehicle.axis[1] * distance, vehicle.pose.y + vehicle.axis[0] * distance
            end = Pose(x, y, vehicle.pose.theta)
            if all(is_free(lot, corners, others, 0.01) for corners in way(vehicle, vehicle.pose, end)):
                reel = Reel(lot, subject.pace).go(number, end).go(subject.red, subject.goal)
                return LotScript(lot, reel.timeline(), subject.solution[-1:])
    return None


def reversed_(subject: Subject) -> LotScript | None:
    """The solution run backwards: the clip begins solved and ends at the start."""
    if len(subject.solution) < 2:
        return None
    reel = Reel(subject.lot, replace(subject.pace, before_s=0.0))
    reel.jump(list(enumerate(subject.run.poses[-1]))).wait(0.4)
    for place in reversed(range(len(subject.solution))):
        number = subject.number(subject.solution[place].label)
        reel.go(number, subject.run.poses[place][number])
    return LotScript(subject.lot, reel.timeline(), tuple(map(_opposite, reversed(subject.solution))))


def static(subject: Subject) -> LotScript:
    """Nothing moves."""
    return LotScript(subject.lot, Reel(subject.lot, subject.pace).timeline(_STATIC_S))


MOTIONS: Mapping[LotFault, Writer] = MappingProxyType(
    {
        LotFault.NONE: none,
        LotFault.ALT_ORDER: alt_order,
        LotFault.EXTRA_MOVE: extra_move,
        LotFault.REVISIT: revisit,
        LotFault.OVERLAP_START: overlap_start,
        LotFault.STOP_THEN_GO: stop_then_go,
        LotFault.TWO_AT_ONCE: two_at_once,
        LotFault.AFTER_GOAL_OTHER: after_goal_other,
        LotFault.AFTER_GOAL_BACK: after_goal_back,
        LotFault.LEAVES_LOT: leaves_lot,
        LotFault.PREFIX: prefix,
        LotFault.FIRST_ONLY: first_only,
        LotFault.WRONG_ORDER_THROUGH: wrong_order_through,
        LotFault.RED_THROUGH: red_through,
        LotFault.TELEPORT_ALONG: teleport_along,
        LotFault.TELEPORT_OFF: teleport_off,
        LotFault.RED_TELEPORTS: red_teleports,
        LotFault.WRONG_DIRECTION: wrong_direction,
        LotFault.STOPS_SHORT: stops_short,
        LotFault.STOPS_HALF_WAY: stops_half_way,
        LotFault.PARTIAL_STUCK: partial_stuck,
        LotFault.PARTIAL_THROUGH: partial_through,
        LotFault.ROTATES: rotates,
        LotFault.ROTATES_SLIDING: rotates_sliding,
        LotFault.SIDEWAYS: sideways,
        LotFault.REVERSED: reversed_,
        LotFault.STATIC: static,
        LotFault.TRUNCATED: none,  # its bytes are cut later
    }
)
