from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GridMazeTask(_message.Message):
    __slots__ = ("puzzle", "truth")
    PUZZLE_FIELD_NUMBER: _ClassVar[int]
    TRUTH_FIELD_NUMBER: _ClassVar[int]
    puzzle: GridMazePuzzle
    truth: GridMazeTruth
    def __init__(self, puzzle: _Optional[_Union[GridMazePuzzle, _Mapping]] = ..., truth: _Optional[_Union[GridMazeTruth, _Mapping]] = ...) -> None: ...

class GridMazePuzzle(_message.Message):
    __slots__ = ("rows",)
    ROWS_FIELD_NUMBER: _ClassVar[int]
    rows: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, rows: _Optional[_Iterable[str]] = ...) -> None: ...

class GridMazeTruth(_message.Message):
    __slots__ = ("reachable", "accepted_shortest_paths")
    REACHABLE_FIELD_NUMBER: _ClassVar[int]
    ACCEPTED_SHORTEST_PATHS_FIELD_NUMBER: _ClassVar[int]
    reachable: bool
    accepted_shortest_paths: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, reachable: _Optional[bool] = ..., accepted_shortest_paths: _Optional[_Iterable[str]] = ...) -> None: ...
