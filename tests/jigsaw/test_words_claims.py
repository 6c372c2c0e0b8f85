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


@pytest.mark.parametrize(
    "text",
    [
        "[2, 4, 3, 1] (top right, top left, bottom right, bottom left)",
        "[2, 4, 3, 1] (TL, BL, TR, BR)",
        "In the order bottom right, bottom left, top right, top left: [2, 4, 3, 1]",
        "| | right | left |\n|---|---|---|\n| top | 2 | 4 |\n| bottom | 3 | 1 |",
        "| top right | top left | bottom left | bottom right |\n|---|---|---|---|\n| 2 | 4 | 3 | 1 |",
        "Top left is not 2, top right is 4, bottom left is 3, bottom right is 1.",
        "Top left cannot be 2. Top right: 4, bottom left: 3, bottom right: 1.",
        "[2, 4, 3, 1]. The bottom two are the other way round.",
        "[2, 4, 3, 1]. Actually I would exchange 2 and 4.",
        "[2, 4, 3, 1]. Sorry, I mixed up left and right.",
        "Top row: 2, 4; bottom row: 3, 1. Sorry, rows exchanged.",
        "[2, 4, 3, 1]? I doubt it.",
        "[2, 4, 3, 1]? Not at all.",
        "[2, 4, 3, 1] - these are the positions of pictures 1 to 4.",
        "[2, 4, 3, 1] (position of each piece)",
        "[2, 4, 3, 1], with piece 3 turned upside down",
        "[2, 4, 3, 1] with 1 flipped horizontally",
        "[2, 4, 3, 1]. Rotate piece 2 by 90 degrees.",
    ],
)
def test_an_order_that_is_not_meant_as_it_is_read_is_none(text):
    read = read_order(text).lenient
    assert not isinstance(read, Parsed) or read.value != ((2, 4, 3, 1),)


@pytest.mark.parametrize(
    "text",
    [
        "The order is not [1, 2, 3, 4]. It is [2, 4, 3, 1].",
        "It's not [1, 2, 3, 4] but [2, 4, 3, 1].",
        "It is not [1, 2, 3, 4]; it's [2, 4, 3, 1].",
        "[2, 4, 3, 1] (top left, top right, bottom left, bottom right)",
        "[2, 4, 3, 1]. No piece is rotated.",
        "Is it [1, 2, 3, 4]? No, the sky does not match. [2, 4, 3, 1]",
        "- Top-left: Picture 2 (sky)\n- Top-right: 4 (mountains)\n- Bottom-left: 3 (grass)\n- Bottom-right: 1 (lake)",
    ],
)
def test_an_order_stands_beside_what_it_is_not(text):
    read = read_order(text).lenient
    assert isinstance(read, Parsed)
    assert read.value == ((2, 4, 3, 1),)


@pytest.mark.parametrize("text", ["The answer is not B. It is C.", "It's not B but C.", "Not B, it is C"])
def test_a_letter_in_place_of_one_that_is_denied(text):
    read = read_choice(text, "ABCD").lenient
    assert isinstance(read, Parsed)
    assert read.value == ("C",)
