"""A run beside labels: what is compared, what is left out, what is fitted, the page and the command."""

import csv
import json
from html import unescape

import pytest

from calibration.cases import CalibrationOptions
from calibration.labels import CalibrationError
from calibration.make import make_calibration
from grader.model.errors import GraderError
from grader.report.data.estimates import Resampling
from grader.report.data.grouping import Dimensions
from grader.report.tables.table import Part
from grader.runs.folder import RunError
from tests.cli.run import run, run_json
from tests.samples.report import FAIL, MEASURED, PASS, UNGRADABLE, Line, write_run

KEYS = ("page", "json", "profile", "labels", "split", "maps", "thresholds", "disagreements", "flips", "notes", "tables")
"""Of --json."""

QUICK = {"resampling": Resampling(0)}


def people(folder, *rows, head="request_id,rater,label,comment"):
    path = folder / "people.csv"
    path.write_text("\n".join((head, *rows, "")))
    return path


def made(folder, lines, *rows, against=None, head="request_id,rater,label,comment", **options):
    graded = write_run(folder, lines)
    other = None if against is None else write_run(folder, against, name="other")
    return make_calibration(
        graded, [people(folder, *rows, head=head)], None, CalibrationOptions(**QUICK | options), against=other
    )


def table(calibration, key):
    (found,) = [one for one in calibration.tables if one.key == key]
    return [{column.key: cell for column, cell in zip(found.columns, row, strict=True)} for row in found.rows]


FOUR = [
    Line("a", PASS, score=0.9),
    Line("b", PASS, score=0.8, model="B"),
    Line("c", FAIL, score=0.7, codes=("GAP", "WALL_CROSSED")),
    Line("d", FAIL, score=0.1, codes=("GAP",)),
]
SAID = ("a,x,right,", "a,y,right,", "b,x,wrong,crossed", "b,y,wrong,", "c,x,right,", "c,y,cant_tell,", "d,x,wrong,",
        "d,y,wrong,", "d,x,right,again")  # fmt: skip


def test_people_are_compared_first(tmp_path):
    """Pairs of a, b and d are equal. Both were asked of three; x said another thing of d when asked again."""
    found = made(tmp_path, FOUR, *SAID)
    (row,) = table(found, "people")
    assert (row["raters"], row["candidates"], row["several"], row["unsure"]) == (2, 4, 3, Part(1, 8))
    assert (row["percent"].value, row["ac1"].value, row["best"].value) == (1.0, 1.0, 1.0)
    assert row["alpha_nominal"].value == pytest.approx(1.0)
    (pair,) = table(found, "people_pairs")
    assert (pair["one"], pair["other"], pair["n"], pair["kappa"].value) == ("x", "y", 3, 1.0)
    x, y, both = table(found, "people_each")
    assert (x["rater"], x["labels"], x["right"], x["again"], x["consistency"].value) == ("x", 4, Part(2, 4), 1, 0.0)
    assert (y["unsure"], y["consistency"].why) == (Part(1, 4), "nobody was asked about one candidate twice")
    assert both["rater"] == "(all)"


def test_verdicts_are_compared_with_what_most_people_say(tmp_path):
    """a and d as people say, b passes falsely, c fails falsely: kappa 0. Scores order 3 of 4 pairs as people do."""
    found = made(tmp_path, FOUR, *SAID)
    (row,) = table(found, "verdicts")
    assert (row["n"], row["accuracy"].value, row["kappa"].value) == (4, 0.5, 0.0)
    assert (row["false_pass"].value, row["false_pass"].n, row["false_fail"].value) == (0.5, 2, 0.5)
    assert row["auroc"].value == 0.75
    right, wrong = table(found, "verdict_classes")
    assert (right["people"], right["pass"], right["fail"], wrong["pass"]) == (
        "right",
        Part(1, 2),
        Part(1, 2),
        Part(1, 2),
    )
    reasons = {one["reason"]: (one["n"], one["right"]) for one in table(found, "verdict_reasons")}
    assert reasons == {"(passed)": (2, Part(1, 2)), "GAP": (2, Part(1, 2))}
    models = {one["model"]: one["accuracy"].value for one in table(found, "verdicts_by_model")}
    assert models == {"A *": pytest.approx(2 / 3), "B *": 0.0}
    assert [one["request_id"] for one in found.content["disagreements"]] == ["b", "c"]


