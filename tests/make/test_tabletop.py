"""``grader make tabletop``: the same bytes each time, resumable, and results that are judged as what they are."""

from __future__ import annotations

import json
import math
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner, Result

from benchmarks.edits import NoLpips
from grader.cli import main as cli
from grader.cli.making import tabletop as cli_make_tabletop
from grader.contract.requests import job_from_proto
from grader.engine.engine import Engine
from grader.make.errors import MakeError
from grader.make.tabletop import TabletopLook, make_tabletop
from grader.make.training import write_training
from grader.model.verdict import Outcome, Verdict
from grader.runs.manifest import Manifest, load_manifest
from grader.v1 import service_pb2
from puzzles.tabletop.edits import Operation
from puzzles.tabletop.recipes import TabletopRecipe
from puzzles.tabletop.render import render_scene

RECIPES = [TabletopRecipe(Operation.REMOVE, 1), TabletopRecipe(Operation.VIEW, 1)]
SMALL, SMALL_WRONG = TabletopLook(320), TabletopLook(320, wrong=True)
ENGINE = Engine(measures=NoLpips())


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli.app, [*map(str, arguments)], env={"COLUMNS": "120"})


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def requests_in(manifest: Manifest) -> list[service_pb2.GradeRequest]:
    """With their pictures inside."""
    return [manifest.read(index, max_bytes=1 << 25) for index in range(len(manifest))]


