"""Coloured boxes in pictures: where they stand, how they are turned and how large they are."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from detectors.spatial_edit.boxes.detector import find_boxes
from detectors.spatial_edit.boxes.findings import (
    BoxFinding,
    BoxFindings,
    BoxKind,
    BoxView,
    FoundBox,
    SizeSource,
    TablePlane,
    same_looking,
)
from detectors.spatial_edit.boxes.geometry import box_of, corners_of, project, size_numbers, table_numbers
from puzzles.tabletop.generator import SceneOptions, generate_scene
from puzzles.tabletop.render import owners, render_scene, visible_shares
from puzzles.tabletop.scene import Cuboid, Light, Scene, TableTop, camera_box, looking_at, table_plane
from puzzles.tabletop.solids import about_y, yaw_of

CAMERA = looking_at((0.05, -0.65, -0.8), (0.0, 0.0, 0.03), roll=0.02, focal_px=387.5, size=(400, 300))
LIGHT = Light((-0.5, -math.sqrt(0.5), -0.5), 0.02, (0.7, 0.68, 0.63), (0.3, 0.31, 0.32))
TABLE = TableTop((120, 98, 78), 0.15, -0.6, 0.6, -0.4, 0.5, (90, 90, 88))
RED = Cuboid("red box", (196, 30, 38), (0.12, 0.08, 0.07), (-0.05, 0.0), 0.4, 1)
BLUE = Cuboid("blue box", (36, 76, 190), (0.08, 0.1, 0.13), (0.2, 0.1), -0.6, 2)
IDENTITY = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def scene_of(*cuboids: Cuboid) -> Scene:
    return Scene(cuboids, TABLE, LIGHT, CAMERA)


def view_of(scene: Scene) -> BoxView:
    return BoxView.of(scene.camera.intrinsics, scene.camera.width, scene.camera.height)


def plane_of(scene: Scene) -> TablePlane:
    plane = table_plane(scene.camera)
    return TablePlane(plane.normal, plane.offset)


def kind_of(cuboid: Cuboid) -> BoxKind:
    return BoxKind(cuboid.label, cuboid.color, cuboid.size)


@cache
def picture_of(scene: Scene) -> np.ndarray:
    return render_scene(scene)


def found_in(scene: Scene, *kinds: BoxKind) -> BoxFindings:
    """What is found in the picture of a scene; every kind is known with its size if none is given."""
    known = kinds or tuple({cuboid.label: kind_of(cuboid) for cuboid in scene.cuboids}.values())
    return find_boxes(picture_of(scene), view_of(scene), known, plane_of(scene))


def off(found: BoxFinding, scene: Scene, cuboid: Cuboid) -> tuple[float, float]:
    """How far a box is off, in millimetres and degrees; half a turn about the upright does not count."""
    truth = camera_box(scene.camera, cuboid)
    place = 1000 * math.dist(found.box.center, truth.center)
    cosine = (np.array(found.box.rotation) * np.array(truth.rotation)).sum() - 1
    half_turned = np.array(truth.rotation) @ np.array(about_y(math.pi))
    other = (np.array(found.box.rotation) * half_turned).sum() - 1
    return place, math.degrees(math.acos(min(1.0, max(cosine, other) / 2)))


def nearest(findings: BoxFindings, scene: Scene, cuboid: Cuboid) -> BoxFinding:
    truth = camera_box(scene.camera, cuboid)
    return min(findings.of(cuboid.label), key=lambda found: math.dist(found.box.center, truth.center))


@pytest.mark.parametrize(("seed", "twins"), [(0, False), (5, True)])
def test_finds_all_boxes_of_a_scene(seed: int, twins: bool) -> None:
    scene = generate_scene(seed, SceneOptions(twins=twins))
    findings = found_in(scene)
    assert len(findings.boxes) == len(scene.cuboids)
    for cuboid in scene.cuboids:
        found = nearest(findings, scene, cuboid)
        place, turn = off(found, scene, cuboid)
        assert place < 2.0
        assert turn < 1.0
        assert found.confidence > 0.9
        assert found.size_source is SizeSource.GIVEN
        assert found.box.size == pytest.approx(cuboid.size)


def test_measures_sizes_that_are_not_known() -> None:
    scene = scene_of(RED, BLUE)
    before = camera_box(scene.camera, BLUE).rotation
    findings = found_in(scene, kind_of(RED), BoxKind("blue box", BLUE.color, None, before))
    (found,) = findings.of("blue box")
    assert found.size_source is SizeSource.PICTURE
    assert found.box.size == pytest.approx(BLUE.size, rel=0.03)
    # The rotation of before tells which side is which, and which end.
    assert np.array(found.box.rotation) == pytest.approx(np.array(before), abs=0.02)


def test_a_box_that_was_resized_is_measured_all_the_same() -> None:
    """The caller says that the blue box is smaller than it is."""
    scene = scene_of(RED, BLUE)
    smaller = (BLUE.size[0] / 1.5, BLUE.size[1] / 1.5, BLUE.size[2] / 1.5)
    (found,) = found_in(scene, kind_of(RED), BoxKind("blue box", BLUE.color, smaller)).of("blue box")
    assert found.size_source is SizeSource.PICTURE
    assert found.box.size == pytest.approx(BLUE.size, rel=0.03)
    assert off(found, scene, BLUE)[0] < 5


@pytest.mark.parametrize(("yaw", "reported"), [(0.4 + math.pi, 0.4), (1.7, 1.7 - math.pi)])
def test_of_two_turns_that_look_the_same_the_one_to_the_right_is_reported(yaw: float, reported: float) -> None:
    # The camera's level axis is not the table's x: it looks from x = 0.05 to 0 over 0.83 m, so it is turned by
    # atan2(-0.05, 0.83) = -0.06 about y, and a yaw of 1.7 is 1.76 against it, above pi / 2.
    scene = scene_of(replace(RED, yaw=yaw))
    (found,) = found_in(scene).boxes
    wanted = np.array(scene.camera.rotation) @ np.array(about_y(reported))
    assert np.array(found.box.rotation) == pytest.approx(wanted, abs=0.02)


def test_of_four_turns_that_look_the_same_the_one_most_to_the_right_is_reported() -> None:
    cuboid = replace(RED, size=(0.1, 0.08, 0.1), yaw=1.0)
    scene = scene_of(cuboid)
    (found,) = found_in(scene).boxes
    # A quarter turn back: 1.0 - 1.571 = -0.571 is within 45 degrees.
    wanted = np.array(scene.camera.rotation) @ np.array(about_y(1.0 - math.pi / 2))
    assert np.array(found.box.rotation) == pytest.approx(wanted, abs=0.02)


def test_the_rotation_of_before_chooses_among_those_that_look_the_same() -> None:
    scene = scene_of(replace(RED, yaw=0.5 + math.pi))
    near = camera_box(scene.camera, replace(RED, yaw=0.4 + math.pi)).rotation
    (found,) = found_in(scene, replace(kind_of(RED), rotation=near)).boxes
    wanted = np.array(scene.camera.rotation) @ np.array(about_y(0.5 + math.pi))
    assert np.array(found.box.rotation) == pytest.approx(wanted, abs=0.02)


def test_the_local_y_points_down() -> None:
    scene = scene_of(RED)
    (found,) = found_in(scene).boxes
    down = -np.array(table_plane(scene.camera).normal)
    assert np.array(found.box.rotation)[:, 1] == pytest.approx(down)


def test_a_box_behind_another_is_found_with_less_to_go_by() -> None:
    front = replace(BLUE, size=(0.1, 0.16, 0.08), place=(0.02, -0.13), yaw=0.1)
    scene = scene_of(RED, front)
    share = visible_shares(scene)[0]
    assert 0.3 < share < 0.75
    (found,) = found_in(scene).of("red box")
    place, turn = off(found, scene, RED)
    assert place < 20
    assert turn < 3
    assert found.visible < 0.8
    assert len(found.corners) < 7


def test_a_box_that_is_wholly_hidden_is_not_found() -> None:
    tall = replace(BLUE, size=(0.3, 0.3, 0.05), place=(-0.03, -0.15), yaw=0.0)
    scene = scene_of(replace(RED, size=(0.06, 0.05, 0.05)), tall)
    assert visible_shares(scene)[0] == 0
    assert found_in(scene).of("red box") == ()


def test_a_box_between_two_halves_of_another_hides_one_box() -> None:
    """The red bar goes on behind the blue post: it is one box, not two."""
    bar = replace(RED, size=(0.3, 0.05, 0.06), place=(0.0, 0.05), yaw=0.05)
    post = replace(BLUE, size=(0.06, 0.14, 0.06), place=(0.02, -0.1), yaw=0.3)
    findings = found_in(scene_of(bar, post))
    (found,) = findings.of("red box")
    assert off(found, scene_of(bar, post), bar)[0] < 10


def test_two_boxes_of_one_label_that_touch_in_the_picture_are_two() -> None:
    behind = replace(RED, place=(-0.03, 0.13), yaw=0.9)
    scene = scene_of(RED, behind)
    findings = found_in(scene)
    assert len(findings.boxes) == 2
    for cuboid in (RED, behind):
        place, turn = off(nearest(findings, scene, cuboid), scene, cuboid)
        assert place < 10
        assert turn < 3


def test_what_is_not_there_is_not_found() -> None:
    scene = scene_of(RED)
    findings = found_in(scene, kind_of(RED), kind_of(BLUE))
    assert [found.label for found in findings.boxes] == ["red box"]
    assert found_in(scene_of(), kind_of(RED), kind_of(BLUE)).boxes == ()


def test_without_a_table_sizes_tell_where_boxes_are() -> None:
    scene = scene_of(RED, BLUE)
    findings = find_boxes(picture_of(scene), view_of(scene), (kind_of(RED), kind_of(BLUE)))
    for cuboid in (RED, BLUE):
        place, turn = off(nearest(findings, scene, cuboid), scene, cuboid)
        assert place < 20
        assert turn < 3


def test_the_light_does_not_matter() -> None:
    scene = scene_of(RED, BLUE)
    dark = (picture_of(scene) * 0.5).round().astype(np.uint8)
    bright = find_boxes(picture_of(scene), view_of(scene), (kind_of(RED),), plane_of(scene)).boxes[0]
    (found,) = find_boxes(dark, view_of(scene), (kind_of(RED),), plane_of(scene)).boxes
    assert found.box.center == pytest.approx(bright.box.center, abs=0.002)


def test_the_same_picture_gives_the_same_to_the_bit() -> None:
    scene = scene_of(RED, BLUE)
    threads = cv2.getNumThreads()
    first = found_in(scene)
    cv2.setNumThreads(1)
    try:
        assert found_in(scene) == first
    finally:
        cv2.setNumThreads(threads)


@pytest.mark.parametrize("share", [0.4, 0.7])
def test_a_box_that_shines_through_is_found(share: float) -> None:
    """As where a box was not wholly removed: so much of it is left over the empty table."""
    scene = scene_of(BLUE, RED)
    without = picture_of(scene_of(BLUE)).astype(float)
    picture = (share * picture_of(scene) + (1 - share) * without).round().astype(np.uint8)
    findings = find_boxes(picture, view_of(scene), (kind_of(RED), kind_of(BLUE)), plane_of(scene))
    (found,) = findings.of("red box")
    assert off(found, scene, RED)[0] < 10
    assert found.paint < 0.9
    assert findings.of("blue box")[0].paint > 0.9


def test_patches_and_balls_are_no_boxes() -> None:
    empty = picture_of(scene_of())
    flat = cv2.circle(empty.copy(), (200, 150), 25, RED.color, -1, cv2.LINE_AA)
    flat_box = empty.copy()
    flat_box[owners(scene_of(RED)) == 0] = RED.color
    y, x = np.mgrid[:300, :400]
    bulge = np.sqrt(np.clip(1 - ((x - 200) ** 2 + (y - 150) ** 2) / 25**2, 0, 1))[..., None]
    ball = np.where(bulge > 0, np.array(RED.color) * (0.4 + 0.6 * bulge), empty).astype(np.uint8)
    for name, picture in (("flat", flat), ("flat box", flat_box), ("ball", ball)):
        findings = find_boxes(picture, view_of(scene_of()), (kind_of(RED),), plane_of(scene_of()))
        assert all(found.confidence < 0.5 for found in findings.boxes), name


@pytest.mark.parametrize("filling", ["paint", "noise", "stripes", "specks", "corner"])
def test_pictures_of_nothing_give_finite_numbers_and_no_sure_box(filling: str) -> None:
    picture = np.full((300, 400, 3), 128, np.uint8)
    if filling == "paint":
        picture[:] = RED.color
    elif filling == "noise":
        picture = np.random.default_rng(7).integers(0, 256, picture.shape).astype(np.uint8)
    elif filling == "stripes":
        picture[::100] = picture[1::100] = picture[2::100] = RED.color
    elif filling == "specks":
        picture[::9, ::9] = RED.color
    else:
        picture[:12, :18] = RED.color  # far above the horizon
    scene = scene_of()
    findings = find_boxes(picture, view_of(scene), (kind_of(RED), BoxKind("blue box", BLUE.color)), plane_of(scene))
    for found in findings.boxes:
        assert np.isfinite([*found.box.center, *found.box.size, *found.bounds, found.confidence]).all()
        assert found.confidence < 0.5


def test_a_solid_is_the_same_under_4_8_or_24_names() -> None:
    # Half turns about each axis; with two equal extents quarter turns about the third; a cube has all 24.
    assert len(same_looking(FoundBox((0.0, 0.0, 1.0), (1.0, 2.0, 3.0), IDENTITY), 0.01)) == 4
    assert len(same_looking(FoundBox((0.0, 0.0, 1.0), (1.0, 2.0, 1.0), IDENTITY), 0.01)) == 8
    assert len(same_looking(FoundBox((0.0, 0.0, 1.0), (1.0, 1.0, 1.0), IDENTITY), 0.01)) == 24
    names = same_looking(FoundBox((0.0, 0.0, 1.0), (1.0, 2.0, 3.0), IDENTITY), math.inf)
    assert len(names) == 24
    assert names[0].rotation == IDENTITY
    for name in names:
        reach = np.abs(np.array(name.rotation)) @ np.array(name.size)
        assert reach == pytest.approx([1.0, 2.0, 3.0])


def test_rows_are_boxes() -> None:
    scene = scene_of(BLUE)
    row = np.zeros(9)
    row[3:6] = size_numbers(BLUE.size)
    row[6:] = table_numbers(plane_of(scene))
    row[:3] = 0.1, 0.2, 0.3
    box = box_of(row)
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    corners = signs * (np.array(box.size) / 2) @ np.array(box.rotation).T + np.array(box.center)
    assert corners_of(row[None])[0] == pytest.approx(corners)
    normal, offset = np.array(plane_of(scene).normal), plane_of(scene).offset
    heights = np.sort(corners @ normal - offset)
    assert heights == pytest.approx([0.0] * 4 + [BLUE.size[1]] * 4, abs=1e-9)


def test_pixels_count_from_the_corner_of_the_picture() -> None:
    view = BoxView.of(((500.0, 0.0, 320.0), (0.0, 400.0, 240.0), (0.0, 0.0, 1.0)), 640, 480)
    # 320 + 500 * 0.1 / 2 and 240 - 400 * 0.2 / 2
    assert project(np.array([[0.1, -0.2, 2.0]]), view) == pytest.approx(np.array([[345.0, 200.0]]))


def test_the_table_is_known_from_a_box_on_it() -> None:
    box = camera_box(CAMERA, RED)
    plane = TablePlane.under(FoundBox(box.center, box.size, box.rotation))
    assert plane.normal == pytest.approx(plane_of(scene_of()).normal)
    assert plane.offset == pytest.approx(plane_of(scene_of()).offset)
    assert yaw_of(about_y(0.2)) == pytest.approx(0.2)


def test_refuses_what_makes_no_sense() -> None:
    scene = scene_of()
    picture, view, plane, kind = picture_of(scene), view_of(scene), plane_of(scene), kind_of(RED)
    with pytest.raises(ValueError, match="400 x 300"):
        find_boxes(picture[:100], view, (kind,), plane)
    with pytest.raises(ValueError, match="labels"):
        find_boxes(picture, view, (kind, kind), plane)
    with pytest.raises(ValueError, match="labels"):
        find_boxes(picture, view, (), plane)
    with pytest.raises(ValueError, match="needs a size"):
        find_boxes(picture, view, (BoxKind("red box", RED.color),))
    with pytest.raises(ValueError, match="no hue"):
        find_boxes(picture, view, (BoxKind("grey box", (120, 120, 124)),), plane)
    with pytest.raises(ValueError, match="too much alike"):
        find_boxes(picture, view, (kind, BoxKind("dark red box", (150, 25, 30))), plane)
    with pytest.raises(ValueError, match="extents"):
        BoxKind("red box", RED.color, (0.1, 0.0, 0.1))
    with pytest.raises(ValueError, match="above the table"):
        TablePlane((0.0, -1.0, 0.0), 0.5)
    with pytest.raises(ValueError, match="unit length"):
        TablePlane((0.0, -2.0, 0.0), -0.5)
    with pytest.raises(ValueError, match="skew"):
        BoxView.of(((500.0, 1.0, 320.0), (0.0, 500.0, 240.0), (0.0, 0.0, 1.0)), 640, 480)
    with pytest.raises(ValueError, match="intrinsics"):
        BoxView.of(((0.0, 0.0, 320.0), (0.0, 500.0, 240.0), (0.0, 0.0, 1.0)), 640, 480)
