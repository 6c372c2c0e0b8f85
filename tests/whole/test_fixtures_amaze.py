"""Pictures that this project did not draw: instances and simulated outputs of AMAZE, ../shared/fixtures/amaze.

TABLE was made by looking at each picture and asking: does this drawing show the right path, on an unaltered maze, to
the naked eye? Reference numbers come from the public code, run unmodified (reference_scores.json says how).
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from grader.engine.engine import Engine
from grader.media.pictures import decode_image, decode_labels, decode_mask
from grader.media.types import DEFAULT_LIMITS
from grader.metrics.amaze_code import amaze_code_scores, fit_as_public, summed_mse
from grader.model.jobs import CandidateKind, GradeJob, ImageCandidate
from grader.model.verdict import Outcome, Verdict
from grader.tasks.maze.model import MazeGeometry, MazeInput, PathColor
from grader.tasks.queens.model import QueensInput
from grader.tasks.queens.puzzle import prepare_board
from grader.tasks.queens.settings import QueensSettings

pytestmark = pytest.mark.shared

ROOT = Path(__file__).resolve().parents[3] / "shared" / "fixtures" / "amaze"
INSTANCES = ROOT / "instances"
OUTPUTS = ROOT / "outputs"
SUFFIXES = (".png", ".jpg")

NAMES = (
    *("circle-16-0", "circle-3-0", "circle-8-0", "hexagon-3-0", "hexagon-8-0"),
    *("queen-10-0", "queen-10-1", "queen-4-0", "queen-4-1", "queen-7-0", "queen-7-1"),
    *("square-16-0", "square-3-0", "square-8-0", "triangle-3-0", "triangle-8-0"),
)
MAZES = tuple(name for name in NAMES if not name.startswith("queen"))

S, H, T, C = "square-3-0", "hexagon-3-0", "triangle-3-0", "circle-3-0"
EVERY_MAZE = (S, H, T, C)
BOARDS = ("queen-4-0", "queen-7-0")

# (file, instances, first reason; "" for a PASS). Each file of each instance occurs once.
TABLE: tuple[tuple[str, tuple[str, ...], str], ...] = (
    # The right path, plain to see, on the maze as it was.
    ("exact.png", EVERY_MAZE, ""),
    ("faint_alpha020.png", EVERY_MAZE, ""),
    ("faint_alpha035.png", EVERY_MAZE, ""),
    ("hue_minus6deg.png", EVERY_MAZE, ""),
    ("hue_plus10deg.png", EVERY_MAZE, ""),
    ("jpeg_q60.jpg", EVERY_MAZE, ""),
    ("jpeg_q60_1024.jpg", EVERY_MAZE, ""),
    ("light_blue_00B4FF.png", EVERY_MAZE, ""),
    ("pure_blue_0000FF.png", EVERY_MAZE, ""),
    ("resized_512.png", EVERY_MAZE, ""),
    ("resized_768.png", EVERY_MAZE, ""),
    ("resized_1024.png", EVERY_MAZE, ""),
    ("shift_6px.png", EVERY_MAZE, ""),
    ("speck_4px_in_background_cell.png", EVERY_MAZE, ""),
    # Wide enough to hide much of the markers, but inside the corridors.
    ("path_24px_wide.png", (S, H, T), ""),
    # A thin line all the way only in the square; the walls were painted over the others, of which crumbs are left: in
    # the hexagon two ends without a middle, in the circle a piece of arc in between, in the triangle one speck.
    ("thin_2px.png", (S,), ""),
    ("thin_2px.png", (H,), "CELLS_MISSED"),
    # What is left of a line that thin at the start is no part of it.
    ("thin_2px.png", (C,), "FOREIGN_STROKES"),
    ("thin_2px.png", (T,), "DOTS"),
    # Incomplete.
    ("unchanged_input.png", EVERY_MAZE, "NOTHING_DRAWN"),
    ("gap_one_cell.png", EVERY_MAZE, "CELLS_MISSED"),
    ("last_cell_not_reached.png", EVERY_MAZE, "GOAL_NOT_REACHED"),
    ("partial_first_half.png", EVERY_MAZE, "GOAL_NOT_REACHED"),
    # Wrong ways. The branch passes a wall in the square and the hexagon, and only passages in the others.
    ("extra_branch.png", (S, H), "WALL_CROSSED"),
    ("extra_branch.png", (T, C), "SIDE_BRANCH"),
    # From the disc straight to the X; in the hexagon along the border of two cells, so that it enters neither.
    ("straight_line.png", (S, T, C), "WALL_CROSSED"),
    ("straight_line.png", (H,), "SHORTCUT"),
    ("wall_crossing_between_goal_cells.png", (H, C), "SHORTCUT"),
    # The wrong colour.
    ("green_path.png", EVERY_MAZE, "WRONG_COLOR"),
    ("red_path.png", EVERY_MAZE, "WRONG_COLOR"),
    # Cheats.
    ("blue_flood_corridors.png", EVERY_MAZE, "FLOODED"),
    ("blue_flood_full.png", EVERY_MAZE, "FLOODED"),
    ("blue_only_outside_cells.png", (H, T, C), "EXTERIOR_PAINTED"),
    ("dots_4px_per_goal_cell.png", EVERY_MAZE, "DOTS"),
    ("goal_cells_filled.png", EVERY_MAZE, "CELLS_FILLED"),
    ("markers_erased.png", EVERY_MAZE, "MARKER_ERASED"),
    ("path_ok_walls_erased.png", EVERY_MAZE, "WALLS_ERASED"),
    # Boards: solid discs, dark or grey, of any visible size, inside the right cells.
    ("exact.png", BOARDS, ""),
    ("exact_redrawn.png", BOARDS, ""),
    ("grey_circles.png", BOARDS, ""),
    ("jpeg_q60.jpg", BOARDS, ""),
    ("large_radius_28.png", BOARDS, ""),
    ("no_white_rim.png", BOARDS, ""),
    ("off_centre_10px.png", BOARDS, ""),
    ("resized_512.png", BOARDS, ""),
    ("resized_768.png", BOARDS, ""),
    ("resized_1024.png", BOARDS, ""),
    ("shift_6px.png", BOARDS, ""),
    ("small_radius_6.png", BOARDS, ""),
    # No placement.
    ("unchanged_input.png", BOARDS, "NO_QUEENS"),
    ("hollow_circles.png", BOARDS, "NO_QUEENS"),
    ("off_centre_32px_on_border.png", BOARDS, "NO_QUEENS"),
    ("all_black.png", BOARDS, "BOARD_COVERED"),
    ("all_cells_filled.png", BOARDS, "QUEENS_EVERYWHERE"),
    # A wrong placement. The queen that was added shares a row; those that were moved share a column.
    ("one_missing.png", BOARDS, "MISSING_QUEENS"),
    ("one_extra.png", BOARDS, "ROW_CONFLICT"),
    ("one_moved.png", BOARDS, "COLUMN_CONFLICT"),
    ("two_touching.png", BOARDS, "COLUMN_CONFLICT"),
)
ROWS = [(instance, file, reason) for file, instances, reason in TABLE for instance in instances]
# Of what is drawn alike in all mazes or boards, one is graded; they take turns.
GRADED = [
    (instance, file, reason)
    for turn, (file, instances, reason) in enumerate(TABLE)
    for instance in ((instances[turn % len(instances)],) if instances in (EVERY_MAZE, BOARDS) else instances)
]

# What a model must not earn anything with.
CHEATS = {
    *("blue_flood_corridors.png", "blue_flood_full.png", "blue_only_outside_cells.png", "dots_4px_per_goal_cell.png"),
    *("goal_cells_filled.png", "markers_erased.png", "path_ok_walls_erased.png", "unchanged_input.png"),
    *("wall_crossing_between_goal_cells.png", "all_black.png", "all_cells_filled.png", "hollow_circles.png"),
    "off_centre_32px_on_border.png",
}

ENGINE = Engine()


@cache
def metadata(instance: str) -> dict:
    return json.loads((INSTANCES / instance / "metadata.json").read_text())


@cache
def task(instance: str) -> MazeInput | QueensInput:
    folder, facts = INSTANCES / instance, metadata(instance)
    files = {path.stem: path.read_bytes() for path in folder.glob("*.png")}
    if instance.startswith("queen"):
        return QueensInput(
            image=files["input"],
            size_cells=facts["n"],
            regions=tuple(region for row in facts["regions"] for region in row),
            queens=tuple((row, column) for row, column in facts["queens"]),
            solution_image=files["solution"],
        )
    config, size = facts["maze_config"], facts["image_size"]
    return MazeInput(
        image=files["input"],
        cell_map=files["cell_map"],
        geometry=MazeGeometry(config["shape"]),
        width_cells=config["width"],
        height_cells=config["height"],
        rings=config["layers"],
        cell_size_px=size["cell_size"],
        wall_width_px=size["wall_width"],
        path_cell_ids=tuple(facts["path_cell_ids"]),
        solution_image=files["solution"],
        mask=files["mask"],
        path_color=PathColor.BLUE,
    )


@cache
def graded(instance: str, data: bytes, profile: str) -> Verdict:
    return ENGINE.grade(GradeJob("fixture", task(instance), ImageCandidate(data), profile))


def grade(instance: str, path: Path, profile: str = "default") -> Verdict:
    """The verdict on a picture; several of the outputs are the instance's own, byte for byte."""
    return graded(instance, path.read_bytes(), profile)


