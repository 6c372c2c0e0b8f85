"""Questions about photographs that ``grader make jigsaw`` made, with what models wrote, to a manifest.

The folder holds ``questions.jsonl`` and ``answers.jsonl``; models' answers are lines with puzzle, model, attempt and
text.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.importers.common.errors import ImportFormatError
from grader.importers.common.lines import attempt_of, entries_of
from grader.importers.common.manifest_file import ImportSummary, ManifestWriter, manifest_place, whole_manifest
from grader.importers.common.missing import MissingAnswers, mark_missing, missing_attempts, missing_names
from grader.importers.jigsaw.drawn import DrawnOrder, find_drawn, pieces_of
from grader.importers.mentisoculi.sheets import TEXT_FIELDS, Answer, answer_of
from grader.model.json_fields import JsonObject, load_object
from grader.model.wording import first_few
from grader.output.progress import tracked
from grader.v1 import jigsaw_pb2, service_pb2
from puzzles.jigsaw.kinds import PieceChange, QuestionKind

ANSWERS_NAME = "answers.jsonl"
_PUZZLE = "puzzle"
_WRITE = (
    'write a line an answer, such as {"puzzle": "jigsaw-anomaly-00001", "model": "mine", "attempt": 1, "text": "..."}'
)
_CHANGES = {change.letter: jigsaw_pb2.JigsawChange.Value(f"JIGSAW_CHANGE_{change.name}") for change in PieceChange}


@dataclass(frozen=True)
class _Given:
    """An answer with the attempt that it is."""

    attempt: int
    answer: Answer


def import_jigsaw(
    source: Path,
    answers: Path | None,
    manifest: Path,
    *,
    outputs: Path | None = None,
    model: str = "",
    missing: MissingAnswers = MissingAnswers.WRONG,
    progress: bool,
) -> ImportSummary:
    """Write a manifest for questions and models' answers.

    Lines stand in the order of models in the file, then of questions. The manifest appears whole or not at all.

    Parameters
    ----------
    source : Path
        The folder that ``grader make jigsaw`` wrote to.
    answers : Path or None
        Lines in JSON or CSV.
    manifest : Path
        The file to write; replaced if it is there.
    outputs : Path, optional
        A folder of orders that a model drew.
    model : str
        For lines that do not say it, and for what was drawn.
    missing : MissingAnswers
        Whether questions that a model did not answer, while it did others of their kind, are lines with an empty text.
    progress : bool
        Whether to show on stderr how far it is.

    Raises
    ------
    ImportFormatError
        If a file is missing or broken, or no answer belongs to a question.
    OSError
        If a file can't be read or written.
    """
    if answers is None and outputs is None:
        raise ImportFormatError("say what models made: give --answers or --outputs, or both")
    truths = _truths(source)
    given, strange = ({}, []) if answers is None else _given(answers, truths, model)
    drawn, strangers = ([], []) if outputs is None else find_drawn(outputs, truths)
    if not given and not drawn:
        unknown = [*strange, *map(str, strangers)]
        named = f": {first_few(unknown)}" if unknown else ""
        raise ImportFormatError(f"nothing in {answers or outputs} is to a question in {source}{named}; {_WRITE}")
    keep = missing is MissingAnswers.WRONG
    used: set[str] = set()
    absent: list[str] = []
    manifest = manifest_place(manifest)
    with whole_manifest(manifest) as writer:
        pieces = pieces_of(source) if drawn else {}
        for order in drawn:
            if order.picture is None:
                absent.append(f"{model or 'the model'}/{order.puzzle}")
            if order.picture is not None or keep:
                _drawn_line(writer, source, model, truths[order.puzzle], order, pieces[order.puzzle])
                used.add(order.puzzle)
        for name, by_puzzle in tracked(list(given.items()), "import", len(given), "model", show=progress):
            lacking = _lacking(truths, by_puzzle)
            for puzzle, record in truths.items():
                for one in by_puzzle.get(puzzle, ()):
                    if one.answer.missing:
                        absent.append(f"{name or 'the model'}/{puzzle}")
                    if one.answer.missing and not keep:
                        continue
                    _line(writer, source, name, puzzle, record, one)
                    used.add(puzzle)
                for called, attempt in missing_names(lacking.get(puzzle, ())):
                    absent.append(f"{name or 'the model'}/{puzzle}")
                    if keep:
                        _line(writer, source, name, puzzle, record, _Given(attempt, Answer(puzzle, None, "")), called)
                        used.add(puzzle)
    return ImportSummary(
        manifest,
        writer.requests,
        len(truths),
        len(truths) - len(used),
        (*map(Path, strange), *strangers),
        tuple(absent),
        missing,
    )


def _truths(source: Path) -> dict[str, JsonObject]:
    """The right answers, by question, in their order."""
    place = source / ANSWERS_NAME
    if not place.is_file():
        raise ImportFormatError(f"{place} is missing; name the folder that `grader make jigsaw` wrote to")
    found: dict[str, JsonObject] = {}
    try:
        with place.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                record = load_object(line, f"{place}:{number}")
                found[record.text(_PUZZLE)] = record
    except ValueError as error:
        raise ImportFormatError(f"{error}; make the questions again") from error
    return found


def _given(
    answers: Path, truths: dict[str, JsonObject], model: str
) -> tuple[dict[str, dict[str, list[_Given]]], list[str]]:
    """Answers by model and question, and the names of questions that there are not."""
    given: dict[str, dict[str, list[_Given]]] = defaultdict(lambda: defaultdict(list))
    strange: list[str] = []
    seen: set[tuple[str, str, int]] = set()
    try:
        for entry in entries_of(answers):
            if not any(entry.has(field) for field in TEXT_FIELDS):
                raise entry.fault("text", "is missing; it is null where the model gave none")
            puzzle = entry.text(next((one for one in (_PUZZLE, "puzzle_id") if entry.has(one)), _PUZZLE))
            if puzzle not in truths:
                strange.append(puzzle)
                continue
            by = entry.text("model") if entry.content.get("model") else model
            attempt = attempt_of(entry)
            if (by, puzzle, attempt) in seen:
                raise entry.fault("", f"is a second answer to {puzzle}; say which attempt each is")
            seen.add((by, puzzle, attempt))
            given[by][puzzle].append(_Given(attempt, answer_of(entry, puzzle)))
    except ValueError as error:
        raise ImportFormatError(f"{error}; {_WRITE}") from error
    return given, strange


def _lacking(truths: dict[str, JsonObject], by_puzzle: dict[str, list[_Given]]) -> dict[str, tuple[int, ...]]:
    """Attempts that a model did not make at questions of a kind of which it answered others."""
    lacking: dict[str, tuple[int, ...]] = {}
    for kind in {record.text("kind") for record in truths.values()}:
        asked = [puzzle for puzzle, record in truths.items() if record.text("kind") == kind]
        lacking |= missing_attempts({puzzle: [one.attempt for one in by_puzzle.get(puzzle, ())] for puzzle in asked})
    return lacking


def _line(
    writer: ManifestWriter, source: Path, model: str, puzzle: str, record: JsonObject, given: _Given, called: str = ""
) -> None:
    request = _request(model, record, called or (str(given.attempt) if given.attempt else ""), given.attempt)
    request.text = given.answer.text or ""
    if given.answer.missing:
        mark_missing(request)
    writer.write(request, source / puzzle)


def _drawn_line(
    writer: ManifestWriter, source: Path, model: str, record: JsonObject, drawn: DrawnOrder, pieces: Sequence[Path]
) -> None:
    request = _request(model, record, drawn.name, drawn.attempt)
    for piece in pieces:
        request.jigsaw.puzzle.pieces.add(uri=writer.uri(piece))
    if drawn.picture is None:
        request.image.data = b""
        mark_missing(request)
    else:
        request.image.uri = writer.uri(drawn.picture)
    writer.write(request, drawn.picture or source / drawn.puzzle)


def _request(model: str, record: JsonObject, called: str, attempt: int) -> service_pb2.GradeRequest:
    """A request about a question, without what a model made of it."""
    try:
        puzzle = record.text(_PUZZLE)
        return service_pb2.GradeRequest(
            request_id="/".join(part for part in (model, puzzle, called) if part),
            puzzle_id=puzzle,
            model=model,
            attempt=attempt,
            tags={"dataset": "jigsaw", "kind": record.text("kind"), "photograph": record.text("photograph")},
            jigsaw=jigsaw_message(record),
        )
    except ValueError as error:
        raise ImportFormatError(f"{error}; make the questions again") from error


def jigsaw_message(record: JsonObject) -> jigsaw_pb2.JigsawTask:
    """The question of a line of ``answers.jsonl``; ValueError naming the field that is wrong."""
    said = record.text("kind")
    kind = next((one for one in QuestionKind if one.value == said), None)
    if kind is None:
        raise record.fault("kind", f"is {said!r}; it is one of {', '.join(one.value for one in QuestionKind)}")
    task = jigsaw_pb2.JigsawTask()
    task.puzzle.kind = jigsaw_pb2.JigsawKind.Value(f"JIGSAW_KIND_{kind.name}")
    if record.has("options"):
        for order in record.items("options"):
            task.puzzle.options.add(pieces=_numbers(record, "options", order))
    answer = record.text("answer")
    if kind is QuestionKind.ORDER_GENERATION:
        task.truth.order.pieces.extend(_numbers(record, "order", record.items("order")))
    elif kind is QuestionKind.ANOMALY:
        _, position, change = _lines(record, answer)
        task.truth.anomaly.position = position
        task.truth.anomaly.change = _CHANGES.get(change, jigsaw_pb2.JIGSAW_CHANGE_UNSPECIFIED)
        task.truth.anomaly.SetInParent()
    else:
        task.truth.label = answer
    return task


def _numbers(record: JsonObject, field: str, value: object) -> Sequence[int]:
    if not isinstance(value, list) or not all(isinstance(one, int) and not isinstance(one, bool) for one in value):
        raise record.fault(field, "must be lists of whole numbers")
    return value


def _lines(record: JsonObject, answer: str) -> list[str]:
    values = [line.partition(":")[2].strip() for line in answer.split("\n")]
    if len(values) != len(("judgment", "position", "change")):
        raise record.fault("answer", "must be three lines")
    return values
