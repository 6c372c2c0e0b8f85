"""From tracks and readings, written rather than seen, to the events of a clip: at 22 frames a second.

A change of the scene lasts 3 frames (0.12 s are 2.6), a loss 6 (0.25 s are 5.5), and what happens within 14 frames
(0.6 s are 13.2) is one change.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from detectors.rush_hour.colors import LotPalette
from detectors.rush_hour.config import LOT_CONFIG
from detectors.rush_hour.events import EventFinder, LotReading, steady, trembling
from detectors.rush_hour.findings import FrameBox, LotEvent, LotEventKind, VehicleTrack
from detectors.rush_hour.scene import SceneReading
from puzzles.rush_hour.lot import Exit, Lot, Obstacle, Pose, Side
from tests.rush_hour.lot_clips import BLUE, RED, TEAL, vehicle

E = LotEventKind
CALM = SceneReading((1.0,), 0.0, None, (1.0,), 0.0, None, False, 0.0)
BOX = FrameBox(1, 2, 3, 4)
R = vehicle("R", 3.0, 6.0, 0.0, RED)
A = vehicle("A", 6.0, 5.0, math.pi / 2, BLUE)
B = vehicle("B", 3.0, 2.0, 0.0, TEAL)
LOT = Lot(10.0, 10.0, (Exit(Side.RIGHT, 5.5, 6.5),), (R, A, B), (Obstacle("wall", 1.0, 1.0, Pose(8.0, 2.0, 0.0)),))
COLORS = np.array([[55.0, 60.0, 20.0], [55.0, -10.0, -40.0], [70.0, -40.0, 0.0]])
PALETTE = LotPalette(np.array([[98.0, 0.0, 0.0]]), np.zeros(3), None, COLORS)
FRAMES = 40
RATE = 22.0


def track(place: int, count: int = FRAMES, **values: Any) -> VehicleTrack:
    """A vehicle that rests, with parts of its track replaced: numbers for all frames, or (N,) arrays."""
    body, full = LOT.vehicles[place], np.ones(count)
    found = {
        "x": body.pose.x, "y": body.pose.y, "theta": body.pose.theta, "visible": 1.0, "covered": 0.0, **values,
    }  # fmt: skip
    seen = np.asarray(found.pop("seen", np.ones(count, bool)))
    color = np.asarray(found.pop("color", np.repeat(COLORS[place][None], count, axis=0)))
    return VehicleTrack(body.label, seen, **{name: full * value for name, value in found.items()}, color=color)


def at(spans: Sequence[tuple[int, int]], count: int = FRAMES) -> np.ndarray:
    """True from a first to a last frame, for each span."""
    flags = np.zeros(count, bool)
    for first, last in spans:
        flags[first : last + 1] = True
    return flags


def steps(*changes: tuple[int, float], start: float, count: int = FRAMES) -> np.ndarray:
    """A place over time that changes to a value at a frame."""
    places = np.full(count, start)
    for frame, value in changes:
        places[frame:] = value
    return places


def events(
    *tracks: VehicleTrack, scenes: Callable[[int], SceneReading] = lambda _: CALM,
    border: Callable[[int], float] = lambda _: 1.0, rate: float = RATE, lot: Lot = LOT,
) -> list[tuple[LotEventKind, int, int, str]]:  # fmt: skip
    shown = found(*tracks, scenes=scenes, border=border, rate=rate, lot=lot)
    return [(one.kind, one.first, one.last, one.label) for one in shown]


def found(
    *tracks: VehicleTrack, scenes: Callable[[int], SceneReading] = lambda _: CALM,
    border: Callable[[int], float] = lambda _: 1.0, rate: float = RATE, lot: Lot = LOT,
) -> tuple[LotEvent, ...]:  # fmt: skip
    given = {one.label: one for one in tracks}
    count = len(tracks[0].x) if tracks else FRAMES
    whole = tuple(given.get(v.label, track(place, count)) for place, v in enumerate(lot.vehicles))
    readings = [LotReading(scenes(frame), border(frame)) for frame in range(count)]
    camera = np.repeat(np.array([[10.0, 0.0, 5.0, 0.0, -10.0, 105.0]]), count, axis=0)
    times = np.arange(count) / rate
    return EventFinder(lot, PALETTE, LOT_CONFIG, times, whole, readings, camera).events()


def during(first: int, last: int, **values: Any) -> Callable[[int], SceneReading]:
    return lambda frame: replace(CALM, **values) if first <= frame <= last else CALM


class TestSteady:
    @pytest.mark.parametrize(("frames", "kept"), [(1, False), (2, False), (3, True)])
    def test_a_blink_at_another_place_is_taken_back(self, frames: int, kept: bool) -> None:
        away = track(0, x=steps((10, 4.0), (10 + frames, 3.0), start=3.0), theta=steps((10, 0.2), start=0.0))
        calm = steady(away, LOT_CONFIG)
        assert calm.x[10] == (4.0 if kept else 3.0)
        assert calm.seen[10:13].tolist() == ([True] * 3 if kept else [False] * frames + [True] * (3 - frames))
        assert calm.theta[10] == (0.2 if kept else 0.0)
        assert away.x[10] == 4.0  # the given track is left as it is

    @pytest.mark.parametrize(("way", "kept"), [(0.44, True), (0.46, False)])
    def test_less_than_a_jump_is_kept(self, way: float, kept: bool) -> None:
        calm = steady(track(0, x=steps((10, 3.0 + way), (11, 3.0), start=3.0)), LOT_CONFIG)
        assert bool(calm.x[10] > 3.0) is kept

    @pytest.mark.parametrize(("off", "kept"), [(0.2, False), (0.25, True)])
    def test_it_comes_back_to_within_half_a_jump(self, off: float, kept: bool) -> None:
        calm = steady(track(0, y=steps((10, 7.0), (12, 6.0 + off), start=6.0)), LOT_CONFIG)
        assert bool(calm.y[10] > 6.5) is kept

    def test_a_jump_that_stays_is_kept(self) -> None:
        calm = steady(track(0, x=steps((10, 5.0), start=3.0)), LOT_CONFIG)
        assert calm.x[10:].tolist() == [5.0] * 30
        assert calm.seen.all()

    def test_one_in_the_last_frames_is_kept(self) -> None:
        assert steady(track(0, x=steps((39, 5.0), start=3.0)), LOT_CONFIG).x[39] == 5.0


class TestTrembling:
    def test_it_is_the_median_way_across_the_axis_of_the_one_that_trembles_most(self) -> None:
        shaking = np.tile([0.0, 0.02], 20)
        assert trembling((track(0, y=6.0 + shaking), track(1, x=6.0 + 2 * shaking))) == pytest.approx(0.04)
        assert trembling((track(1, x=6.0 + 2 * shaking), track(0, y=6.0 + shaking))) == pytest.approx(0.04)

    def test_it_is_across_the_first_direction(self) -> None:
        # Along (3, 4) / 5, which is no trembling, and across it, (-4, 3) / 5.
        shaking, theta = np.tile([0.0, 0.05], 20), math.atan2(4.0, 3.0)
        along = track(0, x=3.0 + 0.6 * shaking, y=6.0 + 0.8 * shaking, theta=theta)
        across = track(0, x=3.0 - 0.8 * shaking, y=6.0 + 0.6 * shaking, theta=theta)
        assert trembling((along,)) == pytest.approx(0.0, abs=1e-12)
        assert trembling((across,)) == pytest.approx(0.05)

    def test_slides_are_no_trembling(self) -> None:
        assert trembling((track(0, x=np.linspace(3.0, 8.0, FRAMES)),)) == 0.0

    def test_only_successive_sightings_count(self) -> None:
        shaking = np.tile([0.0, 0.02], 20)
        assert trembling((track(0, y=6.0 + shaking, seen=np.arange(FRAMES) % 2 == 0),)) == 0.0
        assert trembling(()) == 0.0


class TestScene:
    def test_a_calm_clip_has_no_events(self) -> None:
        assert events() == []

    @pytest.mark.parametrize(("last", "count"), [(11, 0), (12, 1)])
    def test_a_further_exit_lasts_three_frames(self, last: int, count: int) -> None:
        shown = found(scenes=during(10, last, extra=0.5, extra_box=BOX))
        assert [(one.kind, one.first, one.last, one.box) for one in shown] == [(E.EXTRA_EXIT, 10, 12, BOX)][:count]

    def test_at_more_frames_a_second_it_lasts_longer(self) -> None:
        # 0.1 s at 60 frames a second are 6 frames.
        assert events(scenes=during(10, 14, extra=0.5), rate=60.0) == []
        assert events(scenes=during(10, 15, extra=0.5), rate=60.0) == [(E.EXTRA_EXIT, 10, 15, "")]

    def test_an_event_tells_its_times(self) -> None:
        (one,) = found(scenes=during(11, 22, extra=0.5))
        assert (one.first_s, one.last_s) == (0.5, 1.0)

    @pytest.mark.parametrize(("extra", "count"), [(0.34, 0), (0.35, 1), (0.48, 1)])
    def test_it_is_a_third_of_a_unit_long(self, extra: float, count: int) -> None:
        assert len(events(scenes=during(10, 20, extra=extra))) == count

    @pytest.mark.parametrize(("share", "count"), [(0.59, 1), (0.6, 0)])
    def test_an_exit_that_goes_has_moved(self, share: float, count: int) -> None:
        assert events(scenes=during(10, 20, exits=(share,))) == [(E.EXIT_MOVED, 10, 20, "")][:count]

    def test_the_exit_that_shows_least_counts(self) -> None:
        assert len(events(scenes=during(10, 20, exits=(1.0, 0.2)))) == 1

    @pytest.mark.parametrize(("begin", "kinds"), [(34, [E.EXIT_MOVED]), (35, [E.EXIT_MOVED, E.EXTRA_EXIT])])
    def test_an_exit_that_goes_and_comes_elsewhere_is_one_event(self, begin: int, kinds: list) -> None:
        # Gone up to frame 20; a further one that begins within 14 frames is where it went.
        scenes = [CALM] * 60
        scenes[10:21] = [replace(CALM, exits=(0.0,))] * 11
        scenes[begin:50] = [replace(CALM, extra=0.6, extra_box=BOX)] * (50 - begin)
        assert [one[0] for one in events(track(0, 60), scenes=scenes.__getitem__)] == kinds

    @pytest.mark.parametrize(("end", "kinds"), [(26, [E.EXIT_MOVED]), (25, [E.EXTRA_EXIT, E.EXIT_MOVED])])
    def test_it_may_come_elsewhere_first(self, end: int, kinds: list) -> None:
        scenes = [CALM] * 60
        scenes[10 : end + 1] = [replace(CALM, extra=0.6)] * (end - 9)
        scenes[40:51] = [replace(CALM, exits=(0.0,))] * 11
        assert [one[0] for one in events(track(0, 60), scenes=scenes.__getitem__)] == kinds

    def test_a_moved_exit_is_shown_where_it_is_now(self) -> None:
        scenes = [CALM] * FRAMES
        scenes[10:] = [replace(CALM, exits=(0.0,))] * 30
        scenes[15:] = [replace(CALM, exits=(0.0,), extra=0.6, extra_box=BOX)] * 25
        assert [one.box for one in found(scenes=scenes.__getitem__)] == [BOX]
        scenes[10:15] = [CALM] * 5
        scenes[20:] = [replace(CALM, extra=0.2, extra_box=BOX)] * 20  # one that is too short, after it is back
        scenes[15:20] = [replace(CALM, exits=(0.0,))] * 5
        assert [(one.kind, one.box) for one in found(scenes=scenes.__getitem__)] == [(E.EXIT_MOVED, None)]

    @pytest.mark.parametrize(("share", "count"), [(0.49, 1), (0.5, 0)])
    def test_an_obstacle_that_goes_changes_the_walls(self, share: float, count: int) -> None:
        shown = found(scenes=during(10, 20, obstacles=(share,)))
        # Around (8, 2), 1.2 units each way: columns 10 * 8 + 5 -+ 12, rows 105 - 20 -+ 12.
        box = FrameBox(73, 73, 97, 97)
        assert [(one.kind, one.first, one.last, one.box) for one in shown] == [(E.WALLS_CHANGED, 10, 20, box)][:count]

    @pytest.mark.parametrize(("share", "count"), [(0.69, 1), (0.7, 0)])
    def test_so_does_a_border_that_goes(self, share: float, count: int) -> None:
        shown = found(border=lambda frame: share if 10 <= frame <= 20 else 1.0)
        assert [(one.kind, one.first, one.last, one.box) for one in shown] == [(E.WALLS_CHANGED, 10, 20, None)][:count]

    @pytest.mark.parametrize(("gap", "count"), [(2, 1), (3, 2)])
    def test_holes_of_two_frames_are_closed(self, gap: int, count: int) -> None:
        scenes = [CALM] * FRAMES
        for first in (10, 15 + gap):
            scenes[first : first + 5] = [replace(CALM, extra=0.6)] * 5
        assert len(events(scenes=scenes.__getitem__)) == count

    @pytest.mark.parametrize(("area", "count"), [(0.29, 0), (0.3, 1), (0.41, 1)])
    def test_a_body_of_its_own_is_a_vehicle(self, area: float, count: int) -> None:
        shown = found(scenes=during(10, 20, foreign=area, foreign_box=BOX))
        assert [(one.kind, one.first, one.last, one.box) for one in shown] == [(E.NEW_VEHICLE, 10, 20, BOX)][:count]

    @pytest.mark.parametrize(
        ("area", "like", "kind"),
        [(3.9, False, E.NEW_VEHICLE), (4.0, False, E.OVERLAY), (5.5, False, E.OVERLAY), (5.5, True, E.NEW_VEHICLE)],
    )
    def test_a_large_one_is_laid_over_unless_it_is_like_a_vehicle(
        self, area: float, like: bool, kind: LotEventKind
    ) -> None:
        assert events(scenes=during(10, 20, foreign=area, like_vehicle=like)) == [(kind, 10, 20, "")]

    def test_the_largest_tells_and_most_frames_whether_it_is_like_a_vehicle(self) -> None:
        scenes = [CALM] * FRAMES
        scenes[10:20] = [replace(CALM, foreign=1.0, like_vehicle=True)] * 10
        scenes[15] = replace(CALM, foreign=5.0, foreign_box=BOX)
        assert [(one.kind, one.box) for one in found(scenes=scenes.__getitem__)] == [(E.NEW_VEHICLE, BOX)]
        scenes[15] = replace(CALM, foreign=1.0, like_vehicle=True)
        scenes[10] = replace(CALM, foreign=5.0, foreign_box=BOX)
        assert [one.box for one in found(scenes=scenes.__getitem__)] == [BOX]
        scenes[15:20] = [replace(CALM, foreign=5.0)] * 5  # 4 of 10 are no majority, nor are 5
        assert [one[0] for one in events(scenes=scenes.__getitem__)] == [E.OVERLAY]
        scenes[10] = replace(CALM, foreign=1.0, like_vehicle=True)
        assert [one[0] for one in events(scenes=scenes.__getitem__)] == [E.OVERLAY]

    @pytest.mark.parametrize(("area", "count"), [(0.59, 0), (0.6, 1)])
    def test_writing_counts_by_what_is_more_than_in_the_first_frame(self, area: float, count: int) -> None:
        shown = events(scenes=lambda frame: replace(CALM, strewn=area if 10 <= frame <= 20 else 0.1))
        assert shown == [(E.OVERLAY, 10, 20, "")][:count]


class TestJumps:
    @pytest.mark.parametrize(("way", "count"), [(0.44, 0), (0.46, 1)])
    def test_a_vehicle_that_is_elsewhere_in_the_next_frame_jumps(self, way: float, count: int) -> None:
        shown = found(track(0, x=steps((10, 3.0 + way), start=3.0)))
        assert [(one.kind, one.first, one.last, one.label) for one in shown] == [(E.TELEPORT, 9, 10, "R")][:count]

    def test_its_box_is_around_its_place_before(self) -> None:
        (one,) = found(track(0, x=steps((10, 5.0), start=3.0)))
        # (3, 6): column 10 * 3 + 5, row 105 - 60, 1.1 units each way.
        assert one.box == FrameBox(24, 34, 46, 56)

    @pytest.mark.parametrize(("near", "count"), [(0.34, 0), (0.32, 1), (0.2, 1)])
    def test_a_step_that_is_three_times_as_long_as_those_near_it_is_a_jump(self, near: float, count: int) -> None:
        places = np.concatenate([[3.0] * 10, 3.0 + near + 1.0 * np.arange(30)])
        places = steps((10, 3.0 + near), (11, 3.0 + near + 1.0), start=3.0)
        assert len(events(track(0, x=places))) == count

    @pytest.mark.parametrize(("apart", "count"), [(3, 0), (4, 1)])
    def test_three_steps_to_either_side_are_near(self, apart: int, count: int) -> None:
        for other in (15 - apart, 15 + apart):
            places = 3.0 + 0.4 * (np.arange(FRAMES) >= other) + 1.0 * (np.arange(FRAMES) >= 15)
            assert len(events(track(0, x=places))) == count

    @pytest.mark.parametrize(("way", "count"), [(2.6, 0), (2.8, 2)])
    def test_a_step_of_almost_three_units_vouches_for_none(self, way: float, count: int) -> None:
        places = steps((10, 3.0 + way), (11, 3.0 + 2 * way - 0.02), start=3.0) - 2.0
        assert len(events(track(0, x=places), lot=replace(LOT, width=20.0))) == count

    @pytest.mark.parametrize(
        ("covered", "way", "count"), [(0.55, 2.9, 0), (0.55, 3.1, 1), (0.45, 2.9, 1), (0.75, 2.9, 0)]
    )
    def test_a_hidden_vehicle_may_move_by_half_a_unit_a_frame(self, covered: float, way: float, count: int) -> None:
        # Unseen in 5 frames: from frame 9 to frame 15, 6 steps, so up to 3 units.
        unseen = at([(10, 14)])
        shown = events(track(0, x=steps((10, 3.0), (15, 3.0 + way), start=3.0), seen=~unseen, covered=covered * unseen))
        assert len(shown) == count

    @pytest.mark.parametrize(("way", "count"), [(0.88, 0), (0.92, 1)])
    def test_unseen_for_a_moment_it_may_have_gone_on(self, way: float, count: int) -> None:
        # 0.3 a frame before; unseen in one frame, so two steps: 1.5 * 2 * 0.3 = 0.9.
        places = np.concatenate([3.0 + 0.3 * np.arange(5), np.full(35, 4.2 + way)])
        assert len(events(track(0, x=places, seen=~at([(5, 5)])))) == count

    def test_what_has_left_the_lot_does_not_jump(self) -> None:
        # At x = 9.39 its front is 0.39 outside, at 9.41 it is out by more than 0.4.
        for start, count in ((9.39, 1), (9.41, 0)):
            places = steps((10, start + 0.5), (12, start - 1.0), start=start)
            assert len(events(track(0, x=places, seen=~at([(10, 11)])))) == count

    @pytest.mark.parametrize("side", ["left", "bottom", "top"])
    def test_it_may_leave_on_any_side(self, side: str) -> None:
        upright = math.pi / 2
        away = {"left": {"x": 0.55}, "bottom": {"y": 0.55, "theta": upright}, "top": {"y": 9.45, "theta": upright}}[
            side
        ]
        flags = at([(20, 39)])
        values = {name: np.where(flags, value, getattr(R.pose, name)) for name, value in away.items()}
        assert not [one for one in events(track(0, seen=~flags, **values)) if one[0] is E.VEHICLE_VANISHED]

    @pytest.mark.parametrize(("frames", "count"), [(5, 0), (6, 1)])
    def test_a_vehicle_that_is_missing_for_a_quarter_second_has_vanished(self, frames: int, count: int) -> None:
        shown = events(track(1, seen=~at([(10, 9 + frames)])))
        assert shown == [(E.VEHICLE_VANISHED, 10, 15, "A")][:count]

    @pytest.mark.parametrize(("covered", "count"), [(0.5, 1), (0.51, 0)])
    def test_unless_others_hide_it(self, covered: float, count: int) -> None:
        assert len(events(track(1, seen=~at([(10, 30)]), covered=covered))) == count


class TestBreaks:
    def jump(self, place: int, frame: int, until: int | None = None) -> VehicleTrack:
        """A vehicle that is 2 units farther from a frame on; unseen in between if ``until`` is given."""
        body = LOT.vehicles[place]
        way = steps((until or frame, 2.0), start=0.0)
        seen = ~at([(frame, until - 1)]) if until is not None else np.ones(FRAMES, bool)
        return track(place, x=body.pose.x + way * body.axis[0], y=body.pose.y + way * body.axis[1], seen=seen)

    def test_two_jumps_at_once_with_the_red_cars_are_a_cut(self) -> None:
        assert events(self.jump(0, 10), self.jump(1, 10)) == [(E.HARD_CUT, 9, 10, "")]

    def test_two_jumps_without_the_red_cars_are_two(self) -> None:
        assert events(self.jump(1, 10), self.jump(2, 10)) == [(E.TELEPORT, 9, 10, "A"), (E.TELEPORT, 9, 10, "B")]

    @pytest.mark.parametrize(("second", "kinds"), [(38, [E.CROSS_FADE]), (39, [E.TELEPORT, E.TELEPORT])])
    def test_what_is_within_28_frames_is_one_change(self, second: int, kinds: list) -> None:
        # Jumps begin at frames 9 and second - 1: 2 * 14 frames later at most. One that takes so long dissolves.
        assert [one[0] for one in events(self.jump(0, 10), self.jump(1, second))] == kinds

    @pytest.mark.parametrize(("second", "kind"), [(12, E.HARD_CUT), (13, E.CROSS_FADE)])
    def test_a_change_of_more_than_three_frames_dissolves(self, second: int, kind: LotEventKind) -> None:
        # From frame 9 to frame 12 are 3 frames.
        assert [one[0] for one in events(self.jump(0, 10), self.jump(1, second))] == [kind]

    @pytest.mark.parametrize(("until", "kind"), [(11, E.HARD_CUT), (12, E.CROSS_FADE)])
    def test_so_does_one_in_which_a_vehicle_is_missing_for_two_frames(self, until: int, kind: LotEventKind) -> None:
        # Unseen in one frame: 2 steps from sighting to sighting. In two: 3.
        assert [one[0] for one in events(self.jump(0, 10, until), self.jump(1, 10, until))] == [kind]

    def test_all_that_vanish_at_once_are_another_scene(self) -> None:
        gone = [track(place, seen=~at([(10, 39)])) for place in range(3)]
        assert events(*gone) == [(E.SCENE_REPLACED, 10, 10, "")]

    def test_some_that_vanish_have_vanished(self) -> None:
        gone = [track(place, seen=~at([(10, 39)])) for place in (0, 1)]
        assert events(*gone) == [(E.VEHICLE_VANISHED, 10, 39, "A"), (E.VEHICLE_VANISHED, 10, 39, "R")]

    def test_jumps_with_other_walls_are_another_scene(self) -> None:
        border = {"border": lambda frame: 0.0 if frame >= 10 else 1.0}
        shown = events(self.jump(0, 10), self.jump(1, 10), **border)
        assert shown == [(E.SCENE_REPLACED, 9, 10, ""), (E.WALLS_CHANGED, 10, 39, "")]

    def test_walls_that_come_back_soon_do_not_make_another_scene(self) -> None:
        # They have to be other ones 14 frames after the last jump, up to frame 24.
        for last, kind in ((23, E.HARD_CUT), (24, E.SCENE_REPLACED)):
            shown = events(
                self.jump(0, 10), self.jump(1, 10), border=lambda frame, last=last: float(not 10 <= frame <= last)
            )
            assert shown[0][0] is kind

    @pytest.mark.parametrize(
        ("first", "last", "fades"),
        [(11, 20, True), (12, 20, False), (5, 7, True), (4, 6, False), (5, 36, True), (5, 37, False)],
    )
    def test_a_jump_with_bodies_that_show_through_for_a_time_is_a_fade(
        self, first: int, last: int, fades: bool
    ) -> None:
        # The jump begins at frame 9: ghosts up to 2 frames off count, if they are gone 3 frames before the end.
        kinds = [one[0] for one in events(self.jump(0, 10), scenes=during(first, last, foreign=0.5))]
        assert sorted(kinds, key=str) == ([E.CROSS_FADE] if fades else [E.NEW_VEHICLE, E.TELEPORT])

    def test_what_is_seen_within_a_fade_is_part_of_it(self) -> None:
        shown = events(self.jump(0, 10), scenes=during(8, 20, foreign=0.5))
        assert shown == [(E.CROSS_FADE, 8, 20, "")]

    @pytest.mark.parametrize(
        ("first", "last", "part"), [(6, 12, True), (5, 12, False), (15, 22, True), (15, 23, False)]
    )
    def test_so_is_what_is_seen_up_to_two_frames_off(self, first: int, last: int, part: bool) -> None:
        def scenes(frame: int) -> SceneReading:
            return replace(CALM, foreign=0.5 * (8 <= frame <= 20), extra=0.5 * (first <= frame <= last))

        kinds = {one[0] for one in events(self.jump(0, 10), scenes=scenes)}
        assert kinds == ({E.CROSS_FADE} if part else {E.CROSS_FADE, E.EXTRA_EXIT})

    def test_thin_ghosts_make_a_fade_as_well(self) -> None:
        shown = events(self.jump(0, 10), scenes=during(8, 20, strewn=0.5))
        assert shown == [(E.CROSS_FADE, 8, 20, "")]

    def test_other_walls_up_to_the_end_make_another_scene(self) -> None:
        # The jump is 5 frames before the end, which is all that can be asked.
        shown = events(self.jump(0, 35), self.jump(1, 35), border=lambda frame: float(frame < 35))
        assert shown[0][0] is E.SCENE_REPLACED

    def test_events_stand_in_order(self) -> None:
        shown = events(
            self.jump(1, 30), scenes=during(5, 12, extra=0.5), border=lambda frame: float(not 5 <= frame <= 9)
        )
        assert shown == [(E.EXTRA_EXIT, 5, 12, ""), (E.WALLS_CHANGED, 5, 9, ""), (E.TELEPORT, 29, 30, "A")]


class TestConduct:
    @pytest.mark.parametrize(("turn", "count"), [(0.23, 0), (0.25, 1), (-0.25, 1), (math.pi - 0.2, 0), (2.8, 1)])
    def test_a_turned_vehicle_has_rotated(self, turn: float, count: int) -> None:
        theta = np.where(at([(10, 20)]), R.pose.theta + turn, R.pose.theta)
        assert events(track(0, theta=theta)) == [(E.ROTATION, 10, 20, "R")][:count]

    @pytest.mark.parametrize(("covered", "count"), [(0.09, 1), (0.1, 0)])
    def test_unless_something_covers_it(self, covered: float, count: int) -> None:
        assert len(events(track(0, theta=0.4, covered=covered))) == count

    @pytest.mark.parametrize(("off", "count"), [(0.24, 0), (0.25, 0), (0.26, 1), (-0.26, 1)])
    def test_one_off_its_axis_has_gone_sideways(self, off: float, count: int) -> None:
        shown = events(track(0, y=np.where(at([(10, 20)]), 6.0 + off, 6.0)))
        assert shown == [(E.SIDEWAYS, 10, 20, "R")][:count]
        shown = events(track(1, x=np.where(at([(10, 20)]), 6.0 + off, 6.0)))
        assert shown == [(E.SIDEWAYS, 10, 20, "A")][:count]

    def test_along_its_axis_it_may_go(self) -> None:
        assert events(track(1, y=np.linspace(5.0, 7.0, FRAMES))) == []

    def test_an_unseen_one_has_done_neither(self) -> None:
        assert {one[0] for one in events(track(0, y=6.4, theta=0.5, seen=np.zeros(FRAMES, bool)))} <= {
            E.VEHICLE_VANISHED
        }

    def colored(self, place: int, share: float, other: int) -> VehicleTrack:
        """A vehicle whose colour goes a share of the way to another's, in frames 10 to 20."""
        color = np.repeat(COLORS[place][None], FRAMES, axis=0)
        color[10:21] += share * (COLORS[other] - COLORS[place])
        return track(place, color=color)

    @pytest.mark.parametrize(("share", "count"), [(0.76, 0), (0.78, 1)])
    def test_a_colour_that_is_nearly_anothers_is_taken_on(self, share: float, count: int) -> None:
        # 0.3 of its own distance: share s with 1 - s < 0.3 s, from s = 1 / 1.3 = 0.769 on.
        shown = events(self.colored(0, share, 1))
        assert shown == [(E.IDENTITY_SWAP, 10, 20, "R")][:count]

    @pytest.mark.parametrize(("share", "count"), [(0.62, 0), (0.63, 2)])
    def test_two_that_go_to_each_others_are_exchanged_sooner(self, share: float, count: int) -> None:
        # 0.6 of the own distance: from s = 1 / 1.6 = 0.625 on, for both.
        shown = events(self.colored(0, share, 1), self.colored(1, share, 0))
        assert [one[3] for one in shown] == ["A", "R"][:count] or [one[3] for one in shown] == ["R", "A"][:count]

    def test_a_small_change_is_none(self) -> None:
        # Vehicles 20 apart (more than 16, so not alike): all the way is a change of 20, below 25.
        near = COLORS.copy()
        near[1] = near[0] + (0.0, 20.0, 0.0)
        color = np.repeat(near[0][None], FRAMES, axis=0)
        color[10:21] = near[1]
        for limit, count in ((25.0, 0), (19.0, 1)):
            events_ = replace(LOT_CONFIG.events, conduct=replace(LOT_CONFIG.events.conduct, recolored=limit))
            tracks = (track(0, color=color), track(1, color=np.repeat(near[1][None], FRAMES, axis=0)), track(2))
            finder = EventFinder(
                LOT, replace(PALETTE, vehicles=near), replace(LOT_CONFIG, events=events_), np.arange(FRAMES) / RATE,
                tracks, [LotReading(CALM, 1.0)] * FRAMES, np.zeros((FRAMES, 6)),
            )  # fmt: skip
            assert len(finder.events()) == count

    def test_like_ones_can_not_be_exchanged(self) -> None:
        near = COLORS.copy()
        near[1] = near[0] + (0.0, 15.9, 0.0)
        color = np.repeat((near[1] + np.array([0.0, 12.0, 0.0]))[None], FRAMES, axis=0)
        tracks = (track(0, color=color), track(1, color=np.repeat(near[1][None], FRAMES, axis=0)), track(2))
        finder = EventFinder(
            LOT, replace(PALETTE, vehicles=near), LOT_CONFIG, np.arange(FRAMES) / RATE, tracks,
            [LotReading(CALM, 1.0)] * FRAMES, np.zeros((FRAMES, 6)),
        )  # fmt: skip
        assert finder.events() == ()


def test_a_clip_of_one_frame_has_no_events() -> None:
    assert events(track(0, 1)) == []
