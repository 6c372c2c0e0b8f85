"""Scripts of sliding puzzles: right, unusual and wrong ones; ``None`` where the puzzle does not allow a fault."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from benchmarks.rollouts.records import TileFault
from benchmarks.rollouts.tile_scripts import Dissolve, Fill, Morph, TileScript, TileSubject
from puzzles.common.easing import Pace
from puzzles.sliding.motion import Glide, SlidingTimeline, plan_glides
from puzzles.sliding.render import blank_of
from puzzles.sliding.shape import BLANK
from puzzles.sliding.tiles import BlankMove, State, apply_move, legal_moves, simulate

Writer = Callable[[TileSubject], TileScript | None]

_STILL_S = 2.5
_SEVERAL = 3
"""From so many moves on a jump to the target is none of a tile, or of a row of tiles, into the blank."""


def _pace(subject: TileSubject) -> Pace:
    # A tile is about five units of a lot wide in the picture.
    return replace(subject.look.pace, speed=subject.look.pace.speed / 2.6, least_s=0.3)


def _legal(subject: TileSubject, moves: tuple[BlankMove, ...]) -> TileScript:
    puzzle = subject.puzzle
    line = plan_glides(puzzle.start, moves, _pace(subject))
    return TileScript(puzzle, line, moves, simulate(puzzle.start, moves).states[-1])


def _place(number: int, size: int) -> tuple[int, int]:
    return divmod(number, size)


def _still(subject: TileSubject, duration_s: float = _STILL_S) -> TileScript:
    start = subject.puzzle.start
    return TileScript(subject.puzzle, SlidingTimeline(start, (), duration_s), (), start)


def none(subject: TileSubject) -> TileScript:
    """The solution."""
    return _legal(subject, subject.solution)


def _aside(state: State, taken: BlankMove) -> BlankMove | None:
    """A legal move that is not the one taken."""
    others = [move for move in legal_moves(state) if move is not taken]
    return others[0] if others else None


def extra_moves(subject: TileSubject) -> TileScript | None:
    """A move and its opposite, then the solution."""
    move = _aside(subject.puzzle.start, subject.solution[0])
    return None if move is None else _legal(subject, (move, move.opposite, *subject.solution))


def hesitates(subject: TileSubject) -> TileScript:
    """The first tile goes half way, goes back, and then the solution follows."""
    pace = _pace(subject)
    script = _legal(subject, subject.solution)
    first = script.timeline.glides[0]
    half = tuple((a + b) / 2 for a, b in zip(first.start, first.end, strict=True))
    begin, took = first.start_s, pace.time_of(0.5)
    there = Glide(first.tile, begin, begin + took, first.start, (half[0], half[1]))
    back = Glide(first.tile, begin + took, begin + 2 * took, there.end, first.start)
    return _later(script, (there, back), 2 * took + pace.pause_s)


def _later(script: TileScript, before: tuple[Glide, ...], shift_s: float) -> TileScript:
    """The script with its glides later and others in front."""
    line = script.timeline
    moved = (replace(glide, start_s=glide.start_s + shift_s, end_s=glide.end_s + shift_s) for glide in line.glides)
    return replace(script, timeline=SlidingTimeline(line.start, (*before, *moved), line.duration_s + shift_s))


def instant(subject: TileSubject) -> TileScript:
    """Each tile changes places with the blank from one frame to the next."""
    script = none(subject)
    line = script.timeline
    middle = [(glide.start_s + glide.end_s) / 2 for glide in line.glides]
    glides = tuple(replace(glide, start_s=at, end_s=at) for glide, at in zip(line.glides, middle, strict=True))
    return replace(script, timeline=replace(line, glides=glides))


def two_at_once(subject: TileSubject) -> TileScript | None:
    """Two tiles of one row or column slide together, as two moves the same way would have them."""
    moves = subject.solution
    pairs = [place for place in range(len(moves) - 1) if moves[place] is moves[place + 1]]
    if not pairs:
        return None
    script = none(subject)
    glides = list(script.timeline.glides)
    one, other = glides[pairs[0]], glides[pairs[0] + 1]
    glides[pairs[0] + 1] = replace(other, start_s=one.start_s, end_s=one.end_s)
    return replace(script, timeline=replace(script.timeline, glides=tuple(glides)))


def wrong_final(subject: TileSubject) -> TileScript | None:
    """The last move goes another way."""
    moves = subject.solution
    before = simulate(subject.puzzle.start, moves).states[-2]
    back = moves[-2].opposite if len(moves) > 1 else None
    others = [move for move in legal_moves(before) if move not in (moves[-1], back)]
    return _legal(subject, (*moves[:-1], others[0])) if others else None


def prefix(subject: TileSubject) -> TileScript | None:
    """All moves but the last."""
    return _legal(subject, subject.solution[:-1]) if len(subject.solution) > 1 else None


def undone(subject: TileSubject) -> TileScript:
    """The solution, a rest, and two more moves."""
    target = subject.puzzle.target
    one = legal_moves(target)[0]
    two = next(move for move in legal_moves(apply_move(target, one)) if move is not one.opposite)
    return _legal(subject, (*subject.solution, one, two))


def _flights(subject: TileSubject, ways: dict[int, int], shown: State | None) -> TileScript:
    """Tiles go straight from their places to others, all at once."""
    puzzle, pace = subject.puzzle, _pace(subject)
    begin = pace.before_s
    glides = tuple(
        Glide(tile, begin, begin + 1.1, _place(puzzle.start.index(tile), puzzle.size), _place(to, puzzle.size))
        for tile, to in ways.items()
    )
    return TileScript(puzzle, SlidingTimeline(puzzle.start, glides, begin + 1.1 + pace.after_s + 0.4), (), shown)


def _swapped(state: State, one: int, other: int) -> State:
    return tuple(other if tile == one else one if tile == other else tile for tile in state)


def swap(subject: TileSubject) -> TileScript | None:
    """Two tiles side by side change places through each other."""
    start, size = subject.puzzle.start, subject.puzzle.size
    for place in range(len(start) - 1):
        one, other = start[place], start[place + 1]
        if place % size < size - 1 and BLANK not in (one, other):
            return _flights(subject, {one: place + 1, other: place}, _swapped(start, one, other))
    return None


def swap_far(subject: TileSubject) -> TileScript | None:
    """Two tiles that do not touch change places."""
    start, size = subject.puzzle.start, subject.puzzle.size
    for one, other in ((0, len(start) - 1), (size - 1, size * (size - 1)), (0, size + 1), (1, size)):
        tiles = start[one], start[other]
        if BLANK not in tiles:
            return _flights(subject, {tiles[0]: other, tiles[1]: one}, _swapped(start, *tiles))
    return None


def _far_tile(subject: TileSubject) -> tuple[int, int, int] | None:
    """A tile that does not touch the blank, its place, and the blank's."""
    start, size = subject.puzzle.start, subject.puzzle.size
    blank = start.index(BLANK)
    row, column = _place(blank, size)
    far = [
        place
        for place in range(len(start))
        if place != blank and abs(_place(place, size)[0] - row) + abs(_place(place, size)[1] - column) > 1
    ]
    if not far:
        return None
    place = far[int(subject.dice.random() * len(far))]
    return start[place], place, blank