def test_what_can_t_be_compared_is_left_out_and_said(tmp_path):
    lines = [*FOUR, Line("e", MEASURED), Line("f", (13, "INTERNAL")), Line("g", None), Line("h", UNGRADABLE)]
    said = ("e,x,right,", "f,x,right,", "g,x,right,", "h,x,wrong,", "c,x,right,", "c,y,wrong,", "zz,x,right,")
    found = made(tmp_path, lines, *said)
    (row,) = table(found, "verdicts")
    assert (row["n"], row["accuracy"].value) == (1, 1.0)
    assert row["kappa"].why == "all labels are in one and the same class"
    assert row["false_fail"].why == "people called none of them right (1)"
    assert row["auroc"].why == "no labelled candidate has the number score"
    assert found.notes == ("1 labelled request_id not in this run, which count nowhere: zz.",)
    (overall,) = [one for one in found.tables if one.key == "verdicts"]
    text = " ".join(overall.notes)
    assert "1 of 2 labelled candidates, of which they say two things as often" in text
    for why in ("no result yet", "INTERNAL", "MEASURED"):
        assert f"1 labelled candidates are left out: {why}." in text
    with pytest.raises(CalibrationError, match="no label is of a candidate with a verdict"):
        make_calibration(tmp_path / "run", [people(tmp_path, "zz,x,right,")])


def test_three_levels_are_those_of_the_study(tmp_path):
    """0.7 is partially and 0.71 completely; 0.1 is not at all."""
    lines = [Line("a", PASS, score=0.71), Line("b", FAIL, score=0.7), Line("c", FAIL, score=0.1), Line("d", FAIL)]
    said = ("a,x,completely,", "b,x,partially,", "c,x,partially,", "d,x,not_at_all,", "a,y,completely,",
            "b,y,completely,", "b,z,partially,")  # fmt: skip
    found = made(tmp_path, lines, *said)
    (row,) = table(found, "verdicts")
    assert (row["n"], row["accuracy"].n, row["accuracy"].value) == (4, 3, pytest.approx(2 / 3))
    classes = {one["people"]: one for one in table(found, "verdict_classes")}
    assert classes["partially"]["not_at_all"] == Part(1, 2)
    assert classes["not at all"]["no_number"] == Part(1, 1)
    assert {"alpha_ordinal", "alpha_interval"} <= table(found, "people")[0].keys()
    assert "kappa_quadratic" in table(found, "people_pairs")[0]


def test_agreement_in_one_class_is_told_from_agreement_by_chance(tmp_path):
    """All right by both: kappa says nothing, for chance gives that too. One of four by one only: kappa is 0."""
    four = [Line(name, PASS, score=1.0) for name in "abcd"]
    same = made(tmp_path / "same", four, *(f"{name},{who},right," for name in "abcd" for who in "xy"))
    (pair,), (row,) = table(same, "people_pairs"), table(same, "verdicts")
    for cells in (pair, row):
        assert (cells["kappa"].value, cells["kappa"].why) == (None, "all labels are in one and the same class")
    assert (pair["percent"].value, row["accuracy"].value) == (1.0, 1.0)
    assert "NaN" not in same.json.read_text()
    one_off = made(tmp_path / "off", four, *(f"{name},,{'wrong' if name == 'd' else 'right'}," for name in "abcd"))
    (row,) = table(one_off, "verdicts")
    assert (row["accuracy"].value, row["kappa"].value) == (0.75, 0.0)


