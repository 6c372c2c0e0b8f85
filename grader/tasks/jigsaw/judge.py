"""Judges pieces that were put together: each in its place, upright, once, and as it was given. It sees no pixels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from grader.model.places import Place
from grader.model.verdict import Reason
from grader.tasks.common.progress import FAILED_REWARD, count
from grader.tasks.jigsaw.model import QuarterObservation
from grader.tasks.jigsaw.settings import DrawnRules
from puzzles.jigsaw.kinds import POSITIONS, Order


@dataclass(frozen=True)
class AssemblyJudgement:
    """What is said of an assembly.

    Attributes
    ----------
    reasons : gravest first; empty where it is right
    right : of each quarter, whether its own piece lies there, upright
    intact : of each quarter, whether what lies there is as it was given
    found : how many of the pieces lie somewhere
    reward : 0 to 1
    unspoilt : whether some piece is there, and none was altered
    """

    reasons: tuple[Reason, ...]
    right: tuple[bool, ...]
    intact: tuple[bool, ...]
    found: int
    reward: float
    unspoilt: bool


def judge_assembly(quarters: Sequence[QuarterObservation], truth: Order, rules: DrawnRules) -> AssemblyJudgement:
    """Judges what lies in the quarters of a picture.

    Parameters
    ----------
    quarters : sequence of QuarterObservation
        Top left, top right, bottom left, bottom right.
    truth : tuple of int
        The number of the piece that belongs in each.
    rules : DrawnRules
    """
    upright = [not one.rotation_deg and not one.mirrored for one in quarters]
    placed = [one.piece == piece for one, piece in zip(quarters, truth, strict=True)]
    right = tuple(both and how for both, how in zip(placed, upright, strict=True))
    intact = tuple(one.piece > 0 and _is_intact(one, quarters, rules) for one in quarters)
    seen = Counter(one.piece for one in quarters if one.piece)
    reasons = tuple(_reasons(quarters, truth, placed, upright, intact, seen))
    spoilt = not seen or any(one.piece and not kept for one, kept in zip(quarters, intact, strict=True))
    progress = 0.0 if spoilt else sum(right) / len(right)
    return AssemblyJudgement(
        reasons, right, intact, len(seen), FAILED_REWARD * progress if reasons else 1.0, not spoilt
    )


def _is_intact(one: QuarterObservation, quarters: Sequence[QuarterObservation], rules: DrawnRules) -> bool:
    """Whether a piece is as it was given, but for what happened to all of the picture."""
    usual = sorted(other.rough for other in quarters)[(len(quarters) - 1) // 2]
    return (
        one.altered_share <= rules.most_altered
        and one.detail >= rules.least_detail
        and one.shift <= rules.most_shift
        and one.displaced <= rules.most_displaced
        and one.rough <= rules.most_rough + rules.rough_times * usual
    )


def _reasons(
    quarters: Sequence[QuarterObservation],
    truth: Order,
    placed: Sequence[bool],
    upright: Sequence[bool],
    intact: Sequence[bool],
    seen: Counter[int],
) -> list[Reason]:
    if not seen:
        return [Reason("NO_PIECES", "None of the given pieces lies in any quarter.")]
    reasons = []
    empty = [at for at, one in enumerate(quarters) if not one.piece]
    altered = [at for at, one in enumerate(quarters) if one.piece and not intact[at]]
    twice = sorted(piece for piece, number in seen.items() if number > 1)
    turned = [at for at, one in enumerate(quarters) if one.piece and not upright[at]]
    wrong = [at for at, one in enumerate(quarters) if one.piece and not placed[at]]
    if altered:
        text = f"{_quarters(altered)} something else than the piece that was given: painted anew, or painted over."
        reasons.append(Reason("PIECE_ALTERED", text, _places(quarters, altered)))
    if empty:
        text = f"{_quarters(empty)} none of the given pieces."
        reasons.append(Reason("PIECE_MISSING", text, _places(quarters, empty)))
    if twice:
        text = f"Piece {twice[0]} is there {seen[twice[0]]} times."
        again = [at for at, one in enumerate(quarters) if one.piece == twice[0]]
        reasons.append(Reason("PIECE_TWICE", text, _places(quarters, again)))
    if turned:
        text = f"{count(len(turned), 'piece')} not upright: {_how(quarters[turned[0]])} at the {POSITIONS[turned[0]]}."
        reasons.append(Reason("PIECE_TURNED", text, _places(quarters, turned)))
    if wrong:
        first = wrong[0]
        text = (
            f"{count(len(wrong), 'quarter')} with another piece than its own: piece {quarters[first].piece} lies "
            f"at the {POSITIONS[first]}, where piece {truth[first]} belongs."
        )
        reasons.append(Reason("WRONG_ORDER", text, _places(quarters, wrong)))
    return reasons


def _quarters(places: Sequence[int]) -> str:
    named = ", ".join(POSITIONS[at] for at in places)
    return f"The quarter at the {named} shows" if len(places) == 1 else f"The quarters at the {named} show"


def _how(quarter: QuarterObservation) -> str:
    parts = ["mirrored"] if quarter.mirrored else []
    parts += [f"rotated by {quarter.rotation_deg} degrees"] if quarter.rotation_deg else []
    return f"piece {quarter.piece} is {' and '.join(parts)}"


def _places(quarters: Sequence[QuarterObservation], which: Sequence[int]) -> tuple[Place, ...]:
    return tuple(Place(box=quarters[at].box, object=str(quarters[at].piece or "")) for at in which)
