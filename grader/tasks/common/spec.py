"""What a task is: declared once, and read by all that lists tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from grader.media.frames import Frame
from grader.media.types import MediaLimits
from grader.model.jobs import CandidateKind, SceneCandidate, TaskInput, VideoPolicy
from grader.tasks.common.chance import PlanChance
from grader.tasks.common.declarations import MetricInfo, ReasonInfo
from grader.tasks.common.judgement import Judgement
from grader.tools.box_sources import Tools


class Prepared(Protocol):
    """A prepared puzzle of any task: made once, kept for further candidates, and never changed."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of its picture in pixels."""


InputT = TypeVar("InputT", bound=TaskInput)
PuzzleT = TypeVar("PuzzleT", bound=Prepared)
SettingsT = TypeVar("SettingsT")


@dataclass(frozen=True)
class Judges(Generic[PuzzleT, SettingsT]):
    """What judges each kind of candidate; None for a kind that the task does not take.

    Attributes
    ----------
    picture : of a picture, (H, W, 3) uint8 RGB
    clip : of the frames of a clip, at least one, which can be gone through once
    steps : of a picture after every action, (H, W, 3) uint8 RGB or None where one does not decode, and the words around
        them
    words : of all that a model wrote; an empty text is a missing answer
    scene : of an edited picture or None, and of what came with it or None where only a picture came. It raises
        InvalidRequestError if what was found is no box or a picture is missing that is needed,
        MeasureUnavailableError if a measure can't be taken on this machine, and BoxDetectorError if the detector fails
        that is to find boxes.
    """

    picture: Callable[[PuzzleT, NDArray[np.uint8], SettingsT], Judgement] | None = None
    clip: Callable[[PuzzleT, Iterable[Frame], SettingsT, VideoPolicy], Judgement] | None = None
    steps: Callable[[PuzzleT, Sequence[NDArray[np.uint8] | None], str, SettingsT], Judgement] | None = None
    words: Callable[[PuzzleT, str, SettingsT], Judgement] | None = None
    scene: Callable[[PuzzleT, NDArray[np.uint8] | None, SceneCandidate | None, Tools, SettingsT], Judgement] | None = (
        None
    )

    @property
    def kinds(self) -> tuple[CandidateKind, ...]:
        """The kinds of candidate that are judged."""
        judged = {
            CandidateKind.IMAGE: self.picture or self.scene,
            CandidateKind.VIDEO: self.clip,
            CandidateKind.FRAMES: self.steps,
            CandidateKind.TEXT: self.words,
            CandidateKind.SCENE: self.scene,
        }
        return tuple(kind for kind, judge in judged.items() if judge is not None)


@dataclass(frozen=True, eq=False)
class TaskSpec(Generic[InputT, PuzzleT, SettingsT]):
    """One kind of puzzle.

    Its messages are read and written by the module ``wire`` of its package, which is found by the task's name.

    Attributes
    ----------
    name : the name of its field in the request, of its packages, and of its page in ``docs/tasks``
    description : what it grades, for ListTasks
    input_type : the puzzle with its truth as it is sent
    settings_type : its thresholds, a frozen dataclass that can be made without arguments
    prepare : checks and decodes a puzzle; raises InvalidRequestError naming every wrong field. What a candidate of the
        given kind needs of the puzzle must be there
    judges : what judges each kind of candidate
    metrics, reasons : what a verdict can hold, in order; reasons gravest first
    formats : the formats of ``grader import`` that bring it
    drawn : the kinds of candidate whose verdicts have an overlay
    chance : how often random moves solve a puzzle; None for what is no plan
    """

    name: str
    description: str
    input_type: type[InputT]
    settings_type: type[SettingsT]
    prepare: Callable[[InputT, SettingsT, MediaLimits, CandidateKind], PuzzleT]
    judges: Judges[PuzzleT, SettingsT]
    metrics: tuple[MetricInfo, ...]
    reasons: tuple[ReasonInfo, ...]
    formats: tuple[str, ...] = ()
    drawn: tuple[CandidateKind, ...] = ()
    chance: PlanChance[InputT] | None = None

    @property
    def kinds(self) -> tuple[CandidateKind, ...]:
        """The kinds of candidate that it takes."""
        return self.judges.kinds


AnyTask = TaskSpec[Any, Any, Any]
"""A task of which nothing more is known."""
