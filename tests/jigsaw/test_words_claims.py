"""What is said around an order or a letter: it may go with it, or make another answer of it."""

from __future__ import annotations

import json

import pytest

from grader.answers.compounds.asked import read_choice, read_order
from grader.answers.result import Parsed

ORDER = (2, 1, 3, 4)


@pytest.mark.parametrize(
    "text",
    [
        "[2,1,3,4]\nTop left is 2, as its sky goes on in 1.",
        "[2,1,3,4]\nPieces 2 and 1 form the top row.",
        "[2,1,3,4]. I did not rotate any piece.",
        "[2,1,3,4]\nThe colours shift from blue to pink across pieces 2 and 1.",
        "Read row by row: [2,1,3,4]",
        "[2,1,3,4] (read from left to right, top to bottom)",
    ],
)
def test_what_goes_with_an_order_leaves_it_as_it_is(text):
    read = read_order(text).lenient
    assert isinstance(read, Parsed)
    assert read.value[0] == ORDER


@pytest.mark.parametrize(
    "text",
    [
        "[2,1,3,4]\nTop left is not 2.",
        "[2,1,3,4]\nActually piece 1 goes to the top left.",
        "Swap 1 and 2 of [2,1,3,4].",
        "[2,1,3,4] with the first two swapped",
        "[2,1,3,4]\nWait, the pieces in the top row must change places.",
        "[2,1,3,4] in reverse order",
        "[2,1,3,4], read from right to left.",
        "[2,1,3,4] (read bottom to top)",
        "column by column: [2,1,3,4]",
        "The inverse of [2,1,3,4]",
    ],
)
def test_an_order_of_which_words_make_another_is_no_answer(text):
    assert not isinstance(read_order(text).lenient, Parsed)


@pytest.mark.parametrize(
    "text",
    [
        "C) because it fits",
        "The answer is C because B has too many holes.",
        "C, not D",
        "I pick C over B.",
        "C instead of D.",
        '{"choice": "C"}',
        '{"answer": "C", "second_best": "B"}',
    ],
)
def test_a_letter_stands_beside_why_and_what_it_is_not(text):
    read = read_choice(text, "ABCD").lenient
    assert isinstance(read, Parsed)
    assert read.value == ("C",)


@pytest.mark.parametrize("key", ["final", "final_answer", "correction", "choice", "actual", "real_answer"])
def test_two_letters_under_keys_that_both_say_answer_are_none(key):
    assert not isinstance(read_choice(json.dumps({"answer": "C", key: "B"}), "ABCD").lenient, Parsed)


@pytest.mark.parametrize(
    "text",
    [
        "C. Wait, no: {}",
        "C. Wait, no, {}",
        "C. Hmm, no, it's {}.",
        "C. Oh no: it is {}",
        "C\nActually, no - the answer is {}",
    ],
)
def test_a_no_that_stands_by_itself_denies_what_was_said_before_it(text):
    read = read_choice(text.format("B"), "ABCD").lenient
    assert isinstance(read, Parsed)
    assert read.value == ("B",)


@pytest.mark.parametrize("text", ["The top row is wrong.", "This order is incorrect.", "The left column looks wrong"])
def test_an_order_that_is_said_to_be_wrong_is_none(text):
    for order in ("[2, 1, 3, 4]", "Row 1: 2, 1; row 2: 3, 4"):
        assert not isinstance(read_order(f"{order}. {text}").lenient, Parsed)


@pytest.mark.parametrize("text", ["Any other order is wrong.", "The top row is not wrong."])
def test_what_is_said_of_other_orders_changes_none(text):
    read = read_order(f"[2, 1, 3, 4]. {text}").lenient
    assert isinstance(read, Parsed)
    assert read.value == ((2, 1, 3, 4),)


@pytest.mark.parametrize("text", ['{"answer": "C", "is_answer": false}', "Not C because it is dark", "C? No, B is it"])
def test_a_letter_that_is_denied_is_none(text):
    read = read_choice(text, "ABCD").lenient
    assert not isinstance(read, Parsed) or read.value != ("C",)
