"""Commands that pages, help and hints show can be pasted: the command line takes their options as they stand."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.exceptions import TyperException
from typer.main import get_command

from grader.cli.main import app
from tests.cli.run import run

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDERS = ("docs", "deploy", "examples", "benchmarks", "protos")
PAGES = [*ROOT.glob("*.md"), *(page for folder in FOLDERS for page in (ROOT / folder).rglob("*.md"))]
BLOCK = re.compile(r"^```(?:sh|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SPAN = re.compile("`([^`]+)`")
TREE = get_command(app)
AT_ONCE = {"--help", "--version", "--install-completion", "--show-completion"}
"""These are carried out while options are read, so they are not tried here."""
NAMES = {"grader", ".venv/bin/grader"}
ASSIGNED = re.compile("[A-Z_]+=")
SEPARATORS = {"|", "||", "&&", ";", "&", ">", ">>", "<", "2>"}


def commands_in(line: str) -> Iterator[list[str]]:
    """The words behind each ``grader`` of a line of a shell, without comments, pipes and what is redirected."""
    words = shlex.split(line, comments=True)
    while words and ASSIGNED.match(words[0]):
        del words[0]
    for place, word in enumerate(words):
        if word in NAMES and (place == 0 or words[place - 1] in SEPARATORS):
            rest = words[place + 1 :]
            end = next((at for at, one in enumerate(rest) if one in SEPARATORS), len(rest))
            yield rest[:end]


def fault_of(words: list[str]) -> str:
    """What the command line has against a command's options and arguments; nothing is carried out."""
    if AT_ONCE.intersection(words):
        return ""
    command, parent, rest = TREE, None, list(words)
    try:
        while True:
            context = command.make_context(command.name or "grader", rest, parent=parent)
            if not hasattr(command, "commands"):
                return ""
            _, command, rest = command.resolve_command(context, [*context._protected_args, *context.args])
            parent = context
    except TyperException as error:
        return error.format_message()


def shown_in_help() -> Iterator[tuple[str, str]]:
    """Each example of each command's help, with the command's name."""

    def walk(command: Any, name: str) -> Iterator[tuple[str, str]]:
        for line in (command.epilog or "").splitlines():
            if line.startswith("- `"):
                yield name, line.removeprefix("- `").removesuffix("`")
        if hasattr(command, "commands"):
            for one in command.commands.values():
                yield from walk(one, f"{name} {one.name}")

    return walk(TREE, "grader")


def lines_of(text: str) -> Iterator[str]:
    """Lines of the blocks for a shell, with those that a backslash continues joined."""
    for block in BLOCK.findall(text):
        yield from block.replace("\\\n", " ").splitlines()


def test_what_does_not_work_is_found():
    assert fault_of(["grade", "m.jsonl", "--run", "runs/a"]) == ""
    assert fault_of(["grade", "m.jsonl"]) == "Missing option '--run'."
    assert fault_of(["mark", "m.jsonl"]).startswith("No such command 'mark'.")
    assert fault_of(["make", "maze", "--out", "a", "--jbos", "2"]).startswith("No such option: --jbos")
    assert list(commands_in("cd a && grader grade m --run r | tail  # grader report")) == [["grade", "m", "--run", "r"]]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_of_a_page_are_taken_as_they_stand(page):
    text = page.read_text(encoding="utf-8")
    wrong = []
    for line in lines_of(text):
        if "grader" in line:
            wrong += [(line, fault) for words in commands_in(line) if (fault := fault_of(words))]
    # In running text a command may lack what it needs, but has no option that there is not.
    for span in SPAN.findall(BLOCK.sub("", text)):
        if span.startswith("grader ") and "..." not in span and span.count("'") % 2 == 0:
            for words in commands_in(span):
                if (fault := fault_of(words)).startswith("No such option"):
                    wrong.append((span, fault))
    assert wrong == []


def test_examples_of_help_are_taken_as_they_stand():
    shown = list(shown_in_help())
    assert len(shown) > 50
    wrong = []
    for name, example in shown:
        found = list(commands_in(example))
        assert found, example
        wrong += [(name, example, fault) for words in found if (fault := fault_of(words))]
    assert wrong == []


MAKERS = {
    "form-board": ("--level", "1", "--count", "1", "--size", "256"),
    "paper-fold": ("--level", "1", "--count", "1", "--size", "256", "--video-size", "0"),
    "hinge-folding": ("--level", "1", "--count", "1", "--size", "256", "--video-size", "0"),
    "queens": ("--n", "4", "--count", "1"),
    "grid-maze": ("--rows", "5", "--count", "1"),
}


@pytest.mark.parametrize("maker", MAKERS)
def test_what_a_maker_says_to_do_next_is_taken_as_it_stands(maker, tmp_path):
    done = run("make", maker, "--out", tmp_path / "my set", *MAKERS[maker], "--jobs", "1")
    assert done.exit_code == 0, done.output
    hints = [line[line.index("grader ") :] for line in done.stdout.splitlines() if "grader " in line]
    assert hints
    faults = [fault_of(words) for hint in hints for words in commands_in(hint)]
    assert faults == [""] * len(hints)


def test_every_maker_can_be_quiet_and_answer_machines():
    makers = TREE.commands["make"].commands
    lacking = {
        (name, option)
        for name, command in makers.items()
        for option in ("--quiet", "-q", "--json")
        if all(option not in parameter.opts for parameter in command.params)
    }
    assert lacking == set()
    done = run("make", "list", "-q")
    assert (done.exit_code, done.stdout) == (0, "")
