"""`grader tasks`, `grader doctor` and the settings of `grader serve`."""

import os
import socket
import subprocess
import sys

import pytest

from grader.cli import doctor
from grader.serving import catalogue
from tests.cli.run import run, run_json
from tests.fakes import serving


def test_serve_refuses_bad_settings_in_one_line():
    done = run("serve", "--host", "0.0.0.0")
    assert done.exit_code == 2
    assert done.stderr.startswith("grader: host 0.0.0.0 can be reached from other machines")
    done = run("serve", "--port", "70000")
    assert "port (GRADER_PORT)" in done.stderr


def test_serve_lists_its_settings():
    done = run("serve", "--settings")
    assert "GRADER_MAX_MESSAGE_BYTES [33554432]" in done.output


def test_tasks_lists_what_can_be_graded():
    done = run("tasks")
    assert done.exit_code == 0
    assert sum("can't be measured here" in line for line in done.output.splitlines()) <= 1
    assert {"maze:", "queens:"} <= {line.split(" ")[0] for line in done.output.splitlines()}


def test_doctor_says_what_works():
    """With the real engine: its own sample has to be a puzzle that is taken."""
    done = run("doctor")
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert any(line.endswith("grading over gRPC: a blank board was judged FAIL") for line in lines)
    assert all(line.startswith("ok ") for line in lines)
    for name in ("Python", "grpcio", "codec avif", "codec webp", "loopback port", "grading over gRPC"):
        assert any(f" {name}: " in line for line in lines), name


def test_doctor_says_what_is_missing_and_how_to_get_it(monkeypatch):
    def no_port(*_, **__):
        raise OSError("not allowed")

    monkeypatch.setattr(socket, "create_server", no_port)
    monkeypatch.setattr(doctor, "_MIN_PYTHON", (9, 0))
    monkeypatch.setattr(
        doctor.importlib.metadata, "requires", lambda _: ["numpy>=99", "no-such-package>=1", "x>=1; extra"]
    )
    monkeypatch.setattr(doctor, "_grade_once", lambda: "FAIL")
    done = run("doctor")
    assert done.exit_code == 1
    text = done.stdout
    for needed in (
        "MISSING Python: ",
        "install Python 9.0 or newer",
        "(needs 99)",
        "pip install 'no-such-package>=1'",
        "MISSING loopback port: not allowed",
    ):
        assert needed in text
    assert done.stderr == "grader: 4 of the things that grading needs are missing\n"


def test_tasks_of_a_server_are_its_own_and_the_answer_is_that_of_the_contract():
    with serving.running(workers=1) as server:
        assert run("tasks", "--server", server.address).stdout.startswith("maze: ")
        code, said = run_json("tasks", "--server", server.address)
    assert code == 0
    assert [task["name"] for task in said["tasks"]] == ["maze"]
    assert said["graderVersion"] == "fake"


def test_one_task_can_be_asked_for():
    code, said = run_json("tasks", "maze", "compare")
    assert (code, [task["name"] for task in said["tasks"]]) == (0, ["maze", "compare"])
    done = run("tasks", "mazes")
    assert done.exit_code == 2
    assert done.stderr.startswith("grader: there is no task 'mazes'; there are maze, queens, ")


@pytest.fixture
def quick_doctor(monkeypatch):
    monkeypatch.setattr(doctor, "_grade_once", lambda: "FAIL")


def test_doctor_says_in_one_line_that_lpips_is_missing(monkeypatch, quick_doctor):
    missing = dict.fromkeys(("lpips_alex", "lpips_vgg", "lpips_squeeze"), "LPIPS needs torch; install it")
    monkeypatch.setattr(catalogue, "measures_missing", lambda: missing)
    lines = [line for line in run("doctor").stdout.splitlines() if "LPIPS" in line]
    assert lines == [
        "ok      LPIPS: lpips_alex, lpips_vgg and lpips_squeeze can't be measured here: LPIPS needs torch; install it; "
        "only requests for it need it"
    ]


def test_doctor_answers_machines(quick_doctor):
    code, said = run_json("doctor")
    assert (code, said["ok"]) == (0, True)
    assert set(said["checks"][0]) == {"name", "ok", "found", "advice"}


def test_doctor_asks_a_server(quick_doctor, monkeypatch):
    with serving.running(workers=1) as server:
        done = run("doctor", "--server", server.address)
    assert done.stdout.splitlines()[0] == f"ok      server {server.address}: grader fake, 1 task, SERVING"
    monkeypatch.setattr(doctor, "_READY_S", 0.2)
    done = run("doctor", "--server", "localhost:1", "--quiet")
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == (
        "grader: server localhost:1: no server answers at localhost:1; is `grader serve` running?; start it, or give "
        "the address that it printed when it was started\n"
    )


def test_doctor_looks_at_the_environment(quick_doctor):
    done = run("doctor", env={"GRADER_WORKRES": "3"})
    assert done.exit_code == 1
    assert "MISSING settings: GRADER_WORKRES is set, and there is no such setting; did you mean" in done.stdout
    done = run("doctor", env={"GRADER_SERVICE_HOST": "x"})
    assert done.exit_code == 0
    assert "ok      settings: as a server would read them" in done.stdout


def test_weights_answer_machines(tmp_path):
    env = {"GRADER_CACHE": str(tmp_path), "TORCH_HOME": str(tmp_path), "GRADER_LPIPS_WEIGHTS": None}
    code, said = run_json("weights", "--check", "--net", "all", env=env)
    assert (code, set(said)) == (1, {"weights", "packages_missing"})
    assert [one["net"] for one in said["weights"]] == ["alex", "vgg", "squeeze"]
    assert set(said["weights"][0]) == {"net", "path", "size_bytes", "tried", "error"}
    assert "there are no weights" in said["weights"][0]["error"]


def test_a_reader_that_has_gone_is_no_fault():
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "grader", "serve", "--settings"]
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, "")
