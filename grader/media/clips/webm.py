"""The elements of a WebM or Matroska file, read before any decoder sees it. Source: RFC 8794, RFC 9559."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from grader.media.types import MediaError, MediaLimits, MediaReason

_EBML, _DOC_TYPE = 0x1A45DFA3, 0x4282
_SEGMENT, _CLUSTER, _TRACKS, _TRACK = 0x18538067, 0x1F43B675, 0x1654AE6B, 0xAE
_TRACK_TYPE, _CODEC, _VIDEO = 0x83, 0x86, 0xE0
_WIDTH, _HEIGHT, _ALPHA = 0xB0, 0xBA, 0x53C0
_VIDEO_TYPE = 1

_CODECS = {
    "V_MPEG4/ISO/AVC": "h264",
    "V_MPEGH/ISO/HEVC": "hevc",
    "V_VP8": "vp8",
    "V_VP9": "vp9",
    "V_AV1": "av1",
    "V_MPEG4/ISO/ASP": "mpeg4",
    "V_MPEG4/ISO/SP": "mpeg4",
    "V_MPEG4/ISO/AP": "mpeg4",
}
# More elements than the frames of any clip within reason; what comes after them is not looked at.
_MAX_ELEMENTS = 100_000


@dataclass(frozen=True)
class WebmOutline:
    """What a WebM says of itself.

    Attributes
    ----------
    name : WebM or Matroska, by its document type
    ends_early : whether an element reaches past the end of the file
    has_alpha : whether the first decodable video track has an alpha channel beside its pictures
    video_tracks : video tracks in the file
    """

    name: str
    ends_early: bool
    has_alpha: bool
    video_tracks: int


@dataclass(frozen=True)
class _Element:
    kind: int
    body: int
    end: int | None


@dataclass(frozen=True)
class _Video:
    codec: str
    width_px: int
    height_px: int
    has_alpha: bool


def outline_webm(data: bytes, limits: MediaLimits) -> WebmOutline:
    """Read the elements of a WebM; no frame is decoded.

    Parameters
    ----------
    data : bytes
        The file.
    limits : MediaLimits
        The size of frames is checked as the track states it. Such a file states no number of frames.

    Returns
    -------
    WebmOutline

    Raises
    ------
    MediaError
        NO_FRAMES without a video track, FORMAT_NOT_ALLOWED for a video in another codec, SIDE_TOO_LONG,
        TOO_MANY_PIXELS.
    """
    name, ends_early, last = "Matroska", False, len(data)
    videos: list[_Video] = []
    for element in _elements(data, 0, len(data), enter=(_SEGMENT, _CLUSTER)):
        if element.body > last:
            break  # What follows the end of the clip is of no concern.
        end = len(data) if element.end is None else element.end
        ends_early |= end > len(data)
        if element.kind == _SEGMENT:
            last = end
        if element.kind == _EBML:
            types = [
                data[part.body : part.end] for part in _elements(data, element.body, end) if part.kind == _DOC_TYPE
            ]
            name = "WebM" if types and types[0].rstrip(b"\0") == b"webm" else "Matroska"
        elif element.kind == _TRACKS and not videos:
            videos = list(_videos(data, element.body, end))
    if not videos:
        raise MediaError(MediaReason.NO_FRAMES, f"the {name} has no video track; send a clip with pictures")
    kept = next((video for video in videos if video.codec in _CODECS), None)
    if kept is None:
        raise MediaError(
            MediaReason.FORMAT_NOT_ALLOWED,
            f"the {name}'s video is coded as {videos[0].codec!r}; send VP8, VP9, AV1, H.264, HEVC or MPEG-4",
        )
    limits.check_frame_size(kept.width_px, kept.height_px)
    return WebmOutline(name, ends_early, kept.has_alpha, len(videos))


def _videos(data: bytes, start: int, end: int) -> Iterator[_Video]:
    for track in _elements(data, start, end):
        if track.kind != _TRACK:
            continue
        kind, codec, width, height, alpha = 0, "", 0, 0, 0
        for part in _elements(data, track.body, track.end or end, enter=(_VIDEO,)):
            content = data[part.body : part.end]
            if part.kind == _TRACK_TYPE:
                kind = _unsigned(content)
            elif part.kind == _CODEC:
                codec = content.rstrip(b"\0").decode("ascii", "replace")
            elif part.kind == _WIDTH:
                width = _unsigned(content)
            elif part.kind == _HEIGHT:
                height = _unsigned(content)
            elif part.kind == _ALPHA:
                alpha = _unsigned(content)
        if kind == _VIDEO_TYPE:
            yield _Video(codec, width, height, alpha == 1)


def _elements(data: bytes, start: int, end: int, enter: tuple[int, ...] = ()) -> Iterator[_Element]:
    """Elements in the order of the file; those of the kinds ``enter`` are given, then entered, others passed over."""
    end = min(end, len(data))
    for _ in range(_MAX_ELEMENTS):
        kind, after_kind = _vint(data, start)
        size, body = _vint(data, after_kind)
        if start >= end or body == after_kind:
            return
        size_mask = (1 << 7 * (body - after_kind)) - 1
        size &= size_mask
        # All ones say that the size is unknown; such an element ends where the next of its level begins.
        element = _Element(kind, body, None if size == size_mask else body + size)
        yield element
        start = body if kind in enter or element.end is None else element.end


def _unsigned(content: bytes) -> int:
    """An unsigned number, which has at most 8 bytes; 0 for a longer one."""
    return int.from_bytes(content, "big") if len(content) <= 8 else 0


def _vint(data: bytes, start: int) -> tuple[int, int]:
    """A number of variable length with its length marker, and where it ends; that is ``start`` where there is none."""
    if start >= len(data) or data[start] == 0:
        return 0, start
    end = start + 9 - data[start].bit_length()
    return (int.from_bytes(data[start:end], "big"), end) if end <= len(data) else (0, start)
