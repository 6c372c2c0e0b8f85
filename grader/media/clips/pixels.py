"""From a decoded frame to upright sRGB pixels: colour matrix, range, alpha, display matrix."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from av.error import FFmpegError
from av.sidedata.sidedata import Type as SideDataType
from av.video.frame import VideoFrame
from av.video.reformatter import Colorspace, ColorTrc, VideoReformatter
from numpy.typing import NDArray

from grader.media.types import MediaError, MediaReason

# AVColorSpace: values that say nothing of the matrix.
_UNSPECIFIED = (2, 3)
# Where the matrix is unspecified, players take high definition for BT.709 (this is mpv's rule).
_HD_WIDTH_PX, _HD_HEIGHT_PX = 1280, 577
_HDR_TRANSFERS = (int(ColorTrc.SMPTE2084), int(ColorTrc.ARIB_STD_B67))
# How far an entry of a display matrix may be from 0 and 1.
_MATRIX_TOLERANCE = 0.01
_OPAQUE = 255


@dataclass(frozen=True)
class Turn:
    """How stored frames come upright: rows and columns change places first, then rows and columns are reversed."""

    transposed: bool
    rows_reversed: bool
    columns_reversed: bool

    @property
    def mirrored(self) -> bool:
        """Whether it is no turn alone."""
        return self.transposed ^ self.rows_reversed ^ self.columns_reversed

    @property
    def rotation_deg(self) -> int:
        """Degrees clockwise, 0, 90, 180 or 270; if mirrored, left and right change places after it."""
        return (90 if self.transposed else 0) + (180 if self.rows_reversed else 0)


STRAIGHT = Turn(False, False, False)


def turn_of(frame: VideoFrame) -> Turn | None:
    """Read a frame's display matrix; None when it asks for something other than quarter turns and mirroring.

    The matrix (a b u; c d v; x y w), 16.16 fixed point, takes a point to (a x + c y, b x + d y).
    """
    # PyAV's stubs call this a dictionary; it is a sequence of buffers that know their kind.
    side_data: Any = frame.side_data
    matrix = next((bytes(data) for data in side_data if data.type is SideDataType.DISPLAYMATRIX), None)
    if matrix is None:
        return STRAIGHT
    a, b, _, c, d = struct.unpack_from("=5i", matrix)
    scale = math.sqrt(abs(a * d - b * c))
    if scale == 0:
        return None
    a, b, c, d = (entry / scale for entry in (a, b, c, d))
    off, on = ((b, c), (a, d)) if abs(a) > abs(b) else ((a, d), (c, b))
    if max(map(abs, off)) > _MATRIX_TOLERANCE or max(abs(abs(entry) - 1) for entry in on) > _MATRIX_TOLERANCE:
        return None
    return Turn(abs(b) > abs(a), on[1] < 0, on[0] < 0)


class FrameConverter:
    """Converts the frames of one clip; its working memory is used again from frame to frame."""

    def __init__(self, width_px: int, height_px: int, turn: Turn) -> None:
        self._size = (width_px, height_px)
        self._turn = turn
        self._reformatter = VideoReformatter()
        self._notes: dict[str, str] = {}
        self._alpha_formats: dict[str, bool] = {}

    def notes(self) -> dict[str, str]:
        """What was done, by code."""
        return dict(self._notes)

    def convert(self, frame: VideoFrame) -> NDArray[np.uint8]:
        """Upright (H, W, 3) uint8 RGB of a frame, C-contiguous and read-only.

        Raises
        ------
        MediaError
            UNDECODABLE where its colours are told in a way that FFmpeg does not know how to convert.
        """
        width, height = self._size
        if (frame.width, frame.height) != self._size:
            self._notes["SIZE_CHANGED"] = "frames change their size; all were scaled to the size of the first"
        if frame.color_trc in _HDR_TRANSFERS:
            self._notes["HDR_NOT_CONVERTED"] = "the clip has a wide range of brightness (HDR), which was not converted"
        has_alpha = self._has_alpha(frame)
        try:
            converted = self._reformatter.reformat(
                frame,
                width=width,
                height=height,
                format="rgba" if has_alpha else "rgb24",
                src_colorspace=self._matrix(frame),
                threads=1,
            )
        except FFmpegError as error:
            why = f"the clip's colour matrix, {int(frame.colorspace)}, can't be converted; save it as BT.709, matrix 1"
            raise MediaError(MediaReason.UNDECODABLE, why) from error
        pixels: NDArray[np.uint8] = np.asarray(converted.to_ndarray(), np.uint8)
        if has_alpha:
            if pixels[..., 3].min() < _OPAQUE:
                self._notes["ALPHA_COMPOSITED"] = "transparent parts were put on white"
            pixels = _on_white(pixels)
        upright = np.ascontiguousarray(self._turned(pixels))
        upright.setflags(write=False)
        return upright

    def _has_alpha(self, frame: VideoFrame) -> bool:
        """Whether a frame's format has an alpha channel; asked once a format, for it takes a while."""
        name = frame.format.name
        if name not in self._alpha_formats:
            self._alpha_formats[name] = any(component.is_alpha for component in frame.format.components)
        return self._alpha_formats[name]

    def _matrix(self, frame: VideoFrame) -> Colorspace | None:
        if frame.colorspace not in _UNSPECIFIED:
            return None
        high = frame.width >= _HD_WIDTH_PX or frame.height >= _HD_HEIGHT_PX
        return Colorspace.ITU709 if high else Colorspace.ITU601

    def _turned(self, pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
        turn = self._turn
        if turn.transposed:
            pixels = np.asarray(cv2.transpose(pixels), np.uint8)
        if turn.rows_reversed or turn.columns_reversed:
            # OpenCV's code: 0 reverses rows, 1 columns, -1 both.
            code = -1 if turn.rows_reversed and turn.columns_reversed else int(turn.columns_reversed)
            pixels = np.asarray(cv2.flip(pixels, code), np.uint8)
        return pixels


def _on_white(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Composite (H, W, 4) on white: round((c a + 255 (255 - a)) / 255), at most 255 * 255 + 127 on the way."""
    opacity = pixels[..., 3:].astype(np.uint16)
    mixed = pixels[..., :3] * opacity + (_OPAQUE * (_OPAQUE - opacity) + 127)
    return (mixed // 255).astype(np.uint8)
