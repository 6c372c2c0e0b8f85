"""The motion of a camera from points of known geometry, and features from descriptors that are set by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from detectors.spatial_edit.viewpoint.config import CameraMotionConfig, FeaturesConfig, ViewpointConfig
from detectors.spatial_edit.viewpoint.epipolar import Poses, candidate_poses, fit_motion, rays
from detectors.spatial_edit.viewpoint.turning import (
    Features,
    Viewpoint,
    compare_viewpoints,
    find_features,
    matched_features,
)

CAMERA = np.array([[400.0, 0.0, 200.0], [0.0, 400.0, 150.0], [0.0, 0.0, 1.0]])
CONFIG = ViewpointConfig()


def scattered(count: int = 40, seed: int = 0) -> np.ndarray:
    """Points at depths of 2 to 6 m."""
    return np.random.default_rng(seed).uniform((-1, -1, 2), (1, 1, 6), (count, 3))


def pixels(points: np.ndarray) -> np.ndarray:
    return points[:, :2] / points[:, 2:] * 400 + (200, 150)


def turned(points: np.ndarray, degrees: float, step=(0.4, 0.0, 0.3), axis=(0, 1, 0)) -> np.ndarray:
    way = np.array(axis, float) / np.linalg.norm(axis)
    return Rotation.from_rotvec(math.radians(degrees) * way).apply(points) + step


def stepped(points: np.ndarray, *step: float) -> np.ndarray:
    return points + np.array(step)


def features(points: np.ndarray, names=None, scale: float = 1.0) -> Features:
    """Each point has a descriptor of its own: one of 128 directions."""
    names = range(len(points)) if names is None else names
    return Features(points, np.eye(128, dtype=np.float32)[list(names)] * 100, scale)


def compared(points, moved, config=CONFIG):
    return compare_viewpoints(features(pixels(points)), features(pixels(moved)), CAMERA, config)


def test_rays_are_pixels_under_the_inverse_of_the_camera():
    found = rays(np.array([[200.0, 150.0], [240.0, 110.0]]), CAMERA)
    assert found == pytest.approx(np.array([[0.0, 0.0, 1.0], [0.1, -0.1, 1.0]]))


@pytest.mark.parametrize(
    ("degrees", "state"), [(9.9, Viewpoint.KEPT), (10.1, Viewpoint.UNKNOWN), (12, Viewpoint.TURNED),
                           (-12, Viewpoint.TURNED), (60, Viewpoint.TURNED)]
)  # fmt: skip
def test_a_camera_that_turned_by_more_than_10_degrees_turned(degrees, state):
    """Just above, a turn of 10 degrees explains the same points, so that it is not known."""
    points = scattered()
    found = compared(points, turned(points, degrees))
    assert found.state is state
    assert found.matches == 40
    if state is not Viewpoint.UNKNOWN:
        assert math.degrees(found.rotation_rad) == pytest.approx(abs(degrees), abs=0.01)
        assert found.agreeing == 40


@pytest.mark.parametrize("axis", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, -1, 1)])
def test_turns_about_any_axis_are_found(axis):
    points = scattered()
    found = compared(points, turned(points, 20, (0.3, 0.2, -0.4), axis))
    assert found.state is Viewpoint.TURNED
    assert math.degrees(found.rotation_rad) == pytest.approx(20, abs=0.01)


def test_a_step_without_a_turn_is_none():
    points = scattered()
    for step in ((0.4, 0, 0), (0, -0.3, 0), (0, 0, 0.5), (0.2, 0.2, -0.5)):
        found = compared(points, stepped(points, *step))
        assert found.state is Viewpoint.KEPT
        assert found.rotation_rad == pytest.approx(0, abs=1e-4)


def test_fewer_than_10_features_say_nothing():
    points = scattered()
    for count, state in ((9, Viewpoint.UNKNOWN), (10, Viewpoint.KEPT)):
        found = compared(points[:count], stepped(points[:count], 0.3, 0.0, 0.1))
        assert (found.state, found.matches) == (state, count)
    # Ten have to agree.
    moved = stepped(points, 0.3, 0.0, 0.1)
    noise = np.random.default_rng(2).uniform(-300, 300, (40, 2))
    after = pixels(moved)
    after[9:] += noise[9:]
    found = compare_viewpoints(features(pixels(points)), features(after), CAMERA, CONFIG)
    assert found.matches == 40
    assert found.state is not Viewpoint.TURNED


def test_ten_features_have_to_agree():
    """Of twelve that have nothing to do with one another a motion explains some, and says nothing."""
    dice = np.random.default_rng(4)
    one, other = dice.uniform(0, 400, (12, 2)), dice.uniform(0, 400, (12, 2))
    found = compare_viewpoints(features(one), features(other), CAMERA, CONFIG)
    assert (found.state, found.rotation_rad, found.matches) == (Viewpoint.UNKNOWN, None, 12)
    assert found.agreeing < 10
    # If as few had to agree, it would be told by these.
    few = replace(CONFIG, features=FeaturesConfig(least_matches=found.agreeing))
    assert compare_viewpoints(features(one), features(other), CAMERA, few).rotation_rad is not None


def test_of_two_motions_that_of_more_features_counts():
    """50 of 60 points turned by 20 degrees and the others did not, or the other way around."""
    points = scattered(60)
    after, still = pixels(turned(points, 20)), pixels(stepped(points, 0.4, 0.0, 0.3))
    for many, state in ((10, Viewpoint.TURNED), (50, Viewpoint.KEPT)):
        mixed = np.concatenate([after[: 60 - many], still[60 - many :]])
        found = compare_viewpoints(features(pixels(points)), features(mixed), CAMERA, CONFIG)
        assert found.state is state
        assert 45 <= found.agreeing < 60


@pytest.mark.parametrize(("gain", "share", "state"), [(3.0, 0.1, Viewpoint.TURNED), (1000.0, 0.1, Viewpoint.UNKNOWN),
                                                      (3.0, 1.0, Viewpoint.UNKNOWN)])  # fmt: skip
def test_a_large_turn_has_to_explain_more(gain, share, state):
    points = scattered()
    config = replace(CONFIG, least_gain=gain, least_gain_share=share)
    assert compared(points, turned(points, 20), config).state is state


def test_pictures_that_were_reduced_are_measured_in_pixels_as_given():
    points = scattered()
    one, other = (features(pixels(at), scale=0.5) for at in (points, turned(points, 20)))
    found = compare_viewpoints(one, other, CAMERA, CONFIG)
    assert found.state is Viewpoint.TURNED
    assert math.degrees(found.rotation_rad) == pytest.approx(20, abs=0.01)


def motion(off_px: float, config: CameraMotionConfig, most: float = 100.0):
    """30 points that moved along x by different amounts, and one that is so much off across."""
    points = scattered(30)
    before, after = pixels(points), pixels(stepped(points, 0.5, 0.0, 0.0))
    after[0, 1] += off_px
    starts = candidate_poses(before, after, CAMERA, config)
    return fit_motion(rays(before, CAMERA), rays(after, CAMERA), starts, 1.5 / 400, math.radians(most), config)


def test_points_within_reach_agree():
    """Sampson's distance of a point off across is off / sqrt(2): within 1.5 px up to 2.12."""
    near, far = motion(1.9, CameraMotionConfig()), motion(2.5, CameraMotionConfig())
    assert near.agrees.all()
    assert 0.5 < near.cost < 1.0
    assert far.agrees.tolist() == [False] + [True] * 29
    assert 1.0 < far.cost < 1.1
    assert motion(0.0, CameraMotionConfig()).cost == pytest.approx(0.0, abs=1e-9)


