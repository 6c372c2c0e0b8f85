"""Plots as shapes that the page's template draws as inline SVG.

Colours are classes that the page's style defines, so that they follow light and dark.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grader.report.data.estimates import Estimate

SERIES_COLORS = 8
"""How many colours for series there are; later ones begin again, with another marker."""

_WIDTH = 520.0
_LEFT, _RIGHT, _TOP = 52.0, 12.0, 12.0
_PLOT_HEIGHT = 220.0
_LEGEND_ROW = 18.0
_CHARACTER = 6.3
_BAR, _BAR_GAP = 20.0, 8.0


@dataclass(frozen=True)
class Series:
    """A line: name, and one estimate a category, None where there is none."""

    name: str
    points: tuple[Estimate | None, ...]


@dataclass(frozen=True)
class Bar:
    """A stacked bar: label, and one count a part."""

    label: str
    counts: tuple[int, ...]


@dataclass(frozen=True)
class Bubble:
    """Items at one place of a unit square: x, y in [0, 1], how many, and how many of them passed."""

    x: float
    y: float
    count: int
    passed: int


Attribute = str | int | float


@dataclass(frozen=True)
class Shape:
    """An element of a drawing: its name, attributes, the text in it, and what is said where one points at it."""

    name: str
    attributes: Mapping[str, Attribute]
    text: str = ""
    title: str = ""


@dataclass(frozen=True)
class Drawing:
    """A plot: its size, what it shows in a few words, and its shapes, later ones on top."""

    width: float
    height: float
    label: str
    shapes: tuple[Shape, ...]


@dataclass(frozen=True)
class Figure:
    """A plot with its title and what has to be known to read it."""

    title: str
    drawing: Drawing
    caption: str = ""


def shape(name: str, text: str = "", title: str = "", **attributes: Attribute) -> Shape:
    """A shape; a trailing underscore of an attribute is dropped and others become hyphens.

    Examples
    --------
    >>> shape("rect", x=0.12345, class_="part").attributes
    {'x': '0.12', 'class': 'part'}
    """
    written = {key.rstrip("_").replace("_", "-"): _value(value) for key, value in attributes.items()}
    return Shape(name, written, text, title)


def _value(value: Attribute) -> Attribute:
    # Two digits of a pixel are enough, and keep plots small.
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else value


def _svg(height: float, label: str, *parts: Shape) -> Drawing:
    return Drawing(_WIDTH, height, label, parts)


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> Shape:
    return shape("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=kind)


def _label(x: float, y: float, content: str, anchor: str = "middle", **more: str) -> Shape:
    return shape("text", content, x=x, y=y, text_anchor=anchor, **more)


def _y_axis(marks: Sequence[tuple[float, str]], name: str) -> list[Shape]:
    """Lines across the plot at shares of its height, with their numbers, and the axis' name."""
    middle = _TOP + _PLOT_HEIGHT / 2
    parts = [_label(13.0, middle, name, transform=f"rotate(-90 13 {middle:g})", class_="name")]
    for share, number in marks:
        y = _TOP + _PLOT_HEIGHT * (1.0 - share)
        parts += [_line(_LEFT, y, _WIDTH - _RIGHT, y, "grid"), _label(_LEFT - 6, y + 4, number, "end")]
    return parts


_PER_CENT = tuple((share / 4, f"{25 * share} %") for share in range(5))


def _legend(names: Sequence[str], kinds: Sequence[str], top: float) -> tuple[list[Shape], float]:
    """Names with their swatches in rows; and how high they are."""
    parts: list[Shape] = []
    x, row = _LEFT, 0
    for name, kind in zip(names, kinds, strict=True):
        shown = _cut(name, 40)
        width = 24 + _CHARACTER * len(shown)
        if x + width > _WIDTH and x > _LEFT:
            x, row = _LEFT, row + 1
        y = top + row * _LEGEND_ROW
        parts += [
            shape("rect", x=x, y=y, width=12, height=12, rx=2, class_=kind),
            _label(x + 17, y + 10.5, shown, "start"),
        ]
        x += width + 8
    return parts, (row + 1) * _LEGEND_ROW


def _cut(name: str, characters: int) -> str:
    return name if len(name) <= characters else name[: characters - 1] + "…"


def _marker(x: float, y: float, series: int, title: str) -> Shape:
    color, r = f"s{series % SERIES_COLORS}", 4.5
    match series % 4:
        case 0:
            return shape("circle", title=title, cx=x, cy=y, r=r, class_=color)
        case 1:
            return shape(
                "rect", title=title, x=x - r + 0.5, y=y - r + 0.5, width=2 * r - 1, height=2 * r - 1, class_=color
            )
        case 2:
            return shape("path", title=title, d=f"M{x:.2f} {y - r - 1:.2f}l{r + 1} {2 * r}h{-2 * r - 2}z", class_=color)
        case _:
            return shape(
                "path",
                title=title,
                d=f"M{x:.2f} {y - r - 1:.2f}l{r + 1} {r + 1}l{-r - 1} {r + 1}l{-r - 1} {-r - 1}z",
                class_=color,
            )


