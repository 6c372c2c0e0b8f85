"""Many mixed requests with faults on purpose: ``python -m benchmarks.service.soak --requests 10000``.

A greedy client sends over many streams, a small one call by call, a third leaves its calls; some requests are wrong,
and workers are killed. Each request has to be answered once: by the verdict that it has alone, to the bit, or by the
status that fits. What the server holds in memory may not grow after a warm-up. Exits with 1 where something of this
fails.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import signal
import statistics
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import grpc
from google.rpc import code_pb2
from grpc_status import rpc_status

from benchmarks.service.running import RunningServer, memory_mib, serving
from benchmarks.service.samples import Sample, samples, verdict_bytes
from grader.output.progress import Progress, progress_of
from grader.v1 import service_pb2, service_pb2_grpc
from grader.wire import statuses

_STREAMS = 12
_WARM_UP = 0.3
MOST_GROWTH_MIB = 20.0
_CALL_TIMEOUT_S = 300.0
_ALONE = 40
"""Calls that the small client makes before there is anybody else."""


@dataclass(frozen=True)
class Plan:
    """What to send: how many requests, the shares of wrong, left and killed ones, and the seed of what is drawn."""

    requests: int
    bad: float = 0.05
    left: float = 0.02
    killed: float = 0.01
    small: float = 0.05
    seed: int = 1


@dataclass
class Outcome:
    """What came of it.

    Attributes
    ----------
    ends : how requests ended, by number
    wrong : what must not be: another verdict, a status that does not fit, an answer too many, one that is missing
    kills : workers that were killed
    warm_mib, end_mib : what the server held after the warm-up and at the end
    worker_mib : the most that a worker held at the end
    alone_s, beside_s : what the small client's calls took, alone and beside the others
    seconds : that all took
    """

    ends: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    kills: int = 0
    warm_mib: float = 0.0
    end_mib: float = 0.0
    worker_mib: float = 0.0
    alone_s: list[float] = field(default_factory=list)
    beside_s: list[float] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def growth_mib(self) -> float:
        """By how much the server's memory grew after the warm-up."""
        return self.end_mib - self.warm_mib


def p95(seconds: Sequence[float]) -> float:
    """What 95 % stay below; 0 of none."""
    return statistics.quantiles(seconds, n=20)[-1] if len(seconds) > 1 else 0.0


