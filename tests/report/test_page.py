"""The page: it parses, needs nothing from outside, shows no NaN, and never takes what strangers wrote for markup."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest

from grader.report.data.reading import read_runs
from grader.report.make import make_report
from grader.report.page.entries import COLUMNS, Source, script_text
from grader.report.page.gallery import Album, modes
from grader.report.page.media import MOST_CHARACTERS, candidate_of, puzzle_of
from grader.report.tables.build import TableOptions
from grader.runs.folder import overlay_name, video_name
from tests.cli.run import run as grader
from tests.samples.puzzles import png
from tests.samples.report import FAIL, MEASURED, PASS, UNGRADABLE, Line, small_run, write_run

EVIL = "<script>alert(1)</script>\"'&"
VOID = {"meta", "img", "br", "input"}


class Page(HTMLParser):
    """Checks that elements close in order; gathers text, addresses and ids."""

    def __init__(self, text):
        super().__init__()
        self.open, self.text, self.addresses, self.ids, self.tags, self.classes = [], [], [], [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, name, attributes):
        self.tags.append(name)
        self.addresses += [value for key, value in attributes if key in ("src", "href", "action", "data", "xlink:href")]
        self.ids += [value for key, value in attributes if key == "id"]
        self.classes += [one for key, value in attributes if key == "class" for one in value.split()]
        assert not [key for key, _ in attributes if key.startswith("on")]
        if name not in VOID:
            self.open.append(name)

    def handle_endtag(self, name):
        assert self.open.pop() == name

    def handle_data(self, data):
        if self.open[-1:] not in (["script"], ["style"]):
            self.text.append(data)


def made(folder, lines, **options):
    examples = options.pop("examples", 4)
    run = write_run(folder, lines)
    page = make_report([run], None, TableOptions(**options), examples=examples).page.read_text(encoding="utf-8")
    return page, Page(page)


def data(run, name, call):
    """What a script of the page hands over."""
    text = (run / "report" / "data" / name).read_text(encoding="utf-8")
    assert text.startswith(f"{call}(")
    assert "<" not in text
    return json.loads(f"[{text[len(call) + 1 : -3]}]")


def rows(run):
    """The rows of the list, by id."""
    about, listed = data(run, "verdicts.js", "gradedRuns.list")
    assert tuple(about["columns"]) == COLUMNS
    return {one[0]: dict(zip(COLUMNS, one, strict=True)) for one in listed}


def test_the_page_needs_nothing_from_outside(tmp_path):
    text, page = made(tmp_path, small_run(), matrix=("geometry", "scale"))
    assert page.addresses
    own = [one for one in page.addresses if one.startswith("#")]
    assert [one for one in page.addresses if one not in own and not one.startswith("data:image/")] == []
    plain = [one[1:] for one in own if not re.match("#(v/|list[?])", one)]
    assert [one for one in plain if one not in page.ids] == []
    assert len(page.ids) == len(set(page.ids))
    assert not re.search(r"url\(|@import|https?://", text)
    assert not re.search(r"\bNaN\b|\bnan\b|\binf\b", "".join(page.text))
    # What the page loads lies beside it, the library with its licence.
    folder = tmp_path / "run" / "report" / "data"
    assert sorted(path.name for path in folder.iterdir()) == [
        "details-0.js",
        "tabulator.LICENSE",
        "tabulator.min.js",
        "verdicts.js",
    ]


def test_nothing_runs_but_the_script_that_the_policy_allows_and_what_it_loads(tmp_path):
    text, page = made(tmp_path, small_run())
    (script,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src &#39;sha256-{digest}&#39; &#39;strict-dynamic&#39;" in text
    assert "default-src &#39;none&#39;" in text
    assert page.tags.count("script") == 1


def test_what_strangers_wrote_is_never_markup(tmp_path):
    lines = [
        Line(EVIL, FAIL, EVIL, 1, EVIL, 0.5, {"coverage": 0.5, "violation": 0.0}, (EVIL,), {"scale": EVIL, EVIL: EVIL}),
        Line("b", PASS, "b", 1, "M", 1.0, {EVIL: 1.0}, message=EVIL, tags={"geometry": EVIL, "scale": "3"}),
        Line("c", FAIL, "c", 1, "M", 0.0, codes=("DOTS",), message=EVIL, picture=f"{EVIL}.png"),
        Line("d", (13, EVIL), "d", 1, "M"),
        Line("\u2028e</script>", FAIL, "c", 1, "N", 1.0, codes=("DOTS",), message="{{ 7 * 7 }}"),
    ]
    text, page = made(tmp_path, lines, matrix=("scale", EVIL))
    assert page.tags.count("script") == 1
    assert text.count("<script>") == 1
    assert "".join(page.text).count(EVIL) > 10
    assert "{{ 7 * 7 }}" in "".join(page.text)
    # Scripts hold it as data, in which no element can end.
    assert rows(tmp_path / "run")[EVIL]["tags"] == f"{EVIL}={EVIL} scale={EVIL}"
    _, details = data(tmp_path / "run", "details-0.js", "gradedRuns.details")
    assert details[2]["reasons"] == [["DOTS", EVIL, ""]]


def test_data_for_scripts_can_not_end_them():
    assert script_text("f", "</script><!--\u2028", 1) == 'f("\\u003c/script>\\u003c!--\\u2028",1);\n'


def test_what_a_person_wants_first_comes_first(tmp_path):
    _, page = made(tmp_path, small_run())
    order = ["ranking", "failures", "disputes", "list", "tables", "plots", "about"]
    assert [one for one in page.ids if one in order] == order
    text = " ".join("".join(page.text).split())
    for needed in ("How items ended", "pass@5 unbiased", "38.9 % [", "Pass rate by scale", "INTERNAL", "no result yet"):
        assert needed in text
    assert page.tags.count("svg") == 4  # by scale, by model, by geometry, scores; no coverage was measured


def test_the_front_can_be_read_without_a_script(tmp_path):
    """What needs it is hidden until it runs; the tables, which it puts behind a chooser, are folded, not gone."""
    text, page = made(tmp_path, small_run())
    for needs in re.findall(r"<[^>]*class=\"[^\"]*scripted[^>]*>", text):
        assert " hidden" in needs
    assert len(re.findall(r'<details class="table"(?![^>]*hidden)', text)) == page.classes.count("table")
    assert page.classes.count("table") > 10


def test_models_stand_side_by_side_where_there_are_several(tmp_path):
    assert "beside" not in made(tmp_path / "one", small_run())[1].ids
    both = [Line("a", PASS, "p", 1, "A", 1.0), Line("b", FAIL, "p", 1, "B", 0.5, codes=("DOTS",))]
    _, page = made(tmp_path / "two", both)
    assert "beside" in page.ids
    assert "maze_pairs" in page.ids


def pictures(folder, run, names):
    (run / "overlays").mkdir()
    picture = png(np.full((600, 1200, 3), (10, 120, 200), np.uint8))
    (folder / "picture.png").write_bytes(picture)
    for name in names:
        (run / "overlays" / overlay_name(name)).write_bytes(picture)


def test_cards_have_small_pictures_and_say_why_where_they_have_none(tmp_path):
    lines = [
        Line("a", FAIL, "a", 1, score=0.2, codes=("DOTS",)),
        Line("b", UNGRADABLE, "b", 1, codes=("EMPTY",), picture="no"),
    ]
    run = write_run(tmp_path, lines)
    pictures(tmp_path, run, ["a"])
    results = read_runs([run])
    with Source(results) as source:
        first = Album(results, source, run).card(results.records[0])
        assert (first.code, first.message, first.address) == ("DOTS", "as the test said", "#v/0/a")
        assert first.picture.startswith("data:image/webp;base64,")
        second = Album(results, source, run).card(results.records[1])
        assert (second.picture, second.words) == ("", "no is not there any more")
        full = Album(results, source, run, most_bytes=0).card(results.records[0])
        assert full.words.startswith("the page has no room")


def test_every_verdict_has_all_of_it_in_a_file_that_is_loaded_when_it_is_looked_at(tmp_path):
    lines = [
        Line("a b/#%", FAIL, "p", 2, "M", 0.5, {"coverage": 0.5, "mse_in": None}, ("DOTS",), {"scale": "3"}),
        Line("b", (3, "INVALID_FIELD")),
        Line("c", None),
    ]
    run = write_run(tmp_path, lines)
    pictures(tmp_path, run, ["a b/#%"])
    (run / "videos").mkdir()
    (run / "videos" / video_name("a b/#%")).write_bytes(b"")
    page = make_report([run]).page
    number, (first, second) = data(run, "details-0.js", "gradedRuns.details")
    assert number == 0
    assert first["reasons"] == [["DOTS", "as the test said", ""]]
    assert first["metrics"] == [["coverage", 0.5, ""], ["mse_in", None, "it was not asked for"]]
    assert first["tags"] == [["scale", "3"]]
    assert ["profile", "default"] in first["facts"]
    shown = {one["role"]: (one["kind"], one["src"]) for one in first["media"]}
    assert shown == {
        "candidate": ("picture", "../../picture.png"),
        "overlay": ("picture", f"../overlays/{overlay_name('a b/#%')}"),
        "annotated clip": ("clip", f"../videos/{video_name('a b/#%')}"),
    }
    for _, address in shown.values():
        assert (page.parent / address).is_file()
    assert second["status"][0] == "INVALID_FIELD"
    assert list(rows(run)) == ["a b/#%", "b"]  # what has no result yet has no page
    assert "#v/0/a%20b%2F%23%25" in page.read_text()


def test_files_of_details_are_short_and_many(tmp_path):
    run = write_run(tmp_path, [Line(str(at), PASS, score=1.0) for at in range(250)])
    make_report([run], options=TableOptions(by=()))
    assert [len(data(run, f"details-{n}.js", "gradedRuns.details")[1]) for n in range(3)] == [100, 100, 50]
    # A shorter report leaves nothing of a longer one behind.
    (run / "results.jsonl").write_text((run / "results.jsonl").read_text().splitlines(keepends=True)[0])
    make_report([run], options=TableOptions(by=()))
    assert not (run / "report" / "data" / "details-1.js").exists()


@pytest.mark.parametrize("uri", ["/etc/hostname", "https://example.org/a.png"])
def test_only_paths_relative_to_the_manifest_are_shown(tmp_path, uri):
    (shown,) = candidate_of({"image": {"uri": uri}}, tmp_path)
    assert (shown.kind, shown.path) == ("none", None)
    assert "is not a path relative" in shown.text


def test_clips_series_and_words_are_shown_as_what_they_are(tmp_path):
    for name in ("a.mp4", "1.png", "x.png"):
        (tmp_path / name).write_bytes(b"something")
    (clip,) = candidate_of({"video": {"uri": "a.mp4"}}, tmp_path)
    assert (clip.kind, clip.path) == ("clip", tmp_path / "a.mp4")
    one, words = candidate_of({"frames": {"images": [{"uri": "1.png"}], "text": "so"}}, tmp_path)
    assert (one.role, one.kind, words.text) == ("picture 1", "picture", "so")
    (scene,) = candidate_of({"scene": {"image": {"uri": "x.png"}}}, tmp_path)
    assert scene.kind == "picture"
    (long,) = candidate_of({"text": "a" * MOST_CHARACTERS + "END"}, tmp_path)
    assert long.text.endswith("END")
    (tmp_path / "e.png").write_bytes(b"")
    (empty,) = candidate_of({"image": {"uri": "e.png"}}, tmp_path)
    assert (empty.kind, empty.text) == ("none", "e.png is an empty file")
    (none,) = candidate_of({"text": " "}, tmp_path)
    assert (none.kind, none.text) == ("none", "no words")
    (inline,) = candidate_of({"image": {"data": base64.b64encode(b"\xff\xd8\xff" + bytes(20)).decode()}}, tmp_path)
    assert inline.data.startswith("data:image/jpeg;base64,")


def test_the_pictures_of_the_puzzle_are_shown_too(tmp_path):
    (tmp_path / "p.png").write_bytes(b"something")
    said = {"sliding": {"puzzle": {"image": {"uri": "p.png"}, "tiles": [1, 2]}}, "text": "up"}
    (shown,) = puzzle_of(said, tmp_path)
    assert (shown.role, shown.address(tmp_path / "report")) == ("puzzle image", ".././p.png".replace("./p", "p"))


def test_examples_of_a_mode_are_typical_and_models_take_turns(tmp_path):
    lines = [
        Line("doubtful", FAIL, "a", 1, "A", 0.99, codes=("DOTS",)),
        Line("a1", FAIL, "a", 2, "A", 0.1, codes=("DOTS",)),
        Line("a2", FAIL, "a", 3, "A", 0.1, codes=("DOTS",)),
        Line("b1", FAIL, "a", 1, "B", 0.1, codes=("DOTS",)),
        Line("right", PASS, "a", 2, "B", 1.0),
        Line("seen", MEASURED, "a", 3, "B"),
    ]
    results = read_runs([write_run(tmp_path, lines)])
    with Source(results) as source:
        found = modes(results.records, Album(results, source, tmp_path), 2)
    shown = {mode.name: ([card.title for card in mode.cards], mode.count) for mode in found}
    assert shown == {"wrong form": (["a1", "b1"], 4), "PASS": (["right"], 1), "MEASURED": (["seen"], 1)}


def test_no_examples_on_request(tmp_path):
    _, page = made(tmp_path, small_run(), examples=0)
    assert "article" not in page.tags
    assert "disputes" not in page.ids


def test_the_page_is_the_same_each_time(tmp_path):
    one = made(tmp_path / "a", small_run())[0]
    assert made(tmp_path / "b", small_run())[0] == one.replace(str(tmp_path / "a"), str(tmp_path / "b"))


def test_the_command(tmp_path):
    run = write_run(tmp_path, small_run())
    done = grader("report", run, "--matrix", "geometry", "scale", "--k", "1,2")
    assert done.exit_code == 0, done.output
    where = f"open {run / 'report' / 'index.html'}\n"
    assert done.stdout.endswith(f"\n\n{where}")
    assert where not in done.stderr
    assert "pass@2 any" in " ".join(done.stdout.split())
    written = sorted(path.name for path in (run / "report" / "tables").iterdir())
    assert "maze_matrix_pass_rate_geometry_scale.csv" in written
    assert (run / "report" / "tables.md").read_text().startswith("# Report")
    done = grader("report", run, "--by", "model", "--format", "json", "--out", tmp_path / "other")
    assert set(json.loads(done.stdout)) >= {"tables"}  # nothing else stands there
    assert done.stderr.endswith(f"grader: open {tmp_path / 'other' / 'index.html'}\n")
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


def details(run):
    """What the page says of each item, in the run's order."""
    return data(run, "details-0.js", "gradedRuns.details")[1]