def output_verdict(instance: str, file: str) -> Verdict:
    return grade(instance, OUTPUTS / instance / file)


def values(verdict: Verdict) -> dict[str, float | None]:
    return {metric.name: metric.value for metric in verdict.metrics}


def test_the_table_names_every_picture_once() -> None:
    on_disk = sorted((path.parent.name, path.name) for path in OUTPUTS.rglob("*") if path.suffix in SUFFIXES)
    assert sorted((instance, file) for instance, file, _ in ROWS) == on_disk
    assert sorted(path.name for path in INSTANCES.iterdir()) == sorted(NAMES)


# Of what is as large and of the same shape, one.
@pytest.mark.parametrize(
    "instance", [name for name in NAMES if name not in {"circle-16-0", "circle-8-0", "queen-7-1", "queen-10-1"}]
)
def test_the_solution_passes_and_the_input_fails(instance: str) -> None:
    solved = grade(instance, INSTANCES / instance / "solution.png")
    assert (solved.outcome, solved.score, solved.reward, solved.reasons) == (Outcome.PASS, 1.0, 1.0, ())
    assert (values(solved)["coverage"], values(solved)["violation"]) == (1.0, 0.0)
    assert (values(solved)["mse_in"], values(solved)["mse_out"]) == (0.0, 0.0)
    unchanged = grade(instance, INSTANCES / instance / "input.png")
    assert (unchanged.outcome, unchanged.score, unchanged.reward) == (Outcome.FAIL, 0.0, 0.0)
    assert [reason.code for reason in unchanged.reasons] == [
        "NO_QUEENS" if instance.startswith("queen") else "NOTHING_DRAWN"
    ]
    assert (values(unchanged)["coverage"], values(unchanged)["violation"]) == (0.0, 0.0)


