"""Folded sheets as messages of the contract."""

from __future__ import annotations

from grader.tasks.paper_fold.model import PaperFoldInput
from grader.v1 import paper_fold_pb2
from grader.wire.reader import RequestReader
from grader.wire.tasks import TaskWire


def _read(task: paper_fold_pb2.PaperFoldTask, _reader: RequestReader) -> PaperFoldInput:
    return PaperFoldInput(tuple(task.puzzle.labels), task.truth.label)


WIRE = TaskWire(_read)
