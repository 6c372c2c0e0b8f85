from grader.v1 import verdict_pb2 as _verdict_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ProbabilityFit(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PROBABILITY_FIT_UNSPECIFIED: _ClassVar[ProbabilityFit]
    PROBABILITY_FIT_ISOTONIC: _ClassVar[ProbabilityFit]
    PROBABILITY_FIT_PLATT: _ClassVar[ProbabilityFit]

class ThresholdRule(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    THRESHOLD_RULE_UNSPECIFIED: _ClassVar[ThresholdRule]
    THRESHOLD_RULE_BOUND: _ClassVar[ThresholdRule]
    THRESHOLD_RULE_COST: _ClassVar[ThresholdRule]
PROBABILITY_FIT_UNSPECIFIED: ProbabilityFit
PROBABILITY_FIT_ISOTONIC: ProbabilityFit
PROBABILITY_FIT_PLATT: ProbabilityFit
THRESHOLD_RULE_UNSPECIFIED: ThresholdRule
THRESHOLD_RULE_BOUND: ThresholdRule
THRESHOLD_RULE_COST: ThresholdRule

class CalibrateRequest(_message.Message):
    __slots__ = ("options", "candidate")
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    CANDIDATE_FIELD_NUMBER: _ClassVar[int]
    options: CalibrateOptions
    candidate: LabelledVerdict
    def __init__(self, options: _Optional[_Union[CalibrateOptions, _Mapping]] = ..., candidate: _Optional[_Union[LabelledVerdict, _Mapping]] = ...) -> None: ...

class CalibrateOptions(_message.Message):
    __slots__ = ("number", "fit", "split_share", "false_pass_cost", "false_fail_cost", "most_false_passes", "by", "few", "worst", "resamples", "seed", "profile_name", "profile_threshold")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    FIT_FIELD_NUMBER: _ClassVar[int]
    SPLIT_SHARE_FIELD_NUMBER: _ClassVar[int]
    FALSE_PASS_COST_FIELD_NUMBER: _ClassVar[int]
    FALSE_FAIL_COST_FIELD_NUMBER: _ClassVar[int]
    MOST_FALSE_PASSES_FIELD_NUMBER: _ClassVar[int]
    BY_FIELD_NUMBER: _ClassVar[int]
    FEW_FIELD_NUMBER: _ClassVar[int]
    WORST_FIELD_NUMBER: _ClassVar[int]
    RESAMPLES_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    PROFILE_NAME_FIELD_NUMBER: _ClassVar[int]
    PROFILE_THRESHOLD_FIELD_NUMBER: _ClassVar[int]
    number: str
    fit: ProbabilityFit
    split_share: float
    false_pass_cost: float
    false_fail_cost: float
    most_false_passes: float
    by: _containers.RepeatedScalarFieldContainer[str]
    few: int
    worst: int
    resamples: int
    seed: int
    profile_name: str
    profile_threshold: ThresholdRule
    def __init__(self, number: _Optional[str] = ..., fit: _Optional[_Union[ProbabilityFit, str]] = ..., split_share: _Optional[float] = ..., false_pass_cost: _Optional[float] = ..., false_fail_cost: _Optional[float] = ..., most_false_passes: _Optional[float] = ..., by: _Optional[_Iterable[str]] = ..., few: _Optional[int] = ..., worst: _Optional[int] = ..., resamples: _Optional[int] = ..., seed: _Optional[int] = ..., profile_name: _Optional[str] = ..., profile_threshold: _Optional[_Union[ThresholdRule, str]] = ...) -> None: ...

class LabelledVerdict(_message.Message):
    __slots__ = ("request_id", "task", "puzzle_id", "model", "attempt", "tags", "verdict", "labels")
    class TagsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TASK_FIELD_NUMBER: _ClassVar[int]
    PUZZLE_ID_FIELD_NUMBER: _ClassVar[int]
    MODEL_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    LABELS_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    task: str
    puzzle_id: str
    model: str
    attempt: int
    tags: _containers.ScalarMap[str, str]
    verdict: _verdict_pb2.Verdict
    labels: _containers.RepeatedCompositeFieldContainer[PersonLabel]
    def __init__(self, request_id: _Optional[str] = ..., task: _Optional[str] = ..., puzzle_id: _Optional[str] = ..., model: _Optional[str] = ..., attempt: _Optional[int] = ..., tags: _Optional[_Mapping[str, str]] = ..., verdict: _Optional[_Union[_verdict_pb2.Verdict, _Mapping]] = ..., labels: _Optional[_Iterable[_Union[PersonLabel, _Mapping]]] = ...) -> None: ...

class PersonLabel(_message.Message):
    __slots__ = ("rater", "label", "adjudicated", "stratum")
    RATER_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    ADJUDICATED_FIELD_NUMBER: _ClassVar[int]
    STRATUM_FIELD_NUMBER: _ClassVar[int]
    rater: str
    label: str
    adjudicated: bool
    stratum: str
    def __init__(self, rater: _Optional[str] = ..., label: _Optional[str] = ..., adjudicated: _Optional[bool] = ..., stratum: _Optional[str] = ...) -> None: ...

class CalibrateResponse(_message.Message):
    __slots__ = ("labels", "tables", "maps", "thresholds", "disagreements", "notes", "profile")
    LABELS_FIELD_NUMBER: _ClassVar[int]
    TABLES_FIELD_NUMBER: _ClassVar[int]
    MAPS_FIELD_NUMBER: _ClassVar[int]
    THRESHOLDS_FIELD_NUMBER: _ClassVar[int]
    DISAGREEMENTS_FIELD_NUMBER: _ClassVar[int]
    NOTES_FIELD_NUMBER: _ClassVar[int]
    PROFILE_FIELD_NUMBER: _ClassVar[int]
    labels: LabelSummary
    tables: _containers.RepeatedCompositeFieldContainer[CalibrationTable]
    maps: _containers.RepeatedCompositeFieldContainer[ProbabilityMap]
    thresholds: _containers.RepeatedCompositeFieldContainer[FittedThreshold]
    disagreements: _containers.RepeatedCompositeFieldContainer[Disagreement]
    notes: _containers.RepeatedScalarFieldContainer[str]
    profile: FittedProfile
    def __init__(self, labels: _Optional[_Union[LabelSummary, _Mapping]] = ..., tables: _Optional[_Iterable[_Union[CalibrationTable, _Mapping]]] = ..., maps: _Optional[_Iterable[_Union[ProbabilityMap, _Mapping]]] = ..., thresholds: _Optional[_Iterable[_Union[FittedThreshold, _Mapping]]] = ..., disagreements: _Optional[_Iterable[_Union[Disagreement, _Mapping]]] = ..., notes: _Optional[_Iterable[str]] = ..., profile: _Optional[_Union[FittedProfile, _Mapping]] = ...) -> None: ...

class LabelSummary(_message.Message):
    __slots__ = ("digest", "question", "raters", "labels", "candidates", "told", "unlabelled")
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    QUESTION_FIELD_NUMBER: _ClassVar[int]
    RATERS_FIELD_NUMBER: _ClassVar[int]
    LABELS_FIELD_NUMBER: _ClassVar[int]
    CANDIDATES_FIELD_NUMBER: _ClassVar[int]
    TOLD_FIELD_NUMBER: _ClassVar[int]
    UNLABELLED_FIELD_NUMBER: _ClassVar[int]
    digest: str
    question: str
    raters: _containers.RepeatedScalarFieldContainer[str]
    labels: int
    candidates: int
    told: int
    unlabelled: int
    def __init__(self, digest: _Optional[str] = ..., question: _Optional[str] = ..., raters: _Optional[_Iterable[str]] = ..., labels: _Optional[int] = ..., candidates: _Optional[int] = ..., told: _Optional[int] = ..., unlabelled: _Optional[int] = ...) -> None: ...

class CalibrationTable(_message.Message):
    __slots__ = ("key", "title", "columns", "rows", "notes")
    KEY_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    COLUMNS_FIELD_NUMBER: _ClassVar[int]
    ROWS_FIELD_NUMBER: _ClassVar[int]
    NOTES_FIELD_NUMBER: _ClassVar[int]
    key: str
    title: str
    columns: _containers.RepeatedCompositeFieldContainer[CalibrationColumn]
    rows: _containers.RepeatedCompositeFieldContainer[CalibrationRow]
    notes: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, key: _Optional[str] = ..., title: _Optional[str] = ..., columns: _Optional[_Iterable[_Union[CalibrationColumn, _Mapping]]] = ..., rows: _Optional[_Iterable[_Union[CalibrationRow, _Mapping]]] = ..., notes: _Optional[_Iterable[str]] = ...) -> None: ...

class CalibrationColumn(_message.Message):
    __slots__ = ("key", "title")
    KEY_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    key: str
    title: str
    def __init__(self, key: _Optional[str] = ..., title: _Optional[str] = ...) -> None: ...

class CalibrationRow(_message.Message):
    __slots__ = ("cells",)
    class CellsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: CalibrationCell
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[CalibrationCell, _Mapping]] = ...) -> None: ...
    CELLS_FIELD_NUMBER: _ClassVar[int]
    cells: _containers.MessageMap[str, CalibrationCell]
    def __init__(self, cells: _Optional[_Mapping[str, CalibrationCell]] = ...) -> None: ...

