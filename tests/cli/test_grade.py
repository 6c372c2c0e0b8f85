"""`grader grade`: what it prints, where, and with which exit code."""

import errno
import json
import os
import sys

import pytest

from tests.cli.run import run, run_json
from tests.fakes import serving
from tests.runs.test_batch import write_manifest


@pytest.fixture(scope="module")
def server():
    with serving.running(workers=1) as made:
        yield made


def test_grade_through_a_server_prints_the_counts(tmp_path, server):
    manifest = write_manifest(tmp_path, {"a": b"PASS", "b": b"FAIL", "c": b""})
    done = run("grade", manifest, "--run", tmp_path / "run", "--server", server.address, "--overlays")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "pass rate (1/3)" in done.stdout
    assert "0.3333" in done.stdout
    assert done.stdout.strip().endswith("results.jsonl")
    assert len(list((tmp_path / "run" / "overlays").iterdir())) == 3


def test_exit_codes_tell_whose_fault_it_is(tmp_path, server):
    address = ("--server", server.address)
    wrong = write_manifest(tmp_path, {"a": b"PASS", "b": b"BAD"}, "wrong.jsonl")
    done = run("grade", wrong, "--run", tmp_path / "wrong", *address)
    assert done.exit_code == 2
    results = tmp_path / "wrong" / "results.jsonl"
    first, second = done.stderr.splitlines()
    assert first == f"grader: 1 request is wrong; its status in {results} says why"
    assert second.startswith("grader:   b: ")
    many = write_manifest(tmp_path, {f"b{number}": b"BAD" for number in range(7)}, "many.jsonl")
    done = run("grade", many, "--run", tmp_path / "many", *address)
    lines = done.stderr.splitlines()
    assert lines[0].startswith("grader: 7 requests are wrong; their status in ")
    assert len({line.split(":")[1] for line in lines[1:6]}) == 5
    assert lines[6:] == ["grader:   and 2 more"]
    bug = write_manifest(tmp_path, {"a": b"PASS", "b": b"BUG"}, "bug.jsonl")
    done = run("grade", bug, "--run", tmp_path / "bug", *address)
    assert done.exit_code == 1
    first, second = done.stderr.splitlines()
    assert first == "grader: the grader failed on 1 item; run the same command again to retry it"
    assert second.startswith("grader:   b: ")
    lacking = write_manifest(tmp_path, {"a": b"PASS", **{f"l{at}": b"LACKS" for at in range(7)}}, "lacking.jsonl")
    done = run("grade", lacking, "--run", tmp_path / "lacking", *address)
    assert done.exit_code == 1
    assert done.stderr.splitlines() == [
        "grader: 7 items need what is not installed where grading was done, so there is no verdict; install it, then "
        "run the same command again",
        "grader:   7 items: LPIPS can't be measured by this grader: get it with `pip install it`",
    ]
    assert ["not installed", "7"] in [
        [cell.strip() for cell in line.split("│")[1:3]] for line in done.stdout.splitlines()
    ]
    other = write_manifest(tmp_path, {"c": b"PASS"}, "other.jsonl")
    done = run("grade", other, "--run", tmp_path / "wrong", *address)
    assert done.exit_code == 2
    assert "grade it into a new folder" in done.stderr
    assert done.stderr.count("\n") == 1
    done = run("grade", tmp_path / "none.jsonl", "--run", tmp_path / "none", *address)
    assert (done.exit_code, done.stderr) == (2, f"grader: {tmp_path / 'none.jsonl'}: No such file or directory\n")
    done = run("grade", bug, "--run", tmp_path / "tls", *address, "--tls-cert", bug)
    assert (done.exit_code, done.stderr) == (2, "grader: --tls-cert and --tls-key need each other\n")


def test_results_are_whole_responses(tmp_path, server):
    manifest = write_manifest(tmp_path, {"a": b"PASS"})
    assert run("grade", manifest, "--run", tmp_path / "run", "--server", server.address).exit_code == 0
    line = json.loads((tmp_path / "run" / "results.jsonl").read_text())
    assert line["requestId"] == "a"
    assert line["verdict"]["provenance"]["profile"] == "default"


KEYS = {
    "run", "results", "requests", "selected", "without_result", "total", "passed", "failed", "ungradable", "measured",
    "wrong_requests", "not_installed", "grader_failures", "candidates", "pass_rate", "first_faults",
}  # fmt: skip


def test_json_is_one_object_and_nothing_else(tmp_path, server):
    manifest = write_manifest(tmp_path, {"a": b"PASS", "b": b"FAIL", "c": b"BAD"})
    command = ("grade", manifest, "--run", tmp_path / "run", "--server", server.address)
    done = run(*command, "--json", "--quiet")
    assert done.exit_code == 2
    assert done.stdout.count("\n") == 1
    said = json.loads(done.stdout)
    assert set(said) == KEYS
    assert (said["total"], said["passed"], said["wrong_requests"], said["pass_rate"]) == (3, 1, 1, 0.5)
    assert (said["run"], said["results"]) == (str(tmp_path / "run"), str(tmp_path / "run" / "results.jsonl"))
    assert said["first_faults"] == [
        {"request_id": "c", "end": "CALLER_ERROR", "message": "maze.truth.path_cell_ids: it is empty"}
    ]
    assert done.stderr.startswith("grader: 1 request is wrong")  # an error, so it is told all the same


