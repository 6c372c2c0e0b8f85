"""Spatial edits of a scene, with the instruction and the truth: what box is wanted, and how the right scene looks."""

from __future__ import annotations

import enum
import math
import random
from dataclasses import dataclass, replace

import numpy as np

from puzzles.common.arrays import FloatArray
from puzzles.tabletop.generator import pick
from puzzles.tabletop.render import visible_shares
from puzzles.tabletop.scene import Cuboid, Scene, TableCamera, apart, camera_box, in_picture, looking_at, on_table
from puzzles.tabletop.solids import Box, Vector, vector

_TRIES = 300
_GAP_M = 0.015
_MARGIN_PX = 4.0
_LEAST_VISIBLE = 0.5
_MOVES_CM = (10, 12, 15, 20, 25, 30)
_TURNS_DEG = (30, 45, 60, 90)
_FACTORS = (0.5, 0.75, 1.5, 2.0)
_STEPS_CM = (5, 10, 15, 20)
_PANS_DEG = (4, 6, 8)


class Operation(enum.Enum):
    """What an edit does. PLACE is a move whose destination is given by another cuboid."""

    MOVE = "move"
    PLACE = "place"
    ROTATE = "rotate"
    RESIZE = "resize"
    REMOVE = "remove"
    VIEW = "view"


class EditImpossibleError(RuntimeError):
    """A scene has no room for an edit of the kind that was asked for."""


@dataclass(frozen=True)
class Edit:
    """An edit and its truth.

    Attributes
    ----------
    operation
        What it does.
    instruction
        What a model is told.
    before, after
        The scene, and the scene that is wanted. Cuboids keep their order.
    target
        Index of the cuboid that is edited; ``None`` for a view.
    label
        Its label, or an empty text.
    source, wanted
        Its box before and after, in the camera's frame; ``wanted`` is ``None`` for a removal, both are for a view.
    angle
        By how much a rotation turns, counter-clockwise seen from above, in radians; 0 for other operations.
    """

    operation: Operation
    instruction: str
    before: Scene
    after: Scene
    target: int | None
    label: str
    source: Box | None
    wanted: Box | None
    angle: float = 0.0

    def scaled(self, width: int) -> Edit:
        """The same edit in pictures of another width in pixels; see `Camera.scaled`."""
        return replace(self, before=self.before.scaled(width), after=self.after.scaled(width))


def make_edit(scene: Scene, operation: Operation, seed: int = 0) -> Edit:
    """Return an edit of a scene; the same arguments give the same one.

    Nothing that is wanted stands in the way of another, leaves table or picture, or is hidden by more than half. The
    edited scene has the camera's noise of the first, so that what is not edited stays the same to the byte.

    A cuboid that is resized keeps its place and stands on the table, so that its middle rises or falls.

    Parameters
    ----------
    scene
        With at least one cuboid; for PLACE with at least two.
    operation
        What to do.
    seed
        Not negative.

    Raises
    ------
    ValueError
        If the seed is negative, or the scene has too few cuboids.
    EditImpossibleError
        If no such edit was found.
    """
    if seed < 0:
        raise ValueError(f"the seed must not be negative, not {seed}")
    least = 2 if operation is Operation.PLACE else 1
    if len(scene.cuboids) < least:
        raise ValueError(f"{operation.value} needs at least {least} cuboids, not {len(scene.cuboids)}")
    chance = random.Random(f"tabletop edit {operation.value} {seed}")
    if operation is Operation.VIEW:
        return _view(scene, chance)
    for _ in range(_TRIES):
        target = int(chance.random() * len(scene.cuboids))
        name = name_of(scene, target)
        if operation is Operation.REMOVE:
            cuboid = scene.cuboids[target]
            source = camera_box(scene.camera, cuboid)
            after = scene.without(target)
            return Edit(operation, f"Remove the {name}.", scene, after, target, cuboid.label, source, None)
        proposal = _PROPOSALS[operation](scene, target, name, chance)
        if proposal is not None and possible(scene.with_cuboid(target, proposal[0])):
            return _edit_of(scene, operation, target, *proposal)
    raise EditImpossibleError(f"no room for an edit of the kind {operation.value}")


