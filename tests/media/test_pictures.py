"""Decoding: every format and variant, every refusal, damaged files."""

from __future__ import annotations

import io
import pickle
import random
import struct
import tracemalloc
import zlib

import numpy as np
import pytest
from PIL import Image, ImageCms

from grader.media.pictures import (
    MediaError,
    MediaLimits,
    MediaReason,
    decode_image,
    decode_labels,
)
from tests.samples.media import FLAT, LINEAR_GREY, LINEAR_RGB, RGB, chunk, cmyk_profile, encode, exif_of, png, refreshed


def codes(data: bytes) -> list[str]:
    return [note.code for note in decode_image(data).notes]


def reason_of(data: bytes, limits: MediaLimits | None = None) -> MediaReason:
    with pytest.raises(MediaError) as caught:
        decode_image(data, limits or MediaLimits())
    assert len(str(caught.value)) > 20
    return caught.value.reason


@pytest.mark.parametrize("pixels", [RGB, RGB[..., 0]])
def test_plain_png_is_exact_and_frozen(pixels: np.ndarray) -> None:
    decoded = decode_image(encode(pixels))
    assert (decoded.format, decoded.notes) == ("PNG", ())
    assert decoded.pixels.dtype == np.uint8
    assert decoded.pixels.flags.c_contiguous
    assert not decoded.pixels.flags.writeable
    assert np.array_equal(decoded.pixels, np.asarray(Image.open(io.BytesIO(encode(pixels))).convert("RGB")))


