"""Clips become streams of upright frames with times, whatever is in the file, or are refused by name."""

from __future__ import annotations

import io
import json
import struct
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from clip_samples import (
    BLUE,
    GREEN,
    RED,
    TABLES,
    WHITE,
    box_at,
    flat,
    joined,
    noise,
    patched,
    picture,
    pictures,
    sample_sizes,
    write,
)
from media_samples import encode, png

from grader.media import MediaError, MediaLimits, MediaReason
from grader.media_clip_clock import Clock
from grader.media_encode import encode_mp4, encode_webm
from grader.media_frames import Frame
from grader.media_video import ClipSummary, open_video

SHARED = Path(__file__).resolve().parents[2] / "shared" / "fixtures" / "rollouts" / "dev"
# AVColorSpace and AVColorRange.
BT709, BT601, LIMITED, FULL = 1, 5, 1, 2


def read(data: bytes, limits: MediaLimits | None = None) -> tuple[list[Frame], ClipSummary]:
    with open_video(data, limits or MediaLimits()) as clip:
        return list(clip.frames()), clip.summary()


def refusal(data: bytes, limits: MediaLimits | None = None) -> tuple[MediaReason, str]:
    with pytest.raises(MediaError) as caught:
        read(data, limits)
    return caught.value.reason, str(caught.value)


def codes(summary: ClipSummary) -> list[str]:
    return [note.code for note in summary.notes]


def worst(got: np.ndarray, wanted: np.ndarray) -> int:
    return int(np.abs(got.astype(int) - wanted).max())


def times(frames: list[Frame]) -> list[float]:
    return [frame.time_s for frame in frames]


# ---- what comes out


@pytest.mark.parametrize(
    ("codec", "container", "name"),
    [
        ("libx264", "mp4", "h264"),
        ("mpeg4", "mp4", "mpeg4"),
        ("libx264", "mov", "h264"),
        ("libx264", "matroska", "h264"),
        ("libvpx", "webm", "vp8"),
        ("libvpx-vp9", "webm", "vp9"),
        ("libvpx-vp9", "mp4", "vp9"),
        ("libsvtav1", "webm", "av1"),
    ],
)
def test_every_format_gives_its_frames(codec, container, name):
    data = write(pictures(6), codec, container)
    with open_video(data) as clip:
        frames = list(clip.frames())
        header, summary = clip.header, clip.summary()
    assert (header.codec, header.width_px, header.height_px, header.fps) == (name, 64, 48, 24.0)
    assert header.container == {"mp4": "MP4", "mov": "MP4", "matroska": "Matroska", "webm": "WebM"}[container]
    assert header.declared_frames == (6 if container in ("mp4", "mov") else None)
    assert header.duration_s == pytest.approx(0.25, abs=0.002)  # 6 / 24; Matroska has milliseconds
    assert [frame.index for frame in frames] == [0, 1, 2, 3, 4, 5]
    assert times(frames) == pytest.approx([step / 24 for step in range(6)], abs=0.001)
    assert times(frames)[0] == 0.0
    assert (summary.decoded_frames, summary.truncated, summary.damaged_frames, summary.notes) == (6, False, 0, ())
    assert summary.duration_s == pytest.approx(0.25, abs=0.002)
    for step, frame in enumerate(frames):
        assert frame.pixels.dtype == np.uint8
        assert frame.pixels.flags.c_contiguous
        assert not frame.pixels.flags.writeable
        # The middles of the three patches; edges are blurred by the coder.
        assert worst(frame.pixels[8:16, 4:12], np.array(BLUE if step % 2 else WHITE)) <= 12
        assert worst(frame.pixels[32:40, 4:12], np.array(RED)) <= 12
        assert worst(frame.pixels[32:40, 44:52], np.array(GREEN)) <= 12


def test_frames_of_b_frame_streams_come_in_order_of_presentation():
    frames = [flat((20 * step, 255 - 20 * step, 0)) for step in range(12)]
    data = write(frames, options={"x264-params": "scenecut=0:bframes=3:b-adapt=0"})
    with av.open(io.BytesIO(data)) as container:
        stored = [packet.pts for packet in container.demux(video=0) if packet.pts is not None]
    assert stored != sorted(stored)  # so order is not that of the file
    got, _ = read(data)
    reds = [int(frame.pixels[20, 20, 0]) for frame in got]
    assert reds == pytest.approx([20 * step for step in range(12)], abs=4)


