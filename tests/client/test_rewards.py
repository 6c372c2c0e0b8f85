"""Rewards in the shapes that training loops take."""

import io
import json

import numpy as np
import pytest
from PIL import Image

import grader
from grader.client import GraderClient
from grader.face.rewards import NoRewardError, Rewards
from grader.serving.workers import InProcessExecutor
from tests.fakes import serving
from tests.fakes.engine import SPEC, make_request


@pytest.fixture(scope="module")
def client():
    executor = InProcessExecutor(SPEC)
    with serving.running(executor) as server, GraderClient(server.address, send_once=True) as made:
        yield made
    executor.close()


PUZZLES = {"one": make_request("1", b"PASS"), "two": make_request("2", b"FAIL")}
ONE, TWO = {"puzzle_id": "one"}, {"puzzle_id": "two"}


def test_a_group_of_pictures_in_its_order(client):
    rewards, details = Rewards(client, PUZZLES)([b"PASS", b"FAIL", b"PASS"], ["p"] * 3, [ONE, ONE, TWO])
    assert rewards == [1.0, 0.0, 1.0]
    assert details == {
        "score": [1.0, 0.0, 1.0],
        "outcome": ["PASS", "FAIL", "PASS"],
        "reason": ["", "FAIL", ""],
        "fault": ["", "", ""],
    }


def test_a_fault_is_never_a_reward_unless_a_value_for_it_is_given(client):
    with pytest.raises(NoRewardError, match="1: INVALID_FIELD"):
        Rewards(client, {"one": make_request("1")})([b"PASS", b"BAD"], ["p"] * 2, [ONE, ONE])
    rewards, details = Rewards(client, PUZZLES, without=0.5)([b"PASS", b"BAD"], ["p"] * 2, [ONE, ONE])
    assert rewards == [1.0, 0.5]
    assert details["outcome"] == ["PASS", ""]
    assert details["fault"][1].startswith("INVALID_FIELD: ")
    with pytest.raises(NoRewardError, match="name no puzzle that is known under 'puzzle_id': 'three'"):
        Rewards(client, PUZZLES)([b"PASS"], ["p"], [{"puzzle_id": "three"}])


def test_what_fails_in_a_way_that_may_mend_is_tried_again(tmp_path):
    with serving.running(workers=1) as server, GraderClient(server.address) as client:
        once = b"ONCE %s" % bytes(tmp_path / "died")
        rewards, _ = Rewards(client, PUZZLES)([once, b"FAIL"], ["p"] * 2, [ONE, ONE])
    assert rewards == [1.0, 0.0]


class Tensor:
    """As much of a tensor as is used."""

    def __init__(self, array):
        self.array = array

    def __iter__(self):
        return (Tensor(one) for one in self.array)

    def detach(self):
        return self

    float = cpu = detach

    def numpy(self):
        return self.array


PICTURE = np.random.default_rng(3).integers(0, 256, (6, 9, 3), np.uint8)


@pytest.mark.parametrize(
    "images",
    [
        PICTURE[None],
        PICTURE.transpose(2, 0, 1)[None],
        (PICTURE.transpose(2, 0, 1)[None] / 255.0).astype(np.float32),
        Tensor((PICTURE.transpose(2, 0, 1)[None] / 255.0).astype(np.float32)),
        [Image.fromarray(PICTURE)],
    ],
    ids=["rows", "channels first", "0 to 1", "tensor", "pillow"],
)
def test_pictures_of_any_form_are_the_same_pixels(images):
    sent = []
    rewards = Rewards(None, PUZZLES, without=0.0)
    rewards._answers = lambda requests: sent.extend(requests) or {}
    rewards(images, ["p"], [ONE])
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(sent[0].image.data))), PICTURE)


def test_floats_beyond_1_are_refused_and_not_guessed():
    with pytest.raises(grader.GraderError, match="values from 0 to 1"):
        Rewards(None, PUZZLES)(PICTURE[None].astype(np.float64), ["p"], [ONE])


def test_answers_in_words_as_verl_asks_for_them(client):
    sent = []
    rewards = Rewards(client, PUZZLES, without=0.25)
    rewards._answers = lambda requests: sent.extend(requests) or {}
    scores = rewards.compute_scores(["maze"], ["left, up"], [None], [ONE])
    assert scores == [{"score": 0.25, "outcome": "", "reason": "", "fault": "no answer came"}]
    assert (sent[0].text, sent[0].WhichOneof("candidate")) == ("left, up", "text")


def test_puzzles_of_a_manifest(client, tmp_path):
    (tmp_path / "p.png").write_bytes(b"puzzle")
    line = {"requestId": "a", "puzzleId": "maze-1", "maze": {"puzzle": {"image": {"uri": "p.png"}}}}
    again = {**line, "requestId": "b", "image": {"uri": "p.png"}}
    other = {**line, "requestId": "c", "puzzleId": ""}
    (tmp_path / "m.jsonl").write_text("\n".join(map(json.dumps, (line, again, other))))
    rewards = grader.Rewards.of_manifest(client, tmp_path / "m.jsonl")
    values, _ = rewards([b"PASS", b"FAIL"], ["p"] * 2, [{"puzzle_id": "maze-1"}, {"puzzle_id": "c"}])
    assert values == [1.0, 0.0]
