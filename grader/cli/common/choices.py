"""An option that takes one of a few words and is given another: the message says which was likely meant."""

from __future__ import annotations

import difflib
import re
from typing import Any

import typer
from typer.core import TyperGroup

_MARK = "Value error, "
"""What the library that checks options puts before its messages."""
_CHOICE = re.compile(r"(?P<given>'.*') is not one of (?P<known>'.*')\.?", re.DOTALL)


class PlainWords(TyperGroup):
    """The group of all commands, whose complaints about options are in plain words."""

    def invoke(self, ctx: Any) -> Any:
        """Runs the command that the context names."""
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            error.message = in_plain_words(error.message)
            raise


def in_plain_words(message: str) -> str:
    """A complaint about an option without the library's own words, and with the word that is most like the given one.

    Examples
    --------
    >>> in_plain_words("Value error, 'sqare' is not one of 'square', 'circle'.")
    "'sqare' is not one of 'square', 'circle'; did you mean square?"
    """
    text = message.removeprefix(_MARK)
    if (found := _CHOICE.fullmatch(text)) is None:
        return text
    known = re.findall("'([^']*)'", found["known"])
    near = difflib.get_close_matches(found["given"].strip("'"), known, 1)
    return f"{text.removesuffix('.')}; did you mean {near[0]}?" if near else text
