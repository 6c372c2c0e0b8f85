"""Contact sheets: each cheat beside the overlay of its verdict."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from PIL import Image

from benchmarks.cheats.drawing import BLACK, label, pasted, resized
from grader.model.verdict import Overlay
from puzzles.common.raster import Picture

_WIDTH, _HEIGHT, _TEXT = 420, 300, 34
_ACROSS, _DOWN = 4, 6


def write_sheets(folder: Path, entries: Sequence[tuple[str, str, Overlay | None]]) -> Iterator[Path]:
    """Write sheets of overlays, which show the candidate as it was aligned and what was seen on it.

    Parameters
    ----------
    folder
        Made where it is missing.
    entries
        Two lines of text and an overlay each.

    Yields
    ------
    Path
        Of each sheet as it is written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    each = _ACROSS * _DOWN
    for number, first in enumerate(range(0, len(entries), each)):
        sheet = np.full((_DOWN * (_HEIGHT + _TEXT), _ACROSS * _WIDTH, 3), 255, np.uint8)
        for place, (name, verdict, overlay) in enumerate(entries[first : first + each]):
            top, left = place // _ACROSS * (_HEIGHT + _TEXT), place % _ACROSS * _WIDTH
            sheet = label(sheet, name, left + 4, top + 13, 8, BLACK)
            sheet = label(sheet, verdict, left + 4, top + 28, 8, BLACK)
            if overlay is not None:
                sheet = pasted(sheet, _fitted(overlay), left, top + _TEXT)
        path = folder / f"cheats-{number:03d}.png"
        Image.fromarray(sheet).save(path)
        yield path


def _fitted(overlay: Overlay) -> Picture:
    picture = np.asarray(Image.open(io.BytesIO(overlay.png)).convert("RGB"))
    scale = min((_WIDTH - 8) / picture.shape[1], (_HEIGHT - 4) / picture.shape[0])
    return resized(picture, round(picture.shape[1] * scale), round(picture.shape[0] * scale))
