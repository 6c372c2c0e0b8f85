"""What a verdict on a clip costs, as a ratio to decoding it: ``python -m benchmarks.clip_speed``.

A clip of 5 s at 1280 x 720 for each task, one core, every frame read. The ratio is to a plain sequential decode to RGB,
by PyAV and by OpenCV, in the same run. It also prints the memory that a long clip takes, and how long a clip takes that
was cut off or that is over a limit.
"""

from __future__ import annotations

import argparse
import io
import itertools
import multiprocessing
import os
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection

import av
import cv2
import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from benchmarks.rollouts.puzzle_sets import lot_record, tile_puzzle
from benchmarks.speed import maze_subject
from grader.contract.requests import job_from_proto
from grader.engine.engine import Engine
from grader.importers.mentisoculi.messages import lot_message, tiles_message
from grader.media.encoding import encode_mp4
from grader.media.pictures import decode_image, decode_labels
from grader.model.jobs import GradeJob, TaskInput, VideoCandidate
from grader.model.verdict import Outcome
from grader.serving.work import inline_only
from grader.tasks.maze.model import MazeInput
from grader.v1 import service_pb2
from puzzles.amaze.files import png_bytes
from puzzles.common.raster import Picture
from puzzles.maze.geometry import Geometry
from puzzles.rush_hour.motion import clip_frames as lot_frames
from puzzles.rush_hour.motion import plan_motion
from puzzles.sliding.motion import clip_frames as tile_frames
from puzzles.sliding.motion import plan_glides
from puzzles.sliding.render import render_board

_SIZE = (1280, 720)
_FPS = 24.0
_SECONDS = 5.0


@dataclass(frozen=True)
class ClipSubject:
    """A puzzle with an encoded clip that solves it."""

    name: str
    task: TaskInput
    clip: bytes
    frames: int

    def job(self, clip: bytes | None = None) -> GradeJob:
        """The job of grading the clip, or another one in its place."""
        return GradeJob(self.name, self.task, VideoCandidate(self.clip if clip is None else clip))


def _task_of(request: service_pb2.GradeRequest) -> TaskInput:
    request.request_id, request.video.data = "speed", b"-"
    return job_from_proto(request, inline_only).task


def _stretched(frames: Iterable[Picture], count: int) -> Iterator[Picture]:
    """So many frames: the last one stands as long as need be."""
    last: Picture | None = None
    for number, frame in enumerate(frames):
        if number == count:
            return
        last = frame
        yield frame
    if last is not None:
        yield from itertools.repeat(last, count - number - 1)


def lot_subject(seconds: float = _SECONDS) -> ClipSubject:
    """A lot whose shortest plan is shown."""
    record = lot_record("lot-3-4")
    request = service_pb2.GradeRequest(rush_hour=lot_message(record.lot))
    count = round(seconds * _FPS)
    frames = lot_frames(record.lot, plan_motion(record.lot, record.moves), None, _SIZE, _FPS)
    return ClipSubject("rush hour", _task_of(request), encode_mp4(_stretched(frames, count), _FPS), count)


def tile_subject() -> ClipSubject:
    """A sliding puzzle whose shortest plan is shown."""
    one = tile_puzzle("tiles-3-4-14")
    request = service_pb2.GradeRequest(sliding=tiles_message(one.puzzle))
    board = render_board(one.picture(), one.puzzle.start, one.puzzle.target)
    request.sliding.puzzle.image.data = png_bytes(board)
    count = round(_SECONDS * _FPS)
    timeline = plan_glides(one.puzzle.start, one.solution)
    frames = tile_frames(one.picture(), timeline, one.puzzle.target, None, _SIZE, _FPS)
    return ClipSubject("sliding", _task_of(request), encode_mp4(_stretched(frames, count), _FPS), count)


def maze_subject_clip() -> ClipSubject:
    """A square maze of 720 x 720 pixels, in whose middle of the frame a path grows."""
    maze = maze_subject(Geometry.SQUARE, 720)
    task = maze.job.task
    if not isinstance(task, MazeInput) or task.image is None or task.cell_map is None:
        raise TypeError("the subject is no maze with pictures")
    count = round(_SECONDS * _FPS)
    empty, solved = decode_image(task.image).pixels, decode_image(maze.encoded).pixels
    frames = _growing(empty, solved, decode_labels(task.cell_map), task.path_cell_ids, count)
    return ClipSubject("maze", task, encode_mp4(frames, _FPS), count)


