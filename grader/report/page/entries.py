"""What the page's script is given of each verdict: a short row for the list, and all of it in files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import quote

from grader.model.json_fields import parse_json
from grader.report.data.disputes import grounds
from grader.report.data.records import Record, Results
from grader.report.page.media import NO_ANSWER, Medium, candidate_of, link, puzzle_of
from grader.runs.folder import OVERLAYS_NAME, RESULTS_NAME, VIDEOS_NAME, overlay_name, video_name

EACH = 100
"""Verdicts a file of details."""

MOST_SEEN = 6000
"""Characters of an observation; a longer one stays in results.jsonl."""

_EMPTY = "EMPTY"
"""Why an empty picture is UNGRADABLE."""

COLUMNS = (
    "id",
    "run",
    "task",
    "puzzle",
    "model",
    "attempt",
    "outcome",
    "score",
    "reward",
    "reason",
    "mode",
    "codes",
    "tags",
    "doubt",
    "grounds",
)


def script_text(call: str, *values: object) -> str:
    """A script that hands values to the page. What strangers wrote can't end it, nor any script that holds it."""
    said = (json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":")) for value in values)
    return f"{call}({','.join(one.replace('<', chr(92) + 'u003c') for one in said)});\n"


def list_rows(results: Results) -> Iterator[list[str | int | float | None]]:
    """A row of `COLUMNS` for each item that has a result."""
    for record in ended(results):
        doubts = grounds(record)
        yield [
            record.item.request_id,
            record.run,
            record.item.task,
            record.item.puzzle,
            record.model,
            record.item.attempt or None,
            outcome_of(record),
            _short(record.score),
            _short(record.reward),
            record.codes[0] if record.codes else record.fault,
            record.mode.value if record.mode is not None else "",
            " ".join(record.codes[1:]),
            " ".join(f"{name}={value}" for name, value in record.item.tags),
            round(doubts[0][1], 3) if doubts else 0,
            "; ".join(ground.value for ground, _ in doubts),
        ]


def ended(results: Results) -> list[Record]:
    """The items that have a result, in their order."""
    return [record for record in results.records if record.end is not None]


def outcome_of(record: Record) -> str:
    """The outcome for people; of a status that it is none."""
    return "" if record.end is None else record.end.value.replace("_", " ")


def message_of(record: Record, reason: Mapping[str, Any]) -> str:
    """What a reason says; of an answer that is missing, that it is, for what stands for it was sent by nobody."""
    return NO_ANSWER if record.missing and reason.get("code") == _EMPTY else str(reason.get("message") or "")


def address_of(record: Record) -> str:
    """Where the page shows a verdict."""
    return f"#v/{record.run}/{quote(record.item.request_id, safe='')}"


