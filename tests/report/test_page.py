"""The page: it parses, needs nothing from outside, shows no NaN, and never takes a name for markup."""

import base64
import hashlib
import re
from html.parser import HTMLParser

import numpy as np
import pytest

from grader.report.data.estimates import Estimate
from grader.report.data.reading import read_runs
from grader.report.make import make_report
from grader.report.page.examples import Album, pick
from grader.report.page.markup import Html, tag
from grader.report.page.plots import Bar, Series, histogram, rate_lines, stacked_bars
from grader.report.tables.build import TableOptions
from grader.runs.folder import overlay_name
from tests.cli.run import run as grader
from tests.samples.puzzles import png
from tests.samples.report import FAIL, PASS, UNGRADABLE, Line, small_run, write_run

EVIL = "<script>alert(1)</script>\"'&"
VOID = {"meta", "img", "br"}


class Page(HTMLParser):
    """Checks that elements close in order; gathers text, addresses and ids."""

    def __init__(self, text):
        super().__init__()
        self.open, self.text, self.addresses, self.ids, self.tags = [], [], [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, name, attributes):
        self.tags.append(name)
        self.addresses += [value for key, value in attributes if key in ("src", "href", "action", "data", "xlink:href")]
        self.ids += [value for key, value in attributes if key == "id"]
        assert not [key for key, _ in attributes if key.startswith("on")]
        if name not in VOID:
            self.open.append(name)

    def handle_endtag(self, name):
        assert self.open.pop() == name

    def handle_data(self, data):
        self.text.append(data)


def made(folder, lines, **options):
    examples = options.pop("examples", 4)
    run = write_run(folder, lines)
    page = make_report([run], None, TableOptions(**options), examples=examples).page.read_text(encoding="utf-8")
    return page, Page(page)


def test_the_page_needs_nothing_from_outside(tmp_path):
    text, page = made(tmp_path, small_run(), matrix=("geometry", "scale"))
    assert page.addresses
    assert [one for one in page.addresses if not one.startswith(("#", "data:image/"))] == []
    assert [one[1:] for one in page.addresses if one.startswith("#") and one[1:] not in page.ids] == []
    assert len(page.ids) == len(set(page.ids))
    assert not re.search(r"url\(|@import|https?://", text)
    assert not re.search(r"\bNaN\b|\bnan\b|\binf\b", "".join(page.text) + "".join(re.findall(r'="([^"]*)"', text)))


