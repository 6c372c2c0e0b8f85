"""`import grader` costs nothing, and every public name is there when it is used, for people and for type checkers."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import grader

ROOT = Path(__file__).resolve().parent.parent.parent
SLOW = ("numpy", "cv2", "PIL", "scipy", "skimage", "av", "grpc", "google", "torch", "pandas", "detectors", "puzzles")


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_importing_grader_imports_nothing_else():
    loaded = json.loads(run("import grader, sys, json; print(json.dumps(sorted(sys.modules)))"))
    assert [name for name in loaded if name.split(".")[0] in SLOW] == []
    assert [name for name in loaded if name.startswith("grader.")] == []


def test_a_client_needs_no_detectors():
    loaded = json.loads(
        run("from grader import GraderClient; import sys, json; print(json.dumps(sorted(sys.modules)))")
    )
    assert [name for name in loaded if name.split(".")[0] in ("detectors", "torch", "cv2")] == []


@pytest.mark.parametrize("name", grader.__all__)
def test_every_public_name_is_there(name):
    found = getattr(grader, name)
    assert name in dir(grader)
    if name != "__version__":
        assert found.__doc__


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = grader.nonsense


def test_type_checkers_see_the_names_that_are_imported_lazily():
    tree = ast.parse((ROOT / "grader" / "__init__.py").read_text(encoding="utf-8"))
    (block,) = [node for node in tree.body if isinstance(node, ast.If)]
    seen = {
        (alias.name, node.module) for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    lazy = {(name, module) for module, names in grader._PLACES.items() for name in names}
    assert seen == lazy
    assert {name for name, _ in lazy} | {"__version__"} == set(grader.__all__)


def test_every_file_beside_the_code_is_in_the_wheel():
    """What is not Python in a package is package data, `py.typed` and the page's files among them."""
    setup = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    patterns = setup["package-data"]
    left_out = []
    for top in ("grader", "detectors", "puzzles"):
        for path in (ROOT / top).rglob("*"):
            if not path.is_file() or path.suffix in (".py", ".pyi", ".pyc"):
                continue
            # Data belong to the innermost package that they lie in; patterns are relative to that.
            home = next(folder for folder in path.parents if (folder / "__init__.py").is_file())
            package = ".".join(home.relative_to(ROOT).parts)
            if not any(path.relative_to(home).match(one) for one in patterns.get(package, [])):
                left_out.append(str(path.relative_to(ROOT)))
    assert left_out == []
    assert (ROOT / "grader" / "py.typed").is_file()
    assert setup["dynamic"]["version"] == {"attr": "grader.__version__"}


def test_the_changelog_and_the_citation_name_this_version():
    assert f"## {grader.__version__} " in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"version: {grader.__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
