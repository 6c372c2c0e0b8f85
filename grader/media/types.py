"""What media are allowed to be, and the error that says why one was refused. ``grader.media.pictures`` has them too."""

from __future__ import annotations

import enum
import math
import struct
from dataclasses import dataclass

from grader.model.errors import GraderError

SUPPORTED_FORMATS = ("PNG", "JPEG", "WEBP", "AVIF", "GIF")
SUPPORTED_VIDEO_FORMATS = ("MP4", "WEBM", "GIF", "PNG", "WEBP")


class MediaReason(enum.Enum):
    """Why a picture, a clip or a URI was refused."""

    EMPTY = "EMPTY"
    TOO_MANY_BYTES = "TOO_MANY_BYTES"
    TOO_MANY_PIXELS = "TOO_MANY_PIXELS"
    SIDE_TOO_LONG = "SIDE_TOO_LONG"
    UNKNOWN_FORMAT = "UNKNOWN_FORMAT"
    FORMAT_NOT_ALLOWED = "FORMAT_NOT_ALLOWED"
    UNDECODABLE = "UNDECODABLE"
    TOO_MANY_FRAMES = "TOO_MANY_FRAMES"
    TOO_LONG = "TOO_LONG"
    TOO_COSTLY = "TOO_COSTLY"
    NO_FRAMES = "NO_FRAMES"
    LABELS_NOT_EXACT = "LABELS_NOT_EXACT"
    URI_NOT_ALLOWED = "URI_NOT_ALLOWED"
    URI_MALFORMED = "URI_MALFORMED"
    URI_OUTSIDE_ROOT = "URI_OUTSIDE_ROOT"
    URI_NOT_FOUND = "URI_NOT_FOUND"
    URI_NOT_A_FILE = "URI_NOT_A_FILE"
    URI_UNREADABLE = "URI_UNREADABLE"


class MediaError(GraderError):
    """A picture, a clip or a URI was refused.

    Whether this makes a candidate UNGRADABLE or a request INVALID_ARGUMENT depends on whose picture it was; the caller
    knows.

    Parameters
    ----------
    reason : MediaReason
        Why.
    message : str
        What was wrong, the figure and the limit where there is one, and what to do.
    """

    def __init__(self, reason: MediaReason, message: str) -> None:
        super().__init__(message)
        self.reason = reason

    def __reduce__(self) -> tuple[type[MediaError], tuple[MediaReason, str]]:
        return type(self), (self.reason, str(self))


