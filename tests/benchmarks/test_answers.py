"""Composed answers: that they say what they carry, that texts depend on seeds alone, and the commands."""

import json

import pytest

from benchmarks.answers import sweeps
from benchmarks.answers.__main__ import main
from benchmarks.answers.composed.compose import AXES, compose
from benchmarks.answers.composed.dice import Dice
from benchmarks.answers.composed.forms import FORMS, Teller
from benchmarks.answers.composed.judging import Judged
from benchmarks.answers.composed.riddles import Step, riddles, right_plan, wrong_plan
from benchmarks.answers.composed.run import passed_share, reached, read_share
from benchmarks.answers.composed.speech import RETRACTIONS, Talk
from benchmarks.answers.composed.tongues import tongues
from benchmarks.answers.composed.wording import BEGIN, END, Wording
from benchmarks.answers.fuzz import fuzzed
from grader.tasks.rush_hour.puzzle import LotPuzzle
from puzzles.rush_hour.generator import generate_lot
from puzzles.rush_hour.plans.sweeps import SWEEPS


def composed_with(**wanted):
    """The first answer that has some values of axes."""
    for number in range(4000):
        answer = compose(9, number)
        if all(answer.axes[axis] == value for axis, value in wanted.items()):
            return answer
    raise LookupError(wanted)


def test_the_same_seed_and_number_give_the_same_answer():
    first, again = compose(3, 14), compose(3, 14)
    assert (first.text, first.said, first.axes) == (again.text, again.said, again.axes)
    assert len({compose(3, number).text for number in range(100)}) > 90


def test_an_answer_is_fair_if_the_plan_that_it_says_solves():
    for number in range(200):
        answer = compose(5, number)
        assert tuple(answer.axes) == AXES
        assert answer.fair == (answer.said is not None and answer.riddle.solves(answer.said))
        assert answer.fair == (answer.axes["plan"] == "right")
        assert (answer.said is None) == (answer.axes["plan"] == "none")
        assert not set(answer.text) & {BEGIN, END}


@pytest.mark.parametrize("riddle", riddles()[::7], ids=lambda riddle: riddle.name)
def test_right_plans_solve_and_wrong_ones_do_not(riddle):
    dice = Dice(riddle.name)
    for _ in range(10):
        right = right_plan(riddle, dice)
        kind, wrong = wrong_plan(riddle, right, dice)
        assert riddle.solves(right), kind
        assert not riddle.solves(wrong), kind


@pytest.mark.parametrize("form", FORMS)
def test_every_form_states_every_move_in_its_order(form):
    plan = (Step("B", "forward"), Step("A", "backward"), Step("R", "forward"))
    teller = Teller(tongues()["de"], Wording("bare", 0, ", "), riddles()[0], Dice(form))
    text = FORMS[form](teller, plan, "Antwort").replace(BEGIN, "").replace(END, "")
    places = [text.index(way, text.index("B")) for way in ("forward", "backward")]
    assert places == sorted(places)
    assert text.rindex("R") < text.rindex("forward")


def test_languages_have_what_is_said_in_all_of_them():
    assert sorted(tongues()) == ["de", "en", "es", "fr", "it", "ja", "ko", "pt", "ru", "zh"]
    for tongue in tongues().values():
        assert all("{m}" in said for said in (*tongue.think_move, *tongue.note_move))
        assert all("{1}" in said and "{2}" in said for said in tongue.either)
        assert all("{o}" in said for said in tongue.choose)
        assert len(tongue.columns) == 5


@pytest.mark.parametrize(
    "axes",
    [
        {"hedging": "either"},
        {"hedging": "options open"},
        {"retraction": "taken back"},
        {"retraction": "denied under a key"},
        {"retraction": "thought not closed"},
        {"noise": "cut in the plan"},
    ],
    ids=str,
)
def test_answers_that_leave_it_open_or_take_it_back_say_no_plan(axes):
    answer = composed_with(**axes)
    assert answer.said is None
    assert not answer.fair


def test_a_corrected_answer_ends_with_its_plan():
    plan, other = (Step("", "left"), Step("", "up")), (Step("", "down"),)
    teller = Teller(tongues()["en"], Wording("bare", 0, ", "), riddles()[-1], Dice("corrected"))
    said = RETRACTIONS["corrected"](Talk(teller, "json", plan, other, ""))
    text = "\n".join(said.parts).replace(BEGIN, "").replace(END, "")
    assert said.kept
    assert json.loads(text[text.rindex("{") :]) == {"answer": "left, up"}
    assert "down" in text[: text.rindex("{")]


def judged(fair, passes):
    axes = dict.fromkeys(AXES, "x")
    return Judged(1, 1, "text", axes, None, fair, None, passes, False, "message")


def test_shares_and_targets():
    found = [judged(True, True)] * 99 + [judged(True, False)] + [judged(False, False)] * 100
    assert read_share(found).value == 0.99
    assert passed_share(found).value == 0.0
    assert reached(found)
    assert not reached([*found, judged(False, True)])
    assert not reached([*found, *[judged(True, False)] * 5])


def test_the_command_prints_shares_tables_and_misses(capsys, tmp_path):
    file = tmp_path / "answers.jsonl"
    assert main(["composed", "--answers", "40", "--seed", "2", "--out", str(file)]) in (0, 1)
    printed = capsys.readouterr().out
    assert "right, and PASS: " in printed
    assert "40 answers, all distinct" in printed
    assert all(f"\n{axis}" in printed for axis in AXES)
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert len(lines) == 40
    assert lines[0]["text"] == compose(2, lines[0]["number"]).text
    assert main(["composed", "--seed", "2", "--case", "3"]) == 0
    assert compose(2, 3).text in capsys.readouterr().out
    assert main(["composed", "--answers", "0"]) == 2


def test_fuzzed_texts_raise_nothing(capsys):
    assert fuzzed(1, 5) == fuzzed(1, 5)
    main(["fuzz", "--texts", "150", "--seed", "4"])  # its time is not asked of tests
    assert "150 texts: 0 raise" in capsys.readouterr().out
    assert main(["fuzz", "--texts", "0"]) == 2


def test_what_sweeps_earn_is_printed_with_and_without_regard_to_what_matters(capsys, monkeypatch):
    monkeypatch.setattr(sweeps, "TILE_SIZES", {2: (2,)})
    assert main(["sweeps", "--lots", "1"]) in (0, 1)
    printed = capsys.readouterr().out
    assert all(f"rush hour, level {level}" in printed for level in (3, 4, 5))
    assert "reward before" in printed
    assert "sliding, 6 moves, 2 x 2, level 2" in printed
    assert printed.count("all forward, red, all backward, red") == 3
    assert main(["sweeps", "--lots", "0"]) == 2


def test_a_sweep_earns_no_more_than_before():
    puzzle = LotPuzzle(generate_lot(3, 0).lot, 3)
    for name in SWEEPS:
        earned = sweeps.earned_in_lot(puzzle, name)
        assert 0 <= earned.after <= earned.before <= 1
        assert earned.before == 1.0 or not earned.passed
