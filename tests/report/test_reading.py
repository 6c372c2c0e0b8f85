"""Reading run folders: whole, killed, changed, several together."""

import hashlib
import json

import pytest

from grader.metrics.runs.aggregates import ItemEnd
from grader.report.data.reading import read_runs
from grader.report.data.records import ReportError
from grader.report.make import make_report
from grader.report.tables.build import TableOptions, build_tables, notes_of
from grader.runs.folder import RunError
from tests.samples.report import FAIL, PASS, Line, request, small_run, write_run


def test_order_is_that_of_the_manifest_whatever_that_of_the_results(tmp_path):
    forward, backward = write_run(tmp_path / "a", small_run()), write_run(tmp_path / "b", small_run(), order=-1)
    made = [build_tables(read_runs([run]), TableOptions()) for run in (forward, backward)]
    assert made[0] == made[1]


def test_a_half_written_last_line_counts_as_not_there(tmp_path):
    lines = [Line("a", PASS, "a", 1), Line("b", PASS, "b", 1)]
    run = write_run(tmp_path, lines)
    whole = (run / "results.jsonl").read_bytes()
    (run / "results.jsonl").write_bytes(whole[:-20])
    results = read_runs([run])
    assert [record.end for record in results.records] == [ItemEnd.PASS, None]
    notes = " ".join(notes_of(results))
    assert "the last line of its results is half written and counts as not there" in notes
    assert "1 items have no result yet" in notes


def test_a_line_in_the_middle_that_is_no_result_is_named(tmp_path):
    run = write_run(tmp_path, [Line("a", PASS), Line("b", PASS)])
    whole = (run / "results.jsonl").read_text().splitlines()
    for broken in (
        "junk",
        "[]",
        "[" * 200_000,
        r'{"requestId": "\ud800"}',
        '{"requestId": "a", "status": {}}',
        whole[0].replace('"reward": 0.0', '"reward": NaN'),
    ):
        (run / "results.jsonl").write_text(f"{broken}\n{whole[1]}\n")
        with pytest.raises(RunError, match=r"results.jsonl:1: this line is no result"):
            read_runs([run])


def test_of_two_lines_about_an_item_the_first_counts(tmp_path):
    run = write_run(tmp_path, [Line("a", PASS)])
    line = (run / "results.jsonl").read_text()
    (run / "results.jsonl").write_text(line + line.replace("OUTCOME_PASS", "OUTCOME_FAIL"))
    results = read_runs([run])
    assert [record.end for record in results.records] == [ItemEnd.PASS]
    assert "1 lines are about items that have a line already" in notes_of(results)[0]


def test_what_is_no_run_folder_is_refused_with_what_to_do(tmp_path):
    run = write_run(tmp_path, [Line("a", PASS)])
    with pytest.raises(RunError, match=r"there is no folder .*none; `grader grade MANIFEST --run"):
        read_runs([tmp_path / "none"])
    with pytest.raises(RunError, match=r"is no run folder: it has no run.json and no results.jsonl"):
        read_runs([tmp_path])
    with pytest.raises(RunError, match="is a file; name its folder"):
        read_runs([run / "results.jsonl"])
    with pytest.raises(ReportError, match="is given more than once"):
        read_runs([run, tmp_path / "run" / ".." / "run"])
    for broken in ("{}", "[" * 200_000):
        (run / "run.json").write_text(broken)
        with pytest.raises(RunError, match=r"run.json can't be read .*; grade into a new folder"):
            read_runs([run])


def test_a_manifest_that_moved_is_found_by_its_digest(tmp_path):
    run = write_run(tmp_path, [Line("a", PASS, tags={"scale": "3"})])
    moved = tmp_path / "elsewhere.jsonl"
    (tmp_path / "run.jsonl").rename(moved)
    with pytest.raises(RunError, match=r"run.jsonl is not there, .* with --manifest"):
        read_runs([run])
    (tmp_path / "run.jsonl").write_text("another")
    with pytest.raises(RunError, match="was changed since"):
        read_runs([run])
    assert read_runs([run], [tmp_path / "run.jsonl", moved]).records[0].tag("scale") == "3"


def test_manifests_may_spell_fields_as_the_proto_does(tmp_path):
    """The proto's JSON form allows snake case, and numbers as text."""
    run = write_run(tmp_path, [Line("a", PASS, "p", 2)])
    said = {"request_id": "a", "puzzle_id": "p", "attempt": "2", "maze": {}, "model": "M"}
    text = json.dumps(said) + "\n\n"
    (tmp_path / "run.jsonl").write_text(text)
    identity = json.loads((run / "run.json").read_text())
    identity["manifest_digest"] = hashlib.sha256(text.encode()).hexdigest()
    (run / "run.json").write_text(json.dumps(identity))
    (record,) = read_runs([run]).records
    assert (record.item.puzzle, record.item.attempt, record.model, record.item.task) == ("p", 2, "M", "maze")


def test_an_item_without_a_puzzle_is_a_puzzle_of_its_own(tmp_path):
    records = read_runs([write_run(tmp_path, [Line("a", PASS), Line("b", PASS)])]).records
    assert [record.item.puzzle for record in records] == ["a", "b"]
    assert records[0].cluster != records[1].cluster


def test_runs_together_share_puzzles_and_stay_apart_where_no_model_is_said(tmp_path):
    one = write_run(tmp_path / "x", [Line("a", PASS, "p", 1, "")], name="one")
    two = write_run(tmp_path / "y", [Line("a", FAIL, "p", 1, "", codes=("DOTS",))], name="two")
    results = read_runs([one, two])
    assert [record.model for record in results.records] == ["(not said): one", "(not said): two"]
    assert results.records[0].cluster == results.records[1].cluster
    with pytest.raises(ReportError, match="name a folder for that with --out"):
        make_report([one, two])
    assert make_report([one, two], tmp_path / "both").page == tmp_path / "both" / "index.html"


def test_runs_together_continue_each_other_where_the_model_is_the_same(tmp_path):
    one = write_run(tmp_path / "x", [Line("a", FAIL, "p", 1, "M", codes=("DOTS",))], name="one")
    two = write_run(tmp_path / "y", [Line("b", PASS, "p", 2, "M")], name="two")
    tables = {table.key: table for table in build_tables(read_runs([one, two]), TableOptions(k=(2,)))}
    (line,) = tables["maze_attempts_by_model"].rows
    assert [cell.value for cell in line[-3:]] == [1.0, 0.5, 1.0]  # any, mean, unbiased of attempts 1 and 2


def test_a_negative_attempt_is_named(tmp_path):
    lines = [Line("a", PASS, "p", -1)]
    assert request(lines[0])["attempt"] == -1
    with pytest.raises(RunError, match=r"run.jsonl:1: .*attempt is -1"):
        read_runs([write_run(tmp_path, lines)])


def test_a_run_without_results_is_no_report(tmp_path):
    with pytest.raises(ReportError, match="no item has a result yet"):
        make_report([write_run(tmp_path, [Line("a", None)])])
