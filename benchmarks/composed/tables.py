"""What came out, counted: by role, ink, size and nuisance, and against visibility."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from benchmarks.accuracy.results import ERROR
from benchmarks.accuracy.tables import Share
from benchmarks.composed.grading import Graded
from benchmarks.composed.visibility import EASILY

MOST_PASSED = 0.001
"""Of wrong ones that are easily seen, the share that may pass."""
MOST_FAILED = 0.003
"""Of harmless ones, the share that may fail."""
LEAST_PICTURES = 20_000
EDGES = (0.0, 0.35, 0.5, 0.71, 1.0, 1.41, 2.0, 2.83, 4.0, 5.0, 7.1, 10.0, 14.1, 20.0, 40.0, 80.0, np.inf)
"""Of the bins of visibility."""


@dataclass(frozen=True)
class Bin:
    """Wrong pictures of some visibility: from ``low`` up to ``high``, and the share that fails."""

    low: float
    high: float
    failed: Share


def curve(results: Iterable[Graded]) -> tuple[Bin, ...]:
    """The share of wrong pictures that fail, by their visibility."""
    wrong = [one for one in results if one.wrong and one.got != ERROR]
    found = []
    for low, high in pairwise(EDGES):
        inside = [one for one in wrong if low <= one.visibility < high]
        found.append(Bin(low, high, Share(sum(one.right for one in inside), len(inside))))
    return tuple(found)


def passed(results: Iterable[Graded]) -> Share:
    """Of wrong pictures that are easily seen, the share that passes."""
    seen = [one for one in results if one.wrong and one.easily_seen]
    return Share(sum(one.got == "PASS" for one in seen), len(seen))


def failed(results: Iterable[Graded]) -> Share:
    """Of harmless pictures, the share that does not pass."""
    harmless = [one for one in results if not one.wrong]
    return Share(sum(not one.right for one in harmless), len(harmless))


def judged(results: list[Graded]) -> tuple[str, ...]:
    """One line a target; a missed one begins with MISSED."""
    lines = []
    for what, share, bound in (
        ("wrong and easily seen, yet PASS", passed(results), MOST_PASSED),
        ("harmless, yet not PASS", failed(results), MOST_FAILED),
    ):
        if share.value is None:
            lines.append(f"UNKNOWN {what}: nothing was counted")
            continue
        word = "reached" if share.value <= bound else "MISSED "
        lines.append(f"{word} {what}: {share.hits} of {share.count}, {share} %, asked <= {100 * bound:g} %")
    enough = "enough" if len(results) >= LEAST_PICTURES else "too few for a claim"
    errors = sum(one.got == ERROR for one in results)
    lines.append(f"{len(results)} pictures: {enough} (a claim needs {LEAST_PICTURES}); errors of the grader: {errors}")
    return tuple(lines)


def _range(value: float, edges: tuple[float, ...], unit: str) -> str:
    for low, high in pairwise(edges):
        if value < high:
            return f"{low:g} to {high:g} {unit}"
    return f"from {edges[-1]:g} {unit}"


_GROUPS: tuple[tuple[str, Callable[[Graded], str]], ...] = (
    ("Task", lambda one: one.task),
    ("Family of roles", lambda one: f"{one.task} {one.family}"),
    ("Role", lambda one: f"{one.task} {one.role}"),
    ("Ink", lambda one: one.ink_kind),
    ("Texture", lambda one: one.texture),
    ("Opacity", lambda one: _range(100 * one.opacity, (4, 8, 16, 32, 64, 101), "%")),
    ("Width of the ink", lambda one: _range(one.width_px, (0, 1, 2, 4, 8, 16, 32), "px")),
    ("Size of the picture", lambda one: _range(one.size_px, (0, 512, 768, 1024, 1536, 2047), "px")),
    ("Geometry", lambda one: one.kind),
    ("Nuisance", lambda one: one.nuisance),
    ("Harmless thing beside", lambda one: one.beside or "none"),
)
_HARMLESS_GROUPS = (
    ("Task", _GROUPS[0][1]),
    ("Kind", lambda one: f"{one.task} {one.role}"),
    *_GROUPS[7:10],
)


def grouped(results: Iterable[Graded], name: Callable[[Graded], str]) -> list[tuple[str, list[Graded]]]:
    """Groups results by a name of each; names that begin with a number come in their order."""
    groups: dict[str, list[Graded]] = defaultdict(list)
    for one in results:
        groups[name(one)].append(one)
    return sorted(groups.items(), key=lambda pair: (_leading(pair[0]), pair[0]))


def _leading(name: str) -> float:
    """The number that a name begins with, so that ranges come in their order."""
    first = name.removeprefix("from ").split(" ")[0]
    return float(first) if first.replace(".", "").isdigit() else -1.0


def _share_of_failed(results: Iterable[Graded], low: float, high: float) -> Share:
    inside = [one for one in results if low <= one.visibility < high]
    return Share(sum(one.right for one in inside), len(inside))


def said(results: Iterable[Graded]) -> str:
    """The most frequent first reasons, with how often they are."""
    reasons = Counter(one.reasons[0] if one.reasons else one.got for one in results)
    return ", ".join(f"{code} {count}" for code, count in reasons.most_common(3)) or "-"


def page(results: list[Graded]) -> str:
    """All tables; shares are per cent with Wilson 95 % intervals."""
    wrong, harmless = [one for one in results if one.wrong], [one for one in results if not one.wrong]
    parts = ["# Composed pictures", "", *(f"- {line}" for line in judged(results)), ""]
    parts += ["## Wrong ones that fail, by visibility (1 is a person's threshold)", ""]
    parts += ["| visibility | mazes: n | mazes fail % | boards: n | boards fail % |", "|---|---|---|---|---|"]
    halves = [curve(one for one in wrong if one.task == task) for task in ("maze", "queens")]
    for mazes, boards in zip(*halves, strict=True):
        parts.append(f"| {mazes.low:g} to {mazes.high:g} | {mazes.failed.count} | {mazes.failed} "
                     f"| {boards.failed.count} | {boards.failed} |")  # fmt: skip
    for title, name in _GROUPS:
        parts += ["", f"## Wrong: {title}", ""]
        parts += [f"| | n | easily seen (from {EASILY:g}): n | of these pass % | 1 to {EASILY:g}: fail % "
                  "| below 1: fail % | first reasons |", "|---|---|---|---|---|---|---|"]  # fmt: skip
        for own, group in grouped(wrong, name):
            seen = passed(group)
            why = said(one for one in group if one.right)
            parts.append(f"| {own} | {len(group)} | {seen.count} | {seen} | {_share_of_failed(group, 1, EASILY)} "
                         f"| {_share_of_failed(group, 0, 1)} | {why} |")  # fmt: skip
    for title, name in _HARMLESS_GROUPS:
        parts += ["", f"## Harmless: {title}", "", "| | n | fail % | first reasons |", "|---|---|---|---|"]
        for own, group in grouped(harmless, name):
            why = said(one for one in group if not one.right)
            parts.append(f"| {own} | {len(group)} | {failed(group)} | {why} |")
    return "\n".join([*parts, ""])
