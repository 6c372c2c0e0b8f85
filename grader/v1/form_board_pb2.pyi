from grader.v1 import media_pb2 as _media_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class FormBoardTask(_message.Message):
    __slots__ = ("puzzle", "truth")
    PUZZLE_FIELD_NUMBER: _ClassVar[int]
    TRUTH_FIELD_NUMBER: _ClassVar[int]
    puzzle: FormBoardPuzzle
    truth: FormBoardTruth
    def __init__(self, puzzle: _Optional[_Union[FormBoardPuzzle, _Mapping]] = ..., truth: _Optional[_Union[FormBoardTruth, _Mapping]] = ...) -> None: ...

class FormBoardPuzzle(_message.Message):
    __slots__ = ("labels", "image", "silhouette", "pieces")
    LABELS_FIELD_NUMBER: _ClassVar[int]
    IMAGE_FIELD_NUMBER: _ClassVar[int]
    SILHOUETTE_FIELD_NUMBER: _ClassVar[int]
    PIECES_FIELD_NUMBER: _ClassVar[int]
    labels: _containers.RepeatedScalarFieldContainer[str]
    image: _media_pb2.Media
    silhouette: _containers.RepeatedCompositeFieldContainer[FormBoardCorner]
    pieces: _containers.RepeatedCompositeFieldContainer[FormBoardPiece]
    def __init__(self, labels: _Optional[_Iterable[str]] = ..., image: _Optional[_Union[_media_pb2.Media, _Mapping]] = ..., silhouette: _Optional[_Iterable[_Union[FormBoardCorner, _Mapping]]] = ..., pieces: _Optional[_Iterable[_Union[FormBoardPiece, _Mapping]]] = ...) -> None: ...

class FormBoardPiece(_message.Message):
    __slots__ = ("corners",)
    CORNERS_FIELD_NUMBER: _ClassVar[int]
    corners: _containers.RepeatedCompositeFieldContainer[FormBoardCorner]
    def __init__(self, corners: _Optional[_Iterable[_Union[FormBoardCorner, _Mapping]]] = ...) -> None: ...

class FormBoardCorner(_message.Message):
    __slots__ = ("x_px", "y_px")
    X_PX_FIELD_NUMBER: _ClassVar[int]
    Y_PX_FIELD_NUMBER: _ClassVar[int]
    x_px: float
    y_px: float
    def __init__(self, x_px: _Optional[float] = ..., y_px: _Optional[float] = ...) -> None: ...

class FormBoardTruth(_message.Message):
    __slots__ = ("labels",)
    LABELS_FIELD_NUMBER: _ClassVar[int]
    labels: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, labels: _Optional[_Iterable[str]] = ...) -> None: ...
