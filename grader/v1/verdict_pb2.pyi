from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Outcome(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OUTCOME_UNSPECIFIED: _ClassVar[Outcome]
    OUTCOME_PASS: _ClassVar[Outcome]
    OUTCOME_FAIL: _ClassVar[Outcome]
    OUTCOME_UNGRADABLE: _ClassVar[Outcome]
    OUTCOME_MEASURED: _ClassVar[Outcome]

class Reading(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    READING_UNSPECIFIED: _ClassVar[Reading]
    READING_STRICT: _ClassVar[Reading]
    READING_LENIENT: _ClassVar[Reading]
OUTCOME_UNSPECIFIED: Outcome
OUTCOME_PASS: Outcome
OUTCOME_FAIL: Outcome
OUTCOME_UNGRADABLE: Outcome
OUTCOME_MEASURED: Outcome
READING_UNSPECIFIED: Reading
READING_STRICT: Reading
READING_LENIENT: Reading

class Verdict(_message.Message):
    __slots__ = ("outcome", "score", "reward", "metrics", "reasons", "observation", "alignment", "provenance", "notes", "overlay", "clip", "annotated_video")
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    REWARD_FIELD_NUMBER: _ClassVar[int]
    METRICS_FIELD_NUMBER: _ClassVar[int]
    REASONS_FIELD_NUMBER: _ClassVar[int]
    OBSERVATION_FIELD_NUMBER: _ClassVar[int]
    ALIGNMENT_FIELD_NUMBER: _ClassVar[int]
    PROVENANCE_FIELD_NUMBER: _ClassVar[int]
    NOTES_FIELD_NUMBER: _ClassVar[int]
    OVERLAY_FIELD_NUMBER: _ClassVar[int]
    CLIP_FIELD_NUMBER: _ClassVar[int]
    ANNOTATED_VIDEO_FIELD_NUMBER: _ClassVar[int]
    outcome: Outcome
    score: float
    reward: float
    metrics: _containers.RepeatedCompositeFieldContainer[Metric]
    reasons: _containers.RepeatedCompositeFieldContainer[Reason]
    observation: Observation
    alignment: Alignment
    provenance: Provenance
    notes: _containers.RepeatedCompositeFieldContainer[Note]
    overlay: Overlay
    clip: Clip
    annotated_video: AnnotatedVideo
    def __init__(self, outcome: _Optional[_Union[Outcome, str]] = ..., score: _Optional[float] = ..., reward: _Optional[float] = ..., metrics: _Optional[_Iterable[_Union[Metric, _Mapping]]] = ..., reasons: _Optional[_Iterable[_Union[Reason, _Mapping]]] = ..., observation: _Optional[_Union[Observation, _Mapping]] = ..., alignment: _Optional[_Union[Alignment, _Mapping]] = ..., provenance: _Optional[_Union[Provenance, _Mapping]] = ..., notes: _Optional[_Iterable[_Union[Note, _Mapping]]] = ..., overlay: _Optional[_Union[Overlay, _Mapping]] = ..., clip: _Optional[_Union[Clip, _Mapping]] = ..., annotated_video: _Optional[_Union[AnnotatedVideo, _Mapping]] = ...) -> None: ...

class Metric(_message.Message):
    __slots__ = ("name", "value", "unavailable_reason")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    UNAVAILABLE_REASON_FIELD_NUMBER: _ClassVar[int]
    name: str
    value: float
    unavailable_reason: str
    def __init__(self, name: _Optional[str] = ..., value: _Optional[float] = ..., unavailable_reason: _Optional[str] = ...) -> None: ...

class Reason(_message.Message):
    __slots__ = ("code", "message", "places")
    CODE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    PLACES_FIELD_NUMBER: _ClassVar[int]
    code: str
    message: str
    places: _containers.RepeatedCompositeFieldContainer[Place]
    def __init__(self, code: _Optional[str] = ..., message: _Optional[str] = ..., places: _Optional[_Iterable[_Union[Place, _Mapping]]] = ...) -> None: ...

class Note(_message.Message):
    __slots__ = ("code", "message")
    CODE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    code: str
    message: str
    def __init__(self, code: _Optional[str] = ..., message: _Optional[str] = ...) -> None: ...

class Place(_message.Message):
    __slots__ = ("cell", "box", "span", "object", "move", "step")
    CELL_FIELD_NUMBER: _ClassVar[int]
    BOX_FIELD_NUMBER: _ClassVar[int]
    SPAN_FIELD_NUMBER: _ClassVar[int]
    OBJECT_FIELD_NUMBER: _ClassVar[int]
    MOVE_FIELD_NUMBER: _ClassVar[int]
    STEP_FIELD_NUMBER: _ClassVar[int]
    cell: Cell
    box: PixelBox
    span: TimeSpan
    object: str
    move: int
    step: int
    def __init__(self, cell: _Optional[_Union[Cell, _Mapping]] = ..., box: _Optional[_Union[PixelBox, _Mapping]] = ..., span: _Optional[_Union[TimeSpan, _Mapping]] = ..., object: _Optional[str] = ..., move: _Optional[int] = ..., step: _Optional[int] = ...) -> None: ...

class TimeSpan(_message.Message):
    __slots__ = ("first_frame", "last_frame", "start_s", "end_s")
    FIRST_FRAME_FIELD_NUMBER: _ClassVar[int]
    LAST_FRAME_FIELD_NUMBER: _ClassVar[int]
    START_S_FIELD_NUMBER: _ClassVar[int]
    END_S_FIELD_NUMBER: _ClassVar[int]
    first_frame: int
    last_frame: int
    start_s: float
    end_s: float
    def __init__(self, first_frame: _Optional[int] = ..., last_frame: _Optional[int] = ..., start_s: _Optional[float] = ..., end_s: _Optional[float] = ...) -> None: ...

class Cell(_message.Message):
    __slots__ = ("id", "row", "column")
    ID_FIELD_NUMBER: _ClassVar[int]
    ROW_FIELD_NUMBER: _ClassVar[int]
    COLUMN_FIELD_NUMBER: _ClassVar[int]
    id: int
    row: int
    column: int
    def __init__(self, id: _Optional[int] = ..., row: _Optional[int] = ..., column: _Optional[int] = ...) -> None: ...

class Point(_message.Message):
    __slots__ = ("x_px", "y_px")
    X_PX_FIELD_NUMBER: _ClassVar[int]
    Y_PX_FIELD_NUMBER: _ClassVar[int]
    x_px: float
    y_px: float
    def __init__(self, x_px: _Optional[float] = ..., y_px: _Optional[float] = ...) -> None: ...

class PixelBox(_message.Message):
    __slots__ = ("left_px", "top_px", "width_px", "height_px")
    LEFT_PX_FIELD_NUMBER: _ClassVar[int]
    TOP_PX_FIELD_NUMBER: _ClassVar[int]
    WIDTH_PX_FIELD_NUMBER: _ClassVar[int]
    HEIGHT_PX_FIELD_NUMBER: _ClassVar[int]
    left_px: float
    top_px: float
    width_px: float
    height_px: float
    def __init__(self, left_px: _Optional[float] = ..., top_px: _Optional[float] = ..., width_px: _Optional[float] = ..., height_px: _Optional[float] = ...) -> None: ...

class Observation(_message.Message):
    __slots__ = ("path", "queens", "plan", "lot", "tiles", "steps", "maze_rollout", "edit", "assembly", "form_board", "chain", "sheet")
    PATH_FIELD_NUMBER: _ClassVar[int]
    QUEENS_FIELD_NUMBER: _ClassVar[int]
    PLAN_FIELD_NUMBER: _ClassVar[int]
    LOT_FIELD_NUMBER: _ClassVar[int]
    TILES_FIELD_NUMBER: _ClassVar[int]
    STEPS_FIELD_NUMBER: _ClassVar[int]
    MAZE_ROLLOUT_FIELD_NUMBER: _ClassVar[int]
    EDIT_FIELD_NUMBER: _ClassVar[int]
    ASSEMBLY_FIELD_NUMBER: _ClassVar[int]
    FORM_BOARD_FIELD_NUMBER: _ClassVar[int]
    CHAIN_FIELD_NUMBER: _ClassVar[int]
    SHEET_FIELD_NUMBER: _ClassVar[int]
    path: PathObservation
    queens: QueensObservation
    plan: PlanObservation
    lot: LotObservation
    tiles: TilesObservation
    steps: StepsObservation
    maze_rollout: MazeRolloutObservation
    edit: EditObservation
    assembly: AssemblyObservation
    form_board: FormBoardObservation
    chain: ChainObservation
    sheet: SheetObservation
    def __init__(self, path: _Optional[_Union[PathObservation, _Mapping]] = ..., queens: _Optional[_Union[QueensObservation, _Mapping]] = ..., plan: _Optional[_Union[PlanObservation, _Mapping]] = ..., lot: _Optional[_Union[LotObservation, _Mapping]] = ..., tiles: _Optional[_Union[TilesObservation, _Mapping]] = ..., steps: _Optional[_Union[StepsObservation, _Mapping]] = ..., maze_rollout: _Optional[_Union[MazeRolloutObservation, _Mapping]] = ..., edit: _Optional[_Union[EditObservation, _Mapping]] = ..., assembly: _Optional[_Union[AssemblyObservation, _Mapping]] = ..., form_board: _Optional[_Union[FormBoardObservation, _Mapping]] = ..., chain: _Optional[_Union[ChainObservation, _Mapping]] = ..., sheet: _Optional[_Union[SheetObservation, _Mapping]] = ...) -> None: ...

class FormBoardObservation(_message.Message):
    __slots__ = ("shapes", "silhouette_iou", "beside")
    SHAPES_FIELD_NUMBER: _ClassVar[int]
    SILHOUETTE_IOU_FIELD_NUMBER: _ClassVar[int]
    BESIDE_FIELD_NUMBER: _ClassVar[int]
    shapes: _containers.RepeatedCompositeFieldContainer[FormShapeObservation]
    silhouette_iou: float
    beside: _containers.RepeatedCompositeFieldContainer[PixelBox]
    def __init__(self, shapes: _Optional[_Iterable[_Union[FormShapeObservation, _Mapping]]] = ..., silhouette_iou: _Optional[float] = ..., beside: _Optional[_Iterable[_Union[PixelBox, _Mapping]]] = ...) -> None: ...

class FormShapeObservation(_message.Message):
    __slots__ = ("piece", "change", "like", "moved_x_px", "moved_y_px", "deviation", "box")
    PIECE_FIELD_NUMBER: _ClassVar[int]
    CHANGE_FIELD_NUMBER: _ClassVar[int]
    LIKE_FIELD_NUMBER: _ClassVar[int]
    MOVED_X_PX_FIELD_NUMBER: _ClassVar[int]
    MOVED_Y_PX_FIELD_NUMBER: _ClassVar[int]
    DEVIATION_FIELD_NUMBER: _ClassVar[int]
    BOX_FIELD_NUMBER: _ClassVar[int]
    piece: str
    change: str
    like: str
    moved_x_px: float
    moved_y_px: float
    deviation: float
    box: PixelBox
    def __init__(self, piece: _Optional[str] = ..., change: _Optional[str] = ..., like: _Optional[str] = ..., moved_x_px: _Optional[float] = ..., moved_y_px: _Optional[float] = ..., deviation: _Optional[float] = ..., box: _Optional[_Union[PixelBox, _Mapping]] = ...) -> None: ...

class ChainObservation(_message.Message):
    __slots__ = ("pieces", "hinges")
    PIECES_FIELD_NUMBER: _ClassVar[int]
    HINGES_FIELD_NUMBER: _ClassVar[int]
    pieces: _containers.RepeatedCompositeFieldContainer[ChainPiece]
    hinges: _containers.RepeatedCompositeFieldContainer[ChainHinge]
    def __init__(self, pieces: _Optional[_Iterable[_Union[ChainPiece, _Mapping]]] = ..., hinges: _Optional[_Iterable[_Union[ChainHinge, _Mapping]]] = ...) -> None: ...

class ChainPiece(_message.Message):
    __slots__ = ("found", "corners", "size", "bare_share")
    FOUND_FIELD_NUMBER: _ClassVar[int]
    CORNERS_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    BARE_SHARE_FIELD_NUMBER: _ClassVar[int]
    found: bool
    corners: _containers.RepeatedCompositeFieldContainer[Point]
    size: float
    bare_share: float
    def __init__(self, found: _Optional[bool] = ..., corners: _Optional[_Iterable[_Union[Point, _Mapping]]] = ..., size: _Optional[float] = ..., bare_share: _Optional[float] = ...) -> None: ...

class ChainHinge(_message.Message):
    __slots__ = ("hinge", "angle_deg", "gap_units")
    HINGE_FIELD_NUMBER: _ClassVar[int]
    ANGLE_DEG_FIELD_NUMBER: _ClassVar[int]
    GAP_UNITS_FIELD_NUMBER: _ClassVar[int]
    hinge: str
    angle_deg: float
    gap_units: float
    def __init__(self, hinge: _Optional[str] = ..., angle_deg: _Optional[float] = ..., gap_units: _Optional[float] = ...) -> None: ...

class SheetObservation(_message.Message):
    __slots__ = ("holes", "marks", "creases", "sheet_iou")
    HOLES_FIELD_NUMBER: _ClassVar[int]
    MARKS_FIELD_NUMBER: _ClassVar[int]
    CREASES_FIELD_NUMBER: _ClassVar[int]
    SHEET_IOU_FIELD_NUMBER: _ClassVar[int]
    holes: _containers.RepeatedCompositeFieldContainer[SheetHole]
    marks: _containers.RepeatedCompositeFieldContainer[RejectedMark]
    creases: float
    sheet_iou: float
    def __init__(self, holes: _Optional[_Iterable[_Union[SheetHole, _Mapping]]] = ..., marks: _Optional[_Iterable[_Union[RejectedMark, _Mapping]]] = ..., creases: _Optional[float] = ..., sheet_iou: _Optional[float] = ...) -> None: ...

class SheetHole(_message.Message):
    __slots__ = ("center", "radius_px", "contrast", "fits", "outside")
    CENTER_FIELD_NUMBER: _ClassVar[int]
    RADIUS_PX_FIELD_NUMBER: _ClassVar[int]
    CONTRAST_FIELD_NUMBER: _ClassVar[int]
    FITS_FIELD_NUMBER: _ClassVar[int]
    OUTSIDE_FIELD_NUMBER: _ClassVar[int]
    center: Point
    radius_px: float
    contrast: float
    fits: bool
    outside: bool
    def __init__(self, center: _Optional[_Union[Point, _Mapping]] = ..., radius_px: _Optional[float] = ..., contrast: _Optional[float] = ..., fits: _Optional[bool] = ..., outside: _Optional[bool] = ...) -> None: ...

class AssemblyObservation(_message.Message):
    __slots__ = ("quarters", "events")
    QUARTERS_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    quarters: _containers.RepeatedCompositeFieldContainer[QuarterObservation]
    events: _containers.RepeatedCompositeFieldContainer[SceneEvent]
    def __init__(self, quarters: _Optional[_Iterable[_Union[QuarterObservation, _Mapping]]] = ..., events: _Optional[_Iterable[_Union[SceneEvent, _Mapping]]] = ...) -> None: ...

class QuarterObservation(_message.Message):
    __slots__ = ("piece", "rotation_deg", "mirrored", "likeness", "detail", "altered_share", "box", "shift_levels", "rough_levels", "displaced_share")
    PIECE_FIELD_NUMBER: _ClassVar[int]
    ROTATION_DEG_FIELD_NUMBER: _ClassVar[int]
    MIRRORED_FIELD_NUMBER: _ClassVar[int]
    LIKENESS_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    ALTERED_SHARE_FIELD_NUMBER: _ClassVar[int]
    BOX_FIELD_NUMBER: _ClassVar[int]
    SHIFT_LEVELS_FIELD_NUMBER: _ClassVar[int]
    ROUGH_LEVELS_FIELD_NUMBER: _ClassVar[int]
    DISPLACED_SHARE_FIELD_NUMBER: _ClassVar[int]
    piece: int
    rotation_deg: int
    mirrored: bool
    likeness: float
    detail: float
    altered_share: float
    box: PixelBox
    shift_levels: float
    rough_levels: float
    displaced_share: float
    def __init__(self, piece: _Optional[int] = ..., rotation_deg: _Optional[int] = ..., mirrored: _Optional[bool] = ..., likeness: _Optional[float] = ..., detail: _Optional[float] = ..., altered_share: _Optional[float] = ..., box: _Optional[_Union[PixelBox, _Mapping]] = ..., shift_levels: _Optional[float] = ..., rough_levels: _Optional[float] = ..., displaced_share: _Optional[float] = ...) -> None: ...

class EditObservation(_message.Message):
    __slots__ = ("objects",)
    OBJECTS_FIELD_NUMBER: _ClassVar[int]
    objects: _containers.RepeatedCompositeFieldContainer[SceneObject]
    def __init__(self, objects: _Optional[_Iterable[_Union[SceneObject, _Mapping]]] = ...) -> None: ...

class SceneObject(_message.Message):
    __slots__ = ("label", "outline", "target")
    LABEL_FIELD_NUMBER: _ClassVar[int]
    OUTLINE_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    label: str
    outline: _containers.RepeatedCompositeFieldContainer[Point]
    target: bool
    def __init__(self, label: _Optional[str] = ..., outline: _Optional[_Iterable[_Union[Point, _Mapping]]] = ..., target: _Optional[bool] = ...) -> None: ...

class PlanObservation(_message.Message):
    __slots__ = ("readings",)
    READINGS_FIELD_NUMBER: _ClassVar[int]
    readings: _containers.RepeatedCompositeFieldContainer[PlanReading]
    def __init__(self, readings: _Optional[_Iterable[_Union[PlanReading, _Mapping]]] = ...) -> None: ...

class PlanReading(_message.Message):
    __slots__ = ("reading", "answered", "moves", "solved", "message", "spans", "unread")
    READING_FIELD_NUMBER: _ClassVar[int]
    ANSWERED_FIELD_NUMBER: _ClassVar[int]
    MOVES_FIELD_NUMBER: _ClassVar[int]
    SOLVED_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    SPANS_FIELD_NUMBER: _ClassVar[int]
    UNREAD_FIELD_NUMBER: _ClassVar[int]
    reading: Reading
    answered: bool
    moves: _containers.RepeatedScalarFieldContainer[str]
    solved: bool
    message: str
    spans: _containers.RepeatedCompositeFieldContainer[TextSpan]
    unread: TextSpan
    def __init__(self, reading: _Optional[_Union[Reading, str]] = ..., answered: _Optional[bool] = ..., moves: _Optional[_Iterable[str]] = ..., solved: _Optional[bool] = ..., message: _Optional[str] = ..., spans: _Optional[_Iterable[_Union[TextSpan, _Mapping]]] = ..., unread: _Optional[_Union[TextSpan, _Mapping]] = ...) -> None: ...

class TextSpan(_message.Message):
    __slots__ = ("start", "end")
    START_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    start: int
    end: int
    def __init__(self, start: _Optional[int] = ..., end: _Optional[int] = ...) -> None: ...

class ShownMove(_message.Message):
    __slots__ = ("move", "span", "distance", "complete")
    MOVE_FIELD_NUMBER: _ClassVar[int]
    SPAN_FIELD_NUMBER: _ClassVar[int]
    DISTANCE_FIELD_NUMBER: _ClassVar[int]
    COMPLETE_FIELD_NUMBER: _ClassVar[int]
    move: str
    span: TimeSpan
    distance: float
    complete: bool
    def __init__(self, move: _Optional[str] = ..., span: _Optional[_Union[TimeSpan, _Mapping]] = ..., distance: _Optional[float] = ..., complete: _Optional[bool] = ...) -> None: ...

class Track(_message.Message):
    __slots__ = ("object", "points")
    OBJECT_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    object: str
    points: _containers.RepeatedCompositeFieldContainer[TrackPoint]
    def __init__(self, object: _Optional[str] = ..., points: _Optional[_Iterable[_Union[TrackPoint, _Mapping]]] = ...) -> None: ...

class TrackPoint(_message.Message):
    __slots__ = ("time_s", "x", "y", "theta_rad")
    TIME_S_FIELD_NUMBER: _ClassVar[int]
    X_FIELD_NUMBER: _ClassVar[int]
    Y_FIELD_NUMBER: _ClassVar[int]
    THETA_RAD_FIELD_NUMBER: _ClassVar[int]
    time_s: float
    x: float
    y: float
    theta_rad: float
    def __init__(self, time_s: _Optional[float] = ..., x: _Optional[float] = ..., y: _Optional[float] = ..., theta_rad: _Optional[float] = ...) -> None: ...

class SceneEvent(_message.Message):
    __slots__ = ("code", "span", "object", "box")
    CODE_FIELD_NUMBER: _ClassVar[int]
    SPAN_FIELD_NUMBER: _ClassVar[int]
    OBJECT_FIELD_NUMBER: _ClassVar[int]
    BOX_FIELD_NUMBER: _ClassVar[int]
    code: str
    span: TimeSpan
    object: str
    box: PixelBox
    def __init__(self, code: _Optional[str] = ..., span: _Optional[_Union[TimeSpan, _Mapping]] = ..., object: _Optional[str] = ..., box: _Optional[_Union[PixelBox, _Mapping]] = ...) -> None: ...

class LotObservation(_message.Message):
    __slots__ = ("moves", "tracks", "events")
    MOVES_FIELD_NUMBER: _ClassVar[int]
    TRACKS_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    moves: _containers.RepeatedCompositeFieldContainer[ShownMove]
    tracks: _containers.RepeatedCompositeFieldContainer[Track]
    events: _containers.RepeatedCompositeFieldContainer[SceneEvent]
    def __init__(self, moves: _Optional[_Iterable[_Union[ShownMove, _Mapping]]] = ..., tracks: _Optional[_Iterable[_Union[Track, _Mapping]]] = ..., events: _Optional[_Iterable[_Union[SceneEvent, _Mapping]]] = ...) -> None: ...

class TilesObservation(_message.Message):
    __slots__ = ("moves", "tracks", "events", "final_tiles")
    MOVES_FIELD_NUMBER: _ClassVar[int]
    TRACKS_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    FINAL_TILES_FIELD_NUMBER: _ClassVar[int]
    moves: _containers.RepeatedCompositeFieldContainer[ShownMove]
    tracks: _containers.RepeatedCompositeFieldContainer[Track]
    events: _containers.RepeatedCompositeFieldContainer[SceneEvent]
    final_tiles: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, moves: _Optional[_Iterable[_Union[ShownMove, _Mapping]]] = ..., tracks: _Optional[_Iterable[_Union[Track, _Mapping]]] = ..., events: _Optional[_Iterable[_Union[SceneEvent, _Mapping]]] = ..., final_tiles: _Optional[_Iterable[int]] = ...) -> None: ...

class StepsObservation(_message.Message):
    __slots__ = ("steps", "moves_in_words")
    STEPS_FIELD_NUMBER: _ClassVar[int]
    MOVES_IN_WORDS_FIELD_NUMBER: _ClassVar[int]
    steps: _containers.RepeatedCompositeFieldContainer[StepSeen]
    moves_in_words: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, steps: _Optional[_Iterable[_Union[StepSeen, _Mapping]]] = ..., moves_in_words: _Optional[_Iterable[str]] = ...) -> None: ...

