"""Tables of a small run whose every number is worked out here."""

import csv
import io
import json

import pytest
from rich.console import Console

from grader.media.pictures import MediaReason
from grader.model.failure import FailureMode
from grader.report.data.estimates import Estimate, Resampling
from grader.report.data.failure_modes import main_mode, mode_of
from grader.report.data.grouping import natural, parse_by
from grader.report.data.reading import read_runs
from grader.report.data.records import ReportError
from grader.report.tables.build import TableOptions, build_tables, notes_of, parse_k
from grader.report.tables.table import Part
from grader.report.tables.writers import print_tables, to_csv, to_csv_stream, to_json, to_markdown
from grader.tasks.registry import list_tasks
from tests.samples.report import FAIL, PASS, UNGRADABLE, Line, attempts, small_run, write_run


def tables_of(folder, lines, **options):
    results = read_runs([write_run(folder, lines)])
    return {table.key: table for table in build_tables(results, TableOptions(**options))}


def row(table, *key):
    """A row by what it is called, as a dict of its other cells; estimates as (value rounded, n)."""
    (found,) = [one for one in table.rows if one[: len(key)] == key]
    cells = zip(table.columns[len(key) :], found[len(key) :], strict=True)
    return {
        column.key: (None if cell.value is None else round(cell.value, 4), cell.n)
        if isinstance(cell, Estimate)
        else cell
        for column, cell in cells
    }


@pytest.fixture
def tables(tmp_path):
    return tables_of(tmp_path, small_run(), matrix=("geometry", "scale"))


def test_counts(tables):
    """20 items: p1 5, p2 4, p3 3, p4 2, p5 5 (one a fault), p6 1 (no result).

    PASS: p1 2, p2 1, p3 2, p4 1, p5 1 = 7. FAIL: p1 3, p2 2, p3 1, p4 1, p5 3 = 10. UNGRADABLE: p2 1.
    Score: p1 1 + .5 + 1 + 0 + .9 = 3.4, p2 .5 + 1 + .2 = 1.7, p3 2.3, p4 1.4, p5 2.8: 11.6 over 17.
    """
    found = row(tables["counts"], "maze", "A")
    assert found == {
        "items": 20,
        "passed": 7,
        "failed": 10,
        "ungradable": 1,
        "grader_failures": 1,
        "no_result": 1,
        "candidates": 18,
        "pass_rate": (round(7 / 18, 4), 18),
        "score": (round(11.6 / 17, 4), 17),
        "reward": (round(11.6 / 18, 4), 18),  # UNGRADABLE has a reward of 0
    }
    assert tables["faults"].rows == (("maze", "A", "the grader's", "INTERNAL", 1),)


def test_what_is_not_installed_stands_apart_from_failures(tmp_path):
    said = [
        Line("a", PASS, score=1.0),
        Line("b", (9, "MEASURE_UNAVAILABLE")),
        Line("c", (9, "MEASURE_UNAVAILABLE")),
        Line("d", (13, "INTERNAL")),
    ]
    made = tables_of(tmp_path, said)
    found = row(made["counts"], "maze", "A")
    assert (found["missing_preconditions"], found["grader_failures"], found["candidates"]) == (2, 1, 1)
    assert [one[2:] for one in made["faults"].rows] == [
        ("the grader's", "INTERNAL", 1),
        ("nobody's: something is not installed", "MEASURE_UNAVAILABLE", 2),
    ]
    assert "run the same `grader grade` again" in made["faults"].notes[1]


