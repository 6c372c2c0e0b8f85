"""Turns of hinges in words: read, made, and compared by the silhouette that they give."""

from __future__ import annotations

from grader.answers.grammar.hinges import HingeTurn
from grader.answers.result import Parsed, Reading
from grader.answers.tasks import read_hinge_folding
from grader.model.verdict import Metric
from grader.tasks.common.judgement import Judgement, optional_metric
from grader.tasks.common.labels import listed
from grader.tasks.hinge_folding.puzzle import HingeChain, angles_of
from grader.tasks.hinge_folding.settings import HingeFoldingSettings
from grader.tasks.plans.answers import PlanFault, PlanJudgement
from grader.tasks.plans.words import judge_whole, judged_in_both
from puzzles.hinge_folding.chain import SilhouetteOverlap, compare


def judge_hinge_words(puzzle: HingeChain, text: str, _settings: HingeFoldingSettings) -> Judgement:
    """Judges all that a model wrote, in both readings."""
    return judge_whole(judge_hinges(puzzle, text), _metrics)


def judge_hinges(puzzle: HingeChain, text: str) -> dict[Reading, PlanJudgement[SilhouetteOverlap]]:
    """What is said of all that a model wrote, in each reading."""
    return judged_in_both(read_hinge_folding(text), lambda read: _folded(puzzle, read))


def _folded(puzzle: HingeChain, read: Parsed[tuple[HingeTurn, ...]]) -> PlanJudgement[SilhouetteOverlap]:
    written = tuple(f"{turn.hinge} {turn.angle_deg}" for turn in read.value)
    # A hinge that is not there and is not turned is no fault.
    unknown = sorted({turn.hinge for turn in read.value if turn.hinge not in puzzle.hinges and turn.angle_deg})
    known = [(turn.hinge, turn.angle_deg) for turn in read.value if turn.hinge in puzzle.hinges]
    overlap = compare(puzzle.shapes, angles_of(known, puzzle.hinges), puzzle.target)
    fault, message = None, "The turns give the silhouette."
    if unknown:
        fault = PlanFault.UNKNOWN_HINGE
        message = f"There is no hinge {listed(unknown)}; there are {', '.join(puzzle.hinges)}."
    elif not overlap.same:
        fault = PlanFault.WRONG_SILHOUETTE
        message = f"The turns give another silhouette: both share {overlap.iou:.0%} of what either covers."
    return PlanJudgement(Reading.LENIENT, written, fault, message, end=overlap)


def _metrics(judged: PlanJudgement[SilhouetteOverlap]) -> tuple[Metric, ...]:
    overlap = judged.end
    return (optional_metric("silhouette_iou", None if overlap is None else overlap.iou, "there is no answer"),)
