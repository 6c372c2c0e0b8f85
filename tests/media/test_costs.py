"""Files that would take minutes to decode are refused by their headers, honest ones with many parts are not."""

import io
import struct
import zlib

import numpy as np
import pytest
from PIL import Image

from grader.engine.engine import Engine
from grader.media.clips.mp4 import outline_mp4
from grader.media.clips.video import open_video
from grader.media.costs import MAX_EXIF_BYTES, MAX_PARTS, jpeg_cost
from grader.media.pictures import DEFAULT_LIMITS, MediaError, MediaLimits, MediaReason, decode_image
from grader.model.jobs import FramesCandidate, GradeJob
from grader.model.verdict import Outcome
from grader.tasks.sliding.model import SlidingInput
from tests.engine.test_engine import maze_job

NOISE = np.random.default_rng(1).integers(0, 256, (64, 64, 3), np.uint8)


def saved(form, **more):
    buffer = io.BytesIO()
    Image.fromarray(NOISE).save(buffer, form, **more)
    return buffer.getvalue()


PROGRESSIVE = saved("JPEG", progressive=True)


def with_scans(number):
    """The same picture, whose last scan comes again and again."""
    last = PROGRESSIVE[PROGRESSIVE.rindex(b"\xff\xda") : -2]
    return PROGRESSIVE[:-2] + last * number + b"\xff\xd9"


def refused(data, limits=DEFAULT_LIMITS):
    with pytest.raises(MediaError) as raised:
        decode_image(data, limits)
    return raised.value.reason


def test_scans_of_a_jpeg_are_counted_and_those_of_a_preview_are_not():
    assert jpeg_cost(PROGRESSIVE).scans == 10
    assert jpeg_cost(saved("JPEG")).scans == 1
    preview = b"\xff\xe1" + struct.pack(">H", 2 + 6 + len(PROGRESSIVE[:60000])) + b"Exif\0\0" + PROGRESSIVE[:60000]
    assert jpeg_cost(PROGRESSIVE[:2] + preview + PROGRESSIVE[2:]).scans == 10
    assert jpeg_cost(with_scans(30)).scans == 40
    for end in range(0, len(PROGRESSIVE), 97):
        assert jpeg_cost(PROGRESSIVE[:end]).scans <= 10


def test_a_jpeg_of_very_many_scans_is_too_costly_and_one_of_some_decodes():
    assert refused(with_scans(2000)) is MediaReason.TOO_COSTLY
    assert np.array_equal(decode_image(with_scans(0)).pixels, decode_image(PROGRESSIVE).pixels)
    assert decode_image(with_scans(20)).pixels.shape == (64, 64, 3)
    assert refused(PROGRESSIVE, MediaLimits(max_scan_pixels=9 * 64 * 64)) is MediaReason.TOO_COSTLY
    assert decode_image(PROGRESSIVE, MediaLimits(max_scan_pixels=10 * 64 * 64)).format == "JPEG"


