"""Grades a run on a Ray cluster: ``grader grade --engine ray``. The package ``ray`` is imported when that is asked for.

A line of the manifest goes over with paths, and the machine that grades it reads the files; so manifest and media lie
where all machines see them under the same path. Each machine has actors with worker processes of their own, which are
those of a run on one machine, with the same kills and limits. Lines of one puzzle go together, to an actor that has had
the puzzle before where there is room, so that it is read and prepared once for its candidates.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader import __version__
from grader.model.errors import GraderError
from grader.runs.manifest import TooLargeError, with_media
from grader.runs.media_folders import MediaFolders
from grader.v1 import service_pb2
from grader.wire import statuses

if TYPE_CHECKING:
    from grader.runs.backends import Answers, Backend

HOW_TO_GET = "the engine ray needs a package that is not installed: pip install '.[ray]' in the project's folder"
_MOST_OF_A_GROUP = 32
_OPEN_REQUESTS = 2048
"""So many lines are looked at together to find those of one puzzle."""
_GROUPS_AHEAD = 2
"""Groups that an actor is given before it answers the first, so that it never waits."""
_KNOWN_PUZZLES = 65_536


class RayMissingError(GraderError):
    """Ray is asked for and not installed, or has no room for a single actor."""


class GradingActor:
    """What one actor does: reads media and has its own workers grade.

    Parameters
    ----------
    make_backend : callable
        Makes what grades.
    folders : MediaFolders
        Where media may be.
    version : str
        Of the grader that runs the run; another one here is refused, for its verdicts are others.
    """

    def __init__(self, make_backend: Callable[[], Backend], folders: MediaFolders, version: str = __version__) -> None:
        if version != __version__:
            raise GraderError(f"this machine has version {__version__} of the grader, and the run is of {version}")
        self._backend, self._folders = make_backend(), folders
        self._most_bytes = int(self._backend.catalogue().limits.max_message_bytes)

    def grade(self, lines: Sequence[bytes]) -> list[bytes]:
        """Grades serialized requests; gives as many serialized answers, in any order."""
        refused: list[service_pb2.GradeBatchResponse] = []

        def requests() -> Iterator[service_pb2.GradeRequest]:
            for line in lines:
                request = service_pb2.GradeRequest.FromString(line)
                try:
                    yield with_media(request, self._folders, self._most_bytes)
                except TooLargeError as error:
                    status = statuses.message_too_large(error.size_bytes, self._most_bytes)
                    refused.append(statuses.response(request.request_id, status))

        with contextlib.closing(self._backend.grade_many(requests())) as answers:
            return [bytes(answer.SerializeToString()) for answer in (*answers, *refused)]


class RayBackend:
    """Grades on a Ray cluster.

    Parameters
    ----------
    make_backend : callable
        Makes what an actor grades with; it must pickle.
    catalogue : ListTasksResponse
        What that can grade.
    folders : MediaFolders
        Where media may be, with a path that holds on all machines.
    workers : int
        Worker processes of an actor, which takes as many CPUs.
    address : str, optional
        Of the cluster; by default the one that this process belongs to, or one of this machine alone.
    """

    reads_media = True

    def __init__(
        self,
        make_backend: Callable[[], Backend],
        catalogue: service_pb2.ListTasksResponse,
        folders: MediaFolders,
        workers: int,
        address: str | None = None,
    ) -> None:
        try:
            import ray
        except ImportError as error:
            raise RayMissingError(HOW_TO_GET) from error
        self._ray = ray
        self._catalogue = catalogue
        own = not ray.is_initialized()
        if own:
            ray.init(address=address, log_to_driver=False, logging_level="ERROR")
        self._own = own
        found = sum(int(node["Resources"].get("CPU", 0)) // workers for node in ray.nodes() if node["Alive"])
        if not found:
            self.close()
            raise RayMissingError(
                f"no machine of the Ray cluster has {workers} CPUs for an actor; give fewer --workers"
            )
        # A machine that goes away takes its actors along, and they come back elsewhere; their lines are graded anew.
        remote = ray.remote(GradingActor).options(num_cpus=workers, max_restarts=-1)
        self._actors = [remote.remote(make_backend, folders, __version__) for _ in range(found)]
        self._had: OrderedDict[bytes, int] = OrderedDict()

    def catalogue(self) -> service_pb2.ListTasksResponse:
        """What the engine can grade."""
        return self._catalogue

    def grade_many(self, requests: Iterable[service_pb2.GradeRequest]) -> Answers:
        """Hands groups of requests to actors, a few ahead, so that memory does not grow with the manifest."""
        running: dict[Any, tuple[int, list[service_pb2.GradeRequest]]] = {}
        loads = [0] * len(self._actors)
        for key, group in by_puzzle(requests):
            while min(loads) >= _GROUPS_AHEAD:
                yield from self._take(running, loads)
            place = self._place_of(key, loads)
            lines = [request.SerializeToString() for request in group]
            running[self._actors[place].grade.remote(lines)] = (place, group)
            loads[place] += 1
        while running:
            yield from self._take(running, loads)

    def _place_of(self, key: bytes, loads: list[int]) -> int:
        """The actor that has had the puzzle, where it has room; else the one with the most room."""
        place = self._had.get(key)
        if place is None or loads[place] >= _GROUPS_AHEAD:
            place = loads.index(min(loads))
        self._had[key] = place
        self._had.move_to_end(key)
        if len(self._had) > _KNOWN_PUZZLES:
            self._had.popitem(last=False)
        return place

    def _take(
        self, running: dict[Any, tuple[int, list[service_pb2.GradeRequest]]], loads: list[int]
    ) -> Iterator[service_pb2.GradeBatchResponse]:
        """The answers of groups that are ready, at least one; of an actor that died, statuses that are tried again."""
        ready, _ = self._ray.wait(list(running), num_returns=1)
        for one in ready:
            place, group = running.pop(one)
            loads[place] -= 1
            try:
                answers = self._ray.get(one)
            except self._ray.exceptions.RayActorError:
                yield from (statuses.response(request.request_id, statuses.worker_died()) for request in group)
            except self._ray.exceptions.RayTaskError as error:
                raise _cause_of(error) from error
            else:
                yield from map(service_pb2.GradeBatchResponse.FromString, answers)

    def close(self) -> None:
        """Ends the actors, and the connection where it was made here."""
        for actor in getattr(self, "_actors", ()):
            self._ray.kill(actor)
        if self._own:
            self._ray.shutdown()


def _cause_of(error: Any) -> GraderError:
    """What an actor raised, in its own words."""
    cause = getattr(error, "cause", error)
    return cause if isinstance(cause, GraderError) else GraderError(f"an actor failed: {cause}")


def by_puzzle(
    requests: Iterable[service_pb2.GradeRequest],
) -> Iterator[tuple[bytes, list[service_pb2.GradeRequest]]]:
    """Groups requests that have a puzzle in common, each with the puzzle's digest, as they come."""
    waiting: OrderedDict[bytes, list[service_pb2.GradeRequest]] = OrderedDict()
    number = 0
    for request in requests:
        task = request.WhichOneof("task")
        said = b"" if task is None else getattr(request, task).SerializeToString(deterministic=True)
        key = hashlib.sha256(said).digest()
        group = waiting.setdefault(key, [])
        group.append(request)
        number += 1
        if len(group) >= _MOST_OF_A_GROUP:
            number -= len(group)
            yield key, waiting.pop(key)
        elif number >= _OPEN_REQUESTS:
            oldest, group = waiting.popitem(last=False)
            number -= len(group)
            yield oldest, group
    yield from waiting.items()


def folders_of(manifest: Path, media_roots: Sequence[Path]) -> MediaFolders:
    """Where the media of a manifest may be, by paths that hold on other machines too."""
    return MediaFolders(manifest.parent.resolve(), tuple(root.resolve() for root in media_roots))
