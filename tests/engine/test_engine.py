"""The three ends of a job, and that the same job always ends the same."""

from __future__ import annotations

import json
import struct
import zlib
from dataclasses import fields, is_dataclass, replace
from functools import cache

import cv2
import numpy as np
import pytest
from google.protobuf import json_format

from benchmarks.accuracy.scenes import encoded
from benchmarks.paper_fold.drawing import DrawnSheet, HoleLook
from grader import __version__
from grader.contract.verdicts import verdict_to_proto
from grader.engine.engine import Engine, library_versions
from grader.media.pictures import MediaLimits
from grader.model.errors import InvalidRequestError
from grader.model.jobs import CandidateKind, GradeJob, ImageCandidate
from grader.model.verdict import Outcome, Verdict
from grader.profiles.reading import package_profiles
from grader.tasks.maze.model import MazeBox, MazeInput, PathColor
from grader.tasks.queens.model import QueensInput
from grader.tasks.registry import list_tasks, task_for
from puzzles.amaze.files import encode_ids
from puzzles.maze.geometry import Geometry
from puzzles.mentis.paper_folds import FOLD_STYLES
from puzzles.paper_fold.generator import generate_paper_fold
from tests.samples.puzzles import BLUE, board_sample, line, maze_sample, png


def maze_job(candidate: bytes, **changes: object) -> GradeJob:
    return GradeJob("m", replace(maze_sample(Geometry.SQUARE).task, **changes), ImageCandidate(candidate))


def board_job(candidate: bytes, **changes: object) -> GradeJob:
    return GradeJob("q", replace(board_sample().task, **changes), ImageCandidate(candidate))


