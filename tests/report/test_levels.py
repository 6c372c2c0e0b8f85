"""The table of plans: accuracy by level, missing answers, and how often random moves would do."""

import csv
import hashlib
import io
import json

import pytest
from rich.console import Console

from grader.importers.common.missing import MissingAnswers
from grader.importers.mentisoculi.importer import MentisSources, import_mentisoculi
from grader.metrics.runs.bootstrap import wilson_interval
from grader.report.data.chances import read_chances
from grader.report.data.estimates import Resampling
from grader.report.data.reading import read_runs
from grader.report.make import make_report
from grader.report.tables.build import TableOptions, build_tables
from grader.report.tables.table import absences
from grader.report.tables.writers import print_tables, to_csv
from tests.samples.mentis import answers, body, data_set, lot_record, png, write
from tests.samples.report import FAIL, PASS, UNGRADABLE, Line, response, small_run, write_run


def graded(folder, ends, **sources):
    """A run of an imported manifest whose items end as said, by request: (end, codes)."""
    made = import_mentisoculi(MentisSources(folder / "data", **sources), folder / "manifest.jsonl", progress=False)
    lines = [json.loads(line) for line in made.manifest.read_text().splitlines()]
    assert len(lines) == len(ends)
    run = folder / "run"
    run.mkdir()
    said = [
        response(Line(line["requestId"], end, score=None if end == UNGRADABLE else float(end == PASS), codes=codes))
        for line, (end, codes) in zip(lines, ends, strict=True)
    ]
    (run / "results.jsonl").write_text("".join(json.dumps(one) + "\n" for one in said))
    digest = hashlib.sha256(made.manifest.read_bytes()).hexdigest()
    (run / "run.json").write_text(json.dumps({"manifest": "../manifest.jsonl", "manifest_digest": digest}))
    return run


def tables_of(run, **options):
    results = read_runs([run])
    return {one.key: one for one in build_tables(results, TableOptions(**options), read_chances(results))}


def rows_of(table):
    keys = [column.key for column in table.columns]
    return [dict(zip(keys, row, strict=True)) for row in table.rows]


MISSING, EMPTY, LOST = ("ANSWER_MISSING",), ("ANSWER_EMPTY",), ("GOAL_NOT_REACHED",)


@pytest.fixture
def run(tmp_path):
    """Four lots in two levels of one model, and a sliding puzzle."""
    data_set(tmp_path / "data", lots=(1, 2, 3))
    # A parked car before the red one: no random walk gets out.
    parked = body("car", 6.0, 5.0, label="A", movable=False)
    write(tmp_path / "data/rushhour/level_02/puzzle_0001/metadata.json", lot_record(2, 1, parked))
    answers(tmp_path / "answers/a.json", "x", "x", None)
    answers(tmp_path / "answers/b.json", "x", level=2)
    answers(tmp_path / "answers/c.json", "x", task="sliding-puzzle")
    ends = [(PASS, ()), (FAIL, LOST), (FAIL, MISSING), (FAIL, EMPTY), (PASS, ())]
    return graded(tmp_path, ends, answers=tmp_path / "answers")


def test_accuracy_by_level(run):
    first, second = rows_of(tables_of(run)["rush_hour_accuracy_by_level"])
    assert (first["level"], first["model"], first["n"], first["passed"]) == ("1", "m", 3, 1)
    assert (first["accuracy"].value, first["accuracy"].n) == (1 / 3, 3)
    # Wilson, 1 of 3, z = 1.96: (1/3 + 3.8415/6 -+ 1.96 sqrt(2/27 + 3.8415/36)) / (1 + 3.8415/3)
    assert first["accuracy"].interval.low == pytest.approx(0.0615, abs=1e-4)
    assert first["accuracy"].interval.high == pytest.approx(0.7923, abs=1e-4)
    assert (first["no_answer"], first["answer_missing"], first["answer_empty"], first["ungradable"]) == (1, 1, 0, 0)
    assert "answer_refused" not in first  # none was
    assert (second["level"], second["n"], second["accuracy"].value, second["no_answer"]) == ("2", 1, 0.0, 1)