@dataclass(frozen=True)
class MediaLimits:
    """What a picture or a clip may be at most.

    Attributes
    ----------
    max_bytes : size of the encoded file
    max_pixels : width times height of a picture
    max_side_px : width, and height, of a picture or of a clip's frames
    formats : allowed formats of pictures, of PNG, JPEG, WEBP, AVIF and GIF
    max_frames : frames of a clip
    max_duration_s : length of a clip, in seconds
    max_frame_pixels : width times height of a clip's frames
    video_formats : allowed formats of clips, of MP4 and WEBM, and of animated GIF, PNG and WEBP
    max_scans : scans of a JPEG
    max_scan_pixels : scans of a JPEG times its pixels
    max_series_pixels : pixels of all pictures of a series together

    Raises
    ------
    ValueError
        If a limit is not positive, or a format is not one that can be decoded.
    """

    max_bytes: int = 32 * 1024 * 1024
    max_pixels: int = 64_000_000
    max_side_px: int = 16384
    formats: tuple[str, ...] = SUPPORTED_FORMATS
    max_frames: int = 1500
    max_duration_s: float = 60.0
    max_frame_pixels: int = 2 * 1920 * 1080
    video_formats: tuple[str, ...] = SUPPORTED_VIDEO_FORMATS
    max_scans: int = 1000
    max_scan_pixels: int = 1_200_000_000
    max_series_pixels: int = 256_000_000

    def __post_init__(self) -> None:
        for name, number in (
            ("max_bytes", self.max_bytes),
            ("max_pixels", self.max_pixels),
            ("max_side_px", self.max_side_px),
            ("max_frames", self.max_frames),
            ("max_frame_pixels", self.max_frame_pixels),
            ("max_scans", self.max_scans),
            ("max_scan_pixels", self.max_scan_pixels),
            ("max_series_pixels", self.max_series_pixels),
        ):
            if number < 1:
                raise ValueError(f"{name} is {number}; a limit is at least 1")
        if not 0 < self.max_duration_s < math.inf:
            raise ValueError(f"max_duration_s is {self.max_duration_s}; a limit is a positive number of seconds")
        for name, given, supported in (
            ("formats", self.formats, SUPPORTED_FORMATS),
            ("video_formats", self.video_formats, SUPPORTED_VIDEO_FORMATS),
        ):
            unknown = set(given) - set(supported)
            if unknown:
                raise ValueError(f"{name} names {sorted(unknown)}; only {', '.join(supported)} can be decoded")

    def check_bytes(self, size_bytes: int) -> None:
        """Refuse a file that is too large.

        Raises
        ------
        MediaError
            TOO_MANY_BYTES.
        """
        if size_bytes > self.max_bytes:
            raise MediaError(
                MediaReason.TOO_MANY_BYTES,
                f"the file has {size_bytes} bytes, the limit is {self.max_bytes}; send a smaller one",
            )

    def check_size(self, width_px: int, height_px: int) -> None:
        """Refuse a picture that is empty, too long or too large, before its pixels are decoded.

        Raises
        ------
        MediaError
            UNDECODABLE, SIDE_TOO_LONG or TOO_MANY_PIXELS.
        """
        size = f"the picture is {width_px} x {height_px} px"
        if width_px < 1 or height_px < 1:
            raise MediaError(MediaReason.UNDECODABLE, f"{size}; a picture has at least one pixel")
        if max(width_px, height_px) > self.max_side_px:
            raise MediaError(
                MediaReason.SIDE_TOO_LONG, f"{size}, the limit for a side is {self.max_side_px} px; send a smaller one"
            )
        if width_px * height_px > self.max_pixels:
            raise MediaError(
                MediaReason.TOO_MANY_PIXELS,
                f"{size}, that is {width_px * height_px} pixels, the limit is {self.max_pixels}; send a smaller one",
            )

    def check_frame_size(self, width_px: int, height_px: int) -> None:
        """Refuse a clip whose frames are empty, too long or too large.

        Raises
        ------
        MediaError
            UNDECODABLE, SIDE_TOO_LONG or TOO_MANY_PIXELS.
        """
        size = f"the clip's frames are {width_px} x {height_px} px"
        if width_px < 1 or height_px < 1:
            raise MediaError(MediaReason.UNDECODABLE, f"{size}; a frame has at least one pixel")
        if max(width_px, height_px) > self.max_side_px:
            raise MediaError(
                MediaReason.SIDE_TOO_LONG, f"{size}, the limit for a side is {self.max_side_px} px; send a smaller clip"
            )
        if width_px * height_px > self.max_frame_pixels:
            raise MediaError(
                MediaReason.TOO_MANY_PIXELS,
                f"{size}, that is {width_px * height_px} pixels, the limit is {self.max_frame_pixels}; "
                "send a smaller clip",
            )

    def check_frames(self, frames: int) -> None:
        """Refuse a clip of too many frames.

        Raises
        ------
        MediaError
            TOO_MANY_FRAMES.
        """
        if frames > self.max_frames:
            raise MediaError(
                MediaReason.TOO_MANY_FRAMES,
                f"the clip has {frames} frames or more, the limit is {self.max_frames}; send a shorter one, "
                "or fewer frames a second",
            )

    def check_series(self, pixels: int) -> None:
        """Refuse a series of pictures that have too many pixels together.

        Raises
        ------
        MediaError
            TOO_COSTLY.
        """
        if pixels > self.max_series_pixels:
            raise MediaError(
                MediaReason.TOO_COSTLY,
                f"the pictures have {pixels} pixels together or more, the limit is {self.max_series_pixels}; "
                "send smaller ones, or fewer",
            )

    def check_duration(self, duration_s: float) -> None:
        """Refuse a clip that lasts too long.

        Raises
        ------
        MediaError
            TOO_LONG.
        """
        if duration_s > self.max_duration_s:
            raise MediaError(
                MediaReason.TOO_LONG,
                f"the clip lasts {duration_s:.2f} s or longer, the limit is {self.max_duration_s:g} s; "
                "send a shorter one",
            )


DEFAULT_LIMITS = MediaLimits()

