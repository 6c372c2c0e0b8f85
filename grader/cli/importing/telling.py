"""What the commands of ``grader import`` have in common: options, and what they say in the end."""

from __future__ import annotations

import itertools
import shlex
from pathlib import Path
from typing import Annotated

import typer

from grader.cli.common.output import Output, epilog
from grader.importers.common.missing import MissingAnswers
from grader.model.wording import count_of, first_few


def import_epilog(*examples: str) -> str:
    """The end of a command's help."""
    return epilog(
        *examples,
        codes="Exit codes: 0 the manifest is written; 1 a file can't be read or the disk is full; 2 the data set or "
        "options are wrong, or nothing belongs to anything; 130 stopped by Ctrl-C.",
    )


ManifestPlace = Annotated[Path, typer.Option(help="The manifest to write.")]
Missing = Annotated[
    MissingAnswers,
    typer.Option(help="Puzzles that a model gave no answer to, while it did to others of the set: wrong, or left out."),
]


def have(number: int) -> str:
    """The verb that goes with a number."""
    return "has" if number == 1 else "have"


def done(out: Output, manifest: Path, requests: int) -> None:
    """Says what was written, and how it is graded."""
    out.line(f"{manifest}: {count_of(requests, 'request')}")
    from grader.importers.common.manifest_file import media_outside

    outside = media_outside(manifest)
    root = "" if outside is None else f" --media-root {shlex.quote(str(outside))}"
    run = shlex.quote(str(free_run(manifest)))
    out.line(f"grade them: grader grade {shlex.quote(str(manifest))} --run {run}{root}")


def free_run(manifest: Path) -> Path:
    """A folder for the run of a manifest that is not there yet, named by the manifest and the folder that it lies in.

    A run belongs to one manifest, and those of several data sets are often called alike. In the folder of the command
    itself the manifest's name is enough.
    """
    beside = manifest.resolve().parent
    name = manifest.stem
    if beside != Path.cwd():
        name = f"{beside.name}-{'graded' if name == 'manifest' else name}"
    runs = Path("runs")
    numbered = (runs / (name if number == 1 else f"{name}-{number}") for number in itertools.count(1))
    return next(one for one in numbered if not one.exists())


def absent(out: Output, names: tuple[str, ...], missing: MissingAnswers) -> None:
    """Says what a model was asked and did not answer, and what becomes of it."""
    if not names:
        return
    is_, counts = ("is", "counts") if len(names) == 1 else ("are", "count")
    fate = (
        f"{is_} missing and {counts} as wrong (--missing leave-out leaves such out)"
        if missing is MissingAnswers.WRONG
        else f"{is_} missing and in no denominator (--missing wrong counts such as wrong)"
    )
    out.note(f"{count_of(len(names), 'answer')} {fate}: {first_few(names)}")


def idle(out: Output, without: int, instances: int) -> None:
    """Says how many instances no request is about."""
    out.note(f"{without} of {count_of(instances, 'instance')} {have(without)} no output, so no request")


def strangers(out: Output, one: str, many: str, names: tuple[object, ...]) -> None:
    """Says what belongs to no instance."""
    verb = "belongs" if len(names) == 1 else "belong"
    counted = count_of(len(names), one, many)
    out.note(f"{counted} {verb} to no instance: {first_few(names)}; see --help for how they are named")
