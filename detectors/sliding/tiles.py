"""From a clip of a sliding puzzle to the arrangements, slides and events it shows. The answer is not looked at.

A tile's identity is a matter of continuity first and of content second: as long as the arrangement that was read last,
a slide from it or an arrangement one move away explains a frame, nothing else is tried. So tiles that look alike keep
their names while they are followed. Content decides only where continuity fails, and there each cell keeps its tile if
the tile still fits, unless another assignment of all tiles to cells is much clearer.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from detectors.sliding.board import TileBox, camera_step, moved_much, rectify, stepped
from detectors.sliding.config import TILE_CONFIG, TileConfig
from detectors.sliding.findings import MovingTile, TileEvent, TileEventKind, TileFindings, TileFrame
from detectors.sliding.model import Arrangement, ColorMap, TileModel, make_model, recolored, split
from detectors.sliding.reading import BoardReading, Content, clearer, read, read_content
from detectors.sliding.remainder.clip import DrawnFollower
from detectors.sliding.remainder.finding import TileRemainderFinder
from detectors.sliding.search import find_board, refined
from detectors.sliding.stretch import Finding, Stretch, as_sample, change_kind, is_fade, lasting_flaws
from grader.media.frames import Frame, frames_lasting


def find_tiles(
    frames: Iterable[Frame],
    picture: NDArray[np.uint8],
    size: int,
    state: tuple[int, ...],
    config: TileConfig = TILE_CONFIG,
) -> TileFindings:
    """Reads a clip of a sliding puzzle.

    Parameters
    ----------
    frames : in order; each is looked at once
    picture : (h, w, 3) uint8 RGB, the puzzle: the board and nothing else
    size : rows and columns, 2 to 5
    state : the tiles in the picture, row by row, -1 the blank

    Raises
    ------
    ValueError
        If the state is no arrangement of that size.
    """
    model = make_model(picture, size, state, config)
    reader: _Reader | None = None
    for frame in frames:
        if reader is None:
            box, match, colors = find_board(frame.pixels, picture, model)
            if match < config.search.least_match:
                return TileFindings(size, state, None, match, (), ())
            drawn = DrawnFollower(TileRemainderFinder(picture, size, model.blank, config), config)
            reader = _Reader(model, box, match, colors, drawn)
        reader.take(frame)
    if reader is None:
        return TileFindings(size, state, None, 0.0, (), ())
    return reader.findings()


@dataclass(frozen=True, eq=False)
class _Doubt:
    """A stretch that was ended: the first frame after it, and how many events were known before it."""

    stretch: Stretch
    end: int
    events: int


class _Reader:
    """Reads frame after frame; keeps a few numbers a frame and a bounded number of small boards."""

    def __init__(self, model: TileModel, box: TileBox, match: float, colors: ColorMap, drawn: DrawnFollower) -> None:
        self._model, self._drawn = model, drawn
        self._config = model.config
        self._first_box, self._box, self._match = box, box, match
        self._colors = colors
        self._now: Arrangement = model.start
        self._frames: list[TileFrame] = []
        self._events: list[TileEvent] = []
        # What was read last, in the frame's colours and in the puzzle's.
        self._seen: NDArray[np.float32] | None = None
        self._board = model.drawn(model.start)
        self._explained_board = self._board
        self._reading: BoardReading | None = None
        self._content: Content | None = None
        self._stretch: Stretch | None = None
        # The arrangement that content shows since some frames of the stretch.
        self._settling: Arrangement | None = None
        self._settled = 0
        # Boards at rest in the present arrangement, to tell a fade to the next one.
        self._recent: deque[NDArray[np.uint8]] = deque(maxlen=model.config.stretch.recent)
        self._moved_board = False
        # The last stretch and its events while its end is not certain.
        self._doubt: _Doubt | None = None

    def take(self, frame: Frame) -> None:
        """Reads the next frame."""
        board = rectify(frame.pixels, self._box, self._model.side, self._config.board)
        reading = self._reading if self._is_still(board) else None
        if reading is None:
            reading = self._read(frame, board)
        if reading.explained:
            self._explained(frame, reading)
            rests = reading.line is None or reading.offset >= 1.0 - self._config.remainder.arrived
            busy = () if rests or reading.line is None else reading.line.cells
            self._drawn.take(frame, self._box, self._now, busy)
        else:
            self._drawn.take(frame, self._box, None)
            self._unexplained(frame, reading)

    def findings(self) -> TileFindings:
        """Returns what was seen, after the last frame."""
        if self._stretch is not None:
            if self._settling is not None:
                after = clearer(split(self._board, self._model.size), self._settling, self._model)
                self._close(self._stretch, after, self._settled, self._board)
            else:
                self._give_up(self._stretch)
        elif self._doubt is not None:
            self._make_certain(self._doubt)
        known = [(event.first_frame, event.last_frame) for event in self._events]
        for cell, first, last in self._drawn.runs():
            # What a tile turns into, or a fade, looks drawn over for a while.
            around = self._config.stretch.certain_frames
            if not any(begin <= last + around and end >= first - around for begin, end in known):
                self._note(Finding(TileEventKind.DRAWN_OVER, (cell,)), first, last)
        events = tuple(sorted(self._events, key=lambda event: (event.first_frame, event.last_frame)))
        start = self._model.labels
        frames, alike = tuple(self._frames), self._model.alike
        return TileFindings(self._model.size, start, self._first_box, self._match, frames, events, alike)

    def _is_still(self, board: NDArray[np.float32]) -> bool:
        if self._seen is None:
            return False
        change = split(np.abs(board - self._seen), self._model.size).mean(axis=(1, 2, 3))
        return bool(change.max() < self._config.likeness.still_change)

    def _read(self, frame: Frame, board: NDArray[np.float32]) -> BoardReading:
        cells = split(recolored(board, self._colors), self._model.size)
        before = self._model
        self._model = before.shaded(cells, self._now.index(before.blank))
        reading, colors = read(board, self._now, self._colors, self._model)
        if not reading.explained and self._model is not before:
            # What is uniform in the blank's place may be anything, where the rest does not fit.
            self._model = before
            reading, colors = read(board, self._now, self._colors, before)
        if not reading.explained and (
            self._stretch is None or self._stretch.frames < self._config.registration.relocate_frames
        ):
            # The camera may have moved by more than it does from frame to frame.
            steps = self._config.registration.relocate_steps
            box, _ = refined(frame.pixels, self._box, reading.drawn(self._model), self._model, steps, False)
            elsewhere = rectify(frame.pixels, box, self._model.side, self._config.board)
            again, other = read(elsewhere, self._now, self._colors, self._model)
            if again.explained:
                self._box, board, reading, colors = box, elsewhere, again, other
        self._seen = board
        self._board = recolored(board, colors)
        self._reading, self._content = reading, None
        if reading.explained:
            self._colors = colors
            self._follow(reading)
        return reading

    def _follow(self, reading: BoardReading) -> None:
        """Follows a moving camera by one step."""
        blank = reading.arrangement.index(self._model.blank)
        busy = (blank,) if reading.line is None else reading.line.cells
        rules, rim = self._config.registration, self._config.board.rim_px
        step = camera_step(reading.drawn(self._model), self._board, self._model.size, rules, rim, busy)
        self._box = stepped(self._box, step, rules)

    def _explained(self, frame: Frame, reading: BoardReading) -> None:
        before = self._now
        arrived = reading.line is not None and reading.offset >= self._config.slide.arrival
        line = reading.line
        self._now = line.after(reading.arrangement) if arrived and line is not None else reading.arrangement
        if self._stretch is not None:
            after = self._now
            if reading.slide is None:
                after = clearer(split(self._board, self._model.size), after, self._model)
            self._close(self._stretch, after, 0, self._board)
        elif self._now != before:
            self._doubt = None
            self._check_step(before, frame, line is not None and len(line.cells) > 2)
            self._recent.clear()
        self._remember(reading)
        self._explained_board = self._board
        self._add(frame, self._moving(reading), True, 1 - 0.5 * reading.ratio)
        doubt = self._doubt
        if (
            doubt is not None
            and reading.slide is None
            and len(self._frames) >= doubt.end + self._config.stretch.certain_frames
        ):
            self._make_certain(doubt)
        if moved_much(self._box, self._first_box, self._config.registration.drift_limit) and not self._moved_board:
            self._moved_board = True
            self._note(Finding(TileEventKind.BOARD_CHANGED, ()), len(self._frames) - 1, len(self._frames) - 1)

    def _remember(self, reading: BoardReading) -> None:
        """Keeps a board at rest if it is new."""
        if reading.slide is not None:
            self._recent.clear()
        elif self._board is not self._explained_board:
            self._recent.append(as_sample(self._board))

    def _check_step(self, before: Arrangement, frame: Frame, line_moves: bool) -> None:
        """Notes a line of tiles that slid together, a tile that faded to the blank's cell, and a jump of several."""
        changed = tuple(cell for cell, piece in enumerate(before) if self._now[cell] != piece)
        last = len(self._frames) - 1
        start = last
        while start > 0 and len(self._frames[start].moving) > 1:
            start -= 1
        if len(changed) > 2 and (start < last or line_moves):
            found: Finding | None = Finding(TileEventKind.TILES_TOGETHER, changed)
        else:
            found = change_kind(before, self._now, tuple(self._recent), 0, self._model)
        if found is not None:
            self._note(found, start, last + 1, frame)

    def _unexplained(self, frame: Frame, reading: BoardReading) -> None:
        # Of a frame that hardly differs from the last one it is known already.
        content = self._content or read_content(split(self._board, self._model.size), self._now, self._model)
        self._content = content
        stretch = self._stretch
        if stretch is None:
            self._stretch = stretch = Stretch(self._now, self._explained_board, len(self._frames))
            self._settling, self._settled = None, 0
        stretch.add(self._board, reading, content, self._model)
        self._add(frame, (), False, 1 / (1 + reading.ratio))
        shown = content.arrangement
        if shown is None:
            self._settling, self._settled = None, 0
            return
        self._settled = self._settled + 1 if shown == self._settling else 1
        self._settling = shown
        if self._settled >= self._config.stretch.settle_frames:
            after = clearer(split(self._board, self._model.size), shown, self._model)
            self._close(stretch, after, self._settled, self._board)

    def _close(self, stretch: Stretch, after: Arrangement, settled: int, board: NDArray[np.float32]) -> None:
        """Ends a stretch in an arrangement that its last ``settled`` frames show already."""
        self._stretch = None
        model, end = self._model, stretch.begin + stretch.frames - settled
        self._doubt = _Doubt(stretch, end, len(self._events))
        found = None
        changed: tuple[int, ...] = ()
        if after != stretch.before:
            changed = tuple(cell for cell, piece in enumerate(stretch.before) if after[cell] != piece)
            samples = (*self._recent, *stretch.samples)
            found = change_kind(stretch.before, after, samples, stretch.frames - settled, model)
        if found is not None:
            self._note(found, stretch.begin - 1, end)
        else:
            for flaw in lasting_flaws(stretch, self._long(stretch), stretch.before, changed, model):
                self._note(flaw, stretch.begin - 1, end)
        self._recent.clear()
        self._now = after
        for place in range(end, stretch.begin + stretch.frames):
            old = self._frames[place]
            self._frames[place] = TileFrame(old.index, old.time_s, model.tiles(after), (), True, 0.5)
        self._explained_board = board
        self._seen = None
        self._settling, self._settled = None, 0

    def _make_certain(self, doubt: _Doubt) -> None:
        """Looks again what a stretch ended in, now that tiles lie still: those that look alike may have changed."""
        self._doubt = None
        stretch, model = doubt.stretch, self._model
        after = clearer(split(self._board, model.size), self._now, model)
        if after == self._now:
            return
        del self._events[doubt.events :]
        self._now = after
        gap = doubt.end - stretch.begin
        found = None if after == stretch.before else change_kind(stretch.before, after, stretch.samples, gap, model)
        if found is not None:
            self._note(found, stretch.begin - 1, doubt.end)
        for place in range(doubt.end, len(self._frames)):
            self._frames[place] = replace(self._frames[place], state=model.tiles(after))
        self._seen = None

    def _give_up(self, stretch: Stretch) -> None:
        """Ends a stretch that lasts up to the end of the clip."""
        model, last = self._model, len(self._frames) - 1
        reading = self._reading
        bad = reading.bad if reading is not None else ()
        length = len(self._frames) - stretch.begin
        found: tuple[Finding, ...] = lasting_flaws(stretch, min(length, self._long(stretch)), stretch.before, (), model)
        faded = is_fade(stretch.board, self._board, (*self._recent, *stretch.samples), model)
        if faded and len(bad) > 1:
            found = (Finding(TileEventKind.CROSS_FADE, bad), *found)
        for one in found:
            self._note(one, stretch.begin - 1, last)

    def _long(self, stretch: Stretch) -> int:
        """How many frames of a stretch last as long as a flaw must."""
        times = [frame.time_s for frame in self._frames[stretch.begin : stretch.begin + stretch.frames]]
        least = self._config.stretch.settle_frames
        if len(times) < 2 or times[-1] <= times[0]:
            return least
        frame_s = (times[-1] - times[0]) / (len(times) - 1)
        return max(least, frames_lasting(self._config.stretch.lasting_s, 1.0 / frame_s))

    def _moving(self, reading: BoardReading) -> tuple[MovingTile, ...]:
        if reading.line is None:
            return ()
        moving = []
        for to, start in zip(reading.line.cells, reading.line.cells[1:], strict=False):
            (row, column), (to_row, to_column) = (divmod(cell, self._model.size) for cell in (start, to))
            moving.append(
                MovingTile(
                    self._model.labels[reading.arrangement[start]],
                    row + (to_row - row) * reading.offset,
                    column + (to_column - column) * reading.offset,
                )
            )
        return tuple(moving)

    def _add(self, frame: Frame, moving: tuple[MovingTile, ...], explained: bool, confidence: float) -> None:
        state = self._model.tiles(self._now)
        # Equal states are one object, so that a long clip holds few.
        if self._frames and self._frames[-1].state == state:
            state = self._frames[-1].state
        self._frames.append(TileFrame(frame.index, frame.time_s, state, moving, explained, confidence))

    def _note(self, found: Finding, first: int, last: int, current: Frame | None = None) -> None:
        """Notes an event from one frame that was read to another one, which may be the current one."""
        one = self._frames[max(0, min(first, len(self._frames) - 1))] if self._frames else None
        end = self._frames[last] if last < len(self._frames) else None
        first_frame, first_time = (one.index, one.time_s) if one is not None else (0, 0.0)
        if end is not None:
            last_frame, last_time = end.index, end.time_s
        elif current is not None:
            last_frame, last_time = current.index, current.time_s
        else:
            last_frame, last_time = self._frames[-1].index, self._frames[-1].time_s
        tiles = sorted({self._model.labels[self._now[cell]] for cell in found.cells} - {-1})
        box = self._box.part(self._model.size, tuple(found.cells))
        self._events.append(
            TileEvent(found.kind, first_frame, last_frame, first_time, last_time, box, found.cells, tuple(tiles))
        )
