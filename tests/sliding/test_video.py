"""What clips of sliding puzzles are worth: findings made here, and the recorded clips and pictures of ``../shared``."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from detectors.sliding.board import TileBox
from detectors.sliding.findings import MovingTile, TileEvent, TileEventKind, TileFindings, TileFrame
from detectors.sliding.still import read_board_still
from detectors.sliding.tiles import find_tiles
from grader.model.places import PixelBox, Place, TimeSpan
from grader.tasks.sliding.clips.moves import read_moves
from grader.tasks.sliding.clips.video import TileClipJudgement, judge_tile_clip
from puzzles.sliding.shape import BLANK
from puzzles.sliding.tiles import SlidingPuzzle
from tests.sliding.tile_clips import decoded

BOX = TileBox(0, 0, 90, 90)
# Two moves from the target: the blank goes right, then down.
START, TARGET = (BLANK, 1, 3, 2), (1, 2, 3, BLANK)
BETWEEN = (1, BLANK, 3, 2)
PUZZLE = SlidingPuzzle(START, TARGET)
E = TileEventKind


def frame(index: int, state: tuple[int, ...], *moving: MovingTile, explained: bool = True) -> TileFrame:
    return TileFrame(index, index / 8, state, moving, explained, 0.9 if explained else 0.2)


def findings(*frames: TileFrame, events: tuple[TileEvent, ...] = ()) -> TileFindings:
    return TileFindings(2, START, BOX, 1.0, frames, events)


def event(kind: TileEventKind, first: int, last: int) -> TileEvent:
    return TileEvent(kind, first, last, first / 8, last / 8, BOX, (0,), (1,))


def codes(judgement: TileClipJudgement) -> list[str]:
    return [reason.code for reason in judgement.reasons]


SOLVED = (
    frame(0, START),
    frame(1, START, MovingTile(1, 0, 0.5)),
    frame(2, BETWEEN),
    frame(3, BETWEEN, MovingTile(2, 0.4, 1)),
    frame(4, TARGET),
)


class TestHidden:
    def test_two_tiles_of_a_line_that_move_at_once_have_to_be_seen(self) -> None:
        start, target = (BLANK, 1, 2, 3, 4, 5, 6, 7, 8), (1, 2, BLANK, 3, 4, 5, 6, 7, 8)
        puzzle = SlidingPuzzle(start, target)
        frames = [TileFrame(0, 0.0, start, (), True, 0.9), TileFrame(2, 0.25, target, (), True, 0.9)]
        between = TileFrame(1, 0.125, start, (MovingTile(1, 0, 0.5), MovingTile(2, 0, 1.5)), True, 0.9)
        for shown, reasons in ((frames, ["MOVE_HIDDEN"]), ([frames[0], between, frames[1]], [])):
            judged = judge_tile_clip(puzzle, TileFindings(3, start, BOX, 1.0, tuple(shown), ()))
            assert codes(judged) == reasons

    def test_of_tiles_that_look_alike_every_move_has_to_be_seen(self) -> None:
        at_once = findings(SOLVED[0], *SOLVED[2:])
        assert judge_tile_clip(PUZZLE, at_once).solved
        assert codes(judge_tile_clip(PUZZLE, replace(at_once, alike=(1, 2)))) == ["MOVE_HIDDEN"]


class TestJudge:
    def test_slides_to_the_target(self) -> None:
        judged = judge_tile_clip(PUZZLE, findings(*SOLVED))
        assert (judged.solved, judged.strict_legal, judged.ever_reached) == (True, True, True)
        assert [(one.move.value, one.tile, one.first_frame, one.last_frame) for one in judged.moves] == [
            ("right", 1, 0, 2),
            ("down", 2, 2, 4),
        ]
        assert judged.moves[1].last_time_s == 4 / 8
        assert (judged.progress, judged.reasons) == (1.0, ())

    def test_instant_moves_solve_but_are_not_strict(self) -> None:
        judged = judge_tile_clip(PUZZLE, findings(frame(0, START), frame(1, BETWEEN), frame(2, TARGET)))
        assert (judged.solved, judged.strict_legal) == (True, False)

    def test_half_of_the_way(self) -> None:
        judged = judge_tile_clip(PUZZLE, findings(*SOLVED[:3]))
        assert (judged.solved, judged.strict_legal) == (False, True)
        assert (judged.moves_left, judged.progress) == (1, 0.5)  # 1 - 1 / 2
        assert codes(judged) == ["TARGET_NOT_REACHED"]

    def test_a_last_tile_on_its_way_has_not_arrived(self) -> None:
        judged = judge_tile_clip(PUZZLE, findings(*SOLVED[:4]))
        assert not judged.solved

    def test_undone(self) -> None:
        clip = findings(*SOLVED, frame(5, TARGET, MovingTile(2, 0.6, 1)), frame(6, BETWEEN))
        judged = judge_tile_clip(PUZZLE, clip)
        assert (judged.solved, judged.ever_reached, judged.progress) == (False, True, 0.5)  # one move off, of two
        assert codes(judged) == ["SOLVED_THEN_UNDONE"]

    def test_leaving_the_target_in_the_last_frame_is_undone_too(self) -> None:
        judged = judge_tile_clip(PUZZLE, findings(*SOLVED, frame(5, TARGET, MovingTile(2, 0.6, 1))))
        assert codes(judged) == ["SOLVED_THEN_UNDONE"]

    def test_nothing_moves(self) -> None:
        judged = judge_tile_clip(PUZZLE, findings(frame(0, START), frame(1, START)))
        assert (judged.solved, judged.strict_legal, judged.progress) == (False, True, 0.0)
        assert codes(judged) == ["NOTHING_MOVES"]

    def test_not_the_puzzle(self) -> None:
        judged = judge_tile_clip(PUZZLE, replace(findings(), board=None, match=0.2))
        assert (judged.solved, judged.strict_legal, judged.final_state) == (False, False, ())
        assert codes(judged) == ["NOT_THE_PUZZLE"]
        assert judged.reasons[0].places == (Place(span=TimeSpan(0, 0, 0.0, 0.0)),)

    def test_another_puzzle_is_an_error(self) -> None:
        with pytest.raises(ValueError, match="starts with"):
            judge_tile_clip(SlidingPuzzle(BETWEEN, TARGET), findings(*SOLVED))

    @pytest.mark.parametrize(
        ("kind", "code", "progress"),
        [
            (E.HARD_CUT, "SCENE_CUT", 0.0),
            (E.CROSS_FADE, "CROSS_FADE", 0.0),
            (E.SCENE_REPLACED, "SCENE_REPLACED", 0.0),
            (E.BLANK_FILLED, "BLANK_FILLED", 0.0),
            (E.DUPLICATE_TILE, "DUPLICATE_TILE", 0.0),
            (E.FOREIGN_TILE, "FOREIGN_TILE", 0.0),
            (E.BOARD_CHANGED, "BOARD_CHANGED", 0.0),
            # The move before the fault counts: 1 - 1 / 2.
            (E.TILE_SWAP, "TILES_SWAPPED", 0.5),
            (E.TILE_TELEPORT, "TILE_TELEPORT", 0.5),
            (E.ALL_AT_ONCE, "TILES_AT_ONCE", 0.5),
        ],
    )
    def test_events_invalidate(self, kind: TileEventKind, code: str, progress: float) -> None:
        judged = judge_tile_clip(PUZZLE, findings(*SOLVED, events=(event(kind, 2, 3),)))
        assert (judged.solved, judged.strict_legal, judged.ever_reached) == (False, False, False)
        assert (codes(judged), judged.progress) == ([code], progress)
        (place,) = judged.reasons[0].places
        box = PixelBox(BOX.left, BOX.top, BOX.width, BOX.height)
        assert place == Place(box=box, span=TimeSpan(2, 3, 2 / 8, 3 / 8), object="1")

    def test_tiles_together_are_several_moves_and_not_strict(self) -> None:
        start, target = (BLANK, 1, 2, 3, 4, 5, 6, 7, 8), (1, 2, BLANK, 3, 4, 5, 6, 7, 8)
        together = frame(1, start, MovingTile(1, 0, 0.5), MovingTile(2, 0, 1.5))
        clip = TileFindings(
            3, start, BOX, 1.0, (frame(0, start), together, frame(2, target)), (event(E.TILES_TOGETHER, 0, 2),)
        )
        judged = judge_tile_clip(SlidingPuzzle(start, target), clip)
        assert [(one.move.value, one.tile, one.alone) for one in judged.moves] == [
            ("right", 1, False),
            ("right", 2, False),
        ]
        assert (judged.solved, judged.strict_legal) == (True, False)

    def test_a_change_that_no_moves_make_ends_the_list(self) -> None:
        swapped = (1, BLANK, 2, 3)
        clip = findings(*SOLVED[:3], frame(3, swapped), frame(4, TARGET))
        assert read_moves(clip).broken_frame == 3
        judged = judge_tile_clip(PUZZLE, clip)
        assert (judged.solved, codes(judged), len(judged.moves)) == (False, ["SCENE_CUT"], 1)


ROOT = Path(__file__).resolve().parents[3] / "shared" / "fixtures" / "rollouts" / "dev"


def records(kind: str, task: str) -> list[dict[str, Any]]:
    if not (ROOT / "truth.json").exists():
        return []
    return [one for one in json.loads((ROOT / "truth.json").read_text())[kind] if one["task"] == task]


# Of recorded clips, which are large, those of kinds that test_tiles does not draw;
# `python -m benchmarks.rollouts DIR` grades all of them.
KINDS = {
    *("correct", "correct_content_drift", "instant_moves", "blank_filled_after_solution", "blank_filled_no_move"),
}


def one_of_a_kind(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The record of each such kind with the fewest pixels."""
    sizes = [one["video"]["width"] * one["video"]["height"] * one["video"]["frames"] for one in found]
    largest_first = sorted(zip(sizes, range(len(found)), strict=True), reverse=True)
    firsts = {found[place]["kind"]: found[place] for _, place in largest_first}
    return [one for kind, one in firsts.items() if kind in KINDS]


