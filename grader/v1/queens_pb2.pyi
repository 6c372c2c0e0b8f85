from grader.v1 import media_pb2 as _media_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class QueensTask(_message.Message):
    __slots__ = ("puzzle", "truth")
    PUZZLE_FIELD_NUMBER: _ClassVar[int]
    TRUTH_FIELD_NUMBER: _ClassVar[int]
    puzzle: QueensPuzzle
    truth: QueensTruth
    def __init__(self, puzzle: _Optional[_Union[QueensPuzzle, _Mapping]] = ..., truth: _Optional[_Union[QueensTruth, _Mapping]] = ...) -> None: ...

class QueensPuzzle(_message.Message):
    __slots__ = ("image", "size_cells", "regions")
    IMAGE_FIELD_NUMBER: _ClassVar[int]
    SIZE_CELLS_FIELD_NUMBER: _ClassVar[int]
    REGIONS_FIELD_NUMBER: _ClassVar[int]
    image: _media_pb2.Media
    size_cells: int
    regions: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, image: _Optional[_Union[_media_pb2.Media, _Mapping]] = ..., size_cells: _Optional[int] = ..., regions: _Optional[_Iterable[int]] = ...) -> None: ...

class QueensTruth(_message.Message):
    __slots__ = ("queens", "solution_image", "any_solution")
    QUEENS_FIELD_NUMBER: _ClassVar[int]
    SOLUTION_IMAGE_FIELD_NUMBER: _ClassVar[int]
    ANY_SOLUTION_FIELD_NUMBER: _ClassVar[int]
    queens: _containers.RepeatedCompositeFieldContainer[QueenCell]
    solution_image: _media_pb2.Media
    any_solution: bool
    def __init__(self, queens: _Optional[_Iterable[_Union[QueenCell, _Mapping]]] = ..., solution_image: _Optional[_Union[_media_pb2.Media, _Mapping]] = ..., any_solution: _Optional[bool] = ...) -> None: ...

class QueenCell(_message.Message):
    __slots__ = ("row", "column")
    ROW_FIELD_NUMBER: _ClassVar[int]
    COLUMN_FIELD_NUMBER: _ClassVar[int]
    row: int
    column: int
    def __init__(self, row: _Optional[int] = ..., column: _Optional[int] = ...) -> None: ...
