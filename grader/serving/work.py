"""What one worker does with one request: bytes in, bytes out. It runs in a process of its own.

A payload is a serialized ``GradeRequest``; its answer a serialized ``GradeBatchResponse``, which carries a verdict or a
status. So a fault crosses the border between processes as data, and never as a pickled exception.
"""

from __future__ import annotations

import functools
import logging
import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from google.protobuf.message import DecodeError

from grader.contract.requests import job_from_proto
from grader.contract.verdicts import verdict_to_proto
from grader.model.errors import (
    BoxDetectorError,
    FieldViolation,
    InvalidRequestError,
    LpipsFailedError,
    MeasureUnavailableError,
)
from grader.model.jobs import GradeJob
from grader.model.verdict import Verdict
from grader.processes.stages import Stage, stage
from grader.serving.catalogue import engine_bytes
from grader.v1 import media_pb2, service_pb2
from grader.wire import statuses
from grader.wire.reader import Resolve

if TYPE_CHECKING:
    from grader.lpips.scores import ScoresPairs
    from grader.media.types import MediaLimits
    from grader.profiles.profile import ProfileSet

logger = logging.getLogger(__name__)

T = TypeVar("T")


class Grades(Protocol):
    """What grades a job; `grader.engine.engine.Engine` outside of tests."""

    def grade(self, job: GradeJob) -> Verdict:
        """Gives the verdict, or raises `InvalidRequestError`."""


EngineFactory = Callable[["ScoresPairs | None"], Grades]
"""Makes the engine of one worker, given what measures LPIPS for it; None for measuring it itself.

It must pickle: a function of a module, or a partial of one.
"""


@dataclass(frozen=True)
class WorkSpec:
    """What a worker needs to start. It is pickled to the worker's process.

    Attributes
    ----------
    engine_factory : makes the engine
    resolve : gives the bytes of a Media; see `grader.wire.reader.Resolve`
    log_level : of the worker's own log
    about : what a worker says of its engine when it is ready, a serialized ``ListTasksResponse``
    """

    engine_factory: EngineFactory
    resolve: Resolve
    log_level: str = "INFO"
    about: Callable[[], bytes] = bytes


def inline_only(media: media_pb2.Media, field: str) -> bytes | None:
    """Gives the bytes of a Media that holds them; refuses every URI, for no root is allowed."""
    match media.WhichOneof("source"):
        case "data":
            return bytes(media.data)
        case "uri":
            text = "this server allows no media roots, so no URI; send the encoded picture as data"
            raise InvalidRequestError(FieldViolation(field, "URI_NOT_ALLOWED", text))
        case "sha256":
            text = "nothing is kept here under a SHA-256; send the encoded picture as data"
            raise InvalidRequestError(FieldViolation(field, "MEDIA_UNKNOWN", text))
        case _:
            return None


def _from_roots(media: media_pb2.Media, field: str, *, roots: tuple[Path, ...], limits: MediaLimits) -> bytes | None:
    from grader.media.types import MediaError
    from grader.media.uri import read_uri

    if media.WhichOneof("source") != "uri":
        return inline_only(media, field)
    try:
        return read_uri(media.uri, roots, limits)
    except MediaError as error:
        raise InvalidRequestError(FieldViolation(field, str(error.reason.value), str(error))) from error


def _engine(limits: MediaLimits, box_detector: str, profiles: ProfileSet | None, scores: ScoresPairs | None) -> Grades:
    from grader.engine.engine import Engine
    from grader.tools.similarity import Measures

    measures = Measures(scores=scores)
    if not box_detector:
        return Engine(limits, measures=measures, profiles=profiles)
    from grader.serving.box_client import RemoteBoxes

    return Engine(limits, measures=measures, boxes=RemoteBoxes(box_detector), profiles=profiles)


def default_spec(
    limits: MediaLimits,
    roots: tuple[Path, ...] = (),
    log_level: str = "INFO",
    box_detector: str = "",
    profiles: ProfileSet | None = None,
) -> WorkSpec:
    """Says how to start workers with the real engine, under these limits and roots.

    ``box_detector`` is the address of a ``BoxDetectorService``, or empty. Workers get the profiles as they were read
    once, so that all of them grade alike whatever becomes of the files; None for the package's own.
    """
    resolve = functools.partial(_from_roots, roots=roots, limits=limits) if roots else inline_only
    engine = functools.partial(_engine, limits, box_detector, profiles)
    return WorkSpec(engine, resolve, log_level, functools.partial(engine_bytes, profiles))


def contained(answer: Callable[[], T], request_id: str) -> T | service_pb2.GradeBatchResponse:
    """Gives the answer, or INTERNAL where ``answer`` raises what nobody foresaw.

    This is the one catch-all of the program. Without it a bug would kill a worker, look like a machine's fault, and be
    tried again for ever. The caller learns an incident number and nothing of the exception, whose text may hold paths.
    """
    try:
        return answer()
    except InvalidRequestError as error:
        return statuses.response(request_id, statuses.invalid_request(error))
    except MeasureUnavailableError as error:
        return statuses.response(request_id, statuses.measure_unavailable(error))
    except LpipsFailedError as error:
        return statuses.response(request_id, statuses.lpips_failed(error))
    except BoxDetectorError as error:
        return statuses.response(request_id, statuses.box_detector_failed(error))
    except Exception:
        incident = secrets.token_hex(4)
        logger.exception("incident %s: grading failed", incident)
        return statuses.response(request_id, statuses.internal(incident))


class Grading:
    """An engine with its resolver: answers payloads one after another.

    Parameters
    ----------
    spec : WorkSpec
        What to start with; the engine is made here.
    scores : ScoresPairs, optional
        What measures LPIPS; by default this process does.
    """

    def __init__(self, spec: WorkSpec, scores: ScoresPairs | None = None) -> None:
        self._engine = spec.engine_factory(scores)
        self._resolve = spec.resolve

    def answer(self, payload: bytes, end_at: float | None = None) -> bytes:
        """Grades a serialized ``GradeRequest``; gives a serialized ``GradeBatchResponse``.

        ``end_at`` is when the answer is needed, on ``time.monotonic()``; None for any time.
        """
        try:
            request = service_pb2.GradeRequest.FromString(payload)
        except DecodeError:
            wrong = InvalidRequestError(FieldViolation("", "UNDECODABLE", "the request is no GradeRequest"))
            return bytes(statuses.response("", statuses.invalid_request(wrong)).SerializeToString())
        made = contained(lambda: self._grade(request, end_at), request.request_id)
        return bytes(made.SerializeToString())

    def _grade(self, request: service_pb2.GradeRequest, end_at: float | None) -> service_pb2.GradeBatchResponse:
        with stage(Stage.READ):
            job = replace(job_from_proto(request, self._resolve), end_at=end_at)
        verdict = self._engine.grade(job)
        with stage(Stage.ANSWER):
            return service_pb2.GradeBatchResponse(
                request_id=request.request_id,
                verdict=verdict_to_proto(verdict),
                status=service_pb2.ItemStatus(),
            )
