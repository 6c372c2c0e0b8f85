"""Pictures and clips of rush hour and sliding puzzles, and the suite of clips whose truth is known by construction."""

from __future__ import annotations

import io
import json
import math
from dataclasses import replace
from functools import cache
from pathlib import Path

import av
import numpy as np
import pytest
from PIL import Image

from benchmarks.rollouts.looks import LOOKS
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
from grader.make_video import encode_clip
from puzzles.easing import Easing, Pace, frame_times
from puzzles.lettering import Font
from puzzles.mentis_files import parse_rush_hour, parse_sliding, read_rush_hour
from puzzles.mentis_writer import rush_hour_record, sliding_record
from puzzles.rush_hour import motion as lot_motion
from puzzles.rush_hour.generator import generate_lot
from puzzles.rush_hour.lot import Exit, Lot, Obstacle, Pose, Side, Vehicle
from puzzles.rush_hour.render import LotCanvas, LotStyle, lot_view, picture_size, render_lot, render_steps, sprites_of
from puzzles.rush_hour.rules import Direction, Move, simulate
from puzzles.sliding import BlankMove, SlidingPuzzle, generate_sliding, solve
from puzzles.sliding import simulate as simulate_tiles
from puzzles.sliding_motion import clip_frames as tile_clip_frames
from puzzles.sliding_motion import plan_glides
from puzzles.sliding_pictures import LEAST_DIFFERENCE, least_tile_difference, make_lookalikes, make_picture
from puzzles.sliding_render import SlidingStyle, render_board

SHARED = Path(__file__).resolve().parents[2] / "shared" / "fixtures"
BLUE, RED, BORDER, EXIT = (0x00, 0x90, 0xC1), (0xE8, 0x5D, 0x75), (0x1B, 0x26, 0x3B), (0x81, 0xC7, 0x84)
WHITE = (255, 255, 255)


def vehicle(label: str, x: float, y: float, degrees: float = 0.0, color: str = "#0090C1", turn: int = 1) -> Vehicle:
    theta = math.radians(degrees)
    axis = (turn * math.cos(theta), turn * math.sin(theta))
    return Vehicle(f"car_{label}", label, 2.0, 1.0, Pose(x, y, theta), axis, True, color)


LOT = Lot(
    10.0,
    10.0,
    (Exit(Side.RIGHT, 4.5, 5.5),),
    (vehicle("R", 1.5, 5.0, color="#E85D75"), vehicle("A", 5.0, 5.0, 30), vehicle("B", 3.0, 8.0, turn=-1)),
    (Obstacle("block", 1.0, 2.0, Pose(8.0, 2.0)),),
)
# 1000 px with a share of 0.8: 80 px a unit, the lot from (100, 100) to (900, 900).
STYLE = LotStyle(lot_share=0.8, rails=False)
SIZE = (1000, 1000)


def at(picture: np.ndarray, x: float, y: float) -> tuple[int, ...]:
    """The colour of the pixel at a place in the lot: x goes right from 100, y up from 900, 80 px a unit."""
    return tuple(int(v) for v in picture[math.floor(900 - 80 * y), math.floor(100 + 80 * x)])


def test_a_lot_is_drawn_where_it_is() -> None:
    picture = render_lot(LOT, None, STYLE, SIZE)
    assert picture.shape == (1000, 1000, 3)
    assert lot_view(LOT, STYLE, SIZE).point(2.5, 7.5) == (300.0, 300.0)  # 100 + 200, 900 - 600
    assert at(picture, 0.8, 5.3) == RED  # its box goes from (0.5, 4.5) to (2.5, 5.5)
    assert at(picture, 0.3, 5.3) == WHITE
    # A points along 30 degrees: 0.8 along and 0.3 across its axis is inside, 1.1 along is outside.
    cos, sin = math.cos(math.pi / 6), math.sin(math.pi / 6)
    assert at(picture, 5 + 0.8 * cos - 0.3 * sin, 5 + 0.8 * sin + 0.3 * cos) == BLUE
    assert at(picture, 5 + 1.1 * cos, 5 + 1.1 * sin) == WHITE
    assert at(picture, 8.4, 2.9) == BORDER  # the obstacle, from (7.5, 1) to (8.5, 3)
    assert at(picture, 8.6, 2.9) == WHITE
    assert at(picture, 10.0, 5.0) == EXIT
    assert at(picture, 10.0, 5.6) == BORDER  # beyond the opening
    assert at(picture, 5.0, 0.0) == BORDER
    assert at(picture, 5.0, -0.1) == WHITE  # the border is 0.04 wide


