"""Files that appear whole or not at all; a disk that is full is told with the file that it had no room for."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Literal

NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""The ends of a write for which there is no room. The system names no file with them."""


@contextlib.contextmanager
def naming(path: Path) -> Iterator[None]:
    """Has an error of a full disk name the file or folder that is being written."""
    try:
        yield
    except OSError as error:
        if error.filename is None and error.errno in NO_ROOM:
            error.filename = str(path)
        raise


@contextlib.contextmanager
def replacing(
    path: Path, mode: Literal["w", "wb"] = "w", *, sync: bool = False, only_writer: bool = False
) -> Iterator[IO[Any]]:
    """A file that takes the place of another once it is written; where that fails, the old one stays as it was.

    Parameters
    ----------
    path : Path
        Where it will be. Its folder is there.
    mode : str
        ``w`` for text in UTF-8, ``wb`` for bytes.
    sync : bool
        Whether to wait until the disk has it.
    only_writer : bool
        Whether no other process writes this file, as in a locked folder. What a killed one left is then written over.
    """
    part = path.with_name(f".{path.name}.part" if only_writer else f".{path.name}.{os.getpid()}.part")
    try:
        with naming(path):
            with part.open(mode, encoding=None if "b" in mode else "utf-8") as file:
                yield file
                file.flush()
                if sync:
                    os.fsync(file.fileno())
            part.replace(path)
    finally:
        part.unlink(missing_ok=True)
