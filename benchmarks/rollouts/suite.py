"""The suite: its cases, the script of each, and the clip as a file."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice

from benchmarks.accuracy.seeds import number_of
from benchmarks.rollouts.looks import LOOKS
from benchmarks.rollouts.lot_clips import lot_frames
from benchmarks.rollouts.lot_faults import MOTIONS, Writer
from benchmarks.rollouts.lot_scenes import SCENES, scene_replaced
from benchmarks.rollouts.lot_scripts import LotScript, Subject, first_moves
from benchmarks.rollouts.puzzle_sets import TilePuzzle, lot_names, lot_record, tile_names, tile_puzzle
from benchmarks.rollouts.records import LOT_TRUTHS, TILE_TRUTHS, LotFault, RolloutCase, Task, TileFault
from benchmarks.rollouts.tile_faults import TILE_WRITERS
from benchmarks.rollouts.tile_scripts import TileScript, TileSubject, tile_frames
from grader.media.encoding import encode_mp4
from puzzles.common.easing import Pace
from puzzles.common.raster import Picture
from puzzles.rush_hour.render import render_lot
from puzzles.rush_hour.rules import simulate
from puzzles.sliding.render import render_board

KEPT_SHARE = 0.75
"""Of the bytes of a truncated clip. The index stands in front, so what is left decodes up to where it ends."""

_OTHER_LOT = "lot-4-5"
_OTHER_LOT_FOR_IT = "lot-3-4"
_PER_FAULT = 3
_PER_TILE_FAULT = 3
# Faults are shown plainly, and each also under some of these.
_FAULT_LOOKS = ("plain", "small", "margins", "crf26", "dark", "jitter", "fps30", "frame")
_ROUGH_LOOKS = ("drift", "noise", "wobble", "everything", "camera", "fps8", "crf32", "blur", "melt", "paper")
# Wrong clips that a rough look might hide.
_HIDDEN = (
    LotFault.PREFIX,
    LotFault.RED_THROUGH,
    LotFault.WRONG_ORDER_THROUGH,
    LotFault.WRONG_DIRECTION,
    LotFault.CROSSFADE,
    LotFault.STATIC,
    LotFault.STOPS_SHORT,
    LotFault.PARTIAL_STUCK,
)
_HIDDEN_TILES = (TileFault.PREFIX, TileFault.CROSSFADE, TileFault.STATIC, TileFault.SWAP, TileFault.WRONG_FINAL)
# Looks that change nothing of a sliding puzzle.
_LOT_LOOKS = ("wobble", "melt")


@cache
def all_cases() -> tuple[RolloutCase, ...]:
    """The cases of the suite, always the same ones: rush hour, then sliding puzzles."""
    return (*_lot_cases(), *_tile_cases())


def make_clip(case: RolloutCase) -> bytes:
    """Return a case's clip as mp4; the same case gives the same bytes with one version of the libraries.

    Raises
    ------
    ValueError
        If the puzzle does not allow the fault.
    """
    look = LOOKS[case.look]
    clip = encode_mp4(case_frames(case), look.fps, crf=look.crf)
    if case.fault in (LotFault.TRUNCATED, TileFault.TRUNCATED):
        return clip[: int(KEPT_SHARE * len(clip))]
    return clip


def case_frames(case: RolloutCase) -> Iterator[Picture]:
    """Return a case's frames before they are encoded, (H, W, 3) uint8 RGB; errors as of `make_clip`."""
    look, seed = LOOKS[case.look], number_of(case.id) % 2**31
    if case.task is Task.RUSH_HOUR:
        return lot_frames(lot_script(case), look, seed)
    return tile_frames(tile_script(case), tile_puzzle(case.puzzle).picture(), look, seed)


def puzzle_picture(case: RolloutCase) -> Picture:
    """Return the picture of a case's puzzle, undisturbed, in the clip's style and size, (H, W, 3) uint8 RGB."""
    look = LOOKS[case.look]
    if case.task is Task.RUSH_HOUR:
        return render_lot(lot_record(case.puzzle).lot, None, look.lot, look.size)
    one = tile_puzzle(case.puzzle)
    return render_board(one.picture(), one.puzzle.start, one.puzzle.target, look.tiles, look.size)


def target_picture(case: RolloutCase) -> Picture:
    """Return the picture of a sliding puzzle's target, as `puzzle_picture`; ValueError for rush hour."""
    if case.task is not Task.SLIDING:
        raise ValueError("a lot has no picture of its target")
    look, one = LOOKS[case.look], tile_puzzle(case.puzzle)
    return render_board(one.picture(), one.puzzle.target, one.puzzle.target, look.tiles, look.size)


def lot_script(case: RolloutCase) -> LotScript:
    """Return what happens in a clip of rush hour; errors as of `make_clip`."""
    script = _lot_script(case.puzzle, case.fault, case.look) if isinstance(case.fault, LotFault) else None
    if script is None:
        raise ValueError(f"{case.id} can't be made: the puzzle does not allow the fault")
    return script


