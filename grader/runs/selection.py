"""Which requests of a manifest are to be graded: ``--only`` and ``--limit``.

A pattern is ``KEY=GLOB``. KEY is ``id`` (the request_id), ``puzzle``, ``model``, ``task``, ``attempt``, or the name of
a tag; ``tag:NAME`` is that tag even where its name is one of those. A pattern without ``=`` is about the id. In GLOB
``*`` stands for any characters, ``/`` too, ``?`` for one, ``[ab]`` for one of these; case counts. A request is selected
where for each KEY that is named one of its patterns fits. An empty GLOB fits what the request does not say. Of those
the first ``limit`` are taken, in the order of the manifest, whether they have a result already or not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import islice
from typing import Any

from grader.model.errors import GraderError
from grader.model.wording import first_few
from grader.runs.manifest import Manifest
from grader.v1 import service_pb2

KEYS = ("id", "puzzle", "model", "task", "attempt")
_TAG = "tag:"


class SelectionError(GraderError):
    """A selection that can't be read, or that selects nothing; the message says what there is."""


@dataclass(frozen=True)
class Subject:
    """What a request says of itself that patterns look at. ``puzzle`` is the id where the request names none."""

    request_id: str
    puzzle: str
    model: str
    task: str
    attempt: int
    tags: Mapping[str, str] = field(default_factory=dict)

    def value(self, key: str) -> str | None:
        """What it says under a key of a pattern; None for a tag that it does not have."""
        match key:
            case "id":
                return self.request_id
            case "puzzle":
                return self.puzzle
            case "model":
                return self.model
            case "task":
                return self.task
            case "attempt":
                return str(self.attempt or "")
        return self.tags.get(key.removeprefix(_TAG))


@dataclass(frozen=True)
class Selection:
    """Patterns and a limit; without them everything is selected.

    Attributes
    ----------
    only : patterns as they were given
    limit : how many at most; None for all
    """

    only: tuple[str, ...] = ()
    limit: int | None = None

    @property
    def everything(self) -> bool:
        """Whether it leaves nothing out, whatever the manifest."""
        return not self.only and self.limit is None

    def marks(self, subjects: Iterable[Subject], number: int) -> bytearray:
        """A 1 for each of the ``number`` subjects that is selected, in their order.

        Raises
        ------
        SelectionError
            If nothing is selected, or no subject has a tag of the name that a pattern asks for.
        """
        if self.everything:
            return bytearray(b"\1") * number
        patterns = _patterns(self.only)
        found, left, seen = bytearray(number), self.limit, _Seen(patterns)
        # Without patterns nothing has to be looked at beyond the limit.
        for index, subject in enumerate(subjects if patterns else islice(subjects, left)):
            seen.look(subject)
            if left != 0 and all(_fits(subject.value(key), globs) for key, globs in patterns.items()):
                found[index] = 1
                left = None if left is None else left - 1
        if not any(found):
            raise SelectionError(f"nothing in the manifest fits {' and '.join(self.only)}; {seen.text()}")
        return found

    def to_json(self) -> dict[str, Any]:
        """What run.json says of it."""
        return {"only": list(self.only), "limit": self.limit}

    @classmethod
    def from_json(cls, said: Mapping[str, Any]) -> Selection:
        """Reads what run.json says; raises ValueError, KeyError or TypeError where it can't."""
        limit = said["limit"]
        return cls(tuple(map(str, said["only"])), None if limit is None else int(limit))


EVERYTHING = Selection()


class _Seen:
    """What there is under the keys of patterns, for a message where nothing fits."""

    def __init__(self, patterns: Mapping[str, Sequence[str]]) -> None:
        self._values: dict[str, dict[str, None]] = {key: {} for key in patterns}
        self._tags: dict[str, None] = {}

    def look(self, subject: Subject) -> None:
        for key, values in self._values.items():
            value = subject.value(key)
            if value is not None and len(values) < _MOST_SEEN:
                values.setdefault(value)
        if len(self._tags) < _MOST_SEEN:
            self._tags.update(dict.fromkeys(subject.tags))

    def text(self) -> str:
        said = []
        for key, values in self._values.items():
            if values:
                said.append(f"{key} is {first_few([value or repr('') for value in values])}")
            else:
                tags = f"its tags are {first_few(sorted(self._tags))}" if self._tags else "it has no tags"
                said.append(f"there is no tag {key.removeprefix(_TAG)!r}: {tags}")
        return "; ".join(said)


_MOST_SEEN = 1000


def _patterns(only: Sequence[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for text in only:
        key, equals, glob = text.partition("=")
        if not equals:
            key, glob = "id", text
        if not key.removeprefix(_TAG) or not text:
            raise SelectionError(f"--only {text!r} is no KEY=PATTERN, such as model=gpt* or task=maze")
        found[key].append(glob)
    return found


def _fits(value: str | None, globs: Sequence[str]) -> bool:
    return any(not glob if value is None else fnmatchcase(value, glob) for glob in globs)


def subject_of(request: service_pb2.GradeRequest) -> Subject:
    """What a request says of itself."""
    return Subject(
        request.request_id,
        request.puzzle_id or request.request_id,
        request.model,
        request.WhichOneof("task") or "",
        request.attempt,
        dict(request.tags),
    )


def select(manifest: Manifest, selection: Selection) -> bytearray:
    """A 1 for each item of a manifest that is selected; see `Selection.marks`."""
    return selection.marks(map(subject_of, manifest.requests()), len(manifest))


def asked_for(manifest: Manifest, selections: Sequence[Selection]) -> bytearray:
    """A 1 for each item of a manifest that one of several selections takes; without any, all."""
    return union([select(manifest, one) for one in selections or (EVERYTHING,)])


def union(marks: Sequence[bytearray]) -> bytearray:
    """A 1 wherever one of these has it."""
    return bytearray(map(max, zip(*marks, strict=True)))


def selections_of(first: Selection) -> tuple[Selection, ...]:
    """What was asked for once a run is begun; none says that everything was."""
    return () if first.everything else (first,)


def join(before: Sequence[Selection], more: Selection) -> tuple[Selection, ...]:
    """What was asked for up to now, once more is: each selection once; none says that everything was."""
    if not before or more.everything:
        return ()
    return (*before, *(() if more in before else (more,)))


def read_selections(run: Mapping[str, Any]) -> tuple[Selection, ...]:
    """What a run.json says that was asked for; none where that is everything. ValueError and the like if it can't."""
    return tuple(map(Selection.from_json, run.get("selections", ())))
