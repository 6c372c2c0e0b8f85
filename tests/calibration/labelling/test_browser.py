"""Somebody labels in a real browser; now and then the server is killed with signal 9."""

import random
import socket
import sqlite3
import threading
import time

import pytest

from calibration.labelling.store import StudyStore
from tests.calibration.labelling.browser import Served, turn, wait_for_turn, window
from tests.calibration.labelling.study import pictured_run

pytestmark = pytest.mark.browser

MOST_KILLS = 8
"""What starts again takes some seconds each time."""
KEYS = {"r": "right", "w": "wrong", "t": "cant_tell"}


@pytest.fixture(scope="module")
def playwright():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as found:
        yield found


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def test_200_labels_and_kill_9_at_random_moments_none_lost_none_doubled(tmp_path, playwright):
    """182 candidates, 18 of them again. Each is labelled by its number, so a label at a wrong place would be seen."""
    run = pictured_run(tmp_path, n=182)
    served = Served(run, free_port())
    served.start()
    dice = random.Random(0)
    kills, over = [], threading.Event()

    def reap():
        while len(kills) < MOST_KILLS and not over.wait(dice.uniform(0.05, 0.8)):
            served.kill()
            kills.append(time.monotonic())
            served.start()

    wanted = {}
    with window(playwright, served.address) as page:
        reaper = threading.Thread(target=reap)
        reaper.start()
        try:
            while True:
                seen, showing = turn(page)
                if showing is None:
                    break
                key = "rwt"[showing % 3]
                wanted[showing] = KEYS[key]
                page.keyboard.press(key)
                wait_for_turn(page, seen)
        finally:
            over.set()
            reaper.join()
            served.kill()
    assert len(kills) >= MOST_KILLS // 2
    with sqlite3.connect(run / "labels.db") as db:
        rows = db.execute("SELECT showing, label FROM deed WHERE undone = 0").fetchall()
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    db.close()
    assert len(rows) == len(wanted) == 200
    assert dict(rows) == wanted
    assert len(StudyStore(run / "labels.db").rows()) == 200


def test_every_key_does_what_the_page_says(tmp_path, playwright):
    run = pictured_run(tmp_path, n=4)
    served = Served(run, free_port())
    served.start()
    faults = []
    try:
        with window(playwright, served.address) as page:
            page.on("pageerror", lambda error: faults.append(str(error)))
            page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
            page.on("request", lambda asked: faults.append(asked.url) if "127.0.0.1" not in asked.url else None)

            def press(key):
                seen, _ = turn(page)
                page.keyboard.press(key)
                wait_for_turn(page, seen)
                return turn(page)[1]

            def transforms():
                return page.evaluate(
                    "() => [...document.querySelectorAll('.view img')].map((one) => one.style.transform)"
                )

            _, first = turn(page)
            page.keyboard.press("+")
            puzzle, candidate = transforms()
            assert puzzle == candidate != "translate(0px, 0px) scale(1)"
            page.keyboard.press("0")
            assert transforms() == ["translate(0px, 0px) scale(1)"] * 2
            second = press("w")
            assert press("u") == first
            assert press("s") == second
            page.keyboard.press("c")
            page.keyboard.type("crooked r w u")
            assert turn(page)[1] == second, "keys within a comment are letters"
            assert press("Enter") == second
            third = press("r")
            assert len({first, second, third}) == 3
            page.reload()
            page.wait_for_selector("body[data-turn]")
            assert turn(page)[1] == third
            while turn(page)[1] is not None:
                press("t")
            assert page.is_visible("#finished")
    finally:
        served.kill()
    assert faults == []
    rows = StudyStore(run / "labels.db").rows()
    assert [row.label for row in rows] == ["right", *["cant_tell"] * 3]
    assert rows[0].comment == "crooked r w u"
