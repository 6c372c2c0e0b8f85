"""What a report knows of each item of a run: a verdict cut down to what tables need."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from grader.metrics.runs.aggregates import ItemEnd
from grader.metrics.runs.passk import AttemptEnd
from grader.model.errors import GraderError
from grader.model.failure import FailureMode
from grader.model.tags import says_missing
from grader.runs.items import Item

CANDIDATE_ENDS = (ItemEnd.PASS, ItemEnd.FAIL, ItemEnd.UNGRADABLE)
"""Ends that rates are over."""


class ReportError(GraderError):
    """A report that can't be made as asked; the message says what to do."""


@dataclass(frozen=True, slots=True)
class MetricValues:
    """Metrics of a verdict, in its order: names, values, and for absent values why they are absent."""

    names: tuple[str, ...] = ()
    values: tuple[float | None, ...] = ()
    absent: tuple[str, ...] = ()

    def value(self, name: str) -> float | None:
        """The value of a metric, or None where the verdict does not have it."""
        return self.values[self.names.index(name)] if name in self.names else None

    def why_absent(self, name: str) -> str:
        """Why a metric has no value; empty where it has one, or where the verdict does not name it."""
        return self.absent[self.names.index(name)] if name in self.names else ""


@dataclass(frozen=True, slots=True)
class Record:
    """One item of a run with what came of it.

    Attributes
    ----------
    run : position of the run among those of the report
    item : what the manifest says
    cluster : a number for its task and puzzle, the same in all runs and for all models
    model : the model's name for tables
    end : how it ended; None where it has no result yet
    score, reward : 0 to 1, where the verdict has them
    measures : its metrics
    codes : reason codes, gravest first
    mode : the failure mode of its gravest reason; None unless it is FAIL or UNGRADABLE
    fault : the reason of a status that is not OK; empty otherwise
    quality : how well the picture was aligned, 0 to 1; None where that is not said
    notes : codes of harmless findings
    split : whether the strict and the lenient reading of words came to different ends
    confidence : how sure the detector is, or how well the picture was aligned, 0 to 1; None where neither is said
    made_by : grader version and profile
    picture : SHA-256 of the picture that was to be edited, hex; empty where there is none, or no verdict
    offset : where its line begins in results.jsonl; -1 where it has none
    """

    run: int
    item: Item
    cluster: int
    model: str
    end: ItemEnd | None
    score: float | None = None
    reward: float | None = None
    measures: MetricValues = MetricValues()
    codes: tuple[str, ...] = ()
    mode: FailureMode | None = None
    fault: str = ""
    confidence: float | None = None
    quality: float | None = None
    notes: tuple[str, ...] = ()
    split: bool = False
    made_by: str = ""
    picture: str = ""
    offset: int = -1

    @property
    def is_candidate(self) -> bool:
        """Whether rates count it: PASS, FAIL or UNGRADABLE."""
        return self.end in CANDIDATE_ENDS

    @property
    def missing(self) -> bool:
        """Whether it stands for an answer that the model did not give."""
        return says_missing(self.item.tags)

    @property
    def passed(self) -> bool:
        """Whether its outcome is PASS."""
        return self.end is ItemEnd.PASS

    @property
    def scored(self) -> bool:
        """Whether its score is 1, which is a pass as the paper's score has it."""
        return self.score == 1.0

    def attempt_end(self, *, by_score: bool) -> AttemptEnd:
        """What it says as an attempt; by the outcome, or by whether the score is 1."""
        if not self.is_candidate:
            return AttemptEnd.UNKNOWN
        return AttemptEnd.PASSED if (self.scored if by_score else self.passed) else AttemptEnd.NOT_PASSED

    def tag(self, name: str) -> str | None:
        """The value of a tag, or None."""
        return next((value for key, value in self.item.tags if key == name), None)


@dataclass(frozen=True)
class Run:
    """A run folder as it was read.

    Attributes
    ----------
    name : for tables; unique in a report
    folder, manifest : where it is, and the manifest that it graded
    torn : whether the last line was half written, as by a run that was killed; it counts as not there
    repeated : lines about an item that has a line already; they are left out
    not_selected : items of the manifest that the run was not to grade (--only, --limit); there is no record of them
    """

    name: str
    folder: Path
    manifest: Path
    torn: bool
    repeated: int
    not_selected: int = 0


@dataclass(frozen=True)
class Results:
    """All that a report is made of: runs in the order given, records in the order of runs and manifest lines."""

    runs: tuple[Run, ...]
    records: tuple[Record, ...]