class Soak:
    """One run.

    Parameters
    ----------
    server : RunningServer
        Whom to send to.
    plan : Plan
        What to send.
    good, bad : sequence of Sample
        What requests are drawn from.
    progress : Progress
        Is told of each answer.
    """

    def __init__(
        self, server: RunningServer, plan: Plan, good: Sequence[Sample], bad: Sequence[Sample], progress: Progress
    ) -> None:
        self._server, self._plan, self._good, self._bad, self._progress = server, plan, good, bad, progress
        self._lock = threading.Lock()
        self._sent: dict[str, Sample] = {}
        self._answered: set[str] = set()
        self.outcome = Outcome()

    def run(self) -> Outcome:
        """Sends all and waits for all."""
        begun = time.monotonic()
        plan, outcome = self._plan, self.outcome
        small, left = round(plan.requests * plan.small), round(plan.requests * plan.left)
        with self._client() as stub:
            for number in range(min(_ALONE, plan.requests)):
                outcome.alone_s.append(self._call(stub, f"alone {number}", random.Random(number)))
        per_stream = max(1, (plan.requests - small - left) // _STREAMS)
        with self._client() as greedy:
            streams = [
                threading.Thread(target=self._stream, args=(greedy, stream, per_stream)) for stream in range(_STREAMS)
            ]
            others = [threading.Thread(target=one, args=(number,)) for one, number in
                      ((self._small, small), (self._quitter, left))]  # fmt: skip
            done = threading.Event()
            killer = threading.Thread(target=self._kill, args=(done,))
            for thread in (*streams, *others, killer):
                thread.start()
            for thread in (*streams, *others):
                thread.join()
            done.set()
            killer.join()
        missing = self._sent.keys() - self._answered
        outcome.wrong += [f"{request_id}: no answer" for request_id in sorted(missing)]
        if outcome.ends["WORKER_DIED"] > outcome.kills:
            outcome.wrong.append(
                f"{outcome.ends['WORKER_DIED']} ended WORKER_DIED, {outcome.kills} workers were killed"
            )
        outcome.end_mib = self._server.memory_mib()
        outcome.worker_mib = max(map(memory_mib, self._server.workers()), default=0.0)
        outcome.warm_mib = outcome.warm_mib or outcome.end_mib
        outcome.seconds = time.monotonic() - begun
        return outcome

    @contextlib.contextmanager
    def _client(self) -> Iterator[service_pb2_grpc.GraderServiceStub]:
        """A client with a connection of its own."""
        options = [("grpc.use_local_subchannel_pool", 1)]
        with grpc.insecure_channel(self._server.address, options) as channel:
            yield service_pb2_grpc.GraderServiceStub(channel)  # type: ignore[no-untyped-call]

    def _drawn(self, request_id: str, draw: random.Random) -> service_pb2.GradeRequest:
        sample = draw.choice(self._bad if draw.random() < self._plan.bad else self._good)
        with self._lock:
            self._sent[request_id] = sample
        return sample.named(request_id)

    def _stream(self, stub: service_pb2_grpc.GraderServiceStub, stream: int, number: int) -> None:
        draw = random.Random(f"{self._plan.seed} {stream}")
        requests = (
            service_pb2.GradeBatchRequest(request=self._drawn(f"stream {stream} {at}", draw)) for at in range(number)
        )
        try:
            for answer in stub.GradeBatch(requests, timeout=_CALL_TIMEOUT_S * 12):
                self._take(answer.request_id, answer)
        except grpc.RpcError as error:
            with self._lock:
                self.outcome.wrong.append(f"stream {stream} broke: {error}")

    def _call(self, stub: service_pb2_grpc.GraderServiceStub, request_id: str, draw: random.Random) -> float:
        request = self._drawn(request_id, draw)
        begun = time.monotonic()
        try:
            answer = stub.Grade(request, timeout=_CALL_TIMEOUT_S)
            took_s = time.monotonic() - begun
            self._take(answer.request_id, service_pb2.GradeBatchResponse(verdict=answer.verdict))
        except grpc.RpcError as error:
            took_s = time.monotonic() - begun
            self._take(request_id, service_pb2.GradeBatchResponse(status=_status(error)))
        return took_s

    def _small(self, number: int) -> None:
        draw = random.Random(f"{self._plan.seed} small")
        with self._client() as stub:
            for at in range(number):
                self.outcome.beside_s.append(self._call(stub, f"small {at}", draw))

    def _quitter(self, number: int) -> None:
        draw = random.Random(f"{self._plan.seed} quitter")
        with self._client() as stub:
            for at in range(number):
                request_id = f"left {at}"
                call = stub.Grade.future(self._drawn(request_id, draw), timeout=_CALL_TIMEOUT_S)
                with contextlib.suppress(grpc.FutureTimeoutError):
                    call.exception(draw.choice((0.001, 0.02, 0.1)))
                call.cancel()
                if call.cancelled():
                    end = service_pb2.GradeBatchResponse(status=statuses.cancelled())
                elif error := call.exception():
                    end = service_pb2.GradeBatchResponse(status=_status(error))
                else:
                    end = service_pb2.GradeBatchResponse(verdict=call.result().verdict)
                self._take(request_id, end)

    def _kill(self, done: threading.Event) -> None:
        draw = random.Random(f"{self._plan.seed} kill")
        total = self._plan.requests
        while not done.wait(0.02):
            with self._lock:
                answered = len(self._answered)
            if not self.outcome.warm_mib and answered > _WARM_UP * total:
                self.outcome.warm_mib = self._server.memory_mib()
            workers = self._server.workers()
            if workers and self.outcome.kills < answered * self._plan.killed:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(draw.choice(workers), signal.SIGKILL)
                    self.outcome.kills += 1

    def _take(self, request_id: str, answer: service_pb2.GradeBatchResponse) -> None:
        end = answer.status.reason or code_pb2.Code.Name(answer.status.code)
        with self._lock:
            self.outcome.ends[end] += 1
            if request_id not in self._sent or request_id in self._answered:
                self.outcome.wrong.append(f"{request_id}: an answer too many")
                return
            self._answered.add(request_id)
            self._progress.update()
            wrong = self._why_wrong(request_id, self._sent[request_id], answer)
            if wrong:
                self.outcome.wrong.append(f"{request_id}: {wrong}")

    def _why_wrong(self, request_id: str, sample: Sample, answer: service_pb2.GradeBatchResponse) -> str:
        reason = answer.status.reason
        if not answer.status.code:
            if sample.verdict is None:
                return f"{sample.name} got a verdict"
            return "" if verdict_bytes(answer) == sample.verdict else f"another verdict than alone of {sample.name}"
        fits = {statuses.StatusReason.WORKER_DIED.value}
        if sample.verdict is None:
            fits.add(statuses.StatusReason.INVALID_FIELD.value)
        if request_id.startswith("left"):
            fits |= {statuses.StatusReason.CANCELLED.value, statuses.StatusReason.OVERLOADED.value}
        return "" if reason in fits else f"{sample.name} ended {reason}: {answer.status.message}"


def _status(error: grpc.RpcError) -> service_pb2.ItemStatus:
    status = rpc_status.from_call(error)
    if status is None:
        call: grpc.Call = error
        return service_pb2.ItemStatus(code=call.code().value[0], message=call.details() or "")
    return statuses.from_rpc_status(status)


def report(outcome: Outcome, say: Callable[[str], object] = print) -> bool:
    """Says what came of it, and whether all is well."""
    total = sum(outcome.ends.values())
    say(f"{total} requests in {outcome.seconds:.0f} s, {total / max(outcome.seconds, 1e-9):.1f} a second")
    say("  " + ", ".join(f"{end} {count}" for end, count in outcome.ends.most_common()))
    say(f"  workers killed: {outcome.kills}; the most that one holds: {outcome.worker_mib:.0f} MiB")
    say(f"  the server holds {outcome.end_mib:.1f} MiB, {outcome.growth_mib:+.1f} since the warm-up (at most 20)")
    alone, beside = p95(outcome.alone_s), p95(outcome.beside_s)
    say(f"  the small client's p95: {beside:.3f} s beside the greedy one, {alone:.3f} s alone; {beside / alone:.1f} x"
        if alone and beside else "  too few calls of the small client for its p95")  # fmt: skip
    for text in outcome.wrong[:20]:
        say(f"  WRONG {text}")
    return not outcome.wrong and outcome.growth_mib <= MOST_GROWTH_MIB


def main() -> int:
    """Runs the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=10_000, help="how many (default: 10,000)")
    parser.add_argument("--workers", type=int, default=2, help="of the server (default: 2)")
    parser.add_argument("--side", type=int, default=320, help="of the pictures, in pixels (default: 320)")
    parser.add_argument("--seed", type=int, default=1, help="of what is drawn (default: 1)")
    options = parser.parse_args()
    good, bad = samples(options.side)
    with (
        serving(["-m", "grader", "serve"], workers=options.workers, access_log=0) as server,
        progress_of("soak", options.requests, "request") as progress,
    ):
        outcome = Soak(server, Plan(options.requests, seed=options.seed), good, bad, progress).run()
    return 0 if report(outcome) else 1


if __name__ == "__main__":
    sys.exit(main())
