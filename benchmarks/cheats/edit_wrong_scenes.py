"""Spatial edits: other scenes than the one that was asked for, drawn as well as the right one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from benchmarks.cheats.bank import Candidate, Cheat, variants
from benchmarks.cheats.edit_scenes import EditSubject, edit_subject
from puzzles.common.raster import Color, Picture
from puzzles.tabletop.edits import Operation, possible, scaled, shifted, turned
from puzzles.tabletop.faults import Fault, wrong_results
from puzzles.tabletop.render import render_scene
from puzzles.tabletop.scene import Cuboid, Scene, looking_at
from puzzles.tabletop.solids import vector

NOTHING = ("BARELY_MOVED", "NOT_TURNED", "NOT_RESIZED", "STILL_THERE")
"""What is said where the picture is as it was."""
NOT_IT = (
    *NOTHING,
    "TARGET_MISSING",
    "NOT_NEARER",
    "WRONG_DIRECTION",
    "SCORE_TOO_LOW",
    "TARGET_ELSEWHERE",
    "NOT_A_NEW_PLACE",
)
"""What is said where the object was not brought where it should be."""
BESIDES = (
    "TARGET_NOT_SOLID",
    "COUNT_DIFFERS",
    "TURNED_BESIDES",
    "RESIZED_BESIDES",
    "TARGET_ALTERED",
    "OTHERS_REMOVED",
    "OBJECTS_ADDED",
)
"""What is said where something else was done."""
_UNKNOWN: Color = (132, 132, 132)
_TURNED_RAD, _STEP_M = 0.06, 0.12
_GAP = 0.03


def _copy(subject: EditSubject) -> Candidate:
    return subject.before


def _fault(subject: EditSubject, fault: Fault) -> Candidate | None:
    found = [one.scene for one in wrong_results(subject.edit) if one.fault is fault]
    return render_scene(found[0]) if found else None


def _a_fifth(subject: EditSubject) -> Candidate | None:
    """The right thing, but only a fifth of it."""
    if subject.moves:
        way = np.subtract(subject.new.place, subject.old.place) * 0.2
        return render_scene(subject.with_old(place=shifted(subject.old, np.array([way[0], 0.0, way[1]])).place))
    if subject.operation is Operation.ROTATE:
        return render_scene(subject.with_old(yaw=turned(subject.old, subject.edit.angle / 5).yaw))
    if subject.operation is Operation.RESIZE:
        width, height, length = (
            (new / old) ** 0.2 for new, old in zip(subject.new.size, subject.old.size, strict=True)
        )
        return render_scene(subject.with_old(size=scaled(subject.old, (width, height, length)).size))
    return None


def _free(scene: Scene, cuboid: Cuboid) -> Scene | None:
    """The scene with one box more, in the first of some places that has room for it."""
    for x in np.arange(-0.4, 0.41, 0.08):
        for z in np.arange(-0.3, 0.41, 0.08):
            more = replace(scene, cuboids=(*scene.cuboids, replace(cuboid, place=(float(x), float(z)))))
            if possible(more):
                return more
    return None


def _one_more_hidden(subject: EditSubject) -> Candidate | None:
    """All is right, and there is one box more, of the table's own paint."""
    return _one_more(subject, subject.edit.before.table.color)


def _one_more(subject: EditSubject, color: Color | None) -> Candidate | None:
    """All is right, and there is one box more: like another one, or of a paint that nobody looks for."""
    other = subject.edit.before.cuboids[subject.others[0]]
    table = subject.edit.before.table.color
    if color == _UNKNOWN and max(table) - min(table) < 16:
        return None  # as grey as the table
    if color is not None:
        other = replace(other, color=color, size=(0.12, 0.1, 0.09))
    more = _free(subject.edit.after, other)
    return None if more is None else render_scene(more)


def _other_too(subject: EditSubject, change: Callable[[Cuboid], Cuboid | None]) -> Candidate | None:
    """All is right, and another box is gone or elsewhere."""
    scene = subject.edit.after
    index = scene.cuboids.index(subject.edit.before.cuboids[subject.others[0]])
    changed = change(scene.cuboids[index])
    if changed is None:
        return render_scene(scene.without(index))
    rest = scene.without(index)
    moved = _free(rest, changed)
    return None if moved is None else render_scene(moved)


def _gone(cuboid: Cuboid) -> Cuboid | None:
    del cuboid
    return None


def _elsewhere(cuboid: Cuboid) -> Cuboid | None:
    return cuboid


def _left_behind(subject: EditSubject) -> Candidate | None:
    return _fault(subject, Fault.LEFT_BEHIND) if subject.moves else None


def _other_size(subject: EditSubject, factor: float) -> Candidate | None:
    """In the right place, with another size."""
    if not (subject.moves or subject.operation is Operation.ROTATE):
        return None
    return render_scene(subject.with_new(size=scaled(subject.new, (factor, factor, factor)).size))


def _taller(subject: EditSubject) -> Candidate | None:
    if not subject.moves:
        return None
    return render_scene(subject.with_new(size=scaled(subject.new, (1.0, 1.8, 1.0)).size))


def _repainted(subject: EditSubject, color: Color) -> Candidate | None:
    """In the right place, in a paint that nobody looks for, or in that of another box."""
    return render_scene(subject.with_new(color=color)) if subject.stays else None


def _swapped_paints(subject: EditSubject) -> Candidate | None:
    """The boxes stand as they did, and paints are swapped: the right colour is in another place."""
    if not subject.moves:
        return None
    other = subject.others[0]
    one, two = subject.old, subject.edit.before.cuboids[other]
    scene = subject.with_old(color=two.color).with_cuboid(other, replace(two, color=one.color))
    return render_scene(scene)


