"""``grader make grid-maze``: the same bytes each time, the groups by one option, and mazes that can be graded."""

from __future__ import annotations

import json

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

import grader
from grader.cli import main as cli
from grader.make.errors import MakeError
from grader.make.grid_mazes import make_grid_mazes
from puzzles.grid_maze.generator import MazeParameters
from puzzles.grid_maze.maze import parse_grid
from puzzles.grid_maze.recipes import GridMazeRecipe, group_recipes

ALL = group_recipes()
GROUPS = {0: (ALL[0], ALL[50], ALL[90]), 1: (ALL[1],)}
RECIPES = [GridMazeRecipe(MazeParameters(5, 6, 0.2, 1, seed=seed), "meadow") for seed in range(2)]


def run(*arguments):
    return CliRunner().invoke(cli.app, [*map(str, arguments)], env={"COLUMNS": "120"})


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_bytes_do_not_depend_on_order_and_what_is_there_is_kept(tmp_path):
    first = make_grid_mazes(tmp_path / "one", RECIPES, training=True, progress=False)
    make_grid_mazes(tmp_path / "two", RECIPES[1:], progress=False)
    again = make_grid_mazes(tmp_path / "two", RECIPES[::-1], training=True, progress=False)
    assert [(report.made, report.kept) for report in (first, again)] == [(2, 0), (1, 1)]
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    assert len(contents(tmp_path / "one")) == 2 * 5 + 3  # of both: annotations, meta, the list for training


def test_other_options_are_refused_where_a_maze_is_already(tmp_path):
    make_grid_mazes(tmp_path, RECIPES[:1], progress=False)
    with pytest.raises(MakeError, match="made with another"):
        make_grid_mazes(tmp_path, RECIPES[:1], 600, progress=False)
    with pytest.raises(MakeError, match="from 512 to 3300"):
        make_grid_mazes(tmp_path / "small", RECIPES, 100, progress=False)


def test_a_record_that_is_broken_is_named(tmp_path):
    make_grid_mazes(tmp_path, RECIPES[:1], progress=False)
    (record,) = tmp_path.glob("instances/*/metadata.json")
    record.write_text("{}", encoding="utf-8")
    with pytest.raises(MakeError, match=r"metadata\.json can't be read"):
        make_grid_mazes(tmp_path, RECIPES[:1], progress=False)


def test_the_command_makes_all_values_together_and_its_mazes_grade(tmp_path):
    words = "--rows 5 --cols 7 --density 0.2 --density 0.3 --traps 0,2 --palette desert --border --size 600 --jobs 1"
    done = run("make", "grid-maze", "--out", tmp_path, *words.split(), "--count", 1, "--training")
    assert done.exit_code == 0, done.stderr
    assert done.stdout.startswith(f"{tmp_path / 'instances'}: 4 made, 0 kept\n{tmp_path / 'train.jsonl'}: 4 lines\n")
    folders = sorted((tmp_path / "instances").iterdir())
    assert folders[0].name == "grid-maze-05x07-200-00b-desert-0000000"
    lines = [json.loads(line) for line in (tmp_path / "train.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {(line["task"], line["style"], line["cols"]) for line in lines} == {("grid_maze", "desert", 7)}
    meta = json.loads((tmp_path / "meta.json").read_text(encoding="utf-8"))
    said = json.loads((tmp_path / "maze_annotations.json").read_text(encoding="utf-8"))
    assert list(meta) == list(said) == [folder.name for folder in folders]
    for folder in folders:
        maze = parse_grid((folder / "maze.txt").read_text(encoding="utf-8"))
        assert list(maze.lines) == meta[folder.name]["text_grid"]
        assert np.asarray(Image.open(folder / "maze.png")).shape == (600, 600, 3)
        answer = grader.TextCandidate((folder / "answer.json").read_text(encoding="utf-8"))
        verdict = grader.grade(folder, answer)
        assert (verdict.outcome, verdict.reward) == (grader.Outcome.PASS, 1.0)
        assert verdict.metric("upstream_list_match") == 1.0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--groups", "--rows", 5, "--border"), "leave out --rows and --border"),
        (("--rows", 4, "--border"), "rows must be from 5"),
        (("--rows", 2), "out of range"),
        (("--density", 1.5), "wall density"),
        (("--rows", 3, "--least-length", 9, "--count", 1, "--jobs", 1), "ask for a shorter one"),
        (("--unreachable", "--least-length", 9), "no least length"),
        (("--size", 100), "from 512 to 3300"),
    ],
)
def test_what_can_not_be_made_is_refused_in_words(tmp_path, options, message):
    done = run("make", "grid-maze", "--out", tmp_path, *options)
    assert done.exit_code == 2
    assert message in done.stderr


def test_one_option_makes_the_groups(tmp_path, monkeypatch):
    """All 110 take seconds, so here three of them stand for all."""
    monkeypatch.setattr("puzzles.grid_maze.recipes.group_recipes", lambda seed: GROUPS[seed])
    for seed, names in ((0, ["gen_maze_001", "gen_maze_051", "gen_maze_091"]), (1, ["gen_maze_002"])):
        out = tmp_path / str(seed)
        done = run("make", "grid-maze", "--out", out, "--groups", "--seed", seed, "--jobs", 1, "--quiet")
        assert (done.exit_code, done.stderr) == (0, "")
        assert list(json.loads((out / "meta.json").read_text(encoding="utf-8"))) == names
