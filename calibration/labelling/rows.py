"""Labels as rows, in and out of files: CSV, Parquet and the JSON of Label Studio."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import IO, Any

from calibration.label_files import label_fields
from calibration.labels import LABEL_COLUMNS, CalibrationError
from grader.output.files import replacing
from grader.report.data.label_files import LabelColumns

SUFFIXES = (".csv", ".parquet", ".json")


@dataclass(frozen=True)
class LabelRow:
    """What one person said to one question on one candidate at one time.

    Attributes
    ----------
    request_id, rater, question, label : of what, who, to which question, and what
    visit : 1, or 2 where that person was asked again, and so on
    comment : what else was said
    stratum : how the candidate was drawn
    adjudicated : "yes" where it decides between people, else empty
    took_s : seconds from when the question was shown to the key; None where that is not known
    at : when, in UTC; empty where that is not known
    """

    request_id: str
    rater: str
    question: str
    label: str
    visit: int = 1
    comment: str = ""
    stratum: str = ""
    adjudicated: str = ""
    took_s: float | None = None
    at: str = ""


_NAMES = tuple(one.name for one in fields(LabelRow))
_COLUMNS = LabelColumns(LABEL_COLUMNS.said, (*LABEL_COLUMNS.more, "visit", "took_s", "at"))


def write_rows(file: Path, rows: Sequence[LabelRow]) -> None:
    """Writes rows as the file's suffix says.

    Raises
    ------
    CalibrationError
        Where it is none of `SUFFIXES`.
    OSError
        If the file can't be written.
    """
    writers: dict[str, Callable[[IO[Any], Sequence[LabelRow]], None]] = {
        ".csv": _write_csv, ".parquet": _write_parquet, ".json": _write_studio,
    }  # fmt: skip
    write = writers.get(file.suffix.lower())
    if write is None:
        raise CalibrationError(f"{file}: labels are written as {', '.join(SUFFIXES)} (of Label Studio)")
    with replacing(file, "wb" if write is _write_parquet else "w", sync=True) as stream:
        write(stream, rows)


def _write_csv(stream: IO[Any], rows: Sequence[LabelRow]) -> None:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_NAMES)
    writer.writerows(["" if (value := getattr(one, name)) is None else value for name in _NAMES] for one in rows)
    stream.write(text.getvalue())


def _write_parquet(stream: IO[Any], rows: Sequence[LabelRow]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    kinds = {"visit": pa.int32(), "took_s": pa.float64()}
    schema = pa.schema([(name, kinds.get(name, pa.string())) for name in _NAMES])
    columns = {name: [getattr(one, name) for one in rows] for name in _NAMES}
    pq.write_table(pa.table(columns, schema=schema), stream)


def _write_studio(stream: IO[Any], rows: Sequence[LabelRow]) -> None:
    """A task a candidate, and in it an annotation for each time that somebody was asked."""
    by_item: dict[str, dict[tuple[str, int], list[LabelRow]]] = {}
    for one in rows:
        by_item.setdefault(one.request_id, {}).setdefault((one.rater, one.visit), []).append(one)
    tasks = [
        {
            "id": number,
            "data": {"request_id": request_id, "stratum": next(iter(visits.values()))[0].stratum},
            "annotations": [_annotation(said) for said in visits.values()],
        }
        for number, (request_id, visits) in enumerate(by_item.items(), 1)
    ]
    json.dump(tasks, stream, ensure_ascii=False, indent=1, allow_nan=False)
    stream.write("\n")


def _annotation(said: Sequence[LabelRow]) -> dict[str, Any]:
    first = said[0]
    result: list[dict[str, Any]] = [
        {
            "from_name": one.question,
            "to_name": "candidate",
            "type": "choices",
            "value": {"choices": [one.label]},
            "meta": {"at": one.at} | ({} if one.took_s is None else {"took_s": one.took_s}),
        }
        for one in said
    ]
    if first.comment:
        result.append(
            {"from_name": "comment", "to_name": "candidate", "type": "textarea", "value": {"text": [first.comment]}}
        )
    made: dict[str, Any] = {"completed_by": {"email": first.rater}, "result": result, "created_at": first.at}
    if all(one.took_s is not None for one in said):
        made["lead_time"] = round(sum(one.took_s or 0.0 for one in said), 3)
    return made | ({"ground_truth": True} if first.adjudicated else {})


def read_rows(file: Path) -> Iterator[tuple[str, LabelRow]]:
    """Each row of a file, with its place.

    A row without a visit is the next one of its rater, candidate and question.

    Raises
    ------
    CalibrationError, ReportError
        Naming the place that is no label.
    OSError
        If the file can't be read.
    """
    times: dict[tuple[str, str, str], int] = {}
    for place, said in label_fields(file, _COLUMNS):
        request_id, rater, question = (said.get(name, "").strip() for name in ("request_id", "rater", "question"))
        if not request_id:
            raise CalibrationError(f"{place}: request_id is empty")
        key = (request_id, rater, question)
        times[key] = times.get(key, 0) + 1
        comment, stratum, adjudicated, at = (
            said.get(name, "").strip() for name in ("comment", "stratum", "adjudicated", "at")
        )
        row = LabelRow(
            request_id=request_id,
            rater=rater,
            question=question,
            label=said["label"].strip(),
            visit=_number(said, "visit", place, int) or times[key],
            comment=comment,
            stratum=stratum,
            adjudicated=adjudicated,
            took_s=_number(said, "took_s", place, float),
            at=at,
        )
        yield place, row


def _number(said: Mapping[str, str], name: str, place: str, kind: Callable[[str], Any]) -> Any:
    text = said.get(name, "").strip()
    if not text:
        return None
    try:
        value = kind(text)
    except ValueError as error:
        raise CalibrationError(f"{place}: {name} is {text!r}, which is no number") from error
    if not 0 <= value < 10**9:
        raise CalibrationError(f"{place}: {name} is {text}")
    return value