def _other_table(subject: EditSubject, color: Color) -> Candidate:
    return render_scene(replace(subject.edit.after, table=replace(subject.edit.after.table, color=color)))


def _other_light(subject: EditSubject) -> Candidate:
    """The lamp is on the other side."""
    light = subject.edit.after.light
    x, y, z = light.direction
    dim = replace(light, direction=(-x, y, -z), strength=vector(np.array(light.strength) * 0.5))
    return render_scene(replace(subject.edit.after, light=dim))


def _other_camera(subject: EditSubject) -> Candidate:
    """The camera is moved, so that everything is elsewhere in the picture."""
    scene = subject.edit.after
    camera = scene.camera
    eye = camera.eye + np.array([_STEP_M, 0.0, 0.0])
    size = (camera.width, camera.height)
    turned_to = looking_at(vector(eye), (_TURNED_RAD, 0.0, 0.0), 0.0, camera.focal_px, size)
    return render_scene(replace(scene, camera=turned_to))


def _other_scene(subject: EditSubject) -> Candidate:
    return edit_subject(subject.operation, subject.edit.before.noise_seed + 7).after


def _on_white(subject: EditSubject) -> Candidate:
    """Only the right boxes are drawn, on a white ground."""
    seen: Picture = np.full_like(subject.after, 255)
    both = np.abs(subject.after.astype(np.int16) - render_scene(subject.edit.after.without(*_all(subject)))) > 24
    seen[both.any(axis=2)] = subject.after[both.any(axis=2)]
    return seen


def _all(subject: EditSubject) -> tuple[int, ...]:
    return tuple(range(len(subject.edit.after.cuboids)))


_CHANGED = ("BACKGROUND_CHANGED", "LOOK_CHANGED", "MARKS_ADDED")

WRONG_SCENES: tuple[Cheat, ...] = (
    *variants("unchanged", "The picture before is close to the one that is wanted.", NOTHING, {"copy": _copy}),
    *variants(
        "a_fifth",
        "A small step in the right direction is an edit.",
        (*NOTHING, "SCORE_TOO_LOW", "NOT_NEARER"),
        {"done": _a_fifth},
        0.1,
    ),
    *variants(
        "wrong_amount",
        "An object that is edited is edited rightly.",
        (*NOT_IT, *BESIDES),
        {
            "other_direction": partial(_fault, fault=Fault.WRONG_DIRECTION),
            "other_way": partial(_fault, fault=Fault.WRONG_WAY),
            "other_scale": partial(_fault, fault=Fault.WRONG_SCALE),
        },
    ),
    *variants(
        "other_object",
        "That something was edited is enough.",
        (*NOT_IT, *BESIDES),
        {
            "edited": partial(_fault, fault=Fault.WRONG_OBJECT),
            "removed": partial(_fault, fault=Fault.REMOVED_WRONG),
        },
    ),
    *variants(
        "vanished",
        "What is gone stands in no wrong place.",
        ("TARGET_MISSING",),
        {"target": partial(_fault, fault=Fault.VANISHED)},
    ),
    *variants(
        "left_behind",
        "The object is where it should be, and where it was.",
        ("COUNT_DIFFERS",),
        {"copy": _left_behind},
        0.5,
    ),
    *variants(
        "more_than_asked",
        "Beside the right edit others go unnoticed.",
        (*BESIDES, "MARKS_ADDED", "BACKGROUND_CHANGED", "LOOK_CHANGED"),
        {
            "another_gone": partial(_other_too, change=_gone),
            "another_moved": partial(_other_too, change=_elsewhere),
            "one_more": partial(_one_more, color=None),
            "one_more_grey": partial(_one_more, color=_UNKNOWN),
            "one_more_like_the_table": _one_more_hidden,
        },
        0.5,
    ),
    *variants(
        "other_size",
        "In the right place any size will do.",
        ("TARGET_ALTERED", "TARGET_MISSING", "NOT_NEARER", "SCORE_TOO_LOW", "WRONG_DIRECTION"),
        {"half": partial(_other_size, factor=0.5), "larger": partial(_other_size, factor=1.6), "taller": _taller},
        0.5,
    ),
    *variants(
        "repainted",
        "A box is a box in whatever colour.",
        ("TARGET_MISSING", "COUNT_DIFFERS"),
        {"grey": partial(_repainted, color=_UNKNOWN), "white": partial(_repainted, color=(235, 235, 235))},
    ),
    *variants(
        "paints_swapped", "Paint is quicker to move than a box.", (*NOT_IT, *BESIDES), {"both": _swapped_paints}, 0.5
    ),
    *variants(
        "other_table",
        "The right boxes on another table.",
        _CHANGED,
        {"light": partial(_other_table, color=(225, 220, 200)), "green": partial(_other_table, color=(60, 96, 70))},
        0.5,
    ),
    *variants(
        "other_light", "The right boxes in another light.", (*_CHANGED, *BESIDES, *NOT_IT), {"dim": _other_light}, 0.5
    ),
    *variants(
        "other_camera",
        "The right boxes seen from elsewhere.",
        (*_CHANGED, *BESIDES, *NOT_IT),
        {"moved": _other_camera},
        0.5,
    ),
    *variants(
        "other_scene", "Another scene that was edited well.", (*_CHANGED, *BESIDES, *NOT_IT), {"solved": _other_scene}
    ),
    *variants("boxes_alone", "Only the boxes count.", _CHANGED, {"on_white": _on_white}),
)
"""Cheats that draw another scene."""
