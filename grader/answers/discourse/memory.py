"""What has been said so far: answers that stand, plans, proposals, and the statement that is still going on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Generic, TypeVar

from grader.answers.contents import AnswerContent, nothing
from grader.answers.discourse.statements import COMMITS, Statement
from grader.answers.grammar.leads import Lead
from grader.answers.grammar.plans import Grammar, RowFault
from grader.answers.grammar.records import RecordGrammar
from grader.answers.result import FoundAs, NoAnswer, Span
from grader.answers.text.words import Word

T = TypeVar("T")

MOST_LINES: Final = 3000
"""Items that a list of lines may have; more are no plan."""
_MOST_KEPT: Final = 40
_FEW_KEPT: Final = 20
_ONLY_SPOKEN_OF: Final = (Lead.UNKNOWN, Lead.ASIDE, Lead.QUOTES, Lead.DENIES)
_NONE: Final = (NoAnswer.EMPTY, NoAnswer.REFUSED)


class Memory(Generic[T]):
    """What has been said so far.

    Attributes
    ----------
    grammar : of the task
    answers : commitments that stand
    rows : plans that were written down without a word on what they are
    proposals : plans that may be chosen
    seen : every statement, in the order of the text
    taken_back : whether anything was
    opened : the statement that the next line may go on with; None where there is none
    lines : how many items were written in each of its lines
    marked : whether its last line was marked as one of a list
    """

    def __init__(self, grammar: Grammar[T]) -> None:
        self.grammar = grammar
        self.answers: list[Statement[T]] = []
        self.rows: list[Statement[T]] = []
        self.proposals: list[Statement[T]] = []
        self.seen: list[Statement[T]] = []
        self.taken_back = False
        self.opened: Statement[T] | None = None
        self.lines: list[int] = []
        self._shortest = 0
        self.marked = False
        self._closed: Statement[T] | None = None

    # --- the statement that goes on ---

    def open(self, statement: Statement[T], *, marked: bool) -> None:
        """Lets the next lines go on with a statement."""
        self.opened, self.marked = statement, marked
        self.lines = [len(set(statement.content.spans)) or 1]
        self._shortest = self.lines[0]

    @property
    def listing(self) -> bool:
        """Whether entries of a list that is meant are being told."""
        return self.opened is not None and self.marked and self.opened.lead is not Lead.DENIES

    def close(self) -> None:
        """What was open ends here."""
        self._closed = self.opened or self._closed
        self.opened, self.lines, self.marked = None, [], False

    def resume(self) -> bool:
        """Opens again what was closed last, if nothing was answered since; False where it can't be."""
        last = self._closed
        if self.opened is not None or last is None:
            return False
        held = self.answers or self.rows
        if not held or held[-1] is not last:
            return False
        self.open(last, marked=True)
        return True

    def extend(self, statement: Statement[T], *, marked: bool) -> None:
        """Goes on with the statement that is open."""
        opened = self.opened
        if opened is None:
            raise ValueError("nothing is open that could go on")
        self.lines.append(len(set(statement.content.spans)))
        self._shortest = min(self._shortest, self.lines[-1])
        self.marked = marked
        content = self._longer(opened.content, statement)
        self._renew(replace(opened, content=content, span=Span(opened.span.start, statement.span.end)))

    def _longer(self, content: AnswerContent[T], more: Statement[T]) -> AnswerContent[T]:
        if content.why is not None:
            return content
        if more.content.why is not None:
            return more.content
        if self._shortest > 1 and not self.grammar.sets:
            return nothing(NoAnswer.AMBIGUOUS)  # each line could be a plan
        items = content.items + more.content.items
        expected = self.grammar.checked(items) or (self.grammar.expected if len(items) > MOST_LINES else "")
        if expected:
            return nothing(NoAnswer.UNREADABLE, RowFault(more.span.start, more.span.end, expected, begun=1))
        return AnswerContent(items, content.spans + more.content.spans)

    def spoil(self, words: Sequence[Word]) -> None:
        """What is open can't be read as a whole, for these words belong to it."""
        if self.opened is not None:
            fault = RowFault(words[0].start, words[-1].end, self.grammar.expected, begun=1)
            self._renew(replace(self.opened, content=nothing(NoAnswer.UNREADABLE, fault)))

    def _renew(self, statement: Statement[T]) -> None:
        for kept in (self.answers, self.rows, self.seen):
            for place in range(len(kept) - 1, -1, -1):
                if kept[place] is self.opened:
                    kept[place] = statement
                    break
        self.opened = statement

    # --- what is held ---

    def note(self, statement: Statement[T]) -> None:
        """A plan was spoken of; the words behind it may be about it."""
        self.seen.append(statement)

    def keep(self, statement: Statement[T]) -> None:
        """Holds a statement by what it is."""
        self.note(statement)
        self.close()
        if statement.lead in COMMITS:
            self.commit(statement)
        elif statement.lead is Lead.NOTHING:
            self.rows.append(statement)
        elif statement.lead is Lead.PROPOSES:
            if len(self.proposals) >= _MOST_KEPT:
                del self.proposals[1:-_FEW_KEPT]
            self.proposals.append(statement)

    def commit(self, statement: Statement[T]) -> None:
        """An answer is given, maybe in place of others."""
        self.close()
        content, kept = statement.content, self.answers
        whole = any(one.content.items for one in kept)
        if content.foreign and whole:
            return
        if isinstance(self.grammar, RecordGrammar):
            whole_ones = [one for one in kept if one.content.items]
            if whole and not content.items and statement.found_as is not FoundAs.NONE:
                self._check_part(statement, whole_ones[-1])
                return  # an object that says no answer, behind one that does
            full = [one for one in whole_ones if self._is_full(one)]
            if statement.lead is Lead.COMMITS and full and not self._is_full(statement):
                self._check_part(statement, full[-1])
                return  # a part of it, behind one with all keys
            kept = [] if content.items else kept
        if statement.lead is Lead.CORRECTS or content.why in _NONE:
            kept, self.rows = [], []
        elif statement.lead is Lead.FINAL:
            kept = [one for one in kept if one.lead is not Lead.COMMITS]
        kept = [one for one in kept if one.content.why not in _NONE]
        if content.items:
            # An object that was broken off, and written again; and sentences that were none, before an object or a box.
            kinds = (FoundAs.NONE,) if statement.found_as is FoundAs.PROSE else (FoundAs.NONE, FoundAs.PROSE)
            kept = [
                one
                for one in kept
                if not one.content.foreign and (one.content.why is None or one.found_as not in kinds)
            ]
        if len(kept) > _MOST_KEPT:
            del kept[1:-_FEW_KEPT]  # so many differ, or say the same
        self.answers = [*kept, statement]
        self.proposals = []

    def _check_part(self, part: Statement[T], answer: Statement[T]) -> None:
        """An object with some of the keys behind an answer says the same under them, or nobody knows what is meant."""
        grammar, node = self.grammar, part.node
        if not isinstance(grammar, RecordGrammar) or node is None:
            return
        if grammar.differs_from(node[1], answer.content.items[0]):
            span = part.span
            self._doubt(RowFault(span.start, span.end, grammar.expected, begun=1))

    def _is_full(self, statement: Statement[T]) -> bool:
        """Whether a statement is an object with all keys of an answer."""
        items = statement.content.items
        return isinstance(self.grammar, RecordGrammar) and bool(items) and self.grammar.is_full(items[0])

    def doubt(self, words: Sequence[Word]) -> None:
        """Something is changed in what was answered, and nobody can say what it is then."""
        self._doubt(RowFault(words[0].start, words[-1].end, self.grammar.expected, begun=1))

    def _doubt(self, fault: RowFault) -> None:
        for kept in (self.answers, self.rows):
            kept[:] = [replace(one, content=nothing(NoAnswer.UNREADABLE, fault)) for one in kept]
        self.close()

    def grow(self, statement: Statement[T]) -> None:
        """An object that begins as the one directly before it, and goes on, takes its place."""
        last = self.answers[-1] if self.answers else None
        if last is None or last is not self.seen[-1] or last.node is None or statement.node is None:
            return
        size = len(last.content.items)
        if 0 < size < len(statement.content.items) and statement.content.items[:size] == last.content.items:
            self.answers.pop()

    def take_back(self, *, everything: bool) -> None:
        """Takes back what was said last; of a plan that was only spoken of, nothing is left to take back."""
        self.close()
        last = self.seen[-1] if self.seen else None
        if last is None or (not everything and last.lead in _ONLY_SPOKEN_OF):
            return
        self.taken_back = True
        if last in self.proposals:
            self.proposals.remove(last)
        held = [*self.answers, *self.rows]
        if held:
            newest = max(held, key=lambda one: one.span.end)
            self.answers = [one for one in self.answers if not one.alike(newest, self.grammar)]
            self.rows = [one for one in self.rows if not one.alike(newest, self.grammar)]

    # --- what is left ---

    def outcome(self) -> Statement[T] | None:
        """The answer, or why there is none; None where nothing looks like one."""
        answers, rows, proposals = (self._standing(kept) for kept in (self.answers, self.rows, self.proposals))
        left = answers or rows
        if any(not one.content.same(left[0].content, self.grammar) for one in proposals if left):
            left = []
        if not left:
            return replace(proposals[-1], content=nothing(NoAnswer.AMBIGUOUS)) if proposals else None
        solid = [one for one in left if one.content.why is None]
        first = (solid or left)[0]
        if all(one.alike(first, self.grammar) for one in left):
            return ([one for one in left if one.node is not None] or left)[-1]
        if solid and all(one.content.same(first.content, self.grammar) for one in solid):
            return next(one for one in reversed(left) if one.content.why is not None)
        return replace(left[-1], content=nothing(NoAnswer.AMBIGUOUS))

    def _standing(self, statements: list[Statement[T]]) -> list[Statement[T]]:
        """Those that are not denied afterwards."""
        denied = [one for one in self.seen if one.lead is Lead.DENIES and one.content.items]
        self.taken_back = self.taken_back or bool(denied)
        return [
            one
            for one in statements
            if not any(no.span.start >= one.span.start and no.content.same(one.content, self.grammar) for no in denied)
        ]
