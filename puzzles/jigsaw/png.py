"""Pictures as PNG, fast: there are thousands of them, and each is read once."""

from __future__ import annotations

import struct
import zlib
from typing import Final

import numpy as np

from puzzles.jigsaw.rules import Pixels

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_UP: Final = 2  # the filter: each byte less the one above it


def encoded(picture: Pixels) -> bytes:
    """A picture, (H, W, 3) uint8 RGB, as PNG: the same bytes each time, about twice as fast as what is general."""
    height, width = picture.shape[:2]
    flat = picture.reshape(height, width * 3)
    rows = np.empty((height, 1 + width * 3), np.uint8)
    rows[:, 0] = _UP
    rows[0, 1:] = flat[0]
    np.subtract(flat[1:], flat[:-1], out=rows[1:, 1:])
    packer = zlib.compressobj(1, zlib.DEFLATED, zlib.MAX_WBITS, zlib.DEF_MEM_LEVEL, zlib.Z_RLE)
    packed = packer.compress(rows.tobytes()) + packer.flush()
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return _SIGNATURE + _chunk(b"IHDR", header) + _chunk(b"IDAT", packed) + _chunk(b"IEND", b"")


def _chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