def rate_lines(categories: Sequence[str], series: Sequence[Series], *, name: str, across: str) -> Drawing:
    """Rates by category with their intervals, one line a series.

    Parameters
    ----------
    categories : sequence of str
        Ticks of the horizontal axis.
    series : sequence of Series
        Values are fractions of 1.
    name, across : str
        Of the vertical and of the horizontal axis.
    """
    step = (_WIDTH - _LEFT - _RIGHT) / max(1, len(categories))
    bottom = _TOP + _PLOT_HEIGHT
    parts = _y_axis(_PER_CENT, name)
    # With many ticks only some are named.
    every = max(1, math.ceil(len(categories) / 16))
    for at, category in enumerate(categories):
        if at % every == 0:
            parts.append(_label(_LEFT + step * (at + 0.5), bottom + 16, _cut(category, max(4, int(step * every / 6)))))
    parts.append(_label((_LEFT + _WIDTH - _RIGHT) / 2, bottom + 33, across, class_="name"))
    spread = min(8.0, 0.6 * step / max(1, len(series)))
    for index, one in enumerate(series):
        color = f"s{index % SERIES_COLORS}"
        shift = spread * (index - (len(series) - 1) / 2)
        places: list[tuple[float, float]] = []
        marks: list[Shape] = []
        for at, point in enumerate(one.points):
            if point is None or point.value is None:
                continue
            x, y = _LEFT + step * (at + 0.5) + shift, bottom - _PLOT_HEIGHT * point.value
            places.append((x, y))
            tip = f"{one.name}, {categories[at]}: {100 * point.value:.1f} % of {point.n}"
            if point.interval is not None:
                low, high = (bottom - _PLOT_HEIGHT * bound for bound in (point.interval.low, point.interval.high))
                marks += [
                    _line(x, low, x, high, f"whisker {color}"),
                    _line(x - 3, low, x + 3, low, f"whisker {color}"),
                    _line(x - 3, high, x + 3, high, f"whisker {color}"),
                ]
                tip += f", {100 * point.interval.low:.1f} to {100 * point.interval.high:.1f} %"
            marks.append(_marker(x, y, index, tip))
        way = " ".join(f"{x:.2f},{y:.2f}" for x, y in places)
        parts += [shape("polyline", points=way, class_=f"way {color}"), *marks]
    legend, height = _legend(
        [one.name for one in series], [f"s{at % SERIES_COLORS}" for at in range(len(series))], bottom + 44
    )
    return _svg(bottom + 44 + height, f"{name} by {across}", *parts, *legend)


def stacked_bars(bars: Sequence[Bar], parts: Sequence[str], kinds: Sequence[str]) -> Drawing:
    """Shares of parts, one bar a row; counts are written where there is room.

    Parameters
    ----------
    bars : sequence of Bar
        Each has a count for each part; a bar of zeros is left empty.
    parts, kinds : sequence of str
        Names of the parts, and their classes.
    """
    longest = max((len(_cut(bar.label, 24)) for bar in bars), default=0)
    left = 14 + _CHARACTER * longest
    total_width = _WIDTH - left - 44
    drawn: list[Shape] = []
    for row, bar in enumerate(bars):
        y = _TOP + row * (_BAR + _BAR_GAP)
        n = sum(bar.counts)
        drawn.append(_label(left - 6, y + 14, _cut(bar.label, 24), "end"))
        drawn.append(_label(_WIDTH - 2, y + 14, f"n={n}", "end", class_="name"))
        x = left
        for name, kind, count in zip(parts, kinds, bar.counts, strict=True):
            if not count:
                continue
            width = total_width * count / n
            tip = f"{bar.label}: {name} {count} of {n}, {100 * count / n:.1f} %"
            drawn.append(shape("rect", title=tip, x=x, y=y, width=width, height=_BAR, class_=f"part {kind}"))
            if width > 8 + _CHARACTER * len(str(count)):
                drawn.append(_label(x + width / 2, y + 14, str(count), class_=f"on {kind}"))
            x += width
    bottom = _TOP + len(bars) * (_BAR + _BAR_GAP)
    used = [at for at in range(len(parts)) if any(bar.counts[at] for bar in bars)]
    legend, height = _legend([parts[at] for at in used], [kinds[at] for at in used], bottom + 8)
    return _svg(bottom + 8 + height, "shares of " + ", ".join(parts), *drawn, *legend)


