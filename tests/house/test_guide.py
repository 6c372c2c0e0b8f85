"""The guide for a new task, followed word by word in a copy of the repository: what it adds works."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
GUIDE = ROOT / "docs" / "guide.md"
COPIED = ("calibration", "detectors", "docs", "grader", "protos", "puzzles", "tests", "tools", "examples", "benchmarks")
"""Folders, with what is compiled of them; files beside them are copied too."""
STEP = re.compile(
    r"^(?:\*\*New file\*\* `(?P<new>[^`]+)`"
    r"|\*\*In\*\* `(?P<old>[^`]+)` \*\*(?P<how>after|before|replace)\*\* `(?P<anchor>.+)`)$"
)


@dataclass(frozen=True)
class Step:
    """A block of the page: a new file, text beside or in place of a line, or commands."""

    file: str
    how: str
    anchor: str
    text: str


def steps() -> list[Step]:
    """The page's steps, in order."""
    found: list[Step] = []
    lines = iter(GUIDE.read_text(encoding="utf-8").splitlines())
    said: re.Match[str] | None = None
    for line in lines:
        if line.startswith("```"):
            block = "".join(f"{one}\n" for one in iter(lambda: next(lines), "```"))
            if line == "```sh":
                found.append(Step("", "run", "", block))
            else:
                assert said is not None, f"a block of {line[3:]} that no line says where to put:\n{block}"
                how = said["how"] or "new"
                found.append(Step(said["new"] or said["old"], how, said["anchor"] or "", block))
            said = None
        elif line:
            said = STEP.match(line)
    return found


def follow(step: Step, copy: Path) -> None:
    """Does what a step says."""
    if step.how == "run":
        if step.text == "make protos\n":  # what that target runs
            run(copy, "tools/generate_protos.py")
        return
    path = copy / step.file
    if step.how == "new":
        assert not path.exists(), f"{step.file} is there already"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(step.text, encoding="utf-8")
        return
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    places = [place for place, line in enumerate(lines) if line.strip() == step.anchor.strip()]
    assert len(places) == 1, f"{step.file} has {len(places)} lines {step.anchor!r}"
    first, last = {"after": (1, 1), "before": (0, 0), "replace": (0, 1)}[step.how]
    lines[places[0] + first : places[0] + last] = [step.text]
    path.write_text("".join(lines), encoding="utf-8")


def run(copy: Path, *arguments: str) -> None:
    """Runs Python in the copy, whose packages come before those that are installed."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{' '.join(arguments)}:\n{done.stdout}\n{done.stderr}"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository with all that the guide says."""
    made = tmp_path_factory.mktemp("guide") / "project"
    made.mkdir()
    for name in COPIED:
        shutil.copytree(ROOT / name, made / name, ignore=shutil.ignore_patterns("*.mp4", "*.ipynb"))
    for path in ROOT.iterdir():
        if path.is_file():
            shutil.copy(path, made)
    for step in steps():
        follow(step, made)
    return made


READING = '''"""Wire, catalogue and profiles know the task."""

from google.protobuf import json_format
from grader.contract.requests import job_from_proto
from grader.contract.verdicts import verdict_to_proto
from grader.engine.engine import Engine
from grader.profiles.reading import package_profiles
from grader.report.data.failure_modes import mode_of
from grader.serving.catalogue import make_catalogue
from grader.serving.settings import ServerSettings
from grader.serving.work import inline_only
from grader.tasks.registry import find_task
from grader.v1 import service_pb2
from tests.tile.test_task import png


def test_what_reads_the_declaration_finds_it():
    request = service_pb2.GradeRequest(request_id="one")
    request.tile.image.data, request.tile.size_cells, request.tile.goal_cell_id = png(), 4, 5
    request.image.data = png(6)
    verdict = verdict_to_proto(Engine().grade(job_from_proto(request, inline_only)))
    assert [cell.id for cell in verdict.observation.painted_tiles.painted] == [6]
    assert [reason.code for reason in verdict.reasons] == ["WRONG_TILES", "TILE_MISSED"]
    assert [metric.name for metric in verdict.metrics] == ["coverage", "violation", "overlap"]
    offered = make_catalogue(ServerSettings())
    assert "tile" in [task.name for task in offered.tasks]
    digests = {profile.task_digests["tile"] for profile in offered.profiles}
    assert digests == {package_profiles().find("").digest_of(find_task("tile"))} == {verdict.provenance.profile_digest}
    assert mode_of("WRONG_TILES").name == "CONSTRAINT_VIOLATION"
'''
"""A test of the copy."""


def test_the_new_task_works_and_the_rules_of_the_house_hold_for_it(copy: Path) -> None:
    """Its own tests, what reads its declaration, and the rules: in one process, which imports the copy once."""
    (copy / "tests" / "tile" / "test_declared.py").write_text(READING, encoding="utf-8")
    kept = "tile or arrows or circles or same_name or failure_mode or no_number"
    rules = ("test_architecture", "test_docs", "test_thresholds")
    files = [f"tests/house/{name}.py" for name in rules]
    run(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/tile", *files, "-k", kept)


def test_the_new_files_are_as_the_linter_wants_them(copy: Path) -> None:
    new = [step.file for step in steps() if step.how == "new" and step.file.endswith(".py")]
    run(copy, "-m", "ruff", "check", "--no-cache", *new)
    run(copy, "-m", "ruff", "format", "--no-cache", "--check", *new)


def test_a_new_task_touches_twelve_files() -> None:
    """Beside the three ``__init__`` of one line; a metric in the list of pure functions is an extra of the page."""
    touched = {step.file for step in steps() if step.file} - {"grader/metrics/cells.py"}
    assert len({file for file in touched if not file.endswith("__init__.py")}) == 12
    assert len({file for file in touched if file.endswith("__init__.py")}) == 3
