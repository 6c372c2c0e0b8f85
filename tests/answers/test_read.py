"""What answers are read as, strictly and leniently: a table for each task, with what is not read and where."""

from __future__ import annotations

import json

import pytest

from grader.answers.contents import LONGEST_ANSWER
from grader.answers.result import FoundAs, NoAnswer, Parsed, Reading, Span, Unread
from grader.answers.tasks import parse_form_board, parse_hinge_folding, parse_paper_fold, parse_rush_hour, parse_sliding
from tests.samples.answers import PARSERS, short

# Values of the object's key: read by both, by the lenient reading only, by neither.
BOTH = [
    ("rush_hour", "A forward, C backward", "A+ C-"),
    ("rush_hour", "  a FORWARD ,b Backwards  ", "A+ B-"),
    ("rush_hour", "A fwd, B back, C f, D b, E +1, F -1, G +, H -", "A+ B- C+ D- E+ F- G+ H-"),
    ("rush_hour", "A −1, R+1", "A- R+"),
    ("rush_hour", "AF CB RF", "A+ C- R+"),
    ("rush_hour", "af,cb", "A+ C-"),
    ("rush_hour", "FF BB FB", "F+ B- F-"),
    ("rush_hour", "F B, B F", "F- B+"),
    ("rush_hour", "A forward C backward R forward", "A+ C- R+"),
    ("rush_hour", "red car forward, red back, Red Car -1", "R+ R- R-"),
    ("rush_hour", ["A forward", "R forward"], "A+ R+"),
    ("rush_hour", ["A forward, B back", "R forward"], "A+ B- R+"),
    ("sliding", "up right down left", "up right down left"),
    ("sliding", "Up, RIGHT,down", "up right down"),
    ("sliding", ["up", "left"], "up left"),
    ("hinge_folding", "A 90, B 270", "A90 B270"),
    ("hinge_folding", "b 45°, A 90 degrees C 180 deg", "B45 A90 C180"),
    ("hinge_folding", "A -90, B +90, C 0, D 450, E -720", "A270 B90 C0 D90 E0"),
    ("hinge_folding", "A 90, A 90", "A90 A90"),
    ("hinge_folding", ["A 90", "B 90"], "A90 B90"),
    ("form_board", "A C E", "A C E"),
    ("form_board", "e,c, a", "A C E"),
    ("form_board", ["B"], "B"),
    ("paper_fold", "C", "C"),
    ("paper_fold", " d ", "D"),
    ("paper_fold", ["C"], "C"),
]
LENIENT = [
    ("rush_hour", "A: forward -> R: forward", "A+ R+"),
    ("rush_hour", "A → forward; R → backward.", "A+ R-"),
    ("rush_hour", "A - forward, B - back", "A+ B-"),
    ("rush_hour", "AFCBRF", "A+ C- R+"),
    ("rush_hour", "1. Move car A forward 2) then the red car (R) backward", "A+ R-"),
    ("rush_hour", "A moves forward, then R should move backward", "A+ R-"),
    ("rush_hour", "the blue car A forward", "A+"),
    ("rush_hour", '**A** `forward`, (R) "forward"', "A+ R+"),
    ("rush_hour", "A forward, R forward.", "A+ R+"),
    ("rush_hour", ["A", "forward", "R", "back"], "A+ R-"),
    ("rush_hour", [{"vehicle": "A", "direction": "forward"}, {"vehicle": "R", "direction": "back"}], "A+ R-"),
    ("rush_hour", [["A", 1], ["R", "+1"]], None),
    ("rush_hour", "Best guess: A forward", "A+"),
    ("rush_hour", "I am not sure, but a likely plan: A forward, R back", "A+ R-"),
    ("rush_hour", "$A \\rightarrow \\text{forward}$", "A+"),
    ("sliding", "U R D L", "up right down left"),
    ("sliding", "urdl", None),
    ("sliding", "URDL", "up right down left"),
    ("sliding", "u, d", "up down"),
    ("sliding", "up -> right → down", "up right down"),
    ("sliding", "↑ → ↓ ←", "up right down left"),
    ("sliding", "↑↓", "up down"),
    ("sliding", "1. Move the blank up 2. then left.", "up left"),
    ("sliding", ["U", "R"], "up right"),
    ("hinge_folding", "A: 90, B = 270°", "A90 B270"),
    ("hinge_folding", "A90 B270", "A90 B270"),
    ("hinge_folding", "Hinge A by 90 degrees counter-clockwise, hinge B 90° clockwise", "A90 B270"),
    ("hinge_folding", "rotate A clockwise 45 and then B ccw 45", "A315 B45"),
    ("hinge_folding", "$A\\ 90^\\circ,\\ B\\ 270^{\\circ}$", "A90 B270"),
    ("hinge_folding", {"A": 90, "B": -90}, "A90 B270"),
    ("hinge_folding", [["A", 90], ["B", "270"]], "A90 B270"),
    ("hinge_folding", "Approximate solution: A 270, B 90", "A270 B90"),
    ("hinge_folding", "I'm not certain, but a plausible sequence is: A 90, B 90.", "A90 B90"),
    ("form_board", "{B, D, C}", "B C D"),
    ("form_board", "pieces A, C, and E", "A C E"),
    ("form_board", "A + C & E", "A C E"),
    ("form_board", "A A C", "A C"),
    ("form_board", "ACE", "A C E"),
    ("form_board", "$\\boxed{\\text{A C}}$", "A C"),
    ("form_board", "- A\n- C", "A C"),
    ("form_board", "A likely piece: C", "C"),
    ("paper_fold", "Option C", "C"),
    ("paper_fold", "(C)", "C"),
    ("paper_fold", "C.", "C"),
    ("paper_fold", "C (option C)", "C"),
    ("paper_fold", "Probably pattern D", "D"),
]
NEITHER = [
    ("rush_hour", "A sideways, R forward", "A sideways"),
    ("rush_hour", "A forward, R", ""),
    ("rush_hour", "forward", "forward"),
    ("rush_hour", "blue car forward", "blue car forward"),
    ("rush_hour", "A forward, 3 forward", "3 forward"),
    ("rush_hour", "A forward, car seven forward", "car seven forward"),
    ("rush_hour", "A +2", "A +2"),
    ("rush_hour", "A not forward", "A not forward"),
    ("rush_hour", "A and B", "A and B"),
    ("rush_hour", "A, B forward", "A"),
    ("rush_hour", "a car forward", "car forward"),
    ("rush_hour", "A forward. Remaining moves: R forward", "Remaining moves: R forward"),
    ("rush_hour", "The plan is not: A forward", "not: A forward"),
    ("sliding", "up diagonal", "diagonal"),
    ("sliding", "move tile up", "tile up"),
    ("sliding", "up halfway", "halfway"),
    ("sliding", "A forward", "forward"),
    ("hinge_folding", "A 100", "A 100"),
    ("hinge_folding", "A 90, B", ""),
    ("hinge_folding", "90, 90", "90"),
    ("hinge_folding", "A - 90", "A - 90"),
    ("hinge_folding", "A-90", "A-90"),
    ("hinge_folding", "A 9" + "0" * 5000, "A 9"),
    ("hinge_folding", "A ²", "A ²"),
    ("hinge_folding", "clockwise A 90", "clockwise A 90"),
    ("form_board", "A F", "F"),
    ("form_board", "A-E", "A-E"),
    ("form_board", "not A", "not A"),
    ("form_board", "all", ""),
    ("paper_fold", "B, D", "B"),
    ("paper_fold", "F", "F"),
    ("paper_fold", "3", "3"),
]


