"""``python -m benchmarks.answers speed``: how long answers take to read."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

from tqdm import tqdm

from benchmarks.answers.composed.compose import compose
from benchmarks.answers.composed.judging import judge_text
from benchmarks.answers.composed.riddles import riddles

ANSWERS, ANSWER_BYTES, MOST_ANSWERS_S = 10_000, 2_000, 10.0
"""So many answers of so many bytes may take so long, in both readings."""
LARGE_BYTES, MOST_LARGE_S = 1_000_000, 0.2
"""So long may a text of so many bytes take, whatever it holds, in both readings."""
_UNITS = {
    "brackets": "[", "closing brackets": "]", "braces": "{", "brace pairs": "{}", "parentheses": "(",
    "quotes": '"', "apostrophes": "'", "spaces": " ", "digits": "7", "backslashes": "\\", "commas": ",",
    "newlines": "\n", "carriage returns": "\r\n", "tabs": "\t", "one word": "forward ",
    "one move": "A forward, ", "one step": "left, ", "answers": '{"answer": "A forward"} ',
    "keys": '"answer": ', "open objects": '{"answer": ', "open lists": '{"answer": [', "boxes": r"\boxed{",
    "fences": "```\n", "ticks": "`", "thoughts": "<think>", "closed thoughts": "</think>", "tags": "<answer>",
    "angle brackets": "<", "comments": "<!-- ", "tildes": "~~", "stars": "**", "bars": "|",
    "table rows": "| 1 | A |\n", "items": "1. A forward\n", "bullets": "- ", "quoted": "> ", "headings": "# ",
    "leads": "Answer: ", "negations": "not ", "alternatives": " or ", "retractions": "Wait, that is wrong. ",
    "colons": ":", "letters": "a", "capitals": "AF", "zero width": "\u200b", "marks": "\ufeff",
    "combining": "a\u0301", "full width": "ａ", "Chinese": "答案", "ligatures": "ﷺ", "arrows": "→", "emoji": "⬅️",
    "latex": r"\text{", "dollars": "$", "escapes": "\\u0041", "surrogates": "\ud800", "signs": "+-",
    "entities": "&lt;", "points": ".", "questions": "? ",
}  # fmt: skip


def padded(number: int) -> str:
    """A composed answer with reasoning before it, of 2 kB."""
    text = compose(2, number).text
    reason = "Let me look at the lot again. The blocker stands on the line, and there is room behind it. "
    missing = max(0, ANSWER_BYTES - len(text.encode()) - 2)
    return (reason * (missing // len(reason) + 1))[:missing] + "\n\n" + text


def main(arguments: Sequence[str]) -> int:
    """Runs the command; 1 if a bound is missed."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.answers speed",
        description="Times 10,000 answers of 2 kB, and texts of 1 MB of one thing.",
    )
    parser.add_argument("--quick", action="store_true", help="1,000 answers, and ten times their time")
    options = parser.parse_args(arguments)
    count = ANSWERS // 10 if options.quick else ANSWERS
    answers = [padded(number) for number in range(min(count, 1000))]
    composed = [compose(2, number) for number in range(len(answers))]
    puzzles = [one.riddle for one in composed]
    begin = time.process_time()
    for one in composed:
        one.riddle.solves(one.said or one.riddle.shortest[0])
    simulated = (time.process_time() - begin) * ANSWERS / len(composed)
    begin = time.process_time()
    for number in tqdm(range(count), unit="answer", disable=None):
        judge_text(puzzles[number % len(answers)], answers[number % len(answers)])
    took = (time.process_time() - begin) * ANSWERS / count
    missed = took > MOST_ANSWERS_S
    print(
        f"{ANSWERS} answers of {ANSWER_BYTES} bytes in both readings: {took:.1f} s (asked: at most "
        f"{MOST_ANSWERS_S:g}), of which simulating plans takes about {simulated:.1f} s"
    )
    worst = []
    for name, unit in tqdm(_UNITS.items(), unit="text", disable=None):
        text = unit * (LARGE_BYTES // len(unit))
        worst.append((max(_seconds(text, place) for place in (0, -1)), name))
    for seconds, name in sorted(worst, reverse=True):
        word = "MISSED " if seconds > MOST_LARGE_S else "reached"
        print(f"{word} 1 MB of {name:18s} {seconds:.3f} s (asked: at most {MOST_LARGE_S:g})")
    return 1 if missed or max(worst)[0] > MOST_LARGE_S else 0


def _seconds(text: str, place: int) -> float:
    """Of a lot, or of tiles; the shorter of two tries."""
    riddle = riddles()[place]
    found = []
    for _ in range(2):
        begin = time.process_time()
        judge_text(riddle, text)
        found.append(time.process_time() - begin)
    return min(found)