def test_a_turn_is_cut_down_to_the_most():
    points = scattered()
    before, after = pixels(points), pixels(turned(points, 30))
    config = CameraMotionConfig()
    starts = candidate_poses(before, after, CAMERA, config)
    seen = rays(before, CAMERA), rays(after, CAMERA)
    small = fit_motion(*seen, starts, 1.5 / 400, math.radians(12), config)
    assert small.rotation_rad <= math.radians(12) + 1e-9
    assert fit_motion(*seen, starts, 1.5 / 400, math.radians(40), config).rotation_rad == pytest.approx(
        math.radians(30), abs=1e-6
    )
    assert fit_motion(*seen, Poses(np.zeros((0, 3, 3)), np.zeros((0, 3))), 1.0, 1.0, config) is None


def test_points_behind_the_camera_do_not_agree():
    """The same lines, but the two rays of the last point part from each other: they meet behind both cameras."""
    points = scattered(30)
    before, after = pixels(points), pixels(stepped(points, 0.5, 0.0, 0.0))
    after[-1, 0] = before[-1, 0] - 40
    config = CameraMotionConfig()
    starts = candidate_poses(before, after, CAMERA, config)
    found = fit_motion(rays(before, CAMERA), rays(after, CAMERA), starts, 1.5 / 400, 0.5, config)
    assert found.agrees.tolist() == [True] * 29 + [False]
    # By half a pixel, 0.00125 rad, it could as well be far away.
    after[-1, 0] = before[-1, 0] - 0.5
    found = fit_motion(rays(before, CAMERA), rays(after, CAMERA), starts, 1.5 / 400, 0.5, config)
    assert found.agrees.all()
    after[-1, 0] = before[-1, 0] - 1.2
    found = fit_motion(rays(before, CAMERA), rays(after, CAMERA), starts, 1.5 / 400, 0.5, config)
    assert found.agrees.tolist() == [True] * 29 + [False]


