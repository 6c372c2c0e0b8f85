"""Frames of a maze's clip that are read only where they changed: as if each had been read whole."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
import pytest

from detectors.maze.clips.blobs import BlobFinder
from detectors.maze.clips.depth import DepthMap
from detectors.maze.clips.kind import MotionKind
from detectors.maze.clips.reading import FrameReader
from grader.alignment.clips import Follower
from grader.media.changes import changed_boxes, everywhere
from tests.maze.maze_clips import (
    SETTINGS,
    clip,
    codes,
    dot,
    faded,
    growing,
    judge,
    moved_by,
    noisy,
    prepared,
    square,
    travelling,
    way,
    without_wall,
)


@pytest.fixture(scope="module")
def sample():
    return square()


@pytest.fixture(scope="module")
def puzzle(sample):
    return prepared(sample)


def pictures(sample):
    """A path that grows; a wall that is gone for two frames, a dot on the goal, noise and a drift of colours."""
    grown = growing(sample, frames=14)
    grown[5:7] = [without_wall(sample, picture, *sample.wall) for picture in grown[5:7]]
    grown[9:11] = [dot(sample, way(sample)[-1], on=picture) for picture in grown[9:11]]
    grown[12:14] = noisy(grown[12:14], 6.0)
    # Darker by 12 levels of 255: more than is taken for steady.
    return [*grown, *(np.maximum(picture, 12) - 12 for picture in grown[-3:]), grown[-1]]


def reduced(puzzle, picture):
    return cv2.resize(picture, puzzle.scene.size, interpolation=cv2.INTER_AREA)


def test_what_lies_beyond_the_boxes_is_equal():
    random = np.random.default_rng(5)
    for _ in range(200):
        height, width = random.integers(1, 200, 2).tolist()
        before = random.integers(0, 256, (height, width, 3), np.uint8)
        after = before.copy()
        for _ in range(random.integers(0, 6)):
            row, column = random.integers(height), random.integers(width)
            after[row : row + random.integers(1, 40), column, random.integers(3)] ^= 1
        hidden = after.copy()
        for box in changed_boxes(before, after):
            hidden[box] = before[box]
        assert np.array_equal(hidden, before)


def test_equal_pictures_have_no_box():
    picture = np.full((70, 90, 3), 9, np.uint8)
    assert changed_boxes(picture, picture.copy()) == ()


def test_a_frame_is_read_as_if_it_were_the_only_one(sample, puzzle):
    motion = SETTINGS.motion
    lean, thorough = (FrameReader(puzzle.scene, motion.frame) for _ in range(2))
    lean_blobs = BlobFinder(puzzle.scene.factor, motion.blobs)
    walls = set()
    for picture in pictures(sample):
        view = reduced(puzzle, picture)
        # Each with another array, so that nothing is taken for the frame before.
        one, other = lean.read(view), thorough.read(view.copy(), everywhere(view.shape))
        assert np.array_equal(one.ink.mask, other.ink.mask)
        assert np.array_equal(one.grey, other.grey)
        assert one.borders_gone.tolist() == other.borders_gone.tolist()
        assert one.markers_gone == other.markers_gone
        assert one.ink.share == other.ink.share == pytest.approx(float(one.ink.mask.mean()))
        thorough_blobs = BlobFinder(puzzle.scene.factor, motion.blobs)
        assert lean_blobs.find(view, one.ink) == thorough_blobs.find(view, other.ink)
        walls |= {puzzle.scene.borders[index] for index in one.borders_gone.tolist()}
    assert walls == {tuple(sorted(sample.wall))}


def test_depths_are_kept_right():
    random = np.random.default_rng(7)
    mask = np.zeros((90, 120), np.uint8)
    depths = DepthMap()
    for step in range(120):
        center = tuple(random.integers(0, (120, 90)).tolist())
        cv2.circle(mask, center, int(random.integers(1, 12)), int(step % 3 > 0), -1)
        whole = cv2.distanceTransform(cv2.copyMakeBorder(mask, 1, 1, 1, 1, cv2.BORDER_CONSTANT), cv2.DIST_L2, 5)
        assert np.array_equal(depths.update(mask.copy()), whole[1:-1, 1:-1])


@pytest.mark.parametrize("zoom", [1.0, 1.01], ids=["as it was", "shifted"])
def test_a_frame_that_is_drawn_in_parts_is_drawn_as_a_whole(sample, puzzle, zoom):
    maze = SETTINGS
    parts, scene = [], puzzle.scene
    follower = Follower(puzzle.template, scene.picture, scene.factor, maze.alignment, maze.follow)
    for frame in clip([moved_by(picture, 0.0, 0.0, zoom) for picture in pictures(sample)[:12]]):
        drawn = follower.draw(frame).pixels
        alone = Follower(puzzle.template, scene.picture, scene.factor, maze.alignment, maze.follow)
        alone._current = follower.current  # the same map, and nothing drawn before
        whole = alone._view(frame.pixels, follower.current)
        # Both round to whole levels, from coordinates that are rounded in another way.
        assert int(cv2.absdiff(drawn, whole).max()) <= 1
        parts.append(follower.changed)
    assert any(boxes is not None and boxes != everywhere(scene.picture.shape) for boxes in parts)


def test_a_wall_that_fades_away_by_a_level_a_frame_is_missed(sample):
    """What changes by little from frame to frame is compared with the maze all the same, not with the frame before."""
    picture = sample.pictures.input
    fading = faded(picture, without_wall(sample, picture, *sample.wall), 120)
    # 120 steps are enough for none to be larger than 255 / 119, which is less than 3 levels.
    assert max(int(cv2.absdiff(one, other).max()) for one, other in pairwise(fading)) <= 3
    judgement = judge(sample, [*fading, *fading[::-1], *growing(sample)])
    assert codes(judgement) == ["WALLS_CHANGED"]


def test_a_dot_that_is_hardly_there_is_followed(sample):
    """One of a twentieth of a cell's width in radius; it moves by a part of that from frame to frame."""
    judgement = judge(sample, travelling(sample, frames=90, radius=0.05))
    assert (judgement.kind, codes(judgement)) == (MotionKind.MOVING_MARKER, [])