class StepSeen(_message.Message):
    __slots__ = ("moves", "legal", "faults", "tiles", "vehicles", "hinges_deg")
    MOVES_FIELD_NUMBER: _ClassVar[int]
    LEGAL_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    TILES_FIELD_NUMBER: _ClassVar[int]
    VEHICLES_FIELD_NUMBER: _ClassVar[int]
    HINGES_DEG_FIELD_NUMBER: _ClassVar[int]
    moves: _containers.RepeatedScalarFieldContainer[str]
    legal: bool
    faults: _containers.RepeatedScalarFieldContainer[str]
    tiles: _containers.RepeatedScalarFieldContainer[int]
    vehicles: _containers.RepeatedCompositeFieldContainer[VehicleSeen]
    hinges_deg: _containers.RepeatedScalarFieldContainer[float]
    def __init__(self, moves: _Optional[_Iterable[str]] = ..., legal: _Optional[bool] = ..., faults: _Optional[_Iterable[str]] = ..., tiles: _Optional[_Iterable[int]] = ..., vehicles: _Optional[_Iterable[_Union[VehicleSeen, _Mapping]]] = ..., hinges_deg: _Optional[_Iterable[float]] = ...) -> None: ...

class VehicleSeen(_message.Message):
    __slots__ = ("label", "x", "y", "theta_rad")
    LABEL_FIELD_NUMBER: _ClassVar[int]
    X_FIELD_NUMBER: _ClassVar[int]
    Y_FIELD_NUMBER: _ClassVar[int]
    THETA_RAD_FIELD_NUMBER: _ClassVar[int]
    label: str
    x: float
    y: float
    theta_rad: float
    def __init__(self, label: _Optional[str] = ..., x: _Optional[float] = ..., y: _Optional[float] = ..., theta_rad: _Optional[float] = ...) -> None: ...

