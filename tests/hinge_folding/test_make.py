"""``grader make hinge-folding``: the same bytes each time, and solutions that pass."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

import grader
from benchmarks.rollouts.sheets import decoded
from grader import TextCandidate
from grader.cli import main as cli
from grader.engine.engine import Engine
from grader.importers.mentisoculi.instances import find_instances
from grader.make.errors import MakeError
from grader.make.hinge_folding import make_hinges, plan_hinges, write_hinges
from grader.make.plans import PlanLook
from grader.model.verdict import Outcome
from puzzles.mentis.hinges import HingeRecipe

RECIPES = [HingeRecipe(2, 0), HingeRecipe(1, 4)]
LOOK = PlanLook("random", 128, None)


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_bytes_do_not_depend_on_order_and_what_is_there_is_kept(tmp_path):
    report = make_hinges(tmp_path / "one", RECIPES, LOOK, training=True, progress=False)
    make_hinges(tmp_path / "two", RECIPES[:1], LOOK, progress=False)
    again = make_hinges(tmp_path / "two", RECIPES[::-1], LOOK, training=True, progress=False)
    assert (report.made.made, again.made.made, again.made.kept, again.requests) == (2, 1, 1, 6)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    # Of each: chain, silhouette, both, record, answer, recipe, steps; manifest and list.
    assert len(contents(tmp_path / "one")) == 2 * 6 + 3 + 2


def test_solutions_pass_and_the_importer_finds_puzzle_and_level(tmp_path):
    make_hinges(tmp_path, RECIPES, LOOK, progress=False)
    found = find_instances(tmp_path).instances
    assert [(one.puzzle_id, one.level) for one in found] == [
        ("hinge-folding/hinge-folding-1-0000004", 1),
        ("hinge-folding/hinge-folding-2-0000000", 2),
    ]
    for line in (tmp_path / "requests.jsonl").read_text().splitlines():
        request = json.loads(line)
        if "text" not in request:
            continue
        task = grader.load_puzzle(tmp_path / "instances" / request["puzzleId"].partition("/")[2])
        assert grader.grade(task, TextCandidate(request["text"])).outcome is Outcome.PASS


def test_solutions_pass_as_pictures_and_step_by_step_too(tmp_path):
    make_hinges(tmp_path, RECIPES[1:], PlanLook("published", 256, None), progress=False)
    manifest, engine = grader.load_manifest(tmp_path / "requests.jsonl"), Engine()
    assert [engine.grade(job).outcome for job in manifest.jobs()] == [Outcome.PASS] * 3


def test_a_video_shows_all_turns(tmp_path):
    write_hinges(tmp_path / "it", plan_hinges(HingeRecipe(1, 0), PlanLook("bare", 128, 128)))
    frames = decoded((tmp_path / "it" / "solution.mp4").read_bytes())
    assert frames[0].shape == (128, 128, 3)
    assert abs(frames[0].astype(int) - frames[-1]).max() > 100


def test_an_unknown_style_is_named():
    with pytest.raises(MakeError, match="there is no style 'nice'; there are published"):
        plan_hinges(RECIPES[0], PlanLook("nice"))


def test_the_command_says_what_to_do_next(tmp_path):
    done = CliRunner().invoke(
        cli.app,
        ["make", "hinge-folding", "--out", str(tmp_path), "--level", "1", "--count", "1", "--size", "128",
         "--video-size", "0", "--jobs", "1"],
        env={"COLUMNS": "120"},
    )  # fmt: skip
    assert done.exit_code == 0
    assert "1 made, 0 kept" in done.output
    assert "grade them: grader grade" in done.output