def test_pass_at_k_by_outcome(tables):
    """By puzzle, slots 1 to 5, "-" a gap, "?" no verdict:

    p1 P F F F P: pass@1 1, any 1, mean 2/5, unbiased@1 2/5, unbiased@5 1
    p2 F F - P F: pass@1 0, any 1, mean 1/5, unbiased@1 1/5, unbiased@5 1; one missing
    p3 P F: pass@1 1, too few for 5, unbiased@1 1/2; a second attempt 2 is left out
    p4 two without numbers, one passed: no pass@1, too few for 5, unbiased@1 1/2
    p5 ? P F F F: nothing but unbiased@1 = 1/4
    p6 ?: nothing
    """
    found = row(tables["maze_attempts_by_model"], "A")
    assert found == {
        "puzzles": 6,
        "attempts": 5 + 4 + 2 + 2 + 5 + 1,
        "missing": 1,
        "repeated": 1,
        "pass_at_1": (round(2 / 3, 4), 3),
        "pass_at_1_unbiased": (round((0.4 + 0.2 + 0.5 + 0.5 + 0.25) / 5, 4), 5),
        "pass_at_5_any": (1.0, 2),
        "pass_at_5_mean": (0.3, 2),
        "pass_at_5_unbiased": (1.0, 2),
    }
    notes = " ".join(tables["maze_attempts_by_model"].notes)
    assert "1 attempts are missing below" in notes
    assert "1 attempts have the number of another" in notes
    assert "2 attempts have no number" in notes
    # p3, p4 and p6 have fewer than 5 attempts, p5 one without a verdict.
    assert "4 of 6 puzzles are left out: fewer than 5 attempts (3); an attempt without a verdict (1)." in notes


def test_pass_at_k_by_score(tables):
    """A score of 1: p1 attempts 1 and 3 (the last has 0.9), p2 attempt 4, p3 attempt 1, p4 one of two, p5 attempt 2."""
    found = row(tables["maze_score_attempts_by_model"], "A")
    assert found["score_pass_at_1"] == (round(2 / 3, 4), 3)
    assert found["score_pass_at_5_mean"] == (0.3, 2)  # (2/5 + 1/5) / 2


def test_where_nothing_can_be_said_there_is_a_dash_with_its_reason(tables):
    table = tables["maze_by_geometry"]
    found = row(table, "circle")
    assert found["pass_at_5_mean"] == (None, 0)
    (cell,) = [
        cell for cell, column in zip(table.rows[0], table.columns, strict=True) if column.key == "pass_at_5_mean"
    ]
    assert cell.why == "fewer than 5 attempts (3); an attempt without a verdict (1)"
    assert '"-" in pass@5 mean: fewer than 5 attempts (3)' in to_markdown([table])


def test_rows_by_tags(tables):
    assert [one[0] for one in tables["maze_by_scale"].rows] == ["3", "8", "10"]
    # p1 and p2: 3 of 9; p3, p4, p5: 4 of 9.
    assert row(tables["maze_by_geometry"], "square")["pass_rate"] == (round(3 / 9, 4), 9)
    assert row(tables["maze_by_geometry"], "circle")["pass_rate"] == (round(4 / 9, 4), 9)
    # p4 1 of 2 and p5 1 of 4 with a verdict; p6 has none.
    assert row(tables["maze_by_geometry_scale"], "circle", "10")["pass_rate"] == (round(2 / 6, 4), 6)


def test_matrix(tables):
    found = row(tables["maze_matrix_pass_rate_geometry_scale"], "square")
    assert found == {"3": (0.4, 5), "8": (0.25, 4), "10": (None, 0)}


def test_failure_modes_count_each_candidate_once(tables):
    """Gravest reasons: WALL_CROSSED p1 and p3; GOAL_NOT_REACHED p1, p2 twice, p4, p5 three times; CELLS_FILLED p1."""
    found = row(tables["maze_failure_modes_by_model"], "A")
    assert found == {
        "candidates": 18,
        "passed": Part(7, 18),
        "constraint_violation": Part(2, 18),
        "incomplete_solution": Part(7, 18),
        "wrong_form": Part(1, 18),
        "unreadable": Part(1, 18),
    }
    reasons = tables["maze_reasons"]
    assert row(reasons, "GOAL_NOT_REACHED")["gravest"] == Part(7, 11)
    assert row(reasons, "GOAL_NOT_REACHED")["given"] == Part(9, 11)  # and behind two crossed walls


