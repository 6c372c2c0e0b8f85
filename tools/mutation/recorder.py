"""A plugin of pytest that notes which lines each test runs. It is used in a process of its own: ``pytest -p ...``.

Each test is a context of coverage.py. What is made once and used by several tests (a fixture of a module, the answer of
a cached function, what a test module makes when it is imported) is a context of its own, and every test that uses it
counts as running its lines.
"""

from __future__ import annotations

import functools
import json
import os
import sys
from collections.abc import Callable, Generator, Hashable
from pathlib import Path
from typing import Any

import coverage
import pytest

OUT = "MUTATION_LINES"
SOURCES = "MUTATION_SOURCES"
OWN = ("tests", "detectors", "grader", "puzzles", "benchmarks", "examples")


class Recorder:
    """The contexts of a run: which is current, and which use which."""

    def __init__(self) -> None:
        self.coverage = coverage.Coverage(
            data_file=None, config_file=False, include=json.loads(os.environ[SOURCES]), messages=False
        )
        self.stack = ["start"]
        self.uses: dict[str, set[str]] = {}
        self.seconds: dict[str, float] = {}
        self.files: dict[str, str] = {}
        self.failed: list[str] = []

    def start(self) -> None:
        """Starts to measure, and has cached functions of the project tell what they are asked for."""
        self.coverage.start()
        functools.cache = self._noting(functools.cache)
        plain = functools.lru_cache

        def lru_cache(maxsize: Any = 128, typed: bool = False) -> Any:
            if callable(maxsize):
                return self._noting(plain())(maxsize)
            return self._noting(plain(maxsize, typed))

        functools.lru_cache = lru_cache

    def enter(self, context: str) -> None:
        """Goes into a context that the current one uses."""
        self.uses.setdefault(self.stack[-1], set()).add(context)
        self.stack.append(context)
        self.coverage.switch_context(context)

    def leave(self) -> None:
        """Goes back to the context before."""
        self.stack.pop()
        self.coverage.switch_context(self.stack[-1])

    def _noting(self, decorator: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def decorate(function: Any) -> Any:
            inner = decorator(function)
            if function.__module__.split(".")[0] not in OWN:
                return inner
            known: dict[Hashable, str] = {}

            @functools.wraps(function)
            def asked(*args: Any, **more: Any) -> Any:
                key = (args, tuple(sorted(more.items())))
                if key in known:
                    self.uses.setdefault(self.stack[-1], set()).add(known[key])
                    return inner(*args, **more)
                known[key] = f"cache {function.__module__}.{function.__qualname__} {len(known)}"
                self.enter(known[key])
                try:
                    return inner(*args, **more)
                finally:
                    self.leave()

            asked.cache_clear, asked.cache_info = inner.cache_clear, inner.cache_info  # type: ignore[attr-defined]
            return asked

        return decorate

    def used_by(self, context: str) -> set[str]:
        """A context with all that it uses."""
        found, ahead = {context}, [context]
        while ahead:
            ahead = [more for more in self.uses.get(ahead.pop(), ()) if more not in found] + ahead
            found.update(ahead)
        return found

    def write(self) -> None:
        """Writes, for each file of tests and each of its tests, seconds and lines (as bits of a number, in hex)."""
        self.coverage.stop()
        data = self.coverage.get_data()
        root = Path.cwd()
        lines: dict[str, dict[str, int]] = {}
        for measured in data.measured_files():
            name = Path(measured).relative_to(root).as_posix()
            for line, contexts in data.contexts_by_lineno(measured).items():
                for context in contexts:
                    bits = lines.setdefault(context, {})
                    bits[name] = bits.get(name, 0) | 1 << line
        result: dict[str, dict[str, object]] = {}
        for test, seconds in self.seconds.items():
            ran: dict[str, int] = {}
            for context in self.used_by(test):
                for name, more in lines.get(context, {}).items():
                    ran[name] = ran.get(name, 0) | more
            tests = result.setdefault(self.files[test], {})
            tests[test] = {"seconds": round(seconds, 4), "lines": {name: f"{bits:x}" for name, bits in ran.items()}}
        Path(os.environ[OUT]).write_text(json.dumps({"failed": self.failed, "tests": result}), encoding="utf-8")

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector: pytest.Collector) -> Generator[None, object, object]:
        """What a module makes when it is imported belongs to all its tests."""
        self.enter(f"import {collector.nodeid}")
        try:
            return (yield)
        finally:
            self.leave()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """A test is a context, and uses its fixtures and its module."""
        self.stack = ["start"]
        self.enter(item.nodeid)
        self.files[item.nodeid] = item.nodeid.split("::")[0]
        module = item.getparent(pytest.Module)
        fixtures = {f"fixture {name}" for name in getattr(item, "fixturenames", ())}
        self.uses.setdefault(item.nodeid, set()).update(fixtures, {f"import {module.nodeid}"} if module else ())
        try:
            return (yield)
        finally:
            self.leave()

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[object]) -> Generator[None, object, object]:
        """A fixture that outlives its first test is a context of its own."""
        if fixturedef.scope == "function":
            return (yield)
        self.enter(f"fixture {fixturedef.argname}")
        try:
            return (yield)
        finally:
            self.leave()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Adds up seconds, and keeps the names of tests that fail."""
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0.0) + report.duration
        if report.failed:
            self.failed.append(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        """Writes what was found."""
        self.write()


def pytest_configure(config: pytest.Config) -> None:
    """Starts before any module of the project is imported."""
    late = [name for name in sys.modules if name.split(".")[0] in OWN[1:]]
    if late:
        raise RuntimeError(f"these were imported before they could be measured: {', '.join(sorted(late))}")
    recorder = Recorder()
    recorder.start()
    config.pluginmanager.register(recorder)