def test_what_does_not_decode_did_not_pass_and_faults_count_nowhere(tmp_path):
    """172 candidates: 108 pass, 40 fail, 24 don't decode; and 8 that the grader failed on. 108 / 172 = 0.6279."""
    ends = [PASS] * 108 + [FAIL] * 40 + [UNGRADABLE] * 24 + [(13, "INTERNAL")] * 8
    lines = [Line(f"c{at}", end) for at, end in enumerate(ends)]
    said = [f"c{at},,{'right' if end == PASS else 'wrong'}," for at, end in enumerate(ends)]
    found = made(tmp_path, lines, *said)
    classical, _, verdicts = table(found, "pass_rate")
    for row in (classical, verdicts):
        assert (row["n"], round(row["rate"].value, 4)) == (172, 0.6279)
    _, wrong = table(found, "verdict_classes")
    assert (wrong["n"], wrong["fail"], wrong["ungradable"]) == (64, Part(40, 64), Part(24, 64))


@pytest.mark.parametrize(("number", "same", "shown"), [("ic", 129, 0.7167), ("el", 145, 0.8056), ("ac", 152, 0.8444)])
def test_agreement_in_three_levels_is_worked_out_as_the_study_does(tmp_path, number, same, shown):
    """Table 2: of 180 edits 129, 145 and 152 have the class that people give; the others are one class higher."""
    scores, scale = [0.05, 0.4, 0.9], 1 if number == "ic" else 100
    lines = [Line(f"e{at}", FAIL, score=0.5, metrics={number: scale * scores[at % 3]}) for at in range(180)]
    names = ("not_at_all", "partially", "completely")
    missed = [at for at in range(180) if at % 3][: 180 - same]
    said = [f"e{at},,{names[at % 3 - (at in missed)]}," for at in range(180)]
    (row,) = table(made(tmp_path, lines, *said, number=number), "verdicts")
    assert round(row["accuracy"].value, 4) == shown


def many(n=400):
    """Wrong ones have scores up to 0.49, right ones from 0.5 on; the grader passes from 0.3 on."""
    lines = [
        Line(f"p{at}", PASS if at % 100 >= 30 else FAIL, f"puzzle {at // 2}", score=at % 100 / 100, confidence=0.5)
        for at in range(n)
    ]
    return lines, [f"{one.request_id},,{'right' if one.score >= 0.5 else 'wrong'}," for one in lines]


def test_thresholds_are_fitted_on_one_part_and_judged_by_the_other(tmp_path):
    lines, said = many()
    found = made(tmp_path, lines, *said, most_false_passes=0.2)
    by_outcome, cost, bound = table(found, "thresholds")
    assert by_outcome["false_passes"].count > 10
    for row in (cost, bound):
        assert row["fitted_false_passes"].of + row["false_passes"].of == 200
        assert row["fitted_false_fails"].of + row["false_fails"].of == 200
    assert cost["threshold"].value == 0.5
    assert (cost["false_passes"].count, cost["false_fails"].count, cost["cost"].value) == (0, 0, 0.0)
    assert 0.4 < bound["threshold"].value < 0.5
    assert bound["fitted_false_passes"].count <= 0.2 * bound["fitted_false_passes"].of
    first, second = found.content["thresholds"]
    assert (first["threshold"], first["number"], second["bound"]) == (0.5, "score", pytest.approx(bound["bound"].value))
    # Both attempts at a puzzle are of one part, whatever the other labels.
    again = made(tmp_path / "again", lines, *said[:300])
    assert again.content["split"] == found.content["split"]


def test_numbers_become_probabilities(tmp_path):
    lines, said = many()
    found = made(tmp_path, lines, *said)
    score, confidence = table(found, "probabilities")
    assert score["fitted"] + score["judged"] == 400
    assert score["brier"].value < 0.01 < score["brier_raw"].value
    assert confidence["brier"].why == "all items to fit to have one and the same number"
    fitted, none = found.content["maps"]
    assert (fitted["map"]["kind"], fitted["map"]["probabilities"][0], none["map"]) == ("isotonic", 0.0, None)


