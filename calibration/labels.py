"""Reads what people said of candidates: CSV or JSON Lines, a line for what one person said of one candidate at a time.

``request_id`` names the candidate, ``label`` is what was said; ``rater`` names the person, ``stratum`` says how the
candidate was drawn, ``comment`` is shown beside it. Other columns are passed over.
"""

from __future__ import annotations

import enum
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.model.errors import GraderError
from grader.report.data.label_files import LabelColumns, label_rows

_COLUMNS = LabelColumns(("label",), ("rater", "stratum", "comment"))
_UNSURE = frozenset({"cant_tell", "can't_tell", "cannot_tell", "unsure"})


class CalibrationError(GraderError):
    """Labels that can't be used, or a calibration that can't be made as asked; the message says what to do."""


class Question(enum.Enum):
    """What people were asked: whether a candidate is right, or how far it is."""

    RIGHT = "right_or_wrong"
    LEVELS = "three_levels"

    @property
    def classes(self) -> tuple[str, ...]:
        """What can be said, from the worst to the best."""
        return ("wrong", "right") if self is Question.RIGHT else ("not_at_all", "partially", "completely")


_WORDS = {
    "wrong": (Question.RIGHT, 0), "incorrect": (Question.RIGHT, 0), "fail": (Question.RIGHT, 0),
    "right": (Question.RIGHT, 1), "correct": (Question.RIGHT, 1), "pass": (Question.RIGHT, 1),
    "not_at_all": (Question.LEVELS, 0), "partially": (Question.LEVELS, 1), "completely": (Question.LEVELS, 2),
}  # fmt: skip


@dataclass(frozen=True)
class PersonLabel:
    """What one person said of one candidate once.

    Attributes
    ----------
    request_id, rater : of what, and who; the rater is empty where it is not said
    level : place among the question's classes; None for "can't tell"
    stratum, comment : as the line has them
    place : file and line
    """

    request_id: str
    rater: str
    level: int | None
    stratum: str
    comment: str
    place: str


@dataclass(frozen=True)
class PeopleLabels:
    """All labels.

    Attributes
    ----------
    question : what people were asked
    first : what each person said first of each candidate, in the order in which it was read
    again : what they said of it later
    digest : SHA-256 over the files, hex
    """

    question: Question
    first: tuple[PersonLabel, ...]
    again: tuple[PersonLabel, ...]
    digest: str

    @property
    def raters(self) -> tuple[str, ...]:
        """The people, by name."""
        return tuple(sorted({one.rater for one in self.first}))

    def by_request(self) -> dict[str, list[PersonLabel]]:
        """First labels by candidate."""
        found: dict[str, list[PersonLabel]] = {}
        for one in self.first:
            found.setdefault(one.request_id, []).append(one)
        return found


def read_people(files: Sequence[Path]) -> PeopleLabels:
    """Reads files of labels.

    Raises
    ------
    CalibrationError
        Naming file, line and field, where something is missing or can't be understood, or files answer two questions.
    ReportError
        Where a file is no table of labels.
    OSError
        If a file can't be read.
    """
    said: list[tuple[PersonLabel, Question | None]] = []
    for file in files:
        said += [_label(fields, f"{file}:{number}") for number, fields in label_rows(file, _COLUMNS)]
    question = _question(said)
    first: dict[tuple[str, str], PersonLabel] = {}
    again: list[PersonLabel] = []
    for one, _ in said:
        key = (one.request_id, one.rater)
        if key not in first:
            first[key] = one
        elif one.rater:
            again.append(one)
        else:
            raise CalibrationError(
                f"{one.place}: request_id {one.request_id!r} is labelled in {first[key].place} too; "
                "name the people in a column rater"
            )
    digest = hashlib.sha256()
    for file in files:
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return PeopleLabels(question, tuple(first.values()), tuple(again), digest.hexdigest())


def _label(fields: Mapping[str, str], place: str) -> tuple[PersonLabel, Question | None]:
    request_id = fields["request_id"].strip()
    if not request_id:
        raise CalibrationError(f"{place}: request_id is empty")
    word = "_".join(fields["label"].lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").split())
    question, level = (None, None) if word in _UNSURE else _WORDS.get(word, (None, -1))
    if level == -1:
        raise CalibrationError(
            f"{place}: label is {fields['label']!r}; write right or wrong, or completely, partially or not_at_all, or "
            "cant_tell"
        )
    rater, stratum, comment = (fields.get(name, "").strip() for name in ("rater", "stratum", "comment"))
    return PersonLabel(request_id, rater, level, stratum, comment, place), question


def _question(said: Iterable[tuple[PersonLabel, Question | None]]) -> Question:
    found: dict[Question, str] = {}
    for one, question in said:
        if question is not None:
            found.setdefault(question, one.place)
    if len(found) > 1:
        (right, levels) = found[Question.RIGHT], found[Question.LEVELS]
        raise CalibrationError(
            f"label is of two questions: right or wrong in {right}, how far in {levels}; give one question at a time"
        )
    if not found:
        raise CalibrationError("no label says anything; there is not one that is right, wrong or a level")
    return next(iter(found))
