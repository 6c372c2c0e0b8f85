"""What detectors and readers found, before it is compared with the truth: plain, immutable data."""

from __future__ import annotations

from dataclasses import dataclass

from grader.model.places import PixelBox, TimeSpan


@dataclass(frozen=True)
class Observation:
    """What was found in a candidate; each task has its own."""


@dataclass(frozen=True)
class SceneEvent:
    """Something in a clip beside moves: a stable UPPER_SNAKE code, when, of what (empty: the scene), and where."""

    code: str
    span: TimeSpan
    object: str = ""
    box: PixelBox | None = None
