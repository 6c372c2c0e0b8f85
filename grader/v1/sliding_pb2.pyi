from grader.v1 import media_pb2 as _media_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class SlidingTask(_message.Message):
    __slots__ = ("puzzle", "truth")
    PUZZLE_FIELD_NUMBER: _ClassVar[int]
    TRUTH_FIELD_NUMBER: _ClassVar[int]
    puzzle: SlidingPuzzle
    truth: SlidingTruth
    def __init__(self, puzzle: _Optional[_Union[SlidingPuzzle, _Mapping]] = ..., truth: _Optional[_Union[SlidingTruth, _Mapping]] = ...) -> None: ...

class SlidingPuzzle(_message.Message):
    __slots__ = ("size_cells", "tiles", "image")
    SIZE_CELLS_FIELD_NUMBER: _ClassVar[int]
    TILES_FIELD_NUMBER: _ClassVar[int]
    IMAGE_FIELD_NUMBER: _ClassVar[int]
    size_cells: int
    tiles: _containers.RepeatedScalarFieldContainer[int]
    image: _media_pb2.Media
    def __init__(self, size_cells: _Optional[int] = ..., tiles: _Optional[_Iterable[int]] = ..., image: _Optional[_Union[_media_pb2.Media, _Mapping]] = ...) -> None: ...

class SlidingTruth(_message.Message):
    __slots__ = ("tiles",)
    TILES_FIELD_NUMBER: _ClassVar[int]
    tiles: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, tiles: _Optional[_Iterable[int]] = ...) -> None: ...
