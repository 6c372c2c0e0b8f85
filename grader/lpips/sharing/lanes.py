"""What happens in the process that measures LPIPS. Whoever starts it needs no arrays, so that stands elsewhere."""

from __future__ import annotations

import json
import logging
import multiprocessing.connection
import os
import threading
from dataclasses import asdict

from grader.lpips.availability import LpipsError
from grader.lpips.messages import AnswerKind, PairAnswer
from grader.lpips.nets import LpipsNet
from grader.lpips.pairs import read_pair
from grader.lpips.places import WeightsError
from grader.lpips.scores import Network, measure_pairs
from grader.lpips.sharing.process import CPU, LoadNetwork, LpipsSpec, NetReport, Order

logger = logging.getLogger(__name__)

_NETS = tuple(LpipsNet)


class _Networks:
    """The networks that were loaded, for all lanes."""

    def __init__(self, load: LoadNetwork) -> None:
        self._load = load
        self._lock = threading.Lock()
        self._loaded: dict[LpipsNet, Network] = {}

    def load(self, net: LpipsNet) -> NetReport:
        with self._lock:
            if net not in self._loaded:
                try:
                    self._loaded[net] = self._load(net)
                except (LpipsError, WeightsError) as error:
                    return NetReport(False, str(error))
            return NetReport(True, self._loaded[net].self_check, self._loaded[net].known_value is not None)

    def measure(self, messages: list[bytes], *, batched: bool) -> list[PairAnswer]:
        read = [read_pair(message) for message in messages]
        try:
            return measure_pairs(self._loaded[read[0][0].net], [pair for _, pair in read], batched=batched)
        except LpipsError as error:  # a value that is no number
            return [PairAnswer(AnswerKind.FAILED, text=str(error))] * len(messages)


def _answer(pipe: multiprocessing.connection.Connection, networks: _Networks, spec: LpipsSpec) -> None:
    """Answers one order."""
    kind, net, count = pipe.recv_bytes()
    if kind == Order.LOAD:
        pipe.send_bytes(json.dumps(asdict(networks.load(_NETS[net]))).encode())
        return
    messages = [pipe.recv_bytes() for _ in range(count)]
    for answer in networks.measure(messages, batched=spec.device != CPU):
        pipe.send_bytes(answer.to_bytes())


def _lane(pipe: multiprocessing.connection.Connection, networks: _Networks, spec: LpipsSpec) -> None:
    try:
        while True:
            _answer(pipe, networks, spec)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        logger.debug("the server closed a lane")
    except Exception:
        logger.exception("the process that measures LPIPS ends")
        raise
    finally:
        os._exit(1)


def answer_all(pipes: list[multiprocessing.connection.Connection], spec: LpipsSpec) -> None:
    """Answers by every pipe, each in a thread of its own, until one closes; then the process ends."""
    networks = _Networks(spec.load)
    lanes = [threading.Thread(target=_lane, args=(pipe, networks, spec), name="grader-lpips-lane") for pipe in pipes]
    for lane in lanes:
        lane.start()
    for lane in lanes:
        lane.join()
