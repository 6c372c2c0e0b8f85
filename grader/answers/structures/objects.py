"""Objects and lists as answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Generic, TypeVar

from grader.answers.contents import AnswerContent, agreed, content_of, joined, nothing
from grader.answers.grammar.plans import Grammar
from grader.answers.grammar.records import RecordGrammar
from grader.answers.grammar.rows import harmless
from grader.answers.grammar.words import denies
from grader.answers.lexicon import meanings as m
from grader.answers.result import NoAnswer
from grader.answers.structures.keys import KeyRole, role_of, words_of_key
from grader.answers.text.objects import NULLS, Node, NodeKind
from grader.answers.text.passages import Passage
from grader.answers.text.words import Word, words_of

T = TypeVar("T")

_FALSE: Final = frozenset({"false", "False", "0", "null", "None"})
_TRUE: Final = frozenset({"true", "True", "1"})
_NEGATIVE: Final = frozenset({"false", "no"})
KEY: Final = "answer"
"""What the prompts ask for."""
_LONG_REMARK: Final = 14
_COMMA: Final = Word(",", ",", 0, 0, 0)


@dataclass(frozen=True)
class Found(Generic[T]):
    """What a structure says.

    Attributes
    ----------
    content : its answer
    value : the node that holds it, where that is one value behind a key
    denied : whether its keys deny it
    whole : whether a key says that it is an answer
    """

    content: AnswerContent[T]
    value: Node | None = None
    denied: bool = False
    whole: bool = False


def read_structure(node: Node, grammar: Grammar[T]) -> Found[T] | None:
    """What an object or a list in a text says; None where it is no answer."""
    if isinstance(grammar, RecordGrammar):
        return _record(node, grammar)
    if node.kind is NodeKind.LIST:
        members = [one for one in node.members if one.kind in (NodeKind.OBJECT, NodeKind.LIST)]
        if len(members) == len(node.members) and node.members and all(one.kind is NodeKind.OBJECT for one in members):
            found = [one for one in (read_structure(member, grammar) for member in members) if one is not None]
            kept = [one for one in found if one.whole]
            if kept:
                return _several(kept, grammar)
        content = _list(node, grammar)
        return Found(content) if content.items else None
    keyed = _object(node, grammar, whole=True)
    if keyed is not None:
        return keyed
    keys = node.keys or ("",) * len(node.members)
    inner = [
        member
        for key, member in zip(keys, node.members, strict=True)
        if member.kind in (NodeKind.OBJECT, NodeKind.LIST) and role_of(key) not in (KeyRole.ASIDE, KeyRole.DENIED)
    ]
    nested = [one for one in (read_structure(member, grammar) for member in inner) if one is not None]
    nested = [one for one in nested if one.whole] or nested
    return _several(nested, grammar) if nested else None


def _record(node: Node, grammar: RecordGrammar[T]) -> Found[T] | None:
    """What an object says whose keys are those of an answer, or one that holds such an object."""
    content = grammar.record(node)
    if content is not None:
        others = {key: one for key, one in zip(node.keys, node.members, strict=True) if not grammar.knows(key)}
        return Found(content, node, _denied_by(others), True)
    keys = node.keys or ("",) * len(node.members)
    inner = [
        _record(member, grammar)
        for key, member in zip(keys, node.members, strict=True)
        if member.members and role_of(key) not in (KeyRole.ASIDE, KeyRole.DENIED)
    ]
    nested = [one for one in inner if one is not None]
    if not nested:
        return None
    said = _several(nested, grammar)
    return replace(said, denied=said.denied or _denied_by(dict(zip(keys, node.members, strict=True))))


def _by_role(members: dict[str, Node]) -> dict[KeyRole, list[tuple[str, Node]]]:
    roles: dict[KeyRole, list[tuple[str, Node]]] = {}
    for key, member in members.items():
        roles.setdefault(role_of(key), []).append((key, member))
    return roles


def _denied_by(members: dict[str, Node]) -> bool:
    return _invalid(_by_role(members), members)


def _several(found: Sequence[Found[T]], grammar: Grammar[T]) -> Found[T]:
    kept = [one for one in found if not one.denied] or list(found)
    if len(kept) == 1:
        return kept[0]
    return Found(agreed([one.content for one in kept], grammar), kept[-1].value, whole=True)


def read_node(node: Node, grammar: Grammar[T]) -> AnswerContent[T]:
    """What a value says."""
    if node.kind is NodeKind.TEXT:
        return content_of(words_of(node.content), grammar, node.content.text)
    if node.kind is NodeKind.SCALAR:
        if node.content.text in NULLS:
            return nothing(NoAnswer.EMPTY)
        return content_of(words_of(node.content), grammar, node.content.text)
    if not node.members:
        return nothing(NoAnswer.EMPTY)
    if node.kind is NodeKind.LIST:
        return _list(node, grammar)
    found = _object(node, grammar, whole=False)
    if found is not None and not found.denied:
        return found.content
    return content_of(_all_words(node), grammar) if found is None else nothing(NoAnswer.UNREADABLE)


def _list(node: Node, grammar: Grammar[T]) -> AnswerContent[T]:
    members = node.members
    if len(members) == 1:
        return read_node(members[0], grammar)
    if all(one.kind in (NodeKind.TEXT, NodeKind.SCALAR) for one in members):
        parts = [read_node(one, grammar) for one in members]
        if any(one.why is not None and one.why is not NoAnswer.EMPTY for one in parts):
            return content_of(_all_words(node), grammar, ", ".join(one.content.text for one in members))
    else:
        parts = [
            content_of(_all_words(one, apart=False), grammar)
            if one.kind is NodeKind.LIST
            and all(inner.kind in (NodeKind.TEXT, NodeKind.SCALAR) for inner in one.members)
            else read_node(one, grammar)
            for one in members
        ]
    told = [place for place, one in enumerate(parts) if one.why is not NoAnswer.EMPTY]
    if not told:
        return nothing(NoAnswer.EMPTY)
    parts = parts[told[0] : told[-1] + 1]
    if len(parts) > len(told):
        return nothing(NoAnswer.UNREADABLE)  # a gap between two items
    long = [one for one in parts if len(set(one.spans)) > 1]
    if len(long) > 1 and not grammar.sets:
        return nothing(NoAnswer.AMBIGUOUS)
    made = joined(parts)
    expected = grammar.checked(made.items) if made.items else ""
    return nothing(NoAnswer.UNREADABLE) if expected else made


def _all_words(node: Node, *, apart: bool = True) -> list[Word]:
    """The words of all texts within, with commas between them."""
    if node.kind in (NodeKind.TEXT, NodeKind.SCALAR):
        return words_of(node.content)
    words: list[Word] = []
    for place, member in enumerate(node.members):
        if place and apart:
            before = words[-1].end if words else member.start
            words.append(_COMMA._replace(start=before, end=before))
        if node.keys and len(node.keys[place]) == 1:
            words += [
                word._replace(start=member.start - 1, end=member.start - 1)
                for word in words_of(Passage(node.keys[place]))
            ]
        words += _all_words(member, apart=apart)
    return words


def _object(node: Node, grammar: Grammar[T], *, whole: bool) -> Found[T] | None:
    """What an object says by its keys; None where they say nothing of it.

    ``whole`` is an object that may be a remark; otherwise it stands where an answer is expected, and a key that is
    not known makes it unreadable.
    """
    last = dict(zip(node.keys, node.members, strict=True))  # of equal keys the last counts
    roles = _by_role(last)
    denied = _invalid(roles, last)
    answers = roles.get(KeyRole.ANSWER, [])
    told = [one for one in answers if one[1].kind is not NodeKind.SCALAR]
    answers = told or answers  # "num_moves": 3 is none
    if any(grammar.about_others(words_of_key(key)) for key, _ in answers):
        return Found(nothing(NoAnswer.UNREADABLE), whole=True)
    again = [one for one in roles.get(KeyRole.OPTION, []) if role_of(one[0].rstrip("0123456789_- ")) is KeyRole.ANSWER]
    if not answers:
        # "correct" beside "wrong".
        answers = [
            one
            for one in roles.get(KeyRole.VALID, [])
            if one[1].kind is not NodeKind.SCALAR and read_node(one[1], grammar).items
        ]
    move = _as_move(roles, grammar)
    if move is not None and not answers:
        return Found(move, denied=denied)
    if answers:
        exact = [one for one in answers if one[0] == KEY] or answers
        contents = [read_node(member, grammar) for _, member in (*exact, *again)]
        if exact is not answers or grammar.options:
            # "answer" beside "final" or "correction": one of them, if they say the same.
            said = answers + (roles.get(KeyRole.OPTION, []) if grammar.options else [])
            beside = [read_node(member, grammar) for key, member in said if key != KEY and not _is_second(key)]
            contents += [one for one in beside if one.items]
        solid = [one for one in contents if one.why is not NoAnswer.EMPTY] or contents
        return Found(agreed(solid, grammar), exact[-1][1], denied, True)
    said = [one for role in (KeyRole.VALID, KeyRole.UNKNOWN) for one in roles.get(role, [])]
    if (
        KeyRole.STEP in roles
        and not said
        and KeyRole.OPTION not in roles
        and len(roles[KeyRole.STEP]) == len(last) - len(roles.get(KeyRole.ASIDE, []))
    ):
        content = joined([read_node(member, grammar) for _, member in roles[KeyRole.STEP]])
        return Found(content, denied=denied) if content.items or not whole else None
    if KeyRole.LABEL in roles and len(roles[KeyRole.LABEL]) == len(last):
        content = content_of(_all_words(node), grammar)
        return Found(content) if content.items or not whole else None
    if KeyRole.OPTION in roles:
        contents = [read_node(member, grammar) for _, member in roles[KeyRole.OPTION]]
        key, member = roles[KeyRole.OPTION][0]
        if grammar.options and len(contents) == 1 and contents[0].items and "alternat" not in key.lower():
            return Found(contents[0], member, denied, True)  # "choice": "C"
        if any(one.items or one.why is NoAnswer.AMBIGUOUS for one in contents):
            return Found(nothing(NoAnswer.AMBIGUOUS), whole=True)
    if not whole:
        return Found(nothing(NoAnswer.UNREADABLE), denied=KeyRole.DENIED in roles)
    if KeyRole.DENIED in roles:
        for _, member in roles[KeyRole.DENIED]:
            content = read_node(member, grammar)
            if content.items:
                return Found(content, member, True, True)
    return None


def _is_second(key: str) -> bool:
    """Whether a key names what would be the answer if another one were not: "second_best", "first guess"."""
    return any(word.means & (m.ORDINAL | m.HEDGE) for word in words_of_key(key))


def _invalid(roles: dict[KeyRole, list[tuple[str, Node]]], members: dict[str, Node]) -> bool:
    """Whether an object says of itself that it is no answer: "valid": false, "status": "rejected", "rejected": true."""
    for key, member in roles.get(KeyRole.ANSWER, []):
        if key.lower().startswith("is") and member.content.text.lower() in _NEGATIVE:
            return True  # "is_answer": false
    for _, member in roles.get(KeyRole.VALID, []):
        if member.kind is NodeKind.SCALAR and member.content.text in _FALSE:
            return True
        if member.kind is NodeKind.TEXT and (
            denies(words_of(member.content)) or member.content.text.lower() in ("no", "false")
        ):
            return True
    for _, member in roles.get(KeyRole.DENIED, []):
        if member.content.text in _TRUE or member.content.text.lower() in ("yes", "true"):
            return True
    for key, member in members.items():
        if (
            key.lower() in ("status", "verdict", "result", "state", "outcome", "validity", "note", "comment", "remark")
            and member.kind is NodeKind.TEXT
        ):
            words = words_of(member.content)
            if len(words) <= _LONG_REMARK and denies(words):
                return True
    return False


def _as_move(roles: dict[KeyRole, list[tuple[str, Node]]], grammar: Grammar[T]) -> AnswerContent[T] | None:
    """{"vehicle": "A", "direction": "forward"}: what is moved, and which way."""
    if KeyRole.WAY not in roles or any(role in roles for role in (KeyRole.LABEL, KeyRole.OPTION, KeyRole.DENIED)):
        return None
    if not all(_beside(member, grammar) for _, member in roles.get(KeyRole.UNKNOWN, [])):
        return None
    words: list[Word] = []
    for role in (KeyRole.THING, KeyRole.WAY):
        for key, member in roles.get(role, []):
            if member.kind not in (NodeKind.TEXT, NodeKind.SCALAR):
                continue  # a place
            if role is KeyRole.THING and "tile" in key.lower():
                return nothing(NoAnswer.UNREADABLE)
            words += words_of(member.content)
    times = [member.content.text for _, member in roles.get(KeyRole.TIMES, [])]
    content = content_of(words, grammar)
    if any(one != "1" for one in times):
        return nothing(NoAnswer.UNREADABLE)
    return content


def _beside(member: Node, grammar: Grammar[T]) -> bool:
    """Whether what stands under a key that is not known, in a move, can't change the move."""
    if member.members:
        return all(_beside(inner, grammar) for inner in member.members)
    words = words_of(member.content)
    return not grammar.mentions(words) and harmless(words, grammar)
