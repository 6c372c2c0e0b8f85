"""Comparisons as messages of the contract."""

from __future__ import annotations

from grader.tasks.compare.model import CompareInput
from grader.v1 import compare_pb2
from grader.wire.reader import RequestReader
from grader.wire.tasks import TaskWire


def _read(task: compare_pb2.CompareTask, reader: RequestReader) -> CompareInput:
    return CompareInput(
        reference=reader.media(task, "reference", "compare.reference"),
        mask=reader.media(task, "mask", "compare.mask"),
    )


WIRE = TaskWire(_read)
