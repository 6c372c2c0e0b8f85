"""What people said, on disk: one transaction a key, nothing twice, nothing lost, everybody blind to the others."""

import json
import os
import signal
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from calibration.labelling.model import StaleError
from calibration.labelling.rows import LabelRow
from calibration.labelling.store import StudyStore
from calibration.labels import CalibrationError
from tests.calibration.labelling.study import begun, say_all


def now(store, rater):
    return store.progress(rater).asked[0]


def test_a_key_is_kept_and_the_next_candidate_comes(tmp_path):
    store = begun(tmp_path)
    ann = store.invite("ann")
    first = now(store, ann)
    store.answer(ann, first.showing, "right", "wrong", 1.25)
    found = store.progress(ann)
    assert (found.done, found.total, found.asked[0].showing) == (1, 6, found.asked[0].showing)
    assert found.asked[0].request_id != first.request_id
    store.close()
    (row,) = StudyStore(tmp_path / "labels.db").rows()
    assert (row.request_id, row.rater, row.question, row.label, row.visit, row.took_s, row.stratum) == (
        first.request_id, "ann", "right", "wrong", 1, 1.25, "random",
    )  # fmt: skip
    assert row.at.endswith("+00:00")


def test_what_is_sent_again_counts_once(tmp_path):
    """As after a break in which nobody knows whether the first was kept."""
    store = begun(tmp_path)
    ann = store.invite("ann")
    first = now(store, ann)
    for _ in range(3):
        store.answer(ann, first.showing, "right", "right", None)
    second = now(store, ann)
    for _ in range(2):
        store.skip(ann, second.showing, second.place)
    last = store.progress(ann).last
    for _ in range(2):
        store.undo(ann, last)
    assert now(store, ann) == second
    assert len(store.rows()) == 1
    with pytest.raises(StaleError):
        store.answer(ann, first.showing, "right", "wrong", None)


def test_undo_takes_back_one_thing_after_the_other(tmp_path):
    store = begun(tmp_path, protocol="three_levels")
    ann = store.invite("ann")
    one = now(store, ann)
    store.answer(ann, one.showing, "ic", "completely", None)
    store.answer(ann, one.showing, "el", "partially", None)
    store.skip(ann, one.showing, one.place)
    assert now(store, ann).showing != one.showing
    store.undo(ann, store.progress(ann).last)
    assert now(store, ann).said == {"ic": "completely", "el": "partially"}
    store.undo(ann, store.progress(ann).last)
    assert now(store, ann).said == {"ic": "completely"}
    store.answer(ann, one.showing, "el", "not_at_all", None)
    store.answer(ann, one.showing, "ac", "not_at_all", None)
    assert [(row.question, row.label) for row in store.rows()] == [
        ("ic", "completely"), ("el", "not_at_all"), ("ac", "not_at_all"),
    ]  # fmt: skip
    for _ in range(5):
        store.undo(ann, store.progress(ann).last)
    assert (store.rows(), store.progress(ann).last, now(store, ann).showing) == ([], 0, one.showing)


def test_what_is_skipped_comes_at_the_end(tmp_path):
    store = begun(tmp_path)
    ann = store.invite("ann")
    first = now(store, ann)
    store.skip(ann, first.showing, first.place)
    order = []
    while asked := store.progress(ann).asked:
        order.append(asked[0].request_id)
        store.answer(ann, asked[0].showing, "right", "cant_tell", None)
    assert sorted(order) == list("abcdef")
    assert order[-1] == first.request_id


def test_everybody_has_an_own_order_and_sees_nothing_of_others(tmp_path):
    store = begun(tmp_path, [f"c{at:02}" for at in range(40)])
    ann, ben = store.invite("ann"), store.invite("ben")
    say_all(store, ann, lambda _: "right")
    found = store.progress(ben, ahead=40)
    assert (found.done, found.total, len(found.asked)) == (0, 40, 40)
    assert all(not one.said and not one.others and not one.comment for one in found.asked)
    orders = [[row.request_id for row in store.rows()], [one.request_id for one in found.asked]]
    assert orders[0] != orders[1]
    assert sorted(orders[0]) == sorted(orders[1])
    with pytest.raises(StaleError):
        store.answer(ann, found.asked[0].showing, "right", "wrong", None)
    with pytest.raises(StaleError):
        store.comment(ann, found.asked[0].showing, "mine")
    assert store.request_of(ann, found.asked[0].showing) is None


def test_some_are_asked_about_twice_and_not_at_once(tmp_path):
    """A tenth of 40; what was among the first 20 comes again from the 27th on."""
    store = begun(tmp_path, [f"c{at:02}" for at in range(40)], twice=0.1)
    ann = store.invite("ann")
    order = [one.request_id for one in store.progress(ann, ahead=50).asked]
    assert (len(order), len(set(order))) == (44, 40)
    for name in (name for name in set(order) if order.count(name) == 2):
        first = order.index(name)
        assert first < 20
        assert order.index(name, first + 1) >= 26
    say_all(store, ann, lambda _: "right")
    assert sorted(row.visit for row in store.rows()) == [1] * 40 + [2] * 4


