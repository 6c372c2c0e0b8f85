"""Starts and ends the server: port, TLS, health, reflection, and the way from SIGTERM to the end."""

from __future__ import annotations

import contextlib
import errno
import logging
import queue
import signal
import socket
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import TYPE_CHECKING, Protocol

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from grader.lpips.sharing.broker import LpipsBroker
from grader.model.errors import GraderError
from grader.processes.logs import configure_logging, facts
from grader.serving.access.certificates import CertificateError, CertificateFiles
from grader.serving.access.clients import Callers
from grader.serving.access.tokens import TokenFile, read_tokens
from grader.serving.catalogue import make_catalogue, measure_infos, say_missing
from grader.serving.lpips import make_broker
from grader.serving.pool.tasks import Executor
from grader.serving.seen.calls import AccessLog
from grader.serving.seen.pages import Page, Pages, page_of
from grader.serving.seen.traces import Traces, connect, why_no_traces
from grader.serving.service import SERVICE_NAME, GraderService, ServiceLimits
from grader.serving.settings import ServerSettings
from grader.serving.work import WorkSpec, default_spec
from grader.serving.workers import WorkerPool
from grader.v1 import service_pb2

if TYPE_CHECKING:
    from grader.profiles.profile import ProfileSet

logger = logging.getLogger(__name__)

_OTHER_THREADS = 8  # for ListTasks, health and reflection
_MIN_PING_PERIOD_MS = 10_000
_SIGNAL_POLL_S = 0.1
_STOP_GRACE_S = 0.5
_LAST_WORDS_S = 2.0
_STOP_TIMEOUT_S = 15.0
_CANT_LISTEN = "can't listen on {}; is the port taken?"
_OTHER_PORT = "Another is set with --port or GRADER_PORT"
_OTHER_METRICS_PORT = "Another is set with GRADER_METRICS_PORT"
_LOOK_S = 0.25
"""How often it is looked whether work can be done, and whether streams stand idle."""
_LIVENESS = "liveness"
"""The name under which health says whether the process lives, whether it can grade or not."""
_KEEPALIVE_MS, _KEEPALIVE_TIMEOUT_MS = 60_000, 20_000
"""So often callers are asked whether they are there, and so long they have to answer."""


class ServerStartError(GraderError):
    """The server can't start as it is set."""


def _check_port(host: str, port: int, advice: str) -> None:
    """Raises ServerStartError where somebody listens at the address already, before gRPC writes that to stderr."""
    try:
        found = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise ServerStartError(f"can't listen on {host}:{port}: {error}") from error
    for family, kind, protocol, _, address in found:
        with socket.socket(family, kind, protocol) as probe:
            # What a server that has just ended leaves behind does not count.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(address)
            except OSError as error:
                if error.errno in (errno.EADDRINUSE, errno.EACCES, errno.EADDRNOTAVAIL):
                    raise ServerStartError(f"{_CANT_LISTEN.format(f'{host}:{port}')} {advice}") from error


def _certificates(settings: ServerSettings) -> CertificateFiles | None:
    """Raises ServerStartError where TLS files are no good."""
    if settings.tls_cert is None or settings.tls_key is None:
        return None
    files = CertificateFiles(settings.tls_cert, settings.tls_key, settings.tls_client_ca)
    try:
        files.read()
    except CertificateError as error:
        raise ServerStartError(f"the TLS files can't be used: {error}") from error
    return files


def check_start(settings: ServerSettings) -> None:
    """Looks at what a server fails on at once, before anything is started that takes time.

    Raises
    ------
    ServerStartError
        If a port is taken, the TLS files are no good, or traces are asked for and can't be made.
    TokenFileError
        If the file of tokens is no good.
    """
    _certificates(settings)
    if settings.token_file is not None:
        read_tokens(settings.token_file)
    if settings.traces_endpoint and (why := why_no_traces()):
        raise ServerStartError(why)
    _check_port(settings.host, settings.port, _OTHER_PORT)
    if settings.metrics_port is not None:
        _check_port(settings.metrics_host, settings.metrics_port, _OTHER_METRICS_PORT)
        if settings.metrics_port == settings.port and settings.port:
            raise ServerStartError("metrics_port is that of the service; metrics need a port of their own")


def _hard_limit_bytes(max_message_bytes: int) -> int:
    """Up to here a request that is too large is read, to be refused by the service with a reason and the limit."""
    return max(2 * max_message_bytes, max_message_bytes + 4 * 1024 * 1024)


class ServesBeside(Protocol):
    """A service that stands beside the grader's: behind the same port, for the same callers.

    Attributes
    ----------
    name : its full name in the contract
    threads : how many of its calls may wait at a time
    """

    name: str
    threads: int

    def handlers(self) -> grpc.GenericRpcHandler:
        """Its methods, for a server."""

    def close(self) -> None:
        """Gives up what it is at."""


MakesService = Callable[[ServerSettings, GraderService], ServesBeside]


