"""Builds HTML and SVG in which every text is escaped, because only `Html` passes as markup."""

from __future__ import annotations

import html
from collections.abc import Iterable

_VOID = frozenset({"meta", "img", "br"})


class Html(str):
    """Text that is markup already. Made by the functions of this module, and for constants of the program."""

    __slots__ = ()


Child = str | Html
Attribute = str | int | float | bool


def text(content: str) -> Html:
    """Escapes a text unless it is markup."""
    return content if isinstance(content, Html) else Html(html.escape(content, quote=True))


def join(children: Iterable[Child]) -> Html:
    """Puts children side by side."""
    return Html("".join(text(child) for child in children))


def tag(name: str, *children: Child, **attributes: Attribute) -> Html:
    """An element.

    Parameters
    ----------
    name : str
        Its name.
    children : str or Html
        What it holds; a plain str is escaped.
    attributes : str, int, float or bool
        A trailing underscore is dropped and others become hyphens; True is an attribute without value, False is none.

    Examples
    --------
    >>> tag("td", "a < b", class_="n", data_v=0.5)
    '<td class="n" data-v="0.5">a &lt; b</td>'
    """
    written = "".join(
        f" {key.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{_value(value)}"')
        for key, value in attributes.items()
        if value is not False
    )
    if name in _VOID:
        return Html(f"<{name}{written}>")
    return Html(f"<{name}{written}>{join(children)}</{name}>")


def _value(value: Attribute) -> str:
    # Two digits of a pixel are enough, and keep plots small.
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else html.escape(str(value), quote=True)
