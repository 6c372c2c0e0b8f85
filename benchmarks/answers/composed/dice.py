"""Random choices that depend on a name alone."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import TypeVar

T = TypeVar("T")


class Dice:
    """Choices that are the same for the same name in every Python version, for they rest on ``random()`` alone."""

    def __init__(self, name: str) -> None:
        self._source = random.Random(name)

    def below(self, count: int) -> int:
        """A whole number from 0 to ``count`` - 1."""
        return int(self._source.random() * count)

    def likely(self, chance: float) -> bool:
        """True with a probability."""
        return self._source.random() < chance

    def pick(self, things: Sequence[T]) -> T:
        """One of some things, each as likely."""
        return things[self.below(len(things))]

    def shuffled(self, things: Sequence[T]) -> list[T]:
        """The things in any order."""
        left = list(things)
        return [left.pop(self.below(len(left))) for _ in range(len(left))]

    def weighted(self, weights: Mapping[str, float]) -> str:
        """A name, as likely as its weight says."""
        point = self._source.random() * sum(weights.values())
        for name, weight in weights.items():
            point -= weight
            if point < 0:
                return name
        return next(reversed(list(weights)))
