"""Work in this process instead of in others, each of which takes a second and more to start."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor


class Here(ThreadPoolExecutor):
    """Stands for a ``ProcessPoolExecutor``: does one thing after the other, and starts no process."""

    def __init__(self, workers: int, **_of_processes: object) -> None:
        super().__init__(1)
