"""Files of labels, row by row: CSV, JSON Lines, Parquet, and what Label Studio exports as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from grader.model.json_fields import parse_json
from grader.report.data.label_files import LabelColumns, label_rows
from grader.report.data.records import ReportError


def label_fields(file: Path, columns: LabelColumns) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Each label's place and its fields as texts, by their names in lower case.

    Raises
    ------
    ReportError
        Naming the place, and the field where it is about one.
    OSError
        If the file can't be read.
    """
    match file.suffix.lower():
        case ".parquet":
            yield from _parquet_rows(file, columns)
        case ".json":
            yield from _studio_rows(file)
        case _:
            for number, said in label_rows(file, columns):
                yield f"{file}:{number}", said


def _parquet_rows(file: Path, columns: LabelColumns) -> Iterator[tuple[str, Mapping[str, str]]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(file)
    except pa.ArrowInvalid as error:
        raise ReportError(f"{file}: is no Parquet ({str(error).splitlines()[0]})") from error
    columns.check([name.strip().lower() for name in table.column_names], str(file))
    for number, said in enumerate(table.to_pylist(), 1):
        named = {name.strip().lower(): value for name, value in said.items() if value is not None}
        yield f"{file}: row {number}", {name: str(named[name]) for name in columns.used(named)}


def _studio_rows(file: Path) -> Iterator[tuple[str, Mapping[str, str]]]:
    """What people chose in each task of a project; what was cancelled is no label."""
    try:
        tasks = parse_json(file.read_bytes())
    except ValueError as error:
        raise ReportError(f"{file}: is no JSON ({error})") from error
    if not isinstance(tasks, list):
        raise ReportError(f"{file}: must be a list of tasks, as Label Studio exports them; labels a line are .jsonl")
    for number, task in enumerate(tasks, 1):
        place = f"{file}: task {number}"
        try:
            data = task["data"]
            request_id, stratum = str(data["request_id"]), str(data.get("stratum") or "")
            for annotation in task.get("annotations") or []:
                if not annotation.get("was_cancelled"):
                    for said in _said(annotation):
                        yield place, {"request_id": request_id, "stratum": stratum, **said}
        except (KeyError, TypeError, AttributeError, IndexError) as error:
            raise ReportError(
                f"{place}: is no task of Label Studio with data.request_id and annotations ({error!r})"
            ) from error


def _said(annotation: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    results = annotation["result"]
    comments = [text for one in results if one["type"] == "textarea" for text in one["value"]["text"]]
    chosen = [one for one in results if one["type"] == "choices" and one["value"]["choices"]]
    for one in chosen:
        meta = one.get("meta") or {}
        # The time of an annotation is that of all its questions.
        took = meta.get("took_s", annotation.get("lead_time") if len(chosen) == 1 else None)
        yield {
            "rater": _who(annotation.get("completed_by")),
            "question": str(one["from_name"]),
            "label": str(one["value"]["choices"][0]),
            "comment": "\n".join(map(str, comments)),
            "adjudicated": "yes" if annotation.get("ground_truth") else "",
            "took_s": "" if took is None else str(took),
            "at": str(meta.get("at") or annotation.get("created_at") or ""),
        }


def _who(person: Any) -> str:
    """A person is a number, or an object with a number and perhaps an address."""
    if isinstance(person, dict):
        return str(person.get("email") or person.get("id") or "")
    return "" if person is None else str(person)
