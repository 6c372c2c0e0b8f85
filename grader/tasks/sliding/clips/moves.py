"""From what was seen in a clip of a sliding puzzle to the moves of the blank it shows. Pure; rules only, no target."""

from __future__ import annotations

import math
from dataclasses import dataclass

from detectors.sliding.findings import TileFindings, TileFrame
from grader.tasks.sliding.settings import SLIDING_SETTINGS, TileClipRules
from puzzles.sliding.shape import BLANK
from puzzles.sliding.tiles import BlankMove, State, apply_move, legal_moves


@dataclass(frozen=True)
class TimedMove:
    """A move of the blank as it was seen.

    Attributes
    ----------
    move : where the blank goes
    tile : the tile that takes its place
    first_frame, last_frame : the last frame before the tile leaves its cell, and the first in which it has arrived
    first_time_s, last_time_s : their times, seconds
    shown : whether the tile was seen on its way; if not, it changed places with the blank between two frames
    alone : whether no other tile moved with it
    """

    move: BlankMove
    tile: int
    first_frame: int
    last_frame: int
    first_time_s: float
    last_time_s: float
    shown: bool
    alone: bool


@dataclass(frozen=True)
class MovesRead:
    """The moves up to the first change of the arrangement that no moves make.

    Attributes
    ----------
    moves : in order
    broken_frame : the first frame after such a change; ``None`` if there is none
    """

    moves: tuple[TimedMove, ...]
    broken_frame: int | None


def read_moves(found: TileFindings, rules: TileClipRules = SLIDING_SETTINGS.clip) -> MovesRead:
    """Reads the moves of the blank from the arrangements of a clip.

    Tiles of one line that slide together are as many moves, made at once.
    """
    moves: list[TimedMove] = []
    state: State = found.start
    for place, frame in enumerate(found.frames):
        if frame.state == state:
            continue
        steps = _steps(state, frame.state, found.size)
        if steps is None:
            return MovesRead(tuple(moves), frame.index)
        begin = _begin(found.frames, place, {tile for _, tile in steps})
        first = found.frames[begin]
        for move, tile in steps:
            shown = any(_is_on_the_way(one, tile, rules) for one in found.frames[begin : place + 1])
            moves.append(
                TimedMove(move, tile, first.index, frame.index, first.time_s, frame.time_s, shown, len(steps) == 1)
            )
        state = frame.state
    return MovesRead(tuple(moves), None)


def _steps(before: State, after: State, size: int) -> tuple[tuple[BlankMove, int], ...] | None:
    """Returns the moves in one direction, with their tiles, that lead from one state to another, if there are any."""
    for direction in legal_moves(before):
        state, steps = before, []
        for _ in range(size - 1):
            if direction not in legal_moves(state):
                break
            blank = state.index(BLANK)
            following = apply_move(state, direction)
            steps.append((direction, following[blank]))
            state = following
            if state == after:
                return tuple(steps)
    return None


def _begin(frames: tuple[TileFrame, ...], place: int, tiles: set[int]) -> int:
    """Returns the place of the last frame, before one, in which none of some tiles has left its cell."""
    begin = place - 1
    while begin > 0 and (tiles & {moving.tile for moving in frames[begin].moving} or not frames[begin].explained):
        begin -= 1
    return max(0, begin)


def _is_on_the_way(frame: TileFrame, tile: int, rules: TileClipRules) -> bool:
    for moving in frame.moving:
        if moving.tile == tile:
            parts = (abs(part - math.floor(part + 0.5)) for part in (moving.row, moving.column))
            return max(parts) > rules.on_the_way
    return False