def histogram(passed: Sequence[int], failed: Sequence[int], *, across: str) -> Drawing:
    """Counts in equal bins of [0, 1], PASS above the rest."""
    top_count = max((one + other for one, other in zip(passed, failed, strict=True)), default=0)
    highest, ticks = _nice(top_count)
    parts = _y_axis([(tick / highest, str(tick)) for tick in ticks], "candidates")
    bottom, span = _TOP + _PLOT_HEIGHT, _WIDTH - _LEFT - _RIGHT
    step = span / len(passed)
    for at, (good, bad) in enumerate(zip(passed, failed, strict=True)):
        base = bottom
        edges = f"{at / len(passed):g} to {(at + 1) / len(passed):g}"
        for count, kind, word in ((bad, "fail", "not PASS"), (good, "pass", "PASS")):
            height = _PLOT_HEIGHT * count / highest
            if count:
                tip = f"{across} {edges}: {count} {word}"
                x = _LEFT + at * step + 1
                parts.append(
                    shape("rect", title=tip, x=x, y=base - height, width=step - 2, height=height, class_=f"part {kind}")
                )
            base -= height
    parts += _unit_ticks(bottom, across)
    legend, height = _legend(["PASS", "FAIL"], ["pass", "fail"], bottom + 44)
    return _svg(bottom + 44 + height, f"histogram of {across}", *parts, *legend)


@dataclass(frozen=True)
class CurvePoint:
    """A point of a calibration curve: where it is across, and the share that is there."""

    x: float
    share: Estimate


def calibration_curves(
    names: Sequence[str], curves: Sequence[Sequence[CurvePoint]], *, across: str, up: str
) -> Drawing:
    """Shares against what was said to be probable; on the dashed line both are the same.

    Parameters
    ----------
    names, curves : sequences
        What each curve is called, and its points from left to right.
    across, up : str
        Of the axes.
    """
    bottom, span = _TOP + _PLOT_HEIGHT, _WIDTH - _LEFT - _RIGHT
    equal = shape("line", x1=_LEFT, y1=bottom, x2=_LEFT + span, y2=_TOP, class_="grid", stroke_dasharray="4 4")
    parts = [*_y_axis(_PER_CENT, up), equal]
    for index, (name, points) in enumerate(zip(names, curves, strict=True)):
        color = f"s{index % SERIES_COLORS}"
        way: list[str] = []
        marks: list[Shape] = []
        for point in points:
            if point.share.value is None:
                continue
            x, y = _LEFT + span * point.x, bottom - _PLOT_HEIGHT * point.share.value
            way.append(f"{x:.2f},{y:.2f}")
            tip = f"{name}, {point.x:.3f}: {100 * point.share.value:.1f} % of {point.share.n}"
            if (bounds := point.share.interval) is not None:
                low, high = (bottom - _PLOT_HEIGHT * bound for bound in (bounds.low, bounds.high))
                marks.append(_line(x, low, x, high, f"whisker {color}"))
                tip += f", {100 * bounds.low:.1f} to {100 * bounds.high:.1f} %"
            marks.append(_marker(x, y, index, tip))
        parts += [shape("polyline", points=" ".join(way), class_=f"way {color}"), *marks]
    parts += _unit_ticks(bottom, across)
    legend, height = _legend(names, [f"s{at % SERIES_COLORS}" for at in range(len(names))], bottom + 44)
    return _svg(bottom + 44 + height, f"{up} against {across}", *parts, *legend)


def _unit_ticks(bottom: float, name: str) -> list[Shape]:
    span = _WIDTH - _LEFT - _RIGHT
    ticks = [_label(_LEFT + span * at / 4, bottom + 16, f"{at / 4:g}") for at in range(5)]
    return [*ticks, _label(_LEFT + span / 2, bottom + 33, name, class_="name")]


def _nice(most: int) -> tuple[int, list[int]]:
    """A round number at or above a count, and ticks up to it."""
    if most <= 4:
        return max(1, most), list(range(max(1, most) + 1))
    scale = 10 ** (len(str(most)) - 1)
    step = next(int(part * scale) for part in (0.25, 0.5, 1, 2, 2.5) if part * scale >= 1 and 5 * part * scale >= most)
    ticks = list(range(0, most + step, step))
    return ticks[-1], ticks


def bubbles(places: Sequence[Bubble], *, across: str, up: str) -> Drawing:
    """Counts on a unit square; area stands for the count, and a bubble is PASS where most of its items are."""
    bottom, span = _TOP + _PLOT_HEIGHT, _WIDTH - _LEFT - _RIGHT
    parts = _y_axis([(at / 4, f"{at / 4:g}") for at in range(5)], up)
    most = max((one.count for one in places), default=1)
    for one in sorted(places, key=lambda place: -place.count):
        kind = "pass" if 2 * one.passed > one.count else "fail"
        tip = f"{across} {one.x:g}, {up} {one.y:g}: {one.count} candidates, {one.passed} PASS"
        x, y = _LEFT + span * one.x, bottom - _PLOT_HEIGHT * one.y
        parts.append(
            shape("circle", title=tip, cx=x, cy=y, r=2.5 + 9.0 * math.sqrt(one.count / most), class_=f"bubble {kind}")
        )
    parts += _unit_ticks(bottom, across)
    legend, height = _legend(["mostly PASS", "mostly FAIL"], ["pass", "fail"], bottom + 44)
    return _svg(bottom + 44 + height, f"{up} against {across}", *parts, *legend)
