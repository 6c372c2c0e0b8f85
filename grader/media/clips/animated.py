"""Animated GIF, PNG and WebP as clips, read with Pillow: many export a rollout so.

Frames are composed as a viewer composes them, upright, on white where they are transparent. A frame is shown until its
own time is over; 0, and what browsers take for 0, is a tenth of a second. One that is shown for longer is given out
once for each tenth of a second, as a clip would have it.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from types import TracebackType
from typing import Final

import numpy as np
from PIL import Image, ImageOps

from grader.media.clips.types import ClipHeader, ClipSummary
from grader.media.costs import check_animation, count_gif_frames
from grader.media.frames import Frame
from grader.media.quiet import DECODER_ERRORS, WITHOUT_WARNINGS
from grader.media.types import MediaError, MediaLimits, MediaReason
from grader.model.verdict import Note

_SHORTEST_S: Final = 0.011
"""Browsers show frames of up to a hundredth of a second for a tenth."""
_USUAL_S: Final = 0.1
_CODECS: Final = {"GIF": "gif", "PNG": "apng", "WEBP": "webp"}
_TURN: Final = 0x0112
_ERRORS: Final = (*DECODER_ERRORS, Image.DecompressionBombError)


class Animation:
    """An opened animation, to be used as a `Clip` is: frames are read once, in order.

    Attributes
    ----------
    header : what it says of itself
    """

    header: ClipHeader

    def __init__(self, data: bytes, name: str, limits: MediaLimits) -> None:
        self._limits = limits
        try:
            check_animation(name, data, limits)
            with WITHOUT_WARNINGS:
                self._image = Image.open(io.BytesIO(data), formats=(name,))
        except _ERRORS as error:
            raise _undecodable(error) from error
        self._given = 0
        self._started = self._ended = self._closed = self._cut = False
        self._transparent = False
        self._duration_s = 0.0
        try:
            width, height = self._image.size
            limits.check_frame_size(width, height)
            # The default picture of a PNG, where it is none of the frames, is for those who can't show them.
            self._skipped = int(bool(self._image.info.get("default_image", False)))
            self._declared = int(getattr(self._image, "n_frames", 1)) - self._skipped
            limits.check_frames(self._declared)
            with WITHOUT_WARNINGS:
                turned = self._image.getexif().get(_TURN, 1) in (5, 6, 7, 8)
        except _ERRORS as error:
            self._image.close()
            raise _undecodable(error) from error
        except MediaError:
            self._image.close()
            raise
        size = (height, width) if turned else (width, height)
        # Its length is known once all frames were read.
        self.header = ClipHeader(*size, self._declared, None, None, _CODECS[name], name, 0, False)

    def __enter__(self) -> Animation:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Gives back what it holds; frames that were given out stay valid. Closing twice is harmless."""
        self._closed = True
        self._image.close()

    def frames(self) -> Iterator[Frame]:
        """Gives every frame that decodes, in order.

        Raises
        ------
        MediaError
            TOO_LONG, or UNDECODABLE where not even the first frame decodes.
        RuntimeError
            When frames are read for the second time, or of a closed clip; open it again for that.
        """
        if self._started or self._closed:
            raise RuntimeError("the frames of a clip are read once, before it is closed; open it again")
        self._started = True
        return self._frames()

    def _frames(self) -> Iterator[Frame]:
        for index in range(self._declared):
            try:
                with WITHOUT_WARNINGS:
                    self._image.seek(index + self._skipped)
                    self._limits.check_frame_size(*self._image.size)  # a frame may be larger than the one before
                    upright = ImageOps.exif_transpose(self._image)
                    shown = upright.convert("RGBA")
            except _ERRORS as error:
                if not index:
                    raise _undecodable(error) from error
                self._cut = True
                break
            self._limits.check_duration(self._duration_s)
            stated_s = float(self._image.info.get("duration", 0.0)) / 1000.0
            time_s = self._duration_s
            self._duration_s += stated_s if stated_s >= _SHORTEST_S else _USUAL_S
            if np.asarray(shown)[..., 3].min() < 255:
                self._transparent = True
                shown = Image.alpha_composite(Image.new("RGBA", shown.size, "white"), shown)
            pixels = np.asarray(shown.convert("RGB"), np.uint8)
            pixels.setflags(write=False)
            # What is held is seen as long as it is held: those who count frames see it several times.
            shown_s = self._duration_s - time_s
            for step in range(max(1, round(shown_s / _USUAL_S))):
                self._limits.check_frames(self._given + 1)
                self._given += 1
                yield Frame(self._given - 1, time_s + step * _USUAL_S, pixels)
                if self._closed:
                    raise RuntimeError("the clip was closed before its last frame was read")
        self._ended = True

    def summary(self) -> ClipSummary:
        """What came of it, once all frames were read.

        Raises
        ------
        RuntimeError
            While there are frames left.
        """
        if not self._ended:
            raise RuntimeError("a summary needs all frames read")
        notes = []
        if self._transparent:
            notes.append(Note("ALPHA_COMPOSITED", "transparent pixels were put on white"))
        if self._cut:
            text = f"the clip ends early: {self._given} of {self._declared} frames decode"
            notes.append(Note("CLIP_TRUNCATED", text))
        return ClipSummary(self._given, self._declared, self._cut, 0, self._duration_s, tuple(notes))


def is_animated(data: bytes, name: str) -> bool:
    """Whether a picture of a known format has several frames; one that can't be opened has none."""
    if name == "PNG":
        return b"acTL" in data[:_FIRST_CHUNKS]
    if name == "WEBP":
        return data[12:16] == b"VP8X" and bool(data[20] & _WEBP_ANIMATED) if len(data) > 20 else False
    if name != "GIF":
        return False
    return count_gif_frames(data, 2) > 1


_FIRST_CHUNKS: Final = 65536
"""The chunk that says that a PNG is animated stands before its pixels."""
_WEBP_ANIMATED: Final = 0x02


def _undecodable(error: Exception) -> MediaError:
    if isinstance(error, Image.DecompressionBombError):
        return MediaError(MediaReason.TOO_MANY_PIXELS, "the animation's frames are larger than can be decoded")
    # Pillow's own words may hold an address, and verdicts have to be the same each time.
    return MediaError(MediaReason.UNDECODABLE, f"the animation does not decode ({type(error).__name__}); send it whole")
