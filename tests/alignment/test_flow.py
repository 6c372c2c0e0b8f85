"""Displacements block by block: what was moved is found again, whatever is drawn on it."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from grader.alignment.flow import FlowConfig, affine_step, block_flow, block_grid, projective_step, smooth_field

HEIGHT, WIDTH = 160, 240
GRID = (8, 10)
CONFIG = FlowConfig()


def texture() -> np.ndarray:
    dice = np.random.default_rng(3)
    noise = dice.normal(128.0, 300.0, (HEIGHT, WIDTH)).astype(np.float32)
    return np.clip(cv2.GaussianBlur(noise, (0, 0), 3.0), 0, 255)


TARGET = texture()
GRADIENTS = (cv2.Sobel(TARGET, cv2.CV_32F, 1, 0, scale=0.125), cv2.Sobel(TARGET, cv2.CV_32F, 0, 1, scale=0.125))
EVERYWHERE = np.ones((HEIGHT, WIDTH), bool)


def displaced(across: np.ndarray, down: np.ndarray) -> np.ndarray:
    """A picture that shows at p what belongs at p + (across, down)."""
    x, y = np.meshgrid(np.arange(WIDTH, dtype=np.float32), np.arange(HEIGHT, dtype=np.float32))
    return cv2.remap(TARGET, x + across.astype(np.float32), y + down.astype(np.float32), cv2.INTER_CUBIC)


def flow(picture: np.ndarray, usable: np.ndarray = EVERYWHERE):
    return block_flow(picture, TARGET, GRADIENTS, usable, GRID, CONFIG)


def coordinates() -> tuple[np.ndarray, np.ndarray]:
    """-1 to 1 across the picture, at pixel centres."""
    x = (2.0 * np.arange(WIDTH) + 1.0) / WIDTH - 1.0
    y = (2.0 * np.arange(HEIGHT) + 1.0) / HEIGHT - 1.0
    return np.meshgrid(x, y)


def test_a_picture_of_fewer_pixels_than_blocks_has_no_flow_that_is_no_number() -> None:
    few = np.ascontiguousarray(TARGET[:5, :7])
    gradients = tuple(np.ascontiguousarray(one[:5, :7]) for one in GRADIENTS)
    found = block_flow(few, few, gradients, np.ones(few.shape, bool), GRID, CONFIG)
    assert np.isfinite(found.steps(CONFIG)).all()


def test_nothing_moved_is_nothing_found() -> None:
    found = flow(TARGET)
    assert np.abs(found.steps(CONFIG)).max() == 0.0
    assert np.abs(affine_step(found, CONFIG)).max() == 0.0
    assert np.abs(smooth_field(found, CONFIG)).max() == 0.0


@pytest.mark.parametrize(
    "change", [[[0, 0, 0.4], [0, 0, -0.3]], [[0.5, 0, 0], [0, 0.5, 0]], [[0, 0.4, 0.1], [-0.4, 0, 0]]]
)
def test_an_affine_change_is_found(change: list[list[float]]) -> None:
    """Shift, zoom and turn, by repeated steps: the gradient is smoothed, so that each overshoots, by up to a half."""
    x, y = coordinates()

    def step(of: np.ndarray) -> np.ndarray:
        across, down = (row[0] * x + row[1] * y + row[2] for row in of)
        return affine_step(flow(displaced(across, down)), CONFIG)

    left = np.array(change)
    for _ in range(5):
        # What one step leaves is what the next one sees.
        left = left - step(left)
    # Half of 0.5, five times, is 0.016.
    assert np.abs(left).max() < 0.016


def test_a_perspective_change_is_found() -> None:
    """As above; (g X + h Y) (X, Y) for 0.4 and -0.3 pixels, and a shift."""
    x, y = coordinates()
    rows, columns = GRID
    at_x, at_y = np.meshgrid(*((2.0 * np.arange(n) + 1.0) / n - 1.0 for n in (columns, rows)))
    turn = 0.4 * x - 0.3 * y
    across, down = turn * x + 0.3, turn * y
    middle = 0.4 * at_x - 0.3 * at_y
    wanted = np.stack([middle * at_x + 0.3, middle * at_y], axis=-1)
    found = projective_step(flow(displaced(across, down)), CONFIG)
    # Each step overshoots, by up to a half.
    assert np.abs(found - wanted).max() < 0.5 * np.abs(wanted).max()
    left = displaced(
        across - cv2.resize(found[..., 0], (WIDTH, HEIGHT)), down - cv2.resize(found[..., 1], (WIDTH, HEIGHT))
    )
    assert np.abs(found + projective_step(flow(left), CONFIG) - wanted).max() < 0.25 * np.abs(wanted).max()


def test_a_drawing_does_not_sway_it() -> None:
    """A white bar over a sixth of the picture, moved by 0.4 pixels as a whole; each of 80 blocks has its say."""
    moved = displaced(np.full((HEIGHT, WIDTH), 0.4), np.zeros((HEIGHT, WIDTH)))
    moved[:, 40:80] = 255.0
    assert affine_step(flow(moved), CONFIG) == pytest.approx(np.array([[0, 0, 0.4], [0, 0, 0]]), abs=0.1)


def test_what_cannot_be_compared_says_nothing() -> None:
    usable = EVERYWHERE.copy()
    usable[:, 100:] = False
    moved = displaced(np.full((HEIGHT, WIDTH), 0.4), np.zeros((HEIGHT, WIDTH)))
    spoilt = moved.copy()
    spoilt[:, 100:] = 0.0
    assert np.array_equal(affine_step(flow(moved, usable), CONFIG), affine_step(flow(spoilt, usable), CONFIG))


def test_a_local_displacement_is_found_where_it_is() -> None:
    x, _ = coordinates()
    across = 0.5 * np.sin(np.pi * x)
    field = smooth_field(flow(displaced(across, np.zeros_like(across))), replace(CONFIG, stiffness=0.02))
    assert field.shape == (*GRID, 2)
    # The middles of 10 blocks lie at -0.9, -0.7, ..., 0.9.
    expected = 0.5 * np.sin(np.pi * np.linspace(-0.9, 0.9, 10))
    assert field[..., 0].mean(axis=0) == pytest.approx(expected, abs=0.12)
    assert np.abs(field[..., 1]).max() < 0.1


def test_a_stiff_field_moves_as_one() -> None:
    x, _ = coordinates()
    across = 0.5 * np.sin(np.pi * x)
    field = smooth_field(flow(displaced(across, np.zeros_like(across))), replace(CONFIG, stiffness=1000.0))
    # A sine has no mean, and nothing stiff follows it.
    assert np.abs(field).max() < 0.1


def test_blocks_are_no_smaller_than_they_can_tell() -> None:
    assert block_grid(300, 300, CONFIG) == (12, 12)
    # 300 / 12 = 25 blocks of 12 pixels would fit; 60 / 12 = 5; two at least.
    assert block_grid(60, 300, CONFIG) == (5, 12)
    assert block_grid(10, 10, CONFIG) == (2, 2)


def test_larger_blocks_gather_the_smaller() -> None:
    fine = flow(displaced(np.full((HEIGHT, WIDTH), 0.4), np.zeros((HEIGHT, WIDTH))))
    coarse = fine.gathered(2, 2)
    assert coarse.xx.shape == (2, 2)
    # All blocks are of one size, 20 x 24 pixels, so that a mean of means is the mean.
    assert coarse.xx.mean() == pytest.approx(fine.xx.mean(), rel=1e-12)
    assert coarse.steps(CONFIG)[0] == pytest.approx(np.full((2, 2), 0.4), abs=0.05)