def solved_first_moves(case: RolloutCase) -> bool | None:
    """Return what the seed's literal rule says of a clip of rush hour: only each vehicle's first move is simulated.

    The red car need not be seen at the exit, and a changed scene is not solved. ``None`` is not to be scored.
    ValueError for a sliding puzzle.
    """
    script = lot_script(case)
    if case.fault is LotFault.TRUNCATED or (case.truth.solved is None and case.fault is not LotFault.PARTIAL_THROUGH):
        return None
    if script.changes or script.strangers or script.exits or script.then or case.fault is LotFault.REVERSED:
        return False
    return simulate(script.lot, first_moves(script.moves)).first_solved is not None


def tile_script(case: RolloutCase) -> TileScript:
    """Return what happens in a clip of a sliding puzzle; errors as of `make_clip`."""
    fault = case.fault
    script = _tile_script(tile_puzzle(case.puzzle), fault, case.look) if isinstance(fault, TileFault) else None
    if script is None:
        raise ValueError(f"{case.id} can't be made: the puzzle does not allow the fault")
    return script


def _subject(puzzle: str, fault: LotFault, pace: Pace) -> Subject:
    record = lot_record(puzzle)
    dice = random.Random(number_of(f"{puzzle}/{fault.value}"))
    return Subject(record.lot, record.moves, simulate(record.lot, record.moves), pace, dice)


@cache
def _lot_script(puzzle: str, fault: LotFault, look: str) -> LotScript | None:
    pace = LOOKS[look].pace
    writer: Writer
    if fault is LotFault.SCENE_REPLACED:
        other = _OTHER_LOT_FOR_IT if puzzle == _OTHER_LOT else _OTHER_LOT
        writer = scene_replaced(_subject(other, fault, pace))
    else:
        writer = SCENES[fault] if fault in SCENES else MOTIONS[fault]
    return writer(_subject(puzzle, fault, pace))


def _tile_script(one: TilePuzzle, fault: TileFault, look: str) -> TileScript | None:
    dice = random.Random(number_of(f"{one.name}/{fault.value}"))
    return TILE_WRITERS[fault](TileSubject(one.puzzle, one.solution, one.alike, LOOKS[look], dice))


def _lot_case(puzzle: str, fault: LotFault, look: str) -> RolloutCase:
    return RolloutCase(Task.RUSH_HOUR, puzzle, lot_record(puzzle).level, fault, look, LOT_TRUTHS[fault])


def _tile_case(puzzle: str, fault: TileFault, look: str) -> RolloutCase:
    level = len(tile_puzzle(puzzle).solution)
    return RolloutCase(Task.SLIDING, puzzle, level, fault, look, TILE_TRUTHS[fault])


def _turned(names: Sequence[str], by: int) -> list[str]:
    """The names, beginning at another one, in steps that reach all of them and change levels each time."""
    step = 7  # shares no divisor with the number of lots, 30, or of sliding puzzles, 17
    return [names[(by * 11 + place * step) % len(names)] for place in range(len(names))]


def _lot_cases() -> Iterator[RolloutCase]:
    names = lot_names()
    # The solution in every look, on two or three lots each.
    for number, look in enumerate(LOOKS):
        for puzzle in _turned(names, number)[: 5 if look == "plain" else 3]:
            yield _lot_case(puzzle, LotFault.NONE, look)
    for number, fault in enumerate(LotFault):
        if fault is LotFault.NONE:
            continue
        fits = (name for name in _turned(names, number) if _lot_script(name, fault, "plain") is not None)
        fitting = list(islice(fits, _PER_FAULT))
        for place, puzzle in enumerate(fitting):
            yield _lot_case(puzzle, fault, _FAULT_LOOKS[(number + place) % len(_FAULT_LOOKS)] if place else "plain")
        if fault in _HIDDEN:
            for place, puzzle in enumerate(fitting):
                yield _lot_case(puzzle, fault, _ROUGH_LOOKS[(3 * _HIDDEN.index(fault) + place) % len(_ROUGH_LOOKS)])


def _tile_cases() -> Iterator[RolloutCase]:
    names = tile_names()
    for number, look in enumerate(name for name in LOOKS if name not in _LOT_LOOKS):
        for puzzle in _turned(names, number)[: 5 if look == "plain" else 2]:
            yield _tile_case(puzzle, TileFault.NONE, look)
    for number, fault in enumerate(TileFault):
        if fault is TileFault.NONE:
            continue
        turned = _turned(names, number)
        fits = (name for name in turned if _tile_script(tile_puzzle(name), fault, "plain") is not None)
        fitting = list(islice(fits, _PER_TILE_FAULT))
        for place, puzzle in enumerate(fitting):
            yield _tile_case(puzzle, fault, _FAULT_LOOKS[(number + place) % len(_FAULT_LOOKS)] if place else "plain")
        if fault in _HIDDEN_TILES:
            for place, puzzle in enumerate(fitting[:2]):
                rough = [look for look in _ROUGH_LOOKS if look not in _LOT_LOOKS]
                yield _tile_case(puzzle, fault, rough[(2 * _HIDDEN_TILES.index(fault) + place) % len(rough)])
