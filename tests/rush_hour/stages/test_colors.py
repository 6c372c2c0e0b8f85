"""Which thing a colour shows, and how colours are learned from a small picture of a lot."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from detectors.rush_hour.colors import (
    DARK,
    EXIT,
    FIRST_VEHICLE,
    FLOOR,
    FOREIGN,
    ColorClasses,
    LotPalette,
    at_pixels,
    color_gap,
    obstacle_points,
    pixels_at,
    read_palette,
    sampled,
    side_points,
    stated_palette,
    within,
)
from detectors.rush_hour.config import LOT_CONFIG, InsideConfig
from detectors.rush_hour.place import DARK_COLOR, EXIT_COLOR, hex_lab, inside_points, lab_of, placed
from puzzles.rush_hour.lot import Exit, Lot, Obstacle, Pose, Side
from tests.rush_hour.lot_clips import BLUE, RED, rgb, vehicle
from tests.rush_hour.stages.small_pictures import inside, view_of

CAR = vehicle("R", 2.0, 3.0, 0.0, RED, length=2.0, width=0.8)
TRUCK = vehicle("A", 5.0, 2.5, math.pi / 2, BLUE, length=2.4, width=0.8)
WALL = Obstacle("wall", 1.0, 0.8, Pose(1.5, 1.0, 0.0))
LOT = Lot(7.0, 5.0, (Exit(Side.RIGHT, 2.5, 3.5),), (CAR, TRUCK), (WALL,))
VIEW, SHAPE = view_of(LOT)
FLOOR_RGB, DARK_RGB, EXIT_RGB = (230, 230, 235), rgb(DARK_COLOR), rgb(EXIT_COLOR)


def drawn(exit_at: tuple[float, float] | None = (7.0, 3.0), exit_rgb: tuple[float, ...] = EXIT_RGB) -> np.ndarray:
    """The lot on white: floor, bodies, and an exit of 0.4 x 1.0 units on its right side."""
    picture = np.full((*SHAPE, 3), 255, np.uint8)
    picture[inside(VIEW, SHAPE, Pose(3.5, 2.5), 7.0, 5.0)] = FLOOR_RGB
    for body, color in ((CAR, rgb(RED)), (TRUCK, rgb(BLUE)), (WALL, DARK_RGB)):
        picture[inside(VIEW, SHAPE, body.pose, body.length, body.width)] = color
    if exit_at is not None:
        picture[inside(VIEW, SHAPE, Pose(*exit_at), 0.4, 1.0)] = exit_rgb
    return picture


PICTURE = drawn()


def lab(color: tuple[float, ...]) -> np.ndarray:
    return lab_of(np.array([[color]], np.uint8))[0, 0].astype(np.float64)


def palette_of(*vehicles: str, floors: tuple[tuple[float, ...], ...] = (FLOOR_RGB,)) -> LotPalette:
    return LotPalette(
        np.array([lab(tone) for tone in floors]),
        lab(DARK_RGB),
        lab(EXIT_RGB),
        np.array([hex_lab(one) for one in vehicles]),
    )


class TestDistance:
    def test_lightness_counts_by_seven_tenths(self) -> None:
        gap = color_gap(np.array([50.0, 3.0, 4.0]), np.array([40.0, 0.0, 0.0]), LOT_CONFIG)
        assert gap == pytest.approx(math.sqrt(7.0**2 + 3.0**2 + 4.0**2))

    def test_it_is_taken_of_many_at_once(self) -> None:
        many = np.zeros((2, 3, 3))
        many[1, 2] = (0.0, 6.0, 8.0)
        assert color_gap(many, np.zeros(3), LOT_CONFIG).tolist() == [[0, 0, 0], [0, 0, 10]]


class TestLab:
    @pytest.mark.parametrize(
        ("color", "expected"),  # by the formulas of CIE with sRGB's white, D65
        [("#FFFFFF", (100.0, 0.0, 0.0)), ("#000000", (0.0, 0.0, 0.0)), ("#FF0000", (53.24, 80.09, 67.20)),
         ("#00FF00", (87.73, -86.18, 83.18)), ("#0000FF", (32.30, 79.19, -107.86))],
    )  # fmt: skip
    def test_known_colours(self, color: str, expected: tuple[float, ...]) -> None:
        assert hex_lab(color) == pytest.approx(np.array(expected), abs=0.4)

    def test_shapes_are_kept(self) -> None:
        assert lab_of(np.zeros((4, 5, 3), np.uint8)).shape == (4, 5, 3)


class TestPoints:
    def test_points_inside_a_rectangle(self) -> None:
        # 0.5 * 4 = 2 long: at 3 a unit 6 points, a third of a unit apart; 0.5 wide: at least 4, an eighth apart.
        points = inside_points(4.0, 1.0, InsideConfig(0.5, 0.0, 3))
        assert len(points) == 24
        assert sorted(set(points[:, 0].round(9))) == pytest.approx([-5 / 6, -0.5, -1 / 6, 1 / 6, 0.5, 5 / 6])
        assert sorted(set(points[:, 1].round(9))) == pytest.approx([-0.1875, -0.0625, 0.0625, 0.1875])

    @pytest.mark.parametrize(("hole", "count"), [(0.0, 16), (0.2, 12), (0.4, 4), (0.5, 16)])
    def test_a_hole_is_left_out_unless_little_were_left(self, hole: float, count: int) -> None:
        # 4 x 4 points at 0.125 and 0.375: 4 are 0.18 from the middle, 8 are 0.40, 4 are 0.53. A quarter is too little.
        least = 0.3 if hole == 0.5 else 0.2
        config = InsideConfig(1.0, hole, 4, 4, least)
        assert len(inside_points(1.0, 1.0, config)) == (count if hole < 0.5 else 16)

    def test_points_are_turned_and_moved(self) -> None:
        moved = placed(np.array([[1.0, 0.0], [0.0, 1.0]]), 5.0, 6.0, math.pi / 6)
        half, root = 0.5, math.sqrt(3) / 2
        assert moved == pytest.approx(np.array([[5 + root, 6 + half], [5 - half, 6 + root]]))

    @pytest.mark.parametrize(
        ("side", "expected"),
        [(Side.LEFT, (-0.2, None)), (Side.RIGHT, (7.2, None)), (Side.BOTTOM, (None, -0.2)), (Side.TOP, (None, 5.2))],
    )
    def test_points_along_a_side_lie_outside_by_the_offset(self, side: Side, expected: tuple) -> None:
        points = side_points(Exit(side, 1.0, 2.0), LOT, 0.2, 0.25)
        across, along = (0, 1) if expected[0] is not None else (1, 0)
        assert points[:, across] == pytest.approx(expected[across])
        assert points[:, along] == pytest.approx(np.array([1.125, 1.375, 1.625, 1.875]))

    def test_there_are_two_points_at_least(self) -> None:
        assert len(side_points(Exit(Side.TOP, 1.0, 1.2), LOT, 0.0, 0.5)) == 2

    def test_corners_within(self) -> None:
        assert within(LOT, 0.5).tolist() == [[0.5, 0.5], [6.5, 0.5], [6.5, 4.5], [0.5, 4.5]]

    def test_pixels_are_counted_row_by_row_and_kept_within(self) -> None:
        # Row of y: (5 + 1) * 20 - 0.5 - 20 y. The point (0, 0) is at column 19.5, row 119.5, which is rounded up.
        points = np.array([[0.0425, 0.0], [1.02, 0.5], [-50.0, 50.0], [50.0, -50.0]])  # 0.0425 is column 20.35
        width, height = SHAPE[1], SHAPE[0]
        expected = [120 * width + 20, 110 * width + 40, 0, width * height - 1]
        assert pixels_at(SHAPE, VIEW, points).tolist() == expected
        picture = np.arange(width * height, dtype=np.uint32).astype(np.uint8).reshape(height, width)
        assert at_pixels(picture, np.array([3, width], np.int32)).tolist() == [3, width % 256]
        assert sampled(picture, VIEW, points).tolist() == [place % 256 for place in expected]

    def test_points_of_an_obstacle_lie_in_four_fifths_of_it(self) -> None:
        points = obstacle_points(WALL, LOT_CONFIG) - np.array([1.5, 1.0])
        assert np.abs(points).max(axis=0) == pytest.approx([0.8 * 0.375, 0.64 * 0.375])  # 4 x 4 points
        assert len(points) == 16
        long = Obstacle("long", 3.0, 0.8, Pose(3.0, 3.0, 0.5))
        assert len(obstacle_points(long, LOT_CONFIG)) == 10 * 4  # 2.4 units at 4 a unit


class TestClasses:
    def test_the_nearest_colour_counts(self) -> None:
        classes = ColorClasses(palette_of(RED, BLUE), LOT_CONFIG)
        strip = np.array([[FLOOR_RGB, DARK_RGB, EXIT_RGB, rgb(RED), rgb(BLUE), (255, 0, 255)]], np.uint8)
        assert classes.classes(strip).tolist() == [[FLOOR, DARK, EXIT, FIRST_VEHICLE, FIRST_VEHICLE + 1, FOREIGN]]

    @pytest.mark.parametrize(("lightness", "kind"), [(10, FLOOR), (24, FOREIGN), (-10, FLOOR), (-24, FOREIGN)])
    def test_only_what_is_near_a_tone_of_the_floor_is_floor(self, lightness: int, kind: int) -> None:
        # Greys: 10 levels are about 4 of lightness, by 0.7: 3 of 12; 50 levels are some 20, by 0.7: 14 of 12.
        grey = 128 + 2 * lightness
        classes = ColorClasses(palette_of(RED, floors=((128, 128, 128),)), LOT_CONFIG)
        assert classes.classes(np.full((1, 1, 3), grey, np.uint8))[0, 0] == kind

    @pytest.mark.parametrize(("known", "kind"), [(25.0, FIRST_VEHICLE), (15.0, FOREIGN)])
    def test_far_from_all_colours_is_foreign(self, known: float, kind: int) -> None:
        config = replace(LOT_CONFIG, colors=replace(LOT_CONFIG.colors, known=known))
        shown = np.array([[[150, 20, 60]]], np.uint8)
        gap = float(color_gap(lab((150, 20, 60)), hex_lab(RED), LOT_CONFIG))
        assert 15 < gap < 25  # 18.4
        assert ColorClasses(palette_of(RED), config).classes(shown)[0, 0] == kind

    def test_default_limit(self) -> None:
        # 34 of 0.7 lightness: a red that is darker by 40 is within, by 55 is not; both are nearest to red.
        base = LotPalette(np.array([[98.0, 0, 0]]), np.array([0.0, 0, -90.0]), None, np.array([[80.0, 0.0, 0.0]]))
        classes = ColorClasses(base, LOT_CONFIG)
        for lightness, kind in ((80 - 46.0, FIRST_VEHICLE), (80 - 51.0, FOREIGN)):
            level = next(v for v in range(256) if lab((v, v, v))[0] >= lightness)
            assert classes.classes(np.full((1, 1, 3), level, np.uint8))[0, 0] == kind, level

    def test_a_lot_without_an_exit_colour_has_no_exit(self) -> None:
        classes = ColorClasses(replace(palette_of(RED), exit=None), LOT_CONFIG)
        assert EXIT not in classes.classes(np.random.default_rng(1).integers(0, 256, (50, 50, 3), np.uint8))

    @pytest.mark.parametrize(("away", "alike"), [(15.9, True), (16.0, False)])
    def test_like_vehicles_may_show_each_others_classes(self, away: float, alike: bool) -> None:
        colors = np.array([[50.0, 0.0, 0.0], [50.0, away, 0.0]])
        classes = ColorClasses(replace(palette_of(RED, BLUE), vehicles=colors), LOT_CONFIG)
        assert classes.alike.shape == (2, 256)
        assert classes.alike[:, FIRST_VEHICLE : FIRST_VEHICLE + 2].tolist() == [[True, alike], [alike, True]]
        assert classes.alike.sum() == 2 + 2 * alike

    @pytest.mark.parametrize(("change", "anew"), [(2.9, False), (3.1, True)])
    def test_classes_are_made_anew_once_a_vehicle_has_changed(self, change: float, anew: bool) -> None:
        classes = ColorClasses(palette_of(RED, BLUE), LOT_CONFIG)
        table = classes.classes(PICTURE)
        colors = classes.vehicles + np.array([[0.0, change, 0.0], [0.0, 0.0, 0.0]])
        assert classes.update(colors, classes.floor) is anew
        assert np.array_equal(classes.vehicles, colors)
        assert classes.update(colors, classes.floor) is False  # what was made anew is not again
        assert np.array_equal(classes.classes(PICTURE), table)

    def test_slow_changes_add_up(self) -> None:
        classes = ColorClasses(palette_of(RED), LOT_CONFIG)
        first = classes.vehicles.copy()
        anew = [classes.update(first + np.array([[0.0, step, 0.0]]), classes.floor) for step in (1.0, 2.0, 3.5, 4.5)]
        assert anew == [False, False, True, False]

    @pytest.mark.parametrize(("change", "anew"), [(2.9, False), (3.1, True)])
    def test_all_tones_of_the_floor_follow_the_main_one(self, change: float, anew: bool) -> None:
        classes = ColorClasses(palette_of(RED, floors=((128, 128, 128), (160, 160, 160))), LOT_CONFIG)
        before = classes.floor.copy()
        assert classes.update(classes.vehicles, before + np.array([0.0, change, 0.0])) is anew
        assert classes.floor == pytest.approx(before + np.array([0.0, change, 0.0]))

    def test_pixels_follow_a_floor_that_darkens(self) -> None:
        classes = ColorClasses(palette_of(RED, floors=((200, 200, 200),)), LOT_CONFIG)
        dark = np.full((1, 1, 3), 150, np.uint8)
        assert classes.classes(dark)[0, 0] == FOREIGN
        for level in range(200, 149, -5):
            classes.update(classes.vehicles, lab((level, level, level)))
        assert classes.classes(dark)[0, 0] == FLOOR

    def test_pixels_follow_a_vehicle_that_changes(self) -> None:
        classes = ColorClasses(palette_of(RED), LOT_CONFIG)
        classes.update(np.array([lab((40, 160, 40))]), classes.floor)
        assert classes.classes(np.array([[[40, 160, 40], rgb(RED)]], np.uint8)).tolist() == [[FIRST_VEHICLE, FOREIGN]]


class TestLearning:
    def test_each_colour_is_the_median_of_its_place(self) -> None:
        palette = read_palette(PICTURE, VIEW, LOT, LOT_CONFIG)
        assert palette.vehicles == pytest.approx(np.array([hex_lab(RED), hex_lab(BLUE)]), abs=0.01)
        assert palette.dark == pytest.approx(lab(DARK_RGB), abs=0.01)
        assert palette.exit == pytest.approx(lab(EXIT_RGB), abs=0.01)
        assert palette.floors[0] == pytest.approx(lab(FLOOR_RGB), abs=0.01)

    def test_a_disc_on_a_vehicle_does_not_count(self) -> None:
        picture = PICTURE.copy()
        picture[inside(VIEW, SHAPE, CAR.pose, 0.6, 0.6)] = 20
        assert read_palette(picture, VIEW, LOT, LOT_CONFIG).vehicles[0] == pytest.approx(hex_lab(RED), abs=0.01)

    def test_stated_colours_of_vehicles_are_taken_as_they_are(self) -> None:
        picture = PICTURE.copy()
        picture[inside(VIEW, SHAPE, CAR.pose, 2.0, 0.8)] = (90, 200, 90)
        palette = stated_palette(picture, VIEW, LOT, LOT_CONFIG)
        assert palette.vehicles == pytest.approx(np.array([hex_lab(RED), hex_lab(BLUE)]))
        assert palette.dark == pytest.approx(lab(DARK_RGB), abs=0.01)
        assert read_palette(picture, VIEW, LOT, LOT_CONFIG).vehicles[0] == pytest.approx(lab((90, 200, 90)), abs=0.01)

    def test_a_lot_without_obstacles_has_the_stated_dark(self) -> None:
        lot = replace(LOT, obstacles=())
        assert read_palette(PICTURE, VIEW, lot, LOT_CONFIG).dark == pytest.approx(hex_lab(DARK_COLOR))

    def test_a_floor_that_is_nowhere_free_is_white(self) -> None:
        body = vehicle("R", 1.0, 1.0, 0.0, RED, length=2.0, width=2.0)
        lot = Lot(2.0, 2.0, (Exit(Side.RIGHT, 0.0, 2.0),), (body,), ())
        view, shape = view_of(lot)
        picture = np.full((*shape, 3), rgb(RED), np.uint8)
        assert read_palette(picture, view, lot, LOT_CONFIG).floors.tolist() == [[98.0, 0.0, 0.0]]

    @staticmethod
    def checkered(second: tuple[int, int, int], share: float) -> np.ndarray:
        """The lot with a part of its free floor, a strip at the right of x = 6, in a second tone."""
        picture = PICTURE.copy()
        picture[inside(VIEW, SHAPE, Pose(6.2, 4.7 - 2.2 * share), 0.8, 4.4 * share)] = second
        return picture

    # The floor is at lightness 91.4; 190 is at 76.6, 10.4 away by 0.7; 222 is at 88.5, 2 away; 140 is at 58, 23 away.
    @pytest.mark.parametrize(("level", "tones"), [(190, 2), (222, 1), (140, 2), (100, 1)])
    def test_further_tones_are_apart_and_not_too_far(self, level: int, tones: int) -> None:
        picture = self.checkered((level, level, level + 5), 1.0)
        assert len(read_palette(picture, VIEW, LOT, LOT_CONFIG).floors) == tones

    @pytest.mark.parametrize(("level", "tones"), [(190, 2), (160, 1)])
    def test_where_bodies_may_stand_about_they_are_nearer(self, level: int, tones: int) -> None:
        picture = self.checkered((level, level, level + 5), 1.0)
        assert len(stated_palette(picture, VIEW, LOT, LOT_CONFIG).floors) == tones

    def test_a_tone_like_a_vehicle_is_none(self) -> None:
        # 17 is half of what is known: a pale red 12 from a paler vehicle is not the floor's.
        pale = vehicle("R", 2.0, 3.0, 0.0, "#E0C0C0", length=2.0, width=0.8)
        lot = replace(LOT, vehicles=(pale, TRUCK))
        picture = self.checkered((224, 192, 192), 1.0)
        picture[inside(VIEW, SHAPE, CAR.pose, 2.0, 0.8)] = (224, 192, 192)
        assert len(read_palette(picture, VIEW, lot, LOT_CONFIG).floors) == 1

    @pytest.mark.parametrize(("pixels", "tones"), [(20, 1), (60, 2)])
    def test_a_tone_needs_four_in_a_thousand(self, pixels: int, tones: int) -> None:
        # The free floor has about 10,400 pixels; 0.4 % are 42.
        picture = PICTURE.copy()
        picture[90, 60 : 60 + pixels] = (190, 190, 195)
        assert len(read_palette(picture, VIEW, LOT, LOT_CONFIG).floors) == tones

    def test_there_are_at_most_six_tones(self) -> None:
        picture = PICTURE.copy()
        tones = [(195, 195, 200), (165, 165, 170), (140, 140, 145), (225, 215, 195), (235, 205, 235), (205, 235, 205),
                 (215, 195, 235), (190, 215, 175)]  # fmt: skip
        for number, tone in enumerate(tones):
            picture[inside(VIEW, SHAPE, Pose(6.2, 0.6 + 0.5 * number), 0.8, 0.5)] = tone
        assert len(read_palette(picture, VIEW, LOT, LOT_CONFIG).floors) == 6

    def test_what_is_around_bodies_and_at_the_border_is_no_floor(self) -> None:
        picture = PICTURE.copy()
        beside = inside(VIEW, SHAPE, CAR.pose, 1.6, 0.9) & ~inside(VIEW, SHAPE, CAR.pose, 2.0, 0.8)
        picture[beside] = (190, 190, 195)
        picture[inside(VIEW, SHAPE, Pose(3.5, 0.1), 7.0, 0.2)] = (190, 190, 195)
        assert len(read_palette(picture, VIEW, LOT, LOT_CONFIG).floors) == 1


class TestExit:
    def read(self, picture: np.ndarray) -> np.ndarray | None:
        return read_palette(picture, VIEW, LOT, LOT_CONFIG).exit

    def test_its_colour_may_drift(self) -> None:
        other = (140, 190, 140)
        assert self.read(drawn(exit_rgb=other)) == pytest.approx(lab(other), abs=0.01)

    def test_without_its_colour_there_is_none(self) -> None:
        assert self.read(drawn(exit_at=None)) is None
        assert self.read(drawn(exit_rgb=(255, 120, 0))) is None

    @pytest.mark.parametrize("at", [(0.0, 2.0), (7.0, 0.7)])
    def test_an_exit_elsewhere_has_its_colour(self, at: tuple[float, float]) -> None:
        assert self.read(drawn(exit_at=at)) == pytest.approx(lab(EXIT_RGB), abs=0.01)

    @pytest.mark.parametrize(("wide", "seen"), [(0.2, False), (0.6, True)])
    def test_elsewhere_it_is_longer_than_a_third_of_a_unit(self, wide: float, seen: bool) -> None:
        picture = drawn(exit_at=None)
        picture[inside(VIEW, SHAPE, Pose(3.0, 5.0), wide, 0.4)] = EXIT_RGB
        assert (self.read(picture) is not None) is seen

    @pytest.mark.parametrize(("at", "seen"), [((0.0, 0.25), True), ((0.0, 5.6), False)])
    def test_it_may_be_at_a_sides_end_and_not_beyond(self, at: tuple[float, float], seen: bool) -> None:
        picture = drawn(exit_at=None)
        picture[inside(VIEW, SHAPE, Pose(*at), 0.4, 0.5)] = EXIT_RGB
        assert (self.read(picture) is not None) is seen

    @pytest.mark.parametrize(("out", "seen"), [(0.4, True), (0.75, False)])
    def test_it_is_looked_for_half_a_unit_around_the_side(self, out: float, seen: bool) -> None:
        picture = drawn(exit_at=None)
        picture[inside(VIEW, SHAPE, Pose(7.0 + out, 3.0), 0.3, 1.0)] = EXIT_RGB
        assert (self.read(picture) is not None) is seen

    def test_a_vehicle_of_nearly_its_colour_is_none(self) -> None:
        green = vehicle("R", 2.0, 3.0, 0.0, "#78BE80", length=2.0, width=0.8)
        lot = replace(LOT, vehicles=(green, TRUCK))
        picture = drawn(exit_at=None)
        picture[inside(VIEW, SHAPE, Pose(0.6, 3.0), 2.0, 0.8)] = rgb("#78BE80")
        assert read_palette(picture, VIEW, lot, LOT_CONFIG).exit is None
