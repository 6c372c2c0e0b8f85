"""Answers to jigsaw puzzles as text: a letter, an order, three lines, in any form; and to the letter."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.answers.compounds.anomalies import AnomalyAnswer
from grader.answers.compounds.asked import read_anomaly, read_choice, read_order
from grader.answers.compounds.orders import find_orders
from grader.answers.result import NoAnswer, Parsed
from grader.tasks.jigsaw.echoes import echoes_of
from puzzles.jigsaw.kinds import QuestionKind

CANDIDATES = echoes_of(QuestionKind.MISSING_PIECE_HARD)
CONNECTIONS = echoes_of(QuestionKind.CONNECTION)
OFFERED = {"A": (2, 3, 1, 4), "B": (2, 4, 3, 1), "C": (3, 4, 2, 1), "D": (4, 1, 3, 2)}


def said(read):
    return read.value[0] if isinstance(read, Parsed) else read.why


def both(readings):
    return said(readings.strict), said(readings.lenient)


NO = NoAnswer.UNREADABLE


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        *((text, "B") for text in ("b", "B.", "(B)", "**B**", "Answer: B", "\\boxed{B}", "['B']", '{"answer": "B"}')),
        *((text, "B") for text in ("B. Candidate 2", "Candidate 2", "The answer is B (Candidate 2)", "Image B")),
        ("C. Candidate 3 (the fourth input image)", "C"),
        ("C is the best match.", "C"),
        ("C is the correct answer because the sky goes on.", "C"),
        ("The sky of A is too dark. B has grass. The answer is C.", "C"),
        ("The piece belongs to region B.", "B"),
        ("The content matches masked area A because of the roof.", "A"),
        ("It would not fit region B.", NoAnswer.MISSING),
        ("It belongs to area A. It belongs to area C.", NoAnswer.AMBIGUOUS),
        ("C. Candidate 2", NoAnswer.AMBIGUOUS),
        ("A or B", NoAnswer.AMBIGUOUS),
        ("E", NoAnswer.MISSING),
        ("", NoAnswer.MISSING),
    ],
)
def test_a_letter_in_any_form(text, letter):
    strict, lenient = both(read_choice(text, "ABCD", CANDIDATES))
    assert lenient == letter
    assert strict == (NO if isinstance(letter, str) else letter)  # none of these is the letter alone


@pytest.mark.parametrize("text", ["B", " B\n", "<think>It may be A.</think>\nB", "\u200bB"])
def test_the_letter_alone_is_strict(text):
    assert both(read_choice(text, "ABCD", CANDIDATES)) == ("B", "B")


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("A. Side by side, left and right", "A"),
        ("B. The two images are adjacent vertically (top-bottom relationship)", "B"),
        ("The two images are not adjacent in the original image", "C"),
        ("Side by side", "A"),
        ("The answer is: one above the other", "B"),
        ("A. One above the other", NoAnswer.AMBIGUOUS),
        ("They could lie side by side, or one above the other.", NoAnswer.MISSING),
    ],
)
def test_a_connection_in_words(text, letter):
    assert said(read_choice(text, "ABC", CONNECTIONS).lenient) == letter


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        *((text, "B") for text in ("B. [2, 4, 3, 1]", "B: [2, 4, 3, 1]", "**B. [2, 4, 3, 1]**", "B ([2, 4, 3, 1])")),
        ("[2, 4, 3, 1]", "B"),
        ("Option B ([2,4,3,1])", "B"),
        ("C. [2, 4, 3, 1]", NoAnswer.AMBIGUOUS),
        ("The order is [1, 2, 3, 4], which is not offered. So the answer is C.", "C"),
        ("The order is [3, 4, 2, 1], so the answer is C", "C"),
        ("[1, 2, 3, 4]", NoAnswer.MISSING),
    ],
)
def test_an_order_that_is_offered_stands_for_its_letter(text, letter):
    assert said(read_choice(text, "ABCD", orders=OFFERED).lenient) == letter


ORDER = (2, 3, 1, 4)


@pytest.mark.parametrize(
    "text",
    [
        "The correct order is [2, 3, 1, 4].",
        "```python\n[2, 3, 1, 4]\n```",
        "order = [2, 3, 1, 4]",
        "2, 3, 1, 4",
        "2 3 1 4",
        "2314",
        "2 -> 3 -> 1 -> 4",
        "(2, 3, 1, 4)",
        "['2', '3', '1', '4']",
        "[[2, 3], [1, 4]]",
        "Row 1: 2, 3\nRow 2: 1, 4",
        "Row 0: 2 3, Row 1: 1 4",
        "Row 1 = [2, 3], row 2 = [1, 4]",
        "**Top row:** 2, 3\n**Bottom row:** 1, 4",
        "Bottom row: 1, 4. Top row: 2, 3.",
        "The top row consists of pieces 2 and 3, the bottom row of 1 and 4.",
        "Left column: 2, 1. Right column: 3, 4.",
        "2, 3 / 1, 4",
        "| 2 | 3 |\n|---|---|\n| 1 | 4 |",
        "| left | right |\n|---|---|\n| 2 | 3 |\n| 1 | 4 |",
        "(1,1)=2, (1,2)=3, (2,1)=1, (2,2)=4",
        "(0, 0): 2; (0, 1): 3; (1, 0): 1; (1, 1): 4",
        "TL: 2, TR: 3, BL: 1, BR: 4",
        "Piece #2 top-left; #3 top-right; #1 bottom-left; #4 bottom-right",
        "[1, 2, 3, 4]. Wait, no: [2, 3, 1, 4]",
        "[Image 2, Image 3, Image 1, Image 4]",
        "\\boxed{[2, 3, 1, 4]}",
        '{"answer": [2, 3, 1, 4]}',
        "<answer>[2, 3, 1, 4]</answer>",
        "First I thought [1, 2, 3, 4]. That is wrong. [2, 3, 1, 4]",
        "Not [1, 2, 3, 4]. The order is 2, 3, 1, 4.",
        "[2, 3, 1, 4] is the correct order because the sky is on top.",
        "- Top-left: 2\n- Top-right: 3\n- Bottom-right: 4\n- Bottom-left: 1",
        '{"top_left": 2, "top_right": 3, "bottom_left": 1, "bottom_right": 4}',
        "Image 2 is top-left, image 3 top-right, image 1 bottom-left, image 4 bottom-right.",
        "top-left: 2\ntop-right: 3\nbottom-left: 1\nbottom-right: 4\n\n[2, 3, 1, 4]",
    ],
)
def test_an_order_in_any_form(text):
    assert both(read_order(text)) == (NO, ORDER)


@pytest.mark.parametrize("text", ["[2, 3, 1, 4]", "[2,3,1,4]", "<think>[1, 2, 3, 4]?</think>[2, 3, 1, 4]\n"])
def test_the_list_alone_is_strict(text):
    assert both(read_order(text)) == (ORDER, ORDER)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[1, 2, 2, 4]", NO),
        ("[0, 1, 2, 3]", NO),
        ("[2, 3, 1]", NO),
        ("[2, 3, 1, 4] or [1, 2, 3, 4]", NoAnswer.AMBIGUOUS),
        ("The images 1, 2, 3, 4 show a lake.", NoAnswer.MISSING),
        ('{"answer": "unknown"}', NoAnswer.REFUSED),
        ("", NoAnswer.MISSING),
        ("<think>[2, 3, 1, 4]", NoAnswer.MISSING),
    ],
)
def test_what_is_no_order(text, why):
    strict, lenient = both(read_order(text))
    assert isinstance(strict, NoAnswer)
    assert lenient is why


def test_numbers_that_are_no_order_are_left_alone():
    assert find_orders("In 2023, 4 of 12 photographs, 1, 2, 3, 4, 5 and 3.1 2 4 1") == []


def test_an_order_is_marked_where_it_stands():
    text = "It is [1, 2, 3, 4]. No, that is wrong.\n\n[2, 3, 1, 4]"
    read = read_order(text).lenient
    assert [text[span.start : span.end] for span in read.spans] == ["[2, 3, 1, 4]"]


CHANGED, INTACT = AnomalyAnswer("B", "C", "A"), AnomalyAnswer("A", "", "")


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Error Type: A\nJudgment: B\nError Position: C", CHANGED),
        ("**Judgment:** B\n**Error Position:** C\n**Error Type:** A", CHANGED),
        ("1. Judgment: B\n2. Error Position: C\n3. Error Type: A", CHANGED),
        ('{"Judgment": "B", "Error Position": "C", "Error Type": "A"}', CHANGED),
        ("The judgment is B, the error position is C, and the error type is A.", CHANGED),
        ("Judgment: B Error Position: C Error Type: A", CHANGED),
        ("Judgment: B. Incorrect\nError Position: C (bottom-left)\nError Type: Rotation", CHANGED),
        ("Judgment: Incorrect (B)\nError Position: C\nError Type: A", CHANGED),
        ("Judgment: A\nError Position: (blank)\nError Type: (leave blank)", INTACT),
        ("\\boxed{Judgment: B, Error Position: C, Error Type: A}", CHANGED),
        ("```\nJudgment: B\nError Position: C\nError Type: A\n```", CHANGED),
        ("B\nC\nA", CHANGED),
        ("**Judgment:** B\nThe sky is below.\n**Error Position:** C\nIt is grass.\n**Error Type:** A\n", CHANGED),
        ("Judgment: A\nError Position: N/A\nError Type: None", INTACT),
        ("Judgment: A", AnomalyAnswer("A")),
        ("A", AnomalyAnswer("A")),
        ("Judgment: B\nError Position: C\nError Type: A\n\nThat is wrong.\n\nJudgment: A\nError Position:\nError Type:",
         INTACT),
        ("Judgment: B (Correct)\nError Position: C\nError Type: A", NO),
        ("Judgment: E\nError Position: C\nError Type: A", NO),
        ("Judgment: A or B\nError Position: A/B/C/D (or leave blank)\nError Type: A/B", NoAnswer.MISSING),
        ("The picture looks fine.", NoAnswer.MISSING),
    ],
)  # fmt: skip
def test_three_lines_in_any_form(text, answer):
    strict, lenient = both(read_anomaly(text))
    assert isinstance(strict, NoAnswer)  # none of these is the three lines alone
    assert lenient == answer


@pytest.mark.parametrize(
    "text",
    [
        "Judgment: B\nError Position: C, A, B, D\nError Type: A",
        "Judgment: B\nError Position: C. Wait, D\nError Type: A",
        "Judgment: B\nError Position: C\nError Type: A, B",
        "Judgment: B\nError Position: bottom left, bottom right\nError Type: A",
        '{"Judgment": "B", "Error Position": ["C", "A", "B", "D"], "Error Type": ["A", "B"]}',
    ],
)
def test_several_values_of_a_line_are_none(text):
    """Who names all pieces has named none."""
    _, lenient = both(read_anomaly(text))
    assert isinstance(lenient, NoAnswer)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Judgment: B\nError Position: C\nError Type: A", CHANGED),
        ("Judgment: A\nError Position:\nError Type:", INTACT),
        ("Judgment: A\nError Position: \nError Type: \n", INTACT),
        ("Judgment: A\nError Position: C\nError Type: A", AnomalyAnswer("A", "C", "A")),
    ],
)
def test_the_three_lines_alone_are_strict(text, answer):
    assert both(read_anomaly(text)) == (answer, answer)


PIECES = st.sampled_from(
    [
        *("A", "B", "b.", "C. Candidate 3", "Side by side", "[2, 3, 1, 4]", "2 3 1 4", "[1, 1, 2]", "\n"),
        *("Judgment: B", "Error Position: C", "Error Type:", "The answer is", "wait, no", "or", "not", "{", "}", '"'),
        *("\\boxed{", "top-left: 2", "<think>", "</think>", "```", "- ", "1. ", "\u13a0", "\u200b"),
        *("is the correct order", "**", ": ", ", "),
    ]
)  # fmt: skip


@settings(max_examples=20, deadline=None)
@given(st.lists(PIECES, max_size=12), st.sampled_from(["", " ", "\n"]))
def test_what_strict_reads_lenient_reads_and_the_same(pieces, between):
    text = between.join(pieces)
    for readings in (
        read_choice(text, "ABCD", CANDIDATES, OFFERED),
        read_choice(text, "ABC", CONNECTIONS),
        read_order(text),
        read_anomaly(text),
    ):
        assert not isinstance(readings.strict, Parsed) or readings.strict == readings.lenient
        for one in (readings.strict, readings.lenient):
            for span in getattr(one, "spans", ()):
                assert 0 <= span.start <= span.end <= len(text)