@pytest.mark.parametrize("depth", [1, 2, 4])
def test_low_bit_grey_is_spread_and_its_key_is_transparent(depth: int) -> None:
    samples = np.arange(2**depth).repeat(8 // depth)[None]
    bits = (samples[0][:, None] >> np.arange(depth - 1, -1, -1) & 1).astype(np.uint8)
    packed = np.packbits(bits)[None]
    grey = samples * 255 // (2**depth - 1)
    assert np.array_equal(decode_image(png(packed, depth, 0)).pixels[..., 1], grey)
    keyed = decode_image(png(packed, depth, 0, chunk(b"tRNS", b"\0\0")))
    assert np.array_equal(keyed.pixels[..., 1], np.where(samples == 0, 255, grey))


def test_palette_with_and_without_alpha() -> None:
    image = Image.fromarray(RGB).quantize(16)
    assert np.array_equal(decode_image(encode(image)).pixels, np.asarray(image.convert("RGB")))
    data = encode(image, transparency=bytes(range(0, 160, 10)))
    rgba = np.asarray(Image.open(io.BytesIO(data)).convert("RGBA")).astype(int)
    expected = np.floor(rgba[..., :3] * (rgba[..., 3:] / 255) + 255 - rgba[..., 3:] + 0.5)
    assert np.abs(decode_image(data).pixels - expected).max() == 0
    too_long = png(np.array([[0, 1]], np.uint8), 8, 3, chunk(b"PLTE", b"abcdef"), chunk(b"tRNS", bytes(9)))
    assert (decode_image(too_long).pixels == 255).all()


@pytest.mark.parametrize(("kind", "options"), [("PNG", {}), ("WEBP", {"lossless": True, "exact": True})])
def test_alpha_is_put_on_white(kind: str, options: dict[str, object]) -> None:
    rgba = np.array([[[255, 0, 0, 0], [255, 0, 0, 255], [100, 50, 0, 128], [10, 20, 30, 1]]], np.uint8)
    decoded = decode_image(encode(rgba, kind, **options))
    # (100 * 128 + 255 * 127) / 255 = 177.2; 50 -> 152.1; 0 -> 127. With alpha 1: 254.04, 254.08, 254.1.
    expected = [[255, 255, 255], [255, 0, 0], [177, 152, 127], [254, 254, 254]]
    assert decoded.pixels[0].tolist() == expected
    assert [note.code for note in decoded.notes] == ["ALPHA_COMPOSITED"]
    nothing = decode_image(encode(rgba[:, :1], kind, **options))
    assert [note.code for note in nothing.notes] == ["ALPHA_COMPOSITED", "NOTHING_OPAQUE"]


def test_grey_alpha_opaque_alpha_and_color_key() -> None:
    grey_alpha = png(np.array([[40, 255, 40, 0]], np.uint8), 8, 4)
    assert decode_image(grey_alpha).pixels[0].tolist() == [[40] * 3, [255] * 3]
    assert codes(encode(np.dstack([RGB, np.full((9, 13), 255, np.uint8)]))) == []
    keyed = png(np.array([[1, 2, 3, 1, 2, 4]], np.uint8), 8, 2, chunk(b"tRNS", b"\0\1\0\2\0\3"))
    assert decode_image(keyed).pixels[0].tolist() == [[255] * 3, [1, 2, 4]]


@pytest.mark.parametrize(("color", "channels"), [(0, 1), (2, 3), (4, 2), (6, 4)])
def test_16_bit_is_rounded(color: int, channels: int) -> None:
    values = np.array([0, 127, 128, 129, 257, 385, 386, 32767, 32768, 65406, 65407, 65535], np.uint16)
    samples = values.repeat(channels).reshape(len(values), channels)
    if channels in (2, 4):
        samples[:, -1] = 65535
    decoded = decode_image(png(samples.reshape(1, -1), 16, color))
    assert decoded.pixels[0, :, 1].tolist() == np.floor(values / 257 + 0.5).astype(int).tolist()
    assert decoded.notes[0].code == "SIXTEEN_BIT_REDUCED"


def test_16_bit_color_key_is_compared_at_16_bits() -> None:
    data = png(np.array([[1000, 1001]], np.uint16), 16, 0, chunk(b"tRNS", struct.pack(">H", 1000)))
    assert decode_image(data).pixels[0, :, 0].tolist() == [255, 4]


def test_jpeg_webp_avif() -> None:
    for kind in ("JPEG", "WEBP", "AVIF"):
        decoded = decode_image(encode(FLAT, kind, quality=95))
        assert decoded.format == kind
        assert np.abs(decoded.pixels[4:28, 4:28].astype(int) - FLAT[0, 0]).max() < 8
    assert decode_image(encode(FLAT[..., 0], "JPEG")).pixels.shape == FLAT.shape
    assert np.array_equal(decode_image(encode(RGB, "WEBP", lossless=True)).pixels, RGB)


def test_gif_with_transparency_and_a_first_frame_that_leaves_a_margin() -> None:
    image = Image.fromarray(np.array([[0, 1], [1, 0]], np.uint8), "P")
    image.putpalette([9, 8, 7, 200, 0, 0])
    decoded = decode_image(encode(image, "GIF", transparency=0))
    assert decoded.pixels.tolist() == [[[255] * 3, [200, 0, 0]], [[200, 0, 0], [255] * 3]]
    screen = bytearray(encode(image, "GIF"))
    screen[6:10] = struct.pack("<HH", 4, 3)
    pixels = decode_image(bytes(screen)).pixels
    assert pixels.shape == (3, 4, 3)
    assert pixels[:2, :2].tolist() == [[[9, 8, 7], [200, 0, 0]], [[200, 0, 0], [9, 8, 7]]]
    assert (pixels[2:] == 255).all()
    assert (pixels[:, 2:] == 255).all()


@pytest.mark.parametrize("kind", ["PNG", "GIF", "WEBP", "AVIF"])
def test_the_first_frame_of_an_animation_is_taken(kind: str) -> None:
    frames = [Image.fromarray(np.full((16, 16, 3), level, np.uint8)) for level in (30, 130, 230)]
    decoded = decode_image(encode(frames[0], kind, save_all=True, append_images=frames[1:]))
    assert np.abs(decoded.pixels.astype(int) - 30).max() < 4
    assert [note.code for note in decoded.notes] == ["FIRST_FRAME_OF_N"]
    assert ("several" if kind == "GIF" else "3") in decoded.notes[0].message


def test_cmyk_jpeg_with_and_without_profile() -> None:
    ink = np.zeros((16, 64, 4), np.uint8)
    ink[:, 16:32, 0], ink[:, 32:48, 3], ink[:, 48:] = 255, 255, (0, 128, 0, 64)
    image = Image.frombytes("CMYK", (64, 16), ink.tobytes())
    plain = decode_image(encode(image, "JPEG", quality=100))
    # (255 - c)(255 - k) / 255: magenta 128 under black 64 leaves 191, 95, 191.
    for column, color in ((8, (255, 255, 255)), (24, (0, 255, 255)), (40, (0, 0, 0)), (56, (191, 95, 191))):
        assert np.abs(plain.pixels[8, column].astype(int) - color).max() <= 2
    assert [note.code for note in plain.notes] == ["CMYK_CONVERTED"]
    managed = decode_image(encode(image, "JPEG", quality=100, icc_profile=cmyk_profile()))
    assert [note.code for note in managed.notes] == ["PROFILE_CONVERTED"]
    for column, level in ((8, 255), (24, 119), (40, 0)):
        assert np.abs(managed.pixels[8, column].astype(int) - level).max() <= 3


def test_ycck_jpeg() -> None:
    # Transform 2 says that the first three stored values are YCbCr of the inks, taken as RGB: Y = 76, Cb = 85, Cr = 255
    # is (254, 0, 0), so all cyan ink, and 255 in the inverted fourth is no black. Pillow inverts on saving: 255 - v.
    inks = bytes(255 - v for v in (76, 85, 255, 255)) * 256
    data = encode(Image.frombytes("CMYK", (16, 16), inks), "JPEG", quality=100)
    at = data.index(b"Adobe") + 11
    pixels = decode_image(data[:at] + b"\2" + data[at + 1 :]).pixels
    assert np.abs(pixels.astype(int) - (1, 255, 255)).max() <= 3


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "AVIF"])
def test_profile_is_converted_to_srgb(kind: str) -> None:
    data = encode(np.full((16, 16, 3), 128, np.uint8), kind, quality=100, icc_profile=LINEAR_RGB)
    # sRGB of linear 128 / 255: 1.055 * 0.502^(1/2.4) - 0.055 = 0.7367, times 255 = 188.
    assert np.abs(decode_image(data).pixels.astype(int) - 188).max() <= 2
    assert codes(data) == ["PROFILE_CONVERTED"]


