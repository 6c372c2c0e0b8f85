"""All that is found of a run and labels of its candidates, before anything is written."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from typing import Any

from calibration.cases import CalibrationOptions, LabelledRun, disagreements, match
from calibration.fitting import Fitted, fit_all
from calibration.labels import PeopleLabels
from calibration.people import people_tables
from calibration.rates import RunsCompared, compare_runs, rate_table
from calibration.statistics.probability import FitKind, ProbabilityMap
from calibration.statistics.undefined import Undefined
from calibration.verdicts import verdict_tables
from grader.model.wording import count_of, first_few
from grader.report.data.grouping import Dimensions, check_names, has
from grader.report.data.records import Results
from grader.report.tables.table import Table
from grader.report.tables.writers import to_json

_TAGS = ("geometry", "scale", "nuisance")
"""Verdicts are compared with people by these tags too, where candidates have them."""


@dataclass(frozen=True)
class Findings:
    """What was found.

    Attributes
    ----------
    matched : labels beside verdicts
    fitted : what was fitted to people
    compared : the other run, where there is one
    tables, notes : all of it, and what has to be known before
    """

    matched: LabelledRun
    fitted: Fitted
    compared: RunsCompared | None
    tables: tuple[Table, ...]
    notes: tuple[str, ...]


def find(results: Results, people: PeopleLabels, options: CalibrationOptions, other: Results | None = None) -> Findings:
    """Works everything out.

    Parameters
    ----------
    results : Results
        Verdicts.
    people : PeopleLabels
        What people said.
    options : CalibrationOptions
        How it is done.
    other : Results, optional
        Other verdicts on the same candidates.

    Raises
    ------
    CalibrationError
        If labels are of nothing in the run, or no verdict has the number that is asked for.
    ReportError
        If slices are asked for by a name that no item has.
    """
    by = _usual(results) if options.by is None else options.by
    check_names(results, (name for one in by for name in one.names))
    matched = match(results, people, options)
    clusters = {one.record.item.request_id: one.record.cluster for one in matched.cases}
    fitted = fit_all(matched, options)
    compared = None if other is None else compare_runs(matched, results, other)
    tables = (
        *people_tables(people, clusters, options.resampling),
        *verdict_tables(matched, results, by, options),
        *fitted.tables,
        rate_table(matched, options),
        *(() if compared is None else compared.tables),
    )
    return Findings(matched, fitted, compared, tables, _notes(matched))


def _usual(results: Results) -> tuple[Dimensions, ...]:
    tags = [name for name in _TAGS if has(results.records, name)]
    return tuple(Dimensions((name,)) for name in ("task", "model", *tags))


def _notes(matched: LabelledRun) -> tuple[str, ...]:
    if not matched.strange:
        return ()
    return (
        f"{count_of(len(matched.strange), 'labelled request_id')} not in this run, which count nowhere: "
        f"{first_few(matched.strange)}.",
    )


def content_of(found: Findings, people: PeopleLabels, options: CalibrationOptions) -> dict[str, Any]:
    """All of it as JSON has it: no number that is not finite."""
    how, matched = options.resampling, found.matched
    flips = found.compared.flips if found.compared is not None else ()
    return {
        "labels": {
            "digest": people.digest,
            "question": people.question.value,
            "raters": list(people.raters),
            "labels": len(people.first) + len(people.again) + len(people.decided),
            "candidates": len(matched.cases),
            "told": len(matched.told),
        },
        "split": {"share": options.split, "seed": how.seed},
        "maps": [
            {
                "number": one.number,
                "probability_of": one.of,
                "fitted_to": one.fitted_on,
                "judged_by": one.judged_on,
                **_map_content(one.map),
            }
            for one in found.fitted.maps
        ],
        "thresholds": [
            {
                "number": options.number,
                "rule": one.rule,
                **(
                    {"threshold": None, "why": one.threshold.why}
                    if isinstance(one.threshold, Undefined)
                    else {"threshold": one.threshold if math.isfinite(one.threshold) else None}
                ),
                "fitted": None if one.fitted is None else asdict(one.fitted),
                "judged": None if one.judged is None else asdict(one.judged),
                "bound": one.bound,
            }
            for one in found.fitted.thresholds
        ],
        "disagreements": [
            {"request_id": one.record.item.request_id, "people": people.question.classes[one.truth or 0]}
            for one in disagreements(matched.told)
        ],
        "flips": [{"request_id": one.record.item.request_id, "as_people_say": one.nearer} for one in flips],
        **json.loads(to_json(found.tables, found.notes)),
    }


def _map_content(made: ProbabilityMap | Undefined) -> dict[str, Any]:
    if isinstance(made, Undefined):
        return {"map": None, "why": made.why}
    if made.kind is FitKind.ISOTONIC:
        shape: dict[str, Any] = {"numbers": list(made.numbers), "probabilities": list(made.probabilities)}
    else:
        shape = {"slope": made.slope, "offset": made.offset}
    return {"map": {"kind": made.kind.value, **shape}}
