"""Picks candidates to look at, the most disputable first, and makes small pictures of them."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from PIL import Image

from grader.media.pictures import MediaError, decode_image
from grader.model.failure import FailureMode
from grader.model.json_fields import parse_json
from grader.report.data.grouping import natural
from grader.report.data.records import Record, Results
from grader.runs.folder import OVERLAYS_NAME, RESULTS_NAME, overlay_name

CANDIDATE_SIDE_PX = 480
OVERLAY_SIDE_PX = 1000
MOST_BYTES = 24 * 1024 * 1024
"""Pictures in a page, in all; what comes after has none."""

MOST_CHARACTERS = 1500
"""Of what a model wrote; the end is shown, for there the answer is."""

_QUALITY = 80


@dataclass(frozen=True)
class Group:
    """Candidates that ended alike: a title, a sentence, how many there are, and those that are shown."""

    title: str
    meaning: str
    count: int
    shown: tuple[Record, ...]


@dataclass(frozen=True)
class Picture:
    """A picture as a data URI; or an empty one, and why there is none."""

    uri: str
    why_not: str = ""


@dataclass(frozen=True)
class Example:
    """A candidate to look at.

    Attributes
    ----------
    record : its record
    reasons : (code, sentence) of each
    candidate, overlay : its pictures
    words : the end of what the model wrote; None where the candidate has no words
    """

    record: Record
    reasons: tuple[tuple[str, str], ...]
    candidate: Picture
    overlay: Picture
    words: str | None = None


def pick(records: Iterable[Record], limit: int) -> list[Group]:
    """Groups a task's candidates for a person who wants to disagree.

    First where outcome and score say different things, then the passes, then each failure mode by its gravest reason.
    Within a group the most doubtful come first, then the order of ids, so that the choice is always the same.

    Parameters
    ----------
    records : iterable of Record
        Those of one task.
    limit : int
        How many of a group are shown.
    """
    found: dict[tuple[int, str, str], list[Record]] = {}
    for record in records:
        if not record.is_candidate:
            continue
        if record.passed:
            found.setdefault((2, "PASS", _PASSES), []).append(record)
            if record.score is not None and not record.scored:
                found.setdefault((0, "PASS, but the score is below 1", _BELOW), []).append(record)
            continue
        if record.scored:
            found.setdefault((1, "FAIL, but the score is 1", _REACHED), []).append(record)
        mode = record.mode or FailureMode.UNKNOWN
        code = record.codes[0] if record.codes else "no reason"
        rank = 3 + list(FailureMode).index(mode)
        found.setdefault((rank, f"{mode.value}: {code}", mode.meaning), []).append(record)
    groups = []
    for (_, title, meaning), members in sorted(found.items(), key=lambda item: item[0]):
        members.sort(key=lambda record: (-record.doubt, natural(record.item.request_id), record.run))
        groups.append(Group(title, meaning, len(members), tuple(members[:limit])))
    return groups


_PASSES = "Right answers; those that the detector was least sure of come first."
_BELOW = "A person would call them right, the paper's score does not."
_REACHED = "The paper's score calls them right, a person would not: cheats, or faults that the score does not see."


class Album:
    """Makes pictures for a page until it is full."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._room = most_bytes

    def example(self, results: Results, record: Record) -> Example:
        """A record with its pictures and reasons."""
        run = results.runs[record.run]
        drawn = run.folder / OVERLAYS_NAME / overlay_name(record.item.request_id)
        overlay = Picture("", "no overlay; `grader grade ... --overlays` draws them")
        if drawn.is_file():
            overlay = self._picture(drawn, OVERLAY_SIDE_PX)
        made = _made(run.manifest, record.item.offset)
        candidate = Picture("", made.why_not) if made.why_not else self._candidate(run.manifest.parent, made.picture)
        reasons = _reasons(run.folder / RESULTS_NAME, record.offset)
        return Example(record, reasons, candidate, overlay, made.words)

    def _candidate(self, folder: Path, uri: str) -> Picture:
        if not uri:
            return Picture("", "the manifest holds its bytes, not a path")
        # As the grader reads it: a path relative to the manifest's folder, and nothing else.
        if "://" in uri or PurePosixPath(uri).is_absolute():
            return Picture("", f"{uri} is not a path relative to the manifest")
        return self._picture(folder / uri, CANDIDATE_SIDE_PX)

    def _picture(self, path: Path, side: int) -> Picture:
        if self._room <= 0:
            return Picture("", "the page is full; ask for fewer --examples")
        try:
            pixels = decode_image(path.read_bytes()).pixels
        except FileNotFoundError:
            return Picture("", f"{path.name} is not there any more")
        except MediaError as error:
            return Picture("", str(error))
        image = Image.fromarray(pixels)
        image.thumbnail((side, side), Image.Resampling.LANCZOS)
        stream = io.BytesIO()
        image.save(stream, "WEBP", quality=_QUALITY, method=2)
        data = stream.getvalue()
        self._room -= len(data)
        return Picture("data:image/webp;base64," + base64.b64encode(data).decode("ascii"))


@dataclass(frozen=True)
class _Made:
    """What a model made, as the manifest has it: words, the path of a picture, or why there is no picture to show."""

    words: str | None = None
    picture: str = ""
    why_not: str = ""


def _made(manifest: Path, offset: int) -> _Made:
    """Reads a line again, for there may be millions of them, and few are shown."""
    with manifest.open("rb") as lines:
        lines.seek(offset)
        said = parse_json(lines.readline())
    if "text" in said:
        return _Made(words=_end_of(str(said["text"])), why_not="it is words")
    if "video" in said:
        path = str((said["video"] or {}).get("uri") or "its bytes are in the manifest")
        return _Made(why_not=f"it is a clip ({path}); the overlay shows frames of it")
    if "frames" in said:
        frames = said["frames"] or {}
        words, images = _end_of(str(frames.get("text") or "")), frames.get("images") or []
        if not images:
            return _Made(words, why_not="no picture was drawn")
        return _Made(words, str(images[-1].get("uri") or ""))
    return _Made(picture=str((said.get("image") or {}).get("uri") or ""))


def _end_of(text: str) -> str:
    if not text.strip():
        return "(no words)"
    return text if len(text) <= MOST_CHARACTERS else f"[...] {text[-MOST_CHARACTERS:]}"


def _reasons(results: Path, offset: int) -> tuple[tuple[str, str], ...]:
    """Sentences are not kept while reading, for there may be millions; those of examples are read again."""
    with results.open("rb") as lines:
        lines.seek(offset)
        verdict = parse_json(lines.readline())["verdict"]
    given: Sequence[dict[str, str]] = verdict.get("reasons") or []
    return tuple((str(reason["code"]), str(reason.get("message", ""))) for reason in given)
