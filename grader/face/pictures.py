"""Pictures as people have them (files, bytes, arrays, Pillow's images) to the encoded bytes that puzzles hold."""

from __future__ import annotations

import enum
import errno
import io
from os import PathLike
from pathlib import Path
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from grader.face.errors import NoFileError, WrongKindError, WrongValueError

PictureLike: TypeAlias = str | PathLike[str] | bytes | NDArray[np.generic] | Image.Image
"""A path, an encoded file's bytes, an array of shape (H, W, 3) and type uint8 (RGB), or an image of Pillow."""

_WRITABLE = ("1", "L", "LA", "P", "RGB", "RGBA", "I;16", "I;16B")
"""Pillow's modes that a PNG can hold."""
_CONVERTED = {
    "La": "LA", "PA": "RGBA", "RGBa": "RGBA", "RGBX": "RGB", "YCbCr": "RGB", "HSV": "RGB", "CMYK": "RGB", "LAB": "RGB",
}  # fmt: skip
"""Those of 8 bits that it can't, and what shows the same. Numbers of 32 bits (I, F) have no range that is known."""
_OTHER_COLORS = ("CMYK", "LAB")
"""Modes whose profile says nothing of RGB."""

_Member = TypeVar("_Member", bound=enum.Enum)


def encoded(picture: PictureLike) -> bytes:
    """Returns a picture's encoded bytes: those of the file as they are, or a PNG of pixels.

    Raises
    ------
    NoFileError
        If a path leads to no file.
    WrongKindError
        If it is none of `PictureLike`, an array of another type or shape, or an image of Pillow in a mode whose range
        is not known, such as F.
    WrongValueError
        If it has no pixels, or is an image of Pillow whose file can't be decoded any more.
    """
    if isinstance(picture, bytes):
        return picture
    if isinstance(picture, str | PathLike):
        return read_file(picture)
    if isinstance(picture, Image.Image):
        return _png(picture)
    if not isinstance(picture, np.ndarray):
        raise WrongKindError(f"a picture is a path, bytes, an array or a Pillow image, not {type(picture).__name__}")
    if picture.dtype != np.uint8 or picture.ndim != 3 or picture.shape[2] != 3:
        raise WrongKindError(
            f"an array of pixels has the shape (H, W, 3) and the type uint8, in RGB, not {picture.shape} and "
            f"{picture.dtype}"
        )
    return _png(Image.fromarray(picture))


def encoded_mask(mask: PictureLike) -> bytes:
    """Returns a mask's encoded bytes; beside what `encoded` takes, an array (H, W) of bool."""
    if isinstance(mask, np.ndarray) and mask.ndim == 2 and mask.dtype == np.bool_:
        return _png(Image.fromarray(mask.astype(np.uint8) * np.uint8(255)))
    return encoded(mask)


def encoded_ids(cell_map: PictureLike) -> bytes:
    """Returns a cell map's encoded bytes; beside what `encoded` takes, an array (H, W) of ids, 0 for outside."""
    if isinstance(cell_map, np.ndarray) and cell_map.ndim == 2 and np.issubdtype(cell_map.dtype, np.integer):
        if cell_map.size and not (cell_map.min() >= 0 and cell_map.max() < 2**24):
            raise WrongValueError(f"ids of cells are 0 to {2**24 - 1}, not {cell_map.min()} to {cell_map.max()}")
        ids = cell_map.astype(np.uint32)
        return _png(Image.fromarray(np.stack([ids & 255, ids >> 8 & 255, ids >> 16], axis=-1).astype(np.uint8)))
    return encoded(cell_map)


class PathKind(enum.Enum):
    """What is at a path."""

    NOTHING = enum.auto()
    FILE = enum.auto()
    FOLDER = enum.auto()


def what_is_at(path: str | PathLike[str]) -> PathKind:
    """Says what is at a path; at a text that is too long for one, nothing is."""
    place = Path(path)
    try:
        return PathKind.FOLDER if place.is_dir() else PathKind.FILE if place.exists() else PathKind.NOTHING
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:
            raise
        return PathKind.NOTHING


def read_file(path: str | PathLike[str]) -> bytes:
    """Returns a file's bytes.

    Raises
    ------
    NoFileError
        If there is none, or it is a folder, with a word on answers in text.
    """
    shown = str(path) if len(str(path)) <= 80 else f"{str(path)[:80]}..."
    there = what_is_at(path)
    if there is PathKind.FOLDER:
        raise NoFileError(f"{shown!r} is a folder; name the file in it")
    if there is not PathKind.FILE:
        raise NoFileError(f"there is no file {shown!r}; a text is a path here, and words are TextCandidate(...)")
    return Path(path).read_bytes()


def member(kind: type[_Member], value: _Member | str, name: str) -> _Member:
    """Returns the member of an enum that a word names.

    Raises
    ------
    WrongValueError
        Naming the parameter and the words that it takes.
    """
    if isinstance(value, kind):
        return value
    found = next((one for one in kind if one.value == value), None)
    if found is None:
        raise WrongValueError(f"{name} is {value!r}; it is one of {', '.join(repr(one.value) for one in kind)}")
    return found


def _png(image: Image.Image) -> bytes:
    if not image.width or not image.height:
        raise WrongValueError(f"a picture has pixels; this one is {image.width} wide and {image.height} high")
    stream = io.BytesIO()
    try:
        _in_writable_mode(image).save(stream, "PNG", compress_level=1)
    except (OSError, SyntaxError, ValueError) as error:  # Pillow decodes late
        raise WrongValueError(f"the image of Pillow can't be read: {error}") from error
    return stream.getvalue()


def _in_writable_mode(image: Image.Image) -> Image.Image:
    if image.mode in _WRITABLE:
        return image
    if image.mode not in _CONVERTED:
        raise WrongKindError(
            f"an image of Pillow's mode {image.mode!r} holds numbers whose black and white are not known; convert it "
            "to 'RGB' or 'L' first"
        )
    made = image.convert(_CONVERTED[image.mode])
    if image.mode in _OTHER_COLORS:
        made.info.pop("icc_profile", None)
    return made
