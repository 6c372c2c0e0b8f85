"""Whether the camera turned: on warped pictures, whose turn is known, on rendered scenes, and on exact points."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from detectors.spatial_edit.viewpoint.config import CameraMotionConfig, ViewpointConfig
from detectors.spatial_edit.viewpoint.epipolar import candidate_poses, fit_motion, rays
from detectors.spatial_edit.viewpoint.turning import Viewpoint, compare_viewpoints, find_features
from puzzles.tabletop.generator import generate_scene
from puzzles.tabletop.render import render_scene
from puzzles.tabletop.scene import looking_at

CAMERA = np.array([[400.0, 0, 200], [0, 400, 150], [0, 0, 1]])


CONFIG = ViewpointConfig()


def speckled(seed: int = 0) -> np.ndarray:
    """Random blots of several sizes, (300, 400, 3)."""
    dice = np.random.default_rng(seed)
    sheets = [cv2.resize(dice.uniform(0, 80, (300 // n, 400 // n, 3)), (400, 300)) for n in (4, 10, 30)]
    return np.clip(sum(sheets), 0, 255).astype(np.uint8)


def turned(picture: np.ndarray, degrees: float, axis=(0, 1, 0)) -> np.ndarray:
    """The picture that the camera takes after a turn about itself: the homography K R K^-1."""
    turn = cv2.Rodrigues(np.array(axis, float) * math.radians(degrees))[0]
    warp = CAMERA @ turn @ np.linalg.inv(CAMERA)
    return cv2.warpPerspective(picture, warp, (400, 300), borderMode=cv2.BORDER_REFLECT)


@cache
def features_of_speckled(seed):
    return find_features(speckled(seed), None, CONFIG.features)


def found(after, seed=0):
    """What became of a speckled picture."""
    return compare_viewpoints(features_of_speckled(seed), find_features(after, None, CONFIG.features), CAMERA, CONFIG)


@pytest.mark.parametrize(("degrees", "axis"), [(8, (1, 0, 0)), (6, (0, 0, 1))])
def test_a_small_turn_is_none(degrees, axis):
    finding = found(turned(speckled(), degrees, axis))
    assert finding.state is Viewpoint.KEPT
    assert math.degrees(finding.rotation_rad) == pytest.approx(degrees, abs=0.2)


@pytest.mark.parametrize(("degrees", "axis"), [(15, (0, 0, 1)), (-18, (0, 1, 0))])
def test_a_large_turn_is_found_with_its_angle(degrees, axis):
    finding = found(turned(speckled(), degrees, axis))
    assert finding.state is Viewpoint.TURNED
    assert math.degrees(finding.rotation_rad) == pytest.approx(abs(degrees), abs=0.5)


def test_what_models_do_to_pictures_is_no_turn():
    picture = speckled()
    dice = np.random.default_rng(1)
    bend = [cv2.resize(dice.normal(0, 1.5, (5, 5)).astype(np.float32), (400, 300)) for _ in range(2)]
    rows, columns = np.mgrid[:300, :400].astype(np.float32)
    for changed in (
        cv2.imdecode(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 30])[1], cv2.IMREAD_COLOR),
        cv2.remap(picture, columns + bend[0], rows + bend[1], cv2.INTER_LINEAR),
        cv2.resize(picture[8:-8, 10:-10], (400, 300)),
    ):
        finding = found(changed)
        assert finding.state is Viewpoint.KEPT
        assert math.degrees(finding.rotation_rad) < 5


def test_without_common_features_nothing_is_known():
    plain = np.full((300, 400, 3), 128, np.uint8)
    nothing = find_features(plain, None, CONFIG.features)
    none = compare_viewpoints(nothing, nothing, CAMERA, CONFIG)
    assert (none.state, none.matches) == (Viewpoint.UNKNOWN, 0)
    other = found(speckled(1))
    assert (other.state, other.rotation_rad) == (Viewpoint.UNKNOWN, None)


def test_features_count_only_where_they_are_looked_at():
    """The left half stands still, the right half turns by 20 degrees: each half tells its own story."""
    before, after = speckled(), turned(speckled(), 20)
    left = np.zeros((300, 400), np.bool_)
    left[:, :200] = True
    mixed = np.where(left[..., None], before, after)
    for looked_at, state in ((left, Viewpoint.KEPT), (~left, Viewpoint.TURNED)):
        features = [find_features(one, looked_at, CONFIG.features) for one in (before, mixed)]
        assert compare_viewpoints(*features, CAMERA, CONFIG).state is state


def test_a_large_picture_tells_the_same():
    """At three times the size it is reduced first, and K holds for the picture as it was given."""
    large = [
        cv2.resize(one, (1200, 900), interpolation=cv2.INTER_CUBIC) for one in (speckled(), turned(speckled(), 20))
    ]
    features = [find_features(one, None, CONFIG.features) for one in large]
    finding = compare_viewpoints(*features, np.diag([3.0, 3.0, 1.0]) @ CAMERA, CONFIG)
    assert finding.state is Viewpoint.TURNED
    assert math.degrees(finding.rotation_rad) == pytest.approx(20, abs=0.5)


def orbit(scene, degrees):
    """The scene from a camera that went around the table's middle by an angle."""
    camera, turn = scene.camera, math.radians(degrees)
    x, y, z = camera.eye
    eye = (math.cos(turn) * x + math.sin(turn) * z, y, -math.sin(turn) * x + math.cos(turn) * z)
    view = looking_at(eye, (0.0, 0.0, 0.0), 0.0, camera.focal_px, (camera.width, camera.height))
    return replace(scene, camera=view, noise_seed=scene.noise_seed + degrees)


