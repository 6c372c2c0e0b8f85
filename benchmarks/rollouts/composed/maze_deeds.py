"""What happens in composed clips of a maze: paths that grow, markers that travel, and walls that are in their way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import cv2
import numpy as np

from benchmarks.accuracy.instances import MazeInstance, build
from benchmarks.accuracy.seeds import dice_of
from benchmarks.rollouts.composed.film import Hide, Moment
from grader import maze_from_mask
from grader.tasks.maze.model import MazeInput
from puzzles.common.arrays import FloatArray
from puzzles.common.raster import Color, Picture, cover_line, new_coverage, paint
from puzzles.maze.render import draw_polyline

_FRAME_S = 1 / 24
_BEFORE_S, _AFTER_S = 0.25, 0.5
_DOT = 0.3  # of a cell's free width: a marker's diameter
_PACE = 5.0  # cells a second
_SHORT_CUT = 2.2  # cells: the longest way through a wall


@dataclass(frozen=True)
class MazeDeed:
    """What happens; as `benchmarks.rollouts.composed.lot_deeds.LotDeed`, ``walls`` being how many walls are wrong."""

    picture: Callable[[float], Picture]
    duration_s: float
    moments: tuple[Moment, ...] = ()
    fault_s: float = 0.0
    walls: int = 0


@dataclass(frozen=True, eq=False)
class MazeSubject:
    """A maze for which a deed is to be written: the maze, its right path as a polyline in pixels, and a name."""

    instance: MazeInstance
    way: FloatArray
    name: str

    @property
    def cell_px(self) -> float:
        """A cell's free width in pixels."""
        return self.instance.free_px

    @property
    def length(self) -> float:
        """Of the right path in pixels."""
        return float(np.hypot(*np.diff(self.way, axis=0).T).sum())

    @property
    def took_s(self) -> float:
        """How long the right path takes."""
        return max(1.2, self.length / self.cell_px / _PACE)

    @property
    def task(self) -> MazeInput:
        """The request's puzzle and truth, by its cells."""
        return self.instance.task

    @property
    def floor_task(self) -> MazeInput:
        """The same maze, told by the mask of its floor."""
        one = self.instance
        start, goal = ((float(x), float(y)) for x, y in (self.way[0], self.way[-1]))
        # not a threshold: more floor than wall
        floor = ((one.floor_share > 0.5) & (one.cells > 0)) | one.marked
        return maze_from_mask(one.pictures.input, floor, start=start, goal=goal, path_color=one.asked)


MazeWriter = Callable[[MazeSubject, Hide, int], MazeDeed | None]


def subject_of(puzzle: str, name: str) -> MazeSubject:
    """A maze of the accuracy benchmark as a subject; ``name`` is what all that is random depends on."""
    one = build(puzzle)
    if not isinstance(one, MazeInstance):
        raise TypeError(f"{puzzle} is no maze")
    return MazeSubject(one, one.layout.to_pixels(one.maze.grid.route(one.path)), name)


def _along(points: FloatArray, share: float) -> FloatArray:
    """The beginning of a polyline, by its share of the length; at least a point."""
    marks = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    end = min(1.0, max(0.0, share)) * marks[-1]
    last = np.array([[np.interp(end, marks, points[:, axis]) for axis in (0, 1)]])
    return np.concatenate([points[marks < end], last])


def _grown(subject: MazeSubject, share: float, on: Picture) -> Picture:
    if share <= 0:
        return on
    return draw_polyline(on, subject.instance.maze, _along(subject.way, share), style=subject.instance.style)


def _dotted(subject: MazeSubject, at: FloatArray, on: Picture, color: Color) -> Picture:
    drawn = on.copy()
    coverage = new_coverage(*on.shape[:2])
    cover_line(coverage, at.reshape(1, 2), _DOT * subject.cell_px)
    paint(drawn, coverage, color)
    return drawn


def _done(subject: MazeSubject, time: float) -> float:
    return (time - _BEFORE_S) / subject.took_s


def _ends(subject: MazeSubject) -> float:
    return _BEFORE_S + subject.took_s + _AFTER_S


def grows(subject: MazeSubject, _hide: Hide, _frames: int) -> MazeDeed | None:
    """The right path grows."""
    puzzle = subject.instance.pictures.input
    return MazeDeed(lambda time: _grown(subject, _done(subject, time), puzzle), _ends(subject))


def travels(subject: MazeSubject, _hide: Hide, _frames: int) -> MazeDeed | None:
    """A marker travels along the right path."""
    puzzle, color = subject.instance.pictures.input, subject.instance.style.path

    def picture(time: float) -> Picture:
        return _dotted(subject, _along(subject.way, _done(subject, time))[-1], puzzle, color)

    return MazeDeed(picture, _ends(subject))


def beside(subject: MazeSubject, _hide: Hide, _frames: int) -> MazeDeed | None:
    """The right path grows, while a marker goes straight through walls to the goal."""
    puzzle, color = subject.instance.pictures.input, subject.instance.style.path
    walls = _walls_between(subject, subject.way[0], subject.way[-1])
    if not walls:
        return None

    def picture(time: float) -> Picture:
        share = min(1.0, max(0.0, _done(subject, time)))
        at = subject.way[0] * (1 - share) + subject.way[-1] * share
        return _dotted(subject, at, _grown(subject, share, puzzle), color)

    return MazeDeed(picture, _ends(subject), (), subject.took_s, walls)


