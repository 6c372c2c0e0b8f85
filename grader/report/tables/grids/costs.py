"""What answers took: tokens for each solved maze, and seconds, by what their tags say."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from grader.metrics.runs.bootstrap import Interval, percentile_interval, resampled_sums
from grader.report.data.estimates import Estimate, Resampling, Samples
from grader.report.data.grouping import Records
from grader.report.data.records import Record

TOKENS, LATENCY, CUT_OFF = "tokens", "latency_s", "cut_off"
"""Tags of requests."""
CUT_OFF_CODE = "ANSWER_CUT_OFF"


def number_tag(record: Record, name: str) -> float | None:
    """A number that a tag says, from 0; None where there is none."""
    said = record.tag(name)
    try:
        number = math.nan if said is None else float(said)
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None


def cut_off(records: Records) -> int:
    """How many answers were cut off at a limit, as their tag or their verdict says."""
    return sum(record.tag(CUT_OFF) == "true" or CUT_OFF_CODE in record.codes for record in records)


def total_tokens(records: Records) -> int | None:
    """Tokens of all answers that say them; None where none does."""
    said = [number for record in records if (number := number_tag(record, TOKENS)) is not None]
    return round(math.fsum(said)) if said else None


def tokens_per_solve(records: Records, how: Resampling) -> Estimate:
    """All tokens over the mazes that were solved, with an interval that draws whole puzzles.

    It is over the answers that say their tokens. An answer that does not, as one that is missing, took none.
    """
    told = [(record, number) for record in records if (number := number_tag(record, TOKENS)) is not None]
    if not told:
        return Estimate(None, 0, why="no answer says its tokens")
    clusters = {cluster: place for place, cluster in enumerate(sorted({record.cluster for record in records}))}
    sums = np.zeros((len(clusters), 2))
    for record, number in told:
        sums[clusters[record.cluster], 0] += number
    for record in records:
        sums[clusters[record.cluster], 1] += record.passed
    tokens, solved = sums.sum(axis=0)
    if not solved:
        return Estimate(None, len(told), why="nothing is solved")
    return Estimate(float(tokens / solved), len(told), _interval(sums, how))


def _interval(sums: NDArray[np.float64], how: Resampling) -> Interval | None:
    """The interval of a ratio to which mazes that were not solved add tokens; None where it has no width."""
    if not how.resamples or len(sums) < 2:
        return None
    drawn = resampled_sums(sums, resamples=how.resamples, seed=how.seed)
    ratios = drawn[drawn[:, 1] > 0]
    ratios = ratios[:, :1] / ratios[:, 1:]
    return percentile_interval(ratios[:, 0], how.level) if (ratios != ratios[0]).any() else None


def latency_samples(records: Records) -> Samples:
    """Seconds of each answer that says them."""
    samples = Samples(is_rate=False)
    for record in records:
        seconds = number_tag(record, LATENCY)
        if seconds is None:
            samples.left_out["no answer says its latency"] += 1
        else:
            samples.add(record.cluster, seconds)
    return samples
