"""MentisOculi's puzzles, with what models made of them, to a manifest.

Models answer in words (files of answers), by a clip, or by a picture after every action with words around them. See
docs/import.md for the layouts.
"""

from __future__ import annotations

import enum
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.importers.common.errors import ImportFormatError
from grader.importers.common.manifest_file import ManifestWriter, manifest_place, whole_manifest
from grader.importers.common.missing import MissingAnswers, mark_missing, missing_attempts, missing_names
from grader.importers.mentisoculi.answers import Sheets, read_answers
from grader.importers.mentisoculi.instances import MentisInstance, ReadTask, find_instances, read_task
from grader.importers.mentisoculi.messages import set_task
from grader.importers.mentisoculi.names import MentisTask
from grader.importers.mentisoculi.outputs import Matched, MentisOutput, find_clips, find_pictures, find_series
from grader.importers.mentisoculi.sheets import Answer, AnswerSheet
from grader.model.wording import count_of, first_few
from grader.output.progress import progress_of
from grader.v1 import service_pb2

_WITHOUT_PICTURE = (MentisTask.RUSH_HOUR,)
"""Tasks whose records say all, whatever a model made."""
_MOST_TAG = 100
"""Characters of a reason that a tag takes."""


class Kind(enum.Enum):
    """What a model made beside answers, by the strategy that it is counted under where none is said."""

    CLIP = "video"
    SERIES = "frames"
    PICTURE = "image"


@dataclass(frozen=True)
class MentisSources:
    """What a manifest is made of.

    Attributes
    ----------
    instances : folder of the puzzles
    answers : file or folder of written answers
    clips : folder of clips
    series : folder of series of step pictures
    pictures : folder of pictures of the end alone
    model : who made clips and series, and answers whose file does not say it
    strategy : how, likewise; where it is empty, clips have the strategy video, and series frames
    missing : whether a puzzle that a model left out, of a task and level of which it answered others, is a request with
        an empty text, which is wrong; likewise for attempts, clips and series, and for answers without a text
    """

    instances: Path
    answers: Path | None = None
    clips: Path | None = None
    series: Path | None = None
    model: str = ""
    strategy: str = ""
    missing: MissingAnswers = MissingAnswers.WRONG
    pictures: Path | None = None


@dataclass(frozen=True)
class MentisSummary:
    """What an import made.

    Attributes
    ----------
    manifest : the file that was written
    requests : its lines
    instances : puzzles that can be graded
    without_outputs : those of them that no line is about
    missing_answers : what a model did not make for puzzles of a task and level of which it answered others, each as
        model, strategy and puzzle; clips and series count as well as answers
    missing : whether these have a request with an empty text
    skipped_instances, skipped_answers : (task, number) for tasks that can't be graded
    unmatched_answers : answers to puzzles that are not there, each as model, strategy and puzzle
    unmatched_clips, unmatched_series, unmatched_pictures : names of outputs that belong to no puzzle
    """

    manifest: Path
    requests: int
    instances: int
    without_outputs: int
    missing_answers: tuple[str, ...]
    missing: MissingAnswers
    skipped_instances: tuple[tuple[str, int], ...]
    skipped_answers: tuple[tuple[str, int], ...]
    unmatched_answers: tuple[str, ...]
    unmatched_clips: tuple[str, ...]
    unmatched_series: tuple[str, ...]
    unmatched_pictures: tuple[str, ...] = ()


