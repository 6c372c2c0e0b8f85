"""The command line: what it prints, where, and with which exit code."""

import json
import socket
import subprocess
import sys

import pytest
from typer.testing import CliRunner

import grader
from grader.cli import doctor
from grader.cli import main as cli
from grader.serving import catalogue, work
from tests.fakes import serving
from tests.fakes.engine import CATALOGUE, SPEC
from tests.importers.test_amaze import CELLS, MAZE, PICTURE
from tests.runs.test_batch import write_manifest
from tests.samples.mentis import answers, data_set, write


def run(*arguments):
    return CliRunner().invoke(cli.app, [str(argument) for argument in arguments], env={"COLUMNS": "120"})


@pytest.fixture(scope="module")
def server():
    with serving.running(workers=1) as made:
        yield made


def test_help_teaches_and_loads_nothing_heavy():
    code = (
        "import sys; from grader.cli import main as cli\n"
        "try: cli.app(['grade', '--help'])\n"
        "except SystemExit: pass\n"
        "heavy = {'numpy', 'cv2', 'grpc', 'google.protobuf', 'PIL', 'tqdm'} & set(sys.modules)\n"
        "sys.exit(f'loaded {heavy}' if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "grader grade manifest.jsonl --run" in " ".join(done.stdout.split())


@pytest.mark.parametrize(
    "command", ["serve", "grade", "report", "tasks", "doctor", "import", "import amaze", "import mentisoculi"]
)
def test_every_command_has_help(command):
    done = run(*command.split(), "--help")
    assert done.exit_code == 0
    assert "Usage" in done.output


def test_version():
    assert run("--version").output.strip() == grader.__version__


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


def test_serve_refuses_bad_settings_in_one_line():
    done = run("serve", "--host", "0.0.0.0")
    assert done.exit_code == 2
    assert done.stderr.startswith("grader: host 0.0.0.0 can be reached from other machines")
    done = run("serve", "--port", "70000")
    assert "port (GRADER_PORT)" in done.stderr


def test_serve_lists_its_settings():
    done = run("serve", "--settings")
    assert "GRADER_MAX_MESSAGE_BYTES [33554432]" in done.output


def test_import_amaze_reports_faults(tmp_path):
    done = run("import", "amaze", tmp_path / "none", "--manifest", tmp_path / "m.jsonl")
    assert done.exit_code == 2
    assert done.stderr.startswith("grader: ")
    assert done.stderr.count("\n") == 1


def test_import_amaze_names_pictures_that_belong_nowhere(tmp_path):
    write(tmp_path / "instances/m/metadata.json", json.dumps(MAZE))
    for name in ("input", "solution", "mask"):
        write(tmp_path / f"instances/m/{name}.png", PICTURE)
    write(tmp_path / "instances/m/cell_map.png", CELLS)
    write(tmp_path / "outputs/m/a.png", PICTURE)
    write(tmp_path / "outputs/x/b.png", PICTURE)
    manifest = tmp_path / "my runs.jsonl"
    done = run("import", "amaze", tmp_path, "--manifest", manifest)
    assert done.exit_code == 0
    assert done.stdout.splitlines() == [
        f"{manifest}: 1 request",
        f"grade them: grader grade '{manifest}' --run 'runs/my runs'",
    ]
    assert done.stderr == ("grader: 1 picture belongs to no instance: x/b.png; see --help for how they are named\n")
    for number in range(6):
        write(tmp_path / f"outputs/y/{number}.png", PICTURE)
    done = run("import", "amaze", tmp_path, "--manifest", manifest)
    assert "7 pictures belong to no instance: x/b.png, y/0.png, y/1.png, y/2.png, y/3.png and 2 more;" in done.stderr


def test_help_of_imports_teaches_with_examples():
    said = " ".join(run("import", "mentisoculi", "--help").output.split())
    for needed in (
        "grader import mentisoculi mentis-oculi/datasets --answers",
        "rushhour/level_03/puzzle_0005/attempt_2.mp4",
        "grader grade words.jsonl --run runs/words",
    ):
        assert needed in said


def test_import_mentisoculi_says_what_was_left_out(tmp_path):
    data_set(tmp_path / "data", lots=(1, 2))
    write(tmp_path / "data/paper-fold/level_01/puzzle_0001/metadata.json", {})
    answers(tmp_path / "a.json", (1, "R forward"), (9, "R forward"))
    manifest = tmp_path / "run.jsonl"
    command = ("import", "mentisoculi", tmp_path / "data", "--answers", tmp_path / "a.json", "--manifest", manifest)
    done = run(*command)
    assert (done.exit_code, done.stdout.splitlines()[0]) == (0, f"{manifest}: 1 request")
    assert done.stderr.splitlines() == [
        "grader: 1 puzzle of tasks that can't be graded yet: paper-fold (1)",
        "grader: 2 of 3 instances have no output, so no request",
        "grader: 1 answer that a model left out is in no denominator; --fill-missing counts such as wrong: "
        "m simple rushhour/level_01/puzzle_0002",
        "grader: 1 answer is to a puzzle that is not there: m simple rushhour/level_01/puzzle_0009",
    ]
    done = run(*command, "--fill-missing")
    assert (done.exit_code, done.stdout.splitlines()[0]) == (0, f"{manifest}: 2 requests")
    assert "1 answer that a model left out is in the manifest as an empty text: m simple" in done.stderr
    done = run(*command[:3], "--manifest", manifest)
    assert (done.exit_code, done.stderr) == (
        2, "grader: say what models made: give --answers, --clips or --steps, or several of them\n",
    )  # fmt: skip


def test_tasks_lists_what_can_be_graded():
    done = run("tasks")
    assert done.exit_code == 0
    assert {"maze:", "queens:"} <= {line.split(" ")[0] for line in done.output.splitlines()}


def test_doctor_says_what_works(monkeypatch):
    monkeypatch.setattr(work, "default_spec", lambda *_, **__: SPEC)
    monkeypatch.setattr(catalogue, "make_catalogue", lambda _: CATALOGUE)
    done = run("doctor")
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
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


def test_results_are_whole_responses(tmp_path, server):
    manifest = write_manifest(tmp_path, {"a": b"PASS"})
    assert run("grade", manifest, "--run", tmp_path / "run", "--server", server.address).exit_code == 0
    line = json.loads((tmp_path / "run" / "results.jsonl").read_text())
    assert line["requestId"] == "a"
    assert line["verdict"]["provenance"]["profile"] == "default"
