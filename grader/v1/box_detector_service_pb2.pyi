from grader.v1 import spatial_edit_pb2 as _spatial_edit_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class DetectBoxesRequest(_message.Message):
    __slots__ = ("png", "labels", "intrinsics")
    PNG_FIELD_NUMBER: _ClassVar[int]
    LABELS_FIELD_NUMBER: _ClassVar[int]
    INTRINSICS_FIELD_NUMBER: _ClassVar[int]
    png: bytes
    labels: _containers.RepeatedScalarFieldContainer[str]
    intrinsics: _spatial_edit_pb2.CameraIntrinsics
    def __init__(self, png: _Optional[bytes] = ..., labels: _Optional[_Iterable[str]] = ..., intrinsics: _Optional[_Union[_spatial_edit_pb2.CameraIntrinsics, _Mapping]] = ...) -> None: ...

class DetectBoxesResponse(_message.Message):
    __slots__ = ("detections", "detector")
    DETECTIONS_FIELD_NUMBER: _ClassVar[int]
    DETECTOR_FIELD_NUMBER: _ClassVar[int]
    detections: _containers.RepeatedCompositeFieldContainer[_spatial_edit_pb2.DetectedBox]
    detector: str
    def __init__(self, detections: _Optional[_Iterable[_Union[_spatial_edit_pb2.DetectedBox, _Mapping]]] = ..., detector: _Optional[str] = ...) -> None: ...