class MazeRolloutObservation(_message.Message):
    __slots__ = ("kind", "policy", "trajectory", "visited_cells", "wall_crossings", "events", "path")
    KIND_FIELD_NUMBER: _ClassVar[int]
    POLICY_FIELD_NUMBER: _ClassVar[int]
    TRAJECTORY_FIELD_NUMBER: _ClassVar[int]
    VISITED_CELLS_FIELD_NUMBER: _ClassVar[int]
    WALL_CROSSINGS_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    kind: str
    policy: str
    trajectory: _containers.RepeatedCompositeFieldContainer[RolloutPoint]
    visited_cells: _containers.RepeatedCompositeFieldContainer[Cell]
    wall_crossings: _containers.RepeatedCompositeFieldContainer[WallCrossing]
    events: _containers.RepeatedCompositeFieldContainer[SceneEvent]
    path: PathObservation
    def __init__(self, kind: _Optional[str] = ..., policy: _Optional[str] = ..., trajectory: _Optional[_Iterable[_Union[RolloutPoint, _Mapping]]] = ..., visited_cells: _Optional[_Iterable[_Union[Cell, _Mapping]]] = ..., wall_crossings: _Optional[_Iterable[_Union[WallCrossing, _Mapping]]] = ..., events: _Optional[_Iterable[_Union[SceneEvent, _Mapping]]] = ..., path: _Optional[_Union[PathObservation, _Mapping]] = ...) -> None: ...