def test_the_only_script_is_the_one_that_the_policy_allows(tmp_path):
    text, page = made(tmp_path, small_run())
    (script,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src &#x27;sha256-{digest}&#x27;" in text
    assert page.tags.count("script") == 1


def test_names_are_never_markup(tmp_path):
    lines = [
        Line(EVIL, FAIL, EVIL, 1, EVIL, 0.5, {"coverage": 0.5, "violation": 0.0}, (EVIL,), {"scale": EVIL, EVIL: EVIL}),
        Line("b", PASS, "b", 1, "M", 1.0, {EVIL: 1.0}, message=EVIL, tags={"geometry": EVIL, "scale": "3"}),
        Line("c", FAIL, "c", 1, "M", 0.0, codes=("DOTS",), message=EVIL, picture=f"{EVIL}.png"),
        Line("d", (13, EVIL), "d", 1, "M"),
    ]
    text, page = made(tmp_path, lines, matrix=("scale", EVIL))
    assert page.tags.count("script") == 1
    assert text.count("<script>") == 1
    assert "".join(page.text).count(EVIL) > 10


def test_what_the_page_shows(tmp_path):
    _, page = made(tmp_path, small_run())
    text = " ".join("".join(page.text).split())
    for needed in ("How items ended", "pass@5 unbiased", "38.89", "Pass rate by scale", "INTERNAL", "no result yet"):
        assert needed in text
    assert page.tags.count("svg") == 4  # by scale, by model, by geometry, scores; no coverage was measured


def pictures(folder, run, names):
    (run / "overlays").mkdir()
    picture = png(np.full((600, 1200, 3), (10, 120, 200), np.uint8))
    (folder / "picture.png").write_bytes(picture)
    for name in names:
        (run / "overlays" / overlay_name(name)).write_bytes(picture)


def test_examples_have_small_pictures_and_say_why_where_they_have_none(tmp_path):
    lines = [
        Line("a", FAIL, "a", 1, score=0.2, codes=("DOTS",)),
        Line("b", UNGRADABLE, "b", 1, codes=("EMPTY",), picture="no"),
    ]
    run = write_run(tmp_path, lines)
    pictures(tmp_path, run, ["a"])
    results = read_runs([run])
    first = Album().example(results, results.records[0])
    assert first.reasons == (("DOTS", "as the test said"),)
    assert first.candidate.uri.startswith("data:image/webp;base64,")
    assert first.overlay.uri.startswith("data:image/webp;base64,")
    second = Album().example(results, results.records[1])
    assert (second.candidate.uri, second.candidate.why_not) == ("", "no is not there any more")
    assert "--overlays" in second.overlay.why_not
    assert Album(most_bytes=0).example(results, results.records[0]).candidate.why_not.startswith("the page is full")


@pytest.mark.parametrize("uri", ["/etc/hostname", "https://example.org/a.png"])
def test_only_paths_relative_to_the_manifest_are_read(tmp_path, uri):
    results = read_runs([write_run(tmp_path, [Line("a", FAIL, codes=("DOTS",), picture=uri)])])
    example = Album().example(results, results.records[0])
    assert "is not a path relative" in example.candidate.why_not


def test_the_most_disputable_come_first(tmp_path):
    lines = [
        Line("sure", FAIL, "a", 1, score=0.1, codes=("DOTS",), confidence=0.9),
        Line("unsure", FAIL, "b", 1, score=0.1, codes=("DOTS",), confidence=0.2),
        Line("nearly", FAIL, "c", 1, score=0.95, codes=("DOTS",), confidence=0.9),
        Line("cheat", FAIL, "d", 1, score=1.0, codes=("CELLS_FILLED",)),
        Line("low", PASS, "e", 1, score=0.8),
        Line("right", PASS, "f", 1, score=1.0),
    ]
    groups = pick(read_runs([write_run(tmp_path, lines)]).records, 2)
    shown = {group.title: [record.item.request_id for record in group.shown] for group in groups}
    assert list(shown) == [
        "PASS, but the score is below 1",
        "FAIL, but the score is 1",
        "PASS",
        "wrong form: CELLS_FILLED",
        "wrong form: DOTS",
    ]
    # Doubt: nearly max(0.1, 0.95), unsure max(0.8, 0.1), sure max(0.1, 0.1).
    assert shown["wrong form: DOTS"] == ["nearly", "unsure"]
    assert shown["PASS"] == ["low", "right"]
    assert {group.title: group.count for group in groups}["wrong form: DOTS"] == 3


def test_no_examples_on_request(tmp_path):
    _, page = made(tmp_path, small_run(), examples=0)
    assert "article" not in page.tags


def test_the_page_is_the_same_each_time(tmp_path):
    one = made(tmp_path / "a", small_run())[0]
    assert made(tmp_path / "b", small_run())[0] == one.replace(str(tmp_path / "a"), str(tmp_path / "b"))


def test_markup_escapes_text_and_keeps_markup():
    assert tag("p", "a < b", Html("<br>"), title='"', open=True, hidden=False) == (
        '<p title="&quot;" open>a &lt; b<br></p>'
    )


def test_plots_without_anything_to_plot():
    for plot in (
        rate_lines([], [], name="a", across="b"),
        stacked_bars([], [], []),
        histogram([0] * 20, [0] * 20, across="a"),
    ):
        Page(plot)
    bars = stacked_bars([Bar("x", (0, 0))], ["a", "b"], ["pass", "fail"])
    assert "n=0" in bars
    gap = rate_lines(["1", "2"], [Series("s", (None, Estimate(None, 0, why="none")))], name="a", across="b")
    assert "circle" not in gap


def test_bars_are_as_long_as_their_shares():
    plot = stacked_bars([Bar("x", (1, 3))], ["a", "b"], ["pass", "fail"])
    widths = [float(width) for width in re.findall(r'<rect[^>]*width="([0-9.]+)"[^>]*class="part', plot)]
    assert widths[1] / widths[0] == pytest.approx(3, rel=1e-3)


def test_a_rate_is_drawn_at_its_height():
    """The plot spans y = 12 to 232: 25 % is at 232 - 220/4 = 177."""
    plot = rate_lines(["1"], [Series("s", (Estimate(0.25, 4),))], name="a", across="b")
    assert 'cy="177"' in plot


def test_the_command(tmp_path):
    run = write_run(tmp_path, small_run())
    done = grader("report", run, "--matrix", "geometry", "scale", "--k", "1,2")
    assert done.exit_code == 0, done.output
    assert done.stderr.endswith(f"grader: open {run / 'report' / 'report.html'}\n")
    assert "pass@2 any" in " ".join(done.stdout.split())
    written = sorted(path.name for path in (run / "report" / "tables").iterdir())
    assert "maze_matrix_pass_rate_geometry_scale.csv" in written
    assert (run / "report" / "tables.md").read_text().startswith("# Report")
    done = grader("report", run, "--by", "model", "--format", "json", "--out", tmp_path / "other")
    assert '"tables"' in done.stdout
    done = grader("report", run, "--by", "model", "--format", "csv")
    assert "# maze_by_model\nmodel,candidates" in done.stdout
    # The tables of the first report went with it.
    assert "maze_by_scale.csv" not in [path.name for path in (run / "report" / "tables").iterdir()]


def test_the_command_tells_faults_in_one_line(tmp_path):
    run = write_run(tmp_path, small_run())
    for arguments, words in (
        ((tmp_path,), "is no run folder"),
        ((run, "--by", "shape"), "no item has the tag shape"),
        ((run, "--k", "0"), "--k '0' is no list"),
        ((run, run), "several runs are reported together"),
        ((run, run, "--out", tmp_path / "out"), "given more than once"),
    ):
        done = grader("report", *arguments)
        assert done.exit_code == 2
        assert words in done.stderr
        assert done.stderr.count("\n") == 1
    help_text = grader("report", "--help").output
    assert "geometry+scale" in help_text
    assert "--matrix" in help_text
