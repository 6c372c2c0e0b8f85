"""Judges a clip of a rush hour: what moved, in which order, whether that frees the red car, and whether it is seen to.

How it is judged: the moves that begin before the red car is at an exit are read in the order of their beginnings and
made by the rules. The clip solves the puzzle if they free the red car, if it is seen at an exit, and if nothing happens
up to then that no slide explains. Of moves that begin together any order that solves the puzzle counts, since nothing
that is seen speaks against it; bodies in one another do.
"""

from __future__ import annotations

import enum
import itertools
from dataclasses import dataclass

from detectors.rush_hour.findings import FrameBox, LotEvent, LotEventKind, LotFindings
from grader.tasks.plans.progress import progress_made
from grader.tasks.rush_hour.clips.moves import LotMove, first_at_exit, shown_moves
from grader.tasks.rush_hour.clips.through import WALL, Overlap, overlaps
from grader.tasks.rush_hour.progress import least_moves_in_lot
from grader.tasks.rush_hour.settings import RUSH_HOUR_SETTINGS, RushHourSettings
from puzzles.rush_hour.lot import Lot
from puzzles.rush_hour.rules import Move, simulate


class LotVideoFault(enum.Enum):
    """Why a clip does not solve its puzzle; the last two are against the strict verdict only."""

    NOT_THE_PUZZLE = "NOT_THE_PUZZLE"
    SCENE_CUT = "SCENE_CUT"
    CROSS_FADE = "CROSS_FADE"
    SCENE_REPLACED = "SCENE_REPLACED"
    EXTRA_VEHICLE = "EXTRA_VEHICLE"
    SCENE_OVERLAID = "SCENE_OVERLAID"
    VEHICLE_VANISHED = "VEHICLE_VANISHED"
    EXTRA_EXIT = "EXTRA_EXIT"
    EXIT_MOVED = "EXIT_MOVED"
    IDENTITY_SWAP = "IDENTITY_SWAP"
    TELEPORT = "TELEPORT"
    TURNED = "TURNED"
    SIDEWAYS = "SIDEWAYS"
    WALLS_CHANGED = "WALLS_CHANGED"
    THROUGH_VEHICLE = "THROUGH_VEHICLE"
    THROUGH_WALL = "THROUGH_WALL"
    NOTHING_MOVES = "NOTHING_MOVES"
    PLAN_DOES_NOT_SOLVE = "PLAN_DOES_NOT_SOLVE"
    RED_NOT_AT_EXIT = "RED_NOT_AT_EXIT"
    STOPS_SHORT = "STOPS_SHORT"
    TWO_AT_ONCE = "TWO_AT_ONCE"


_OF_EVENT: dict[LotEventKind, tuple[LotVideoFault, str]] = {
    LotEventKind.HARD_CUT: (LotVideoFault.SCENE_CUT, "the picture cuts to another state of the lot"),
    LotEventKind.CROSS_FADE: (LotVideoFault.CROSS_FADE, "the picture dissolves into another state of the lot"),
    LotEventKind.SCENE_REPLACED: (LotVideoFault.SCENE_REPLACED, "the scene is replaced by another one"),
    LotEventKind.NEW_VEHICLE: (LotVideoFault.EXTRA_VEHICLE, "a body appears that is not in the puzzle"),
    LotEventKind.OVERLAY: (LotVideoFault.SCENE_OVERLAID, "something is laid over the scene"),
    LotEventKind.DRAWN: (LotVideoFault.SCENE_OVERLAID, "something is drawn over {label}"),
    LotEventKind.VEHICLE_VANISHED: (LotVideoFault.VEHICLE_VANISHED, "vehicle {label} vanishes"),
    LotEventKind.EXTRA_EXIT: (LotVideoFault.EXTRA_EXIT, "an exit appears that is not in the puzzle"),
    LotEventKind.EXIT_MOVED: (LotVideoFault.EXIT_MOVED, "the exit is no longer at its place"),
    LotEventKind.IDENTITY_SWAP: (LotVideoFault.IDENTITY_SWAP, "vehicle {label} takes on another vehicle's colour"),
    LotEventKind.TELEPORT: (LotVideoFault.TELEPORT, "vehicle {label} jumps from one place to another"),
    LotEventKind.ROTATION: (LotVideoFault.TURNED, "vehicle {label} turns"),
    LotEventKind.SIDEWAYS: (LotVideoFault.SIDEWAYS, "vehicle {label} leaves its axis"),
    LotEventKind.WALLS_CHANGED: (LotVideoFault.WALLS_CHANGED, "an obstacle or the border changes"),
}


@dataclass(frozen=True)
class LotVideoReason:
    """One cause: a code, a sentence, and where.

    Attributes
    ----------
    fault, message : the code and the sentence
    first, last : from which frame to which
    first_s, last_s : the same as times, in seconds
    box : the part of frame ``first`` that shows it; None for all of it
    label : the vehicle's; empty if it is about none in particular
    """

    fault: LotVideoFault
    message: str
    first: int
    last: int
    first_s: float
    last_s: float
    box: FrameBox | None = None
    label: str = ""