class RolloutPoint(_message.Message):
    __slots__ = ("time_s", "at")
    TIME_S_FIELD_NUMBER: _ClassVar[int]
    AT_FIELD_NUMBER: _ClassVar[int]
    time_s: float
    at: Point
    def __init__(self, time_s: _Optional[float] = ..., at: _Optional[_Union[Point, _Mapping]] = ...) -> None: ...

class Clip(_message.Message):
    __slots__ = ("width_px", "height_px", "decoded_frames", "declared_frames", "duration_s", "codec", "truncated", "damaged_frames")
    WIDTH_PX_FIELD_NUMBER: _ClassVar[int]
    HEIGHT_PX_FIELD_NUMBER: _ClassVar[int]
    DECODED_FRAMES_FIELD_NUMBER: _ClassVar[int]
    DECLARED_FRAMES_FIELD_NUMBER: _ClassVar[int]
    DURATION_S_FIELD_NUMBER: _ClassVar[int]
    CODEC_FIELD_NUMBER: _ClassVar[int]
    TRUNCATED_FIELD_NUMBER: _ClassVar[int]
    DAMAGED_FRAMES_FIELD_NUMBER: _ClassVar[int]
    width_px: int
    height_px: int
    decoded_frames: int
    declared_frames: int
    duration_s: float
    codec: str
    truncated: bool
    damaged_frames: int
    def __init__(self, width_px: _Optional[int] = ..., height_px: _Optional[int] = ..., decoded_frames: _Optional[int] = ..., declared_frames: _Optional[int] = ..., duration_s: _Optional[float] = ..., codec: _Optional[str] = ..., truncated: _Optional[bool] = ..., damaged_frames: _Optional[int] = ...) -> None: ...

