"""Checks whether this machine can grade: versions, codecs, a port, and one grading from end to end."""

from __future__ import annotations

import contextlib
import importlib.metadata
import re
import socket
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from grader.model.errors import GraderError
from grader.serving.settings import load_settings

PACKAGE = "visual-grader"
_MIN_PYTHON = (3, 11)
_PICTURE_CODECS = ("jpg", "zlib", "webp", "avif")
_REQUIREMENT = re.compile(r"^([A-Za-z0-9._-]+)\s*>=\s*([0-9.]+)\s*$")


@dataclass(frozen=True)
class Check:
    """One thing that was looked at.

    Attributes
    ----------
    name : what it is
    ok : whether it is as needed
    found : what was found
    advice : how to get it, where it is not ok
    """

    name: str
    ok: bool
    found: str
    advice: str = ""


def _numbers(version: str) -> tuple[int, ...]:
    found = [int(part) for part in re.findall(r"\d+", version.split("+")[0])[:3]]
    return tuple(found + [0] * (3 - len(found)))


def _check_python() -> Check:
    needed = ".".join(map(str, _MIN_PYTHON))
    return Check("Python", sys.version_info >= _MIN_PYTHON, sys.version.split()[0], f"install Python {needed} or newer")


def _check_libraries() -> Iterator[Check]:
    try:
        required = importlib.metadata.requires(PACKAGE) or []
    except importlib.metadata.PackageNotFoundError:
        yield Check(PACKAGE, False, "not installed", "run `pip install .` in the project's folder")
        return
    for line in required:
        match = _REQUIREMENT.match(line)
        if match is None:  # of an extra
            continue
        name, needed = match.groups()
        advice = f"run `pip install '{name}>={needed}'`"
        try:
            found = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            yield Check(name, False, "not installed", advice)
        else:
            yield Check(name, _numbers(found) >= _numbers(needed), f"{found} (needs {needed})", advice)


def _check_codecs() -> Iterator[Check]:
    try:
        from PIL import features
    except ImportError as error:
        yield Check("picture codecs", False, str(error), "run `pip install --force-reinstall pillow`")
        return
    for codec in _PICTURE_CODECS:
        found = bool(features.check(codec))
        advice = "this Pillow was built without it; run `pip install --force-reinstall --only-binary :all: pillow`"
        yield Check(f"codec {codec}", found, "available" if found else "missing", advice)


def _check_port() -> Check:
    try:
        with socket.create_server(("127.0.0.1", 0)) as server:
            found = f"127.0.0.1:{server.getsockname()[1]} could be bound"
    except OSError as error:
        return Check("loopback port", False, str(error), "allow this program to listen on 127.0.0.1")
    return Check("loopback port", True, found)


def _check_grading() -> Check:
    name = "grading over gRPC"
    try:
        outcome = _grade_once()
    except (GraderError, ImportError) as error:
        return Check(name, False, str(error), "the lines above, or the log on stderr, say what is missing")
    return Check(name, True, f"a blank board was judged {outcome}")


def _grade_once() -> str:
    """Serves with one worker, sends a board without queens, and gives the outcome."""
    import numpy as np

    from grader.client import GraderClient
    from grader.serving.catalogue import make_catalogue
    from grader.serving.server import GraderServer
    from grader.serving.work import default_spec
    from grader.serving.workers import WorkerPool
    from grader.v1 import service_pb2, verdict_pb2

    board = np.full((128, 128, 3), 255, np.uint8)
    board[::32], board[:, ::32] = 0, 0
    request = service_pb2.GradeRequest(request_id="doctor")
    request.queens.puzzle.image.data = request.image.data = _png(board.tobytes(), 128, 128)
    request.queens.puzzle.size_cells = 4
    request.queens.puzzle.regions.extend([0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3])
    for row, column in enumerate((1, 3, 0, 2)):
        request.queens.truth.queens.add(row=row, column=column)
    settings = load_settings(host="127.0.0.1", port=0, workers=1)
    pool = WorkerPool(default_spec(settings.media_limits, log_level="ERROR"), 1, 1, settings.request_timeout_s)
    with contextlib.closing(pool):
        pool.wait_ready()
        server = GraderServer(settings, pool, make_catalogue(settings))
        try:
            with GraderClient(server.address) as client:
                outcome = client.grade(request).verdict.outcome
        finally:
            server.stop()
    return str(verdict_pb2.Outcome.Name(outcome)).removeprefix("OUTCOME_")


def _png(rgb: bytes, width: int, height: int) -> bytes:
    import io

    from PIL import Image

    buffer = io.BytesIO()
    Image.frombytes("RGB", (width, height), rgb).save(buffer, "PNG")
    return buffer.getvalue()


def _check_measures() -> Iterator[Check]:
    """What only some requests need: it is said, and is no fault where it is missing."""
    from grader.serving.catalogue import measures_missing

    for name, why in measures_missing().items():
        yield Check(name, True, "available" if why is None else f"not available; only requests for it need it: {why}")


def run_checks() -> Iterator[Check]:
    """Looks at one thing after another; the last, a grading from end to end, takes a few seconds."""
    yield _check_python()
    yield from _check_libraries()
    yield from _check_codecs()
    yield _check_port()
    yield from _check_measures()
    yield _check_grading()
