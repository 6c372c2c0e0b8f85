"""Clips of rush hours: what is right passes in every look, and what is wrong fails for the right reason."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from detectors.rush_hour.findings import LotFindings
from detectors.rush_hour.lots import find_lot
from detectors.rush_hour.stills import read_lot_still
from grader.importers.mentisoculi.records import read_rush_hour
from grader.media.frames import Frame
from grader.tasks.rush_hour.clips.video import LotClipJudgement, LotVideoFault, judge_lot_clip
from puzzles.rush_hour.lot import Exit, Lot, Pose, Side
from tests.rush_hour.lot_clips import (
    FIRSTS,
    LABELS,
    LOT,
    RED,
    Look,
    Scene,
    between,
    draw,
    end_of,
    film,
    forward,
    go,
    rest,
    rgb,
    slide,
    solution,
    solving,
)

ROOT = Path(__file__).resolve().parents[3] / "shared" / "fixtures" / "rollouts" / "dev"
PLAIN = Look()
FINE = Look(size=(360, 360))
"""For what shows in few pixels."""
LOOKS = {
    "plain": PLAIN,
    "black margin": Look(margin=(0, 0, 0)),
    "300 pixels, black margin": Look(margin=(0, 0, 0), size=(300, 300)),
    "margin like the border": Look(margin=(27, 38, 59)),
    "lot fills the frame": Look(share=1.0),
    "lot of 45 %": Look(share=0.45, size=(640, 400)),
    "256 pixels high": Look(size=(456, 256), share=0.6),
    "scales differ": Look(aspect=1.1),
    "textured grey floor": Look(texture=8, floor=(205, 205, 210)),
    "dark floor": Look(floor=(70, 72, 75), rail=0.0),
    "no discs": Look(disc=0.0, rail=0.0),
    "large discs, thick rails": Look(disc=0.36, rail=0.07, rail_strength=0.9),
    "noise and blur": Look(noise=8, blur=1.2),
}


@cache
def seen_right(name: str) -> LotFindings:
    """What is found in the right clip in a look."""
    return find_lot(film(LOT, solving(), LOOKS[name]), LOT)


def judged(scenes: Sequence[Scene], look: Look = PLAIN, lot: Lot = LOT) -> LotClipJudgement:
    return judge_lot_clip(lot, find_lot(film(lot, scenes, look), lot))


def faults(judgement: LotClipJudgement) -> set[LotVideoFault]:
    return {reason.fault for reason in judgement.reasons}


# Detector and judge


@pytest.mark.parametrize("name", LOOKS)
def test_a_right_clip_is_right_in_every_look(name: str) -> None:
    judgement = judge_lot_clip(LOT, seen_right(name))
    assert faults(judgement) == set()
    assert judgement.strict_legal, judgement.blemishes


@pytest.mark.parametrize("name", ["plain", "256 pixels high", "noise and blur"])
def test_places_are_found_to_a_tenth_of_a_unit(name: str) -> None:
    scenes = solving()
    found = seen_right(name)
    for track, first in zip(found.tracks, LOT.vehicles, strict=True):
        poses = [scene.poses.get(first.label, first.pose) for scene in scenes]
        away = np.hypot(track.x - [p.x for p in poses], track.y - [p.y for p in poses])
        assert track.seen.all()
        assert away.max() < 0.1
        assert np.abs(track.theta - first.pose.theta).max() < math.radians(2)


@pytest.mark.parametrize("name", ["textured grey floor", "noise and blur"])
def test_a_still_clip_shows_nothing(name: str) -> None:
    judgement = judged(rest(20), LOOKS[name])
    assert faults(judgement) == {LotVideoFault.NOTHING_MOVES, LotVideoFault.RED_NOT_AT_EXIT}
    assert judgement.strict_legal


def test_another_puzzle_is_not_this_one() -> None:
    other = [Scene(poses={"R": Pose(1.0, 3.9), "A": Pose(8.0, 8.0, 0.3), "B": Pose(5.0, 1.0, 0.0)})] * 4
    assert faults(judged(other)) == {LotVideoFault.NOT_THE_PUZZLE}


@pytest.mark.parametrize("color", [(255, 255, 255), (0, 0, 0), (90, 140, 60)])
def test_an_empty_picture_is_not_the_puzzle(color: tuple[int, int, int]) -> None:
    pixels = np.full((240, 320, 3), color, np.uint8)
    judgement = judge_lot_clip(LOT, find_lot([Frame(0, 0.0, pixels)], LOT))
    assert faults(judgement) == {LotVideoFault.NOT_THE_PUZZLE}


def test_a_clip_needs_a_frame() -> None:
    with pytest.raises(ValueError, match="no frame"):
        find_lot([], LOT)


def test_a_moving_camera_is_no_moving_vehicle() -> None:
    scenes = [
        replace(s, shift=(0.25 * math.sin(i / 9), 0.2 * math.sin(i / 7)), zoom=1 + 0.03 * math.sin(i / 11))
        for i, s in enumerate([*solving(), *rest(0)])
    ]
    judgement = judged(scenes)
    assert judgement.solved_strict, (judgement.reasons, judgement.blemishes)
    drift = [Scene(shift=(0.012 * i, -0.01 * i)) for i in range(24)]
    assert faults(judged(drift)) == {LotVideoFault.NOTHING_MOVES, LotVideoFault.RED_NOT_AT_EXIT}


def test_drifting_colours_are_minor() -> None:
    def drifted(i: int) -> dict[str, tuple[float, float, float]]:
        k = 0.18 * math.sin(i / 10)
        return {v.label: tuple(min(255.0, c * (1 + k)) for c in rgb(v.color)) for v in LOT.vehicles}  # type: ignore[misc]

    judgement = judged([replace(s, colors=drifted(i)) for i, s in enumerate(solving())])
    assert judgement.solved_strict, (judgement.reasons, judgement.blemishes)


def test_a_red_car_that_drives_out_has_reached_the_exit() -> None:
    scenes = solving()
    judgement = judged(scenes + go(end_of(scenes), R=Pose(11.6, 6.0)))
    assert judgement.solved, judgement.reasons


def test_hidden_for_a_moment_is_not_vanished() -> None:
    """A, drawn later, drives over B, which stands at its place all the time: B is hidden, and A through it."""
    lot = replace(LOT, vehicles=(LOT.vehicles[0], LOT.vehicles[2], LOT.vehicles[1]))
    firsts = [v.pose for v in lot.vehicles]
    labels = [v.label for v in lot.vehicles]
    over = [firsts[0], firsts[1], Pose(7.0, 2.5, math.pi / 6)]
    scenes = between(labels, firsts, over, 16) + between(labels, over, firsts, 16)
    found = find_lot(film(lot, [Scene()] * 4 + scenes, PLAIN), lot)
    assert "VEHICLE_VANISHED" not in {event.kind.value for event in found.events if event.label == "B"}


def solved_end() -> Scene:
    return solving()[-1]


def blended(share: float) -> np.ndarray[Any, Any]:
    first, last = draw(LOT, Scene(), FINE), draw(LOT, solved_end(), FINE)
    return np.rint(first * (1 - share) + last * share).astype(np.uint8)


@pytest.mark.parametrize("count", [4, 14])
def test_a_fade_of_any_length_is_a_fade_before_all_else(count: int) -> None:
    """``count`` mixed pictures: of 4 the middle two show both states plainly, at 40 and 60 %."""
    shares = [0.0] * 6 + [k / (count + 1) for k in range(1, count + 1)] + [1.0] * 8
    frames = [Frame(i, i / 24, blended(share)) for i, share in enumerate(shares)]
    judgement = judge_lot_clip(LOT, find_lot(frames, LOT))
    first = judgement.reasons[0]
    assert first.fault is LotVideoFault.CROSS_FADE
    # It is one event, which lies within the mixed pictures and the ones beside them.
    assert [reason.fault for reason in judgement.reasons].count(LotVideoFault.CROSS_FADE) == 1
    assert 5 <= first.first < first.last <= 6 + count
    assert LotVideoFault.EXTRA_VEHICLE not in faults(judgement)
    assert (judgement.solved, judgement.progress) == (False, 0.0)


def test_a_car_that_jumps_under_another_one_has_not_vanished() -> None:
    """R, 1.8 long, stands at 5.4 +- 0.9, of which A, at 5.0 +- 0.45, hides a half and leaves 5.45 to 6.3."""
    judgement = judged(rest(8) + [Scene(poses={"R": Pose(5.4, 6.0)})] * 12)
    assert judgement.reasons[0].fault is LotVideoFault.TELEPORT
    assert judgement.reasons[0].label == "R"
    assert LotVideoFault.VEHICLE_VANISHED not in faults(judgement)


def test_a_body_that_comes_by_one_level_a_frame_is_seen() -> None:
    """No frame differs from the one before by more than a level of 255; the last one does by 80."""
    body = (Pose(2.0, 8.5), 1.6, 0.9)
    scenes = [Scene(extra=((*body, f"#{level:02X}{level:02X}{level:02X}"),)) for level in range(255, 174, -1)]
    assert LotVideoFault.EXTRA_VEHICLE in faults(judged([*scenes, *[scenes[-1]] * 6]))


def test_a_camera_that_creeps_is_followed() -> None:
    """0.003 units a frame, a tenth of a pixel of the small picture, are 0.12 units after 40 frames."""
    scenes = [replace(s, shift=(0.003 * i, -0.002 * i)) for i, s in enumerate(slide(LOT, solution()))]
    assert len(scenes) >= 40
    found = find_lot(film(LOT, scenes, FINE), LOT)
    for track, vehicle in zip(found.tracks, LOT.vehicles, strict=True):
        poses = [scene.poses.get(vehicle.label, vehicle.pose) for scene in scenes]
        assert np.hypot(track.x - [p.x for p in poses], track.y - [p.y for p in poses]).max() < 0.05
    assert faults(judge_lot_clip(LOT, found)) == set()


def wrong_clips() -> dict[str, tuple[list[Scene], LotVideoFault]]:
    """Clips with one thing wrong in each, and the reason that must be among those given."""
    solved = solving()
    half = len(solved) // 2
    freed = slide(LOT, [forward("A")])

    def later(**changes: Any) -> list[Scene]:
        return [replace(s, **changes) if i >= half else s for i, s in enumerate(solved)]

    away, turned = Pose(8.2, 1.2), Pose(5.0, 8.0, math.pi)
    return {
        "cut to the end": (rest(12) + [solved_end()] * 12, LotVideoFault.SCENE_CUT),
        "red jumps": (rest(8) + [Scene(poses={"R": Pose(9.1, 6.0)})] * 10, LotVideoFault.TELEPORT),
        "A jumps along its axis": (rest(8) + freed[-5:] + go(end_of(freed), R=Pose(9.1, 6.0)), LotVideoFault.TELEPORT),
        "a grey body": (later(extra=((Pose(2.0, 8.5), 1.6, 0.9, "#909090"),)), LotVideoFault.EXTRA_VEHICLE),
        "a second red car": (later(extra=((away, 1.8, 0.9, RED),)), LotVideoFault.EXTRA_VEHICLE),
        "A vanishes": (
            rest(8)
            + [Scene(gone={"A": min(1.0, k / 8)}) for k in range(18)]
            + [replace(s, gone={"A": 1.0}) for s in go(FIRSTS, R=Pose(9.1, 6.0))],
            LotVideoFault.VEHICLE_VANISHED,
        ),
        "B vanishes": (later(gone={"B": 1.0}), LotVideoFault.VEHICLE_VANISHED),
        "R and B swap colours": (
            later(colors={"R": rgb(LOT.vehicles[2].color), "B": rgb(RED)}),
            LotVideoFault.IDENTITY_SWAP,
        ),
        "A turns": (
            rest() + go(FIRSTS, A=turned) + go(end_of(freed, A=turned), R=Pose(9.1, 6.0)),
            LotVideoFault.TURNED,
        ),
        "A creeps sideways": (rest() + go(FIRSTS, 60, A=Pose(6.2, 5.6, math.pi / 2)), LotVideoFault.SIDEWAYS),
        "red through A": (rest() + go(FIRSTS, 24, R=Pose(9.1, 6.0)), LotVideoFault.THROUGH_VEHICLE),
        "the exit moves": (later(exits=(Exit(Side.RIGHT, 2.5, 3.5),)), LotVideoFault.EXIT_MOVED),
        "a second exit": (later(exits=(*LOT.exits, Exit(Side.TOP, 2.0, 3.0))), LotVideoFault.EXTRA_EXIT),
        "the obstacle goes": (later(obstacles=()), LotVideoFault.WALLS_CHANGED),
        "writing over it": (later(text="SOLVED"), LotVideoFault.SCENE_OVERLAID),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "look"),
    [(name, ("plain", "textured grey floor")[turn % 2]) for turn, name in enumerate(wrong_clips())],
)
def test_a_wrong_clip_fails_for_its_reason(name: str, look: str) -> None:
    """One look after the other; all faults in all looks are those of ``python -m benchmarks.rollouts``."""
    scenes, fault = wrong_clips()[name]
    judgement = judged(scenes, LOOKS[look])
    assert not judgement.solved
    assert fault in faults(judgement)
    assert not judgement.strict_legal
    assert judgement.progress == 0.0
    reason = next(r for r in judgement.reasons if r.fault is fault)
    assert 0 <= reason.first <= reason.last < len(scenes)
    assert reason.first_s == pytest.approx(reason.first / 24)


def test_the_same_clip_gives_the_same_findings() -> None:
    look = "textured grey floor"
    first, second = seen_right(look), find_lot(film(LOT, solving(), LOOKS[look]), LOT)
    assert all(np.array_equal(a.x, b.x) and np.array_equal(a.color, b.color)
               for a, b in zip(first.tracks, second.tracks, strict=True))  # fmt: skip
    assert first.events == second.events


# Single pictures


def test_a_picture_tells_where_all_are() -> None:
    scene = Scene(poses={"A": Pose(5.0, 9.0, math.pi / 2), "R": Pose(9.1, 6.0)})
    still = read_lot_still(draw(LOT, scene, Look(size=(500, 420))), LOT, draw(LOT, Scene(), PLAIN))
    assert still.missing == ()
    assert still.foreign == ()
    assert still.exits_kept
    assert still.walls_kept
    for vehicle in still.vehicles:
        pose = scene.poses.get(vehicle.label, FIRSTS[LABELS.index(vehicle.label)])
        assert math.hypot(vehicle.x - pose.x, vehicle.y - pose.y) < 0.08


def test_a_picture_tells_what_is_foreign_and_what_is_missing() -> None:
    scene = Scene(gone={"B": 1.0}, extra=((Pose(8.2, 8.2), 1.6, 0.9, "#909090"),))
    still = read_lot_still(draw(LOT, scene, PLAIN), LOT)
    assert still.missing == ("B",)
    assert len(still.foreign) == 1


# Clips that this project did not draw


def decoded(path: Path) -> Iterator[Frame]:
    """Every third frame: what happens takes many, and a third of them takes a third of the time."""
    with av.open(str(path)) as container:
        try:
            for index, frame in enumerate(container.decode(video=0)):
                if not index % 3:
                    yield Frame(index // 3, frame.time or 0.0, frame.to_ndarray(format="rgb24"))
        except av.error.InvalidDataError:
            return  # a file that was cut off is judged on what decodes


def rollouts(key: str, task: str) -> list[dict[str, Any]]:
    truth = ROOT / "truth.json"
    if not truth.exists():
        return []
    return [record for record in json.loads(truth.read_text(encoding="utf-8"))[key] if record["task"] == task]


# Of recorded clips, which are large, those of kinds that are not drawn above. `python -m benchmarks.rollouts DIR`
# grades all of them.
KINDS = {
    *("correct_plain", "correct_overlap_start", "stop_short_then_continue", "partial_then_through"),
}


def one_of_a_kind(key: str, task: str) -> list[dict[str, Any]]:
    """The record of each kind with the fewest pixels, since all take too long for a test."""
    found = sorted(rollouts(key, task), key=pixels_in, reverse=True)
    return list({record["kind"]: record for record in found}.values())


def recorded_clips() -> list[dict[str, Any]]:
    return [record for record in one_of_a_kind("clips", "rushhour") if record["kind"] in KINDS]


def pixels_in(record: dict[str, Any]) -> int:
    video = record.get("video")
    return video["width"] * video["height"] * video["frames"] if video else len(record["steps"])


@pytest.mark.shared
def test_the_rollouts_are_there() -> None:
    assert len(rollouts("clips", "rushhour")) == 57, "needs ../shared/fixtures/rollouts/dev"
    assert {record["kind"] for record in recorded_clips()} == KINDS


@pytest.mark.shared
@pytest.mark.parametrize("record", recorded_clips(), ids=lambda record: record["id"])
def test_rollouts_get_their_verdicts(record: dict[str, Any]) -> None:
    lot = read_rush_hour(ROOT / record["metadata"]).lot
    judgement = judge_lot_clip(lot, find_lot(decoded(ROOT / record["file"]), lot))
    if record["expect"] != "either":
        assert judgement.solved is record["solved"], judgement.reasons
    if not record["strict_ambiguous"]:
        assert judgement.strict_legal is record["strict_legal"], judgement.blemishes
    if not record["ambiguous"]:
        assert judgement.solved_first_moves is record["literal_first_move_rule"]
    assert judgement.solved is not bool(judgement.reasons)
    assert 0.0 <= judgement.progress <= 1.0


@pytest.mark.shared
@pytest.mark.parametrize("record", one_of_a_kind("step_sequences", "steps_rushhour"), ids=lambda record: record["id"])
def test_step_pictures_show_their_offsets(record: dict[str, Any]) -> None:
    cv2 = pytest.importorskip("cv2")
    lot = read_rush_hour(ROOT / record["metadata"]).lot
    reference = np.ascontiguousarray(cv2.imread(str(ROOT / record["folder"] / record["initial"]))[..., ::-1])
    for step in record["steps"]:
        pixels = np.ascontiguousarray(cv2.imread(str(ROOT / record["folder"] / step["file"]))[..., ::-1])
        still = read_lot_still(pixels, lot, reference)
        assert still.missing == ()
        assert bool(still.foreign) is ("extra_vehicle" in step["errors"])
        for seen, vehicle in zip(still.vehicles, lot.vehicles, strict=True):
            gone = step["offsets"][vehicle.label]
            x, y = vehicle.pose.x + gone * vehicle.axis[0], vehicle.pose.y + gone * vehicle.axis[1]
            assert math.hypot(seen.x - x, seen.y - y) < 0.1
