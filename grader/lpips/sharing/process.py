"""The process that measures LPIPS for all workers of a server, so that torch and the networks are loaded once.

It has a few lanes: a pipe each, and a thread that answers what comes by it. A lane gets an order, and for pairs the
messages of `grader.lpips.messages` after it; it gives one answer for each. Where something goes wrong that nobody
foresaw, such as a fault of CUDA, the whole process ends, for what is left of it can't be trusted, and is started anew.
"""

from __future__ import annotations

import contextlib
import enum
import functools
import json
import multiprocessing.connection
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from grader.lpips.nets import LpipsNet
from grader.lpips.places import WeightPlaces
from grader.processes.child import ChildProcess, prepare_child

if TYPE_CHECKING:
    from grader.lpips.scores import Network

CPU = "cpu"
_NETS = tuple(LpipsNet)

LoadNetwork = Callable[[LpipsNet], "Network"]
"""Loads a network and checks it. It must pickle. Raises `LpipsError` or `WeightsError` where it can't."""


def load_network(net: LpipsNet, *, places: WeightPlaces, device: str) -> Network:
    """Loads a network, with torch set to one thread for good: the lanes are the parallelism."""
    with contextlib.suppress(ImportError):  # the scorer says what to install
        import torch

        torch.set_num_threads(1)
    from grader.lpips.network import LpipsScorer

    return LpipsScorer(net, places, device)


@dataclass(frozen=True)
class LpipsSpec:
    """How LPIPS is measured. It is pickled to the process.

    Attributes
    ----------
    load : loads a network
    device : ``cpu``, ``cuda`` or ``cuda:1``
    lanes : pairs, or batches of them, that are measured at a time
    max_batch : most pairs that go through a network at once, at most 255, which is what one byte of an order counts;
        1 for one by one, to the bit
    memory_bytes : most memory that pairs take at a time, by `grader.lpips.nets.working_bytes`
    log_level : of the process's own log
    """

    load: LoadNetwork
    device: str = CPU
    lanes: int = 1
    max_batch: int = 1
    memory_bytes: int = 4 * 1024**3
    log_level: str = "INFO"


def lpips_spec(
    device: str, workers: int, max_batch: int, memory_bytes: int, log_level: str, places: WeightPlaces
) -> LpipsSpec:
    """How a server with so many workers measures LPIPS on a device.

    On the CPU there is a lane for each worker, and pairs are measured one by one. On CUDA there is one lane, and what
    waits while a batch is measured makes the next.
    """
    load = functools.partial(load_network, places=places, device=device)
    if device == CPU:
        return LpipsSpec(load, device, workers, 1, memory_bytes, log_level)
    return LpipsSpec(load, device, 1, max_batch, memory_bytes, log_level)


@dataclass(frozen=True)
class NetReport:
    """What came of loading a network.

    Attributes
    ----------
    available : whether it can be used
    text : what was checked, or why it can't be used
    known : whether there is a known value that it was compared with
    """

    available: bool
    text: str
    known: bool = True


class Order(enum.IntEnum):
    """What a lane is asked for."""

    LOAD = 0
    MEASURE = 1


def lpips_main(pipes: list[multiprocessing.connection.Connection], spec: LpipsSpec) -> None:
    """Runs in the process: answers by every pipe until one closes."""
    prepare_child(spec.log_level)
    from grader.lpips.sharing.lanes import answer_all

    answer_all(pipes, spec)


class LpipsProcess:
    """The server's end of the process. Each lane is used by one thread; any thread may kill it.

    Parameters
    ----------
    spec : LpipsSpec

    Attributes
    ----------
    loaded : set of LpipsNet
        The networks that can be measured with; whoever uses it holds a lock.

    Raises
    ------
    OSError
        If the process can't be started.

    Notes
    -----
    A lane may be waiting by its pipe when another one finds that the process has died, so no lane closes the pipes:
    they close when the last one lets go of this object.
    """

    def __init__(self, spec: LpipsSpec) -> None:
        self.loaded: set[LpipsNet] = set()
        self._child = ChildProcess(lpips_main, (spec,), "grader-lpips", spec.lanes)

    @property
    def pid(self) -> int | None:
        """Its process id."""
        return self._child.pid

    def alive(self) -> bool:
        """Whether it runs."""
        return self._child.alive()

    def load(self, lane: int, net: LpipsNet) -> NetReport | None:
        """Loads a network if it is not loaded yet; ``None`` where the process died."""
        try:
            self._child.pipes[lane].send_bytes(bytes((Order.LOAD, _NETS.index(net), 0)))
            return NetReport(**json.loads(self._child.pipes[lane].recv_bytes()))
        except (EOFError, OSError):
            return None

    def measure(self, lane: int, net: LpipsNet, messages: list[bytes]) -> list[bytes] | None:
        """Gives an answer for each pair, all of one size and for one loaded network; ``None`` where it died."""
        pipe = self._child.pipes[lane]
        try:
            pipe.send_bytes(bytes((Order.MEASURE, _NETS.index(net), len(messages))))
            for message in messages:
                pipe.send_bytes(message)
            return [pipe.recv_bytes() for _ in messages]
        except (EOFError, OSError):
            return None

    def kill(self) -> None:
        """Kills it; lanes that wait are told at once."""
        self._child.kill()

    def reap(self) -> None:
        """Kills it and waits until it has ended."""
        self._child.reap()