def graded(request: service_pb2.GradeRequest) -> Verdict:
    # Without LPIPS only the gate of photographs can be looked at.
    request.options.profile = "gsi_real"
    return ENGINE.grade(job_from_proto(request, lambda media, _: media.data))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Edits of three operations in one scene, with wrong results, as the command makes them."""
    out = tmp_path_factory.mktemp("made") / "table"
    names = [word for one in ("move", "rotate", "remove") for word in ("--operation", one)]
    options = ("--count", 1, "--seed", 1, "--size", 320, "--wrong", "--training", "--jobs", 1)
    done = run("make", "tabletop", "--out", out, *names, *options)
    assert done.exit_code == 0, done.stderr
    assert done.stdout.startswith(f"{out / 'instances'}: 3 made, 0 kept\n{out / 'train.jsonl'}: 3 lines\n")
    return out


def test_the_bytes_do_not_depend_on_order_and_what_is_there_is_kept(tmp_path: Path) -> None:
    first = make_tabletop(tmp_path / "one", RECIPES, SMALL_WRONG, training=True, progress=False)
    make_tabletop(tmp_path / "two", RECIPES[1:], SMALL_WRONG, progress=False)
    again = make_tabletop(tmp_path / "two", RECIPES[::-1], SMALL_WRONG, training=True, progress=False)
    assert [(report.made.made, report.made.kept) for report in (first, again)] == [(2, 0), (1, 1)]
    one = contents(tmp_path / "one")
    assert one == contents(tmp_path / "two")
    # Of each: before, after, record, recipe, and the result without an edit; of the removal also those with the wrong
    # box gone and with two gone; the list for training and the manifest, of 2 right and 4 wrong results.
    assert len(one) == 2 * 5 + 2 + 2
    assert (first.requests, again.requests) == (6, 6)


def test_what_is_not_whole_is_made_again_and_other_options_are_refused(tmp_path: Path) -> None:
    make_tabletop(tmp_path, RECIPES, SMALL, progress=False)
    whole = contents(tmp_path)
    (tmp_path / "instances" / RECIPES[0].name / "after.png").unlink()
    again = make_tabletop(tmp_path, RECIPES, SMALL, progress=False)
    assert (again.made.made, again.made.kept, contents(tmp_path)) == (1, 1, whole)
    with pytest.raises(MakeError, match=r"tabletop-remove-0000001 is there .* another --out, or the same options"):
        make_tabletop(tmp_path, RECIPES, SMALL_WRONG, progress=False)
    assert contents(tmp_path) == whole


def test_pictures_and_camera_are_of_the_width_that_was_asked_for(tmp_path: Path) -> None:
    make_tabletop(tmp_path, RECIPES[:1], SMALL, progress=False)
    folder = tmp_path / "instances" / RECIPES[0].name
    edit = RECIPES[0].edit()
    for name, scene in (("before.png", edit.before), ("after.png", edit.after)):
        picture = np.asarray(Image.open(folder / name))
        assert picture.shape == (240, 320, 3)  # 4 : 3
        assert np.array_equal(picture, render_scene(scene.scaled(320)))
    camera = json.loads((folder / "metadata.json").read_text())["camera_intrinsics"]
    # Recipes are of pictures of 640 x 480 px, so half of that focal length, and a principal point in the middle.
    assert math.isclose(camera[0][0], edit.before.camera.focal_px / 2)
    assert (camera[0][2], camera[1][2]) == (160.0, 120.0)


def test_the_list_for_training_names_instruction_and_files(made: Path) -> None:
    lines = {line["id"]: line for line in map(json.loads, (made / "train.jsonl").read_text().splitlines())}
    assert list(lines) == [f"tabletop-{one}-0000001" for one in ("move", "remove", "rotate")]
    removal = lines["tabletop-remove-0000001"]
    here = "instances/tabletop-remove-0000001"
    assert removal == {
        "id": "tabletop-remove-0000001",
        "task": "tabletop",
        "input": f"{here}/before.png",
        "solution": f"{here}/after.png",
        "metadata": f"{here}/metadata.json",
        "instruction": f"Remove the {removal['label']}.",
        "label": removal["label"],
        "wrong": {
            "no-op": f"{here}/wrong_no_op.png",
            "removed the wrong one": f"{here}/wrong_removed_wrong.png",
            "removed two": f"{here}/wrong_removed_two.png",
        },
        "operation": "remove",
        "twins": False,
        "seed": 1,
        "style": "random",
    }
    for line in lines.values():
        named = [line["input"], line["solution"], line["metadata"], *line["wrong"].values()]
        assert [path for path in named if not (made / path).is_file()] == []
    # Edits of one seed start from one picture.
    assert len({(made / line["input"]).read_bytes() for line in lines.values()}) == 1


@pytest.mark.parametrize(
    "broken", [b"{", b"[" * 200_000, rb'{"prompt": "\ud800", "wrong_results": []}', b"{}", b"\xff"]
)
def test_a_broken_record_is_named_and_not_the_recipe(made: Path, tmp_path: Path, broken: bytes) -> None:
    shutil.copytree(made, tmp_path / "table")
    place = tmp_path / "table" / "instances" / "tabletop-move-0000001" / "metadata.json"
    place.write_bytes(broken)
    with pytest.raises(MakeError, match=f"^{re.escape(str(place))} can't be read .*; remove its folder"):
        write_training(tmp_path / "table", tmp_path / "table" / "instances")


def test_results_are_judged_from_their_pictures_as_what_they_are(made: Path) -> None:
    """Half of a turn is more than the quarter that passes, and none at all fails.

    What else can be wrong with an edit, tests/spatial_edit/test_pictures.py tells.
    """
    verdicts = {
        request.tags["result"]: graded(request)
        for request in requests_in(load_manifest(made / "requests.jsonl"))
        if request.tags["operation"] == "rotate" and request.tags["result"] in ("right", "half", "no-op")
    }
    ends = {name: verdict.outcome for name, verdict in verdicts.items()}
    assert ends == {"right": Outcome.PASS, "half": Outcome.PASS, "no-op": Outcome.FAIL}
    rewards = {name: verdict.reward or 0.0 for name, verdict in verdicts.items()}
    assert rewards["right"] > 0.95
    assert rewards["right"] > rewards["half"] > rewards["no-op"]
    assert rewards["no-op"] < 0.05


def test_twins_are_told_apart_in_words_and_views_have_the_picture_that_should_result(tmp_path: Path) -> None:
    options = ("--seed", 3, "--count", 1, "--size", 320, "--boxes", 4, "--jobs", 1)
    names = ("--operation", "view", "--operation", "move")
    done = run("make", "tabletop", "--out", tmp_path, *names, "--twins", *options)
    assert done.exit_code == 0, done.stderr
    manifest = tmp_path / "requests.jsonl"
    move, view = (json.loads(line) for line in manifest.read_text().splitlines())
    assert move["requestId"] == "tabletop-move-twins-0000003/after.png"
    puzzle = move["spatialEdit"]["puzzle"]
    assert any(f"the {side} {puzzle['target']} " in puzzle["prompt"] for side in ("left", "right"))
    # Four boxes, of which two look the same.
    assert len(puzzle["coloredBoxes"]["kinds"]) == 3
    assert view["spatialEdit"]["truth"] == {"image": {"uri": "instances/tabletop-view-twins-0000003/after.png"}}
    # A view is held against the wanted picture box by box.
    assert len(view["spatialEdit"]["puzzle"]["coloredBoxes"]["kinds"]) == 3


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--boxes", "9"), "--boxes '9' is out of range; give 2 to 8"),
        (("--boxes", "2,4"), "--boxes '2,4' has a gap; give one range, such as 2-4"),
        (("--boxes", "many"), "--boxes 'many' is no list of numbers; give such as 2 or 2-8"),
        (("--size", 642), "--size: the pictures' width is 642 px; give a multiple of 4 from 320 to 1920, such as 640"),
        (("--size", 316), "--size: the pictures' width is 316 px; give a multiple of 4 from 320 to 1920, such as 640"),
        (("--seed", 9_999_999), "--seed 9999999 with --count 10 ends at 10000008; the last seed is 9999999"),
    ],
)
def test_wrong_options_are_explained_in_one_line(tmp_path: Path, arguments: tuple[object, ...], said: str) -> None:
    done = run("make", "tabletop", *arguments, "--out", tmp_path / "out")
    assert done.exit_code == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_the_command_line_knows_every_operation() -> None:
    assert [name.value for name in cli_make_tabletop.OperationName] == [operation.value for operation in Operation]
    assert "tabletop operations: move, place, rotate, resize, remove, view" in run("make", "list").stdout


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (
            ("make", "tabletop"),
            ("grader make tabletop --out", "grader grade runs/check/requests.jsonl", "docs/make.md"),
        ),
        (("import", "tabletop"), ("grader import tabletop runs/table --outputs", "OUTPUTS/INSTANCE/NAME.png")),
    ],
)
def test_help_teaches(command: tuple[str, str], says: tuple[str, ...]) -> None:
    done = run(*command, "--help")
    assert done.exit_code == 0
    shown = " ".join(done.stdout.split())
    assert [text for text in says if text not in shown] == []


@pytest.mark.lpips
def test_what_was_made_is_graded_and_reported_from_the_command_line(tmp_path: Path) -> None:
    options = ("--operation", "remove", "--count", 1, "--seed", 1, "--size", 320, "--wrong", "--jobs", 1)
    assert run("make", "tabletop", "--out", tmp_path / "table", *options).exit_code == 0
    graded = run("grade", tmp_path / "table" / "requests.jsonl", "--run", tmp_path / "run", "--workers", 1)
    assert graded.exit_code == 0, graded.stderr
    assert "pass rate (1/4)" in graded.stdout  # of right, no-op, the wrong one gone, two gone
    by_result = ("--by", "result", "--matrix", "result", "operation", "--bootstrap", 0)
    reported = run("report", tmp_path / "run", *by_result)
    assert reported.exit_code == 0, reported.stderr
    assert "removed the wrong one" in reported.stdout
