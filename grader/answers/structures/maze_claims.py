"""What a sentence says of a grid maze: whether its goal can be reached, how far it is, which way leads there.

An answer is an object, and people and models go on speaking behind it. What they say there has to be what it says: "The
second move hits a wall" or "Final answer: unreachable" behind a path takes that path back.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class MazeClaims:
    """What a sentence says; None and False for what it does not say.

    Attributes
    ----------
    reachable : whether the goal can be reached
    length : steps of a shortest path
    path : letters U, D, L, R
    faulty : whether it finds a fault in the path of the answer before it, or changes something in it
    """

    reachable: bool | None = None
    length: int | None = None
    path: str | None = None
    faulty: bool = False


_NOTHING: Final = MazeClaims()
_NUMBERS: Final = (
    "zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen"
    "|eighteen|nineteen|twenty"
)
_NUMBER: Final = re.compile(rf"\b(?:{_NUMBERS})\b")
_ROW_ALONE: Final = re.compile(r"\W*(?P<row>[UDLR]{3,}|(?:[UDLR](?:\s?(?:,|->|→|-|>|;)\s?|\s)){2,}[UDLR])\W*")
_BETWEEN_SIGNS: Final = re.compile(r"(?<=[\u3040-\u30ff\u4e00-\u9fff])\s(?=[\u3040-\u30ff\u4e00-\u9fff])")
"""Spaces between words of languages that have none."""

# Of another world than that of the answer: conditions, questions, what was thought before, other ways.
_SUPPOSED: Final = re.compile(
    r"\?|\b(?:if|unless|otherwise|instead|were|had|suppose|without|initially"
    r"|at first|first i|i first"
    r"|thought|seemed|looked|before that|any other|every other|each other|all other|other (?:paths?"
    r"|routes?|ways?)|an?other"
    r"|alternatives?|wenn|würde|sonst|zuerst)\b"
)
_NOT: Final = r"(?:not|n't|never|cannot|can't|isn't|no longer)"
_GOAL: Final = (
    r"(?<!of\s)(?<!in\s)(?<!of the\s)(?<!of this\s)(?:(?:the|this|our|its)\s)?(?:goal|target|end|exit"
    r"|finish|destination|maze|puzzle|grid|it|g)"
    r"(?:\s(?:cell|tile|square|position|node))?"
)
_ADVERBS: Final = (
    r"(?:(?:indeed|actually|clearly|completely|therefore|thus|really|also|in fact|simply|fully|still|of course)\s){0,3}"
)
_IS: Final = r"(?:is|'s|was|remains|being|as|to be|seems|appears|looks|must be|should be)"
_THE_GOAL: Final = (
    r"(?:(?:the|this|our|its)\s)?(?:goal|target|end|exit|finish|destination|treasure|g)"
    r"(?:\s(?:cell|tile|square|position|node))?"
)
_OUT_OF_REACH: Final = (
    r"(?:unreachable|inaccessible|unsolvable|impossible to (?:reach|solve)|not (?:reachable|accessible|solvable"
    r"|possible to reach))"
)
_CUT_OFF: Final = (
    r"(?:walled (?:off|in)|blocked(?: off)?|isolated|sealed(?: off)?|enclosed|cut off|disconnected|not connected)"
)
"""A goal that is, can't be reached; a maze that is, has a border."""
_SO_ONLY: Final = (
    r"(?!\s(?:diagonal|direct|straight|in\s|within\s|without\s|by\s|through\s|via\s|with\s|any\s|faster|sooner|that way"
    r"|from (?:the )?(?:left|right|top|bottom|above|below|north|south|east|west|its)))"
)
"""Not reached so: which says nothing of other ways."""
_OPEN: Final = r"(?:reachable|accessible|solvable|connected)"
_ALONE: Final = (
    r"(?:^|.{0,40}\b(?:answer|conclusion|verdict|result|correction|final|status|therefore|thus|so|hence"
    r"|actually)\b)\W*"
)
_AMID: Final = (
    r"(?:in|behind|within|inside)\s(?:an?|the|its own)\s(?:\w+\s)?(?:sealed|closed|walled|isolated|separate|enclosed)"
)
_UNREACHABLE: Final = (
    re.compile(rf"\b{_GOAL}\s(?:{_IS}\s)?{_ADVERBS}{_OUT_OF_REACH}\b{_SO_ONLY}"),
    re.compile(rf"\b{_THE_GOAL}\s(?:{_IS}\s)?{_ADVERBS}{_CUT_OFF}\b{_SO_ONLY}"),
    re.compile(rf"\b{_GOAL}\s(?:lies|sits|is|stands)\s{_ADVERBS}{_AMID}\b"),
    re.compile(rf"\b(?:isn't|aren't|wasn't)\s{_ADVERBS}{_OPEN}\b"),
    re.compile(rf"{_ALONE}(?:the (?:answer|maze) is )?(?:{_OUT_OF_REACH}|{_CUT_OFF}|impossible)\W*$"),
    re.compile(
        rf"\b{_GOAL}\s(?:can ?not|can't|could ?not|couldn't|can never)\s(?:\w+\s)?be\s(?:\w+\s)?(?:reached"
        rf"|solved|entered)\b{_SO_ONLY}"
    ),
    re.compile(
        r"\b(?:can ?not|can't|unable to|impossible to|no way to|not possible to)\s(?:ever\s)?(?:reach|get to"
        r"|arrive at)\b"
    ),
    re.compile(
        r"\b(?:there (?:is|are|exists?)|there's|has|have|with|exists|found|find)\s(?:no|not an?y?|n't any)"
        r"\s(?:(?!shorter|longer|better|other|second|alternative|faster|quicker|more|further)\w+\s){0,2}?"
        r"(?:path|route|way|solution|connection)s?\b(?!\s(?:\w+\s){0,2}(?:shorter|better|of|with|in|than|that))"
    ),
    re.compile(
        r"(?:^|\W)no\s(?:valid\s|legal\s|possible\s|open\s|such\s|single\s)?(?:path|route|way|solution)"
        r"s?(?:\s(?:to\b|exists?\b|is possible|leads\b|available|connects\b)|\W*$)"
    ),
    re.compile(r"\b(?:doesn't|does not|don't)\shave\s(?:an?y?)\s(?:\w+\s)?(?:path|route|solution)\b"),
    re.compile(r"\breachable\W{1,6}(?:false|no)\b"),
    re.compile(r"nicht (?:erreichbar|lösbar|zu erreichen)|unerreichbar|unlösbar|kein(?:en)? weg\b"),
    re.compile(
        r"\binatteignable|pas (?:atteignable|accessible)|inaccessible\b|\binalcanzable|no (?:es|se puede)"
        r" (?:alcanz|accesible)"
    ),
    re.compile(
        r"\binalcanç|não (?:é|pode ser) alcanç|\birraggiungibil|non (?:è )?raggiungibil|недостижим"
        r"|нельзя достичь|не достичь"
    ),
    re.compile(
        r"不可达|不可達|无法到达|無法到達|到达不了|不能到达|到達不可|到達でき(?:ない|ません)"
        r"|도달할 수 없|도달 불가"
    ),
)
_REACHABLE: Final = (
    re.compile(rf"\b{_GOAL}\s(?:{_IS}\s)?{_ADVERBS}{_OPEN}\b"),
    re.compile(rf"{_ALONE}(?:the (?:answer|maze) is )?{_OPEN}\W*$"),
    re.compile(rf"\b{_GOAL}\s(?:can|could)\s(?:\w+\s)?be\s(?:\w+\s)?(?:reached|solved)\b"),
    re.compile(
        r"\b(?:there (?:is|exists)|there's|found|has)\s(?:an?|1|the)\s(?:\w+\s){0,2}?(?:path|route|way"
        r"|solution)\b(?!\s(?:only|but|through an?\s(?:wall|trap)|blocked|with a))"
    ),
    re.compile(r"\b(?:an?|1)\s(?:\w+\s)?(?:path|route|way|solution)\sexists\b"),
    re.compile(r"\breachable\W{1,6}(?:true|yes)\b"),
    re.compile(
        r"(?<!nicht )(?<!un)\b(?:erreichbar|lösbar)\b|\bes (?:ist|se puede) alcanza|\best (?:atteignable"
        r"|accessible)\b"
    ),
    re.compile(r"(?<!不)可达|可以到达|能到达|到達可能|достижим[аоы]?\b"),
)
_MINE: Final = (
    r"(?:(?:the|this|my|your|that|our|its)\s)?(?:(?:above|shortest|optimal|minimal|minimum|least|true|correct|final"
    r"|right|actual|full|whole|best|real)\s){0,2}"
)
_WAY: Final = r"(?:path|route|way|answer|solution|sequence|plan|object|json|length|distance|number of (?:steps|moves))"
_COUNTS: Final = (
    re.compile(
        rf"(?:^|\W){_MINE}{_WAY}(?:\slength)?\W{{0,3}}(?:(?:is|has|takes|needs|requires|equals|should be"
        rf"|must be|would be|of|=|:|a|length)\W{{0,3}}){{1,4}}"
        r"(?:only |exactly |just )?(\d{1,4})(?!\s?(?:cells?|tiles?|squares?|nodes?|spots?|turns?|[x×,.:]\s?\d|%))\b"
    ),
    re.compile(r"\bshortest[ _]path[ _]length\W{1,6}(\d{1,4})\b"),
    re.compile(
        r"\b(?:be |is )?(?:reached|solved|reachable)\s(?:in|within|after)\s(?:only |exactly |just )?(\d{1,4})"
        r"\s(?:steps?|moves?)\b"
    ),
)
_FEWER: Final = re.compile(rf"\b(?:no|fewer|less|under|than|below|shorter)\b|{_NOT}\s")
"""What a length is not is no claim of what it is."""
_LETTERS: Final = re.compile(
    rf"(?i:(?:^|\W){_MINE}(?:path|route|way|answer|solution|sequence|moves|steps|directions)\W{{0,3}}"
    r"(?:is|should be|would be|=|:|becomes|reads)\W{0,4}(?:(?:the|path|route)\W{0,3}){0,2})"
    r"(?P<row>[UDLR]{3,}|(?:[UDLR](?:\s?(?:,|->|→|-|>|;)\s?|\s)){2,}[UDLR])(?![\w'])"
)
_ORDINAL: Final = (
    r"(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|next|final|\d{1,3}(?:st|nd|rd|th))"
)
_PART: Final = (
    rf"(?:(?:the\s)?(?:{_ORDINAL}\s(?:move|step|action|letter)|(?:move|step|action)s?\s\W{{0,2}}\d{{1,3}})"
    rf"(?:\s\W{{0,2}}[udlr]\W{{0,2}})?"
    r"|(?:the|this|that|my|above|it's)\s(?:\w+\s)?(?:path|route|answer|solution|sequence|plan)(?:\sabove)?|it|they|this|that)"
)
_ENTERS: Final = (
    r"(?:hits?|enters?|entered|cross(?:es|ed)?|r[au]ns? (?:straight )?(?:into|through)|goes (?:into|through)"
    r"|collides? with|pass(?:es|ed)? (?:through|over)|bumps?(?: into)?|steps? (?:on|into|onto)"
    r"|walks? (?:on|into|through|over)|moves? (?:into|through|onto)|is blocked by|leads? (?:into|onto|through)"
    r"|falls? into|lands? (?:on|in))"
)
_LEAVES: Final = r"(?:leaves?|left|(?:goes|moves?|walks?|leads?|runs?|steps?|falls?) (?:off|out of|outside(?: of)?))"
_FAULTS: Final = (
    re.compile(r"\b(?:i|we)\s(?:really\s)?(?:doubt|don't (?:think|believe))\s(?:that\s)?(?:this|it|the|my)\b"),
    re.compile(
        r"\b(?:this|that|it|above|json|object|answer|path)\s(?:above\s)?(?:is|was)\s"
        r"(?:(?:only|just|merely|meant as)\s)?"
        r"(?:an?|the)\s(?:\w+\s)?(?:example|placeholder|template|sample|draft|illustration|format|dummy|joke)\b"
    ),
    re.compile(
        rf"\b{_PART}\s(?:(?:actually|then|also|clearly|even|still|now|directly|would)\s){{0,2}}(?:"
        rf"{_ENTERS}\s(?:an?\s|the\s|1\s|that\s)?(?:(?!no\b|any\b|0\b|only\b)\w+\s)?(?:walls?|traps?|obstacles?)"
        rf"|{_LEAVES}\s(?:the\s|its\s)?(?:grid|maze|board|map|picture))\b"
    ),
    re.compile(
        rf"\b{_PART}\s(?:{_ADVERBS})(?:does not|doesn't|fails to|never|did not|didn't|cannot|can't)"
        rf"\s(?:actually\s|even\s)?"
        r"(?:reach|reaches|arrive|get to|lead to|end (?:at|in|on)|work|solve)\b"
    ),
    re.compile(
        rf"\b{_PART}\s(?:ends|stops|stays)\s(?:\w+\s)?(?:before|short of|elsewhere|outside|beside|one (?:step"
        rf"|cell|tile))\b"
    ),
    re.compile(
        rf"\b(?!it\b|they\b){_PART}\s(?:is|was|are)\s{_ADVERBS}(?:illegal|invalid|not (?:possible|allowed|legal"
        r"|valid|right|correct|free|open)|impossible|blocked|wrong|incorrect"
        r"|too (?:long|short)|longer than)\b"
    ),
    re.compile(
        r"^\W*(?:\w+[,:]\s)?(?:please\s|but\s|now\s|then\s|and\s|you (?:have to|must|should)\s"
        r"|we (?:have to|must|should)\s)?"
        r"(?:reverse|swap|replace|insert|remove|delete|append|drop|omit|flip|mirror|invert|exchange"
        r"|change|negate|rotate|shift|skip|prepend|cut)\b(?!\s(?:nothing|no)\b)"
    ),
    re.compile(
        rf"\b(?:{_WAY}|reachable|it|size|step|move)\s(?:\w+\s)?should (?:be|have been|read|say)\s\W{{0,3}}"
        r"(?:\d|[udlr]\b|true|false|null|empty|up\b|down\b|left\b|right\b|longer|shorter|reversed|different|another)"
    ),
)


