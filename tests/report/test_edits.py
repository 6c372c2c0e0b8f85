"""The tables of spatial edits: those of GSI-Bench, and apart from them what was measured and not judged."""

import csv
import io
import json
import math
from dataclasses import replace

import numpy as np
import pytest
from rich.console import Console

from grader.metrics.runs.aggregates import summarize
from grader.metrics.runs.bootstrap import ratio_intervals, wilson_interval
from grader.metrics.space.boxes3d import yaw_box
from grader.metrics.space.edit_tables import Background, Dataset, EditKind, edit_score, edit_table
from grader.metrics.space.edit_types import Detection
from grader.metrics.space.edits import score_move, score_remove, score_resize, score_rotate, score_view
from grader.report.data.estimates import Estimate, Resampling
from grader.report.data.reading import read_runs
from grader.report.make import make_report
from grader.report.tables.build import TableOptions, build_tables
from grader.report.tables.edit_scores import operation_of, scores_of
from grader.report.tables.table import Part, row_texts
from grader.report.tables.writers import print_tables
from grader.tasks.spatial_edit.judging.judge import EditEvidence
from grader.tasks.spatial_edit.metrics import edit_metrics
from tests.samples.report import FAIL, MEASURED, PASS, UNGRADABLE, Line, small_run, write_run

SOURCE = yaw_box([0.0, 0.2, 2.0, 0.3, 0.5, 0.4, 0.4])
MOVED = yaw_box([0.5, 0.2, 2.0, 0.3, 0.5, 0.4, 0.4])
TURNED = yaw_box([0.0, 0.2, 2.0, 0.3, 0.5, 0.4, 1.4])
GROWN = yaw_box([0.0, 0.2, 2.0, 0.45, 0.75, 0.6, 0.4])
ALIKE, OTHER = Background(0.9, 0.2), Background(0.1, 0.9)


def found(*boxes):
    return [Detection("chair", box) for box in boxes]


MOVE = score_move("chair", SOURCE, MOVED, found(SOURCE), found(MOVED))
LOST = score_move("chair", SOURCE, MOVED, found(SOURCE), [])
TURN = score_rotate("chair", SOURCE, TURNED, found(TURNED))
NO_TURN = score_rotate("chair", SOURCE, TURNED, [])
NO_RESIZE = score_resize("chair", SOURCE, GROWN, found(SOURCE))
SIZE_LOST = score_resize("chair", SOURCE, GROWN, [])
REMOVAL = score_remove(SOURCE, found(SOURCE), [])
VIEW = score_view(0.8, 0.2)


def score_of(measures, background=ALIKE, rating=None):
    return edit_score(measures, Dataset.REAL, background, rating)


def line(name, end, measures=None, background=ALIKE, rating=None, **more):
    """An item whose metrics are those that a verdict would list."""
    metrics, score = {}, None
    if measures is not None:
        made = score_of(measures, background, rating)
        metrics = {metric.name: metric.value for metric in edit_metrics(made, EditEvidence((), background))}
        score = made.scores.sa.value
    more = {"tags": {"dataset": "GSI-Real"}, "task": "spatial_edit", "model": "A"} | more
    return Line(name, end, score=score, metrics=metrics, codes=("BARELY_MOVED",) if end == FAIL else (), **more)


JUDGED = {
    "a": (PASS, MOVE, ALIKE, 9.0),
    "b": (FAIL, NO_RESIZE, ALIKE, 10.0),
    "c": (FAIL, REMOVAL, OTHER, None),
    "d": (PASS, VIEW, Background(0.8, 0.2), 5.0),
}


def lines():
    """Model A on photographs: four judged, one that does not decode, one measured, one fault; B was only measured."""
    syn = {"model": "B", "tags": {"dataset": "GSI-Syn"}}
    return [
        *(line(name, *said) for name, said in JUDGED.items()),
        line("e", UNGRADABLE),
        line("f", MEASURED, MOVE, None, 9.0),
        line("g", (13, "INTERNAL")),
        line("h", MEASURED, LOST, None, **syn),
        line("i", MEASURED, TURN, None, **syn),
    ]


def tables_of(folder, said, **options):
    results = read_runs([write_run(folder, said)])
    return {table.key: table for table in build_tables(results, TableOptions(**options))}


