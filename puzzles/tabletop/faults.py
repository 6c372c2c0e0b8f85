"""Wrong results of an edit, each with its name, as scenes of known truth."""

from __future__ import annotations

import enum
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from puzzles.tabletop.edits import Edit, Operation, possible, scaled, shifted, turned
from puzzles.tabletop.scene import Scene

_SAME_TURN = 1e-6


class Fault(enum.Enum):
    """What is wrong with a result."""

    NO_OP = "no-op"
    WRONG_DIRECTION = "wrong direction"
    HALF = "half"
    DOUBLE = "double"
    WRONG_OBJECT = "wrong object"
    WRONG_WAY = "wrong way"
    WRONG_SCALE = "wrong scale"
    REMOVED_WRONG = "removed the wrong one"
    REMOVED_TWO = "removed two"
    LEFT_BEHIND = "left behind"
    VANISHED = "vanished"


@dataclass(frozen=True)
class WrongResult:
    """A result that must not pass: what is wrong, and the scene that was made instead of the one that is wanted."""

    fault: Fault
    scene: Scene


def wrong_results(edit: Edit) -> tuple[WrongResult, ...]:
    """Return the wrong results that fit an edit's operation and that its scene has room for, in the order of `Fault`.

    The same edit gives the same results. Every list has NO_OP. A turn of 90 degrees the wrong way looks like the right
    one and is left out; so is a double or half turn that does.
    """
    found = []
    for fault in Fault:
        for scene in _candidates(edit, fault):
            if scene == edit.before or possible(scene):
                found.append(WrongResult(fault, scene))
                break
    return tuple(found)


def _candidates(edit: Edit, fault: Fault) -> Iterator[Scene]:
    if fault is Fault.NO_OP:
        yield edit.before
    elif edit.target is None:
        return
    elif edit.operation is Operation.REMOVE:
        yield from _removals(edit, edit.target, fault)
    elif fault is Fault.VANISHED:
        yield edit.before.without(edit.target)
    elif fault is Fault.WRONG_OBJECT:
        yield from _done_to_another(edit, edit.target)
    elif edit.operation in (Operation.MOVE, Operation.PLACE):
        yield from _moves(edit, edit.target, fault)
    elif edit.operation is Operation.ROTATE:
        yield from _turns(edit, edit.target, fault)
    elif edit.operation is Operation.RESIZE:
        yield from _resizes(edit, edit.target, fault)


def _others(edit: Edit, target: int) -> list[int]:
    return [index for index in range(len(edit.before.cuboids)) if index != target]


def _removals(edit: Edit, target: int, fault: Fault) -> Iterator[Scene]:
    for other in _others(edit, target):
        if fault is Fault.REMOVED_WRONG:
            yield edit.before.without(other)
        elif fault is Fault.REMOVED_TWO:
            yield edit.before.without(target, other)


def _step(edit: Edit, target: int) -> tuple[float, float]:
    start, end = edit.before.cuboids[target].place, edit.after.cuboids[target].place
    return (end[0] - start[0], end[1] - start[1])


def _factors(edit: Edit, target: int) -> tuple[float, float, float]:
    old, new = edit.before.cuboids[target].size, edit.after.cuboids[target].size
    return (new[0] / old[0], new[1] / old[1], new[2] / old[2])


def _done_to_another(edit: Edit, target: int) -> Iterator[Scene]:
    """The same edit of another cuboid, of another label if there is one."""
    label = edit.label
    for other in sorted(_others(edit, target), key=lambda index: edit.before.cuboids[index].label == label):
        cuboid = edit.before.cuboids[other]
        x, z = _step(edit, target)
        done = scaled(turned(shifted(cuboid, np.array([x, 0.0, z])), edit.angle), _factors(edit, target))
        yield edit.before.with_cuboid(other, done)


def _moves(edit: Edit, target: int, fault: Fault) -> Iterator[Scene]:
    cuboid = edit.before.cuboids[target]
    x, z = _step(edit, target)
    forward = np.array([x, 0.0, z])
    if fault is Fault.WRONG_DIRECTION:
        # Back, and to both sides; the same distance.
        for way in ((-x, -z), (-z, x), (z, -x)):
            yield edit.before.with_cuboid(target, shifted(cuboid, np.array([way[0], 0.0, way[1]])))
    elif fault in (Fault.HALF, Fault.DOUBLE):
        share = 0.5 if fault is Fault.HALF else 2.0
        yield edit.before.with_cuboid(target, shifted(cuboid, share * forward))
    elif fault is Fault.LEFT_BEHIND:
        yield replace(edit.after, cuboids=(*edit.after.cuboids, cuboid))


def _turns(edit: Edit, target: int, fault: Fault) -> Iterator[Scene]:
    share = {Fault.HALF: 0.5, Fault.DOUBLE: 2.0, Fault.WRONG_WAY: -1.0}.get(fault)
    if share is not None and not _looks_the_same(share * edit.angle - edit.angle):
        yield edit.before.with_cuboid(target, turned(edit.before.cuboids[target], share * edit.angle))


def _looks_the_same(turn: float) -> bool:
    return abs(math.sin(turn)) < _SAME_TURN


def _resizes(edit: Edit, target: int, fault: Fault) -> Iterator[Scene]:
    factors = _factors(edit, target)
    # Half and double the way, in logarithms: a factor of 2 becomes 1.41 or 4. The wrong scale is 1/2.
    power = {Fault.HALF: 0.5, Fault.DOUBLE: 2.0, Fault.WRONG_SCALE: -1.0}.get(fault)
    if power is not None:
        width, height, length = (factor**power for factor in factors)
        yield edit.before.with_cuboid(target, scaled(edit.before.cuboids[target], (width, height, length)))
