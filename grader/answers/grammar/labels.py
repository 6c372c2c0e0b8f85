"""Labels: the pieces of a form board, the one pattern of a paper fold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from grader.answers.lexicon import meanings as m
from grader.answers.text.words import Word

FIVE_LABELS: Final = "ABCDE"
"""The labels that form boards and paper folds of MentisOculi have."""
_NOUNS: Final = (m.ANSWER | m.HEDGE | m.FINAL | m.PIECE | m.PATTERN | m.OBJECT | m.OPTION | m.TRIED | m.EARLIER
                 | m.COLOR | m.BAD | m.GOOD | m.QUOTES | m.FILLER)  # fmt: skip
_AFFIRMS: Final = m.YES | m.GOOD
_REFUSES: Final = m.NO | m.NOT | m.BAD
_CLOSES: Final = frozenset(",;)*_-")
_BECAUSE: Final = frozenset(
    {"because", "since", "as", "due", "weil", "denn", "parce", "porque", "perché", "因为", "因為"}
)
_DOES_MORE: Final = m.TURNS | m.AMENDS | m.TAKES_BACK | m.ANSWER | m.FINAL | m.CHOOSES | m.IF | m.OR | m.CONCLUDES
"""What a sentence that begins as a reason does beside giving one."""
_INSTEAD: Final = (
    *(("but",), ("but", "rather"), ("but", "it", "is"), ("rather",), ("it", "is"), ("it's",)),
    *(("sondern",), ("mais",), ("sino",)),
)
"""What stands between a label that is denied and the one that is meant."""
_DENIED: Final = (("not", ""), ("rather", "than"), ("instead of", ""), ("over", ""), ("nicht", ""), ("pas", ""))


@dataclass(frozen=True)
class LabelSet:
    """The grammar of labels.

    Attributes
    ----------
    labels : the labels that there are, capital letters
    one : whether exactly one is asked for
    wanted : what an item looks like, where labels stand for something else; empty where they are letters
    """

    labels: str = FIVE_LABELS
    one: bool = False
    wanted: str = ""
    units: frozenset[str] = frozenset()

    @property
    def expected(self) -> str:
        """A letter of A, B, C, D, E."""
        return self.wanted or f"a letter of {', '.join(self.labels)}"

    @property
    def options(self) -> bool:
        """Options are what paper folds ask for."""
        return self.one

    @property
    def sets(self) -> bool:
        """In any order."""
        return True

    def hinted(self, words: list[Word]) -> bool:
        """Whether there is a single letter, or letters in capitals."""
        return any((len(word.text) == 1 and word.text.isalpha()) or self._compact(word) for word in words)

    def prepared(self, words: list[Word]) -> list[Word]:
        """Where one label is asked for, without what only says why it is that one, or which it is not."""
        if not self.one:
            return words
        words = self._without_denied(words)
        for place in range(len(words)):
            item = self.item_at(words, place)
            if item is not None:
                tail = self._reason(words, item[1]) or self._not_this(words, item[1], item[0])
                return words[: item[1]] + words[tail:] if tail else words
        return words

    def _without_denied(self, words: list[Word]) -> list[Word]:
        """Words without the label that another one stands in place of: "not B but C", "It isn't B, it is C"."""
        for place in range(len(words)):
            item = self.item_at(words, place)
            if item is None:
                continue
            denial = next((at for at in range(max(0, place - 3), place) if words[at].means & m.NOT), -1)
            at = item[1]
            while at < len(words) and words[at].text in _CLOSES:
                at += 1
            instead = next(
                (len(said) for said in _INSTEAD if tuple(one.lower for one in words[at : at + len(said)]) == said), 0
            )
            other = self.item_at(words, at + instead) if instead else None
            if denial < 0 or other is None or other[0] == item[0]:
                return words
            return words[:denial] + words[at + instead :]
        return words

    def _reason(self, words: list[Word], at: int) -> int:
        """Where a reason behind a label ends: "C, because B has too many holes."; 0 where there is none."""
        while at < len(words) and words[at].text in _CLOSES:
            at += 1
        begins = at < len(words) and words[at].lower in _BECAUSE
        if not begins or any(word.means & _DOES_MORE for word in words[at + 1 :]):
            return 0
        return len(words) - (words[-1].text in ".!")

    def _not_this(self, words: list[Word], at: int, label: str) -> int:
        """Where another label ends that is named behind one only to be denied: "C, not B"; 0 where there is none."""
        while at < len(words) and (words[at].text in _CLOSES or words[at].lower in ("and", "but")):
            at += 1
        denied = next((1 + bool(second) for first, second in _DENIED if self._are(words, at, first, second)), 0)
        if not denied:
            return 0
        other = self.item_at(words, at + denied)
        if other is None or other[0] == label:
            return 0
        end = other[1]
        return end if all(word.text in ".!)*_\"'" for word in words[end:]) else 0

    @staticmethod
    def _are(words: list[Word], at: int, first: str, second: str) -> bool:
        said = [word.lower for word in words[at : at + 2]]
        return said[:1] == [first] and (not second or said[1:] == [second])

    def several_at(self, words: list[Word], at: int, begun: int) -> tuple[tuple[str, ...], int] | None:
        """ACE: different labels in capitals."""
        if self.one or begun or not self._compact(words[at]):
            return None
        return tuple(words[at].text), at + 1

    def _compact(self, word: Word) -> bool:
        text = word.text
        return (
            1 < len(text) <= len(self.labels)
            and text.isupper()
            and set(text) <= set(self.labels)
            and len(set(text)) == len(text)
        )

    def item_at(self, words: list[Word], at: int) -> tuple[str, int] | None:
        """A label, which is no article and no end of a range."""
        place = at
        while (
            place < len(words)
            and words[place].means & (m.PIECE | m.PATTERN)
            and len(words[place].text) > 1
            and place < at + 3
        ):
            place += 1
        if place >= len(words):
            return None
        label = words[place].text.upper()
        if len(label) != 1 or label not in self.labels or self._ranges(words, place):
            return None
        if self._article(words, place):
            return None
        return self._said(words, place, label)

    def _said(self, words: list[Word], at: int, label: str) -> tuple[str, int] | None:
        """A label; one that has a yes of its own behind it ("B: yes") is said with it, one with a no is not said."""
        behind = words[at + 2] if at + 2 < len(words) and words[at + 1].text in ":=-→|(" else None
        if behind is None or not behind.means & (_AFFIRMS | _REFUSES):
            return label, at + 1
        return None if behind.means & _REFUSES else (label, at + 3)

    def _article(self, words: list[Word], at: int) -> bool:
        """Whether an "a" stands before a noun or an adjective."""
        after = words[at + 1] if at + 1 < len(words) else None
        if words[at].lower != "a" or after is None:
            return False
        return bool(after.means & _NOUNS) and not after.means & m.IS and len(after.text) > 1

    def _ranges(self, words: list[Word], at: int) -> bool:
        """ "A-E", either end."""
        for dash, other in ((at + 1, at + 2), (at - 1, at - 2)):
            if (
                0 <= dash < len(words)
                and 0 <= other < len(words)
                and words[dash].text == "-"
                and len(words[other].text) == 1
            ):
                return words[other].text.isalpha()
        return False

    def skips(self, words: list[Word], at: int) -> int:
        """Words such as "piece"."""
        return 1 if words[at].means & (m.PIECE | m.PATTERN) or words[at].text in "+&" else 0

    def names(self, words: list[Word], at: int) -> bool:
        """Whether another letter is named."""
        text = words[at].text
        return len(text) == 1 and text.isalpha() and text.isupper() and not self._article(words, at)

    def mentions(self, words: list[Word]) -> bool:  # noqa: ARG002 - as every grammar has it
        """Never: a letter alone says little."""
        return False

    def checked(self, items: tuple[str, ...]) -> str:
        """One pattern."""
        return "one letter" if self.one and len(set(items)) > 1 else ""

    def about_others(self, words: Sequence[Word]) -> bool:  # noqa: ARG002
        """Never."""
        return False
