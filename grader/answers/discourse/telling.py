"""From a text to its answer: the last commitment that was not taken back.

A text is a row of statements. Each has a plan, and what words around it make of it: an answer, a proposal, a denial, a
try, a quotation. Sentences between them take back, choose, or say nothing. Two answers that differ, or proposals
without a choice, are no answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Generic, TypeVar

from grader.answers.contents import AnswerContent, nothing
from grader.answers.discourse.apart import set_apart
from grader.answers.discourse.lists import breaks, entry_number, of_one_move
from grader.answers.discourse.memory import Memory
from grader.answers.discourse.parts import (
    fault_of,
    leaves_open,
    merged,
    only_a_word,
    parts_of,
)
from grader.answers.discourse.records import about_puzzle, contradicted
from grader.answers.discourse.statements import COMMITS, Heading, PlanPart, Statement
from grader.answers.discourse.talk import (
    announces,
    asks,
    chosen,
    name_of,
    names_the_answer,
    plain_words,
    refutes,
    refutes_besides,
    supposes,
    takes_back,
)
from grader.answers.discourse.units import TextUnit, units_of
from grader.answers.grammar.leads import Lead, lead_of
from grader.answers.grammar.plans import Grammar, RowFault
from grader.answers.grammar.values import several_plans
from grader.answers.grammar.words import denies
from grader.answers.lexicon import meanings as m
from grader.answers.result import FoundAs, NoAnswer, Span
from grader.answers.text.blocks import Parted
from grader.answers.text.words import Word

T = TypeVar("T")

_TELLING: Final = m.TAKES_BACK | m.BAD | m.NOT | m.NO | m.CHANGES | m.CHOOSES | m.FINAL | m.ANSWER
_CONTINUES: Final = m.THEN | m.ORDINAL | m.AND


class Discourse(Generic[T]):
    """Reads a text sentence by sentence; ``memory`` has what is left."""

    def __init__(self, grammar: Grammar[T]) -> None:
        self.memory: Memory[T] = Memory(grammar)
        self._grammar = grammar
        self._heading: Heading | None = None
        self._turned = False
        self._number: int | None = None
        self._questioned: list[Word] | None = None

    def read(self, parted: Parted) -> None:
        """Reads a text."""
        apart, words = set_apart(parted, self._grammar)
        for unit in units_of(words):
            self._unit(unit, apart)

    def _unit(self, unit: TextUnit, apart: dict[int, Statement[T]]) -> None:
        left = unit.begins_line and self.memory.marked and not unit.marked
        if unit.gap or left:
            self._end_of_heading()
        words = self._grammar.prepared(unit.words)
        parts = parts_of(words, apart, self._grammar)
        if not parts or (len(parts) == 1 and only_a_word(words, parts[0])):
            self._talk(unit, words)
        elif len(parts) > 1 and leaves_open(parts) and self._alternatives(parts):
            return
        else:
            self._plans(unit, words, merged(words, parts, self._grammar))

    def _end_of_heading(self) -> None:
        """What a heading announced has been said."""
        if self._heading is not None and self._heading.used and not self._heading.lasting:
            self._heading = None

    # --- sentences without a plan ---

    def _talk(self, unit: TextUnit, words: list[Word]) -> None:
        memory = self.memory
        said = plain_words(words)
        questioned, self._questioned = self._questioned, words if asks(words) else None
        if (
            questioned is not None
            and sum(word.text[0].isalnum() for word in said) == 1
            and about_puzzle(questioned, self._grammar)
        ):
            return  # "Is there a shorter path? No."
        if said and contradicted(unit.words, memory) and not (takes_back(words) or refutes(words)):
            memory.doubt(unit.words)
            return
        if not said or self._announced(unit, words, said) or self._chosen(words):
            return
        self._turned = self._turned or bool(unit.means & m.TURNS)
        if unit.means & m.TAKES_BACK and takes_back(words):
            memory.take_back(everything=True)
        elif unit.means & (m.BAD | m.NOT | m.NO) and refutes(words):
            if memory.listing and unit.marked:
                memory.spoil(words)  # of one entry, or of all: nobody knows what is left
            else:
                memory.take_back(everything=names_the_answer(words))
        elif unit.means & m.AMENDS and not asks(words) and not denies(words):
            memory.doubt(words)
            return
        elif self._goes_on_unread(unit, words):
            memory.spoil(words)
            return
        elif breaks(unit, words, self._grammar, opened=memory.opened is not None) and self._spoilt(words):
            return
        if not unit.marked:
            memory.close()
        self._end_of_heading()

    def _goes_on_unread(self, unit: TextUnit, words: list[Word]) -> bool:
        """Whether a sentence within a plan that is being told speaks of a way, and can't be read."""
        opened = self.memory.opened
        if opened is None or unit.begins_line or unit.marked or opened.lead is Lead.DENIES:
            return False
        return bool(unit.means & m.MOVES) and self._grammar.mentions(words)

    def _announced(self, unit: TextUnit, words: list[Word], said: list[Word]) -> bool:
        """Whether a line says what follows it."""
        colon = said[-1].text == ":"
        if (unit.marked and not colon) or not (
            colon or unit.heading or unit.means & (_TELLING | m.IS | m.TRIED | m.OPTIONS)
        ):
            return False
        if not announces(words, unit.heading):
            return False
        lead = lead_of(words, self._grammar)
        if lead is Lead.NOTHING and not unit.heading and not colon:
            return False
        if lead not in (Lead.CORRECTS, Lead.DENIES) and takes_back(words):
            self.memory.take_back(everything=False)
        self._heading = Heading(lead, said, unit.heading)
        self.memory.close()
        return True

    def _chosen(self, words: list[Word]) -> bool:
        """Whether a sentence chooses among proposals, or denies one by its name."""
        memory = self.memory
        if not memory.proposals:
            return False
        picked, denied = chosen(words, [one.name for one in memory.proposals])
        if picked is not None:
            memory.commit(replace(memory.proposals[picked], lead=Lead.FINAL))
            return True
        memory.proposals = [one for number, one in enumerate(memory.proposals) if number not in denied]
        return bool(denied)

    def _spoilt(self, words: list[Word]) -> bool:
        """Makes an answer that such a line belongs to one that can't be read; False where it belongs to none."""
        memory, heading = self.memory, self._heading
        if memory.opened is not None:
            memory.spoil(words)
            return True
        if heading is None or heading.lead not in (*COMMITS, Lead.NOTHING):
            return False
        heading.used = True
        fault = RowFault(words[0].start, words[-1].end, self._grammar.expected)
        span = Span(words[0].start, words[-1].end)
        statement: Statement[T] = Statement(nothing(NoAnswer.UNREADABLE, fault), heading.lead, FoundAs.PROSE, span)
        memory.keep(statement)
        memory.open(statement, marked=True)
        return True

    # --- plans ---

    def _alternatives(self, parts: list[PlanPart[T]]) -> bool:
        """Takes plans with "or" between them as proposals."""
        memory = self.memory
        lead = self._with_heading(lead_of(parts[0].before, self._grammar), parts[0].before)
        spoken_of = lead in (Lead.DENIES, Lead.ASIDE, Lead.QUOTES)
        if spoken_of or (lead is Lead.UNKNOWN and not any(part.apart for part in parts)):
            for part in parts:
                memory.note(self._statement(part, lead))
            return True
        statements = [self._statement(part, Lead.PROPOSES) for part in parts]
        first = statements[0]
        if first.content.items and all(one.alike(first, self._grammar) for one in statements):
            memory.commit(replace(first, lead=Lead.COMMITS))
            return True
        memory.close()
        if lead in (Lead.FINAL, Lead.CORRECTS):
            span = Span(first.span.start, statements[-1].span.end)
            memory.answers = [Statement(nothing(NoAnswer.AMBIGUOUS), lead, FoundAs.PROSE, span)]
        for one in statements:
            memory.keep(one)
        return True

    def _plans(self, unit: TextUnit, words: list[Word], parts: list[PlanPart[T]]) -> None:
        for number, part in enumerate(parts):
            last = number + 1 == len(parts)
            behind = words[part.stop :] if last else words[part.stop : parts[number + 1].start]
            if number:
                if takes_back(part.before) or refutes(part.before):
                    self.memory.take_back(everything=takes_back(part.before))
                if part.apart is not None and not any(word.text[0].isalnum() for word in part.before):
                    self.memory.grow(part.apart)
            self._plan(unit, part, behind, last=last, first=number == 0)
            if last and contradicted(behind, self.memory):
                self.memory.doubt(behind)

    def _with_heading(self, lead: Lead, before: Sequence[Word]) -> Lead:
        """What words before the first plan of a unit make of it, with the heading above."""
        heading = self._heading
        if heading is None or heading.lead is Lead.NOTHING:
            return lead
        if lead is Lead.NOTHING or (lead is Lead.UNKNOWN and heading.lead not in COMMITS):
            return heading.lead
        key = lead is Lead.COMMITS and sum(word.text[0].isalnum() for word in before) == 1
        return heading.lead if key and not heading.used and heading.lead not in COMMITS else lead

    def _statement(self, part: PlanPart[T], lead: Lead) -> Statement[T]:
        if part.apart is not None:
            apart = part.apart
            name = name_of(part.before)
            return Statement(apart.content, lead, apart.found_as, apart.span, apart.node, name)
        run = part.run
        if run is None:
            raise ValueError("a part of a unit is a row, or stands apart")
        spans = tuple(Span(*place) for place in run.places)
        expected = self._grammar.checked(run.items)
        content: AnswerContent[T] = AnswerContent(run.items, spans)
        if expected:
            content = nothing(NoAnswer.UNREADABLE, RowFault(spans[0].start, spans[-1].end, expected))
        elif several_plans(run, self._grammar):
            content = nothing(NoAnswer.AMBIGUOUS)
        return Statement(content, lead, FoundAs.PROSE, Span(spans[0].start, spans[-1].end), name=name_of(part.before))

    def _plan(self, unit: TextUnit, part: PlanPart[T], behind: list[Word], *, last: bool, first: bool) -> None:
        """One plan of a unit, with the words before and behind it."""
        memory, heading = self.memory, self._heading
        told = lead_of(part.before, self._grammar)
        lead = self._with_heading(told, part.before) if first else told
        if part.apart is not None:
            lead = self._lead_of_apart(part.apart, lead)
        statement = self._statement(part, lead)
        if heading is not None:
            heading.used = True
        if statement.content.quoted:
            return
        if self._turned and lead in (Lead.NOTHING, Lead.COMMITS, Lead.FINAL):
            # "Hold on. ...": what comes now stands in place of what was said.
            lead = Lead.CORRECTS if memory.answers or memory.rows else lead
            statement = replace(statement, lead=lead)
        if asks(behind) and last and part.before and part.before[0].means & m.IS:
            lead = Lead.UNKNOWN  # "Is the answer ...?"
        if last and supposes(behind):
            lead = Lead.UNKNOWN
        own = told if part.single else Lead.NOTHING
        if own in (Lead.FINAL, Lead.CORRECTS) and of_one_move(part.before):
            memory.note(statement)
            memory.doubt(part.before)  # "Correction: the first move has to be ..."
            return
        if last and lead in (Lead.UNKNOWN, Lead.NOTHING, Lead.ASIDE) and self._doubted(part, behind):
            memory.note(replace(statement, lead=Lead.UNKNOWN))
            return
        if own is Lead.DENIES and unit.marked and memory.listing:
            memory.spoil(part.before)  # "2. Do not move C forward"
            return
        meant = part.apart is not None or lead in (*COMMITS, Lead.NOTHING, Lead.PROPOSES)
        if last and meant and denies(behind) and not asks(behind) and not (takes_back(behind) and lead in COMMITS):
            if part.single and unit.marked and lead in (*COMMITS, Lead.NOTHING):
                # An entry of a list that is denied: nobody knows what is left.
                no = RowFault(behind[0].start, behind[-1].end, self._grammar.expected, begun=1)
                self._place(unit, part, replace(statement, lead=lead, content=nothing(NoAnswer.UNREADABLE, no)))
                return
            memory.note(replace(statement, lead=Lead.DENIES))
            return
        if part.run is not None:
            fault = fault_of(unit.marked, part, behind, self._grammar)
            if (
                fault is not None
                and lead is Lead.NOTHING
                and fault.begun
                and memory.opened
                and memory.marked
                and unit.marked
            ):
                memory.spoil(behind if part.broken is None else [part.broken])
                return
            if fault is not None and lead in (*COMMITS, Lead.PROPOSES):
                statement = replace(statement, content=nothing(NoAnswer.UNREADABLE, fault))
            elif fault is not None and lead is Lead.NOTHING:
                lead = Lead.UNKNOWN
        elif lead in COMMITS and heading is not None and not heading.lasting:
            self._heading = None  # an object is all that was announced
        self._place(unit, part, statement if statement.lead is lead else replace(statement, lead=lead))
        if last and part.apart is not None and takes_back(behind):
            memory.take_back(everything=True)  # in the same line

    def _doubted(self, part: PlanPart[T], behind: list[Word]) -> bool:
        """Whether a sentence about one move changes what was answered before it, or takes it back."""
        memory, run = self.memory, part.run
        if run is None or not part.single or not (memory.answers or memory.rows) or asks(behind):
            return False
        if denies(behind):
            if refutes_besides(behind):
                memory.take_back(everything=True)
                return True
            if any(run.items[0] in one.content.items for one in (*memory.answers, *memory.rows)):
                memory.doubt([*part.before, *behind])
                return True
            return False
        around = [*part.before, *behind]
        if any(word.means & (m.AMENDS | m.TURNS) for word in around) and not any(
            word.text == ":" for word in part.before
        ):
            memory.doubt(around)
            return True
        return False

    def _lead_of_apart(self, apart: Statement[T], lead: Lead) -> Lead:
        """What is made of an object or a box: it is an answer by itself, unless words before it say otherwise."""
        if apart.lead is Lead.DENIES:
            return Lead.DENIES
        if lead in (Lead.NOTHING, Lead.UNKNOWN):
            return apart.lead
        heading = self._heading
        if lead is Lead.ASIDE and heading is not None and heading.lead is Lead.ASIDE and apart.lead is Lead.COMMITS:
            tried = any(word.means & (m.TRIED | m.EARLIER) for word in heading.words)
            return Lead.ASIDE if tried else apart.lead
        return lead

    def _place(self, unit: TextUnit, part: PlanPart[T], statement: Statement[T]) -> None:
        """Goes on with the statement before it, or holds a new one."""
        memory = self.memory
        row = part.run is not None
        if statement.lead is Lead.CORRECTS:
            self._turned = False
        number, counted = self._number, entry_number(unit)
        self._number = number if counted is None and row and not unit.marked else counted or number
        gone = counted is not None and number is not None and memory.marked and counted not in (1, number + 1)
        if gone or (row and statement.lead is Lead.NOTHING and self._begins_amid(unit, part)):
            # A step was left out, or came before and was not read.
            fault = RowFault(statement.span.start, statement.span.end, self._grammar.expected, begun=1)
            statement = replace(statement, content=nothing(NoAnswer.UNREADABLE, fault))
        follows = row and part.single and number is not None and self._number == number + 1
        if follows and statement.lead in (*COMMITS, Lead.NOTHING):
            memory.resume()  # notes stood between the entries of a list
        spoken_of = statement.lead in (Lead.UNKNOWN, Lead.ASIDE, Lead.QUOTES)
        if spoken_of and memory.opened is not None and memory.marked and not unit.gap:
            if follows and counted is not None:
                memory.spoil(part.before or unit.words)  # an entry of the plan that was not understood
            else:
                memory.note(statement)
            return
        if row and self._goes_on(unit, part) and lead_of(part.before, self._grammar) is Lead.NOTHING:
            memory.extend(statement, marked=unit.marked)
            return
        memory.keep(statement)
        listed = statement.lead is Lead.DENIES and not unit.marked
        if row and (statement.lead in (*COMMITS, Lead.NOTHING) or listed):
            memory.open(statement, marked=unit.marked)

    def _begins_amid(self, unit: TextUnit, part: PlanPart[T]) -> bool:
        """Whether a row begins with "then" where nothing stands before it in its line that was read."""
        first = part.before[0] if part.before else None
        if first is None or unit.begins_line or self.memory.opened is not None:
            return False
        return bool(first.means & m.THEN) and not first.means & (m.BECAUSE | m.FINAL)

    def _goes_on(self, unit: TextUnit, part: PlanPart[T]) -> bool:
        """Whether a row goes on with the statement before it."""
        memory, heading = self.memory, self._heading
        opened = memory.opened
        if opened is None or (heading is not None and heading.lead in (Lead.PROPOSES, Lead.ASIDE, Lead.QUOTES)):
            return False
        # "It is not A. It is B": what is said to be it is not denied with what was.
        renamed = any(word.means & (m.IS | m.BUT) for word in part.before)
        if opened.lead is Lead.DENIES and (unit.marked or unit.gap or renamed):
            return False
        if unit.marked and memory.marked:
            return True
        if unit.gap:
            return False
        then = any(word.means & _CONTINUES for word in part.before) or (self._grammar.sets and part.single)
        short = memory.lines[-1] == 1
        if not unit.begins_line:
            return then or part.single or short
        return then or (short and (part.single or unit.marked))
