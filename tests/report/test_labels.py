"""What people said of edits beside the verdicts: files of labels, agreement, kappa, and what is left out."""

import csv
import io

import numpy as np
import pytest
from typer.testing import CliRunner

from grader.cli.main import app
from grader.metrics.runs.agreement import kappa_interval
from grader.metrics.space.edit_tables import HumanClass
from grader.report.data.estimates import Resampling
from grader.report.data.labels import Aspect, read_labels
from grader.report.data.reading import read_runs
from grader.report.data.records import ReportError
from grader.report.make import make_report
from grader.report.tables.build import TableOptions, build_tables, notes_of
from grader.report.tables.table import Part
from tests.report.test_edits import rows_of
from tests.samples.report import FAIL, MEASURED, PASS, UNGRADABLE, Line, write_run

FULL, PART, NONE = HumanClass.COMPLETELY, HumanClass.PARTIALLY, HumanClass.NOT_AT_ALL


def edit(name, end=PASS, *, ic=1.0, el=90.0, ac=None, **more):
    """A move with its figures; SA is 0.5."""
    metrics = {"ic": ic, "sa": 0.5, "sa_ic": 0.5, "el": el, "ac": ac, "el_ungated": 95.0, "ac_ungated": ac}
    metrics["count_before"] = 1.0
    return Line(name, end, metrics=metrics if end in (PASS, FAIL) else {}, task="spatial_edit", **more)


def tables_of(folder, said, text, name="people.csv", **options):
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text)
    results = read_runs([write_run(folder, said)])
    labels = read_labels([folder / name])
    made = {table.key: table for table in build_tables(results, TableOptions(**options), labels=labels)}
    return made, notes_of(results, labels)


def agreement(tables, model="A"):
    return {row["figure"]: row for row in rows_of(tables["spatial_edit_agreement"]) if row["model"] == model}


TEN = """request_id,ic,el
a0,completely,completely
a1,completely,completely
a2,completely,completely
a3,completely,completely
a4,completely,partially
a5,not at all,not_at_all
a6,not at all,not_at_all
a7,not at all,not_at_all
a8,partially,not_at_all
a9,completely,
"""


def ten():
    """Five that have IC and an EL of 90, and five without."""
    return [
        edit(f"a{at}", *((PASS,) if at < 5 else (FAIL,)), **({} if at < 5 else {"ic": 0.0, "el": 0.0}))
        for at in range(10)
    ]


def test_agreement_and_kappa(tmp_path):
    """IC: people (rows), verdicts (columns).

                completely  not at all
    completely       5           1
    partially        0           1
    not at all       0           3

    8 of 10 agree, by chance (6 x 5 + 1 x 0 + 3 x 5) / 100 = 0.45 would, so kappa is (0.8 - 0.45) / (1 - 0.45).
    EL: 4 and 4 of 9 agree, for one is not labelled: a4's label is "partially" beside 0.9.
    By chance (4 x 5 + 1 x 0 + 4 x 4) / 81, so kappa is (8/9 - 36/81) / (1 - 36/81) = (72 - 36) / (81 - 36).
    """
    tables, notes = tables_of(tmp_path, ten(), TEN)
    found = agreement(tables)
    assert list(found) == ["IC", "EL", "SA, by labels of IC", "EL whatever IC is"]  # no AC: nobody labelled it
    assert (found["IC"]["n"], found["IC"]["edits"], found["IC"]["study"]) == (10, 10, "0.7167")
    assert found["IC"]["agreement"].value == pytest.approx(0.8, abs=1e-12)
    assert found["IC"]["kappa"].value == pytest.approx(0.35 / 0.55, abs=1e-12)
    assert (found["EL"]["n"], found["EL"]["study"]) == (9, "0.8056")
    assert found["EL"]["agreement"].value == pytest.approx(8 / 9, abs=1e-12)
    assert found["EL"]["kappa"].value == pytest.approx(36 / 45, abs=1e-12)
    # SA is 0.5 throughout, so partially: once people say that of IC. Chance gives 1/10 too.
    assert found["SA, by labels of IC"]["agreement"].value == pytest.approx(0.1, abs=1e-12)
    assert found["SA, by labels of IC"]["kappa"].value == pytest.approx(0.0, abs=1e-12)
    # 95 whatever IC is: completely, as people say four times of nine.
    assert found["EL whatever IC is"]["agreement"].value == pytest.approx(4 / 9, abs=1e-12)
    assert found["EL whatever IC is"]["study"] == ""
    assert notes == []
    confusion = {(row["figure"], row["people"]): row for row in rows_of(tables["spatial_edit_people"])}
    row = confusion["IC", "completely"]
    assert (row["n"], row["completely"], row["partially"], row["not_at_all"]) == (6, Part(5, 6), Part(0, 6), Part(1, 6))
    assert confusion["EL", "partially"]["completely"] == Part(1, 1)


