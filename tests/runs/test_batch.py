"""Runs: one line for each item whatever happens, through a server and in this process."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from grader.client import GraderClient, RetryPolicy
from grader.model.errors import GraderError
from grader.runs import batch
from grader.runs.batch import LocalBackend, RemoteBackend, RunIncompleteError, grade_manifest, run_batch
from grader.runs.folder import RunError, RunFolder, RunIdentity, overlay_name
from grader.runs.manifest import ManifestError, TooLargeError, load_manifest
from grader.serving.settings import ServerSettings
from grader.v1 import service_pb2
from tests.fakes import serving
from tests.fakes.engine import CATALOGUE, PNG_1X1, SPEC


@pytest.fixture(scope="module")
def local():
    with contextlib.closing(LocalBackend(ServerSettings(workers=2, max_message_bytes=50_000), SPEC, CATALOGUE)) as made:
        yield made


@pytest.fixture(scope="module")
def remote():
    with serving.running() as server, GraderClient(server.address) as client:
        yield RemoteBackend(client)


@pytest.fixture(params=["local", "remote"])
def backend(request):
    return request.getfixturevalue(request.param)


def write_manifest(folder, candidates, name="manifest.jsonl"):
    """A manifest of these candidates by id, each in a file of its own below ``pictures``."""
    (folder / "pictures").mkdir(exist_ok=True)
    (folder / "pictures" / "puzzle.png").write_bytes(b"puzzle")
    lines = []
    for number, (request_id, candidate) in enumerate(candidates.items()):
        (folder / "pictures" / f"{number}.png").write_bytes(candidate)
        lines.append(
            {
                "requestId": request_id,
                "maze": {"puzzle": {"image": {"uri": "pictures/puzzle.png"}}},
                "image": {"uri": f"pictures/{number}.png"},
            }
        )
    path = folder / name
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def read_results(run):
    """The lines of a run by request_id; every id is there once."""
    lines = [json.loads(line) for line in (run / "results.jsonl").read_text().splitlines()]
    found = {line["requestId"]: line for line in lines}
    assert len(found) == len(lines)
    return found


MIXED = {"pass": b"PASS", "fail": b"FAIL", "none": b"", "bad": b"BAD", "bug": b"BUG"}


def test_every_item_gets_one_line(tmp_path, backend):
    manifest = write_manifest(tmp_path, MIXED)
    report = grade_manifest(manifest, tmp_path / "run", backend, progress=False)
    lines = read_results(tmp_path / "run")
    assert set(lines) == set(MIXED)
    assert lines["pass"]["verdict"]["outcome"] == "OUTCOME_PASS"
    assert lines["fail"]["verdict"]["score"] == 0.0
    assert lines["none"]["verdict"]["outcome"] == "OUTCOME_UNGRADABLE"
    assert lines["bad"]["status"]["fieldViolations"][0]["field"] == "maze.truth.path_cell_ids"
    assert "verdict" not in lines["bad"]
    assert lines["bug"]["status"]["reason"] == "INTERNAL"
    summary = report.summary
    assert (summary.total, summary.passed, summary.failed, summary.ungradable) == (5, 1, 1, 1)
    assert (summary.caller_errors, summary.grader_failures, summary.candidates) == (1, 1, 3)
    run = json.loads((tmp_path / "run" / "run.json").read_text())
    assert run["finished"] >= run["started"]
    assert run["manifest"] == "../manifest.jsonl"
    assert run["grader_version"] == "fake"


def test_server_and_this_process_give_the_same_lines(tmp_path, local, remote):
    manifest = write_manifest(tmp_path, {f"item {i}": (b"PASS", b"FAIL", b"")[i % 3] for i in range(40)})
    grade_manifest(manifest, tmp_path / "a", local, progress=False)
    grade_manifest(manifest, tmp_path / "b", remote, progress=False)
    assert read_results(tmp_path / "a") == read_results(tmp_path / "b")


def test_overlays_and_profile(tmp_path, local):
    ids = {"a/b": b"PASS", "a_b": b"PASS", "../../up": b"PASS"}
    manifest = write_manifest(tmp_path, ids)
    grade_manifest(manifest, tmp_path / "run", local, profile="default", overlays=True, progress=False)
    overlays = tmp_path / "run" / "overlays"
    assert {path.name for path in overlays.iterdir()} == {overlay_name(request_id) for request_id in ids}
    assert (overlays / overlay_name("../../up")).read_bytes() == PNG_1X1
    assert all("overlay" not in line["verdict"] for line in read_results(tmp_path / "run").values())
    with pytest.raises(GraderError, match="there is no profile 'strict'; there are: default"):
        grade_manifest(manifest, tmp_path / "other", local, profile="strict", progress=False)


def test_a_dead_worker_is_tried_again(tmp_path, backend):
    manifest = write_manifest(tmp_path, {"once": f"ONCE {tmp_path / 'mark'}".encode(), "pass": b"PASS"})
    report = grade_manifest(manifest, tmp_path / "run", backend, progress=False)
    assert report.summary.passed == 2


def test_what_fails_to_the_end_is_counted_apart_and_graded_anew_on_resume(tmp_path, local, monkeypatch):
    monkeypatch.setattr(batch, "_FIRST_DELAY_S", 0.01)
    manifest = write_manifest(tmp_path, {"dies": b"DIE", "pass": b"PASS"})
    summary = grade_manifest(manifest, tmp_path / "run", local, progress=False).summary
    assert (summary.passed, summary.grader_failures, summary.pass_rate) == (1, 1, 1.0)
    assert read_results(tmp_path / "run")["dies"]["status"]["reason"] == "WORKER_DIED"
    (tmp_path / "pictures" / "0.png").write_bytes(b"FAIL")
    summary = grade_manifest(manifest, tmp_path / "run", local, progress=False).summary
    assert (summary.total, summary.passed, summary.failed, summary.grader_failures) == (2, 1, 1, 0)


def test_an_item_over_the_size_limit_is_final_and_the_callers(tmp_path):
    settings = ServerSettings(workers=1)
    small = service_pb2.ListTasksResponse.FromString(CATALOGUE.SerializeToString())
    small.limits.max_message_bytes = 2000
    manifest = write_manifest(tmp_path, {"large": b"PASS " + bytes(3000), "pass": b"PASS"})
    with contextlib.closing(LocalBackend(settings, SPEC, small)) as backend:
        summary = grade_manifest(manifest, tmp_path / "run", backend, progress=False).summary
    assert (summary.passed, summary.caller_errors) == (1, 1)
    status = read_results(tmp_path / "run")["large"]["status"]
    assert status["reason"] == "MESSAGE_TOO_LARGE"
    assert "2000" in status["message"]


def start_run(manifest, run):
    script = serving.FAKES / "run.py"
    environment = {**os.environ, "PYTHONPATH": str(serving.ROOT)}
    return subprocess.Popen([sys.executable, script, manifest, run], env=environment, start_new_session=True)


def test_kill_9_loses_nothing_and_doubles_nothing(tmp_path, local):
    items = {f"item{i}": b"SLEEP 0.02" for i in range(80)}
    manifest, run = write_manifest(tmp_path, items), tmp_path / "run"
    results = run / "results.jsonl"
    process = start_run(manifest, run)
    while not results.exists() or not results.stat().st_size:
        assert process.poll() is None
        time.sleep(0.02)
    with pytest.raises(RunError, match="another run is at work"):
        grade_manifest(manifest, run, local, progress=False)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    before = results.read_bytes()
    assert 0 < before.count(b"\n") < len(items)
    report = grade_manifest(manifest, run, local, progress=False)
    assert report.summary.passed == len(items)
    assert set(read_results(run)) == set(items)
    assert results.read_bytes().startswith(before[: before.rindex(b"\n") + 1])


def test_a_torn_line_is_graded_again(tmp_path, local):
    manifest, run = write_manifest(tmp_path, {f"item{i}": b"PASS" for i in range(5)}), tmp_path / "run"
    grade_manifest(manifest, run, local, progress=False)
    whole = (run / "results.jsonl").read_bytes()
    for cut in (1, 40, len(whole) - 10):
        (run / "results.jsonl").write_bytes(whole[:-cut])
        grade_manifest(manifest, run, local, progress=False)
        assert len(read_results(run)) == 5


def test_a_finished_run_is_only_counted(tmp_path, local):
    manifest, run = write_manifest(tmp_path, {"pass": b"PASS"}), tmp_path / "run"
    grade_manifest(manifest, run, local, progress=False)
    before = (run / "results.jsonl").stat().st_mtime_ns, (run / "run.json").read_bytes()
    assert grade_manifest(manifest, run, local, progress=False).summary.passed == 1
    assert before == ((run / "results.jsonl").stat().st_mtime_ns, (run / "run.json").read_bytes())


@pytest.mark.parametrize(
    ("now", "told"),
    [
        ("default/maze:1 p1/maze:3", "p1, task maze: settings changed since this run was begun"),
        ("default/maze:1", "p1, task maze: gone since this run was begun"),
        ("default/maze:1 p1/maze:2 p2/maze:4", "p2, task maze: new since this run was begun"),
    ],
)
def test_what_changed_of_the_profiles_is_named_and_nothing_else(tmp_path, now, told):
    manifest = load_manifest(write_manifest(tmp_path, {"pass": b"PASS"}))

    def begin(digests):
        with RunFolder(tmp_path / "run", manifest, RunIdentity(manifest.digest, "", digests, "1")):
            pass

    begin("default/maze:1 p1/maze:2")
    with pytest.raises(RunError) as raised:
        begin(now)
    assert str(raised.value) == f"{tmp_path / 'run'}: {told}; bring them back as they were, or grade into a new folder"


def test_another_run_in_the_folder_is_refused_with_advice(tmp_path, local):
    manifest, run = write_manifest(tmp_path, {"pass": b"PASS"}), tmp_path / "run"
    grade_manifest(manifest, run, local, progress=False)
    with pytest.raises(RunError, match="another --profile; give that, or grade into a new folder"):
        grade_manifest(manifest, run, local, profile="default", progress=False)
    other = write_manifest(tmp_path, {"pass": b"PASS", "more": b"PASS"}, "other.jsonl")
    with pytest.raises(RunError, match="the manifest is another or was changed; grade it into a new folder"):
        grade_manifest(other, run, local, progress=False)
    (run / "results.jsonl").write_text('{"requestId": "stranger", "status": {}}\n')
    with pytest.raises(RunError, match=r"results.jsonl:1: the manifest has no such request_id"):
        grade_manifest(manifest, run, local, progress=False)
    for broken in ("junk", "[" * 200_000):
        (run / "results.jsonl").write_text(f"{broken}\n")
        with pytest.raises(RunError, match=r"results.jsonl:1: this line is no result"):
            grade_manifest(manifest, run, local, progress=False)
    whole = (run / "run.json").read_text()
    (run / "run.json").write_text("[" * 200_000)
    with pytest.raises(RunError, match=r"run.json can't be read; give a new folder"):
        grade_manifest(manifest, run, local, progress=False)
    (run / "run.json").write_text(whole)
    (run / "run.json").unlink()
    with pytest.raises(RunError, match=r"without run.json"):
        grade_manifest(manifest, run, local, progress=False)


def test_a_server_that_goes_away_leaves_the_rest_for_later(tmp_path, monkeypatch):
    monkeypatch.setattr(batch, "_FIRST_DELAY_S", 0.01)
    monkeypatch.setattr(batch, "_CONNECTION_TRIES", 2)
    manifest = write_manifest(tmp_path, {f"item{i}": b"SLEEP 0.03" for i in range(30)})
    run = tmp_path / "run"
    with (
        serving.process() as (server, address),
        GraderClient(address, retry=RetryPolicy(attempts=2, first_delay_s=0.01)) as client,
    ):
        backend = RemoteBackend(client)
        answers = backend.grade_many

        def kill_after_3(requests):
            for number, answer in enumerate(answers(requests)):
                yield answer
                if number == 3:
                    server.kill()

        backend.grade_many = kill_after_3
        with pytest.raises(RunIncompleteError, match=r"\d+ of 30 items are left; run the same command again"):
            grade_manifest(manifest, run, backend, progress=False)
    assert 3 <= len(read_results(run)) < 30
    with serving.process() as (_, address):
        assert run_batch(manifest, run, server=address, progress=False).summary.passed == 30


BAD_LINES = {
    "no json": ("{", r"manifest.jsonl:3: no GradeRequest in JSON"),
    "no object": ("[1]", r"manifest.jsonl:3: no GradeRequest in JSON: it is no JSON object$"),
    "unknown field": (
        '{"requestId": "x", "maize": {}}',
        r"manifest.jsonl:3: no GradeRequest in JSON: there is no field 'maize'$",
    ),
    "unknown field below": (
        '{"requestId": "x", "maze": {"maize": 1}}',
        r"manifest.jsonl:3: no GradeRequest in JSON: there is no field 'maize' in maze$",
    ),
    "no id": ("{}", r"manifest.jsonl:3: request_id is missing"),
    "duplicate": ('{"requestId": "a"}', r"manifest.jsonl:3: request_id 'a' is that of line 1 too"),
    "no file": (
        '{"requestId": "x", "image": {"uri": "no.png"}}',
        r"manifest.jsonl:3: image: there is no file 'no.png'",
    ),
    "absolute": ('{"requestId": "x", "image": {"uri": "/etc/hosts"}}', r"manifest.jsonl:3: image: '/etc/hosts' is not"),
    "scheme": ('{"requestId": "x", "image": {"uri": "http://a/b"}}', r"manifest.jsonl:3: image: 'http://a/b' is not"),
    "not utf-8": (b'{"requestId": "\xff"}', r"manifest.jsonl:3: "),
}


def test_media_never_leave_their_folder_unless_another_one_is_allowed(tmp_path):
    own, other = tmp_path / "own", tmp_path / "other"
    for folder in (own, other):
        folder.mkdir()
        (folder / "a:b.png").write_bytes(b"PASS")
    (own / "in.png").symlink_to("a:b.png")
    (own / "out.png").symlink_to(other / "a:b.png")
    (own / "up").symlink_to(tmp_path)
    os.mkfifo(own / "fifo.png")
    manifest = own / "manifest.jsonl"

    def loaded(uri, *roots):
        manifest.write_text(json.dumps({"requestId": "x", "image": {"uri": uri}}) + "\n")
        return load_manifest(manifest, roots).read(0).image.data

    for uri in ("a:b.png", "in.png", "./a:b.png", "../own/in.png"):
        assert loaded(uri) == b"PASS"
    for uri in ("../other/a:b.png", "out.png", "up/other/a:b.png", "../../../../proc/self/environ", "../other/none"):
        with pytest.raises(ManifestError, match=r"leads out of the manifest's folder .* --media-root"):
            loaded(uri)
    for uri in ("../other/a:b.png", "out.png", "up/other/a:b.png"):
        assert loaded(uri, other) == b"PASS"
    for uri in ("fifo.png", "up/own"):
        with pytest.raises(ManifestError, match="name a regular file"):
            loaded(uri)
    with pytest.raises(ManifestError, match="not a path relative"):
        loaded("")


def test_a_file_that_grows_after_it_was_looked_at_is_not_read_beyond_the_limit(tmp_path, monkeypatch):
    (tmp_path / "a.png").write_bytes(bytes(1000))
    manifest = tmp_path / "manifest.jsonl"
    manifest.write_text('{"requestId": "x", "image": {"uri": "a.png"}}\n')
    made = load_manifest(manifest)
    with pytest.raises(TooLargeError):
        made.read(0, 500)
    before = manifest.stat()
    monkeypatch.setattr(Path, "stat", lambda path, **_: before)  # as small as it was when it was looked at
    with pytest.raises(ManifestError, match="the file has 1000 bytes, the limit is 500"):
        made.read(0, 500)


@pytest.mark.parametrize("kind", BAD_LINES)
def test_bad_manifests_name_file_and_line(tmp_path, kind):
    line, message = BAD_LINES[kind]
    path = tmp_path / "manifest.jsonl"
    path.write_bytes(b'{"requestId": "a"}\n\n' + (line if isinstance(line, bytes) else line.encode()) + b"\n")
    with pytest.raises(ManifestError, match=message):
        load_manifest(path)


def test_a_missing_file_is_sought_below_a_folder_that_has_a_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("manifest.jsonl").write_text('{"requestId": "x", "image": {"uri": "no.png"}}\n')
    with pytest.raises(ManifestError, match=f"there is no file 'no.png' below {re.escape(str(tmp_path.resolve()))}$"):
        load_manifest(Path("manifest.jsonl"))


def test_many_problems_are_cut_short_and_nothing_is_a_problem_too(tmp_path):
    path = tmp_path / "manifest.jsonl"
    path.write_text('{"requestId": "a", "junk": 1}\n' * 1000)
    with pytest.raises(ManifestError) as raised:
        load_manifest(path)
    assert str(raised.value).count("\n") == 10
    path.write_text("\n\n")
    with pytest.raises(ManifestError, match="holds no request"):
        load_manifest(path)
    with pytest.raises(ManifestError, match="No such file"):
        load_manifest(tmp_path / "none.jsonl")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            '{"puzzle": "a", "text": "b"}\n' * 30,
            r"line 1 has no request_id, and there is no field 'puzzle' in a request",
        ),
        ("\n# Notes\n", r"line 2 is no JSON: .*"),
        ('{\n  "a": 1\n}\n', r"line 1 is no JSON: .*"),
        ('[{"requestId": "a"}]\n', r"line 1 is no JSON object"),
    ],
)
def test_a_file_of_another_kind_is_refused_in_one_line(tmp_path, text, why):
    path = tmp_path / "answers.jsonl"
    path.write_text(text)
    with pytest.raises(
        ManifestError, match=rf"answers.jsonl is no manifest \({why}\); `grader import` makes"
    ) as raised:
        load_manifest(path)
    assert "\n" not in str(raised.value)


def test_a_folder_is_no_manifest_and_names_those_in_it(tmp_path):
    (tmp_path / "m.jsonl").write_text("")
    with pytest.raises(ManifestError, match=r"is a folder; name a manifest, .* \(in it there is m.jsonl\)$"):
        load_manifest(tmp_path)


def test_a_run_is_begun_in_no_folder_of_other_things(tmp_path, local):
    manifest = write_manifest(tmp_path, {"a": b"PASS"})
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "index.md").write_text("mine")
    with pytest.raises(RunError, match=r"notes holds index.md, and no run .* give --run a new or an empty folder"):
        grade_manifest(manifest, notes, local, progress=False)
    assert [path.name for path in notes.iterdir()] == ["index.md"]
    (notes / "results.jsonl").write_text("")
    with pytest.raises(RunError, match=r"has a results.jsonl without run.json; give a new folder"):
        grade_manifest(manifest, notes, local, progress=False)
    assert sorted(path.name for path in notes.iterdir()) == ["index.md", "results.jsonl"]
    for place in (manifest, manifest / "run"):
        with pytest.raises(RunError, match="is no folder, or is below a file; give --run a folder"):
            grade_manifest(manifest, place, local, progress=False)


@pytest.mark.parametrize("left", [(), (".lock",), (".lock", ".run.json.part")])
def test_a_run_is_begun_in_an_empty_folder_and_in_what_a_killed_start_left(tmp_path, local, left):
    manifest = write_manifest(tmp_path, {"a": b"PASS"})
    (tmp_path / "run").mkdir()
    for name in left:
        (tmp_path / "run" / name).write_text("")
    assert grade_manifest(manifest, tmp_path / "run", local, progress=False).summary.passed == 1
    (tmp_path / "run" / "mine.txt").write_text("beside a run")
    assert grade_manifest(manifest, tmp_path / "run", local, progress=False).summary.passed == 1


def test_manifest_knows_lines_and_reads_media(tmp_path):
    path = write_manifest(tmp_path, {"a": b"one", "b": b"two"})
    path.write_text("\n" + path.read_text().replace("\n", "\n\n"))
    manifest = load_manifest(path)
    assert len(manifest) == 2
    assert [manifest.line_number(index) for index in range(2)] == [2, 4]
    assert [manifest.index_of(name) for name in ("a", "b", "c")] == [0, 1, None]
    request = manifest.read(1, 10_000)
    assert (request.image.data, request.maze.puzzle.image.data) == (b"two", b"puzzle")
    path.write_text(path.read_text().replace('"b"', '"c"'))
    with pytest.raises(ManifestError, match="was changed while it was being graded"):
        manifest.read(1, 10_000)


def test_what_is_not_installed_is_counted_as_that_and_graded_when_it_is(tmp_path, backend):
    """Once torch is there, the same command grades those items alone."""
    manifest = write_manifest(tmp_path, {"lacks": b"LACKS", "pass": b"PASS"})
    summary = grade_manifest(manifest, tmp_path / "run", backend, progress=False).summary
    assert (summary.missing_preconditions, summary.grader_failures, summary.candidates) == (1, 0, 1)
    assert read_results(tmp_path / "run")["lacks"]["status"]["reason"] == "MEASURE_UNAVAILABLE"
    (tmp_path / "pictures" / "0.png").write_bytes(b"PASS")  # as after an installation
    summary = grade_manifest(manifest, tmp_path / "run", backend, progress=False).summary
    assert (summary.total, summary.passed, summary.missing_preconditions) == (2, 2, 0)
