"""How commands end: one clear message on stderr, and an exit code that tells whose fault it was."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator

import typer

from grader.model.errors import GraderError

CALLER_FAULT = 2
OTHER_FAULT = 1
_INTERRUPTED = 130


def say(text: str) -> None:
    """Prints a message on stderr."""
    print(f"grader: {text}", file=sys.stderr)


@contextlib.contextmanager
def one_line_errors() -> Iterator[None]:
    """Turns faults that were foreseen into one clear message and an exit code; a bug keeps its traceback."""
    try:
        yield
    except GraderError as error:
        say(str(error))
        raise typer.Exit(_exit_code(error)) from None
    except OSError as error:
        say(f"{error.filename}: {error.strerror}" if error.filename else str(error))
        raise typer.Exit(OTHER_FAULT) from None
    except KeyboardInterrupt:
        say("stopped")
        raise typer.Exit(_INTERRUPTED) from None


def _exit_code(error: GraderError) -> int:
    from grader.client import GraderCallError
    from grader.make.errors import MakeIncompleteError
    from grader.runs.batch import RunIncompleteError
    from grader.serving.server import ServerStartError
    from grader.serving.worker_process import WorkerStartError

    others = (RunIncompleteError, GraderCallError, MakeIncompleteError, ServerStartError, WorkerStartError)
    return OTHER_FAULT if isinstance(error, others) else CALLER_FAULT