def test_arrows_show_forward() -> None:
    picture = render_lot(LOT, None, STYLE, SIZE)
    radius = STYLE.disc_radius
    # The arrow's tip is 1.6 radii ahead of the middle; 1.4 radii behind there is nothing but the car.
    assert sum(at(picture, 1.5 + 1.3 * radius, 5.0)) < sum(RED) / 2
    assert at(picture, 1.5 - 1.4 * radius, 5.0) == RED
    assert at(picture, 3.0 + 1.4 * radius, 8.0) == BLUE  # B's forward is to the left
    assert sum(at(picture, 3.0 - 1.3 * radius, 8.0)) < sum(BLUE) / 2


@pytest.mark.parametrize("font", list(Font))
def test_letters_are_white_on_a_dark_disc(font: Font) -> None:
    picture = render_lot(LOT, None, replace(STYLE, font=font), SIZE)
    x, y, r = 100 + 80 * 1.5, 900 - 80 * 5.0, 80 * STYLE.disc_radius
    rows, columns = np.mgrid[0:1000, 0:1000] + 0.5
    disc = (columns - x) ** 2 + (rows - y) ** 2 < (0.9 * r) ** 2
    white = (picture.min(axis=2) > 200) & disc
    assert 0.05 < white.sum() / disc.sum() < 0.4
    middle = np.argwhere(white).mean(axis=0) + 0.5
    assert np.hypot(middle[0] - y, middle[1] - x) < 0.25 * r
    assert (picture[disc].max(axis=1) < 120).mean() > 0.4


def test_edges_are_smooth_and_areas_right() -> None:
    style = replace(STYLE, outline_width=0.0, disc_radius=1e-3)
    lot = replace(LOT, vehicles=(LOT.vehicles[0], vehicle("A", 5.031, 5.017, 15)), obstacles=())
    picture = render_lot(lot, None, style, SIZE)[300:700, 350:650].astype(float)
    share = (255 - picture[:, :, 0]) / (255 - BLUE[0])
    assert share.sum() == pytest.approx(2 * 80 * 80, rel=0.005)  # 2 x 1 units of 80 px
    assert ((share > 0.05) & (share < 0.95)).sum() > 200  # about 480 px of edge


def test_rails_run_along_the_axes() -> None:
    picture = render_lot(LOT, None, replace(STYLE, rails=True, rail_width=0.05), SIZE).astype(int)
    on_line = picture[900 - 400 - 2 : 900 - 400 + 3, 700:890].min(axis=(0, 2))  # y = 5, x from 7.5 to 9.9
    assert (on_line < 240).mean() == pytest.approx(
        0.19 / 0.24, abs=0.05
    )  # dashes of 0.14 with caps of 0.025 every 0.24
    assert picture[900 - 360, 700:880].min() == 255  # y = 4.5


def test_the_same_arguments_give_the_same_bytes() -> None:
    style = replace(STYLE, color_jitter=20, seed=3)
    first = render_lot(LOT, None, style, (300, 200))
    assert first.tobytes() == render_lot(LOT, None, style, (300, 200)).tobytes()
    assert first.tobytes() != render_lot(LOT, None, replace(style, seed=4), (300, 200)).tobytes()
    # A canvas keeps what stood still; that shows in no picture.
    canvas, poses = LotCanvas(LOT, style, (300, 200)), [v.pose for v in LOT.vehicles]
    moved = [poses[0], Pose(5.2, 5.1, poses[1].theta), poses[2]]
    pictures = [canvas.draw(sprites_of(LOT, one, style)) for one in (poses, moved, poses)]
    assert pictures[0].tobytes() == pictures[2].tobytes() == first.tobytes()
    assert pictures[1].tobytes() == render_lot(LOT, moved, style, (300, 200)).tobytes()


