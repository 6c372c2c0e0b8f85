"""Numbers for Prometheus, gathered while the service runs, or asked for when they are read.

The package prometheus_client is imported here alone, and this module only where metrics are asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric

from grader.serving.seen.calls import Call
from grader.serving.workers import PoolState

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
_STAGE_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_DAY_S = 86_400.0


class Metrics:
    """Counts calls, and says how the pool stands.

    Parameters
    ----------
    pool : callable
        Says how the pool stands.
    streams : callable
        Says how many streams are open.
    certificate_ends : callable
        Says when the certificate ends; ``None`` without one.
    """

    def __init__(
        self,
        pool: Callable[[], PoolState],
        streams: Callable[[], int],
        certificate_ends: Callable[[], datetime | None],
    ) -> None:
        self._pool, self._streams, self._certificate_ends = pool, streams, certificate_ends
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "grader_requests", "Requests by how they ended", ("rpc", "task", "end"), registry=self._registry
        )
        self._reasons = Counter(
            "grader_reasons", "Verdicts by their gravest reason", ("task", "reason"), registry=self._registry
        )
        self._seconds = Histogram(
            "grader_request_seconds",
            "From a request to its answer, waiting included",
            ("rpc", "task"),
            buckets=_SECONDS,
            registry=self._registry,
        )
        self._stages = Histogram(
            "grader_stage_seconds",
            "What the stages of a request take",
            ("task", "stage"),
            buckets=_STAGE_SECONDS,
            registry=self._registry,
        )
        self._registry.register(self)

    def note(self, call: Call) -> None:
        """Counts a call."""
        self._requests.labels(call.rpc, call.task, call.end).inc()
        self._seconds.labels(call.rpc, call.task).observe(call.seconds)
        for stage, seconds in call.stage_seconds.items():
            self._stages.labels(call.task, stage.value).observe(seconds)
        if call.reason:
            self._reasons.labels(call.task, call.reason).inc()

    def text(self) -> bytes:
        """All numbers, in the format that Prometheus reads."""
        return bytes(generate_latest(self._registry))

    def collect(self) -> Iterator[Metric]:
        """What is asked for when numbers are read."""
        state = self._pool()
        for name, text, value in (
            ("grader_workers_up", "Workers that can grade, or do", state.workers_up),
            ("grader_spares_ready", "Workers that stand ready in case one dies", state.spares_ready),
            ("grader_running", "Requests that are being graded", state.running),
            ("grader_streams_open", "GradeBatch calls that are open", self._streams()),
            ("grader_typical_seconds", "What grading a request takes lately, about", state.typical_s),
        ):
            yield GaugeMetricFamily(name, text, value)
        waiting = GaugeMetricFamily("grader_waiting", "Requests that wait for a worker", labels=("client",))
        for client, count in state.waiting.items():
            waiting.add_metric((client,), count)
        yield waiting
        ends = CounterMetricFamily("grader_worker_ends", "Work that was cut short, by cause", labels=("cause",))
        for cause, count in (
            ("stopped", state.tally.stopped),
            ("killed", state.tally.killed),
            ("died", state.tally.died),
        ):
            ends.add_metric((cause,), count)
        yield ends
        yield CounterMetricFamily("grader_worker_restarts", "Workers that were replaced", state.tally.restarts)
        end = self._certificate_ends()
        if end is not None:
            days = (end - datetime.now(UTC)).total_seconds() / _DAY_S
            yield GaugeMetricFamily("grader_certificate_days", "Days until the certificate ends", days)
