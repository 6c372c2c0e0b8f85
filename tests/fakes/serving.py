"""Servers for tests: one in this process, one as a process of its own."""

import contextlib
import os
import subprocess
import sys
from pathlib import Path

from grader.serving.server import GraderServer
from grader.serving.settings import ServerSettings
from grader.serving.workers import WorkerPool
from tests.fakes.engine import CATALOGUE, SPEC

FAKES = Path(__file__).parent
ROOT = FAKES.parent.parent


@contextlib.contextmanager
def running(executor=None, catalogue=CATALOGUE, *, beside=lambda settings: (), **settings):
    """A server in this process, on any free port; with a pool of its own unless an executor is given.

    `beside` says what else is served there, by the settings.
    """
    made = ServerSettings(port=0, **{"workers": 2, **settings})
    pool = executor or WorkerPool(SPEC, made.workers, made.queue_size, made.request_timeout_s)
    try:
        pool.wait_ready()
        server = GraderServer(made, pool, catalogue, beside=beside(made))
        try:
            yield server
        finally:
            server.stop()
    finally:
        if executor is None:
            pool.close()


@contextlib.contextmanager
def process(**environment):
    """A server process in a process group of its own; gives the process and its address."""
    env = {
        **os.environ,
        "GRADER_PORT": "0",
        "GRADER_WORKERS": "1",
        "GRADER_SPARE_WORKERS": "0",
        "PYTHONPATH": str(ROOT),
        **environment,
    }
    with subprocess.Popen(
        [sys.executable, FAKES / "server.py"],
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as server:
        try:
            line = server.stdout.readline()
            yield server, line.strip().rpartition(" ")[2]
        finally:
            server.kill()
