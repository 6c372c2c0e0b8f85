"""What is asked and seen of a sliding puzzle: plain data."""

from __future__ import annotations

from dataclasses import dataclass, field

from grader.model.jobs import TaskInput
from grader.model.observations import Observation, SceneEvent
from grader.tasks.plans.model import ShownMove, Track


@dataclass(frozen=True)
class SlidingInput(TaskInput):
    """A sliding puzzle with the state to be reached. States are row by row, with -1 for the blank."""

    size_cells: int
    tiles: tuple[int, ...]
    image: bytes | None = field(metadata={"path": "sliding.puzzle.image"})
    target_tiles: tuple[int, ...]


@dataclass(frozen=True)
class TilesObservation(Observation):
    """What was seen of a sliding puzzle in a clip; ``final_tiles`` has -1 for the blank and 0 for what is no tile."""

    moves: tuple[ShownMove, ...]
    tracks: tuple[Track, ...]
    events: tuple[SceneEvent, ...]
    final_tiles: tuple[int, ...]
