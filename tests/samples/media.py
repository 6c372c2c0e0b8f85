"""Encoded pictures of every kind, written for the tests of media."""

from __future__ import annotations

import io
import struct
import zlib

import numpy as np
from PIL import Image

RNG = np.random.default_rng(7)


RGB = RNG.integers(0, 256, (9, 13, 3), dtype=np.uint8)


FLAT = np.repeat(np.repeat(np.array([[[200, 30, 40], [20, 120, 220]]], np.uint8), 32, 0), 32, 1)


LINEAR = b"curv\0\0\0\0\0\0\0\0"


def encode(pixels: np.ndarray | Image.Image, kind: str = "PNG", **options: object) -> bytes:
    stream = io.BytesIO()
    image = pixels if isinstance(pixels, Image.Image) else Image.fromarray(pixels)
    image.save(stream, kind, **options)
    return stream.getvalue()


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(
    samples: np.ndarray, depth: int, color: int, *extra: bytes, rows: int | None = None, trailer: bool = True
) -> bytes:
    """Write a PNG by hand; samples (H, W * channels) are already packed to bytes, or uint16."""
    height = len(samples)
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[color]
    width = samples.shape[1] * samples.dtype.itemsize * 8 // depth // channels
    packed = samples.astype(samples.dtype.newbyteorder(">"))
    data = zlib.compress(b"".join(b"\0" + row.tobytes() for row in packed[:rows]))
    header = struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, 0)
    end = chunk(b"IEND", b"") if trailer else b""
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + b"".join(extra) + chunk(b"IDAT", data) + end


def icc(device: bytes, space: bytes, pcs: bytes, tags: list[tuple[bytes, bytes]]) -> bytes:
    body, table, at = b"", b"", 132 + 12 * len(tags)
    for name, tag in tags:
        table += name + struct.pack(">II", at + len(body), len(tag))
        body += tag + b"\0" * (-len(tag) % 4)
    d50 = struct.pack(">iii", 63190, 65536, 54061)
    head = struct.pack(">I4sI4s4s4s", 0, b"\0\0\0\0", 0x02400000, device, space, pcs) + b"\x07\xe8\0\1\0\1" + b"\0" * 6
    head += b"acsp" + b"\0" * 28 + d50
    head = head.ljust(128, b"\0") + struct.pack(">I", len(tags)) + table
    return struct.pack(">I", len(head + body)) + (head + body)[4:]


def xyz(*values: float) -> bytes:
    return b"XYZ \0\0\0\0" + struct.pack(">iii", *(round(v * 65536) for v in values))


WHITE = (b"wtpt", xyz(0.9642, 1, 0.8249))


LINEAR_RGB = icc(
    b"mntr",
    b"RGB ",
    b"XYZ ",
    [
        WHITE,
        (b"rXYZ", xyz(0.4361, 0.2225, 0.0139)),
        (b"gXYZ", xyz(0.3851, 0.7169, 0.0971)),
        (b"bXYZ", xyz(0.1431, 0.0606, 0.7141)),
        *((name, LINEAR) for name in (b"rTRC", b"gTRC", b"bTRC")),
    ],
)


LINEAR_GREY = icc(b"mntr", b"GRAY", b"XYZ ", [WHITE, (b"kTRC", LINEAR)])


def cmyk_profile() -> bytes:
    """No ink is white, any ink is L* = 50 (sRGB 119), black ink is black."""
    ramp = bytes(range(256))
    nodes = b"".join(bytes((0 if n & 1 else 128 if n else 255, 128, 128)) for n in range(16))
    matrix = struct.pack(">9i", 65536, 0, 0, 0, 65536, 0, 0, 0, 65536)
    table = b"mft1\0\0\0\0" + bytes((4, 3, 2, 0)) + matrix + ramp * 4 + nodes + ramp * 3
    return icc(b"prtr", b"CMYK", b"Lab ", [WHITE, (b"A2B0", table)])


def exif_of(orientation: int) -> Image.Exif:
    tags = Image.Exif()
    tags[0x0112] = orientation
    return tags


def refreshed(data: bytes) -> bytes:
    """Mend a PNG's checksums, so that damage reaches what lies behind them."""
    at, out = 8, [data[:8]]
    while at + 12 <= len(data):
        length = min(struct.unpack_from(">I", data, at)[0], len(data) - at - 12)
        out.append(chunk(data[at + 4 : at + 8], data[at + 8 : at + 8 + length]))
        at += 12 + length
    return b"".join(out)
