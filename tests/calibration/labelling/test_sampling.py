"""Which candidates people are asked about."""

from collections import Counter

import pytest

from calibration.labelling.sampling import SampleKind, SampleOptions, SampleWish, draw, parse_wishes
from calibration.labels import CalibrationError
from grader.report.data.reading import read_runs
from grader.report.data.records import ReportError
from tests.samples.report import FAIL, MEASURED, PASS, UNGRADABLE, Line, write_run

CODES = ("GAP", "WALL_CROSSED")


def lines(n=60, flipped=()):
    """A third of each: passes, gaps, crossed walls; the score of candidate k is k / 60; every fifth is model B's."""
    return [
        Line(f"c{at:02}", (PASS if (at % 3 == 0) is (at not in flipped) else FAIL), score=at / n,
             model="B" if at % 5 == 0 else "A", codes=() if at % 3 == 0 else (CODES[at % 3 - 1],))
        for at in range(n)
    ]  # fmt: skip


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    more = [Line("m", MEASURED), Line("u", UNGRADABLE), Line("f", (13, "INTERNAL")), Line("n", None)]
    return read_runs([write_run(tmp_path_factory.mktemp("run"), [*lines(), *more])])


def drawn(results, *texts, other=None, **options):
    return draw(results, SampleOptions(wishes=parse_wishes(texts), **options), other)


def test_random_draws_of_all_verdicts_and_the_same_by_the_same_seed(results):
    found = drawn(results, "random=20", seed=1)
    assert found == drawn(results, "random=20", seed=1) != drawn(results, "random=20", seed=2)
    assert (len(found), {one.stratum for one in found}) == (20, {"random"})
    everything = {one.request_id for one in drawn(results, "random=all")}
    assert everything == {one.request_id for one in lines()} | {"m", "u"}
    assert len(drawn(results, "random=999")) == 62


def test_strata_have_as_many_each_as_long_as_they_have_some(results):
    """Outcomes: 20 pass, 40 fail, one each of the others."""
    found = drawn(results, "stratum=14", by=("outcome",))
    assert Counter(one.stratum for one in found) == {"PASS": 6, "FAIL": 6, "UNGRADABLE": 1, "MEASURED": 1}
    found = drawn(results, "stratum=all", by=("model", "reason"))
    assert Counter(one.stratum for one in found) == {
        "A, (none)": 18, "A, GAP": 16, "A, WALL_CROSSED": 16, "B, (none)": 4, "B, GAP": 4, "B, WALL_CROSSED": 4,
    }  # fmt: skip
    with pytest.raises(ReportError, match="no item has the tag color"):
        drawn(results, "stratum=5", by=("color",))


def test_close_are_those_nearest_to_a_threshold(results):
    found = drawn(results, "close=5", threshold=0.5)
    assert {one.request_id for one in found} == {"c28", "c29", "c30", "c31", "c32"}
    assert found[0].request_id == "c30"
    assert {one.stratum for one in found} == {"close"}
    with pytest.raises(CalibrationError, match="no verdict has the number 'shine'"):
        drawn(results, "close=5", number="shine")


def test_disagreement_is_where_another_run_ends_otherwise(results, tmp_path):
    other = read_runs([write_run(tmp_path, lines(flipped=(3, 7, 50)))])
    found = drawn(results, "disagreement=all", other=other)
    assert {one.request_id for one in found} == {"c03", "c07", "c50"}
    assert len(drawn(results, "disagreement=2", other=other)) == 2
    with pytest.raises(CalibrationError, match="name the other run with --against"):
        drawn(results, "disagreement=2")
    with pytest.raises(CalibrationError, match="the two runs say the same"):
        drawn(results, "disagreement=2", other=results)


def test_several_kinds_draw_from_what_is_left_and_random_first(results):
    found = drawn(results, "close=10", "random=30")
    assert [one.stratum for one in found] == ["random"] * 30 + ["close"] * 10
    assert len({one.request_id for one in found}) == 40
    assert found[:30] == drawn(results, "random=30")


@pytest.mark.parametrize("text", ["random", "random=", "random=0", "random=-1", "random=x", "odd=3", "random=²", "=3"])
def test_what_is_no_sample_is_refused(text):
    with pytest.raises(CalibrationError, match="write KIND=N or KIND=all"):
        parse_wishes([text])


def test_samples_read_as_they_are_written():
    assert parse_wishes(["close=all", "random=5"]) == (
        SampleWish(SampleKind.RANDOM, 5), SampleWish(SampleKind.CLOSE, None),
    )  # fmt: skip
    assert parse_wishes(["close=all"])[0].text == "close=all"
    with pytest.raises(CalibrationError, match="one kind twice"):
        parse_wishes(["random=5", "random=6"])
    with pytest.raises(CalibrationError, match=r"between 0 and 0\.5"):
        SampleOptions(twice=0.6)
