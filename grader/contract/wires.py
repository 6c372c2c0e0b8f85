"""Which task reads and writes which messages."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from grader.model.observations import Observation
from grader.tasks.common.spec import AnyTask
from grader.tasks.registry import list_tasks
from grader.v1 import verdict_pb2
from grader.wire.tasks import ObservationWriter, TaskWire


@cache
def wire_of(task: AnyTask) -> TaskWire:
    """What reads and writes the messages of a task."""
    wire = import_module(task.wire).WIRE
    if not isinstance(wire, TaskWire):
        raise TypeError(f"{task.wire}.WIRE is no TaskWire")
    return wire


@cache
def _writers() -> dict[type[Observation], ObservationWriter]:
    return {kind: writer for task in list_tasks() for kind, writer in wire_of(task).observations.items()}


def observation_to_proto(seen: Observation) -> verdict_pb2.Observation:
    """An observation of any task; KeyError for a type that no task has."""
    return _writers()[type(seen)](seen)
