"""Grades a manifest into a run folder, through a server or with workers of this process; resumable.

Each line of the manifest gets one line in results.jsonl. A verdict is final, and so is a fault of the request. An item
that the grader failed on is tried again within the run where that may help (`TRIES` in all); what fails still is
written with its status, counted apart, and graded anew when the run is resumed. So is an item that needs what is not
installed where it is graded, such as LPIPS, but without being tried again before that. When the server can't be reached
the run stops without writing anything for the items that are left.
"""

from __future__ import annotations

import contextlib
import queue
import random
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from grader.metrics.runs.aggregates import RunSummary, summarize
from grader.model.errors import GraderError
from grader.model.jobs import DEFAULT_PROFILE
from grader.output.progress import progress_of
from grader.runs.folder import RunFolder, RunIdentity, waiting
from grader.runs.manifest import Manifest, TooLargeError, load_manifest
from grader.runs.selection import EVERYTHING, Selection
from grader.serving.settings import ServerSettings, load_settings
from grader.serving.work import WorkSpec, default_spec
from grader.serving.workers import WorkerPool
from grader.v1 import service_pb2
from grader.wire import statuses

if TYPE_CHECKING:
    import grpc

    from grader.client import GraderClient

Answers = Generator[service_pb2.GradeBatchResponse, None, None]

TRIES = 3
"""How often an item is tried that ends in a transient failure."""
_CONNECTION_TRIES = 6
_FIRST_DELAY_S = 0.5
_MAX_DELAY_S = 15.0
_WAIT_FOR_ROOM_S = 600.0


class RunIncompleteError(GraderError):
    """A run stopped before every item had a result. What was graded is kept; the same command goes on."""


@dataclass(frozen=True)
class RunReport:
    """What a run came to.

    Attributes
    ----------
    summary : counts of what was selected
    results : the file of results; it may hold others, from when another selection was graded
    requests : how many the manifest holds
    selected : how many of them were to be graded now
    without_result : how many of the manifest have no result yet
    is_selected : whether the request of an id was to be graded now
    """

    summary: RunSummary
    results: Path
    requests: int
    selected: int
    without_result: int
    is_selected: Callable[[str], bool]


class _StreamBrokenError(GraderError):
    """The way to the grader broke; the items without an answer can be sent again."""


class Backend(Protocol):
    """What grades the items of a run."""

    def catalogue(self) -> service_pb2.ListTasksResponse:
        """What it can grade, and its limits."""

    def grade_many(self, requests: Iterable[service_pb2.GradeRequest]) -> Answers:
        """Answers as they get ready. ``requests`` may be read in another thread."""


class LocalBackend:
    """Grades with worker processes of this program.

    Parameters
    ----------
    settings : ServerSettings
        For the workers, the limits on media and the time an item may take.
    spec : WorkSpec, optional
        What workers start with; by default the real engine.
    catalogue : ListTasksResponse, optional
        By default what the real engine can do.
    """

    def __init__(
        self,
        settings: ServerSettings,
        spec: WorkSpec | None = None,
        catalogue: service_pb2.ListTasksResponse | None = None,
    ) -> None:
        from grader.profiles.reading import load_profiles
        from grader.serving.catalogue import make_catalogue
        from grader.serving.lpips import make_broker

        self._catalogue = catalogue or make_catalogue(settings)
        made = spec or default_spec(
            settings.media_limits,
            log_level="WARNING",
            box_detector=settings.box_detector,
            profiles=load_profiles(settings.profiles),
        )
        self._window = 2 * settings.workers + 2
        self._lpips = make_broker(settings, log_level="WARNING") if spec is None else None
        self._pool = WorkerPool(made, settings.workers, self._window, settings.request_timeout_s, self._lpips)

    def catalogue(self) -> service_pb2.ListTasksResponse:
        """What the engine can grade."""
        return self._catalogue

    def grade_many(self, requests: Iterable[service_pb2.GradeRequest]) -> Answers:
        """Keeps a few requests in the workers' queue, so that memory does not grow with the manifest."""
        self._pool.wait_ready()
        ready: queue.SimpleQueue[Future[service_pb2.GradeBatchResponse]] = queue.SimpleQueue()
        running = 0
        for request in requests:
            answer = self._pool.submit(request.SerializeToString(), request.request_id, wait_s=_WAIT_FOR_ROOM_S)
            answer.add_done_callback(ready.put)
            running += 1
            while running >= self._window or (running and not ready.empty()):
                yield ready.get().result()
                running -= 1
        while running:
            yield ready.get().result()
            running -= 1

    def close(self) -> None:
        """Ends the workers, and what measures LPIPS."""
        self._pool.close()
        if self._lpips is not None:
            self._lpips.close()


