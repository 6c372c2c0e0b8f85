"""Reads the messages of a stream one by one: what is wrong in them, and the records and labels that are in them."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from google.protobuf import json_format

from calibration.cases import CalibrationOptions
from calibration.labels import CalibrationError, PeopleLabels, Question, asked_by, people_of
from calibration.profile_file import VerdictMaker
from calibration.statistics.probability import FitKind
from grader.model.errors import FieldViolation, InvalidRequestError
from grader.report.data.estimates import Resampling
from grader.report.data.grouping import parse_by
from grader.report.data.reading import record_of
from grader.report.data.records import Record, ReportError, Results, Run
from grader.runs.items import NOT_SAID, TASK_FIELDS, Item
from grader.v1 import calibration_service_pb2 as messages
from grader.v1 import verdict_pb2

MOST_CHARS = 512
"""Of any name in a stream."""
MOST_LABELS, MOST_TAGS, MOST_METRICS, MOST_SLICES = 100, 64, 200, 8
"""Of one candidate, and of the options."""
MOST_RESAMPLES = 1000
MOST_SHOWN = 1000
_PROFILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_TASKS = frozenset(TASK_FIELDS.values())
_FITS = {
    messages.PROBABILITY_FIT_UNSPECIFIED: FitKind.ISOTONIC,
    messages.PROBABILITY_FIT_ISOTONIC: FitKind.ISOTONIC,
    messages.PROBABILITY_FIT_PLATT: FitKind.PLATT,
}
_RULES = (
    messages.THRESHOLD_RULE_UNSPECIFIED,
    messages.THRESHOLD_RULE_BOUND,
    messages.THRESHOLD_RULE_COST,
)
T = TypeVar("T")
_STREAM = Run("stream", Path(), Path(), torn=False, repeated=0)


@dataclass(frozen=True)
class StreamRead:
    """All that came over a stream.

    Attributes
    ----------
    options : how it is done
    results, people : verdicts and labels
    makers : what made each verdict, by request_id
    profile_name, profile_rule : of the profile that is asked for; the name is empty where none is
    """

    options: CalibrationOptions
    results: Results
    people: PeopleLabels
    makers: Mapping[str, VerdictMaker]
    profile_name: str
    profile_rule: int


class StreamReader:
    """Takes messages one after another and keeps of them what counts."""

    def __init__(self) -> None:
        self._options = messages.CalibrateOptions()
        self._begun = False
        self._records: dict[str, Record] = {}
        self._rows: list[tuple[str, dict[str, str]]] = []
        self._makers: dict[str, VerdictMaker] = {}
        self._clusters: dict[tuple[str, str], int] = {}
        self._asked: Question | None = None
        self._shared: dict[Any, Any] = {}

    def __len__(self) -> int:
        return len(self._records)

    def take(self, request: messages.CalibrateRequest) -> None:
        """Takes a message.

        Raises
        ------
        InvalidRequestError
            Naming every field of it that is wrong.
        """
        kind = request.WhichOneof("item")
        if kind == "candidate":
            self._candidate(request.candidate)
        elif kind == "options":
            _raise(self._wrong_options(request.options))
            self._options.CopyFrom(request.options)
        else:
            _raise([FieldViolation("item", "MISSING", "a message has options or a candidate")])
        self._begun = True

    def _wrong_options(self, options: messages.CalibrateOptions) -> Iterator[FieldViolation]:
        if self._begun:
            yield FieldViolation("options", "NOT_TAKEN", "options come in the first message or not at all")
        yield from _too_long("options.number", options.number)
        for field, known in (("fit", tuple(_FITS)), ("profile_threshold", _RULES)):
            if getattr(options, field) not in known:
                yield FieldViolation(
                    f"options.{field}", "UNKNOWN", f"{getattr(options, field)} is none of the contract"
                )
        if options.profile_name and not _PROFILE_NAME.fullmatch(options.profile_name):
            text = "a profile's name has 1 to 64 letters, digits, '_', '.', '-'"
            yield FieldViolation("options.profile_name", "OUT_OF_RANGE", text)
        for field, most in (("few", 10**9), ("worst", MOST_SHOWN), ("resamples", MOST_RESAMPLES)):
            if options.HasField(field) and not 0 <= getattr(options, field) <= most:
                yield FieldViolation(f"options.{field}", "OUT_OF_RANGE", f"it is 0 to {most}")
        if options.seed < 0:
            yield FieldViolation("options.seed", "OUT_OF_RANGE", "it is 0 or more")
        if len(options.by) > MOST_SLICES:
            yield FieldViolation("options.by", "TOO_LONG", f"it has {len(options.by)}; at most {MOST_SLICES} are taken")
        try:
            _made(options)
        except CalibrationError as error:
            yield FieldViolation("options", "OUT_OF_RANGE", str(error))
        except ReportError as error:
            yield FieldViolation("options.by", "OUT_OF_RANGE", str(error))

    def _candidate(self, one: messages.LabelledVerdict) -> None:
        place = f"candidates[{len(self._records)}]"
        _raise([*self._wrong_names(one, place), *_wrong_verdict(one, place), *self._wrong_labels(one, place)])
        verdict, puzzle = one.verdict, one.puzzle_id or one.request_id
        for field in ("overlay", "annotated_video", "clip"):
            verdict.ClearField(field)
        said = json_format.MessageToDict(verdict, always_print_fields_with_no_presence=True)
        item = Item(
            line=len(self._records) + 1,
            request_id=one.request_id,
            task=one.task,
            puzzle=puzzle,
            model=one.model,
            attempt=one.attempt,
            tags=tuple(sorted(one.tags.items())),
            offset=-1,
        )
        cluster = self._clusters.setdefault((one.task, puzzle), len(self._clusters))
        empty = Record(0, item, cluster, one.model or NOT_SAID, None)
        try:
            record = record_of({"verdict": said, "status": {"code": 0}}, empty, -1, self._share)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise InvalidRequestError(FieldViolation(f"{place}.verdict", "OUT_OF_RANGE", str(error))) from error
        self._records[one.request_id] = record
        made = verdict.provenance
        self._makers[one.request_id] = self._share(VerdictMaker(made.grader_version, made.profile, made.profile_digest))
        for at, label in enumerate(one.labels):
            fields = {
                "request_id": one.request_id,
                "rater": self._share(label.rater),
                "label": self._share(label.label),
                "stratum": self._share(label.stratum),
                "adjudicated": "yes" if label.adjudicated else "",
            }
            self._rows.append((f"{place}.labels[{at}]", fields))

    def _share(self, value: T) -> T:
        """Gives one object for all equal ones."""
        found: T = self._shared.setdefault(value, value)
        return found

    def _wrong_names(self, one: messages.LabelledVerdict, place: str) -> Iterator[FieldViolation]:
        if not one.request_id:
            yield FieldViolation(f"{place}.request_id", "MISSING", "each candidate has a name")
        elif one.request_id in self._records:
            text = (
                f"{one.request_id[:MOST_CHARS]!r} came over this stream before; all labels of a candidate come with it"
            )
            yield FieldViolation(f"{place}.request_id", "MISMATCH", text)
        for name in ("request_id", "puzzle_id", "model"):
            yield from _too_long(f"{place}.{name}", getattr(one, name))
        if one.task not in _TASKS:
            reason = "UNKNOWN" if one.task else "MISSING"
            yield FieldViolation(f"{place}.task", reason, f"it is one of {', '.join(sorted(_TASKS))}")
        if one.attempt < 0:
            yield FieldViolation(f"{place}.attempt", "OUT_OF_RANGE", "attempts are numbered from 1; 0 is not said")
        if len(one.tags) > MOST_TAGS:
            yield FieldViolation(f"{place}.tags", "TOO_LONG", f"it has {len(one.tags)}; at most {MOST_TAGS} are taken")
        for name, value in one.tags.items():
            yield from _too_long(f"{place}.tags", max(name, value, key=len))

    def _wrong_labels(self, one: messages.LabelledVerdict, place: str) -> Iterator[FieldViolation]:
        if len(one.labels) > MOST_LABELS:
            text = f"it has {len(one.labels)}; at most {MOST_LABELS} are taken"
            yield FieldViolation(f"{place}.labels", "TOO_LONG", text)
            return
        unnamed = [label for label in one.labels if not label.rater and not label.adjudicated]
        for at, label in enumerate(one.labels):
            where = f"{place}.labels[{at}]"
            for name in ("rater", "stratum"):
                yield from _too_long(f"{where}.{name}", getattr(label, name))
            try:
                asked = asked_by(label.label)
            except CalibrationError as error:
                yield FieldViolation(f"{where}.label", "UNKNOWN" if label.label else "MISSING", str(error))
                continue
            if asked is not None and self._asked not in (None, asked):
                text = "labels of a stream answer one question: right or wrong, or how far"
                yield FieldViolation(f"{where}.label", "MISMATCH", text)
            self._asked = self._asked or asked
            if len(unnamed) > 1 and not label.rater and not label.adjudicated:
                yield FieldViolation(f"{where}.rater", "MISSING", "name the people where there are several labels")

    def read(self) -> StreamRead:
        """All that came.

        Raises
        ------
        InvalidRequestError
            If there are no labels.
        """
        if not self._rows:
            _raise([FieldViolation("candidates", "MISSING", "no candidate has a label")])
        digest = hashlib.sha256(json.dumps([row for _, row in self._rows], sort_keys=True).encode()).hexdigest()
        try:
            people = people_of(self._rows, digest)
        except CalibrationError as error:
            raise InvalidRequestError(FieldViolation("candidates", "MISSING", str(error))) from error
        return StreamRead(
            options=_made(self._options),
            results=Results((_STREAM,), tuple(self._records.values())),
            people=people,
            makers=self._makers,
            profile_name=self._options.profile_name,
            profile_rule=self._options.profile_threshold,
        )


def _raise(wrong: Iterable[FieldViolation]) -> None:
    if found := list(wrong):
        raise InvalidRequestError(*found)


def _too_long(field: str, text: str) -> Iterator[FieldViolation]:
    if len(text) > MOST_CHARS:
        yield FieldViolation(field, "TOO_LONG", f"it has {len(text)} characters; at most {MOST_CHARS} are taken")


def _wrong_verdict(one: messages.LabelledVerdict, place: str) -> Iterator[FieldViolation]:
    verdict = one.verdict
    if not verdict.outcome:
        yield FieldViolation(f"{place}.verdict.outcome", "MISSING", "each candidate has a verdict with an outcome")
    elif verdict.outcome not in verdict_pb2.Outcome.values():
        yield FieldViolation(f"{place}.verdict.outcome", "UNKNOWN", f"{verdict.outcome} is none of the contract")
    for name in ("score", "reward"):
        if verdict.HasField(name) and not 0.0 <= getattr(verdict, name) <= 1.0:
            yield FieldViolation(f"{place}.verdict.{name}", "OUT_OF_RANGE", "it is 0 to 1")
    if len(verdict.metrics) > MOST_METRICS:
        text = f"it has {len(verdict.metrics)}; at most {MOST_METRICS} are taken"
        yield FieldViolation(f"{place}.verdict.metrics", "TOO_LONG", text)
    for at, metric in enumerate(verdict.metrics):
        if not metric.name:
            yield FieldViolation(f"{place}.verdict.metrics[{at}].name", "MISSING", "each metric has a name")
        if metric.HasField("value") and not math.isfinite(metric.value):
            yield FieldViolation(f"{place}.verdict.metrics[{at}].value", "OUT_OF_RANGE", "it is a finite number")


def _made(said: messages.CalibrateOptions) -> CalibrationOptions:
    """Options as the calibration takes them; what is not said stays as it is there."""
    plain = CalibrationOptions()

    def given(field: str, otherwise: float) -> float:
        return getattr(said, field) if said.HasField(field) else otherwise

    return CalibrationOptions(
        number=said.number or plain.number,
        kind=_FITS.get(said.fit, FitKind.ISOTONIC),
        split=given("split_share", plain.split),
        false_pass_cost=given("false_pass_cost", plain.false_pass_cost),
        false_fail_cost=given("false_fail_cost", plain.false_fail_cost),
        most_false_passes=given("most_false_passes", plain.most_false_passes),
        by=parse_by(",".join(said.by)) if said.by else None,
        few=int(given("few", plain.few)),
        worst=int(given("worst", plain.worst)),
        resampling=Resampling(int(given("resamples", plain.resampling.resamples)), said.seed),
    )
