from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class PaperFoldTask(_message.Message):
    __slots__ = ("puzzle", "truth")
    PUZZLE_FIELD_NUMBER: _ClassVar[int]
    TRUTH_FIELD_NUMBER: _ClassVar[int]
    puzzle: PaperFoldPuzzle
    truth: PaperFoldTruth
    def __init__(self, puzzle: _Optional[_Union[PaperFoldPuzzle, _Mapping]] = ..., truth: _Optional[_Union[PaperFoldTruth, _Mapping]] = ...) -> None: ...

class PaperFoldPuzzle(_message.Message):
    __slots__ = ("labels",)
    LABELS_FIELD_NUMBER: _ClassVar[int]
    labels: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, labels: _Optional[_Iterable[str]] = ...) -> None: ...

class PaperFoldTruth(_message.Message):
    __slots__ = ("label",)
    LABEL_FIELD_NUMBER: _ClassVar[int]
    label: str
    def __init__(self, label: _Optional[str] = ...) -> None: ...
