"""Clips of every kind, written for the tests of clips."""

from __future__ import annotations

import base64
import io
import struct
import zlib
from collections.abc import Sequence
from fractions import Fraction

import av
import numpy as np
from av.video.reformatter import VideoReformatter

RED, GREEN, BLUE, WHITE = (220, 30, 40), (20, 160, 60), (30, 60, 200), (255, 255, 255)


def picture(width: int = 64, height: int = 48, step: int = 0) -> np.ndarray:
    """A red and a green half, and a white block in the corner at the upper left that is blue in odd steps."""
    pixels = np.empty((height, width, 3), np.uint8)
    pixels[:, : width // 2], pixels[:, width // 2 :] = RED, GREEN
    pixels[: height // 2, : width // 4] = BLUE if step % 2 else WHITE
    return pixels


def pictures(count: int, width: int = 64, height: int = 48) -> list[np.ndarray]:
    return [picture(width, height, step) for step in range(count)]


def noise(count: int, width: int = 64, height: int = 48, seed: int = 5) -> list[np.ndarray]:
    """Frames that do not compress, so that each has a share of the file's bytes."""
    rng = np.random.default_rng(seed)
    return [rng.integers(0, 256, (height, width, 3), dtype=np.uint8) for _ in range(count)]


def flat(color: tuple[int, int, int], width: int = 64, height: int = 48) -> np.ndarray:
    return np.full((height, width, 3), color, np.uint8)


def write(
    frames: Sequence[np.ndarray],
    codec: str = "libx264",
    container: str = "mp4",
    *,
    stamps: Sequence[int] | None = None,
    matrix: int | None = None,
    color_range: int | None = None,
    turn: tuple[float, bool, bool] | None = None,
    pixel_format: str = "yuv420p",
    sound: bool = False,
    movflags: str | None = None,
    aspect: Fraction | None = None,
    options: dict[str, str] | None = None,
) -> bytes:
    """Encode with PyAV alone, so that the decoder is not tested against its own encoder only; stamps are 1/24 s."""
    buffer = io.BytesIO()
    settings = {"fflags": "bitexact"} | ({} if movflags is None else {"movflags": movflags})
    # Without it x264 now and then makes other bytes of the same frames.
    reproducible = {"x264-params": "cpu-independent=1"} if codec == "libx264" else {}
    with av.open(buffer, "w", format=container, options=settings) as output:
        stream = output.add_stream(codec, rate=24, options=reproducible | (options or {}))
        stream.width, stream.height, stream.pix_fmt = frames[0].shape[1], frames[0].shape[0], pixel_format
        stream.codec_context.thread_count = 1
        stream.codec_context.time_base = Fraction(1, 24)
        if matrix is not None:
            stream.codec_context.colorspace = matrix
        if color_range is not None:
            stream.codec_context.color_range = color_range
        if turn is not None:
            stream.set_display_rotation(*turn)
        if aspect is not None:
            stream.codec_context.sample_aspect_ratio = aspect
        track = output.add_stream("aac" if container == "mp4" else "libopus", rate=48000) if sound else None
        reformatter = VideoReformatter()
        for number, pixels in enumerate(frames):
            frame = av.VideoFrame.from_ndarray(pixels, format="rgba" if pixels.shape[2] == 4 else "rgb24")
            frame = reformatter.reformat(
                frame, format=pixel_format, dst_colorspace=matrix, dst_color_range=color_range, threads=1
            )
            frame.pts, frame.time_base = (number if stamps is None else stamps[number]), Fraction(1, 24)
            output.mux(stream.encode(frame))
        output.mux(stream.encode(None))
        if track is not None:
            silence = av.AudioFrame.from_ndarray(np.zeros((1, 48000), np.float32), format="flt", layout="mono")
            silence.sample_rate = 48000
            output.mux(track.encode(silence))
            output.mux(track.encode(None))
    return buffer.getvalue()


def joined(first: Sequence[np.ndarray], second: Sequence[np.ndarray], stamps: Sequence[int] | None = None) -> bytes:
    """A VP8 WebM whose packets come from two encoders, perhaps of other sizes; stamps are milliseconds."""
    packets = []
    for frames in (first, second):
        encoder = av.CodecContext.create("libvpx", "w")
        encoder.width, encoder.height, encoder.pix_fmt = frames[0].shape[1], frames[0].shape[0], "yuv420p"
        encoder.time_base, encoder.thread_count = Fraction(1, 24), 1
        encoder.options = {"auto-alt-ref": "0", "lag-in-frames": "0"}
        for number, pixels in enumerate(frames):
            frame = av.VideoFrame.from_ndarray(pixels, format="rgb24").reformat(format="yuv420p")
            frame.pts, frame.time_base = number, Fraction(1, 24)
            packets += encoder.encode(frame)
        packets += encoder.encode(None)
    buffer = io.BytesIO()
    with av.open(buffer, "w", format="webm", options={"fflags": "bitexact"}) as output:
        stream = output.add_stream("libvpx", rate=24)
        stream.width, stream.height, stream.pix_fmt = first[0].shape[1], first[0].shape[0], "yuv420p"
        output.start_encoding()
        for number, packet in enumerate(packets):
            packet.time_base = Fraction(1, 1000)
            packet.pts = packet.dts = number * 40 if stamps is None else stamps[number]
            packet.stream = stream
            output.mux(packet)
    return buffer.getvalue()


def box_at(data: bytes, *path: bytes) -> tuple[int, int]:
    """Where the body of a box begins and ends, by its path from the top."""
    start, end = 0, len(data)
    for kind in path:
        at = start
        while data[at + 4 : at + 8] != kind:
            at += struct.unpack_from(">I", data, at)[0]
        start, end = at + 8, at + struct.unpack_from(">I", data, at)[0]
    return start, end


TABLES = (b"moov", b"trak", b"mdia", b"minf", b"stbl")


def sample_sizes(data: bytes) -> list[int]:
    """Sizes of the stored frames of an MP4, in the order of the file."""
    start, _ = box_at(data, *TABLES, b"stsz")
    (count,) = struct.unpack_from(">I", data, start + 8)
    return list(struct.unpack_from(f">{count}I", data, start + 12))


def patched(data: bytes, at: int, values: bytes) -> bytes:
    return data[:at] + values + data[at + len(values) :]


# Two flat frames, red and blue, of 64 x 48 px in HEVC, BT.709. Made once with libx265 and kept, because that encoder
# writes outside its memory when it runs in this process.
HEVC = zlib.decompress(
    base64.b64decode(
        "eNpjYGCQSSupLMgszs9lYGBiANFAbJRbYGLIwMDAkVaUmgqkv+WmJJYAaXEHRh7G//9ZOBgYmBnmrwCRDHK7mByAUppOjIyo4gsUmsWiV0/W"
        "ntXIyNAEEmICEQYCQMVsLowHiw90AlkyGozrWX4UpizL/yso/P/vZvv6v3bL96nqz1Xv37GHJjaqAW1k2zHxkm39kVsZW647MRi4zH8mLP//"
        "e9A61xchTfoHbW7P+DL5A1CnRm5+fhlQR05uWUYKAwpgfgEkQhgYGUAIARhRVaHzHRjwAqBrmcpLihKzgeyYkmywncxYTAvB0EmMvSDCAMxV"
        "SU0pKQaFfWpOcQmSjhCEXsb3uSmZiUCGQm4Kut9BhrAwhB4Bc3QzUnKKYDJlmSmpyCrDgPx8j8S8lJxUkBrGWbmZeWlAhkhZLthQZGeqpEDk"
        "ZFKKUtOQHMVTWpSjAGEzRhWXJOUA2e+KS4pTkNTcy0gtM8QRFCCPGzB4AGkPnCrQgcT//0CyJKMs2RmcwsAJDJi+PjD8+fvjBwMDP7MC0BRc"
        "SVMRKEd82lQCqkYkTpGkkiJolETCUotEcQk4umBuZwIjYEgBQyEZSRwqB6ZBclWoSYsBFAU1IDuKS5LzkfTpALFtaUoJKLpNc1PBNAgoIkct"
        "MDkUJRYU5CAHE0cmMP0AAI6pqCk="
    )
)