@dataclass(frozen=True)
class LotClipJudgement:
    """What is said of a clip.

    Attributes
    ----------
    solved : whether the shown moves free the red car, it is seen at an exit, and the scene stays as it is until then
    solved_first_moves : whether each vehicle's first move, in the order of beginnings, frees the red car by the rules,
        and the scene stays as it is; the red car need not be seen at the exit
    strict_legal : whether every shown move is a slide along the axis to contact, one at a time, without overlap, jump
        or change of the scene; true also for legal clips that do not solve the puzzle
    progress : 1 less the share of the least number of moves that is left after the legal moves before the first fault,
        0 to 1; 1 if solved, 0 where the scene was changed
    moves : all shown moves in the order of their beginnings
    at_exit : the first frame in which the red car is at an exit, or None
    reasons : why it is not solved; empty if it is
    blemishes : what is against the strict verdict
    """

    solved: bool
    solved_first_moves: bool
    strict_legal: bool
    progress: float
    moves: tuple[LotMove, ...]
    at_exit: int | None
    reasons: tuple[LotVideoReason, ...]
    blemishes: tuple[LotVideoReason, ...]

    @property
    def solved_strict(self) -> bool:
        """Whether the clip solves the puzzle and is legal in all."""
        return self.solved and self.strict_legal


def judge_lot_clip(lot: Lot, found: LotFindings, settings: RushHourSettings = RUSH_HOUR_SETTINGS) -> LotClipJudgement:
    """Judges what was seen in a clip.

    Parameters
    ----------
    lot
        The puzzle.
    found
        What the clip shows.
    settings
        What counts as a move, and when moves are at fault.
    """
    if not found.fit.is_the_puzzle:
        reason = _at(found, LotVideoFault.NOT_THE_PUZZLE, _unfit(found), 0, 0)
        return LotClipJudgement(False, False, False, 0.0, (), None, (reason,), ())
    return _Judge(lot, found, settings).judgement()


def _unfit(found: LotFindings) -> str:
    if found.fit.box is None:
        return "the first frame shows no border of a lot"
    return (
        f"the first frame does not show the puzzle: {found.fit.vehicles:.0%} of the vehicles stand where they should;"
        f" not {', '.join(found.fit.misplaced)}"
    )


def _at(
    found: LotFindings, fault: LotVideoFault, message: str, first: int, last: int, box: FrameBox | None = None,
    label: str = "",
) -> LotVideoReason:  # fmt: skip
    times = found.times_s
    return LotVideoReason(fault, message, first, last, float(times[first]), float(times[last]), box, label)