def rows_of(table):
    keys = [column.key for column in table.columns]
    return [dict(zip(keys, row, strict=True)) for row in table.rows]


def numbers(row, *keys):
    return [(None if row[key].value is None else round(row[key].value, 4), row[key].n) for key in keys]


def test_scores_are_those_of_the_benchmarks_table(tmp_path):
    """SA of the change of size that was not made: each axis is 1 / 1.5 of what was asked, exp(-ln^2 1.5) = 0.8484.

    The gate fails the removal, whose IC, SA and EL are 0; it has no rating. The view has no EL; its SA is
    0.5 x 0.8 + 0.5 x (1 - 0.2) = 0.8. What does not decode is a candidate without figures.
    """
    (row,) = rows_of(tables_of(tmp_path, lines())["spatial_edit_scores"])
    assert (row["dataset"], row["model"], row["candidates"], row["ungradable"]) == ("GSI-Real", "A", 5, 1)
    no_op = math.exp(-(math.log(1.5) ** 2))
    assert round(no_op, 4) == 0.8484
    sa, el, ac = 100 * (1 + no_op + 0 + 0.8) / 4, (80 + 0 + 0) / 3, (90 + 0 + 50) / 3
    assert numbers(row, "ic", "sa", "sa_ic", "el", "ac") == [
        (50.0, 4),  # (1 + 0 + 0 + 1) / 4
        (round(sa, 4), 4),
        (45.0, 4),  # (1 + 0 + 0 + 0.8) / 4: no edit earns SA, but no IC
        (round(el, 4), 3),
        (round(ac, 4), 3),
    ]
    assert row["avg"].value == pytest.approx((50 + sa + el + ac) / 4, abs=1e-9)


def test_means_are_taken_by_the_same_function(tmp_path):
    (row,) = rows_of(tables_of(tmp_path, lines())["spatial_edit_scores"])
    table = edit_table([score_of(*said).scores for _, *said in JUDGED.values()])
    for name in ("ic", "sa", "sa_ic", "el", "ac"):
        mean = getattr(table.all, name)
        assert (row[name].value, row[name].n) == (mean.value, mean.n)
    assert row["avg"].value == table.all.average


def test_sa_by_operation(tmp_path):
    said = [*lines(), line("j", FAIL, LOST), line("k", PASS, MOVE, model="C", tags={"dataset": "GSI-Syn"})]
    real, syn = rows_of(tables_of(tmp_path, said)["spatial_edit_sa_by_operation"])
    assert list(real) == ["dataset", "model", "move", "resize", "remove", "view", "all"]
    # Of two moves one is perfect and one lost the object. 100 exp(-ln^2 1.5) = 84.8401.
    assert numbers(real, "move", "resize", "remove", "view") == [(50.0, 2), (84.8401, 1), (0.0, 1), (80.0, 1)]
    assert real["all"].n == 5
    assert (syn["dataset"], syn["model"]) == ("GSI-Syn", "C")
    assert numbers(syn, "move", "view", "all") == [(100.0, 1), (None, 0), (100.0, 1)]


def test_figures_in_three_classes(tmp_path):
    """The four judged ones, and four more whose SA, and EL and AC over 100, lie at the bounds."""
    said = lines()
    for name, value in (("x", 0.7), ("y", 0.7001), ("z", 0.1), ("w", 0.1001)):
        one = line(name, FAIL, MOVE)
        one.metrics.update(sa=value, el=100 * value, ac=100 * value)
        said.append(one)
    rows = {row["figure"]: row for row in rows_of(tables_of(tmp_path, said)["spatial_edit_classes"])}
    found = {name: tuple(row[one] for one in ("completely", "partially", "not_at_all")) for name, row in rows.items()}
    # 1, 0.8484, 0.8 and 0.7001 are above 0.7; 0.7 and 0.1001 above 0.1; 0 and 0.1 are not.
    assert found["SA"] == (Part(4, 8), Part(2, 8), Part(2, 8))
    # IC 1, 0, 0, 1, and four that are those of MOVE.
    assert found["IC"] == (Part(6, 8), Part(0, 8), Part(2, 8))
    # EL 80, 0 and 0, for the view has none; and the four.
    assert found["EL"] == (Part(2, 7), Part(2, 7), Part(3, 7))
    # AC 90, 0 and 50, for the removal has no rating; and the four.
    assert found["AC"] == (Part(2, 7), Part(3, 7), Part(2, 7))
    assert [row["n"] for row in rows.values()] == [8, 8, 7, 7]


