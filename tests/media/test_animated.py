"""Animated GIF, PNG and WebP are clips."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

import grader
from grader.media.clips.video import open_video
from grader.media.pictures import MediaLimits, MediaReason
from puzzles.maze.geometry import Geometry
from tests.media.clip_reading import codes, read, refusal, times, worst
from tests.samples.puzzles import maze_sample

COLORS = ((220, 30, 30), (30, 160, 60), (40, 60, 200))


def flat(color: tuple[int, int, int]) -> Image.Image:
    return Image.new("RGB", (32, 24), color)


def animated(kind: str, frames: list[Image.Image], duration: object, **options: object) -> bytes:
    out = io.BytesIO()
    frames[0].save(out, kind, save_all=True, append_images=frames[1:], duration=duration, loop=0, **options)
    return out.getvalue()


@pytest.mark.parametrize(("kind", "options"), [("GIF", {}), ("PNG", {}), ("WEBP", {"lossless": True})])
def test_frames_come_with_their_own_times(kind, options):
    """40, 200 and 60 ms: they begin at 0, 0.04 and 0.24 s, and end at 0.3 s; 200 ms are two tenths of a second."""
    frames, summary = read(animated(kind, [flat(color) for color in COLORS], [40, 200, 60], **options))
    shown = (COLORS[0], COLORS[1], COLORS[1], COLORS[2])
    assert [worst(frame.pixels, np.array(color)) for frame, color in zip(frames, shown, strict=True)] == [0, 0, 0, 0]
    assert times(frames) == pytest.approx([0.0, 0.04, 0.14, 0.24])
    assert (summary.decoded_frames, summary.duration_s) == (4, pytest.approx(0.3))


def test_frames_without_a_time_are_shown_for_a_tenth_of_a_second():
    frames, summary = read(animated("GIF", [flat(color) for color in COLORS], 0))
    assert times(frames) == pytest.approx([0.0, 0.1, 0.2])
    assert summary.duration_s == pytest.approx(0.3)


def test_transparent_pixels_are_put_on_white():
    clear = Image.new("RGBA", (32, 24), (0, 0, 0, 0))
    frames, summary = read(animated("PNG", [clear, flat(COLORS[0]).convert("RGBA")], 50))
    assert frames[0].pixels.min() == 255
    assert codes(summary) == ["ALPHA_COMPOSITED"]


def test_a_default_picture_that_is_no_frame_is_passed_over():
    data = animated("PNG", [flat((0, 0, 0)), flat(COLORS[0]), flat(COLORS[1])], 50, default_image=True)
    frames, _ = read(data)
    assert [tuple(frame.pixels[0, 0]) for frame in frames] == [COLORS[0], COLORS[1]]


def test_a_file_that_breaks_off_gives_what_decodes():
    rng = np.random.default_rng(1)
    noise = [Image.fromarray(rng.integers(0, 255, (64, 64, 3), np.uint8)) for _ in range(6)]
    data = animated("GIF", noise, 50)
    frames, summary = read(data[: len(data) * 2 // 3])
    assert 0 < len(frames) < 6
    assert summary.decoded_frames == len(frames)


@pytest.mark.parametrize("kind", ["GIF", "PNG", "WEBP"])
def test_limits_hold_for_animations(kind):
    data = animated(kind, [flat(color) for color in COLORS], 1000)
    assert refusal(data, MediaLimits(max_frames=2))[0] is MediaReason.TOO_MANY_FRAMES
    assert refusal(data, MediaLimits(max_frame_pixels=100))[0] is MediaReason.TOO_MANY_PIXELS
    assert refusal(data, MediaLimits(max_duration_s=1.5))[0] is MediaReason.TOO_LONG


def test_frames_are_read_once():
    with open_video(animated("GIF", [flat(color) for color in COLORS], 50)) as clip:
        list(clip.frames())
        with pytest.raises(RuntimeError, match="read once"):
            clip.frames()


def test_an_animation_is_graded_as_a_clip():
    """A path that grows cell by cell, in a GIF as a notebook writes it."""
    maze = maze_sample(Geometry.SQUARE)
    steps = [Image.fromarray(maze.pictures.input)] * 3
    steps += [Image.fromarray(maze.draw(maze.path[:count])) for count in range(2, len(maze.path) + 1)]
    steps += [steps[-1]] * 3
    verdict = grader.grade(maze.task, animated("GIF", steps, 100))
    assert verdict.clip is not None
    assert verdict.clip.codec == "gif"
    assert "NOTHING_DRAWN" not in verdict.codes
    assert verdict.metric("coverage") == 1.0
