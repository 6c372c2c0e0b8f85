"""An engine that does what the candidate's bytes say, for tests of what stands around the real one."""

import hashlib
import os
import signal
import time
from dataclasses import replace
from pathlib import Path

from grader.lpips.nets import LpipsNet
from grader.lpips.scores import ScoresPairs
from grader.model.errors import FieldViolation, InvalidRequestError, MeasureUnavailableError
from grader.model.jobs import GradeJob, ImageCandidate
from grader.model.verdict import Metric, Outcome, Overlay, Provenance, Reason, Verdict
from grader.serving.work import WorkSpec, inline_only
from grader.v1 import service_pb2
from tests.fakes.lpips import ordered_pair

PNG_1X1 = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8ffff3f0005fe02fe"
    "0def46b80000000049454e44ae426082"
)


class FakeEngine:
    """Obeys the candidate: PASS, FAIL, UNGRADABLE, BUG, BAD, LACKS, DIE, ``SLEEP seconds``, ``ONCE path`` (dies),
    ``UNTIL path`` (makes ``path.begun``, then waits until somebody makes ``path``).

    ``LPIPS net order`` has the pair of that order measured by a network of `fake_lpips`.
    """

    def __init__(self, scores: ScoresPairs | None = None) -> None:
        self._scores = scores

    def grade(self, job: GradeJob) -> Verdict:
        word, _, rest = _data(job)[:200].decode("latin-1").partition(" ")
        match word:
            case "BUG":
                raise ZeroDivisionError("a bug at /some/secret/path")
            case "BAD":
                raise InvalidRequestError(FieldViolation("maze.truth.path_cell_ids", "MISSING", "it is empty"))
            case "LACKS":
                raise MeasureUnavailableError("LPIPS can't be measured by this grader: get it with `pip install it`")
            case "DIE":
                os.kill(os.getpid(), signal.SIGKILL)
            case "SLEEP":
                time.sleep(float(rest))
            case "UNTIL":
                Path(f"{rest}.begun").touch()
                await_file(Path(rest))
            case "ONCE":
                if not Path(rest).exists():
                    Path(rest).touch()
                    os.kill(os.getpid(), signal.SIGKILL)
            case "LPIPS":
                net, _, order = rest.partition(" ")
                answer = self._scores.score(LpipsNet(net), ordered_pair(order))
                metric = Metric("lpips", answer.value, answer.text)
                return replace(_verdict(job, word), metrics=(metric,))
        return _verdict(job, word)


def await_file(path: Path) -> None:
    """Returns when a file is there, so that no test has to guess how long something takes."""
    end = time.monotonic() + 60
    while not path.exists():
        if time.monotonic() > end:
            raise TimeoutError(f"nobody made {path}")
        time.sleep(0.01)


def _data(job: GradeJob) -> bytes:
    if not isinstance(job.candidate, ImageCandidate):
        raise TypeError("only pictures tell this engine what to do")
    return job.candidate.data


def _verdict(job: GradeJob, word: str) -> Verdict:
    outcome = {"FAIL": Outcome.FAIL, "UNGRADABLE": Outcome.UNGRADABLE, "": Outcome.UNGRADABLE}.get(word, Outcome.PASS)
    number = {Outcome.PASS: 1.0, Outcome.FAIL: 0.0}.get(outcome)
    return Verdict(
        outcome=outcome,
        score=number,
        reward=number or 0.0,
        metrics=(Metric("size", float(len(_data(job)))),),
        reasons=() if outcome is Outcome.PASS else (Reason(word or "EMPTY", "as the candidate said"),),
        observation=None,
        alignment=None,
        provenance=Provenance("fake", job.profile, "0" * 64, {"image": hashlib.sha256(_data(job)).hexdigest()}),
        overlay=Overlay(PNG_1X1, 1, 1) if job.overlay else None,
    )


def make_engine(scores: ScoresPairs | None) -> FakeEngine:
    return FakeEngine(scores)


def broken_engine(scores: ScoresPairs | None) -> FakeEngine:
    del scores
    raise RuntimeError("this engine can't be made")


SPEC = WorkSpec(make_engine, inline_only, "CRITICAL")
CATALOGUE = service_pb2.ListTasksResponse(
    tasks=[service_pb2.TaskInfo(name="maze")],
    profiles=[service_pb2.ProfileInfo(name="default", digest="0" * 64)],
    limits=service_pb2.Limits(max_message_bytes=32 * 1024 * 1024),
    grader_version="fake",
)


def make_request(request_id: str, candidate: bytes = b"PASS") -> service_pb2.GradeRequest:
    request = service_pb2.GradeRequest(request_id=request_id)
    request.maze.puzzle.image.data = b"puzzle"
    request.image.data = candidate
    return request