class PathObservation(_message.Message):
    __slots__ = ("polyline", "visited_cells", "wall_crossings", "color_hex", "color_as_asked", "stroke_width_px", "pieces", "confidence")
    POLYLINE_FIELD_NUMBER: _ClassVar[int]
    VISITED_CELLS_FIELD_NUMBER: _ClassVar[int]
    WALL_CROSSINGS_FIELD_NUMBER: _ClassVar[int]
    COLOR_HEX_FIELD_NUMBER: _ClassVar[int]
    COLOR_AS_ASKED_FIELD_NUMBER: _ClassVar[int]
    STROKE_WIDTH_PX_FIELD_NUMBER: _ClassVar[int]
    PIECES_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    polyline: _containers.RepeatedCompositeFieldContainer[Point]
    visited_cells: _containers.RepeatedCompositeFieldContainer[Cell]
    wall_crossings: _containers.RepeatedCompositeFieldContainer[WallCrossing]
    color_hex: str
    color_as_asked: bool
    stroke_width_px: float
    pieces: int
    confidence: float
    def __init__(self, polyline: _Optional[_Iterable[_Union[Point, _Mapping]]] = ..., visited_cells: _Optional[_Iterable[_Union[Cell, _Mapping]]] = ..., wall_crossings: _Optional[_Iterable[_Union[WallCrossing, _Mapping]]] = ..., color_hex: _Optional[str] = ..., color_as_asked: _Optional[bool] = ..., stroke_width_px: _Optional[float] = ..., pieces: _Optional[int] = ..., confidence: _Optional[float] = ...) -> None: ...

