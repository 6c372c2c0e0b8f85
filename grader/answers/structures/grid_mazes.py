"""The answer to a grid maze: an object with the eight keys that MazeBench asks for."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from grader.answers.contents import LONGEST_ANSWER, AnswerContent, nothing
from grader.answers.grammar.blank import BlankStep, BlankSteps
from grader.answers.grammar.plans import RowFault
from grader.answers.grammar.records import RecordGrammar
from grader.answers.result import NoAnswer, Span
from grader.answers.strict import StrictFault
from grader.answers.structures.maze_claims import maze_claims
from grader.answers.structures.objects import read_node
from grader.answers.text.objects import NULLS, Node, NodeKind
from grader.answers.text.words import Word

KEYS: Final = (
    "grid_size",
    "start_found",
    "goal_found",
    "reachable",
    "shortest_path_length",
    "path",
    "confidence",
    "image_ambiguity",
)
"""In the order of the prompt."""
CONFIDENCES: Final = ("high", "medium", "low")
AMBIGUITIES: Final = ("none", "minor", "major")

_LETTERS: Final = {BlankStep.UP: "U", BlankStep.DOWN: "D", BlankStep.LEFT: "L", BlankStep.RIGHT: "R"}
_STEPS: Final = BlankSteps()
_WAYS: Final = {
    spelt: letter
    for step, letter in _LETTERS.items()
    for spelt in (letter, letter.lower(), step.value, step.value.capitalize(), step.value.upper())
}
_ROW: Final = re.compile(r"[UDLRudlr][UDLRudlr\s,;-]*")
_TRUE: Final = frozenset({"true", "yes"})
_FALSE: Final = frozenset({"false", "no"})
_NOTHING: Final = frozenset({"", "null", "none", "n/a", "na", "nil", "-", "undefined"})
_WHOLE: Final = re.compile(r"\+?(\d{1,6})(?:\.0{1,6})?")
_SIZE: Final = re.compile(r"\D{0,8}(\d{1,4})\s*(?:rows?)?\s*[x×*,by\s]{1,6}\s*(\d{1,4})\D{0,10}", re.IGNORECASE)
# "There is no path", "the goal can't be reached": said of the maze, and not of an answer.
_ABOUT_MAZE: Final = re.compile(
    r"\b(?:no|any|without|single|valid|legal|open|possible)\s(?:\w+\s){0,3}?(?:path|route|way|connection|solution)s?\b"
    r"|\b(?:image[ _]ambiguity|ambiguity|confidence|grid[ _]size|start[ _]found|goal[ _]found)\b"
    r"|\b(?:shorter|longer|better|other|another|alternative)\s(?:\w+\s)?(?:path|route|way)s?\b"
    r"|\b(?:un)?(?:reach|solv|connect|access|travers|travel|walk|pass)\w*\b|\b(?:block|isolat|enclos|surround|seal|impass)\w*"
    r"|\bdiagonal(?:ly)?\b"
    r"|\b(?:walls?|traps?|tiles?|cells?|rows?|columns?|grid|maze)\b"
)
_ABOUT_ANSWER: Final = re.compile(
    r"\b(?:answers?|json|objects?|responses?|outputs?|repl(?:y|ies)|results?|above|below|attempts?|drafts?"
    r"|this (?:is|was))\b"
)


@dataclass(frozen=True)
class MazeAnswer:
    """What an answer to a grid maze says; None for what it does not say.

    Attributes
    ----------
    reachable : whether the goal can be reached
    path : letters U, D, L, R; empty for none
    length : steps of a shortest path
    grid_size : rows and columns
    start_found, goal_found : whether both were seen
    confidence, image_ambiguity : in the words of the prompt
    """

    reachable: bool
    path: str
    length: int | None
    grid_size: tuple[int, int] | None = None
    start_found: bool | None = None
    goal_found: bool | None = None
    confidence: str | None = None
    image_ambiguity: str | None = None

    @property
    def contradicts_itself(self) -> bool:
        """Whether no maze can be as it says: a path of another length, or one to a goal that can't be reached."""
        if not self.reachable:
            return bool(self.path) or self.length is not None
        return self.length != len(self.path)


