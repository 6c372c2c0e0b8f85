"""What the service costs and bears, as ratios within one run: ``python -m benchmarks.service.figures``.

Start-up and memory; one call over the same in process; two workers against one process; the call after fifty that were
left; ten times as many callers as there is room for. Ratios are of times taken in turn, so that a machine which does
other things besides slows both.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import statistics
import threading
import time
from collections.abc import Callable, Sequence

import grpc

from benchmarks.service.running import RunningServer, memory_mib, serving
from benchmarks.service.samples import maze_request
from benchmarks.service.soak import p95
from grader.client import GraderClient
from grader.media.pictures import MediaLimits
from grader.serving.work import Grading, default_spec
from grader.v1 import service_pb2, service_pb2_grpc

_COMMAND = ("-m", "grader", "serve")
_LEFT = 50
_IN_A_ROW = 3


def _timed(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def _named(request: service_pb2.GradeRequest, name: str) -> service_pb2.GradeRequest:
    made = service_pb2.GradeRequest()
    made.CopyFrom(request)
    made.request_id = name
    return made


def start_up(workers: int) -> None:
    """Prints how long a server takes until it listens with all its workers, and what it holds then."""
    begun = time.perf_counter()
    with serving(_COMMAND, workers=workers, access_log=0) as server:
        ready_s = time.perf_counter() - begun
        held = sorted(memory_mib(pid) for pid in server.workers())
        print(f"ready after {ready_s:.1f} s; the server holds {server.memory_mib():.0f} MiB, workers "
              f"{', '.join(f'{one:.0f}' for one in held)} MiB")  # fmt: skip


def _quickest(work: Callable[[], object]) -> float:
    """What work takes in a row: the first time is left out, for its data had left the caches."""
    work()
    return min(_timed(work) for _ in range(_IN_A_ROW))


def one_call(server: RunningServer, request: service_pb2.GradeRequest, runs: int) -> None:
    """Prints what a call takes over the same in process: the median of differences, each within a turn.

    A machine that does other things changes its pace by half from one second to the next. So a turn holds both sides
    within half a second, each by the quickest of a few in a row, and not medians are compared but turns.
    """
    grading = Grading(default_spec(MediaLimits(), log_level="CRITICAL"))
    payload = request.SerializeToString()
    inside, over, over_named = [], [], []
    with (
        GraderClient(server.address) as client,
        GraderClient(server.address, send_once=True) as naming,
    ):
        for one in (client, naming):
            for _ in range(6):
                one.grade(request)
        for _ in range(runs):
            base = _quickest(lambda: grading.answer(payload))
            inside.append(base)
            over.append(_quickest(lambda: client.grade(request)) - base)
            over_named.append(_quickest(lambda: naming.grade(request)) - base)
    base, call, named = map(statistics.median, (inside, over, over_named))
    quarters = statistics.quantiles(over, n=4)
    print(f"one call over the same in process, {1000 * base:.1f} ms: {1000 * call:+.1f} ms, half of {runs} turns from "
          f"{1000 * quarters[0]:+.1f} to {1000 * quarters[2]:+.1f}")  # fmt: skip
    print(f"  with the puzzle named by its digest {1000 * named:+.1f} ms")


def two_workers(server: RunningServer, request: service_pb2.GradeRequest, number: int) -> None:
    """Prints the rate of a batch over that of one process, by blocks in turn."""
    grading = Grading(default_spec(MediaLimits(), log_level="CRITICAL"))
    payload = request.SerializeToString()
    requests = [_named(request, str(at)) for at in range(number)]
    ratios = []
    with GraderClient(server.address) as client:
        list(client.grade_batch(requests[:4]))
        for _ in range(5):
            alone = _timed(lambda: [grading.answer(payload) for _ in range(number // 2)]) / (number // 2)
            batch = _timed(lambda: list(client.grade_batch(requests))) / number
            ratios.append(alone / batch)
    median = statistics.median(ratios)
    each = ", ".join(f"{one:.2f}" for one in ratios)
    print(f"two workers: {median:.2f} times the rate of one process, {50 * median:.0f} % of twice ({each})")


def after_left_calls(server: RunningServer, request: service_pb2.GradeRequest) -> None:
    """Prints what the call takes that comes after fifty which were left, over the usual."""
    with grpc.insecure_channel(server.address) as channel:
        stub = service_pb2_grpc.GraderServiceStub(channel)  # type: ignore[no-untyped-call]
        usual, after = [], []
        for _ in range(5):
            usual.append(_timed(lambda: stub.Grade(request)))
            calls = [stub.Grade.future(_named(request, f"left {at}")) for at in range(_LEFT)]
            time.sleep(0.05)
            for call in calls:
                call.cancel()
            after.append(_timed(lambda: stub.Grade(request, timeout=60)))
    base = statistics.median(usual)
    each = ", ".join(f"{1000 * one:.0f}" for one in after)
    print(f"after {_LEFT} calls that were left: at most {max(after) / base:.1f} times the usual")
    print(f"  {each} ms, usually {1000 * base:.0f} ms")


def overload(server: RunningServer, request: service_pb2.GradeRequest, room: int, seconds: float) -> None:
    """Prints what becomes of ten times as many callers as there is room for, and of a call afterwards."""
    accepted: list[float] = []
    refused: list[float] = []
    late: list[str] = []
    end = time.monotonic() + seconds

    def call(number: int) -> None:
        options = [("grpc.use_local_subchannel_pool", 1)]
        with grpc.insecure_channel(server.address, options) as channel:
            stub = service_pb2_grpc.GraderServiceStub(channel)  # type: ignore[no-untyped-call]
            own = _named(request, f"over {number}")
            while time.monotonic() < end:
                begun = time.perf_counter()
                try:
                    stub.Grade(own, timeout=30)
                    accepted.append(time.perf_counter() - begun)
                except grpc.RpcError as error:
                    took_s = time.perf_counter() - begun
                    if error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED:
                        refused.append(took_s)
                        time.sleep(0.2)
                    else:
                        late.append(error.code().name)

    with GraderClient(server.address) as client:
        usual = statistics.median(_timed(lambda: client.grade(request)) for _ in range(5))
        threads = [threading.Thread(target=call, args=(number,)) for number in range(10 * room)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        time.sleep(2)
        after = _timed(lambda: client.grade(request))
    print(f"{len(threads)} callers where there is room for {room}, {seconds:g} s: {len(accepted)} were graded, p95 "
          f"{p95(accepted):.2f} s; {len(refused)} refused, p95 {1000 * p95(refused):.0f} ms")  # fmt: skip
    print(f"  otherwise {len(late)} {sorted(set(late))}; 2 s later a call takes {after / usual:.1f} times the usual")


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints all figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=21, help="turns that a median is of (default: 21)")
    parser.add_argument("--side", type=int, default=1024, help="of the maze, in pixels (default: 1024)")
    parser.add_argument("--seconds", type=float, default=20, help="of overload (default: 20)")
    options = parser.parse_args(arguments)
    with contextlib.suppress(AttributeError):
        print("load of the machine before: {:.1f} {:.1f} {:.1f}".format(*os.getloadavg()))
    request = maze_request(options.side)
    request.request_id = "one"
    start_up(2)
    with serving(_COMMAND, workers=2, access_log=0) as server:
        one_call(server, request, options.runs)
        two_workers(server, request, 24)
        after_left_calls(server, request)
    with serving(_COMMAND, workers=2, queue_size=6, access_log=0) as server:
        overload(server, request, 8, options.seconds)


if __name__ == "__main__":
    main()
