"""The border of a lot in a picture of which nothing is known."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest

from detectors.rush_hour.config import LOT_CONFIG, LotConfig
from detectors.rush_hour.place import LotBorder, find_border
from detectors.rush_hour.remainder.sides import has_gap
from detectors.rush_hour.view import first_view
from puzzles.rush_hour.lot import Exit, Lot, Obstacle, Pose, Side
from tests.rush_hour.lot_clips import BLUE, RED, Look, Scene, draw, vehicle

LOT = Lot(
    8.0, 6.0, (Exit(Side.RIGHT, 3.0, 4.5),),
    (vehicle("R", 2.0, 4.0, 0.0, RED), vehicle("A", 6.0, 3.0, math.pi / 2, BLUE)),
    (Obstacle("wall", 1.6, 0.8, Pose(2.0, 1.5, 0.0)),),
)  # fmt: skip
LOOK = Look(size=(200, 160), share=0.75, rail=0.0)
# 0.75 * 160 / 6 = 20 pixels a unit, in the middle: from 20 to 180 and from 20 to 140.
BORDER = (20.0, 20.0, 180.0, 140.0)
WHOLE = (0.0, 0.0, 200.0, 160.0)


def picture(look: Look = LOOK, scene: Scene | None = None) -> np.ndarray:
    return draw(LOT, scene or Scene(), look)


def sides(found: LotBorder | None) -> tuple[float, float, float, float]:
    assert found is not None
    return found.left, found.top, found.right, found.bottom


def find(pixels: np.ndarray, config: LotConfig = LOT_CONFIG, at_start: bool = True) -> LotBorder | None:
    return find_border(pixels, LOT, config, at_start)


@pytest.mark.parametrize(
    "look",
    [
        LOOK,
        replace(LOOK, border=0.12),
        replace(LOOK, texture=6.0, floor=(215, 215, 220)),
        replace(LOOK, noise=5.0),
        replace(LOOK, blur=1.0),
        replace(LOOK, dim=0.8),
    ],
    ids=["plain", "thicker", "texture", "noise", "blur", "dim"],
)
def test_the_middle_of_the_line_is_found_to_a_pixel(look: Look) -> None:
    assert sides(find(picture(look))) == pytest.approx(BORDER, abs=0.6)


@pytest.mark.parametrize(
    ("look", "inside"),
    [
        (replace(LOOK, margin=(0, 0, 0)), 0.85),
        (replace(LOOK, margin=(27, 38, 59)), 0.87),
        (replace(LOOK, border=0.3), 2.9),
    ],
    ids=["black margin", "margin like the line", "thicker than 4 px"],
)
def test_without_an_outer_edge_the_inner_one_counts(look: Look, inside: float) -> None:
    left, top, right, bottom = sides(find(picture(look)))
    assert (left, top) == pytest.approx((20 + inside, 20 + inside), abs=0.1)
    assert (right, bottom) == pytest.approx((179.2 - inside, 139.2 - inside), abs=0.1)


def test_the_share_that_is_seen() -> None:
    whole = find(picture())
    assert whole is not None
    assert 0.9 < whole.seen <= 1.0
    pixels = picture()
    pixels[15:26, 20:100] = 255  # half of the upper side
    half = find(pixels)
    assert half is not None
    assert half.seen == pytest.approx(whole.seen - 0.5 / 4, abs=0.03)


@pytest.mark.parametrize(("gone", "there"), [(0.5, True), (0.6, False)])
def test_45_percent_of_each_side_must_be_seen(gone: float, there: bool) -> None:
    pixels = picture()
    pixels[15:26, 20 : 20 + round(160 * gone)] = 255
    # A tenth of the side is seen through the soft edges at both ends. Else the picture's own frame is taken.
    assert sides(find(pixels)) == pytest.approx(BORDER if there else WHOLE, abs=0.6)


def test_its_own_frame_may_be_the_border() -> None:
    # The lot fills the picture; its line lies at the edge, half outside.
    assert sides(find(picture()[20:140, 20:180])) == pytest.approx((0.0, 0.0, 160.0, 120.0), abs=2.3)


def test_large_pictures_are_searched_in_a_smaller_one() -> None:
    large = cv2.resize(picture(), (1200, 960), interpolation=cv2.INTER_NEAREST)
    # A pixel p of the picture lies at 6 (p + 0.5) - 0.5 in the large one; that is made smaller by 2 for the search.
    assert sides(find(large)) == pytest.approx((122.5, 122.5, 1082.5, 842.5), abs=5.0)


@pytest.mark.parametrize(("aspect", "there"), [(1.2, True), (1.3, False), (0.83, True), (0.78, False)])
def test_scales_may_differ_by_a_quarter(aspect: float, there: bool) -> None:
    pixels = cv2.resize(picture(), (round(200 * aspect), 160), interpolation=cv2.INTER_AREA)
    # Else some other rectangle is taken, with the car's or the wall's side for one of its own.
    right = sides(find(pixels)) == pytest.approx((20 * aspect, 20.0, 180 * aspect, 140.0), abs=2.1)
    assert right is there


@pytest.mark.parametrize(("share", "there"), [(0.4, True), (0.3, False)])
def test_a_lot_is_a_third_of_the_picture(share: float, there: bool) -> None:
    # The lot's height is the share of the picture's; its sides are longer than 0.35 of the shorter side.
    assert (find(picture(replace(LOOK, size=(400, 320), share=share))) is not None) is there


def test_vehicles_choose_between_rectangles() -> None:
    # A second, stronger frame around the lot, with a floor between; the vehicles do not stand in it.
    pixels = picture(replace(LOOK, size=(240, 200), share=0.6))
    cv2.rectangle(pixels, (8, 8), (231, 191), (0, 0, 0), 3)
    assert sides(find(pixels)) == pytest.approx((39.5, 39.5, 199.5, 159.5), abs=1.1)


def test_a_picture_of_other_colours_is_no_lot() -> None:
    pixels = draw(LOT, Scene(colors={"R": (90, 200, 90), "A": (240, 240, 80)}), LOOK)
    assert find(pixels) is None
    # In any state only the obstacle and the exit tell, which is enough.
    assert sides(find(pixels, at_start=False)) == pytest.approx(BORDER, abs=1.1)


@pytest.mark.parametrize(("gone", "there"), [(0.6, True), (0.75, False)])
def test_45_percent_of_the_vehicles_must_show_their_colours(gone: float, there: bool) -> None:
    # They are looked at 0.4 and 0.67 units before and behind the middle: with 60 % of 2 units gone from behind both
    # before it are left, half of all; with 75 % one is.
    pixels = picture()
    for body in LOT.vehicles:
        gap, pose = 1 - gone, body.pose
        rear = Pose(pose.x - body.axis[0] * gap, pose.y - body.axis[1] * gap, pose.theta)
        corners = replace(body, length=body.length * gone, pose=rear).outline()
        shape = np.rint([(20 + 20 * x, 140 - 20 * y) for x, y in corners]).astype(np.int32)
        cv2.fillConvexPoly(pixels, shape, (120, 255, 0))
    found = find(pixels)
    assert (found is not None) is there


def test_in_any_state_vehicles_may_stand_elsewhere() -> None:
    scene = Scene(poses={"R": Pose(4.2, 4.0, 0.0), "A": Pose(6.0, 1.0, math.pi / 2)})
    assert sides(find(picture(scene=scene), at_start=False)) == pytest.approx(BORDER, abs=1.1)


def test_an_exit_tells_which_way_round() -> None:
    # A lot with nothing but a car that drove off and an exit, and a line across that halves the picture's lower part.
    lot = Lot(8.0, 6.0, (Exit(Side.TOP, 1.0, 2.5),), (vehicle("R", 2.0, 3.0, math.pi / 2, RED),), ())
    pixels = draw(lot, Scene(poses={"R": Pose(2.0, 1.2, math.pi / 2)}), LOOK)
    assert sides(find_border(pixels, lot, LOT_CONFIG, at_start=False)) == pytest.approx(BORDER, abs=1.1)


def test_a_light_line_on_a_dark_floor() -> None:
    # Its outer edges are found: the line is 4 px wide, so they lie 2 px outside of its middle.
    pixels = np.full((160, 200, 3), 40, np.uint8)
    cv2.rectangle(pixels, (18, 18), (181, 141), (230, 230, 230), -1)
    cv2.rectangle(pixels, (22, 22), (177, 137), (40, 40, 40), -1)
    for body in LOT.vehicles:
        corners = [(19.5 + 20 * x, 139.5 - 20 * y) for x, y in body.outline()]
        cv2.fillPoly(
            pixels, [np.rint(corners).astype(np.int32)], tuple(int(body.color[i : i + 2], 16) for i in (1, 3, 5))
        )
    assert sides(find(pixels)) == pytest.approx(BORDER, abs=2.6)


def test_there_is_none_in_a_flat_picture() -> None:
    assert find(np.full((120, 160, 3), 30, np.uint8)) is None


# --- gaps in it ---


def is_open(pixels: np.ndarray) -> bool:
    found = find(pixels)
    assert found is not None
    view = first_view(found, LOT, pixels.shape, LOT_CONFIG.view)
    return has_gap(view.small(pixels), view, LOT, LOT_CONFIG.stills.sides)


@pytest.mark.parametrize(
    "look",
    [
        LOOK,
        replace(LOOK, border=0.12),
        replace(LOOK, noise=5.0),
        replace(LOOK, blur=1.0),
        replace(LOOK, dim=0.8),
        replace(LOOK, margin=(0, 0, 0)),
    ],
    ids=["plain", "thicker", "noise", "blur", "dim", "dark around"],
)
def test_a_whole_border_has_no_gap(look: Look) -> None:
    assert not is_open(picture(look))


@pytest.mark.parametrize(("length", "told"), [(0.4, False), (1.0, True)])
@pytest.mark.parametrize("side", [Side.BOTTOM, Side.LEFT, Side.TOP])
def test_a_piece_of_more_than_half_a_unit_that_is_gone_is_a_gap(side: Side, length: float, told: bool) -> None:
    """From 2 units on, of 20 pixels each; the picture's floor goes on there."""
    pixels, far = picture(), round(length * 20)
    rows, columns = {
        Side.BOTTOM: (slice(136, 146), slice(60, 60 + far)),
        Side.TOP: (slice(16, 26), slice(60, 60 + far)),
        Side.LEFT: (slice(60, 60 + far), slice(16, 26)),
    }[side]
    pixels[rows, columns] = pixels[5, 5]
    assert is_open(pixels) is told


def test_beside_an_exit_nothing_is_told() -> None:
    """It is 1.5 units long, from row 50 to row 80, and 0.3 more at both ends."""
    pixels = picture()
    pixels[46:84, 172:186] = pixels[5, 5]
    assert not is_open(pixels)
