"""What words make of plans: leads, denials, names, sentences that take back or choose; lines and sentences."""

from __future__ import annotations

import pytest

from grader.answers.discourse.talk import announces, chosen, name_of, named_end, refutes, takes_back
from grader.answers.discourse.units import units_of
from grader.answers.grammar.leads import Lead, lead_of
from grader.answers.grammar.vehicles import Vehicles
from grader.answers.grammar.words import denies, step_number, times_at
from grader.answers.structures.keys import KeyRole, role_of
from grader.answers.text.passages import plain_passage
from grader.answers.text.words import Word, words_of


def words(text: str) -> list[Word]:
    return words_of(plain_passage(text))


@pytest.mark.parametrize(
    ("text", "lead"),
    [
        ("", Lead.NOTHING),
        ("First move", Lead.NOTHING),
        ("So:", Lead.NOTHING),
        ("Step 3:", Lead.NOTHING),
        ("The answer is", Lead.COMMITS),
        ("Here is my answer in the requested format:", Lead.COMMITS),
        ("Probably:", Lead.COMMITS),
        ("It could well be:", Lead.COMMITS),
        ("I am not sure, but the answer is", Lead.COMMITS),
        ("Final answer:", Lead.FINAL),
        ("I go with", Lead.FINAL),
        ("The right sequence is", Lead.FINAL),
        ("Correction:", Lead.CORRECTS),
        ("No, the first one was right:", Lead.CORRECTS),
        ("Option 2:", Lead.PROPOSES),
        ("Plan B:", Lead.PROPOSES),
        ("Alternatively:", Lead.PROPOSES),
        ("This is not the answer:", Lead.DENIES),
        ("The answer cannot be:", Lead.DENIES),
        ("Wrong, do not use this:", Lead.DENIES),
        ("Failed attempts:", Lead.DENIES),
        ("I first thought of", Lead.ASIDE),
        ("Explanation:", Lead.ASIDE),
        ("The format asks for", Lead.QUOTES),
        ("For example:", Lead.QUOTES),
        ("The last move must be", Lead.UNKNOWN),
        ("If", Lead.UNKNOWN),
        ("The wall hinders", Lead.UNKNOWN),
    ],
)
def test_leads(text: str, lead: Lead) -> None:
    assert lead_of(words(text), Vehicles()) is lead


@pytest.mark.parametrize(
    "text",
    [
        "this is wrong",
        "it does not work",
        "not the answer",
        "would be invalid",
        "cannot be used",
        "это неверно",
        "das ist nicht richtig",
        "これは答えではありません",
        "답이 아닙니다",
        "这不是答案",
        "no es correcta",
    ],
)
def test_denials(text: str) -> None:
    assert denies(words(text))


@pytest.mark.parametrize(
    "text", ["nothing is wrong", "it is not impossible", "I am not sure", "nothing else stands in the way", "it works"]
)
def test_what_denies_nothing(text: str) -> None:
    assert not denies(words(text))


@pytest.mark.parametrize(
    "text", ["Scratch that.", "I take it back.", "Sorry, I made a mistake.", "Da habe ich mich geirrt."]
)
def test_sentences_that_take_back(text: str) -> None:
    assert takes_back(words(text))


@pytest.mark.parametrize(
    "text", ["No.", "That does not work.", "Hold on, that fails: something is in the way.", "Wrong."]
)
def test_sentences_that_refute(text: str) -> None:
    assert refutes(words(text))


@pytest.mark.parametrize(
    "text",
    ["Any other order would not work.", "Is that wrong?", "Otherwise it fails.", "This works.", "这样可行，因为没"],
)
def test_sentences_that_refute_nothing(text: str) -> None:
    assert not refutes(words(text))


