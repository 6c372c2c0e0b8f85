"""The benchmark of accuracy: a fixed part of it is graded right, its truth is counted right, and so are its tables."""

import csv
import json
import re
from dataclasses import asdict, replace
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmarks.accuracy import processes
from benchmarks.accuracy.board_plans import BOARD_PLANS, board_plan, legal
from benchmarks.accuracy.cases import CLEAN, Case, all_cases, parse_case, plan_names, sample
from benchmarks.accuracy.grading import build_case, grade_case
from benchmarks.accuracy.instances import build
from benchmarks.accuracy.lines import UncertainTruthError, dashes, lengths_along, traced
from benchmarks.accuracy.maze_plans import MAZE_PLANS, maze_plan
from benchmarks.accuracy.nuisances import NUISANCES
from benchmarks.accuracy.plans import Expectation, expectation
from benchmarks.accuracy.results import ERROR, Result, ResultsError, ResultsFile, read_results
from benchmarks.accuracy.run import main
from benchmarks.accuracy.tables import Share, judged, markdown, row, tables, write_csv
from benchmarks.accuracy.worst import worst
from grader.engine.engine import Engine
from puzzles.maze.geometry import Geometry
from puzzles.maze.grids import make_grid
from tests.fakes.processes import Here

# A guard, not an estimate: puzzles on which the grader is right today.
MAZES = [
    "maze-circle-03-dfs-native",
    "maze-square-05-dfs-native",
    "maze-hexagon-05-dfs-native",
    "maze-triangle-05-dfs-native",
]
QUICK = ["maze-square-05-dfs-native", "maze-triangle-05-dfs-native"]
BOARDS = ["queens-board-04-a-small", "queens-board-05-a-small"]


def fixed_part(instances, quick):
    """Every plan clean, then every nuisance at middle strength on a right answer of the quick ones, by turns."""
    task = instances[0].partition("-")[0]
    plans = [f"{plan}/{CLEAN}" for plan in plan_names(task)]
    # What happens to boards too happens to them, for they are quicker.
    own = [
        name for name, one in NUISANCES.items() if task in one.tasks and (task == "queens" or "queens" not in one.tasks)
    ]
    harmless = [f"right/{name}-2" for name in own]
    part = {instance: [f"{instance}/{one}" for one in plans[turn :: len(instances)]]
            for turn, instance in enumerate(instances)}  # fmt: skip
    for turn, instance in enumerate(quick):
        part[instance] += [f"{instance}/{one}" for one in harmless[turn :: len(quick)]]
    return part


PART = fixed_part(MAZES, QUICK) | fixed_part(BOARDS, BOARDS)


def test_the_fixed_part_has_every_plan_and_nuisance():
    cases = [parse_case(case_id) for ids in PART.values() for case_id in ids]
    assert {case.plan for case in cases if case.instance.task == "maze"} == set(MAZE_PLANS)
    assert {case.plan for case in cases if case.instance.task == "queens"} == set(BOARD_PLANS)
    assert {one.name for case in cases for one in case.nuisances} == set(NUISANCES)
    assert 60 <= len(cases) <= 120


@pytest.mark.parametrize("instance", PART)
def test_the_fixed_part_is_graded_right(instance):
    engine = Engine()
    found = [grade_case(engine, parse_case(case_id)) for case_id in PART[instance]]
    assert None not in found
    wrong = [f"{one.case}: {one.expected} became {one.got} {one.reasons}" for one in found if not one.right]
    assert wrong == []
    assert max(max(one.coverage_error, one.violation_error) for one in found) == 0


def test_a_case_is_built_alike_from_its_name_alone():
    name = "maze-square-03-dfs-dark/branch/wobble-2+warp-1"
    first = build_case(parse_case(name))
    build.cache_clear()
    second = build_case(parse_case(name))
    assert first.data == second.data
    assert first.truth == second.truth


