"""The contact sheet of a clip: chosen frames with what was seen in them, and a strip with outcome and reasons."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from PIL import Image, ImageDraw

from grader.drawing.canvas import INK, PAPER, Canvas, font_of
from grader.drawing.strip import Strip, with_strip
from grader.media.pyramid import resize

MOST_MOMENTS = 12
"""Frames that a sheet shows at most."""

_SHEET_WIDTH = 1200
_MOST_COLUMNS = 4
_TALLEST = 2.25
"""Height of a frame's place over its width at most; a frame that is slimmer does not fill its place's width."""
_GAP = 8
_CAPTION_SIZE = 17


def contact_sheet(frames: Sequence[tuple[str, Canvas]], strip: Strip) -> Canvas:
    """Frames in rows, each below its caption, with the strip below or beside them; at most `MOST_PIXELS` in all.

    Parameters
    ----------
    frames : sequence of (caption, ndarray (H, W, 3) uint8 RGB)
        All of one size, in order; 1 to `MOST_MOMENTS`.
    strip : Strip

    Returns
    -------
    ndarray of shape (H, W, 3), uint8 RGB

    Raises
    ------
    ValueError
        If there is no frame, or more than `MOST_MOMENTS`.
    """
    if not 1 <= len(frames) <= MOST_MOMENTS:
        raise ValueError(f"a contact sheet has 1 to {MOST_MOMENTS} frames, not {len(frames)}")
    columns = min(_MOST_COLUMNS, max(2, math.ceil(math.sqrt(len(frames)))))
    width = (_SHEET_WIDTH - (columns + 1) * _GAP) // columns
    rows, across = frames[0][1].shape[:2]
    scale = min(width / across, _TALLEST * width / rows)
    shown, height = max(1, round(across * scale)), max(1, round(rows * scale))
    cell = height + round(1.6 * _CAPTION_SIZE) + _GAP
    sheet = Image.new("RGB", (_SHEET_WIDTH, math.ceil(len(frames) / columns) * cell + _GAP), PAPER)
    pen = ImageDraw.Draw(sheet)
    for place, (caption, frame) in enumerate(frames):
        left = _GAP + place % columns * (width + _GAP)
        top = _GAP + place // columns * cell
        pen.text((left, top), _shortened(caption, width), INK, font_of(_CAPTION_SIZE), anchor="la")
        picture_top = top + round(1.6 * _CAPTION_SIZE)
        sheet.paste(Image.fromarray(resize(frame, (shown, height))), (left, picture_top))
        pen.rectangle((left - 1, picture_top - 1, left + shown, picture_top + height), outline=(190, 190, 190))
    return with_strip(np.array(sheet, np.uint8), strip)


def _shortened(caption: str, width: int) -> str:
    font = font_of(_CAPTION_SIZE)
    if font.getlength(caption) <= width:
        return caption
    while caption and font.getlength(f"{caption}...") > width:
        caption = caption[:-1]
    return f"{caption}..."


def chosen_moments(spans: Sequence[tuple[int, str]], frames: int) -> tuple[tuple[int, str], ...]:
    """Up to `MOST_MOMENTS` frames to show: the first, the last, and those that matter.

    Parameters
    ----------
    spans : sequence of (frame, caption)
        What matters, the most important first.
    frames : int
        Frames of the clip, at least one.
    """
    chosen = {0: "start", frames - 1: "end"} if frames > 1 else {0: "start"}
    for frame, caption in spans:
        inside = min(max(frame, 0), frames - 1)
        if inside in chosen and chosen[inside] not in ("start", "end"):
            continue
        if len(chosen) >= MOST_MOMENTS and inside not in chosen:
            break
        chosen[inside] = caption
    spare = np.linspace(0, frames - 1, MOST_MOMENTS // 2).round().astype(int)
    for frame in spare if len(chosen) < MOST_MOMENTS // 2 else ():
        if all(abs(int(frame) - known) > frames // 12 for known in chosen):
            chosen[int(frame)] = ""
    return tuple(sorted(chosen.items()))
