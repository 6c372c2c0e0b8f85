"""What a record says of an edit, and means of such with intervals.

Means are those of `grader.metrics.space.edit_tables.edit_table`. Their intervals come from drawing whole pictures
with replacement, so that the edits of one picture, by all models of a row, stay together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from grader.metrics.runs.bootstrap import Interval
from grader.metrics.space.edit_tables import EditFigure, EditKind, Mean, MissingPart, TableScores, edit_table
from grader.report.data.estimates import Estimate, Resampling, Samples, estimate, mean_of_means, why_no_metric
from grader.report.data.records import Record

_IMAGE_TAG = "source_image"
"""Says which edits are of one picture where that itself is not there."""

_BEST = 100.0
_UNIT = {"ic": 1.0, "sa": 1.0, "sa_ic": 1.0, "el": _BEST, "ac": _BEST}
"""The figures of the tables, and the best value of each in a verdict."""

_OF_AVERAGE = ("ic", "sa", "el", "ac")


def operation_of(record: Record) -> EditKind | None:
    """What kind of edit a verdict is about, by the figures that it has; None where it has none, as of UNGRADABLE.

    Moves alone have counts, turns the angle that is asked for, and removals what is gone. Of the others, a view has a
    likeness of whole pictures but no locality, which a change of size has with it.
    """
    measures = record.measures
    if not measures.names:
        return None
    for name, operation in (
        ("count_before", EditKind.MOVE),
        ("theta_gt_rad", EditKind.ROTATE),
        ("wrongly_removed", EditKind.REMOVE),
    ):
        if measures.value(name) is not None:
            return operation
    is_view = measures.value("lpips_background") is not None and measures.value("el_ungated") is None
    return EditKind.VIEW if is_view else EditKind.RESIZE


def scores_of(record: Record, *, ungated: bool = False) -> TableScores | None:
    """A verdict's figures for `edit_table`; None where it has none.

    Parameters
    ----------
    record : Record
    ungated : bool
        Whether IC and SA are those of the boxes alone, and EL and AC those whatever IC is.
    """
    operation = operation_of(record)
    if operation is None:
        return None

    def figure(name: str) -> EditFigure:
        value = record.measures.value(f"{name}_ungated" if ungated else name)
        # Why a figure is missing is in the verdict; means only leave it out.
        return EditFigure(None, MissingPart.NOT_DEFINED) if value is None else EditFigure(value)

    ic, sa = figure("ic"), figure("sa")
    product = EditFigure(None, MissingPart.NOT_DEFINED) if ungated else figure("sa_ic")
    if ungated and ic.value is not None and sa.value is not None:
        product = EditFigure(ic.value * sa.value)
    return TableScores(operation, ic, sa, figure("el"), figure("ac"), product)


def image_clusters(records: Sequence[Record]) -> list[int]:
    """A number for the picture that each record's edit is of, in the order in which they come.

    Pictures are known by their digest. Without one, as of edits that have boxes alone, the tag ``source_image`` says
    it; without that, each puzzle is of a picture of its own.
    """
    numbers: dict[tuple[str, str], int] = {}
    found = []
    for record in records:
        tag = record.tag(_IMAGE_TAG)
        if record.picture:
            key = ("digest", record.picture)
        elif tag is not None:
            key = ("tag", tag)
        else:
            key = ("puzzle", record.item.puzzle)
        found.append(numbers.setdefault(key, len(numbers)))
    return found


@dataclass(frozen=True)
class EditMeans:
    """Means of edits, 0 to 100, with intervals, and how many edits have figures at all.

    Attributes
    ----------
    samples : edits with figures
    ic, sa, sa_ic, el, ac : each over the edits that have the figure
    average : (IC + SA + EL + AC) / 4, over as many as the figure that fewest have
    """

    samples: int
    ic: Estimate
    sa: Estimate
    sa_ic: Estimate
    el: Estimate
    ac: Estimate
    average: Estimate


def edit_means(records: Sequence[Record], how: Resampling, *, ungated: bool = False) -> EditMeans:
    """Means over edits; ``ungated`` as for `scores_of`."""
    clusters = image_clusters(records)
    scores = [scores_of(record, ungated=ungated) for record in records]
    table = edit_table([one for one in scores if one is not None]).all
    samples = {name: Samples(is_rate=name == "ic") for name in _UNIT}
    for record, cluster, one in zip(records, clusters, scores, strict=True):
        for name, best in _UNIT.items():
            value = None if one is None else getattr(one, name).value
            if value is None:
                samples[name].left_out[why_no_metric(record, f"{name}_ungated" if ungated else name)] += 1
            else:
                samples[name].add(cluster, value / best)
    found = dict(zip(_UNIT, estimate(list(samples.values()), how), strict=True))
    exact: dict[str, Mean] = {"ic": table.ic, "sa": table.sa, "sa_ic": table.sa_ic, "el": table.el, "ac": table.ac}
    ic, sa, sa_ic, el, ac = (_scaled(found[name], exact[name].value) for name in _UNIT)
    average = mean_of_means([samples[name] for name in _OF_AVERAGE], how)
    if average.value is None:
        titles = [name.upper() for name in _OF_AVERAGE if found[name].value is None]
        average = replace(average, why=f"no mean of {', '.join(titles)}")
    return EditMeans(table.samples, ic, sa, sa_ic, el, ac, _scaled(average, table.average))


def sa_by_operation(
    records: Sequence[Record], operations: Sequence[EditKind], how: Resampling
) -> tuple[list[Estimate], Estimate]:
    """SA, 0 to 100, of each operation and of all. All numbers come from the same resamples."""
    clusters = image_clusters(records)
    places = {operation: place for place, operation in enumerate(operations)}
    samples = [Samples(is_rate=False) for _ in (*operations, None)]
    scores: list[TableScores] = []
    for record, cluster in zip(records, clusters, strict=True):
        one = scores_of(record)
        if one is None or one.sa.value is None:
            samples[-1].left_out[why_no_metric(record, "sa")] += 1
            continue
        scores.append(one)
        samples[-1].add(cluster, one.sa.value)
        if one.operation in places:
            samples[places[one.operation]].add(cluster, one.sa.value)
    table = edit_table(scores)
    exact = dict(table.operations)
    found = estimate(samples, how)
    parts = [
        _scaled(one, exact[operation].sa.value if operation in exact else None)
        for one, operation in zip(found[:-1], operations, strict=True)
    ]
    return parts, _scaled(found[-1], table.all.sa.value)


def _scaled(found: Estimate, value: float | None) -> Estimate:
    """An estimate of fractions of 1 as one of 0 to 100, with the mean that the table has to the last bit."""
    interval = found.interval
    if interval is not None:
        interval = Interval(_BEST * interval.low, _BEST * interval.high)
    return replace(found, value=value, interval=interval)
