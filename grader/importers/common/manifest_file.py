"""Writes a manifest that appears whole or not at all."""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from google.protobuf import json_format

from grader.importers.common.errors import ImportFormatError
from grader.importers.common.missing import MissingAnswers
from grader.output.files import replacing
from grader.v1 import service_pb2

_MAX_REQUEST_ID = 512


@dataclass(frozen=True)
class ImportSummary:
    """What an import made.

    Attributes
    ----------
    manifest : the file that was written
    requests : its lines
    instances : instances of the source
    instances_without_outputs : those of them that no line is about
    unmatched_outputs : pictures that belong to no instance, relative to the folder of outputs
    missing_answers : what the model did not make of instances that it was asked, each as instance and attempt
    missing : whether these are lines
    """

    manifest: Path
    requests: int
    instances: int
    instances_without_outputs: int
    unmatched_outputs: tuple[Path, ...]
    missing_answers: tuple[str, ...] = ()
    missing: MissingAnswers = MissingAnswers.WRONG


class ManifestWriter:
    """Takes the requests of a manifest one by one; made by `whole_manifest`.

    Attributes
    ----------
    requests : int
        How many were taken.
    """

    def __init__(self, path: Path, stream: IO[str]) -> None:
        self.requests = 0
        self._folder, self._stream = path.parent, stream
        self._sources: dict[str, Path] = {}

    def uri(self, path: Path) -> str:
        """A file's path as media have it: relative to the manifest's folder."""
        check_name(path)
        return Path(os.path.relpath(path, self._folder)).as_posix()

    def write(self, request: service_pb2.GradeRequest, source: Path) -> None:
        """Writes a line.

        Parameters
        ----------
        request : GradeRequest
            Its request_id has to be its own.
        source : Path
            Where it comes from, for messages.

        Raises
        ------
        ImportFormatError
            If the request_id is too long, or there already.
        """
        check_name(source)
        name = request.request_id
        if len(name) > _MAX_REQUEST_ID:
            raise ImportFormatError(
                f"{source}: the request id would have {len(name)} characters, the limit is {_MAX_REQUEST_ID}; shorten "
                "the file's name"
            )
        if name in self._sources:
            raise ImportFormatError(
                f"{source}: the request id {name!r} would be that of {self._sources[name]} too; rename one of them, or "
                "import them into manifests of their own"
            )
        self._sources[name] = source
        # Sorted, because the order of a map's entries is not fixed.
        self._stream.write(json_format.MessageToJson(request, indent=None, sort_keys=True, ensure_ascii=False) + "\n")
        self.requests += 1


def check_name(path: Path) -> None:
    """Refuses a path that can't be written in a manifest; raises ImportFormatError."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        raise ImportFormatError(f"{str(path)!a}: the name is not UTF-8; rename it") from None


_URI = re.compile(r'"uri": ?("(?:[^"\\]|\\.)*")')


def media_outside(manifest: Path) -> Path | None:
    """The folder of all media of a manifest that are not below its own folder, links followed; None where all are."""
    own = manifest.parent.resolve()
    found: set[str] = set()
    with manifest.open(encoding="utf-8") as lines:
        for line in lines:
            for uri in _URI.findall(line):
                folder = Path(os.path.realpath(own / json.loads(uri))).parent
                if not folder.is_relative_to(own):
                    found = {os.path.commonpath([str(folder), *found])}
    return Path(*found) if found else None


def manifest_place(manifest: Path) -> Path:
    """Makes the folder of a manifest, and says where it will be, with its folder resolved.

    Raises
    ------
    ImportFormatError
        If a folder has its name.
    """
    if manifest.is_dir():
        raise ImportFormatError(f"{manifest} is a folder; name a file for the manifest, such as {manifest}/run.jsonl")
    manifest.parent.mkdir(parents=True, exist_ok=True)
    return manifest.parent.resolve() / manifest.name


@contextlib.contextmanager
def whole_manifest(path: Path) -> Iterator[ManifestWriter]:
    """Writes a manifest beside its place, and puts it there if all goes well; otherwise an old one stays.

    Parameters
    ----------
    path : Path
        As `manifest_place` gives it.
    """
    with replacing(path, sync=True) as stream:
        yield ManifestWriter(path, stream)