class MazeAnswers(RecordGrammar[MazeAnswer]):
    """The grammar of answers to a grid maze."""

    expected = "an object with the keys reachable and path"
    keys: ClassVar[frozenset[str]] = frozenset(KEYS)
    telling: ClassVar[frozenset[str]] = frozenset({"reachable", "path", "shortest_path_length"})

    def is_full(self, item: MazeAnswer) -> bool:
        """Whether all eight keys have a value that can be read."""
        rest = (item.grid_size, item.start_found, item.goal_found, item.confidence, item.image_ambiguity)
        return all(one is not None for one in rest)

    def is_about_puzzle(self, words: Sequence[Word]) -> bool:
        """Whether words speak of the maze and of no answer."""
        said = " ".join(word.lower for word in words)
        return _ABOUT_MAZE.search(said) is not None and _ABOUT_ANSWER.search(said) is None

    def contradicts(self, words: Sequence[Word], item: MazeAnswer) -> bool:
        """Whether a sentence says something else of the maze, or finds a fault in the path."""
        said = maze_claims(" ".join(word.text for word in words))
        if said.faulty or said.reachable not in (None, item.reachable):
            return True
        return said.length not in (None, item.length) or said.path not in (None, item.path)

    def differs(self, members: dict[str, Node], item: MazeAnswer) -> bool:
        """Whether reachability, length or path are others; what can't be read says nothing."""
        path = _path(members.get("path"))
        length, readable = _number(members.get("shortest_path_length"))
        reachable = _flag(members.get("reachable"))
        return (
            ("path" in members and path is not None and path[0] != item.path)
            or reachable not in (None, item.reachable)
            or ("shortest_path_length" in members and readable and length != item.length)
        )

    def content_of_record(self, members: dict[str, Node], node: Node) -> AnswerContent[MazeAnswer]:
        """What an object says; unreadable as a whole where reachability, length or path are."""
        path = _path(members.get("path"))
        if path is None:
            return _unread(members["path"], "a path of the letters U, D, L, R")
        letters, spans = path
        reachable = _flag(members.get("reachable"))
        if reachable is None and "reachable" in members:
            return _unread(members["reachable"], "true or false")
        if reachable is None:
            reachable = bool(letters)
            if not letters:
                return _unread(node, "the key reachable")
        if reachable and "path" not in members:
            return _unread(node, "the key path")
        length, readable = _number(members.get("shortest_path_length"))
        if not readable:
            return _unread(members["shortest_path_length"], "a whole number or null")
        if reachable and length is None:
            length = len(letters)
        answer = MazeAnswer(
            reachable,
            letters,
            length if reachable or length else None,  # 0 steps to what can't be reached are none
            _size(members.get("grid_size")),
            _flag(members.get("start_found")),
            _flag(members.get("goal_found")),
            _choice(members.get("confidence"), CONFIDENCES),
            _choice(members.get("image_ambiguity"), AMBIGUITIES),
        )
        return AnswerContent((answer,), spans or (Span(node.start, node.end),))


def _unread(node: Node, expected: str) -> AnswerContent[MazeAnswer]:
    return nothing(NoAnswer.UNREADABLE, RowFault(node.start, node.end, expected, begun=1))


def _path(node: Node | None) -> tuple[str, tuple[Span, ...]] | None:
    """The letters of a path with their places; none where there is no path, None where it can't be read."""
    if node is None or _is_null(node) or (node.kind is NodeKind.LIST and not node.members):
        return "", ()
    members = node.members if node.kind is NodeKind.LIST else (node,)
    if node.kind is NodeKind.OBJECT or node.end - node.start > LONGEST_ANSWER:
        return None
    letters: list[str] = []
    spans: list[Span] = []
    for one in members:
        if one.kind is not NodeKind.TEXT:
            return None
        said = one.content.text.strip()
        if said in _WAYS:
            letters.append(_WAYS[said])
            spans.append(Span(one.start, one.end))
        elif _ROW.fullmatch(said):
            for place, sign in enumerate(one.content.text):
                if sign in _WAYS:
                    letters.append(_WAYS[sign])
                    spans.append(one.content.span(place, place + 1))
        else:
            read = read_node(one, _STEPS)
            if not read.items:
                return None
            letters += [_LETTERS[step] for step in read.items]
            spans += read.spans
    return "".join(letters), tuple(spans)


