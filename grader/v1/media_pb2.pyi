from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Media(_message.Message):
    __slots__ = ("data", "uri", "sha256")
    DATA_FIELD_NUMBER: _ClassVar[int]
    URI_FIELD_NUMBER: _ClassVar[int]
    SHA256_FIELD_NUMBER: _ClassVar[int]
    data: bytes
    uri: str
    sha256: bytes
    def __init__(self, data: _Optional[bytes] = ..., uri: _Optional[str] = ..., sha256: _Optional[bytes] = ...) -> None: ...

class Frames(_message.Message):
    __slots__ = ("images", "text")
    IMAGES_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    images: _containers.RepeatedCompositeFieldContainer[Media]
    text: str
    def __init__(self, images: _Optional[_Iterable[_Union[Media, _Mapping]]] = ..., text: _Optional[str] = ...) -> None: ...
