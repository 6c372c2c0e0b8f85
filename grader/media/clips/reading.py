"""What FFmpeg is told and asked when it opens a clip: one demuxer, few decoders, no other files, one thread."""

from __future__ import annotations

import io
from typing import NoReturn

import av
from av.codec.context import CodecContext
from av.container import InputContainer
from av.error import FFmpegError
from av.stream import Discard
from av.video.codeccontext import VideoCodecContext
from av.video.stream import VideoStream

from grader.media.clips.mp4 import Mp4Outline
from grader.media.clips.webm import WebmOutline
from grader.media.types import MediaError, MediaLimits, MediaReason

Outline = Mp4Outline | WebmOutline

DECODERS = {
    "h264": "h264",
    "hevc": "hevc",
    "vp8": "vp8",
    "vp9": "vp9",
    "av1": "av1",
    "libdav1d": "av1",
    "mpeg4": "mpeg4",
}
# FFmpeg's own VP8 and VP9 decoders pass over the alpha channel.
_ALPHA_DECODERS = {"vp8": "libvpx", "vp9": "libvpx-vp9"}
# Frame rates outside of this are those of a broken header.
_MIN_FPS, _MAX_FPS = 0.1, 1000.0
# Decoders round sides up to whole blocks, of 128 pixels at most, before FFmpeg compares with its limit.
_BLOCK_PX = 128


def _refuse_io(url: str, *_: object) -> NoReturn:
    raise PermissionError(f"the clip refers to another file ({url!r}), which is not opened")


def _decoder_options(limits: MediaLimits) -> dict[str, str]:
    room = limits.max_frame_pixels + 2 * _BLOCK_PX * limits.max_side_px + _BLOCK_PX**2
    return {"max_pixels": str(min(room, 2**31 - 1)), "threads": "1"}


def open_container(data: bytes, demuxer: str, limits: MediaLimits) -> InputContainer:
    """Open a file with one of FFmpeg's demuxers, mov or matroska; raises MediaError UNDECODABLE."""
    options = {**_decoder_options(limits), "codec_whitelist": ",".join(DECODERS)}
    if demuxer == "mov":
        options |= {"enable_drefs": "0"}
    try:
        return av.open(
            io.BytesIO(data), "r", format=demuxer, options=options, metadata_errors="replace", io_open=_refuse_io
        )
    except (FFmpegError, PermissionError) as error:
        raise undecodable(str(error)) from error


def undecodable(why: str) -> MediaError:
    """The error for a clip of which nothing can be read."""
    return MediaError(MediaReason.UNDECODABLE, f"the clip is broken or cut off ({why}); send it whole")


def video_stream(container: InputContainer) -> VideoStream:
    """The first video that can be decoded; the others, and sound, are not read."""
    found = None
    for stream in container.streams:
        if found is None and isinstance(stream, VideoStream) and getattr(stream.codec_context, "name", "") in DECODERS:
            found = stream
        else:
            stream.discard = Discard.all
    if found is None:
        raise undecodable("its video track can't be read")
    return found


def video_decoder(stream: VideoStream, has_alpha: bool, limits: MediaLimits) -> VideoCodecContext:
    """The stream's decoder, of one thread; with an alpha channel one that reads it."""
    decoder = stream.codec_context
    if has_alpha and decoder.name in _ALPHA_DECODERS:
        other = CodecContext.create(_ALPHA_DECODERS[decoder.name], "r")
        if isinstance(other, VideoCodecContext):
            decoder = other
    decoder.thread_count = 1
    decoder.options = _decoder_options(limits)
    return decoder


def frame_rate(stream: VideoStream) -> float | None:
    """Mean frames a second; None where it is unknown or absurd."""
    for rate in (stream.average_rate, stream.guessed_rate):
        if rate is not None and _MIN_FPS <= rate <= _MAX_FPS:
            return float(rate)
    return None


def stated_duration_s(container: InputContainer, stream: VideoStream) -> float | None:
    """Length in seconds by the stream or the whole file; None where neither states a positive one."""
    if stream.duration is not None and stream.duration > 0 and stream.time_base:
        return float(stream.duration * stream.time_base)
    if container.duration is not None and container.duration > 0:
        return container.duration / av.time_base
    return None


def declared_frames(stream: VideoStream, outline: Outline) -> int | None:
    """Frames to be shown: those of FFmpeg's index, which knows edit lists; with fragments, all that are listed."""
    if isinstance(outline, WebmOutline):
        return None
    listed = len(stream.index_entries)
    if outline.fragmented or listed == 0:
        return outline.samples
    return sum(not entry.is_discard for entry in stream.index_entries)
