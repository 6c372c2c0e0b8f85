"""Keeps apart what was judged more than once by different settings, or shown in several ways: no one counts twice."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace

from grader.model.tags import CONDITION_TAG
from grader.report.data.records import Record, Results

_MADE_BY = re.compile(r"grader (?P<version>\S+), profile (?P<profile>\S+) \((?P<digest>\w+)\)")


def judged_twice(results: Results) -> dict[str, tuple[str, ...]]:
    """The settings, by task, of tasks of which a candidate has verdicts by several of them."""
    made: dict[tuple[object, ...], set[str]] = defaultdict(set)
    for record in results.records:
        if record.made_by:
            item = record.item
            made[item.task, record.cluster, record.model, item.attempt, item.request_id].add(record.made_by)
    tasks = {str(key[0]) for key, settings in made.items() if len(settings) > 1}
    return {
        task: tuple(
            sorted({record.made_by for record in results.records if record.made_by and record.item.task == task})
        )
        for task in sorted(tasks)
    }


def keep_apart(results: Results) -> Results:
    """The same results, with a model's name for each of the settings where a candidate was judged by several.

    Likewise for each of the conditions where a model was shown a puzzle under several.
    So each row of a table counts a candidate once, and settings and conditions stand side by side as models do.
    """
    return _by_condition(_by_settings(results))


def _by_condition(results: Results) -> Results:
    shown: dict[tuple[str, str, int], set[str]] = defaultdict(set)
    for record in results.records:
        condition = record.tag(CONDITION_TAG)
        if condition is not None:
            shown[record.item.task, record.model, record.cluster].add(condition)
    several = {(task, model) for (task, model, _), conditions in shown.items() if len(conditions) > 1}

    def named(record: Record) -> Record:
        condition = record.tag(CONDITION_TAG)
        apart = condition is not None and (record.item.task, record.model) in several
        return replace(record, model=f"{record.model}{_shown_as(condition)}") if apart else record

    return replace(results, records=tuple(map(named, results.records))) if several else results


def _shown_as(condition: str | None) -> str:
    return f" [{condition}]"


def bare_model(record: Record) -> str:
    """A record's model without its condition."""
    return record.model.removesuffix(_shown_as(record.tag(CONDITION_TAG)))


def _by_settings(results: Results) -> Results:
    twice = judged_twice(results)
    if not twice:
        return results
    # What has no verdict has no settings of its own; it goes with the rest of its run.
    of_run: dict[tuple[int, str], set[str]] = defaultdict(set)
    for record in results.records:
        if record.made_by:
            of_run[record.run, record.item.task].add(record.made_by)

    def named(record: Record) -> Record:
        settings = twice.get(record.item.task)
        if settings is None:
            return record
        rest = of_run[record.run, record.item.task]
        made_by = record.made_by or (next(iter(rest)) if len(rest) == 1 else "")
        return replace(record, model=f"{record.model} [{_label(made_by, settings)}]") if made_by else record

    return replace(results, records=tuple(named(record) for record in results.records))


def _label(made_by: str, among: tuple[str, ...]) -> str:
    """What tells settings apart: the profile's name, with digest and version where that is not enough."""
    parts = {one: found.groupdict() for one in among if (found := _MADE_BY.fullmatch(one))}
    if made_by not in parts:
        return made_by
    own = parts[made_by]
    alike = [one for one in parts.values() if one["profile"] == own["profile"]]
    more = [own[name] for name in ("digest", "version") if len({one[name] for one in alike}) > 1]
    return ", ".join([own["profile"], *more])
