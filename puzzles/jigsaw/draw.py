"""Random choices that a text fixes, the same on every platform and by every version of NumPy."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeVar

import numpy as np

Item = TypeVar("Item")


class SeededDraw:
    """Draws by a seed that is made of parts; the same parts give the same draws.

    Parameters
    ----------
    *parts : object
        Texts and numbers.
    """

    def __init__(self, *parts: object) -> None:
        digest = hashlib.sha256("\x1f".join(map(str, parts)).encode()).digest()
        # Raw numbers, because NumPy promises that a bit generator keeps its stream; for distributions it does not.
        self._bits = np.random.PCG64(int.from_bytes(digest[:16], "big"))

    def below(self, count: int) -> int:
        """A whole number from 0 to count - 1."""
        return int(self._bits.random_raw()) % count

    def between(self, low: float, high: float) -> float:
        """A number from low to high."""
        return low + (high - low) * (int(self._bits.random_raw()) >> 11) / 2**53

    def one(self, items: Sequence[Item]) -> Item:
        """One of the items."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """All items in a drawn order."""
        left = list(items)
        for last in range(len(left) - 1, 0, -1):
            other = self.below(last + 1)
            left[last], left[other] = left[other], left[last]
        return left
