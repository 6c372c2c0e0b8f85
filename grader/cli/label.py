"""``grader label``: takes labels of a run's candidates from people, on a page. Imported late where it is heavy."""

from __future__ import annotations

import contextlib
import getpass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from grader.cli.common.output import Json, Output, Quiet, epilog
from grader.model.errors import GraderError

if TYPE_CHECKING:
    from calibration.labelling.study import OpenStudy

EPILOG = epilog(
    "grader label runs/a --rater ann --rater ben",
    "grader label runs/a --sample random=100 --sample close=50 --rater ann",
    "grader label runs/edits --protocol three_levels --sample stratum=60 --by task,model,outcome,reason",
    "grader label runs/a --sample disagreement=all --against runs/a_strict --study differ.db",
    "grader label runs/a --adjudicate carol",
    "grader label runs/a --export labels.csv && grader calibrate runs/a --labels labels.csv",
    more="Each person has an address of their own; who has it labels in that person's name. The page is for this "
    "machine only: for people elsewhere, forward the port by ssh. Every answer is on disk before the next candidate is "
    "shown, so the command may be stopped and run again at any time. docs/labelling.md tells more.",
    codes="Exit codes: 0 it was told to end by Ctrl-C, or labels are written; 1 the port is taken, a file can't be "
    "read or written, or packages are missing; 2 a folder is no run, a study was begun with other options, or labels "
    "can't be understood.",
)
_PORT = 8350


class LabelPackagesMissingError(GraderError):
    """The packages of the extra ``label`` are not installed."""


def label(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Folder that `grader grade` wrote.")],
    rater: Annotated[
        list[str] | None, typer.Option(help="Who labels; may be given again [default: those of the study, or you].")
    ] = None,
    adjudicate: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Who decides where people said different things.")
    ] = None,
    protocol: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|FILE",
            help="What is asked: right_or_wrong, three_levels, or a JSON file [default: right_or_wrong].",
        ),
    ] = None,
    sample: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KIND=N",
            help="Which candidates: random, stratum, close or disagreement, and how many or `all`; may be given again "
            "[default: random=100].",
        ),
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(help="Strata: task, model, outcome, reason or any tag [default: task,outcome]."),
    ] = None,
    number: Annotated[
        str | None, typer.Option(help="What is close to the threshold: score, reward, confidence or a metric.")
    ] = None,
    threshold: Annotated[float | None, typer.Option(help="The threshold [default: 0.5].")] = None,
    against: Annotated[Path | None, typer.Option(help="The other run, for disagreement.")] = None,
    twice: Annotated[
        float | None, typer.Option(help="Share of candidates that each person is asked about again [default: 0.1].")
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Seed of what is drawn, and of orders [default: 0].")] = None,
    study: Annotated[Path | None, typer.Option(help="File of the study [default: RUN/labels.db].")] = None,
    export: Annotated[
        list[Path] | None,
        typer.Option(help="Write labels to a .csv, .parquet or .json (of Label Studio) and end; may be given again."),
    ] = None,
    take: Annotated[
        list[Path] | None, typer.Option("--import", help="Take labels of such files in and end; may be given again.")
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port of the page; 0 takes any free one.")] = _PORT,
    manifest: Annotated[
        list[Path] | None, typer.Option(help="Where a manifest is now, if it was moved; may be given again.")
    ] = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Label candidates of a run on a page: the puzzle, the candidate and the question, and nothing of the verdict.

    Prints an address for each person, and serves until Ctrl-C. One key a label; pictures side by side with one zoom,
    clips frame by frame, series step by step. What was begun goes on with the same command.
    """
    out = Output(quiet, as_json)
    with out.errors(study or run):
        from calibration.labelling.study import StudyWish, open_study

        wish = StudyWish(protocol, sample, by, number, threshold, against, twice, seed)
        opened = open_study(run, wish, study, manifest or (), progress=out.progress)
        if take or export:
            _exchange(opened, take or [], export or [], out)
        else:
            _serve(opened, rater or [], adjudicate or [], port, out)


def _exchange(study: OpenStudy, take: list[Path], export: list[Path], out: Output) -> None:
    from calibration.labelling.rows import write_rows
    from calibration.labelling.study import import_labels

    imported: list[dict[str, Any]] = []
    for file in take:
        done = import_labels(study, file)
        out.line(f"{file}: {done.taken} labels taken in, {done.known} known, {done.strange} of what is not in the run")
        imported.append({"file": file, "taken": done.taken, "known": done.known, "strange": done.strange})
    rows = study.store.rows()
    for file in export:
        write_rows(file, rows)
        out.line(f"{len(rows)} labels in {file}")
    out.answer({"study": study.store.path, "labels": len(rows), "imported": imported, "exported": export})


def _serve(study: OpenStudy, raters: list[str], deciders: list[str], port: int, out: Output) -> None:
    try:
        from calibration.labelling.serving import address_of, listen, serve_study
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in ("starlette", "uvicorn"):
            raise
        raise LabelPackagesMissingError(
            f"the page needs {error.name}, which is not installed; install the extra label: pip install '.[label]' in "
            "the project's folder"
        ) from None
    from calibration.labelling.items import SeenItems

    store = study.store
    with SeenItems(study.results) as items:
        items.check([one.request_id for one in store.items()])
        if not raters and not deciders and not any(one.token for one in store.raters()):
            raters = [getpass.getuser()]
        for name in raters:
            store.invite(name)
        for name in deciders:
            store.invite(name, decides=True)
        taken = listen(port)
        people = []
        for one in store.raters():
            if one.token:
                found = store.progress(one)
                address = address_of(taken, one.token)
                people.append({"name": one.name, "address": address, "done": found.done, "total": found.total,
                               "decides": one.decides})  # fmt: skip
                what = "decides where people differ, " if one.decides else ""
                out.line(f"{one.name}: {address} ({what}{found.done} of {found.total} done)")
        out.answer({"study": store.path, "raters": people})
        with contextlib.suppress(KeyboardInterrupt):  # which is how it ends
            out.note("serving until Ctrl-C; every answer is saved at once")
            serve_study(store, items, taken)
        store.close()
