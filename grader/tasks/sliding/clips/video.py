"""The judgement of a clip of a sliding puzzle: its moves are simulated, and its last frame must show the target.

The final frame counts: a clip that shows the target and then leaves it is not solved; ``ever_reached`` says that it was
there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from detectors.sliding.board import TileBox
from detectors.sliding.findings import TileEvent, TileEventKind, TileFindings, TileFrame
from grader.model.jobs import VideoPolicy
from grader.model.places import PixelBox, Place, TimeSpan
from grader.model.verdict import Reason
from grader.tasks.sliding.clips.moves import MovesRead, TimedMove, read_moves
from grader.tasks.sliding.settings import SLIDING_SETTINGS, SlidingSettings, TileClipRules
from puzzles.common.search import StateLimitError
from puzzles.sliding.shape import BLANK
from puzzles.sliding.tiles import SlidingPuzzle, State, simulate, solve

_CODES = {
    TileEventKind.HARD_CUT: ("SCENE_CUT", "The clip cuts to another arrangement."),
    TileEventKind.CROSS_FADE: ("CROSS_FADE", "One picture fades into another."),
    TileEventKind.SCENE_REPLACED: ("SCENE_REPLACED", "Most of the board no longer shows the puzzle."),
    TileEventKind.TILE_SWAP: ("TILES_SWAPPED", "Two tiles change places; the blank is not involved."),
    TileEventKind.TILE_TELEPORT: ("TILE_TELEPORT", "A tile that does not touch the blank takes its place."),
    TileEventKind.BLANK_FILLED: ("BLANK_FILLED", "The blank is filled without a tile moving there."),
    TileEventKind.DUPLICATE_TILE: ("DUPLICATE_TILE", "A tile turns into a copy of another one."),
    TileEventKind.FOREIGN_TILE: ("FOREIGN_TILE", "A tile turns into something that is no tile of this puzzle."),
    TileEventKind.BOARD_CHANGED: ("BOARD_CHANGED", "The board changes its size or place too much."),
    TileEventKind.DRAWN_OVER: ("SCENE_OVERLAID", "Something is drawn over the board."),
    TileEventKind.ALL_AT_ONCE: ("TILES_AT_ONCE", "Tiles change places across each other."),
}
"""Events that invalidate a clip, by reason. Tiles of one line that slide together are no such event."""


_SCENE = frozenset(
    {
        TileEventKind.HARD_CUT,
        TileEventKind.CROSS_FADE,
        TileEventKind.SCENE_REPLACED,
        TileEventKind.BLANK_FILLED,
        TileEventKind.DUPLICATE_TILE,
        TileEventKind.FOREIGN_TILE,
        TileEventKind.BOARD_CHANGED,
        TileEventKind.DRAWN_OVER,
    }
)
"""Events after which the scene is another one: nothing before them counts as progress."""


@dataclass(frozen=True)
class TileClipJudgement:
    """What a clip is worth.

    Attributes
    ----------
    solved : the moves lead to the target, the last frame shows it, and no event invalidates the clip
    strict_legal : one tile at a time, its way shown, only into the blank, and no event; also of clips that do not solve
    ever_reached : the target is shown after legal moves, before anything invalidates the clip
    moves : the moves read, up to the first change that no moves make
    final_state : the arrangement read last; empty if the clip does not show the puzzle
    least_moves : least number of moves from the start
    moves_left : least number of moves to the target after the legal moves before the first fault
    progress : 1 - moves_left / least_moves, 0 to 1; 0 if an event replaced the scene, 1 if solved
    reasons : why it is not solved; none if it is
    """

    solved: bool
    strict_legal: bool
    ever_reached: bool
    moves: tuple[TimedMove, ...]
    final_state: State
    least_moves: int
    moves_left: int
    progress: float
    reasons: tuple[Reason, ...]


def judge_tile_clip(
    puzzle: SlidingPuzzle,
    found: TileFindings,
    policy: VideoPolicy = VideoPolicy.FINAL_FRAME,
    settings: SlidingSettings = SLIDING_SETTINGS,
) -> TileClipJudgement:
    """Judges a clip by what was seen in it.

    Parameters
    ----------
    puzzle : SlidingPuzzle
    found : TileFindings
    policy : VideoPolicy
        By the best frame, a clip solves the puzzle that comes to the target by legal moves, whatever comes after.
    settings : SlidingSettings

    Raises
    ------
    ValueError
        If the clip was read as one of another puzzle.
    """
    if found.start != puzzle.start:
        raise ValueError(f"the clip was read as one that starts with {found.start}, not with {puzzle.start}")
    rules = settings.clip
    least = _least_moves(puzzle.start, puzzle.target, rules)
    if found.board is None or not found.frames:
        start = Place(span=TimeSpan(0, 0, 0.0, 0.0))
        reason = Reason("NOT_THE_PUZZLE", "The first frame does not show the puzzle.", (start,))
        return TileClipJudgement(False, False, False, (), (), least, least, 0.0, (reason,))
    read = read_moves(found, rules)
    faults = tuple(event for event in found.events if event.kind in _CODES)
    legal = _before_the_first_fault(read, faults, found, rules)
    run = simulate(puzzle.start, [one.move for one in legal])
    last = found.frames[-1]
    ever = puzzle.target in run.states
    whole = simulate(puzzle.start, [one.move for one in read.moves])
    at_target = last.explained and last.state == puzzle.target and _is_at_rest(last, rules)
    hidden = tuple(move for move in read.moves if _is_hidden(move, found, rules))
    sound = not faults and not hidden and read.broken_frame is None
    solved = sound and whole.reaches(puzzle.target) and at_target
    if policy is VideoPolicy.BEST_FRAME:
        solved = ever
    left = _least_moves(run.states[-1], puzzle.target, rules)
    progress = max(0.0, 1 - left / least) if least else float(solved)
    if hidden or any(event.kind in _SCENE for event in faults):
        progress = 0.0
    return TileClipJudgement(
        solved=solved,
        strict_legal=sound and not found.events and all(one.shown and one.alone for one in read.moves),
        ever_reached=ever,
        moves=read.moves,
        final_state=last.state,
        least_moves=least,
        moves_left=left,
        progress=1.0 if solved else progress,
        reasons=() if solved else _reasons(puzzle, found, read, faults, hidden, ever, rules),
    )


def _is_hidden(move: TimedMove, found: TileFindings, rules: TileClipRules) -> bool:
    """Whether a move is not shown: it happens while the board shows something else, or several are made at once.

    One tile may change places with the blank from frame to frame; several that do are a cut. Where tiles can't be told
    apart, each has to be seen on its way.
    """
    if move.shown or not move.alone or found.alike:
        return not move.shown
    between = [frame for frame in found.frames if move.first_frame < frame.index < move.last_frame]
    unexplained = [frame for frame in between if not frame.explained]
    return len(unexplained) > 1 and unexplained[-1].time_s - move.first_time_s > rules.instant_s


def _before_the_first_fault(
    read: MovesRead, faults: tuple[TileEvent, ...], found: TileFindings, rules: TileClipRules
) -> tuple[TimedMove, ...]:
    first = min((event.first_frame for event in faults), default=len(found.frames))
    legal = []
    for one in read.moves:
        if one.last_frame > first or _is_hidden(one, found, rules):
            break
        legal.append(one)
    return tuple(legal)


def _is_at_rest(frame: TileFrame, rules: TileClipRules) -> bool:
    parts = [abs(part - math.floor(part + 0.5)) for one in frame.moving for part in (one.row, one.column)]
    return max(parts, default=0.0) <= rules.arrived


def _reasons(
    puzzle: SlidingPuzzle,
    found: TileFindings,
    read: MovesRead,
    faults: tuple[TileEvent, ...],
    hidden: tuple[TimedMove, ...],
    ever: bool,
    rules: TileClipRules,
) -> tuple[Reason, ...]:
    reasons: list[Reason] = []
    for kind, (code, message) in _CODES.items():
        places = tuple(_place(event) for event in faults if event.kind is kind)
        if places:
            reasons.append(Reason(code, message, places))
    if hidden:
        places = tuple(
            Place(
                box=None if found.board is None else _box(found.board),
                span=TimeSpan(move.first_frame, move.last_frame, move.first_time_s, move.last_time_s),
                object=str(move.tile),
            )
            for move in hidden
        )
        text = "A tile changes its place while the board shows something else; the move is not shown."
        reasons.append(Reason("MOVE_HIDDEN", text, places))
    last = found.frames[-1]
    end = _at(last, found.board)
    if read.broken_frame is not None and not faults:
        frame = next(frame for frame in found.frames if frame.index == read.broken_frame)
        place = _at(frame, found.board)
        reasons.append(Reason("SCENE_CUT", "The arrangement changes as no move changes it.", (place,)))
    if not read.moves and not faults and read.broken_frame is None:
        reasons.append(Reason("NOTHING_MOVES", "No tile makes a move.", (end,)))
    elif last.state != puzzle.target or not last.explained or not _is_at_rest(last, rules):
        if ever:
            reasons.append(Reason("SOLVED_THEN_UNDONE", "The target is reached and then left again.", (end,)))
        else:
            reasons.append(Reason("TARGET_NOT_REACHED", "The last frame does not show the target.", (end,)))
    return tuple(reasons)


def _at(frame: TileFrame, board: TileBox | None) -> Place:
    return Place(
        box=None if board is None else _box(board),
        span=TimeSpan(frame.index, frame.index, frame.time_s, frame.time_s),
    )


def _place(event: TileEvent) -> Place:
    return Place(
        box=_box(event.box),
        span=TimeSpan(event.first_frame, event.last_frame, event.first_time_s, event.last_time_s),
        object=str(event.tiles[0]) if len(event.tiles) == 1 else "",
    )


def _box(box: TileBox) -> PixelBox:
    return PixelBox(box.left, box.top, box.width, box.height)


def _least_moves(start: State, target: State, rules: TileClipRules) -> int:
    """Returns the least number of moves; if that takes too long, the sum of the tiles' distances, which is no more."""
    try:
        return len(solve(start, target, rules.most_states))
    except StateLimitError:
        size = math.isqrt(len(start))
        total = 0
        for place, tile in enumerate(start):
            if tile != BLANK:
                (row, column), (to_row, to_column) = (divmod(one, size) for one in (place, target.index(tile)))
                total += abs(row - to_row) + abs(column - to_column)
        return total
