"""Pictures and motion of rush hour and sliding puzzles: where things are drawn, and how clips move."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from benchmarks.rollouts.puzzle_sets import lot_record
from grader.importers.mentisoculi.records import parse_rush_hour, parse_sliding, read_rush_hour
from puzzles.common.easing import Easing, Pace, frame_times
from puzzles.common.lettering import Font
from puzzles.mentis.writer import rush_hour_record, sliding_record
from puzzles.rush_hour import motion as lot_motion
from puzzles.rush_hour.generator import generate_lot
from puzzles.rush_hour.lot import Exit, Lot, Obstacle, Pose, Side, Vehicle
from puzzles.rush_hour.render import LotCanvas, LotStyle, lot_view, picture_size, render_lot, render_steps, sprites_of
from puzzles.rush_hour.rules import Direction, Move, simulate
from puzzles.sliding.motion import clip_frames as tile_clip_frames
from puzzles.sliding.motion import plan_glides
from puzzles.sliding.pictures import LEAST_DIFFERENCE, least_tile_difference, make_lookalikes, make_picture
from puzzles.sliding.render import SlidingStyle, render_board
from puzzles.sliding.tiles import BlankMove, SlidingPuzzle, generate_sliding, solve
from puzzles.sliding.tiles import simulate as simulate_tiles

SHARED = Path(__file__).resolve().parents[3] / "shared" / "fixtures"
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