class RemoteBackend:
    """Grades through a server.

    Parameters
    ----------
    client : GraderClient
        The connection; it stays the caller's to close.
    """

    def __init__(self, client: GraderClient) -> None:
        self._client = client

    def catalogue(self) -> service_pb2.ListTasksResponse:
        """What the server can grade."""
        return self._client.list_tasks()

    def grade_many(self, requests: Iterable[service_pb2.GradeRequest]) -> Answers:
        """One stream; raises `_StreamBrokenError` where that breaks in a way that may mend."""
        from grader.client import GraderCallError

        try:
            yield from self._client.grade_batch(requests)
        except GraderCallError as error:
            if not error.transient:
                raise
            raise _StreamBrokenError(str(error)) from error


class _Run:
    """One run: rounds over the items that have no result yet."""

    def __init__(
        self, manifest: Manifest, folder: RunFolder, backend: Backend, profile: str, overlays: bool, videos: bool
    ) -> None:
        self._manifest, self._folder, self._backend = manifest, folder, backend
        self._profile, self._overlays, self._videos = profile, overlays, videos
        self._max_bytes = backend.catalogue().limits.max_message_bytes
        self._refused: queue.SimpleQueue[service_pb2.GradeBatchResponse] = queue.SimpleQueue()

    @property
    def left(self) -> int:
        return waiting(self._folder.selected, self._folder.done)

    def go(self, advance: Callable[[], object]) -> None:
        round_number, broken = 1, 0
        while True:
            before = self.left
            try:
                self._round(advance, final=round_number >= TRIES)
                broken = 0
                round_number += 1
            except _StreamBrokenError as error:
                broken = 1 if self.left < before else broken + 1
                if broken >= _CONNECTION_TRIES:
                    selected = self._folder.selected.count(1)
                    raise RunIncompleteError(
                        f"{error}; {self.left} of {selected} items are left; run the same command again to go on"
                    ) from error
            if not self.left:
                return
            longest = min(_MAX_DELAY_S, _FIRST_DELAY_S * 2.0 ** (broken + round_number - 2))
            time.sleep(random.uniform(longest / 2, longest))  # many runs that failed together do not come back together

    def _round(self, advance: Callable[[], object], *, final: bool) -> None:
        with contextlib.closing(self._backend.grade_many(self._requests())) as answers:
            for answer in answers:
                self._take(answer, advance, final=final)
                self._take_refused(advance)
        self._take_refused(advance)

    def _requests(self) -> Iterator[service_pb2.GradeRequest]:
        # The done marks are looked at one by one, for a gRPC thread may run this while answers come.
        for index in range(len(self._manifest)):
            if self._folder.done[index] or not self._folder.selected[index]:
                continue
            try:
                request = self._manifest.read(index, self._max_bytes)
            except TooLargeError as error:
                status = statuses.message_too_large(error.size_bytes, self._max_bytes)
                self._refused.put(statuses.response(error.request_id, status))
                continue
            if self._profile:
                request.options.profile = self._profile
            request.options.overlay = self._overlays
            request.options.annotated_video = self._videos and request.WhichOneof("candidate") == "video"
            yield request

    def _take_refused(self, advance: Callable[[], object]) -> None:
        with contextlib.suppress(queue.Empty):
            while True:
                self._take(self._refused.get_nowait(), advance, final=True)

    def _take(self, answer: service_pb2.GradeBatchResponse, advance: Callable[[], object], *, final: bool) -> None:
        index = self._manifest.index_of(answer.request_id)
        if index is None:
            raise RunIncompleteError(f"the grader answered a request that was not sent: {answer.request_id!r}")
        if self._folder.done[index] or (statuses.is_transient(answer.status) and not final):
            return
        self._folder.add(index, answer)
        advance()