class WallCrossing(_message.Message):
    __slots__ = ("to", "at")
    FROM_FIELD_NUMBER: _ClassVar[int]
    TO_FIELD_NUMBER: _ClassVar[int]
    AT_FIELD_NUMBER: _ClassVar[int]
    to: Cell
    at: Point
    def __init__(self, to: _Optional[_Union[Cell, _Mapping]] = ..., at: _Optional[_Union[Point, _Mapping]] = ..., **kwargs) -> None: ...

class QueensObservation(_message.Message):
    __slots__ = ("queens", "rejected_marks")
    QUEENS_FIELD_NUMBER: _ClassVar[int]
    REJECTED_MARKS_FIELD_NUMBER: _ClassVar[int]
    queens: _containers.RepeatedCompositeFieldContainer[Queen]
    rejected_marks: _containers.RepeatedCompositeFieldContainer[RejectedMark]
    def __init__(self, queens: _Optional[_Iterable[_Union[Queen, _Mapping]]] = ..., rejected_marks: _Optional[_Iterable[_Union[RejectedMark, _Mapping]]] = ...) -> None: ...

class Queen(_message.Message):
    __slots__ = ("row", "column", "center", "radius_px", "confidence")
    ROW_FIELD_NUMBER: _ClassVar[int]
    COLUMN_FIELD_NUMBER: _ClassVar[int]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    RADIUS_PX_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    row: int
    column: int
    center: Point
    radius_px: float
    confidence: float
    def __init__(self, row: _Optional[int] = ..., column: _Optional[int] = ..., center: _Optional[_Union[Point, _Mapping]] = ..., radius_px: _Optional[float] = ..., confidence: _Optional[float] = ...) -> None: ...