def test_who_decides_is_asked_what_others_differ_in(tmp_path):
    store = begun(tmp_path)
    ann, ben = store.invite("ann"), store.invite("ben")
    carol = store.invite("carol", decides=True)
    assert store.progress(carol).total == 0
    say_all(store, ann, lambda name: "right")
    say_all(store, ben, lambda name: "wrong" if name in "bd" else "right")
    found = store.progress(carol)
    assert sorted(one.request_id for one in found.asked) == ["b", "d"]
    assert found.asked[0].others == {"right": ["right", "wrong"]}
    say_all(store, carol, lambda name: "wrong")
    assert store.progress(carol).done == 2
    assert [(row.rater, row.adjudicated) for row in store.rows()][-2:] == [("carol", "yes")] * 2
    for name, decides in (("ann", True), ("carol", False)):
        with pytest.raises(CalibrationError, match="labels in this study and so can't decide"):
            store.invite(name, decides=decides)


def test_only_the_owner_may_read_it_and_tokens_can_t_be_guessed(tmp_path):
    store = begun(tmp_path)
    ann, ben = store.invite("ann"), store.invite("ben")
    assert stat.S_IMODE(store.path.stat().st_mode) == 0o600
    assert min(len(ann.token), len(ben.token)) >= 24
    assert store.find(ann.token) == ann == store.invite("ann")
    assert [store.find(one) for one in ("", "nobody", ann.token[:-1], ann.token + "x", "é")] == [None] * 5
    for name in ("", "  ", "x" * 81):
        with pytest.raises(CalibrationError, match="a person's name"):
            store.invite(name)


def test_labels_are_taken_in_from_elsewhere_once(tmp_path):
    store = begun(tmp_path)
    ann = store.invite("ann")
    row = LabelRow("a", "dora", "right", "right", comment="nice", took_s=2.0, at="2026-01-01T00:00:00Z")
    assert [store.add(row), store.add(row)] == [True, False]
    assert store.add(LabelRow("a", "ann", "right", "wrong"))
    assert store.progress(ann).last == 0, "what came from a file is not taken back by a key"
    assert "a" not in [one.request_id for one in store.progress(ann, ahead=9).asked]
    assert store.rows()[0] == LabelRow(
        "a", "dora", "right", "right", 1, "nice", "random", "", 2.0, "2026-01-01T00:00:00Z"
    )
    with pytest.raises(CalibrationError, match=r"dora said 'right' of 'a' \(visit 1\), and 'wrong' here"):
        store.add(LabelRow("a", "dora", "right", "wrong"))
    with pytest.raises(CalibrationError, match="labels and decides"):
        store.add(LabelRow("b", "dora", "right", "right", adjudicated="yes"))
    assert store.progress(store.invite("dora")).total == 6


def test_what_is_no_study_is_refused(tmp_path):
    (tmp_path / "text.db").write_text("no database, but long enough to be taken for one" * 20)
    with pytest.raises(CalibrationError, match="is no study"):
        StudyStore(tmp_path / "text.db")
    sqlite3.connect(tmp_path / "empty.db").close()
    with pytest.raises(CalibrationError, match="is no study"):
        StudyStore(tmp_path / "empty.db")
    store = begun(tmp_path)
    store.close()
    with sqlite3.connect(tmp_path / "labels.db") as db:
        db.execute("UPDATE study SET value = '99' WHERE name = 'format'")
    db.close()
    with pytest.raises(CalibrationError, match="another version"):
        StudyStore(tmp_path / "labels.db")
    with pytest.raises(FileExistsError):
        begun(tmp_path)


WRITER = """
import sys
from pathlib import Path
from calibration.labelling.store import StudyStore
store = StudyStore(Path(sys.argv[1]))
ann = store.raters()[0]
while asked := store.progress(ann).asked:
    store.answer(ann, asked[0].showing, "right", "right", None)
    print(asked[0].showing, flush=True)
"""


def test_what_was_said_to_be_kept_is_there_after_kill_9(tmp_path):
    """Each line that the writer got out was committed before; one more may be, whose line was not written any more."""
    store = begun(tmp_path, [f"c{at:03}" for at in range(300)])
    store.invite("ann")
    store.close()
    root = Path(__file__).resolve().parents[3]
    env = os.environ | {"PYTHONPATH": str(root)}
    command = [sys.executable, "-c", WRITER, str(tmp_path / "labels.db")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=env, text=True) as writer:
        told = [writer.stdout.readline() for _ in range(40)]
        writer.send_signal(signal.SIGKILL)
        told += writer.stdout.readlines()
    kept = [row.request_id for row in StudyStore(tmp_path / "labels.db").rows()]
    assert len(told) <= len(kept) <= len(told) + 1
    assert len(set(kept)) == len(kept)


def test_a_study_that_was_killed_while_it_began_is_none(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "link", full)
    with pytest.raises(OSError, match="No space"):
        begun(tmp_path)
    assert list(tmp_path.iterdir()) == []
    monkeypatch.undo()
    assert json.dumps(begun(tmp_path).plan) == '{"twice": 0.0, "seed": 0}'
