"""Starts a server, grades a bundled set over gRPC, and writes what came of it into ``runs/demo``.

Run it with ``make demo``. The exit code is 1 if any candidate has another outcome than it was made to have.
"""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from examples.demo_edits import EDIT_MEASURE, measured_text, write_edits
from examples.demo_pages import Row, write_contact_sheet, write_run, write_side_by_side
from examples.demo_plans import write_plans
from examples.demo_set import OTHER_OUTPUTS, OUTPUTS, write_set
from grader.client import GraderClient
from grader.importers.amaze.importer import import_amaze
from grader.lpips.places import CACHE_VARIABLE, GIVEN_VARIABLE
from grader.model.errors import GraderError
from grader.report.make import make_report
from grader.runs.manifest import load_manifest
from grader.v1 import service_pb2, verdict_pb2

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "runs" / "demo"
SHOWN = "maze-square/wrong_branch.png"
"""The candidate whose picture, beside its overlay, becomes ``verdict.png``."""

_START_TIMEOUT_S = 60.0
_STOP_TIMEOUT_S = 40.0
_MOST_WORKERS = 4
_GREETING = "grader listening on "


class DemoError(GraderError):
    """The demo can't go on."""


@contextlib.contextmanager
def running_server(log: Path, *options: str) -> Iterator[str]:
    """A server of its own on a free loopback port; gives its address and stops it with SIGTERM in the end."""
    # What GRADER_* variables are set for another server is not meant for this one, but where the machine's weights are.
    kept = (GIVEN_VARIABLE, CACHE_VARIABLE)
    environment = {name: value for name, value in os.environ.items() if name in kept or not name.startswith("GRADER_")}
    workers = min(_MOST_WORKERS, os.cpu_count() or 1)
    command = [sys.executable, "-m", "grader", "serve", "--host", "127.0.0.1", "--port", "0"]
    with (
        log.open("wb") as stderr,
        subprocess.Popen(
            [*command, "--workers", str(workers), *options],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=stderr,
        ) as server,
    ):
        try:
            yield _address(server, log)
        finally:
            server.terminate()
            try:
                server.wait(_STOP_TIMEOUT_S)
            except subprocess.TimeoutExpired:
                server.kill()


def _address(server: subprocess.Popen[bytes], log: Path) -> str:
    """What the server says on its first line."""
    if server.stdout is None:
        raise DemoError("the server's output is not connected")
    ready, _, _ = select.select([server.stdout], [], [], _START_TIMEOUT_S)
    line = server.stdout.readline().decode() if ready else ""
    if not line.startswith(_GREETING):
        raise DemoError(f"the server did not start; {log} says why")
    return line.removeprefix(_GREETING).strip()


def read_requests(folder: Path) -> list[service_pb2.GradeRequest]:
    """The mazes and boards as requests, by the same way as any AMAZE data: import them, then read the manifest."""
    path = import_amaze(folder, None, folder / "manifest.jsonl", progress=False).manifest
    manifest = load_manifest(path)
    return [manifest.read(index, max_bytes=32 * 1024 * 1024) for index in range(len(manifest))]


def why_not_judged(address: str) -> str:
    """Why the server can't judge edits, and how that is mended; empty where it can."""
    with GraderClient(address) as client:
        client.wait_ready()
        measures: dict[str, str] = {one.name: one.unavailable_reason for one in client.list_tasks().measures}
    return measures[EDIT_MEASURE]


