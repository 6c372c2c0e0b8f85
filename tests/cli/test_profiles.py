"""``grader profile``: profiles are shown, compared and checked; ``--profiles`` brings one's own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grader.cli.main import app


def run(*arguments: object, code: int = 0) -> str:
    done = CliRunner().invoke(app, [str(argument) for argument in arguments], env={"COLUMNS": "120"})
    assert done.exit_code == code, done.output
    return done.stdout if code == 0 else done.stderr


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    said = {"name": "mine", "description": "Paler ink.", "extends": "gsi_real", "maze": {"ink": {"very_dark": 0.02}}}
    (tmp_path / "mine.json").write_text(json.dumps(said), encoding="utf-8")
    return tmp_path


def test_show_prints_every_setting(folder: Path) -> None:
    text = run("profile", "show", "mine", "--profiles", folder, "--task", "maze")
    assert text.startswith("mine: Paler ink.\nmaze (digest ")
    assert "\n  maze.ink.very_dark = 0.02\n" in text
    answer = json.loads(run("profile", "show", "default", "--json"))
    assert set(answer["settings"]) == set(answer["digests"]) >= {"maze", "queens"}


def test_diff_prints_what_differs(folder: Path) -> None:
    answer = json.loads(run("profile", "diff", "gsi_real", "mine", "--profiles", folder, "--json"))
    (path,) = answer["differences"]
    assert (path, answer["differences"][path][1]) == ("maze.ink.very_dark", 0.02)
    assert run("profile", "diff", "default", "gsi_syn") == "default and gsi_syn have the same settings\n"
    assert 'spatial_edit.gate: "SSIM_AND_LPIPS" -> "SSIM_OR_LPIPS"\n' in run("profile", "diff", "default", "gsi_real")


def test_check_names_wrong_fields(folder: Path) -> None:
    assert run("profile", "check", folder / "mine.json") == "mine: Paler ink.\n"
    wrong = folder / "wrong.json"
    wrong.write_text('{"name": "wrong", "description": "x", "extends": "mine", "maze": {"inc": {}}}', encoding="utf-8")
    text = run("profile", "check", wrong, code=2)
    assert "maze.inc: there is no such setting; did you mean maze.ink?" in text
    # The one that it extends is found beside it, and was not asked for.
    wrong.write_text('{"name": "right", "description": "x", "extends": "mine"}', encoding="utf-8")
    assert "right: x\n" in run("profile", "check", wrong)


def test_check_says_something_of_every_file(folder: Path) -> None:
    for name in ("one", "two"):
        (folder / f"{name}.json").write_text(f'{{"name": "{name}"}}', encoding="utf-8")
    done = CliRunner().invoke(
        app, ["profile", "check", *(str(folder / f"{name}.json") for name in ("one", "mine", "two"))]
    )
    assert (done.exit_code, done.stdout) == (2, "mine: Paler ink.\n")
    assert [name in done.stderr for name in ("one.json is no profile", "two.json is no profile")] == [True, True]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("profile", "show", "nobody"), "there is no profile 'nobody'; there are: default, amaze_code"),
        (("profile", "show", "default", "--task", "chess"), "there is no task 'chess'; there are maze, queens"),
        (("profile", "show", "default", "--profiles", "no/such"), "--profiles: no/such is no folder"),
        (("tasks", "--profiles", "no/such"), "--profiles: no/such is no folder"),
        (("serve", "--profiles", "no/such"), "--profiles: no/such is no folder"),
        (("grade", "m.jsonl", "--run", "r", "--profiles", "no/such"), "--profiles: no/such is no folder"),
        (("grade", "m.jsonl", "--run", "r", "--server", "localhost:1", "--profiles", "p"), "a server has its own"),
    ],
)
def test_what_is_not_there_is_told(arguments: tuple[str, ...], message: str) -> None:
    assert message in run(*arguments, code=2)


def test_tasks_list_own_profiles_too(folder: Path) -> None:
    offered = json.loads(run("tasks", "--json", "--profiles", folder))
    assert [profile["name"] for profile in offered["profiles"]][-1] == "mine"