def possible(scene: Scene) -> bool:
    """Tell whether cuboids are apart, on the table, wholly in the picture and each at least half visible."""
    fits = all(on_table(scene.table, c) and in_picture(scene.camera, c, _MARGIN_PX) for c in scene.cuboids)
    return fits and apart(scene.cuboids, _GAP_M) and min(visible_shares(scene), default=1.0) >= _LEAST_VISIBLE


def name_of(scene: Scene, index: int) -> str:
    """Return what a cuboid is called: its label, with its place from the left where several have the label."""
    label = scene.cuboids[index].label
    same = [i for i, cuboid in enumerate(scene.cuboids) if cuboid.label == label]
    if len(same) == 1:
        return label
    pixels = scene.camera.project(np.array([scene.cuboids[i].box.center for i in same]))
    rank = sorted(range(len(same)), key=lambda position: float(pixels[position, 0])).index(same.index(index))
    if len(same) == 2:
        return f"{('left', 'right')[rank]} {label}"
    return f"{label} number {rank + 1} from the left"


def level_axes(camera: TableCamera) -> tuple[FloatArray, FloatArray]:
    """Return the camera's right and forward laid flat on the table: unit vectors of shape (3,) in its frame."""
    turn = np.array(camera.rotation)
    found = []
    for axis in (turn[0], turn[2]):
        flat = np.array([axis[0], 0.0, axis[2]])
        found.append(flat / np.linalg.norm(flat))
    return found[0], found[1]


_Proposal = tuple[Cuboid, str, float]


def _edit_of(scene: Scene, operation: Operation, target: int, cuboid: Cuboid, instruction: str, angle: float) -> Edit:
    after = scene.with_cuboid(target, cuboid)
    source, wanted = (camera_box(scene.camera, one.cuboids[target]) for one in (scene, after))
    return Edit(operation, instruction, scene, after, target, cuboid.label, source, wanted, angle)


def shifted(cuboid: Cuboid, step: FloatArray) -> Cuboid:
    """A cuboid at another place; ``step`` is (3,) in the table's frame, and its y is left out."""
    return replace(cuboid, place=(cuboid.place[0] + float(step[0]), cuboid.place[1] + float(step[2])))


def turned(cuboid: Cuboid, angle: float) -> Cuboid:
    """A cuboid turned counter-clockwise, seen from above, by ``angle`` radians."""
    return replace(cuboid, yaw=cuboid.yaw - angle)


def scaled(cuboid: Cuboid, factors: Vector) -> Cuboid:
    """A cuboid with other extents (w, h, l); its foot stays on the table."""
    width, height, length = (extent * factor for extent, factor in zip(cuboid.size, factors, strict=True))
    return replace(cuboid, size=(width, height, length))


def _move(scene: Scene, target: int, name: str, chance: random.Random) -> _Proposal | None:
    distance = pick(chance, _MOVES_CM)
    right, forward = level_axes(scene.camera)
    word, way = pick(
        chance,
        (
            ("to the left relative to the camera", -right),
            ("to the right relative to the camera", right),
            ("away from the camera", forward),
            ("towards the camera", -forward),
            ("towards the far edge of the table", np.array([0.0, 0.0, 1.0])),
            ("towards the near edge of the table", np.array([0.0, 0.0, -1.0])),
        ),
    )
    moved = shifted(scene.cuboids[target], way * (distance / 100))
    return moved, f"Move the {name} {distance} cm {word}.", 0.0


