"""The ``grader`` command. Everything heavy is imported by the command that needs it, so that help comes at once."""

from __future__ import annotations

from typing import Annotated

import typer

from grader.cli import calibrate, doctor, grade, humans, label, report, serve, tasks, weights
from grader.cli.common.choices import PlainWords
from grader.cli.common.output import EXIT_CODES
from grader.cli.imports import import_app
from grader.cli.making.make import make_app
from grader.cli.profiles import profile_app

app = typer.Typer(
    name="grader",
    cls=PlainWords,
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    help="Grades pictures, clips and words that models made for visual-planning tasks: right or wrong, and why.",
    epilog="Start with `grader doctor`, then `grader grade manifest.jsonl --run runs/first`. After `grader "
    f"--install-completion` the Tab key completes commands, options, tasks and profiles.\n\n{EXIT_CODES}",
)
app.command(epilog=serve.EPILOG)(serve.serve)
app.command(epilog=grade.EPILOG)(grade.grade)
app.command(epilog=report.EPILOG)(report.report)
app.command(epilog=label.EPILOG)(label.label)
app.command(epilog=calibrate.EPILOG)(calibrate.calibrate)
app.command(epilog=humans.EPILOG)(humans.humans)
app.command(epilog=tasks.EPILOG)(tasks.tasks)
app.add_typer(import_app, name="import")
app.add_typer(make_app, name="make")
app.add_typer(profile_app, name="profile")
app.command(epilog=doctor.EPILOG)(doctor.doctor)
app.command(epilog=weights.EPILOG)(weights.weights)


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


def main() -> None:
    """Runs the command."""
    app(prog_name="grader")


if __name__ == "__main__":
    main()
