"""What was seen in a clip of a sliding puzzle: plain, immutable data."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from detectors.sliding.board import TileBox


class TileEventKind(enum.Enum):
    """Something in a clip that is no slide of one tile into the blank."""

    HARD_CUT = "hard_cut"
    CROSS_FADE = "cross_fade"
    SCENE_REPLACED = "scene_replaced"
    TILE_SWAP = "tile_swap"
    TILE_TELEPORT = "tile_teleport"
    BLANK_FILLED = "blank_filled"
    DUPLICATE_TILE = "duplicate_tile"
    FOREIGN_TILE = "foreign_tile"
    BOARD_CHANGED = "board_changed"
    TILES_TOGETHER = "tiles_together"
    ALL_AT_ONCE = "all_at_once"
    DRAWN_OVER = "drawn_over"


@dataclass(frozen=True)
class TileEvent:
    """One event.

    Attributes
    ----------
    kind : what it is
    first_frame, last_frame : indices of the frames from the last one before it to the first one after it, or the end
    first_time_s, last_time_s : their times, seconds
    box : where, in pixels of the frame
    cells : the cells concerned, row * size + column, ascending
    tiles : the tiles concerned, ascending; without the blank
    """

    kind: TileEventKind
    first_frame: int
    last_frame: int
    first_time_s: float
    last_time_s: float
    box: TileBox
    cells: tuple[int, ...] = ()
    tiles: tuple[int, ...] = ()


@dataclass(frozen=True)
class MovingTile:
    """A tile between cells: its row and column, fractions of a cell counted from the first cell's centre."""

    tile: int
    row: float
    column: float


@dataclass(frozen=True)
class TileFrame:
    """One frame read.

    Attributes
    ----------
    index, time_s : of the frame
    state : the tiles, row by row, -1 the blank: the arrangement before a slide until it has arrived. In frames that
        are not explained the one that was read last
    moving : tiles between cells
    explained : whether each cell shows what it should
    confidence : 0 to 1; at least 0.5 if the frame is explained, 1 if it shows exactly the puzzle's tiles
    """

    index: int
    time_s: float
    state: tuple[int, ...]
    moving: tuple[MovingTile, ...]
    explained: bool
    confidence: float


@dataclass(frozen=True)
class TrajectoryPoint:
    """Where a tile is in a frame: row and column, fractions of a cell counted from the first cell's centre."""

    index: int
    time_s: float
    row: float
    column: float


@dataclass(frozen=True)
class TileFindings:
    """What was seen in a clip.

    Attributes
    ----------
    size : rows and columns
    start : the state in the puzzle's picture
    board : where the board lies in the first frame; ``None`` if the first frame does not show the puzzle
    match : normalised correlation of the first frame's board with the puzzle's picture, -1 to 1
    frames : all frames, in order; none if there is no board
    events : by their first frames
    alike : tiles that can't be told apart from another one by their looks, ascending
    """

    size: int
    start: tuple[int, ...]
    board: TileBox | None
    match: float
    frames: tuple[TileFrame, ...]
    events: tuple[TileEvent, ...]
    alike: tuple[int, ...] = ()

    def trajectory(self, tile: int) -> tuple[TrajectoryPoint, ...]:
        """Returns where a tile, or the blank (-1), is in each frame; ValueError for an unknown one."""
        if tile not in self.start:
            raise ValueError(f"there is no tile {tile} on this board")
        points = []
        for frame in self.frames:
            row, column = (float(part) for part in divmod(frame.state.index(tile), self.size))
            for moving in frame.moving:
                if moving.tile == tile:
                    row, column = moving.row, moving.column
            points.append(TrajectoryPoint(frame.index, frame.time_s, row, column))
        return tuple(points)
