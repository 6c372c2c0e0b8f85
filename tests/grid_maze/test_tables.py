"""The tables of grid mazes: the figures of MazeBench from its own counts, and mazes that differ in one thing."""

from __future__ import annotations

import hashlib
import json

import pytest

from grader.importers.mazebench.importer import BenchSources, import_mazebench
from grader.make.grid_mazes import make_grid_mazes
from grader.report.data.apart import keep_apart
from grader.report.data.chances import Chances
from grader.report.data.estimates import Resampling
from grader.report.data.reading import read_runs
from grader.report.make import make_report
from grader.report.tables.grids.costs import tokens_per_solve
from grader.report.tables.grids.tables import grid_tables
from grader.report.tables.table import cell_text
from puzzles.grid_maze.recipes import group_recipes
from tests.samples.report import FAIL, PASS, Line, response, write_run

HOW = Resampling(resamples=200)
# Of each group: mazes, those that are unreachable, solved ones, and unreachable ones that were said to be reachable.
# Solved ones are the published counts of a model [1]_, 91 of 100; 6 false positives, one of them in group E.
GROUPS = {
    "A": (8, 0, 7, 0),
    "B": (15, 0, 14, 0),
    "C": (15, 2, 13, 2),
    "D": (12, 2, 12, 0),
    "E": (14, 14, 13, 1),
    "F": (10, 2, 9, 1),
    "G": (16, 6, 13, 2),
    "H": (10, 2, 10, 0),
    "X": (10, 3, 3, 0),
}
TOKENS = 2650  # of each of 100: 265,000


def answer(name, *, solved, unreachable, said=None, model="M", tags=None, **more):
    """A graded answer, with what verdicts say of it that tables read."""
    reachable = not unreachable if said is None else said
    metrics = {
        "reachability": float(reachable is not unreachable),
        "parse_lenient": float(solved),
        "said_reachable": float(reachable),
        "least_moves": None if unreachable else 8.0,
    }
    return Line(
        f"{model}/{name}/{more.pop('request', '')}", PASS if solved else FAIL, name, model=model, score=float(solved),
        metrics=metrics, codes=() if solved else ("WRONG_LENGTH",), tags=tags or {}, task="grid_maze", **more,
    )  # fmt: skip


def published(model="M", condition=None):
    lines = []
    for group, (count, unreachable, solved, positives) in GROUPS.items():
        for number in range(count):
            # False positives first, then unreachable mazes that were told, then the others.
            none = number < unreachable
            wrong = number < positives
            right = positives <= number < positives + solved
            tags = {"group": group, "level": group, "tokens": str(TOKENS), "latency_s": "38.1"}
            tags |= {"condition": condition} if condition else {}
            said = True if wrong else None
            lines.append(answer(f"{group}{number}", solved=right, unreachable=none, said=said, model=model, tags=tags))
    return lines


def tables(folder, lines, chances=None):
    results = keep_apart(read_runs([write_run(folder, lines)]))
    return {one.key: one for one in grid_tables("grid_maze", list(results.records), HOW, chances or Chances())}


def rows(table):
    return [dict(zip([column.key for column in table.columns], row, strict=True)) for row in table.rows]


