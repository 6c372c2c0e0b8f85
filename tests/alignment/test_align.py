"""Bringing a candidate into its puzzle's frame: what was done to a picture is found again, to the pixel."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from grader.alignment.align import align, frame_outline, warp
from grader.alignment.framing import compose
from grader.alignment.template import AlignmentConfig, Template, make_template
from grader.media.pyramid import Pyramid
from grader.model.verdict import Alignment
from grader.tasks.maze.settings import MazeSettings
from grader.tasks.queens.settings import QueensSettings
from puzzles.maze.geometry import Geometry
from tests.samples.puzzles import BLACK, WHITE, board_sample, letterboxed, maze_sample, resized, shifted

SOURCES = ["square", "hexagon", "triangle", "circle", "board"]


def by_turns(*changes: tuple[object, ...]) -> list[tuple[object, ...]]:
    """Every other change for each puzzle, so that each change meets some puzzles and each puzzle some changes."""
    return [(source, *change) for one, source in enumerate(SOURCES) for change in changes[one % 2 :: 2]]


def config(source: str) -> AlignmentConfig:
    return QueensSettings().alignment if source == "board" else MazeSettings().alignment


@cache
def pictures(source: str) -> tuple[np.ndarray, np.ndarray]:
    """The puzzle and its solution, (H, W, 3)."""
    sample = board_sample(6) if source == "board" else maze_sample(Geometry(source))
    return sample.pictures.input, sample.pictures.solution


@cache
def template(source: str) -> Template:
    return make_template(pictures(source)[0], config(source))


def aligned(source: str, candidate: np.ndarray) -> Alignment:
    return align(Pyramid(candidate), template(source), config(source))


def error(source: str, found: Alignment, to_puzzle: np.ndarray) -> float:
    """Largest distance in puzzle pixels between where points land and where they should, over the puzzle's frame.

    ``to_puzzle`` (2, 3) maps the candidate to the puzzle, both with pixel centres at whole numbers plus a half, as the
    contract has it.
    """
    height, width = pictures(source)[0].shape[:2]
    corners = np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height], [width / 2, height / 2]])
    back = cv2.invertAffineTransform(np.array(to_puzzle, np.float64))
    candidate = corners @ back[:, :2].T + back[:, 2]
    matrix = np.array(found.matrix).reshape(2, 3)
    return float(np.hypot(*(candidate @ matrix[:, :2].T + matrix[:, 2] - corners).T).max())


def stretch(source: str, width: int, height: int) -> np.ndarray:
    own_height, own_width = pictures(source)[0].shape[:2]
    return np.array([[own_width / width, 0.0, 0.0], [0.0, own_height / height, 0.0]])


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("which", [0, 1])
def test_the_puzzle_itself_stays_where_it_is(source: str, which: int) -> None:
    picture = pictures(source)[which]
    found = aligned(source, picture)
    assert (found.method, found.shift_px, found.rotation_rad) == ("NONE", (0.0, 0.0), 0.0)
    assert (found.scale, found.covered) == ((1.0, 1.0), 1.0)
    assert found.candidate_size == picture.shape[1::-1]
    assert found.matrix == pytest.approx((1, 0, 0, 0, 1, 0), abs=1e-12)
    assert found.quality > 0.95


@pytest.mark.parametrize(("source", "across", "down"), by_turns((2.0, 2.0), (1.5, 1.0), (0.8, 0.8), (0.7, 1.3)))
def test_a_resized_picture_is_stretched_back(source: str, across: float, down: float) -> None:
    height, width = pictures(source)[1].shape[:2]
    size = (round(width * across), round(height * down))
    found = aligned(source, resized(pictures(source)[1], *size))
    assert found.method == "RESIZED"
    assert found.candidate_size == size
    assert found.scale == pytest.approx((width / size[0], height / size[1]), abs=1e-12)
    assert found.shift_px == pytest.approx((0, 0), abs=1e-9)
    # Outer edges lie on outer edges: nothing is estimated here, so nothing is lost.
    assert error(source, found, stretch(source, *size)) < 1e-6


@pytest.mark.parametrize(
    ("source", "x", "y", "color"), by_turns((5, 3, BLACK), (-6, 0, WHITE), (2, -7, WHITE), (-4, -4, BLACK))
)
def test_a_shift_is_found_within_a_pixel(source: str, x: int, y: int, color: tuple[int, int, int]) -> None:
    found = aligned(source, shifted(pictures(source)[1], x, y, color))
    assert found.method in ("SHIFTED", "WARPED")
    assert found.shift_px == pytest.approx((x, y), abs=1.0)
    assert error(source, found, np.array([[1.0, 0.0, -x], [0.0, 1.0, -y]])) < 1.0
    height, width = pictures(source)[1].shape[:2]
    # What moved out of the picture is not covered.
    assert found.covered == pytest.approx((1 - abs(x) / width) * (1 - abs(y) / height), abs=0.01)


@pytest.mark.parametrize(
    ("source", "color", "size"), by_turns((BLACK, (700, 480)), (WHITE, (480, 900)), ((128, 128, 128), (700, 480)))
)
def test_a_letterbox_is_taken_off_within_a_pixel(
    source: str, color: tuple[int, int, int], size: tuple[int, int]
) -> None:
    height, width = pictures(source)[1].shape[:2]
    scale = min(size[0] / width, size[1] / height)
    inner = (round(width * scale), round(height * scale))
    left, top = (size[0] - inner[0]) // 2, (size[1] - inner[1]) // 2
    found = aligned(source, letterboxed(pictures(source)[1], *size, color))
    assert found.method == "LETTERBOXED"
    to_puzzle = stretch(source, *inner) @ np.array([[1.0, 0.0, -left], [0.0, 1.0, -top], [0.0, 0.0, 1.0]])
    assert error(source, found, to_puzzle) < 1.0
    assert found.covered > 0.98


@pytest.mark.parametrize(("source", "color"), by_turns((BLACK,), (WHITE,)))
def test_thin_bars_are_no_stretch(source: str, color: tuple[int, int, int]) -> None:
    """Bars of 45 pixels beside a picture twice as large; a stretch by a few percent explains them nearly as well."""
    height, width = pictures(source)[1].shape[:2]
    found = aligned(source, letterboxed(pictures(source)[1], 2 * width + 90, 2 * height, color))
    assert error(source, found, np.array([[0.5, 0.0, -22.5], [0.0, 0.5, 0.0]])) < 1.0


@pytest.mark.parametrize(("source", "degrees", "scale"), by_turns((1.2, 1.0), (-1.5, 0.97), (0.0, 0.95), (0.5, 1.03)))
def test_a_slight_warp_is_undone_within_a_pixel_and_a_half(source: str, degrees: float, scale: float) -> None:
    height, width = pictures(source)[1].shape[:2]
    # OpenCV's pixel centres are whole numbers.
    matrix = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), degrees, scale)
    candidate = cv2.warpAffine(pictures(source)[1], matrix, (width, height), flags=cv2.INTER_LINEAR)
    half = np.array([[1.0, 0.0, 0.5], [0.0, 1.0, 0.5]])
    to_candidate = compose(compose(half, matrix), cv2.invertAffineTransform(half))
    found = aligned(source, candidate)
    # A picture that only shrank, with black around it, is letterboxed just as well.
    assert found.method in (("WARPED",) if degrees else ("WARPED", "LETTERBOXED"))
    assert error(source, found, cv2.invertAffineTransform(to_candidate)) < 1.5
    # OpenCV counts turns as they look, against the clock; undoing one is reported as it was found.
    assert abs(found.rotation_rad) == pytest.approx(abs(np.radians(degrees)), abs=0.004)
    assert found.scale == pytest.approx((1 / scale, 1 / scale), abs=0.01)


def captioned(picture: np.ndarray, sides: str, ground: tuple[int, int, int]) -> tuple[np.ndarray, tuple[int, int]]:
    """A picture with words on a ground at some of its sides (t, b, l, r), and where it lies (left, top)."""
    strip = max(40, picture.shape[0] // 5)
    margins = {side: strip if side in sides else 0 for side in "tblr"}
    wide = cv2.copyMakeBorder(
        picture, margins["t"], margins["b"], margins["l"], margins["r"], cv2.BORDER_CONSTANT, value=ground
    )
    height, width = wide.shape[:2]
    ink = tuple(255 - level for level in ground)
    for side, (x, y) in {
        "t": (10, 30),
        "b": (10, height - 12),
        "l": (2, height // 2),
        "r": (width - strip, 60),
    }.items():
        if side in sides:
            cv2.putText(wide, "Solved" if side in "tb" else "ab", (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.7, ink, 2)
    return wide, (margins["l"], margins["t"])


@pytest.mark.parametrize(
    ("source", "ground", "sides"),
    [
        (source, (WHITE, BLACK)[(one + other) % 2], sides)
        for one, source in enumerate(SOURCES)
        for other, sides in enumerate(["t", "bl", "tblr"])
        if one % 2 != other % 2
    ],
)
def test_words_at_the_sides_are_taken_off_within_a_pixel(source: str, ground: tuple[int, int, int], sides: str) -> None:
    candidate, (left, top) = captioned(pictures(source)[1], sides, ground)
    found = aligned(source, candidate)
    assert found.method == "LETTERBOXED"
    assert error(source, found, np.array([[1.0, 0.0, -left], [0.0, 1.0, -top]])) < 1.0
    # And where all of it is stretched to another shape, and reduced.
    height, width = candidate.shape[:2]
    found = aligned(source, resized(candidate, round(0.9 * width), round(0.75 * height)))
    scaled = np.array([[1 / 0.9, 0.0, -left], [0.0, 1 / 0.75, -top]])
    assert error(source, found, scaled) < 1.5
    assert found.scale[1] / found.scale[0] == pytest.approx(0.9 / 0.75, abs=0.01)


def test_a_canvas_with_words_and_a_frame_is_taken_off() -> None:
    """A small part of a page is the puzzle, with a heading above it and a double frame around all."""
    solution = pictures("circle")[1]
    height, width = solution.shape[:2]
    page = np.full((round(1.9 * height), round(1.8 * width), 3), 255, np.uint8)
    left, top = round(0.3 * width), round(0.6 * height)
    page[top : top + height, left : left + width] = solution
    cv2.putText(page, "Figure 3", (left, top - 30), cv2.FONT_HERSHEY_SIMPLEX, 1.0, BLACK, 2)
    for inset in (4, 10):
        cv2.rectangle(page, (inset, inset), (page.shape[1] - inset, page.shape[0] - inset), BLACK, 2)
    found = aligned("circle", page)
    assert error("circle", found, np.array([[1.0, 0.0, -left], [0.0, 1.0, -top]])) < 1.0


def test_another_puzzle_beside_words_is_not_taken_for_this_one() -> None:
    """Turned by a quarter it has the same rim, and lies where it lies; but it does not agree."""
    candidate, _ = captioned(np.ascontiguousarray(np.rot90(pictures("square")[1])), "tb", WHITE)
    assert aligned("square", candidate).quality < config("square").good


@pytest.mark.parametrize("source", SOURCES)
def test_what_is_not_the_puzzle_fails(source: str) -> None:
    shape = pictures(source)[0].shape
    dice = np.random.default_rng(1)
    for candidate in (
        np.full(shape, 255, np.uint8),
        np.zeros(shape, np.uint8),
        dice.integers(0, 256, shape, dtype=np.uint8),
        cv2.resize(dice.integers(0, 256, (6, 6, 3), dtype=np.uint8), shape[1::-1], interpolation=cv2.INTER_CUBIC),
    ):
        found = aligned(source, candidate)
        assert found.method == "FAILED"
        # Then the picture is taken as it is.
        assert found.matrix == pytest.approx((1, 0, 0, 0, 1, 0), abs=1e-12)
        assert found.covered == 1.0


@pytest.mark.parametrize(
    ("source", "size"), [("board", (1, 1)), ("triangle", (3, 500)), ("board", (500, 3)), ("triangle", (16, 16))]
)
def test_tiny_pictures_are_no_fault_of_the_grader(source: str, size: tuple[int, int]) -> None:
    candidate = resized(pictures(source)[1], *size)
    found = aligned(source, candidate)
    height, width = pictures(source)[0].shape[:2]
    view, covered = warp(Pyramid(candidate), found, (width, height), 1)
    assert view.shape == (height, width, 3)
    assert covered is None or covered.shape == (height, width)


@pytest.mark.parametrize(("source", "change"), by_turns(("none",), ("resized",), ("shifted",), ("letterboxed",)))
def test_warping_puts_the_drawing_back(source: str, change: str) -> None:
    """After alignment a candidate differs from the solution by less than half of what a pixel of displacement would."""
    solution = pictures(source)[1]
    height, width = solution.shape[:2]
    candidate = {
        "none": solution,
        "resized": resized(solution, width * 2, height * 2),
        "shifted": shifted(solution, 4, -3, WHITE),
        "letterboxed": letterboxed(solution, 2 * width + 90, 2 * height, WHITE),
    }[change]
    view, covered = warp(Pyramid(candidate), aligned(source, candidate), (width, height), 1)
    inside = np.ones((height, width), bool) if covered is None else covered
    inside[:2], inside[-2:], inside[:, :2], inside[:, -2:] = False, False, False, False

    def difference(picture: np.ndarray) -> float:
        return float(np.abs(picture.astype(int) - solution.astype(int)).mean(axis=2)[inside].mean())

    assert difference(view) < 0.5 * difference(np.roll(solution, (1, 1), axis=(0, 1)))
    if change == "none":
        assert (view == solution).all()


def test_a_drawn_answer_does_not_move_the_picture() -> None:
    """Even a picture full of answer stays where it is."""
    sample = maze_sample(Geometry.SQUARE)
    flooded = sample.pictures.input.copy()
    flooded[sample.floor] = (0, 107, 183)
    assert aligned("square", flooded).method in ("NONE", "FAILED")
    board = board_sample(6)
    full = board.draw([(row, column) for row in range(6) for column in range(6)])
    assert aligned("board", full).method == "NONE"


def test_the_same_picture_aligns_the_same() -> None:
    candidate = shifted(pictures("hexagon")[1], 3, 3)
    assert aligned("hexagon", candidate) == aligned("hexagon", candidate.copy())
    stricter = replace(config("hexagon"), accept=0.9999)
    assert align(Pyramid(candidate), template("hexagon"), stricter).method == "FAILED"


def test_maps_are_composed_in_order() -> None:
    double = np.array([[2.0, 0.0, 0.0], [0.0, 2.0, 0.0]])
    move = np.array([[1.0, 0.0, 3.0], [0.0, 1.0, -1.0]])
    # (1, 1) moved is (4, 0), doubled (8, 0); doubled first it is (2, 2), then (5, 1).
    assert (compose(double, move) @ [1, 1, 1]).tolist() == [8, 0]
    assert (compose(move, double) @ [1, 1, 1]).tolist() == [5, 1]


def bent(picture: np.ndarray, largest_px: float) -> tuple[np.ndarray, np.ndarray]:
    """A picture that shows at p what belongs at p + (x, y), and that displacement, (H, W, 2); none at the frame."""
    height, width = picture.shape[:2]
    x, y = np.meshgrid((np.arange(width) + 0.5) / width, (np.arange(height) + 0.5) / height)
    fading = np.sin(np.pi * x) * np.sin(np.pi * y)
    move = np.stack([np.cos(2 * np.pi * y), np.sin(2 * np.pi * x)], axis=-1) * fading[..., None]
    move *= largest_px / np.hypot(move[..., 0], move[..., 1]).max()
    at = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1) + move
    return cv2.remap(picture, at.astype(np.float32), None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), move


@pytest.mark.parametrize(("source", "share"), by_turns((0.009,), (0.013,)))
def test_a_local_warp_is_undone(source: str, share: float) -> None:
    """Bent by about one percent of the picture, the drawing is found again to three quarters of a pixel on average."""
    solution = pictures(source)[1]
    height, width = solution.shape[:2]
    largest = share * max(height, width)
    candidate, move = bent(solution, largest)
    found = aligned(source, candidate)
    assert found.method == "WARPED"
    assert found.bend is not None
    # An affine part of the warp may be in the matrix.
    assert 0.4 * largest < found.bend.largest_px < 1.6 * largest
    tiles = np.array(found.bend.offsets_px).reshape(found.bend.rows, found.bend.columns, 2)
    places = np.stack(np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5), axis=-1)
    sought = places + cv2.resize(tiles, (width, height), interpolation=cv2.INTER_CUBIC)
    back = cv2.invertAffineTransform(np.array(found.matrix).reshape(2, 3))
    # What belongs at p was drawn about at p - move(p), for moves that change slowly.
    # Only away from the frame, where there is something to see it by.
    middle = (slice(height // 8, -height // 8), slice(width // 8, -width // 8))
    error = np.linalg.norm(sought @ back[:, :2].T + back[:, 2] - (places - move), axis=2)[middle].mean()
    assert error < 0.75
    assert error < 0.6 * np.linalg.norm(move, axis=2)[middle].mean()


@pytest.mark.parametrize("source", ["square", "hexagon"])
def test_a_page_that_was_photographed_aslant_is_straightened(source: str) -> None:
    """Two of its corners are off by 3 % of its side, on a grey table; its corners are found to 3 pixels."""
    solution = pictures(source)[1]
    height, width = solution.shape[:2]
    rim = 0.06 * max(height, width)
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    seen = (corners + rim + np.array([[0.5, -0.1], [-0.4, 0.5], [0.1, 0.2], [-0.5, -0.4]]) * rim).astype(np.float32)
    size = (round(width + 2 * rim), round(height + 2 * rim))
    table = np.full((size[1], size[0], 3), (150, 140, 128), np.uint8)
    projection = cv2.getPerspectiveTransform(corners, seen)
    cv2.warpPerspective(solution, projection, size, table, cv2.INTER_LINEAR, cv2.BORDER_TRANSPARENT)
    found = aligned(source, table)
    assert found.quality > 0.95
    assert found.bend is not None
    tiles = np.array(found.bend.offsets_px).reshape(found.bend.rows, found.bend.columns, 2)
    places = np.stack(np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5), axis=-1)
    sought = places + cv2.resize(tiles, (width, height), interpolation=cv2.INTER_CUBIC)
    back = cv2.invertAffineTransform(np.array(found.matrix).reshape(2, 3))
    error = np.linalg.norm(
        sought @ back[:, :2].T + back[:, 2] - cv2.perspectiveTransform(places.astype(np.float32), projection), axis=2
    )
    assert error.mean() < 1.0
    assert error.max() < 3.0


@pytest.mark.parametrize("source", SOURCES)
def test_a_picture_that_was_not_bent_stays_straight(source: str) -> None:
    height, width = pictures(source)[1].shape[:2]
    for candidate in (pictures(source)[1], resized(pictures(source)[1], width * 2, height * 2)):
        assert aligned(source, candidate).bend is None


def test_what_lies_further_off_was_redrawn() -> None:
    solution = pictures("square")[1]
    candidate, _ = bent(solution, 0.012 * max(solution.shape))
    narrow = replace(config("square"), max_bend=0.004)
    assert align(Pyramid(candidate), template("square"), narrow).bend is None


def test_the_frame_is_outlined_in_the_candidate() -> None:
    """Twice as large with bars of 20 at the sides: x from 20 to 2 w + 20, y from 0 to 2 h."""
    height, width = pictures("square")[1].shape[:2]
    candidate = letterboxed(pictures("square")[1], 2 * width + 40, 2 * height, BLACK)
    outline = frame_outline(aligned("square", candidate), (width, height))
    expected = [[20, 0], [2 * width + 20, 0], [2 * width + 20, 2 * height], [20, 2 * height]]
    assert outline == pytest.approx(np.array(expected), abs=2.0)