OPEN = [
    ("rush_hour", "A forward or B forward"),
    ("rush_hour", "A (forward) | R (forward)"),
    ("rush_hour", "A forward / R forward"),
    ("rush_hour", ["A forward, R forward", "B forward, R forward"]),
    ("rush_hour", {"option 1": "A forward", "option 2": "B forward"}),
    ("sliding", "up or left"),
    ("form_board", "A or C"),
    ("paper_fold", "B or D"),
]


def ids(table: list[tuple]) -> list[str]:
    return [f"{task}-{str(value)[:40]}" for task, value, _ in table]


def joined(found: list[str] | str | None) -> str | None:
    return " ".join(found) if isinstance(found, list) else found


@pytest.mark.parametrize(("task", "value", "expected"), BOTH, ids=ids(BOTH))
def test_both_read(task: str, value: object, expected: str) -> None:
    text = json.dumps({"answer": value})
    assert joined(short(PARSERS[task](text, Reading.STRICT))) == expected
    assert joined(short(PARSERS[task](text, Reading.LENIENT))) == expected


@pytest.mark.parametrize(("task", "value", "expected"), LENIENT, ids=ids(LENIENT))
def test_only_the_lenient_reading_reads(task: str, value: object, expected: str | None) -> None:
    text = json.dumps({"answer": value}, ensure_ascii=False)
    assert joined(short(PARSERS[task](text, Reading.LENIENT))) == expected
    strict = PARSERS[task](text, Reading.STRICT)
    assert isinstance(strict, Unread)
    assert strict.why is NoAnswer.UNREADABLE