def huge_png() -> bytes:
    """A PNG of some hundred bytes whose header promises 20000 x 20000 pixels."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", 20000, 20000, 8, 2, 0, 0, 0)
    data = zlib.compress(b"\0" * 1000)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


SOLVED = png(maze_sample(Geometry.SQUARE).pictures.solution)
PLACED = png(board_sample().pictures.solution)
BAD_PICTURES = {
    "garbage": (b"this is no picture", "UNKNOWN_FORMAT"),
    "empty": (b"", "EMPTY"),
    "cut": (SOLVED[:200], "UNDECODABLE"),
    "huge": (huge_png(), "SIDE_TOO_LONG"),
}


# --- candidates that can't be graded ---


@pytest.mark.parametrize("make_job", [maze_job, board_job])
@pytest.mark.parametrize("kind", BAD_PICTURES)
def test_a_candidate_that_does_not_decode_is_ungradable(make_job, kind: str) -> None:
    data, code = BAD_PICTURES[kind]
    verdict = Engine().grade(make_job(data))
    assert (verdict.outcome, verdict.score, verdict.reward) == (Outcome.UNGRADABLE, None, 0.0)
    (reason,) = verdict.reasons
    assert reason.code == code
    assert reason.message
    assert (verdict.metrics, verdict.observation, verdict.alignment, verdict.overlay) == ((), None, None, None)


def test_a_candidate_over_the_limits_is_ungradable() -> None:
    height, width = maze_sample(Geometry.SQUARE).pictures.input.shape[:2]
    engine = Engine(MediaLimits(max_pixels=width * height))
    assert engine.grade(maze_job(SOLVED)).outcome is Outcome.PASS
    wider = png(np.full((height, width + 1, 3), 255, np.uint8))
    verdict = engine.grade(maze_job(wider))
    assert (verdict.outcome, verdict.reasons[0].code) == (Outcome.UNGRADABLE, "TOO_MANY_PIXELS")


# --- requests that are wrong ---


def violations(job: GradeJob) -> list[tuple[str, str]]:
    with pytest.raises(InvalidRequestError) as caught:
        Engine().grade(job)
    assert all(one.description for one in caught.value.violations)
    return [(one.field, one.reason) for one in caught.value.violations]


@pytest.mark.parametrize("kind", BAD_PICTURES)
@pytest.mark.parametrize(
    ("attribute", "path"),
    [
        ("image", "maze.puzzle.image"),
        ("cell_map", "maze.puzzle.cell_map"),
        ("solution_image", "maze.truth.solution_image"),
        ("mask", "maze.truth.mask"),
    ],
)
def test_the_same_bytes_in_a_maze_make_the_request_invalid(kind: str, attribute: str, path: str) -> None:
    data, code = BAD_PICTURES[kind]
    assert violations(maze_job(SOLVED, **{attribute: data})) == [(path, code)]


@pytest.mark.parametrize("kind", BAD_PICTURES)
@pytest.mark.parametrize(
    ("attribute", "path"), [("image", "queens.puzzle.image"), ("solution_image", "queens.truth.solution_image")]
)
def test_the_same_bytes_in_a_board_make_the_request_invalid(kind: str, attribute: str, path: str) -> None:
    data, code = BAD_PICTURES[kind]
    assert violations(board_job(PLACED, **{attribute: data})) == [(path, code)]


MAZE = maze_sample(Geometry.SQUARE)
SMALLER = MAZE.pictures.input[:-10]
STRANGE_MAP = MAZE.pictures.cell_map.copy()
STRANGE_MAP[0, 0] = 77


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"image": None}, [("maze.puzzle.image", "MISSING")]),
        ({"box": MazeBox(0, 0, 10**6, 5)}, [("maze.puzzle.box", "OUT_OF_RANGE")]),
        ({"box": MazeBox(-9, 0, 40, 40)}, [("maze.puzzle.box", "OUT_OF_RANGE")]),
        ({"box": MazeBox(0, 0, 0, 40)}, [("maze.puzzle.box", "OUT_OF_RANGE")]),
        ({"path_cell_ids": ()}, [("maze.truth.path_cell_ids", "MISSING")]),
        ({"geometry": None}, [("maze.puzzle.geometry", "MISSING")]),
        ({"width_cells": 0}, [("maze.puzzle.width_cells", "OUT_OF_RANGE")]),
        (
            {"width_cells": -3, "height_cells": 10**9},
            [("maze.puzzle.width_cells", "OUT_OF_RANGE"), ("maze.puzzle.height_cells", "OUT_OF_RANGE")],
        ),
        ({"cell_size_px": -1.0}, [("maze.puzzle.cell_size_px", "OUT_OF_RANGE")]),
        ({"cell_size_px": float("nan")}, [("maze.puzzle.cell_size_px", "OUT_OF_RANGE")]),
        ({"wall_width_px": -1.0}, [("maze.puzzle.wall_width_px", "OUT_OF_RANGE")]),
        ({"wall_width_px": 60.0}, [("maze.puzzle.wall_width_px", "OUT_OF_RANGE")]),
        ({"solution_image": png(SMALLER)}, [("maze.truth.solution_image", "SIZE_MISMATCH")]),
        ({"mask": png(MAZE.pictures.mask[:-10])}, [("maze.truth.mask", "SIZE_MISMATCH")]),
        ({"cell_map": png(encode_ids(STRANGE_MAP))}, [("maze.puzzle.cell_map", "MISMATCH")]),
        ({"cell_map": png(encode_ids(0 * STRANGE_MAP))}, [("maze.puzzle.cell_map", "MISMATCH")]),
        # 16 cells: 99 is none of them.
        ({"path_cell_ids": (99, 1)}, [("maze.truth.path_cell_ids", "MISMATCH")]),
        ({"path_cell_ids": (1,)}, [("maze.truth.path_cell_ids", "MISMATCH")]),
        # Cells 1 and 3 have cell 2 between them.
        ({"path_cell_ids": (1, 3)}, [("maze.truth.path_cell_ids", "MISMATCH")]),
        ({"path_cell_ids": (*MAZE.path, MAZE.path[-2])}, [("maze.truth.path_cell_ids", "MISMATCH")]),
        # They adjoin, with a wall between them.
        ({"path_cell_ids": MAZE.wall}, [("maze.truth.path_cell_ids", "MISMATCH")]),
        # Several faults are told at once.
        (
            {"geometry": None, "image": None, "path_cell_ids": ()},
            [
                ("maze.puzzle.geometry", "MISSING"),
                ("maze.puzzle.image", "MISSING"),
                ("maze.truth.path_cell_ids", "MISSING"),
            ],
        ),
    ],
)
def test_a_wrong_maze_is_invalid(changes: dict[str, object], expected: list[tuple[str, str]]) -> None:
    assert violations(maze_job(SOLVED, **changes)) == expected


def test_a_circle_needs_rings() -> None:
    circle = maze_sample(Geometry.CIRCLE, 3)
    job = GradeJob("c", replace(circle.task, rings=0), ImageCandidate(SOLVED))
    assert violations(job) == [("maze.puzzle.rings", "OUT_OF_RANGE")]


BOARD = board_sample()
REGIONS = BOARD.task.regions


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"image": None}, [("queens.puzzle.image", "MISSING")]),
        ({"regions": ()}, [("queens.puzzle.regions", "MISSING")]),
        ({"queens": ()}, [("queens.truth.queens", "MISSING")]),
        ({"size_cells": 3}, [("queens.puzzle.size_cells", "OUT_OF_RANGE")]),
        ({"size_cells": 0}, [("queens.puzzle.size_cells", "OUT_OF_RANGE")]),
        ({"size_cells": 6}, [("queens.puzzle.regions", "MISMATCH")]),
        ({"regions": REGIONS[:-1]}, [("queens.puzzle.regions", "MISMATCH")]),
        ({"regions": (*REGIONS[:-1], 5)}, [("queens.puzzle.regions", "OUT_OF_RANGE")]),
        ({"regions": (0,) * 25}, [("queens.puzzle.regions", "OUT_OF_RANGE")]),
        ({"queens": BOARD.board.queens[:-1]}, [("queens.truth.queens", "MISMATCH")]),
        ({"queens": ((0, 0), (0, 1), (0, 2), (0, 3), (0, 4))}, [("queens.truth.queens", "MISMATCH")]),
        ({"queens": (*BOARD.board.queens[:-1], (4, 7))}, [("queens.truth.queens", "OUT_OF_RANGE")]),
        ({"queens": (BOARD.board.queens[0],) * 5}, [("queens.truth.queens", "MISMATCH")]),
        ({"solution_image": png(BOARD.pictures.input[:-8])}, [("queens.truth.solution_image", "SIZE_MISMATCH")]),
        (
            {"image": png(BOARD.pictures.input[:60, :60]), "solution_image": None},
            [("queens.puzzle.image", "OUT_OF_RANGE")],
        ),
    ],
)
def test_a_wrong_board_is_invalid(changes: dict[str, object], expected: list[tuple[str, str]]) -> None:
    assert violations(board_job(PLACED, **changes)) == expected


def test_an_unknown_profile_is_invalid() -> None:
    job = replace(maze_job(SOLVED), profile="no such")
    assert violations(job) == [("options.profile", "UNKNOWN")]
    with pytest.raises(InvalidRequestError, match="default, amaze_code"):
        Engine().grade(job)


def test_an_invalid_puzzle_is_not_remembered() -> None:
    engine = Engine()
    for _ in range(2):
        with pytest.raises(InvalidRequestError):
            engine.grade(maze_job(SOLVED, image=None))
    assert engine.grade(maze_job(SOLVED)).outcome is Outcome.PASS


def test_a_wrong_request_is_told_before_a_bad_candidate() -> None:
    assert violations(maze_job(b"", image=None)) == [("maze.puzzle.image", "MISSING")]


# --- the same each time ---


@cache
def jobs() -> dict[str, GradeJob]:
    maze, circle, board = maze_sample(Geometry.SQUARE), maze_sample(Geometry.CIRCLE, 3), board_sample()
    shifted = np.roll(maze.pictures.solution, (3, 2), axis=(0, 1))
    stroke = line(maze.pictures.input, [(20, 20), (150, 170)], 5, BLUE)
    return {
        "maze": GradeJob("1", maze.task, ImageCandidate(png(maze.pictures.solution))),
        "shifted": GradeJob("2", maze.task, ImageCandidate(png(shifted))),
        "branch": GradeJob("3", maze.task, ImageCandidate(png(maze.step(*maze.branch, on=maze.pictures.solution)))),
        "stroke": GradeJob("4", maze.task, ImageCandidate(png(stroke))),
        "public": GradeJob("5", maze.task, ImageCandidate(png(maze.pictures.solution)), "amaze_code"),
        "circle": GradeJob("6", circle.task, ImageCandidate(png(cv2.resize(circle.pictures.solution, (300, 330))))),
        "board": GradeJob("7", board.task, ImageCandidate(png(board.draw(board.board.queens[1:])))),
        "overlay": GradeJob("8", board.task, ImageCandidate(png(board.pictures.input)), overlay=True),
        "bad": GradeJob("9", board.task, ImageCandidate(b"no picture")),
    }


def on_the_wire(verdict: Verdict) -> bytes:
    return verdict_to_proto(verdict).SerializeToString(deterministic=True)


@cache
def alone() -> dict[str, Verdict]:
    """Each in a fresh engine, with one thread of OpenCV's."""
    return {name: Engine().grade(job) for name, job in jobs().items()}


