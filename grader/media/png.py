"""PNG files, read strictly: the container here, the pixels by OpenCV.

A PNG is taken apart and put together again from the chunks that make the picture. So no decoder sees text, animation,
gamma or profile chunks (decoders differ in what they do with them), every length and checksum has been verified before
a pixel is decoded, and what libpng would print about a broken file is hardly ever printed. OpenCV is used for all kinds
of PNG because Pillow silently accepts a file that has half of its rows, and cuts 16-bit colour down to its high bytes.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from grader.media.costs import MAX_PARTS, too_costly
from grader.media.types import MediaError, MediaLimits, MediaReason

Samples = NDArray[np.uint8 | np.uint16]

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_MAX_PROFILE_BYTES = 16 * 1024 * 1024
_GREY, _RGB, _PALETTE, _GREY_ALPHA, _RGBA = 0, 2, 3, 4, 6
_BIT_DEPTHS = {
    _GREY: (1, 2, 4, 8, 16),
    _RGB: (8, 16),
    _PALETTE: (1, 2, 4, 8),
    _GREY_ALPHA: (8, 16),
    _RGBA: (8, 16),
}


@dataclass(frozen=True)
class PngFile:
    """A PNG that has been taken apart; its chunks are whole and their checksums right.

    Attributes
    ----------
    width_px, height_px, bit_depth, color_type : as in its header
    picture : the file again, with only the chunks that make the first picture
    transparent_sample : the samples of the colour that is transparent (1 for grey, 3 for RGB), or None
    has_palette_alpha : whether palette entries have alpha
    profile : the embedded ICC profile; empty when it is damaged; None when there is none
    exif : the Exif block, or None
    frames : frames of an animation; 1 when there is none
    """

    width_px: int
    height_px: int
    bit_depth: int
    color_type: int
    picture: bytes
    transparent_sample: tuple[int, ...] | None
    has_palette_alpha: bool
    profile: bytes | None
    exif: bytes | None
    frames: int

    @property
    def is_grey(self) -> bool:
        """Whether it has no colour channels."""
        return self.color_type in (_GREY, _GREY_ALPHA)


@dataclass(frozen=True, eq=False)
class PngPixels:
    """Decoded samples: color (H, W, 3) RGB, alpha (H, W) or None when opaque; both uint8, or both uint16 at 16 bit."""

    color: Samples
    alpha: Samples | None


def _broken(what: str) -> MediaError:
    return MediaError(MediaReason.UNDECODABLE, f"the PNG is broken or cut off: {what}; send a whole file")


def open_png(data: bytes, limits: MediaLimits) -> PngFile:
    """Take a PNG apart without decoding a pixel.

    Parameters
    ----------
    data : bytes
        A file that begins with PNG's signature.
    limits : MediaLimits
        Its size is checked first, right after the header.

    Returns
    -------
    PngFile

    Raises
    ------
    MediaError
        UNDECODABLE, SIDE_TOO_LONG, TOO_MANY_PIXELS or TOO_COSTLY.
    """
    header = data[8:33]
    if len(header) < 25 or header[:8] != b"\0\0\0\x0dIHDR":
        raise _broken("it does not start with a header")
    width, height, depth, color, compression, filtering, interlace = struct.unpack_from(">IIBBBBB", header, 8)
    limits.check_size(width, height)
    if depth not in _BIT_DEPTHS.get(color, ()) or compression or filtering or interlace > 1:
        raise _broken(f"no PNG has colour type {color} with {depth} bits")
    chunks = _chunks(data)
    palette = chunks.first(b"PLTE") if color == _PALETTE else None
    key = chunks.first(b"tRNS")
    frame_count = chunks.first(b"acTL")
    kept = [_chunk(b"IHDR", header[8:21])]
    if palette is not None:
        kept.append(_chunk(b"PLTE", palette))
        if key is not None:
            # Entries beyond the palette mean nothing, but libpng would then ignore the others too.
            kept.append(_chunk(b"tRNS", key[: len(palette) // 3]))
    kept += [*chunks.picture, _chunk(b"IEND", b"")]
    return PngFile(
        width_px=width,
        height_px=height,
        bit_depth=depth,
        color_type=color,
        picture=_SIGNATURE + b"".join(kept),
        transparent_sample=_transparent_sample(key, color, depth),
        has_palette_alpha=palette is not None and key is not None,
        profile=_profile(chunks.first(b"iCCP")),
        exif=chunks.first(b"eXIf"),
        frames=struct.unpack_from(">I", frame_count)[0] if frame_count is not None and len(frame_count) >= 4 else 1,
    )


@dataclass(frozen=True)
class _Chunks:
    picture: tuple[bytes, ...]
    others: tuple[tuple[bytes, bytes], ...]

    def first(self, kind: bytes) -> bytes | None:
        return next((body for name, body in self.others if name == kind), None)


def _chunks(data: bytes) -> _Chunks:
    """Walk over the chunks up to IEND, checking lengths and checksums. What follows IEND is no part of the picture."""
    view = memoryview(data)
    picture: list[bytes] = []
    others: list[tuple[bytes, bytes]] = []
    at = len(_SIGNATURE)
    parts = 0
    while at + 12 <= len(data):
        parts += 1
        if parts > MAX_PARTS:
            raise too_costly(f"the PNG has more than {MAX_PARTS} chunks")
        (length,) = struct.unpack_from(">I", data, at)
        end = at + 12 + length
        if end > len(data):
            break
        kind = data[at + 4 : at + 8]
        (checksum,) = struct.unpack_from(">I", data, end - 4)
        if zlib.crc32(view[at + 4 : end - 4]) != checksum:
            raise _broken(f"the checksum of chunk {kind!r} is wrong")
        if kind == b"IEND":
            return _Chunks(tuple(picture), tuple(others))
        if kind == b"IDAT":
            picture.append(data[at:end])
        elif kind in (b"PLTE", b"tRNS", b"iCCP", b"eXIf", b"acTL"):
            others.append((kind, data[at + 8 : end - 4]))
        elif kind[0] & 0x20 == 0 and kind != b"IHDR":
            # A capital first letter says that the picture can't be decoded without knowing the chunk.
            raise _broken(f"chunk {kind!r} is not of the PNG standard")
        at = end
    raise _broken(f"it ends after {len(data)} bytes without its last chunk")


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def _transparent_sample(key: bytes | None, color: int, depth: int) -> tuple[int, ...] | None:
    count = {_GREY: 1, _RGB: 3}.get(color, 0)
    if key is None or count == 0:
        return None
    if len(key) != 2 * count:
        raise _broken(f"its transparent colour has {len(key)} bytes instead of {2 * count}")
    samples: tuple[int, ...] = struct.unpack(f">{count}H", key)
    largest = 2**depth - 1
    # Samples of fewer than 8 bits are decoded to the range 0 to 255.
    return tuple((sample & largest) * (255 // largest if depth < 8 else 1) for sample in samples)


def _profile(chunk: bytes | None) -> bytes | None:
    if chunk is None:
        return None
    _, _, rest = chunk.partition(b"\0")
    if rest[:1] != b"\0":
        return b""
    unpacker = zlib.decompressobj()
    try:
        profile = unpacker.decompress(rest[1:], _MAX_PROFILE_BYTES)
    except zlib.error:
        return b""
    return profile if unpacker.eof else b""


def decode_png(png: PngFile) -> PngPixels:
    """Decode the first picture of a PNG, without colour management and without turning it.

    Parameters
    ----------
    png : PngFile
        From `open_png`.

    Returns
    -------
    PngPixels
        Samples as stored; those of fewer than 8 bits spread over 0 to 255.

    Raises
    ------
    MediaError
        UNDECODABLE when the compressed data are broken, or end before the last row.
    """
    plain = png.bit_depth < 16 and png.color_type in (_GREY, _RGB, _PALETTE) and not png.has_palette_alpha
    encoded = np.frombuffer(png.picture, np.uint8)
    try:
        pixels = cv2.imdecode(encoded, cv2.IMREAD_COLOR_RGB if plain else cv2.IMREAD_UNCHANGED)
    except cv2.error as error:
        if error.code == cv2.Error.StsNoMem:
            raise MemoryError(f"no memory for a picture of {png.width_px} x {png.height_px} px") from error
        raise _broken("its pixels can't be decoded") from error
    if pixels is None or pixels.shape[:2] != (png.height_px, png.width_px):
        raise _broken("its pixels can't be decoded")
    samples = cast(Samples, pixels)
    color, alpha = samples, None
    if samples.ndim == 2:
        color = np.repeat(samples[:, :, None], 3, axis=2)
    elif not plain:
        color = np.ascontiguousarray(samples[:, :, 2::-1])
        alpha = np.ascontiguousarray(samples[:, :, 3]) if samples.shape[2] == 4 else None
    if png.transparent_sample is not None:
        key = np.array(png.transparent_sample, color.dtype)
        alpha = np.where((color == key).all(axis=2), 0, np.iinfo(color.dtype).max).astype(color.dtype)
    return PngPixels(color, alpha)