def grade(address: str, requests: list[service_pb2.GradeRequest], console: Console) -> list[Row]:
    """Sends all requests over one stream and gathers the answers, in the order of the requests."""
    rows: dict[str, Row] = {}
    sent = {request.request_id: request for request in requests}
    columns = (TextColumn("grading"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with GraderClient(address) as client, Progress(*columns, console=console) as progress:
        client.wait_ready()
        task = progress.add_task("", total=len(requests))
        for answer in client.grade_batch(requests):
            rows[answer.request_id] = _row(answer, sent[answer.request_id])
            progress.advance(task)
    return [rows[request_id] for request_id in sent]


def _row(answer: service_pb2.GradeBatchResponse, request: service_pb2.GradeRequest) -> Row:
    drawn = request.HasField("maze") or request.HasField("queens")
    place = f"{OUTPUTS if drawn else OTHER_OUTPUTS}/{answer.request_id}"
    if answer.status.code:
        return Row(
            answer.request_id, place, "NO VERDICT", None, None, answer.status.reason, answer.status.message, b"", answer
        )
    verdict = answer.verdict
    outcome = verdict_pb2.Outcome.Name(verdict.outcome).removeprefix("OUTCOME_")
    code, message = (verdict.reasons[0].code, verdict.reasons[0].message) if verdict.reasons else ("", "")
    score = verdict.score if verdict.HasField("score") else None
    overlay = verdict.overlay.png
    reward = verdict.reward if verdict.HasField("reward") else None
    if request.HasField("spatial_edit") and verdict.outcome == verdict_pb2.OUTCOME_MEASURED:
        outcome = measured_text(verdict)
    return Row(answer.request_id, place, outcome, score, reward, code, message, overlay, answer)


def show(rows: list[Row], expected: dict[str, str], console: Console) -> int:
    """Prints the table; gives how many outcomes differ from what the candidates were made to have."""
    table = Table(box=box.SIMPLE_HEAD, title="What was sent, and what came back")
    table.add_column("candidate")
    table.add_column("outcome")
    table.add_column("score", justify="right")
    table.add_column("reward", justify="right")
    table.add_column("first reason", min_width=17)
    table.add_column("as meant")
    colors = {"PASS": "green", "FAIL": "red"}
    differing = 0
    puzzle = ""
    for row in rows:
        before, (puzzle, _, name) = puzzle, row.request_id.partition("/")
        if puzzle != before:
            table.add_section()
            table.add_row(f"[bold]{puzzle}[/]")
        as_meant = row.outcome == expected[row.request_id]
        differing += not as_meant
        table.add_row(
            f"  {Path(name).stem}",
            f"[{colors.get(row.outcome, 'yellow')}]{row.outcome}[/]",
            row.score_text,
            row.reward_text,
            row.code,
            "yes" if as_meant else f"[bold red]NO: {expected[row.request_id]}[/]",
        )
    console.print(table)
    return differing


def write_results(requests: list[service_pb2.GradeRequest], rows: list[Row]) -> None:
    """Writes a run folder, its report, and pictures to look at."""
    make_report([write_run(OUT, requests, rows)], OUT, title="visual-grader demo")
    write_contact_sheet(OUT, rows)
    write_side_by_side(OUT, next(row for row in rows if row.request_id == SHOWN), OUT / "verdict.png")


def run(console: Console) -> int:
    """Makes the set, grades it, and shows what came of it; gives the exit code."""
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    with console.status("drawing puzzles and candidates"):
        expected = dict(write_set(OUT))
        requests = read_requests(OUT)
        for request, outcome in write_plans(OUT):
            expected[request.request_id] = outcome
            requests.append(request)
    with contextlib.ExitStack() as stack:
        with console.status("starting a server"):
            address = stack.enter_context(running_server(OUT / "server.log"))
        console.print(f"A server listens on {address}.")
        missing = why_not_judged(address)
        if missing:
            console.print(f"Edits are measured, not judged: {missing}.", markup=False, highlight=False)
        with console.status("drawing edits"):
            for request, outcome in write_edits(OUT, judged=not missing):
                expected[request.request_id] = outcome
                requests.append(request)
        for request in requests:
            request.model = "demo"
            request.options.overlay = True
            request.options.annotated_video = request.HasField("video")
            request.tags["meant"] = expected[request.request_id]
        begun = time.monotonic()
        rows = grade(address, requests, console)
        seconds = time.monotonic() - begun
    with console.status("writing the report"):
        write_results(requests, rows)
    differing = show(rows, expected, console)
    _say_what_is_where(len(rows), seconds, console)
    if differing:
        console.print(
            f"[bold red]{differing} of {len(rows)} outcomes are not what the candidates were made to have.[/]"
        )
    return 1 if differing else 0


def _say_what_is_where(count: int, seconds: float, console: Console) -> None:
    shown = OUT.relative_to(ROOT)
    console.print(
        f"{count} candidates were graded in {seconds:.1f} s, overlays included. The server was stopped.\n\n"
        f"Look at    {shown}/index.html          the report: every candidate, its verdict and its overlay\n"
        f"           {shown}/contact_sheet.png   the same on one sheet\n"
        f"           {shown}/run                 the verdicts in full, overlays, annotated clips\n"
        f"           {shown}/outputs             what was graded: mazes and boards\n"
        f"           {shown}/other_outputs       what was graded: edits, clips, words\n\n"
        "Next       grade its mazes and boards from the command line, then your own:\n"
        f"           .venv/bin/grader import amaze {shown} --manifest {shown}/first.jsonl\n"
        f"           .venv/bin/grader grade {shown}/first.jsonl --run runs/first --overlays\n"
        "           .venv/bin/grader report runs/first\n"
        "           docs/grading.md goes on from there.",
        highlight=False,
        soft_wrap=True,
    )


def _stop(*_: object) -> None:
    sys.exit(128 + signal.SIGTERM)


def main() -> int:
    """Runs the demo; gives the exit code."""
    # So that the server is stopped too when this is.
    signal.signal(signal.SIGTERM, _stop)
    try:
        return run(Console())
    except (GraderError, OSError) as error:
        print(f"demo: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("demo: stopped", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
