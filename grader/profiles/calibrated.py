"""What `grader calibrate` fitted to people's labels, as a profile's file carries it, and what verdicts it makes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from grader.model.json_fields import canonical_digest
from grader.model.verdict import Outcome, Reason, Verdict
from grader.profiles.changes import in_a_line

BELOW_THRESHOLD = "BELOW_THRESHOLD"
"""Passed by rules, and not by what was fitted to people."""

SEAL = "sha256"
"""The field of a calibration that says what the file was when it was written."""

_HEX = Field(pattern=r"^[0-9a-f]{64}$")
_SHARE = Field(ge=0.0, le=1.0, allow_inf_nan=False)
_COUNT = Field(ge=0)


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class FittedTo(_Part):
    """The verdicts that it was fitted to: another version may say other numbers of the same candidates.

    Attributes
    ----------
    grader_version, profile : what made them
    task_digests : of the settings of each task that there were labels of
    """

    grader_version: str
    profile: str
    task_digests: dict[str, str] = Field(min_length=1)


class FittedLabels(_Part):
    """The labels: SHA-256 over their files, what was asked, and how many there were by how many people."""

    digest: str = _HEX
    question: str
    raters: int = _COUNT
    labels: int = _COUNT
    candidates: int = _COUNT


class FittedSplit(_Part):
    """The share of puzzles that was fitted to, and the seed that parts them."""

    share: float = _SHARE
    seed: int


class FittedAgreement(_Part):
    """How well it does on the part that nothing was fitted to, and how well people agree.

    Attributes
    ----------
    passed, false_passes, wrong, false_fails, right : verdicts of this profile beside people, counted
    bound : on the share of wrong candidates that pass; None where none was wrong
    level : with what chance the bound holds
    accuracy : share of verdicts that are as people say
    people_percent, people_ac1 : equal pairs of labels, and Gwet's AC1; None where no candidate has two
    """

    passed: int = _COUNT
    false_passes: int = _COUNT
    wrong: int = _COUNT
    false_fails: int = _COUNT
    right: int = _COUNT
    bound: float | None = Field(ge=0.0, le=1.0, allow_inf_nan=False)
    level: float = _SHARE
    accuracy: float | None = Field(ge=0.0, le=1.0, allow_inf_nan=False)
    people_percent: float | None = Field(ge=0.0, le=1.0, allow_inf_nan=False)
    people_ac1: float | None = Field(ge=-1.0, le=1.0, allow_inf_nan=False)


class FittedCalibration(_Part):
    """What was fitted.

    Attributes
    ----------
    number : score, reward, or a metric
    threshold : what passes has at least this
    scale : 100 of metrics that are 0 to 100, whose threshold is a share of that; else 1
    rule : what the threshold was chosen for
    fitted_to, labels, split, agreement : see there
    sha256 : of the file's content but for this, as canonical JSON
    """

    number: str = Field(min_length=1)
    threshold: float = Field(allow_inf_nan=False)
    scale: int = Field(ge=1)
    rule: str
    fitted_to: FittedTo
    labels: FittedLabels
    split: FittedSplit
    agreement: FittedAgreement
    sha256: str = _HEX

    @property
    def tasks(self) -> frozenset[str]:
        """The tasks that there were labels of. Of others it says nothing."""
        return frozenset(self.fitted_to.task_digests)

    @property
    def content(self) -> dict[str, Any]:
        """All of it as what JSON knows."""
        return self.model_dump()

    def applied(self, verdict: Verdict, task: str) -> Verdict:
        """The verdict by this profile: what passes has to pass by rules, and not be below the threshold.

        So what a bound on false passes says of the threshold alone holds for these verdicts too.
        """
        if task not in self.tasks or verdict.outcome is not Outcome.PASS:
            return verdict
        value = self._number_of(verdict)
        if value is not None and value / self.scale >= self.threshold:
            return verdict
        said = "not available" if value is None else f"{value:.6g}"
        message = (
            f"{self.number} is {said}, and {self.threshold * self.scale:.6g} is the least that passes by the labels of "
            f"people; by the rules alone it is right"
        )
        # What people may call wrong must not pay.
        return replace(verdict, outcome=Outcome.FAIL, reward=0.0, reasons=(Reason(BELOW_THRESHOLD, message),))

    def _number_of(self, verdict: Verdict) -> float | None:
        if self.number == "score":
            return verdict.score
        if self.number == "reward":
            return verdict.reward
        return next((one.value for one in verdict.metrics if one.name == self.number), None)


def read_calibration(said: Mapping[str, Any], faults: list[str]) -> FittedCalibration | None:
    """What a profile's file says was fitted, or None.

    Parameters
    ----------
    said : mapping
        The whole file.
    faults : list of str
        Gets what is wrong, for each field with its path.
    """
    part = said["calibration"]
    try:
        found = FittedCalibration.model_validate(part)
    except ValidationError as error:
        faults += [
            f"{'.'.join(map(str, ('calibration', *one['loc'])))}: {in_a_line(one['msg'])}" for one in error.errors()
        ]
        return None
    unsealed = {**said, "calibration": {name: value for name, value in part.items() if name != SEAL}}
    if canonical_digest(unsealed) != found.sha256:
        faults.append(
            "calibration: the file was changed since it was written; what is fitted is never changed, so fit anew"
        )
        return None
    return found


def misfit(calibration: FittedCalibration, name: str, version: str, digests: Mapping[str, str]) -> str | None:
    """Why a calibration is not one of this grader; None where it is.

    Parameters
    ----------
    calibration : FittedCalibration
    name : str
        The profile's.
    version : str
        This grader's.
    digests : mapping
        Of the settings that the profile departs from, by task.
    """
    to = calibration.fitted_to
    if to.grader_version != version:
        return (
            f"calibration: {name} was fitted to verdicts of grader {to.grader_version}, and this is {version}; grade "
            "the labelled candidates by this one and fit anew"
        )
    other = sorted(task for task, digest in to.task_digests.items() if digests.get(task) != digest)
    if other:
        return (
            f"calibration: {name} was fitted to verdicts by other settings of {', '.join(other)} than those of the "
            f"profile {to.profile} here; grade the labelled candidates by these and fit anew"
        )
    return None
