"""``grader doctor``: whether this machine can grade: versions, codecs, a port, and one grading from end to end."""

from __future__ import annotations

import contextlib
import importlib.metadata
import re
import socket
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from grader.cli.common.connection import TlsCa, TlsCert, TlsKey, connect
from grader.cli.common.errors import OTHER_FAULT, say
from grader.cli.common.output import Json, Output, Quiet, epilog
from grader.model.errors import GraderError
from grader.model.wording import count_of

EPILOG = epilog(
    "grader doctor",
    "grader doctor --server localhost:50051",
    "grader doctor --quiet --json",
    codes="Exit codes: 0 what grading needs is there; 1 something is missing, or the server does not answer; 2 options "
    "are wrong.",
)
PACKAGE = "visual-grader"
_MIN_PYTHON = (3, 11)
_READY_S = 5.0
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
    request.queens.puzzle.regions.extend([0, 0, 0, 1, 0, 0, 1, 1, 2, 3, 3, 1, 2, 3, 3, 3])
    for row, column in enumerate((1, 3, 0, 2)):
        request.queens.truth.queens.add(row=row, column=column)
    from grader.serving.settings import load_settings

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
    """What only some requests need: it is said in one line, and is no fault where it is missing."""
    from grader.serving.catalogue import measures_missing, say_missing
    from grader.v1 import service_pb2

    measures = measures_missing()
    missing = say_missing(
        service_pb2.MeasureInfo(name=name, unavailable_reason=why) for name, why in measures.items() if why is not None
    )
    there = [name for name, why in measures.items() if why is None]
    found = [f"{', '.join(there)} available"] if there else []
    found += [f"{missing}; only requests for it need it"] if missing else []
    yield Check("LPIPS", True, "; ".join(found))


def _check_settings() -> Check:
    from grader.serving.settings import SettingsError, load_settings

    advice = "mend or unset it; `grader serve --settings` lists what there is"
    try:
        load_settings()
    except SettingsError as error:
        return Check("settings", False, str(error), advice)
    return Check("settings", True, "as a server would read them from the environment")


def check_server(server: str, tls_ca: Path | None, tls_cert: Path | None, tls_key: Path | None) -> Check:
    """Whether a server answers, and says that it is SERVING."""
    from grader.client import GraderCallError

    name = f"server {server}"
    advice = "start it, or give the address that it printed when it was started"
    with connect(server, tls_ca, tls_cert, tls_key) as client:
        try:
            offered = client.list_tasks()
            client.wait_ready(_READY_S)
        except GraderCallError as error:
            return Check(name, False, str(error), advice)
    return Check(name, True, f"grader {offered.grader_version}, {count_of(len(offered.tasks), 'task')}, SERVING")


def run_checks() -> Iterator[Check]:
    """Looks at one thing after another; the last, a grading from end to end, takes a few seconds."""
    yield _check_python()
    yield from _check_libraries()
    yield from _check_codecs()
    yield _check_port()
    yield _check_settings()
    yield from _check_measures()
    yield _check_grading()


def doctor(
    server: Annotated[
        str | None, typer.Option(help="HOST:PORT of a server; whether it answers is looked at too.")
    ] = None,
    tls_ca: TlsCa = None,
    tls_cert: TlsCert = None,
    tls_key: TlsKey = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Check what works on this machine; say what is missing and how to get it."""
    out = Output(quiet, as_json)
    with out.errors():
        found: list[Check] = []
        for check in _all_checks(server, tls_ca, tls_cert, tls_key):
            found.append(check)
            out.line(f"{'ok     ' if check.ok else 'MISSING'} {check.name}: {check.found}")
            if not check.ok:
                out.line(f"        {check.advice}")
        bad = [check for check in found if not check.ok]
        out.answer({"ok": not bad, "checks": found})
        if bad:
            if quiet:
                for check in bad:
                    say(f"{check.name}: {check.found}; {check.advice}")
            else:
                say(f"{len(bad)} of the things that grading needs {'is' if len(bad) == 1 else 'are'} missing")
            raise typer.Exit(OTHER_FAULT)


def _all_checks(
    server: str | None, tls_ca: Path | None, tls_cert: Path | None, tls_key: Path | None
) -> Iterator[Check]:
    if server is not None:
        yield check_server(server, tls_ca, tls_cert, tls_key)
    yield from run_checks()
