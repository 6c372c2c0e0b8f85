"""Selections of a manifest: what patterns fit, and that a run of parts comes to the same as a whole one."""

import contextlib
import json

import pytest

from grader.runs.backends import LocalBackend
from grader.runs.batch import grade_manifest
from grader.runs.manifest import load_manifest
from grader.runs.selection import Selection, SelectionError, select
from grader.serving.settings import ServerSettings
from tests.fakes.engine import CATALOGUE, SPEC
from tests.runs.test_batch import read_results, write_manifest


@pytest.fixture(scope="module")
def local():
    with contextlib.closing(LocalBackend(ServerSettings(workers=1), SPEC, CATALOGUE)) as made:
        yield made


@pytest.fixture
def manifest(tmp_path):
    """Two models at two scales, two attempts each; a request with none of these; a tag called as a key."""
    path = write_manifest(tmp_path, {})
    lines = [
        {"requestId": f"{model}/{scale}/{attempt}", "puzzleId": f"p{scale}", "model": model, "attempt": attempt,
         "tags": {"scale": str(scale)}}
        for model in ("gpt-a", "gpt-b") for scale in (3, 16) for attempt in (1, 2)
    ]  # fmt: skip
    lines.append({"requestId": "bare=1", "tags": {"model": "x"}})
    path.write_text(
        "".join(
            json.dumps({**line, "maze": {"puzzle": {"image": {"data": "AA=="}}}, "image": {"data": "UEFTUw=="}}) + "\n"
            for line in lines
        )
    )
    return path


@pytest.mark.parametrize(
    ("only", "places"),
    [
        (["gpt-a/*"], [0, 1, 2, 3]),  # without a key it is the id, and * goes over /
        (["id=*/1"], [0, 2, 4, 6]),
        (["model=gpt-a", "model=gpt-b", "scale=3"], [0, 1, 4, 5]),  # one of each key, and all keys
        (["model=gpt-[b]", "scale=1?"], [6, 7]),
        (["MODEL=gpt-a", "model=gpt-a"], None),  # a tag that nobody has
        (["model=GPT*"], None),  # case counts
        (["model="], [8]),
        (["tag:model=x"], [8]),
        (["scale="], [8]),  # no such tag
        (["scale=*"], [0, 1, 2, 3, 4, 5, 6, 7]),
        (["puzzle=p3", "attempt=2"], [1, 5]),
        (["puzzle=bare*"], [8]),  # its id, where no puzzle is named
        (["attempt="], [8]),
        (["task=maze"], list(range(9))),
        (["id=bare=1"], [8]),
    ],
)
def test_patterns(manifest, only, places):
    selection = Selection(tuple(only))
    if places is None:
        with pytest.raises(SelectionError, match="nothing in the manifest fits"):
            select(load_manifest(manifest), selection)
    else:
        marks = select(load_manifest(manifest), selection)
        assert [place for place, mark in enumerate(marks) if mark] == places


def test_a_limit_takes_the_first_of_those_that_fit(manifest):
    read = load_manifest(manifest)
    assert list(select(read, Selection(limit=2))) == [1, 1, 0, 0, 0, 0, 0, 0, 0]
    assert list(select(read, Selection(("scale=16",), 3))) == [0, 0, 1, 1, 0, 0, 1, 0, 0]
    assert list(select(read, Selection(limit=99))) == [1] * 9


@pytest.mark.parametrize(
    ("only", "says"),
    [
        ("model=claude*", r"nothing in the manifest fits model=claude\*; model is gpt-a, gpt-b, ''"),
        ("modle=gpt*", r"there is no tag 'modle': its tags are model, scale"),
        ("=x", r"--only '=x' is no KEY=PATTERN"),
        ("tag:=x", r"--only 'tag:=x' is no KEY=PATTERN"),
        ("", r"--only '' is no KEY=PATTERN"),
    ],
)
def test_a_pattern_that_fits_nothing_says_what_there_is(manifest, only, says):
    with pytest.raises(SelectionError, match=says):
        select(load_manifest(manifest), Selection((only,)))


def grade(manifest, run, backend, *only, limit=None):
    return grade_manifest(manifest, run, backend, progress=False, selection=Selection(only, limit))


def said(run):
    return json.loads((run / "run.json").read_text())


def test_parts_come_to_the_whole(tmp_path, manifest, local):
    run = tmp_path / "run"
    first = grade(manifest, run, local, "model=gpt-a", limit=3)
    assert (first.summary.total, first.selected, first.requests, first.without_result) == (3, 3, 9, 6)
    assert len(read_results(run)) == 3
    assert said(run)["selections"] == [{"only": ["model=gpt-a"], "limit": 3}]
    assert said(run)["finished"]
    before = (run / "run.json").read_bytes(), (run / "results.jsonl").read_bytes()
    again = grade(manifest, run, local, "model=gpt-a", limit=3)
    assert (again.summary, again.without_result) == (first.summary, 6)
    assert before == ((run / "run.json").read_bytes(), (run / "results.jsonl").read_bytes())
    other = grade(manifest, run, local, "scale=3")
    assert (other.summary.total, other.selected, other.without_result) == (4, 4, 4)  # two of them were there
    assert len(read_results(run)) == 5
    assert [one["only"] for one in said(run)["selections"]] == [["model=gpt-a"], ["scale=3"]]
    whole = grade(manifest, run, local)
    assert (whole.summary.total, whole.without_result, said(run)["selections"]) == (9, 0, [])
    assert said(run)["finished"]
    grade(manifest, run, local, limit=1)
    assert said(run)["selections"] == []  # all was asked for, and stays so
    alone = tmp_path / "alone"
    grade(manifest, alone, local)
    assert read_results(run) == read_results(alone)


def test_a_run_is_finished_once_all_that_was_asked_for_is_there(tmp_path, local):
    manifest = write_manifest(tmp_path, {"a1": b"PASS", "a2": b"PASS", "b": b"PASS"})
    run = tmp_path / "run"
    grade(manifest, run, local, "a*")
    lines = (run / "results.jsonl").read_bytes().splitlines(keepends=True)
    (run / "results.jsonl").write_bytes(lines[0])  # as if it had been killed
    grade(manifest, run, local, "b")
    assert said(run)["finished"] is None
    grade(manifest, run, local, "a*")
    assert said(run)["finished"]


def test_what_failed_keeps_its_line_until_it_is_selected_again(tmp_path, local):
    manifest = write_manifest(tmp_path, {"bug": b"BUG", "pass": b"PASS", "more": b"PASS"})
    run = tmp_path / "run"
    assert grade(manifest, run, local, limit=2).summary.grader_failures == 1
    report = grade(manifest, run, local, "more")
    assert (report.summary.total, report.summary.grader_failures, report.without_result) == (1, 0, 0)
    assert read_results(run)["bug"]["status"]["reason"] == "INTERNAL"
    (tmp_path / "pictures" / "0.png").write_bytes(b"PASS")  # as after a new version
    assert grade(manifest, run, local).summary.passed == 3


def test_a_run_folder_of_before_selections_goes_on(tmp_path, local):
    manifest = write_manifest(tmp_path, {"a": b"PASS", "b": b"PASS"})
    run = tmp_path / "run"
    grade(manifest, run, local)
    old = said(run)
    del old["selections"]
    (run / "run.json").write_text(json.dumps(old))
    assert grade(manifest, run, local).summary.total == 2
