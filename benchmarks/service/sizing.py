"""What 1, 16 and 256 machines do with up to 10^8 candidates: ``python -m benchmarks.service.sizing``.

What a worker takes for candidates of several kinds, and what the process that hands them out takes for each, is
measured here and now. Runs are then **simulated** from that: workers that are ready after a while, groups of candidates
handed out and answers written by one process one after another, and times drawn from those that were measured. Nothing
of networks, disks and other users is in it.
"""

from __future__ import annotations

import argparse
import heapq
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from google.protobuf import json_format

from benchmarks.service.samples import board_request, maze_request
from grader.media.pictures import MediaLimits
from grader.processes.memory import keep_freed_memory
from grader.runs.folder import RunFolder, RunIdentity
from grader.runs.manifest import Manifest, load_manifest
from grader.runs.ray_backend import by_puzzle
from grader.serving.work import Grading, default_spec
from grader.v1 import service_pb2

_MACHINES = (1, 16, 256)
_CANDIDATES = (10_000, 1_000_000, 100_000_000)
_GROUP = 32
_MOST_SIMULATED = 100_000
"""Groups; of longer runs as many are simulated, and the rest goes on at the rate of their second half."""
_READY_S = 20.0
"""How long machines take until their workers are there, Python's own start and imports included."""
_DAY_S, _HOUR_S, _MINUTE_S = 86_400.0, 3_600.0, 60.0


@dataclass(frozen=True)
class Measured:
    """What was measured.

    Attributes
    ----------
    grading_s : what a worker took for each of some candidates, media read and the puzzle known
    handing_s : what the process that hands out takes for a candidate, on the way there
    writing_s : the same on the way back: the answer is read, made JSON and written
    line_bytes : of the manifest that it keeps in memory, a line
    result_bytes : a line of the results
    """

    grading_s: tuple[float, ...]
    handing_s: float
    writing_s: float
    line_bytes: float
    result_bytes: float