def test_starts_are_motions_of_unit_steps_with_13_that_do_not_turn():
    points = scattered(30)
    before, after = pixels(points), pixels(turned(points, 15))
    starts = candidate_poses(before, after, CAMERA, CameraMotionConfig(sample_reaches_px=(0.5,)))
    assert len(starts) == len(starts.translations) >= 13 + 2
    assert np.linalg.norm(starts.translations, axis=1) == pytest.approx(np.ones(len(starts)))
    still = [way for turn, way in zip(starts.rotations, starts.translations, strict=True) if (turn == np.eye(3)).all()]
    assert len(still) == 13
    # No two of them are the same or opposite.
    assert all(abs(one @ other) < 0.999 for at, one in enumerate(still) for other in still[:at])
    angles = np.degrees(Rotation.from_matrix(starts.rotations).magnitude())
    assert np.abs(angles - 15).min() < 0.5


def test_the_starts_that_fit_best_are_followed():
    """With one round and one start of those that do not turn, nothing is found; with the right one it is."""
    points = scattered(30)
    before, after = pixels(points), pixels(turned(points, 30))
    seen = rays(before, CAMERA), rays(after, CAMERA)
    starts = candidate_poses(before, after, CAMERA, CameraMotionConfig())
    for many in (1, 10):
        found = fit_motion(*seen, starts, 1.5 / 400, 1.7, CameraMotionConfig(starts_kept=many, rounds=2))
        assert math.degrees(found.rotation_rad) == pytest.approx(30, abs=0.1)
    idle = Poses(np.eye(3)[None], np.array([[1.0, 0.0, 0.0]]))
    none = fit_motion(*seen, idle, 1.5 / 400, 1.7, CameraMotionConfig(rounds=0))
    assert none.rotation_rad == 0.0
    assert not none.agrees.all()


def test_a_feature_is_found_again_if_the_second_best_is_farther_by_a_third():
    """Distances of 1 and 1.34 are in a ratio of 0.746, those of 1 and 1.33 of 0.752; 0.75 is asked for."""

    def pair(second: float):
        before = Features(np.array([[10.0, 20.0], [0.0, 0.0]]), np.zeros((2, 128), np.float32), 1.0)
        before.descriptors[1, 5] = 1000
        near, far = np.zeros((2, 128), np.float32)
        near[0], far[1] = 1.0, second
        after = Features(np.array([[30.0, 40.0], [50.0, 60.0]]), np.stack([near, far]), 1.0)
        return matched_features(before, after, CONFIG.features)

    first, second = pair(1.34)
    assert (first.tolist(), second.tolist()) == ([[10.0, 20.0]], [[30.0, 40.0]])
    first, second = pair(1.33)
    assert first.shape == second.shape == (0, 2)


