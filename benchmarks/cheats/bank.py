"""What a cheat is: how it is drawn, what it hopes for, and what a grader has to say of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.model.verdict import Outcome, Verdict

Candidate = NDArray[np.uint8] | bytes
"""What a cheater hands in: a picture (H, W, 3) RGB, or an encoded file where the trick is in the file."""

Build = Callable[[Any], Candidate | None]
"""Draws a cheat on a `Subject` of its task; None where the puzzle has no place for it."""

FLAWED = 0.9
"""The most that an answer earns that holds the whole right way, or all right queens, and a fault beside it."""


@dataclass(frozen=True)
class Cheat:
    """A way to cheat.

    Attributes
    ----------
    kind, variant
        The idea, and which form of it.
    hope
        What a cheater hopes for, one sentence.
    build
        Draws it.
    reasons
        Reason codes of which a verdict has to give one, as the first.
    ceiling
        The most that it may earn, 0 to 1: 0 unless a true part of the answer is drawn.
    """

    kind: str
    variant: str
    hope: str
    build: Build
    reasons: tuple[str, ...]
    ceiling: float = 0.0

    @property
    def name(self) -> str:
        """Kind and variant in one word."""
        return f"{self.kind}/{self.variant}"

    def objections(self, verdict: Verdict) -> tuple[str, ...]:
        """What a verdict says of this cheat that it should not say; empty where it holds."""
        found = []
        if verdict.outcome is not Outcome.FAIL:
            found.append(f"its outcome is {verdict.outcome.value}")
        first = verdict.reasons[0].code if verdict.reasons else "no reason"
        if first not in self.reasons:
            found.append(f"it says {first}, which is not among its reasons")
        # A share of a path is a fraction; its last bit is no reward.
        if verdict.reward is None or verdict.reward > self.ceiling + 1e-9:
            found.append(f"it earns {verdict.reward}, more than {self.ceiling}")
        return tuple(found)


def variants(
    kind: str, hope: str, reasons: tuple[str, ...], builds: Mapping[str, Build], ceiling: float = 0.0
) -> tuple[Cheat, ...]:
    """Return the cheats of one kind, one for each way to build it."""
    return tuple(Cheat(kind, name, hope, build, reasons, ceiling) for name, build in builds.items())
