"""Frames of a clip against the maze: what is ink, what is gone, what lasts, and what moved."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from detectors.maze.clips.blobs import BlobFinder, Spot
from detectors.maze.clips.config import BlobConfig, FrameConfig, SceneConfig, SpellConfig
from detectors.maze.clips.findings import Blob, Sight
from detectors.maze.clips.reading import FrameInk, FrameReader
from detectors.maze.clips.scene import MotionScene, spread_of
from detectors.maze.plan.walls import FloorplanConfig, read_floorplan
from tests.maze.clip_stages.scenes import (
    BLUE,
    CONFIG,
    LEFT,
    PLAN,
    SCENE,
    TOP,
    WALL_BOX,
    WAYS,
    X,
    Y,
    findings,
    painted,
    read_one,
    spot,
    strip,
)
from tests.maze.stages.plans import AROUND, CELL, DARK, FLOOR, RED, WALL, drawn_maze, middle

# --- the scene ---


def test_a_scene_is_the_plan_or_half_of_it():
    assert (SCENE.factor, SCENE.size, SCENE.cell_px) == (1, (128, 96), 32.0)
    # 128 x 96 = 12288 pixels; a cell of 32 may be halved to 16, but not to less than 14.
    for most, factor in ((12288, 1), (12287, 2), (1000, 2)):
        assert MotionScene(PLAN, SceneConfig(max_pixels=most)).factor == factor
    assert MotionScene(PLAN, SceneConfig(max_pixels=1000, min_cell_px=16.0)).factor == 2
    assert MotionScene(PLAN, SceneConfig(max_pixels=1000, min_cell_px=16.5)).factor == 1


def test_a_speck_is_a_share_of_a_cell_squared():
    assert SCENE.speck_px == 0.008 * 32**2
    assert MotionScene(PLAN, SceneConfig(max_pixels=1000)).speck_px == 0.008 * 16**2


def test_borders_are_the_walls_between_cells():
    assert SCENE.borders == ((1, 4), (2, 5))
    assert SCENE.border_lengths.tolist() == [44, 44]
    assert SCENE.border_owner.tolist() == [0] * 44 + [1] * 44
    assert (PLAN.picture.reshape(-1, 3)[SCENE.border_at] == DARK).all()
    # Without contrast there are none.
    assert MotionScene(replace(PLAN, picture=np.full_like(PLAN.picture, 9)), CONFIG.scene).borders == ()
    # A wall of which too little stands is not looked at; three pixels do.
    almost = PLAN.picture.copy()
    almost[WALL_BOX] = FLOOR
    for columns, borders in ((0, ((1, 4),)), (3, ((1, 4), (2, 5)))):
        almost[TOP - 2 : TOP + 2, X : X + columns] = DARK
        assert MotionScene(replace(PLAN, picture=almost), CONFIG.scene).borders == borders


def test_colours_of_floor_and_walls():
    assert (SCENE.floor_rgb.tolist(), SCENE.wall_rgb.tolist()) == (list(FLOOR), list(DARK))
    assert (SCENE.floor_grey, SCENE.wall_grey) == (pytest.approx(255.0), 0.0)
    grey = MotionScene(replace(PLAN, picture=painted((10, 20, 30), np.s_[:])), CONFIG.scene)
    # ITU-R BT.601: 0.299 R + 0.587 G + 0.114 B.
    assert grey.floor_grey == pytest.approx(0.299 * 10 + 0.587 * 20 + 0.114 * 30)


def test_the_range_around_a_pixel():
    assert SCENE.low[TOP - 3, X].tolist() == list(DARK)  # beside the wall
    assert SCENE.low[TOP - 4, X].tolist() == list(FLOOR)
    assert SCENE.high[TOP - 2, X].tolist() == list(FLOOR)
    assert SCENE.high[TOP - 1, X].tolist() == list(DARK)


def test_around_markers_more_is_left_alone():
    """As near as 0.25 cells, 8 pixels: by 40 levels."""
    mask, box = SCENE.markers[0]
    assert mask.sum() == PLAN.markers[0].mask.sum()
    # A tenth of a cell, 3.2, so 4 pixels around it.
    disc = PLAN.markers[0]
    assert (box[0].start, box[1].stop) == (disc.top - 4, disc.left + disc.mask.shape[1] + 4)
    row = disc.top + disc.mask.shape[0] // 2
    right = disc.left + disc.mask.shape[1] - 1
    assert SCENE.low[row, right + 8].tolist() == [215, 215, 215]
    assert SCENE.low[row, right + 9].tolist() == [255, 255, 255]
    assert SCENE.spread[row, right + 8] == 40
    assert SCENE.spread[row, right + 9] == 0


def test_noise_is_told_from_quartiles():
    dice = np.random.default_rng(2)
    grained = np.clip(PLAN.picture.astype(float) - 60 + dice.normal(0, 10, PLAN.picture.shape), 0, 255).astype(np.uint8)
    assert SCENE.noise(grained) == pytest.approx(10.0, rel=0.15)
    assert SCENE.noise(PLAN.picture) == 0.0
    assert SCENE.noise(painted((100, 90, 80), np.s_[:])) == 0.0


def test_the_spread_of_channels():
    assert spread_of(np.array([[[10, 50, 30], [7, 7, 7], [255, 0, 9]]], np.uint8)).tolist() == [[40, 0, 255]]


# --- a frame ---


def test_the_maze_itself_has_no_ink():
    seen = read_one(PLAN.picture)
    assert not seen.ink.mask.any()
    assert seen.ink.mask.dtype == np.uint8
    assert (seen.ink.share, seen.ink.kept.tolist(), seen.borders_gone.tolist(), seen.markers_gone) == (0.0, [], [], ())
    assert np.array_equal(seen.grey, cv2.cvtColor(PLAN.picture, cv2.COLOR_RGB2GRAY))


def test_ink_differs_by_some_levels():
    """More than 36; grey has no spread of channels."""
    patch = np.s_[Y - 3 : Y + 3, X - 3 : X + 3]
    assert not read_one(painted((255 - 36,) * 3, patch)).ink.mask.any()
    seen = read_one(painted((255 - 37,) * 3, patch))
    assert seen.ink.mask[patch].all()
    assert seen.ink.share == 36 / PLAN.labels.size


def test_ink_has_colour_where_any_grey_may_be():
    """Beside a wall every grey may be; there more than 40 levels between channels are ink."""
    patch = np.s_[TOP + 2 : TOP + 3, X - 8 : X + 8]
    assert not read_one(painted((100, 120, 140), patch)).ink.mask.any()
    assert read_one(painted((100, 120, 141), patch)).ink.mask[patch].all()


def test_specks_are_left_out():
    """0.008 of 1024 is 8.2 pixels."""
    assert not read_one(painted(BLUE, np.s_[Y : Y + 2, X : X + 4])).ink.mask.any()
    seen = read_one(painted(BLUE, np.s_[Y : Y + 3, X : X + 3], np.s_[Y - 8 : Y - 6, X : X + 4]))
    assert seen.ink.mask.sum() == 9
    assert seen.ink.mask[Y : Y + 3, X : X + 3].all()


def test_noise_of_the_first_frame_raises_what_is_ink():
    """At 10 levels six times that is 60; it is never more than 90."""
    dice = np.random.default_rng(2)

    def grained(sigma: float) -> np.ndarray:
        noise = dice.normal(0, sigma, PLAN.picture.shape)
        return np.clip(PLAN.picture.astype(float) * 0.8 + 20 + noise, 0, 255).astype(np.uint8)

    for sigma, level in ((10.0, 60.0), (25.0, 90.0), (2.0, 36.0)):
        reader = FrameReader(SCENE, CONFIG.frame)
        reader.read(grained(sigma))
        assert reader._least == pytest.approx(level, rel=0.12)


def test_a_wall_is_gone_where_more_than_half_of_it_became_floor():
    """44 pixels count, two in each column: a hole of n columns shows n - 2, since the darkest around each counts."""
    for columns, gone in ((13, []), (14, [1])):
        hole = np.s_[TOP - 2 : TOP + 2, X - 7 : X - 7 + columns]
        assert read_one(painted(FLOOR, hole)).borders_gone.tolist() == gone
    # 0.4 of the way from floor to wall is a level of 153.
    for level, gone in ((154, [1]), (152, [])):
        assert read_one(painted((level,) * 3, WALL_BOX)).borders_gone.tolist() == gone
    # What is painted in a colour is not gone.
    assert read_one(painted((255, 255, 120), WALL_BOX)).borders_gone.tolist() == []


def test_a_marker_is_gone_where_more_than_a_share_became_floor():
    disc = PLAN.markers[0]
    at = np.argwhere(disc.mask) + np.array([disc.top, disc.left])
    for count, gone in ((int(0.6 * len(at)), ()), (int(0.6 * len(at)) + 1, (0,))):
        picture = PLAN.picture.copy()
        picture[tuple(at[:count].T)] = FLOOR
        seen = read_one(picture)
        assert seen.markers_gone == gone
        # Floor where a marker was is no ink.
        assert not seen.ink.mask.any()


def test_what_lies_on_a_marker_differs_by_more():
    """36 + 40 levels: in red 255 - 76."""
    mask = PLAN.marker_mask & (PLAN.labels == 1)
    for level, inked in ((255 - 76, False), (255 - 77, True)):
        picture = PLAN.picture.copy()
        picture[mask] = (level, 0, 0)
        assert read_one(picture).ink.mask.any() == inked


def test_a_dot_on_a_cross_of_its_colour_is_joined_over_the_arms():
    """Between the arms it shows; what is as narrow as an arm is closed there."""
    picture, labels = drawn_maze(2, 3, WAYS, {})
    x, y = middle(5, 3)
    cv2.line(picture, (x - 9, y - 9), (x + 9, y + 9), RED, 2)
    cv2.line(picture, (x - 9, y + 9), (x + 9, y - 9), RED, 2)
    plan = read_floorplan(picture, (labels,), CELL, WALL, 1, FloorplanConfig())
    scene = MotionScene(plan, CONFIG.scene)
    arms = plan.marker_mask
    for radius, joined in ((5, False), (11, True)):
        ink = read_one(spot(x, y, radius, RED, on=picture), scene=scene).ink
        assert bool(np.count_nonzero(ink.mask[arms]) > 0.3 * arms.sum()) is joined, radius
    # Of a disc nothing is joined.
    discs = replace(CONFIG.frame, disc=0.1)
    assert not read_one(spot(x, y, 9, RED, on=picture), discs, scene).ink.mask[arms].any()


def test_a_drift_of_colours_is_no_ink():
    """40 levels at most; of one up to 4 nothing is undone."""
    darker = np.maximum(PLAN.picture, 30) - 30
    assert not read_one(darker).ink.mask.any()
    assert read_one(darker, replace(CONFIG.frame, max_drift=0.0, ink=20.0)).ink.mask.any()
    much = np.maximum(PLAN.picture, 90) - 90
    assert read_one(much).ink.mask.any()
    slight = np.maximum(PLAN.picture, 4) - 4
    assert not read_one(slight, replace(CONFIG.frame, ink=4.0)).ink.mask.any()
    assert read_one(slight, replace(CONFIG.frame, ink=3.0)).ink.mask.any()
    assert not read_one(np.maximum(PLAN.picture, 5) - 5, replace(CONFIG.frame, ink=3.0)).ink.mask.any()


def test_the_reading_of_an_equal_frame_is_the_one_before():
    reader = FrameReader(SCENE, CONFIG.frame)
    first = reader.read(PLAN.picture)
    assert reader.read(PLAN.picture.copy()) is first
    assert reader.read(spot(X, Y), ()) is first


# --- blobs ---


def blobs(picture, config=CONFIG.blobs) -> tuple[Blob, ...]:
    return BlobFinder(1, config).find(picture, read_one(picture).ink)[0]


def test_a_blob_is_a_disc_with_its_colour():
    picture = spot(X, Y, 6)
    found, area = BlobFinder(1, CONFIG.blobs).find(picture, read_one(picture).ink)
    (one,) = found
    assert (one.x, one.y) == (X + 0.5, Y + 0.5)
    # Six pixels and half of the middle one.
    assert one.radius == pytest.approx(6.5, abs=0.5)
    assert one.rgb == BLUE
    assert one.area == area == np.count_nonzero(read_one(picture).ink.mask)


def test_puzzle_pixels_per_pixel():
    picture = spot(X, Y, 6)
    (one,), area = BlobFinder(2, CONFIG.blobs).find(picture, read_one(picture).ink)
    assert (one.x, one.y) == (2 * (X + 0.5), 2 * (Y + 0.5))
    assert one.radius == pytest.approx(13.0, abs=1.0)
    assert one.area == area == 4 * np.count_nonzero(read_one(picture).ink.mask)


def test_a_blob_on_a_line_is_its_widest_spot():
    picture = painted(BLUE, np.s_[Y - 1 : Y + 1, LEFT + 4 : LEFT + 28])
    (one,) = blobs(spot(X - 4, Y, 5, on=picture))
    assert (one.x, one.y) == (pytest.approx(X - 3.5, abs=0.6), pytest.approx(Y + 0.5, abs=0.6))


def test_blobs_much_narrower_than_the_widest_are_none():
    """Less than 0.55 of its radius: of 6.2 that is 3.4. A disc of radius 3 is found as 3.2, one of 4 as 4.2."""
    x, y = middle(6, 3)
    for radius, count in ((3, 1), (4, 2)):
        found = blobs(spot(x, y, radius, on=spot(X, Y, 6)))
        assert len(found) == count
        assert found[0].x == X + 0.5
    many = PLAN.picture
    for cell in (2, 3, 5, 6):
        many = spot(*middle(cell, 3), 5, on=many)
    assert len(blobs(many)) == 4
    assert len(blobs(many, BlobConfig(most=2))) == 2


# --- what lasts ---


STEADY = replace(CONFIG, spells=replace(CONFIG.spells, scene_walls=0.6))
"""One of two walls that is gone is no other scene."""


def gone(*lengths: int) -> list[np.ndarray]:
    """Frames in turn with the wall and without it."""
    without = painted(FLOOR, WALL_BOX)
    return [
        PLAN.picture if number % 2 == 0 else without for number, length in enumerate(lengths) for _ in range(length)
    ]


def test_a_change_lasts_some_frames_and_some_time():
    """A tenth of a second at 25 frames a second: two frames are shown for 0.08 s, three for 0.12."""
    assert findings(*gone(2, 2, 2), config=STEADY).walls_gone == ()
    (change,) = findings(*gone(2, 3, 2), config=STEADY).walls_gone
    assert (change.first, change.last, change.first_s, change.last_s) == (2, 4, 2 / 25, 4 / 25)
    assert (change.borders, change.markers) == (((2, 5),), ())
    # Of slow clips two frames at least.
    assert findings(*gone(2, 1, 2), config=STEADY, rate=2).walls_gone == ()
    assert len(findings(*gone(2, 2, 2), config=STEADY, rate=2).walls_gone) == 1
    # Also where the clip ends with it.
    assert len(findings(*gone(2, 4), config=STEADY).walls_gone) == 1
    assert len(findings(*gone(1, 4, 1, 4, 1), config=STEADY).walls_gone) == 2


def test_single_flickers_beyond_some_are_not_remembered():
    few = replace(CONFIG, spells=SpellConfig(flickers=0, lasting_frames=1, lasting_s=0.0, scene_walls=0.6))
    assert findings(*gone(1, 1, 1), config=few).walls_gone == ()
    assert len(findings(*gone(1, 2, 1), config=few).walls_gone) == 1
    assert len(findings(*gone(1, 1, 1), config=replace(few, spells=replace(few.spells, flickers=1))).walls_gone) == 1


def test_a_marker_that_is_gone():
    without = painted(FLOOR, *(one.box for one in PLAN.markers[:1]))
    (change,) = findings(PLAN.picture, *[without] * 4, PLAN.picture).markers_gone
    assert (change.markers, change.first, change.last) == ((0,), 1, 4)


def test_another_scene():
    """More than 0.4 of the picture differs, or more than 0.3 of the walls are gone: of two, one."""
    rows = PLAN.picture.shape[0]
    for share, scenes in ((0.38, 0), (0.45, 1)):
        # In a colour that is neither floor nor wall, in rows.
        covered = painted((0, 160, 60), np.s_[: round(share * rows)])
        seen = findings(PLAN.picture, *[covered] * 4, PLAN.picture)
        assert len(seen.scenes) == scenes
        assert [sight.other_scene for sight in seen.sights] == [False] + [bool(scenes)] * 4 + [False]
        if scenes:
            assert all(sight.blobs == () and sight.fresh is None for sight in seen.sights if sight.other_scene)
            assert not seen.ever.any()
    # Two of two walls gone are another scene, and no walls that are gone.
    both = painted(FLOOR, WALL_BOX, np.s_[TOP - 2 : TOP + 2, LEFT - CELL + 2 : LEFT - 2])
    loose = replace(CONFIG, spells=replace(CONFIG.spells, scene_walls=1.0))
    assert len(findings(PLAN.picture, *[both] * 4).scenes) == 1
    assert len(findings(PLAN.picture, *[both] * 4, config=loose).walls_gone) == 2


# --- what came when ---


def test_ink_has_the_frame_in_which_it_came():
    seen = findings(PLAN.picture, strip(6), strip(12), strip(12))
    assert seen.arrival[Y, LEFT + 4 : LEFT + 18].tolist() == [1] * 6 + [2] * 6 + [-1, -1]
    assert seen.final.sum() == seen.ever.sum() == 48
    assert [sight.ink_area for sight in seen.sights] == [0.0, 24.0, 48.0, 48.0]
    assert (seen.most_area, seen.most_index) == (48.0, 2)
    # The middle of what came.
    assert [sight.fresh for sight in seen.sights] == [None, (LEFT + 7.0, Y + 0.0), (LEFT + 13.0, Y + 0.0), None]


def test_ink_that_is_missing_for_some_frames_was_taken_away():
    """For three: then it comes anew."""
    for missing, when in ((2, 1), (3, 5)):
        frames = [PLAN.picture, strip(6), *[PLAN.picture] * missing, strip(6)]
        assert findings(*frames).arrival[Y, LEFT + 6] == (1 if missing == 2 else when)
    taken = findings(PLAN.picture, strip(12), *[strip(6)] * 4)
    assert taken.arrival[Y, LEFT + 14] == -1
    assert taken.most_arrival[Y, LEFT + 14] == 1
    assert (taken.most_area, taken.most_index) == (48.0, 1)


def test_little_that_came_tells_no_place():
    """0.1 of 8.2 pixels: with 8 times as much 6 new ones are too few, with 7 times not."""
    for fresh, told in ((0.7, True), (0.8, False)):
        config = replace(CONFIG, spells=replace(CONFIG.spells, fresh=fresh))
        more = strip(6)
        more[Y - 2 : Y + 1, LEFT + 10 : LEFT + 12] = BLUE
        assert (findings(PLAN.picture, strip(6), more, config=config).sights[-1].fresh is not None) is told


def test_fidelity_is_the_share_of_the_background_that_stays():
    """Within 5 levels of grey; ink, two pixels around it, and markers do not count."""
    assert findings(PLAN.picture).fidelity is None
    assert findings(PLAN.picture, PLAN.picture).fidelity == 1.0
    row = np.s_[Y : Y + 1, LEFT + 4 : LEFT + 24]
    free = PLAN.labels.size - PLAN.marker_mask.sum()
    for level, share in ((250, 1.0), (249, 1.0 - 20 / free)):
        assert findings(PLAN.picture, painted((level,) * 3, row)).fidelity == pytest.approx(share)
    # Beside ink of 6 x 4 a rim of two pixels is left out: 10 x 8.
    near, far = np.s_[Y : Y + 1, LEFT + 12 : LEFT + 13], np.s_[Y : Y + 1, LEFT + 13 : LEFT + 14]
    inked = painted(BLUE, np.s_[Y - 2 : Y + 2, LEFT + 5 : LEFT + 11])
    seen = findings(PLAN.picture, painted((240,) * 3, near, on=inked))
    assert seen.fidelity == 1.0
    assert findings(PLAN.picture, painted((240,) * 3, far, on=inked)).fidelity == pytest.approx(1.0 - 1 / (free - 80))


def test_no_frames_no_motion():
    seen = findings()
    assert (seen.sights, seen.most_area, seen.most_index, seen.fidelity) == ((), 0.0, -1, None)
    assert not seen.final.any()


def test_data_is_plain():
    sight = Sight(0, 0.0, 1.0, (), None, False)
    assert sight == replace(sight)
    assert Spot(0, 0.0, Blob(1.0, 2.0, 3.0, (0.0, 0.0, 0.0), 4.0)).blob.y == 2.0
    ink = FrameInk(np.zeros((1, 1), np.uint8), np.zeros((0, 0)), np.zeros((1, 5)), (0, 0), np.zeros(0), 0.0)
    assert ink.share == 0.0
    assert FrameConfig().ink < FrameConfig().max_noise
    assert AROUND != FLOOR
