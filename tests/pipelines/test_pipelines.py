"""The scorer for Inspect AI and the post-processing for lmms-eval, against as much of them as is used."""

import asyncio
import base64
import json
import sys
from dataclasses import dataclass, field
from types import ModuleType, SimpleNamespace

import pytest
from google.protobuf import json_format

from grader.client import GraderCallError
from grader.pipelines.inspect_scorer import visual_grader
from grader.pipelines.lmms import process_results
from grader.pipelines.replies import Earned, ReplyError, UnknownPuzzleError, media_bytes
from grader.serving.workers import InProcessExecutor
from grader.v1 import service_pb2
from tests.fakes import serving
from tests.fakes.engine import SPEC, make_request


@pytest.fixture(scope="module")
def server():
    executor = InProcessExecutor(SPEC)
    with serving.running(executor) as made:
        yield made
    executor.close()


@pytest.fixture
def manifest(tmp_path):
    request = make_request("r1", b"FAIL")
    request.puzzle_id = "one"
    path = tmp_path / "manifest.jsonl"
    path.write_text(json_format.MessageToJson(request, indent=None) + "\n")
    return path


@dataclass
class Score:
    value: object
    answer: str | None = None
    explanation: str | None = None
    metadata: dict = field(default_factory=dict)


@pytest.fixture
def inspect_ai(monkeypatch):
    """The part of Inspect that a scorer uses; gives what was registered."""
    registered = {}

    def scorer(metrics, name=None):
        def decorate(make):
            def factory(*args):
                registered[name] = (metrics, args)
                return make(*args)

            return factory

        return decorate

    made = ModuleType("inspect_ai.scorer")
    made.Score, made.scorer, made.mean, made.stderr = Score, scorer, lambda: "mean", lambda: "stderr"
    package = ModuleType("inspect_ai")
    package.scorer = made
    monkeypatch.setitem(sys.modules, "inspect_ai", package)
    monkeypatch.setitem(sys.modules, "inspect_ai.scorer", made)
    return registered


def output(*parts, text=""):
    content = [SimpleNamespace(type="text", text=text), *parts] if parts else text
    return SimpleNamespace(completion=text, choices=[1], message=SimpleNamespace(content=content))


def picture(data):
    return SimpleNamespace(type="image", image="data:image/png;base64," + base64.b64encode(data).decode())


def state(said, puzzle="one"):
    return SimpleNamespace(metadata={"puzzle_id": puzzle}, output=said, sample_id=7, epoch=1)


def test_inspect_scores_the_last_picture_of_a_reply(server, manifest, inspect_ai):
    score = visual_grader(server.address, manifest, token="secret")
    metrics, arguments = inspect_ai["visual_grader"]
    assert metrics == {"reward": ["mean", "stderr"], "solved": ["mean", "stderr"]}
    assert arguments == (server.address, str(manifest), "puzzle_id")

    async def both():
        good = await score(state(output(picture(b"FAIL"), picture(b"PASS"), text="Here it is.")), None)
        return good, await score(state(output(picture(b"FAIL"))), None)

    good, bad = asyncio.run(both())
    assert good == Score(
        {"reward": 1.0, "solved": 1.0},
        "Here it is.",
        "PASS",
        {"outcome": "PASS", "reasons": [], "metrics": {"size": 4.0}},
    )
    assert (bad.value, bad.explanation) == ({"reward": 0.0, "solved": 0.0}, "as the candidate said")
    assert bad.metadata["reasons"] == ["FAIL"]


def test_faults_are_raised_and_no_score(server, manifest, inspect_ai):
    score = visual_grader(server.address, manifest)
    with pytest.raises(GraderCallError, match="INVALID_FIELD"):
        asyncio.run(score(state(output(picture(b"BAD"))), None))
    with pytest.raises(UnknownPuzzleError, match="'two'"):
        asyncio.run(score(state(output(picture(b"PASS")), "two"), None))


def test_lmms_eval_gets_numbers_by_metric(server, manifest, tmp_path):
    graded = process_results(server.address, manifest)
    drawn = tmp_path / "drawn.png"
    drawn.write_bytes(b"PASS")
    reply = json.dumps({"text": "so", "images": [str(drawn)]})
    assert graded({"puzzle_id": "one"}, [reply]) == {"grader_reward": 1.0, "grader_solved": 1.0}
    with pytest.raises(ReplyError, match="nowhere"):
        graded({"puzzle_id": "one"}, [{"images": [str(tmp_path / "nowhere.png")]}])
    with pytest.raises(UnknownPuzzleError):
        graded({}, [reply])


def test_a_reply_of_another_kind_earns_nothing_and_other_faults_are_raised():
    status = service_pb2.ItemStatus(code=3, reason="INVALID_FIELD")
    status.field_violations.add(field="candidate", reason="NOT_TAKEN", description="the task maze takes no text")
    earned = Earned.of_missing(GraderCallError(status))
    assert (earned.reward, earned.solved, earned.outcome, earned.why) == (
        0.0,
        False,
        "MISSING",
        "the task maze takes no text",
    )
    with pytest.raises(GraderCallError):
        Earned.of_missing(GraderCallError(service_pb2.ItemStatus(code=14, reason="WORKER_DIED")))


def test_media_are_bytes_data_uris_and_files(tmp_path):
    file = tmp_path / "a"
    file.write_bytes(b"x")
    assert [media_bytes(one) for one in (b"x", "data:;base64,eA==", file, f"file://{file}")] == [b"x"] * 4
    for wrong in ("data:;base64,?", "https://example.org/a.png", tmp_path):
        with pytest.raises(ReplyError):
            media_bytes(wrong)
