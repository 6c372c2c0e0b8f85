"""The psychometric curve as a picture, and the worst pictures on a contact sheet."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable

import cv2
import numpy as np

from benchmarks.accuracy.worst import contact_sheet
from benchmarks.composed.cases import compose
from benchmarks.composed.grading import Graded
from benchmarks.composed.tables import Bin
from benchmarks.composed.visibility import EASILY
from puzzles.common.raster import Color, Picture

_WIDTH, _HEIGHT = 960, 560
_LEFT, _RIGHT, _TOP, _BOTTOM = 80, 30, 50, 70
_LOWEST, _HIGHEST = 0.25, 160.0
_INK, _PALE = (40, 40, 40), (215, 215, 215)
_PER_ROLE = 3


def _x(visibility: float) -> int:
    share = math.log(min(max(visibility, _LOWEST), _HIGHEST) / _LOWEST) / math.log(_HIGHEST / _LOWEST)
    return round(_LEFT + share * (_WIDTH - _LEFT - _RIGHT))


def _y(share: float) -> int:
    return round(_TOP + (1 - share) * (_HEIGHT - _TOP - _BOTTOM))


def draw_curve(curves: dict[str, tuple[tuple[Bin, ...], Color]], title: str) -> Picture:
    """Curves by name, each with its colour: share that fails against visibility, with Wilson 95 % intervals."""
    chart = np.full((_HEIGHT, _WIDTH, 3), 255, np.uint8)
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        cv2.line(chart, (_LEFT, _y(share)), (_WIDTH - _RIGHT, _y(share)), _PALE, 1)
        _write(chart, f"{100 * share:.0f} %", (18, _y(share) + 5))
    for visibility in (0.25, 0.5, 1, 2, 5, 10, 20, 40, 80, 160):
        told = visibility in (1, EASILY)
        cv2.line(
            chart, (_x(visibility), _TOP), (_x(visibility), _HEIGHT - _BOTTOM), (150, 150, 150) if told else _PALE, 1
        )
        _write(chart, f"{visibility:g}", (_x(visibility) - 10, _HEIGHT - _BOTTOM + 20))
    _write(chart, title, (_LEFT, 28), 0.6)
    _write(chart, "threshold", (_x(1) + 4, _TOP + 14))
    _write(chart, "easily seen", (_x(EASILY) + 4, _TOP + 14))
    _write(chart, "visibility to a person (log scale)", (_WIDTH // 2 - 110, _HEIGHT - 22))
    for place, (name, (bins, color)) in enumerate(curves.items()):
        points = []
        for one in bins:
            if one.failed.value is None:
                continue
            x = _x(math.sqrt(max(one.low, 0.25) * min(one.high, 2 * one.low or 0.35))) + 3 * place
            low, high = one.failed.interval
            cv2.line(chart, (x, _y(low)), (x, _y(high)), color, 1, cv2.LINE_AA)
            cv2.circle(chart, (x, _y(one.failed.value)), 4, color, -1, cv2.LINE_AA)
            points.append((x, _y(one.failed.value)))
        cv2.polylines(chart, [np.array(points, np.int32)], False, color, 2, cv2.LINE_AA)
        count = sum(one.failed.count for one in bins)
        _write(chart, f"{name} ({count})", (_WIDTH - 250, _HEIGHT - _BOTTOM - 40 + 20 * place), 0.5, color)
    return chart


def _write(chart: Picture, text: str, at: tuple[int, int], size: float = 0.45, color: Color = _INK) -> None:
    cv2.putText(chart, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, color, 1, cv2.LINE_AA)


def worst(results: Iterable[Graded], count: int = 24) -> list[Graded]:
    """Wrong ones that pass, the most visible first, and right ones that fail; at most three of a role."""
    taken: Counter[str] = Counter()
    chosen: list[Graded] = []
    for one in sorted((one for one in results if one.bad), key=lambda one: (not one.wrong, -one.visibility, one.seed)):
        if taken[one.role] < _PER_ROLE and len(chosen) < count:
            taken[one.role] += 1
            chosen.append(one)
    return chosen


def sheet(results: Iterable[Graded]) -> Picture:
    """A contact sheet of pictures, each beside what was added to it, enlarged to about half the picture or less."""
    return contact_sheet((_caption(one), _panels(one)) for one in results)


def _caption(one: Graded) -> tuple[str, ...]:
    ink = f"{one.ink_kind} {one.texture} {100 * one.opacity:.0f} % {one.width_px:.1f} px" if one.wrong else "harmless"
    return (
        f"{one.seed} {one.role}   {one.instance} {one.size_px} px",
        f"{ink}   {one.nuisance}   {one.beside}   visibility {one.visibility:.1f}",
        f"{'FAIL' if one.wrong else 'PASS'} -> {one.got}   {' '.join(one.reasons)[:70]}",
        one.error.strip().splitlines()[-1][:80] if one.error else "",
    )


def _panels(one: Graded) -> tuple[Picture, Picture | None]:
    case = compose(one.seed)
    if case.plain.shape != case.picture.shape:
        return case.picture, None
    differs = cv2.absdiff(case.plain, case.picture).max(axis=2)
    middle = cv2.blur(differs, (31, 31))
    y, x = np.unravel_index(int(middle.argmax()), middle.shape)
    half = max(60, case.size_px // 6)
    top, left = (max(0, int(at) - half) for at in (y, x))
    return case.picture, np.ascontiguousarray(case.picture[top : top + 2 * half, left : left + 2 * half])