def test_no_place_is_used_twice():
    """Two features before are like one after: the nearer one has it. Two at one place before count once."""
    before = features(np.array([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]]), (0, 0, 7))
    before.descriptors[0, 1] = 30
    before.descriptors[1, 1] = 20
    after = features(np.array([[5.0, 5.0], [6.0, 6.0]]), (0, 7))
    first, second = matched_features(before, after, CONFIG.features)
    assert first.tolist() == [[2.0, 2.0], [3.0, 3.0]]
    assert second.tolist() == [[5.0, 5.0], [6.0, 6.0]]
    twice = features(np.array([[1.0, 1.0], [1.0, 1.0], [3.0, 3.0]]), (0, 1, 7))
    first, second = matched_features(twice, features(np.array([[5.0, 5.0], [6.0, 6.0], [7.0, 7.0]]), (0, 1, 7)),
                                     CONFIG.features)  # fmt: skip
    assert first.tolist() == [[1.0, 1.0], [3.0, 3.0]]


def test_pictures_without_two_features_have_none_in_common():
    points = np.array([[1.0, 1.0], [2.0, 2.0]])
    for one, other in ((points[:1], points), (points, points[:1]), (points[:0], points)):
        first, second = matched_features(features(one), features(other), CONFIG.features)
        assert first.shape == second.shape == (0, 2)
    first, _ = matched_features(features(points), features(points), CONFIG.features)
    assert first.tolist() == points.tolist()


def test_of_many_matches_each_second_or_so_is_taken():
    points = scattered(20)[:, :2]
    for most, count in ((21, 20), (20, 10), (19, 10), (9, 7)):
        config = FeaturesConfig(most_matches=most)
        first, second = matched_features(features(points), features(points), config)
        assert len(first) == len(second) == count


def blots(seed: int = 0) -> np.ndarray:
    noise = np.random.default_rng(seed).normal(size=(120, 160, 3))
    smooth = cv2.GaussianBlur(noise, (0, 0), 2)
    return np.clip(128 + 50 * smooth / smooth.std(), 0, 255).astype(np.uint8)


def test_features_have_places_in_pixels_of_the_picture_as_given():
    """A dot whose middle is that of pixel (40, 70) lies at (40.5, 70.5), also where the picture is reduced.

    OpenCV's own places are half a pixel off to the right and below, as the first octave is enlarged.
    """
    picture = np.full((120, 160, 3), 100, np.uint8)
    cv2.circle(picture, (40, 70), 6, (220, 220, 220), -1, cv2.LINE_AA)
    for config, scale in ((FeaturesConfig(), 1.0), (FeaturesConfig(side_px=80), 0.5)):
        found = find_features(picture, None, config)
        assert found.scale == scale
        assert np.hypot(*(found.points - (41.0, 71.0)).T).min() < 0.5
        assert found.descriptors.shape == (len(found.points), 128)
    assert find_features(picture, None, FeaturesConfig(side_px=160)).scale == 1.0
    assert find_features(picture, None, FeaturesConfig(side_px=159)).scale == pytest.approx(159 / 160)


def test_features_count_where_they_are_looked_at_alone():
    everywhere = find_features(blots(), None, FeaturesConfig())
    left = np.zeros((120, 160), np.bool_)
    left[:, :80] = True
    half = find_features(blots(), left, FeaturesConfig())
    inside = everywhere.points[:, 0] < 80
    assert 5 < len(half.points) < len(everywhere.points)
    assert half.points.tolist() == everywhere.points[inside].tolist()
    assert half.descriptors.tolist() == everywhere.descriptors[inside].tolist()
    top = np.zeros((120, 160), np.bool_)
    top[:50] = True
    assert (find_features(blots(), top, FeaturesConfig()).points[:, 1] < 50).all()


def test_a_plain_picture_has_no_features_and_many_are_cut():
    plain = np.full((120, 160, 3), 100, np.uint8)
    found = find_features(plain, None, FeaturesConfig())
    assert found.points.shape == (0, 2)
    assert found.descriptors.shape == (0, 128)
    assert len(find_features(blots(), None, FeaturesConfig(most=20)).points) <= 21
    faint = (100 + (blots().astype(int) - 128) // 8).astype(np.uint8)
    assert len(find_features(faint, None, FeaturesConfig()).points) > 3 * len(
        find_features(faint, None, FeaturesConfig(contrast=0.04)).points
    )