def test_few_labels_say_why_nothing_is_fitted(tmp_path):
    found = made(tmp_path, FOUR, "a,x,right,")
    _, cost, bound = table(found, "thresholds")
    assert "nothing says how many" in bound["threshold"].why or "no items" in cost["threshold"].why
    (classical, powered, verdicts) = table(found, "pass_rate")
    assert (classical["rate"].value, classical["rate"].interval, verdicts["rate"].value) == (1.0, None, 0.5)
    assert powered["n"] == 4


def test_people_of_two_minds_count_by_their_share_in_pass_rates(tmp_path):
    """a is right, b is wrong, c is a half right: one and a half of three. d is of people who can't tell."""
    said = ("a,x,right,", "b,x,wrong,", "c,x,right,", "c,y,wrong,", "d,x,cant_tell,")
    classical, _, _ = table(made(tmp_path, FOUR, *said), "pass_rate")
    assert (classical["n"], classical["rate"].value) == (3, pytest.approx(1.5 / 3))


def test_the_pass_rate_of_all_from_labels_of_some(tmp_path):
    """Verdicts of 100 of 400 are wrong in 20 of 100; the powered estimate moves from 0.7 towards what people say."""
    lines, said = many()
    found = made(tmp_path, lines, *said[:200])
    classical, powered, verdicts = (one["rate"] for one in table(found, "pass_rate"))
    assert (classical.value, verdicts.value) == (0.5, 0.7)
    assert powered.value == pytest.approx(0.5)
    assert powered.interval.high - powered.interval.low < classical.interval.high - classical.interval.low


def test_usual_slices_are_of_tags_that_are_there(tmp_path):
    lines = [Line("a", PASS, tags={"scale": "8x8", "nuisance": "blur"}), Line("b", PASS, tags={"nuisance": "none"})]
    found = made(tmp_path, lines, "a,x,right,", "b,x,wrong,")
    keys = [one.key for one in found.tables if one.key.startswith("verdicts_by_")]
    assert keys == [f"verdicts_by_{name}" for name in ("task", "model", "scale", "nuisance")]
    assert {one["nuisance"]: one["accuracy"].value for one in table(found, "verdicts_by_nuisance")} == {
        "blur *": 1.0,
        "none *": 0.0,
    }


def test_slices_are_by_what_there_is(tmp_path):
    """Verdicts on a and b by stratum; more than ten people have no intervals in pairs."""
    said = ["a,p0,right,close", "b,p0,wrong,random", *(f"a,p{at},right," for at in range(1, 12))]
    head = "request_id,rater,label,stratum"
    found = made(tmp_path, FOUR, *said, head=head, resampling=Resampling(20))
    strata = {one["stratum"]: one["accuracy"].value for one in table(found, "verdicts_by_stratum")}
    assert strata == {"close *": 1.0, "random *": 0.0}
    assert len(table(found, "people_pairs")) == 66
    with pytest.raises(GraderError, match="no item has the tag geometri; tables can be made by model, task"):
        made(tmp_path / "typo", FOUR, *said, head=head, by=(Dimensions(("geometri",)),))


def test_two_runs_are_compared(tmp_path):
    """The other run passes c, which people call right, and not b, which they call wrong: 0 to 2 as people say."""
    other = [FOUR[0], Line("b", FAIL, model="B", codes=("GAP",)), Line("c", PASS), FOUR[3]]
    found = made(tmp_path, FOUR, *SAID, against=other)
    passes, agrees = table(found, "runs_compared")
    assert [passes[key] for key in ("both", "only_this", "only_other", "neither")] == [1, 1, 1, 1]
    assert [agrees[key] for key in ("both", "only_this", "only_other", "neither")] == [2, 0, 2, 0]
    assert (passes["p"].value, agrees["p"].value) == (1.0, 0.5)
    assert found.content["flips"] == [
        {"request_id": "b", "as_people_say": "the other"},
        {"request_id": "c", "as_people_say": "the other"},
    ]
    strange = write_run(tmp_path / "strange", [Line("q", PASS)])
    with pytest.raises(CalibrationError, match="has no candidate of"):
        make_calibration(tmp_path / "run", [tmp_path / "people.csv"], against=strange)


