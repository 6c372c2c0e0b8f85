"""The one process that measures LPIPS: own answers, batches, memory, and what deaths and faults of it end in."""

import os
import signal
import threading
import time

import pytest

from grader.lpips.messages import AnswerKind, PairAnswer
from grader.lpips.nets import LpipsNet, working_bytes
from grader.lpips.pairs import write_pair
from grader.lpips.sharing import broker as lpips_broker
from grader.lpips.sharing import states as lpips_states
from grader.lpips.sharing.states import NetStatus
from grader.model.errors import LpipsFailedError
from grader.wire.statuses import lpips_failed
from tests.fakes.lpips import (
    MISSING,
    SELF_CHECK,
    SOURCE,
    Asked,
    ask,
    fake_broker,
    let_go,
    lines,
    ordered_pair,
    wait_until,
)

ALEX, VGG, SQUEEZE = LpipsNet
COST = working_bytes(ALEX, 32 * 32)
CUDA = {"device": "cuda", "max_batch": 8}  # the fake network takes what the spec says for a name


def measured(thousandths: int) -> PairAnswer:
    return PairAnswer(AnswerKind.MEASURED, thousandths / 1000, "", SOURCE)


def test_each_gets_its_own_answer_from_one_process(tmp_path):
    with fake_broker(tmp_path, lanes=3) as broker:
        assert broker.process_pid() is None  # none is started before it is needed
        asked = [Asked(broker, "MEASURE", value=number) for number in range(12)]
        assert [one.answer() for one in asked] == [measured(number) for number in range(12)]
    assert lines(tmp_path, "loads") == ["alex"]
    assert lines(tmp_path, "batches") == ["1"] * 12


def test_lanes_measure_beside_each_other(tmp_path):
    """The first pair goes on until it is given up; the others, for which one lane is left, end meanwhile."""
    over = threading.Event()
    with fake_broker(tmp_path, lanes=2) as broker:
        slow = Asked(broker, "SLEEP 250", given_up=over.is_set)
        wait_until(lambda: lines(tmp_path, "batches") == ["1"])
        assert [ask(broker, "MEASURE", value=number) for number in (1, 2)] == [measured(1), measured(2)]
        over.set()
        assert slow.answer() is None


def test_what_waits_meanwhile_makes_a_batch_of_one_size_and_network(tmp_path):
    with fake_broker(tmp_path, **CUDA) as broker:
        slow = Asked(broker, "HOLD", value=7)
        wait_until(lambda: lines(tmp_path, "batches") == ["1 at once"])
        same = [Asked(broker, "MEASURE", value=number) for number in range(5)]
        wait_until(lambda: broker.queue.waiting == 5)
        other = Asked(broker, "MEASURE", value=9, side=48)
        wait_until(lambda: broker.queue.waiting == 6)
        let_go(tmp_path)
        assert slow.answer() == measured(7)
        assert [one.answer() for one in same] == [measured(number) for number in range(5)]
        assert other.answer() == measured(9)
    assert lines(tmp_path, "batches") == ["1 at once", "5 at once", "1 at once"]


