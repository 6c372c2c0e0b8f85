"""A puzzle is found by its rhythm of edges, whatever stands beside it."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from grader.alignment.structure import Edges, StructureConfig, StructureSearch, edges_of, rhythm_of

CONFIG = StructureConfig(side_px=200)


def walls(height: int = 90, width: int = 120, seed: int = 3) -> np.ndarray:
    """Dark lines of 2 pixels on white, at random places, within a dark rim."""
    dice = np.random.default_rng(seed)
    picture = np.full((height, width), 255, np.float32)
    for _ in range(14):
        x, y, length = (int(dice.integers(4, limit)) for limit in (width - 30, height - 30, 28))
        if dice.random() < 0.5:
            picture[y : y + 2, x : x + length + 6] = 0
        else:
            picture[y : y + length + 6, x : x + 2] = 0
    picture[:3], picture[-3:], picture[:, :3], picture[:, -3:] = 0, 0, 0, 0
    return picture


def colorless(grey: np.ndarray) -> np.ndarray:
    return np.zeros(grey.shape, bool)


def searched(candidate: np.ndarray, puzzle: np.ndarray | None = None, config=CONFIG) -> StructureSearch:
    puzzle = walls() if puzzle is None else puzzle
    return StructureSearch(
        rhythm_of(puzzle, colorless(puzzle), config), edges_of(candidate, colorless(candidate), 0.0, config), config
    )


def placed(left: int, top: int, size: tuple[int, int], shape: tuple[int, int] = (160, 200)) -> np.ndarray:
    """The walls at a place on a white sheet of (height, width) with rows and columns of marks around them."""
    sheet = np.full(shape, 255, np.float32)
    for x in range(6, shape[1] - 8, 9):
        for y in (5, shape[0] - 9):
            sheet[y : y + 5, x : x + 4] = 40
    small = cv2.resize(walls(), size, interpolation=cv2.INTER_AREA)
    sheet[top : top + size[1], left : left + size[0]] = small
    return sheet


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize(
    ("left", "top", "size"), [(20, 20, (120, 90)), (60, 30, (96, 72)), (10, 50, (150, 90)), (100, 60, (60, 60))]
)
def test_the_likeliest_frame_is_the_puzzle_s(first: int, left: int, top: int, size: tuple[int, int]) -> None:
    """Whole, smaller, stretched by a quarter, and to half its width and two thirds of its height."""
    frames = searched(placed(left, top, size)).frames(first)
    expected = (left, top, left + size[0], top + size[1])
    assert max(abs(a - b) for a, b in zip(frames[0], expected, strict=True)) <= 3.0


def test_a_puzzle_may_be_cut_by_a_little() -> None:
    """Four of 120 columns are missing: the frame begins before the candidate does."""
    cut = np.ascontiguousarray(walls()[:, 4:])
    left, top, right, bottom = searched(cut).frames(1)[0]
    assert left == pytest.approx(-4, abs=2)
    assert (top, right, bottom) == pytest.approx((0, 116, 90), abs=2)


def test_a_stretch_is_limited() -> None:
    """To 150 of 120 columns but 90 of 90 rows is 1.25."""
    sheet = placed(10, 50, (150, 90))
    for most, found in ((1.3, True), (1.1, False)):
        frames = searched(sheet, config=replace(CONFIG, most_stretch=most)).frames(1)
        ratios = [(right - left) / 120 / ((bottom - top) / 90) for left, top, right, bottom in frames]
        assert all(max(ratio, 1 / ratio) < most * 1.02 for ratio in ratios)
        assert any(abs(ratio - 1.25) < 0.03 for ratio in ratios) is found


def test_too_small_a_puzzle_is_not_looked_for() -> None:
    """60 of 200 columns are 0.3."""
    sheet = placed(100, 60, (60, 60))
    for least, found in ((0.25, True), (0.45, False)):
        frames = searched(sheet, config=replace(CONFIG, least=least)).frames(1)
        hits = [frame for frame in frames if abs(frame[0] - 100) < 4 and abs(frame[2] - 160) < 4]
        assert bool(hits) is found


def test_frames_are_apart_and_none_is_found_in_nothing() -> None:
    assert all(frame[2] > frame[0] for frame in searched(np.full((80, 100), 255, np.float32)).frames(0))
    frames = searched(placed(20, 20, (120, 90))).frames(1)
    assert len(frames) == len(set(frames))
    # Six rows at most, and six columns for each.
    assert len(frames) <= (2 * CONFIG.places) ** 2
    assert len(searched(placed(20, 20, (120, 90)), config=replace(CONFIG, places=1)).frames(1)) <= 4


def test_edges_count_in_full_from_a_slope_on() -> None:
    """A step of 2 x 12 levels has a slope of 12 levels a pixel on its two sides; half of that counts by half."""
    for level, share in ((24, 1.0), (48, 1.0), (12, 0.5)):
        step = np.zeros((6, 8), np.float32)
        step[:, 4:] = level
        found = edges_of(step, colorless(step), 0.0, CONFIG)
        assert found.across_x[3, 3:5] == pytest.approx(share)
        assert found.across_x[3, :2] == pytest.approx(0.0)
        assert found.across_y[3] == pytest.approx(0.0)


def test_edges_of_colour_count_by_a_share_with_a_pixel_around() -> None:
    step = np.zeros((6, 12), np.float32)
    step[:, 6:] = 100
    colored = colorless(step)
    colored[:, 7:] = True
    for counted in (0.0, 0.3, 1.0):
        found = edges_of(step, colored, counted, CONFIG)
        assert found.across_x[3, 5] == pytest.approx(1.0)
        assert found.across_x[3, 6] == pytest.approx(counted)


def test_a_puzzle_s_colour_says_how_much_colour_counts() -> None:
    """Two alike lines, one of them coloured: a half; without colour nothing, and where there is no edge nothing."""
    picture = np.full((60, 60), 255, np.float32)
    picture[20:24], picture[40:44] = 0, 0
    colored = colorless(picture)
    assert rhythm_of(picture, colored, CONFIG).colored == 0.0
    colored[38:46] = True
    assert rhythm_of(picture, colored, CONFIG).colored == pytest.approx(0.5)
    assert rhythm_of(np.zeros((60, 60), np.float32), colored, CONFIG).colored == 0.0


def test_a_profile_sums_over_the_other_axis_or_a_span_of_it() -> None:
    edges = Edges(np.arange(12, dtype=np.float32).reshape(3, 4), np.ones((3, 4), np.float32))
    assert edges.total == 66 + 12
    # Across x by column, then across y by column.
    assert edges.profile(0) == pytest.approx(np.array([[4, 5, 6, 7], [1, 1, 1, 1]]))
    assert edges.profile(0, (1.2, 2.6)) == pytest.approx(np.array([[6, 7, 8, 9], [1, 1, 1, 1]]))
    # By row, across y comes first.
    assert edges.profile(1) == pytest.approx(np.array([[1, 1, 1], [1.5, 5.5, 9.5]]))
    assert edges.profile(1, (0.0, 2.0)) == pytest.approx(np.array([[1, 1, 1], [0.5, 4.5, 8.5]]))
