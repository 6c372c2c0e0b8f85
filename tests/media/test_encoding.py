"""Frames become clips, and come back with their colours, times and places."""

from __future__ import annotations

import numpy as np
import pytest

from grader.media import encoding
from grader.media.encoding import encode_mp4, encode_webm
from tests.media.clip_reading import read, times, worst
from tests.samples.clips import (
    BLUE,
    GREEN,
    RED,
    WHITE,
    flat,
    noise,
    picture,
    pictures,
)


@pytest.mark.parametrize("encoder", [encode_mp4, encode_webm])
def test_flat_colours_come_back(encoder):
    patches = [RED, GREEN, BLUE, WHITE, (0, 0, 0), (128, 128, 128), (232, 93, 117), (0, 144, 193), (255, 214, 112)]
    frames, _ = read(encoder([flat(color) for color in patches], 24.0, crf=10))
    for color, frame in zip(patches, frames, strict=True):
        # 2.6 levels as above, and the coder's own step at this quality.
        assert worst(frame.pixels, np.array(color)) <= 5


@pytest.mark.parametrize("encoder", [encode_mp4, encode_webm])
def test_the_encoder_keeps_rate_order_and_bytes(encoder):
    data = encoder(iter(pictures(7)), 30000 / 1001)
    assert data == encoder(pictures(7), 30000 / 1001)
    frames, _ = read(data)
    assert times(frames) == pytest.approx([step * 1001 / 30000 for step in range(7)], abs=0.001)
    blues = [worst(frame.pixels[8:16, 4:12], np.array(BLUE)) <= 12 for frame in frames]
    assert blues == [False, True, False, True, False, True, False]


@pytest.mark.parametrize("frames", [pictures(30, 130, 98), noise(12, 130, 98)], ids=["flat", "noise"])
def test_the_bytes_do_not_depend_on_the_processor(monkeypatch, frames):
    """Reciprocals differ between processors, and once between two calls in a process that decodes; so none is used."""
    data = encode_mp4(frames, 24)
    read(data)
    assert data == encode_mp4(frames, 24)
    monkeypatch.setattr(encoding, "_REPRODUCIBLE", "asm=0")
    assert data == encode_mp4(frames, 24)


def test_odd_sides_are_made_even_at_the_right_and_the_bottom():
    pixels = picture(33, 25)
    frames, _ = read(encode_mp4([pixels] * 2, 24, crf=4))
    assert frames[0].pixels.shape == (26, 34, 3)
    assert worst(frames[0].pixels[18:, 24:], np.array(GREEN)) <= 8
    assert frames[0].pixels[:24, :32].shape == pixels[:24, :32].shape
    assert worst(frames[0].pixels[2:10, 2:6], np.array(WHITE)) <= 8


@pytest.mark.parametrize(
    ("frames", "fps", "crf", "message"),
    [
        ([], 24, 20, "no frames"),
        ([picture()], 0, 20, "fps"),
        ([picture()], float("nan"), 20, "fps"),
        ([picture()], 24, 99, "crf"),
        ([picture(), picture(32, 32)], 24, 20, "one size"),
        ([picture()[..., 0]], 24, 20, r"\(H, W, 3\)"),
        ([picture().astype(float)], 24, 20, "uint8"),
    ],
)
def test_what_can_not_be_encoded(frames, fps, crf, message):
    with pytest.raises(ValueError, match=message):
        encode_mp4(frames, fps, crf=crf)