def import_mentisoculi(sources: MentisSources, manifest: Path, *, progress: bool) -> MentisSummary:
    """Write a manifest for puzzles and what models made of them.

    Lines are in the order answers, clips, series, each in the natural order of files. Media are paths relative to the
    manifest's folder. The manifest appears whole or not at all.

    Parameters
    ----------
    sources : Sources
    manifest : Path
        The file to write; replaced if it is there.
    progress : bool
        Whether to show on stderr how far it is.

    Raises
    ------
    ImportFormatError
        If files are missing or broken, contradict their paths, or nothing belongs to a puzzle.
    OSError
        If a file can't be read or written.
    """
    if sources.answers is None and sources.clips is None and sources.series is None and sources.pictures is None:
        raise ImportFormatError(
            "say what models made: give --answers, --clips, --steps or --pictures, or several of them"
        )
    manifest = manifest_place(manifest)
    found = find_instances(sources.instances)
    instances = {one.puzzle_id: one for one in found.instances}
    flat = [one.puzzle_id for one in found.instances if one.number is None]
    nothing = Matched((), ())
    sheets = Sheets((), ())
    if sources.answers is not None:
        sheets = read_answers(sources.answers, found.instances, sources.model, sources.strategy)
    clips = nothing if sources.clips is None else find_clips(sources.clips, instances, flat)
    series = nothing if sources.series is None else find_series(sources.series, instances, flat)
    pictures = nothing if sources.pictures is None else find_pictures(sources.pictures, instances, flat)
    made = ((Kind.CLIP, clips.outputs), (Kind.SERIES, series.outputs), (Kind.PICTURE, pictures.outputs))
    matched, unmatched = _split(sheets, instances)
    # An answer that is null is one that the model did not give, as one that is not there.
    untold = [one for one in matched if one[1].missing]
    left_out = list(_left_out(sheets, found.instances))
    no_output = [Gap(kind, *one) for kind, outputs in made for one in _without(outputs, instances)]
    keep = sources.missing is MissingAnswers.WRONG
    chosen = [*matched, *left_out] if keep else [one for one in matched if not one[1].missing]
    empty = no_output if keep else []
    used: set[str] = set()
    with whole_manifest(manifest) as writer:
        lines = _Lines(writer, instances)
        total = len(chosen) + sum(len(outputs) for _, outputs in made) + len(empty)
        with progress_of("import", total, "request", show=progress) as bar:
            for sheet, answer in chosen:
                lines.answer(sheet, answer)
                used.add(answer.puzzle_id)
                bar.update()
            for kind, outputs in made:
                for output in outputs:
                    lines.output(output, kind, sources)
                    used.add(output.puzzle_id)
                    bar.update()
            for gap in empty:
                lines.nothing(gap, sources)
                used.add(gap.instance.puzzle_id)
                bar.update()
        if writer.requests == 0:
            named = [*(_shown(*one) for one in unmatched), *clips.unmatched, *series.unmatched, *pictures.unmatched]
            strangers = (
                count_of(len(unmatched), "answer"),
                count_of(len(clips.unmatched), "clip"),
                count_of(len(series.unmatched), "series", "series"),
                count_of(len(pictures.unmatched), "picture"),
            )
            raise ImportFormatError(
                f"nothing belongs to the {count_of(len(instances), 'puzzle')} in {sources.instances}: there are "
                f"{', '.join(strangers)} of other puzzles or of none"
                f"{f' ({first_few(named)})' if named else ''}; names have to say task, level and puzzle, such "
                f"as {found.instances[0].puzzle_id}"
            )
    return MentisSummary(
        manifest=manifest,
        requests=writer.requests,
        instances=len(instances),
        without_outputs=len(instances) - len(used),
        missing_answers=(
            *(_shown(*one) for one in (*untold, *left_out)),
            *(_joined(sources.model, _strategy(one.kind, sources), one.instance.puzzle_id) for one in no_output),
        ),
        missing=sources.missing,
        skipped_instances=found.skipped,
        skipped_answers=sheets.skipped,
        unmatched_answers=tuple(_shown(*one) for one in unmatched),
        unmatched_clips=clips.unmatched,
        unmatched_series=series.unmatched,
        unmatched_pictures=pictures.unmatched,
    )


Given = tuple[AnswerSheet, Answer]


@dataclass(frozen=True)
class Gap:
    """A clip or a series that is not there: of which puzzle and attempt, and what its request is called."""

    kind: Kind
    instance: MentisInstance
    name: str
    attempt: int


def _shown(sheet: AnswerSheet, answer: Answer) -> str:
    return _joined(sheet.model, sheet.strategy, answer.puzzle_id)


def _joined(*parts: str, by: str = " ") -> str:
    return by.join(part for part in parts if part)


def _strategy(kind: Kind, sources: MentisSources) -> str:
    return sources.strategy or kind.value


def _split(sheets: Sheets, instances: dict[str, MentisInstance]) -> tuple[list[Given], list[Given]]:
    """Answers to puzzles that are there, and the others."""
    matched: list[Given] = []
    unmatched: list[Given] = []
    for sheet in sheets.sheets:
        for answer in sheet.answers:
            (matched if answer.puzzle_id in instances else unmatched).append((sheet, answer))
    return matched, unmatched


def _left_out(sheets: Sheets, instances: tuple[MentisInstance, ...]) -> Iterator[Given]:
    """The answers that are not there, each on the sheet where it would be."""
    sittings: dict[object, list[AnswerSheet]] = defaultdict(list)
    for sheet in sheets.sheets:
        if sheet.answers:
            # Files that number attempts lack answers each for itself; others are parts of one.
            sittings[(sheet.sitting, sheet.attempt)].append(sheet)
    for parts in sittings.values():
        first = parts[0]
        given = {answer.puzzle_id for part in parts for answer in part.answers}
        for one in instances:
            if (one.task, one.level) == (first.task, first.level) and one.puzzle_id not in given:
                yield first, Answer(one.puzzle_id, None)