class GraderServer:
    """A server that listens from the moment it is made.

    Parameters
    ----------
    settings : ServerSettings
        What it listens on and takes.
    executor : Executor
        What grades; it stays the caller's to close.
    catalogue : ListTasksResponse
        What ListTasks answers.
    lpips : LpipsBroker, optional
        What measures LPIPS, for ListTasks to say how it stands; it stays the caller's to close.
    beside : sequence of callable
        Make services that stand beside the grader's.

    Raises
    ------
    ServerStartError
        If the port is taken or the TLS files are no good.
    """

    def __init__(
        self,
        settings: ServerSettings,
        executor: Executor,
        catalogue: service_pb2.ListTasksResponse,
        lpips: LpipsBroker | None = None,
        beside: Sequence[MakesService] = (),
    ) -> None:
        self.service = GraderService(
            executor,
            ServiceLimits.of(settings),
            catalogue,
            None if lpips is None else lambda: measure_infos(lpips.states(), lpips.device),
            Callers(None if settings.token_file is None else TokenFile(settings.token_file)),
            [AccessLog(settings.access_log)],
        )
        self._beside = [make(settings, self.service) for make in beside]
        self.certificates = _certificates(settings)
        self._executor = executor
        # One thread for each call that may wait, so that a call over the limit is refused at once and not left waiting.
        threads = settings.workers + settings.queue_size + settings.max_batch_streams + _OTHER_THREADS
        threads += sum(one.threads for one in self._beside)
        self._server = grpc.server(
            ThreadPoolExecutor(threads, thread_name_prefix="grader-rpc"),
            options=[
                # gRPC's own refusal of a large message names no reason, so the service's own comes first.
                ("grpc.max_receive_message_length", _hard_limit_bytes(settings.max_message_bytes)),
                ("grpc.max_send_message_length", -1),
                ("grpc.so_reuseport", 0),  # a port that is taken is an error, not a second server behind it
                ("grpc.keepalive_time_ms", _KEEPALIVE_MS),
                ("grpc.keepalive_timeout_ms", _KEEPALIVE_TIMEOUT_MS),
                ("grpc.http2.min_ping_interval_without_data_ms", _MIN_PING_PERIOD_MS),
                ("grpc.keepalive_permit_without_calls", 1),
            ],
        )
        self._server.add_generic_rpc_handlers((self.service.handlers(), *(one.handlers() for one in self._beside)))
        self._health = health.HealthServicer(
            experimental_non_blocking=True, experimental_thread_pool=ThreadPoolExecutor(1, "grader-health")
        )
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        self._names = ("", SERVICE_NAME, *(one.name for one in self._beside))
        names = (*self._names[1:], health.SERVICE_NAME, reflection.SERVICE_NAME)
        reflection.enable_server_reflection(names, self._server)
        self.port = self._bind(settings)
        self.address = settings.address.rpartition(":")[0] + f":{self.port}"
        self._server.start()
        self._ended = threading.Event()
        self._can_grade = executor.can_grade()
        self._saying = threading.Lock()
        self._health.set(_LIVENESS, health_pb2.HealthCheckResponse.SERVING)
        self._say_health()
        self._looker = threading.Thread(target=self._watch, name="grader-health", daemon=True)
        self._looker.start()

    @property
    def ready(self) -> bool:
        """Whether it takes work and can do it."""
        return bool(self._can_grade) and not self.service.draining

    def _watch(self) -> None:
        while not self._ended.wait(_LOOK_S):
            self.service.streams.look(time.monotonic())
            can_grade = self._executor.can_grade()
            if can_grade != self._can_grade:
                self._can_grade = can_grade
                if not self.service.draining:
                    logger.warning("a worker is up again" if can_grade else "no worker is up; health says NOT_SERVING")
                self._say_health()

    def _say_health(self) -> None:
        """Has health follow what can be done; under the name of liveness it says SERVING as long as it answers."""
        with self._saying:
            said = health_pb2.HealthCheckResponse
            for name in self._names:
                self._health.set(name, said.SERVING if self.ready else said.NOT_SERVING)

    def _bind(self, settings: ServerSettings) -> int:
        credentials = None
        if self.certificates is not None:
            credentials = grpc.dynamic_ssl_server_credentials(
                self.certificates.read(), self.certificates.changed, settings.tls_client_ca is not None
            )
        _check_port(settings.host, settings.port, _OTHER_PORT)
        try:
            if credentials is None:
                port = self._server.add_insecure_port(settings.address)
            else:
                port = self._server.add_secure_port(settings.address, credentials)
        except RuntimeError as error:
            raise ServerStartError(f"{_CANT_LISTEN.format(settings.address)} {_OTHER_PORT}") from error
        return int(port)

    def drain(self) -> None:
        """Says NOT_SERVING and refuses new work; health is still answered and what was taken goes on."""
        self.service.drain()
        self._say_health()

    def close_beside(self) -> None:
        """Gives up what the services beside the grader's are at; they say so to their callers."""
        for one in self._beside:
            one.close()

    def stop(self) -> None:
        """Ends every call and stops listening; a call that does not end in time is left behind."""
        self._ended.set()
        self._looker.join()
        self.close_beside()
        if not self._server.stop(grace=_STOP_GRACE_S).wait(_STOP_TIMEOUT_S):
            logger.error("some calls did not end within %g s; they are left behind", _STOP_TIMEOUT_S)


