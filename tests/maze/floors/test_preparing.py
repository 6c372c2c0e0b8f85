"""What is asked of a maze without cells, and what is refused, in which words."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import grader
from grader.contract.requests import job_from_proto
from grader.media.types import DEFAULT_LIMITS
from grader.model.errors import InvalidRequestError
from grader.model.jobs import CandidateKind
from grader.tasks.maze.model import MazeGeometry
from grader.tasks.maze.plans.declared import check_way
from grader.tasks.maze.puzzle import MazePuzzle, prepare_maze
from grader.tasks.maze.self_check import prepare_readable_maze, seen_on_itself
from grader.tasks.maze.settings import MazeSettings
from grader.v1 import media_pb2, service_pb2
from tests.maze.floors.scenes import GOAL, START, WAY, floor, picture, puzzle, stroke

SETTINGS = MazeSettings()


def prepared(**changes: object) -> MazePuzzle:
    return prepare_maze(puzzle(**changes), SETTINGS, DEFAULT_LIMITS, CandidateKind.IMAGE)


def refused(**changes: object) -> tuple[str, str]:
    with pytest.raises(InvalidRequestError) as raised:
        prepare_readable_maze(puzzle(**changes), SETTINGS, DEFAULT_LIMITS, CandidateKind.IMAGE)
    (wrong,) = raised.value.violations
    return wrong.field, wrong.description


def test_its_own_picture_shows_nothing_drawn() -> None:
    made = prepared()
    assert made.is_floor
    assert seen_on_itself(made, SETTINGS) == ()
    assert {marker.cell for marker in made.plan.markers} == {made.path[0], made.path[-1]}


def test_the_way_is_a_chain_of_pieces_that_touch_on_the_floor() -> None:
    made = prepared()
    assert all(made.plan.joined(one, other) for one, other in itertools.pairwise(made.path))
    assert len(made.path) >= 5


def test_a_way_that_is_given_is_what_lengths_are_held_against() -> None:
    assert prepared(way=WAY).reference == pytest.approx(np.array(WAY, float))


def test_places_say_where_a_piece_lies() -> None:
    made = prepared()
    box = made.box_of_piece(made.path[0])
    assert box is not None
    assert box.left <= START[0] <= box.left + box.width
    assert made.box_of_piece(10**6) is None


def test_ends_may_be_masks_of_their_markers() -> None:
    marks = [np.zeros(floor().shape, np.bool_) for _ in range(2)]
    for mark, (x, y) in zip(marks, (START, GOAL), strict=True):
        mark[y - 9 : y + 10, x - 9 : x + 10] = True
    made = prepared(start=marks[0], goal=marks[1])
    assert made.cell(made.path[0]).row == 0
    assert made.plan.labels[START[1] // made.plan.factor, START[0] // made.plan.factor] == made.path[0]


def test_ends_need_no_markers() -> None:
    plain = np.where(floor()[..., None], np.uint8(255), np.uint8(0)).repeat(3, axis=2)
    made = prepared(image=plain)
    assert made.plan.markers == ()
    assert seen_on_itself(made, SETTINGS) == ()


@pytest.mark.parametrize(
    ("changes", "field", "text"),
    [
        ({"start": (120, 80)}, "maze.puzzle.floor.start", "does not lie on the floor"),
        ({"goal": (500, 5)}, "maze.puzzle.floor.goal", "does not lie in a picture of 260 x 240"),
        ({"goal": (60, 40)}, "maze.puzzle.floor.mask", "less than 1.5 widths of a corridor apart"),
        ({"mask": np.ones((240, 260), np.bool_)}, "maze.puzzle.floor.mask", "all of one colour"),
        ({"mask": np.ones((20, 20), np.bool_)}, "maze.puzzle.floor.mask", "20x20"),
        ({"way": ((30, 40), (30, 120))}, "maze.truth.way", r"leaves the floor at \(30, 60\)"),
        ({"way": ((180, 40), (30, 120))}, "maze.truth.way", "not at the start"),
        ({"start": np.zeros((240, 260), np.bool_)}, "maze.puzzle.floor.start", "as a point or as a mask"),
    ],
    ids=["off", "beyond", "near", "all", "size", "through", "elsewhere", "none"],
)
def test_what_contradicts_is_refused_by_field(changes: dict[str, object], field: str, text: str) -> None:
    wrong = refused(**changes)
    assert wrong[0] == field
    assert re.search(text, wrong[1]), wrong[1]


def test_a_floor_that_is_walled_up_in_the_picture_is_refused_with_the_place() -> None:
    walled = picture().copy()
    walled[20:60, 90:120] = 0
    field, said = refused(image=walled)
    assert field in ("maze.puzzle.floor.mask", "maze.puzzle.image")
    assert "wall" in said


def test_a_mask_with_a_floor_that_does_not_join_is_refused() -> None:
    mask = floor().copy()
    mask[:, 100:130] = False
    assert "no way leads over the floor" in refused(mask=mask)[1]


def test_an_answer_that_is_drawn_already_is_refused() -> None:
    assert refused(image=stroke(*WAY))[0] == "maze.puzzle.image"


def test_a_floor_that_looks_like_the_walls_is_refused() -> None:
    grey = np.full((240, 260, 3), 128, np.uint8)
    assert "alike" in refused(image=grey)[1]


def test_cells_and_a_floor_contradict_each_other() -> None:
    task = replace(puzzle(), geometry=MazeGeometry.SQUARE)
    with pytest.raises(InvalidRequestError, match="has cells or a floor"):
        prepare_maze(task, SETTINGS, DEFAULT_LIMITS, CandidateKind.IMAGE)


def test_a_request_says_the_same_as_the_function() -> None:
    task = puzzle(way=WAY)
    request = service_pb2.GradeRequest(request_id="one", text="")
    message = request.maze
    message.puzzle.image.data, message.puzzle.floor.mask.data = task.image, task.floor_mask
    message.puzzle.floor.start.x_px, message.puzzle.floor.start.y_px = START
    message.puzzle.floor.goal.x_px, message.puzzle.floor.goal.y_px = GOAL
    for x, y in WAY:
        message.truth.way.add(x_px=x, y_px=y)
    message.truth.any_solution = True

    def inline(media: media_pb2.Media, _: str) -> bytes | None:
        return bytes(media.data) or None

    assert job_from_proto(request, inline).task == task


def test_a_place_has_two_numbers() -> None:
    with pytest.raises(grader.GraderError, match=r"\(x, y\)"):
        puzzle(start=(1, 2, 3))


@pytest.mark.parametrize("axis", [0, 1])
def test_a_way_may_not_lead_along_the_last_pixels_where_they_are_no_floor(axis: int) -> None:
    """In 20 x 20 pixels, whose last row and column are none; some three pixels may be off the floor."""
    floored = np.ones((20, 20), bool)
    floored[19], floored[:, 19] = False, False
    ends = (SimpleNamespace(spot=(9.0, 9.0)),) * 2
    declared = SimpleNamespace(floor=floored, ends=ends, widths=SimpleNamespace(unit=100.0, wall=3.0))
    said: list[tuple[str, ...]] = []
    inputs = SimpleNamespace(fault=lambda *fault: said.append(fault))
    check_way(np.array([(4.0, 4.0), (12.0, 12.0)]), declared, (20, 20), inputs)
    assert said == []
    along = np.array([(4.5, 19.5), (9.5, 19.5)])
    check_way(along[:, ::-1] if axis else along, declared, (20, 20), inputs)
    assert [code for _, code, _ in said] == ["MISMATCH"]