def test_the_same_job_gives_the_same_verdict_to_the_bit() -> None:
    """Whatever came before: alone in a fresh engine, in order, again with a warm cache, in reverse without one."""
    wanted = alone()
    back = list(reversed(jobs()))
    # Three jobs are on one maze and two on one board, so a puzzle is there already where its next job comes.
    for engine, order in ((Engine(), [*jobs(), "board"]), (Engine(puzzle_cache_size=1), back)):
        for name in order:
            verdict = engine.grade(jobs()[name])
            assert verdict == wanted[name], name
            assert on_the_wire(verdict) == on_the_wire(wanted[name]), name


def test_the_number_of_opencv_s_threads_changes_nothing() -> None:
    before = cv2.getNumThreads()
    assert before == 1  # tests/conftest.py
    try:
        one = alone()
        cv2.setNumThreads(2)
        assert {name: Engine().grade(job) for name, job in jobs().items()} == one
    finally:
        cv2.setNumThreads(before)


def test_the_names_of_a_request_change_nothing() -> None:
    job = maze_job(SOLVED)
    named = replace(job, request_id="other", puzzle_id="p", model="m", attempt=3, tags={"a": "b"})
    assert Engine().grade(job) == Engine().grade(named)


def test_a_cached_puzzle_is_that_of_the_request() -> None:
    """Puzzles that differ in one plain field are not taken for each other."""
    engine = Engine()
    assert engine.grade(maze_job(SOLVED)).outcome is Outcome.PASS
    green = engine.grade(maze_job(SOLVED, path_color=PathColor.GREEN))
    assert green.outcome is Outcome.FAIL
    assert engine.grade(maze_job(SOLVED)).outcome is Outcome.PASS


