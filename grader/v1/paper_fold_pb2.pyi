from grader.v1 import media_pb2 as _media_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class FoldLine(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FOLD_LINE_UNSPECIFIED: _ClassVar[FoldLine]
    FOLD_LINE_HORIZONTAL: _ClassVar[FoldLine]
    FOLD_LINE_VERTICAL: _ClassVar[FoldLine]
    FOLD_LINE_DIAG_POS: _ClassVar[FoldLine]
    FOLD_LINE_DIAG_NEG: _ClassVar[FoldLine]
FOLD_LINE_UNSPECIFIED: FoldLine
FOLD_LINE_HORIZONTAL: FoldLine
FOLD_LINE_VERTICAL: FoldLine
FOLD_LINE_DIAG_POS: FoldLine
FOLD_LINE_DIAG_NEG: FoldLine

class PaperFoldTask(_message.Message):
    __slots__ = ("puzzle", "truth")
    PUZZLE_FIELD_NUMBER: _ClassVar[int]
    TRUTH_FIELD_NUMBER: _ClassVar[int]
    puzzle: PaperFoldPuzzle
    truth: PaperFoldTruth
    def __init__(self, puzzle: _Optional[_Union[PaperFoldPuzzle, _Mapping]] = ..., truth: _Optional[_Union[PaperFoldTruth, _Mapping]] = ...) -> None: ...

class PaperFoldPuzzle(_message.Message):
    __slots__ = ("labels", "folds", "punches", "hole_radius", "sheets", "frame")
    LABELS_FIELD_NUMBER: _ClassVar[int]
    FOLDS_FIELD_NUMBER: _ClassVar[int]
    PUNCHES_FIELD_NUMBER: _ClassVar[int]
    HOLE_RADIUS_FIELD_NUMBER: _ClassVar[int]
    SHEETS_FIELD_NUMBER: _ClassVar[int]
    FRAME_FIELD_NUMBER: _ClassVar[int]
    labels: _containers.RepeatedScalarFieldContainer[str]
    folds: _containers.RepeatedCompositeFieldContainer[SheetFold]
    punches: _containers.RepeatedCompositeFieldContainer[SheetPoint]
    hole_radius: float
    sheets: _containers.RepeatedCompositeFieldContainer[_media_pb2.Media]
    frame: SheetFrame
    def __init__(self, labels: _Optional[_Iterable[str]] = ..., folds: _Optional[_Iterable[_Union[SheetFold, _Mapping]]] = ..., punches: _Optional[_Iterable[_Union[SheetPoint, _Mapping]]] = ..., hole_radius: _Optional[float] = ..., sheets: _Optional[_Iterable[_Union[_media_pb2.Media, _Mapping]]] = ..., frame: _Optional[_Union[SheetFrame, _Mapping]] = ...) -> None: ...

class SheetFold(_message.Message):
    __slots__ = ("line", "offset", "above")
    LINE_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    ABOVE_FIELD_NUMBER: _ClassVar[int]
    line: FoldLine
    offset: float
    above: bool
    def __init__(self, line: _Optional[_Union[FoldLine, str]] = ..., offset: _Optional[float] = ..., above: _Optional[bool] = ...) -> None: ...

class SheetPoint(_message.Message):
    __slots__ = ("x", "y")
    X_FIELD_NUMBER: _ClassVar[int]
    Y_FIELD_NUMBER: _ClassVar[int]
    x: float
    y: float
    def __init__(self, x: _Optional[float] = ..., y: _Optional[float] = ...) -> None: ...

class SheetFrame(_message.Message):
    __slots__ = ("left_px", "top_px", "side_px")
    LEFT_PX_FIELD_NUMBER: _ClassVar[int]
    TOP_PX_FIELD_NUMBER: _ClassVar[int]
    SIDE_PX_FIELD_NUMBER: _ClassVar[int]
    left_px: float
    top_px: float
    side_px: float
    def __init__(self, left_px: _Optional[float] = ..., top_px: _Optional[float] = ..., side_px: _Optional[float] = ...) -> None: ...

class PaperFoldTruth(_message.Message):
    __slots__ = ("label",)
    LABEL_FIELD_NUMBER: _ClassVar[int]
    label: str
    def __init__(self, label: _Optional[str] = ...) -> None: ...