class CalibrationCell(_message.Message):
    __slots__ = ("text", "count", "part", "statistic")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    PART_FIELD_NUMBER: _ClassVar[int]
    STATISTIC_FIELD_NUMBER: _ClassVar[int]
    text: str
    count: int
    part: CountOf
    statistic: Statistic
    def __init__(self, text: _Optional[str] = ..., count: _Optional[int] = ..., part: _Optional[_Union[CountOf, _Mapping]] = ..., statistic: _Optional[_Union[Statistic, _Mapping]] = ...) -> None: ...

class CountOf(_message.Message):
    __slots__ = ("count", "of")
    COUNT_FIELD_NUMBER: _ClassVar[int]
    OF_FIELD_NUMBER: _ClassVar[int]
    count: int
    of: int
    def __init__(self, count: _Optional[int] = ..., of: _Optional[int] = ...) -> None: ...

class Statistic(_message.Message):
    __slots__ = ("value", "n", "low", "high", "unavailable_reason")
    VALUE_FIELD_NUMBER: _ClassVar[int]
    N_FIELD_NUMBER: _ClassVar[int]
    LOW_FIELD_NUMBER: _ClassVar[int]
    HIGH_FIELD_NUMBER: _ClassVar[int]
    UNAVAILABLE_REASON_FIELD_NUMBER: _ClassVar[int]
    value: float
    n: int
    low: float
    high: float
    unavailable_reason: str
    def __init__(self, value: _Optional[float] = ..., n: _Optional[int] = ..., low: _Optional[float] = ..., high: _Optional[float] = ..., unavailable_reason: _Optional[str] = ...) -> None: ...

