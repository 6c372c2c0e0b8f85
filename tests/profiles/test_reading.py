"""Profiles: the package's own, those of a folder, and how every wrong field is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grader.engine.engine import Engine
from grader.model.errors import InvalidRequestError
from grader.model.jobs import GradeJob, ImageCandidate
from grader.profiles.profile import Profile, ProfileError, flat
from grader.profiles.reading import load_profiles, package_profiles, profiles_of_environment, read_profile
from grader.tasks.registry import find_task, list_tasks
from grader.tasks.spatial_edit.settings import LocalityGate
from tests.samples.puzzles import board_sample, png


def made(**said: object) -> Profile:
    text = json.dumps({"name": "mine", "description": "For a test.", **said})
    return read_profile(text.encode(), "mine.json", package_profiles())


def faults(**said: object) -> list[str]:
    with pytest.raises(ProfileError) as raised:
        made(**said)
    first, *rest = str(raised.value).splitlines()
    assert first == "mine.json is no profile:"
    return [line.strip() for line in rest]


def test_what_a_profile_does_not_say_is_the_default() -> None:
    default = package_profiles().find("default")
    assert default is not None
    assert made().settings == default.settings
    assert made().digest == default.digest


def test_a_digest_covers_its_task_alone() -> None:
    default = package_profiles().find("default")
    assert default is not None
    mine = made(maze={"ink": {"very_dark": 0.9}})
    differing = [task.name for task in list_tasks() if mine.digest_of(task) != default.digest_of(task)]
    assert differing == ["maze"]
    assert mine.digest != default.digest


def test_a_profile_departs_from_the_one_that_it_extends() -> None:
    mine = made(extends="gsi_bench_code", spatial_edit={"rules": {"move_score": 0.25}})
    edits = find_task("spatial_edit")
    base = package_profiles().find("gsi_bench_code")
    assert edits is not None
    assert base is not None
    assert mine.settings_of(edits).gate is LocalityGate.SSIM_OR_LPIPS
    changed = {
        path: value
        for path, value in flat(mine.settings_of(edits)).items()
        if value != flat(base.settings_of(edits))[path]
    }
    assert changed == {"rules.move_score": 0.25}


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({"name": "a b"}, "name: give 1 to 64 letters"),
        ({"name": None}, "name: give 1 to 64 letters"),
        ({"description": " "}, "description: say in a sentence"),
        ({"extends": "gsi"}, "extends: there is no profile \"gsi\"; there are: default, amaze_code"),
        ({"extends": 3}, "extends: there is no profile 3"),
        ({"mazes": {}}, "mazes: there is no such setting; did you mean maze?"),
        ({"maze": []}, "maze: must be an object with settings, not []"),
        ({"maze": {"ink": 1}}, "maze.ink: must be an object with settings, not 1"),
        ({"maze": {"ink": {"very_drak": 1}}}, "maze.ink.very_drak: there is no such setting; did you mean very_dark?"),
        ({"maze": {"ink": {"very_dark": "1"}}}, 'maze.ink.very_dark: input should be a valid number, not "1"'),
        ({"maze": {"ink": {"very_dark": True}}}, "maze.ink.very_dark: input should be a valid number, not true"),
        ({"maze": {"ink": {"very_dark": float("inf")}}}, "maze.ink.very_dark: input should be a finite number"),
        ({"maze": {"metrics": "paper"}}, "maze.metrics: input should be 'seed' or 'amaze_code', not \"paper\""),
    ],
)  # fmt: skip
def test_a_wrong_field_is_named(said: dict[str, object], expected: str) -> None:
    (fault,) = faults(**said)
    assert fault.startswith(expected)


def test_all_wrong_fields_are_named_at_once() -> None:
    assert len(faults(name="", maze={"ink": {"a": 1, "b": 2}}, queens=0)) == 4


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b'{"name": "\xff"}', b"[" * 10_000])
def test_what_is_no_json_object_is_no_profile(text: bytes) -> None:
    with pytest.raises(ProfileError, match=r"^mine\.json is no"):
        read_profile(text, "mine.json", package_profiles())


def write(folder: Path, name: str, **said: object) -> None:
    text = json.dumps({"name": name, "description": "For a test.", **said})
    (folder / f"{name}.json").write_text(text, encoding="utf-8")


def test_a_folder_adds_to_the_package_s_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "a_loose", extends="b_base", maze={"ink": {"very_dark": 0.2}})
    write(tmp_path, "b_base", maze={"metrics": "amaze_code"})
    found = load_profiles(tmp_path)
    assert found.names == (*package_profiles().names, "a_loose", "b_base")
    loose = found.find("a_loose")
    assert loose is not None
    assert (loose.settings["maze"].metrics.value, loose.settings["maze"].ink.very_dark) == ("amaze_code", 0.2)
    monkeypatch.setenv("GRADER_PROFILES", str(tmp_path))
    assert profiles_of_environment().names == found.names
    monkeypatch.setenv("GRADER_PROFILES", "")
    assert profiles_of_environment().names == package_profiles().names


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"default": {}}, "there is a profile 'default' already"),
        ({"one": {"extends": "two"}, "two": {"extends": "one"}}, 'there is no profile "two"'),
        ({}, "there is no profile in this folder"),
    ],
)
def test_a_folder_that_cannot_be_used_says_why(tmp_path: Path, files: dict[str, dict], message: str) -> None:
    for name, said in files.items():
        write(tmp_path, name, **said)
    with pytest.raises(ProfileError, match=message):
        load_profiles(tmp_path)


def test_an_engine_grades_by_the_profiles_that_it_was_given(tmp_path: Path) -> None:
    write(tmp_path, "mine", queens={"metrics": "amaze_code"})
    board = board_sample()
    job = GradeJob("one", board.task, ImageCandidate(png(board.pictures.solution)), profile="mine")
    with pytest.raises(InvalidRequestError, match="there is no profile 'mine'; there are: default"):
        Engine().grade(job)
    profiles = load_profiles(tmp_path)
    verdict = Engine(profiles=profiles).grade(job)
    mine, queens = profiles.find("mine"), find_task("queens")
    assert mine is not None
    assert queens is not None
    assert (verdict.provenance.profile, verdict.provenance.profile_digest) == ("mine", mine.digest_of(queens))
