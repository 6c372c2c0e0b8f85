"""One engine serves several threads: verdicts are those of one thread, and a puzzle is prepared once."""

from __future__ import annotations

import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from grader.engine.engine import Engine
from grader.engine.puzzles import PuzzleCache
from grader.lpips.availability import LpipsSource
from grader.media.encoding import encode_mp4
from grader.media.quiet import WITHOUT_WARNINGS
from grader.model.errors import InvalidRequestError
from grader.model.jobs import GradeJob, ImageCandidate, Similarity, TextCandidate, VideoCandidate
from grader.tasks.sliding.model import SlidingInput
from grader.tools.similarity import Measured, Measures
from puzzles.maze.geometry import Geometry
from puzzles.sliding.motion import clip_frames, plan_glides
from puzzles.sliding.pictures import make_picture
from puzzles.sliding.render import render_board
from puzzles.sliding.tiles import generate_sliding, solve
from tests.samples.puzzles import board_sample, jpeg, maze_sample, png

THREADS = 3


class Puzzle:
    size = (10, 10)


def jobs():
    """Mazes, a board and tiles; right and wrong; pictures, a clip and words."""
    square, other = maze_sample(Geometry.SQUARE), maze_sample(Geometry.TRIANGLE)
    right, wrong = square.pictures.solution, square.step(*square.wall)
    made = [GradeJob("m", square.task, ImageCandidate(data)) for data in (png(right), png(wrong), b"no picture")]
    made.append(GradeJob("t", other.task, ImageCandidate(jpeg(other.pictures.solution, 70))))
    board = board_sample()
    made.append(GradeJob("q", board.task, ImageCandidate(png(board.draw(board.board.queens[1:]))), overlay=True))
    picture, tiles = make_picture(120, seed=3), generate_sliding(2, 1, 5)
    moves = solve(tiles.start, tiles.target)
    frames = clip_frames(picture, plan_glides(tiles.start, moves), tiles.target, None, (120, 120), 12.0)
    board_picture = png(render_board(picture, tiles.start, tiles.target))
    task = SlidingInput(size_cells=2, tiles=tiles.start, image=board_picture, target_tiles=tiles.target)
    made.append(GradeJob("s", task, VideoCandidate(encode_mp4(frames, 12.0))))
    made.append(GradeJob("s", task, TextCandidate(" ".join(move.value for move in moves))))
    return made


def test_verdicts_of_many_threads_are_those_of_one():
    wanted = jobs()
    alone = [Engine().grade(job) for job in wanted]
    engine = Engine(puzzle_cache_size=2)
    # Each thread goes through all jobs from another place, so that different jobs meet.
    orders = [[*range(start, len(wanted)), *range(start)] for start in range(0, 4, 2)]
    with ThreadPoolExecutor(THREADS) as pool:
        for order, verdicts in zip(
            orders, pool.map(lambda one: [engine.grade(wanted[at]) for at in one], orders), strict=True
        ):
            assert verdicts == [alone[at] for at in order]


def test_a_wrong_puzzle_is_refused_to_every_thread():
    sample = maze_sample(Geometry.SQUARE)
    job = GradeJob("m", replace(sample.task, path_cell_ids=(1,)), ImageCandidate(png(sample.pictures.solution)))
    engine = Engine()

    def refused(_):
        with pytest.raises(InvalidRequestError, match="path_cell_ids"):
            engine.grade(job)
        return True

    with ThreadPoolExecutor(THREADS) as pool:
        assert all(pool.map(refused, range(THREADS)))
    assert len(engine._puzzles) == 0


def test_a_puzzle_is_prepared_once_for_all_who_wait():
    cache, begun, go_on, made = PuzzleCache(4, 10**6), threading.Event(), threading.Event(), []

    def prepare():
        begun.set()
        go_on.wait(60)
        made.append(Puzzle())
        return made[-1]

    with ThreadPoolExecutor(THREADS) as pool:
        waiting = [pool.submit(cache.get, "one", prepare) for _ in range(THREADS)]
        begun.wait(60)
        # Another puzzle does not wait for the first.
        assert cache.get("other", Puzzle) is not None
        go_on.set()
        found = {id(one.result()) for one in waiting}
    assert (len(made), found) == (1, {id(made[0])})


def test_a_preparation_that_fails_is_tried_again():
    cache = PuzzleCache(4, 10**6)

    def fail():
        raise ValueError("not yet")

    with pytest.raises(ValueError, match="not yet"):
        cache.get("one", fail)
    assert isinstance(cache.get("one", Puzzle), Puzzle)


def test_each_job_notes_what_measured_it_and_no_other():
    """Two jobs at once: one measures by LPIPS, the other does not, and says so."""
    both = threading.Barrier(2, timeout=60)

    class Known(Measures):
        def take(self, similarity, candidate, reference, kept):
            if similarity is Similarity.LPIPS_ALEX:
                self.used[similarity.value] = LpipsSource("1", "2", "cpu", "ab")
            both.wait()
            both.wait()
            return Measured(0.5)

    sample = maze_sample(Geometry.SQUARE)
    solved = ImageCandidate(png(sample.pictures.solution))
    engine = Engine(measures=Known())
    with ThreadPoolExecutor(2) as pool:
        measured, plain = pool.map(
            lambda one: engine.grade(GradeJob("m", sample.task, solved, similarity=(one,))),
            (Similarity.LPIPS_ALEX, Similarity.SSIM),
        )
    assert [one.measure for one in measured.provenance.measured_with] == ["lpips_alex"]
    assert plain.provenance.measured_with == ()


def test_warnings_are_as_before_once_the_last_thread_is_out():
    first_in, second_in, out = threading.Event(), threading.Event(), threading.Event()

    def stay():
        with WITHOUT_WARNINGS:
            first_in.set()
            second_in.wait(60)
        out.set()

    before = list(warnings.filters)
    thread = threading.Thread(target=stay)
    thread.start()
    first_in.wait(60)
    with WITHOUT_WARNINGS:
        second_in.set()
        out.wait(60)
        warnings.warn("this is not heard", stacklevel=1)
    thread.join()
    assert warnings.filters == before
    with pytest.raises(UserWarning, match="this is"):
        warnings.warn("this is heard", UserWarning, stacklevel=1)


def test_pictures_in_many_threads_leave_warnings_alone():
    sample = maze_sample(Geometry.SQUARE)
    engine, before = Engine(), list(warnings.filters)
    job = GradeJob("m", sample.task, ImageCandidate(png(np.full((20, 20, 3), 255, np.uint8))))
    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(lambda _: engine.grade(job), range(2 * THREADS)))
    assert warnings.filters == before
