"""Form boards as messages of the contract."""

from __future__ import annotations

from grader.tasks.form_board.model import FormBoardInput
from grader.v1 import form_board_pb2
from grader.wire.reader import RequestReader
from grader.wire.tasks import TaskWire


def _read(task: form_board_pb2.FormBoardTask, _reader: RequestReader) -> FormBoardInput:
    return FormBoardInput(tuple(task.puzzle.labels), tuple(task.truth.labels))


WIRE = TaskWire(_read)
