"""Profiles: the package's own, those of a folder, and how every wrong field is named."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass, fields
from pathlib import Path

import pytest

from grader.engine.engine import Engine
from grader.model.errors import InvalidRequestError
from grader.model.jobs import GradeJob, ImageCandidate
from grader.profiles.profile import Profile, ProfileError, flat, plain
from grader.profiles.ranges import Range, range_of
from grader.profiles.reading import check_files, load_profiles, package_profiles, profiles_of_environment, read_profile
from grader.tasks.registry import find_task, list_tasks
from grader.tasks.spatial_edit.settings import LocalityGate
from tests.samples.puzzles import board_sample, png

UNKNOWN = "there is no such setting; did you mean"


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
        ({"mazes": {}}, f"mazes: {UNKNOWN} maze?"),
        ({"maze": []}, "maze: must be an object with settings, not []"),
        ({"maze": {"ink": 1}}, "maze.ink: must be an object with settings, not 1"),
        ({"maze": {"ink": {"very_drak": 1}}}, f"maze.ink.very_drak: {UNKNOWN} maze.ink.very_dark?"),
        ({"maze": {"ink": {"very_dark": "1"}}}, 'maze.ink.very_dark: input should be a valid number, not "1"'),
        ({"maze": {"ink": {"very_dark": True}}}, "maze.ink.very_dark: input should be a valid number, not true"),
        ({"maze": {"ink": {"very_dark": float("inf")}}}, "maze.ink.very_dark: input should be a finite number"),
        ({"maze": {"ink": {"very_dark": -5}}}, "maze.ink.very_dark: must be 0 to 1, not -5"),
        ({"maze": {"ink": {"very_dark": 99}}}, "maze.ink.very_dark: must be 0 to 1, not 99"),
        ({"maze": {"ink": {"prefilter": 256}}}, "maze.ink.prefilter: must be 0 to 255, not 256"),
        ({"maze": {"path": {"gaps": {"bridge": 1.5}}}}, "maze.path.gaps.bridge: must be 0 to 1, not 1.5"),
        ({"maze": {"alterations": {"walls": {"known_px": 0}}}}, "maze.alterations.walls.known_px: must be"),
        ({"maze": {"floorplan": {"thin_px": -1}}}, "maze.floorplan.thin_px: must be at least 0, not -1"),
        ({"spatial_edit": {"boxes": {"edges": {"windows_px": [-7, 5]}}}}, "spatial_edit.boxes.edges.windows_px: must"),
        ({"queens": {"inside": 0.5}}, f"queens.inside: {UNKNOWN} queens.queens.discs.inside"),
        ({"erased_share": 0.5}, f"erased_share: {UNKNOWN} maze.alterations.walls.erased_share"),
        ({"maze": {"walls": {}}}, f"maze.walls: {UNKNOWN} maze.floor.walls or maze.alterations.walls?"),
        ({"maze": {"zzzz": 1}}, "maze.zzzz: there is no such setting"),
        ({"maze": {"ink": {"foo": 1}}}, "maze.ink.foo: there is no such setting"),  # and not maze.floor
        ({"maze": {"metrics": "paper"}}, "maze.metrics: input should be 'seed' or 'amaze_code', not \"paper\""),
    ],
)  # fmt: skip
def test_a_wrong_field_is_named(said: dict[str, object], expected: str) -> None:
    (fault,) = faults(**said)
    assert fault.startswith(expected)
    assert (UNKNOWN in fault) == (UNKNOWN in expected)


def test_all_wrong_fields_are_named_at_once() -> None:
    assert len(faults(name="", maze={"ink": {"a": 1, "b": 2}}, queens=0)) == 4


def test_a_name_that_is_said_twice_is_refused() -> None:
    text = b"""{"name": "mine", "name": "mine", "description": "For a test.",
                "maze": {"ink": {"very_dark": 0.1, "very_dark": 0.2}}}"""
    with pytest.raises(ProfileError) as raised:
        read_profile(text, "mine.json", package_profiles())
    assert [line.strip() for line in str(raised.value).splitlines()[1:]] == [
        "name: is said twice",
        "maze.ink.very_dark: is said twice",
    ]


@pytest.mark.parametrize("profile", package_profiles().profiles, ids=lambda profile: profile.name)
def test_the_package_s_own_settings_can_all_be_said(profile: Profile) -> None:
    """Each lies in its range, the ends of which are allowed."""
    assert made(**{name: plain(settings) for name, settings in profile.settings.items()}).settings == profile.settings


def test_what_a_range_is_taken_from() -> None:
    @dataclass(frozen=True)
    class Shades:
        """Settings.

        Attributes
        ----------
        light, dark : greys, 0 to 255,
            of the picture
        wide : a share that may be more than all
        bend : in either direction
        """

        light: float = 200.0
        dark: int = 20
        wide: float = 1.5
        bend: tuple[float, ...] = (-1.0, 1.0)
        unsaid: int = 3
        is_so: bool = True

    found = {field.name: range_of(Shades, field.name, field.default) for field in fields(Shades)}
    assert found == {
        "light": Range(0.0, 255.0),
        "dark": Range(0.0, 255.0),
        "wide": Range(0.0),
        "bend": Range(),
        "unsaid": Range(1.0),
        "is_so": Range(),
    }


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
        (
            {"one": {"extends": "two"}, "two": {"extends": "one"}},
            "one.json is no profile: extends: one and two extend each other\n.*two and one extend each other",
        ),
        ({"one": {"extends": "one"}}, "extends: it extends itself"),
        ({"one": {"extends": "two"}}, 'there is no profile "two"; there are: default, .*, gsi_syn$'),
        (
            {"one": {"extends": "two"}, "three": {}},
            'there is no profile "two"; there are: default, .*, gsi_syn, three$',
        ),
        ({}, "there is no profile in this folder"),
    ],
)
def test_a_folder_that_cannot_be_used_says_why(tmp_path: Path, files: dict[str, dict], message: str) -> None:
    for name, said in files.items():
        write(tmp_path, name, **said)
    with pytest.raises(ProfileError, match=message):
        load_profiles(tmp_path)


def test_a_folder_tells_of_each_broken_file_in_a_line(tmp_path: Path) -> None:
    write(tmp_path, "broken", maze={f"a{number}": 1 for number in range(30)})
    write(tmp_path, "heir", extends="broken")
    (tmp_path / "torn.json").write_text("{", encoding="utf-8")
    with pytest.raises(ProfileError) as raised:
        load_profiles(tmp_path)
    broken, heir, torn = str(raised.value).splitlines()
    assert broken.endswith("(and 29 more; `grader profile check` names them)")
    assert heir.endswith(f"extends: broken is no profile; see `grader profile check {tmp_path / 'broken.json'}`")
    assert torn.startswith(f"{tmp_path / 'torn.json'} is no JSON")


def test_each_file_is_checked_by_itself(tmp_path: Path) -> None:
    """Of what lies beside the files that are asked for, only what they extend is looked at."""
    write(tmp_path, "good", extends="base")
    write(tmp_path, "base", maze={"metrics": "amaze_code"})
    write(tmp_path, "bad", maze={"inc": {}})
    write(tmp_path, "worse", queens=3)
    (tmp_path / "torn.json").write_text("{", encoding="utf-8")
    shutil.copy(tmp_path / "good.json", tmp_path / "same.json")
    asked = [tmp_path / f"{name}.json" for name in ("bad", "good", "worse", "none")]
    bad, good, worse, none = check_files(asked)
    assert [one.file for one in (bad, good, worse, none)] == asked
    assert "maze.inc: there is no such setting" in bad.fault
    assert (good.profile is not None, good.fault) == (True, "")
    assert "queens: must be an object" in worse.fault
    assert none.fault == f"{asked[3]}: No such file or directory"
    assert "a profile 'good' already" in check_files([asked[1], tmp_path / "same.json"])[1].fault


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
