"""``grader make rush-hour`` and ``grader make sliding``: the same bytes each time, and records that can be read."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner, Result

from benchmarks.rollouts.sheets import decoded
from grader.cli import main as cli
from grader.importers.mentisoculi.records import read_rush_hour, read_sliding
from grader.make.errors import MakeError
from grader.make.plans import PlanLook, make_plans, plan
from puzzles.mentis.recipes import PlanRecipe, RushHourRecipe, SlidingRecipe
from puzzles.mentis.styles import LOT_STYLES, SLIDING_STYLES, random_lot_style, random_sliding_style
from puzzles.rush_hour.render import render_lot
from puzzles.rush_hour.rules import simulate
from puzzles.sliding.tiles import simulate as simulate_tiles

RECIPES: list[PlanRecipe] = [RushHourRecipe(2, 0), RushHourRecipe(3, 1), SlidingRecipe(2, 3, 0), SlidingRecipe(3, 2, 5)]
LOOK = PlanLook("random", 200, 128)


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli.app, ["make", *map(str, arguments)], env={"COLUMNS": "120"})


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def picture(path: Path) -> np.ndarray:
    return np.asarray(Image.open(path).convert("RGB"))


def test_the_bytes_do_not_depend_on_order_and_what_is_there_is_kept(tmp_path: Path) -> None:
    report = make_plans(tmp_path / "one", RECIPES, LOOK, training=True, progress=False)
    make_plans(tmp_path / "two", RECIPES[2:], LOOK, progress=False)
    again = make_plans(tmp_path / "two", RECIPES[::-1], LOOK, training=True, progress=False)
    assert ((report.made, report.kept), (again.made, again.kept)) == ((4, 0), (2, 2))
    one = contents(tmp_path / "one")
    assert one == contents(tmp_path / "two")
    # Of each: initial, record, answer, recipe, video, steps; lots a description, boards target and source; one list.
    assert len(one) == (2 * 6 + 2 + 3) + (2 * 7 + 3 + 2) + 1
    with pytest.raises(MakeError, match="was made with another style, size or other option, or by another version"):
        make_plans(tmp_path / "one", RECIPES, PlanLook("random", 200, None), progress=False)


def test_lots_are_whole(tmp_path: Path) -> None:
    make_plans(tmp_path, RECIPES[1:2], PlanLook("published", 200, 160), progress=False)
    folder = tmp_path / "instances" / "rush-hour-3-0000001"
    record = read_rush_hour(folder / "metadata.json")
    assert (record.level, record.puzzle_id, record.solution_length, len(record.moves)) == (3, 1, 3, 3)
    states = simulate(record.lot, record.moves)
    assert states.solved
    assert json.loads((folder / "answer.json").read_text()) == {"answer": ", ".join(map(str, record.moves))}
    assert (folder / "description.txt").read_text().startswith("Lot: 10.00 wide")
    for name, poses in zip(("initial", "cot_00", "cot_01", "cot_02"), states.poses, strict=True):
        assert np.array_equal(picture(folder / f"{name}.png"), render_lot(record.lot, poses, None, (200, 200)))
    frames = decoded((folder / "solution.mp4").read_bytes())
    assert frames[0].shape == (160, 160, 3)
    end = render_lot(record.lot, states.poses[-1], None, (160, 160))
    assert np.abs(frames[-1].astype(int) - end).mean() < 3


def test_boards_are_whole(tmp_path: Path) -> None:
    make_plans(tmp_path, RECIPES[3:], PlanLook("published", 240, None), progress=False)
    folder = tmp_path / "instances" / "sliding-3x3-02-0000005"
    record = read_sliding(folder / "metadata.json")
    assert simulate_tiles(record.puzzle.start, record.moves).reaches(record.puzzle.target)
    assert record.puzzle.target == (1, 2, 3, 4, 5, 6, 7, 8, -1)
    assert (len(record.moves), record.puzzle_id, record.source_image) == (2, 5, "source.png")
    target, source = picture(folder / "target.png"), picture(folder / "source.png")
    assert np.array_equal(target[:160], source[:160])  # two rows of three tiles of 80 px
    assert not target[160:, 160:].any()  # the blank
    assert np.array_equal(picture(folder / "cot_01.png"), target)
    assert not (folder / "solution.mp4").exists()


def test_the_list_for_training_names_the_files(tmp_path: Path) -> None:
    make_plans(tmp_path, RECIPES[1:3], LOOK, training=True, progress=False)
    lot, board = (json.loads(line) for line in (tmp_path / "train.jsonl").read_text().splitlines())
    assert (lot["id"], lot["task"], lot["level"], lot["seed"]) == ("rush-hour-3-0000001", "rush_hour", 3, 1)
    assert (board["task"], board["size"], board["moves"], board["style"]) == ("sliding", 2, 3, "random")
    for line, keys in ((lot, set()), (board, {"target"})):
        for key in {"input", "metadata", "answer", "video"} | keys:
            assert (tmp_path / line[key]).is_file()


def test_styles_can_be_drawn_and_random_ones_are_fixed_by_their_seed() -> None:
    for seed in range(30):
        assert random_lot_style(seed) == random_lot_style(seed)
        assert random_sliding_style(seed) == random_sliding_style(seed)
    assert len({random_lot_style(seed) for seed in range(30)}) == 30
    for style in LOT_STYLES:
        assert plan(RECIPES[0], PlanLook(style)).style == LOT_STYLES[style] or style == "paper"  # which has a seed
    for style in SLIDING_STYLES:
        assert plan(RECIPES[2], PlanLook(style)).style == SLIDING_STYLES[style]


def test_options_say_what_to_make(tmp_path: Path) -> None:
    done = run(
        "rush-hour", "--out", tmp_path, "--level", 1, "--count", 2, "--size", 128, "--video-size", 0, "--jobs", 1
    )
    assert (done.exit_code, done.stdout.splitlines()) == (
        0,
        [
            f"{tmp_path / 'instances'}: 2 made, 0 kept",
            'once a model has answered, a line an answer, such as {"puzzle": "NAME", "model": "mine", "text": "..."}:',
            f"grader import mentisoculi {tmp_path} --answers answers.jsonl --manifest {tmp_path}/words.jsonl",
            "or has made clips of the ways, CLIPS/NAME.mp4: the same with --clips CLIPS in place of --answers",
        ],
    )
    done = run(
        *("sliding", "--out", tmp_path, "--n", "2,3", "--moves", "1-2", "--count", 1, "--seed", 4),
        *("--size", 128, "--video-size", 0, "--jobs", 1, "--training"),
    )
    assert done.stdout.startswith(f"{tmp_path / 'instances'}: 4 made, 0 kept\n{tmp_path / 'train.jsonl'}: 6 lines\n")
    assert {path.name for path in (tmp_path / "instances").glob("sliding*")} == {
        f"sliding-{n}x{n}-0{moves}-0000004" for n in (2, 3) for moves in (1, 2)
    }


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("rush-hour", "--level", "8"), "--level '8' is out of range; give 1 to 7"),
        (("sliding", "--n", "5"), "--n '5' is out of range; give 2 to 4"),
        (("sliding", "--n", "2-3", "--moves", "7"), "--moves '7' is out of range; give 1 to 6"),
        (("rush-hour", "--style", "nice"), "there is no style 'nice'; there are published, margins"),
        (("rush-hour", "--size", 100), "the picture's side must be from 128 to 3300 px, not 100"),
        (("sliding", "--video-size", 301), "the video's side must be even, not 301"),
    ],
)
def test_wrong_options_are_explained_in_one_line(tmp_path: Path, arguments: tuple[object, ...], said: str) -> None:
    done = run(*arguments, "--out", tmp_path / "out")
    assert done.exit_code == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("command", ["rush-hour", "sliding"])
def test_help_teaches(command: str) -> None:
    done = run(command, "--help")
    assert done.exit_code == 0
    assert f"grader make {command} --out" in " ".join(done.stdout.split())
    assert f"{command} styles: published, margins" in run("list").stdout
