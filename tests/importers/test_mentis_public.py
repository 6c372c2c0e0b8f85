"""The public MentisOculi puzzles: published solutions hold and are as short as can be, and answers end as others found.

They are in ../shared/fixtures/mentisoculi. The traces of answers come from a simulator that this project did not write.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from grader.importers.mentisoculi.records import RushHourRecord, read_rush_hour, read_sliding
from puzzles.rush_hour.chance import Draw, chance
from puzzles.rush_hour.rules import Direction, FaultKind, Move, simulate
from puzzles.rush_hour.solver import solve
from puzzles.sliding.tiles import simulate as simulate_tiles
from puzzles.sliding.tiles import solve as solve_tiles

pytestmark = pytest.mark.shared

ROOT = Path(__file__).resolve().parents[3] / "shared" / "fixtures" / "mentisoculi"
LOTS = sorted(path.parent for path in ROOT.glob("rushhour/*/*/metadata.json"))
TILES = sorted(path.parent for path in ROOT.glob("sliding-puzzle/*/*/metadata.json"))
# The published simulator looks for contact in steps of 1/512 of a unit, so it stops earlier by up to that much, and
# cars that stop at other cars add this up.
PUBLISHED_STEP = 1 / 512


@cache
def record(folder: Path) -> RushHourRecord:
    return read_rush_hour(folder / "metadata.json")


def named(folder: Path) -> str:
    return f"{folder.parent.name}-{folder.name}"


def test_all_are_there() -> None:
    assert (len(LOTS), len(TILES)) == (54, 20)


@pytest.mark.parametrize("folder", LOTS, ids=named)
def test_published_rush_hour_solutions(folder: Path) -> None:
    puzzle = record(folder)
    run = simulate(puzzle.lot, puzzle.moves)
    assert run.solved
    assert run.first_solved == len(puzzle.moves)
    for step, distance in zip(run.steps, puzzle.distances, strict=True):
        assert step.distance == pytest.approx(distance, abs=2 * PUBLISHED_STEP)
    # They were selected to hold with cars that are larger by 2 pixels a side; theirs are 1.95 in one case.
    assert simulate(puzzle.lot, puzzle.moves, 1.95 / 120).solved
    found = solve(puzzle.lot, limit=100)
    assert found is not None
    assert found.complete
    assert found.length == puzzle.solution_length == len(puzzle.moves) == puzzle.level
    assert puzzle.moves in found.solutions


@pytest.mark.parametrize("folder", TILES, ids=named)
def test_published_sliding_solutions(folder: Path) -> None:
    published = read_sliding(folder / "metadata.json")
    puzzle = published.puzzle
    assert simulate_tiles(puzzle.start, published.moves).reaches(puzzle.target)
    assert len(solve_tiles(puzzle.start, puzzle.target)) == len(published.moves) == int(folder.parent.name[-2:])


def answers(task: str) -> list[dict[str, Any]]:
    entries = json.loads((ROOT / "expected_verdicts.json").read_text())
    return [entry for entry in entries if entry["task"] == task and entry["verdict"] != "no_metadata"]


def folder_of(entry: dict[str, Any]) -> Path:
    return Path(ROOT, entry["task"], f"level_{entry['level']:02}", f"puzzle_{entry['puzzle_id']:04}")


def test_answers_of_models_end_as_others_found() -> None:
    compared = 0
    for entry in answers("rushhour"):
        if entry["parsed"] is None:
            continue  # unreadable text is not for a simulator
        puzzle = record(folder_of(entry))
        moves = [Move(label, Direction(word)) for label, word in map(str.split, entry["parsed"])]
        run = simulate(puzzle.lot, moves)
        assert run.solved == (entry["verdict"] == "solved")
        assert (run.failure is not None) == (entry["verdict"] == "invalid")
        if run.failure is not None:
            assert run.failure.kind is FaultKind.UNKNOWN_LABEL
            continue
        names = {vehicle.label: vehicle.id for vehicle in puzzle.lot.vehicles}
        for step, (label, sign, distance, stop) in zip(run.steps, entry["detail"]["trace"], strict=True):
            assert (step.move.label, step.move.direction is Direction.FORWARD) == (label, sign == 1)
            assert step.distance == pytest.approx(distance, abs=6e-5)  # printed to four decimals
            assert (
                (stop == "wall")
                if step.stop.kind.value == "edge"
                else names.get(step.stop.name, step.stop.name) == stop
            )
            compared += 1
    assert compared == 218


def test_chance_is_near_that_of_the_published_table() -> None:
    # The table of the paper: 1.0, .5838, .0287, .0053, .0004 for levels 1 to 5. Six moves among those that move give
    # these; 1.0 tells them from six among all, 1 - 2^-6. Level 3 has all 30 public lots here, the others 6 of 30.
    def mean(level: int, draw: Draw) -> float:
        found = [chance(record(folder).lot, 6, draw) for folder in LOTS if record(folder).level == level]
        assert all(one.exact for one in found)
        return sum(one.probability for one in found) / len(found)

    assert mean(1, Draw.MOVING) == 1
    assert mean(1, Draw.ALL) == 1 - 2**-6
    assert mean(3, Draw.MOVING) == pytest.approx(0.0287, abs=0.002)
    assert mean(4, Draw.ALL) == pytest.approx(0.0020, abs=5e-5)
    assert mean(4, Draw.MOVING) == pytest.approx(0.0053, abs=0.0005)
