"""Plans with what words make of them: plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from grader.answers.contents import AnswerContent
from grader.answers.grammar.leads import Lead
from grader.answers.grammar.plans import Grammar
from grader.answers.grammar.rows import ItemRun
from grader.answers.result import FoundAs, Span
from grader.answers.text.objects import Node
from grader.answers.text.words import Word

T = TypeVar("T")

COMMITS: Final = (Lead.COMMITS, Lead.FINAL, Lead.CORRECTS)
"""What makes an answer of a plan."""


@dataclass(frozen=True)
class Statement(Generic[T]):
    """A plan, and what was made of it.

    Attributes
    ----------
    content : what it says
    lead : what words made of it
    found_as : its form
    span : where it stands
    node : the object that holds it, and the value in it
    name : of a proposal, its name
    """

    content: AnswerContent[T]
    lead: Lead
    found_as: FoundAs
    span: Span
    node: tuple[Node, Node] | None = None
    name: tuple[str, ...] = ()

    def alike(self, other: Statement[T], grammar: Grammar[T]) -> bool:
        """Whether two say the same, or both nothing for the same reason."""
        same = self.content.why is other.content.why and self.content.same(other.content, grammar)
        return self is other or same


@dataclass(frozen=True)
class PlanPart(Generic[T]):
    """A plan within a unit.

    Attributes
    ----------
    before : the words before it
    start, stop : its words: the number of the first, and of that behind the last
    run : a row of words; None for what stands apart
    apart : an object, a table, a box; None for a row
    broken : the first word that could not be read in a row that goes on behind it
    """

    before: list[Word]
    start: int
    stop: int
    run: ItemRun[T] | None = None
    apart: Statement[T] | None = None
    broken: Word | None = None

    @property
    def single(self) -> bool:
        """Whether it is a row of one item as it is written."""
        return self.run is not None and len(set(self.run.places)) == 1


@dataclass
class Heading:
    """A line that says what follows it.

    Attributes
    ----------
    lead : what it makes of what follows
    words : its own
    lasting : whether it lasts until the next, as marked headings do
    used : whether a plan has followed it
    """

    lead: Lead
    words: list[Word]
    lasting: bool
    used: bool = False
