"""Looks of clips: style, size, frame rate, compression, and what disturbs a clip in the course of time.

Disturbances come in over the first seconds, so that a clip's first frame is the puzzle's picture.
"""

from __future__ import annotations

import colorsys
import io
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import cv2
import numpy as np
from PIL import Image

from puzzles.common.easing import Easing, Pace
from puzzles.common.lettering import Font
from puzzles.common.raster import Color, Picture
from puzzles.common.texture import Texture, TextureKind
from puzzles.rush_hour.style import LotStyle
from puzzles.sliding.render import SlidingStyle

_RAMP_S = 0.7


@dataclass(frozen=True)
class Disturbance:
    """What changes in the course of a clip, each at its strongest.

    Attributes
    ----------
    hue_deg, brightness
        Of each vehicle's colour: turn of its hue in degrees, share of its brightness.
    tint
        Share by which channels of the whole picture change.
    wobble, wobble_deg
        Of each vehicle: share of its sides, and turn in degrees.
    melt
        Share of the letters' opacity that is gone at the end.
    noise
        Standard deviation of noise in each channel, of 255.
    blur_px
        Standard deviation of a blur that comes and goes, at 720 px of the shorter side.
    zoom, shift
        Of the camera: share of zoom; shift as a share of the shorter side.
    jpeg
        Quality of a JPEG pass of every frame, from 1 to 100; 0 for none.
    """

    hue_deg: float = 0.0
    brightness: float = 0.0
    tint: float = 0.0
    wobble: float = 0.0
    wobble_deg: float = 0.0
    melt: float = 0.0
    noise: float = 0.0
    blur_px: float = 0.0
    zoom: float = 0.0
    shift: float = 0.0
    jpeg: int = 0


@dataclass(frozen=True)
class Look:
    """How a clip looks.

    Attributes
    ----------
    size
        (width, height) in pixels, both even.
    fps
        Frames a second.
    crf
        Of H.264: 18 is nearly without loss, 32 coarse.
    lot, tiles
        The styles.
    pace
        Of moves in a lot; tiles have its pauses.
    disturbance
        What changes in time.
    movers_on_top
        Whether vehicles that moved lie over those that did not, the last one on top; else they lie as the lot lists
        them, the red car mostly lowest.
    """

    size: tuple[int, int] = (512, 512)
    fps: int = 24
    crf: int = 20
    lot: LotStyle = field(default_factory=LotStyle)
    tiles: SlidingStyle = field(default_factory=lambda: SlidingStyle(board_share=0.9))
    pace: Pace = field(default_factory=Pace)
    disturbance: Disturbance = field(default_factory=Disturbance)
    movers_on_top: bool = False


def _disturbed(**what: float) -> Look:
    return Look(disturbance=Disturbance(**what))  # type: ignore[arg-type]


_DARK: Color = (24, 26, 34)
_GREY: Color = (240, 240, 240)
_SLOW = Pace(speed=3.5, least_s=0.6)

LOOKS: Mapping[str, Look] = MappingProxyType(
    {
        "plain": Look(),
        "drift": _disturbed(hue_deg=12, brightness=0.15, tint=0.04),
        "noise": _disturbed(noise=8),
        "blur": _disturbed(blur_px=2.2),
        "camera": _disturbed(zoom=0.02, shift=0.012),
        "wobble": _disturbed(wobble=0.03, wobble_deg=3),
        "melt": _disturbed(melt=1.0),
        "everything": Look(
            disturbance=Disturbance(8, 0.1, 0.03, 0.02, 2, 0.6, 4, 1.2, 0.012, 0.008), size=(640, 480), crf=23
        ),
        "jpeg": _disturbed(jpeg=30),
        "tiny": Look(size=(256, 256)),
        "small": Look(size=(360, 360), crf=24, movers_on_top=True),
        "wide": Look(size=(1280, 720)),
        "tall": Look(size=(480, 832)),
        "crf26": Look(crf=26, movers_on_top=True),
        "crf32": Look(crf=32),
        "fps8": Look(fps=8, pace=_SLOW, movers_on_top=True),
        "fps12": Look(fps=12, pace=replace(_SLOW, speed=4.5)),
        "fps30": Look(fps=30, movers_on_top=True),
        "fast": Look(pace=Pace(speed=11, least_s=0.25, pause_s=0.12)),
        "slow": Look(pace=Pace(speed=3.2, pause_s=0.5, easing=Easing.SLOWING)),
        "steady": Look(pace=Pace(easing=Easing.LINEAR, pause_s=0.15)),
        "margins": Look(lot=LotStyle(lot_share=0.7, margin=_GREY), tiles=SlidingStyle(board_share=0.7, margin=_GREY)),
        "dark": Look(
            lot=LotStyle(margin=_DARK, border_outside=True, border_width=0.08, border=(90, 96, 110)),
            tiles=SlidingStyle(board_share=0.8, margin=_DARK, border_share=0.04, border=(200, 200, 205)),
        ),
        "black": Look(
            size=(640, 480), lot=LotStyle(margin=(0, 0, 0)), tiles=SlidingStyle(board_share=0.9, margin=(0, 0, 0))
        ),
        "frame": Look(
            lot=LotStyle(border_width=0.12, border_outside=True),
            tiles=SlidingStyle(board_share=0.85, border_share=0.08),
        ),
        "font": Look(
            lot=LotStyle(font=Font.OPENCV_BOLD, disc_radius=0.34, letter_share=0.6),
            tiles=SlidingStyle(board_share=0.9, numbers=True, gap_share=0.02),
        ),
        "letters": Look(
            lot=LotStyle(font=Font.OPENCV, disc_radius=0.2),
            tiles=SlidingStyle(board_share=0.9, numbers=True, font=Font.OPENCV),
        ),
        "bare": Look(
            lot=LotStyle(rails=False, outline_width=0.0),
            tiles=SlidingStyle(blank=(255, 255, 255)),
        ),
        "rails": Look(
            lot=LotStyle(rail_width=0.04, rail_strength=0.8, dash=0.3, dash_gap=0.2, exit_overhang=0.15),
            tiles=SlidingStyle(board_share=0.9, gap_share=0.04, gap=(255, 255, 255)),
        ),
        "jitter": Look(
            lot=LotStyle(color_jitter=22, seed=5), tiles=SlidingStyle(board_share=0.9, blank=(128, 128, 128))
        ),
        "paper": Look(
            lot=LotStyle(texture=Texture(TextureKind.GRAIN, amplitude=7, period=0.08), floor=(246, 243, 236)),
            tiles=SlidingStyle(board_share=0.9, margin=(230, 225, 215), blank=(40, 40, 60), gap_share=0.03),
        ),
    }
)


