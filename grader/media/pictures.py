"""Encoded pictures to upright 8-bit sRGB pixels, cell maps and masks. All limits on media are kept here.

The header is read first: bytes, format, sides and pixels are checked before a pixel is decoded. PNG goes through
`grader.media.png`, everything else through Pillow, which is only ever offered the format that the first bytes name.

Pillow's warnings are silenced while a picture is decoded. Python keeps its warning filters per process, so what other
threads warn of in that time is silenced too.
"""

from __future__ import annotations

import functools
import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageCms

from grader.media.costs import MAX_EXIF_BYTES, check_jpeg, check_parts, webp_size
from grader.media.png import PngPixels, Samples, decode_png, open_png
from grader.media.quiet import DECODER_ERRORS, WITHOUT_WARNINGS
from grader.media.resize import resize_labels, resize_mask
from grader.media.types import DEFAULT_LIMITS, MediaError, MediaLimits, MediaReason, recognise
from grader.media.uri import find_uri, read_uri
from grader.model.verdict import Note

__all__ = [
    "DEFAULT_LIMITS",
    "DecodedImage",
    "MediaError",
    "MediaLimits",
    "MediaReason",
    "decode_image",
    "decode_labels",
    "decode_mask",
    "find_uri",
    "read_uri",
    "recognise",
    "resize_labels",
    "resize_mask",
]

NOTHING_OPAQUE = "NOTHING_OPAQUE"
"""The code of a note: every pixel is transparent."""
_ORIENTATION_TAG = 0x0112
_STRIP_PIXELS = 1 << 20
_AS_SRGB_LEVELS = 1
_OPAQUE = 255
_EXACT = ("PNG", "GIF")  # formats whose black is black
_PixelT = TypeVar("_PixelT", np.uint8, np.bool_)


@dataclass(frozen=True, eq=False)
class DecodedImage:
    """An upright picture.

    Attributes
    ----------
    pixels : (H, W, 3) uint8, RGB in sRGB values, C-contiguous, read-only
    format : PNG, JPEG, WEBP, AVIF or GIF
    notes : what was done to get there: ALPHA_COMPOSITED, NOTHING_OPAQUE, PROFILE_CONVERTED, PROFILE_IGNORED,
        EXIF_TURNED, EXIF_IGNORED, FIRST_FRAME_OF_N, CMYK_CONVERTED, SIXTEEN_BIT_REDUCED
    """

    pixels: NDArray[np.uint8]
    format: str
    notes: tuple[Note, ...]


@dataclass(frozen=True, eq=False)
class _Raster:
    """A decoded picture before its colours are converted: mode L, RGB or CMYK; alpha (H, W) uint8 or None."""

    color: Image.Image | NDArray[np.uint8]
    alpha: NDArray[np.uint8] | None
    is_grey: bool
    profile: bytes | None
    exif: bytes | None
    notes: tuple[Note, ...]


def decode_image(data: bytes, limits: MediaLimits = DEFAULT_LIMITS) -> DecodedImage:
    """Decode a picture as a person would see it.

    The first frame of an animation is taken (of an animated PNG its default picture); 16-bit samples become
    round(v / 257); an embedded profile is converted to sRGB, unless it is sRGB within one level; CMYK without a usable
    profile becomes (255 - c)(255 - k) / 255; alpha is composited on white in sRGB values, so colours hidden under alpha
    0 never show; an Exif orientation is carried out last. PNG's gAMA and cHRM chunks and XMP are ignored, as viewers
    do. A damaged profile or Exif block is ignored with a note.

    Parameters
    ----------
    data : bytes
        An encoded PNG, JPEG, WebP, AVIF or GIF.
    limits : MediaLimits
        Checked before a pixel is decoded.

    Returns
    -------
    DecodedImage

    Raises
    ------
    MediaError
        EMPTY, TOO_MANY_BYTES, UNKNOWN_FORMAT, FORMAT_NOT_ALLOWED, SIDE_TOO_LONG, TOO_MANY_PIXELS, TOO_COSTLY or
        UNDECODABLE.
    """
    name = recognise(data, limits)
    with _only_media_errors(name):
        raster = _decode_png(data, limits) if name == "PNG" else _decode_other(data, name, limits)
        notes = list(raster.notes)
        orientation = _orientation(raster.exif, notes)
    pixels = _to_srgb(raster, notes)
    if raster.alpha is not None and raster.alpha.min() < _OPAQUE:
        pixels = _on_white(pixels, raster.alpha)
        notes.append(Note("ALPHA_COMPOSITED", "transparent parts were put on white"))
        if not raster.alpha.any():
            notes.append(Note(NOTHING_OPAQUE, "the picture is wholly transparent, so that nothing of it shows"))
    if orientation != 1:
        pixels = _turned(pixels, orientation)
        notes.append(Note("EXIF_TURNED", f"the picture was turned upright (Exif orientation {orientation})"))
    upright = np.ascontiguousarray(pixels)
    upright.setflags(write=False)
    return DecodedImage(upright, name, tuple(notes))


