"""Where an answer is found in a text, in which form, and why there is none."""

from __future__ import annotations

import pytest

from grader.answers.extract import LOOKED_AT, extract
from grader.answers.result import Extraction, FoundAs, NoAnswer, Parsed, Span, Value, ValueForm


@pytest.mark.parametrize(
    ("text", "found_as", "written"),
    [
        ('{"answer": "A C"}', FoundAs.JSON, "A C"),
        ('So: {"answer": "A C"}.', FoundAs.JSON, "A C"),
        ('```json\n{"answer": "A C"}\n```', FoundAs.FENCED_JSON, "A C"),
        ('```\n{"answer": "A C"}', FoundAs.FENCED_JSON, "A C"),
        ('```python\nprint(1)\n```\nThen {"answer": "A C"}', FoundAs.JSON, "A C"),
        ('<|begin|>{"answer": "A C"}<|im_end|>', FoundAs.JSON, "A C"),
        ('{"answer": "A C<|im_end|>"}', FoundAs.JSON, "A C          "),
        ('{"answer": "A"} or rather {"answer": "B"}', FoundAs.JSON, "B"),
        ('{"answer": "B"} and {"note": "done"}', FoundAs.JSON, "B"),
        ('{"answer": "B"} and then {"answer": "C', FoundAs.JSON, "B"),
        ('{"answer": "A", "answer": "B"}', FoundAs.JSON, "B"),
        ('{"why": {"a": [1, {"b": {}}]}, "answer": "B"}', FoundAs.JSON, "B"),
        ('{"answer": "B", "others": [{"answer": "C"}]}', FoundAs.JSON, "B"),
        ('{"result": {"steps": 2, "answer": "B"}}', FoundAs.JSON, "B"),
        ('[{"answer": "B"}]', FoundAs.JSON, "B"),
        ('{"answer": "B", "note": "a } and a { in a text",}', FoundAs.JSON, "B"),
        ('{"note": "say {\\"answer\\": \\"A\\"}", "answer": "B"}', FoundAs.JSON, "B"),
        ('the set {A, B} and {"foo} then {"answer": "B"}', FoundAs.JSON, "B"),
        ("{'answer': 'B'}", FoundAs.JSON, "B"),
        ('{"answer": ["A", "C",],}', FoundAs.JSON, "A, C"),
        ('{"answer" : "up\nright"}', FoundAs.JSON, "up\nright"),
        ('{"answer": "\\u0041 \\"C\\" \\n\\/"}', FoundAs.JSON, 'A "C" \n/'),
        ('{"answer": "$\\boxed{\\text{C}}$"}', FoundAs.JSON, "$\\boxed{\\text{C}}$"),
        ('{"answer": "C", "n": 1e999, "m": -0.5, "t": true, "none": null}', FoundAs.JSON, "C"),
        ('{"answer": "C", "n": ' + "9" * 6000 + "}", FoundAs.JSON, "C"),
        ("It is \\boxed{A C}.", FoundAs.BOXED, "A C"),
        ("First \\boxed{A}, then $\\boxed{\\text{B}}$", FoundAs.BOXED, "\\text{B}"),
        ("a { brace, \\boxed{\\{A, C\\}}", FoundAs.BOXED, "\\{A, C\\}"),
        ("\\boxed{B} and \\boxed{C", FoundAs.BOXED, "B"),
        ("The answer is C.", FoundAs.PROSE, "C."),
        ("the Answer should be: C", FoundAs.PROSE, "C"),
        ("**Final answer:** C\n\nI am sure.", FoundAs.PROSE, "C"),
        ("**Answer**: C", FoundAs.PROSE, "C"),
        ("### Final Answer\n\nup right", FoundAs.PROSE, "up right"),
        (
            "Final answer: B. The answer is C to another question.",
            FoundAs.PROSE,
            "B. The answer is C to another question.",
        ),
        ("The correct option is C", FoundAs.PROSE, "C"),
        ("Solution: up", FoundAs.PROSE, "up"),
        ("<answer> C </answer>", FoundAs.PROSE, "C "),
        ('"answer": "C"', FoundAs.PROSE, "C"),
        ("“Answer”: “C”", FoundAs.PROSE, "C"),
    ],
)
def test_finds(text: str, found_as: FoundAs, written: str) -> None:
    found = extract(text)
    assert found.written is not None
    assert (found.found_as, found.written.text, found.why_none) == (found_as, written, None)
    assert found.value == found.written


def test_an_object_wins_over_a_box_and_a_box_over_a_sentence() -> None:
    sentence, box, answer = "The answer is A.", "\\boxed{B}", '{"answer": "C"}'
    assert extract(f"{answer} {box} {sentence}").found_as is FoundAs.JSON
    assert extract(f"{box} {sentence}").found_as is FoundAs.BOXED
    assert extract(f"{sentence} {answer} {box}").found_as is FoundAs.JSON


