"""What a clip says of itself, what came of reading it, and how one is told by its first bytes."""

from __future__ import annotations

from dataclasses import dataclass

from grader.media.types import (
    DEFAULT_LIMITS,
    MATROSKA_NAME,
    MP4_NAME,
    MediaError,
    MediaLimits,
    MediaReason,
    format_name,
)
from grader.model.verdict import Note

_PICTURES = ("PNG", "JPEG", "GIF", "WEBP", "AVIF", "HEIC")
# Files of the QuickTime family without a brand begin with one of these boxes.
_UNBRANDED = (b"moov", b"mdat", b"wide", b"free", b"skip", b"pnot")


@dataclass(frozen=True)
class ClipHeader:
    """What a clip says of itself, as far as it can be believed.

    Attributes
    ----------
    width_px, height_px : size of the upright frames
    declared_frames : frames that the container lists to be shown; None where it lists none (WebM)
    duration_s : length in seconds, positive; None where unknown
    fps : mean frames a second, 0.1 to 1000; None where unknown or outside
    codec : h264, hevc, vp8, vp9, av1 or mpeg4; gif, apng or webp
    container : MP4, WebM or Matroska; GIF, PNG or WEBP
    rotation_deg : by how much stored frames are turned clockwise to stand upright: 0, 90, 180 or 270
    mirrored : whether they are then mirrored left to right
    """

    width_px: int
    height_px: int
    declared_frames: int | None
    duration_s: float | None
    fps: float | None
    codec: str
    container: str
    rotation_deg: int
    mirrored: bool


@dataclass(frozen=True)
class ClipSummary:
    """What came of reading a clip to its end.

    Attributes
    ----------
    decoded_frames : frames that were given out, damaged ones included
    declared_frames : as in the header
    truncated : whether the file ends early, or fewer frames came than declared; one fewer is allowed
    damaged_frames : frames that the decoder refused or partly made up
    duration_s : from the first frame to the end of the last, in seconds
    notes : ALPHA_COMPOSITED, CLIP_TRUNCATED, CLIP_TURNED, FRAMES_DAMAGED, HDR_NOT_CONVERTED, PIXELS_NOT_SQUARE,
        SIZE_CHANGED, TIMES_REPAIRED, TURN_IGNORED, VIDEO_TRACK_CHOSEN
    """

    decoded_frames: int
    declared_frames: int | None
    truncated: bool
    damaged_frames: int
    duration_s: float
    notes: tuple[Note, ...]


def recognise_video(data: bytes, limits: MediaLimits = DEFAULT_LIMITS) -> str:
    """Tell a clip's format from its first bytes.

    Parameters
    ----------
    data : bytes
        The encoded file.
    limits : MediaLimits
        What is allowed.

    Returns
    -------
    str
        MP4, WEBM, GIF, PNG or WEBP, as in ``limits.video_formats``; whether a picture is animated is not looked at.

    Raises
    ------
    MediaError
        EMPTY, TOO_MANY_BYTES, UNKNOWN_FORMAT, or FORMAT_NOT_ALLOWED with the name of the format.
    """
    if not data:
        raise MediaError(MediaReason.EMPTY, "the file is empty (0 bytes); send an encoded clip")
    limits.check_bytes(len(data))
    allowed = " or ".join(limits.video_formats)
    name = MP4_NAME if data[4:8] in _UNBRANDED else format_name(data)
    if name is None:
        raise MediaError(
            MediaReason.UNKNOWN_FORMAT,
            f"the first bytes ({data[:12].hex(' ')}) are those of no known clip; send {allowed}",
        )
    video_format = {MP4_NAME: "MP4", MATROSKA_NAME: "WEBM"}.get(name, name)
    if video_format in limits.video_formats:
        return video_format
    what = f"the file is {name}"
    if name in _PICTURES:
        what += ", a picture or an animated picture, and a clip is wanted"
    raise MediaError(MediaReason.FORMAT_NOT_ALLOWED, f"{what}; send {allowed}")


def not_animated(name: str) -> MediaError:
    """What is said of a still picture that was sent as a clip."""
    text = f"the file is {name}, a picture of one frame, and a clip is wanted; send it as a picture"
    return MediaError(MediaReason.FORMAT_NOT_ALLOWED, text)