def test_json_of_a_fault_is_an_object_too(tmp_path):
    code, said = run_json("grade", tmp_path / "none.jsonl", "--run", tmp_path / "run", "--server", "localhost:1")
    assert code == said["exit_code"]
    assert set(said) == {"error", "exit_code"}


def test_quiet_prints_nothing_where_all_is_well(tmp_path, server):
    manifest = write_manifest(tmp_path, {"a": b"PASS"})
    done = run("grade", manifest, "--run", tmp_path / "run", "--server", server.address, "--quiet")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "")


def test_only_and_limit_say_what_is_left_and_go_on_later(tmp_path, server):
    manifest = write_manifest(tmp_path, {"a1": b"PASS", "a2": b"PASS", "b": b"FAIL"})
    command = ("grade", manifest, "--run", tmp_path / "run", "--server", server.address)
    done = run(*command, "--only", "a*", "--limit", "1")
    assert done.exit_code == 0
    assert "pass rate (1/1)" in done.stdout
    assert (
        "selected 1 of 3 requests; 2 have no result yet: the same command without --only and --limit grades them"
        in done.stdout
    )
    assert run_json(*command, "--only", "b")[1]["passed"] == 0
    done = run(*command)
    assert "pass rate (2/3)" in done.stdout
    assert "selected" not in done.stdout
    done = run(*command, "--only", "model=x*")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == "grader: nothing in the manifest fits model=x*; model is ''\n"


def test_a_report_of_a_part_counts_nothing_as_missing(tmp_path, server):
    manifest = write_manifest(tmp_path, {"a1": b"PASS", "a2": b"PASS", "b": b"FAIL"})
    folder = tmp_path / "run"
    assert run("grade", manifest, "--run", folder, "--server", server.address, "--only", "a*").exit_code == 0
    code, said = run_json("report", folder, "--bootstrap", "0")
    assert code == 0
    assert said["page"] == str(folder / "report" / "index.html")
    text = json.dumps(said["notes"])
    assert "1 items of its manifest were not selected" in text
    assert "no result yet" not in text
    done = run("report", folder, "--bootstrap", "0", "--quiet")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "")


def test_hints_can_be_pasted(tmp_path, server):
    manifest = write_manifest(tmp_path, {"a": b"PASS"})
    folder = tmp_path / "my run"
    done = run("grade", manifest, "--run", folder, "--server", server.address)
    assert f"grader report '{folder}'\n" in done.stdout
    done = run("report", folder, "--bootstrap", "0")
    assert (done.stdout.splitlines()[-1], done.stderr) == (f"open '{folder / 'report' / 'index.html'}'", "")


@pytest.mark.parametrize("command", [("tasks",), ("grade", "MANIFEST", "--run", "RUN")])
def test_a_server_that_is_not_there_is_told_in_words(tmp_path, command):
    names = {"MANIFEST": write_manifest(tmp_path, {"a": b"PASS"}), "RUN": tmp_path / "run"}
    done = run(*(names.get(word, word) for word in command), "--server", "localhost:1")
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == "grader: no server answers at localhost:1; is `grader serve` running?\n"
    done = run(*(names.get(word, word) for word in command), "--server", "localhost")
    assert (done.exit_code, done.stderr) == (
        2, "grader: --server 'localhost' is no HOST:PORT, such as localhost:50051\n",
    )  # fmt: skip


def test_a_full_disk_names_the_file(tmp_path, server, monkeypatch):
    manifest, folder = write_manifest(tmp_path, {"a": b"PASS"}), tmp_path / "run"

    def no_room(_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", no_room)
    done = run("grade", manifest, "--run", folder, "--server", server.address)
    assert (done.exit_code, done.stderr) == (
        1, f"grader: {folder / 'run.json'}: No space left on device; make room, then run the same command again\n",
    )  # fmt: skip
    monkeypatch.undo()
    run("grade", manifest, "--run", folder, "--server", server.address, "--limit", "1")
    (folder / "results.jsonl").write_text("")
    monkeypatch.setattr(os, "fsync", no_room)
    done = run("grade", manifest, "--run", folder, "--server", server.address, "--limit", "1")
    assert (done.exit_code, done.stderr) == (
        1, f"grader: {folder / 'results.jsonl'}: No space left on device; make room, then run the same command again\n",
    )  # fmt: skip


def test_a_variable_that_is_no_setting_is_refused(tmp_path):
    manifest = write_manifest(tmp_path, {"a": b"PASS"})
    done = run("grade", manifest, "--run", tmp_path / "run", env={"GRADER_WORKRES": "3"})
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == (
        "grader: GRADER_WORKRES is set, and there is no such setting; did you mean GRADER_WORKERS?\n"
    )


def test_options_for_ray_are_for_ray(tmp_path, monkeypatch):
    manifest = write_manifest(tmp_path, {"a": b"PASS"})
    here = ("grade", manifest, "--run", tmp_path / "run")
    for more, said in (
        (("--ray-address", "auto"), "grader: --ray-address is for --engine ray\n"),
        (("--engine", "ray", "--server", "127.0.0.1:1"), "grader: --engine ray is for grading without --server\n"),
    ):
        done = run(*here, *more)
        assert (done.exit_code, done.stderr) == (2, said)
    monkeypatch.setitem(sys.modules, "ray", None)
    done = run(*here, "--engine", "ray")
    assert done.exit_code == 2
    assert "pip install '.[ray]'" in done.stderr
    assert not (tmp_path / "run").exists()
