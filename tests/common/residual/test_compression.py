"""What compression leaves around edges is told from what was drawn there."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from detectors.common.residual.compression import CompressionConfig, without_compression
from detectors.common.residual.mixing import lengths, seen

SIDE = 192
WHITE = seen(np.full((1, 3), 255, np.uint8))[0]
CONFIG = CompressionConfig()


def plain() -> np.ndarray:
    """Black walls and a blue line, on white."""
    picture = np.full((SIDE, SIDE, 3), 255, np.uint8)
    for at in range(20, SIDE, 40):
        cv2.line(picture, (at, 10), (at, SIDE - 30), (0, 0, 0), 4)
    cv2.line(picture, (5, SIDE - 15), (SIDE - 5, SIDE - 15), (20, 60, 220), 6)
    return picture


def compressed(picture: np.ndarray, quality: int) -> np.ndarray:
    data = cv2.imencode(".jpg", picture[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return cv2.imdecode(data, cv2.IMREAD_COLOR_RGB)


def residual(picture: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """What is left of the ground, where that is, what is explained, and its edges."""
    edges = (plain() != 255).any(axis=2)
    usable = cv2.dilate(edges.view(np.uint8), np.ones((3, 3), np.uint8)) == 0
    explained = picture.copy()
    explained[usable] = 255
    return (seen(picture) - WHITE) * usable[..., None], usable, explained, edges


@pytest.mark.parametrize("quality", [50, 25])
def test_what_compression_leaves_counts_for_less(quality):
    values, usable, explained, edges = residual(compressed(plain(), quality))
    left = without_compression(values, usable, explained, edges, 1.0, CONFIG)
    assert left is not None
    near = usable & (cv2.dilate(edges.view(np.uint8), np.ones((13, 13), np.uint8)) > 0)
    before, after = (float(np.quantile(lengths(one)[near], 0.98)) for one in (values, left))
    assert before > 0.03
    assert after < before / 3


def test_what_lies_away_from_edges_counts_as_before():
    """Between two walls, 20 px from either, a grey spot."""
    picture = compressed(plain(), 50)
    picture[80:86, 77:83] = 200
    values, usable, explained, edges = residual(picture)
    left = without_compression(values, usable, explained, edges, 1.0, CONFIG)
    assert left is not None
    before, after = (float(lengths(one)[80:86, 77:83].mean()) for one in (values, left))
    assert after > 0.8 * before


def test_in_a_far_larger_candidate_compression_is_not_looked_at():
    told = residual(compressed(plain(), 25))
    assert without_compression(*told, 1.0, replace(CONFIG, most_pixels=SIDE**2)) is not None
    assert without_compression(*told, 1.0, replace(CONFIG, most_pixels=SIDE**2 - 1)) is None


@pytest.mark.parametrize(("side", "looked_at"), [(2048, True), (2500, False)])
def test_a_candidate_of_six_million_pixels_is_looked_at(side, looked_at):
    """2048 x 2048 are 4.2 million; 2500 x 2500 are 6.25. Both in a frame of four times the picture a side."""
    values, usable, explained, edges = residual(compressed(plain(), 15))
    told = np.tile(values, (4, 4, 1)), np.tile(usable, (4, 4)), np.tile(explained, (4, 4, 1)), np.tile(edges, (4, 4))
    loose = replace(CONFIG, alike=0.0, correlated=-1.0)
    assert (without_compression(*told, side / (4 * SIDE), loose) is not None) is looked_at


def test_a_picture_that_was_not_compressed_is_left_as_it_is():
    picture = plain()
    assert without_compression(*residual(picture), 1.0, CONFIG) is None
    # A wide shade along a wall is no compression: it lies where that leaves nothing.
    shade = np.zeros((SIDE, SIDE), bool)
    shade[10:60, 26:56] = True
    picture[shade & (picture == 255).all(axis=2)] = 225
    assert without_compression(*residual(picture), 1.0, CONFIG) is None


def test_whole_blocks_around_edges_are_compression_wherever_it_leaves_them():
    """Tints of 0.03 in three of four blocks of 8 px around edges, none elsewhere; then in few, which are marks."""
    values, usable, explained, edges = residual(plain())
    blocks = np.ones((SIDE // 8, SIDE // 8), bool)
    blocks[::4] = False
    near = cv2.dilate(edges.view(np.uint8), np.ones((17, 17), np.uint8)) > 0
    tint = np.kron(blocks, np.ones((8, 8), bool)) & near & usable
    values[tint] = (0.0, 0.03, 0.0)
    # Compression leaves its own elsewhere in these blocks.
    strict = replace(CONFIG, correlated=2.0)
    left = without_compression(values, usable, explained, edges, 1.0, strict)
    assert left is not None
    # A quarter counts where compression leaves 0.03, 1 / (1 + 0.03 / 0.01); it is told from 0.8 of that on.
    assert 0.03 / 4.0 <= np.median(lengths(left)[tint]) <= 0.03 / (1.0 + 0.8 * 3.0)
    values[: SIDE - 40] = 0.0
    assert without_compression(values, usable, explained, edges, 1.0, strict) is None