@pytest.mark.parametrize("name", ["maze", "board", "bad", "public"])
def test_a_verdict_says_what_made_it(name: str) -> None:
    import hashlib

    job = jobs()[name]
    made = Engine().grade(job).provenance
    assert made.grader_version == __version__
    assert (made.profile, made.profile_digest) == (
        job.profile,
        package_profiles().find(job.profile).digest_of(task_for(job.task)),
    )
    paths = {one.metadata["path"]: getattr(job.task, one.name) for one in fields(job.task) if "path" in one.metadata}
    given = {path: data for path, data in paths.items() if data is not None}
    assert made.input_sha256 == {
        path: hashlib.sha256(data).hexdigest() for path, data in {**given, "image": job.candidate.data}.items()
    }
    assert made.library_versions == library_versions(CandidateKind.IMAGE)
    assert {"numpy", "opencv-python-headless", "pillow"} <= set(made.library_versions)
    assert all(made.library_versions.values())


def numbers(value: object):
    if is_dataclass(value):
        for one in fields(value):
            yield from numbers(getattr(value, one.name))
    elif isinstance(value, tuple):
        for one in value:
            yield from numbers(one)
    elif isinstance(value, float):
        yield value


def test_no_number_is_missing_or_infinite() -> None:
    for name, verdict in alone().items():
        assert np.isfinite(list(numbers(verdict))).all(), name
        text = json_format.MessageToJson(verdict_to_proto(verdict))
        assert "NaN" not in text
        assert "Infinity" not in text
        json.loads(text)


def test_an_overlay_comes_only_when_asked_for() -> None:
    for name in ("maze", "board"):
        job = jobs()[name]
        assert alone()[name].overlay is None
        shown = Engine().grade(replace(job, overlay=True)).overlay
        picture = cv2.imdecode(np.frombuffer(shown.png, np.uint8), cv2.IMREAD_COLOR)
        assert picture.shape[:2] == (shown.height_px, shown.width_px)


# --- tasks and profiles ---


def test_tasks_declare_what_they_say() -> None:
    assert [task.name for task in list_tasks()] == [
        "maze",
        "queens",
        "rush_hour",
        "sliding",
        "spatial_edit",
        "compare",
        "form_board",
        "hinge_folding",
        "paper_fold",
        "grid_maze",
        "jigsaw",
    ]
    assert task_for(maze_sample(Geometry.SQUARE).task).name == "maze"
    assert task_for(board_sample().task).name == "queens"
    with pytest.raises(KeyError):
        task_for("neither")  # type: ignore[arg-type]
    for task in list_tasks():
        for infos, name in ((task.metrics, "name"), (task.reasons, "code")):
            names = [getattr(info, name) for info in infos]
            assert len(set(names)) == len(names)
            assert all(info.description for info in infos)
        assert all(info.lower_bound < info.upper_bound for info in task.metrics)
        assert all(info.unit for info in task.metrics)
        assert task.kinds
        assert {kind for info in task.metrics for kind in info.kinds} == set(task.kinds)