def test_the_published_figures_come_from_the_published_counts(tmp_path):
    found = tables(tmp_path, published())
    assert list(found) == [
        "grid_maze_leaderboard",
        "grid_maze_ultra_hard",
        "grid_maze_parts",
        "grid_maze_by_group",
        "grid_maze_unreachable",
    ]
    first, *chances = rows(found["grid_maze_leaderboard"])
    assert (first["model"], first["n"], first["solved"], first["tokens"]) == ("M", 100, 91, 265_000)
    assert first["solved_rate"].value == pytest.approx(0.91)
    assert first["tokens_per_solve"].value == pytest.approx(265_000 / 91)
    columns = {column.key: column for column in found["grid_maze_leaderboard"].columns}
    assert cell_text(first["tokens_per_solve"], columns["tokens_per_solve"]).startswith("2912 [")
    assert first["latency_s"].value == pytest.approx(38.1)
    assert [row["model"] for row in chances] == ["chance (a guess)", "always unreachable"]
    (hard,) = rows(found["grid_maze_ultra_hard"])[:1]
    assert (hard["n"], hard["solved"]) == (10, 3)
    (groups,) = rows(found["grid_maze_by_group"])
    counts = {group: groups[f"group_{group}"].count for group in GROUPS}
    assert counts == {group: solved for group, (_, _, solved, _) in GROUPS.items()}
    assert (groups["core"].count, groups["core"].of) == (91, 100)
    (none,) = rows(found["grid_maze_unreachable"])
    assert (none["false_positives"].count, none["false_positives"].of) == (6, 28)
    assert (none["recalled"].count, none["recalled"].of) == (13, 14)
    assert (round(100 * none["false_positive_rate"].value), round(100 * none["recall"].value)) == (21, 93)
    assert (none["false_negatives"].count, none["false_negatives"].of) == (0, 72)


@pytest.mark.parametrize(
    ("thousands", "solved", "expected"),
    # Of the published table, whose last two digits come from totals that were not rounded: 2,913, 1,710, 9,250, 22,818.
    [(265, 91, 2912), (145, 85, 1706), (731, 79, 9253), (91, 4, 22750)],
)
def test_tokens_per_solve_are_all_tokens_over_what_is_solved(tmp_path, thousands, solved, expected):
    lines = [
        answer(f"p{at}", solved=at < solved, unreachable=False, tags={"tokens": str(10 * thousands)})
        for at in range(100)
    ]
    records = list(read_runs([write_run(tmp_path, lines)]).records)
    found = tokens_per_solve(records, HOW)
    assert round(found.value) == expected
    assert found.interval.low < found.value < found.interval.high


def test_answers_that_say_no_tokens_are_none(tmp_path):
    lines = [
        answer("p0", solved=True, unreachable=False, tags={"tokens": "100", "latency_s": "2"}),
        answer("p1", solved=True, unreachable=False, tags={"tokens": "many", "latency_s": "-1"}),
        answer("p2", solved=False, unreachable=False, tags={"cut_off": "true"}),
    ]
    (row, *_) = rows(tables(tmp_path, lines)["grid_maze_leaderboard"])
    assert (row["tokens"], row["tokens_per_solve"].value, row["tokens_per_solve"].n) == (100, 50.0, 1)
    assert (row["latency_s"].value, row["latency_s"].n, row["cut_off"]) == (2.0, 1, 1)
    (row, *_) = rows(tables(tmp_path / "none", lines[2:])["grid_maze_leaderboard"])
    assert (row["tokens"], row["tokens_per_solve"].value, row["tokens_per_solve"].why) == (
        "",
        None,
        "no answer says its tokens",
    )


def test_text_and_picture_stand_side_by_side(tmp_path):
    """Of two puzzles shown both ways, the text is solved where the picture is not."""
    lines = [
        answer(f"p{at}", solved=solved, unreachable=False, tags={"condition": condition}, request=condition)
        for condition, ends in (("image", (True, False, False)), ("text_grid", (True, True, True)))
        for at, solved in enumerate(ends)
    ]
    lines.append(answer("p9", solved=True, unreachable=False, tags={"condition": "image"}, model="N"))
    found = tables(tmp_path, lines)
    shown = [(row["model"], row["condition"], row["solved"]) for row in rows(found["grid_maze_leaderboard"])]
    assert shown[:3] == [("M", "text_grid", 3), ("N", "image", 1), ("M", "image", 1)]
    (matched,) = rows(found["grid_maze_matched"])
    assert (matched["model"], matched["condition"], matched["thing"]) == (
        "M",
        "(both)",
        "condition: image / text_grid",
    )
    counts = [matched[key] for key in ("pairs", "only_first", "only_second", "both", "neither")]
    assert counts == [3, 0, 2, 1, 0]
    assert (matched["difference"].value, matched["p"].value) == (pytest.approx(2 / 3), 0.5)  # p = 2 / 2^2
    # Tables of models do not take the two ways for attempts at one puzzle.
    names = {record.model for record in keep_apart(read_runs([tmp_path / "run"])).records}
    assert names == {"M [image]", "M [text_grid]", "N"}