@pytest.mark.parametrize(
    ("text", "picked", "denied"),
    [
        ("I choose option 2.", 1, ()),
        ("Only option 1 works.", 0, ()),
        ("Option 1 fails, option 2 works.", 1, (0,)),
        ("I choose the second.", 1, ()),
        ("Both are possible.", None, ()),
        ("Option 2 is wrong.", None, (1,)),
        ("I looked at option 1.", None, ()),
    ],
)
def test_choices(text: str, picked: int | None, denied: tuple[int, ...]) -> None:
    assert chosen(words(text), [("option", "1"), ("option", "2")]) == (picked, denied)


def test_names_of_proposals() -> None:
    assert name_of(words("**Option 2:**")) == ("option", "2")
    assert name_of(words("Plan B -")) == ("plan", "b")
    assert name_of(words("The answer is")) == ()
    # "A" is the plan's name here, and no vehicle.
    assert named_end(words("Plan A: A forward")) == 3
    assert named_end(words("Move 1: A forward")) == 0


@pytest.mark.parametrize("text", ["Answer:", "**Answer**", "The answer is", "# Result", "Failed attempts:"])
def test_lines_that_announce(text: str) -> None:
    assert announces(words(text), heading=text.startswith("#"))


@pytest.mark.parametrize("text", ["This works well.", "The truck is long.", "Then A moves."])
def test_lines_that_announce_nothing(text: str) -> None:
    assert not announces(words(text), heading=False)


@pytest.mark.parametrize(
    ("text", "count"),
    [("x3", 3), ("three times", 3), ("twice", 2), ("(2x)", 2), ("(x2)", 2), ("2 moves", 2), ("3", 1), ("x99", 1)],
)
def test_repetitions(text: str, count: int) -> None:
    """A bare number counts nothing, and nobody repeats a move 99 times."""
    times, end = times_at(words(text), 0, frozenset({"moves"}))
    assert times == count
    assert (end > 0) == (count > 1)


@pytest.mark.parametrize(
    ("text", "length"),
    [("1. A", 2), ("(2) A", 3), ("Step 3: A", 3), ("#4 A", 2), ("1 A", 0), ("A 1", 0), ("第 2 步 A", 3)],
)
def test_numbers_of_steps(text: str, length: int) -> None:
    assert step_number(words(text), 0) == length


@pytest.mark.parametrize(
    ("key", "role"),
    [
        ("answer", KeyRole.ANSWER),
        ("finalAnswer", KeyRole.ANSWER),
        ("moves", KeyRole.ANSWER),
        ("respuesta", KeyRole.ANSWER),
        ("do_not", KeyRole.DENIED),
        ("rejected", KeyRole.DENIED),
        ("not_the_answer", KeyRole.DENIED),
        ("option1", KeyRole.OPTION),
        ("plan_b", KeyRole.OPTION),
        ("possible_answers", KeyRole.OPTION),
        ("reasoning", KeyRole.ASIDE),
        ("draft", KeyRole.ASIDE),
        ("first_attempt", KeyRole.ASIDE),
        ("confidence", KeyRole.ASIDE),
        ("step_2", KeyRole.STEP),
        ("3", KeyRole.STEP),
        ("vehicle", KeyRole.THING),
        ("direction", KeyRole.WAY),
        ("valid", KeyRole.VALID),
        ("times", KeyRole.TIMES),
        ("A", KeyRole.LABEL),
        ("banana", KeyRole.UNKNOWN),
    ],
)
def test_keys_are_words_too(key: str, role: KeyRole) -> None:
    assert role_of(key) is role


def test_units() -> None:
    text = "# Plan\n\n1. A forward. It is free\n2. Done!\nThe value is 3.5, e.g. so. Next"
    units = [
        ("".join(word.text for word in unit.words), unit.gap, unit.marked, unit.heading)
        for unit in units_of(words(text))
    ]
    assert units == [
        ("#Plan", True, False, True),
        ("1.Aforward.", True, True, False),
        ("Itisfree", False, True, False),
        ("2.Done!", False, True, False),
        ("Thevalueis3.5,e . g.so.", False, False, False),
        ("Next", False, False, False),
    ]
    # A number that counts steps ends no sentence.
    assert len(list(units_of(words("1. A forward 2. B forward 3. C forward")))) == 1