def crosses(subject: MazeSubject, hide: Hide, frames: int) -> MazeDeed | None:
    """A marker goes through a wall from one place of the right path to a later one, hidden for some frames or not."""
    puzzle, color = subject.instance.pictures.input, subject.instance.style.path
    found = _short_cut(subject)
    if found is None:
        return None
    leaves, joins = found
    first, last = (_along(subject.way, share)[-1] for share in (leaves, joins))
    took = max(1, frames) * _FRAME_S
    begin = _BEFORE_S + leaves * subject.took_s
    until = begin + took
    rest = (1 - joins) * subject.took_s

    def picture(time: float) -> Picture:
        if hide is Hide.GONE and begin - _FRAME_S / 2 <= time < until + _FRAME_S / 2:
            return puzzle
        if time < begin:
            at = _along(subject.way, _done(subject, time))[-1]
        elif time < until:
            share = (time - begin) / took
            at = first * (1 - share) + last * share
        else:
            at = _along(subject.way, joins + (time - until) / subject.took_s)[-1]
        return _dotted(subject, at, puzzle, color)

    plain = hide in (Hide.NOTHING, Hide.GONE)
    moments = () if plain else (Moment(hide, begin - _FRAME_S / 4, until - _FRAME_S / 4),)
    return MazeDeed(picture, until + rest + _AFTER_S, moments, rest + _AFTER_S, _walls_between(subject, first, last))


def _short_cut(subject: MazeSubject) -> tuple[float, float] | None:
    """Two places of the right path, as shares of it, that are near each other with a wall between; None if none are."""
    steps = 60
    places = np.array([_along(subject.way, step / steps)[-1] for step in range(steps + 1)])
    gap = subject.length / steps
    for one in range(2, steps - 4):
        for other in range(steps - 2, one + 4, -1):
            away = float(np.hypot(*(places[one] - places[other])))
            around = (other - one) * gap
            near = away < _SHORT_CUT * subject.cell_px and around > 2 * away
            if near and _walls_between(subject, places[one], places[other]):
                return one / steps, other / steps
    return None


def _walls_between(subject: MazeSubject, one: FloatArray, other: FloatArray) -> int:
    """How many walls a straight way crosses."""
    line = np.linspace(one, other, 200)
    wall = np.array(subject.instance.style.wall, np.float32)
    picture = subject.instance.pictures.no_markers
    columns, rows = (np.clip(line[:, axis].astype(int), 0, picture.shape[1 - axis] - 1) for axis in (0, 1))
    dark = np.abs(picture[rows, columns] - wall).max(axis=1) < 60
    return int(np.count_nonzero(np.diff(dark.astype(np.int8)) == 1))


def opened(subject: MazeSubject, _hide: Hide, frames: int) -> MazeDeed | None:
    """The right path grows; two walls are gone for some frames."""
    one, puzzle = subject.instance, subject.instance.pictures.input
    grid = one.maze.grid
    closed = [
        (cell, other) for cell in grid.cell_ids for other in grid.neighbours(cell)
        if cell < other and not one.maze.linked(cell, other)
    ]  # fmt: skip
    if len(closed) < 2:
        return None
    dice = dice_of(f"{subject.name}/walls")
    coverage = new_coverage(*puzzle.shape[:2])
    for place in dice.choice(len(closed), 2, replace=False):
        cover_line(coverage, one.layout.to_pixels(grid.border(*closed[place]).points()), 1.5 * one.style.wall_width_px)
    without = puzzle.copy()
    paint(without, coverage, one.style.floor)
    begin = _BEFORE_S + 0.5 * subject.took_s
    until = begin + frames * _FRAME_S

    def picture(time: float) -> Picture:
        return _grown(subject, _done(subject, time), without if begin <= time < until else puzzle)

    return MazeDeed(picture, _ends(subject), (), frames * _FRAME_S, 2)


def unmarked(subject: MazeSubject, _hide: Hide, frames: int) -> MazeDeed | None:
    """The right path grows; start and goal are gone for some frames."""
    puzzle, bare = subject.instance.pictures.input, subject.instance.pictures.no_markers
    begin = _BEFORE_S + 0.5 * subject.took_s
    until = begin + frames * _FRAME_S

    def picture(time: float) -> Picture:
        return _grown(subject, _done(subject, time), bare if begin <= time < until else puzzle)

    return MazeDeed(picture, _ends(subject), (), frames * _FRAME_S, 2)


def resized(picture: Picture, side_px: int) -> Picture:
    """The picture with its longer side in so many pixels, both even."""
    scale = side_px / max(picture.shape[:2])
    width, height = (2 * max(1, round(side * scale / 2)) for side in (picture.shape[1], picture.shape[0]))
    return np.asarray(cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


RIGHT_MAZES: Mapping[str, MazeWriter] = MappingProxyType({"grows": grows, "travels": travels})
LASTING_MAZES: Mapping[str, MazeWriter] = MappingProxyType({"beside": beside, "crosses": crosses})
PASSING_MAZES: Mapping[str, MazeWriter] = MappingProxyType({"opened": opened, "unmarked": unmarked})