def serve(
    settings: ServerSettings,
    spec: WorkSpec | None = None,
    catalogue: service_pb2.ListTasksResponse | None = None,
    beside: Sequence[MakesService] = (),
) -> None:
    """Serves until SIGTERM or Ctrl-C, then drains; a second signal ends it at once.

    Parameters
    ----------
    settings : ServerSettings
        How to serve.
    spec : WorkSpec, optional
        What workers start with; by default the real engine under the settings' limits, and one process that measures
        LPIPS for all of them.
    catalogue : ListTasksResponse, optional
        What ListTasks answers; by default what workers say that they can do.
    beside : sequence of callable, optional
        Make services that stand beside the grader's.

    Raises
    ------
    ServerStartError, grader.serving.pool.worker_process.WorkerStartError
        If it can't start.
    """
    configure_logging(settings.log_level)
    check_start(settings)
    made = spec or default_spec(
        settings.media_limits,
        settings.media_roots,
        settings.log_level,
        settings.box_detector,
        _own_profiles(settings),
    )
    with contextlib.ExitStack() as ending:
        lpips = make_broker(settings) if spec is None else None
        if lpips is not None:
            ending.callback(lpips.close)
        pool = WorkerPool(
            made, settings.workers, settings.queue_size, settings.request_timeout_s, lpips, settings.spare_workers
        )
        ending.callback(pool.close)
        pool.wait_ready()
        offered = catalogue or make_catalogue(settings, service_pb2.ListTasksResponse.FromString(pool.about()))
        # A SimpleQueue, for its put may be called in a signal handler at any moment; an Event's set may not.
        signals: queue.SimpleQueue[int] = queue.SimpleQueue()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda got, _: signals.put(got))
        server = GraderServer(settings, pool, offered, lpips, beside)
        if settings.traces_endpoint:
            traces = Traces(connect(settings.traces_endpoint, settings.traces_share))
            server.service.watchers.append(traces)
            ending.callback(traces.close)
        if settings.metrics_port is not None:
            ending.callback(_serve_pages(settings, server, pool).close)
        print(f"grader listening on {server.address}", flush=True)
        logger.info(
            "serving", extra=facts(address=server.address, workers=settings.workers, tls=bool(settings.tls_cert))
        )
        missing = say_missing(offered.measures)
        if missing:
            logger.warning("%s", missing)
        if lpips is not None:
            lpips.check()
        # The system may hand a signal to a thread of gRPC. Python's handler then runs when this thread wakes up, and a
        # wait without end never does: the first SIGTERM was lost now and then.
        while signals.empty():
            time.sleep(_SIGNAL_POLL_S)
        signals.get()
        logger.info("draining for at most %g s; another signal ends at once", settings.drain_s)
        server.drain()
        end = time.monotonic() + settings.drain_s
        while signals.empty() and time.monotonic() < end and not server.service.wait_idle(timeout_s=0.1):
            pass
        # What is still there is told so by the pool, and has a moment to say it on; gRPC would only cut it off.
        pool.close()
        server.close_beside()
        server.service.wait_idle(timeout_s=_LAST_WORDS_S)
        server.stop()
        logger.info("stopped")


def _own_profiles(settings: ServerSettings) -> ProfileSet | None:
    """Profiles of a folder; None for the package's own, which workers read themselves, so that they start at once."""
    if settings.profiles is None:
        return None
    from grader.profiles.reading import load_profiles

    return load_profiles(settings.profiles)


def _serve_pages(settings: ServerSettings, server: GraderServer, pool: WorkerPool) -> Pages:
    """The port for operators; raises ServerStartError where it can't be had."""
    from grader.serving.seen.metrics import CONTENT_TYPE, Metrics

    metrics = Metrics(
        pool.state,
        lambda: server.service.streams.open,
        lambda: None if server.certificates is None else server.certificates.ends,
    )
    server.service.watchers.append(metrics)
    pages: dict[str, Page] = {
        "/metrics": lambda: (HTTPStatus.OK, CONTENT_TYPE, metrics.text()),
        "/livez": lambda: page_of(True, "alive"),
        "/readyz": lambda: page_of(server.ready, "ready" if server.ready else "not ready"),
    }
    try:
        made = Pages(settings.metrics_host, settings.metrics_port or 0, pages)
    except OSError as error:
        raise ServerStartError(
            f"can't serve metrics on {settings.metrics_host}:{settings.metrics_port}: {error}"
        ) from error
    logger.info("metrics", extra=facts(host=settings.metrics_host, port=made.port))
    return made
