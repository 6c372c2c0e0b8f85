"""The fair queue: who comes next, what it costs, and who finds room."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.serving.pool.fair_queue import FairQueue


@dataclass(eq=False)
class Item:
    client: str


def served(queue, number, cost):
    """Takes items one after another, each as long as ``cost`` says of its client; gives the clients."""
    clients = []
    for _ in range(number):
        item, charged = queue.pop()
        queue.ended(item.client, charged, cost[item.client])
        clients.append(item.client)
    return clients


def filled(room=1000, **numbers):
    queue = FairQueue(room)
    for client, number in numbers.items():
        for _ in range(number):
            queue.push(Item(client))
    return queue


def test_a_small_client_beside_a_greedy_one_is_next_but_one():
    queue = filled(greedy=200)
    served(queue, 20, {"greedy": 1.0})
    queue.push(Item("small"))
    assert "small" in served(queue, 2, {"greedy": 1.0, "small": 1.0})


def test_time_is_shared_and_not_the_number_of_requests():
    clients = served(filled(dear=100, cheap=100), 66, {"dear": 1.0, "cheap": 0.1})
    assert clients.count("cheap") == pytest.approx(60, abs=2)


def test_who_was_away_does_not_save_up():
    queue = filled(away=1)
    served(queue, 1, {"away": 0.0})
    for _ in range(100):
        queue.push(Item("here"))
    served(queue, 50, {"here": 1.0})
    for _ in range(50):
        queue.push(Item("away"))
    assert served(queue, 20, {"here": 1.0, "away": 1.0}).count("away") == pytest.approx(10, abs=1)


def test_one_client_leaves_room_for_others():
    queue = FairQueue(66)
    while queue.admits("greedy"):
        queue.push(Item("greedy"))
    assert queue.places == 53
    assert queue.admits("other")


def test_in_a_small_queue_one_client_may_have_all():
    queue = FairQueue(2)
    for _ in range(2):
        assert queue.admits("only")
        queue.push(Item("only"))
    assert not queue.admits("only")
    assert not queue.admits("other")


@given(st.lists(st.tuples(st.sampled_from(["push", "pop", "remove"]), st.sampled_from("abc")), max_size=60))
def test_nothing_is_lost_or_doubled(steps):
    queue, waiting, out = FairQueue(1000), [], []
    for step, client in steps:
        if step == "push":
            waiting.append(Item(client))
            queue.push(waiting[-1])
        elif step == "pop" and (popped := queue.pop()):
            waiting.remove(popped[0])
            out.append(popped)
        elif step == "remove" and waiting:
            assert queue.remove(waiting[0])
            assert not queue.remove(waiting.pop(0))
        assert (queue.waiting, queue.places) == (len(waiting), len(waiting) + len(out))
        assert sum(queue.waiting_by_client().values()) == len(waiting)
    for item, charged in out:
        queue.ended(item.client, charged, 0.5)
    assert sorted(map(id, queue.clear())) == sorted(map(id, waiting))
    assert queue.places == 0
    assert queue.pop() is None


def test_clients_that_are_gone_are_forgotten():
    queue = FairQueue(10)
    for number in range(3000):
        queue.push(Item(f"client {number}"))
        served(queue, 1, {f"client {number}": 0.1})
    assert len(queue._lines) <= 1024
