"""What words around an order of pieces say of it: where a piece lies, and that the order is to be changed or read anew.

"[2, 1, 3, 4]" behind which "Top left is not 2" stands, or "Swap the first two", is no answer: nobody knows which order
is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from grader.answers.compounds.orders import Order
from grader.answers.compounds.signs import TextEdit

_SENTENCES: Final = re.compile(r"[^.!?;\n]+[.!?;\n]?")
_NOT: Final = re.compile(r"\b(?:no|not|never|without|neither|nor)\b|n't\b")
_EARLIER: Final = re.compile(
    r"\b(?:after|by|before|having|instead of|if|would|first|initially|tried|was|were|had)\b|\?"
)
_CHANGED: Final = re.compile(
    r"\b(?:swap\w*|exchang\w*|interchang\w*|switch\w*|(?:trade|change)\s(?:their\s)?places|revers\w*|backwards?|mirrored"
    r"|invert\w*|inverse|transpos\w*|shift\w*|rotate the (?:order|list|pieces|numbers)|(?:anti|counter-?)?clockwise)\b"
)
_ASKED: Final = re.compile(
    r"^\W*(?:(?:please|now|then|but|correction|actually|wait|no|sorry)\W+){0,3}$"
    r"|\b(?:must|should|has to|have to|needs? to|let's|let us)\b"
)
"""What stands before a verb that asks for a change."""
_READ_ANEW: Final = re.compile(
    r"\b(?:from\s)?(?:right to left|bottom to top|top to bottom(?:, (?:then )?left to right)"
    r"|from (?:the )?(?:right|bottom)"
    r"|column[\s-](?:wise|by[\s-]column|major)|by columns?|columns first)\b"
)
_PLACE: Final = (
    r"(?:the\s)?(?P<v>top|upper|bottom|lower)[\s_-]{0,2}(?P<h>left|right)(?:[\s_-]{0,2}(?:corner|piece|region|part))?"
)
_IS: Final = r"(?:is|are|goes|belongs|lies|comes|must be|has to be|should be|must go|has to go|should go|sits|=|:|->|→)"
_NUMBER: Final = r"(?:(?:image|picture|piece|number|no\.?)\s)?(?P<n>\d{1,2})(?![\w,]|\.\d)"
_LIES: Final = (
    re.compile(rf"\b{_PLACE}\s{{0,2}}{_IS}\s{{0,2}}(?P<no>not\s|never\s)?{_NUMBER}"),
    re.compile(rf"(?<![\w.,])(?:image|picture|piece)\s(?P<n>\d{{1,2}})\s{_IS}\s{{0,2}}(?P<no>not\s|never\s)?(?:in\s|at\s|to\s|into\s)?{_PLACE}"),
)  # fmt: skip
_DECISIVE: Final = re.compile(
    r"\b(?:is|are|goes?|go)\s(?:the\s)?(?:other|wrong) way (?:a)?round\b|\b(?:are|is) mixed[\s-]up\b"
    r"|\bmixed[\s-]up (?:left|right|the|rows?|columns?|top)\b"
    r"|\b(?:piece|picture|image|number|with|where)\s#?\d\s(?:(?:is|being|must be|should be|has to be|needs to be)\s)?"
    r"(?:turned|rotated|flipped|mirrored|upside[\s-]down)\b"
    r"|\b(?:rotate|turn|flip|mirror)\s(?:the\s)?(?:piece|picture|image)\s#?\d"
    r"|\b(?:these|they|numbers|which)\s(?:are|give)\s(?:the\s)?(?:positions?|places?)\s(?:of|for)\b"
    r"|^[\s(—–:-]*(?:the\s)?(?:positions?|places?)\s(?:of|for)\s(?:each|the|every|all|pieces?|pictures?|images?)\b"
)
"""What says by itself that an order is not meant as it is read: changed, of turned pieces, or of places."""
_TURNED: Final = re.compile(r"^\W*(?:sorry|actually|hmm+|wait|no|nope|correction|oops|but|oh)\b")
_NEGATIVE: Final = re.compile(r"^\W*(?:no\b|not\b|nope|never|hardly|i doubt|i don't|wrong|that can)")
_NAME: Final = (
    r"(?:(?:the\s)?(?P<v{0}>top|upper|bottom|lower|t|b)[\s_-]?(?P<h{0}>left|right|l|r)(?![\w])"
    r"(?:[\s_-](?:corner|piece))?)"
)
_NAMES: Final = re.compile(
    r"(?<![\w])" + r"(?:\s{0,3}(?:,|\||;|/|->|→|then|and)\s{0,3}(?:and\s|then\s)?)".join(map(_NAME.format, range(4)))
)
"""The four places one behind the other, with no number between them: in which order the pieces are listed."""
_HEADER: Final = re.compile(
    r"^[ \t]{0,9}\|[^\n\d]{0,60}\bright\b[^\n\d]{0,30}\bleft\b[^\n\d]{0,30}\|[ \t]*$", re.MULTILINE
)
_WRONG: Final = re.compile(
    r"\b(?:row|column|order|half|pair|left|right|piece|image|that|this|which)\b[^.]{0,20}\b(?:is|are|looks?|seems?)\s"
    r"(?:still\s|clearly\s|also\s)?(?:wrong|incorrect|mistaken|swapped|reversed|not (?:right|correct))\b"
)
_ROW_BY_ROW: Final = re.compile(
    r"\(?\b(?:(?:when )?(?:read|reading|listed|given)\s)?(?:row by row|in row[- ]major order|row[- ]major"
    r"|in raster order"
    r"|from left to right,? (?:and )?(?:from )?top to bottom|left to right,? top to bottom)\)?",
    re.IGNORECASE,
)
_ROWS: Final = {"top": 0, "upper": 0, "bottom": 2, "lower": 2}


def row_by_row_away(text: str) -> list[TextEdit]:
    """Edits that leave out that an order is read row by row, which is how all are read."""
    return [TextEdit(found.start(), found.end(), "") for found in _ROW_BY_ROW.finditer(text)]


def contradicts(text: str, start: int, end: int, order: Order) -> bool:
    """Whether words around an order say something else of the pieces than it does.

    Parameters
    ----------
    text : str
        All that was written.
    start, end : int
        Where the order stands in it.
    order : tuple of int
        Pieces at the top left, the top right, the bottom left and the bottom right.

    Examples
    --------
    >>> text = "[2, 1, 3, 4]. The top left is not 2."
    >>> contradicts(text, 0, 12, (2, 1, 3, 4)), contradicts(text[:13], 0, 12, (2, 1, 3, 4))
    (True, False)
    """
    before = re.split(r"[.!?;\n]", text[:start].lower())[-1]
    if _CHANGED.search(before) is not None and _EARLIER.search(before) is None and _NOT.search(before) is None:
        return True
    if _READ_ANEW.search(before) is not None:
        return True
    if _lists_otherwise(text.lower()):
        return True
    rest = text[end:].lower()
    if rest.lstrip(" *_`\"')")[:1] == "?" and _NEGATIVE.search(rest.partition("?")[2]) is not None:
        return True
    goes_on = rest.lstrip(" \t*_`\"')")[:1] not in (".", "!", "?", ";", "\n", "")
    behind = list(_sentences(rest))
    return any(_differs(sentence, order, same=goes_on and not place) for place, sentence in enumerate(behind))


def _lists_otherwise(text: str) -> bool:
    """Whether places are named in another order than they are read in, or a table has its right side first."""
    if _HEADER.search(text) is not None:
        return True
    for found in _NAMES.finditer(text):
        places = [(found[f"v{at}"][0] in "tu", found[f"h{at}"][0] == "l") for at in range(4)]
        if len(set(places)) == len(places) and places != [(True, True), (True, False), (False, True), (False, False)]:
            return True
    return False


def _sentences(text: str) -> Iterator[str]:
    for found in _SENTENCES.finditer(text):
        yield found[0]


def _differs(sentence: str, order: Order, *, same: bool) -> bool:
    """Whether a sentence says something else; ``same`` is what goes on behind the order in its own sentence."""
    if sentence.endswith("?"):
        return False
    negated = _NOT.search(_TURNED.sub("", sentence)) is not None
    if not negated and (
        _DECISIVE.search(sentence) is not None
        or _READ_ANEW.search(sentence) is not None
        or _changes(sentence, same=same)
    ):
        return True
    if _WRONG.search(sentence) is not None and not re.search(r"\b(?:if|would|other|else|options?)\b", sentence):
        return True
    for pattern in _LIES:
        for found in pattern.finditer(sentence):
            same = order[_ROWS[found["v"]] + (found["h"] == "right")] == int(found["n"])
            if same == bool(found["no"]):
                return True
    return False


def _changes(sentence: str, *, same: bool) -> bool:
    """Whether something is to be changed: a colour that shifts, or a lake that mirrors, changes no order."""
    found = _CHANGED.search(sentence)
    turned = _TURNED.search(sentence) is not None
    if found is None or (re.search(r"\b(?:after|if|would|instead of)\b", sentence) is not None and not turned):
        return False
    before = sentence[: found.start()]
    return same or turned or _ASKED.search(before) is not None
