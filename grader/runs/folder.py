"""The folder of a run on disk: run.json, results.jsonl, overlays, and the lock. It survives kill -9 at any moment."""

from __future__ import annotations

import fcntl
import hashlib
import json
import operator
import os
import re
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from google.protobuf import json_format

from grader.metrics.runs.aggregates import GRADED_ANEW, status_end
from grader.model.errors import GraderError
from grader.model.json_fields import parse_json
from grader.model.wording import first_few
from grader.output.files import naming, replacing
from grader.runs.manifest import Manifest
from grader.runs.selection import EVERYTHING, Selection, asked_for, join, read_selections, select, selections_of
from grader.v1 import service_pb2

RESULTS_NAME = "results.jsonl"
RUN_NAME = "run.json"
OVERLAYS_NAME = "overlays"
VIDEOS_NAME = "videos"
_LOCK_NAME = ".lock"
_OF_A_START = frozenset({_LOCK_NAME, f".{RUN_NAME}.part"})
"""What is in a folder in which a run was begun and killed before anything was said of it."""
_COMMIT_LINES = 32
_COMMIT_S = 0.5


class RunError(GraderError):
    """A run folder that can't be used as asked; the message says what to do."""


@dataclass(frozen=True)
class RunIdentity:
    """What must stay the same while a run is resumed.

    Attributes
    ----------
    manifest_digest : SHA-256 of the manifest, hex
    profile : name of the profile that all items are graded by; empty for what each item says
    profile_digests : profile, task and digest of the settings that its items are graded by, joined
    grader_version : version of what grades
    """

    manifest_digest: str
    profile: str
    profile_digests: str
    grader_version: str


_ADVICE = {
    "manifest_digest": "the manifest is another or was changed; grade it into a new folder",
    "profile": "the run was begun with another --profile; give that, or grade into a new folder",
    "profile_digests": "bring them back as they were, or grade into a new folder",
    "grader_version": "the run was begun by another version of the grader; use that, or grade into a new folder",
}


def _digests_differ(before: str, now: str) -> str:
    """Which settings a run was begun with that are others now, or gone.

    Examples
    --------
    >>> _digests_differ("mine/maze:1 mine/queens:2", "mine/maze:1 mine/queens:3")
    'mine, task queens: settings changed since this run was begun'
    """
    parts = ([one.rpartition(":") for one in str(joined).split()] for joined in (before, now))
    was, is_now = ({used: digest for used, _, digest in three} for three in parts)
    told = []
    for used in sorted(was.keys() | is_now.keys()):
        if was.get(used) != is_now.get(used):
            profile, _, task = used.partition("/")
            what = "settings changed" if used in was and used in is_now else "new" if used in is_now else "gone"
            told.append(f"{profile}, task {task}: {what} since this run was begun")
    return ", and ".join(told)


def overlay_name(request_id: str) -> str:
    """Name of an overlay's file: what of the id is safe in a file name, and a digest that keeps two ids apart.

    Examples
    --------
    >>> overlay_name("maze/1 a")
    'maze_1_a-265da347.png'
    """
    return f"{_safe_name(request_id)}.png"


def words_name(request_id: str) -> str:
    """Name of the file of marked words, made as `overlay_name` is."""
    return f"{_safe_name(request_id)}.html"


def _page(fragment: str) -> str:
    return f'<!doctype html>\n<meta charset="utf-8">\n<title>What was read</title>\n{fragment}\n'


def video_name(request_id: str) -> str:
    """Name of an annotated clip's file, made as `overlay_name` is."""
    return f"{_safe_name(request_id)}.mp4"


def _safe_name(request_id: str) -> str:
    safe = re.sub(r"[^A-Za-z0-9_-]", "_", request_id)[:80]
    return f"{safe}-{hashlib.sha256(request_id.encode()).hexdigest()[:8]}"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _replace(path: Path, content: bytes) -> None:
    """Writes a file so that it is there either as it was or whole. The folder is locked, so nobody else writes it."""
    with replacing(path, "wb", sync=True, only_writer=True) as file:
        file.write(content)