def _is_null(node: Node) -> bool:
    if node.kind is NodeKind.SCALAR:
        return node.content.text in NULLS
    return node.kind is NodeKind.TEXT and node.content.text.strip().lower() in _NOTHING


def _said(node: Node | None) -> str:
    """A text or a scalar in lower case; empty for all else."""
    return "" if node is None or node.members else node.content.text.strip().lower()


def _flag(node: Node | None) -> bool | None:
    said = _said(node)
    return True if said in _TRUE else False if said in _FALSE else None


def _number(node: Node | None) -> tuple[int | None, bool]:
    """A whole number, None where none is said; and whether it can be read. -1 stands for none."""
    if node is None or _is_null(node):
        return None, True
    said = _said(node)
    found = _WHOLE.fullmatch(said)
    return (int(found[1]), True) if found else (None, said == "-1")


def _size(node: Node | None) -> tuple[int, int] | None:
    """Rows and columns; None where they are not said or can't be read."""
    if node is None:
        return None
    if node.kind is NodeKind.TEXT:
        found = _SIZE.fullmatch(node.content.text)
        return None if found is None else (int(found[1]), int(found[2]))
    members: Mapping[str, Node] = dict(zip(node.keys, node.members, strict=False))
    two = [members.get(key) for key in ("rows", "cols")] if "cols" in members else list(node.members)
    numbers = [_number(one)[0] for one in two]
    if len(numbers) != 2 or numbers[0] is None or numbers[1] is None:
        return None
    return numbers[0], numbers[1]


def _choice(node: Node | None, choices: Sequence[str]) -> str | None:
    said = _said(node)
    return said if said in choices else None


# --- to the letter ---


def strict_maze(pairs: Sequence[tuple[str, object]]) -> MazeAnswer | StrictFault:
    """An answer as the prompt asks for it: eight keys, their types, and what they say of each other."""
    given = dict(pairs)
    if len(given) != len(pairs) or set(given) != set(KEYS):
        lacking = [key for key in KEYS if key not in given]
        more = [key for key in given if key not in KEYS]
        said = f"without {', '.join(lacking)}" if lacking else f"with {', '.join(more)}" if more else "with keys twice"
        return StrictFault(0, said, "the eight keys of the prompt, each once")
    size, length, path = given["grid_size"], given["shortest_path_length"], given["path"]
    sides = size if isinstance(size, list) else []
    flags = [given[key] for key in ("start_found", "goal_found", "reachable")]
    start, goal, reachable = (flag is True for flag in flags)
    if len(sides) != 2 or not all(_is_whole(side, 1) for side in sides):
        return _wrong("grid_size", "two whole numbers, rows and columns")
    if not all(isinstance(flag, bool) for flag in flags):
        return _wrong("start_found, goal_found and reachable", "true or false")
    if length is not None and not _is_whole(length, 0):
        return _wrong("shortest_path_length", "a whole number or null")
    if not isinstance(path, list) or not all(isinstance(step, str) and step in _LETTERS.values() for step in path):
        return _wrong("path", "a list of the letters U, D, L, R")
    for key, choices in (("confidence", CONFIDENCES), ("image_ambiguity", AMBIGUITIES)):
        if given[key] not in choices:
            return _wrong(key, f"one of {', '.join(choices)}")
    if (length is not None or path) and not reachable:
        return _wrong("path", "null and an empty path where the goal can't be reached")
    if reachable and length != len(path):
        return _wrong("shortest_path_length", "the number of steps in the path")
    if not (start and goal) and given["confidence"] != "low":
        return _wrong("confidence", "low where start or goal was not found")
    return MazeAnswer(
        reachable,
        "".join(path),
        len(path) if reachable else None,
        (int(str(sides[0])), int(str(sides[1]))),
        start,
        goal,
        str(given["confidence"]),
        str(given["image_ambiguity"]),
    )


def _is_whole(value: object, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def _wrong(key: str, expected: str) -> StrictFault:
    return StrictFault(0, key, expected)
