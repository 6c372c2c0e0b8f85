"""What every task declares, and the shape of its judgement."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from grader.alignment.align import warp
from grader.drawing.strip import Strip
from grader.media.frames import Frame
from grader.media.pictures import MediaLimits
from grader.media.pyramid import Pyramid
from grader.metrics.pixels import split_mse
from grader.model.jobs import CandidateKind, SceneCandidate, Similarity, VideoPolicy
from grader.model.verdict import Alignment, Metric, Note, Observation, Outcome, Reason
from grader.profiles.profile import Profile
from grader.tools.box_sources import Tools
from grader.tools.similarity import Comparison


@dataclass(frozen=True)
class MetricInfo:
    """A metric that a task reports.

    Attributes
    ----------
    name : unique within the task
    description : its meaning, with the source
    unit : "1" for plain numbers
    higher_is_better : its direction
    lower_bound, upper_bound : its bounds
    kinds : the kinds of candidate that have it
    on_request : whether a verdict holds it only where the request asks for it
    """

    name: str
    description: str
    unit: str
    higher_is_better: bool
    lower_bound: float
    upper_bound: float
    kinds: tuple[CandidateKind, ...] = (CandidateKind.IMAGE,)
    on_request: bool = False


@dataclass(frozen=True)
class ReasonInfo:
    """A reason that a task can give: its code and when it is given."""

    code: str
    description: str


@dataclass(frozen=True)
class ClipDrawing:
    """How the verdict on a clip is shown.

    Attributes
    ----------
    moments : (frame, caption) of the frames that a contact sheet shows, in order
    draw : the frame with what was seen in it, (H, W, 3) uint8 RGB of the frame's size
    strip : outcome, numbers and reasons
    """

    moments: tuple[tuple[int, str], ...]
    draw: Callable[[Frame], NDArray[np.uint8]]
    strip: Strip


@dataclass(frozen=True)
class Judgement:
    """What a task says of a decoded candidate; the engine makes a verdict of it.

    Attributes
    ----------
    outcome, score, reward, metrics, reasons, notes : as in a verdict
    observation : what was found; None where there was nothing to look into
    alignment : how a picture was laid onto the puzzle's; None for other candidates
    overlay : draws the verdict as an (H, W, 3) uint8 RGB picture; called only when an overlay was asked for; None where
        there is nothing to draw, as for words, and for clips
    drawing : for clips
    comparison : what measures of similarity compare, asked for only where a request wants them; gives None where the
        request holds nothing to compare with
    box_detector : what found boxes in pictures, as it names itself; empty where nothing did
    """

    outcome: Outcome
    score: float | None
    reward: float | None
    metrics: tuple[Metric, ...]
    reasons: tuple[Reason, ...]
    observation: Observation | None
    alignment: Alignment | None = None
    notes: tuple[Note, ...] = ()
    overlay: Callable[[], NDArray[np.uint8]] | None = None
    drawing: ClipDrawing | None = None
    comparison: Callable[[], Comparison | None] | None = None
    box_detector: str = ""


_SIMILARITIES: tuple[tuple[Similarity, str, bool, float, float], ...] = (
    (Similarity.SSIM, "Structural similarity (uniform windows of 7 x 7 pixels)", True, -1.0, 1.0),
    (Similarity.LPIPS_ALEX, "Learned perceptual similarity (LPIPS 0.1 on AlexNet)", False, 0.0, 1e6),
    (Similarity.LPIPS_VGG, "Learned perceptual similarity (LPIPS 0.1 on VGG16)", False, 0.0, 1e6),
    (Similarity.LPIPS_SQUEEZE, "Learned perceptual similarity (LPIPS 0.1 on SqueezeNet)", False, 0.0, 1e6),
)


def similarity_infos() -> tuple[MetricInfo, ...]:
    """The metrics of a task whose pictures can be compared: each measure inside and outside, where it is asked for."""
    return tuple(
        MetricInfo(f"{one.value}_{side}", f"{text}, {where}.", "1", better, low, high, on_request=True)
        for one, text, better, low, high in _SIMILARITIES
        for side, where in (("in", "inside the mask"), ("out", "outside of it"))
    )


def optional_metric(name: str, value: float | None, why_not: str) -> Metric:
    """A metric that has its value, or the reason why it has none."""
    return Metric(name, value) if value is not None else Metric(name, None, why_not)


def aligned_comparison(
    candidate: Pyramid,
    alignment: Alignment,
    solution: NDArray[np.uint8] | None,
    mask: NDArray[np.bool_] | None,
) -> Comparison | None:
    """The aligned candidate beside the solution at the puzzle's size, or None where there is no solution or mask."""
    if solution is None or mask is None:
        return None
    view, covered = warp(candidate, alignment, (solution.shape[1], solution.shape[0]), 1)
    return Comparison(view, solution, mask, covered)


