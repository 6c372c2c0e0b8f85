"""What the service costs beside what a user would use instead, in one run: ``python -m benchmarks.service.costs``.

By task, beside grading in this process and a process a candidate; start-up and memory, beside a process of one's own;
growth with pixels, cells, frames and boxes, beside the plain tools that look at the same; batches, beside a pool of
processes. Figures are medians of runs in turn, so that a machine which does other things besides slows all alike.
"""

from __future__ import annotations

import argparse
import io
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
from PIL import Image
from rich.console import Console
from rich.table import Table

from benchmarks.boxes import manifold_ious, random_pairs
from benchmarks.clip_speed import decode_with_pyav, lot_subject
from benchmarks.service.running import memory_mib, serving
from benchmarks.service.samples import board_request, maze_request
from benchmarks.speed import maze_subject
from examples.demo_plans import write_plans
from grader.client import GraderClient
from grader.engine.engine import Engine
from grader.media.pictures import MediaLimits
from grader.metrics.space.boxes3d import box_overlaps
from grader.serving.work import Grading, default_spec
from grader.v1 import service_pb2
from puzzles.maze.geometry import Geometry

_COMMAND = ("-m", "grader", "serve")
_ALONE = """
import sys
from grader.media.pictures import MediaLimits
from grader.serving.work import Grading, default_spec
Grading(default_spec(MediaLimits(), log_level="CRITICAL")).answer(sys.stdin.buffer.read())
"""
_TOOLS = "import cv2, scipy.ndimage, skimage.morphology, PIL.Image"


def _timed(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def in_turn(runs: int, *works: Callable[[], object]) -> tuple[float, ...]:
    """The median seconds of each of some pieces of work, done in turn, after each was done once."""
    for work in works:
        work()
    rows = [[_timed(work) for work in works] for _ in range(runs)]
    return tuple(statistics.median(column) for column in zip(*rows, strict=True))


def _grading() -> Grading:
    return Grading(default_spec(MediaLimits(), log_level="CRITICAL"))


_OWN: list[Grading] = []


def graded_in_a_pool(payload: bytes) -> bytes:
    """What a user's own pool of processes does."""
    if not _OWN:
        _OWN.append(_grading())
    return _OWN[0].answer(payload)


def pool_memory_mib(payload: bytes) -> float:
    """What such a process holds once it has graded something."""
    graded_in_a_pool(payload)
    return memory_mib(os.getpid())


def _table(console: Console, title: str, headings: Sequence[str], rows: Iterator[Sequence[str]]) -> None:
    table = Table(title=title)
    for at, heading in enumerate(headings):
        table.add_column(heading, justify="right" if at else "left")
    for row in rows:
        table.add_row(*row)
    console.print(table)


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:.1f}"


def _subjects(side: int) -> dict[str, service_pb2.GradeRequest]:
    found = {"maze, a picture": maze_request(side), "queens, a picture": board_request(side)}
    wanted = {
        "rush-hour/words_right.txt": "rush hour, words",
        "rush-hour/every_picture.png": "rush hour, a series",
        "sliding/right.mp4": "sliding, a clip",
    }
    with tempfile.TemporaryDirectory() as folder:
        for request, _ in write_plans(Path(folder)):
            if request.request_id in wanted:
                found[wanted[request.request_id]] = request
    return found


def by_task(client: GraderClient, runs: int, side: int) -> Iterator[Sequence[str]]:
    """In this process, by the service, and by a process a candidate."""
    for name, request in _subjects(side).items():
        request.request_id = "one"
        payload, grading = request.SerializeToString(), _grading()
        inside, call = in_turn(runs, lambda: grading.answer(payload), lambda: client.grade(request))  # noqa: B023
        alone = _timed(lambda: subprocess.run([sys.executable, "-c", _ALONE], input=payload, check=True))  # noqa: B023
        yield name, _ms(inside), _ms(call), f"{1000 * (call - inside):+.1f}", _ms(alone)


def start_and_memory(payload: bytes) -> Iterator[Sequence[str]]:
    """A server with one worker, beside a user's own process and the tools that one would import."""
    begun = time.perf_counter()
    with serving(_COMMAND, workers=1, spare_workers=0, access_log=0) as server:
        ready = time.perf_counter() - begun
        held = server.memory_mib()
        with GraderClient(server.address) as client:
            client.grade(service_pb2.GradeRequest.FromString(payload))
        worker = max(memory_mib(pid) for pid in server.workers())
    tools = _timed(lambda: subprocess.run([sys.executable, "-c", _TOOLS], check=True))
    with ProcessPoolExecutor(1) as pool:
        own = pool.submit(pool_memory_mib, payload).result()
    yield "the service, ready", f"{ready:.1f} s", f"{held:.0f} + {worker:.0f} MiB a worker"
    yield "a process of one's own that grades", "", f"{own:.0f} MiB"
    yield "Python with OpenCV, scikit-image, SciPy and Pillow imported", f"{tools:.1f} s", ""


