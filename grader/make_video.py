"""Frames to the bytes of an mp4 file, for clips that are made here."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from av.video.reformatter import ColorRange, Colorspace
from numpy.typing import NDArray


def encode_clip(frames: Iterable[NDArray[np.uint8]], fps: int, *, crf: int = 18) -> bytes:
    """Return a clip as mp4: H.264, yuv420p, BT.709, the index in front; the same frames give the same bytes.

    Parameters
    ----------
    frames
        At least one, all (H, W, 3) uint8 RGB of one size, both sides even.
    fps
        Frames a second, positive.
    crf
        0 to 51: 18 is nearly without loss, 32 coarse.

    Raises
    ------
    ValueError
        If there is no frame, a side is odd, or frames differ in size.
    """
    # A file, because the index is moved to the front by reading back what was written.
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "clip.mp4"
        _write(path, frames, fps, crf)
        return path.read_bytes()


def _write(path: Path, frames: Iterable[NDArray[np.uint8]], fps: int, crf: int) -> None:
    with av.open(str(path), "w", format="mp4", options={"movflags": "faststart"}) as container:
        # One thread, so that the bytes do not depend on the machine.
        video = container.add_stream(
            "libx264", rate=Fraction(fps), options={"crf": str(crf), "preset": "veryfast", "threads": "1"}
        )
        size: tuple[int, int] | None = None
        for pixels in frames:
            height, width = pixels.shape[:2]
            if size is None:
                if height % 2 or width % 2:
                    raise ValueError(f"the sides of frames must be even, not {width} x {height}")
                size = video.width, video.height = width, height
                video.pix_fmt = "yuv420p"
                video.color_range, video.colorspace = ColorRange.MPEG, Colorspace.ITU709
                video.color_primaries = video.color_trc = 1
            elif size != (width, height):
                raise ValueError(f"a frame has {width} x {height} pixels, those before {size[0]} x {size[1]}")
            frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(pixels), format="rgb24").reformat(
                format="yuv420p",
                src_colorspace=Colorspace.ITU709,
                dst_colorspace=Colorspace.ITU709,
                dst_color_range=ColorRange.MPEG,
            )
            container.mux(video.encode(frame))
        if size is None:
            raise ValueError("a clip needs at least one frame")
        container.mux(video.encode(None))