def _place(scene: Scene, target: int, name: str, chance: random.Random) -> _Proposal | None:
    anchor = pick(chance, [i for i in range(len(scene.cuboids)) if i != target])
    distance = pick(chance, _MOVES_CM)
    right, forward = level_axes(scene.camera)
    word, way = pick(chance, (("left of", -right), ("right of", right), ("in front of", -forward), ("behind", forward)))
    there = shifted(scene.cuboids[anchor], way * (distance / 100)).place
    moved = replace(scene.cuboids[target], place=there)
    side = f"to the {word}" if word.endswith(" of") and word != "in front of" else word
    text = f"Place the {name} {side} the {name_of(scene, anchor)}, {distance} cm from middle to middle."
    # A move of less than 5 cm counts as none.
    return (moved, text, 0.0) if math.dist(there, scene.cuboids[target].place) > 0.05 else None


def _rotate(scene: Scene, target: int, name: str, chance: random.Random) -> _Proposal | None:
    degrees = pick(chance, _TURNS_DEG)
    word, sign = pick(chance, (("counter-clockwise", 1), ("clockwise", -1)))
    angle = math.radians(sign * degrees)
    text = f"Rotate the {name} {degrees} degrees {word}, as seen from above."
    return turned(scene.cuboids[target], angle), text, angle


def _resize(scene: Scene, target: int, name: str, chance: random.Random) -> _Proposal | None:
    factor = pick(chance, _FACTORS)
    if chance.random() < 0.5:
        verb = "Enlarge" if factor > 1 else "Shrink"
        text = f"{verb} the {name} to {factor:g} times its size in all directions."
        return scaled(scene.cuboids[target], (factor, factor, factor)), text, 0.0
    size = scene.cuboids[target].size
    longer = "longer" if size[0] > size[2] else "shorter"
    shorter = "shorter" if size[0] > size[2] else "longer"
    axis, word = pick(chance, ((0, f"its {longer} side"), (1, "its height"), (2, f"its {shorter} side")))
    factors = (factor if axis == 0 else 1.0, factor if axis == 1 else 1.0, factor if axis == 2 else 1.0)
    text = f"Resize the {name}: {word} becomes {factor:g} times what it is, the other extents stay."
    return scaled(scene.cuboids[target], factors), text, 0.0


def _view(scene: Scene, chance: random.Random) -> Edit:
    """The camera is moved along its own level axes, or turned; at least all cuboids stay in the picture."""
    for _ in range(_TRIES):
        camera, text = _moved_camera(scene.camera, chance)
        after = replace(scene, camera=camera)
        if all(in_picture(camera, cuboid, _MARGIN_PX) for cuboid in scene.cuboids):
            return Edit(Operation.VIEW, text, scene, after, None, "", None, None)
    raise EditImpossibleError("no other view shows all cuboids")


def _moved_camera(camera: TableCamera, chance: random.Random) -> tuple[TableCamera, str]:
    eye = camera.eye
    turn = np.array(camera.rotation)
    right, forward = level_axes(camera)
    roll = math.atan2(float(-turn[0] @ [0.0, 1.0, 0.0]), float(turn[1] @ [0.0, 1.0, 0.0]))
    if chance.random() < 0.5:
        step = pick(chance, _STEPS_CM)
        word, way = pick(
            chance,
            (("to the left", -right), ("to the right", right), ("forward", forward), ("back", -forward)),
        )
        new_eye, ahead = eye + way * (step / 100), turn[2]
        text = f"View the scene from a camera moved {step} cm {word}."
    else:
        degrees = pick(chance, _PANS_DEG)
        word, sign = pick(chance, (("left", -1.0), ("right", 1.0)))
        angle = math.radians(sign * degrees)
        x, y, z = turn[2]
        # Seen from above, a turn to the right takes forward (z) towards the right (x).
        ahead = np.array([x * math.cos(angle) + z * math.sin(angle), y, -x * math.sin(angle) + z * math.cos(angle)])
        new_eye = eye
        text = f"Look {degrees} degrees further to the {word}."
    found = looking_at(vector(new_eye), vector(new_eye + ahead), -roll, camera.focal_px, (camera.width, camera.height))
    return found, text


_PROPOSALS = {
    Operation.MOVE: _move,
    Operation.PLACE: _place,
    Operation.ROTATE: _rotate,
    Operation.RESIZE: _resize,
}
