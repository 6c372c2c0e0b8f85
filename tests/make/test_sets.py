"""``grader make``: the same bytes each time, resumable, and what it makes can be imported and graded."""

from __future__ import annotations

import json
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from grader.cli import main as cli
from grader.cli.making import make as cli_make
from grader.contract.requests import job_from_proto
from grader.engine.engine import Engine
from grader.importers.amaze.importer import import_amaze
from grader.make import sets as make
from grader.make.errors import MakeError
from grader.make.sets import make_instances
from grader.model.verdict import Outcome
from grader.runs.manifest import load_manifest
from puzzles.amaze.instances import RECIPE_NAME, Look
from puzzles.amaze.recipes import MazeRecipe, QueensRecipe, Recipe
from puzzles.maze.geometry import Geometry
from puzzles.maze.maze import MazeAlgorithm

RECIPES: list[Recipe] = [
    MazeRecipe(Geometry.SQUARE, 3, MazeAlgorithm.DEPTH_FIRST, 0),
    MazeRecipe(Geometry.CIRCLE, 3, MazeAlgorithm.BREADTH_FIRST, 1),
    QueensRecipe(4, 0),
    QueensRecipe(5, 2),
]
LOOK = Look("random", longest_px=160)
ENGINE = Engine()


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli.app, ["make", *map(str, arguments)], env={"COLUMNS": "120"})


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_bytes_do_not_depend_on_jobs_or_order(tmp_path: Path) -> None:
    make_instances(tmp_path / "one", RECIPES, LOOK, training=True, progress=False)
    make_instances(tmp_path / "two", RECIPES[::-1], LOOK, jobs=2, training=True, progress=False)
    one = contents(tmp_path / "one")
    assert one == contents(tmp_path / "two")
    # input, no markers, solution, mask, cell map, metadata and recipe of 2 mazes; a board has 2 files less; one list
    assert len(one) == 2 * 7 + 2 * 5 + 1


def test_what_is_there_is_kept_and_what_is_not_whole_is_made_again(tmp_path: Path) -> None:
    first = make_instances(tmp_path, RECIPES[:2], LOOK, progress=False)
    assert (first.made, first.kept) == (2, 0)
    whole = contents(tmp_path)
    square, circle = (tmp_path / "instances" / recipe.name for recipe in RECIPES[:2])
    (circle / "mask.png").unlink()
    before = (square / "input.png").stat().st_mtime_ns
    again = make_instances(tmp_path, RECIPES[:3], LOOK, progress=False)
    assert (again.made, again.kept) == (2, 1)
    assert (square / "input.png").stat().st_mtime_ns == before
    assert whole.items() <= contents(tmp_path).items()


def test_another_look_is_refused(tmp_path: Path) -> None:
    make_instances(tmp_path, RECIPES[:1], LOOK, progress=False)
    whole = contents(tmp_path)
    with pytest.raises(MakeError, match=r"square-03-dfs-0000000 is there and was made with another style, size"):
        make_instances(tmp_path, RECIPES[:2], Look("random"), progress=False)
    assert contents(tmp_path) == whole
    (tmp_path / "instances" / RECIPES[2].name).mkdir()
    with pytest.raises(MakeError, match="was not made by this command; give another --out"):
        make_instances(tmp_path, RECIPES[2:], LOOK, progress=False)


def test_a_killed_command_leaves_nothing_half_made(tmp_path: Path) -> None:
    code = (
        "import os, pickle, signal, sys; from pathlib import Path; import puzzles.amaze.files as files\n"
        "from grader.make import sets as make\n"
        "def die(*_): os.kill(os.getpid(), signal.SIGKILL)\n"
        "files.queens_metadata = die\n"
        "make.make_instances(Path(sys.argv[1]), *pickle.loads(bytes.fromhex(sys.argv[2])), progress=False)"
    )
    what = pickle.dumps((RECIPES, LOOK)).hex()
    done = subprocess.run([sys.executable, "-c", code, tmp_path, what], cwd=Path(__file__).parents[2], check=False)
    assert done.returncode == -9
    assert sorted(path.name for path in (tmp_path / "instances").iterdir()) == sorted(r.name for r in RECIPES[:2])
    assert len(list(tmp_path.glob(".making-*"))) == 1
    report = make_instances(tmp_path, RECIPES, LOOK, progress=False)
    assert (report.made, report.kept) == (2, 2)
    assert [path.name for path in tmp_path.iterdir()] == ["instances"]
    make_instances(tmp_path / "other", RECIPES, LOOK, progress=False)
    assert contents(tmp_path / "instances") == contents(tmp_path / "other" / "instances")