def _cpu(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


def measure(requests: Sequence[service_pb2.GradeRequest], runs: int) -> Measured:
    """Measures by CPU time, so that what else runs on the machine counts little."""
    grading = Grading(default_spec(MediaLimits(), log_level="CRITICAL"))
    payloads = [request.SerializeToString() for request in requests]
    answers = [service_pb2.GradeBatchResponse.FromString(grading.answer(payload)) for payload in payloads]
    seconds = [_cpu(partial(grading.answer, payload)) for _ in range(runs) for payload in payloads]
    with tempfile.TemporaryDirectory() as name:
        manifest = _manifest(Path(name), requests, 2000)
        lines = len(manifest)
        handing = _cpu(lambda: [
            one.SerializeToString()
            for _, group in by_puzzle(manifest.written(at) for at in range(lines)) for one in group
        ])  # fmt: skip
        identity = RunIdentity(manifest.digest, "", "", "")
        with RunFolder(Path(name) / "run", manifest, identity) as folder:
            back = [(at, answers[at % len(answers)].SerializeToString()) for at in range(lines)]

            def write() -> None:
                for at, data in back:
                    folder.add(at, service_pb2.GradeBatchResponse.FromString(data))

            writing = _cpu(write)
            folder.commit()
            size = folder.results.stat().st_size
    held = 8.0 * 5 + 2  # offset, number, key, sorted key, order; two marks
    return Measured(tuple(seconds), handing / lines, writing / lines, held, size / lines)


def _manifest(folder: Path, requests: Sequence[service_pb2.GradeRequest], lines: int) -> Manifest:
    """A manifest with paths in place of media, as ``grader import`` writes it."""
    (folder / "a.png").write_bytes(b"x")
    made = []
    for at in range(lines):
        request = service_pb2.GradeRequest()
        request.CopyFrom(requests[at % len(requests)])
        request.request_id = f"candidate {at}"
        task = getattr(request, request.WhichOneof("task"))
        for media in (task.puzzle.image, request.image):
            media.uri = "a.png"
        if task.puzzle.HasField("cell_map") if hasattr(task.puzzle, "cell_map") else False:
            task.puzzle.cell_map.uri = "a.png"
        made.append(json_format.MessageToJson(request, indent=None))
    path = folder / "manifest.jsonl"
    path.write_text("\n".join(made) + "\n")
    return load_manifest(path)


def simulated_s(measured: Measured, workers: int, candidates: int, seed: int = 1) -> float:
    """How long a run takes, simulated.

    One process hands groups out and writes answers, and does nothing else meanwhile; a worker that is free takes the
    next group when that process gets to it.
    """
    groups = -(-candidates // _GROUP)
    simulated = min(groups, max(_MOST_SIMULATED, 4 * workers))
    draw = random.Random(seed)
    sums = [sum(draw.choices(measured.grading_s, k=_GROUP)) for _ in range(4096)]
    free = [_READY_S] * workers
    heapq.heapify(free)
    hands_free, half_at, last = 0.0, 0.0, 0.0
    for number in range(simulated):
        begun = max(heapq.heappop(free), hands_free)
        hands_free = begun + _GROUP * (measured.handing_s + measured.writing_s)
        ended = hands_free + draw.choice(sums)
        heapq.heappush(free, ended)
        last = max(last, ended)
        if number == simulated // 2:
            half_at = begun
    left = groups - simulated
    rate_s = (last - half_at) / max(1, simulated - simulated // 2)
    return last + left * rate_s


def _said(seconds: float) -> str:
    for unit, name in ((_DAY_S, "days"), (_HOUR_S, "h"), (_MINUTE_S, "min")):
        if seconds >= 2 * unit:
            return f"{seconds / unit:.1f} {name}"
    return f"{seconds:.0f} s"


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints what was measured, and a table of what was simulated."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, default=16, help="of a machine (default: 16)")
    parser.add_argument("--side", type=int, default=1024, help="of the pictures, in pixels (default: 1024)")
    parser.add_argument("--runs", type=int, default=5, help="times that each candidate is graded (default: 5)")
    options = parser.parse_args(arguments)
    keep_freed_memory()
    requests = [maze_request(options.side), board_request(options.side)]
    for at, request in enumerate(requests):
        request.request_id = str(at)
    measured = measure(requests, options.runs)
    mean = statistics.mean(measured.grading_s)
    hands = measured.handing_s + measured.writing_s
    print(f"measured: a candidate takes a worker {1000 * mean:.1f} ms; the process that hands out "
          f"{1e6 * measured.handing_s:.0f} us there and {1e6 * measured.writing_s:.0f} us back, so at most "
          f"{1 / hands:,.0f} a second; a result has {measured.result_bytes:,.0f} bytes")  # fmt: skip
    print(f"one such process keeps {mean / hands:.0f} workers busy\n")
    print("simulated:\n")
    print("| machines | runs at a time | 10^4 candidates | 10^6 | 10^8 | a second, of 10^8 | workers at work |")
    print("|---|---|---|---|---|---|---|")
    for machines in _MACHINES:
        workers = machines * options.workers
        for runs in sorted({1, -(-workers // max(1, int(0.8 * mean / hands)))}):
            took = [simulated_s(measured, workers // runs, -(-number // runs)) for number in _CANDIDATES]
            rate = _CANDIDATES[-1] / took[-1]
            print(f"| {machines} | {runs} | {' | '.join(map(_said, took))} | {rate:,.0f} | "
                  f"{100 * rate * mean / workers:.0f} % |")  # fmt: skip
    print(f"\nthe manifest of 10^8 takes {measured.line_bytes * 1e8 / 2**30:.1f} GiB of memory where it is handed out, "
          f"its results {measured.result_bytes * 1e8 / 2**30:,.0f} GiB of disk")  # fmt: skip


if __name__ == "__main__":
    main()
