"""Answers that are an object with keys of its own, of which words around it say only whether it is meant."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Generic, TypeVar

from grader.answers.contents import AnswerContent
from grader.answers.lexicon import meanings as m
from grader.answers.text.objects import Node, NodeKind
from grader.answers.text.words import Word

T = TypeVar("T")

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|[\s-]+")


def plain_key(key: str) -> str:
    """A key as it is compared: ``gridSize`` and ``Grid size`` are ``grid_size``."""
    return _CAMEL.sub("_", key.strip()).lower()


class RecordGrammar(ABC, Generic[T]):
    """The grammar of a task whose answer is one object; a later whole one takes the place of an earlier one.

    No item stands in words. What is only about the puzzle, and would elsewhere be about the answer, says nothing here.
    """

    expected: str = "an object with the keys that the prompt asks for"
    units: frozenset[str] = frozenset()
    options: bool = False
    sets: bool = False
    keys: ClassVar[frozenset[str]] = frozenset()
    """The keys of an answer, as `plain_key` has them."""
    telling: ClassVar[frozenset[str]] = frozenset()
    """Those of them of which an object has at least one if it is meant as an answer."""

    def knows(self, key: str) -> bool:
        """Whether a key is one of an answer's."""
        return plain_key(key) in self.keys

    def tells(self, keys: Sequence[str]) -> bool:
        """Whether keys are those of an answer, or of one that is broken off."""
        return any(plain_key(key) in self.telling for key in keys)

    @abstractmethod
    def content_of_record(self, members: dict[str, Node], node: Node) -> AnswerContent[T]:
        """What an object says, by its plain keys."""

    @abstractmethod
    def is_full(self, item: T) -> bool:
        """Whether an answer says all that the prompt asks for; one that does not takes no such answer's place."""

    @abstractmethod
    def is_about_puzzle(self, words: Sequence[Word]) -> bool:
        """Whether words that deny something say it of the puzzle, as "there is no path"."""

    @abstractmethod
    def contradicts(self, words: Sequence[Word], item: T) -> bool:
        """Whether words behind an answer say something else than it does."""

    @abstractmethod
    def differs(self, members: dict[str, Node], item: T) -> bool:
        """Whether an object with some of the keys says something else under them than an answer does."""

    def differs_from(self, node: Node, item: T) -> bool:
        """The same of a node."""
        return node.kind is NodeKind.OBJECT and self.differs(
            {plain_key(key): one for key, one in self._pairs(node)}, item
        )

    def record(self, node: Node) -> AnswerContent[T] | None:
        """What a node says; None where it is no answer."""
        if node.kind is not NodeKind.OBJECT or not self.tells(node.keys):
            return None
        return self.content_of_record({plain_key(key): one for key, one in self._pairs(node)}, node)

    @staticmethod
    def _pairs(node: Node) -> list[tuple[str, Node]]:
        return list(zip(node.keys, node.members, strict=True))

    def prepared(self, words: list[Word]) -> list[Word]:
        """Words without what they would mean in a list of moves."""
        lost = m.AMENDS | m.MOVES | m.STEP | m.WAY | m.THING
        if self.is_about_puzzle(words):
            lost |= m.NOT | m.NO | m.BAD | m.TRIED
        return [word._replace(means=word.means & ~lost) if word.means & lost else word for word in words]

    def hinted(self, words: list[Word]) -> bool:  # noqa: ARG002 - as every grammar has it
        """Never: an answer is an object."""
        return False

    def item_at(self, words: list[Word], at: int) -> tuple[T, int] | None:  # noqa: ARG002
        """None."""
        return None

    def several_at(self, words: list[Word], at: int, begun: int) -> tuple[tuple[T, ...], int] | None:  # noqa: ARG002
        """None."""
        return None

    def skips(self, words: list[Word], at: int) -> int:  # noqa: ARG002
        """No words."""
        return 0

    def names(self, words: list[Word], at: int) -> bool:  # noqa: ARG002
        """Nothing can be moved."""
        return False

    def mentions(self, words: list[Word]) -> bool:  # noqa: ARG002
        """Words alone say nothing of an answer."""
        return False

    def checked(self, items: tuple[T, ...]) -> str:  # noqa: ARG002
        """One object."""
        return ""

    def about_others(self, words: Sequence[Word]) -> bool:  # noqa: ARG002
        """Never."""
        return False