def _digests_used(manifest: Manifest, profile: str | None, offered: service_pb2.ListTasksResponse) -> str:
    """Name, task and digest of the settings that items are graded by; what else a grader knows may change."""
    digests = {(one.name, task): digest for one in offered.profiles for task, digest in one.task_digests.items()}
    used = {(profile or named or DEFAULT_PROFILE, task) for task, named in manifest.uses}
    return " ".join(sorted(f"{name}/{task}:{digests[name, task]}" for name, task in used if (name, task) in digests))


def grade_manifest(
    manifest_path: Path,
    run_dir: Path,
    backend: Backend,
    *,
    profile: str | None = None,
    overlays: bool = False,
    annotated_videos: bool = False,
    progress: bool = True,
    selection: Selection = EVERYTHING,
    media_roots: Sequence[Path] = (),
) -> RunReport:
    """Grades a manifest with a backend; see `run_batch`."""
    manifest = load_manifest(manifest_path, media_roots)
    offered = backend.catalogue()
    names = [known.name for known in offered.profiles]
    if profile and profile not in names:
        raise GraderError(f"there is no profile {profile!r}; there are: {', '.join(names)}")
    identity = RunIdentity(
        manifest_digest=manifest.digest,
        profile=profile or "",
        profile_digests=_digests_used(manifest, profile, offered),
        grader_version=offered.grader_version,
    )
    with RunFolder(run_dir, manifest, identity, selection) as folder:
        run = _Run(manifest, folder, backend, profile or "", overlays, annotated_videos)
        selected = folder.selected.count(1)
        if run.left:
            with progress_of("grade", selected, "item", show=progress, initial=selected - run.left) as bar:
                run.go(bar.update)
        folder.finish()
        marks = folder.selected

        def is_selected(request_id: str) -> bool:
            index = manifest.index_of(request_id)
            return index is not None and bool(marks[index])

        return RunReport(
            summary=summarize(folder.results, is_selected),
            results=folder.results,
            requests=len(manifest),
            selected=selected,
            without_result=folder.done.count(0),
            is_selected=is_selected,
        )


def run_batch(
    manifest_path: Path,
    run_dir: Path,
    *,
    server: str | None = None,
    profile: str | None = None,
    profiles: Path | None = None,
    overlays: bool = False,
    annotated_videos: bool = False,
    progress: bool = True,
    workers: int | None = None,
    credentials: grpc.ChannelCredentials | None = None,
    selection: Selection = EVERYTHING,
    media_roots: Sequence[Path] = (),
) -> RunReport:
    """Grades a manifest into a run folder; goes on where an earlier run of the same was stopped.

    Parameters
    ----------
    manifest_path : Path
        JSON Lines of GradeRequest; see `grader.runs.manifest`.
    run_dir : Path
        Gets results.jsonl (one GradeBatchResponse a line, as they got ready), run.json, overlays and videos.
    server : str, optional
        ``host:port``; by default workers of this process grade, under the limits that ``GRADER_*`` set.
    profile : str, optional
        Grades every item by this profile, whatever the manifest says.
    profiles : Path, optional
        Folder with further profiles, where no server is given.
    overlays : bool, optional
        Whether to draw overlays.
    annotated_videos : bool, optional
        Whether to draw what was seen on every frame of clips.
    progress : bool, optional
        Whether to show on stderr how far it is.
    workers : int, optional
        Processes, where no server is given.
    credentials : grpc.ChannelCredentials, optional
        For a server with TLS.
    selection : Selection, optional
        What of the manifest to grade; by default all.
    media_roots : sequence of Path, optional
        Folders in which media may be, beside that of the manifest.

    Returns
    -------
    RunReport

    Raises
    ------
    ManifestError, RunError
        If manifest or folder can't be used.
    SelectionError
        If nothing is selected.
    RunIncompleteError
        If items are left without a result.
    """
    if server is None:
        with contextlib.closing(LocalBackend(load_settings(workers=workers, profiles=profiles))) as local:
            return grade_manifest(
                manifest_path,
                run_dir,
                local,
                profile=profile,
                overlays=overlays,
                annotated_videos=annotated_videos,
                progress=progress,
                selection=selection,
                media_roots=media_roots,
            )
    from grader.client import GraderClient

    with GraderClient(server, credentials=credentials) as client:
        return grade_manifest(
            manifest_path,
            run_dir,
            RemoteBackend(client),
            profile=profile,
            overlays=overlays,
            annotated_videos=annotated_videos,
            progress=progress,
            selection=selection,
            media_roots=media_roots,
        )
