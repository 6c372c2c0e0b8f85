"""The strip of an overlay: outcome, numbers, reasons and legend, beside or below the picture."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from grader.drawing.canvas import BLUE, GREEN, GREY, INK, PAPER, VERMILION, Canvas, Color, font_of
from grader.model.verdict import Alignment, Reason


@dataclass(frozen=True)
class LegendEntry:
    """A kind of mark that occurs in a picture: what it means, and what draws a sample of it on a small canvas."""

    label: str
    draw: Callable[[Canvas], None]


@dataclass(frozen=True)
class Strip:
    """What is written beside or below a picture.

    Attributes
    ----------
    facts : names and values, the most important first
    praise : a sentence for a picture without fault
    reasons : why it fails, gravest first; empty for a PASS
    entries : the marks that occur
    footer : how the candidate was brought into the puzzle's frame
    judged : whether it is a PASS or a FAIL; else it was measured only
    """

    facts: tuple[tuple[str, str], ...]
    praise: str
    reasons: tuple[Reason, ...]
    entries: tuple[LegendEntry, ...]
    footer: str
    judged: bool = True


_MOST_REASONS = 4
_PANEL_WIDTH = 540
_MOST_HEIGHT = 4000
SWATCH_SIZE = (64, 40)
"""Width and height of a legend's key in pixels."""


def with_strip(picture: Canvas, strip: Strip) -> Canvas:
    """A picture with its strip: beside it if it is tall, else below it. The picture's upper left corner stays there."""
    height, width = picture.shape[:2]
    # A thin frame, without which a white picture would run into the paper.
    cv2.rectangle(picture, (0, 0), (width - 1, height - 1), (190, 190, 190), 1)
    if height > 1.25 * width:
        panel = _panel(strip, _PANEL_WIDTH, 1)
        sheet = np.full((max(height, panel.shape[0]), width + _PANEL_WIDTH, 3), 255, np.uint8)
        sheet[:height, :width] = picture
        sheet[: panel.shape[0], width:] = panel
        return sheet
    # A picture is never narrower than 1/1.25 of its height here, which leaves room for two columns.
    return np.concatenate([picture, _panel(strip, width, 2)])


