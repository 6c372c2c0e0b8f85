"""The worst cases of a run as one picture: what was graded, what was seen, what was said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

import cv2
import numpy as np

from benchmarks.accuracy.cases import parse_case
from benchmarks.accuracy.grading import build_case
from benchmarks.accuracy.results import ERROR, Result
from grader.engine.engine import Engine
from grader.media.pictures import MediaLimits, decode_image
from puzzles.common.raster import Picture

_SIDE = 380
_TEXT = 74
_COLUMNS = 4
_PER_KIND = 3


def worst(results: Iterable[Result], count: int = 20) -> list[Result]:
    """False passes first, then errors, false fails, then the largest errors of coverage and violation.

    At most three of one plan and nuisance, so that kinds are shown rather than one kind many times. Results that are
    right in everything are left out.
    """

    def rank(one: Result) -> tuple[int, float, str]:
        order = 0 if one.false_pass else 1 if one.got == ERROR else 2 if not one.right else 3
        return order, -_off(one), one.case

    kinds: Counter[tuple[str, str, str]] = Counter()
    chosen: list[Result] = []
    for one in sorted((one for one in results if not one.right or _off(one) > 0), key=rank):
        own = [(one.task, one.plan, name.rpartition("-")[0]) for name in one.nuisances] or [(one.task, one.plan, "")]
        if len(chosen) == count:
            break
        if all(kinds[kind] < _PER_KIND for kind in own):
            kinds.update(own)
            chosen.append(one)
    return chosen


def _off(one: Result) -> float:
    return max(one.coverage_error or 0.0, one.violation_error or 0.0)


def panels(result: Result, engine: Engine) -> tuple[Picture, Picture | None]:
    """The candidate and the verdict's overlay, (H, W, 3) uint8 RGB; no overlay where the grader fails or has none."""
    candidate = build_case(parse_case(result.case))
    if candidate is None:
        raise ValueError(f"{result.case} has no candidate")
    picture = decode_image(candidate.data, MediaLimits()).pixels
    if result.got == ERROR:
        return picture, None
    overlay = engine.grade(replace(candidate.job, overlay=True)).overlay
    return picture, None if overlay is None else decode_image(overlay.png, MediaLimits()).pixels


def sheet(results: list[Result], engine: Engine) -> Picture:
    """A contact sheet: candidate beside overlay, with id, expected and got, and reasons above."""
    return contact_sheet([(caption(result), panels(result, engine)) for result in results])


def contact_sheet(entries: Iterable[tuple[tuple[str, ...], tuple[Picture, Picture | None]]]) -> Picture:
    """Pictures two by two, with up to four lines of text above each pair, as one picture (H, W, 3) uint8 RGB."""
    tiles = []
    for lines, (left, right) in entries:
        tile = np.full((_TEXT + _SIDE, 2 * _SIDE, 3), 255, np.uint8)
        tile[_TEXT:, :_SIDE] = _fitted(left)
        if right is not None:
            tile[_TEXT:, _SIDE:] = _fitted(right)
        for line, text in enumerate(lines):
            cv2.putText(tile, text, (4, 15 + 17 * line), cv2.FONT_HERSHEY_SIMPLEX, 0.42, (0, 0, 0), 1, cv2.LINE_AA)
        cv2.rectangle(tile, (0, 0), (2 * _SIDE - 1, _TEXT + _SIDE - 1), (120, 120, 120), 1)
        tiles.append(tile)
    while len(tiles) % _COLUMNS:
        tiles.append(np.full_like(tiles[0], 255))
    rows = [np.hstack(tiles[place : place + _COLUMNS]) for place in range(0, len(tiles), _COLUMNS)]
    return np.asarray(np.vstack(rows), np.uint8)


def caption(result: Result) -> tuple[str, str, str, str]:
    """Four short lines about a result."""

    def pair(name: str, asked: float, got: float | None) -> str:
        return f"{name} {asked:.3f} -> {'none' if got is None else f'{got:.3f}'}"

    instance, _, rest = result.case.partition("/")
    numbers = (
        pair("coverage", result.expected_coverage, result.coverage),
        pair("violation", result.expected_violation, result.violation),
    )
    reasons = " ".join(result.reasons) or (result.error.strip().splitlines()[-1][:80] if result.error else "-")
    return (
        instance,
        rest,
        f"{result.expected} -> {result.got}   {'   '.join(numbers)}   {result.alignment}",
        reasons[:110],
    )


def _fitted(picture: Picture) -> Picture:
    """A picture in a square, aspect kept, on grey."""
    height, width = picture.shape[:2]
    scale = _SIDE / max(height, width)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
    square = np.full((_SIDE, _SIDE, 3), 200, np.uint8)
    square[: size[1], : size[0]] = small
    return square
