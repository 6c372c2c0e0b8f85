"""What people see of a candidate: the puzzle and what the model made; no name of either, and nothing of the verdict."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from calibration.labels import CalibrationError
from grader.media.clips.video import open_video
from grader.media.types import MATROSKA_NAME, MP4_NAME, MediaError, format_name
from grader.report.data.records import Record, Results
from grader.report.page.entries import Source, prompt_of
from grader.report.page.media import Medium, candidate_of, puzzle_of
from grader.runs.items import TASK_FIELDS

_TYPES = {
    "PNG": "image/png", "JPEG": "image/jpeg", "WEBP": "image/webp", "GIF": "image/gif", "AVIF": "image/avif",
    "BMP": "image/bmp", MP4_NAME: "video/mp4", MATROSKA_NAME: "video/webm",
}  # fmt: skip
_NOT_SHOWN = frozenset({"cellMap", "cell_map", "mask"})
"""Pictures of a puzzle that are for programs."""
_TRUTH = "truth"
_MOST_PUZZLE_TEXT = 4000
_KEPT = 32


@dataclass(frozen=True)
class SeenItem:
    """What is shown of a candidate.

    Attributes
    ----------
    task : of which kind the puzzle is
    prompt : what was asked for in words; empty where that is not said
    puzzle, candidate : what there is to see; of a puzzle without a picture its description
    """

    task: str
    prompt: str
    puzzle: tuple[Medium, ...]
    candidate: tuple[Medium, ...]

    def medium(self, side: str, at: int) -> Medium | None:
        """One of them; None where there is none."""
        media = {"puzzle": self.puzzle, "candidate": self.candidate}.get(side, ())
        return media[at] if 0 <= at < len(media) else None


class SeenItems:
    """The candidates of a run, as people see them. Use it in a ``with`` block.

    ``find`` gives what is shown of a candidate.
    """

    def __init__(self, results: Results) -> None:
        self._results = results
        self._records: dict[str, Record] = {one.item.request_id: one for one in results.records}
        self._source = Source(results)
        # A line is asked for once ahead, and again with each of its pictures.
        self.find = lru_cache(maxsize=_KEPT)(self._read)

    def __enter__(self) -> SeenItems:
        self._source.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._source.__exit__(*error)

    def check(self, request_ids: Sequence[str]) -> None:
        """Refuses a study that is of another run.

        Raises
        ------
        CalibrationError
            Naming the first candidate that is not in the run.
        """
        strange = [name for name in request_ids if name not in self._records]
        if strange:
            raise CalibrationError(
                f"the study asks about {strange[0]!r}, which is not in this run ({len(strange)} of {len(request_ids)} "
                "are not); name the run that it was begun with, or another file with --study"
            )

    def _read(self, request_id: str) -> SeenItem:
        """What is shown of a candidate."""
        record = self._records[request_id]
        asked = self._source.asked(record)
        folder = self._results.runs[record.run].manifest.parent
        puzzle = tuple(one for one in puzzle_of(asked, folder) if _is_for_people(one.role))
        return SeenItem(
            record.item.task,
            prompt_of(asked),
            puzzle if any(one.kind == "picture" for one in puzzle) else (_described(asked),),
            tuple(candidate_of(asked, folder)),
        )


def _is_for_people(role: str) -> bool:
    words = role.split()
    return _TRUTH not in words and not _NOT_SHOWN & set(words)


def _described(asked: Mapping[str, Any]) -> Medium:
    """A puzzle without a picture, as the manifest has it."""
    for name, task in asked.items():
        if name in TASK_FIELDS and isinstance(task, dict):
            said = {key: value for key, value in task.items() if key != _TRUTH}
            text = json.dumps(said.get("puzzle", said), indent=1, ensure_ascii=False)
            return Medium("puzzle", "words", text=text[:_MOST_PUZZLE_TEXT])
    return Medium("puzzle", "none", text="no puzzle was given")


def bytes_of(medium: Medium) -> tuple[bytes | Path, str] | None:
    """A picture or a clip, its bytes or its file, and its type; None for whatever else a manifest may name."""
    if medium.path is not None:
        try:
            with medium.path.open("rb") as file:
                kind = _TYPES.get(format_name(file.read(1024)) or "")
        except OSError:
            return None
        return None if kind is None else (medium.path, kind)
    if medium.data:
        encoded = medium.data.partition(",")[2]
        data = base64.b64decode(encoded, altchars=b"-_" if set(encoded) & {"-", "_"} else None)
        kind = _TYPES.get(format_name(data) or "")
        return None if kind is None else (data, kind)
    return None


@lru_cache(maxsize=64)
def frame_times(clip: bytes | Path) -> tuple[float, ...]:
    """When each frame of a clip is shown, in seconds; empty where it does not decode."""
    try:
        data = clip.read_bytes() if isinstance(clip, Path) else clip
        with open_video(data) as opened:
            return tuple(round(one.time_s, 4) for one in opened.frames())
    except (MediaError, OSError):
        return ()
