import datetime

from google.protobuf import duration_pb2 as _duration_pb2
from grader.v1 import compare_pb2 as _compare_pb2
from grader.v1 import form_board_pb2 as _form_board_pb2
from grader.v1 import grid_maze_pb2 as _grid_maze_pb2
from grader.v1 import hinge_folding_pb2 as _hinge_folding_pb2
from grader.v1 import jigsaw_pb2 as _jigsaw_pb2
from grader.v1 import maze_pb2 as _maze_pb2
from grader.v1 import media_pb2 as _media_pb2
from grader.v1 import paper_fold_pb2 as _paper_fold_pb2
from grader.v1 import queens_pb2 as _queens_pb2
from grader.v1 import rush_hour_pb2 as _rush_hour_pb2
from grader.v1 import sliding_pb2 as _sliding_pb2
from grader.v1 import spatial_edit_pb2 as _spatial_edit_pb2
from grader.v1 import verdict_pb2 as _verdict_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Similarity(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SIMILARITY_UNSPECIFIED: _ClassVar[Similarity]
    SIMILARITY_SSIM: _ClassVar[Similarity]
    SIMILARITY_LPIPS_ALEX: _ClassVar[Similarity]
    SIMILARITY_LPIPS_VGG: _ClassVar[Similarity]
    SIMILARITY_LPIPS_SQUEEZE: _ClassVar[Similarity]

class VideoPolicy(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VIDEO_POLICY_UNSPECIFIED: _ClassVar[VideoPolicy]
    VIDEO_POLICY_FINAL_FRAME: _ClassVar[VideoPolicy]
    VIDEO_POLICY_BEST_FRAME: _ClassVar[VideoPolicy]
SIMILARITY_UNSPECIFIED: Similarity
SIMILARITY_SSIM: Similarity
SIMILARITY_LPIPS_ALEX: Similarity
SIMILARITY_LPIPS_VGG: Similarity
SIMILARITY_LPIPS_SQUEEZE: Similarity
VIDEO_POLICY_UNSPECIFIED: VideoPolicy
VIDEO_POLICY_FINAL_FRAME: VideoPolicy
VIDEO_POLICY_BEST_FRAME: VideoPolicy

class GradeRequest(_message.Message):
    __slots__ = ("request_id", "maze", "queens", "rush_hour", "sliding", "spatial_edit", "compare", "form_board", "hinge_folding", "paper_fold", "grid_maze", "jigsaw", "image", "video", "frames", "text", "scene", "puzzle_id", "model", "attempt", "tags", "options")
    class TagsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    MAZE_FIELD_NUMBER: _ClassVar[int]
    QUEENS_FIELD_NUMBER: _ClassVar[int]
    RUSH_HOUR_FIELD_NUMBER: _ClassVar[int]
    SLIDING_FIELD_NUMBER: _ClassVar[int]
    SPATIAL_EDIT_FIELD_NUMBER: _ClassVar[int]
    COMPARE_FIELD_NUMBER: _ClassVar[int]
    FORM_BOARD_FIELD_NUMBER: _ClassVar[int]
    HINGE_FOLDING_FIELD_NUMBER: _ClassVar[int]
    PAPER_FOLD_FIELD_NUMBER: _ClassVar[int]
    GRID_MAZE_FIELD_NUMBER: _ClassVar[int]
    JIGSAW_FIELD_NUMBER: _ClassVar[int]
    IMAGE_FIELD_NUMBER: _ClassVar[int]
    VIDEO_FIELD_NUMBER: _ClassVar[int]
    FRAMES_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    SCENE_FIELD_NUMBER: _ClassVar[int]
    PUZZLE_ID_FIELD_NUMBER: _ClassVar[int]
    MODEL_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    maze: _maze_pb2.MazeTask
    queens: _queens_pb2.QueensTask
    rush_hour: _rush_hour_pb2.RushHourTask
    sliding: _sliding_pb2.SlidingTask
    spatial_edit: _spatial_edit_pb2.SpatialEditTask
    compare: _compare_pb2.CompareTask
    form_board: _form_board_pb2.FormBoardTask
    hinge_folding: _hinge_folding_pb2.HingeFoldingTask
    paper_fold: _paper_fold_pb2.PaperFoldTask
    grid_maze: _grid_maze_pb2.GridMazeTask
    jigsaw: _jigsaw_pb2.JigsawTask
    image: _media_pb2.Media
    video: _media_pb2.Media
    frames: _media_pb2.Frames
    text: str
    scene: _spatial_edit_pb2.EditedScene
    puzzle_id: str
    model: str
    attempt: int
    tags: _containers.ScalarMap[str, str]
    options: GradeOptions
    def __init__(self, request_id: _Optional[str] = ..., maze: _Optional[_Union[_maze_pb2.MazeTask, _Mapping]] = ..., queens: _Optional[_Union[_queens_pb2.QueensTask, _Mapping]] = ..., rush_hour: _Optional[_Union[_rush_hour_pb2.RushHourTask, _Mapping]] = ..., sliding: _Optional[_Union[_sliding_pb2.SlidingTask, _Mapping]] = ..., spatial_edit: _Optional[_Union[_spatial_edit_pb2.SpatialEditTask, _Mapping]] = ..., compare: _Optional[_Union[_compare_pb2.CompareTask, _Mapping]] = ..., form_board: _Optional[_Union[_form_board_pb2.FormBoardTask, _Mapping]] = ..., hinge_folding: _Optional[_Union[_hinge_folding_pb2.HingeFoldingTask, _Mapping]] = ..., paper_fold: _Optional[_Union[_paper_fold_pb2.PaperFoldTask, _Mapping]] = ..., grid_maze: _Optional[_Union[_grid_maze_pb2.GridMazeTask, _Mapping]] = ..., jigsaw: _Optional[_Union[_jigsaw_pb2.JigsawTask, _Mapping]] = ..., image: _Optional[_Union[_media_pb2.Media, _Mapping]] = ..., video: _Optional[_Union[_media_pb2.Media, _Mapping]] = ..., frames: _Optional[_Union[_media_pb2.Frames, _Mapping]] = ..., text: _Optional[str] = ..., scene: _Optional[_Union[_spatial_edit_pb2.EditedScene, _Mapping]] = ..., puzzle_id: _Optional[str] = ..., model: _Optional[str] = ..., attempt: _Optional[int] = ..., tags: _Optional[_Mapping[str, str]] = ..., options: _Optional[_Union[GradeOptions, _Mapping]] = ...) -> None: ...

class GradeOptions(_message.Message):
    __slots__ = ("profile", "overlay", "annotated_video", "video_policy", "similarity", "keep_media")
    PROFILE_FIELD_NUMBER: _ClassVar[int]
    OVERLAY_FIELD_NUMBER: _ClassVar[int]
    ANNOTATED_VIDEO_FIELD_NUMBER: _ClassVar[int]
    VIDEO_POLICY_FIELD_NUMBER: _ClassVar[int]
    SIMILARITY_FIELD_NUMBER: _ClassVar[int]
    KEEP_MEDIA_FIELD_NUMBER: _ClassVar[int]
    profile: str
    overlay: bool
    annotated_video: bool
    video_policy: VideoPolicy
    similarity: _containers.RepeatedScalarFieldContainer[Similarity]
    keep_media: bool
    def __init__(self, profile: _Optional[str] = ..., overlay: _Optional[bool] = ..., annotated_video: _Optional[bool] = ..., video_policy: _Optional[_Union[VideoPolicy, str]] = ..., similarity: _Optional[_Iterable[_Union[Similarity, str]]] = ..., keep_media: _Optional[bool] = ...) -> None: ...

class GradeResponse(_message.Message):
    __slots__ = ("request_id", "verdict")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    verdict: _verdict_pb2.Verdict
    def __init__(self, request_id: _Optional[str] = ..., verdict: _Optional[_Union[_verdict_pb2.Verdict, _Mapping]] = ...) -> None: ...

class GradeBatchRequest(_message.Message):
    __slots__ = ("request",)
    REQUEST_FIELD_NUMBER: _ClassVar[int]
    request: GradeRequest
    def __init__(self, request: _Optional[_Union[GradeRequest, _Mapping]] = ...) -> None: ...

class GradeBatchResponse(_message.Message):
    __slots__ = ("request_id", "verdict", "status")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    verdict: _verdict_pb2.Verdict
    status: ItemStatus
    def __init__(self, request_id: _Optional[str] = ..., verdict: _Optional[_Union[_verdict_pb2.Verdict, _Mapping]] = ..., status: _Optional[_Union[ItemStatus, _Mapping]] = ...) -> None: ...

class ItemStatus(_message.Message):
    __slots__ = ("code", "message", "reason", "field_violations", "retry_delay")
    CODE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    FIELD_VIOLATIONS_FIELD_NUMBER: _ClassVar[int]
    RETRY_DELAY_FIELD_NUMBER: _ClassVar[int]
    code: int
    message: str
    reason: str
    field_violations: _containers.RepeatedCompositeFieldContainer[FieldViolation]
    retry_delay: _duration_pb2.Duration
    def __init__(self, code: _Optional[int] = ..., message: _Optional[str] = ..., reason: _Optional[str] = ..., field_violations: _Optional[_Iterable[_Union[FieldViolation, _Mapping]]] = ..., retry_delay: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class FieldViolation(_message.Message):
    __slots__ = ("field", "reason", "description")
    FIELD_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    field: str
    reason: str
    description: str
    def __init__(self, field: _Optional[str] = ..., reason: _Optional[str] = ..., description: _Optional[str] = ...) -> None: ...

class ListTasksRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListTasksResponse(_message.Message):
    __slots__ = ("tasks", "limits", "profiles", "grader_version", "measures")
    TASKS_FIELD_NUMBER: _ClassVar[int]
    LIMITS_FIELD_NUMBER: _ClassVar[int]
    PROFILES_FIELD_NUMBER: _ClassVar[int]
    GRADER_VERSION_FIELD_NUMBER: _ClassVar[int]
    MEASURES_FIELD_NUMBER: _ClassVar[int]
    tasks: _containers.RepeatedCompositeFieldContainer[TaskInfo]
    limits: Limits
    profiles: _containers.RepeatedCompositeFieldContainer[ProfileInfo]
    grader_version: str
    measures: _containers.RepeatedCompositeFieldContainer[MeasureInfo]
    def __init__(self, tasks: _Optional[_Iterable[_Union[TaskInfo, _Mapping]]] = ..., limits: _Optional[_Union[Limits, _Mapping]] = ..., profiles: _Optional[_Iterable[_Union[ProfileInfo, _Mapping]]] = ..., grader_version: _Optional[str] = ..., measures: _Optional[_Iterable[_Union[MeasureInfo, _Mapping]]] = ...) -> None: ...

class MeasureInfo(_message.Message):
    __slots__ = ("name", "available", "unavailable_reason", "device", "self_check")
    NAME_FIELD_NUMBER: _ClassVar[int]
    AVAILABLE_FIELD_NUMBER: _ClassVar[int]
    UNAVAILABLE_REASON_FIELD_NUMBER: _ClassVar[int]
    DEVICE_FIELD_NUMBER: _ClassVar[int]
    SELF_CHECK_FIELD_NUMBER: _ClassVar[int]
    name: str
    available: bool
    unavailable_reason: str
    device: str
    self_check: str
    def __init__(self, name: _Optional[str] = ..., available: _Optional[bool] = ..., unavailable_reason: _Optional[str] = ..., device: _Optional[str] = ..., self_check: _Optional[str] = ...) -> None: ...

class TaskInfo(_message.Message):
    __slots__ = ("name", "description", "metrics", "reasons", "candidates")
    NAME_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    METRICS_FIELD_NUMBER: _ClassVar[int]
    REASONS_FIELD_NUMBER: _ClassVar[int]
    CANDIDATES_FIELD_NUMBER: _ClassVar[int]
    name: str
    description: str
    metrics: _containers.RepeatedCompositeFieldContainer[MetricInfo]
    reasons: _containers.RepeatedCompositeFieldContainer[ReasonInfo]
    candidates: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, name: _Optional[str] = ..., description: _Optional[str] = ..., metrics: _Optional[_Iterable[_Union[MetricInfo, _Mapping]]] = ..., reasons: _Optional[_Iterable[_Union[ReasonInfo, _Mapping]]] = ..., candidates: _Optional[_Iterable[str]] = ...) -> None: ...

class MetricInfo(_message.Message):
    __slots__ = ("name", "description", "unit", "higher_is_better", "lower_bound", "upper_bound", "candidates", "on_request")
    NAME_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    HIGHER_IS_BETTER_FIELD_NUMBER: _ClassVar[int]
    LOWER_BOUND_FIELD_NUMBER: _ClassVar[int]
    UPPER_BOUND_FIELD_NUMBER: _ClassVar[int]
    CANDIDATES_FIELD_NUMBER: _ClassVar[int]
    ON_REQUEST_FIELD_NUMBER: _ClassVar[int]
    name: str
    description: str
    unit: str
    higher_is_better: bool
    lower_bound: float
    upper_bound: float
    candidates: _containers.RepeatedScalarFieldContainer[str]
    on_request: bool
    def __init__(self, name: _Optional[str] = ..., description: _Optional[str] = ..., unit: _Optional[str] = ..., higher_is_better: _Optional[bool] = ..., lower_bound: _Optional[float] = ..., upper_bound: _Optional[float] = ..., candidates: _Optional[_Iterable[str]] = ..., on_request: _Optional[bool] = ...) -> None: ...

class ReasonInfo(_message.Message):
    __slots__ = ("code", "description")
    CODE_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    code: str
    description: str
    def __init__(self, code: _Optional[str] = ..., description: _Optional[str] = ...) -> None: ...

class ProfileInfo(_message.Message):
    __slots__ = ("name", "description", "digest", "task_digests", "calibration")
    class TaskDigestsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    NAME_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    TASK_DIGESTS_FIELD_NUMBER: _ClassVar[int]
    CALIBRATION_FIELD_NUMBER: _ClassVar[int]
    name: str
    description: str
    digest: str
    task_digests: _containers.ScalarMap[str, str]
    calibration: Calibration
    def __init__(self, name: _Optional[str] = ..., description: _Optional[str] = ..., digest: _Optional[str] = ..., task_digests: _Optional[_Mapping[str, str]] = ..., calibration: _Optional[_Union[Calibration, _Mapping]] = ...) -> None: ...

class Calibration(_message.Message):
    __slots__ = ("number", "threshold", "rule", "tasks", "grader_version", "fitted_profile", "labels_digest", "question", "raters", "labels", "candidates", "split_share", "split_seed", "wrong", "false_passes", "right", "false_fails", "bound", "bound_level", "accuracy", "people_percent", "people_ac1")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    THRESHOLD_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    TASKS_FIELD_NUMBER: _ClassVar[int]
    GRADER_VERSION_FIELD_NUMBER: _ClassVar[int]
    FITTED_PROFILE_FIELD_NUMBER: _ClassVar[int]
    LABELS_DIGEST_FIELD_NUMBER: _ClassVar[int]
    QUESTION_FIELD_NUMBER: _ClassVar[int]
    RATERS_FIELD_NUMBER: _ClassVar[int]
    LABELS_FIELD_NUMBER: _ClassVar[int]
    CANDIDATES_FIELD_NUMBER: _ClassVar[int]
    SPLIT_SHARE_FIELD_NUMBER: _ClassVar[int]
    SPLIT_SEED_FIELD_NUMBER: _ClassVar[int]
    WRONG_FIELD_NUMBER: _ClassVar[int]
    FALSE_PASSES_FIELD_NUMBER: _ClassVar[int]
    RIGHT_FIELD_NUMBER: _ClassVar[int]
    FALSE_FAILS_FIELD_NUMBER: _ClassVar[int]
    BOUND_FIELD_NUMBER: _ClassVar[int]
    BOUND_LEVEL_FIELD_NUMBER: _ClassVar[int]
    ACCURACY_FIELD_NUMBER: _ClassVar[int]
    PEOPLE_PERCENT_FIELD_NUMBER: _ClassVar[int]
    PEOPLE_AC1_FIELD_NUMBER: _ClassVar[int]
    number: str
    threshold: float
    rule: str
    tasks: _containers.RepeatedScalarFieldContainer[str]
    grader_version: str
    fitted_profile: str
    labels_digest: str
    question: str
    raters: int
    labels: int
    candidates: int
    split_share: float
    split_seed: int
    wrong: int
    false_passes: int
    right: int
    false_fails: int
    bound: float
    bound_level: float
    accuracy: float
    people_percent: float
    people_ac1: float
    def __init__(self, number: _Optional[str] = ..., threshold: _Optional[float] = ..., rule: _Optional[str] = ..., tasks: _Optional[_Iterable[str]] = ..., grader_version: _Optional[str] = ..., fitted_profile: _Optional[str] = ..., labels_digest: _Optional[str] = ..., question: _Optional[str] = ..., raters: _Optional[int] = ..., labels: _Optional[int] = ..., candidates: _Optional[int] = ..., split_share: _Optional[float] = ..., split_seed: _Optional[int] = ..., wrong: _Optional[int] = ..., false_passes: _Optional[int] = ..., right: _Optional[int] = ..., false_fails: _Optional[int] = ..., bound: _Optional[float] = ..., bound_level: _Optional[float] = ..., accuracy: _Optional[float] = ..., people_percent: _Optional[float] = ..., people_ac1: _Optional[float] = ...) -> None: ...

class Limits(_message.Message):
    __slots__ = ("max_message_bytes", "max_media_bytes", "max_pixels", "max_side_px", "formats", "video_formats", "max_frames", "max_duration_s", "max_frame_pixels", "kept_media_bytes", "max_calibration_candidates")
    MAX_MESSAGE_BYTES_FIELD_NUMBER: _ClassVar[int]
    MAX_MEDIA_BYTES_FIELD_NUMBER: _ClassVar[int]
    MAX_PIXELS_FIELD_NUMBER: _ClassVar[int]
    MAX_SIDE_PX_FIELD_NUMBER: _ClassVar[int]
    FORMATS_FIELD_NUMBER: _ClassVar[int]
    VIDEO_FORMATS_FIELD_NUMBER: _ClassVar[int]
    MAX_FRAMES_FIELD_NUMBER: _ClassVar[int]
    MAX_DURATION_S_FIELD_NUMBER: _ClassVar[int]
    MAX_FRAME_PIXELS_FIELD_NUMBER: _ClassVar[int]
    KEPT_MEDIA_BYTES_FIELD_NUMBER: _ClassVar[int]
    MAX_CALIBRATION_CANDIDATES_FIELD_NUMBER: _ClassVar[int]
    max_message_bytes: int
    max_media_bytes: int
    max_pixels: int
    max_side_px: int
    formats: _containers.RepeatedScalarFieldContainer[str]
    video_formats: _containers.RepeatedScalarFieldContainer[str]
    max_frames: int
    max_duration_s: float
    max_frame_pixels: int
    kept_media_bytes: int
    max_calibration_candidates: int
    def __init__(self, max_message_bytes: _Optional[int] = ..., max_media_bytes: _Optional[int] = ..., max_pixels: _Optional[int] = ..., max_side_px: _Optional[int] = ..., formats: _Optional[_Iterable[str]] = ..., video_formats: _Optional[_Iterable[str]] = ..., max_frames: _Optional[int] = ..., max_duration_s: _Optional[float] = ..., max_frame_pixels: _Optional[int] = ..., kept_media_bytes: _Optional[int] = ..., max_calibration_candidates: _Optional[int] = ...) -> None: ...
