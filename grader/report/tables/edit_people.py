"""Spatial edits as people would class them, and as people did: GSI-Bench's human study.

A score s in 0 to 1 (EL and AC over 100) is completely as asked above 0.7, partially above 0.1, else not at all [1]_.

References
----------
.. [1] "Exploring Spatial Intelligence from a Generative Perspective" (GSI-Bench), supplement, section 4 and table 2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from grader.metrics.runs.agreement import cohens_kappa, kappa_interval
from grader.metrics.space.edit_tables import HumanClass, human_class
from grader.report.data.estimates import Estimate, Resampling, Samples, estimate, why_no_metric
from grader.report.data.grouping import Dimensions, Key, Records, rows_by
from grader.report.data.labels import Aspect, Label, Labels
from grader.report.data.records import Record, Results
from grader.report.tables.edit_scores import image_clusters
from grader.report.tables.table import Better, Cell, Column, Part, Table, Unit, key_columns

CLASSES = (
    (HumanClass.COMPLETELY, "completely", "completely"),
    (HumanClass.PARTIALLY, "partially", "partially"),
    (HumanClass.NOT_AT_ALL, "not_at_all", "not at all"),
)
_ALL = "(all)"
_NO_LABELS = "people labelled none of them"
_MAPPING = (
    "What people would be asked: a score (EL and AC: over 100) above 0.7 is completely as asked, above 0.1 partially, "
    "else not at all (GSI-Bench, human study). IC is 0 or 1, so never partially."
)


@dataclass(frozen=True)
class _Compared:
    """A figure of verdicts beside what people said of an aspect.

    Attributes
    ----------
    title : for people
    metric : the figure's name in a verdict
    best : the figure's best value
    aspect : what people were asked about
    study : the agreement that [1]_ reports, as it prints it; empty where it reports none
    """

    title: str
    metric: str
    best: float
    aspect: Aspect
    study: str = ""


_COMPARED = (
    _Compared("IC", "ic", 1.0, Aspect.IC, "0.7167"),
    _Compared("EL", "el", 100.0, Aspect.EL, "0.8056"),
    _Compared("AC", "ac", 100.0, Aspect.AC, "0.8444"),
    _Compared("SA, by labels of IC", "sa", 1.0, Aspect.IC),
    _Compared("EL whatever IC is", "el_ungated", 100.0, Aspect.EL),
    _Compared("AC whatever IC is", "ac_ungated", 100.0, Aspect.AC),
)
_CLASSED = (("IC", "ic", 1.0), ("SA", "sa", 1.0), ("EL", "el", 100.0), ("AC", "ac", 100.0))


def class_table(results: Results, task: str, judged: Records, dimensions: Dimensions) -> Table:
    """How many IC, SA, EL and AC are in each of the three classes."""
    rows: list[tuple[Cell, ...]] = []
    for key, part in rows_by(results, judged, dimensions).items():
        for title, metric, best in _CLASSED:
            found = [one for record in part if (one := _class_of(record, metric, best)) is not None]
            count = Counter(found)
            rows.append((*key, title, len(found), *(Part(count[one], len(found)) for one, _, _ in CLASSES)))
    columns = (
        *key_columns(dimensions.names),
        Column("figure", "figure"),
        Column("n", "n", Unit.COUNT),
        *(Column(name, title, Unit.COUNT) for _, name, title in CLASSES),
    )
    notes = (_MAPPING, "n: the candidates that have the figure.")
    return Table(f"{task}_classes", f"{task}: three classes", columns, tuple(rows), notes, brief=True, task=task)


def agreement_tables(
    results: Results, task: str, records: Records, dimensions: Dimensions, labels: Labels, how: Resampling
) -> list[Table]:
    """Verdicts beside what people said: how far they agree, and what is taken for what; none without labels."""
    compared = [one for one in _COMPARED if one.aspect in labels.aspects]
    if not compared:
        return []
    parts = list(rows_by(results, records, dimensions).items())
    if len(parts) > 1:
        parts.append(((_ALL,) * len(dimensions.names), records))
    several = any(len(said) > 1 for said in labels.by_request.values())
    agreements: list[tuple[Cell, ...]] = []
    confusions: list[tuple[Cell, ...]] = []
    for key, part in parts:
        clusters = image_clusters(part)
        for one in compared:
            pairs = _pairs(part, clusters, one, labels)
            people = [_between(part, clusters, one.aspect, labels, how)] if several else []
            agreements.append((*key, one.title, *_agreement(pairs, how), one.study, *people))
            confusions += _confusion(key, one, pairs)
    return [
        _agreement_table(task, dimensions, agreements, several),
        _confusion_table(task, dimensions, confusions),
    ]


@dataclass
class _Pairs:
    """Pairs of classes, the person's first, with the picture that each is of; how many edits; and what is left out."""

    classes: list[tuple[HumanClass, HumanClass]] = field(default_factory=list)
    clusters: list[int] = field(default_factory=list)
    edits: int = 0
    left_out: Counter[str] = field(default_factory=Counter)

    def counts(self) -> NDArray[np.float64]:
        """(C, 3, 3) float64: pairs of each picture, by the person's class and the verdict's."""
        numbers = {cluster: place for place, cluster in enumerate(sorted(set(self.clusters)))}
        found = np.zeros((len(numbers), 3, 3))
        for (person, ours), cluster in zip(self.classes, self.clusters, strict=True):
            found[numbers[cluster], person, ours] += 1
        return found


