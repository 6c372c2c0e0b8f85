"""Scratch copies of the checkout, in which faults are put and tests are run. The checkout itself is never changed."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

# Each job is one process on one core.
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
STOPPED = "stopped at its time limit"


class Tree:
    """One scratch copy.

    Parameters
    ----------
    root : checkout that is copied
    folder : empty folder for the copy; reference data that stands beside the checkout stands beside the copy too
    files : files to copy, relative to ``root``
    """

    def __init__(self, root: Path, folder: Path, files: list[str]) -> None:
        self.folder = folder
        self.path = folder / "tree"
        for name in files:
            (self.path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, self.path / name)
        shared = root.parent / "shared"
        if shared.is_dir():
            (folder / "shared").symlink_to(shared)

    @contextmanager
    def changed(self, name: str, content: bytes) -> Iterator[None]:
        """The copy with another content in one file, for the length of a ``with``."""
        file = self.path / name
        before = file.read_bytes()
        compiled = Path(importlib.util.cache_from_source(str(file)))
        try:
            file.write_bytes(content)
            # Python knows a compiled file by the second and the size of its source, and a fault may change neither.
            compiled.unlink(missing_ok=True)
            yield
        finally:
            file.write_bytes(before)
            compiled.unlink(missing_ok=True)

    def pytest(self, arguments: list[str], more: Mapping[str, str], limit_s: float | None = None) -> tuple[int, str]:
        """Runs pytest in the copy; returns its exit code and output, or -1 and ``STOPPED`` after the limit."""
        environment = {**os.environ, **ONE_THREAD, "PYTHONPATH": str(self.path), "COLUMNS": "120", **more}
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", *arguments]
        log = self.folder / "pytest.log"
        with log.open("wb") as out:
            process = subprocess.Popen(
                command,
                cwd=self.path,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # so that what a test started ends with it
            )
            try:
                code = process.wait(limit_s)
            except subprocess.TimeoutExpired:
                return -1, STOPPED
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        return code, log.read_text(encoding="utf-8", errors="replace")
