"""Python in the README, in docs/python.md and on the page of edits runs as it stands there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import grader
from puzzles.amaze.files import write_maze
from puzzles.maze.geometry import Geometry
from puzzles.tabletop.edit_files import AFTER_NAME, BEFORE_NAME, RECORD_NAME, instance_json
from puzzles.tabletop.edits import Operation, make_edit
from puzzles.tabletop.generator import generate_scene
from puzzles.tabletop.render import render_scene
from tests.samples.puzzles import maze_sample, png

ROOT = Path(__file__).resolve().parent.parent.parent
SAMPLE = maze_sample(Geometry.SQUARE)


def blocks(name):
    return re.findall(r"^```python\n(.*?)^```$", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a puzzle and an answer, as the examples have it."""
    answer = png(SAMPLE.step(*SAMPLE.wall))
    write_maze(tmp_path / "puzzle", SAMPLE.maze, SAMPLE.style)
    (tmp_path / "answer.png").write_bytes(answer)
    write_maze(tmp_path / "runs/demo/instances/maze-square", SAMPLE.maze, SAMPLE.style)
    outputs = tmp_path / "runs/demo/outputs/maze-square"
    outputs.mkdir(parents=True)
    (outputs / "wrong_branch.png").write_bytes(answer)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", ["README.md", "docs/python.md"])
def test_the_first_example_is_five_lines_that_grade(name, folder, capsys):
    first = blocks(name)[0]
    assert len([line for line in first.splitlines() if line.strip()]) == 5
    names = {}
    exec(first, names)
    assert names["verdict"].overlay.png.startswith(b"\x89PNG")
    assert capsys.readouterr().out.startswith("FAIL, score ")


def test_the_example_of_many(folder):
    _, many, _ = blocks("docs/python.md")
    names = {"grader": grader, "puzzle": grader.load_puzzle("puzzle"), "answers": ["answer.png", "puzzle/solution.png"]}
    exec(many, names)
    assert [verdict.outcome.value for verdict in names["verdicts"]] == ["FAIL", "PASS"]


def test_edits_are_graded_without_lpips_as_their_page_has_it(tmp_path, monkeypatch, capsys):
    edit = make_edit(generate_scene(5), Operation.MOVE, 5)
    (tmp_path / "edit").mkdir()
    (tmp_path / "edit" / RECORD_NAME).write_text(instance_json(edit), encoding="utf-8")
    (tmp_path / "edit" / BEFORE_NAME).write_bytes(png(render_scene(edit.before)))
    (tmp_path / "edit" / AFTER_NAME).write_bytes(png(render_scene(edit.after)))
    (tmp_path / "after.png").write_bytes(png(render_scene(edit.after)))
    monkeypatch.chdir(tmp_path)
    (example,) = blocks("docs/tasks/spatial_edit.md")
    names = {}
    exec(example, names)
    assert capsys.readouterr().out.startswith("PASS")
    verdict = names["verdict"]
    assert verdict.metric("gate") == 1.0
    assert verdict.metric("lpips_background") == 1.0
    assert verdict.metric("ssim_background") > 0.6


def test_the_page_names_every_public_function():
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    functions = [name for name in grader.__all__ if name[0].islower()]
    assert [name for name in functions if not re.search(rf"`[^`]*\b{name}\b[^`]*`", page)] == []
