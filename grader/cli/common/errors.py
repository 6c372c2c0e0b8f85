"""How commands end: one clear message on stderr, and an exit code that tells whose fault it was."""

from __future__ import annotations

import contextlib
import os
import select
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import typer

from grader.model.errors import GraderError

CALLER_FAULT = 2
OTHER_FAULT = 1
_INTERRUPTED = 130
_BROKEN_PIPE = 141


def say(text: str) -> None:
    """Prints a message on stderr."""
    print(f"grader: {text}", file=sys.stderr)


def _nothing(_text: str, _code: int) -> None:
    """Tells nobody else."""


@contextlib.contextmanager
def one_line_errors(writes: Path | None = None, told: Callable[[str, int], None] = _nothing) -> Iterator[None]:
    """Turns faults that were foreseen into one clear message and an exit code; a bug keeps its traceback.

    Parameters
    ----------
    writes : Path, optional
        Where the command writes, to be named where a disk is full and nothing else says which.
    told : callable, optional
        Is given the message and the exit code too.
    """
    try:
        yield
        sys.stdout.flush()
    except GraderError as error:
        text, code = str(error), _exit_code(error)
    except OSError as error:
        if isinstance(error, BrokenPipeError) and _reader_has_gone():
            raise typer.Exit(_BROKEN_PIPE) from None
        text, code = _of_system(error, writes), OTHER_FAULT
    except KeyboardInterrupt:
        text, code = "stopped", _INTERRUPTED
    else:
        return
    say(text)
    told(text, code)
    raise typer.Exit(code)


def _reader_has_gone() -> bool:
    """Whether nobody reads stdout any more, as after ``| head``. What is left to write is dropped then."""
    place = sys.stdout.fileno()
    looking = select.poll()
    looking.register(place, 0)
    if not any(event & select.POLLERR for _, event in looking.poll(0)):
        return False
    os.dup2(os.open(os.devnull, os.O_WRONLY), place)
    return True


def _of_system(error: OSError, writes: Path | None) -> str:
    from grader.output.files import NO_ROOM

    no_room = error.errno in NO_ROOM
    name = error.filename or (writes if no_room else None)
    text = f"{name}: {error.strerror}" if name else str(error)
    return f"{text}; make room, then run the same command again" if no_room else text


def _exit_code(error: GraderError) -> int:
    from grader.cli.label import LabelPackagesMissingError
    from grader.client import GraderCallError
    from grader.make.errors import MakeIncompleteError
    from grader.runs.batch import RunIncompleteError
    from grader.serving.pool.worker_process import WorkerStartError
    from grader.serving.server import ServerStartError

    others = (
        RunIncompleteError,
        GraderCallError,
        MakeIncompleteError,
        ServerStartError,
        WorkerStartError,
        LabelPackagesMissingError,
    )
    return OTHER_FAULT if isinstance(error, others) else CALLER_FAULT
