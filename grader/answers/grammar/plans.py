"""What is made of words: a plan of items with their places, or what could not be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from grader.answers.text.words import Word

T = TypeVar("T")


@dataclass(frozen=True)
class Plan(Generic[T]):
    """What words say.

    Attributes
    ----------
    items : moves, steps, turns or labels, in their order, at least one
    places : where each stands, in characters of what a model wrote: start and end
    lead : the words before the first
    row : of the items, how many were written on one line or in one entry; empty where nothing parts them
    """

    items: tuple[T, ...]
    places: tuple[tuple[int, int], ...]
    lead: tuple[Word, ...] = ()
    rows: tuple[int, ...] = ()


@dataclass(frozen=True)
class RowFault:
    """What could not be read.

    Attributes
    ----------
    start, end : where it stands, in characters of what a model wrote
    expected : what would have been read there
    open : whether the words leave open which of several plans is meant
    begun : how many items were read before it
    """

    start: int
    end: int
    expected: str
    open: bool = False
    begun: int = 0


class Grammar(Protocol[T]):
    """What the words of one task look like."""

    @property
    def expected(self) -> str:
        """What an item looks like, for messages."""

    @property
    def units(self) -> frozenset[str]:
        """Words behind a number that count how often an item is meant."""

    @property
    def options(self) -> bool:
        """Whether "option" and "choice" name what is asked for, and no alternatives."""

    @property
    def sets(self) -> bool:
        """Whether the order of the items, and how often they come, says nothing."""

    def hinted(self, words: list[Word]) -> bool:
        """Whether there may be an item among the words; false where there is surely none."""

    def prepared(self, words: list[Word]) -> list[Word]:
        """The words with what only all of them together tell, such as whether an arrow is a step."""

    def item_at(self, words: list[Word], at: int) -> tuple[T, int] | None:
        """The item that begins at a word, and the number of the word behind it; None if none does."""

    def several_at(self, words: list[Word], at: int, begun: int) -> tuple[tuple[T, ...], int] | None:
        """Items that are written as one word, such as AFCBRF."""

    def skips(self, words: list[Word], at: int) -> int:
        """How many words at a place say nothing in this task, beside those that say nothing in any."""

    def names(self, words: list[Word], at: int) -> bool:
        """Whether a word names a thing that can be moved."""

    def mentions(self, words: list[Word]) -> bool:
        """Whether the words speak of where something goes, readable or not."""

    def checked(self, items: tuple[T, ...]) -> str:
        """What is expected where the items do not go together; "" where they do."""

    def about_others(self, words: Sequence[Word]) -> bool:
        """Whether words say that other things are moved than the task means, as tiles in place of the blank."""
