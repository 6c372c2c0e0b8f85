"""The soak itself, in small, on the fake engine; and that it notices what it is there for."""

import pytest
from google.rpc import code_pb2

from benchmarks.service.running import RunningServer, serving
from benchmarks.service.samples import Sample, verdict_bytes
from benchmarks.service.soak import Outcome, Plan, Soak, report
from grader.output.progress import Silence
from grader.serving.work import Grading
from grader.v1 import service_pb2
from grader.wire import statuses
from tests.fakes.engine import SPEC, make_request
from tests.fakes.serving import FAKES


def sample(candidate):
    request = make_request("", candidate)
    named = make_request("x", candidate).SerializeToString()
    answer = service_pb2.GradeBatchResponse.FromString(Grading(SPEC).answer(named))
    verdict = None if answer.status.code else verdict_bytes(answer)
    return Sample(candidate.decode(), request, verdict)


GOOD, BAD = [sample(b"PASS"), sample(b"FAIL"), sample(b"SLEEP 0.005")], [sample(b"BAD")]


def test_every_request_is_answered_once_whatever_is_killed_or_left():
    with serving([str(FAKES / "server.py")], workers=1, spare_workers=1, access_log=0) as server:
        outcome = Soak(server, Plan(120, bad=0.1, left=0.1, killed=0.008, small=0.1), GOOD, BAD, Silence()).run()
    assert outcome.wrong == []
    assert outcome.ends["OK"] > 80
    assert outcome.ends["INVALID_FIELD"] > 2
    assert report(outcome, lambda text: None)


@pytest.fixture
def soak():
    made = Soak(RunningServer(0, "nowhere"), Plan(10), GOOD, BAD, Silence())
    made._sent |= {"good": GOOD[0], "bad": BAD[0], "left 1": GOOD[0]}
    return made


VERDICT = service_pb2.GradeBatchResponse()
VERDICT.verdict.ParseFromString(GOOD[0].verdict)
OTHER = service_pb2.GradeBatchResponse()
OTHER.verdict.ParseFromString(GOOD[1].verdict)


@pytest.mark.parametrize(
    ("request_id", "answers", "wrong"),
    [
        ("good", [VERDICT], []),
        ("good", [VERDICT, VERDICT], ["good: an answer too many"]),
        ("unknown", [VERDICT], ["unknown: an answer too many"]),
        ("good", [OTHER], ["good: another verdict than alone of PASS"]),
        ("bad", [VERDICT], ["bad: BAD got a verdict"]),
        ("good", [statuses.response("good", statuses.worker_died())], []),
        ("left 1", [statuses.response("left 1", statuses.cancelled())], []),
    ],
)
def test_what_must_not_be_is_noticed(soak, request_id, answers, wrong):
    for answer in answers:
        soak._take(request_id, answer)
    assert soak.outcome.wrong == wrong


def test_a_status_that_does_not_fit_is_noticed(soak):
    soak._take("good", statuses.response("good", statuses.internal("7")))
    assert soak.outcome.wrong[0].startswith("good: PASS ended INTERNAL")
    assert soak.outcome.ends == {"INTERNAL": 1}
    assert code_pb2.INTERNAL


def test_memory_that_grows_is_noticed():
    lines = []
    assert report(Outcome(warm_mib=100, end_mib=119), lines.append)
    assert not report(Outcome(warm_mib=100, end_mib=121), lines.append)
    assert any("+21.0 since" in line for line in lines)
