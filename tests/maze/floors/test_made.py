"""``grader make floor-maze``: a puzzle of a picture that is there, which is loaded and graded as it was made."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

import grader
from grader.make.errors import MakeError
from grader.make.floors.making import FloorFiles, make_floor
from grader.tasks.maze.model import PathColor
from tests.cli.run import run
from tests.maze.floors.scenes import GOAL, START, WAY, floor, picture


def files(folder: Path, **changes: object) -> FloorFiles:
    cv2.imwrite(str(folder / "garden.png"), picture()[..., ::-1])
    cv2.imwrite(str(folder / "floor.png"), floor().astype(np.uint8) * 255)
    told = {"name": "garden", "picture": folder / "garden.png", "mask": folder / "floor.png"}
    return FloorFiles(**{**told, "start": START, "goal": GOAL, "way": WAY, "color": PathColor.RED} | changes)


def test_what_is_made_is_loaded_and_its_solution_passes(tmp_path: Path) -> None:
    place = make_floor(tmp_path / "out", files(tmp_path))
    puzzle = grader.load_puzzle(place)
    assert (puzzle.floor.start, puzzle.floor.way, puzzle.path_color) == (START, WAY, PathColor.RED)
    assert grader.grade(puzzle, place / "solution.png").outcome is grader.Outcome.PASS
    (line,) = (tmp_path / "out" / "manifest.jsonl").read_text(encoding="utf-8").splitlines()
    request = json.loads(line)
    assert request["requestId"] == "garden/solution"
    assert request["maze"]["puzzle"]["floor"]["mask"]["uri"].endswith("garden/floor.png")


def test_ends_may_be_pictures_of_markers(tmp_path: Path) -> None:
    mark = np.zeros(floor().shape, np.uint8)
    cv2.circle(mark, START, 9, 255, -1)
    cv2.imwrite(str(tmp_path / "start.png"), mark)
    place = make_floor(tmp_path / "out", files(tmp_path, start=tmp_path / "start.png"))
    assert grader.load_puzzle(place).start_mask == (tmp_path / "start.png").read_bytes()


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"goal": (500.0, 3.0)}, "does not lie in a picture"),
        ({"picture": Path("none.png")}, "there is no file none.png"),
    ],
)
def test_what_can_not_be_made_is_refused_and_leaves_nothing(
    tmp_path: Path, changes: dict[str, object], text: str
) -> None:
    with pytest.raises(MakeError, match=text):
        make_floor(tmp_path / "out", files(tmp_path, **changes))
    assert not (tmp_path / "out").exists()


def test_what_is_there_already_is_kept(tmp_path: Path) -> None:
    (tmp_path / "out" / "instances" / "garden").mkdir(parents=True)
    with pytest.raises(MakeError, match="there already"):
        make_floor(tmp_path / "out", files(tmp_path))


def test_a_picture_is_no_mask_of_its_own(tmp_path: Path) -> None:
    """Where way and markers are drawn on it, they are walls to the mask."""
    drawn = picture().copy()
    cv2.polylines(drawn, [np.array(WAY, np.int32)], False, (30, 60, 230), 20)
    cv2.imwrite(str(tmp_path / "drawn.png"), drawn[..., ::-1])
    said = files(tmp_path, picture=tmp_path / "drawn.png", mask=tmp_path / "drawn.png", way=())
    with pytest.raises(
        MakeError, match=r"drawn\.png can't be its own mask; a mask has the floor in white and all else"
    ):
        make_floor(tmp_path / "out", said)


def test_a_place_that_is_none_is_told_with_what_is_wanted(tmp_path: Path) -> None:
    told = files(tmp_path)
    done = run(
        *("make", "floor-maze", "--picture", told.picture, "--mask", told.mask, "--out", tmp_path / "out"),
        *("--start", "30,40", "--goal", "3"),
    )
    wanted = "grader: --goal '3' is neither a place, X,Y in pixels such as 40,65, nor a picture of its marker\n"
    assert (done.exit_code, done.stderr) == (2, wanted)


def test_what_is_to_be_done_next_can_be_pasted(tmp_path: Path) -> None:
    told, out = files(tmp_path), tmp_path / "my gardens"
    done = run(
        *("make", "floor-maze", "--picture", told.picture, "--mask", told.mask, "--out", out),
        *("--start", "30,40", "--goal", "30,120"),
    )
    assert done.stdout.splitlines() == [
        f"{out / 'instances' / 'garden'}: made",
        f"grade them: grader grade '{out / 'manifest.jsonl'}' --run 'runs/my gardens-graded'",
    ]