def test_intervals_keep_the_edits_of_a_picture_together(tmp_path):
    said = [edit(f"a{at}", edited=f"digest {at % 4}", **({} if at < 5 else {"ic": 0.0, "el": 0.0})) for at in range(10)]
    row = agreement(tables_of(tmp_path, said, TEN)[0])["IC"]
    assert row["agreement"].interval.low <= 0.8 <= row["agreement"].interval.high
    counts = np.zeros((4, 3, 3))
    people = [FULL] * 5 + [NONE] * 3 + [PART, FULL]
    for at, person in enumerate(people):
        counts[at % 4, person, FULL if at < 5 else NONE] += 1
    assert row["kappa"].interval == kappa_interval(counts, resamples=1000, seed=0)
    bare = agreement(tables_of(tmp_path / "bare", said, TEN, resampling=Resampling(0))[0])["IC"]
    assert (bare["agreement"].interval, bare["kappa"].interval) == (None, None)


def test_several_people_count_each_and_are_compared_with_each_other(tmp_path):
    """IC: a completely, completely, partially beside 1; b not at all twice beside 0: 4 of 5 agree.

    Among themselves: of a's three pairs one agrees, of b's one that one: 2 of 4.
    """
    said = ("x,a,completely", "y,a,Completely consistent", "z,a,partially", "x,b,not at all", "y,b,not at all")
    text = "\n".join(("rater,request_id,ic", *said, ""))
    tables, _ = tables_of(tmp_path, [edit("a"), edit("b", FAIL, ic=0.0)], text)
    row = agreement(tables)["IC"]
    assert (row["n"], row["edits"]) == (5, 2)
    assert row["agreement"].value == pytest.approx(4 / 5)
    assert (row["people"].value, row["people"].n) == (2 / 4, 4)


def test_what_has_no_figure_is_left_out_and_said(tmp_path):
    said = [edit("a"), edit("b", UNGRADABLE), edit("c", MEASURED), edit("d", (13, "INTERNAL")), edit("e", None)]
    text = "request_id,ic,ac\n" + "".join(f"{name},completely,partially\n" for name in "abcde")
    found = agreement(tables_of(tmp_path, said, text)[0])
    assert (found["IC"]["n"], found["IC"]["agreement"].value) == (1, 1.0)
    assert found["IC"]["kappa"].why == "all labels and all verdicts are in one and the same class"
    assert (found["AC"]["n"], found["AC"]["agreement"].value) == (0, None)
    assert found["AC"]["agreement"].why.startswith("UNGRADABLE (2); it was not asked for (1)")


def test_models_have_rows_of_their_own_and_one_for_all(tmp_path):
    said = [edit("a"), edit("b", model="B"), edit("c", model="C")]
    tables, _ = tables_of(tmp_path, said, "request_id,ic\na,completely\nb,partially\n")
    rows = {row["model"]: row for row in rows_of(tables["spatial_edit_agreement"]) if row["figure"] == "IC"}
    assert {name: row["n"] for name, row in rows.items()} == {"A": 1, "B": 1, "C": 0, "(all)": 2}
    assert rows["(all)"]["agreement"].value == 0.5
    assert rows["C"]["agreement"].why == "people labelled none of them"


def test_labels_of_nothing_are_said(tmp_path):
    said = [edit("a"), Line("m", PASS)]
    tables, notes = tables_of(tmp_path, said, "request_id,ic\na,completely\nm,completely\nx,\ny,partially\n")
    assert notes == [
        "3 of 4 labelled candidates are no item of the task spatial_edit in these runs, and count nowhere: m, x, y."
    ]
    assert agreement(tables)["IC"]["n"] == 1
    plain, _ = tables_of(tmp_path / "none", said, "request_id,ic\na,\n")
    assert "spatial_edit_agreement" not in plain


