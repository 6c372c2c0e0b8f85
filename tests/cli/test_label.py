"""`grader label`: a study of a run, its addresses, and labels in and out."""

import csv
import json
import signal
import socket
import subprocess
import sys

import pytest

from calibration.labelling.study import STUDY_NAME, StudyWish, open_study
from calibration.labels import CalibrationError
from tests.calibration.labelling.study import own_protocol, pictured_run, say_all
from tests.cli.run import run, run_json

KEYS = ("study", "labels", "imported", "exported", "raters", "address", "done", "total", "decides", "taken", "known",
        "strange")  # fmt: skip
"""Of --json."""


@pytest.fixture
def graded(tmp_path):
    return pictured_run(tmp_path)


def labelled(graded, *, ben="wrong", **wish):
    """A study in which ann says right of all, and ben something else of the first candidate."""
    study = open_study(graded, StudyWish(sample=["random=all"], **wish))
    say_all(study.store, study.store.invite("ann"), lambda _: "right")
    say_all(study.store, study.store.invite("ben"), lambda name: ben if name == "right_one/0" else "right")
    return study


def test_what_is_exported_is_what_a_calibration_reads(graded, tmp_path):
    labelled(graded).store.close()
    code, said = run_json("label", graded, "--export", tmp_path / "l.csv", "--export", tmp_path / "l.parquet")
    # 6 candidates and 1 of them again, of 2 people.
    assert (code, said["labels"], said["exported"]) == (0, 14, [str(tmp_path / "l.csv"), str(tmp_path / "l.parquet")])
    rows = list(csv.DictReader((tmp_path / "l.csv").read_text().splitlines()))
    assert {row["label"] for row in rows if row["request_id"] != "right_one/0"} == {"right"}
    for name in ("l.csv", "l.parquet"):
        code, said = run_json("calibrate", graded, "--labels", tmp_path / name, "--bootstrap", "0", "--few", "0")
        assert (code, said["labels"]["raters"], said["labels"]["candidates"]) == (0, ["ann", "ben"], 6)


def test_who_decides_settles_what_people_differ_in(graded, tmp_path):
    study = labelled(graded)
    say_all(study.store, study.store.invite("carol", decides=True), lambda _: "wrong")
    study.store.close()
    run("label", graded, "--export", tmp_path / "l.csv")
    _, said = run_json("calibrate", graded, "--labels", tmp_path / "l.csv", "--bootstrap", "0")
    assert (said["labels"]["raters"], said["labels"]["told"]) == (["ann", "ben"], 6)
    without = [line for line in (tmp_path / "l.csv").read_text().splitlines() if ",carol," not in line]
    (tmp_path / "w.csv").write_text("\n".join(without) + "\n")
    _, said = run_json("calibrate", graded, "--labels", tmp_path / "w.csv", "--bootstrap", "0")
    assert said["labels"]["told"] == 5


def test_labels_are_taken_in_once_and_what_is_strange_is_counted(graded, tmp_path):
    labels = tmp_path / "theirs.csv"
    labels.write_text("request_id,rater,label\nright_one/1,dora,Right\nright_one/2,,wrong\nelsewhere,dora,wrong\n")
    done = run("label", graded, "--import", labels, "--export", tmp_path / "all.csv")
    assert "2 labels taken in, 0 known, 1 of what is not in the run" in done.stdout
    code, said = run_json("label", graded, "--import", labels)
    assert (code, said["imported"]) == (0, [{"file": str(labels), "taken": 0, "known": 2, "strange": 1}])
    rows = [
        (row["rater"], row["question"], row["label"])
        for row in csv.DictReader((tmp_path / "all.csv").read_text().splitlines())
    ]
    assert rows == [("dora", "right", "right"), ("(not named)", "right", "wrong")]
    labels.write_text("request_id,rater,label\nright_one/1,dora,fine\n")
    done = run("label", graded, "--import", labels)
    assert (done.exit_code, "theirs.csv:2: label is 'fine'; the study has right, wrong, cant_tell" in done.stderr) == (
        2,
        True,
    )
    labels.write_text("request_id,rater,question,label\nright_one/1,dora,ic,right\n")
    assert "the study has no question 'ic'" in run("label", graded, "--import", labels).stderr


def test_a_study_goes_on_as_it_was_begun(graded, tmp_path):
    first = open_study(graded, StudyWish(sample=["stratum=4"], seed=3))
    assert (first.began, len(first.store.items())) == (True, 4)
    items = first.store.items()
    first.store.close()
    for wish in (StudyWish(), StudyWish(sample=["stratum=4"]), StudyWish(protocol="right_or_wrong", seed=3)):
        again = open_study(graded, wish)
        assert (again.began, again.store.items()) == (False, items)
        again.store.close()
    with pytest.raises(CalibrationError, match=r"was begun with --sample \['stratum=4'\], --seed 3; name another file"):
        open_study(graded, StudyWish(sample=["random=4"], seed=4))
    with pytest.raises(CalibrationError, match="was begun with --protocol right_or_wrong"):
        open_study(graded, StudyWish(protocol="three_levels"))
    (tmp_path / "own.json").write_text(own_protocol())
    own = open_study(graded, StudyWish(protocol=str(tmp_path / "own.json")), tmp_path / "own.db")
    assert (own.store.protocol.name, len(own.store.items())) == ("own", 6)


def test_a_study_of_another_run_is_refused(graded, tmp_path):
    open_study(graded, StudyWish()).store.close()
    small = pictured_run(tmp_path / "small", n=2)
    done = run("label", small, "--study", graded / STUDY_NAME)
    assert done.exit_code == 2
    assert "which is not in this run (4 of 6 are not)" in done.stderr


def test_a_port_that_is_taken_is_named(graded):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        done = run("label", graded, "--rater", "ann", "--port", port)
    assert (done.exit_code, f"127.0.0.1:{port}" in done.stderr) == (1, True)


def test_packages_that_are_missing_are_named(graded, monkeypatch):
    for name in [*sys.modules]:
        if name.split(".")[0] == "uvicorn" or name == "calibration.labelling.serving":
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    done = run("label", graded, "--rater", "ann")
    assert done.exit_code == 1
    assert "the page needs uvicorn, which is not installed; install the extra label" in done.stderr


@pytest.fixture
def interruptible():
    """What is started here can be interrupted, also where the tests themselves run where a shell put them aside."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_addresses_are_told_and_ctrl_c_ends(graded):
    command = [sys.executable, "-m", "grader", "label", str(graded), "--rater", "ann", "--adjudicate", "carol",
               "--port", "0", "--json"]  # fmt: skip
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as serving:
        said = json.loads(serving.stdout.readline())
        # What is printed on stderr comes once the port is there.
        assert "serving until Ctrl-C" in serving.stderr.readline()
        serving.send_signal(signal.SIGINT)
        assert serving.wait(30) == 0
    assert [(one["name"], one["done"], one["total"], one["decides"]) for one in said["raters"]] == [
        ("ann", 0, 7, False), ("carol", 0, 0, True),
    ]  # fmt: skip
    assert all(one["address"].startswith("http://127.0.0.1:") for one in said["raters"])
    assert said["study"] == str(graded / STUDY_NAME)