@pytest.mark.parametrize("matrix", [BT709, BT601])
@pytest.mark.parametrize("color_range", [LIMITED, FULL])
def test_colours_follow_the_streams_matrix_and_range(matrix, color_range):
    patches = [RED, GREEN, BLUE, WHITE, (0, 0, 0), (128, 128, 128), (232, 93, 117), (0, 144, 193)]
    data = write([flat(color) for color in patches], matrix=matrix, color_range=color_range, options={"crf": "2"})
    frames, _ = read(data)
    for color, frame in zip(patches, frames, strict=True):
        # Rounding of Y, Cb and Cr to 8 bits moves a channel by up to .5 * 255/219 + .5 * 1.86 * 255/224 = 1.6 levels,
        # and FFmpeg's fast conversion cuts off instead of rounding, which is one more.
        assert worst(frame.pixels[16:32, 16:32], np.array(color)) <= 3


def test_without_a_matrix_size_decides_as_players_do():
    # Pure green by BT.709, limited: Y = 16 + 219 * .7152 = 173, Cb = 128 - 224 * .3854 = 42,
    # Cr = 128 - 224 * .4542 = 26.
    # Read by BT.601 this is R = 1.164 * 157 - 1.596 * 102 = 20, G = 1.164 * 157 + .813 * 102 + .392 * 86 = 299 -> 255,
    # B = 1.164 * 157 - 2.017 * 86 = 9.
    large = write([flat((0, 255, 0), 64, 580)], matrix=BT709)
    small = write([flat((0, 255, 0), 64, 48)], matrix=BT709)
    colr = b"nclx" + struct.pack(">HHHB", 1, 1, 1, 0)
    for data, wanted in ((large, (0, 255, 0)), (small, (20, 255, 9))):
        untagged = _without_color_tags(data)
        assert colr[:4] not in untagged
        frames, _ = read(untagged)
        assert worst(frames[0].pixels[20:40, 20:40], np.array(wanted)) <= 4


def _without_color_tags(data: bytes) -> bytes:
    """The same pictures without colour description in bitstream or container."""
    buffer = io.BytesIO()
    with av.open(io.BytesIO(data)) as source, av.open(buffer, "w", format="mp4") as output:
        stream = output.add_stream("libx264", rate=24, options={"crf": "2"})
        stream.width, stream.height, stream.pix_fmt = (
            source.streams.video[0].width,
            source.streams.video[0].height,
            "yuv420p",
        )
        for frame in source.decode(video=0):
            planes = av.VideoFrame.from_ndarray(frame.to_ndarray(), format="yuv420p")
            planes.pts = frame.pts
            planes.time_base = frame.time_base
            output.mux(stream.encode(planes))
        output.mux(stream.encode(None))
    return buffer.getvalue()


@pytest.mark.parametrize("codec", ["libvpx-vp9", "libvpx"])
def test_alpha_is_put_on_white(codec):
    pixels = np.dstack([picture(), np.zeros((48, 64), np.uint8)])
    pixels[:, :32, 3] = 255
    data = write(
        [pixels] * 3, codec, "webm", pixel_format="yuva420p", options={"auto-alt-ref": "0", "crf": "4", "b": "1M"}
    )
    frames, summary = read(data)
    assert len(frames) == 3
    assert worst(frames[1].pixels[32:40, 4:12], np.array(RED)) <= 12
    assert worst(frames[1].pixels[8:40, 44:60], np.array(WHITE)) == 0
    assert codes(summary) == ["ALPHA_COMPOSITED"]


# ---- upright


