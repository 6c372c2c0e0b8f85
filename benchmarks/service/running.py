"""A server of its own process for load, its workers, and the memory that they take."""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
_START_TIMEOUT_S = 120.0
_GREETING = "grader listening on "
_MIB = 1024.0


@dataclass(frozen=True)
class RunningServer:
    """A server that listens, by its process."""

    pid: int
    address: str

    def workers(self) -> list[int]:
        """The processes that grade, or stand ready to: those that were forked from the one that imports for them."""
        return [pid for child in _children(self.pid) if _is_forking(child) for pid in _children(child)]

    def memory_mib(self) -> float:
        """What the server itself holds, in MiB."""
        return memory_mib(self.pid)


def _children(pid: int) -> list[int]:
    found: list[int] = []
    with contextlib.suppress(OSError):  # it, or one of its threads, may end at any moment
        for task in Path(f"/proc/{pid}/task").iterdir():
            found += [int(child) for child in (task / "children").read_text().split()]
    return found


def _is_forking(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return b"multiprocessing.forkserver" in Path(f"/proc/{pid}/cmdline").read_bytes()
    return False


def memory_mib(pid: int) -> float:
    """What a process holds in memory, in MiB; 0 where it is gone."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / _MIB
    return 0.0


def cpu_s(pid: int | None) -> float:
    """The processor's time that a process has used, in seconds; 0 where it is gone, or the system does not tell."""
    with contextlib.suppress(OSError):
        # Behind the name, which may have spaces, the state is the first field, and the times are the 12th and 13th.
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return 0.0


@contextlib.contextmanager
def serving(command: Sequence[str], log: Path | None = None, **settings: object) -> Iterator[RunningServer]:
    """Runs a server on any free port of this machine, and ends it.

    Parameters
    ----------
    command : sequence of str
        What to run with Python, such as ``-m grader serve``.
    log : Path, optional
        Gets what it logs; by default that is thrown away.
    settings : object
        By their name, such as ``workers=2``.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GRADER_")}
    own = {"GRADER_PORT": "0", "PYTHONPATH": str(ROOT)}
    given = {f"GRADER_{name.upper()}": str(value) for name, value in settings.items()}
    with (
        (log or Path(os.devnull)).open("wb") as stderr,
        subprocess.Popen(
            [sys.executable, *command], cwd=ROOT, env={**kept, **own, **given}, stdout=subprocess.PIPE, stderr=stderr
        ) as server,
    ):
        try:
            yield RunningServer(server.pid, _address(server))
        finally:
            server.terminate()
            try:
                server.wait(_START_TIMEOUT_S)
            except subprocess.TimeoutExpired:
                server.kill()


def _address(server: subprocess.Popen[bytes]) -> str:
    if server.stdout is None:
        raise RuntimeError("the server's output is not connected")
    ready, _, _ = select.select([server.stdout], [], [], _START_TIMEOUT_S)
    line = server.stdout.readline().decode() if ready else ""
    if not line.startswith(_GREETING):
        raise RuntimeError("the server did not start; its log says why")
    return line.removeprefix(_GREETING).strip()
