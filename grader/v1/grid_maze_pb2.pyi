from grader.v1 import maze_pb2 as _maze_pb2
from grader.v1 import media_pb2 as _media_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GridMazeTask(_message.Message):
    __slots__ = ("puzzle", "truth", "path_color")
    PUZZLE_FIELD_NUMBER: _ClassVar[int]
    TRUTH_FIELD_NUMBER: _ClassVar[int]
    PATH_COLOR_FIELD_NUMBER: _ClassVar[int]
    puzzle: GridMazePuzzle
    truth: GridMazeTruth
    path_color: _maze_pb2.PathColor
    def __init__(self, puzzle: _Optional[_Union[GridMazePuzzle, _Mapping]] = ..., truth: _Optional[_Union[GridMazeTruth, _Mapping]] = ..., path_color: _Optional[_Union[_maze_pb2.PathColor, str]] = ...) -> None: ...

class GridMazePuzzle(_message.Message):
    __slots__ = ("rows", "image", "box")
    ROWS_FIELD_NUMBER: _ClassVar[int]
    IMAGE_FIELD_NUMBER: _ClassVar[int]
    BOX_FIELD_NUMBER: _ClassVar[int]
    rows: _containers.RepeatedScalarFieldContainer[str]
    image: _media_pb2.Media
    box: _maze_pb2.MazeBox
    def __init__(self, rows: _Optional[_Iterable[str]] = ..., image: _Optional[_Union[_media_pb2.Media, _Mapping]] = ..., box: _Optional[_Union[_maze_pb2.MazeBox, _Mapping]] = ...) -> None: ...

class GridMazeTruth(_message.Message):
    __slots__ = ("reachable", "accepted_shortest_paths")
    REACHABLE_FIELD_NUMBER: _ClassVar[int]
    ACCEPTED_SHORTEST_PATHS_FIELD_NUMBER: _ClassVar[int]
    reachable: bool
    accepted_shortest_paths: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, reachable: _Optional[bool] = ..., accepted_shortest_paths: _Optional[_Iterable[str]] = ...) -> None: ...
