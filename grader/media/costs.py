"""What a picture would cost is counted before it costs: scans, blocks, chunks and tables.

Decoders go over all pixels once more for each scan of a progressive JPEG, and libraries walk through parts of a file
one by one, or search all of them for each. So a file of a few hundred kilobytes can take minutes; its headers tell.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from grader.media.types import MediaError, MediaLimits, MediaReason

MAX_PARTS = 50_000
"""Segments of a JPEG, blocks of a GIF's first picture, chunks of a PNG or WebP; honest files have a tenth of it."""
MAX_EXIF_BYTES = 128 * 1024
"""A larger Exif block is that of a file which means harm, or holds a preview that nobody needs here."""
_MAX_TABLE_BYTES = 512 * 1024
"""What an AVIF says of its parts; their own data are not counted."""
_SOI, _EOI, _SOS, _APP1 = 0xD8, 0xD9, 0xDA, 0xE1
_BARE = frozenset({0x01, *range(0xD0, 0xD9)})
_END_OF_SCAN = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")
_EXTENSION, _PICTURE, _TRAILER = 0x21, 0x2C, 0x3B


def too_costly(what: str) -> MediaError:
    """The error for a file that would take too long."""
    return MediaError(
        MediaReason.TOO_COSTLY, f"{what}; that would take too long to decode; save it anew in a plain way"
    )


def _check_parts(name: str, what: str, parts: int) -> None:
    if parts > MAX_PARTS:
        raise too_costly(f"the {name} has more than {MAX_PARTS} {what}")


@dataclass(frozen=True)
class JpegCost:
    """What was counted in a JPEG, up to its end or to where it breaks off: scans, and bytes of Exif blocks."""

    scans: int
    exif_bytes: int


def jpeg_cost(data: bytes) -> JpegCost:
    """Counts a JPEG's scans; raises MediaError TOO_COSTLY for one of very many segments."""
    at, scans, exif, parts = 2, 0, 0, 0
    while at + 4 <= len(data):
        parts += 1
        _check_parts("JPEG", "segments", parts)
        if data[at] != 0xFF:
            # Decoders skip what is no marker.
            found = data.find(b"\xff", at)
            if found < 0:
                break
            at = found
            continue
        kind = data[at + 1]
        if kind == _EOI:
            break
        if kind == 0xFF or kind in _BARE:
            at += 1 if kind == 0xFF else 2
            continue
        size = int.from_bytes(data[at + 2 : at + 4], "big")
        exif += size if kind == _APP1 and data.startswith(b"Exif", at + 4) else 0
        at += 2 + max(2, size)
        if kind == _SOS:
            scans += 1
            end = _END_OF_SCAN.search(data, at)
            if end is None:
                break
            at = end.start()
    return JpegCost(scans, exif)


def check_jpeg(data: bytes, width_px: int, height_px: int, limits: MediaLimits) -> None:
    """Refuses a JPEG of so many scans, each over so many pixels, that decoding takes long; raises MediaError."""
    cost = jpeg_cost(data)
    pixels = cost.scans * width_px * height_px
    if cost.scans > limits.max_scans or pixels > limits.max_scan_pixels:
        raise too_costly(f"the JPEG has {cost.scans} scans of {width_px} x {height_px} px")


def check_parts(name: str, data: bytes) -> None:
    """Refuses a file of very many parts before its library goes through them; raises MediaError TOO_COSTLY."""
    match name:
        case "JPEG":
            exif = jpeg_cost(data).exif_bytes
            if exif > MAX_EXIF_BYTES:
                raise too_costly(f"the JPEG has {exif} bytes of Exif, at most {MAX_EXIF_BYTES} are read")
        case "GIF":
            count_gif_frames(data, 2)
        case "WEBP":
            _count(data, 12, b"", "little")
        case "AVIF":
            _check_avif(data)