def _difference(field: str, old: str, new: str) -> str:
    """What is not as it was when the run was begun, and what to do."""
    if field == "profile_digests":
        return f"{_digests_differ(old, new)}; {_ADVICE[field]}"
    # Digests tell a reader nothing.
    values = "" if field.endswith("digest") else f" (it was {old or 'none'}, now it is {new or 'none'})"
    return f"{_ADVICE[field]}{values}"


def _refuse_strange(folder: Path) -> None:
    """Raises RunError where a run may not be begun: in a file, or in a folder of other things. Leaves nothing there."""
    try:
        names = {path.name for path in folder.iterdir()}
    except FileNotFoundError:
        return
    except NotADirectoryError as error:
        raise RunError(f"{folder} is no folder, or is below a file; give --run a folder, which is made") from error
    except OSError as error:
        raise RunError(f"{folder}: {error.strerror}") from error
    if RUN_NAME in names:
        return
    if RESULTS_NAME in names:
        raise RunError(f"{folder} has a {RESULTS_NAME} without {RUN_NAME}; give a new folder")
    if strange := sorted(names - _OF_A_START):
        raise RunError(
            f"{folder} holds {first_few(strange)}, and no run (it has no {RUN_NAME}); give --run a new or an empty "
            "folder, or that of a run to go on with"
        )


def waiting(selected: bytearray, done: bytearray) -> int:
    """How many items are selected and have no result."""
    return sum(map(operator.gt, selected, done))


