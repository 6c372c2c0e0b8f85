"""The ``grader`` command. Everything heavy is imported by the command that needs it, so that help comes at once."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grader.cli.errors import CALLER_FAULT, OTHER_FAULT
from grader.cli.errors import one_line_errors as _one_line_errors
from grader.cli.errors import say as _say
from grader.cli.imports import import_app
from grader.cli.make import make_app
from grader.cli.weights import EPILOG as WEIGHTS_EPILOG
from grader.cli.weights import weights
from grader.model.errors import GraderError

if TYPE_CHECKING:
    import grpc

    from grader.metrics.runs.aggregates import ItemEnd, RunSummary
    from grader.runs.batch import RunReport

_MOST_SHOWN = 300
"""Characters of what a message says of one item."""

_NOT_INSTALLED = "not installed"

app = typer.Typer(
    name="grader",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    help="Grades pictures, clips and words that models made for visual-planning tasks: right or wrong, and why.",
    epilog="Start with `grader doctor`, then `grader grade manifest.jsonl --run runs/first`. "
    "Exit codes: 0 all is well; 1 the grader or the machine failed, or lacks something; 2 what was asked for is wrong.",
)
app.add_typer(import_app, name="import")
app.add_typer(make_app, name="make")
app.command(epilog=WEIGHTS_EPILOG)(weights)


def _print_version(wanted: bool) -> None:
    if wanted:
        from grader import __version__

        print(__version__)
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    del version


@app.command(
    epilog="Examples: `grader serve --port 50051` · `GRADER_WORKERS=8 grader serve --host 0.0.0.0 "
    "--tls-cert cert.pem --tls-key key.pem` · `grader serve --settings` lists every setting."
)
def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on [default: 127.0.0.1].")] = None,
    port: Annotated[int | None, typer.Option(help="Port; 0 takes any free one and prints it [default: 50051].")] = None,
    workers: Annotated[int | None, typer.Option(help="Processes that grade [default: one for each CPU].")] = None,
    tls_cert: Annotated[Path | None, typer.Option(help="PEM file with the certificate chain.")] = None,
    tls_key: Annotated[Path | None, typer.Option(help="PEM file with the private key.")] = None,
    tls_client_ca: Annotated[Path | None, typer.Option(help="PEM file with the CA of the clients (mTLS).")] = None,
    box_detector: Annotated[
        str | None, typer.Option(help="HOST:PORT of a BoxDetectorService, for pictures of scenes [default: none].")
    ] = None,
    lpips_device: Annotated[
        str | None, typer.Option(help="What LPIPS is measured on: cpu, cuda, cuda:1 [default: cpu].")
    ] = None,
    settings: Annotated[bool, typer.Option("--settings", help="List every setting, and exit.")] = False,
) -> None:
    """Serve grader.v1 over gRPC until SIGTERM or Ctrl-C.

    Every setting is also an environment variable; options win. The first line on stdout is the address.
    """
    with _one_line_errors():
        from grader.serving.settings import load_settings

        if settings:
            _print_settings()
            return
        loaded = load_settings(
            host=host,
            port=port,
            workers=workers,
            tls_cert=tls_cert,
            tls_key=tls_key,
            tls_client_ca=tls_client_ca,
            box_detector=box_detector,
            lpips_device=lpips_device,
        )
        from grader.serving import server as server_app

        server_app.serve(loaded)


def _print_settings() -> None:
    from grader.serving.settings import describe_settings

    for name, default, meaning in describe_settings():
        print(f"{name} [{default}]\n    {meaning}")


@app.command(
    epilog="Examples: `grader grade manifest.jsonl --run runs/a` · `grader grade manifest.jsonl --run runs/a --server "
    "localhost:50051 --overlays`. Stopped, even by kill -9? Run the same command again: it goes on."
)
def grade(
    manifest: Annotated[Path, typer.Argument(help="JSON Lines of requests; media paths are relative to its folder.")],
    run: Annotated[Path, typer.Option("--run", help="Folder for results.jsonl, run.json, overlays and videos.")],
    server: Annotated[str | None, typer.Option(help="HOST:PORT of a server; without it this machine grades.")] = None,
    profile: Annotated[str | None, typer.Option(help="Grade every item by this profile.")] = None,
    overlays: Annotated[bool, typer.Option("--overlays", help="Draw what was seen, as overlays/*.png.")] = False,
    annotated_videos: Annotated[
        bool, typer.Option("--annotated-videos", help="Draw it on every frame of clips, as videos/*.mp4.")
    ] = False,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes, without --server [default: CPUs].")] = None,
    tls_ca: Annotated[Path | None, typer.Option(help="PEM file with the CA of the server; turns TLS on.")] = None,
    tls_cert: Annotated[Path | None, typer.Option(help="PEM file with this client's certificate (mTLS).")] = None,
    tls_key: Annotated[Path | None, typer.Option(help="PEM file with this client's private key (mTLS).")] = None,
) -> None:
    """Grade a manifest into a run folder, and print the counts.

    The pass rate is over all candidates, those that do not decode included; what the grader itself failed on, and what
    needs something that is not installed, is counted apart and graded anew when the command is run again.
    """
    with _one_line_errors():
        from grader.runs.batch import run_batch

        report = run_batch(
            manifest,
            run,
            server=server,
            profile=profile,
            overlays=overlays,
            annotated_videos=annotated_videos,
            workers=workers,
            credentials=_credentials(tls_ca, tls_cert, tls_key),
        )
        _print_summary(report.summary)
        print(f"tables and a page with examples: grader report {run}")
        print(report.results)
        _end_of_run(report)


def _end_of_run(report: RunReport) -> None:
    """Names the first items without a verdict, the grader's faults before the caller's, and exits if there are any."""
    from grader.metrics.runs.aggregates import ItemEnd
    from grader.model.wording import count_of

    failed, wrong = report.summary.grader_failures, report.summary.caller_errors
    lacking = report.summary.missing_preconditions
    if failed:
        again = "it" if failed == 1 else "them"
        _say(f"the grader failed on {count_of(failed, 'item')}; run the same command again to retry {again}")
        _say_faults(report, ItemEnd.GRADER_FAILURE, failed)
    if lacking:
        need = "needs" if lacking == 1 else "need"
        _say(
            f"{count_of(lacking, 'item')} {need} what is not installed where grading was done, so there is no verdict; "
            "install it, then run the same command again"
        )
        _say_what_to_install(report)
    if wrong:
        which = "request is wrong; its" if wrong == 1 else "requests are wrong; their"
        _say(f"{wrong} {which} status in {report.results} says why")
        _say_faults(report, ItemEnd.CALLER_ERROR, wrong)
    if failed or wrong or lacking:
        raise typer.Exit(OTHER_FAULT if failed or lacking else CALLER_FAULT)


def _say_what_to_install(report: RunReport) -> None:
    """Says each thing once, for whole runs lack the same."""
    from grader.metrics.runs.aggregates import ItemEnd, fault_messages
    from grader.model.wording import FEW, count_of

    messages = fault_messages(report.results, ItemEnd.MISSING_PRECONDITION)
    for message, number in messages[:FEW]:
        # Whole: its end says what to do.
        _say(f"  {count_of(number, 'item')}: {' '.join(message.split())}")
    if len(messages) > FEW:
        _say(f"  and {len(messages) - FEW} more messages")


def _say_faults(report: RunReport, end: ItemEnd, number: int) -> None:
    from grader.metrics.runs.aggregates import first_faults
    from grader.model.wording import FEW

    for fault in first_faults(report.results, end, FEW):
        _say(f"  {fault.request_id}: {' '.join(fault.message.split())}"[:_MOST_SHOWN])
    if number > FEW:
        _say(f"  and {number - FEW} more")


def _credentials(ca: Path | None, cert: Path | None, key: Path | None) -> grpc.ChannelCredentials | None:
    if (cert is None) != (key is None):
        raise GraderError("--tls-cert and --tls-key need each other")
    if ca is None:
        if cert is not None:
            raise GraderError("--tls-cert needs --tls-ca")
        return None
    import grpc

    return grpc.ssl_channel_credentials(
        ca.read_bytes(), None if key is None else key.read_bytes(), None if cert is None else cert.read_bytes()
    )


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


class ReportFormat(enum.Enum):
    """What `grader report` prints."""

    TEXT = "text"
    CSV = "csv"
    MARKDOWN = "markdown"
    JSON = "json"


@app.command(
    epilog="Examples: `grader report runs/a` · `grader report runs/a runs/b --out runs/both` · `grader report runs/a "
    "--by model,geometry+scale --matrix geometry scale` · `grader report runs/edits --labels people.csv` · "
    "`grader report runs/a --format csv > tables.csv`. "
    "docs/report.md defines every column."
)
def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders that `grader grade` wrote.")],
    out: Annotated[Path | None, typer.Option(help="Folder for the report [default: RUN/report].")] = None,
    by: Annotated[
        str | None,
        typer.Option(
            help="Tables to make: model, run, attempt, puzzle, profile or any tag; + joins two "
            "[default: model,geometry,scale,geometry+scale, each within models where there are several]."
        ),
    ] = None,
    matrix: Annotated[
        tuple[str, str] | None, typer.Option(metavar="DOWN ACROSS", help="Two tags as a matrix of pass rates.")
    ] = None,
    bootstrap: Annotated[int, typer.Option(min=0, help="Resamples for intervals; 0 for no intervals.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the resamples.")] = 0,
    k: Annotated[str, typer.Option(help="The k of pass@k.")] = "1,5",
    examples: Annotated[int, typer.Option(min=0, help="Candidates that the page shows of each kind.")] = 4,
    manifest: Annotated[
        list[Path] | None, typer.Option(help="Where a manifest is now, if it was moved; may be given again.")
    ] = None,
    labels: Annotated[
        list[Path] | None,
        typer.Option(
            help="CSV or JSONL of what people said of edits: request_id, rater, ic, el, ac; may be given again."
        ),
    ] = None,
    print_as: Annotated[ReportFormat, typer.Option("--format", help="What to print.")] = ReportFormat.TEXT,
) -> None:
    """Tables of graded runs, and an HTML page with plots and examples.

    Prints the main tables and writes report.html, tables.md, tables.json and tables/*.csv. Rates are over all
    candidates, those that do not decode included; intervals keep the attempts at a puzzle together. Several runs are
    taken together, such as one for each model.
    """
    with _one_line_errors():
        from grader.report.data.estimates import Resampling
        from grader.report.data.grouping import parse_by
        from grader.report.make import make_report
        from grader.report.tables.build import TableOptions, parse_k
        from grader.report.tables.writers import print_report

        options = TableOptions(
            by=None if by is None else parse_by(by),
            matrix=matrix,
            k=parse_k(k),
            resampling=Resampling(resamples=bootstrap, seed=seed),
        )
        made = make_report(
            runs, out, options, manifests=manifest or (), labels=labels or (), examples=examples, progress=True
        )
        print_report(made.tables, made.notes, print_as.value)
        _say(f"open {made.page}")


@app.command()
def tasks() -> None:
    """List what can be graded, with metrics, reasons and profiles."""
    with _one_line_errors():
        from grader.profiles.reading import profiles_of_environment
        from grader.tasks.registry import list_tasks

        for task in list_tasks():
            print(f"{task.name}: {task.description}")
            for metric in task.metrics:
                better = "higher" if metric.higher_is_better else "lower"
                bounds = f"{metric.lower_bound:g} to {metric.upper_bound:g}"
                asked = ", on request" if metric.on_request else ""
                print(
                    f"  metric {metric.name} [{metric.unit}, {bounds}, {better} is better{asked}]: {metric.description}"
                )
            for reason in task.reasons:
                print(f"  reason {reason.code}: {reason.description}")
        for profile in profiles_of_environment():
            print(f"profile {profile.name} ({profile.digest[:12]}): {profile.description}")


@app.command()
def doctor() -> None:
    """Check what works on this machine; say what is missing and how to get it."""
    with _one_line_errors():
        from grader.cli.doctor import run_checks

        bad = 0
        for check in run_checks():
            print(f"{'ok     ' if check.ok else 'MISSING'} {check.name}: {check.found}")
            if not check.ok:
                bad += 1
                print(f"        {check.advice}")
        if bad:
            _say(f"{bad} of the things that grading needs are missing")
            raise typer.Exit(OTHER_FAULT)


def main() -> None:
    """Runs the command."""
    app()


if __name__ == "__main__":
    main()
