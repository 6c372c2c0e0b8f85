"""Reads what people said of edits: CSV or JSON Lines, a line for what one person said of one candidate.

``request_id`` names the candidate, ``rater`` the person, where that is said, and ``ic``, ``el`` and ``ac`` are each one
of ``completely``, ``partially`` and ``not_at_all``, or empty. Other columns are passed over.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.metrics.space.edit_tables import HumanClass
from grader.report.data.label_files import LabelColumns, label_rows
from grader.report.data.records import ReportError, Results

_CLASSES = {
    "completely": HumanClass.COMPLETELY,
    "partially": HumanClass.PARTIALLY,
    "not_at_all": HumanClass.NOT_AT_ALL,
}
_WORDS = ", ".join(_CLASSES)


class Aspect(enum.Enum):
    """What people were asked about, by its column."""

    IC = "ic"
    EL = "el"
    AC = "ac"


_COLUMNS = LabelColumns(tuple(aspect.value for aspect in Aspect), ("rater",))


@dataclass(frozen=True)
class Label:
    """What one person said of one candidate.

    Attributes
    ----------
    request_id, rater : of what, and who; the rater is empty where it is not said
    classes : the classes that were given
    """

    request_id: str
    rater: str
    classes: Mapping[Aspect, HumanClass]


@dataclass(frozen=True)
class Labels:
    """Labels by the candidate's request_id, in the order in which they were read."""

    by_request: Mapping[str, tuple[Label, ...]]

    @property
    def aspects(self) -> tuple[Aspect, ...]:
        """What there are labels of."""
        given = {aspect for labels in self.by_request.values() for one in labels for aspect in one.classes}
        return tuple(aspect for aspect in Aspect if aspect in given)


NO_LABELS = Labels({})


def read_labels(files: Sequence[Path]) -> Labels:
    """Reads files of labels.

    Raises
    ------
    ReportError
        Naming file and line, where something is missing, no class, or said twice by one person.
    OSError
        If a file can't be read.
    """
    found: dict[str, list[Label]] = {}
    places: dict[tuple[str, str], str] = {}
    for file in files:
        for number, fields in label_rows(file, _COLUMNS):
            place = f"{file}:{number}"
            label = _label(fields, place)
            key = (label.request_id, label.rater)
            if key in places:
                who = f" by {label.rater!r}" if label.rater else "; name the people in a column rater"
                raise ReportError(f"{place}: {label.request_id!r} is labelled in {places[key]} too{who}")
            places[key] = place
            found.setdefault(label.request_id, []).append(label)
    return Labels({name: tuple(labels) for name, labels in found.items()})


def label_notes(results: Results, labels: Labels, task: str) -> list[str]:
    """Says which labels are of no item of the task, for a slip in a name would go unseen."""
    known = {record.item.request_id for record in results.records if record.item.task == task}
    strange = [name for name in labels.by_request if name not in known]
    if not strange:
        return []
    shown = ", ".join(strange[:3]) + (f" and {len(strange) - 3} more" if len(strange) > 3 else "")
    return [
        f"{len(strange)} of {len(labels.by_request)} labelled candidates are no item of the task {task} in these runs, "
        f"and count nowhere: {shown}."
    ]


def _label(fields: Mapping[str, str], place: str) -> Label:
    request_id = fields["request_id"].strip()
    if not request_id:
        raise ReportError(f"{place}: request_id is empty")
    classes: dict[Aspect, HumanClass] = {}
    for aspect in Aspect:
        said = "_".join(fields.get(aspect.value, "").lower().split()).removesuffix("_consistent")
        if not said:
            continue
        if said not in _CLASSES:
            raise ReportError(f"{place}: {aspect.value} is {fields[aspect.value]!r}; write one of {_WORDS}, or nothing")
        classes[aspect] = _CLASSES[said]
    return Label(request_id, fields.get("rater", "").strip(), classes)
