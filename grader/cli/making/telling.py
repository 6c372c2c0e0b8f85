"""What the commands of ``grader make`` say in the end."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.cli.common.output import Output, epilog
from grader.model.wording import count_of

if TYPE_CHECKING:
    from grader.make.sets import MakeReport


def make_epilog(*examples: str) -> str:
    """The end of a command's help."""
    return epilog(
        *examples,
        more="Stopped, even by kill -9? Run the same command again: it goes on.",
        codes="Exit codes: 0 all is made; 1 a process died or the disk is full; 2 options are wrong, or the folder "
        "holds something else; 130 stopped by Ctrl-C.",
    )


def tell_made(out: Output, report: MakeReport) -> None:
    """Says what was made and where."""
    out.line(f"{report.instances}: {report.made} made, {report.kept} kept")
    if report.training is not None:
        out.line(f"{report.training[0]}: {count_of(report.training[1], 'line')}")


def tell_grade(out: Output, manifest: Path) -> str:
    """Says how a manifest that lies beside the puzzles is graded; gives the run's folder, as it is pasted."""
    run = shlex.quote(f"runs/{manifest.resolve().parent.name}-graded")
    out.line(f"grade them: grader grade {shlex.quote(str(manifest))} --run {run}")
    return run


def tell_import(out: Output, form: str, folder: Path) -> None:
    """Says how what a model draws is imported."""
    outputs, manifest = (shlex.quote(str(folder / name)) for name in ("outputs", "manifest.jsonl"))
    out.line(f"once a model has drawn {folder / 'outputs'}/NAME/*.png:")
    out.line(f"grader import {form} {shlex.quote(str(folder))} --outputs {outputs} --manifest {manifest}")


def tell_answers(out: Output, form: str, named_by: str, folder: Path) -> None:
    """Says how what a model answers in words is imported; a line names its puzzle in the field ``named_by``."""
    manifest = shlex.quote(str(folder / "words.jsonl"))
    line = f'{{"{named_by}": "NAME", "model": "mine", "text": "..."}}'
    out.line(f"once a model has answered, a line an answer, such as {line}:")
    out.line(f"grader import {form} {shlex.quote(str(folder))} --answers answers.jsonl --manifest {manifest}")


def made_answer(report: MakeReport) -> dict[str, Any]:
    """What was made, for ``--json``."""
    path, lines = report.training or (None, 0)
    return {
        "instances": report.instances,
        "made": report.made,
        "kept": report.kept,
        "shrunk": report.shrunk,
        "training": path,
        "training_lines": lines,
    }