def teleport(subject: TileSubject) -> TileScript | None:
    """A tile that does not touch the blank is in its place from one frame to the next."""
    found = _far_tile(subject)
    if found is None:
        return None
    tile, place, blank = found
    size = subject.puzzle.size
    glide = Glide(tile, 1.0, 1.0, _place(place, size), _place(blank, size))
    shown = _swapped(subject.puzzle.start, tile, BLANK)
    return TileScript(subject.puzzle, SlidingTimeline(subject.puzzle.start, (glide,), _STILL_S), (), shown)


def diagonal(subject: TileSubject) -> TileScript | None:
    """A tile that does not touch the blank glides into it, over others where it has to."""
    found = _far_tile(subject)
    if found is None:
        return None
    return _flights(subject, {found[0]: found[2]}, _swapped(subject.puzzle.start, found[0], BLANK))


def all_at_once(subject: TileSubject) -> TileScript | None:
    """All tiles glide to their places in the target at once; the blank, which stays, is in its place."""
    start, target = subject.puzzle.start, subject.puzzle.target
    if start.index(BLANK) != target.index(BLANK):
        return None
    ways = {tile: target.index(tile) for place, tile in enumerate(start) if tile not in (BLANK, target[place])}
    return _flights(subject, ways, target) if len(ways) > 2 else None


def crossfade(subject: TileSubject) -> TileScript | None:
    """The picture dissolves into the target."""
    if subject.alike or len(subject.solution) < _SEVERAL:
        return None
    return replace(
        _still(subject, 3.0), dissolve=Dissolve(0.7, 2.2, subject.puzzle.target), shown=subject.puzzle.target
    )


def cut(subject: TileSubject) -> TileScript | None:
    """The picture is the target from one frame to the next."""
    if len(subject.solution) < _SEVERAL:
        return None
    return replace(_still(subject), dissolve=Dissolve(1.2, 1.2, subject.puzzle.target), shown=subject.puzzle.target)