class _Judge:
    """Judges one clip that shows its puzzle at first."""

    def __init__(self, lot: Lot, found: LotFindings, settings: RushHourSettings) -> None:
        self._lot, self._found, self._settings = lot, found, settings
        self._config, self._rules = settings.moves, settings.clip
        self._red = lot.vehicles.index(lot.red)
        self._moves = shown_moves(lot, found, settings.moves)
        self._goal = first_at_exit(lot, found.tracks[self._red], settings.moves)
        self._until = self._goal if self._goal is not None else len(found.times_s) - 1
        self._deep = overlaps(lot, found, settings.through.depth, settings.through)

    def judgement(self) -> LotClipJudgement:
        counted = [move for move in self._moves if move.first <= self._until]
        until = self._until + self._rules.after_frames
        # What is drawn over the last frames is drawn over the answer.
        events = [e for e in self._found.events if e.first <= until or e.kind is LotEventKind.DRAWN]
        # Of two pictures that are mixed the one looks drawn over the other.
        fades = [e for e in events if e.kind is LotEventKind.CROSS_FADE]
        events = [
            e
            for e in events
            if e.kind is not LotEventKind.DRAWN or not any(f.first <= e.last and e.first <= f.last for f in fades)
        ]
        through = [overlap for overlap in self._deep if overlap.first <= self._until]
        order = self._solving_order(counted)
        reasons = [self._of_event(event) for event in events]
        reasons += [self._of_overlap(overlap) for overlap in through]
        last = len(self._found.times_s) - 1
        if not counted:
            reasons.append(_at(self._found, LotVideoFault.NOTHING_MOVES, "no vehicle moves", 0, last))
        elif order is None:
            told = ", ".join(str(move.move) for move in counted)
            message = f"by the rules these moves do not free the red car: {told}"
            reasons.append(_at(self._found, LotVideoFault.PLAN_DOES_NOT_SOLVE, message, counted[0].first, self._until))
        if self._goal is None:
            box = self._found.box_of(self._red, last)
            message = "the red car is never seen at the exit"
            reasons.append(
                _at(self._found, LotVideoFault.RED_NOT_AT_EXIT, message, last, last, box, self._lot.red.label)
            )
        solved = not reasons
        blemishes = self._blemishes()
        progress = 1.0 if solved else 0.0 if events else self._progress(counted, through)
        return LotClipJudgement(
            solved, self._first_moves_solve(counted, order) and not events, not blemishes, progress, self._moves,
            self._goal, tuple(reasons), blemishes,
        )  # fmt: skip

    def _of_event(self, event: LotEvent) -> LotVideoReason:
        fault, sentence = _OF_EVENT[event.kind]
        label = event.label
        if event.kind is LotEventKind.DRAWN:
            label = f"vehicle {label}" if label else "the lot"
        message = f"{sentence.format(label=label)}, {event.first_s:.2f} to {event.last_s:.2f} s"
        return _at(self._found, fault, message, event.first, event.last, event.box, event.label)

    def _of_overlap(self, overlap: Overlap) -> LotVideoReason:
        labels = [vehicle.label for vehicle in self._lot.vehicles]
        box = self._found.box_of(labels.index(overlap.one), overlap.first)
        if overlap.other == WALL:
            message = f"vehicle {overlap.one} stands out of the lot by {overlap.depth:.2f} units"
            return _at(self._found, LotVideoFault.THROUGH_WALL, message, overlap.first, overlap.last, box, overlap.one)
        message = f"{overlap.one} and {overlap.other} are in one another by {overlap.depth:.2f} units"
        return _at(self._found, LotVideoFault.THROUGH_VEHICLE, message, overlap.first, overlap.last, box, overlap.one)

    def _solving_order(self, moves: list[LotMove]) -> tuple[Move, ...] | None:
        """Returns an order of the moves that frees the red car; None if there is none.

        Moves change places only with moves that begin together with them.
        """
        groups: list[list[LotMove]] = []
        for move in moves:
            if groups and move.first_s - groups[-1][0].first_s <= self._rules.tie_s:
                groups[-1].append(move)
            else:
                groups.append([move])
        orders = itertools.product(*(itertools.permutations(group) for group in groups))
        for order in itertools.islice(orders, self._rules.most_orders):
            plan = tuple(move.move for group in order for move in group)
            if simulate(self._lot, plan).first_solved is not None:
                return plan
        return None

    def _first_moves_solve(self, moves: list[LotMove], order: tuple[Move, ...] | None) -> bool:
        firsts = [m for i, m in enumerate(moves) if all(m.label != before.label for before in moves[:i])]
        if len(firsts) == len(moves):
            return order is not None
        return bool(firsts) and self._solving_order(firsts) is not None

    def _blemishes(self) -> tuple[LotVideoReason, ...]:
        """Returns what is against the strict verdict, in the whole clip."""
        config, through = self._config, self._settings.through
        found = [self._of_event(event) for event in self._found.events]
        deep = overlaps(self._lot, self._found, through.strict_depth, through)
        found += [self._of_overlap(overlap) for overlap in deep]
        for move in self._moves:
            if move.stops_short:
                message = f"{move.label} stops {move.gap:.2f} units before what it would touch, or on its way there"
                found.append(self._of_move(LotVideoFault.STOPS_SHORT, message, move))
            if move.beyond > config.contact and not any(self._both(move, other) > 0 for other in self._moves):
                message = f"{move.label} goes {move.beyond:.2f} units farther than its way is free"
                found.append(self._of_move(LotVideoFault.THROUGH_VEHICLE, message, move))
        for one, other in itertools.combinations(self._moves, 2):
            both = self._both(one, other)
            if both > self._rules.together_s:
                message = f"{one.label} and {other.label} move at once for {both:.2f} s"
                found.append(self._of_move(LotVideoFault.TWO_AT_ONCE, message, other))
        return tuple(found)

    @staticmethod
    def _both(one: LotMove, other: LotMove) -> float:
        """Returns for how long two vehicles move at once, in seconds; not above 0 if they do not."""
        if one.label == other.label:
            return 0.0
        return min(one.last_s, other.last_s) - max(one.first_s, other.first_s)

    def _of_move(self, fault: LotVideoFault, message: str, move: LotMove) -> LotVideoReason:
        place = [vehicle.label for vehicle in self._lot.vehicles].index(move.label)
        return _at(self._found, fault, message, move.first, move.last, self._found.box_of(place, move.last), move.label)

    def _progress(self, moves: list[LotMove], through: list[Overlap]) -> float:
        """Returns the share of the least number of moves that the legal moves before the first fault have saved."""
        legal: list[Move] = []
        fault = min((overlap.first for overlap in through), default=len(self._found.times_s))
        for move in moves:
            if max(move.gap, move.beyond) > self._config.contact or move.last >= fault:
                break
            legal.append(move.move)
        if not legal:
            return 0.0
        end = simulate(self._lot, legal).poses[-1]
        states = self._settings.plan.most_states
        return progress_made(least_moves_in_lot(self._lot, states), least_moves_in_lot(self._lot, states, end))