def test_a_jpeg_of_very_many_segments_or_much_exif():
    comments = b"\xff\xfe\x00\x02" * (MAX_PARTS + 1)
    assert refused(PROGRESSIVE[:2] + comments + PROGRESSIVE[2:]) is MediaReason.TOO_COSTLY
    exif = (b"\xff\xe1" + struct.pack(">H", 60_000) + b"Exif\0\0" + bytes(59_992)) * (MAX_EXIF_BYTES // 60_000 + 1)
    assert refused(PROGRESSIVE[:2] + exif + PROGRESSIVE[2:]) is MediaReason.TOO_COSTLY


def test_a_large_exif_block_of_a_png_is_not_read():
    data = saved("PNG")
    block = b"eXIf" + bytes(MAX_EXIF_BYTES + 1)
    chunk = struct.pack(">I", len(block) - 4) + block + struct.pack(">I", zlib.crc32(block))
    decoded = decode_image(data[:33] + chunk + data[33:])
    assert [note.code for note in decoded.notes] == ["EXIF_IGNORED"]


def test_a_png_of_very_many_chunks():
    data = saved("PNG")
    chunk = b"\0\0\0\0" + b"teXt" + struct.pack(">I", zlib.crc32(b"teXt"))
    assert refused(data[:33] + chunk * (MAX_PARTS + 1) + data[33:]) is MediaReason.TOO_COSTLY
    assert decode_image(data[:33] + chunk * 100 + data[33:]).format == "PNG"


def test_a_gif_of_very_many_blocks_and_an_honest_large_one():
    data = saved("GIF")
    palette_ends = 13 + (3 << ((data[10] & 7) + 1))
    comment = b"\x21\xfe" + b"\x01a" * (2 * MAX_PARTS) + b"\0"
    assert refused(data[:palette_ends] + comment + data[palette_ends:]) is MediaReason.TOO_COSTLY
    assert refused(data[:palette_ends] + b"\x07" * (2 * MAX_PARTS) + data[palette_ends:]) is MediaReason.TOO_COSTLY
    frames = [Image.fromarray(NOISE), Image.fromarray(255 - NOISE)]
    buffer = io.BytesIO()
    frames[0].save(buffer, "GIF", save_all=True, append_images=frames[1:])
    assert decode_image(buffer.getvalue()).format == "GIF"


def test_a_webp_of_very_many_chunks():
    data = saved("WEBP")
    more = data + b"ANMF\0\0\0\0" * (MAX_PARTS + 1)
    assert refused(more[:4] + struct.pack("<I", len(more) - 8) + more[8:]) is MediaReason.TOO_COSTLY
    assert decode_image(data).format == "WEBP"


def test_an_avif_of_large_tables():
    data = saved("AVIF")
    assert decode_image(data).format == "AVIF"
    box = struct.pack(">I", 600_012) + b"meta" + bytes(4) + struct.pack(">I", 600_000) + b"iinf" + bytes(599_992)
    assert refused(data + box) is MediaReason.TOO_COSTLY
    assert refused(data + b"\0\0\0\x08free" * (MAX_PARTS + 1)) is MediaReason.TOO_COSTLY


def test_an_mp4_of_very_many_boxes():
    with pytest.raises(MediaError) as raised:
        outline_mp4(b"\0\0\0\x08free" * 60_000, DEFAULT_LIMITS)
    assert raised.value.reason is MediaReason.TOO_COSTLY


def test_a_candidate_that_is_too_costly_is_ungradable_by_that_reason():
    verdict = Engine().grade(maze_job(with_scans(2000)))
    assert verdict.outcome is Outcome.UNGRADABLE
    assert [reason.code for reason in verdict.reasons] == ["TOO_COSTLY"]


@pytest.mark.parametrize(
    ("limits", "code"),
    [(MediaLimits(max_series_pixels=64 * 64 * 3), "TOO_COSTLY"), (MediaLimits(max_frames=5), "TOO_MANY_FRAMES")],
)
def test_a_series_of_many_pictures(limits, code):
    task = SlidingInput(2, (1, 2, -1, 3), saved("PNG"), (1, 2, 3, -1))
    verdict = Engine(limits).grade(GradeJob("s", task, FramesCandidate((saved("PNG"),) * 6, "")))
    assert [reason.code for reason in verdict.reasons] == [code]


def animated(form, frames=3, **more):
    pictures = [Image.fromarray(np.roll(NOISE, number, axis=0)) for number in range(frames)]
    buffer = io.BytesIO()
    pictures[0].save(buffer, form, save_all=True, append_images=pictures[1:], **more)
    return buffer.getvalue()


def refused_clip(data, limits=DEFAULT_LIMITS):
    with pytest.raises(MediaError) as raised, open_video(data, limits) as clip:
        for _ in clip.frames():
            pass
    return raised.value.reason


@pytest.mark.parametrize("form", ["GIF", "PNG", "WEBP"])
def test_frames_of_an_animation_are_counted_before_its_library_counts_them(form, monkeypatch):
    data = animated(form, 4)
    monkeypatch.setattr(Image, "open", lambda *_, **__: pytest.fail("the library looks at it"))
    assert refused_clip(data, MediaLimits(max_frames=3)) is MediaReason.TOO_MANY_FRAMES


@pytest.mark.parametrize("form", ["GIF", "PNG", "WEBP"])
def test_an_animation_within_its_limits_is_read(form):
    with open_video(animated(form, 3), MediaLimits(max_frames=3)) as clip:
        assert len(list(clip.frames())) == 3


def test_the_canvas_of_an_animated_webp_is_looked_at_before_it_is_made():
    data = bytearray(animated("WEBP"))
    data[24:30] = b"\xff\x3f\x00\xff\x3f\x00"  # 16384 x 16384
    assert refused_clip(bytes(data)) is MediaReason.TOO_MANY_PIXELS


def test_a_frame_of_a_gif_that_is_larger_than_its_screen_is_refused_before_it_is_made():
    second = b"\x2c" + struct.pack("<HHHHB", 0, 0, 8000, 8000, 0) + b"\x02\x01\x04\x00"
    assert refused_clip(saved("GIF")[:-1] + second + b";") is MediaReason.TOO_MANY_PIXELS
