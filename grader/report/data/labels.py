"""Reads what people said of edits: CSV or JSON Lines, a line for what one person said of one candidate.

``request_id`` names the candidate, ``rater`` the person, where that is said, and ``ic``, ``el`` and ``ac`` are each one
of ``completely``, ``partially`` and ``not_at_all``, or empty. Other columns are passed over.
"""

from __future__ import annotations

import csv
import enum
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.metrics.space.edit_tables import HumanClass
from grader.model.json_fields import parse_json
from grader.model.wording import first_few
from grader.report.data.records import ReportError, Results

_CLASSES = {
    "completely": HumanClass.COMPLETELY,
    "partially": HumanClass.PARTIALLY,
    "not_at_all": HumanClass.NOT_AT_ALL,
}
_SHOWN, _SHOWN_CHARS = 12, 40
"""So many columns, and so much of each name, are told where some are missing."""
_WORDS = ", ".join(_CLASSES)


class Aspect(enum.Enum):
    """What people were asked about, by its column."""

    IC = "ic"
    EL = "el"
    AC = "ac"


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
        for number, fields in _rows(file):
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


def _rows(file: Path) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Each line's number and its fields as texts, by their names in lower case."""
    if file.suffix.lower() not in (".csv", ".jsonl"):
        raise ReportError(f"{file}: labels are read from .csv and .jsonl files")
    try:
        text = file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ReportError(f"{file}: is not in UTF-8 ({error})") from error
    return _csv_rows(file, text) if file.suffix.lower() == ".csv" else _json_rows(file, text)


def _csv_rows(file: Path, text: str) -> Iterator[tuple[int, Mapping[str, str]]]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        names = [name.strip().lower() for name in next(reader, [])]
        _check_names(names, f"{file}:1")
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) != len(names):
                raise ReportError(
                    f"{file}:{reader.line_num}: has {len(cells)} cells, not {len(names)} as the first line"
                )
            yield reader.line_num, dict(zip(names, cells, strict=True))
    except csv.Error as error:
        raise ReportError(f"{file}:{reader.line_num}: is no CSV ({error})") from error


def _json_rows(file: Path, text: str) -> Iterator[tuple[int, Mapping[str, str]]]:
    # Not splitlines: what JSON holds may have other line breaks in it.
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            said = parse_json(line)
        except ValueError as error:
            raise ReportError(f"{file}:{number}: is no JSON ({error})") from error
        if not isinstance(said, dict):
            raise ReportError(f"{file}:{number}: must be an object with request_id and classes")
        fields = {name.strip().lower(): value for name, value in said.items() if value is not None}
        _check_names(list(fields), f"{file}:{number}")
        for name in _used(fields):
            if not isinstance(fields[name], str):
                raise ReportError(f"{file}:{number}: {name} must be a text, not {fields[name]!r}")
        yield number, {name: fields[name] for name in _used(fields)}


def _used(names: Sequence[str] | Mapping[str, object]) -> list[str]:
    return [name for name in names if name in ("request_id", "rater", *(aspect.value for aspect in Aspect))]


def _shown(names: Sequence[str]) -> str:
    return first_few([name if len(name) <= _SHOWN_CHARS else f"{name[:_SHOWN_CHARS]}..." for name in names], _SHOWN)


def _check_names(names: Sequence[str], place: str) -> None:
    used = _used(names)
    wanted = [aspect.value for aspect in Aspect]
    if "request_id" not in used or not any(name in used for name in wanted):
        raise ReportError(f"{place}: needs request_id and one or more of {', '.join(wanted)}; it has {_shown(names)}")
    if len(set(used)) < len(used):
        raise ReportError(f"{place}: a column is there twice: {_shown(used)}")


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
