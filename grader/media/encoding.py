"""From frames to an encoded clip, for renderers and annotated clips. Same frames, same bytes, by one x264."""

from __future__ import annotations

import io
from collections.abc import Iterable
from fractions import Fraction

import av
import numpy as np
from av.video.frame import VideoFrame
from av.video.reformatter import ColorPrimaries, ColorRange, Colorspace, ColorTrc, VideoReformatter
from av.video.stream import VideoStream
from numpy.typing import NDArray

# Rates such as 30000 / 1001 are kept exactly.
_RATE_DENOMINATOR = 1001
_MAX_FPS = 1000.0
# x264 weighs blocks by reciprocals that some instructions only approximate, so that the same frames now and then became
# other bytes; with this it divides, at no cost that can be measured, and gives what it gives without assembler.
_REPRODUCIBLE = "cpu-independent=1"


def encode_mp4(frames: Iterable[NDArray[np.uint8]], fps: float, *, crf: int = 20) -> bytes:
    """Encode frames as H.264 in MP4: yuv420p, BT.709, limited range, index first (faststart).

    A side of an odd number of pixels is made even by repeating the last column or row, at the right and at the bottom,
    so every pixel keeps its place.

    Parameters
    ----------
    frames : iterable of ndarray of uint8, (H, W, 3)
        RGB, all of one size, at least one; taken one at a time.
    fps : float
        Frames a second, over 0 and up to 1000.
    crf : int
        Quality, 0 (best) to 51.

    Returns
    -------
    bytes

    Raises
    ------
    ValueError
        Without frames, for a frame of another shape or type than the first or than asked for, and for a bad rate or
        quality.
    """
    if not 0 <= crf <= 51:
        raise ValueError(f"crf is {crf}; H.264 has 0 to 51")
    quality = {"crf": str(crf), "preset": "veryfast", "x264-params": _REPRODUCIBLE}
    return _encode(frames, fps, "mp4", "libx264", quality, {"movflags": "faststart"})


def encode_webm(frames: Iterable[NDArray[np.uint8]], fps: float, *, crf: int = 30) -> bytes:
    """Encode frames as VP9 in WebM: yuv420p, BT.709, limited range.

    Parameters
    ----------
    frames, fps
        As for `encode_mp4`.
    crf : int
        Quality, 0 (best) to 63.

    Returns
    -------
    bytes

    Raises
    ------
    ValueError
        As `encode_mp4`.
    """
    if not 0 <= crf <= 63:
        raise ValueError(f"crf is {crf}; VP9 has 0 to 63")
    quality = {"crf": str(crf), "b": "0", "deadline": "good", "cpu-used": "4"}
    return _encode(frames, fps, "webm", "libvpx-vp9", quality, {})


class _SecondLook(io.RawIOBase):
    """Reads what is being written to a buffer: the MP4 writer moves its index to the front in a second pass."""

    def __init__(self, buffer: io.BytesIO) -> None:
        super().__init__()
        self._buffer = buffer
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        size = self._buffer.getbuffer().nbytes
        self._at = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: size}[whence]
        return self._at

    def read(self, size: int = -1) -> bytes:
        # The view is let go at once: a buffer with a view on it cannot grow.
        with self._buffer.getbuffer() as view:
            piece = bytes(view[self._at :] if size < 0 else view[self._at : self._at + size])
        self._at += len(piece)
        return piece


def _encode(
    frames: Iterable[NDArray[np.uint8]],
    fps: float,
    container_format: str,
    codec: str,
    quality: dict[str, str],
    container_options: dict[str, str],
) -> bytes:
    if not 0 < fps <= _MAX_FPS:
        raise ValueError(f"fps is {fps}; it has to be over 0 and at most {_MAX_FPS:g}")
    coming = iter(frames)
    first = next(coming, None)
    if first is None:
        raise ValueError("there are no frames to encode")
    _check(first, first.shape)
    rate = Fraction(fps).limit_denominator(_RATE_DENOMINATOR)
    buffer = io.BytesIO()
    reformatter = VideoReformatter()
    with av.open(
        buffer,
        "w",
        format=container_format,
        # Without bitexact, the writers put random numbers into their headers.
        options={"fflags": "bitexact", **container_options},
        io_open=lambda *_: _SecondLook(buffer),
    ) as container:
        stream = container.add_stream(codec, rate=rate, options=quality)
        if not isinstance(stream, VideoStream):
            raise TypeError(f"{codec} is no codec for video")
        height, width = (side + side % 2 for side in first.shape[:2])
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        context = stream.codec_context
        context.time_base = 1 / rate
        context.thread_count = 1
        context.colorspace = Colorspace.ITU709
        context.color_range = ColorRange.MPEG
        context.color_primaries = ColorPrimaries.BT709
        context.color_trc = ColorTrc.BT709
        pixels: NDArray[np.uint8] | None = first
        index = 0
        while pixels is not None:
            _check(pixels, first.shape)
            even = pixels
            if pixels.shape[:2] != (height, width):
                even = np.pad(pixels, ((0, height - pixels.shape[0]), (0, width - pixels.shape[1]), (0, 0)), "edge")
            frame = reformatter.reformat(
                VideoFrame.from_ndarray(np.ascontiguousarray(even), format="rgb24"),
                format="yuv420p",
                dst_colorspace=Colorspace.ITU709,
                dst_color_range=ColorRange.MPEG,
                threads=1,
            )
            frame.pts, frame.time_base = index, 1 / rate
            container.mux(stream.encode(frame))
            pixels = next(coming, None)
            index += 1
        container.mux(stream.encode(None))
    return buffer.getvalue()


def _check(pixels: NDArray[np.uint8], shape: tuple[int, ...]) -> None:
    if pixels.dtype != np.uint8 or pixels.ndim != 3 or pixels.shape[2] != 3 or 0 in pixels.shape:
        raise ValueError(f"a frame is {pixels.shape} {pixels.dtype}; it has to be (H, W, 3) uint8")
    if pixels.shape != shape:
        raise ValueError(f"a frame is {pixels.shape} and the first was {shape}; all have one size")
