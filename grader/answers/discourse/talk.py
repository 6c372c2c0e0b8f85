"""What sentences without a plan do: take back what was said, choose among proposals, announce what follows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from grader.answers.grammar.words import denies, number_of
from grader.answers.lexicon import meanings as m
from grader.answers.text.words import Word

_MARKS: Final = frozenset("*_`\"'#•-(>[")
_SHORT: Final = 4
_NAMES: Final = m.OPTION | m.OPTIONS | m.ANSWER
_SECOND: Final = {
    "first": 0,
    "former": 0,
    "second": 1,
    "latter": 1,
    "third": 2,
    "last": -1,
    "1st": 0,
    "2nd": 1,
    "3rd": 2,
}


def plain_words(words: Sequence[Word]) -> list[Word]:
    """Without marks of layout."""
    return [word for word in words if word.text not in _MARKS]


def announces(words: Sequence[Word], heading: bool) -> bool:
    """Whether a line says what follows it: it ends with a colon, is a heading, or stops at "is"."""
    said = plain_words(words)
    if not said:
        return False
    if heading:
        return True
    last = said[-1]
    if last.text in ":=→" or (last.text == ")" and any(word.text == ":" for word in said[-_SHORT:])):
        return True
    if last.means & m.IS and not last.means & (m.NOT | m.THIS):
        return True
    bold = words[0].text in "*_" and words[-1].text in "*_"
    if len(said) > _SHORT or not said[-1].means & (m.ANSWER | m.TRIED | m.OPTIONS):
        return False
    return (bold or said[0].text[0].isupper()) and not any(word.text in ".!?," for word in said)


def takes_back(words: Sequence[Word]) -> bool:
    """Whether a sentence takes back what was said before it, whatever that was."""
    return any(word.means & m.TAKES_BACK and not word.means & m.HEDGE for word in words) and not asks(words)


def refutes(words: Sequence[Word]) -> bool:
    """Whether a sentence says of what was spoken of last that it is wrong."""
    said = plain_words(words)
    if not said or asks(said):
        return False
    spoken = [word for word in said if word.text[0].isalnum()]
    if len(spoken) <= 2 and any(word.means & m.NO for word in spoken):
        return True
    for clause in clauses(said):
        if not denies(clause) or (clause[-1].means & m.NOT and clause[-1] is words[-1]):
            continue  # a sentence that was cut off says nothing yet
        if any(word.means & (m.OTHER | m.IF | m.ELSE) for word in clause):
            continue
        content = [word for word in clause if word.text[0].isalnum()]
        if _definite(clause) or len(content) <= _SHORT:
            return not _affirms(said)
    return False


def refutes_besides(words: Sequence[Word]) -> bool:
    """Whether the last clause behind a move refutes what was said: "after up it is off the board, so this fails"."""
    parted = list(clauses(plain_words(words)))
    return len(parted) > 1 and denies(parted[-1]) and any(word.means & m.THIS for word in parted[-1])


def names_the_answer(words: Sequence[Word]) -> bool:
    """Whether it is the answer that a sentence is about, and not what was spoken of last."""
    return any(word.means & m.ANSWER and not word.means & m.MOVES for word in words)


def _definite(clause: Sequence[Word]) -> bool:
    """Whether a clause is about what was said: "this", "the plan", "step 2"; not about "a plan" or "any order"."""
    turned = any(word.means & m.INVERTED for word in clause)
    wrong = next((place for place, word in enumerate(clause) if word.means & (m.BAD | m.GOOD)), len(clause))
    if turned or any(word.means & m.TO for word in clause[wrong + 1 : wrong + 2]):
        return False  # "the reverse order fails", "it would be wrong to move D first"
    first = next((word for word in clause if word.text[0].isalnum()), None)
    if first is not None and first.means & m.NOT and not first.means & m.ARTICLE:
        return True  # "does not solve it"
    for place, word in enumerate(clause):
        if word.means & (m.THIS | m.STEP) and not word.means & m.NUMBER:
            return True
        if word.means & (m.ANSWER | m.EARLIER) and not (
            place and (clause[place - 1].means & m.INDEFINITE or number_of(clause[place - 1]))
        ):
            return not any(one.means & m.TRIED for one in clause)
    return False


def _affirms(said: Sequence[Word]) -> bool:
    """Whether the last clause of a sentence says that something is right: "..., this one is fine"."""
    last = list(clauses(said))[-1]
    return (
        any(word.means & m.THIS for word in last)
        and any(word.means & (m.GOOD | m.YES) for word in last)
        and not denies(last)
    )


def clauses(words: Sequence[Word]) -> Iterator[Sequence[Word]]:
    """The clauses of a sentence, parted by commas, semicolons, colons and dashes."""
    start = 0
    for place, word in enumerate(words):
        if (
            word.text in ",;:"
            or (word.text == "-" and place and word.start > words[place - 1].end)
            or word.means & m.BUT
        ):
            if place > start:
                yield words[start:place]
            start = place + 1
    if start < len(words):
        yield words[start:]


def chosen(words: Sequence[Word], names: Sequence[tuple[str, ...]]) -> tuple[int | None, tuple[int, ...]]:
    """Which of several named proposals a sentence chooses, and which it denies; by number, None for none."""
    picked: int | None = None
    denied: list[int] = []
    for clause in clauses(words):
        lower = [word.lower for word in clause]
        found = [number for number, name in enumerate(names) if name and _within(name, lower)]
        if not found:
            found = _by_order(clause, len(names))
        if not found:
            continue
        if denies(clause):
            denied += found
        elif len(found) == 1 and any(
            word.means & (m.CHOOSES | m.FINAL | m.ANSWER | m.GOOD | m.HEDGE) for word in words
        ):  # fmt: skip
            picked = found[0]
    return picked, tuple(denied)


def _within(name: tuple[str, ...], lower: list[str]) -> bool:
    size = len(name)
    return any(tuple(lower[at : at + size]) == name for at in range(len(lower) - size + 1))


def _by_order(clause: Sequence[Word], count: int) -> list[int]:
    found = []
    for word in clause:
        last = word.lower.rpartition(" ")[2]
        if last in _SECOND and word.lower != "finally":
            place = _SECOND[last]
            if -count <= place < count:
                found.append(place % count)
    return found


def asks(words: Sequence[Word]) -> bool:
    """Whether words end with a question mark."""
    return any(word.text == "?" for word in words[-2:])


def supposes(words: Sequence[Word]) -> bool:
    """Whether words behind a plan say under what condition it would be one: "is what I'd say if I could see it"."""
    place = next((place for place, word in enumerate(words) if word.means & m.IF), 0)
    would = any(word.means & m.WOULD or word.lower.endswith("'d") for word in words[:place])
    return would and not any(word.means & (m.NOT | m.BAD) for word in words[place:])


def name_of(words: Sequence[Word]) -> tuple[str, ...]:
    """The name that words give a proposal: "Option 2:" is option, 2."""
    said = [word for word in plain_words(words) if word.text not in ":.)=,"]
    for place, word in enumerate(said):
        if word.means & _NAMES and not word.means & (m.STEP | m.MOVES) and place + 1 < len(said):
            after = said[place + 1]
            if number_of(after) is not None or (len(after.text) == 1 and after.text.isupper()):
                return (word.lower, after.lower)
    return ()


def named_end(words: Sequence[Word]) -> int:
    """The word behind the name that a unit begins with: "Plan B:", "Option 1 -"; 0 where there is none."""
    place = 0
    while place < len(words) and words[place].text in _MARKS:
        place += 1
    if place + 2 >= len(words) or not words[place].means & _NAMES or words[place].means & (m.STEP | m.MOVES):
        return 0
    name = words[place + 1]
    short = (len(name.text) == 1 and name.text.isupper()) or number_of(name) is not None
    place += 2
    while place < len(words) - 1 and words[place].text in "*_":
        place += 1
    return place + 1 if short and words[place].text in ":)=" else 0
