"""A server's own process for LPIPS with the published weights. Run by ``make test-lpips``."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from grader.contract.requests import job_from_proto
from grader.contract.verdicts import verdict_to_proto
from grader.engine.engine import Engine
from grader.lpips.messages import AnswerKind, PairAnswer
from grader.lpips.nets import NET_FILES, LpipsNet
from grader.lpips.network import LpipsScorer
from grader.lpips.pairs import PicturePair, write_pair
from grader.lpips.sharing.states import NetStatus
from grader.serving.lpips import make_broker
from grader.serving.settings import ServerSettings
from grader.serving.work import default_spec, inline_only
from grader.serving.workers import WorkerPool
from grader.v1 import service_pb2
from tests.samples.edits import png, scenery

pytestmark = pytest.mark.lpips

ALEX, VGG, SQUEEZE = LpipsNet


@pytest.fixture(scope="module")
def broker():
    made = make_broker(ServerSettings(workers=2), log_level="CRITICAL")
    yield made
    made.close()


def pairs(net: LpipsNet) -> list[PicturePair]:
    """Four candidates of one reference, two with a mask, and one pair of another size."""
    reference, kept = scenery(0), np.zeros((240, 320), bool)
    kept[20:200, 40:200] = True
    made = [PicturePair(scenery(seed), reference, kept if seed % 2 else None) for seed in range(1, 5)]
    side = 64 if net is ALEX else 32
    return [*made, PicturePair(scenery(5)[:side, :side], reference[:side, :side])]


@pytest.mark.parametrize("net", [ALEX, VGG])
def test_values_are_a_scorers_own_to_the_bit_whatever_is_measured_beside(broker, net) -> None:
    scorer = LpipsScorer(net)
    expected = [scorer.score(pair.candidate, pair.reference, pair.kept) for pair in pairs(net)]
    messages = [write_pair(net, pair) for pair in pairs(net)] * 2
    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(lambda message: broker.measure(message, lambda: False), messages))
    read = [PairAnswer.from_bytes(answer) for answer in answers]
    assert [answer.value for answer in read] == expected * 2
    assert {answer.source for answer in read} == {scorer.source}


def test_the_check_says_what_was_found(broker) -> None:
    broker.check()
    small = np.zeros((32, 32, 3), np.uint8)
    for net in (ALEX, VGG):
        broker.measure(write_pair(net, PicturePair(small, small)), lambda: False)
        state = broker.states()[net]
        assert state.status is NetStatus.AVAILABLE
        assert "is known, and 0 for equal pictures" in state.text


def test_too_small_pictures_have_no_value(broker) -> None:
    tiny = np.zeros((30, 40, 3), np.uint8)
    answer = PairAnswer.from_bytes(broker.measure(write_pair(ALEX, PicturePair(tiny, tiny)), lambda: False))
    assert (answer.kind, answer.value) == (AnswerKind.UNMEASURABLE, None)
    assert "31" in answer.text


def test_a_device_that_is_not_there_is_said() -> None:
    made = make_broker(ServerSettings(workers=1, lpips_device="cuda:42"), log_level="CRITICAL")
    try:
        small = np.zeros((32, 32, 3), np.uint8)
        answer = PairAnswer.from_bytes(made.measure(write_pair(ALEX, PicturePair(small, small)), lambda: False))
    finally:
        made.close()
    assert answer.kind is AnswerKind.UNAVAILABLE
    assert "cuda:42" in answer.text


def test_a_verdict_through_the_server_is_an_engines_own(broker) -> None:
    request = service_pb2.GradeRequest(request_id="pair")
    request.compare.reference.data, request.image.data = png(scenery(0)), png(scenery(1))
    request.options.similarity.append(service_pb2.SIMILARITY_LPIPS_ALEX)
    settings = ServerSettings(workers=1)
    pool = WorkerPool(default_spec(settings.media_limits, log_level="CRITICAL"), 1, 4, 60.0, broker)
    try:
        found = pool.submit(request.SerializeToString(), "pair").result(60).verdict
    finally:
        pool.close()
    assert found == verdict_to_proto(Engine().grade(job_from_proto(request, inline_only)))
    (used,) = found.provenance.measured_with
    assert (used.measure, used.device) == ("lpips_alex", "cpu")
    assert used.weights_sha256 == NET_FILES[ALEX].copy_sha256
    assert {"torch", "lpips"} < set(found.provenance.library_versions)
