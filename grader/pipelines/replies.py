"""What pipelines of others have in common: puzzles by their names, what a model replied, and what comes of it."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.model.errors import GraderError
from grader.v1 import service_pb2, verdict_pb2

if TYPE_CHECKING:
    from grader.client import GraderCallError

PUZZLE_KEY = "puzzle_id"
"""What samples name their puzzle under."""
_NOT_TAKEN = ("candidate", "NOT_TAKEN")


class UnknownPuzzleError(GraderError):
    """A sample names no puzzle that is known."""


class ReplyError(GraderError):
    """A reply of a model that can't be read, through no fault of the model."""


class KnownPuzzles:
    """Puzzles with their truths by their names.

    Parameters
    ----------
    puzzles : mapping of str to GradeRequest
        A candidate in them is put aside.
    """

    def __init__(self, puzzles: Mapping[str, service_pb2.GradeRequest]) -> None:
        self._puzzles = puzzles

    @classmethod
    def of_manifest(cls, path: str | PathLike[str]) -> KnownPuzzles:
        """Those of a manifest, each by its ``puzzle_id``, or the id of the request where it has none."""
        from grader.runs.manifest import load_manifest

        manifest = load_manifest(path)
        puzzles: dict[str, service_pb2.GradeRequest] = {}
        for index in range(len(manifest)):
            request = manifest.read(index)
            puzzles.setdefault(request.puzzle_id or request.request_id, request)
        return cls(puzzles)

    def request(self, said: Mapping[str, Any], request_id: str, key: str = PUZZLE_KEY) -> service_pb2.GradeRequest:
        """A request without a candidate, for the puzzle that metadata name; raises `UnknownPuzzleError`."""
        name = said.get(key)
        if name is None or name not in self._puzzles:
            raise UnknownPuzzleError(f"metadata name no puzzle that is known under {key!r}: {name!r:.80}")
        made = service_pb2.GradeRequest()
        made.CopyFrom(self._puzzles[name])
        made.request_id = request_id
        candidate = made.WhichOneof("candidate")
        if candidate is not None:
            made.ClearField(candidate)
        return made


@dataclass(frozen=True)
class Reply:
    """What a model replied: words, and the last picture or clip of it, encoded."""

    text: str = ""
    image: bytes | None = None
    video: bytes | None = None

    def put_into(self, request: service_pb2.GradeRequest) -> None:
        """Makes it the candidate of a request: a clip or a picture where there is one, else the words."""
        if self.video is not None:
            request.video.data = self.video
        elif self.image is not None:
            request.image.data = self.image
        else:
            request.text = self.text


def media_bytes(source: str | bytes | PathLike[str]) -> bytes:
    """The bytes of a picture or clip given as bytes, as a ``data:`` URI, or as the path of a file.

    Raises
    ------
    ReplyError
        If there are none; nothing is loaded from a network.
    """
    if isinstance(source, bytes):
        return source
    text = str(source)
    try:
        if text.startswith("data:"):
            return base64.b64decode(text.partition(",")[2], validate=True)
        return Path(text.removeprefix("file://")).read_bytes()
    except (OSError, ValueError, binascii.Error) as error:
        raise ReplyError(f"a picture of the reply can't be read: {text[:80]!r}: {error}") from error


@dataclass(frozen=True)
class Earned:
    """What a reply earned.

    Attributes
    ----------
    reward : from 0 to 1
    solved : whether the outcome is PASS
    outcome : its name
    why : sentences of the reasons, gravest first; empty on PASS
    codes : their codes
    metrics : the metrics that have a value
    """

    reward: float
    solved: bool
    outcome: str
    why: str = ""
    codes: tuple[str, ...] = ()
    metrics: Mapping[str, float] | None = None

    @classmethod
    def of_verdict(cls, verdict: verdict_pb2.Verdict) -> Earned:
        """What a verdict says."""
        outcome = verdict_pb2.Outcome.Name(verdict.outcome).removeprefix("OUTCOME_")
        return cls(
            float(verdict.reward),
            verdict.outcome == verdict_pb2.OUTCOME_PASS,
            outcome,
            " ".join(reason.message for reason in verdict.reasons),
            tuple(reason.code for reason in verdict.reasons),
            {metric.name: metric.value for metric in verdict.metrics if metric.HasField("value")},
        )

    @classmethod
    def of_missing(cls, error: GraderCallError) -> Earned:
        """What a reply earns that is not of a kind that the task takes, such as words where a picture was asked for.

        Raises the error where it is another one: a fault says nothing about the model.
        """
        wrong = next((one for one in error.violations if (one.field, one.reason) == _NOT_TAKEN), None)
        if wrong is None:
            raise error
        return cls(0.0, False, "MISSING", wrong.description, (wrong.reason,), {})


def last(found: Iterable[bytes]) -> bytes | None:
    """The last of a few; None of none."""
    return next(iter(reversed(list(found))), None)
