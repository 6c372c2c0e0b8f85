"""Clips become streams of upright frames with their times, whatever is in the file."""

from __future__ import annotations

import io
import json
import struct
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from grader.media.clips.clock import Clock
from grader.media.clips.video import open_video
from grader.media.encoding import encode_mp4
from tests.media.clip_reading import codes, read, times, worst
from tests.samples.clips import (
    BLUE,
    GREEN,
    HEVC,
    RED,
    WHITE,
    box_at,
    flat,
    joined,
    patched,
    picture,
    pictures,
    write,
)

SHARED = Path(__file__).resolve().parents[3] / "shared" / "fixtures" / "rollouts" / "dev"
# AVColorSpace and AVColorRange.
BT709, BT601, LIMITED, FULL = 1, 5, 1, 2


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


def test_hevc():
    with open_video(HEVC) as clip:
        frames = list(clip.frames())
    assert (clip.header.codec, clip.header.declared_frames, len(frames)) == ("hevc", 2, 2)
    for color, frame in zip((RED, BLUE), frames, strict=True):
        assert worst(frame.pixels, np.array(color)) <= 4


def test_a_quicktime_file_without_a_brand():
    data = write(pictures(3), "mpeg4", "mov")
    size = struct.unpack_from(">I", data)[0]
    assert data[4:8] == b"ftyp"
    # Offsets in the index count from the start of the file, so the brand becomes free room.
    frames, _ = read(patched(data, 4, b"free" + bytes(size - 8)))
    assert len(frames) == 3


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


def test_a_closed_clip_gives_no_more_frames_and_no_summary():
    clip = open_video(encode_mp4(pictures(4), 24))
    frames = clip.frames()
    next(frames)
    clip.close()
    with pytest.raises(RuntimeError, match="closed"):
        next(frames)
    with pytest.raises(RuntimeError, match="all frames"):
        clip.summary()
    with open_video(encode_mp4(pictures(4), 24)) as unread:
        pass
    with pytest.raises(RuntimeError, match="closed"):
        unread.frames()


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
from grader.media.encoding import encode_mp4
from grader.media.types import MediaLimits
from grader.media.clips.video import open_video
picture = np.zeros((144, 192, 3), np.uint8)
data = encode_mp4((picture for _ in range(1500)), 100)
limits = MediaLimits(max_frames=1500)
early = 0
with open_video(data, limits) as clip:
    for frame in clip.frames():
        if frame.index == 200:
            early = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(frame.index + 1, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - early)
"""


def test_memory_does_not_grow_with_length():
    root = Path(__file__).resolve().parent.parent.parent
    out = subprocess.run([sys.executable, "-c", LONG], cwd=root, capture_output=True, text=True, check=True).stdout
    frames, grown_kib = map(int, out.split())
    assert frames == 1500
    # 1300 frames of 192 * 144 * 3 bytes would be 103 MiB.
    assert grown_kib < 20 * 1024


# ---- clips that this project did not make


@pytest.mark.shared
def test_every_rollout_opens_and_one_of_a_kind_decodes_to_its_recorded_frames():
    if not SHARED.exists():
        pytest.skip("../shared/fixtures/rollouts/dev is absent")
    clips = json.loads((SHARED / "truth.json").read_text())["clips"]
    assert len(clips) == 95
    kinds = set()

    def pixels(clip):
        return clip["video"]["width"] * clip["video"]["height"] * clip["video"]["frames"]

    for clip in sorted(clips, key=pixels):
        video, cut = clip["video"], "decodable_frames_pyav" in clip
        kind = (video["codec"], video["fps"], "faststart" in video, cut)
        with open_video((SHARED / clip["file"]).read_bytes()) as opened:
            assert (opened.header.width_px, opened.header.height_px) == (video["width"], video["height"])
            assert (opened.header.fps, opened.header.codec) == (video["fps"], video["codec"])
            if kind in kinds:
                continue  # the frames of the smallest of a kind: those of all take as long as a hundred other tests
            kinds.add(kind)
            count = sum(1 for _ in opened.frames())
            summary = opened.summary()
        assert (count, summary.truncated) == (clip["decodable_frames_pyav"] if cut else video["frames"], cut), clip[
            "id"
        ]
    assert len(kinds) == 5