def test_what_was_measured_stands_apart(tmp_path):
    tables = tables_of(tmp_path, lines())
    rows = {(row["model"], row["operation"]): row for row in rows_of(tables["spatial_edit_measured"])}
    assert list(rows) == [("A", "(all)"), ("A", "move"), ("B", "(all)"), ("B", "move"), ("B", "rotate")]
    figures = ("ic_ungated", "sa_ungated", "sa_ic_ungated")
    assert numbers(rows["A", "(all)"], *figures) == [(100.0, 1)] * 3
    assert numbers(rows["B", "(all)"], *figures) == [(50.0, 2)] * 3  # one lost, one turned as asked
    assert numbers(rows["B", "move"], *figures) == [(0.0, 1)] * 3
    assert rows["B", "(all)"]["measured"] == 2
    first, second = rows_of(tables["counts"])
    counted = ("items", "passed", "failed", "ungradable", "measured", "grader_failures", "candidates")
    assert [first[name] for name in counted] == [7, 2, 2, 1, 1, 1, 5]
    assert [second[name] for name in counted] == [2, 0, 0, 0, 2, 0, 0]
    assert (first["pass_rate"].value, first["pass_rate"].n) == (2 / 5, 5)
    assert [second[name].value for name in ("pass_rate", "score", "reward")] == [None] * 3


def test_a_measured_attempt_is_no_attempt_that_failed(tmp_path):
    """p1: measured, then passed. p2: failed. Of p1's first attempt nothing is known, so pass@1 is over p2 alone."""
    said = [
        line("p1/1", MEASURED, MOVE, None, puzzle="p1", attempt=1),
        line("p1/2", PASS, MOVE, puzzle="p1", attempt=2),
        line("p2/1", FAIL, LOST, puzzle="p2", attempt=1),
    ]
    (row,) = rows_of(tables_of(tmp_path, said)["spatial_edit_by_model"])
    assert (row["candidates"], row["puzzles"]) == (2, 2)
    assert (row["pass_rate"].value, row["pass_rate"].n) == (1 / 2, 2)
    assert (row["pass_at_1"].value, row["pass_at_1"].n) == (0.0, 1)
    summary = summarize(tmp_path / "run" / "results.jsonl")
    assert (summary.measured, summary.passed, summary.failed, summary.candidates) == (1, 1, 1, 2)
    assert summary.pass_rate == 1 / 2


def test_only_what_there_is_has_a_table(tmp_path):
    plain = tables_of(tmp_path / "maze", small_run())
    assert not [key for key in plain if key.startswith("spatial_edit")]
    measured = tables_of(tmp_path / "measured", [line("a", MEASURED, MOVE, None)])
    own = {"spatial_edit_scores", "spatial_edit_sa_by_operation", "spatial_edit_classes", "spatial_edit_measured"}
    assert own & set(measured) == {"spatial_edit_measured"}
    judged = tables_of(tmp_path / "judged", [line("a", PASS, MOVE, tags={})])
    assert own & set(judged) == own - {"spatial_edit_measured"}
    # Without the tag, rows are by model alone.
    assert [column.key for column in judged["spatial_edit_scores"].columns][:2] == ["model", "candidates"]


def test_candidates_without_a_figure_say_why(tmp_path):
    tables = tables_of(tmp_path, [line("a", UNGRADABLE), line("b", UNGRADABLE)])
    (row,) = rows_of(tables["spatial_edit_scores"])
    assert (row["candidates"], row["ungradable"]) == (2, 2)
    assert [row[name].value for name in ("ic", "sa", "el", "ac", "avg")] == [None] * 5
    assert (row["ic"].why, row["avg"].why) == ("UNGRADABLE (2)", "no mean of IC, SA, EL, AC")
    (row,) = rows_of(tables["spatial_edit_sa_by_operation"])
    assert list(row) == ["dataset", "model", "all"]
    for row in rows_of(tables["spatial_edit_classes"]):
        assert (row["n"], row["completely"]) == (0, Part(0, 0))