def test_a_copied_example_counts_only_if_nothing_follows() -> None:
    example = 'I am asked for JSON such as { "answer": "A C E" }.'
    assert extract(example).value == Value(("A C E",))
    assert extract(example + ' It is {"answer": "B"}').value == Value(("B",))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"answer": "A"}', Value(("A",))),
        ('{"answer": ["A"]}', Value(("A",), ValueForm.LIST)),
        ('{"answer": 90}', Value(("90",), ValueForm.OTHER)),
        ('{"answer": true}', Value(("true",), ValueForm.OTHER)),
        ('{"answer": {"A": 90, "B": "270"}}', Value(("A 90", "B 270"), ValueForm.OTHER)),
        ('{"answer": [["A", 90], ["B", 270]]}', Value(("A 90", "B 270"), ValueForm.OTHER)),
        ('{"answer": [{"car": "A", "to": "forward"}]}', Value(("A forward",), ValueForm.OTHER)),
        ('{"answer": [1, 2]}', Value(("1", "2"), ValueForm.OTHER)),
    ],
)
def test_values_keep_their_form(text: str, value: Value) -> None:
    assert extract(text).written == value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", NoAnswer.MISSING),
        (" \n", NoAnswer.MISSING),
        ("The puzzle is already solved.", NoAnswer.MISSING),
        ('{"solution": "A"}', NoAnswer.MISSING),
        ("The answer is", NoAnswer.MISSING),
        ('{"answer": ""}', NoAnswer.EMPTY),
        ('{"answer": " ... "}', NoAnswer.EMPTY),
        ('{"answer": []}', NoAnswer.EMPTY),
        ('{"answer": {}}', NoAnswer.EMPTY),
        ('{"answer": [""]}', NoAnswer.EMPTY),
        ('{"answer": null}', NoAnswer.EMPTY),
        ("\\boxed{}", NoAnswer.EMPTY),
        ('{"answer": "A"} {"answer": ""}', NoAnswer.EMPTY),
        ('{"answer": "unknown"}', NoAnswer.REFUSED),
        ('{"answer": "N/A"}', NoAnswer.REFUSED),
        ('{"answer": "None."}', NoAnswer.REFUSED),
        ('{"answer": "???"}', NoAnswer.REFUSED),
        ('{"answer": "Cannot determine"}', NoAnswer.REFUSED),
        ('{"answer": "I can’t reliably tell A from B"}', NoAnswer.REFUSED),
        ('{"answer": "not enough information"}', NoAnswer.REFUSED),
        ("The answer is unknown.", NoAnswer.REFUSED),
        ("I am unable to view the image.", NoAnswer.REFUSED),
        ('{"answer": "A forward', NoAnswer.UNREADABLE),
        ('{"answer": A forward}', NoAnswer.UNREADABLE),
        ("{'answer': 'it's C'}", NoAnswer.UNREADABLE),
        ("\\boxed{C", NoAnswer.UNREADABLE),
    ],
)
def test_says_why_there_is_none(text: str, reason: NoAnswer) -> None:
    found = extract(text)
    assert (found.why_none, found.value) == (reason, None)
    assert (found.found_as is FoundAs.NONE) == (found.written is None)


@pytest.mark.parametrize(
    "text",
    [
        '{"answer": "I cannot determine it for sure; my best guess: A 90"}',
        '{"answer": "A cannot move, B forward"}',
        "The answer is C. I could not find another.",
    ],
)
def test_doubts_are_no_refusal(text: str) -> None:
    assert extract(text).why_none is None


@pytest.mark.parametrize("before", ["", "Well, ", "<|x|>é\n", "x" * (LOOKED_AT + 17)])
@pytest.mark.parametrize(
    ("text", "value"),
    [('{"answer": "A\\n"}', '"A\\n"'), ("\\boxed{ A }", " A "), ("answer: A\n", "A"), ("<answer>A</answer>", "A")],
)
def test_spans_count_from_the_beginning_of_the_text(before: str, text: str, value: str) -> None:
    span = extract(before + " " + text).span
    assert span is not None
    assert (before + " " + text)[span.start : span.end] == value


def test_only_the_end_of_a_long_text_is_looked_at() -> None:
    answer = '{"answer": "A"}'
    assert extract(answer + "." * (LOOKED_AT - len(answer))).found_as is FoundAs.JSON
    assert extract(answer + "." * LOOKED_AT).why_none is NoAnswer.MISSING


def test_results_do_not_contradict_themselves() -> None:
    value, span = Value(("A",)), Span(0, 1)
    for wrong in (
        (FoundAs.NONE, span, value, NoAnswer.MISSING),
        (FoundAs.NONE, None, None, None),
        (FoundAs.JSON, None, value, None),
        (FoundAs.JSON, span, None, None),
    ):
        with pytest.raises(ValueError, match="found"):
            Extraction(*wrong)
    found = Extraction(FoundAs.JSON, span, value, None)
    for nothing in ((), "", []):
        with pytest.raises(ValueError, match="no answer"):
            Parsed(nothing, found)