def test_profiles_of_grey_and_srgb_and_broken_ones() -> None:
    grey = np.full((4, 4), 128, np.uint8)
    assert np.abs(decode_image(encode(grey, icc_profile=LINEAR_GREY)).pixels.astype(int) - 188).max() <= 1
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    assert np.array_equal(decode_image(encode(RGB, icc_profile=srgb)).pixels, RGB)
    assert codes(encode(RGB, icc_profile=srgb)) == []
    for bad in (b"no profile", LINEAR_RGB[:150], LINEAR_GREY, cmyk_profile()):
        decoded = decode_image(encode(RGB, icc_profile=bad))
        assert np.array_equal(decoded.pixels, RGB)
        assert [note.code for note in decoded.notes] == ["PROFILE_IGNORED"]


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "AVIF"])
@pytest.mark.parametrize(
    ("orientation", "upright"),
    list(enumerate(["123 456", "321 654", "654 321", "456 123", "14 25 36", "41 52 63", "63 52 41", "36 25 14"], 1)),
)
def test_exif_orientation(kind: str, orientation: int, upright: str) -> None:
    stored = np.array([[1, 2, 3], [4, 5, 6]], np.uint8).repeat(16, 0).repeat(16, 1) * 40
    data = encode(np.dstack([stored] * 3), kind, quality=100, exif=exif_of(orientation))
    expected = np.array([[int(c) for c in row] for row in upright.split()]) * 40
    pixels = decode_image(data).pixels[8::16, 8::16, 0]
    assert np.abs(pixels.astype(int) - expected).max() <= 3
    assert codes(data) == ([] if orientation == 1 else ["EXIF_TURNED"])


def test_a_picture_stored_sideways_decodes_like_the_upright_one() -> None:
    """Case A4."""
    upright = np.full((96, 160, 3), 255, np.uint8)
    upright[20:28, 16:120], upright[20:80, 112:120] = (0, 107, 183), (255, 0, 0)
    sideways = encode(np.rot90(upright), "JPEG", quality=95, subsampling=0, exif=exif_of(6))
    difference = np.abs(decode_image(sideways).pixels.astype(int) - decode_image(encode(upright)).pixels)
    assert difference.max() < 40
    assert difference.mean() < 1


def test_a_damaged_exif_block_is_ignored() -> None:
    assert codes(encode(RGB, exif=b"Exif\0\0MM\0*\xff\xff\xff\xff")) in (["EXIF_IGNORED"], [])
    assert codes(encode(RGB, exif=exif_of(9))) == []


@pytest.mark.parametrize(
    ("head", "reason", "name"),
    [
        (b"", MediaReason.EMPTY, "empty"),
        (b"\1\2\3\4 nothing", MediaReason.UNKNOWN_FORMAT, "01 02 03"),
        (b"BM" + bytes(60), MediaReason.FORMAT_NOT_ALLOWED, "BMP"),
        (b"II*\0" + bytes(60), MediaReason.FORMAT_NOT_ALLOWED, "TIFF"),
        (b"%PDF-1.7", MediaReason.FORMAT_NOT_ALLOWED, "PDF"),
        (b"<?xml version='1.0'?><svg/>", MediaReason.FORMAT_NOT_ALLOWED, "SVG"),
        (b"\0\0\0\x18ftypisom\0\0\0\0mp42isom", MediaReason.FORMAT_NOT_ALLOWED, "MP4"),
        (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", MediaReason.FORMAT_NOT_ALLOWED, "HEIC"),
        (b"RIFF\0\0\0\0AVI LIST", MediaReason.FORMAT_NOT_ALLOWED, "AVI"),
        (b"iVBORw0KGgoAAAA", MediaReason.FORMAT_NOT_ALLOWED, "base64"),
    ],
)
def test_other_files_are_refused_by_name(head: bytes, reason: MediaReason, name: str) -> None:
    with pytest.raises(MediaError, match=name) as caught:
        decode_image(head)
    assert caught.value.reason is reason
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.reason, str(again)) == (reason, str(caught.value))


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "AVIF", "GIF"])
def test_limits(kind: str) -> None:
    data = encode(np.zeros((20, 30, 3), np.uint8), kind)
    assert decode_image(data, MediaLimits(len(data), 600, 30)).pixels.shape == (20, 30, 3)
    assert reason_of(data, MediaLimits(max_bytes=len(data) - 1)) is MediaReason.TOO_MANY_BYTES
    assert reason_of(data, MediaLimits(max_pixels=599)) is MediaReason.TOO_MANY_PIXELS
    assert reason_of(data, MediaLimits(max_side_px=29)) is MediaReason.SIDE_TOO_LONG
    others = tuple(name for name in ("PNG", "JPEG", "WEBP", "AVIF", "GIF") if name != kind)
    assert reason_of(data, MediaLimits(formats=others)) is MediaReason.FORMAT_NOT_ALLOWED
    with pytest.raises(ValueError, match="TIFF"):
        MediaLimits(formats=("TIFF",))


