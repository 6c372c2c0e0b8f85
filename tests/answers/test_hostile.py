"""Megabytes of text that hope to keep a reader busy, and texts that hope to break it. No time is asserted: work that
grew faster than the text would keep this file running for minutes instead of seconds.
"""

from __future__ import annotations

import json

import pytest

from grader.answers.reading import LOOKED_AT
from grader.answers.result import NoAnswer, Parsed, Reading, Unread
from grader.answers.text.objects import MAX_DEPTH, find_objects
from tests.samples.answers import PARSERS, short

MEGABYTE = 2**20
UNITS = [
    "{",
    "}",
    "[",
    "\\boxed{",
    '{"answer":',
    '{"answer":"',
    '{"answer": "A forward",',
    '{"a":[',
    '{"a":{"b":{"c":{"d":{"e":{"f":1,',
    "{'",
    '"',
    "\\",
    '{"\\',
    "answer is\n",
    "<answer>",
    '"answer":',
    "cannot a ",
    "solution: not ",
    "^  {",
    "A ",
    "A forward\n",
    "->",
    " ",
    "\n",
    "\x00",
    "\ud800",
    "9",
]


def filled(unit: str, length: int = MEGABYTE) -> str:
    return (unit * (length // len(unit) + 1))[:length]


BEGINS = ('{"answer": "', "\\boxed{", "The answer is ")
# Each by itself, and every fourth one behind one of the beginnings, which take turns.
BEGUN = [("", unit) for unit in UNITS] + [(BEGINS[turn % 3], unit) for turn, unit in enumerate(UNITS[::4])]


@pytest.mark.parametrize(("begin", "unit"), BEGUN, ids=ascii)
def test_megabytes_are_answered(unit: str, begin: str) -> None:
    # Only the end is looked at, and the begin has to be within it.
    text = begin + filled(unit, LOOKED_AT - 100 if begin else MEGABYTE)
    assert isinstance(PARSERS["rush_hour"](text, Reading.LENIENT), Parsed | Unread)


# For every task units of the others as well; which of them are within an answer takes turns.
PLAIN = ("{", "A ", "A 90 clockwise ", ":")
WITHIN = ("\\boxed{", '{"answer": "A forward",', "up ", "A\n")


@pytest.mark.parametrize(
    ("task", "turn"), [(task, turn) for place, task in enumerate(PARSERS) for turn in range(place % 2, 4, 2)]
)
def test_megabytes_are_read_or_not(task: str, turn: int) -> None:
    for text in (
        filled(PLAIN[turn]),
        json.dumps({"answer": filled(WITHIN[turn], 2**16)}),
        json.dumps({"answer": filled(PLAIN[turn], 9_000)}),
        json.dumps({"answer": filled(WITHIN[turn], 9_000)}),
    ):
        assert isinstance(PARSERS[task](text, Reading.LENIENT), Parsed | Unread)


def test_an_answer_after_a_megabyte_of_brackets_is_found() -> None:
    for unit in ("{", '{"a":[', '{"answer":', "\\boxed{"):
        assert short(PARSERS["paper_fold"](filled(unit) + '\n{"answer": "C"}', Reading.STRICT)) == "C", unit


def test_depth() -> None:
    def nested(depth: int) -> str:
        return '{"a":' * depth + '{"answer": "C"}' + "}" * depth

    def inmost(text: str) -> list[str]:
        found = []
        for node in find_objects(text):
            while node.members and node.members[0].members:
                node = node.members[0]
            found.append(node.members[0].content.text)
        return found

    assert inmost(nested(MAX_DEPTH - 1)) == ["C"]
    # What is too deep is read as if it stood by itself.
    assert inmost(nested(100_000)) == ["C"]
    deep = json.dumps({"answer": "C", "more": json.loads("[" * 40 + "]" * 40)})
    for reading in Reading:
        found = PARSERS["paper_fold"](deep, reading)
        assert isinstance(found, Unread)
        assert found.why is NoAnswer.UNREADABLE


@pytest.mark.parametrize("task", PARSERS)
@pytest.mark.parametrize(
    "text",
    [
        "\ud800",
        '{"answer": "\ud800 A"}',
        '{"answer": "\\ud800 A"}',
        "\x00",
        '{"answer": "A\x00B"}',
        '{"answer": "A ²"}',
        '{"answer": "A ٣ ௧ 9९0"}',
        '{"answer": "A 1' + "0" * 9000 + '"}',
        '{"answer": 1' + "0" * 9000 + "}",
        '{"answer": 1e999999}',
        '{"answer": "ſ K İ ß ﬁ Ａ"}',
        "\u0301 A forward",
        "\u0345: up",
        "\x1c\x1d A \x85 back",
        '{"answer": "\u202e A \u200b forward"}',
        '{"answer": "A", "answer": {"answer": ["B", null]}}',
    ],
    ids=ascii,
)
def test_odd_texts_break_nothing(task: str, text: str) -> None:
    for reading in Reading:
        found = PARSERS[task](text[:12_000], reading)
        assert isinstance(found, Parsed | Unread)


def test_what_is_reported_can_be_written_down() -> None:
    """Escapes of JSON make no text that UTF-8 has no bytes for; pairs of them are the character that they mean."""
    found = PARSERS["form_board"]('{"answer": "x \\ud800 \\ud83d\\ude00"}', Reading.LENIENT)
    assert isinstance(found, Unread)
    assert found.piece == "x \\ud800 \\ud83d\\ude00"
    assert (found.piece + found.message).encode()


def test_an_entry_with_a_gap_at_its_end_spoils_its_list() -> None:
    """Two rows in an entry with something between them that can't be read, and nothing behind them."""
    found = PARSERS["sliding"]("1. up\n2. left banana down\n3. right", Reading.LENIENT)
    assert isinstance(found, Unread)
    assert found.why is NoAnswer.UNREADABLE
