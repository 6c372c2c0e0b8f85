"""Studies of people: trials, success within a budget of time, what goes together, the page and the command."""

import csv
import json

import numpy as np
import pytest
from scipy import stats

from calibration.labels import CalibrationError
from calibration.studies.make import StudyOptions, make_study
from calibration.studies.rates import budgets_of, cutoffs_of, people_rates
from calibration.studies.trials import Trial
from grader.report.data.estimates import Resampling
from tests.cli.run import run, run_json
from tests.samples.report import FAIL, PASS, UNGRADABLE, Line, write_run

HEAD = "person,group,task,level,puzzle_id,right,time_s"
QUICK = Resampling(0)


def written(folder, *rows, head=HEAD, name="trials.csv"):
    path = folder / name
    path.write_text("\n".join((head, *rows, "")))
    return path


def made(folder, *rows, lines=(), head=HEAD, **options):
    runs = [write_run(folder, lines)] if lines else []
    return make_study([written(folder, *rows, head=head)], runs, None, StudyOptions(**{"resampling": QUICK} | options))


def table(report, key):
    (found,) = [one for one in report.tables if one.key == key]
    return [{column.key: cell for column, cell in zip(found.columns, row, strict=True)} for row in found.rows]


def within(report, who):
    return {row["budget"]: row["success"].value for row in table(report, "success_by_time") if row["who"] == who}


FOUR = (
    "a,old,maze,8x8,p1,yes,5",
    "b,old,maze,8x8,p1,yes,12.5",
    "c,old,maze,8x8,p1,no,4",
    "d,old,maze,8x8,p1,yes,30",
)


def test_people_succeed_where_a_right_answer_came_in_less_time(tmp_path):
    """In less than 5 s nobody, than 10 s one of four, than 15 s two; the one at 30 s counts in any time only."""
    report = made(tmp_path, *FOUR, budgets=(5, 10, 15, 30))
    assert within(report, "old") == {"5": 0.0, "10": 0.25, "15": 0.5, "30": 0.5}
    (rates,) = table(report, "rates")
    assert (rates["kind"], rates["s0"].value, rates["s0"].n) == ("people", 0.75, 4)
    (times,) = table(report, "times")
    assert (times["right"], times["median"].value, times["mean"].value) == (3, 12.5, pytest.approx(47.5 / 3))


def test_an_answer_that_was_not_given_is_not_right(tmp_path):
    report = made(tmp_path, "a,,maze,1,p1,,", "b,,maze,1,p1,right,3.5", budgets=(4,))
    assert within(report, "people") == {"4": 0.5}


def test_a_model_makes_as_many_candidates_as_the_time_has_room_for(tmp_path):
    """7.5 s each: none in 7 s, the first in 7.5 s, two in 15 s, three in 22.5 s; four are not there."""
    ends = {"p1": (FAIL, PASS, FAIL), "p2": (FAIL, FAIL, UNGRADABLE), "p3": (PASS, FAIL, FAIL)}
    lines = [
        Line(f"{name}-{at}", end, name, at, "bagel", tags={"scale": "8x8"})
        for name, some in ends.items()
        for at, end in reversed([*enumerate(some, 1)])
    ]
    report = made(tmp_path, *FOUR, lines=lines, budgets=(7, 7.5, 15, 22.5, 30), seconds={"bagel": 7.5})
    found = within(report, "bagel")
    assert found == {"7": 0.0, "7.5": pytest.approx(1 / 3), "15": pytest.approx(2 / 3),
                     "22.5": pytest.approx(2 / 3), "30": None}  # fmt: skip
    (row,) = [one for one in table(report, "success_by_time") if (one["who"], one["budget"]) == ("bagel", "30")]
    assert row["success"].why == "4 candidates fit, and there are 3 of a puzzle"
    assert [one["s0"].value for one in table(report, "rates")] == [0.75, pytest.approx(2 / 9)]
    without = make_study([tmp_path / "trials.csv"], [tmp_path / "run"], None, StudyOptions(resampling=QUICK))
    assert within(without, "bagel") == {}


