"""MazeBench's mazes with models' answers to a manifest. See docs/import.md for the layouts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.importers.common.errors import ImportFormatError
from grader.importers.common.manifest_file import manifest_place, whole_manifest
from grader.importers.common.missing import MissingAnswers, mark_missing, missing_attempts
from grader.importers.mazebench.answers import MazeReply, read_replies
from grader.importers.mazebench.records import BenchMaze, BenchMazes, read_mazes
from grader.importers.mentisoculi.sheets import Answer
from grader.model.wording import count_of, first_few
from grader.output.progress import tracked
from grader.v1 import service_pb2

_MOST_TAG = 100
"""Characters of a reason that a tag takes."""


@dataclass(frozen=True)
class BenchSources:
    """What a manifest is made of.

    Attributes
    ----------
    mazes : folder of the mazes
    answers : file or folder of answers
    model, condition : for answers that do not say who gave them, and to what: ``image`` or ``text_grid``
    missing : whether a maze that a model left out, of a group of which it answered others, is a request with an empty
        text, which is wrong; likewise an answer without a text
    """

    mazes: Path
    answers: Path
    model: str = ""
    condition: str = ""
    missing: MissingAnswers = MissingAnswers.WRONG


@dataclass(frozen=True)
class BenchSummary:
    """What an import made.

    Attributes
    ----------
    manifest : the file that was written
    requests : its lines
    mazes : that can be graded
    without_answers : those of them that no line is about
    missing_answers : what a model did not answer, each as model, condition and maze
    missing : whether these have a request with an empty text
    cut_off : answers that stopped at a limit
    unmatched_answers : answers to mazes that are not there
    without_grid : annotated mazes whose grid is not there
    """

    manifest: Path
    requests: int
    mazes: int
    without_answers: int
    missing_answers: tuple[str, ...]
    missing: MissingAnswers
    cut_off: int
    unmatched_answers: tuple[str, ...]
    without_grid: tuple[str, ...]


def import_mazebench(sources: BenchSources, manifest: Path, *, progress: bool) -> BenchSummary:
    """Write a manifest for mazes and answers to them, in the order of the answers; missing ones come last.

    The manifest appears whole or not at all.

    Parameters
    ----------
    sources : BenchSources
    manifest : Path
        The file to write; replaced if it is there.
    progress : bool
        Whether to show on stderr how far it is.

    Raises
    ------
    ImportFormatError
        If files are missing or broken, a maze is answered twice, or no answer belongs to a maze.
    OSError
        If a file can't be read or written.
    """
    manifest = manifest_place(manifest)
    found = read_mazes(sources.mazes)
    mazes = {one.name: one for one in found.mazes}
    replies = read_replies(sources.answers, sources.model, sources.condition)
    matched = [one for one in replies if one.answer.puzzle_id in mazes]
    strangers = tuple(_shown(one) for one in replies if one.answer.puzzle_id not in mazes)
    if not matched:
        _refuse(found, strangers)
    _check_apart(matched)
    absent = [one for one in matched if one.answer.missing]
    left_out = list(_left_out(matched, mazes))
    keep = sources.missing is MissingAnswers.WRONG
    chosen = [*matched, *left_out] if keep else [one for one in matched if not one.answer.missing]
    with whole_manifest(manifest) as writer:
        for reply in tracked(chosen, "import", len(chosen), "request", show=progress):
            writer.write(_request(mazes[reply.answer.puzzle_id], reply), reply.file)
        requests = writer.requests
    return BenchSummary(
        manifest,
        requests,
        len(mazes),
        len(mazes) - len({one.answer.puzzle_id for one in chosen}),
        tuple(_shown(one) for one in (*absent, *left_out)),
        sources.missing,
        sum(one.cut_off for one in chosen),
        strangers,
        found.without_grid,
    )


def _refuse(found: BenchMazes, strangers: Sequence[str]) -> None:
    named = f" ({first_few(strangers)})" if strangers else ""
    raise ImportFormatError(
        f"nothing belongs to the {count_of(len(found.mazes), 'maze')} in {found.source}: there are "
        f"{count_of(len(strangers), 'answer')} to others{named}; answers name a maze, such as {found.mazes[0].name}"
    )


def _check_apart(matched: Sequence[MazeReply]) -> None:
    """Raises ImportFormatError for two answers of a model to one maze that are not told apart."""
    first: dict[tuple[str, str, str, int], MazeReply] = {}
    for reply in matched:
        known = first.setdefault((reply.model, reply.condition, reply.answer.puzzle_id, reply.attempt), reply)
        if known is not reply:
            raise ImportFormatError(
                f"{reply.place} is a second answer to {_shown(reply)}, after {known.place}; say in attempt, from 1, "
                "which each is"
            )


def _shown(reply: MazeReply) -> str:
    return " ".join(part for part in (reply.model, reply.condition, reply.answer.puzzle_id) if part)


def _left_out(matched: Sequence[MazeReply], mazes: dict[str, BenchMaze]) -> Iterator[MazeReply]:
    """The answers that are not there: of groups of which a model answered some."""
    given: dict[tuple[str, str, str], dict[str, list[int]]] = defaultdict(dict)
    first: dict[tuple[str, str, str], MazeReply] = {}
    for reply in matched:
        group = mazes[reply.answer.puzzle_id].group
        sitting = (reply.model, reply.condition, group)
        if sitting not in first:
            first[sitting] = reply
            given[sitting] = {name: [] for name, one in mazes.items() if one.group == group}
        given[sitting][reply.answer.puzzle_id].append(reply.attempt)
    for sitting, of_group in given.items():
        reply = first[sitting]
        for name, attempts in missing_attempts(of_group).items():
            for attempt in attempts:
                yield MazeReply(reply.file, reply.model, reply.condition, attempt, Answer(name, None))


def _request(maze: BenchMaze, reply: MazeReply) -> service_pb2.GradeRequest:
    attempt = f"attempt_{reply.attempt}" if reply.attempt else ""
    name = "/".join(part for part in (reply.model, reply.condition, maze.name, attempt) if part)
    request = service_pb2.GradeRequest(
        request_id=name,
        puzzle_id=maze.name,
        model=reply.model,
        attempt=reply.attempt,
        tags=maze.tags,
        grid_maze=maze.message,
        text=reply.answer.written,
    )
    if reply.condition:
        request.tags["condition"] = reply.condition
    if reply.tokens is not None:
        request.tags["tokens"] = str(reply.tokens)
    if reply.latency_s is not None:
        request.tags["latency_s"] = f"{reply.latency_s:g}"
    if reply.reason:
        request.tags["finish_reason"] = reply.reason[:_MOST_TAG]
    if reply.cut_off:
        request.tags["cut_off"] = "true"
    if reply.answer.missing:
        mark_missing(request)
    return request