def test_metrics_are_over_the_verdicts_that_have_them(tmp_path):
    """Coverage 1, 0.5 and absent: mean 0.75 over 2; violation_complement is shown as it is for boards."""
    values = {"a": 1.0, "b": 0.5, "c": None}
    lines = [
        Line(
            puzzle,
            PASS if value == 1 else FAIL,
            puzzle,
            1,
            metrics={"coverage": value, "violation_complement": None if value is None else 1 - value},
            codes=() if value == 1 else ("NO_QUEENS",),
            task="queens",
        )
        for puzzle, value in values.items()
    ]
    lines.append(Line("d", UNGRADABLE, "d", 1, codes=("EMPTY",), task="queens"))
    tables = tables_of(tmp_path, lines)
    found = row(tables["queens_by_model"], "A")
    assert found["coverage"] == (0.75, 2)
    assert found["violation_complement"] == (0.25, 2)
    assert found["pass_rate"] == (0.25, 4)
    arrows = {column.key: column.better.value for column in tables["queens_by_model"].columns}
    assert (arrows["coverage"], arrows["violation_complement"], arrows["pass_rate"]) == ("↑", "↓", "↑")


def test_intervals_keep_attempts_together_and_depend_on_the_seed(tmp_path):
    lines = [
        line
        for p in range(12)
        for line in attempts(f"p{p}", [(1, (PASS, FAIL)[p % 2], 1.0, ()), (2, PASS, 1.0, ())], {})
    ]
    run = read_runs([write_run(tmp_path, lines)])

    def interval(**how):
        (table,) = [t for t in build_tables(run, TableOptions(resampling=Resampling(**how))) if t.key == "counts"]
        return table.rows[0][-3].interval

    assert interval(seed=1) == interval(seed=1)
    # Six puzzles have 2 of 2, six 1 of 2: the rate is 0.75, and the share of the first kind has sd sqrt(1/48) = 0.144.
    assert interval(seed=1).low == pytest.approx(0.75 - 1.96 * 0.144 / 2, abs=0.05)
    assert interval(resamples=0) is None


def test_all_or_nothing_has_a_wilson_interval(tmp_path):
    found = tables_of(tmp_path, [Line(f"p{p}", PASS, f"p{p}", 1, score=1.0) for p in range(10)])
    rate = found["counts"].rows[0][-3]
    assert rate.value == 1.0
    assert rate.interval.low == pytest.approx(1 - 0.2775, abs=1e-3)  # z^2 / (10 + z^2), z = 1.96


def test_several_models_are_kept_apart(tmp_path):
    tags = {"scale": "3"}
    lines = [Line("A/p", PASS, "p", 1, "A", tags=tags), Line("B/p", FAIL, "p", 1, "B", codes=("DOTS",), tags=tags)]
    found = tables_of(tmp_path, lines)
    assert row(found["maze_by_model_scale"], "A", "3")["pass_at_1"] == (1.0, 1)
    assert row(found["maze_by_model_scale"], "B", "3")["pass_at_1"] == (0.0, 1)


def test_every_reason_of_every_task_has_a_mode():
    codes = [reason.code for task in list_tasks() for reason in task.reasons] + [reason.value for reason in MediaReason]
    assert [code for code in codes if mode_of(code) is FailureMode.UNKNOWN] == []
    assert main_mode(["NEW_CODE"]) is FailureMode.UNKNOWN
    assert all(mode.meaning for mode in FailureMode)


def test_unknown_codes_and_mixed_profiles_are_said(tmp_path):
    lines = [
        Line("a", FAIL, "a", 1, codes=("FROM_THE_FUTURE",)),
        Line("b", PASS, "b", 1, profile="amaze_code"),
        Line("c", None, "c", 1),
    ]
    notes = " ".join(notes_of(read_runs([write_run(tmp_path, lines)])))
    assert "does not know the reasons FROM_THE_FUTURE" in notes
    assert "2 settings, which need not be comparable" in notes
    assert "1 items have no result yet" in notes


def test_measured_items_are_in_no_rate(tmp_path):
    found = tables_of(tmp_path, [Line("a", "MEASURED", "a", 1, metrics={"coverage": 0.5})])
    assert row(found["counts"], "maze", "A")["pass_rate"] == (None, 0)
    assert row(found["maze_by_model"], "A")["coverage"] == (0.5, 1)
    assert "maze_attempts_by_model" not in found


