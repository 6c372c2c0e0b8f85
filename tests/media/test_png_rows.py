"""Whether the compressed data of a PNG hold all rows is known before a decoder would print that they do not."""

from __future__ import annotations

import struct
import zlib

import numpy as np
import pytest

from grader.media.pictures import MediaError, decode_image
from tests.samples.media import chunk, png

PASSES = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
"""Of Adam7: first column and row, and steps across and down."""


def interlaced(grey: np.ndarray, *, cut: int = 0) -> bytes:
    """A PNG of (H, W) uint8 in seven passes, without the last bytes of its rows."""
    rows = b""
    for left, top, across, down in PASSES:
        part = grey[top::down, left::across]
        if part.size:
            rows += b"".join(b"\0" + row.tobytes() for row in part)
    header = struct.pack(">IIBBBBB", grey.shape[1], grey.shape[0], 8, 0, 0, 0, 1)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(rows[: len(rows) - cut])), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(kind, body) for kind, body in parts)


def test_rows_that_are_missing_are_told_without_a_word_of_a_decoder(capfd: pytest.CaptureFixture[str]) -> None:
    whole = np.random.default_rng(0).integers(0, 256, (40, 90), dtype=np.uint8)
    for data in (png(whole, 8, 2, rows=39), png(whole, 8, 2, rows=0), interlaced(whole, cut=1)):
        with pytest.raises(MediaError, match="its compressed data end before the last row"):
            decode_image(data)
    assert capfd.readouterr().err == ""


def test_damaged_data_are_told_without_a_word_of_a_decoder(capfd: pytest.CaptureFixture[str]) -> None:
    whole = png(np.random.default_rng(0).integers(0, 256, (40, 90), dtype=np.uint8), 8, 2)
    at = whole.index(b"IDAT")
    (length,) = struct.unpack_from(">I", whole, at - 4)
    body = bytearray(whole[at + 4 : at + 4 + length])
    body[2] |= 0b110  # the first block is of a kind that there is not
    with pytest.raises(MediaError, match="its compressed data are damaged"):
        decode_image(whole[: at - 4] + chunk(b"IDAT", bytes(body)) + chunk(b"IEND", b""))
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("height", range(1, 10))
@pytest.mark.parametrize("width", range(1, 10))
def test_interlaced_pictures_of_any_size_hold_all_their_rows(width: int, height: int) -> None:
    grey = np.arange(width * height, dtype=np.uint8).reshape(height, width)
    assert np.array_equal(decode_image(interlaced(grey)).pixels[..., 0], grey)


@pytest.mark.parametrize("size", [1 << 10, 3 << 10])
def test_rows_that_pack_well_are_all_counted(size: int) -> None:
    """Several of them come of a few bytes, in more pieces than one."""
    flat = np.full((size, size), 7, np.uint8)
    assert (decode_image(png(flat, 8, 0)).pixels == 7).all()
