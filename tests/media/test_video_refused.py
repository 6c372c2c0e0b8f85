"""Damaged clips are judged on what decodes; clips over a limit and other files are refused by name."""

from __future__ import annotations

import io
import struct

import av
import numpy as np
import pytest

from grader.media.clips.pixels import STRAIGHT, FrameConverter
from grader.media.clips.video import open_video
from grader.media.encoding import encode_mp4, encode_webm
from grader.media.pictures import MediaError, MediaLimits, MediaReason
from tests.media.clip_reading import codes, read, refusal, times, worst
from tests.samples.clips import (
    BLUE,
    RED,
    TABLES,
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
from tests.samples.media import encode, png

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
    frames, summary = read(whole[: len(whole) * 7 // 10])
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


@pytest.mark.parametrize("encoder", [encode_mp4, encode_webm])
def test_bytes_behind_the_end_do_no_harm(encoder):
    data = encoder(pictures(6), 24)
    junk = np.random.default_rng(3).integers(0, 256, 5000, dtype=np.uint8).tobytes()
    for tail in (bytes(1000), junk):
        frames, summary = read(data + tail)
        assert (len(frames), summary.truncated, summary.damaged_frames) == (6, False, 0)


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


def test_colours_that_cannot_be_converted_are_undecodable():
    """17 is YCgCo-Ro, which H.264's tables know and FFmpeg's conversion does not."""
    frame = av.VideoFrame(64, 48, "yuv420p")
    frame.colorspace = 17
    with pytest.raises(MediaError, match="colour matrix, 17") as caught:
        FrameConverter(64, 48, STRAIGHT).convert(frame)
    assert caught.value.reason is MediaReason.UNDECODABLE


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
    # A stream that grows is stopped where it does.
    with open_video(joined(pictures(2), [flat(BLUE, 96, 96)] * 2), MediaLimits(max_frame_pixels=64 * 48)) as clip:
        frames = clip.frames()
        assert [next(frames).index, next(frames).index] == [0, 1]
        with pytest.raises(MediaError) as caught:
            next(frames)
    assert caught.value.reason is MediaReason.TOO_MANY_PIXELS
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


def test_a_number_of_thousands_of_digits():
    data = encode_webm(noise(12), 24)
    at = data.index(b"\xb0\x81\x40")  # the width, 64, in one byte
    # It gets 3000 bytes instead (0x4000 marks a size of two bytes), of those that follow.
    assert refusal(patched(data, at + 1, struct.pack(">H", 0x4000 | 3000)))[0] in (
        MediaReason.UNDECODABLE,
        MediaReason.NO_FRAMES,
    )


def test_edit_lists_do_not_multiply_a_clip_without_end():
    data = write(pictures(3))
    start, _ = box_at(data, b"moov", b"trak", b"edts", b"elst")
    assert refusal(patched(data, start + 4, struct.pack(">I", 100_000)))[0] is MediaReason.TOO_COSTLY


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
def test_pictures_of_one_frame_are_no_clips(kind):
    from PIL import Image

    reason, message = refusal(encode(Image.fromarray(pictures(1)[0]), kind))
    assert reason is MediaReason.FORMAT_NOT_ALLOWED
    assert f"the file is {kind}, a picture of one frame" in message
    assert "send it as a picture" in message


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