def _short(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


class Source:
    """Reads lines of manifests and results again, for there may be millions of them. Use it in a ``with`` block."""

    def __init__(self, results: Results) -> None:
        self._results, self._stack = results, ExitStack()
        self._open: dict[Path, BinaryIO] = {}

    def __enter__(self) -> Source:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def asked(self, record: Record) -> Mapping[str, Any]:
        """The manifest's line."""
        return self._line(self._results.runs[record.run].manifest, record.item.offset)

    def ended(self, record: Record) -> Mapping[str, Any]:
        """The line of results."""
        return self._line(self._results.runs[record.run].folder / RESULTS_NAME, record.offset)

    def _line(self, path: Path, offset: int) -> Mapping[str, Any]:
        if path not in self._open:
            self._open[path] = self._stack.enter_context(path.open("rb"))
        self._open[path].seek(offset)
        said: Mapping[str, Any] = parse_json(self._open[path].readline())
        return said


def detail_files(results: Results, source: Source, page: Path) -> Iterator[tuple[int, str]]:
    """Each file of details: its number, and the script in it."""
    records = ended(results)
    drawn = [_names(run.folder / OVERLAYS_NAME) for run in results.runs]
    filmed = [_names(run.folder / VIDEOS_NAME) for run in results.runs]
    for number, start in enumerate(range(0, len(records), EACH)):
        made = [
            _detail(results, record, source, page, drawn[record.run], filmed[record.run])
            for record in records[start : start + EACH]
        ]
        yield number, script_text("gradedRuns.details", number, made)


def _names(folder: Path) -> set[str]:
    """Looked up at once: a question for every file takes longer than the list of all."""
    return {path.name for path in folder.iterdir()} if folder.is_dir() else set()


def _detail(
    results: Results, record: Record, source: Source, page: Path, drawn: set[str], filmed: set[str]
) -> dict[str, Any]:
    run = results.runs[record.run]
    asked, said = source.asked(record), source.ended(record)
    status, verdict = said.get("status") or {}, said.get("verdict") or {}
    request_id = record.item.request_id
    made = candidate_of(asked, run.manifest.parent)
    shown: list[dict[str, Any]] = [_shown(one, page) for one in made]
    for one in shown:
        if one["kind"] == "words" and one.get("text") == asked.get("text"):
            one["parts"] = marked_parts(one["text"], verdict.get("observation") or {})
    if (name := overlay_name(request_id)) in drawn:
        shown.append({"role": "overlay", "kind": "picture", "src": link(run.folder / OVERLAYS_NAME, name, page)})
    elif verdict and not drawn and any(one.kind in ("picture", "clip") for one in made):
        shown.append({"role": "overlay", "kind": "none", "text": "none; `grader grade ... --overlays` draws them"})
    if (name := video_name(request_id)) in filmed:
        shown.append({"role": "annotated clip", "kind": "clip", "src": link(run.folder / VIDEOS_NAME, name, page)})
    seen = json.dumps(verdict.get("observation") or {}, indent=1, ensure_ascii=False)
    return {
        "media": shown,
        "puzzle": [_shown(one, page) for one in puzzle_of(asked, run.manifest.parent)],
        "status": [str(status.get("reason") or ""), str(status.get("message") or "")],
        "reasons": [
            [str(one["code"]), message_of(record, one), _places(one.get("places") or [])]
            for one in verdict.get("reasons") or []
        ],
        "notes": [[str(one["code"]), str(one.get("message") or "")] for one in verdict.get("notes") or []],
        "metrics": [
            [str(one["name"]), one.get("value"), str(one.get("unavailableReason") or "")]
            for one in verdict.get("metrics") or []
        ],
        "tags": [list(tag) for tag in record.item.tags],
        "asked": prompt_of(asked),
        "facts": [
            *_flat("alignment", verdict.get("alignment") or {}),
            *_flat("clip", verdict.get("clip") or {}),
            *_flat("", verdict.get("provenance") or {}),
            ["manifest line", str(record.item.line)],
        ],
        "seen": seen if len(seen) <= MOST_SEEN else f"{len(seen)} characters; they are in results.jsonl",
    }


def _shown(medium: Medium, page: Path) -> dict[str, str]:
    said = {"role": medium.role, "kind": medium.kind}
    if address := medium.address(page):
        said["src"] = address
    return said | ({"text": medium.text} if medium.text else {})


def marked_parts(text: str, observation: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """A text in parts: each with "read", "unread" or nothing, and what was read in it; from the lenient reading."""
    readings = (observation.get("plan") or {}).get("readings") or []
    lenient: Mapping[str, Any] = next((one for one in readings if one.get("reading") == "READING_LENIENT"), {})
    titles: dict[tuple[int, int], list[str]] = {}
    for move, span in zip(lenient.get("moves") or [], lenient.get("spans") or [], strict=False):
        titles.setdefault((int(span.get("start", 0)), int(span.get("end", 0))), []).append(str(move))
    marks = [(start, end, "read", ", ".join(moves)) for (start, end), moves in titles.items()]
    if unread := lenient.get("unread"):
        marks.append((int(unread.get("start", 0)), int(unread.get("end", 0)), "unread", "could not be read"))
    parts: list[tuple[str, str, str]] = []
    last = 0
    for start, end, kind, title in sorted(marks):
        if last <= start < end <= len(text):
            parts += [(text[last:start], "", ""), (text[start:end], kind, title)]
            last = end
    return [part for part in (*parts, (text[last:], "", "")) if part[0]]


def prompt_of(asked: Mapping[str, Any]) -> str:
    """What was asked for in words, as edits have it."""
    for task in asked.values():
        puzzle = task.get("puzzle") if isinstance(task, dict) else None
        if isinstance(puzzle, dict) and isinstance(puzzle.get("prompt"), str):
            return str(puzzle["prompt"])
    return ""


def _places(places: Sequence[Mapping[str, Any]]) -> str:
    """Where a reason is seen, in words."""
    return "; ".join(text for place in places[:8] if (text := ", ".join(_place(place)))) + (
        f"; and {len(places) - 8} more" if len(places) > 8 else ""
    )


def _place(place: Mapping[str, Any]) -> Iterable[str]:
    if cell := place.get("cell"):
        yield f"cell {cell.get('id', 0)} (row {cell.get('row', 0)}, column {cell.get('column', 0)})"
    if span := place.get("span"):
        yield f"{span.get('startS', 0.0):.2f} to {span.get('endS', 0.0):.2f} s"
    if box := place.get("box"):
        sides = (box.get(side, 0.0) for side in ("leftPx", "topPx", "widthPx", "heightPx"))
        yield "box {:.0f}, {:.0f}, {:.0f} x {:.0f} px".format(*sides)
    if place.get("object"):
        yield str(place["object"])
    for name in ("move", "step"):
        if place.get(name):
            yield f"{name} {place[name]}"


def _flat(prefix: str, said: Mapping[str, Any]) -> list[list[str]]:
    """Fields with their values, those of nested objects by their path."""
    found: list[list[str]] = []
    for name, value in said.items():
        if value in ("", [], {}):
            continue
        path = f"{prefix} {name}" if prefix else str(name)
        if isinstance(value, dict):
            found += _flat(path, value)
        elif isinstance(value, list):
            found.append([path, json.dumps(value, ensure_ascii=False)[:200]])
        else:
            found.append([path, f"{value:.6g}" if isinstance(value, float) else str(value)])
    return found
