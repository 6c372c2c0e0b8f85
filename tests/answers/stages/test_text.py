"""A text made plain, without thoughts, parted, as words: each stage by itself."""

from __future__ import annotations

import pytest

from grader.answers.lexicon import meanings as m
from grader.answers.result import Span
from grader.answers.text.blocks import BOX, CLOSED, ISLAND, TAG, TextTable, part
from grader.answers.text.objects import Broken, Node, NodeKind, find_objects
from grader.answers.text.passages import Passage, plain_passage, without_unseen
from grader.answers.text.thoughts import without_thoughts
from grader.answers.text.words import words_of


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("Ａ ｂａｃｋ", "A back"),
        ("“A” – ‘b’", "\"A\" - 'b'"),
        ("① A", "1.  A"),
        ("A\u00a0b\tc", "A b c"),
        ("⬅️➡", "←→"),
        ("ﬁ", "fi"),
        ("A、B。", "A,B. "),
        ("🅰", "A"),
        ("a²", "a2"),
    ],
)
def test_compatibility_forms_become_plain(written: str, plain: str) -> None:
    assert plain_passage(written).text == plain


def test_every_character_keeps_its_place() -> None:
    """The ligature is one character of the text and two of the plain one."""
    made = plain_passage("ﬁx Ａ", begin=10)
    assert made.text == "fix A"
    assert [made.place(index) for index in range(5)] == [10, 10, 11, 12, 13]
    assert made.span(0, 2) == Span(10, 11)
    assert made.cut(4, 5).span(0, 1) == Span(13, 14)


def test_what_nobody_sees_is_taken_away() -> None:
    made = without_unseen("A\u200b b\ufeff")
    assert (made.text, made.span(2, 3)) == ("A b", Span(3, 5))
    assert without_unseen("plain") == Passage("plain")


@pytest.mark.parametrize(
    "text",
    [
        "<think>x</think>A",
        "<THINKING lang='en'>x</THINKING>A",
        "x</think>A",
        "[THINK]x[/THINK]A",
        "<scratch_pad>x</scratch_pad>A",
        "<inner-monologue>x</inner-monologue>A",
        "◁think▷x◁/think▷A",
        "<|begin_of_thought|>x<|end_of_thought|>A",
        "&lt;reasoning&gt;x&lt;/reasoning&gt;A",
        "<|channel|>analysis<|message|>x<|end|><|start|>assistant<|channel|>final<|message|>A",
        "```thinking\nx\n```A",
        "x\n...done thinking.\nA",
        "[brainstorm]x[/brainstorm]A",
        "<réflexion>x</réflexion>A",
    ],
)
def test_thoughts_are_blank(text: str) -> None:
    answered = without_thoughts(text)
    assert (answered.text.split(), answered.open, len(answered.text)) == (["A"], False, len(text))


@pytest.mark.parametrize("text", ["A<think>x", "A[THINK]x", "A<thought>x</other>", "A<|channel|>analysis<|message|>x"])
def test_a_thought_that_never_ends_is_open(text: str) -> None:
    assert (without_thoughts(text).text.split(), without_thoughts(text).open) == (["A"], True)


@pytest.mark.parametrize("text", ["[Reasoning] A", "<answer>A</answer>", "`<think>` is a tag", "<final_answer>A"])
def test_what_is_no_thought_stays(text: str) -> None:
    assert without_thoughts(text).text == text


def nodes(text: str) -> list[Node | Broken]:
    return list(find_objects(text))


@pytest.mark.parametrize(
    ("text", "loose"),
    [
        ('{"answer": "A"}', False),
        ("{'answer': 'A',}", False),
        ('{"answer": "A" /* x */}', True),
        ("{answer: A}", True),
        ("{“answer”: “A”}", True),
        ('{"answer"： "A"}', False),
        ('{{"answer": "A"}}', False),
        ('{"note": "the "free" way", "answer": "A"}', True),
    ],
)
def test_objects_are_read_in_spite_of_slips(text: str, loose: bool) -> None:
    (node,) = nodes(f"see {text} there")
    assert isinstance(node, Node)
    assert (node.members[-1].content.text, node.keys[-1], node.loose) == ("A", "answer", loose)


def test_strings_know_where_each_character_stands() -> None:
    """The escape of six characters is one character."""
    (node,) = nodes('{"a": "\\u0041 \\"b\\""}')
    assert isinstance(node, Node)
    (member,) = node.members
    assert (member.kind, member.content.text, member.written) == (NodeKind.TEXT, 'A "b"', 'A "b"')
    assert member.content.span(0, 1) == Span(7, 13)
    assert member.content.span(3, 4) == Span(16, 17)


def test_objects_that_are_broken_are_told() -> None:
    assert nodes('{"answer": "A') == [Broken(0, 13, ("answer",), cut=True)]
    assert nodes('{"answer": "A" "B"}') == [Broken(0, 15, ("answer",), cut=False)]
    assert nodes("{ not an object } [neither]") == []


def test_boxes_tags_and_tables_are_set_apart() -> None:
    table = "| Step | Move |\n|---|---|\n| 1 | up |\n"
    parted = part(f"<answer>\\boxed{{A}}</answer>\n{table}~~gone~~ <!-- too --> <|im_end|>x")
    signs = [sign for sign in parted.passage.text if not sign.isspace()]
    assert signs == [TAG, BOX, "A", CLOSED, CLOSED, ISLAND, "x"]
    (island,) = parted.islands
    assert isinstance(island, TextTable)
    assert ([cell.text for cell in island.heads], [[cell.text.strip() for cell in row] for row in island.rows]) == (
        [" Step ", " Move ", ""] if len(island.heads) == 3 else [" Step ", " Move "],
        [["1", "up"]],
    )


def test_words_have_their_meanings() -> None:
    words = {word.lower: word.means for word in words_of(plain_passage("Car A moves foward; 答案如下: скорее вперёд"))}
    assert words["forward"] & m.FORWARD  # a slip of the hand
    assert words["car"] & m.VEHICLE
    assert words["答案"] & m.ANSWER
    assert words["вперед"] & m.FORWARD


@pytest.mark.parametrize(
    ("text", "lower"), [("all the way", "all the way"), ("in reverse", "in reverse"), ("e.g. A", "e . g")]
)
def test_phrases_are_one_word(text: str, lower: str) -> None:
    assert words_of(plain_passage(text))[0].lower == lower


@pytest.mark.parametrize("text", ["lift", "fort", "backyard", "wright", "upper", "town"])
def test_other_words_are_not_taken_for_slips(text: str) -> None:
    ways = m.FORWARD | m.BACKWARD | m.UP | m.DOWN | m.LEFT | m.RIGHT
    assert not words_of(plain_passage(text))[0].means & ways


def test_look_alikes_are_read_where_nothing_else_fits() -> None:
    """The second and the fifth letter are Cyrillic."""
    assert words_of(plain_passage("bасkwаrd"))[0].means & m.BACKWARD
