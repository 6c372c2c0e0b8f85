"""Tables of jigsaw puzzles: the published baselines and means, people, correlations, intervals by photograph."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom, spearmanr

from grader.metrics.runs.correlation import pearson, spearman
from grader.metrics.runs.guessing import least_beyond_chance
from grader.report.data.beside import GivenRole, GivenRow, read_given
from grader.report.data.chances import Chances
from grader.report.data.estimates import Resampling
from grader.report.data.reading import read_runs
from grader.report.data.records import ReportError
from grader.report.tables.build import TableOptions, build_tables
from grader.report.tables.jigsaw.kinds import KINDS, OVERALL_KINDS, guess_rows, jigsaw_tables
from grader.tasks.common.chance import ChanceLevel
from grader.tasks.jigsaw.spec import SPEC
from tests.samples.report import FAIL, PASS, Line, write_run

PUBLISHED = Path(__file__).with_name("published.csv")
OVERALL = {"Gemini-2.5-Pro": 77.14, "Gemini-2.5-Flash-Thinking": 72.42, "InternVL3-78B": 68.79, "Grok2-Vision": 42.70}
HOW = Resampling(resamples=200)


def rows_of(table):
    keys = [column.key for column in table.columns]
    return [dict(zip(keys, row, strict=True)) for row in table.rows]


def per_cent(row):
    return [round(100 * row[kind].value, 2) for kind in (*OVERALL_KINDS, "overall")]


# --- the published numbers ---


def questions(n):
    """Chances of a guess at n questions of each kind; half of the anomalies are none."""
    chances = dict.fromkeys(KINDS, [1 / 4] * n)
    halves = {"localization_easy": [1 / 2] * n, "connection": [1 / 3] * n, "anomaly": [1 / 2, 1 / 16] * (n // 2)}
    return chances | halves | {"order_generation": [1 / 24] * n}


def test_guessing():
    """(1/2 + 1/16) / 2 = 28.125 %; (25 + 25 + 50 + 25 + 33.33 + 28.13 + 25) / 7 = 30.21."""
    random, _ = guess_rows(questions(1100))
    columns = [round(100 * random.kinds[kind].value, 2) for kind in OVERALL_KINDS]
    assert columns == [25.0, 25.0, 50.0, 25.0, 33.33, 28.13, 25.0]
    assert round(100 * random.overall.value, 2) == 30.21


def test_what_is_more_than_guessing():
    """300, 578, 393 and 335 of 1100; (4 x 27.3 + 52.5 + 35.7 + 30.5) / 7 = 32.557."""
    _, least = guess_rows(questions(1100))
    columns = [round(100 * least.kinds[kind].value, 2) for kind in OVERALL_KINDS]
    assert columns == [27.3, 27.3, 52.5, 27.3, 35.7, 30.5, 27.3]
    assert round(100 * least.overall.value, 2) == 32.56


@pytest.mark.parametrize(
    ("n", "chance"), [(1100, 0.25), (1100, 0.5), (1100, 1 / 3), (1100, 0.28125), (220, 1 / 24), (7, 0.5)]
)
def test_the_least_count_beyond_chance_is_that_of_the_binomial(n, chance):
    least = least_beyond_chance(n, chance)
    assert binom.sf(least - 1, n, chance) < 0.05 <= binom.sf(least - 2, n, chance)


def test_few_questions_may_say_nothing():
    assert least_beyond_chance(4, 0.5) is None  # all four right: 1/16
    assert least_beyond_chance(5, 0.5) == 5  # 1/32
    _, least = guess_rows({kind: [0.5] * 4 for kind in KINDS})
    assert least.kinds["anomaly"].value is None
    assert least.overall.value is None
    with pytest.raises(ValueError, match="0 questions"):
        least_beyond_chance(0, 0.5)


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """The tables of a run with one question, beside the published rows."""
    line = Line("a", PASS, "p", 1, "mine", 1.0, {}, tags={"kind": "anomaly"}, task="jigsaw")
    results = read_runs([write_run(tmp_path_factory.mktemp("run"), [line])])
    options = TableOptions(given=read_given([PUBLISHED], tuple(KINDS)), resampling=HOW)
    return {table.key: table for table in build_tables(results, options)}


def test_the_overall_column_is_the_mean_of_seven(published):
    rows = {row["model"]: row for row in rows_of(published["jigsaw_kinds"])}
    for name, overall in OVERALL.items():
        assert round(100 * rows[name]["overall"].value, 2) == overall
    assert per_cent(rows["Gemini-2.5-Pro"]) == [99.91, 97.18, 78.82, 61.09, 59.36, 70.0, 73.64, 77.14]
    assert per_cent(rows["Human Performance"])[-1] == 96.36
    assert [row["role"] for row in rows_of(published["jigsaw_kinds"])] == [
        *("chance", "chance", "person"),
        *["given"] * 24,
        "model",
    ]
    # One question is not seven columns.
    assert rows["mine"]["overall"].value is None


def test_kinds_that_go_together(published):
    """Over the 24 published models, people left out; as numpy and scipy have it."""
    given = [row for row in read_given([PUBLISHED], tuple(KINDS)) if row.role is GivenRole.MODEL]
    assert len(given) == 24
    values = {kind: [row.values[kind] for row in given] for kind in OVERALL_KINDS}
    for key, outside in (
        ("pearson", lambda a, b: np.corrcoef(a, b)[0, 1]),
        ("spearman", lambda a, b: spearmanr(a, b)[0]),
    ):
        rows = {row["name"]: row for row in rows_of(published[f"jigsaw_kinds_{key}"])}
        for one, title in list(OVERALL_KINDS.items())[:5]:
            for other, called in list(OVERALL_KINDS.items())[:5]:
                assert rows[title][called].value == pytest.approx(outside(values[one], values[other]), abs=1e-9)
    models = {row["name"]: row for row in rows_of(published["jigsaw_models_pearson"])}
    assert models["GPT-4o"]["GPT-4o"].value == pytest.approx(1)
    assert "Human Performance" not in models
    # One question of one model says nothing about how it goes together with others.
    assert "mine" not in models


# --- correlations ---


def test_pearson():
    # deviations (-1, 0, 1) and (-3, -1, 4): 7 / sqrt(2 x 26)
    assert pearson([1, 2, 3], [2, 4, 9]) == pytest.approx(7 / 52**0.5)
    assert pearson([1, 2, 3], [3, 2, 1]) == pytest.approx(-1)
    assert pearson([1, 2], [2, 4]) is None
    assert pearson([0.1, 0.1, 0.1], [1, 2, 3]) is None
    with pytest.raises(ValueError, match="3 and 2"):
        pearson([1, 2, 3], [1, 2])


def test_spearman():
    # ranks 1 2 3 4 and 1 2 4 3: 1 - 6 x 2 / (4 x 15)
    assert spearman([1, 2, 3, 4], [10, 20, 40, 30]) == pytest.approx(0.8)
    # ranks 1.5 1.5 3 and 1 2 3: deviations (-.5 -.5 1) and (-1 0 1): 1.5 / sqrt(1.5 x 2)
    assert spearman([5, 5, 9], [1, 2, 3]) == pytest.approx(1.5 / 3**0.5)


# --- runs ---


def line(kind, photograph, end, number, model="m", **metrics):
    tags = {"kind": kind, "photograph": photograph}
    codes = () if end == PASS else ("WRONG_CHOICE",)
    return Line(
        f"{model}/{number}", end, f"p{number}", 1, model, float(end == PASS), metrics, codes, tags, task="jigsaw"
    )


def tables_of(folder, lines, how=HOW):
    records = list(read_runs([write_run(folder, lines)]).records)
    # What the manifest would say of a guess at each question.
    walk = SPEC.chance.walks[0]
    levels = {record.cluster: (ChanceLevel(walk, 1 / 4, True),) for record in records}
    return {table.key: table for table in jigsaw_tables("jigsaw", records, Chances(levels), how)}


def test_a_run_has_a_column_a_kind(tmp_path):
    """Of four questions of each of the seven kinds the first n are right, n = 4, 3, 2, 1, 4, 3, 2."""
    lines = [
        line(kind, f"photo{at}", PASS if at < right else FAIL, number * 4 + at)
        for number, (kind, right) in enumerate(zip(OVERALL_KINDS, (4, 3, 2, 1, 4, 3, 2), strict=True))
        for at in range(4)
    ]
    rows = {row["model"]: row for row in rows_of(tables_of(tmp_path, lines)["jigsaw_kinds"])}
    assert [rows["m"][kind].value for kind in OVERALL_KINDS] == [1.0, 0.75, 0.5, 0.25, 1.0, 0.75, 0.5]
    assert rows["m"]["overall"].value == pytest.approx(4.75 / 7)
    assert (rows["m"]["order_generation"].value, rows["m"]["order_generation"].n) == (None, 0)
    assert rows["random guess"]["connection"].value == 0.25
    assert rows["random guess"]["order_generation"].value is None


def test_intervals_draw_photographs(tmp_path):
    """Ten questions about each of two photographs, right about one of them: as two questions, not as twenty."""
    lines = [line("connection", f"photo{at % 2}", PASS if at % 2 else FAIL, at) for at in range(20)]
    found = rows_of(tables_of(tmp_path, lines)["jigsaw_kinds"])[-1]["connection"]
    assert (found.value, found.n) == (0.5, 20)
    assert (found.interval.low, found.interval.high) == (0.0, 1.0)
    alone = [line("connection", f"photo{at}", PASS if at % 2 else FAIL, at) for at in range(20)]
    narrow = rows_of(tables_of(tmp_path / "alone", alone)["jigsaw_kinds"])[-1]["connection"].interval
    assert 0.2 < narrow.low < 0.4 < 0.6 < narrow.high < 0.8  # 0.5 -+ 1.96 sqrt(0.25 / 20) = 0.28, 0.72


def test_anomalies_by_line(tmp_path):
    lines = [
        line("anomaly", "a", PASS, 1, judgment_right=1.0, position_right=1.0, change_right=1.0),
        line("anomaly", "b", FAIL, 2, judgment_right=1.0, position_right=0.0, change_right=1.0),
        line("anomaly", "c", FAIL, 3, judgment_right=0.0, position_right=0.0, change_right=0.0),
        line("anomaly", "d", FAIL, 4, judgment_right=1.0, position_right=1.0, change_right=0.0),
    ]
    (row,) = rows_of(tables_of(tmp_path, lines)["jigsaw_anomaly_lines"])
    assert [row[name].value for name in ("whole", "judgment_right", "position_right", "change_right")] == [
        *(1 / 4, 3 / 4, 2 / 4, 2 / 4),
    ]


def test_runs_without_kinds_have_no_such_table(tmp_path):
    untold = Line("a", PASS, "p", 1, "m", 1.0, task="jigsaw")
    assert tables_of(tmp_path, [untold]) == {}


# --- rows from a file ---


def given(folder, text):
    file = folder / "people.csv"
    file.write_text(text)
    return read_given([file], ("anomaly", "connection"))


def test_rows_are_read(tmp_path):
    assert given(tmp_path, "name,role,anomaly,connection\nme,,97.5,\nM,model,50,0\n") == (
        GivenRow("me", GivenRole.PERSON, {"anomaly": 0.975}),
        GivenRow("M", GivenRole.MODEL, {"anomaly": 0.5, "connection": 0.0}),
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("anomaly\n3\n", "there is no name"),
        ("name,anomali\nme,3\n", "anomali is none of them"),
        ("name,anomaly\nme,103\n", "people.csv:2: anomaly is '103'; give per cent, 0 to 100"),
        ("name,anomaly\nme,much\n", "give per cent"),
        ("name,role,anomaly\nme,robot,3\n", "role is 'robot'; it is person or model"),
        ("name,anomaly\nme,3\nme,4\n", "me: is there twice"),
        ("name,anomaly\nme,3,4\n", "no more cells than the header"),
        ("name,anomaly\n,3\n", "needs a name"),
        ('name,anomaly\n"me,3\n', "is no CSV"),
    ],
)
def test_wrong_rows_are_refused_by_line(tmp_path, text, message):
    with pytest.raises(ReportError, match=message):
        given(tmp_path, text)
