"""The comparison: any picture beside another one, measured and not judged."""

from __future__ import annotations

from grader.model.jobs import CandidateKind
from grader.tasks.common.spec import Judges, TaskSpec
from grader.tasks.compare.model import CompareInput
from grader.tasks.compare.pictures import METRICS, ComparePuzzle, measure_picture, prepare_comparison
from grader.tasks.compare.settings import CompareSettings

SPEC: TaskSpec[CompareInput, ComparePuzzle, CompareSettings] = TaskSpec(
    name="compare",
    description="Any picture, measured against a reference inside and outside of a mask; it is not judged.",
    input_type=CompareInput,
    settings_type=CompareSettings,
    prepare=prepare_comparison,
    judges=Judges(picture=measure_picture),
    metrics=METRICS,
    reasons=(),
    drawn=(CandidateKind.IMAGE,),
)
