"""Where something is: a cell, a box of pixels, a stretch of time, an object, a place in a list."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Cell:
    """A cell of a puzzle; ``row`` is the ring and ``column`` the index for circles. Id 0 of a maze lies outside it."""

    id: int
    row: int
    column: int


@dataclass(frozen=True)
class PixelBox:
    """A box in a picture, in pixels: left edge, top edge, width, height."""

    left: float
    top: float
    width: float
    height: float


@dataclass(frozen=True)
class TimeSpan:
    """Part of a clip, its ends included: frames from 0, and when they are shown, in seconds after the first frame."""

    first_frame: int
    last_frame: int
    start_s: float
    end_s: float


@dataclass(frozen=True)
class Place:
    """Where something is.

    Attributes
    ----------
    cell : the cell that is meant
    box : pixels of the puzzle's picture; for lots and tiles of the frame or picture itself
    span : when, in a clip
    object : label of the vehicle or number of the tile that is meant; empty for none
    move : the move in a list, from 1
    step : the picture in a series, from 1
    """

    cell: Cell | None = None
    box: PixelBox | None = None
    span: TimeSpan | None = None
    object: str = ""
    move: int | None = None
    step: int | None = None
