"""Writes what was fitted as a profile's file, which servers and commands load. `grader.profiles` reads it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from calibration.cases import CONFIDENCE, OF_HUNDRED, CalibrationOptions, LabelledCase, LabelledRun, number_of
from calibration.fitting import Fitted, ThresholdKind, bound_of
from calibration.labels import CalibrationError, PeopleLabels
from calibration.people import class_counts
from calibration.statistics.raters import gwet_ac1, percent_agreement
from calibration.statistics.thresholds import Tally, tally
from calibration.statistics.undefined import Undefined
from grader.model.json_fields import canonical_digest, parse_json
from grader.output.files import replacing
from grader.report.data.records import Results
from grader.report.page.entries import Source


@dataclass(frozen=True)
class VerdictMaker:
    """What made a verdict: version of the grader, name of the profile, and the digest of its task's settings."""

    grader_version: str
    profile: str
    digest: str


@dataclass(frozen=True)
class ProfileWish:
    """A file to write, called after the profile; and which threshold it is to have."""

    file: Path
    kind: ThresholdKind = ThresholdKind.BOUND


def write_profile(
    wish: ProfileWish,
    results: Results,
    people: PeopleLabels,
    matched: LabelledRun,
    fitted: Fitted,
    options: CalibrationOptions,
) -> None:
    """Writes a profile that departs from the one of the run by what was fitted.

    Raises
    ------
    CalibrationError
        If nothing was fitted that verdicts can be held to, the run's verdicts are by several versions or profiles, or
        another profile has that file: what was fitted once is never changed.
    OSError
        If the file can't be read or written.
    """
    if wish.file.suffix != ".json":
        raise CalibrationError(f"--profile {wish.file}: a profile is a file NAME.json")
    with Source(results) as source:
        makers = [_maker(source.ended(one.record).get("verdict") or {}) for one in matched.told]
    content = profile_content(wish.file.stem, wish.kind, makers, people, matched, fitted, options)
    if wish.file.exists():
        if _there(wish.file) == content:
            return
        raise CalibrationError(
            f"{wish.file} is another profile, and what was fitted is never changed; choose another name"
        )
    wish.file.parent.mkdir(parents=True, exist_ok=True)
    with replacing(wish.file) as file:
        file.write(profile_text(content))


def profile_text(content: Mapping[str, Any]) -> str:
    """A profile as its file has it."""
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def profile_content(
    name: str,
    kind: ThresholdKind,
    makers: Sequence[VerdictMaker],
    people: PeopleLabels,
    matched: LabelledRun,
    fitted: Fitted,
    options: CalibrationOptions,
) -> dict[str, Any]:
    """Makes a profile that departs from the one of the verdicts by what was fitted.

    Parameters
    ----------
    name : str
        Its name.
    kind : ThresholdKind
        Which threshold it has.
    makers : sequence of VerdictMaker
        What made the verdict of each candidate that people are of one mind about.
    people, matched, fitted, options
        The calibration.

    Raises
    ------
    CalibrationError
        If nothing was fitted that verdicts can be held to, or the verdicts are by several versions or profiles.
    """
    rule, least = _threshold(kind, fitted, options)
    made_by = _made_by(makers, matched.told)
    content: dict[str, Any] = {
        "name": name,
        "description": f"{made_by['profile']}, held to labels of people: {options.number} at least "
        f"{least * _scale(options):.6g} ({rule}).",
        "extends": made_by["profile"],
        "calibration": {
            "number": options.number,
            "threshold": least,
            "scale": _scale(options),
            "rule": rule,
            "fitted_to": made_by,
            "labels": {
                "digest": people.digest,
                "question": people.question.value,
                "raters": len(people.raters),
                "labels": len(people.first) + len(people.again) + len(people.decided),
                "candidates": len(matched.told),
            },
            "split": {"share": options.split, "seed": options.resampling.seed},
            "agreement": _agreement(people, matched, least, options),
        },
    }
    content["calibration"]["sha256"] = canonical_digest(content)
    return content


def _there(file: Path) -> object:
    try:
        return parse_json(file.read_bytes())
    except ValueError:
        return None


def _scale(options: CalibrationOptions) -> int:
    return 100 if options.number in OF_HUNDRED else 1


def _threshold(kind: ThresholdKind, fitted: Fitted, options: CalibrationOptions) -> tuple[str, float]:
    """What verdicts are held to: its rule in words, and the number."""
    if options.number == CONFIDENCE:
        raise CalibrationError(
            "--profile: verdicts are held to score, reward or a metric, not to confidence; see --number"
        )
    found = next(one for one in fitted.thresholds if one.kind is kind)
    if isinstance(found.threshold, Undefined):
        raise CalibrationError(f"--profile: there is no threshold for {found.rule}: {found.threshold.why}")
    if math.isinf(found.threshold):
        raise CalibrationError(f"--profile: for {found.rule} it is best to let nothing pass, which is no profile")
    return found.rule, found.threshold


def _maker(verdict: Mapping[str, Any]) -> VerdictMaker:
    made = verdict.get("provenance") or {}
    return VerdictMaker(*(str(made.get(name) or "") for name in ("graderVersion", "profile", "profileDigest")))


def _made_by(makers: Sequence[VerdictMaker], cases: Sequence[LabelledCase]) -> dict[str, Any]:
    """The one version and profile that made the verdicts, and the digest of each task's settings."""
    found = {(one.grader_version, one.profile) for one in makers}
    digests: dict[str, set[str]] = {}
    for maker, case in zip(makers, cases, strict=True):
        digests.setdefault(case.record.item.task, set()).add(maker.digest)
    if len(found) > 1 or any(len(some) > 1 for some in digests.values()):
        told = "; ".join(f"grader {version}, profile {profile}" for version, profile in sorted(found))
        raise CalibrationError(
            f"--profile: the labelled verdicts are by several versions or profiles ({told}); take one run each"
        )
    ((version, profile),) = found
    return {
        "grader_version": version,
        "profile": profile,
        "task_digests": {task: next(iter(some)) for task, some in sorted(digests.items())},
    }


def _agreement(
    people: PeopleLabels, matched: LabelledRun, least: float, options: CalibrationOptions
) -> Mapping[str, Any]:
    """Verdicts by the profile beside people, on the part that nothing was fitted to: by rules and by the threshold."""
    judged = [one for one in matched.told if not one.fitted]
    passes = np.array([one.record.passed and _reaches(one, least, options) for one in judged], np.float64)
    done = tally(passes, np.array([one.right for one in judged], np.bool_), 1.0)
    level = options.resampling.level
    counts = class_counts([label for one in matched.cases for label in one.labels], people.question)
    return {
        "passed": done.passed,
        "false_passes": done.false_passes,
        "wrong": done.wrong,
        "false_fails": done.false_fails,
        "right": done.right,
        "bound": bound_of(done, level),
        "level": level,
        "accuracy": _accuracy(done),
        "people_percent": _told(percent_agreement(counts)),
        "people_ac1": _told(gwet_ac1(counts)),
    }


def _reaches(case: LabelledCase, least: float, options: CalibrationOptions) -> bool:
    value = number_of(case.record, options.number)
    return value is not None and value >= least


def _accuracy(done: Tally) -> float | None:
    n = done.wrong + done.right
    return 1.0 - (done.false_passes + done.false_fails) / n if n else None


def _told(value: float | Undefined) -> float | None:
    return None if isinstance(value, Undefined) else value
