from grader.v1 import media_pb2 as _media_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class JigsawKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    JIGSAW_KIND_UNSPECIFIED: _ClassVar[JigsawKind]
    JIGSAW_KIND_MISSING_PIECE_EASY: _ClassVar[JigsawKind]
    JIGSAW_KIND_MISSING_PIECE_HARD: _ClassVar[JigsawKind]
    JIGSAW_KIND_LOCALIZATION_EASY: _ClassVar[JigsawKind]
    JIGSAW_KIND_LOCALIZATION_HARD: _ClassVar[JigsawKind]
    JIGSAW_KIND_CONNECTION: _ClassVar[JigsawKind]
    JIGSAW_KIND_ANOMALY: _ClassVar[JigsawKind]
    JIGSAW_KIND_ORDER_RESTORATION: _ClassVar[JigsawKind]
    JIGSAW_KIND_ORDER_GENERATION: _ClassVar[JigsawKind]

class JigsawChange(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    JIGSAW_CHANGE_UNSPECIFIED: _ClassVar[JigsawChange]
    JIGSAW_CHANGE_ROTATED: _ClassVar[JigsawChange]
    JIGSAW_CHANGE_MIRRORED: _ClassVar[JigsawChange]
JIGSAW_KIND_UNSPECIFIED: JigsawKind
JIGSAW_KIND_MISSING_PIECE_EASY: JigsawKind
JIGSAW_KIND_MISSING_PIECE_HARD: JigsawKind
JIGSAW_KIND_LOCALIZATION_EASY: JigsawKind
JIGSAW_KIND_LOCALIZATION_HARD: JigsawKind
JIGSAW_KIND_CONNECTION: JigsawKind
JIGSAW_KIND_ANOMALY: JigsawKind
JIGSAW_KIND_ORDER_RESTORATION: JigsawKind
JIGSAW_KIND_ORDER_GENERATION: JigsawKind
JIGSAW_CHANGE_UNSPECIFIED: JigsawChange
JIGSAW_CHANGE_ROTATED: JigsawChange
JIGSAW_CHANGE_MIRRORED: JigsawChange

class JigsawTask(_message.Message):
    __slots__ = ("puzzle", "truth")
    PUZZLE_FIELD_NUMBER: _ClassVar[int]
    TRUTH_FIELD_NUMBER: _ClassVar[int]
    puzzle: JigsawPuzzle
    truth: JigsawTruth
    def __init__(self, puzzle: _Optional[_Union[JigsawPuzzle, _Mapping]] = ..., truth: _Optional[_Union[JigsawTruth, _Mapping]] = ...) -> None: ...

class JigsawPuzzle(_message.Message):
    __slots__ = ("kind", "options", "pieces")
    KIND_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    PIECES_FIELD_NUMBER: _ClassVar[int]
    kind: JigsawKind
    options: _containers.RepeatedCompositeFieldContainer[JigsawOrder]
    pieces: _containers.RepeatedCompositeFieldContainer[_media_pb2.Media]
    def __init__(self, kind: _Optional[_Union[JigsawKind, str]] = ..., options: _Optional[_Iterable[_Union[JigsawOrder, _Mapping]]] = ..., pieces: _Optional[_Iterable[_Union[_media_pb2.Media, _Mapping]]] = ...) -> None: ...

class JigsawOrder(_message.Message):
    __slots__ = ("pieces",)
    PIECES_FIELD_NUMBER: _ClassVar[int]
    pieces: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, pieces: _Optional[_Iterable[int]] = ...) -> None: ...

class JigsawTruth(_message.Message):
    __slots__ = ("label", "order", "anomaly")
    LABEL_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    ANOMALY_FIELD_NUMBER: _ClassVar[int]
    label: str
    order: JigsawOrder
    anomaly: JigsawAnomaly
    def __init__(self, label: _Optional[str] = ..., order: _Optional[_Union[JigsawOrder, _Mapping]] = ..., anomaly: _Optional[_Union[JigsawAnomaly, _Mapping]] = ...) -> None: ...

class JigsawAnomaly(_message.Message):
    __slots__ = ("position", "change")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    CHANGE_FIELD_NUMBER: _ClassVar[int]
    position: str
    change: JigsawChange
    def __init__(self, position: _Optional[str] = ..., change: _Optional[_Union[JigsawChange, str]] = ...) -> None: ...