@pytest.mark.parametrize("background", [ALIKE, OTHER, Background(None, None, empty=True), None])
@pytest.mark.parametrize("rating", [None, 0.0, 7.0])
@pytest.mark.parametrize(
    ("measures", "operation"),
    [
        (MOVE, EditKind.MOVE),
        (LOST, EditKind.MOVE),
        (TURN, EditKind.ROTATE),
        (NO_TURN, EditKind.ROTATE),
        (NO_RESIZE, EditKind.RESIZE),
        (SIZE_LOST, EditKind.RESIZE),
        (REMOVAL, EditKind.REMOVE),
        (VIEW, EditKind.VIEW),
    ],
)
def test_a_verdict_says_all_that_the_table_needs(tmp_path, measures, operation, background, rating):
    """Read back from a run: the same operation and the same figures, gated or not."""
    if measures is VIEW:
        background = Background(0.8, 0.2)  # a view is judged by it
    made = score_of(measures, background, rating)
    end = MEASURED if made.scores.ic.value is None else FAIL
    (record,) = read_runs([write_run(tmp_path, [line("a", end, measures, background, rating)])]).records
    assert operation_of(record) is operation
    scores, ungated = scores_of(record), scores_of(record, ungated=True)
    for name in ("ic", "sa", "el", "ac", "sa_ic"):
        assert getattr(scores, name).value == getattr(made.scores, name).value
    assert (ungated.ic.value, ungated.sa.value) == (made.ic_ungated, made.sa_ungated)
    assert (ungated.el.value, ungated.ac.value) == (made.el_ungated.value, made.ac_ungated.value)
    assert ungated.sa_ic.value == made.ic_ungated * made.sa_ungated


def test_it_is_in_everything_that_a_report_writes(tmp_path):
    run = write_run(tmp_path, lines())
    report = make_report([run], examples=0)
    tables = {table["key"]: table for table in json.loads((run / "report" / "tables.json").read_text())["tables"]}
    (scores,) = tables["spatial_edit_scores"]["rows"]
    # Of four puzzles two have IC: none and all of them are drawn often enough (1/16 each) to be the bounds.
    assert scores[4] == {"value": 50.0, "n": 4, "low": 0.0, "high": 100.0}
    (first,) = csv.DictReader(io.StringIO((run / "report/tables/spatial_edit_scores.csv").read_text()))
    assert (first["dataset"], first["ic"], first["ic_n"], first["el_n"]) == ("GSI-Real", "50.0", "4", "3")
    page = report.page.read_text(encoding="utf-8")
    for title in ("spatial_edit: scores", "SA by operation", "three classes", "measured, not judged"):
        assert title in page
    stream = io.StringIO()
    print_tables(report.tables, report.notes, Console(file=stream, width=160))
    text = stream.getvalue()
    assert "above 0.7 is completely as asked" in text
    assert "3 (75.0 %)" in text
    assert report.notes == ()


def test_a_run_of_measured_edits_alone_is_reported(tmp_path):
    run = write_run(tmp_path, [line("a", MEASURED, MOVE, None), line("b", MEASURED, REMOVAL, None)])
    report = make_report([run])
    assert "measured, not judged" in report.page.read_text(encoding="utf-8")
    values = [cell for table in report.tables for row in table.rows for cell in row if isinstance(cell, Estimate)]
    assert all(cell.value is None or math.isfinite(cell.value) for cell in values)


def test_a_missing_figure_says_its_n_and_why(tmp_path):
    """Of the four judged, three have a rating; of C's, none."""
    said = [*lines(), line("j", FAIL, LOST, model="C"), line("k", UNGRADABLE, model="C")]
    table = tables_of(tmp_path, said)["spatial_edit_scores"]
    texts = {row[1]: row_texts(table, row) for row in table.rows}
    place = [column.key for column in table.columns].index("ac")
    assert texts["A"][place].endswith("n=3")
    assert texts["A"][place + 1].endswith("n=3")  # the average is over as many as its thinnest part
    assert texts["C"][place : place + 2] == ["-", "-"]
    (_, row) = rows_of(table)
    assert row["ac"].why == "it was not asked for (1); UNGRADABLE (1)"  # in the verdict's own words