class RejectedMark(_message.Message):
    __slots__ = ("box", "code")
    BOX_FIELD_NUMBER: _ClassVar[int]
    CODE_FIELD_NUMBER: _ClassVar[int]
    box: PixelBox
    code: str
    def __init__(self, box: _Optional[_Union[PixelBox, _Mapping]] = ..., code: _Optional[str] = ...) -> None: ...

class Alignment(_message.Message):
    __slots__ = ("candidate_width_px", "candidate_height_px", "scale_x", "scale_y", "shift_x_px", "shift_y_px", "rotation_rad", "matrix", "method", "quality", "covered", "bend")
    CANDIDATE_WIDTH_PX_FIELD_NUMBER: _ClassVar[int]
    CANDIDATE_HEIGHT_PX_FIELD_NUMBER: _ClassVar[int]
    SCALE_X_FIELD_NUMBER: _ClassVar[int]
    SCALE_Y_FIELD_NUMBER: _ClassVar[int]
    SHIFT_X_PX_FIELD_NUMBER: _ClassVar[int]
    SHIFT_Y_PX_FIELD_NUMBER: _ClassVar[int]
    ROTATION_RAD_FIELD_NUMBER: _ClassVar[int]
    MATRIX_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    QUALITY_FIELD_NUMBER: _ClassVar[int]
    COVERED_FIELD_NUMBER: _ClassVar[int]
    BEND_FIELD_NUMBER: _ClassVar[int]
    candidate_width_px: int
    candidate_height_px: int
    scale_x: float
    scale_y: float
    shift_x_px: float
    shift_y_px: float
    rotation_rad: float
    matrix: _containers.RepeatedScalarFieldContainer[float]
    method: str
    quality: float
    covered: float
    bend: Bend
    def __init__(self, candidate_width_px: _Optional[int] = ..., candidate_height_px: _Optional[int] = ..., scale_x: _Optional[float] = ..., scale_y: _Optional[float] = ..., shift_x_px: _Optional[float] = ..., shift_y_px: _Optional[float] = ..., rotation_rad: _Optional[float] = ..., matrix: _Optional[_Iterable[float]] = ..., method: _Optional[str] = ..., quality: _Optional[float] = ..., covered: _Optional[float] = ..., bend: _Optional[_Union[Bend, _Mapping]] = ...) -> None: ...

