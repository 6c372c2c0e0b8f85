"""Contact sheets: twelve frames of a clip in one picture, for people who look at clips."""

from __future__ import annotations

import io
from collections.abc import Sequence

import av
import cv2
import numpy as np
from PIL import Image

from puzzles.common.lettering import draw_text
from puzzles.common.raster import Picture

_ACROSS, _DOWN = 4, 3
_CELL_PX = 260
_TITLE_PX = 26


def decoded(clip: bytes) -> list[Picture]:
    """Return the frames of a clip that decode, (H, W, 3) uint8 RGB; of a damaged one those before the damage."""
    frames: list[Picture] = []
    with av.open(io.BytesIO(clip), "r") as container:
        try:
            for frame in container.decode(video=0):
                frames.append(np.asarray(frame.to_ndarray(format="rgb24"), np.uint8))
        except av.error.InvalidDataError:
            return frames
    return frames


def contact_sheet(frames: Sequence[Picture], title: str = "") -> Picture:
    """Return a picture of twelve frames, row by row, the first and the last among them, under a title.

    Parameters
    ----------
    frames
        At least one, (H, W, 3) uint8 RGB of one size.
    title
        ASCII; empty for none.

    Raises
    ------
    ValueError
        If there is no frame.
    """
    if not frames:
        raise ValueError("a sheet needs at least one frame")
    height, width = frames[0].shape[:2]
    scale = _CELL_PX / max(height, width)
    size = max(1, round(width * scale)), max(1, round(height * scale))
    sheet = np.full((_DOWN * (size[1] + 4) + _TITLE_PX, _ACROSS * (size[0] + 4), 3), 120, np.uint8)
    for place, number in enumerate(np.linspace(0, len(frames) - 1, _ACROSS * _DOWN).round().astype(int)):
        row, column = divmod(place, _ACROSS)
        top, left = _TITLE_PX + row * (size[1] + 4) + 2, column * (size[0] + 4) + 2
        small = cv2.resize(frames[number], size, interpolation=cv2.INTER_AREA)
        sheet[top : top + size[1], left : left + size[0]] = small
    if title:
        draw_text(sheet, title, (sheet.shape[1] / 2, _TITLE_PX / 2), 13, (255, 255, 255))
    return sheet


def sheet_png(clip: bytes, title: str = "") -> bytes:
    """Return the contact sheet of a clip as PNG; errors as of `contact_sheet`, where nothing of the clip decodes."""
    stream = io.BytesIO()
    Image.fromarray(contact_sheet(decoded(clip), title)).save(stream, "PNG")
    return stream.getvalue()
