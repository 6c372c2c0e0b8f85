"""``python -m benchmarks.answers composed``: how many composed answers are read as a fair reader reads them."""

from __future__ import annotations

import argparse
import dataclasses
import itertools
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from tqdm import tqdm

from benchmarks.accuracy.tables import Share
from benchmarks.answers.composed.compose import AXES, compose
from benchmarks.answers.composed.judging import Judged, judged

LEAST_READ = 0.98
"""Of the right answers, the share that has to pass."""
MOST_PASSED = 0.001
"""Of the wrong ones and of those that say no plan, the share that may."""
_EPILOG = """
An answer states a plan, or several, or none, in a form, a wording, a language, a layout, with hedging, retraction and
noise, all drawn by --seed and its number. It carries the plan that a fair reader takes from it, and so the verdict that
it should get. Where a fair reader would not dare to decide, nothing is composed. See docs/answers_composed.md.
"""


def main(arguments: Sequence[str]) -> int:
    """Runs the command; 1 if a target is missed, 2 if an argument is wrong."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.answers composed",
        description="Composes answers from a grammar, with the verdict that each should get, and judges them.",
        epilog=_EPILOG,
    )
    parser.add_argument("--answers", type=int, default=2000, metavar="N", help="how many (default: 2000)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="which row of answers (default: 1)")
    parser.add_argument("--case", type=int, metavar="N", help="show the answer of this number, and stop")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write all as JSON lines")
    parser.add_argument("--examples", type=int, default=12, metavar="N", help="of each kind of miss (default: 12)")
    options = parser.parse_args(arguments)
    if options.answers < 1 or options.examples < 0:
        print("composed: --answers has to be at least 1, and --examples 0", file=sys.stderr)
        return 2
    if options.case is not None:
        print("\n".join(shown(judged(compose(options.seed, options.case)), whole=True)))
        return 0
    found = compose_and_judge(options.seed, options.answers)
    if options.out is not None:
        lines = (json.dumps(dataclasses.asdict(one), ensure_ascii=False) for one in found)
        options.out.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(report(found, options.examples)))
    return 0 if reached(found) else 1


def compose_and_judge(seed: int, count: int) -> list[Judged]:
    """So many answers of a seed, judged; of equal ones to one puzzle only the first."""
    found: list[Judged] = []
    seen: set[tuple[str, str]] = set()
    numbers = itertools.count()
    with tqdm(total=count, unit="answer", disable=None) as bar:
        while len(found) < count:
            answer = compose(seed, next(numbers))
            if (answer.riddle.name, answer.text) not in seen:
                seen.add((answer.riddle.name, answer.text))
                found.append(judged(answer))
                bar.update()
    return found


def read_share(found: Sequence[Judged]) -> Share:
    """Of the right answers, those that pass."""
    fair = [one for one in found if one.fair]
    return Share(sum(one.passes for one in fair), len(fair))


def passed_share(found: Sequence[Judged]) -> Share:
    """Of the others, those that pass."""
    unfair = [one for one in found if not one.fair]
    return Share(sum(one.passes for one in unfair), len(unfair))


def reached(found: Sequence[Judged]) -> bool:
    """Whether both targets are met."""
    read, passed = read_share(found).value, passed_share(found).value
    return (read is None or read >= LEAST_READ) and (passed is None or passed <= MOST_PASSED)


def report(found: Sequence[Judged], examples: int) -> Iterator[str]:
    """All that is printed, line by line."""
    read, passed = read_share(found), passed_share(found)
    said = [one for one in found if one.said is not None]
    alike = Share(sum(one.read == one.said for one in said), len(said))
    silent = [one for one in found if one.said is None]
    none = Share(sum(one.read is None for one in silent), len(silent))
    yield f"{len(found)} answers, all distinct; per cent with Wilson 95 % intervals"
    yield f"right, and PASS: {read.hits} of {read.count} = {read} (asked: at least {100 * LEAST_READ:g})"
    most = f"asked: at most {100 * MOST_PASSED:g}"
    yield f"wrong or no plan, yet PASS: {passed.hits} of {passed.count} = {passed} ({most})"
    yield f"plans read as they are said, right or wrong: {alike.hits} of {alike.count} = {alike}"
    yield f"no plan said, and none read: {none.hits} of {none.count} = {none}"
    unequal = sum(one.strict and not one.passes for one in found)
    yield f"PASS in the strict reading and FAIL in the lenient one: {unequal}"
    for axis in AXES:
        yield from ("", *_table(found, axis))
    for name, wrong in (
        ("wrong or no plan, yet PASS", [one for one in found if one.passes and not one.fair]),
        ("right, yet FAIL", [one for one in found if one.fair and not one.passes]),
    ):
        yield f"\n{name}: {len(wrong)}"
        for one in _varied(wrong, examples):
            yield from shown(one)


def _table(found: Sequence[Judged], axis: str) -> Iterator[str]:
    """A line a value of an axis, the worst first."""
    yield f"{axis:26s} {'right, and PASS':30s} wrong or no plan, yet PASS"
    rows = []
    for value in sorted({one.axes[axis] for one in found}):
        of = [one for one in found if one.axes[axis] == value]
        read, passed = read_share(of), passed_share(of)
        rows.append((1.0 if read.value is None else read.value, -(passed.value or 0.0), value, read, passed))
    for _, _, value, read, passed in sorted(rows, key=lambda row: row[:3]):
        yield f"{value:26s} {_counted(read):30s} {_counted(passed)}"


def _counted(share: Share) -> str:
    return f"{share} of {share.count}" if share.count else "-"


def _varied(wrong: Sequence[Judged], most: int) -> list[Judged]:
    """Some, first one of each hedging and retraction, then one of each form."""
    chosen: dict[int, Judged] = {}
    for key in (lambda one: (one.axes["hedging"], one.axes["retraction"]), lambda one: one.axes["form"]):
        for one in {key(one): one for one in reversed(wrong)}.values():
            chosen.setdefault(one.number, one)
    return list(chosen.values())[:most]


def shown(one: Judged, *, whole: bool = False) -> Iterator[str]:
    """An answer with what is true of it, and what was made of it."""
    should, does = ("PASS" if value else "FAIL" for value in (one.fair, one.passes))
    axes = ", ".join(f"{key} {value}" for key, value in one.axes.items())
    yield f"--- {one.number}: should {should}, does {does}; {axes}"
    yield f"said: {_moves(one.said)}"
    yield f"read: {_moves(one.read)} ({one.message})"
    yield one.text if whole or len(one.text) < 600 else f"{one.text[:600]} [...]"


def _moves(moves: tuple[str, ...] | None) -> str:
    return "no plan" if moves is None else ", ".join(moves)