@pytest.mark.parametrize(("task", "value", "piece"), NEITHER, ids=ids(NEITHER))
def test_neither_reads_and_the_lenient_one_says_what(task: str, value: str, piece: str) -> None:
    text = json.dumps({"answer": value}, ensure_ascii=False)
    for reading in Reading:
        found = PARSERS[task](text, reading)
        assert isinstance(found, Unread)
        assert found.why is NoAnswer.UNREADABLE
    assert found.piece[:40].startswith(piece)
    assert found.span is not None
    assert text[found.span.start :].startswith(piece)
    assert not piece or f"at character {found.span.start} of the text" in found.message


@pytest.mark.parametrize(("task", "value"), OPEN, ids=ascii)
def test_what_is_left_open_is_no_answer(task: str, value: object) -> None:
    text = json.dumps({"answer": value}, ensure_ascii=False)
    for reading in Reading:
        found = PARSERS[task](text, reading)
        assert (found.why, found.span) == (NoAnswer.AMBIGUOUS, None)


def test_the_strict_reading_says_what_and_where() -> None:
    found = parse_rush_hour('{"answer": "A forward, B sideways, R forward"}', Reading.STRICT)
    assert isinstance(found, Unread)
    assert (found.piece, found.span) == ("B sideways", Span(23, 33))
    assert found.message == (
        "Cannot read 'B sideways' at character 23 of the text; expected a move such as 'A forward'."
    )


@pytest.mark.parametrize(
    ("task", "text", "expected", "found_as"),
    [
        ("rush_hour", "Let me see.\n\n1. Move `D` backward\n2. Move R forward", "D- R+", FoundAs.PROSE),
        ("rush_hour", "The answer is A forward, R forward. That frees it.", "A+ R+", FoundAs.PROSE),
        ("rush_hour", "Final answer:\n- A forward\n- R forward\n\nDone.", "A+ R+", FoundAs.PROSE),
        ("rush_hour", "$\\boxed{A \\text{ forward}, R \\text{ forward}}$", "A+ R+", FoundAs.BOXED),
        ("sliding", '<|extra_60|>final answer is: "left up"', "left up", FoundAs.PROSE),
        ("sliding", "up right", "up right", FoundAs.PROSE),
        ("sliding", "```\nup right\n```", "up right", FoundAs.PROSE),
        ("hinge_folding", "So:\nA: 90\nB: 270", "A90 B270", FoundAs.PROSE),
        ("form_board", "Final answer: {B, D, C}.", "B C D", FoundAs.PROSE),
        ("form_board", "$\\boxed{\\{A, C\\}}$", "A C", FoundAs.BOXED),
        ("paper_fold", "The answer is C. This is because the others are wrong.", "C", FoundAs.PROSE),
        ("paper_fold", "The answer is **C**\nAs B is wrong.", "C", FoundAs.PROSE),
        ("paper_fold", "<answer>C</answer>", "C", FoundAs.PROSE),
        ("paper_fold", "I fold it twice.\nC", "C", FoundAs.PROSE),
    ],
)
def test_prose_and_boxes_are_lenient(task: str, text: str, expected: str, found_as: FoundAs) -> None:
    found = PARSERS[task](text, Reading.LENIENT)
    assert joined(short(found)) == expected
    assert found.extraction.found_as is found_as
    strict = PARSERS[task](text, Reading.STRICT)
    assert isinstance(strict, Unread)
    assert strict.why is NoAnswer.MISSING


