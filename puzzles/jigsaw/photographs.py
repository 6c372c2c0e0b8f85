"""Photographs in a folder: which qualify, what is said of their licence, and views of them. They are only read."""

from __future__ import annotations

import hashlib
import io
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError

from puzzles.jigsaw.cuts import MULTIPLE
from puzzles.jigsaw.draw import SeededDraw
from puzzles.jigsaw.rules import JigsawRules, Pixels, sharpness

SUFFIXES: Final = (".jpg", ".jpeg", ".png", ".webp", ".avif", ".tif", ".tiff", ".bmp")
LICENCE_SUFFIXES: Final = (".license", ".licence", ".license.txt", ".licence.txt")
"""Behind the name of a photograph, with or without its own suffix: a note about its licence."""
FOLDER_NOTES: Final = ("LICENSE", "LICENCE", "LICENSE.txt", "LICENCE.txt")
"""In a folder: a note about all its photographs that have none of their own."""
_COPYRIGHT: Final = 0x8298  # the tag of EXIF
_LONGEST_NOTE: Final = 2000
_LARGER: Final = 1.25
"""Photographs are kept so many times larger than views, so that these can be cut from any part."""
_LEAST_VIEW: Final = 0.85
UNREADABLE, SMALL, LONG, BLURRED, TWICE = (
    "unreadable",
    "resolution",
    "aspect",
    "sharpness",
    "duplicate",
)
"""Why a photograph does not qualify."""


@dataclass(frozen=True)
class Photograph:
    """A photograph that was looked at.

    Attributes
    ----------
    file : relative to the folder
    sha256 : of its bytes, hex; its name for all that is drawn
    size : width and height in pixels, upright; (0, 0) where it can't be read
    licence : the note about its licence; empty where there is none
    fault : why it does not qualify; empty if it does
    """

    file: str
    sha256: str
    size: tuple[int, int]
    licence: str
    fault: str


@dataclass(frozen=True, eq=False)
class PhotographSource:
    """A photograph that qualifies, with its pixels at the size that views are cut from."""

    photograph: Photograph
    pixels: Pixels

    @property
    def key(self) -> str:
        """Its name for all that is drawn."""
        return self.photograph.sha256

    def view(self, number: int, side_px: int, seed: int) -> Pixels:
        """A part of it with its proportions: all of it for 0, else at least 85 % of its width, at a drawn place.

        The shorter side has ``side_px`` pixels; both are multiples of 6.
        """
        height, width = self.pixels.shape[:2]
        part, left, top = 1.0, 0.0, 0.0
        if number:
            draw = SeededDraw("view", seed, self.key, number)
            part = draw.between(_LEAST_VIEW, 1.0)
            left, top = draw.between(0, width * (1 - part)), draw.between(0, height * (1 - part))
        rows = slice(int(top), max(int(top) + 1, int(top + part * height)))
        columns = slice(int(left), max(int(left) + 1, int(left + part * width)))
        scale = side_px / min(width, height)
        across, down = (max(MULTIPLE, round(side * scale / MULTIPLE) * MULTIPLE) for side in (width, height))
        made = cv2.resize(self.pixels[rows, columns], (across, down), interpolation=cv2.INTER_AREA)
        return np.asarray(made, np.uint8)


@dataclass(frozen=True, eq=False)
class Collection:
    """What a folder holds: all photographs by their bytes, and of those that qualify the pixels, in that order."""

    photographs: tuple[Photograph, ...]
    sources: tuple[PhotographSource, ...]

    def counts(self) -> dict[str, int]:
        """How many photographs there are, how many qualify, and how many fell by each rule."""
        fallen = Counter(one.fault for one in self.photographs if one.fault)
        rules = {rule: fallen[rule] for rule in (UNREADABLE, SMALL, LONG, BLURRED, TWICE)}
        return {"found": len(self.photographs), "qualify": len(self.sources), **rules}


