"""The suite of clips: it is whole, each clip shows what its fault says, and its truth agrees with the simulators."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import av
import numpy as np
import pytest

from benchmarks.rollouts.looks import LOOKS
from benchmarks.rollouts.lot_clips import lot_frames
from benchmarks.rollouts.lot_scripts import first_moves
from benchmarks.rollouts.lot_truth import (
    deepest_overlap,
    farthest_off_axis,
    jumps,
    largest_turn,
    red_at_exit,
    time_together,
)
from benchmarks.rollouts.puzzle_sets import lot_names, lot_record, tile_names, tile_puzzle
from benchmarks.rollouts.records import LOT_TRUTHS, LotFault, RolloutCase, Task, TileFault
from benchmarks.rollouts.sheets import contact_sheet, decoded
from benchmarks.rollouts.suite import (
    all_cases,
    case_frames,
    lot_script,
    make_clip,
    puzzle_picture,
    solved_first_moves,
    target_picture,
    tile_script,
)
from puzzles.rush_hour.generator import generate_lot
from puzzles.rush_hour.rules import simulate
from puzzles.sliding.render import render_board
from puzzles.sliding.tiles import simulate as simulate_tiles


def test_the_suites_lots_come_from_the_generator() -> None:
    for name in lot_names()[::5]:
        level, seed = map(int, name.split("-")[1:])
        made, kept = generate_lot(level, seed), lot_record(name)
        assert (kept.lot, kept.moves, kept.level) == (made.lot, made.solution, level)


@cache
def cases(task: Task) -> tuple[RolloutCase, ...]:
    return tuple(case for case in all_cases() if case.task is task)


def test_the_suite_is_large_and_has_everything() -> None:
    lots, tiles = cases(Task.RUSH_HOUR), cases(Task.SLIDING)
    assert len(lots) >= 200
    assert len(tiles) >= 100
    assert len({case.id for case in (*lots, *tiles)}) == len(lots) + len(tiles)
    assert {case.level for case in lots} == {1, 2, 3, 4, 5}
    for fault in LotFault:
        assert sum(case.fault is fault for case in lots) >= 3, fault
    for fault in TileFault:
        assert sum(case.fault is fault for case in tiles) >= 2, fault
    assert {case.look for case in lots} == set(LOOKS)
    assert {case.puzzle for case in lots} == set(lot_names())
    assert {case.puzzle for case in tiles} == set(tile_names())
    solved = [sum(case.truth.solved is value for case in lots) for value in (True, False)]
    assert min(solved) > 0.4 * sum(solved)  # no answer that is always the same does well


def of_fault(fault: LotFault) -> list[RolloutCase]:
    return [case for case in cases(Task.RUSH_HOUR) if case.fault is fault][:3]


@pytest.mark.parametrize("fault", [f for f in LotFault if LOT_TRUTHS[f].strict_legal], ids=lambda f: f.value)
def test_legal_lot_clips_are_legal_and_do_what_the_simulator_says(fault: LotFault) -> None:
    for case in of_fault(fault):
        script = lot_script(case)
        assert deepest_overlap(script, 12) <= 1e-6, case.id
        assert (jumps(script), largest_turn(script), time_together(script)) == ([], 0.0, 0.0)
        assert farthest_off_axis(script) < 1e-9
        assert (script.changes, script.strangers, script.exits, script.then) == ((), (), (), None)
        run = simulate(script.lot, script.moves)
        assert [script.timeline.poses(slide.end_s) for slide in script.timeline.slides] == list(run.poses[1:])
        assert (run.first_solved is not None) is case.truth.solved
        assert (red_at_exit(script) is not None) is case.truth.solved


@pytest.mark.parametrize("fault", [f for f in LotFault if LOT_TRUTHS[f].solved], ids=lambda f: f.value)
def test_solved_lot_clips_show_the_red_car_at_the_exit_and_their_moves_solve(fault: LotFault) -> None:
    for case in of_fault(fault):
        script = lot_script(case)
        assert red_at_exit(script) is not None
        assert simulate(script.lot, script.moves).first_solved is not None
        assert deepest_overlap(script, 12) <= 1e-6
        assert (script.changes, script.strangers, script.exits, script.then) == ((), (), (), None)


# How each wrong motion shows: least overlap, number of jumps, off the axis, turn in degrees.
WRONG_MOTIONS = {
    LotFault.WRONG_ORDER_THROUGH: (0.2, 0, 0.0, 0),
    LotFault.RED_THROUGH: (0.3, 0, 0.0, 0),
    LotFault.RED_TELEPORTS: (-math.inf, 1, 0.0, 0),
    LotFault.TELEPORT_ALONG: (-math.inf, 1, 0.0, 0),
    LotFault.TELEPORT_OFF: (-math.inf, 1, 1.0, 0),
    LotFault.PARTIAL_THROUGH: (0.15, 0, 0.0, 0),
    LotFault.ROTATES: (0.2, 0, 0.0, 69),
    LotFault.ROTATES_SLIDING: (-math.inf, 0, 0.0, 37),
    LotFault.SIDEWAYS: (-math.inf, 0, 1.5, 0),
    LotFault.REVERSED: (-math.inf, 2, 0.0, 0),
}


@pytest.mark.parametrize("fault", WRONG_MOTIONS, ids=lambda f: f.value)
def test_wrong_motions_show(fault: LotFault) -> None:
    depth, jumped, aside, turn = WRONG_MOTIONS[fault]
    for case in of_fault(fault):
        script = lot_script(case)
        assert deepest_overlap(script, 24) >= depth, case.id
        assert len(jumps(script)) >= jumped
        assert bool(jumps(script)) is bool(jumped)
        assert farthest_off_axis(script) >= aside
        assert math.degrees(largest_turn(script)) >= turn


@pytest.mark.parametrize(
    "fault",
    [LotFault.WRONG_ORDER_THROUGH, LotFault.RED_THROUGH, LotFault.TELEPORT_OFF, LotFault.ROTATES, LotFault.SIDEWAYS],
    ids=lambda f: f.value,
)
def test_the_moves_of_wrong_clips_solve_nothing(fault: LotFault) -> None:
    for case in of_fault(fault):
        script = lot_script(case)
        assert script.moves
        assert simulate(script.lot, script.moves).first_solved is None
        assert simulate(script.lot, first_moves(script.moves)).first_solved is None
        assert red_at_exit(script) is not None  # it looks solved at the end, which is the trap


def test_clips_that_end_early_do_not_show_the_red_car_at_the_exit() -> None:
    for fault in (LotFault.STOPS_SHORT, LotFault.STOPS_HALF_WAY, LotFault.PARTIAL_STUCK):
        for case in of_fault(fault):
            script = lot_script(case)
            assert red_at_exit(script) is None
            assert simulate(script.lot, script.moves).solved  # the list of moves alone would say solved
            assert deepest_overlap(script, 12) <= 1e-6


def test_the_literal_rule_differs_where_the_manifest_says() -> None:
    """Revisits, and red cars that do not arrive: see the fixtures' manifest on ``literal_first_move_rule``."""
    for fault in (LotFault.PARTIAL_STUCK, LotFault.PARTIAL_THROUGH, LotFault.STOPS_SHORT, LotFault.TELEPORT_ALONG):
        for case in of_fault(fault):
            record = lot_record(case.puzzle)
            # Some level-5 lots need a vehicle twice, so that their own solution fails by this rule.
            assert solved_first_moves(case) is simulate(record.lot, first_moves(record.moves)).solved
        assert any(solved_first_moves(case) for case in of_fault(fault))
    for fault in (LotFault.REVISIT, LotFault.STATIC, LotFault.EXIT_GLIDES, LotFault.RED_THROUGH, LotFault.PREFIX):
        assert {solved_first_moves(case) for case in of_fault(fault)} == {False}
    assert {solved_first_moves(case) for case in of_fault(LotFault.TRUNCATED)} == {None}


