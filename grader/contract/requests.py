"""Requests of the contract as jobs: plain data, whose fields are checked as far as that needs no look into pictures."""

from __future__ import annotations

from grader.contract.wires import wire_of
from grader.model.errors import InvalidRequestError
from grader.model.jobs import (
    DEFAULT_PROFILE,
    Candidate,
    FramesCandidate,
    GradeJob,
    ImageCandidate,
    Similarity,
    TaskInput,
    TextCandidate,
    VideoCandidate,
    VideoPolicy,
)
from grader.v1 import service_pb2
from grader.wire.boxes import scene_candidate
from grader.wire.reader import RequestReader, Resolve

MAX_REQUEST_ID_CHARS = 512

_POLICIES = {
    service_pb2.VIDEO_POLICY_UNSPECIFIED: VideoPolicy.FINAL_FRAME,
    service_pb2.VIDEO_POLICY_FINAL_FRAME: VideoPolicy.FINAL_FRAME,
    service_pb2.VIDEO_POLICY_BEST_FRAME: VideoPolicy.BEST_FRAME,
}
_SIMILARITIES = {
    service_pb2.SIMILARITY_SSIM: Similarity.SSIM,
    service_pb2.SIMILARITY_LPIPS_ALEX: Similarity.LPIPS_ALEX,
    service_pb2.SIMILARITY_LPIPS_VGG: Similarity.LPIPS_VGG,
    service_pb2.SIMILARITY_LPIPS_SQUEEZE: Similarity.LPIPS_SQUEEZE,
}


def _task(request: service_pb2.GradeRequest, reader: RequestReader) -> TaskInput | None:
    name = request.WhichOneof("task")
    read = None if name is None else wire_of(name).read
    if name is None or read is None:
        known = ", ".join(field.name for field in request.DESCRIPTOR.oneofs_by_name["task"].fields)
        text = f"no task is set, or one that this version does not know; set one of: {known}"
        reader.wrong("task", "MISSING", text)
        return None
    return read(getattr(request, name), reader)


def _candidate(request: service_pb2.GradeRequest, reader: RequestReader) -> Candidate | None:
    match request.WhichOneof("candidate"):
        case "image":
            data = reader.source(request.image, "image")
            return None if data is None else ImageCandidate(data)
        case "video":
            data = reader.source(request.video, "video")
            return None if data is None else VideoCandidate(data)
        case "frames":
            images = [reader.source(one, f"frames.images[{place}]") for place, one in enumerate(request.frames.images)]
            return FramesCandidate(tuple(data for data in images if data is not None), request.frames.text)
        case "text":
            return TextCandidate(request.text)
        case "scene":
            return scene_candidate(request.scene, reader)
        case _:
            text = (
                "no candidate is set; set image, video, frames, text or scene to what the model made, if need be empty"
            )
            reader.wrong("candidate", "MISSING", text)
            return None


def _similarities(options: service_pb2.GradeOptions, reader: RequestReader) -> tuple[Similarity, ...]:
    found: dict[Similarity, None] = {}
    for place, number in enumerate(options.similarity):
        if number not in _SIMILARITIES:
            text = f"{number} is no Similarity that can be measured"
            reader.wrong(f"options.similarity[{place}]", "OUT_OF_RANGE", text)
        else:
            found[_SIMILARITIES[number]] = None
    return tuple(found)


def job_from_proto(request: service_pb2.GradeRequest, resolve: Resolve) -> GradeJob:
    """Makes a job of a request.

    Checked here is what can be said without looking into a picture; the engine checks the task's fields.

    Parameters
    ----------
    request : GradeRequest
        As it came.
    resolve : callable
        Gives the bytes of a Media; see `Resolve`.

    Returns
    -------
    GradeJob

    Raises
    ------
    InvalidRequestError
        With every wrong field, each by its path in the request.
    """
    reader = RequestReader(resolve)
    if not request.request_id:
        reader.wrong("request_id", "MISSING", "a request needs a request_id; its answer carries it")
    elif len(request.request_id) > MAX_REQUEST_ID_CHARS:
        found = len(request.request_id)
        reader.wrong("request_id", "TOO_LONG", f"it has {found} characters; at most {MAX_REQUEST_ID_CHARS} are taken")
    if request.attempt < 0:
        reader.wrong("attempt", "OUT_OF_RANGE", f"it is {request.attempt}; attempts count from 1, 0 means not said")
    policy = _POLICIES.get(request.options.video_policy)
    if policy is None:
        text = f"{request.options.video_policy} is no VideoPolicy"
        reader.wrong("options.video_policy", "OUT_OF_RANGE", text)
    similarity = _similarities(request.options, reader)
    task = _task(request, reader)
    candidate = _candidate(request, reader)
    if reader.violations or task is None or candidate is None or policy is None:
        raise InvalidRequestError(*reader.violations)
    return GradeJob(
        request_id=request.request_id,
        task=task,
        candidate=candidate,
        profile=request.options.profile or DEFAULT_PROFILE,
        overlay=request.options.overlay,
        annotated_video=request.options.annotated_video,
        video_policy=policy,
        similarity=similarity,
        puzzle_id=request.puzzle_id,
        model=request.model,
        attempt=request.attempt,
        tags=dict(request.tags),
    )