def test_nuisances_change_the_picture_and_not_the_truth():
    plain = build_case(parse_case("maze-square-03-dfs-red/gap/clean"))
    noisy = build_case(parse_case("maze-square-03-dfs-red/gap/rotate-1+noise-1"))
    assert plain.data != noisy.data
    assert plain.truth == noisy.truth
    assert plain.job.task == noisy.job.task


def test_expectation_counts_cells():
    # Right cells 1 to 5; drawn 1, 2, 3 and the wrong ones 8, 9: 3 of 5 are covered, 2 of 5 drawn ones are wrong.
    assert expectation({1, 2, 3, 8, 9}, (1, 2, 3, 4, 5), False) == Expectation(False, 0.6, 0.4)
    assert expectation((), (1, 2), False) == Expectation(False, 0.0, 0.0)


def test_the_page_names_every_nuisance_with_its_strengths():
    page = (Path(__file__).parents[2] / "docs" / "accuracy.md").read_text(encoding="utf-8")
    levels = {name: " | ".join(f"{level:g}" for level in one.levels) for name, one in NUISANCES.items()}
    assert [name for name, text in levels.items() if not re.search(rf"\| `{name}` \|.*\| {text} \|", page)] == []


def test_lines_are_shaken_within_their_cells():
    # At full strength this line would touch cell 2 for less than makes it visited and more than grazes it.
    assert build_case(parse_case("maze-hexagon-05-dfs-native/shunt/wobble-3+shift-black-1")) is not None


