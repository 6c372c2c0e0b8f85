"""Help, versions, completion: what a user sees first."""

import os
import subprocess
import sys

import pytest
import shellingham
from typer.main import get_command

import grader
from grader.cli.main import app
from grader.profiles.reading import package_profiles
from grader.tasks.registry import list_tasks
from tests.cli.run import run


def test_version():
    assert run("--version").output.strip() == grader.__version__


def leaves(group, *path):
    """Every command with its words."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from leaves(command, *path, name)
        else:
            yield (*path, name)


COMMANDS = list(leaves(get_command(app)))


def test_help_loads_nothing_heavy():
    code = (
        "import sys; from grader.cli import main\n"
        "try: main.app(['grade', '--help'])\n"
        "except SystemExit: pass\n"
        "heavy = {'numpy', 'cv2', 'grpc', 'google.protobuf', 'PIL', 'tqdm', 'scipy'} & set(sys.modules)\n"
        "sys.exit(f'loaded {heavy}' if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_command_teaches_by_an_example_and_says_its_exit_codes(words):
    done = run(*words, "--help")
    assert done.exit_code == 0
    shown = " ".join(done.output.split())
    assert "Usage: grader " + " ".join(words) in shown
    _, _, end = shown.partition("Examples:")
    assert f"grader {' '.join(words)}" in end
    assert "Exit codes: 0 " in end


@pytest.mark.parametrize("module", ["grader", "grader.cli"])
def test_it_is_a_module_too(module):
    done = subprocess.run([sys.executable, "-m", module, "--help"], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "Usage: grader " in done.stdout


def complete(*words):
    """What is offered for the last word, as bash would ask for it."""
    asked = {"_GRADER_COMPLETE": "complete_bash", "COMP_WORDS": " ".join(words), "COMP_CWORD": str(len(words) - 1)}
    return run(env=asked).stdout.split()


def test_tab_completes_commands_tasks_profiles_and_formats():
    assert {"grade", "report", "serve", "doctor"} <= set(complete("grader", ""))
    assert complete("grader", "tasks", "ma") == ["maze"]
    assert set(complete("grader", "tasks", "")) == {task.name for task in list_tasks()}
    offered = set(complete("grader", "grade", "m.jsonl", "--profile", ""))
    assert offered == set(package_profiles().names)
    assert complete("grader", "report", "runs/a", "--format", "c") == ["csv"]
    assert complete("grader", "grade", "m.jsonl", "--only", "mo") == ["model="]
    assert complete("grader", "grade", "m.jsonl", "--only", "task=ma") == ["task=maze"]
    assert complete("grader", "import", "mentis") == ["mentisoculi"]


def test_tab_completes_your_own_profiles(tmp_path, monkeypatch):
    (tmp_path / "mine.json").write_text('{"name": "mine", "description": "Stricter: all of it."}')
    (tmp_path / "junk.json").write_text("[")
    monkeypatch.setenv("GRADER_PROFILES", str(tmp_path))
    assert complete("grader", "grade", "m.jsonl", "--profile", "m") == ["mine"]


def test_tab_loads_nothing_heavy():
    code = (
        "import sys; from grader.cli import main\n"
        "try: main.main()\n"
        "except SystemExit: pass\n"
        "heavy = {'numpy', 'cv2', 'grpc', 'google.protobuf', 'PIL', 'tqdm', 'scipy'} & set(sys.modules)\n"
        "sys.exit(f'loaded {heavy}' if heavy else 0)"
    )
    asked = {"_GRADER_COMPLETE": "complete_bash", "COMP_WORDS": "grader grade m --profile ", "COMP_CWORD": "4"}
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **asked}, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "default" in done.stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_for_a_shell_is_shown(shell, monkeypatch):
    monkeypatch.setattr(shellingham, "detect_shell", lambda *_: (shell, f"/bin/{shell}"))
    done = run("--show-completion")
    assert done.exit_code == 0
    assert "_GRADER_COMPLETE" in done.output
    assert "grader" in done.output


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("sqare", "'sqare' is not one of 'square', 'hexagon', 'triangle', 'circle'; did you mean square?"),
        ("xyz", "'xyz' is not one of 'square', 'hexagon', 'triangle', 'circle'."),
    ],
)
def test_a_mistyped_choice_is_told_with_the_nearest_one(tmp_path, given, said):
    done = run("make", "maze", "--out", tmp_path / "out", "--geometry", given)
    assert done.exit_code == 2
    assert said in " ".join(done.stderr.replace("│", " ").split())
    assert "Value error" not in done.stderr
