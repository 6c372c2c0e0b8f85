"""What a manifest's line shows: the candidate, and the pictures of its puzzle, as addresses that a page can use."""

from __future__ import annotations

import base64
import binascii
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any, Literal
from urllib.parse import quote

from grader.model.tags import says_missing
from grader.runs.items import TASK_FIELDS

Kind = Literal["picture", "clip", "words", "none"]

NO_ANSWER = "no answer was given"

MOST_CHARACTERS = 20_000
"""Of what a model wrote; the end is shown, for there the answer is."""

MOST_BYTES = 4 * 1024 * 1024
"""Of media whose bytes are in the manifest."""

_TYPES: dict[bytes, str] = {
    b"\x89PNG": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF8": "image/gif",
    b"RIFF": "image/webp",
    b"\x1aE\xdf\xa3": "video/webm",
}


@dataclass(frozen=True)
class Medium:
    """Something to look at.

    Attributes
    ----------
    role : what it is, for people
    kind : a picture, a clip, words, or none where there is nothing to show
    folder, name : where the file is, and its path below that; empty where the bytes are in the manifest
    data : a data URI; empty where there is a file
    text : the words; of none, why there is nothing
    """

    role: str
    kind: Kind
    folder: Path = Path()
    name: str = ""
    data: str = ""
    text: str = ""

    @property
    def path(self) -> Path | None:
        """The file, if there is one."""
        return self.folder / self.name if self.name else None

    def address(self, page: Path) -> str:
        """What a page in a folder calls it."""
        return link(self.folder, self.name, page) if self.name else self.data


def link(folder: Path, name: str, page: Path) -> str:
    """A file's address relative to a page's folder, so that both can be moved together."""
    return f"{_way(folder, page)}/{quote(name)}"


@cache
def _way(folder: Path, page: Path) -> str:
    return quote(Path(os.path.relpath(folder.resolve(), page.resolve())).as_posix())


def candidate_of(said: Mapping[str, Any], folder: Path) -> list[Medium]:
    """What the model made, from a manifest's line; pictures of a series come in their order, words last.

    One line says that there is nothing, where the manifest says so by the tag of missing answers.
    """
    made = _made(said, folder)
    if says_missing((said.get("tags") or {}).items()) and all(one.kind == "none" for one in made):
        return [Medium("answer", "none", text=NO_ANSWER)]
    return made


def _made(said: Mapping[str, Any], folder: Path) -> list[Medium]:
    if "text" in said:
        return [_words(said["text"])]
    if "video" in said:
        return [_medium("candidate", "clip", said["video"], folder)]
    if "frames" in said:
        frames = said["frames"] or {}
        images = frames.get("images") or []
        series = [_medium(f"picture {at}", "picture", one, folder) for at, one in enumerate(images, 1)]
        return [*series, _words(frames.get("text") or "")]
    scene = said.get("scene")
    return [_medium("candidate", "picture", (scene or {}).get("image") if scene else said.get("image"), folder)]


def puzzle_of(said: Mapping[str, Any], folder: Path) -> list[Medium]:
    """The pictures of the puzzle and of its truth."""
    tasks = [value for name, value in said.items() if name in TASK_FIELDS]
    return [_medium(name, "picture", value, folder) for task in tasks for name, value in _media_in(task, "")]


def _media_in(value: Any, path: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Each Media below a task, with its path; one is an object whose only field is ``uri`` or ``data``."""
    if isinstance(value, dict):
        if path and len(value) == 1 and set(value) <= {"uri", "data"}:
            yield path, value
            return
        for name, one in value.items():
            yield from _media_in(one, f"{path} {name}" if path else str(name))
    elif isinstance(value, list):
        for at, one in enumerate(value, 1):
            yield from _media_in(one, f"{path} {at}")


def _words(text: object) -> Medium:
    said = str(text)
    if not said.strip():
        return Medium("words", "none", text="no words")
    return Medium("words", "words", text=said if len(said) <= MOST_CHARACTERS else f"[...] {said[-MOST_CHARACTERS:]}")


def _medium(role: str, kind: Kind, said: object, folder: Path) -> Medium:
    media = said if isinstance(said, dict) else {}
    if "data" in media:
        return _inline(role, kind, str(media["data"]))
    uri = str(media.get("uri") or "")
    if not uri:
        return Medium(role, "none", text="none was given")
    # As the grader reads it: a path relative to the manifest's folder, and nothing else.
    if "://" in uri or PurePosixPath(uri).is_absolute():
        return Medium(role, "none", text=f"{uri} is not a path relative to the manifest")
    if not (folder / uri).is_file():
        return Medium(role, "none", text=f"{PurePosixPath(uri).name} is not there any more")
    if not (folder / uri).stat().st_size:
        return Medium(role, "none", text=f"{PurePosixPath(uri).name} is an empty file")
    return Medium(role, kind, folder, uri)


def _inline(role: str, kind: Kind, data: str) -> Medium:
    if not data:
        return Medium(role, "none", text="it is empty")
    if len(data) > MOST_BYTES:
        return Medium(role, "none", text="its bytes are in the manifest, and too many for a page")
    try:
        head = base64.b64decode(data[:16], altchars=b"-_" if set(data) & {"-", "_"} else None)
    except binascii.Error:
        return Medium(role, "none", text="its bytes are in the manifest, and broken")
    named = next((name for start, name in _TYPES.items() if head.startswith(start)), "")
    return Medium(role, kind, data=f"data:{named or ('video/mp4' if kind == 'clip' else 'image/png')};base64,{data}")
