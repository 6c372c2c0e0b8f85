"""Reads manifests: JSON Lines, each line a GradeRequest in the proto's JSON form with media paths.

A media path (``uri``) is relative to the manifest's folder, and leads to a regular file below it, or below a folder
that the caller allows: a manifest may come from a stranger, and what it names is sent to a server. The file is read
here, and its bytes are put in its place, so that a server needs no access to the files. Everything is checked before
the first request is graded, but only a few numbers are kept for each line, so a manifest may have millions.
"""

from __future__ import annotations

import hashlib
import json
import re
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

import numpy as np
from google.protobuf import json_format
from numpy.typing import NDArray

from grader.contract.requests import MAX_REQUEST_ID_CHARS, job_from_proto
from grader.model.errors import GraderError
from grader.model.jobs import GradeJob
from grader.model.json_fields import is_blank, parse_json
from grader.model.wording import first_few
from grader.runs.inline_bytes import not_base64
from grader.runs.media_folders import MediaFolders
from grader.v1 import media_pb2, service_pb2
from grader.wire.media import media_of

_FIELDS = frozenset(
    name for field in service_pb2.GradeRequest.DESCRIPTOR.fields for name in (field.name, field.json_name)
)
_NO_FIELD = re.compile(r'has no field named "(?P<field>[^"]*)" at "GradeRequest\.?(?P<place>[^"]*)"')
_MOST_NAMED = 60
"""Characters of a field's name that messages show."""

MAX_PROBLEMS = 10
"""A manifest with more wrong lines is refused with these."""


class ManifestError(GraderError):
    """A manifest that can't be graded; the message names file and line of each problem."""


class MediaUnreadableError(GraderError):
    """A file that a request names can't be read."""


class TooLargeError(GraderError):
    """A request with its media is over the size limit."""

    def __init__(self, request_id: str, size_bytes: int) -> None:
        super().__init__(f"{request_id} has {size_bytes} bytes")
        self.request_id = request_id
        self.size_bytes = size_bytes