def test_plans_of_a_maze_visit_what_they_say():
    maze = build("maze-square-08-dfs-published")
    plans = {name: maze_plan(maze, name) for name in MAZE_PLANS}
    path = set(maze.path)
    assert [name for name, plan in plans.items() if plan is not None and plan.passes] == ["right"]
    assert path - plans["gap"].visited == {maze.path[len(maze.path) // 2]}
    assert path - plans["short"].visited == {maze.path[-1]}
    assert len(plans["branch"].visited - path) == len(plans["crossing"].visited - path) == 1
    assert plans["wrong-goal"].visited - path
    (into,) = plans["crossing"].visited - path
    assert not any(maze.maze.linked(into, cell) for cell in path)


def test_a_line_along_a_border_has_no_certain_truth():
    grid = make_grid(Geometry.SQUARE, width=3, height=3, rings=0)
    assert traced(grid, (np.array([[0.5, 0.5], [1.5, 0.5]]),)) == {1, 2}
    with pytest.raises(UncertainTruthError):
        traced(grid, (np.array([[0.5, 0.5], [1.06, 0.5]]),))  # 0.06 of a cell into cell 2: neither in it nor out


def test_dashes_keep_the_ends_and_the_gaps():
    pieces = list(dashes(np.array([[0.0, 0.0], [3.0, 0.0]]), 0.4, 0.2))
    assert pieces[0][0].tolist() == [0.0, 0.0]
    assert pieces[-1][-1].tolist() == [3.0, 0.0]
    gaps = [after[0, 0] - before[-1, 0] for before, after in pairwise(pieces)]
    assert gaps == pytest.approx([0.2] * 4)  # (3 + 0.2) / (0.4 + 0.2) = 5.3, so 5 dashes
    assert sum(lengths_along(piece)[-1] for piece in pieces) == pytest.approx(3.0 - 4 * 0.2)


def test_plans_of_a_board_are_illegal_but_the_right_one():
    board = build("queens-board-06-a-small")
    plans = {name: board_plan(board, name) for name in BOARD_PLANS}
    assert [name for name, plan in plans.items() if plan is not None and plan.passes] == ["right"]
    assert len(plans["missing"].queens) == 5
    assert len(plans["extra"].queens) == 7
    assert len({row for row, _ in plans["two-in-row"].queens}) == 5


def test_legality():
    regions = ((0, 0, 1, 1), (0, 2, 2, 1), (0, 2, 3, 1), (3, 3, 3, 3))
    assert legal([(0, 1), (1, 3), (2, 0), (3, 2)], ((0, 0, 1, 1), (0, 0, 1, 1), (2, 2, 3, 3), (2, 2, 3, 3)))
    assert not legal([(0, 1), (1, 3), (2, 0), (3, 2)], regions)  # (0, 1) and (2, 0) are both in region 0
    assert not legal([(0, 1), (1, 3), (2, 0)], regions)


def test_the_whole_is_large_and_balanced_and_a_sample_has_all_kinds():
    cases = list(all_cases())
    assert len({case.id for case in cases}) >= 20_000
    assert all(parse_case(case.id) == case for case in cases[::500])
    assert {(one.name, one.strength) for case in cases for one in case.nuisances} == {
        (name, strength) for name in NUISANCES for strength in (1, 2, 3)
    }
    part = sample(cases, 1000)
    assert len(part) == len({case.id for case in part}) == 1000
    assert part == sample(cases, 1000)
    assert len({(case.instance.kind, case.instance.scale) for case in part}) == 4 * 5 + 7
    right = sum(case.plan == "right" for case in part)
    assert 300 <= right <= 700


@pytest.mark.parametrize(
    ("case_id", "what"),
    [
        ("maze-square-05-dfs-red", "names no case"),
        ("maze-square-06-dfs-red/right/clean", "no instance"),
        ("maze-square-05-dfs-red/left/clean", "no plan 'left'"),
        ("maze-square-05-dfs-red/right/jpeg-4", "no nuisance 'jpeg-4'"),
        ("maze-square-05-dfs-red/right/dot-1", "no nuisance 'dot-1'"),
    ],
)
def test_a_wrong_case_id_says_what_is_wrong(case_id, what):
    with pytest.raises(ValueError, match=what):
        parse_case(case_id)


def test_wilson_intervals():
    # 8 of 10, z² = 3.84146: centre 0.8 + 0.192073 = 0.992073, spread 1.959964 sqrt(0.016 + 0.00960365) = 0.313616,
    # both over 1.384146. statsmodels' proportion_confint(8, 10, method="wilson") gives the same.
    assert Share(8, 10).interval == pytest.approx((0.490162, 0.943318), abs=1e-5)
    assert Share(0, 100).interval == pytest.approx((0.0, 0.0384146 / 1.0384146), abs=1e-6)
    assert Share(100, 100).interval[1] == pytest.approx(1.0)
    assert Share(0, 0).interval == (0.0, 1.0)


def result(case, expected, got, **more):
    values = {"expected_coverage": 1.0, "expected_violation": 0.0, "coverage": 1.0, "violation": 0.0, **more}
    parsed: Case = parse_case(case)
    name = parsed.instance
    nuisances = tuple(str(one) for one in parsed.nuisances)
    return Result(case, name.task, name.kind, name.scale, name.look, parsed.plan, nuisances, expected, got, **values)


RESULTS = [
    result("maze-square-03-dfs-red/right/clean", "PASS", "PASS"),
    result("maze-square-03-dfs-red/right/jpeg-1", "PASS", "FAIL", coverage=0.6),
    result("maze-square-03-dfs-red/gap/jpeg-1", "FAIL", "PASS", expected_coverage=0.8),
    result("maze-square-05-dfs-red/gap/jpeg-2", "FAIL", "FAIL", expected_coverage=0.8, coverage=0.8),
    result("maze-square-05-dfs-red/gap/rotate-1+jpeg-2", "FAIL", "UNGRADABLE", coverage=None, violation=None),
    result("queens-board-05-a-native/none/clean", "FAIL", ERROR, coverage=None, violation=None, error="boom"),
]


def test_a_row_counts_each_kind_of_error():
    counts = row("all", RESULTS)
    assert (counts.accuracy.hits, counts.accuracy.count) == (2, 6)
    assert (counts.false_pass.hits, counts.false_pass.count) == (1, 4)
    assert (counts.false_fail.hits, counts.false_fail.count) == (1, 2)
    assert (counts.ungradable.hits, counts.errors) == (1, 1)
    assert counts.coverage_error.value == pytest.approx((0 + 0.4 + 0.2 + 0) / 4)  # of the four that have one
    assert counts.coverage_error.count == 4


def test_tables_group_results(tmp_path):
    found = {table.title: {one.name: one.count for one in table.rows} for table in tables(RESULTS)}
    assert found["Task"] == {"maze": 5, "queens": 1}
    assert found["Geometry and scale"] == {"board 05": 1, "square 03": 3, "square 05": 2}
    assert found["Single nuisance, mazes"] == {"clean": 1, "jpeg-1": 2, "jpeg-2": 1}
    assert found["Nuisance in any pair"] == {"maze jpeg-2": 1, "maze rotate-1": 1}
    write_csv(tmp_path / "tables.csv", tables(RESULTS))
    with (tmp_path / "tables.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert float(rows[0]["accuracy"]) == 2 / 5
    assert rows[0]["name"] == "maze"
    assert "40.00 [" in markdown(tables(RESULTS), judged(RESULTS))


def test_targets_are_judged():
    lines = judged(RESULTS)
    assert "MISSED  maze: outcome accuracy 0.40000, asked >= 0.995" in lines
    assert "UNKNOWN queens: mean coverage error: nothing was counted" in lines
    assert any(line.startswith("6 candidates: too few") for line in lines)
    good = judged([replace(RESULTS[0], case=str(place)) for place in range(3)])
    assert "reached maze: outcome accuracy 1.00000, asked >= 0.995" in good


def test_the_worst_come_first_and_no_kind_fills_the_sheet():
    assert [one.case for one in worst(RESULTS)] == [
        "maze-square-03-dfs-red/gap/jpeg-1",  # a false pass
        "queens-board-05-a-native/none/clean",  # an error
        "maze-square-03-dfs-red/right/jpeg-1",  # a false fail
        "maze-square-05-dfs-red/gap/rotate-1+jpeg-2",
    ]
    many = [replace(RESULTS[1], case=f"case {place}") for place in range(9)]
    assert len(worst(many)) == 3


def test_results_survive_a_torn_line(tmp_path):
    with ResultsFile(tmp_path, "code 1") as file:
        file.add(RESULTS[:2])
    with (tmp_path / "results.jsonl").open("ab") as torn:
        torn.write(json.dumps(asdict(RESULTS[2])).encode()[:40])
    with ResultsFile(tmp_path, "code 1") as file:
        assert list(file.done) == [one.case for one in RESULTS[:2]]
        file.add(RESULTS[3:4])
    assert list(read_results(tmp_path / "results.jsonl")) == [*RESULTS[:2], RESULTS[3]]
    with pytest.raises(ResultsError, match="other code"):
        ResultsFile(tmp_path, "code 2")


class Broken:
    """An engine that raises."""

    def grade(self, job):
        raise RuntimeError("it broke")


def test_a_crash_of_the_grader_is_counted():
    found = grade_case(Broken(), parse_case("queens-board-05-a-native/missing/clean"))
    assert found.got == ERROR
    assert "it broke" in found.error
    assert not found.right
    assert not found.false_pass


def test_the_command_runs_resumes_and_shows_a_case(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(processes, "ProcessPoolExecutor", Here)
    command = ["--only", "queens-board-04-a-small/(none|right)/clean", "--jobs", "1", "--out", str(tmp_path)]
    assert main(command) == 0
    assert "0 wrong outcomes of 2" in capsys.readouterr().out
    before = (tmp_path / "results.jsonl").read_bytes()
    assert main(command) == 0
    assert (tmp_path / "results.jsonl").read_bytes() == before
    case_id = "queens-board-04-a-small/missing/jpeg-1"
    assert main(["--case", case_id, "--out", str(tmp_path)]) == 0
    assert "expected FAIL, got FAIL" in capsys.readouterr().out
    picture = cv2.imread(str(tmp_path / "cases" / "queens-board-04-a-small_missing_jpeg-1.jpg"))
    assert picture.shape == (160, 160, 3)
    assert main(["--case", "nothing"]) == 2
    assert "names no case" in capsys.readouterr().err
