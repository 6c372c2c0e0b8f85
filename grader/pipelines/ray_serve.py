"""The service behind Ray Serve's gRPC proxy: replicas with workers of their own, found and restarted by Ray.

The package ``ray`` is imported within `deploy` alone. Clients are those of ``grader serve``; TLS and health are the
proxy's. Each replica keeps what clients send once for itself, so that ``send_once`` saves the less the more there are.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from grader.serving.access.clients import Callers
from grader.serving.access.tokens import TokenFile, TokenRole
from grader.serving.catalogue import make_catalogue
from grader.serving.pool.tasks import Executor
from grader.serving.received import Received
from grader.serving.seen.calls import AccessLog
from grader.serving.service import GraderService, ServiceLimits
from grader.serving.settings import ServerSettings
from grader.serving.work import default_spec
from grader.serving.workers import WorkerPool
from grader.v1 import service_pb2

SERVICER = "grader.v1.service_pb2_grpc.add_GraderServiceServicer_to_server"
"""What the proxy imports to know the service's calls."""


class CallEndedError(Exception):
    """A call ended with a status, which is in its context."""


class ProxyContext:
    """What the proxy says of a call, in the shape that the service knows.

    Parameters
    ----------
    context : RayServegRPCContext
        The proxy's.
    """

    def __init__(self, context: Any) -> None:
        self._context = context

    def invocation_metadata(self) -> Sequence[tuple[str, Any]]:
        """What the caller sent along."""
        return list(self._context.invocation_metadata() or ())

    def peer(self) -> str:
        """Where the call comes from."""
        return str(self._context.peer() or "")

    def auth_context(self) -> dict[str, Any]:
        """Nothing: certificates are the proxy's."""
        return {}

    def peer_identities(self) -> None:
        """Nobody: certificates are the proxy's."""

    def send_initial_metadata(self, metadata: Sequence[tuple[str, str]]) -> None:
        """Goes back at the end, for a replica can't send anything before its answer."""
        self._context.set_trailing_metadata(list(metadata))

    def time_remaining(self) -> None:
        """Is not known here; the proxy ends calls that are over their deadline."""

    def add_callback(self, callback: Callable[[], object]) -> bool:
        """Is not called: the proxy tells a replica by cancelling its task."""
        del callback
        return True

    def abort_with_status(self, status: Any) -> None:
        """Ends the call with a status and its details."""
        self._context.set_code(status.code)
        self._context.set_details(status.details)
        self._context.set_trailing_metadata(list(status.trailing_metadata))
        raise CallEndedError


class GraderReplica:
    """One replica. The names of its calls are those of the service.

    Parameters
    ----------
    settings : ServerSettings
        As for ``grader serve``; ports and TLS are not looked at.
    executor : Executor, optional
        What grades; by default workers of its own.
    catalogue : ListTasksResponse, optional
        What ListTasks answers; by default what workers say.
    """

    def __init__(
        self,
        settings: ServerSettings,
        executor: Executor | None = None,
        catalogue: service_pb2.ListTasksResponse | None = None,
    ) -> None:
        if executor is None:
            spec = default_spec(settings.media_limits, settings.media_roots, settings.log_level, settings.box_detector)
            executor = pool = WorkerPool(
                spec, settings.workers, settings.queue_size, settings.request_timeout_s, None, settings.spare_workers
            )
            pool.wait_ready()
            catalogue = make_catalogue(settings, service_pb2.ListTasksResponse.FromString(pool.about()))
        self._executor = executor
        self._service = GraderService(
            executor,
            ServiceLimits.of(settings),
            catalogue or service_pb2.ListTasksResponse(),
            callers=Callers(None if settings.token_file is None else TokenFile(settings.token_file)),
            watchers=[AccessLog(settings.access_log)],
        )
        self._window = 2 * settings.workers + 2
        self._threads = ThreadPoolExecutor(settings.workers + settings.queue_size + 8, "grader-rpc")

    def check_health(self) -> None:
        """Raises where no worker is up, by which Ray learns that the replica is not healthy."""
        if not self._executor.can_grade():
            raise RuntimeError("no worker is up")

    async def _do(self, work: Callable[..., Any], *args: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, *args)

    async def Grade(self, request: Any, grpc_context: Any) -> service_pb2.GradeResponse:  # noqa: N802
        """Grades one candidate."""
        received = Received(request, request.SerializeToString())
        try:
            answer: service_pb2.GradeResponse = await self._do(
                self._service.grade, received, ProxyContext(grpc_context)
            )
        except CallEndedError:
            return service_pb2.GradeResponse()
        return answer

    async def ListTasks(self, request: Any, grpc_context: Any) -> service_pb2.ListTasksResponse:  # noqa: N802
        """Says what can be graded here."""
        del request
        try:
            answer: service_pb2.ListTasksResponse = await self._do(
                self._service.list_tasks, b"", ProxyContext(grpc_context)
            )
        except CallEndedError:
            return service_pb2.ListTasksResponse()
        return answer

    async def GradeBatch(  # noqa: N802
        self, request_stream: AsyncIterator[Any], grpc_context: Any
    ) -> AsyncIterator[service_pb2.GradeBatchResponse]:
        """Grades a stream; answers come as they are ready. As many items are read as a window holds."""
        context = ProxyContext(grpc_context)
        try:
            caller = await self._do(self._service.caller, "GradeBatch", context, TokenRole.GRADE)
        except CallEndedError:
            return
        running: set[asyncio.Future[Any]] = set()
        async for item in request_stream:
            received = Received(item.request, item.request.SerializeToString())
            running.add(asyncio.ensure_future(self._do(self._service.answer, "GradeBatch", received, context, caller)))
            while len(running) >= self._window:
                done, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                for one in done:
                    yield one.result()
        for one in asyncio.as_completed(running):
            yield await one


def deploy(settings: ServerSettings, *, replicas: int = 1, name: str = "grader") -> Any:
    """Runs the service on the Ray cluster that this process belongs to, or on one of this machine alone.

    Parameters
    ----------
    settings : ServerSettings
        As for ``grader serve``; the proxy listens on its ``port``, a replica takes ``workers`` CPUs.
    replicas : int, optional
        How many.
    name : str, optional
        Of the application.

    Returns
    -------
    DeploymentHandle
        Of the application; ``serve.shutdown()`` ends it.
    """
    from ray import serve
    from ray.serve.config import gRPCOptions

    serve.start(grpc_options=gRPCOptions(port=settings.port, grpc_servicer_functions=[SERVICER]))
    deployment = serve.deployment(
        GraderReplica,
        name=name,
        num_replicas=replicas,
        max_ongoing_requests=settings.workers + settings.queue_size,
        ray_actor_options={"num_cpus": settings.workers},
    )
    # The proxy knows an application by its route, of which gRPC needs none.
    return serve.run(deployment.bind(settings), name=name, route_prefix=f"/{name}")