class Bend(_message.Message):
    __slots__ = ("rows", "columns", "offsets_px", "largest_px")
    ROWS_FIELD_NUMBER: _ClassVar[int]
    COLUMNS_FIELD_NUMBER: _ClassVar[int]
    OFFSETS_PX_FIELD_NUMBER: _ClassVar[int]
    LARGEST_PX_FIELD_NUMBER: _ClassVar[int]
    rows: int
    columns: int
    offsets_px: _containers.RepeatedScalarFieldContainer[float]
    largest_px: float
    def __init__(self, rows: _Optional[int] = ..., columns: _Optional[int] = ..., offsets_px: _Optional[_Iterable[float]] = ..., largest_px: _Optional[float] = ...) -> None: ...

class Provenance(_message.Message):
    __slots__ = ("grader_version", "profile", "profile_digest", "input_sha256", "library_versions", "measured_with", "box_detector")
    class InputSha256Entry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    class LibraryVersionsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    GRADER_VERSION_FIELD_NUMBER: _ClassVar[int]
    PROFILE_FIELD_NUMBER: _ClassVar[int]
    PROFILE_DIGEST_FIELD_NUMBER: _ClassVar[int]
    INPUT_SHA256_FIELD_NUMBER: _ClassVar[int]
    LIBRARY_VERSIONS_FIELD_NUMBER: _ClassVar[int]
    MEASURED_WITH_FIELD_NUMBER: _ClassVar[int]
    BOX_DETECTOR_FIELD_NUMBER: _ClassVar[int]
    grader_version: str
    profile: str
    profile_digest: str
    input_sha256: _containers.ScalarMap[str, str]
    library_versions: _containers.ScalarMap[str, str]
    measured_with: _containers.RepeatedCompositeFieldContainer[MeasuredWith]
    box_detector: str
    def __init__(self, grader_version: _Optional[str] = ..., profile: _Optional[str] = ..., profile_digest: _Optional[str] = ..., input_sha256: _Optional[_Mapping[str, str]] = ..., library_versions: _Optional[_Mapping[str, str]] = ..., measured_with: _Optional[_Iterable[_Union[MeasuredWith, _Mapping]]] = ..., box_detector: _Optional[str] = ...) -> None: ...

class MeasuredWith(_message.Message):
    __slots__ = ("measure", "device", "weights_sha256")
    MEASURE_FIELD_NUMBER: _ClassVar[int]
    DEVICE_FIELD_NUMBER: _ClassVar[int]
    WEIGHTS_SHA256_FIELD_NUMBER: _ClassVar[int]
    measure: str
    device: str
    weights_sha256: str
    def __init__(self, measure: _Optional[str] = ..., device: _Optional[str] = ..., weights_sha256: _Optional[str] = ...) -> None: ...

class Overlay(_message.Message):
    __slots__ = ("png", "width_px", "height_px", "html")
    PNG_FIELD_NUMBER: _ClassVar[int]
    WIDTH_PX_FIELD_NUMBER: _ClassVar[int]
    HEIGHT_PX_FIELD_NUMBER: _ClassVar[int]
    HTML_FIELD_NUMBER: _ClassVar[int]
    png: bytes
    width_px: int
    height_px: int
    html: str
    def __init__(self, png: _Optional[bytes] = ..., width_px: _Optional[int] = ..., height_px: _Optional[int] = ..., html: _Optional[str] = ...) -> None: ...

class AnnotatedVideo(_message.Message):
    __slots__ = ("mp4", "width_px", "height_px", "frames_per_s")
    MP4_FIELD_NUMBER: _ClassVar[int]
    WIDTH_PX_FIELD_NUMBER: _ClassVar[int]
    HEIGHT_PX_FIELD_NUMBER: _ClassVar[int]
    FRAMES_PER_S_FIELD_NUMBER: _ClassVar[int]
    mp4: bytes
    width_px: int
    height_px: int
    frames_per_s: float
    def __init__(self, mp4: _Optional[bytes] = ..., width_px: _Optional[int] = ..., height_px: _Optional[int] = ..., frames_per_s: _Optional[float] = ...) -> None: ...
