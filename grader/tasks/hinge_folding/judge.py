"""Judges a folded chain as it was seen: its pieces whole and joined, nothing beside it, and its silhouette. It sees no
pixels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from grader.model.places import PixelBox, Place
from grader.model.verdict import Note, Reason
from grader.tasks.common.labels import listed
from grader.tasks.common.progress import FAILED_REWARD, count
from grader.tasks.hinge_folding.model import ChainObservation, ChainPieceSeen
from grader.tasks.hinge_folding.settings import DrawnChainRules
from puzzles.hinge_folding.chain import FULL_TURN, HingeShape, SilhouetteOverlap, compare, overlap_of

_STEP_DEG = 45  # not a threshold: hinges are turned by multiples of it
_FULL_DEG = 360  # not a threshold: a full turn


@dataclass(frozen=True)
class ChainFaults:
    """What is wrong with a picture of a chain beside its angles.

    Attributes
    ----------
    merged : pairs of pieces, from 0, that can't be told apart
    one_color : whether all pieces are of one colour, where those given were not
    blended : pairs of pieces that are both seen where they overlap
    faint : pieces, from 0, that are fainter than the others
    scaled : pieces, from 0, that are larger or smaller than the others
    bent : pieces, from 0, that have another shape
    extras : boxes of what is drawn beside them, in pixels
    marks : how many small marks, such as letters, are there
    around : whether something is drawn outside of the chain's reach
    second : whether another chain is there
    turned_deg : by how many degrees the first piece is turned
    units : corners of the pieces in units, with the first piece where it belongs, y up; empty for one that is missing
    """

    merged: tuple[tuple[int, int], ...] = ()
    one_color: bool = False
    blended: tuple[tuple[int, int], ...] = ()
    faint: tuple[int, ...] = ()
    scaled: tuple[int, ...] = ()
    bent: tuple[int, ...] = ()
    extras: tuple[PixelBox, ...] = ()
    marks: int = 0
    around: bool = False
    second: bool = False
    turned_deg: float = 0.0
    units: tuple[tuple[tuple[float, float], ...], ...] = ()


@dataclass(frozen=True)
class ChainJudgement:
    """What is said of a folded chain.

    Attributes
    ----------
    reasons : gravest first; empty where it is right
    notes : what is harmless
    steps : of each hinge the multiple of 45 degrees that it is next to; None where it was not read
    iou : of the silhouettes, 0 to 1
    angle_error_deg : how far the angles are off the right ones in the mean, 0 to 180; None where none was read
    joined : share of the hinges that are joined
    found : share of the pieces that were found
    hinges_right : of each hinge, whether it is joined and turned rightly
    spoilt : whether the chain is not what was given
    reward : 0 to 1
    """

    reasons: tuple[Reason, ...]
    notes: tuple[Note, ...]
    steps: tuple[int, ...] | None
    iou: float
    angle_error_deg: float | None
    joined: float
    found: float
    hinges_right: tuple[bool, ...]
    spoilt: bool
    reward: float


def judge_chain(
    shapes: Sequence[HingeShape],
    target: Sequence[float],
    seen: ChainObservation,
    faults: ChainFaults,
    rules: DrawnChainRules,
) -> ChainJudgement:
    """Judges a chain.

    Parameters
    ----------
    shapes : sequence of HingeShape
    target : sequence of float
        Angles that give the right silhouette, in radians.
    seen : ChainObservation
    faults : ChainFaults
    rules : DrawnChainRules
    """
    reasons = whole_reasons(seen, faults, rules)
    spoilt = bool(reasons)
    steps = steps_of(seen, rules)
    same = steps is not None and compare(shapes, [math.radians(step * _STEP_DEG) for step in steps], target).same
    # What is right needs no look at how its pieces lie on the silhouette.
    iou = 1.0 if same and not spoilt else _overlap(shapes, target, faults).iou
    if steps is not None:
        if not same and not spoilt:
            text = f"The chain has another silhouette: both share {iou:.0%} of what either covers."
            reasons = (*reasons, Reason("WRONG_SILHOUETTE", text, _silhouette_places(seen, steps, target)))
    elif not spoilt:
        reasons = (*reasons, _between(seen, rules))
    wanted = [angle % FULL_TURN * _FULL_DEG / FULL_TURN for angle in target]
    errors = [apart(hinge.angle_deg, goal) for hinge, goal in zip(seen.hinges, wanted, strict=True)]
    if same and steps is not None:
        # Another program than the one that is given may have this silhouette, too.
        errors = [apart(hinge.angle_deg, step * _STEP_DEG) for hinge, step in zip(seen.hinges, steps, strict=True)]
    known = [error for error in errors if error is not None]
    joined = [hinge.gap_units is not None and hinge.gap_units <= rules.most_gap for hinge in seen.hinges]
    right = tuple(
        ok and error is not None and error <= rules.most_off_deg for ok, error in zip(joined, errors, strict=True)
    )
    progress = 0.0 if spoilt else sum(right) / len(right)
    return ChainJudgement(
        reasons=reasons,
        notes=_notes(faults),
        steps=steps,
        iou=iou,
        angle_error_deg=sum(known) / len(known) if known else None,
        joined=sum(joined) / len(joined),
        found=sum(piece.found for piece in seen.pieces) / len(seen.pieces),
        hinges_right=right,
        spoilt=spoilt,
        reward=FAILED_REWARD * progress if reasons else 1.0,
    )


def steps_of(seen: ChainObservation, rules: DrawnChainRules) -> tuple[int, ...] | None:
    """Of each hinge by how many steps of 45 degrees it is turned; None if one is not read, or between two steps."""
    steps = []
    for hinge in seen.hinges:
        if hinge.angle_deg is None:
            return None
        step = round(hinge.angle_deg / _STEP_DEG)
        if abs(hinge.angle_deg - step * _STEP_DEG) > rules.most_off_deg:
            return None
        steps.append(step * _STEP_DEG % _FULL_DEG // _STEP_DEG)
    return tuple(steps)


def whole_reasons(seen: ChainObservation, faults: ChainFaults, rules: DrawnChainRules) -> tuple[Reason, ...]:
    """Why a picture does not show the chain that was given, whatever its angles."""
    if not any(piece.found for piece in seen.pieces):
        return (Reason("NO_CHAIN", "None of the pieces of the chain was found."),)
    reasons = []
    missing = [at for at, piece in enumerate(seen.pieces) if not piece.found]
    scaled = [at for at in faults.scaled if seen.pieces[at].found]
    open_ = [hinge for hinge in seen.hinges if hinge.gap_units is not None and hinge.gap_units > rules.most_gap]
    if faults.one_color:
        text = "All pieces have one colour, so that only their silhouette is shown."
        reasons.append(Reason("SILHOUETTE_ONLY", text, _places(seen, range(len(seen.pieces)))))
    elif faults.merged:
        one, other = faults.merged[0]
        text = f"Pieces {one + 1} and {other + 1} run into each other: they have one colour, and no line between them."
        reasons.append(Reason("SILHOUETTE_ONLY", text, _places(seen, faults.merged[0])))
    if faults.second:
        reasons.append(Reason("SECOND_CHAIN", "Another chain is drawn beside this one."))
    if missing:
        text = f"{_named(missing)} not found where the chain would go on, nor near by."
        reasons.append(Reason("PIECE_MISSING", text, _places(seen, missing)))
    if faults.extras:
        text = f"{count(len(faults.extras), 'thing')} drawn that is no piece of this chain."
        reasons.append(Reason("SOMETHING_DRAWN", text, tuple(Place(box=box) for box in faults.extras)))
    if scaled:
        size = seen.pieces[scaled[0]].size
        text = f"{_named(scaled)} another size than the others: piece {scaled[0] + 1} has {size:.0%} of its own."
        reasons.append(Reason("PIECE_ALTERED", text, _places(seen, scaled)))
    bent = [at for at in faults.bent if seen.pieces[at].found]
    if bent:
        text = f"{_named(bent)} of another shape: a part of the edge is not where it has to be."
        reasons.append(Reason("PIECE_ALTERED", text, _places(seen, bent)))
    if faults.faint:
        text = f"{_named(faults.faint)} much fainter than the others."
        reasons.append(Reason("PIECE_FAINT", text, _places(seen, faults.faint)))
    if faults.blended:
        one, other = faults.blended[0]
        text = f"Pieces {one + 1} and {other + 1} shine through each other where they overlap."
        reasons.append(Reason("PIECE_SEE_THROUGH", text, _places(seen, faults.blended[0])))
    if open_:
        text = f"{listed([hinge.hinge for hinge in open_])}: the pieces are {open_[0].gap_units:.2f} units apart there."
        places = tuple(Place(object=hinge.hinge) for hinge in open_)
        reasons.append(Reason("CHAIN_CUT", f"The chain is cut at hinge {text}", places))
    if abs(faults.turned_deg) > rules.most_turned_deg:
        text = f"The first piece is turned by {faults.turned_deg:.0f} degrees; it has to stay as it is."
        reasons.append(Reason("CHAIN_TURNED", text, _places(seen, (0,))))
    return tuple(reasons)


def _between(seen: ChainObservation, rules: DrawnChainRules) -> Reason:
    for hinge in seen.hinges:
        if hinge.angle_deg is not None:
            off = abs(hinge.angle_deg - round(hinge.angle_deg / _STEP_DEG) * _STEP_DEG)
            if off > rules.most_off_deg:
                text = f"Hinge {hinge.hinge} is turned by {hinge.angle_deg:.0f} degrees, which is no multiple of 45."
                return Reason("HINGE_BETWEEN", text, (Place(object=hinge.hinge),))
    raise RuntimeError("a hinge that was not read has a piece that is missing")


def _overlap(shapes: Sequence[HingeShape], target: Sequence[float], faults: ChainFaults) -> SilhouetteOverlap:
    return overlap_of([corners for corners in faults.units if corners], shapes, target)


def _silhouette_places(seen: ChainObservation, steps: Sequence[int], target: Sequence[float]) -> tuple[Place, ...]:
    wanted = [round(angle % FULL_TURN * _FULL_DEG / FULL_TURN / _STEP_DEG) for angle in target]
    return tuple(
        Place(object=hinge.hinge)
        for hinge, step, goal in zip(seen.hinges, steps, wanted, strict=True)
        if (step - goal) * _STEP_DEG % _FULL_DEG
    )


def apart(one: float | None, other: float) -> float | None:
    """How far two angles in degrees are apart, 0 to 180; None where the one is not known."""
    return None if one is None else abs((one - other + _FULL_DEG / 2) % _FULL_DEG - _FULL_DEG / 2)


def _notes(faults: ChainFaults) -> tuple[Note, ...]:
    notes = []
    if faults.marks:
        notes.append(Note("MARKS", f"{count(faults.marks, 'small mark')}, such as letters, beside the chain."))
    if faults.around:
        notes.append(Note("AROUND", "Something is drawn outside of the chain's reach; it was not looked at."))
    return tuple(notes)


def _named(pieces: Sequence[int]) -> str:
    names = listed([str(at + 1) for at in pieces])
    return f"Piece {names} is" if len(pieces) == 1 else f"Pieces {names} are"


def _places(seen: ChainObservation, pieces: Sequence[int]) -> tuple[Place, ...]:
    return tuple(Place(box=box_of(seen.pieces[at]), object=str(at + 1)) for at in pieces)


def box_of(piece: ChainPieceSeen) -> PixelBox:
    """The box around a piece."""
    left, top = (min(corner[axis] for corner in piece.corners) for axis in (0, 1))
    right, bottom = (max(corner[axis] for corner in piece.corners) for axis in (0, 1))
    return PixelBox(left, top, right - left, bottom - top)
