"""``grader grade``: a manifest into a run folder. Imported late where it is heavy."""

from __future__ import annotations

import enum
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from grader.cli.common.completion import complete_only, complete_profile
from grader.cli.common.connection import TlsCa, TlsCert, TlsKey, check_address, credentials
from grader.cli.common.errors import CALLER_FAULT, OTHER_FAULT, say
from grader.cli.common.output import Json, Output, Quiet, epilog
from grader.cli.profiles import Profiles, check_folder
from grader.model.errors import GraderError
from grader.model.wording import FEW, count_of

if TYPE_CHECKING:
    from grader.metrics.runs.aggregates import ItemEnd, RunSummary
    from grader.runs.batch import RunReport

EPILOG = epilog(
    "grader grade manifest.jsonl --run runs/a",
    "grader grade manifest.jsonl --run runs/a --server localhost:50051 --overlays",
    "grader grade manifest.jsonl --run runs/a --only 'model=gpt*' --only task=maze --limit 100",
    "grader grade manifest.jsonl --run runs/a --quiet --json",
    more="Stopped, even by kill -9? Run the same command again: it goes on. So it does with another --only or --limit, "
    "and without them it grades what is left. docs/cli.md tells the patterns of --only.",
    codes="Exit codes: 0 every selected request has a verdict; 1 the grader failed on some or lacks something, no "
    "server answers, or the disk is full; 2 requests, the manifest or options are wrong; 130 stopped by Ctrl-C.",
)


class RunEngine(enum.Enum):
    """What grades where no server does."""

    HERE = "here"
    RAY = "ray"


_MOST_SHOWN = 300
"""Characters of what a message says of one item."""

_NOT_INSTALLED = "not installed"