def test_the_published_size() -> None:
    assert picture_size(LOT, LotStyle(lot_share=1.0)) == (1200, 1200)
    assert render_lot(LOT, style=LotStyle(lot_share=1.0)).shape == (1200, 1200, 3)


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="the lot has 3 vehicles, but there are 1 poses"):
        render_lot(LOT, [Pose(1, 1)])
    with pytest.raises(ValueError, match="lot_share must be above 0"):
        LotStyle(lot_share=0)
    with pytest.raises(ValueError, match="sides must be positive"):
        render_lot(LOT, None, STYLE, (0, 10))
    with pytest.raises(ValueError, match=r"gap_share must be from 0 to 0\.25"):
        SlidingStyle(gap_share=0.5)


# Motion of vehicles


def test_a_timeline_ends_each_move_where_the_simulator_does() -> None:
    record = lot_record("lot-5-2")  # moves A twice
    run = simulate(record.lot, record.moves)
    line = lot_motion.plan_motion(record.lot, record.moves)
    assert len(line.slides) == 5
    for number, slide in enumerate(line.slides):
        assert line.poses(slide.start_s) == run.poses[number]
        assert line.poses(slide.end_s) == run.poses[number + 1]
        middle = line.poses((slide.start_s + slide.end_s) / 2)[slide.vehicle]
        assert middle.x == pytest.approx((slide.start.x + slide.end.x) / 2)  # easing is even about the middle
    assert line.poses(0.0) == run.poses[0]
    assert line.poses(line.duration_s) == run.poses[-1]


def test_pace_sets_the_times() -> None:
    pace = Pace(speed=4.0, least_s=0.25, before_s=0.5, pause_s=0.125, after_s=1.0, easing=Easing.LINEAR)
    line = lot_motion.plan_motion(LOT, [Move("B", Direction.BACKWARD), Move("B", Direction.BACKWARD)], pace)
    # B's front is at x = 4 and goes to 10: 6 units at 4 a second. Its second move has length 0.
    assert [(s.start_s, s.end_s) for s in line.slides] == [(0.5, 2.0), (2.125, 2.125)]
    assert line.duration_s == 3.125
    assert line.poses(1.25)[2].x == pytest.approx(6.0)  # half of the way from 3 to 9
    assert len(frame_times(3.125, 24)) == 76  # 3.125 x 24 = 75 steps


def test_a_clip_begins_and_ends_with_the_right_pictures() -> None:
    record = lot_record("lot-2-0")
    pace = Pace(speed=20, before_s=0.1, pause_s=0.1, after_s=0.1)
    line = lot_motion.plan_motion(record.lot, record.moves, pace)
    frames = list(lot_motion.clip_frames(record.lot, line, STYLE, (160, 120), 12))
    steps = render_steps(record.lot, record.moves, STYLE, (160, 120))
    assert len(steps) == 2
    assert frames[0].tobytes() == render_lot(record.lot, None, STYLE, (160, 120)).tobytes()
    assert frames[-1].tobytes() == steps[-1].tobytes()
    assert len(frames) == math.ceil(round(line.duration_s * 12, 6)) + 1


def test_moves_that_cannot_be_made_are_refused() -> None:
    with pytest.raises(ValueError, match="names vehicle 'Z', which is not in the lot"):
        lot_motion.plan_motion(LOT, [Move("Z", Direction.FORWARD)])
    with pytest.raises(ValueError, match="takes the blank up"):
        plan_glides((-1, 1, 2, 3), [BlankMove.UP])


# Sliding boards


@pytest.mark.shared
def test_the_public_sliding_pictures_are_reproduced() -> None:
    folders = sorted((SHARED / "rollouts" / "dev" / "puzzles" / "sliding").iterdir())
    assert len(folders) == 21
    for folder in folders:
        record = json.loads((folder / "metadata.json").read_text())
        start, target = (tuple(np.ravel(record[f"{name}_state"]).tolist()) for name in ("initial", "target"))
        initial, solved = (np.asarray(Image.open(folder / f"{n}.png").convert("RGB")) for n in ("initial", "target"))
        # The target's picture has the blank's black where no tile looks, so it serves as the source.
        assert np.array_equal(render_board(solved, start, target), initial), folder.name
        assert np.array_equal(render_board(solved, target, target), solved), folder.name