@pytest.mark.parametrize(
    ("task", "text"),
    [
        ("rush_hour", "A forward\nR forward\nThat does not work."),
        ("rush_hour", "This is wrong:\nA forward"),
        ("rush_hour", "x" * 2000 + " not A forward"),
        ("rush_hour", "not" + " " * 2000 + "A forward"),
        ("rush_hour", 'So\n{"answer": [\n"A forward",\n'),
        ("rush_hour", '{"answer": "A forward,'),
        ("paper_fold", "The answer is not C."),
        ("paper_fold", "A\nC"),
        ("paper_fold", 'The answer is C. {"answer": "unknown"}'),
        ("paper_fold", 'The answer is C. {"answer": ""}'),
    ],
)
def test_nothing_is_made_up(task: str, text: str) -> None:
    assert isinstance(PARSERS[task](text, Reading.LENIENT), Unread)


@pytest.mark.parametrize("task", PARSERS)
@pytest.mark.parametrize("reading", Reading)
def test_reasons_of_the_text_are_kept(task: str, reading: Reading) -> None:
    for text, why in (
        ("", NoAnswer.MISSING),
        ('{"answer": ""}', NoAnswer.EMPTY),
        ('{"answer": []}', NoAnswer.EMPTY),
        ('{"answer": "Cannot determine"}', NoAnswer.REFUSED),
        ('{"answer": "', NoAnswer.UNREADABLE),
    ):
        found = PARSERS[task](text, reading)
        assert isinstance(found, Unread)
        assert (found.why, found.span) == (why, None)
        assert found.message


def test_very_long_answers_are_not_read() -> None:
    longest = ("A forward, " * LONGEST_ANSWER)[: LONGEST_ANSWER - 2] + " "
    for reading in Reading:
        assert isinstance(PARSERS["rush_hour"](json.dumps({"answer": longest + "  A f"}), reading), Unread)
    fitting = " ".join(["up"] * (LONGEST_ANSWER // 3))
    for reading in Reading:
        assert len(short(PARSERS["sliding"](json.dumps({"answer": fitting}), reading)) or "") == LONGEST_ANSWER // 3


def test_other_labels() -> None:
    assert short(parse_form_board('{"answer": "A G"}', Reading.STRICT, "ABCDEFG")) == ["A", "G"]
    assert short(parse_paper_fold("Option H", Reading.LENIENT, "ABCDEFGH")) == "H"
    assert short(parse_hinge_folding('{"answer": "G 45"}', Reading.STRICT)) == ["G45"]
    for wrong in ("", "AA", "aB", "A1"):
        with pytest.raises(ValueError, match="different capital letters"):
            parse_form_board("A", Reading.STRICT, wrong)


def test_thoughts_are_no_answer() -> None:
    """What stands before the end of a thought is left out; nothing after it is no answer."""
    thought = '<think>maybe {"answer": "up"}? no, that fails</think>'
    assert isinstance(parse_sliding(f"{thought} I cannot solve this.", Reading.LENIENT), Unread)
    said = parse_sliding(f'{thought} {{"answer": "left"}}', Reading.STRICT)
    assert isinstance(said, Parsed)
    assert [step.value for step in said.value] == ["left"]


def test_an_entry_with_nothing_before_its_move_may_not_be_understood() -> None:
    """The last entry is spoken of like the first, and not read as one of the plan: nobody knows what the plan is."""
    read = parse_rush_hour("c:\nRIGHT T:B FRWARD\nPaso6E BCKWARD\nPaso7R BACK", Reading.LENIENT)
    assert isinstance(read, Unread)
    assert read.piece == "Paso7R BACK"