@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
@pytest.mark.parametrize(("across", "down"), [(False, False), (True, False), (False, True)])
def test_a_display_matrix_is_carried_out(degrees, across, down):
    plain, _ = read(write(pictures(3)))
    data = write(pictures(3), turn=(degrees, across, down))
    with open_video(data) as clip:
        header, turned = clip.header, list(clip.frames())
        summary = clip.summary()
    for before, after in zip(plain, turned, strict=True):
        wanted = np.rot90(before.pixels, degrees // 90)  # anticlockwise, as PyAV counts
        wanted = wanted[:, ::-1] if across else wanted
        wanted = wanted[::-1] if down else wanted
        assert np.array_equal(after.pixels, wanted)
        assert after.pixels.flags.c_contiguous
    assert (header.height_px, header.width_px) == turned[0].pixels.shape[:2]
    assert header.mirrored == (across or down)
    assert codes(summary) == ([] if (degrees, across, down) == (0, False, False) else ["CLIP_TURNED"])
    if not across and not down:
        assert header.rotation_deg == -degrees % 360  # clockwise


def test_the_matrix_of_an_upright_phone_turns_clockwise():
    data = write(pictures(2))
    plain, _ = read(data)
    head, _ = box_at(data, b"moov", b"trak", b"tkhd")
    # Version 0: the matrix is 40 bytes into the body. Right becomes down (b = 1), down becomes left (c = -1).
    turned = patched(data, head + 40, struct.pack(">9i", 0, 1 << 16, 0, -(1 << 16), 0, 0, 48 << 16, 0, 1 << 30))
    with open_video(turned) as clip:
        assert (clip.header.rotation_deg, clip.header.width_px, clip.header.height_px) == (90, 48, 64)
        assert np.array_equal(next(clip.frames()).pixels, np.rot90(plain[0].pixels, -1))


def test_a_slanted_matrix_and_oblong_pixels_are_said():
    frames, summary = read(write(pictures(2), turn=(30.0, False, False)))
    assert frames[0].pixels.shape == (48, 64, 3)
    assert codes(summary) == ["TURN_IGNORED"]
    frames, summary = read(write(pictures(2), aspect=Fraction(4, 3)))
    assert frames[0].pixels.shape == (48, 64, 3)
    assert codes(summary) == ["PIXELS_NOT_SQUARE"]


# ---- times


def test_gaps_and_varying_rates_keep_their_times():
    stamps = [0, 1, 2, 14, 15, 40]
    frames, summary = read(write(pictures(6), stamps=stamps))
    assert times(frames) == pytest.approx([stamp / 24 for stamp in stamps], abs=1e-6)
    assert (summary.decoded_frames, summary.truncated, codes(summary)) == (6, False, [])


def test_times_count_from_the_first_frame():
    frames, _ = read(write(pictures(3), stamps=[48, 49, 50]))
    assert times(frames) == pytest.approx([0, 1 / 24, 2 / 24], abs=1e-6)


def test_doubled_stamps_are_spread_by_the_rate():
    frames, summary = read(joined(pictures(2), pictures(2), stamps=[0, 40, 40, 120]))
    assert len(frames) == 4
    assert times(frames) == sorted(set(times(frames)))
    assert times(frames)[0] == 0.0
    assert times(frames)[1] == pytest.approx(0.04)
    assert times(frames)[3] == pytest.approx(0.12)
    assert codes(summary) == ["TIMES_REPAIRED"]


def test_missing_stamps_go_by_the_rate():
    clock = Clock(Fraction(1, 100), 0.25)
    # 50 is at 0; None is 0.25 later; 100 is at .5; 90 would be before, so .75; 200 is at 1.5.
    assert [clock.time_s(stamp) for stamp in (50, None, 100, 90, 200)] == [0.0, 0.25, 0.5, 0.75, 1.5]
    assert clock.repaired == 2
    clock = Clock(Fraction(1, 100), 0.25)
    # The first stamp comes third: it is at the time that the frames before have taken.
    assert [clock.time_s(stamp) for stamp in (None, None, 1000, 1100)] == [0.0, 0.25, 0.5, 1.5]


def test_a_single_frame():
    frames, summary = read(encode_mp4([picture()], 24))
    assert times(frames) == [0.0]
    assert summary.duration_s == pytest.approx(1 / 24)
    assert not summary.truncated


# ---- damaged files


def plainly_decoded(data: bytes) -> int:
    """Frames that PyAV gives before its first error."""
    count = 0
    with av.open(io.BytesIO(data)) as container:
        container.streams.video[0].thread_count = 1
        try:
            for _ in container.decode(video=0):
                count += 1
        except av.error.InvalidDataError:
            pass
    return count


def test_a_clip_that_was_cut_is_judged_on_what_decodes(capfd):
    whole = encode_mp4(noise(60), 24)
    assert box_at(whole, b"moov")[0] < box_at(whole, b"mdat")[0]
    began = time.monotonic()
    frames, summary = read(whole[: len(whole) * 7 // 10])
    assert time.monotonic() - began < 5
    # Frames have about the same number of bytes, so about 42 of 60 are whole; B-frames wait for later ones.
    assert 36 <= len(frames) <= 42
    assert len(frames) == plainly_decoded(whole[: len(whole) * 7 // 10])
    assert (summary.decoded_frames, summary.declared_frames, summary.truncated) == (len(frames), 60, True)
    assert "CLIP_TRUNCATED" in codes(summary)
    untouched, _ = read(whole)
    for before, after in zip(untouched, frames, strict=False):
        assert np.array_equal(before.pixels, after.pixels)
        assert before.time_s == after.time_s
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("container", ["matroska", "webm"])
def test_a_webm_that_was_cut_is_flagged(container):
    whole = write(noise(30), "libvpx-vp9" if container == "webm" else "libx264", container)
    frames, summary = read(whole[: len(whole) * 7 // 10])
    assert 10 <= len(frames) < 30
    assert summary.truncated


def test_a_container_that_claims_more_frames_than_decode():
    data = encode_mp4(noise(30), 24)
    sizes = sample_sizes(data)
    _, end = box_at(data, b"mdat")
    lost = sum(sizes[-10:])
    frames, summary = read(patched(data, end - lost, bytes(lost)))
    assert len(frames) == 20
    assert (summary.declared_frames, summary.truncated, summary.damaged_frames) == (30, True, 10)
    assert codes(summary) == ["CLIP_TRUNCATED", "FRAMES_DAMAGED"]


def test_one_frame_fewer_than_declared_is_no_truncation():
    data = encode_mp4(noise(12), 24)
    lost = sample_sizes(data)[-1]
    _, end = box_at(data, b"mdat")
    frames, summary = read(patched(data, end - lost, bytes(lost)))
    assert (len(frames), summary.declared_frames, summary.truncated) == (11, 12, False)
    assert codes(summary) == ["FRAMES_DAMAGED"]


def test_frames_that_the_decoder_makes_up_are_counted():
    # Without arithmetic coding every wrong code is noticed.
    data = write(noise(20), options={"x264-params": "cabac=0"})
    sizes = sample_sizes(data)
    start, _ = box_at(data, b"mdat")
    # The second half of the tenth frame is overwritten, so the decoder makes up its lower part from other frames.
    at = start + sum(sizes[:9]) + sizes[9] // 2
    frames, summary = read(patched(data, at, bytes(sizes[9] // 2)))
    assert (len(frames), summary.damaged_frames, summary.truncated) == (20, 1, False)
    assert codes(summary) == ["FRAMES_DAMAGED"]


def test_an_mp4_without_its_index_is_undecodable():
    late = write(pictures(5))
    assert box_at(late, b"mdat")[0] < box_at(late, b"moov")[0]
    for kept in (box_at(late, b"mdat")[1] - 10, box_at(late, b"moov")[0] + 1, len(late) - 1):
        reason, message = refusal(late[:kept])
        assert reason is MediaReason.UNDECODABLE
        assert "index" in message


def test_a_clip_of_which_nothing_decodes_is_undecodable():
    data = encode_mp4(noise(6), 24)
    start, end = box_at(data, b"mdat")
    assert refusal(patched(data, start, bytes(end - start)))[0] is MediaReason.UNDECODABLE


def test_frames_that_change_their_size_are_scaled():
    frames, summary = read(joined([flat(RED)] * 2, [flat(BLUE, 32, 32)] * 2))
    assert [frame.pixels.shape for frame in frames] == [(48, 64, 3)] * 4
    assert worst(frames[3].pixels, np.array(BLUE)) <= 8
    assert codes(summary) == ["SIZE_CHANGED"]


@pytest.mark.parametrize("container", ["mp4", "webm"])
def test_mutations_raise_media_errors_only(container, capfd):
    rng = np.random.default_rng(11)
    clips = {"mp4": encode_mp4(noise(8, 32, 32), 24), "webm": encode_webm(noise(8, 32, 32), 24)}
    data = clips[container]
    ends = {"read": 0, "refused": 0}
    for turn in range(200):
        changed = bytearray(data)
        # In turn: anywhere, only in the header, and cut.
        reach = len(data) if turn % 3 else 900
        for at in rng.integers(0, reach, rng.integers(1, 20)):
            changed[at] = rng.integers(0, 256)
        kept = int(rng.integers(1, len(data))) if turn % 5 == 0 else len(data)
        try:
            frames, summary = read(bytes(changed[:kept]))
        except MediaError:
            ends["refused"] += 1
            continue
        ends["read"] += 1
        assert summary.decoded_frames == len(frames) >= 1
        assert times(frames) == sorted(times(frames))
        assert all(np.isfinite(times(frames)))
    assert min(ends.values()) > 20  # both ends were seen
    assert capfd.readouterr().err == ""


# ---- limits, by the header and by what decodes


def test_limits_are_checked_by_the_header():
    data = encode_mp4(pictures(10), 10)
    fits = MediaLimits(len(data), max_side_px=64, max_frames=10, max_duration_s=1.0, max_frame_pixels=64 * 48)
    assert len(read(data, fits)[0]) == 10
    start, end = box_at(data, b"mdat")
    # No frame of this one decodes, so the refusal comes of the header.
    hollow = patched(data, start, bytes(end - start))
    for limits, reason in (
        (MediaLimits(max_frames=9), MediaReason.TOO_MANY_FRAMES),
        (MediaLimits(max_duration_s=0.99), MediaReason.TOO_LONG),
        (MediaLimits(max_frame_pixels=64 * 48 - 1), MediaReason.TOO_MANY_PIXELS),
        (MediaLimits(max_side_px=63), MediaReason.SIDE_TOO_LONG),
        (MediaLimits(max_bytes=len(data) - 1), MediaReason.TOO_MANY_BYTES),
        (MediaLimits(video_formats=("WEBM",)), MediaReason.FORMAT_NOT_ALLOWED),
    ):
        assert refusal(hollow, limits)[0] is reason


def test_a_webm_has_its_limits_too():
    data = encode_webm(pictures(10), 10)
    for limits, reason in (
        (MediaLimits(max_frames=9), MediaReason.TOO_MANY_FRAMES),
        (MediaLimits(max_duration_s=0.9), MediaReason.TOO_LONG),
        (MediaLimits(max_frame_pixels=64 * 48 - 1), MediaReason.TOO_MANY_PIXELS),
        (MediaLimits(max_side_px=63), MediaReason.SIDE_TOO_LONG),
        (MediaLimits(video_formats=("MP4",)), MediaReason.FORMAT_NOT_ALLOWED),
    ):
        assert refusal(data, limits)[0] is reason


def test_a_header_that_lies_is_caught_while_decoding():
    data = encode_mp4(pictures(10), 10)
    media, _ = box_at(data, b"moov", b"trak", b"mdia", b"mdhd")
    # Durations of one unit everywhere; the stamps still reach to 0.9 s.
    short = patched(data, media + 16, struct.pack(">I", 1))
    with open_video(short, MediaLimits(max_duration_s=0.5)) as clip, pytest.raises(MediaError) as caught:
        list(clip.frames())
    assert caught.value.reason is MediaReason.TOO_LONG
    entry, _ = box_at(data, *TABLES, b"stsd")
    small = patched(data, entry + 8 + 32, struct.pack(">HH", 16, 16))
    assert refusal(small, MediaLimits(max_frame_pixels=64 * 48 - 1))[0] is MediaReason.TOO_MANY_PIXELS
    # A WebM states no number of frames, so the eleventh is the first that tells.
    with open_video(encode_webm(pictures(11), 10), MediaLimits(max_frames=10)) as clip:
        frames = clip.frames()
        assert [next(frames).index for _ in range(10)] == list(range(10))
        with pytest.raises(MediaError) as caught:
            next(frames)
    assert caught.value.reason is MediaReason.TOO_MANY_FRAMES


def test_headers_with_absurd_numbers():
    data = encode_mp4(pictures(4), 24)
    sizes, _ = box_at(data, *TABLES, b"stsz")
    entry, _ = box_at(data, *TABLES, b"stsd")
    media, _ = box_at(data, b"moov", b"trak", b"mdia", b"mdhd")
    billions = struct.pack(">II", 100, 2**31)  # all of 100 bytes: a table of 8 bytes that claims 2^31 frames
    assert refusal(patched(data, sizes + 4, billions))[0] is MediaReason.TOO_MANY_FRAMES
    assert refusal(patched(data, sizes + 8, struct.pack(">I", 0)))[0] is MediaReason.NO_FRAMES
    assert refusal(patched(data, entry + 40, struct.pack(">HH", 65535, 65535)))[0] is MediaReason.SIDE_TOO_LONG
    assert refusal(patched(data, entry + 40, struct.pack(">HH", 0, 48)))[0] is MediaReason.UNDECODABLE
    # With one unit a second, or none, the edit list (4 / 24 s long) ends before the first frame (512 s).
    for scale in (0, 1):
        assert refusal(patched(data, media + 12, struct.pack(">I", scale)))[0] is MediaReason.NO_FRAMES
    # A scale of 2^31 - 1 leaves 512 / 2^31 s a frame, and a duration of all ones means that it is unknown.
    for scale, duration in ((2**31 - 1, 2048), (12288, 2**32 - 1), (12288, 0)):
        with open_video(patched(data, media + 12, struct.pack(">II", scale, duration))) as clip:
            frames = list(clip.frames())
            header = clip.header
        assert len(frames) == 4
        assert times(frames) == pytest.approx([512 * step / scale for step in range(4)])
        assert header.fps == (24.0 if scale == 12288 else None)  # 4 million frames a second are not believed
        assert header.duration_s is None or 0 < header.duration_s < 1


def test_limits_have_to_make_sense():
    for wrong in (
        {"max_frames": 0},
        {"max_duration_s": 0.0},
        {"max_duration_s": float("nan")},
        {"max_duration_s": float("inf")},
        {"max_frame_pixels": 0},
        {"video_formats": ("AVI",)},
    ):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            MediaLimits(**wrong)


# ---- what is not read


@pytest.mark.parametrize(
    ("data", "reason", "name"),
    [
        (b"", MediaReason.EMPTY, "empty"),
        (b"just some text, not a clip at all", MediaReason.UNKNOWN_FORMAT, "6a 75 73 74"),
        (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", MediaReason.FORMAT_NOT_ALLOWED, "HEIC"),
        (b"\0\0\0\x1cftypavis\0\0\0\0avisavifmif1", MediaReason.FORMAT_NOT_ALLOWED, "AVIF"),
        (b"RIFF\0\0\0\0AVI LIST", MediaReason.FORMAT_NOT_ALLOWED, "AVI"),
        (encode(picture(), "JPEG"), MediaReason.FORMAT_NOT_ALLOWED, "JPEG"),
        (png(picture().reshape(48, -1), 8, 2), MediaReason.FORMAT_NOT_ALLOWED, "PNG, a picture"),
        (b"AAAAIGZ0eXBpc29t", MediaReason.UNKNOWN_FORMAT, "41 41"),
        (b"#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n", MediaReason.UNKNOWN_FORMAT, "23 45"),
        (b"\0\0\0\x14ftypisom\0\0\0\0isom", MediaReason.UNDECODABLE, "index"),
        (b"\x1a\x45\xdf\xa3\x80", MediaReason.NO_FRAMES, "no video track"),
    ],
)
def test_what_is_no_clip_is_refused_by_name(data, reason, name):
    assert refusal(data)[0] is reason
    assert name in refusal(data)[1]
    assert "send" in refusal(data)[1]


@pytest.mark.parametrize("kind", ["GIF", "PNG", "WEBP"])
def test_animated_pictures_are_refused_by_name(kind):
    from PIL import Image

    stills = [Image.fromarray(pixels) for pixels in pictures(3)]
    data = encode(stills[0], kind, save_all=True, append_images=stills[1:], duration=40)
    reason, message = refusal(data)
    assert reason is MediaReason.FORMAT_NOT_ALLOWED
    assert kind in message
    assert "animated" in message
    assert "MP4 or WEBM" in message


def test_other_codecs_and_clips_without_pictures_are_refused():
    reason, message = refusal(write(pictures(2), "mjpeg", "mov", pixel_format="yuvj420p"))
    assert reason is MediaReason.FORMAT_NOT_ALLOWED
    assert "H.264" in message
    reason, message = refusal(write(pictures(2), "mjpeg", "matroska", pixel_format="yuvj420p"))
    assert reason is MediaReason.FORMAT_NOT_ALLOWED
    assert "MJPEG" in message
    data = encode_mp4(pictures(2), 24)
    handler, _ = box_at(data, b"moov", b"trak", b"mdia", b"hdlr")
    assert refusal(patched(data, handler + 8, b"soun"))[0] is MediaReason.NO_FRAMES


@pytest.mark.parametrize("container", ["mp4", "webm"])
def test_sound_is_passed_over(container):
    codec = "libx264" if container == "mp4" else "libvpx"
    silent, _ = read(write(pictures(5), codec, container))
    with_sound, summary = read(write(pictures(5), codec, container, sound=True))
    assert codes(summary) == []
    for before, after in zip(silent, with_sound, strict=True):
        assert np.array_equal(before.pixels, after.pixels)


def test_a_hostile_second_track_is_never_seen():
    data = write(pictures(5), sound=True)
    start, end = box_at(data, b"moov")
    first = start + struct.unpack_from(">I", data, start)[0]
    sound = first + struct.unpack_from(">I", data, first)[0]
    assert data[sound + 4 : sound + 8] == b"trak"
    table = data.index(b"stsz", sound, end) + 4
    # 2^31 - 1 samples of one byte: FFmpeg would make an index of 50 GB.
    frames, _ = read(patched(data, table + 4, struct.pack(">II", 1, 2**31 - 1)))
    assert len(frames) == 5


def test_fragments_are_read_and_counted():
    data = write(pictures(30), movflags="frag_keyframe+empty_moov", options={"g": "10"})
    with open_video(data) as clip:
        assert clip.header.declared_frames == 30
        assert sum(1 for _ in clip.frames()) == 30
        assert not clip.summary().truncated
    assert refusal(data, MediaLimits(max_frames=29))[0] is MediaReason.TOO_MANY_FRAMES
    run = data.index(b"trun")
    assert refusal(patched(data, run + 8, struct.pack(">I", 2**32 - 1)))[0] is MediaReason.TOO_MANY_FRAMES
    _, summary = read(data[: len(data) * 7 // 10])
    assert summary.truncated


# ---- reading


def test_frames_are_read_once_and_a_summary_needs_them_all():
    data = encode_mp4(pictures(4), 24)
    with open_video(data) as clip:
        frames = clip.frames()
        next(frames)
        with pytest.raises(RuntimeError, match="all frames"):
            clip.summary()
        assert len(list(frames)) == 3
        assert clip.summary().decoded_frames == 4
        with pytest.raises(RuntimeError, match="once"):
            clip.frames()
    clip.close()


def test_frames_outlive_their_clip():
    with open_video(encode_mp4(pictures(6), 24)) as clip:
        kept = list(clip.frames())
    again, _ = read(encode_mp4(pictures(6), 24))
    for before, after in zip(kept, again, strict=True):
        assert np.array_equal(before.pixels, after.pixels)


def test_a_clip_can_be_left_early():
    data = encode_mp4(pictures(20), 24)
    for _ in range(50):
        with open_video(data) as clip:
            assert next(clip.frames()).index == 0


LONG = """
import resource, sys
import numpy as np
from grader.media_encode import encode_mp4
from grader.media_types import MediaLimits
from grader.media_video import open_video
picture = np.zeros((144, 192, 3), np.uint8)
data = encode_mp4((picture for _ in range(3000)), 100)
limits = MediaLimits(max_frames=3000)
early = 0
with open_video(data, limits) as clip:
    for frame in clip.frames():
        if frame.index == 200:
            early = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(frame.index + 1, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - early)
"""


def test_memory_does_not_grow_with_length():
    root = Path(__file__).resolve().parent.parent
    out = subprocess.run([sys.executable, "-c", LONG], cwd=root, capture_output=True, text=True, check=True).stdout
    frames, grown_kib = map(int, out.split())
    assert frames == 3000
    # 2800 frames of 192 * 144 * 3 bytes would be 227 MiB.
    assert grown_kib < 20 * 1024


# ---- the encoder


@pytest.mark.parametrize("encoder", [encode_mp4, encode_webm])
def test_flat_colours_come_back(encoder):
    patches = [RED, GREEN, BLUE, WHITE, (0, 0, 0), (128, 128, 128), (232, 93, 117), (0, 144, 193), (255, 214, 112)]
    frames, _ = read(encoder([flat(color) for color in patches], 24.0, crf=10))
    for color, frame in zip(patches, frames, strict=True):
        # 2.6 levels as above, and the coder's own step at this quality.
        assert worst(frame.pixels, np.array(color)) <= 5


@pytest.mark.parametrize("encoder", [encode_mp4, encode_webm])
def test_the_encoder_keeps_rate_order_and_bytes(encoder):
    data = encoder(iter(pictures(7)), 30000 / 1001)
    assert data == encoder(pictures(7), 30000 / 1001)
    frames, _ = read(data)
    assert times(frames) == pytest.approx([step * 1001 / 30000 for step in range(7)], abs=0.001)
    blues = [worst(frame.pixels[8:16, 4:12], np.array(BLUE)) <= 12 for frame in frames]
    assert blues == [False, True, False, True, False, True, False]


def test_odd_sides_are_made_even_at_the_right_and_the_bottom():
    pixels = picture(33, 25)
    frames, _ = read(encode_mp4([pixels] * 2, 24, crf=4))
    assert frames[0].pixels.shape == (26, 34, 3)
    assert worst(frames[0].pixels[18:, 24:], np.array(GREEN)) <= 8
    assert frames[0].pixels[:24, :32].shape == pixels[:24, :32].shape
    assert worst(frames[0].pixels[2:10, 2:6], np.array(WHITE)) <= 8


@pytest.mark.parametrize(
    ("frames", "fps", "crf", "message"),
    [
        ([], 24, 20, "no frames"),
        ([picture()], 0, 20, "fps"),
        ([picture()], float("nan"), 20, "fps"),
        ([picture()], 24, 99, "crf"),
        ([picture(), picture(32, 32)], 24, 20, "one size"),
        ([picture()[..., 0]], 24, 20, r"\(H, W, 3\)"),
        ([picture().astype(float)], 24, 20, "uint8"),
    ],
)
def test_what_can_not_be_encoded(frames, fps, crf, message):
    with pytest.raises(ValueError, match=message):
        encode_mp4(frames, fps, crf=crf)


# ---- clips that this project did not make


@pytest.mark.shared
def test_every_rollout_decodes_to_its_recorded_frames():
    if not SHARED.exists():
        pytest.skip("../shared/fixtures/rollouts/dev is absent")
    clips = json.loads((SHARED / "truth.json").read_text())["clips"]
    assert len(clips) == 95
    for clip in clips:
        with open_video((SHARED / clip["file"]).read_bytes()) as opened:
            count = sum(1 for _ in opened.frames())
            summary = opened.summary()
        video, cut = clip["video"], "decodable_frames_pyav" in clip
        assert (count, summary.truncated) == (clip["decodable_frames_pyav"] if cut else video["frames"], cut), clip[
            "id"
        ]
        assert (opened.header.width_px, opened.header.height_px) == (video["width"], video["height"])
        assert (opened.header.fps, opened.header.codec) == (video["fps"], video["codec"])
