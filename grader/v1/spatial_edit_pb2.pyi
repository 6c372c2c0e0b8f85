from grader.v1 import media_pb2 as _media_pb2
from grader.v1 import verdict_pb2 as _verdict_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class EditOperation(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EDIT_OPERATION_UNSPECIFIED: _ClassVar[EditOperation]
    EDIT_OPERATION_MOVE: _ClassVar[EditOperation]
    EDIT_OPERATION_ROTATE: _ClassVar[EditOperation]
    EDIT_OPERATION_RESIZE: _ClassVar[EditOperation]
    EDIT_OPERATION_REMOVE: _ClassVar[EditOperation]
    EDIT_OPERATION_VIEW: _ClassVar[EditOperation]
EDIT_OPERATION_UNSPECIFIED: EditOperation
EDIT_OPERATION_MOVE: EditOperation
EDIT_OPERATION_ROTATE: EditOperation
EDIT_OPERATION_RESIZE: EditOperation
EDIT_OPERATION_REMOVE: EditOperation
EDIT_OPERATION_VIEW: EditOperation

class SpatialEditTask(_message.Message):
    __slots__ = ("puzzle", "truth")
    PUZZLE_FIELD_NUMBER: _ClassVar[int]
    TRUTH_FIELD_NUMBER: _ClassVar[int]
    puzzle: EditPuzzle
    truth: EditTruth
    def __init__(self, puzzle: _Optional[_Union[EditPuzzle, _Mapping]] = ..., truth: _Optional[_Union[EditTruth, _Mapping]] = ...) -> None: ...

class EditPuzzle(_message.Message):
    __slots__ = ("image", "prompt", "operation", "target", "source_box", "intrinsics", "detections", "colored_boxes")
    IMAGE_FIELD_NUMBER: _ClassVar[int]
    PROMPT_FIELD_NUMBER: _ClassVar[int]
    OPERATION_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    SOURCE_BOX_FIELD_NUMBER: _ClassVar[int]
    INTRINSICS_FIELD_NUMBER: _ClassVar[int]
    DETECTIONS_FIELD_NUMBER: _ClassVar[int]
    COLORED_BOXES_FIELD_NUMBER: _ClassVar[int]
    image: _media_pb2.Media
    prompt: str
    operation: EditOperation
    target: str
    source_box: OrientedBox
    intrinsics: CameraIntrinsics
    detections: _containers.RepeatedCompositeFieldContainer[DetectedBox]
    colored_boxes: ColoredBoxes
    def __init__(self, image: _Optional[_Union[_media_pb2.Media, _Mapping]] = ..., prompt: _Optional[str] = ..., operation: _Optional[_Union[EditOperation, str]] = ..., target: _Optional[str] = ..., source_box: _Optional[_Union[OrientedBox, _Mapping]] = ..., intrinsics: _Optional[_Union[CameraIntrinsics, _Mapping]] = ..., detections: _Optional[_Iterable[_Union[DetectedBox, _Mapping]]] = ..., colored_boxes: _Optional[_Union[ColoredBoxes, _Mapping]] = ...) -> None: ...

class ColoredBoxes(_message.Message):
    __slots__ = ("kinds", "table")
    KINDS_FIELD_NUMBER: _ClassVar[int]
    TABLE_FIELD_NUMBER: _ClassVar[int]
    kinds: _containers.RepeatedCompositeFieldContainer[ColoredBox]
    table: TablePlane
    def __init__(self, kinds: _Optional[_Iterable[_Union[ColoredBox, _Mapping]]] = ..., table: _Optional[_Union[TablePlane, _Mapping]] = ...) -> None: ...

class ColoredBox(_message.Message):
    __slots__ = ("label", "color_hex", "size_m")
    LABEL_FIELD_NUMBER: _ClassVar[int]
    COLOR_HEX_FIELD_NUMBER: _ClassVar[int]
    SIZE_M_FIELD_NUMBER: _ClassVar[int]
    label: str
    color_hex: str
    size_m: Vector3
    def __init__(self, label: _Optional[str] = ..., color_hex: _Optional[str] = ..., size_m: _Optional[_Union[Vector3, _Mapping]] = ...) -> None: ...

class TablePlane(_message.Message):
    __slots__ = ("normal", "offset_m")
    NORMAL_FIELD_NUMBER: _ClassVar[int]
    OFFSET_M_FIELD_NUMBER: _ClassVar[int]
    normal: Vector3
    offset_m: float
    def __init__(self, normal: _Optional[_Union[Vector3, _Mapping]] = ..., offset_m: _Optional[float] = ...) -> None: ...

class EditTruth(_message.Message):
    __slots__ = ("destination_box", "image")
    DESTINATION_BOX_FIELD_NUMBER: _ClassVar[int]
    IMAGE_FIELD_NUMBER: _ClassVar[int]
    destination_box: OrientedBox
    image: _media_pb2.Media
    def __init__(self, destination_box: _Optional[_Union[OrientedBox, _Mapping]] = ..., image: _Optional[_Union[_media_pb2.Media, _Mapping]] = ...) -> None: ...

class OrientedBox(_message.Message):
    __slots__ = ("center_m", "size_m", "rotation")
    CENTER_M_FIELD_NUMBER: _ClassVar[int]
    SIZE_M_FIELD_NUMBER: _ClassVar[int]
    ROTATION_FIELD_NUMBER: _ClassVar[int]
    center_m: Vector3
    size_m: Vector3
    rotation: Rotation
    def __init__(self, center_m: _Optional[_Union[Vector3, _Mapping]] = ..., size_m: _Optional[_Union[Vector3, _Mapping]] = ..., rotation: _Optional[_Union[Rotation, _Mapping]] = ...) -> None: ...

class Vector3(_message.Message):
    __slots__ = ("x", "y", "z")
    X_FIELD_NUMBER: _ClassVar[int]
    Y_FIELD_NUMBER: _ClassVar[int]
    Z_FIELD_NUMBER: _ClassVar[int]
    x: float
    y: float
    z: float
    def __init__(self, x: _Optional[float] = ..., y: _Optional[float] = ..., z: _Optional[float] = ...) -> None: ...

class Rotation(_message.Message):
    __slots__ = ("matrix", "yaw_rad", "quaternion", "two_rows", "euler")
    MATRIX_FIELD_NUMBER: _ClassVar[int]
    YAW_RAD_FIELD_NUMBER: _ClassVar[int]
    QUATERNION_FIELD_NUMBER: _ClassVar[int]
    TWO_ROWS_FIELD_NUMBER: _ClassVar[int]
    EULER_FIELD_NUMBER: _ClassVar[int]
    matrix: RotationMatrix
    yaw_rad: float
    quaternion: Quaternion
    two_rows: TwoRows
    euler: EulerAngles
    def __init__(self, matrix: _Optional[_Union[RotationMatrix, _Mapping]] = ..., yaw_rad: _Optional[float] = ..., quaternion: _Optional[_Union[Quaternion, _Mapping]] = ..., two_rows: _Optional[_Union[TwoRows, _Mapping]] = ..., euler: _Optional[_Union[EulerAngles, _Mapping]] = ...) -> None: ...

class RotationMatrix(_message.Message):
    __slots__ = ("entries",)
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    entries: _containers.RepeatedScalarFieldContainer[float]
    def __init__(self, entries: _Optional[_Iterable[float]] = ...) -> None: ...

class Quaternion(_message.Message):
    __slots__ = ("w", "x", "y", "z")
    W_FIELD_NUMBER: _ClassVar[int]
    X_FIELD_NUMBER: _ClassVar[int]
    Y_FIELD_NUMBER: _ClassVar[int]
    Z_FIELD_NUMBER: _ClassVar[int]
    w: float
    x: float
    y: float
    z: float
    def __init__(self, w: _Optional[float] = ..., x: _Optional[float] = ..., y: _Optional[float] = ..., z: _Optional[float] = ...) -> None: ...

class TwoRows(_message.Message):
    __slots__ = ("entries",)
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    entries: _containers.RepeatedScalarFieldContainer[float]
    def __init__(self, entries: _Optional[_Iterable[float]] = ...) -> None: ...

class EulerAngles(_message.Message):
    __slots__ = ("x_rad", "y_rad", "z_rad")
    X_RAD_FIELD_NUMBER: _ClassVar[int]
    Y_RAD_FIELD_NUMBER: _ClassVar[int]
    Z_RAD_FIELD_NUMBER: _ClassVar[int]
    x_rad: float
    y_rad: float
    z_rad: float
    def __init__(self, x_rad: _Optional[float] = ..., y_rad: _Optional[float] = ..., z_rad: _Optional[float] = ...) -> None: ...

class CameraIntrinsics(_message.Message):
    __slots__ = ("fx_px", "fy_px", "cx_px", "cy_px", "skew_px")
    FX_PX_FIELD_NUMBER: _ClassVar[int]
    FY_PX_FIELD_NUMBER: _ClassVar[int]
    CX_PX_FIELD_NUMBER: _ClassVar[int]
    CY_PX_FIELD_NUMBER: _ClassVar[int]
    SKEW_PX_FIELD_NUMBER: _ClassVar[int]
    fx_px: float
    fy_px: float
    cx_px: float
    cy_px: float
    skew_px: float
    def __init__(self, fx_px: _Optional[float] = ..., fy_px: _Optional[float] = ..., cx_px: _Optional[float] = ..., cy_px: _Optional[float] = ..., skew_px: _Optional[float] = ...) -> None: ...

class DetectedBox(_message.Message):
    __slots__ = ("label", "box", "box_2d")
    LABEL_FIELD_NUMBER: _ClassVar[int]
    BOX_FIELD_NUMBER: _ClassVar[int]
    BOX_2D_FIELD_NUMBER: _ClassVar[int]
    label: str
    box: OrientedBox
    box_2d: _verdict_pb2.PixelBox
    def __init__(self, label: _Optional[str] = ..., box: _Optional[_Union[OrientedBox, _Mapping]] = ..., box_2d: _Optional[_Union[_verdict_pb2.PixelBox, _Mapping]] = ...) -> None: ...

class EditedScene(_message.Message):
    __slots__ = ("image", "detections", "appearance_rating")
    IMAGE_FIELD_NUMBER: _ClassVar[int]
    DETECTIONS_FIELD_NUMBER: _ClassVar[int]
    APPEARANCE_RATING_FIELD_NUMBER: _ClassVar[int]
    image: _media_pb2.Media
    detections: _containers.RepeatedCompositeFieldContainer[DetectedBox]
    appearance_rating: float
    def __init__(self, image: _Optional[_Union[_media_pb2.Media, _Mapping]] = ..., detections: _Optional[_Iterable[_Union[DetectedBox, _Mapping]]] = ..., appearance_rating: _Optional[float] = ...) -> None: ...
