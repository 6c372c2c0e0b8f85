"""Verdicts on small clips and series of pictures of a sliding puzzle, number by number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from grader.media.frames import Frame
from grader.model.jobs import VideoPolicy
from grader.model.places import TimeSpan
from grader.model.verdict import Outcome
from grader.tasks.common.judgement import Judgement
from grader.tasks.plans.model import ShownMove
from grader.tasks.plans.settings import PlanRules
from grader.tasks.sliding.puzzle import TilePuzzle
from grader.tasks.sliding.rollouts import judge_tile_frames, judge_tile_pictures
from grader.tasks.sliding.settings import SLIDING_SETTINGS
from grader.tasks.sliding.steps import read_tile_steps
from puzzles.sliding.tiles import SlidingPuzzle
from tests.sliding.judging.test_still import with_cells
from tests.sliding.small_boards import STATE, board, model, moved, sliding

MODEL = model()
START = MODEL.start
FIRST, SECOND = moved(START, 5), moved(START, 5, 8)
TARGET = MODEL.tiles(SECOND)
PUZZLE = TilePuzzle(SlidingPuzzle(STATE, TARGET), 2, board())
STRICT = replace(SLIDING_SETTINGS, plan=PlanRules(most_factor=0, most_more=1))
TOO_LARGE = "the puzzle has too many states to search them all"


def as_bytes(shown: np.ndarray) -> np.ndarray:
    return np.clip(np.rint(shown), 0, 255).astype(np.uint8)


def at_rest(arrangement: tuple[int, ...]) -> np.ndarray:
    return as_bytes(MODEL.drawn(arrangement))


REST = [at_rest(START)] * 3
ONE = [*REST, *(as_bytes(sliding(MODEL, START, (4, 5), way)) for way in (6, 12, 18)), *[at_rest(FIRST)] * 2]
BOTH = [*ONE, *(as_bytes(sliding(MODEL, FIRST, (5, 8), way)) for way in (6, 12, 18)), *[at_rest(SECOND)] * 2]


def judged(boards: Sequence[np.ndarray], puzzle: TilePuzzle = PUZZLE, settings=SLIDING_SETTINGS) -> Judgement:
    """A clip of 10 frames a second, each a board in a grey frame of 100 x 96."""
    frames = []
    for index, shown in enumerate(boards):
        pixels = np.full((96, 100, 3), 118, np.uint8)
        pixels[12:84, 12:84] = shown
        frames.append(Frame(index, index / 10, pixels))
    return judge_tile_frames(puzzle, frames, settings, VideoPolicy.FINAL_FRAME)


def series(images: Sequence[np.ndarray | None], text: str = "", puzzle: TilePuzzle = PUZZLE) -> Judgement:
    return judge_tile_pictures(puzzle, images, text, SLIDING_SETTINGS)


def values(judgement: Judgement) -> dict[str, float | None]:
    return {one.name: one.value for one in judgement.metrics}


def codes(judgement: Judgement) -> list[str]:
    return [reason.code for reason in judgement.reasons]


class TestClips:
    def test_a_clip_of_both_moves(self):
        found = judged(BOTH)
        assert (found.outcome, found.score, found.reward, found.reasons) == (Outcome.PASS, 1.0, 1.0, ())
        assert values(found) == {
            "solved": 1.0, "strict_legal": 1.0, "solved_strict": 1.0, "ever_solved": 1.0, "moves": 2.0,
            "least_moves": 2.0, "plan_progress": 1.0,
        }  # fmt: skip

    def test_what_is_seen_is_kept(self):
        """The first move begins after frame 2 and has arrived in frame 6; the other one is from 7 to 11."""
        seen = judged(BOTH).observation
        assert seen.moves == (
            ShownMove("right", TimeSpan(2, 6, 0.2, 0.6), 1.0, True),
            ShownMove("down", TimeSpan(7, 11, 0.7, 1.1), 1.0, True),
        )
        assert (seen.events, seen.final_tiles) == ((), TARGET)
        assert [track.object for track in seen.tracks] == ["-1", "1", "2", "3", "4", "5", "6", "7", "8"]
        # Tile 1 stays; tile 5 goes from row 1, column 2 to the middle.
        assert [(point.x, point.y) for point in seen.tracks[1].points] == [(0.0, 0.0)] * 2
        first, *_, last = seen.tracks[5].points
        assert (first.x, first.y, first.theta_rad, last.x, last.y) == (2.0, 1.0, 0.0, 1.0, 1.0)
        assert (first.time_s, last.time_s) == (0.0, 1.2)

    def test_its_strip_and_moments_tell_the_moves(self):
        drawing = judged(BOTH).drawing
        assert drawing.strip.facts == (("moves", "right down"), ("strictly legal", "yes"))
        assert drawing.strip.praise == "The moves lead to the target, and the clip ends there."
        assert drawing.strip.footer.startswith("The board matches the puzzle's picture by 1.00; 13 frames.")
        assert {(6, "right"), (11, "down")} <= set(drawing.moments)

    def test_half_of_the_way_earns_half_of_what_a_wasteful_plan_does(self):
        found = judged(ONE)
        assert (found.outcome, found.score, found.reward) == (Outcome.FAIL, 0.0, pytest.approx(0.45 * (2 / 4) ** 3))
        assert codes(found) == ["TARGET_NOT_REACHED"]
        assert found.reasons[0].message == "The last frame does not show the target."
        assert values(found) | {"solved": 0.0, "ever_solved": 0.0, "plan_progress": 0.5, "moves": 1.0} == values(found)
        assert values(found)["strict_legal"] == 1.0
        assert values(found)["solved_strict"] == 0.0

    def test_nothing_moves(self):
        found = judged(REST)
        assert (codes(found), found.reward, values(found)["moves"]) == (["NOTHING_MOVES"], 0.0, 0.0)
        assert found.drawing.strip.facts == (("moves", "none"), ("strictly legal", "yes"))

    def test_moves_at_once_solve_it_and_are_not_strict(self):
        found = judged([*REST, *[at_rest(FIRST)] * 3, *[at_rest(SECOND)] * 3])
        assert (found.outcome, values(found)["strict_legal"], values(found)["solved_strict"]) == (
            Outcome.PASS,
            0.0,
            0.0,
        )
        assert found.drawing.strip.facts[1] == ("strictly legal", "no")
        assert [one.complete for one in found.observation.moves] == [False, False]

    def test_too_long_a_plan_scores_and_earns_nothing(self):
        """At most 0 x 2 + 1 moves are allowed here; there are 2."""
        found = judged(BOTH, settings=STRICT)
        assert (found.outcome, found.score, found.reward) == (Outcome.FAIL, 1.0, 0.0)
        assert codes(found) == ["PLAN_TOO_LONG"]
        assert (values(found)["solved"], values(found)["plan_progress"]) == (1.0, 0.0)

    def test_a_plan_too_long_beside_another_fault_comes_last(self):
        boards = [*BOTH, *(as_bytes(sliding(MODEL, SECOND, (8, 7), way)) for way in (8, 16)), at_rest(moved(SECOND, 7))]
        found = judged(boards, settings=STRICT)
        assert (codes(found), found.reward) == (["SOLVED_THEN_UNDONE", "PLAN_TOO_LONG"], 0.0)
        assert values(found)["ever_solved"] == 1.0

    def test_where_it_is_not_known_what_is_needed_it_says_so(self):
        found = judged(BOTH, replace(PUZZLE, least_moves=None), STRICT)
        assert (found.outcome, found.reward) == (Outcome.PASS, 1.0)
        missing = {one.name: one.unavailable_reason for one in found.metrics if one.value is None}
        assert missing == {"least_moves": TOO_LARGE, "plan_progress": TOO_LARGE}

    def test_an_event_is_kept_with_its_tile_and_place(self):
        """Tile 8 is another thing for six frames, up to the end: 0.25 s are long, at 10 frames a second."""
        found = judged([*REST, *[with_cells((255, 0, 128), 8)] * 6])
        assert codes(found)[0] == "FOREIGN_TILE"
        assert values(found)["strict_legal"] == 0.0
        (event,) = found.observation.events
        assert (event.code, event.object, event.span) == ("FOREIGN_TILE", "8", TimeSpan(2, 8, 0.2, 0.8))
        box = (event.box.left, event.box.top, event.box.width, event.box.height)
        # The last cell of a board of 72 px at (12, 12).
        assert box == pytest.approx((60.0, 60.0, 24.0, 24.0), abs=0.5)
        assert (2, "FOREIGN_TILE") in found.drawing.moments

    def test_another_picture_is_not_the_puzzle(self):
        found = judged([np.full((72, 72, 3), 90, np.uint8)] * 3)
        assert (codes(found), found.reward, found.score) == (["NOT_THE_PUZZLE"], 0.0, 0.0)
        seen = found.observation
        assert (seen.moves, seen.tracks, seen.events, seen.final_tiles) == ((), (), (), ())

    def test_it_takes_the_puzzle_s_picture(self):
        bare = replace(PUZZLE, picture=None)
        with pytest.raises(ValueError, match="a clip is judged by the puzzle's picture"):
            judged(REST, bare)
        with pytest.raises(ValueError, match="pictures are judged by the puzzle's picture"):
            series(REST, puzzle=bare)


class TestSeries:
    def test_a_picture_after_each_move(self):
        found = series([at_rest(FIRST), at_rest(SECOND)], '{"answer": "right, down"}')
        assert (found.outcome, found.score, found.reward, found.reasons) == (Outcome.PASS, 1.0, 1.0, ())
        assert values(found) == {
            "solved_by_images": 1.0, "solved_by_words": 1.0, "agreement": 1.0, "images": 2.0,
            "images_minus_actions": 0.0, "images_minus_expected": 0.0, "first_wrong_step": None, "missing_steps": 0.0,
            "extra_steps": 0.0, "moves": 2.0, "least_moves": 2.0, "plan_progress": 1.0,
        }  # fmt: skip
        assert [one.moves for one in found.observation.steps] == [("right",), ("down",)]
        assert found.observation.moves_in_words == ("right", "down")

    def test_words_that_name_no_moves_have_no_agreement(self):
        found = series([at_rest(FIRST), at_rest(SECOND)], "I do not know.")
        missing = {one.name: one.unavailable_reason for one in found.metrics if one.value is None}
        none = "the words name no moves"
        assert missing == {"agreement": none, "images_minus_actions": none, "first_wrong_step": "no step is wrong"}
        assert (values(found)["solved_by_words"], found.observation.moves_in_words) == (0.0, ())

    def test_words_that_agree_in_part(self):
        """Shown: right, down. Named: right, up, left, so 1 of 3 is alike, and there is a picture less than moves."""
        found = series([at_rest(FIRST), at_rest(SECOND)], '{"answer": "right, up, left"}')
        assert values(found)["agreement"] == pytest.approx(1 / 3)
        assert values(found)["images_minus_actions"] == -1.0
        assert values(found)["solved_by_words"] == 0.0

    @pytest.mark.parametrize(("cells", "code"), [((0, 1, 2, 3), "STEP_ALTERED"), ((0, 1, 2, 3, 6), "STEP_UNREADABLE")])
    def test_a_picture_more_than_half_of_which_is_no_tile_is_none(self, cells, code):
        """4 of 9 cells are less than half, 5 are more."""
        found = series([with_cells((90, 110, 90), *cells, picture=at_rest(FIRST))])
        assert codes(found) == [code]

    def test_what_does_not_decode_is_unreadable_and_what_follows_is_compared_with_what_came_before(self):
        found = series([at_rest(FIRST), None, at_rest(SECOND)])
        assert codes(found) == ["STEP_UNREADABLE"]
        assert [place.step for place in found.reasons[0].places] == [2]
        assert found.reasons[0].message == "Picture 2: it can't be read."
        # One of two moves was made before: 0.9 x (1 - 1/2) x (2/4)^3, of two that are shown: x (1/2)^3.
        assert found.reward == pytest.approx(0.05625 / 8)
        assert [one.moves for one in found.observation.steps] == [("right",), (), ("down",)]
        assert (values(found)["first_wrong_step"], values(found)["images_minus_expected"]) == (2.0, 1.0)

    def test_tiles_that_look_alike_are_followed_from_picture_to_picture(self):
        alike = [(200, 60, 60)] * 4 + [(20, 20, 20)] + [(200, 60, 60)] * 4
        twins = model(alike)
        puzzle = replace(PUZZLE, picture=board(alike))
        images = [as_bytes(twins.drawn(one)) for one in (FIRST, SECOND)]
        assert series(images, puzzle=puzzle).outcome is Outcome.PASS
        # The second picture alone is two moves away.
        assert codes(series(images[1:], puzzle=puzzle)) != []


class TestSteps:
    """The sentence of each fault of a picture, with its numbers."""

    TWO = TilePuzzle(SlidingPuzzle((1, 2, -1, 3), (1, 2, 3, -1)), 1, None)

    @pytest.mark.parametrize(
        ("shown", "message", "name"),
        [
            (None, "it can't be read.", ""),
            ((1, 1, -1, 3), "tile 1 is there 2 times.", "1"),
            ((3, 3, -1, 3), "tile 3 is there 3 times.", "3"),
            ((1, 2, 0, 3), "there are 0 blank cells.", ""),
            ((1, -1, -1, 3), "there are 2 blank cells.", ""),
            ((1, 0, -1, 3), "tile 2 is not there.", "2"),
            ((0, 0, -1, 3), "tile 1 is not there.", "1"),
            ((2, 1, -1, 3), "2 cells change, which no move does.", ""),
            ((3, 1, -1, 2), "3 cells change, which no move does.", ""),
            ((2, -1, 1, 3), "2 moves at once: up, right.", ""),
            ((1, 2, 3, -1), None, None),
        ],
    )
    def test_a_fault_says_what_is_wrong(self, shown, message, name):
        (step,) = read_tile_steps(self.TWO.puzzle, [shown]).steps
        if message is None:
            assert (step.fault, step.seen.legal, step.seen.faults) == (None, True, ())
        else:
            assert (step.fault.message, step.fault.object) == (message, name)
            assert (step.seen.legal, step.seen.faults) == (False, (step.fault.code,))
            assert step.seen.tiles == (shown or ())