def test_tiles_show_their_part_of_the_target() -> None:
    source = make_picture(240, 1)
    picture = render_board(source, (3, -1, 1, 2), (-1, 1, 2, 3))
    half = 120
    assert np.array_equal(picture[:half, :half], source[half:, half:])  # 3 belongs to the lower right
    assert np.array_equal(picture[half:, :half], source[:half, half:])  # 1 to the upper right
    assert not picture[:half, half:].any()  # the blank is black
    assert picture.tobytes() == render_board(source, (3, -1, 1, 2), (-1, 1, 2, 3)).tobytes()


def test_board_styles() -> None:
    source = make_picture(200, 1)
    state = (1, 2, 3, -1)
    style = SlidingStyle(board_share=0.8, margin=(1, 2, 3), blank=(9, 9, 9), gap_share=0.1, gap=(7, 7, 7))
    picture = render_board(source, state, state, style, (250, 250))
    # 0.8 x 250 = 200: tiles of 100 px from 25 on, gaps of 10 px, 5 of them at each tile's side.
    assert tuple(picture[24, 100]) == (1, 2, 3)
    assert tuple(picture[27, 100]) == (7, 7, 7)
    assert np.array_equal(picture[30:120, 30:120], source[5:95, 5:95])
    assert tuple(picture[131, 131]) == (9, 9, 9)  # the blank, from 130 to 220
    numbered = render_board(source, state, state, replace(style, numbers=True), (250, 250))
    assert (numbered[30:120, 30:120] != picture[30:120, 30:120]).any(axis=2).sum() > 300
    assert np.array_equal(numbered[130:220, 130:220], picture[130:220, 130:220])
    with pytest.raises(ValueError, match="must have the same tiles"):
        render_board(source, (1, 2, 4, -1), state)


def test_pictures_have_tiles_that_differ_or_look_alike() -> None:
    for seed in range(4):
        picture = make_picture(96, seed)
        assert picture.tobytes() == make_picture(96, seed).tobytes()
        assert min(least_tile_difference(picture, size) for size in (2, 3, 4)) >= LEAST_DIFFERENCE
        alike = make_lookalikes(96, 3, seed)
        assert 0 < least_tile_difference(alike, 3) < LEAST_DIFFERENCE / 2
    with pytest.raises(ValueError, match="at least 32 px"):
        make_picture(16)


def test_glides_end_where_the_simulator_does() -> None:
    puzzle = generate_sliding(3, 6, 2)
    moves = solve(puzzle.start, puzzle.target)
    states = simulate_tiles(puzzle.start, moves).states
    line = plan_glides(puzzle.start, moves)
    for number, glide in enumerate(line.glides):
        places = {place.tile: (place.row, place.column) for place in line.places(glide.end_s)}
        assert places == {t: divmod(k, 3) for k, t in enumerate(states[number + 1]) if t != -1}
    source = make_picture(96, 3)
    frames = list(tile_clip_frames(source, line, puzzle.target, fps=6))
    assert frames[0].tobytes() == render_board(source, puzzle.start, puzzle.target).tobytes()
    assert frames[-1].tobytes() == render_board(source, puzzle.target, puzzle.target).tobytes()


# Records


def test_records_can_be_read_back() -> None:
    made = generate_lot(4, 3)
    record = parse_rush_hour(rush_hour_record(made.lot, made.solution, 7, 4, 3), "x")
    assert (record.lot, record.moves, record.puzzle_id, record.level) == (made.lot, made.solution, 7, 4)
    assert record.distances == tuple(step.distance for step in simulate(made.lot, made.solution).steps)
    puzzle = SlidingPuzzle((1, 2, -1, 3), (1, 2, 3, -1))
    tiles = parse_sliding(sliding_record(puzzle, (BlankMove.RIGHT,), 5, "p.png"), "x")
    assert (tiles.puzzle, tiles.moves, tiles.puzzle_id) == (puzzle, (BlankMove.RIGHT,), 5)
    with pytest.raises(ValueError, match="do not bring the red car to an exit"):
        rush_hour_record(made.lot, made.solution[:-1], 7, 4)


