"""Which module reads and writes which messages.

A task's messages are read and written by the module ``wire`` of its package, which goes by the task's name. It is found
by that name, and not by the list of tasks, so that reading a request imports no detector.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from grader.model.observations import Observation
from grader.v1 import verdict_pb2
from grader.wire.tasks import TaskWire

_TASKS = "grader.tasks"


@cache
def wire_of(package: str) -> TaskWire:
    """What reads and writes the messages of a package of tasks, such as ``maze``."""
    name = f"{_TASKS}.{package}.wire"
    wire = import_module(name).WIRE
    if not isinstance(wire, TaskWire):
        raise TypeError(f"{name}.WIRE is no TaskWire")
    return wire


def observation_to_proto(seen: Observation) -> verdict_pb2.Observation:
    """An observation of any task, by the package that its type is defined in; KeyError for a type without a message."""
    package = type(seen).__module__.removeprefix(f"{_TASKS}.").split(".")[0]
    return wire_of(package).observations[type(seen)](seen)
