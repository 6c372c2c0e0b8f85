"""`grader import`: what it prints, where, and with which exit code."""

import json
from pathlib import Path

from grader.cli.importing.telling import free_run
from tests.cli.run import run, run_json
from tests.importers.test_amaze import CELLS, MAZE, PICTURE
from tests.samples.mentis import answers, data_set, write


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
        f"grade them: grader grade '{manifest}' --run 'runs/{tmp_path.name}-my runs'",
    ]
    assert done.stderr == ("grader: 1 picture belongs to no instance: x/b.png; see --help for how they are named\n")
    for number in range(6):
        write(tmp_path / f"outputs/y/{number}.png", PICTURE)
    done = run("import", "amaze", tmp_path, "--manifest", manifest)
    assert "7 pictures belong to no instance: x/b.png, y/0.png, y/1.png, y/2.png, y/3.png and 2 more;" in done.stderr


def test_the_run_that_is_proposed_is_free_and_named_by_the_data_set(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    places = [
        tmp_path / "a" / "manifest.jsonl",
        tmp_path / "b" / "manifest.jsonl",
        Path("b/words.jsonl"),
        Path("w.jsonl"),
    ]
    names = ["a-graded", "b-graded", "b-words", "w"]
    assert [free_run(place) for place in places] == [Path("runs", name) for name in names]
    for name in ("w", "w-2"):
        Path("runs", name).mkdir(parents=True)
    assert free_run(Path("w.jsonl")) == Path("runs/w-3")


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
    write(tmp_path / "data/mirror-text/level_01/puzzle_0001/metadata.json", {})
    answers(tmp_path / "a.json", (1, "R forward"), (9, "R forward"))
    manifest = tmp_path / "run.jsonl"
    command = ("import", "mentisoculi", tmp_path / "data", "--answers", tmp_path / "a.json", "--manifest", manifest)
    done = run(*command)
    assert (done.exit_code, done.stdout.splitlines()[0]) == (0, f"{manifest}: 2 requests")
    assert done.stderr.splitlines() == [
        "grader: 1 puzzle of tasks that can't be graded yet: mirror-text (1)",
        "grader: 1 of 3 instances has no output, so no request",
        "grader: 1 answer is missing and counts as wrong (--missing leave-out leaves such out): "
        "m simple rushhour/level_01/puzzle_0002",
        "grader: 1 answer is to a puzzle that is not there: m simple rushhour/level_01/puzzle_0009",
    ]
    done = run(*command, "--missing", "leave-out")
    assert (done.exit_code, done.stdout.splitlines()[0]) == (0, f"{manifest}: 1 request")
    assert "1 answer is missing and in no denominator (--missing wrong counts such as wrong): m simple" in done.stderr
    done = run(*command[:3], "--manifest", manifest)
    assert (done.exit_code, done.stderr) == (
        2, "grader: say what models made: give --answers, --clips, --steps or --pictures, or several of them\n",
    )  # fmt: skip


def test_an_import_answers_machines_and_can_be_quiet(tmp_path):
    data_set(tmp_path / "data", lots=(1, 2))
    answers(tmp_path / "a.json", (1, "R forward"), (9, "R forward"))
    manifest = tmp_path / "run.jsonl"
    command = ("import", "mentisoculi", tmp_path / "data", "--answers", tmp_path / "a.json", "--manifest", manifest)
    code, said = run_json(*command)
    assert (code, said["manifest"], said["unmatched_answers"]) == (
        0, str(manifest), ["m simple rushhour/level_01/puzzle_0009"],
    )  # fmt: skip
    done = run(*command, "--quiet")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "")