def test_profiles_are_named_and_told_apart() -> None:
    names = list(package_profiles().names)
    assert names == ["default", "amaze_code", "gsi_bench_code", "gsi_real", "gsi_syn"]
    assert package_profiles().find("") is package_profiles().find("default")
    assert package_profiles().find("nobody's") is None
    digests = {profile.name: profile.digest for profile in package_profiles()}
    # The default has the gate of simulated pictures; the other profiles differ from it and from each other.
    assert digests.pop("gsi_syn") == digests["default"]
    assert len(set(digests.values())) == 4
    assert all(len(digest) == 64 and int(digest, 16) >= 0 for digest in digests.values())


def test_every_encoded_input_has_a_path() -> None:
    """Digests and faults name the field of the contract."""
    for kind, prefix in ((MazeInput, "maze."), (QueensInput, "queens.")):
        encoded = [one for one in fields(kind) if "bytes" in str(one.type)]
        assert encoded
        assert all(one.metadata["path"].startswith(prefix) for one in encoded)


def test_markers_and_path_have_to_agree() -> None:
    maze = maze_sample(Geometry.SQUARE)
    for path in (maze.path[:-1], maze.path[1:], maze.path[::-1][:2]):
        assert violations(maze_job(SOLVED, path_cell_ids=path)) == [("maze.truth.path_cell_ids", "MISMATCH")]
    assert violations(maze_job(SOLVED, image=png(maze.pictures.no_markers))) == [("maze.puzzle.image", "MISMATCH")]


@pytest.mark.parametrize("length", [1e-9, 10.0, 400.0, 1e5, 1e308])
def test_cells_have_to_fit_the_picture(length: float) -> None:
    found = violations(maze_job(SOLVED, cell_size_px=length, wall_width_px=length / 10))
    assert found == [("maze.puzzle.cell_size_px", "MISMATCH")]


def test_a_map_of_one_cell_is_invalid() -> None:
    one = np.zeros((*maze_sample(Geometry.SQUARE).pictures.cell_map.shape, 3), np.uint8)
    one[..., 0] = 1
    assert violations(maze_job(SOLVED, cell_map=png(one))) == [("maze.puzzle.cell_map", "MISMATCH")]


def test_regions_have_to_be_those_of_the_picture() -> None:
    board = board_sample()
    n = board.task.size_cells
    # One row, one column and one region a queen hold for diagonals of regions too.
    regions = list(board.task.regions)
    wrong = next(
        index
        for index, region in enumerate(regions)
        if regions.count(region) > 1 and (index // n, index % n) not in board.task.queens
    )
    regions[wrong] = (regions[wrong] + 1) % n
    job = board_job(png(board.pictures.solution), regions=tuple(regions))
    assert violations(job) == [("queens.puzzle.regions", "MISMATCH")]


def test_many_puzzles_take_bounded_memory() -> None:
    engine = Engine(puzzle_cache_pixels=1)
    for _ in range(2):
        assert engine.grade(maze_job(SOLVED)).outcome is Outcome.PASS
        assert engine.grade(board_job(png(board_sample().pictures.solution))).outcome is Outcome.PASS
    assert len(engine._puzzles) == 1


def test_dust_is_no_path_and_costs_no_more_than_another_picture() -> None:
    picture = maze_sample(Geometry.SQUARE).pictures.input.copy()
    picture[np.random.default_rng(5).random(picture.shape[:2]) < 0.05] = (0, 107, 183)
    verdict = Engine().grade(maze_job(png(picture)))
    assert (verdict.outcome, verdict.score, verdict.reward) == (Outcome.FAIL, 0.0, 0.0)


def test_puzzles_that_differ_in_one_of_several_files_are_told_apart() -> None:
    # The sheets of a paper fold are a tuple of files; here they differ in their look alone.
    engine = Engine()
    looks = [DrawnSheet(generate_paper_fold(1, 4), FOLD_STYLES[name], 256) for name in ("white", "dark")]
    tasks = [replace(one.task, sheets=one.task.sheets[:1]) for one in looks]
    pictures = [encoded(one.holes(one.puzzle.holes[0], HoleLook(), np.random.default_rng(1))) for one in looks]
    outcomes = [
        [engine.grade(GradeJob("one", task, ImageCandidate(picture))).outcome for picture in pictures] for task in tasks
    ]
    assert outcomes == [[Outcome.PASS, Outcome.FAIL], [Outcome.FAIL, Outcome.PASS]]