def count_gif_frames(data: bytes, most: int) -> int:
    """Pictures in a GIF, counted up to ``most`` and not decoded; raises MediaError where it has too many blocks."""
    at = 13 + (3 << ((data[10] & 7) + 1) if len(data) > 10 and data[10] & 0x80 else 0)
    parts = frames = 0
    while at < len(data) and data[at] != _TRAILER and frames < most:
        kind = data[at]
        if kind == _EXTENSION:
            at += 2
        elif kind == _PICTURE:
            frames += 1
            flags = data[at + 9] if at + 9 < len(data) else 0
            at += 11 + (3 << ((flags & 7) + 1) if flags & 0x80 else 0)
        else:
            at += 1
        while kind in (_EXTENSION, _PICTURE) and at < len(data) and data[at]:
            at += 1 + data[at]
            parts += 1
            # Pictures come in blocks of 255 bytes, so that a large one has many.
            if parts > MAX_PARTS + len(data) // 128:
                _check_parts("GIF", "blocks", parts)
        parts += 1
        _check_parts("GIF", "blocks", parts - len(data) // 128)
        at += kind in (_EXTENSION, _PICTURE)
    return frames


def check_animation(name: str, data: bytes, limits: MediaLimits) -> None:
    """Refuses an animation of too many or too large frames before its library goes through them; raises MediaError."""
    check_parts(name, data)
    match name:
        case "GIF":
            limits.check_frames(count_gif_frames(data, limits.max_frames + 1))
        case "WEBP":
            limits.check_frame_size(*webp_size(data))
            limits.check_frames(_count(data, 12, b"ANMF", "little"))
        case "PNG":
            limits.check_frames(_count(data, 8, b"fcTL", "big"))
            if (exif := data.find(b"eXIf")) >= 4 and int.from_bytes(data[exif - 4 : exif], "big") > MAX_EXIF_BYTES:
                raise too_costly(f"the PNG has more than {MAX_EXIF_BYTES} bytes of Exif")


def _count(data: bytes, at: int, wanted: bytes, order: Literal["little", "big"]) -> int:
    """How many chunks of a kind there are in a WebP, or a PNG, whose chunks have their size first and a checksum."""
    found = parts = 0
    while at + 8 <= len(data):
        parts += 1
        _check_parts("PNG" if order == "big" else "WebP", "chunks", parts)
        size, kind = (
            (data[at : at + 4], data[at + 4 : at + 8]) if order == "big" else (data[at + 4 : at + 8], data[at : at + 4])
        )
        found += kind == wanted
        number = int.from_bytes(size, order)
        at += 12 + number if order == "big" else 8 + number + (number & 1)
    return found


def _boxes(data: bytes, at: int, end: int) -> list[tuple[bytes, int, int]]:
    """Kind, start of the content and end of each box between two places."""
    found = []
    while at + 8 <= end:
        size, kind, body = int.from_bytes(data[at : at + 4], "big"), data[at + 4 : at + 8], at + 8
        if size == 1:
            size, body = int.from_bytes(data[at + 8 : at + 16], "big"), at + 16
        elif size == 0:
            size = end - at
        if size < body - at:
            break
        found.append((kind, body, min(at + size, end)))
        _check_parts("AVIF", "boxes", len(found))
        at += size
    return found


def _check_avif(data: bytes) -> None:
    """Its tables name parts of the picture, and each part is looked for among all."""
    for kind, body, end in _boxes(data, 0, len(data)):
        if kind == b"meta":
            table = sum(last - first for name, first, last in _boxes(data, body + 4, end) if name != b"idat")
        elif kind == b"moov":
            table = end - body
        else:
            continue
        if table > _MAX_TABLE_BYTES:
            raise too_costly(f"the AVIF has tables of {table} bytes, at most {_MAX_TABLE_BYTES} are read")


def webp_size(data: bytes) -> tuple[int, int]:
    """Read the canvas (width, height) from a WebP's first chunk."""
    kind = data[12:16]
    if kind == b"VP8X":
        return int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1
    if kind == b"VP8L":
        bits = int.from_bytes(data[21:25], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8 ":
        return int.from_bytes(data[26:28], "little") & 0x3FFF, int.from_bytes(data[28:30], "little") & 0x3FFF
    raise ValueError("it does not start with a picture")
