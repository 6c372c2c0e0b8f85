"""What happens in composed clips of a sliding puzzle: right clips, hidden jumps, and passing changes of tiles."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from benchmarks.rollouts.composed.film import Hide, Moment
from benchmarks.rollouts.tile_faults import hesitates as hesitating
from benchmarks.rollouts.tile_faults import none
from benchmarks.rollouts.tile_faults import two_at_once as two_at_a_time
from benchmarks.rollouts.tile_scripts import Fill, Morph, TileScript, TileSubject
from puzzles.sliding.render import blank_of
from puzzles.sliding.shape import BLANK
from puzzles.sliding.tiles import simulate

_FRAME_S = 1 / 24


@dataclass(frozen=True)
class TileDeed:
    """What happens; as `benchmarks.rollouts.composed.lot_deeds.LotDeed`, ``cells`` being how many cells are wrong."""

    script: TileScript
    moments: tuple[Moment, ...] = ()
    fault_s: float = 0.0
    cells: int = 0


TileWriter = Callable[[TileSubject, Hide, int], TileDeed | None]


def right(subject: TileSubject, _hide: Hide, _frames: int) -> TileDeed | None:
    """The solution."""
    return TileDeed(none(subject))


def hesitates(subject: TileSubject, _hide: Hide, _frames: int) -> TileDeed | None:
    """The solution; the first tile goes half way and back before."""
    return TileDeed(hesitating(subject))


def together(subject: TileSubject, _hide: Hide, _frames: int) -> TileDeed | None:
    """The solution; two tiles of a line slide at once."""
    script = two_at_a_time(subject)
    return None if script is None else TileDeed(script)


def skips(subject: TileSubject, hide: Hide, frames: int) -> TileDeed | None:
    """The last moves, no line of tiles, are made while something hides the board for some frames."""
    moves = subject.solution
    count = next((n for n in range(2, len(moves) + 1) if len(set(moves[-n:])) > 1), None)
    if count is None or subject.alike:
        return None
    script = none(subject)
    glides = list(script.timeline.glides)
    first = glides[-count].start_s
    begin = math.ceil(first / _FRAME_S) * _FRAME_S
    at = begin + frames * _FRAME_S / 2
    for place in range(len(glides) - count, len(glides)):
        glides[place] = replace(glides[place], start_s=at, end_s=at)
    until = begin + frames * _FRAME_S
    line = replace(script.timeline, glides=tuple(glides), duration_s=until + 0.8)
    moments = () if hide is Hide.NOTHING else (Moment(hide, begin - _FRAME_S / 4, until - _FRAME_S / 4),)
    before = simulate(subject.puzzle.start, moves).states[-1 - count]
    cells = sum(one != other for one, other in zip(before, subject.puzzle.target, strict=True))
    return TileDeed(replace(script, timeline=line), moments, 0.8, cells)


def _middle(script: TileScript, frames: int) -> tuple[float, float]:
    """A time in the first rest after half of the clip, and some frames later."""
    ends = [glide.end_s for glide in script.timeline.glides]
    begin = min((end for end in ends if end >= 0.4 * script.timeline.duration_s), default=ends[-1]) + _FRAME_S
    return begin, begin + frames * _FRAME_S


def _longer(script: TileScript, from_s: float, by_s: float) -> TileScript:
    """The script with a longer rest from a time on."""
    line = script.timeline
    glides = tuple(
        glide if glide.start_s < from_s else replace(glide, start_s=glide.start_s + by_s, end_s=glide.end_s + by_s)
        for glide in line.glides
    )
    return replace(script, timeline=replace(line, glides=glides, duration_s=line.duration_s + by_s))


def _turns_into(subject: TileSubject, frames: int, into: Callable[[int], int]) -> TileDeed | None:
    if subject.alike:
        return None
    script = none(subject)
    begin, until = _middle(script, frames)
    script = _longer(script, begin, frames * _FRAME_S)
    tile = next(one for one in subject.puzzle.start if one != BLANK)
    morphs = (Morph(tile, begin, begin, into(tile)), Morph(tile, until, until, tile))
    return TileDeed(replace(script, morphs=morphs), (), frames * _FRAME_S, 1)


def copied(subject: TileSubject, _hide: Hide, frames: int) -> TileDeed | None:
    """A tile is a copy of another one for some frames."""
    tiles = sorted(one for one in subject.puzzle.start if one != BLANK)
    return _turns_into(subject, frames, lambda tile: next(one for one in reversed(tiles) if one != tile))


def foreign(subject: TileSubject, _hide: Hide, frames: int) -> TileDeed | None:
    """A tile shows what no tile shows for some frames."""
    return _turns_into(subject, frames, lambda _: BLANK)


def exchanged(subject: TileSubject, _hide: Hide, frames: int) -> TileDeed | None:
    """Two tiles show each other's pictures for some frames."""
    deed = copied(subject, _hide, frames)
    if deed is None:
        return None
    one, back = deed.script.morphs
    other = (Morph(one.into, one.start_s, one.end_s, one.tile), Morph(one.into, back.start_s, back.end_s, one.into))
    return replace(deed, script=replace(deed.script, morphs=(*deed.script.morphs, *other)), cells=2)


def filled(subject: TileSubject, _hide: Hide, frames: int) -> TileDeed | None:
    """The blank is filled at the end."""
    script = none(subject)
    begin = script.timeline.duration_s
    line = replace(script.timeline, duration_s=begin + frames * _FRAME_S)
    fill = Fill(begin, begin, blank_of(subject.puzzle.target))
    return TileDeed(replace(script, timeline=line, fill=fill), (), frames * _FRAME_S, 1)


RIGHT_TILES: Mapping[str, TileWriter] = MappingProxyType({"right": right, "hesitates": hesitates, "together": together})
LASTING_TILES: Mapping[str, TileWriter] = MappingProxyType({"skips": skips})
PASSING_TILES: Mapping[str, TileWriter] = MappingProxyType(
    {"copied": copied, "foreign": foreign, "exchanged": exchanged}
)
