from grader.v1 import media_pb2 as _media_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class HingeShape(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    HINGE_SHAPE_UNSPECIFIED: _ClassVar[HingeShape]
    HINGE_SHAPE_SQUARE: _ClassVar[HingeShape]
    HINGE_SHAPE_DIAMOND: _ClassVar[HingeShape]
    HINGE_SHAPE_TRIANGLE: _ClassVar[HingeShape]
    HINGE_SHAPE_RECTANGLE: _ClassVar[HingeShape]
HINGE_SHAPE_UNSPECIFIED: HingeShape
HINGE_SHAPE_SQUARE: HingeShape
HINGE_SHAPE_DIAMOND: HingeShape
HINGE_SHAPE_TRIANGLE: HingeShape
HINGE_SHAPE_RECTANGLE: HingeShape

class HingeFoldingTask(_message.Message):
    __slots__ = ("puzzle", "truth")
    PUZZLE_FIELD_NUMBER: _ClassVar[int]
    TRUTH_FIELD_NUMBER: _ClassVar[int]
    puzzle: HingeFoldingPuzzle
    truth: HingeFoldingTruth
    def __init__(self, puzzle: _Optional[_Union[HingeFoldingPuzzle, _Mapping]] = ..., truth: _Optional[_Union[HingeFoldingTruth, _Mapping]] = ...) -> None: ...

class HingeFoldingPuzzle(_message.Message):
    __slots__ = ("shapes", "image", "place")
    SHAPES_FIELD_NUMBER: _ClassVar[int]
    IMAGE_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    shapes: _containers.RepeatedScalarFieldContainer[HingeShape]
    image: _media_pb2.Media
    place: ChainPlace
    def __init__(self, shapes: _Optional[_Iterable[_Union[HingeShape, str]]] = ..., image: _Optional[_Union[_media_pb2.Media, _Mapping]] = ..., place: _Optional[_Union[ChainPlace, _Mapping]] = ...) -> None: ...

class ChainPlace(_message.Message):
    __slots__ = ("unit_px", "x_px", "y_px")
    UNIT_PX_FIELD_NUMBER: _ClassVar[int]
    X_PX_FIELD_NUMBER: _ClassVar[int]
    Y_PX_FIELD_NUMBER: _ClassVar[int]
    unit_px: float
    x_px: float
    y_px: float
    def __init__(self, unit_px: _Optional[float] = ..., x_px: _Optional[float] = ..., y_px: _Optional[float] = ...) -> None: ...

class HingeFoldingTruth(_message.Message):
    __slots__ = ("turns",)
    TURNS_FIELD_NUMBER: _ClassVar[int]
    turns: _containers.RepeatedCompositeFieldContainer[HingeTurn]
    def __init__(self, turns: _Optional[_Iterable[_Union[HingeTurn, _Mapping]]] = ...) -> None: ...

class HingeTurn(_message.Message):
    __slots__ = ("hinge", "angle_deg")
    HINGE_FIELD_NUMBER: _ClassVar[int]
    ANGLE_DEG_FIELD_NUMBER: _ClassVar[int]
    hinge: str
    angle_deg: int
    def __init__(self, hinge: _Optional[str] = ..., angle_deg: _Optional[int] = ...) -> None: ...
