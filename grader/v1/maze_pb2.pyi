from grader.v1 import media_pb2 as _media_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class MazeGeometry(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MAZE_GEOMETRY_UNSPECIFIED: _ClassVar[MazeGeometry]
    MAZE_GEOMETRY_SQUARE: _ClassVar[MazeGeometry]
    MAZE_GEOMETRY_HEXAGON: _ClassVar[MazeGeometry]
    MAZE_GEOMETRY_TRIANGLE: _ClassVar[MazeGeometry]
    MAZE_GEOMETRY_CIRCLE: _ClassVar[MazeGeometry]

class PathColor(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PATH_COLOR_UNSPECIFIED: _ClassVar[PathColor]
    PATH_COLOR_BLUE: _ClassVar[PathColor]
    PATH_COLOR_GREEN: _ClassVar[PathColor]
    PATH_COLOR_RED: _ClassVar[PathColor]
    PATH_COLOR_ORANGE: _ClassVar[PathColor]
    PATH_COLOR_MAGENTA: _ClassVar[PathColor]
    PATH_COLOR_BLACK: _ClassVar[PathColor]
    PATH_COLOR_WHITE: _ClassVar[PathColor]
    PATH_COLOR_YELLOW: _ClassVar[PathColor]
    PATH_COLOR_CYAN: _ClassVar[PathColor]
    PATH_COLOR_PURPLE: _ClassVar[PathColor]
MAZE_GEOMETRY_UNSPECIFIED: MazeGeometry
MAZE_GEOMETRY_SQUARE: MazeGeometry
MAZE_GEOMETRY_HEXAGON: MazeGeometry
MAZE_GEOMETRY_TRIANGLE: MazeGeometry
MAZE_GEOMETRY_CIRCLE: MazeGeometry
PATH_COLOR_UNSPECIFIED: PathColor
PATH_COLOR_BLUE: PathColor
PATH_COLOR_GREEN: PathColor
PATH_COLOR_RED: PathColor
PATH_COLOR_ORANGE: PathColor
PATH_COLOR_MAGENTA: PathColor
PATH_COLOR_BLACK: PathColor
PATH_COLOR_WHITE: PathColor
PATH_COLOR_YELLOW: PathColor
PATH_COLOR_CYAN: PathColor
PATH_COLOR_PURPLE: PathColor

class MazeTask(_message.Message):
    __slots__ = ("puzzle", "truth", "path_color")
    PUZZLE_FIELD_NUMBER: _ClassVar[int]
    TRUTH_FIELD_NUMBER: _ClassVar[int]
    PATH_COLOR_FIELD_NUMBER: _ClassVar[int]
    puzzle: MazePuzzle
    truth: MazeTruth
    path_color: PathColor
    def __init__(self, puzzle: _Optional[_Union[MazePuzzle, _Mapping]] = ..., truth: _Optional[_Union[MazeTruth, _Mapping]] = ..., path_color: _Optional[_Union[PathColor, str]] = ...) -> None: ...

class MazePuzzle(_message.Message):
    __slots__ = ("image", "cell_map", "geometry", "width_cells", "height_cells", "rings", "cell_size_px", "wall_width_px", "box", "grid", "floor")
    IMAGE_FIELD_NUMBER: _ClassVar[int]
    CELL_MAP_FIELD_NUMBER: _ClassVar[int]
    GEOMETRY_FIELD_NUMBER: _ClassVar[int]
    WIDTH_CELLS_FIELD_NUMBER: _ClassVar[int]
    HEIGHT_CELLS_FIELD_NUMBER: _ClassVar[int]
    RINGS_FIELD_NUMBER: _ClassVar[int]
    CELL_SIZE_PX_FIELD_NUMBER: _ClassVar[int]
    WALL_WIDTH_PX_FIELD_NUMBER: _ClassVar[int]
    BOX_FIELD_NUMBER: _ClassVar[int]
    GRID_FIELD_NUMBER: _ClassVar[int]
    FLOOR_FIELD_NUMBER: _ClassVar[int]
    image: _media_pb2.Media
    cell_map: _media_pb2.Media
    geometry: MazeGeometry
    width_cells: int
    height_cells: int
    rings: int
    cell_size_px: float
    wall_width_px: float
    box: MazeBox
    grid: MazeGrid
    floor: MazeFloor
    def __init__(self, image: _Optional[_Union[_media_pb2.Media, _Mapping]] = ..., cell_map: _Optional[_Union[_media_pb2.Media, _Mapping]] = ..., geometry: _Optional[_Union[MazeGeometry, str]] = ..., width_cells: _Optional[int] = ..., height_cells: _Optional[int] = ..., rings: _Optional[int] = ..., cell_size_px: _Optional[float] = ..., wall_width_px: _Optional[float] = ..., box: _Optional[_Union[MazeBox, _Mapping]] = ..., grid: _Optional[_Union[MazeGrid, _Mapping]] = ..., floor: _Optional[_Union[MazeFloor, _Mapping]] = ...) -> None: ...

class MazeFloor(_message.Message):
    __slots__ = ("mask", "start", "goal", "start_mask", "goal_mask")
    MASK_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    GOAL_FIELD_NUMBER: _ClassVar[int]
    START_MASK_FIELD_NUMBER: _ClassVar[int]
    GOAL_MASK_FIELD_NUMBER: _ClassVar[int]
    mask: _media_pb2.Media
    start: MazePoint
    goal: MazePoint
    start_mask: _media_pb2.Media
    goal_mask: _media_pb2.Media
    def __init__(self, mask: _Optional[_Union[_media_pb2.Media, _Mapping]] = ..., start: _Optional[_Union[MazePoint, _Mapping]] = ..., goal: _Optional[_Union[MazePoint, _Mapping]] = ..., start_mask: _Optional[_Union[_media_pb2.Media, _Mapping]] = ..., goal_mask: _Optional[_Union[_media_pb2.Media, _Mapping]] = ...) -> None: ...

class MazePoint(_message.Message):
    __slots__ = ("x_px", "y_px")
    X_PX_FIELD_NUMBER: _ClassVar[int]
    Y_PX_FIELD_NUMBER: _ClassVar[int]
    x_px: float
    y_px: float
    def __init__(self, x_px: _Optional[float] = ..., y_px: _Optional[float] = ...) -> None: ...

class MazeGrid(_message.Message):
    __slots__ = ("rows", "walls")
    ROWS_FIELD_NUMBER: _ClassVar[int]
    WALLS_FIELD_NUMBER: _ClassVar[int]
    rows: _containers.RepeatedScalarFieldContainer[str]
    walls: _containers.RepeatedCompositeFieldContainer[MazeCellPair]
    def __init__(self, rows: _Optional[_Iterable[str]] = ..., walls: _Optional[_Iterable[_Union[MazeCellPair, _Mapping]]] = ...) -> None: ...

class MazeCellPair(_message.Message):
    __slots__ = ("first_cell_id", "second_cell_id")
    FIRST_CELL_ID_FIELD_NUMBER: _ClassVar[int]
    SECOND_CELL_ID_FIELD_NUMBER: _ClassVar[int]
    first_cell_id: int
    second_cell_id: int
    def __init__(self, first_cell_id: _Optional[int] = ..., second_cell_id: _Optional[int] = ...) -> None: ...

class MazeBox(_message.Message):
    __slots__ = ("left_px", "top_px", "width_px", "height_px")
    LEFT_PX_FIELD_NUMBER: _ClassVar[int]
    TOP_PX_FIELD_NUMBER: _ClassVar[int]
    WIDTH_PX_FIELD_NUMBER: _ClassVar[int]
    HEIGHT_PX_FIELD_NUMBER: _ClassVar[int]
    left_px: int
    top_px: int
    width_px: int
    height_px: int
    def __init__(self, left_px: _Optional[int] = ..., top_px: _Optional[int] = ..., width_px: _Optional[int] = ..., height_px: _Optional[int] = ...) -> None: ...

class MazeTruth(_message.Message):
    __slots__ = ("path_cell_ids", "solution_image", "mask", "any_solution", "goal_may_change", "way")
    PATH_CELL_IDS_FIELD_NUMBER: _ClassVar[int]
    SOLUTION_IMAGE_FIELD_NUMBER: _ClassVar[int]
    MASK_FIELD_NUMBER: _ClassVar[int]
    ANY_SOLUTION_FIELD_NUMBER: _ClassVar[int]
    GOAL_MAY_CHANGE_FIELD_NUMBER: _ClassVar[int]
    WAY_FIELD_NUMBER: _ClassVar[int]
    path_cell_ids: _containers.RepeatedScalarFieldContainer[int]
    solution_image: _media_pb2.Media
    mask: _media_pb2.Media
    any_solution: bool
    goal_may_change: bool
    way: _containers.RepeatedCompositeFieldContainer[MazePoint]
    def __init__(self, path_cell_ids: _Optional[_Iterable[int]] = ..., solution_image: _Optional[_Union[_media_pb2.Media, _Mapping]] = ..., mask: _Optional[_Union[_media_pb2.Media, _Mapping]] = ..., any_solution: _Optional[bool] = ..., goal_may_change: _Optional[bool] = ..., way: _Optional[_Iterable[_Union[MazePoint, _Mapping]]] = ...) -> None: ...