def maze_claims(sentence: str) -> MazeClaims:
    """What a sentence says of the maze and of a path in it.

    Parameters
    ----------
    sentence : str
        With its capitals; words apart from signs by one space at most.

    Examples
    --------
    >>> maze_claims("So the goal can't be reached.").reachable
    False
    >>> maze_claims("No step of it hits a wall.").faulty
    False
    >>> maze_claims("The second move hits a wall.").faulty
    True
    """
    said = _NUMBER.sub(lambda word: str(_NUMBERS.split("|").index(word[0])), _BETWEEN_SIGNS.sub("", sentence.lower()))
    if _SUPPOSED.search(said) is not None:
        return _NOTHING
    unreachable = any(pattern.search(said) is not None for pattern in _UNREACHABLE)
    reachable = not unreachable and any(pattern.search(said) is not None for pattern in _REACHABLE)
    if unreachable and re.search(
        rf"\b{_NOT}\s{_ADVERBS}(?:unreachable|inaccessible|unsolvable|blocked|isolated|walled)", said
    ):
        unreachable, reachable = False, True
    counts = [found for pattern in _COUNTS if (found := pattern.search(said)) is not None]
    if _FEWER.search(said) is not None:
        counts = []
    row = _LETTERS.search(sentence) or _ROW_ALONE.fullmatch(sentence)
    return MazeClaims(
        False if unreachable else True if reachable else None,
        int(counts[0][1]) if counts else None,
        re.sub(r"[^UDLR]", "", row["row"]) if row is not None else None,
        any(pattern.search(said) is not None for pattern in _FAULTS),
    )
