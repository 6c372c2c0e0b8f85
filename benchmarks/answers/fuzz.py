"""``python -m benchmarks.answers fuzz``: random and mutated texts through both readings."""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections import Counter
from collections.abc import Sequence

from tqdm import tqdm

from benchmarks.answers.composed.compose import compose
from benchmarks.answers.composed.dice import Dice
from benchmarks.answers.composed.judging import judge_text
from benchmarks.answers.composed.riddles import Riddle, riddles
from grader.answers.result import Reading

MOST_S = 0.05
"""How long a text may take in both readings, of the processor's time."""
KINDS = ("signs", "pieces", "cut", "deleted", "doubled", "exchanged", "two mixed", "repeated")
_RANGES = ((0x20, 0x7E), (0xA0, 0x24F), (0x400, 0x4FF), (0x2000, 0x206F), (0x2190, 0x21FF), (0x3000, 0x30FF),
           (0x4E00, 0x4FFF), (0xAC00, 0xADFF), (0xFF00, 0xFFEF), (0x1F300, 0x1F6FF), (0x0, 0x1F), (0xE000, 0xE0FF),
           (0xD800, 0xDFFF))  # fmt: skip
_PIECES = (
    '{"answer": "', '"}', "{", "}", "[", "]", "(", ")", '"', "'", "\\", "\\boxed{", "```", "```json\n",
    "<think>", "</think>", "<answer>", "</answer>", "<!--", "-->", "~~", "**", "|", "|---|", "\n", "\n\n",
    "\r\n", "\t", ": ", ", ", "A forward", "R backward", "left", "up", "AF", "+1", "x3", "not", "or", "Answer:",
    "Final answer", "Wait, that is wrong.", "rejected", "option 1", "答案：", "Antwort:", "1. ", "- ", "> ", "# ",
    "\u200b", "\ufeff", "←", "$", "<|im_end|>", "&amp;", "\\u0041", "\\text{", "^", "0", "999999999999",
    "a" * 50, " " * 50,
)  # fmt: skip


def fuzzed(seed: int, number: int) -> tuple[str, Riddle, str]:
    """The text of a seed and a number: its kind, a puzzle, and itself."""
    dice = Dice(f"fuzz/{seed}/{number}")
    kind, riddle = dice.pick(KINDS), dice.pick(riddles())
    if kind == "signs":
        return kind, riddle, "".join(_sign(dice) for _ in range(dice.below(300)))
    if kind == "pieces":
        return kind, riddle, "".join(dice.pick(_PIECES) for _ in range(dice.below(80)))
    answer = compose(seed, dice.below(1_000_000))
    text, riddle = answer.text, answer.riddle
    at, to = sorted((dice.below(len(text) + 1), dice.below(len(text) + 1)))
    if kind == "cut":
        text = text[:at] if dice.likely(0.5) else text[at:]
    elif kind == "deleted":
        text = text[:at] + text[to:]
    elif kind == "doubled":
        text = text[:to] + text[at:]
    elif kind == "exchanged":
        signs = list(text)
        for _ in range(1 + dice.below(8)):
            signs[dice.below(len(signs))] = dice.pick(_PIECES) if dice.likely(0.5) else _sign(dice)
        text = "".join(signs)
    elif kind == "two mixed":
        text = text[:at] + compose(seed, dice.below(1_000_000)).text + text[to:]
    else:
        text = text[:at] + text[at:to][:60] * (1 + dice.below(200)) + text[to:]
    return kind, riddle, text


def _sign(dice: Dice) -> str:
    low, high = dice.pick(_RANGES)
    return chr(low + dice.below(high - low + 1))


def main(arguments: Sequence[str]) -> int:
    """Runs the command; 1 if a text raises or takes too long."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.answers fuzz",
        description="Reads random and mutated texts in both readings: none may raise, and none take over 50 ms.",
    )
    parser.add_argument("--texts", type=int, default=2000, metavar="N", help="how many (default: 2000)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="which row of texts (default: 1)")
    options = parser.parse_args(arguments)
    if options.texts < 1:
        print("fuzz: --texts has to be at least 1", file=sys.stderr)
        return 2
    ends: Counter[tuple[str, str]] = Counter()
    raised: list[str] = []
    slow: list[str] = []
    unequal = 0
    longest = 0.0
    for number in tqdm(range(options.texts), unit="text", disable=None):
        kind, riddle, text = fuzzed(options.seed, number)
        took, end, strict = _read(riddle, text)
        if took > MOST_S:  # once more, for the machine may have been busy
            took = min(took, _read(riddle, text)[0])
        longest = max(longest, took)
        unequal += strict
        ends[kind, end.splitlines()[-1] if end.startswith("Traceback") else end] += 1
        if end.startswith("Traceback"):
            raised.append(f"text {number} ({kind}): {end}")
        if took > MOST_S:
            slow.append(f"text {number} ({kind}, {len(text)} characters): {1000 * took:.0f} ms")
    for (kind, end), count in sorted(ends.items()):
        print(f"{kind:12s} {end:40s} {count}")
    most = f"take over {1000 * MOST_S:.0f} ms, the longest {1000 * longest:.1f} ms"
    print(f"{options.texts} texts: {len(raised)} raise, {len(slow)} {most}")
    print(f"PASS in the strict reading and FAIL in the lenient one: {unequal}")
    print(*raised[:12], *slow[:12], sep="\n", end="\n" if raised or slow else "")
    return 1 if raised or slow or unequal else 0


def _read(riddle: Riddle, text: str) -> tuple[float, str, bool]:
    """Seconds of the processor of both readings, how the lenient one ends, and whether only the strict one passes."""
    begin = time.process_time()
    try:
        judged = judge_text(riddle, text)
    except Exception:  # noqa: BLE001 - whatever is raised is what is looked for
        return time.process_time() - begin, traceback.format_exc().strip(), False
    took = time.process_time() - begin
    lenient, strict = judged[Reading.LENIENT], judged[Reading.STRICT]
    return took, "PASS" if lenient.fault is None else lenient.fault.value, strict.solved and not lenient.solved