def grade(
    manifest: Annotated[Path, typer.Argument(help="JSON Lines of requests; media paths are relative to its folder.")],
    run: Annotated[Path, typer.Option("--run", help="Folder for results.jsonl, run.json, overlays and videos.")],
    server: Annotated[str | None, typer.Option(help="HOST:PORT of a server; without it this machine grades.")] = None,
    profile: Annotated[
        str | None, typer.Option(help="Grade every item by this profile.", autocompletion=complete_profile)
    ] = None,
    profiles: Profiles = None,
    only: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=PATTERN",
            help="Grade only requests whose id, puzzle, model, task, attempt or tag fits, such as model=gpt*; may be "
            "given again.",
            autocompletion=complete_only,
        ),
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Grade only the first so many of them.")] = None,
    overlays: Annotated[bool, typer.Option("--overlays", help="Draw what was seen, as overlays/*.png.")] = False,
    annotated_videos: Annotated[
        bool, typer.Option("--annotated-videos", help="Draw it on every frame of clips, as videos/*.mp4.")
    ] = False,
    media_root: Annotated[
        list[Path] | None,
        typer.Option(help="A folder in which media may be beside that of the manifest; may be given again."),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers", "--jobs", min=1, help="Processes, without --server; with Ray of each actor [default: CPUs]."
        ),
    ] = None,
    engine: Annotated[
        RunEngine, typer.Option(help="What grades, without --server: this machine, or a Ray cluster (extra ray).")
    ] = RunEngine.HERE,
    ray_address: Annotated[
        str, typer.Option(help="HOST:PORT or auto, with --engine ray [default: a cluster of this machine alone].")
    ] = "",
    tls_ca: TlsCa = None,
    tls_cert: TlsCert = None,
    tls_key: TlsKey = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Grade a manifest into a run folder, and print the counts.

    The pass rate is over all candidates, those that do not decode included; what the grader itself failed on, and what
    needs something that is not installed, is counted apart and graded anew when the command is run again.
    """
    out = Output(quiet, as_json)
    with out.errors(run):
        if server is None and engine is not RunEngine.RAY:
            from grader.serving.pool.warm import warm_workers

            warm_workers()
        from grader.runs.batch import run_batch
        from grader.runs.selection import Selection

        check_address(server)
        if server is not None and profiles is not None:
            raise GraderError("--profiles is for grading on this machine; a server has its own profiles")
        if engine is not RunEngine.RAY and ray_address:
            raise GraderError("--ray-address is for --engine ray")
        if engine is RunEngine.RAY and server is not None:
            raise GraderError("--engine ray is for grading without --server")
        check_folder(profiles)
        report = run_batch(
            manifest,
            run,
            server=server,
            profile=profile,
            profiles=profiles,
            overlays=overlays,
            annotated_videos=annotated_videos,
            progress=out.progress,
            workers=workers,
            credentials=credentials(tls_ca, tls_cert, tls_key),
            selection=Selection(tuple(only or ()), limit),
            media_roots=tuple(media_root or ()),
            ray_address=ray_address if engine is RunEngine.RAY else None,
        )
        if out.for_people:
            _print_summary(report.summary)
        if report.selected < report.requests:
            _say_what_is_left(report, out)
        out.line(f"tables and a page with examples: grader report {shlex.quote(str(run))}")
        out.line(str(report.results))
        out.answer(_answer(run, report))
        _end_of_run(report)


def _say_what_is_left(report: RunReport, out: Output) -> None:
    text = f"selected {report.selected} of {count_of(report.requests, 'request')}"
    if report.without_result:
        text += (
            f"; {report.without_result} {'has' if report.without_result == 1 else 'have'} no result yet: the same "
            "command without --only and --limit grades them"
        )
    out.line(text)


def _answer(run: Path, report: RunReport) -> dict[str, Any]:
    from grader.metrics.runs.aggregates import NO_VERDICT, first_faults

    summary = report.summary
    faults = [
        {"request_id": fault.request_id, "end": end.value, "message": fault.message}
        for end in NO_VERDICT
        for fault in first_faults(report.results, end, FEW, report.is_selected)
    ]
    return {
        "run": run,
        "results": report.results,
        "requests": report.requests,
        "selected": report.selected,
        "without_result": report.without_result,
        "total": summary.total,
        "passed": summary.passed,
        "failed": summary.failed,
        "ungradable": summary.ungradable,
        "measured": summary.measured,
        "wrong_requests": summary.caller_errors,
        "not_installed": summary.missing_preconditions,
        "grader_failures": summary.grader_failures,
        "candidates": summary.candidates,
        "pass_rate": summary.pass_rate,
        "first_faults": faults,
    }


def _end_of_run(report: RunReport) -> None:
    """Names the first items without a verdict, the grader's faults before the caller's, and exits if there are any."""
    from grader.metrics.runs.aggregates import ItemEnd

    failed, wrong = report.summary.grader_failures, report.summary.caller_errors
    lacking = report.summary.missing_preconditions
    if failed:
        again = "it" if failed == 1 else "them"
        say(f"the grader failed on {count_of(failed, 'item')}; run the same command again to retry {again}")
        _say_faults(report, ItemEnd.GRADER_FAILURE, failed)
    if lacking:
        need = "needs" if lacking == 1 else "need"
        say(
            f"{count_of(lacking, 'item')} {need} what is not installed where grading was done, so there is no verdict; "
            "install it, then run the same command again"
        )
        _say_what_to_install(report)
    if wrong:
        which = "request is wrong; its" if wrong == 1 else "requests are wrong; their"
        say(f"{wrong} {which} status in {report.results} says why")
        _say_faults(report, ItemEnd.CALLER_ERROR, wrong)
    if failed or wrong or lacking:
        raise typer.Exit(OTHER_FAULT if failed or lacking else CALLER_FAULT)


def _say_what_to_install(report: RunReport) -> None:
    """Says each thing once, for whole runs lack the same."""
    from grader.metrics.runs.aggregates import ItemEnd, fault_messages

    messages = fault_messages(report.results, ItemEnd.MISSING_PRECONDITION, report.is_selected)
    for message, number in messages[:FEW]:
        # Whole: its end says what to do.
        say(f"  {count_of(number, 'item')}: {' '.join(message.split())}")
    if len(messages) > FEW:
        say(f"  and {len(messages) - FEW} more messages")


def _say_faults(report: RunReport, end: ItemEnd, number: int) -> None:
    from grader.metrics.runs.aggregates import first_faults

    for fault in first_faults(report.results, end, FEW, report.is_selected):
        say(f"  {fault.request_id}: {' '.join(fault.message.split())}"[:_MOST_SHOWN])
    if number > FEW:
        say(f"  and {number - FEW} more")


def _print_summary(summary: RunSummary) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(show_header=False)
    table.add_column()
    table.add_column(justify="right")
    rows = {
        "total": summary.total,
        "PASS": summary.passed,
        "FAIL": summary.failed,
        "UNGRADABLE": summary.ungradable,
        "MEASURED": summary.measured,
        "wrong requests": summary.caller_errors,
        _NOT_INSTALLED: summary.missing_preconditions,
        "grader failures": summary.grader_failures,
    }
    for name, count in rows.items():
        if count or name not in ("MEASURED", _NOT_INSTALLED):
            table.add_row(name, str(count))
    rate = "n/a" if summary.pass_rate is None else f"{summary.pass_rate:.4f}"
    table.add_row(f"pass rate ({summary.passed}/{summary.candidates})", rate)
    Console().print(table)
