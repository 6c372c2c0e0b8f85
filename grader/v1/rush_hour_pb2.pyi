from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class LotSide(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    LOT_SIDE_UNSPECIFIED: _ClassVar[LotSide]
    LOT_SIDE_LEFT: _ClassVar[LotSide]
    LOT_SIDE_RIGHT: _ClassVar[LotSide]
    LOT_SIDE_BOTTOM: _ClassVar[LotSide]
    LOT_SIDE_TOP: _ClassVar[LotSide]
LOT_SIDE_UNSPECIFIED: LotSide
LOT_SIDE_LEFT: LotSide
LOT_SIDE_RIGHT: LotSide
LOT_SIDE_BOTTOM: LotSide
LOT_SIDE_TOP: LotSide

class RushHourTask(_message.Message):
    __slots__ = ("puzzle",)
    PUZZLE_FIELD_NUMBER: _ClassVar[int]
    puzzle: RushHourPuzzle
    def __init__(self, puzzle: _Optional[_Union[RushHourPuzzle, _Mapping]] = ...) -> None: ...

class RushHourPuzzle(_message.Message):
    __slots__ = ("width", "height", "exits", "vehicles", "obstacles")
    WIDTH_FIELD_NUMBER: _ClassVar[int]
    HEIGHT_FIELD_NUMBER: _ClassVar[int]
    EXITS_FIELD_NUMBER: _ClassVar[int]
    VEHICLES_FIELD_NUMBER: _ClassVar[int]
    OBSTACLES_FIELD_NUMBER: _ClassVar[int]
    width: float
    height: float
    exits: _containers.RepeatedCompositeFieldContainer[LotExit]
    vehicles: _containers.RepeatedCompositeFieldContainer[LotVehicle]
    obstacles: _containers.RepeatedCompositeFieldContainer[LotObstacle]
    def __init__(self, width: _Optional[float] = ..., height: _Optional[float] = ..., exits: _Optional[_Iterable[_Union[LotExit, _Mapping]]] = ..., vehicles: _Optional[_Iterable[_Union[LotVehicle, _Mapping]]] = ..., obstacles: _Optional[_Iterable[_Union[LotObstacle, _Mapping]]] = ...) -> None: ...

class LotExit(_message.Message):
    __slots__ = ("side", "start", "end")
    SIDE_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    side: LotSide
    start: float
    end: float
    def __init__(self, side: _Optional[_Union[LotSide, str]] = ..., start: _Optional[float] = ..., end: _Optional[float] = ...) -> None: ...

class LotPose(_message.Message):
    __slots__ = ("x", "y", "theta_rad")
    X_FIELD_NUMBER: _ClassVar[int]
    Y_FIELD_NUMBER: _ClassVar[int]
    THETA_RAD_FIELD_NUMBER: _ClassVar[int]
    x: float
    y: float
    theta_rad: float
    def __init__(self, x: _Optional[float] = ..., y: _Optional[float] = ..., theta_rad: _Optional[float] = ...) -> None: ...

class LotVehicle(_message.Message):
    __slots__ = ("label", "length", "width", "pose", "forward_reversed", "fixed", "color_hex")
    LABEL_FIELD_NUMBER: _ClassVar[int]
    LENGTH_FIELD_NUMBER: _ClassVar[int]
    WIDTH_FIELD_NUMBER: _ClassVar[int]
    POSE_FIELD_NUMBER: _ClassVar[int]
    FORWARD_REVERSED_FIELD_NUMBER: _ClassVar[int]
    FIXED_FIELD_NUMBER: _ClassVar[int]
    COLOR_HEX_FIELD_NUMBER: _ClassVar[int]
    label: str
    length: float
    width: float
    pose: LotPose
    forward_reversed: bool
    fixed: bool
    color_hex: str
    def __init__(self, label: _Optional[str] = ..., length: _Optional[float] = ..., width: _Optional[float] = ..., pose: _Optional[_Union[LotPose, _Mapping]] = ..., forward_reversed: _Optional[bool] = ..., fixed: _Optional[bool] = ..., color_hex: _Optional[str] = ...) -> None: ...

class LotObstacle(_message.Message):
    __slots__ = ("length", "width", "pose")
    LENGTH_FIELD_NUMBER: _ClassVar[int]
    WIDTH_FIELD_NUMBER: _ClassVar[int]
    POSE_FIELD_NUMBER: _ClassVar[int]
    length: float
    width: float
    pose: LotPose
    def __init__(self, length: _Optional[float] = ..., width: _Optional[float] = ..., pose: _Optional[_Union[LotPose, _Mapping]] = ...) -> None: ...