def _key(request_id: str) -> int:
    digest = hashlib.blake2b(request_id.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little")


def _in_short(error: Exception, line: bytes) -> str:
    """What the reader of messages says, in the words of the manifest and without its list of all fields."""
    if line.decode("utf-8-sig").lstrip()[:1] not in ("{", ""):
        return "it is no JSON object"
    try:
        parse_json(line, lone_surrogates=True)
    except ValueError as plain:
        return str(plain)
    text = str(error).partition("\n")[0].rstrip(".")
    if found := _NO_FIELD.search(text):
        return f"there is no field {found['field']!r}" + (f" in {found['place']}" if found["place"] else "")
    return text


def _why_no_manifest(line: bytes) -> str:
    """What the first line says against the file's being a manifest at all; empty where it is a request, if a wrong one.

    Of a file of another kind every line is wrong in the same way, so that one of them says it.
    """
    try:
        said = parse_json(line, lone_surrogates=True)
    except ValueError as error:
        return f"is no JSON: {error}"
    if not isinstance(said, dict):
        return "is no JSON object"
    if said.keys() & {"requestId", "request_id"}:
        return ""
    strange = next((name for name in said if name not in _FIELDS), None)
    return "" if strange is None else f"has no request_id, and there is no field {strange[:_MOST_NAMED]!r} in a request"


def _parse(line: bytes) -> service_pb2.GradeRequest:
    """Raises ``ValueError`` saying what is wrong with the line."""
    request = service_pb2.GradeRequest()
    try:
        json_format.Parse(line.decode("utf-8-sig"), request)
    except UnicodeDecodeError as error:
        raise ValueError("no GradeRequest in JSON: it is not UTF-8") from error
    except (json_format.ParseError, json.JSONDecodeError, RecursionError) as error:
        raise ValueError(f"no GradeRequest in JSON: {_in_short(error, line)}") from error
    if any(media.WhichOneof("source") != "uri" for _, media in media_of(request)):
        wrong = list(not_base64(request.DESCRIPTOR, parse_json(line, lone_surrogates=True)))
        if wrong:
            raise ValueError(
                f"{first_few(wrong)}: no base64; name a file with uri, or write its bytes in base64, without a prefix"
            )
    if not request.request_id:
        raise ValueError("request_id is missing")
    if len(request.request_id) > MAX_REQUEST_ID_CHARS:
        raise ValueError(f"request_id has {len(request.request_id)} characters; at most {MAX_REQUEST_ID_CHARS}")
    return request


@dataclass(frozen=True, eq=False)
class Manifest:
    """A checked manifest. Made by `load_manifest`.

    Attributes
    ----------
    path : the file
    digest : SHA-256 of its bytes, hex. The files it names are not part of it
    uses : (task, profile) of its items; the profile is empty for what names none
    """

    path: Path
    digest: str
    uses: frozenset[tuple[str, str]]
    _folders: MediaFolders
    _offsets: array[int]
    _numbers: array[int]
    _sorted_keys: NDArray[np.uint64]
    _order: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self._offsets)

    def line_number(self, index: int) -> int:
        """The line of an item, from 1; blank lines count as lines but hold no item."""
        return self._numbers[index]

    def index_of(self, request_id: str) -> int | None:
        """The item with this request_id, from 0; ``None`` where there is none."""
        key = np.uint64(_key(request_id))
        place = int(np.searchsorted(self._sorted_keys, key))
        if place == len(self) or self._sorted_keys[place] != key:
            return None
        return int(self._order[place])

    def requests(self) -> Iterator[service_pb2.GradeRequest]:
        """The requests as they are written, with paths of media, in order.

        Raises
        ------
        ManifestError
            If the manifest was changed since it was checked.
        """
        with self.path.open("rb") as file:
            for index, offset in enumerate(self._offsets):
                file.seek(offset)
                yield self._parse(index, file.readline())

    def _parse(self, index: int, line: bytes) -> service_pb2.GradeRequest:
        place = f"{self.path}:{self.line_number(index)}"
        try:
            request = _parse(line)
        except ValueError as error:
            raise ManifestError(f"{place}: {error}") from error
        if self.index_of(request.request_id) != index:
            raise ManifestError(f"{place}: the manifest was changed while it was being graded")
        return request

    def jobs(self) -> Iterator[GradeJob]:
        """Reads the items one by one, each as what `grader.Engine.grade` takes; raises as `job` does."""
        return map(self.job, range(len(self)))

    def job(self, index: int) -> GradeJob:
        """Reads an item as what `grader.Engine.grade` takes.

        Raises
        ------
        InvalidRequestError
            Naming each field that is missing or wrong.
        ManifestError
            If the manifest was changed since it was checked, or a file can't be read.
        """
        return job_from_proto(self.read(index), _inline)

    def read(self, index: int, max_bytes: int | None = None) -> service_pb2.GradeRequest:
        """Reads an item and puts the bytes of its media in place of their paths.

        Parameters
        ----------
        index : int
            From 0.
        max_bytes : int, optional
            The largest that it may be, as of a server; any size by default.

        Raises
        ------
        TooLargeError
            If it is over ``max_bytes``. The files are not read then.
        ManifestError
            If the manifest was changed since it was checked, or a file can't be read.
        """
        try:
            return with_media(self.written(index), self._folders, max_bytes)
        except MediaUnreadableError as error:
            raise ManifestError(f"{self.path}:{self.line_number(index)}: {error}") from error

    def written(self, index: int) -> service_pb2.GradeRequest:
        """An item as it is written, with paths of media; raises ManifestError if the manifest was changed."""
        with self.path.open("rb") as file:
            file.seek(self._offsets[index])
            return self._parse(index, file.readline())


def with_media(
    request: service_pb2.GradeRequest, folders: MediaFolders, max_bytes: int | None
) -> service_pb2.GradeRequest:
    """Puts the bytes of media in place of their paths, in a request of at most so many bytes.

    Raises
    ------
    TooLargeError
        If it is over ``max_bytes``. The files are not read then.
    MediaUnreadableError
        If a file can't be read.
    """
    try:
        named = [
            (field, media, folders.find(field, media.uri))
            for field, media in media_of(request)
            if media.WhichOneof("source") == "uri"
        ]
        size = request.ByteSize() + sum(path.stat().st_size for _, _, path in named)
        if max_bytes is None or size <= max_bytes:
            for field, media, _ in named:
                media.data = folders.read(field, media.uri, max_bytes)
            size = request.ByteSize()
    except (OSError, ValueError) as error:
        raise MediaUnreadableError(str(error)) from error
    if max_bytes is not None and size > max_bytes:
        raise TooLargeError(request.request_id, size)
    return request


