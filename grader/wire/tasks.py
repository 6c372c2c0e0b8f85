"""How a task reads and writes its messages; each has it in its module ``wire``, under the name ``WIRE``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from grader.model.jobs import TaskInput
from grader.model.observations import Observation
from grader.v1 import verdict_pb2
from grader.wire.reader import RequestReader

ObservationWriter = Callable[[Any], verdict_pb2.Observation]
"""Makes the contract's message of an observation of one type."""


@dataclass(frozen=True)
class TaskWire:
    """The messages of a task.

    Attributes
    ----------
    read : makes the input of the task's message, noting wrong fields in the reader; None for what tasks share
    observations : makes the message of an observation, by its type
    """

    read: Callable[[Any, RequestReader], TaskInput] | None
    observations: Mapping[type[Observation], ObservationWriter] = field(default_factory=dict)