def test_the_list_for_training_names_every_instance(tmp_path: Path) -> None:
    make_instances(tmp_path, RECIPES[:2], Look("red_path", longest_px=160), progress=False)
    report = make_instances(tmp_path, RECIPES[2:], Look("dark", longest_px=160), training=True, progress=False)
    lines = [json.loads(line) for line in (tmp_path / "train.jsonl").read_text().splitlines()]
    assert report.training == (tmp_path / "train.jsonl", 4)
    assert [line["id"] for line in lines] == sorted(recipe.name for recipe in RECIPES)
    circle, board = lines[0], lines[1]
    assert circle == {
        "id": "circle-03-bfs-0000001",
        "task": "maze",
        "input": "instances/circle-03-bfs-0000001/input.png",
        "solution": "instances/circle-03-bfs-0000001/solution.png",
        "cell_map": "instances/circle-03-bfs-0000001/cell_map.png",
        "mask": "instances/circle-03-bfs-0000001/mask.png",
        "instruction": circle["instruction"],
        "geometry": "circle",
        "scale": 3,
        "algorithm": "breadth_first",
        "seed": 1,
        "style": "red_path",
    }
    assert "one red line" in circle["instruction"]
    assert (board["task"], board["n"], board["seed"], board["style"]) == ("queens", 4, 0, "dark")
    for line in lines:
        for key in {"input", "solution", "cell_map", "mask"} & line.keys():
            assert (tmp_path / line[key]).is_file()
    (tmp_path / "instances" / RECIPES[0].name / RECIPE_NAME).write_text("{}")
    with pytest.raises(MakeError, match=r"recipe\.json can't be read"):
        make_instances(tmp_path, [], LOOK, training=True, progress=False)


@pytest.mark.parametrize("style", ["published", "blueprint", "red_path", "green_path", "magenta_path"])
def test_solutions_of_what_was_made_pass_when_imported(tmp_path: Path, style: str) -> None:
    recipes = [MazeRecipe(Geometry.SQUARE, 4, MazeAlgorithm.DEPTH_FIRST, 1)]
    make_instances(tmp_path, recipes, Look(style, cell_size_px=40), progress=False)
    assert_solutions_pass(tmp_path, len(recipes))


def test_boards_and_random_looks_pass_when_imported(tmp_path: Path) -> None:
    make_instances(tmp_path, RECIPES, Look("random", longest_px=320), progress=False)
    assert_solutions_pass(tmp_path, len(RECIPES))


def assert_solutions_pass(folder: Path, count: int) -> None:
    """Hands in each instance's solution as a model's answer, and grades it as the manifest of the import asks."""
    for instance in (folder / "instances").iterdir():
        (folder / "outputs" / instance.name).mkdir(parents=True)
        shutil.copy(instance / "solution.png", folder / "outputs" / instance.name / "answer.png")
    manifest = load_manifest(import_amaze(folder, None, folder / "manifest.jsonl", progress=False).manifest)
    assert len(manifest) == count
    for index in range(count):
        request = manifest.read(index, max_bytes=1 << 25)  # with its media inside
        verdict = ENGINE.grade(job_from_proto(request, lambda media, _: media.data))
        assert (verdict.outcome, verdict.score, verdict.reasons) == (Outcome.PASS, 1.0, ()), request.request_id