def test_intervals_keep_the_edits_of_a_picture_together(tmp_path):
    """Six pictures of five edits each: all of a picture's are perfect, or all lost the object.

    With pictures drawn whole, the interval of IC is that of six values; with edits of their own, that of thirty.
    """
    apart, together = [], []
    for at in range(30):
        end, measures = (PASS, MOVE) if at // 5 % 2 else (FAIL, LOST)
        apart.append(line(f"e{at}", end, measures, rating=8.0))
        together.append(line(f"e{at}", end, measures, rating=8.0, edited=f"digest {at // 5}"))
    tagged = [
        replace(one, tags={"dataset": "GSI-Real", "source_image": f"room {at // 5}"}) for at, one in enumerate(apart)
    ]
    widths = {}
    for name, said in (("apart", apart), ("together", together), ("tagged", tagged)):
        (row,) = rows_of(tables_of(tmp_path / name, said)["spatial_edit_scores"])
        for figure in ("ic", "sa", "sa_ic", "el", "ac", "avg"):
            found = row[figure]
            assert found.interval.low < found.value < found.interval.high
            widths[name, figure] = found.interval.high - found.interval.low
    sums = np.zeros((6, 2))
    sums[:, 0], sums[:, 1] = [0, 500, 0, 500, 0, 500], 5
    (expected,) = ratio_intervals(sums[:, :1], sums[:, 1:], resamples=1000, seed=0)
    assert widths["together", "ic"] == widths["tagged", "ic"] == pytest.approx(expected.high - expected.low, abs=1e-9)
    assert all(widths["together", one] > 1.5 * widths["apart", one] for one in ("ic", "sa", "avg"))


def test_the_average_s_interval_is_that_of_averages(tmp_path):
    """IC and SA of the first kind are 1, of the second 0, and EL and AC go with them: so the average goes with IC."""
    said = [line(f"e{at}", PASS, MOVE, Background(0.9, 0.0), 10.0) for at in range(8)]
    said += [line(f"f{at}", FAIL, LOST, Background(0.9, 0.0), 10.0) for at in range(8)]
    (row,) = rows_of(tables_of(tmp_path, said)["spatial_edit_scores"])
    assert row["avg"].value == row["ic"].value == 50.0
    assert row["avg"].interval.low == pytest.approx(row["ic"].interval.low, abs=1e-9)
    assert row["avg"].interval.high == pytest.approx(row["ic"].interval.high, abs=1e-9)


def test_intervals_are_left_out_where_they_are_not_wanted_or_say_nothing(tmp_path):
    (row,) = rows_of(tables_of(tmp_path / "none", lines(), resampling=Resampling(0))["spatial_edit_scores"])
    assert {row[name].interval for name in ("ic", "sa", "avg")} == {None}
    alike = [line(f"e{at}", PASS, MOVE, rating=8.0) for at in range(4)]
    (row,) = rows_of(tables_of(tmp_path / "alike", alike)["spatial_edit_scores"])
    assert {row[name].interval for name in ("sa", "el", "ac", "avg")} == {None}
    # A rate of 1 has Wilson's: 4 of 4.
    assert row["ic"].interval.low == pytest.approx(100 * wilson_interval(4, 4).low)
    assert row["ic"].interval.high == 100.0


def test_a_turn_of_the_camera_stays_in_the_denominator(tmp_path):
    """IC = SA = 0 with a reason of its own and one more figure: one of two turns counts as 0."""
    turned = line("a", FAIL, TURN)
    zero = dict.fromkeys(("ic", "sa", "sa_ic", "el"), 0.0)
    moved = replace(turned, metrics=turned.metrics | zero | {"viewpoint_rad": 0.3}, codes=("VIEWPOINT_CHANGED",))
    absent = line("b", PASS, TURN)
    absent.metrics["viewpoint_rad"] = None
    tables = tables_of(tmp_path, [moved, absent])
    (row,) = rows_of(tables["spatial_edit_scores"])
    assert (row["ic"].value, row["ic"].n, row["sa"].value, row["sa"].n) == (50.0, 2, 50.0, 2)
    (row,) = rows_of(tables["spatial_edit_sa_by_operation"])
    assert (row["rotate"].value, row["rotate"].n) == (50.0, 2)