def test_mazes_that_differ_in_one_thing_are_pairs(tmp_path):
    ends = {"D-1": (True, False), "D-2": (True, True), "D-3": (True, False), "F-1": (False, True)}
    lines = []
    for pair, solved in ends.items():
        thing = "traps" if pair[0] == "D" else "border"
        for value, one in zip(("without", "with"), solved, strict=True):
            # In the other thing both are alike, so that is no pair.
            tags = {"traps": "without", "border": "without", "pair": pair, "group": pair[0], thing: value}
            lines.append(answer(f"{pair}{value}", solved=one, unreachable=False, tags=tags))
    lines.append(answer("alone", solved=True, unreachable=False, tags={"pair": "D-9", "traps": "with", "group": "D"}))
    traps, border = rows(tables(tmp_path, lines)["grid_maze_matched"])
    assert (traps["thing"], border["thing"]) == ("traps: without / with", "border: without / with")
    keys = ("pairs", "only_first", "only_second", "both", "neither")
    assert [traps[key] for key in keys] == [3, 2, 0, 1, 0]
    assert [border[key] for key in keys] == [1, 0, 1, 0, 0]
    assert (traps["first"].value, traps["second"].value) == (1.0, pytest.approx(1 / 3))
    assert traps["p"].value == 0.5  # 2 / 2^2


def test_nothing_is_said_of_other_tasks(tmp_path):
    records = list(read_runs([write_run(tmp_path, [Line("a", PASS, "p", score=1.0)])]).records)
    assert grid_tables("maze", records, HOW, Chances()) == []


def test_from_mazes_to_a_report(tmp_path):
    """Made, answered, imported and reported, with what looking at nothing would solve."""
    recipes = [one for one in group_recipes() if one.number in (1, 51)]
    make_grid_mazes(tmp_path / "mazes", recipes, 512, progress=False)
    answers = tmp_path / "answers.jsonl"
    right = [
        {"maze": one.name, "model": "M", "condition": "image", "tokens": 500, "latency_s": 3}
        | {"text": (tmp_path / "mazes" / "instances" / one.name / "answer.json").read_text(encoding="utf-8")}
        for one in recipes
    ]
    answers.write_text("".join(json.dumps(one) + "\n" for one in right), encoding="utf-8")
    sources = BenchSources(tmp_path / "mazes", answers)
    manifest = import_mazebench(sources, tmp_path / "words.jsonl", progress=False).manifest
    lines = [json.loads(line) for line in manifest.read_text(encoding="utf-8").splitlines()]
    folder = tmp_path / "run"
    folder.mkdir()
    ends = [
        response(answer(line["requestId"], solved=True, unreachable=line["puzzleId"] == "gen_maze_051"))
        | {"requestId": line["requestId"]}
        for line in lines
    ]
    (folder / "results.jsonl").write_text("".join(json.dumps(one) + "\n" for one in ends), encoding="utf-8")
    digest = hashlib.sha256(manifest.read_bytes()).hexdigest()
    (folder / "run.json").write_text(json.dumps({"manifest": "../words.jsonl", "manifest_digest": digest}))
    report = make_report([tmp_path / "run"])
    found = {one.key: one for one in report.tables}
    first, guess, never = rows(found["grid_maze_leaderboard"])
    assert (first["solved"], first["tokens_per_solve"].value) == (2, 500.0)
    # gen_maze_051 has no path: a coin tells, and "unreachable" is right; 001 has 5 shortest paths of 5 steps.
    assert never["solved_rate"].value == 0.5
    assert guess["solved_rate"].value == pytest.approx((0.5 + 5 / 4**5 / 2) / 2)
    assert "grid_maze_accuracy_by_level" in found