def _without(
    outputs: tuple[MentisOutput, ...], instances: dict[str, MentisInstance]
) -> Iterator[tuple[MentisInstance, str, int]]:
    """Puzzles and attempts that there is nothing of, of tasks and levels of which there is something."""
    given: dict[object, dict[str, list[int]]] = defaultdict(dict)
    for one in instances.values():
        given[(one.task, one.level)][one.puzzle_id] = []
    for output in outputs:
        at = instances[output.puzzle_id]
        given[(at.task, at.level)][output.puzzle_id].append(output.attempt)
    for of_level in given.values():
        for puzzle_id, attempts in missing_attempts(of_level).items():
            for name, attempt in missing_names(attempts):
                yield instances[puzzle_id], name, attempt


class _Lines:
    """Makes requests, and reads each puzzle once."""

    def __init__(self, writer: ManifestWriter, instances: dict[str, MentisInstance]) -> None:
        self._writer, self._instances = writer, instances
        self._read: dict[tuple[str, bool], ReadTask] = {}

    def answer(self, sheet: AnswerSheet, answer: Answer) -> None:
        request = self._request(answer.puzzle_id, sheet.model, sheet.strategy, sheet.name, seen=False)
        request.attempt = sheet.attempt
        request.text = answer.written
        if answer.missing:
            mark_missing(request)
        if answer.finish_reason:
            request.tags["finish_reason"] = answer.finish_reason[:_MOST_TAG]
        self._writer.write(request, sheet.file)

    def output(self, output: MentisOutput, kind: Kind, sources: MentisSources) -> None:
        request = self._request(output.puzzle_id, sources.model, _strategy(kind, sources), output.name, seen=True)
        request.attempt = output.attempt
        if kind is Kind.CLIP:
            request.video.uri = self._writer.uri(output.path)
        elif kind is Kind.PICTURE:
            request.image.uri = self._writer.uri(output.path)
        else:
            request.frames.text = output.text
            for picture in output.pictures:
                request.frames.images.add(uri=self._writer.uri(picture))
        self._writer.write(request, output.path)

    def nothing(self, gap: Gap, sources: MentisSources) -> None:
        strategy = _strategy(gap.kind, sources)
        request = self._request(gap.instance.puzzle_id, sources.model, strategy, gap.name, seen=False)
        request.attempt = gap.attempt
        request.text = ""
        mark_missing(request)
        self._writer.write(request, gap.instance.record)

    def _request(self, puzzle_id: str, model: str, strategy: str, name: str, *, seen: bool) -> service_pb2.GradeRequest:
        """A request without candidate; ``seen`` says whether that will be pictures."""
        instance = self._instances[puzzle_id]
        tags = {"task": instance.task.value}
        if instance.level is not None:
            tags["level"] = str(instance.level)
        if strategy:
            tags["strategy"] = strategy
        request = service_pb2.GradeRequest(
            request_id=_joined(model, strategy, puzzle_id, name, by="/"),
            puzzle_id=puzzle_id,
            model=model,
            tags=tags,
        )
        task = self._task(instance, seen=seen)
        set_task(request, task.message)
        if task.picture is not None:
            uri = self._writer.uri(task.picture)
            if instance.task is MentisTask.SLIDING:
                request.sliding.puzzle.image.uri = uri
            elif instance.task is MentisTask.FORM_BOARD:
                request.form_board.puzzle.image.uri = uri
            else:
                request.hinge_folding.puzzle.image.uri = uri
        for sheet in task.sheets if seen else ():
            request.paper_fold.puzzle.sheets.add(uri=self._writer.uri(sheet))
        return request

    def _task(self, instance: MentisInstance, *, seen: bool) -> ReadTask:
        key = (instance.puzzle_id, seen and instance.task not in _WITHOUT_PICTURE)
        if key not in self._read:
            read = read_task(instance, with_picture=key[1])
            if key[1] and read.picture is None and not read.sheets:
                raise ImportFormatError(
                    f"{instance.record} does not say where the puzzle is in its picture, which clips and step pictures "
                    f"need; of {instance.task.value} that is known of what `grader make` made"
                )
            self._read[key] = read
        return self._read[key]
