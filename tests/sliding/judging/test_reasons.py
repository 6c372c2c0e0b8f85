"""What is said of a clip: its reasons, each with where on the board and when."""

from __future__ import annotations

import pytest

from detectors.sliding.board import TileBox
from detectors.sliding.findings import MovingTile, TileEvent, TileEventKind, TileFindings, TileFrame
from grader.model.places import PixelBox, TimeSpan
from grader.tasks.sliding.clips import video
from grader.tasks.sliding.clips.moves import MovesRead, TimedMove
from grader.tasks.sliding.clips.video import _least_moves, _reasons
from grader.tasks.sliding.settings import SLIDING_SETTINGS
from puzzles.common.search import StateLimitError
from puzzles.sliding.tiles import BlankMove, SlidingPuzzle

START, TARGET = (0, 1, 2, 3, -1, 4, 5, 6, 7), (0, 1, 2, -1, 3, 4, 5, 6, 7)
PUZZLE, RULES = SlidingPuzzle(START, TARGET), SLIDING_SETTINGS.clip
BOARD = TileBox(10, 20, 90, 60)
SHOWN = PixelBox(10, 20, 90, 60)
MOVE = TimedMove(BlankMove.LEFT, 3, 4, 5, 0.4, 0.5, False, True)


def frame(index: int, state: tuple[int, ...], *moving: MovingTile, explained: bool = True) -> TileFrame:
    return TileFrame(index, index / 10, state, moving, explained, 0.9)


def told(
    last: TileFrame,
    *,
    moves: tuple[TimedMove, ...] = (MOVE,),
    broken: int | None = None,
    faults: tuple[TileEvent, ...] = (),
    hidden: tuple[TimedMove, ...] = (),
    ever: bool = False,
    board: TileBox | None = BOARD,
) -> list[tuple[str, list[tuple[PixelBox | None, TimeSpan | None, str]]]]:
    """Reasons, each with its places: box, span and object."""
    found = TileFindings(3, START, board, 0.99, (frame(0, START), frame(6, START), last), faults)
    reasons = _reasons(PUZZLE, found, MovesRead(moves, broken), faults, hidden, ever, RULES)
    return [(one.code, [(at.box, at.span, at.object) for at in one.places]) for one in reasons]


END = TimeSpan(9, 9, 0.9, 0.9)


def test_a_target_that_is_shown_at_the_end() -> None:
    assert told(frame(9, TARGET)) == []
    assert told(frame(9, START)) == [("TARGET_NOT_REACHED", [(SHOWN, END, "")])]
    assert told(frame(9, TARGET, explained=False)) == [("TARGET_NOT_REACHED", [(SHOWN, END, "")])]
    assert told(frame(9, START), ever=True) == [("SOLVED_THEN_UNDONE", [(SHOWN, END, "")])]
    assert told(frame(9, START), board=None) == [("TARGET_NOT_REACHED", [(None, END, "")])]


@pytest.mark.parametrize(("off", "codes"), [(0.119, []), (0.121, ["TARGET_NOT_REACHED"])])
def test_a_tile_has_arrived_near_to_its_cell(off: float, codes: list[str]) -> None:
    """Tile 3 belongs to the middle."""
    for row, column in ((1.0, 1.0 - off), (1.0 - off, 1.0)):
        assert [code for code, _ in told(frame(9, TARGET, MovingTile(3, row, column)))] == codes


def test_without_moves_nothing_moves() -> None:
    assert told(frame(9, START), moves=()) == [("NOTHING_MOVES", [(SHOWN, END, "")])]


def test_a_hidden_move_has_its_tile_and_time() -> None:
    span = TimeSpan(4, 5, 0.4, 0.5)
    assert told(frame(9, TARGET), hidden=(MOVE,)) == [("MOVE_HIDDEN", [(SHOWN, span, "3")])]
    assert told(frame(9, TARGET), hidden=(MOVE,), board=None) == [("MOVE_HIDDEN", [(None, span, "3")])]


def test_an_arrangement_that_changes_otherwise_is_a_cut() -> None:
    cut = ("SCENE_CUT", [(SHOWN, TimeSpan(6, 6, 0.6, 0.6), "")])
    assert told(frame(9, TARGET), moves=(), broken=6) == [cut]
    assert told(frame(9, START), moves=(), broken=6) == [cut, ("TARGET_NOT_REACHED", [(SHOWN, END, "")])]


def test_events_are_told_by_kind() -> None:
    box, span = TileBox(1, 2, 3, 4), TimeSpan(1, 2, 0.1, 0.2)
    events = tuple(
        TileEvent(kind, 1, 2, 0.1, 0.2, box, (), tiles)
        for kind, tiles in (
            (TileEventKind.TILE_SWAP, (3, 4)), (TileEventKind.TILE_TELEPORT, (5,)), (TileEventKind.TILE_SWAP, (6, 7)),
        )
    )  # fmt: skip
    assert told(frame(9, TARGET), faults=events) == [
        ("TILES_SWAPPED", [(PixelBox(1, 2, 3, 4), span, "")] * 2),
        ("TILE_TELEPORT", [(PixelBox(1, 2, 3, 4), span, "5")]),
    ]
    # What is wrong already is not said twice.
    assert [code for code, _ in told(frame(9, TARGET), faults=events, broken=6, moves=())] == [
        "TILES_SWAPPED", "TILE_TELEPORT",
    ]  # fmt: skip


def test_how_many_moves_a_board_takes_at_least(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where they are not counted: a row and a column of one tile, and two columns of another."""
    assert _least_moves(START, TARGET, RULES) == 1

    def too_many(*_: object) -> None:
        raise StateLimitError(1)

    monkeypatch.setattr(video, "solve", too_many)
    assert _least_moves((0, 1, 2, 3, 4, 5, 6, 7, -1), (-1, 1, 0, 3, 4, 5, 2, 7, 6), RULES) == 2 + 4 + 2