def _panel(strip: Strip, width: int, columns: int) -> Canvas:
    size = round(float(np.clip(0.019 * width * (1 if columns == 2 else 2), 18, 24)))
    page = _Page(width, size)
    margin = size
    page.header(margin, strip)
    top = page.bottom + size
    inner = width - 2 * margin
    left_width = inner if columns == 1 else round(0.56 * inner) - margin
    page.reasons(margin, top, left_width, strip)
    if columns == 1:
        page.legend(margin, page.bottom + size, inner, strip.entries)
    else:
        page.legend(margin + left_width + 2 * margin, top, inner - left_width - 2 * margin, strip.entries)
    page.paragraph(margin, page.bottom + size // 2, inner, strip.footer, round(0.82 * size), GREY)
    return page.cut(margin)


class _Page:
    """White paper of a width that is written on from the top, and cut off below what was written."""

    def __init__(self, width: int, size: int) -> None:
        self.width, self.size = width, size
        self.image = Image.new("RGB", (width, _MOST_HEIGHT), PAPER)
        self.draw = ImageDraw.Draw(self.image)
        self.bottom = size

    def cut(self, margin: int) -> Canvas:
        """What was written, with a margin below."""
        return np.array(self.image.crop((0, 0, self.width, min(self.bottom + margin, _MOST_HEIGHT))), np.uint8)

    def text(self, x: float, y: float, text: str, size: int, color: Color, *, bold: bool = False) -> float:
        """Writes a line with its upper left corner at (x, y); gives its width. The font has no bold face."""
        self.draw.text((x, y), text, color, font_of(size), stroke_width=size / 45.0 if bold else 0.0, anchor="la")
        self.bottom = max(self.bottom, round(y + 1.2 * size))
        return font_of(size).getlength(text)

    def paragraph(self, x: int, y: int, width: int, text: str, size: int, color: Color, *, bold: bool = False) -> int:
        """Writes wrapped text; gives where the next line starts."""
        line_height = round(1.32 * size)
        for part in _wrapped(text, font_of(size), width):
            self.text(x, y, part, size, color, bold=bold)
            y += line_height
        return y

    def header(self, x: int, strip: Strip) -> None:
        """Writes the outcome on a badge, and facts beside it as far as there is room, then below."""
        top, big = self.size, round(1.45 * self.size)
        word, color = ("FAIL", VERMILION) if strip.reasons else ("PASS", GREEN)
        if not strip.judged:
            word, color = "MEASURED", BLUE
        badge_width, badge_height = round(font_of(big).getlength(word)) + 2 * self.size, 2 * big
        self.draw.rounded_rectangle((x, top, x + badge_width, top + badge_height), self.size // 3, color)
        middle = (x + badge_width / 2.0, top + badge_height / 2.0)
        self.draw.text(middle, word, PAPER, font_of(big), stroke_width=big / 40.0, anchor="mm")
        self.bottom = top + badge_height
        left = x + badge_width + self.size
        for name, value in strip.facts:
            small = round(0.82 * self.size)
            needed = round(max(font_of(small).getlength(name), font_of(big).getlength(value)))
            if left + needed > self.width - self.size:
                left, top = x, self.bottom + self.size // 2
            self.text(left, top, name, small, GREY)
            self.text(left, top + small + self.size // 4, value, big, INK)
            left += needed + round(1.4 * self.size)

    def reasons(self, x: int, y: int, width: int, strip: Strip) -> None:
        """Writes why, or that nothing is wrong."""
        if not strip.reasons:
            self.paragraph(x, y, width, strip.praise, self.size, INK)
        for reason in strip.reasons[:_MOST_REASONS]:
            y = self.paragraph(x, y, width, reason.code, round(0.9 * self.size), VERMILION, bold=True)
            y = self.paragraph(x, y, width, reason.message, self.size, INK) + self.size // 3
        rest = strip.reasons[_MOST_REASONS:]
        if rest:
            codes = ", ".join(reason.code for reason in rest)
            self.paragraph(x, y, width, f"+{len(rest)} more: {codes}", round(0.9 * self.size), GREY)

    def legend(self, x: int, y: int, width: int, entries: tuple[LegendEntry, ...]) -> None:
        """Draws each mark that occurs beside what it means."""
        key_width, key_height = SWATCH_SIZE
        for entry in entries:
            key = np.full((key_height, key_width, 3), 255, np.uint8)
            entry.draw(key)
            self.image.paste(Image.fromarray(key), (x, y))
            self.draw.rectangle((x, y, x + key_width - 1, y + key_height - 1), outline=(190, 190, 190))
            left = x + key_width + round(0.6 * self.size)
            parts = _wrapped(entry.label, font_of(self.size), width - (left - x))
            text_y = y + max(0, (key_height - round(1.2 * self.size) * len(parts)) // 2)
            end = self.paragraph(left, text_y, width - (left - x), entry.label, self.size, INK)
            y = max(y + key_height, end) + self.size // 3
            self.bottom = max(self.bottom, y)


def _wrapped(text: str, font: ImageFont.FreeTypeFont, width: int) -> list[str]:
    """Lines of at most a width, broken between words; a word that is wider stands alone."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and font.getlength(longer) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def describe_alignment(alignment: Alignment) -> str:
    """How a candidate was brought into the puzzle's frame, in a line."""
    width, height = alignment.candidate_size
    how = {
        "NONE": "taken as it is",
        "RESIZED": "resized",
        "LETTERBOXED": "letterbox removed",
        "SHIFTED": "shift undone",
        "WARPED": "shift and stretch undone",
        "FAILED": "could not be aligned with the puzzle",
    }[alignment.method]
    text = f"candidate {width} x {height}, {how}"
    if alignment.method in ("SHIFTED", "WARPED"):
        across, down = alignment.shift_px
        text += f" ({across:+.1f}, {down:+.1f} px)"
    if alignment.bend is not None:
        text += f", local displacements up to {alignment.bend.largest_px:.1f} px undone"
    return f"{text}; agreement {alignment.quality:.2f}"
