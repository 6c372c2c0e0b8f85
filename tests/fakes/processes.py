"""Work in this process instead of in others, each of which takes a second and more to start."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from grader.serving.work import WorkSpec
from grader.serving.workers import InProcessExecutor


class Here(ThreadPoolExecutor):
    """Stands for a ``ProcessPoolExecutor``: does one thing after the other, and starts no process."""

    def __init__(self, workers: int, **_of_processes: object) -> None:
        super().__init__(1)


class PoolHere(InProcessExecutor):
    """Stands for a ``WorkerPool``: grades one request after the other by the engine that is loaded here already."""

    def __init__(self, spec: WorkSpec, workers: int, queue_size: int, *_of_processes: object) -> None:
        super().__init__(spec, queue_size)
