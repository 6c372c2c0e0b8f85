"""Starts and ends the server: port, TLS, health, reflection, and the way from SIGTERM to the end."""

from __future__ import annotations

import contextlib
import errno
import logging
import queue
import signal
import socket
import ssl
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from grader.lpips.broker import LpipsBroker
from grader.model.errors import GraderError
from grader.processes.logs import configure_logging, facts
from grader.serving.catalogue import make_catalogue, measure_infos, say_missing
from grader.serving.lpips import make_broker
from grader.serving.service import GraderService, ServiceLimits
from grader.serving.settings import ServerSettings, unknown_variables
from grader.serving.work import WorkSpec, default_spec
from grader.serving.workers import Executor, WorkerPool
from grader.v1 import service_pb2, service_pb2_grpc

logger = logging.getLogger(__name__)

SERVICE_NAME = service_pb2.DESCRIPTOR.services_by_name["GraderService"].full_name
_OTHER_THREADS = 8  # for ListTasks, health and reflection
_MIN_PING_PERIOD_MS = 10_000
_SIGNAL_POLL_S = 0.1
_STOP_GRACE_S = 0.5
_STOP_TIMEOUT_S = 15.0
_CANT_LISTEN = "can't listen on {}; is the port taken? Another is set with --port or GRADER_PORT"


class ServerStartError(GraderError):
    """The server can't start as it is set."""


class CertificateFiles:
    """The server's certificate, read anew when its files change; a bad new one keeps the old one.

    Parameters
    ----------
    settings : ServerSettings
        With ``tls_cert`` and ``tls_key``, and perhaps ``tls_client_ca``.
    """

    def __init__(self, cert: Path, key: Path, client_ca: Path | None) -> None:
        self._cert, self._key, self._client_ca = cert, key, client_ca
        self._lock = threading.Lock()
        self._stamp = self._look()

    def _look(self) -> tuple[int, ...]:
        files = [path for path in (self._cert, self._key, self._client_ca) if path is not None]
        return tuple(path.stat().st_mtime_ns for path in files)

    def read(self) -> grpc.ServerCertificateConfiguration:
        """Reads and checks the files; raises ``OSError`` (of which ``ssl.SSLError`` is one) where they are no good."""
        check = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        check.load_cert_chain(self._cert, self._key)
        if self._client_ca is not None:
            check.load_verify_locations(self._client_ca)
        return grpc.ssl_server_certificate_configuration(
            [(self._key.read_bytes(), self._cert.read_bytes())],
            None if self._client_ca is None else self._client_ca.read_bytes(),
        )

    def changed(self) -> grpc.ServerCertificateConfiguration | None:
        """The new certificate, or ``None`` for staying with the old one. gRPC asks before each handshake."""
        with self._lock:
            try:
                stamp = self._look()
                if stamp == self._stamp:
                    return None
                self._stamp = stamp
                read = self.read()
            except OSError as error:
                logger.error("the changed TLS files can't be used, the old ones stay: %s", error)
                return None
            logger.info("new TLS files are in use")
            return read


