"""Models beside one another: ranks that can't be told apart are a range, differences are at the same puzzles."""

import pytest

from grader.report.data.estimates import Resampling
from grader.report.data.pairs import by_model, compare, rank
from grader.report.data.reading import read_runs
from grader.report.make import make_report
from grader.report.tables.build import TableOptions, build_tables, notes_of
from tests.samples.report import FAIL, PASS, UNGRADABLE, Line, write_run

HOW = Resampling(resamples=500)


def ends(model, letters):
    """A candidate at each puzzle; a dot is none."""
    return [
        Line(
            f"{model}{at}",
            PASS if one == "P" else FAIL,
            f"p{at}",
            1,
            model,
            float(one == "P"),
            codes=() if one == "P" else ("DOTS",),
        )
        for at, one in enumerate(letters)
        if one != "."
    ]


def models(folder, **letters):
    lines = [line for model, said in letters.items() for line in ends(model, said)]
    return by_model(read_runs([write_run(folder, lines)]).records)


def test_pairs_are_compared_at_the_puzzles_that_both_tried(tmp_path):
    found = models(tmp_path, A="PPPPFP..", B="PFFPFFPP")
    (pair,) = compare(found, HOW)
    assert (pair.first, pair.second, pair.puzzles) == ("A", "B", 6)
    assert (pair.first_rate.value, pair.second_rate.value) == (pytest.approx(5 / 6), pytest.approx(2 / 6))
    assert pair.difference.value == pytest.approx(0.5)
    assert (pair.only_first, pair.only_second, pair.both, pair.neither) == (3, 0, 2, 1)
    assert pair.chance == 0.25  # 2 / 2^3
    assert pair.difference.interval.low <= 0.5 <= pair.difference.interval.high


def test_ranks(tmp_path):
    """A and B differ at one puzzle of 20 in each direction; both are far ahead of C."""
    found = models(tmp_path, A="P" * 18 + "PF", B="P" * 18 + "FP", C="F" * 16 + "PPFF")
    ranks = rank(found, compare(found, HOW), HOW)
    assert [(one.model, one.low, one.high) for one in ranks] == [("A", 1, 2), ("B", 1, 2), ("C", 3, 3)]
    assert [one.passed for one in ranks] == [19, 19, 2]


def test_a_difference_that_is_the_same_at_every_puzzle_has_no_interval_and_still_counts(tmp_path):
    found = models(tmp_path, A="P" * 8, B="F" * 8)
    (pair,) = compare(found, HOW)
    assert pair.difference.interval is None
    assert pair.chance == 2 / 2**8
    assert pair.ahead(HOW.level) == "A"
    few = models(tmp_path / "few", A="PP", B="FF")
    assert compare(few, HOW)[0].ahead(HOW.level) == ""  # p = 2 / 2^2


def test_without_a_puzzle_in_common_nothing_is_said(tmp_path):
    (pair,) = compare(models(tmp_path, A="PP..", B="..FF"), HOW)
    assert (pair.puzzles, pair.difference.value, pair.chance) == (0, None, 1.0)
    assert pair.ahead(HOW.level) == ""


def test_tables(tmp_path):
    lines = [*ends("A", "PPF"), *ends("B", "PFF"), *ends("C", "FFF")]
    results = read_runs([write_run(tmp_path, lines)])
    tables = {table.key: table for table in build_tables(results, TableOptions(resampling=HOW))}
    assert [row[1] for row in tables["maze_ranking"].rows] == ["A", "B", "C"]
    assert [row[:3] for row in tables["maze_pairs"].rows] == [("A", "B", 3), ("A", "C", 3), ("B", "C", 3)]
    assert "maze_pairs" not in [
        table.key for table in build_tables(read_runs([write_run(tmp_path / "x", ends("A", "PF"))]), TableOptions())
    ]


def test_answers_that_were_not_given_are_counted_and_said(tmp_path):
    lines = [
        *ends("A", "PP"),
        Line("m", FAIL, "p3", 1, "A", 0.0, codes=("NOTHING_DRAWN",), tags={"missing": "true"}),
        Line("n", FAIL, "p4", 1, "A", 0.0, codes=("ANSWER_MISSING",), tags={"missing": "true"}),
    ]
    run = write_run(tmp_path, lines)
    results = read_runs([run])
    assert "A: 2 answers are missing, and so wrong." in notes_of(results)
    (row,) = next(table for table in build_tables(results, TableOptions()) if table.key == "maze_ranking").rows
    assert (row[2].value, row[-1]) == (0.5, 2)
    assert "2 not answered" in make_report([run]).page.read_text()


def test_an_empty_picture_of_a_missing_answer_is_not_one_that_did_not_decode_too(tmp_path):
    lost = [Line(f"m{at}", UNGRADABLE, f"q{at}", codes=("EMPTY",), tags={"missing": "true"}) for at in range(4)]
    run = write_run(tmp_path, [*ends("A", "PP"), *lost, Line("b", UNGRADABLE, "q9", codes=("UNDECODABLE",))])
    table = next(one for one in build_tables(read_runs([run]), TableOptions()) if one.key == "maze_ranking")
    assert table.rows[0][-2:] == (1, 4)
    assert "counted as not answered" in table.notes[-1]
    assert "; 1 did not decode; 4 not answered" in make_report([run]).page.read_text()


def test_settings_are_compared_within_a_task(tmp_path):
    lines = [Line("a", PASS, task="maze", profile="x"), Line("b", PASS, task="queens", profile="y")]
    assert notes_of(read_runs([write_run(tmp_path / "two", lines)])) == []
    mixed = [Line("a", PASS, profile="x"), Line("b", PASS, profile="y")]
    (note,) = notes_of(read_runs([write_run(tmp_path / "one", mixed)]))
    assert note.startswith("maze: verdicts were made by 2 settings")