@contextmanager
def _only_media_errors(name: str) -> Iterator[None]:
    try:
        with WITHOUT_WARNINGS:
            yield
    except Image.DecompressionBombError as error:
        # Pillow's own ceiling, above the default limits: reached only where an operator's limits are higher still.
        raise MediaError(
            MediaReason.TOO_MANY_PIXELS, f"the {name} has too many pixels for its decoder ({error}); send a smaller one"
        ) from error
    except DECODER_ERRORS as error:
        raise MediaError(
            MediaReason.UNDECODABLE, f"the {name} is broken or cut off ({error or type(error).__name__}); send it whole"
        ) from error


def _decode_png(data: bytes, limits: MediaLimits) -> _Raster:
    png = open_png(data, limits)
    samples = decode_png(png)
    notes = []
    if png.bit_depth == 16:
        samples = PngPixels(_to_8_bit(samples.color), None if samples.alpha is None else _to_8_bit(samples.alpha))
        notes.append(Note("SIXTEEN_BIT_REDUCED", "16-bit samples were rounded to 8 bits"))
    if png.frames > 1:
        notes.append(_first_frame(str(png.frames)))
    alpha = None if samples.alpha is None else samples.alpha.astype(np.uint8, copy=False)
    return _Raster(samples.color.astype(np.uint8, copy=False), alpha, png.is_grey, png.profile, png.exif, tuple(notes))


def _decode_other(data: bytes, name: str, limits: MediaLimits) -> _Raster:
    if name == "WEBP":
        # Its decoder allocates the canvas as soon as the file is opened, so the size is read here.
        limits.check_size(*webp_size(data))
    check_parts(name, data)
    image: Image.Image
    with Image.open(io.BytesIO(data), formats=(name,)) as opened:
        limits.check_size(*opened.size)
        if name == "JPEG":
            check_jpeg(data, *opened.size, limits)
        profile, exif = opened.info.get("icc_profile"), opened.info.get("exif")
        notes = []
        if getattr(opened, "is_animated", False):
            # Counting the frames of a GIF means to walk through the whole file.
            notes.append(_first_frame("several" if name == "GIF" else str(getattr(opened, "n_frames", "several"))))
            opened.seek(0)
        outside = _outside_first_frame(opened) if name == "GIF" else None
        opened.load()
        image = opened
        if image.mode in ("P", "PA", "LA", "La", "RGBa") or "transparency" in image.info:
            image = image.convert("RGBA")
        alpha = np.array(image.getchannel("A")) if image.mode == "RGBA" else None
        if image.mode not in ("L", "CMYK"):
            image = image.convert("L" if image.mode == "1" else "RGB")
        image.load()
    if outside is not None:
        alpha = np.full((image.height, image.width), _OPAQUE, np.uint8) if alpha is None else alpha
        alpha[outside] = 0
    return _Raster(image, alpha, image.mode == "L", profile, exif, tuple(notes))


def _outside_first_frame(image: Image.Image) -> NDArray[np.bool_] | None:
    """Tell which pixels of a GIF's screen its first frame leaves untouched; viewers show nothing there."""
    left, top, right, bottom = getattr(image, "tile", [("", (0, 0, *image.size))])[0][1]
    if (left, top, right, bottom) == (0, 0, *image.size):
        return None
    outside = np.ones((image.height, image.width), bool)
    outside[top:bottom, left:right] = False
    return outside


def _first_frame(count: str) -> Note:
    return Note("FIRST_FRAME_OF_N", f"the file holds several pictures; the first of {count} was taken")


