"""Clips from bytes to a stream of upright sRGB frames with their times, read with PyAV.

The header is checked first (`mp4`, `webm`), then FFmpeg reads the file with one demuxer and
one of six decoders (`reading`). A clip is read once, in order, in one thread, so that the same bytes
give the same frames; one frame is in memory at a time. FFmpeg opens no other file and nothing of a network, and PyAV
keeps it silent by default.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from fractions import Fraction
from types import TracebackType

from av.container import InputContainer
from av.error import FFmpegError
from av.video.frame import VideoFrame

from grader.media.clips.animated import Animation, is_animated
from grader.media.clips.clock import Clock
from grader.media.clips.mp4 import outline_mp4
from grader.media.clips.pixels import STRAIGHT, FrameConverter, Turn, turn_of
from grader.media.clips.reading import (
    DECODERS,
    Outline,
    declared_frames,
    frame_rate,
    open_container,
    stated_duration_s,
    undecodable,
    video_decoder,
    video_stream,
)
from grader.media.clips.types import ClipHeader, ClipSummary, not_animated, recognise_video
from grader.media.clips.webm import WebmOutline, outline_webm
from grader.media.frames import Frame
from grader.media.types import DEFAULT_LIMITS, MediaError, MediaLimits, MediaReason
from grader.model.verdict import Note

__all__ = ["Clip", "ClipHeader", "ClipSummary", "open_video", "recognise_video"]

# For times that are missing in a file that states no rate either.
_FALLBACK_FPS = 25.0
# A container may count one frame more than it has: the last one of an edit list, or one that is never shown.
_UNCOUNTED_FRAMES = 1


def open_video(data: bytes, limits: MediaLimits = DEFAULT_LIMITS) -> Clip | Animation:
    """Open a clip: its header is checked, then its first frame is decoded, which says how the clip is turned.

    Parameters
    ----------
    data : bytes
        An MP4 (QuickTime) or WebM (Matroska) with H.264, HEVC, VP8, VP9, AV1 or MPEG-4 video, or an animated GIF, PNG
        or WebP. Sound is passed over.
    limits : MediaLimits
        Checked by the header before a frame is decoded, and again while frames are decoded.

    Returns
    -------
    Clip or Animation
        To be used in a ``with`` statement, or closed.

    Raises
    ------
    MediaError
        EMPTY, TOO_MANY_BYTES, UNKNOWN_FORMAT, FORMAT_NOT_ALLOWED, SIDE_TOO_LONG, TOO_MANY_PIXELS, TOO_MANY_FRAMES,
        TOO_LONG, NO_FRAMES, or UNDECODABLE when a clip has frames of which none decodes.
    """
    outline: Outline
    name = recognise_video(data, limits)
    if name not in ("MP4", "WEBM"):
        if not is_animated(data, name):
            raise not_animated(name)
        return Animation(data, name, limits)
    if name == "MP4":
        outline = outline_mp4(data, limits)
        container = open_container(outline.data, "mov", limits)
    else:
        outline = outline_webm(data, limits)
        container = open_container(data, "matroska", limits)
    try:
        return Clip(container, outline, limits)
    except BaseException:
        container.close()
        raise


class Clip:
    """An opened clip. Made by `open_video`; frames are read once, in order.

    Attributes
    ----------
    header : what the clip says of itself
    """

    header: ClipHeader

    def __init__(self, container: InputContainer, outline: Outline, limits: MediaLimits) -> None:
        self._container = container
        self._limits = limits
        self._notes: dict[str, str] = {}
        self._damaged = self._given = 0
        self._ended = self._started = self._closed = False
        self._cut = outline.ends_early
        self._duration_s = 0.0
        self._stream = video_stream(container)
        self._decoder = video_decoder(self._stream, isinstance(outline, WebmOutline) and outline.has_alpha, limits)
        fps = frame_rate(self._stream)
        self._clock = Clock(self._stream.time_base or Fraction(1, 1000), 1 / (fps or _FALLBACK_FPS))
        declared = declared_frames(self._stream, outline)
        duration_s = stated_duration_s(container, self._stream)
        if duration_s is not None:
            limits.check_duration(duration_s)
        if declared is not None:
            limits.check_frames(declared)
        if declared == 0:
            raise MediaError(MediaReason.NO_FRAMES, "the clip's edit list shows none of its frames; send it without")
        if outline.video_tracks > 1:
            self._note("VIDEO_TRACK_CHOSEN", f"the first of {outline.video_tracks} video tracks was read")
        self._decoded = self._decode()
        self._first = next(self._decoded, None)
        if self._first is None:
            raise undecodable("no frame decodes")
        self._check_size(self._first)
        turn = self._turn(self._first)
        self._converter = FrameConverter(self._first.width, self._first.height, turn)
        width, height = self._first.width, self._first.height
        self.header = ClipHeader(
            height if turn.transposed else width,
            width if turn.transposed else height,
            declared,
            duration_s,
            fps,
            DECODERS[self._stream.codec_context.name],
            outline.name if isinstance(outline, WebmOutline) else "MP4",
            turn.rotation_deg,
            turn.mirrored,
        )

    def __enter__(self) -> Clip:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Give back what the clip holds; frames that were given out stay valid. Closing twice is harmless."""
        self._closed = True
        self._decoded.close()
        self._first = None
        self._container.close()

    def frames(self) -> Iterator[Frame]:
        """Give every frame that decodes, in the order of presentation.

        Times start at 0 and increase; a time that is missing or does not increase is set one frame after the one
        before. A frame of another size than the first is scaled to that size. Colours are converted by the matrix and
        range of the stream; without a matrix, frames over 576 rows or at least 1280 columns are BT.709 and others
        BT.601, as players guess.

        Yields
        ------
        Frame
            Pixels are read-only.

        Raises
        ------
        MediaError
            TOO_MANY_FRAMES, TOO_LONG, SIDE_TOO_LONG or TOO_MANY_PIXELS where the header did not tell.
        RuntimeError
            When frames are read for the second time, or of a closed clip; open it again for that.
        """
        if self._started or self._closed:
            raise RuntimeError("the frames of a clip are read once, before it is closed; open it again")
        self._started = True
        return self._frames()

    def _frames(self) -> Iterator[Frame]:
        frame, self._first = self._first, None
        while frame is not None:
            self._limits.check_frames(self._given + 1)
            self._check_size(frame)
            time_s = self._clock.time_s(frame.pts)
            self._limits.check_duration(time_s)
            self._duration_s = time_s + self._clock.step_s
            pixels = self._converter.convert(frame)
            self._given += 1
            yield Frame(self._given - 1, time_s, pixels)
            if self._closed:
                raise RuntimeError("the clip was closed before its last frame was read")
            frame = next(self._decoded, None)
        self._ended = True
        self._container.close()

    def summary(self) -> ClipSummary:
        """What came of it, once all frames were read.

        Raises
        ------
        RuntimeError
            While there are frames left.
        """
        if not self._ended:
            raise RuntimeError("a summary needs all frames read")
        declared = self.header.declared_frames
        missing = 0 if declared is None else declared - self._given
        truncated = self._cut or missing > _UNCOUNTED_FRAMES
        notes = self._notes | self._converter.notes()
        if self._clock.repaired:
            notes["TIMES_REPAIRED"] = (
                f"frames without a time of their own, which got one by the rate: {self._clock.repaired}"
            )
        if self._damaged:
            notes["FRAMES_DAMAGED"] = f"damaged frames: {self._damaged}; what decodes of them is shown"
        if truncated:
            of = "" if declared is None else f" of {declared}"
            notes["CLIP_TRUNCATED"] = f"the clip ends early: {self._given}{of} frames decode"
        listed = tuple(Note(code, notes[code]) for code in sorted(notes))
        return ClipSummary(self._given, declared, truncated, self._damaged, self._duration_s, listed)

    def _note(self, code: str, message: str) -> None:
        self._notes[code] = message

    def _check_size(self, frame: VideoFrame) -> None:
        self._limits.check_frame_size(frame.width, frame.height)

    def _turn(self, frame: VideoFrame) -> Turn:
        turn = turn_of(frame)
        if turn is None:
            self._note("TURN_IGNORED", "the clip asks for a turn that is no multiple of 90 degrees; it was ignored")
            return STRAIGHT
        if turn != STRAIGHT:
            mirrored = ", then mirrored" if turn.mirrored else ""
            self._note("CLIP_TURNED", f"frames were turned by {turn.rotation_deg} degrees clockwise{mirrored}")
        ratio = self._stream.sample_aspect_ratio
        if ratio and ratio != 1:
            self._note("PIXELS_NOT_SQUARE", f"pixels are stated to be {ratio} as wide as high; frames are as stored")
        return turn

    def _decode(self) -> Generator[VideoFrame, None, None]:
        """Frames as they come out of the decoder, those that it partly made up included."""
        try:
            for packet in self._container.demux(self._stream):
                if packet.size == 0:
                    continue
                try:
                    decoded = self._decoder.decode(packet)
                except FFmpegError:
                    self._damaged += 1
                    if packet.is_corrupt:
                        # The file breaks off in this packet. Frames that the decoder still holds back are to be shown
                        # after the lost one, so there is a hole before them.
                        self._cut = True
                        return
                    continue
                yield from self._counted(decoded)
            yield from self._counted(self._decoder.decode(None))
        except FFmpegError:
            self._cut = True

    def _counted(self, frames: list[VideoFrame]) -> Iterator[VideoFrame]:
        for frame in frames:
            self._damaged += frame.is_corrupt
            yield frame