def test_csv_has_fractions_and_one_column_a_number(tables):
    (line,) = csv.DictReader(io.StringIO(to_csv(tables["maze_attempts_by_model"])))
    assert float(line["pass_at_1"]) == 2 / 3
    assert line["pass_at_1_n"] == "3"
    assert float(line["pass_at_1_low"]) <= 2 / 3 <= float(line["pass_at_1_high"])
    parts = {line["code"]: line for line in csv.DictReader(io.StringIO(to_csv(tables["maze_reasons"])))}
    assert (parts["CELLS_FILLED"]["given"], parts["CELLS_FILLED"]["given_of"]) == ("1", "11")
    assert to_csv_stream(list(tables.values())).count("# ") == len(tables)


def test_json_has_null_with_the_reason_and_no_nan(tables):
    text = to_json(list(tables.values()))
    assert "NaN" not in text
    read = {table["key"]: table for table in json.loads(text)["tables"]}
    matrix = read["maze_matrix_pass_rate_geometry_scale"]
    assert matrix["rows"][1][3] == {"value": None, "n": 0, "why": "no items"}
    assert matrix["columns"][1] == {"key": "3", "title": "3", "unit": "1", "better": "up"}


def test_text_and_markdown_do_not_read_names_as_markup(tmp_path):
    model = "[red]x[/] | <b>"
    run = read_runs([write_run(tmp_path, [Line("a", PASS, "a", 1, model)])])
    made = build_tables(run, TableOptions())
    stream = io.StringIO()
    print_tables(made, [model], Console(file=stream, width=200))
    assert stream.getvalue().count(model) > 2
    assert "[red]x[/] \\| &lt;b&gt;" in to_markdown(made)
    assert "<b>" not in to_markdown(made)


def test_by_and_k_are_checked(tmp_path):
    with pytest.raises(ReportError, match=r"no item has the tag shape; .*model.*geometry, scale"):
        tables_of(tmp_path, small_run(), by=parse_by("shape"))
    for wrong in ("", "model,,scale", "model,model", "a+"):
        with pytest.raises(ReportError, match="--by"):
            parse_by(wrong)
    assert parse_k("5, 1,5") == (1, 5)
    for wrong in ("", "0", "1,x", "-1", "1.5"):
        with pytest.raises(ReportError, match="--k"):
            parse_k(wrong)


def test_numbers_sort_by_value():
    assert sorted(["10", "(not said)", "0.5", "b10", "0.25", "b9", "3"], key=natural) == [
        "0.25", "0.5", "3", "10", "b9", "b10", "(not said)",
    ]  # fmt: skip


def test_missing_answers_are_counted_and_said(tmp_path):
    """Model A was asked four puzzles: one passes, one fails, two are missing, so the pass rate is 1 / 4."""
    absent = {"missing": "true"}
    lines = [
        Line("p1", PASS, "p1", score=1.0),
        Line("p2", FAIL, "p2", score=0.0, codes=("WALL_CROSSED",)),
        Line("p3", UNGRADABLE, "p3", codes=("EMPTY",), tags=absent),
        Line("p4", FAIL, "p4", score=0.0, codes=("ANSWER_MISSING",), tags=absent),
        Line("q1", PASS, "p1", score=1.0, model="B"),
    ]
    results = read_runs([write_run(tmp_path, lines)])
    tables = {table.key: table for table in build_tables(results, TableOptions())}
    found = row(tables["counts"], "maze", "A")
    assert (found["missing_answers"], found["candidates"], found["pass_rate"]) == (2, 4, (0.25, 4))
    assert row(tables["counts"], "maze", "B")["missing_answers"] == 0
    assert any("Missing answers are puzzles that a model was asked" in note for note in tables["counts"].notes)
    assert "A: 2 answers are missing, and so wrong." in notes_of(results)
    assert [record.mode for record in results.records if record.missing] == [FailureMode.NO_ANSWER] * 2
    # Where there are none, nothing is said.
    tables = tables_of(tmp_path / "other", lines[:2])
    assert "missing_answers" not in [column.key for column in tables["counts"].columns]