@pytest.mark.parametrize("instance", [name for name in MAZES if name != "circle-16-0"])
def test_the_solution_visits_the_path_in_order(instance: str) -> None:
    solved = grade(instance, INSTANCES / instance / "solution.png")
    assert [cell.id for cell in solved.observation.visited_cells] == metadata(instance)["path_cell_ids"]


@pytest.mark.parametrize(("instance", "file", "reason"), GRADED)
def test_outcomes(instance: str, file: str, reason: str) -> None:
    verdict = output_verdict(instance, file)
    first = verdict.reasons[0].code if verdict.reasons else ""
    assert (verdict.outcome, first) == (Outcome.FAIL if reason else Outcome.PASS, reason)
    if not reason:
        assert (verdict.score, verdict.reward) == (1.0, 1.0)
    elif file in CHEATS:
        assert verdict.reward == 0.0
    else:
        assert verdict.reward <= 0.9


@pytest.mark.parametrize("instance", EVERY_MAZE)
@pytest.mark.parametrize(("file", "color"), [("green_path.png", "green"), ("red_path.png", "red")])
def test_a_path_in_the_wrong_color_is_still_read(instance: str, file: str, color: str) -> None:
    verdict = output_verdict(instance, file)
    seen = verdict.observation
    assert not seen.color_as_asked
    assert [cell.id for cell in seen.visited_cells] == metadata(instance)["path_cell_ids"]
    red, green, blue = (int(seen.color_hex[at : at + 2], 16) for at in (1, 3, 5))
    assert {"red": red, "green": green, "blue": blue}[color] == max(red, green, blue)


@cache
def reference() -> dict:
    return json.loads((ROOT / "reference_scores.json").read_text())


def picture_of(instance: str, name: str) -> Path | None:
    """The picture that a row of reference_scores.json is about, where it is at hand."""
    own = {"exact": "solution.png", "unchanged_input": "input.png"}
    for suffix in SUFFIXES:
        if (OUTPUTS / instance / f"{name}{suffix}").exists():
            return OUTPUTS / instance / f"{name}{suffix}"
    return INSTANCES / instance / own[name] if name in own and (INSTANCES / instance).is_dir() else None