class ProbabilityMap(_message.Message):
    __slots__ = ("number", "probability_of", "fitted_to", "judged_by", "isotonic", "platt", "unavailable_reason")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    PROBABILITY_OF_FIELD_NUMBER: _ClassVar[int]
    FITTED_TO_FIELD_NUMBER: _ClassVar[int]
    JUDGED_BY_FIELD_NUMBER: _ClassVar[int]
    ISOTONIC_FIELD_NUMBER: _ClassVar[int]
    PLATT_FIELD_NUMBER: _ClassVar[int]
    UNAVAILABLE_REASON_FIELD_NUMBER: _ClassVar[int]
    number: str
    probability_of: str
    fitted_to: int
    judged_by: int
    isotonic: IsotonicMap
    platt: PlattMap
    unavailable_reason: str
    def __init__(self, number: _Optional[str] = ..., probability_of: _Optional[str] = ..., fitted_to: _Optional[int] = ..., judged_by: _Optional[int] = ..., isotonic: _Optional[_Union[IsotonicMap, _Mapping]] = ..., platt: _Optional[_Union[PlattMap, _Mapping]] = ..., unavailable_reason: _Optional[str] = ...) -> None: ...

class IsotonicMap(_message.Message):
    __slots__ = ("numbers", "probabilities")
    NUMBERS_FIELD_NUMBER: _ClassVar[int]
    PROBABILITIES_FIELD_NUMBER: _ClassVar[int]
    numbers: _containers.RepeatedScalarFieldContainer[float]
    probabilities: _containers.RepeatedScalarFieldContainer[float]
    def __init__(self, numbers: _Optional[_Iterable[float]] = ..., probabilities: _Optional[_Iterable[float]] = ...) -> None: ...

