"""Begins a study of a run, or goes on with it; and takes labels in and out of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from calibration.labelling.protocol import DEFAULT_PROTOCOL, load_protocol
from calibration.labelling.rows import read_rows
from calibration.labelling.sampling import SampleOptions, draw, parse_wishes
from calibration.labelling.store import StudyStore
from calibration.labels import CalibrationError
from grader.report.data.reading import read_runs
from grader.report.data.records import Results

STUDY_NAME = "labels.db"
NOBODY = "(not named)"
"""Who said what a file says without a name."""


@dataclass(frozen=True)
class StudyWish:
    """What is asked for when a study begins; what is None is as it is, or as it is by default.

    Attributes
    ----------
    protocol : a name, or a file
    sample : how candidates are drawn, as in ``random=100``
    by : what makes strata
    number, threshold : what is close
    against : another run, for disagreement
    twice : share that is asked about again
    seed : of all that is drawn
    """

    protocol: str | None = None
    sample: Sequence[str] | None = None
    by: str | None = None
    number: str | None = None
    threshold: float | None = None
    against: Path | None = None
    twice: float | None = None
    seed: int | None = None

    def said(self) -> dict[str, Any]:
        """What was asked for, as a study's file keeps it."""
        named = asdict(self)
        if self.sample is not None:
            named["sample"] = [one.text for one in parse_wishes(self.sample)]
        if self.protocol is not None:
            named["protocol"] = load_protocol(self.protocol).model_dump()
        if self.against is not None:
            named["against"] = str(self.against.resolve())
        return {name: value for name, value in named.items() if value is not None}


@dataclass(frozen=True)
class OpenStudy:
    """A study, the run that it asks about, and whether it began just now."""

    store: StudyStore
    results: Results
    began: bool


def open_study(
    run: Path, wish: StudyWish, file: Path | None = None, manifests: Sequence[Path] = (), *, progress: bool = False
) -> OpenStudy:
    """Goes on with the study of a file, or begins one there.

    Parameters
    ----------
    run : Path
        A run folder.
    wish : StudyWish
        What is asked for; of a study that there is, only to be compared with it.
    file : Path, optional
        By default ``labels.db`` in the run's folder.
    manifests : sequence of Path
        Where manifests are now, if they were moved.
    progress : bool
        Whether to show on stderr how far it is.

    Raises
    ------
    CalibrationError
        If the study there was begun with something else, or nothing can be drawn as asked.
    ReportError, RunError
        If a run can't be read.
    OSError
        If a file can't be read or written.
    """
    path = file or run / STUDY_NAME
    results = read_runs([run], manifests, progress=progress)
    if path.exists():
        store = StudyStore(path)
        _same(store, wish.said())
        return OpenStudy(store, results, began=False)
    said = wish.said()
    plan = _plan(said)
    options = SampleOptions(
        wishes=parse_wishes(plan["sample"]),
        by=tuple(name.strip() for name in plan["by"].split(",")),
        number=plan["number"],
        threshold=plan["threshold"],
        twice=plan["twice"],
        seed=plan["seed"],
    )
    other = None if wish.against is None else read_runs([wish.against], manifests, progress=progress)
    items = draw(results, options, other)
    return OpenStudy(
        StudyStore.begin(path, load_protocol(wish.protocol or DEFAULT_PROTOCOL), items, plan), results, began=True
    )


def _plan(said: Mapping[str, Any]) -> dict[str, Any]:
    usual = SampleOptions()
    default: dict[str, Any] = {
        "sample": [one.text for one in usual.wishes],
        "by": ",".join(usual.by),
        "number": usual.number,
        "threshold": usual.threshold,
        "against": "",
        "twice": usual.twice,
        "seed": usual.seed,
    }
    return {name: said.get(name, value) for name, value in default.items()}


def _same(store: StudyStore, said: Mapping[str, Any]) -> None:
    """Refuses to go on with a study as if it were another one."""
    there = {**store.plan, "protocol": store.protocol.model_dump()}
    other = [name for name, value in said.items() if there.get(name) != value]
    if other:
        store.close()
        shown = ", ".join(
            f"--{name} {store.protocol.name if name == 'protocol' else there.get(name)}" for name in other
        )
        raise CalibrationError(f"{store.path} was begun with {shown}; name another file with --study to begin anew")


@dataclass(frozen=True)
class Imported:
    """What became of a file: labels taken in, such as were here already, and such of what is not in the run."""

    taken: int
    known: int
    strange: int
    raters: tuple[str, ...]


def import_labels(study: OpenStudy, file: Path) -> Imported:
    """Takes labels of a file in; a file that was taken in before changes nothing.

    Raises
    ------
    CalibrationError, ReportError
        Naming the place that can't be understood. Labels before it have been taken in.
    OSError
        If the file can't be read.
    """
    known = {one.item.request_id for one in study.results.records}
    questions = study.store.protocol.questions
    rows = list(read_rows(file))
    taken = there = strange = 0
    for place, row in rows:
        question = row.question or (questions[0].name if len(questions) == 1 else "")
        asked = study.store.protocol.find(question)
        word = "_".join(row.label.lower().split())
        if asked is None:
            raise CalibrationError(f"{place}: the study has no question {question!r}")
        if word not in [one.label for one in asked.labels]:
            labels = ", ".join(one.label for one in asked.labels)
            raise CalibrationError(f"{place}: label is {row.label!r}; the study has {labels}")
        if row.request_id not in known:
            strange += 1
            continue
        if study.store.add(replace(row, question=question, label=word, rater=row.rater or NOBODY)):
            taken += 1
        else:
            there += 1
    return Imported(taken, there, strange, tuple(sorted({row.rater for _, row in rows})))
