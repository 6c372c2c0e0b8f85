"""Tables with cuboids: scenes, pictures, edits of known truth, and wrong results."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from puzzles.tabletop.edit_files import edit_json
from puzzles.tabletop.edits import Edit, EditImpossibleError, Operation, level_axes, make_edit, name_of
from puzzles.tabletop.faults import Fault, wrong_results
from puzzles.tabletop.generator import COLORS, SceneOptions, generate_scene
from puzzles.tabletop.render import owners, render_scene, visible_shares
from puzzles.tabletop.scene import (
    Cuboid,
    Light,
    Scene,
    TableCamera,
    TableTop,
    apart,
    camera_box,
    in_picture,
    looking_at,
    on_table,
    table_plane,
)
from puzzles.tabletop.shadows import lamp_directions, shadow
from puzzles.tabletop.solids import UNTURNED, Box, about_y, corners, yaw_of

LIGHT = Light((0.0, -1.0, 0.0), 0.0, (0.5, 0.5, 0.5), (0.3, 0.3, 0.3))
TABLE = TableTop((150, 150, 150), 0.0, -0.8, 0.8, -0.8, 0.8, (60, 60, 60))
# Looks straight along the table's z from 1 m away, level with the middle of a cuboid that is 0.2 m high.
LEVEL = TableCamera(640, 480, 500.0, UNTURNED, (0.0, 0.1, 1.0))


def scene_of(*cuboids: Cuboid, camera: TableCamera = LEVEL, light: Light = LIGHT) -> Scene:
    return Scene(cuboids, TABLE, light, camera, noise=0.0)


RED = Cuboid("red box", (200, 30, 30), (0.1, 0.2, 0.1), (0.0, 0.0), 0.0)


@cache
def found_edit(operation: Operation, first_seed: int = 0) -> Edit:
    """The first edit of the kind that some scene has room for."""
    for seed in range(first_seed, first_seed + 20):
        try:
            return make_edit(generate_scene(seed), operation, seed)
        except EditImpossibleError:
            continue
    raise AssertionError("no scene has room")


def test_corners_are_those_of_the_benchmark() -> None:
    # R_y(90 degrees) takes x to -z and z to x: a box of 2 x 4 x 6 reaches 3 along x and 1 along z.
    box = Box((1.0, 1.0, 1.0), (2.0, 4.0, 6.0), about_y(math.pi / 2))
    assert np.allclose(corners(box).min(axis=0), [1 - 3, 1 - 2, 1 - 1])
    assert np.allclose(corners(box).max(axis=0), [1 + 3, 1 + 2, 1 + 1])
    assert yaw_of(about_y(0.7)) == pytest.approx(0.7)


@pytest.mark.parametrize(
    ("size", "rotation"),
    [
        ((1.0, 0.0, 1.0), UNTURNED),
        ((1.0, math.nan, 1.0), UNTURNED),
        ((1.0, 1.0, 1.0), ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, -1.0))),
        ((1.0, 1.0, 1.0), ((2.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))),
    ],
)
def test_refuses_what_is_no_box(
    size: tuple[float, float, float], rotation: tuple[tuple[float, float, float], ...]
) -> None:
    with pytest.raises(ValueError, match=r"box|extents|rotation"):
        Box((0.0, 0.0, 0.0), size, rotation)  # type: ignore[arg-type]


def test_a_cuboid_is_drawn_where_the_camera_sees_it() -> None:
    # The front face is 0.95 m away: 500 * 0.05 / 0.95 = 26.3 to each side of 320, 500 * 0.1 / 0.95 = 52.6 of 240.
    mine = owners(scene_of(RED)) == 0
    rows, columns = np.nonzero(mine)
    assert (columns.min(), columns.max() + 1) == (294, 346)  # 320 -+ 26.3, pixels whose middle is inside
    assert (rows.min(), rows.max() + 1) == (187, 293)  # 240 -+ 52.6
    assert mine.sum() == 52 * 106


def test_light_follows_lambert() -> None:
    """A lamp straight above lights the top only; the sides have what comes from all sides, and 0.8 of that."""
    above = looking_at((0.0, -0.8, -0.8), (0.0, -0.1, 0.0), focal_px=900.0)
    picture = render_scene(scene_of(replace(RED, color=(255, 255, 255)), camera=above)) / 255.0
    linear = np.where(picture <= 0.04045, picture / 12.92, ((picture + 0.055) / 1.055) ** 2.4)
    top = above.project(np.array([[0.0, -0.2, 0.0]]))[0].astype(int)
    side = above.project(np.array([[0.0, -0.1, -0.05]]))[0].astype(int)
    # The grain changes brightness by at most 7 %.
    assert linear[top[1], top[0]] == pytest.approx([0.8] * 3, rel=0.08)  # 0.3 + 0.5
    assert linear[side[1], side[0]] == pytest.approx([0.24] * 3, rel=0.08)  # 0.8 * 0.3


def test_shadows_fall_away_from_the_lamp() -> None:
    # A lamp at 45 degrees from the left (-x): a box 0.2 m high throws a shadow 0.2 m to the right.
    toward = np.array([-math.sqrt(0.5), -math.sqrt(0.5), 0.0])
    points = shadow(RED.box, np.array([0.0, -1.0, 0.0]), 0.0, toward)
    assert np.allclose(points[:, 1], 0.0)
    assert points[:, 0].min() == pytest.approx(-0.05)
    assert points[:, 0].max() == pytest.approx(0.05 + 0.2)
    assert len(shadow(RED.box, np.array([0.0, 1.0, 0.0]), 0.0, toward)) == 0  # seen from below there is none


def test_a_plane_through_a_box_is_shadowed_by_what_is_above_it() -> None:
    # The plane y = -0.1 cuts the box in half: the shadow of the upper 0.1 m is 0.1 m long.
    toward = np.array([-math.sqrt(0.5), -math.sqrt(0.5), 0.0])
    points = shadow(RED.box, np.array([0.0, -1.0, 0.0]), 0.1, toward)
    assert points[:, 0].max() == pytest.approx(0.05 + 0.1)


def test_a_shadow_is_darker_and_soft_lamps_have_points() -> None:
    camera = looking_at((0.0, -0.8, -0.8), (0.0, 0.0, 0.0), focal_px=500.0)
    slanted = replace(LIGHT, direction=(-math.sqrt(0.5), -math.sqrt(0.5), 0.0))
    picture = render_scene(scene_of(RED, camera=camera, light=slanted))
    in_shadow = camera.project(np.array([[0.15, 0.0, 0.0]]))[0].astype(int)
    in_light = camera.project(np.array([[-0.15, 0.0, 0.0]]))[0].astype(int)
    assert int(picture[in_shadow[1], in_shadow[0], 0]) < int(picture[in_light[1], in_light[0], 0]) - 30
    assert len(lamp_directions(slanted)) == 1
    assert len(lamp_directions(replace(slanted, softness=0.05))) == 13


def test_nearer_cuboids_hide_others() -> None:
    front = replace(RED, place=(0.05, -0.3))
    # At 0.65 m the front face covers x from 320 up to 320 + 500 * 0.1 / 0.65 = 396.9; the other ends at 346.
    assert visible_shares(scene_of(RED, front)) == pytest.approx((0.5, 1.0), abs=0.02)


@pytest.mark.parametrize("seed", range(4))
def test_scenes_keep_their_promises(seed: int) -> None:
    options = SceneOptions(least=3, most=5, twins=seed % 2 == 1)
    scene = generate_scene(seed, options)
    labels = [cuboid.label for cuboid in scene.cuboids]
    assert 3 <= len(labels) <= 5
    assert len(labels) - len(set(labels)) == (1 if options.twins else 0)
    assert len({cuboid.size for cuboid in scene.cuboids}) == len(set(labels))
    assert apart(scene.cuboids, 0.02)
    assert all(on_table(scene.table, c) and in_picture(scene.camera, c, 8.0) for c in scene.cuboids)
    assert min(visible_shares(scene)) >= 0.6
    for cuboid in scene.cuboids:
        # A quarter turn can be seen.
        assert max(cuboid.size[0], cuboid.size[2]) >= 1.25 * min(cuboid.size[0], cuboid.size[2])


def test_cuboids_stand_on_the_plane_that_is_given() -> None:
    scene = generate_scene(3)
    plane = table_plane(scene.camera)
    for cuboid in scene.cuboids:
        heights = np.sort(corners(camera_box(scene.camera, cuboid)) @ np.array(plane.normal) - plane.offset)
        assert heights == pytest.approx([0.0] * 4 + [cuboid.size[1]] * 4, abs=1e-9)


def test_pictures_are_the_same_to_the_byte() -> None:
    scene = generate_scene(4)
    assert scene == generate_scene(4)
    assert scene != generate_scene(5)
    picture = render_scene(scene)
    assert picture.shape == (480, 640, 3)
    assert picture.dtype == np.uint8
    assert np.array_equal(picture, render_scene(generate_scene(4)))


def test_paints_differ() -> None:
    values = np.array([color for _, color in COLORS], float)
    distances = np.linalg.norm(values[:, None] - values[None], axis=2)
    assert distances[np.triu_indices(len(values), 1)].min() > 60


def test_refuses_wrong_options() -> None:
    with pytest.raises(ValueError, match="seed"):
        generate_scene(-1)
    with pytest.raises(ValueError, match="cuboids"):
        SceneOptions(least=1, most=3, twins=True)
    with pytest.raises(ValueError, match="share"):
        SceneOptions(least_visible=1.5)
    with pytest.raises(ValueError, match="straight down"):
        looking_at((0.0, -1.0, 0.0), (0.0, 0.0, 0.0))


@pytest.mark.parametrize("operation", list(Operation))
def test_edits_change_what_they_say(operation: Operation) -> None:
    edit = found_edit(operation)
    assert edit == make_edit(edit.before, operation, seed_of(edit))
    if edit.target is None:
        assert edit.before.cuboids == edit.after.cuboids
        assert edit.before.camera != edit.after.camera
        return
    source = edit.before.cuboids[edit.target]
    assert edit.source == camera_box(edit.before.camera, source)
    assert source.label in edit.instruction
    if operation is Operation.REMOVE:
        assert edit.after == edit.before.without(edit.target)
        return
    wanted = edit.after.cuboids[edit.target]
    assert edit.wanted == camera_box(edit.before.camera, wanted)
    assert edit.after == edit.before.with_cuboid(edit.target, wanted)
    assert (source.place != wanted.place) == (operation in (Operation.MOVE, Operation.PLACE))
    assert (source.yaw != wanted.yaw) == (operation is Operation.ROTATE)
    assert (source.size != wanted.size) == (operation is Operation.RESIZE)


def seed_of(edit: Edit) -> int:
    """`found_edit` takes the seed of the scene, which is also that of its noise."""
    return edit.before.noise_seed


def test_a_move_has_its_length_and_way() -> None:
    lefts = 0
    for seed in range(5):
        edit = make_edit(generate_scene(seed), Operation.MOVE, seed)
        assert edit.source is not None
        assert edit.wanted is not None
        step = np.array(edit.wanted.center) - np.array(edit.source.center)
        words = edit.instruction.split()
        assert np.linalg.norm(step) == pytest.approx(int(words[words.index("cm") - 1]) / 100)
        if "left" in words[words.index("cm") :]:
            lefts += 1
            right, _ = level_axes(edit.before.camera)
            in_camera = np.array(edit.before.camera.rotation) @ right
            assert step @ in_camera == pytest.approx(-np.linalg.norm(step))
    assert lefts > 0


def test_a_turn_is_counter_clockwise_as_the_benchmark_has_it() -> None:
    edit = found_edit(Operation.ROTATE)
    assert edit.source is not None
    assert edit.wanted is not None
    turned = np.array(edit.source.rotation) @ np.array(about_y(-edit.angle))
    assert np.allclose(turned, np.array(edit.wanted.rotation))
    assert (edit.angle > 0) == ("counter-clockwise" in edit.instruction)


def test_a_turn_to_the_left_is_seen_from_above() -> None:
    """Counter-clockwise from above: what points to the right (x) comes to point away (z)."""
    assert np.array(about_y(-math.pi / 2)) @ [1.0, 0.0, 0.0] == pytest.approx([0.0, 0.0, 1.0])


def test_resized_cuboids_stay_on_the_table() -> None:
    edit = found_edit(Operation.RESIZE)
    assert edit.target is not None
    before, after = edit.before.cuboids[edit.target], edit.after.cuboids[edit.target]
    assert before.place == after.place
    assert after.box.center[1] + after.size[1] / 2 == pytest.approx(0.0)


def test_what_is_not_edited_stays_the_same_to_the_byte() -> None:
    edit = found_edit(Operation.REMOVE)
    assert edit.target is not None
    changed = (render_scene(edit.before) != render_scene(edit.after)).any(axis=2)
    assert changed[owners(edit.before) == edit.target].mean() > 0.95
    assert changed.mean() < 0.2


def test_twins_are_named_by_their_place() -> None:
    left, right = replace(RED, place=(-0.2, 0.0)), replace(RED, place=(0.2, 0.0))
    assert name_of(scene_of(right, left), 0) == "right red box"
    assert name_of(scene_of(right, left), 1) == "left red box"
    assert name_of(scene_of(right), 0) == "red box"


@pytest.mark.parametrize("operation", list(Operation))
def test_wrong_results_are_not_the_right_one(operation: Operation) -> None:
    edit = found_edit(operation)
    wrong = wrong_results(edit)
    assert wrong == wrong_results(edit)
    assert Fault.NO_OP in [result.fault for result in wrong]
    assert all(result.scene != edit.after for result in wrong)
    assert len({result.fault for result in wrong}) == len(wrong)


def test_faults_are_what_their_names_say() -> None:
    edit = found_edit(Operation.MOVE)
    assert edit.target is not None
    right = np.array(edit.after.cuboids[edit.target].place) - edit.before.cuboids[edit.target].place
    found = {result.fault: result.scene for result in wrong_results(edit)}
    assert found[Fault.NO_OP] == edit.before
    half = np.array(found[Fault.HALF].cuboids[edit.target].place) - edit.before.cuboids[edit.target].place
    assert half == pytest.approx(right / 2)
    assert len(found[Fault.VANISHED].cuboids) == len(edit.before.cuboids) - 1
    other = found[Fault.WRONG_OBJECT]
    assert other.cuboids[edit.target] == edit.before.cuboids[edit.target]
    assert sum(a != b for a, b in zip(other.cuboids, edit.before.cuboids, strict=True)) == 1


def test_all_faults_occur() -> None:
    found = set()
    for operation, seed in ((Operation.MOVE, 0), (Operation.ROTATE, 3), (Operation.RESIZE, 0), (Operation.REMOVE, 0)):
        found |= {result.fault for result in wrong_results(found_edit(operation, seed))}
    assert found == set(Fault)


def test_a_quarter_turn_the_wrong_way_is_no_fault() -> None:
    scene = generate_scene(1)
    edit = make_edit(scene, Operation.ROTATE, 0)
    quarter = replace(edit, angle=math.pi / 2)
    assert Fault.WRONG_WAY not in [result.fault for result in wrong_results(quarter)]


def test_files_hold_what_the_benchmark_asks_for() -> None:
    edit = found_edit(Operation.ROTATE)
    assert edit.source is not None
    assert edit.wanted is not None
    record = json.loads(edit_json(edit))
    assert record["prompt"].startswith("Rotate the ")
    assert record["target"] == edit.label
    assert record["original_bbox_3d"][:6] == [*edit.source.center, *edit.source.size]
    assert record["original_bbox_3d"][6] == pytest.approx(yaw_of(edit.source.rotation))
    assert record["new_rotation_matrix"] == [list(row) for row in edit.wanted.rotation]
    focal = edit.before.camera.focal_px
    assert record["camera_intrinsics"] == [[focal, 0.0, 320.0], [0.0, focal, 240.0], [0.0, 0.0, 1.0]]
    assert "new_bbox_3d" not in json.loads(edit_json(found_edit(Operation.REMOVE)))
    assert json.loads(edit_json(found_edit(Operation.PLACE)))["operation"] == "move"


def test_refuses_edits_that_make_no_sense() -> None:
    with pytest.raises(ValueError, match="at least 2"):
        make_edit(scene_of(RED), Operation.PLACE)
    with pytest.raises(ValueError, match="at least 1"):
        make_edit(scene_of(), Operation.REMOVE)
    with pytest.raises(ValueError, match="seed"):
        make_edit(scene_of(RED), Operation.MOVE, -1)