def test_chance_levels(run):
    found = tables_of(run)
    first, second = rows_of(found["rush_hour_accuracy_by_level"])
    # Forward leads out; backward leads to the wall, from where only forward moves anything: 1/2 + 1/2.
    assert first["chance_six_that_move"].value == 1.0
    # One of two directions six times: 1 - (1/2)^6, the same for all three lots.
    assert (first["chance_six_of_all"].value, first["chance_six_of_all"].n) == (63 / 64, 3)
    assert (second["chance_six_that_move"].value, second["chance_six_of_all"].value) == (0.0, 0.0)
    (tiles,) = rows_of(found["sliding_accuracy_by_level"])
    # The states of 2 x 2 are a ring of 12; the target is one step away. It is met first after 1, 3, 5 moves:
    # 1/2 + 1/8 + 2/32. Twelve moves add 5/128 + 14/512 + 42/2048, and 1/2048 the other way round.
    assert tiles["chance_six"].value == pytest.approx(0.6875, abs=1e-12)
    expected = 0.6875 + 5 / 128 + 14 / 512 + 42 / 2048 + 1 / 2048
    assert tiles["chance_twelve"].value == pytest.approx(expected, abs=1e-12)


def test_the_best_sweep_stands_beside_chance(run):
    found = tables_of(run)
    table = found["rush_hour_accuracy_by_level"]
    first, second = rows_of(table)
    # Nothing stands before the red car of the first level; a parked car does in the second.
    assert (first["best_sweep"].value, first["best_sweep"].n) == (1.0, 3)
    assert (second["best_sweep"].value, second["best_sweep"].n) == (0.0, 1)
    titles = {column.key: column.title for column in table.columns}
    assert titles["best_sweep"] == "best sweep (6 moves)"
    (note,) = [note for note in table.notes if note.startswith("best sweep")]
    assert "measured, not computed" in note
    assert "1: all forward, red" in note
    (tiles,) = rows_of(found["sliding_accuracy_by_level"])
    assert tiles["best_sweep"].value == 1.0


def test_it_is_in_everything_that_a_report_writes(run):
    report = make_report([run], examples=0)
    keys = {table["key"] for table in json.loads((run / "report" / "tables.json").read_text())["tables"]}
    assert {"rush_hour_accuracy_by_level", "sliding_accuracy_by_level"} <= keys
    (first, _) = csv.DictReader(io.StringIO((run / "report/tables/rush_hour_accuracy_by_level.csv").read_text()))
    assert (first["level"], first["n"], first["chance_six_of_all"]) == ("1", "3", "0.984375")
    page = report.page.read_text(encoding="utf-8")
    assert "rush_hour: accuracy by level" in page
    assert "6 moves, each uniform among those by which a vehicle moves" in page
    stream = io.StringIO()
    print_tables(report.tables, report.notes, Console(file=stream, width=160))
    text = stream.getvalue()
    assert "sliding: accuracy by level" in text
    assert "12 moves, each uniform among those that keep the blank on the board" in text
    assert report.notes == ("m: 1 answer is missing, and so wrong.",)


def test_strategies_are_rows_of_their_own_where_there_are_several(tmp_path):
    data_set(tmp_path / "data", lots=(1,))
    answers(tmp_path / "answers/a.json", "x")
    answers(tmp_path / "answers/b.json", "x", strategy="other")
    run = graded(tmp_path, [(PASS, ()), (FAIL, LOST)], answers=tmp_path / "answers")
    rows = rows_of(tables_of(run)["rush_hour_accuracy_by_level"])
    assert [(row["strategy"], row["passed"]) for row in rows] == [("other", 0), ("simple", 1)]
    # The level has one puzzle, however often it was tried.
    assert {row["chance_six_of_all"].n for row in rows} == {1}


def test_attempts_at_one_puzzle_are_no_free_trials(tmp_path):
    data_set(tmp_path / "data", lots=(1, 2))
    for name in ("a_1", "a_2"):
        answers(tmp_path / f"answers/{name}.json", "x", "x")
    ends = [(PASS, ()), (FAIL, LOST), (PASS, ()), (UNGRADABLE, ("UNDECODABLE",))]
    run = graded(tmp_path, ends, answers=tmp_path / "answers")
    (row,) = rows_of(tables_of(run)["rush_hour_accuracy_by_level"])
    assert (row["n"], row["passed"], row["ungradable"], row["accuracy"].value) == (4, 2, 1, 0.5)
    # One puzzle was solved twice and one never: resampling the two gives 0, 1/2 or 1.
    assert (row["accuracy"].interval.low, row["accuracy"].interval.high) == (0.0, 1.0)
    assert wilson_interval(2, 4, 0.95).low > 0.1
    (row,) = rows_of(tables_of(run, resampling=Resampling(resamples=0))["rush_hour_accuracy_by_level"])
    assert row["accuracy"].interval is None


