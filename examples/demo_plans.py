"""The demo's plans: a parking lot and a sliding puzzle, answered by clips, series of pictures, and words."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path

import numpy as np

from examples.demo_set import OTHER_OUTPUTS
from grader.importers.mentisoculi.messages import lot_message, tiles_message
from grader.media.encoding import encode_mp4
from grader.v1 import service_pb2
from puzzles.amaze.files import png_bytes
from puzzles.common.raster import Picture
from puzzles.rush_hour import motion
from puzzles.rush_hour.generator import generate_lot
from puzzles.rush_hour.render import render_steps
from puzzles.sliding.motion import clip_frames, plan_glides
from puzzles.sliding.pictures import make_picture
from puzzles.sliding.render import render_board
from puzzles.sliding.tiles import generate_sliding, solve

LOT_NAME, TILES_NAME = "rush-hour", "sliding"
_SIDE_PX = 480
_FPS = 24.0


@dataclass(frozen=True)
class PlanCandidate:
    """An answer: its file's name, what is in the file, the request that grades it, and the outcome it was made for."""

    name: str
    data: bytes
    request: service_pb2.GradeRequest
    expected: str


def write_plans(folder: Path) -> Iterator[tuple[service_pb2.GradeRequest, str]]:
    """Writes the answers below ``other_outputs`` of a folder; yields requests with their outcomes."""
    for puzzle, candidates in ((LOT_NAME, _lot_candidates()), (TILES_NAME, _tile_candidates())):
        outputs = folder / OTHER_OUTPUTS / puzzle
        outputs.mkdir(parents=True)
        for one in candidates:
            (outputs / one.name).write_bytes(one.data)
            one.request.request_id = f"{puzzle}/{one.name}"
            one.request.puzzle_id = puzzle
            yield one.request, one.expected


def _lot_candidates() -> Iterator[PlanCandidate]:
    made = generate_lot(3, seed=4)
    lot, moves = made.lot, made.solution
    puzzle = service_pb2.GradeRequest(rush_hour=lot_message(lot))
    right = list(motion.clip_frames(lot, motion.plan_motion(lot, moves), None, (_SIDE_PX, _SIDE_PX), _FPS))
    prefix = list(motion.clip_frames(lot, motion.plan_motion(lot, moves[:-1]), None, (_SIDE_PX, _SIDE_PX), _FPS))
    yield from _clips(puzzle, right, prefix)
    yield from _words(puzzle, ", ".join(map(str, moves)), ", ".join(map(str, moves[::-1])))
    pictures = render_steps(lot, moves, None, (_SIDE_PX, _SIDE_PX))
    yield _series(puzzle, "every_picture.png", pictures, "PASS")
    yield _series(puzzle, "a_picture_left_out.png", pictures[1:], "FAIL")


def _tile_candidates() -> Iterator[PlanCandidate]:
    picture = make_picture(_SIDE_PX, seed=3)
    tiles = generate_sliding(3, 4, 5)
    moves = solve(tiles.start, tiles.target)
    puzzle = service_pb2.GradeRequest(sliding=tiles_message(tiles))
    puzzle.sliding.puzzle.image.data = png_bytes(render_board(picture, tiles.start, tiles.target))
    size = (_SIDE_PX, _SIDE_PX)
    right = list(clip_frames(picture, plan_glides(tiles.start, moves), tiles.target, None, size, _FPS))
    prefix = list(clip_frames(picture, plan_glides(tiles.start, moves[:-1]), tiles.target, None, size, _FPS))
    yield from _clips(puzzle, right, prefix)
    words = [move.value for move in moves]
    yield from _words(puzzle, " ".join(words), " ".join([*words, words[0]]))


def _clips(puzzle: service_pb2.GradeRequest, right: list[Picture], prefix: list[Picture]) -> Iterator[PlanCandidate]:
    """The right clip, and clips that are wrong in the ways of video models."""
    first, last = right[0], right[-1]
    fade = [np.asarray(np.rint((1.0 - share) * first + share * last), np.uint8) for share in np.linspace(0.0, 1.0, 40)]
    for name, frames, expected in (
        ("right", right, "PASS"),
        ("stops_early", prefix, "FAIL"),
        ("stands_still", list(repeat(first, 48)), "FAIL"),
        ("cut_to_the_end", [*repeat(first, 24), *repeat(last, 24)], "FAIL"),
        ("fades_to_the_end", [*repeat(first, 8), *fade, *repeat(last, 8)], "FAIL"),
    ):
        data = encode_mp4(frames, _FPS)
        request = _copy(puzzle)
        request.video.data = data
        yield PlanCandidate(f"{name}.mp4", data, request, expected)


def _words(puzzle: service_pb2.GradeRequest, right: str, wrong: str) -> Iterator[PlanCandidate]:
    for name, text, expected in (
        ("words_right", json.dumps({"answer": right}), "PASS"),
        ("words_in_prose", f"Let me think. The answer is {right}.", "PASS"),
        ("words_wrong", json.dumps({"answer": wrong}), "FAIL"),
        ("words_missing", "I cannot solve this puzzle.", "FAIL"),
    ):
        request = _copy(puzzle)
        request.text = text
        yield PlanCandidate(f"{name}.txt", text.encode(), request, expected)


def _series(puzzle: service_pb2.GradeRequest, name: str, pictures: Iterable[Picture], expected: str) -> PlanCandidate:
    request = _copy(puzzle)
    shown = list(pictures)
    for picture in shown:
        request.frames.images.add(data=png_bytes(picture))
    return PlanCandidate(name, png_bytes(np.concatenate(shown, axis=1)), request, expected)


def _copy(puzzle: service_pb2.GradeRequest) -> service_pb2.GradeRequest:
    request = service_pb2.GradeRequest()
    request.CopyFrom(puzzle)
    return request
