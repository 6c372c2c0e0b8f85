"""Mazes: each fault is named, placed and paid for."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from grader.model.verdict import Outcome
from grader.tasks.maze.pictures import PICTURE_METRICS as METRICS
from grader.tasks.maze.reasons import PICTURE_REASONS as REASONS
from puzzles.maze.geometry import Geometry
from tests.maze.maze_faults import (
    CASES,
    CHEATS,
    EVERY,
    EVERY_FAULT,
    SOME,
    WITH_EXTERIOR,
    barred_cell,
    between_path_cells,
    blank,
    disc_at,
    faulty,
    gap_cell,
    gap_in_a_cell,
    goal_cells_filled,
    goal_erased,
    marker_added,
    markers_erased,
    noise,
    one_cell_less,
    other_maze_solved,
    out_of_the_maze,
    outer_wall_erased,
    passage_closed,
    right_path_on_another_maze,
    rim_cell,
    side_branch,
    start_moved,
    stray_stroke,
    through_a_wall,
    wall_erased,
    wall_in_a_cell,
    way_out,
    without_start,
)
from tests.samples.puzzles import (
    GREEN,
    WHITE,
    MazeSample,
    codes,
    line,
    maze_sample,
    metrics,
    places,
    where,
)

# --- faults ---


@EVERY_FAULT
def test_each_fault_is_named(geometry: Geometry, spoil: Callable[[MazeSample], np.ndarray], code: str) -> None:
    verdict = faulty(geometry, spoil)
    assert verdict.outcome is Outcome.FAIL
    assert code in codes(verdict)
    order = [info.code for info in REASONS]
    assert codes(verdict) == sorted(codes(verdict), key=order.index)
    assert len(set(codes(verdict))) == len(codes(verdict))


@EVERY_FAULT
def test_what_a_fault_earns(geometry: Geometry, spoil: Callable[[MazeSample], np.ndarray], code: str) -> None:
    verdict = faulty(geometry, spoil)
    assert verdict.score == metrics(verdict)["pass"]
    if CHEATS & set(codes(verdict)):
        assert verdict.reward == 0.0
    else:
        earned = min(metrics(verdict)["progress"], verdict.score)
        beside = {"FOREIGN_STROKES", "STRAY_STROKES", "INK_SPILLED"} & set(codes(verdict))
        spoiled = set().union(*(places(verdict, code) for code in beside))
        earned *= 0.2 / len(spoiled) if spoiled else 1.0
        assert verdict.reward == pytest.approx(0.9 * earned, abs=1e-12)
    assert verdict.reward <= 0.9


@EVERY_FAULT
def test_metrics_are_declared_and_within_their_bounds(
    geometry: Geometry, spoil: Callable[[MazeSample], np.ndarray], code: str
) -> None:
    found = metrics(faulty(geometry, spoil))
    declared = [info for info in METRICS if not info.on_request]
    assert list(found) == [info.name for info in declared]
    for info in declared:
        if found[info.name] is not None:
            assert info.lower_bound <= found[info.name] <= info.upper_bound


def test_every_reason_has_its_case() -> None:
    """Each code is expected by a case above; PUZZLE_REPLACED has a test of its own below."""
    assert {code for _, _, _, code in CASES} | {"PUZZLE_REPLACED"} == {info.code for info in REASONS}


@pytest.mark.parametrize(
    ("geometry", "spoil"),
    [(Geometry.SQUARE, other_maze_solved), (Geometry.HEXAGON, right_path_on_another_maze)],
)
def test_another_maze_is_no_answer(geometry: Geometry, spoil: Callable[[MazeSample], np.ndarray]) -> None:
    verdict = faulty(geometry, spoil)
    assert verdict.outcome is Outcome.FAIL
    assert {"PUZZLE_REPLACED", "NOT_THE_PUZZLE", "WALLS_ERASED"} & set(codes(verdict))
    assert verdict.reward == 0.0


def test_another_maze_is_called_so() -> None:
    assert "PUZZLE_REPLACED" in codes(faulty(Geometry.SQUARE, right_path_on_another_maze))


@EVERY
def test_a_prefix_earns_its_share(geometry: Geometry) -> None:
    sample = maze_sample(geometry)
    n = len(sample.path)
    for k in (n // 3, n // 2, n - 1):
        verdict = sample.grade(sample.draw(sample.path[:k]))
        assert places(verdict, "GOAL_NOT_REACHED") == {sample.path[-1]}
        assert [cell.id for cell in verdict.observation.visited_cells] == list(sample.path[:k])
        # k of n cells are visited; k - 1 of n - 1 steps are done.
        assert verdict.score == pytest.approx(k / n)
        assert verdict.reward == pytest.approx(0.9 * (k - 1) / (n - 1))
    assert codes(verdict) == ["GOAL_NOT_REACHED"]


@EVERY
def test_a_suffix_does_not_begin_at_the_start(geometry: Geometry) -> None:
    sample, verdict = maze_sample(geometry), faulty(geometry, without_start)
    assert places(verdict, "START_NOT_REACHED") == {sample.path[0]}
    assert verdict.reward == 0.0  # no step from the start


@EVERY
def test_a_missed_cell_is_named(geometry: Geometry) -> None:
    sample, verdict = maze_sample(geometry), faulty(geometry, one_cell_less)
    at, n = len(sample.path) // 2, len(sample.path)
    assert places(verdict, "CELLS_MISSED") == {gap_cell(sample)}
    assert verdict.score == pytest.approx((n - 1) / n)
    # The step into the missed cell is not done: at - 1 of n - 1.
    assert verdict.reward == pytest.approx(0.9 * (at - 1) / (n - 1))


@EVERY
def test_a_gap_is_found_and_placed(geometry: Geometry) -> None:
    sample, verdict = maze_sample(geometry), faulty(geometry, gap_in_a_cell)
    assert verdict.outcome is Outcome.FAIL
    assert metrics(verdict)["connected"] == 0.0
    (code,) = codes(verdict)
    assert code in ("PATH_BROKEN", "CELLS_MISSED")
    assert gap_cell(sample) in places(verdict, code)


@EVERY
def test_a_branch_is_found_and_placed(geometry: Geometry) -> None:
    sample, verdict = maze_sample(geometry), faulty(geometry, side_branch)
    n, (leaves, wrong) = len(sample.path), sample.branch
    assert codes(verdict) == ["SIDE_BRANCH"]
    assert places(verdict, "SIDE_BRANCH") == {wrong}
    # n of n cells, and 1 of n + 1 visited ones is wrong; of the others in the maze, 1 of all but n.
    assert verdict.score == pytest.approx(1 - 1 / (n + 1))
    background = len(sample.maze.grid.cell_ids) - n
    assert metrics(verdict)["violation_background"] == pytest.approx(1 / background)
    # Right up to the cell where the branch leaves.
    assert verdict.reward == pytest.approx(0.9 * sample.path.index(leaves) / (n - 1))


@EVERY
def test_strokes_apart_are_found_and_placed(geometry: Geometry) -> None:
    sample, verdict = maze_sample(geometry), faulty(geometry, stray_stroke)
    n = len(sample.path)
    assert codes(verdict) == ["STRAY_STROKES"]
    assert places(verdict, "STRAY_STROKES") == set(sample.apart)
    assert verdict.score == pytest.approx(1 - 2 / (n + 2))
    assert verdict.observation.pieces == 2
    assert metrics(verdict)["connected"] == 1.0


@EVERY
@pytest.mark.parametrize("kind", ["wall", "shortcut"])
def test_a_wall_is_not_crossed_unseen(geometry: Geometry, kind: str) -> None:
    sample = maze_sample(geometry)
    spoil, code = {"wall": (through_a_wall, "WALL_CROSSED"), "shortcut": (between_path_cells, "SHORTCUT")}[kind]
    verdict, pair = faulty(geometry, spoil), getattr(sample, kind)
    middle = sample.middle(*pair)
    (crossing,) = verdict.observation.wall_crossings
    assert {crossing.from_cell.id, crossing.to_cell.id} == set(pair)
    # The stroke goes through the middle of the border.
    assert np.hypot(*(np.array(crossing.at) - middle)) < 0.12 * sample.style.cell_size_px
    (reason,) = [reason for reason in verdict.reasons if reason.code == code]
    (place,) = reason.places
    assert place.box.left <= middle[0] <= place.box.left + place.box.width
    assert place.box.top <= middle[1] <= place.box.top + place.box.height
    assert metrics(verdict)["wall_crossings"] == 1.0


@EVERY
def test_a_shortcut_instead_of_the_way_earns_nothing(geometry: Geometry) -> None:
    sample = maze_sample(geometry)
    one, other = sorted(sample.shortcut, key=sample.path.index)
    before, after = sample.path[: sample.path.index(one) + 1], sample.path[sample.path.index(other) :]
    picture = sample.draw(after, on=sample.draw(before))
    verdict = sample.grade(sample.step(one, other, on=picture))
    assert "SHORTCUT" in codes(verdict)
    assert verdict.outcome is Outcome.FAIL
    assert verdict.reward == 0.0


@WITH_EXTERIOR
def test_leaving_the_maze_is_placed(geometry: Geometry) -> None:
    sample, verdict = maze_sample(geometry), faulty(geometry, out_of_the_maze)
    cell, way = way_out(sample)
    assert places(verdict, "OUTSIDE_MAZE") == {cell}
    (crossing,) = verdict.observation.wall_crossings
    assert {crossing.from_cell.id, crossing.to_cell.id} == {0, cell}
    assert np.hypot(*(np.array(crossing.at) - way[1])) < 0.15 * sample.style.cell_size_px


@EVERY
def test_altered_walls_are_placed(geometry: Geometry) -> None:
    sample = maze_sample(geometry)
    for spoil, code, pair in (
        (wall_erased, "WALLS_ERASED", sample.wall),
        (passage_closed, "WALLS_ADDED", sample.apart),
    ):
        verdict = faulty(geometry, spoil)
        assert codes(verdict) == [code]
        (place,) = verdict.reasons[0].places
        assert place.cell.id in pair
        x, y = sample.middle(*pair)
        assert place.box.left <= x <= place.box.left + place.box.width
        assert place.box.top <= y <= place.box.top + place.box.height
    # It may show in cells beside it as well.
    assert barred_cell(sample) in places(faulty(geometry, wall_in_a_cell), "WALLS_ADDED")


@EVERY
def test_an_erased_outer_wall_is_placed(geometry: Geometry) -> None:
    assert places(faulty(geometry, outer_wall_erased), "WALLS_ERASED") == {rim_cell(maze_sample(geometry))}


@EVERY
def test_altered_markers_are_placed(geometry: Geometry) -> None:
    sample = maze_sample(geometry)
    assert places(faulty(geometry, markers_erased), "MARKER_ERASED") == {sample.maze.start, sample.maze.goal}
    assert places(faulty(geometry, goal_erased), "MARKER_ERASED") == {sample.maze.goal}
    assert places(faulty(geometry, start_moved), "MARKER_MOVED") == {sample.apart[0]}
    assert places(faulty(geometry, marker_added), "MARKER_ADDED") == {sample.apart[0]}


@EVERY
def test_filled_cells_are_placed(geometry: Geometry) -> None:
    sample, verdict = maze_sample(geometry), faulty(geometry, goal_cells_filled)
    assert codes(verdict)[0] == "CELLS_FILLED"
    # The cells beneath the markers are covered by them in part.
    named = places(verdict, "CELLS_FILLED")
    assert set(sample.path[1:-1]) <= named <= set(sample.path)


@EVERY
def test_a_wrong_color_is_still_read(geometry: Geometry) -> None:
    sample = maze_sample(geometry)
    # What each colour is called, tests of the stage tell.
    for color in (GREEN, (200, 0, 0)):
        verdict = sample.grade(sample.draw(color=color))
        assert codes(verdict) == ["WRONG_COLOR"]
        assert [cell.id for cell in verdict.observation.visited_cells] == list(sample.path)
        assert (verdict.score, verdict.reward) == (1.0, 0.9)


@SOME
def test_no_line_no_reward(geometry: Geometry) -> None:
    sample = maze_sample(geometry)
    for picture in (blank(sample), np.zeros_like(sample.pictures.input), noise(sample)):
        verdict = sample.grade(picture)
        assert verdict.outcome is Outcome.FAIL
        assert (verdict.score, verdict.reward) == (0.0, 0.0)
        assert {"NOT_THE_PUZZLE", "TEXTURE"} & set(codes(verdict))


@pytest.mark.parametrize(
    ("geometry", "base"), [(one, ("whole", "prefix")[turn % 2]) for turn, one in enumerate(Geometry)]
)
def test_a_violation_more_is_never_worth_more(geometry: Geometry, base: str) -> None:
    sample = maze_sample(geometry)
    reach = {"whole": len(sample.path), "prefix": max(map(sample.path.index, (sample.branch[0], sample.wall[0]))) + 1}
    picture = sample.draw(sample.path[: reach[base]])
    best = sample.grade(picture)
    for worse in (
        sample.step(*sample.branch, on=picture),
        sample.step(*sample.wall, on=picture),
        sample.step(*sample.apart, on=picture),
        sample.step(*sample.branch, on=sample.step(*sample.apart, on=picture)),
        disc_at(sample, picture, sample.apart[0]),
        line(picture, sample.border(*sample.wall), sample.style.wall_width_px + 2, WHITE),
    ):
        verdict = sample.grade(worse)
        assert verdict.outcome is Outcome.FAIL
        assert verdict.score <= best.score
        assert verdict.reward <= best.reward


def on_a_page(sample: MazeSample, picture: np.ndarray, margin: int) -> np.ndarray:
    color = picture[0, 0].tolist()
    return cv2.copyMakeBorder(picture, *(margin,) * 4, cv2.BORDER_CONSTANT, value=color)


# In circles the goal lies in the middle.
@pytest.mark.parametrize(
    ("geometry", "color"),
    [
        *((Geometry.SQUARE, (0, 107, 183)), (Geometry.HEXAGON, (110, 110, 110)), (Geometry.TRIANGLE, (200, 0, 0))),
    ],
)
def test_a_way_around_the_maze_is_another_way(geometry: Geometry, color: tuple[int, int, int]) -> None:
    sample = maze_sample(geometry)
    picture = on_a_page(sample, sample.draw(), margin := 60)
    assert sample.grade(picture).outcome is Outcome.PASS
    framed = picture.copy()
    cv2.rectangle(framed, (30, 30), (framed.shape[1] - 30, framed.shape[0] - 30), color, 3)
    assert sample.grade(framed).outcome is Outcome.PASS
    height, width = picture.shape[:2]
    ends = [
        np.rint(np.array(sample.layout.centre(cell))).astype(int) + margin for cell in (sample.path[0], sample.path[-1])
    ]
    sides = [height - 25 if end[1] > height / 2 else 25 for end in ends]
    way = [(ends[0][0], sides[0]), (width - 25, sides[0]), (width - 25, sides[1]), (ends[1][0], sides[1])]
    line_ = np.array([ends[0], *way, ends[1]], np.int32)
    around = cv2.polylines(picture.copy(), [line_], False, color, 5)
    inside = (slice(margin, height - margin), slice(margin, width - margin))
    around[inside] = picture[inside]
    verdict = sample.grade(around)
    assert verdict.outcome is Outcome.FAIL
    assert places(verdict, "FOREIGN_STROKES") == {sample.path[0], sample.path[-1]}
    assert verdict.reward == pytest.approx(0.9 * 0.2 / 2)


@pytest.mark.parametrize(
    ("geometry", "color"), [*zip(Geometry, ((200, 0, 0), (0, 140, 0), (120, 120, 120), (200, 0, 0)), strict=True)]
)
def test_words_over_a_right_path_leave_little(geometry: Geometry, color: tuple[int, int, int]) -> None:
    sample = maze_sample(geometry)
    height, width = sample.pictures.input.shape[:2]
    picture = sample.draw()
    cv2.putText(picture, "WRONG", (width // 8, height // 2), cv2.FONT_HERSHEY_SIMPLEX, width / 140, color, 4)
    verdict = sample.grade(picture)
    assert verdict.outcome is Outcome.FAIL
    assert verdict.reward <= 0.09


# --- metrics ---


def test_errors_are_those_of_the_drawing() -> None:
    """Nothing is drawn: over the mask, the error is that of the missing stroke and nothing else."""
    sample = maze_sample(Geometry.SQUARE)
    found = metrics(sample.grade(sample.pictures.input))
    difference = (sample.pictures.input / 255.0 - sample.pictures.solution / 255.0) ** 2
    assert found["mse_in"] == pytest.approx(difference[sample.pictures.mask].mean(), rel=1e-9)
    assert found["mse_out"] == pytest.approx(difference[~sample.pictures.mask].mean(), abs=1e-12)


@pytest.mark.parametrize(
    ("missing", "why"),
    [
        ({"mask": None}, "the request has no maze.truth.mask"),
        ({"solution_image": None}, "the request has no maze.truth.solution_image"),
        (
            {"mask": None, "solution_image": None},
            "the request has no maze.truth.solution_image and no maze.truth.mask",
        ),
    ],
)
def test_what_can_t_be_measured_says_why(missing: dict[str, None], why: str) -> None:
    sample = maze_sample(Geometry.SQUARE)
    verdict = sample.grade(sample.pictures.solution, **missing)
    assert (verdict.outcome, verdict.score) == (Outcome.PASS, 1.0)
    for name in ("mse_in", "mse_out"):
        (metric,) = [metric for metric in verdict.metrics if metric.name == name]
        assert (metric.value, metric.unavailable_reason) == (None, why)


@pytest.mark.parametrize(
    ("geometry", "scale", "skip", "shade"),
    [
        *((Geometry.SQUARE, 5, 0, 185), (Geometry.TRIANGLE, 6, 1, 128)),
    ],
    ids=lambda one: getattr(one, "value", str(one)),
)
def test_the_rest_covered_is_no_repainted_floor(geometry: Geometry, scale: int, skip: int, shade: int) -> None:
    """Where most of the floor is grey and the right way is white, the grey is paint and not the floor."""
    sample = maze_sample(geometry, scale, skip)
    rest = sample.floor & ~np.isin(sample.cells, sample.path)
    assert rest.sum() > sample.floor.sum() / 2
    verdict = sample.grade(where(sample.pictures.solution, rest, (shade, shade, shade)))
    assert "CELLS_COVERED" in codes(verdict)
    assert verdict.reward == 0.0