def test_the_page_shows_what_was_found(tmp_path):
    hostile = "<script>alert(1)</script>"
    lines = [Line(f"{hostile}{at}", PASS, score=0.5, message=hostile) for at in range(3)]
    found = made(tmp_path, lines, *(f"{one.request_id},x,wrong,{hostile}" for one in lines), worst=2, against=lines)
    page = found.page.read_text(encoding="utf-8")
    assert "2 of 3 candidates of which people say otherwise" in page
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert page.count('<article class="card">') == 2
    assert "script-src 'none'" in unescape(page)
    for heading in (
        "People among themselves",
        "Numbers as probabilities",
        "Pass rate of the run",
        "This run and the other",
    ):
        assert heading in page
    assert (found.page.parent / "tables" / "verdicts.csv").is_file()


def test_the_same_twice_is_the_same(tmp_path):
    lines, said = many(60)
    one = made(tmp_path / "one", lines, *said, resampling=Resampling(50), by=(Dimensions(("model",)),))
    two = made(tmp_path / "two", lines, *said, resampling=Resampling(50), by=(Dimensions(("model",)),))
    assert one.json.read_bytes() == two.json.read_bytes()
    assert one.content["tables"][0]["key"] == "people"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"split": 1.0}, "between 0 and 1"),
        ({"most_false_passes": 0.0}, "between 0 and 1"),
        ({"false_pass_cost": -1.0}, "0 or more"),
        ({"false_pass_cost": 0.0, "false_fail_cost": 0.0}, "not both 0"),
    ],
)
def test_wrong_options_are_refused(options, message):
    with pytest.raises(CalibrationError, match=message):
        CalibrationOptions(**options)


def test_the_command(tmp_path):
    graded = write_run(tmp_path, FOUR)
    said = people(tmp_path, *SAID)
    done = run("calibrate", graded, "--labels", said, "--bootstrap", "20")
    assert done.exit_code == 0, done.output
    for words in ("People among themselves", "Thresholds on score", "Pass rate of the run"):
        assert words in done.stdout
    content = json.loads((graded / "calibration" / "calibration.json").read_text())
    assert content["labels"]["raters"] == ["x", "y"]
    with (graded / "calibration" / "tables" / "verdicts.csv").open() as file:
        assert next(csv.DictReader(file))["accuracy"] == "0.5"
    code, answer = run_json("calibrate", graded, "--labels", said, "--out", tmp_path / "out", "--fit", "platt")
    assert tuple(answer) == KEYS
    assert (code, answer["labels"]["candidates"], answer["page"]) == (0, 4, str(tmp_path / "out" / "index.html"))


def test_the_command_names_what_is_wrong(tmp_path):
    graded = write_run(tmp_path, FOUR)
    done = run("calibrate", graded, "--labels", people(tmp_path, "a,x,maybe,"))
    assert done.exit_code == 2
    assert "people.csv:2: label is 'maybe'" in done.stderr
    assert run("calibrate", tmp_path, "--labels", people(tmp_path, "a,x,right,")).exit_code == 2
    assert run("calibrate", graded, "--labels", tmp_path / "none.csv").exit_code == 1
    wrong_number = run("calibrate", graded, "--labels", people(tmp_path, "a,x,right,"), "--number", "scor")
    assert wrong_number.exit_code == 2
    assert "no verdict on a labelled candidate has the number 'scor'" in wrong_number.stderr
    assert issubclass(RunError, GraderError)