def aligned_errors(
    candidate: Pyramid,
    alignment: Alignment,
    solution: NDArray[np.uint8] | None,
    mask: NDArray[np.bool_] | None,
) -> tuple[float | None, float | None]:
    """Masked MSE in and outside of a mask, after alignment, at the puzzle's size; pixels not covered don't count."""
    compared = aligned_comparison(candidate, alignment, solution, mask)
    if compared is None or mask is None:
        return None, None
    return split_mse(compared.candidate, compared.reference, mask, compared.covered)


TaskInputT = TypeVar("TaskInputT")
PuzzleT = TypeVar("PuzzleT")


class Task(ABC, Generic[TaskInputT, PuzzleT]):
    """One kind of puzzle: what it measures, why it fails, how it is prepared.

    A task also is one or more of `JudgesPictures`, `JudgesClips`, `JudgesSteps`, `JudgesWords` and `JudgesScenes`.

    Attributes
    ----------
    name : the name of its field in the request
    description : what it grades, for ListTasks
    metrics, reasons : what a verdict can hold, in order
    """

    name: ClassVar[str]
    description: ClassVar[str]
    metrics: ClassVar[tuple[MetricInfo, ...]]
    reasons: ClassVar[tuple[ReasonInfo, ...]]

    @abstractmethod
    def prepare(self, task: TaskInputT, profile: Profile, limits: MediaLimits, kind: CandidateKind) -> PuzzleT:
        """Checks and decodes a puzzle with its truth; raises InvalidRequestError naming every wrong field.

        ``kind`` is that of the candidate: what it needs of the puzzle must be there. The result is kept for further
        candidates of the same puzzle and kind and must not change.
        """

    @property
    def kinds(self) -> tuple[CandidateKind, ...]:
        """The kinds of candidate that it takes."""
        return tuple(kind for kind, ability in ABILITIES.items() if isinstance(self, ability))


class JudgesPictures(ABC, Generic[PuzzleT]):
    """A task that takes a picture."""

    @abstractmethod
    def judge(self, puzzle: PuzzleT, candidate: NDArray[np.uint8], profile: Profile) -> Judgement:
        """Judges one decoded candidate, (H, W, 3) uint8 RGB."""


class JudgesClips(ABC, Generic[PuzzleT]):
    """A task that takes a clip."""

    @abstractmethod
    def judge_clip(self, puzzle: PuzzleT, frames: Iterable[Frame], profile: Profile, policy: VideoPolicy) -> Judgement:
        """Judges the frames of a clip, at least one, which can be gone through once."""


class JudgesSteps(ABC, Generic[PuzzleT]):
    """A task that takes a picture after every action."""

    @abstractmethod
    def judge_steps(
        self, puzzle: PuzzleT, images: Sequence[NDArray[np.uint8] | None], text: str, profile: Profile
    ) -> Judgement:
        """Judges pictures, (H, W, 3) uint8 RGB or None where one does not decode, and the words around them."""


class JudgesWords(ABC, Generic[PuzzleT]):
    """A task that takes words."""

    @abstractmethod
    def judge_words(self, puzzle: PuzzleT, text: str, profile: Profile) -> Judgement:
        """Judges all that a model wrote; an empty text is a missing answer."""


class JudgesScenes(ABC, Generic[PuzzleT]):
    """A task that takes an edited picture with what was found in it, or a picture in which it looks by itself."""

    @abstractmethod
    def judge_scene(
        self,
        puzzle: PuzzleT,
        picture: NDArray[np.uint8] | None,
        scene: SceneCandidate | None,
        tools: Tools,
        profile: Profile,
    ) -> Judgement:
        """Judges a scene.

        Parameters
        ----------
        puzzle : PuzzleT
        picture : (H, W, 3) uint8 RGB or None
            The edited picture, where there is one.
        scene : SceneCandidate or None
            What came with it; None where only a picture came.
        tools : Tools
            What takes measures of likeness, and what finds boxes.
        profile : Profile

        Raises
        ------
        InvalidRequestError
            If what was found is no box, or a picture is missing that is needed.
        MeasureUnavailableError
            If a measure is needed that can't be taken on this machine.
        BoxDetectorError
            If the detector that is to find boxes fails.
        """


ABILITIES: dict[CandidateKind, type | tuple[type, ...]] = {
    CandidateKind.IMAGE: (JudgesPictures, JudgesScenes),
    CandidateKind.VIDEO: JudgesClips,
    CandidateKind.FRAMES: JudgesSteps,
    CandidateKind.TEXT: JudgesWords,
    CandidateKind.SCENE: JudgesScenes,
}
"""What a task has to be, to take a kind of candidate."""
