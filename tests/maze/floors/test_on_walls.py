"""What is drawn on walls of any width, and lines whose colour is another one: the reasons have to be true."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from detectors.maze.floor.config import FloorConfig
from detectors.maze.floor.widths import measure_widths
from detectors.maze.remainder.on_walls import WithinConfig, _contrast
from grader.model.verdict import Outcome
from tests.maze.floors.scenes import BLUE, WAY, picture, stroke
from tests.maze.floors.test_answers import verdict
from tests.maze.remainder.scenes import PLAN

ORANGE, GREY, WHITE, BLACK = (240, 150, 20), (120, 120, 120), (255, 255, 255), (0, 0, 0)


def line(drawn: np.ndarray, first: tuple[int, int], last: tuple[int, int], color: tuple[int, int, int], width: int = 5):
    return cv2.line(drawn.copy(), first, last, color, width, cv2.LINE_AA)


@pytest.mark.parametrize(
    ("color", "code"),
    [(BLUE, "WALL_CROSSED"), (ORANGE, "FOREIGN_STROKES"), (GREY, "FOREIGN_STROKES"), (WHITE, "WALLS_ERASED")],
    ids=["own", "other", "grey", "floor"],
)
@pytest.mark.parametrize("place", [((60, 80), (120, 80)), ((60, 160), (130, 158))], ids=["between", "below"])
def test_a_line_within_a_wide_wall_is_seen_and_said_by_its_colour(
    color: tuple[int, int, int], code: str, place: tuple[tuple[int, int], tuple[int, int]]
) -> None:
    seen = verdict(line(stroke(*WAY), *place, color))
    # In the way's colour it also paints the wall over, all along.
    assert code in seen.codes
    assert set(seen.codes) <= {code, "WALLS_PAINTED"}


@pytest.mark.parametrize("width", [2, 4])
@pytest.mark.parametrize("place", [((60, 56), (84, 104)), ((204, 183), (223, 160))], ids=["aslant", "at a corner"])
def test_a_slit_from_floor_to_floor_is_a_hole_however_short(
    width: int, place: tuple[tuple[int, int], tuple[int, int]]
) -> None:
    assert "WALLS_ERASED" in verdict(line(stroke(*WAY), *place, WHITE, width)).codes


def test_a_corner_of_a_wall_that_is_rounded_is_no_hole() -> None:
    # At the corner of the rock, (220, 180), a triangle of 6 pixels a side.
    rounded = stroke(*WAY)
    cv2.fillPoly(rounded, [np.array([(220, 180), (214, 180), (220, 174)], np.int32)], WHITE)
    assert "WALLS_ERASED" not in verdict(rounded).codes


def test_walls_repainted_evenly_show_nothing() -> None:
    """A strip of them is 3 levels lighter still: what is left elsewhere is less than a level, and no mark."""
    bare = replace(PLAN, picture=np.zeros_like(PLAN.picture))
    repainted = np.full_like(bare.picture, 60)
    repainted[:, :10] += np.uint8(3)
    everywhere = np.ones(PLAN.labels.shape, np.bool_)
    assert _contrast(repainted, everywhere, bare, WithinConfig(around=0.5)).max() == pytest.approx(3.0, abs=0.01)


def test_a_line_in_the_rock_around_is_seen() -> None:
    seen = verdict(line(stroke(*WAY), (75, 229), (180, 229), ORANGE, 4))
    assert seen.codes == ("FOREIGN_STROKES",)


def test_a_sign_in_a_corner_of_the_picture_is_decoration() -> None:
    assert verdict(line(stroke(*WAY), (222, 9), (246, 9), ORANGE, 4)).outcome is Outcome.PASS


@pytest.mark.parametrize(("end", "code"), [(56, None), (74, "WALL_CROSSED"), (84, "WALL_CROSSED")])
def test_a_stroke_that_runs_on_into_a_wide_wall_crosses_it(end: int, code: str | None) -> None:
    # The corridor ends at 60, the wall at 100.
    seen = verdict(stroke((100, 40), (100, end), on=stroke(*WAY)))
    assert seen.codes == (() if code is None else (code,))


def test_a_way_that_cuts_a_corner_within_the_wall_crosses_it() -> None:
    # From (150, 40) straight to (150, 120) the wall is 40 wide, as everywhere left of its end at 160.
    assert "WALL_CROSSED" in verdict(stroke((30, 40), (150, 40), (150, 120), (30, 120))).codes
    # Beside its end there is floor.
    assert verdict(stroke((30, 40), (166, 40), (166, 120), (30, 120))).outcome is Outcome.PASS


def test_of_walls_far_wider_than_corridors_no_width_is_told() -> None:
    mask = np.zeros((200, 200), np.bool_)
    mask[20:30, 20:180] = mask[20:180, 90:100] = mask[170:180, 20:180] = True
    widths = measure_widths(mask, FloorConfig())
    assert widths is not None
    assert (widths.corridor, widths.wall) == (pytest.approx(10, abs=1), pytest.approx(10, abs=1))


@pytest.mark.parametrize(
    "color", [ORANGE, (150, 60, 200), BLACK, (90, 90, 90)], ids=["orange", "violet", "black", "grey"]
)
def test_a_way_in_another_colour_is_that_and_nothing_else(color: tuple[int, int, int]) -> None:
    drawn = cv2.polylines(picture().copy(), [np.array(WAY, np.int32)], False, color, 6, cv2.LINE_AA)
    assert verdict(drawn).codes == ("WRONG_COLOR",)


@pytest.mark.parametrize("opacity", [0.4, 0.6, 0.8])
def test_a_pale_line_over_markers_hides_them_not(opacity: float) -> None:
    paint = stroke(*WAY, width=9).astype(np.float64)
    drawn = np.rint(picture() + opacity * (paint - picture())).astype(np.uint8)
    assert verdict(drawn).codes == ()


def test_a_marker_under_a_blot_of_another_colour_is_gone() -> None:
    drawn = cv2.circle(stroke(*WAY), (30, 40), 12, ORANGE, -1, cv2.LINE_AA)
    assert "MARKER_ERASED" in verdict(drawn).codes


def test_specks_all_over_are_no_marks() -> None:
    drawn = stroke(*WAY)
    dice = np.random.default_rng(5).random(drawn.shape[:2])
    drawn[dice < 0.001], drawn[dice > 0.999] = 0, 255
    assert verdict(drawn).outcome is Outcome.PASS