def _class_of(record: Record, metric: str, best: float) -> HumanClass | None:
    value = record.measures.value(metric)
    # Kept within 0 to 1, for results may be of another version.
    return None if value is None else human_class(min(1.0, max(0.0, value / best)))


def _said(record: Record, aspect: Aspect, labels: Labels) -> list[HumanClass]:
    of_item: Sequence[Label] = labels.by_request.get(record.item.request_id, ())
    return [one.classes[aspect] for one in of_item if aspect in one.classes]


def _pairs(records: Records, clusters: Sequence[int], one: _Compared, labels: Labels) -> _Pairs:
    pairs = _Pairs()
    for record, cluster in zip(records, clusters, strict=True):
        said = _said(record, one.aspect, labels)
        if not said:
            continue
        ours = _class_of(record, one.metric, one.best)
        if ours is None:
            pairs.left_out[why_no_metric(record, one.metric)] += 1
            continue
        pairs.edits += 1
        pairs.classes += [(person, ours) for person in said]
        pairs.clusters += [cluster] * len(said)
    return pairs


def _agreement(pairs: _Pairs, how: Resampling) -> tuple[Cell, ...]:
    """Labels, edits, agreement and kappa."""
    samples = Samples(is_rate=True, left_out=pairs.left_out)
    for (person, ours), cluster in zip(pairs.classes, pairs.clusters, strict=True):
        samples.add(cluster, float(person is ours))
    n = len(pairs.classes)
    if not n:
        why = samples.why if pairs.left_out else _NO_LABELS
        return 0, 0, Estimate(None, 0, why=why), Estimate(None, 0, why=why)
    (shared,) = estimate([samples], how)
    counts = pairs.counts()
    kappa = cohens_kappa(counts.sum(axis=0))
    if kappa is None:
        return (
            n,
            pairs.edits,
            shared,
            Estimate(None, n, why="all labels and all verdicts are in one and the same class"),
        )
    interval = (
        kappa_interval(counts, resamples=how.resamples, seed=how.seed, level=how.level) if how.resamples else None
    )
    return n, pairs.edits, shared, Estimate(kappa, n, interval)


def _between(records: Records, clusters: Sequence[int], aspect: Aspect, labels: Labels, how: Resampling) -> Estimate:
    """How far people agree among themselves: over the pairs of people who labelled the same edit."""
    samples = Samples(is_rate=True)
    for record, cluster in zip(records, clusters, strict=True):
        for first, second in combinations(_said(record, aspect, labels), 2):
            samples.add(cluster, float(first is second))
    (found,) = estimate([samples], how)
    return found if found.n else Estimate(None, 0, why="no two people labelled one edit")


def _confusion(key: Key, one: _Compared, pairs: _Pairs) -> Iterator[tuple[Cell, ...]]:
    count = Counter(pairs.classes)
    for person, _, title in CLASSES:
        n = sum(count[person, ours] for ours, _, _ in CLASSES)
        yield (*key, one.title, title, n, *(Part(count[person, ours], n) for ours, _, _ in CLASSES))


def _agreement_table(task: str, dimensions: Dimensions, rows: list[tuple[Cell, ...]], several: bool) -> Table:
    columns = (
        *key_columns(dimensions.names),
        Column("figure", "figure"),
        Column("n", "n", Unit.COUNT),
        Column("edits", "edits", Unit.COUNT),
        Column("agreement", "agreement", Unit.NUMBER, Better.UP, "n"),
        Column("kappa", "Cohen's kappa", Unit.NUMBER, Better.UP, "n"),
        Column("study", "GSI-Bench's study", Unit.NUMBER),
        *([Column("people", "people among themselves", Unit.NUMBER, Better.UP, "")] if several else []),
    )
    notes = (
        "Agreement: the share of labels whose class is the verdict's; n: labels, each by one person of one edit. Edits "
        "without the figure are left out.",
        "Kappa: agreement beyond chance, 1 at most, 0 where chance would agree as much.",
        "Where IC is 0, EL and AC are 0, and so not at all; whatever IC is, they are as they were measured.",
        "The study is of other edits and other people; it says no intervals and no kappa.",
    )
    return Table(
        f"{task}_agreement", f"{task}: agreement with people", columns, tuple(rows), notes, brief=True, task=task
    )


def _confusion_table(task: str, dimensions: Dimensions, rows: list[tuple[Cell, ...]]) -> Table:
    columns = (
        *key_columns(dimensions.names),
        Column("figure", "figure"),
        Column("people", "people say"),
        Column("n", "n", Unit.COUNT),
        *(Column(name, f"verdict: {title}", Unit.COUNT) for _, name, title in CLASSES),
    )
    notes = ("What verdicts say of edits that people put into a class.",)
    return Table(f"{task}_people", f"{task}: what people say and verdicts", columns, tuple(rows), notes, task=task)
