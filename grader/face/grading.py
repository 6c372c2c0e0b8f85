"""Grades in this process: a puzzle and a candidate to a verdict."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from os import PathLike

from grader.engine.engine import Engine
from grader.face.errors import WrongKindError, WrongValueError
from grader.face.loading import load_puzzle
from grader.face.pictures import PictureLike, encoded, member
from grader.media.clips.animated import is_animated
from grader.media.clips.types import recognise_video
from grader.media.pictures import MediaError
from grader.model.jobs import (
    Candidate,
    FramesCandidate,
    GradeJob,
    ImageCandidate,
    SceneCandidate,
    Similarity,
    TaskInput,
    TextCandidate,
    VideoCandidate,
    VideoPolicy,
)
from grader.model.verdict import Verdict
from grader.profiles.reading import profiles_of_environment

CandidateLike = Candidate | PictureLike | Sequence[PictureLike]
"""What a model made: a picture or a clip, a list of pictures (one after every action), or a typed candidate."""


@cache
def shared_engine() -> Engine:
    """Returns the engine of this process that `grade` uses by itself; it remembers puzzles.

    It knows the package's profiles, and those of the folder that ``GRADER_PROFILES`` names, as the command line does.
    """
    return Engine(profiles=profiles_of_environment())


def grade(
    task: TaskInput | str | PathLike[str],
    candidate: CandidateLike,
    *,
    profile: str = "default",
    overlay: bool = False,
    annotated_video: bool = False,
    video_policy: VideoPolicy | str = VideoPolicy.FINAL_FRAME,
    similarity: Iterable[Similarity | str] = (),
    request_id: str = "",
    engine: Engine | None = None,
) -> Verdict:
    """Grades what a model made for a puzzle. Several threads may do so at once.

    Parameters
    ----------
    task : MazeInput, QueensInput, ..., or path
        The puzzle, from `maze`, `queens`, `rush_hour`, `sliding`, `form_board`, `hinge_folding`, `paper_fold`,
        `grid_maze`, `jigsaw`, `spatial_edit`, `compare` or `load_puzzle`. The path
        of a puzzle is read as `load_puzzle` reads it, each time anew.
    candidate : picture, clip, list of pictures, or typed candidate
        A path, bytes, an array (H, W, 3) of uint8 or an image of Pillow; clips are told by their first bytes. Words are
        a ``TextCandidate``, pictures with words a ``FramesCandidate``, an edited scene with its boxes is a `scene`.
    profile : str
        Which settings to judge by.
    overlay, annotated_video : bool
        Whether to draw what was seen.
    video_policy : VideoPolicy or str
        Which frame of a clip decides: ``"FINAL_FRAME"`` or ``"BEST_FRAME"``.
    similarity : iterable of Similarity or str
        What to measure beside: ``"ssim"``, ``"lpips_alex"``, ``"lpips_vgg"``, ``"lpips_squeeze"``.
    request_id : str
        What to call it.
    engine : Engine, optional
        What grades, where limits, profiles or detectors are to be others.

    Raises
    ------
    InvalidRequestError
        Naming each field of the puzzle that is missing, undecodable or contradictory.
    MeasureUnavailableError
        If a measure is needed that can't be taken on this machine.
    ImportFormatError
        If the puzzle is a path, and there is none.
    WrongKindError, WrongValueError, NoFileError
        If an argument is of a kind or a value that is not taken, or a path leads to no file. They are a ``TypeError``,
        a ``ValueError`` and a ``FileNotFoundError`` too, and a `GraderError` like all above.
    """
    known = load_puzzle(task) if isinstance(task, str | PathLike) else task
    if not isinstance(known, TaskInput):
        raise WrongKindError(f"a puzzle is wanted, not {type(known).__name__}; grader.load_puzzle(folder) reads one")
    job = GradeJob(
        request_id=request_id,
        task=known,
        candidate=_candidate(candidate),
        profile=profile,
        overlay=overlay,
        annotated_video=annotated_video,
        video_policy=member(VideoPolicy, video_policy, "video_policy"),
        similarity=tuple(member(Similarity, one, "similarity") for one in similarity),
    )
    return (engine or shared_engine()).grade(job)


def _candidate(made: CandidateLike) -> Candidate:
    match made:
        case TextCandidate():
            _check_words(made.text)
            return made
        case FramesCandidate():
            _check_words(made.text)
            return replace(made, images=tuple(encoded(one) for one in made.images))
        case ImageCandidate() | VideoCandidate() | SceneCandidate():
            return made
        case list() | tuple():
            return FramesCandidate(tuple(encoded(one) for one in made), "")
    data = encoded(made)  # type: ignore[arg-type]
    return VideoCandidate(data) if _is_clip(data) else ImageCandidate(data)


def _check_words(text: object) -> None:
    """Raises WrongValueError where words are no text, or hold halves of characters, which no file can have."""
    if not isinstance(text, str):
        raise WrongValueError(f"words have to be a str, not {type(text).__name__}")
    odd = next((place for place, one in enumerate(text) if "\ud800" <= one <= "\udfff"), None)
    if odd is not None:
        raise WrongValueError(f"words have half a character at {odd}; decode them anew, with errors='replace'")


def _is_clip(data: bytes) -> bool:
    try:
        name = recognise_video(data)
    except MediaError:
        return False
    return name in ("MP4", "WEBM") or is_animated(data, name)