@cache
def truth(instance: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A maze's solution, mask and cell map, decoded."""
    given = task(instance)
    return decode_image(given.solution_image).pixels, decode_mask(given.mask), decode_labels(given.cell_map)


def public_numbers(instance: str, path: Path) -> dict[str, float | None]:
    """What the profile ``amaze_code`` measures; `test_the_profile_gives_these_numbers` holds the two together."""
    found = amaze_code_scores(decode_image(path.read_bytes()).pixels, *truth(instance), task(instance).path_cell_ids)
    names = {"coverage": found.coverage, "violation": found.violation, "pass": found.passed}
    return {**names, "mse_in": found.mse_in, "mse_out": found.mse_out}


# One of each shape, and one with more cells than a byte counts.
@pytest.mark.parametrize("instance", [*EVERY_MAZE, "circle-16-0"])
def test_the_public_code_s_numbers_are_reproduced(instance: str) -> None:
    rows = [(name, row) for name, row in reference()["mazes"][instance]["scores"].items() if picture_of(instance, name)]
    if instance not in EVERY_MAZE:  # its pictures are large
        rows = [(name, row) for name, row in rows if name == "exact"]
    assert len(rows) >= (2 if instance in EVERY_MAZE else 1)
    for name, row in rows:
        path = picture_of(instance, name)
        found = public_numbers(instance, path)
        assert found["mse_in"] == pytest.approx(row["mse_in"], abs=1e-3), name
        assert found["mse_out"] == pytest.approx(row["mse_out"], abs=1e-3), name
        # The reference is written to 8 decimals.
        for key in ("coverage", "violation", "pass"):
            assert round(found[key], 8) == row[key], (name, key)


@pytest.mark.parametrize(
    ("instance", "file"),
    [(S, "gap_one_cell.png"), (T, "blue_flood_full.png"), (H, "resized_512.png"), (C, "gap_one_cell.png")],
)
def test_the_profile_gives_these_numbers(instance: str, file: str) -> None:
    path = OUTPUTS / instance / file
    assert public_numbers(instance, path).items() <= values(grade(instance, path, "amaze_code")).items()


# reference_scores.json has no row for queen-10-0.
@pytest.mark.parametrize("instance", ["queen-10-1", "queen-4-0", "queen-4-1", "queen-7-0", "queen-7-1"])
def test_the_public_error_on_boards_is_reproduced(instance: str) -> None:
    rows = reference()["queens"][instance]["scores"]
    compared = [name for name in rows if picture_of(instance, name)]
    assert len(compared) >= 2
    given = prepare_board(task(instance), QueensSettings(), DEFAULT_LIMITS, CandidateKind.IMAGE)
    for name in compared:
        path = picture_of(instance, name)
        shown = fit_as_public(decode_image(path.read_bytes()).pixels, given.solution.shape)
        mse_in, mse_out = summed_mse(shown, given.solution, given.goal_mask)
        row = rows[name]
        assert mse_in == pytest.approx(row["mse_in_with_derived_mask"], abs=1e-3), name
        assert mse_out == pytest.approx(row["mse_out_with_derived_mask"], abs=1e-3), name
        if name in {"one_missing", "resized_512", "unchanged_input"}:
            found = values(grade(instance, path, "amaze_code"))
            assert (found["mse_in"], found["mse_out"]) == (mse_in, mse_out), name


@pytest.mark.parametrize("instance", BOARDS)
def test_boards_hold_what_was_drawn(instance: str) -> None:
    rows = reference()["queens"][instance]["scores"]
    known = {name: row for name, row in rows.items() if isinstance(row["expected"], dict)}
    assert len(known) >= 15
    for name, row in known.items():
        path, expected = picture_of(instance, name), row["expected"]
        verdict = output_verdict(instance, path.name)
        found = values(verdict)
        assert found["coverage"] == pytest.approx(expected["coverage"], abs=1e-12), name
        assert found["violation"] == pytest.approx(expected["violation_over_generated"], abs=1e-12), name
        assert found["violation_complement"] == pytest.approx(expected["violation_one_minus_coverage"], abs=1e-12), name
        assert found["legal"] == float(expected["legal"]), name
        drawn = sorted(tuple(cell) for cell in row["drawn_queens"] or [])
        assert [(queen.row, queen.column) for queen in verdict.observation.queens] == drawn, name
