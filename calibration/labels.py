"""Reads what people said of candidates: a row for what one person said of one candidate to one question at a time.

``request_id`` names the candidate, ``label`` is what was said; ``rater`` names the person, ``question`` what was asked,
``stratum`` says how the candidate was drawn, ``comment`` is shown beside it, ``adjudicated`` says that the label
decides between people. Other columns are passed over.
"""

from __future__ import annotations

import enum
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from calibration.label_files import label_fields
from grader.model.errors import GraderError
from grader.report.data.label_files import LabelColumns

LABEL_COLUMNS = LabelColumns(("label",), ("rater", "question", "stratum", "comment", "adjudicated"))
_YES = {"": False, "no": False, "false": False, "0": False, "yes": True, "true": True, "1": True}
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
    adjudicated : whether it decides between people
    """

    request_id: str
    rater: str
    level: int | None
    stratum: str
    comment: str
    place: str
    adjudicated: bool = False


@dataclass(frozen=True)
class PeopleLabels:
    """All labels.

    Attributes
    ----------
    question : what people were asked
    first : what each person said first of each candidate, in the order in which it was read
    again : what they said of it later
    decided : by candidate, what somebody decided who knew what people had said
    digest : SHA-256 over the files, hex
    """

    question: Question
    first: tuple[PersonLabel, ...]
    again: tuple[PersonLabel, ...]
    decided: Mapping[str, PersonLabel]
    digest: str

    @property
    def raters(self) -> tuple[str, ...]:
        """The people, by name."""
        return tuple(sorted({one.rater for one in self.first}))

    def by_request(self) -> dict[str, list[PersonLabel]]:
        """First labels by candidate; what was decided of one that has no others."""
        found: dict[str, list[PersonLabel]] = {}
        for one in self.first:
            found.setdefault(one.request_id, []).append(one)
        for request_id, one in self.decided.items():
            found.setdefault(request_id, [one])
        return found


def read_people(files: Sequence[Path], question: str | None = None) -> PeopleLabels:
    """Reads files of labels.

    Parameters
    ----------
    files : sequence of Path
        CSV, JSON Lines, Parquet, or the JSON of Label Studio.
    question : str, optional
        Which question's labels, where files name several in a column ``question``; rows without one count.

    Raises
    ------
    CalibrationError
        Naming file, line and field, where something is missing or can't be understood, or files answer two questions.
    ReportError
        Where a file is no table of labels.
    OSError
        If a file can't be read.
    """
    digest = hashlib.sha256()
    rows = [row for file in files for row in label_fields(file, LABEL_COLUMNS)]
    for file in files:
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return people_of(rows, digest.hexdigest(), question)


def people_of(rows: Sequence[tuple[str, Mapping[str, str]]], digest: str, question: str | None = None) -> PeopleLabels:
    """Reads labels that came somehow.

    Parameters
    ----------
    rows : sequence of (str, mapping)
        The place of each, for errors, and its fields, of which ``request_id`` and ``label`` are there.
    digest : str
        SHA-256 over what they came from, hex.
    question : str, optional
        As for `read_people`.

    Raises
    ------
    CalibrationError
        As `read_people`.
    """
    said = [_label(fields, place) for place, fields in _of_question(rows, question)]
    asked = _question(said)
    first: dict[tuple[str, str], PersonLabel] = {}
    decided: dict[str, PersonLabel] = {}
    again: list[PersonLabel] = []
    for one, _ in said:
        key = (one.request_id, one.rater)
        if one.adjudicated:
            decided.setdefault(one.request_id, one)
        elif key not in first:
            first[key] = one
        elif one.rater:
            again.append(one)
        else:
            raise CalibrationError(
                f"{one.place}: request_id {one.request_id!r} is labelled in {first[key].place} too; "
                "name the people in a column rater"
            )
    return PeopleLabels(asked, tuple(first.values()), tuple(again), decided, digest)


def _of_question(
    rows: Sequence[tuple[str, Mapping[str, str]]], question: str | None
) -> list[tuple[str, Mapping[str, str]]]:
    """The rows of one question."""
    named: dict[str, str] = {}
    for place, fields in rows:
        named.setdefault(fields.get("question", "").strip(), place)
    names = [name for name in named if name]
    if question is None and len(named) > 1 and names:
        told = ", ".join(f"{name or '(not named)'} in {place}" for name, place in named.items())
        raise CalibrationError(f"labels are of several questions: {told}; choose one with --question")
    if question is not None and question not in names:
        raise CalibrationError(
            f"no label is of the question {question!r}; there are {', '.join(names) or 'none named'}"
        )
    return [row for row in rows if question is None or row[1].get("question", "").strip() in ("", question)]


def asked_by(label: str) -> Question | None:
    """The question that a label answers; None for "can't tell", which answers any.

    Raises
    ------
    CalibrationError
        If it is no label.
    """
    return _meaning(label)[0]


def _meaning(label: str) -> tuple[Question | None, int | None]:
    word = "_".join(label.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").split())
    if word in _UNSURE:
        return None, None
    if word not in _WORDS:
        raise CalibrationError(
            f"label is {label[:100]!r}; write right or wrong, or completely, partially or not_at_all, or cant_tell"
        )
    return _WORDS[word]


def _label(fields: Mapping[str, str], place: str) -> tuple[PersonLabel, Question | None]:
    request_id = fields["request_id"].strip()
    if not request_id:
        raise CalibrationError(f"{place}: request_id is empty")
    try:
        question, level = _meaning(fields["label"])
    except CalibrationError as error:
        raise CalibrationError(f"{place}: {error}") from None
    rater, stratum, comment = (fields.get(name, "").strip() for name in ("rater", "stratum", "comment"))
    decides = _YES.get(fields.get("adjudicated", "").strip().lower())
    if decides is None:
        raise CalibrationError(f"{place}: adjudicated is {fields['adjudicated']!r}; write yes, or nothing")
    return PersonLabel(request_id, rater, level, stratum, comment, place, decides), question


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