def ramp(time_s: float) -> float:
    """How much of a disturbance there is at a time: 0 in the first frame, 1 from 0.7 s on."""
    return Easing.SMOOTH.at(time_s / _RAMP_S)


def wave(time_s: float, period_s: float, phase: float) -> float:
    """A value from -1 to 1 that swings with a period and starts at a phase in turns."""
    return math.sin(2 * math.pi * (time_s / period_s + phase))


def shifted_color(color: Color, hue_deg: float, brightness: float) -> Color:
    """A colour with its hue turned by degrees and its brightness changed by a share."""
    hue, light, saturation = colorsys.rgb_to_hls(*(channel / 255 for channel in color))
    turned = colorsys.hls_to_rgb((hue + hue_deg / 360) % 1, min(1.0, max(0.0, light * (1 + brightness))), saturation)
    red, green, blue = (min(255, max(0, round(255 * channel))) for channel in turned)
    return red, green, blue


def disturbed_frame(frame: Picture, time_s: float, what: Disturbance, seed: int, margin: Color) -> Picture:
    """A frame as the camera and the coder leave it.

    Parameters
    ----------
    frame
        Shape (H, W, 3), uint8, RGB; not changed.
    time_s
        Its time in seconds.
    what
        What disturbs it.
    seed
        Of the clip; with the time it fixes the noise.
    margin
        What lies outside the frame, RGB.
    """
    share = ramp(time_s)
    if share == 0:
        return frame
    height, width = frame.shape[:2]
    shorter = min(height, width)
    phase = (seed % 97) / 97
    if what.zoom or what.shift:
        zoom = 1 + what.zoom * share * wave(time_s, 5.1, phase)
        dx, dy = (what.shift * share * shorter * wave(time_s, period, phase + 0.3) for period in (4.3, 6.7))
        matrix = np.array([[zoom, 0, (1 - zoom) * width / 2 + dx], [0, zoom, (1 - zoom) * height / 2 + dy]], np.float64)
        frame = np.asarray(cv2.warpAffine(frame, matrix, (width, height), borderValue=margin), np.uint8)
    if what.tint:
        gains = [1 + what.tint * share * wave(time_s, period, phase) for period in (3.1, 4.7, 6.1)]
        frame = np.rint(np.clip(frame * np.array(gains), 0, 255)).astype(np.uint8)
    if what.blur_px:
        sigma = what.blur_px * shorter / 720 * share * (0.6 + 0.4 * wave(time_s, 2.7, phase))
        if sigma > 0.05:
            frame = np.asarray(cv2.GaussianBlur(frame, (0, 0), sigma), np.uint8)
    if what.noise:
        dice = np.random.default_rng([seed, round(time_s * 1000)])
        noise = dice.standard_normal(frame.shape, np.float32) * np.float32(what.noise * share)
        frame = np.rint(np.clip(frame + noise, 0, 255)).astype(np.uint8)
    if what.jpeg:
        stream = io.BytesIO()
        Image.fromarray(frame).save(stream, "JPEG", quality=what.jpeg)
        frame = np.asarray(Image.open(stream).convert("RGB"))
    return frame