def test_runs_without_plans_have_no_such_table(tmp_path):
    run = write_run(tmp_path, small_run())
    assert not [key for key in tables_of(run) if "accuracy" in key]
    assert read_chances(read_runs([run])).of(0) == ()


def test_puzzles_that_are_none_have_no_chance(tmp_path):
    lines = [Line("a", PASS, "p", score=1.0, task="rush_hour"), Line("b", PASS, "q", score=1.0, task="sliding")]
    found = tables_of(write_run(tmp_path, lines))
    for task in ("rush_hour", "sliding"):
        table = found[f"{task}_accuracy_by_level"]
        (row,) = rows_of(table)
        assert (row["level"], row["n"], row["accuracy"].value) == ("(not said)", 1, 1.0)
        assert [cell.value for key, cell in row.items() if key.startswith("chance_")] == [None, None]
        assert "the puzzles can't be read from the manifest" in absences(table)[0]


def test_columns_in_which_nothing_can_be_said_are_not_printed(tmp_path):
    lines = [Line(f"{puzzle}/{n}", PASS, puzzle, n, score=1.0) for puzzle in "ab" for n in (1, 2)]
    made = build_tables(read_runs([write_run(tmp_path, lines)]), TableOptions())
    stream = io.StringIO()
    print_tables(made, [], Console(file=stream, width=200))
    text = stream.getvalue()
    assert "Not shown: pass@5 any, pass@5 mean, pass@5 unbiased: fewer than 5 attempts (2)." in text
    heads = [line for line in text.splitlines() if "pass@1" in line and "Not shown" not in line]
    assert heads
    assert not [line for line in heads if "pass@5" in line]
    # Files keep the columns: what reads them counts on them.
    (table,) = [one for one in made if one.key == "maze_attempts_by_model"]
    assert "pass_at_5_mean" in to_csv(table).splitlines()[0]


def test_the_page_shows_words(tmp_path):
    data_set(tmp_path / "data", lots=(1, 2, 3))
    answers(tmp_path / "answers/a.json", "<b>R</b> forward", "x" * 5000 + " the end", None)
    run = graded(tmp_path, [(PASS, ()), (FAIL, LOST), (FAIL, MISSING)], answers=tmp_path / "answers")
    page = make_report([run]).page.read_text(encoding="utf-8")
    assert "&lt;b&gt;R&lt;/b&gt; forward" in page
    assert "<b>R" not in page
    assert "x" * 272 + " the end" in page  # the last 280 characters; the verdict's own page has more
    assert "x" * 273 not in page
    assert "no answer was given" in page
    assert "x" * 5000 + " the end" in (run / "report/data/details-0.js").read_text()


def test_the_page_shows_the_last_picture_of_a_series_and_names_clips(tmp_path):
    data_set(tmp_path / "data", lots=(1, 2))
    home = tmp_path / "out" / "rushhour" / "level_01"
    write(home / "puzzle_0001/step_01.png", b"no picture")
    write(home / "puzzle_0001/step_02.png", png())
    write(home / "puzzle_0001/answer.txt", "Then R forward")
    write(home / "puzzle_0002.mp4", b"clip")
    # A clip of one puzzle, a series of the other; neither was left out on purpose.
    sources = {"clips": tmp_path / "out", "series": tmp_path / "out", "missing": MissingAnswers.LEAVE_OUT}
    run = graded(tmp_path, [(PASS, ()), (FAIL, LOST)], **sources)
    page = make_report([run]).page.read_text(encoding="utf-8")
    assert page.count("data:image/webp") == 1
    assert '<video src="../../out/rushhour/level_01/puzzle_0002.mp4"' in page
    assert "Then R forward" in (run / "report/data/details-0.js").read_text()
