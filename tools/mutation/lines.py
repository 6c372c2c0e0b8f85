"""Which tests run which line: gathered once a package, kept below ``build/``, and read for each fault."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from .packages import SOURCES as MEASURED_FOLDERS
from .packages import Package, digest
from .recorder import OUT, SOURCES
from .sites import Mutation, reading_lines
from .trees import Tree

MEASURED = tuple(f"{folder}/" for folder in MEASURED_FOLDERS)


class GatheringError(Exception):
    """The tests of a package do not pass as they are, so that nothing could be said of faults."""


@dataclass(frozen=True)
class Test:
    """One test: its name for pytest, how long it takes, and the lines it runs (bits of a number for each file)."""

    name: str
    seconds: float
    lines: Mapping[str, int]


@dataclass(frozen=True)
class Coverage:
    """The tests of a package with the lines they run."""

    tests: tuple[Test, ...]
    sources: Mapping[str, bytes]

    @cached_property
    def fastest_first(self) -> list[Test]:
        """All tests of the package."""
        return sorted(self.tests, key=lambda test: (test.seconds, test.name))

    def tests_of(self, mutation: Mutation) -> list[Test]:
        """The tests that can feel a fault, fastest first.

        A fault within a function is felt by what runs its lines. A constant or the default of a field is read once, at
        import: what runs a line that mentions its name feels it, or, where no line does, every test may.
        """
        reads = {mutation.path: mutation.reads} if mutation.reads else self._readers(mutation.name)
        masks = {path: sum(1 << line for line in set(lines)) for path, lines in reads.items() if lines}
        found = [
            test for test in self.fastest_first if any(test.lines.get(path, 0) & mask for path, mask in masks.items())
        ]
        return found if mutation.reads or found else self.fastest_first

    def _readers(self, name: str) -> dict[str, Sequence[int]]:
        if not name:
            return {}
        return {path: reading_lines(name, source) for path, source in self.sources.items() if name.encode() in source}


def gather(files: Sequence[str], package: Package, tree: Tree, build: Path, marks: str) -> tuple[Coverage, str]:
    """The lines that the tests of a package run; files of tests that did not change since are not run again.

    Parameters
    ----------
    files : all files of the checkout
    package : whose tests
    tree : copy in which they are run
    build : folder for what is kept
    marks : expression of pytest that says which tests count

    Returns
    -------
    The coverage, and a digest of everything it depends on.

    Raises
    ------
    GatheringError : a test fails as it is
    """
    code = [name for name in files if name.endswith(".py")]
    modules = [name for name in code if name.startswith(package.tests) and Path(name).name.startswith("test_")]
    base = digest(tree.path, [name for name in code if not Path(name).name.startswith("test_")])
    keys = {module: f"{base}-{digest(tree.path, [module])}-{marks}" for module in modules}
    kept_file = build / f"lines-{package.name}.json"
    kept = json.loads(kept_file.read_text(encoding="utf-8")) if kept_file.exists() else {}
    kept = {module: kept[module] for module in modules if module in kept and kept[module]["key"] == keys[module]}
    missing = [module for module in modules if module not in kept]
    if missing:
        found = _run(tree, missing, marks)
        kept |= {module: {"key": keys[module], "tests": found.get(module, {})} for module in missing}
        build.mkdir(parents=True, exist_ok=True)
        kept_file.write_text(json.dumps(kept), encoding="utf-8")
    known = tuple(
        Test(name, entry["seconds"], {path: int(bits, 16) for path, bits in entry["lines"].items()})
        for module in modules
        for name, entry in kept[module]["tests"].items()
    )
    sources = {name: (tree.path / name).read_bytes() for name in code if name.startswith(MEASURED)}
    return Coverage(known, sources), hashlib.sha256("".join(sorted(keys.values())).encode()).hexdigest()[:16]


def _run(tree: Tree, modules: list[str], marks: str) -> dict[str, dict[str, dict[str, object]]]:
    out = tree.folder / "lines.json"
    out.unlink(missing_ok=True)
    sources = [str(tree.path / folder / "*") for folder in MEASURED_FOLDERS]
    code, said = tree.pytest(
        ["-p", "tools.mutation.recorder", "-m", marks, *modules], {OUT: str(out), SOURCES: json.dumps(sources)}
    )
    if not out.exists() or code not in {0, 5}:  # 5: no test has these marks
        raise GatheringError(f"the tests do not pass as they are:\n{said[-3000:]}")
    found: dict[str, dict[str, dict[str, object]]] = json.loads(out.read_text(encoding="utf-8"))["tests"]
    return found
