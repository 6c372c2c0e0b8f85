"""What grades the items of a run: workers of this process, or a server. A Ray cluster is `grader.runs.ray_backend`."""

from __future__ import annotations

import queue
from collections.abc import Generator, Iterable
from concurrent.futures import Future
from typing import TYPE_CHECKING, Protocol

from grader.model.errors import GraderError
from grader.serving.settings import ServerSettings
from grader.serving.work import WorkSpec, default_spec
from grader.serving.workers import WorkerPool
from grader.v1 import service_pb2

if TYPE_CHECKING:
    from grader.client import GraderClient

Answers = Generator[service_pb2.GradeBatchResponse, None, None]
_WAIT_FOR_ROOM_S = 600.0


class StreamBrokenError(GraderError):
    """The way to the grader broke; the items without an answer can be sent again."""


class Backend(Protocol):
    """What grades the items of a run.

    Attributes
    ----------
    reads_media : whether it reads the files that requests name itself
    """

    reads_media: bool

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

    reads_media = False

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

    reads_media = False

    def __init__(self, client: GraderClient) -> None:
        self._client = client

    def catalogue(self) -> service_pb2.ListTasksResponse:
        """What the server can grade."""
        return self._client.list_tasks()

    def grade_many(self, requests: Iterable[service_pb2.GradeRequest]) -> Answers:
        """One stream; raises `StreamBrokenError` where that breaks in a way that may mend."""
        from grader.client import GraderCallError

        try:
            yield from self._client.grade_batch(requests)
        except GraderCallError as error:
            if not error.transient:
                raise
            raise StreamBrokenError(str(error)) from error