class RunFolder:
    """A locked run folder. Use it in a ``with`` block.

    Parameters
    ----------
    folder : Path
        Is made where it is not there.
    manifest : Manifest
        What is graded.
    identity : RunIdentity
        Compared with that of a run to be resumed.
    selection : Selection
        What of the manifest is to be graded now; by default all. It may be another one each time a run is resumed.

    Attributes
    ----------
    results : Path
        The file of results.
    selected : bytearray
        A 1 for each item of the manifest that is to be graded now.
    done : bytearray
        A 1 for each item that has its result. One that was graded in vain counts as done while it is not selected.

    Raises
    ------
    RunError
        If another process works in the folder, or it holds another run, or files that are of none.
    SelectionError
        If nothing is selected.
    """

    def __init__(
        self, folder: Path, manifest: Manifest, identity: RunIdentity, selection: Selection = EVERYTHING
    ) -> None:
        self.selected = select(manifest, selection)
        self.results = folder / RESULTS_NAME
        self._folder, self._manifest, self._identity = folder, manifest, identity
        self._waiting: list[bytes] = []
        self._committed = time.monotonic()
        _refuse_strange(folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = self._take_lock()
        except OSError as error:
            raise RunError(f"{folder}: {error.strerror}") from error
        try:
            self._begin(selection)
            self.done = bytearray(len(manifest))
            self._recover()
            self._file = self.results.open("ab")
        except BaseException:
            self._lock.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.commit()
        finally:
            self._file.close()
            self._lock.close()

    def _take_lock(self) -> IO[str]:
        # The kernel frees the lock when its process ends, however it ends, so no stale lock can stay.
        lock = (self._folder / _LOCK_NAME).open("a+")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            owner = lock.read().strip() or "unknown"
            lock.close()
            raise RunError(f"{self._folder}: another run is at work in this folder (process {owner})") from None
        lock.truncate(0)
        lock.write(f"{os.getpid()}\n")
        lock.flush()
        return lock

    def _begin(self, selection: Selection) -> None:
        path = self._folder / RUN_NAME
        if not path.exists():
            self._selections = selections_of(selection)
            self._write_run(started=_now(), finished=None)
            self._is_finished = False
            return
        try:
            was = parse_json(path.read_bytes())
            self._started = str(was["started"])
            before = read_selections(was)
            found = RunIdentity(**{field.name: was[field.name] for field in fields(RunIdentity)})
        except (ValueError, KeyError, TypeError) as error:
            raise RunError(f"{path} can't be read; give a new folder") from error
        for field in fields(RunIdentity):
            old, new = getattr(found, field.name), getattr(self._identity, field.name)
            if old != new:
                raise RunError(f"{self._folder}: {_difference(field.name, old, new)}")
        self._selections = join(before, selection)
        self._is_finished = was.get("finished") is not None and self._selections == before
        if self._selections != before:
            self._write_run(self._started, finished=None)

    def _write_run(self, started: str, finished: str | None) -> None:
        self._started = started
        # Relative, so that run and manifest can be moved together.
        manifest = os.path.relpath(self._manifest.path.resolve(), self._folder.resolve())
        asked = {"selections": [one.to_json() for one in self._selections]}
        run = {"manifest": manifest, **asdict(self._identity), **asked, "started": started, "finished": finished}
        _replace(self._folder / RUN_NAME, (json.dumps(run, indent=2) + "\n").encode())

    def _recover(self) -> None:
        """Drops a torn last line, and the lines of items that have no last word yet, which are graded again."""
        if not self.results.exists():
            return
        keep_bytes, dropped = 0, False
        for line, index in self._read_results():
            if index is None or self.done[index]:
                dropped = True
            else:
                self.done[index] = 1
            keep_bytes += len(line)
        if dropped:
            self._rewrite()
        elif keep_bytes < self.results.stat().st_size:
            os.truncate(self.results, keep_bytes)

    def _rewrite(self) -> None:
        self.done = bytearray(len(self._manifest))
        with replacing(self.results, "wb", sync=True, only_writer=True) as file:
            for line, index in self._read_results():
                if index is not None and not self.done[index]:
                    self.done[index] = 1
                    file.write(line)

    def _read_results(self) -> Iterator[tuple[bytes, int | None]]:
        """Each whole line with its item, or with ``None`` where that is to be graded again."""
        with self.results.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                if not line.endswith(b"\n"):  # torn: the process was killed while it wrote
                    return
                try:
                    item = parse_json(line)
                    status = item.get("status", {})
                    index = self._manifest.index_of(item["requestId"])
                    code, reason = int(status.get("code", 0)), str(status.get("reason", ""))
                except (ValueError, KeyError, AttributeError, TypeError) as error:
                    raise RunError(f"{self.results}:{number}: this line is no result; give a new folder") from error
                if index is None:
                    raise RunError(f"{self.results}:{number}: the manifest has no such request_id; give a new folder")
                failed = code != 0 and status_end(code, reason) in GRADED_ANEW
                yield line, None if failed and self.selected[index] else index

    def add(self, index: int, response: service_pb2.GradeBatchResponse) -> None:
        """Takes the final result of an item. It is on disk after the next `commit`, its pictures at once."""
        verdict = response.verdict
        if verdict.HasField("overlay"):
            overlay = verdict.overlay
            name, data = overlay_name(response.request_id), overlay.png
            if overlay.html:
                name, data = words_name(response.request_id), _page(overlay.html).encode()
            self._keep(OVERLAYS_NAME, name, data)
            verdict.ClearField("overlay")
        if verdict.HasField("annotated_video"):
            self._keep(VIDEOS_NAME, video_name(response.request_id), verdict.annotated_video.mp4)
            verdict.ClearField("annotated_video")
        # Every field is written, zeros too: row 0 is a row, and tables want the same columns in every line.
        line = json_format.MessageToJson(
            response, indent=None, sort_keys=True, always_print_fields_with_no_presence=True
        )
        self._waiting.append(line.encode() + b"\n")
        self._is_finished = False
        self.done[index] = 1
        if len(self._waiting) >= _COMMIT_LINES or time.monotonic() - self._committed >= _COMMIT_S:
            self.commit()

    def _keep(self, folder: str, name: str, data: bytes) -> None:
        (self._folder / folder).mkdir(exist_ok=True)
        _replace(self._folder / folder / name, data)

    def commit(self) -> None:
        """Appends what waits, in whole lines, and waits until the disk has it."""
        # Taken first: an interrupt between writing and clearing would have them written again.
        lines, self._waiting = self._waiting, []
        with naming(self.results):
            self._file.write(b"".join(lines))
            self._file.flush()
            os.fsync(self._file.fileno())
        self._committed = time.monotonic()

    def finish(self) -> None:
        """Notes that every item has its result that was asked for up to now."""
        self.commit()
        if not self._is_finished and not waiting(asked_for(self._manifest, self._selections), self.done):
            self._write_run(self._started, finished=_now())