MP4_NAME = "MP4 or QuickTime"
MATROSKA_NAME = "WebM or Matroska"

# Files that people send by mistake, so that the refusal can call them by name: offset, magic number, name.
_SIGNATURES = (
    (0, b"\x89PNG\r\n\x1a\n", "PNG"),
    (0, b"\xff\xd8\xff", "JPEG"),
    (0, b"GIF87a", "GIF"),
    (0, b"GIF89a", "GIF"),
    (8, b"WEBP", "WEBP"),
    (8, b"AVI ", "AVI"),
    (8, b"WAVE", "WAV"),
    (0, b"BM", "BMP"),
    (0, b"II*\0", "TIFF"),
    (0, b"MM\0*", "TIFF"),
    (0, b"II+\0", "TIFF"),
    (0, b"MM\0+", "TIFF"),
    (0, b"%PDF-", "PDF"),
    (0, b"%!PS", "PostScript"),
    (0, b"\xff\x0a", "JPEG XL"),
    (0, b"\0\0\0\x0cJXL ", "JPEG XL"),
    (0, b"\0\0\0\x0cjP  ", "JPEG 2000"),
    (0, b"\xff\x4f\xff\x51", "JPEG 2000"),
    (0, b"\0\0\1\0", "ICO"),
    (0, b"8BPS", "PSD"),
    (0, b"\x76\x2f\x31\x01", "OpenEXR"),
    (0, b"qoif", "QOI"),
    (0, b"P5", "PGM"),
    (0, b"P6", "PPM"),
    (0, b"\x1a\x45\xdf\xa3", MATROSKA_NAME),
    (0, b"\x93NUMPY", "NumPy"),
    (0, b"PK\3\4", "ZIP"),
    (0, b"\x1f\x8b", "gzip"),
    (0, b"PAR1", "Parquet"),
    (0, b"iVBORw0KGgo", "base64 text (decode it first)"),
    (0, b"/9j/", "base64 text (decode it first)"),
    (0, b"UklGR", "base64 text (decode it first)"),
    (0, b"data:", "data URI (decode it first)"),
)
_RIFF = ("WEBP", "AVI", "WAV")


def recognise(data: bytes, limits: MediaLimits) -> str:
    """Tell a picture's format from its first bytes; no pixel is decoded and no file name is believed.

    Parameters
    ----------
    data : bytes
        The encoded file.
    limits : MediaLimits
        What is allowed.

    Returns
    -------
    str
        One of ``limits.formats``.

    Raises
    ------
    MediaError
        EMPTY, TOO_MANY_BYTES, UNKNOWN_FORMAT, or FORMAT_NOT_ALLOWED with the name of the format.
    """
    if not data:
        raise MediaError(MediaReason.EMPTY, "the file is empty (0 bytes); send an encoded picture")
    limits.check_bytes(len(data))
    allowed = ", ".join(limits.formats)
    name = format_name(data)
    if name is None:
        raise MediaError(
            MediaReason.UNKNOWN_FORMAT,
            f"the first bytes ({data[:12].hex(' ')}) are those of no known picture format; send one of {allowed}",
        )
    if name not in limits.formats:
        raise MediaError(MediaReason.FORMAT_NOT_ALLOWED, f"the file is {name}; send one of {allowed}")
    return name


def format_name(data: bytes) -> str | None:
    """The name of a file's format by its first bytes, whether it can be decoded or not; None for an unknown one."""
    for offset, magic, name in _SIGNATURES:
        if data.startswith(magic, offset) and (name not in _RIFF or data.startswith(b"RIFF")):
            return name
    if data[4:8] == b"ftyp":
        return _brand_name(data)
    head = data[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if head.startswith(b"<"):
        return "SVG" if b"<svg" in head else "HTML or XML"
    return None


def _brand_name(data: bytes) -> str:
    """Name a file of the ISO container family by its brands: AVIF, HEIC or a video."""
    (box_size,) = struct.unpack_from(">I", data)
    listed = data[16 : min(box_size, 256)]
    brands = {data[8:12], *(listed[i : i + 4] for i in range(0, len(listed), 4))}
    if brands & {b"avif", b"avis"}:
        return "AVIF"
    if brands & {b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1"}:
        return "HEIC"
    return MP4_NAME
