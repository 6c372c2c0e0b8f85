"""A plugin of pytest that runs the named tests in the named order, and tells which one fails first."""

from __future__ import annotations

import json
import os
import resource
from pathlib import Path

import hypothesis
import pytest

TESTS = "MUTATION_TESTS"
CAUGHT = "MUTATION_CAUGHT"
# A fault may ask for a picture of any size; it must not take the machine with it.
MEMORY_BYTES = 8 << 30


def pytest_configure() -> None:
    """Bounds memory."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


def pytest_collection() -> None:
    """An example that fails is enough; it need not be made small."""
    phases = [phase for phase in hypothesis.settings().phases if phase is not hypothesis.Phase.shrink]
    hypothesis.settings.register_profile("mutation", hypothesis.settings(), phases=phases)
    hypothesis.settings.load_profile("mutation")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keeps the named tests in the named order."""
    order = {name: index for index, name in enumerate(json.loads(Path(os.environ[TESTS]).read_text("utf-8")))}
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in order])
    items[:] = sorted((item for item in items if item.nodeid in order), key=lambda item: order[item.nodeid])


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Notes the test that fails."""
    if report.failed:
        Path(os.environ[CAUGHT]).write_text(report.nodeid, encoding="utf-8")
