"""What LPIPS costs in a server: ``python -m benchmarks.lpips_serving``.

Starts a server as a process of its own and has a few callers send comparisons at a time. Of the server with all its
processes it prints requests a second, processor time a request, and memory (the sum of proportional sets, so shared
pages count once). Requests a second depend on what else the machine does; processor time does so less.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cv2
import numpy as np

from benchmarks.similarity import mask_of, picture_pair
from grader.client import GraderClient
from grader.v1 import service_pb2

_ROOT = Path(__file__).resolve().parent.parent
_REFERENCES = 4
_TIMEOUT_S = 120.0


def _png(picture: np.ndarray) -> bytes:
    return cv2.imencode(".png", picture)[1].tobytes()


def requests_of(side: int, count: int) -> list[service_pb2.GradeRequest]:
    """Comparisons with LPIPS inside a mask and outside; a few references take turns, every candidate is another."""
    mask = _png(mask_of(side).astype(np.uint8) * 255)
    references = [picture_pair(side, seed)[1] for seed in range(_REFERENCES)]
    made = []
    for number in range(count):
        reference = references[number % _REFERENCES]
        noise = np.random.default_rng(number).normal(0.0, 20.0, reference.shape)
        candidate = np.clip(reference + noise, 0, 255).astype(np.uint8)
        request = service_pb2.GradeRequest(request_id=str(number))
        request.compare.reference.data, request.compare.mask.data = _png(reference), mask
        request.image.data = _png(candidate)
        request.options.similarity.append(service_pb2.SIMILARITY_LPIPS_ALEX)
        made.append(request)
    return made


def _family(pid: int) -> Iterator[int]:
    """A process and all that it started."""
    yield pid
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            yield from _family(int(child))


def memory_bytes(pid: int) -> int:
    """The proportional set of a process with all that it started; Linux only."""
    total = 0
    for one in _family(pid):
        for line in Path(f"/proc/{one}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                total += int(line.split()[1]) * 1024
    return total


def processor_s(pid: int) -> float:
    """The processor time that a process and all that it started have taken; Linux only."""
    ticks = 0
    for one in _family(pid):
        after_name = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
        ticks += int(after_name[11]) + int(after_name[12])  # user and system, the 14th and 15th of all
    return ticks / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Prints a line for each round, and their median."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--callers", type=int, default=4, help="requests at a time (default: 4)")
    parser.add_argument("--workers", type=int, default=4, help="workers of the server (default: 4)")
    parser.add_argument("--side", type=int, default=512, help="of the pictures in pixels (default: 512)")
    parser.add_argument("--requests", type=int, default=40, help="in a round (default: 40)")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    requests = requests_of(options.side, options.requests)
    environment = {**os.environ, "GRADER_PORT": "0", "GRADER_WORKERS": str(options.workers)}
    with subprocess.Popen(
        [sys.executable, _ROOT / "server.py"], env=environment, stdout=subprocess.PIPE, text=True
    ) as server:
        try:
            address = (server.stdout.readline() if server.stdout else "").strip().rpartition(" ")[2]
            with GraderClient(address) as client, ThreadPoolExecutor(options.callers) as callers:
                client.wait_ready(_TIMEOUT_S)
                print(f"before the first request: {memory_bytes(server.pid) / 1e6:.0f} MB")
                list(callers.map(client.grade, requests))  # whatever loads a network has loaded it
                rates, costs = [], []
                for _ in range(options.rounds):
                    start, used = time.perf_counter(), processor_s(server.pid)
                    list(callers.map(client.grade, requests))
                    rates.append(options.requests / (time.perf_counter() - start))
                    costs.append(1000 * (processor_s(server.pid) - used) / options.requests)
                    memory = memory_bytes(server.pid) / 1e6
                    print(f"{rates[-1]:.2f} requests/s, {costs[-1]:.0f} ms of processor a request, {memory:.0f} MB")
                print(f"medians: {statistics.median(rates):.2f} requests/s, {statistics.median(costs):.0f} ms")
        finally:
            server.terminate()
            server.wait(_TIMEOUT_S)


if __name__ == "__main__":
    main()