def _difference(one: bytes, other: bytes) -> float:
    """Decoded by Pillow and subtracted: the least that anybody does with two pictures."""
    first, second = (np.asarray(Image.open(io.BytesIO(data)).convert("RGB"), np.float32) for data in (one, other))
    return float(np.mean((first - second) ** 2))


def growth_with_pictures(runs: int) -> Iterator[Sequence[str]]:
    """Mazes of more pixels, and of more cells in as many pixels."""
    engine = Engine()
    sizes = [(side, None) for side in (256, 512, 1024, 2048)] + [(1024, across) for across in (5, 10, 20, 40)]
    for side, across in sizes:
        subject = maze_subject(Geometry.SQUARE, side, across=across)
        before = getattr(subject.job.task, "image", None) or b""
        grade, plain = in_turn(
            runs,
            lambda: engine.grade(subject.job),  # noqa: B023
            lambda: _difference(before, subject.encoded),  # noqa: B023
        )
        what = f"{side} x {side} pixels" if across is None else f"{across} x {across} cells in 1024 x 1024"
        yield what, _ms(grade), _ms(plain), f"{grade / plain:.1f}"


def growth_with_frames(runs: int) -> Iterator[Sequence[str]]:
    """Longer clips, beside decoding them."""
    engine = Engine()
    for seconds in (1.0, 3.0, 6.0):
        subject = lot_subject(seconds)
        grade, plain = in_turn(
            runs,
            lambda: engine.grade(subject.job()),  # noqa: B023
            lambda: decode_with_pyav(subject.clip),  # noqa: B023
        )
        yield f"{subject.frames} frames", _ms(grade), _ms(plain), f"{grade / plain:.1f}"


def growth_with_boxes(runs: int) -> Iterator[Sequence[str]]:
    """More pairs of boxes in space, beside a library for solids."""
    for number in (4, 16, 64):
        pairs = random_pairs(np.random.default_rng(number), number)
        grade, plain = in_turn(
            runs,
            lambda: box_overlaps(pairs.one, pairs.other),  # noqa: B023
            lambda: manifold_ious(pairs.one, pairs.other),  # noqa: B023
        )
        yield f"{number} pairs of boxes", _ms(grade), _ms(plain), f"{grade / plain:.2f}"


def batches(client: GraderClient, request: service_pb2.GradeRequest) -> Iterator[Sequence[str]]:
    """So many at a time, by two workers, beside a pool of two processes."""
    with ProcessPoolExecutor(2) as pool:
        for number in (1, 4, 16, 64):
            requests = []
            for at in range(number):
                made = service_pb2.GradeRequest()
                made.CopyFrom(request)
                made.request_id = str(at)
                requests.append(made)
            payloads = [made.SerializeToString() for made in requests]
            stream, own = in_turn(
                5 if number < 64 else 3,
                lambda: list(client.grade_batch(requests)),  # noqa: B023
                lambda: list(pool.map(graded_in_a_pool, payloads)),  # noqa: B023
            )
            yield f"{number} mazes at a time", f"{number / stream:.1f}", f"{number / own:.1f}", f"{own / stream:.2f}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints all tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=9, help="runs that a figure is the median of (default: 9)")
    parser.add_argument("--side", type=int, default=1024, help="of pictures by task, in pixels (default: 1024)")
    options = parser.parse_args(arguments)
    console = Console()
    console.print("load of the machine before: {:.1f} {:.1f} {:.1f}".format(*os.getloadavg()))
    request = maze_request(options.side)
    request.request_id = "one"
    beside = ("what", "grade ms", "instead ms", "ratio")
    with serving(_COMMAND, workers=2, access_log=0) as server, GraderClient(server.address) as client:
        headings = ("what", "in process ms", "service ms", "over", "a process a candidate ms")
        _table(console, "By task", headings, by_task(client, options.runs, options.side))
        beside_pool = ("what", "service a second", "pool a second", "ratio")
        _table(console, "Batches, two workers, beside a pool of two processes", beside_pool, batches(client, request))
    payload = request.SerializeToString()
    _table(console, "Start-up and memory", ("what", "time", "memory"), start_and_memory(payload))
    _table(console, "Pictures, beside decoding two and subtracting", beside, growth_with_pictures(options.runs))
    _table(console, "Clips, beside decoding with PyAV", beside, growth_with_frames(max(3, options.runs // 3)))
    _table(console, "Boxes in space, beside manifold3d", beside, growth_with_boxes(options.runs))


if __name__ == "__main__":
    main()