@cache
def seen_from(seed, degrees):
    return find_features(render_scene(orbit(generate_scene(seed), degrees)), None, CONFIG.features)


@pytest.mark.parametrize(("degrees", "states"), [(2, {Viewpoint.KEPT}), (20, {Viewpoint.TURNED, Viewpoint.UNKNOWN})])
def test_a_camera_around_a_table(degrees, states):
    """Smooth tables have few features, so a turn may stay unknown; but none is found where there is none, or not."""
    seen = []
    for seed in (0, 4) if len(states) > 1 else (4,):
        features = [seen_from(seed, angle) for angle in (0, degrees)]
        seen.append(compare_viewpoints(*features, np.array(generate_scene(seed).camera.intrinsics), CONFIG).state)
    assert set(seen) <= states
    assert len(states) == 1 or seen.count(Viewpoint.TURNED) >= 2


def test_exact_points_give_the_exact_motion():
    """Points at depths of 2 to 6 m, a turn of 25 degrees and a step of 0.5 m; OpenCV's recoverPose gives the same."""
    dice = np.random.default_rng(0)
    points = dice.uniform((-1, -1, 2), (1, 1, 6), (60, 3))
    turn = cv2.Rodrigues(np.array([0.1, 1.0, 0.2]) / math.sqrt(1.05) * math.radians(25))[0]
    moved = points @ turn.T + (0.4, 0.0, 0.3)
    before, after = (one[:, :2] / one[:, 2:] * 400 + (200, 150) for one in (points, moved))
    config = CameraMotionConfig(sample_reaches_px=(0.5,))
    starts = candidate_poses(before, after, CAMERA, config)
    seen = rays(before, CAMERA), rays(after, CAMERA)
    motion = fit_motion(*seen, starts, 1 / 400, math.radians(100), config)
    assert motion.agrees.all()
    assert math.degrees(motion.rotation_rad) == pytest.approx(25, abs=1e-3)
    essential, _ = cv2.findEssentialMat(before, after, CAMERA, cv2.RANSAC, 0.999, 0.1)
    _, outside, _, _ = cv2.recoverPose(essential[:3], before, after, CAMERA)
    assert motion.rotation_rad == pytest.approx(np.linalg.norm(cv2.Rodrigues(outside)[0]), abs=1e-4)
    # No motion of at most 10 degrees explains as much.
    small = fit_motion(*seen, starts, 1 / 400, math.radians(10), config)
    assert small.rotation_rad <= math.radians(10) + 1e-9
    assert small.cost > motion.cost + 10


def test_the_same_pictures_give_the_same_to_the_bit():
    first = found(turned(speckled(), 13))
    features_of_speckled.cache_clear()
    assert found(turned(speckled(), 13)) == first
