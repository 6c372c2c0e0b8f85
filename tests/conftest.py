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
def pytest_collection_modifyitems() -> None:
    """Examples of Hypothesis come from their strategies alone.

    By itself it reads the constants of all modules that happen to be loaded: in a clean clone this takes a process 4 s,
    and examples depend on what else is run.
    """
    if "hypothesis" in sys.modules:
        from hypothesis.internal.conjecture import providers

        providers._get_local_constants = lambda: providers._local_constants
