"""From what a detector found of a chain to what is said of it: in units of the chain, and in pixels of the picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from detectors.hinge_folding.colors import faint_pieces, one_color
from detectors.hinge_folding.config import ChainConfig
from detectors.hinge_folding.finding import ChainFindings, find_chain, other_end
from detectors.hinge_folding.fits import joint_of
from detectors.hinge_folding.scan import ChainPart, ChainRemainder
from detectors.hinge_folding.view import Floats
from grader.model.places import PixelBox
from grader.tasks.hinge_folding.judge import ChainFaults
from grader.tasks.hinge_folding.model import ChainHingeSeen, ChainObservation, ChainPieceSeen
from grader.tasks.hinge_folding.puzzle import HingeChain
from grader.tasks.hinge_folding.settings import HingeFoldingSettings
from puzzles.hinge_folding.chain import FULL_TURN, HingeShape, outline_of


@dataclass(frozen=True, eq=False)
class ChainReading:
    """What a picture shows: what was found, as it is told, and what is wrong beside the angles."""

    found: ChainFindings
    seen: ChainObservation
    faults: ChainFaults


def read_chain(puzzle: HingeChain, picture: NDArray[np.uint8], settings: HingeFoldingSettings) -> ChainReading:
    """Reads a picture, (H, W, 3) uint8 RGB; ValueError if the puzzle has none of its own."""
    if puzzle.given is None:
        raise ValueError("a picture is judged by the picture that was given")
    return _reading(puzzle, find_chain(picture, puzzle.shapes, puzzle.given, settings.chain), settings)


def read_from_the_other_end(
    puzzle: HingeChain, read: ChainReading, settings: HingeFoldingSettings
) -> ChainReading | None:
    """What the same picture shows where its last piece is the first one; None where shapes or colours tell."""
    if puzzle.given is None:
        return None
    other = other_end(read.found, puzzle.shapes, puzzle.given, settings.chain)
    return None if other is None else _reading(puzzle, other, settings)


def _reading(puzzle: HingeChain, found: ChainFindings, settings: HingeFoldingSettings) -> ChainReading:
    scan = found.scan
    outlines = found.outlines()
    pieces = tuple(
        ChainPieceSeen(one.found, tuple((float(x), float(y)) for x, y in corners), one.size, one.bare)
        for one, corners in zip(scan.pieces, outlines, strict=True)
    )
    seen = ChainObservation(pieces, _hinges(puzzle, found, settings.chain))
    return ChainReading(found, seen, _faults(puzzle, found, settings))


def _hinges(puzzle: HingeChain, found: ChainFindings, config: ChainConfig) -> tuple[ChainHingeSeen, ...]:
    scan, hinges = found.scan, []
    exact = found.exact
    # In units, so that in a picture that is stretched angles are what they were.
    poses = found.poses() / (*found.unit, 1.0) if exact is None else exact.poses / (*exact.unit, 1.0)
    for place, letter in enumerate(puzzle.hinges):
        left, right = scan.pieces[place], scan.pieces[place + 1]
        if not (left.found and right.found):
            hinges.append(ChainHingeSeen(letter, None, None))
            continue
        angle = float(np.degrees((poses[place + 1, 2] - poses[place, 2]) % FULL_TURN))
        if exact is not None and not all(np.isfinite(exact.fits[at].unsure) for at in (place, place + 1)):
            near = config.placing.snap_deg * round(angle / config.placing.snap_deg)
            angle = near % 360 if abs(angle - near) <= config.exact.untold_deg else angle  # not a threshold: a turn
        ends = [
            joint_of(poses[place], outline_of(puzzle.shapes[place]).right, 1.0),
            joint_of(poses[place + 1], outline_of(puzzle.shapes[place + 1]).left, 1.0),
        ]
        hinges.append(ChainHingeSeen(letter, angle, float(np.hypot(*(ends[0] - ends[1])))))
    return tuple(hinges)


def _faults(puzzle: HingeChain, found: ChainFindings, settings: HingeFoldingSettings) -> ChainFaults:
    scan = found.scan
    first = scan.pieces[0].pose
    turned = float(np.degrees((first[2] + FULL_TURN / 2) % FULL_TURN - FULL_TURN / 2))
    around = [one for one in found.around if one.area >= settings.chain.scan.around]
    extras = [box for box in (_box(one, found) for one in scan.remainders if not one.mark) if not _within(box, found)]
    scaled, blended, alike, faint = scan.scaled, scan.blended, scan.one_color, scan.faint
    bent: tuple[int, ...] = ()
    if found.exact is not None:
        rules = settings.chain.exact
        if puzzle.given is not None:
            alike = alike or one_color(found.exact.colors, puzzle.given, settings.chain.scan)
            shown = [color - found.exact.ground for color in found.exact.colors]
            faint = faint_pieces(shown, puzzle.given, settings.chain.scan)
        if not any(one.on_piece for one in found.exact.left):
            blended = ()
        grown = np.array([fit.grown for fit in found.exact.fits])
        usual = float(np.median(grown))
        # The size of most; of two pieces that differ either may be the one.
        grown -= np.median(grown) if len(grown) > 2 else grown[0]
        scaled = tuple(int(at) for at in np.flatnonzero(np.abs(grown) > rules.scaled))
        if abs(usual) > rules.apart_size:
            scaled = tuple(range(len(grown)))
        bent = tuple(at for at, fit in enumerate(found.exact.fits) if fit.run > rules.run or at in found.exact.cut)
        extras += [PixelBox(one.left, one.top, one.width, one.height) for one in found.exact.left if not one.mark]
    return ChainFaults(
        merged=scan.merged,
        one_color=alike,
        blended=blended,
        faint=faint,
        scaled=scaled,
        bent=bent,
        extras=tuple(extras),
        marks=sum(one.mark for one in scan.remainders),
        around=bool(around),
        second=found.second,
        turned_deg=turned,
        units=tuple(
            _in_units(one, shape, first, scan.unit_px) if one.found else ()
            for one, shape in zip(scan.pieces, puzzle.shapes, strict=True)
        ),
    )


def _box(one: ChainRemainder, found: ChainFindings) -> PixelBox:
    across, down = found.scale
    return PixelBox(one.left / across, one.top / down, one.width / across, one.height / down)


def _within(box: PixelBox, found: ChainFindings) -> bool:
    """Whether a box lies where the picture was looked at more closely."""
    if found.exact is None:
        return False
    left, top, right, bottom = found.exact.box
    return left <= box.left and top <= box.top and box.left + box.width <= right and box.top + box.height <= bottom


def _in_units(piece: ChainPart, shape: HingeShape, first: Floats, unit_px: float) -> tuple[tuple[float, float], ...]:
    """Corners with the first piece's centre as origin, y up."""
    turn = float(piece.pose[2])
    x, y = float(piece.pose[0] - first[0]) / unit_px, -float(piece.pose[1] - first[1]) / unit_px
    cos, sin = np.cos(turn), np.sin(turn)
    return tuple(
        (float(x + cos * across - sin * up), float(y + sin * across + cos * up))
        for across, up in outline_of(shape).corners
    )