def test_a_bomb_is_refused_before_its_pixels_are_decoded() -> None:
    packer = zlib.compressobj(9)
    row = bytes(20000 // 8 + 1)
    data = b"".join(packer.compress(row) for _ in range(20000)) + packer.flush()
    header = struct.pack(">IIBBBBB", 20000, 20000, 1, 0, 0, 0, 0)
    bomb = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")
    assert len(bomb) < 400_000
    tracemalloc.start()
    assert reason_of(bomb) is MediaReason.SIDE_TOO_LONG
    assert reason_of(bomb, MediaLimits(max_side_px=20000)) is MediaReason.TOO_MANY_PIXELS
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2_000_000


def test_pillows_own_ceiling_is_too_many_pixels() -> None:
    image = bytearray(encode(np.zeros((8, 8, 3), np.uint8), "GIF"))
    image[6:10] = struct.pack("<HH", 60000, 60000)
    huge = MediaLimits(max_pixels=10**10, max_side_px=60000)
    assert reason_of(bytes(image), huge) is MediaReason.TOO_MANY_PIXELS


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "AVIF", "GIF"])
def test_truncated_files_are_undecodable(kind: str) -> None:
    data = encode(np.repeat(RGB, 8, 1), kind)
    for kept in (len(data) // 3, len(data) // 2, len(data) * 9 // 10):
        assert reason_of(data[:kept]) is MediaReason.UNDECODABLE
    if kind == "PNG":
        assert reason_of(data[:-12]) is MediaReason.UNDECODABLE


@pytest.mark.parametrize(("color", "channels"), [(0, 1), (2, 3), (6, 4)])
def test_broken_pngs_are_undecodable(color: int, channels: int) -> None:
    samples = np.zeros((8, 8 * channels), np.uint8)
    whole = png(samples, 8, color)
    assert decode_image(whole + b"trailing bytes").format == "PNG"
    flipped = bytearray(whole)
    flipped[60] ^= 1
    for bad in (bytes(flipped), png(samples, 8, color, rows=4), png(samples, 8, color, chunk(b"CgBI", b""))):
        assert reason_of(bad) is MediaReason.UNDECODABLE
    assert reason_of(png(samples, 8, 3)) is MediaReason.UNDECODABLE


def test_damaged_files_raise_nothing_else() -> None:
    dice = random.Random(11)
    rgba = np.dstack([RGB, RGB[..., :1]])
    frames = {"save_all": True, "append_images": [Image.fromarray(RGB[::-1])]}
    managed = {"icc_profile": LINEAR_RGB, "exif": exif_of(6)}
    seeds = [
        encode(RGB),
        encode(RGB, **managed),
        encode(rgba),
        encode(Image.fromarray(RGB).quantize(8), transparency=1),
    ]
    seeds += [encode(RGB, kind, **managed) for kind in ("JPEG", "WEBP", "AVIF")]
    seeds += [encode(RGB, kind, **frames) for kind in ("PNG", "GIF", "WEBP", "AVIF")]
    seeds += [encode(Image.fromarray(RGB).convert("CMYK"), "JPEG"), png(RGB.astype(np.uint16).reshape(9, -1), 16, 2)]
    refused = 0
    for seed in seeds:
        for turn in range(60):
            data = bytearray(seed)
            for _ in range(dice.choice((1, 1, 3, 20))):
                data[dice.randrange(len(data))] = dice.choice((0, 255, dice.randrange(256)))
            if turn % 4 == 0:
                del data[dice.randrange(len(data)) :]
            elif turn % 4 == 1 and seed.startswith(b"\x89PNG"):
                data = bytearray(refreshed(bytes(data)))
            for decode in (decode_image, decode_labels):
                try:
                    decode(bytes(data), MediaLimits(max_pixels=1_000_000))
                except MediaError:
                    refused += 1
    assert refused > 500
