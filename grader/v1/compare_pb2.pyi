from grader.v1 import media_pb2 as _media_pb2
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class CompareTask(_message.Message):
    __slots__ = ("reference", "mask")
    REFERENCE_FIELD_NUMBER: _ClassVar[int]
    MASK_FIELD_NUMBER: _ClassVar[int]
    reference: _media_pb2.Media
    mask: _media_pb2.Media
    def __init__(self, reference: _Optional[_Union[_media_pb2.Media, _Mapping]] = ..., mask: _Optional[_Union[_media_pb2.Media, _Mapping]] = ...) -> None: ...
