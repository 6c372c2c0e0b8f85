"""Traces for OpenTelemetry: a span a request, and below it one a stage, made when the answer is there.

The packages of the extra ``traces`` are imported here alone, within `connect`, which runs only where traces are asked
for. A trace that the caller has begun is gone on with.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from google.rpc import code_pb2

from grader.serving.seen.calls import CALLERS_OWN, Call

HOW_TO_GET = "traces_endpoint is set, and the packages are missing: pip install '.[traces]' in the project's folder"
_SERVICE = "grader.v1.GraderService"
_NS = 1_000_000_000
_NEEDED = ("opentelemetry.sdk", "opentelemetry.exporter.otlp.proto.grpc")


def why_no_traces() -> str:
    """Why traces can't be made here; empty where they can."""
    for name in _NEEDED:
        try:
            found = importlib.util.find_spec(name)
        except ModuleNotFoundError:
            found = None
        if found is None:
            return HOW_TO_GET
    return ""


@dataclass(frozen=True)
class Tracing:
    """What is used of OpenTelemetry.

    Attributes
    ----------
    start_span : begins a span, as ``Tracer.start_span``
    extract : gives the context of a trace's headers
    within : gives the context of what happens within a span
    server : the kind of a span that answers a call
    set_failed : says that what a span stands for failed, and why
    shut_down : sends what is left, and ends
    """

    start_span: Callable[..., Any]
    extract: Callable[[Mapping[str, str]], Any]
    within: Callable[[Any], Any]
    server: Any
    set_failed: Callable[[Any, str], None]
    shut_down: Callable[[], None]


def connect(endpoint: str, share: float) -> Tracing:
    """Traces that go to a collector by OTLP over gRPC.

    Parameters
    ----------
    endpoint : str
        The collector's address, such as ``http://localhost:4317``; plain text where it begins with ``http:``.
    share : float
        Of traces that no caller has begun, the share that is kept; of others the caller decides.
    """
    from opentelemetry import trace
    from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor
    from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    from grader import __version__

    provider = TracerProvider(
        sampler=ParentBased(TraceIdRatioBased(share)),
        resource=Resource.create({"service.name": "grader", "service.version": __version__}),
    )
    exporter = OTLPSpanExporter(endpoint=endpoint, insecure=endpoint.startswith("http:"))
    provider.add_span_processor(BatchSpanProcessor(exporter))

    def set_failed(span: Any, why: str) -> None:
        span.set_status(trace.Status(trace.StatusCode.ERROR, why))

    return Tracing(
        provider.get_tracer("grader", __version__).start_span,
        TraceContextTextMapPropagator().extract,
        trace.set_span_in_context,
        trace.SpanKind.SERVER,
        set_failed,
        provider.shutdown,
    )


class Traces:
    """Makes spans of calls that have ended.

    Parameters
    ----------
    tracing : Tracing
        What takes them.
    """

    def __init__(self, tracing: Tracing) -> None:
        self._tracing = tracing

    def note(self, call: Call) -> None:
        """Makes the spans of a call."""
        now, epoch = time.monotonic(), time.time()

        def at(moment: float) -> int:
            return int((epoch + moment - now) * _NS)

        used = self._tracing
        span = used.start_span(
            f"{_SERVICE}/{call.rpc}",
            context=used.extract(call.parents),
            kind=used.server,
            attributes={
                "rpc.system": "grpc",
                "rpc.service": _SERVICE,
                "rpc.method": call.rpc,
                "rpc.grpc.status_code": call.answer.status.code,
                "grader.request_id": call.request_id,
                "grader.client": call.client,
                "grader.task": call.task,
                "grader.end": call.end,
                "grader.reason": call.reason,
                "grader.size_bytes": call.size_bytes,
            },
            start_time=at(now - call.seconds),
        )
        if call.answer.status.code not in CALLERS_OWN:
            used.set_failed(span, call.answer.status.reason or code_pb2.Code.Name(call.answer.status.code))
        within = used.within(span)
        for one in call.stages:
            below = used.start_span(one.stage.value, context=within, start_time=at(one.begun))
            below.end(end_time=at(one.begun + one.seconds))
        span.end(end_time=at(now))

    def close(self) -> None:
        """Sends what is left."""
        self._tracing.shut_down()