def test_two_at_once_move_together() -> None:
    for case in of_fault(LotFault.TWO_AT_ONCE):
        assert time_together(lot_script(case)) > 0.3
    for case in of_fault(LotFault.OVERLAP_START):
        assert 0.1 < time_together(lot_script(case)) < 1.0


SCENE_FAULTS = {
    LotFault.CUT: "then",
    LotFault.CROSSFADE: "then",
    LotFault.BLACKOUT: "then",
    LotFault.SCENE_REPLACED: "then",
    LotFault.VANISH: "changes",
    LotFault.SHRINK: "changes",
    LotFault.VANISH_BYSTANDER: "changes",
    LotFault.IDENTITY_SWAP: "changes",
    LotFault.COLOR_SWAP: "changes",
    LotFault.NEW_VEHICLE: "strangers",
    LotFault.SECOND_RED: "strangers",
    LotFault.RED_COPY_LEAVES: "strangers",
    LotFault.EXTRA_EXIT: "exits",
    LotFault.EXTRA_EXIT_USED: "exits",
    LotFault.EXIT_GLIDES: "exits",
    LotFault.EXIT_JUMPS: "exits",
}


@pytest.mark.parametrize("fault", SCENE_FAULTS, ids=lambda f: f.value)
def test_scenes_change_in_the_picture(fault: LotFault) -> None:
    """Against the same motion without the change, the last frame differs somewhere by much."""
    case = of_fault(fault)[0]
    script = lot_script(case)
    assert getattr(script, SCENE_FAULTS[fault])
    look = replace(LOOKS[case.look], size=(240, 240), fps=2)
    changed = last_of(lot_frames(script, look, 1))
    plain = last_of(lot_frames(replace(script, changes=(), strangers=(), exits=(), then=None), look, 1))
    different = np.abs(changed.astype(int) - plain).max(axis=2) > 60
    # The least is half of an exit's bar, under the red car: 1 x 0.2 units of 240 x 0.88 / 10 = 21 px, 89 pixels.
    assert different.sum() > 70


