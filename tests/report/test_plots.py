"""Plots: shapes are where the numbers say."""

import pytest

from grader.report.data.estimates import Estimate
from grader.report.page.plots import Bar, Series, histogram, rate_lines, stacked_bars


def names(plot):
    return [one.name for one in plot.shapes]


def test_plots_without_anything_to_plot():
    for plot in (
        rate_lines([], [], name="a", across="b"),
        stacked_bars([], [], []),
        histogram([0] * 20, [0] * 20, across="a"),
    ):
        assert plot.height > 0
    bars = stacked_bars([Bar("x", (0, 0))], ["a", "b"], ["pass", "fail"])
    assert "n=0" in [one.text for one in bars.shapes]
    gap = rate_lines(["1", "2"], [Series("s", (None, Estimate(None, 0, why="none")))], name="a", across="b")
    assert "circle" not in names(gap)


def test_bars_are_as_long_as_their_shares():
    plot = stacked_bars([Bar("x", (1, 3))], ["a", "b"], ["pass", "fail"])
    parts = [one for one in plot.shapes if str(one.attributes.get("class", "")).startswith("part")]
    widths = [float(one.attributes["width"]) for one in parts]
    assert widths[1] / widths[0] == pytest.approx(3, rel=1e-3)
    assert parts[1].title == "x: b 3 of 4, 75.0 %"


def test_a_rate_is_drawn_at_its_height():
    """The plot spans y = 12 to 232: 25 % is at 232 - 220/4 = 177."""
    plot = rate_lines(["1"], [Series("s", (Estimate(0.25, 4),))], name="a", across="b")
    assert [one.attributes["cy"] for one in plot.shapes if one.name == "circle"] == ["177"]