def collect(folder: Path, side_px: int, rules: JigsawRules) -> Collection:
    """Reads all photographs in a folder and below it; what can't be read is listed as such.

    Parameters
    ----------
    folder : Path
    side_px : int
        The shorter side of views.
    rules : JigsawRules
        What qualifies.
    """
    files = sorted(path for path in folder.rglob("*") if path.suffix.lower() in SUFFIXES and path.is_file())
    looked_at = [_look(folder, path, side_px, rules) for path in files]
    # By their bytes and not by their names, so that what they are called changes nothing.
    looked_at.sort(key=lambda one: (one[0].sha256, one[0].file))
    photographs: list[Photograph] = []
    sources: list[PhotographSource] = []
    known: set[str] = set()
    for photograph, pixels in looked_at:
        seen = photograph
        if photograph.sha256 in known:
            seen = Photograph(photograph.file, photograph.sha256, photograph.size, photograph.licence, TWICE)
        elif pixels is not None:
            sources.append(PhotographSource(photograph, pixels))
        known.add(photograph.sha256)
        photographs.append(seen)
    return Collection(tuple(photographs), tuple(sources))


def _look(folder: Path, path: Path, side_px: int, rules: JigsawRules) -> tuple[Photograph, Pixels | None]:
    data = path.read_bytes()
    name, digest = path.relative_to(folder).as_posix(), hashlib.sha256(data).hexdigest()
    kept = round(side_px * _LARGER)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            opened = Image.open(io.BytesIO(data))
        with opened as image:
            inside = _inside(image)
            image.draft("RGB", (2 * kept, 2 * kept))  # a JPEG is decoded as small as is needed
            full = opened.size
            upright = ImageOps.exif_transpose(image).convert("RGB")
            original = _original_size(data)
    except (OSError, UnidentifiedImageError, ValueError, SyntaxError, Image.DecompressionBombError):
        return Photograph(name, digest, (0, 0), _licence(folder, path, ""), UNREADABLE), None
    turned = (upright.width > upright.height) != (full[0] > full[1])
    size = (original[1], original[0]) if turned else original
    pixels = np.asarray(upright, np.uint8)
    fault = _fault(pixels, size, rules)
    licence = _licence(folder, path, inside)
    photograph = Photograph(name, digest, size, licence, fault)
    if fault:
        return photograph, None
    scale = kept / min(pixels.shape[:2])
    if scale < 1:
        across, down = max(kept, round(pixels.shape[1] * scale)), max(kept, round(pixels.shape[0] * scale))
        pixels = np.asarray(cv2.resize(pixels, (across, down), interpolation=cv2.INTER_AREA), np.uint8)
    return photograph, pixels


def _original_size(data: bytes) -> tuple[int, int]:
    """Width and height as stored; a draft has others."""
    with Image.open(io.BytesIO(data)) as image:
        return image.size


def _fault(pixels: Pixels, size: tuple[int, int], rules: JigsawRules) -> str:
    short, long = min(size), max(size)
    if short < rules.least_side_px:
        return SMALL
    if long > rules.most_aspect * short:
        return LONG
    return BLURRED if sharpness(pixels, rules.sharpness_side_px) < rules.least_sharpness else ""


def _inside(image: Image.Image) -> str:
    """A note about the licence within the picture's file."""
    texts = [image.info.get(key) for key in ("License", "Licence", "Copyright")]
    texts.append(image.getexif().get(_COPYRIGHT))
    return next((str(text).strip("\x00 \n") for text in texts if text), "")


def _licence(folder: Path, path: Path, inside: str) -> str:
    for note in _notes(folder, path):
        if note.is_file():
            return note.read_text(encoding="utf-8", errors="replace").strip()[:_LONGEST_NOTE]
    return inside[:_LONGEST_NOTE]


def _notes(folder: Path, path: Path) -> Iterator[Path]:
    """Where a note may be: beside the photograph, then in its folder and those above, up to the one that is read."""
    for suffix in LICENCE_SUFFIXES:
        yield path.with_name(path.name + suffix)
        yield path.with_suffix(suffix)
    home = path.parent
    while True:
        yield from (home / name for name in FOLDER_NOTES)
        if home == folder or folder not in home.parents:
            return
        home = home.parent
