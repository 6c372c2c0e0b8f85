"""From records to the plots of a task."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from grader.model.failure import FailureMode
from grader.report.data.estimates import Resampling, estimate, pass_samples
from grader.report.data.grouping import Dimensions, Records, has, natural, rows_by
from grader.report.data.records import Results
from grader.report.page.plots import Bar, Bubble, Figure, Series, bubbles, histogram, rate_lines, stacked_bars

_MOST_MODELS = 6
_MOST_BARS = 24
_BINS = 20


def task_figures(results: Results, records: Records, resampling: Resampling) -> list[Figure]:
    """All plots that a task's candidates allow."""
    candidates = [record for record in records if record.is_candidate]
    made: list[Figure] = []
    if has(candidates, "scale"):
        made += _rates_by_scale(results, candidates, resampling)
    if candidates:
        for name in ("model", "geometry"):
            if has(candidates, name):
                made.append(_failure_modes(results, candidates, name))
    if any(record.score is not None for record in candidates):
        made.append(_scores(candidates))
    return made + _coverage(candidates)


def _rates_by_scale(results: Results, candidates: Records, resampling: Resampling) -> list[Figure]:
    models = rows_by(results, candidates, Dimensions(("model",)))
    chosen = sorted(models, key=lambda key: -len(models[key]))[:_MOST_MODELS]
    scales = sorted({value for record in candidates if (value := record.tag("scale")) is not None}, key=natural)
    lines = "geometry" if has(candidates, "geometry") else "task"
    made = []
    for key in (key for key in models if key in chosen):
        cells = rows_by(results, models[key], Dimensions((lines, "scale")))
        names = [name for (name,) in rows_by(results, models[key], Dimensions((lines,)))]
        series = [
            Series(
                name,
                tuple(
                    estimate([pass_samples(cells[name, scale])], resampling)[0] if (name, scale) in cells else None
                    for scale in scales
                ),
            )
            for name in names
        ]
        title = "Pass rate by scale" + (f": {key[0]}" if len(models) > 1 else "")
        made.append(
            Figure(title, rate_lines(scales, series, name="pass rate", across="scale"), _interval_text(resampling))
        )
    return made


def _interval_text(resampling: Resampling) -> str:
    if not resampling.resamples:
        return "Over all candidates."
    whiskers = f"{100 * resampling.level:g} % intervals that keep the attempts at a puzzle together"
    return f"Over all candidates. Whiskers: {whiskers}."


def _failure_modes(results: Results, candidates: Records, name: str) -> Figure:
    modes: list[FailureMode | None] = [None, *FailureMode]
    rows = rows_by(results, candidates, Dimensions((name,)))
    bars = []
    for (label,), part in list(rows.items())[:_MOST_BARS]:
        count = Counter(record.mode for record in part)
        bars.append(Bar(label, tuple(count[mode] for mode in modes)))
    names = ["PASS" if mode is None else mode.value for mode in modes]
    kinds = ["pass" if mode is None else f"m-{mode.name.lower()}" for mode in modes]
    caption = "Each candidate counts once, by its gravest reason."
    if len(rows) > _MOST_BARS:
        caption += f" The first {_MOST_BARS} of {len(rows)} are shown."
    return Figure(f"How candidates ended, by {name}", stacked_bars(bars, names, kinds), caption)


def _scores(candidates: Records) -> Figure:
    passed, failed = [0] * _BINS, [0] * _BINS
    for record in candidates:
        if record.score is not None:
            (passed if record.passed else failed)[_bin(record.score)] += 1
    without = sum(record.score is None for record in candidates)
    caption = "A score of 1 is in the last bin." + (f" {without} candidates have no score." if without else "")
    return Figure("Scores", histogram(passed, failed, across="score"), caption)


def _bin(share: float) -> int:
    return min(_BINS - 1, int(share * _BINS))


def _coverage(candidates: Records) -> list[Figure]:
    counts: Counter[tuple[int, int]] = Counter()
    passes: Counter[tuple[int, int]] = Counter()
    for record in candidates:
        across, up = record.measures.value("coverage"), record.measures.value("violation")
        if across is None or up is None:
            continue
        place = (round(_BINS * across), round(_BINS * up))
        counts[place] += 1
        passes[place] += record.passed
    if not counts:
        return []
    places: Sequence[Bubble] = [
        Bubble(x / _BINS, y / _BINS, count, passes[x, y]) for (x, y), count in sorted(counts.items())
    ]
    caption = (
        f"To the nearest {1 / _BINS:g}; the area of a bubble is its number of candidates. Right answers are at (1, 0)."
    )
    return [Figure("Coverage and violation", bubbles(places, across="coverage", up="violation"), caption)]