class PlattMap(_message.Message):
    __slots__ = ("slope", "offset")
    SLOPE_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    slope: float
    offset: float
    def __init__(self, slope: _Optional[float] = ..., offset: _Optional[float] = ...) -> None: ...

class FittedThreshold(_message.Message):
    __slots__ = ("rule", "rule_text", "number", "threshold", "fitted", "judged", "bound", "unavailable_reason")
    RULE_FIELD_NUMBER: _ClassVar[int]
    RULE_TEXT_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    THRESHOLD_FIELD_NUMBER: _ClassVar[int]
    FITTED_FIELD_NUMBER: _ClassVar[int]
    JUDGED_FIELD_NUMBER: _ClassVar[int]
    BOUND_FIELD_NUMBER: _ClassVar[int]
    UNAVAILABLE_REASON_FIELD_NUMBER: _ClassVar[int]
    rule: ThresholdRule
    rule_text: str
    number: str
    threshold: float
    fitted: ThresholdTally
    judged: ThresholdTally
    bound: float
    unavailable_reason: str
    def __init__(self, rule: _Optional[_Union[ThresholdRule, str]] = ..., rule_text: _Optional[str] = ..., number: _Optional[str] = ..., threshold: _Optional[float] = ..., fitted: _Optional[_Union[ThresholdTally, _Mapping]] = ..., judged: _Optional[_Union[ThresholdTally, _Mapping]] = ..., bound: _Optional[float] = ..., unavailable_reason: _Optional[str] = ...) -> None: ...

class ThresholdTally(_message.Message):
    __slots__ = ("passed", "false_passes", "wrong", "false_fails", "right")
    PASSED_FIELD_NUMBER: _ClassVar[int]
    FALSE_PASSES_FIELD_NUMBER: _ClassVar[int]
    WRONG_FIELD_NUMBER: _ClassVar[int]
    FALSE_FAILS_FIELD_NUMBER: _ClassVar[int]
    RIGHT_FIELD_NUMBER: _ClassVar[int]
    passed: int
    false_passes: int
    wrong: int
    false_fails: int
    right: int
    def __init__(self, passed: _Optional[int] = ..., false_passes: _Optional[int] = ..., wrong: _Optional[int] = ..., false_fails: _Optional[int] = ..., right: _Optional[int] = ...) -> None: ...

class Disagreement(_message.Message):
    __slots__ = ("request_id", "people")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    PEOPLE_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    people: str
    def __init__(self, request_id: _Optional[str] = ..., people: _Optional[str] = ...) -> None: ...

class FittedProfile(_message.Message):
    __slots__ = ("name", "json", "unavailable_reason")
    NAME_FIELD_NUMBER: _ClassVar[int]
    JSON_FIELD_NUMBER: _ClassVar[int]
    UNAVAILABLE_REASON_FIELD_NUMBER: _ClassVar[int]
    name: str
    json: str
    unavailable_reason: str
    def __init__(self, name: _Optional[str] = ..., json: _Optional[str] = ..., unavailable_reason: _Optional[str] = ...) -> None: ...
