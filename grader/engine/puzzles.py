"""Prepared puzzles, kept for the candidates to come. Several threads may ask at once."""

from __future__ import annotations

import math
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future

from grader.tasks.common.spec import Prepared


class PuzzleCache:
    """Keeps what was used last. A puzzle is prepared once, however many threads wait for it.

    Parameters
    ----------
    most : int
        Most puzzles that are kept.
    most_pixels : int
        Most pixels that they have together. The newest is kept in any case.
    """

    def __init__(self, most: int, most_pixels: int) -> None:
        self._most, self._most_pixels = most, most_pixels
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, Prepared] = OrderedDict()
        self._coming: dict[str, Future[Prepared]] = {}

    def __len__(self) -> int:
        with self._lock:
            return len(self._kept)

    def get(self, key: str, prepare: Callable[[], Prepared]) -> Prepared:
        """The puzzle of a key, prepared by ``prepare`` where it is not kept.

        What ``prepare`` raises is raised to all who wait for it, and is not kept.
        """
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
            others = self._coming.get(key)
            promise: Future[Prepared] = others or Future()
            self._coming[key] = promise
        if others is not None:
            return others.result()
        try:
            puzzle = prepare()
        except BaseException as error:
            with self._lock:
                del self._coming[key]
            promise.set_exception(error)
            raise
        with self._lock:
            del self._coming[key]
            self._kept[key] = puzzle
            while len(self._kept) > 1 and self._over():
                self._kept.popitem(last=False)
        promise.set_result(puzzle)
        return puzzle

    def _over(self) -> bool:
        pixels = sum(math.prod(puzzle.size) for puzzle in self._kept.values())
        return len(self._kept) > self._most or pixels > self._most_pixels