@pytest.mark.shared
def test_public_records_are_written_as_they_were_read() -> None:
    paths = sorted((SHARED / "mentisoculi" / "rushhour").glob("*/*/metadata.json"))
    assert len(paths) == 54
    for path in paths[::6]:
        record = read_rush_hour(path)
        again = parse_rush_hour(rush_hour_record(record.lot, record.moves, record.puzzle_id, record.level), "x")
        assert (again.lot, again.moves) == (record.lot, record.moves)
        written = json.loads(rush_hour_record(record.lot, record.moves, 1, 1))
        public = json.loads(path.read_text())
        for mine, theirs in zip(written["board"].pop("exits"), public["board"].pop("exits"), strict=True):
            assert mine.pop("side") == theirs.pop("side")
            assert mine == pytest.approx(theirs, abs=1e-12)  # the length of an opening is end - start
        assert written["board"] == public["board"]
        bodies = {body["id"]: body for body in public["objects"]}
        assert len(written["objects"]) == len(bodies)
        for body in written["objects"]:
            assert {key: bodies[body["id"]][key] for key in body} == body


def test_the_suites_lots_come_from_the_generator() -> None:
    for name in lot_names()[::5]:
        level, seed = map(int, name.split("-")[1:])
        made, kept = generate_lot(level, seed), lot_record(name)
        assert (kept.lot, kept.moves, kept.level) == (made.lot, made.solution, level)


# The suite


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
    changed = last_of(lot_frames_of(script, look))
    plain = last_of(lot_frames_of(replace(script, changes=(), strangers=(), exits=(), then=None), look))
    different = np.abs(changed.astype(int) - plain).max(axis=2) > 60
    # The least is half of an exit's bar, under the red car: 1 x 0.2 units of 240 x 0.88 / 10 = 21 px, 89 pixels.
    assert different.sum() > 70


def lot_frames_of(script, look):  # type: ignore[no-untyped-def]
    from benchmarks.rollouts.lot_clips import lot_frames

    return lot_frames(script, look, 1)


def last_of(frames):  # type: ignore[no-untyped-def]
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


@pytest.mark.parametrize("look", LOOKS)
def test_every_clip_begins_with_its_puzzles_picture(look: str) -> None:
    for task in Task:
        found = [case for case in cases(task) if case.look == look and case.fault.value != "reversed"]
        for case in found[:1]:
            first = next(case_frames(case))
            assert first.tobytes() == puzzle_picture(case).tobytes()
            assert first.shape == (LOOKS[look].size[1], LOOKS[look].size[0], 3)


@pytest.mark.parametrize("look", ["drift", "noise", "blur", "camera", "wobble", "melt", "jpeg", "everything"])
def test_disturbances_can_be_seen_and_are_small(look: str) -> None:
    case = next(c for c in cases(Task.RUSH_HOUR) if c.look == "plain" and c.level == 3)
    script = lot_script(case)
    rough = replace(LOOKS[look], size=(200, 200), fps=1)
    plain = replace(LOOKS["plain"], size=(200, 200), fps=1)
    pairs = zip(lot_frames_of(script, rough), lot_frames_of(script, plain), strict=True)
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


def test_wrong_frames_are_not_encoded() -> None:
    with pytest.raises(ValueError, match="at least one frame"):
        encode_clip([], 24)
    with pytest.raises(ValueError, match="must be even, not 5 x 4"):
        encode_clip([np.zeros((4, 5, 3), np.uint8)], 24)
    with pytest.raises(ValueError, match="a frame has 6 x 4 pixels, those before 4 x 4"):
        encode_clip([np.zeros((4, 4, 3), np.uint8), np.zeros((4, 6, 3), np.uint8)], 24)