@pytest.mark.parametrize(
    ("limits", "batches"),
    [
        ({"max_batch": 3}, ["3", "2"]),
        ({"memory_bytes": 2 * COST + COST // 2}, ["2", "2", "1"]),
    ],
)
def test_a_batch_has_limits(tmp_path, limits, batches):
    with fake_broker(tmp_path, **{**CUDA, **limits}) as broker:
        slow = Asked(broker, "HOLD")
        wait_until(lambda: lines(tmp_path, "batches") == ["1 at once"])
        asked = [Asked(broker, "MEASURE", value=number) for number in range(5)]
        wait_until(lambda: broker.queue.waiting == 5)
        let_go(tmp_path)
        assert [one.answer().value for one in (slow, *asked)] == [0, 0, 0.001, 0.002, 0.003, 0.004]
    assert lines(tmp_path, "batches")[1:] == [f"{size} at once" for size in batches]


def test_lanes_share_the_memory(tmp_path):
    """Two lanes, and room for one pair and a half: the second starts after the first has ended."""
    with fake_broker(tmp_path, lanes=2, memory_bytes=3 * COST // 2) as broker:
        slow = Asked(broker, "HOLD")
        wait_until(lambda: lines(tmp_path, "batches") == ["1"])
        next_one = Asked(broker, "MEASURE", value=1)
        wait_until(lambda: broker.queue.waiting == 1)  # it would be taken at once by the other lane
        let_go(tmp_path)
        assert slow.answer() == measured(0)
        assert next_one.answer() == measured(1)


def test_a_pair_that_can_never_fit_is_refused_with_the_way_to_more(tmp_path):
    with fake_broker(tmp_path, memory_bytes=COST - 1) as broker:
        answer = ask(broker, "MEASURE")
        assert broker.process_pid() is None
    assert answer.kind is AnswerKind.UNAVAILABLE
    assert "32 x 32 pixels" in answer.text
    assert "GRADER_LPIPS_MAX_BYTES" in answer.text


@pytest.mark.parametrize("order", ["DIE", "FAULT"])
def test_a_death_costs_one_try(tmp_path, order):
    """What it was measuring fails, whichever pair is to blame; the next pairs are measured by a new process."""
    with fake_broker(tmp_path, lanes=2) as broker:
        beside = Asked(broker, "SLEEP 250")
        wait_until(lambda: lines(tmp_path, "batches") == ["1"])
        old = broker.process_pid()
        failed = ask(broker, order)
        assert failed.kind is beside.answer().kind is AnswerKind.FAILED
        assert "try again" in failed.text
        assert ask(broker, "MEASURE", value=5) == measured(5)
        assert broker.process_pid() not in (None, old)


def test_a_death_while_idle_costs_nothing(tmp_path):
    with fake_broker(tmp_path) as broker:
        ask(broker, "MEASURE")
        os.kill(broker.process_pid(), signal.SIGKILL)
        wait_until(lambda: broker.process_pid() is None)
        assert ask(broker, "MEASURE", value=5) == measured(5)


def test_what_is_missing_is_said_at_once_and_looked_for_again(tmp_path, monkeypatch):
    with fake_broker(tmp_path) as broker:
        for _ in range(3):
            answer = ask(broker, "MEASURE", VGG)
            assert (answer.kind, answer.text) == (AnswerKind.UNAVAILABLE, MISSING)
        assert lines(tmp_path, "loads") == ["vgg"]  # not at every pair
        assert broker.states()[VGG].status is NetStatus.UNAVAILABLE
        (tmp_path / "whole").touch()
        monkeypatch.setattr(lpips_states, "_TRY_AGAIN_S", 0.0)
        assert ask(broker, "MEASURE", VGG, value=5) == measured(5)
        assert broker.states()[VGG].status is NetStatus.AVAILABLE


def test_what_was_missing_at_the_start_may_have_been_got(tmp_path):
    """It is looked for without starting a process; once it is there, pairs are measured."""
    found = [None, "there are no weights; get them"]  # what is answered, from the last on
    with fake_broker(tmp_path, missing={ALEX: "there are no weights"}, why_not=lambda _: found.pop()) as broker:
        broker.check()
        assert broker.states()[ALEX].text == "there are no weights"
        answer = ask(broker, "MEASURE")
        assert (answer.kind, answer.text) == (AnswerKind.UNAVAILABLE, "there are no weights; get them")
        assert "alex" not in lines(tmp_path, "loads")


def test_weights_that_were_got_are_used(tmp_path):
    with fake_broker(tmp_path, missing={ALEX: "there are no weights"}) as broker:
        assert ask(broker, "MEASURE", value=5) == measured(5)


def test_a_death_while_loading_is_worth_another_try_at_once(tmp_path):
    with fake_broker(tmp_path) as broker:
        failed = ask(broker, "MEASURE", SQUEEZE)
        assert (failed.kind, failed.again_s) == (AnswerKind.FAILED, 0.0)
        assert broker.states()[SQUEEZE].status is NetStatus.FAILING
        assert ask(broker, "MEASURE", ALEX, value=1) == measured(1)
        (tmp_path / "whole").touch()
        assert ask(broker, "MEASURE", SQUEEZE, value=5) == measured(5)


def test_after_more_deaths_while_loading_the_answer_says_how_long_to_wait(tmp_path, monkeypatch):
    """The third pair comes within the 40 s after the second death, so no process is started for it."""
    monkeypatch.setattr(lpips_states, "_BACK_OFFS_S", (0.0, 40.0))
    with fake_broker(tmp_path) as broker:
        waits = [ask(broker, "MEASURE", SQUEEZE).again_s for _ in range(3)]
        assert waits[0] == 0.0
        assert 0.0 < waits[2] < waits[1] <= 40.0
        assert lines(tmp_path, "loads") == ["squeeze"] * 2
        monkeypatch.setattr(lpips_states, "_BACK_OFFS_S", (0.0,))
        (tmp_path / "whole").touch()
        assert ask(broker, "MEASURE", SQUEEZE, value=5) == measured(5)
        assert broker.states()[SQUEEZE].failures == 0


def test_the_wait_is_told_in_whole_seconds():
    for wait_s, said in ((0.0, 1), (0.4, 1), (1.2, 2), (10.0, 10)):
        assert lpips_failed(LpipsFailedError("it died", wait_s)).retry_delay.seconds == said


def test_the_check_at_the_start_and_after_a_death(tmp_path):
    (tmp_path / "whole").touch()
    with fake_broker(tmp_path, missing={VGG: MISSING}) as broker:
        broker.check()
        for net in (ALEX, SQUEEZE):
            wait_until(lambda net=net: broker.states()[net].status is NetStatus.AVAILABLE)
            assert broker.states()[net].text == SELF_CHECK
        assert broker.states()[VGG].text == MISSING
        assert sorted(lines(tmp_path, "loads")) == ["alex", "squeeze"]
        ask(broker, "DIE")
        wait_until(lambda: sorted(lines(tmp_path, "loads")) == ["alex", "alex", "squeeze", "squeeze"])


def test_pictures_without_a_value(tmp_path):
    with fake_broker(tmp_path) as broker:
        small = ask(broker, "MEASURE", side=15)
        assert (small.kind, small.value, small.text) == (AnswerKind.UNMEASURABLE, None, "a side is below 16")
        assert ask(broker, "NAN") == PairAnswer(AnswerKind.FAILED, text="the network gave nan")
        pair = ordered_pair("MEASURE")
        nothing = write_pair(ALEX, type(pair)(pair.candidate, pair.reference, pair.reference[..., 0] > 0))
        answer = PairAnswer.from_bytes(broker.measure(nothing, lambda: False))
        assert answer == PairAnswer(AnswerKind.MEASURED, None, "no pixel counts", SOURCE)


def test_what_is_given_up_while_it_waits_is_never_measured(tmp_path):
    over = threading.Event()
    with fake_broker(tmp_path) as broker:
        slow = Asked(broker, "HOLD")
        wait_until(lambda: lines(tmp_path, "batches") == ["1"])
        waits = Asked(broker, "MEASURE", given_up=over.is_set)
        wait_until(lambda: broker.queue.waiting == 1)
        over.set()
        assert waits.answer() is None
        let_go(tmp_path)
        assert slow.answer() == measured(0)
        assert ask(broker, "MEASURE", value=5) == measured(5)
    assert lines(tmp_path, "batches") == ["1", "1"]


def test_what_nobody_waits_for_is_ended_unless_somebody_waits_beside_it(tmp_path, monkeypatch):
    monkeypatch.setattr(lpips_broker, "ABANDON_GRACE_S", 0.1)
    over = threading.Event()
    with fake_broker(tmp_path, lanes=2) as broker:
        gone = Asked(broker, "SLEEP 250", given_up=over.is_set)
        wanted = Asked(broker, "HOLD", value=5)
        wait_until(lambda: lines(tmp_path, "batches") == ["1", "1"])
        old = broker.process_pid()
        over.set()
        assert gone.answer() is None
        time.sleep(0.5)
        let_go(tmp_path)
        assert wanted.answer() == measured(5)  # by the same process, though the other has been unwanted for long
        wait_until(lambda: broker.process_pid() != old)  # now nobody waits for what it does
        assert ask(broker, "MEASURE", value=3) == measured(3)


def test_what_takes_too_long_is_ended(tmp_path):
    with fake_broker(tmp_path, timeout_s=1.0) as broker:
        assert ask(broker, "SLEEP 250").kind is AnswerKind.FAILED
        assert ask(broker, "MEASURE", value=5) == measured(5)


def test_a_close_gives_everything_an_end(tmp_path):
    with fake_broker(tmp_path) as broker:
        runs = Asked(broker, "SLEEP 250")
        wait_until(lambda: lines(tmp_path, "batches") == ["1"])
        waits = Asked(broker, "MEASURE")
        wait_until(lambda: broker.queue.waiting == 1)
        broker.close()
        assert runs.answer().kind is waits.answer().kind is AnswerKind.FAILED
        assert broker.process_pid() is None
        assert ask(broker, "MEASURE").kind is AnswerKind.FAILED


GOOD = write_pair(ALEX, ordered_pair("MEASURE"))


@pytest.mark.parametrize(
    "message",
    [
        b"",
        b"nothing",
        GOOD[:-1],
        GOOD + b"\0",
        bytes([3]) + GOOD[1:],  # there are three networks
        GOOD[:1] + b"\1" + GOOD[2:],  # a mask is said to follow
        GOOD[:1] + b"\2" + GOOD[2:],
        GOOD[:2] + b"\xff" * 8 + GOOD[10:],  # 4 billion pixels a side
    ],
)
def test_bytes_that_are_no_pair_reach_no_process(tmp_path, message):
    with fake_broker(tmp_path) as broker:
        assert PairAnswer.from_bytes(broker.measure(message, lambda: False)).kind is AnswerKind.FAILED
        assert broker.process_pid() is None


def test_answers_come_back_to_the_bit():
    for answer in (measured(1), PairAnswer(AnswerKind.MEASURED, 0.1 + 0.2, "", SOURCE), PairAnswer(AnswerKind.FAILED)):
        assert PairAnswer.from_bytes(answer.to_bytes()) == answer
