"""Puts what was found into messages of the contract."""

from __future__ import annotations

import math

from calibration.cases import disagreements
from calibration.findings import Findings, find
from calibration.fitting import FittedProbability, FittedThreshold, ThresholdKind
from calibration.labels import CalibrationError, PeopleLabels
from calibration.profile_file import profile_content, profile_text
from calibration.service.reading import StreamRead
from calibration.statistics.probability import FitKind
from calibration.statistics.thresholds import Tally
from calibration.statistics.undefined import Undefined
from grader.model.errors import FieldViolation, InvalidRequestError
from grader.report.data.estimates import Estimate
from grader.report.data.records import ReportError
from grader.report.tables.table import Cell, Part, Table
from grader.v1 import calibration_service_pb2 as messages

_RULES = {
    ThresholdKind.BOUND: messages.THRESHOLD_RULE_BOUND,
    ThresholdKind.COST: messages.THRESHOLD_RULE_COST,
}


def answer(read: StreamRead) -> messages.CalibrateResponse:
    """Works everything out.

    Raises
    ------
    InvalidRequestError
        If labels are of no candidate that passes or not, no verdict has the number that is asked for, or no candidate
        has what slices are asked by.
    """
    try:
        found = find(read.results, read.people, read.options)
    except CalibrationError as error:
        field = "options.number" if repr(read.options.number) in str(error) else "candidates"
        raise InvalidRequestError(FieldViolation(field, "MISMATCH", str(error))) from error
    except ReportError as error:
        raise InvalidRequestError(FieldViolation("options.by", "UNKNOWN", str(error))) from error
    worst = disagreements(found.matched.told)[: read.options.worst]
    names = found.matched.question.classes
    return messages.CalibrateResponse(
        labels=_summary(found, read.people),
        tables=[_table(one) for one in found.tables],
        maps=[_map(one) for one in found.fitted.maps],
        thresholds=[_threshold(one, read.options.number) for one in found.fitted.thresholds],
        disagreements=[
            messages.Disagreement(request_id=one.record.item.request_id, people=names[one.truth or 0]) for one in worst
        ],
        notes=found.notes,
        profile=_profile(read, found) if read.profile_name else None,
    )


def _summary(found: Findings, people: PeopleLabels) -> messages.LabelSummary:
    return messages.LabelSummary(
        digest=people.digest,
        question=people.question.value,
        raters=people.raters,
        labels=len(people.first) + len(people.again) + len(people.decided),
        candidates=len(found.matched.cases),
        told=len(found.matched.told),
        unlabelled=len(found.matched.others),
    )


def _table(table: Table) -> messages.CalibrationTable:
    return messages.CalibrationTable(
        key=table.key,
        title=table.title,
        columns=[messages.CalibrationColumn(key=one.key, title=one.title) for one in table.columns],
        rows=[
            messages.CalibrationRow(cells={one.key: _cell(cell) for one, cell in zip(table.columns, row, strict=True)})
            for row in table.rows
        ],
        notes=table.notes,
    )


def _cell(cell: Cell) -> messages.CalibrationCell:
    if isinstance(cell, str):
        return messages.CalibrationCell(text=cell)
    if isinstance(cell, Part):
        return messages.CalibrationCell(part=messages.CountOf(count=cell.count, of=cell.of))
    if isinstance(cell, Estimate):
        return messages.CalibrationCell(statistic=_statistic(cell))
    return messages.CalibrationCell(count=cell)


def _statistic(one: Estimate) -> messages.Statistic:
    low, high = (None, None) if one.interval is None else (one.interval.low, one.interval.high)
    return messages.Statistic(value=one.value, n=one.n, low=low, high=high, unavailable_reason=one.why)


def _map(one: FittedProbability) -> messages.ProbabilityMap:
    made = messages.ProbabilityMap(
        number=one.number, probability_of=one.of, fitted_to=one.fitted_on, judged_by=one.judged_on
    )
    if isinstance(one.map, Undefined):
        made.unavailable_reason = one.map.why
    elif one.map.kind is FitKind.ISOTONIC:
        made.isotonic.CopyFrom(messages.IsotonicMap(numbers=one.map.numbers, probabilities=one.map.probabilities))
    else:
        made.platt.CopyFrom(messages.PlattMap(slope=one.map.slope, offset=one.map.offset))
    return made


def _threshold(one: FittedThreshold, number: str) -> messages.FittedThreshold:
    if isinstance(one.threshold, Undefined):
        threshold, why = None, one.threshold.why
    elif math.isinf(one.threshold):
        threshold, why = None, "letting nothing pass costs least"
    else:
        threshold, why = one.threshold, ""
    return messages.FittedThreshold(
        rule=_RULES[one.kind],
        rule_text=one.rule,
        number=number,
        threshold=threshold,
        fitted=_tally(one.fitted),
        judged=_tally(one.judged),
        bound=one.bound,
        unavailable_reason=why,
    )


def _tally(one: Tally | None) -> messages.ThresholdTally | None:
    if one is None:
        return None
    return messages.ThresholdTally(
        passed=one.passed,
        false_passes=one.false_passes,
        wrong=one.wrong,
        false_fails=one.false_fails,
        right=one.right,
    )


def _profile(read: StreamRead, found: Findings) -> messages.FittedProfile:
    kind = ThresholdKind.COST if read.profile_rule == messages.THRESHOLD_RULE_COST else ThresholdKind.BOUND
    makers = [read.makers[one.record.item.request_id] for one in found.matched.told]
    made = messages.FittedProfile(name=read.profile_name)
    try:
        made.json = profile_text(
            profile_content(read.profile_name, kind, makers, read.people, found.matched, found.fitted, read.options)
        )
    except CalibrationError as error:
        made.unavailable_reason = str(error).removeprefix("--profile: ")
    return made
