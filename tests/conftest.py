"""What holds for every test."""

import functools
import gc
import os
import sys
from collections.abc import Generator

# Test processes are the parallelism, as the server's workers are; threads of libraries would only contend with them.
# This one is read when NumPy is first imported, here and in the processes that tests start.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import cv2
import pytest
from _pytest.runner import runtestprotocol
from typer import testing

cv2.setNumThreads(1)
# A process of the command line builds its commands once. Tests run some hundred commands in one, and building all of
# them again takes as long as most of them.
testing._get_command = functools.cache(testing._get_command)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected stays to the end, so that looking through it for garbage again and again would be in vain."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()
        # Syntax trees of the whole house are millions of objects that stay: looking for garbage among them every 700
        # allocations takes three times as long as making them.
        gc.set_threshold(50_000, 20, 20)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Of a test's set-up and tear-down nothing is told unless it fails, or how long all takes is asked for.

    Each of three reports a test goes from one process to another, which takes longer than most of the tests.
    """
    if not hasattr(item.config, "workerinput") or item.config.getoption("durations") is not None:
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems() -> None:
    """Examples of Hypothesis come from their strategies alone.

    By itself it reads the constants of all modules that happen to be loaded: in a clean clone this takes a process 4 s,
    and examples depend on what else is run.
    """
    if "hypothesis" in sys.modules:
        from hypothesis.internal.conjecture import providers

        providers._get_local_constants = lambda: providers._local_constants
