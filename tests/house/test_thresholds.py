"""Every number that tunes a detector or a judge is a field of frozen settings, so that a verdict's digest covers it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

from grader.tasks.registry import list_tasks
from tests.house.test_architecture import parsed

ROOT = Path(__file__).resolve().parent.parent.parent
SETTINGS = re.compile(r"(Config|Settings|Rules|Tolerance)$")
"""Names of classes whose fields are thresholds."""
STRUCTURAL = frozenset({-1, 0, 1, 2, 3, 0.5, 1e-9, 1e-12, 255})
"""Numbers that a formula has of itself: signs, halves, squares, channels, bytes, and guards against a division by 0."""
EXCUSE = re.compile(r"#.*\bnot a threshold: \S")
"""A comment on the line of a number, or on the line above it, that says why nobody would tune it."""
QUIET = ("overlay", "wire", "reasons", "spec", "metrics", "clip_metrics", "model", "declarations", "chance")
"""Modules of tasks that draw, declare or convert, and neither detect nor judge."""


def _modules() -> list[Path]:
    detectors = sorted((ROOT / "detectors").rglob("*.py"))
    tasks = [path for path in sorted((ROOT / "grader" / "tasks").rglob("*.py")) if path.stem not in QUIET]
    return [*detectors, *tasks, *sorted((ROOT / "grader" / "alignment").rglob("*.py"))]


def _numbers(node: ast.AST) -> Iterator[ast.Constant]:
    """Number literals outside of settings, declarations of metrics, and subscripts."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef) and SETTINGS.search(child.name):
            continue
        if isinstance(child, ast.Call) and isinstance(child.func, ast.Name) and child.func.id == "MetricInfo":
            continue
        if isinstance(child, ast.Subscript):
            yield from _numbers(child.value)
            continue
        if isinstance(child, ast.FormattedValue):
            continue
        if isinstance(child, ast.Constant) and type(child.value) in (int, float):
            yield child
        else:
            yield from _numbers(child)


def bare_numbers(path: Path) -> list[str]:
    """Line and text of every bare number of a module."""
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    found = []
    for number in _numbers(parsed(path)):
        near = lines[max(0, number.lineno - 2) : number.lineno]
        if number.value in STRUCTURAL or any(EXCUSE.search(line) for line in near):
            continue
        found.append(f"{path.relative_to(ROOT)}:{number.lineno}: {lines[number.lineno - 1].strip()}")
    return found


def test_no_number_stands_outside_of_settings() -> None:
    assert [place for path in _modules() for place in bare_numbers(path)] == []


def _classes(made: object) -> Iterator[type]:
    yield type(made)
    for one in fields(made):
        value = getattr(made, one.name)
        if is_dataclass(value):
            yield from _classes(value)


@pytest.mark.parametrize("task", list_tasks(), ids=lambda task: task.name)
def test_settings_say_what_each_number_means(task) -> None:
    """A class of settings names all its numbers in its docstring, under Attributes, or has none."""
    for kind in _classes(task.settings_type()):
        named = re.findall(r"^\s*([\w, ]+?) : ", kind.__doc__ or "", re.MULTILINE)
        said = {name.strip() for names in named for name in names.split(",")}
        numbers = {one.name for one in fields(kind) if one.type in ("int", "float")}
        assert numbers <= said, f"{kind.__name__} does not say what {sorted(numbers - said)} mean"