def test_answers_that_were_graded_say_themselves_whether_they_are_right(tmp_path):
    lines = [
        Line("x", PASS, "p1", tags={"level": "3"}),
        Line("y", FAIL, "p1", tags={"level": "3"}),
        Line("m", PASS, "p1"),
    ]
    report = made(tmp_path, "ann,x,4", "ben,y,5", lines=lines, head="person,request_id,time_s", budgets=(10,))
    assert within(report, "people") == {"10": 0.5}
    assert [(row["who"], row["kind"]) for row in table(report, "rates")] == [("people", "people"), ("A", "model")]


def test_coefficients_are_those_of_scipy_and_the_highest_is_named(tmp_path):
    dice = np.random.default_rng(5)
    rows = [
        f"{group}{person},{group},{task},{level},p,{'yes' if dice.random() < 0.8 else 'no'},{dice.exponential(20):.2f}"
        for group in ("young", "old")
        for person in range(6)
        for task, level in (("maze", "1"), ("maze", "2"), ("queens", "1"), ("queens", "2"))
    ]
    lines = [
        Line(f"{task}{level}{puzzle}-{at}", PASS if dice.random() < 0.3 else FAIL, f"{task}{level}{puzzle}", at, "m",
             tags={"level": level}, task=task)
        for task in ("maze", "queens")
        for level in "12"
        for puzzle in range(4)
        for at in range(1, 7)
    ]  # fmt: skip
    budgets = tuple(range(5, 31, 5))
    report = made(tmp_path, *rows, lines=lines, budgets=budgets, seconds={"m": 5.0})

    def curve(who, task, level):
        found = {
            row["budget"]: row["success"].value
            for row in table(report, "success_by_time")
            if (row["who"], row["task"], row["level"]) == (who, task, level)
        }
        return [found[f"{one}"] for one in budgets]

    for name, outside in (("pearson", stats.pearsonr), ("spearman", stats.spearmanr)):
        all_rows = table(report, f"models_people_{name}")
        assert [row["level"] for row in all_rows] == ["1", "2", "(all levels)"] * 2
        for row in all_rows:
            levels = "12" if row["level"] == "(all levels)" else row["level"]
            own = [one for level in levels for one in curve("m", row["task"], level)]
            best = []
            for at, group in enumerate(("old", "young")):
                theirs = [one for level in levels for one in curve(group, row["task"], level)]
                value = row[f"g{at}"].value
                if value is None:
                    assert len(set(own)) == 1 or len(set(theirs)) == 1
                else:
                    assert value == pytest.approx(outside(own, theirs).statistic)
                    best.append((value, group))
            assert row["highest"] == ", ".join(group for value, group in best if value == max(best)[0])
    matrix = {row["name"]: row for row in table(report, "maze_curves_pearson")}
    assert matrix["old"]["old"].value == 1.0
    assert matrix["old"]["young"].value == matrix["young"]["old"].value
    across = table(report, "tasks_pearson")
    assert [row["name"] for row in across] == ["maze, 1", "maze, 2", "queens, 1", "queens, 2"]
    rates = {row["who"]: [row[f"s{at}"].value for at in range(4)] for row in table(report, "rates")}
    columns = [[rates[who][at] for who in ("old", "young", "m")] for at in (0, 1)]
    assert across[0]["maze, 2"].value == pytest.approx(stats.pearsonr(*columns).statistic)


def test_a_model_without_success_goes_together_with_nobody(tmp_path):
    lines = [Line(f"m{at}", FAIL, "p1", at, "m", tags={"level": "8x8"}) for at in range(1, 5)]
    report = made(tmp_path, *FOUR, lines=lines, budgets=(1, 8, 14, 20), seconds={"m": 5.0})
    (row,) = table(report, "models_people_pearson")
    assert (row["g0"].value, row["highest"]) == (None, "")
    assert "all alike" in row["g0"].why


