"""Words marked up: what was read of them, and what could not be."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Protocol

STYLE = "white-space:pre-wrap;overflow-wrap:anywhere"
READ_STYLE, UNREAD_STYLE = "background:#bfe8c5;color:#000", "background:#f6b8b8;color:#000"


class TextStretch(Protocol):
    """A stretch of a text, in characters: from ``start`` up to but without ``end``."""

    @property
    def start(self) -> int:
        """The first character."""

    @property
    def end(self) -> int:
        """That behind the last."""


def marked_words(text: str, said: Sequence[str], spans: Sequence[TextStretch], unread: TextStretch | None) -> str:
    """A text as HTML, with a mark around each stretch that was read, whose title is what was read in it.

    Parameters
    ----------
    text : str
        All that a model wrote.
    said : sequence of str
        What was read, such as moves.
    spans : sequence of TextStretch
        Where each stands; several may stand in one, as "up x3" does. Those that lie within another are left out.
    unread : TextStretch or None
        Where what could not be read stands.

    Examples
    --------
    >>> from grader.answers.result import Span
    >>> "<mark" in marked_words("up", ["up"], [Span(0, 2)], None)
    True
    """
    text = text.encode("utf-8", "replace").decode()  # as long as it was
    titles: dict[tuple[int, int], list[str]] = {}
    for one, span in zip(said, spans, strict=False):
        titles.setdefault((span.start, span.end), []).append(one)
    marks = [(start, end, ", ".join(read), READ_STYLE) for (start, end), read in titles.items()]
    if unread is not None:
        marks.append((unread.start, unread.end, "not read", UNREAD_STYLE))
    parts: list[str] = []
    last = 0
    for start, end, title, style in sorted(marks):
        if start < last or end <= start:
            continue
        parts.append(escape(text[last:start]))
        parts.append(f'<mark style="{style}" title="{escape(title)}">{escape(text[start:end])}</mark>')
        last = end
    parts.append(escape(text[last:]))
    return f'<pre style="{STYLE}">{"".join(parts)}</pre>'