def _strips(height: int, width: int) -> Iterator[slice]:
    """Cut rows into strips, so that wider number types never need memory for the whole picture."""
    step = max(1, _STRIP_PIXELS // width)
    for top in range(0, height, step):
        yield slice(top, top + step)


def _to_8_bit(samples: Samples) -> NDArray[np.uint8]:
    reduced = np.empty(samples.shape, np.uint8)
    for rows in _strips(*samples.shape[:2]):
        # 257 is odd, so no quotient lies halfway and adding 128 rounds.
        reduced[rows] = (samples[rows].astype(np.uint32) + 128) // 257
    return reduced


def _on_white(pixels: NDArray[np.uint8], alpha: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Composite: round((c a + 255 (255 - a)) / 255). The sum is at most 255 * 255 + 127 and fits 16 bits."""
    composited = np.empty_like(pixels)
    for rows in _strips(*alpha.shape):
        opacity = alpha[rows, :, None].astype(np.uint16)
        composited[rows] = (pixels[rows] * opacity + (_OPAQUE * (_OPAQUE - opacity) + 127)) // 255
    return composited


def _to_srgb(raster: _Raster, notes: list[Note]) -> NDArray[np.uint8]:
    """Bring colours to (H, W, 3) sRGB; says in ``notes`` what was done."""
    converted = None
    if raster.profile is not None:
        converted = _by_profile(raster, raster.profile, notes)
    if converted is not None:
        return np.asarray(converted)
    if isinstance(raster.color, np.ndarray):
        return raster.color
    if raster.color.mode == "CMYK":
        notes.append(Note("CMYK_CONVERTED", "CMYK was converted to RGB without a profile"))
    return np.asarray(raster.color.convert("RGB"))


def _by_profile(raster: _Raster, profile: bytes, notes: list[Note]) -> Image.Image | None:
    """Convert through an ICC profile; None when it is unusable, or says sRGB, so that pixels stay as they are."""
    try:
        source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        space = source.profile.xcolor_space.strip()
        if space == "GRAY" and raster.is_grey:
            mode = "L"
        elif (space == "CMYK") == (not isinstance(raster.color, np.ndarray) and raster.color.mode == "CMYK"):
            mode = {"RGB": "RGB", "CMYK": "CMYK"}[space]
        else:
            raise ValueError(f"it is for {space}")
        transform = ImageCms.buildTransform(source, ImageCms.createProfile("sRGB"), mode, "RGB")
        if mode != "CMYK" and _is_identity(transform, mode):
            return None
        image = Image.fromarray(raster.color) if isinstance(raster.color, np.ndarray) else raster.color
        converted = ImageCms.applyTransform(image if image.mode == mode else image.convert(mode), transform)
    except (ImageCms.PyCMSError, *DECODER_ERRORS):
        notes.append(
            Note("PROFILE_IGNORED", "the embedded colour profile is damaged or of another kind; it was ignored")
        )
        return None
    notes.append(Note("PROFILE_CONVERTED", "the embedded colour profile was converted to sRGB"))
    return converted


def _is_identity(transform: ImageCms.ImageCmsTransform, mode: str) -> bool:
    """Try a transform on a ramp and a lattice of colours: names of profiles can't be trusted, and sRGB has many."""
    ramp = np.repeat(np.arange(256, dtype=np.uint8)[:, None], 3, axis=1)
    steps = np.arange(0, 256, 51, dtype=np.uint8)
    lattice = np.stack(np.meshgrid(steps, steps, steps), axis=-1).reshape(-1, 3)
    before = np.concatenate([ramp, lattice] if mode == "RGB" else [ramp])[None]
    after = np.asarray(ImageCms.applyTransform(Image.fromarray(before if mode == "RGB" else before[..., 0]), transform))
    return bool(np.abs(after.astype(np.int16) - before).max() <= _AS_SRGB_LEVELS)


def _orientation(exif: bytes | None, notes: list[Note]) -> int:
    if not exif:
        return 1
    tags = Image.Exif()
    if len(exif) > MAX_EXIF_BYTES:
        notes.append(Note("EXIF_IGNORED", f"the Exif block has {len(exif)} bytes; it was ignored"))
        return 1
    try:
        tags.load(exif)
        value = tags.get(_ORIENTATION_TAG, 1)
    except DECODER_ERRORS:
        notes.append(Note("EXIF_IGNORED", "the Exif block is damaged; it was ignored"))
        return 1
    return value if isinstance(value, int) and 1 <= value <= 8 else 1


def _turned(pixels: NDArray[_PixelT], orientation: int) -> NDArray[_PixelT]:
    """Turn stored rows and columns upright; the value says on which sides the first row and column belong."""
    if orientation >= 5:
        pixels = pixels.swapaxes(0, 1)
    flip_rows = orientation in (3, 4, 7, 8)
    flip_columns = orientation in (2, 3, 6, 7)
    return pixels[:: -1 if flip_rows else 1, :: -1 if flip_columns else 1]


def decode_labels(data: bytes, limits: MediaLimits = DEFAULT_LIMITS) -> NDArray[np.int32]:
    """Decode a cell map: id = R + 256 G + 65536 B, the stored bytes without colour management and without turning.

    Parameters
    ----------
    data : bytes
        A PNG of at most 8 bits a sample; grey and palettes are spread to RGB. Alpha must be 255 throughout.
    limits : MediaLimits
        Checked before a pixel is decoded.

    Returns
    -------
    ndarray of int32, (H, W)

    Raises
    ------
    MediaError
        LABELS_NOT_EXACT when the file is no PNG, has 16-bit samples or is transparent somewhere; otherwise as
        `decode_image`.
    """
    name = recognise(data, limits)
    if name != "PNG":
        raise MediaError(MediaReason.LABELS_NOT_EXACT, f"a cell map in {name} may not be exact; send a PNG")
    png = open_png(data, limits)
    if png.bit_depth == 16:
        raise MediaError(
            MediaReason.LABELS_NOT_EXACT, "the cell map has 16 bits a sample, ids are made of 8; send an 8-bit RGB PNG"
        )
    samples = decode_png(png)
    if samples.alpha is not None and samples.alpha.min() < _OPAQUE:
        raise MediaError(MediaReason.LABELS_NOT_EXACT, "the cell map is transparent in places; send an opaque RGB PNG")
    padded = np.zeros((png.height_px, png.width_px, 4), np.uint8)
    padded[:, :, :3] = samples.color
    return padded.view("<i4")[:, :, 0].astype(np.int32, copy=False)


def decode_mask(data: bytes, limits: MediaLimits = DEFAULT_LIMITS) -> NDArray[np.bool_]:
    """Decode a mask: True where it is not black.

    Samples are taken as they are stored, so that 1 of 65535 is not black. Of formats that lose something, in which
    black is no longer black near an edge, what is at least half as bright as the brightest counts. What is transparent
    counts as black; where all that can be seen is black, the mask is what can be seen.

    Parameters
    ----------
    data : bytes
        An encoded picture.
    limits : MediaLimits
        Checked before a pixel is decoded.

    Returns
    -------
    ndarray of bool, (H, W)

    Raises
    ------
    MediaError
        As `decode_image`.
    """
    name = recognise(data, limits)
    color: NDArray[np.uint8] | Samples
    with _only_media_errors(name):
        if name == "PNG":
            png = open_png(data, limits)
            samples = decode_png(png)
            color, alpha, exif = samples.color, samples.alpha, png.exif
        else:
            raster = _decode_other(data, name, limits)
            color = raster.color if isinstance(raster.color, np.ndarray) else np.asarray(raster.color.convert("RGB"))
            alpha, exif = raster.alpha, raster.exif
        orientation = _orientation(exif, [])
    brightest = int(color.max())
    least = 1 if name in _EXACT else max(1, (brightest + 1) // 2)
    # Channel by channel: over so few numbers NumPy's own maximum takes some fifty times as long.
    channels = [color[..., one] for one in range(color.shape[2])] if color.ndim > 2 else [color]
    mask = np.asarray(functools.reduce(np.maximum, channels) >= least, np.bool_)
    if alpha is not None:
        opaque = alpha >= max(1, (int(alpha.max()) + 1) // 2)
        mask = opaque if not mask[opaque].any() and not opaque.all() else mask & opaque
    return np.ascontiguousarray(_turned(mask, orientation))