def last_of(frames: Iterator[np.ndarray]) -> np.ndarray:
    *_, last = frames
    return last


def test_tile_scripts_end_as_their_truth_says() -> None:
    for case in cases(Task.SLIDING):
        script = tile_script(case)
        run = simulate_tiles(script.puzzle.start, script.moves)
        assert run.failure is None, case.id
        changed = script.morphs or script.fill or script.dissolve
        if case.truth.strict_legal:
            assert not changed
            assert script.shown == run.states[-1]
            assert all(g.end_s > g.start_s for g in script.timeline.glides)
            assert len(script.timeline.glides) == len(script.moves)
            assert run.reaches(script.puzzle.target) is case.truth.solved, case.id
        if case.truth.solved:
            assert run.reaches(script.puzzle.target), case.id
        if script.shown is not None and not changed:
            rest = {place.tile: (place.row, place.column) for place in script.timeline.places(1e9)}
            size = script.puzzle.size
            assert rest == {t: divmod(k, size) for k, t in enumerate(script.shown) if t != -1}


def test_undone_puzzles_were_solved_on_the_way() -> None:
    for case in cases(Task.SLIDING):
        if case.fault is TileFault.UNDONE:
            script = tile_script(case)
            states = simulate_tiles(script.puzzle.start, script.moves).states
            assert script.puzzle.target in states[:-1]
            assert states[-1] != script.puzzle.target


def first_in(task: Task, look: str) -> list[RolloutCase]:
    return [case for case in cases(task) if case.look == look and case.fault.value != "reversed"][:1]