def test_options_say_what_to_make(tmp_path: Path) -> None:
    done = run(
        *(
            "maze",
            "--out",
            tmp_path,
            "--geometry",
            "square",
            "--geometry",
            "triangle",
            "--scale",
            "3,4-5",
            "--count",
            2,
        ),
        *("--algorithm", "breadth_first", "--seed", 7, "--size", 96, "--jobs", 1, "--training", "--style", "dark"),
    )
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        f"{tmp_path / 'instances'}: 12 made, 0 kept",
        f"{tmp_path / 'train.jsonl'}: 12 lines",
        f"once a model has drawn {tmp_path / 'outputs'}/NAME/*.png:",
        f"grader import amaze {tmp_path} --outputs {tmp_path / 'outputs'} --manifest {tmp_path / 'manifest.jsonl'}",
    ]
    made = {path.name for path in (tmp_path / "instances").iterdir()}
    assert made == {
        f"{geometry}-0{scale}-bfs-000000{seed}"
        for geometry in ("square", "triangle")
        for scale in (3, 4, 5)
        for seed in (7, 8)
    }
    done = run("queens", "--out", tmp_path, "--n", "4-5", "--count", 1, "--cell-size", 20, "--jobs", 1)
    assert done.stdout.startswith(f"{tmp_path / 'instances'}: 2 made, 0 kept\n")
    assert {path.name for path in (tmp_path / "instances").iterdir()} - made == {
        "queens-04-0000000",
        "queens-05-0000000",
    }


def test_too_large_pictures_are_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(make, "write_instance", lambda folder, _: folder.mkdir())  # drawing it takes seconds
    done = run("queens", "--out", tmp_path, "--n", "4", "--count", 1, "--cell-size", 826, "--jobs", 1)
    assert done.exit_code == 0
    assert done.stderr == "grader: 1 has smaller cells, so that no side of a picture is over 3300 px\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("maze", "--scale", "31"), "--scale '31' is out of range; give 3 to 30"),
        (("maze", "--scale", "8-5"), "--scale '8-5' is out of range; give 3 to 30, the smaller first"),
        (("maze", "--scale", "big"), "--scale 'big' is no list of numbers; give such as 3 or 3-30"),
        (("queens", "--n", "3"), "--n '3' is out of range; give 4 to 12"),
        (("maze", "--style", "nice"), "there is no style 'nice'; there are published, thin_walls"),
        (("queens", "--style", "tiles"), "there is no style 'tiles'; there are published, pastel"),
        (("maze", "--preset", "none"), "there is no preset 'none'; there are amaze-test, amaze-train-3"),
        (
            ("maze", "--preset", "amaze-test", "--count", 3),
            "a preset says what to make; leave out --count, or --preset",
        ),
        (("maze", "--seed", 9_999_999), "--seed 9999999 with --count 10 ends at 10000008; the last seed is 9999999"),
        (("maze", "--size", 500, "--cell-size", 50), "give a cell size or a picture size, not both"),
        (("maze", "--size", 64, "--scale", 30), "would have cells of 2.1 px, the least is 16"),
    ],
)
def test_wrong_options_are_explained_in_one_line(tmp_path: Path, arguments: tuple[object, ...], said: str) -> None:
    done = run(*arguments, "--out", tmp_path / "out")
    assert done.exit_code == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = run("queens", "--n", "4", "--count", 1, "--out", tmp_path / "file" / "out")
    assert done.exit_code == 1
    assert done.stderr == f"grader: {tmp_path / 'file' / 'out' / 'instances'}: Not a directory\n"


@pytest.mark.parametrize("command", ["maze", "queens", "list"])
def test_help_teaches(command: str) -> None:
    done = run(command, "--help")
    assert done.exit_code == 0
    if command != "list":
        assert f"grader make {command} --out" in " ".join(done.stdout.split())


def test_the_list_names_styles_and_presets() -> None:
    listed = run("list").stdout
    assert "maze styles: published, thin_walls" in listed
    assert "  amaze-test (2800): " in listed
    assert "  amaze-test (350): " in listed


def test_the_command_line_knows_every_geometry_and_algorithm() -> None:
    assert [name.value for name in cli_make.GeometryName] == [geometry.value for geometry in Geometry]
    assert [name.value for name in cli_make.AlgorithmName] == [algorithm.value for algorithm in MazeAlgorithm]