def _inline(media: media_pb2.Media, _: str) -> bytes | None:
    return bytes(media.data) if media.WhichOneof("source") == "data" else None


class _Checker:
    """Goes once over a manifest and gathers what is wrong."""

    def __init__(self, path: Path, roots: tuple[Path, ...]) -> None:
        self.path = path
        self.folders = MediaFolders(path.parent, roots)
        self.offsets, self.numbers = array("Q"), array("Q")
        self.keys = array("Q")
        self.problems: list[str] = []
        self.uses: set[tuple[str, str]] = set()

    def wrong(self, number: int, text: object) -> None:
        self.problems.append(f"{self.path}:{number}: {text}")
        if len(self.problems) >= MAX_PROBLEMS:
            raise ManifestError("\n".join([*self.problems, "(there may be more)"]))

    def line(self, number: int, offset: int, line: bytes) -> None:
        try:
            request = _parse(line)
            for field, media in media_of(request):
                if media.WhichOneof("source") == "uri":
                    self.folders.find(field, media.uri)
        except ValueError as error:
            if not self.offsets and not self.problems and (why := _why_no_manifest(line)):
                raise ManifestError(
                    f"{self.path} is no manifest (line {number} {why}); `grader import` makes one of puzzles and what "
                    "models made, `grader import mentisoculi --answers` of answers in words"
                ) from error
            self.wrong(number, error)
            return
        self.offsets.append(offset)
        self.numbers.append(number)
        self.keys.append(_key(request.request_id))
        self.uses.add((request.WhichOneof("task") or "", request.options.profile))


def _lines(path: Path) -> Iterator[tuple[int, int, bytes]]:
    offset = 0
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            yield number, offset, line
            offset += len(line)


def _find_duplicates(checker: _Checker, suspects: NDArray[np.uint64]) -> None:
    """Names lines that share a request_id. Ids of equal keys are compared in full."""
    wanted = {int(key) for key in suspects}
    first: dict[str, int] = {}
    for number, _, line in _lines(checker.path):
        try:
            request_id = _parse(line).request_id
        except ValueError:  # blank, or named already
            continue
        if _key(request_id) not in wanted:
            continue
        if request_id in first:
            checker.wrong(number, f"request_id {request_id!r} is that of line {first[request_id]} too")
        first.setdefault(request_id, number)


def load_manifest(path: str | PathLike[str], roots: Iterable[str | PathLike[str]] = ()) -> Manifest:
    """Checks a manifest: every line a request, every id its own, every file there.

    Parameters
    ----------
    path : path
        A JSON Lines file in UTF-8, with or without a byte order mark. Blank lines are allowed.
    roots : iterable of path
        Folders beside the manifest's own in which its media may be; paths stay relative to the manifest's folder.

    Raises
    ------
    ManifestError
        Naming the lines that are wrong, `MAX_PROBLEMS` at most.
    """
    path = Path(path)
    checker = _Checker(path, tuple(map(Path, roots)))
    digest = hashlib.sha256()
    try:
        for number, offset, line in _lines(path):
            digest.update(line)
            if not is_blank(line):
                checker.line(number, offset, line)
    except IsADirectoryError as error:
        inside = sorted(one.name for one in path.glob("*.jsonl"))
        raise ManifestError(
            f"{path} is a folder; name a manifest, a file as `grader import` writes it"
            + (f" (in it there is {first_few(inside)})" if inside else "")
        ) from error
    except OSError as error:
        raise ManifestError(f"{path}: {error.strerror}") from error
    keys = np.array(checker.keys, dtype=np.uint64)
    order = np.argsort(keys, kind="stable")
    sorted_keys = keys[order]
    equal = sorted_keys[1:] == sorted_keys[:-1]
    if equal.any():
        _find_duplicates(checker, sorted_keys[1:][equal])
    if checker.problems:
        raise ManifestError("\n".join(checker.problems))
    if equal.any():
        # Two different ids with one 64-bit key: not to be met in practice, and not worth more than saying so.
        raise ManifestError(f"{path}: two request_ids have the same 64-bit digest; change one of them")
    if not len(keys):
        raise ManifestError(f"{path}: the manifest holds no request")
    return Manifest(
        path,
        digest.hexdigest(),
        frozenset(checker.uses),
        checker.folders,
        checker.offsets,
        checker.numbers,
        sorted_keys,
        order,
    )