def with_candidates(run, *candidates):
    """Gives the items of a run these candidates instead of their pictures."""
    manifest = run.with_suffix(".jsonl")
    lines = [json.loads(line) for line in manifest.read_text().splitlines()]
    for line, candidate in zip(lines, candidates, strict=True):
        del line["image"]
        line.update(candidate)
    manifest.write_text("".join(json.dumps(line) + "\n" for line in lines))
    said = json.loads((run / "run.json").read_text())
    said["manifest_digest"] = hashlib.sha256(manifest.read_bytes()).hexdigest()
    (run / "run.json").write_text(json.dumps(said))


def test_an_answer_that_was_not_given_is_said_to_be_none(tmp_path):
    missing, told = {"missing": "true"}, "the file is empty (0 bytes); send an encoded picture"
    lines = [
        Line("m", UNGRADABLE, codes=("EMPTY",), tags=missing, message=told),
        Line("w", FAIL, score=0.0, codes=("ANSWER_MISSING",), tags=missing, message="there is no text"),
        Line("sent", UNGRADABLE, codes=("EMPTY",), message=told),
        Line("words", FAIL, score=0.0, codes=("WRONG",)),
    ]
    run = write_run(tmp_path, lines)
    with_candidates(run, {"image": {"data": ""}}, {"text": ""}, {"image": {"data": ""}}, {"text": "left"})
    page = make_report([run]).page.read_text()
    picture, text, sent, words = details(run)
    nothing = [{"role": "answer", "kind": "none", "text": "no answer was given"}]
    assert picture["media"] == text["media"] == nothing
    assert picture["reasons"] == [["EMPTY", "no answer was given", ""]]
    assert text["reasons"] == [["ANSWER_MISSING", "there is no text", ""]]
    # One that somebody sent is another matter, but there is no picture to show either.
    assert sent["media"] == [{"role": "candidate", "kind": "none", "text": "it is empty"}]
    assert sent["reasons"] == [["EMPTY", told, ""]]
    assert [one["role"] for one in words["media"]] == ["words"]
    assert page.count("no answer was given") >= 2


def test_overlays_are_offered_where_a_run_has_none_and_there_is_a_picture(tmp_path):
    picture = {"image": {"data": base64.b64encode(png(np.zeros((4, 4, 3), np.uint8))).decode()}}
    run = write_run(tmp_path, [Line("a", FAIL, score=0.0), Line("b", FAIL, score=0.0), Line("c", FAIL, score=0.0)])
    with_candidates(run, picture, picture, {"text": "left"})
    make_report([run])
    assert [[one["role"] for one in item["media"]] for item in details(run)] == [
        ["candidate", "overlay"],
        ["candidate", "overlay"],
        ["words"],
    ]
    (run / "overlays").mkdir()
    (run / "overlays" / overlay_name("a")).write_bytes(png(np.zeros((4, 4, 3), np.uint8)))
    make_report([run])
    assert [[one["kind"] for one in item["media"]] for item in details(run)] == [
        ["picture", "picture"],
        ["picture"],
        ["words"],
    ]