def _growing(
    empty: Picture, solved: Picture, labels: NDArray[np.int32], path: tuple[int, ...], count: int
) -> Iterator[Picture]:
    """The solution's path appears cell by cell, in the path's order."""
    height, width = empty.shape[:2]
    canvas = np.full((_SIZE[1], _SIZE[0], 3), 255, np.uint8)
    top, left = (_SIZE[1] - height) // 2, (_SIZE[0] - width) // 2
    shown = empty.copy()
    for frame in range(count):
        done = min(len(path), round(len(path) * frame / (0.8 * count)))
        inside = np.isin(labels, path[:done])
        shown[inside] = solved[inside]
        picture = canvas.copy()
        picture[top : top + height, left : left + width] = shown[: _SIZE[1], : _SIZE[0]]
        yield picture


def decode_with_pyav(clip: bytes) -> int:
    """Decodes to RGB, frame by frame; gives the count."""
    count = 0
    with av.open(io.BytesIO(clip), "r") as container:
        for frame in container.decode(video=0):
            frame.to_ndarray(format="rgb24")
            count += 1
    return count


def decode_with_opencv(clip: bytes) -> int:
    """Decodes to RGB, frame by frame; gives the count."""
    with tempfile.NamedTemporaryFile(suffix=".mp4") as file:
        file.write(clip)
        file.flush()
        capture = cv2.VideoCapture(file.name)
        count = 0
        while True:
            there, frame = capture.read()
            if not there:
                break
            cv2.cvtColor(frame, cv2.COLOR_BGR2RGB)
            count += 1
        capture.release()
    return count


def _medians(subject: ClipSubject, engine: Engine, runs: int) -> list[float]:
    """Milliseconds of decoding by PyAV, by OpenCV, and of grading, in turn, so that all see the same machine."""
    work = (
        lambda: decode_with_pyav(subject.clip),
        lambda: decode_with_opencv(subject.clip),
        lambda: engine.grade(subject.job()),
    )
    times = [[_timed(one) for one in work] for _ in range(runs)]
    return [statistics.median(of) for of in zip(*times, strict=True)]


def _timed(work: Callable[[], object]) -> float:
    """Milliseconds of processor time, all threads together."""
    start = time.process_time()
    work()
    return 1000.0 * (time.process_time() - start)


def _peak_mb(job: GradeJob, connection: Connection) -> None:
    """Grades in a process of its own and sends the most memory that it took, in MB."""
    Engine().grade(job)
    connection.send(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0)


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5, help="runs a figure is the median of (default: 5)")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    console, engine = Console(), Engine()
    table = Table(title="A verdict on a clip of 5 s at 1280 x 720, puzzle prepared (processor ms, medians, one core)")
    for heading in ("what", "frames", "PyAV", "OpenCV", "grade", "grade / PyAV", "grade / OpenCV"):
        table.add_column(heading, justify="left" if heading == "what" else "right")
    for subject in (lot_subject(), tile_subject(), maze_subject_clip()):
        verdict = engine.grade(subject.job())
        if verdict.outcome is not Outcome.PASS:
            codes = ", ".join(reason.code for reason in verdict.reasons)
            raise RuntimeError(f"the solution of {subject.name} does not pass: {codes}")
        medians = _medians(subject, engine, options.runs)
        ratios = [medians[2] / medians[0], medians[2] / medians[1]]
        figures = [*(f"{value:.0f}" for value in medians), *(f"{value:.2f}" for value in ratios)]
        table.add_row(subject.name, str(subject.frames), *figures)
    console.print(table)
    _ends(console, engine)


def _ends(console: Console, engine: Engine) -> None:
    """Says how clips end that are cut off, too long, or long."""
    subject = lot_subject()
    cut = subject.clip[: int(0.7 * len(subject.clip))]
    taken = _timed(lambda: engine.grade(subject.job(cut)))
    verdict = engine.grade(subject.job(cut))
    frames = 0 if verdict.clip is None else verdict.clip.decoded_frames
    console.print(f"cut off at 70 % of its bytes: {verdict.outcome.value}, {frames} frames decode, {taken:.0f} ms")
    for seconds in (5.0, 58.0):
        long_clip = lot_subject(seconds)
        receiver, sender = multiprocessing.get_context("spawn").Pipe(duplex=False)
        process = multiprocessing.get_context("spawn").Process(target=_peak_mb, args=(long_clip.job(), sender))
        process.start()
        peak = receiver.recv()
        process.join()
        console.print(f"{long_clip.frames} frames: a process of its own takes {peak:.0f} MB at most")
    over = lot_subject(seconds=63.0)
    taken = _timed(lambda: engine.grade(over.job()))
    verdict = engine.grade(over.job())
    console.print(f"over a limit: {verdict.outcome.value} {verdict.reasons[0].code}, {taken:.1f} ms")


if __name__ == "__main__":
    main()