def test_the_two_forms_say_the_same(tmp_path):
    (tmp_path / "a.csv").write_text(
        '\ufeffRequest_ID, Rater ,IC,comment\n"a, b",x,partially,"well,\nso"\n\nc,,not at all,\n'
    )
    (tmp_path / "a.jsonl").write_text(
        '{"request_id": "a, b", "rater": "x", "ic": "partially", "ac": null, "seconds": 3}\n\n'
        '{"request_id": "c", "ic": "not_at_all"}\n'
    )
    table, lines = (read_labels([tmp_path / name]) for name in ("a.csv", "a.jsonl"))
    assert table == lines
    assert table.by_request["a, b"][0].classes == {Aspect.IC: PART}
    assert table.aspects == (Aspect.IC,)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.csv", "", r"a\.csv:1: needs request_id and one or more of ic, el, ac"),
        (
            "a.csv",
            "request_id,note\na,b\n",
            r"a\.csv:1: needs request_id and one or more of ic, el, ac; it has request_id",
        ),
        ("a.csv", "request_id,ic,ic\n", r"a\.csv:1: a column is there twice"),
        ("a.csv", "request_id,ic\n,completely\n", r"a\.csv:2: request_id is empty"),
        ("a.csv", "request_id,ic\na,2\n", r"a\.csv:2: ic is '2'; write one of completely, partially, not_at_all"),
        ("a.csv", "request_id,ic\na,completely,3\n", r"a\.csv:2: has 3 cells, not 2"),
        ("a.csv", 'request_id,ic\na,"comp\n', r"a\.csv:\d: is no CSV"),
        ("a.csv", "request_id,ic\na,\nb,\na,\n", r"a\.csv:4: 'a' is labelled in .*a\.csv:2 too; name the people"),
        ("a.csv", "request_id,rater,ic\na,x,\na,x,\n", r"a\.csv:3: 'a' is labelled in .*a\.csv:2 too by 'x'"),
        ("a.jsonl", "[]\n", r"a\.jsonl:1: must be an object"),
        ("a.jsonl", "{\n", r"a\.jsonl:1: is no JSON"),
        ("a.jsonl", r'{"request_id": "\ud800", "ic": ""}' + "\n", r"a\.jsonl:1: is no JSON .*surrogate"),
        ("a.csv", ",".join(f"c{n}" for n in range(100_000)), r"it has c0, .*, c11 and 99988 more$"),
        ("a.csv", "c" * 1000, rf"it has {'c' * 40}\.\.\.$"),
        ("a.jsonl", '{"request_id": "a", "ic": 2}\n', r"a\.jsonl:1: ic must be a text, not 2"),
        ("a.jsonl", '{"request_id": "a"}\n', r"a\.jsonl:1: needs request_id and one or more of"),
        ("a.txt", "", r"a\.txt: labels are read from \.csv and \.jsonl files"),
    ],
)
def test_a_broken_file_is_named(tmp_path, name, text, message):
    (tmp_path / name).write_text(text)
    with pytest.raises(ReportError, match=message):
        read_labels([tmp_path / name])


def test_text_in_another_coding_is_named(tmp_path):
    (tmp_path / "a.csv").write_bytes("request_id,ic\n\u00e4,".encode("latin-1"))
    with pytest.raises(ReportError, match=r"a\.csv: is not in UTF-8"):
        read_labels([tmp_path / "a.csv"])


def test_the_command_takes_labels(tmp_path):
    run = write_run(tmp_path, ten())
    (tmp_path / "people.csv").write_text(TEN)
    done = CliRunner().invoke(app, ["report", str(run), "--labels", str(tmp_path / "people.csv")])
    assert done.exit_code == 0, done.output
    assert "agreement with people" in done.output
    assert "0.7167" in done.output
    (first, *_) = csv.DictReader(io.StringIO((run / "report/tables/spatial_edit_agreement.csv").read_text()))
    assert (first["figure"], first["agreement"], first["agreement_n"], first["study"]) == ("IC", "0.8", "10", "0.7167")
    missing = CliRunner().invoke(app, ["report", str(run), "--labels", str(tmp_path / "none.csv")])
    assert (missing.exit_code, "No such file" in missing.stderr) == (1, True)
    assert "agreement" not in make_report([run], examples=0).page.read_text(encoding="utf-8")