def blank_filled(subject: TileSubject) -> TileScript:
    """No tile moves; the blank fills with the missing part."""
    return replace(_still(subject), fill=Fill(0.7, 1.5, blank_of(subject.puzzle.start)), shown=None)


def blank_filled_after(subject: TileSubject) -> TileScript:
    """The solution; then the blank fills with the missing part."""
    script = none(subject)
    begin = script.timeline.duration_s
    line = replace(script.timeline, duration_s=begin + 1.4)
    return replace(script, timeline=line, fill=Fill(begin, begin + 0.8, blank_of(subject.puzzle.target)))


def static(subject: TileSubject) -> TileScript:
    """Nothing moves."""
    return _still(subject)


def duplicate(subject: TileSubject) -> TileScript | None:
    """The solution; on the way one tile turns into another one, which is there twice at the end."""
    if subject.alike:
        return None
    script = none(subject)
    tiles = [tile for tile in subject.puzzle.target if tile != BLANK]
    tile, into = tiles[0], tiles[-1]
    middle = script.timeline.duration_s / 2
    return replace(script, morphs=(Morph(tile, middle - 0.3, middle + 0.3, into),), shown=None)


def morph(subject: TileSubject) -> TileScript | None:
    """No tile moves; each turns into the one that should be there. The blank has to be in its place."""
    start, target = subject.puzzle.start, subject.puzzle.target
    if subject.alike or start.index(BLANK) != target.index(BLANK):
        return None
    wrong = [(tile, target[place]) for place, tile in enumerate(start) if tile != target[place]]
    morphs = tuple(Morph(tile, 0.5 + 0.4 * place, 1.1 + 0.4 * place, into) for place, (tile, into) in enumerate(wrong))
    return replace(_still(subject, morphs[-1].end_s + 0.8), morphs=morphs, shown=target)


def morph_last(subject: TileSubject) -> TileScript | None:
    """Legal moves that bring the blank home with tiles at wrong places, which then turn into the right ones."""
    script = undone(subject)
    state, target = script.shown, subject.puzzle.target
    if state is None or subject.alike:
        return None
    # The blank goes home by the shortest way that leaves two tiles or more wrong.
    for moves in _homeward(state, target.index(BLANK)):
        end = simulate(state, moves).states[-1]
        wrong = [(tile, target[place]) for place, tile in enumerate(end) if tile != target[place]]
        if wrong:
            shown = _legal(subject, (*script.moves, *moves))
            begin = shown.timeline.duration_s
            morphs = tuple(Morph(tile, begin, begin + 0.8, into) for tile, into in wrong)
            line = replace(shown.timeline, duration_s=begin + 1.3)
            return replace(shown, timeline=line, morphs=morphs, shown=target)
    return None


def _homeward(state: State, home: int) -> list[tuple[BlankMove, ...]]:
    """Moves, at most three, that bring the blank to a place."""
    found: list[tuple[BlankMove, ...]] = []
    layer: list[tuple[BlankMove, ...]] = [()]
    for _ in range(3):
        layer = [
            (*moves, move)
            for moves in layer
            for move in legal_moves(simulate(state, moves).states[-1])
            if not moves or move is not moves[-1].opposite
        ]
        found += [moves for moves in layer if simulate(state, moves).states[-1].index(BLANK) == home]
    return found


TILE_WRITERS: Mapping[TileFault, Writer] = MappingProxyType(
    {
        TileFault.NONE: none,
        TileFault.EXTRA_MOVES: extra_moves,
        TileFault.HESITATES: hesitates,
        TileFault.INSTANT: instant,
        TileFault.TWO_AT_ONCE: two_at_once,
        TileFault.WRONG_FINAL: wrong_final,
        TileFault.PREFIX: prefix,
        TileFault.UNDONE: undone,
        TileFault.SWAP: swap,
        TileFault.SWAP_FAR: swap_far,
        TileFault.TELEPORT: teleport,
        TileFault.DIAGONAL: diagonal,
        TileFault.ALL_AT_ONCE: all_at_once,
        TileFault.CROSSFADE: crossfade,
        TileFault.CUT: cut,
        TileFault.BLANK_FILLED: blank_filled,
        TileFault.BLANK_FILLED_AFTER: blank_filled_after,
        TileFault.STATIC: static,
        TileFault.DUPLICATE: duplicate,
        TileFault.MORPH: morph,
        TileFault.MORPH_LAST: morph_last,
        TileFault.TRUNCATED: none,  # its bytes are cut later
    }
)