@pytest.mark.parametrize("turn", range(0, len(LOOKS), 4), ids=list(LOOKS)[::4])
def test_every_clip_begins_with_its_puzzles_picture(turn: int) -> None:
    """Every fourth look; tasks take turns, where there is a clip in the look."""
    look, tasks = list(LOOKS)[turn], (Task.RUSH_HOUR, Task.SLIDING)
    if turn // 4 % 2:
        tasks = tasks[::-1]
    (case, *_) = [case for task in tasks for case in first_in(task, look)]
    first = next(case_frames(case))
    assert first.tobytes() == puzzle_picture(case).tobytes()
    assert first.shape == (LOOKS[look].size[1], LOOKS[look].size[0], 3)


@pytest.mark.parametrize("look", ["drift", "noise", "blur", "camera", "wobble", "melt", "jpeg", "everything"])
def test_disturbances_can_be_seen_and_are_small(look: str) -> None:
    case = next(c for c in cases(Task.RUSH_HOUR) if c.look == "plain" and c.level == 3)
    script = lot_script(case)
    rough = replace(LOOKS[look], size=(200, 200), fps=1)
    plain = replace(LOOKS["plain"], size=(200, 200), fps=1)
    pairs = zip(lot_frames(script, rough, 1), lot_frames(script, plain, 1), strict=True)
    differences = [float(np.abs(one.astype(int) - other).mean()) for one, other in pairs]
    assert differences[0] == 0
    assert 0.05 < max(differences) < 14


def test_clips_are_files_that_decode_to_the_frames() -> None:
    case = next(c for c in cases(Task.RUSH_HOUR) if c.look == "fps8" and c.level <= 2)
    clip = make_clip(case)
    assert clip == make_clip(case)
    with av.open(io.BytesIO(clip), "r") as container:
        stream = container.streams.video[0]
        assert (stream.average_rate, stream.codec_context.name, stream.codec_context.pix_fmt) == (8, "h264", "yuv420p")
        assert stream.codec_context.colorspace == 1  # BT.709
    assert clip.index(b"moov") < clip.index(b"mdat")
    shown, made = decoded(clip), list(case_frames(case))
    assert len(shown) == len(made)
    for one, other in ((shown[0], made[0]), (shown[-1], made[-1])):
        assert np.abs(one.astype(int) - other).mean() < 2.5
    assert contact_sheet(shown, "a clip").shape[2] == 3


def test_a_truncated_clip_ends_before_the_goal() -> None:
    for case in of_fault(LotFault.TRUNCATED)[-1:]:
        frames = len(decoded(make_clip(case)))
        goal = red_at_exit(lot_script(case))
        assert goal is not None
        assert 1 < frames / LOOKS[case.look].fps < goal


def test_targets_are_for_tiles() -> None:
    case = cases(Task.SLIDING)[0]
    one = tile_puzzle(case.puzzle)
    look = LOOKS[case.look]
    expected = render_board(one.picture(), one.puzzle.target, one.puzzle.target, look.tiles, look.size)
    assert target_picture(case).tobytes() == expected.tobytes()
    with pytest.raises(ValueError, match="no picture of its target"):
        target_picture(cases(Task.RUSH_HOUR)[0])


def test_vehicles_that_move_may_lie_on_top() -> None:
    script = lot_script(of_fault(LotFault.RED_THROUGH)[0])
    least = []
    for on_top in (False, True):
        look = replace(LOOKS["plain"], size=(200, 200), fps=8, movers_on_top=on_top)
        red = [
            (np.abs(frame.astype(int) - (0xE8, 0x5D, 0x75)) < 12).all(axis=2) for frame in lot_frames(script, look, 1)
        ]
        least.append(min(int(mask.sum()) for mask in red))
    # 1.8 x 0.9 units of 17.6 px are 502 pixels; disc and outline take a part of them, a blocker much more.
    assert least[0] < 0.7 * least[1]
    assert least[1] > 250