def test_intervals_are_wilson_s_for_a_trial_a_person_and_a_bootstrap_of_people_for_several():
    """2 of 4: Wilson's of 0.5 is 0.15 to 0.85. Two people with ten trials each, one always right, one never: 0 to 1."""
    one_each = [Trial(name, "g", "maze", "p", "1", name in "ab", 1.0) for name in "abcd"]
    (rate,) = people_rates(one_each, [None], Resampling(100))
    assert (round(rate.interval.low, 2), round(rate.interval.high, 2)) == (0.15, 0.85)
    several = [Trial(name, "g", "maze", f"p{at}", "1", name == "a", 1.0) for name in "ab" for at in range(10)]
    (rate,) = people_rates(several, [None], Resampling(500))
    assert (rate.value, rate.interval.low, rate.interval.high) == (0.5, 0.0, 1.0)
    alone = [Trial("a", "g", "maze", f"p{at}", "1", at < 2, 1.0) for at in range(4)]
    assert people_rates(alone, [None], Resampling(100))[0].interval.low == pytest.approx(0.15, abs=0.005)


def test_budgets_are_round_and_reach_beyond_the_longest_answer():
    times = [Trial("a", "g", "t", "p", "1", True, one) for one in (3.0, 30.0)]
    assert budgets_of(times) == (2.5, 5, 7.5, 10, 12.5, 15, 17.5, 20, 22.5, 25, 27.5, 30, 32.5)
    assert budgets_of([]) == (1.0,)
    assert cutoffs_of(range(13)) == (0, 3, 6, 9, 12)


@pytest.mark.parametrize(
    ("rows", "head", "message"),
    [
        (("a,maze,1",), "person,task,level", ":1: needs person, time_s"),
        (("a,maze,perhaps,3",), "person,task,right,time_s", ":2: right is 'perhaps'"),
        (("a,maze,yes,",), "person,task,right,time_s", ":2: time_s is empty"),
        (("a,maze,yes,-1",), "person,task,right,time_s", ":2: time_s is '-1'"),
        (("a,maze,yes,nan",), "person,task,right,time_s", ":2: time_s is 'nan'"),
        ((",maze,yes,1",), "person,task,right,time_s", ":2: person is empty"),
        (("a,,yes,1",), "person,task,right,time_s", ":2: task is empty"),
        (("a,maze,yes",), "person,task,right,time_s", ":2: has 3 cells, not 4"),
        (("a,gone,1",), "person,request_id,time_s", ":2: request_id 'gone' is not in the runs"),
        (("a,x,yes,1",), "person,request_id,right,time_s", "give one of them"),
        (("a,x,1", "b,x,2"), "person,request_id,time_s", "is in .*:2 too"),
        ((), "person,task,right,time_s", "there are no trials"),
    ],
)
def test_wrong_trials_are_named_with_their_place(tmp_path, rows, head, message):
    with pytest.raises(CalibrationError, match=message):
        made(tmp_path, *rows, head=head, lines=[Line("x", PASS)])


def test_wrong_options_are_refused(tmp_path):
    with pytest.raises(CalibrationError, match="bagle has no candidate"):
        made(tmp_path, *FOUR, seconds={"bagle": 7.5})
    for options in ({"budgets": (5, 5)}, {"budgets": (0,)}, {"seconds": {"m": -1.0}}):
        with pytest.raises(CalibrationError):
            StudyOptions(**options)


def test_the_command_writes_a_page_with_plots(tmp_path):
    hostile = "<script>alert(1)</script>"
    rows = [f"{at},{hostile},maze,{level},p,yes,{at + 1}" for at in range(4) for level in ("8x8", "16x16")]
    lines = [Line(f"m{at}", PASS, f"p{at}", model="m", tags={"scale": "8x8"}) for at in range(3)]
    graded, trials = write_run(tmp_path, lines), written(tmp_path, *rows)
    code, said = run_json("humans", trials, "--run", graded, "--seconds", "m=2", "--bootstrap", "20")
    assert (code, said["trials"], said["people"]) == (0, 8, 4)
    assert json.loads((tmp_path / "humans" / "humans.json").read_text())["tables"] == said["tables"]
    page = (tmp_path / "humans" / "index.html").read_text()
    assert page.count("<svg") == 3  # two levels against time, and one by level
    assert "<script" not in page
    with (tmp_path / "humans" / "tables" / "rates.csv").open() as file:
        assert [row["who"] for row in csv.DictReader(file)] == [hostile, "m"]
    assert run("humans", trials, "--seconds", "m").exit_code == 2
    assert run("humans", trials, "--budgets", "5,x").exit_code == 2
    assert run("humans", tmp_path / "none.csv").exit_code == 1
