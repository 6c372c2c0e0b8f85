"""Grades a manifest into a run folder, through a server or with workers of this process; resumable.

Each line of the manifest gets one line in results.jsonl. A verdict is final, and so is a fault of the request. An item
that the grader failed on is tried again within the run where that may help (`TRIES` in all); what fails still is
written with its status, counted apart, and graded anew when the run is resumed. So is an item that needs what is not
installed where it is graded, such as LPIPS, but without being tried again before that. When the server can't be reached
the run stops without writing anything for the items that are left.
"""

from __future__ import annotations

import contextlib
import functools
import queue
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from grader.metrics.runs.aggregates import RunSummary, summarize
from grader.model.errors import GraderError
from grader.model.jobs import DEFAULT_PROFILE
from grader.output.progress import progress_of
from grader.runs.backends import Backend, LocalBackend, RemoteBackend, StreamBrokenError
from grader.runs.folder import RunFolder, RunIdentity, waiting
from grader.runs.manifest import Manifest, TooLargeError, load_manifest
from grader.runs.selection import EVERYTHING, Selection
from grader.serving.settings import ServerSettings, load_settings
from grader.v1 import service_pb2
from grader.wire import statuses

if TYPE_CHECKING:
    import grpc

    from grader.runs.ray_backend import RayBackend

TRIES = 3
"""How often an item is tried that ends in a transient failure."""
_CONNECTION_TRIES = 6
_FIRST_DELAY_S = 0.5
_MAX_DELAY_S = 15.0


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
            except StreamBrokenError as error:
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
                request = self._read(index)
            except TooLargeError as error:
                status = statuses.message_too_large(error.size_bytes, self._max_bytes)
                self._refused.put(statuses.response(error.request_id, status))
                continue
            if self._profile:
                request.options.profile = self._profile
            request.options.overlay = self._overlays
            request.options.annotated_video = self._videos and request.WhichOneof("candidate") == "video"
            yield request

    def _read(self, index: int) -> service_pb2.GradeRequest:
        if self._backend.reads_media:
            return self._manifest.written(index)
        return self._manifest.read(index, self._max_bytes)

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
    ray_address: str | None = None,
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
    ray_address : str, optional
        Grades on the Ray cluster of this address; empty for one of this machine alone. See `grader.runs.ray_backend`.

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
    with contextlib.ExitStack() as ending:
        if server is not None:
            from grader.client import GraderClient

            backend: Backend = RemoteBackend(ending.enter_context(GraderClient(server, credentials=credentials)))
        else:
            settings = load_settings(workers=workers, profiles=profiles)
            local = functools.partial(LocalBackend, settings)
            if ray_address is None:
                backend = ending.enter_context(contextlib.closing(local()))
            else:
                on_ray = _on_ray(local, settings, manifest_path, media_roots, ray_address)
                backend = ending.enter_context(contextlib.closing(on_ray))
        return grade_manifest(
            manifest_path,
            run_dir,
            backend,
            profile=profile,
            overlays=overlays,
            annotated_videos=annotated_videos,
            progress=progress,
            selection=selection,
            media_roots=media_roots,
        )


def _on_ray(
    local: Callable[[], LocalBackend], settings: ServerSettings, manifest: Path, roots: Sequence[Path], address: str
) -> RayBackend:
    from grader.runs.ray_backend import RayBackend, folders_of
    from grader.serving.catalogue import make_catalogue

    return RayBackend(local, make_catalogue(settings), folders_of(manifest, roots), settings.workers, address or None)