def one_size_of_steps() -> list[dict[str, Any]]:
    """Of the series of pictures, each other kind in one of both sizes, which take turns; test_steps tells the rest."""
    series: dict[str, list[dict[str, Any]]] = {}
    for one in records("step_sequences", "steps_sliding"):
        series.setdefault(one["kind"], []).append(one)
    return [sizes[turn % len(sizes)] for turn, sizes in enumerate(series.values())][::2]


def kinds(found: TileFindings) -> list[TileEventKind]:
    return [one.kind for one in found.events]


def flat(rows: list[list[int]]) -> tuple[int, ...]:
    return tuple(tile for row in rows for tile in row)


def picture(path: Path) -> np.ndarray:
    return cv2.imread(str(path))[..., ::-1].copy()


@pytest.mark.shared
class TestShared:
    def test_all_are_there(self) -> None:
        assert (len(records("clips", "sliding")), len(records("step_sequences", "steps_sliding"))) == (21, 10)
        assert {one["kind"] for one in one_of_a_kind(records("clips", "sliding"))} == KINDS

    @pytest.mark.parametrize("record", one_of_a_kind(records("clips", "sliding")), ids=lambda one: one["id"])
    def test_clips(self, record: dict[str, Any]) -> None:
        start = flat(record["initial_state"])
        folder = (ROOT / record["metadata"]).parent
        # Every other frame: what happens takes many, and half of them take half as long.
        frames = islice(decoded(ROOT / record["file"]), 0, None, 2)
        found = find_tiles(frames, picture(folder / "initial.png"), record["grid_size"], start)
        judged = judge_tile_clip(SlidingPuzzle(start, flat(record["target_state"])), found)
        assert [one.move.value for one in judged.moves] == record["implied_moves"]
        assert judged.final_state == flat(record["final_state"])
        if record["expect"] != "either":
            assert judged.solved == record["solved"]
        if not record["strict_ambiguous"]:
            assert judged.strict_legal == record["strict_legal"]
        names = {
            "tile_swap": E.TILE_SWAP,
            "tile_teleport": E.TILE_TELEPORT,
            "cross_fade": E.CROSS_FADE,
            "blank_filled": E.BLANK_FILLED,
            "all_tiles_at_once": E.ALL_AT_ONCE,
            "two_tiles_at_once": E.TILES_TOGETHER,
        }
        assert set(kinds(found)) == {names[one] for one in record["events"] if one in names}

    @pytest.mark.parametrize("record", one_size_of_steps(), ids=lambda one: one["id"])
    def test_steps(self, record: dict[str, Any]) -> None:
        metadata = json.loads((ROOT / record["metadata"]).read_text())
        start = previous = flat(metadata["initial_state"])
        puzzle = picture((ROOT / record["metadata"]).parent / "initial.png")
        for step in record["steps"]:
            shown = read_board_still(
                picture(ROOT / record["folder"] / step["file"]), puzzle, metadata["grid_size"], start, previous
            )
            if step["errors"]:
                assert shown.state is None
                assert shown.copies
            else:
                assert shown.state == flat(step["state"])
            previous = shown.state or previous