def _check_port(settings: ServerSettings) -> None:
    """Raises ServerStartError where somebody listens at the address already, before gRPC writes that to stderr."""
    try:
        found = socket.getaddrinfo(settings.host.strip("[]"), settings.port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise ServerStartError(f"can't listen on {settings.address}: {error}") from error
    for family, kind, protocol, _, address in found:
        with socket.socket(family, kind, protocol) as probe:
            # What a server that has just ended leaves behind does not count.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(address)
            except OSError as error:
                if error.errno == errno.EADDRINUSE:
                    raise ServerStartError(_CANT_LISTEN.format(settings.address)) from error


def _credentials(settings: ServerSettings) -> grpc.ServerCredentials | None:
    if settings.tls_cert is None or settings.tls_key is None:
        return None
    files = CertificateFiles(settings.tls_cert, settings.tls_key, settings.tls_client_ca)
    try:
        first = files.read()
    except OSError as error:
        raise ServerStartError(f"the TLS files can't be used: {error}") from error
    return grpc.dynamic_ssl_server_credentials(first, files.changed, settings.tls_client_ca is not None)


def check_start(settings: ServerSettings) -> None:
    """Looks at what a server fails on at once, before anything is started that takes time.

    Raises
    ------
    ServerStartError
        If the port is taken or the TLS files are no good.
    """
    _credentials(settings)
    _check_port(settings)


def _hard_limit_bytes(max_message_bytes: int) -> int:
    """Up to here a request that is too large is read, to be refused by the service with a reason and the limit."""
    return max(2 * max_message_bytes, max_message_bytes + 4 * 1024 * 1024)


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
    ) -> None:
        self.service = GraderService(
            executor,
            ServiceLimits(
                max_message_bytes=settings.max_message_bytes,
                request_timeout_s=settings.request_timeout_s,
                max_batch_streams=settings.max_batch_streams,
                stream_window=2 * settings.workers + 2,
            ),
            catalogue,
            None if lpips is None else lambda: measure_infos(lpips.states(), lpips.device),
        )
        # One thread for each call that may wait, so that a call over the limit is refused at once and not left waiting.
        threads = settings.workers + settings.queue_size + settings.max_batch_streams + _OTHER_THREADS
        self._server = grpc.server(
            ThreadPoolExecutor(threads, thread_name_prefix="grader-rpc"),
            options=[
                # gRPC's own refusal of a large message names no reason, so the service's own comes first.
                ("grpc.max_receive_message_length", _hard_limit_bytes(settings.max_message_bytes)),
                ("grpc.max_send_message_length", -1),
                ("grpc.so_reuseport", 0),  # a port that is taken is an error, not a second server behind it
                ("grpc.http2.min_ping_interval_without_data_ms", _MIN_PING_PERIOD_MS),
                ("grpc.keepalive_permit_without_calls", 1),
            ],
        )
        service_pb2_grpc.add_GraderServiceServicer_to_server(  # type: ignore[no-untyped-call]
            self.service, self._server
        )
        self._health = health.HealthServicer(
            experimental_non_blocking=True, experimental_thread_pool=ThreadPoolExecutor(1, "grader-health")
        )
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        names = (SERVICE_NAME, health.SERVICE_NAME, reflection.SERVICE_NAME)
        reflection.enable_server_reflection(names, self._server)
        self.port = self._bind(settings)
        self.address = settings.address.rpartition(":")[0] + f":{self.port}"
        self._server.start()
        for name in ("", SERVICE_NAME):
            self._health.set(name, health_pb2.HealthCheckResponse.SERVING)

    def _bind(self, settings: ServerSettings) -> int:
        credentials = _credentials(settings)
        _check_port(settings)
        try:
            if credentials is None:
                port = self._server.add_insecure_port(settings.address)
            else:
                port = self._server.add_secure_port(settings.address, credentials)
        except RuntimeError as error:
            raise ServerStartError(_CANT_LISTEN.format(settings.address)) from error
        return int(port)

    def drain(self) -> None:
        """Says NOT_SERVING and refuses new work; health is still answered and what was taken goes on."""
        self._health.enter_graceful_shutdown()
        self.service.drain()

    def stop(self) -> None:
        """Ends every call and stops listening; a call that does not end in time is left behind."""
        if not self._server.stop(grace=_STOP_GRACE_S).wait(_STOP_TIMEOUT_S):
            logger.error("some calls did not end within %g s; they are left behind", _STOP_TIMEOUT_S)


def serve(
    settings: ServerSettings, spec: WorkSpec | None = None, catalogue: service_pb2.ListTasksResponse | None = None
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
        What ListTasks answers; by default what the real engine can do.

    Raises
    ------
    ServerStartError, grader.serving.worker_process.WorkerStartError
        If it can't start.
    """
    from grader.profiles.reading import load_profiles

    configure_logging(settings.log_level)
    for variable in unknown_variables():
        logger.warning("%s", variable.text)
    check_start(settings)
    offered = catalogue or make_catalogue(settings)
    made = spec or default_spec(
        settings.media_limits,
        settings.media_roots,
        settings.log_level,
        settings.box_detector,
        load_profiles(settings.profiles),
    )
    with contextlib.ExitStack() as ending:
        lpips = make_broker(settings) if spec is None else None
        if lpips is not None:
            ending.callback(lpips.close)
        pool = WorkerPool(made, settings.workers, settings.queue_size, settings.request_timeout_s, lpips)
        ending.callback(pool.close)
        pool.wait_ready()
        # A SimpleQueue, for its put may be called in a signal handler at any moment; an Event's set may not.
        signals: queue.SimpleQueue[int] = queue.SimpleQueue()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda got, _: signals.put(got))
        server = GraderServer(settings, pool, offered, lpips)
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
        server.stop()
        logger.info("stopped")
